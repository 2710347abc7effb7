#!/usr/bin/env python3
"""The package in python/: its types are checked, a wheel is built of it and installed into an environment that has nothing else; there the
examples of its README run, those with frames under an interpreter that has pandas. Where no Python has Polars, something that takes and gives what
Polars does stands in for it.

    package.py --program PROGRAM --source DIR
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

CANNOT_TRY = 77
INTERPRETERS = (sys.executable, "/usr/bin/python3")
# The part of Polars that the package and CHECKS use: polars.DataFrame(rows, infer_schema_length=None, strict=False), by column.
POLARS = """
class DataFrame:
    def __init__(self, data=None, schema=None, *, schema_overrides=None, strict=True, orient=None, infer_schema_length=100, nan_to_null=False):
        assert isinstance(data, list) and all(isinstance(row, dict) for row in data) and infer_schema_length is None and not strict
        self.columns = list(dict.fromkeys(name for row in data for name in row))
        self.rows = data

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, column):
        assert column in self.columns, column
        return [row.get(column) for row in self.rows]
"""
CHECKS = """
import math
import os
import rooflight
library = os.environ["LIBRARY"]
capture = rooflight.open("app.rlcap")
frame = capture.frame("kernels", library)
assert len(frame) == len(capture.kernels) > 5
for row, kernel in enumerate(capture.kernels):
    assert frame["duration_s.median"][row] == kernel["duration_s"]["median"]
    for column, reason in capture.missing("kernels").get(row, {}).items():
        value = frame[column][row]
        assert reason and (value is None or math.isnan(value)), (column, value)
assert capture.kernel(capture.kernels[0]["id"]) is capture.kernels[0]
changes = rooflight.compare(["before.rlcap"], "after.rlcap", fail_on="regression=3%")
assert changes.status in (0, 3, 4) and len(changes.frame("pairs", library)) == len(changes["pairs"])
cases = rooflight.open("times.rlcap").cases(library)
assert list(cases["M"]) == [512, 1024] and list(cases["parameter.rate"]) == ["low", "low"], cases
assert list(cases["timed"]) == [9, 9] and abs(cases["time_s.median"][1] - 2e-6) < 1e-12
changes = rooflight.compare("times.rlcap", "slower.rlcap", fail_on="default")
assert changes.status == 3 and list(changes.frame("others", library)["cases_ratio.estimate"]) and changes["others"][0]["cases"][0]["verdict"] == "SLOWER"
assert len(capture.cases(library)) == 0
try:
    rooflight.open("--version")
except rooflight.Error as error:
    assert error.status == 1 and "--version" in str(error), error
else:
    raise AssertionError("a name is an option")
"""


def having(*modules):
    """The first interpreter with these modules; None."""
    for interpreter in INTERPRETERS:
        if shutil.which(interpreter) and subprocess.run([interpreter, "-c", f"import {', '.join(modules)}"], capture_output=True, check=False).returncode == 0:
            return interpreter
    return None


def build(source, folder, interpreter):
    """The wheel, built of a copy: nothing is written into the source folder."""
    shutil.copytree(source / "python", folder / "python")
    subprocess.run([interpreter, "-c", f"from setuptools.build_meta import build_wheel; build_wheel({str(folder)!r})"], cwd=folder / "python",
                   check=True, capture_output=True, text=True)
    return next(folder.glob("*.whl"))


def install(wheel, folder):
    """Into an environment of its own; the folder of packages."""
    maker = having("venv", "ensurepip")
    subprocess.run([maker, "-m", "venv", str(folder / "environment")], check=True, capture_output=True)
    python = folder / "environment/bin/python"
    subprocess.run([python, "-m", "pip", "install", "-q", "--no-index", "--no-deps", wheel], check=True)
    return python, next((folder / "environment/lib").glob("python*/site-packages"))


def types(packages):
    """What is wrong with the types of the installed package; None: no mypy is here."""
    if not shutil.which("mypy"):
        return None
    done = subprocess.run(["mypy", "--strict", "--no-incremental", "--cache-dir", os.devnull, packages / "rooflight"], capture_output=True, text=True, check=False)
    marked = (packages / "rooflight/py.typed").is_file()
    return [done.stdout] if done.returncode else [] if marked else ["the wheel has no py.typed"]


def run(interpreter, script, folder, environment):
    done = subprocess.run([interpreter, "-c", script], cwd=folder, env=environment, capture_output=True, text=True, timeout=200, check=False)
    return [f"{interpreter}: {done.stderr.strip()} of\n{script}"] if done.returncode else []


def main():
    parser = argparse.ArgumentParser(description="Builds, installs and tries the package in python/.")
    parser.add_argument("--program", type=lambda text: str(pathlib.Path(text).resolve()), required=True)
    parser.add_argument("--source", type=lambda text: pathlib.Path(text).resolve(), required=True)
    arguments = parser.parse_args()
    builder = having("setuptools", "wheel")
    if not builder or not having("venv", "ensurepip"):
        print("no Python here has setuptools, wheel, venv and ensurepip: the package was not built")
        return CANNOT_TRY
    with tempfile.TemporaryDirectory() as name:
        folder, work = pathlib.Path(name), pathlib.Path(name, "work")
        work.mkdir()
        for to, sample in (("app", "transformer-h200"), ("before", "transpose-before-h200"), ("after", "transpose-after-h200")):
            shutil.copy(arguments.source / f"samples/programs/{sample}.rlcap", work / f"{to}.rlcap")
        for to, factor in (("times", 1), ("slower", 2)):
            rows = "".join(f"{size},low,{size // 512 * factor}\n" for _ in range(9) for size in (512, 1024))
            (work / f"{to}.csv").write_text("M,rate,time_us\n" + rows, encoding="utf-8")
            subprocess.run([arguments.program, "import", "-q", "--csv-time", "time_us", "--csv-case", "M,rate", f"{to}.csv"], cwd=work, check=True)
        python, packages = install(build(arguments.source, folder, builder), folder)
        environment = {**os.environ, "ROOFLIGHT": arguments.program}
        blocks = re.findall(r"(?s)```python\n(.*?)```", (arguments.source / "python/README.md").read_text(encoding="utf-8"))
        plain = blocks[0] + "".join(block for block in blocks[1:] if "frame" not in block)
        faults = run(python, plain, work, environment)
        absent, checked = [], types(packages)
        faults += checked or []
        (folder / "stand-in").mkdir()
        (folder / "stand-in/polars.py").write_text(POLARS, encoding="utf-8")
        for library in ("pandas", "polars"):
            interpreter = having(library)
            if not interpreter:
                absent.append(library)
                if library == "polars":
                    paths = os.pathsep.join(map(str, (packages, folder / "stand-in")))
                    faults += run(sys.executable, CHECKS, work, environment | {"PYTHONPATH": paths, "LIBRARY": library})
                continue
            if library == "pandas":
                faults += run(interpreter, "".join(blocks), work, environment | {"PYTHONPATH": str(packages)})
            faults += run(interpreter, CHECKS, work, environment | {"PYTHONPATH": str(packages), "LIBRARY": library})
    print("\n".join(faults) or "the package works" + "".join(f"; no Python here has {library}" for library in absent) +
          ("; no mypy: its types were not checked" if checked is None else ""))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
