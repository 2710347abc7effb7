#!/usr/bin/env python3
"""The loop of docs/SKILL.md on the stand-in: what it adds to the program's own time. All its commands are read from that page, as they are.

    loop.py --rooflight PROGRAM --program PROGRAM --stand-ins FOLDER --page docs/SKILL.md
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

MOST_S = 3  # for measuring the change and comparing it, the program's own time left out
LOOP = 4  # commands of the loop
ROUNDS = 3  # the shortest counts: others work on this machine, too
PROGRAM = "many 40000 4"  # four kernels, of which one is asked for
KERNEL = "work3"


def loop_of(page):
    """The first block of commands, with the program and the kernel of the test for those of the page."""
    block = re.search(r"(?m)^## The loop\n\n((?:    .*\n)+)", page)[1]
    lines = [line.split("  #")[0].strip() for line in block.splitlines() if not line.strip().startswith("#")]
    if [line.split()[1] for line in lines] != ["collect", "show", "collect", "compare"]:
        raise SystemExit(f"docs/SKILL.md: another loop than this test runs: {lines}")
    return [line.replace("stencil", KERNEL).replace("./app", f'"$APP" {PROGRAM}') for line in lines]


def others_of(page):
    """The other commands of the page: of blocks, and of code spans that are whole."""
    blocks = re.findall(r"(?m)^    (rooflight .*)$", page.partition("## The loop")[2])[LOOP:]
    spans = [span for span in re.findall(r"`(rooflight [^`]+)`", page) if not re.search(r"\b[A-Z]{2,}\b", span)]
    return [line.split("  #")[0].strip().replace("stencil", KERNEL).replace("./app_new", f'"$APP" {PROGRAM}').replace("./app", f'"$APP" {PROGRAM}') for line in blocks + spans]


def seconds(line, folder, environment, allowed=(0,)):
    began = time.monotonic()
    done = subprocess.run(["bash", "-c", line], cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False)
    took = time.monotonic() - began
    if done.returncode not in allowed:
        raise SystemExit(f"status {done.returncode} of {line}: {done.stdout}{done.stderr}")
    return took, done.stdout


def once(lines, folder, environment):
    """Seconds of the program alone, and of each command less it where it runs it."""
    alone = min(seconds(f'"$APP" {PROGRAM}', folder, environment)[0] for _ in range(3))
    # One session on each side may leave the gate undecided; failing without a regression it must not.
    ran = [seconds(line, folder, environment, (0, 4) if " compare " in line else (0,)) for line in lines]
    found = json.loads(ran[1][1])
    if not any(KERNEL in kernel.get("label", kernel.get("name", "")) for kernel in found["kernels"]) or KERNEL not in ran[3][1]:
        raise SystemExit(f"the kernel is not in what the loop prints: {ran[1][1][:400]} {ran[3][1][:400]}")
    return alone, [took - ("$APP" in line) * alone for (took, _), line in zip(ran, lines)]


def main():
    parser = argparse.ArgumentParser(description="The loop of docs/SKILL.md on the stand-in: see the head of this file.")
    for name in ("rooflight", "program", "stand-ins", "page"):
        parser.add_argument(f"--{name}", type=lambda text: pathlib.Path(text).resolve(), required=True)
    arguments = parser.parse_args()
    lines, stand_ins = loop_of(arguments.page.read_text(encoding="utf-8")), str(arguments.stand_ins)
    environment = {**os.environ, "PATH": f"{arguments.rooflight.parent}:{os.environ['PATH']}", "APP": str(arguments.program),
                   "LD_LIBRARY_PATH": stand_ins, "ROOFLIGHT_CUPTI_DIR": stand_ins}
    least = None
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory() as folder:
            alone, parts = once(lines, folder, environment)
        print(f"besides {alone:.2f} s of the program: " + ", ".join(f"{line.split()[1]} {took:.2f} s" for line, took in zip(lines, parts)), flush=True)
        least = min(least or parts, parts, key=lambda taken: sum(taken[2:]))
    change = sum(least[2:])
    others = others_of(arguments.page.read_text(encoding="utf-8"))
    if not others:
        raise SystemExit("docs/SKILL.md: no other command")
    with tempfile.TemporaryDirectory() as folder:
        for line in others:
            print(f"{seconds(line, folder, environment, (0, 3, 4) if ' compare ' in line else (0,))[0]:.2f} s: {line}")
    print(f"measuring a change and comparing it: {change:.2f} s besides the program; with the first capture and the look at it {sum(least):.2f} s")
    return change >= MOST_S


if __name__ == "__main__":
    sys.exit(main())
