"""Words and options of other tools (cli/habits.def): every row can be met, says what it has to say in one line, and does nothing else.

    habits.py --program rooflight --table cli/habits.def
"""
import argparse
import pathlib
import re
import subprocess
import sys

STRING = r'"((?:[^"\\]|\\.)*)"'
WORD = re.compile(rf"^WORD\({STRING},\s*{STRING}\)", re.M)
OPTION = re.compile(r"^OPTION\((.*?)\)$", re.M | re.S)
MEMBER = re.compile(rf"\.(\w+) = (?:{STRING}|'(.)'|(true))")


def run(program, *words):
    return subprocess.run([program, *words], capture_output=True, text=True, timeout=60, check=False, stdin=subprocess.DEVNULL)


def told(done, text):
    """Whether it was refused with that text in one line, and one that names the help."""
    lines = done.stderr.splitlines()
    return done.returncode == 2 and not done.stdout and len(lines) == 2 and lines[0].endswith(text) and lines[1].startswith("try '")


def spellings(letter, name, argument):
    found = [[f"--{name}=x"], [f"--{name}", "x"]] if argument else [[f"--{name}"]]
    return found + ([[f"-{letter}x"] if argument else [f"-{letter}"]] if letter else [])


def options_of(text):
    """Letters and long names of a command's own options, as its help lists them."""
    letters = set(re.findall(r"^  -(\w), --", text, re.M))
    return letters, set(re.findall(r"^ {2}(?:-\w, | {4})--([\w-]+)", text, re.M))


def words(program, table):
    rows = WORD.findall(table)
    if len(rows) < 20:
        yield "WORD: the rows of the table were not found"
    for word, text in rows:
        if not told(run(program, word, "x"), f"there is no command '{word}': {text}"):
            yield f"{word}: {run(program, word, 'x').stderr!r}"
        for command in re.findall(r"'rooflight (\w+)", text):
            if run(program, command, "-h").returncode:
                yield f"{word}: there is no command '{command}'"


def option(program, row):
    members = {name: text or letter or flag for name, text, letter, flag in MEMBER.findall(row)}
    command, name, letter, text = members["command"], members["name"], members.get("letter"), members.get("text", "")
    argument, refused, ours = "argument" in members, "ours" not in members, members.get("ours")
    letters, names = options_of(run(program, command, "-h").stdout)
    if letter in letters or name in names:
        yield f"{command} --{name}: an option of ours has its letter or its name"
    if not refused and ours and ours not in names:
        yield f"{command} --{name}: there is no --{ours}"
    for mentioned in re.findall(r"(?<!\w)--([a-z][\w-]*)", text if "'rooflight" not in text else ""):
        if mentioned not in names:
            yield f"{command} --{name}: there is no --{mentioned}"
    for spelled in spellings(letter, name, argument):
        done = run(program, command, *spelled, "--nonsense")
        if refused and not told(done, text):
            yield f"{command} {spelled}: {done.stderr!r}"
        if not refused and "--nonsense" not in done.stderr and not re.search(rf"--{ours}\b", done.stderr):
            yield f"{command} {spelled}: {done.stderr!r}"


def look(program, table):
    yield from words(program, table)
    rows = OPTION.findall(table)
    if len(rows) < 20 or len(rows) != len(re.findall(r"^OPTION\(", table, re.M)):
        yield "OPTION: a row is not as the head of the table has it"
    for row in rows:
        yield from option(program, row)


def main():
    parser = argparse.ArgumentParser(description="Words and options of other tools: see the head of this file.")
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--table", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    faults = list(look(arguments.program.resolve(), arguments.table.read_text(encoding="utf-8")))
    print("\n".join(faults) or "every row is met")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
