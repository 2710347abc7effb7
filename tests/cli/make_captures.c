/* make_captures.c - the captures that the command tests read: made, not measured, and the same at every run.
 *
 *   make_captures FOLDER     writes FOLDER/NAME.rlcap for every row of `recipes`
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "fixtures/capture.h"
#include "fixtures/full.h"
#include "fixtures/links.h"
#include "fixtures/ranks.h"
#include "fixtures/timelines.h"

#define CARD "SYNTHETIC TEST CARD"

/* ---- one launch and its counters ---- */

struct launch {
    const char *experiment, *variant, *kernel;
    uint32_t grid, block, registers, static_shared;
    double median_ns;
    double flop, bytes, useful; /* work model; NAN: none */
    double occupancy_percent;
    double dram_read, dram_write, l2_sectors, l1_bytes;
    double instructions, thread_instructions, targets, uniform_targets;
    double fma;                             /* FP32, of threads */
    double loads, load_sectors, load_bytes; /* global */
    double shared_instructions, wavefronts, shared_bytes;
};

static const struct launch launches[] = {
    {"coalescing",
     "stride_1",
     "stride_kernel(float*, int, long)",
     524288,
     256,
     16,
     0,
     1000000,
     134217728,
     1073741824,
     1073741824,
     92.5,
     536870912,
     536870912,
     33554432,
     1073741824,
     58720256,
     1879048192,
     4194304,
     4194304,
     0,
     4194304,
     16777216,
     536870912,
     0,
     0,
     0},
    {"coalescing",
     "stride_32",
     "stride_kernel(float*, int, long)",
     16384,
     256,
     16,
     0,
     400000,
     4194304,
     33554432,
     33554432,
     71.1,
     268435456,
     134217728,
     8388608,
     268435456,
     1835008,
     58720256,
     131072,
     131072,
     0,
     131072,
     4194304,
     16777216,
     0,
     0,
     0},
    {"register_pressure",
     "lean",
     "void pressure<0>(float*, long)",
     65536,
     256,
     8,
     0,
     50000,
     67108864,
     134217728,
     134217728,
     96.0,
     67108864,
     67108864,
     4194304,
     134217728,
     8388608,
     268435456,
     524288,
     524288,
     33554432,
     524288,
     2097152,
     67108864,
     0,
     0,
     0},
    {"register_pressure",
     "live128",
     "void pressure<3>(float*, long)",
     65536,
     256,
     72,
     0,
     250000,
     10737418240,
     134217728,
     134217728,
     36.2,
     67108864,
     67108864,
     4194304,
     134217728,
     176160768,
     5637144576,
     524288,
     524288,
     5368709120,
     524288,
     2097152,
     67108864,
     0,
     0,
     0},
    {"divergence", "coherent", "spin(long, int)", 1,      32,     12, 0, 9000000, NAN, NAN, NAN, 1.56, 4096, 0, 256,
     4096,         400000,     12800000,          100000, 100000, 0,  1, 1,       32,  0,   0,   0},
    {"divergence", "divergent", "spin(long, int)", 1,      32,     12, 0, 18000000, NAN, NAN, NAN, 1.56, 4096, 0, 256,
     4096,         800000,      12800000,          200000, 100000, 0,  1, 1,        32,  0,   0,   0},
    {"ilp",   "serial", "square<1>(float const*, float*, long)",
     1,       32,       14,
     0,       16000000, 1000000,
     8000000, 8000000,  1.56,
     4000000, 4000000,  250000,
     8000000, 250000,   8000000,
     31250,   31250,    0,
     31250,   125000,   4000000,
     0,       0,        0},
    {"ilp",   "unrolled4", "square<4>(float const*, float*, long)",
     1,       32,          22,
     0,       2000000,     1000000,
     8000000, 8000000,     1.56,
     4000000, 4000000,     250000,
     8000000, 140000,      4480000,
     7813,    7813,        0,
     31250,   125000,      4000000,
     0,       0,           0},
    {"transpose", "naive",   "transpose_naive(float const*, float*, int)",
     16384,       256,       16,
     0,           120000,    0,
     134217728,   134217728, 90.1,
     67108864,    67108864,  10485760,
     335544320,   9437184,   301989888,
     131072,      131072,    0,
     524288,      2097152,   67108864,
     0,           0,         0},
    {"transpose",
     "tiled_padded",
     "transpose_tiled<33>(float const*, float*, int)",
     16384,
     256,
     18,
     4224,
     64000,
     0,
     134217728,
     134217728,
     88.4,
     67108864,
     67108864,
     4194304,
     134217728,
     12582912,
     402653184,
     131072,
     131072,
     0,
     524288,
     2097152,
     67108864,
     1048576,
     1048576,
     134217728},
};

/* A counter is a member of the launch times a factor, or a constant of the card. */
static const struct {
    const char *name;
    bool constant;
    size_t offset;
    double factor;
    size_t pass; /* 0 hardware, 1 sass */
} counters[] = {
#define OF(member) false, offsetof(struct launch, member)
#define CONSTANT   true, 0
    {"gpu__time_duration.sum", OF(median_ns), 1.25, 0},
    {"sm__cycles_active.avg", OF(median_ns), 1.5, 0},
    {"sm__cycles_elapsed.max", OF(median_ns), 1.875, 0},
    {"sm__cycles_elapsed.avg.per_second", CONSTANT, 1.5e9, 0},
    {"sm__warps_active.avg.pct_of_peak_sustained_active", OF(occupancy_percent), 1, 0},
    {"dram__bytes_read.sum", OF(dram_read), 1, 0},
    {"dram__bytes_write.sum", OF(dram_write), 1, 0},
    {"dram__bytes.sum.peak_sustained", CONSTANT, 1024, 0},
    {"dram__cycles_elapsed.avg.per_second", CONSTANT, 2e9, 0},
    {"lts__t_sectors_srcunit_tex.sum", OF(l2_sectors), 1, 0},
    {"lts__lts2xbar_cycles_active.sum.peak_sustained", CONSTANT, 128, 0},
    {"lts__cycles_elapsed.avg.per_second", CONSTANT, 1.5e9, 0},
    {"l1tex__t_bytes.sum", OF(l1_bytes), 1, 0},
    {"l1tex__data_pipe_lsu_wavefronts.sum.peak_sustained", CONSTANT, 132, 0},
    {"l1tex__t_sectors.sum", OF(l1_bytes), 1.0 / 32, 0},
    {"l1tex__t_sectors_lookup_hit.sum", OF(l1_bytes), 1.0 / 128, 0},
    {"lts__t_tag_requests_hit.sum", OF(l2_sectors), 0.125, 0},
    {"lts__t_tag_requests_miss.sum", OF(l2_sectors), 0.125, 0},
    {"smsp__issue_active.sum", OF(instructions), 1, 0},
    {"sm__inst_executed_pipe_tensor.sum", CONSTANT, 0, 0},
    {"sm__inst_executed_pipe_tensor_op_hmma_type_hfma2.sum", CONSTANT, 0, 0},
    {"smsp__sass_inst_executed.sum", OF(instructions), 1, 1},
    {"smsp__sass_thread_inst_executed.sum", OF(thread_instructions), 1, 1},
    {"smsp__sass_branch_targets.sum", OF(targets), 1, 1},
    {"smsp__sass_branch_targets_threads_uniform.sum", OF(uniform_targets), 1, 1},
    {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", CONSTANT, 0, 1},
    {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", CONSTANT, 0, 1},
    {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", OF(fma), 1, 1},
    {"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", CONSTANT, 0, 1},
    {"smsp__sass_thread_inst_executed_op_dmul_pred_on.sum", CONSTANT, 0, 1},
    {"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", CONSTANT, 0, 1},
    {"smsp__sass_thread_inst_executed_op_hadd_pred_on.sum", CONSTANT, 0, 1},
    {"smsp__sass_thread_inst_executed_op_hmul_pred_on.sum", CONSTANT, 0, 1},
    {"smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", CONSTANT, 0, 1},
    {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum.peak_sustained", CONSTANT, 16896, 1},
    {"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum.peak_sustained", CONSTANT, 8448, 1},
    {"smsp__sass_thread_inst_executed_op_hfma_pred_on.sum.peak_sustained", CONSTANT, 16896, 1},
    {"smsp__sass_inst_executed_op_global_ld.sum", OF(loads), 1, 1},
    {"smsp__sass_inst_executed_op_global_st.sum", OF(loads), 1, 1},
    {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum", OF(load_sectors), 1, 1},
    {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum", OF(load_sectors), 1, 1},
    {"smsp__sass_data_bytes_mem_global_op_ld.sum", OF(load_bytes), 1, 1},
    {"smsp__sass_data_bytes_mem_global_op_st.sum", OF(load_bytes), 1, 1},
    {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_ld.sum", CONSTANT, 0, 1},
    {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_st.sum", CONSTANT, 0, 1},
    {"smsp__sass_data_bytes_mem_shared.sum", OF(shared_bytes), 1, 1},
    {"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum", OF(wavefronts), 1, 1},
    {"smsp__sass_inst_executed_op_shared.sum", OF(shared_instructions), 1, 1},
    {"smsp__sass_thread_inst_executed_pred_on.sum", OF(thread_instructions), 1, 1},
    {"smsp__sass_inst_executed_op_global_atom.sum", CONSTANT, 0, 1},
    {"smsp__sass_inst_executed_op_global_red.sum", CONSTANT, 0, 1},
    {"smsp__sass_inst_executed_op_shared_atom.sum", CONSTANT, 0, 1},
#undef OF
#undef CONSTANT
};

/* Counters that other chips have. */
static const char *const absent[] = {
    "dram__bytes_op_read.sum",
    "dram__bytes_op_write.sum",
    "smsp__sass_inst_executed_op_utcmma.sum",
    "smsp__sass_thread_inst_executed_op_fadd2_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_fmul2_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_ffma2_pred_on.sum",
};

static struct rl_value model_value(double value)
{
    return isnan(value) ? rl_value_missing(RL_UNDEFINED, "no work model") : rl_value_of(value);
}

/* Samples spread evenly over 0.3 % around the median, in an order that is not sorted. */
static void add_durations(struct rl_capture *capture, struct rl_kernel *kernel, double median_ns, size_t count)
{
    kernel->timing = rl_capture_text(capture, "activity");
    kernel->duration_ns = rl_arena_alloc(&capture->arena, count * sizeof *kernel->duration_ns);
    kernel->duration_count = count;
    for (size_t i = 0; i < count; i++) {
        double step = (double)(i * 7 % count) - (double)(count / 2);
        kernel->duration_ns[i] = (uint64_t)(median_ns + step * median_ns / 10000);
        kernel->total_ns += kernel->duration_ns[i];
    }
    kernel->launches = count + 3;
}

static void add_counter(struct rl_capture *capture, size_t kernel, const char *name, struct rl_value value, size_t pass)
{
    sample_value(capture, kernel, RL_COUNTER, name, value)->pass = rl_present(value) ? pass : RL_NONE;
}

/* Counters of a launch; with `refusal`, why there are none. */
static void add_counters(struct rl_capture *capture, size_t kernel, const struct launch *launch, const char *refusal)
{
    struct rl_value refused = rl_value_missing(RL_NOT_PERMITTED, refusal);
    for (size_t i = 0; i < RL_COUNT(counters); i++) {
        double base = 1;
        if (!counters[i].constant)
            memcpy(&base, (const char *)launch + counters[i].offset, sizeof base);
        add_counter(capture, kernel, counters[i].name, refusal ? refused : rl_value_of(base * counters[i].factor),
                    counters[i].pass);
    }
    for (size_t i = 0; i < RL_COUNT(absent); i++)
        add_counter(capture, kernel, absent[i], refusal ? refused : rl_value_missing(RL_NOT_ON_CHIP, NULL), RL_NONE);
}

static size_t add_kernel(struct rl_capture *capture, const struct launch *launch, size_t gpu, size_t variant)
{
    struct rl_kernel *kernel = rl_capture_add_kernel(capture);
    kernel->gpu = gpu;
    kernel->variant = variant;
    kernel->name = rl_capture_text(capture, launch->kernel);
    sample_shape(kernel, launch->grid, launch->block);
    kernel->registers_per_thread = rl_value_of(launch->registers);
    kernel->static_shared_bytes = rl_value_of(launch->static_shared);
    kernel->local_bytes_per_thread = rl_value_of(0);
    return capture->kernel_count - 1;
}

/* ---- the session and its parts ---- */

static void add_session(struct rl_capture *capture)
{
    static const char *const words[] = {"rooflight", "collect", "-o", "normal.rlcap"};
    sample_session(capture, &(struct sample_session){.started = "2026-11-21T10:30:40Z",
                                                     .tool_version = "0.0.1-made",
                                                     .source = "collect",
                                                     .host = "testhost",
                                                     .os = "Linux 6.1",
                                                     .driver = "580.00",
                                                     .cuda_driver = "13.0",
                                                     .cuda_runtime = "13.0",
                                                     .cupti = "13.0",
                                                     .counters = RL_COUNTERS_COLLECTED,
                                                     .command = words,
                                                     .command_count = RL_COUNT(words)});
}

static void add_moment(struct rl_capture *capture, size_t gpu, const char *name, int64_t at_ns)
{
    static const struct sample_reading readings[] = {{RL_READING_sm_clock_hz, 1.5e9},
                                                     {RL_READING_memory_clock_hz, 2e9},
                                                     {RL_READING_temperature_c, 41},
                                                     {RL_READING_power_w, 250},
                                                     {RL_READING_throttle_reasons, 0}};
    sample_moment(capture, gpu, name, at_ns, readings, RL_COUNT(readings));
}

static void add_gpu(struct rl_capture *capture, int index, const char *name, const char *chip)
{
    static const struct sample_fact facts[] = {
        {RL_FACT_sm_count, 132},
        {RL_FACT_warp_size, 32},
        {RL_FACT_max_threads_per_sm, 2048},
        {RL_FACT_max_blocks_per_sm, 32},
        {RL_FACT_max_threads_per_block, 1024},
        {RL_FACT_registers_per_sm, 65536},
        {RL_FACT_registers_per_block, 65536},
        {RL_FACT_shared_bytes_per_sm, 233472},
        {RL_FACT_shared_bytes_per_block, 49152},
        {RL_FACT_shared_bytes_per_block_optin, 232448},
        {RL_FACT_shared_bytes_reserved_per_block, 1024},
        {RL_FACT_l2_bytes, 60e6},
        {RL_FACT_memory_bytes, 140e9},
        {RL_FACT_memory_bus_bits, 6144},
        {RL_FACT_memory_clock_max_hz, 3.2e9},
        {RL_FACT_sm_clock_max_hz, 1.98e9},
    };
    struct rl_gpu *gpu = sample_gpu(capture, name, "GPU-00000000-0000-0000-0000-000000000000", chip, chip ? 90 : 0);
    gpu->index = index;
    sample_facts(gpu, facts, RL_COUNT(facts));
    add_moment(capture, capture->gpu_count - 1, "before", 1000000);
    add_moment(capture, capture->gpu_count - 1, "after", 9000000000);
}

static const struct {
    const char *name, *question;
} experiments[] = {
    {"coalescing", "Does it matter how the threads of a warp spread their accesses?"},
    {"register_pressure", "Do more variables lower the occupancy?"},
    {"divergence", "What do two ways through one warp cost?"},
    {"ilp", "Do independent loads hide latency?"},
    {"transpose", "Does padding remove bank conflicts?"},
};

static const struct {
    const char *experiment;
    struct sample_claim claim;
} claims[] = {
    {"coalescing",
     {"pattern_gain", "A coalesced access pattern gains at least 5x.", "useful_bytes_per_second", "stride_1", "stride_32",
      "at_least", 5, 0, NULL, false}},
    {"coalescing",
     {"stride_1_rate", "1167.68 GB/s at stride 1.", "useful_bytes_per_second", "stride_1", NULL, "about", 1167.68e9, 0.1,
      "NVIDIA A100-SXM4-40GB", true}},
    {"register_pressure",
     {"live_registers", "128 live floats take 64 registers.", "registers_per_thread", "live128", NULL, "about", 64, 0.05, NULL,
      false}},
    {"divergence", {"doubled", "Two ways take twice as long.", "time_s", "divergent", "coherent", "about", 2, 0.05, NULL, false}},
    {"ilp",
     {"unrolling", "Four independent loads are 8.47x faster.", "time_s", "serial", "unrolled4", "about", 8.47, 0.15, NULL, false}},
    {"transpose",
     {"absent", "A variant that was not run cannot be judged.", "time_s", "tiled", "naive", "at_most", 1, 0, NULL, false}},
};

static void add_claims(struct rl_capture *capture, size_t experiment)
{
    for (size_t i = 0; i < RL_COUNT(claims); i++) {
        if (strcmp(claims[i].experiment, capture->experiments[experiment].name) != 0)
            continue;
        sample_claim(capture, experiment, &claims[i].claim)->source = rl_capture_text(capture, "made for the tests");
    }
}

static void add_experiments(struct rl_capture *capture, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        sample_full_experiment(capture, experiments[i].name, "testing", experiments[i].question, "The counters are made up.",
                               "made for the tests");
        add_claims(capture, i);
    }
}

static size_t find_experiment(const struct rl_capture *capture, const char *name)
{
    size_t i = 0;
    while (i < capture->experiment_count && strcmp(capture->experiments[i].name, name) != 0)
        i++;
    return i;
}

static struct rl_variant *add_variant(struct rl_capture *capture, size_t experiment, size_t gpu, const char *name)
{
    struct rl_variant *variant = sample_variant(capture, experiment, gpu, name, NULL);
    variant->description = rl_capture_text(capture, "One way to do it.");
    variant->size = 1048576;
    variant->size_unit = rl_capture_text(capture, "elements");
    return variant;
}

/* A variant with its kernel, times and counters. */
static void add_launch(struct rl_capture *capture, const struct launch *launch, size_t gpu, const char *refusal)
{
    struct rl_variant *variant = add_variant(capture, find_experiment(capture, launch->experiment), gpu, launch->variant);
    variant->result_text = rl_capture_text(capture, "1048576 elements, largest error 0");
    variant->model_flop = model_value(launch->flop);
    variant->model_bytes = model_value(launch->bytes);
    variant->useful_bytes = model_value(launch->useful);
    size_t kernel = add_kernel(capture, launch, gpu, capture->variant_count - 1);
    add_durations(capture, &capture->kernels[kernel], launch->median_ns, 31);
    add_counters(capture, kernel, launch, refusal);
}

/* ---- recipes ---- */

static void make_suite(struct rl_capture *capture, size_t experiment_count, const char *refusal)
{
    add_session(capture);
    add_gpu(capture, 0, CARD, "GH100");
    sample_passes(capture, 0);
    add_experiments(capture, experiment_count);
    for (size_t i = 0; i < RL_COUNT(launches); i++) {
        if (find_experiment(capture, launches[i].experiment) < capture->experiment_count)
            add_launch(capture, &launches[i], 0, refusal);
    }
    rl_capture_log(capture, 1000, RL_LOG_NOTE, "device 0 is " CARD);
    rl_capture_log(capture, 2000, RL_LOG_WARNING, "another process was on the card when the session began");
}

static void make_normal(struct rl_capture *capture)
{
    make_suite(capture, RL_COUNT(experiments), NULL);
}

/* The same code, a quarter of an hour later. */
static void make_again(struct rl_capture *capture)
{
    make_normal(capture);
    capture->session.started = rl_capture_text(capture, "2026-11-21T10:45:40Z");
}

static void add_value(struct rl_capture *capture, size_t kernel, const char *name, double value, size_t pass)
{
    sample_value(capture, kernel, RL_COUNTER, name, rl_value_of(value))->pass = pass;
}

/* Two launches with optional sets; the second one's passes have seen different work. */
static void make_sets(struct rl_capture *capture)
{
    make_suite(capture, 1, NULL);
    for (size_t kernel = 0; kernel < 2; kernel++) {
        add_value(capture, kernel, "smsp__warps_issue_stalled_long_scoreboard.sum", 2.4e9, 0);
        add_value(capture, kernel, "smsp__warps_issue_stalled_barrier.sum", 5e8 * (double)kernel, 0);
        add_value(capture, kernel, "smsp__warps_issue_stalled_wait.sum", 4e8, 0);
        add_value(capture, kernel, "smsp__warps_issue_stalled_drain.sum", 3e8, 0);
        add_value(capture, kernel, "sm__ops_path_tensor_src_bf16_dst_fp32.sum", 1.5e9, 0);
    }
    add_value(capture, 1, "l1tex__t_sectors.sum", 9000000, 1); /* 8,388,608 in the other pass */
}

/* Counters that were asked for by name: one of all launches, one that is no number of the second. */
static void make_named(struct rl_capture *capture)
{
    make_normal(capture);
    add_value(capture, 0, "smsp__inst_issued.avg.per_cycle_active", 1.53, 0);
    add_value(capture, 0, "lts__t_requests_op_foo.sum", 1048576, 0);
    add_value(capture, 1, "smsp__inst_issued.avg.per_cycle_active", 0.25, 0);
    add_counter(capture, 1, "lts__t_requests_op_foo.sum", rl_value_missing(RL_VALUE_FAILED, "not a finite number"), 0);
    add_value(capture, 1, "gpu__time_waiting.sum", 2500, 0);
}

static void make_empty(struct rl_capture *capture)
{
    (void)capture;
}

static void make_incomplete(struct rl_capture *capture)
{
    make_suite(capture, 1, NULL);
    capture->session.complete = false;
}

static void make_not_permitted(struct rl_capture *capture)
{
    make_suite(capture, RL_COUNT(experiments), "counters not permitted");
    capture->session.counters = rl_capture_text(capture, "not permitted: the driver gives counters to administrators only");
}

/* Everything that can be missing or odd, on two cards; the second one's chip is unknown. */
static void make_gaps(struct rl_capture *capture)
{
    const struct launch *launch = &launches[0];
    add_session(capture);
    add_gpu(capture, 0, CARD, "GH100");
    add_gpu(capture, 3, CARD " OF AN UNKNOWN KIND", NULL);
    sample_passes(capture, 0);
    add_experiments(capture, 2);
    add_launch(capture, launch, 0, NULL);
    capture->variants[0].result = RL_RESULT_WRONG;
    capture->variants[0].result_text = rl_capture_text(capture, "element 17: 3.5, expected 4.25");

    struct rl_variant *unsupported = add_variant(capture, 0, 0, "cooperative");
    unsupported->status = RL_VARIANT_UNSUPPORTED;
    unsupported->result = RL_RESULT_NOT_CHECKED;
    unsupported->reason = rl_capture_text(capture, "needs cooperative launch");
    struct rl_variant *failed = add_variant(capture, 0, 0, "faulty");
    failed->status = RL_VARIANT_FAILED;
    failed->result = RL_RESULT_NOT_CHECKED;
    failed->reason = rl_capture_text(capture, "the kernel faulted: misaligned address");

    /* Two kernels in one variant: one with too few samples, one with neither times nor counters. */
    add_variant(capture, 1, 0, "two_kernels");
    size_t variant = capture->variant_count - 1, kernel = add_kernel(capture, &launches[2], 0, variant);
    add_durations(capture, &capture->kernels[kernel], 5000, 3);
    add_counters(capture, kernel, &launches[2], NULL);
    kernel = add_kernel(capture, &launches[3], 0, variant);
    capture->kernels[kernel].registers_per_thread = rl_value_missing(RL_NOT_COLLECTED, NULL);
    add_variant(capture, 1, 1, "lean");
    kernel = add_kernel(capture, &launches[2], 1, capture->variant_count - 1);
    add_durations(capture, &capture->kernels[kernel], 40000, 31);

    /* Kernels of no experiment, on both cards. */
    kernel = add_kernel(capture, &launches[9], 1, RL_NONE);
    add_durations(capture, &capture->kernels[kernel], 70000, 31);
    kernel = add_kernel(capture, &launches[8], 0, RL_NONE);
    add_durations(capture, &capture->kernels[kernel], 90000, 31);
}

/* Bytes that a shell, a terminal, Markdown, HTML, gnuplot or a PDF could take for more than text. */
static const char hostile[] = "\"quoted\" 'single' `touch pwned` $(touch pwned) ; | & <b>*_[x](y)_* \\n %s %n"
                              "\nsecond line\r\x1b[31mred\x1b[0m\x07\t\xff\xfe\xc0\x80\xed\xa0\x80 \xe2\x80\xae"
                              "desrever\xe2\x80\xac @x #y ~z~ {q} (p\\) end";

static void make_hostile(struct rl_capture *capture)
{
    make_suite(capture, 1, NULL);
    char *text = rl_capture_text(capture, hostile), *very_long = rl_arena_alloc(&capture->arena, 3001);
    memset(very_long, 'N', 3000);
    capture->session.host = capture->session.os = capture->session.driver = capture->session.counters = text;
    capture->session.command[1] = capture->session.tool_version = text;
    capture->gpus[0].name = text;
    capture->gpus[0].uuid = text;
    capture->experiments[0].name = capture->experiments[0].question = capture->experiments[0].source = text;
    capture->variants[0].name = capture->variants[0].result_text = text;
    capture->variants[1].name = very_long;
    capture->kernels[0].name = text;
    capture->kernels[1].name = very_long;
    capture->experiments[0].claims[0].text = capture->experiments[0].claims[0].card = text;
    capture->experiments[0].claims[0].subject = text;
    capture->kernels[1].counters[3].name = text;
    rl_capture_log(capture, 3000, RL_LOG_ERROR, "%s", hostile);
}

/* ---- a later session, for comparisons ---- */

/* What became of a launch of the normal capture. */
static const struct change {
    const char *experiment, *variant;
    double time, instructions, dram; /* factors */
    const char *kernel;              /* new name; NULL: the same */
    bool wrong, gone;
} changes[] = {
    {"coalescing", "stride_32", 0.8, 1, 0.5, NULL, false, false},
    {"register_pressure", "live128", 1.3, 1.6, 1, NULL, false, false},
    {"divergence", "coherent", 1.014, 1, 1, NULL, false, false},
    {"ilp", "serial", 1.002, 1, 1, "square<1, float>(float const*, float*, long)", false, false},
    {"ilp", "unrolled4", 1, 1, 1, NULL, false, true},
    {"transpose", "naive", 1, 1, 1, "transpose_simple(float const*, float*, int)", false, false},
    {"transpose", "tiled_padded", 0.5, 1, 1, NULL, true, false},
};

static struct launch changed(const struct launch *before, const struct change *change)
{
    struct launch after = *before;
    after.median_ns *= change->time;
    after.instructions *= change->instructions;
    after.thread_instructions *= change->instructions;
    after.fma *= change->instructions;
    after.dram_read *= change->dram;
    after.dram_write *= change->dram;
    after.kernel = change->kernel ? change->kernel : before->kernel;
    return after;
}

static const struct change *change_of(const struct launch *launch)
{
    static const struct change none = {"", "", 1, 1, 1, NULL, false, false};
    for (size_t i = 0; i < RL_COUNT(changes); i++)
        if (strcmp(changes[i].experiment, launch->experiment) == 0 && strcmp(changes[i].variant, launch->variant) == 0)
            return &changes[i];
    return &none;
}

/* The normal capture an hour later, after changes to its kernels, with two kernels more. */
static void make_after(struct rl_capture *capture)
{
    add_session(capture);
    capture->session.started = rl_capture_text(capture, "2026-11-21T11:30:40Z");
    add_gpu(capture, 0, CARD, "GH100");
    sample_passes(capture, 0);
    add_experiments(capture, RL_COUNT(experiments));
    for (size_t i = 0; i < RL_COUNT(launches); i++) {
        const struct change *change = change_of(&launches[i]);
        const struct launch after = changed(&launches[i], change);
        if (change->gone)
            continue;
        add_launch(capture, &after, 0, NULL);
        if (change->wrong) {
            struct rl_variant *variant = &capture->variants[capture->variant_count - 1];
            variant->result = RL_RESULT_WRONG;
            variant->result_text = rl_capture_text(capture, "element 17: 3.5, expected 4.25");
        }
    }
    for (uint32_t i = 0; i < 2; i++) {
        struct launch more = launches[0];
        more.grid >>= i;
        const size_t kernel = add_kernel(capture, &more, 0, RL_NONE);
        add_durations(capture, &capture->kernels[kernel], 70000, 31);
    }
}

/* The same kernels on a card with twice the clock of the memory and another name; its L2 was not counted. */
static void make_other_card(struct rl_capture *capture)
{
    make_suite(capture, RL_COUNT(experiments), NULL);
    capture->session.started = rl_capture_text(capture, "2026-11-22T09:00:00Z");
    capture->gpus[0].name = rl_capture_text(capture, "NVIDIA FASTER TEST CARD");
    capture->gpus[0].uuid = rl_capture_text(capture, "GPU-11111111-1111-1111-1111-111111111111");
    for (size_t k = 0; k < capture->kernel_count; k++) {
        struct rl_kernel *kernel = &capture->kernels[k];
        for (size_t i = 0; i < kernel->duration_count; i++)
            kernel->duration_ns[i] = kernel->duration_ns[i] * 10 / (k % 2 ? 19 : 12);
        for (size_t i = 0; i < kernel->counter_count; i++) {
            if (strcmp(kernel->counters[i].name, "dram__cycles_elapsed.avg.per_second") == 0)
                kernel->counters[i].value.v *= 2;
            if (strcmp(kernel->counters[i].name, "lts__t_sectors_srcunit_tex.sum") == 0)
                kernel->counters[i].value = rl_value_missing(RL_NOT_ON_CHIP, NULL);
        }
    }
}

/* ---- an observed program ---- */

static void add_process(struct rl_capture *capture)
{
    struct rl_process *process =
        sample_process(capture, &(struct sample_process){.pid = 4711,
                                                         .parent_pid = 4700,
                                                         .rank = "3",
                                                         .command = "python3 train.py --steps 50",
                                                         .end = "exited",
                                                         .phases = "one run: times all along, but for windows of counters",
                                                         .launches = 12480});
    process->untimed = 60;
    process->unselected = 7;
    process->status = 2;
    process->unselected_ns = 70000;
    *rl_capture_add_process_gpu(capture, 0) = (struct rl_process_gpu){0, 4000000000, 1000000000, 1100000000};
}

/* Kernels of no experiment with their use: the first two counted, the third a collective one without counters. */
static void add_classes(struct rl_capture *capture)
{
    static const char *const reasons[] = {
        NULL, NULL, "a collective kernel waits for its peers: it is never delayed or repeated, and no option counts it"};
    for (size_t i = 0; i < RL_COUNT(reasons); i++) {
        const size_t kernel = add_kernel(capture, &launches[i], 0, RL_NONE);
        add_durations(capture, &capture->kernels[kernel], 50000 * (double)(i + 1), 31);
        if (!reasons[i])
            add_counters(capture, kernel, &launches[i], NULL);
        capture->kernels[kernel].timing = rl_capture_text(capture, RL_TIMING_IN_ORDER);
        capture->kernels[kernel].launches = 4160;
        capture->kernels[kernel].total_ns = 205000000 * (uint64_t)(i + 1);
        *rl_capture_add_use(capture) = (struct rl_kernel_use){.kernel = kernel,
                                                              .timed = 4100,
                                                              .min_ns = 49000,
                                                              .max_ns = 190000,
                                                              .deviation_ns = 1200,
                                                              .counted = reasons[i] ? 0 : 3,
                                                              .uncounted = rl_capture_text(capture, reasons[i])};
    }
}

static void make_program(struct rl_capture *capture)
{
    add_session(capture);
    add_gpu(capture, 0, CARD, "GH100");
    sample_passes(capture, 0);
    add_classes(capture);
    add_process(capture);
    sample_range(capture, 0, RL_NONE, NULL, "step", 100000000);
    sample_range(capture, 0, 0, NULL, "forward", 500000000);
    sample_range(capture, 0, 1, "nccl", "reduce", 300000000);
    struct rl_transfer *transfer = sample_transfer(capture, "to device", "pinned", 50, 50 << 20, 1000000);
    transfer->slowest = rl_value_of(51.5e9);
    transfer->fastest = rl_value_missing(RL_NOT_COLLECTED, "no copy of 1 MiB or more");
}

static size_t add_step(struct rl_capture *capture, size_t parent, const char *name, uint64_t instances)
{
    sample_range(capture, 0, parent, NULL, name, 1000000)->instances = instances;
    return capture->range_count - 1;
}

/* A sweep over sizes of two types, a range without a launch, instances that were counted, and a step around some of them. */
static void make_sweep(struct rl_capture *capture, double slower)
{
    static const uint32_t sizes[] = {256, 512, 1024, 2048, 4096};
    static const char *const types[] = {"bf16", "fp32"};
    add_session(capture);
    add_gpu(capture, 0, CARD, "GH100");
    sample_passes(capture, 0);
    add_process(capture);
    const size_t step = add_step(capture, RL_NONE, "step B=8", 20);
    for (size_t t = 0; t < RL_COUNT(types); t++)
        for (size_t i = 0; i < RL_COUNT(sizes); i++) {
            char name[64];
            struct launch launch = launches[0];
            const double ns = 20000 * (double)(1u << 2 * i) * (double)(t + 1) * (i == 2 ? slower : 1);
            const double bytes = 2e12 * ns * 1e-9 * (0.3 + 0.14 * (double)i), part = 0.5 * ns / launch.median_ns;
            double *const scaled[] = {
                &launch.instructions, &launch.thread_instructions, &launch.targets,   &launch.uniform_targets, &launch.fma,
                &launch.loads,        &launch.load_sectors,        &launch.load_bytes};
            for (size_t k = 0; k < RL_COUNT(scaled); k++)
                *scaled[k] *= part;
            launch.kernel = t ? "void gemm<float>(float const*, float const*, float*, int)"
                              : "void gemm<bfloat16>(bfloat16 const*, bfloat16*, int)";
            launch.grid = sizes[i];
            launch.dram_read = 0.7 * bytes;
            launch.dram_write = 0.3 * bytes;
            launch.l2_sectors = 1.1 * bytes / 32;
            launch.l1_bytes = 1.2 * bytes;
            const size_t kernel = add_kernel(capture, &launch, 0, RL_NONE);
            add_durations(capture, &capture->kernels[kernel], ns, 31);
            add_counters(capture, kernel, &launch, NULL);
            capture->kernels[kernel].timing = rl_capture_text(capture, RL_TIMING_IN_ORDER);
            capture->kernels[kernel].launches = 20;
            capture->kernels[kernel].total_ns = (uint64_t)(20 * ns);
            *rl_capture_add_use(capture) = (struct rl_kernel_use){
                .kernel = kernel, .timed = 20, .min_ns = (uint64_t)ns, .max_ns = (uint64_t)(2 * ns), .counted = 3};
            snprintf(name, sizeof name, "gemm M=%u,N=%u,dtype=%s", sizes[i], sizes[i], types[t]);
            const size_t range = add_step(capture, i == 4 ? step : RL_NONE, name, i == 0 ? 30 : 20);
            sample_instances(capture, range, ns, 20);
            *rl_capture_add_range_kernel(capture) =
                (struct rl_range_kernel){.range = range, .kernel = kernel, .launches = 20, .total_ns = (uint64_t)(20 * ns)};
        }
    sample_instances(capture, step, 20000.0 * 256 * 3, 20);
    *rl_capture_add_instance(capture) =
        (struct rl_instance){.range = add_step(capture, RL_NONE, "empty B=1", 1), .gpu = RL_NONE, .host_ns = 500};
    sample_instances(capture, add_step(capture, RL_NONE, "counted B=1", 2), 1000, 2);
    for (size_t i = 0; i < 2; i++)
        capture->instances[capture->instance_count - 1 - i].untimed = 1;
}

static void make_cases(struct rl_capture *capture)
{
    make_sweep(capture, 1);
}

static void make_cases_after(struct rl_capture *capture)
{
    make_sweep(capture, 1.25);
    capture->session.started = rl_capture_text(capture, "2026-11-22T10:30:40Z");
}

/* Inference with a language model, two seconds of it over time; nobody was allowed to read counters. */
static void make_inference(struct rl_capture *capture)
{
    static const char *const names[] = {"void gemm_half<128, 256>(__half const*, __half const*, __half*, int)",
                                        "void attention<64>(__half const*, __half*, int)", "void rms_norm(__half*, float)"};
    add_session(capture);
    capture->session.counters = rl_capture_text(capture, "the driver lets only administrators read them");
    add_gpu(capture, 0, CARD, "GH100");
    sample_process(capture,
                   &(struct sample_process){.pid = 311, .command = "python3 serve.py", .end = "exited", .phases = "one run"});
    for (size_t i = 0; i < RL_COUNT(names); i++) {
        struct launch launch = launches[i];
        launch.kernel = names[i];
        const size_t kernel = add_kernel(capture, &launch, 0, RL_NONE);
        add_durations(capture, &capture->kernels[kernel], 20000 / (double)(i + 1), 31);
    }
    sample_inference(capture);
    struct rl_process_gpu *time = rl_capture_add_process_gpu(capture, 0);
    *time = (struct rl_process_gpu){.span_ns = 2000000000};
    for (size_t i = 0; i < capture->timeline_lane_count; i++) {
        const struct rl_timeline_lane *lane = &capture->timeline_lanes[i];
        time->busy_ns += lane->lane == RL_LANE_BUSY ? lane->total_ns : 0;
        time->kernel_ns += lane->lane >= RL_LANE_CLASS ? lane->total_ns : 0;
        if (lane->lane == RL_LANE_CLASS)
            capture->kernels[lane->kernel].total_ns = lane->total_ns;
    }
    for (size_t i = 0; i < RL_COUNT(names); i++) {
        struct rl_kernel *kernel = &capture->kernels[i];
        kernel->launches = kernel->total_ns * (i + 1) / 20000;
        kernel->timing = rl_capture_text(capture, RL_TIMING_IN_ORDER);
        *rl_capture_add_use(capture) =
            (struct rl_kernel_use){.kernel = i, .timed = kernel->launches, .min_ns = 3000, .max_ns = 90000};
    }
}

/* The same, sampled: the class with most of the time, which was not counted, has estimates, and one that was counted has them,
 * too. */
static void make_sampled(struct rl_capture *capture)
{
    static const struct {
        size_t kernel;
        enum rl_sampled_counter counter;
        double value, half_width;
    } rows[] = {{0, RL_SAMPLED_dram_read, 1, 0.01},        {2, RL_SAMPLED_sm_active, 33e6, 3e5},
                {2, RL_SAMPLED_dram_read, 180e6, 2e6},     {2, RL_SAMPLED_dram_write, 60e6, 1e6},
                {2, RL_SAMPLED_instructions, 13.2e6, 1e5}, {2, RL_SAMPLED_tensor, 0, 100},
                {2, RL_SAMPLED_shared, 2e4, 9e3},          {2, RL_SAMPLED_warps, 1056e6, 5e6}};
    make_program(capture);
    *rl_capture_add_sampling(capture) = (struct rl_gpu_sampling){
        .interval_ns = 20000, .samples = 50000, .windows = 9, .used = 49000, .shift_ns = -600, .correlation = 0.98};
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_sampled_value *row = rl_capture_add_sampled(capture);
        row->kernel = row->together = rows[i].kernel;
        row->counter = rows[i].counter;
        row->launches = 1200;
        row->per_launch = rl_value_of(rows[i].value);
        row->half_width = rl_value_of(rows[i].half_width);
        row->total = 1200 * rows[i].value;
        row->total_half_width = 1200 * rows[i].half_width;
    }
}

/* The same with a class that hardly uses DRAM: nothing but a bound is known of that. */
static void make_bounded(struct rl_capture *capture)
{
    make_sampled(capture);
    for (size_t i = 0; i < capture->sampled_count; i++) {
        struct rl_sampled_value *row = &capture->sampled[i];
        if (row->kernel != 2 || (row->counter != RL_SAMPLED_dram_read && row->counter != RL_SAMPLED_dram_write))
            continue;
        row->per_launch = rl_value_of(5);
        row->half_width = rl_value_of(180);
        row->total = 1200 * 5;
        row->total_half_width = 1200 * 180;
    }
}

/* ---- where warps stand ---- */

enum { STALL_LINES = 14 };

static void add_stall(struct rl_capture *capture, enum rl_stall_reason reason, uint64_t samples)
{
    *rl_capture_add_pc_stall(capture) =
        (struct rl_pc_stall){.instruction = capture->pc_instruction_count - 1, .reason = reason, .samples = samples};
}

static void add_function(struct rl_capture *capture, size_t kernel, bool lines)
{
    struct rl_pc_function *function = rl_capture_add_pc_function(capture);
    function->name = rl_capture_text(capture, lines ? "_Z13stride_kernelPf" : "_Z8pressurePf");
    for (size_t i = 0; i < capture->kernel_count; i++) /* all classes of it */
        if (strcmp(capture->kernels[i].name, capture->kernels[kernel].name) == 0)
            capture->kernels[i].mangled = function->name;
    function->cubin = rl_capture_text(capture, "00000000c0b1f00d");
    function->lines = lines;
}

/* The same program with its instructions sampled: two classes of one kernel have lines with a text, the other kernel none. */
static void make_stalls(struct rl_capture *capture)
{
    make_program(capture);
    *rl_capture_add_pc_sampling(capture) = (struct rl_pc_sampling){.period = 16, .samples = 200000, .others = 200};
    rl_capture_add_source_file(capture)->path = rl_capture_text(capture, "/src/solver/step.cu");
    for (uint32_t i = 0; i < STALL_LINES; i++)
        *rl_capture_add_source_line(capture) = (struct rl_source_line){
            .number = 30 + i, .text = i ? rl_arena_printf(&capture->arena, "    sum[%u] += in[next[%u]];", i, i) : NULL};
    add_function(capture, 1, true);
    for (size_t i = 0; i < STALL_LINES; i++) {
        *rl_capture_add_pc_instruction(capture) = (struct rl_pc_instruction){.offset = 16 * i, .line = i};
        if (i != 1)
            *rl_capture_add_pc_text(capture) = (struct rl_pc_text){
                i, i % 2 ? rl_arena_printf(&capture->arena, "FADD R%zu, R%zu, R2", i, i + 20)
                         : rl_arena_printf(&capture->arena, "LDG.E.64 R%zu, desc[UR4][R%zu.64+0x10]", i, i + 20)};
        add_stall(capture, RL_STALL_selected, 10);
        add_stall(capture, RL_STALL_long_scoreboard, 1000 * (STALL_LINES - i));
        add_stall(capture, RL_STALL_barrier, 300);
    }
    *rl_capture_add_pc_instruction(capture) = (struct rl_pc_instruction){.rest = true, .line = RL_NONE};
    add_stall(capture, RL_STALL_wait, 50);
    add_function(capture, 2, false);
    *rl_capture_add_pc_instruction(capture) = (struct rl_pc_instruction){.function = 1, .offset = 0x1a0, .line = RL_NONE};
    add_stall(capture, RL_STALL_short_scoreboard, 3000);
}

/* The same from a report that has counts of instructions: all of the first one, no threads of the second function, and of the third
 * instruction sectors without the fewest. */
static void make_stalls_counted(struct rl_capture *capture)
{
    static const struct rl_pc_counted counts[] = {
        {0, RL_PC_executed, 100},  {0, RL_PC_threads, 3000},
        {0, RL_PC_sectors, 1600},  {0, RL_PC_ideal_sectors, 200},
        {0, RL_PC_wavefronts, 64}, {0, RL_PC_ideal_wavefronts, 64},
        {1, RL_PC_executed, 50},   {2, RL_PC_executed, 10},
        {2, RL_PC_sectors, 40},    {STALL_LINES + 1, RL_PC_executed, 77},
    };
    make_stalls(capture);
    for (size_t i = 0; i < RL_COUNT(counts); i++)
        *rl_capture_add_pc_counted(capture) = counts[i];
}

/* The same a day later: its fourth line waits for three times as many, and the file could be read to its first line. */
static void make_stalls_after(struct rl_capture *capture)
{
    make_stalls(capture);
    capture->session.started = rl_capture_text(capture, "2026-11-22T10:30:40Z");
    capture->source_lines[0].text = rl_capture_text(capture, "    double sum[16];");
    for (size_t i = 0; i < capture->pc_stall_count; i++)
        capture->pc_stalls[i].samples *= capture->pc_stalls[i].instruction == 3 ? 3 : 1;
}

/* ---- a kernel of many shapes ---- */

/* Launches of one class: of `times` launches the first `timed` took `ns` each. */
static void add_class(struct rl_capture *capture, const struct launch *launch, uint64_t times, uint64_t timed, uint64_t ns,
                      uint64_t counted)
{
    enum { SAMPLES = 6 };
    const size_t kernel = add_kernel(capture, launch, 0, RL_NONE);
    struct rl_kernel *of = &capture->kernels[kernel];
    of->launches = times;
    of->total_ns = timed * ns;
    of->timing = timed ? rl_capture_text(capture, RL_TIMING_IN_ORDER) : NULL;
    of->duration_count = timed < SAMPLES ? (size_t)timed : SAMPLES;
    of->duration_ns = rl_arena_alloc(&capture->arena, SAMPLES * sizeof *of->duration_ns);
    for (size_t i = 0; i < of->duration_count; i++)
        of->duration_ns[i] = ns;
    if (counted)
        add_counters(capture, kernel, launch, NULL);
    *rl_capture_add_use(capture) = (struct rl_kernel_use){.kernel = kernel,
                                                          .timed = timed,
                                                          .min_ns = timed ? ns : 0,
                                                          .max_ns = timed ? ns : 0,
                                                          .deviation_ns = timed ? 10 : 0,
                                                          .counted = counted};
    if (!counted)
        capture->uses[capture->use_count - 1].uncounted = rl_capture_text(
            capture, "other configurations of this kernel were counted and stand for it: no option counts every configuration");
}

/* 511 grids of one kernel, 109 launches each: a launch on n blocks takes 2000 ns + 10 ns n, does 2048 n FLOP and moves 1024 n
 * bytes, from more than 200 blocks on 20 times as many: then DRAM limits it. Up to 100 blocks all are timed, then 100 of 109, of
 * the greatest 3. Five grids are counted. Beside them a kernel of one shape, and one launch that was not timed. 56,000 launches in
 * all. */
static void make_families(struct rl_capture *capture)
{
    enum { GRIDS = 511, EACH = 109, ALL = 56000, ONCE = 1, OTHERS = ALL - GRIDS * EACH - ONCE };
    struct launch launch = {.kernel = "lud_internal(float*, int, int)", .block = 256, .registers = 32, .occupancy_percent = 50};
    add_session(capture);
    add_gpu(capture, 0, CARD, "GH100");
    sample_passes(capture, 0);
    for (uint32_t n = 1; n <= GRIDS; n++) {
        const double size = n;
        launch.grid = n;
        launch.median_ns = 2000 + 10 * size;
        launch.fma = 1024 * size;
        const double traffic = n > 200 ? 20 * size : size;
        launch.dram_read = launch.dram_write = 512 * traffic;
        launch.l2_sectors = 32 * traffic;
        launch.l1_bytes = 2048 * traffic;
        launch.instructions = 64 * size;
        launch.thread_instructions = 2048 * size;
        launch.targets = launch.uniform_targets = launch.loads = 8 * size;
        launch.load_sectors = 32 * size;
        launch.load_bytes = 1024 * size;
        launch.occupancy_percent = 10 + size / 10;
        const uint64_t timed = n <= 100 ? EACH : n < GRIDS ? 100 : 3;
        add_class(capture, &launch, EACH, timed, 2000 + 10 * n, n % 100 == 0 ? 2 : 0);
    }
    launch.grid = 1;
    launch.kernel = "lud_diagonal(float*, int, int)";
    launch.median_ns = 100000;
    add_class(capture, &launch, OTHERS, OTHERS, 100000, 2);
    launch.kernel = "lud_once(float*)";
    add_class(capture, &launch, ONCE, 0, 0, 0);
    uint64_t timed_ns = 0;
    for (size_t i = 0; i < capture->kernel_count; i++)
        timed_ns += capture->kernels[i].total_ns;
    struct rl_process *process =
        sample_process(capture, &(struct sample_process){.pid = 4711,
                                                         .parent_pid = 4700,
                                                         .command = "./lud -s 8192",
                                                         .end = "exited",
                                                         .phases = "one run: times all along, but for windows of counters",
                                                         .launches = ALL});
    process->untimed = 410 * 9 + 106 + ONCE;
    *rl_capture_add_process_gpu(capture, 0) = (struct rl_process_gpu){0, 1000000000, 300000000, timed_ns};
}

/* Nine classes without counters for seven reasons; two have one in common, and two others another one. */
static void make_uncounted(struct rl_capture *capture)
{
    static const unsigned reasons[] = {1, 2, 3, 4, 5, 6, 6, 7, 7};
    struct launch launch = {.block = 256, .registers = 32, .grid = 64};
    struct rl_process *process = rl_capture_add_process(capture);
    add_session(capture);
    add_gpu(capture, 0, CARD, "GH100");
    for (size_t i = 0; i < RL_COUNT(reasons); i++) {
        char *name = rl_arena_printf(&capture->arena, "stage_%zu(float*)", i);
        launch.kernel = name;
        launch.median_ns = 1000 * (double)(RL_COUNT(reasons) - i);
        add_class(capture, &launch, 10, 10, 1000 * (RL_COUNT(reasons) - i), 0);
        capture->uses[i].uncounted = rl_arena_printf(&capture->arena, "reason %u: no option counts it", reasons[i]);
    }
    *process = (struct rl_process){.pid = 4711, .launches = 90};
    process->command = rl_capture_text(capture, "./solve");
    process->end = rl_capture_text(capture, "exited");
    process->phases = rl_capture_text(capture, "one run: times all along");
    *rl_capture_add_process_gpu(capture, 0) = (struct rl_process_gpu){0, 1000000, 500000, 450000};
}

/* ---- links ---- */

/* Eight GPUs, one link slow, one not measured, half of the way to the host shared. */
static void make_links(struct rl_capture *capture)
{
    add_session(capture);
    capture->session.counters = rl_capture_text(capture, "not collected: only links were measured");
    sample_machine_links(
        capture, &(struct sample_machine){
                     .gpus = 8, .switched = true, .slow_from = 2, .slow_to = 3, .failed_from = 6, .failed_to = 1, .together = 0.5});
}

/* Four GPUs without NVLink: the halves reach one another through the host only. */
static void make_links_pcie(struct rl_capture *capture)
{
    add_session(capture);
    capture->session.counters = rl_capture_text(capture, "not collected: only links were measured");
    sample_machine_links(capture, &(struct sample_machine){.gpus = 4, .together = 1});
}

/* ---- ranks ---- */

/* Rank `number` of a program of which rank 1 is slow. */
static void make_rank(struct rl_capture *capture, int number)
{
    const struct sample_rank of = sample_rank_of(number, 1);
    sample_rank(capture, &of);
}
static void make_rank_0(struct rl_capture *capture)
{
    make_rank(capture, 0);
}
static void make_rank_1(struct rl_capture *capture)
{
    make_rank(capture, 1);
}
static void make_rank_2(struct rl_capture *capture)
{
    make_rank(capture, 2);
}
/* Another program on another card, killed. */
static void make_rank_5(struct rl_capture *capture)
{
    make_rank(capture, 5);
    capture->gpus[0].name = rl_capture_text(capture, "ANOTHER CARD");
    capture->processes[0].command = rl_capture_text(capture, "./other");
    capture->processes[0].end = rl_capture_text(capture, "killed");
    capture->processes[0].status = 9;
}

/* ---- damage done to the file's bytes ---- */

enum { USER_VERSION_AT = 60, APPLICATION_ID_AT = 68 }; /* in the header of an SQLite file, 4 bytes, big-endian */

static void truncate_bytes(struct rl_buf *bytes)
{
    rl_buf_truncate(bytes, bytes->len / 2);
}

static void empty_bytes(struct rl_buf *bytes)
{
    rl_buf_reset(bytes);
}

static void other_version(struct rl_buf *bytes)
{
    memcpy(bytes->data + USER_VERSION_AT, (char[]){0, 0, 0, 99}, 4);
}

static void other_database(struct rl_buf *bytes)
{
    memcpy(bytes->data + APPLICATION_ID_AT, (char[]){0, 0, 0, 0}, 4);
}

static void flip_pages(struct rl_buf *bytes)
{
    for (size_t i = 4096; i < bytes->len; i += 512)
        bytes->data[i] ^= 0x5a;
}

static void plain_text(struct rl_buf *bytes)
{
    rl_buf_reset(bytes);
    rl_buf_adds(bytes, "This is a letter, not a capture.\n");
}

static const struct {
    const char *name;
    void (*make)(struct rl_capture *capture);
    void (*damage)(struct rl_buf *bytes);
    struct rl_capture *(*whole)(void); /* of the fixtures, in place of `make` */
} recipes[] = {
    {"normal", make_normal, NULL},
    {"again", make_again, NULL},
    {"sets", make_sets, NULL},
    {"named", make_named, NULL},
    {"empty", make_empty, NULL},
    {"incomplete", make_incomplete, NULL},
    {"not-permitted", make_not_permitted, NULL},
    {"gaps", make_gaps, NULL},
    {"hostile", make_hostile, NULL},
    {"after", make_after, NULL},
    {"other-card", make_other_card, NULL},
    {"program", make_program, NULL},
    {"sampled", make_sampled, NULL},
    {"bounded", make_bounded, NULL},
    {"inference", make_inference, NULL},
    {"cases", make_cases, NULL},
    {"cases-after", make_cases_after, NULL},
    {"stalls", make_stalls, NULL},
    {"stalls-after", make_stalls_after, NULL},
    {"stalls-counted", make_stalls_counted, NULL},
    {"families", make_families, NULL},
    {"uncounted", make_uncounted, NULL},
    {"rank-0", make_rank_0, NULL},
    {"rank-1", make_rank_1, NULL},
    {"rank-2", make_rank_2, NULL},
    {"rank-5", make_rank_5, NULL},
    {"links", make_links, NULL},
    {"links-pcie", make_links_pcie, NULL},
    {.name = "full", .whole = full_program},
    {"truncated", make_normal, truncate_bytes},
    {"nothing", make_normal, empty_bytes},
    {"version-99", make_normal, other_version},
    {"database", make_normal, other_database},
    {"damaged", make_normal, flip_pages},
    {"letter", make_normal, plain_text},
};

static enum rl_status make(size_t recipe, const char *folder, struct rl_err *err)
{
    struct rl_capture *capture = recipes[recipe].whole ? recipes[recipe].whole() : rl_capture_new();
    struct rl_buf bytes = RL_BUF_INIT, path = RL_BUF_INIT;
    if (recipes[recipe].make)
        recipes[recipe].make(capture);
    rl_buf_addf(&path, "%s/%s.rlcap", folder, recipes[recipe].name);
    enum rl_status status = rl_capture_write_bytes(capture, &bytes, err);
    if (status == RL_OK && recipes[recipe].damage)
        recipes[recipe].damage(&bytes);
    if (status == RL_OK)
        status = rl_write_file_atomic(path.data, bytes.data, bytes.len, err);
    rl_buf_release(&path);
    rl_buf_release(&bytes);
    rl_capture_free(capture);
    return status;
}

int main(int argc, char **argv)
{
    struct rl_err err = RL_ERR_INIT;
    if (argc != 2) {
        fprintf(stderr, "usage: make_captures FOLDER\n");
        return 2;
    }
    for (size_t i = 0; i < RL_COUNT(recipes); i++) {
        if (make(i, argv[1], &err) != RL_OK) {
            fprintf(stderr, "make_captures: %s: %s\n", recipes[i].name, err.text);
            return 1;
        }
    }
    return 0;
}
