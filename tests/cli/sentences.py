"""Nothing is said twice, and every unknown names the option that collects it, or says that none does.

    sentences.py --program PROGRAM --captures DIR --samples DIR          exit status 0 passed, 1 failed, 77 cannot be tried here

Documents of all samples and of the test captures: in no block is a sentence twice, nor in two sections one that has a figure, but for what the
first page says of a kernel or of the GPU, and what is unknown of both a kernel and the whole. Findings about several kernels may rest on the
same evidence; what to do about it stands once. Unknowns in PDF, HTML, the terminal's brief and overview, and JSON.
"""
import argparse
import collections
import html
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

CANNOT_TRY = 77
WORDS = 6  # of the shortest part of a sentence that counts
REMEDY = re.compile(r"--[a-z]|no option|rooflight doctor|; collect counts|collect counts them")
PART = re.compile(r"<(h[1234])\b[^>]*>(.*?)</\1>|<(p|li|figcaption|dd|dt)\b[^>]*>(.*?)</\3>", re.S)
# Parts that stand for something else each time: what is claimed, quotations, figures in front, names of types, states of GPUs.
LIKE = re.compile(r"claimed |\u201c|[~<\u2264]?\d[\d .]* |.*\bchecks passed|.*[<{\\]|they share a part of the route|a table of rates|.*of the sum of each|other shapes", re.I)
OF_KERNEL = re.compile(r"^\d+ .*% of GPU time$")
# A reason of the build that recorded the sample of two GPUs; now it names --kernel.
EARLIER = "among the classes with the least GPU time, 1 % together"
ELSEWHERE = "under Evidence"  # where an unknown of a kernel has its reason, once for all kernels
LEAST_UNKNOWNS = 150  # in all of these captures
LEAST_PARTS = 2000


def run(*command):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True, timeout=240).stdout


def plain(markup):
    text = html.unescape(re.sub(r"<[^>]+>", " ", markup))
    return " ".join(re.sub(r"[\u00a0\u202f\u2007\u2009\u200b]", " ", text).split()).lstrip("\u2013! ")


def parts_of(sentence):
    """What stands between full stops, colons and semicolons."""
    return [part.strip(" .") for part in re.split(r"(?<=[a-z%)])[.:;](?= |$)", sentence) if len(part.split()) >= WORDS]


class Document:
    def __init__(self, page):
        page = re.sub(r"<(style|script|desc|svg)\b.*?</\1>", "", page, flags=re.S)
        self.blocks = []  # section, heading, texts
        section = ""
        for level, heading, _, text in PART.findall(page):
            if level in ("h1", "h2"):
                section = plain(heading)
            if level:
                self.blocks.append((section, plain(heading), []))
            elif self.blocks:
                self.blocks[-1][2].append(plain(text))

    def said_twice(self):
        first = self.blocks[0][0] if self.blocks else ""
        of_sections = collections.defaultdict(set)
        for section, heading, texts in self.blocks:
            parts = collections.Counter(part for text in texts for part in parts_of(text) if not LIKE.match(part))
            # Findings about several kernels, and their evidence.
            several = heading.startswith("Findings")
            yield from (f"'{heading}' says twice: {part}" for part, count in parts.items() if count > 1 and not (several and re.search(r"\d", part)))
            for part in parts:
                if section != first and re.search(r"\d", part) and not OF_KERNEL.match(heading) and heading != "Unknown" and section != "Findings":
                    of_sections[part].add(section)
        for part, sections in of_sections.items():
            kinds = {re.sub(r",? (on )?(GPU|rank) \d.*", "", section) for section in sections}
            if len(kinds) > 1 and not all(kind.islower() for kind in kinds):  # experiments may have the same in their words
                yield f"{', '.join(sorted(sections))} each say: {part}"
        reasons = set(parts_of(self.evidence()))
        yield from (f"'{heading}' and the evidence say: {part}" for _, heading, texts in self.blocks if OF_KERNEL.match(heading)
                    for text in texts if text.startswith("unknown: ") for part in reasons & set(parts_of(text)))

    def evidence(self):
        """What is unknown of all kernels, with reasons and remedies."""
        return " ".join(text for _, heading, texts in self.blocks if heading == "Unknown" for text in texts)

    def parts(self):
        return sum(len(parts_of(text)) for _, _, texts in self.blocks for text in texts)

    def unknowns(self):
        """Each text that says something is unknown, with what has to name the option."""
        for _, heading, texts in self.blocks:
            found = [(text, text) for text in texts if text.startswith(("unknown: ", "Unknown: what limits"))]
            found += [(f"{heading}: {text}", " ".join(texts)) for text in texts if text.startswith("Limiter unknown")]
            yield from ((text, remedy + self.evidence() if ELSEWHERE in remedy else remedy) for text, remedy in found)


def in_json(program, capture):
    brief = json.loads(run(program, "show", "--brief", "--json", capture))
    for row in brief.get("unknown") or []:
        yield f"brief: {row['what']}", f"{row['reason']}; {row.get('how') or ''}"
    for kernel in brief["kernels"][:4]:
        if kernel["limiter"] != "unknown" or kernel["why"] == "wrong result":
            continue
        one = json.loads(run(program, "show", "--brief", "--json", "--kernel", f"^{kernel['id']}$", capture))["kernels"][0]
        for row in one.get("unknown") or []:
            yield f"{kernel['id']}: {row['what']}", f"{row['reason']}; {row.get('how') or ''}"
        yield f"{kernel['id']}: {one['why']}", " ".join(f"{row['reason']}; {row.get('how') or ''}" for row in one.get("unknown") or []) or one["why"]
    whole = json.loads(run(program, "show", "--json", capture))
    for row in (whole.get("program") or {}).get("uncounted") or []:
        yield f"program: {row['classes']} classes", f"{row['reason']}; {row.get('how') or ''}"


def in_terminal(program, capture):
    for command in (("show", "--brief"), ("show",)):
        text = run(program, *command, capture)
        for item in re.findall(r"(?m)^  unknown     (.*(?:\n {14}.*)*)|^  \u2013  (not counted,.*(?:\n {5}\S.*)*)", text):
            words = " ".join("".join(item).split())
            yield f"{' '.join(command)}: {words}", words


def in_pdf(program, capture, folder):
    run(program, "report", capture, "-q", "-o", folder / "document.pdf")
    text = " ".join(run("pdftotext", folder / "document.pdf", "-").split())
    for item in re.findall(r"(?<!Limiter )(?<!is )unknown: (?:(?!unknown: ).){20,500}", text):
        yield f"PDF: {item[:120]}", item + text[text.rfind(" Unknown "):] if ELSEWHERE in item else item


def main():
    parser = argparse.ArgumentParser(description="Nothing is said twice; every unknown names its option.")
    for name in ("program", "captures", "samples"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    missing = [tool for tool in ("gnuplot", "pdftotext") if not shutil.which(tool)]
    if missing:
        print(f"SKIPPED: no {', '.join(missing)}")
        return CANNOT_TRY
    samples = sorted([*arguments.samples.glob("*.rlcap"), *arguments.samples.glob("programs/*.rlcap"), *arguments.samples.glob("published/*.csv")])
    faults, unknowns, parts = [], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for capture in (*samples, *sorted(arguments.captures.glob("*.rlcap"))):
            path = pathlib.Path(folder, "document.html")
            if subprocess.run([arguments.program, "report", "-q", capture, "-o", path], capture_output=True, timeout=240).returncode:
                continue  # damaged on purpose
            document = Document(path.read_text(encoding="utf-8"))
            parts += document.parts()
            found = [*document.unknowns(), *in_json(arguments.program, capture), *in_terminal(arguments.program, capture)]
            if capture in samples:
                found += in_pdf(arguments.program, capture, pathlib.Path(folder))
            unknowns += len(found)
            faults += [f"{capture.name}: {fault}" for fault in document.said_twice()]
            faults += [f"{capture.name}: no option: {what}" for what, remedy in found
                       if not REMEDY.search(remedy) and EARLIER not in remedy]
    if unknowns < LEAST_UNKNOWNS or parts < LEAST_PARTS:
        faults.append(f"only {unknowns} unknowns and {parts} parts of sentences were looked at")
    print("\n".join(faults) if faults else f"{parts} parts of sentences, none twice; {unknowns} unknowns, each with its option")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
