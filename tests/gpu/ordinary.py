#!/usr/bin/env python3
"""Ordinary programs, each plain, under `rooflight collect` and under Nsight Compute, in turn in one session.

usage: ordinary.py --rooflight PROGRAM --list FILE.tsv [--ncu PROGRAM] [--no-ncu] [--out FOLDER] [--limit-s S] [--only NAME ...]
                   [--part K/N] [--options "..."] [--repeat N]
       ordinary.py --add ordinary.json ...                                   one table of several parts
       ordinary.py --limiters --rooflight PROGRAM --out FOLDER               only the comparison of limiters, from the files of a run
       ordinary.py --test

FILE.tsv has a line for each program: name, folder (relative to the file), command (run in that folder, without a shell). Every program
runs once to warm the file caches, then --repeat times in turn: plain, `collect` without options (or with --options), ncu with the first
launch of every kernel and all of its breakdown. Wall times are medians. A command over --limit-s is killed with all its processes.

Shares of GPU time come from the raw tables of the capture (kernel, kernel_use, counted, pass, sampled_value), not from a derived column:

counted        a row of `kernel` (a class, or a population of one) with two counted launches or more under each of the hardware and the
               SASS configuration, whose counts of work agree within 5 %; or of which every launch was counted under both
hardware only  counted launches under the hardware configuration, none under the SASS configuration
apart          counted, but with a single launch, or counts further apart than 5 %
sampled        none of these, with PM samples
once           launched once, and not counted: overlaps the last three

Unknown is the share of GPU time for which `show --json` has no limiter. Prints Markdown; FOLDER gets ordinary.json, NAME.rlcap and
NAME.csv. Exit status 0 whatever the figures are, 77 without a GPU.
"""
import argparse
import collections
import glob
import json
import math
import os
import re
import shlex
import shutil
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

from against_breakdown import LEAST_SHARE, SHARE_OF_PEAK, key_of, read_csv
from against_ncu import share as part_of
from against_ncu import share_of

MARK = "ROOFLIGHT_ORDINARY"  # in the environment of every process that a command starts
AGREE = 0.05                 # counts of launches that do the same work
TIE = 5.0                    # points of the peak: ncu's units this close to its greatest are equal to it
MOST_EXTRA_S, MOST_EXTRA = 1.0, 0.05
ENOUGH = 0.95
# Counters that depend on the work of a launch alone, for captures that do not name them.
WORK = ("smsp__sass_inst_executed.sum", "smsp__sass_branch_targets.sum", "smsp__inst_executed.sum", "l1tex__t_sectors.sum",
        "lts__t_sectors_srcunit_tex.sum", "lts__t_sectors_srcunit_tex_op_read.sum")
NCU_PLACES = ("/usr/local/cuda/bin", "/usr/local/cuda-*/bin", "/opt/nvidia/nsight-compute/*", "/usr/local/NVIDIA-Nsight-Compute*",
              "/usr/local/cuda*/nsight-compute-*")
NCU_METRICS = ",".join("breakdown:" + name + SHARE_OF_PEAK for name in ("gpu__compute_memory_throughput", "sm__throughput"))
NCU_OPTIONS = ["--kernel-id", ":::1", "--clock-control", "none", "--cache-control", "none", "--section", "SpeedOfLight", "--section",
               "MemoryWorkloadAnalysis_Tables", "--metrics", NCU_METRICS, "--csv", "--page", "raw", "--print-units", "base"]

# Counters of ncu's breakdown (the first expression that fits) and the resources of analysis/limits.def that are the same unit.
UNITS = [
    (r"dram__|fbpa__", "dram dram_read dram_write"),
    (r"lts__d_atomic", "atomic_unit atomics"),
    (r"lts__xbar2lts", "l2_input l2_write"),
    (r"lts__lts2xbar", "l2_output l2_read"),
    (r"lts__t_tag", "l2_tags l2_read l2_write"),
    (r"lts__", "l2 l2_read l2_write l2_tags"),
    (r"l1tex__data_(pipe_lsu|bank)", "l1_data l1 shared"),
    (r"l1tex__lsu", "pipe_lsu l1_data"),
    (r"l1tex__m_xbar2l1tex", "l2_output l2_read"),
    (r"l1tex__m_l1tex2xbar", "l2_input l2_write"),
    (r"l1tex__(data_pipe_tex|f_|tex|tmain)", "pipe_tex l1"),
    (r"l1tex__", "l1 l1_data"),
    (r"idc__", "constant"),
    (r"sm__(issue_active|inst_issued|inst_executed$)", "issue"),
    (r"sm__(mio|inst_executed_pipe_lsu)", "pipe_lsu"),
    (r"sm__.*pipe_(fma.*fp16|fp16)", "fp16 pipe_fp16 pipe_fma"),
    (r"sm__.*pipe_(fma|shared)", "pipe_fma fp32"),
    (r"sm__.*tensor", "pipe_tensor tensor"),
    (r"sm__.*pipe_fp64", "pipe_fp64 fp64"),
    (r"sm__.*pipe_(alu|xu|tex|tma|uniform|cbu|adu|ipa)", r"pipe_\1"),
]
# Names of resources in print, for captures and builds whose JSON has no ids.
LABELS = {"L2 reads": "l2_read", "L2 writes": "l2_write", "path into L2": "l2_input", "L1 data stage": "l1_data", "shared memory": "shared",
          "atomic unit of an L2 slice": "atomic_unit", "instruction issue": "issue", "FMA pipe": "pipe_fma", "FP64 pipe": "pipe_fp64",
          "tensor pipe": "pipe_tensor", "XU (special functions)": "pipe_xu", "ALU": "pipe_alu", "LSU": "pipe_lsu", "TMA": "pipe_tma",
          "texture unit": "pipe_tex", "uniform datapath": "pipe_uniform", "block dispatch": "dispatch"}

Done = collections.namedtuple("Done", "seconds status lines error")       # status: None for a command that was killed at the limit
Counts = collections.namedtuple("Counts", "launches spread")              # spread: relative, of the counts of work
Kernel = collections.namedtuple("Kernel", "key launches gpu_ns hardware sass sampled")
Limiter = collections.namedtuple("Limiter", "name share reason")          # name: None where unknown; share: of its roof


# ---- commands ----

def kill_marked(mark):
    """Kills every process that has the mark in its environment, in whatever group or session it is."""
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                marked = mark in file.read().split(b"\0")
            if marked:
                os.kill(int(name), signal.SIGKILL)
        except OSError:
            pass  # ended, or another user's


def run(command, folder, limit_s):
    """Runs a command to its end or to the limit. Output goes through files: a process that is left over cannot hold a pipe open."""
    mark = f"{os.getpid()}-{time.monotonic_ns()}"
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as error:
        begin = time.monotonic()
        child = subprocess.Popen([str(word) for word in command], cwd=folder, env={**os.environ, MARK: mark}, stdin=subprocess.DEVNULL,
                                 stdout=out, stderr=error, start_new_session=True)
        try:
            status = child.wait(limit_s)
            seconds = time.monotonic() - begin
        except subprocess.TimeoutExpired:
            status, seconds = None, limit_s
            os.killpg(child.pid, signal.SIGKILL)
            kill_marked(f"{MARK}={mark}".encode())
            child.wait()
        out.seek(0)
        error.seek(0)
        return Done(seconds, status, out.read().decode(errors="replace").splitlines(), error.read().decode(errors="replace"))


def differing_lines(one, other):
    """Lines that only one of two outputs has, numbers masked: programs print times."""
    first, second = (collections.Counter(re.sub(r"[-+]?\d[\d.]*(e[-+]?\d+)?|\b(nan|inf)\b", "#", line) for line in lines)
                     for lines in (one, other))
    return max((first - second).total(), (second - first).total())


def find_ncu(named):
    """Path of ncu, or None."""
    places = [place for pattern in NCU_PLACES for place in sorted(glob.glob(pattern), reverse=True)]
    return shutil.which(named or "ncu") or (None if named else shutil.which("ncu", path=os.pathsep.join(places)))


# ---- raw tables ----

def counted_rows(database):
    """Kernel, configuration, number of counted launches, lowest and highest count of their work (None: unknown), for each pass."""
    if database.execute("SELECT 1 FROM sqlite_master WHERE name = 'counted'").fetchone():
        return database.execute("SELECT c.kernel, p.configuration, c.launches, c.lowest, c.highest FROM counted c JOIN pass p ON p.id = c.pass")
    # Captures before version 14: a counter of work has two rows or more as soon as two launches were counted, among them the least and
    # the greatest value. kernel_use.counted is 0 where a configuration is missing.
    counted = dict(database.execute("SELECT kernel, counted FROM kernel_use"))
    values = collections.defaultdict(lambda: collections.defaultdict(list))
    for kernel, number, configuration, name, value in database.execute(
            "SELECT c.kernel, p.id, p.configuration, n.name, c.value FROM counter c JOIN pass p ON p.id = c.pass "
            "JOIN counter_name n ON n.id = c.counter_name WHERE c.value IS NOT NULL"):
        values[kernel, number, configuration][name if name in WORK else ""].append(value)
    rows = []
    for (kernel, _, configuration), counters in values.items():
        work = max((of for name, of in counters.items() if name), key=len, default=[])
        launches = max(2 if len(work) > 1 else 1, counted.get(kernel, 0))
        rows.append((kernel, configuration, launches, min(work, default=None), max(work, default=None)))
    return rows


def counts_of(database):
    """(kernel, configuration): Counts of each kernel under each configuration; several modes of one are put together."""
    launches, lowest, highest = collections.Counter(), {}, {}
    for kernel, configuration, count, low, high in counted_rows(database):
        key = (kernel, configuration)
        launches[key] += count
        if low is not None:
            lowest[key], highest[key] = min(low, lowest.get(key, low)), max(high, highest.get(key, high))

    def spread(key):
        middle = (lowest[key] + highest[key]) / 2 if key in lowest else 0
        return (highest[key] - lowest[key]) / middle if middle else 0.0 if key in lowest else math.inf
    return {key: Counts(count, spread(key)) for key, count in launches.items() if count}


def together(counts, kernel, names):
    """Counts over the parts of a configuration that is spread over several passes; None where one is missing."""
    parts = [counts.get((kernel, name)) for name in names]
    return Counts(min(part.launches for part in parts), max(part.spread for part in parts)) if parts and all(parts) else None


def read_kernels(path):
    """Kernel of every row of the capture's table, and the number of launches without a record."""
    database = sqlite3.connect(f"file:{os.path.abspath(path)}?mode=ro", uri=True)
    counts = counts_of(database)
    names = {base: sorted({name for name, in database.execute("SELECT configuration FROM pass") if re.fullmatch(rf"{base}( \d+)?", name)})
             for base in ("hardware", "sass")}
    sampled = {kernel for kernel, in database.execute("SELECT DISTINCT kernel FROM sampled_value WHERE per_launch IS NOT NULL")}
    passed_ns = dict(database.execute(
        "SELECT c.kernel, avg(c.value) FROM counter c JOIN counter_name n ON n.id = c.counter_name "
        "WHERE n.name LIKE 'gpu__time_duration%' AND c.value IS NOT NULL GROUP BY c.kernel"))
    kernels = []
    for (kernel, gpu, name, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, launches, total_ns, timed,
         population) in database.execute(
            "SELECT k.id, g.ordinal, k.name, k.grid_x, k.grid_y, k.grid_z, k.block_x, k.block_y, k.block_z, k.dynamic_shared_bytes, "
            "k.launches, k.total_ns, u.timed, p.number FROM kernel k JOIN gpu g ON g.id = k.gpu LEFT JOIN kernel_use u ON u.kernel = k.id "
            "LEFT JOIN population p ON p.kernel = k.id ORDER BY k.id"):
        # A launch without a record took as long as others; one that was recorded in a window may have had its stack allocated there.
        each_ns = total_ns / (timed or launches) if total_ns else passed_ns.get(kernel, 0)
        shape = ((grid_x, grid_y, grid_z), (block_x, block_y, block_z))
        key = (gpu, name, *(one if one[0] else () for one in shape), shared, population)  # 0: not known
        kernels.append(Kernel(key, launches, each_ns * launches, together(counts, kernel, names["hardware"]),
                              together(counts, kernel, names["sass"]), kernel in sampled))
    lost, = database.execute("SELECT coalesce(sum(untimed + lost), 0) FROM process").fetchone()
    database.close()
    return kernels, lost


def evidence_of(kernel):
    """One of counted, hardware only, apart, sampled, none."""
    both = [counts for counts in (kernel.hardware, kernel.sass) if counts]
    if len(both) == 2:
        agree = all(counts.launches >= 2 and counts.spread <= AGREE for counts in both)
        return "counted" if agree or all(counts.launches >= kernel.launches for counts in both) else "apart"
    return "hardware only" if kernel.hardware else "sampled" if kernel.sampled else "none"


# ---- limiters ----

def show(rooflight, path, *options):
    done = run([rooflight, "show", "--json", *options, os.path.abspath(path)], None, 120)
    if done.status != 0:
        raise RuntimeError(f"show failed ({done.status}): {done.error.strip()[-300:]}")
    return json.loads("\n".join(done.lines))


def shown_key(kernel):
    return (kernel["gpu"], kernel["name"], tuple(kernel["grid"] or ()), tuple(kernel["block"] or ()), kernel["dynamic_shared_bytes"],
            kernel["population"])


def limiter_of(kernel):
    """By the JSON of `show`."""
    name = kernel.get("limiter")
    share = kernel.get("limiter_share", kernel.get("roof_share"))
    share = share["value"] if isinstance(share, dict) else share
    missing = kernel.get("missing", {})
    if name and not re.match(r"(unknown|none)\b", name):
        return Limiter(name, share, None)
    reason = next((missing[key] for key in ("limiter", "limiter_share", "roof_share") if key in missing), None)
    if not reason and ":" in (name or ""):
        reason = name.split(":", 1)[1].strip()
    return Limiter(None, share, reason or kernel.get("why") or "no reason given")


def resource_of(rooflight, path, kernel):
    """Limiter and resource with the greatest share of a kernel: where the JSON has no resources, by its brief."""
    limiter, resources = kernel.get("limiter"), kernel.get("resources")
    if resources is None:
        brief = show(rooflight, path, "--brief", "--shapes", "--kernel", f"^{kernel['id']}$")["kernels"][0]
        limiter, resources = brief["limiter"], brief["resources"]
    if not resources:
        return limiter, None, None
    share = resources[0]["share"]
    return limiter, resources[0]["id"], share["value"] if isinstance(share, dict) else share


def resources_of(counter):
    """Ids of the resources that are the unit of one of ncu's counters."""
    for expression, resources in UNITS:
        match = re.match(expression, counter)
        if match:
            return set(match.expand(resources).split())
    return set()


def same_unit(name, units):
    """Whether a resource here is one of ncu's units within TIE points of its greatest."""
    return bool(name) and any(LABELS.get(name, name.lower()) in resources_of(counter[:-len(SHARE_OF_PEAK)])
                              for percent, counter in units if percent >= units[0][0] - TIE)


def read_profile(path):
    """Launches of ncu's CSV: key and Row; none where it wrote no table."""
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    return read_csv(text) if '"ID"' in text else []


def compare_limiters(rooflight, capture, profile):
    """A row for each launch of which ncu finds a unit at 60 % or more, and the names of those that the capture does not have."""
    kernels, rows, unmatched = collections.defaultdict(list), [], []
    for kernel in show(rooflight, capture)["kernels"]:
        if kernel["grid"]:
            kernels[key_of(kernel["name"], kernel["grid"], kernel["block"])].append(kernel)
    for key, launch in read_profile(profile):
        if not launch.units or launch.units[0][0] < LEAST_SHARE:
            continue
        if key not in kernels:
            unmatched.append(launch.name)
            continue
        kernel = max(kernels[key], key=lambda one: one["gpu_s"] or 0)
        limiter, resource, share = resource_of(rooflight, capture, kernel)
        rows.append({"kernel": kernel["label"][:60], "gpu_s": kernel["gpu_s"] or 0, "ncu": launch.units[0][1][:-len(SHARE_OF_PEAK)],
                     "ncu_percent": launch.units[0][0], "limiter": limiter, "resource": resource, "share": share,
                     "same": same_unit(limiter, launch.units), "same_resource": same_unit(resource, launch.units)})
    return rows, unmatched


def print_limiters(results):
    rows = [(result["name"], row) for result in results for row in result.get("limiters", ())]
    if not rows:
        print("\nLimiters: ncu finds no unit at 60 % or more, or there is no profile of it.")
        return
    print("\n| program | kernel | ncu's greatest unit | of peak | limiter here | greatest resource here | share | agree |\n"
          "|---|---|---|---:|---|---|---:|---|")
    for name, row in rows:
        agree = "yes" if row["same"] else "resource only" if row["same_resource"] else "no"
        print(f"| {name} | {row['kernel']} | {row['ncu']} | {row['ncu_percent']:.1f} % | {row['limiter'] or 'unknown'} | "
              f"{row['resource'] or '–'} | {percent(row['share'])} | {agree} |")
    same, whole_s = [row for _, row in rows if row["same"]], sum(row["gpu_s"] for _, row in rows)
    print(f"\nThe limiter is ncu's greatest unit, or one within {TIE:.0f} points of it, in {len(same)} of {len(rows)} launches, "
          f"{percent(sum(row['gpu_s'] for row in same) / whole_s if whole_s else None)} of their kernels' GPU time; "
          f"the greatest resource is in {sum(row['same_resource'] for _, row in rows)}.")
    unmatched = [name for result in results for name in result.get("unmatched", ())]
    if unmatched:
        print(f"Not among the kernels of a capture: {', '.join(name.split('(')[0] for name in unmatched)}")


# ---- programs ----

def read_list(path):
    """(name, folder, command) of each line."""
    base = os.path.dirname(os.path.abspath(path))
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file if line.strip() and not line.startswith("#")]
    return [(name, os.path.join(base, folder), shlex.split(command)) for name, folder, command in lines]


def read_capture(rooflight, path, result):
    """Adds shares of GPU time and reasons to the result."""
    kernels, result["without_record"] = read_kernels(path)
    whole = sum(kernel.gpu_ns for kernel in kernels)
    result.update({"launches": sum(kernel.launches for kernel in kernels), "kernels": len(kernels), "gpu_s": whole / 1e9})
    if not whole:
        return
    limiters = {shown_key(kernel): limiter_of(kernel) for kernel in show(rooflight, path)["kernels"]}
    shares, reasons, uncounted = collections.Counter(), collections.Counter(), []
    for kernel in kernels:
        part, evidence = kernel.gpu_ns / whole, evidence_of(kernel)
        limiter = limiters.get(kernel.key) or Limiter(None, None, "not among the kernels of show --json")
        shares[evidence] += part
        shares["once"] += part if kernel.launches == 1 and evidence != "counted" else 0
        shares["limited"] += part if evidence == "counted" and limiter.name else 0
        if not limiter.name:
            shares["unknown"] += part
            reasons[limiter.reason] += part
        if evidence != "counted":
            uncounted.append({"kernel": kernel.key[1][:100], "grid": kernel.key[2], "launches": kernel.launches, "share": part, "evidence": evidence})
    result["shares"] = {name: shares[name] for name in ("counted", "hardware only", "apart", "sampled", "none", "once", "unknown")}
    result["limited_of_counted"] = shares["limited"] / shares["counted"] if shares["counted"] else None
    result["unknown_reasons"] = dict(reasons.most_common(6))
    result["uncounted"] = sorted(uncounted, key=lambda one: -one["share"])[:6]


def median_of(runs):
    return statistics.median(done.seconds for done in runs)


def measure(arguments, ncu, name, folder, command):
    """Everything about one program."""
    capture, profile = (os.path.abspath(os.path.join(arguments.out, name + suffix)) for suffix in (".rlcap", ".csv"))
    result = {"name": name, "command": command, "notes": []}
    warm = run(command, folder, arguments.limit_s)
    if warm.status is None:
        result["notes"].append(f"plain: over {arguments.limit_s:g} s, not measured")
        return result
    collect = [arguments.rooflight, "collect", "-o", capture, *shlex.split(arguments.options), "--", *command]
    profiled = [ncu, *NCU_OPTIONS, "--log-file", profile, *command]
    ways = {"plain": command, "collect": collect, **({"ncu": profiled} if ncu else {})}
    for path in (capture, profile):
        if os.path.exists(path):
            os.remove(path)
    runs = collections.defaultdict(list)
    for _ in range(arguments.repeat):
        for way, words in ways.items():
            if not runs[way] or runs[way][-1].status is not None:
                runs[way].append(run(words, folder, arguments.limit_s))
    for way, done in runs.items():
        last = next((one for one in done if one.status is None), done[-1])
        result.update({f"{way}_s": median_of(done), f"{way}_status": last.status})
        if last.status is None:
            result["notes"].append(f"{way}: killed at {arguments.limit_s:g} s")
        elif way != "plain" and last.status != runs["plain"][-1].status:
            result["notes"].append(f"{way}: status {last.status}: {' '.join((last.error.strip().splitlines() or last.lines or [''])[-1:])[:200]}")
    plain, collected = runs["plain"][-1], runs["collect"][-1]
    result["differing_lines"] = differing_lines(plain.lines, collected.lines)
    result["differing_plain"] = differing_lines(warm.lines, plain.lines)
    result["said"] = [line for line in collected.error.splitlines() if line.startswith("rooflight")][-4:]
    result["extra_s"] = result["collect_s"] - result["plain_s"]
    if ncu:
        result["ncu_extra_s"] = result["ncu_s"] - result["plain_s"]
        if result["ncu_status"] is not None and os.path.exists(profile):
            result["ncu_launches"] = len(read_profile(profile))
    if not os.path.exists(capture):
        result["notes"].append("no capture")
        return result
    read_capture(arguments.rooflight, capture, result)
    if result.get("ncu_launches"):
        result["limiters"], result["unmatched"] = compare_limiters(arguments.rooflight, capture, profile)
    return result


# ---- tables ----

COLUMNS = ["program", "plain s", "collect s", "extra s", "ncu s", "ncu extra s", "status same", "launches", "counted", "hw only", "unknown",
           "once", "limiter of counted", "lines that differ", "notes"]


def percent(share):
    return "–" if share is None else f"{100 * share:.1f} %"


def row_of(result):
    def seconds(key):
        way = key.split("_")[0]
        killed = result.get(f"{way}_status", 0) is None
        return "–" if result.get(key) is None else f"{'> ' if killed else ''}{result[key]:.2f}"
    shares = result.get("shares", {})
    same = "–" if "collect_status" not in result else "yes" if result["collect_status"] == result["plain_status"] else "NO"
    cells = [result["name"], *map(seconds, ("plain_s", "collect_s", "extra_s", "ncu_s", "ncu_extra_s")), same, result.get("launches", "–"),
             *(percent(shares.get(name)) for name in ("counted", "hardware only", "unknown", "once")), percent(result.get("limited_of_counted")),
             result.get("differing_lines", "–"), "; ".join(result["notes"])]
    return "| " + " | ".join(str(cell).replace("|", "/") for cell in cells) + " |"


def head():
    return "| " + " | ".join(COLUMNS) + " |\n|---|" + "---:|" * (len(COLUMNS) - 2) + "---|"


GOALS = {
    "same exit status": lambda r: r["collect_status"] == r["plain_status"],
    "extra <= 1.0 s + 5 %": lambda r: r["collect_status"] is not None and r["extra_s"] <= MOST_EXTRA_S + MOST_EXTRA * r["plain_s"],
    "counted >= 95 %": lambda r: r.get("shares", {}).get("counted", 0) >= ENOUGH,
    "limiter for >= 95 % of that": lambda r: (r.get("limited_of_counted") or 0) >= ENOUGH,
    "both of these": lambda r: GOALS["counted >= 95 %"](r) and GOALS["limiter for >= 95 % of that"](r),
}
AGAINST_NCU = {
    "extra <= a third of ncu's": lambda r: r["collect_status"] is not None and r["extra_s"] <= r["ncu_extra_s"] / 3,
    "extra <= ncu's": lambda r: r["collect_status"] is not None and r["extra_s"] <= r["ncu_extra_s"],
}


def with_ncu(result):
    """A profile to compare with: one that succeeded, or that was killed, whose time is a lower bound."""
    if "ncu_status" not in result:
        return False
    return result["ncu_status"] is None or bool(result["ncu_status"] == result["plain_status"] and result.get("ncu_launches"))


def print_summary(results):
    """Medians, and how many programs reach each goal, with the names of those that do not."""
    measured = [result for result in results if "collect_s" in result]
    if not measured:
        print("\nNo program was measured.")
        return
    profiled = [result for result in measured if with_ncu(result)]
    whole = sum(result.get("gpu_s", 0) for result in measured)

    def median(key, of=measured):
        values = [result[key] for result in of if result.get(key) is not None]
        return f"{statistics.median(values):.2f} s" if values else "–"

    def share(name):
        values = [result["shares"][name] for result in measured if "shares" in result]
        total = sum(result["shares"][name] * result["gpu_s"] for result in measured if "shares" in result)
        return f"{percent(statistics.median(values) if values else None)} (of all GPU time {percent(total / whole if whole else None)})"

    print(f"\n{len(measured)} programs measured, {len(results) - len(measured)} not; {len(profiled)} with a profile of ncu.")
    print(f"Medians: plain {median('plain_s')}, extra {median('extra_s')}, ncu's extra {median('ncu_extra_s', profiled)}; "
          + ", ".join(f"{name} {share(name)}" for name in ("counted", "hardware only", "apart", "sampled", "unknown", "once")))
    ratios = [result["extra_s"] / result["ncu_extra_s"] for result in profiled if result["ncu_extra_s"] > 0]
    if ratios:
        print(f"Extra time over ncu's: median {statistics.median(ratios):.2f}, greatest {max(ratios):.2f}")
    print("\n| goal | programs | not |\n|---|---:|---|")
    for goals, of in ((GOALS, measured), (AGAINST_NCU, profiled)):
        for goal, reaches in goals.items():
            failing = [result["name"] for result in of if not reaches(result)]
            print(f"| {goal} | {len(of) - len(failing)} of {len(of)} | {', '.join(failing)} |")
    reasons = collections.Counter()
    for result in measured:
        for reason, part in result.get("unknown_reasons", {}).items():
            reasons[re.sub(r"\d[\d.,]*", "#", reason)[:160]] += part
    if reasons:
        print("\n| reason for an unknown limiter | sum of shares of programs |\n|---|---:|")
        for reason, part in reasons.most_common(12):
            print(f"| {reason.replace('|', '/')} | {part:.2f} |")


def write(arguments, results):
    path = os.path.join(arguments.out, "ordinary.json")
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump({"options": arguments.options, "limit_s": arguments.limit_s, "repeat": arguments.repeat, "programs": results}, file, indent=1)
    os.replace(path + ".new", path)


def measure_all(arguments):
    ncu = None if arguments.no_ncu else find_ncu(arguments.ncu)
    if not ncu:
        why = "--no-ncu" if arguments.no_ncu else f"{arguments.ncu or 'ncu'} is neither on PATH nor in {', '.join(NCU_PLACES)}"
        print(f"without ncu: {why}")
    programs = share_of([one for one in read_list(arguments.list) if not arguments.only or one[0] in arguments.only], arguments.part)
    results = []
    print(head(), flush=True)
    for name, folder, command in programs:
        try:
            results.append(measure(arguments, ncu, name, folder, command))
        except Exception as error:  # one program must not hide the others on a borrowed GPU
            results.append({"name": name, "command": command, "notes": [f"{type(error).__name__}: {error}"[:300]]})
        print(row_of(results[-1]), flush=True)
        write(arguments, results)
    return results


def compare_all(arguments):
    """Limiters from the captures and profiles of an earlier run."""
    results = []
    for name in sorted(entry[:-len(".rlcap")] for entry in os.listdir(arguments.out) if entry.endswith(".rlcap")):
        capture, profile = (os.path.join(arguments.out, name + suffix) for suffix in (".rlcap", ".csv"))
        if os.path.exists(profile) and (not arguments.only or name in arguments.only):
            try:
                rows, unmatched = compare_limiters(arguments.rooflight, capture, profile)
                results.append({"name": name, "limiters": rows, "unmatched": unmatched})
            except (RuntimeError, ValueError, OSError) as error:
                print(f"{name}: {error}", file=sys.stderr)
    return results


# ---- test ----

def make_capture(path):
    """The tables that are read, with a class in every state."""
    database = sqlite3.connect(path)
    database.executescript("""
        CREATE TABLE gpu(id, ordinal); CREATE TABLE pass(id, gpu, configuration, mode); CREATE TABLE counter_name(id, name);
        CREATE TABLE counter(kernel, counter_name, pass, value); CREATE TABLE kernel_use(kernel, timed, counted);
        CREATE TABLE kernel(id, gpu, name, grid_x, grid_y, grid_z, block_x, block_y, block_z, dynamic_shared_bytes, launches, total_ns);
        CREATE TABLE population(kernel, number); CREATE TABLE sampled_value(kernel, per_launch); CREATE TABLE process(untimed, lost);
        INSERT INTO gpu VALUES (0, 0); INSERT INTO process VALUES (1, 2); INSERT INTO sampled_value VALUES (4, 5.0), (3, NULL);
        INSERT INTO pass VALUES (0, 0, 'hardware', 'rotate'), (1, 0, 'sass', 'rotate'), (2, 0, 'tensor', 'rotate');
        INSERT INTO counter_name VALUES (0, 'l1tex__t_sectors.sum'), (1, 'smsp__sass_inst_executed.sum'), (2, 'dram__bytes_read.sum');""")
    # Launches, counted, values under the hardware configuration, under the SASS configuration.
    rows = [(10, 2, (100, 98, 102), (7, 7, 7)), (10, 2, (100, 90, 110), (7, 7, 7)), (10, 0, (100, 100, 100), ()), (1, 1, (5,), (6,)),
            (1, 0, (), ()), (9, 0, (100,), (7,))]
    for kernel, (launches, counted, hardware, sass) in enumerate(rows):
        timed = max(launches - 1, 1)
        database.execute("INSERT INTO kernel VALUES (?, 0, ?, 1, 1, 1, 32, 1, 1, 0, ?, ?)", (kernel, f"k{kernel}", launches, 100 * timed))
        database.execute("INSERT INTO kernel_use VALUES (?, ?, ?)", (kernel, timed, counted))
        database.executemany("INSERT INTO counter VALUES (?, 0, 0, ?)", [(kernel, value) for value in hardware])
        database.executemany("INSERT INTO counter VALUES (?, 1, 1, ?)", [(kernel, value) for value in sass])
    database.execute("INSERT INTO counter VALUES (0, 2, NULL, NULL)")
    database.commit()
    database.close()


def test():
    """Parsing and arithmetic, without a GPU."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.rlcap")
        make_capture(path)
        kernels, lost = read_kernels(path)
        assert [evidence_of(kernel) for kernel in kernels] == ["counted", "apart", "hardware only", "counted", "sampled", "apart"], kernels
        assert lost == 3 and [kernel.gpu_ns for kernel in kernels] == [1000, 1000, 1000, 100, 100, 900]
        assert evidence_of(kernels[4]._replace(sampled=False)) == "none" and not kernels[3].sampled
        database = sqlite3.connect(path)
        database.executescript("""CREATE TABLE counted(kernel, pass, launches, witness, lowest, highest);
            INSERT INTO counted VALUES (0, 0, 2, 'w', 99, 103), (0, 1, 40, 'w', 0, 0), (1, 0, 10, NULL, NULL, NULL), (1, 1, 10, 'w', 1, 9),
                                       (2, 0, 9, 'w', 1, 1), (2, 1, 1, 'w', 1, 1), (5, 0, 9, 'w', 7, 7);""")
        database.close()
        assert [evidence_of(kernel) for kernel in read_kernels(path)[0]] == ["counted", "counted", "apart", "none", "sampled", "hardware only"]
        begin = time.monotonic()
        hung = run(["sh", "-c", "setsid sleep 60 & sleep 60"], folder, 0.5)
        assert hung.status is None and time.monotonic() - begin < 20
        assert run(["sh", "-c", "echo out; echo err >&2; exit 3"], folder, 9)[1:] == (3, ["out"], "err\n")
    assert differing_lines(["took 1.5 s", "ok"], ["took 2e-3 s", "bad"]) == 1
    assert limiter_of({"limiter": "latency", "roof_share": 0.7}) == Limiter("latency", 0.7, None)
    assert limiter_of({"limiter": "l2_input", "limiter_share": {"value": 0.8, "low": 0.7}}) == Limiter("l2_input", 0.8, None)
    assert limiter_of({"limiter": None, "missing": {"limiter": "because"}})[::2] == (None, "because")
    assert limiter_of({"limiter": "unknown", "roof_share": None, "missing": {"roof_share": "not asked"}}).reason == "not asked"
    assert limiter_of({"limiter": "unknown: too short"}).reason == "too short"
    units = [(percent_, name + SHARE_OF_PEAK) for percent_, name in ((90.0, "lts__xbar2lts_cycles_active"), (86.0, "sm__pipe_alu_cycles_active"),
                                                                     (80.0, "dram__cycles_active"))]
    assert same_unit("path into L2", units) and same_unit("pipe_alu", units) and not same_unit("DRAM", units) and not same_unit(None, units)
    assert resources_of("sm__inst_executed_pipe_xu") == {"pipe_xu"} and resources_of("sm__inst_executed") == {"issue"}
    assert "pipe_tensor" in resources_of("sm__inst_executed_pipe_tensor_op_hmma") and "shared" in resources_of("l1tex__data_pipe_lsu_wavefronts")
    result = {"name": "x", "notes": [], "plain_s": 1.0, "plain_status": 0, "collect_s": 2.0, "collect_status": 0, "extra_s": 1.0, "ncu_s": 45,
              "ncu_extra_s": 44, "ncu_status": None, "gpu_s": 1, "shares": {"counted": 0.96}, "limited_of_counted": 0.9}
    assert [goal(result) for goal in GOALS.values()] == [True, True, True, False, False] and with_ncu(result)
    assert all(goal(result) for goal in AGAINST_NCU.values()) and "| > 45.00 |" in row_of(result) and not with_ncu({**result, "ncu_status": 9})
    print("ordinary: no fault")
    return 0


def arguments_of():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rooflight", metavar="PROGRAM")
    parser.add_argument("--list", metavar="FILE.tsv")
    parser.add_argument("--ncu", metavar="PROGRAM", help="default: on PATH, or where its packages put it")
    parser.add_argument("--no-ncu", action="store_true")
    parser.add_argument("--out", default=".", metavar="FOLDER", help="made when it does not exist")
    parser.add_argument("--limit-s", type=float, default=45, metavar="S", help="for every run of a program")
    parser.add_argument("--only", nargs="+", default=(), metavar="NAME")
    parser.add_argument("--part", type=part_of, default=(1, 1), metavar="K/N", help="every N-th program from the K-th on")
    parser.add_argument("--options", default="", help="of collect, as one word")
    parser.add_argument("--repeat", type=int, default=1, metavar="N")
    parser.add_argument("--limiters", action="store_true", help="only compare limiters, by the files of an earlier run in FOLDER")
    parser.add_argument("--add", nargs="+", metavar="JSON", help="only print the tables of these files")
    parser.add_argument("--test", action="store_true")
    arguments = parser.parse_args()
    if not (arguments.test or arguments.add) and not (arguments.rooflight and (arguments.list or arguments.limiters)):
        parser.error("--rooflight and --list are needed")
    if arguments.rooflight:
        arguments.rooflight = os.path.abspath(arguments.rooflight)
    return arguments


def main():
    arguments = arguments_of()
    if arguments.test:
        return test()
    if arguments.add:
        results = []
        for path in arguments.add:
            with open(path, encoding="utf-8") as file:
                results += json.load(file)["programs"]
        print("\n".join([head(), *map(row_of, results)]))
    elif arguments.limiters:
        print_limiters(compare_all(arguments))
        return 0
    elif not os.path.exists("/dev/nvidiactl"):
        print("SKIPPED: no GPU")
        return 77
    else:
        os.makedirs(arguments.out, exist_ok=True)
        results = measure_all(arguments)
    print_summary(results)
    print_limiters(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
