"""Command tests: a case is a transcript of commands and of what they must say.

    run.py --program PROGRAM --captures DIR [--update] CASE ...     exit status 0 passed, 1 failed, 77 cannot be tried here
    run.py ... --errors-at COLUMNS CASE ...     the same with a terminal of so many columns as standard error: every line fits it unless it is one
                                                word, the words are those of the case, and there is no escape sequence (TERM=dumb)

A case is a file of lines:

    # a comment; the first one says what is tested
    @ requires WORD        try it only where it applies: collector, no-collector, reports, no-reports, driver, no-driver,
                           (in a build with the collector), cupti, all-kernels (those that the build's cards or toolkit
                           cannot do say so in listings)
    $ COMMAND              run by sh in an empty folder that holds copies of the captures; `rooflight` is the program under test, $SAMPLES
                           the folder of recorded captures
    $tty COMMAND           the same with a terminal of 80 columns as standard output
    | text                 a line of standard output; `|~ text` has the wildcards * ? [..]; `|*` is any number of lines
    ! text                 the same for standard error
    = N                    exit status, 0 when it is not said

Standard output must be UTF-8; a control character in it appears as its picture (ESC as U+241B). What differs between machines is
replaced before comparing: see `NORMAL`. `--update` writes what was said into the case; wildcards that fit stay.
"""
import argparse
import difflib
import fcntl
import fnmatch
import glob
import json
import os
import pathlib
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import threading

SOURCE = pathlib.Path(__file__).resolve().parents[2]
TIMEOUT_S = 120
CANNOT_TRY = 77


class Step:
    """One command and what is expected of it. `out` and `err` are expectations: (kind, text) with kind "=", "~" or "*"."""

    def __init__(self, command, terminal):
        self.command, self.terminal = command, terminal
        self.out, self.err, self.status = [], [], 0


    def is_seen_on_errors(self):
        """Whether it says something on standard error, or leaves something behind that another step may need."""
        return bool(self.err) or not re.fullmatch(r"rooflight (?:show|list|compare|help|doctor)\b[^>;&`]*", self.command) or \
            re.search(r" (?:-o|--output|--junit|--captures|--run)\b| tee ", self.command)


class Case:
    """`layout` keeps comments and blank lines where they are: each item is a line, or a Step."""

    def __init__(self, path):
        self.path, self.requires, self.layout = path, [], []
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            self.parse(line, number)

    def steps(self):
        return [item for item in self.layout if isinstance(item, Step)]

    def parse(self, line, number):
        mark, rest = line[:1], line[1:]
        if mark == "$":
            terminal = rest.startswith("tty ")
            self.layout.append(Step(rest[4 if terminal else 1:], terminal))
        elif mark in "|!=" and mark:
            if not self.steps():
                raise SystemExit(f"{self.path}:{number}: an expectation before any command")
            self.expect(self.steps()[-1], mark, rest)
        elif mark in ("", "#", "@"):
            self.layout.append(line)
            self.requires += rest.split()[1:] if mark == "@" else []
        else:
            raise SystemExit(f"{self.path}:{number}: '{mark}' begins no line of a case")

    @staticmethod
    def expect(step, mark, rest):
        if mark == "=":
            step.status = int(rest)
            return
        kind = rest[0] if rest[:1] in ("~", "*") else "="
        text = rest if kind == "=" else rest[1:]
        (step.out if mark == "|" else step.err).append((kind, text.removeprefix(" ")))

    def trim_to_errors(self):
        """Drops what follows the last command that says something on standard error, for nothing there is to be seen; whether one does."""
        last = max((index for index, item in enumerate(self.layout) if isinstance(item, Step) and item.err), default=-1)
        del self.layout[last + 1:]
        return last >= 0

    def text(self):
        lines = []
        for item in self.layout:
            lines += self.written(item) if isinstance(item, Step) else [item]
        return "\n".join(lines) + "\n"

    @staticmethod
    def written(step):
        lines = [f"$tty {step.command}" if step.terminal else f"$ {step.command}"]
        for mark, expectations in (("|", step.out), ("!", step.err)):
            for kind, text in expectations:
                lines.append((mark + kind.replace("=", "") + (" " + text if kind != "*" else "")).rstrip())
        return lines + ([f"= {step.status}"] if step.status else [])


# ---- what is said ----

def pictured(text):
    """Control characters but line breaks as pictures, so that a golden holds none and none goes unnoticed."""
    return "".join(chr(0x2400 + ord(c)) if ord(c) < 32 and c != "\n" else "␡" if ord(c) == 127 else c for c in text)


def NORMAL(scratch, version):
    """Patterns that differ between machines or releases, and what stands for them."""
    return [
        (re.escape(str(scratch)), "SCRATCH"),
        (re.escape(str(SOURCE)), "SOURCE"),
        (r"\b[0-9a-f]{64}\b", "SHA256"),
        (rf'(?<=rooflight ){re.escape(version)}\b|(?<="tool_version": "){re.escape(version)}(?=")', "VERSION"),
        (rf"\b{os.uname().sysname} {os.uname().machine}\b", "SYSTEM"),
    ]


def normal(data, patterns):
    text = data.decode("utf-8")
    for pattern, token in patterns:
        text = re.sub(pattern, token, text)
    lines = pictured(text).split("\n")
    if lines[-1] == "":
        lines.pop()
    elif lines:
        lines[-1] += "␄"  # no line break at the end
    return [line.rstrip(" ") for line in lines]


def fits(expectations, lines):
    """Whether the lines are as expected: what stands between two "*" must be there in this order, at both ends without a gap."""
    runs = [[]]
    for kind, text in expectations:
        if kind == "*":
            runs.append([])
        else:
            runs[-1].append((kind, text))
    head, *middle, tail = runs if len(runs) > 1 else (runs[0], [])
    if len(lines) < len(head) + len(tail) or (len(runs) == 1 and len(lines) != len(head)):
        return False
    end = len(lines) - len(tail)
    at = len(head)
    for run_ in middle:
        at = next((start + len(run_) for start in range(at, end - len(run_) + 1) if same(run_, lines[start:])), None)
        if at is None:
            return False
    return same(head, lines) and same(tail, lines[end:])


def same(expectations, lines):
    """Whether each expectation fits the line at its place; more lines may follow."""
    return all(fnmatch.fnmatchcase(line, text) if kind == "~" else line == text for (kind, text), line in zip(expectations, lines))


def fits_as_words(expectations, lines):
    """Whether the words are as expected, wherever lines end."""
    forms = {"=": glob.escape, "~": lambda text: text, "*": lambda text: "*"}
    return fnmatch.fnmatchcase(" ".join(" ".join(lines).split()), " ".join(" ".join(forms[kind](text) for kind, text in expectations).split()))


def too_wide(lines, columns):
    """Lines that do not fit, but for the indentation of one word; what ls says is not ours."""
    return [line for line in lines if len(line) > columns and len(line.split()) > 1 and not line.startswith("ls: ")]


def difference(expectations, lines):
    """A short account of where the lines are not as expected."""
    expected = [text if kind == "=" else f"({kind}) {text}" for kind, text in expectations]
    return [f"    {line}" for line in list(difflib.unified_diff(expected, lines, lineterm="", n=1))[2:]]


# ---- running ----

def open_terminal(columns=80):
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    attributes = termios.tcgetattr(slave)
    attributes[1] &= ~termios.OPOST  # line breaks as they were written
    termios.tcsetattr(slave, termios.TCSANOW, attributes)
    return master, slave


def read_terminal(master, chunks):
    while True:
        try:
            chunk = os.read(master, 65536)
        except OSError:
            return  # the other end was closed
        if not chunk:
            return
        chunks.append(chunk)


class Stream:
    """What a command writes, to a pipe or to a terminal of so many columns."""

    def __init__(self, columns):
        self.chunks, self.columns, self.end = [], columns, subprocess.PIPE
        if columns:
            self.master, self.end = open_terminal(columns)
            self.reader = threading.Thread(target=read_terminal, args=(self.master, self.chunks))
            self.reader.start()

    def finish(self, piped):
        if not self.columns:
            return piped
        os.close(self.end)
        self.reader.join(TIMEOUT_S)
        os.close(self.master)
        return b"".join(self.chunks)


def run(step, folder, environment, error_columns=0):
    """(standard output, standard error, exit status)"""
    out, err = Stream(80 if step.terminal else 0), Stream(error_columns)
    environment = environment | ({"TERM": "xterm"} if step.terminal else {})
    done = subprocess.run(["sh", "-c", step.command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=out.end, stderr=err.end,
                          timeout=TIMEOUT_S, check=False)
    return out.finish(done.stdout), err.finish(done.stderr), done.returncode


def environment_of(program, scratch):
    kept = {name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS") or name.startswith(("LD_LIBRARY_PATH", "RL_MUTANT"))}
    return kept | {"PATH": f"{program.parent}:/usr/local/bin:/usr/bin:/bin", "HOME": str(scratch), "LC_ALL": "C.UTF-8",
                   "TMPDIR": str(scratch / "tmp"), "TERM": "dumb", "SAMPLES": str(SOURCE / "samples")}


class Bench:
    """The program under test, the captures, and what the program can do here."""

    def __init__(self, program, captures, update, error_columns=0):
        self.program, self.captures, self.update, self.error_columns = program, captures, update, error_columns
        self.version = self.said("--version").split()[1]

    def said(self, *arguments):
        return subprocess.run([self.program, *arguments], capture_output=True, text=True, check=True, timeout=TIMEOUT_S).stdout

    def has(self, word):
        """Whether a word of `@ requires` applies."""
        if word == "cupti":
            return any(chip["served_by"] for chip in json.loads(self.said("list", "chips", "--json")))
        if word == "all-kernels":
            return not any(variant["not_built"] for experiment in json.loads(self.said("list", "kernels", "--json"))
                           for variant in experiment["variants"])
        part = word.removeprefix("no-")
        if part not in ("collector", "reports", "driver"):
            raise SystemExit(f"'@ requires {word}': there is no such thing to require")
        checks = json.loads(self.said("doctor", "--json"))["checks"]
        absent = any(check["name"] == part and check["status"] == "missing" for check in checks)
        return absent == word.startswith("no-")

    def try_step(self, step, folder, environment, patterns):
        """Faults of one step as lines of text."""
        out, err, status = run(step, folder, environment, self.error_columns)
        wide = too_wide(err.decode("utf-8", "replace").splitlines(), self.error_columns) if self.error_columns else []
        try:
            out, err = normal(out, patterns), normal(err, patterns)
        except UnicodeDecodeError as error:
            return [f"$ {step.command}", f"  said what is not UTF-8: {error}"]
        faults = []
        faults += [f"$ {step.command}", *(f"  too wide: {line}" for line in wide)] if wide else []
        for name, expected, lines, fit in (("output", step.out, out, fits), ("error output", step.err, err, fits_as_words if self.error_columns else fits)):
            if not fit(expected, lines):
                faults += [f"$ {step.command}", f"  standard {name}, - expected, + said:", *difference(expected, lines)]
        if status != step.status:
            faults += [f"$ {step.command}", f"  exit status {status}, expected {step.status}"]
        if self.update:
            step.out = step.out if fits(step.out, out) else [("=", line) for line in out]
            step.err = step.err if fits(step.err, err) else [("=", line) for line in err]
            step.status = status
        return faults

    def try_case(self, case):
        with tempfile.TemporaryDirectory(prefix="rooflight-cli-") as name:
            scratch = pathlib.Path(name)
            (scratch / "tmp").mkdir()
            (scratch / "work").mkdir()
            (self.captures.parent / "cache").mkdir(exist_ok=True)
            for capture in self.captures.glob("*.rlcap"):
                shutil.copy(capture, scratch / "work")
            environment, patterns = environment_of(self.program, scratch), NORMAL(scratch, self.version)
            environment["XDG_CACHE_HOME"] = str(self.captures.resolve().parent / "cache")  # packing counters takes seconds
            faults = []
            for step in case.steps() if not self.error_columns else filter(Step.is_seen_on_errors, case.steps()):
                faults += self.try_step(step, scratch / "work", environment, patterns)
        if self.update and faults:
            case.path.write_text(case.text(), encoding="utf-8")
        return faults


def main():
    parser = argparse.ArgumentParser(description="Command tests: see the head of this file.")
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--captures", type=pathlib.Path, required=True)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--errors-at", type=int, default=0, metavar="COLUMNS", help="standard error is a terminal of so many columns")
    parser.add_argument("cases", type=pathlib.Path, nargs="+")
    arguments = parser.parse_args()
    bench = Bench(arguments.program.resolve(), arguments.captures.resolve(), arguments.update and not arguments.errors_at, arguments.errors_at)
    failed = skipped = 0
    for case in map(Case, arguments.cases):
        if arguments.errors_at and not case.trim_to_errors():
            continue
        absent = [word for word in case.requires if not bench.has(word)]
        if absent:
            print(f"{case.path.stem}: cannot be tried here: {', '.join(absent)}")
            skipped += 1
            continue
        faults = bench.try_case(case)
        print("\n".join([f"{case.path}: {'updated' if arguments.update else 'FAILED'}", *faults]) if faults else f"{case.path.stem}: ok")
        failed += bool(faults)
    if failed and not arguments.update:
        return 1
    return CANNOT_TRY if skipped == len(arguments.cases) else 0


if __name__ == "__main__":
    sys.exit(main())
