"""No quantity of a document has two values: every figure of its tables, headings, charts and sentences is read from the HTML, with the name
of what it is of, and whatever is there twice is compared.

    one_value.py --program PROGRAM --samples DIR --captures DIR          exit status 0 passed, 1 failed, 77 cannot be tried here

A figure's name is its kernel or section, the words that begin its row, and the head of its column; in a chart the label on its row; in a
sentence a phrase of PHRASES. Two values agree when one is the other, rounded to fewer digits.
"""
import argparse
import collections
import html
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import many_classes

CANNOT_TRY = 77
MANY = 5000  # kernel classes of the capture that is called so
# Captures of the document, and how many quantities it has that are there twice at least: so many were compared.
DOCUMENTS = (
    (("SAMPLE:programs/transformer-h200.rlcap",), 98),
    (("SAMPLE:programs/transpose-before-h200.rlcap",), 20),
    (("SAMPLE:programs/cases-softmax-new.rlcap",), 20),
    (("SAMPLE:programs/ddp-2xh200.rlcap",), 40),
    (("SAMPLE:programs/lulesh-h200.rlcap",), 94),
    (("SAMPLE:programs/babelstream-h200.rlcap",), 40),
    (("SAMPLE:h200.rlcap",), 50),
    (("SAMPLE:h100.rlcap",), 50),
    (("SAMPLE:published/a100-sxm4-40gb.csv",), 0),
    (("CAPTURE:rank-0.rlcap", "CAPTURE:rank-1.rlcap"), 4),  # a job on two GPUs, with collectives
    (("CAPTURE:inference.rlcap",), 3),
    (("CAPTURE:empty.rlcap",), 0),
    (("MANY",), 9),
)
NUMBER = r"[~\u2265\u2264<>]?[-+\u2212]?\d[\d .]*"
UNIT = r"(?:%|[num\u00b5]?s|[kMGTP]?(?:B|FLOP|op|inst|txn)(?:/s)?|[MG]Hz|W|\u00d7)"
LEGEND = rf"(kernels|memcpy, memset alone|idle|counter collection) ({NUMBER} [num\u00b5]?s)$"  # of a timeline
# Rows of the time budget, and rows of what else has the same quantity.
SAME = {"GPU idle: host work": "host work", "GPU idle: launch latency": "launch latency", "GPU idle: synchronisation": "synchronisation"}
# What sentences say of the whole document.
PHRASES = {
    "idle": rf"GPU was idle for ({NUMBER} %)",
    "idle of": rf"GPU was idle for [\d.]+ % of ({NUMBER} m?s)",
    "wall time": rf"({NUMBER} m?s) wall time",
    "counter collection": rf"({NUMBER} m?s) of counter collection",
    "GPU time of kernels": rf"of the ({NUMBER} m?s) in kernels",
    "host work": rf"({NUMBER} %) of (?:the|[\d.]+ m?s) wall time while the host did other work",
    "GPU time": rf"GPU time ({NUMBER} m?s)",
}
TOKEN = re.compile(r"<(h[123])\b[^>]*>(.*?)</\1>|(<table.*?</table>)|(<svg.*?</svg>)|(<p\b.*?</p>)", re.S)
KERNEL = re.compile(rf"^\d+ (\S.*?) ({NUMBER}[m\u00b5n]?s) \u00b7 ({NUMBER} %) of GPU time")


def plain(markup):
    text = html.unescape(re.sub(r"<[^>]+>", " ", markup))
    return " ".join(re.sub(r"[\u00a0\u202f\u2007\u2009]", " ", text).split())


def parsed(text):
    """Value, half of the last digit that is printed, and unit; None: it does not begin with a number."""
    found = re.match(rf"({NUMBER})\s*({UNIT})?", text)
    if not found:
        return None
    digits = found[1].strip().lstrip("~\u2265\u2264<>").replace(" ", "").replace("\u2212", "-").rstrip(".")
    try:
        value = float(digits)
    except ValueError:
        return None
    unit = found[2] or ""
    power = {"n": -9, "\u00b5": -6, "m": -3, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15}.get(unit[:1], 0) if len(unit) > 1 else 0
    places = len(digits.partition(".")[2])
    return value * 10 ** power, 0.5 * 10 ** (power - places), unit[1:] if power else unit


class Figures:
    def __init__(self):
        self.of = collections.defaultdict(list)  # name: (value, half, where)

    def add(self, name, text, where):
        figure = parsed(text)
        if figure:
            self.of[(*name, figure[2])].append((figure[0], figure[1], f"{text.strip()} in {where}"))

    def faults(self):
        for name, figures in self.of.items():
            for value, half, where in figures[1:]:
                first, first_half, first_where = figures[0]
                if abs(value - first) > (half + first_half) * (1 + 1e-9) and not math.isclose(value, first):
                    yield f"{' / '.join(map(str, name))}: {first_where}, {where}"
                    break

    def compared(self):
        return sum(len(figures) > 1 for figures in self.of.values())


def short(name):
    """A name that tables and titles may shorten: both ends are kept."""
    return name[:4] + name.split("\u2026")[-1][-12:]


def of_ceiling(figures, row, section):
    for column in ("measured", "theoretical", "data sheet"):
        if row.get(column):
            figures.add(("roof", row["roof"], column), row[column], section)


def of_variant(figures, experiment, row):
    """What the overview of a suite has of a variant: its time, or a rate."""
    columns = [column.rpartition(" ") for column in row]
    times = "time per operation" if any(name == "time per operation" for name, _, _ in columns) else "median time"
    for (name, _, unit), value in zip(columns, row.values()):
        if name in (times, "useful bandwidth"):
            figures.add((experiment, row["variant"], "result"), f"{value} {unit}", experiment)


def of_table(figures, subject, markup, section):
    if "<thead>" not in markup:
        return
    heads = [plain(head) for head in re.findall(r"<th[^>]*>(.*?)</th>", markup.split("</thead>")[0], re.S)]
    for row in re.findall(r"<tr.*?</tr>", markup.split("</thead>")[1], re.S):
        cells = [plain(cell) for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.S)]
        is_kernel = heads[0] == "kernel" and cells
        if heads[0] == "roof":
            of_ceiling(figures, dict(zip(heads, cells)), section)
            continue
        if heads[0] == "experiment" and len(cells) > 4:
            for variant, value in ((cells[1], cells[2]), (cells[3], cells[4])):
                figures.add((cells[0], variant, "result"), value, section)
            continue
        if heads[0] == "variant":
            of_variant(figures, section, dict(zip(heads, cells)))
        for i, (head, cell) in enumerate(zip(heads[1:], cells[1:]), 1):
            if is_kernel and head.startswith("nearest roof"):
                found = re.match(rf"(.*\S) ({NUMBER})", cell)
                if found:
                    figures.add((short(cells[0]), found[1]), found[2] + " %", section)
            elif re.match(NUMBER, cell):
                words = head.rsplit(" ", 1)
                unit = f" {words[1]}" if len(words) == 2 and re.fullmatch(UNIT, words[1]) else ""
                between = [other for other in cells[1:i] if other and not re.match(NUMBER, other)]
                name = (short(cells[0]),) if is_kernel else (subject or section, cells[0], *between[:2])
                column = words[0] if unit else head or f"next to {heads[i - 1]}"
                figures.add((*name, column), cell + unit, section)


def of_chart(figures, subject, markup, section):
    """Values that stand in a bar's row: its name at the left, its figure at the right."""
    rows = collections.defaultdict(list)
    for x, y, text in re.findall(r'<text x="([-\d.]+)" y="([-\d.]+)"[^>]*>(.*?)</text>', markup, re.S):
        rows[round(float(y), 1)].append((float(x), plain(text)))
    for row in rows.values():
        texts = [text for _, text in sorted(row)]
        if subject and len(texts) == 2 and re.match(rf"{NUMBER} \u00b1", texts[1]):
            figures.add((subject, texts[0]), texts[1].split(" \u00b1")[0] + " %", section)
        for text in texts:
            found = re.match(rf"(DRAM|L2|L1|shared memory) ({NUMBER} [GT]B/s)$", text)
            if found and not subject:
                figures.add(("roof", found[1], "measured"), found[2], section)
    for label, value in re.findall(rf"<title>([^<:]+): ({NUMBER} %)", re.sub(r"[\u00a0\u202f]", " ", markup)):
        if subject:
            figures.add((subject, plain(label)), plain(value), section + " (tip)")


def of_wall_time(figures, markup, gpu):
    """Texts of a timeline: its parts add up to the wall time; counter collection is no part of it."""
    texts = [plain(text) for text in re.findall(r"<text [^>]*>(.*?)</text>", markup, re.S)]
    parts = dict(found.groups() for text in texts if (found := re.match(LEGEND, text)))
    wall = next((found[1] for text in texts if (found := re.match(rf"({NUMBER} [num\u00b5]?s) wall time$", text))), None)
    if not wall or "kernels" not in parts:
        return
    figures.add(("the whole", "wall time"), wall, "the timeline")
    figures.add(("the whole", "idle of"), wall, "the timeline")
    for name in parts.keys() & {"counter collection", "memcpy, memset alone"}:
        figures.add(("the whole", name), parts[name], "the legend of the timeline")
    values = {name: parsed(text) for name, text in parts.items()} | {"": parsed(wall)}
    whole, half, _ = values.pop("")
    values.pop("counter collection", None)
    figures.of["the whole", "wall time", "s"].append((sum(value[0] for value in values.values()), sum(value[1] for value in values.values()), "parts"))
    if "idle" in values:
        share = values["idle"][0] / whole
        figures.of["the whole", "idle", "%"].append((100 * share, 100 * (values["idle"][1] + share * half) / whole, "the timeline"))
    lanes, above = collections.defaultdict(list), ""  # a long name has a line above its lane
    for y, text in re.findall(r'<text x="[-\d.]+" y="([-\d.]+)"[^>]*>(.*?)</text>', markup, re.S):
        lanes[round(float(y), 1)].append(plain(text))
    for _, row in sorted(lanes.items()):
        row = [above, *row] if len(row) == 1 and re.match(NUMBER, row[0]) else row
        above = row[0]
        found = re.match(rf"({NUMBER} [num\u00b5]?s)(?: +({NUMBER} %))?$", row[1]) if len(row) == 2 else None
        if found and row[0] not in parts:
            figures.add((short(row[0]) + gpu, "GPU time"), found[1], "its lane")
        if found and row[0] in SAME.values():
            figures.add(("the whole", row[0], "time"), found[1], "its lane")
            figures.add(("the whole", row[0], "share"), found[2], "its lane")


def of_budget(figures, markup):
    """Rows of the time budget that a timeline has, too."""
    unit = re.search(rf"time ({UNIT})", plain(markup.split("</thead>")[0]))
    for row in re.findall(r"<tr.*?</tr>", markup.split("</thead>")[1], re.S):
        cells = [plain(cell) for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.S)]
        if cells[0] in SAME or cells[0] == "memcpy, memset alone":
            name = (SAME[cells[0]], "time") if cells[0] in SAME else (cells[0],)
            figures.add(("the whole", *name), f"{cells[1]} {unit[1]}", "the time budget")
            if cells[0] in SAME:
                figures.add(("the whole", SAME[cells[0]], "share"), f"{cells[2]} %", "the time budget")


def figures_of(document):
    figures, subject, section, gpus, gpu = Figures(), None, "", [], ""
    is_sum = "wall time of all GPUs, added up" in plain(document)  # on the first page; timelines are of one GPU each
    for match in TOKEN.finditer(document):
        level, head, table, chart, paragraph = match.groups()
        if level:
            text = plain(head)
            kernel, of_gpu = KERNEL.match(text), re.search(r", ((?:rank|GPU) \d+)$", text)
            if of_gpu:  # the first page is about the first of them
                gpus += [of_gpu[1]] if of_gpu[1] not in gpus else []
                gpu = "" if of_gpu[1] == gpus[0] else f" on {of_gpu[1]}"
            if kernel:
                subject = short(kernel[1]) + gpu
                figures.add((subject, "GPU time"), kernel[2], "its title")
                figures.add((subject, "share"), kernel[3], "its title")
            elif level == "h2":
                subject = None
            section = text[:40]
        elif table:
            of_table(figures, subject, table, section)
            if plain(table).startswith("time budget") and not is_sum:
                of_budget(figures, table)
        elif chart:
            if not is_sum:
                of_wall_time(figures, chart, gpu)
            of_chart(figures, subject, chart, section)
        else:
            text = plain(paragraph)
            for name, phrase in PHRASES.items():
                for value in re.findall(phrase, text):
                    figures.add((section if is_sum and section.startswith("Timeline") else "the whole", name), value, section)
            for best, value, last, other in re.findall(rf"(\S+) is best at ({NUMBER} {UNIT}), (\S+) last at ({NUMBER} {UNIT})", text):
                figures.add((section, best, "result"), value, "the caption")
                figures.add((section, last, "result"), other, "the caption")
            if subject:
                for label, value in re.findall(rf"[Ll]imited by ([^:.,]+?)[:,] ({NUMBER} %) of roof", text):
                    figures.add((subject, label), value, section)
    return figures


def main():
    parser = argparse.ArgumentParser(description="No quantity of a document has two values.")
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--samples", type=pathlib.Path, required=True)
    parser.add_argument("--captures", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    if not shutil.which("gnuplot"):
        print("SKIPPED: no gnuplot")
        return CANNOT_TRY
    faults, all_compared, folders = [], 0, {"SAMPLE": arguments.samples, "CAPTURE": arguments.captures}
    with tempfile.TemporaryDirectory() as folder:
        many = many_classes.make(arguments.samples / "programs/transformer-h200.rlcap", pathlib.Path(folder, "many.rlcap"), MANY)
        for captures, least in DOCUMENTS:
            path = pathlib.Path(folder, "document.html")
            files = [many if name == "MANY" else folders[name.partition(":")[0]] / name.partition(":")[2] for name in captures]
            subprocess.run([arguments.program, "report", "-q", *files, "-o", path], check=True, stdout=subprocess.DEVNULL, timeout=240)
            figures = figures_of(path.read_text(encoding="utf-8"))
            faults += [f"{captures[0]}: {fault}" for fault in figures.faults()]
            if figures.compared() < least:
                faults.append(f"{captures[0]}: only {figures.compared()} of {len(figures.of)} quantities are there twice")
            all_compared += figures.compared()
            print(f"{captures[0]}: {len(figures.of)} quantities, {figures.compared()} there twice or more")
    print("\n".join(faults) if faults else f"{all_compared} quantities are there twice or more, and have one value each")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
