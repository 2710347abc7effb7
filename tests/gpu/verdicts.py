#!/usr/bin/env python3
"""How often `rooflight compare` is wrong on this card, and what it finds: the figures of docs/data/verdicts.md that need a GPU.

usage: verdicts.py --rooflight PROGRAM [--out FOLDER] [--captures N] [--planted N] [--gpu N] [EXPERIMENT ...]
       verdicts.py --rooflight PROGRAM --compare-only CAPTURE CAPTURE ...

1. A/A: the experiments are captured N times, each time by a new process; every pair of captures is compared. All verdicts FASTER and
   SLOWER are false.
2. A/B: each experiment whose time goes with its size is captured again with 2, 5 and 20 % more of it, --planted times, and compared with
   every capture of step 1. SLOWER is right, FASTER is false, and SAME is false.
3. What two captures of the same code differ, in quantiles: RL_SESSION_EFFECT (analysis/verdict.h) must cover it.

Prints three tables in Markdown and the kernels behind every false verdict; exit status 1 when more than 1 % of step 1 are false.
About 20 s a capture: 8 captures and 2 planted ones take 5 minutes on an H200.
"""
import argparse
import itertools
import json
import pathlib
import subprocess
import sys

EXPERIMENTS = ["register_pressure", "block_size", "coalescing", "transpose", "bank_conflicts", "shared_stencil", "vector_width", "read_only",
               "divergence", "ilp", "fast_math", "unroll"]
# Those whose every variant does work in proportion to its size, on a GPU that is full (ilp: on one warp).
PROPORTIONAL = ["vector_width", "block_size", "read_only", "ilp", "fast_math", "unroll"]
PLANTED = [0.02, 0.05, 0.20]
LIMIT = 0.01


def run(*command, allowed=(0,)):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode not in allowed:
        sys.exit(f"{' '.join(map(str, command))} failed ({done.returncode}):\n{done.stderr[-2000:]}")
    return done.stdout


class Card:
    def __init__(self, arguments):
        self.program, self.gpu, self.out = arguments.rooflight, arguments.gpu, pathlib.Path(arguments.out)
        self.out.mkdir(parents=True, exist_ok=True)

    def collect(self, name, experiments, *options):
        path = self.out / f"{name}.rlcap"
        run(self.program, "collect", "-q", "--gpu", self.gpu, "--ceilings", "none", "-o", path, *options, *experiments)
        return path

    def default_size(self, experiment):
        listed = json.loads(run(self.program, "list", "kernels", "--json"))
        return next(e for e in listed if e["experiment"] == experiment)["variants"][0]["default_size"]


def compare(program, base, new):
    return json.loads(run(program, "compare", "--json", base, new))["pairs"]


def count(pairs):
    counts = dict.fromkeys(("FASTER", "SLOWER", "SAME", "UNDECIDED"), 0)
    for pair in pairs:
        counts[pair["verdict"]] += 1
    return counts


def table(head, rows):
    print("\n| " + " | ".join(head) + " |\n|" + "---|" + "---:|" * (len(head) - 1))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")


def share(part, whole):
    return f"{100 * part / whole:.2f} %" if whole else "–"


def quantile(ordered, q):
    return ordered[min(len(ordered) - 1, int(q * len(ordered)))]


def unchanged(program, captures):
    """Step 1 and 3; returns the share of false verdicts."""
    pairs = [pair for base, new in itertools.combinations(captures, 2) for pair in compare(program, base, new)]
    counts = count(pairs)
    false = counts["FASTER"] + counts["SLOWER"]
    table(["the same code twice", "captures", "comparisons", "FASTER or SLOWER (false)", "SAME", "UNDECIDED"],
          [["", len(captures), len(pairs), share(false, len(pairs)), share(counts["SAME"], len(pairs)),
            share(counts["UNDECIDED"], len(pairs))]])
    ratios = sorted(abs(pair["ratio"]["estimate"] - 1) for pair in pairs if pair["ratio"])
    table(["medians differ by at most", *(f"{100 * q:g} %" for q in (0.5, 0.9, 0.95, 0.99, 1))],
          [["of the pairs", *(f"{100 * quantile(ratios, q):.2f} %" for q in (0.5, 0.9, 0.95, 0.99, 1))]])
    for pair in pairs:
        if pair["verdict"] in ("FASTER", "SLOWER"):
            print(f"false: {pair['name']}: {pair['verdict']}, ratio {pair['ratio']}")
    return false / len(pairs) if pairs else 0


def planted(card, captures, experiments, times):
    rows = []
    for effect in PLANTED:
        pairs = []
        for experiment, number in itertools.product(experiments, range(times)):
            size = round(card.default_size(experiment) * (1 + effect) / 1024) * 1024
            new = card.collect(f"{experiment}-{100 * effect:g}-{number}", [experiment], "--size", size)
            pairs += [pair for base in captures for pair in compare(card.program, base, new)]
        counts = count(pairs)
        rows.append([f"{100 * effect:g} % more work", len(pairs), share(counts["SLOWER"], len(pairs)),
                     share(counts["FASTER"], len(pairs)), share(counts["SAME"], len(pairs)), share(counts["UNDECIDED"], len(pairs))])
    table(["planted", "comparisons", "SLOWER (found)", "FASTER (false)", "SAME (false)", "UNDECIDED"], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rooflight", required=True)
    parser.add_argument("--out", default="verdicts")
    parser.add_argument("--captures", type=int, default=8)
    parser.add_argument("--planted", type=int, default=2, help="captures of each planted change; 0: none")
    parser.add_argument("--gpu", type=int, default=0)
    parser.add_argument("--compare-only", action="store_true", help="the operands are captures of the same code that are there")
    parser.add_argument("operands", nargs="*", metavar="EXPERIMENT")
    arguments = parser.parse_args()
    if arguments.compare_only:
        return unchanged(arguments.rooflight, arguments.operands) > LIMIT
    experiments = arguments.operands or EXPERIMENTS
    card = Card(arguments)
    captures = [card.collect(f"same-{number}", experiments) for number in range(arguments.captures)]
    rate = unchanged(card.program, captures)
    if arguments.planted:
        planted(card, captures, [name for name in experiments if name in PROPORTIONAL], arguments.planted)
    return rate > LIMIT


if __name__ == "__main__":
    sys.exit(main())
