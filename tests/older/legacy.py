#!/usr/bin/env python3
"""Builds the preset `legacy` with the toolkits that old cards have (fetch.sh FOLDER toolkit) and holds what comes out against the rows.

    legacy.py SOURCE FOLDER BUILD [VERSION[:ARCHITECTURES] ...]

FOLDER keeps the toolkits, BUILD the builds. For each version: the program holds code for every architecture of the preset, each row of
the suite that this code cannot do says why, Volta's matrix ceiling is made of that card's instruction, the toolkits that rows name are
those whose PTX has the instructions, doctor finds that version's CUPTI, check explains itself, and the unit tests of kernels and
collector pass. Without apt, the keys of Debian's archive, a mirror or a compiler it says so and ends with 77."""
import collections
import json
import pathlib
import re
import subprocess
import sys

import nightly

ARCHITECTURES = {"11.8": [35, 37, 50, 52, 60, 61, 70, 72], "12.4": [50, 52, 60, 61, 70, 75, 80, 86, 89, 90]}
# Of the unit tests: what needs CUPTI of today (older/library_VERSION has its own), and what has helpers and nothing of the toolkit.
LEFT_OUT = "test_(cupti|pm_sampler)$"
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


# The PTX ISA of toolkits that rows name, and the one before ("Release Notes" there); 7.8 is that of CUDA 11.8.
PTX = {0: ("7.8", None), 120: ("8.0", "7.8"), 124: ("8.4", "8.3")}
# Where kernels are whose rows name a toolkit, what they are built for here, and what of the newer PTX they use.
NEWER = {"ceiling_wgmma": (120, "90a", "WGMMA"), "self_check_wgmma": (120, "90a", "WGMMA"), "ceiling_pipe": (120, "90", "cp.async.bulk"),
         "ceiling_mma": (124, "90", "mma with FP8 floating point type")}

# How a copy by cuda::barrier is made on Hopper is up to that header, which does what its toolkit can.
OF_BARRIER = {"mbarrier.expect_tx", "cp.async.bulk", ".mbarrier::complete_tx::bytes", "scopes on mbarrier operations"}


def lacking(toolkit, ptx, version, target):
    """What the PTX ISA of that version lacks of a file."""
    older = ptx.with_suffix(f".{version}")
    text = re.sub(r"(?m)^\s*\.pragma \"used_bytes_mask .*$", "", ptx.read_text()) # the compiler's own
    older.write_text(re.sub(r"(?m)^\.version .*$", f".version {version}", text))
    done = subprocess.run([toolkit / "bin/ptxas", f"-arch=sm_{target}", "-o", "/dev/null", older], capture_output=True, text=True, check=False)
    found = set(re.findall(r"Feature '(.*?)' requires PTX ISA", done.stderr))
    assert bool(found) == (done.returncode != 0), done.stderr[-3000:]
    return found


def check_instructions(source, toolkits, folder, version):
    """Each file assembles as the PTX of the toolkit that its rows name; those that name one do not as the PTX before."""
    toolkit = toolkits / version / "cuda"
    rows = "".join((source / "kernels" / name).read_text() for name in ("suite.def", "ceilings.def"))
    named = {0} | {int(one or other) for one, other in re.findall(r"\.min_toolkit = (\d+)|[( ]MMA_SWEEP\(.*?, (\d+)\)", rows)}
    assert named == set(PTX), f"rows name {named}"
    includes = [f"-I{source / name}" for name in ("kernels", "kernels/include", "core/include")]
    compiler = toolkits / "11.8/usr/bin/g++-11"
    for file in sorted((source / "kernels").glob("*.cu")):
        needed, target, feature = NEWER.get(file.stem, (0, "90", None))
        ptx, (enough, before) = folder / f"{file.stem}.ptx", PTX[needed]
        run([toolkit / "bin/nvcc", "-ccbin", compiler, "-std=c++17", "-ptx", f"-arch=compute_{target}", "-DRL_WITH_WGMMA=1",
             '-DRL_CUDA_LIB_DIR=""', *includes, "-o", ptx, file])
        lacks = lacking(toolkit, ptx, enough, target)
        if "cp.async.bulk" not in file.read_text():
            lacks -= OF_BARRIER
        assert not lacks, f"{file.name} uses what is newer than its rows say: {lacks}"
        assert not before or feature in lacking(toolkit, ptx, before, target), f"{file.name}: no '{feature}'"
        assert needed != 124 or lacking(toolkit, ptx, "7.8", target) == {feature}, f"{file.name}: more than '{feature}' is new"


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
            cc = re.search(r"compute capability (\d+)\.(\d+)", variant["requires"] or "")
            cuda = re.search(r"CUDA (\d+)\.(\d+)", variant["requires"] or "")
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
    if version == "12.4" and 90 in wanted:
        check_instructions(source, toolkits, folder, version)
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
