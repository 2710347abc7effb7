"""Plants secrets in every text of captures, makes redacted documents of them, and looks for the secrets in all that comes out.

    redact.py --program PROGRAM --captures DIR --definitions FILE          exit status 0 passed, 1 failed, 77 cannot be tried here
"""
import argparse
import pathlib
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

CANNOT_TRY = 77
EACH = 5
# What else may tell where, by whom or for whom something was run, besides the rows of secrets.def; {} is what must not be seen.
FORMS = ("--password {}", "Authorization: Bearer {}", "postgres://user:{}@db/x", "at 10.214.{}.7", "2001:db8:{}::5", "00:1b:{}:22:33:44",
         "s3://{}/data", "registry.{}.example/team/image:1.2", "{}@corp.example", "person@{}.example", "GPU-{}-1111-2222-3333-444455556666",
         "/home/{}/x.cu:12", "'/data/My {}/x'", "-/srv/{}", "_/srv/{}", "C:\\Users\\{}\\x", "\\\\server\\{}", "~{}/x", "$HOME/{}",
         "data/{}/part.parquet", "https://{}.corp.example/a?b", "node-{}.cluster.local", "PROJECT={}")
# Without the words of these an analysis finds next to nothing; they are planted in the captures of a second round.
NEEDED = {("gpu", "name"), ("gpu", "chip"), ("variant", "name"), ("claim", "subject"), ("claim", "baseline"), ("claim", "quantity"),
          ("ceiling_run", "ceiling"), ("counter_name", "name"), ("process", "rank"), ("kernel", "timing"), ("experiment", "name"),
          ("session", "counters")}


def secrets(definitions):
    """Texts by what must not be seen of them: five of each row of secrets.def and of FORMS. Of letters that are no hexadecimal digits."""
    letters, upper = "ghijklmnopqrstuvwxyz", "GHIJKLMNOPQRSTUVWXYZ"
    alphabets = {"DIGITS_UPPER": upper + "123456789", "HEX": "0123456789abcdef"}
    chance, made = random.Random(1), {}
    rows = definitions.read_text()
    rows = rows[rows.index("*/"):]
    kinds = [(f"{start}{{}}", alphabets.get(alphabet, letters + upper + "123456789"), int(least) + 4)
             for start, alphabet, least in re.findall(r'^SECRET\("[^"]*", "([^"]*)", (\w+), (\d+)\)', rows, re.M)]
    kinds += [(f"{'' if int(alone) else 'x_'}{name}={{}}", letters, 10)
              for name, alone in re.findall(r'^NAME\("(\w+)", (\d)\)', rows, re.M)]
    kinds += [(f"{words}{{}}", letters, 14) for words in re.findall(r'^BEHIND\("[^"]*", "([^"]*)"\)', rows, re.M)]
    kinds += [(form, letters, 10) for form in FORMS] + [("{}", alphabets["HEX"], 32), ("GPU{}", alphabets["HEX"], 32)]
    for form, alphabet, length in kinds:
        for _ in range(EACH):
            word = "".join(chance.choice(alphabet) for _ in range(length))
            made[word] = form.replace("{}", word)
    assert len(kinds) >= 40 and len(made) >= 200 and all(RUN.fullmatch(word) for word in made)
    return made


# What is made into one document; hosts of ranks are known where there are processes.
SETS = (("normal",), ("links",), ("program", "rank-0"), ("full",), ("stalls",), ("inference",))
COMPARED = (("normal", "after", "links"), ("stalls", "stalls-after"))


def every_text(base):
    """Table and column of all texts, from the schema of a capture."""
    tables = [name for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    return {(table, row[1]) for table in tables for row in base.execute(f"PRAGMA table_info({table})") if row[2] == "TEXT"}


def refuses_texts(program, capture, folder, table, column):
    """Whether a capture is not read with a text of ours in that column; None: this one has nothing there."""
    changed = shutil.copy(capture, folder / "changed.rlcap")
    with sqlite3.connect(changed) as base:
        base.execute(f"UPDATE {table} SET {column} = CAST({column} AS TEXT) || ' ' || ? WHERE id = "
                     f"(SELECT min(id) FROM {table} WHERE {column} IS NOT NULL)", (next(iter(SECRETS.values())) + " and words",))
        changes = base.total_changes
    base.close()
    if not changes:
        return None
    done = subprocess.run([program, "show", "--json", changed], capture_output=True, timeout=120, check=False)
    return done.returncode == 1 and table.encode() in done.stderr


def refused(program, capture):
    """All texts of the schema, and those of them that hold one of a few words, or digits."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        with sqlite3.connect(capture) as base:
            texts = every_text(base)
        base.close()
        answers = {text: refuses_texts(program, capture, folder, *text) for text in texts}
    empty = sorted(text for text, answer in answers.items() if answer is None)
    assert not empty, f"the capture has no text in {empty}"
    return texts, {text for text, answer in answers.items() if answer}


def plant(path, texts, planted, everywhere):
    """All secrets into each column, shared out among its rows."""
    with sqlite3.connect(path) as base:
        there = {name for name, in base.execute("SELECT name FROM sqlite_master")}
        for table, column in sorted(text for text in texts if text[0] in there):  # a capture may lack optional tables
            ids = [row[0] for row in base.execute(f"SELECT id FROM {table} WHERE {column} IS NOT NULL")]
            if not ids or ((table, column) in NEEDED) != everywhere:
                continue
            ids = ids[:len(SECRETS)]
            for place, row in enumerate(ids):
                text = " " + "\n".join(list(SECRETS.values())[place::len(ids)])
                base.execute(f"UPDATE {table} SET {column} = CAST({column} AS TEXT) || ? WHERE id = ?", (text, row))
            planted.add((table, column))
        # samples are told of kernels that are called as their functions are
        names = base.execute("SELECT mangled FROM kernel WHERE mangled IS NOT NULL ORDER BY id").fetchall()
        for (name,), (function,) in zip(names, base.execute("SELECT id FROM pc_function ORDER BY id").fetchall()):
            base.execute("UPDATE pc_function SET name = ? WHERE id = ?", (name, function))
    base.close()


RUN = re.compile(r"[A-Za-z0-9]{10,}")  # what can hold a secret, of which the shortest has so many letters


def found(data):
    """The first secret in the bytes, also where a page breaks it."""
    if data[:5] == b"%PDF-" and b"/FlateDecode" in data:
        return next((word for word in SECRETS if word.encode() in data), None)
    text = data.decode("utf-8", "replace")
    squeezed = re.sub(r"[\s\u00ad-]+", "", text)  # text of a page may be broken anywhere
    runs = "\n".join({*RUN.findall(text), *RUN.findall(squeezed)})
    return next((f"{word} of {SECRETS[word]}" for word in SECRETS if word in runs), None)


def run(*command, **more):
    done = subprocess.run([str(part) for part in command], capture_output=True, timeout=120, check=False, **more)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}: status {done.returncode}: {done.stderr.decode(errors='replace')}")
    return done.stdout


def outputs(program, folder, captures):
    """Name and bytes of everything that a redacted document consists of."""
    (folder / "charts").mkdir()
    charts = ("--charts", folder / "charts") if len(captures) == 1 and "normal" in captures[0].name else ()
    run(program, "report", "-q", "--redact", *charts, "-o", folder / "out.pdf", *captures)
    run(program, "report", "-q", "--redact", "--html", "-o", folder / "out.html", *captures)
    yield "the document in HTML", (folder / "out.html").read_bytes()
    run(program, "extract", "-q", "-o", folder / "copy.rlcap", folder / "out.pdf")
    yield from document(folder, "out.pdf")
    yield "the attached capture's bytes", (folder / "copy.rlcap").read_bytes()
    with sqlite3.connect(folder / "copy.rlcap") as base:
        yield "the attached capture as SQL", "\n".join(base.iterdump()).encode()
    base.close()
    for form in ("--json", "--csv", "--markdown"):
        yield f"show {form}", run(program, "show", form, "copy.rlcap", cwd=folder)
    if "stalls" in captures[0].name:
        assert b"Hottest lines" in run("pdftotext", folder / "out.pdf", "-"), "no line is told of"
        for form in ("--json", "--csv", "--markdown"):
            yield f"show --source {form}", run(program, "show", "--source", ".", form, "copy.rlcap", cwd=folder)
    if "inference" in captures[0].name:
        for option in ("--timeline", "--gaps", "--brief"):
            for form in ("--json", "--markdown", *(() if option == "--brief" else ("--csv",))):
                yield f"show {option} {form}", run(program, "show", option, form, "copy.rlcap", cwd=folder)
    for chart in sorted((folder / "charts").iterdir()):
        yield f"chart {chart.name}", chart.name.encode() + (chart.read_bytes() if chart.suffix == ".svg" else b"")


def document(folder, name):
    """The parts of a PDF, without streams' compression as qpdf writes it, and the captures that it carries."""
    run("qpdf", "--qdf", "--stream-data=uncompress", folder / name, folder / "plain.pdf")
    yield f"{name}: text", run("pdftotext", folder / name, "-")
    yield f"{name}: properties", run("pdfinfo", folder / name)
    yield f"{name}: bytes", (folder / name).read_bytes()
    yield f"{name}: bytes, not compressed", (folder / "plain.pdf").read_bytes()


def comparisons(program, folder, captures):
    """The same of comparisons: of two captures, and of a fleet with links and a file that is no capture."""
    forms = (("--json",), ("--markdown",))
    for form in forms:
        yield f"compare {form[0]}", run(program, "compare", "--redact", "--full", "-q", *form, "-o", folder / "pair.pdf", *captures[:2])
    yield from document(folder, "pair.pdf")
    if "stalls" in captures[0].name:
        assert b"Lines whose samples changed" in run("pdftotext", folder / "pair.pdf", "-"), "no line is compared"
    (folder / "fleet").mkdir()
    for capture in captures:
        shutil.copy(capture, folder / "fleet")
    (folder / "fleet" / f"{next(iter(SECRETS))}broken.rlcap").write_text(next(iter(SECRETS)))
    for form in (*forms, ("--csv",)):
        yield f"fleet {form[0]}", run(program, "compare", "--fleet", "--redact", "-q", *form, "-o", folder / "fleet.pdf",
                                      folder / "fleet")
    yield from document(folder, "fleet.pdf")


def check(make, program, folder, captures):
    return [f"{captures[0].name}: {name} has '{found(data)}'" for name, data in make(program, folder, captures) if found(data)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--captures", required=True, type=pathlib.Path)
    parser.add_argument("--definitions", required=True, type=pathlib.Path, help="capture/secrets.def")
    given = parser.parse_args()
    program = given.program.resolve()
    if not all(shutil.which(tool) for tool in ("qpdf", "pdftotext", "pdfinfo")):
        return CANNOT_TRY
    if subprocess.run([program, "help", "report"], capture_output=True).returncode != 0:
        return CANNOT_TRY
    faults, planted = [], set()
    SECRETS.update(secrets(given.definitions))
    texts, refuses = refused(program, given.captures / "full.rlcap")
    texts -= refuses
    for names in (*SETS, *COMPARED):
        for everywhere in (False, True):
            with tempfile.TemporaryDirectory() as folder:
                folder = pathlib.Path(folder)
                copies = [folder / f"{next(iter(SECRETS))}-{name}.rlcap" for name in names]
                for name, copy in zip(names, copies):
                    shutil.copy(given.captures / f"{name}.rlcap", copy)
                    plant(copy, texts, planted, everywhere)
                faults += check(comparisons if names in COMPARED else outputs, program, folder, copies)
    faults += [f"nothing was planted in {table}.{column}" for table, column in sorted((texts | NEEDED) - planted)]
    print(f"{len(SECRETS)} secrets of {len(SECRETS) // EACH} kinds in {len(planted)} columns; {len(refuses)} others refuse any text")
    print("\n".join(faults))
    return 1 if faults else 0


SECRETS = {}
if __name__ == "__main__":
    sys.exit(main())
