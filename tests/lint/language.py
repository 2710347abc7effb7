"""Words and patterns that stand for terms of the field, counted where they stand: documents, tables, comments and texts of the program.

    python3 tests/lint/language.py [--show PATTERN [PLACE]]     the counts, or the places of one

COUNTS has the most that each place may have: a change may lower counts, never raise them."""
import collections
import pathlib
import re
import sys

from tree import PRODUCT, STRING, files, line_of, without_comments

PATTERNS = {
    "what": r"^What\b(?![^.?]*\?)",
    "told": r"\btold\b|\btells? (of|apart)\b",
    "beside": r"\bbeside\b",
    "held": r"\bheld (against|to)\b|\bhold(s|ing)? (\w+ ){0,3}against\b",
    "of_it": r"\b(known|said|told|left|reached|expected|taken|counted|signed|predicted) of (it|them|each)\b",
    "said": r"\b(is|are|was|were|be|been) said\b|\bsaid (of|to|on)\b",
    "least": r"(?<!at )\bleast\b(?! (squares|significant|recently))|\bgreatest\b(?! common)",
    "sets_of_memory": r"\bsets? of memory\b|\bcop(y|ies) (and|or) sets?\b",
    "mend": r"\bmend(s|ed|ing)?\b|\btimes apart\b",
    "known_answer": r"\bknown answers?\b|\banswers? known\b|\bon paper\b",
    "under_way": r"\bunder way\b|\bshar(ed?|ing) out\b|\bwatched\b",
    "not_known": r"\b(not known|not classified|limited otherwise|limited by something else)\b",
    "of": r"^Of\b",
    "nobody": r"\b(somebody|nobody)\b",
    "of_its_own": r"\bof (its|their) own\b",
    "card": r"(?<![-/.\w|])(?<!list )(?<!payment )cards?\b(?![-.|]\w|\.def|_)",  # a GPU, but for `list cards` and names of files
    "twice": r"(?<![-\w])([a-z]{2,}) \1(?![-\w.=])",
}
FIRST = ("what", "of")  # of a comment, and with a capital letter
PLACES = ("docs", "tables", "public", "comments", "texts")

COUNTS = {  # docs, tables, public, comments, texts
    "what": (0, 0, 0, 0, 0),
    "told": (0, 0, 0, 1, 0),
    "beside": (0, 0, 0, 1, 0),
    "held": (0, 0, 0, 0, 0),
    "of_it": (0, 0, 0, 0, 0),
    "said": (0, 0, 0, 2, 0),
    "least": (1, 4, 7, 7, 0),
    "sets_of_memory": (0, 0, 0, 0, 0),
    "mend": (0, 0, 0, 0, 0),
    "known_answer": (0, 0, 0, 0, 0),
    "under_way": (0, 0, 0, 0, 0),
    "not_known": (0, 0, 0, 0, 0),
    "of": (0, 0, 0, 21, 0),
    "nobody": (0, 0, 0, 0, 0),
    "of_its_own": (4, 0, 1, 13, 0),
    "card": (1, 11, 1, 3, 4),
    "twice": (0, 0, 0, 0, 0),
}

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
KEYS = re.compile(r'"[a-z_,]*"$')  # of JSON, of a capture, heads of CSV: they keep their names
PLACEHOLDER = re.compile(r"\{[a-z_.]+\}")
MARKDOWN_CODE = re.compile(r"^ {4}.*$|`[^`\n]*`", re.M)


def headers_to_read_first(source):
    """The headers that docs/house.md lists, as paths: a name without a folder stands in that of the one before."""
    folder, headers = "", set()
    page = source / "docs/house.md"
    for name in re.findall(r"`([a-z_/]+\.h)`", page.read_text().split("\n## ")[1]) if page.exists() else ():
        folder = name.rpartition("/")[0] or folder
        headers.add(f"{folder}/{name.rpartition('/')[2]}")
    return headers


def pieces(name, path, first=()):
    """(place, offset, text) of what is looked at in a file; `first`: headers that are public wherever they lie."""
    if name.endswith((".md", ".1", ".5", ".7")) or name == "NEWS":
        text = path.read_text()
        yield "docs", text, 0, MARKDOWN_CODE.sub(lambda m: " " * len(m.group()), text)
    elif name.split("/")[0] in PRODUCT and name.endswith((".c", ".h", ".cu", ".cuh", ".def")):
        text, is_header = path.read_text(errors="replace"), name.endswith(".h")
        comments = "tables" if name.endswith(".def") else "public" if is_header and ("/include/" in name or name in first) else "comments"
        for match in COMMENT.finditer(text):
            yield comments, text, match.start(), re.sub(r"(?<=\n)\s*\*", lambda m: " " * len(m.group()), match.group())
        code = without_comments(text)
        for match in re.finditer(STRING, code):
            if '"' in match.group() and not KEYS.match(match.group()):
                yield "tables" if name.endswith(".def") else "texts", text, match.start(), PLACEHOLDER.sub(" ", match.group().strip('"'))


def found(source):
    """(pattern, place, "FILE:LINE: words") of each."""
    first = headers_to_read_first(source)
    for name, path in files(source):
        if name.startswith(("tests/", "samples/")):
            continue
        for place, whole, offset, text in pieces(name, path, first):
            flat = re.sub(r"\s", " ", text)
            for pattern, expression in PATTERNS.items():
                if pattern in FIRST:
                    start = re.match(r"/\*\s*|//\s*|\s*", flat).end() if place not in ("docs", "texts") else None
                    match = re.match(expression, flat[start:]) if start is not None else None
                    if match:
                        yield pattern, place, f"{name}:{line_of(whole, offset)}: {flat[start:start + 70]}"
                    continue
                for match in re.finditer(expression, flat, re.I):
                    yield pattern, place, f"{name}:{line_of(whole, offset + match.start())}: {flat[max(0, match.start() - 30):match.end() + 30].strip()}"


def language(source, _build):
    """No more of the patterns than COUNTS has, in any place."""
    counts = collections.Counter((pattern, place) for pattern, place, _ in found(source))
    for pattern in PATTERNS:
        for place, most in zip(PLACES, COUNTS.get(pattern, (0,) * len(PLACES))):
            if counts[pattern, place] > most:
                yield f"{place}: '{pattern}' {counts[pattern, place]} times, at most {most}: python3 tests/lint/language.py --show {pattern} {place}"


def main():
    source = pathlib.Path(__file__).resolve().parent.parent.parent
    if "--show" in sys.argv:
        wanted = sys.argv[sys.argv.index("--show") + 1:]
        print("\n".join(f"{place}: {line}" for pattern, place, line in found(source) if pattern == wanted[0] and place in (wanted[1:] or PLACES)))
        return
    counts = collections.Counter((pattern, place) for pattern, place, _ in found(source))
    print(f"COUNTS = {{  # {', '.join(PLACES)}")
    for pattern in PATTERNS:
        print(f'    "{pattern}": ({", ".join(str(counts[pattern, place]) for place in PLACES)}),')
    print("}")


if __name__ == "__main__":
    main()
