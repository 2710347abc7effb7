/* Where launches lie under the roofs, on figures that can be followed by hand: DRAM 32 GB/s, FP64 40 GFLOP/s, FP32 2.56 TFLOP/s,
 * FP16 5.12 TFLOP/s at the clocks of sample.h; a launch takes 2 us. */
#include "rl_test.h"

#include <math.h>

#include "analysis/analysis.h"
#include "core/mem.h"
#include "fixtures/capture.h"
#include "internal.h"

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
    sample_set(capture, kernel, "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", rl_value_of(fp64 / 2));
    sample_set(capture, kernel, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", rl_value_of(fp32 / 2));
    sample_set(capture, kernel, "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", rl_value_of(fp16 / 4));
    capture->kernels[kernel].grid[0] = 60; /* one wave */
    sample_set(capture, kernel, "smsp__issue_active.sum", rl_value_of(0));
    sample_set(capture, kernel, "l1tex__t_bytes.sum", rl_value_of(0));
    sample_set(capture, kernel, "lts__t_sectors_srcunit_tex.sum", rl_value_of(0));
    sample_set(capture, kernel, "lts__t_tag_requests_hit.sum", rl_value_of(45e3));
    sample_set(capture, kernel, "lts__t_tag_requests_miss.sum", rl_value_of(15e3));
    /* All instructions are these, if the pass that counts threads is asked. */
    const double threads = fmax(12500, fp64 / 2 + fp32 / 2 + fp16 / 4);
    sample_set(capture, kernel, "smsp__sass_thread_inst_executed_pred_on.sum", rl_value_of(threads));
    sample_set(capture, kernel, "smsp__sass_thread_inst_executed.sum", rl_value_of(2 * threads));
    sample_set(capture, kernel, "smsp__sass_inst_executed.sum", rl_value_of(threads / 8));
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
        {38399, 0, 0, 0, RL_BOUND_UNKNOWN, 38399.0 / 64000},
        {32000, 0, 4.096e6, 0, RL_BOUND_COMPUTE, 0.8},    /* 1 us of bytes, 1.6 us of FP32 */
        {51200, 0, 2.56e6, 0, RL_BOUND_MEMORY, 0.8},      /* 1.6 us, 1 us */
        {6400, 72000, 0, 0, RL_BOUND_COMPUTE, 0.9},       /* 1.8 us at the FP64 roof; 1 % of the FP32 roof */
        {6400, 32000, 2.048e6, 0, RL_BOUND_UNKNOWN, 0.4}, /* 0.8 us of FP64 and 0.8 us of FP32, side by side */
        {6400, 16000, 1.024e6, 7.168e6, RL_BOUND_COMPUTE, 0.7},
        {6400, 0, 1.28e5, 0, RL_BOUND_UNKNOWN, 0.1}, /* 0.2 us of bytes, 0.05 us of FP32 */
        {0, 0, 0, 0, RL_BOUND_UNKNOWN, 0.04},        /* the 800 wavefronts of shared memory */
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
    assert_string_equal(rl_value_reason(analysis->kernels[0].roof_share), reason);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

static void unknown_bounds_say_why(void **state)
{
    struct rl_capture *capture = launch(32000, 0, 0, 0);
    (void)state;

    sample_set(capture, 0, "sm__inst_executed_pipe_tensor.sum", rl_value_of(10));
    assert_unknown(capture, "tensor operations not collected");
    capture = launch(32000, 0, 0, 0);
    sample_set(capture, 0, "dram__bytes_read.sum", rl_value_missing(RL_NOT_PERMITTED, NULL));
    assert_unknown(capture, "counters not permitted");
    capture = launch(32000, 0, 0, 0);
    sample_set(capture, 0, "dram__bytes.sum.peak_sustained", rl_value_missing(RL_VALUE_FAILED, NULL));
    assert_unknown(capture, "collection failed");
    capture = launch(32000, 10, 0, 0);
    sample_set(capture, 0, "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum.peak_sustained",
               rl_value_missing(RL_DISAGREES, NULL));
    assert_unknown(capture, "passes disagree");
    capture = launch(32000, 0, 0, 0);
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
    sample_ceiling(capture, 0, id, unit, first, step, 9);
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
    assert_string_equal(rl_value_reason(analysis->gpus[0].ceiling[RL_CEILING_tensor_fp16].theoretical_low), "not on this chip");
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* ---- matrix operations, each type under its own roof ---- */

/* Operations of matrix instructions in one launch, by type. */
struct matrices {
    double fp16, bf16, tf32, fp64, fp8, int8;
};

static void set_chip(struct rl_capture *capture, const char *chip, int cc)
{
    capture->gpus[0].chip = rl_capture_text(capture, chip);
    capture->gpus[0].cc_major = cc / 10;
    capture->gpus[0].cc_minor = cc % 10;
}

/* A launch of 2 us on a GH100 of 10 SMs at 1 GHz: FP16 and BF16 40.96 TFLOP/s, TF32 20.48, FP64 2.56, FP8 81.92, INT8 81.92 Top/s.
 */
static struct rl_capture *matrix_launch(double dram_bytes, double fp32, struct matrices work)
{
    struct rl_capture *capture = launch(dram_bytes, 0, fp32, 0);
    const struct {
        const char *counter;
        double value;
    } counters[] = {
        {"sm__ops_path_tensor_op_hmma_src_fp16_dst_fp16.sum", 0},
        {"sm__ops_path_tensor_op_hmma_src_fp16_dst_fp32.sum", 0},
        {"sm__ops_path_tensor_op_hgmma_src_fp16.sum", work.fp16},
        {"sm__ops_path_tensor_src_bf16_dst_fp32.sum", work.bf16},
        {"sm__ops_path_tensor_src_tf32_dst_fp32.sum", work.tf32},
        {"sm__ops_path_tensor_src_fp64.sum", work.fp64},
        {"sm__ops_path_tensor_src_fp8.sum", work.fp8},
        {"sm__ops_path_tensor_op_igmma_src_int8.sum", work.int8},
        {"sm__ops_path_tensor_op_imma_src_int8_sparsity_off.sum", 0},
        {"sm__ops_path_tensor_op_imma_src_int8_sparsity_on.sum", 0},
        {"sm__inst_executed_pipe_tensor.sum", 500},
        {"sm__inst_executed_pipe_tensor_op_hmma_type_hfma2.sum", 0},
    };

    set_chip(capture, "GH100", 90);
    for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++)
        sample_set(capture, 0, counters[i].counter, rl_value_of(counters[i].value));
    return capture;
}

static void matrices_are_held_against_the_roof_of_their_type(void **state)
{
    static const struct {
        struct matrices work;
        double bytes, fp32, share;
        enum rl_bound bound;
    } known[] = {
        {{.fp16 = 81.1008e6}, 0, 0, 0.99, RL_BOUND_COMPUTE},               /* of 40.96e12 x 2e-6 = 81.92e6 */
        {{.bf16 = 81.1008e6}, 0, 0, 0.99, RL_BOUND_COMPUTE},               /* likewise */
        {{.tf32 = 40.5504e6}, 0, 0, 0.99, RL_BOUND_COMPUTE},               /* of 40.96e6 */
        {{.fp64 = 5.0688e6}, 0, 0, 0.99, RL_BOUND_COMPUTE},                /* of 5.12e6 */
        {{.fp8 = 162.2016e6}, 0, 0, 0.99, RL_BOUND_COMPUTE},               /* of 163.84e6 */
        {{.int8 = 162.2016e6}, 0, 0, 0.99, RL_BOUND_COMPUTE},              /* of 163.84e6, though no operation of it is a FLOP */
        {{.tf32 = 20.48e6}, 0, 0, 0.5, RL_BOUND_UNKNOWN},                  /* half of its own roof, a quarter of that of FP16 */
        {{.fp8 = 81.92e6}, 0, 0, 0.5, RL_BOUND_UNKNOWN},                   /* half of its own roof, all of that of FP16 */
        {{.bf16 = 40.96e6, .fp64 = 1.536e6}, 0, 0, 0.8, RL_BOUND_COMPUTE}, /* 1 us + 0.6 us on one pipe */
        {{.fp16 = 16.384e6, .fp8 = 65.536e6, .int8 = 32.768e6}, 0, 0, 0.8, RL_BOUND_COMPUTE}, /* 0.4 + 0.8 + 0.4 us */
        {{.tf32 = 28.672e6}, 0, 0.512e6, 0.7, RL_BOUND_COMPUTE},                              /* 1.4 us, beside 0.2 us of vectors */
        {{.bf16 = 40.96e6}, 51200, 0, 0.8, RL_BOUND_MEMORY},                                  /* 1 us, and 1.6 us of bytes */
    };
    (void)state;

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        struct rl_capture *capture = matrix_launch(known[i].bytes, known[i].fp32, known[i].work);
        struct rl_analysis *analysis = rl_analysis_new(capture);
        const struct rl_kernel_result *result = &analysis->kernels[0];
        if (!rl_present(result->roof_share))
            fail_msg("row %zu: %s", i, rl_value_reason(result->roof_share));
        assert_close(result->roof_share.v, known[i].share, 1e-9);
        assert_close(result->roof_time_s.v, known[i].share * 2e-6, 1e-9);
        assert_int_equal(result->bound, known[i].bound);
        assert_null(result->above_roof);
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
}

static void a_type_has_its_own_measured_roof(void **state)
{
    struct rl_capture *capture = matrix_launch(0, 0, (struct matrices){.bf16 = 66.3552e6}); /* 33.1776 TFLOP/s */
    (void)state;

    add_run(capture, "tensor_fp16", RL_UNIT_FLOP_PER_SECOND, 4.0e13, 0);
    add_run(capture, "tensor_bf16", RL_UNIT_FLOP_PER_SECOND, 3.6864e13, 0); /* 90 % of theory */
    struct rl_analysis *analysis = rl_analysis_new(capture);
    assert_close(analysis->kernels[0].roof_share.v, 0.9, 1e-9);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* A chip that has the instructions, but of which nobody has published the rate: a place under another type's roof would be none. */
static void a_type_without_a_roof_has_no_place(void **state)
{
    struct rl_capture *capture = matrix_launch(0, 0, (struct matrices){.fp16 = 1e6});
    (void)state;

    set_chip(capture, "GA102", 86); /* no rate of FP64 matrices */
    sample_set(capture, 0, "sm__ops_path_tensor_src_fp16_dst_fp16.sum", rl_value_of(0));
    sample_set(capture, 0, "sm__ops_path_tensor_src_fp16_dst_fp32.sum", rl_value_of(0));
    sample_set(capture, 0, "sm__ops_path_tensor_src_fp64.sum", rl_value_of(1e6));
    assert_unknown(capture, "no roof for a type of its matrix operations");
}

/* Matrix instructions ran, none of them on floating-point numbers, and nobody counted the integers. */
static void integers_that_were_not_counted_are_no_zero(void **state)
{
    struct rl_capture *capture = matrix_launch(6400, 0, (struct matrices){0});
    (void)state;

    sample_set(capture, 0, "sm__ops_path_tensor_op_igmma_src_int8.sum", rl_value_missing(RL_VALUE_FAILED, NULL));
    assert_unknown(capture, "collection failed");
    /* Where floating-point operations explain the instructions, integers are left out, as vector integers are. */
    capture = matrix_launch(6400, 0, (struct matrices){.bf16 = 40.96e6});
    sample_set(capture, 0, "sm__ops_path_tensor_op_igmma_src_int8.sum", rl_value_missing(RL_VALUE_FAILED, NULL));
    struct rl_analysis *analysis = rl_analysis_new(capture);
    assert_close(analysis->kernels[0].roof_share.v, 0.5, 1e-9);
    assert_int_equal(analysis->kernels[0].bound, RL_BOUND_UNKNOWN);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* A launch of 4 us with twice these operations, of which only the sum over all types is known, and perhaps a part by its type. */
static struct rl_capture *untyped(double sum, double tf32)
{
    struct rl_capture *capture = launch(0, 0, 0, 0);

    set_chip(capture, "GH100", 90);
    sample_time(capture, 0, 4000);
    sample_set(capture, 0, "smsp__sass_data_bytes_mem_global_op_ld.sum", rl_value_of(1024)); /* a tenth of the sectors */
    sample_set(capture, 0, "flop_tensor", rl_value_of(2 * sum));
    if (tf32 > 0)
        sample_set(capture, 0, "flop_tensor_tf32", rl_value_of(2 * tf32));
    return capture;
}

/* What the types may be decides: TF32 at its roof is half of FP16's, FP64 a sixteenth; FP8 at 60 % of FP16's roof is at 30 %. */
static void without_types_the_roof_is_that_of_fp16_and_nothing_is_concluded(void **state)
{
    static const struct {
        double sum, tf32, share;
        enum rl_bound bound;
        enum rl_verdict_on_rule below, loads;
    } known[] = {
        {40.96e6, 0, 0.5, RL_BOUND_UNKNOWN, RL_NOT_JUDGED, RL_NOT_JUDGED},
        {65.536e6, 0, 0.8, RL_BOUND_UNKNOWN, RL_RULE_SILENT, RL_NOT_JUDGED},
        {2.048e6, 0, 0.025, RL_BOUND_UNKNOWN, RL_RULE_SPOKE, RL_RULE_SPOKE},            /* 40 % of the roof of the slowest type */
        {40.96e6, 40.96e6, 1, RL_BOUND_COMPUTE, RL_RULE_SILENT, RL_RULE_SILENT},        /* all of them have a type */
        {41.984e6, 32.768e6, 0.9125, RL_BOUND_COMPUTE, RL_RULE_SILENT, RL_RULE_SILENT}, /* 80 %, and 9.216e6 more */
    };
    (void)state;

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        struct rl_capture *capture = untyped(known[i].sum, known[i].tf32);
        struct rl_analysis *analysis = rl_analysis_new(capture);
        const struct rl_kernel_result *result = &analysis->kernels[0];
        assert_close(result->roof_share.v, known[i].share, 1e-9);
        assert_int_equal(result->bound, known[i].bound);
        assert_int_equal(result->types_matter, i < 2);
        assert_int_equal(result->judgement[RL_RULE_below_roof].verdict, known[i].below);
        assert_int_equal(result->judgement[RL_RULE_uncoalesced_loads].verdict, known[i].loads);
        if (result->types_matter)
            assert_string_equal(rl_value_reason(result->judgement[RL_RULE_uncoalesced_loads].value),
                                "matrix operations not counted by type");
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
    /* A chip whose tensor cores take FP16 alone leaves no doubt. */
    struct rl_capture *capture = untyped(10.24e6, 0);
    set_chip(capture, "GV100", 70);
    struct rl_analysis *analysis = rl_analysis_new(capture);
    assert_close(analysis->kernels[0].roof_share.v, 0.5, 1e-9);
    assert_int_equal(analysis->kernels[0].bound, RL_BOUND_UNKNOWN);
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
    assert_above(capture, 30.4 / 28.4, "DRAM bandwidth roof", "the micro-benchmark");
    capture = launch(96000, 0, 0, 0);
    struct rl_gpu_moment *moment = rl_capture_add_moment(capture, 0);
    moment->moment = rl_capture_text(capture, "during");
    moment->reading[RL_READING_process_count] = rl_value_of(2);
    assert_above(capture, 1.5, "DRAM bandwidth roof", "other processes");
    capture = launch(96000, 0, 0, 0);
    capture->gpus[0].fact[RL_FACT_l2_bytes] = rl_value_of(96000);
    assert_above(capture, 1.5, "DRAM bandwidth roof", "fits in L2");
    capture = launch(96000, 0, 0, 0);
    capture->gpus[0].fact[RL_FACT_l2_bytes] = rl_value_of(95999);
    assert_above(capture, 1.5, "DRAM bandwidth roof", "the cause is unknown");
    capture = launch(6400, 0, 0, 1.1264e7); /* 2.2 us at the FP16 roof */
    sample_set(capture, 0, "smsp__sass_thread_inst_executed_pred_on.sum", rl_value_of(1e7));
    sample_set(capture, 0, "smsp__sass_thread_inst_executed.sum", rl_value_of(1e7));
    assert_above(capture, 1.1, "FP16 pipe roof", "packed pairs");
    capture = launch(6400, 0, 5.632e6, 0);
    assert_above(capture, 1.1, "FP32 pipe roof", "the cause is unknown");
    capture = launch(6400, 0, 0, 0);
    sample_set(capture, 0, "l1tex__t_bytes.sum", rl_value_of(2.816e6)); /* 1.408 TB/s of 1.28 */
    assert_above(capture, 1.1, "L1 bandwidth roof", "whole sectors");
    capture = launch(6400, 0, 0, 0);
    sample_set(capture, 0, "l1tex__t_bytes.sum", rl_value_of(2.816e6));
    sample_set(capture, 0, "smsp__sass_data_bytes_mem_global_op_ld.sum", rl_value_of(10240)); /* 32 x 320: all of it */
    assert_above(capture, 1.1, "L1 bandwidth roof", "the cause is unknown");
    capture = launch(6400, 0, 0, 0);
    sample_set(capture, 0, "l1tex__t_bytes.sum", rl_value_of(32 * 35200.0));
    sample_set(capture, 0, "lts__t_sectors_srcunit_tex.sum", rl_value_of(35200)); /* 563.2 GB/s of 512, if nothing is stored */
    sample_set(capture, 0, "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum", rl_value_missing(RL_NOT_ON_CHIP, NULL));
    assert_above(capture, 1.1, "L2 bandwidth (read) roof", "may read and write");
    capture = launch(6400, 0, 0, 0);
    sample_set(capture, 0, "l1tex__t_bytes.sum", rl_value_of(32 * 35288.0));
    sample_set(capture, 0, "lts__t_sectors_srcunit_tex.sum", rl_value_of(35288)); /* 80 and 8 of them stored */
    assert_above(capture, 1.1, "L2 bandwidth (read) roof", "the cause is unknown");
}

static void matrices_above_a_roof_are_explained(void **state)
{
    struct rl_capture *capture = untyped(90.112e6, 0); /* 110 % of FP16's roof, 55 % of FP8's */
    (void)state;

    assert_above(capture, 1.1, "tensor cores roof", "whose types were not counted");
    capture = matrix_launch(0, 0, (struct matrices){.fp8 = 180.224e6});
    assert_above(capture, 1.1, "tensor cores roof", "dense");
    capture = matrix_launch(0, 0, (struct matrices){.int8 = 180.224e6});
    assert_above(capture, 1.1, "tensor cores roof", "dense");
    capture = matrix_launch(0, 0, (struct matrices){.fp64 = 5.632e6}); /* of FP64 there are no sparse ones */
    assert_above(capture, 1.1, "tensor cores roof", "the cause is unknown");
    capture = matrix_launch(0, 0, (struct matrices){.bf16 = 245.76e6}); /* three times: too much for any of that */
    assert_above(capture, 3, "tensor cores roof", "the cause is unknown");
    capture = matrix_launch(0, 0, (struct matrices){.bf16 = 40.96e6, .tf32 = 24.576e6}); /* 1 us and 1.2 us share a pipe */
    assert_above(capture, 1.1, "tensor cores roof", "dense");
    capture = matrix_launch(0, 0.256e6, (struct matrices){.fp64 = 6.144e6});
    assert_above(capture, 1.2, "tensor cores roof", "the cause is unknown");
}

/* A launch whose pass ran at a higher clock than the others has the roofs of that clock: 99 % of 2.56 TFLOP/s, not 110 % of 2.3. */
static void roofs_are_at_the_clock_of_the_launch(void **state)
{
    struct rl_capture *capture = launch(6400, 0, 5.0688e6, 0);
    (void)state;

    for (int i = 0; i < 2; i++)
        sample_counter(capture, sample_kernel(capture, "slower"), "sm__cycles_elapsed.avg.per_second", 9e8);
    struct rl_analysis *analysis = rl_analysis_new(capture);
    assert_close(analysis->kernels[0].roof_share.v, 0.99, 1e-9);
    assert_null(analysis->kernels[0].above_roof);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

static void names_of_bounds(void **state)
{
    (void)state;
    assert_string_equal(rl_bound_name(RL_BOUND_MEMORY), "memory-bound");
    assert_string_equal(rl_bound_name(RL_BOUND_COMPUTE), "compute-bound");
    assert_string_equal(rl_bound_name(RL_BOUND_LATENCY), "latency-bound");
    assert_string_equal(rl_bound_name(RL_BOUND_UNKNOWN), "unknown");
}

/* The least time of any launch is itself no less than that. */
static void half_a_microsecond_is_no_less(void **state)
{
    (void)state;
    assert_true(rl_is_below_every_roof(rl_value_of(0.4999e-6)));
    assert_false(rl_is_below_every_roof(rl_value_of(0.5e-6)));
    assert_false(rl_is_below_every_roof(rl_value_missing(RL_NOT_COLLECTED, NULL)));
}

/* Matrix units by type over FP16; other units and operations that are none of floating point do not count. */
static void how_far_types_are_apart(void **state)
{
    struct rl_gpu_result card = {0};
    double slowest = 0, fastest = 0;
    (void)state;
    for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
        card.ceiling[i].theoretical = card.ceiling[i].limit = rl_value_missing(RL_NOT_COLLECTED, NULL);
        card.ceiling[i].run = RL_NONE;
    }
    rl_types_spread(&card, &slowest, &fastest);
    assert_true(slowest == 1 && fastest == 1);
    card.ceiling[RL_CEILING_tensor_fp16].theoretical = rl_value_of(100);
    card.ceiling[RL_CEILING_tensor_fp8].theoretical = rl_value_of(200);
    card.ceiling[RL_CEILING_tensor_tf32].theoretical = rl_value_of(50);
    card.ceiling[RL_CEILING_tensor_int8].theoretical = rl_value_of(400);
    card.ceiling[RL_CEILING_fp64].theoretical = rl_value_of(1);
    rl_types_spread(&card, &slowest, &fastest);
    assert_true(slowest == 0.5 && fastest == 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sides_of_the_ridge),
        cmocka_unit_test(unknown_bounds_say_why),
        cmocka_unit_test(the_best_measured_configuration_is_the_roof),
        cmocka_unit_test(ceilings_are_summarised_over_kernels),
        cmocka_unit_test(a_chip_without_tensor_cores_has_no_tensor_roof),
        cmocka_unit_test(matrices_are_held_against_the_roof_of_their_type),
        cmocka_unit_test(a_type_has_its_own_measured_roof),
        cmocka_unit_test(a_type_without_a_roof_has_no_place),
        cmocka_unit_test(integers_that_were_not_counted_are_no_zero),
        cmocka_unit_test(without_types_the_roof_is_that_of_fp16_and_nothing_is_concluded),
        cmocka_unit_test(points_above_a_roof_are_explained),
        cmocka_unit_test(matrices_above_a_roof_are_explained),
        cmocka_unit_test(roofs_are_at_the_clock_of_the_launch),
        cmocka_unit_test(names_of_bounds),
        cmocka_unit_test(half_a_microsecond_is_no_less),
        cmocka_unit_test(how_far_types_are_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
