"""Nothing that runs inside of a program ends it: its objects call nothing that does, and memory that runs out is no end (soft.c).

    ends_nothing.py LIBRARY OBJECT ...
"""
import pathlib
import subprocess
import sys

ENDS = {"abort", "__assert_fail", "exit", "_exit", "_Exit", "quick_exit", "raise", "__assert_perror_fail"}


def main():
    library, *objects = sys.argv[1:]
    faults = []
    if b"rooflight: out of memory" in pathlib.Path(library).read_bytes():
        faults.append(f"{library}: core/allocate.c is in it, which aborts")
    for path in objects:
        named = subprocess.run(["nm", "--undefined-only", "--format=posix", path], capture_output=True, text=True, check=True).stdout
        faults += [f"{path}: calls {line.split()[0]}" for line in named.splitlines() if line.split()[0] in ENDS]
    print("\n".join(faults) or f"{len(objects)} objects end nothing")
    return 1 if faults or not objects else 0


if __name__ == "__main__":
    sys.exit(main())
