"""Plants secrets in every text of captures, makes redacted documents of them, and looks for the secrets in all that comes out.

    redact.py --program PROGRAM --captures DIR          exit status 0 passed, 1 failed, 77 cannot be tried here
"""
import argparse
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

CANNOT_TRY = 77
UUID = "0badc0de-1234-4321-abcd-00deadbeef00"
# Each has "zz9" in it, which is nothing else.
SECRETS = (" by zz9user on zz9node.zz9.example, at '/home/zz9user/zz9 dir/zz9.bin', zz9dir/zz9.bin, $ZZ9/zz9, zz9@zz9.org, "
           f"C:\\zz9\\zz9.cu, GPU-{UUID}")
WHOLE = {("session", "host"): "zz9node.zz9.example", ("process", "host"): "zz9rank", ("gpu", "uuid"): f"GPU-{UUID}",
         ("argument", "text"): "zz9out.rlcap", ("process", "command"): "zz9train --zz9 zz9"}
# Words that are checked, numbers as text, and what a driver calls a product.
LEFT = {("session", "started"), ("session", "source"), ("gpu", "name"), ("gpu", "chip"), ("process", "rank"), ("variant", "name"),
        ("claim", "subject"), ("claim", "baseline"), ("claim", "quantity"), ("ceiling_run", "ceiling"), ("ceiling_run", "unit"),
        ("gpu_fact", "fact"), ("gpu_reading", "reading"), ("counter_name", "name")}
# What is made into one document; hosts of ranks are known where there are processes.
SETS = (("normal",), ("links",), ("program", "rank-0"))
COMPARED = ("normal", "after", "links")


def plant(path, secrets, planted):
    """Into each text of each row; but not into those whose words are checked."""
    with sqlite3.connect(path) as base:
        for (table,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            columns = [row[1] for row in base.execute(f"PRAGMA table_info({table})") if row[2] == "TEXT"]
            for column in columns:
                if (table, column) in LEFT or column in ENUMERATED.get(table, ()):
                    continue
                text = WHOLE.get((table, column))
                if (table, column) in WHOLE:
                    base.execute(f"UPDATE {table} SET {column} = ?", (text,))
                else:
                    base.execute(f"UPDATE {table} SET {column} = {column} || ? WHERE {column} IS NOT NULL", (secrets,))
                planted.add((table, column))
    base.close()


# Columns that hold one of a few words.
ENUMERATED = {"missing": ("state",), "counter_name": ("kind",), "gpu_moment": ("moment",), "claim": ("relation",),
              "variant": ("status", "result", "measure"), "event": ("kind",), "pass": ("cache",), "log": ("level",),
              "process": ("end",), "transfer": ("direction", "memory"), "link": ("via",), "link_run": ("traffic",)}


# What is looked for in packed bytes, where three letters may stand by chance.
LONG = re.compile(rb"(?i)zz9(user|node|rank|dir|out|train|broken|\.bin|\.cu|\.org)")


def found(data):
    if data[:5] == b"%PDF-" and b"/FlateDecode" in data:
        hit = LONG.search(data)
        return hit and repr(data[max(0, hit.start() - 30):hit.end()])
    text = data.decode("utf-8", "replace").lower()
    squeezed = re.sub(r"[\s\u00ad-]+", "", text)  # text of a page may be broken anywhere
    hits = [m.start() for m in re.finditer("zz9", text)] or [m.start() for m in re.finditer("zz9", squeezed)]
    where = text if "zz9" in text else squeezed
    if hits:
        return where[max(0, hits[0] - 60):hits[0] + 30]
    return UUID if UUID.replace("-", "") in squeezed else None


def run(*command, **more):
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, timeout=120, **more).stdout


def outputs(program, folder, captures):
    """Name and bytes of everything that a redacted document consists of."""
    (folder / "charts").mkdir()
    charts = ("--charts", folder / "charts") if len(captures) == 1 and "normal" in captures[0].name else ()
    run(program, "report", "-q", "--redact", *charts, "-o", folder / "out.pdf", *captures)
    run(program, "extract", "-q", "-o", folder / "copy.rlcap", folder / "out.pdf")
    yield from document(folder, "out.pdf")
    yield "the attached capture's bytes", (folder / "copy.rlcap").read_bytes()
    with sqlite3.connect(folder / "copy.rlcap") as base:
        yield "the attached capture as SQL", "\n".join(base.iterdump()).encode()
    base.close()
    for form in ("--json", "--csv", "--markdown"):
        yield f"show {form}", run(program, "show", form, "copy.rlcap", cwd=folder)
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
        yield f"compare {form[0]}", run(program, "compare", "--redact", "-q", *form, "-o", folder / "pair.pdf", *captures[:2])
    yield from document(folder, "pair.pdf")
    (folder / "fleet").mkdir()
    for capture in captures:
        shutil.copy(capture, folder / "fleet")
    (folder / "fleet" / "zz9broken.rlcap").write_text("nothing")
    for form in (*forms, ("--csv",), ("--values",)):
        yield f"fleet {form[0]}", run(program, "compare", "--fleet", "--redact", "-q", *form, "-o", folder / "fleet.pdf",
                                      folder / "fleet")
    yield from document(folder, "fleet.pdf")


def check(make, program, folder, captures):
    return [f"{captures[0].name}: {name} has '{found(data)}'" for name, data in make(program, folder, captures) if found(data)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--captures", required=True, type=pathlib.Path)
    given = parser.parse_args()
    program = given.program.resolve()
    if not all(shutil.which(tool) for tool in ("qpdf", "pdftotext", "pdfinfo")):
        return CANNOT_TRY
    if subprocess.run([program, "help", "report"], capture_output=True).returncode != 0:
        return CANNOT_TRY
    faults, planted = [], set()
    for names in (*SETS, COMPARED):
        secrets = SECRETS + (", zz9rank:zz9/x.cu" if "program" in names else "")
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            copies = [folder / f"zz9{name}.rlcap" for name in names]
            for name, copy in zip(names, copies):
                shutil.copy(given.captures / f"{name}.rlcap", copy)
                plant(copy, secrets, planted)
            faults += check(comparisons if names == COMPARED else outputs, program, folder, copies)
    missing = {place for place in WHOLE if place not in planted}
    faults += [f"nothing was planted in {table}.{column}" for table, column in sorted(missing)]
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
