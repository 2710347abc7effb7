/* self_check_tensor.cu - matrix products with reference values for their operations, by the instruction of a warp (mma). See
 * self_check.cuh. */
#include <mma.h>

#include "self_check.cuh"

enum { TILE = 16, WARP = 32 };

/* Part: the type by which a fragment is named, Sum that of results; DEPTH columns of A. */
template <class E, class Part, class Sum, int DEPTH>
static __device__ __forceinline__ void multiply(const struct rl_self_check_arguments &a)
{
    using namespace nvcuda::wmma;
    __shared__ typename E::Stored left[TILE * DEPTH], right[DEPTH * TILE];
    __shared__ Sum result[TILE * TILE];
    fragment<matrix_a, TILE, TILE, DEPTH, Part, row_major> x;
    fragment<matrix_b, TILE, TILE, DEPTH, Part, row_major> y;
    fragment<accumulator, TILE, TILE, DEPTH, Sum> sum;
    for (unsigned i = threadIdx.x; i < TILE * DEPTH; i += WARP) {
        left[i] = E::store(a.in[(uint64_t)blockIdx.x * TILE * DEPTH + i]);
        right[i] = E::whole(i % TILE % DEPTH == i / TILE ? a.one : a.zero);
    }
    __syncwarp();
    load_matrix_sync(x, left, DEPTH);
    load_matrix_sync(y, right, TILE);
    fill_fragment(sum, (Sum)a.zero);
#pragma unroll 1
    for (unsigned turn = a.turns; turn > 0; turn--) {
#pragma unroll
        for (int k = 0; k < RL_SELF_CHECK_OPERATIONS; k++)
            mma_sync(sum, x, y, sum);
    }
    store_matrix_sync(result, sum, TILE, mem_row_major);
    __syncwarp();
    for (unsigned i = threadIdx.x; i < TILE * TILE; i += WARP)
        a.out[(uint64_t)blockIdx.x * TILE * TILE + i] = (float)result[i];
}

__global__ void __launch_bounds__(WARP) fp16_product_kernel(struct rl_self_check_arguments a)
{
#if __CUDA_ARCH__ >= 700
    multiply<rl_self_check_half, __half, float, 16>(a);
#endif
}

__global__ void __launch_bounds__(WARP) bf16_product_kernel(struct rl_self_check_arguments a)
{
#if __CUDA_ARCH__ >= 800
    multiply<rl_self_check_bfloat, __nv_bfloat16, float, 16>(a);
#endif
}

__global__ void __launch_bounds__(WARP) tf32_product_kernel(struct rl_self_check_arguments a)
{
#if __CUDA_ARCH__ >= 800
    multiply<rl_self_check_tf32, nvcuda::wmma::precision::tf32, float, 8>(a);
#endif
}

__global__ void __launch_bounds__(WARP) int8_product_kernel(struct rl_self_check_arguments a)
{
#if __CUDA_ARCH__ >= 750
    multiply<rl_self_check_int8, signed char, int, 16>(a);
#endif
}

#define PRODUCT(kernel, depth, element)                                                                                            \
    {                                                                                                                              \
        kernel, WARP, TILE, TILE, depth, RL_SELF_CHECK_OPERATIONS, rl_self_check_element<element>, "tensor cores"                  \
    }

const struct rl_self_check_product rl_self_check_mma_fp16 = PRODUCT(fp16_product_kernel, 16, rl_self_check_half),
                                   rl_self_check_mma_bf16 = PRODUCT(bf16_product_kernel, 16, rl_self_check_bfloat),
                                   rl_self_check_mma_tf32 = PRODUCT(tf32_product_kernel, 8, rl_self_check_tf32),
                                   rl_self_check_mma_int8 = PRODUCT(int8_product_kernel, 16, rl_self_check_int8);
