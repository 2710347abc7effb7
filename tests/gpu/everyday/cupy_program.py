"""Conjugate gradients on a five-point stencil in CuPy, with an elementwise and a raw kernel. Prints the residual."""
import cupy as cp

stencil = cp.RawKernel(r"""
extern "C" __global__ void stencil(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
    if (i >= n)
        return;
    long at = (long)j * n + i;
    double value = 4.2 * x[at];
    if (i > 0) value -= x[at - 1];
    if (i < n - 1) value -= x[at + 1];
    if (j > 0) value -= x[at - n];
    if (j < n - 1) value -= x[at + n];
    y[at] = value;
}""", "stencil")
axpy = cp.ElementwiseKernel("float64 a, float64 x", "float64 y", "y += a * x", "axpy")


def main():
    n = 1024
    b = cp.sin(cp.arange(n * n, dtype=cp.float64)).reshape(n, n)
    x, r, p, q = cp.zeros_like(b), b.copy(), b.copy(), cp.empty_like(b)
    norm = float((r * r).sum())
    for step in range(100):
        stencil(((n + 255) // 256, n), (256,), (p, q, n))
        alpha = norm / float((p * q).sum())
        axpy(alpha, p, x)
        axpy(-alpha, q, r)
        before, norm = norm, float((r * r).sum())
        p = r + (norm / before) * p
    print(f"{norm:.3e}"[:4], f"{float(x.sum()):.6f}")


if __name__ == "__main__":
    main()
