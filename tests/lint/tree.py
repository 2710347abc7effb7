"""The source tree as the rules see it: its files, and C text without comments or strings."""
import os
import pathlib
import re

RULE = pathlib.Path(__file__).resolve().parent.parent / "include_rule/rule.txt"
TARGETS = tuple(re.findall(r"^[a-z/]+", RULE.read_text(), re.M))  # the folders of the program that are a target each
PRODUCT = tuple(dict.fromkeys(target.split("/")[0] for target in TARGETS))
SKIPPED = (".git", ".cache", "__pycache__")  # and every folder whose name begins with build


def files(source):
    """(name, path) of every file in order; `name` is the path below the source folder, with slashes."""
    for folder, below, names in os.walk(source):
        below[:] = sorted(d for d in below if d not in SKIPPED and not d.startswith("build"))
        for name in sorted(names):
            path = pathlib.Path(folder) / name
            yield path.relative_to(source).as_posix(), path


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def blank(text):
    """Blanks of the same shape, so that line numbers stay."""
    return re.sub(r"[^\n]", " ", text)


INCLUDE = r'^[ \t]*#[ \t]*include[ \t]*"[^"\n]*"'
COMMENT = r"/\*.*?\*/|//[^\n]*"
STRING = r'"(?:\\.|[^"\\\n])*"|' + r"'(?:\\.|[^'\\\n])*'"
TOKEN = re.compile(f"(?P<include>{INCLUDE})|(?P<comment>{COMMENT})|(?P<string>{STRING})", re.S | re.M)


def without_comments(text):
    """C text with its strings, without its comments."""
    return TOKEN.sub(lambda m: blank(m.group()) if m.group("comment") else m.group(), text)


def code_only(text):
    """C text without comments and without the insides of literals; the names in #include lines stay."""
    return TOKEN.sub(lambda m: m.group() if m.group("include") else blank(m.group()), text)


def as_it_is(text):
    return text
