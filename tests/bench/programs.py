#!/usr/bin/env python3
"""What observing a program costs, for docs/data/benchmarks-programs.md: one table with the wall time of plain and observed runs in turn, their ratio and whether
that is within the budget, the memory of the process and the size of the capture; and counters beside Nsight Compute's on the same kernel class.

usage: programs.py --rooflight PROGRAM --launcher PROGRAM [--everyday PROGRAM] [--runs N] [--seconds S] [--only TEXT]... [--gpus 0,1] [--list]
                   [--ncu PROGRAM] [--keep FOLDER]

--everyday: those of tests/gpu/everyday, too. --only: programs with the text in their name. --gpus: a lane for each, with its share of the processors;
each takes the next program, so that a table takes half the time on two GPUs. --seconds: no other run begins when that would take longer. A program
whose framework is missing is left out, which is said. --keep: the last capture of each program stays in FOLDER. Exit status 1 when a program
fails, its result differs when it is observed, it is over the budget, or launches have neither a time nor counters."""
import argparse
import csv
import io
import json
import multiprocessing
import os
import pathlib
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "gpu"))
import test_everyday

TRANSFORMER = pathlib.Path(__file__).resolve().parents[1] / "gpu" / "transformer.py"
VARYING = ("wall_s", "peak_bytes", "elapsed_s", "seconds")  # of what a program says of itself
LONGEST = "60 s"    # has no run before, whose time would be lost
SHORT_S = 5         # observing a longer one needs no run before: what CUPTI loads from disk is little of its time
WINDOWS = re.compile(r"launches without a time: (\d+) counted in \d+ windows?(?:; (\d+) passed)?")
BUDGET = 1.05, 1.0  # times, and seconds more (docs/programs.md)
LONG = ("60 s", "transformers", "JAX", "PyTorch", "Triton", "1,000,000")  # first, so that lanes end together
COUNTERS = ("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", "smsp__sass_inst_executed.sum", "dram__bytes_read.sum", "dram__bytes_write.sum")


def timed(command):
    begin = time.monotonic()
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=900)
    return time.monotonic() - begin, done


def spread(values):
    return f"{statistics.median(values):.2f} s ({min(values):.2f} to {max(values):.2f})"


def told(done):
    """What a program says of itself at its end, as JSON."""
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    return json.loads(lines[-1]) if lines else {}


def result(done):
    """Its status and output, without the figures that differ from run to run."""
    said = told(done)
    kept = [line for line in done.stdout.splitlines() if not line.startswith("{")]
    return done.returncode, kept, {key: value for key, value in said.items() if key not in VARYING}


class Program:
    """A row of the table: runs by itself and observed, in turn."""

    def __init__(self, name, command, most_runs):
        self.name, self.command, self.most_runs = name, command, most_runs
        self.plain, self.observed, self.memory, self.took_s, self.seen, self.size = [], [], 0, 0.0, None, 0
        self.failed = ""


def measure(job):
    """One run by itself and one observed; where there has been none after one that is not counted, of a short program one of each. Nothing after
    `end`, a time of the monotonic clock."""
    program, rooflight, end, keep = job
    begin = time.monotonic()
    if begin >= end:
        return program
    with tempfile.TemporaryDirectory() as folder:
        capture = os.path.join(folder, "app.rlcap")
        watched = [rooflight, "collect", "-q", "-o", capture, "--", *program.command]
        try:
            if not program.plain and not program.name.startswith(LONGEST):
                warm_s, _ = timed(program.command)
                if warm_s < SHORT_S:
                    timed(watched)
                begin = time.monotonic()
            alone_s, alone = timed(program.command)
            watched_s, done = timed(watched)
        except subprocess.TimeoutExpired as error:
            program.failed = f"took more than {error.timeout:.0f} s"
            return program
        if result(alone) != result(done):
            program.failed = f"alone {result(alone)}, observed {result(done)}: {done.stderr.strip()[-600:]}"
            return program
        if alone.returncode:
            program.failed = f"status {alone.returncode}: {alone.stderr.strip()[-600:]}"
            return program
        program.seen, program.size = read(capture), os.path.getsize(capture)
        if keep:
            shutil.copy(capture, os.path.join(keep, re.sub(r"\W+", "-", program.name) + ".rlcap"))
    program.plain.append(alone_s)
    program.observed.append(watched_s)
    program.memory = max(program.memory, told(done).get("peak_bytes", 0) - told(alone).get("peak_bytes", 0))
    program.took_s = time.monotonic() - begin
    return program


def read(capture):
    """(launches, launches without a time, those of them that windows counted or let pass, classes, share of the GPU's time that has counters)"""
    with sqlite3.connect(f"file:{capture}?mode=ro&immutable=1", uri=True) as db:
        launches, classes, total = db.execute("SELECT coalesce(sum(launches), 0), count(*), coalesce(sum(total_ns), 0) FROM kernel").fetchone()
        counted = db.execute("SELECT coalesce(sum(total_ns), 0) FROM kernel JOIN kernel_use ON kernel = kernel.id WHERE counted > 0").fetchone()[0]
        untimed = db.execute("SELECT coalesce(sum(untimed + lost), 0) FROM process").fetchone()[0]
        texts = [WINDOWS.search(text) for text, in db.execute("SELECT text FROM log")]
    known = sum(int(found.group(1)) + int(found.group(2) or 0) for found in texts if found)
    return launches, untimed, min(known, untimed), classes, f"{100 * counted / total:.1f} %" if total else "–"


def line_of(program):
    """Its line of the table, and whether it is as it should be."""
    if program.failed or not program.plain:
        return f"| {program.name} | {'failed: ' + program.failed if program.failed else 'not measured: the time was over'} |", False
    launches, untimed, counted, classes, coverage = program.seen
    before, after = statistics.median(program.plain), statistics.median(program.observed)
    over_s = after - BUDGET[0] * before - BUDGET[1]
    return (f"| {program.name} | {len(program.plain)} | {launches:,} | {untimed:,} | {untimed - counted:,} | {classes:,} | {spread(program.plain)} | "
            f"{spread(program.observed)} | {after / before:.2f} | {'yes' if over_s <= 0 else f'no, {over_s:.2f} s over'} | {coverage} | "
            f"{program.memory / 1e6:.0f} MB | {program.size / 1e6:.2f} MB |"), over_s <= 0 and untimed == counted


def take_lane(lanes):
    """In a process of the pool: one GPU, and as many processors as the others have."""
    number, of, gpu = lanes.get()
    processors = sorted(os.sched_getaffinity(0))
    share = processors[number * len(processors) // of:(number + 1) * len(processors) // of]
    os.sched_setaffinity(0, share or processors)
    if gpu is not None:
        os.environ["CUDA_VISIBLE_DEVICES"] = gpu


def measure_all(programs, rooflight, gpus, seconds, keep):
    """In rounds, each program once in each, as long as there is time; prints the table. How many are not as they should be."""
    context = multiprocessing.get_context("spawn")
    lanes = context.SimpleQueue()
    for number, gpu in enumerate(gpus):
        lanes.put((number, len(gpus), gpu))
    end = time.monotonic() + seconds
    with context.Pool(len(gpus), take_lane, (lanes,)) as pool:
        for _ in range(max((program.most_runs for program in programs.values()), default=0)):
            left_s = end - time.monotonic()
            due = [program for program in programs.values() if not program.failed and len(program.plain) < program.most_runs and program.took_s < left_s]
            for program in pool.imap_unordered(measure, [(program, rooflight, end, keep) for program in due] if left_s > 0 else [], 1):
                programs[program.name] = program
                print(line_of(program)[0], file=sys.stderr, flush=True)
    lines = [line_of(program) for program in programs.values()]
    print("| program | runs | launches | without a time | and not counted | classes | plain | observed | ratio | in the budget | coverage | memory more | capture |\n"
          "|---|---:|---:|---:|---:|---:|---:|---:|---:|---|---:|---:|---:|")
    print("\n".join(line for line, _ in lines), flush=True)
    return sum(not good for _, good in lines)


def ncu_values(ncu, command):
    """Counters of the third launch by Nsight Compute, without clock and cache control; {} when it cannot."""
    _, done = timed([ncu, "--csv", "--page", "raw", "--metrics", ",".join(COUNTERS), "--clock-control", "none", "--cache-control", "none",
                     "--launch-skip", "2", "--launch-count", "1", "--print-units", "base", *command])
    rows = list(csv.reader(io.StringIO("\n".join(line for line in done.stdout.splitlines() if line.startswith('"')))))
    return {name: float(value.replace(",", "")) for name, value in zip(rows[0], rows[2]) if name in COUNTERS} if len(rows) > 2 else {}


def against_ncu(rooflight, launcher, ncu, folder):
    capture = os.path.join(folder, "known.rlcap")
    command = [launcher, "known", 4000]
    timed([rooflight, "collect", "-q", "-o", capture, "--budget", "all", "--", *command])
    theirs = ncu_values(ncu, command)
    with sqlite3.connect(f"file:{capture}?mode=ro&immutable=1", uri=True) as db:
        ours = dict(db.execute("""SELECT counter_name.name, value FROM counter JOIN counter_name ON counter_name.id = counter_name
                                  JOIN kernel ON kernel.id = kernel WHERE kernel.name LIKE '%triad%'"""))
    print("\n| counter | rooflight | Nsight Compute | deviation |\n|---|---:|---:|---:|")
    for name in COUNTERS:
        a, b = ours.get(name), theirs.get(name)
        print(f"| {name} | {a} | {b} | {f'{100 * (a / b - 1):+.3f} %' if a is not None and b else '–'} |")


def programs_of(launcher, everyday):
    programs = {"touches no CUDA": [launcher, "nothing"], "1,000,000 launches of 10 classes": [launcher, "many", 1000000, 10]}
    if subprocess.run([sys.executable, "-c", "import torch; assert torch.cuda.is_available()"], capture_output=True).returncode == 0:
        programs["PyTorch transformer, inference"] = [sys.executable, TRANSFORMER]
    else:
        print("SKIPPED: no PyTorch with CUDA for the transformer", file=sys.stderr)
    programs.update(test_everyday.programs(os.path.abspath(everyday)) if everyday else {})
    return programs


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rooflight", required=True)
    parser.add_argument("--launcher", required=True)
    parser.add_argument("--everyday")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--gpus", default="")
    parser.add_argument("--keep")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--ncu", default=shutil.which("ncu"))
    arguments = parser.parse_args()
    rooflight, launcher = os.path.abspath(arguments.rooflight), os.path.abspath(arguments.launcher)
    chosen = {name: Program(name, list(map(str, command)), arguments.runs) for name, command in programs_of(launcher, arguments.everyday).items()
              if not arguments.only or any(text in name for text in arguments.only)}
    chosen = dict(sorted(chosen.items(), key=lambda item: not item[0].startswith(LONG)))
    if arguments.list:
        print("\n".join(chosen))
        return 0
    bad = measure_all(chosen, rooflight, arguments.gpus.split(",") if arguments.gpus else [None], arguments.seconds,
                      arguments.keep)
    if arguments.ncu and not arguments.only:
        with tempfile.TemporaryDirectory() as folder:
            against_ncu(rooflight, launcher, arguments.ncu, folder)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
