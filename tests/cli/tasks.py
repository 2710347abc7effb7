#!/usr/bin/env python3
"""Runs every command on the pages of docs/tasks/, and follows the links of those pages and of docs/questions.md.

`rooflight` is the program itself except for `collect`, which needs a GPU: a stand-in copies a capture to where the page wants it. Python is the real
one except for train.py, which only the stand-in is given."""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

STAND_IN = r"""#!/bin/bash
[[ $1 == collect ]] || exec "$PROGRAM_UNDER_TEST" "$@"
help=$("$PROGRAM_UNDER_TEST" collect --help)
for word in "$@"; do
    [[ $word != -- ]] || break
    [[ $word != -* || $help == *"${word%%=*}"[\ ,$'\n']* ]] || { echo "collect has no option $word" >&2; exit 2; }
done
while [[ $1 != -o ]]; do shift; done
cp "$CAPTURE" "$2"
python3 -c 'import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db:
    db.execute("UPDATE session SET os = ?", (sys.argv[1],))' "$2" # another session: the same one twice is not compared
"""


def commands(text):
    """The indented blocks, each a script."""
    return [re.sub(r"(?m)^    ", "", block) for block in re.findall(r"(?:^    .*\n)+", text, re.M)]


def run_page(page, folder, environment):
    for script in commands(page.read_text()):
        done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", script], cwd=folder, env=environment, capture_output=True, text=True,
                              check=False, timeout=120)
        if done.returncode != 0:
            yield f"{page.name}: status {done.returncode} of\n{script}{done.stderr}"


def anchors(text):
    for heading in re.findall(r"(?m)^#+ (.*)$", text):
        yield re.sub(r"[^a-z0-9 _-]", "", heading.lower()).replace(" ", "-")


def check_links(page):
    for target in re.findall(r"\]\(([^)]+)\)", page.read_text()):
        name, _, anchor = target.partition("#")
        path = page.parent / name
        if not path.is_file():
            yield f"{page.name}: {target} leads nowhere"
        elif anchor and anchor not in anchors(path.read_text()):
            yield f"{page.name}: {name} has no heading for #{anchor}"


def main():
    parser = argparse.ArgumentParser(description="Runs the commands of docs/tasks/.")
    parser.add_argument("--program", required=True)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    pages = sorted((arguments.source / "docs/tasks").glob("*.md"))
    faults = [fault for page in [*pages, arguments.source / "docs/questions.md"] for fault in check_links(page)]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        capture = arguments.source / "samples/programs/transformer-h200.rlcap"
        (folder / "bin").mkdir()
        (folder / "bin/rooflight").write_text(STAND_IN)
        (folder / "bin/rooflight").chmod(0o755)
        (folder / "samples").symlink_to(arguments.source / "samples")
        shutil.copy(capture, folder / "app.rlcap")
        environment = os.environ | {"PATH": f"{folder}/bin:{os.environ['PATH']}", "CAPTURE": str(capture), "PROGRAM_UNDER_TEST": arguments.program}
        faults += [fault for page in pages for fault in run_page(page, folder, environment)]
    questions = len(re.findall(r"(?m)^\| .*\? ", (arguments.source / "docs/questions.md").read_text()))
    if len(pages) < 10 or questions < 12:
        faults.append(f"{len(pages)} pages, {questions} questions: some are missing")
    print("\n".join(faults) if faults else "tasks: no fault")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
