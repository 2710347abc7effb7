"""What people do not see, and lines that continuous integration obeys, in names of a capture: none of it is in what the program prints."""
import argparse
import contextlib
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

UNSEEN = {  # one of each kind
    "tag": "\U000e0061", "zero width space": "\u200b", "joiner": "\u200d", "no-break": "\ufeff", "selector": "\ufe0f", "supplement": "\U000e0100",
    "override": "\u202e", "isolate": "\u2066", "mark": "\u200e", "soft hyphen": "\u00ad", "filler": "\u3164", "escape": "\x1b", "separator": "\u2028",
    "grapheme joiner": "\u034f", "Arabic mark": "\u061c", "Hangul filler": "\u115f", "inherent vowel": "\u17b4", "Mongolian selector": "\u180b",
    "invisible times": "\u2062", "word joiner": "\u2060", "deprecated shaping": "\u206f", "text selector": "\ufe00", "halfwidth filler": "\uffa0", "annotation": "\ufff9",
    "shorthand": "\U0001bca0", "beam": "\U0001d173", "cancelled tag": "\U000e007f", "unassigned tag": "\U000e0fff", "delete": "\x7f", "C1": "\x9b",
}
# A blank of Unicode at the beginning of a line is taken off it by some.
COMMANDS = ("::error::taken", "##vso[task.complete]taken", "##teamcity[buildStop]", "##[error]taken", "\u00a0::error::taken", "\u3000::add-mask::taken",
            "k\r\n::error::taken")
OBEYED = re.compile(r"^\s*::|##(?:vso|teamcity)?\[", re.M)

OUTPUTS = (
    ("show", "{0}"), ("show", "--brief", "{0}"), ("show", "--brief", "--kernel", ".", "{0}"), ("show", "--cases", "{0}"), ("show", "--markdown", "{0}"), ("show", "--csv", "{0}"), ("show", "--json", "{0}"),
    ("compare", "{0}", "{1}"), ("compare", "--markdown", "{0}", "{1}"), ("compare", "--csv", "{0}", "{1}"), ("compare", "--json", "{0}", "{1}"),
    ("compare", "{0}", "{1}", "--fail-on", "regression=1%", "--junit", "{2}/junit.xml"),
    ("show", "--csv", "--columns", "all", "{0}"), ("show", "--csv", "{0}", "-o", "{2}/{3}.csv"), ("show", "{2}/{3}"),
)
# No service reads them for lines to obey.
DOCUMENTS = (("compare", "{0}", "{1}", "-o", "{2}/x.html"), ("report", "{0}", "-o", "{2}/x.html"),
             ("report", "{0}", "-o", "{2}/x.pdf", "--charts", "{2}/charts"))


def plant(capture, path, text, places):
    shutil.copy(capture, path)
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        for table, column in places:
            database.execute(f'UPDATE "{table}" SET "{column}" = ? || rowid WHERE "{column}" IS NOT NULL', (text,))


def places(program, capture, path):
    """Columns whose texts a stranger chooses: those that take any."""
    with contextlib.closing(sqlite3.connect(capture)) as database:
        columns = [(table, column[1]) for table, in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
                   for column in database.execute(f'PRAGMA table_info("{table}")') if column[2].upper() == "TEXT"]
    for table, column in columns:
        try:
            plant(capture, path, "any", [(table, column)])
        except sqlite3.IntegrityError:
            continue
        if subprocess.run([program, "show", "--brief", path], capture_output=True, timeout=120).returncode == 0:
            yield table, column


def made(program, command, folder):
    """All that one command has printed and written, as text."""
    run = subprocess.run([program, *command], capture_output=True, timeout=120)
    if run.returncode not in (0, 3, 4) and b"no such file" not in run.stderr:
        yield f"status {run.returncode}", run.stderr.decode()
    yield "standard output", run.stdout.decode()
    yield "standard error", run.stderr.decode()
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if path.suffix == ".pdf":
            for reader in (["pdftotext", path, "-"], ["pdfinfo", path], ["pdfinfo", "-meta", path], ["pdftohtml", "-i", "-xml", "-stdout", path]):
                read = subprocess.run(reader, capture_output=True, check=True).stdout.decode()
                yield f"{path.name} by {reader[0]}", read.replace('<?xpacket begin="\ufeff"', "")  # as XMP begins
        elif path.suffix in (".html", ".svg", ".xml"):
            yield path.name, re.sub(r"base64,[A-Za-z0-9+/=]*|<(script|style)\b.*?</\1>", "", path.read_text(), flags=re.S)
        if path.is_file():
            path.unlink()


def faults(name, text):
    for kind, character in UNSEEN.items():
        if character in text:
            yield f"{name}: a character that nobody sees ({kind})"
    obeyed = OBEYED.search(text)
    if obeyed:
        yield f"{name}: a line to obey: {text[obeyed.start():obeyed.end() + 40]!r}"
    if name.startswith("status"):
        yield f"{name}: {text[-200:]}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("captures", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    found = []
    if not shutil.which("pdftotext"):
        return 77
    unseen = "k" + "".join(UNSEEN.values()) + "e"
    texts = [unseen, *COMMANDS, *(f"k {command}" for command in COMMANDS)]
    with tempfile.TemporaryDirectory() as folder:
        results = pathlib.Path(folder, "results")
        results.mkdir()
        path = f"{folder}/planted.rlcap"
        for capture in arguments.captures:
            chosen = list(places(arguments.program, capture, path))
            if ("kernel", "name") not in chosen or len(chosen) < 20:
                found.append(f"{capture.name}: not many texts: {chosen}")
            for number, text in enumerate(texts):
                plant(capture, path, text, chosen)
                for output in (*OUTPUTS, *(DOCUMENTS if text == unseen else ())):
                    command = [part.format(path, capture, results, text) for part in output]
                    for name, result in made(arguments.program, command, results):
                        found += [f"{capture.name}, text {number}: {' '.join(output)}: {fault}" for fault in faults(name, result)]
    for fault in found:
        print(fault)
    print(f"{len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
