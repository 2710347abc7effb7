"""Triton's Proton, with the mode that the first argument names: what its profile has, twice."""
import json
import sys
import tempfile

import torch
import triton.profiler as proton


def sum_up(node, totals):
    for name, value in node.get("metrics", {}).items():
        if name in ("count", "time (ns)", "num_samples"):
            totals[name] = totals.get(name, 0) + value
    for child in node.get("children", []):
        sum_up(child, totals)


def main():
    mode = sys.argv[1] if len(sys.argv) > 1 else ""
    x = torch.randn(1024, 1024, device="cuda")
    for _ in range(20):
        x @ x
    torch.cuda.synchronize()
    for cycle in range(2):
        with tempfile.TemporaryDirectory() as folder:
            session = proton.start(f"{folder}/profile", backend="cupti", mode=mode or None)
            for _ in range(200):
                (x @ x).relu_()
            torch.cuda.synchronize()
            proton.finalize(session)
            totals = {}
            for root in json.load(open(f"{folder}/profile.hatchet")):
                sum_up(root, totals)
        print(f"cycle {cycle}: " + (f"{totals.get('count', 0):.0f} launches" if not mode else "samples: " + ("yes" if totals.get("num_samples", 0) > 10 else "none")))
        if "time (ns)" in totals:
            print(f"cycle {cycle}: time of kernels {totals['time (ns)'] / 1e6:.3f} ms")
        for _ in range(50):
            x @ x
        torch.cuda.synchronize()


main()
