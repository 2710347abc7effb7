/* self_check.cuh - what the files of the self check share: self_check.cu drives it; the matrix products are in
 * self_check_tensor.cu (mma, through the wmma interface) and self_check_wgmma.cu (Hopper's wgmma).
 */
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "device.cuh"

struct rl_self_check_arguments {
    float *out;
    const float *in;
    uint64_t count;   /* elements of `in` */
    unsigned threads; /* elements of `out` of the small kernels */
    float one, zero;
    unsigned turns;
};

enum { RL_SELF_CHECK_OPERATIONS = 4 }; /* of each thread in each turn: arithmetic, or matrix products */

/* A kernel that multiplies matrices: a block makes one tile of results, C += A x B' again and again. Its part of `in` is A, row by
 * row; column j of B' has its one in row j % depth, so that C is a multiple of A with its columns repeated. Its shared memory is
 * static: where this program holds no code with the instruction for a GPU the kernel is empty and takes none. */
struct rl_self_check_product {
    void (*kernel)(struct rl_self_check_arguments);
    unsigned threads;              /* of a block */
    unsigned rows, columns, depth; /* of C; columns of A */
    unsigned turns_each;           /* times that A x B' is added to C in a turn */
    float (*element)(float);       /* what an element of `in` becomes as one of A */
    const char *needs;             /* what a GPU must have, for those that have not */
};
extern const struct rl_self_check_product rl_self_check_mma_fp16, rl_self_check_mma_bf16, rl_self_check_mma_tf32,
    rl_self_check_mma_int8, rl_self_check_wgmma_fp16, rl_self_check_wgmma_bf16, rl_self_check_wgmma_tf32, rl_self_check_wgmma_fp8,
    rl_self_check_wgmma_int8;

/* Types of elements: how a float between 0 and 1 is stored (`store`), what that is (`load`), and how 0 and 1 are as numbers of the
 * type (`whole`). Whatever is cut off, few enough bits are left that
 * any number of sums up to 1024 is exact. */
struct rl_self_check_half {
    typedef __half Stored;
    static __host__ __device__ __forceinline__ Stored store(float value) { return __float2half(value); }
    static __host__ __device__ __forceinline__ float load(Stored stored) { return __half2float(stored); }
    static __device__ __forceinline__ Stored whole(float value) { return store(value); }
};
struct rl_self_check_bfloat {
    typedef __nv_bfloat16 Stored;
    static __host__ __device__ __forceinline__ Stored store(float value) { return __float2bfloat16(value); }
    static __host__ __device__ __forceinline__ float load(Stored stored) { return __bfloat162float(stored); }
    static __device__ __forceinline__ Stored whole(float value) { return store(value); }
};
/* The tensor cores read the upper 19 bits of a float. */
struct rl_self_check_tf32 {
    typedef float Stored;
    static __host__ __device__ __forceinline__ Stored store(float value)
    {
        uint32_t bits;

        memcpy(&bits, &value, sizeof bits);
        bits &= 0xffffe000u;
        memcpy(&value, &bits, sizeof bits);
        return value;
    }
    static __host__ __device__ __forceinline__ float load(Stored stored) { return stored; }
    static __device__ __forceinline__ Stored whole(float value) { return value; }
};
/* Four bits of an element and eight of 256 sums are fewer than the fourteen that Hopper's tensor cores keep of sums of FP8. */
struct rl_self_check_fp8 {
    typedef __nv_fp8_e4m3 Stored;
    static __host__ __device__ __forceinline__ Stored store(float value) { return Stored(value); }
    static __host__ __device__ __forceinline__ float load(Stored stored) { return float(stored); }
    static __device__ __forceinline__ Stored whole(float value) { return store(value); }
};
struct rl_self_check_int8 {
    typedef signed char Stored;
    static __host__ __device__ __forceinline__ Stored store(float value) { return (signed char)(127.0f * value); }
    static __host__ __device__ __forceinline__ float load(Stored stored) { return stored; }
    static __device__ __forceinline__ Stored whole(float value) { return (signed char)value; }
};

/* Member `element` of a product of such elements. */
template <class E> static float rl_self_check_element(float value)
{
    return E::load(E::store(value));
}
