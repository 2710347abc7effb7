/* cublas.cuh - the matrix product of NVIDIA's library, as a yardstick. cuBLAS is opened at run time: a program that has no use for
 * it, or a machine without it, does not need it.
 */
#pragma once

#include <cuda_bf16.h>

#include "device.cuh"

struct rl_cublas;

/* Opens the library (once for the process) and makes a handle that works on run->stream. RL_UNSUPPORTED: it is not installed, or
 * cannot be used. `*library` is the caller's; NULL on failure. */
enum rl_status rl_cublas_open(const struct rl_suite_run *run, struct rl_cublas **library, struct rl_err *err);
/* Enqueues C = A x B with n rows and columns and float32 sums. C is stored by rows without gaps; A by rows and B by columns, each
 * `pitch` elements after the one before: both have their elements along the sum side by side. */
enum rl_status rl_cublas_product(struct rl_cublas *library, unsigned n, unsigned pitch, const __nv_bfloat16 *a,
                                 const __nv_bfloat16 *b, float *c, struct rl_err *err);
/* NULL is allowed. */
void rl_cublas_close(struct rl_cublas *library);
