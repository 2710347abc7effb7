"""Completion by bash itself: a line is typed, the tab key is pressed, and what the line has become is read.

    completion.py --program rooflight --script packaging/bash-completion      exit status 0 passed, 1 failed
"""
import argparse
import os
import pathlib
import pty
import re
import select
import subprocess
import sys
import tempfile
import time

WAIT_S = 30

# What is typed in front of the tab, and what the line is then. Files: "caps/one.rlcap", "notes.md".
LINES = [
    ("rooflight docto", "rooflight doctor"),
    ("rooflight sho", "rooflight show"),
    ("rooflight show --col", "rooflight show --columns"),
    ("rooflight show --kernel-", "rooflight show --kernel-name"),
    ("rooflight show --brief --mark", "rooflight show --brief --markdown"),
    ("rooflight show --verb", "rooflight show --verbose"),
    ("rooflight show ca", "rooflight show caps/"),
    ("rooflight show caps/o", "rooflight show caps/one.rlcap"),
    ("rooflight report --notes no", "rooflight report --notes notes.md"),
    ("rooflight help compa", "rooflight help compare"),
    ("rooflight collect -- ./pro --cla", "rooflight collect -- ./pro --cla"),
]

# Where several are possible, these are among them and those are not.
CHOICES = [
    ("rooflight show --c", {"--csv", "--columns"}, {"--chip", "--json"}),
    ("rooflight ", {"show", "collect", "compare", "help"}, {"--json"}),
]


class Terminal:
    """A shell at the other end of a terminal."""

    def __init__(self, words, folder, environment):
        self.child, self.end = pty.fork()
        if self.child == 0:
            os.chdir(folder)
            os.execvpe(words[0], words, environment)
        self.said = ""

    def type(self, text):
        os.write(self.end, text.encode())

    def read(self, pattern):
        """Everything up to the pattern, which is taken off."""
        end = time.monotonic() + WAIT_S
        while not (found := re.search(pattern, self.said)):
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.end], [], [], left)[0]:
                raise SystemExit(f"{pattern!r} was not said, but {self.said!r}")
            self.said += os.read(self.end, 65536).decode(errors="replace").replace("\r", "")
        self.said = self.said[found.end():]
        return found

    def close(self):
        os.close(self.end)
        os.waitpid(self.child, 0)


def environment_of(program, folder):
    return {"PATH": f"{program.parent}:/usr/local/bin:/usr/bin:/bin", "HOME": str(folder), "LC_ALL": "C.UTF-8", "TERM": "dumb",
            "XDG_CONFIG_HOME": str(folder), "XDG_DATA_HOME": str(folder)}


def start(script, program, folder):
    terminal = Terminal(["bash", "--norc", "--noprofile", "-i"], folder, environment_of(program, folder))
    terminal.type(f"PS1=; bind 'set enable-bracketed-paste off' 'set bell-style none'; source {script}\n")
    terminal.type("bind 'set enable-bracketed-paste off'; bind 'set bell-style none'\n")
    terminal.type("echo rea''dy\n")
    terminal.read("ready\n")
    return terminal


def completed(terminal, typed):
    """What the line is after a tab: the shell is made to print it as arguments."""
    terminal.type(f"{typed}\t")
    time.sleep(0.4)  # the shell has to take the tab before what follows
    terminal.type("\x01printf '<%s>' \x05 ; echo en''d\n")
    said = terminal.read(r"((?:<[^<>\n]*>)+) ?en?d?\n?end\n|((?:<[^<>\n]*>)+)end\n").group(0)
    return " ".join(re.findall(r"<([^<>\n]*)>", said))


def asked(script, program, folder, typed):
    """What the function offers for a line."""
    words = (f"source {script}; COMP_WORDS=({typed}); [[ '{typed}' == *' ' ]] && COMP_WORDS+=(''); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _rooflight; "
             "printf '%s\\n' \"${COMPREPLY[@]}\"")
    done = subprocess.run(["bash", "-c", words], capture_output=True, text=True, cwd=folder, timeout=60, check=False, env=environment_of(program, folder))
    if done.stderr:
        raise SystemExit(f"bash: {done.stderr}")
    return done.stdout.splitlines()


def lines(script, program, folder):
    terminal = start(script, program, folder)
    for typed, line in LINES:
        became = completed(terminal, typed)
        if became != line:
            yield f"{typed}: {became!r}, not {line!r}"
    terminal.close()


def choices(script, program, folder):
    for typed, has, lacks in CHOICES:
        offered = set(asked(script, program, folder, typed))
        if not has <= offered or offered & lacks:
            yield f"{typed}: {sorted(offered)}"


def main():
    parser = argparse.ArgumentParser(description="Completion by bash itself: see the head of this file.")
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--script", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rooflight-completion-") as name:
        folder, program, script = pathlib.Path(name), arguments.program.resolve(), arguments.script.resolve()
        (folder / "caps").mkdir()
        (folder / "caps/one.rlcap").touch()
        (folder / "notes.md").touch()
        faults = [*lines(script, program, folder), *choices(script, program, folder)]
    print("\n".join(faults) or f"{len(LINES)} lines completed")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
