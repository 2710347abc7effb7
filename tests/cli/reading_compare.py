"""First pages of comparisons, read by a stranger: the questions of docs/comparing.md are answered by the text of the page alone, and the
figures on the pages are those of the JSON.

    reading_compare.py --program PROGRAM --simulate PROGRAM --captures DIR --samples DIR --reading docs/comparing.md

Below each of the headings there, the first line of code makes the document, and rows "| question | answer |" hold what must be on its
first page, in backticks.
"""
import argparse
import json
import math
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

CANNOT_TRY = 77
HEADINGS = ("Before and after", "GPUs side by side", "A fleet")
QUESTIONS = 5
SPACES = {0xA0: " ", 0x202F: " "}


def run(*command, cwd=None):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=120, cwd=cwd)
    if done.returncode:
        raise RuntimeError(f"{command[0]} ended with {done.returncode} and says: {done.stderr.strip()}")
    return done.stdout


def flat(text):
    """In one line, with plain spaces."""
    return " ".join(text.translate(SPACES).split())


def page(pdf, number):
    """Lines as they are read, and columns as they stand: a phrase is in one of them."""
    ways = (run("pdftotext", "-f", number, "-l", number, *how, pdf, "-") for how in ((), ("-layout",), ("-raw",)))
    return [flat(text) for text in ways]


def has(pages, phrase):
    return any(flat(phrase) in text for text in pages)


def section(text, heading):
    found = re.search(rf"^## {re.escape(heading)}$(.*?)(?=^## |\Z)", text, re.M | re.S)
    if not found:
        raise RuntimeError(f"no heading '## {heading}'")
    return found[1]


def command_of(text, places):
    """The first line of code, with captures from the folders of tests and samples."""
    words = shlex.split(re.search(r"^    rooflight (compare .*)$", text, re.M)[1])
    return [str(next((folder / pathlib.Path(word).name for folder in places if (folder / pathlib.Path(word).name).exists()), word))
            if word.endswith(".rlcap") else word for word in words]


def make_fleet(simulate, text, places, folder):
    """The folder of captures that the section says how to make."""
    words = shlex.split(re.search(r"`simulate_fleet ([^`]+)`", text)[1])
    run(simulate, *[next(place / pathlib.Path(word).name for place in places if (place / pathlib.Path(word).name).exists())
                    if word.endswith(".rlcap") else word for word in words], cwd=folder)


def questions_of(text):
    rows = re.findall(r"^\| ([^|]*\?) \| (.*) \|$", text, re.M)
    return [(question, re.findall(r"`([^`]+)`", answer)) for question, answer in rows]


def read_heading(program, text, heading, places, folder):
    part = section(text, heading)
    command = command_of(part, places)
    pdf = folder / command[command.index("-o") + 1]
    run(program, *command, "-q", cwd=folder)
    pages, questions = page(pdf, 1), questions_of(part)
    if len(questions) < QUESTIONS:
        yield f"{heading}: {len(questions)} questions, not {QUESTIONS}"
    for question, answers in questions:
        if not answers:
            yield f"{heading}: '{question}': no answer in backticks"
        yield from (f"{heading}: '{question}': '{answer}' is not on page 1" for answer in answers if not has(pages, answer))


def percent(ratio):
    change = 100 * (ratio - 1)
    return "0.0 %" if abs(change) < 0.05 else f"{'+' if change > 0 else '−'}{abs(change):.1f} %"


def seconds(value):
    for factor, unit in ((1, "s"), (1e3, "ms"), (1e6, "µs"), (1e9, "ns")):
        if value * factor >= 1:
            break
    digits = max(0, 3 - len(str(int(value * factor))) + 1)
    return f"{value * factor:.{digits}f} {unit}"


def in_unit_of(column, value):
    """Four digits, in the unit of a column: that of its smallest figure, as far as the largest has at most four before the point."""
    most = max(column)
    scale = max(min(column), most / 10)
    power = next(power for power in (0, 3, 6, 9) if scale * 10 ** power >= 1)
    value *= 10 ** power
    return f"{value:.{max(0, 3 - math.floor(math.log10(value)))}f}"


def figures_of_changes(result):
    """Page 1: the whole, its interval, what of it is said in sentences, kernels with their changes and times."""
    effect = result["others"][0]["effect"]
    first = [effect["headline"], effect["text"], effect["results_text"]]
    first += [effect[name] for name in ("same_text", "undecided_text", "unequal_text", "unmatched_text") if effect[name]]
    first += [percent(effect["ratio"]["estimate"]), effect["ratio"]["low"] and percent(effect["ratio"]["low"]).rstrip(" %")]
    changed = [pair for pair in result["pairs"] if pair["verdict"] in ("FASTER", "SLOWER") and not pair["result_broke"]]
    first += [f"{percent(pair['ratio']['estimate'])} {pair['verdict']}" for pair in changed]
    medians = [pair[side]["median_s"] for pair in result["pairs"] if pair["ratio"] for side in ("base", "new") if pair[side]["median_s"]]
    first += [in_unit_of(medians, pair[side]["median_s"]) for pair in changed for side in ("base", "new")]
    first += [pair["name"] for pair in changed]
    return {1: first}


def figures_of_cards(result):
    """Page 1: speedups by limiter, facts; page 2: the kernels that gain least of what the roofs predict."""
    base, other = result["cards"]
    first = [f"{group['middle']:.2f}×" for group in other["by_limiter"] if group["kernels"]]
    first += [f"{group['limiter']} ({group['kernels']})" for group in base["by_limiter"] if group["kernels"]]
    first += [f"{card['power_limit_w']:.0f} W" for card in (base, other)]
    roofs = [{roof["ceiling"]: roof["value"] for roof in card["roofs"]} for card in (base, other)]
    first += [f"{roofs[1][roof] / roofs[0][roof]:.2f}×" for roof in ("dram", "l2", "fp64", "fp32", "tensor_fp16")]
    others = [kernel["cards"][1] for kernel in result["kernels"]]
    short = sorted((card["speedup"]["estimate"] / card["predicted_speedup"], card["speedup"]["estimate"], card["predicted_speedup"])
                   for card in others if card["speedup"] and card["predicted_speedup"])
    return {1: first, 2: [figure for _, speedup, expected in short[:8] for figure in (f"{speedup:.2f}×", f"of {expected:.2f}×")]}


def figures_of_fleet(result):
    """Page 1: how many of how many, each that is slower with what and why; page 2: the same, with what to look at."""
    first = [f"{result['slower_count']} of {result['compared']} GPUs are slower than the others", str(result["compared"])]
    first += [f"{group['gpus']} × {group['card']}" for group in result["groups"]]
    second = []
    for gpu in result["slower"]:
        first += [f"{gpu['host']} GPU {gpu['gpu']}", gpu["text"].split(" (")[0]]
        first += [cause["text"].split(" ")[0] for cause in gpu["causes"]]
        second += [gpu["uuid"], f"{gpu['host']} GPU {gpu['gpu']}"]
        second += [cause["advice"].split(",")[0].split(" (")[0] for cause in gpu["causes"] if cause["advice"]]
    return {1: first, 2: second}


def compare_figures(program, captures, folder, figures_of):
    pdf = folder / "figures.pdf"
    run(program, "compare", *captures, "-q", "-o", pdf, cwd=folder)
    result = json.loads(run(program, "compare", *captures, "--json", cwd=folder))
    counted = 0
    for number, figures in figures_of(result).items():
        pages = page(pdf, number)
        for figure in figures:
            counted += 1
            if not has(pages, figure):
                yield f"{pathlib.Path(captures[0]).name}: page {number} lacks '{flat(figure)}', which the JSON has"
    if counted < 15:
        yield f"{counted} figures are too few to be looked at"


def which_over_which(program, captures, folder):
    """What is called a ratio is new over base, and a speedup base over new: in the JSON of both kinds of comparison and on paper."""
    for card in json.loads(run(program, "compare", *captures["cards"], "--json"))["kernels"]:
        base, other = card["cards"][0], card["cards"][1]
        if other["speedup"] and abs(other["speedup"]["estimate"] * other["time_s"] / base["time_s"] - 1) > 1e-3:
            yield f"{card['name']}: the speedup is not time on the base over time on the GPU"
    for pair in json.loads(run(program, "compare", *captures["changes"], "--json"))["pairs"]:
        if pair["ratio"] and abs(pair["ratio"]["estimate"] * pair["base"]["median_s"] / pair["new"]["median_s"] - 1) > 1e-3:
            yield f"{pair['name']}: the ratio is not new over base"
    for kind, reads in (("cards", "Speedup: time on the baseline over time on the GPU: 2 is twice as fast"),
                        ("changes", "Time change: time of the candidate over time of the baseline, minus 1")):
        pdf = folder / f"{kind}.pdf"
        text = flat(run(program, "compare", *captures[kind], "-o", pdf)) + " ".join(page(pdf, 1))
        if reads not in text:
            yield f"{kind}: the first page does not say '{reads}'"
        yield from (f"{kind}: '{found}'" for found in re.findall(r"[Rr]atio[^.;]{0,40}\bbase over\b[^.;]*", text))


def main():
    options = argparse.ArgumentParser()
    for name in ("program", "simulate", "captures", "samples", "reading"):
        options.add_argument(f"--{name}", required=True, type=pathlib.Path)
    given = options.parse_args()
    if not shutil.which("pdftotext") or not shutil.which("gnuplot"):
        print("pdftotext and gnuplot are needed")
        return CANNOT_TRY
    program, text, faults = given.program.resolve(), given.reading.read_text(encoding="utf-8"), []
    places = (given.captures.resolve(), given.samples.resolve(), given.samples.resolve() / "programs")
    with tempfile.TemporaryDirectory() as folder:
        make_fleet(given.simulate.resolve(), section(text, "A fleet"), places, pathlib.Path(folder))
        faults += compare_figures(program, ["--fleet", "fleet"], pathlib.Path(folder), figures_of_fleet)
        for heading in HEADINGS:
            faults += read_heading(program, text, heading, places, pathlib.Path(folder))
        faults += compare_figures(program, [places[0] / "normal.rlcap", places[0] / "after.rlcap"], pathlib.Path(folder),
                                  figures_of_changes)
        faults += compare_figures(program, [places[1] / "h100.rlcap", places[1] / "h200.rlcap"], pathlib.Path(folder), figures_of_cards)
        two = {"cards": [places[1] / "h100.rlcap", places[1] / "h200.rlcap"],
               "changes": [places[0] / "normal.rlcap", places[0] / "after.rlcap"]}
        faults += which_over_which(program, two, pathlib.Path(folder))
    print(*faults, sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
