#!/usr/bin/env python3
"""CUDA graphs on a card: kernels of a graph have the counters that the same kernels have when they are launched by themselves, the program's
result is its own, and the parts of a graph add up to what Nsight Compute counts of the whole. 77 without a GPU.

usage: test_graph_parts.py --rooflight PROGRAM --program PROGRAM [--rounds N] [--keep FOLDER]"""
import argparse
import csv
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

CHECKS, FAILED = 0, []
# Metric of ours, counter of Nsight Compute and what one is, how far the same kernels may be apart, and the parts from the whole.
COUNTED = {"instructions": ("smsp__inst_executed.sum", 1, 0.001, 0.02), "l2_bytes": ("lts__t_sectors_srcunit_tex.sum", 32, 0.02, 0.02),
           "dram_bytes": ("dram__bytes.sum", 1, 0.05, 0.05)}


def check(condition, text):
    global CHECKS
    CHECKS += 1
    print(f"{'ok    ' if condition else 'FAILED'}   {text}", flush=True)
    if not condition:
        FAILED.append(text)


def run(*command):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300)


def kernels_of(rooflight, capture):
    """(name, grid): kernel, of the JSON that `show` prints."""
    shown = json.loads(run(rooflight, "show", "--json", capture).stdout)
    return {(kernel["name"].split("(")[0], tuple(kernel["grid"])): kernel for kernel in shown["kernels"]}, shown


def observe(arguments, kind, folder, plain):
    capture = folder / f"{kind}.rlcap"
    done = run(arguments.rooflight, "collect", "-o", capture, "--budget", "all", "--", arguments.program, kind, arguments.rounds)
    check(done.returncode == 0 and done.stdout == plain, f"{kind}: the same output: {done.stdout.split()} {done.stderr.strip().splitlines()[-3:]}")
    kernels, shown = kernels_of(arguments.rooflight, capture)
    check(shown["program"]["launches"] == int(plain.split()[-1]), f"{kind}: every launch counted once: {shown['program']['launches']}")
    counted = [key for key, kernel in kernels.items() if kernel["metrics"]["instructions"]]
    check(len(counted) >= 5, f"{kind}: counters of {len(counted)} of {len(kernels)} kernels, those of 99 % of the time")
    for entry in shown["log"]:
        print(f"           {entry['text']}")
    return kernels


def compare(graph, plain):
    check(set(graph) == set(plain), f"the same kernels: {sorted(graph)}")
    for key in sorted(key for key in set(graph) & set(plain) if graph[key]["metrics"]["instructions"] and plain[key]["metrics"]["instructions"]):
        for metric, (_, _, most, _) in COUNTED.items():
            ours, other = graph[key]["metrics"][metric] or 0, plain[key]["metrics"][metric] or 0
            apart = abs(ours - other) / max(other, 1 << 20)  # less than a megabyte is what was in the caches before
            check(apart <= most, f"{key[0]} {key[1][0]}: {metric} {ours:.6g} in the graph, {other:.6g} by itself")


def against_whole(arguments, graph, folder):
    """Nsight Compute takes the graph as one workload."""
    if not shutil.which("ncu"):
        print("skipped: no ncu to count the whole graph")
        return
    report = folder / "whole.csv"
    done = run("ncu", "--graph-profiling", "graph", "--cache-control", "none", "--clock-control", "none", "--launch-skip", 1, "--launch-count", 1, "--csv",
               "--log-file", report, "--metrics", ",".join(counter for counter, *_ in COUNTED.values()), arguments.program, "kernels", 4)
    rows = [row for row in csv.reader(report.read_text().splitlines()) if len(row) > 5] if report.exists() else []
    if done.returncode or len(rows) < 2:
        print(f"skipped: ncu counted no graph: {done.stdout[-300:]} {done.stderr[-300:]}")
        return
    head = rows[0]
    whole = {row[head.index("Metric Name")]: float(row[head.index("Metric Value")].replace(",", "")) for row in rows[1:]}
    for metric, (counter, unit, _, most) in COUNTED.items():
        parts = sum((kernel["metrics"][metric] or 0) for kernel in graph.values())
        if counter in whole:
            apart = parts / (whole[counter] * unit) - 1
            print(f"           {metric}: parts {parts:.6g}, whole {whole[counter] * unit:.6g} ({apart:+.2%})")
            check(abs(apart) <= most, f"{metric}: the parts add up to the whole")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rooflight", required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("--rounds", default="3000")
    parser.add_argument("--keep")
    arguments = parser.parse_args()
    plain = run(arguments.program, "graph", arguments.rounds)
    if plain.returncode:
        print(f"skipped: no GPU: {plain.stderr.strip()}")
        return 77
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(arguments.keep or temporary)
        check(run(arguments.program, "plain", arguments.rounds).stdout == plain.stdout, "the program computes the same with and without a graph")
        compare(observe(arguments, "graph", folder, plain.stdout), observe(arguments, "plain", folder, plain.stdout))
        bare = run(arguments.program, "kernels", arguments.rounds).stdout
        against_whole(arguments, observe(arguments, "kernels", folder, bare), folder)  # copies of a graph run as kernels, which are none of ours
    print(f"{CHECKS - len(FAILED)} passed, {len(FAILED)} failed")
    return 1 if FAILED else 0


if __name__ == "__main__":
    sys.exit(main())
