"""Every command where something around it is amiss: a home that cannot be written to, none, no network, a terminal that knows nothing, a reader that
goes away, a full or closed standard output. What it prints and writes is the same as ever, or it is refused in one clear line;
nothing is left half-written, in temporary folders neither.

    surroundings.py --program PROGRAM --captures DIR --samples DIR          exit status 0 passed, 1 failed
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

# What is run in a folder with a.rlcap, b.rlcap, run.rlcap, ncu.csv and a.pdf. Of all chips GV100 has its counters packed soonest.
LINES = [
    "doctor", "list kernels", "list metrics", "list chips", "list metrics --chip GV100", "list schema show", "help compare",
    "show a.rlcap", "show --brief run.rlcap", "show --json a.rlcap", "show a.rlcap -o out.csv", "show a.rlcap -o out.md",
    "compare a.rlcap b.rlcap", "compare a.rlcap b.rlcap --fail-on default --junit out.xml", "compare --fleet caps",
    "import ncu.csv -o out.rlcap",
]
OF_REPORTS = ["report a.rlcap -o out.pdf", "report a.rlcap -o out.html", "report a.rlcap --charts charts -o out.pdf", "compare a.rlcap b.rlcap -o out.pdf",
              "extract a.pdf -o out.rlcap"]
CSV = '"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"\n"0","k","gpu__time_duration.sum","ns","1000"\n'


class Bench:
    def __init__(self, program, captures, samples, folder):
        self.program, self.folder, self.home, self.tmp = program, folder, folder / "home", folder / "tmp"
        self.work, self.fresh = folder / "work", folder / "fresh"
        for path in (self.home, self.tmp, self.fresh, self.fresh / "caps"):
            path.mkdir()
        for name, source in (("a", captures / "normal.rlcap"), ("b", captures / "after.rlcap"), ("run", samples / "programs/transformer-h200.rlcap")):
            shutil.copy(source, self.fresh / f"{name}.rlcap")
        for name in "ab":
            shutil.copy(self.fresh / f"{name}.rlcap", self.fresh / "caps")
        (self.fresh / "ncu.csv").write_text(CSV)
        self.lines = list(LINES)
        if subprocess.run([program, "report", "a.rlcap", "-o", "a.pdf"], cwd=self.fresh, check=False, capture_output=True).returncode == 0:
            self.lines += OF_REPORTS
        self.unshares = subprocess.run(["unshare", "-rnm", "true"], check=False, capture_output=True).returncode == 0
        self.usual = {line: self.run(line) for line in self.lines}

    def run(self, line, before=(), output=subprocess.PIPE, **environment):
        """Exit status, standard output and error, and the files that are there afterwards."""
        shutil.rmtree(self.work, ignore_errors=True)
        shutil.copytree(self.fresh, self.work)
        usual = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(self.home), "LC_ALL": "C.UTF-8", "TMPDIR": str(self.tmp), "TERM": "xterm",
                 "SOURCE_DATE_EPOCH": "1700000000"}
        environment = {name: value for name, value in (usual | environment).items() if value is not None}
        done = subprocess.run([*before, self.program, *line.split()], cwd=self.work, env=environment, stdin=subprocess.DEVNULL, stdout=output,
                              stderr=subprocess.PIPE, timeout=120, check=False)
        files = {str(path.relative_to(self.work)): path.read_bytes() if path.is_file() else None for path in self.work.rglob("*")}
        return done.returncode, done.stdout, done.stderr.decode(), files

    def the_same(self, name, before=(), **environment):
        """Every command does what it always does. What doctor says of the home and the network is its own."""
        for line in self.lines:
            if line != "doctor" and self.run(line, before, **environment) != self.usual[line]:
                yield f"{name}: {line}: {self.run(line, before, **environment)[:3]} instead of {self.usual[line][:3]}"
        if self.run("doctor", before, **environment)[0] != 0:
            yield f"{name}: doctor fails"

    def no_reader(self, line):
        """A pipe whose reader has gone: the status tells, no message does."""
        reading, writing = os.pipe()
        os.close(reading)
        try:
            return self.run(line, output=writing)
        finally:
            os.close(writing)

    def unwritten(self, name, ran, said):
        """The result has nowhere to go: files that were asked for are whole, or are not there; what would print nothing is as ever."""
        for line in self.lines:
            status, printed, errors, files = self.usual[line]
            got = ran(line)
            expected = (status or 1, errors + said) if printed else (status, errors)
            if (got[0], got[2]) != expected:
                yield f"{name}: {line}: status {got[0]}, says {got[2]!r} instead of {expected}"
            if got[3] != files:
                yield f"{name}: {line}: files are not as they are otherwise"

    def read_only_home(self):
        """As a real mount, where a user may make one; root writes to folders that nobody may write to."""
        if not self.unshares:
            print("no read-only mount and no network of its own can be made here: not tried")
            return
        mount = ["unshare", "-rmn", "sh", "-c", f'mount --bind {self.home} {self.home} && mount -o remount,bind,ro {self.home} && ! touch {self.home}/x '
                 '2>/dev/null && exec "$@"', "sh"]
        yield from self.the_same("read-only home, no network, TERM=dumb", mount, TERM="dumb")

    def strangers(self):
        """What lies in the current folder is neither run nor read: libraries that the program needs, programs that it calls, what these read."""
        needed = subprocess.run(["ldd", self.program], capture_output=True, text=True, check=False).stdout
        libraries = {line.split()[0] for line in needed.splitlines() if "=>" in line}
        programs = {"gnuplot", "nvdisasm", "sh"}
        names = libraries | programs | {".gnuplot", "gnuplotrc", "style.gp", "rooflight.lua", "rooflight.toml", "libcupti.so.13", "libcuda.so.1"}
        for name in names:
            (self.fresh / name).write_text(f"#!/bin/sh\ntouch '{self.tmp}/{name} was run'\n")
            (self.fresh / name).chmod(0o755)
        for line in self.lines:
            status, printed, errors, files = self.run(line, PATH=":.:/usr/local/bin:/usr/bin:/bin")  # both ways to name the current folder
            if line != "doctor" and (status, printed, errors, {name: data for name, data in files.items() if name not in names}) != self.usual[line]:
                yield f"files of strangers: {line}: {(status, printed, errors)} instead of {self.usual[line][:3]}"
        for name in names:
            (self.fresh / name).unlink()

    def faults(self):
        yield from self.strangers()
        yield from self.read_only_home()
        yield from self.the_same("no home, no TERM", HOME=None, TERM=None)
        yield from self.unwritten("no reader", self.no_reader, "")
        with open("/dev/full", "wb") as full:
            yield from self.unwritten("full", lambda line: self.run(line, output=full),
                                      "rooflight: cannot write the result to standard output: No space left on device\n")
        yield from self.unwritten("closed", lambda line: self.run(line, ["sh", "-c", 'exec "$@" >&-', "sh"]),
                                  "rooflight: cannot write the result to standard output: Bad file descriptor\n")
        yield from (f"{path} is left in the temporary folder" for path in self.tmp.iterdir())


def main():
    parser = argparse.ArgumentParser(description="Commands where something around them is amiss: see the head of this file.")
    for name in ("program", "captures", "samples"):
        parser.add_argument(f"--{name}", type=lambda text: pathlib.Path(text).resolve(), required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rooflight-surroundings-") as name:
        bench = Bench(arguments.program, arguments.captures, arguments.samples, pathlib.Path(name))
        wrong = [f"{line}: status {ran[0]}: {ran[2]}" for line, ran in bench.usual.items() if ran[0] not in (0, 1, 3)]
        faults = wrong + list(bench.faults())
    print("\n".join(faults) or f"{len(bench.lines)} commands: no fault")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
