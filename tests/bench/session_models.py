#!/usr/bin/env python3
"""What `rooflight compare` says of sessions that the models of the verdicts' simulation draw: the program itself, from captures to JSON.

usage: session_models.py --rooflight PROGRAM --writer PROGRAM [--pairs N] [--kernels N] [--launches N] [--sessions N,...] [--jobs N]
                         [--seed N] [MODEL ...]

For every model (tests/fixtures/series.h) tests/bench/session_captures draws captures of unchanged code, as many a side as --sessions
says, each with so many kernels; `rooflight compare` compares them, until there are --pairs kernels. Of the models "suite" and
"clock step" sides in which every kernel takes 1 and 2 % longer are compared, too. Prints the tables of docs/data/verdicts.md; exit status 1 when more than 1 % of a line
is false, or a right verdict is rarer than that document promises.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

FALSE_AT_MOST = 1.0
SUITE, PLANTED = "suite", ("suite", "clock step")
# Of the suite, by what is planted and sessions a side: the right verdict, and in how many percent at least it must be found.
WANTED = {(0, 8): ("SAME", 95), (1, 8): ("SLOWER", 90), (2, 8): ("SLOWER", 99), (2, 3): ("SLOWER", 90)}

Line = collections.namedtuple("Line", "model planted sessions")


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}: {done.stderr}")
    return done.stdout


def compare_once(options, line, seed):
    """Verdicts of one comparison of sides that a seed draws."""
    with tempfile.TemporaryDirectory() as folder:
        run(options.writer, "draw", line.model, seed, options.kernels, line.sessions, options.launches, 1 + line.planted / 100, folder)
        sides = [[pathlib.Path(folder) / f"{side}-{i + 1}.rlcap" for i in range(line.sessions)] for side in ("base", "new")]
        pairs = json.loads(run(options.rooflight, "compare", "--json", *sides[0], "--", *sides[1]))["pairs"]
    return collections.Counter(pair["verdict"] for pair in pairs)


def count(options, lines):
    """Verdicts of each line, as many pairs as were asked for."""
    times = -(-options.pairs // options.kernels)
    work = [(line, options.seed + i) for line in lines for i in range(times)]
    verdicts = {line: collections.Counter() for line in lines}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for (line, _), found in zip(work, pool.map(lambda one: compare_once(options, *one), work)):
            verdicts[line] += found
    return verdicts


def share(verdicts, *names):
    return 100 * sum(verdicts[name] for name in names) / sum(verdicts.values())


def wrong(line, verdicts):
    return share(verdicts, "FASTER", "SAME" if line.planted else "SLOWER")


def faults(verdicts):
    for line, found in verdicts.items():
        what = f"{line.model}, {line.planted} % planted, {line.sessions} a side"
        if wrong(line, found) > FALSE_AT_MOST:
            yield f"{what}: {wrong(line, found):.2f} % false"
        if line.model == SUITE and (line.planted, line.sessions) in WANTED:
            right, least = WANTED[line.planted, line.sessions]
            if share(found, right) < least:
                yield f"{what}: {share(found, right):.1f} % {right}, not {least} %"


def table(verdicts):
    yield "| model | planted | sessions a side | pairs | false | SAME | SLOWER | UNDECIDED |"
    yield "|---|---|---:|---:|---:|---:|---:|---:|"
    for line, found in verdicts.items():
        shares = [f"{share(found, name):.1f} %" for name in ("SAME", "SLOWER", "UNDECIDED")]
        yield (f"| {line.model} | {f'{line.planted} %' if line.planted else 'nothing'} | {line.sessions} | {sum(found.values())} | "
               f"{wrong(line, found):.2f} % | {' | '.join(shares)} |")


def lines_of(models, sessions):
    return [Line(model, planted, number) for number in sessions for model in models
            for planted in ((0, 1, 2) if model in PLANTED else (0,))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rooflight", required=True)
    parser.add_argument("--writer", required=True)
    parser.add_argument("--pairs", type=int, default=1000, help="kernels compared for each line, at least")
    parser.add_argument("--kernels", type=int, default=20, help="of one comparison")
    parser.add_argument("--launches", type=int, default=60)
    parser.add_argument("--sessions", default="2,3,8", help="on each side")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("models", nargs="*", metavar="MODEL")
    options = parser.parse_args()
    models = options.models or run(options.writer, "models").splitlines()
    verdicts = count(options, lines_of(models, [int(number) for number in options.sessions.split(",")]))
    print("\n".join(table(verdicts)))
    found = list(faults(verdicts))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
