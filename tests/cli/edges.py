"""Every number that a capture can hold has a document: each column of captures is set to edges of its range, the same in all rows. What the
reader refuses is fine; what it takes has a report and a comparison with the untouched capture, without a figure that is none.

Every day the first capture has the ends of the ranges, and the others, whose columns it has, too, the largest number; --all: every edge in all."""
import argparse
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

EDGES = {"INTEGER": (0, 1, 2**62 - 1), "REAL": (0.0, 1.0, -1.0, 1e-300, 1.7976931348623157e308)}
OF_EVERY_DAY = {"INTEGER": (0, 2**62 - 1), "REAL": (0.0, -1.0, 1.7976931348623157e308)}
NO_FIGURE = re.compile(r"(?<![\w/(])[-+\u2212]?(?:inf|nan)(?![\w/-])")
# What is not text: style, script, pictures and fonts.
NO_TEXT = re.compile(r"<(script|style)\b.*?</\1>|base64,[A-Za-z0-9+/=]*", re.S)


def columns(capture):
    """(table, column, type) of all numbers that are no references, of tables with rows."""
    with sqlite3.connect(capture) as database:
        for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            references = {row[3] for row in database.execute(f'PRAGMA foreign_key_list("{table}")')} | {"id"}
            if database.execute(f'SELECT EXISTS (SELECT 1 FROM "{table}")').fetchone()[0]:
                for _, column, kind, *_ in database.execute(f'PRAGMA table_info("{table}")'):
                    if kind in EDGES and column not in references:
                        yield table, column, kind


def changed(capture, path, table, column, value):
    """A copy whose column holds the value wherever it holds one; False: its schema forbids that."""
    shutil.copy(capture, path)
    database = sqlite3.connect(path)
    try:
        with database:
            database.execute(f'UPDATE "{table}" SET "{column}" = ? WHERE "{column}" IS NOT NULL', (value,))
        return True
    except sqlite3.Error:
        return False
    finally:
        database.close()


def faults(program, command):
    """What is wrong with a document; None: the capture was refused."""
    document = pathlib.Path(command[-1])
    document.unlink(missing_ok=True)
    run = subprocess.run([program, *command], capture_output=True, text=True, errors="replace", timeout=120)
    if run.returncode == 1 and "changed.rlcap'" in run.stderr:
        return None
    if run.returncode not in (0, 3, 4) or not document.exists():
        return f"status {run.returncode}: {run.stderr.strip()[-300:]}"
    nonsense = NO_FIGURE.search(NO_TEXT.sub("", document.read_text(errors="replace")))
    return f"'{nonsense.string[max(nonsense.start() - 40, 0):nonsense.end() + 20]}'" if nonsense else ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("captures", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    failed, drawn, seen = 0, 0, set()
    with tempfile.TemporaryDirectory() as folder:
        path, document = f"{folder}/changed.rlcap", f"{folder}/document.html"
        for capture in arguments.captures:
            for table, column, kind in columns(capture):
                values = EDGES[kind] if arguments.all else OF_EVERY_DAY[kind][-1:] if (table, column) in seen else OF_EVERY_DAY[kind]
                seen.add((table, column))
                for value in values:
                    if not changed(capture, path, table, column, value):
                        continue
                    for command in (["report", path, "-o", document], ["compare", str(capture), path, "-o", document]):
                        fault = faults(arguments.program, command)
                        if fault is None:
                            break
                        drawn += 1
                        if fault:
                            failed += 1
                            print(f"{capture.name}: {table}.{column} = {value}: {command[0]}: {fault}")
    print(f"{drawn} documents, {failed} of them wrong")
    return 1 if failed or not drawn else 0


if __name__ == "__main__":
    sys.exit(main())
