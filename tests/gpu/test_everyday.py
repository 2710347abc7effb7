#!/usr/bin/env python3
"""Everyday programs on a real card, each by itself and under `rooflight collect`: the same status, output and files; every launch known, in the
default mode as with times alone; and as many launches as the program says. Times are printed, not judged: tests/bench/programs.py measures them.

usage: test_everyday.py --rooflight PROGRAM --everyday PROGRAM [--keep FOLDER] [NAME ...]     programs whose names contain NAME; captures are kept
Exit status 77 when there is no GPU (the test is skipped), 1 when something is wrong."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

FOLDER = pathlib.Path(__file__).with_name("everyday")
FAILED = []

# Name, command, package that it needs.
PROGRAMS = (
    ("one launch", ["{everyday}", "one"], None),
    ("100 launches, then exit", ["{everyday}", "burst", "100"], None),
    ("500 grids", ["{everyday}", "grids", "500"], None),
    ("1,000 graphs of 20 kernels", ["{everyday}", "graphs", "1000"], None),
    ("60 ms", ["{everyday}", "steps", "10000"], None),
    ("two amounts of work", ["{everyday}", "modes", "20000"], None),
    ("60 s", ["{everyday}", "simulate", "95000"], None),
    ("JAX, jit training", [sys.executable, "{folder}/jax_mlp.py"], "jax"),
    ("Triton", [sys.executable, "{folder}/triton_kernels.py"], "triton"),
    ("CuPy", [sys.executable, "{folder}/cupy_program.py"], "cupy"),
    ("PyTorch, training and graphs", [sys.executable, "{folder}/torch_graphs.py"], "torch"),
    ("transformers, generate", [sys.executable, "{folder}/generate.py"], "transformers"),
)
# Programs of which more than 2 % of the GPU time may have no place under the roofs: in these much of it is in kernels that are launched once or
# twice, after pauses, and over before a window of samples is open.
ONCE = ("JAX", "Triton")


def programs(everyday, names=()):
    """Name and command of each that can run here."""
    for name, command, package in PROGRAMS:
        if names and not any(part in name for part in names):
            continue
        if package and subprocess.run([sys.executable, "-c", f"import {package}"], capture_output=True).returncode:
            print(f"SKIPPED: no {package} for {name}")
            continue
        yield name, [word.replace("{everyday}", everyday).replace("{folder}", str(FOLDER)) for word in command]


def run(command, folder):
    """(seconds, what it did)"""
    begin = time.monotonic()
    done = subprocess.run(list(map(str, command)), cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=400)
    return time.monotonic() - begin, done


def check(condition, text):
    print(f"{'ok    ' if condition else 'FAILED'}   {text}", flush=True)
    if not condition:
        FAILED.append(text)


def program_of(rooflight, capture):
    done = subprocess.run([rooflight, "show", "--json", capture], capture_output=True, text=True, timeout=400)
    shown = json.loads(done.stdout)
    return {**shown["program"], "complete": shown["complete"], "log": [entry["text"] for entry in shown["log"]], "all": shown["kernels"]}


def check_places(name, program):
    """The place under the roofs is known, from counters or samples, for all but 2 % of the GPU time of the program; the reasons where it is not
    are printed."""
    share, limit = program["not_placed"], 1 if name.startswith(ONCE) else 0.02
    check(share <= limit, f"{name}: place unknown for {share:.2%} of the GPU time")
    whole, without = sum(kernel["gpu_s"] for kernel in program["all"]), {}
    for kernel in program["all"]:
        if kernel["roof_share"] is None:
            reason = kernel["missing"]["roof_share"]
            without[reason] = without.get(reason, 0) + kernel["gpu_s"]
    for reason, seconds in sorted(without.items(), key=lambda item: -item[1])[:4] if whole else ():
        print(f"           no place for {seconds / whole:.2%} of the GPU time: {reason}")


def check_two_kinds(rooflight, everyday, keep):
    """A persistent kernel with two amounts of work: two kinds of launches, each with the traffic of its own."""
    with tempfile.TemporaryDirectory() as folder:
        capture = os.path.join(keep or folder, "two_kinds.rlcap")
        run([rooflight, "collect", "-o", capture, "--budget", "all", "--", everyday, "modes", "200000"], folder)
        program = program_of(rooflight, capture)
        kinds = [kernel for kernel in program["all"] if kernel["populations"] == 2]
        check(len(kinds) == 2, f"two amounts of work are two kinds: {[kernel['label'] for kernel in program['all']]}")
        counts = sorted(kernel["launches"] for kernel in kinds)
        check(len(counts) == 2 and abs(counts[0] - 200000 / 3) < 100 and sum(counts) == 200000, f"launches of each: {counts}")
        work = sorted(kernel["metrics"]["instructions"] or 0 for kernel in kinds)
        check(len(work) == 2 and 9 < work[1] / max(work[0], 1) < 11, f"a loop of 400 beside one of 20, and what is around it: instructions {work}")
        check_places("two amounts of work", program)


def check_program(rooflight, name, command, keep):
    with tempfile.TemporaryDirectory() as folder:
        plain_s, plain = run(command, folder)
        check(plain.returncode == 0, f"{name}: plain, {plain_s:.2f} s, status {plain.returncode} {plain.stderr[-600:] if plain.returncode else ''}")
        print("           " + plain.stdout.strip().replace("\n", " | "))
        launches = []
        for mode in (["--replay", "none"], []):
            kind = "_".join(mode[1:]) or "default"
            capture = os.path.join(keep or folder, name.replace(" ", "_").replace(",", "") + f".{kind}.rlcap")
            seconds, watched = run([rooflight, "collect", "-o", capture, *mode, "--", *command], folder)
            said = [line for line in watched.stderr.splitlines() if line.startswith("rooflight")]
            own = [line for line in watched.stderr.splitlines() if line not in said]
            check(watched.returncode == plain.returncode, f"{name}, {kind}: {seconds:.2f} s, status {watched.returncode}")
            check(watched.stdout == plain.stdout, f"{name}, {kind}: the same output{'' if watched.stdout == plain.stdout else ', not ' + watched.stdout}")
            check(not [line for line in own if line not in plain.stderr.splitlines()], f"{name}, {kind}: nothing new on standard error {own[-3:]}")
            print("           " + " // ".join(said))
            if not os.path.exists(capture):
                check(False, f"{name}, {kind}: no capture")
                continue
            program = program_of(rooflight, capture)
            launches.append(program["launches"])
            last = (plain.stdout.split() or [""])[-1]
            if command[0] != sys.executable:
                check(program["launches"] == int(last), f"{name}, {kind}: {program['launches']} launches of {last}")
            check(program["complete"], f"{name}, {kind}: complete {[] if program['complete'] else program['log']}")
            without = program["launches"] - program["timed_launches"]
            check(without <= 3 * program["counted_launches"] + (0.05 * program["launches"] if kind == "default" else 0),
                  f"{name}, {kind}: {without} launches without a time, {program['counted_launches']} counted")
            check(program["timeless_launches"] == 0, f"{name}, {kind}: {program['timeless_launches']} launches of classes without any time")
            check(not any("another process ran" in text for text in program["log"]), f"{name}, {kind}: sets and copies are taken for nobody else's kernels")
            print(f"           coverage {program['coverage']}, GPU {program['gpu_s']} s ({program['gpu_s_is']}), "
                  f"{len(program['kernels'])} kernels, {len(program['classes'])} classes")
            if kind == "default":
                check_places(name, program)
        check(len(set(launches)) == 1, f"{name}: launches {launches} in both modes")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rooflight", required=True)
    parser.add_argument("--everyday", required=True)
    parser.add_argument("--keep")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    if arguments.keep:
        os.makedirs(arguments.keep, exist_ok=True)
    if not os.path.exists("/dev/nvidiactl"):
        print("SKIPPED: no GPU")
        return 77
    for name, command in programs(os.path.abspath(arguments.everyday), arguments.names):
        try:
            check_program(os.path.abspath(arguments.rooflight), name, command, arguments.keep and os.path.abspath(arguments.keep))
        except Exception as error:  # one broken test must not hide the others on a borrowed card
            check(False, f"{name}: {type(error).__name__}: {error}")
    if not arguments.names or "kinds" in arguments.names:
        check_two_kinds(os.path.abspath(arguments.rooflight), os.path.abspath(arguments.everyday), arguments.keep and os.path.abspath(arguments.keep))
    print(f"{len(FAILED)} failed")
    return 1 if FAILED else 0


if __name__ == "__main__":
    sys.exit(main())
