"""`compare --markdown` as GitHub and GitLab render it, for captures of every kind, with names that try to be markup; and the examples of
docs/review.md and docs/data/review-cases.md, which are what the program prints for the captures in samples/.

    review.py --program rooflight --list list_markdown --captures FOLDER --source FOLDER [--update]    --update writes the examples anew
"""
import argparse
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

MOST_LINES, MOST_CHARACTERS = 60, 65000
HEADLINES = r"(FASTER|SLOWER|MIXED|NO CHANGE|UNDECIDED|WRONG RESULT|NOTHING TO COMPARE)\."
HEADS = ["baseline", "candidate", "speedup (CI)", "verdict"]
COUNTED = ["rate", "% of roof", "limited by"]  # behind these, each where a row has it
HOSTILE = ("|a|b|", "`code` ```", "</details><script>", "<!-- x", "::error::x", "##[error]x", "##vso[task.x]", "/close", "@team #12 !3 GH-1", "[a](http://b) ![c](d)",
           "**b** _i_ ~s~ $m$", "a\n\n# heading\n| x |", "x\r::set-output name=a::b", "1. one", "\u202eright to left", "o" + "\u0301" * 30000, "w" * 65000, "\\", "&lt;b&gt;")
# Commands in a comment, of which the last one compares; then what it prints.
FENCE = re.compile(r"(<!-- ((?:rooflight [^\n]*\n)*)rooflight (compare --markdown [^\n]*) -->\n)(.*?)(<!-- end -->\n)", re.S)
HASH = re.compile(r"\b[0-9a-f]{12} \|$", re.M)  # of a file, in which versions of SQLite differ


def run(*command, text=None, statuses=(0,), cwd=None):
    done = subprocess.run(list(map(str, command)), input=text, capture_output=True, text=True, timeout=120, check=False, cwd=cwd)
    if done.returncode not in statuses:
        raise RuntimeError(f"{command}: status {done.returncode}: {done.stderr}")
    return done.stdout


def cells(line):
    """Of a row of a table, as GitHub splits it."""
    return [cell.strip() for cell in re.split(r"(?<!\\)(?:\\\\)*\|", line.strip())[1:-1]]


def faults_of_lines(text):
    lines = text.split("\n")[:-1]
    if not text.endswith("\n") or len(lines) > MOST_LINES or len(text.encode()) > MOST_CHARACTERS:
        yield f"{len(lines)} lines, {len(text.encode())} bytes"
    for line in lines:
        if re.match(r"\s*(::|##\[|/)", line) or "##vso[" in line or re.search(r"[\x00-\x1f\x7f]", line):
            yield f"a line that is a command: {line[:80]!r}"
    if not re.match(rf"\*\*{HEADLINES}\*\* [A-Z]", lines[0]):
        yield f"it does not begin with the verdict: {lines[0][:80]!r}"


def faults_of_tables(text):
    tables = re.findall(r"(?m)(?:^\|.*\n)+", text)
    for table in tables:
        widths = {len(cells(line)) for line in table.splitlines()}
        if len(widths) != 1:
            yield f"rows of {widths} cells: {table[:200]}"
    heads = [[re.sub(r" (n|µ|m)?s$", "", cell) for cell in cells(table.splitlines()[0])] for table in tables]
    if "NOTHING TO COMPARE" not in text and (not heads or heads[0][0] not in ("kernel", "case") or heads[0][1:] != HEADS + [head for head in COUNTED if head in heads[0]]):
        yield f"the first table has the columns {heads[:1]}"
    for row in zip(*map(cells, tables[0].splitlines()[2:])) if tables else ():
        if set(row) <= {"\u2013"}:
            yield f"a column of the first table is empty: {heads[0]}"


def faults_of_structure(text, listed):
    lines = listed.splitlines()
    html = [line[2:].strip() for line in lines if line.startswith("< ") and line[2:].strip() not in ("", "<br>")]
    if [re.sub(r"<summary>.*?</summary>", "", line) for line in html] != ["<details>", "</details>"]:
        yield f"HTML is {html}"
    for name in ("link", "image", "emphasis", "deleted", "math", "rule", "quote", "numbered"):
        if f"+ {name}" in lines:
            yield f"a name became a {name}"
    rows = len(re.findall(r"(?m)^\|", text)) - len(re.findall(r"(?m)^\|[ :|-]+$", text))
    if lines.count("+ row") != rows:
        yield f"{rows} rows are written, {lines.count('+ row')} are read"
    if lines.count("+ code") != 1 or lines[1:3] != ["+ paragraph", "+ strong"]:
        yield f"it begins {lines[1:3]} and has {lines.count('+ code')} blocks of code"


def faults_of(settings, name, *words, statuses=(0,), cwd=None):
    text = run(settings.program, "compare", "--markdown", "-q", *words, statuses=statuses, cwd=cwd)
    listed = run(settings.list, text=text)
    yield from (f"{name}: {fault}" for fault in [*faults_of_lines(text), *faults_of_tables(text), *faults_of_structure(text, listed)])


def rename(capture, renamed, first):
    """Kernels and arguments get hostile names, from that one on; they are the same in every capture."""
    shutil.copy(capture, renamed)
    names = HOSTILE[first:] + HOSTILE[:first]
    with sqlite3.connect(renamed) as db:
        for table, column in (("kernel", "name"), ("argument", "text")):
            for number, (row,) in enumerate(db.execute(f"SELECT id FROM {table} ORDER BY {'mangled' if table == 'kernel' else 'id'}").fetchall()):
                db.execute(f"UPDATE {table} SET {column} = ? WHERE id = ?", (f"{names[number % len(names)]}{number // len(names) or ''}", row))
        db.execute("UPDATE session SET driver = ?, tool_version = ?", (names[0], names[2]))


def faults_of_hostile(settings, folder):
    """A suite once; a program of two kernels so often that each has had every name."""
    programs = [settings.source / "samples/programs" / f"transpose-{side}-h200.rlcap" for side in ("before", "after")]
    rounds = [((settings.captures / "normal.rlcap", settings.captures / "after.rlcap"), 0)]
    rounds += [(programs, first) for first in range(0, len(HOSTILE), 2)]
    for pair, first in rounds:
        names = [folder / name for name in ("|base`.rlcap", "new<details>.rlcap")]
        for capture, name in zip(pair, names):
            rename(capture, name, first)
        yield from faults_of(settings, f"hostile {first}", "--fail-on", "default", *names, statuses=(0, 3, 4))


def faults_of_benchmarks(settings, folder):
    """A thousand cases without kernels, names that try to be markup among them: as many are in the table as there is room for."""
    for side in (0, 1):
        rows = "".join(f'{row},"{HOSTILE[row % len(HOSTILE)].replace(chr(34), "").replace(chr(10), " ").replace(chr(13), " ")}",{(row + 1) * (1 + side * (row % 7) / 20)}\n'
                       for row in range(1000) for _ in range(20))
        (folder / f"{side}.csv").write_text("M,name,time_us\n" + rows, encoding="utf-8")
        run(settings.program, "import", "-q", "-o", folder / f"{side}.rlcap", "--csv-time", "time_us", "--csv-case", "M,name", folder / f"{side}.csv")
    yield from faults_of(settings, "benchmarks", "--fail-on", "default", folder / "0.rlcap", folder / "1.rlcap", statuses=(3,))
    text = run(settings.program, "compare", "--markdown", "-q", folder / "0.rlcap", folder / "1.rlcap")
    if "**SLOWER.** By geometric mean 1000 cases take " not in text or "- 982 cases more" not in text:
        yield f"benchmarks: {text[:300]}"


def examples(settings, text):
    """The document with its examples as the program prints them now."""
    def printed(found):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "samples").symlink_to(settings.source / "samples")
            for line in found[2].splitlines():
                run(settings.program, *line.split()[1:], cwd=folder)
            return f"{found[1]}\n{run(settings.program, *found[3].split(), cwd=folder)}\n{found[5]}"

    return FENCE.sub(printed, text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    for name in ("program", "list", "captures", "source"):
        parser.add_argument(f"--{name}", type=lambda text: pathlib.Path(text).resolve(), required=True)
    parser.add_argument("--update", action="store_true")
    settings = parser.parse_args()
    documents, faults = [settings.source / name for name in ("docs/review.md", "docs/data/review-cases.md")], []
    texts = [document.read_text(encoding="utf-8") for document in documents]
    for document, text in zip(documents, texts):
        anew = examples(settings, text)
        if settings.update:
            document.write_text(anew, encoding="utf-8")
        elif HASH.sub("", anew) != HASH.sub("", text):
            faults.append(f"{document.name}: examples are not what the program prints: review.py --update writes them")
    if len(re.findall(r"(?m)^\| case ", "".join(texts))) != 2 or len(FENCE.findall("".join(texts))) != 3:
        faults.append("there are not two examples by case and one by kernel")
    captures = settings.captures
    for base, new in ((captures / "normal.rlcap", captures / "after.rlcap"), (captures / "after.rlcap", captures / "normal.rlcap"),
                      (captures / "normal.rlcap", captures / "again.rlcap"), (captures / "incomplete.rlcap", captures / "normal.rlcap"),
                      (captures / "normal.rlcap", captures / "program.rlcap"),
                      (captures / "cases.rlcap", captures / "cases-after.rlcap"), (captures / "cases-after.rlcap", captures / "cases.rlcap")):
        faults += faults_of(settings, f"{base.name} {new.name}", "--fail-on", "default", base, new, statuses=(0, 3, 4))
    with tempfile.TemporaryDirectory() as folder:
        faults += faults_of_hostile(settings, pathlib.Path(folder))
        faults += faults_of_benchmarks(settings, pathlib.Path(folder))
    print("\n".join(faults) or "review: no fault")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
