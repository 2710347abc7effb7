#!/usr/bin/env python3
"""Fetches older versions of CUPTI (fetch.sh) and holds the program against them: older.py with each.

    nightly.py FOLDER EVENTS LIBRARY SAME STAND_INS COMPILER FLAG ...

FOLDER keeps what was fetched; EVENTS, LIBRARY and SAME are the test programs, STAND_INS those of tests/inject; the rest
compiles headers.c. Without apt, the keys of Debian's archive or a mirror it says so and ends with 77."""
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
VERSIONS = ("11.8", "12.4")
SKIPPED = 77


NEEDED = {"cupti": "usr/include/cupti.h", "toolkit": "cuda/bin/nvcc.profile"}


def fetch(folder, what="cupti"):
    """What stands in the way; None: nothing."""
    if all((folder / version / NEEDED[what]).exists() for version in VERSIONS):
        return None
    for needed in ("apt-get", "dpkg-deb"):
        if not shutil.which(needed):
            return f"there is no {needed}"
    if not pathlib.Path("/usr/share/keyrings/debian-archive-keyring.gpg").exists():
        return "there are no keys of Debian's archive (debian-archive-keyring)"
    done = subprocess.run(["sh", HERE / "fetch.sh", folder, what], capture_output=True, text=True, check=False,
                          timeout=1800)
    return f"fetch.sh ended with {done.returncode}: {done.stderr.strip()[-500:]}" if done.returncode else None


def main():
    folder, library, same, stand_ins, *compile_headers = sys.argv[1:]
    reason = fetch(pathlib.Path(folder))
    if reason:
        print(f"SKIPPED: older versions of CUPTI cannot be had here: {reason}")
        return SKIPPED
    failed = []
    for version in VERSIONS:
        for name, words in (("headers", ["headers", *compile_headers]), ("library", ["library", library]),
                            ("stand-ins, sessions", ["same", same, "profiler", stand_ins, "12"])):
            done = subprocess.run([sys.executable, "-B", HERE / "older.py", folder, version, *words], check=False)
            print(f"CUPTI {version}, {name}: {'passed' if done.returncode == 0 else done.returncode}")
            if done.returncode:  # skipped is failed here: it was fetched
                failed.append(f"{version} {name}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
