"""Training of two linear layers on every GPU of a host under DistributedDataParallel, to be observed.

usage: torchrun --nproc_per_node GPUS ddp.py"""
import os

import torch

STEPS = 150


def main():
    torch.distributed.init_process_group("nccl")
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)
    torch.manual_seed(0)
    layers = torch.nn.Sequential(torch.nn.Linear(2048, 4096), torch.nn.GELU(), torch.nn.Linear(4096, 2048)).cuda()
    model = torch.nn.parallel.DistributedDataParallel(layers, device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    x = torch.randn(1024, 2048, device="cuda")
    for _ in range(STEPS):
        torch.cuda.nvtx.range_push("step")
        loss = model(x).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch.cuda.nvtx.range_pop()
    torch.cuda.synchronize()
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main()
