"""torch.profiler around a small model, three times: what each trace has. `cold`: it begins before CUDA does."""
import collections
import json
import sys
import tempfile

import torch
from torch.profiler import ProfilerActivity, profile, schedule


def tell(what, profiler):
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        profiler.export_chrome_trace(file.name)
        trace = json.load(open(file.name))
    events = [e for e in trace["traceEvents"] if e.get("ph") == "X" and "cat" in e]
    counts = collections.Counter(e["cat"] for e in events)
    called = {e["args"]["correlation"]: e["ts"] for e in events if e["cat"] in ("cuda_runtime", "cuda_driver") and "correlation" in e.get("args", {})}
    kernels = [e for e in events if e["cat"] == "kernel"]
    lags = [e["ts"] - called[e["args"]["correlation"]] for e in kernels if e["args"].get("correlation") in called]
    print(f"{what}: " + ", ".join(f"{name} {counts[name]}" for name in sorted(counts) if name in (
        "kernel", "gpu_memcpy", "gpu_memset", "cuda_runtime", "cuda_driver", "cpu_op")))
    if kernels:
        print(f"{what}: time of kernels {sum(e['dur'] for e in kernels) / 1e3:.3f} ms, from call to kernel {min(lags):.1f} to {max(lags):.1f} us, {len(lags)} calls")


def main():
    def step():
        loss = model(data).square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()

    if sys.argv[1:] == ["cold"]:
        with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as profiler:
            torch.ones(1 << 20, device="cuda").add(1).sum().item()
        tell("cold", profiler)
    torch.manual_seed(1)
    model = torch.nn.Sequential(*[torch.nn.Linear(512, 512) for _ in range(8)]).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    data = torch.randn(256, 512, device="cuda")
    for _ in range(20):
        step()
    torch.cuda.synchronize()
    for cycle in range(3):
        with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA], schedule=schedule(wait=1, warmup=1, active=3), with_stack=True,
                     on_trace_ready=lambda p: tell(f"cycle {cycle}", p)) as profiler:
            for _ in range(6):
                step()
                profiler.step()
        for _ in range(20):
            step()
        torch.cuda.synchronize()


main()
