"""How long a brief is: of every capture an overview of at most 8 kB, and of every kernel at most 6 kB, as text and as JSON.

    brief.py --program rooflight --captures FOLDER --samples FOLDER --data FOLDER
"""
import argparse
import json
import pathlib
import subprocess
import sys

OVERVIEW, KERNEL, HEAD = 8192, 6144, 512  # bytes; HEAD: what stands around a kernel that was asked for
KERNELS = 40  # of each capture: enough to meet every kind of kernel


def said(program, *arguments):
    """Standard output of the program in bytes; None where it refused."""
    done = subprocess.run([program, "show", "--brief", *arguments], capture_output=True, timeout=120)
    return done.stdout if done.returncode == 0 else None


def ids(program, capture):
    done = subprocess.run([program, "show", "--csv", "--columns", "id", "--sort", "gpu_s", capture], capture_output=True, text=True, timeout=120)
    return [line.strip('"') for line in done.stdout.splitlines()[1:] if line]


def of_kernels(program, capture):
    """What is too long of the kernels of a capture, and how many were looked at."""
    looked = 0
    for one in ids(program, capture)[:KERNELS]:
        text, data = said(program, "--kernel", f"^{one}$", capture), said(program, "--json", "--kernel", f"^{one}$", capture)
        if text is None or data is None:
            yield 0, f"{capture}: {one}: is in the list of kernels, and none matches it"
            continue
        # Ranks have one class several times.
        count = max(1, len(json.loads(data)["kernels"]))
        looked += 1
        if len(text) > count * KERNEL + HEAD or len(data) > count * KERNEL + HEAD:
            yield 0, f"{capture}: {one}: {len(text)} bytes of text and {len(data)} of JSON for {count}"
    yield looked, None


def told_twice(program, capture):
    """What the kernels of a capture say twice of what is unknown; a reason may be longer than a row has room for."""
    kernels = json.loads(said(program, "--json", "--kernel", ".", str(capture)))["kernels"]
    lists = [[(row["reason"], row.get("how")) for row in kernel["unknown"]] for kernel in kernels]
    if not any(len(reason) >= 300 for rows in lists for reason, _ in rows):
        return [f"{capture}: has no long reason"]
    return [f"{capture}: twice: {row}" for rows in lists for row in set(rows) if rows.count(row) > 1]


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
