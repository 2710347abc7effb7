#!/usr/bin/env python3
"""Runs the recipes of docs/ci/ as a service would, with stand-ins for what needs a GPU.

The steps are read from the files, the services' variables are set, git is a real repository with a base and a change, and `rooflight` is the
program itself except for `collect`, which copies a capture and makes it another session. What must come out: the status of the gate, and the files that the recipes
promise."""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

# Sessions are captures of their own: the same file twice is refused.
OTHER_SESSION = """
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db:
    db.execute("UPDATE session SET os = 'system ' || ?", (sys.argv[2],))
"""
ALTERNATELY = ["base-1.rlcap", "new-1.rlcap", "new-2.rlcap", "base-2.rlcap", "base-3.rlcap", "new-3.rlcap"]
STAND_IN = """#!/bin/bash
[[ $1 == collect ]] || exec "$PROGRAM_UNDER_TEST" "$@"
while [[ $1 != -o ]]; do shift; done
case $2 in *base*) from=$BASE;; *) from=$NEW;; esac
cp "$CAPTURES/$from" "$2"
number=$(wc -l < "$ORDER")
python3 - "$2" "$number" <<< "$OTHER_SESSION"
echo "${2##*/}" >> "$ORDER"
while [[ $1 != -- ]]; do shift; done
shift
"$@"
"""


def steps_of_github(text):
    """The scripts behind 'run: |', in order, and the variables below 'env:'."""
    scripts = [re.sub(r"(?m)^ {10}", "", block) for block in re.findall(r"run: \|\n((?: {10}.*\n)+)", text)]
    variables = dict(re.findall(r"(?m)^  (BUILD|PROGRAM|CONDITIONS|SESSIONS): (.*)$", text))
    return scripts, variables


def steps_of_gitlab(text):
    """The lines of 'script:', each a step of one shell, and the variables."""
    block = re.search(r"  script:\n((?:    - .*\n)+)", text).group(1)
    scripts = ["\n".join(line[6:] for line in block.splitlines()) + "\n"]
    return scripts, dict(re.findall(r"(?m)^    (BUILD|PROGRAM|CONDITIONS|SESSIONS): (.*)$", text))


def make_repository(folder):
    """A base and a change on top of it; returns the commit of the base."""

    def git(*words):
        names = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
        return subprocess.run(["git", *names, *words], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()

    git("init", "-q")
    (folder / "Makefile").write_text("all:\n\tprintf '#!/bin/sh\\n' > app && chmod +x app\n")
    git("add", "Makefile")
    git("commit", "-qm", "base")
    base = git("rev-parse", "HEAD")
    git("update-ref", "refs/remotes/origin/main", base)
    git("commit", "-qm", "change", "--allow-empty")
    return base


def run_recipe(steps, folder, settings, captures):
    """The status of the first step that fails, 0 when none does."""
    scripts, variables = steps
    base = make_repository(folder)
    stand_in = folder / "bin" / "rooflight"
    stand_in.parent.mkdir()
    stand_in.write_text(STAND_IN)
    stand_in.chmod(0o755)
    (folder / "order").touch()
    environment = {
        **os.environ, **variables, "PATH": f"{stand_in.parent}:{os.environ['PATH']}", "PROGRAM_UNDER_TEST": settings.program,
        "CAPTURES": settings.captures, "BASE": captures[0], "NEW": captures[1], "GITHUB_BASE_REF": "main",
        "ORDER": str(folder / "order"), "OTHER_SESSION": OTHER_SESSION, "GITHUB_STEP_SUMMARY": str(folder / "rooflight.md"), "CI_MERGE_REQUEST_DIFF_BASE_SHA": base,
    }
    for script in scripts:
        result = subprocess.run(["bash", "-eo", "pipefail", "-c", script], cwd=folder, env=environment, capture_output=True, text=True)
        if result.returncode:
            return result.returncode, result.stderr
    return 0, ""


def check(name, steps, settings, captures, expected):
    """The complaints about one recipe and one pair of captures."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        status, said = run_recipe(steps, folder, settings, captures)
        if status != expected:
            return [f"{name}, {captures}: status {status}, expected {expected}: {said}"]
        text = (folder / "rooflight.md").read_text()
        order = (folder / "order").read_text().split()
        complaints = [] if (folder / "rooflight.pdf").stat().st_size else [f"{name}: no rooflight.pdf"]
        if order != ALTERNATELY:
            complaints.append(f"{name}: measured {order}")
        suites = xml.etree.ElementTree.parse(folder / "rooflight.xml").getroot()
        found = {0: (False, False), 3: (True, None), 4: (False, True)}[expected]
        for kind, wanted in zip(("failures", "errors"), found):
            if wanted is not None and (int(suites.get(kind)) > 0) != wanted:
                complaints.append(f"{name}, {captures}: {suites.get(kind)} {kind} in JUnit")
        if "**gate**" not in text:
            complaints.append(f"{name}: the summary does not say what the gate says")
        return complaints


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--captures", required=True)
    parser.add_argument("--recipes", required=True)
    settings = parser.parse_args()
    recipes = pathlib.Path(settings.recipes)
    cases = [(("normal.rlcap", "again.rlcap"), 0), (("normal.rlcap", "after.rlcap"), 3), (("incomplete.rlcap", "normal.rlcap"), 4)]
    complaints = []
    for name, read in (("github.yml", steps_of_github), ("gitlab.yml", steps_of_gitlab)):
        steps = read((recipes / name).read_text())
        assert len("".join(steps[0]).splitlines()) >= 6 and len(steps[1]) == 4, f"{name} was not understood"
        for captures, expected in cases:
            complaints += check(name, steps, settings, captures, expected)
    print("\n".join(complaints))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
