#!/usr/bin/env python3
"""Samples of the whole GPU against exact counts of the same kernels.

usage: samples.py --rooflight PROGRAM --list FILE.tsv [--out FOLDER] [--only NAME ...] [--limit-s S]
       samples.py --test

Every program of FILE.tsv (ordinary.py has its form) runs once under `collect` without options and once with `--sample-gpu=only`. A class (function,
grid, block) that has counts in the one capture and samples in the other is compared, if its launches do the same work: if the shortest and the
mean are within UNSTEADY of their median. A value agrees if the count lies within the sampled interval, or within TOLERANCE of it. `a warp`: what was
sampled and not counted, for each warp of the launch.

Prints Markdown. Exit status: 0, whatever the values are; 77: no GPU."""
import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

from clock import run
from ordinary import read_list

TOLERANCE, SHARE, UNSTEADY = 0.02, 0.01, 0.05
METRICS = {"instructions": "instructions", "dram_read": "dram_read_bytes", "dram_write": "dram_write_bytes"}


def classes(shown):
    """By (name, grid, block), without those that stand there twice: the kernels of a document."""
    found = {}
    for kernel in shown["kernels"]:
        found.setdefault((kernel["name"], tuple(kernel["grid"]), tuple(kernel["block"])), []).append(kernel)
    return {key: kernels[0] for key, kernels in found.items() if len(kernels) == 1}


def is_steady(kernel):
    """Whether its launches take as long as one another."""
    time = kernel["duration_s"]
    if not time or not kernel["launches"]:
        return False
    return max(time["median"] - time["min"], abs(kernel["total_s"] / kernel["launches"] - time["median"])) <= UNSTEADY * time["median"]


def compare(program, counted, sampled):
    rows, others = [], classes(sampled)
    for key, kernel in classes(counted).items():
        if kernel["evidence"] != "counted" or (kernel["share"] or 0) < SHARE or key not in others or not is_steady(others[key]):
            continue
        for estimate in others[key].get("sampled") or []:
            value = kernel["metrics"].get(METRICS.get(estimate["counter"]))
            if value is None or estimate["per_launch"] is None or estimate["half_width"] is None:
                continue
            off = estimate["per_launch"] - value
            within = max(abs(off) - estimate["half_width"], 0) <= TOLERANCE * abs(value)
            warps = math.prod(key[1]) * -(-math.prod(key[2]) // 32)
            rows.append((program, kernel["short_name"], estimate["counter"], value, estimate["per_launch"], estimate["half_width"], off / warps, within))
    return rows


def report(rows):
    text = ["| counter | values | agree |", "|---|---:|---:|"]
    for counter in METRICS:
        of = [row for row in rows if row[2] == counter]
        text.append(f"| {counter} | {len(of)} | {sum(row[7] for row in of)} |")
    text += ["", "| kernel | counter | counted | sampled | a warp | |", "|---|---|---:|---:|---:|---|"]
    for program, name, counter, value, estimate, half, each, within in rows:
        text.append(f"| {program}: {name} | {counter} | {value:.5g} | {estimate:.5g} ± {half:.2g} | {each:+.2f} | {'' if within else 'off'} |")
    return "\n".join(text)


def shown(rooflight, capture):
    done = subprocess.run([rooflight, "show", "--json", str(capture)], capture_output=True, text=True, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else {"kernels": []}


def programs(arguments):
    folder = pathlib.Path(arguments.out or tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for name, where, command in read_list(arguments.list):
        if arguments.only and name not in arguments.only:
            continue
        captures = {}
        for kind, options in (("counted", []), ("sampled", ["--sample-gpu=only"])):
            captures[kind] = folder / f"{name}-{kind}.rlcap"
            run([arguments.rooflight, "collect", "-q", *options, "-o", str(captures[kind].resolve()), "--", *command], where, {}, arguments.limit_s)
        rows += compare(name, shown(arguments.rooflight, captures["counted"]), shown(arguments.rooflight, captures["sampled"]))
    print(report(rows))


def test():
    kernel = {"duration_s": {"min": 0.98, "median": 1.0}, "total_s": 10.2, "launches": 10, "name": "k()", "short_name": "k", "grid": [10, 1, 1], "block": [64, 1, 1], "share": 1, "evidence": "counted", "metrics": {"instructions": 1000}}
    estimates = [{"counter": "instructions", "per_launch": value, "half_width": 20} for value in (1030, 1160)] + [{"counter": "l2", "per_launch": 5, "half_width": 1}]
    rows = compare("p", {"kernels": [kernel]}, {"kernels": [{**kernel, "sampled": estimates}]})
    assert [row[7] for row in rows] == [True, False] and rows[1][6] == 8, rows
    assert not compare("p", {"kernels": [kernel]}, {"kernels": [{**kernel, "sampled": estimates, "total_s": 12}]})
    assert not compare("p", {"kernels": [kernel, kernel]}, {"kernels": [{**kernel, "sampled": estimates}]})
    assert "| instructions | 2 | 1 |" in report(rows)
    print("ok")


def main():
    parser = argparse.ArgumentParser()
    for option in ("rooflight", "list", "out"):
        parser.add_argument(f"--{option}")
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--limit-s", type=float, default=60)
    parser.add_argument("--test", action="store_true")
    arguments = parser.parse_args()
    if arguments.test:
        test()
    elif not os.path.exists("/dev/nvidiactl"):
        sys.exit(77)
    else:
        programs(arguments)


if __name__ == "__main__":
    main()
