#!/usr/bin/env python3
"""Runs the recipes of docs/ci/ as a service would, with stand-ins for what needs a GPU.

The steps are read from the files as YAML, and shellcheck has nothing to say of them; the services' variables are set, git is a real repository with a base and a change, and `rooflight` is the
program itself except for `collect`, which copies a capture and makes it another session. What must come out: the status of the gate, and the files that the recipes
promise."""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

try:
    import yaml
except ImportError:
    print("python3-yaml is not installed")
    sys.exit(77)

# Sessions are captures of their own: the same file twice is refused.
OTHER_SESSION = """
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db:
    db.execute("UPDATE session SET os = 'system ' || ?", (sys.argv[2],))
"""
BASE_OF_GITHUB = "${{ github.event.pull_request.base.sha }}"
ALTERNATELY = ["base-1.rlcap", "new-1.rlcap", "new-2.rlcap", "base-2.rlcap", "base-3.rlcap", "new-3.rlcap"]
STAND_IN = """#!/bin/bash
[[ $1 == collect ]] || exec "$PROGRAM_UNDER_TEST" "$@"
while [[ $1 != -o ]]; do shift; done
case $2 in *base*) from=$BASE;; *) from=$NEW;; esac
cp "$from" "$2"
number=$(wc -l < "$ORDER")
python3 - "$2" "$number" <<< "$OTHER_SESSION"
echo "${2##*/}" >> "$ORDER"
while [[ $1 != -- ]]; do shift; done
shift
"$@"
"""


def steps_of_github(recipes):
    """The steps of the workflow's job that run a shell, those of its action in the action's place: scripts, each with its variables."""
    read = lambda name: yaml.safe_load((recipes / name).read_text())
    action = read("action.yml")
    assert action["runs"]["using"] == "composite" and all(step["shell"] == "bash" for step in action["runs"]["steps"])
    step = next(step for step in read("github.yml")["jobs"]["rooflight"]["steps"] if step.get("uses") == "./.github/actions/rooflight")
    unknown = set(step["with"]) - set(action["inputs"])
    assert not unknown, f"github.yml gives action.yml {unknown}"
    given = {name: step["with"].get(name, row.get("default")) for name, row in action["inputs"].items()}
    value = lambda text: re.sub(r"\$\{\{ inputs\.([a-z]+) \}\}", lambda found: given[found[1]], text)
    return [(one["run"], {name: value(text) for name, text in one.get("env", {}).items()}) for one in action["runs"]["steps"]]


def steps_of_gitlab(recipes):
    """The lines of 'script:', which one shell runs, and the variables."""
    job = yaml.safe_load((recipes / "gitlab.yml").read_text())["rooflight"]
    return [("\n".join(job["script"]) + "\n", {name: str(text) for name, text in job["variables"].items()})]


def complaints_of_shellcheck(name, steps):
    if not shutil.which("shellcheck"):
        return
    for script, _ in steps:
        done = subprocess.run(["shellcheck", "--shell", "bash", "-"], input=script, capture_output=True, text=True, check=False)
        if done.returncode:
            yield f"{name}: {done.stdout}"


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
    base = make_repository(folder)
    stand_in = folder / "bin" / "rooflight"
    stand_in.parent.mkdir()
    stand_in.write_text(STAND_IN)
    stand_in.chmod(0o755)
    (folder / "order").touch()
    environment = {
        **os.environ, "PATH": f"{stand_in.parent}:{os.environ['PATH']}", "PROGRAM_UNDER_TEST": settings.program,
        "BASE": str(captures[0]), "NEW": str(captures[1]),
        "ORDER": str(folder / "order"), "OTHER_SESSION": OTHER_SESSION, "GITHUB_STEP_SUMMARY": str(folder / "summary.md"), "CI_MERGE_REQUEST_DIFF_BASE_SHA": base,
    }
    for script, variables in steps:
        variables = {name: base if text == BASE_OF_GITHUB else text for name, text in variables.items()}
        result = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script], cwd=folder,
                                env={**environment, **variables}, capture_output=True, text=True, check=False)
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
        if name == "github.yml" and (folder / "summary.md").read_text() != text:
            complaints.append(f"{name}: the review is not the job's summary")
        if "- **Gate**: " not in text or not text.startswith("**"):
            complaints.append(f"{name}: the summary does not begin with the verdict, or does not say what the gate says")
        return complaints


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--captures", required=True)
    parser.add_argument("--recipes", required=True)
    parser.add_argument("--samples", required=True)
    settings = parser.parse_args()
    recipes, made, programs = (pathlib.Path(path).resolve() for path in (settings.recipes, settings.captures, f"{settings.samples}/programs"))
    cases = [((made / "normal.rlcap", made / "again.rlcap"), 0), ((made / "normal.rlcap", made / "after.rlcap"), 3),
             ((made / "incomplete.rlcap", made / "normal.rlcap"), 4),
             ((programs / "transpose-before-h200.rlcap", programs / "transpose-after-h200.rlcap"), 0),
             ((programs / "transpose-after-h200.rlcap", programs / "transpose-before-h200.rlcap"), 3)]
    complaints = []
    for name, read in (("github.yml", steps_of_github), ("gitlab.yml", steps_of_gitlab)):
        steps = read(recipes)
        assert sum(len(script.splitlines()) for script, _ in steps) >= 6, f"{name} was not understood"
        complaints += complaints_of_shellcheck(name, steps)
        for captures, expected in cases:
            complaints += check(name, steps, settings, captures, expected)
    print("\n".join(complaints))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
