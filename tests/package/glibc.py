"""Links for an older glibc and looks at what came out: no newer version is asked for, constructors run once, exceptions are caught, and what
that glibc lacks does not link.

    glibc.py --source DIR --compiler CC --newest 2.27
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

# Each line uses what glibc has changed since: the start of a program (2.34), threads and dlopen (2.34), stat (2.33), pow (2.29),
# fcntl (2.28).
PROGRAM = r"""
#define _FILE_OFFSET_BITS 64
#include <dlfcn.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
static int constructed, arguments;
__attribute__((constructor)) static void construct(int argc) { constructed++; arguments = argc; }
__attribute__((destructor)) static void destruct(void) { puts("destructed"); }
static void *work(void *given) { return given; }
int main(int argc, char **argv)
{
    struct stat info, same;
    pthread_t thread;
    void *result = NULL;
    int failed = pthread_create(&thread, NULL, work, argv) || pthread_join(thread, &result) || result != argv;
    failed += stat("/", &info) != 0 || lstat("/", &same) != 0 || info.st_ino != same.st_ino || !S_ISDIR(info.st_mode);
    failed += pow(argc + 1, 10) != 1024 || !dlopen(NULL, RTLD_NOW);
    failed += fcntl(1, F_SETFD, FD_CLOEXEC) != 0 || fcntl(1, F_GETFD) != FD_CLOEXEC || fcntl(1, F_SETFD, 0) != 0;
    printf("%d %d %d\n", constructed, arguments, failed);
    return failed;
}
"""
UNWINDS = r"""
#include <cstdio>
#include <random>
#include <stdexcept>
int main(int argc, char **)
{
    std::random_device random;
    try {
        if (argc && random() <= random.max())
            throw std::runtime_error("caught");
    } catch (const std::exception &error) {
        std::puts(error.what());
    }
}
"""
TOO_NEW = ("int close_range(unsigned, unsigned, int); int main(void) { return close_range(3, 4, 0); }",
           "int gettid(void); int main(void) { return gettid(); }")


def number(version):
    return tuple(int(part) for part in version.split("."))


def newest_of(path):
    """The newest version of glibc that a file asks for."""
    listed = subprocess.run(["objdump", "-T", str(path)], capture_output=True, text=True, check=True).stdout
    return max((number(version) for version in re.findall(r"\*UND\*.*GLIBC_([0-9.]+)", listed)), default=(0,))


def link(compiler, folder, text, *options):
    source = folder / ("program.cpp" if "++" in compiler else "program.c")
    source.write_text(text)
    return subprocess.run([compiler, source, f"-L{folder / 'stubs'}", "-o", folder / "program", *options], capture_output=True, text=True, check=False)


def check_program(compiler, folder, newest, text, expected, *options):
    made = link(compiler, folder, text, *options)
    if made.returncode:
        yield made.stderr
        return
    if newest_of(folder / "program") > newest:
        yield f"{expected!r}: the program asks for {newest_of(folder / 'program')}"
    ran = subprocess.run([folder / "program"], capture_output=True, text=True, check=False, timeout=60)
    if ran.stdout != expected or ran.returncode:
        yield f"the program printed {ran.stdout!r} and ended with {ran.returncode}"


def stubs(arguments, *options):
    return subprocess.run([sys.executable, "-B", arguments.source / "packaging/glibc/stubs.py", "--newest", arguments.newest, "--compiler", arguments.compiler,
                           *options], capture_output=True, text=True, check=False)


def check_lowered(arguments, folder):
    """A library that uses pow of 2.29 asks for the older one afterwards and computes the same; one that uses stat cannot."""
    newest, library, lowered = number(arguments.newest), folder / "libpower.so", folder / "lowered.so"
    for body, possible in (("#include <math.h>\ndouble power(double x) { return pow(x, 10) + sin(x); }", True),
                           ("#include <sys/stat.h>\nint power(const char *x) { struct stat s; return stat(x, &s); }", False)):
        (folder / "power.c").write_text(body)
        subprocess.run([arguments.compiler, "-shared", "-fPIC", folder / "power.c", "-lm", "-o", library], check=True)
        if newest_of(library) <= newest:
            print(f"this glibc is not newer than {arguments.newest} for {library.name}: nothing to lower")
            continue
        made = stubs(arguments, "--lower", library, "--out", lowered)
        if (made.returncode == 0) != possible or possible and newest_of(lowered) > newest:
            yield f"lowering {body!r}: {made.returncode} {made.stderr}"
        if possible:
            run = "import ctypes, sys; f = ctypes.CDLL(sys.argv[1]).power; f.restype = ctypes.c_double; f.argtypes = [ctypes.c_double]; print(f(2.0))"
            values = [subprocess.run([sys.executable, "-c", run, path], capture_output=True, text=True, check=False).stdout for path in (library, lowered)]
            if values[0] != values[1] or not values[0]:
                yield f"a lowered library computes {values[1]!r} instead of {values[0]!r}"


def main():
    parser = argparse.ArgumentParser(description="Checks linking for an older glibc.")
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--newest", required=True)
    arguments = parser.parse_args()
    newest = number(arguments.newest)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        made = stubs(arguments, "--out", folder / "stubs")
        if made.returncode:
            sys.exit(made.stderr)
        faults = [*check_program(arguments.compiler, folder, newest, PROGRAM, "1 1 0\ndestructed\n", "-lm", "-ldl", "-lpthread"),
                  *check_program("g++", folder, newest, UNWINDS, "caught\n", "-static-libstdc++", "-static-libgcc"),
                  *(f"links: {text}" for text in TOO_NEW if link(arguments.compiler, folder, text).returncode == 0), *check_lowered(arguments, folder)]
    print("\n".join(faults) if faults else f"linked for glibc {arguments.newest}: no fault")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
