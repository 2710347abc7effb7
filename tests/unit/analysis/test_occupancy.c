/* The occupancy calculator against known answers, and against the toolkit's own header where it is installed. */
#include <limits.h>

#include "analysis/limits.h"
#include "rl_test.h"

#if __has_include(<cuda_occupancy.h>)
#include <cuda_occupancy.h>
#define WITH_TOOLKIT 1
#else
#define WITH_TOOLKIT 0
#endif

static struct rl_occupancy occupancy(int cc, int threads, int registers, int64_t shared)
{
    const struct rl_block_shape shape = {threads, registers, shared, 0};

    return rl_occupancy_of(rl_sm_limits_of(cc), &shape);
}

static void known_answers(void **state)
{
    static const struct {
        int cc, threads, registers;
        int64_t shared;
        int blocks;
        double fraction;
    } known[] = {
        {80, 256, 8, 0, 8, 1.0},    /* published for A100: 8 registers, 8 blocks, 100 % */
        {80, 256, 10, 0, 8, 1.0},   /* 10 registers */
        {80, 256, 72, 0, 3, 0.375}, /* 72 registers: 2304 a warp, 28 warps, 3 blocks of 8: 37.5 % */
        {80, 32, 8, 0, 32, 0.5},    /* 32 block slots x 1 warp of 64 */
        {75, 32, 8, 0, 16, 0.5},    /* 16 x 1 of 32 */
        {75, 256, 64, 0, 4, 1.0},   /* 2048 a warp, 32 warps */
        {70, 1024, 32, 98304, 1, 0.5},
        {80, 1024, 64, 0, 1, 0.5}, /* 2048 a warp, 32 warps: one block of 32 */
        {80, 128, 32, 163 * 1024, 1, 0.0625},
        {86, 512, 32, 0, 3, 1.0},           /* 48 warps */
        {90, 256, 32, 28 * 1024, 7, 0.875}, /* 29 KiB with the reserve, 228 / 29 = 7 */
        {60, 256, 40, 0, 6, 0.75},          /* 1280 a warp; 32768 / 1280 = 25 in each half, 50 warps, 6 blocks */
        {61, 256, 40, 0, 6, 0.75},          /* 16384 / 1280 = 12 in each quarter, 48 warps, 6 blocks */
        {37, 256, 64, 0, 8, 1.0},           /* twice the registers: 64 warps; 3.5 gets 4 blocks */
        {35, 256, 64, 0, 4, 0.5},
        {120, 64, 32, 0, 24, 1.0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const struct rl_occupancy o = occupancy(known[i].cc, known[i].threads, known[i].registers, known[i].shared);
        assert_true(rl_present(o.fraction));
        assert_int_equal(o.blocks_per_sm, known[i].blocks);
        assert_close(o.fraction.v, known[i].fraction, 1e-15);
        assert_int_equal(o.warps_per_sm, known[i].blocks * ((known[i].threads + 31) / 32));
    }
}

static void does_not_fit(void **state)
{
    static const struct {
        int cc, threads, registers;
        int64_t shared;
        const char *reason;
    } bad[] = {
        {80, 1025, 16, 0, "does not fit: too many threads per block"},
        {80, INT_MAX, 16, 0, "does not fit: too many threads per block"},
        {80, 0, 16, 0, "block size unknown"},
        {80, -5, 16, 0, "block size unknown"},
        {80, 64, 256, 0, "does not fit: too many registers per thread"},
        {30, 64, 64, 0, "does not fit: too many registers per thread"},
        {80, 1024, 65, 0, "does not fit: too many registers per block"},
        {53, 512, 72, 0, "does not fit: too many registers per block"},
        {80, 64, -1, 0, "registers per thread unknown"},
        {80, 64, 16, 163 * 1024 + 1, "does not fit: too much shared memory per block"},
        {61, 64, 16, 48 * 1024 + 1, "does not fit: too much shared memory per block"},
        {80, 64, 16, INT64_MAX, "does not fit: too much shared memory per block"},
        {80, 64, 16, -1, "shared memory unknown"},
        {99, 64, 16, 0, "compute capability unknown"},
        {0, 64, 16, 0, "compute capability unknown"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const struct rl_occupancy o = occupancy(bad[i].cc, bad[i].threads, bad[i].registers, bad[i].shared);
        assert_false(rl_present(o.fraction));
        assert_string_equal(rl_value_reason(o.fraction), bad[i].reason);
        assert_int_equal(o.blocks_per_sm, 0);
        assert_int_equal(o.limiters, 0);
    }
}

static void limiters_in_words(void **state)
{
    static const struct {
        int cc, threads, registers;
        int64_t shared;
        const char *words;
    } known[] = {
        {80, 256, 32, 0, ""}, /* full */
        {80, 256, 72, 0, "registers"},
        {80, 32, 8, 0, "block slots"},
        {80, 64, 16, 40 * 1024, "shared memory"},
        {80, 768, 16, 0, "warp slots"},                          /* 2 x 24 of 64 */
        {80, 512, 64, 81 * 1024, "registers and shared memory"}, /* 2 blocks by both */
        {80, 768, 40, 80 * 1024, "registers, shared memory and warp slots"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const struct rl_occupancy o = occupancy(known[i].cc, known[i].threads, known[i].registers, known[i].shared);
        struct rl_buf words = RL_BUF_INIT;
        rl_occupancy_limiter_text(&o, &words);
        assert_string_equal(words.data, known[i].words);
        rl_buf_release(&words);
    }
}

static void rows_are_sane(void **state)
{
    (void)state;
    for (size_t i = 0; i < rl_sm_limits_count; i++) {
        const struct rl_sm_limits *row = &rl_sm_limits[i];
        assert_true(i == 0 || rl_sm_limits[i - 1].cc < row->cc);
        assert_ptr_equal(rl_sm_limits_of(row->cc), row);
        assert_int_equal(row->registers % (row->warp_allocation_unit * row->register_unit), 0);
        assert_true(row->registers_per_block <= row->registers);
        assert_true(row->max_warps * row->warp_size >= row->max_threads_per_block);
        assert_true(row->shared_bytes_per_block + row->shared_reserved <= row->shared_bytes);
    }
    assert_null(rl_sm_limits_of(0));
    assert_null(rl_sm_limits_of(81));
}

#if WITH_TOOLKIT
static cudaOccDeviceProp device(const struct rl_sm_limits *limits)
{
    return (cudaOccDeviceProp){
        .computeMajor = limits->cc / 10,
        .computeMinor = limits->cc % 10,
        .maxThreadsPerBlock = limits->max_threads_per_block,
        .maxThreadsPerMultiprocessor = limits->max_warps * limits->warp_size,
        .regsPerBlock = limits->registers_per_block,
        .regsPerMultiprocessor = limits->registers,
        .warpSize = limits->warp_size,
        .sharedMemPerBlock = 48 * 1024,
        .sharedMemPerMultiprocessor = (size_t)limits->shared_bytes,
        .numSms = 1,
        .sharedMemPerBlockOptin = (size_t)limits->shared_bytes_per_block,
        .reservedSharedMemPerBlock = (size_t)limits->shared_reserved,
    };
}

static int toolkit_blocks(const cudaOccDeviceProp *properties, int threads, int registers, int64_t fixed, int64_t dynamic)
{
    const cudaOccFuncAttributes attributes = {
        .maxThreadsPerBlock = INT_MAX,
        .numRegs = registers,
        .sharedSizeBytes = (size_t)fixed,
        .partitionedGCConfig = PARTITIONED_GC_OFF,
        .shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN,
        .maxDynamicSharedSizeBytes = (size_t)dynamic,
        .numBlockBarriers = 1,
    };
    const cudaOccDeviceState at_default = {.carveoutConfig = SHAREDMEM_CARVEOUT_DEFAULT};
    cudaOccResult result;
    const cudaOccError error =
        cudaOccMaxActiveBlocksPerMultiprocessor(&result, properties, &attributes, &at_default, threads, (size_t)dynamic);

    assert_int_equal(error, CUDA_OCC_SUCCESS);
    return result.activeBlocksPerMultiprocessor;
}

/* Shared bytes around every step: nothing, a little, the units, the old limit, and the limits of each capability. */
static const int64_t shared_sizes[] = {0,      1,      100,    128,    129,    255,    256,    257,    1023,  1024,  2048,
                                       3000,   4096,   5000,   8192,   12288,  16383,  16384,  20000,  24576, 32768, 40000,
                                       49151,  49152,  49153,  65535,  65536,  65537,  81920,  98304,  98305, 99328, 101376,
                                       101377, 114688, 163840, 166912, 166913, 200000, 232447, 232448, 232449};

static size_t compare_block(const struct rl_sm_limits *limits, const cudaOccDeviceProp *properties, int threads, int registers)
{
    size_t compared = 0;

    for (size_t i = 0; i < sizeof shared_sizes / sizeof shared_sizes[0]; i++) {
        for (int half = 0; half < 2; half++, compared++) {
            const int64_t fixed = half ? shared_sizes[i] / 2 : 0, dynamic = shared_sizes[i] - fixed;
            const struct rl_block_shape shape = {threads, registers, fixed, dynamic};
            const struct rl_occupancy ours = rl_occupancy_of(limits, &shape);
            const int theirs = toolkit_blocks(properties, threads, registers, fixed, dynamic);
            if (ours.blocks_per_sm != theirs)
                fail_msg("cc %d, %d threads, %d registers, %lld + %lld shared: %d blocks, the toolkit says %d", limits->cc, threads,
                         registers, (long long)fixed, (long long)dynamic, ours.blocks_per_sm, theirs);
        }
    }
    return compared;
}

static void agrees_with_toolkit(void **state)
{
    size_t compared = 0;
    (void)state;

    for (size_t i = 0; i < rl_sm_limits_count; i++) {
        const struct rl_sm_limits *limits = &rl_sm_limits[i];
        const cudaOccDeviceProp properties = device(limits);
        /* The header lets 3.0 have 255 registers a thread and 7.0 and later 256; the Programming Guide says 63 and 255. */
        for (int registers = 0; registers <= limits->max_registers_per_thread; registers += registers < 32 ? 4 : 3)
            for (int threads = 1; threads <= 1056; threads += threads < 33 ? 16 : 31)
                compared += compare_block(limits, &properties, threads, registers);
        for (int threads = 32; threads <= 1024; threads += 32)
            compared += compare_block(limits, &properties, threads, limits->max_registers_per_thread);
    }
    assert_true(compared > 1000000);
}

/* Block slots come from the header itself, not from the properties we fill in. */
static void block_slots_agree_with_toolkit(void **state)
{
    (void)state;
    for (size_t i = 0; i < rl_sm_limits_count; i++) {
        const cudaOccDeviceProp properties = device(&rl_sm_limits[i]);
        int slots = 0;
        assert_int_equal(cudaOccMaxBlocksPerMultiprocessor(&slots, &properties), CUDA_OCC_SUCCESS);
        assert_int_equal(slots, rl_sm_limits[i].max_blocks);
    }
}
#else
static void agrees_with_toolkit(void **state)
{
    (void)state;
    print_message("cuda_occupancy.h is not installed: not compared with the toolkit\n");
    skip();
}

static void block_slots_agree_with_toolkit(void **state)
{
    agrees_with_toolkit(state);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers), cmocka_unit_test(does_not_fit),        cmocka_unit_test(limiters_in_words),
        cmocka_unit_test(rows_are_sane), cmocka_unit_test(agrees_with_toolkit), cmocka_unit_test(block_slots_agree_with_toolkit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
