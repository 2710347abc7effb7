#!/usr/bin/env python3
"""What observing a program costs, for docs/benchmarks.md: one table with the wall time of plain and observed runs in turn, their ratio and whether
that is within the budget, the memory of the process and the size of the capture; and counters beside Nsight Compute's on the same kernel class.

usage: programs.py --rooflight PROGRAM --launcher PROGRAM [--everyday PROGRAM] [--runs N] [--only TEXT]... [--gpus 0,1] [--list] [--ncu PROGRAM]

--everyday: those of tests/gpu/everyday, too. --only: programs with the text in their name. --gpus: a lane for each, with its share of the processors;
each takes the next program, so that a table takes half the time on two GPUs. Exit status 1 when a program fails or is over the budget."""
import argparse
import csv
import io
import json
import multiprocessing
import os
import pathlib
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
BUDGET = 1.05, 1.0  # times, and seconds more (docs/programs.md)
LONG = ("60 s", "transformers", "JAX", "PyTorch", "Triton", "1,000,000")  # first, so that lanes end together
COUNTERS = ("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", "smsp__sass_inst_executed.sum", "dram__bytes_read.sum", "dram__bytes_write.sum")


def timed(command):
    begin = time.monotonic()
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=900)
    return time.monotonic() - begin, done


def spread(values):
    return f"{statistics.median(values):.2f} s ({min(values):.2f} to {max(values):.2f})"


def peak(done):
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    return json.loads(lines[-1]).get("peak_bytes", 0) if lines else 0


def in_turn(command, watched, runs):
    """Wall times of plain and observed runs, and the memory that the process needs more, after one of each that is not counted; or what failed."""
    timed(command), timed(watched)
    plain, observed, memory = [], [], 0
    for _ in range(runs):
        wall, alone = timed(command)
        plain.append(wall)
        wall, done = timed(watched)
        observed.append(wall)
        if done.returncode or alone.returncode:
            return f"status {alone.returncode}, observed {done.returncode}: {(alone.stderr if alone.returncode else done.stderr).strip()[-600:]}"
        memory = max(memory, peak(done) - peak(alone))
    return plain, observed, memory


def read(capture):
    """(launches, launches without a time, classes, share of the GPU's time that has counters)"""
    with sqlite3.connect(f"file:{capture}?mode=ro&immutable=1", uri=True) as db:
        launches, classes, total = db.execute("SELECT coalesce(sum(launches), 0), count(*), coalesce(sum(total_ns), 0) FROM kernel").fetchone()
        counted = db.execute("SELECT coalesce(sum(total_ns), 0) FROM kernel JOIN kernel_use ON kernel = kernel.id WHERE counted > 0").fetchone()[0]
        untimed = db.execute("SELECT coalesce(sum(untimed + lost), 0) FROM process").fetchone()[0]
    return launches, untimed, classes, f"{100 * counted / total:.1f} %" if total else "–"


def cost(job):
    """One line of the table, and whether the program keeps to the budget."""
    name, command, runs, rooflight = job
    with tempfile.TemporaryDirectory() as folder:
        capture = os.path.join(folder, "app.rlcap")
        measured = in_turn(command, [rooflight, "collect", "-q", "-o", capture, "--", *command], runs)
        if isinstance(measured, str):
            return f"| {name} | failed: {measured} |", False
        plain, observed, memory = measured
        launches, untimed, classes, coverage = read(capture)
        size = os.path.getsize(capture)
    before, after = statistics.median(plain), statistics.median(observed)
    over_s = after - BUDGET[0] * before - BUDGET[1]
    return (f"| {name} | {launches:,} | {untimed:,} | {classes:,} | {spread(plain)} | {spread(observed)} | {after / before:.2f} | "
            f"{'yes' if over_s <= 0 else f'no, {over_s:.2f} s over'} | {coverage} | {memory / 1e6:.0f} MB | {size / 1e6:.2f} MB |"), over_s <= 0


def take_lane(lanes):
    """In a process of the pool: one GPU, and as many processors as the others have."""
    number, of, gpu = lanes.get()
    processors = sorted(os.sched_getaffinity(0))
    share = processors[number * len(processors) // of:(number + 1) * len(processors) // of]
    os.sched_setaffinity(0, share or processors)
    if gpu is not None:
        os.environ["CUDA_VISIBLE_DEVICES"] = gpu


def measure_all(jobs, gpus):
    """Prints the table as it comes; how many are not as they should be."""
    context = multiprocessing.get_context("spawn")
    lanes = context.SimpleQueue()
    for number, gpu in enumerate(gpus):
        lanes.put((number, len(gpus), gpu))
    print("| program | launches | without a time | classes | plain | observed | ratio | in the budget | coverage | memory more | capture |\n"
          "|---|---:|---:|---:|---:|---:|---:|---|---:|---:|---:|", flush=True)
    bad = 0
    with context.Pool(len(gpus), take_lane, (lanes,)) as pool:
        for line, within in pool.imap_unordered(cost, jobs, 1):
            print(line, flush=True)
            bad += not within
    return bad


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
    programs.update(test_everyday.programs(os.path.abspath(everyday)) if everyday else {})
    return programs


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rooflight", required=True)
    parser.add_argument("--launcher", required=True)
    parser.add_argument("--everyday")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--gpus", default="")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--ncu", default=shutil.which("ncu"))
    arguments = parser.parse_args()
    rooflight, launcher = os.path.abspath(arguments.rooflight), os.path.abspath(arguments.launcher)
    jobs = [(name, command, arguments.runs, rooflight) for name, command in programs_of(launcher, arguments.everyday).items()
            if not arguments.only or any(text in name for text in arguments.only)]
    jobs.sort(key=lambda job: not any(job[0].startswith(text) for text in LONG))
    if arguments.list:
        print("\n".join(name for name, *_ in jobs))
        return 0
    bad = measure_all(jobs, arguments.gpus.split(",") if arguments.gpus else [None])
    if arguments.ncu and not arguments.only:
        with tempfile.TemporaryDirectory() as folder:
            against_ncu(rooflight, launcher, arguments.ncu, folder)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
