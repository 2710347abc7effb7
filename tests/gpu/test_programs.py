#!/usr/bin/env python3
"""`rooflight collect -- PROGRAM` on a real card. Each check prints a line. Times are printed, not judged: tests/bench/programs.py measures them.

usage: test_programs.py --rooflight PROGRAM --launcher PROGRAM [NAME ...]     the tests whose names contain NAME
Exit status 77 when there is no GPU (the test is skipped), 1 when something is wrong."""
import argparse
import glob
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

PASSED, FAILED = 0, []
TRANSFORMER = pathlib.Path(__file__).with_name("transformer.py")


def check(condition, text):
    global PASSED
    print(f"{'ok    ' if condition else 'FAILED'} {text}", flush=True)
    if condition:
        PASSED += 1
    else:
        FAILED.append(text)


def plain(*command):
    begin = time.monotonic()
    done = subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600)
    return done, time.monotonic() - begin


class Run:
    def __init__(self, folder, *command, options=()):
        self.path = os.path.join(folder, "app.rlcap")
        done, self.wall_s = plain(ROOFLIGHT, "collect", "-o", self.path, *options, "--", *command)
        self.status, self.out, self.err = done.returncode, done.stdout, done.stderr
        print("      " + " ".join(map(str, command)) + f": {self.wall_s:.2f} s; " + self.err.strip().replace("\n", "\n        "))

    def rows(self, query):
        with sqlite3.connect(f"file:{self.path}?mode=ro&immutable=1", uri=True) as db:
            return db.execute(query).fetchall()

    def said(self):
        return json.loads(self.out.strip().splitlines()[-1])

    def launches(self, like="%work%"):
        return self.rows(f"SELECT coalesce(sum(launches), 0) FROM kernel WHERE name LIKE '{like}'")[0][0]

    def counter(self, like, counter):
        found = self.rows(f"""SELECT value FROM counter JOIN kernel ON kernel.id = counter.kernel
            JOIN counter_name ON counter_name.id = counter.counter_name
            WHERE kernel.name LIKE '{like}' AND counter_name.name = '{counter}'""")
        return found[0][0] if found else None

    def counted(self):
        """Most launches counted of one class."""
        return self.rows("SELECT coalesce(max(counted), 0) FROM kernel_use")[0][0]

    def warnings(self):
        return " ".join(text for text, in self.rows("SELECT text FROM log")) + self.err

    def show(self):
        return json.loads(plain(ROOFLIGHT, "show", "--json", self.path)[0].stdout)


# Takes counters as soon as it can; in a second run where one is too short.
AT_ONCE, AGAIN = ["--budget", "all"], ["--replay", "kernel"]


def launcher(*arguments):
    return [LAUNCHER, *arguments]


def test_million(folder):
    """1,000,000 launches of 10 classes: under 450 MB in the process, capture under 20 MB. Launches in windows have no time."""
    alone, _ = plain(*launcher("many", 1000000, 10))
    before = json.loads(alone.stdout)
    run = Run(folder, *launcher("many", 1000000, 10), options=AT_ONCE)
    after = run.said()
    check(run.status == 0, "exit status 0")
    check(run.launches() == 1000000, f"{run.launches()} launches counted")
    print(f"      work {after['wall_s']:.2f} s, plain {before['wall_s']:.2f} s")
    grown = after["peak_bytes"] - before["peak_bytes"]
    check(grown < 450e6, f"the process grew by {grown / 1e6:.0f} MB")
    check(os.path.getsize(run.path) < 20e6, f"capture of {os.path.getsize(run.path) / 1e6:.2f} MB")
    counted = [c for c, in run.rows("SELECT counted FROM kernel_use JOIN kernel ON kernel.id = kernel WHERE name LIKE '%work%'")]
    check(len(counted) == 10 and min(counted) >= 2, f"counted launches of each class: {counted}")
    lost = run.rows("SELECT lost, untimed FROM process")[0]
    check(lost[0] == 0 and lost[1] < 5000, f"lost records {lost[0]}, untimed launches {lost[1]}")
    complete, = run.rows("SELECT complete FROM session")[0]
    check(complete == 1, f"complete: {run.warnings()}")


def test_nothing(folder):
    _, alone = plain(*launcher("nothing"))
    run = Run(folder, *launcher("nothing"))
    print(f"      {run.wall_s - alone:.3f} s added to a program that never touches CUDA")
    check(run.status == 0 and "no process was seen to use CUDA" in run.err, f"a line says that no kernel was seen: {run.err.strip()}")


def test_known_counters(folder):
    """Counters of a known kernel are exact under every way of taking them; DRAM bytes within 2 %."""
    elements = 1 << 28  # writes of the launch before it, still in L2, count as its own: so 1 GiB an array
    for replay in ("rotate", "kernel", "application"):
        launches = 10000 if replay == "rotate" else 100  # a few seconds, for windows
        run = Run(folder, *launcher("known", launches), options=["--replay", replay, "--samples", "2", *AT_ONCE])
        flop = run.counter("%triad%", "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum")
        check(flop == elements, f"{replay}: {flop} FFMA, {elements} expected")
        read, wrote = (run.counter("%triad%", f"dram__bytes_{way}.sum") for way in ("read", "write"))
        check(read is not None and abs(read / (8 * elements) - 1) < 0.02, f"{replay}: DRAM read {read}, {8 * elements} expected")
        check(wrote is not None and abs(wrote / (4 * elements) - 1) < 0.02, f"{replay}: DRAM write {wrote}, {4 * elements} expected")
        print(f"      {run.rows('SELECT phases FROM process')[0][0]}; {run.rows('SELECT uncounted FROM kernel_use')}")


def test_full_queue(folder):
    """A thousand launches of a millisecond are queued all the time. At any price they are counted; within the default budget they are, or the
    reason says what was in the way."""
    run = Run(folder, *launcher("known", 10000), options=AT_ONCE)
    rows = run.rows("SELECT counted, uncounted FROM kernel_use JOIN kernel ON kernel.id = kernel WHERE name LIKE '%triad%'")
    check(run.status == 0 and rows[0][0] >= 2, f"at any price: {rows} {run.warnings()}")
    run = Run(folder, *launcher("known", 4000))
    rows = run.rows("SELECT counted, uncounted FROM kernel_use JOIN kernel ON kernel.id = kernel WHERE name LIKE '%triad%'")
    check(run.status == 0 and (rows[0][0] or "too seldom" not in rows[0][1]), f"within the budget: {rows} {run.warnings()}")


def test_few_launches(folder):
    """Two launches of each class: they are timed; where it was asked for the program runs again, and what it launches is repeated."""
    run = Run(folder, *launcher("many", 10, 5))
    check(run.status == 0 and run.launches() == 10 and "run 2" not in run.err, f"once by default: {run.launches()} launches of 10")
    timed = [n for n, in run.rows("SELECT timed FROM kernel_use JOIN kernel ON kernel.id = kernel WHERE name LIKE '%work%'")]
    check(min(timed) >= 1, f"one launch of each is timed at least: {timed} {run.warnings()}")
    check(min(timed) == 2 or run.counter("%work%", "dram__bytes_read.sum") is not None, "those without a time are counted")
    run = Run(folder, *launcher("many", 10, 5), options=AGAIN)
    check(run.status == 0 and run.launches() == 10, f"two launches of each: {run.launches()} launches of 10")
    check(run.rows("SELECT min(counted) FROM kernel_use JOIN kernel ON kernel.id = kernel WHERE name LIKE '%work%'")[0][0] >= 1, "all are counted")


def test_launch_kinds(folder):
    for way, like, arguments in (("cooperative", "%grid_wide%", (200,)), ("clusters", "%clustered%", (200,)), ("threads", "%work%", (2000, 8))):
        run = Run(folder, *launcher(way, *arguments), options=AGAIN)
        check(run.status == 0 and run.launches(like) == run.said()["launches"], f"{way}: {run.launches(like)} launches")
        rows = run.rows(f"SELECT counted, uncounted, cluster_x, name FROM kernel_use JOIN kernel ON kernel.id = kernel WHERE name LIKE '{like}'")
        named = {name: max(counted for counted, _, _, other in rows if other == name) for *_, name in rows}
        # Where durations have two modes (threads that contend), the launches that are counted may all be of one of them.
        check(named and all(named.values()) and all(counted or "they do other work" in why for counted, why, *_ in rows), f"{way}: counted {rows}")
    check(run.counter("%work<1>%", "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum") in (None, 64 * 256),
          "threads: no launch of another thread in a range")
    run = Run(folder, *launcher("graphs", 300))
    check(run.launches() == run.said()["launches"], f"graphs: {run.launches()} launches of {run.said()['launches']}")
    # Graphs that are taken apart for counters run their kernels as plain launches.
    of_graphs = run.rows("SELECT sum(launches), sum(graph) FROM kernel_use JOIN kernel ON kernel.id = kernel WHERE graph > 0")[0]
    check(of_graphs[0] == 1500 and 1400 <= of_graphs[1] <= 1500, f"graphs: nodes are told apart: {of_graphs}")


def test_ranges_and_filters(folder):
    run = Run(folder, *launcher("ranges", 500))
    rows = run.rows("SELECT name, instances, launches FROM nvtx_range ORDER BY id")
    check([row[:2] for row in rows] == [("step", 500), ("inner", 500)], f"NVTX tree {rows}")
    for quiet, option, wanted in ((quiet, option, wanted) for quiet in (["--replay", "none"], AT_ONCE) for option, wanted in ((["--nvtx", "inner"], 1000), (["--nvtx", "step/inner", "--kernel", "work<2>"], 500), (["--launch-skip", "10", "--launch-count", "5"], 5),
                           (["--range", "inner..inner"], 1000), (["--profiler-api"], 3 * 249))):
        run = Run(folder, *launcher("ranges", 500), options=quiet + option)
        check(run.launches() == wanted, f"{' '.join(quiet + option)}: {run.launches()} launches, {wanted} expected")


def test_copies(folder):
    run = Run(folder, *launcher("copies", 10), options=["--replay", "none"])
    rows = run.rows("SELECT direction, memory, count, bytes, fastest FROM transfer WHERE direction != 'set'")
    for direction, memory in (("to device", "pageable"), ("to device", "pinned"), ("to host", "pinned")):
        row = next((r for r in rows if r[:2] == (direction, memory)), None)
        check(row is not None and row[2] >= 10, f"{direction}, {memory}: {row}")


def test_ends(folder):
    run = Run(folder, *launcher("_exit", 7))
    check(run.status == 7 and run.launches() == 5000, f"_exit: status {run.status}, {run.launches()} launches of 5000")
    run = Run(folder, *launcher("crash"))
    check(run.status == 77 and run.launches() >= 4000, f"sticky error: status {run.status}, {run.launches()} launches of 5000")
    run = Run(folder, *launcher("kill", 9))
    check(run.status == -9 and run.launches() == 5000, f"kill -9: status {run.status}, {run.launches()} launches of 5000")
    run = Run(folder, *launcher("forks", 3))
    check(run.launches() == 300, f"fork before CUDA: {run.launches()} launches of 300")
    run = Run(folder, *launcher("full", 1000000), options=AT_ONCE)
    check(run.status == 0 and run.launches() == 1000000, f"nearly full card: status {run.status}, {run.launches()} launches of 1000000")
    told = run.warnings()
    check(run.counted() > 0 or "nearly full" in told, f"nearly full card: {run.counted()} launches of a class counted, or why not: {told.strip()}")


def test_devices(folder):
    run = Run(folder, *launcher("devices", 2000), options=AGAIN)
    number = len(run.rows("SELECT DISTINCT gpu FROM kernel"))
    check(run.launches() == 2000 * number, f"{number} GPUs: {run.launches()} launches")
    check(run.rows("SELECT count(*) FROM kernel_use WHERE counted > 0")[0][0] == number, "counters on each")
    run = Run(folder, *launcher("contexts", 400000), options=AT_ONCE)
    check(run.status == 0 and run.launches() == 400000, f"two contexts on one GPU: status {run.status}, {run.launches()} launches")
    check(run.rows("SELECT min(counted) FROM kernel_use JOIN kernel ON kernel.id = kernel WHERE name LIKE '%work%'")[0][0] >= 1, "counters in one of them")
    path = LAUNCHER + "_per_thread"
    if os.path.exists(path):
        run = Run(folder, path, "threads", "2000", "8")
        check(run.status == 0 and run.launches() == run.said()["launches"], f"built with a default stream for each thread: {run.launches()} launches")


def test_two_at_once(folder):
    """Two collects on one GPU: both get times, and counters where the other one does not hold them; else it is said."""
    paths = [os.path.join(folder, f"both{i}.rlcap") for i in range(2)]
    both = [subprocess.Popen([ROOFLIGHT, "collect", "-o", path, *AT_ONCE, "--", LAUNCHER, "many", "200000", "5"], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True) for path in paths]
    counted, told = [], ""
    for path, process in zip(paths, both):
        _, err = process.communicate(timeout=300)
        with sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True) as db:
            launches = db.execute("SELECT sum(launches) FROM kernel WHERE name LIKE '%work%'").fetchone()[0]
            counted.append(db.execute("SELECT coalesce(max(counted), 0) FROM kernel_use").fetchone()[0])
            told += err + " ".join(text for text, in db.execute("SELECT text FROM log"))
        check(process.returncode == 0 and launches == 200000, f"two at once: {launches} launches; {err.strip()}")
    check(all(counted) or "another tool holds" in told, f"two at once: launches of a class counted {counted}, or why not")


def has_pytorch():
    if subprocess.run([sys.executable, "-c", "import torch; assert torch.cuda.is_available()"], capture_output=True).returncode:
        print("SKIPPED: no PyTorch with CUDA")
        return False
    return True


def test_own_profiler(folder):
    """A program that is itself under PyTorch's profiler, another subscriber to CUPTI: it ends as without us, and we say what we could see."""
    if not has_pytorch():
        return
    expected = Run(folder, sys.executable, TRANSFORMER, 2000).launches("%")
    command = [sys.executable, TRANSFORMER, 2000, "profile"]
    alone, _ = plain(*command)
    run = Run(folder, *command)
    launches = run.launches("%")
    print(f"      plain {alone.stdout.strip()}\n      observed {run.out.strip()}\n      {launches} launches seen; {run.err.strip()}")
    check(run.status == 0 and alone.returncode == 0, f"exit status {run.status}, plain {alone.returncode}")
    check(expected >= 2000 and launches == expected or "uses CUPTI already" in run.warnings(),
          f"{launches} launches seen, {expected} without the profiler, or a word about it")


def test_transformer(folder):
    """PyTorch inference of 20,000 launches: every class that matters counted."""
    if not has_pytorch():
        return
    plain(sys.executable, TRANSFORMER)  # fills the caches of the disk
    alone, alone_s = plain(sys.executable, TRANSFORMER)
    run = Run(folder, sys.executable, TRANSFORMER, options=AT_ONCE)
    check(run.status == 0, f"exit status {run.status}")
    print(f"      {run.wall_s:.2f} s, plain {alone_s:.2f} s")
    program = run.show()["program"]
    check(program["coverage"] is not None and program["coverage"] >= 0.97, f"coverage {program['coverage']}")
    check(program["launches"] > 15000, f"{program['launches']} launches of {len(program['classes'])} classes")
    check(any(r["name"] == "step" for r in program["ranges"]), "ranges of torch.cuda.nvtx")
    print(f"      idle {program['gpus'][0]['idle']}, plain loop {json.loads(alone.stdout)['wall_s']:.2f} s, observed {run.said()['wall_s']:.2f} s")


def test_show_and_report(folder):
    run = Run(folder, *launcher("ranges", 500))
    for command in (["show", run.path], ["report", run.path, "-o", os.path.join(folder, "app.pdf")]):
        done, _ = plain(ROOFLIGHT, *command)
        if "this build makes no reports" in done.stderr:
            print("      SKIPPED: no reports in this build")
            continue
        check(done.returncode == 0, f"{command[0]}: {done.stderr.strip()}")
        print(done.stdout)
    keep = os.environ.get("OUT")
    if keep:
        for name in ("app.pdf", "app.rlcap"):
            if os.path.exists(os.path.join(folder, name)):
                shutil.move(os.path.join(folder, name), os.path.join(keep, name))


def main():
    global ROOFLIGHT, LAUNCHER
    parser = argparse.ArgumentParser()
    parser.add_argument("--rooflight", required=True)
    parser.add_argument("--launcher", required=True)
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    ROOFLIGHT, LAUNCHER = os.path.abspath(arguments.rooflight), os.path.abspath(arguments.launcher)
    if not glob.glob("/proc/driver/nvidia/gpus/*") and not os.path.exists("/dev/nvidia0"):
        print("SKIPPED: no GPU")
        return 77
    for name, test in list(globals().items()):
        if name.startswith("test_") and (not arguments.names or any(part in name for part in arguments.names)):
            print(f"--- {name}")
            with tempfile.TemporaryDirectory() as folder:
                try:
                    test(folder)
                except Exception as error:  # one broken test must not hide the others on a borrowed card
                    check(False, f"{name}: {type(error).__name__}: {error}")
    print(f"{PASSED} passed, {len(FAILED)} failed")
    return 1 if FAILED else 0


if __name__ == "__main__":
    sys.exit(main())
