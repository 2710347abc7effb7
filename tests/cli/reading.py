"""First pages and blocks of kernels stand alone: the answers of docs/reading.md are in their text.

    reading.py --program PROGRAM --source DIR          exit status 0 passed, 1 failed, 77 cannot be tried here

A section of docs/reading.md with "page 1" in its heading has a command in backticks, which makes a document of a sample, and a table of
questions. Each answer, in backticks, must stand on the first page of that document, whatever breaks its lines; in a section of the block
of a kernel, which the heading names in backticks, between the heading of that block and the next one.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

CANNOT_TRY = 77
QUESTIONS = 5
LEAST = 20  # answers: of three first pages and a kernel's block
KERNEL = r"block of `([^`]+)`"  # in the heading of a section
BLOCK = r"(?m)^ *\d+ +%s {2,}.*%% of GPU time$"  # heads a kernel's block


def plain(text):
    return " ".join(text.replace("\u00a0", " ").replace("\u202f", " ").split())


def sections(text):
    """Heading, command and answers of each section that asks."""
    for part in re.split(r"^## ", text, flags=re.M)[1:]:
        heading = part.split("\n", 1)[0]
        if "page 1" not in heading and not re.search(KERNEL, heading):
            continue
        command = re.search(r"^`rooflight ([^`]+)`$", part, re.M)
        answers = re.findall(r"^\| [^|]+\? \| `([^`]+)` \|$", part, re.M)
        if not command or len(answers) < QUESTIONS:
            raise SystemExit(f"'{heading}' has no command, or fewer than {QUESTIONS} answers")
        yield heading, command[1].split(), answers


def document(program, source, arguments, folder):
    pdf = folder / "document.pdf"
    done = subprocess.run([program, arguments[0], "-q", *arguments[1:], "-o", str(pdf)], cwd=source, capture_output=True, text=True,
                          timeout=240)
    if done.returncode:
        raise SystemExit(f"{' '.join(arguments)} ended with {done.returncode}: {done.stderr.strip()}")
    return pdf


def text_of(pdf, *how):
    return subprocess.run(["pdftotext", *how, str(pdf), "-"], capture_output=True, text=True, check=True).stdout


def first_page(pdf):
    """In the order of reading, and line by line: a sentence is whole in the one, a row in the other."""
    return "\n".join(plain(text_of(pdf, *how, "-f", "1", "-l", "1")) for how in ((), ("-layout",)))


def block_of(pdf, kernel):
    """Line by line, as far as the next block or the end of the page; empty where the kernel has none."""
    text = text_of(pdf, "-layout").replace("\u00a0", " ").replace("\u202f", " ")
    head = re.search(BLOCK % re.escape(kernel), text)
    rest = text[head.end():].split("\f")[0] if head else ""
    return plain(re.split(BLOCK % r"\S.*", rest)[0])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    options = parser.parse_args()
    if not shutil.which("pdftotext"):
        print("pdftotext is not here")
        return CANNOT_TRY
    failed = asked = 0
    for heading, arguments, answers in sections((options.source / "docs/reading.md").read_text(encoding="utf-8")):
        with tempfile.TemporaryDirectory() as folder:
            pdf, kernel = document(options.program, options.source, arguments, pathlib.Path(folder)), re.search(KERNEL, heading)
            text = block_of(pdf, kernel[1]) if kernel else first_page(pdf)
        for answer in answers:
            asked += 1
            if plain(answer) not in text:
                print(f"{heading}: '{answer}' is not there")
                failed += 1
    if asked < LEAST:
        print(f"docs/reading.md has {asked} answers, not {LEAST}")
    return 1 if failed or asked < LEAST else 0


if __name__ == "__main__":
    sys.exit(main())
