#!/usr/bin/env python3
"""`rooflight collect -- PROGRAM` on the stand-in driver: what is in the capture, and that the program stays its own.

usage: test_program.py --rooflight PROGRAM --program PROGRAM --stand-ins FOLDER [--jobs N] [NAME ...]     tests whose names contain NAME"""
import argparse
import contextlib
import glob
import io
import json
import multiprocessing
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import traceback
import time

CHECKS, FAILED = 0, []


def check(condition, text):
    global CHECKS
    CHECKS += 1
    if not condition:
        FAILED.append(text)
        print(f"FAILED: {text}")


def equal(found, wanted, text):
    check(found == wanted, f"{text}: {found!r}, not {wanted!r}")


class Run:
    """One call of `rooflight collect`; `options` stand before "--". The capture of an earlier one is removed, unless it is `kept`."""

    def __init__(self, folder, *program, options=(), environment=None, output="app.rlcap", stdin=subprocess.DEVNULL, kept=False):
        self.path = os.path.join(folder, output)
        if os.path.exists(self.path) and not kept:
            os.unlink(self.path)
        command = [ROOFLIGHT, "collect", "-o", self.path, *options, "--", PROGRAM, *map(str, program)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=variables(environment), cwd=folder, stdin=stdin)
        self.status, self.out, self.err = done.returncode, done.stdout, done.stderr

    def rows(self, query, path=None):
        with sqlite3.connect(f"file:{path or self.path}?mode=ro&immutable=1", uri=True) as db:
            return db.execute(query).fetchall()

    def one(self, query):
        return self.rows(query)[0][0]

    def launches(self):
        """Launches by short name."""
        return {name.split("<")[0].removeprefix("void "): count for name, count in self.rows("SELECT name, launches FROM kernel")}


# Takes counters as soon as it can, and of launches enough for it.
AT_ONCE, ENOUGH = ["--budget", "all"], 100000
# Rests as long after ten times as many launches, so that launching takes most of the program's time.
BUSY = {"RL_PAUSE_EVERY": "1000"}


def variables(more=None):
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("OMPI_", "PMI", "SLURM_", "ROOFLIGHT_"))}
    return {**clean, "LD_LIBRARY_PATH": STAND_INS, "ROOFLIGHT_CUPTI_DIR": STAND_INS,
            "XDG_CACHE_HOME": "/dev/null/none", **(more or {})}


# Of the stand-in, counters that have the work of a launch (tests/inject/stand_in_ranges.c).
WITH_NAMES = "JOIN counter_name ON counter_name.id = counter_name"
IS_WORK = "instr(counter_name.name, 'sm__cycles') = 0 AND counter_name.name != 'dram__bytes.sum.peak_sustained'"


def test_times(folder):
    """Every launch is counted; times are those of the kernels."""
    run = Run(folder, "many", 10000, 10, options=["--replay", "none"])
    equal(run.status, 0, "exit status")
    equal(run.out, "out\n", "standard output is the program's")
    check(run.err.startswith("err\n"), f"standard error begins with the program's: {run.err!r}")
    equal(run.one("SELECT complete FROM session"), 1, "complete")
    equal(sorted(run.launches().values()), [1000] * 10, "launches of each class")
    rows = run.rows("SELECT total_ns, min_ns, max_ns, deviation_ns, timed FROM kernel JOIN kernel_use ON kernel = kernel.id ORDER BY kernel.id")
    equal(rows[0], (10000 * 1000, 10000, 10000, 0.0, 1000), "the longest class comes first, with its times")
    equal(run.one("SELECT count(*) FROM duration WHERE kernel = 0"), 512, "samples are bounded")
    equal(run.one("SELECT name FROM kernel WHERE id = 0"), "void work9<float>(float*, int)", "demangled name")
    equal(run.rows("SELECT registers_per_thread, static_shared_bytes, block_x FROM kernel LIMIT 1"), [(40.0, 1024.0, 128)], "resources")
    equal(run.rows("SELECT launches, untimed, lost, \"end\", status FROM process"), [(10000, 0, 0, "exited", 0)], "the process")
    span, busy, kernel = run.rows("SELECT span_ns, busy_ns, kernel_ns FROM process_gpu")[0]
    equal(kernel, 55000000, "kernel time")
    check(busy == kernel <= span, f"the stand-in's kernels do not overlap: {busy} {kernel} {span}")
    equal(run.rows("SELECT name, chip, cc_major FROM gpu"), [("Stand-in 0", "GH100", 9)], "the card")


def test_order(folder):
    """The samples are a part of all launches, and in their order."""
    run = Run(folder, "warming", 5000, options=["--replay", "none"])
    samples = [ns for ns, in run.rows("SELECT duration_ns FROM duration ORDER BY id")]
    equal(len(samples), 512, "samples")
    check(samples == sorted(set(samples)), f"in the order of the launches: {samples[:10]} ...")
    check(samples[0] < 1100 and 3000 < samples[255] < 4000 and samples[-1] > 5900, f"of all launches: {samples[0]} {samples[255]} {samples[-1]}")
    equal(run.rows("SELECT DISTINCT timing FROM kernel"), [("activity, in order of start",)], "which is told")


def test_names_of_unloaded_modules(folder):
    """A launch has the name that it had when it was made, whatever stands at the record's address when the record is read."""
    for options, untimed in ((["--replay", "none"], 0), ([], 5)):
        run = Run(folder, "renamed", 50, 4, options=options)
        equal(run.launches(), {f"work{i}": 50 for i in range(4)}, "launches by name")
        timed = [timed for timed, in run.rows("SELECT timed FROM kernel_use")]
        check(len(timed) == 4 and all(50 - untimed <= n <= 50 for n in timed), f"timed, each under its own name: {timed}")


def test_counters(folder):
    """Rotate: both configurations of every class that matters, on different launches; untimed ones are told."""
    launches = 20 * ENOUGH  # take more than two seconds, after which there is another window
    run = Run(folder, "many", launches, 10, options=AT_ONCE, environment=BUSY)
    equal(run.status, 0, f"exit status ({run.err})")
    equal(sum(run.launches().values()), launches, "launches seen")
    rows = run.rows("SELECT counted, uncounted, timed, launches FROM kernel_use JOIN kernel ON kernel.id = kernel_use.kernel")
    check(all(counted >= 2 for counted, *_ in rows), f"two launches of each class under the configuration with the fewest: {rows}")
    counted = dict(run.rows("SELECT configuration, min(launches) FROM counted JOIN pass ON pass.id = pass GROUP BY 1"))
    # After 2, 4, 8 ... s another one; a loaded machine takes long.
    check(3 <= counted["hardware"] <= 9 and counted["sass"] == 2, f"three launches of each under the hardware's, and two of instrumented code: {counted}")
    equal(run.one("SELECT count(*) FROM counted WHERE lowest != highest"), 0, "which did the same work")
    order = [name for name, in run.rows("SELECT configuration FROM pass")]
    check(order.index("hardware") < order.index("sass"), f"the hardware's first: {order}")
    check(all(reason is None for _, reason, *_ in rows), "nothing to excuse")
    untimed, found = run.one("SELECT untimed FROM process"), windows(run)
    check(untimed <= found["counted"] + found["passed"], f"launches without a time are some of those that were made in windows: {untimed}, {found}")
    check(50 <= found["counted"] < 200 and found["passed"] < 49 * found["windows"] and not found["lost"], f"windows: {found}")
    check(found["windows"] >= 3 and found["held_s"] > 0, f"what they cost is said: {found}")
    equal(sum(launches - timed for *_, timed, launches in rows), untimed, "what is not timed is counted")
    check(all(timed >= 5 for *_, timed, _ in rows), "every class has times")
    # The stand-in's kernel i has work 1000 (i + 1); counter n of a configuration has the value work + n. A range with a second kernel in it
    # would have the sum.
    values = run.rows(f"""SELECT kernel.name, min(value), max(value), count(*) FROM counter JOIN kernel ON kernel.id = counter.kernel {WITH_NAMES}
                          WHERE value NOT NULL AND value != 0 AND {IS_WORK} GROUP BY kernel.id""")
    for name, low, high, count in values:
        work = 1000 * (1 + int(name.split("<")[0][-1]))
        check(low == work and high < work + count, f"{name}: counters from {low} to {high}")
    equal({mode for mode, in run.rows("SELECT DISTINCT mode FROM pass")}, {"rotate"}, "mode")
    equal({c for c, in run.rows("SELECT configuration FROM pass")}, {"hardware", "sass", "units", "limits", "stalls", "tensor", "host memory"}, "configurations")
    check("10 of 10 launch configurations" in run.err, f"says {run.err!r}")
    equal(run.one("SELECT counters FROM session"), "collected", "session")
    tensor = run.rows("""SELECT DISTINCT kernel.name FROM counter JOIN kernel ON kernel.id = counter.kernel JOIN pass ON pass.id = counter.pass
                         WHERE pass.configuration = 'tensor'""")
    check(len(tensor) == 1 and "work2" in tensor[0][0], f"matrix operations by type where matrix instructions ran: {tensor}")


def test_known_from_earlier_runs(folder):
    """Which counters a GPU has and which share a pass is kept: later runs have one configuration image. What is kept is believed only if it is whole and fits."""
    images, cache = os.path.join(folder, "images"), os.path.join(folder, "cache")
    os.mkdir(cache, 0o700)

    def run():
        with open(images, "w"):
            pass
        run = Run(folder, "many", ENOUGH, 2, options=AT_ONCE, environment={"XDG_CACHE_HOME": cache, "RL_IMAGES": images})
        values = {row[0]: row[1] for row in run.rows("""SELECT kernel.name || ' ' || counter_name.name, min(value) FROM counter JOIN counter_name
            ON counter_name.id = counter_name JOIN kernel ON kernel.id = counter.kernel WHERE value NOT NULL AND pass NOT NULL GROUP BY 1""")}
        passes = {name for name, in run.rows("SELECT configuration FROM counted JOIN pass ON pass.id = pass")}
        return run, len(set(open(images).read().split())), values, passes

    first, several, values, passes = run()
    kept = glob.glob(f"{cache}/rooflight/availability/*/passes.GH100.*")
    equal((len(kept), os.stat(kept[0]).st_mode & 0o777 if kept else None), (1, 0o600), f"passes are kept, for their owner alone ({first.err})")
    check(several > 1 and {"hardware", "sass", "limits"} <= passes, f"at first each configuration has an image: {several}, {passes}")
    check(len(values) > 50, f"values: {len(values)}")
    for name, change in (("as kept", None), ("damaged", lambda bytes: bytes[:-3] + b"xyz"), ("of another plan", None)):
        if change:
            with open(kept[0], "rb") as file:
                damaged = change(file.read())
            with open(kept[0], "wb") as file:
                file.write(damaged)
        if name == "of another plan":
            os.rename(kept[0], kept[0][:-4] + "0000")
        again, count, found, others = run()
        equal((again.status, found, others), (0, values, passes), f"{name}: the same counters ({again.err})")
        equal(count == 1, name == "as kept", f"{name}: {count} images")


def test_counters_without_memory(folder):
    """Where the program may not have as much memory as counters take, it goes on without them."""
    run = Run(folder, "many", 3000, 5, environment={"RL_HUGE_IMAGE": "1"}, options=AT_ONCE)
    texts = " ".join(text for text, in run.rows("SELECT text FROM log"))
    equal((run.status, sum(run.launches().values())), (0, 3000), f"every launch is there ({run.err})")
    equal(run.one("SELECT max(counted) FROM kernel_use"), 0, "nothing is counted")
    check("no memory left for the counters of" in texts, f"which is said: {texts!r}")


def test_brief(folder):
    """`collect --brief` ends with what `show --brief` says of the capture, behind what the program prints."""
    run = Run(folder, "many", 500, 4, options=["--brief"])
    plain = subprocess.run([PROGRAM, "many", "500", "4"], capture_output=True, text=True, timeout=60, env=variables())
    shown = subprocess.run([ROOFLIGHT, "show", "--brief", run.path], capture_output=True, text=True, timeout=60)
    equal(run.status, 0, f"exit status ({run.err})")
    check("work0" in shown.stdout and len(shown.stdout) < 8192, f"a brief of kernels: {shown.stdout}")
    equal(run.out, plain.stdout + shown.stdout, "what the program prints, then the brief")


def test_brief_of_a_kernel(folder):
    """With --kernel it is about that kernel: what `show --brief --kernel` says, in 6 kB."""
    run = Run(folder, "many", 500, 4, options=["--brief", "--kernel", "work3", *AT_ONCE])
    plain = subprocess.run([PROGRAM, "many", "500", "4"], capture_output=True, text=True, timeout=60, env=variables())
    shown = subprocess.run([ROOFLIGHT, "show", "--brief", "--kernel", "work3", run.path], capture_output=True, text=True, timeout=60)
    equal(run.status, 0, f"exit status ({run.err})")
    equal(run.out, plain.stdout + shown.stdout, "what the program prints, then the kernel")
    check("work3" in shown.stdout and len(shown.stdout.encode()) <= 6144, f"one kernel: {shown.stdout}")
    for part in ("  time ", "  limited by ", "resource", "unknown"):
        check(part in shown.stdout, f"{part}: {shown.stdout}")


def test_nowhere_to_write(folder):
    """A home and a folder for temporary files that cannot be written to take nothing from a capture."""
    nowhere = {"HOME": "/proc", "XDG_CONFIG_HOME": "/proc/self", "XDG_CACHE_HOME": "/proc", "XDG_RUNTIME_DIR": "/proc", "TMPDIR": "/proc"}
    run = Run(folder, "many", 500, 4, options=AT_ONCE, environment=nowhere)
    equal((run.status, sum(run.launches().values())), (0, 500), f"where nothing can be written: {run.err}")


def test_older_sessions(folder):
    """With CUPTI 12.4 the same counters come by its profiling sessions, and the capture says so."""
    older = {"ROOFLIGHT_CUPTI_DIR": f"{STAND_INS}/12"}
    run = Run(folder, "many", ENOUGH, 10, options=AT_ONCE, environment=older)
    equal(run.status, 0, f"exit status ({run.err})")
    check(all(counted >= 2 and not why for counted, why in run.rows("SELECT counted, uncounted FROM kernel_use")), "launches of each class")
    equal({mode for mode, in run.rows("SELECT DISTINCT mode FROM pass")}, {"rotate, back end profiler"}, "mode")
    equal({c for c, in run.rows("SELECT configuration FROM pass")}, {"hardware", "sass", "units", "limits", "stalls", "tensor", "host memory"}, "configurations")
    values = run.rows(f"""SELECT kernel.name, min(value), max(value), count(*) FROM counter JOIN kernel ON kernel.id = counter.kernel {WITH_NAMES}
                          WHERE value NOT NULL AND value != 0 AND {IS_WORK} GROUP BY kernel.id""")
    for name, low, high, count in values:
        work = 1000 * (1 + int(name.split("<")[0][-1]))
        check(low == work and high < work + count, f"{name}: counters from {low} to {high}")
    equal(len(values), 10, "every class has values")
    equal(run.one("SELECT counters FROM session"), "collected", "session")
    run = Run(folder, "many", 40, 4, options=["--replay", "kernel"], environment=older)
    equal(run.rows("SELECT configuration, mode FROM pass"), [("all", "kernel replay, back end profiler")], "all passes by replay")
    equal({c for c, in run.rows("SELECT counted FROM kernel_use")}, {3}, "three launches of each")
    run = Run(folder, "many", 1000, 4, options=["--backend", "range", *AT_ONCE], environment=older)
    check("back end 'range' cannot count here: CUPTI 12.4 does not have it" in run.err, f"what is not there is not taken: {run.err}")
    equal(sum(run.launches().values()), 1000, "but times are")
    refused = {**older, "RL_REFUSE": "cuptiProfilerBeginSession", "RL_REFUSE_CODE": "35"}
    run = Run(folder, "many", ENOUGH, 4, options=AT_ONCE, environment=refused)
    check("ERR_NVGPUCTRPERM" in run.err, f"who may not is told what to do: {run.err}")
    newer = {**older, "RL_REFUSE": "cuptiProfilerGetCounterAvailability", "RL_REFUSE_CODE": "999"}
    run = Run(folder, "many", ENOUGH, 4, options=AT_ONCE, environment=newer)
    equal((run.status, sum(run.launches().values())), (0, ENOUGH), "a driver that refuses the library takes no times away")
    check("error 999" in run.err and "name the folder of a newer one in ROOFLIGHT_CUPTI_DIR" in run.err, f"and it is said what to do: {run.err}")


def windows(run):
    """What the log says of windows: launches without a time that were counted, that passed, that were lost; what it cost."""
    texts = [text for text, in run.rows("SELECT text FROM log WHERE text LIKE '%launches without a time%'")]
    if not texts:
        return dict(counted=0, windows=0, passed=0, skipped=0, lost=0, held_s=0, windows_s=0)
    found = re.search(r"time: (\d+) counted in (\d+) windows?(?:; (\d+) passed[^;]*)?(?:; (\d+) were not recorded[^;]*)?(?:; (\d+) have neither[^;]*)?; delayed for (\S+) s, and in windows for (\S+) s,",
                      texts[0])
    return dict(zip(("counted", "windows", "passed", "skipped", "lost", "held_s", "windows_s"), (float(number or 0) for number in found.groups())))


def kinds(run):
    """Kernels of the capture by time: population, of how many, launches, timed, mean time (us), counted, least and most work."""
    rows = run.rows("""SELECT kernel.id, coalesce(number, 0), coalesce(total, 0), launches, timed, 1e-3 * total_ns / timed, counted
                       FROM kernel_use JOIN kernel ON kernel.id = kernel_use.kernel LEFT JOIN population ON population.kernel = kernel.id
                       ORDER BY total_ns / timed""")
    work = {id: (least, most) for id, least, most in run.rows(f"""SELECT kernel, min(value), max(value) FROM counter {WITH_NAMES}
                                                                  WHERE value NOT NULL AND value != 0 AND {IS_WORK} GROUP BY kernel""")}
    return [(*row, work.get(id)) for id, *row in rows]


def test_kinds_of_launches(folder):
    """A class whose launches do different work is taken apart, and each kind has the counters of its own launches."""
    run = Run(folder, "two_kinds", ENOUGH, options=AT_ONCE)
    found = kinds(run)
    equal([row[:2] for row in found], [(1, 2), (2, 2)], f"two kinds ({run.err})")
    equal(sum(row[2] for row in found), ENOUGH, "no launch is lost, or counted twice")
    check(all(abs(row[2] - of) <= 20 for row, of in zip(found, (ENOUGH * 2 / 3, ENOUGH / 3))), f"launches of each: {found}")
    # A launch that could be of either kind is shared between them: less than a thousandth of a microsecond here.
    check(all(abs(row[4] - mean) < 1e-3 for row, mean in zip(found, (5, 25))), f"time of each: {[row[4] for row in found]}")
    check(all(row[5] >= 2 and row[6] and 0 <= row[6][0] - work and row[6][1] - work < 200 for row, work in zip(found, (5000, 25000))),
          f"each has its own work: {found}")
    run = Run(folder, "two_kinds", ENOUGH, options=AT_ONCE, environment={"RL_PAST_L1": "1", "RL_MATRIX": "1"})
    work = run.rows("""SELECT configuration, number, min(value), max(value) FROM counter JOIN population USING (kernel) JOIN pass ON pass.id = pass
                       """ + f"""{WITH_NAMES} WHERE value NOT NULL AND value != 0 AND {IS_WORK} AND counter_name.name != 'l1tex__t_sectors.sum'
                       AND instr(counter_name.name, 'srcunit_tex_op') = 0 AND configuration NOT LIKE 'limits%' GROUP BY 1, 2 ORDER BY 1, 2""")
    equal([row[:2] for row in work], [(name, kind) for name in ("hardware", "sass", "tensor", "units") for kind in (1, 2)], f"each kind has all counters ({run.err})")
    check(all(0 <= least - of and most - of < 200 for (_, _, least, most), of in zip(work, 3 * (5000, 25000))),
          f"also where loads do not pass L1, so that what it counts is the same for both: {work}")
    run = Run(folder, "two_times", ENOUGH, options=AT_ONCE)
    found = kinds(run)
    equal([row[:3] for row in found], [(0, 0, ENOUGH)], f"equal work in different times is one class ({run.err})")
    run = Run(folder, "crowded", 300, options=["--replay", "kernel", "--samples", "1"])
    found = kinds(run)
    equal([row[:3] for row in found], [(0, 0, 300)], f"launches that others held up are no other kind ({run.err})")
    run = Run(folder, "two_kinds", 3000, options=["--replay", "none"])
    equal([row[:3] for row in kinds(run)], [(0, 0, 3000)], "without counters there is nothing to be taken apart")


def test_launches_that_grow(folder):
    """Each length has counters of launches of that length, or none, whether the program ends with its last launch or long after it."""
    for rest_ms in 0, 1500:
        run = Run(folder, "growing", ENOUGH, rest_ms, options=AT_ONCE)
        found = kinds(run)
        check(len(found) >= 4, f"kinds of a class that grows fourfold: {found}")
        equal(sum(row[2] for row in found), ENOUGH, "no launch is lost, or counted twice")
        middles = [4 + 12 * (sum(row[2] for row in found[:i]) + found[i][2] / 2) / ENOUGH for i in range(len(found))]
        check(all(abs(row[4] / middle - 1) < 0.01 for row, middle in zip(found, middles)), f"kinds of all launches: {found}, not {middles}")
        counted = [row for row in found if row[6]]
        check(counted and all(0.8 * 1e3 * row[4] < row[6][0] and row[6][1] < 1.25 * 1e3 * row[4] for row in counted),
              f"counters fit the times: {found}")
        check(all(row[6] for row in found if row[5]), f"every kind that is counted has some: {found}")


def test_doubling_sizes(folder):
    """Ten sizes of one class are ten kinds of launches, and counters are of launches of their size."""
    run = Run(folder, "doubling", ENOUGH // 10, 10, options=AT_ONCE)
    found = kinds(run)
    equal(len(found), 10, f"sizes ({run.err})")
    check(all(row[6] and 0.9e3 * row[4] < row[6][0] and row[6][1] < 1.1e3 * row[4] + 200 for row in found if row[5]), f"counters fit the times: {found}")
    check(sum(1 for row in found if row[5]) >= 5, f"sizes that were counted: {found}")


def test_slow_plan(folder):
    """The host library takes seconds on the first run on a machine: the program launches on meanwhile, and nothing is given up."""
    run = Run(folder, "sampled", 16000, 0, options=["--sample-gpu=no", *AT_ONCE], environment={"RL_SLOW_HOST_MS": "30"})
    equal((sum(run.launches().values()), run.one("SELECT complete FROM session")), (16000, 1), f"launches ({run.err})")
    check(run.one("SELECT min(counted) FROM kernel_use") >= 2, "both kernels are counted")


def test_cost(folder):
    """A program is counted from its first launches on, however short it is; without a budget it is not."""
    for launches in (200, 30000):
        run = Run(folder, "many", launches, 10)
        equal(run.rows("SELECT DISTINCT counted > 0, uncounted FROM kernel_use"), [(1, None)], f"{launches} launches: all classes ({run.err})")
        equal(sum(run.launches().values()), launches, "launches")
    run = Run(folder, "many", 30000, 10, options=["--budget", "none"])
    equal(run.one("SELECT untimed FROM process"), 0, "no budget, no counters")
    equal(run.rows("SELECT DISTINCT uncounted FROM kernel_use"), [("counters were not asked for: collect without --replay none counts them",)], "which is the reason")
    run = Run(folder, "early", ENOUGH, 4, options=AT_ONCE)
    untimed = run.one("SELECT untimed FROM process")
    check(untimed < 1000, f"{untimed} launches were not timed: no window waits for a class that comes no more")
    check(run.one("SELECT min(counted) FROM kernel_use JOIN kernel ON kernel.id = kernel WHERE name NOT LIKE '%work9%'") >= 2, "the others")


def counted_under(run):
    """Least number of launches that were counted under each configuration, over the kernels that were launched more often than once."""
    of = "FROM kernel WHERE launches > 1 OR 1 = (SELECT count(*) FROM kernel)"
    rows = run.rows(f"SELECT configuration, min(launches), count(*) FROM counted JOIN pass ON pass.id = pass WHERE kernel IN (SELECT id {of}) GROUP BY 1")
    return {configuration: least for configuration, least, kernels in rows if kernels == run.one(f"SELECT count(*) {of}")}


def test_sizes_in_turn(folder):
    """A program that launches a size six times, then another one, and never the first again: each of them is counted under both configurations."""
    run = Run(folder, "sizes", 8, 6)
    found = counted_under(run)
    check(min(found.get("hardware", 0), found.get("sass", 0)) >= 2, f"each size: {run.rows('SELECT kernel, configuration, launches FROM counted JOIN pass ON pass.id = pass')}")


def test_window_that_rests(folder):
    """Where each start of a window takes long, one stays open for the sizes that are still to come, and launches in between have times."""
    run = Run(folder, "sizes", 24, 6, environment={"RL_SLOW_STARTS": "30"})
    by = dict(run.rows("SELECT configuration, count(DISTINCT kernel) FROM counted JOIN pass ON pass.id = pass GROUP BY 1"))
    found = windows(run)
    untimed, launches = run.rows("SELECT untimed, launches FROM process")[0]
    check(by.get("hardware", 0) >= 23, f"kernels of 25 with hardware counters: {by}, {found} ({run.err})")
    check(found["held_s"] < 1.2, f"which is within the budget: {found}")
    equal(launches, 24 * 6 + 2, "launches")
    check(untimed <= found["counted"] + found["passed"] and found["passed"] <= 20, f"{untimed} launches without a time: {found}")


def test_host_functions(folder):
    """A window of hardware counters rests while a function of the host is given to a stream: it is not opened anew for each launch."""
    run = Run(folder, "host_calls", 24, 4, environment={"RL_SLOW_STARTS": "30"})
    by = dict(run.rows("SELECT configuration, count(DISTINCT kernel) FROM counted JOIN pass ON pass.id = pass GROUP BY 1"))
    found = windows(run)
    check(by.get("hardware", 0) >= 18, f"kernels of 24 with hardware counters: {by}, {found} ({run.err})")
    check(found["held_s"] < 1.2, f"which is within the budget: {found}")


def test_timed_behind(folder):
    """A window of hardware counters rests while a kernel is launched that waits for the host: nothing is held, and none is opened anew."""
    run = Run(folder, "timed_behind", 24, 4, environment={"RL_SLOW_STARTS": "30"})
    counted = run.one("SELECT count(DISTINCT kernel) FROM counted JOIN pass ON pass.id = pass WHERE configuration = 'hardware'")
    found = windows(run)
    check(counted >= 18, f"kernels of 24 with hardware counters: {counted}, {found} ({run.err})")
    check(found["held_s"] < 1.2, f"which is within the budget: {found}")
    timed = run.one("SELECT timed FROM kernel_use JOIN kernel ON kernel.id = kernel WHERE name LIKE '%DelayKernel%'")
    check(timed == 72, f"launches that wait for the host have times: {timed} of 72")


def test_among_graphs(folder):
    """Graphs run, and the program may pause, while a window of hardware counters rests; kernels of graphs have times then."""
    run = Run(folder, "among_graphs", 24, 700, environment={"RL_SLOW_STARTS": "60"}, options=["--sample-gpu=no"])
    counted = run.one("SELECT count(DISTINCT kernel) FROM counted JOIN pass ON pass.id = pass WHERE configuration = 'hardware'")
    found = windows(run)
    check(counted >= 18 and found["held_s"] < 1.5, f"kernels of 25 with hardware counters: {counted}, {found} ({run.err})")
    launches, timed = run.rows("SELECT launches, timed FROM kernel_use JOIN kernel ON kernel.id = kernel WHERE name LIKE '%in_graph%'")[0]
    check(launches - timed <= 24, f"launches of the graph's kernel with a time: {timed} of {launches}")


def test_wavefront(folder):
    """Of a kernel whose grid is another one at each launch, the first shapes and those with the most time are counted, not hundreds."""
    run = Run(folder, "wavefront", 1000, 30, environment=BUSY)
    counted = run.one("SELECT count(DISTINCT kernel) FROM counted")
    check(8 <= counted <= 32, f"shapes of 1,000 that were counted: {counted}, {windows(run)} ({run.err})")
    check(run.one("SELECT count(*) FROM counted JOIN pass ON pass.id = pass WHERE configuration = 'sass'") >= 8,
          f"under both configurations: {windows(run)} ({run.err})")


def test_long_kernels(folder):
    """The time of kernels that the program waits for anyway is not what counting costs; one that takes longer than a window waits is counted."""
    run = Run(folder, "lasting", 24, 100)
    found = windows(run)
    parts = counted_under(run)
    check(found["held_s"] < 0.5 and parts.get("hardware", 0) >= 3 and len(parts) > 1 and "sass" not in parts,
          f"launches of 0.1 s cost what is around them, instrumented ones would take seconds: {found}, {parts} ({run.err})")
    check("instrumented" in reasons(run) and run.one("SELECT counters FROM session") == "collected", f"which is said: {reasons(run)}")
    run = Run(folder, "resting", 24, 100)
    equal(counted_under(run).get("sass"), 2, f"code that executes few instructions in that time takes no longer when it is instrumented ({run.err})")
    for ms in (450, 1500):
        run = Run(folder, "lasting", 1, ms)
        equal((run.rows("SELECT kernel.launches, untimed FROM kernel JOIN process"), counted_under(run)), ([(1, 1)], {"hardware": 1}),
              f"one launch of {ms} ms ({run.err})")


def test_slow_windows(folder):
    """A kernel of 50 ms that first comes while instrumented code is counted is not counted with it, nor does it run in such a window later."""
    run = Run(folder, "relay", 12, 50)
    rows = run.rows("SELECT name, configuration, counted.launches FROM counted JOIN pass ON pass.id = pass JOIN kernel ON kernel.id = kernel")
    counted = {(name.split("(")[0], configuration): launches for name, configuration, launches in rows}
    check(("lasting", "sass") not in counted and counted.get(("lasting", "hardware"), 0) == 2, f"the long one: {counted} ({run.err})")
    equal((counted.get(("brief", "hardware")), counted.get(("brief", "sass"))), (3, 2), f"the short one: {counted}")
    further = [launches for (name, configuration), launches in counted.items() if name == "lasting" and configuration not in ("hardware", "sass")]
    check(further and set(further) == {1}, f"further configurations have a launch each: {counted}")
    check(windows(run)["passed"] <= 1, f"windows of instrumented code are closed before it, so that it passes in one of another kind at most: {windows(run)}")


def test_lazy_loading(folder):
    """The code of a kernel is loaded before its first launch is counted, which would count that, too."""
    run = Run(folder, "lazy", 10, 1)
    ranges = run.rows("SELECT configuration, lowest, highest FROM counted JOIN pass ON pass.id = pass")
    check(ranges and all(low == high < 1000000 for _, low, high in ranges), f"least and greatest work that was counted: {ranges} ({run.err})")
    equal(run.out, "out\nloads 2\n", f"loaded once, by the handle that belongs to the context ({run.err})")
    run = Run(folder, "lazy", 10, 1, options=["--kernel", "other"])
    equal(run.out, "out\nloads 0\n", f"not where the kernel is left out ({run.err})")


def test_late_classes(folder):
    """A kernel that comes when the first windows are closed has windows of its own."""
    run = Run(folder, "late", 40000, 4)
    check(run.one("SELECT min(counted) FROM kernel_use") >= 2, f"all of them: {run.rows('SELECT counted, uncounted FROM kernel_use')} ({run.err})")


def test_rate(folder):
    """Of a program that does nothing but launch some launches are not recorded: all are counted, and times are estimated from the others."""
    run = Run(folder, "many", 1500000, 10, options=["--sample-gpu=no"], environment=BUSY)
    found = windows(run)
    check(found["skipped"] > 150000, f"launches that are not recorded: {found} ({run.err})")
    equal(run.launches(), {f"work{i}": 150000 for i in range(10)}, "launches are counted, recorded or not")
    kernels = json.loads(subprocess.run([ROOFLIGHT, "show", "--json", run.path], capture_output=True, text=True).stdout)["kernels"]
    sums = {kernel["short_name"].split("<")[0]: kernel["gpu_s"] for kernel in kernels}
    check(len(sums) == 10 and all(abs(sums[f"work{i}"] / (0.15 * (i + 1)) - 1) < 0.02 for i in range(10)), f"sums of times: {sums}")
    run = Run(folder, "phases", 600000, 0, options=["--sample-gpu=no"], environment={"RL_SLOW_START": "100"})
    check(windows(run)["skipped"] > 0, f"launches that are not recorded: {windows(run)} ({run.err})")
    equal(run.rows("SELECT min(counted) >= 2, count(*) FROM kernel_use"), [(1, 2)], f"and a kernel that comes afterwards is counted ({run.err})")
    for launches, options in ((100000, []), (1500000, ["--budget", "none"])):
        run = Run(folder, "many", launches, 10, options=["--sample-gpu=no", *options], environment=BUSY)
        check(windows(run)["skipped"] == 0 and sum(run.launches().values()) == launches, f"{options}: all are recorded, {windows(run)}")


def test_graphs_are_recorded(folder):
    """A gap between recorded stretches ends when the program launches a graph: what is in it is known from its records alone."""
    run = Run(folder, "rate_and_graphs", 1500000, 200, options=["--sample-gpu=no"], environment=BUSY)
    check(windows(run)["skipped"] > 0, f"launches that are not recorded: {windows(run)} ({run.err})")
    equal(run.one("SELECT launches FROM kernel WHERE name LIKE '%in_graph%'"), 200, "kernels of graphs")


def test_budget(folder):
    """Windows that take a quarter of a second each: one at most fits the budget of a program whose time goes into launching."""
    slow = {"RL_SLOW_START": "250"}
    begin = time.monotonic()
    run = Run(folder, "many", 300000, 10, options=["--sample-gpu=no", "--budget", "20"], environment=slow)
    took = time.monotonic() - begin
    found = windows(run)
    print(f"{took:.2f} s with windows that take a quarter of a second: {found}")
    check(found["held_s"] < 0.2 * took + 0.75 + 0.5, f"windows keep to the budget: {found}")
    run = Run(folder, "many", 200000, 4, environment={"RL_SLOW_START": "900"})
    check("--budget" in reasons(run) and "--replay application in 2 further ones, of about" in reasons(run), f"what it would take: {reasons(run)}")
    equal(windows(run)["windows"], 1, "a window that takes more than the budget is the only one")


def reasons(run):
    return " ".join(reason for reason, in run.rows("SELECT DISTINCT uncounted FROM kernel_use WHERE uncounted NOT NULL"))


def test_full_queue(folder):
    """A program that launches ahead, so that a thousand launches are always queued: it is counted where that may take what it takes, and else the
    reason says what was in the way."""
    run = Run(folder, "flood", 3000, 1000, options=AT_ONCE)
    equal(run.rows("SELECT counted, uncounted FROM kernel_use"), [(2, None)], f"counted at any price ({run.err})")
    run = Run(folder, "flood", 5000, 1000)
    equal(run.rows("SELECT counted, uncounted FROM kernel_use"), [(2, None)], f"its first launches, before the queue is full ({run.err})")


def test_least_classes(folder):
    """A class with the least of the GPU time is counted with the others, as long as it is launched while a window is open."""
    run = Run(folder, "skewed", ENOUGH, options=["--samples", "1", *AT_ONCE])
    rows = run.rows("SELECT launches, counted FROM kernel_use JOIN kernel ON kernel.id = kernel ORDER BY kernel.id")
    equal([counted for _, counted in rows][0], 1, "counted ones")
    equal(sum(launches for launches, _ in rows), ENOUGH, "launches")
    untimed = run.one("SELECT untimed FROM process")
    check(untimed < 6000, f"{untimed} launches were not timed: no window waits for long")


def test_kernel_replay(folder):
    run = Run(folder, "many", 40, 4, options=["--replay", "kernel"])
    equal(run.out, "out\n", "the second run says nothing")
    equal(run.rows("SELECT configuration, mode FROM pass"), [("all", "kernel replay")], "one pass row")
    equal({c for c, in run.rows("SELECT counted FROM kernel_use")}, {3}, "three launches of each")
    equal(run.launches(), {f"work{i}": 10 for i in range(4)}, "launches are those of the first run")
    check("two runs" in run.one("SELECT phases FROM process"), "it says that there were two runs")
    equal(run.one("SELECT count(*) FROM process"), 1, "the second run is no process of its own")


def test_application_replay(folder):
    run = Run(folder, "many", 40, 4, options=["--replay", "application"])
    equal(run.rows("SELECT configuration, mode FROM pass ORDER BY id"),
          [("hardware", "application replay"), ("sass", "application replay")], "a run for each configuration")
    equal({c for c, in run.rows("SELECT counted FROM kernel_use")}, {3}, "three launches of each")
    equal(run.one("SELECT untimed FROM process"), 0, "all launches of the first run are timed")


def test_few_launches(folder):
    """Too few launches for all windows: the program is not run again unless somebody has asked for it."""
    for arguments in ({}, {"options": ["--replay", "rotate"]}):
        run = Run(folder, "many", 10, 5, **arguments)
        check("run 2" not in run.err, f"once by default: {run.err!r}")
        equal(run.rows("SELECT DISTINCT configuration, launches FROM counted JOIN pass ON pass.id = pass"), [("hardware", 2)], "the hardware's counters of all")
        check("--replay kernel in a second run of about" in run.one("SELECT max(uncounted) FROM kernel_use"), "the reason says what it would take")
        check(run.one("SELECT min(total_ns) FROM kernel") > 0, "each has a time")
    for mode in ("kernel", "application"):
        run = Run(folder, "late", 10, 5, options=["--replay", mode])
        check(run.one("SELECT min(counted) FROM kernel_use") > 0, f"{mode}: launched long after the driver has begun, and soon over")
    run = Run(folder, "many", 10, 5, options=["--replay", "kernel"])
    equal(run.launches(), {f"work{i}": 2 for i in range(5)}, "launches are those of the first run")
    equal(run.out, "out\n", "the second run says nothing")
    equal(run.one("SELECT launches FROM process"), 10, "launches of the process")


def test_own_end(folder):
    """Exit status, signals, _exit, crash: the program's own, and what was finished is there."""
    run = Run(folder, "status", 37)
    equal(run.status, 37, "exit status is passed on")
    equal(run.rows("SELECT \"end\", status FROM process"), [("exited", 37)], "and recorded")
    check("the program ended with status 37" in run.err, f"says {run.err!r}")
    for number in (signal.SIGSEGV, signal.SIGKILL, signal.SIGABRT, signal.SIGTERM):
        run = Run(folder, "signal", int(number), options=["--replay", "none"])
        equal(run.status, -number, "ends by the same signal")
        equal(run.rows("SELECT \"end\", status FROM process"), [("killed", int(number))], "and it is recorded")
        equal(run.one("SELECT complete FROM session"), 0, "marked incomplete")
        check(sum(run.launches().values()) >= 1000, f"{run.launches()} were finished before signal {number}")
    run = Run(folder, "_exit", 5, options=["--replay", "none"])
    equal(run.status, 5, "_exit keeps its status")
    check(sum(run.launches().values()) >= 1000, f"_exit: {run.launches()}")
    check("exit handlers" in run.rows("SELECT text FROM log")[0][0] and run.one("SELECT complete FROM session") == 0, "the capture says that its end was not seen")


def test_end_while_preparing(folder):
    """CUPTI's host library is destroyed when the process ends: nobody of us may be using it by then."""
    for way in ("ends_after", "ended_after"):
        for ms in (0, 100, 200, 300, 500):
            run = Run(folder, way, ms, options=AT_ONCE, environment={"RL_SLOW_HOST_MS": "30"})
            equal(run.rows("SELECT \"end\", status FROM process"), [("exited", 0)], f"{way} {ms} ms")
            equal(run.status, 0, f"{way} {ms} ms: exit status")


def test_signals_reach_the_program(folder):
    for number in (signal.SIGTERM, signal.SIGUSR1, signal.SIGINT, signal.SIGHUP):
        path = os.path.join(folder, "waits.rlcap")
        process = subprocess.Popen([ROOFLIGHT, "collect", "-o", path, "--", PROGRAM, "wait", str(int(number))], env=variables(),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while process.stdout.readline() not in ("ready\n", ""):
            pass
        process.send_signal(number)
        process.communicate(timeout=30)
        equal(process.returncode, 40 + number, f"the program's own handler of {number.name} ran")
        check(os.path.exists(path), "and there is a capture")


def collect(folder, *arguments, options=(), environment=None, output="app.rlcap"):
    """The same as Run, but goes on while it runs; the head of a process group of its own."""
    return subprocess.Popen([ROOFLIGHT, "collect", "-o", os.path.join(folder, output), *options, "--", PROGRAM, *map(str, arguments)], cwd=folder,
                            env=variables(environment), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            start_new_session=True)


def read_until(stream, words):
    for line in stream:
        if words in line:
            return


def of_capture(folder, query, output="app.rlcap"):
    with sqlite3.connect(f"file:{os.path.join(folder, output)}?mode=ro&immutable=1", uri=True) as db:
        return db.execute(query).fetchall()


def test_signal_while_saving(folder):
    """What comes while an interim capture is written does not end rooflight before the last one is."""
    path = os.path.join(folder, "app.rlcap")
    with open(path, "wb") as old:
        old.write(b"old")
    os.mkfifo(path + ".partial")  # where the interim capture goes: writing waits for a reader
    process = collect(folder, "nap", 2000, 10000, options=["--replay", "none"])
    read_until(process.stdout, "ready")
    time.sleep(3.5)
    os.killpg(process.pid, signal.SIGINT)
    time.sleep(0.3)
    fifo, read = os.open(path + ".partial", os.O_RDONLY | os.O_NONBLOCK), b""
    while process.poll() is None:
        try:
            read += os.read(fifo, 1 << 16)
        except BlockingIOError:
            pass
        time.sleep(0.01)
    read += os.read(fifo, 1 << 26)
    os.close(fifo)
    process.communicate(timeout=30)
    equal(process.returncode, -signal.SIGINT, "ends as the program did")
    with open(os.path.join(folder, "last.rlcap"), "wb") as last:
        last.write(read[read.rindex(b"SQLite format 3"):])
    found = of_capture(folder, "SELECT complete, (SELECT sum(launches) FROM kernel) FROM session", "last.rlcap")
    check(found in ([(0, 2000)], [(0, 2001)]), f"the last capture was written: {found}")


def test_interrupted_further_run(folder):
    """An interrupt ends the run in hand, no other one is begun, and the capture is written."""
    process = collect(folder, "nap", 40, 1500, options=["--replay", "application", "--metrics", "all"])
    read_until(process.stderr, "run 2 of")
    time.sleep(0.5)
    os.killpg(process.pid, signal.SIGINT)
    err = process.communicate(timeout=30)[1]
    check("run 3 of" not in err, f"no further run: {err!r}")
    equal(process.returncode, 0, "the timed run's status")
    equal(of_capture(folder, "SELECT complete, (SELECT sum(launches) FROM kernel) FROM session"), [(0, 41)], "times are there; marked incomplete")
    texts = " ".join(text for text, in of_capture(folder, "SELECT text FROM log"))
    check("interrupted by signal 2" in texts and "interrupted by signal 2" in err, f"the reason: {texts!r} {err!r}")


def test_interrupt_survived(folder):
    """Nor does the program run again when it took the interrupt of its first run well."""
    process = collect(folder, "wait", int(signal.SIGINT), 1, options=["--replay", "kernel"])
    read_until(process.stdout, "ready")
    os.killpg(process.pid, signal.SIGINT)
    err = process.communicate(timeout=30)[1]
    check("run 2 of" not in err, f"no further run: {err!r}")
    equal(process.returncode, 0, "its status")
    equal(of_capture(folder, "SELECT complete FROM session"), [(0,)], "marked incomplete")


def test_inherited_signals(folder):
    """Signals that are ignored where rooflight starts do not disturb it, and the program finds them ignored."""
    def ignore():
        for number in (signal.SIGCHLD, signal.SIGPIPE):
            signal.signal(number, signal.SIG_IGN)
    for program in ([PROGRAM, "many", "100", "2"], ["grep", "SigIgn", "/proc/self/status"]):
        command = [ROOFLIGHT, "collect", "-o", os.path.join(folder, "app.rlcap"), "--replay", "none", "--", *program]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=30, env=variables(), restore_signals=False, preexec_fn=ignore)
        except subprocess.TimeoutExpired:
            check(False, f"{program[0]} with SIGCHLD ignored: it never ends")
            continue
        equal(done.returncode, 0, f"{program[0]}: exit status ({done.stderr})")
        if program[0] == "grep":
            ignored = int(done.stdout.split()[-1], 16)
            check(all(ignored & 1 << number - 1 for number in (signal.SIGCHLD, signal.SIGPIPE)), f"the program ignores {ignored:x}")


def sampled(folder, *options, program=("sampled", 3000), how="--sample-gpu", **environment):
    """A run that is sampled, on the stand-in, which counts what the kernels of all processes do."""
    ran = os.path.join(folder, "ran")
    for name in (ran, ran + ".met"):
        if os.path.exists(name):
            os.remove(name)
    return Run(folder, *program, options=[*([how] if how else []), *options], environment={"RL_PM_FILE": ran, **environment})


SAMPLED = """SELECT kernel.name, counter, per_launch, half_width, together = kernel, sampled_value.launches
             FROM sampled_value JOIN kernel ON kernel.id = sampled_value.kernel"""


def test_sampled_gpu(folder):
    """What the launches of each class do is found from samples of the whole GPU, which another process took."""
    run = sampled(folder)
    equal((run.status, run.out), (0, "out\n"), f"the program is its own ({run.err})")
    check("warning" not in run.err, f"nothing to warn of: {run.err}")
    known = {("shorter(float*)", "sm_active"): 200000, ("shorter(float*)", "dram_read"): 1000, ("shorter(float*)", "instructions"): 2000,
             ("longer(float*)", "sm_active"): 500000, ("longer(float*)", "dram_read"): 7000, ("longer(float*)", "instructions"): 14000}
    rows = run.rows(SAMPLED)
    equal(len(rows), len(known), f"values: {rows}")
    for name, counter, value, half, alone, launches in rows:
        check(alone and abs(value - known[name, counter]) <= max(1.5 * half, 0.01 * value) and half < 0.1 * value,
              f"{name}: {counter} {value} +- {half}, not {known[name, counter]}")
        check(100 < launches <= 3000, f"{name}: {launches} launches in samples")
    samples, windows, used, idle, others, shift, correlation, failure = run.rows(
        "SELECT samples, windows, used, idle, others, shift_ns, correlation, failure FROM gpu_sampling")[0]
    left_out = samples - used
    check(windows >= 2 and 0 < left_out <= windows, f"the first sample after a pause is left out: {samples} {windows} {used}")
    check(idle > 0 and others == 0 and failure is None, f"idle {idle}, others {others}, {failure}")
    check(abs(shift) <= 1000 and correlation > 0.9, f"one clock: {shift} ns, {correlation}")
    equal(run.one("SELECT count(*) FROM counter WHERE value NOT NULL"), 0, "no other counters in the timed run")
    shown = subprocess.run([ROOFLIGHT, "show", "--json", run.path], capture_output=True, text=True, timeout=120, env=variables())
    kernels = {kernel["name"]: kernel["sampled"] for kernel in json.loads(shown.stdout)["kernels"]}
    said = {(name, row["counter"]): (row["per_launch"], row["half_width"]) for name, rows in kernels.items() for row in rows}
    equal(said, {(name, counter): (value, half) for name, counter, value, half, *_ in rows}, "show --json has the same values")
    equal({row["unit"] for rows in kernels.values() for row in rows if row["counter"] == "dram_read"}, {"B"}, "with their unit")
    equal(run.one("SELECT count(*) FROM sampled_value WHERE per_launch < 0"), 0, "nothing is negative")
    said = [text for text, in run.rows("SELECT text FROM log") if "include those that recording adds, which could not be measured: " in text]
    equal(len(said), 1, "there is no GPU to measure on what recording adds, and the log says so")


def test_sampled_moments(folder):
    """The same samples say what was going on when: sums over bins are those of the samples, bins without samples are not there, and one
    that is covered has what ran in it."""
    run = sampled(folder)
    lanes = {counter: (covered, total) for counter, covered, total in run.rows("SELECT counter, covered_ns, total FROM sampled_lane")}
    equal(sorted(lanes), ["dram_read", "nvlink_received", "pcie_read", "sm_active", "sm_elapsed"], "what is told by moment, and no other counter")
    bins = run.rows("SELECT counter, bin, b.covered_ns, b.total FROM sampled_bin b JOIN sampled_lane ON sampled_lane.id = lane")
    for counter, (covered, total) in lanes.items():
        own = [row for row in bins if row[0] == counter]
        equal(sum(row[2] for row in own), covered, f"{counter}: time with samples, and that of the bins")
        check(abs(sum(row[3] for row in own) / total - 1) < 1e-9, f"{counter}: its total {total}, and that of the bins")
        equal({row[1]: row[2] for row in own}, {row[1]: row[2] for row in bins if row[0] == "sm_active"}, f"{counter}: the same samples")
    covered, cycles = lanes["sm_elapsed"]
    check(abs(cycles / covered - 1) < 1e-9, f"a cycle of the stand-in is a nanosecond: {cycles} in {covered} ns")
    check(abs(lanes["pcie_read"][1] / lanes["dram_read"][1] - 3) < 1e-9, f"each counter has its own values: {lanes}")
    samples, interval = run.rows("SELECT samples, interval_ns FROM gpu_sampling")[0]
    check(0.9 * samples <= covered / interval <= samples, f"all but those after a pause and before the first kernel: {covered} ns, {samples} samples")
    width, count = run.rows("SELECT width_ns, bins FROM timeline")[0]
    check(len([row for row in bins if row[0] == "sm_active"]) < count, "bins without samples have no row")
    ran = dict(run.rows("SELECT bin, ns FROM timeline_bin b JOIN timeline_lane l ON l.id = b.lane WHERE l.lane = 'kernels'"))
    whole = [(bin, total) for counter, bin, covered, total in bins if counter == "sm_active" and covered == width]
    apart = [(bin, total, ran.get(bin, 0)) for bin, total in whole if abs(total - ran.get(bin, 0)) > 2000]
    # The stand-in does not know kernels that end long after their window.
    check(len(whole) > 20 and len(apart) <= len(whole) / 20, f"SMs were active while a kernel ran, bin by bin: {len(whole)}, but {apart}")
    shown = subprocess.run([ROOFLIGHT, "show", "--timeline", "--json", run.path], capture_output=True, text=True, timeout=120, env=variables())
    told = {row["counter"]: row for row in json.loads(shown.stdout)["timelines"][0]["samples"]}
    check(abs(told["dram_read"]["mean"] / (lanes["dram_read"][1] / covered * 1e9) - 1) < 1e-6, f"bytes in a second: {told['dram_read']}")
    check(abs(told["sm_active"]["mean"] - lanes["sm_active"][1] / cycles) < 1e-9, f"a share of cycles: {told['sm_active']['mean']}")
    rates = [rate for rate in told["sm_active"]["bins"] if rate is not None]
    equal((len(rates), len(told["sm_active"]["bins"])), (len({row[1] for row in bins}), count), "bins without samples are null")
    check(min(rates) >= 0 and max(rates) <= 1, "shares")


def test_sampled_parts(folder):
    """Launches that the filters leave out are not taken for those that they select."""
    run = sampled(folder, "--kernel", "longer")
    rows = {(name, counter): (value, half) for name, counter, value, half, *_ in run.rows(SAMPLED)}
    check(all(name == "longer(float*)" for name, _ in rows), f"of the selected kernel: {rows}")
    value, half = rows["longer(float*)", "dram_read"]
    check(abs(value - 7000) < max(70, 1.5 * half) < 700, f"its own alone: {rows}")


def test_sampled_until_killed(folder):
    """Samples of what the program did last, of which it could not tell any more, are left out: nobody else did it."""
    run = sampled(folder, program=("sampled", 2000, 1))
    check(run.status != 0, "it was killed")
    samples, windows, used, others = run.rows("SELECT samples, windows, used, others FROM gpu_sampling")[0]
    check(0 < used <= samples - windows, f"samples left out: {samples} in {windows} windows, {used} used")
    equal(others, 0, "nobody else was there")
    for name, counter, value, half, *_ in run.rows(SAMPLED):
        if counter == "dram_read":
            known = 7000 if "longer" in name else 1000
            check(abs(value - known) <= max(1.5 * half, 0.01 * known), f"{name}: {value} +- {half}, not {known}")


def test_sampled_by_default(folder):
    """Windows come first; when nothing is left to count, another process samples the counters, which have one owner."""
    run = sampled(folder, how=None, program=("sampled", 14000))
    equal((run.status, run.out), (0, "out\n"), f"the program is its own ({run.err})")
    check("warning" not in run.err, f"nothing to warn of: {run.err}")
    check(run.one("SELECT min(counted) FROM kernel_use") >= 2, f"exact counters ({run.err})")
    alone = {(name, counter) for name, counter, value, half, alone, launches in run.rows(SAMPLED) if alone}
    equal(len(alone), 6, f"values from samples: {alone}")
    equal(run.one("SELECT failure FROM gpu_sampling"), None, "both without a fault")
    check(0 < run.one("SELECT max(launches) FROM sampled_value") < 10000, "samples are of a part of the run")


def test_sampled_short(folder):
    """A program that is over soon is counted, and not sampled."""
    run = sampled(folder, how=None, program=("sampled", 700))
    equal(run.status, 0, f"its status ({run.err})")
    equal(run.one("SELECT count(*) FROM gpu_sampling"), 0, f"no samples ({run.err})")
    check(run.one("SELECT min(counted) FROM kernel_use") >= 2, f"windows ({run.err})")


# What a sample of 13 counters takes to decode on a card, about.
LIKE_A_CARD = {"RL_PM_COST_US": "60"}


def sampled_launches(run):
    """Launches in the samples, of each kernel that has a value of its own."""
    return {name.split("(")[0]: launches for name, counter, _, _, alone, launches in run.rows(SAMPLED) if alone and counter == "dram_read"}


def test_sampled_late_start(folder):
    """A program that loads its libraries for three seconds is sampled when kernels run, too: windows go on."""
    run = sampled(folder, program=("loads_first", 1500, 3000), **LIKE_A_CARD)
    samples, used, idle = run.rows("SELECT samples, used, idle FROM gpu_sampling")[0]
    equal(run.status, 0, f"its status ({run.err})")
    check(sorted(sampled_launches(run)) == ["longer", "shorter"], f"both kernels have values: {run.rows(SAMPLED)}")
    check(1000 < used and 0 < idle < used, f"{samples} taken, {used} used, {idle} of them idle")


def test_sampled_after_a_pause(folder):
    """A program that has made ready and goes on soon is met, and is not held up for it: only its first launch waits, before anything ran."""
    for _ in range(3):  # on a busy machine decoding may take longer than the program computes
        run = sampled(folder, program=("pauses", 45, 400), RL_PM_COST_US="84", RL_ONE_DEVICE="1")
        met = set(sampled_launches(run))
        if {"longer", "shorter"} <= met:
            break
    equal(run.status, 0, f"its status ({run.err})")
    check({"longer", "shorter"} <= met, f"what it does after the pause: {run.rows(SAMPLED)} ({run.err})")
    gaps = dict(run.rows("SELECT lane, max(longest_ns) FROM timeline_gap GROUP BY lane"))
    check(gaps.get("unwatched", 0) == 0 and 40e6 < gaps["idle_host"] < 100e6, f"times without a kernel: {gaps}")


def test_sampled_graphs(folder):
    """Kernels of graphs have values."""
    run = sampled(folder, program=("graph_rounds", 150), **LIKE_A_CARD)
    equal(run.status, 0, f"its status ({run.err})")
    met = sampled_launches(run)
    check(met.get("replayed", 0) >= 16, f"kernels of graphs in samples: {run.rows(SAMPLED)} ({run.err})")


def test_sampled_soon(folder):
    """Where the process sees one GPU sampling is enabled before the first launch, however long that takes: kernels of a fifth of a second are met."""
    run = sampled(folder, program=("graph_rounds", 30), RL_ONE_DEVICE="1", RL_PM_ENABLE_MS="300")
    equal(run.status, 0, f"its status ({run.err})")
    check(sampled_launches(run).get("replayed", 0) >= 16, f"kernels in samples: {run.rows(SAMPLED)} ({run.err})")
    run = sampled(folder, program=("gpus", 100), RL_ONE_DEVICE="1")
    equal(run.status, 0, f"a program that uses other devices, too: its status ({run.err})")


def sampled_lanes(folder, **options):
    """What is told by moment of a program whose kernels have values, whatever the card counts beside them."""
    run = sampled(folder, program=("sampled", 3000), **options)
    equal(sorted(sampled_launches(run)), ["longer", "shorter"], f"{options}: kernels with values: {run.rows(SAMPLED)} ({run.err})")
    return {counter for counter, in run.rows("SELECT DISTINCT counter FROM sampled_lane")}


def test_sampled_without_pcie(folder):
    """A card that does not count what is told by moment alone is sampled without that, from the first window on."""
    everything = sampled_lanes(folder)
    check({"dram_read", "pcie_read", "nvlink_received"} <= everything, f"by moment: {everything}")
    links = {"nvlink_received"}
    equal(sampled_lanes(folder, RL_PM_FAULT="no_links"), everything - links, "no samples with counters of links")
    equal(sampled_lanes(folder, RL_ONE_DEVICE="1"), everything - links, "no other GPU")
    lanes = sampled_lanes(folder, RL_PM_FAULT="no_pcie")
    check("dram_read" in lanes and not any("pcie" in counter for counter in lanes), f"by moment without PCIe: {lanes}")


def test_sampled_slow_start(folder):
    """A machine on which it takes long to begin to sample: nobody wants the counters meanwhile, and the program is sampled all the same."""
    run = sampled(folder, program=("sampled", 14000), RL_PM_ENABLE_MS="2000")
    equal(run.status, 0, f"its status ({run.err})")
    check(sorted(sampled_launches(run)) == ["longer", "shorter"], f"both kernels have values: {run.rows(SAMPLED)} ({run.err})")


def test_sampled_end(folder):
    """Nobody waits for samples that take long to decode: those of the last moment are dropped, and that is said."""
    for launches in (2400, 1900, 2900, 1600, 2200, 3400):  # it may end between two windows
        plain = time.monotonic()
        subprocess.run([PROGRAM, "sampled", str(launches)], env=variables(), capture_output=True, check=True)
        plain = time.monotonic() - plain
        begin = time.monotonic()
        run = sampled(folder, program=("sampled", launches), RL_PM_COST_US="700")
        took = time.monotonic() - begin
        equal((run.status, run.out), (0, "out\n"), f"the program is its own ({run.err})")
        check(took < plain + 1.5, f"{took:.2f} s, without rooflight {plain:.2f} s: the second window takes 0.7 s to decode")
        if "had ended before its GPU could be sampled" in run.err:
            return  # on a machine that is so busy that nothing was taken
        lost = [text for text, in run.rows("SELECT text FROM log WHERE text LIKE '%the program ended before they were decoded'")]
        if lost:
            break
    check(len(lost) == 1 and re.match(r"\d+ (samples|windows of samples) of the GPU are not used", lost[0]), f"what was dropped is said: {lost}")
    check("warning" not in run.err, f"and is nothing to warn of: {run.err}")


def test_sampled_many_launches(folder):
    """Classes whose launches are too short, and no two of which follow one another, have no value: each says why."""
    run = sampled(folder, program=("many", 100000, 3), **LIKE_A_CARD)
    equal(run.status, 0, f"its status ({run.err})")
    equal(sum(run.launches().values()), 100000, "all launches are known")
    samples, windows, used = run.rows("SELECT samples, windows, used FROM gpu_sampling")[0]
    check(0 <= samples - used <= windows, f"{samples} samples in {windows} windows: {used} used")
    equal(sampled_launches(run), {}, "no values")
    reasons = run.rows("SELECT DISTINCT uncounted FROM kernel_use")
    if used >= 64:
        equal(reasons, [("counters were not asked for: collect without --replay none counts them; fewer than 8 samples of the GPU were wholly inside its launches",)], "why")


def test_not_sampled(folder):
    """Who does not want samples, or only times, has none."""
    for options in (["--sample-gpu=no"], ["--replay", "none"], ["--budget", "all"]):
        run = sampled(folder, *options, how=None, program=("sampled", 500))
        equal(run.one("SELECT count(*) FROM gpu_sampling"), 0, f"{options}: nothing was sampled ({run.err})")
    run = sampled(folder, how="--sample-gpu=often")
    equal(run.status, 2, "an unknown way")
    check("'first' or 'only'" in run.err, f"names the ways: {run.err}")


def test_sampling_faults(folder):
    """Whatever happens to the sampling process is one line, and never the program's fault."""
    for fault, launches, says in (("refused", 500, "not permitted"), ("crashes", 500, "ended by signal 9"),
                                  ("hangs", 500, "had ended before its GPU could be sampled"), ("hangs", 7000, "did not end and was killed")):
        begin = time.monotonic()
        run = sampled(folder, program=("sampled", launches), RL_PM_FAULT=fault)
        check(time.monotonic() - begin < 3 + launches / 1000, f"{fault}: nobody waits for it ({time.monotonic() - begin:.1f} s)")
        equal((run.status, run.out), (0, "out\n"), f"{fault}: the program is its own ({run.err})")
        equal(sum(run.launches().values()), launches, f"{fault}: its launches are in the capture")
        equal(run.one("SELECT count(*) FROM sampled_value"), 0, f"{fault}: no values")
        lines = [line for line in run.err.splitlines() if "samples of the GPU" in line]
        check(len(lines) == 1, f"{fault}: one line: {run.err}")
        failure = run.one("SELECT failure FROM gpu_sampling")
        check(failure and (says in failure or fault == "refused"), f"{fault}: {failure}")
    run = sampled(folder, program=("many", 100, 2))
    equal(run.status, 0, f"a program that ends at once ({run.err})")
    run = sampled(folder, program=("nothing",))
    equal(run.status, 0, f"a program without CUDA ({run.err})")
    equal(run.one("SELECT count(*) FROM gpu_sampling"), 0, "nothing was sampled")
    check("samples of the GPU" not in run.err, f"and nothing is said of it: {run.err}")
    run = sampled(folder, "--budget", "5")
    equal(run.status, 2, "windows of counters and samples at once")
    for fault in ("crashes", "hangs", "refused"):
        run = sampled(folder, how=None, program=("sampled", 14000), RL_PM_FAULT=fault)
        equal((run.status, run.out), (0, "out\n"), f"{fault}: the program is its own ({run.err})")
        check(run.one("SELECT min(counted) FROM kernel_use") >= 2, f"{fault}: and has its exact counters ({run.err})")


STALLS = """SELECT pc_function.name, offset, reason, samples, not_issued, source_line.number, source_line.text, path
            FROM pc_stall JOIN pc_instruction ON pc_instruction.id = instruction JOIN pc_function ON pc_function.id = function
            LEFT JOIN source_line ON source_line.id = line LEFT JOIN source_file ON source_file.id = file ORDER BY pc_stall.id"""


def sampled_instructions(folder, *options, program=("many", 4000, 2), **environment):
    source = os.path.join(folder, "work.cu")
    with open(source, "w", encoding="utf-8") as out:
        out.write("".join(f"line {i} of the source\n" for i in range(1, 9)))
    return Run(folder, *program, options=["--pc-sampling", *options], environment={"RL_PC_SOURCE": source, **environment})


def test_pc_sampling(folder):
    """Every sample of every launch by instruction and reason, with the line that it is of and what the line says."""
    run = sampled_instructions(folder)
    equal((run.status, run.out), (0, "out\n"), f"the program is its own ({run.err})")
    check("warning" not in run.err, f"nothing to warn of: {run.err}")
    path = os.path.join(folder, "work.cu")
    wanted = []
    for kernel in range(2):
        name = f"_Z5work{kernel}IfEvPT_i"
        wanted += [(name, 0x10, "long_scoreboard", 8 * 2000, 6 * 2000, 5, "line 5 of the source", path),
                   (name, 0x20, "selected", 2000, 0, 7, "line 7 of the source", path), (name, 0x20, "wait", 2 * 2000, 0, 7, "line 7 of the source", path)]
    equal(run.rows(STALLS), wanted, "samples")
    equal(run.rows("SELECT period, samples, dropped, others, overflows, unkept FROM pc_sampling"), [(16, 12 * 4000, 0, 4000, 0, 0)], "totals")
    equal(run.rows("SELECT cubin, lines FROM pc_function"), [("000000000000c0b1", 1)] * 2, "their module")
    equal([n for n, in run.rows("SELECT number FROM source_line")], [3, 4, 5, 6, 7, 8], "the lines around them")
    equal(run.one("SELECT sum(timed) FROM kernel_use"), 4000, "every launch is timed")
    equal(run.one("SELECT count(*) FROM counter WHERE value NOT NULL"), 0, "and none is counted")
    check(all("--pc-sampling" in why and "--replay kernel" in why for why, in run.rows("SELECT uncounted FROM kernel_use")), "for a reason that says what would")
    shown = subprocess.run([ROOFLIGHT, "show", "--source", "work1", "--json", run.path], capture_output=True, text=True, timeout=120, env=variables())
    kernel = json.loads(shown.stdout)["kernels"][0]
    equal([(line["line"], line["samples"], line["reason"]) for line in kernel["lines"]], [(5, 16000, "long_scoreboard"), (7, 6000, "wait")], "lines of one kernel")
    text = subprocess.run([ROOFLIGHT, "show", "--source", "work1", run.path], capture_output=True, text=True, timeout=120, env=variables()).stdout
    check("work.cu:5" in text and "long scoreboard (memory)" in text and "line 4 of the source" in text, f"for people: {text}")


DISASSEMBLER = """#!/bin/sh
test "$1" = -c && test -s "$2" || exit 3
cat <<'END'
.text._Z5work0IfEvPT_i:
        /*0000*/                   LDC R1, c[0x0][0x28] ;
        /*0010*/                   LDG.E R0, desc[UR6][R2.64] ;
        /*0020*/                   CALL.REL.NOINC `($_Z5work0IfEvPT_i$_Z6secretv) ;
.text._Z5otherv:
        /*0010*/                   NOP ;
END
"""


def test_pc_text(folder):
    """What hot instructions say is kept, as nvdisasm prints it of their module, without names; where that fails there is none."""
    tools = os.path.join(folder, "tools")
    os.mkdir(tools)
    tool = os.path.join(tools, "nvdisasm")
    for script, texts in ((DISASSEMBLER, [("_Z5work0IfEvPT_i", 0x10, "LDG.E R0, desc[UR6][R2.64]"),
                                          ("_Z5work0IfEvPT_i", 0x20, "CALL.REL.NOINC `([symbol])")]), ("#!/bin/sh\nexit 1\n", [])):
        with open(tool, "w", encoding="utf-8") as out:
            out.write(script)
        os.chmod(tool, 0o755)
        run = sampled_instructions(folder, PATH=f"{tools}:{os.environ['PATH']}")
        equal((run.status, run.out), (0, "out\n"), f"the program is its own ({run.err})")
        equal(run.rows("""SELECT name, offset, text FROM pc_text JOIN pc_instruction ON pc_instruction.id = instruction
                          JOIN pc_function ON pc_function.id = function"""), texts, "instructions of the kernel that was sampled")
        said = [text for text, in run.rows("SELECT text FROM log") if "have no text" in text]
        equal(len(said), 0 if texts else 1, f"what is said of it: {said}")
        if texts:
            shown = subprocess.run([ROOFLIGHT, "show", "--source", "work0", run.path], capture_output=True, text=True, timeout=120, env=variables()).stdout
            check("LDG.E R0, desc[UR6][R2.64]" in shown and "secret" not in shown, f"for people: {shown}")
            check("sectors per load and store are unknown" in shown, f"nothing counted them, and a free run cannot: {shown}")


def test_pc_sampling_with_counters(folder):
    """A further run has the counters, when that is asked for."""
    run = sampled_instructions(folder, "--replay", "kernel")
    check(run.one("SELECT min(counted) FROM kernel_use") >= 1, f"counted ({run.err})")
    equal(run.one("SELECT sum(samples) FROM pc_stall"), 11 * 4000, "and sampled")


def test_pc_sampling_without_source(folder):
    """A source that is gone, is no file, or is endless has no text; its lines are known all the same."""
    for source in ("/nowhere/work.cu", "/dev/zero", folder):
        run = sampled_instructions(folder, RL_PC_SOURCE=source)
        equal((run.status, run.rows("SELECT number, text FROM source_line")), (0, [(5, None), (7, None)]), f"{source} ({run.err})")


def test_pc_sampling_refused(folder):
    """Why there are none is said in one line, and times are taken."""
    for function, code, words in (("cuptiPCSamplingEnable", 35, "ERR_NVGPUCTRPERM"), ("cuptiPCSamplingSetConfigurationAttribute", 27, "27")):
        run = sampled_instructions(folder, RL_REFUSE=function, RL_REFUSE_CODE=str(code))
        equal(run.status, 0, f"{function}: exit status")
        log = [text for text, in run.rows("SELECT text FROM log") if "no stall reasons: " in text]
        check(len(log) == 1 and words in log[0], f"{function}: said once: {log}")
        equal((run.one("SELECT count(*) FROM pc_stall"), run.one("SELECT sum(timed) FROM kernel_use")), (0, 4000), f"{function}: times alone")
    run = sampled_instructions(folder, "--sample-gpu")
    equal((run.status, "--sample-gpu" in run.err), (2, True), "both cannot be had")


def test_pc_sampling_of_what_ends(folder):
    """What was taken before the program was killed is kept; a second context is not sampled, and that is said."""
    run = sampled_instructions(folder, program=("contexts", 200, 2))
    equal(run.status, 0, f"exit status ({run.err})")
    check(any("second context" in text for text, in run.rows("SELECT text FROM log")), "a second context")
    check(0 < run.one("SELECT sum(samples) FROM pc_stall"), "the first one is sampled")


def test_folder_names(folder):
    """A folder for temporary files may have any name."""
    for name in ("t[1]", "a*b", "c\\d", "e?"):
        scratch = os.path.join(folder, name)
        os.mkdir(scratch)
        run = Run(folder, "many", 100, 2, options=["--replay", "none"], environment={"TMPDIR": scratch})
        equal(sum(run.launches().values()), 100, f"launches with TMPDIR {name}")
        equal(os.listdir(scratch), [], f"files left in {name}")


def test_no_room_for_records(folder):
    """Limits on files, and disks that are full, are none of ours: nothing is written to any."""
    for room in (0, 37001):
        run = Run(folder, "limit", room, 4000, options=["--replay", "none"], environment={"TMPDIR": "/nonexistent"})
        equal(run.status, 0, f"{room}: the program's status")
        equal(run.one("SELECT complete FROM session"), 1, f"{room}: complete")
        equal(sum(run.launches().values()), 4000, f"{room}: launches")


def test_lost_records(folder):
    """A record in a thousand that CUPTI loses leaves a capture complete, more do not; either is said."""
    for lost in 3, 5:
        run = Run(folder, "many", 4000, 2, options=["--replay", "none"], environment={"RL_LOST_RECORDS": str(lost)})
        equal(run.one("SELECT complete FROM session"), int(lost * 1000 <= 4000), f"{lost} records of 4000: complete")
        equal(run.one(f"SELECT count(*) FROM log WHERE text LIKE '%: {lost} of 4%launches have no record%'"), 1, f"{lost} records of 4000: said ({run.err})")


def test_little_memory(folder):
    """A program that may have little memory ends as without us, as long as it would with 6 MiB less, which our code takes; what is not seen is said."""
    seen = set()
    for option in "dv":
        for step in range(24):
            limit = int((2000 if option == "d" else 12000) * 1.18 ** step)
            def limited(kilobytes):
                return ["sh", "-c", f"ulimit -{option} {kilobytes}; exec {PROGRAM} many 3000 9"]
            alone, less = (subprocess.run(limited(limit - rest), capture_output=True, env=variables(), cwd=folder).returncode for rest in (0, 6000))
            if alone or less or limit < 6000:
                continue
            done = subprocess.run([ROOFLIGHT, "collect", "-o", f"{folder}/app-{option}{step}.rlcap", *AT_ONCE, "--", *limited(limit)],
                                  capture_output=True, text=True, env=variables(), cwd=folder, timeout=60)
            equal((done.returncode, done.stdout), (0, "out\n"), f"ulimit -{option} {limit}: {done.stderr!r}")
            complete, = of_capture(folder, "SELECT complete FROM session", f"app-{option}{step}.rlcap")[0]
            check(complete or "too little memory" in done.stderr, f"ulimit -{option} {limit}: says {done.stderr!r}")
            seen.add(complete)
    check(0 in seen, "no limit was low")
    for least in (65536, 4096, 1024, 256, 64):
        run = Run(folder, "starved", least, 2000, options=AT_ONCE)
        equal((run.status, run.out), (0, "out\n"), f"no block of {least} bytes is left: {run.err!r}")


def test_two_at_once(folder):
    """Of two that write to one name at once, one ending while the other waits for its program, nothing is lost, and that is said."""
    fifo, path = os.path.join(folder, "fifo"), os.path.join(folder, "app.rlcap")
    for there in (False, True):
        for name in os.listdir(folder):
            os.unlink(os.path.join(folder, name))
        if there:
            Run(folder, "many", 100, 1)
        os.mkfifo(fifo)
        with subprocess.Popen([ROOFLIGHT, "collect", "-o", path, "--", "sh", "-c", f"cat fifo; exec {PROGRAM} many 1000 3"], env=variables(), cwd=folder,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as first:
            with open(fifo, "w", encoding="ascii"):  # it has begun
                second = Run(folder, "many", 2000, 4, kept=True)
            said = first.communicate()[1]
        launches = {name: of_capture(folder, "SELECT sum(launches) FROM kernel", name)[0][0] for name in os.listdir(folder) if name != "fifo"}
        kept = said if there else second.err  # what is there may be replaced by whoever is first
        equal((first.returncode, second.status), (0, 0), f"there {there}: {said!r}, {second.err!r}")
        check("app.rlcap' is left as it was: this capture was measured at the same time" in kept, f"there {there}: {said!r}, {second.err!r}")
        equal(launches, {"app.rlcap": 2000, "app.rlcap.partial": 1000} if there else {"app.rlcap": 1000, "app.rlcap.partial": 2000}, f"there {there}")


def test_few_resources(folder):
    """A program that may have few descriptors, a small stack or no more threads ends as without us, at once; what is not seen is said."""
    Run(folder, "many", 3000, 4, output="few.rlcap")
    for limit in ("-n 4", "-n 5", "-n 6", "-n 8", "-s 20", "-s 24", "-s 64"):
        command = ["sh", "-c", f"ulimit {limit}; exec {PROGRAM} many 3000 4"]
        done = subprocess.run([ROOFLIGHT, "collect", "-o", f"{folder}/few.rlcap", "--", *command], capture_output=True, text=True,
                              env=variables(), cwd=folder, timeout=60)
        equal((done.returncode, done.stdout), (0, "out\n"), f"ulimit {limit}: {done.stderr!r}")
        check("too little memory" in done.stderr or limit not in ("-s 20", "-s 24"), f"ulimit {limit}: says {done.stderr!r}")
    equal(of_capture(folder, "SELECT complete, (SELECT sum(launches) FROM kernel) FROM session", "few.rlcap"), [(1, 3000)], "the capture that was there")
    run = Run(folder, "many", 3000, 4, environment={"LD_PRELOAD": f"{STAND_INS}/libno_thread.so"})
    equal((run.status, run.out), (0, "out\n"), f"no thread: {run.err!r}")
    check("may have no more threads" in run.err, f"no thread: says {run.err!r}")
    equal(run.one("SELECT complete FROM session"), 0, "no thread: the capture is incomplete")


def test_sealed(folder):
    """A program that forbids files, sockets, threads and processes on pain of death (seccomp) ends as without us, and all is seen."""
    for options in (["--replay", "none"], AT_ONCE, ["--sample-gpu"]):
        run = Run(folder, "sealed", 5000, options=options)
        equal((run.status, run.out), (0, "out\n"), f"{options}: {run.err!r}")
        equal(run.one("SELECT sum(launches) FROM kernel"), 10100, f"{options}: launches")
        equal(run.one("SELECT complete FROM session"), 1, f"{options}: complete")


def test_damaged_records(folder):
    """A program that writes all over our memory loses what it did then, and that is said; what was read before is kept."""
    process = collect(folder, "nap", 2000, 8000, options=["--replay", "none"])
    read_until(process.stdout, "ready")
    for _ in range(200):  # until an interim capture has been written
        if os.path.exists(os.path.join(folder, "app.rlcap")):
            break
        time.sleep(0.1)
    child, = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True, check=True).stdout.split()
    with open(f"/proc/{child}/maps") as maps, open(f"/proc/{child}/mem", "r+b", buffering=0) as memory:
        begin = next(int(line.split("-")[0], 16) for line in maps if "memfd:rooflight" in line and "rw-s" in line)
        memory.seek(begin)
        memory.write(b"\xff" * 4096)
    process.communicate(timeout=30)
    found = of_capture(folder, "SELECT complete, (SELECT sum(launches) FROM kernel) FROM session")
    check(found in ([(0, 2000)], [(0, 2001)]), f"launches, marked incomplete: {found}")
    texts = " ".join(text for text, in of_capture(folder, "SELECT text FROM log WHERE level = 'error'"))
    check("damaged" in texts, f"the log says {texts!r}")


def test_no_cuda(folder):
    for way, words in (("nothing", "no process was seen to use CUDA"), ("idle", "no selected kernel ran")):
        run = Run(folder, way)
        equal(run.status, 0, f"{way}: exit status")
        check(words in run.err, f"{way}: says {run.err!r}")
        equal(run.one("SELECT count(*) FROM kernel"), 0, f"{way}: no classes")
    begin = time.monotonic()
    Run(folder, "nothing")
    print(f"a program without CUDA takes {time.monotonic() - begin:.3f} s")


def test_ranges(folder):
    run = Run(folder, "ranges", 20, options=["--replay", "none"])
    rows = run.rows("""SELECT r.domain, r.name, p.name, r.instances, r.launches, r.gpu_ns FROM nvtx_range r
                       LEFT JOIN nvtx_range p ON p.id = r.parent ORDER BY r.id""")
    equal(rows, [(None, "step", None, 20, 20, 20000), (None, "vorwärts", "step", 20, 20, 40000),
                 ("lib", "inner", "vorwärts", 20, 20, 60000), (None, "whole", None, 1, 1, 4000)], "the tree")


def test_cases(folder):
    """Instances of ranges with parameters: those of ranges inside them are part of them, and what ran between is none of theirs."""
    run = Run(folder, "cases", 20, options=["--replay", "none"])
    rows = run.rows("""SELECT coalesce(p.name, ''), r.name, r.instances, count(i.id), sum(i.launches), sum(i.untimed), min(i.busy_ns), max(i.busy_ns),
                       min(i.gpu_ns >= i.busy_ns), count(i.gpu), min(i.host_ns > 0) FROM nvtx_range r LEFT JOIN nvtx_range p ON p.id = r.parent
                       LEFT JOIN range_instance i ON i.range = r.id GROUP BY r.id ORDER BY r.id""")
    gemm, step = "gemm M=512,N=64", "step größe=8"
    equal(rows, [("", gemm, 20, 20, 40, 0, 3000, 3000, 1, 20, 1), (gemm, "inside", 20, 0, None, None, None, None, None, 0, None),
                 ("", step, 20, 20, 40, 0, 3000, 3000, 1, 20, 1), (step, gemm, 20, 20, 20, 0, 2000, 2000, 1, 20, 1),
                 (gemm, gemm, 20, 20, 20, 0, 2000, 2000, 1, 20, 1), ("", "empty B=1", 20, 20, 0, 0, 0, 0, 1, 0, 1),
                 ("", "no parameters", 20, 0, None, None, None, None, None, 0, None), ("", "threads B=2", 1, 1, 1, 0, 3000, 3000, 1, 1, 1),
                 ("", "first of two C=1", 1, 1, 1, 0, 3000, 3000, 1, 1, 1), ("", "last of two C=2", 1, 1, 2, 0, 6000, 6000, 1, 1, 1)], "instances")
    equal(run.rows("SELECT r.name, i.assumed FROM range_instance i JOIN nvtx_range r ON r.id = i.range WHERE i.assumed > 0"), [("last of two C=2", 2)],
          "which of several started ranges a thread without one works for is assumed, and counted")
    rows = run.rows("""SELECT coalesce(p.name, ''), r.name, k.name, u.launches, u.total_ns FROM range_kernel u JOIN nvtx_range r ON r.id = u.range
                       LEFT JOIN nvtx_range p ON p.id = r.parent JOIN kernel k ON k.id = u.kernel ORDER BY r.id, k.name""")
    equal([(a, b, c[:10], d, e) for a, b, c, d, e in rows],
          [("", gemm, "void work0", 20, 20000), ("", gemm, "void work1", 20, 40000), ("", step, "void work0", 20, 20000),
           (gemm, gemm, "void work1", 20, 40000), ("", "threads B=2", "void work2", 1, 3000), ("", "first of two C=1", "void work2", 1, 3000),
           ("", "last of two C=2", "void work2", 2, 6000)], "kernels, of the innermost range with parameters")
    equal(run.rows("""SELECT count(*) FROM range_instance a JOIN range_instance b ON a.range = b.range AND a.id = b.id - 1
                      WHERE a.started_ns > b.started_ns"""), [(0,)], "in the order in which they were entered")


def test_operators_of_pytorch(folder):
    """emit_nvtx numbers each call: calls on the same sizes are one range all the same. What is no operator's number stays."""
    run = Run(folder, "operators", 20, options=["--replay", "none"])
    rows = run.rows("""SELECT coalesce(p.name, ''), r.name, r.instances, count(i.id) FROM nvtx_range r LEFT JOIN nvtx_range p ON p.id = r.parent
                       LEFT JOIN range_instance i ON i.range = r.id GROUP BY r.id ORDER BY r.id""")
    small, large = (f"aten::mm, sizes = [[512, 64], [64, {size}]]" for size in (128, 256))
    equal(rows, [("", large, 10, 10), (large, "aten::relu", 10, 0), ("", "attention, seq = 128", 20, 20), ("", small, 10, 10), (small, "aten::relu", 10, 0)], "ranges")


def test_more_instances_than_are_kept(folder):
    run = Run(folder, "cases", 1, 100010, options=["--replay", "none"])
    kept, entered = run.one("SELECT count(*) FROM range_instance"), run.one("SELECT sum(instances) FROM nvtx_range WHERE name LIKE '%=%'")
    check(35000 <= kept <= 100000 and entered == 100018, f"as many of the first as there is room for, and all are counted: {kept} of {entered}")
    check(run.one("SELECT count(*) FROM log WHERE text LIKE '%instances of ranges with parameters were not kept%'") == 1, "which the log has")


def test_counted_instances_have_no_time(folder):
    """Launches that were counted are not timed: their instances say so."""
    run = Run(folder, "cases", 400, options=AT_ONCE)
    rows = run.rows("""SELECT sum(i.untimed), sum(i.launches), count(*) FROM range_instance i JOIN nvtx_range r ON r.id = i.range
                       WHERE r.parent IS NULL AND r.name = 'gemm M=512,N=64'""")
    untimed, timed, instances = rows[0]
    check(untimed > 0, f"some were counted: {rows}")
    equal((untimed + timed, instances), (800, 400), "each launch is counted or timed")


def test_ranges_in_forks(folder):
    """A child is in the ranges that its parent had open, and what either does there is its own."""
    run = Run(folder, "forks_in_range", 2, 30, options=["--replay", "none"])
    rows = run.rows("""SELECT r.process, r.name, p.name, r.instances, r.launches FROM nvtx_range r LEFT JOIN nvtx_range p ON p.id = r.parent
                       ORDER BY r.process, r.id""")
    found = {}
    for process, name, parent, instances, launches in rows:
        found.setdefault(process, {})[parent, name] = (instances, launches)
    parent = {(None, "whole"): (1, 1), (None, "outer"): (1, 0), ("outer", "inner"): (1, 30)}
    child = {(None, "outer"): (0, 1), ("outer", "inner"): (0, 0), ("inner", "child"): (1, 30)}
    equal(sorted(found.values(), key=str), sorted([parent, child, child], key=str), "ranges of each process: entered, launches")
    equal(run.launches(), {"work0": 90, "work1": 2, "work2": 1}, "launches of all")


def test_filters(folder):
    def launched(*options, program=("ranges", 20)):
        return Run(folder, *program, options=["--replay", "none", *options]).launches()
    everything = {"work0": 20, "work1": 20, "work2": 20, "work3": 1, "work9": 1}
    equal(launched(), everything, "no filter")
    equal(launched("--kernel", "work[01]<"), {"work0": 20, "work1": 20}, "--kernel")
    equal(launched("--kernel", "regex:work[01]<"), {"work0": 20, "work1": 20}, "--kernel, as others write it")
    equal(launched("--nvtx", "step"), {"work0": 20, "work1": 20, "work2": 20}, "--nvtx of an outer range")
    equal(launched("--nvtx", "step/*"), {"work1": 20, "work2": 20}, "--nvtx with a wildcard")
    equal(launched("--nvtx", "lib@inner"), {"work2": 20}, "--nvtx with a domain")
    equal(launched("--nvtx", "whole"), {"work3": 1}, "--nvtx of a range of the process")
    equal(launched("--range", "vorwärts..inner"), {"work1": 20, "work2": 20}, "--range")
    equal(launched("--launch-skip", "1", "--launch-count", "4"), {"work0": 2, "work1": 1, "work2": 1}, "--launch-skip, --launch-count")
    equal(launched("--launch-count", "4", "--kernel", "work2"), {"work2": 4}, "--launch-count goes by launches that pass by name")
    equal(launched("--profiler-api", program=("profiler", 30)), {"work0": 10, "work1": 10, "work2": 10}, "--profiler-api")
    run = Run(folder, "ranges", 20, options=["--replay", "none", "--kernel", "work0"])
    equal(run.rows("SELECT launches, unselected, unselected_ns FROM process"), [(62, 42, 40000 + 60000 + 4000 + 10000)], "what was left out")


def test_filters_that_match_nothing(folder):
    """Exit status 1, and the names that were meant, perhaps; no capture."""
    for options, words in ((["--kernel", "wrok0"], ("--kernel 'wrok0'", "'void work0<float>(float*, int)'")), (["--nvtx", "setp"], ("--nvtx 'setp'", "'step'")),
                           (["--nvtx", "lib@step"], ("--nvtx 'lib@step'", "'step'")), (["--launch-skip", "1000"], ("--launch-skip",)),
                           (["--profiler-api"], ("--profiler-api",))):
        for replay in ("none", "rotate"):
            run = Run(folder, "ranges", 20, options=["--replay", replay, *options], output="none.rlcap")
            equal((run.status, run.out), (1, "out\n"), f"{options}: exit status and output ({run.err})")
            check("none of 62 launches was selected by" in run.err and all(word in run.err for word in words), f"{options}: says {run.err!r}")
            check(not os.path.exists(run.path), f"{options}: there is no capture")


def test_processes(folder):
    run = Run(folder, "forks", 3, 0, options=["--replay", "none"])
    equal(run.one("SELECT count(*) FROM process"), 3, "children that use CUDA after fork are processes of their own")
    equal(run.launches(), {"work0": 150, "work1": 150}, "their classes are added up")
    equal(run.one("SELECT count(*) FROM gpu"), 1, "they share a card")
    run = Run(folder, "forks", 3, 1, options=["--replay", "none"])
    equal(run.one("SELECT count(*) FROM process"), 1, "a child whose parent had started CUDA is silent")
    equal(run.launches(), {"work0": 50}, "and adds nothing")
    run = Run(folder, "children", 2, options=["--replay", "none"])
    equal(run.one("SELECT count(*) FROM process"), 3, "programs that the program starts")
    equal(run.launches(), {"work0": 50 + 60, "work1": 60}, "launches of all")
    run = Run(folder, "children", 2, options=["--replay", "none"], output="app-%p-%h-%j-%r.rlcap",
              environment={"SLURM_PROCID": "7", "SLURM_JOB_ID": "47"})
    names = sorted(glob.glob(os.path.join(folder, "app-*-47-7.rlcap")))
    equal(len(names), 3, f"%p: a capture for each process: {names}")
    equal({run.rows("SELECT rank, count(*) FROM process", name)[0] for name in names}, {("7", 1)}, "ranks")
    check("wrote 3 captures" in run.err, f"says {run.err!r}")


def test_ranks(folder):
    """Ranks that would write one file are told so before anything runs; a name that nobody has chosen has the rank in it."""
    two = {"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "2"}
    run = Run(folder, "many", 10, 2, environment=two)
    equal((run.status, run.out), (2, ""), "the program has not run")
    check("2 processes of Open MPI would write" in run.err and "put %r (rank) into the name" in run.err, f"says {run.err!r}")
    for name in ("app-%r.rlcap", "app-%p.rlcap"):
        equal(Run(folder, "many", 10, 2, environment=two, output=name).status, 0, f"{name}: exit status")
    check(os.path.exists(os.path.join(folder, "app-1.rlcap")), "the name holds the rank")
    equal(Run(folder, "many", 10, 2, environment={**two, "OMPI_COMM_WORLD_SIZE": "1"}).status, 0, "one rank alone")
    for environment, names in ((two, "inject_program-rank1-2*.rlcap"), ({}, "inject_program-2*.rlcap")):
        subprocess.run([ROOFLIGHT, "collect", "--", PROGRAM, "many", "10", "2"], cwd=folder, env=variables(environment), check=True,
                       stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        equal(len(glob.glob(os.path.join(folder, names))), 1, f"{names} in {os.listdir(folder)}")


def test_threads_and_gpus(folder):
    run = Run(folder, "threads", 8, options=AT_ONCE)
    found, untimed = windows(run), run.one("SELECT untimed FROM process")
    check(untimed <= found["counted"] + found["passed"], f"eight threads: launches without a time were made in windows: {untimed}, {found}")
    equal(sum(run.launches().values()), 8000, f"launches of eight threads ({run.err})")
    for name, low in run.rows(f"SELECT kernel.name, min(value) FROM counter JOIN kernel ON kernel.id = kernel {WITH_NAMES} WHERE value != 0 AND {IS_WORK} GROUP BY kernel"):
        equal(low, 1000.0 * (1 + int(name.split("<")[0][-1])), f"{name}: no launch of another thread in its ranges")
    run = Run(folder, "contexts", 2 * ENOUGH, options=AT_ONCE)
    equal(sum(run.launches().values()), 2 * ENOUGH, f"launches of two contexts on one GPU, by entries for a default stream a thread ({run.err})")
    equal(run.rows("SELECT DISTINCT counted FROM kernel_use"), [(2,)], "counted, in whichever context")
    run = Run(folder, "gpus", 2000)
    equal(run.rows("SELECT gpu.ordinal, sum(launches) FROM kernel JOIN gpu ON gpu.id = kernel.gpu GROUP BY 1"), [(0, 1000), (1, 1000)], "two cards")


def test_graphs(folder):
    """A short run has the times of its graphs' kernels, and counts some of them one by one."""
    run = Run(folder, "graphs", 50)
    equal(run.launches(), {"work4": 150, "work0": 100}, "kernels of graphs; captured launches are none")
    graph, counted = run.rows("SELECT graph, counted FROM kernel_use JOIN kernel ON kernel.id = kernel WHERE name LIKE '%work4%'")[0]
    check(100 < graph < 150 and counted >= 2, f"told apart: {graph}, {counted}")
    slow = Run(folder, "graphs", 50, 300)
    equal((slow.status, slow.launches()), (0, {"work4": 150, "work0": 100}), f"captured when the first window would be opened ({slow.err})")


def counted_stores(run):
    """Launches, those with a time, those by graphs, those with counters, least and greatest value of a counter."""
    values = f"FROM counter {WITH_NAMES} WHERE kernel = kernel.id AND value != 0 AND {IS_WORK}"
    return run.rows(f"""SELECT launches, timed, graph, counted, (SELECT min(value) {values}), (SELECT max(value) {values})
                        FROM kernel JOIN kernel_use ON kernel.id = kernel_use.kernel""")[0]


def test_counted_graphs(folder):
    """Kernels of graphs have counters of their own: a few launches of a graph are run kernel by kernel, whatever has been set in it or has
    taken its place; the program finds what it would find without (status 3 when it does not)."""
    run = Run(folder, "graph_stores", 700, options=AT_ONCE)
    equal(run.status, 0, f"every word has its number, in the order of the graph ({run.err})")
    launches, timed, graph, counted, least, most = counted_stores(run)
    equal(launches, 2800, "launches, each once")
    check(counted >= 2 and least == 3000 and most < 3100, f"counters of one kernel, not of the graph: {counted} from {least} to {most}")
    found = windows(run)
    check(launches - timed <= found["counted"] + found["passed"], f"those without a time were made in windows: {launches - timed}, {found}")
    check(2400 < graph < timed, f"all others were launched by graphs: {graph} of {timed}")
    plain = Run(folder, "graphs", 2 * ENOUGH, options=AT_ONCE)
    equal(plain.launches(), {"work4": 6 * ENOUGH, "work0": 100}, f"captured graphs ({plain.err})")
    check(plain.one("SELECT counted FROM kernel_use JOIN kernel ON kernel.id = kernel WHERE name LIKE '%work4%'") >= 2, "counted, too")


def test_queued_graphs(folder):
    """A program that launches graphs ahead of the GPU is waited for as long as its queue takes, and no kernel is thought to wait for it."""
    run = Run(folder, "graph_queue", 5000, options=["--budget", "50"])
    launches, timed, _, counted, least, most = counted_stores(run)
    equal((run.status, launches), (0, 40000), f"launches ({run.err})")
    check(counted >= 2 and least == 2000 and most < 2100, f"counters: {counted} from {least} to {most}; {run.rows('SELECT uncounted FROM kernel_use')}")


def test_graphs_in_further_runs(folder):
    """Kernel replay counts kernels of graphs in its own run."""
    run = Run(folder, "graph_rounds", 60, options=["--replay", "kernel"])
    launches, timed, graph, counted, least, most = counted_stores(run)
    equal((run.status, launches, timed), (0, 480, 480), f"launches of one run, each once and timed ({run.err})")
    equal(graph, 472, "but one launch of the graph, that showed that its kernels wait for nobody, was whole")
    check(counted == 3 and least == 2000 and most < 2100, f"counters of one kernel: {counted} from {least} to {most}")


def test_whole_graphs(folder):
    """A graph with branches is left whole, which is said; so are nodes of several contexts, and every graph where filters look at launches
    one by one. Where some graphs can be taken apart, nobody is said to be launched by the others."""
    for kind, why in ((1, "branches"), (2, "context")):
        run = Run(folder, "graph_stores", 700, kind, options=AT_ONCE)
        equal(run.status, 0, f"exit status ({run.err})")
        equal(counted_stores(run)[:4], (2800, 2800, 2800, 0), "all timed, none counted")
        check("cannot be run kernel by kernel" in run.one("SELECT uncounted FROM kernel_use"), f"the reason: {run.rows('SELECT uncounted FROM kernel_use')}")
        notes = [text for text, in run.rows("SELECT text FROM log") if why in text]
        equal(len(notes), 1, f"why, said once: {run.rows('SELECT text FROM log')}")
        run = Run(folder, "graph_stores", 100, kind, options=AT_ONCE, environment={"RL_SLOW_START": "100"})
        equal(counted_stores(run)[:4], (400, 400, 400, 0), f"launched while a window was being opened: all timed ({run.err})")
    run = Run(folder, "graph_stores", 400, options=[*AT_ONCE, "--launch-count", "100"])
    equal((run.status, counted_stores(run)[3]), (0, 0), f"selected one by one ({run.err})")
    check("cannot be run kernel by kernel" in run.one("SELECT uncounted FROM kernel_use"), "the reason")
    check(any("filters" in text for text, in run.rows("SELECT text FROM log")), "and why")
    run = Run(folder, "graph_stores", 30, 3)
    check("cannot be run" not in (run.one("SELECT uncounted FROM kernel_use") or ""), f"the reason: {run.rows('SELECT uncounted FROM kernel_use')}")


def test_launches_with_configuration(folder):
    run = Run(folder, "clusters", 100)
    equal(run.rows("SELECT grid_x, grid_y, block_x, launches FROM kernel"), [(8, 2, 64, 100)], "cuLaunchKernelEx")


def test_copies(folder):
    run = Run(folder, "copies", 3, options=["--replay", "none"])
    row = run.rows("SELECT direction, memory, count, bytes, total_ns, slowest FROM transfer")[0]
    equal(row[:5], ("to device", "pageable", 4, 3 * (4 << 20) + 4, 3 * ((4 << 20) // 25)), "copies")
    check(abs(row[5] / 25e9 - 1) < 0.001, f"the rate of the large ones: {row[5]}")


def by_range(run):
    """Idle time by range over time: lanes are their bins and what the gaps say, each moment in one lane, and in that of its range:
    the second half of the run is decode's, but for the gap between the two halves."""
    equal(run.rows("SELECT place, r.name FROM range_lane l LEFT JOIN nvtx_range r ON r.id = l.range WHERE l.total_ns > 0 ORDER BY r.name"),
          run.rows("""SELECT DISTINCT iif(r.name IS NULL, 'no_range', 'range'), r.name FROM timeline_gap g LEFT JOIN nvtx_range r ON r.id = g.range
                      WHERE g.lane <> 'unwatched' ORDER BY r.name"""), "lanes of ranges")
    lanes = dict(run.rows("SELECT range, total_ns FROM range_lane WHERE total_ns > 0"))
    equal(lanes, dict(run.rows("SELECT range, sum(total_ns) FROM timeline_gap WHERE lane <> 'unwatched' GROUP BY range")), "ranges and gaps")
    equal(lanes, dict(run.rows("SELECT range, sum(ns) FROM range_bin b JOIN range_lane l ON l.id = b.lane GROUP BY l.id")), "ranges and their bins")
    equal(run.rows("SELECT bin, sum(ns) FROM range_bin GROUP BY bin"),
          run.rows("""SELECT bin, sum(ns) FROM timeline_bin b JOIN timeline_lane l ON l.id = b.lane WHERE l.lane LIKE 'idle%'
                      GROUP BY bin"""), "bins of ranges and of causes")
    where = {name: run.rows("SELECT min(bin), max(bin) FROM range_bin b JOIN range_lane l ON l.id = b.lane JOIN nvtx_range r ON r.id = l.range "
                            f"WHERE r.name = '{name}'")[0] for name in ("prefill", "decode")}
    early, late = sorted(where.values())
    check(early[1] <= late[0] and early[0] < early[1] and late[0] < late[1], f"one range after the other: {where}")
    shown = subprocess.run([ROOFLIGHT, "show", "--timeline", "--json", run.path], capture_output=True, text=True, timeout=120, env=variables())
    told = {row["range_path"]: row for row in json.loads(shown.stdout)["timelines"][0]["idle_ranges"] if row["place"] == "range"}
    for name in ("prefill", "decode"):
        equal(round(sum(told[name]["bins_s"]) * 1e9), round(told[name]["time_s"] * 1e9), f"{name}: bins as shown")
        equal(round(told[name]["time_s"] * 1e9), run.one(f"SELECT total_ns FROM range_lane l JOIN nvtx_range r ON r.id = l.range WHERE r.name = '{name}'"),
              f"{name}: time as shown")


def test_timeline(folder):
    """What the GPU did over time: sums are those of the totals, and every time between kernels has a cause."""
    for mode, count, pause in (("paces", 40, 2000), ("ranges", 20, 0), ("collectives", 3000, 0)):
        run = Run(folder, mode, count, pause, options=["--replay", "none"])
        lanes = dict(run.rows("SELECT lane, sum(total_ns) FROM timeline_lane GROUP BY lane"))
        equal(lanes, dict(run.rows("SELECT l.lane, sum(ns) FROM timeline_bin b JOIN timeline_lane l ON l.id = b.lane GROUP BY l.lane")) |
              {name: 0 for name, total in lanes.items() if not total}, f"{mode}: lanes and their bins")
        busy, kernels = run.rows("SELECT busy_ns, kernel_ns FROM process_gpu")[0]
        equal(lanes["busy"], busy, f"{mode}: busy")
        equal(lanes.get("class", 0) + lanes["other_classes"], kernels, f"{mode}: time of all kernels")
        idle = {name: total for name, total in lanes.items() if name.startswith("idle") or name == "unwatched"}
        equal(idle, dict(run.rows("SELECT lane, sum(total_ns) FROM timeline_gap GROUP BY lane")), f"{mode}: times between kernels")
        if mode == "paces":
            equal(lanes["to_device"], run.one("SELECT sum(total_ns) FROM transfer WHERE direction = 'to device'"), "copies")
            equal(lanes["copies"] + lanes["kernels"], busy, "copies beside kernels: none")
            check(lanes["idle_host"] > 38 * 2e6, f"the host's time: {idle}")
            rows = run.rows("""SELECT r.name, max(g.longest_ns) > 2000000, sum(g.count) FROM timeline_gap g LEFT JOIN nvtx_range r
                               ON r.id = g.range WHERE g.lane = 'idle_host' AND g.count > 1 GROUP BY r.name""")
            equal(rows, [("decode", 1, 20), ("prefill", 1, 19)], "in which range")
            check(not lanes.get("idle_unknown"), f"every launch is known: {idle}")
            equal(run.one("SELECT width_ns * bins >= 38 * 2000000 AND bins > 256 AND bins <= 512 FROM timeline"), 1, "bins")
            by_range(run)
        if mode == "collectives":
            equal(run.rows("SELECT * FROM range_lane"), [], "a program without ranges has no lanes of them")


def test_collectives(folder):
    """Collective kernels are never counted; while one may be waiting, nothing else is either."""
    run = Run(folder, "collectives", 10000, options=AT_ONCE)
    equal(run.launches()["work0"], 10000, "launches")
    rows = dict(run.rows("SELECT name, uncounted FROM kernel_use JOIN kernel ON kernel.id = kernel"))
    check(any("collective" in (reason or "") for reason in rows.values()), f"the reason: {rows}")
    equal(run.one("SELECT max(counted) FROM kernel_use"), 0, "no window while a collective kernel waits")
    for peers, words in (("1", "with peers"), ("10", "with peers that take their time")):
        run = Run(folder, "collectives", 80000, environment={"RL_PEERS": peers}, options=AT_ONCE)
        equal(dict(run.rows("SELECT name LIKE '%nccl%', counted FROM kernel_use JOIN kernel ON kernel.id = kernel")), {1: 0, 0: 2}, words)


# Counters that are for administrators only: the cures for this run, for everyone, and in a container.
BOTH_CURES = ("administrators", "run with sudo", "NVreg_RestrictProfilingToAdminUsers=0", "--cap-add=SYS_ADMIN")


def test_faults(folder):
    """What CUPTI refuses: one line, times all the same."""
    cases = [("cuptiSubscribe", 39, "uses CUPTI already", 3000, None),
             ("cuptiProfilerGetCounterAvailability", 35, BOTH_CURES, ENOUGH, "not_permitted"),
             ("cuptiProfilerHostInitialize", 46, "does not know the chip", ENOUGH, "not_collected"),
             ("cuptiRangeProfilerEnable", 26, ("another tool holds", "other runs of `rooflight collect`", "DCGM"), ENOUGH, "not_collected"),
             ("cuptiRangeProfilerSetConfig", 8, "nearly full", ENOUGH, "not_collected"),
             ("cuptiRangeProfilerPushRange", 999, "driver failed", ENOUGH, None),
             ("cuptiRangeProfilerDecodeData", 999, ("driver failed", "neither a time nor counters"), ENOUGH, None)]
    for function, code, words, launches, state in cases:
        run = Run(folder, "many", launches, 5, environment={"RL_REFUSE": function, "RL_REFUSE_CODE": str(code)}, options=AT_ONCE)
        equal(run.status, 0, f"{function}: exit status")
        texts = " ".join(text for text, in run.rows("SELECT text FROM log"))
        for word in words if isinstance(words, tuple) else (words,):
            check(word in texts, f"{function} -> {code}: the log says {texts!r}, without {word!r}")
        equal(sum(run.launches().values()), launches, f"{function}: every launch is there")
        equal(run.one("SELECT max(counted) FROM kernel_use"), 0, f"{function}: nothing is counted")
        equal(run.one("SELECT count(*) FROM counter WHERE value NOT NULL"), 0, f"{function}: no invented counter")
        untimed, found = run.one("SELECT untimed FROM process"), windows(run)
        equal(found["lost"] + found["passed"], untimed, f"{function}: launches without a time are told")
        check(untimed == 0 if function != "cuptiRangeProfilerDecodeData" else 0 < untimed <= 2 * 96, f"{function}: {untimed} launches lost their times")
        if state:
            equal(run.one("SELECT state FROM missing JOIN counter ON counter.value_missing = missing.id"), state, f"{function}: state")
    full = {"RL_REFUSE": "cuptiRangeProfilerStart", "RL_REFUSE_CODE": "999", "RL_FREE_MB": "48"}
    run = Run(folder, "many", ENOUGH, 5, environment=full, options=AT_ONCE)
    texts = " ".join(text for text, in run.rows("SELECT text FROM log"))
    check("fewer launches at a time" in texts and "nearly full, 48 MB are free" in texts, f"a full GPU: the log says {texts!r}")
    run = Run(folder, "many", 3000, 5, environment={"ROOFLIGHT_CUPTI_DIR": "/nonexistent"})
    equal(run.status, 0, "without the stand-in CUPTI: exit status")
    run = Run(folder, "many", 100, 5, environment={"RL_REFUSE": "cuptiActivityEnable", "RL_REFUSE_CODE": "39"})
    equal(run.status, 0, "no activity records: the program runs")


def test_bad_input(folder):
    def refused(*arguments):
        done = subprocess.run([ROOFLIGHT, "collect", *arguments], capture_output=True, text=True, env=variables(), cwd=folder, timeout=60)
        return done.returncode, done.stderr.strip().splitlines()
    for arguments, status, words in (
            (("--", "no-such-program"), 1, "not found in $PATH"), (("--", "./no-such-program"), 1, "not found"),
            (("--", "/etc/passwd"), 1, "not an executable"), (("--", "/tmp"), 1, "cannot run"),
            (("-o", "/nonexistent/x.rlcap", "--", "true"), 1, "/nonexistent"), (("-o", "x%q", "--", "true"), 2, "h (host), r (rank)"),
            (("-o", "x%g", "--", "true"), 2, "several GPUs"),
            (("ilp", "--", "true"), 2, "not both"), (("--kernel", "x", "ilp"), 2, "behind '--'"),
            (("--gpu", "1", "--", "true"), 2, "CUDA_VISIBLE_DEVICES"), (("--kernel", "(", "--", "true"), 2, "--kernel"),
            (("--lock-clocks", "--", "true"), 2, "sudo nvidia-smi -lgc"), (("--range", "a", "--", "true"), 2, "START..END")):
        found, lines = refused(*arguments)
        equal(found, status, f"{arguments}: exit status")
        check(lines and words in lines[0] and len(lines) == (2 if status == 2 else 1), f"{arguments}: says {lines}")
    done = subprocess.run([ROOFLIGHT, "collect", "-o", "/dev/full", "--replay", "none", "--", PROGRAM, "many", "10", "5"], capture_output=True, text=True,
                          env=variables(), cwd=folder, timeout=60)
    equal((done.returncode, done.stdout), (1, "out\n"), "no room for the capture: the program has run, and the exit status tells")
    check(done.stderr.splitlines()[-1:] == ["rooflight: collect: cannot write '/dev/full': the disk is full"], f"and one line: {done.stderr!r}")
    equal(glob.glob(os.path.join(folder, "*.rlcap")), [], "nothing was written")


def test_killed(folder):
    """kill -9 of rooflight: the program goes on, and the capture that was there before is as it was."""
    path = os.path.join(folder, "old.rlcap")
    with open(path, "wb") as old:
        old.write(b"old")
    process = collect(folder, "wait", int(signal.SIGUSR1), output="old.rlcap", environment={"TMPDIR": folder})
    read_until(process.stdout, "ready")
    until = time.monotonic() + 60
    while not os.path.exists(f"{path}.partial") and time.monotonic() < until:
        time.sleep(0.05)
    process.kill()
    process.wait()
    os.killpg(process.pid, 0)  # the program is there
    os.killpg(process.pid, signal.SIGKILL)
    equal(open(path, "rb").read(), b"old", "the old file")
    with sqlite3.connect(f"file:{path}.partial?mode=ro&immutable=1", uri=True) as db:
        equal(db.execute("SELECT complete FROM session").fetchone()[0], 0, "what was finished lies beside it, marked incomplete")
        check(db.execute("SELECT sum(launches) FROM kernel").fetchone()[0], "with launches that were seen")


def test_keeps_what_is_better(folder):
    """A complete capture is not replaced by an incomplete or an empty one, however the program ends; what there is lies next to it."""
    partial = os.path.join(folder, "app.rlcap.partial")
    first = Run(folder, "many", 100, 2, options=["--replay", "none"])
    with open(first.path, "rb") as file:
        good = file.read()
    for program, status, lacks in ((("signal", int(signal.SIGABRT)), -signal.SIGABRT, "is incomplete"), (("_exit", 5), 5, "is incomplete"),
                                   (("signal", int(signal.SIGINT)), -signal.SIGINT, "is incomplete"), (("nothing",), 0, "is incomplete")):
        run = Run(folder, *program, options=["--replay", "none"], kept=True)
        equal(run.status, status, f"{program}: the program's status")
        with open(run.path, "rb") as file:
            check(file.read() == good, f"{program}: the complete capture was replaced")
        check(f"'{run.path}' is left as it was: this capture {lacks}" in run.err and f"wrote {partial}" in run.err, f"{program}: says {run.err!r}")
        equal(run.rows("SELECT complete, (SELECT count(*) > 0 FROM kernel) FROM session", partial), [(0, int(program != ("nothing",)))], f"{program}: complete, with kernels")
    run = Run(folder, "many", 100, 2, options=["--replay", "none"], kept=True)
    equal((run.status, run.one("SELECT complete FROM session"), os.path.exists(partial)), (0, 1, False), "a complete one takes its place")
    check("is left as it was" not in run.err, f"says {run.err!r}")


def test_other_namespaces(folder):
    """In another network namespace, as sandboxes and rootless containers make one, nothing is lost; where nothing can be heard, that is said."""
    if subprocess.run(["unshare", "-n", "true"], capture_output=True).returncode != 0:
        print("no namespace can be made here: left out")
        return
    path = os.path.join(folder, "app.rlcap")
    def run(*how, **environment):
        command = [ROOFLIGHT, "collect", "-o", path, "--replay", "none", "--", *how, PROGRAM, "many", "100", "2"]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, env=variables(environment), cwd=folder)
    scratch = os.path.join(folder, "scratch")
    os.mkdir(scratch)
    for how in (("unshare", "-n"), ("unshare", "-U", "-n"), ("unshare", "-n", "-m"), ()):
        done = run(*how, XDG_CACHE_HOME=scratch)
        equal(done.returncode, 0, f"{how}: exit status")
        equal([name for name in os.listdir(f"{scratch}/rooflight") if name.startswith("socket")], [], f"{how}: sockets left")
        equal(of_capture(folder, "SELECT complete, (SELECT sum(launches) FROM kernel) FROM session"), [(1, 100)], f"{how}: launches")
        check("unknown" not in done.stderr, f"{how}: says {done.stderr!r}")
    os.unlink(path)
    done = run("unshare", "-n")
    equal((done.returncode, done.stdout), (0, "out\n"), "the program runs")
    complete, counters = of_capture(folder, "SELECT complete, counters FROM session")[0]
    texts = " ".join(text for text, in of_capture(folder, "SELECT text FROM log"))
    equal(complete, 0, "without contact: marked incomplete")
    check("cannot reach rooflight" in texts, f"without contact: the log says {texts!r}")
    check("no kernel was launched" not in counters + texts and "did not use CUDA" not in counters + texts, f"without contact: {counters}, {texts}")


def test_private(folder):
    """The capture is for its owner alone, and of arguments it has what is harmless."""
    arguments = ("many", 100, 2, "--api-key=qz7secret", "/data/qz7acme/x")
    run = Run(folder, *arguments, options=["--replay", "none"])
    equal(run.status, 0, "exit status")
    equal(os.stat(run.path).st_mode & 0o777, 0o600, "mode")
    with open(run.path, "rb") as file:
        check(b"qz7" not in file.read(), "an argument is in the capture")
    command, typed = run.one("SELECT command FROM process"), [row[0] for row in run.rows("SELECT text FROM argument ORDER BY id")]
    check(command.startswith(f"{os.path.basename(PROGRAM)} many 100 2 --api-key=[secret] <sha256:"), f"command of the process: {command}")
    equal(typed[:2] + typed[-6:-1], ["rooflight", "collect", os.path.basename(PROGRAM), "many", "100", "2", "--api-key=[secret]"],
          "command line")
    run = Run(folder, *arguments, options=["--replay", "none", "--keep-command"])
    check(run.one("SELECT command FROM process").endswith(" 100 2 --api-key=qz7secret /data/qz7acme/x"), "--keep-command keeps all")


def test_sessions(folder):
    """Each session has a run, and a capture, of its own; the first that fails is the last."""
    run = Run(folder, "many", 10, 1, options=["--replay", "none", "--sessions", "3"])
    equal(run.status, 0, f"exit status ({run.err})")
    equal(run.out, "out\n" * 3, "the program ran three times")
    captures = [os.path.join(folder, f"app-{i}.rlcap") for i in (1, 2, 3)]
    equal(sorted(os.listdir(folder)), [os.path.basename(path) for path in captures], "captures")
    processes = {pid for path in captures for pid, in run.rows("SELECT pid FROM process", path)}
    equal(len(processes), 3, "processes of their own")
    compared = subprocess.run([ROOFLIGHT, "compare", captures[0], captures[1], "--", captures[2]], capture_output=True, text=True, timeout=60, check=False)
    check(compared.returncode == 0 and "measured in 2 sessions of the baseline and 1 of the candidate" in " ".join(compared.stdout.split()), f"compared: {compared.stdout}")
    os.remove(captures[0])
    fewer = Run(folder, "many", 10, 1, options=["--replay", "none", "--sessions", "2"])
    check("'" + captures[2] + "' also exists" in fewer.err, f"says what is left over: {fewer.err}")
    ended = subprocess.run([ROOFLIGHT, "collect", "-o", f"{folder}/no.rlcap", "--sessions", "3", "--", "sh", "-c", "exit 7"], capture_output=True, text=True,
                           timeout=60, env=variables(), check=False)
    equal((ended.returncode, "stopped in session 1 of 3" in ended.stderr), (7, True), f"a program that fails: {ended.stderr}")


def test_sessions_that_are_stopped(folder):
    """A signal that the program lives on with ends the sessions: the next one is not begun."""
    lives_on = ["sh", "-c", f"trap '' TERM; kill -TERM $PPID; exec {PROGRAM} timed 200 20000"]
    for command in (["collect", "-o", "app.rlcap", "--replay", "none", "--sessions", "3", "--", *lives_on],
                    ["compare", "--run", "--warm-up", "none", "--captures", "sides", "--", *lives_on, "--", *lives_on]):
        done = subprocess.run([ROOFLIGHT, *command], capture_output=True, text=True, timeout=60, env=variables(), cwd=folder, check=False)
        equal(done.returncode, -signal.SIGTERM, f"{command[0]} ends by it: {done.stderr}")
        check("stopped" in done.stderr, f"says so: {done.stderr!r}")
    captures = sorted(name for _, _, names in os.walk(folder) for name in names)
    check(len(captures) == 2 and captures[0] == "app-1.rlcap" and captures[1].startswith("failed-"), f"one session of each: {captures}")


def compare_run(folder, base, new, *options, environment=None):
    """`rooflight compare --run`; the words of both programs."""
    command = [ROOFLIGHT, "compare", "--run", "--captures", os.path.join(folder, "sides"), *options, "--", *map(str, base), "--", *map(str, new)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env=variables(environment), cwd=folder, check=False)


def makes_documents():
    """Whether the program was built with reports, and what they need is there."""
    found = json.loads(subprocess.run([ROOFLIGHT, "doctor", "--json"], capture_output=True, text=True, check=True, timeout=60).stdout)["checks"]
    return not any(item["name"] in ("reports", "gnuplot") and item["status"] == "missing" for item in found)


def test_compare_run(folder):
    """Both programs are measured in turn, every four sessions base, new, new, base or the other way round, until enough is decided."""
    document = ["compare.pdf"] if makes_documents() else []
    base, slower, captures = [PROGRAM, "timed", 200, 20000], [PROGRAM, "timed", 200, 23000], os.path.join(folder, "sides")
    done = compare_run(folder, base, slower, "--json", "--fail-on", "default")
    equal(done.returncode, 3, f"the gate finds the regression: {done.stderr}")
    found = json.loads(done.stdout)
    equal([pair["verdict"] for pair in found["pairs"]], ["SLOWER"], "verdict")
    rules = found["rules"]
    equal((rules["sessions_of_base"], rules["sessions_of_new"], rules["look"]), (3, 3, 1), "enough at the first look")
    equal(sorted(os.listdir(captures)), [f"base-{i}.rlcap" for i in (1, 2, 3)] + document + [f"new-{i}.rlcap" for i in (1, 2, 3)],
          "captures, none of the warm-up, and a document")
    check(document or "no document: " in done.stderr, f"says why there is none: {done.stderr}")
    equal(done.stderr.count("out\n"), 8, "six sessions and two runs to warm up, whose output is not the comparison's")
    order = re.findall(r"session \d+ of (base|new):", done.stderr)
    check(order[0] != order[1] and order[1] == order[2] and order[3] == order[0], f"order: {order}")
    check(" ".join(compare_run(folder, base, slower).stderr.split()).endswith("is there already: name another folder with --captures try 'rooflight compare --help'"),
          "captures of an earlier call stay")
    shutil.rmtree(captures)
    other = compare_run(folder, base, slower, environment={"CUDA_INJECTION64_PATH": "/other/tool.so"})
    check(other.returncode == 1 and "CUDA_INJECTION64_PATH is set already" in other.stderr, f"neither side runs in its place: {other.stderr!r}")
    shutil.rmtree(captures, ignore_errors=True)
    edge = [PROGRAM, "timed", 200, 20100]  # 0.5 %: no number of sessions decides whether that is more or less
    done = compare_run(folder, base, edge, "--sessions", "2", "--warm-up", "none",
                       *(["-o", os.path.join(folder, "own.pdf")] if document else []))
    check("2 sessions of each side" in done.stderr and "--sessions allows no more" in done.stderr and done.returncode == 0, f"budget: {done.stderr}")
    check(not os.path.exists(f"{captures}/compare.pdf") and os.path.exists(os.path.join(folder, "own.pdf")) == bool(document), "the document where -o says")
    shutil.rmtree(captures)
    done = compare_run(folder, base, edge, "--warm-up", "none", "--smallest-effect", "0.5")
    check("4 sessions of each side" in done.stderr and "would not decide enough" in done.stderr and done.returncode == 0, f"hopeless: {done.stderr}")
    check("of which this was number 2" in " ".join(done.stdout.split()), f"the last look is one: {done.stdout}")
    shutil.rmtree(captures)
    done = compare_run(folder, ["sh", "-c", "sleep 0.3; exec " + " ".join(map(str, base))], base, "--time", "1s", "--smallest-effect", "5")
    check(done.returncode == 0 and "--time ends" in done.stderr and len(glob.glob(f"{captures}/*.rlcap")) <= 6, f"time: {done.stderr}")


def test_other_tools(folder):
    """Where another tool observes the program, or is the program, that runs alone, and one line says so; its children with another tool are left alone."""
    tool, under = os.path.join(folder, "ncu"), {"NV_SANITIZER_INJECTION_TRANSPORT_TYPE": "uds"}
    with open(tool, "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\necho "in:$CUDA_INJECTION64_PATH"\nexec "{PROGRAM}" "$@"\n')
    os.chmod(tool, 0o755)
    output, program = os.path.join(folder, "app.rlcap"), [PROGRAM, "many", "100", "10"]
    for words, environment, said in ((program, under, "NV_SANITIZER_INJECTION_TRANSPORT_TYPE is set already"), ([tool, *program[1:]], {}, "'ncu' is one"),
                                     (program, {"NVTX_INJECTION64_PATH": "/other/tool.so"}, "NVTX_INJECTION64_PATH is set already")):
        done = subprocess.run([ROOFLIGHT, "collect", "-q", "-o", output, "--", *words], capture_output=True, text=True, timeout=60, env=variables(environment), cwd=folder)
        equal((done.returncode, done.stdout), (0, "in:\nout\n" if words[0] == tool else "out\n"), f"{said}: the program runs as it does by itself")
        check(said in done.stderr and done.stderr.count("rooflight:") == 1 and not os.path.exists(output), f"one line, and no capture: {done.stderr!r}")
    done = subprocess.run([ROOFLIGHT, "collect", "-o", output, "--", "env", *[f"{name}={value}" for name, value in under.items()], *program], capture_output=True, text=True, timeout=60,
                          env=variables(), cwd=folder)
    check(done.stdout == "out\n" and not (os.path.exists(output) and of_capture(folder, "SELECT count(*) FROM kernel")[0][0]), f"a child with one is left alone: {done.stderr!r}")


def test_compare_run_failures(folder):
    """What ends it before there is a comparison, and what stays."""
    base = [PROGRAM, "timed", 200, 20000]
    once = ["sh", "-c", f"[ -e {folder}/ran ] && exit 7; touch {folder}/ran; exec {PROGRAM} timed 200 20000"]
    done = compare_run(folder, base, once, "--warm-up", "none")
    equal(done.returncode, 1, "a program that fails")
    check("session 2 of new: the program ended with status 7" in done.stderr and "captures of" in done.stderr, f"says it: {done.stderr}")
    equal({os.path.basename(path) for path in glob.glob(f"{folder}/sides/*new*")}, {"new-1.rlcap", "failed-new-2.rlcap"},
          "the capture before it stays, its own is set aside")
    check("compare base-*.rlcap -- new-*.rlcap" in done.stderr, f"says what can be compared: {done.stderr}")
    shutil.rmtree(f"{folder}/sides")
    done = compare_run(folder, base, ["sh", "-c", "kill -TERM $$"])
    check(done.returncode == 1 and "warm-up of new: the program was ended by signal 15" in done.stderr, f"a signal: {done.stderr}")
    shutil.rmtree(f"{folder}/sides")
    done = compare_run(folder, base, [PROGRAM, "many", 10, 1], "--warm-up", "none")
    check(done.returncode == 1 and "no kernel in common" in done.stderr and len(os.listdir(f"{folder}/sides")) == 2, f"nothing to compare: {done.stderr}")
    shutil.rmtree(f"{folder}/sides")
    done = compare_run(folder, base, ["no-such-program"])
    check(done.returncode == 1 and "no-such-program" in done.stderr, f"no program: {done.stderr}")


def test_leaves_no_traces(folder):
    """No symbol, no library and no file of ours is left in or by the program."""
    names = subprocess.run(["nm", "-D", "--defined-only", os.path.join(os.path.dirname(ROOFLIGHT), "librooflight-inject.so")],
                           capture_output=True, text=True, check=True).stdout.split()[2::3]
    equal(sorted(names), ["InitializeInjection", "InitializeInjectionNvtx", "InitializeInjectionNvtx2", "InitializeInjectionNvtxExtension"], "exported symbols")
    needed = subprocess.run(["objdump", "-p", os.path.join(os.path.dirname(ROOFLIGHT), "librooflight-inject.so")], capture_output=True,
                            text=True, check=True).stdout
    libraries = [line.split()[1] for line in needed.splitlines() if "NEEDED" in line]
    check(all(library.split(".")[0] in ("libc", "libdl", "libpthread", "ld-linux-x86-64") for library in libraries), f"needed: {libraries}")
    segments = subprocess.run(["readelf", "-lW", os.path.join(os.path.dirname(ROOFLIGHT), "librooflight-inject.so")], capture_output=True,
                              text=True, check=True).stdout
    thread_local, = [int(line.split()[5], 16) for line in segments.splitlines() if line.split()[:1] == ["TLS"]]
    check(thread_local <= 256, f"{thread_local} bytes for each thread: there is little room for objects that come late")
    scratch = os.path.join(folder, "tmp")
    os.mkdir(scratch)
    Run(folder, "many", 100, 2, environment={"TMPDIR": scratch})
    equal(os.listdir(scratch), [], "files in $TMPDIR")


def run_test(name):
    """In a process of its own: what it prints, and its numbers of checks and of failures."""
    printed = io.StringIO()
    checks, failures = CHECKS, len(FAILED)
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(printed):
        try:
            globals()[name](folder)
        except (OSError, subprocess.SubprocessError, sqlite3.Error, ValueError, LookupError):
            check(False, traceback.format_exc())
        print(f"{name}: {'ok' if len(FAILED) == failures else 'FAILED'}")
    return printed.getvalue(), CHECKS - checks, len(FAILED) - failures


def main():
    global ROOFLIGHT, PROGRAM, STAND_INS
    parser = argparse.ArgumentParser()
    parser.add_argument("--rooflight", required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("--stand-ins", required=True)
    parser.add_argument("--jobs", type=int, default=4, help="tests at once: most of their time they wait")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    ROOFLIGHT, PROGRAM, STAND_INS = (os.path.abspath(p) for p in (arguments.rooflight, arguments.program, arguments.stand_ins))
    chosen = [name for name in sorted(globals())
              if name.startswith("test_") and (not arguments.names or any(part in name for part in arguments.names))]
    checks, failures, again = 0, 0, []
    with multiprocessing.get_context("fork").Pool(arguments.jobs) as pool:
        for name, (printed, done, failed) in zip(chosen, pool.imap(run_test, chosen, 1)):
            print(printed, end="", flush=True)
            checks += done
            if failed:
                again.append(name)
    # Windows and samples share the processors with the tests at the same time: what fails there has to fail by itself, too.
    for name in again:
        printed, done, failed = run_test(name)
        print(f"again, alone: {printed}", end="", flush=True)
        failures += failed
    print(f"{checks - failures} passed, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
