#!/usr/bin/env python3
"""Runs every command on the pages of docs/tasks/, follows their links, and compares them with the tasks of README.md: the answer to each is one
click away, on a page of that name with a command; that a minute is enough to find it, lint/minute counts.

`rooflight` is the program itself except for what needs a GPU: `collect`, for which a stand-in copies a capture to where the page wants it, and
`compare --run`, for which it copies one for each of the two programs and compares them. Python is the real one except for train.py, which only the
stand-in is given."""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

STAND_IN = r"""#!/bin/bash
[[ $1 == collect || " $* " == " compare "*"--run "* ]] || exec "$PROGRAM_UNDER_TEST" "$@"
help=$("$PROGRAM_UNDER_TEST" "$1" --help)
for word in "$@"; do
    [[ $word != -- ]] || break
    [[ $word != -* || $help == *"${word%%=*}"[\ ,$'\n']* ]] || { echo "$1 has no option $word" >&2; exit 2; }
done
measure() {
    cp "$CAPTURE" "$1"
    python3 -c 'import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db:
    db.execute("UPDATE session SET os = ?", (sys.argv[1],))' "$1" # another session: the same one twice is not compared
}
if [[ $1 == compare ]]; then
    [[ " $* " == *" --run -- "*" -- "* ]] || { echo "not two programs behind --" >&2; exit 2; }
    measure run-base.rlcap
    measure run-new.rlcap
    exec "$PROGRAM_UNDER_TEST" compare run-base.rlcap run-new.rlcap
fi
while [[ $1 != -o ]]; do shift; done
measure "$2"
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
        path = page.parent / name if name else page
        if re.match("https?:", target):
            continue
        if not path.is_file():
            yield f"{page.name}: {target} leads nowhere"
        elif anchor and anchor not in anchors(path.read_text()):
            yield f"{page.name}: {name} has no heading for #{anchor}"


def check_tasks(readme, pages):
    """Every row of the table of tasks, and every page but those that follow from another."""
    rows = re.findall(r"(?m)^\| ([^|]+?) \| \[([^]]+)\]\(docs/tasks/([a-z-]+\.md)\) \|$", readme.read_text())
    if len(rows) != 13:
        yield f"README.md: {len(rows)} tasks with a page of docs/tasks/, not 13"
    for task, title, name in rows:
        text = (pages / name).read_text() if (pages / name).is_file() else ""
        if text.splitlines()[:1] != [f"# {title}"]:
            yield f"{task}: the link says '{title}', the page {text.splitlines()[:1]}"
        if not any("rooflight" in script for script in commands(text)):
            yield f"{task}: {name} has no command"
    if len({name for _, _, name in rows}) != len(rows):
        yield "README.md: two tasks have one page"
    linked = set(re.findall(r"docs/tasks/([a-z-]+\.md)", readme.read_text()))
    yield from (f"README.md does not link docs/tasks/{page.name}" for page in pages.glob("*.md") if page.name not in linked)


def make_archive(folder):
    """What the page about installing unpacks: an archive with the program's stand-in."""
    tree = folder / "rooflight-0.1.0-x86_64"
    shutil.copytree(folder / "bin", tree / "bin")
    subprocess.run(["tar", "-czf", f"{tree.name}.tar.gz", tree.name], cwd=folder, check=True)
    shutil.rmtree(tree)


def main():
    parser = argparse.ArgumentParser(description="Runs the commands of docs/tasks/.")
    parser.add_argument("--program", type=lambda text: str(pathlib.Path(text).resolve()), required=True)
    parser.add_argument("--source", type=lambda text: pathlib.Path(text).resolve(), required=True)
    arguments = parser.parse_args()
    pages = sorted((arguments.source / "docs/tasks").glob("*.md"))
    faults = [fault for page in [*pages, arguments.source / "README.md"] for fault in check_links(page)]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        capture = arguments.source / "samples/programs/transformer-h200.rlcap"
        (folder / "bin").mkdir()
        (folder / "bin/rooflight").write_text(STAND_IN)
        (folder / "bin/rooflight").chmod(0o755)
        make_archive(folder)
        (folder / "samples").symlink_to(arguments.source / "samples")
        shutil.copy(capture, folder / "app.rlcap")
        environment = os.environ | {"PATH": f"{folder}/bin:{os.environ['PATH']}", "CAPTURE": str(capture), "HOME": name, "PROGRAM_UNDER_TEST": arguments.program}
        faults += [fault for page in pages for fault in run_page(page, folder, environment)]
    faults += check_tasks(arguments.source / "README.md", arguments.source / "docs/tasks")
    print("\n".join(faults) if faults else "tasks: no fault")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
