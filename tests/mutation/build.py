"""The build for mutation testing: a copy of the tree in a scratch folder, with mutants in its files, and the unit tests of it."""
import hashlib
import json
import os
import pathlib
import pickle
import re
import shlex
import shutil
import subprocess
import sys

from mutants import mutants_of
from schemata import number_at, render

COMPLAINT = re.compile(r"^(\S+\.c):(\d+):(\d+): error", re.M)
PER_FILE = 10000  # numbers of mutants that a file has for itself
LEFT_OUT = ("build", ".git", "*.pdf", "__pycache__")
MEMORY = 4 << 30
TIMED = '"$@" >/dev/null; status=$?; times; exit $status'
HERE = pathlib.Path(__file__).resolve().parent
# A mutant may remove, write or kill what it can reach: it reaches a file system that it cannot write, and its own processes.
CAGE = ("bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--tmpfs", "/var/tmp", "--unshare-pid",
        "--die-with-parent", "--new-session", "--chdir", "/tmp")


class Test:
    """A program of unit tests, or a transcript of commands (tests/cli). `seconds`: of processor time; `reached`: numbers of the
    mutants that it comes by."""

    def __init__(self, name, folder, program, sources, arguments=()):
        self.name, self.folder, self.program, self.arguments = name, folder, program, arguments
        self.kind = "transcripts" if folder == "cli" else "unit"
        self.seconds, self.reached, self.passes = 0.0, set(), False
        self.version = hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:16]

    def command(self, program=None):
        program = str(program or self.program)
        return [program if word == "PROGRAM" else word for word in self.arguments] or [program]


class Build:
    """`files`: names of the files that are mutated; `drop`: names of mutants that do not compile."""

    def __init__(self, source, scratch, folders, jobs, sanitize):
        self.source, self.scratch, self.folders, self.jobs, self.sanitize = source, scratch, folders, jobs, sanitize
        self.tree, self.out = scratch / "tree", scratch / "build"
        self.files = sorted(str(path.relative_to(source)) for folder in folders for path in (source / folder).glob("*.c"))
        self.text = {name: (source / name).read_text(encoding="latin-1") for name in self.files}
        self.version = {name: hashlib.sha256(text.encode("latin-1")).hexdigest()[:16] for name, text in self.text.items()}
        self.drop = set()

    # ---- the tree ----

    def copy(self):
        """Copies what has changed; files with mutants are written later, so that a second run compiles little."""
        keep = {self.tree / name for name in self.files}
        def newer(one, other):
            other = pathlib.Path(other)
            if other in keep and other.exists():
                return other
            if not other.exists() or pathlib.Path(one).read_bytes() != other.read_bytes():
                shutil.copy(one, other)
            return other
        shutil.copytree(self.source, self.tree, ignore=shutil.ignore_patterns(*LEFT_OUT), copy_function=newer, dirs_exist_ok=True)
        for folder in self.folders:  # those that are no longer there
            for path in (self.tree / folder).glob("*.c"):
                if not (self.source / path.relative_to(self.tree)).exists():
                    path.unlink()

    def configure(self):
        flags = f"-O1 -w -D_GNU_SOURCE -include {HERE / 'mutant.h'}"
        subprocess.run(["cmake", "-S", self.tree, "-B", self.out, "-G", "Ninja", "-DRL_COLLECTOR=OFF", "-DCMAKE_BUILD_TYPE=None",
                        f"-DRL_SANITIZE={'ON' if self.sanitize else 'OFF'}", f"-DCMAKE_C_FLAGS={flags}"],
                       check=True, stdout=subprocess.DEVNULL)
        commands = json.loads((self.out / "compile_commands.json").read_text())
        self.commands = {os.path.relpath(entry["file"], self.tree): entry for entry in commands}

    def find(self):
        """All mutants, by name, and their numbers. clang sees the files as they are in the source, at the place of the copy's."""
        self.mutants, self.numbers = {}, {}
        kept = self.scratch / "mutants.pickle"  # a tree takes clang and us a second
        tool = hashlib.sha256((HERE / "mutants.py").read_bytes()).hexdigest()
        old = pickle.loads(kept.read_bytes()) if kept.exists() else {}
        new = {}
        for index, name in enumerate(self.files):
            key = name, self.version[name], tool
            command = dict(self.commands[name])
            command["command"] = command["command"].replace(str(self.tree / name), str(self.source / name))
            new[key] = old[key] if key in old else mutants_of(name, self.text[name], command)
            for number, mutant in enumerate(new[key]):
                assert number < PER_FILE
                if mutant.name in self.mutants:  # of another file
                    mutant.name = hashlib.sha256(f"{name}|{mutant.name}".encode()).hexdigest()[:10]
                self.mutants[mutant.name] = mutant
                self.numbers[mutant.name] = index * PER_FILE + number
        kept.write_bytes(pickle.dumps(new))

    # ---- compiling ----

    def compile(self, chosen, tests):
        """Compiles programs of tests with the chosen mutants in; those that the compiler refuses go to `drop`."""
        targets = sorted({test.program.name for test in tests} | ({"make_captures"} if any(t.kind != "unit" for t in tests) else set()))
        for _ in range(20):
            self.write([m for m in chosen if m.name not in self.drop])
            run = subprocess.run(["ninja", "-C", self.out, f"-j{self.jobs}", "-k0", *targets], stdout=subprocess.PIPE, text=True)
            if run.returncode == 0:
                return
            before = len(self.drop)
            names = {number: name for name, number in self.numbers.items()}
            for path, line, column in COMPLAINT.findall(run.stdout):
                number = number_at(pathlib.Path(path).read_text(encoding="latin-1"), int(line), int(column))
                self.drop |= {names[number]} if number in names else set()
            if len(self.drop) == before:
                break
        raise SystemExit(f"mutate: the mutated tree does not compile:\n{run.stdout[-4000:]}")

    def write(self, chosen):
        for name in self.files:
            text = render(self.text[name], [m for m in chosen if m.file == name], self.numbers)
            path = self.tree / name
            if not path.exists() or path.read_text(encoding="latin-1") != text:
                path.write_text(text, encoding="latin-1")

    def alone(self, mutant, object_file):
        """Compiles one file with one mutant; False when the compiler refuses."""
        path = object_file.with_suffix(".c")
        text = self.text[mutant.file]
        path.write_text(text[:mutant.begin] + mutant.new + text[mutant.end:], encoding="latin-1")
        entry = self.commands[mutant.file]
        words = shlex.split(entry["command"])
        words[words.index("-o") + 1], words[words.index("-c") + 1] = str(object_file), str(path)
        words.insert(1, f"-I{self.tree / mutant.file.split('/')[0]}")
        return subprocess.run(words, cwd=entry["directory"], stderr=subprocess.DEVNULL).returncode == 0

    def link(self, test, object_file, program):
        """The test with an object in front of the library that has it."""
        name = test.program.relative_to(self.out)
        command = self.links[test.program.name].replace(f" -o {name} ", f" -o {program} {object_file} ")
        subprocess.run(command, shell=True, cwd=self.out, check=True, stdout=subprocess.DEVNULL)

    # ---- tests ----

    def list_tests(self):
        self.tests, self.links = [], {}
        for folder in self.folders:
            for source in sorted((self.source / "tests" / "unit" / folder).glob("test_*.c")):
                target = f"unit_{folder}_{source.stem}"
                self.tests.append(Test(target, folder, self.out / "tests" / target, [source]))
        for case in sorted((self.source / "tests" / "cli" / "cases").glob("*.case")):
            self.tests.append(Test(f"transcript {case.stem}", "cli", self.out / "rooflight", [case], self.transcript(case)))
        for target in {test.program.name for test in self.tests}:
            commands = subprocess.run(["ninja", "-C", self.out, "-t", "commands", target], stdout=subprocess.PIPE, text=True, check=True)
            self.links[target] = commands.stdout.strip().split("\n")[-1]

    def transcript(self, case):
        """Runner and case are those of the copy: the cage hides a tree that is below /tmp."""
        there, captures = self.tree / "tests" / "cli", self.out / "tests" / "cli" / "captures"
        return [sys.executable, "-B", str(there / "run.py"), "--program", "PROGRAM", "--captures", str(captures), str(there / "cases" / case.name)]

    def prepare(self):
        """What transcripts need: captures, and a folder for what is kept between runs."""
        captures = self.out / "tests" / "cli" / "captures"
        captures.mkdir(parents=True, exist_ok=True)
        (captures.parent / "cache").mkdir(exist_ok=True)
        subprocess.run([self.out / "tests" / "cli" / "make_captures", captures], check=True, stdout=subprocess.DEVNULL)

    def limits(self, seconds):
        """A prefix of a command: processor time, 4 GB of memory (no limit with sanitizers, whose shadow takes terabytes), no dumps."""
        memory = [] if self.sanitize else [f"--as={MEMORY}"]
        return ["prlimit", f"--cpu={seconds}:{seconds + 2}", "--core=0", f"--fsize={MEMORY}", *memory]

    def measure(self, test, seconds):
        """One run without a mutant: it must pass in the given processor time. Sets how long it takes and what it reaches."""
        trace = self.scratch / f"trace-{test.program.name}-{test.version}"
        trace.write_bytes(bytes(PER_FILE * len(self.files)))
        command = [*self.limits(seconds), *CAGE, "--bind", trace, trace, "bash", "-c", TIMED, "-", *test.command()]
        run = subprocess.run(command, env={**os.environ, "RL_MUTANT_TRACE": str(trace)}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        times = re.findall(rb"(\d+)m([\d.]+)s", run.stdout)[-2:]  # user and system, of the children
        test.seconds, test.passes = sum(60 * int(minutes) + float(rest) for minutes, rest in times), run.returncode == 0
        test.reached = {number for number, mark in enumerate(trace.read_bytes()) if mark}
        trace.unlink()
