#!/usr/bin/env python3
"""Runs every command that .github/ISSUE_TEMPLATE/card.md asks the owner of a card for, and those of docs/cards.md for them.

    card.py --program PROGRAM --stand-in STAND_IN --source FOLDER

`collect` and `check` need a GPU: there STAND_IN takes a sample for what it measured, with the options and words of the program. What the template says of
their output is held against it: the columns that `check` prints, a capture with answers known on paper, the hash that a row needs."""
import argparse
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

WRAPPER = """#!/bin/sh
case $1 in collect|check) exec "$STAND_IN" "$@" ;; esac
exec "$PROGRAM" "$@"
"""
WITHOUT_GPU = 1  # of the doctor: something is missing here


def blocks(text):
    """Indented blocks, line by line."""
    return [line[4:] for line in re.findall(r"(?m)^    (?=\S).*$", text)]


def inline(text):
    """Commands of the program in backquotes; NAME stands for a back end."""
    return [command for command in re.findall(r"`(rooflight [^`\n]+)`", text) if "NAME" not in command]


class Card:
    def __init__(self, arguments, folder):
        self.folder, self.faults = folder, []
        (folder / "bin").mkdir()
        (folder / "bin/rooflight").write_text(WRAPPER)
        (folder / "bin/rooflight").chmod(0o755)
        self.sample = arguments.source.resolve() / "samples/h200.rlcap"
        self.environment = os.environ | {"PATH": f"{folder}/bin:{os.environ['PATH']}", "PROGRAM": arguments.program, "STAND_IN": arguments.stand_in,
                                         "COLLECT_CAPTURE": str(self.sample), "CHECK_CAPTURE": str(self.sample), "COLUMNS": "200"}

    def expect(self, condition, text):
        if not condition:
            self.faults.append(text)

    def run(self, command):
        done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False, timeout=120)
        allowed = (0, WITHOUT_GPU) if command == "rooflight doctor" else (0,)
        self.expect(done.returncode in allowed, f"'{command}' ends with {done.returncode}: {done.stderr}")
        return done.stdout

    def template(self, text):
        commands = blocks(text)
        said = {command: self.run(command) for command in [*commands, *inline(text)]}
        self.expect(commands and commands[0] == "rooflight collect -o card.rlcap", f"the first command makes the capture: {commands}")
        doctor, answers, digest = (said.get(command, "") for command in ("rooflight doctor", "rooflight check", "sha256sum card.rlcap"))
        for word in ("driver", "CUPTI"):
            self.expect(word in doctor, f"the doctor says nothing of {word}:\n{doctor}")
        header = next((line for line in answers.splitlines() if "expected" in line), "")
        promised = re.search(r"Output of `rooflight check`\*\* \(([^)]*)\)", text)
        self.expect(promised, "the template says which columns `check` prints")
        for column in promised[1].split(", ") if promised else []:
            self.expect(column in header, f"`check` prints no column '{column}': {header}")
        self.expect(digest.split()[:1] == [hashlib.sha256(self.sample.read_bytes()).hexdigest()], f"the hash of the capture: {digest}")

    def page(self, text):
        """What docs/cards.md tells owners of cards: it names the template, and commands that end well."""
        commands = inline(text)
        self.expect("rooflight collect -o card.rlcap" in commands, f"the same command as in the template: {commands}")
        self.expect(".github/ISSUE_TEMPLATE/card.md" in text, "docs/cards.md does not name the template")
        for command in commands:
            self.run(command)
        shown = json.loads(self.run("rooflight show --json card.rlcap") or "{}")
        self.expect("self_check" in {kernel.get("experiment") for kernel in shown.get("kernels", [])}, "the capture has no answers known on paper")


def main():
    parser = argparse.ArgumentParser(description="Runs the commands that owners of cards are asked for.")
    parser.add_argument("--program", required=True)
    parser.add_argument("--stand-in", required=True)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        card = Card(arguments, pathlib.Path(name))
        card.template((arguments.source / ".github/ISSUE_TEMPLATE/card.md").read_text())
        card.page((arguments.source / "docs/cards.md").read_text())
    print("\n".join(card.faults) if card.faults else "card: no fault")
    return 1 if card.faults else 0


if __name__ == "__main__":
    sys.exit(main())
