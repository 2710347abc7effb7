#!/usr/bin/env python3
"""What samples of the whole GPU say of each moment, on a card: moments.cu, whose phases are known. Without a GPU or the permission for counters it
is skipped (77).

usage: test_moments.py --rooflight PROGRAM --program MOMENTS [--keep CAPTURE]"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

CHECKS, FAILED = 0, []


def check(condition, text):
    global CHECKS
    CHECKS += 1
    print(f"{'ok' if condition else 'FAILED'}: {text}")
    if not condition:
        FAILED.append(text)


def mean(timeline, counter, bins):
    """Of the samples in some bins; None: there are none."""
    lane = next((lane for lane in timeline["samples"] if lane["counter"] == counter), None)
    told = [(lane["bins"][i], timeline["sampled_bins_s"][i]) for i in bins if lane and lane["bins"][i] is not None]
    whole = sum(seconds for _, seconds in told)
    return sum(rate * seconds for rate, seconds in told) / whole if whole else None


def bins_of(timeline, lane, label=None):
    """Bins that the lane fills; `label`: that of the kernel."""
    rows = [row for row in timeline["lanes"] if row["lane"] == lane and (not label or label in (row.get("kernel") or ""))]
    return [i for i in range(timeline["bins"]) if sum(row["bins_s"][i] for row in rows) > 0.98 * timeline["bin_s"]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rooflight", required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("--keep", help="copy the capture here")
    arguments = parser.parse_args()
    if not shutil.which("nvidia-smi") or subprocess.run(["nvidia-smi", "-L"], capture_output=True).returncode != 0:
        print("no GPU here")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        capture = os.path.join(folder, "moments.rlcap")
        done = subprocess.run([arguments.rooflight, "collect", "--sample-gpu", "-o", capture, "--", arguments.program],
                              capture_output=True, text=True, timeout=300)
        print(done.stdout, done.stderr)
        if done.returncode == 0 and "not permitted" in done.stderr:
            sys.exit(77)
        check(done.returncode == 0, "exit status")
        timeline = json.loads(subprocess.run([arguments.rooflight, "show", "--timeline", "--json", capture], capture_output=True, text=True,
                                             check=True).stdout)["timelines"][0]
        print(subprocess.run([arguments.rooflight, "show", "--timeline", capture], capture_output=True, text=True, check=True).stdout)
        if arguments.keep:
            shutil.copy(capture, arguments.keep)
    rates = {name: float(work) / float(seconds) for name, work, seconds in re.findall(r"phase (\w+) (\d+) ([0-9.]+)", done.stdout)}
    print("lanes:", {row["counter"]: (row["mean"], row["roof"]) for row in timeline["samples"]}, "covered:", timeline.get("sampled"))
    check(timeline.get("sampled", 0) > 0.01, f"samples cover {timeline.get('sampled')}")
    stream, upload, multiply = (bins_of(timeline, "class", "stream"), bins_of(timeline, "to_device"), bins_of(timeline, "class", "multiply"))
    idle = [i for i in range(timeline["bins"]) if not sum(row["bins_s"][i] for row in timeline["lanes"] if row["lane"] == "busy")]
    print("bins:", {"stream": len(stream), "upload": len(upload), "multiply": len(multiply), "idle": len(idle)})
    for counter in ("dram_read", "dram_write"):
        found = mean(timeline, counter, stream)
        check(found and abs(found / rates["stream"] - 1) < 0.05, f"{counter} while memory is copied: {found} B/s, by the clock {rates['stream']}")
        found = mean(timeline, counter, multiply)
        check(found is not None and found < 0.02 * rates["stream"], f"{counter} while registers are multiplied: {found} B/s")
    for counter, bins, least, most in (("sm_active", stream, 0.85, 1.001), ("sm_active", multiply, 0.85, 1.001), ("sm_active", idle, -1, 0.01),
                                       ("tensor", stream, -1, 0.01), ("tensor", multiply, 0.3, 1.02), ("dram_read", idle, -1, 0.02 * rates["stream"])):
        found = mean(timeline, counter, bins)
        if bins is idle and found is None:
            print(f"{counter}: no samples while nothing ran")
            continue
        check(found is not None and least <= found <= most, f"{counter}: {found}, from {least} to {most}")
    towards = {counter: mean(timeline, counter, upload) for counter in ("pcie_read", "pcie_write")}
    print(f"uploads at {rates['upload']} B/s by the clock: {towards}")
    if towards["pcie_read"] is None:
        print("no samples while memory was uploaded: windows follow kernels")
    else:
        check(abs(towards["pcie_read"] / rates["upload"] - 1) < 0.15, "PCIe read data is what is copied to the card")
    print(f"{CHECKS - len(FAILED)} passed, {len(FAILED)} failed")
    sys.exit(1 if FAILED else 0)


if __name__ == "__main__":
    main()
