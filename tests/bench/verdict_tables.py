#!/usr/bin/env python3
"""Writes the tables of simulated verdicts into docs/data/verdicts.md, at full size.

usage: verdict_tables.py (--program build/tests/unit_analysis_test_sessions [--pairs N] | --printed FILE) docs/data/verdicts.md

Runs the test with so many pairs a line, or reads what such a run printed, and replaces what stands between "<!-- simulated: NAME -->" and
"<!-- end -->". Exit status 1 when the run failed: more than 1 % of a line is false, or less is found than promised.
"""
import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys

# By the first words of a table that the test prints: how many numbers end its rows.
PRINTED = {"A/A": 5, "A/A, together": 5, "A/A, 6 looks": 1, "model": 4}


def read(text):
    """{first words: [[name, number, ...], ...]}"""
    tables, current = collections.defaultdict(list), None
    for line in text.splitlines():
        head = re.match(r"(A/A, together|A/A, 6 looks|A/A|model)\s{2,}", line)
        if head:
            current = head[1]
        elif not line.strip() or line.startswith("["):
            current = None
        elif current:
            words = line.split()
            tables[current].append([" ".join(words[:-PRINTED[current]]), *words[-PRINTED[current]:]])
    return tables


def rows(head, *body):
    yield f"| {' | '.join(head)} |"
    yield f"|---|{'---:|' * (len(head) - 1)}"
    for row in body:
        yield f"| {' | '.join(row)} |"


def unchanged(table):
    of = {(name, sessions): (false, same) for name, sessions, _, false, same, _ in table}
    names, counts = list(dict.fromkeys(name for name, _ in of)), list(dict.fromkeys(count for _, count in of))
    return rows(["", *(f"{count} sessions" for count in counts), *(f"SAME, {count}" for count in counts)],
                *([name, *(of[name, count][0] for count in counts), *(of[name, count][1] for count in counts)] for name in names))


def together(table):
    return rows(["all kernels of a session share", "sessions a side", "false", "without a condition", "SAME"],
                *([name, sessions, false, alone, same] for name, sessions, _, false, alone, same in table))


def looks(table):
    return rows(["", "ever false"], *table)


def decided(table):
    names = [(name.rsplit(" ", 1), numbers) for name, *numbers in table]
    return rows(["kernels", "sessions a side", "planted", "right verdict", "found", "wrong"],
                *([name, sessions, f"{planted} %" if planted != "0" else "nothing", right, found, wrong]
                  for (name, right), (sessions, planted, found, wrong) in names))


BLOCKS = {"unchanged": ("A/A", unchanged), "together": ("A/A, together", together), "looks": ("A/A, 6 looks", looks),
          "decided": ("model", decided)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program")
    parser.add_argument("--pairs", type=int, default=10000)
    parser.add_argument("--printed")
    parser.add_argument("document", type=pathlib.Path)
    options = parser.parse_args()
    if options.printed:
        printed = pathlib.Path(options.printed).read_text(encoding="utf-8")
    else:
        printed = subprocess.run([options.program], env={**os.environ, "RL_PAIRS": str(options.pairs)}, capture_output=True, text=True,
                                 check=False).stdout
    tables, text = read(printed), options.document.read_text(encoding="utf-8")
    for name, (printed_as, lay) in BLOCKS.items():
        block = re.compile(rf"(<!-- simulated: {name} -->\n).*?(<!-- end -->)", re.S)
        if not tables[printed_as] or len(block.findall(text)) != 1:
            sys.exit(f"{name}: nothing was printed, or {options.document} has no place for it")
        lines = "\n".join(lay(tables[printed_as]))
        text = block.sub(lambda found: f"{found[1]}\n{lines}\n\n{found[2]}", text)
    options.document.write_text(text, encoding="utf-8")
    return 0 if "FAILED" not in printed else 1


if __name__ == "__main__":
    sys.exit(main())
