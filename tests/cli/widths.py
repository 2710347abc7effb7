"""Text on terminals of 80 columns and fewer: no line is longer, and no two kernels of a table look the same.

    widths.py --program rooflight --captures FOLDER --samples FOLDER [--data FOLDER] [--all]

Every day at the widest and the narrowest; --all: at two between them, too.

Captures are made ones, recorded ones and those of tests; each is shown. Every command is tried, and its help, with both streams on the terminal; there
a line may be wider that is one word (a path, an option), as it is to be copied.
"""
import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
import unicodedata

import run

WIDTHS, BETWEEN = (80, 20), (61, 40)
PROGRAM = "programs/transformer-h200.rlcap"  # thirteen kernels: six of one name with other shapes, two of one name and shape


def width_of(line):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def said(program, words, width):
    done = subprocess.run([program, *words], capture_output=True, text=True, timeout=120, check=False,
                          env={**os.environ, "COLUMNS": str(width), "TERM": "dumb"})
    return done.stdout.splitlines(), done


def on_terminal(program, words, width):
    """Lines of both streams on a terminal that takes no escape sequences."""
    stream = run.Stream(width)
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"} | {"TERM": "dumb"}
    done = subprocess.run([program, *words], stdin=subprocess.DEVNULL, stdout=stream.end, stderr=stream.end, timeout=120, check=False, env=environment)
    return stream.finish(b"").decode().splitlines(), done


def first_columns(lines):
    """Of each table below a heading "Kernels ..." the first cells, whose width the rule's table has in its first row."""
    found, inside = [], False
    for number, line in enumerate(lines):
        if line.startswith("Kernels on GPU"):
            inside = True
        if inside and line.startswith("kernel"):
            rows = []
            for row in lines[number + 1:]:
                if row.startswith("─") or row.startswith(" ") and not rows:
                    continue
                if not row or row.startswith(" "):
                    break
                rows.append(row)
            found.append([row[:row.index("…") + 12] if "…" in row[:24] else row.split("  ")[0] for row in rows])
    return found


def faults_of_tables(program, path):
    """Kernels that cannot be told apart in the tables of a capture at 80 columns."""
    for cells in first_columns(said(program, ["show", str(path)], 80)[0]):
        yield from (f"{path.name}: {count} kernels look like {cell!r}" for cell, count in collections.Counter(cells).items() if count > 1)


def names_of_commands(program):
    return re.findall(r"(?m)^  ([a-z]+) ", subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout)


def every_command(names, captures, samples):
    """What each prints and says, also of wrong usage."""
    sample = str(samples / "h100.rlcap")
    yield from (["--help"], ["--version"], [], ["help", "shwo"], ["doctor"], ["./a.out", "-n", "3"])
    for name in names:
        yield from ([name, "--help"], [name, "--no-such-option"], [name, sample + ".none", "-o", "/nonexistent/out.rlcap"])
    yield from (["collect", "--gpu", "0", "ilp", "-o", "/nonexistent/x.rlcap"], ["check", "--gpu", "99"], ["extract", sample], ["import", sample])
    yield from (["list", what, "--chip", "GH100"] for what in ("metrics", "chips"))
    yield from (["show", "--ceilings", sample], ["show", "--gaps", str(samples / PROGRAM)], ["show", "--findings", "all", sample])
    yield from (["compare", str(samples / "h100.rlcap"), str(samples / "h200.rlcap")], ["compare", sample, "--project", "T4"], ["compare", "--fleet", str(captures)])
    yield from (["compare", str(captures / "normal.rlcap"), str(captures / "after.rlcap"), "--fail-on", gate] for gate in ("default", "regression=25%"))


def commands(captures, samples, recorded):
    yield from (["list", what] for what in ("kernels", "metrics", "chips", "cards", "findings", "columns"))
    yield ["show", str(samples / PROGRAM)]
    yield ["show", "--brief", str(samples / PROGRAM)]
    yield ["show", "-v", str(samples / "h200.rlcap")]
    yield ["compare", str(captures / "normal.rlcap"), str(captures / "after.rlcap")]
    for path in [*recorded, *sorted(captures.glob("*.rlcap"))]:
        yield ["show", str(path)]


def main():
    parser = argparse.ArgumentParser(description="Text on terminals of 80 columns and fewer: see the head of this file.")
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--captures", type=pathlib.Path, required=True)
    parser.add_argument("--samples", type=pathlib.Path, required=True)
    parser.add_argument("--data", type=pathlib.Path, help="captures of tests")
    parser.add_argument("--all", action="store_true")
    arguments = parser.parse_args()
    widths = WIDTHS + (BETWEEN if arguments.all else ())
    recorded = sorted(path for folder in (arguments.samples, arguments.data) if folder for path in folder.rglob("*.rlcap"))
    faults, looked = [], 0
    for words in commands(arguments.captures, arguments.samples, recorded):
        for width in widths:
            lines, done = said(arguments.program.resolve(), words, width)
            looked += len(lines)
            if done.returncode < 0:
                faults.append(f"{' '.join(words)} at {width} columns: ended by signal {-done.returncode}")
            faults += [f"{' '.join(words)} at {width} columns: {width_of(line)}: {line!r}" for line in lines if width_of(line) > width][:3]
    program = arguments.program.resolve()
    for words in every_command(names_of_commands(program), arguments.captures, arguments.samples):
        for width in widths:
            lines, done = on_terminal(program, words, width)
            looked += len(lines)
            if done.returncode < 0 or not lines or "\x1b" in "".join(lines):
                faults.append(f"{' '.join(words)} at {width} columns: status {done.returncode}, {len(lines)} lines, or escape sequences")
            faults += [f"{' '.join(words)} at {width} columns: {width_of(line)}: {line!r}" for line in lines
                       if width_of(line) > width and len(line.split()) > 1][:3]
    tables = first_columns(said(arguments.program.resolve(), ["show", str(arguments.samples / PROGRAM)], 80)[0])
    if not tables or len(tables[0]) < 5:
        faults.append(f"the kernels of {PROGRAM} were not found: {tables}")
    faults += [fault for path in recorded for fault in faults_of_tables(arguments.program.resolve(), path)]
    print("\n".join(faults) or f"{looked} lines fit")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
