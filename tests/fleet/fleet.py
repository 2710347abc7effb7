"""A simulated fleet through the whole program: who was made slow is found, nobody else is accused, and what is wrong with captures is
told.

    fleet.py --program PROGRAM --simulate PROGRAM --base CAPTURE [--count N]      exit status 0 passed, 1 failed
"""
import argparse
import csv
import io
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile


class Bench:
    def __init__(self, arguments, folder):
        self.program, self.simulate, self.base = arguments.program, arguments.simulate, arguments.base
        self.folder, self.count, self.faults = folder, arguments.count, []
        self.reports = {}  # of --json, by operands: reading the captures takes seconds

    def run(self, *operands, status=0):
        done = subprocess.run([self.program, "compare", "--fleet", *map(str, operands)], capture_output=True, cwd=self.folder,
                              timeout=600)
        self.check(done.returncode == status, f"{operands}: status {done.returncode}, not {status}: {done.stderr.decode()}")
        return done.stdout.decode(errors="replace")

    def report(self, *operands):
        if operands not in self.reports:
            self.reports[operands] = json.loads(self.run("--json", *operands))
        return self.reports[operands]

    def check(self, holds, what):
        if not holds:
            self.faults.append(what)

    def make(self, name, count, *options):
        subprocess.run([self.simulate, *options, self.base, str(self.folder / name), str(count)], check=True, timeout=600)
        with open(self.folder / name / "planted.csv", newline="") as file:
            return {pathlib.Path(row["path"]).name: row["fault"] for row in csv.DictReader(file)}


def accused(bench, *operands):
    return {pathlib.Path(gpu["path"]).name for gpu in bench.report(*operands)["slower"]}


def planted_are_found(bench):
    faults = bench.make("caps", bench.count, "--seed", "3", "--every", "9", "--links", "4")
    report = bench.report("caps")
    figures = report["figures"]
    link = any(figure["part"] == "link" for figure in figures)  # a base without ceilings says nothing of the link
    planted = {name for name, fault in faults.items() if link or fault != "bad link"}
    found = accused(bench, "caps")
    pairs = {(gpu["host"], gpu["gpu"], gpu["peer"], gpu["causes"][0]["id"]) for gpu in report["slower"] if gpu.get("links")}
    bench.check(report["links_compared"] == bench.count // 8 * 36, f"{report['links_compared']} links compared")
    bench.check(pairs == {("sim-r00n00", 2, "3", "link"), ("sim-r00n04", 2, "7", "link")}, f"slow links: {pairs}")
    bench.check(len(planted) >= 3, f"only {len(planted)} planted")
    bench.check(len(found & planted) >= 0.95 * len(planted), f"found {sorted(found)} of {sorted(planted)}")
    bench.check(len(found - set(faults)) <= 0.01 * bench.count, f"healthy ones accused: {sorted(found - set(faults))}")
    tickets = list(csv.DictReader(io.StringIO(bench.run("--csv", "caps"))))
    bench.check({pathlib.Path(row["path"]).name for row in tickets} == found, "tickets are not those of the JSON")
    bench.check(all(0 < float(row["slower_share"]) < 1 for row in tickets), "a ticket without a share")
    bench.run("--fail-on", "outlier", "-q", "caps", status=3)


def simulated_is_said(bench):
    bench.check("(simulated)" in bench.run("caps"), "the table does not say that the fleet is simulated")


def captures_that_do_not_count(bench):
    names = sorted(path.name for path in (bench.folder / "caps").glob("*-[0-9].rlcap"))
    odd = bench.folder / "odd"
    (odd / "deeper").mkdir(parents=True)
    for name in names[:9]:
        shutil.copy(bench.folder / "caps" / name, odd / name)
    shutil.copy(odd / names[0], odd / "deeper" / "copy.rlcap")
    (odd / "broken.rlcap").write_bytes((odd / names[1]).read_bytes()[:5000])
    (odd / "text.rlcap").write_text("not a capture\n")
    report = bench.report("odd", "odd/absent.rlcap")
    why = {pathlib.Path(left["path"]).name: left["why"] for left in report["not_compared"]}
    bench.check(report["compared"] == 9, f"{report['compared']} compared, not 9")
    bench.check(len(why) == 4 and "duplicate" in why.values(), f"not compared: {why}")
    bench.check({"broken.rlcap", "text.rlcap", "absent.rlcap"} <= set(why), f"not listed: {why}")
    bench.run("odd/text.rlcap", status=1)
    (bench.folder / "empty").mkdir()
    bench.run("empty", status=2)
    bench.run("--smallest-effect", "x", "caps", status=2)


def documents_are_made(bench):
    few = sorted((bench.folder / "caps").glob("*.rlcap"))[4:9]  # a capture of links among them
    bench.run(*few, "-o", "fleet.pdf")
    bench.check((bench.folder / "fleet.pdf").read_bytes().startswith(b"%PDF-"), "no document")
    bench.run(*few, "-o", "again.pdf")
    bench.check((bench.folder / "fleet.pdf").read_bytes() == (bench.folder / "again.pdf").read_bytes(), "not the same bytes again")


STEPS = (planted_are_found, simulated_is_said, captures_that_do_not_count)


def main():
    parser = argparse.ArgumentParser(description="A simulated fleet through the whole program.")
    parser.add_argument("--program", required=True)
    parser.add_argument("--simulate", required=True)
    parser.add_argument("--base", required=True)
    parser.add_argument("--count", type=int, default=64)
    parser.add_argument("--reports", action="store_true", help="documents too")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(arguments, pathlib.Path(folder))
        for step in (*STEPS, *([documents_are_made] if arguments.reports else [])):
            before = len(bench.faults)
            step(bench)
            print(f"{step.__name__}: {'passed' if len(bench.faults) == before else 'FAILED'}")
    for fault in bench.faults:
        print(fault)
    return 1 if bench.faults else 0


if __name__ == "__main__":
    sys.exit(main())
