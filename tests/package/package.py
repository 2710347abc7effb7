"""Makes the archive twice, which must be the same bytes, unpacks it elsewhere, and uses it in a root that has glibc and nothing else.
Nothing in it may ask for a newer glibc than the one given, or have a path of this machine in it.

    package.py --build DIR --source DIR --capture FILE --newest 2.27
"""
import argparse
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import glibc

GLIBC = ("libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "ld-linux-x86-64.so.2")


def said(*command, **more):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True, timeout=900, **more).stdout


def make(arguments, out):
    said(arguments.source / "packaging/archive", arguments.build, out, env=os.environ | {"SOURCE_DATE_EPOCH": "1700000000"})
    return {path.name: path.read_bytes() for path in sorted(out.iterdir())}


def check_files(first, second):
    yield from (f"{name} differs between two builds" for name in first if first[name] != second.get(name))
    sums = next(data for name, data in first.items() if name.endswith(".sha256")).decode()
    for line in sums.splitlines():
        digest, name = line.split()
        if hashlib.sha256(first[name]).hexdigest() != digest:
            yield f"the checksum of {name} is wrong"


def check_parts(first, tree):
    """Every library that the program loads is in the archive, listed in its SPDX, or glibc's."""
    document = json.loads(next(data for name, data in first.items() if name.endswith(".spdx.json")))
    listed = {package.get("packageFileName") for package in document["packages"]}
    for line in said("ldd", tree / "bin/rooflight").splitlines():
        name, path = line.split()[0], line.split("=>")[-1].split()[0]
        if pathlib.Path(name).name in GLIBC or name.startswith("linux-vdso"):
            continue
        if not pathlib.Path(path).is_relative_to(tree):
            yield f"{name} is taken from {path}"
        if name not in listed:
            yield f"{name} is not in the list of parts"


def check_binaries(tree, arguments):
    for path in sorted(path for path in tree.rglob("*") if path.is_file() and path.read_bytes()[:4] == b"\x7fELF"):
        found = glibc.newest_of(path)
        if found > glibc.number(arguments.newest):
            yield f"{path.name} asks for glibc {'.'.join(map(str, found))}"
        if str(arguments.source.resolve()).encode() in path.read_bytes():
            yield f"{path.name} has the path of its source in it"


def check_bare_root(tree, capture, root):
    """Where this machine lets nobody make such a root, it says so. The loader needs /proc to tell where the program is."""
    for line in said("ldd", tree / "bin/rooflight").splitlines():
        path = pathlib.Path(line.split("=>")[-1].split()[0])
        if path.name in GLIBC:
            (root / path.parent.relative_to("/")).mkdir(parents=True, exist_ok=True)
            shutil.copy(path, root / path.relative_to("/"))
    shutil.copytree(tree, root / "elsewhere")
    shutil.copy(capture, root / "capture.rlcap")
    (root / "proc").mkdir()
    script = 'mount --rbind /proc "$0/proc" && exec chroot "$0" /elsewhere/bin/rooflight show --brief /capture.rlcap'
    shown = subprocess.run(["unshare", "--map-root-user", "--mount", "sh", "-c", script, str(root)], capture_output=True, text=True, check=False, timeout=60)
    if shown.stderr.startswith(("unshare:", "mount:")):
        print(f"no bare root here: {shown.stderr.strip()}")
    elif shown.returncode != 0 or not shown.stdout:
        yield f"in a root with glibc alone: {shown.returncode}, {shown.stderr}"


def main():
    parser = argparse.ArgumentParser(description="Checks the relocatable archive.")
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--capture", type=pathlib.Path, required=True)
    parser.add_argument("--newest", required=True, help="version of glibc")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve()
        for part in ("a", "b", "moved", "root"):
            (folder / part).mkdir()
        first, second = make(arguments, folder / "a"), make(arguments, folder / "b")
        said("tar", "-xzf", next((folder / "a").glob("*.tar.gz")), "-C", folder / "moved")
        tree = next((folder / "moved").iterdir())
        faults = [*check_files(first, second), *check_parts(first, tree), *check_binaries(tree, arguments),
                  *check_bare_root(tree, arguments.capture, folder / "root")]
    print("\n".join(faults) if faults else "archive: no fault")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
