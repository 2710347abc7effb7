"""Rules that need more than one pattern: a function yields a line of text per fault. `build` is the build folder (for the list of tests)."""
import re
import subprocess

from circles import layers
from includes import repeated_includes
from language import language
from tree import PRODUCT, blank, code_only, files, line_of

MOST_WORDS, MOST_WORDS_OF_NEWS = 1500, 2500
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "NEWS", "docs/README.md", "docs/adding-measurements.md", "docs/adding-outputs.md", "docs/adding-tests.md", "docs/measuring.md", "docs/data/benchmarks.md", "docs/data/benchmarks-clock.md", "docs/data/benchmarks-programs.md", "docs/data/benchmarks-host.md", "docs/import.md", "docs/import-reports.md", "docs/programs.md", "samples/README.md")


def headers_documented(source, _build):
    """A header says what it is; every prototype in it, of a public or of a private header, has a comment of its own."""
    for name, path in files(source):
        if name.split("/")[0] in PRODUCT and name.endswith(".h"):
            yield from faults_of_header(name, path.read_text())


def faults_of_header(name, text):
    base, public = name.rsplit("/", 1)[1], re.fullmatch(r"[\w/]+/include/\w+/\w+\.h", name)
    guard = "RL_" + re.sub(r"\W", "_", name.split("/include/")[-1]).upper()
    if not text.startswith(f"/* {base} - "):
        yield f"{name}:1: does not begin with '/* {base} - what it is for'"
    if public and "\n#pragma once\n" not in text and f"#ifndef {guard}\n#define {guard}\n" not in text:
        yield f"{name}:1: has no #pragma once"
    for offset, symbol, commented in prototypes(text):
        if not commented:
            yield f"{name}:{line_of(text, offset)}: {symbol} has no comment of its own"


DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M)
FUNCTION = re.compile(r"(?!typedef\b)[\w\s*]*?\b(?!_Static_assert\b|static_assert\b|__attribute__\b)(\w+)\s*\((?!\s*\*)")


def prototypes(text):
    """(offset, name, whether it has a comment of its own) of each function that the header declares or defines: a comment right above
    it, in it, or behind it in the same line. A comment above several serves the first; headings (four hyphens) are none."""
    code = DIRECTIVE.sub(lambda m: blank(m.group()), code_only(text))
    code = re.sub(r'extern\s+"\s*"\s*\{', lambda m: blank(m.group()), code)
    for start, end in declarations(code):
        match = FUNCTION.match(code, start, end)
        if match:
            above = re.search(r"/\*(?! ----)(?:(?!\*/).)*\*/[ \t]*\n[ \t]*\Z", text[:start], re.S)
            head_end = start + len(code[start:end].split("{")[0])
            line_end = text.find("\n", head_end)
            yield start, match.group(1), bool(above) or "/*" in text[start:line_end if line_end >= 0 else len(text)]


def declarations(code):
    """(start, end) of what ends with a semicolon or a body outside of all braces."""
    start, depth = None, 0
    for offset, char in enumerate(code):
        if start is None:
            if char.isspace() or char in ";}":
                continue
            start = offset
        depth += {"{": 1, "}": -1}.get(char, 0)
        if depth == 0 and char == ";" or depth == 0 and char == "}" and "(" in code[start:offset].split("{")[0]:
            yield start, offset + 1
            start = None


def folders_have_rows(source, _build):
    """Every folder made by rl_folder() has a row in tests/include_rule/rule.txt."""
    rule = (source / "tests/include_rule/rule.txt").read_text()
    for name, path in files(source):
        if name.endswith("/CMakeLists.txt"):
            for folder in re.findall(r"^rl_folder\((\w+)", path.read_text(), re.M):
                if not re.search(rf"^(\w+/)?{folder}\b", rule, re.M):
                    yield f"{name}: folder {folder} has no row in tests/include_rule/rule.txt"


def shell(source, _build):
    """Shell scripts parse, and shellcheck, where it is installed, has nothing to say."""
    scripts = [str(path) for _, path in files(source) if is_shell(path)]
    if not scripts:
        yield f"{source}: no shell script found; is this the source folder?"
        return
    for script in scripts:
        yield from said_by(["bash", "-n", script])
    try:
        yield from said_by(["shellcheck", "--", *scripts])
    except FileNotFoundError:
        print("shellcheck is not installed: the scripts were only parsed")


def is_shell(path):
    with path.open("rb") as file:
        return re.match(rb"#!.*\b(ba)?sh\b", file.readline(64)) is not None


def said_by(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        yield (done.stdout + done.stderr).strip()


def packages(source, _build):
    """Every package that the build or the fonts ask for is in the table of ./quickstart, which says that it installs it."""
    table = set(re.findall(r"^    ([a-z][\w.+-]+) {2,}\S", (source / "quickstart").read_text(), re.M))
    for name, path in files(source):
        text = path.read_text() if name.endswith(("CMakeLists.txt", ".cmake", "fonts.def")) else ""
        asked = re.findall(r"^ *rl_library\(\w+ \S+ \S+ ([\w.+-]+)|install ([\w.+-]+) \(\./quickstart does", text, re.M)
        asked += re.findall(r'^FONT\(\w+, "([\w-]+)"()', text, re.M)
        for package in sorted({first or second for first, second in asked} - table):
            yield f"{name}: asks for {package}, which ./quickstart does not install"


def documents(source, build):
    """What the documents name exists: files, folders, commands of the program, tests."""
    commands = re.findall(r'^COMMAND\("(\w+)"', (source / "cli/commands.def").read_text(), re.M)
    tests, named = names_of_tests(build), names_in_sources(source)
    for name, path in files(source):
        is_document = name.endswith(".md") and not name.startswith(("docs/data/", "tests/")) or name.startswith("docs/man/") and name.endswith((".1", ".5", ".7"))
        words = len(path.read_text().split()) if name == "NEWS" or is_document else 0
        if words > (MOST_WORDS_OF_NEWS if name == "NEWS" else MOST_WORDS):
            yield f"{name}: {words} words, at most {MOST_WORDS_OF_NEWS if name == 'NEWS' else MOST_WORDS}: divide it"
    for document in DOCUMENTS:
        path = source / document
        if not path.exists():
            yield f"{document}: is not there"
            continue
        text = path.read_text()
        yield from (f"{document}: names '{place}', which is neither a file nor a test" for place in missing_places(text, source, path, tests, named))
        yield from (f"{document}: shows 'rooflight {command}', which is no row of cli/commands.def"
                    for command in sorted(commands_shown(text) - set(commands) - {"help"}))


def names_of_tests(build):
    """Names that ctest knows in this build."""
    listed = subprocess.run(["ctest", "-N"], cwd=build, capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"Test +#\d+: (\S+)", listed))


def names_in_sources(source):
    """Names of tests that the sources give, whatever this build leaves out."""
    return {name for path in source.glob("tests/**/CMakeLists.txt") for name in re.findall(r"add_test\(NAME ([\w./-]+)", path.read_text())}


def commands_shown(text):
    """NAME of every `rooflight NAME` in a code span or an indented line of commands."""
    spans = re.findall(r"`([^`\n]+)`", text) + re.findall(r"^ {4}(\S.*)$", text, re.M)
    return {name for span in spans for name in re.findall(r"(?:^|/)rooflight ([a-z]+)\b", span)}


def missing_places(text, source, document, tests, left_out=frozenset()):
    """Code spans that look like a path or a test of this project, and targets of links, that are not there. NAME, ID
    and the like stand for a name to be chosen: then the folder around it must be there. `left_out`: tests that are there and that
    this build may leave out; of folders of which it has no test at all nothing is said."""
    heads = {path.name for path in source.iterdir()} | {test.split("/")[0] for test in tests}
    for span in re.findall(r"`([\w.+-]+(?:/[\w.+*-]+)+/?)`", text):
        if span.split("/")[0] in heads - {"build"} and span not in tests | left_out:
            fixed = re.sub(r"/[^/]*(?:NAME|FOLDER|FILE|CARD|ID|\*).*", "", span)
            if not ((source / fixed).exists() or (source / "tests" / fixed).exists() or (source / "tests" / f"{fixed}.c").exists()):
                yield span
    for target in re.findall(r"\]\(([^)#\s]+)", text):
        if "://" not in target and not (document.parent / target).exists():
            yield target


CHECKS = {check.__name__: check for check in (headers_documented, folders_have_rows, shell, packages, documents, layers, language, repeated_includes)}
