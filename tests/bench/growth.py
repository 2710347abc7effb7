#!/usr/bin/env python3
"""How the cost of the commands grows with every dimension of a capture: processor time and peak memory at n, 4n and 16n, and the exponent
of the growth between them. Fails where one is 1.15 or more, and where a table of the capture grows with no dimension.

usage: growth.py --program ROOFLIGHT --maker LARGE_CAPTURE --measure MEASURE --sample CAPTURE [--full] [--only DIMENSION,...] [--command TEXT]

Without --full the sizes are small enough for every day, and commands that share their way through the code are run once. --full goes up to
the limits of a capture (docs/limits.md), runs every command and prints a table for docs/data/benchmarks-host.md.

The exponent is that of t = a + b n^p, for which (t(16n) - t(4n)) / (t(4n) - t(n)) = 4^p, so that what a command costs anyhow does not
matter. Processor time does not depend on what else the machine does, but for its caches: times are the least of several runs, a doubtful
exponent is measured again, and what differs by less than the noise is no growth."""
import argparse
import concurrent.futures
import itertools
import math
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile

MOST = 1.15
TRIES = 4
NOISE_S, NOISE_BYTES, NOISE_SHARE = 0.012, 4e6, 0.04

EVERY = {
    "show": ["show", "-v", "--findings", "all", "{a}"],
    "report": ["report", "-o", "{out}", "{a}"],
    "compare --json": ["compare", "--json", "{a}", "{b}"],
}
FULL = {
    "show --json": ["show", "--json", "{a}"],
    "show --csv": ["show", "--csv", "--columns", "all", "{a}"],
    "show --markdown": ["show", "--markdown", "{a}"],
    "extract": ["extract", "-o", "{out}.rlcap", "{pdf}"],
    "compare": ["compare", "{a}", "{b}"],
    "compare --markdown": ["compare", "--markdown", "{a}", "{b}"],
    "compare -o": ["compare", "{a}", "{b}", "-o", "{out}.compared.pdf"],
    "compare --project": ["compare", "--project", "A100-SXM4-40GB", "{a}"],
    "compare --fleet": ["compare", "--fleet", "{a}", "{b}", "-o", "{out}.fleet.pdf"],
}

# n of every day, for the dimensions of large_capture. A chart finds places for up to 200 labels, which takes longer the more there are:
# what grows beyond that is told apart only above it, and takes too long for every day with a page for each experiment. With fewer passes
# than some thousand their table is not in the report, and its coming would look like growth.
SMALL = {"kernels": 120, "shapes": 120, "siblings": 100, "program": 120, "families": 160, "instructions": 1000, "launches": 4000,
         "launches_of_many": 4000, "counters": 1600, "repeats": 500, "arguments": 2000, "gpus": 10, "moments": 500, "roofs": 600,
         "roof_samples": 4000, "experiments": 30, "claims": 200, "variants": 220, "runs": 220, "settings": 2200,
         "roof_settings": 3000, "columns": 800, "run_times": 4000, "events": 1000,
         "log": 2000, "ranks": 60, "processes": 400, "timelines": 20, "transfers": 400, "ranges": 1000, "chain": 1500, "cases": 500, "links": 100,
         "link_runs": 1000, "link_times": 4000}
# What grows with the number of files, or with rows of another profiler: n of every day, and at the limit or where a command looks no
# further back. Made by the functions of MADE.
FILES = {
    "rows": (1000, 256000, {"import": ["import", "-q", "-o", "{out}.rlcap", "{in}"]}),
    "fleet": (8, 4096, {"compare --fleet": ["compare", "--fleet", "--json", "{in}"]}),
    "sessions": (4, 256, {"compare --": ["compare", "--json", "{base}", "--", "{new}"]}),
}
READ_NOTHING = {"doctor", "list", "collect", "check"}  # that grows: what they cost is the GPU's time
NOT_EVERY_DAY = {("experiments", "report"), ("claims", "report"), ("gpus", "report")}
ONE_ROW = {"session"}
LIMITS = pathlib.Path(__file__).resolve().parents[2] / "docs" / "limits.md"


ROWS_HEAD = '"ID","Kernel Name","Block Size","Grid Size","Metric Name","Metric Unit","Metric Value"'


class Failure(Exception):
    """A capture that could not be made, or a command that failed."""


class Cost:
    """The least of several runs of one command."""

    def __init__(self):
        self.seconds, self.bytes = math.inf, math.inf

    def take(self, measure, command, limit):
        command = list(map(str, command))
        done = subprocess.run([measure, str(limit), *command], capture_output=True, text=True, errors="replace", check=True)
        status, seconds, peak = done.stdout.split()
        if status != "0":
            raise Failure(f"{' '.join(command)}: status {status} after {seconds} s: {done.stderr.strip()}")
        self.seconds, self.bytes = min(self.seconds, float(seconds)), min(self.bytes, float(peak))


def exponent(values, noise):
    """Of the growth between three sizes, each four times the one before, as far as it is more than noise."""
    first, second = values[1] - values[0], values[2] - values[1]
    doubt = noise + NOISE_SHARE * values[2]
    if second <= doubt:
        return 0.0
    return max(math.log((second - doubt) / (max(first, 0) + doubt), 4), 0.0)


class Growth:
    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, pathlib.Path(folder)

    def capture(self, dimension, size, slower):
        path = self.folder / f"{dimension}-{size}-{slower}.rlcap"
        if not path.exists():
            done = subprocess.run([self.arguments.maker, self.arguments.sample, dimension, str(size), path, str(slower)],
                                  capture_output=True, text=True)
            if done.returncode:
                raise Failure(done.stderr.strip())
        return path

    def report(self, dimension, size):
        """The report that extract takes its capture from; the one that was measured, if it was."""
        path = self.folder / f"{dimension}-{size}.pdf"
        if not path.exists():
            Cost().take(self.arguments.measure, [self.arguments.program, "report", "-q", "-o", path, self.capture(dimension, size, 0)],
                        self.arguments.limit)
        return path

    # ---- many files ----

    def make_rows(self, size):
        """What Nsight Compute prints: ten launches of each kernel."""
        path = self.folder / f"rows-{size}.csv"
        if not path.exists():
            rows = (f'"{row}","k{row // 10}(int)","(256, 1, 1)","({8 + row % 7}, 1, 1)","dram__bytes_read.sum","Mbyte","{100 + row % 13}"'
                    for row in range(size))
            path.write_text("\n".join([ROWS_HEAD, *rows, ""]))
        return {"in": path, "out": self.folder / f"rows-{size}"}

    def many(self, name, size, place):
        """A folder with captures of a few kernels, each a little other than the one before."""
        folder = self.folder / f"{name}-{size}"
        if not folder.exists():
            for number in range(size):
                path = folder / place.format(number + 1)
                path.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(self.capture("kernels", 20, round(0.001 * number, 3)), path)
        return folder

    def make_fleet(self, size):
        return {"in": self.many("fleet", size, "{}.rlcap")}

    def make_sessions(self, size):
        captures = sorted(self.many("sessions", 2 * size, "{}.rlcap").iterdir())
        return {"base": captures[:size], "new": captures[size:]}

    def names(self, dimension, size):
        if dimension in FILES:
            return getattr(self, f"make_{dimension}")(size)
        return {"a": self.capture(dimension, size, 0), "out": self.folder / f"{dimension}-{size}.pdf"}

    def words(self, dimension, size, words):
        names = self.names(dimension, size)
        if "{b}" in words:
            names["b"] = self.capture(dimension, size, 10)
        if "{pdf}" in words:
            names["pdf"] = self.report(dimension, size)
        listed = [names[word[1:-1]] if word in ("{base}", "{new}") else [word.format(**names)] for word in words]
        return [self.arguments.program, *itertools.chain(*listed)]

    def measure(self, dimension, sizes, words):
        """Exponents of time and memory, and what was measured; again while one is doubtful."""
        costs = [Cost() for _ in sizes]
        for _ in range(TRIES):
            for size, cost in zip(sizes, costs):
                cost.take(self.arguments.measure, self.words(dimension, size, words), self.arguments.limit)
            time = exponent([cost.seconds for cost in costs], NOISE_S)
            memory = exponent([cost.bytes for cost in costs], NOISE_BYTES)
            if max(time, memory) < MOST:
                break
        return time, memory, costs


def tables_of(path):
    with sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True) as database:
        names = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: database.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names}


def find_tables_without_dimension(growth, dimensions):
    """A table that grows in none of the captures has no test; one that docs/limits.md does not name has no documented limit."""
    grown, known = set(), set()
    for name in dimensions:
        few, many = (tables_of(growth.capture(name, size, 0)) for size in (SMALL[name], 4 * SMALL[name]))
        known |= set(many)
        grown |= {table for table in many if many[table] > few[table]}
    said = LIMITS.read_text(encoding="utf-8")
    return sorted(table for table in known if table not in grown | ONE_ROW or f"`{table}`" not in said)


def find_commands_not_measured(program):
    """Of the commands that this build has."""
    helped = subprocess.run([program, "help"], capture_output=True, text=True, check=True).stdout
    listed = {line.split()[0] for line in helped.splitlines() if line.startswith("  ") and not line.startswith(("   ", "  -"))}
    measured = {words[0] for commands in (EVERY, FULL, *(row[2] for row in FILES.values())) for words in commands.values()}
    return sorted(listed - measured - READ_NOTHING)


def sizes_of(small, most, full):
    return [most // 16, most // 4, most] if full else [small * factor for factor in (1, 4, 16) if small * factor <= most]


def is_of_every_day(name, command):
    """`report` and `compare` read and analyse as `show` does, which is measured where they are not."""
    return (name, command) not in NOT_EVERY_DAY and (command != "show" or (name, "report") in NOT_EVERY_DAY)


def measure_one(growth, row, name, command):
    """A line of the table, and whether what it says is bad."""
    small, limit, commands = row
    sizes = sizes_of(small, limit, growth.arguments.full)
    try:
        time, memory, costs = growth.measure(name, sizes, commands[command])
    except Failure as failure:
        return f"| {name} | {sizes[-1]} | {command} | FAILED: {failure} |", True
    bad = max(time, memory) >= MOST
    return (f"| {name} | {sizes[-1]} | {command} | {', '.join(f'{cost.seconds:.2f}' for cost in costs)} s | {time:.2f} | "
            f"{', '.join(f'{cost.bytes / 1e6:.0f}' for cost in costs)} MB | {memory:.2f} |{' FAILED' if bad else ''}"), bad


def measure_dimension(arguments, row, name, chosen):
    """Command, line and verdict of each command, in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        growth = Growth(arguments, folder)
        return [(command, *measure_one(growth, row, name, command)) for command in chosen]


def measure_all(arguments, rows, chosen):
    """How many are bad. Every day, as many dimensions at once as there are processors, and what is bad then once more by itself."""
    at_once = 1 if arguments.full else os.cpu_count()
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        pending = [pool.submit(measure_dimension, arguments, rows[name], name, commands) for name, commands in chosen.items()]
        for name, measured in zip(chosen, pending):
            for command, line, is_bad in measured.result():
                if is_bad and at_once > 1:
                    concurrent.futures.wait(pending)
                    (_, line, is_bad), = measure_dimension(arguments, rows[name], name, [command])
                bad += is_bad
                print(line, flush=True)
    return bad


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--maker", required=True)
    parser.add_argument("--measure", required=True)
    parser.add_argument("--sample", required=True)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--command", default="")
    parser.add_argument("--limit", type=int, default=600, help="processor seconds of one command")
    arguments = parser.parse_args()
    listed = subprocess.run([arguments.maker, "--list"], capture_output=True, text=True, check=True).stdout.split()
    most = {name: int(count) for name, count in zip(listed[::2], listed[1::2])}
    if set(most) != set(SMALL):
        raise SystemExit(f"dimensions without a size of every day, or sizes without a dimension: {sorted(set(most) ^ set(SMALL))}")
    commands = EVERY | FULL if arguments.full else EVERY
    rows = {name: (SMALL[name], most[name], commands) for name in most} | FILES
    chosen = [name for name in rows if not arguments.only or name in arguments.only.split(",")]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        growth = Growth(arguments, folder)
        if len(chosen) == len(rows) and not arguments.full:
            missing = find_tables_without_dimension(growth, most)
            failed += len(missing)
            for table in missing:
                print(f"FAILED: no dimension of large_capture makes the table '{table}' grow, or docs/limits.md does not name it")
            for command in find_commands_not_measured(arguments.program):
                failed += 1
                print(f"FAILED: nothing here measures what '{command}' costs")
        print("| dimension | rows | command | processor time | exponent | peak memory | exponent |\n|---|---:|---|---:|---:|---:|---:|")
        failed += measure_all(arguments, rows, {
            name: [command for command in rows[name][2] if arguments.command in ("", command) and
                   (arguments.full or is_of_every_day(name, command))] for name in chosen})
    if failed:
        print(f"{failed} of them grow faster than n log n, or have no dimension", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
