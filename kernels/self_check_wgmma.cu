/* self_check_wgmma.cu - matrix products with reference values for their operations, by the instruction of four warps (wgmma.cuh),
 * which code for sm_90a alone has: this file is also compiled for the other targets, for which the kernels are empty. See
 * self_check.cuh. */
#include "self_check.cuh"
#include "wgmma.cuh"

/* T: the instruction's type, E: that of elements. */
template <class T, class E> static __device__ __forceinline__ void multiply(const struct rl_self_check_arguments &a)
{
    __shared__ char room[RL_WGMMA_BYTES + RL_WGMMA_EIGHT_ROWS]; /* to align the operands to eight rows */
    char *operands = room + (-(unsigned)__cvta_generic_to_shared(room) & (RL_WGMMA_EIGHT_ROWS - 1));
    const float *in = a.in + (uint64_t)blockIdx.x * RL_WGMMA_A_ROWS * T::KS;
    float *out = a.out + (uint64_t)blockIdx.x * RL_WGMMA_A_ROWS * RL_WGMMA_B_ROWS;
    typename T::Out d[RL_WGMMA_RESULTS] = {};
    for (int i = (int)threadIdx.x; i < (RL_WGMMA_A_ROWS + RL_WGMMA_B_ROWS) * T::KS; i += RL_WGMMA_GROUP) {
        const int row = i / T::KS, k = i % T::KS, at = k * (int)sizeof(typename E::Stored);
        *(typename E::Stored *)(operands + rl_wgmma_place(row, at / RL_WGMMA_PIECE) + at % RL_WGMMA_PIECE) =
            row < RL_WGMMA_A_ROWS ? E::store(in[i]) : E::whole((row - RL_WGMMA_A_ROWS) % T::KS == k ? a.one : a.zero);
    }
    rl_wgmma_publish();
    const uint64_t x = rl_wgmma_describe(operands), y = rl_wgmma_describe(operands + RL_WGMMA_A_ROWS * RL_WGMMA_ROW);
#pragma unroll 1
    for (unsigned left = a.turns; left > 0; left--)
        rl_wgmma_round<T>(d, x, y);
    T::wait(d);
#pragma unroll
    for (int r = 0; r < RL_WGMMA_RESULTS; r++)
        out[rl_wgmma_row((int)threadIdx.x, r) * RL_WGMMA_B_ROWS + rl_wgmma_column((int)threadIdx.x, r)] = (float)d[r];
}

#ifdef __CUDA_ARCH_FEAT_SM90_ALL
#define MULTIPLY(type, element) multiply<rl_wgmma_##type, element>(a)
#else
#define MULTIPLY(type, element)
#endif
#define PRODUCT(id, type, element)                                                                                                 \
    static_assert((int)sizeof(element::Stored) * rl_wgmma_##type::KS == RL_WGMMA_ROW, "a row is a whole number of elements");      \
    __global__ void __launch_bounds__(RL_WGMMA_GROUP) wgmma_##id##_kernel(struct rl_self_check_arguments a)                        \
    {                                                                                                                              \
        MULTIPLY(type, element);                                                                                                   \
    }                                                                                                                              \
    const struct rl_self_check_product rl_self_check_wgmma_##id = {wgmma_##id##_kernel,                                            \
                                                                   RL_WGMMA_GROUP,                                                 \
                                                                   RL_WGMMA_A_ROWS,                                                \
                                                                   RL_WGMMA_B_ROWS,                                                \
                                                                   rl_wgmma_##type::KS,                                            \
                                                                   1,                                                              \
                                                                   rl_self_check_element<element>,                                 \
                                                                   "wgmma, which compute capability 9.0 alone has"}

PRODUCT(fp16, f16, rl_self_check_half);
PRODUCT(bf16, bf16, rl_self_check_bfloat);
PRODUCT(tf32, tf32, rl_self_check_tf32);
PRODUCT(fp8, e4m3, rl_self_check_fp8);
PRODUCT(int8, s8, rl_self_check_int8);
