"""A figure of a kernel reads alike wherever it stands: on a terminal, in Markdown, in the report as HTML and as PDF; CSV and JSON have its number.

    same_cells.py --program rooflight --samples FOLDER --captures FOLDER       exit status 77: no report can be made here, and the rest is alike

A cell is alike where sign and significant digits are: documents have units of their own. There are no exceptions.
"""
import argparse
import csv
import html
import io
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

CAPTURES = ("h200.rlcap", "h100.rlcap", "programs/transformer-h200.rlcap", "programs/transpose-before-h200.rlcap")
# With the significant digits that people see.
COLUMNS = {"launches": 17, "gpu_s": 3, "duration_s.median": 4, "half_width": 2, "useful_bytes_per_second": 4, "metrics.dram_bytes_per_second": 3,
           "metrics.flop_per_second": 3, "roof_share": 3, "metrics.achieved_occupancy": 3, "metrics.theoretical_occupancy": 3}
NAMES = ("id", "label", "experiment", "variant")
# What these columns are called in the tables of the report.
HEADS = {"launches": "launches", "GPU time": "gpu_s", "median time": "duration_s.median", "useful bandwidth": "useful_bytes_per_second",
         "DRAM throughput": "metrics.dram_bytes_per_second", "arithmetic rate": "metrics.flop_per_second", "rate": "metrics.flop_per_second",
         "of roof": "roof_share", "nearest roof": "roof_share", "achieved occupancy": "metrics.achieved_occupancy",
         "theoretical occupancy": "metrics.theoretical_occupancy"}
UNITS = {"": 1, "%": 1e-2, "n": 1e-9, "µ": 1e-6, "m": 1e-3, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}
NUMBER = re.compile(r"([~≥<]?)([0-9][0-9.   ]*(?:e-?[0-9]+)?)")


def said(program, *words):
    return subprocess.run([program, *words], check=True, capture_output=True, text=True, timeout=300, env={**os.environ, "COLUMNS": "400"}).stdout


def plain(text):
    """A cell as it is read: without markup and with blanks of one kind."""
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", "", text))).strip()


def digits(cell, most):
    """Sign and digits, at most so many; None for what is no number."""
    found = NUMBER.match(cell)
    if not found:
        return None
    figures = re.sub(r"[^0-9]", "", found[2].split("e")[0]).lstrip("0") or "0"
    return found[1], figures[:most]


def factor(head):
    """Of the unit at the end of a head: "time µs", "GFLOP/s", "roof %"."""
    unit = head.split()[-1]
    if unit == "%":
        return UNITS["%"]
    found = re.fullmatch(r"([nµmkMGTP]?)(s|B/s|FLOP/s)", unit)
    return UNITS[found[1]] if found else 1


def is_number_of(cell, head, number, most):
    """Whether the number of CSV is the one that people see."""
    sign, shown = digits(cell, most) or ("", None)
    if shown is None or number == "":
        return shown is None and number == "" or cell in ("", "–") and number == ""
    value = float(NUMBER.match(cell)[2].translate({ord(" "): None, ord(" "): None, ord(" "): None})) * factor(head)
    if sign == "<":
        return 0 < float(number) < value
    if not value:
        return float(number) == 0
    last = 10 ** (math.floor(math.log10(value)) + 1 - min(len(shown), most))
    return abs(value - float(number)) <= 0.501 * last


def kernels_of(program, capture):
    """The tables of `show` in four forms, held against one another: rows by name as Markdown has them, faults."""
    choice = ("--columns", ",".join((*NAMES, *COLUMNS)), str(capture))
    lines = [[plain(cell) for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in said(program, "show", "--markdown", *choice).splitlines() if line.startswith("|")]
    heads, rows = lines[0], [[re.sub(r"\\(.)", r"\1", cell) for cell in line] for line in lines[2:]]
    text = said(program, "show", *choice).splitlines()
    numbers = list(csv.DictReader(io.StringIO(said(program, "show", "--csv", *choice))))
    data = {kernel["label"]: kernel for kernel in json.loads(said(program, "show", "--json", str(capture)))["kernels"]}
    faults, terminal = [], [" ".join(line.split()) for line in text]
    for row, number in zip(rows, numbers, strict=True):
        figures = " ".join(" ".join(row[len(NAMES):]).split())
        if not any(line.endswith(figures) for line in terminal):
            faults.append(f"{row[1]}: no line of the terminal has {figures!r}")
        for (column, most), head, cell in zip(COLUMNS.items(), heads[len(NAMES):], row[len(NAMES):], strict=True):
            if not is_number_of(cell, head, number[column], most):
                faults.append(f"{row[1]}: {column}: {cell!r} below {head!r}, and {number[column]!r} as CSV")
            value = data.get(number["label"], {})
            for key in column.split("."):
                value = (value or {}).get(key)
            if number["label"] in data and float(number[column] or "nan") != float("nan" if value is None else value) and (number[column] or value is not None):
                faults.append(f"{row[1]}: {column}: {number[column]!r} as CSV, and {value!r} as JSON")
    names = [(one["experiment"], one["variant"]) if one["variant"] else one["label"] for one in numbers]  # runs of several kernels are no one's
    return {name: dict(zip(COLUMNS, row[len(NAMES):])) for name, row in zip(names, rows) if names.count(name) == 1}, faults


def document_cells(page):
    """Of tables about kernels: section, head without its unit, name of the row, cell, all cells of the row."""
    section = ""
    for part in re.finditer(r"<h2>(.*?)</h2>|<table.*?</table>", page, re.S):
        if part[1] is not None:
            section = plain(part[1])
            continue
        rows = [[plain(cell) for cell in re.findall(r"<t[hd][ >].*?</t[hd]>", row, re.S)] for row in re.findall(r"<tr.*?</tr>", part[0], re.S)]
        heads = rows[0] if rows else []
        at = next((heads.index(name) for name in ("kernel", "variant") if name in heads), None)
        for row in rows[1:] if at is not None else []:
            for head, cell in zip(heads, row):
                yield section, re.sub(r" (%|[nµmkMGTP]?(s|B/s|FLOP/s))$", "", head), row[at], cell, row


def faults_of_report(program, capture, kernels, folder):
    faults, seen = [], 0
    for form in ("html", "pdf"):
        said(program, "report", str(capture), "-o", str(folder / f"report.{form}"), "-q")
    page = (folder / "report.html").read_text(encoding="utf-8")
    pdf = {" ".join(line.split()) for line in subprocess.run(["pdftotext", "-layout", folder / "report.pdf", "-"], check=True, capture_output=True,
                                                            text=True).stdout.splitlines()} if shutil.which("pdftotext") else None
    for section, head, name, cell, row in document_cells(page):
        kernel = kernels.get((section, name), kernels.get(name))
        if not kernel or head not in HEADS:
            continue
        column, most = HEADS[head], COLUMNS[HEADS[head]]
        if digits(cell, most) is None or digits(kernel[column], most) is None:
            continue
        seen += 1
        if digits(cell, most) != digits(kernel[column], most):
            faults.append(f"{capture.name}: {section}: {name}: {head}: {cell!r}, and {kernel[column]!r} in show")
        figures = [" ".join(one.split()) for one in row if re.fullmatch(r"[~≥<]?[0-9][0-9.,   ]*", one)]
        if pdf is not None and figures and not any(re.search(r"(^|\s)" + r"\s.*?".join(map(re.escape, figures)) + r"(\s|$)", line) for line in pdf):
            faults.append(f"{capture.name}: {section}: {name}: no line of the PDF has {figures}")
    return faults, seen


def faults_of_cases(program, capture, folder, reports):
    """The same of cases, whose tables have units in cells: `show --cases` as Markdown against terminal, CSV, JSON, HTML and PDF."""
    shown = ("show", "--cases", str(capture))
    lines = [[re.sub(r"\\(.)", r"\1", plain(cell)) for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in said(program, *shown, "--markdown").splitlines() if line.startswith("|")]
    heads, rows = lines[0], {line[0]: line for line in lines[2:]}
    terminal = [" ".join(line.split()) for line in said(program, *shown).splitlines()]
    data = {case["label"]: case for case in json.loads(said(program, *shown, "--json"))["cases"]}
    columns = {"times": ("timed", 17), "time": ("time_s.median", 4), "gaps": ("gap_share", 3), "rate": ("rate", 3), "of roof": ("roof_share", 3)}
    faults, seen = [], 0
    for number in csv.DictReader(io.StringIO(said(program, *shown, "--csv"))):
        row = rows[number["label"]]
        if " ".join(row).strip() not in terminal:
            faults.append(f"{row[0]}: no line of the terminal has {row}")
        for head, cell in zip(heads, row, strict=True):
            column, most = columns.get(re.sub(r" (%|[nµm]?s)$", "", head), (None, 0))
            if not column:
                continue
            value = data[row[0]]
            for key in column.split("."):
                value = (value or {}).get(key)
            if not is_number_of(cell, cell if column == "rate" and number[column] else head, number[column], most):
                faults.append(f"{row[0]}: {cell!r} below {head!r}, and {number[column]!r} as CSV")
            if (float(number[column]) if number[column] else None) != value:
                faults.append(f"{row[0]}: {column}: {number[column]!r} as CSV, and {value!r} as JSON")
    for form in ("html", "pdf") if reports else ():
        said(program, "report", str(capture), "-o", str(folder / f"report.{form}"), "-q")
    page = (folder / "report.html").read_text(encoding="utf-8") if reports else ""
    pdf = [" ".join(line.split()) for line in subprocess.run(["pdftotext", "-layout", folder / "report.pdf", "-"], check=True, capture_output=True, text=True)
           .stdout.splitlines()] if reports and shutil.which("pdftotext") else None
    for table in re.findall(r"<table.*?</table>", page, re.S):
        cells = [[plain(cell) for cell in re.findall(r"<t[hd][ >].*?</t[hd]>", row, re.S)] for row in re.findall(r"<tr.*?</tr>", table, re.S)]
        for row in cells[1:] if cells and cells[0][:1] == ["case"] else []:
            wanted = [digits(cell, 17) for cell in rows[row[0]][1:]]
            seen += 1
            if [digits(cell, 17) for cell in row[1:]] != wanted:
                faults.append(f"{row[0]}: {row} in the report, and {rows[row[0]]} in show")
            figures = [cell for cell in row[1:] if digits(cell, 17)]
            if pdf is not None and figures and not any(all(figure in line for figure in figures) for line in pdf):
                faults.append(f"{row[0]}: no line of the PDF has {figures}")
    if reports and seen < len(rows):
        faults.append(f"only {seen} of {len(rows)} cases are in the report")
    return [f"{capture.name}: {fault}" for fault in faults]


def main():
    parser = argparse.ArgumentParser(description="Figures that read alike everywhere: see the head of this file.")
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--samples", type=pathlib.Path, required=True)
    parser.add_argument("--captures", type=pathlib.Path, required=True)
    parser.add_argument("--no-reports", action="store_true", help="the program makes none")
    arguments = parser.parse_args()
    program, faults, seen = arguments.program.resolve(), [], 0
    reports = not arguments.no_reports and shutil.which("gnuplot")
    for name in CAPTURES:
        capture = arguments.samples / name
        kernels, found = kernels_of(program, capture)
        faults += [f"{name}: {fault}" for fault in found]
        with tempfile.TemporaryDirectory() as folder:
            found, count = faults_of_report(program, capture, kernels, pathlib.Path(folder)) if reports else ([], 0)
        faults, seen = faults + found, seen + count
    with tempfile.TemporaryDirectory() as folder:
        faults += faults_of_cases(program, arguments.captures / "cases.rlcap", pathlib.Path(folder), reports)
    if reports and seen < 300:
        faults.append(f"only {seen} cells of reports were compared")
    print("\n".join(faults[:40]) or f"{seen} cells of reports are those of show")
    return bool(faults) or (0 if reports else 77)


if __name__ == "__main__":
    sys.exit(main())
