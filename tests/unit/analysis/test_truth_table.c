/* What limits the launches of the suite, which is so by construction of their kernels, on the captures in samples/. */
#include "rl_test.h"

#include <fnmatch.h>
#include <string.h>

#include "analysis/analysis.h"
#include "capture/capture.h"

enum { H200 = 1, H100 = 2, ALL = H200 | H100 };

struct truth {
    const char *label; /* pattern: of the launches */
    unsigned cards;
    enum rl_bound bound;
    enum rl_resource limiter; /* RL_RESOURCE_COUNT: none */
    const char *why;          /* part of the sentence; NULL: anything */
};

#define NONE RL_RESOURCE_COUNT

static const struct truth table[] = {
    {"transpose / copy", ALL, RL_BOUND_MEMORY, RL_RESOURCE_dram, "measured"},
    {"vector_width / float4", ALL, RL_BOUND_MEMORY, RL_RESOURCE_dram, NULL},
    /* One element a thread: blocks cannot be started fast enough for the DRAM of the H200; that of the H100 is slower. */
    {"coalescing / stride_1", H200, RL_BOUND_DISPATCH, RL_RESOURCE_dispatch, NULL},
    {"coalescing / stride_1", H100, RL_BOUND_MEMORY, RL_RESOURCE_dram, NULL},
    {"vector_width / float", H200, RL_BOUND_DISPATCH, RL_RESOURCE_dispatch, NULL},
    {"vector_width / float", H100, RL_BOUND_MEMORY, RL_RESOURCE_dram, NULL},
    {"block_size / 256", H200, RL_BOUND_DISPATCH, RL_RESOURCE_dispatch, NULL},
    {"block_size / 256", H100, RL_BOUND_MEMORY, RL_RESOURCE_dram, NULL},
    {"block_size / 32", ALL, RL_BOUND_DISPATCH, RL_RESOURCE_dispatch, NULL},
    {"block_size / 64", ALL, RL_BOUND_DISPATCH, RL_RESOURCE_dispatch, NULL},
    {"transpose / tiled_padded", ALL, RL_BOUND_MEMORY, RL_RESOURCE_dram, NULL},
    {"read_only / *", ALL, RL_BOUND_MEMORY, RL_RESOURCE_l1, NULL},
    {"fast_math / sinf", ALL, RL_BOUND_COMPUTE, RL_RESOURCE_issue, NULL},
    {"divergence / arithmetic_divergent", ALL, RL_BOUND_COMPUTE, RL_RESOURCE_issue, NULL},
    {"matmul / tensor", ALL, RL_BOUND_COMPUTE, RL_RESOURCE_tensor, NULL},
    {"precision / fp64", ALL, RL_BOUND_COMPUTE, RL_RESOURCE_fp64, NULL},
    /* A fused multiply-add in every cycle takes all of the pipe and all issue slots. */
    {"precision / fp32", ALL, RL_BOUND_COMPUTE, RL_RESOURCE_issue, NULL},
    {"ilp / *", ALL, RL_BOUND_PARALLELISM, NONE, "of the SMs"},
    {"staging / sync_balanced", ALL, RL_BOUND_PARALLELISM, NONE, "block slots have a block"},
    /* Wavefronts of shared memory go through the data stage of L1, with those of all other accesses. */
    /* Padding removes the conflicts and leaves the accesses, of which the kernel has nothing but: see what_padding_leaves. */
    {"bank_conflicts / column*", ALL, RL_BOUND_MEMORY, RL_RESOURCE_l1_data, "measured"},
    {"transpose / tiled", ALL, RL_BOUND_MEMORY, RL_RESOURCE_l1_data, "measured"},
    {"reduction / atomic", ALL, RL_BOUND_MEMORY, RL_RESOURCE_atomics, "measured"},
    {"histogram / global_atomics: histogram_global_kernel", ALL, RL_BOUND_MEMORY, RL_RESOURCE_atomic_unit, NULL},
    {"transpose / naive", ALL, RL_BOUND_MEMORY, RL_RESOURCE_l2_input, "of its theoretical roof"}, /* 32 requests for a store */
    {"coalescing / stride_32", ALL, RL_BOUND_LATENCY, NONE, "the queue is saturated"},
    {"records / *", ALL, RL_BOUND_MEMORY, RL_RESOURCE_dram, "measured"},
    {"working_set / 4m", ALL, RL_BOUND_MEMORY, RL_RESOURCE_l2_read, "measured"},
    {"working_set / 512m", ALL, RL_BOUND_MEMORY, RL_RESOURCE_dram, "measured"},
    {"latency / *", ALL, RL_BOUND_PARALLELISM, NONE, "of the SMs"},
    {"launch_shape / one_block", ALL, RL_BOUND_PARALLELISM, NONE, "of the SMs"},
    {"launch_shape / one_too_many", ALL, RL_BOUND_PARALLELISM, NONE, "of the SMs"},
    {"fast_math / sinf_fast", ALL, RL_BOUND_COMPUTE, RL_RESOURCE_pipe_xu, NULL},
    /* Only the runs were timed as a whole; their time lines have each launch. */
    {"launch_overhead / launch*", ALL, RL_BOUND_LAUNCH, NONE, "on the timeline of a run"},
    {"launch_overhead / grid_barrier*", ALL, RL_BOUND_UNKNOWN, NONE, "not timed"}, /* one launch, of a thousand barriers */
};

static bool is_of(const char *label, const char *pattern)
{
    return fnmatch(pattern, label, 0) == 0;
}

static void check(const struct rl_kernel_result *result, const struct truth *truth)
{
    const struct rl_limiting *limits = &result->limits;

    if (limits->bound != truth->bound || limits->limiter != truth->limiter || (truth->why && !strstr(limits->why, truth->why)))
        fail_msg("%s: bound %d, limiter %s: %s", result->label, limits->bound,
                 limits->limiter < RL_RESOURCE_COUNT ? rl_resources[limits->limiter].id : "none", limits->why);
}

static void hold(const char *path, unsigned card)
{
    struct rl_capture *capture;
    struct rl_err err = RL_ERR_INIT;

    assert_int_equal(rl_capture_read(path, &capture, &err), RL_OK);
    struct rl_analysis *analysis = rl_analysis_new(capture);
    for (size_t t = 0; t < sizeof table / sizeof table[0]; t++) {
        size_t found = 0;
        for (size_t i = 0; i < capture->kernel_count && table[t].cards & card; i++)
            if (is_of(analysis->kernels[i].label, table[t].label)) {
                check(&analysis->kernels[i], &table[t]);
                if (table[t].bound == RL_BOUND_LAUNCH) /* and so are their runs, of which nothing else is known */
                    assert_int_equal(analysis->variants[capture->kernels[i].variant].place.bound, RL_BOUND_LAUNCH);
                found++;
            }
        if (found == 0 && table[t].cards & card)
            fail_msg("%s has no %s", path, table[t].label);
    }
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

static const struct rl_kernel_result *of_label(const struct rl_analysis *analysis, const char *label)
{
    for (size_t i = 0; i < analysis->capture->kernel_count; i++)
        if (strcmp(analysis->kernels[i].label, label) == 0)
            return &analysis->kernels[i];
    fail_msg("no %s", label);
    return NULL;
}

/* A warp of bank_conflicts fills a tile of 32 columns, moves it on 25 times, reading and writing every column, and reads it back:
 * 1664 accesses, and 32,768 warps. Padded they are as many wavefronts, so that nothing is left to remove, and at one a cycle on
 * each SM they alone take nearly all of the time: shared memory limits that, too, though no conflict does. Its DRAM traffic does
 * not. */
static void what_padding_leaves(void **state)
{
    static const char *const samples[] = {RL_SOURCE_DIR "/samples/h200.rlcap", RL_SOURCE_DIR "/samples/h100.rlcap"};
    const double accesses = (32 + 25 * 64 + 32) * 32768.0;
    (void)state;

    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        struct rl_capture *capture;
        struct rl_err err = RL_ERR_INIT;
        assert_int_equal(rl_capture_read(samples[i], &capture, &err), RL_OK);
        struct rl_analysis *analysis = rl_analysis_new(capture);
        const struct rl_kernel_result *column = of_label(analysis, "bank_conflicts / column"),
                                      *padded = of_label(analysis, "bank_conflicts / column_padded");
        const double sms = capture->gpus[0].fact[RL_FACT_sm_count].v, hertz = padded->metric[RL_METRIC_sm_clock_hz].v;
        assert_true(padded->metric[RL_METRIC_shared_wavefronts].v == accesses);
        assert_true(column->metric[RL_METRIC_shared_wavefronts].v == 32 * accesses);
        const double least_s = accesses / (sms * hertz); /* from nothing that the engine has worked out */
        assert_true(least_s / padded->duration.median > 0.8 && least_s / padded->duration.median < 1);
        assert_true(padded->limits.of[RL_RESOURCE_dram].share.v < RL_BOUND_SHARE);
        assert_int_equal(column->judgement[RL_RULE_bank_conflicts].verdict, RL_RULE_SPOKE);
        assert_int_equal(padded->judgement[RL_RULE_bank_conflicts].verdict, RL_RULE_SILENT);
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
}

/* Rules whose sentence names a cause, on launches that have it by construction and on launches that have another one. */
static const struct {
    const char *path, *label;
    enum rl_rule rule;
    bool speaks;
} causes[] = {
    {"h200", "bank_conflicts / column", RL_RULE_bank_conflicts, true},
    {"h200", "transpose / tiled", RL_RULE_bank_conflicts, true},
    {"h200", "transpose / tiled_padded", RL_RULE_bank_conflicts, false},
    {"h200", "matmul / tiled", RL_RULE_bank_conflicts, false}, /* loads of 16 bytes, two wavefronts each */
    {"h200", "matmul / tiled_pipeline", RL_RULE_bank_conflicts, false},
    {"h200", "latency / 8m", RL_RULE_pass_slower, true},            /* the counted chain meets a colder cache */
    {"programs/babelstream-h200", "*", RL_RULE_pass_slower, false}, /* their ranges are longer, their kernels not */
    {"programs/lulesh-h200", "*", RL_RULE_pass_slower, false},
    {"programs/ddp-2xh200", "*", RL_RULE_pass_slower, false},
    {"h200", "launch_shape / one_too_many", RL_RULE_partial_wave, true},
    {"h200", "launch_shape / one_wave", RL_RULE_partial_wave, false},
    {"h200", "divergence / arithmetic_divergent", RL_RULE_divergence, true},
    {"h200", "launch_shape / blocks_of_40", RL_RULE_divergence, false}, /* lanes without threads */
    {"h200", "coalescing / stride_32", RL_RULE_queue_saturated, true},
    {"h200", "staging / sync_balanced", RL_RULE_queue_saturated, false},
    {"h200", "scan / blelloch", RL_RULE_low_l2_hits, true},
    {"h200", "transpose / copy", RL_RULE_low_l2_hits, false}, /* nothing is used again */
    {"h200", "carveout / l1", RL_RULE_occupancy_not_reached, true},
    {"h200", "matmul / tensor", RL_RULE_occupancy_registers, false}, /* few warps, and the tensor cores are used */
    {"h200", "working_set / 4m", RL_RULE_low_l1_hits, true},
    {"h200", "transpose / copy", RL_RULE_low_l1_hits, false},
    {"h200", "*", RL_RULE_host_memory, false}, /* the background of the whole card */
    {"h100", "*", RL_RULE_host_memory, false},
};

static void rules_speak_of_their_cause_alone(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof causes / sizeof causes[0]; c++) {
        struct rl_capture *capture;
        struct rl_err err = RL_ERR_INIT;
        char path[256];
        size_t of_label = 0;
        snprintf(path, sizeof path, RL_SOURCE_DIR "/samples/%s.rlcap", causes[c].path);
        assert_int_equal(rl_capture_read(path, &capture, &err), RL_OK);
        struct rl_analysis *analysis = rl_analysis_new(capture);
        for (size_t i = 0; i < capture->kernel_count; i++) {
            const struct rl_kernel_result *result = &analysis->kernels[i];
            if (!is_of(result->label, causes[c].label))
                continue;
            of_label++;
            if ((result->judgement[causes[c].rule].verdict == RL_RULE_SPOKE) != causes[c].speaks)
                fail_msg("%s: %s: %s", path, result->label, rl_rules[causes[c].rule].id);
        }
        assert_true(of_label > 0);
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
}

static void launches_of_the_h200(void **state)
{
    (void)state;
    hold(RL_SOURCE_DIR "/samples/h200.rlcap", H200);
}

static void launches_of_the_h100(void **state)
{
    (void)state;
    hold(RL_SOURCE_DIR "/samples/h100.rlcap", H100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_of_the_h200),
        cmocka_unit_test(launches_of_the_h100),
        cmocka_unit_test(rules_speak_of_their_cause_alone),
        cmocka_unit_test(what_padding_leaves),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
