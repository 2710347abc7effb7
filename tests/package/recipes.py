"""Reads the recipes for containers and the module file without an engine or a module system: every instruction is one that there is, what they
copy, run and set is what the packages have, and shell commands in them parse. Where Lmod or Environment Modules is installed, it loads the module
file. That an image is built by it is tested at night (apptainer.py, bare_roots.py).

    recipes.py --source DIR
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

OF_DOCKER = {"FROM", "COPY", "RUN", "ENTRYPOINT"}
OF_APPTAINER = {"files", "post", "runscript"}
# What prints the commands for a shell, of Lmod and of Environment Modules.
MODULE_SYSTEMS = (("/usr/share/lmod/lmod/libexec/lmod",), ("tclsh", "/usr/lib/x86_64-linux-gnu/modulecmd.tcl"))


def parses(command):
    return subprocess.run(["sh", "-n", "-c", command], check=False, capture_output=True).returncode == 0


def check_containerfile(text):
    lines = [line.split(" ", 1) for line in re.sub(r"\\\n", " ", text).splitlines() if line and not line.startswith("#")]
    yield from (f"Containerfile: no instruction {word}" for word, _ in lines if word not in OF_DOCKER)
    yield from (f"Containerfile: sh cannot read {rest!r}" for word, rest in lines if word == "RUN" and not parses(rest))
    if [word for word, _ in lines][0] != "FROM" or lines[-1] != ["ENTRYPOINT", '["/usr/bin/rooflight"]']:
        yield "Containerfile: does not begin with FROM and end with the program as entry point"


def check_definition(text):
    head, *sections = re.split(r"(?m)^%(\w+)\n", text)
    names, bodies = sections[::2], sections[1::2]
    fields = dict(line.split(": ") for line in head.splitlines() if line and not line.startswith("#"))
    if fields != {"Bootstrap": "docker", "From": "debian:12-slim"}:
        yield f"rooflight.def: its head is {fields}"
    if set(names) != OF_APPTAINER:
        yield f"rooflight.def: its sections are {names}"
    yield from (f"rooflight.def: sh cannot read %{name}" for name, body in zip(names, bodies) if name != "files" and not parses(body))
    copied = dict(zip(names, bodies)).get("files", "").split()
    if len(copied) != 2 or copied[1] not in text.split("%post")[1]:
        yield f"rooflight.def: what it copies is not what it installs: {copied}"
    if copied[1:] and copied[1].startswith("/tmp/"):
        yield "rooflight.def: copies to /tmp, over which that of the host is mounted while %post runs"


def loaded(system, folder, manpath):
    """PATH and MANPATH of a shell that has loaded the module; "unset" where there is none."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "MODULEPATH": str(folder / "modules"), "LMOD_SETTARG_CMD": ":"}
    environment |= {"MANPATH": manpath} if manpath else {}
    said = subprocess.run([*system, "bash", "load", "rooflight"], capture_output=True, text=True, check=False, timeout=60, env=environment).stdout
    return subprocess.run(["bash", "-c", f'{said}\necho "$PATH|${{MANPATH-unset}}"'], capture_output=True, text=True, check=False, timeout=60,
                          env=environment).stdout.strip().split("|")


def check_module(source, folder):
    """As a module system reads it; without one, the words that it consists of."""
    root = folder / "unpacked"
    text = (source / "packaging/modulefile").read_text(encoding="ascii").replace("/opt/rooflight", str(root))
    known = {"#%Module1.0", "set", "module-whatis", "conflict", "prepend-path", "if", "}"}
    yield from (f"modulefile: unknown command {line}" for line in text.splitlines() if line.split()[0] not in known and not line.startswith("# "))
    (folder / "modules/rooflight").mkdir(parents=True)
    (folder / "modules/rooflight/1.0").write_text(text)
    found = [system for system in MODULE_SYSTEMS if pathlib.Path(system[-1]).exists() and shutil.which(system[0])]
    for system in found:
        path, manpath = loaded(system, folder, None)
        if not path.startswith(f"{root}/bin:") or manpath != "unset":
            yield f"modulefile: after {system[-1]} has loaded it, PATH is {path!r}, MANPATH {manpath!r}: with one man would find its pages alone"
        path, manpath = loaded(system, folder, "/usr/share/man")
        if not path.startswith(f"{root}/bin:") or not manpath.startswith(f"{root}/share/man:/usr/share/man"):
            yield f"modulefile: after {system[-1]} has loaded it, PATH is {path!r}, MANPATH {manpath!r}"
    print(f"the module file was loaded by {', '.join(system[-1] for system in found)}" if found else
          "no module system here: the module file was read, not loaded")


def main():
    parser = argparse.ArgumentParser(description="Reads recipes for containers and the module file.")
    parser.add_argument("--source", type=pathlib.Path, required=True)
    source = parser.parse_args().source
    with tempfile.TemporaryDirectory() as folder:
        faults = [*check_containerfile((source / "packaging/Containerfile").read_text(encoding="ascii")),
                  *check_definition((source / "packaging/rooflight.def").read_text(encoding="ascii")), *check_module(source, pathlib.Path(folder))]
    print("\n".join(faults) if faults else "recipes: no fault")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
