#!/usr/bin/env python3
"""What observing a program costs, for docs/benchmarks.md: wall time, memory of the process and size of the capture beside the plain run,
and counters beside Nsight Compute's on the same kernel class.

usage: programs.py --rooflight PROGRAM --launcher PROGRAM [--everyday PROGRAM] [--runs N] [--only TEXT] [--ncu PROGRAM]
TEXT: programs with it in their name. --everyday: those of tests/gpu/everyday, too"""
import argparse
import csv
import io
import json
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


def cost(name, command, runs, rooflight, folder):
    """One line of the table; plain and observed runs in turn, after one of each that is not counted."""
    capture = os.path.join(folder, "app.rlcap")
    watched = [rooflight, "collect", "-q", "-o", capture, "--", *command]
    timed(command), timed(watched)
    plain, observed, memory = [], [], 0
    for _ in range(runs):
        wall, alone = timed(command)
        plain.append(wall)
        wall, done = timed(watched)
        observed.append(wall)
        if done.returncode != alone.returncode:
            return print(f"| {name} | failed: {done.stderr.strip()} |")
        memory = max(memory, peak(done) - peak(alone))
    with sqlite3.connect(f"file:{capture}?mode=ro&immutable=1", uri=True) as db:
        launches, classes = db.execute("SELECT coalesce(sum(launches), 0), count(*) FROM kernel").fetchone()
        counted = db.execute("SELECT coalesce(sum(total_ns), 0) FROM kernel JOIN kernel_use ON kernel = kernel.id WHERE counted > 0").fetchone()[0]
        total = db.execute("SELECT coalesce(sum(total_ns), 0) FROM kernel").fetchone()[0]
    coverage = f"{100 * counted / total:.1f} %" if total else "–"
    ratio = statistics.median(observed) / statistics.median(plain)
    print(f"| {name} | {launches} | {classes} | {spread(plain)} | {spread(observed)} | {ratio:.2f} | {coverage} | {memory / 1e6:.0f} MB | "
          f"{os.path.getsize(capture) / 1e6:.2f} MB |", flush=True)


def ncu_values(ncu, command):
    """Counters of the third launch by Nsight Compute, without clock and cache control; {} when it cannot."""
    _, done = timed([ncu, "--csv", "--page", "raw", "--metrics", ",".join(COUNTERS), "--clock-control", "none", "--cache-control", "none",
                     "--launch-skip", "2", "--launch-count", "1", "--print-units", "base", *command])
    rows = list(csv.reader(io.StringIO("\n".join(line for line in done.stdout.splitlines() if line.startswith('"')))))
    return {name: float(value.replace(",", "")) for name, value in zip(rows[0], rows[2]) if name in COUNTERS} if len(rows) > 2 else {}


def against_ncu(rooflight, launcher, ncu, folder):
    capture = os.path.join(folder, "known.rlcap")
    command = [launcher, "known", 100]
    timed([rooflight, "collect", "-q", "-o", capture, "--", *command])
    theirs = ncu_values(ncu, command)
    with sqlite3.connect(f"file:{capture}?mode=ro&immutable=1", uri=True) as db:
        ours = dict(db.execute("""SELECT counter_name.name, value FROM counter JOIN counter_name ON counter_name.id = counter_name
                                  JOIN kernel ON kernel.id = kernel WHERE kernel.name LIKE '%triad%'"""))
    print("\n| counter | rooflight | Nsight Compute | deviation |\n|---|---:|---:|---:|")
    for name in COUNTERS:
        a, b = ours.get(name), theirs.get(name)
        print(f"| {name} | {a} | {b} | {f'{100 * (a / b - 1):+.3f} %' if a is not None and b else '–'} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rooflight", required=True)
    parser.add_argument("--launcher", required=True)
    parser.add_argument("--everyday")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", default="")
    parser.add_argument("--ncu", default=shutil.which("ncu"))
    arguments = parser.parse_args()
    rooflight, launcher = os.path.abspath(arguments.rooflight), os.path.abspath(arguments.launcher)
    print("| program | launches | classes | plain | observed | ratio | coverage | memory more | capture |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        programs = {"touches no CUDA": [launcher, "nothing"], "1,000,000 launches of 10 classes": [launcher, "many", 1000000, 10]}
        if subprocess.run([sys.executable, "-c", "import torch; assert torch.cuda.is_available()"], capture_output=True).returncode == 0:
            programs["PyTorch transformer, inference"] = [sys.executable, TRANSFORMER]
        programs.update(test_everyday.programs(os.path.abspath(arguments.everyday)) if arguments.everyday else {})
        for name, command in programs.items():
            if arguments.only in name:
                cost(name, command, arguments.runs, rooflight, folder)
        if arguments.ncu and not arguments.only:
            against_ncu(rooflight, launcher, arguments.ncu, folder)


if __name__ == "__main__":
    main()
