#!/usr/bin/env python3
"""Holds what limits a launch against Nsight Compute's speed of light: the greatest unit of its breakdown tables, launch by launch.

usage: against_breakdown.py --rooflight PROGRAM CAPTURE CSV
       against_breakdown.py --test

CAPTURE is one of the suite, CSV what ncu printed for the same kernels on a card of the same model:

    ncu --clock-control none --cache-control none --profile-from-start off --csv --page raw --print-units base --section SpeedOfLight \\
        --metrics breakdown:gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed,\\
    breakdown:sm__throughput.avg.pct_of_peak_sustained_elapsed launch_suite -n 1 -w 1 EXPERIMENT ...

Kernels are matched by name, grid and block. Where ncu's greatest unit is at 60 % or more, rooflight's resource with the greatest share has
to be the same unit, or one that ncu sees within a point of its greatest. Prints a table in Markdown; exit status 1 when fewer than 95 % are.
"""
import argparse
import collections
import csv
import io
import json
import re
import subprocess
import sys

LEAST_SHARE, LEAST_SAME = 60.0, 0.95
TIE = 1.0  # points of the peak: two units that are both full, or one under two names
# Counters of ncu's breakdown, by how their names begin, and the resources here that are the same unit. The first that fits counts.
UNITS = [
    ("dram__", {"DRAM"}), ("fbpa__", {"DRAM"}),
    ("lts__d_atomic", {"atomic unit of an L2 slice"}), ("lts__lts2xbar", {"L2 reads"}), ("lts__xbar2lts", {"path into L2", "L2 writes"}), ("lts__", {"L2 reads", "L2 writes"}),
    ("l1tex__data_pipe_lsu", {"L1 data stage", "shared memory", "L1"}), ("l1tex__lsuin", {"LSU"}), ("l1tex__m_xbar2l1tex", {"L2 reads"}),
    ("l1tex__m_l1tex2xbar", {"L2 writes"}), ("l1tex__", {"L1", "L1 data stage"}),
    ("sm__issue_active", {"instruction issue"}), ("sm__inst_executed.", {"instruction issue"}), ("sm__inst_executed_pipe_lsu", {"LSU"}),
    ("sm__inst_executed_pipe_xu", {"XU (special functions)"}), ("sm__pipe_alu", {"ALU"}), ("sm__pipe_fma", {"FMA pipe", "FP32"}),
    ("sm__pipe_fp64", {"FP64 pipe", "FP64"}), ("sm__pipe_tensor", {"tensor pipe", "tensor"}),
]
SHARE_OF_PEAK = ".avg.pct_of_peak_sustained_elapsed"
Row = collections.namedtuple("Row", "name units")       # units: (percent, counter), the greatest first
Verdict = collections.namedtuple("Verdict", "label percent counter resource share same")


def key_of(name, grid, block):
    """Both tools write types of arguments in ways of their own: what stands before them tells kernels apart."""
    plain = re.sub(r"\s|\bvoid\b|unsigned |\(anonymous namespace\)::|<unnamed>::|\(\w+\)(?=-?\d|true|false)", "", name).split("(")[0]
    plain = re.sub(r"(\d)u?l?l?\b", r"\1", plain)
    return plain.replace("true", "1").replace("false", "0"), tuple(grid), tuple(block)


def read_csv(text):
    """Rows of the raw page in their order: key and Row."""
    found = []
    for row in csv.DictReader(io.StringIO(text[text.index('"ID"'):])):
        if not row["ID"] or not row["Grid Size"]:
            continue  # the row of units, and lines of the program
        units = sorted(((float(value.replace(",", "")), name) for name, value in row.items()
                        if name and name.endswith(SHARE_OF_PEAK) and value and not re.search("throughput|internal_activity", name)), reverse=True)
        shape = [tuple(int(number) for number in re.findall(r"\d+", row[column])) for column in ("Grid Size", "Block Size")]
        found.append((key_of(row["Kernel Name"], *shape), Row(row["Kernel Name"], units)))
    return found


def unit_of(counter):
    return next((resources for begin, resources in UNITS if counter.startswith(begin)), set())


def judge(label, row, roofs):
    """None where ncu's greatest unit is below the limit: nothing limits."""
    percent = row.units[0][0] if row.units else 0
    if percent < LEAST_SHARE:
        return None
    greatest = [counter for value, counter in row.units if value >= percent - TIE]
    resource, share = (roofs[0]["resource"], roofs[0]["share"]) if roofs else (None, None)
    same = any(resource in unit_of(counter) for counter in greatest)
    return Verdict(label, percent, greatest[0][:-len(SHARE_OF_PEAK)], resource, share, same)


def table(verdicts):
    lines = ["| launch | ncu's highest unit | of peak | highest share here | share |", "|---|---|---:|---|---:|"]
    for one in verdicts:
        share = f"{100 * one.share:.1f} %" if one.share is not None else ""
        lines.append(f"| {one.label} | {one.counter} | {one.percent:.1f} % | {one.resource or 'none'}{'' if one.same else ' (another)'} | {share} |")
    same = sum(one.same for one in verdicts)
    lines.append(f"\nThe same unit in {same} of {len(verdicts)} launches in which ncu's highest is at {LEAST_SHARE:.0f} % or more.")
    return "\n".join(lines), bool(verdicts) and same >= LEAST_SAME * len(verdicts)


def show(arguments, *options):
    done = subprocess.run([arguments.rooflight, "show", *options, "--json", arguments.capture], capture_output=True, text=True, check=True, timeout=60)
    return json.loads(done.stdout)


def compare(arguments):
    kernels, verdicts, unknown = collections.defaultdict(list), [], []
    for kernel in show(arguments)["kernels"]:
        if kernel["grid"]:
            kernels[key_of(kernel["name"], kernel["grid"], kernel["block"])].append(kernel)
    with open(arguments.csv, encoding="utf-8") as file:
        rows = read_csv(file.read())
    seen = collections.Counter()
    for key, row in rows:
        if key not in kernels:
            unknown.append(row.name)
            continue
        kernel = kernels[key][min(seen[key], len(kernels[key]) - 1)]  # of several that look alike: in the same order
        seen[key] += 1
        label = re.sub(r"([][(){}.*+?^$|\\])", r"\\\1", kernel["label"])
        brief = show(arguments, "--brief", "--kernel", f"^{label}$")
        verdicts.append(judge(kernel["label"], row, brief["kernels"][0]["roofs"]))
    text, good = table([verdict for verdict in verdicts if verdict])
    print(text)
    print(f"{len(rows)} launches; not among the kernels of the capture: {', '.join(name.split('(')[0] for name in unknown) or 'none'}")
    return 0 if good else 1


def test():
    """On lines as ncu prints them."""
    header = ["ID", "Kernel Name", "Block Size", "Grid Size"] + [unit + SHARE_OF_PEAK for unit in
              ("dram__cycles_active", "sm__issue_active", "sm__pipe_tensor_cycles_active", "lts__throughput")]
    lines = [header, ["", "", "", ""] + ["%"] * 4, ["0", "void f<(int)3>(float *)", "(256, 1, 1)", "(1024, 1, 1)", "86.6", "12", "0", "99"],
             ["1", "void g<2u>(int)", "(32, 1, 1)", "(1, 1, 1)", "10", "59.9", "0", "99"]]
    rows = read_csv("==PROF== x\n" + "\n".join(",".join(f'"{cell}"' for cell in line) for line in lines) + "\n")
    assert rows[0][0] == key_of("f<(int)3>(float*)", (1024, 1, 1), (256, 1, 1)) and rows[1][0] == key_of("g<(mode)2>(int)", (1, 1, 1), (32, 1, 1))
    assert rows[0][1].units[0] == (86.6, "dram__cycles_active" + SHARE_OF_PEAK)  # no total of several units
    right = judge("f", rows[0][1], [{"resource": "DRAM", "share": 0.9}])
    wrong = judge("f", rows[0][1], [{"resource": "ALU", "share": 0.9}])
    assert right.same and not wrong.same and not judge("f", rows[0][1], []).same
    assert judge("g", rows[1][1], [{"resource": "ALU", "share": 0.9}]) is None  # below 60 %
    twins = Row("h", [(percent, unit + SHARE_OF_PEAK) for percent, unit in
                      ((90.0, "sm__pipe_alu_cycles_active"), (89.1, "sm__issue_active"), (88.9, "dram__cycles_active"))])
    assert judge("h", twins, [{"resource": "instruction issue", "share": 0.9}]).same and not judge("h", twins, [{"resource": "DRAM", "share": 0.9}]).same
    assert table([right] * 19 + [wrong])[1] and not table([right] * 18 + [wrong])[1] and not table([])[1]
    assert "19 of 20" in table([right] * 19 + [wrong])[0] and "ALU (another)" in table([wrong])[0]
    print("breakdown: no fault")
    return 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rooflight")
    parser.add_argument("--test", action="store_true")
    parser.add_argument("capture", nargs="?")
    parser.add_argument("csv", nargs="?")
    arguments = parser.parse_args()
    if arguments.test:
        return test()
    if not arguments.rooflight or not arguments.csv:
        parser.error("--rooflight, CAPTURE and CSV are needed")
    return compare(arguments)


if __name__ == "__main__":
    sys.exit(main())
