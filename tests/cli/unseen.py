"""What people do not see, and lines that continuous integration obeys, in names of a capture: none of it is in what the program prints."""
import argparse
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
}
COMMANDS = ("::error::taken", "##vso[task.complete]taken", "##teamcity[buildStop]", "##[error]taken")
OURS = "\u2060"  # in Markdown, so that names do not become links
OBEYED = re.compile(r"^\s*::|##(?:vso|teamcity)?\[", re.M)

# Texts that a stranger chooses.
PLACES = (("kernel", "name"), ("kernel", "nvtx"), ("variant", "name"), ("experiment", "name"), ("experiment", "question"), ("gpu", "name"), ("log", "text"),
          ("session", "host"), ("nvtx_range", "name"), ("process", "command"))

OUTPUTS = (
    ("show", "{0}"), ("show", "--brief", "{0}"), ("show", "--markdown", "{0}"), ("show", "--csv", "{0}"), ("show", "--json", "{0}"),
    ("compare", "{0}", "{1}"), ("compare", "--markdown", "{0}", "{1}"), ("compare", "--csv", "{0}", "{1}"), ("compare", "--json", "{0}", "{1}"),
    ("compare", "{0}", "{1}", "--fail-on", "regression=1%", "--junit", "{2}/junit.xml"), ("report", "{0}", "-o", "{2}/x.html"),
    ("report", "{0}", "-o", "{2}/x.pdf"), ("report", "{0}", "-o", "{2}/x.pdf", "--charts", "{2}/charts"),
)


def plant(capture, path, text):
    shutil.copy(capture, path)
    database = sqlite3.connect(path)
    with database:
        for table, column in PLACES:
            database.execute(f'UPDATE "{table}" SET "{column}" = ? || id WHERE "{column}" IS NOT NULL', (text,))
    database.close()


def made(program, command, folder):
    """All that one command has printed and written, as text."""
    run = subprocess.run([program, *command], capture_output=True, timeout=120)
    if run.returncode not in (0, 3, 4):
        yield f"status {run.returncode}", run.stderr.decode()
    yield "standard output", run.stdout.decode()
    yield "standard error", run.stderr.decode()
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if path.suffix == ".pdf":
            yield path.name, subprocess.run(["pdftotext", path, "-"], capture_output=True, check=True).stdout.decode()
        elif path.suffix in (".html", ".svg", ".xml"):
            yield path.name, re.sub(r"base64,[A-Za-z0-9+/=]*|<(script|style)\b.*?</\1>", "", path.read_text(), flags=re.S)
        if path.is_file():
            path.unlink()


def faults(name, text, allowed):
    for kind, character in UNSEEN.items():
        if character in text and character not in allowed:
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
    texts = ["k" + "".join(UNSEEN.values()) + "e", *COMMANDS, *(f"k {command}" for command in COMMANDS)]
    with tempfile.TemporaryDirectory() as folder:
        results = pathlib.Path(folder, "results")
        results.mkdir()
        for capture in arguments.captures:
            for number, text in enumerate(texts):
                path = f"{folder}/planted.rlcap"
                plant(capture, path, text)
                for output in OUTPUTS:
                    command = [part.format(path, capture, results) for part in output]
                    allowed = OURS if "--markdown" in command else "\f"
                    for name, result in made(arguments.program, command, results):
                        found += [f"{capture.name}, text {number}: {' '.join(output)}: {fault}" for fault in faults(name, result, allowed)]
    for fault in found:
        print(fault)
    print(f"{len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
