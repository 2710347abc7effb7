"""Installs the build into an empty folder, checks what is there, and makes a report with the installed program.

    install.py --build DIR --source DIR --capture FILE --reports 0|1 --collector 0|1
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile


def said(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


def wanted(source, collector):
    """Paths below the prefix: the program, what it injects, its manual pages, what shells complete, and samples, and nothing else."""
    yield "bin/rooflight"
    if collector:
        yield "lib/rooflight/librooflight-inject.so"
    for page in (source / "docs/man").glob("*.[157]"):
        yield f"share/man/man{page.suffix[1:]}/{page.name}"
    yield "share/doc/rooflight/manual.html"
    yield "share/bash-completion/completions/rooflight"
    yield from (f"share/doc/rooflight/{name}" for name in ("LICENSE", "NEWS", "README.md", "SECURITY.md", "CONTRIBUTING.md", "CITATION.cff"))
    for path in (source / "docs").rglob("*"):
        if path.suffix in (".md", ".json", ".yml", ".png"):
            yield f"share/doc/rooflight/{path.relative_to(source)}"
    yield from (f"share/rooflight/{path.relative_to(source)}" for path in (source / "samples").rglob("*") if path.is_file())


def check_tree(prefix, source, collector):
    there = {path.relative_to(prefix).as_posix() for path in prefix.rglob("*") if path.is_file()}
    expected = set(wanted(source, collector))
    yield from (f"{name} was not installed" for name in sorted(expected - there))
    yield from (f"{name} was installed, but is not part of the program" for name in sorted(there - expected))


def check_program(prefix, capture, reports):
    program = str(prefix / "bin/rooflight")
    version = said(program, "--version").split()
    if version[:1] != ["rooflight"]:
        yield "the installed program does not say its version"
    cited = dict(line.split(": ", 1) for line in (prefix / "share/doc/rooflight/CITATION.cff").read_text().splitlines() if ": " in line)
    if cited.get("version") != version[1] or not {"cff-version", "message", "title", "license"} <= cited.keys():
        yield f"CITATION.cff is of version {cited.get('version')}, the program of {version[1]}, or lacks a field"
    if reports:
        made = prefix / "report.pdf"
        said(program, "report", str(capture), "-o", str(made))
        first = made.read_bytes()
        if not first.startswith(b"%PDF-"):
            yield "the installed program made no PDF"
        yield from check_strangers(prefix, program, capture, made, first)


def check_strangers(prefix, program, capture, made, first):
    """gnuplot programs of somebody else, where such were looked for once and where one stands, are not run."""
    taken, folder = prefix / "taken", prefix / "share/rooflight/templates"
    folder.mkdir()
    for name in ("style.gp", "bars.gp", "roofline.gp", "rooflight.lua", "document.css"):
        (folder / name).write_text(f"system('touch {taken}')\n" if name.endswith("gp") else f"os.execute('touch {taken}')\n")
    for name in (".gnuplot", "gnuplotrc", "style.gp", "rooflight.toml"):
        (folder / name).write_text(f"system('touch {taken}')\n")
    around = {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "GNUPLOT_LIB": str(folder), "GNUPLOT_FIT_LOG": str(folder)}
    subprocess.run([program, "report", str(capture), "-o", str(made)], cwd=folder, env={**os.environ, **around}, check=True, capture_output=True, timeout=60)
    if taken.exists() or made.read_bytes() != first:
        yield "templates of somebody else were taken"
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()


def check_uninstall(build, prefix):
    """Only what was not installed is left: here a file of somebody else in a folder of ours."""
    (prefix / "share/rooflight/own.txt").write_text("somebody's\n")
    said("cmake", "-P", str(build / "uninstall.cmake"))
    left = {path.relative_to(prefix).as_posix() for path in prefix.rglob("*") if path.is_file()} - {"report.pdf"}
    if left != {"share/rooflight/own.txt"}:
        yield f"left after uninstalling: {sorted(left)}"
    yield from (f"the empty folder {path} was left" for path in prefix.rglob("rooflight") if path.is_dir() and not any(path.iterdir()))


def main():
    parser = argparse.ArgumentParser(description="Checks what cmake --install installs.")
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--capture", type=pathlib.Path, required=True)
    parser.add_argument("--reports", type=int, required=True)
    parser.add_argument("--collector", type=int, required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        prefix = pathlib.Path(folder).resolve()
        said("cmake", "--install", str(arguments.build), "--prefix", str(prefix))
        faults = [*check_tree(prefix, arguments.source, arguments.collector), *check_program(prefix, arguments.capture, arguments.reports),
                  *check_uninstall(arguments.build, prefix)]
    print("\n".join(faults) if faults else "installed tree: no fault")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
