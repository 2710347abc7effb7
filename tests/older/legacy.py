#!/usr/bin/env python3
"""Builds the preset `legacy` with the toolkits that old cards have (fetch.sh FOLDER toolkit) and holds what comes out against the rows.

    legacy.py SOURCE FOLDER BUILD [VERSION[:ARCHITECTURES] ...]

FOLDER keeps the toolkits, BUILD the builds. For each version: the program holds code for every architecture of the preset, each row of
the suite that this code cannot do says why, Volta's matrix ceiling is made of that card's instruction, doctor finds that version's CUPTI, check
explains itself, and the unit tests of kernels and collector pass. Without apt, the keys of Debian's archive, a mirror or a compiler it says so and ends with 77."""
import collections
import json
import pathlib
import re
import subprocess
import sys

import nightly

ARCHITECTURES = {"11.8": [35, 37, 50, 52, 60, 61, 70, 72], "12.4": [50, 52, 60, 61, 70, 75, 80, 86, 89, 90]}
# Of the unit tests: what needs CUPTI of today (older/library_VERSION has its own), and what has helpers and nothing of the toolkit.
LEFT_OUT = "test_(cupti|pm_sampler|descendants)$"
TARGETS = ["rooflight", "rooflight_inject", "unit_kernels", "unit_collector"]


def run(words, **more):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, **more)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, words[:4]))} ... ended with {done.returncode}:\n{(done.stdout + done.stderr)[-3000:]}")
    return done.stdout


def build(source, toolkits, folder, version, architectures):
    words = ["cmake", "--preset", "legacy", "-S", source, "-B", folder, "-DRL_TESTS=ON",
             f"-DCMAKE_CUDA_COMPILER={toolkits / version / 'cuda/bin/nvcc'}"]
    compiler = toolkits / version / "usr/bin/g++-11"
    if compiler.exists():
        words.append(f"-DCMAKE_CUDA_HOST_COMPILER={compiler}")
    if architectures:
        words.append(f"-DCMAKE_CUDA_ARCHITECTURES={';'.join(map(str, architectures))}")
    run(words, cwd=source)
    run(["cmake", "--build", folder, "--target", *TARGETS, "--", "--quiet"])


def code_of(toolkit, program):
    """Compute capabilities that the program holds machine code for."""
    return sorted({int(cc) for cc in re.findall(r"\bsm_(\d+)\b", run([toolkit / "bin/cuobjdump", "--list-elf", program]))})


def check_volta(toolkit, program):
    """A product of its matrix ceiling is one instruction of Volta's matrix units in four steps, and what the row counts of them is there."""
    for down in (1, 2):
        name = f"_Z10mma_kernelI6f16_k4Li{down}ELi4EEvPKcm13rl_bench_mark"
        listing = run([toolkit / "bin/cuobjdump", "-sass", "-arch", "sm_70", "-fun", name, program])
        found = collections.Counter(re.findall(r"\bHMMA\.\S+", listing))
        rounds = found["HMMA.884.F32.F32.STEP0"] / (4 * down)
        steps = {f"HMMA.884.F32.F32.STEP{step}": rounds * 4 * down for step in range(4)}
        assert rounds >= 4 and rounds.is_integer() and found == steps, f"{name}: {dict(found)}"


def check_rows(program, version, architectures):
    """Every variant that needs more than the build has says so, and no other."""
    toolkit, highest, absent = int(version.replace(".", "")), max(architectures), 0
    for experiment in json.loads(run([program, "list", "kernels", "--json"])):
        for variant in experiment["variants"]:
            cc = re.search(r"compute capability (\d+)\.(\d+)", variant["requires"])
            cuda = re.search(r"CUDA (\d+)\.(\d+)", variant["requires"])
            above = bool(cc) and int(cc[1] + cc[2]) > highest
            newer = bool(cuda) and int(cuda[1] + cuda[2]) > toolkit
            name, why = f"{experiment['experiment']}/{variant['variant']}", variant["not_built"]
            assert bool(why) == (above or newer), f"{name}: {why}"
            if above:
                assert why.startswith(f"not built: needs {cc[0]}, this program has code for "), f"{name}: {why}"
            elif newer:
                assert why == f"not built: needs {cuda[0]}, this program was built with {version}", f"{name}: {why}"
            absent += bool(why)
    assert (absent > 0) == (highest < 90), f"{absent} rows are absent"
    return absent


def check(source, toolkits, folder, version, architectures):
    build(source, toolkits, folder, version, architectures)
    wanted, program, cuda = architectures or ARCHITECTURES[version], folder / "rooflight", toolkits / version / "cuda"
    assert code_of(cuda, program) == wanted, f"code for {code_of(cuda, program)}, not {wanted}"
    if 70 in wanted:
        check_volta(cuda, program)
    absent = check_rows(program, version, wanted)
    doctor = subprocess.run([program, "doctor"], capture_output=True, text=True, check=False).stdout
    assert re.search(rf"^CUPTI +ok +{re.escape(version)},", doctor, re.MULTILINE), doctor
    said = run([program, "check", "--help"])
    assert "worked out on paper" in said, f"check --help: {said}"
    run(["ctest", "--test-dir", folder, "-R", "^unit/(kernels|collector)/", "-E", LEFT_OUT, "--output-on-failure"])
    print(f"CUDA {version}: code for {wanted}, {absent} variants absent with their reason")


def main():
    source, toolkits, folder = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    reason = nightly.fetch(toolkits, "toolkit")
    if reason:
        print(f"SKIPPED: older toolkits cannot be had here: {reason}")
        return nightly.SKIPPED
    failed = False
    for word in sys.argv[4:] or ARCHITECTURES:
        version, _, architectures = word.partition(":")
        try:
            check(source, toolkits, folder / version, version, [int(cc) for cc in architectures.split(",") if cc])
        except (AssertionError, RuntimeError) as error:
            print(f"CUDA {version}: {error}")
            failed = True
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
