#!/usr/bin/env python3
"""Do the tests notice a fault? Puts small faults (mutants) into the folders without a GPU, one at a time, and runs the unit tests and
the transcripts of commands.

    tests/mutation/mutate.py                        the sample that docs/data/mutation.md reports
    tests/mutation/mutate.py --sample 0 --only 'core/u*.c'     every mutant of some files
    tests/mutation/mutate.py --show NAME            one mutant as a difference of text

A mutant is killed when a test fails, crashes or does not end: a unit test, a transcript, or a unit test under AddressSanitizer and
UndefinedBehaviorSanitizer, as .ci/run runs them too. Results are kept in the scratch folder: what a test killed stays killed while
the file and that test are the same, what survived is run again when anything has changed. Survivors that no test can notice are rows of
explained.txt beside this file, with the reason. Exit status: 0; 1 when less than --least percent of the others are killed or a row of
explained.txt is out of date; 2 wrong usage.
"""
import argparse
import concurrent.futures
import difflib
import fnmatch
import hashlib
import json
import math
import os
import pathlib
import random
import shutil
import subprocess
import sys

from build import CAGE, HERE, Build

FOLDERS = ("core", "capture", "analysis", "import")
QUICK = 0.5  # seconds of processor time: a test that takes longer is run for its own folder only (a transcript: for what no quick one
SLOW = 3.0  # reaches), and one that takes longer than this, for files of its name
LONGEST = 60
WALL = 60  # seconds, and ten times what it may use of a processor: over that a test hangs
STAGES = {"unit tests": ("unit",), "transcripts": ("transcripts",), "sanitizers": ("unit",)}
ALIVE = ("survived", "unreached")


def is_hidden(folder):
    """Whether the cage in which tests run has nothing there."""
    return bool({pathlib.Path("/tmp"), pathlib.Path("/var/tmp")} & set(folder.parents))


def default_scratch(source):
    """In the build folder, or, where the cage would hide that, in one of the user's for this tree."""
    usual = source / "build" / "mutation"
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    return cache / "rooflight-mutation" / hashlib.sha256(bytes(source)).hexdigest()[:12] if is_hidden(usual) else usual


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=pathlib.Path, default=HERE.parent.parent)
    parser.add_argument("--scratch", type=pathlib.Path, help="where it builds and keeps results (build/mutation; of a tree below /tmp a folder below ~/.cache)")
    parser.add_argument("--sample", type=int, default=1200, metavar="N", help="mutants, spread over the files; 0: all (%(default)s)")
    parser.add_argument("--seed", default="1", help="which ones (%(default)s)")
    parser.add_argument("--only", action="append", metavar="GLOB", help="files, as core/fs.c (all of the folders); several times")
    parser.add_argument("--but", action="append", metavar="GLOB", default=[], help="files to leave out; several times")
    parser.add_argument("--least", type=float, default=0, metavar="PERCENT", help="fail when less is killed of those not explained")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="at once (%(default)s)")
    parser.add_argument("--quick", action="store_true", help="unit tests only")
    parser.add_argument("--again", action="store_true", help="forget the results of earlier runs")
    parser.add_argument("--show", metavar="NAME", help="print one mutant as a difference and end")
    chosen = parser.parse_args()
    chosen.source = chosen.source.resolve()
    chosen.scratch = (chosen.scratch or default_scratch(chosen.source)).resolve()
    missing = [program for program in ("clang", "bwrap", "prlimit") if not shutil.which(program)]
    if missing:
        parser.error(f"not installed: {', '.join(missing)}")
    if is_hidden(chosen.scratch):
        parser.error("--scratch: the cage in which tests run hides what is below /tmp and /var/tmp: choose another folder")
    return chosen


# ---- the sample ----

def shares(counts, sample):
    """How many of each file: in proportion, at least one."""
    total = sum(counts.values())
    exact = {name: sample * count / total for name, count in counts.items()}
    given = {name: max(1, math.floor(share)) for name, share in exact.items()}
    for name in sorted(exact, key=lambda name: math.floor(exact[name]) - exact[name])[:max(0, sample - sum(given.values()))]:
        given[name] += 1
    return {name: min(given[name], counts[name]) for name in counts}


def fits(name, patterns):
    return any(fnmatch.fnmatch(name, pattern) for pattern in patterns)


def choose(mutants, only, but, sample, seed):
    """A simple random sample of each file's mutants; the choice in one file does not depend on the other files' text."""
    by_file = {}
    for mutant in mutants:
        if fits(mutant.file, only) and not fits(mutant.file, but):
            by_file.setdefault(mutant.file, []).append(mutant)
    if sample == 0 or not by_file:
        return [mutant for group in by_file.values() for mutant in group]
    wanted = shares({name: len(group) for name, group in by_file.items()}, sample)
    chosen = []
    for name, group in by_file.items():
        random.Random(f"{seed} {name}").shuffle(group)  # so that a larger sample contains a smaller one
        chosen += group[:wanted[name]]
    return chosen


# ---- running ----

def outcome(build, command, number, seconds):
    """killed, timeout or survived."""
    allowed = 2 + math.ceil(5 * seconds)
    environment = {**os.environ, "RL_MUTANT": str(number), "ASAN_OPTIONS": "hard_rss_limit_mb=4096"}
    try:
        status = subprocess.run([*build.limits(allowed), *CAGE, *command], env=environment, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL, timeout=WALL + 10 * allowed).returncode
    except subprocess.TimeoutExpired:
        return "timeout"
    return "survived" if status == 0 else "timeout" if status in (128 + 24, -24) else "killed"


def is_namesake(test, file):
    """Whether a test of the file's folder is called after it, or the file after the test."""
    stem, subject = pathlib.Path(file).stem, test.name.split("test_")[-1].rstrip("s")
    return test.folder == os.path.dirname(file) and (stem.startswith(subject) or subject.startswith(stem))


def is_worth(test, file):
    if test.seconds <= QUICK:
        return True
    return (test.folder == os.path.dirname(file) and test.seconds <= SLOW) or is_namesake(test, file)


def longest(test, mutants):
    """Processor time in which a test must pass to be of use: one that nobody is called after need not be waited for."""
    return SLOW + 1 if test.kind == "unit" and not any(is_namesake(test, mutant.file) for mutant in mutants) else LONGEST


def in_turn(build, mutant, kinds):
    """Tests for a mutant, its folder's own and quick ones first; where it can be told, only those that reach it."""
    folder = mutant.file.split("/")[0]
    tests = [t for t in build.tests if t.passes and t.kind in kinds]
    if mutant.form == "alone":
        tests = [t for t in tests if f"librl_{folder}.a" in build.links[t.program.name]]
    else:
        tests = [t for t in tests if build.numbers[mutant.name] in t.reached]
    worth = [t for t in tests if is_worth(t, mutant.file)]
    if "transcripts" in kinds and not worth:
        worth = tests
    return sorted(worth, key=lambda t: (t.folder != folder, t.seconds))


def judge(build, mutant, kinds, tried, killer):
    """(verdict, test): survived mutants that no test reaches are `unreached`. Tests tried before are passed over, `killer` comes first."""
    tests = [test for test in in_turn(build, mutant, kinds) if test.version not in tried]
    tests.sort(key=lambda test: test.name != killer)
    program = build.scratch / "alone" / mutant.name / "program"
    program.parent.mkdir(parents=True, exist_ok=True)
    compiles = mutant.form != "alone" or (tried and not tests) or build.alone(mutant, program.with_suffix(".o"))
    if mutant.name in build.drop or not compiles:
        return "invalid", None
    linked = None
    for test in tests:
        if mutant.form == "alone" and linked != test.program:
            build.link(test, program.with_suffix(".o"), program)
            linked = test.program
        verdict = outcome(build, test.command(program if mutant.form == "alone" else None), build.numbers[mutant.name], test.seconds)
        if verdict != "survived":
            return verdict, test
    return ("survived" if tests else "unreached"), None


class Results:
    """What is known from earlier runs, a line of JSON a verdict. `product` stands for the text of all files: with another one, those
    that survived are tried again by all tests, else by new and changed ones only."""

    def __init__(self, path, build, again):
        self.path, self.build, self.known = path, build, {}
        self.product = hashlib.sha256("".join(build.version.values()).encode()).hexdigest()[:16]
        self.versions = {test.name: test.version for test in build.tests}
        if again:
            path.unlink(missing_ok=True)
        for line in path.read_text().splitlines() if path.exists() else ():
            row = json.loads(line)
            self.known[row["mutant"]] = row

    def verdict(self, mutant):
        row = self.known.get(mutant.name)
        if not row or row["file"] != self.build.version[mutant.file]:
            return None
        if row["verdict"] in ALIVE:
            return row["verdict"] if row["product"] == self.product else None
        return row["verdict"] if not row["test"] or self.versions.get(row["test"]) == row["version"] else None

    def tried(self, mutant, stage):
        """Versions of the tests that a mutant survived in a stage."""
        return set(self.known[mutant.name]["tried"].get(stage, ())) if self.verdict(mutant) in ALIVE else set()

    def is_due(self, mutant, stage):
        verdict = self.verdict(mutant)
        wanted = {test.version for test in self.build.tests if test.kind in STAGES[stage]}
        return verdict is None or (verdict in ALIVE and not wanted <= self.tried(mutant, stage))

    def killer(self, mutant):
        """The name of the test that killed it last, perhaps in another version."""
        return self.known.get(mutant.name, {}).get("test")

    def add(self, mutant, verdict, test, stage):
        before = self.known[mutant.name] if self.verdict(mutant) in ALIVE else {"verdict": "unreached", "tried": {}}
        if verdict == "unreached":
            verdict = before["verdict"]
        tried = dict(before["tried"])
        if verdict in ALIVE:
            tried[stage] = sorted(test.version for test in self.build.tests if test.kind in STAGES[stage])
        row = {"mutant": mutant.name, "verdict": verdict, "file": self.build.version[mutant.file], "product": self.product, "stage": stage,
               "test": test.name if test else None, "version": test.version if test else None, "tried": tried if verdict in ALIVE else {}}
        self.known[mutant.name] = row
        with self.path.open("a") as out:
            out.write(json.dumps(row) + "\n")


def ready(build, chosen, due, kinds):
    """Compiles, and runs the tests of some kinds without a mutant, as far as those that are due may need them."""
    wanted = [test for test in build.tests if test.kind in kinds]
    build.compile(chosen, wanted)
    if "transcripts" in kinds:
        build.prepare()
    with concurrent.futures.ThreadPoolExecutor(build.jobs) as pool:
        list(pool.map(lambda test: build.measure(test, longest(test, due)), wanted))
    for test in wanted:
        if not test.passes:
            print(f"mutate: {test.name} takes longer than it may, or fails without any mutant: left out", file=sys.stderr)


def run(build, due, results, stage, jobs):
    """Judges the mutants, each as soon as there is a processor for it."""
    kinds = STAGES[stage]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        waiting = {pool.submit(judge, build, mutant, kinds, results.tried(mutant, stage), results.killer(mutant)): mutant for mutant in due}
        for done, future in enumerate(concurrent.futures.as_completed(waiting), 1):
            results.add(waiting[future], *future.result(), stage)
            if sys.stderr.isatty() or done % 100 == 0:
                print(f"\r{stage}: {done} of {len(due)}", end="" if sys.stderr.isatty() else "\n", file=sys.stderr, flush=True)


def run_all(plain, chosen, results, options):
    """The verdicts of the chosen, by name. Stage by stage: the next one is for those that survived the one before."""
    for stage in list(STAGES)[:1 if options.quick else None]:
        due = [mutant for mutant in chosen if results.is_due(mutant, stage)]
        due.sort(key=lambda mutant: results.verdict(mutant) not in ALIVE)  # news first
        if due:
            build = start(options, True) if stage == "sanitizers" else plain
            ready(build, chosen if build is plain else due, due, STAGES[stage])
            run(build, due, results, stage, options.jobs)
    return {mutant.name: results.verdict(mutant) for mutant in chosen}


# ---- what comes out ----

def explained():
    """name -> reason, from explained.txt: `NAME  FILE  reason`, # begins a comment."""
    rows = {}
    for line in (HERE / "explained.txt").read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            name, _, reason = line.split(None, 2)
            rows[name] = reason
    return rows


def interval(killed, n):
    """Wilson's 95 % CI of a share."""
    if n == 0:
        return 0, 0
    z, p = 1.959964, killed / n
    middle, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)


def table(chosen, verdicts, reasons):
    """Killed and surviving of each file, and of all."""
    rows = {}
    for mutant in chosen:
        verdict = verdicts[mutant.name]
        alive = verdict in ALIVE
        kind = "invalid" if verdict == "invalid" else "killed" if not alive else "explained" if mutant.name in reasons else "survived"
        for name in (mutant.file, mutant.file.split("/")[0] + "/", "all"):
            rows.setdefault(name, {"killed": 0, "survived": 0, "explained": 0, "invalid": 0})[kind] += 1
    return rows


def report(chosen, verdicts, reasons, results):
    for mutant in sorted(chosen, key=lambda m: (m.file, m.begin)):
        if verdicts[mutant.name] in ALIVE and mutant.name not in reasons:
            print(f"{mutant.name} {mutant.file}:{mutant.line} ({mutant.function or 'file'}) {verdicts[mutant.name]}\n"
                  f"    {mutant.source}\n    {mutant.operator}: {mutant.difference()}")
    rows = table(chosen, verdicts, reasons)
    print(f"\n{'file':32} {'mutants':>8} {'killed':>7} {'explained':>10} {'survived':>9} {'score':>7}")
    for name, row in sorted(rows.items(), key=lambda item: (item[0] == "all", item[0])):
        n = row["killed"] + row["survived"] + row["explained"]
        print(f"{name:32} {n:8} {row['killed']:7} {row['explained']:10} {row['survived']:9} {100 * row['killed'] / max(n, 1):6.1f}%")
    killed_in = [results.known[mutant.name]["stage"] for mutant in chosen if verdicts[mutant.name] not in (*ALIVE, "invalid")]
    print("\nkilled by " + ", ".join(f"{stage}: {killed_in.count(stage)}" for stage in STAGES))
    return summary(rows["all"], [verdicts[mutant.name] for mutant in chosen])


def summary(row, verdicts):
    """Prints both shares, of all mutants and of those that nobody has explained, and returns the latter, in percent."""
    n, asked = row["killed"] + row["survived"] + row["explained"], row["killed"] + row["survived"]
    for of, what in ((n, "killed"), (asked, "of those that are not explained")):
        low, high = interval(row["killed"], of)
        share = 100 * row["killed"] / max(of, 1)
        print(f"{row['killed']} of {of} {what}: {share:.1f} % (95 % CI {100 * low:.1f} to {100 * high:.1f} %)")
    print(f"{row['explained']} explained, {row['survived']} survived, of these no test reaches {verdicts.count('unreached')}; "
          f"{row['invalid']} did not compile")
    return 100 * row["killed"] / max(asked, 1)


def show(build, name):
    mutant = build.mutants.get(name)
    if not mutant:
        raise SystemExit(f"mutate: no mutant is named '{name}'")
    text = build.text[mutant.file]
    new = text[:mutant.begin] + mutant.new + (";" if mutant.form == "jump" and not mutant.new else "") + text[mutant.end:]
    sys.stdout.writelines(difflib.unified_diff(text.splitlines(True), new.splitlines(True), mutant.file, mutant.file))


def start(options, sanitize):
    """The build, configured, with its mutants known."""
    scratch = options.scratch / ("sanitized" if sanitize else "plain")
    scratch.mkdir(parents=True, exist_ok=True)
    build = Build(options.source, scratch, FOLDERS, options.jobs, sanitize)
    build.copy()
    build.configure()
    build.find()
    build.list_tests()
    return build


def main():
    chosen = options()
    build = start(chosen, False)
    if chosen.show:
        return show(build, chosen.show)
    reasons = explained()
    sample = choose(build.mutants.values(), chosen.only or ["*"], chosen.but, chosen.sample, chosen.seed)
    results = Results(chosen.scratch / "results.jsonl", build, chosen.again)
    score = report(sample, run_all(build, sample, results, chosen), reasons, results)
    stale = sorted(name for name in reasons if name not in build.mutants)
    for name in stale:
        print(f"mutate: explained.txt: {name}: no such mutant any more", file=sys.stderr)
    return 1 if stale or score < chosen.least else 0


if __name__ == "__main__":
    sys.exit(main())
