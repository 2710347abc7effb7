"""Completion by the shells themselves: a line is typed, the tab key is pressed, and what the line has become is read.

    completion.py --program rooflight --shell bash|zsh|fish      exit status 0 passed, 1 failed, 77 the shell is not installed
"""
import argparse
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

CANNOT_TRY = 77
WAIT_S = 30

# What is typed in front of the tab, and what the line is then. Files: "caps/one.rlcap", "notes.md".
LINES = [
    ("rooflight docto", "rooflight doctor"),
    ("rooflight sho", "rooflight show"),
    ("rooflight show --cla", "rooflight show --claims"),
    ("rooflight show --claims op", "rooflight show --claims open"),
    ("rooflight show --kernel-", "rooflight show --kernel-name"),
    ("rooflight show --brief --mark", "rooflight show --brief --markdown"),
    ("rooflight show --verb", "rooflight show --verbose"),
    ("rooflight show ca", "rooflight show caps/"),
    ("rooflight show caps/o", "rooflight show caps/one.rlcap"),
    ("rooflight report --notes no", "rooflight report --notes notes.md"),
    ("rooflight report --paper le", "rooflight report --paper letter"),
    ("rooflight list sch", "rooflight list schema"),
    ("rooflight completion fi", "rooflight completion fish"),
    ("rooflight collect --sample-gpu=fi", "rooflight collect --sample-gpu=first"),
    ("rooflight collect --replay=appl", "rooflight collect --replay=application"),
    ("rooflight help comple", "rooflight help completion"),
]

# Where several are possible, these are among them and those are not.
CHOICES = [
    ("rooflight show --c", {"--csv", "--columns", "--claims"}, {"--chip", "--json"}),
    ("rooflight report --paper ", {"a4", "letter"}, {"--paper"}),
    ("rooflight ", {"show", "collect", "completion", "help"}, {"--json"}),
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


def start(shell, program, folder):
    words = {"bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-f", "-i"]}[shell]
    terminal = Terminal(words, folder, environment_of(program, folder))
    if shell == "zsh":
        terminal.type("autoload -U compinit; compinit -D -u; unsetopt zle_bracketed_paste; PS1=; bindkey -e\n")
        terminal.type("source <(rooflight completion zsh)\n")
    else:
        terminal.type("PS1=; bind 'set enable-bracketed-paste off' 'set bell-style none'; source <(rooflight completion bash)\n")
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


def asked(shell, program, folder, typed):
    """What fish, or the function of bash, offers for a line."""
    if shell == "fish":
        script = f"source (rooflight completion fish | psub); complete -C '{typed}'"
    else:
        script = ("source <(rooflight completion bash); COMP_WORDS=(" + typed + "); [[ '" + typed + "' == *' ' ]] && COMP_WORDS+=('');"
                  "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _rooflight; printf '%s\\n' \"${COMPREPLY[@]}\"")
    done = subprocess.run([shell, "-c", script], capture_output=True, text=True, cwd=folder, timeout=60, check=False,
                          env=environment_of(program, folder))
    if done.stderr:
        raise SystemExit(f"{shell}: {done.stderr}")
    return [line.split("\t")[0] for line in done.stdout.splitlines()]


def lines(shell, program, folder):
    if shell == "fish":
        for typed, line in LINES:
            offered = {" ".join([*typed.split()[:-1], word]) for word in asked(shell, program, folder, typed)}
            if line not in offered:
                yield f"{typed}: {sorted(offered)}, not {line}"
        return
    terminal = start(shell, program, folder)
    for typed, line in LINES:
        became = completed(terminal, typed)
        if became.rstrip("/") != line.rstrip("/"):  # which zsh takes back in front of a blank
            yield f"{typed}: {became!r}, not {line!r}"
    terminal.close()


def choices(shell, program, folder):
    for typed, has, lacks in CHOICES if shell != "zsh" else ():
        offered = set(asked(shell, program, folder, typed))
        if not has <= offered or offered & lacks:
            yield f"{typed}: {sorted(offered)}"


def main():
    parser = argparse.ArgumentParser(description="Completion by the shells themselves: see the head of this file.")
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--shell", choices=["bash", "zsh", "fish"], required=True)
    arguments = parser.parse_args()
    if not shutil.which(arguments.shell):
        print(f"{arguments.shell} is not installed: its completion cannot be tried here")
        return 1 if os.environ.get("RL_TESTS_NEED_TOOLS") else CANNOT_TRY
    with tempfile.TemporaryDirectory(prefix="rooflight-completion-") as name:
        folder, program = pathlib.Path(name), arguments.program.resolve()
        (folder / "caps").mkdir()
        (folder / "caps/one.rlcap").touch()
        (folder / "notes.md").touch()
        faults = [*lines(arguments.shell, program, folder), *choices(arguments.shell, program, folder)]
    print("\n".join(faults) or f"{arguments.shell}: {len(LINES)} lines completed")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
