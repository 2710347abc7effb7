/* Invariants of counters: each on a launch that just keeps it and on one that breaks it, the consequences of a broken one, and
 * the launches of the captures in samples/. */
#include "rl_test.h"

#include <math.h>

#include "analysis/analysis.h"
#include "analysis/invariants.h"
#include "core/mem.h"
#include "fixtures/capture.h"
#include "fixtures/why.h"
#include "internal.h"

#define SASS(name) "smsp__sass_" name ".sum"

/* ---- every row ---- */

/* A counter of a launch that keeps all others: the last value that says nothing, and the first that breaks the row. */
static const struct {
    const char *id, *counter;
    double keeps, breaks;
} cases[] = {
    /* 10 a cycle for 100 cycles and 20 of another pipe: 2 % more than 1000 instructions */
    {"pipes_within_issued", "sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active", 100, 100.1},
    /* 20 of ALU, 300 of LSU */
    {"all_pipes_within_issued", "sm__inst_executed_pipe_tensor.sum", 700, 701},
    {"other_pipes_within_cycles", "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active", 102, 102.1},
    {"accesses_within_issued", SASS("inst_executed_op_shared"), 953, 954}, /* 60 of global memory, 7 atomics, and 2 % */
    {"lanes_within_warps", SASS("thread_inst_executed"), 32000, 32001},    /* 1000 warps */
    {"predicated_within_lanes", SASS("thread_inst_executed_pred_on"), 24000, 24001},
    {"arithmetic_within_lanes", SASS("thread_inst_executed_op_fadd_pred_on"), 5150, 5151}, /* 7600 others of 12500 and 2 % */
    {"uniform_within_targets", SASS("branch_targets_threads_uniform"), 80, 81},
    {"cycles_within_time", "sm__cycles_elapsed.max", 2575, 2576},    /* 1 GHz, 2.5 us and 3 % */
    {"range_within_work", "gpu__time_duration.sum", 110000, 110032}, /* 100 cycles of 10 SMs at 1 GHz, ten times that, 0.1 ms */
    {"active_within_elapsed", "sm__cycles_active.avg", 127.5, 127.6},
    {"pipes_within_cycles", "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active", 102, 102.1},
    {"l2_input_within_cycles", "lts__xbar2lts_cycles_active.avg", 2040, 2041}, /* 0.8 GHz for 2.5 us are 2000 */
    {"atomics_within_cycles", "lts__d_atomic_input_cycles_active.max", 2040, 2041},
    {"occupancy_within_limit", "sm__warps_active.avg.pct_of_peak_sustained_active", 102, 102.1},
    {"l1_hits_within_sectors", "l1tex__t_sectors_lookup_hit.sum", 440, 441},
    {"accesses_within_l1", SASS("l1tex_t_sectors_pipe_lsu_mem_global_op_ld"), 353, 354}, /* 100 others of 440 and 3 % */
    {"shared_within_data_stage", SASS("l1tex_pipe_lsu_wavefronts_mem_shared"), 1020, 1021},
    {"l2_within_lookups", "lts__t_tag_requests_miss.sum", 5, 4},          /* 4 x 50 look-ups and 1 % for 200 sectors */
    {"l2_within_l1", "l1tex__t_bytes.sum", 6275, 6274},                   /* 6400 of L2 */
    {"dram_reads_within_l2", "dram__bytes_read.sum", 1063440, 1063441},   /* 5 % over 2 x 6400 and a megabyte */
    {"dram_writes_within_l2", "dram__bytes_write.sum", 2106720, 2106721}, /* 5 % over 6400, 1 MB of L2 and a megabyte */
};

static struct rl_capture *whole_launch(void)
{
    static const struct {
        const char *counter;
        double value;
    } more[] = {
        {"sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active", 1},
        {"sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active", 30},
        {"sm__inst_executed_pipe_tex.avg.pct_of_peak_sustained_active", 0},
        {"sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active", 0},
        {"sm__inst_executed_pipe_uniform.avg.pct_of_peak_sustained_active", 0},
        {"sm__inst_executed_pipe_tma.avg.pct_of_peak_sustained_active", 0},
        {"sm__inst_executed_pipe_uniform.sum.peak_sustained", 10},
        {"sm__inst_executed_pipe_tma.sum.peak_sustained", 10},
        {"sm__inst_executed_pipe_tensor.sum", 0},
        {"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active", 0},
        {"sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active", 20},
        {"sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_active", 5},
        {"lts__xbar2lts_cycles_active.avg", 200},
        {"lts__d_atomic_input_cycles_active.max", 7},
        {"l1tex__data_pipe_lsu_wavefronts.sum", 1000},
    };
    struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
    const size_t kernel = sample_full_kernel(capture, "k");

    capture->gpus[0].fact[RL_FACT_l2_bytes] = rl_value_of(1e6);
    for (size_t i = 0; i < RL_COUNT(more); i++)
        sample_set(capture, kernel, more[i].counter, rl_value_of(more[i].value));
    return capture;
}

static size_t row_of(const char *id)
{
    size_t i = 0;
    while (i < RL_INVARIANT_COUNT && strcmp(rl_invariants[i].id, id) != 0)
        i++;
    assert_true(i < RL_INVARIANT_COUNT);
    return i;
}

/* All resources of a row without a share, for its reason. */
static void assert_unjudged(const struct rl_kernel_result *result, const struct rl_invariant_info *row)
{
    for (size_t r = 0; r < RL_RESOURCE_COUNT; r++) {
        const struct rl_limit *limit = &result->limits.of[r];
        if (rl_is_listed(row->resources ? row->resources : "", rl_resources[r].id) && rl_present(limit->share))
            fail_msg("%s: judged by %s", row->id, rl_resources[r].id);
        if (limit->unjudged)
            assert_non_null(strstr(rl_value_reason(limit->share), result->contradicts));
    }
    for (size_t m = 0; m < RL_METRIC_COUNT; m++)
        if (rl_is_listed(row->metrics ? row->metrics : "", rl_metrics[m].id))
            assert_int_equal(result->metric[m].state, RL_DISAGREES);
}

static void check_case(size_t i, bool breaks)
{
    const size_t invariant = row_of(cases[i].id);
    struct rl_capture *capture = whole_launch();
    sample_set(capture, 0, cases[i].counter, rl_value_of(breaks ? cases[i].breaks : cases[i].keeps));
    struct rl_analysis *analysis = rl_analysis_new(capture);
    const struct rl_kernel_result *result = &analysis->kernels[0];
    if (result->broken != (breaks ? 1u << invariant : 0))
        fail_msg("%s at %g: %s", cases[i].id, breaks ? cases[i].breaks : cases[i].keeps,
                 result->contradicts ? result->contradicts : "nothing is broken");
    assert_int_equal(result->judgement[RL_RULE_contradiction].verdict,
                     breaks && !rl_invariants[invariant].quiet ? RL_RULE_SPOKE : RL_RULE_SILENT);
    if (breaks)
        assert_unjudged(result, &rl_invariants[invariant]);
    else
        assert_null(result->contradicts);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* Counters that contradict each other are not used: a rate that they give is no statement about a roof as well. */
static void contradicting_counters_are_above_no_roof(void **state)
{
    (void)state;
    for (size_t i = 0; i < RL_COUNT(cases); i++)
        for (int far = 1; far <= 1000; far *= 10) {
            struct rl_capture *capture = whole_launch();
            sample_set(capture, 0, "sm__cycles_elapsed.avg.per_second", rl_value_of(1e9 / far)); /* roofs at that clock */
            const double value = cases[i].breaks > cases[i].keeps ? cases[i].breaks * far : cases[i].breaks / far;
            sample_set(capture, 0, cases[i].counter, rl_value_of(value));
            struct rl_analysis *analysis = rl_analysis_new(capture);
            const struct rl_kernel_result *result = &analysis->kernels[0];
            if (result->contradictions && result->judgement[RL_RULE_above_roof].verdict == RL_RULE_SPOKE)
                fail_msg("%s at %g: %s; and above the %s", cases[i].id, value, result->contradicts, result->above_roof);
            rl_analysis_free(analysis);
            rl_capture_free(capture);
        }
}

static void every_invariant_is_kept_and_broken(void **state)
{
    (void)state;
    for (size_t i = 0; i < RL_COUNT(cases); i++) {
        check_case(i, false);
        check_case(i, true);
    }
}

static void every_invariant_has_a_case_and_real_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < RL_INVARIANT_COUNT; i++) {
        const struct rl_invariant_info *row = &rl_invariants[i];
        size_t c = 0, named = 0, listed = 0;
        while (c < RL_COUNT(cases) && strcmp(cases[c].id, row->id) != 0)
            c++;
        if (c == RL_COUNT(cases))
            fail_msg("%s has no case in test_invariants.c", row->id);
        assert_true(row->resources || row->metrics);
        assert_true(strstr(row->words, "{part}") || row->quiet); /* others stand for many kernels alike */
        assert_true(strlen(row->source) > 0);
        for (const char *at = row->resources ? row->resources : ""; *at; at += strcspn(at, " "), at += strspn(at, " "))
            listed++;
        for (size_t r = 0; r < RL_RESOURCE_COUNT; r++)
            named += rl_is_listed(row->resources ? row->resources : "", rl_resources[r].id);
        if (named != listed)
            fail_msg("%s names a resource that there is not", row->id);
    }
}

/* ---- what follows ---- */

/* Bulk copies go past L1; whether there were any is not known where they were not counted. */
static void bulk_copies_go_past_l1(void **state)
{
    static const struct {
        double tma; /* < 0: not counted */
        bool broken;
    } known[] = {{0, true}, {0.04, false}, {-1, false}};
    (void)state;

    for (size_t i = 0; i < RL_COUNT(known); i++) {
        struct rl_capture *capture = sample_new("GH100", 90);
        const size_t kernel = sample_full_kernel(capture, "k");
        sample_set(capture, kernel, "l1tex__t_bytes.sum", rl_value_of(3200));
        if (known[i].tma >= 0)
            sample_set(capture, kernel, "sm__inst_executed_pipe_tma.avg.pct_of_peak_sustained_active", rl_value_of(known[i].tma));
        struct rl_analysis *analysis = rl_analysis_new(capture);
        assert_int_equal(analysis->kernels[0].broken >> RL_INVARIANT_l2_within_l1 & 1, known[i].broken);
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
}

/* What asynchronous copies write to shared memory is more by addresses than the stage has of it; their sectors are none of any load
 * or store. The resource has no more work than the stage. */
static void asynchronous_copies_write_past_the_stage(void **state)
{
    (void)state;
    for (int copies = 0; copies < 2; copies++) {
        struct rl_capture *capture = whole_launch();
        sample_set(capture, 0, SASS("l1tex_pipe_lsu_wavefronts_mem_shared"), rl_value_of(1140));
        sample_set(capture, 0, "l1tex__t_sectors.sum", rl_value_of(copies ? 443 : 442)); /* 420 of loads and stores, and 5 % */
        struct rl_analysis *analysis = rl_analysis_new(capture);
        const struct rl_limit *shared = &analysis->kernels[0].limits.of[RL_RESOURCE_shared];
        assert_int_equal(analysis->kernels[0].broken, copies ? 0 : 1u << RL_INVARIANT_shared_within_data_stage);
        assert_int_equal(rl_present(shared->share), copies);
        if (copies)
            assert_close(shared->time_s.v, 128 * 1000 / 1.28e12, 1e-9);
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
}

/* Counters of the whole card are not the launch's where its range was held open, those that each SM has are; and a grid of one
 * block keeps one SM busy for as long as the kernel takes. */
static void a_long_range_holds_others_work(void **state)
{
    static const struct {
        double range_ns, active;
        uint32_t blocks;
        bool broken;
    } known[] = {
        {3e6, 372, 1, true},     /* a kernel of 3.7 us on one SM: 0.47 ms would do */
        {4.7e5, 372, 1, false},  /* and does */
        {3e6, 37200, 1, false},  /* all of 0.37 ms, and a hundred times that */
        {1e6, 3000, 10, true},   /* 3 us on each of ten: 0.4 ms */
        {1e6, 1e5, 1000, false}, /* 0.1 ms on each of ten: one after another they would take all of it */
    };
    static const char *const pipes[] = {"sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active",
                                        "sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active"};
    (void)state;

    for (size_t i = 0; i < RL_COUNT(known); i++) {
        struct rl_capture *capture = whole_launch();
        capture->kernels[0].grid[0] = known[i].blocks;
        sample_set(capture, 0, "sm__cycles_elapsed.max", rl_value_of(fmax(known[i].active, 2500)));
        sample_set(capture, 0, "gpu__time_duration.sum", rl_value_of(known[i].range_ns));
        sample_set(capture, 0, "sm__cycles_active.avg", rl_value_of(known[i].active));
        for (size_t p = 0; p < RL_COUNT(pipes); p++)
            sample_set(capture, 0, pipes[p], rl_value_of(0)); /* shares of the active cycles */
        struct rl_analysis *analysis = rl_analysis_new(capture);
        const struct rl_kernel_result *result = &analysis->kernels[0];
        if (result->broken != (known[i].broken ? 1u << RL_INVARIANT_range_within_work : 0))
            fail_msg("case %zu: %s", i, result->contradicts ? result->contradicts : "nothing is broken");
        assert_true(rl_present(result->limits.of[RL_RESOURCE_l2_read].share));
        assert_int_equal(rl_present(result->limits.of[RL_RESOURCE_dram].share), !known[i].broken);
        if (known[i].broken) /* nothing is wrong with them */
            assert_null(strstr(rl_value_reason(result->limits.of[RL_RESOURCE_dram].share), "contradict"));
        assert_int_equal(rl_present(result->metric[RL_METRIC_dram_bytes_per_second]), !known[i].broken);
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
}

/* A resource that no contradiction concerns limits as before; without one the limiter is unknown, and says why. */
static void others_still_limit(void **state)
{
    (void)state;
    for (int limited = 0; limited < 2; limited++) {
        struct rl_capture *capture = whole_launch();
        if (limited)
            sample_set(capture, 0, "dram__bytes_read.sum", rl_value_of(48000)); /* of 64000 in 2 us */
        sample_set(capture, 0, SASS("thread_inst_executed"), rl_value_of(32001));
        struct rl_analysis *analysis = rl_analysis_new(capture);
        const struct rl_limiting *limits = &analysis->kernels[0].limits;
        assert_int_equal(limits->limiter, limited ? RL_RESOURCE_dram : RL_RESOURCE_COUNT);
        assert_int_equal(limits->bound, limited ? RL_BOUND_MEMORY : RL_BOUND_UNKNOWN);
        if (!limited && !strstr(why_of(limits), "counters contradict each other: 32"))
            fail_msg("%s", why_of(limits));
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
}

/* Also one without which other launches are said to be limited by something else: the grid has blocks for half of the SMs,
 * but L2 may limit. */
static void an_unjudged_resource_may_limit(void **state)
{
    (void)state;
    for (int broken = 0; broken < 2; broken++) {
        struct rl_capture *capture = whole_launch();
        sample_set(capture, 0, "lts__t_tag_requests_miss.sum", rl_value_of(broken ? 4 : 5));
        capture->kernels[0].grid[0] = 5;
        struct rl_analysis *analysis = rl_analysis_new(capture);
        const struct rl_limiting *limits = &analysis->kernels[0].limits;
        assert_int_equal(limits->bound, broken ? RL_BOUND_UNKNOWN : RL_BOUND_PARALLELISM);
        if (broken && !strstr(why_of(limits), "counters contradict each other: L1 asked L2"))
            fail_msg("%s", why_of(limits));
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
}

/* Where it is known that launches of the passes did different work, that is the reason, and nothing else is said. */
static void different_work_is_no_contradiction(void **state)
{
    (void)state;
    struct rl_capture *capture = whole_launch();
    sample_passes(capture, 0);
    for (size_t i = 0; i < capture->kernels[0].counter_count; i++)
        capture->kernels[0].counters[i].pass = strstr(capture->kernels[0].counters[i].name, "_sass_") ? 1 : 0;
    sample_set(capture, 0, SASS("l1tex_t_sectors_pipe_lsu_mem_global_op_ld"), rl_value_of(400));
    sample_value(capture, 0, RL_COUNTER, SASS("inst_executed"), rl_value_of(1250))->pass = 1;
    struct rl_analysis *analysis = rl_analysis_new(capture);
    assert_non_null(analysis->kernels[0].disagrees);
    assert_int_equal(analysis->kernels[0].broken, 0);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* ---- the samples ---- */

/* Those that break one: kernels that spin on a clock, which do other work in the pass that counts instructions. Of programs,
 * launches whose ranges were held open. */
static const struct {
    const char *experiment, *variant;
    enum rl_invariant broken;
} known[] = {
    {"divergence", "coherent", RL_INVARIANT_pipes_within_issued},
    {"divergence", "divergent", RL_INVARIANT_pipes_within_issued},
    {"self_check", "occupancy_full", RL_INVARIANT_pipes_within_issued},
    {"self_check", "occupancy_half", RL_INVARIANT_pipes_within_issued},
};

static bool is_known(const struct rl_capture *capture, const struct rl_kernel_result *result)
{
    const size_t of = capture->kernels[result->kernel].variant;
    if (of == RL_NONE)
        return result->broken == 1u << RL_INVARIANT_range_within_work;
    const struct rl_variant *variant = &capture->variants[of];
    for (size_t i = 0; i < RL_COUNT(known); i++)
        if (strcmp(variant->name, known[i].variant) == 0 &&
            strcmp(capture->experiments[variant->experiment].name, known[i].experiment) == 0)
            return result->broken == 1u << known[i].broken;
    return false;
}

static void the_samples_keep_them(void **state)
{
    static const struct {
        const char *path;
        size_t broken;
    } samples[] = {
        {RL_SOURCE_DIR "/samples/h200.rlcap", RL_COUNT(known)},
        {RL_SOURCE_DIR "/samples/h100.rlcap", RL_COUNT(known)},
        {RL_SOURCE_DIR "/samples/programs/transformer-h200.rlcap", 1},
        {RL_SOURCE_DIR "/samples/programs/ddp-2xh200.rlcap", 13},
        {RL_SOURCE_DIR "/samples/programs/lulesh-h200.rlcap", 0},
        {RL_SOURCE_DIR "/samples/programs/babelstream-h200.rlcap", 0},
        {RL_SOURCE_DIR "/samples/programs/cases-softmax-new.rlcap", 0},
        {RL_SOURCE_DIR "/samples/programs/cases-softmax-old.rlcap", 0},
    };
    (void)state;

    for (size_t s = 0; s < RL_COUNT(samples); s++) {
        struct rl_capture *capture;
        struct rl_err err = RL_ERR_INIT;
        size_t broken = 0;
        assert_int_equal(rl_capture_read(samples[s].path, &capture, &err), RL_OK);
        struct rl_analysis *analysis = rl_analysis_new(capture);
        for (size_t i = 0; i < capture->kernel_count; i++) {
            const struct rl_kernel_result *result = &analysis->kernels[i];
            broken += result->broken != 0;
            if (result->broken && !is_known(capture, result))
                fail_msg("%s: %s: %s", samples[s].path, result->label, result->contradicts);
        }
        assert_int_equal(broken, samples[s].broken);
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_invariant_is_kept_and_broken),
        cmocka_unit_test(contradicting_counters_are_above_no_roof),
        cmocka_unit_test(every_invariant_has_a_case_and_real_names),
        cmocka_unit_test(bulk_copies_go_past_l1),
        cmocka_unit_test(asynchronous_copies_write_past_the_stage),
        cmocka_unit_test(a_long_range_holds_others_work),
        cmocka_unit_test(others_still_limit),
        cmocka_unit_test(an_unjudged_resource_may_limit),
        cmocka_unit_test(different_work_is_no_contradiction),
        cmocka_unit_test(the_samples_keep_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
