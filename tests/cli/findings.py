"""First pages have nothing as a finding that is too little to act on, and no advice about variants of the suite, which are slow on purpose:
in PDF, HTML and the terminal. Blocks of kernels of libraries have no advice on their code. Findings in blocks have their saving, the
largest first and none under the least share, or say why they have none.

    findings.py --program PROGRAM --samples DIR          exit status 0 passed, 1 failed, 77 cannot be tried here
"""
import argparse
import json
import pathlib
import re
import shutil
import sys
import tempfile

from pages import CANNOT_TRY, OF_TIME, blocks_of, made, run, words_of

LEAST_SHARE = 0.001  # of the GPU time
LEAST_COMPARED = 50  # findings about a time, of all captures and media
SECONDS = {"s": 1, "ms": 1e-3, "\u00b5s": 1e-6, "ns": 1e-9}
TIME = r"([\d.]+) (s|ms|\u00b5s|ns)\b"
PAGED = rf"(?m)^\W*\d +(\S.*?): (?:\u2264 {TIME}|saving unknown.*? affects {TIME})\."
SPOKEN = rf"(?m)^  \u2013  ([^:]+: .*?)Saves at most {TIME}"
SUITES = ("h100.rlcap", "h200.rlcap")
OF_VARIANT = r"\b[a-z_]+ / \w+"
OF_LIBRARY, ADVICE = r"\d+ +(?:cutlass|sm80_xmma|nvjet|cudnn)\S*", "would allow"  # the heading of a block; what occupancy could be
LEAST_OF_LIBRARIES = 6  # blocks of such kernels
LEAST_OF_SAVINGS = 20
# Rules without advice.
MEASUREMENT = ("wrong_result", "above_roof", "pass_slower", "wide_interval", "passes_disagree", "contradiction", "drift")


def plain(text):
    return re.sub(r"[\u00a0\u202f]", " ", text)


def first_pages(program, capture, folder):
    """Of PDF and HTML, as text in which a finding is one line."""
    pdf = made(program, folder, {}, ("report", str(capture)))
    yield "PDF", re.sub(r"\n(?!\W*\d \S)", " ", plain(run("pdftotext", "-f", 1, "-l", 1, pdf, "-")))
    page = made(program, folder, {}, ("report", str(capture)), "document.html").read_text(encoding="utf-8").partition("<main")[2]
    yield "HTML", re.split(r"\n# (?:Timeline|Kernels by time|Hardware)\b", plain(words_of(page.replace("<p", "\n<p"))))[0]


def too_small(text, pattern, gpu_s):
    """How many findings there are with a time, and those under the least share."""
    found = [(match[1], float(number) * SECONDS[unit]) for match in re.finditer(pattern, text)
             for number, unit in [[part for part in match.groups()[1:] if part]]]
    return len(found), [f"'{name}' is about {seconds:.3g} s of {gpu_s:.3g} s" for name, seconds in found if seconds < LEAST_SHARE * gpu_s]


def faults_of_program(program, capture, folder):
    brief = json.loads(run(program, "show", "--brief", "--json", capture))
    spoken = re.sub(r"\n {5}", " ", plain(run(program, "show", "--brief", capture)))
    compared, faults = 0, []
    for medium, text, pattern in (("show", spoken, SPOKEN), *((*page, PAGED) for page in first_pages(program, capture, folder))):
        count, small = too_small(text, pattern, brief["gpu_s"])
        compared += count
        faults += [f"{capture.name}: {medium}: {fault}" for fault in small]
        if not count and medium != "show":
            faults.append(f"{capture.name}: {medium}: no finding has a time")
    return compared, faults


def faults_of_suite(program, capture, folder):
    """Advice, and variants in what first pages and the terminal find."""
    for finding in json.loads(run(program, "show", "--brief", "--json", capture))["findings"]:
        if "kernel" in finding and finding["id"] not in MEASUREMENT:
            yield f"{capture.name}: show --brief: {finding['id']} of {finding['kernel']}"
    found = run(program, "show", capture).partition("\nFindings")[2].partition("\n\n")[0]
    for rule, text in re.findall(r"(?m)^  ([a-z]\w+) +(.*)", found):
        if re.match(OF_VARIANT, text) and rule not in MEASUREMENT:
            yield f"{capture.name}: show: {rule} of {text}"
    for medium, text in first_pages(program, capture, folder):
        deviations = text.partition("Deviations")[2].partition("Roofs")[0]
        if not deviations:
            yield f"{capture.name}: {medium}: no deviations"
        for variant in re.findall(OF_VARIANT, deviations):
            yield f"{capture.name}: {medium}: a finding about {variant}"


def faults_of_libraries(program, captures, folder):
    """Advice on occupancy in blocks of kernels whose code is a library's."""
    compared = 0
    for capture in captures:
        text = plain(run("pdftotext", "-layout", made(program, folder, {}, ("report", str(capture))), "-"))
        for block in blocks_of(text, rf"(?m)^ *(\d+) +\S.*{OF_TIME}$", rf"(?m)^ *\d+ +\S.*{OF_TIME}$|^Other kernels$").values():
            if re.match(OF_LIBRARY, block.strip()):
                compared += 1
                if ADVICE in block:
                    yield f"{capture.name}: {block.split('·')[0].strip()}: advice on the code of a library"
    if compared < LEAST_OF_LIBRARIES:
        yield f"only {compared} blocks of kernels of libraries"


def faults_of_savings(program, captures, folder):
    """In blocks of kernels, in HTML."""
    compared = 0
    for capture in captures:
        gpu_s = json.loads(run(program, "show", "--brief", "--json", capture))["gpu_s"]
        page = made(program, folder, {}, ("report", str(capture)), "document.html").read_text(encoding="utf-8")
        for block in page.split("<h3")[1:]:
            last = float("inf")
            for problem, words in re.findall(r'(?s)<div class="i">.*?<p><span class="b">([a-zA-Z][^<]+): </span>(.*?)</p>', block.partition("<h2")[0]):
                if problem in ("unknown", "occupancy") or not re.search(OF_TIME, plain(block.partition("</h3>")[0])):
                    continue
                compared += 1
                saving = re.search(rf"Saves at most {TIME}\.$", plain(words_of(words)).strip())
                seconds = float(saving[1]) * SECONDS[saving[2]] if saving else last
                if not saving and not re.search(r"Saving unknown(, because [^.]+|, as above)\.$|Concerns validity, not time\.$|Saves under 5 % of its time\.$", plain(words_of(words)).strip()):
                    yield f"{capture.name}: {problem}: neither a saving nor why there is none"
                if seconds > last or seconds < LEAST_SHARE * gpu_s:
                    yield f"{capture.name}: {problem}: saves {seconds:.3g} s of {gpu_s:.3g} s, after {last:.3g} s"
                last = seconds
    if compared < LEAST_OF_SAVINGS:
        yield f"only {compared} findings in blocks of kernels"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--samples", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    if not shutil.which("pdftotext") or not shutil.which("gnuplot"):
        print("SKIPPED: no pdftotext or gnuplot")
        return CANNOT_TRY
    compared, faults = 0, []
    with tempfile.TemporaryDirectory() as folder:
        for capture in sorted((arguments.samples / "programs").glob("*.rlcap")):
            count, found = faults_of_program(arguments.program, capture, pathlib.Path(folder))
            compared += count
            faults += found
        faults += faults_of_libraries(arguments.program, sorted((arguments.samples / "programs").glob("*.rlcap")), pathlib.Path(folder))
        faults += faults_of_savings(arguments.program, sorted((arguments.samples / "programs").glob("*.rlcap")), pathlib.Path(folder))
        for name in SUITES:
            faults += faults_of_suite(arguments.program, arguments.samples / name, pathlib.Path(folder))
    if compared < LEAST_COMPARED:
        faults.append(f"only {compared} findings about a time")
    print("\n".join(faults) if faults else f"{compared} findings about a time, none too small; no advice about the suite")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
