"""What runs inside of a program does not end it: the library calls nothing that does, and memory that runs out is no end (soft.c).

    ends_nothing.py LIBRARY
"""
import pathlib
import subprocess
import sys

ENDS = {"abort", "__assert_fail", "exit", "_exit", "_Exit", "quick_exit", "raise", "kill", "tgkill", "pthread_kill", "__assert_perror_fail",
        "err", "errx", "error", "pthread_exit", "longjmp", "_longjmp", "siglongjmp", "execve", "execv", "execvp", "execl", "fexecve", "_ZSt9terminatev"}


def main():
    library = sys.argv[1]
    named = subprocess.run(["nm", "--dynamic", "--undefined-only", "--format=posix", library], capture_output=True, text=True, check=True).stdout
    calls = {line.split()[0].split("@")[0] for line in named.splitlines()}
    faults = [f"{library} calls {name}" for name in sorted(calls & ENDS)]
    if b"rooflight: out of memory" in pathlib.Path(library).read_bytes():
        faults.append(f"{library}: core/allocate.c is in it, which aborts")
    print("\n".join(faults) or f"{len(calls)} functions of others, and none ends anything")
    return 1 if faults or "calloc" not in calls else 0


if __name__ == "__main__":
    sys.exit(main())
