#!/usr/bin/env python3
"""The tasks of README.md are answered within a minute: whoever opens README.md and reads every word, its table up to the row,
then the page behind it up to the last word of the answer, has read no more words than a minute is enough for, and followed two links.

    minute.py --source DIR [--list]
"""
import argparse
import pathlib
import re
import sys

MOST_WORDS = 250  # of a minute, for who reads at leisure
TABLE = "#where-next"  # what the first paragraph links
# Of each page what makes the answer complete, in the order of the page.
ANSWERS = {
    "start.md": ("rooflight collect -o app.rlcap -- ./program", "rooflight show --brief app.rlcap", "limited by, nearest roof", "what to do first", "upper bounds"),
    "own-kernel.md": ("unmodified", "rooflight collect --brief -o mine.rlcap -- ./program"),
    "one-kernel.md": ("rooflight collect --kernel", "rooflight show --brief --kernel"),
    "cases.md": ("range_push", "rooflight show --cases"),
    "nvtx-range.md": ("range_push", "rooflight collect --nvtx forward", "of that name"),
    "permissions.md": ("rooflight doctor", "NVreg_RestrictProfilingToAdminUsers=0", "--cap-add SYS_ADMIN", "securityContext", "ask the host's administrator"),
    "overhead.md": ("0.5 to 1.0 s", "0.85 s", "--budget 1%"),
    "differences.md": ("half of its 95 % CI", "compare before.rlcap after.rlcap", "FASTER, SLOWER", "SAME", "UNDECIDED"),
    "missing.md": ("The reason is below", "rooflight show --brief", "remedy", "--budget all", "collect again"),
    "ci.md": ("status 3", "--fail-on regression"),
    "install.md": ("all nodes", "tar -xzf", "bin/rooflight doctor", "glibc 2.27"),
    "data.md": ("SQLite file", "-o app.csv", "-o app.json", "pandas.read_csv"),
    "share.md": ("--redact -o public.pdf", "what is kept and what is removed", "CITATION.cff"),
}


def words(text):
    """What a reader sees of Markdown, word by word: no addresses, no pictures, no rules of tables."""
    text = re.sub(r"!\[[^]]*\]\([^)]*\)", " ", text)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    return [word for word in re.sub(r"(?m)^\|[-|: ]+\|$", " ", text).split() if re.search(r"\w", word)]


def up_to_row(readme, name):
    """The first paragraph and the table up to the row that links the page; nothing where there is none or the paragraph does not link the table."""
    opening, section = readme.split("\n\n![", 1)[0], readme.partition("\n## Where next\n")[2]
    row = section.find(f"](docs/tasks/{name})")
    return opening + section[:section.index("\n", row)] if row >= 0 and TABLE in opening else None


def up_to_answer(page, parts):
    """The page up to the line with the last part; parts that are missing, or not in this order, are the second value."""
    place, absent = 0, []
    for part in parts:
        found = page.find(part, place)
        absent += [part] if found < 0 else []
        place = max(place, found + len(part))
    return page[:page.find("\n", place) if "\n" in page[place:] else None], absent


def look(readme, pages):
    """For each task the words to read, None for a path that is broken, and what is wrong."""
    linked = re.findall(r"(?m)^\| [^|]+ \| \[[^]]+\]\(docs/tasks/([a-z-]+\.md)\) \|$", readme)
    for name in sorted({*linked, *ANSWERS} - (set(linked) & set(ANSWERS))):
        yield name, None, f"{name}: is a task of README.md or has an answer here, not both"
    for name in [name for name in linked if name in ANSWERS]:
        way = up_to_row(readme, name)
        text, absent = up_to_answer(pages.get(name, ""), ANSWERS[name])
        if way is None or absent:
            yield name, None, f"{name}: " + ("README.md does not lead there" if way is None else f"the answer has no {absent[0]!r} where it should be")
            continue
        count = len(words(way)) + len(words(text))
        yield name, count, f"{name}: the answer ends after {count} words, more than a minute" if count > MOST_WORDS else None


def main():
    parser = argparse.ArgumentParser(description="Answers of docs/tasks/ within a minute from README.md: see the head of this file.")
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--list", action="store_true", help="print the words to each answer")
    arguments = parser.parse_args()
    readme = (arguments.source / "README.md").read_text(encoding="utf-8")
    found = list(look(readme, {path.name: path.read_text(encoding="utf-8") for path in (arguments.source / "docs/tasks").glob("*.md")}))
    for name, count, _ in found if arguments.list else ():
        print(f"{name:18} {count or 0:4} words, {60 * (count or 0) / MOST_WORDS:3.0f} s")
    faults = [fault for _, _, fault in found if fault]
    print("\n".join(faults) or f"{len(found)} answers within a minute")
    return bool(faults) or len(found) != len(ANSWERS)


if __name__ == "__main__":
    sys.exit(main())
