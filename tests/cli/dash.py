"""'-' in place of every file that a command takes: standard input where it is read, standard output where it is written, or refused in one line.

    dash.py --program PROGRAM --list LIST_FILES --captures DIR --samples DIR          exit status 0 passed, 1 failed

LIST_FILES (list_files.c) says which options and operands are files; each must have a row here. What is read is given once as a file and once
through a pipe, what is written goes once to a file and once through a pipe: status, words and bytes must be the same.
"""
import argparse
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

GATE = 3
NOT_READ = "'-' is standard input, which this command does not read: give a file ('./-' is one)"
TWICE = "standard input can be read only once: give '-' once"

# Command and option ("-": operands): the file that is given, and a command line with "@" in its place.
READ = {
    ("show", "-"): ("normal.rlcap", "--csv @"),
    ("report", "-"): ("normal.rlcap", "-q --redact --pseudonyms x @ -o out.pdf"),
    ("report", "--notes"): ("notes.txt", "-q normal.rlcap --notes @ -o out.pdf"),
    ("extract", "-"): ("normal.pdf", "-q @ -o out.rlcap"),
    ("compare", "-"): ("after.rlcap", "--json normal.rlcap @"),
    ("compare", "--match"): ("map", "--json normal.rlcap after.rlcap --match @"),
    ("compare", "--notes"): ("notes.txt", "normal.rlcap after.rlcap --notes @ -o out.pdf"),
    ("import", "-"): ("metrics.csv", "-q @ -o out.rlcap"),
}
# The same of what is written.
WRITTEN = {
    ("show", "--output"): "--json normal.rlcap -o @.json",
    ("report", "--output"): "normal.rlcap -o @.pdf",
    ("extract", "--output"): "normal.pdf -o @.rlcap",
    ("compare", "--output"): "normal.rlcap after.rlcap -o @.pdf",
    ("compare", "--junit"): "normal.rlcap after.rlcap --fail-on wrong --junit @.xml -o other.pdf",
    ("import", "--output"): "metrics.csv -o @.rlcap",
}
# What is refused, and in which words. What grows needs a GPU: the transcript output_collect has it.
REFUSED = {
    ("collect", "-"): ("-", NOT_READ),
    ("report", "--charts"): ("normal.rlcap --charts -", "--charts takes a folder, and '-' is standard output: './-' is one"),
    ("compare", "--captures"): ("--run --captures - -- true -- true", "--captures takes a folder, and '-' is standard output"),
}
GROWS = {("collect", "--output"), ("check", "--output")}
# Standard input is one file, and of programs their own.
MORE = [
    ("show", "- -", TWICE),
    ("compare", "normal.rlcap - --notes - -o out.pdf", TWICE),
    ("compare", "--fleet folder -", "'-' is standard input, and --fleet reads its captures more than once"),
    ("compare", "--run --match - -- true -- true", "'-' is standard input, which is the program's"),
]


class Bench:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def clean(self):
        for old in (*self.folder.glob("out*"), *self.folder.glob("other*")):
            old.unlink()

    def run(self, command, line, given=None):
        """Status, standard output, standard error, and the files named out.*."""
        self.clean()
        with open(self.folder / given if given else "/dev/null", "rb") as stream:
            data = stream.read()
        done = subprocess.run([self.program, command, *line.split()], input=data, capture_output=True, cwd=self.folder, timeout=120, check=False)
        made = {path.name: path.read_bytes() for path in self.folder.glob("out*")}
        return done.returncode, done.stdout, done.stderr, made

    def content(self, made):
        """Bytes; of a capture the rows of its kernels, as the command line that it was made by is in it, too."""
        if not made or not made.startswith(b"SQLite"):
            return made
        return subprocess.run([self.program, "show", "--csv", "-"], input=made, capture_output=True, timeout=60, check=True).stdout

    def lay_out(self, captures, samples):
        for name in ("normal", "after"):
            shutil.copy(captures / f"{name}.rlcap", self.folder)
        for name in ("h100", "h200"):
            shutil.copy(samples / f"{name}.rlcap", self.folder)
        shutil.copy(samples / "programs/transformer-h200.rlcap", self.folder / "program.rlcap")
        (self.folder / "notes.txt").write_text("A word of the reviewer.\n")
        (self.folder / "map").write_text("# nothing was renamed\n")
        (self.folder / "folder").mkdir()
        (self.folder / "metrics.csv").write_bytes(METRICS)
        status, _, said, _ = self.run("report", "-q normal.rlcap -o normal.pdf")
        if status:
            raise SystemExit(f"report: {status} {said}")

    def read(self, command, given, line):
        named, piped = self.run(command, line.replace("@", given)), self.run(command, line.replace("@", "-"), given)
        spoken = [text.replace(given.encode(), b"standard input") for text in named[1:3]]
        same = named[3].keys() == piped[3].keys() and all(self.content(made) == self.content(piped[3][name]) for name, made in named[3].items())
        if named[0] not in (0, 1) or (named[0], *spoken) != piped[:3] or not same:
            return f"{command} {line}, {given}: status {named[0]} and {piped[0]}, says {named[2]!r} and {piped[2]!r}"
        return None if spoken[0] or named[3] else f"{command} {line}: nothing came of it"

    def written(self, command, line):
        placed, (name,) = line.replace("@", "out"), [word for word in line.split() if "@" in word]
        named, piped = self.run(command, placed), self.run(command, line.replace(name, "-"))
        (made,) = named[3].values() if named[3] else (None,)
        same = self.content(made) == self.content(piped[1])
        if named[0] not in (0, GATE) or piped[0] != named[0] or not same or piped[3]:
            return f"{command} {line}: status {named[0]} and {piped[0]}, says {named[2]!r} and {piped[2]!r}, the same bytes: {same}"
        return None

    def refused(self, command, line, text):
        self.clean()
        before = sorted(self.folder.iterdir())
        status, out, said, made = self.run(command, line, "normal.rlcap")
        lines = said.decode().splitlines()
        if b"this build" in said:
            return None
        if status != 2 or out or made or len(lines) != 2 or text not in lines[0] or sorted(self.folder.iterdir()) != before:
            return f"{command} {line}: status {status}, says {said!r}"
        return None


def look(bench, rows):
    """`rows`: (command, what it does with it, option)."""
    for command, does, name in rows:
        key = command, name
        if key in REFUSED:
            yield bench.refused(command, *REFUSED[key])
        elif does == "reads" and key in READ:
            yield bench.read(command, *READ[key])
        elif does == "writes" and key in WRITTEN:
            yield bench.written(command, WRITTEN[key])
        elif not (does == "grows" and key in GROWS):
            yield f"{command} {name} {does} a file: this test does not say what '-' is there"
    known = {(command, name) for command, _, name in rows}
    yield from (f"{key}: no file any more" for key in {*READ, *WRITTEN, *REFUSED, *GROWS} - known)
    yield from (bench.refused(*row) for row in MORE)


METRICS = b"""==PROF== Connected to process 1 (/tmp/app)
"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","Section Name","Metric Name","Metric Unit","Metric Value"
"0","1","app","127.0.0.1","add(float*)","1","7","(256, 1, 1)","(1024, 1, 1)","0","9.0","Command line profiler metrics","gpu__time_duration.sum","ns","1000"
"""


def main():
    parser = argparse.ArgumentParser(description="'-' in place of every file: see the head of this file.")
    for name in ("program", "list", "captures", "samples"):
        parser.add_argument(f"--{name}", type=lambda text: pathlib.Path(text).resolve(), required=True)
    arguments = parser.parse_args()
    listed = subprocess.run([arguments.list], capture_output=True, text=True, check=True, timeout=60).stdout
    rows = [(command, does, rest[0]) for command, does, *rest in map(str.split, listed.splitlines()) if does != "needs"]
    with tempfile.TemporaryDirectory(prefix="rooflight-dash-") as name:
        bench = Bench(arguments.program, pathlib.Path(name))
        bench.lay_out(arguments.captures, arguments.samples)
        faults = [fault for fault in look(bench, rows) if fault]
    print("\n".join(faults) or f"{len(rows)} files: no fault")
    return 1 if faults or len(rows) < 19 else 0


if __name__ == "__main__":
    sys.exit(main())
