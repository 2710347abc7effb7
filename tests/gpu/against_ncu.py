#!/usr/bin/env python3
"""Holds rooflight's counters and cost against Nsight Compute, on the same launches and in one run.

usage: against_ncu.py --rooflight PROGRAM --launch-suite PROGRAM [--ncu PROGRAM] [--out FOLDER] [--launches N] [EXPERIMENT ...]

1. `rooflight collect` measures the experiments; its counters are read from the capture.
2. `ncu` collects the same counters on the same kernels (launch_suite: two warm-up launches and one that counts per variant, no
   clock control, no cache control); counts must be equal, bytes and occupancy close. Hardware counters and SASS counters are
   asked for in runs of their own, so that ncu takes one pass and does not save and restore memory in between: that would leave
   the L2 cache clean, and write-backs would be missing. The hardware run is made twice; where ncu differs from itself by more
   than the limit, the limit is 1.5 times that difference.
3. The wall time of both is compared, ncu with all counters at once: on one launch per variant, and on as many as rooflight times.

Prints two tables in Markdown; exit status 1 when a deviation is over its limit.
"""
import argparse
import csv
import io
import os
import sqlite3
import subprocess
import sys
import time

# (counter, kind). "count" must be equal; "bytes" within BYTES_LIMIT; "points" within POINTS_LIMIT of 100.
COUNTERS = [
    ("smsp__sass_inst_executed.sum", "count"),
    ("smsp__sass_thread_inst_executed.sum", "count"),
    ("smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", "count"),
    ("smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", "count"),
    ("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", "count"),
    ("smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", "count"),
    ("smsp__sass_branch_targets.sum", "count"),
    ("smsp__sass_branch_targets_threads_uniform.sum", "count"),
    ("smsp__sass_inst_executed_op_global_ld.sum", "count"),
    ("smsp__sass_inst_executed_op_global_st.sum", "count"),
    ("smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum", "count"),
    ("smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum", "count"),
    ("smsp__sass_data_bytes_mem_shared.sum", "count"),
    ("smsp__sass_data_bytes_mem_local.sum", "count"),
    ("dram__bytes_read.sum", "bytes"),
    ("dram__bytes_write.sum", "bytes"),
    ("lts__t_sectors_srcunit_tex.sum", "bytes"),
    ("l1tex__t_bytes.sum", "bytes"),
    ("sm__warps_active.avg.pct_of_peak_sustained_active", "points"),
]
BYTES_LIMIT = 0.02     # relative
POINTS_LIMIT = 1.0     # percentage points of occupancy
# Kernels that spin for a number of clock ticks: how many instructions that takes depends on how much the counting slows them down.
SPINNING = {"divergence/coherent", "divergence/divergent"}
SMALL = 1 << 20        # traffic below this is dominated by other agents on the card and is shown, not judged


def run(command, **options):
    start = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    wall = time.monotonic() - start
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed ({done.returncode}):\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return wall, done.stdout


def read_capture(path):
    """[(variant, {counter: value}, launches)] in the order of measuring."""
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    db.row_factory = sqlite3.Row
    rows = []
    for kernel in db.execute("SELECT kernel.id AS id, kernel.launches AS launches, experiment.name || '/' || variant.name AS name "
                             "FROM kernel JOIN variant ON variant.id = kernel.variant JOIN experiment ON experiment.id = variant.experiment "
                             "ORDER BY kernel.id"):
        values = dict(db.execute("SELECT counter_name.name, counter.value FROM counter JOIN counter_name "
                                 "ON counter_name.id = counter.counter_name WHERE counter.kernel = ?", (kernel["id"],)).fetchall())
        rows.append((kernel["name"], values, kernel["launches"]))
    return rows


def read_ncu(text):
    """[{counter: value}] per profiled launch, from the long CSV of `ncu --csv --print-units base`."""
    lines = text.splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith('"ID"'))
    launches = {}
    for row in csv.DictReader(io.StringIO("\n".join(lines[first:]))):
        number = row["Metric Value"].replace(",", "")
        launches.setdefault(int(row["ID"]), {})[row["Metric Name"]] = float(number)
    return [launches[i] for i in sorted(launches)]


def is_sass(name):
    return "_sass_" in name


def ncu_command(arguments, launches, wanted=lambda name: True):
    return [arguments.ncu, "--clock-control", "none", "--cache-control", "none", "--profile-from-start", "off", "--csv",
            "--print-units", "base", "--metrics", ",".join(name for name, _ in COUNTERS if wanted(name)), arguments.launch_suite, "-n", str(launches),
            *arguments.experiment]


def deviation(kind, ours, theirs):
    """(deviation, allowed, text) of one counter."""
    if kind == "count":
        return abs(ours - theirs), 0, f"{ours - theirs:+.0f}"
    if kind == "points":
        return abs(ours - theirs), POINTS_LIMIT, f"{ours - theirs:+.2f} points"
    relative = abs(ours - theirs) / theirs if theirs else (0 if ours == theirs else float("inf"))
    small = max(ours, theirs) < (SMALL / 32 if "sectors" in kind else SMALL)
    return relative, float("inf") if small else BYTES_LIMIT, f"{100 * relative:.2f} %" + (" (small)" if small else "")


def compare(ours, theirs, again):
    """Prints the table of the worst deviation per variant and kind; returns the number of values over their limit."""
    print("| variant | counts that differ | largest deviation of bytes over 1 MB | occupancy |\n|---|---:|---:|---:|")
    bad = 0
    for (variant, values, _), other, second in zip(ours, theirs, again):
        worst = {"count": 0, "bytes": 0.0, "points": 0.0}
        for name, kind in COUNTERS:
            if values.get(name) is None or name not in other:
                sys.exit(f"{variant}: {name} is missing ({values.get(name)}, {other.get(name)})")
            if kind == "count" and variant in SPINNING:
                continue
            amount, allowed, text = deviation(kind, values[name], other[name])
            spread = 0 if kind == "count" else deviation(kind, second[name], other[name])[0]
            if spread > allowed:
                print(f"ncu differs from itself: {variant} {name}: {other[name]:.0f} and {second[name]:.0f}; ours {values[name]:.0f}")
                allowed = 1.5 * spread
            if amount > allowed:
                bad += 1
                print(f"over the limit: {variant} {name}: {values[name]:.0f}, ncu {other[name]:.0f}, {text}", file=sys.stderr)
            if kind == "count":
                worst["count"] += amount != 0
            elif allowed != float("inf"):
                worst[kind] = max(worst[kind], amount)
        counts = "not compared: spins on the clock" if variant in SPINNING else f"{worst['count']} of {sum(k == 'count' for _, k in COUNTERS)}"
        print(f"| {variant} | {counts} | {100 * worst['bytes']:.2f} % | {worst['points']:.2f} points |")
    return bad


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rooflight", required=True)
    parser.add_argument("--launch-suite", required=True)
    parser.add_argument("--ncu", default="ncu")
    parser.add_argument("--out", default=".")
    parser.add_argument("--launches", type=int, default=30, help="launches per variant in the long run of ncu")
    parser.add_argument("experiment", nargs="*")
    arguments = parser.parse_args()
    capture = os.path.join(arguments.out, "against_ncu.rlcap")
    ours_wall, _ = run([arguments.rooflight, "collect", "--quiet", "-o", capture, *arguments.experiment])
    ours = read_capture(capture)
    hardware = ncu_command(arguments, 1, lambda name: not is_sass(name))
    theirs, again = read_ncu(run(hardware)[1]), read_ncu(run(hardware)[1])
    for launch, sass in zip(theirs, read_ncu(run(ncu_command(arguments, 1, is_sass))[1])):
        launch.update(sass)
    if len(ours) != len(theirs):
        sys.exit(f"rooflight has {len(ours)} kernels, ncu {len(theirs)}")
    bad = compare(ours, theirs, again)
    one_wall, _ = run(ncu_command(arguments, 1))
    many_wall, _ = run(ncu_command(arguments, arguments.launches))
    launches = sum(count for _, _, count in ours)
    print("\n| | launches | wall time | against rooflight |\n|---|---:|---:|---:|")
    print(f"| rooflight collect: checked, timed ({launches} launches) and counted | {launches} | {ours_wall:.2f} s | 1 |")
    print(f"| ncu, one launch per variant | {len(theirs)} | {one_wall:.2f} s | {one_wall / ours_wall:.1f} |")
    print(f"| ncu, {arguments.launches} launches per variant | {len(theirs) * arguments.launches} | {many_wall:.2f} s | {many_wall / ours_wall:.1f} |")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
