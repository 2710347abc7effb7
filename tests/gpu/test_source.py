#!/usr/bin/env python3
"""Source lines and stall reasons on a card: `collect --pc-sampling` of hot_lines.cu, whose hot lines are known, against Nsight Compute's
source counters. Without a GPU, nvcc or ncu it is skipped (77).

usage: test_source.py --rooflight PROGRAM [--keep FOLDER] [--bench N]     N rounds of plain and observed runs in turn"""
import argparse
import csv
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE / "hot_lines.cu"
KERNELS = ("gather", "conflicts", "barrier", "doubles", "copies")
LEAST, APART = 0.03, 0.06  # lines with less of the samples are not compared; shares may differ by so much
CHECKS, FAILED = 0, []


def check(condition, text):
    global CHECKS
    CHECKS += 1
    if not condition:
        FAILED.append(text)
        print(f"FAILED: {text}")


def output(*command, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {done.returncode}: {done.stdout[-500:]} {done.stderr[-1500:]}")
    return done.stdout


def hot_lines():
    """Line of each kernel that is marked."""
    return {name: number for number, line in enumerate(SOURCE.read_text().splitlines(), 1) for name in re.findall(r"HOT (\w+)", line)
            if name in KERNELS}


def of_rooflight(rooflight, capture, kernel):
    """Share of the samples by line, and the reason of the hottest."""
    shown = json.loads(output(rooflight, "show", "--source", f"^{kernel}[(]", "--json", capture))["kernels"]
    lines = shown[0]["lines"]
    return {line["line"]: line["share"] for line in lines if line["path"].endswith(SOURCE.name)}, shown[0]


def of_ncu(report):
    """The same of every kernel."""
    samples, kernel, columns, ours = {}, None, None, False
    for row in csv.reader(output("ncu", "--import", report, "--page", "source", "--csv", "--print-source", "cuda,sass").splitlines()):
        if not row:
            continue
        if row[0] in ("Function Name", "Kernel Name"):
            kernel = row[1].split("(")[0]
        elif row[0] == "File Path":
            ours = row[1].endswith(SOURCE.name)
        elif row[0] == "Line No":
            columns = row.index("Warp Stall Sampling (All Samples)")
        elif ours and kernel in KERNELS and columns and row[0].isdigit() and row[columns].isdigit():
            by_line = samples.setdefault(kernel, {})
            by_line[int(row[0])] = by_line.get(int(row[0]), 0) + int(row[columns])
    return {name: {line: count / max(1, sum(lines.values())) for line, count in lines.items()} for name, lines in samples.items()}


def compare(ours, theirs, kernel, hot):
    """Line by line."""
    top = [sorted(shares, key=shares.get, reverse=True)[:10] for shares in (ours, theirs)]
    print(f"{kernel}: hottest line {top[0][0]} ({ours[top[0][0]]:.1%}), ncu {top[1][0]} ({theirs[top[1][0]]:.1%}), marked {hot}")
    check(top[0][0] == hot, f"{kernel}: the hottest line is {top[0][0]}, not {hot}")
    for line in sorted(set(top[0] + top[1])):
        mine, other = ours.get(line, 0), theirs.get(line, 0)
        if max(mine, other) >= LEAST:
            print(f"    line {line}: {mine:.1%}, ncu {other:.1%}")
            check(abs(mine - other) <= APART, f"{kernel}: line {line} has {mine:.1%} of the samples, ncu says {other:.1%}")


def loop_s(text):
    return float(re.search(r"loop ([0-9.]+) s", text)[1])


def bench(rooflight, program, folder, rounds):
    """The loop's time plain, with times alone, and sampled, in turn."""
    ways = {"plain": (), "times alone": (rooflight, "collect", "-q", "--replay", "none", "-o", folder / "t.rlcap", "--"),
            "--pc-sampling": (rooflight, "collect", "-q", "--pc-sampling", "-o", folder / "p.rlcap", "--"),
            "--pc-sampling=12": (rooflight, "collect", "-q", "--pc-sampling=12", "-o", folder / "p12.rlcap", "--")}
    for arguments in ((300, 200), (2, 200000)):
        taken = {name: [] for name in ways}
        for _ in range(rounds):
            for name, before in ways.items():
                taken[name].append(loop_s(output(*before, program, *arguments)))
        for name, times in taken.items():
            middle = statistics.median(times)
            print(f"hot_lines {arguments}: {name}: median {middle:.4f} s, {middle / statistics.median(taken['plain']) - 1:+.1%} ({times})")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rooflight", required=True)
    parser.add_argument("--keep")
    parser.add_argument("--bench", type=int, default=0)
    arguments = parser.parse_args()
    if not all(map(shutil.which, ("nvcc", "ncu", "nvidia-smi"))) or subprocess.run(["nvidia-smi", "-L"], capture_output=True).returncode != 0:
        print("no GPU, nvcc or ncu here")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(arguments.keep or made)
        program, capture, report = folder / "hot_lines", folder / "hot_lines.rlcap", folder / "hot_lines.ncu-rep"
        output("nvcc", "-O3", "-lineinfo", "-arch=native", "-o", program, SOURCE)
        output(arguments.rooflight, "collect", "--pc-sampling=13", "-o", capture, "--", program, 60, 200)
        output("ncu", "-f", "--section", "SourceCounters", "--launch-skip", "1", "-o", report.with_suffix(""), program, 1, 0)
        theirs, marked = of_ncu(report), hot_lines()
        check(sorted(marked) == sorted(KERNELS), f"marked lines: {marked}")
        for kernel in KERNELS:
            ours, shown = of_rooflight(arguments.rooflight, capture, kernel)
            compare(ours, theirs.get(kernel, {0: 0}), kernel, marked[kernel])
            check(all(line.get("text") for line in shown["lines"][:1]), f"{kernel}: the text of the hottest line")
            print(f"    reasons: {[(row['reason'], round(row['share'], 3)) for row in shown['reasons'][:4]]}")
        if any(shutil.which(tool) for tool in ("nvdisasm", "/usr/local/cuda/bin/nvdisasm")):
            # Of a load it is the instruction that needs what was loaded that is met waiting: the address of the next load.
            for kernel, opcodes in (("gather", ("IMAD.WIDE", "LEA")), ("conflicts", ("LDS", "FADD")), ("doubles", ("DFMA",))):
                said = [row.get("sass") for row in of_rooflight(arguments.rooflight, capture, kernel)[1]["instructions"]]
                check(said and all(said), f"{kernel}: all kept instructions have a text: {said[:4]}")
                check(any(opcode in text for text in said if text for opcode in opcodes), f"{kernel}: {opcodes} is among {said[:8]}")
        if arguments.bench:
            bench(arguments.rooflight, program, folder, arguments.bench)
    print(f"{CHECKS - len(FAILED)} passed, {len(FAILED)} failed")
    sys.exit(1 if FAILED else 0)


if __name__ == "__main__":
    main()
