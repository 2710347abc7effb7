"""Reads the recipes for containers and the module file without an engine or a module system: every instruction is one that there is, what they
copy, run and set is what the packages have, and shell commands in them parse. Where Lmod is installed, it loads the module file.

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
LMOD = pathlib.Path("/usr/share/lmod/lmod/libexec/lmod")


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


def check_module(source, folder):
    """As Lmod reads it; without Lmod, the words that it consists of."""
    root = folder / "unpacked"
    text = (source / "packaging/modulefile").read_text(encoding="ascii").replace("/opt/rooflight", str(root))
    known = {"#%Module1.0", "set", "module-whatis", "conflict", "prepend-path"}
    yield from (f"modulefile: unknown command {line}" for line in text.splitlines() if line.split()[0] not in known and not line.startswith("# "))
    if not LMOD.exists():
        print("no Lmod here: the module file was read, not loaded")
        return
    (folder / "modules/rooflight").mkdir(parents=True)
    (folder / "modules/rooflight/1.0").write_text(text)
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "MODULEPATH": str(folder / "modules"), "LMOD_SETTARG_CMD": ":"}
    said = subprocess.run([LMOD, "bash", "load", "rooflight"], capture_output=True, text=True, check=False, timeout=60, env=environment).stdout
    path = subprocess.run(["bash", "-c", f'{said}\necho "$PATH|$MANPATH"'], capture_output=True, text=True, check=False, timeout=60, env=environment).stdout
    if not path.startswith(f"{root}/bin:") or f"|{root}/share/man" not in path:
        yield f"modulefile: after loading it PATH|MANPATH is {path!r}"


def main():
    parser = argparse.ArgumentParser(description="Reads recipes for containers and the module file.")
    parser.add_argument("--source", type=pathlib.Path, required=True)
    source = parser.parse_args().source
    with tempfile.TemporaryDirectory() as folder:
        faults = [*check_containerfile((source / "packaging/Containerfile").read_text(encoding="ascii")),
                  *check_definition((source / "packaging/rooflight.def").read_text(encoding="ascii")), *check_module(source, pathlib.Path(folder))]
    print("\n".join(faults) if faults else "recipes: no fault")
    if shutil.which("podman") is None and shutil.which("apptainer") is None:
        print("no container was built: there is no engine here")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
