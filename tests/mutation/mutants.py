"""Mutants of a C file: small faults, found on clang's syntax tree and written as replacements of text.

Rows of OPPOSITE say which operator becomes which. Text from macros is left alone (a fault there is not one place in the file), as are
`sizeof` and strings. So is what changes nothing: asking for more memory than is needed, and >= for > in the idiom of a comparison,
`(a > b) - (a < b)`, which then only orders equals.
"""
import hashlib
import json
import re
import shlex
import subprocess

OPPOSITE = {
    "<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "==": ("!=",), "!=": ("==",),
    "+": ("-",), "-": ("+",), "*": ("/",), "/": ("*",), "%": ("*",), "&": ("|",), "|": ("&",), "^": ("&",), "<<": (">>",), ">>": ("<<",),
    "&&": ("||",), "||": ("&&",),
    "+=": ("-=",), "-=": ("+=",), "*=": ("/=",), "/=": ("*=",), "|=": ("&=",), "&=": ("|=",), "<<=": (">>=",), ">>=": ("<<=",),
}
OWN_NEGATION = ("<", "<=", ">", ">=", "==", "!=", "&&", "||")
ALLOCATES = re.compile(r"alloc$")
SYMMETRIC = {"strcmp", "strcasecmp", "memcmp", "strncmp", "fmin", "fmax"}  # swapped arguments say the same, or nearly
TRANSPARENT = ("ImplicitCastExpr", "ParenExpr", "ConstantExpr", "CStyleCastExpr")
CONDITION_AT = {"IfStmt": 0, "WhileStmt": 0, "ForStmt": 2, "DoStmt": 1, "ConditionalOperator": 0}
NUMBER = re.compile(r"\d[\w.]*(?:[eE][+-]\d+)?[uUlLfF]*$")
DEFINE = re.compile(r"^#define[ \t]+\w+[ \t]+(\d[\w.]*)[ \t]*(?=$|/\*)", re.M)


class Mutant:
    """`form`: how it is written: `value` (an expression), `void` (an expression whose value nobody wants), `jump` (a statement
    without its semicolon), or `alone` (in a constant expression: the file is compiled once for it)."""

    def __init__(self, file, text, function, begin, end, form, operator, new):
        self.file, self.function, self.begin, self.end, self.form, self.operator, self.new = file, function, begin, end, form, operator, new
        self.line = text.count("\n", 0, begin) + 1
        self.old = text[begin:end]
        begin_of_line = text.rfind("\n", 0, begin) + 1
        whole = text[begin_of_line:].split("\n", 1)[0]
        self.source = shown(whole)
        self.column = begin - begin_of_line - (len(whole) - len(whole.lstrip()))
        self.name = ""

    def difference(self):
        return f"{shown(self.old)}  ->  {shown(self.new) or 'nothing'}"


def shown(text):
    """On one line, for people; files are read as Latin-1, since clang counts bytes."""
    return " ".join(text.encode("latin-1").decode(errors="replace").split())


def give_names(mutants):
    """Names that stay when lines, or functions, move. Two files may have the same ones."""
    seen = {}
    for m in mutants:
        where = f"{m.function}|{m.source}|{m.column}|{m.old}|{m.operator}|{m.new}"
        seen[where] = seen.get(where, 0) + 1
        m.name = hashlib.sha256(f"{where}|{seen[where]}".encode()).hexdigest()[:10]
    return mutants


class Finder:
    """Walks the tree of one file."""

    def __init__(self, file, text):
        self.file, self.text, self.found, self.function, self.alone, self.size = file, text, [], "", False, False
        self.covered, self.idiom = [], []  # ids of nodes whose mutants, or first mutants, others stand for

    # ---- places ----

    def spot(self, location, end):
        """(offset, offset of the macro's call or None); None for another file."""
        macro = None
        if "expansionLoc" in location:
            location = location["expansionLoc"]
            macro = location.get("offset")
        if "offset" not in location or "includedFrom" in location:
            return None
        at = location["offset"] + (location["tokLen"] if end else 0)
        if macro is not None and end:
            at = self.past_arguments(at)
        return at, macro

    def past_arguments(self, at):
        """Behind the parentheses of a macro with arguments."""
        if self.text[at:at + 1] != "(":
            return at
        depth = 0
        for i in range(at, len(self.text)):
            depth += {"(": 1, ")": -1}.get(self.text[i], 0)
            if depth == 0:
                return i + 1
        return at

    def place(self, node):
        """(begin, end) of the text of a node; None where it is not text of this file alone."""
        around = node.get("range", {})
        begin, end = self.spot(around.get("begin", {}), False), self.spot(around.get("end", {}), True)
        if begin is None or end is None or (begin[1] is not None and begin[1] == end[1]):
            return None
        return begin[0], end[0]

    def add(self, node, form, operator, *new):
        at = self.place(node)
        if at:
            form = "alone" if self.alone else form
            self.found += [Mutant(self.file, self.text, self.function, *at, form, operator, text) for text in new if text is not None]

    def words(self, node):
        """The text of a node, in parentheses; of one from a macro, the macro's call."""
        around = node["range"]
        begin, end = self.spot(around["begin"], False), self.spot(around["end"], True)
        return f"({self.text[begin[0]:end[0]]})" if begin and end else None

    # ---- operators ----

    def binary(self, node):
        if node["opcode"] in ("<", "<=", ">", ">="):  # one more or less than an integer is what the next operator says
            self.covered += [strip(side)["id"] for side in node["inner"] if strip(side)["kind"] == "IntegerLiteral"]
        sides = [strip(side) for side in node["inner"]]
        if node["opcode"] == "-" and [side.get("opcode") for side in sides] == [">", "<"]:
            self.idiom += [side["id"] for side in sides]
        left, right = self.words(node["inner"][0]), self.words(node["inner"][1])
        pointers = all("*" in side["type"]["qualType"] for side in node["inner"])
        if left and right and not (pointers and node["opcode"] == "-"):
            self.add(node, "value", node["opcode"], *(f"{left} {new} {right}" for new in self.opposites(node)))

    def opposites(self, node):
        found = OPPOSITE.get(node["opcode"], ())
        return found[1:] if node["id"] in self.idiom else found

    def unary(self, node):
        inner = self.words(node["inner"][0])
        if node["opcode"] == "!" and inner:
            self.add(node, "value", "!", f"!!{inner}")
        elif node["opcode"] in ("++", "--") and inner:
            new = "--" if node["opcode"] == "++" else "++"
            self.add(node, "value", node["opcode"], inner + new if node.get("isPostfix") else new + inner)

    def literal(self, node):
        if node["id"] in self.covered:
            return
        at = self.place(node)
        text = self.text[slice(*at)] if at else ""
        if NUMBER.match(text):
            steps = (f"({text} * 2)", f"({text} / 2)") if node["kind"] == "FloatingLiteral" else (f"({text} + 1)", f"({text} - 1)")
            zero = float(node["value"]) == 0
            if self.size:
                steps = steps[1:]
            self.add(node, "value", "constant", *((f"({text} + 1)",) if zero and not self.size else steps))
        elif node["kind"] == "CharacterLiteral" and text.startswith("'"):
            self.add(node, "value", "constant", f"({text} + 1)")
        elif not at:
            self.truth(node)

    def truth(self, node):
        """`true` and `false`, which are macros."""
        where = node.get("range", {}).get("begin", {}).get("expansionLoc", {})
        if "offset" in where and "includedFrom" not in where:
            at = where["offset"]
            word = self.text[at:at + where["tokLen"]]
            new = {"true": "false", "false": "true"}.get(word)
            if new:
                form = "alone" if self.alone else "value"
                self.found.append(Mutant(self.file, self.text, self.function, at, at + len(word), form, "constant", new))

    def condition(self, node):
        inner = node["inner"][CONDITION_AT[node["kind"]]]
        bare = strip(inner)
        negates = bare.get("opcode") == "!" or bare.get("opcode") in OWN_NEGATION
        if inner.get("kind") and not negates and bare["kind"] not in ("IntegerLiteral",):
            self.add(inner, "value", "condition", f"!{self.words(inner)}")

    def returned(self, node):
        if not node.get("inner"):
            self.add(node, "jump", "statement", "")
            return
        inner, kind = node["inner"][0], node["inner"][0]["type"]
        bare, name = strip(inner), kind.get("desugaredQualType", kind["qualType"])
        if bare["kind"].endswith("Literal") or bare.get("opcode") in (*OWN_NEGATION, "!") or name.startswith("struct"):
            return
        words = self.words(inner)
        if bare.get("referencedDecl", {}).get("kind") == "EnumConstantDecl":
            self.add(inner, "value", "return", f"(int){words} + 1")
        elif words:
            zero = "(void *)0" if "*" in name else f"({words}, 0)"
            self.add(inner, "value", "return", f"!{words}" if name in ("_Bool", "bool") else zero)

    def call(self, node):
        callee, *given = node["inner"]
        if strip(callee).get("referencedDecl", {}).get("name") in SYMMETRIC:
            return
        at = self.place(node)
        for one, other in zip(given, given[1:]):
            a, b = self.place(one), self.place(other)
            same = one["type"] == other["type"] and not one["type"]["qualType"].startswith("struct ") or "*" in one["type"]["qualType"]
            kinds = [strip(one)["kind"], strip(other)["kind"]]
            literal = "StringLiteral" in kinds or all(kind.endswith("Literal") for kind in kinds)
            if at and a and b and same and one["type"] == other["type"] and not literal and a[1] <= b[0]:
                t = self.text
                new = t[at[0]:a[0]] + t[slice(*b)] + t[a[1]:b[0]] + t[slice(*a)] + t[b[1]:at[1]]
                if t[slice(*a)] != t[slice(*b)]:
                    self.add(node, "value", "arguments", new)

    def statement(self, node):
        """Takes a statement away."""
        kind = node.get("kind")
        if kind in ("BreakStmt", "ContinueStmt"):
            self.add(node, "jump", "statement", "")
        elif kind == "CallExpr":
            self.add(node, "void", "statement", "")
        elif kind == "CompoundAssignOperator" or (kind == "BinaryOperator" and node["opcode"] == "="):
            self.add(node, "void", "statement", "")
        elif kind == "UnaryOperator" and node["opcode"] in ("++", "--"):
            self.add(node, "void", "statement", "")

    # ---- the walk ----

    def bodies(self, node):
        """Children of a statement that are statements of their own."""
        inner = node.get("inner", [])
        if node["kind"] == "CompoundStmt":
            return inner
        if node["kind"] == "IfStmt":
            return inner[1:]
        if node["kind"] in ("WhileStmt", "ForStmt"):
            return inner[-1:]
        return []

    def visit(self, node):
        kind = node.get("kind")
        if not kind or kind == "UnaryExprOrTypeTraitExpr":
            return
        before = self.alone, self.size
        if kind in ("ConstantExpr", "EnumDecl") or (kind == "VarDecl" and node.get("storageClass") == "static"):
            self.alone = True
        if kind == "ImplicitCastExpr" and node.get("castKind") == "NullToPointer":
            return
        if kind == "CallExpr":
            self.size = bool(ALLOCATES.search(strip(node["inner"][0]).get("referencedDecl", {}).get("name", "")))
        one = {"BinaryOperator": self.binary, "CompoundAssignOperator": self.binary, "UnaryOperator": self.unary, "IntegerLiteral": self.literal,
               "FloatingLiteral": self.literal, "CharacterLiteral": self.literal, "ReturnStmt": self.returned, "CallExpr": self.call}.get(kind)
        if one:
            one(node)
        if kind in CONDITION_AT:
            self.condition(node)
        for child in self.bodies(node):
            self.statement(child)
        for child in node.get("inner", []):
            self.visit(child)
        self.alone, self.size = before

    def declaration(self, node):
        self.function = node.get("name", "")
        self.alone = node["kind"] != "FunctionDecl"
        self.visit(node)


def strip(node):
    while node.get("kind") in TRANSPARENT and node.get("inner"):
        node = node["inner"][-1]
    return node


def tree_of(command):
    """clang's tree for a command of the compile database."""
    words = shlex.split(command["command"])
    kept = [word for i, word in enumerate(words[1:], 1) if word not in ("-c", "-o") and words[i - 1] != "-o"]
    run = subprocess.run(["clang", *kept, "-w", "-fsyntax-only", "-Xclang", "-ast-dump=json"], cwd=command["directory"],
                         stdout=subprocess.PIPE, check=True)
    return json.loads(run.stdout)


def mutants_of(file, text, command):
    """Mutants of one file, in the order of their places."""
    finder = Finder(file, text)
    for node in tree_of(command)["inner"]:
        at = node.get("loc", {})
        at = at.get("expansionLoc", at)
        if "offset" in at and "includedFrom" not in at:
            finder.declaration(node)
    for match in DEFINE.finditer(text):
        for new in ("+ 1", "- 1"):
            finder.found.append(Mutant(file, text, "", match.start(1), match.end(1), "alone", "constant", f"({match.group(1)} {new})"))
    unique = {(m.begin, m.end, m.operator, m.new): m for m in finder.found}
    return give_names(sorted(unique.values(), key=lambda m: (m.begin, -m.end, m.operator, m.new)))
