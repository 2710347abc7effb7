/* What holds of the limits of any launch, whatever was counted: on drawn launches, and on those of the captures in samples/. */
#include "rl_test.h"

#include <math.h>
#include <string.h>

#include "analysis/analysis.h"
#include "core/mem.h"
#include "fixtures/capture.h"
#include "fixtures/random.h"
#include "fixtures/why.h"
#include "internal.h"

#define SAMPLES RL_SOURCE_DIR "/samples/"
static const char *const samples[] = {
    SAMPLES "h200.rlcap",
    SAMPLES "h100.rlcap",
    SAMPLES "programs/babelstream-h200.rlcap",
    SAMPLES "programs/cases-softmax-new.rlcap",
    SAMPLES "programs/cases-softmax-old.rlcap",
    SAMPLES "programs/ddp-2xh200.rlcap",
    SAMPLES "programs/lulesh-h200.rlcap",
    SAMPLES "programs/transformer-h200.rlcap",
    SAMPLES "programs/transpose-after-h200.rlcap",
    SAMPLES "programs/transpose-before-h200.rlcap",
};

/* What a launch may be made of; the greatest that is drawn is some times what the card can do in its 2 us. */
static const struct {
    const char *name;
    double most;
} drawn[] = {
    {"dram__bytes_read.sum", 128e3},
    {"dram__bytes_write.sum", 128e3},
    {"lts__t_sectors_srcunit_tex.sum", 64e3},
    {"l1tex__t_bytes.sum", 5e6},
    {"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum", 40e3},
    {"smsp__issue_active.sum", 160e3},
    {"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", 80e3},
    {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 5e6},
};

static struct rl_capture *drawn_launch(struct random_source *source)
{
    struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
    const size_t kernel = sample_full_kernel(capture, "k");

    for (size_t i = 0; i < RL_COUNT(drawn); i++) {
        const double chance = random_next(source), amount = pow(random_next(source), 4) * drawn[i].most;
        const struct rl_value value = chance < 0.1 ? rl_value_missing(RL_NOT_COLLECTED, NULL) : rl_value_of(floor(amount));
        sample_set(capture, kernel, drawn[i].name, value);
    }
    if (random_next(source) < 0.5) /* a roof that is known to some percent */
        sample_ceiling(capture, 0, "dram_read", RL_UNIT_BYTE_PER_SECOND, 25e9, 30e9 * random_next(source) / 30, 30);
    return capture;
}

static bool has_finding(const struct rl_kernel_result *result, enum rl_rule rule)
{
    for (size_t i = 0; i < result->finding_count; i++)
        if (result->findings[i].rule == rule)
            return true;
    return false;
}

/* A share more than 1 % above the roof, with all of its interval, has a finding: this one, or that counters contradict each other.
 * Nothing else has it. */
static size_t shares_above_are_found(const struct rl_analysis *analysis)
{
    size_t above_of_all = 0;

    for (size_t i = 0; i < analysis->capture->kernel_count; i++) {
        const struct rl_kernel_result *result = &analysis->kernels[i];
        size_t above = 0;
        for (size_t r = 0; r < RL_RESOURCE_COUNT; r++) {
            const struct rl_limit *limit = &result->limits.of[r];
            above += rl_present(limit->share) && limit->share.v > 1.01 && limit->low > 1;
            if (rl_present(limit->share))
                assert_true(limit->low <= limit->share.v && limit->share.v <= limit->high);
        }
        if (!result->wrong && (above > 0 && !result->contradictions) != has_finding(result, RL_RULE_above_roof))
            fail_msg("%s: %zu shares above 1", result->label, above);
        above_of_all += above;
    }
    return above_of_all;
}

static void no_share_is_above_one_in_silence(void **state)
{
    struct random_source source = {20};
    size_t above = 0;
    (void)state;

    for (int i = 0; i < 300; i++) {
        struct rl_capture *capture = drawn_launch(&source);
        struct rl_analysis *analysis = rl_analysis_new(capture);
        above += shares_above_are_found(analysis);
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
    assert_true(above > 50);
}

/* Whichever resources are relieved, and by whatever factors: more relief never gains less, and none gains nothing. */
static void relief_never_slows(const struct rl_limiting *limits, struct random_source *source)
{
    double none[RL_RESOURCE_COUNT], some[RL_RESOURCE_COUNT], more[RL_RESOURCE_COUNT], greatest = 1;

    for (size_t r = 0; r < RL_RESOURCE_COUNT; r++) {
        none[r] = 1;
        some[r] = random_next(source) < 0.3 ? 1 + 9 * random_next(source) : 1;
        more[r] = random_next(source) < 0.3 ? some[r] * (1 + random_next(source)) : some[r];
        greatest = some[r] > greatest ? some[r] : greatest;
    }
    const double gain = rl_limits_relieved(limits, some);

    assert_close(rl_limits_relieved(limits, none), 1, 1e-12);
    assert_true(gain >= 1 && gain <= greatest * (1 + 1e-12));
    assert_true(rl_limits_relieved(limits, more) >= gain);
}

/* The time at the roofs when one kind of work becomes less. */
static void less_work_takes_no_longer(struct rl_capture *capture, struct random_source *source)
{
    struct rl_analysis *before = rl_analysis_new(capture);
    const struct rl_value time = before->kernels[0].roof_time_s;
    const size_t which = (size_t)(random_next(source) * RL_COUNT(drawn));
    const struct rl_counter *counter = NULL;

    for (size_t i = 0; i < capture->kernels[0].counter_count; i++)
        if (strcmp(capture->kernels[0].counters[i].name, drawn[which].name) == 0)
            counter = &capture->kernels[0].counters[i];
    assert_non_null(counter);
    if (rl_present(counter->value)) {
        sample_set(capture, 0, drawn[which].name, rl_value_of(floor(counter->value.v * random_next(source))));
        struct rl_analysis *after = rl_analysis_new(capture);
        if (rl_present(time) && rl_present(after->kernels[0].roof_time_s)) /* one that limits is known beside a missing one */
            assert_true(after->kernels[0].roof_time_s.v <= time.v * (1 + 1e-12));
        rl_analysis_free(after);
    }
    rl_analysis_free(before);
}

static void removing_work_never_slows(void **state)
{
    struct random_source source = {21};
    (void)state;

    for (int i = 0; i < 300; i++) {
        struct rl_capture *capture = drawn_launch(&source);
        struct rl_analysis *analysis = rl_analysis_new(capture);
        relief_never_slows(&analysis->kernels[0].limits, &source);
        rl_analysis_free(analysis);
        less_work_takes_no_longer(capture, &source);
        rl_capture_free(capture);
    }
}

/* The same of every launch that was measured; every gain of a finding is one that is worth the word. */
/* A launch under 90 % of every roof, or of which that is unknown, has a reason: the resource that keeps it there and why not more
 * of that, something that limits in the place of a resource, or that it is unknown because ... */
static void reasons_are_given(const struct rl_analysis *analysis)
{
    for (size_t i = 0; i < analysis->capture->kernel_count; i++) {
        const struct rl_kernel_result *result = &analysis->kernels[i];
        const struct rl_limiting *limits = &result->limits;
        if (rl_present(result->roof_share) && result->roof_share.v >= RL_NEAR_ROOF)
            continue;
        assert_true(strlen(why_of(limits)) > 0);
        if (limits->limiter < RL_RESOURCE_COUNT && limits->shortfall == RL_SHORTFALL_NONE)
            fail_msg("%s: %s, and no reason for the rest", result->label, why_of(limits));
    }
}

/* No interval reaches past its roof: that of a share above 1 ends at the share, and from 1.01 on the launch is said to be above the
 * roof. */
static void intervals_end_at_roofs(const struct rl_analysis *analysis)
{
    for (size_t i = 0; i < analysis->capture->kernel_count; i++) {
        const struct rl_kernel_result *result = &analysis->kernels[i];
        for (size_t r = 0; r < RL_RESOURCE_COUNT; r++) {
            const struct rl_limit *limit = &result->limits.of[r];
            if (rl_present(limit->share) && limit->high > fmax(limit->share.v, 1))
                fail_msg("%s: %s at %g to %g", result->label, rl_resources[r].id, limit->low, limit->high);
        }
    }
}

static void the_samples_keep_to_it(void **state)
{
    struct random_source source = {22};
    (void)state;

    for (size_t s = 0; s < RL_COUNT(samples); s++) {
        struct rl_capture *capture;
        struct rl_err err = RL_ERR_INIT;
        assert_int_equal(rl_capture_read(samples[s], &capture, &err), RL_OK);
        struct rl_analysis *analysis = rl_analysis_new(capture);
        shares_above_are_found(analysis);
        reasons_are_given(analysis);
        intervals_end_at_roofs(analysis);
        for (size_t i = 0; i < capture->kernel_count; i++) {
            relief_never_slows(&analysis->kernels[i].limits, &source);
            for (size_t f = 0; f < analysis->kernels[i].finding_count; f++)
                if (rl_present(analysis->kernels[i].findings[f].gain))
                    assert_true(analysis->kernels[i].findings[f].gain.v >= RL_LEAST_GAIN);
        }
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
}

/* ---- unknown, and why ---- */

static void assert_unknown(struct rl_capture *capture, const char *because)
{
    struct rl_analysis *analysis = rl_analysis_new(capture);
    const struct rl_limiting *limits = &analysis->kernels[0].limits;

    if (limits->bound != RL_BOUND_UNKNOWN || limits->limiter != RL_RESOURCE_COUNT || !strstr(why_of(limits), because))
        fail_msg("bound %d and not unknown because \"%s\": %s", limits->bound, because, why_of(limits));
    assert_int_equal(limits->stall, -1);
    assert_false(limits->stall_is_sampled);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* A profile from elsewhere: three metrics and a mean time. */
static void three_metrics_say_unknown(void **state)
{
    struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
    const size_t kernel = sample_kernel(capture, "k");
    (void)state;

    sample_value(capture, kernel, RL_METRIC_VALUE, "achieved_occupancy", rl_value_of(0.2));
    sample_value(capture, kernel, RL_METRIC_VALUE, "branch_efficiency", rl_value_of(0.9));
    sample_value(capture, kernel, RL_METRIC_VALUE, "l2_hit_rate", rl_value_of(0.5));
    sample_time(capture, kernel, 1000000);
    sample_stall(capture, kernel, 0, RL_STALL_long_scoreboard, 1000000); /* which says nothing of any resource */
    assert_unknown(capture, "not collected");
}

/* Launches of a class that have done different work: the same counter, twice, a fifth apart; those of the hardware pass took so
 * long. 0: they did the same. */
static struct rl_capture *counted_for(double pass_ns)
{
    struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
    const size_t kernel = sample_full_kernel(capture, "k");
    const struct rl_kernel *k = &capture->kernels[kernel];

    sample_passes(capture, 0);
    for (size_t i = 0; i < k->counter_count; i++)
        k->counters[i].pass = strstr(k->counters[i].name, "_sass_") ? 1 : 0;
    if (pass_ns > 0) {
        sample_set(capture, kernel, "gpu__time_duration.sum", rl_value_of(pass_ns));
        const struct rl_counter *counter = rl_kernel_counter(k, "smsp__sass_inst_executed.sum");
        sample_value(capture, kernel, RL_COUNTER, counter->name, rl_value_of(1.25 * counter->value.v))->pass = 1;
    }
    return capture;
}

/* The timed launches took 2,000 ns: others, of ten times that, are none of theirs. */
static void different_work_says_unknown(void **state)
{
    (void)state;
    assert_unknown(counted_for(20000), "disagree");
}

/* Other timed launches took as long: it is one of theirs, and judged by its own time. */
static void different_work_is_judged_by_its_own_time(void **state)
{
    struct rl_capture *capture = counted_for(20000);
    (void)state;
    sample_times(capture, 0, (uint64_t[]){2000, 2000, 2000, 2000, 2000, 2000, 2000, 2000, 20000}, 9);
    struct rl_analysis *analysis = rl_analysis_new(capture);
    assert_false(analysis->kernels[0].unlike);
    assert_int_equal(analysis->kernels[0].own_pass, 0);
    assert_close(analysis->kernels[0].rate_time_s.v, 20e-6, 0.1);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

static struct rl_limit limit_of(struct rl_capture *capture, enum rl_resource resource, size_t own_pass)
{
    struct rl_analysis *analysis = rl_analysis_new(capture);
    const struct rl_limit limit = analysis->kernels[0].limits.of[resource];
    assert_int_equal(analysis->kernels[0].own_pass, own_pass);
    assert_true(rl_present(limit.share));
    rl_analysis_free(analysis);
    rl_capture_free(capture);
    return limit;
}

/* Counters that differ by a fifth, of launches that may have been those that were timed: shares have that range, which ends at the
 * roof, and those of which it cannot be said whether they limit are not known. Launches of a variant all have one input. */
static void different_work_spreads_shares(void **state)
{
    (void)state;
    for (int of_suite = 0; of_suite <= 1; of_suite++) {
        struct rl_capture *capture = counted_for(0);
        const struct rl_counter *counter = rl_kernel_counter(&capture->kernels[0], "smsp__sass_inst_executed.sum");
        sample_value(capture, 0, RL_COUNTER, counter->name, rl_value_of(1.25 * counter->value.v))->pass = 1;
        sample_set(capture, 0, "gpu__time_duration.sum", rl_value_missing(RL_NOT_COLLECTED, NULL));
        if (of_suite) {
            sample_experiment(capture, "e");
            sample_variant(capture, 0, 0, "v", NULL);
            capture->kernels[0].variant = 0;
        }
        struct rl_capture *same_capture = counted_for(0);
        struct rl_analysis *analysis = rl_analysis_new(capture), *same = rl_analysis_new(same_capture);
        size_t known = 0, lost = 0;
        for (size_t r = 0; r < RL_RESOURCE_COUNT; r++) {
            const struct rl_limit *limit = &analysis->kernels[0].limits.of[r], *one = &same->kernels[0].limits.of[r];
            if (!rl_present(one->share) || one->share.v <= 0)
                continue;
            const bool may_limit = 0.8 * one->share.v < RL_BOUND_SHARE && one->share.v / 0.8 >= RL_BOUND_SHARE;
            assert_true(rl_present(limit->share) == (!of_suite && !may_limit));
            known += rl_present(limit->share);
            lost += !rl_present(limit->share);
            if (!rl_present(limit->share))
                continue;
            assert_close(limit->share.v, one->share.v, 1e-9);
            assert_true(limit->low <= 0.8 * one->share.v * (1 + 1e-9));
            assert_true(limit->high >= fmin(1, one->share.v / 0.8) * (1 - 1e-9) && limit->high <= fmax(1, one->share.v));
        }
        assert_true(of_suite ? known == 0 && lost > 0 : known > 0);
        rl_analysis_free(analysis);
        rl_analysis_free(same);
        rl_capture_free(capture);
        rl_capture_free(same_capture);
    }
}

/* By the hardware pass its launches took 2,500 ns: shares of its counters are of that time; those of other passes are as far apart
 * as the counter that is known twice. */
static void launches_are_judged_by_their_own_time(void **state)
{
    (void)state;
    const struct rl_limit same = limit_of(counted_for(0), RL_RESOURCE_dram, RL_NONE);
    const struct rl_limit own = limit_of(counted_for(2500), RL_RESOURCE_dram, 0);
    assert_close(own.share.v, same.share.v * 2000 / 2500, 1e-9);
    assert_close(own.high, own.share.v, 1e-9);
    const struct rl_limit issue = limit_of(counted_for(2500), RL_RESOURCE_shared, 0);
    assert_close(issue.low, 0.8 * issue.share.v, 1e-9);
    assert_close(issue.high, issue.share.v / 0.8, 1e-9);
    struct rl_capture *capture = counted_for(2500);
    const char *wavefronts = "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum";
    sample_set(capture, 0, wavefronts,
               rl_value_mul(rl_kernel_counter(&capture->kernels[0], wavefronts)->value, rl_value_of(0.9 / issue.share.v)));
    const struct rl_limit near = limit_of(capture, RL_RESOURCE_shared, 0);
    assert_close(near.share.v, 0.9, 1e-9);
    assert_close(near.high, 1, 0);
}

/* Shared memory at `share` by counters of another pass than the one that timed its launches, a fifth apart: a range that reaches
 * 60 % says nothing, one that does not says whether it limits. */
static void ranges_that_reach_the_least_share_are_unknown(void **state)
{
    (void)state;
    const double share_now = limit_of(counted_for(2500), RL_RESOURCE_shared, 0).share.v;
    const char *wavefronts = "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum";
    const struct {
        double share;
        bool known;
    } rows[] = {{0.46, true}, {0.5, false}, {0.7, false}, {0.76, true}};
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_capture *capture = counted_for(2500);
        const struct rl_value work = rl_kernel_counter(&capture->kernels[0], wavefronts)->value;
        sample_set(capture, 0, wavefronts, rl_value_mul(work, rl_value_of(rows[i].share / share_now)));
        struct rl_analysis *analysis = rl_analysis_new(capture);
        const struct rl_limiting *limits = &analysis->kernels[0].limits;
        assert_true(rl_present(limits->of[RL_RESOURCE_shared].share) == rows[i].known);
        assert_true((limits->limiter == RL_RESOURCE_shared) == (rows[i].share == 0.76));
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
}

/* A launch of `recorded_ns`, counted at 1 GHz on a card that runs at up to 1.5 GHz: how long its counters are taken to have had. */
static double judged_s(uint64_t recorded_ns, double cycles, bool of_suite)
{
    struct rl_capture *capture = counted_for(0);
    capture->gpus[0].fact[RL_FACT_sm_clock_max_hz] = rl_value_of(1.5e9);
    sample_times(capture, 0, (uint64_t[]){recorded_ns, recorded_ns, recorded_ns}, 3);
    sample_set(capture, 0, "sm__cycles_elapsed.avg.per_second", rl_value_of(1e9));
    sample_value(capture, 0, RL_COUNTER, "sm__cycles_active.max", rl_value_of(cycles))->pass = 0;
    if (of_suite) {
        sample_experiment(capture, "e");
        sample_variant(capture, 0, 0, "v", NULL);
        capture->kernels[0].variant = 0;
    }
    struct rl_analysis *analysis = rl_analysis_new(capture);
    const double time_s = analysis->kernels[0].rate_time_s.v;
    rl_analysis_free(analysis);
    rl_capture_free(capture);
    return time_s;
}

/* 60,000 cycles take 40 us at 1.5 GHz: the counted launch did the same at a lower clock. 70,000 take longer at any clock, so it was
 * slower for another reason. */
static void a_lower_clock_is_no_other_work(void **state)
{
    (void)state;
    assert_close(judged_s(40000, 60000, false), 60e-6 + 1e-9 * RL_KERNEL_START_NS, 1e-9);
    assert_close(judged_s(40000, 70000, false), 40e-6, 1e-9);
    assert_close(judged_s(40000, 41000, false), 40e-6, 1e-9);
    assert_close(judged_s(4000, 6000, false), 4e-6, 1e-9); /* the start is too great a part of it */
    assert_close(judged_s(40000, 60000, true), 40e-6, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_share_is_above_one_in_silence),
        cmocka_unit_test(removing_work_never_slows),
        cmocka_unit_test(the_samples_keep_to_it),
        cmocka_unit_test(three_metrics_say_unknown),
        cmocka_unit_test(different_work_says_unknown),
        cmocka_unit_test(different_work_is_judged_by_its_own_time),
        cmocka_unit_test(different_work_spreads_shares),
        cmocka_unit_test(launches_are_judged_by_their_own_time),
        cmocka_unit_test(ranges_that_reach_the_least_share_are_unknown),
        cmocka_unit_test(a_lower_clock_is_no_other_work),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
