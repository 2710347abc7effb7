"""The programs of torture.py: a row each. What a row says beside the command is what differs from a program that uses CUDA, launches a
known number of kernels, and ends by itself."""
import os
import pathlib
import signal
import subprocess
import time
from dataclasses import dataclass, field
from typing import Callable


@dataclass
class Case:
    name: str
    command: list
    stdin: bytes = b""
    environment: dict = field(default_factory=dict)
    files: dict = field(default_factory=dict)     # scripts in the folder where it runs
    options: tuple = ()                           # of collect
    around: tuple = ()                            # a command before rooflight, or before the program
    closed: tuple = ()                            # standard streams that are closed before it starts
    ignored: tuple = ()                           # signals that are
    terminal: tuple = ()                          # on a terminal: what is waited for, what is typed then
    act: Callable | None = None                   # is done to it while it runs
    judge: Callable | None = None                 # instead of comparing; None: compare
    linger: float = 0                             # what it leaves is waited for so long
    exact: bool = True                            # all launches are in the capture, complete or not
    complete: bool | None = True                  # the capture is; None: as it may be, but then it says so
    slack: int = 0                                # launches of a kernel that are under way when it ends
    under_way: bool = False                       # kernels may not have ended when it does, or end when nobody can be told: no times then
    ns: int = 0                                   # what each "work" takes
    large: bool = False                           # very many classes
    rest: int = 0                                 # launches of "work" that belong to classes for which there was no room
    unread: bool = False                          # counters cannot be read: launches in the first windows have none, and no time
    waits: bool = False                           # first launches wait for the host: windows in which they are made bring nothing
    again: bool = False                           # it is run more than once, because the options say so
    no_capture: bool = False
    races: bool = False                           # worth repeating
    card: bool = True                             # on a card too
    wrappable: bool = True                        # below valgrind too
    sanitized: bool = False                       # worth running under ThreadSanitizer
    needs: str = ""                               # "root" or "mount"

    def possible(self):
        if self.needs == "mount":
            return subprocess.run(["unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True).returncode == 0
        return not self.needs or os.geteuid() == 0


def T(name, *words, **more):
    """A program of tests/torture by its words; the name of the case, when there are several of one, follows a colon."""
    words = [str(word) for word in (name.split(":")[0], *words)]
    return Case(name, ["{torture}", *words], **more)


def S(name, script, *arguments, **more):
    """A shell script in the folder where it runs."""
    return Case(name, ["/bin/sh", "script", *arguments], files={"script": script, **more.pop("files", {})}, **more)


# ---- what is done to a program while it runs ----

def wait_for_words(base, words, seconds=20):
    end = time.monotonic() + seconds
    while words not in pathlib.Path(f"{base}/out").read_bytes() and time.monotonic() < end:
        time.sleep(0.01)


def programs(session):
    """Processes of the session that are programs of ours, not rooflight, nor shells."""
    found = []
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.getsid(int(name)) == session and "torture" in os.path.basename(os.readlink(f"/proc/{name}/exe")):
                found.append(int(name))
        except OSError:
            continue
    return found


def send(number, group=False):
    """To whoever was started, as a shell or a batch system would."""
    def act(process, base, observed):
        wait_for_words(base, b"ready\n")
        (os.killpg if group else os.kill)(process.pid, number)
    return act


def stop_and_go(process, base, observed):
    wait_for_words(base, b"ready\n")
    os.killpg(process.pid, signal.SIGSTOP)
    time.sleep(0.3)
    os.killpg(process.pid, signal.SIGCONT)
    time.sleep(0.1)
    os.kill(process.pid, signal.SIGUSR1)


def kill_rooflight(process, base, observed):
    """The program goes on as if nobody had watched; it is told to end later. Its own status is what counts."""
    wait_for_words(base, b"ready\n")
    pid, = programs(process.pid)
    time.sleep(3.6)  # a capture is made of what is there after three seconds
    if observed:
        process.kill()
        process.wait()
    time.sleep(0.2)
    os.kill(pid, signal.SIGUSR1)
    if observed:
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def kill_program(process, base, observed):
    wait_for_words(base, b"ready\n")
    pid, = programs(process.pid)
    os.kill(pid, signal.SIGKILL)


# ---- verdicts of another kind ----

def judge_own_injection(case, plain, observed):
    """The program runs as it does by itself, with the other tool in it, and one line says so."""
    said = observed.err.decode(errors="replace")
    if said.count("CUDA_INJECTION64_PATH") != 1:
        return [f"not said once of the user's own CUDA_INJECTION64_PATH: {said!r}, files {sorted(observed.files)}"]
    return None


def judge_fault(case, plain, observed):
    """What the sharing of CUPTI is for is seen where it cannot be done."""
    return [] if plain.out != observed.out else ["it is not noticed that the program's records are gone"]


def judge_refused_output(case, plain, observed):
    """The place for the capture is looked at before the program runs."""
    if observed.status in (1, 2) and not observed.out and not observed.files:
        return []
    return [f"the program ran, although its capture cannot be written: status {observed.status}, output {observed.out!r}"]


def judge_not_hung(case, plain, observed):
    return ["it hangs when it is observed"] if observed.hung else None


# ---- the rows ----

FULL_DISK = "mkdir -p full && mount -t tmpfs -o size=16k none full && dd if=/dev/zero of=full/fill bs=4k 2>/dev/null; exec env TMPDIR=$PWD/full \"$@\""


def ends():
    yield T("no_cuda", 5, complete=False)  # nothing tells that no process used CUDA
    yield T("plain", 1000, 3, ns=2000, sanitized=True)
    yield T("plain:one", 1, 0, ns=2000)
    yield T("without_waiting", 100, complete=None, under_way=True, sanitized=True)
    yield T("underscore_exit", 100, 6, complete=None, sanitized=True)
    yield T("quick_exit", 100, 6, complete=None)
    yield T("exit_handler", 20, 0, sanitized=True)
    yield T("exit_handler:before", 20, 1, complete=None, under_way=True, sanitized=True)
    yield T("destructor", 20, complete=None, under_way=True, sanitized=True)
    yield T("exit_in_exit", 20, complete=None)
    for number in ("SEGV", "ABRT", "KILL", "TERM", "BUS"):
        yield T(f"signal:{number}", int(getattr(signal, "SIG" + number)), 300, complete=False)
    yield T("late_signal:KILL", 9, 300, complete=False)
    yield T("exit_in_handler", 20, 0, complete=None, under_way=True, slack=20, races=True)
    yield T("exit_in_handler:underscore", 10, 1, complete=None, under_way=True, slack=10, races=True)
    yield T("exit_among_threads", 4, 0, complete=None, under_way=True, slack=8, races=True, sanitized=True)
    yield T("exit_among_threads:SEGV", 4, 11, complete=False, slack=8, races=True)
    yield T("exit_among_threads:KILL", 4, 9, complete=False, slack=8, races=True)
    yield T("exit_among_threads:unasked", 4, 9, complete=False, slack=8, card=False, environment={"RL_SLOW_NAME_MS": "60"})
    yield T("storm", 5000, 1, ns=2000, card=False, sanitized=True)
    yield T("storm:driver", 5000, 0, ns=2000)  # on a card threads of the driver's handle signals, too
    yield T("interrupted", 20)
    yield T("recovered", 200)
    yield T("stack_overflow", 10, complete=None)
    yield T("broken_pipe", 10, complete=False)
    yield T("stopped", 10)
    yield T("dispositions", 10)
    for number in ("USR1", "TERM", "INT", "HUP"):
        yield T(f"served:{number}", int(getattr(signal, "SIG" + number)), 20, act=send(getattr(signal, "SIG" + number)), races=True)
    yield T("served:group", int(signal.SIGINT), 20, act=send(signal.SIGINT, group=True))
    yield T("served:stopped", int(signal.SIGUSR1), 20, act=stop_and_go)
    yield T("served:nohup", int(signal.SIGUSR1), 20, act=send(signal.SIGUSR1), ignored=(signal.SIGHUP,))
    yield T("served:unwatched", int(signal.SIGUSR1), 20, act=kill_rooflight, exact=False, complete=False, wrappable=False)
    yield T("served:killed", int(signal.SIGUSR1), 20, act=kill_program, complete=False, slack=1, wrappable=False)


def processes():
    yield T("fork_first", 3, 50, sanitized=True)
    yield T("fork_after", 9, 50, sanitized=True)
    yield T("fork_both", 50)
    yield T("fork_among_threads", 20, 3, races=True)
    yield T("fork_handlers", 10)
    yield T("vfork_exec", 5, 50)
    yield T("exec_chain", 5, complete=None)
    yield T("exec_bare", 30, exact=False, slack=30, card=False)  # its child is not seen
    yield T("daemon", 0, 1500, linger=4, complete=None)
    yield T("daemon:cuda", 50, 1500, linger=4, complete=False, exact=False, races=True)
    yield T("daemon:long", 0, 7000, linger=9, complete=None)
    yield T("orphan", 0, 1000, linger=3, complete=None)
    yield T("orphan:cuda", 50, 1000, linger=3, complete=False, exact=False)
    yield T("zombies", 20, 10)
    yield T("inherited", 10)
    yield T("threads_in_turn", 10000, 0, sanitized=True)
    yield T("threads_in_turn:small", 50, 131072)
    yield T("threads_in_turn:smallest", 50, 16384, card=False)
    yield T("threads_in_turn:select", 50, 16384, options=("--kernel", "(a|b|w)*o.*k.*"), card=False)
    yield T("threads_at_once", 16, 2000, sanitized=True)
    yield T("main_leaves", 10, sanitized=True)
    yield T("threads_outlive", 8, 60, complete=None, under_way=True, slack=8, races=True, sanitized=True)


def limits():
    for before in (0, 1):
        when = ":before" if before else ":after"
        yield T("close_all" + when, 50, before, card=bool(before))
        yield T("dup2_all" + when, 3000, before, card=bool(before))
        yield T("limit_files" + when, 50, before, **(dict(exact=False, complete=False) if before else {}))
        yield T("limit_file_size" + when, 500, before)
        yield T("drop_root" + when, 50, before, needs="root", card=not before)
        yield T("not_dumpable" + when, 50, before)
        yield T("seccomp_refuses" + when, 50, before, card=not before, **(dict(exact=False, complete=None) if before else {}))
        yield T("seccomp_kills" + when, 50, before, card=not before, **(dict(exact=False, complete=None) if before else {}))
        yield T("jailed" + when, 50, before, needs="root", card=not before, **(dict(exact=False, complete=False) if before else {}))
        yield T("removed_folder" + when, 50, before)
        yield T("clean_temporary" + when, 50, before)
        yield T("no_environment" + when, 50, before, **(dict(exact=False, complete=False) if before else {}))
    yield T("open_many", 3000)
    for closed in ((0,), (1, 2), (0, 1, 2)):
        yield T("closed_streams:" + "".join(map(str, closed)), 50, closed=closed)
    yield T("list_descriptors", 50, card=False)
    yield T("stream_flags", 50)
    yield T("echo", 0, stdin=b"one\ntwo\nthree\n")
    yield T("limit_memory", 50, card=False)
    yield T("limit_processes", 50, needs="root", card=False)
    yield T("plugin", 3, 0, sanitized=True)
    yield T("plugin:apart", 2, 1, card=False)
    for how, what in enumerate(("fork", "handler")):
        yield Case(f"no_allocating:{what}", ["env", "LD_PRELOAD={build}/torture_allocator.so", "{torture}", "no_allocating", "50", str(how)], card=False)
    yield T("plain:relative", 50, 0, environment={"TMPDIR": "."})
    yield T("plain:own_injection", 50, 0, environment={"CUDA_INJECTION64_PATH": "{build}/torture_plugin.so"}, judge=judge_own_injection, card=False,
            no_capture=True)
    yield T("plain:refused_output", 50, 0, options=("-o", "/proc/x"), judge=judge_refused_output)


def commands():
    """Wrappers, shells, other languages."""
    torture = "{torture}"
    yield Case("static", ["{build}/torture_static", "x"], complete=False)
    yield Case("timeout", ["timeout", "-s", "USR1", "0.5", torture, "served", str(int(signal.SIGUSR1)), "10"])
    yield T("served:timeout", int(signal.SIGUSR1), 10, around=("timeout", "-s", "USR1", "0.7"))
    yield T("plain:timeout", 10, 0, around=("timeout", "60"))
    yield Case("setsid", ["setsid", "-w", torture, "plain", "50", "3"])
    yield Case("nohup", ["nohup", torture, "plain", "50", "3"])
    yield Case("stdbuf", ["stdbuf", "-o0", torture, "plain", "50", "3"])
    yield Case("env", ["env", "-i", torture, "plain", "50", "3"], exact=False, complete=False)
    yield S("xargs", "xargs -n1 -P4 {torture} plain | sort\n", stdin=b"10 20 30 40\n")
    yield Case("shebang", ["./script", "a b", ""], files={"script": "#!/bin/sh\necho \"$0 [$1] [$2] $#\"\n{torture} plain 20 4\nexit $?\n"})
    yield S("pipeline", "{torture} plain 20 0 | {torture} echo | sed s/launched/had/; exit 8\n")
    yield S("background", "{torture} plain 20 0 > a & {torture} plain 30 0 > b & wait; cat a b; kill -9 $$\n", complete=None)
    yield S("traps", "trap 'echo bye' EXIT; trap 'echo usr; {torture} plain 5 0' USR1; kill -USR1 $$; {torture} plain 20 3 || exit 9\n")
    yield S("temporary", "ls -A \"$TMPDIR\"; mktemp -u | sed \"s|$TMPDIR||; s|\\..*||\"; {torture} plain 10 0; ls -A \"$TMPDIR\"; mkdir \"$TMPDIR/own\"\n")
    yield S("no_temporary", "rm -rf -- \"$TMPDIR\"; {torture} plain 10 0; ls \"$TMPDIR\" 2>/dev/null\n")
    yield S("descriptors", "ls /proc/self/fd | wc -l; {torture} plain 10 0; ls /proc/self/fd | wc -l; exec 3>own; {torture} plain 10 0; echo mine >&3\n")
    yield S("results", "echo header > results; {torture} plain 10 0 >> results; wc -l < results\n")
    yield S("limits", "ulimit -n 64; ulimit -s 256; ulimit -c 0; {torture} plain 30 0; ulimit -n; ulimit -s\n")
    yield S("parents", "{torture} fork_first 2 10; (cd / && {torture} plain 10 2); echo $?\n")
    yield S("many", "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do {torture} plain 3 0; done\n")
    yield Case("arguments", ["/bin/sh", "-c", "echo $#", *["x" * 100] * 8000], complete=False)
    yield Case("environment", ["/bin/sh", "-c", "{torture} plain 5 0"], environment={f"BIG_{i}": "x" * 100000 for i in range(15)})
    yield Case("python", ["{python}", "-B", "{here}/launch.py", "200"], card=True)
    yield Case("full_disk", [torture, "plain", "3000", "0"], around=("unshare", "-m", "/bin/sh", "-c", FULL_DISK, "sh"), needs="mount")
    yield T("terminal", 20, terminal=((b"ground", b"typed\n"), (b"ready", b"\x03")))
    yield T("terminal:jobs", 20, terminal=((b"ground", b"\x1a"), (b"goes on", b"typed\n"), (b"ready", b"\x03")), around=("{python}", "-B", "{here}/jobs.py"),
            wrappable=False)  # a program below valgrind does not stop
    yield T("terminal:size", 20, terminal=((b"ground", lambda pid: os.kill(pid, signal.SIGWINCH)), (b"", b"typed\n"), (b"ready", b"\x03")))


def gpu():
    yield T("wait_flag", 5, 3000, races=True, sanitized=True)
    yield T("wait_flag:early", 5, 3, waits=True)
    yield T("wait_flag:kernel", 3, 100, options=("--replay", "kernel"), again=True)
    yield T("wait_flag:none", 5, 100, options=("--replay", "none"))
    yield T("delay", 50, 3000, races=True)
    yield T("delay:early", 20, 3, waits=True)
    yield T("persistent", 100, 3000)
    yield T("persistent:early", 100, 0, waits=True)
    yield T("persistent:kernel", 50, 100, options=("--replay", "kernel"), again=True)
    yield T("wait_value", 5, 3000)
    yield T("host_functions", 10, 3000, sanitized=True)
    yield T("two_threads", 100, 3000, races=True, sanitized=True)
    yield T("two_threads:early", 100, 0, waits=True, races=True)
    yield T("two_threads:kernel", 50, 100, options=("--replay", "kernel"), again=True)
    yield T("late_wait", 20, 100, options=("--replay", "kernel"), again=True)
    yield T("events", 20, 3000)
    yield T("grids", 500, ns=2000)
    yield T("grids:many", 65000, ns=2000, large=True, options=("--sample-gpu=no",))
    yield T("grids:more", 70000, ns=2000, large=True, rest=70000 - 65471, options=("--sample-gpu=no",))  # than classes are told apart
    yield T("plain:many", 56000, 0, ns=2000)
    yield T("graphs", 200, 20, ns=2000, sanitized=True)
    yield T("waiting_graph", 20, 3000)
    yield T("steady", 1500, 20000, ns=20000, sanitized=True)
    yield T("steady:windows", 1500, 20000, ns=20000, options=("--sample-gpu=no",), sanitized=True)  # otherwise the GPU is sampled to its end
    yield T("steady:slow", 1500, 20000, ns=20000, card=False, options=("--sample-gpu=no",),
            environment={"RL_SLOW_START": "700"})  # there is time for one of two windows
    yield T("steady:unread", 2500, 20000, ns=20000, card=False, options=("--sample-gpu=no",), unread=True,
            environment={"RL_REFUSE": "cuptiRangeProfilerDecodeData", "RL_REFUSE_CODE": "999"})
    yield T("steady:kernel", 200, 20000, options=("--replay", "kernel"), again=True, ns=20000)
    yield T("steady:application", 200, 20000, options=("--replay", "application"), again=True, ns=20000)
    yield T("contexts", 5, 500, sanitized=True)
    yield T("destroyed", 4, 30, complete=None, under_way=True, slack=4, races=True, card=False,
            sanitized=True)  # what is under way when its context goes may have no record


def guests():
    """Programs that use CUPTI themselves, from wherever they have it: 0 after CUDA was started, 1 a copy of their own; 10 more: before."""
    private = {"TORTURE_PRIVATE_CUPTI": "{build}/private/libcupti.so.13"}
    for name, count, more in (("profiler", 500, {}), ("records", 500, {}), ("memory", 200, {}), ("finalize", 100, {}), ("clock", 300, {}), ("callbacks", 100, {}),
                              ("threads", 500, dict(races=True, sanitized=True)), ("period", 20, {}), ("counters", 20, {}), ("around", 12, {})):
        for how in (0, 1, 10, 11):
            yield T(f"guest_{name}:{how}", count, how, environment=private, card=False, **more)
        yield T(f"guest_{name}:yield", count, 0, environment=private, card=False, options=("--cupti", "yield"), exact=False, complete=None, **more)
        yield T(f"guest_{name}:leave", count, 0, environment=private, card=False, options=("--cupti", "leave"), exact=False, complete=None, **more)
    # Where code cannot be written its calls are not led to us: what it opens later is not known to be there, and its records are gone.
    no_patch = ["env", "LD_PRELOAD={build}/torture_no_patch.so", "{torture}"]
    for name in ("profiler", "callbacks"):
        yield Case(f"guest_{name}:lost", [*no_patch, f"guest_{name}", "100", "0"], card=False, judge=judge_fault)
    for name in ("profiler", "records", "callbacks", "finalize"):
        yield Case(f"guest_{name}:left", [*no_patch, f"guest_{name}", "100", "10"], card=False, exact=False, complete=False)
    # PC sampling needs a CUPTI that nobody else has used: from there on nothing of it is ours.
    for how in (0, 1, 10, 11, 100, "yield", "leave"):
        options = ("--cupti", how) if isinstance(how, str) else ()
        yield T(f"guest_samples:{how}", 100, 0 if options else how, card=False, options=options, exact=False, complete=None, sanitized=how != 100,
                environment={**private, "RL_PM_FILE": f"{{build}}/sampled-{how}"})  # so that GPU and counters are of all processes; at 100 another one samples
    # From CUPTI 13.3 on each has a subscriber of its own; one that wants to be alone has CUPTI for itself.
    for how in (0, 1, 10, 11, 100, "leave"):
        yield T(f"guest_several:{how}", 100, 0 if how == "leave" else how, card=False, options=("--cupti", how) if how == "leave" else (), exact=how in (0, 1, 10, 11), complete=None,
                sanitized=how != "leave", environment={**private, "RL_SEVERAL": "1"})
    yield T("guest_early", 100, 0, environment=private, card=False, exact=False, complete=None)


def all_cases():
    return [*ends(), *processes(), *limits(), *commands(), *gpu(), *guests()]
