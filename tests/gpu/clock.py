#!/usr/bin/env python3
"""The time of record of kernels against their time without CUPTI's records and counters.

usage: clock.py --rooflight PROGRAM --relaunch LIBRARY --list FILE.tsv [--out FOLDER] [--only NAME ...] [--limit-s S] [--gap NS]
       clock.py --suite CAPTURE [--rooflight PROGRAM]
       clock.py --test

The first form runs every program of FILE.tsv (ordinary.py has its form) once under LIBRARY (relaunch.c), which launches each kernel again many
times, back to back and with a short pause between two, and once under `collect` without options. A class (function, grid, block) with 1 % of the
program's GPU time or more is judged: the printed time against the slopes of the queues less the gap between two launches (--gap). Where the three
places of the reference differ by more than SPREAD, the launches do not do the same work, and nothing is judged. The second form takes the reference
from the capture, where the suite keeps it (kernel_clock).

A time is right within 1 % from 50 us on, below within the greater of 2 % and 0.3 us. Prints Markdown. Exit status: 0, whatever the times are; 77: no GPU."""
import argparse
import collections
import json
import math
import os
import pathlib
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile

from guests import library
from ordinary import read_list

GAP_NS = 690.0  # H200: what `collect` measures (record_cost.h)
SPREAD, SHARE = 0.02, 0.01


def allowed_s(reference_s):
    return 0.01 * reference_s if reference_s >= 50e-6 else max(0.02 * reference_s, 0.3e-6)


def off_s(time_s, low_s, high_s):
    """By how much a time lies outside of the range of its reference."""
    return time_s - high_s if time_s > high_s else min(time_s - low_s, 0)


def is_right(time_s, *references_s):
    return abs(off_s(time_s, min(references_s), max(references_s))) <= allowed_s(sum(references_s) / len(references_s))


def judge(rows):
    """Of (name, time, back to back, apart), in s: Markdown, sorted by how far a time lies outside of both, and the number that is right."""
    right, table = 0, []
    for name, time_s, together_s, apart_s in rows:
        middle_s = (together_s + apart_s) / 2
        off, fine = off_s(time_s, min(together_s, apart_s), max(together_s, apart_s)), is_right(time_s, together_s, apart_s)
        right += fine
        table.append((abs(off) / allowed_s(middle_s), f"| {name} | {time_s * 1e6:.2f} | {together_s * 1e6:.2f} | {apart_s * 1e6:.2f} | {off * 1e6:+.2f} | {off / middle_s:+.2%} | "
                      f"{'' if fine else 'off'} |"))
    table.sort(reverse=True)
    return [row for _, row in table], right


HEAD = ["| kernel | time, us | back to back, us | apart, us | outside by, us | | |", "|---|---:|---:|---:|---:|---:|---|"]


def suite(path):
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as db:
        found = db.execute("select e.name || '/' || v.name, c.back_to_back_ns, k.id from kernel k join kernel_clock c on c.kernel = k.id "
                           "join variant v on v.id = k.variant join experiment e on e.id = v.experiment where c.back_to_back_ns is not null").fetchall()
        rows = []
        for name, reference_ns, kernel in found:
            times = [ns for (ns,) in db.execute("select duration_ns from duration where kernel = ?", (kernel,))]
            if times:
                rows.append((name, statistics.median(times) / 1e9, reference_ns / 1e9, reference_ns / 1e9))
    long = [row for row in rows if row[2] >= 50e-6]
    lines, right = judge(rows)
    text = [f"{right} of {len(rows)} variants within the bounds; {judge(long)[1]} of {len(long)} of 50 us and more.", ""]
    return "\n".join(text + HEAD + lines[:40])


def references(path):
    """By (mangled name, grid, block): the slopes at its places, back to back and apart, in ns."""
    found = collections.defaultdict(list)
    for line in path.read_text(errors="replace").splitlines():
        number, together, apart, grid, block, name = line.split("\t", 5)
        if number != "0":
            found[name, tuple(map(int, grid.split(","))), tuple(map(int, block.split(",")))].append((float(together), float(apart)))
    return found


def compare(references_of, gap_ns, capture, printed):
    """Rows for judge(), names of classes whose reference is no single time, and the share of GPU time judged."""
    with sqlite3.connect(f"file:{capture}?mode=ro", uri=True) as db:
        mangled = dict(db.execute("select name, mangled from kernel"))
    rows, varied, judged, together = [], [], 0.0, collections.Counter()
    for kernel in printed:
        together[kernel["name"], tuple(kernel["grid"]), tuple(kernel["block"])] += 1
    for kernel in printed:
        key = (mangled.get(kernel["name"]), tuple(kernel["grid"]), tuple(kernel["block"]))
        slopes = references_of.get(key)
        if not slopes or (kernel["share"] or 0) < SHARE or not (kernel["duration_s"] or {}).get("median"):
            continue
        back_to_back, apart = zip(*slopes)
        if any(max(of) - min(of) > max(SPREAD * max(of), 300) for of in (back_to_back, apart)) or together[kernel["name"], key[1], key[2]] > 1:
            varied.append(kernel["short_name"])
            continue
        judged += kernel["share"]
        rows.append((kernel["short_name"], kernel["duration_s"]["median"], *[(statistics.median(of) - gap_ns) / 1e9 for of in (back_to_back, apart)]))
    return rows, varied, judged


def run(command, folder, environment, limit):
    """Exit status; whoever takes too long goes with all that it has started, which would keep the counters for itself."""
    try:
        with subprocess.Popen(command, cwd=folder, env={**os.environ, **environment}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              start_new_session=True) as process:
            try:
                return process.wait(limit)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                return f"over {limit:.0f} s"
    except OSError as error:
        return str(error)


def programs(arguments):
    folder = pathlib.Path(arguments.out or tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    rows, summary = [], []
    for name, where, command in read_list(arguments.list):
        if arguments.only and name not in arguments.only:
            continue
        seen, capture = folder / f"{name}.tsv", folder / f"{name}.rlcap"
        alone = run(command, where, {"CUDA_INJECTION64_PATH": str(pathlib.Path(arguments.relaunch).resolve()), "RELAUNCH_OUT": str(seen.resolve()),
                                     "RELAUNCH_CUPTI": library() or ""}, arguments.limit_s)
        observed = run([arguments.rooflight, "collect", "-q", "-o", str(capture.resolve()), "--", *command], where, {}, arguments.limit_s)
        if not seen.exists() or not capture.exists():
            summary.append(f"{name}: nothing to compare ({alone}, {observed})")
            continue
        shown = subprocess.run([arguments.rooflight, "show", "--json", str(capture)], capture_output=True, text=True, check=False)
        if shown.returncode:
            summary.append(f"{name}: nothing to compare ({shown.stderr.strip()})")
            continue
        found, varied, judged = compare(references(seen), arguments.gap, capture, json.loads(shown.stdout)["kernels"])
        lines, right = judge(found)
        rows += [(f"{name}: {row[0]}", *row[1:]) for row in found]
        summary.append(f"{name}: {right} of {len(found)} classes right, {judged:.0%} of the GPU time judged, {len(varied)} without a single reference")
    lines, right = judge(rows)
    print("\n".join(summary))
    print(f"\n{right} of {len(rows)} classes of {len({row[0].split(':')[0] for row in rows})} programs within the bounds; of launches back to back alone "
          f"{sum(is_right(*row[1:3]) for row in rows)}, apart {sum(is_right(row[1], row[3]) for row in rows)}\n")
    print("\n".join(HEAD + lines))


def test():
    assert all(math.isclose(allowed_s(us * 1e-6), most * 1e-6) for us, most in ((100, 1), (20, 0.4), (5, 0.3)))
    assert off_s(3, 1, 2) == 1 and off_s(1.5, 1, 2) == 0 and off_s(0.5, 1, 2) == -0.5
    lines, right = judge([("right", 100.9e-6, 100e-6, 100e-6), ("slow", 102e-6, 100e-6, 100e-6), ("ranged", 103e-6, 102.5e-6, 100e-6), ("short", 5.4e-6, 5e-6, 5e-6)])
    assert right == 2 and "slow" in lines[0] and "off" in lines[0] and "ranged" in lines[-1], lines
    with tempfile.TemporaryDirectory() as folder:
        seen = pathlib.Path(folder, "seen.tsv")
        seen.write_text("0\t1700.0\t1710.0\t1,1,1\t32,1,1\trelaunch_empty\n1\t100700.0\t99700.0\t8,1,1\t64,1,1\t_Z1kv\n4\t100800.0\t99800.0\t8,1,1\t64,1,1\t_Z1kv\n"
                        "16\t100900.0\t99700.0\t8,1,1\t64,1,1\t_Z1kv\n1\t50000.0\t50000.0\t9,1,1\t64,1,1\t_Z1kv\n4\t60000.0\t50000.0\t9,1,1\t64,1,1\t_Z1kv\n")
        capture = pathlib.Path(folder, "capture")
        with sqlite3.connect(capture) as db:
            db.execute("create table kernel (name text, mangled text)")
            db.execute("insert into kernel values ('k()', '_Z1kv')")
        kernel = {"name": "k()", "short_name": "k", "grid": [8, 1, 1], "block": [64, 1, 1], "share": 0.5, "duration_s": {"median": 101e-6}}
        rows, varied, judged = compare(references(seen), 700.0, capture, [kernel, {**kernel, "grid": [9, 1, 1]}, {**kernel, "share": 0.001}])
        assert judged == 0 and len(varied) == 2, (rows, varied)  # the first two have one name and grid
        rows, varied, judged = compare(references(seen), 700.0, capture, [kernel, {**kernel, "grid": [9, 1, 1]}])
        assert judged == 0.5 and varied == ["k"] and abs(rows[0][2] - 100.1e-6) < 1e-12 and abs(rows[0][3] - 99e-6) < 1e-12, (rows, varied)
    print("ok")


def main():
    parser = argparse.ArgumentParser()
    for option in ("rooflight", "relaunch", "list", "out", "suite"):
        parser.add_argument(f"--{option}")
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--limit-s", type=float, default=60)
    parser.add_argument("--gap", type=float, default=GAP_NS)
    parser.add_argument("--test", action="store_true")
    arguments = parser.parse_args()
    if arguments.test:
        test()
    elif arguments.suite:
        print(suite(arguments.suite))
    elif not os.path.exists("/dev/nvidiactl"):
        sys.exit(77)
    else:
        programs(arguments)


if __name__ == "__main__":
    main()
