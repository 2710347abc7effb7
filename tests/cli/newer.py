"""An old rooflight beside a new capture: one whose format is of the next version, with a table and a column that nobody here knows.

    newer.py --program PROGRAM --captures DIR --samples DIR          exit status 0 passed, 1 failed

Every command that reads captures must refuse it, in one line that has both versions and what to do, and write nothing; a report that carries
one gives it back byte for byte, as it is its owner's.
"""
import argparse
import hashlib
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile

# A command line with "@" in place of the newer capture; "caps" is a folder of it and of one that can be read.
LINES = [
    "show @", "show --json @", "show --brief @", "show @ -o out.csv", "show --markdown - <@", "show rank.rlcap @", "show --source k @",
    "show --gaps @",
    "report @ -o out.pdf", "report @ -o out.html", "report --redact @ -o out.pdf", "report @ --charts charts -o out.pdf",
    "compare @ normal.rlcap", "compare normal.rlcap @", "compare normal.rlcap @ -o out.pdf", "compare --json - normal.rlcap <@",
    "compare normal.rlcap -- after.rlcap @", "compare normal.rlcap @ --fail-on default --junit out.xml",
    "compare @ --project T4",
]


def version_of(path):
    return int.from_bytes(path.read_bytes()[60:64], "big")


def make_newer(source, target, version):
    shutil.copy(source, target)
    with sqlite3.connect(target) as db:
        db.execute("CREATE TABLE of_another_time (id INTEGER PRIMARY KEY, said TEXT)")
        db.execute("ALTER TABLE session ADD COLUMN of_another_time TEXT")
        db.execute(f"PRAGMA user_version = {version}")
    db.close()


class Bench:
    def __init__(self, program, folder, captures, samples):
        self.program, self.folder = program, folder
        for source in (captures / "normal.rlcap", captures / "after.rlcap", samples / "h100.rlcap", samples / "h200.rlcap"):
            shutil.copy(source, folder)
        shutil.copy(samples / "programs/transformer-h200.rlcap", folder / "rank.rlcap")
        self.version = version_of(folder / "normal.rlcap")
        make_newer(folder / "normal.rlcap", folder / "newer.rlcap", self.version + 1)
        self.reason = (f"capture is of format version {self.version + 1}; this rooflight reads version {self.version}: "
                       "use the rooflight that made it, or make the capture again")

    def run(self, line):
        words = [word for word in line.replace("@", "newer.rlcap").split() if not word.startswith("<")]
        data = (self.folder / "newer.rlcap").read_bytes() if "<@" in line else b""
        return subprocess.run([self.program, *words], input=data, capture_output=True, cwd=self.folder, timeout=120, check=False)

    def files(self):
        return {path: path.read_bytes() if path.is_file() else None for path in self.folder.rglob("*")}

    def refused(self, line):
        before, done = self.files(), self.run(line)
        lines = done.stderr.decode().splitlines()
        if b"this build" in done.stderr:
            return
        if done.returncode != 1 or len(lines) != 1 or done.stdout or self.reason not in lines[0]:
            yield f"{line}: status {done.returncode}, says {done.stderr!r}, prints {done.stdout[:200]!r}"
        if self.files() != before:
            yield f"{line}: files are not as they were"

    def read_by_the_way(self):
        """Of many captures one that cannot be read is told of, and the others count; where it is what is asked for, it is refused."""
        (self.folder / "caps").mkdir()
        for name in ("normal.rlcap", "after.rlcap", "newer.rlcap"):
            shutil.copy(self.folder / name, self.folder / "caps")
        done = self.run("compare --fleet --json caps")
        if self.reason.encode() not in done.stdout + done.stderr:
            yield f"compare --fleet: status {done.returncode}, says {done.stderr!r} and does not name it"

    def extracted(self):
        """A document of another time, made by putting the newer capture and its hash in place of those that a report of today carries."""
        if self.run("report -q normal.rlcap -o report.pdf").returncode or not shutil.which("fix-qdf"):
            print("no report could be made, or there is no qpdf: extract was not tried")
            return
        names = subprocess.run(["qpdf", "--list-attachments", "report.pdf"], cwd=self.folder, capture_output=True, text=True, check=True).stdout
        key = names.split(" -> ")[0]
        subprocess.run(["qpdf", "--qdf", "--object-streams=disable", "report.pdf", f"--remove-attachment={key}", "--add-attachment", "newer.rlcap",
                        f"--key={key}", "--", "plain.pdf"], cwd=self.folder, check=True)
        plain, digest = (self.folder / "plain.pdf").read_bytes(), hashlib.sha256((self.folder / "newer.rlcap").read_bytes()).hexdigest()
        head = b"/Type /EmbeddedFile"
        if plain.count(head) != 1:
            yield f"extract: {plain.count(head)} attachments"
            return
        (self.folder / "hashed.pdf").write_bytes(plain.replace(head, b"/ROOF_SHA256 (" + digest.encode() + b")\n  " + head))
        with open(self.folder / "later.pdf", "wb") as later:
            subprocess.run(["fix-qdf", "hashed.pdf"], cwd=self.folder, stdout=later, check=True)
        done = self.run("extract later.pdf -o out.rlcap")
        if done.returncode or (self.folder / "out.rlcap").read_bytes() != (self.folder / "newer.rlcap").read_bytes() or \
                self.reason not in done.stderr.decode():
            yield f"extract: status {done.returncode}, says {done.stderr!r}"
        (self.folder / "out.rlcap").unlink(missing_ok=True)


def main():
    parser = argparse.ArgumentParser(description="An old rooflight beside a new capture: see the head of this file.")
    for name in ("program", "captures", "samples"):
        parser.add_argument(f"--{name}", type=lambda text: pathlib.Path(text).resolve(), required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rooflight-newer-") as name:
        bench = Bench(arguments.program, pathlib.Path(name), arguments.captures, arguments.samples)
        faults = [fault for line in LINES for fault in bench.refused(line)]
        faults += [*bench.read_by_the_way(), *bench.extracted()]
    print("\n".join(faults) or f"{len(LINES)} command lines: no fault")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
