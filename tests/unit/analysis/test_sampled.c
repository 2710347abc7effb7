/* Metrics and limits of kernel classes that were sampled and not counted, on figures that can be followed by hand: 10 SMs at
 * 1.5 GHz; a launch takes 2 us. */
#include "rl_test.h"

#include <string.h>

#include "analysis/plan.h"
#include "analysis/program.h"
#include "analysis/sampled.h"
#include "core/mem.h"
#include "fixtures/capture.h"
#include "fixtures/random.h"
#include "fixtures/why.h"

/* A class without counters, on a card whose DRAM was measured to move 100 GB/s, whatever the mix. */
static struct rl_capture *uncounted(void)
{
    struct rl_capture *capture = sample_small_card();
    sample_time(capture, sample_kernel(capture, "k"), 2000);
    *rl_capture_add_sampling(capture) = (struct rl_gpu_sampling){.interval_ns = 20000, .samples = 5000, .used = 5000};
    return capture;
}

static void sample(struct rl_capture *capture, enum rl_sampled_counter counter, double value, double half_width)
{
    struct rl_sampled_value *row = rl_capture_add_sampled(capture);
    row->counter = counter;
    row->launches = 500;
    row->per_launch = rl_value_of(value);
    row->half_width = rl_value_of(half_width);
    row->total = 500 * value;
    row->total_half_width = 500 * half_width;
}

static void metrics_by_hand(void **state)
{
    (void)state;
    struct rl_capture *capture = uncounted();
    sample(capture, RL_SAMPLED_sm_active, 30000, 300);
    sample(capture, RL_SAMPLED_dram_read, 120e3, 2e3);
    sample(capture, RL_SAMPLED_dram_write, 40e3, 1e3);
    sample(capture, RL_SAMPLED_instructions, 24000, 240);
    sample(capture, RL_SAMPLED_warps, 720000, 3600);
    static const struct {
        enum rl_metric metric;
        double value, half_width;
    } rows[] = {
        {RL_METRIC_dram_read_bytes, 120e3, 2e3},
        {RL_METRIC_dram_write_bytes, 40e3, 1e3},
        {RL_METRIC_dram_bytes, 160e3, 3e3}, /* intervals add up */
        {RL_METRIC_dram_bytes_per_second, 80e9, 1.5e9},
        {RL_METRIC_instructions, 24000, 240},
        {RL_METRIC_achieved_occupancy, 0.5, 0.0025 + 0.5 / 0.99 - 0.5}, /* 720,000 / (30,000 x 48) */
        {RL_METRIC_issue_active, 0.2, 0.002 + 0.2 / 0.99 - 0.2},        /* 24,000 / (4 x 30,000) */
    };
    struct rl_analysis *analysis = rl_analysis_new(capture);
    const struct rl_kernel_result *result = &analysis->kernels[0];
    assert_int_equal(rl_evidence_of(capture, 0), RL_EVIDENCE_SAMPLED);
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        assert_false(rl_present(result->metric[rows[i].metric])); /* never among what was counted */
        const struct rl_value value = rl_known_metric(result, rows[i].metric);
        if (!rl_present(value))
            fail_msg("%s: %s", rl_metrics[rows[i].metric].id, rl_value_reason(value));
        assert_close(value.v, rows[i].value, 1e-9);
        assert_close(result->estimate[rows[i].metric].half_width, rows[i].half_width, 1e-9);
    }
    assert_false(rl_present(rl_known_metric(result, RL_METRIC_flop_total)));
    assert_true(result->estimate[RL_METRIC_theoretical_occupancy].half_width == 0); /* follows from the launch */
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

static void check_limiter(double bytes, double half_width, enum rl_resource limiter, const char *why)
{
    struct rl_capture *capture = uncounted();
    sample(capture, RL_SAMPLED_dram_read, bytes, half_width);
    sample(capture, RL_SAMPLED_dram_write, 0, 0);
    sample(capture, RL_SAMPLED_instructions, 1000, 10); /* too few for vectors to limit, whatever they are */
    struct rl_analysis *analysis = rl_analysis_new(capture);
    const struct rl_limiting *limits = &analysis->kernels[0].limits;
    assert_true(limits->sampled);
    assert_int_equal(limits->limiter, limiter);
    if (!strstr(why_of(limits), why))
        fail_msg("%s", why_of(limits));
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* 200 kB in 2 us are all that the DRAM can do. */
static void the_limiter_is_told_with_its_interval(void **state)
{
    (void)state;
    check_limiter(160e3, 4e3, RL_RESOURCE_dram, "~80.0\xC2\xA0% of its measured roof, by samples of the whole GPU: ");
    check_limiter(160e3, 32.1e3, RL_RESOURCE_COUNT, "DRAM bandwidth: the interval of its sampled value is too wide");
    check_limiter(100e3, 10e3, RL_RESOURCE_COUNT, "tensor cores: ");  /* not DRAM: what tensor cores did is unknown */
    check_limiter(60e3, 50e3, RL_RESOURCE_COUNT, "tensor cores: ");   /* wide, and sure to be under 60 % */
    check_limiter(190e3, 20e3, RL_RESOURCE_dram, " to 100\xC2\xA0%"); /* not past the roof */
    /* 60 % is inside: it may limit. */
    check_limiter(124e3, 10e3, RL_RESOURCE_COUNT,
                  "DRAM bandwidth at ~62.0\xC2\xA0% of its measured roof, by samples of the whole GPU: ");
    check_limiter(124e3, 10e3, RL_RESOURCE_COUNT, ", an interval that contains 60 %; tensor cores: ");
    check_limiter(116e3, 10e3, RL_RESOURCE_COUNT, ", an interval that contains 60 %; tensor cores: ");
    /* Under 90 % of its roof, there is a reason or none is known; to 90 % and more there may be nothing to explain. */
    check_limiter(150e3, 2e3, RL_RESOURCE_dram, "; the cause of the rest is unknown without stall reasons");
    check_limiter(190e3, 2e3, RL_RESOURCE_dram, " to 100\xC2\xA0%");
}

/* Intervals reach from 12 % under to 13 % over what was sampled, as the time is known no better. DRAM at 75 %, 66 to 87 %, and
 * issue slots, of which 120,000 are all: the one that limits for sure is named, and another that may is named with it if their
 * intervals overlap. */
static void what_may_limit_is_named_with_what_does(void **state)
{
    static const struct {
        double bytes, instructions;
        enum rl_resource limiter;
        const char *limited_by;
    } rows[] = {
        {150e3, 79.2e3, RL_RESOURCE_dram, "DRAM bandwidth and issue slots"},   /* 58 to 76 % */
        {150e3, 69.6e3, RL_RESOURCE_dram, "DRAM bandwidth and issue slots"},   /* 51 to 67 %: under 60 % by its estimate */
        {150e3, 100.8e3, RL_RESOURCE_issue, "issue slots and DRAM bandwidth"}, /* 74 to 97 % */
        {190e3, 79.2e3, RL_RESOURCE_dram, "DRAM bandwidth"},                   /* ends below DRAM */
        {150e3, 60e3, RL_RESOURCE_dram, "DRAM bandwidth"},                     /* to 57 %: limits nothing */
    };
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_capture *capture = uncounted();
        sample(capture, RL_SAMPLED_dram_read, rows[i].bytes, 2e3);
        sample(capture, RL_SAMPLED_dram_write, 0, 0);
        sample(capture, RL_SAMPLED_instructions, rows[i].instructions, 1.2e3);
        struct rl_analysis *analysis = rl_analysis_new(capture);
        const struct rl_limiting *limits = &analysis->kernels[0].limits;
        print_message("%s: %s\n", limits->limited_by, why_of(limits));
        assert_int_equal(limits->limiter, rows[i].limiter);
        assert_string_equal(limits->limited_by, rows[i].limited_by);
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
}

/* 10 SMs at 1.5 GHz serve 128 bytes a cycle each: 30,000 wavefronts take 2 us. Samples hold shuffles and stores with them. */
static void shared_memory_is_bounded(void **state)
{
    (void)state;
    for (int near = 0; near < 2; near++) {
        struct rl_capture *capture = uncounted();
        sample(capture, RL_SAMPLED_dram_read, 100, 1);
        sample(capture, RL_SAMPLED_dram_write, 0, 0);
        sample(capture, RL_SAMPLED_instructions, 1000, 10);
        sample(capture, RL_SAMPLED_shared, near ? 17500 : 16500, 600); /* to 60.3 and 57 % */
        struct rl_analysis *analysis = rl_analysis_new(capture);
        const struct rl_limit *limit = &analysis->kernels[0].limits.of[RL_RESOURCE_shared];
        assert_false(rl_present(rl_known_metric(&analysis->kernels[0], RL_METRIC_shared_wavefronts)));
        assert_true(!rl_present(limit->share) && limit->unjudged == near && limit->too_little == !near);
        const char *why = analysis->kernels[0].limits.why;
        if (near == !strstr(why, "shared-memory bandwidth"))
            fail_msg("%s", why);
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
}

/* Of 10 SMs at 1.5 GHz matrix operations at 4,096 a cycle, 61.44 TFLOP/s, or FP64 at 128 a cycle, 1.92 TFLOP/s; both sampled
 * counters count four a cycle. */
struct pipe {
    const char *chip;
    enum rl_sampled_counter counter;
    double cycles, half_width;
};

static void check_pipe(struct pipe pipe, enum rl_resource limiter, const char *why)
{
    static const enum rl_sampled_counter others[] = {RL_SAMPLED_tensor, RL_SAMPLED_fp64, RL_SAMPLED_fma};
    struct rl_capture *capture = uncounted();
    capture->gpus[0].chip = rl_capture_text(capture, pipe.chip);
    sample(capture, RL_SAMPLED_sm_active, 30000, 0);
    sample(capture, RL_SAMPLED_dram_read, 100, 1);
    sample(capture, RL_SAMPLED_dram_write, 0, 0);
    sample(capture, RL_SAMPLED_instructions, 60000, 10);
    for (size_t i = 0; i < RL_COUNT(others); i++)
        if (others[i] != pipe.counter)
            sample(capture, others[i], 0, 0);
    sample(capture, pipe.counter, pipe.cycles, pipe.half_width);
    struct rl_analysis *analysis = rl_analysis_new(capture);
    const struct rl_limiting *limits = &analysis->kernels[0].limits;
    if (limits->limiter != limiter || !strstr(why_of(limits), why))
        fail_msg("%s at %g: limiter %d, %s", pipe.chip, pipe.cycles, (int)limits->limiter, why_of(limits));
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

static void pipes_limit_where_it_is_known_how_they_are_counted(void **state)
{
    static const struct {
        enum rl_sampled_counter counter;
        enum rl_resource resource;
        const char *is_at, *is_missing;
    } pipes[] = {
        {RL_SAMPLED_tensor, RL_RESOURCE_tensor, "~70.0\xC2\xA0% of its theoretical roof, by samples", "tensor"},
        {RL_SAMPLED_fp64, RL_RESOURCE_fp64, "~70.0\xC2\xA0% of its theoretical roof, by samples", "FP64"},
    };
    (void)state;
    for (size_t i = 0; i < RL_COUNT(pipes); i++) {
        const enum rl_sampled_counter pipe = pipes[i].counter;
        check_pipe((struct pipe){"GH100", pipe, 84000, 840}, pipes[i].resource, pipes[i].is_at);
        check_pipe((struct pipe){"GH100", pipe, 84000, 840}, pipes[i].resource, "69.3\xC2\xA0% to 70.7\xC2\xA0%");
        check_pipe((struct pipe){"GH100", pipe, 60000, 600}, RL_RESOURCE_COUNT, "undecided without L2 bandwidth (read)"); /* 50 % */
        check_pipe((struct pipe){"GH100", pipe, 84000, 20000}, RL_RESOURCE_COUNT, pipes[i].is_missing);
        check_pipe((struct pipe){"GH100", pipe, 0, 68000}, RL_RESOURCE_COUNT,
                   "undecided without L2 bandwidth (read)");                                        /* at most 57 % */
        check_pipe((struct pipe){"GH100", pipe, 0, 76000}, RL_RESOURCE_COUNT, pipes[i].is_missing); /* at most 63 % */
        check_pipe((struct pipe){SAMPLE_CHIP, pipe, 84000, 840}, RL_RESOURCE_COUNT, pipes[i].is_missing);
    }
}

static void what_is_too_wide_or_of_a_group_is_no_value(void **state)
{
    (void)state;
    struct rl_capture *capture = uncounted();
    sample(capture, RL_SAMPLED_dram_read, 100, 20);
    sample(capture, RL_SAMPLED_dram_write, 100, 20.1);
    sample(capture, RL_SAMPLED_instructions, 1000, 10);
    capture->sampled[2].per_launch = capture->sampled[2].half_width =
        rl_value_missing(RL_UNDEFINED, "only known together with other kernels");
    struct rl_analysis *analysis = rl_analysis_new(capture);
    const struct rl_kernel_result *result = &analysis->kernels[0];
    assert_true(rl_present(rl_known_metric(result, RL_METRIC_dram_read_bytes)));
    assert_non_null(strstr(rl_value_reason(rl_known_metric(result, RL_METRIC_dram_write_bytes)), "too wide"));
    assert_non_null(strstr(rl_value_reason(rl_known_metric(result, RL_METRIC_instructions)), "together"));
    rl_analysis_free(analysis);
    capture->sampled_count = 0; /* a group alone makes no class known */
    sample(capture, RL_SAMPLED_instructions, 1000, 10);
    capture->sampled[0].per_launch = rl_value_missing(RL_UNDEFINED, "only known together with other kernels");
    assert_int_equal(rl_evidence_of(capture, 0), RL_EVIDENCE_NONE);
    rl_capture_free(capture);
}

/* Whatever is sampled of a class that was counted, its metrics and limits are what they are without it. */
static void estimates_never_override_what_was_counted(void **state)
{
    (void)state;
    struct random_source source = {21};
    for (int round = 0; round < 60; round++) {
        struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
        const size_t kernel = sample_full_kernel(capture, "k");
        for (size_t i = 0; i < sample_counter_count; i++)
            if (random_next(&source) < 0.5)
                sample_set(capture, kernel, sample_counters[i].name, rl_value_missing(RL_NOT_COLLECTED, NULL));
        sample_set(capture, kernel, "sm__cycles_active.avg", rl_value_of(125)); /* one that stays */
        struct rl_analysis *without = rl_analysis_new(capture);
        *rl_capture_add_sampling(capture) = (struct rl_gpu_sampling){.interval_ns = 20000};
        for (size_t c = 0; c < RL_SAMPLED_COUNT; c++)
            sample(capture, (enum rl_sampled_counter)c, 1e6 * random_next(&source), 1e3);
        struct rl_analysis *with = rl_analysis_new(capture);
        assert_int_equal(rl_evidence_of(capture, kernel), RL_EVIDENCE_COUNTED);
        assert_null(with->kernels[0].estimate);
        assert_false(with->kernels[0].limits.sampled);
        for (size_t m = 0; m < RL_METRIC_COUNT; m++) {
            const struct rl_value a = without->kernels[0].metric[m], b = rl_known_metric(&with->kernels[0], (enum rl_metric)m);
            assert_int_equal(a.state, b.state);
            assert_true(!rl_present(a) || a.v == b.v);
        }
        assert_string_equal(without->kernels[0].limits.why, with->kernels[0].limits.why);
        rl_analysis_free(without);
        rl_analysis_free(with);
        rl_capture_free(capture);
    }
}

/* Rows of three classes, the middle one with two: found from either side; a class without rows has none. */
static void rows_of_a_class_are_found(void **state)
{
    static const size_t owners[] = {1, 3, 3, 4}, first[] = {0, 0, 1, 1, 3, 4}, count[] = {0, 1, 0, 2, 1, 0};
    (void)state;
    struct rl_capture *capture = uncounted();
    for (size_t i = 1; i < RL_COUNT(first); i++)
        sample_time(capture, sample_kernel(capture, "k"), 2000);
    for (size_t i = 0; i < RL_COUNT(owners); i++) {
        sample(capture, RL_SAMPLED_instructions, 100, 1);
        capture->sampled[i].kernel = owners[i];
    }
    for (size_t k = 0; k < RL_COUNT(first); k++) {
        size_t found = RL_NONE;
        assert_int_equal(rl_sampled_of(capture, k, &found), count[k]);
        assert_int_equal(found, first[k]);
        assert_int_equal(rl_is_sampled(capture, k), count[k] > 0);
        assert_int_equal(rl_evidence_of(capture, k), count[k] > 0 ? RL_EVIDENCE_SAMPLED : RL_EVIDENCE_NONE);
    }
    rl_capture_free(capture);
}

/* Less than a hundredth of the cycles, the interval included: such units limit nothing, though their rate is not known. */
static void an_idle_pipe_limits_nothing(void **state)
{
    static const struct {
        double active, half_width;
        bool too_little;
    } rows[] = {{0, 0, true}, {290, 9, true}, {290, 11, false}, {301, 0, false}, {300, 0, false}};
    static const struct {
        enum rl_sampled_counter pipe;
        enum rl_resource resource;
    } pipes[] = {{RL_SAMPLED_tensor, RL_RESOURCE_tensor}, {RL_SAMPLED_fp64, RL_RESOURCE_fp64}};
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows) * RL_COUNT(pipes); i++) {
        const size_t row = i / RL_COUNT(pipes), pipe = i % RL_COUNT(pipes);
        struct rl_capture *capture = uncounted();
        capture->gpus[0].chip = rl_capture_text(capture, "of which nothing is known");
        sample(capture, RL_SAMPLED_sm_active, 30000, 300);
        sample(capture, pipes[pipe].pipe, rows[row].active, rows[row].half_width);
        struct rl_analysis *analysis = rl_analysis_new(capture);
        assert_int_equal(analysis->kernels[0].limits.of[pipes[pipe].resource].too_little, rows[row].too_little);
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
}

static bool is_too_little_of(enum rl_resource resource, double instructions, enum rl_sampled_counter pipe, double of_pipe)
{
    struct rl_capture *capture = uncounted();
    sample(capture, RL_SAMPLED_instructions, instructions, 0);
    if (of_pipe >= 0)
        sample(capture, pipe, of_pipe, of_pipe / 100);
    struct rl_analysis *analysis = rl_analysis_new(capture);
    const bool too_little = analysis->kernels[0].limits.of[resource].too_little;
    rl_analysis_free(analysis);
    rl_capture_free(capture);
    return too_little;
}

static bool is_too_little(enum rl_resource resource, double instructions)
{
    return is_too_little_of(resource, instructions, RL_SAMPLED_fma, -1);
}

/* Instructions from which on a resource may limit the launch: by their threads, and 2 operations of FP64 or 4 of FP32 in each. */
static double least_instructions(enum rl_resource resource)
{
    double low = 1, high = 1e9;
    assert_true(is_too_little(resource, low) && !is_too_little(resource, high));
    while (high / low > 1.0001) {
        const double middle = sqrt(low * high);
        *(is_too_little(resource, middle) ? &low : &high) = middle;
    }
    return high;
}

static void arithmetic_is_bounded_by_its_instructions(void **state)
{
    static const struct {
        enum rl_resource resource;
        enum rl_ceiling_id roof;
        double operations;
    } rows[] = {
        {RL_RESOURCE_fp64, RL_CEILING_fp64, 2}, {RL_RESOURCE_fp32, RL_CEILING_fp32, 4}, {RL_RESOURCE_fp16, RL_CEILING_fp16, 4}};
    struct rl_capture *capture = uncounted();
    struct rl_analysis *analysis = rl_analysis_new(capture);
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        const double roof = rl_ceiling_figure(&analysis->gpus[0].ceiling[rows[i].roof]).v;
        const double per_roof = least_instructions(rows[i].resource) * 32 * rows[i].operations / (roof * 2e-6);
        assert_in_range(1000 * per_roof, 1000 * RL_BOUND_SHARE * 0.9, 1000 * RL_BOUND_SHARE * 1.02); /* less the roof's own doubt */
    }
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* Where the FMA pipe was sampled its instructions, the interval included, take the place of all in FP32, and in nothing else. */
static void fp32_is_bounded_by_its_pipe(void **state)
{
    const double least = least_instructions(RL_RESOURCE_fp32), many = 100 * least;
    (void)state;
    assert_true(is_too_little_of(RL_RESOURCE_fp32, many, RL_SAMPLED_fma, 0.98 * least));
    assert_false(is_too_little_of(RL_RESOURCE_fp32, many, RL_SAMPLED_fma, 0.995 * least));
    assert_true(is_too_little_of(RL_RESOURCE_fp32, 0.99 * least, RL_SAMPLED_fma, many));
    assert_false(is_too_little_of(RL_RESOURCE_fp16, many, RL_SAMPLED_fma, 0));
    assert_false(is_too_little_of(RL_RESOURCE_fp64, many, RL_SAMPLED_fma, 0));
}

/* Of the FP64 pipe cycles are sampled: in each an SM takes at most as many instructions as it has lanes for, and at least one. */
static void fp64_is_bounded_by_the_cycles_of_its_pipe(void **state)
{
    const double least = least_instructions(RL_RESOURCE_fp64), many = 100 * least;
    const struct rl_chip *chip = rl_chip_find(SAMPLE_CHIP);
    (void)state;
    assert_non_null(chip);
    const double in_one = chip->fp64_per_sm > 32 ? chip->fp64_per_sm / 32.0 : 1;
    assert_true(is_too_little_of(RL_RESOURCE_fp64, many, RL_SAMPLED_fp64, 0.98 * least / in_one));
    assert_false(is_too_little_of(RL_RESOURCE_fp64, many, RL_SAMPLED_fp64, 0.995 * least / in_one));
    assert_true(is_too_little_of(RL_RESOURCE_fp64, 0.99 * least, RL_SAMPLED_fp64, many));
    assert_false(is_too_little_of(RL_RESOURCE_fp32, many, RL_SAMPLED_fp64, 0));
}

/* What is only told together with other classes bounds what each of them does: no more than all of it. */
static void a_group_bounds_each_of_its_classes(void **state)
{
    const double least = least_instructions(RL_RESOURCE_fp64);
    (void)state;
    for (int more = 0; more < 2; more++) {
        struct rl_capture *capture = uncounted();
        sample(capture, RL_SAMPLED_instructions, 100 * least, 0);
        struct rl_sampled_value *row = rl_capture_add_sampled(capture);
        *row = (struct rl_sampled_value){.counter = RL_SAMPLED_fp64,
                                         .launches = 40,
                                         .per_launch = rl_value_missing(RL_UNDEFINED, "only known together with other kernels"),
                                         .half_width = rl_value_missing(RL_UNDEFINED, "only known together with other kernels"),
                                         .total = 40 * least * (more ? 0.95 : 0.85),
                                         .total_half_width = 40 * least * 0.1};
        struct rl_sampled_values values;
        rl_sampled_values(capture, 0, &values);
        assert_false(rl_present(values.value[RL_SAMPLED_fp64]));
        assert_close(values.most[RL_SAMPLED_fp64], least * (more ? 1.05 : 0.95), 1e-9);
        assert_true(isinf(values.most[RL_SAMPLED_tensor]));
        struct rl_analysis *analysis = rl_analysis_new(capture);
        assert_int_equal(analysis->kernels[0].limits.of[RL_RESOURCE_fp64].too_little, !more);
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
}

/* 5 blocks on 10 SMs leave half of what each SM has of its own, and take nothing from what all share. */
static void few_blocks_bound_what_is_in_an_sm(void **state)
{
    (void)state;
    for (uint32_t blocks = 4; blocks <= 7; blocks++) {
        struct rl_capture *capture = uncounted();
        sample(capture, RL_SAMPLED_tensor, 84000, 84000);
        capture->kernels[0].grid[0] = blocks;
        capture->kernels[0].grid[1] = capture->kernels[0].grid[2] = 1;
        struct rl_analysis *analysis = rl_analysis_new(capture);
        const struct rl_limiting *limits = &analysis->kernels[0].limits;
        for (size_t r = 0; r < RL_RESOURCE_COUNT; r++)
            assert_int_equal(limits->of[r].too_little, rl_resources[r].in_sm && blocks <= 5 && !rl_present(limits->of[r].share));
        assert_non_null(strstr(why_of(limits), "DRAM"));
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(metrics_by_hand),
        cmocka_unit_test(the_limiter_is_told_with_its_interval),
        cmocka_unit_test(what_may_limit_is_named_with_what_does),
        cmocka_unit_test(shared_memory_is_bounded),
        cmocka_unit_test(pipes_limit_where_it_is_known_how_they_are_counted),
        cmocka_unit_test(what_is_too_wide_or_of_a_group_is_no_value),
        cmocka_unit_test(estimates_never_override_what_was_counted),
        cmocka_unit_test(rows_of_a_class_are_found),
        cmocka_unit_test(an_idle_pipe_limits_nothing),
        cmocka_unit_test(arithmetic_is_bounded_by_its_instructions),
        cmocka_unit_test(fp32_is_bounded_by_its_pipe),
        cmocka_unit_test(fp64_is_bounded_by_the_cycles_of_its_pipe),
        cmocka_unit_test(a_group_bounds_each_of_its_classes),
        cmocka_unit_test(few_blocks_bound_what_is_in_an_sm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
