"""Every option that takes a file against every other one, and against the operands: no input is overwritten.

    files.py --program PROGRAM --list LIST_FILES          exit status 0 passed, 1 failed

LIST_FILES (list_files.c) says which options take files, so a new one is tried without a word here. Contents do not matter: what must
not be is refused before anything is read.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

LOSES, OTHER = b"an input that must not be lost\n", b"some other input\n"


class Table:
    """What each command reads, writes and fills; "-" stands for its operands."""

    def __init__(self, program):
        self.rows, self.needs = [], {}
        done = subprocess.run([program], capture_output=True, text=True, check=False, timeout=60)
        if done.returncode:
            raise SystemExit(f"list_files:\n{done.stderr}")
        for line in done.stdout.splitlines():
            command, does, *rest = line.split(maxsplit=3)
            if does == "needs":
                self.needs[command] = int(rest[0])
            else:
                self.rows.append((command, does, *rest))

    def of(self, command, *does):
        return [(name, ending) for c, d, name, ending in self.rows if c == command and d in does]


class Bench:
    def __init__(self, program, table, folder):
        self.program, self.table, self.folder, self.faults, self.tried = program, table, folder, [], 0

    def path(self, name):
        return self.folder / name

    def lay_out(self):
        """A folder with an input under many names."""
        for path in sorted(self.folder.rglob("*"), reverse=True):
            path.unlink() if path.is_symlink() or path.is_file() else path.rmdir()
        self.path("in").write_bytes(LOSES)
        self.path("other").write_bytes(OTHER)
        self.path("sub").mkdir()
        self.path("soft").symlink_to("in")
        self.path("sub/soft").symlink_to("../soft")
        os.link(self.path("in"), self.path("hard"))
        if not self.path("IN").exists():  # where names that differ by case alone are one, it is there already
            os.link(self.path("in"), self.path("IN"))
        self.path("here").symlink_to(".")

    def run(self, *arguments):
        return subprocess.run([self.program, *arguments], capture_output=True, text=True, cwd=self.folder, timeout=60, check=False,
                              env={**os.environ, "PATH": f"{self.folder}:/usr/bin:/bin", "XDG_CONFIG_HOME": str(self.folder)})

    def command_line(self, command, options, operands):
        """Options with their values, and as many operands as are needed."""
        words = [command, *(word for name, value in options if name != "-" for word in (name, value))]
        operands = [value for name, value in options if name == "-"] + operands
        operands += ["other"] * (self.table.needs[command] - len(operands))
        return words + operands

    def refused(self, what, command, options, operands=(), says="choose another"):
        """Whether status, words and bytes are those of a command that is refused."""
        self.tried += 1
        words = self.command_line(command, options, list(operands))
        before = {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}
        done = self.run(*words)
        lines = done.stderr.splitlines()
        if "this build" in done.stderr:
            return
        good = done.returncode == 2 and done.stdout == "" and len(lines) == 2 and says in lines[0] and lines[1].startswith("try '")
        if not good:
            self.faults.append(f"{what}: {' '.join(words)}: status {done.returncode}, says {done.stderr!r}")
        after = {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}
        if before != after:
            self.faults.append(f"{what}: {' '.join(words)}: files are not as they were")
            self.lay_out()

    def outputs_against_inputs(self, command):
        spellings = ("in", "./in", str(self.path("in")), "soft", "sub/soft", "hard", "IN", "here/in", "sub/../in")
        for output, _ in self.table.of(command, "writes", "grows"):
            for given, _ in self.table.of(command, "reads"):
                for spelled in spellings:
                    self.refused("an input", command, [(output, spelled), (given, "in")])
                    self.refused("an input", command, [(output, "in"), (given, spelled)])

    def outputs_against_outputs(self, command):
        outputs = self.table.of(command, "writes", "grows")
        for i, (one, _) in enumerate(outputs):
            for two, _ in outputs[:i]:
                for spelled in ("new", "./new", "NEW", "here/new", "sub/../new"):
                    self.refused("two outputs", command, [(one, "new"), (two, spelled)])

    def folders(self, command):
        for folder, endings in self.table.of(command, "fills"):
            for ending in endings.split():
                name = f"x{ending}"
                for output, _ in self.table.of(command, "writes", "grows"):
                    self.refused("an output among a folder's files", command, [(folder, "sub"), (output, f"sub/{name}")])
                for given, _ in self.table.of(command, "reads"):
                    self.path(f"sub/{name}").write_bytes(LOSES)
                    self.refused("an input among a folder's files", command, [(folder, "sub"), (given, f"here/sub/{name}")])
                    self.path(f"sub/{name}").unlink()

    def growing(self, command):
        """What grows has a second name."""
        for output, _ in self.table.of(command, "grows"):
            for given, _ in self.table.of(command, "reads"):
                self.path("x.partial").write_bytes(LOSES)
                self.refused("a capture that grows", command, [(output, "x"), (given, "x.partial")])
                self.path("x.partial").unlink()

    def standard_output(self, command):
        for given, _ in self.table.of(command, "reads"):
            words = self.command_line(command, [(given, "in")], [])
            with self.path("in").open("ab") as out:
                done = subprocess.run([self.program, *words], stdout=out, stderr=subprocess.PIPE, text=True, cwd=self.folder, timeout=60,
                                      check=False)
            if "this build" not in done.stderr and (done.returncode != 2 or self.path("in").read_bytes() != LOSES):
                self.faults.append(f"standard output: {' '.join(words)}: status {done.returncode}, says {done.stderr!r}")

    def places(self, command):
        """No work is begun for an output that cannot be."""
        for output, _ in self.table.of(command, "writes", "grows", "fills"):
            for place in ("/proc/x", "none/x", "in/x", *(["sub"] if (output, "-") in self.table.of(command, "writes") else [])):
                done = self.run(*self.command_line(command, [(output, place)], []))
                good = done.returncode == 1 and place in done.stderr and len(done.stderr.splitlines()) == 1
                if "this build" not in done.stderr and not good:
                    self.faults.append(f"a place: {command} {output} {place}: status {done.returncode}, says {done.stderr!r}")


def program_is_an_input(bench):
    """Also where it is found in $PATH; and it is not run."""
    bench.path("tool").write_text("#!/bin/sh\ntouch ran\n")
    bench.path("tool").chmod(0o755)
    for output in ("tool", "./tool", "here/tool"):
        done = bench.run("collect", "-o", output, "--", "tool")
        if "this build" not in done.stderr and (done.returncode != 2 or bench.path("ran").exists()):
            bench.faults.append(f"collect -o {output} -- tool: status {done.returncode}, says {done.stderr!r}")
    done = bench.run("collect", "-o", "/proc/x", "--", "tool")
    if bench.path("ran").exists() or done.returncode != 1:
        bench.faults.append(f"a program was run for an output that cannot be written: {done.stderr!r}")


def says_of(spelled):
    """Why nothing is written there that is no capture: its name says that already, or what it names does."""
    return "ends in .rlcap" if spelled.endswith(".rlcap") else "choose another"


def files_of_folders(bench):
    """A folder stands for the captures in it: as an operand, and as the value of every option that reads folders."""
    bench.path("caps/0001").mkdir(parents=True)
    bench.path("caps/0001/a.rlcap").write_bytes(LOSES)
    bench.path("link").symlink_to("caps/0001/a.rlcap")
    os.link(bench.path("caps/0001/a.rlcap"), bench.path("hard.2"))
    spellings = ("caps/0001/a.rlcap", "here/caps/../caps/0001/a.rlcap", "link", "hard.2")
    for spelled in spellings:
        bench.refused("a file of a folder", "compare", [("--output", spelled)], ["--fleet", "caps"], says_of(spelled))
    for command in bench.table.needs:
        for given in (name for name, ending in bench.table.of(command, "reads") if ending == "/"):
            for output, _ in bench.table.of(command, "writes", "grows"):
                with_it = [("--fail-on", "default")] if output == "--junit" else []  # whose answer it writes
                for spelled in spellings:
                    bench.refused("a file of a folder", command, [(given, "caps"), (output, spelled), *with_it], says=says_of(spelled))


def main():
    parser = argparse.ArgumentParser(description="Every option that takes a file against every other one: see the head of this file.")
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--list", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    table = Table(arguments.list.resolve())
    with tempfile.TemporaryDirectory(prefix="rooflight-same-") as name:
        bench = Bench(arguments.program.resolve(), table, pathlib.Path(name).resolve())
        for command in table.needs:
            for way in (Bench.outputs_against_inputs, Bench.outputs_against_outputs, Bench.folders, Bench.growing,
                        Bench.standard_output, Bench.places):
                bench.lay_out()
                way(bench, command)
        bench.lay_out()
        program_is_an_input(bench)
        files_of_folders(bench)
    print("\n".join(bench.faults) or f"{bench.tried} pairs refused")
    return bool(bench.faults) or bench.tried < 50


if __name__ == "__main__":
    sys.exit(main())
