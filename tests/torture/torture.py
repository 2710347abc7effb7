#!/usr/bin/env python3
"""Native equivalence: each program of cases.py runs by itself and under `rooflight collect`, and must not differ in status, signal, output, files,
processes and what it leaves; the capture must say what the program launched, or that it is not complete.

usage: torture.py --rooflight PROGRAM --build FOLDER [--stand-ins FOLDER] [--jobs N] [--repeat N] [--wrap COMMAND] [--replay MODE]
                  [--patience SECONDS] [--sanitized] [--gdb] [--list] [NAME ...]

NAME: only the cases whose names contain it. Without --stand-ins the programs run on the card; exit status 77 when there is none. --repeat: of
cases in which something races. --wrap: a command in front of each program, such as "valgrind --tool=none -q". --gdb: shows where what hangs is."""
import argparse
import contextlib
import ctypes
import json
import multiprocessing
import os
import pathlib
import pty
import re
import select
import shlex
import shutil
import signal
import sqlite3
import statistics
import struct
import subprocess
import sys
import tempfile
import time
import traceback

import cases

KERNELS = [f"void work<{i}>(unsigned long long)" for i in range(10)] + ["wait_flag", "delay", "store", "persistent"]
REST = "(kernels of further configurations)"
BUDGET = 1.05, 1.0  # an observed program takes at most so many times as long, and so many seconds more
BUSY_BUDGET = 2 * BUDGET[0], 2 * BUDGET[1]
LARGE_S = 1.0  # more where very many classes are launched: what they cost comes on top of the 0.85 s that counting may hold a program up
SLOW = 3, 5         # where its time is not its own: below sanitizers and valgrind, or when the test does something to it meanwhile
MEASURE_S = 0.105   # what a server of today takes for `measure`: the seconds of the budget are its
TRIES = 4           # until it does; the least time of each counts
BUSY = 2            # as many programs for each processor: then the processor time is judged, of which others' work takes up to half
WINDOWS = re.compile(r"launches without a time: (\d+) counted in (\d+) windows?(?:; (\d+) passed in them[^;]*)?(?:; (\d+) have neither[^;(]*(?:\(([^;]+)\))?)?"
                     r"; delayed for ([0-9.]+) s, and in windows for ([0-9.]+) s, of ([0-9.]+) s")
MOST_LOST = 96 + 1  # a window of full size, and one that is opened for a single launch after it
MOST_FREE = 24  # launches in a row in a window that are made in it and not counted
HELD_S = (0.05, 0.75 + 0.5)  # share of the run, and seconds more: the window that is open when the budget ends
PR_SET_CHILD_SUBREAPER = 36


class Run:
    """What one run of a case did."""
    status = wall_s = cpu_s = tty = None
    hung = False
    left = 0
    out = err = b""
    files, temporary, launches = {}, [], []


# ---- processes: each worker of the pool runs one case at a time, and inherits what that leaves behind ----

def descendants():
    parents = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                fields = pathlib.Path(f"/proc/{name}/stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if fields[0] != "Z":
                parents[int(name)] = int(fields[1])
    found, more = set(), {os.getpid()}
    while more:
        more = {pid for pid, parent in parents.items() if parent in more} - found
        found |= more
    return found


def reap():
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def wait_for_others(seconds):
    """Until nobody is left, or so long; how many there are then."""
    end = time.monotonic() + seconds
    while descendants() and time.monotonic() < end:
        time.sleep(0.02)
        reap()
    return len(descendants())


def kill_others():
    for _ in range(50):
        left = descendants()
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        if not left:
            break
        time.sleep(0.02)
        reap()
    reap()


# ---- one run ----

def environment(case, base):
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("OMPI_", "PMI", "SLURM_", "ROOFLIGHT_"))}
    if STAND_INS:
        clean.update(LD_LIBRARY_PATH=STAND_INS, ROOFLIGHT_CUPTI_DIR=STAND_INS)
    clean.update(TMPDIR=f"{base}/tmp", TORTURE_TRUTH=f"{base}/truth", TORTURE_PLUGIN=f"{BUILD}/torture_plugin.so",
                 CUDA_CACHE_DISABLE="1", CUDA_MODULE_LOADING="EAGER",  # loading a kernel may wait for one that waits for the host
                 STAND_IN_HANGS=f"{base}/hangs",
                 TSAN_OPTIONS=f"log_path={base}/sanitizer die_after_fork=0 exitcode=0 report_signal_unsafe=0 report_thread_leaks=0 atexit_sleep_ms=100",
                 ASAN_OPTIONS=f"log_path={base}/sanitizer detect_leaks=0")
    clean.update({k: filled(v) for k, v in case.environment.items()})
    return clean


def filled(text):
    for name, value in (("{torture}", TORTURE), ("{build}", BUILD), ("{python}", sys.executable), ("{here}", os.path.dirname(os.path.abspath(__file__)))):
        text = text.replace(name, value)
    return text


def prepare(case, base):
    os.chmod(base, 0o755)
    for name in ("work", "tmp", "captures"):
        os.mkdir(f"{base}/{name}")
        os.chmod(f"{base}/{name}", 0o777)
    with open(f"{base}/truth", "wb") as truth:
        truth.write(bytes(8 * len(KERNELS)))
    os.chmod(f"{base}/truth", 0o666)
    for name, text in case.files.items():
        with open(f"{base}/work/{name}", "w") as file:
            file.write(filled(text))
            os.fchmod(file.fileno(), 0o755)


def command_of(case, base, observed):
    program, around = WRAP + [filled(word) for word in case.command], [filled(word) for word in case.around]
    if not observed:
        return around + program
    collect = [ROOFLIGHT, "collect", "-o", f"{base}/captures/app.rlcap", *(REPLAY if not case.options else []), *case.options, "--"]
    return around + collect + program


def before_exec(case):
    def act():
        for number in case.closed:
            os.close(number)
        for number in case.ignored:
            signal.signal(number, signal.SIG_IGN)
    return act


def start(case, base, observed):
    streams = {name: open(f"{base}/{name}", "wb") for name in ("out", "err")}
    command = command_of(case, base, observed)
    with open(f"{base}/in", "wb") as file:
        file.write(case.stdin)
    with open(f"{base}/in", "rb") as stdin:
        process = subprocess.Popen(command, cwd=f"{base}/work", env=environment(case, base), stdin=stdin, stdout=streams["out"], stderr=streams["err"],
                                   start_new_session=True, preexec_fn=before_exec(case), restore_signals=not case.ignored)
    for file in streams.values():
        file.close()
    return process


def finish(process, run, seconds):
    try:
        run.status = process.wait(seconds)
    except subprocess.TimeoutExpired:
        run.hung = True
        for pid in sorted(descendants()):
            run.err += stack_of(pid)
        kill_others()
        process.wait()


def stack_of(pid):
    """Where a process hangs; gdb, where it is installed, tells more."""
    if not GDB:
        return b""
    done = subprocess.run([GDB, "-p", str(pid), "-batch", "-nx", "-ex", "thread apply all bt 12"], capture_output=True, timeout=60)
    return b"\n".join(line for line in done.stdout.splitlines() if line.startswith((b"#", b"Thread"))) + b"\n"


def run_on_terminal(case, base, observed, run):
    """The program's terminal is one that the test has; `case.terminal`: what is waited for, and what is typed then."""
    command = command_of(case, base, observed)
    pid, master = pty.fork()
    if pid == 0:
        os.chdir(f"{base}/work")
        os.execvpe(command[0], command, environment(case, base))
    os.set_blocking(master, False)
    end, said, steps = time.monotonic() + PATIENCE_S, b"", list(case.terminal)
    seen = 0
    while time.monotonic() < end:
        if select.select([master], [], [], 0.1)[0]:
            try:
                more = os.read(master, 65536)
            except OSError:
                break
            if not more:
                break
            said += more
        if steps and steps[0][0] in said[seen:]:
            seen = said.index(steps[0][0], seen) + len(steps[0][0])
            typed = steps.pop(0)[1]
            time.sleep(0.1)
            if callable(typed):
                typed(pid)
            else:
                os.write(master, typed)
    run.hung = time.monotonic() >= end
    stacks = b""
    if run.hung:  # who is killed is also waited for
        stacks = b"".join(stack_of(pid) for pid in sorted(descendants()))
        kill_others()
    else:
        run.status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    os.close(master)
    run.out, run.err = own_lines(b"\0", said.replace(b"\r\n", b"\n"))
    if run.hung:
        run.err += b"it had written " + run.out + stacks


def files_below(folder):
    found = {}
    for where, folders, names in os.walk(folder):
        for name in folders + names:
            path = os.path.join(where, name)
            info = os.lstat(path)
            content = b""
            if os.path.islink(path):
                content = os.readlink(path).encode()
            elif os.path.isfile(path):
                content = pathlib.Path(path).read_bytes()
            found[os.path.relpath(path, folder)] = (oct(info.st_mode), info.st_uid, info.st_gid, info.st_nlink, content)
    return found


def processor_s():
    """Of all processes that were waited for."""
    times = os.times()
    return times.children_user + times.children_system


def execute(case, observed):
    run = Run()
    base = tempfile.mkdtemp(prefix="torture-", dir=SCRATCH)
    prepare(case, base)
    begin, cpu_s = time.monotonic(), processor_s()
    if case.terminal:
        run_on_terminal(case, base, observed, run)
    else:
        process = start(case, base, observed)
        status = case.act(process, base, observed) if case.act else None
        finish(process, run, PATIENCE_S)
        run.status = run.status if status is None else status
        run.out = pathlib.Path(f"{base}/out").read_bytes()
        run.err = pathlib.Path(f"{base}/err").read_bytes() + run.err
    run.wall_s = time.monotonic() - begin
    reap()
    run.cpu_s = processor_s() - cpu_s
    run.left = wait_for_others(0.5 if not case.linger else 0.1)
    if case.linger:
        wait_for_others(case.linger)
    kill_others()
    run.temporary = sorted(os.listdir(f"{base}/tmp")) if os.path.isdir(f"{base}/tmp") else ["(removed)"]
    run.files = files_below(f"{base}/work")
    run.launches = list(struct.unpack(f"{len(KERNELS)}Q", pathlib.Path(f"{base}/truth").read_bytes()))
    run.base = base
    return run


# ---- what must be alike ----

def lines_of_rooflight(lines):
    """Of each line whether it is rooflight's own; on a terminal a long one goes on in lines that are indented."""
    own = False
    for line in lines:
        own = line.startswith(b"rooflight: ") or (own and line.startswith(b"  "))
        yield own


def own_lines(plain, observed):
    """Standard error of the program, and rooflight's lines, which come after it."""
    if observed.startswith(plain):
        rest = observed[len(plain):]
        if all(lines_of_rooflight(rest.splitlines())):
            return plain, rest
    lines = observed.splitlines(keepends=True)
    own = list(lines_of_rooflight(lines))
    return (b"".join(line for line, ours in zip(lines, own) if not ours), b"".join(line for line, ours in zip(lines, own) if ours))


def short(value, most=300):
    text = value.decode(errors="replace") if isinstance(value, bytes) else str(value)
    return repr(text if len(text) <= most else text[:most // 2] + " ... " + text[-most // 2:])


def compare(case, plain, observed):
    problems = []

    def same(what, of_plain, of_observed):
        if of_plain != of_observed:
            problems.append(f"{what}: {short(of_observed)}, by itself {short(of_plain)}")
    if plain.hung:
        return ["it hangs by itself: " + short(plain.err)]
    err, said = own_lines(plain.err, observed.err)
    if observed.hung:
        return [f"it hangs when it is observed: {short(observed.err, 3000)}"]
    same("exit status", plain.status, observed.status)
    same("standard output", plain.out, observed.out)
    same("standard error", plain.err, err)
    same("processes left", plain.left, observed.left)
    same("files in $TMPDIR", plain.temporary, observed.temporary)
    for name in sorted(set(plain.files) | set(observed.files)):
        same(f"file '{name}'", plain.files.get(name), observed.files.get(name))
    if not case.again and not is_judged(case) and over(SLOW, plain.wall_s, observed.wall_s):
        problems.append(f"took {observed.wall_s:.2f} s, by itself {plain.wall_s:.2f} s")
    return problems


def over(budget, plain_s, observed_s):
    return observed_s > budget[0] * plain_s + budget[1]


def is_judged(case):
    """Whether its time is the program's own."""
    return not (WRAP or SANITIZED or case.again or case.act or case.judge or case.terminal or case.linger)


def measure():
    """Processor time of a piece of work like that of a collector with very many classes: memory that is touched for the first time, which some
    virtual machines take ten times as long for, and rows that are inserted into a database in it."""
    begin = time.thread_time()
    del (bytearray(b"x") * (64 << 20))[:]
    with contextlib.closing(sqlite3.connect(":memory:")) as db:
        db.execute("CREATE TABLE kernel(id INTEGER PRIMARY KEY, name TEXT, grid INTEGER, mean REAL)")
        db.executemany("INSERT INTO kernel VALUES(?,?,?,?)", ((i, "a kernel of some name", 7 * i, 0.5 * i) for i in range(60000)))
    return time.thread_time() - begin


def slowness():
    """How many times as long as a server of today this machine takes now, at least 1: a virtual one has half of its speed at times."""
    return max(1, statistics.median(measure() for _ in range(3)) / MEASURE_S)


def check_budget(case, plain, observed, again):
    """Wall time within the budget, in one of a few tries; `again` runs the case by itself (False) and observed (True). On a busy machine, where
    wall time is that of others, processor time; with stand-ins on a slow machine, seconds of its own."""
    walls, processor = [plain.wall_s, observed.wall_s], [plain.cpu_s, observed.cpu_s]
    budget = BUDGET[0], BUDGET[1] + LARGE_S * case.large
    for left in reversed(range(TRIES)):
        if not over(budget, *walls) or os.getloadavg()[0] > BUSY * os.cpu_count() and not over(BUSY_BUDGET, *processor):
            return []
        if STAND_INS and not over((budget[0], budget[1] * slowness()), *walls):
            return []
        for i in (0, 1) if left else ():
            run = again(case, bool(i))
            walls[i], processor[i] = min(walls[i], run.wall_s), min(processor[i], run.cpu_s)
            shutil.rmtree(run.base, ignore_errors=True)
    return [f"takes {walls[1]:.2f} s, by itself {walls[0]:.2f} s: more than {budget[0]} times that and {budget[1]} s ({processor[1]:.2f} s and "
            f"{processor[0]:.2f} s of processors)"]


# ---- what the capture says ----

def shown(path):
    done = subprocess.run([ROOFLIGHT, "show", "--json", path], capture_output=True, timeout=60)
    return json.loads(done.stdout) if done.returncode == 0 else None


def read_from(path):
    """The same of a capture with very many classes, as far as it is looked at here."""
    with sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True) as db:
        kernels = [{"name": name, "launches": launches, "duration_s": timed and {"max": 1e-9 * longest}} for name, launches, timed, longest in
                   db.execute("SELECT name, launches, timed, max_ns FROM kernel JOIN kernel_use ON kernel = kernel.id")]
        processes = [{"untimed": untimed, "lost": lost} for untimed, lost in db.execute("SELECT untimed, lost FROM process")]
        log = [{"level": level, "text": text} for level, text in db.execute("SELECT level, text FROM log")]
        complete, = db.execute("SELECT complete FROM session").fetchone()
    return {"kernels": kernels, "program": {"processes": processes}, "log": log, "complete": bool(complete)}


def launches_of(capture):
    found = [0] * len(KERNELS)
    for kernel in capture["kernels"]:
        name = next((i for i, known in enumerate(KERNELS) if kernel["name"].startswith(known)), None)
        if name is not None:
            found[name] += kernel["launches"]
    return found


def check_counts(case, truth, found):
    """Launches of each kernel; `slack`: launches that were under way when the program ended count or not."""
    off = [f"{KERNELS[i]}: {found[i]} launches, {truth[i]} were made" for i in range(len(KERNELS)) if abs(found[i] - truth[i]) > case.slack]
    return [f"capture: {text}" for text in off]


def check_capture(case, plain, observed):
    said = own_lines(plain.err, observed.err)[1].decode(errors="replace")
    path = f"{observed.base}/captures/app.rlcap"
    if case.no_capture:
        return []
    if not os.path.exists(path):
        path += ".partial"
    capture = (read_from if case.large else shown)(path) if os.path.exists(path) else None
    if not capture:
        return [f"there is no capture that can be read; rooflight said {short(said)}"]
    truth = plain.launches if case.again else observed.launches
    found = launches_of(capture)
    problems, complete = [], capture["complete"]
    rest = sum(kernel["launches"] for kernel in capture["kernels"] if kernel["name"] == REST)
    if rest != case.rest:
        problems.append(f"capture: {rest} launches are of classes without room, not {case.rest}")
    found[truth.index(max(truth))] += rest
    counts = check_counts(case, truth, found)
    if case.exact or complete:
        problems += counts + (["and it is marked complete"] if counts and complete else [])
    elif any(f > t + case.slack for f, t in zip(found, truth)):
        problems += counts
    # A stand-in starts always; the driver may not, as without files, or the program cannot say what it launched: then the capture need not be whole.
    expected = case.complete if STAND_INS or any(truth) or case.complete else None
    if expected is not None and complete != expected:
        why = " ".join(entry["text"] for entry in capture["log"] if entry.get("level") != "note")
        problems.append(f"capture: complete is {complete}, not {expected}; its log says {short(why)}")
    problems += check_times(case, capture, complete)
    return problems


def check_windows(log, untimed, unread, waits=False):
    """Launches without a time are those that windows have counted, and few that passed in each; and the program is held up within the budget.
    `unread`: windows bring nothing: few launches are lost, no others after them, and the reason is said. On a card that may happen to any program,
    and is printed; `waits`: to this one, whose first launches wait for the host."""
    counted = passed = lost = opened = unread_windows = 0
    problems = []
    for text in log:
        found = WINDOWS.search(text)
        if found:
            launches, windows, others, nothing = (int(number or 0) for number in found.groups()[:4])
            why = found.group(5)
            held_s, _, run_s = map(float, found.groups()[5:])
            counted, passed, lost, opened = counted + launches, passed + others, lost + nothing, opened + windows
            unread_windows += nothing > 0
            excused = unread or ((waits or not STAND_INS) and nothing <= MOST_LOST)
            if nothing and not (excused and why) or launches < windows:
                problems.append(f"capture: a window brought nothing: {text}")
            elif nothing and not STAND_INS:
                print(f"        {nothing} launches have neither a time nor counters: {why}", flush=True)
            if held_s > HELD_S[0] * run_s + HELD_S[1]:
                problems.append(f"capture: windows go beyond the budget: {text}")
    if unread and not 0 < lost <= MOST_LOST:
        problems.append(f"capture: {lost} launches were lost to windows that brought nothing, at most {MOST_LOST} may be")
    if untimed > counted + passed + lost or passed > MOST_FREE * (opened + unread_windows) + counted:
        problems.append(f"capture: {untimed} launches have no time, {counted} were counted, {passed} passed in {opened} windows")
    return problems


def check_times(case, capture, complete):
    """Every launch but those whose counters were taken has a time of its own, and none has the time of a launch that was counted."""
    program = capture.get("program")
    if not program: # nothing used CUDA
        return []
    untimed = sum(process["untimed"] + process["lost"] for process in program["processes"])
    problems = []
    if complete and not case.under_way:
        problems += check_windows([entry["text"] for entry in capture["log"]], untimed, case.unread, case.waits)
    for kernel in capture["kernels"] if STAND_INS and case.ns else []:
        if not kernel["duration_s"]:  # it has no launch that was not counted
            continue
        longest = round(1e9 * kernel["duration_s"]["max"])
        if kernel["name"].startswith("void work") and longest != case.ns:
            problems.append(f"capture: {kernel['name']} took up to {longest} ns, not {case.ns}")
    return problems


def reports(run):
    """Of sanitizers, and of the stand-in when the injected part waits for ever; also from runs whose output nobody sees. Of each kind the first."""
    found = {}
    for name in sorted(os.listdir(run.base)):
        if name.startswith(("sanitizer.", "hangs")):
            text = pathlib.Path(run.base, name).read_text(errors="replace")
            for summary in [line for line in text.splitlines() if line.startswith("SUMMARY: ")] or [name]:
                found.setdefault(summary, text)
    return [f"{summary}\n{text[:3000]}" for summary, text in found.items()]


def try_case(case):
    plain = observed = None
    try:
        plain = execute(case, False)
        observed = execute(case, True)
        if plain.status == 77:
            return "skipped", ["no CUDA here: " + short(plain.err)], plain, observed
        judge = case.judge or (lambda *_: None)
        special = judge(case, plain, observed)
        problems = special if special is not None else compare(case, plain, observed)
        if special is None and not plain.hung and not observed.hung:
            problems += check_capture(case, plain, observed)
            problems += check_budget(case, plain, observed, execute) if is_judged(case) and not problems else []
        problems += reports(plain) + reports(observed)
        return ("FAILED" if problems else "ok"), problems, plain, observed
    except Exception:
        return "FAILED", ["the test itself: " + traceback.format_exc()], plain, observed
    finally:
        kill_others()
        for run in (plain, observed):
            if run:
                shutil.rmtree(run.base, ignore_errors=True)


def work(name):
    case = next(case for case in CASES if case.name == name)
    if not case.possible():
        return name, "skipped", ["not possible for this user"], 0, 0
    for _ in range(REPEAT if case.races else 1):
        verdict, problems, plain, observed = try_case(case)
        if verdict != "ok":
            break
    return name, verdict, problems, plain.wall_s if plain else 0, observed.wall_s if observed else 0


def become_reaper():
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def select_cases(arguments):
    chosen = [case for case in cases.all_cases() if not arguments.names or any(part in case.name for part in arguments.names)]
    if not STAND_INS:
        chosen = [case for case in chosen if case.card]
    if arguments.wrap:
        chosen = [case for case in chosen if case.wrappable]
    if arguments.sanitized:
        chosen = [case for case in chosen if case.sanitized]
    return chosen


def results(jobs):
    """Of all cases, some at a time, and those that keep processors busy one at a time: the time that they take is to be theirs."""
    for large in (False, True):
        with multiprocessing.get_context("fork").Pool(1 if large else jobs, become_reaper) as pool:
            yield from pool.imap_unordered(work, [case.name for case in CASES if case.large == large], 1)


def main():
    global ROOFLIGHT, BUILD, TORTURE, STAND_INS, REPEAT, WRAP, SANITIZED, REPLAY, CASES, SCRATCH, GDB, PATIENCE_S
    parser = argparse.ArgumentParser()
    parser.add_argument("--rooflight", required=True)
    parser.add_argument("--build", required=True)
    parser.add_argument("--stand-ins")
    parser.add_argument("--jobs", type=int, default=4)  # most of their time they wait
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--wrap", default="")
    parser.add_argument("--replay", default="", choices=("", "rotate", "none"))
    parser.add_argument("--patience", type=float, default=20)
    parser.add_argument("--sanitized", action="store_true")
    parser.add_argument("--gdb", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    if not arguments.stand_ins and not os.path.exists("/dev/nvidiactl"):
        print("SKIPPED: no GPU")
        return 77
    ROOFLIGHT, BUILD = os.path.abspath(arguments.rooflight), os.path.abspath(arguments.build)
    STAND_INS = arguments.stand_ins and os.path.abspath(arguments.stand_ins)
    TORTURE = os.path.join(BUILD, "torture" if STAND_INS else "torture_card")
    REPEAT, WRAP, SANITIZED, PATIENCE_S = arguments.repeat, shlex.split(arguments.wrap), arguments.sanitized, arguments.patience
    REPLAY = ["--replay", arguments.replay] if arguments.replay else []
    GDB = shutil.which("gdb") if arguments.gdb else None
    CASES = select_cases(arguments)
    if arguments.list:
        print("\n".join(case.name for case in CASES))
        return 0
    failed = done = 0
    with tempfile.TemporaryDirectory() as scratch:
        SCRATCH = scratch
        os.chmod(scratch, 0o755)
        for name, verdict, problems, plain_s, observed_s in results(arguments.jobs):
            done += verdict == "ok"
            failed += verdict == "FAILED"
            print(f"{verdict:7} {name}: {plain_s:.2f} s, observed {observed_s:.2f} s", flush=True)
            for problem in problems:
                print("        " + problem.replace("\n", "\n        "), flush=True)
    print(f"{done} passed, {failed} failed, {len(CASES) - done - failed} skipped")
    return 1 if failed else 77 if not done else 0


if __name__ == "__main__":
    sys.exit(main())
