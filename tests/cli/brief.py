"""How long a brief is: of every capture an overview of at most 8 kB, and of chosen kernels at most 6 kB, as text and as JSON.

    brief.py --program rooflight --captures FOLDER --samples FOLDER --data FOLDER [--all]

Every day of three kernels of each capture, those with the most time; --all: of ten.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import many_classes

OVERVIEW, KERNEL = 8192, 6144  # bytes
SHOWN_LINES, BRIEF_LINES = 120, 40
MANY = 5000  # kernel classes
KERNELS, MORE_KERNELS = 3, 10  # of each capture, those with the most time
AT_MOST = 8
LONG = 150  # characters of a reason


def said(program, *arguments):
    """Standard output of the program in bytes; None where it refused."""
    done = subprocess.run([program, "show", "--brief", *arguments], capture_output=True, timeout=120)
    return done.stdout if done.returncode == 0 else None


def ids(program, capture):
    done = subprocess.run([program, "show", "--csv", "--columns", "id", "--sort", "gpu_s", capture], capture_output=True, text=True, timeout=120)
    return [line.strip('"') for line in done.stdout.splitlines()[1:] if line]


def of_kernels(program, capture, most):
    """What is too long where kernels are asked for: each by its id, and all of them at once."""
    wanted = list(dict.fromkeys(ids(program, capture)[:most]))
    for pattern in (".", *(f"^{one}$" for one in wanted)):
        for form in ((), ("--json",)):
            output = said(program, *form, "--kernel", pattern, capture)
            if output is None and pattern != ".":
                yield f"{capture}: {pattern}: is in the list of kernels, and none matches it"
            elif len(output or b"") > KERNEL:
                yield f"{capture}: {pattern}: {len(output)} bytes {' '.join(form)}"


def of_several(program, capture):
    """Whether every kernel that matches is shown or counted, the first in detail and the others in a line."""
    brief = json.loads(said(program, "--json", "--kernel", ".", capture))
    shown, families = len(brief["kernels"]) + len(brief.get("others", [])), brief["kernel_count"]
    if len(brief["kernels"]) != 1 or not brief["kernels"][0].get("resources") or shown + brief["kernels_left"] != families:
        yield f"{capture}: {shown} kernels, {brief['kernels_left']} left, of {families}"
    times = [kernel["share"] for kernel in (*brief["kernels"], *brief.get("others", []))]
    if times != sorted(times, reverse=True):
        yield f"{capture}: not by their time: {times}"


def told_twice(program, capture):
    """What kernels of a capture say twice of what is unknown; a reason may be longer than a row has room for."""
    briefs = (json.loads(said(program, "--json", "--kernel", f"^{one}$", str(capture))) for one in ids(program, str(capture))[:AT_MOST])
    kernels = [kernel for brief in briefs for kernel in brief["kernels"]]
    lists = [[(row["reason"], row.get("how")) for row in kernel["unknown"]] for kernel in kernels]
    if not any(len(reason) > LONG for rows in lists for reason, _ in rows):
        return [f"{capture}: has no long reason"]
    return [f"{capture}: twice: {row}" for rows in lists for row in set(rows) if rows.count(row) > 1]


def said_lines(program, *words):
    """How many lines `show` prints; 0 where it refuses."""
    done = subprocess.run([program, "show", *words], capture_output=True, timeout=120)
    if done.returncode < 0:
        sys.exit(f"show {words} ended by signal {-done.returncode}")
    return done.stdout.count(b"\n")


def cut(value, key=""):
    """Texts of a brief that end in the middle of a command or a number: only names are shortened inside, others behind a clause or word."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from cut(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from cut(inner, key)
    elif isinstance(value, str) and "\u2026" in value and key not in ("label", "kernel", "what", "range_path") and not re.search(r"\S \u2026$", value):
        yield f"{key}: {value}"


def main():
    parser = argparse.ArgumentParser()
    for name in ("program", "captures", "samples", "data"):
        parser.add_argument("--" + name, required=True, type=pathlib.Path)
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    most = MORE_KERNELS if options.all else KERNELS
    program, wrong, captures, kernels = str(options.program), [], 0, 0
    for path in sorted(options.captures.glob("*.rlcap")) + sorted(options.samples.rglob("*.rlcap")):
        capture = str(path)
        text, data = said(program, capture), said(program, "--json", capture)
        if text is None:  # made to be refused
            continue
        captures += 1
        whole = said(program, "--json", "--kernel", ".", capture)
        wrong += [f"{capture}: cut: {fault}" for one in (data, whole) if one for fault in cut(json.loads(one))]
        if max(len(text), len(data)) > OVERVIEW:
            wrong.append(f"{capture}: overview of {len(text)} bytes of text and {len(data)} of JSON")
        kernels += len(ids(program, capture)[:most])
        wrong += of_kernels(program, capture, most)
    with tempfile.TemporaryDirectory() as folder:
        many = many_classes.make(options.samples / "programs/transformer-h200.rlcap", pathlib.Path(folder, "many.rlcap"), MANY)
        for path in (many, *(path for of in (options.samples, options.data, options.captures) for path in sorted(of.rglob("*.rlcap")))):
            for words, most in (((), SHOWN_LINES), (("--brief",), BRIEF_LINES)):
                lines = said_lines(program, *words, str(path))
                wrong += [f"{path}: show {' '.join(words)} prints {lines} lines"] if lines > most else []
    wrong += of_several(program, str(options.samples / "programs/transformer-h200.rlcap"))
    wrong += told_twice(program, options.data / "triton-h100-sampled.rlcap")
    if captures < 20 or kernels < 60:
        wrong.append(f"only {captures} captures and {kernels} kernels could be looked at")
    print("\n".join(wrong) if wrong else f"{captures} overviews, {kernels} kernels")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
