"""Makes one HTML page of the manual pages: a list of contents, each page as a chapter, and links where pages name one another.

    book.py --version VERSION PAGE... >manual.html

It knows the requests and escapes that the pages use. Another one is a fault, so that nothing is left out in silence.
"""
import argparse
import html
import pathlib
import re
import shlex
import sys

CHARACTERS = {"bu": "•", "lq": "“", "rq": "”", "aq": "'", "en": "–", "em": "—", "co": "©"}
FONTS = {"B": "<b>", "I": "<i>"}
STYLE = """
body { max-width: 50rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 sans-serif; color: #222; background: #fff }
nav li { list-style: none } pre { background: #f4f4f4; padding: .5rem; overflow-x: auto } b, pre { font-family: monospace }
h1, h2 { border-top: 1px solid #ccc; padding-top: 1rem } dd, .inset { margin-left: 2rem } a { color: #0645ad }
"""


def words_of(line):
    """Arguments of a request; quotes hold blanks together."""
    lexer = shlex.shlex(line, posix=True)
    lexer.whitespace_split, lexer.quotes, lexer.escape, lexer.commenters = True, '"', "", ""
    return list(lexer)


def inline(text):
    """Escapes of a line as HTML: fonts, characters; a font ends with the line at the latest."""
    out, font = [], ""

    def turn(new):
        nonlocal font
        out.append({"B": "</b>", "I": "</i>"}.get(font, "") + FONTS.get(new, ""))
        font = new

    for part in re.findall(r"\\f.|\\\(..|\\\[u[0-9A-Fa-f]+\]|\\.|[^\\]+", text):
        if part.startswith("\\f"):
            if part[2] not in "BIRP":
                raise ValueError(f"unknown font {part}")
            turn(part[2] if part[2] in FONTS else "")
        elif part.startswith("\\("):
            out.append(CHARACTERS[part[2:]])
        elif part.startswith("\\[u"):
            out.append(chr(int(part[3:-1], 16)))
        elif part.startswith("\\"):
            plain = {"-": "-", "&": "", "e": "\\", " ": "\u00a0", "%": ""}
            if part[1] not in plain:
                raise ValueError(f"unknown escape {part}")
            out.append(html.escape(plain[part[1]]))
        else:
            out.append(html.escape(part, quote=False))
    turn("")
    return "".join(out)


class Chapter:
    """One manual page. Elements that are open are a stack: what begins a paragraph closes what belongs to the last one."""

    def __init__(self, path):
        self.name, self.section, self.out, self.open, self.levels, self.is_head, self.filled = path.stem, path.suffix[1:], [], [], [], False, True
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            try:
                self.take(line)
            except (ValueError, KeyError) as fault:
                sys.exit(f"{path}:{number}: {fault}")
        self.close_to(0)

    def close_to(self, depth):
        while len(self.open) > depth:
            self.out.append(f"</{self.open.pop()}>\n")

    def begin(self, tag, attributes=""):
        self.open.append(tag)
        self.out.append(f"<{tag}{attributes}>")

    def floor(self):
        """Depth of what stays open at the next paragraph."""
        return self.levels[-1] if self.levels else 0

    def take(self, line):
        if line.startswith((".", "'")) and not line.startswith((".\\\"", "'\\\"")):
            request, _, rest = line[1:].partition(" ")
            if not hasattr(self, f"do_{request}"):
                raise ValueError(f"unknown request .{request}")
            getattr(self, f"do_{request}")(words_of(rest))
        elif not line.startswith(".\\\""):
            self.text(line)

    def text(self, line):
        if self.is_head:
            self.out.append(inline(line) + "</dt>\n")
            self.open.pop()
            self.begin("dd")
            self.is_head = False
            return
        if self.filled and len(self.open) == self.floor():
            self.begin("p")
        self.out.append(inline(line) + "\n")

    def heading(self, tag, words):
        self.levels.clear()
        self.close_to(0)
        self.out.append(f"<{tag}>{inline(' '.join(words))}</{tag}>\n")

    def do_TH(self, words):
        self.out.append(f'<h1 id="{self.name}">{inline(words[0].lower())}({words[1]})</h1>\n')

    def do_SH(self, words):
        self.heading("h2", [word.capitalize() for word in " ".join(words).split()[:1]] + [word.lower() for word in " ".join(words).split()[1:]])

    def do_SS(self, words):
        self.heading("h3", words)

    def do_PP(self, _):
        self.close_to(self.floor())

    def in_list(self):
        """What follows is an item of the list at this level."""
        if not (len(self.open) > self.floor() and self.open[self.floor()] == "dl"):
            self.close_to(self.floor())
            self.begin("dl")
        self.close_to(self.floor() + 1)

    def do_TP(self, _):
        self.in_list()
        self.begin("dt")
        self.is_head = True

    def do_IP(self, words):
        """With a mark an item; without one a further paragraph of the item before, or an inset one."""
        if words:
            self.in_list()
            self.out.append(f"<dt>{inline(words[0])}</dt>")
            self.begin("dd")
        elif len(self.open) > self.floor() + 1:
            self.close_to(self.floor() + 2)
            self.begin("p")
        else:
            self.close_to(self.floor())
            self.begin("p", ' class="inset"')

    def do_RS(self, _):
        self.begin("div", ' class="inset"')
        self.levels.append(len(self.open))

    def do_RE(self, _):
        self.close_to(self.levels.pop() - 1)

    def do_nf(self, _):
        self.close_to(max(self.floor(), len(self.open) - (self.open[-1:] == ["p"])))
        self.begin("pre")
        self.filled = False

    def do_fi(self, _):
        self.filled = True
        self.close_to(len(self.open) - 1)

    def do_br(self, _):
        self.out.append("<br>\n")


def with_links(text, names):
    """Names of pages as they cite one another become links."""
    return re.sub(r"<b>([\w-]+)</b>\(([157])\)",
                  lambda found: f'<a href="#{found[1]}"><b>{found[1]}</b>({found[2]})</a>' if found[1] in names else found[0], text)


def main():
    parser = argparse.ArgumentParser(description="Makes one HTML page of the manual pages.")
    parser.add_argument("--version", required=True)
    parser.add_argument("pages", type=pathlib.Path, nargs="+")
    arguments = parser.parse_args()
    chapters = [Chapter(path) for path in sorted(arguments.pages, key=lambda path: path.stem)]
    names = {chapter.name for chapter in chapters}
    print(f'<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
          f"<title>rooflight {arguments.version}: manual pages</title><style>{STYLE}</style></head>\n<body>\n<nav><ul>")
    print("\n".join(f'<li><a href="#{chapter.name}">{chapter.name}({chapter.section})</a></li>' for chapter in chapters), "</ul></nav>", sep="\n")
    print("".join(with_links("".join(chapter.out), names) for chapter in chapters), "</body>\n</html>", sep="")


if __name__ == "__main__":
    main()
