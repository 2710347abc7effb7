"""./quickstart from a fresh clone in a root of Debian 12 that has nothing else: it ends with a report, and installs what that takes and nothing more.

    quickstart.py --source DIR --work DIR

Prints how many packages were installed, their size on disk, and seconds. Needs what bare_roots.py needs; ends with 77 without it.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import time

import bare_roots

# With what those that are asked for depend on; 147 and 415 on 2026-11-27, half of it a compiler and CMake.
MOST_PACKAGES, MOST_MB = 165, 460


def installed(root):
    """Of each package its size in KiB."""
    said = bare_roots.within(root, "dpkg-query", "-W", "-f", "${db:Status-Status} ${Package} ${Installed-Size}\n").stdout
    return {name: int(size or 0) for state, name, size in (line.split(" ") for line in said.splitlines()) if state == "installed"}


def asked_for(root):
    return set(bare_roots.within(root, "apt-mark", "showmanual").stdout.split())


def names_of(source, which):
    block = re.search(rf"(?ms)^{which}='\n(.*?)^'$", (source / "quickstart").read_text()).group(1)
    return {line.split()[0] for line in block.splitlines() if line.strip()}


def check(arguments):
    source = arguments.source
    root = bare_roots.make_root(arguments.work, bare_roots.USUAL)
    before, asked_before = installed(root), asked_for(root)
    tree = root / "root/rooflight"
    tree.mkdir()
    archive = subprocess.run(["git", "archive", "--format=tar", "HEAD"], cwd=source, capture_output=True, check=True).stdout
    subprocess.run(["tar", "-xf", "-", "-C", str(tree)], input=archive, check=True)
    began = time.monotonic()
    done = bare_roots.within(root, "sh", "-c", "cd /root/rooflight && ./quickstart", check=False)
    seconds = time.monotonic() - began
    if done.returncode or not (tree / "report.pdf").read_bytes().startswith(b"%PDF-"):
        yield f"status {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
        return
    after = installed(root)
    new = after.keys() - before.keys()
    size = sum(after[name] for name in new) / 1000 * 1.024
    wanted, asked = names_of(source, "packages"), asked_for(root) - asked_before
    print(f"{len(new)} packages, {size:.0f} MB, of which {len(asked)} were asked for; {seconds:.0f} s with the build", flush=True)
    print("the largest: " + ", ".join(f"{name} {after[name] * 1.024 / 1000:.0f} MB" for name in sorted(new, key=after.get)[:-9:-1]))
    yield from (f"{name} was asked for, which the first command does not need" for name in sorted(asked - wanted))
    yield from (f"{name} was not installed" for name in sorted(wanted - after.keys()))
    if len(new) > MOST_PACKAGES or size > MOST_MB:
        yield f"more than {MOST_PACKAGES} packages or {MOST_MB} MB"
    began = time.monotonic()
    again = bare_roots.within(root, "sh", "-c", "cd /root/rooflight && ./quickstart", check=False)
    print(f"again: {time.monotonic() - began:.1f} s", flush=True)
    if again.returncode or "installing" in again.stdout:
        yield f"a second time: status {again.returncode}: {again.stdout}{again.stderr}"


def main():
    parser = argparse.ArgumentParser(description="./quickstart where nothing is installed.")
    for name in ("source", "work"):
        parser.add_argument(f"--{name}", type=lambda text: pathlib.Path(text).resolve(), required=True)
    arguments = parser.parse_args()
    if bare_roots.os.geteuid() != 0 or shutil.which("debootstrap") is None or not bare_roots.is_there(bare_roots.USUAL):
        print("needs root, debootstrap and the mirror: nothing was tried")
        return 77
    arguments.work.mkdir(parents=True, exist_ok=True)
    try:
        faults = list(check(arguments))
    except RuntimeError as failed:
        faults = [str(failed)]
    print("\n".join(faults) or "quickstart: no fault")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
