/* Where launches lie under the roofs, on figures that can be followed by hand: DRAM 32 GB/s, FP64 40 GFLOP/s, FP32 2.56 TFLOP/s,
 * FP16 5.12 TFLOP/s at the clocks of sample.h; a launch takes 2 us. */
#include "analysis/analysis.h"
#include "sample.h"

static const char *const flop_counters[] = {
    "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_hadd_pred_on.sum", "smsp__sass_thread_inst_executed_op_hmul_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum",
};

/* A launch with this work and nothing else. */
static struct rl_capture *launch(double dram_bytes, double fp64, double fp32, double fp16)
{
    struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
    const size_t kernel = sample_full_kernel(capture, "k");

    for (size_t i = 0; i < sizeof flop_counters / sizeof flop_counters[0]; i++)
        sample_set(capture, kernel, flop_counters[i], rl_value_of(0));
    sample_set(capture, kernel, "dram__bytes_read.sum", rl_value_of(dram_bytes));
    sample_set(capture, kernel, "dram__bytes_write.sum", rl_value_of(0));
    sample_set(capture, kernel, "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", rl_value_of(fp64));
    sample_set(capture, kernel, "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", rl_value_of(fp32));
    sample_set(capture, kernel, "smsp__sass_thread_inst_executed_op_hadd_pred_on.sum", rl_value_of(fp16 / 2));
    return capture;
}

static void sides_of_the_ridge(void **state)
{
    static const struct {
        double bytes, fp64, fp32, fp16;
        enum rl_bound bound;
        double share;
    } known[] = {
        {64000, 0, 0, 0, RL_BOUND_MEMORY, 1},   /* no FLOPs: bytes alone, 64000 / 32e9 = 2 us */
        {38400, 0, 0, 0, RL_BOUND_MEMORY, 0.6}, /* exactly 60 % */
        {38399, 0, 0, 0, RL_BOUND_LATENCY, 38399.0 / 64000},
        {32000, 0, 4.096e6, 0, RL_BOUND_COMPUTE, 0.8},    /* 1 us of bytes, 1.6 us of FP32 */
        {51200, 0, 2.56e6, 0, RL_BOUND_MEMORY, 0.8},      /* 1.6 us, 1 us */
        {6400, 72000, 0, 0, RL_BOUND_COMPUTE, 0.9},       /* 1.8 us at the FP64 roof; 1 % of the FP32 roof */
        {6400, 32000, 2.048e6, 0, RL_BOUND_COMPUTE, 0.8}, /* 0.8 us of FP64 and 0.8 us of FP32: neither alone is 60 % */
        {6400, 16000, 1.024e6, 2.048e6, RL_BOUND_COMPUTE, 0.6},
        {6400, 0, 1.28e5, 0, RL_BOUND_LATENCY, 0.1}, /* 0.2 us of bytes, 0.05 us of FP32 */
        {0, 0, 0, 0, RL_BOUND_LATENCY, 0},
    };
    (void)state;

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        struct rl_capture *capture = launch(known[i].bytes, known[i].fp64, known[i].fp32, known[i].fp16);
        struct rl_analysis *analysis = rl_analysis_new(capture);
        const struct rl_kernel_result *result = &analysis->kernels[0];
        assert_true(rl_present(result->roof_share));
        assert_close(result->roof_share.v, known[i].share, 1e-9);
        assert_close(result->roof_time_s.v, known[i].share * 2e-6, 1e-9);
        assert_int_equal(result->bound, known[i].bound);
        assert_null(result->above_roof);
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
}

static void assert_unknown(struct rl_capture *capture, const char *reason)
{
    struct rl_analysis *analysis = rl_analysis_new(capture);

    assert_int_equal(analysis->kernels[0].bound, RL_BOUND_UNKNOWN);
    assert_false(rl_present(analysis->kernels[0].roof_share));
    assert_string_equal(analysis->kernels[0].roof_share.reason, reason);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

static void unknown_bounds_say_why(void **state)
{
    struct rl_capture *capture = launch(64000, 0, 0, 0);
    (void)state;

    sample_set(capture, 0, "sm__inst_executed_pipe_tensor.sum", rl_value_of(10));
    assert_unknown(capture, "tensor operations not collected");
    capture = launch(64000, 0, 0, 0);
    sample_set(capture, 0, "dram__bytes_read.sum", rl_value_missing(RL_NOT_PERMITTED, NULL));
    assert_unknown(capture, "counters not permitted");
    capture = launch(64000, 0, 0, 0);
    sample_set(capture, 0, "dram__bytes.sum.peak_sustained", rl_value_missing(RL_VALUE_FAILED, NULL));
    assert_unknown(capture, "collection failed");
    capture = launch(64000, 10, 0, 0);
    sample_set(capture, 0, "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum.peak_sustained",
               rl_value_missing(RL_DISAGREES, NULL));
    assert_unknown(capture, "passes disagree");
    capture = launch(64000, 0, 0, 0);
    capture->kernels[0].duration_count = 0;
    assert_unknown(capture, "not timed");
    /* A roof that nothing needs may be missing. */
    capture = launch(64000, 0, 10, 0);
    sample_set(capture, 0, "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum.peak_sustained",
               rl_value_missing(RL_DISAGREES, NULL));
    struct rl_analysis *analysis = rl_analysis_new(capture);
    assert_int_equal(analysis->kernels[0].bound, RL_BOUND_MEMORY);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* ---- measured ceilings ---- */

static void add_run(struct rl_capture *capture, const char *id, enum rl_unit unit, double first, double step)
{
    struct rl_ceiling_run *run = rl_capture_add_ceiling(capture);

    run->gpu = 0;
    run->id = rl_capture_text(capture, id);
    run->unit = unit;
    run->configuration = rl_capture_text(capture, "of the test");
    run->samples = rl_arena_alloc(&capture->arena, 9 * sizeof *run->samples);
    run->sample_count = 9;
    for (size_t i = 0; i < 9; i++)
        run->samples[i] = first + (double)i * step;
}

static void the_best_measured_configuration_is_the_roof(void **state)
{
    struct rl_capture *capture = launch(38399, 0, 0, 0);
    struct rl_analysis *analysis;
    (void)state;

    add_run(capture, "dram_read", RL_UNIT_BYTE_PER_SECOND, 2.0e10, 1e8);
    add_run(capture, "dram_read", RL_UNIT_BYTE_PER_SECOND, 2.8e10, 1e8); /* median 2.84e10 */
    add_run(capture, "dram_read", RL_UNIT_HERTZ, 9e10, 0);               /* another unit: not this roof */
    add_run(capture, "dram_read", RL_UNIT_BYTE_PER_SECOND, NAN, 0);
    add_run(capture, "unheard_of", RL_UNIT_BYTE_PER_SECOND, 9e10, 0);
    analysis = rl_analysis_new(capture);
    const struct rl_ceiling *dram = &analysis->gpus[0].ceiling[RL_CEILING_dram];
    assert_int_equal(dram->measured.n, 9);
    assert_close(dram->measured.median, 2.84e10, 1e-12);
    assert_close(rl_ceiling_figure(dram).v, 2.84e10, 1e-12);
    assert_close(dram->theoretical.v, 3.2e10, 1e-12);
    assert_close(rl_ceiling_figure(&analysis->gpus[0].ceiling[RL_CEILING_fp32]).v, 2.56e12, 1e-12);
    /* Just under 60 % of theory, but 67.6 % of what the card can do. */
    assert_int_equal(analysis->kernels[0].bound, RL_BOUND_MEMORY);
    assert_close(analysis->kernels[0].roof_share.v, 38399 / 2.84e10 / 2e-6, 1e-12);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

static void ceilings_are_summarised_over_kernels(void **state)
{
    struct rl_capture *capture = sample_new("TU104", 75);
    struct rl_analysis *analysis;
    (void)state;

    for (int i = 0; i < 3; i++) {
        const size_t kernel = sample_full_kernel(capture, "k");
        sample_set(capture, kernel, "sm__cycles_elapsed.avg.per_second", rl_value_of(1e9 + i * 1e7));
        sample_set(capture, kernel, "dram__cycles_elapsed.avg.per_second", rl_value_missing(RL_NOT_COLLECTED, NULL));
    }
    capture->gpus[0].fact[RL_FACT_memory_clock_max_hz] = rl_value_of(5.001e9);
    capture->gpus[0].fact[RL_FACT_memory_bus_bits] = rl_value_of(256);
    analysis = rl_analysis_new(capture);
    const struct rl_ceiling *ceiling = analysis->gpus[0].ceiling;
    assert_close(ceiling[RL_CEILING_fp32].theoretical.v, 2 * 1280 * 1.01e9, 1e-12);
    assert_close(ceiling[RL_CEILING_fp32].theoretical_low.v, 2 * 1280 * 1e9, 1e-12);
    assert_close(ceiling[RL_CEILING_fp32].theoretical_high.v, 2 * 1280 * 1.02e9, 1e-12);
    /* No DRAM clock in the pass: T4's data sheet says 320 GB/s. */
    assert_close(ceiling[RL_CEILING_dram].theoretical.v, 320.064e9, 1e-12);
    assert_int_equal(analysis->gpus[0].sm_clock.n, 3);
    assert_close(analysis->gpus[0].sm_clock.median, 1.01e9, 1e-12);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

static void a_chip_without_tensor_cores_has_no_tensor_roof(void **state)
{
    struct rl_capture *capture = sample_new("TU117", 75);
    struct rl_analysis *analysis;
    (void)state;

    sample_full_kernel(capture, "k");
    analysis = rl_analysis_new(capture);
    assert_int_equal(analysis->gpus[0].ceiling[RL_CEILING_tensor_fp16].theoretical.state, RL_NOT_ON_CHIP);
    assert_string_equal(analysis->gpus[0].ceiling[RL_CEILING_tensor_fp16].theoretical_low.reason, "not on this chip");
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* ---- above a roof ---- */

static void assert_above(struct rl_capture *capture, double ratio, const char *ceiling, const char *cause)
{
    struct rl_analysis *analysis = rl_analysis_new(capture);
    const struct rl_kernel_result *result = &analysis->kernels[0];

    assert_non_null(result->above_roof);
    assert_close(result->above_roof_ratio, ratio, 1e-9);
    if (strncmp(result->above_roof, ceiling, strlen(ceiling)) != 0 || !strstr(result->above_roof, cause))
        fail_msg("'%s' should name '%s' and '%s'", result->above_roof, ceiling, cause);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

static void points_above_a_roof_are_explained(void **state)
{
    struct rl_capture *capture;
    (void)state;

    capture = launch(60800, 0, 0, 0); /* 30.4 GB/s: above the measured 28.4, below 32 */
    add_run(capture, "dram_read", RL_UNIT_BYTE_PER_SECOND, 2.84e10, 0);
    assert_above(capture, 30.4 / 28.4, "DRAM ceiling", "the micro-benchmark");
    capture = launch(96000, 0, 0, 0);
    struct rl_gpu_moment *moment = rl_capture_add_moment(capture, 0);
    moment->moment = rl_capture_text(capture, "during");
    moment->reading[RL_READING_process_count] = rl_value_of(2);
    assert_above(capture, 1.5, "DRAM ceiling", "other processes");
    capture = launch(96000, 0, 0, 0);
    capture->gpus[0].fact[RL_FACT_l2_bytes] = rl_value_of(96000);
    assert_above(capture, 1.5, "DRAM ceiling", "fit in L2");
    capture = launch(96000, 0, 0, 0);
    capture->gpus[0].fact[RL_FACT_l2_bytes] = rl_value_of(95999);
    assert_above(capture, 1.5, "DRAM ceiling", "no cause is known");
    capture = launch(6400, 40000, 3.072e6, 0); /* 1 us + 1.2 us in 2 us */
    assert_above(capture, 1.1, "arithmetic ceiling", "side by side");
    capture = launch(6400, 0, 0, 1.1264e7); /* 2.2 us at the FP16 roof */
    sample_set(capture, 0, "smsp__sass_thread_inst_executed_pred_on.sum", rl_value_of(1e7));
    assert_above(capture, 1.1, "arithmetic ceiling", "packed pairs");
    capture = launch(6400, 0, 5.632e6, 0);
    assert_above(capture, 1.1, "arithmetic ceiling", "no cause is known");
    capture = launch(6400, 0, 0, 0);
    sample_set(capture, 0, "l1tex__t_bytes.sum", rl_value_of(2.816e6)); /* 1.408 TB/s of 1.28 */
    assert_above(capture, 1.1, "L1 ceiling", "whole sectors");
    capture = launch(6400, 0, 0, 0);
    sample_set(capture, 0, "l1tex__t_bytes.sum", rl_value_of(2.816e6));
    sample_set(capture, 0, "smsp__sass_data_bytes_mem_global_op_ld.sum", rl_value_of(10240)); /* 32 x 320: all of it */
    assert_above(capture, 1.1, "L1 ceiling", "no cause is known");
    capture = launch(6400, 0, 0, 0);
    sample_set(capture, 0, "lts__t_sectors_srcunit_tex.sum", rl_value_of(35200)); /* 563.2 GB/s of 512 */
    assert_above(capture, 1.1, "L2 ceiling", "reads and writes");
    capture = launch(6400, 0, 0, 0);
    sample_set(capture, 0, "lts__t_sectors_srcunit_tex.sum", rl_value_of(35200));
    sample_set(capture, 0, "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum", rl_value_of(0));
    assert_above(capture, 1.1, "L2 ceiling", "no cause is known");
}

static void a_faster_clock_explains_rates_of_the_sm(void **state)
{
    struct rl_capture *capture = launch(6400, 0, 5.632e6, 0);
    (void)state;

    for (int i = 0; i < 2; i++)
        sample_counter(capture, sample_kernel(capture, "slower"), "sm__cycles_elapsed.avg.per_second", 9e8);
    assert_above(capture, 1.1, "arithmetic ceiling", "SM clock was above the median");
}

static void names_of_bounds(void **state)
{
    (void)state;
    assert_string_equal(rl_bound_name(RL_BOUND_MEMORY), "memory-bound");
    assert_string_equal(rl_bound_name(RL_BOUND_COMPUTE), "compute-bound");
    assert_string_equal(rl_bound_name(RL_BOUND_LATENCY), "latency-bound");
    assert_string_equal(rl_bound_name(RL_BOUND_UNKNOWN), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sides_of_the_ridge),
        cmocka_unit_test(unknown_bounds_say_why),
        cmocka_unit_test(the_best_measured_configuration_is_the_roof),
        cmocka_unit_test(ceilings_are_summarised_over_kernels),
        cmocka_unit_test(a_chip_without_tensor_cores_has_no_tensor_roof),
        cmocka_unit_test(points_above_a_roof_are_explained),
        cmocka_unit_test(a_faster_clock_explains_rates_of_the_sm),
        cmocka_unit_test(names_of_bounds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
