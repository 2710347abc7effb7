"""Holds the manual as one HTML page against the manual pages as 'man' prints them: the same words in the same order, elements that
close as they open, links that lead somewhere. What the generator does not know, it refuses.

    book.py --book FILE --source DIR
"""
import argparse
import html.parser
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile


class Reader(html.parser.HTMLParser):
    """The words of each chapter, the links, and what does not close as it opened."""

    def __init__(self):
        super().__init__()
        self.open, self.faults, self.links, self.chapters, self.name = [], [], [], {}, None

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag not in ("meta", "br"):
            self.open.append(tag)
        if tag == "a":
            self.links.append(values["href"].removeprefix("#"))
        if tag == "h1":
            self.name = values["id"]
            self.chapters[self.name] = []

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"line {self.getpos()[0]}: </{tag}> closes what is not open")

    def handle_data(self, data):
        if self.name and self.open[-1:] != ["h1"]:
            self.chapters[self.name].append(data)


def words(text):
    return "".join(text.lower().split())


def as_man_prints(page):
    """Without the first and the last line, which have the title and the date."""
    environment = os.environ | {"MANWIDTH": "500", "LC_ALL": "C.UTF-8"}
    command = ["man", "--local-file", "--no-hyphenation", "--no-justification", "--encoding=UTF-8", str(page)]
    lines = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60, env=environment).stdout.strip().splitlines()
    return "\n".join(lines[1:-1])


def first_difference(ours, theirs):
    at = next((i for i, (a, b) in enumerate(zip(ours, theirs)) if a != b), min(len(ours), len(theirs)))
    return f"'{ours[max(at - 30, 0):at + 30]}' instead of '{theirs[max(at - 30, 0):at + 30]}'"


def compare(reader, pages):
    if set(reader.chapters) != {page.stem for page in pages}:
        yield f"chapters are {sorted(reader.chapters)}"
    yield from (f"a link leads to {link}" for link in reader.links if link not in reader.chapters)
    for page in pages:
        ours, theirs = words("".join(reader.chapters.get(page.stem, []))), words(as_man_prints(page))
        if ours != theirs:
            yield f"{page.name}: {first_difference(ours, theirs)}"


def check_refusals(source):
    """Requests, escapes and fonts that the generator does not know."""
    for line in (".UR here", "a\\*b", "\\fXa"):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.1"
            page.write_text(f".TH PAGE 1\n.SH NAME\n{line}\n")
            made = subprocess.run([sys.executable, "-B", str(source / "docs/man/book.py"), "--version", "1", str(page)], capture_output=True, text=True,
                                  check=False, timeout=60)
            if made.returncode == 0 or f"{page}:3: unknown" not in made.stderr:
                yield f"'{line}' is not refused: {made.stderr}"


def main():
    parser = argparse.ArgumentParser(description="Checks the HTML manual.")
    parser.add_argument("--book", type=pathlib.Path, required=True)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    if not shutil.which("man"):
        print("no man here: skipped")
        return 77
    reader = Reader()
    reader.feed(arguments.book.read_text(encoding="utf-8"))
    faults = [*reader.faults, *(f"<{tag}> stays open" for tag in reader.open),
              *compare(reader, sorted((arguments.source / "docs/man").glob("*.[157]"))), *check_refusals(arguments.source)]
    print("\n".join(faults) if faults else f"manual: {len(reader.chapters)} chapters, no fault")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
