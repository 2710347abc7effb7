"""Renders every page of reports with two readers: no page is blank or black, and those that have a chart show it.

    pages.py --program PROGRAM --captures DIR --samples DIR          exit status 0 passed, 1 failed, 77 cannot be tried here

The report of a program is short, its type readable and no number cut; every kernel with a block in the reports of the sample programs has
the same limiter and resources in PDF, HTML and the terminal.

Poppler's pictures say how much of a page is covered, with its words and without; MuPDF counts what is drawn and has nothing to warn of.
"""
import argparse
import csv
import html
import io
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import few_classes
import many_classes

CANNOT_TRY = 77
MANY = 5000  # kernel classes of the document that is called so
LAUNCHES = 1000000  # with a time each, of another
DOTS_PER_INCH = 20
LIGHT = 250  # a pixel below this has ink
# Shares of a page with ink: of any page, of the last, which may have a few lines alone, of one with a chart besides its words, and of one
# without a chart.
INK, LAST, CHART, NO_CHART = (0.015, 0.5), 0.003, 0.0305, 0.03
NO_STROKES = 15  # lines that are drawn where there is no chart: tables and rules have a few
# Programs of few kernels, which have little on their first pages.
FEW = tuple((f"few-{count}{'-timeless' if is_timeless else ''}.rlcap", count, is_timeless) for count in (1, 2, 4) for is_timeless in (False, True))
FEW_BUT = "dot,nstream,float"  # kernels that none of them has: what is left is limited by DRAM, and has no findings
# Document, how it is made (CAPTURE names a file of --captures, SAMPLE one of --samples), its pages with a chart that fills a good part
# of them and the fewest lines there, and its pages without a chart; "" is the first page. Axes alone are some 100 lines less.
DOCUMENTS = (
    ("sample", ("report", "SAMPLE:h200.rlcap"), {"Roofline": 110, "register_pressure": 40}, ()),
    ("other sample", ("report", "SAMPLE:h100.rlcap"), {"Roofline": 110}, ()),
    ("sample in full", ("report", "SAMPLE:h200.rlcap", "--full"),
     {"Roofline": 110}, ("Hardware",)),
    ("sample, letter", ("report", "SAMPLE:h200.rlcap", "--paper", "letter", "--only", "cover,roofline"),
     {"Roofline": 110}, ()),
    ("published figures", ("report", "SAMPLE:published/a100-sxm4-40gb.csv"), {}, ()),
    ("review", ("compare", "SAMPLE:programs/transpose-before-h200.rlcap", "SAMPLE:programs/transpose-after-h200.rlcap"), {}, ()),
    ("two GPUs", ("compare", "SAMPLE:h100.rlcap", "SAMPLE:h200.rlcap"), {"Speedup by kernel": 100}, ()),
    ("program", ("report", "CAPTURE:program.rlcap"), {"Kernels": 40}, ()),
    ("real program", ("report", "SAMPLE:programs/transformer-h200.rlcap"),
     {"Timeline": 25, "Roofline": 60, "3 nvjet": 60}, ()),
    ("program of its own time steps", ("report", "SAMPLE:programs/lulesh-h200.rlcap"), {"Timeline": 25, "Roofline": 60}, ()),
    ("two processes and GPUs", ("report", "SAMPLE:programs/ddp-2xh200.rlcap"), {"Timeline": 25}, ()),
    ("program with hot lines", ("report", "SAMPLE:programs/transpose-after-h200.rlcap"), {"Timeline": 25, "Roofline": 60}, ()),
    ("program with cases", ("report", "SAMPLE:programs/cases-softmax-new.rlcap"), {"Roofline": 60}, ()),
    ("program of fourteen kernels", ("report", "SAMPLE:programs/babelstream-h200.rlcap"), {"Timeline": 25, "Roofline": 60}, ()),
    ("empty program", ("report", "CAPTURE:empty.rlcap"), {}, ()),
    ("many classes", ("report", "MANY:many.rlcap"), {}, ()),
    ("many launches", ("report", "MANY:launches.rlcap"), {}, ()),
    *((f"{count} kernels{' without a timeline' if is_timeless else ''}", ("report", f"MANY:{name}"), {"Roofline" if count > 1 else "Kernels": 60}, ())
      for name, count, is_timeless in FEW),
    ("kernel of many shapes", ("report", "CAPTURE:families.rlcap"), {"Performance, FLOP/s": 60}, ()),
    ("before and after", ("compare", "CAPTURE:normal.rlcap", "CAPTURE:after.rlcap", "--project", "T4"),
     {}, ("Matched, added and removed",)),
    ("cards", ("compare", "CAPTURE:normal.rlcap", "CAPTURE:other-card.rlcap", "CAPTURE:links.rlcap"),
     {"Speedup by kernel": 35}, ()),
    ("projected", ("compare", "SAMPLE:h200.rlcap", "--project", "H100-SXM5-80GB,T4"), {"": 40, "Speedup by kernel": 40},
     ("Projected to T4: modelled, not measured",)),
)


OF_TIME = r"· [\d.]+ % of GPU time"  # ends the heading of a kernel's block
LEAST_COMPARED = 40  # kernels with a block in the documents of the sample programs
SMALLEST = 8.5  # points
MOST_PAGES = {"sample": 24, "other sample": 24, "real program": 10, "program of its own time steps": 9, "two processes and GPUs": 10,
              "program with hot lines": 10, "program with cases": 10, "program of fourteen kernels": 10, "kernel of many shapes": 10,
              "empty program": 1, "many classes": 10, "many launches": 10,
              **{document[0]: 10 for document in DOCUMENTS if "MANY:few" in document[1][1]},
              "published figures": 1, "review": 1, "two GPUs": 3}
SUITES = ("sample", "other sample")
LEAST_TABLES = 20  # of variants, in these
LEAST_FILLED = 0.6  # of the height between head and foot of each page but the last, in these documents
HEAD, FOOT = 0.055, 0.94  # of the height of a page
NAME = 11  # the same of headings within a section, at least
HEADING = 14  # points from the lowest to the highest of a word: those of sections have more, texts below them less


def run(*command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=120)
    if done.returncode or done.stderr.strip():
        raise RuntimeError(f"{command[0]} ended with {done.returncode} and says: {done.stderr.strip()}")
    return done.stdout


class Picture:
    """A page in grey."""

    def __init__(self, path):
        data = path.read_bytes()
        head = re.match(rb"P5\s+(\d+)\s+(\d+)\s+255\s", data)
        self.width, self.height, self.dots = int(head[1]), int(head[2]), bytearray(data[head.end():])

    def ink(self):
        return sum(dot < LIGHT for dot in self.dots) / len(self.dots)

    def filled(self):
        """How far down the space between head and foot is used."""
        first, last = int(self.height * HEAD), int(self.height * FOOT)
        rows = (row for row in range(last - 1, first, -1) if min(self.dots[row * self.width:(row + 1) * self.width]) < LIGHT)
        return (next(rows, first) - first) / (last - first)

    def wipe(self, left, top, right, bottom):
        """Makes a box white, in dots."""
        first, last = max(0, int(left)), min(self.width, int(right) + 1)
        for row in range(max(0, int(top)), min(self.height, int(bottom) + 1)):
            self.dots[row * self.width + first:row * self.width + last] = b"\xff" * (last - first)


class Page:
    def __init__(self, picture, boxes, trace, text):
        self.lines = [line.strip() for line in text.splitlines() if line.strip()]
        self.ink, self.filled = picture.ink(), picture.filled()
        words = [tuple(map(float, box)) for box in
                 re.findall(r'<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)"', boxes)]
        foot = FOOT * float(re.search(r'height="([\d.]+)"', boxes)[1])
        last = max((word for word in words if word[3] < foot), key=lambda word: word[3], default=(0, 0, 0, 0))
        self.stranded = last[3] - last[1] >= HEADING
        top = HEAD * float(re.search(r'height="([\d.]+)"', boxes)[1])
        first = min((word for word in words if word[1] > top), key=lambda word: word[1], default=(0, 0, 0, 0))
        self.is_named = first[3] - first[1] >= NAME or "continued" in self.lines[0]
        for box in words:
            picture.wipe(*(side * DOTS_PER_INCH / 72 for side in box))
        self.drawn, self.strokes = picture.ink(), trace.count("<stroke_path")
        self.smallest = min((float(size) for size in re.findall(r' trm="([\d.]+) 0 0 [\d.]+"', trace)), default=SMALLEST)
        self.cut = re.findall(r"(?<!\S)(?:[\d.]*\d…\S*|[kMGTP]?(?:B|FLOP|op|inst|txn)/?…\S*|…(?!\S))", text)


def pages_of(pdf, folder):
    run("pdftoppm", "-r", DOTS_PER_INCH, "-gray", pdf, folder / "page")
    pictures = sorted(folder.glob("page-*.pgm"))
    parts = (run("pdftotext", "-bbox", pdf, "-").split("<page ")[1:], run("mutool", "trace", pdf).split("<page ")[1:],
             run("pdftotext", "-layout", pdf, "-").split("\f")[:-1])
    if not pictures or any(len(part) != len(pictures) for part in parts):
        raise RuntimeError(f"readers disagree about the number of pages: {len(pictures)}, {', '.join(str(len(part)) for part in parts)}")
    pages = [Page(Picture(picture), *rest) for picture, *rest in zip(pictures, *parts)]
    for picture in pictures:
        picture.unlink()
    return pages


def page_called(title, pages):
    """The page whose second line, below the header, begins with the title, or that has it as a line of its own further down."""
    if not title:
        return pages[0]
    return next((page for page in pages if page.lines[1:2] and page.lines[1].startswith(title)),
                next((page for page in pages[1:] if title in page.lines), None))


def faults_of(pages, charted, plain):
    for number, page in enumerate(pages, 1):
        if not (LAST if number == len(pages) > 1 else INK[0]) <= page.ink <= INK[1]:
            yield f"page {number}: {100 * page.ink:.1f} % of it has ink"
        if page.stranded:
            yield f"page {number}: a heading is the last line"
    for title, least in charted.items():
        page = page_called(title, pages)
        if not page:
            yield f"no page is called '{title}'"
        elif page.drawn < CHART or page.strokes < least:
            yield f"'{title or 'first page'}' shows no chart: {100 * page.drawn:.1f} % drawn, {page.strokes} lines"
    for title in plain:  # else the bounds above would say nothing
        page = page_called(title, pages)
        if not page:
            yield f"no page is called '{title}'"
        elif page.drawn > NO_CHART or page.strokes > NO_STROKES:
            yield f"'{title}', which has no chart, is taken for one that has: {100 * page.drawn:.1f} % drawn, {page.strokes} lines"


def faults_of_length(pages, most):
    if len(pages) > most:
        yield f"{len(pages)} pages, at most {most}"
    for number, page in enumerate(pages[:-1], 1):
        if page.filled < LEAST_FILLED:
            yield f"page {number}: {100 * page.filled:.0f} % full"
    for number, page in enumerate(pages, 1):
        if not page.is_named and number > 1:
            yield f"page {number}: begins with '{page.lines[1]}', and nothing says what it belongs to"
        if page.smallest < SMALLEST - 0.01:
            yield f"page {number}: type of {page.smallest} points"
        if page.cut:
            yield f"page {number}: numbers are cut: {page.cut}"


def faults_of_tables(pages):
    """Tables of variants that are divided, or come before their chart: each has the method below its chart between it and the one before."""
    charted, tables = False, 0
    for number, page in enumerate(pages, 1):
        for line in page.lines:
            if re.match(r"(Median of|One figure each)", line):
                charted = True
            elif re.match(r"variant\b.*\bn\b", line):
                if not charted:
                    yield f"page {number}: a table of variants is divided, or comes before its chart"
                charted, tables = False, tables + 1
    if tables < LEAST_TABLES:
        yield f"only {tables} tables of variants were found"


def blocks_of(text, heading, end):
    """The blocks of kernels in a document, by number."""
    blocks = {}
    for match in re.finditer(heading, text):
        rest = text[match.start():]
        stop = re.search(end, rest[match.end() - match.start():])
        blocks[int(match[1])] = rest[:match.end() - match.start() + stop.start()] if stop else rest
    return blocks


def words_of(page):
    """The words of a page of HTML, headings behind "# "."""
    return html.unescape(re.sub(r"<[^>]+>", "", re.sub(r"<h\d[^>]*>", "\n# ", page))).replace("\u00a0", " ").replace("\u202f", " ")


def kernels_of(program, capture):
    """Ids, those with the most time first; GPUs of the sample programs are alike, and their documents have one block for a kernel."""
    table = csv.DictReader(io.StringIO(run(program, "show", "--csv", "--columns", "id,gpu_s", capture)))
    kernels = {}
    for row in table:
        kernels[row["id"]] = kernels.get(row["id"], 0) + float(row["gpu_s"] or 0)
    return sorted(kernels, key=kernels.get, reverse=True)


def block_differs(brief, block, is_paged):
    """What the terminal says of a kernel, and its block not: the name, the limiter, each resource with share, interval and kind of roof."""
    name = re.search(r"(?m)^k\w{5} (.+)$", brief)[1]
    limiter = re.search(r"(?m)^  limited by  ([^:\n]+)", brief)[1]
    wanted = [" ".join(part.split()) for part in name.split("\u2026")] + ["Limiter unknown: " if limiter == "unknown" else "Limited by " + limiter]
    yield from (f"no '{part}'" for part in wanted if part not in " ".join(block.split()))
    for label, figure, roof in re.findall(r"(?m)^(\S.*?\S) {2,}(~?[\d.]+ ±[\d.]+)  (theoretical|measured)$", brief):
        figure = f"{figure} {'p' if roof == 'theoretical' else 'm'}"
        if not any(label in line and figure in line for line in (block.splitlines() if is_paged else [block])):
            yield f"no '{label}' with '{figure}'"


def kernels_differ(program, capture, folder):
    """Returns how many kernels were compared, and faults: blocks of kernels in PDF and HTML that differ from the terminal."""
    for ending in ("pdf", "html"):
        run(program, "report", capture, "-q", "-o", folder / f"kernel.{ending}")
    paged = run("pdftotext", "-layout", folder / "kernel.pdf", "-")
    media = {"PDF": blocks_of(paged, r"(?m)^ *(\d+) +\S.*%s$" % OF_TIME, r"(?m)^ *\d+ +\S.*%s$|^Other kernels$|^Evidence$" % OF_TIME),
             "HTML": blocks_of(words_of((folder / "kernel.html").read_text()), r"\n# (\d+) +\S.*%s" % OF_TIME, r"\n# ")}
    faults, compared = [], 0
    faults += [f"HTML: shortened: '{name.strip()}'" for name in re.findall(r">([^<>]*…[^<>]*)<", re.sub(r"(?s)<svg(?:(?!</svg>).)*Arithmetic intensity.*?</svg>", "", (folder / "kernel.html").read_text()))]
    for chart in re.findall(r"(?s)<svg(?:(?!</svg>).)*(?:Arithmetic intensity|per transaction).*?</svg>", (folder / "kernel.html").read_text()):
        texts = re.findall(r"<text[^>]*>(DRAM|L2)</text>", chart)
        faults += [f"HTML: a roof without its rate: {name}" for name in set(texts) if texts.count(name) > 1]  # once: its mark
    faults += [f"PDF: code is cut: '{line.strip()}'" for table in re.findall(r"(?s)\nHottest .*?\n\n", paged)
               for line in table.splitlines() if "…" in line]
    if media["PDF"].keys() != media["HTML"].keys() or not media["PDF"]:
        return 0, faults + [f"blocks in PDF {sorted(media['PDF'])}, in HTML {sorted(media['HTML'])}"]
    kernels = kernels_of(program, capture)
    for number in media["PDF"]:
        kernel = kernels[number - 1]
        brief = run(program, "show", "--brief", "--kernel", f"^{kernel}$", capture)
        compared += 1
        faults += [f"{kernel}: {medium}: {fault}" for medium, blocks in media.items()
                   for fault in block_differs(brief, blocks[number], medium == "PDF")]
    return compared, faults


def made(program, folder, folders, command, name="document.pdf"):
    pdf = folder / name
    words = []
    for word in command:
        place, _, file = word.partition(":")
        words.append(folders[place] / file if file else word)
    run(program, *words, "-q", "-o", pdf)
    return pdf


def places_of(arguments):
    """Where the captures of DOCUMENTS are, and the temporary folder among these, which lasts as long as its object."""
    many = tempfile.TemporaryDirectory()
    source = arguments.samples / "programs/transformer-h200.rlcap"
    many_classes.make(source, pathlib.Path(many.name, "many.rlcap"), MANY)
    many_classes.make_launches(source, pathlib.Path(many.name, "launches.rlcap"), LAUNCHES)
    for name, count, is_timeless in FEW:
        few_classes.make(arguments.samples / "programs/babelstream-h200.rlcap", pathlib.Path(many.name, name), count, FEW_BUT,
                         few_classes.OF_TIMELINES if is_timeless else ())
    return many, {"CAPTURE": arguments.captures, "SAMPLE": arguments.samples, "MANY": pathlib.Path(many.name)}


def main():
    parser = argparse.ArgumentParser(description="Renders the pages of reports and looks for ink.")
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--captures", type=pathlib.Path, required=True)
    parser.add_argument("--samples", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    missing = [tool for tool in ("pdftoppm", "pdftotext", "mutool", "gnuplot") if not shutil.which(tool)]
    if missing:
        print(f"SKIPPED: no {', '.join(missing)}")
        return CANNOT_TRY
    many, folders = places_of(arguments)
    faults, rendered, lengths = [], 0, {}
    for name, command, charted, plain in DOCUMENTS:
        with tempfile.TemporaryDirectory() as folder:
            try:
                pages = pages_of(made(arguments.program, pathlib.Path(folder), folders, command), pathlib.Path(folder))
                found = list(faults_of(pages, charted, plain))
            except RuntimeError as error:
                pages, found = [], [str(error)]
        rendered += len(pages)
        lengths[name] = len(pages)
        if name in MOST_PAGES:
            found += faults_of_length(pages, MOST_PAGES[name])
        if name in SUITES:
            found += faults_of_tables(pages)
        faults += [f"{name}: {fault}" for fault in found]
    if lengths["many launches"] != lengths["real program"]:
        faults.append(f"{LAUNCHES} launches take {lengths['many launches']} pages, {lengths['real program']} with fewer")
    compared = 0
    for capture in sorted((arguments.samples / "programs").glob("*.rlcap")):
        with tempfile.TemporaryDirectory() as folder:
            count, found = kernels_differ(arguments.program, capture, pathlib.Path(folder))
        compared += count
        faults += [f"{capture.name}: {fault}" for fault in found]
    if compared < LEAST_COMPARED:
        faults.append(f"only {compared} kernels were compared in PDF, HTML and terminal")
    many.cleanup()
    print("\n".join(faults) if faults else f"{rendered} pages rendered, {compared} kernels compared: no fault")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
