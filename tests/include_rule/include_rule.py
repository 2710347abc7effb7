"""Holds one folder's real include path (from the build system) against rule.txt, with the compiler as the judge.

Every public header of a folder in the row must compile; every header of any other folder, and every private header of a foreign
folder, must not be found. The folder's own headers, public and private, must each compile alone, with the warnings of the build.
"""
import argparse
import pathlib
import subprocess
import sys


def rows(path):
    """The table: folder -> folders that it may include."""
    table = {}
    for line in path.read_text().splitlines():
        words = line.split("#")[0].split()
        if words:
            table[words[0]] = words[1:]
    return table


def public_headers(source, folder):
    """Names as an #include writes them: core/buf.h. The .def tables are headers of a kind, but not self-contained ones."""
    base = source / folder / "include"
    return sorted(str(p.relative_to(base)) for p in base.rglob("*.h"))


def private_headers(source, folder, table):
    """Of the folder and its parts, but not of what runs in other people's programs, which is built apart."""
    inner = [source / other for other in table if other.startswith(f"{folder}/")] + [source / folder / "include", source / "collector/inject"]
    return sorted(p.name for p in (source / folder).rglob("*.h") if not any(p.is_relative_to(other) for other in inner))


class Compiler:
    def __init__(self, arguments):
        self.command = [arguments.cc, "-x", "c", "-std=c17", "-D_GNU_SOURCE", "-fsyntax-only", *arguments.flags.split()]
        for directory in arguments.dirs.read_text().split("\n"):
            if directory not in ("", "/usr/include"):  # which the compiler searches in any case
                ours = pathlib.Path(directory).is_relative_to(arguments.source)
                self.command += ["-I" if ours else "-isystem", directory]

    def errors(self, text):
        """What the compiler says to `text`; empty when it compiles."""
        done = subprocess.run([*self.command, "-"], input=text, capture_output=True, text=True, check=False)
        return done.stderr if done.returncode else ""


def check_own(compiler, source, folder, table):
    for name in public_headers(source, folder) + private_headers(source, folder, table):
        said = compiler.errors(f'#include "{name}"\n#include "{name}"\nint rl_unused;\n')
        if said:
            yield f"{folder}: {name} does not compile alone:\n{said}"


def check_allowed(compiler, source, folder, allowed):
    """Those of one folder together, and one by one only when that fails: starting the compiler is most of what this costs."""
    for other in allowed:
        names = public_headers(source, other)
        if not compiler.errors("".join(f'#include "{name}"\n' for name in names) + "int rl_unused;\n"):
            continue
        for name in names:
            said = compiler.errors(f'#include "{name}"\nint rl_unused;\n')
            if said:
                yield f"{folder} may include {name}, but that does not compile:\n{said}"


def forbidden_headers(source, folder, table):
    """Names that `folder` must not find. A private name that it has itself is its own affair."""
    own = set(private_headers(source, folder, table))
    for other in table:
        if other != folder:
            if other not in table[folder]:
                yield from public_headers(source, other)
                yield f"{other}/CMakeLists.txt"  # catches a path that shows the whole source tree
            yield from (name for name in private_headers(source, other, table) if name not in own)


def check_forbidden(compiler, names, folder):
    questions = "".join(f'#if __has_include("{name}")\n#error "found {name}."\n#endif\n' for name in names)
    said = compiler.errors(questions + "int rl_unused;\n")
    found = [name for name in names if f'"found {name}."' in said]
    yield from (f"{folder} must not find {name}, but its include path leads there" for name in found)
    if said and not found:
        yield f"{folder}: {said}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--dirs", type=pathlib.Path, required=True, help="the target's include directories, one a line")
    parser.add_argument("--built", nargs="+", required=True, help="folders that are targets in this build")
    parser.add_argument("--cc", required=True)
    parser.add_argument("--flags", default="", help="warnings of the build")
    arguments = parser.parse_args()

    table = rows(pathlib.Path(__file__).with_name("rule.txt"))
    folder, source = arguments.folder, arguments.source
    if folder not in table:
        sys.exit(f"{folder} has no row in tests/include_rule/rule.txt")
    allowed = [other for other in table[folder] if other in arguments.built]
    forbidden = list(forbidden_headers(source, folder, table))
    assert forbidden, "nothing to forbid: is this the source tree?"

    compiler = Compiler(arguments)
    faults = [*check_own(compiler, source, folder, table), *check_allowed(compiler, source, folder, allowed),
              *check_forbidden(compiler, forbidden, folder)]
    if faults:
        sys.exit("\n".join(faults))
    print(f"{folder}: sees {' '.join(allowed) or 'nobody'}; {len(forbidden)} headers of others are out of its sight")


if __name__ == "__main__":
    main()
