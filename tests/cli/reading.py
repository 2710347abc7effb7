"""First pages stand alone: the answers of docs/reading.md are in their text.

    reading.py --program PROGRAM --source DIR          exit status 0 passed, 1 failed, 77 cannot be tried here

A section of docs/reading.md with "page 1" in its heading has a command in backticks, which makes a document of a sample, and a table of
questions. Each answer, in backticks, must stand on the first page of that document, whatever breaks its lines.
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


def plain(text):
    return " ".join(text.replace("\u00a0", " ").replace("\u202f", " ").split())


def sections(text):
    """Heading, command and answers of each section that asks."""
    for part in re.split(r"^## ", text, flags=re.M)[1:]:
        heading = part.split("\n", 1)[0]
        if "page 1" not in heading:
            continue
        command = re.search(r"^`rooflight ([^`]+)`$", part, re.M)
        answers = re.findall(r"^\| [^|]+\? \| `([^`]+)` \|$", part, re.M)
        if not command or len(answers) < QUESTIONS:
            raise SystemExit(f"'{heading}' has no command, or fewer than {QUESTIONS} answers")
        yield heading, command[1].split(), answers


def first_page(program, source, arguments, folder):
    pdf = folder / "document.pdf"
    done = subprocess.run([program, arguments[0], "-q", *arguments[1:], "-o", str(pdf)], cwd=source, capture_output=True, text=True,
                          timeout=240)
    if done.returncode:
        raise SystemExit(f"{' '.join(arguments)} ended with {done.returncode}: {done.stderr.strip()}")
    # In the order of reading, and line by line: a sentence is whole in the one, a row in the other.
    pages = [subprocess.run(["pdftotext", *how, "-f", "1", "-l", "1", str(pdf), "-"], capture_output=True, text=True, check=True).stdout
             for how in ((), ("-layout",))]
    return plain(pages[0]) + "\n" + plain(pages[1])


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
            text = first_page(options.program, options.source, arguments, pathlib.Path(folder))
        for answer in answers:
            asked += 1
            if plain(answer) not in text:
                print(f"{heading}: '{answer}' is not on the page")
                failed += 1
    if not asked:
        print("docs/reading.md asks nothing")
    return 1 if failed or not asked else 0


if __name__ == "__main__":
    sys.exit(main())
