"""Many GPUs of a node, and launchers: which process takes which GPU, which names captures get, what one bad GPU does to the others.

    node.py --program PROGRAM [STEP ...]      exit status 0 passed, 1 failed, 77 nothing of it can be tried here

There is no GPU in these tests: standin_collect.py stands for measuring one. Steps that need Open MPI or Slurm are left out, with a
line, where they are not installed.
"""
import argparse
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
HOST = socket.gethostname().split(".")[0]
CANNOT_TRY = 77
LAUNCHER = ("OMPI_", "PMI_", "PMIX_", "SLURM_", "MV2_", "PALS_", "MPI_LOCAL", "CUDA_VISIBLE")


class Bench:
    def __init__(self, program, folder):
        self.program, self.folder, self.faults = program, folder, []

    def environment(self, **more):
        kept = {name: value for name, value in os.environ.items() if not name.startswith(LAUNCHER)}
        return {**kept, "ROOFLIGHT_STANDIN": str(HERE / "standin_collect.py"), **more}

    def run(self, *command, status=0, timeout=120, **environment):
        started = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder, timeout=timeout,
                              env=self.environment(**environment))
        self.seconds = time.monotonic() - started
        self.check(done.returncode == status, f"{command[1:]}: status {done.returncode}, not {status}\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def collect(self, *options, **how):
        return self.run(self.program, "collect", *options, **how)

    def check(self, holds, what):
        if not holds:
            self.faults.append(what)

    def files(self, folder):
        return sorted(path.name for path in (self.folder / folder).glob("*"))


def all_at_once(bench):
    said = bench.collect("--gpu", "0,1,2,3", "-o", "at_once/%h-%g.rlcap", STANDIN_SECONDS="1")
    expected = [f"{HOST}-{gpu}.rlcap" for gpu in (0, 1, 2, 3, "links")]
    bench.check(bench.files("at_once") == expected, f"files: {bench.files('at_once')}")
    bench.check(bench.seconds >= 2, "the links were not measured after the GPUs")
    bench.check(said.count("complete") == 5, f"table:\n{said}")
    bench.check("GPU 2: stand-in for GPU 2" in said, f"lines are not told apart:\n{said}")
    bench.check("links: stand-in for links" in said, f"lines are not told apart:\n{said}")
    bench.collect("--gpu", "0,1,2,3", "--serial", "--links", "none", "-o", "serial/%g.rlcap", STANDIN_SECONDS="1")
    bench.check(bench.seconds >= 4, "four waits of a second, one after another, took less than four seconds")


def bad_gpus_stop_no_other(bench):
    said = bench.collect("--gpu", "0,1,2,3,4", "--gpu-limit", "15", "-o", "bad/%g.rlcap", status=1,
                         STANDIN_FAULTS="1:fails,2:hangs,3:crashes")
    bench.check(bench.files("bad") == ["0.rlcap", "4.rlcap", "links.rlcap"], f"files: {bench.files('bad')}")
    for words in ("counters not permitted", "given up after 15 s", "killed by signal 6", "3 of 5 GPUs"):
        bench.check(words in said, f"'{words}' is not said:\n{said}")


def older_captures_are_not_the_failed_ones(bench):
    """The table names the file that a GPU has written, not one of an earlier call."""
    (bench.folder / "older").mkdir()
    for name in ("0.rlcap", "1.rlcap", "1.rlcap.partial", "3.rlcap", "4.rlcap", "4.rlcap.partial", "5.rlcap.partial"):
        (bench.folder / "older" / name).write_text("of an earlier call\n")
    said = bench.collect("--gpu", "0,1,2,3,4,5", "--links", "none", "-o", "older/%g.rlcap", status=1,
                         STANDIN_FAULTS="3:wrong,4:grows,5:fails")
    rows = {line.split()[0]: line for line in said.splitlines() if line.split()[1:2] and line.split()[0] in "012345"}
    for gpu, written in (("0", None), ("1", None), ("2", "2.rlcap"), ("3", "3.rlcap"), ("4", "4.rlcap.partial"), ("5", None)):
        named = rows[gpu].split()[2]
        bench.check(named == (f"older/{written}" if written else "\u2013"), f"GPU {gpu} has written {written}, not {named}:\n{said}")
        bench.check(("finished" in rows[gpu]) == (gpu in "34"), f"GPU {gpu}: what was finished:\n{said}")


def links_are_a_part_of_their_own(bench):
    bench.collect("--links", "only", "-o", "links/%h-%g.rlcap")
    bench.check(bench.files("links") == [f"{HOST}-links.rlcap"], f"files: {bench.files('links')}")
    said = bench.collect("--gpu", "0,1", "-o", "no_links/%g.rlcap", status=1, STANDIN_FAULTS="links:fails")
    bench.check(bench.files("no_links") == ["0.rlcap", "1.rlcap"], f"files: {bench.files('no_links')}")
    bench.check("the links between the GPUs could not be measured completely" in said, f"what failed is not said:\n{said}")
    bench.collect("--links", "only", "coalescing", status=2)
    bench.collect("--links", "some", status=2)


def names_are_checked(bench):
    bench.collect("--gpu", "0,1", "-o", "same.rlcap", status=2)
    bench.collect("--gpu", "0,0", status=2)
    bench.collect("--gpu", "1024", status=2)
    bench.collect("--gpu", "x", status=2)
    bench.collect("-o", "%q.rlcap", status=2)
    bench.collect("-o", "same.rlcap", status=2, OMPI_COMM_WORLD_RANK="1", OMPI_COMM_WORLD_SIZE="4")
    bench.check(not (bench.folder / "same.rlcap").exists(), "a file that several would write was written")


def ranks_take_their_gpus(bench):
    bench.collect("-o", "ranks/%r-%g-%j.rlcap", OMPI_COMM_WORLD_RANK="5", OMPI_COMM_WORLD_LOCAL_RANK="1", OMPI_COMM_WORLD_SIZE="8")
    bench.collect("-o", "ranks/%r-%g-%j.rlcap", SLURM_PROCID="6", SLURM_LOCALID="2", SLURM_NTASKS="8", SLURM_JOB_ID="77")
    bench.collect("-o", "ranks/%r-%g-%j.rlcap", SLURM_PROCID="7", SLURM_LOCALID="3", SLURM_NTASKS="8", CUDA_VISIBLE_DEVICES="3")
    expected = ["5-1-nojob.rlcap", "6-2-77.rlcap", "7-0-nojob.rlcap"]
    bench.check(bench.files("ranks") == expected, f"files: {bench.files('ranks')}, not {expected}")


def open_mpi(bench):
    if not shutil.which("mpirun"):
        return "mpirun is not installed (openmpi-bin)"
    bench.run("mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "4", bench.program, "collect", "-o", "mpi/%h-%g-%r.rlcap")
    bench.check(bench.files("mpi") == [f"{HOST}-{rank}-{rank}.rlcap" for rank in range(4)], f"files: {bench.files('mpi')}")
    return None


SLURM = """ClusterName=test
SlurmctldHost={host}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CryptoType=crypto/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SchedulerType=sched/builtin
SelectType=select/linear
MpiDefault=none
ReturnToService=2
SlurmctldPort={port}
SlurmdPort={next_port}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
NodeName={host} CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:8
"""


def free_ports():
    with socket.socket() as one, socket.socket() as two:
        one.bind(("", 0))
        two.bind(("", 0))
        return one.getsockname()[1], two.getsockname()[1]


class NotReady(Exception):
    """A daemon does not get ready."""


class Slurm:
    """munged, slurmctld and slurmd of our own, on this machine alone, in a folder that goes away; they end with the test."""

    def __init__(self, bench):
        self.bench, self.folder, self.daemons = bench, pathlib.Path(tempfile.mkdtemp(prefix="slurm")), []

    def __enter__(self):
        for name in ("state", "spool", "munge"):
            (self.folder / name).mkdir(mode=0o700)
        self.folder.chmod(0o755)
        key = self.folder / "munge" / "key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        port, next_port = free_ports()
        self.conf = self.folder / "slurm.conf"
        self.conf.write_text(SLURM.format(host=socket.gethostname(), folder=self.folder, port=port, next_port=next_port,
                                          cpus=os.cpu_count()))
        munge = ["munged", "--foreground", "--force", f"--key-file={key}", f"--socket={self.folder}/munge.socket",
                 f"--log-file={self.folder}/munge/log", f"--pid-file={self.folder}/munge/pid", f"--seed-file={self.folder}/munge/seed"]
        self.start(munge, lambda: (self.folder / "munge.socket").exists())
        self.start(["slurmctld", "-D", "-f", str(self.conf)], lambda: "UP" in self.ask("scontrol", "ping"))
        self.start(["slurmd", "-D", "-f", str(self.conf), "-N", socket.gethostname()], lambda: "idle" in self.ask("sinfo", "-h", "-o", "%t"))
        return self

    def start(self, command, ready):
        path = os.environ["PATH"] + ":/usr/sbin:/sbin"
        log = open(self.folder / (command[0] + ".out"), "w")
        self.daemons.append(subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ, "PATH": path, "SLURM_CONF": str(self.conf)}))
        for _ in range(300):
            if ready():
                return
            if self.daemons[-1].poll() is not None:
                break
            time.sleep(0.2)
        raise NotReady(f"{command[0]} does not get ready: " + (self.folder / (command[0] + ".out")).read_text()[-400:])

    def ask(self, *command):
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "SLURM_CONF": str(self.conf)}, timeout=30)
        return done.stdout

    def __exit__(self, *_):
        for daemon in reversed(self.daemons):
            daemon.terminate()
            try:
                daemon.wait(timeout=20)
            except subprocess.TimeoutExpired:
                daemon.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


def try_slurm(bench, slurm):
    count = min(os.cpu_count(), 4)
    environment = {"SLURM_CONF": str(slurm.conf)}
    bench.run("srun", "-n", str(count), bench.program, "collect", "-o", "slurm/%j-%r-%g.rlcap", **environment)
    names = bench.files("slurm")
    bench.check(len(names) == count and all(name.endswith(f"-{i}-{i}.rlcap") for i, name in enumerate(names)), f"files: {names}")
    script = bench.folder / "array.sh"
    script.write_text(f"#!/bin/sh\n{bench.program} collect --gpu 0,1 -o array/%j-%g.rlcap\n")
    bench.run("sbatch", "--wait", "--array=0-1", "-o", "/dev/null", str(script), **environment)
    names = bench.files("array")
    bench.check(len(names) == 6 and len({name.split("-")[0] for name in names}) == 2, f"files of the array: {names}")


def slurm(bench):
    for program in ("srun", "sbatch", "munged", "slurmctld", "slurmd"):
        if not shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/sbin"):
            return f"{program} is not installed (slurm-wlm, munge)"
    if os.geteuid() != 0:
        return "Slurm's daemons need root"
    for _ in range(3):  # somebody else may have taken the ports that were free
        daemons = Slurm(bench)
        try:
            with daemons:
                try_slurm(bench, daemons)
            return None
        except NotReady as error:
            fault = str(error)
            daemons.__exit__()
    bench.check(False, fault)
    return None


STEPS = (all_at_once, bad_gpus_stop_no_other, older_captures_are_not_the_failed_ones, links_are_a_part_of_their_own, names_are_checked,
         ranks_take_their_gpus, open_mpi, slurm)


def main():
    parser = argparse.ArgumentParser(description="Many GPUs of a node, and launchers.")
    parser.add_argument("--program", required=True)
    parser.add_argument("steps", nargs="*", metavar="STEP", help=", ".join(step.__name__ for step in STEPS))
    arguments = parser.parse_args()
    chosen = [step for step in STEPS if not arguments.steps or step.__name__ in arguments.steps]
    tried = 0
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(arguments.program, pathlib.Path(folder))
        for step in chosen:
            before = len(bench.faults)
            skipped = step(bench)
            tried += not skipped
            print(f"{step.__name__}: {'skipped: ' + skipped if skipped else 'passed' if len(bench.faults) == before else 'FAILED'}")
    for fault in bench.faults:
        print(fault)
    return 1 if bench.faults else 0 if tried else CANNOT_TRY


if __name__ == "__main__":
    sys.exit(main())
