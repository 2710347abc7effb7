"""Inference of a small transformer: a program of many launches and few kernel classes, to be observed. Prints its wall time as JSON.

usage: transformer.py [LAUNCHES [profile]]     with `profile`, under PyTorch's own profiler: prints how many kernels that saw, too"""
import contextlib
import json
import sys
import time

import torch

LAUNCHES = int(sys.argv[1]) if len(sys.argv) > 1 else 20000
PROFILE = sys.argv[2:] == ["profile"]


def main():
    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(d_model=512, nhead=8, dim_feedforward=2048, batch_first=True, dropout=0.0)
    model = torch.nn.TransformerEncoder(layer, num_layers=6, enable_nested_tensor=False).cuda().half().eval()
    x = torch.randn(8, 128, 512, device="cuda", dtype=torch.half)
    profiler = torch.profiler.profile() if PROFILE else contextlib.nullcontext()
    with torch.inference_mode():
        for _ in range(3):
            model(x)
        torch.cuda.synchronize()
        begin, steps = time.monotonic(), LAUNCHES // 54  # about 54 launches a step
        with profiler:
            for _ in range(steps):
                torch.cuda.nvtx.range_push("step")
                model(x)
                torch.cuda.nvtx.range_pop()
            torch.cuda.synchronize()
    said = {"wall_s": time.monotonic() - begin, "steps": steps}
    if PROFILE:
        said["profiled"] = sum(event.device_type == torch.autograd.DeviceType.CUDA for event in profiler.events())
    print(json.dumps(said))


if __name__ == "__main__":
    main()
