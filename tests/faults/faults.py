"""Every command, with a fault at every system call: the old file or the new one, whole, never neither.

    faults.py --program PROGRAM --faults FAULTS --list LIST_FILES --captures DIR --samples DIR --work DIR [--check CHECK_STAND_IN]
              [--suite SUITE_STAND_IN] [--observe PROGRAM --stand-ins DIR] [--all | --most N] [--seconds S] [--part K/N] [NAME ...]
                              NAME: of a row of commands_of; exit status 0 passed, 1 failed, 77 the kernel hands no calls over

FAULTS (faults.c) fails the n-th call, or ends the process there, for n = 1, 2, ... until there are no more calls. Of many calls
some are tried, spread over all of them; --all tries each one, which takes minutes, --most N that many of each kind; with --seconds S
they are tried in a random order, the same each time, and no command begins another one after that time; with --part K/N every N-th of
them, from the K-th. gnuplot is run once for each program, and what it drew is kept. LIST_FILES (tests/cli/list_files.c) says which commands there are and which options
write: each must be in a row.
"""
import argparse
import hashlib
import os
import pathlib
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

CANNOT_TRY = 77
ERRORS = ("ENOSPC", "EIO", "EINTR", "EACCES", "ENOMEM", "short")
GONE_ON_WITH = ("read", "write", "close", "poll", "ppoll", "wait4", "waitid", "epoll_wait", "clock_nanosleep")  # after EINTR
SIGNALS = ("TERM", "INT", "HUP", "QUIT", "ALRM", "SEGV", "ABRT", "USR1", "XCPU", "RTMIN", "PIPE", "XFSZ")
SURVIVED = ("PIPE", "XFSZ")
TEMPORARY = re.compile(r"rooflight-[0-9a-f]{24}$")
OLD = b"an old file\n"


class Command:
    """`outputs`: files that it writes. `most`: how many calls are tried, of each kind of fault. `exact`: the same run gives the same
    bytes; else it is enough that they are whole. `children`: it has some, which meet faults in its place. `own`: lines on standard
    error that are not ours. `status`: without a fault. `fresh`: there is nothing yet where it
    writes. `again`: what is run after it was killed, in its place. `passes_on`: signals are those of a
    program that it observes, and end nothing where that has ended."""

    def __init__(self, name, words, outputs, *, most=2, exact=True, children=False, prepare=None, program=None, environment=None,
                 own=(), status=0, fresh=False, again=None, passes_on=False):
        self.name, self.words, self.outputs, self.most, self.exact, self.children = name, words, outputs, most, exact, children
        self.prepare, self.program, self.environment, self.own = prepare, program, environment or {}, own
        self.again, self.passes_on = again, passes_on
        self.status, self.fresh = status, fresh


class Bench:
    def __init__(self, arguments, folder):
        self.program, self.tool, self.all = arguments.program.resolve(), arguments.faults.resolve(), arguments.all
        self.most, self.seconds, (self.part, self.parts) = arguments.most, arguments.seconds, arguments.part
        self.folder, self.captures = folder, arguments.captures.resolve()
        self.shared, self.faults, self.runs = folder / "shared", [], 0
        self.work, self.tmp = folder / "work", folder / "tmp"
        self.tmp.mkdir()
        self.bin = folder / "bin"
        self.bin.mkdir()
        self.record_gnuplot(arguments.work.resolve())

    def record_gnuplot(self, where):
        """What gnuplot drew for a program is kept: it costs much more than what is tried here."""
        where.mkdir(parents=True, exist_ok=True)
        stub = self.bin / "gnuplot"
        real = shutil.which("gnuplot") or "/usr/bin/gnuplot"
        stub.write_text(f'#!/bin/sh\n[ -f charts.gp ] || exec {real} "$@"\nkept={where}/$(cat ./* | cksum | tr " " -)\n'
                        f'[ -f "$kept" ] || {{ {real} "$@" > "$kept.$$" && mv "$kept.$$" "$kept"; }}\nexec cat "$kept"\n')
        stub.chmod(0o755)

    def lay_out(self, command, old):
        """Inputs, and with `old` files in the place of the outputs."""
        shutil.rmtree(self.work, ignore_errors=True)
        shutil.copytree(self.folder / "inputs", self.work)
        if command.prepare:
            command.prepare(self.work)
        for output in command.outputs:
            if old:
                (self.work / output).parent.mkdir(exist_ok=True)
                (self.work / output).write_bytes(OLD)
        self.before = {path: path.read_bytes() for path in self.files() if self.name(path) not in command.outputs}

    def name(self, path):
        return str(path.relative_to(self.work))

    def files(self):
        return [path for path in self.work.rglob("*") if path.is_file() and not path.is_symlink()]

    def temporaries(self):
        return [path for path in self.work.rglob("*") if TEMPORARY.search(path.name)] + list(self.tmp.iterdir())

    def run(self, command, how=None, at=0):
        """One run with a fault; its status, what it said, and whether the fault was met where."""
        self.runs += 1
        environment = {"PATH": f"{self.bin}:/usr/bin:/bin", "HOME": str(self.folder), "LC_ALL": "C.UTF-8", "TMPDIR": str(self.tmp),
                       "SOURCE_DATE_EPOCH": "1000000000", **command.environment}
        words = [command.program or self.program, *command.words]
        if how:
            self.shared.write_bytes(bytes(4096))
            words = [self.tool, how, str(at), self.shared, *words]
        done = subprocess.run(words, cwd=self.work, env=environment, capture_output=True, timeout=120, check=False)
        said = done.stderr.decode(errors="replace")
        if not how:
            return done.returncode, said, False
        if done.returncode == CANNOT_TRY:
            print("the kernel hands no calls over")
            raise SystemExit(CANNOT_TRY)
        self.calls, fired, in_child, unknown, status, name = struct.unpack("IIIii32s", self.shared.read_bytes()[:52])
        self.call, self.in_child = name.rstrip(b"\0").decode(), bool(in_child)
        said_so = f"{command.name}: faults.c has no row for the call of number {unknown}"
        if unknown >= 0 and said_so not in self.faults:
            self.faults.append(said_so)
        return os.waitstatus_to_exitcode(status), said, bool(fired)

    def complain(self, what):
        self.faults.append(f"{self.at}: {what}")

    # ---- what must hold ----

    def whole(self, command, output):
        """Whether the file is the new one: byte for byte, or, where two runs differ, to its end."""
        path = self.work / output
        if command.exact:
            return path.read_bytes() == self.expected[output]
        if output.endswith(".pdf"):
            return path.read_bytes().startswith(b"%PDF-") and path.read_bytes().rstrip().endswith(b"%%EOF")
        return subprocess.run([self.program, "show", path], capture_output=True, timeout=60, check=False).returncode == 0

    def check_files(self, command, old, must_be_new):
        for output in command.outputs:
            path = self.work / output
            there = path.exists()
            if must_be_new and not there:
                self.complain(f"{output} is missing, and the status is 0")
            elif there and not (self.whole(command, output) or (old and not must_be_new and path.read_bytes() == OLD)):
                self.complain(f"{output} is neither the old file nor the new one ({path.stat().st_size} bytes)")
            elif old and not there:
                self.complain(f"{output} is gone")
        for path, content in self.before.items():
            if not path.exists() or path.read_bytes() != content:
                self.complain(f"the input {self.name(path)} is not as it was")

    def check_clean(self, wait=False):
        """Children that end because their parent did take a moment."""
        deadline = time.monotonic() + (10 if wait else 0)
        while self.temporaries() and time.monotonic() < deadline:
            time.sleep(0.02)
        for path in self.temporaries():
            self.complain(f"{path.relative_to(self.folder)} is left")

    def check_error(self, command, old, how, status, said):
        goes_on = how in ("EINTR", "short") and self.call in GONE_ON_WITH and "libharu" not in said  # whose reads are its own
        if goes_on and status != command.status:
            self.complain(f"what only has to be gone on with ends it: status {status}, says {said!r}")
        lines = [line for line in said.splitlines() if line not in command.own]
        if how == "ENOMEM" and status == -signal.SIGABRT and lines == ["rooflight: out of memory"]:
            status = 1
        told = lines and all(line.startswith("rooflight: ") for line in lines)
        if status not in (command.status, 1) or (status == 1 and not told):
            self.complain(f"status {status}, says {said!r}")
        if status == 1 and len(lines) > 1 and not command.children:
            self.complain(f"says more than one line: {said!r}")
        self.check_files(command, old, status == command.status)
        self.check_clean()

    def is_at_work(self, number):
        try:
            return pathlib.Path(f"/proc/{number}/cwd").readlink() == self.work
        except OSError:
            return False  # it has ended, or is another's

    def wait_for_children(self):
        """Those of a process that was killed end because it did, which takes a moment; what they still held goes after that."""
        deadline = time.monotonic() + 10
        while any(self.is_at_work(name) for name in os.listdir("/proc") if name.isdigit()) and time.monotonic() < deadline:
            time.sleep(0.02)

    def check_killed(self, command, old):
        """What is left goes with the next run."""
        self.check_files(command, old, False)
        if self.temporaries() or self.all:
            self.wait_for_children()
            if command.again:  # what is left there goes, also where it is refused because captures are there
                status, said, _ = self.run(command)
                if status not in (command.status, 2):
                    self.complain(f"the same again: status {status}, says {said!r}")
            status, said, _ = self.run(command.again or command)
            if status != command.status:
                self.complain(f"the next run: status {status}, says {said!r}")
            self.check_files(command, not command.again, status == command.status and not command.again)
            self.check_clean()

    def check_signal(self, command, old, number, status):
        survived = number in [signal.Signals[f"SIG{name}"] for name in SURVIVED]
        elsewhere = self.in_child or command.passes_on
        allowed = {command.status if survived else -number}
        if elsewhere and not survived or self.in_child:  # a child is not ours any more when it has what was ignored before
            allowed |= {command.status, 1, -number}
        if status not in allowed:
            self.complain(f"status {status}")
        self.check_files(command, old, survived and status == command.status)
        self.check_clean(wait=elsewhere)

    # ---- all faults of a command ----

    def places(self, command, how):
        """At which calls; which ones are left out differs between the kinds."""
        self.run(command, how, 1 << 30)
        count, step, most = self.calls, 1, self.most or command.most
        if count > most and not self.all:
            step = count // most + 1
        start = 1 + int(hashlib.sha256(f"{command.name} {how}".encode()).hexdigest(), 16) % step
        return range(start, count + 1, step)

    def all_places(self, command):
        found = []
        for how in (*ERRORS, "kill", "signal"):
            self.lay_out(command, False)
            found += [(how, at) for at in self.places(command, how if how in ERRORS else "15")]
        if self.seconds:
            random.Random(command.name).shuffle(found)
        return found[self.part - 1::self.parts]

    def try_place(self, command, how, at):
        """Where a call stands among all of them changes with time in commands that wait for others. A complaint that does not come
        again at the same place is told of, and decides nothing: to find these is for trying all places."""
        before = len(self.faults)
        self.try_once(command, how, at)
        once = self.faults[before:]
        if once and not self.all:
            del self.faults[before:]
            self.try_once(command, how, at)
            if len(self.faults) == before:
                print("\n".join(f"not repeated: {complaint}" for complaint in once))

    def try_once(self, command, how, at):
        old = at % 2 == 0 and not command.fresh
        kind = how
        if how == "signal":
            kind = str(int(signal.Signals[f"SIG{SIGNALS[at % len(SIGNALS)]}"]))
        elif how == "kill":
            kind = str(int(signal.SIGKILL))
        self.lay_out(command, old)
        status, said, fired = self.run(command, kind, at)
        self.at = f"{command.name}, {how if how != 'signal' else 'signal ' + kind} at call {at} ({self.call})"
        if not fired:
            return
        if how == "kill":
            if status != -signal.SIGKILL and not self.in_child:
                self.complain(f"status {status}")
            self.check_killed(command, old)
        elif how == "signal":
            self.check_signal(command, old, int(kind), status)
        else:
            self.check_error(command, old, how, status, said)
        for path in self.temporaries():  # not to be told of twice
            shutil.rmtree(path) if path.is_dir() else path.unlink()

    def try_command(self, command):
        began, runs = time.monotonic(), self.runs
        self.at = command.name
        self.lay_out(command, False)
        status, said, _ = self.run(command)
        if status != command.status:
            self.complain(f"without a fault: status {status}, says {said!r}")
            return
        self.expected = {output: (self.work / output).read_bytes() for output in command.outputs}
        places, tried = self.all_places(command), 0
        for how, at in places:
            if self.seconds and time.monotonic() > began + self.seconds:
                break
            self.try_place(command, how, at)
            tried += 1
        print(f"{command.name}: {tried} of {len(places)} places, {self.runs - runs} runs, {time.monotonic() - began:.1f} s", flush=True)


def split_fleet(work):
    (work / "caps").mkdir()
    for name in ("normal", "after"):
        shutil.move(work / f"{name}.rlcap", work / "caps")


def commands_of_reports():
    return [
        Command("extract", ["extract", "-q", "--output", "out.rlcap", "in.pdf"], ["out.rlcap"]),
        Command("report", ["report", "-q", "--only", "cover,roofline", "--notes", "notes.md", "--output", "out.pdf",
                           "normal.rlcap"], ["out.pdf"]),
        Command("charts", ["report", "-q", "--only", "roofline", "--charts", "charts", "-o", "out.pdf", "normal.rlcap"],
                ["out.pdf", "charts/roofline-1.svg"], most=2),
        Command("redacted", ["report", "-q", "--only", "cover", "--redact", "-o", "out.pdf", "normal.rlcap"],
                ["out.pdf"], most=2),
        Command("compare", ["compare", "-q", "--output", "out.pdf", "normal.rlcap", "after.rlcap"], ["out.pdf"], most=2),
        Command("fleet", ["compare", "-q", "--fleet", "-o", "out.pdf", "caps"],
                ["out.pdf"], most=2, exact=False, children=True, prepare=split_fleet),
    ]


def commands_of_collectors(arguments):
    found, capture = [], str(arguments.samples.resolve() / "h200.rlcap")
    if arguments.check:
        found += [
            Command("check", ["check", "--output", "out.rlcap"], ["out.rlcap"], program=arguments.check.resolve(),
                    environment={"CHECK_CAPTURE": capture}),
            Command("gpus", ["collect", "-q", "--gpu", "0,1", "--output", "many/%g.rlcap"],
                    ["many/0.rlcap", "many/1.rlcap"], most=2, exact=False, children=True, program=arguments.check.resolve(),
                    environment={"COLLECT_CAPTURE": capture}),
        ]
    if arguments.suite:
        words = ["collect", "-q", "-o", "out.rlcap", "--ceilings", "none", "coalescing/stride_1", "ilp"]
        found.append(Command("suite", words, ["out.rlcap"], exact=False, children=True, program=arguments.suite.resolve()))
    if arguments.observe:
        here, observed = str(arguments.stand_ins.resolve()), [arguments.observe.resolve(), "many", "200", "4"]
        environment = {"LD_LIBRARY_PATH": here, "ROOFLIGHT_CUPTI_DIR": here}
        runs = [["compare", "-q", "--run", "--sessions", "1", "--warm-up", "none", "--captures", folder, "--", *observed, "--", *observed]
                for folder in ("caps", "more")]
        found += [
            Command("collect", ["collect", "-q", "-o", "out.rlcap", "--", *observed], ["out.rlcap"], exact=False, children=True,
                    own=("err", "out"), environment=environment, passes_on=True),
            Command("run", runs[0], ["caps/base-1.rlcap", "caps/new-1.rlcap"], most=2, exact=False, children=True, fresh=True,
                    own=("err", "out"), environment=environment, passes_on=True, again=Command("run", runs[1], [], environment=environment)),
        ]
    return found


def commands_of(arguments):
    # CUPTI's own calls are not ours, and loading it costs more than all the rest.
    small = {"ROOFLIGHT_CUPTI_DIR": str(arguments.stand_ins.resolve())} if arguments.stand_ins else {}
    found = [
        Command("doctor", ["doctor"], [], most=2, environment=small),
        Command("list", ["list", "metrics"], [], most=1),
        Command("import", ["import", "-q", "--output", "out.rlcap", "in.csv"], ["out.rlcap"], exact=False),
        Command("show", ["show", "normal.rlcap"], []),
        Command("show to a file", ["show", "-q", "--output", "out.json", "normal.rlcap"], ["out.json"], most=2),
        Command("gate", ["compare", "-q", "--fail-on", "default", "--junit", "out.xml", "normal.rlcap", "after.rlcap"], ["out.xml"], status=3),
    ]
    return found + ([] if arguments.no_reports else commands_of_reports()) + commands_of_collectors(arguments)


def find_left_out(arguments, commands):
    """Commands that no row runs, and options that write and are in no row; --captures only where a program can be observed."""
    listed = subprocess.run([arguments.list.resolve()], capture_output=True, text=True, timeout=60, check=True).stdout
    words = {(command.words[0], word) for command in commands for word in command.words}
    helped = subprocess.run([arguments.program.resolve(), "help"], capture_output=True, text=True, timeout=60, check=True).stdout
    built = {line.split()[0] for line in helped.splitlines() if line.startswith("  ")}
    for line in listed.splitlines():
        name, does, option, *_ = line.split()
        wanted = name if does == "needs" else option if does in ("writes", "grows", "fills") else name
        if name in built and (name, wanted) not in words and (wanted != "--captures" or arguments.observe):
            yield f"{name} {option if does != 'needs' else ''}: no row of commands_of has it"


def make_inputs(bench, arguments):
    inputs = bench.folder / "inputs"
    inputs.mkdir()
    for name in ("normal", "after", "again"):
        shutil.copy(bench.captures / f"{name}.rlcap", inputs)
    (inputs / "notes.md").write_text("# Notes\n\nA note.\n")
    (inputs / "in.csv").write_text('"ID","Kernel Name","Block Size","Grid Size","Metric Name","Metric Unit","Metric Value"\n'
                                   '"0","k(int)","(256, 1, 1)","(8, 1, 1)","dram__bytes_read.sum","Mbyte","100"\n')
    bench.work.mkdir()
    if not arguments.no_reports:
        status, said, _ = bench.run(Command("", ["report", "-q", "-o", inputs / "in.pdf", inputs / "normal.rlcap"], []))
        if status != 0:
            raise SystemExit(f"an input could not be made: {said}")


def take_signals():
    """Whoever runs this may ignore some of them (nohup, a job in the background), which its children would, too."""
    for name in SIGNALS:
        number = signal.Signals[f"SIG{name}"]
        if name not in SURVIVED and signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)


def part(text):
    number, of = (int(word) for word in text.split("/"))
    if not 1 <= number <= of:
        raise ValueError
    return number, of


def main():
    take_signals()
    parser = argparse.ArgumentParser(description="A fault at every call of the system: see the head of this file.")
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--faults", type=pathlib.Path, required=True)
    parser.add_argument("--list", type=pathlib.Path, required=True)
    parser.add_argument("--captures", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True, help="where drawings are kept")
    parser.add_argument("--samples", type=pathlib.Path, required=True)
    parser.add_argument("--check", type=pathlib.Path)
    parser.add_argument("--suite", type=pathlib.Path)
    parser.add_argument("--observe", type=pathlib.Path)
    parser.add_argument("--stand-ins", type=pathlib.Path)
    parser.add_argument("--no-reports", action="store_true", help="the build has none")
    parser.add_argument("--all", action="store_true", help="every call")
    parser.add_argument("--most", type=int, default=0, help="calls of each kind of fault")
    parser.add_argument("--seconds", type=float, default=0, help="of each command; 0: to the end")
    parser.add_argument("--part", type=part, default=(1, 1), metavar="K/N", help="every N-th place of each command, from the K-th")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # where fsync costs nothing, and fails only if it is made to
    with tempfile.TemporaryDirectory(prefix="rooflight-faults-", dir=memory) as name:
        bench = Bench(arguments, pathlib.Path(name).resolve())
        make_inputs(bench, arguments)
        commands = commands_of(arguments)
        bench.faults += find_left_out(arguments, commands)
        for command in commands:
            if not arguments.names or command.name in arguments.names:
                bench.try_command(command)
    print("\n".join(bench.faults) or f"{bench.runs} runs: the old file or the new one, always")
    return bool(bench.faults)


if __name__ == "__main__":
    sys.exit(main())
