#!/usr/bin/env python3
"""A table of many rows says the same whether one thread writes its cells or several do.

usage: one_processor.py --program ROOFLIGHT --maker LARGE_CAPTURE --sample CAPTURE        exit status 77: there is one processor only
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

CLASSES = 9000  # more than two threads' worth


def main():
    parser = argparse.ArgumentParser()
    for name in ("program", "maker", "sample"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    processors = os.sched_getaffinity(0)
    if len(processors) < 2:
        return 77
    with tempfile.TemporaryDirectory() as folder:
        capture = pathlib.Path(folder) / "many.rlcap"
        subprocess.run([arguments.maker, arguments.sample, "program", str(CLASSES), capture], check=True, timeout=120)
        shown = []
        for allowed in (processors, {min(processors)}):
            os.sched_setaffinity(0, allowed)
            shown.append(subprocess.run([arguments.program, "show", "-v", capture], check=True, capture_output=True, text=True, timeout=120).stdout)
    rows = shown[0].count("solver::stage")
    if shown[0] != shown[1] or rows < CLASSES:
        print(f"several threads and one write different tables, or too few rows ({rows})", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
