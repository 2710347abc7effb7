#!/usr/bin/env python3
"""Selection selects: every filter in every replay mode, on 1, 10 or 10,000 launches, against what the program says that it did; and on 10,000 that
take long enough for windows of counters, in which launches have no time. With --all each on each number of launches; without it every filter meets
every mode and every number, and every mode every number.

The program (select.c) prints an event a line; which launches a filter selects is worked out from these here, and the capture must have exactly
those, in total, in each class and in each range. A filter that selects none: exit status 1 and a line that says so.

usage: filters.py --rooflight PROGRAM --program PROGRAM --stand-ins FOLDER [--jobs N] [--all] [NAME ...]     filters whose names contain NAME"""
import argparse
import collections
import fnmatch
import json
import multiprocessing
import os
import re
import subprocess
import sys
import tempfile

MODES = ("auto", "rotate", "kernel", "application", "none")
COUNTS = (1, 10, 10000)
WINDOWS, PAUSE_US = "windows", 60  # a mode of this test: rotate, without a budget, of a program that takes its time
LEAST_WINDOWS = 1000  # launches that are selected; with so many there is something to count
# Each: the options by the name of what they are for. `nvtx` and `range` in ways that the manual describes.
FILTERS = {
    "none": {},
    "kernel": {"kernel": "work<[12]>"},
    "kernel, as ncu has it": {"kernel": "regex:work<1>"},
    "nvtx": {"nvtx": "step"},
    "nvtx, inner": {"nvtx": "step/odd"},
    "nvtx, domain": {"nvtx": "lib@third"},
    "nvtx, wildcard": {"nvtx": "s*/*"},
    "range": {"range": "odd..odd"},
    "range, domain": {"range": "lib@third..step"},
    "launch-skip": {"launch-skip": 3},
    "launch-count": {"launch-count": 5},
    "launch-skip and count": {"launch-skip": 1000, "launch-count": 50},
    "profiler-api": {"profiler-api": True},
    "kernel, skip, count": {"kernel": "work<[13]>", "launch-skip": 2, "launch-count": 7},
    "nvtx, kernel, count": {"nvtx": "odd", "kernel": "work<[^3]>", "launch-count": 100},
    "range, profiler-api": {"range": "step..step", "profiler-api": True},
    "nvtx, profiler-api, skip": {"nvtx": "lib@*", "profiler-api": True, "launch-skip": 1},
    "all": {"kernel": "work<[^2]>", "nvtx": "step", "range": "lib@third..odd", "launch-skip": 1, "launch-count": 300,
            "profiler-api": True},
    "kernel that is not": {"kernel": "nosuch"},
    "nvtx that is not": {"nvtx": "nosuch"},
    "skip of all": {"launch-skip": 100000, "launch-count": 50},
}


# ---- what a filter selects, by the manual ----

def part_matches(pattern, name):
    return fnmatch.fnmatchcase(name, pattern)


def path_matches(pattern, path):
    """`path`: (domain, name) of the open ranges, innermost last; the pattern's parts are ranges one inside of the other."""
    domain, parts = None, pattern
    if "@" in pattern:
        domain, parts = pattern.split("@", 1)
    parts = parts.split("/")
    return any(len(path) - at >= len(parts) and
               all((domain is None or part_matches(domain, d)) and part_matches(p, n) for p, (d, n) in zip(parts, path[at:]))
               for at in range(len(path)))


class Model:
    def __init__(self, filters):
        self.filters = filters
        self.start, _, self.end = filters.get("range", "").partition("..")
        self.open, self.profiling = "range" not in filters, "profiler-api" not in filters
        self.number = 0
        self.stack = []
        self.selected = collections.Counter()
        self.instances, self.inside = collections.Counter(), collections.Counter()

    def push(self, domain, name):
        self.stack.append((domain, name))
        self.instances[tuple(self.stack)] += 1
        if self.start and path_matches(self.start, [(domain, name)]):
            self.open = True

    def pop(self, domain):
        at = max(i for i, (of, _) in enumerate(self.stack) if of == domain)
        left = self.stack.pop(at)
        if self.end and path_matches(self.end, [left]):
            self.open = False

    def launch(self, kernel):
        name = f"void work<{kernel}>(unsigned long long)"
        wanted = self.filters.get("kernel", "").removeprefix("regex:")
        if wanted and not re.search(wanted, name) or not self.open or not self.profiling:
            return
        if "nvtx" in self.filters and not path_matches(self.filters["nvtx"], self.stack):
            return
        skip, count = self.filters.get("launch-skip", 0), self.filters.get("launch-count", 0)
        self.number += 1
        if self.number > skip and (not count or self.number <= skip + count):
            self.selected[name] += 1
            for depth in range(len(self.stack)):
                self.inside[tuple(self.stack[:depth + 1])] += 1

    def follow(self, text):
        for line in text.splitlines():
            what, _, rest = line.partition(" ")
            if what == "push":
                self.push(*rest.split("@"))
            elif what == "pop":
                self.pop(rest)
            elif what == "launch":
                self.launch(int(rest))
            elif "profiler-api" in self.filters:
                self.profiling = rest == "on"


# ---- what the capture has ----

def options_of(filters):
    options = []
    for name, value in filters.items():
        options += [f"--{name}"] if value is True else [f"--{name}", str(value)]
    return options


def ranges_of(program):
    """(instances, launches) by path."""
    found, path = {}, []
    for row in program["ranges"]:
        path = path[:row["depth"]] + [(row["domain"] or "", row["name"])]
        found[tuple(path)] = row["instances"], row["launches"]
    return found


def check_ranges(model, program):
    found = ranges_of(program)
    problems = []
    for path in sorted(set(model.inside) | set(found)):
        name = "/".join(f"{domain}@{part}" for domain, part in path)
        instances, launches = found.get(path, (0, 0))
        if launches != model.inside[path]:
            problems.append(f"range {name}: {launches} launches, not {model.inside[path]}")
        if path in found and instances != model.instances[path]:
            problems.append(f"range {name}: entered {instances} times, not {model.instances[path]}")
    return problems


def check_capture(model, capture):
    found = collections.Counter()
    for kernel in capture["kernels"]:
        found[kernel["name"]] += kernel["launches"]
    problems = [f"{name}: {found[name]} launches, not {model.selected[name]}" for name in sorted(set(found) | set(model.selected))
                if found[name] != model.selected[name]]
    program = capture.get("program")
    if program:
        total = sum(model.selected.values())
        if program["launches"] != total:
            problems.append(f"in total {program['launches']} launches, not {total}")
        selected = sum(process["launches"] - process["unselected"] for process in program["processes"])
        if selected != total:
            problems.append(f"of processes {selected} launches are selected, not {total}")
        problems += check_ranges(model, program)
    return problems


def try_one(job):
    name, mode, count = job
    filters = FILTERS[name]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "app.rlcap")
        environment = {**os.environ, "LD_LIBRARY_PATH": STAND_INS, "ROOFLIGHT_CUPTI_DIR": STAND_INS}
        how = ["--replay", mode] if mode != WINDOWS else ["--replay", "rotate", "--budget", "all"]
        done = subprocess.run([ROOFLIGHT, "collect", "-o", path, *how, *options_of(filters), "--", PROGRAM, "select", str(count),
                               str(PAUSE_US if mode == WINDOWS else 0)],
                              capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL, env=environment, cwd=folder)
        model = Model(filters)
        model.follow(done.stdout)
        problems = []
        if bool(model.selected) != (done.returncode == 0):
            problems.append(f"exit status {done.returncode}, {sum(model.selected.values())} launches are selected: {done.stderr.strip()!r}")
        if not os.path.exists(path):
            return job, problems + (["there is no capture"] if model.selected else []), None
        shown = subprocess.run([ROOFLIGHT, "show", "--json", path], capture_output=True, text=True, timeout=60)
        capture = json.loads(shown.stdout)
        untimed = sum(process["untimed"] for process in capture["program"]["processes"]) if capture.get("program") else 0
        return job, problems + check_capture(model, capture), untimed if sum(model.selected.values()) >= LEAST_WINDOWS else None


def jobs_of(every):
    """Filter, mode and number of launches of each run."""
    for row, name in enumerate(FILTERS):
        for column, mode in enumerate(MODES):
            for count in COUNTS if every else [COUNTS[(row + column) % len(COUNTS)]]:
                yield name, mode, count
        yield name, WINDOWS, COUNTS[-1]


def main():
    global ROOFLIGHT, PROGRAM, STAND_INS
    parser = argparse.ArgumentParser()
    parser.add_argument("--rooflight", required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("--stand-ins", required=True)
    parser.add_argument("--jobs", type=int, default=4)  # most of their time they wait
    parser.add_argument("--all", action="store_true", help="every filter in every mode on every number of launches")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    ROOFLIGHT, PROGRAM, STAND_INS = (os.path.abspath(p) for p in (arguments.rooflight, arguments.program, arguments.stand_ins))
    jobs = [job for job in jobs_of(arguments.all) if not arguments.names or any(part in "{} {} {}".format(*job) for part in arguments.names)]
    failed, untimed = 0, []
    with multiprocessing.get_context("fork").Pool(arguments.jobs) as pool:
        for (name, mode, count), problems, without_time in pool.imap(try_one, jobs, 1):
            failed += bool(problems)
            untimed += [without_time] if mode == WINDOWS and without_time is not None else []
            for problem in problems:
                print(f"FAILED {name}, --replay {mode}, {count} launches: {problem}", flush=True)
    if untimed and sum(map(bool, untimed)) < len(untimed) / 2:
        failed += 1
        print(f"FAILED: this test has hardly seen a window: launches without a time {untimed}")
    print(f"{len(jobs) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
