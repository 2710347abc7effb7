/* matmul.cuh - what the files of the experiment `matmul` share: matmul.cu (the experiment, and products in float32),
 * matmul_tensor.cu and matmul_wgmma.cu (products on the tensor cores).
 */
#pragma once

#include <cuda.h>
#include <cuda_bf16.h>

#include "cublas.cuh"
#include "device.cuh"

/* Operands have zeros around them up to a multiple of so many rows and columns, so that no kernel looks for their edges when it
 * reads. It is a multiple of every tile. */
#define RL_MATMUL_PAD 256

/* The tensor memory accelerator is used by its PTX in C++, of which CUDA 12.4 and 12.5 have only a part (mbarrier_init came with
 * CCCL 2.5, that of 12.6): without it products on the tensor cores are by mma.sync. */
#if CUDART_VERSION >= 12060 && defined(__has_include)
#if __has_include(<cuda/ptx>)
#define RL_MATMUL_WGMMA 1
#endif
#endif

/* C = A x B, square. */
struct rl_matmul {
    unsigned n;     /* rows and columns */
    unsigned pitch; /* rows and columns of an operand with its zeros */
    void *a, *b;    /* float, both by rows; or __nv_bfloat16, A by rows and B by columns: elements along the sum side by side */
    float *c;       /* by rows, n x n, no padding */
#ifdef RL_MATMUL_WGMMA
    CUtensorMap a_map, b_map; /* of the tensor memory accelerator; set by rl_matmul_wgmma_prepare */
#endif
    bool wgmma; /* the tensor cores are used by wgmma */
    struct rl_cublas *library;
};

static inline struct rl_matmul *rl_matmul_of(const struct rl_suite_run *run)
{
    return static_cast<struct rl_matmul *>(run->state);
}

/* Stores two neighbouring results. `column` is even. */
__device__ __forceinline__ void rl_matmul_store(float *c, unsigned n, unsigned row, unsigned column, float x, float y)
{
    float *at = c + (size_t)row * n + column;

    if (row >= n || column >= n)
        return;
    if (n % 2 == 0) {
        *reinterpret_cast<float2 *>(at) = make_float2(x, y);
    } else {
        at[0] = x;
        if (column + 1 < n)
            at[1] = y;
    }
}

/* On the tensor cores: by wgmma where the GPU and the build have it, else by mma.sync. */
enum rl_status rl_matmul_tensor_prepare(struct rl_suite_run *run, struct rl_err *err);
enum rl_status rl_matmul_tensor_launch(struct rl_suite_run *run, struct rl_err *err);

/* Whether this program holds wgmma code for the current device. */
enum rl_status rl_matmul_wgmma_usable(bool *usable, struct rl_err *err);
enum rl_status rl_matmul_wgmma_prepare(struct rl_suite_run *run, struct rl_err *err);
enum rl_status rl_matmul_wgmma_launch(struct rl_suite_run *run, struct rl_err *err);
