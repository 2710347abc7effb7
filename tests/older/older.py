#!/usr/bin/env python3
"""Runs a test with an older CUPTI, where one is: unpacked by fetch.sh into FOLDER.

    older.py FOLDER VERSION headers COMPILER FLAG ...    compiles with that version's headers first in the path
    older.py FOLDER VERSION library PROGRAM              runs a test program, which opens that version's libraries
    older.py FOLDER VERSION same PROGRAM KIND STAND_INS NAME
                                                         what the libraries say to calls that need no card is what the stand-ins of that KIND
                                                         say, STAND_INS/NAME (tests/inject). VERSION `build`: FOLDER has the libraries
"""
import difflib
import os
import pathlib
import subprocess
import sys
import tempfile

SKIPPED = 77
# The newest shape of kernel records that a version has.
KERNEL_RECORDS = {"11.8": "CUpti_ActivityKernel8", "12.4": "CUpti_ActivityKernel9"}


def compile_headers(usr, version, command):
    record = KERNEL_RECORDS[version]
    return subprocess.run([command[0], f"-DRL_KERNEL_RECORD={record}", f"-I{usr}/include", *command[1:]], check=False).returncode


def said(program, kind, libraries, **more):
    """What the program prints, line by line; None: there is no such library."""
    environment = dict(os.environ, ROOFLIGHT_CUPTI_DIR=str(libraries), **more)
    done = subprocess.run([program, kind], env=environment, check=False, stdout=subprocess.PIPE, text=True)
    return None if done.returncode == SKIPPED else [*done.stdout.splitlines(), f"ended with {done.returncode}"]


def is_the_same(libraries, program, kind, stand_ins, name):
    with tempfile.TemporaryDirectory() as cache:
        real = said(program, kind, libraries, XDG_CACHE_HOME=cache)
        ours = said(program, kind, pathlib.Path(stand_ins) / name, XDG_CACHE_HOME=cache, LD_LIBRARY_PATH=stand_ins, RL_CC="90")
    if real is None:
        print(f"SKIPPED: no CUPTI in '{libraries}'")
        return SKIPPED
    for line in difflib.unified_diff(real, ours, "library", "stand-in", n=0, lineterm=""):
        print(line)
    print(f"{len(real)} answers")
    return int(real != ours or len(real) < 10 or real[-1] != "ended with 0")


def run_with_library(usr, program):
    with tempfile.TemporaryDirectory() as cache:  # what was found out of one version's packing says nothing of another's
        environment = dict(os.environ, ROOFLIGHT_CUPTI_DIR=str(usr / "lib/x86_64-linux-gnu"), XDG_CACHE_HOME=cache)
        result = subprocess.run([program], env=environment, check=False, stdout=subprocess.PIPE, text=True)
    print(result.stdout, end="")
    opened = f"CUPTI {environment['RL_OLDER_VERSION']}\n" if "RL_OLDER_VERSION" in environment else ""
    return result.returncode or (opened not in result.stdout)


def main():
    folder, version, what = sys.argv[1:4]
    usr = pathlib.Path(folder) / version / "usr"
    if version == "build":
        return is_the_same(folder, *sys.argv[4:])
    if not (usr / "include/cupti.h").exists():
        print(f"SKIPPED: no CUPTI {version} in '{folder}': fetch it with tests/older/fetch.sh and configure with -DRL_OLDER_CUPTI=FOLDER")
        return SKIPPED
    os.environ["RL_OLDER_VERSION"] = version
    if what == "same":
        return is_the_same(usr / "lib/x86_64-linux-gnu", *sys.argv[4:])
    return compile_headers(usr, version, sys.argv[4:]) if what == "headers" else run_with_library(usr, sys.argv[4])


if __name__ == "__main__":
    sys.exit(main())
