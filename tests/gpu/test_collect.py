#!/usr/bin/env python3
"""`rooflight collect` on a real card: results, counters against arithmetic, faults, kill -9.

usage: test_collect.py --rooflight PROGRAM --stand-in FOLDER
Exit status 77 when there is no GPU (the test is skipped), 1 when something is wrong."""
import argparse
import glob
import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

CHECKS = 0
FAILED = []


def check(condition, text):
    global CHECKS
    CHECKS += 1
    if not condition:
        FAILED.append(text)
        print(f"FAILED: {text}")


def rooflight(*arguments, environment=None):
    return subprocess.run([PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env={**os.environ, **(environment or {})}, timeout=300)


def show(path):
    done = rooflight("show", path, "--json")
    check(done.returncode == 0, f"show {path}: {done.stderr}")
    return json.loads(done.stdout)


def kernels_by_variant(capture):
    return {f"{k['experiment']}/{k['variant']}": k for k in capture["kernels"]}


def timed_by_kernel(capture):
    """Variants whose kernels are timed and counted one by one."""
    return {f"{e['experiment']}/{v['variant']}" for e in capture["experiments"] for v in e["variants"] if v["measure"] == "kernel"}


def test_whole_suite(folder):
    path = os.path.join(folder, "suite.rlcap")
    done = rooflight("collect", "-o", path)
    check(done.returncode == 0, f"collect: {done.stderr}")
    capture = show(path)
    check(capture["complete"] is True, "the capture is complete")
    check(len(capture["gpus"]) == 1 and capture["gpus"][0]["sm_count"] > 0, "one GPU with its facts")
    by_kernel, few = timed_by_kernel(capture), []
    for name, kernel in kernels_by_variant(capture).items():
        check(kernel["result"] == "ok", f"{name}: result {kernel['result']}")
        if name not in by_kernel:
            continue  # timed as a whole, not counted
        samples = kernel["duration_s"]["n"]
        check(samples >= 6, f"{name}: {samples} samples")
        if samples < 30:
            few.append(f"{name}: {samples} samples")
        check(kernel["metrics"]["instructions"] > 0, f"{name}: instructions {kernel['metrics']['instructions']}")
        check(0 < kernel["metrics"]["achieved_occupancy"] <= 1, f"{name}: occupancy {kernel['metrics']['achieved_occupancy']}")
        low, high = kernel["metrics"]["achieved_occupancy"], kernel["metrics"]["theoretical_occupancy"]
        check(low <= high + 0.01, f"{name}: achieved occupancy {low} above theoretical {high}")
    check(len(few) <= 0.05 * len(by_kernel), f"the time was up before 30 samples, of which one in twenty is allowed: {few}")
    return capture


# Counted operations over those of the model, at least and at most; all others are equal.
FLOP_RATIO = {
    "reduction/atomic": (0, 0),               # an addition by an atomic is no floating-point instruction
    "reduction/warp_shuffle_grid": (1, 1.2),  # sums of threads and warps are added once more
    "staging/barrier_low": (1, 1.001),        # a thread that waits at an asynchronous barrier computes for how long
    "staging/barrier_balanced": (1, 1.001),
    "staging/barrier_high": (1, 1.001),
}


def test_flop_against_model(capture):
    """Floating-point operations are exact for every variant with a model, but for those listed above."""
    kernels, judged = kernels_by_variant(capture), 0
    for experiment in capture["experiments"]:
        for variant in experiment["variants"]:
            name, model = f"{experiment['experiment']}/{variant['variant']}", variant["model_flop"]
            if model is None or variant["measure"] != "kernel" or kernels[name]["metrics"]["flop_total"] is None:
                continue
            judged += 1
            counted = kernels[name]["metrics"]["flop_total"]
            least, most = FLOP_RATIO.get(name, (1, 1))
            check(least * model <= counted <= most * model, f"{name}: {counted} FLOP counted, the model says {model}")
    check(judged >= 20, f"only {judged} variants have a model and counted operations")


def test_dram_bytes(folder):
    """Buffers over 1 GiB: DRAM traffic within 2 % of the model."""
    path = os.path.join(folder, "large.rlcap")
    done = rooflight("collect", "-o", path, "--size", str(1 << 29), "coalescing/stride_1")
    check(done.returncode == 0, f"collect 2 GiB: {done.stderr}")
    kernel = kernels_by_variant(show(path))["coalescing/stride_1"]
    for metric in ("dram_read_bytes", "dram_write_bytes"):
        deviation = kernel["metrics"][metric] / (4 << 29) - 1
        check(abs(deviation) < 0.02, f"2 GiB {metric}: {deviation:+.4f}")


def test_known_counters(capture):
    kernels = kernels_by_variant(capture)
    for stride, sectors in ((1, 4), (2, 8), (4, 16), (8, 32), (16, 32), (32, 32)):
        metrics = kernels[f"coalescing/stride_{stride}"]["metrics"]
        check(metrics["sectors_per_request_load"] == sectors, f"stride {stride}: {metrics['sectors_per_request_load']} sectors per load")
    check(kernels["transpose/tiled"]["metrics"]["shared_conflict_ways"] > 8, "the unpadded tile has bank conflicts")
    check(kernels["transpose/tiled_padded"]["metrics"]["shared_conflict_ways"] < 1.05, "the padded tile has none")
    ways = {variant: kernels[f"bank_conflicts/{variant}"]["metrics"]["shared_conflict_ways"] for variant in ("column", "column_padded")}
    check(abs(ways["column"] - 32) < 0.5 and abs(ways["column_padded"] - 1) < 0.02, f"bank conflicts: {ways}")
    for word, size in (("float", 128), ("float2", 256), ("float4", 512)):
        loaded = kernels[f"vector_width/{word}"]["metrics"]["bytes_per_load"]
        check(loaded == size, f"{word}: {loaded} bytes per load instruction of a warp")
    check(kernels["divergence/divergent"]["metrics"]["warp_execution_efficiency"] < 0.75, "divergence shows in warp execution efficiency")
    check(kernels["register_pressure/live128_bounded"]["metrics"]["spill_bytes"] > 0, "capped registers spill")
    check(kernels["register_pressure/lean"]["metrics"]["spill_bytes"] == 0, "the lean kernel does not spill")


def test_self_check(capture):
    """What is known on paper was counted: no claim of the experiment failed, and at most those were left open that a chip has no counter for."""
    claims = next(e for e in capture["experiments"] if e["experiment"] == "self_check")["claims"]
    for claim in claims:
        check(claim["outcome"] != "did not hold", f"self check: {claim['id']}: {claim['verdict']}")
    held = [claim["id"] for claim in claims if claim["outcome"] == "held"]
    check(len(held) >= 25, f"self check: of {len(claims)} claims only {held} held")


def test_selection(folder):
    path = os.path.join(folder, "part.rlcap")
    check(rooflight("collect", "--quick", "-o", path, "transpose", "ilp/serial").returncode == 0, "part of the suite")
    names = set(kernels_by_variant(show(path)))
    check(names == {"transpose/copy", "transpose/naive", "transpose/tiled", "transpose/tiled_padded", "ilp/serial"}, f"selected {names}")
    check(rooflight("collect", "-o", path, "no_such").returncode == 2, "an unknown experiment is wrong usage")
    check(rooflight("collect", "-o", path, "ilp/no_such").returncode == 2, "an unknown variant is wrong usage")
    check(rooflight("collect", "--gpu", "99", "-o", path, "ilp").returncode == 2, "an unknown GPU is wrong usage")
    check(rooflight("collect", "-o", "/nonexistent/x.rlcap", "ilp").returncode == 1, "an output that cannot be written")


def test_refusals(folder, stand_in):
    """Refused counters: one clear line, times all the same, metrics marked."""
    real = json.loads(rooflight("doctor", "--json").stdout)
    cupti = next(c for c in real["checks"] if c["name"] == "CUPTI")["detail"].split(", ")[1]
    cures = ("administrators", "run with sudo", "NVreg_RestrictProfilingToAdminUsers=0", "--cap-add=SYS_ADMIN")
    cases = [("cuptiProfilerGetCounterAvailability", 35, cures, "counters not permitted"),
             ("cuptiRangeProfilerEnable", 26, ("another tool holds",), "not collected"),
             ("cuptiProfilerInitialize", 15, ("driver is older",), "not collected"),
             ("cuptiRangeProfilerStart", 8, ("nearly full",), "not collected"),
             ("cuptiProfilerHostInitialize", 46, ("does not know the chip",), "not collected")]
    for function, code, words, reason in cases:
        path = os.path.join(folder, f"refused_{code}.rlcap")
        environment = {"ROOFLIGHT_CUPTI_DIR": stand_in, "RL_REAL_CUPTI": cupti, "RL_REFUSE": function, "RL_REFUSE_CODE": str(code)}
        done = rooflight("collect", "--quick", "-o", path, "ilp", environment=environment)
        check(done.returncode == 0, f"{function} -> {code}: exit {done.returncode} {done.stderr}")
        check(all(word in done.stderr for word in words), f"{function} -> {code}: says {done.stderr!r}, not all of {words}")
        kernel = kernels_by_variant(show(path))["ilp/serial"]
        check(kernel["duration_s"]["n"] >= 30, f"{function} -> {code}: times are there")
        check(kernel["metrics"]["instructions"] is None, f"{function} -> {code}: no invented counter")
        check(kernel["metrics"].get("missing", {}).get("instructions") == reason, f"{function} -> {code}: reason {kernel['metrics'].get('missing')}")
        check(kernel["metrics"]["theoretical_occupancy"] is not None, f"{function} -> {code}: static occupancy is there")


def test_disk_full(folder):
    """No room for the capture: one error, exit status 1, and an old file as it was, which a note says."""
    path = os.path.join(folder, "full.rlcap")
    with open(path, "wb") as old:
        old.write(b"old")
    done = subprocess.run([PROGRAM, "collect", "--quick", "-o", path, "ilp/serial"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=120, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192)))
    check(done.returncode == 1, f"disk full: exit {done.returncode}")
    errors = [line for line in done.stderr.splitlines() if line.startswith("rooflight: collect: ")]
    check(len(errors) == 1 and len(done.stderr.splitlines()) == 2 and "stays until" in done.stderr, f"disk full: says {done.stderr!r}")
    check(open(path, "rb").read() == b"old", "disk full: the old file is as it was")
    check(os.listdir(folder).count("full.rlcap.partial") == 0, "disk full: nothing half-written is left")


def timed_kernels(path):
    """Kernels with times in a capture that is being written; 0 when there is none yet."""
    try:
        with sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True) as db:
            return db.execute("SELECT count(DISTINCT kernel) FROM duration").fetchone()[0]
    except sqlite3.Error:
        return 0


def kill_at(path, growing, kernels):
    """Starts a collect of the suite and kills it once so many kernels are in the growing capture; returns their number."""
    process = subprocess.Popen([PROGRAM, "collect", "--quiet", "--ceilings", "none", "-o", path], stderr=subprocess.DEVNULL)
    seen, end = 0, time.monotonic() + 120
    while seen < kernels and process.poll() is None and time.monotonic() < end:
        time.sleep(0.02)
        seen = timed_kernels(growing)
    process.kill()
    check(process.wait() == -signal.SIGKILL, f"kill -9 at {kernels} kernels: it had ended with {process.returncode}")
    check(seen >= kernels, f"kill -9 at {kernels} kernels: only {seen} were written")
    return seen


def check_unfinished(path, least):
    """It reads, says that it is not complete, and holds what was finished."""
    capture = show(path)
    check(capture["complete"] is False, f"kill -9 at {least} kernels: marked incomplete")
    finished = [k for k in capture["kernels"] if k["result"] == "ok" and k["duration_s"]["n"]]
    check(len(finished) >= least, f"kill -9 at {least} kernels: {len(finished)} of {len(capture['kernels'])} are whole")


def test_killed(folder):
    """kill -9 at several moments leaves a readable capture marked incomplete, with what was finished; and an old file as it was."""
    for kernels in (1, 4, 12, 30):
        path = os.path.join(folder, f"killed_{kernels}.rlcap")
        check_unfinished(path, kill_at(path, path, kernels))
        leftovers = [f for f in glob.glob(path + "*") if f != path]
        check(len(leftovers) <= 1, f"kill -9 at {kernels} kernels: {leftovers}")
    path = os.path.join(folder, "suite.rlcap")
    before = open(path, "rb").read()
    seen = kill_at(path, path + ".partial", 2)
    check(open(path, "rb").read() == before, "a complete capture is not replaced by half of another")
    check_unfinished(path + ".partial", seen)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rooflight", required=True)
    parser.add_argument("--stand-in", required=True)
    arguments = parser.parse_args()
    global PROGRAM
    PROGRAM = arguments.rooflight
    if not glob.glob("/proc/driver/nvidia/gpus/*") and not os.path.exists("/dev/nvidia0"):
        print("SKIPPED: no GPU")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        capture = test_whole_suite(folder)
        for test, subject in ((test_flop_against_model, [capture]), (test_known_counters, [capture]), (test_self_check, [capture]), (test_dram_bytes, [folder]),
                              (test_selection, [folder]), (test_refusals, [folder, arguments.stand_in]), (test_disk_full, [folder]),
                              (test_killed, [folder])):
            try:
                test(*subject)
            except (KeyError, TypeError, OSError, subprocess.SubprocessError) as error:  # one broken test must not hide the others
                check(False, f"{test.__name__}: {type(error).__name__}: {error}")
    print(f"{CHECKS - len(FAILED)} passed, {len(FAILED)} failed")
    return 1 if FAILED else 0


if __name__ == "__main__":
    sys.exit(main())
