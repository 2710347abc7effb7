#!/usr/bin/env python3
"""Programs that use CUPTI themselves, on a card: each by itself and under `rooflight collect`, and what differs. Of lines that begin alike, all but
times must be the same, and times within NOISE. One table at the end: what the program got, plain and observed, and what the capture has.

usage: guests.py --rooflight PROGRAM --guest PROGRAM [--keep FOLDER] [--patience SECONDS] [--errors] [NAME ...]

--guest: guests/cupti.cu, built. NAME: programs whose names contain it, or are NAME where it ends with @.
Exit status 77 when there is no GPU, 1 when something differs."""
import argparse
import glob
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

FOLDER = pathlib.Path(__file__).resolve().with_name("guests")
NOISE, LEAST = 0.10, 0.01  # of a time, and in its unit: ms where it is short
LIBRARIES = ("/usr/local/cuda/extras/CUPTI/lib64/libcupti.so.13", "/usr/local/cuda*/targets/x86_64-linux/lib/libcupti.so.13", "/usr/local/cuda*/lib64/libcupti.so.13",
             f"{sys.prefix}/lib/python3*/site-packages/nvidia/*/lib/libcupti.so.13")

# Name and command.
PROGRAMS = (
    ("activities", ["{guest}", "{cupti}", "activity"]),
    ("torch.profiler", ["{python}", "{folder}/torch_profiler.py"]),
    ("callbacks", ["{guest}", "{cupti}", "callbacks"]),
    ("range profiler", ["{guest}", "{cupti}", "ranges"]),
    ("PC sampling", ["{guest}", "{cupti}", "samples"]),
    ("Proton", ["{python}", "{folder}/proton.py"]),
    ("jax.profiler", ["{python}", "{folder}/jax_profiler.py"]),
    ("a copy of its own", ["{guest}", "{private}", "activity"]),
    ("Proton, PC sampling", ["{python}", "{folder}/proton.py", "pcsampling"]),
    ("before CUDA", ["{guest}", "{cupti}", "early"]),
    ("torch.profiler before CUDA", ["{python}", "{folder}/torch_profiler.py", "cold"]),
)


def library():
    for pattern in LIBRARIES:
        for path in sorted(glob.glob(pattern)):
            return os.path.realpath(path)
    return None


def run(command, folder, environment, patience):
    """Status, output, errors, seconds; whoever hangs goes with all that it has started."""
    begin = time.monotonic()
    with subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          start_new_session=True) as process:
        try:
            out, err = process.communicate(timeout=patience)
            status = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            status = "hangs"
    return status, out, err, time.monotonic() - begin


NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def is_near(one, other):
    """Two lines that say how long kernels took, in whatever unit: alike but for numbers, and the first of these nearly the same."""
    first, second = (float(NUMBER.findall(line.split("time of", 1)[1])[0]) for line in (one, other))
    return NUMBER.sub("#", one) == NUMBER.sub("#", other) and abs(second - first) <= NOISE * first + LEAST


def differences(plain, observed):
    found = []
    a, b = plain.splitlines(), observed.splitlines()
    for one, other in zip(a, b):
        if one != other and not ("time of" in one and "time of" in other and is_near(one, other)):
            found.append(f"{other!r}, by itself {one!r}")
    if len(a) != len(b):
        found.append(f"{len(b)} lines, by itself {len(a)}: {b[len(a):] or a[len(b):]}")
    return found


def of_capture(rooflight, path):
    done = subprocess.run([rooflight, "show", "--json", path], capture_output=True, text=True, timeout=60)
    if done.returncode:
        return None, f"no capture: {done.stderr.strip()[:200]}"
    shown = json.loads(done.stdout)
    kernels = shown["kernels"]
    launches = sum(kernel["launches"] for kernel in kernels)
    timed = sum((kernel["duration_s"] or {}).get("n") or 0 for kernel in kernels)
    counted = sum(1 for kernel in kernels if any(value is not None for value in kernel["metrics"].values()))
    return shown, f"{launches} launches of {len(kernels)} configurations, {timed} timed, {counted} configurations counted"


def lines_of_log(shown):
    return [entry["text"] for entry in shown.get("log", ()) if "CUPTI" in entry["text"] or entry["level"] in ("error", "warning")] if shown else []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rooflight", required=True)
    parser.add_argument("--guest", required=True)
    parser.add_argument("--keep")
    parser.add_argument("--errors", action="store_true", help="also what the observed program has written to standard error")
    parser.add_argument("--patience", type=float, default=60, metavar="SECONDS")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    if subprocess.run([sys.executable, "-c", "import ctypes; raise SystemExit(ctypes.CDLL('libcuda.so.1').cuInit(0) != 0)"], capture_output=True).returncode:
        print("SKIPPED: no GPU")
        return 77
    cupti, failed, table = library(), [], []
    if not cupti:
        print("SKIPPED: no libcupti.so.13")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        private = f"{folder}/private/libcupti.so.13"
        os.mkdir(f"{folder}/private")
        shutil.copy(cupti, private)
        environment = dict(os.environ, LD_LIBRARY_PATH=f"{os.path.dirname(cupti)}:" + os.environ.get("LD_LIBRARY_PATH", ""))
        for name, command in PROGRAMS:
            if arguments.names and not any(part in name + "@" for part in arguments.names):
                continue
            words = [word.format(python=sys.executable, folder=FOLDER, guest=os.path.abspath(arguments.guest), cupti=cupti, private=private) for word in command]
            capture = f"{folder}/{re.sub('[^a-z]+', '_', name.lower())}.rlcap"
            plain = run(words, folder, environment, arguments.patience)
            observed = run([os.path.abspath(arguments.rooflight), "collect", "-o", capture, "--", *words], folder, environment,
                           arguments.patience)
            shown, has = of_capture(arguments.rooflight, capture) if os.path.exists(capture) else (None, "no capture")
            wrong = differences(plain[1], observed[1]) + ([f"status {observed[0]}, by itself {plain[0]}"] if observed[0] != plain[0] else [])
            print(f"==== {name}: {'the same' if not wrong else 'DIFFERS'}; {plain[3]:.1f} s, observed {observed[3]:.1f} s", flush=True)
            print(plain[1].rstrip(), *([f"  status {plain[0]}"] if plain[0] else []), sep="\n")
            if plain[0]:
                print("  " + plain[2][-1500:])
            for text in wrong:
                print(f"  DIFFERS: {text}")
            if observed[0] != plain[0] or arguments.errors:
                print("  observed: " + (observed[2] if arguments.errors else observed[2][-1500:]))
            print(f"  capture: {has}")
            for line in lines_of_log(shown):
                print(f"  log: {line}")
            print(flush=True)
            failed += [name] if wrong else []
            table.append((name, "the same" if not wrong else "DIFFERS", str(observed[0]), f"{plain[3]:.1f} s", f"{observed[3]:.1f} s", has))
            if arguments.keep and os.path.exists(capture):
                shutil.copy(capture, arguments.keep)
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]) - 1)] if table else []
    for row in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)) + "  " + row[-1])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
