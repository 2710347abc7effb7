"""Makes a folder of libraries to link against, so that what is linked runs with an older glibc than that of this machine.

A program that is linked against glibc asks for the version of each function that is the default of the glibc at hand: one that is made
where glibc is 2.36 asks for pthread_create of 2.34. glibc keeps the versions of before, but the linker takes them only from a library
that has nothing newer. Such libraries are made here, of assembler and from the symbols of this machine's glibc: each function with its
newest version up to the one asked for, nothing else, and no code, as the loader finds that in the machine's own glibc. What
is not in that version does not link; older.c has the few functions that programs get all the same.

    stubs.py --newest 2.28 --out DIR [--compiler CC]      then link with -LDIR
    stubs.py --newest 2.28 --relink LIBRARY --archive FILE.a --stubs DIR --out FILE.so [--compiler CC]

The second makes a shared library anew from its static archive, with the names and versions that LIBRARY exports and the libraries
that it needs. docs/packages.md says where both are used.
"""
import argparse
import collections
import pathlib
import re
import subprocess
import sys

# Where functions were that have been part of libc.so.6 since 2.34. The loader looks for a version in any library that is loaded, so what
# matters is that the one with the function is named as needed.
MOVED = (("libdl.so.2", re.compile("dl[a-z]")), ("librt.so.1", re.compile("_*(aio|lio|mq|shm|timer)_")),
         ("libpthread.so.0", re.compile("_*(pthread|sem|call_once|cnd|mtx|thrd|tss)_?")))
ROOT = pathlib.Path(__file__).resolve().parent
Symbol = collections.namedtuple("Symbol", "name version kind binding size is_default")


def said(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True).stdout


def number(version):
    return tuple(int(part) for part in version.split("."))


def symbols_of(path):
    """What a shared library defines, a row a symbol; version is None where it has none."""
    for line in said("readelf", "--dyn-syms", "--wide", path).splitlines():
        parts = line.split()
        if len(parts) < 8 or not parts[0].endswith(":") or parts[6] in ("UND", "ABS", "Ndx"):
            continue
        name, at, version = parts[7].partition("@")
        yield Symbol(name, version.lstrip("@") or None, parts[3], parts[4], int(parts[2], 0), not at or version.startswith("@"))


def chosen(path, newest):
    """The newest version of each function of a library of glibc that is not newer than `newest`, and whether it was elsewhere then."""
    rows = collections.defaultdict(list)
    for symbol in symbols_of(path):
        if symbol.version and re.fullmatch(r"GLIBC_[0-9.]+", symbol.version):
            rows[symbol.name].append(symbol)
    for name, of_name in sorted(rows.items()):
        old = [symbol for symbol in of_name if number(symbol.version[6:]) <= newest]
        if old:
            yield max(old, key=lambda symbol: number(symbol.version[6:])), any(number(symbol.version[6:]) >= (2, 30) for symbol in of_name)


def home_of(symbol, moved, library):
    homes = [soname for soname, pattern in MOVED if moved and pattern.match(symbol.name)]
    return homes[0] if homes and library == "libc.so.6" else library


def assembler(symbols):
    """Definitions without code; data have their size, which a program that refers to them copies."""
    sections = {"OBJECT": ".data", "TLS": ".section .tbss,\"awT\",@nobits"}
    kinds = {"OBJECT": "@object", "TLS": "@tls_object"}
    for symbol in symbols:
        yield f"{sections.get(symbol.kind, '.text')}\n.balign 16\n.{'weak' if symbol.binding == 'WEAK' else 'globl'} {symbol.name}"
        yield f".type {symbol.name},{kinds.get(symbol.kind, '@function')}\n.size {symbol.name},{symbol.size}\n{symbol.name}: .skip {max(symbol.size, 1)}"


def version_script(symbols, hide=False):
    versions = sorted({symbol.version for symbol in symbols}, key=lambda version: [int(part) for part in re.findall("[0-9]+", version)])
    for version in versions:
        yield f"{version} {{ global: {' '.join(symbol.name + ';' for symbol in symbols if symbol.version == version)}"
        yield "local: *; };" if hide and version == versions[-1] else "};"


def write(path, lines):
    path.write_text("\n".join(lines) + "\n")
    return path


def make_stub(compiler, out, soname, symbols):
    code, script = write(out / f"{soname}.s", assembler(symbols)), write(out / f"{soname}.map", version_script(symbols))
    said(compiler, "-shared", "-nostdlib", f"-Wl,-soname,{soname}", f"-Wl,--version-script,{script}", code, "-o", out / soname)
    for made in (code, script):
        made.unlink()


def make_older(compiler, out):
    """older.c as an archive, which stands before the library itself: what it defines is not looked for there."""
    said(compiler, "-O2", "-fPIC", "-fvisibility=hidden", "-Wall", "-Wextra", "-c", ROOT / "older.c", "-o", out / "older.o")
    (out / "libolder.a").unlink(missing_ok=True)
    said("ar", "rcsD", out / "libolder.a", out / "older.o")


def make_all(compiler, newest, out):
    out.mkdir(parents=True, exist_ok=True)
    homes = collections.defaultdict(list)
    for library in ("libc.so.6", "libm.so.6"):
        for symbol, moved in chosen(said(compiler, f"-print-file-name={library}").strip(), newest):
            homes[home_of(symbol, moved, library)].append(symbol)
    for soname, symbols in homes.items():
        make_stub(compiler, out, soname, symbols)
    make_older(compiler, out)
    own = pathlib.Path(said(compiler, "-print-file-name=libc.so").strip()).read_text(encoding="ascii")
    nonshared, loader = re.search(r"/\S*libc_nonshared\.a", own).group(), re.search(r"/\S*/ld-linux\S*", own).group()
    beside = " ".join(str(out / soname) for soname, _ in MOVED)
    write(out / "libc.so", [f"GROUP ( {out}/libolder.a {out}/libc.so.6 {nonshared} AS_NEEDED ( {beside} {loader} ) )"])
    write(out / "libm.so", [f"INPUT ( {out}/libm.so.6 )"])
    for name in ("dl", "rt", "pthread"):
        write(out / f"lib{name}.so", [f"INPUT ( AS_NEEDED ( {out / next(soname for soname, _ in MOVED if name in soname)} ) )"])


def relink(arguments):
    library, out = arguments.relink, arguments.out
    exported = [symbol for symbol in symbols_of(library) if symbol.is_default]
    if {symbol.version for symbol in exported} == {None}:
        lines = [f"{{ global: {' '.join(symbol.name + ';' for symbol in exported)} local: *; }};"]
    else:
        lines = version_script([symbol for symbol in exported if symbol.version], hide=True)
    script = write(out.with_suffix(".map"), lines)
    dynamic = said("readelf", "--dynamic", "--wide", library)
    soname = re.search(r"\(SONAME\).*\[(.*)\]", dynamic).group(1)
    needed = [f"-l:{name}" for name in re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic) if not name.startswith(("libc.", "ld-linux"))]
    said(arguments.compiler, "-shared", f"-L{arguments.stubs}", f"-L{out.parent}", f"-Wl,-soname,{soname}", f"-Wl,--version-script,{script}", "-Wl,-Bsymbolic",
         "-Wl,-z,defs", "-Wl,-z,now", "-Wl,--build-id=none", "-Wl,--whole-archive", arguments.archive, "-Wl,--no-whole-archive", *needed, "-o", out)
    script.unlink()


def main():
    parser = argparse.ArgumentParser(description="Makes libraries to link against for an older glibc.")
    parser.add_argument("--newest", required=True, help="version of glibc, as 2.28")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--compiler", default="cc")
    parser.add_argument("--relink", type=pathlib.Path)
    parser.add_argument("--archive", type=pathlib.Path)
    parser.add_argument("--stubs", type=pathlib.Path)
    arguments = parser.parse_args()
    try:
        if arguments.relink:
            relink(arguments)
        else:
            make_all(arguments.compiler, number(arguments.newest), arguments.out.resolve())
    except subprocess.CalledProcessError as failed:
        print(f"{' '.join(failed.cmd)}\n{failed.stderr}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
