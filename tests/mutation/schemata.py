"""All mutants of a file in one text: each is a branch on its number, so that a compilation serves them all (mutant.h)."""
import re

MARK = re.compile(r"RL_MUTANT\((\d+)\)")


def render(text, mutants, numbers):
    """`text` with the mutants in it. An alternative is made of the text as it was: only one mutant is active at a time."""
    return _between(text, 0, len(text), sorted((m for m in mutants if m.form != "alone"), key=_outer_first), numbers)


def _outer_first(m):
    return m.begin, -m.end, ("jump", "void", "value").index(m.form)


def _between(text, begin, end, mutants, numbers):
    out, at = [], begin
    while mutants:
        first = mutants[0]
        same = [m for m in mutants if (m.begin, m.end, m.form) == (first.begin, first.end, first.form)]
        inside = [m for m in mutants if first.begin <= m.begin and m.end <= first.end and m not in same]
        out += [text[at:first.begin], _choice(first, same, _between(text, first.begin, first.end, inside, numbers), numbers)]
        at = first.end
        mutants = [m for m in mutants if m.begin >= first.end]
    return "".join(out) + text[at:end]


def _choice(first, same, original, numbers):
    if first.form == "jump":
        return f"if (RL_MUTANT({numbers[first.name]})) ; else {original}"
    if first.form == "void":
        return f"(RL_MUTANT({numbers[first.name]}) ? (void)0 : (void)({original}))"
    branches = "".join(f"RL_MUTANT({numbers[m.name]}) ? ({m.new}) : " for m in same)
    return f"({branches}({original}))"


def number_at(text, line, column):
    """The number of the mutant that a compiler's complaint about this place belongs to, or None."""
    offset = sum(len(one) + 1 for one in text.split("\n")[:line - 1]) + column
    before = [match for match in MARK.finditer(text) if match.start() <= offset]
    return int(before[-1].group(1)) if before else None
