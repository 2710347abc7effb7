#!/usr/bin/env python3
"""Locks clocks on stand-ins (stand_in_cuda.c, stand_in_nvml.c) and sees that they are set free, however the measurement ends.

    test_lock.py --rooflight PROGRAM --holder PROGRAM --stand-ins FOLDER
"""
import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

BASE = 0xFFFFFF01  # NVML's name for the base clock
FREED = ["free_sm", "free_memory"]
faults = []


def check(good, text):
    if not good:
        faults.append(text)
        print(f"FAILED: {text}")


class Session:
    """The environment of one run and what NVML was asked to do in it."""

    def __init__(self, folder, cuda="", refuses=""):
        self.log = os.path.join(folder, "nvml.log")
        if os.path.exists(self.log):
            os.remove(self.log)
        self.folder = folder
        self.env = dict(os.environ, LD_LIBRARY_PATH=ARGUMENTS.stand_ins, STAND_IN_NVML_LOG=self.log, STAND_IN_CUDA=cuda,
                        STAND_IN_NVML_REFUSES=refuses)

    def calls(self):
        if not os.path.exists(self.log):
            return []
        with open(self.log, encoding="ascii") as file:
            return file.read().splitlines()

    def calls_in_time(self, count):
        """Waits until there are so many; what happens behind a process that has ended takes a moment."""
        end = time.monotonic() + 20
        while len(self.calls()) < count and time.monotonic() < end:
            time.sleep(0.01)
        return self.calls()

    def collect(self, *arguments):
        return subprocess.Popen([ARGUMENTS.rooflight, "collect", *arguments, "-o", os.path.join(self.folder, "x.rlcap"), "ilp"],
                                env=self.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)

    def hold(self, mhz):
        return subprocess.Popen([ARGUMENTS.holder, str(mhz)], env=self.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)


def locked(mhz):
    return [f"lock_sm {mhz} {mhz}", "lock_memory 3201 3201"]


def test_normal_end(folder):
    session = Session(folder)
    holder = session.hold(1500)
    said = holder.stdout.readline()
    check(said.startswith("locked SM 1500000000 memory 3201000000"), f"normal end: says {said}")
    check(session.calls() == locked(1500), f"while it lasts: {session.calls()}")
    holder.communicate("", timeout=60)
    check(holder.returncode == 0, f"normal end: status {holder.returncode}")
    check(session.calls() == locked(1500) + FREED, f"normal end: {session.calls()}")


def test_off_by_default(folder):
    session = Session(folder)
    session.collect().communicate(timeout=60)
    check(session.calls() == [], f"without the option: {session.calls()}")


def test_error_exit(folder):
    for option, mhz in (("--lock-clocks", BASE), ("--lock-clocks=1200", 1200)):
        session = Session(folder)
        child = session.collect(option)
        _, said = child.communicate(timeout=60)
        check(child.returncode == 1 and len(said.splitlines()) == 1, f"error: status {child.returncode}, {said}")
        check(session.calls() == locked(mhz) + FREED, f"error, {option}: {session.calls()}")


def test_child_crash(folder):
    session = Session(folder, cuda="crash")
    child = session.collect("--lock-clocks")
    _, said = child.communicate(timeout=60)
    check(child.returncode == 1 and "died of signal 6" in said, f"crash: status {child.returncode}, {said}")
    check(session.calls() == locked(BASE) + FREED, f"crash: {session.calls()}")


def test_signals(folder):
    """To the process alone, and to its whole group, as a terminal sends them."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGKILL):
        for send in (os.kill, os.killpg):
            session = Session(folder, cuda="hang")
            child = session.collect("--lock-clocks")
            check(session.calls_in_time(2) == locked(BASE), f"before {number.name}: {session.calls()}")
            time.sleep(0.1)
            check(len(session.calls()) == 2, f"before {number.name}: free too early")
            send(child.pid, number)
            child.communicate(timeout=60)
            check(child.returncode == -number, f"{number.name}: status {child.returncode}")
            check(session.calls_in_time(4) == locked(BASE) + FREED, f"{number.name}: {session.calls()}")


def test_refusals(folder):
    """(call that fails, code, exit status, words, what is locked and freed all the same)"""
    for call, code, status, words, calls in (
            ("lock_sm", 4, 1, "only root may lock clocks: run with sudo", []),
            ("lock_sm", 2, 2, "SUPPORTED_CLOCKS", []),
            ("lock_sm", 24, 2, "SUPPORTED_CLOCKS", []),
            ("lock_sm", 3, 1, "Volta", []),
            ("lock_sm", 999, 1, "error 999", []),
            ("lock_memory", 3, 1, "cudaErrorInsufficientDriver", ["lock_sm 1200 1200", "free_sm"]),
            ("free_sm", 999, 1, "nvidia-smi -i GPU-00010203-0405-0607-0809-0a0b0c0d0e0f -rgc", locked(1200) + ["free_memory"])):
        session = Session(folder, refuses=f"{call}={code}")
        child = session.collect("--lock-clocks=1200")
        _, said = child.communicate(timeout=60)
        check(child.returncode == status and words in said.splitlines()[0], f"{call}={code}: status {child.returncode}, {said}")
        check(len(said.splitlines()) == (2 if status == 2 else 1), f"{call}={code}: says {said}")
        check(session.calls() == calls, f"{call}={code}: {session.calls()}")


def test_keeper_killed(folder):
    """The one way in which clocks stay locked: the user is told how to free them."""
    session = Session(folder)
    holder = session.hold(-1)
    os.kill(int(holder.stdout.readline().split()[-1]), signal.SIGKILL)
    _, said = holder.communicate("", timeout=60)
    check(holder.returncode == 1 and "nvidia-smi -rgc" in said, f"keeper killed: status {holder.returncode}, {said}")
    check(session.calls() == locked(BASE), f"keeper killed: {session.calls()}")


def test_old_driver(folder):
    """Not a matter of clocks, but this stand-in is a driver whose version can be chosen."""
    needed = r"measuring needs CUDA \d+\.0: update the driver.*"
    session = Session(folder)
    session.env["STAND_IN_CUDA_VERSION"] = "11040"
    child = session.collect()
    _, said = child.communicate(timeout=60)
    check(child.returncode == 1 and re.fullmatch("rooflight: collect: the NVIDIA driver supports CUDA 11.4; " + needed, said.strip()),
          f"old driver: status {child.returncode}, {said}")
    said = subprocess.run([ARGUMENTS.rooflight, "doctor"], env=session.env, capture_output=True, text=True, check=True, timeout=60).stdout
    check(re.search(r"^driver +unsupported +.*CUDA 11\.4; " + needed, said, re.M), f"old driver, doctor: {said}")


def test_usage(folder):
    for arguments, words in ((("--lock-clocks=0",), "whole number"), (("--lock-clocks=fast",), "whole number"),
                             (("--lock-clocks", "--gpu", "7"), "there is no GPU 7")):
        session = Session(folder)
        child = session.collect(*arguments)
        _, said = child.communicate(timeout=60)
        check(child.returncode == 2 and words in said, f"{arguments}: status {child.returncode}, {said}")
        check(session.calls() == [], f"{arguments}: {session.calls()}")


def main():
    for name, test in sorted(globals().items()):
        if name.startswith("test_"):
            with tempfile.TemporaryDirectory() as folder:
                test(folder)
            print(f"{name}: done")
    return 1 if faults else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--rooflight", required=True)
    parser.add_argument("--holder", required=True)
    parser.add_argument("--stand-ins", required=True)
    ARGUMENTS = parser.parse_args()
    sys.exit(main())
