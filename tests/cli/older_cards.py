#!/usr/bin/env python3
"""The document that cards are compared by: an A100 beside V100, P100 and T4, none of which is at hand.

    older_cards.py --program PROGRAM --source FOLDER --inject-program PROGRAM --stand-ins FOLDER [--profiles FOLDER]

Captures of each kind there is: published figures of an A100, a trace of nvprof on a P100, the details page of Nsight Compute on a V100, a T4 by projection;
and, where the stand-ins for driver and CUPTI are, one that each back end made of the same kernels on a card that does not exist ("Stand-in 0"). Whatever a
card or a column says, it says whether that was measured, imported, published or projected. With --profiles the same with outputs that others have put online."""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

KINDS = ("measured", "imported", "published", "projected")
KERNELS = ("work0<float>(float*, int)", "work1<float>(float*, int)", "work2<float>(float*, int)", "work3<float>(float*, int)")

NVPROF = """==1== NVPROF is profiling process 1, command: ./app
==1== Profiling application: ./app
==1== Profiling result:
"Start","Duration","Grid X","Grid Y","Grid Z","Block X","Block Y","Block Z","Registers Per Thread","Static SMem","Dynamic SMem","Device","Context","Stream","Name"
ms,us,,,,,,,,KB,B,,,,
""" + "".join(f'{i}.0,{40 + i}.5,64,1,1,128,1,1,16,0,0,"Tesla P100-SXM2-16GB (0)","1","7","void {KERNELS[i % 4]} [{100 + i}]"\n' for i in range(12))

NCU = '"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Section Name","Metric Name","Metric Unit","Metric Value"\n' + "".join(
    f'"{i}","1","app","127.0.0.1","void {KERNELS[i]}","1","7","GPU Speed Of Light","{name}","{unit}","{value}"\n'
    for i in range(4) for name, unit, value in (("Duration", "usecond", f"{20 + i}.5"), ("Memory [%]", "%", "55.5"), ("Achieved Occupancy", "%", "93.1")))


class Cards:
    def __init__(self, arguments, folder):
        self.arguments, self.folder, self.faults = arguments, folder, []

    def expect(self, condition, text):
        if not condition:
            self.faults.append(text)

    def run(self, *words, **environment):
        done = subprocess.run([self.arguments.program, *map(str, words)], cwd=self.folder, capture_output=True, text=True, check=False, timeout=120,
                              env={**os.environ, "COLUMNS": "200", **environment})
        self.expect(done.returncode in (0, 1), f"{' '.join(map(str, words))}: {done.returncode} {done.stderr}")
        return done.stdout

    def imported(self, name, source, *options):
        path = self.folder / f"{name}.rlcap"
        self.run("import", "-o", path, *options, source)
        return path

    def written(self, name, text, *options):
        (self.folder / f"{name}.csv").write_text(text)
        return self.imported(name, self.folder / f"{name}.csv", *options)

    def stand_ins(self):
        """The same program by each back end."""
        if not self.arguments.stand_ins:
            return
        for backend, library, cc in (("range", "", "90"), ("profiler", "12", "90")):
            path = self.folder / f"stand-in-{backend}.rlcap"
            self.run("collect", "-o", path, "--replay", "kernel", "--backend", backend, "--", self.arguments.inject_program, "many", 40, 4,
                     LD_LIBRARY_PATH=self.arguments.stand_ins, ROOFLIGHT_CUPTI_DIR=os.path.join(self.arguments.stand_ins, library), RL_CC=cc)
            yield path

    def check(self, captures, kinds, projected):
        """`kinds` of the captures, in their order; `projected` GPUs follow."""
        words = [*captures, "--project", projected]
        shown = json.loads(self.run("compare", "--json", *words))
        found = [card["kind"] for card in shown["cards"]]
        self.expect(found == [*kinds, *["projected"] * (projected.count(",") + 1)], f"GPUs are {found}")
        parts = [part["kind"] for part in shown.get("captures", shown.get("parts", []))]
        self.expect(not parts or parts == list(kinds), f"captures are {parts}")
        text = self.run("compare", *words)
        for table in re.findall(r"(?m)^What is each GPU\?\n.*\n.*\n((?:.+\n)+)", text):
            for line in table.splitlines()[:len(found)]:
                self.expect(sum(f" {kind} " in line for kind in KINDS) == 1, f"a GPU without its kind: {line}")
        heads = [line for line in text.splitlines() if line.startswith("limited by (kernels)")]
        self.expect(heads, "no table of what limits the kernels")
        for line in heads:
            unmeasured = [kind for kind in found[1:] if kind != "measured"]
            said = re.findall(r", (imported|published|projected)(?=  |$)", line)
            self.expect(said == unmeasured, f"columns say {said}, not {unmeasured}: {line}")
        for kind, capture in zip(kinds, captures):
            line = next((line for line in text.splitlines() if f"{capture.name}:" in line), "")
            word = {"measured": "", "imported": "imported from another profiler", "published": "published figures"}[kind]
            self.expect(line and word in line and (word or not re.search("imported|published", line)), f"{kind}: {line}")
        document = self.folder / "cards.md"
        self.run("compare", "-o", document, *words)
        self.expect(all(f"{kind}" in document.read_text() for kind in set(found)), "the document names each kind")


def main():
    parser = argparse.ArgumentParser(description="Compares an A100 with older GPUs.")
    for name in ("program", "inject-program", "stand-ins", "profiles"):
        parser.add_argument(f"--{name}", default="")
    parser.add_argument("--source", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        cards = Cards(arguments, pathlib.Path(name))
        a100 = cards.imported("a100", arguments.source.resolve() / "samples/published/a100-sxm4-40gb.csv")
        p100, v100 = cards.written("p100", NVPROF), cards.written("v100", NCU, "--card", "V100-SXM2-16GB")
        cards.check([a100, v100, p100], ["published", "imported", "imported"], "V100-SXM2-16GB,P100-SXM2-16GB,T4")
        stand_ins = list(cards.stand_ins())
        if stand_ins:
            cards.check([*stand_ins, v100, p100], ["measured", "measured", "imported", "imported"], "A100-SXM4-40GB,T4")
        online = pathlib.Path(arguments.profiles or "-")
        if online.is_dir():
            p100 = cards.imported("p100-altis", online / "p100-altis/level1/gemm/metrics_big_zemaitis.csv")
            v100 = cards.imported("v100-hotspot", online / "v100-rodinia-xplacer/hotspot/kernel-level-measurement/nsight_hotspot_1024", "--card", "V100-SXM2-16GB")
            t4 = cards.imported("t4-copy", online / "t4-copy-blocked/copy_blocked.csv", "--card", "T4")
            cards.check([a100, v100, p100, t4], ["published", *["imported"] * 3], "V100-SXM2-16GB,P100-SXM2-16GB,T4")
    print("\n".join(cards.faults) if cards.faults else "GPUs: no fault")
    return 1 if cards.faults else 0


if __name__ == "__main__":
    sys.exit(main())
