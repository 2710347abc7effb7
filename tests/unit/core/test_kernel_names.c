/* Kernels that wait for others, and those of libraries, by name. */
#include "rl_test.h"

#include <stdbool.h>
#include <string.h>

#include "core/kernel_names.h"
#include "core/mem.h"

static void names_begin_as_collectives(void **state)
{
    static const struct {
        const char *name;
        bool peers, host;
    } rows[] = {
        {"ncclDevKernel_AllReduce_Sum_f32", true, false},
        {"void nvshmem_barrier<4>(int)", true, false},
        {"_Z20ncclDevKernel_SendRecv4args", true, false},
        {"_ZN13ncclDevKernelE", true, false},
        {"_ZNK10ncclKernelE", true, false},
        {"_ZN4ncclE", false, false},
        {"my_ncclDevKernel", false, false},
        {"void void ncclKernel", false, false},
        {"voidXncclKernel", false, false},
        {"ncclDevKerne", false, false},
        {"_Z", false, false},
        {"", false, false},
        {"DelayKernel", false, true},
        {"_ZN3xla11DelayKernelEv", false, true},
        {"delaykernel", false, false},
    };
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        if (rl_is_collective_name(rows[i].name) != rows[i].peers || rl_is_host_wait_name(rows[i].name) != rows[i].host)
            fail_msg("'%s'", rows[i].name);
}

static void libraries_are_known_by_name(void **state)
{
    static const struct {
        const char *name, *library;
    } rows[] = {
        {"ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "NCCL"},
        {"void nvshmemi_barrier<4>(int)", "NVSHMEM"},
        {"cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16", "cuDNN"},
        {"void cutlass__5x_cudnn::Kernel<cutlass_tensorop_f16_s16816fprop_optimized>(Params)", "cuDNN"},
        {"nvjet_sm90_hsh_128x128_64x6_2x1_v_bz_relubias_TNT", "cuBLAS"},
        {"void cublasLt::splitKreduce_kernel<32, 16>(int)", "cuBLAS"},
        {"sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize128x128x8_execute_kernel__5x_cublas", "cuBLAS"},
        {"sm90_xmma_fprop_implicit_gemm_bf16bf16_bf16f32_f32_nhwckrsc_nhwc", "cuBLAS or cuDNN"},
        {"void cutlass::Kernel2<cutlass_80_simt_sgemm_256x128_8x4_nt_align1>(Params)", "CUTLASS"},
        {"void cub::CUB_300102_SM_900::detail::reduce::DeviceReduceKernel<int>(int)", "CUB"},
        {"cubic(float*)", NULL},
        {"void mine<cub::KeyValuePair<int, float> >(int)", NULL},
        {"void at::native::vectorized_elementwise_kernel<4>(int)", NULL},
        {"matmul_kernel", NULL},
        {"", NULL},
    };
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        const char *library = rl_library_of_name(rows[i].name);
        if (!library != !rows[i].library || (library && strcmp(library, rows[i].library) != 0))
            fail_msg("'%s': %s", rows[i].name, library ? library : "none");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_begin_as_collectives),
        cmocka_unit_test(libraries_are_known_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
