"""How long a brief is: of every capture an overview of at most 8 kB, and of every kernel at most 6 kB, as text and as JSON.

    brief.py --program rooflight --captures FOLDER --samples FOLDER --data FOLDER
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys

OVERVIEW, KERNEL, HEAD = 8192, 6144, 512  # bytes; HEAD: what stands around a kernel that was asked for
KERNELS = 40  # of each capture: enough to meet every kind of kernel
AT_ONCE = 8  # kernels that one brief has room for


def said(program, *arguments):
    """Standard output of the program in bytes; None where it refused."""
    done = subprocess.run([program, "show", "--brief", *arguments], capture_output=True, timeout=120)
    return done.stdout if done.returncode == 0 else None


def ids(program, capture):
    done = subprocess.run([program, "show", "--csv", "--columns", "id", "--sort", "gpu_s", capture], capture_output=True, text=True, timeout=120)
    return [line.strip('"') for line in done.stdout.splitlines()[1:] if line]


def sizes_of(program, capture, wanted):
    """Bytes of each of these kernels, as text and as JSON, as far as one run has room for all of them."""
    pattern, sizes = f"^({'|'.join(wanted)})$", collections.defaultdict(list)
    text, data = (said(program, *form, "--kernel", pattern, capture) or b"" for form in ((), ("--json",)))
    heads = [*(found.start() for found in re.finditer(rb"(?m)^(%s) " % "|".join(wanted).encode(), text)), len(text)]
    for start, end in zip(heads, heads[1:]):
        sizes[text[start:].split(maxsplit=1)[0].decode()].append(end - start)
    for element in re.findall(rb"(?ms)^    \{$.*?^    \},?$", data):
        sizes[re.search(rb'"id": "([^"]*)"', element)[1].decode()].append(len(element))
    return sizes


def of_kernels(program, capture):
    """What is too long of the kernels of a capture, and how many were looked at: some at once, and by itself what is missing there."""
    wanted = list(dict.fromkeys(ids(program, capture)[:KERNELS]))
    for first in range(0, len(wanted), AT_ONCE):
        sizes = sizes_of(program, capture, wanted[first:first + AT_ONCE])
        for one in wanted[first:first + AT_ONCE]:
            if len(sizes[one]) < 2 or len(wanted) == 1:
                yield from by_itself(program, capture, one)
            elif max(sizes[one]) > KERNEL:
                yield 0, f"{capture}: {one}: {sizes[one]} bytes of text and of JSON"
    yield len(wanted), None


def by_itself(program, capture, one):
    text, data = said(program, "--kernel", f"^{one}$", capture), said(program, "--json", "--kernel", f"^{one}$", capture)
    if text is None or data is None:
        yield 0, f"{capture}: {one}: is in the list of kernels, and none matches it"
        return
    # Ranks have one class several times.
    count = max(1, len(json.loads(data)["kernels"]))
    if len(text) > count * KERNEL + HEAD or len(data) > count * KERNEL + HEAD:
        yield 0, f"{capture}: {one}: {len(text)} bytes of text and {len(data)} of JSON for {count}"


def told_twice(program, capture):
    """What the kernels of a capture say twice of what is unknown; a reason may be longer than a row has room for."""
    kernels = json.loads(said(program, "--json", "--kernel", ".", str(capture)))["kernels"]
    lists = [[(row["reason"], row.get("how")) for row in kernel["unknown"]] for kernel in kernels]
    if not any(reason.endswith("\u2026") for rows in lists for reason, _ in rows):
        return [f"{capture}: has no long reason"]
    return [f"{capture}: twice: {row}" for rows in lists for row in set(rows) if rows.count(row) > 1]


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
    options = parser.parse_args()
    program, wrong, captures, kernels = str(options.program), [], 0, 0
    for path in sorted(options.captures.glob("*.rlcap")) + sorted(options.samples.rglob("*.rlcap")):
        capture = str(path)
        text, data = said(program, capture), said(program, "--json", capture)
        if text is None:  # made to be refused
            continue
        captures += 1
        whole = said(program, "--json", "--kernel", ".", capture)
        wrong += [f"{capture}: cut: {fault}" for one in (data, whole) if one for fault in cut(json.loads(one))]
        if len(text) > OVERVIEW or len(data) > OVERVIEW:
            wrong.append(f"{capture}: overview of {len(text)} bytes of text and {len(data)} of JSON")
        for looked, fault in of_kernels(program, capture):
            kernels += looked
            wrong += [fault] if fault else []
    wrong += told_twice(program, options.data / "triton-h100-sampled.rlcap")
    if captures < 20 or kernels < 150:
        wrong.append(f"only {captures} captures and {kernels} kernels could be looked at")
    print("\n".join(wrong) if wrong else f"{captures} overviews, {kernels} kernels")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
