"""No #include of what another #include of the same file brings anyway: a file names what it is about and what is rarer."""
import posixpath
import re

from tree import PRODUCT, files, without_comments

LINE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(<[^>\n]+>|"[^"\n]+\.h")', re.M)
CONDITION = re.compile(r"^[ \t]*#[ \t]*(if|endif)", re.M)
# Headers of kernels are included by CUDA and by C, those of core/ by both; each names what it needs.
LEFT_OUT = ("kernels/", "core/include/")


def repeated_includes(source, _build):
    texts = {name: without_comments(path.read_text(errors="replace")) for name, path in files(source)
             if name.split("/")[0] in PRODUCT and name.endswith((".c", ".h"))}
    public = {name.split("/include/")[1]: name for name in texts if "/include/" in name}
    named = {}
    for name in texts:
        named.setdefault(posixpath.basename(name), []).append(name)
    included = {name: [(offset, find(name, what, public, named)) for offset, what in includes(text)] for name, text in texts.items()}
    brought = {}
    for name, ones in included.items():
        if not name.startswith(LEFT_OUT):
            own = posixpath.splitext(posixpath.basename(name))[0] + ".h"
            for offset, what in ones:
                by = next((other for _, other in ones if other != what and what in brings(other, included, brought)), None)
                if by and not (name.endswith(".c") and posixpath.basename(what) == own):
                    yield f"{name}:{texts[name].count(chr(10), 0, offset) + 1}: '{what}' comes with '{by}'"


def includes(text):
    """(offset, name with its signs) of each that no condition is on."""
    for match in LINE.finditer(text):
        conditions = [other.group(1) for other in CONDITION.finditer(text, 0, match.start())]
        if conditions.count("if") == conditions.count("endif"):
            yield match.start(), match.group(1)


def find(name, what, public, named):
    """The file that is meant, by its place in the tree; of another project: as it is written."""
    if what[0] == "<":
        return what
    what = what[1:-1]
    beside = posixpath.join(posixpath.dirname(name), what)
    same = [other for other in named.get(posixpath.basename(what), ()) if other.endswith(f"/{what}")]
    return next((other for other in same if other == beside), public.get(what, same[0] if same else what))


def brings(name, included, brought):
    if name not in brought:
        brought[name] = set()
        for _, what in included.get(name, ()):
            brought[name] |= {what} | brings(what, included, brought)
    return brought[name]
