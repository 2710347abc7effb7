#!/usr/bin/env python3
"""Holds rooflight's counters and cost against Nsight Compute, on the same launches and in one run.

usage: against_ncu.py --rooflight PROGRAM --launch-suite PROGRAM [--ncu PROGRAM] [--out FOLDER] [--part counts|cost|all] [--runs N]
                      [--share K/N] [--like CAPTURE] [--give-up TIMES] [EXPERIMENT ...]
       against_ncu.py --add cost_1_of_2.json cost_2_of_2.json

First `rooflight collect --ceilings none` measures the suite or the experiments named; its counters are read from the capture.

counts  `ncu` collects the same counters on the same kernels (launch_suite: two warm-up runs of a variant, no clock control, no cache
        control); counts must be equal, bytes and occupancy close. Counts are asked for in a run of their own, so that for bytes and
        occupancy ncu takes one pass and does not save and restore memory in between: that would leave the L2 cache clean, and
        write-backs would be missing. For the same reason the second of two profiled runs counts: with the first one of a process
        what ncu's start leaves in the L2 cache is written, too. Both tools run several times (--runs, 3), in turn, and the medians
        are compared with each other: what caches keep and how blocks meet differs from launch to launch and from process to process.
        Variants that are over a limit are measured again by themselves, three times as often. Where ncu's own runs differ by more
        than the limit, they are the limit.
cost    The wall time of ncu with all counters at once, on as many launches of each kernel as rooflight timed and on one. With --like
        rooflight, too, measures only those variants whose kernels have times in that capture. With --share K/N only every N-th
        variant from the K-th on, by both, for where a command may not take long enough for all; --add makes one table of the shares'
        files. With --give-up TIMES ncu is stopped once it has taken that many times rooflight's wall time: its time and ratio in the
        table are lower bounds then.

Variants that are timed by the host's clock are measured by rooflight but left out for ncu, which could not time them. Prints tables in
Markdown and writes all values to FOLDER/against_ncu.csv; exit status 1 when a deviation is over its limit.
"""
import argparse
import collections
import csv
import io
import json
import os
import re
import signal
import sqlite3
import statistics
import subprocess
import sys
import time

# (counter, kind). "count" must be equal: all counts of instructions of the default passes; "bytes"
# within a limit of its value; "points" of 100.
COUNTERS = [
    ("smsp__inst_executed.sum", "count"),
    ("smsp__thread_inst_executed.sum", "count"),
    ("smsp__thread_inst_executed_pred_on.sum", "count"),
    ("smsp__sass_thread_inst_executed_op_hadd_pred_on.sum", "count"),
    ("smsp__sass_thread_inst_executed_op_hmul_pred_on.sum", "count"),
    ("smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", "count"),
    ("smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", "count"),
    ("smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", "count"),
    ("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", "count"),
    ("smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", "count"),
    ("smsp__sass_thread_inst_executed_op_dmul_pred_on.sum", "count"),
    ("smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", "count"),
    ("sm__inst_executed_pipe_tensor.sum", "count"),
    ("smsp__sass_branch_targets.sum", "count"),
    ("smsp__sass_branch_targets_threads_uniform.sum", "count"),
    ("smsp__sass_inst_executed_op_global_ld.sum", "count"),
    ("smsp__sass_inst_executed_op_global_st.sum", "count"),
    ("smsp__sass_inst_executed_op_global_atom.sum", "count"),
    ("smsp__sass_inst_executed_op_global_red.sum", "count"),
    ("smsp__sass_inst_executed_op_shared.sum", "count"),
    ("smsp__sass_inst_executed_op_shared_atom.sum", "count"),
    ("smsp__sass_data_bytes_mem_global_op_ld.sum", "count"),
    ("smsp__sass_data_bytes_mem_global_op_st.sum", "count"),
    ("smsp__sass_data_bytes_mem_shared.sum", "count"),
    ("smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum", "count"),
    ("smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum", "count"),
    ("smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_ld.sum", "count"),
    ("smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_st.sum", "count"),
    ("smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum", "count"),
    ("dram__bytes_read.sum", "bytes"),
    ("dram__bytes_write.sum", "bytes"),
    ("lts__t_sectors_srcunit_tex.sum", "bytes"),
    ("l1tex__t_bytes.sum", "bytes"),
    ("sm__warps_active.avg.pct_of_peak_sustained_active", "points"),
]
LONG_NS = 100e3              # launches over 100 us are held to the first limit, shorter ones to the second
BYTES_LIMITS = (0.01, 0.02)  # relative
POINTS_LIMIT = 0.5           # percentage points of occupancy
SMALL = 1 << 20              # traffic below this is dominated by other agents on the card and is shown, not judged
SMALL_WRITES = 8 << 20       # so are writes to DRAM: of what the launch before has left in L2, some is written during this one
# Kernels that wait by asking again and again, for clock ticks or at barriers and pipelines in shared memory: how often depends on how
# much the counting slows them down. Those that wait for all blocks of their grid (cooperative launches) are found by what `list
# kernels` says. Asking takes instructions and branches, constants that HFMA2 loads, and access to where the answer lies, shared or
# global memory: these counts are not compared.
SPINNING = {"divergence/coherent", "divergence/divergent", "self_check/occupancy_full", "self_check/occupancy_half", "matmul/tensor",
            "vector_add/staged_pipeline4", "staging/pipeline_4_heavy",
            *(f"staging/{how}_{load}" for how in ("barrier", "pipeline_4", "pipeline_8") for load in ("low", "balanced", "high"))}
ASKING = {name for name, _ in COUNTERS if re.search(r"smsp__(thread_)?inst_executed(_pred_on)?\.|branch|global_(op_)?ld|hfma|bytes_mem_shared", name)}

Kernel = collections.namedtuple("Kernel", "key values launches per_run median_ns")
# A row of ncu: what was launched, and its counters.
Launch = collections.namedtuple("Launch", "key values")
Done = collections.namedtuple("Done", "wall_s out err stopped")


def run(command, limit_s=None):
    """With a limit the command and its children are stopped when it is over; what was printed until then is there."""
    start, stopped = time.monotonic(), False
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        try:
            out, err = process.communicate(timeout=limit_s)
        except subprocess.TimeoutExpired:
            stopped = True
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
    wall = time.monotonic() - start
    if process.returncode != 0 and not stopped:
        sys.exit(f"{' '.join(command)} failed ({process.returncode}):\n{out[-2000:]}{err[-2000:]}")
    return Done(wall, out, err, stopped)


# ---- what rooflight measured ----

def read_capture(path):
    """{variant: [Kernel]} in the order of measuring, of the variants whose kernels have counters."""
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    db.row_factory = sqlite3.Row
    variants = {}
    for row in db.execute("SELECT kernel.*, experiment.name || '/' || variant.name AS of FROM kernel JOIN variant ON variant.id = "
                          "kernel.variant JOIN experiment ON experiment.id = variant.experiment ORDER BY kernel.id"):
        values = dict(db.execute("SELECT counter_name.name, counter.value FROM counter JOIN counter_name "
                                 "ON counter_name.id = counter.counter_name WHERE counter.kernel = ? AND counter.value IS NOT NULL "
                                 "ORDER BY counter.id DESC", (row["id"],)).fetchall())  # of two readings the first one counts
        times = [ns for ns, in db.execute("SELECT duration_ns FROM duration WHERE kernel = ?", (row["id"],))]
        if values:
            key = (row["mangled"], *(row[f"grid_{axis}"] for axis in "xyz"), *(row[f"block_{axis}"] for axis in "xyz"))
            variants.setdefault(row["of"], []).append(Kernel(key, values, row["launches"], row["launches_per_run"] or 1,
                                                             statistics.median(times) if times else 0))
    return variants


def runs_of(kernels):
    """How often the variant was timed."""
    return max(1, max(kernel.launches // kernel.per_run for kernel in kernels))


def measure(arguments, operands):
    """(wall time, launches timed, {variant: [Kernel]}) of one session."""
    capture = os.path.join(arguments.out, "against_ncu.rlcap")
    done = run([arguments.rooflight, "collect", "--ceilings", "none", "-o", capture, *operands])
    print(done.err, file=sys.stderr, end="")  # what became of the variants, and where the time went
    db = sqlite3.connect(f"file:{capture}?mode=ro", uri=True)
    launches = db.execute("SELECT (SELECT COUNT(*) FROM duration) + (SELECT COUNT(*) FROM variant_duration WHERE variant NOT IN "
                          "(SELECT variant FROM kernel JOIN duration ON duration.kernel = kernel.id))").fetchone()[0]
    return done.wall_s, launches, read_capture(capture)


def middle(several):
    """Of several runs, {variant: [Kernel or Launch]} each, one with the medians of the counters."""
    first = several[0]
    return {variant: [one._replace(values={name: statistics.median(run[variant][i].values[name] for run in several
                                                                   if name in run[variant][i].values) for name in one.values})
                      for i, one in enumerate(kernels)] for variant, kernels in first.items()}


def spreads(several):
    """Of several runs of ncu the greatest and the least values: {variant: [{counter: (least, greatest)}]}."""
    return {variant: [{name: (min(run[variant][i].values[name] for run in several), max(run[variant][i].values[name] for run in several))
                       for name in one.values} for i, one in enumerate(launches)] for variant, launches in several[0].items()}


def cooperative(arguments):
    listed = json.loads(run([arguments.rooflight, "list", "kernels", "--json"]).out)
    return {f"{row['experiment']}/{variant['variant']}" for row in listed for variant in row["variants"]
            if "cooperative" in (variant["requires"] or "")}


# ---- ncu ----

def numbers(text):
    return tuple(int(number) for number in re.findall(r"\d+", text))


def read_ncu(text):
    """[Launch], from the long CSV of `ncu --csv --print-units base --print-kernel-base mangled`."""
    lines = text.splitlines()
    first = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), len(lines))
    launches = {}
    for row in csv.DictReader(io.StringIO("\n".join(lines[first:]))):
        key = (row["Kernel Name"].split("(")[0], *numbers(row["Grid Size"]), *numbers(row["Block Size"]))
        launch = launches.setdefault(int(row["ID"]), Launch(key, {}))
        launch.values[row["Metric Name"]] = float(row["Metric Value"].replace(",", ""))
    return [launches[i] for i in sorted(launches)]


def attribute(variants, launches, runs=1):
    """{variant: [Launch for each of its kernels]}, where each variant ran so many times: of a kernel that is launched several times the
    last one, as in a capture. Kernels that no variant knows (of libraries) are passed over."""
    found, at = {}, 0
    for variant, kernels in variants.items():
        last, left = {}, {kernel.key: kernel.per_run * runs for kernel in kernels}
        while any(left.values()):
            if at == len(launches):
                missing = ", ".join(f"{key[0]} {key[1:]}" for key, count in left.items() if count)
                sys.exit(f"{variant}: ncu has no launch of {missing}")
            if left.get(launches[at].key):
                left[launches[at].key] -= 1
                last[launches[at].key] = launches[at]
            at += 1
        found[variant] = [last[kernel.key] for kernel in kernels]
    return found


def ncu_command(arguments, operands, kinds=("count", "bytes", "points")):
    return [arguments.ncu, "--clock-control", "none", "--cache-control", "none", "--profile-from-start", "off", "--csv",
            "--print-units", "base", "--print-kernel-base", "mangled",
            "--metrics", ",".join(name for name, kind in COUNTERS if kind in kinds), arguments.launch_suite, *operands]


# ---- counts ----

def deviation(kind, ours, theirs, median_ns):
    """(deviation, allowed, text) of one counter."""
    if kind == "count":
        return abs(ours - theirs), 0, f"{ours - theirs:+.0f}"
    if kind == "points":
        return abs(ours - theirs), POINTS_LIMIT, f"{ours - theirs:+.2f} points"
    relative = abs(ours - theirs) / theirs if theirs else (0 if ours == theirs else float("inf"))
    return relative, BYTES_LIMITS[0 if median_ns > LONG_NS else 1], f"{100 * relative:.2f} %"


def is_small(name, ours, theirs):
    if name == "dram__bytes_write.sum":
        return max(ours, theirs) < SMALL_WRITES
    return max(ours, theirs) < (SMALL / 32 if "sectors" in name else SMALL)


def compared_counts(spins):
    return [name for name, kind in COUNTERS if kind == "count" and not (spins and name in ASKING)]


def judge(variant, kernel, other, ranges, spins):
    """(worst deviation by kind, values missing or over their limit, what to say of them and of those where ncu differs from itself) of one
    kernel; `ranges`: least and greatest of ncu's own runs."""
    worst, bad, words = {"count": 0, "bytes": 0.0, "points": 0.0}, 0, []
    for name, kind in COUNTERS:
        ours, theirs = kernel.values.get(name), other.get(name)
        if ours is None or theirs is None:
            bad += 1
            words.append(f"missing: {variant} {name}: {ours}, ncu {theirs}")
            continue
        if (spins and name in ASKING) or (kind == "bytes" and is_small(name, ours, theirs)):
            continue
        amount, allowed, text = deviation(kind, ours, theirs, kernel.median_ns)
        low, high = ranges.get(name, (theirs, theirs))
        spread = 0 if kind == "count" else deviation(kind, high, low, kernel.median_ns)[0]
        if amount > allowed:
            bad += amount > spread
            words.append(f"{'over the limit' if amount > spread else 'ncu differs from itself by more'}: {variant} {name}: {ours:.2f}, "
                         f"ncu {theirs:.2f} ({low:.2f} to {high:.2f}), {text}")
        worst[kind] = worst[kind] + (amount != 0) if kind == "count" else max(worst[kind], amount)
    return worst, bad, words


def compare(ours, theirs, ranges, spinning):
    """Prints the table of the worst deviation per kernel and kind and a line for each value over its limit; returns how many those are."""
    print("| variant | time | counts that differ | largest deviation of bytes (over 1 MB) | limit | occupancy |\n|---|---:|---:|---:|---:|---:|")
    bad = 0
    for variant, kernels in ours.items():
        for kernel, other, own in zip(kernels, theirs[variant], ranges[variant]):
            worst, over, words = judge(variant, kernel, other.values, own, variant in spinning)
            bad += over
            for line in words:
                print(line, file=sys.stderr)
            counted = len(compared_counts(variant in spinning))
            print(f"| {variant} | {kernel.median_ns / 1e3:.1f} us | {worst['count']} of {counted} | {100 * worst['bytes']:.2f} % "
                  f"| {100 * BYTES_LIMITS[0 if kernel.median_ns > LONG_NS else 1]:.0f} % | {worst['points']:.2f} points |")
    print(f"\n{sum(map(len, ours.values()))} kernels of {len(ours)} variants; {bad} values missing or over their limit.")
    return bad


def write_values(path, ours, theirs, ranges):
    """All values of both, a row each."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("variant", "kernel", "time_ns", "counter", "rooflight", "ncu", "ncu_least", "ncu_greatest"))
        for variant, kernels in ours.items():
            for kernel, other, own in zip(kernels, theirs[variant], ranges[variant]):
                for name, _ in COUNTERS:
                    rows.writerow((variant, kernel.key[0], kernel.median_ns, name, kernel.values.get(name), other.values.get(name),
                                   *own.get(name, ("", ""))))


def hold(arguments, operands, runs):
    """(ours, ncu's, ranges of ncu's own runs) by variant: medians of several runs of both tools, in turn."""
    ours, theirs = [], []
    for _ in range(runs):
        ours.append(measure(arguments, operands)[2])
        names = list(ours[0])
        twice = run(ncu_command(arguments, [f"{name}=2" for name in names], ("bytes", "points")))
        theirs.append(attribute(ours[0], read_ncu(twice.out), 2))
    counted = attribute(ours[0], read_ncu(run(ncu_command(arguments, names, ("count",))).out))
    values = middle(theirs)
    for variant, launches in values.items():
        for launch, other in zip(launches, counted[variant]):
            launch.values.update(other.values)
    return middle(ours), values, spreads(theirs)


def beyond(held, spinning):
    """Variants with values missing or over their limit, also where ncu differs from itself by more: with more runs the medians may agree."""
    ours, theirs, ranges = held
    return [variant for variant, kernels in ours.items()
            if any(judge(variant, kernel, other.values, own, variant in spinning)[2]
                   for kernel, other, own in zip(kernels, theirs[variant], ranges[variant]))]


def counts_part(arguments):
    spinning, path = SPINNING | cooperative(arguments), os.path.join(arguments.out, "against_ncu.csv")
    held = hold(arguments, arguments.experiment, arguments.runs)
    write_values(path, *held)
    again = beyond(held, spinning)
    if again:
        print(f"measured again: {', '.join(again)}", file=sys.stderr)
        for all_variants, some in zip(held, hold(arguments, again, 3 * arguments.runs)):
            all_variants.update(some)
        write_values(path, *held)
    return compare(*held, spinning)


# ---- cost ----

def share_of(names, share):
    """Every N-th name from the K-th on, (K, N): the shares together are all of them, none twice."""
    number, of = share
    return names[number - 1::of]


def variants_of(arguments):
    """Names of all variants asked for."""
    listed = json.loads(run([arguments.rooflight, "list", "kernels", "--json"]).out)
    names = [(row["experiment"], f"{row['experiment']}/{variant['variant']}") for row in listed for variant in row["variants"]]
    asked, like = arguments.experiment, arguments.like and read_capture(arguments.like)
    return [name for experiment, name in names if (not asked or experiment in asked or name in asked) and (not like or name in like)]


def cost_part(arguments):
    share = share_of(variants_of(arguments), arguments.share)
    ours_wall, ours_launches, variants = measure(arguments, share)
    names = list(variants)
    per_run = {name: sum(kernel.per_run for kernel in variants[name]) for name in names}
    operands = [f"{name}={runs_of(variants[name])}" for name in names]
    launches = {"many": sum(per_run[name] * runs_of(variants[name]) for name in names), "one": sum(per_run.values())}
    result = {"share": arguments.share, "experiments": arguments.experiment, "rooflight_s": ours_wall, "rooflight_launches": ours_launches}
    path = os.path.join(arguments.out, f"cost_{arguments.share[0]}_of_{arguments.share[1]}.json")
    for what, chosen in (("many", operands), ("one", names)):
        done = run(ncu_command(arguments, chosen), arguments.give_up and arguments.give_up * ours_wall)
        result.update({f"{what}_s": done.wall_s, f"{what}_launches": launches[what], f"{what}_stopped": done.stopped})
        with open(path, "w", encoding="ascii") as file:  # after each: both take long
            json.dump(result, file, indent=1)
        print(f"wrote {path}", file=sys.stderr, flush=True)
    return result


def add(results):
    """Prints the table of the cost of all shares together."""
    shares = sorted(tuple(result["share"]) for result in results)
    if shares != [(i + 1, shares[0][1]) for i in range(shares[0][1])]:
        sys.exit(f"these shares are not all of one whole: {shares}")
    if any(result["experiments"] != results[0]["experiments"] for result in results):
        sys.exit("these shares are of different experiments")
    ours = sum(result["rooflight_s"] for result in results)
    launches = sum(result["rooflight_launches"] for result in results)
    print("\n| | launches | wall time | against rooflight |\n|---|---:|---:|---:|")
    print(f"| rooflight collect --ceilings none: every result checked, timed, counted | {launches} | {ours:.2f} s | 1 |")
    for what, words in (("one", "one run of each variant"), ("many", "as many runs of each variant as rooflight timed")):
        if any(f"{what}_s" not in result for result in results):
            continue
        wall = sum(result[f"{what}_s"] for result in results)
        count = sum(result[f"{what}_launches"] for result in results)
        end, more = (": stopped before it was done", "> ") if any(result[f"{what}_stopped"] for result in results) else ("", "")
        print(f"| ncu, the same counters, {words}{end} | {count} | {more}{wall:.2f} s | {more}{wall / ours:.1f} |")
    if len(results) > 1:
        print(f"\nBoth ran {len(results)} times, each time on another share of the variants.")


def share(text):
    match = re.fullmatch(r"(\d+)/(\d+)", text)
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        raise argparse.ArgumentTypeError(f"'{text}' is not K/N with 1 <= K <= N")
    return int(match[1]), int(match[2])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rooflight")
    parser.add_argument("--launch-suite")
    parser.add_argument("--ncu", default="ncu")
    parser.add_argument("--out", default=".", metavar="FOLDER", help="where the files go; made when it is not there")
    parser.add_argument("--part", choices=("counts", "cost", "all"), default="all")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--share", type=share, default=(1, 1), metavar="K/N")
    parser.add_argument("--like", metavar="CAPTURE", help="cost: only the variants whose kernels have times in this capture")
    parser.add_argument("--give-up", type=float, metavar="TIMES", help="stop ncu at so many times rooflight's wall time")
    parser.add_argument("--add", nargs="+", metavar="FILE", help="only print the table of these files")
    parser.add_argument("experiment", nargs="*")
    arguments = parser.parse_args()
    if arguments.add:
        results = []
        for path in arguments.add:
            with open(path, encoding="ascii") as file:
                results.append(json.load(file))
        add(results)
        return 0
    if not arguments.rooflight or not arguments.launch_suite:
        parser.error("--rooflight and --launch-suite are needed")
    os.makedirs(arguments.out, exist_ok=True)
    bad = counts_part(arguments) if arguments.part != "cost" else 0
    if arguments.part != "counts":
        result = cost_part(arguments)
        if arguments.share[1] == 1:
            add([result])
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
