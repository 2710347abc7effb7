"""Checks that the targets that ./quickstart builds make every file that `cmake --install` takes from the build folder.

    after_quickstart.py --build DIR --source DIR --ninja PROGRAM
"""
import argparse
import pathlib
import re
import subprocess
import sys

FEWEST = 2  # the program and the manual; the library that `collect` loads only where there is a collector


def installed(build):
    """Files of the build folder that its install scripts name."""
    for script in build.rglob("cmake_install.cmake"):
        for name in re.findall(r'"([^"]+)"', " ".join(re.findall(r"file\(INSTALL [^)]*\)", script.read_text()))):
            path = pathlib.Path(name)
            if path.is_absolute() and build in path.parents:
                yield path.relative_to(build).as_posix()


def main():
    parser = argparse.ArgumentParser(description="Checks what ./quickstart builds against what is installed.")
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--ninja", required=True)
    arguments = parser.parse_args()
    targets = re.findall(r"--target (\S+)", (arguments.source / "quickstart").read_text())
    commands = subprocess.run([arguments.ninja, "-t", "commands", *targets], cwd=arguments.build, capture_output=True, text=True, check=True,
                              timeout=60).stdout
    made = re.findall(rf"(?:-o|>) (?:{re.escape(str(arguments.build.resolve()))}/)?(\S+)", commands)
    wanted = sorted(set(installed(arguments.build.resolve())))
    faults = [f"{name} is installed, but ./quickstart does not build it" for name in wanted if name not in made]
    if len(wanted) < FEWEST or not targets:
        faults.append(f"installed: {wanted}; targets of ./quickstart: {targets}")
    print("\n".join(faults) if faults else f"./quickstart builds {', '.join(wanted)}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
