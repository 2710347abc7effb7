"""Two Triton kernels, each launched 200 times and then checked, as a kernel's author does. Prints whether they are right."""
import torch
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(out, x, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    value = tl.load(x + row * stride + offsets, mask=mask, other=-float("inf"))
    value = tl.exp(value - tl.max(value, axis=0))
    tl.store(out + row * stride + offsets, value / tl.sum(value, axis=0), mask=mask)


@triton.jit
def matmul_kernel(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, k, BK):
        left = tl.load(a + rows[:, None] * k + (start + inner)[None, :])
        right = tl.load(b + (start + inner)[:, None] * n + columns[None, :])
        total += tl.dot(left, right)
    tl.store(c + rows[:, None] * n + columns[None, :], total.to(tl.float16))


def main():
    torch.manual_seed(0)
    x = torch.randn(8192, 1000, device="cuda")
    out = torch.empty_like(x)
    a, b = (torch.randn(2048, 2048, device="cuda", dtype=torch.float16) for _ in range(2))
    c = torch.empty_like(a)
    for _ in range(200):
        softmax_kernel[(x.shape[0],)](out, x, x.stride(0), x.shape[1], BLOCK=1024)
    for _ in range(200):
        matmul_kernel[(16, 16)](a, b, c, 2048, 2048, 2048, BM=128, BN=128, BK=32)
    print("softmax", torch.allclose(out, torch.softmax(x, 1), atol=1e-5))
    print("matmul", torch.allclose(c, a @ b, atol=1e-1, rtol=1e-2))
    print("rows", f"{float(out.sum()):.1f}")


if __name__ == "__main__":
    main()
