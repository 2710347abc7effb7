"""Makes a folder of libraries to link against, so that what is linked runs with an older glibc than that of this machine.

A program that is linked against glibc asks for the version of each function that is the default of the glibc at hand: one that is made
where glibc is 2.36 asks for pthread_create of 2.34. glibc keeps the versions of before, but the linker takes them only from a library
that has nothing newer. Such libraries are made here, of assembler and from the symbols of this machine's glibc: each function with its
newest version up to the one asked for, nothing else, and no code, as the loader finds that in the machine's own glibc. What is
not in that version does not link; older/ has the few functions that programs get all the same.

    stubs.py --newest 2.27 --out DIR [--compiler CC]      then link with -LDIR
    stubs.py --newest 2.27 --lower LIBRARY --out FILE [--compiler CC]

The second copies a library that is linked already, and has it ask for the older versions, where functions have one: pow of 2.2.5 instead
of 2.29. docs/packages.md says where both are used.
"""
import argparse
import collections
import pathlib
import re
import struct
import subprocess
import sys

# Where functions were that have been part of libc.so.6 since 2.34. The loader looks for a version in any library that is loaded, so what
# matters is that the one with the function is named as needed.
MOVED = (("libdl.so.2", re.compile("dl[a-z]")), ("librt.so.1", re.compile("_*(aio|lio|mq|shm|timer)_")),
         ("libpthread.so.0", re.compile("_*(pthread|sem|call_once|cnd|mtx|thrd|tss)_?")))
ROOT = pathlib.Path(__file__).resolve().parent
Symbol = collections.namedtuple("Symbol", "name version kind binding size")


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
        name, _, version = parts[7].partition("@")
        yield Symbol(name, version.lstrip("@") or None, parts[3], parts[4], int(parts[2], 0))


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


def version_script(symbols):
    versions = sorted({symbol.version for symbol in symbols}, key=lambda version: [int(part) for part in re.findall("[0-9]+", version)])
    for version in versions:
        yield f"{version} {{ global: {' '.join(symbol.name + ';' for symbol in symbols if symbol.version == version)} }};"


def write(path, lines):
    path.write_text("\n".join(lines) + "\n")
    return path


def make_stub(compiler, out, soname, symbols):
    code, script = write(out / f"{soname}.s", assembler(symbols)), write(out / f"{soname}.map", version_script(symbols))
    said(compiler, "-shared", "-nostdlib", f"-Wl,-soname,{soname}", f"-Wl,--version-script,{script}", code, "-o", out / soname)
    for made in (code, script):
        made.unlink()


def make_older(compiler, out):
    """older/ as an archive, which stands before the library itself: what it defines is not looked for there."""
    objects = []
    for source in sorted((ROOT / "older").glob("*.c")):
        objects.append(out / f"{source.stem}.o")
        said(compiler, "-O2", "-fPIC", "-fvisibility=hidden", "-Wall", "-Wextra", "-c", source, "-o", objects[-1])
    (out / "libolder.a").unlink(missing_ok=True)
    said("ar", "rcsD", out / "libolder.a", *objects)
    for made in objects:
        made.unlink()


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


# ---- the second mode ----

def table_of(path):
    """Where the versions that a library asks for are: offsets in its file of the section, of its strings, and how many files it names."""
    sections = said("readelf", "--section-headers", "--wide", path)
    found = re.search(r"\.gnu\.version_r +VERNEED +[0-9a-f]+ +([0-9a-f]+) +[0-9a-f]+ +[0-9a-f]+ +A +\d+ +(\d+)", sections)
    strings = re.search(r"\.dynstr +STRTAB +[0-9a-f]+ +([0-9a-f]+) +([0-9a-f]+)", sections)
    return (int(found.group(1), 16), int(found.group(2))), (int(strings.group(1), 16), int(strings.group(2), 16))


def entries(data, start, count):
    """Rows of that table (struct Elf64_Verneed, Vernaux): the offset of each version, its number in the library and that of its name."""
    for _ in range(count):
        _, versions, _, first, following = struct.unpack_from("<HHIII", data, start)
        at = start + first
        for _ in range(versions):
            _, _, other, name, step = struct.unpack_from("<IHHII", data, at)
            yield at, other, name
            at += step
        start += following


def hash_of(name):
    """The hash of ELF, as the loader computes it."""
    value = 0
    for letter in name.encode():
        value = (value << 4) + letter
        value = (value ^ (value >> 24 & 0xF0)) & 0x0FFFFFFF
    return value


def older_versions(compiler, newest):
    """Of each function the version that the stubs have it with."""
    return {symbol.name: symbol.version for library in ("libc.so.6", "libm.so.6")
            for symbol, _ in chosen(said(compiler, f"-print-file-name={library}").strip(), newest)}


def lower(library, out, compiler, newest):
    """A copy of a library that asks for older versions. Each function that it asks a newer one of must have one, and all of a version
    the same, whose name the library has already."""
    data = bytearray(library.read_bytes())
    (start, count), (strings, size) = table_of(library)
    names = bytes(data[strings:strings + size])
    have, wanted = older_versions(compiler, newest), collections.defaultdict(set)
    for line in said("objdump", "-T", library).splitlines():
        found = re.search(r"\*UND\*.*\(?(GLIBC_[0-9.]+)\)? +(\S+)$", line)
        if found and number(found.group(1)[6:]) > newest:
            wanted[found.group(1)].add(have.get(found.group(2), f"nothing: {found.group(2)}"))
    for at, _, name in entries(data, start, count):
        version = names[name:names.index(b"\0", name)].decode()
        if version not in wanted:
            continue
        olds = wanted.pop(version)
        place = names.find(b"\0" + min(olds).encode() + b"\0")
        if len(olds) != 1 or place < 0:
            raise ValueError(f"{library} needs {version}, and has {', '.join(sorted(olds))} instead")
        struct.pack_into("<I", data, at, hash_of(min(olds)))
        struct.pack_into("<I", data, at + 8, place + 1)
    out.write_bytes(data)


def main():
    parser = argparse.ArgumentParser(description="Makes libraries to link against for an older glibc.")
    parser.add_argument("--newest", required=True, help="version of glibc, as 2.27")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--compiler", default="cc")
    parser.add_argument("--lower", type=pathlib.Path, help="a shared library")
    arguments = parser.parse_args()
    newest = number(arguments.newest)
    try:
        if arguments.lower:
            lower(arguments.lower, arguments.out, arguments.compiler, newest)
        else:
            make_all(arguments.compiler, newest, arguments.out.resolve())
    except subprocess.CalledProcessError as failed:
        sys.exit(f"{' '.join(failed.cmd)}\n{failed.stderr}")
    except ValueError as impossible:
        sys.exit(str(impossible))


if __name__ == "__main__":
    main()
