#!/usr/bin/env python3
"""Sessions of the suite on this card, kept for good: what docs/data/verdicts.md says of real sessions is computed from such files.

usage: sessions.py collect --rooflight PROGRAM --store FOLDER [--work FOLDER] [--rounds N] [--seconds N] [--gpu N]
       sessions.py keep --store FOLDER KIND=CAPTURE ...

Each round has two sessions of the suite's kernels as they are, and one each in which kernels whose time goes with their size do 1 and
2 % more, in random order. Every session has a process of its own; a planted one has one for each size. A round is begun only where the
longest so far would still fit into --seconds.

The store is a file of text for each card and day, CARD_DATE.csv: times without counters, no host, of the card's UUID only a mark, at
most 300 kB (of long series every so many a time is kept, in order). tests/bench/session_rates.py compares the sessions in it.
"""
import argparse
import collections
import csv
import hashlib
import io
import math
import pathlib
import random
import sqlite3
import statistics
import subprocess
import sys
import time

UNCHANGED = ["register_pressure", "block_size", "coalescing", "transpose", "bank_conflicts", "shared_stencil", "vector_width",
             "read_only", "divergence", "ilp", "fast_math", "unroll", "precision/fp32", "precision/fp16x2", "reduction/two_kernels",
             "reduction/warp_shuffle_grid", "scan/blelloch", "histogram/private_merge", "histogram/cooperative", "staging/sync_low",
             "staging/pipeline_4_low", "vector_add", "matmul/tiled", "matmul/tensor", "between", "self_check/fp32_add",
             "self_check/fp64_add", "self_check/branch_uniform", "self_check/branch_divergent", "self_check/shared_1",
             "self_check/shared_2", "self_check/tensor"]
# Those that do work in proportion to their size on a GPU that is full, by their size.
PLANTED = {67108864: ["read_only", "unroll", "shared_stencil", "block_size/128", "block_size/256", "block_size/512",
                      "block_size/1024"],
           33554432: ["fast_math", "register_pressure/lean", "register_pressure/volatile16", "register_pressure/array100"]}
KINDS = {"same": 0.0, "1 %": 0.01, "2 %": 0.02}
SHORTEST_NS = 10_000
LIMIT = 300_000
MOST_SAMPLES, FEWEST_SAMPLES = 36, 12


# ---- measuring ----

def collect(arguments, path, names, size=None):
    command = [arguments.rooflight, "collect", "-q", "--gpu", str(arguments.gpu), "--ceilings", "none", "-o", path]
    command += ["--size", str(size)] if size else []
    done = subprocess.run([*map(str, command), *names], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{path.name}: status {done.returncode}: {done.stderr[-1000:]}")
    return path


def measure(arguments, kind, number):
    """Captures of one session."""
    more, name = KINDS[kind], f"{kind.replace(' %', '')}-{number}"
    if not more:
        return [collect(arguments, arguments.work / f"{name}.rlcap", UNCHANGED)]
    return [collect(arguments, arguments.work / f"{name}-{size}.rlcap", names, round(size * (1 + more) / 1024) * 1024)
            for size, names in PLANTED.items()]


def rounds(arguments):
    """Sessions as pairs of kind and captures, until time or rounds are over."""
    began, longest, sessions = time.monotonic(), 0, []
    for number in range(arguments.rounds):
        start = time.monotonic()
        if start - began + longest > arguments.seconds:
            break
        turns = ["same", "same", *(kind for kind, more in KINDS.items() if more)]
        random.shuffle(turns)
        for kind in turns:
            try:
                sessions.append((kind, measure(arguments, kind, len(sessions))))
            except RuntimeError as error:
                print(f"stopped: {error}", file=sys.stderr)
                return sessions
        longest = max(longest, time.monotonic() - start)
        print(f"round {number + 1}: {time.monotonic() - start:.1f} s", flush=True)
    return sessions


# ---- what of a capture is kept ----

Session = collections.namedtuple("Session", "started card mark driver version kernels")


def read(path):
    """A capture's session; its kernels are {name: (SM clock in Hz or 0, times in ns)}."""
    database = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    started, version, driver = database.execute("SELECT started, tool_version, driver FROM session").fetchone()
    card, uuid = database.execute("SELECT name, uuid FROM gpu").fetchone()
    clocks = dict(database.execute("SELECT kernel, value FROM counter JOIN counter_name ON counter_name.id = counter.counter_name "
                                   "WHERE name = 'sm__cycles_elapsed.avg.per_second'"))
    times = collections.defaultdict(list)
    for kernel, duration in database.execute("SELECT kernel, duration_ns FROM duration ORDER BY id"):
        times[kernel].append(duration)
    rows = [row for row in database.execute("SELECT id, COALESCE(nvtx, name), name FROM kernel ORDER BY id") if row[0] in times]
    variants = collections.Counter(nvtx for _, nvtx, _ in rows)
    kernels = {nvtx if variants[nvtx] == 1 else f"{nvtx}/{name.split('(')[0]}": (clocks.get(number) or 0, times[number])
               for number, nvtx, name in rows}
    database.close()
    return Session(started, card, hashlib.sha256(uuid.encode()).hexdigest()[:8] if uuid else "", driver, version, kernels)


def joined(captures):
    """One session of several captures."""
    parts = [read(path) for path in captures]
    kernels = {}
    for part in parts:
        kernels.update(part.kernels)
    return parts[0]._replace(kernels=kernels)


def long_enough(sessions):
    """Names of kernels of SHORTEST_NS and more, in the order in which they were measured."""
    medians = collections.defaultdict(list)
    for _, session in sessions:
        for name, (_, times) in session.kernels.items():
            medians[name].append(statistics.median(times))
    return [name for name, values in medians.items() if statistics.median(values) >= SHORTEST_NS]


def thinned(times, most):
    return times if len(times) <= most else [times[i * len(times) // most] for i in range(most)]


def text_of(sessions, most):
    """The store's file, with at most so many times a kernel and session."""
    first, names = sessions[0][1], long_enough(sessions)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([["rooflight sessions", 1], ["card", first.card], ["mark", first.mark], ["driver", first.driver],
                      ["rooflight", first.version], ["date", first.started[:10]]])
    writer.writerows(["session", number, kind, session.started] for number, (kind, session) in enumerate(sessions))
    writer.writerows(["kernel", number, name] for number, name in enumerate(names))
    for number, (_, session) in enumerate(sessions):
        for kernel, name in enumerate(names):
            if name not in session.kernels:
                continue
            clock, times = session.kernels[name]
            times = thinned(times, most)
            least, unit = min(times), math.gcd(*times)
            more = " ".join(str((t - least) // unit) for t in times)
            writer.writerow(["times", number, kernel, round(clock), unit, least // unit, more])
    return out.getvalue()


def keep(sessions, folder):
    """Writes the store's file of this card and day; there must be none yet."""
    first = sessions[0][1]
    path = pathlib.Path(folder) / f"{first.card.replace(' ', '-')}_{first.started[:10]}.csv"
    most = MOST_SAMPLES
    text = text_of(sessions, most)
    while len(text) > LIMIT and most > FEWEST_SAMPLES:
        most -= 4
        text = text_of(sessions, most)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("x", encoding="utf-8") as file:
        file.write(text)
    print(f"{path}: {len(sessions)} sessions, at most {most} times each, {len(text)} bytes")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=["collect", "keep"])
    parser.add_argument("--rooflight")
    parser.add_argument("--store", required=True)
    parser.add_argument("--work", type=pathlib.Path, default="sessions")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=345)
    parser.add_argument("--gpu", type=int, default=0)
    parser.add_argument("captures", nargs="*", metavar="KIND=CAPTURE", help="parts of one session are joined by a comma")
    arguments = parser.parse_intermixed_args()
    if arguments.step == "collect":
        arguments.work.mkdir(parents=True, exist_ok=True)
        measured = rounds(arguments)
    else:
        measured = [(kind, paths.split(",")) for kind, paths in (word.split("=", 1) for word in arguments.captures)]
    if not measured:
        return "no session was measured"
    keep([(kind, joined(paths)) for kind, paths in measured], arguments.store)
    return 0


if __name__ == "__main__":
    sys.exit(main())
