"""Figures of pages are those of the JSON: both are printed of the same capture, and 30 and more are compared with each other.

    figures.py --program PROGRAM --source DIR          exit status 0 passed, 1 failed, 77 cannot be tried here
"""
import argparse
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import less_known

CANNOT_TRY = 77
LEAST = 30  # figures that must have been compared with each other
MOST_PAGES = 24  # of a suite with all counters
PREFIXES = ((1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1, ""), (1e-3, "m"), (1e-6, "\u00b5"), (1e-9, "n"))


def digits(value, count=3):
    """A number with so many significant digits, as pages print it."""
    if value == 0:
        return "0"
    places = max(0, count - 1 - math.floor(math.log10(abs(value))))
    text = f"{value:.{places}f}"
    return digits(float(text), count) if len(text.replace(".", "").lstrip("0")) > count and places else text


def scaled(value, unit, count=3):
    """With an SI prefix: "4.63 TB/s"."""
    for factor, prefix in PREFIXES:
        if abs(value) >= factor * 0.9995:
            return f"{digits(value / factor, count)} {prefix}{unit}"
    return f"{value} {unit}"


def percent(share):
    return digits(100 * share)


def plain(text):
    return text.replace("\u00a0", " ").replace("\u202f", " ")


class Document:
    """A report of a sample, line by line, and what `show` says of it."""

    def __init__(self, program, source, sample):
        capture = source / "samples" / sample
        self.json = json.loads(subprocess.run([program, "show", "--json", str(capture)], capture_output=True, text=True, check=True).stdout)
        with tempfile.TemporaryDirectory() as folder:
            pdf = pathlib.Path(folder) / "document.pdf"
            subprocess.run([program, "report", "-q", str(capture), "-o", str(pdf)], check=True, timeout=240)
            text = subprocess.run(["pdftotext", "-layout", str(pdf), "-"], capture_output=True, text=True, check=True).stdout
        self.pages = [[" ".join(plain(line).split()) for line in page.split("\n")] for page in text.split("\f")]
        self.held, self.missing = 0, []

    def hold(self, page, start, figure):
        """Whether a line of the page that begins so has the figure."""
        self.held += 1
        lines = [line for line in self.pages[page] if line.startswith(start)]
        if not any(f" {figure} " in f" {line} ".replace(";", " ").replace(",", " ").replace(".  ", " ") for line in lines):
            self.missing.append(f"page {page + 1}, '{start}': no {figure} in {lines}")


def hold_card(document):
    """Each ceiling of the first page, with its shares."""
    rows = 0
    for ceiling in document.json["ceilings"]:
        if not ceiling["measured"] or not any(re.match(rf"{re.escape(ceiling['label'])} [0-9]", line) for line in document.pages[0]):
            continue
        rows += 1
        figure, unit = scaled(ceiling["measured"]["median"], ceiling["unit"], 4).split(" ")
        start = f"{ceiling['label']} {figure}"
        document.hold(0, start, unit)
        document.hold(0, start, percent(ceiling["share_of_limit"]))
        if ceiling["share_of_data_sheet"]:
            document.hold(0, start, percent(ceiling["share_of_data_sheet"]))
        if ceiling["sustained"]:
            document.hold(0, start, scaled(ceiling["sustained"]["median"], "", 4).split(" ")[0])
    if rows < 18:
        document.missing.append(f"page 1 has {rows} ceilings")


def hold_experiments(document):
    """Median times of variants, on the pages of their experiments."""
    glance = next(n for n, lines in enumerate(document.pages) if "Experiments at a glance" in lines)
    for experiment, variant in (("coalescing", "stride_1"), ("transpose", "tiled"), ("bank_conflicts", "column"), ("unroll", "4")):
        kernel = next(k for k in document.json["kernels"] if (k["experiment"], k["variant"]) == (experiment, variant))
        median = kernel["duration_s"]["median"]
        page = next(n for n, lines in enumerate(document.pages) if n > glance and experiment in lines)  # labels of charts stand before
        texts = {digits(median * factor, 4) for factor in (1e3, 1e6)}
        document.held += 1
        lines = [line for lines in document.pages[page:page + 2] for line in lines if line.startswith(f"{variant} ")]
        if not any(text in line.split() for text in texts for line in lines):
            document.missing.append(f"{experiment}/{variant}: none of {texts} in {lines}")


def hold_program(document):
    """The first page of a program: its kernels, what limits them, what to do."""
    program = document.json["program"]
    for limiter in program["limiters"]:  # by their shares in the first sentence, or by their time in the time budget
        document.held += 1
        texts = (f"{percent(limiter['share'])} %", *(f" {digits(limiter['gpu_s'] * factor)} " for factor in (1, 1e3)))
        if limiter["share"] >= 0.005 and not any(text in line for line in document.pages[0] for text in texts):
            document.missing.append(f"limiter {limiter}")
    for number, action in enumerate(program["actions"], 1):
        if number > 3 and action["saving_s"] is None:
            continue
        seconds = action["saving_s"] if action["saving_s"] is not None else action["concerns_s"]
        document.held += 1
        at = next(i for i, line in enumerate(document.pages[0]) if line.startswith(f"{number} {action['problem'][0].upper()}"))
        if scaled(seconds, "s") not in " ".join(document.pages[0][at:at + 3]):
            document.missing.append(f"action {action}")
    for kernel in program["kernels"][:6]:
        start = kernel["label"][:18]
        document.hold(0, start, f"~{scaled(kernel['gpu_s'], 's')}")
        document.hold(0, start, percent(kernel["share"]))
    document.hold(0, "The GPU was idle", f"{percent(program['gpus'][0]['idle'])} %")


def hold_unknown(document):
    """The first page of a program: what is unknown of it."""
    actions, limiters = document.json["program"]["actions"], document.json["program"]["limiters"]
    unknown = next(limiter for limiter in limiters if limiter["limiter"] == "unknown")
    page = " ".join(re.sub(r" page \d+$", "", line) for line in document.pages[0])
    said = [f"{percent(unknown['share'])} %", "limiter unknown"]
    document.held += len(said)
    document.missing += [f"page 1: no '{text}'" for text in said if text not in page]
    if unknown["share"] < 0.1 or not actions:
        document.missing.append(f"too much is known: {unknown}, {actions}")


def wrong_groups(program, source):
    """What is wrong with the second page of two GPUs: kernels stand by limiter, in each group the largest shortfall first."""
    with tempfile.TemporaryDirectory() as folder:
        pdf = pathlib.Path(folder) / "cards.pdf"
        captures = [str(source / "samples" / name) for name in ("h100.rlcap", "h200.rlcap")]
        subprocess.run([program, "compare", "-q", *captures, "-o", str(pdf)], stdout=subprocess.DEVNULL, check=True, timeout=240)
        lines = subprocess.run(["pdftotext", "-layout", "-f", "2", "-l", "2", str(pdf), "-"], capture_output=True, text=True, check=True).stdout
    groups = []
    for line in lines.partition("Speedup by kernel")[2].splitlines():
        row = re.search(r"([\d.]+)\u00d7 \([^)]*\) of ([\d.]+)\u00d7", line)
        if row and groups:
            groups[-1].append(float(row.group(2)) / float(row.group(1)))
        elif re.fullmatch(r" *[A-Za-z][^\u00d7]*", line) and " / " not in line and len(line.strip()) < 40 and not row:
            groups.append([])
    groups = [group for group in groups if group]
    fails = len(groups) < 4 or [max(group) for group in groups] != sorted((max(group) for group in groups), reverse=True)
    return fails or any(later > earlier + 0.02 for group in groups for earlier, later in zip(group, group[1:]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    options = parser.parse_args()
    if not shutil.which("pdftotext"):
        print("pdftotext is not here")
        return CANNOT_TRY
    card = Document(options.program, options.source, "h200.rlcap")
    hold_card(card)
    hold_experiments(card)
    program = Document(options.program, options.source, "programs/transformer-h200.rlcap")
    hold_program(program)
    with tempfile.TemporaryDirectory() as folder:
        partly = Document(options.program, options.source, less_known.make(
            options.source / "samples/programs/transformer-h200.rlcap", pathlib.Path(folder).resolve() / "partly.rlcap"))
    hold_program(partly)
    hold_unknown(partly)
    pages = len(Document(options.program, options.source, "h200.rlcap").pages) - 1  # a form feed ends each
    if pages > MOST_PAGES:
        print(f"a suite with all counters takes {pages} pages, not {MOST_PAGES}")
    missing = card.missing + program.missing + partly.missing
    if wrong_groups(options.program, options.source):
        missing.append("two GPUs: kernels are not grouped by limiter, or not by shortfall")
    for line in missing:
        print(line)
    held = card.held + program.held + partly.held
    if held < LEAST:
        print(f"only {held} figures were held against the JSON")
    return 1 if missing or held < LEAST or pages > MOST_PAGES else 0


if __name__ == "__main__":
    sys.exit(main())
