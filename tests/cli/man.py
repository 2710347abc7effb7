"""Compares the manual pages with the program: every command has a page, no page of section 1 is without a command, and each has the
options of -h in the groups of -h, which is at most a screen of text. Keys of JSON that rooflight-json(5) names are in the schemas, and
pages that one names exist.

    man.py --program PROGRAM --source DIR
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys


MOST_LINES = 60  # of the help of a command


def said(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


def plain(line):
    """A line of the page without its fonts and escapes."""
    line = re.sub(r"\\f(?:.|\(..|\[\w*\])", "", line)
    return line.replace(r"\-", "-").replace(r"\(aq", "'").replace(r"\&", "")


def sections(page):
    """Lines of each section by its title."""
    found, title = {}, None
    for line in page.splitlines():
        head = re.fullmatch(r'\.SH "?([^"]*)"?', line)
        if head:
            title = head.group(1)
            found[title] = []
        elif title:
            found[title].append(line)
    return found


def page_synopsis(page):
    return " ".join(plain(line) for line in sections(page).get("SYNOPSIS", []) if not line.startswith("."))


def page_options(page):
    """Heads of the paragraphs with options: "-o, --output FILE"."""
    lines = sections(page).get("OPTIONS", [])
    return [plain(head) for mark, head in zip(lines, lines[1:]) if mark == ".TP" and plain(head).startswith("-")]


def help_synopsis(text):
    return " ".join(text.split("\n\n")[0].removeprefix("Usage: ").split())


def help_options(text):
    """The first column of the lists of options."""
    heads = [re.match(r" {2}(?: {4})?(-\S.*?)(?: {2}|$)", line) for line in text.splitlines()]
    return [head.group(1) for head in heads if head]


def help_groups(text):
    """Headings of the options, where they are in groups."""
    return [head for head in re.findall(r"(?m)^(\w[\w ]*):$", text) if head != "Options"]


def page_groups(page):
    return [line.removeprefix(".SS ").strip('"') for line in sections(page).get("OPTIONS", []) if line.startswith(".SS ")]


def compare(name, page, text, version):
    """Faults of one page against the help text of its command."""
    if page_synopsis(page) != help_synopsis(text):
        yield f"{name}: SYNOPSIS is '{page_synopsis(page)}', -h says '{help_synopsis(text)}'"
    if page_options(page) != help_options(text):
        yield f"{name}: OPTIONS are {page_options(page)}, -h lists {help_options(text)}"
    if page_groups(page) != help_groups(text):
        yield f"{name}: groups are {page_groups(page)}, -h has {help_groups(text)}"
    if len(text.splitlines()) > MOST_LINES:
        yield f"{name}: -h prints {len(text.splitlines())} lines"
    yield from compare_version(name, page, version)


def compare_version(name, page, version):
    if not re.match(rf'\.TH \S+ 1 "\d{{4}}-\d\d-\d\d" "{re.escape(version)}" ', page):
        yield f"{name}: the head (.TH) does not name {version}"


def compare_overview(name, page, text, version):
    """rooflight.1 lists the commands with their summaries, and the common options."""
    commands = re.findall(r"^  (\w+) +(.+)$", text.split("\nCommands:\n")[1].split("\n\n")[0], re.M)
    listed = re.findall(r"^\.TP\n(\w+)\n(.+)\.$", "\n".join(plain(line) for line in sections(page).get("COMMANDS", [])), re.M)
    if listed != commands:
        yield f"{name}: COMMANDS are {listed}, -h lists {commands}"
    if page_options(page) != help_options(text):
        yield f"{name}: OPTIONS are {page_options(page)}, -h lists {help_options(text)}"
    yield from compare_version(name, page, version)


def formatted(path):
    """What groff warns about."""
    if not shutil.which("groff"):
        print("groff is not installed: the pages were not formatted")
        return
    done = subprocess.run(["groff", "-man", "-k", "-ww", "-z", "-Tutf8", path], capture_output=True, text=True, check=False, timeout=60)
    if done.stderr or done.returncode:
        yield f"{path.name}: {done.stderr.strip()}"


def keys_of(schema):
    """Every key that a schema defines."""
    if isinstance(schema, list):
        return set().union(*map(keys_of, schema))
    if not isinstance(schema, dict):
        return set()
    properties = schema.get("properties", {})
    return (set(properties) if isinstance(properties, dict) else set()).union(*map(keys_of, schema.values()))


def compare_keys(folder):
    page, schemas = folder / "rooflight-json.5", (folder.parent / "schema").glob("*.json")
    known = set().union(*(keys_of(json.loads(schema.read_text())) for schema in schemas))
    named = re.findall(r"\\fB([a-z_0-9]+)\\fR", page.read_text())
    yield from (f"{page.name}: no schema has the key '{key}'" for key in named if key not in known)


def compare_names(folder):
    """Pages that a page names: \\fBrooflight\\-show\\fR(1)."""
    for path in sorted(folder.glob("*.[157]")):
        for name, section in re.findall(r"\\fB(rooflight[\w\\-]*)\\fR\((\d)\)", path.read_text()):
            if not (folder / f"{plain(name)}.{section}").exists():
                yield f"{path.name}: there is no page {plain(name)}({section})"


def look(program, source):
    folder, version = source / "docs/man", said(program, "--version").strip()
    commands = re.findall(r'^COMMAND\("(\w+)"', (source / "cli/commands.def").read_text(), re.M)
    wanted = {"rooflight.1", *(f"rooflight-{command}.1" for command in commands)}
    there = {path.name for path in folder.glob("*.1")}
    yield from (f"docs/man/{name}: is missing" for name in sorted(wanted - there))
    yield from (f"docs/man/{name}: is the page of no command" for name in sorted(there - wanted))
    for command in commands:
        path = folder / f"rooflight-{command}.1"
        if path.exists():
            yield from compare(path.name, path.read_text(), said(program, command, "-h"), version)
    yield from compare_overview("rooflight.1", (folder / "rooflight.1").read_text(), said(program, "-h"), version)
    for path in sorted(folder.glob("*.[157]")):
        yield from formatted(path)
    yield from compare_keys(folder)
    yield from compare_names(folder)


def main():
    parser = argparse.ArgumentParser(description="Compares the manual pages with the program.")
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    faults = list(look(arguments.program.resolve(), arguments.source.resolve()))
    print("\n".join(faults) if faults else "manual pages: no fault")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
