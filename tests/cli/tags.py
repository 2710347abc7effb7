"""Reads the structure of tagged PDFs as an assistive program would, and holds it against what is on the pages.

    tags.py --program PROGRAM --captures DIR --samples DIR          exit status 0 passed, 1 failed, 77 cannot be tried here

Everything on a page is part of an element or marked as decoration; elements stand where the standard lets them (ISO 32000-1, 14.8.4;
ISO 14289-1, 7); figures say in words what they show; tables have heads and rows of one length; the order of the tree is that of the
pages; links can be followed; language and title are there; figures say where they stand; fonts are embedded and lead back to text; what is
attached has a name and a description; nothing runs by itself.
"""
import argparse
import base64
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from pages import CANNOT_TRY, DOCUMENTS, made, places_of

# Inside which element each may stand; the root is "".
PARENTS = {
    "Document": ("",), "Sect": ("Document",), "H1": ("Document", "Sect"), "H2": ("Document", "Sect"), "P": ("Document", "Sect"),
    "L": ("Document", "Sect"), "LI": ("L",), "Lbl": ("LI",), "LBody": ("LI",), "Table": ("Document", "Sect"), "TR": ("Table",),
    "TH": ("TR",), "TD": ("TR",), "Figure": ("Document", "Sect"), "Link": ("Document", "Sect", "P", "LBody", "TH", "TD", "H1", "H2"),
    "Span": ("P", "LBody", "TH", "TD", "H1", "H2"),
}
EMPTY_ALLOWED = ("TH", "TD")
SHOWS = ("Tj", "TJ", "'", '"', "S", "s", "f", "F", "f*", "B", "B*", "b", "b*", "Do", "sh")
LEAST_ALTERNATIVE = 20  # characters


class Document:
    """The objects of a PDF, by number, as qpdf writes them."""

    def __init__(self, pdf):
        done = subprocess.run(["qpdf", "--json=2", "--json-stream-data=inline", "--decode-level=generalized", "--json-key=qpdf",
                               "--json-key=pages", str(pdf)], capture_output=True, text=True, timeout=120)
        if done.returncode or done.stderr:
            raise RuntimeError(f"qpdf ended with {done.returncode}: {done.stderr.strip()}")
        data = json.loads(done.stdout)
        self.objects = data["qpdf"][1]
        self.catalog = self.get(self.objects["trailer"]["value"]["/Root"])
        self.pages = [page["object"] for page in data["pages"]]
        self.contents = [b"".join(self.stream(part) for part in page["contents"]) for page in data["pages"]]

    def get(self, value):
        """A value, or the object that it refers to."""
        if isinstance(value, str) and re.fullmatch(r"\d+ \d+ R", value):
            held = self.objects[f"obj:{value}"]
            return held["stream"]["dict"] if "stream" in held else held["value"]
        return value

    def stream(self, reference):
        return base64.b64decode(self.objects[f"obj:{reference}"]["stream"]["data"])


class Element:
    def __init__(self, document, reference, parent):
        self.reference, self.parent = reference, parent
        self.dict = document.get(reference)
        self.role = self.dict["/S"][1:]
        self.kids, self.marks, self.annotations = [], [], []  # elements; (page, number); objects
        kids = self.dict.get("/K", [])
        for kid in kids if isinstance(kids, list) else [kids]:
            self.add(document, kid)

    def add(self, document, kid):
        value = document.get(kid)
        if isinstance(value, int):
            self.marks.append((self.dict["/Pg"], value))
        elif value.get("/Type") == "/MCR":
            self.marks.append((value["/Pg"], value["/MCID"]))
        elif value.get("/Type") == "/OBJR":
            self.annotations.append(value["/Obj"])
        else:
            self.kids.append(Element(document, kid, self))

    def all(self):
        yield self
        for kid in self.kids:
            yield from kid.all()


def marks_of(contents):
    """Numbers of the marked contents of a page in their order; what is drawn outside any; marks in marks."""
    numbers, outside, nested, open_marks = [], 0, 0, 0
    text = re.sub(rb"\((?:\\.|[^\\()])*\)|<[0-9A-Fa-f\s]*>(?!>)", b"()", contents, flags=re.S)
    for match in re.finditer(rb"/(\w+)\s*(?:<<\s*/MCID (\d+)\s*>>\s*BDC|BMC)|(?<![^\s])(EMC|Tj|TJ|'|\"|S|s|f\*?|F|B\*?|b\*?|Do|sh)(?![^\s])", text):
        operator = match[3] and match[3].decode()
        if not operator:
            nested += open_marks > 0
            open_marks += 1
            numbers += [int(match[2])] if match[2] else []
        elif operator == "EMC":
            open_marks -= 1
        elif operator in SHOWS:
            outside += open_marks == 0
    return numbers, outside, nested + abs(open_marks)


def faults_of_catalog(document):
    catalog, info = document.catalog, document.get(document.objects["trailer"]["value"].get("/Info", {}))
    metadata = catalog.get("/Metadata")
    if catalog.get("/Lang") not in ("u:en", "b:en"):
        yield f"the language is {catalog.get('/Lang')}"
    if document.get(catalog.get("/MarkInfo", {})).get("/Marked") is not True:
        yield "it is not marked as tagged"
    if document.get(catalog.get("/ViewerPreferences", {})).get("/DisplayDocTitle") is not True:
        yield "windows show no title"
    if not info.get("/Title", "u:")[2:]:
        yield "it has no title"
    if not metadata or b"<pdfuaid:part>1<" not in document.stream(metadata) or b"<dc:title>" not in document.stream(metadata):
        yield "its metadata do not name the standard and the title"


def faults_of_element(element):
    parent = element.parent.role if element.parent else ""
    if parent not in PARENTS.get(element.role, ()):
        yield f"{element.role} inside {parent or 'the root'}"
    if not (element.kids or element.marks or element.annotations) and element.role not in EMPTY_ALLOWED:
        yield f"{element.role} holds nothing"
    if element.role == "Figure" and len(element.dict.get("/Alt", "u:")) - 2 < LEAST_ALTERNATIVE:
        yield f"a figure says '{element.dict.get('/Alt')}'"
    if element.role == "Table":
        rows = [[cell.role for cell in row.kids] for row in element.kids]
        if len({len(row) for row in rows}) != 1 or element.marks:
            yield f"rows of a table have {sorted({len(row) for row in rows})} cells"
        if not any("TH" in row for row in rows):
            yield "a table has no head"
        if any(len(row) > 1 and set(row) == {"TH"} for row in rows[1:]):
            yield "a head is said again in the middle of a table"
    if element.role == "TH" and "/Scope" not in json.dumps(element.dict.get("/A")):
        yield "a head does not say of what"


def faults_of_place(document, element):
    """A figure's box is on its page, and is not empty (ISO 14289-1, 7.3; ISO 32000-1, 14.8.5.4.3)."""
    attributes = document.get(element.dict.get("/A", {}))
    box = attributes.get("/BBox") if isinstance(attributes, dict) else None
    page = document.get(document.get(element.dict["/Pg"]).get("/MediaBox", [0, 0, 612, 792]))
    if not box or attributes.get("/O") != "/Layout":
        yield "a figure does not say where it stands"
    elif not (page[0] <= box[0] < box[2] <= page[2] and page[1] <= box[1] < box[3] <= page[3]):
        yield f"a figure stands at {box}"


def faults_of_heads(table):
    """The first row has heads of columns; below it a head is that of its row, and stands first (7.5)."""
    for number, row in enumerate(table.kids):
        for column, cell in enumerate(row.kids):
            scope = re.search(r'"/Scope": "/(\w+)"', json.dumps(cell.dict.get("/A")))
            if cell.role != "TH" or not scope:
                continue
            if scope[1] == "Row" and column:
                yield "the head of a row stands inside of it"
            if scope[1] == "Column" and number and len(row.kids) > 1:
                yield "the head of a column stands below the first row"


def faults_of_fonts(document):
    """Embedded, and their text can be taken out (7.21)."""
    for held in document.objects.values():
        value = held.get("value", {}) if "stream" not in held else {}
        if not isinstance(value, dict):
            continue
        if value.get("/Type") == "/FontDescriptor" and not any(f"/FontFile{kind}" in value for kind in ("", "2", "3")):
            yield f"the font {value.get('/FontName')} is not embedded"
        if value.get("/Type") == "/Font" and value.get("/Subtype") == "/Type0" and "/ToUnicode" not in value:
            yield f"the font {value.get('/BaseFont')} does not lead back to text"


def faults_of_rest(document):
    """What is attached is named and described (7.11); nothing runs by itself (7.19)."""
    for held in document.objects.values():
        value = held.get("value", {}) if "stream" not in held else held["stream"]["dict"]
        if not isinstance(value, dict):
            continue
        if value.get("/Type") == "/Filespec" and not all(value.get(key, "u:")[2:] for key in ("/F", "/UF", "/Desc")):
            yield "what is attached has no name or no description"
        if value.get("/S") in ("/JavaScript", "/Launch") or "/AA" in value or "/XFA" in value:
            yield "something runs by itself"
    if document.catalog.get("/OpenAction") is not None and isinstance(document.get(document.catalog["/OpenAction"]), dict):
        yield "something runs when it is opened"


def faults_of_headings(elements):
    levels = [int(element.role[1]) for element in elements if re.fullmatch(r"H\d", element.role)]
    if not levels or levels[0] != 1:
        yield f"headings begin with {levels[:1]}"
    yield from (f"heading {b} follows {a}" for a, b in zip(levels, levels[1:]) if b > a + 1)


def owners_of(document, root):
    """Numbers of the parent tree and what stands there."""
    numbers = document.get(root["/ParentTree"])["/Nums"]
    return {numbers[i]: document.get(numbers[i + 1]) if isinstance(document.get(numbers[i + 1]), list) else numbers[i + 1]
            for i in range(0, len(numbers), 2)}


def faults_of_page(document, number, elements, owners):
    reference = document.pages[number]
    page, where = document.get(reference), f"page {number + 1}"
    written, outside, nested = marks_of(document.contents[number])
    in_tree = [(mark[1], element) for element in elements for mark in element.marks if mark[0] == reference]
    if outside or nested:
        yield f"{where}: {outside} things are drawn outside all marks, {nested} marks are nested or open"
    if sorted(written) != sorted(mark for mark, _ in in_tree) or len(set(written)) != len(written):
        yield f"{where}: {len(written)} marked contents, {len(in_tree)} in the tree"
    if not in_tree:
        yield f"{where}: nothing on it is text"
    if page.get("/Tabs") != "/S":
        yield f"{where}: links are not visited in the order of the text"
    listed = owners.get(page.get("/StructParents"), [])
    if any(mark >= len(listed) or listed[mark] != element.reference for mark, element in in_tree):
        yield f"{where}: the list of owners contradicts the tree"
    order = [mark for mark, element in in_tree if element.role != "Link"]  # numbers of pages are drawn last
    if order != sorted(order):
        yield f"{where}: the order of the tree is not that of the page"


def faults_of_links(document, elements, owners):
    holders = {annotation: element for element in elements for annotation in element.annotations}
    for number, reference in enumerate(document.pages):
        for annotation in document.get(document.get(reference).get("/Annots", [])):
            link = document.get(annotation)
            holder = holders.get(annotation)
            if not holder or holder.role != "Link" or owners.get(link.get("/StructParent")) != holder.reference:
                yield f"page {number + 1}: a link is no element"
            if not link.get("/Contents", "u:")[2:]:
                yield f"page {number + 1}: a link does not say where it leads"


def faults_of(document):
    yield from faults_of_catalog(document)
    root = document.get(document.catalog.get("/StructTreeRoot"))
    if not root:
        yield "it has no structure"
        return
    top = document.get(root["/K"])
    elements = [e for kid in (top if isinstance(top, list) else [root["/K"]]) for e in Element(document, kid, None).all()]
    owners = owners_of(document, root)
    if [element.role for element in elements if not element.parent] != ["Document"]:
        yield "the structure is not one document"
    for element in elements:
        yield from faults_of_element(element)
        if element.role == "Figure":
            yield from faults_of_place(document, element)
        if element.role == "Table":
            yield from faults_of_heads(element)
    yield from faults_of_fonts(document)
    yield from faults_of_rest(document)
    yield from faults_of_headings(elements)
    for number in range(len(document.pages)):
        yield from faults_of_page(document, number, elements, owners)
    yield from faults_of_links(document, elements, owners)


def main():
    parser = argparse.ArgumentParser(description="Holds the structure of reports against their pages.")
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--captures", type=pathlib.Path, required=True)
    parser.add_argument("--samples", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    missing = [tool for tool in ("qpdf", "gnuplot") if not shutil.which(tool)]
    if missing:
        print(f"SKIPPED: no {', '.join(missing)}")
        return CANNOT_TRY
    many, folders = places_of(arguments)
    faults = []
    for name, command, *_ in DOCUMENTS:
        with tempfile.TemporaryDirectory() as folder:
            try:
                found = list(faults_of(Document(made(arguments.program, pathlib.Path(folder), folders, command))))
            except RuntimeError as error:
                found = [str(error)]
        faults += [f"{name}: {fault}" for fault in dict.fromkeys(found)]
    many.cleanup()
    print("\n".join(faults) if faults else f"{len(DOCUMENTS)} documents read: no fault")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
