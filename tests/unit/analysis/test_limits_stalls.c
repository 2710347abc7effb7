/* Samples of instructions in the place of counted stalls: intervals, what limits, what is said. On the card of
 * tests/fixtures/capture.h: 10 SMs of 4 schedulers, so that 40 samples count as one. */
#include "rl_test.h"

#include <string.h>

#include "analysis/analysis.h"
#include "analysis/pc.h"
#include "core/mem.h"
#include "core/units.h"
#include "fixtures/capture.h"
#include "fixtures/random.h"
#include "fixtures/why.h"

#define NB RL_NO_BREAK_SPACE

/* ---- the interval ---- */

/* Wilson for 100 draws of 0.3 and of 0. */
static void the_interval_by_hand(void **state)
{
    struct rl_capture *capture = sample_idle_launch();
    (void)state;

    sample_stall(capture, 0, 0, RL_STALL_wait, 4000);
    struct rl_pc_sampling *sampling = &capture->pc_samplings[0];
    struct rl_pc_share share = rl_pc_share_of(capture, sampling, 1200, 4000);
    assert_close(share.share, 0.3, 1e-12);
    assert_close(share.low, 0.21894885, 1e-7);
    assert_close(share.high, 0.39584855, 1e-7);
    share = rl_pc_share_of(capture, sampling, 0, 4000);
    assert_true(share.low < 1e-12);
    assert_close(share.high, 0.03699350, 1e-6);
    sampling->dropped = 1000; /* a fifth may have said anything */
    share = rl_pc_share_of(capture, sampling, 1200, 4000);
    assert_close(share.low, 0.8 * 0.21894885, 1e-7);
    assert_close(share.high, 0.8 * 0.39584855 + 0.2, 1e-7);
    capture->gpus[0].fact[RL_FACT_sm_count] = rl_value_missing(RL_NOT_COLLECTED, NULL);
    sampling->dropped = 0;
    share = rl_pc_share_of(capture, sampling, 1200, 4000);
    assert_true(share.share == 0.3 && share.low == 0 && share.high == 1);
    share = rl_pc_share_of(capture, sampling, 0, 0);
    assert_true(share.share == 0 && share.low == 0 && share.high == 1);
    rl_capture_free(capture);
}

/* Samples of so many moments; all warps of a moment are in the same phase of the kernel, in which they mostly wait or mostly do
 * not. */
static uint64_t waiting(struct random_source *source, size_t moments)
{
    uint64_t count = 0;

    for (size_t m = 0; m < moments; m++) {
        const double chance = random_next(source) < 0.35 ? 0.9 : 0.05;
        for (int s = 0; s < 40; s++)
            count += random_next(source) < chance;
    }
    return count;
}

static void the_interval_holds_where_warps_are_alike(void **state)
{
    enum { TRIALS = 2000, MOMENTS = 60 };
    static const double truth = 0.35 * 0.9 + 0.65 * 0.05;
    struct random_source source = {7};
    struct rl_capture *capture = sample_idle_launch();
    size_t within = 0;
    (void)state;

    sample_stall(capture, 0, 0, RL_STALL_wait, 40 * MOMENTS);
    for (size_t i = 0; i < TRIALS; i++) {
        const struct rl_pc_share share = rl_pc_share_of(capture, capture->pc_samplings, waiting(&source, MOMENTS), 40 * MOMENTS);
        within += share.low <= truth && truth <= share.high;
    }
    assert_true(within >= 0.94 * TRIALS);
    rl_capture_free(capture);
}

/* ---- what limits ---- */

static void assert_limit(struct rl_capture *capture, enum rl_bound bound, const char *why)
{
    struct rl_analysis *analysis = rl_analysis_new(capture);
    const struct rl_limiting *limits = &analysis->kernels[0].limits;

    if (limits->bound != bound || !strstr(why_of(limits), why))
        fail_msg("bound %d and not %d because \"%s\": %s", limits->bound, bound, why, why_of(limits));
    assert_true(limits->stall_is_sampled == (bound == RL_BOUND_LATENCY && limits->stall < 0));
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* So many samples, and of them so many of one reason. */
static struct rl_capture *sampled(struct rl_capture *capture, uint64_t all, uint64_t of_memory)
{
    sample_stall(capture, 0, 7, RL_STALL_long_scoreboard, of_memory);
    sample_stall(capture, 0, 8, RL_STALL_not_selected, (all - of_memory) / 2);
    sample_stall(capture, 0, 9, RL_STALL_selected, all - of_memory - (all - of_memory) / 2);
    return capture;
}

/* Of 1,000 draws 32.94 % are 30.1 to 35.9 %, 32.8 % are 29.96 to 35.8 %, and 27.2 % end at 30.04 %, 27.1 % at 29.9 %. */
static void a_reason_tells_by_the_low_end_of_its_interval(void **state)
{
    (void)state;
    assert_limit(sampled(sample_idle_launch(), 40000, 13176), RL_BOUND_LATENCY,
                 "32.9" NB "% (30.1" NB "% to 35.9" NB "%) of its warps' samples have one stall reason: long scoreboard (memory)");
    assert_limit(sampled(sample_idle_launch(), 40000, 13120), RL_BOUND_UNKNOWN,
                 "too few samples of its warps: long scoreboard (memory) is 32.8" NB "% (30.0" NB "% to 35.8" NB "%) of 40000");
    assert_limit(sampled(sample_idle_launch(), 40000, 10880), RL_BOUND_UNKNOWN, "too few samples");
    assert_limit(sampled(sample_idle_launch(), 40000, 10840), RL_BOUND_UNKNOWN, "undecided without pipes");
    assert_limit(sampled(sample_idle_launch(), 200, 200), RL_BOUND_LATENCY,
                 "100" NB "% (56.6" NB "% to 100" NB "%) of its warps' samples");
    assert_limit(sampled(sample_idle_launch(), 120, 60), RL_BOUND_UNKNOWN, "too few samples of its warps");
}

static void samples_rule_out_no_resource(void **state)
{
    struct rl_capture *capture = sample_idle_launch();
    (void)state;

    sample_set(capture, 0, "dram__bytes_read.sum", rl_value_missing(RL_NOT_PERMITTED, NULL));
    assert_limit(sampled(capture, 40000, 39000), RL_BOUND_UNKNOWN, "DRAM bandwidth: counters not permitted");
    capture = sample_idle_launch();
    sample_set(capture, 0, "dram__bytes_read.sum", rl_value_of(64000));
    assert_limit(sampled(capture, 40000, 39000), RL_BOUND_MEMORY, "of its");
}

/* What was counted of the launch goes before what was sampled of its name. */
static void counted_stalls_go_first(void **state)
{
    const double warp_cycles = 48.0 * 10 * 125;
    struct rl_capture *capture = sampled(sample_idle_launch(), 40000, 39000);
    (void)state;

    sample_counter(capture, 0, "smsp__warps_issue_stalled_barrier.sum", 0.4 * warp_cycles);
    assert_limit(capture, RL_BOUND_LATENCY, "40.0" NB "% of the warps' time is one stall reason: barrier");
    capture = sampled(sample_idle_launch(), 40000, 39000);
    sample_counter(capture, 0, "smsp__warps_issue_stalled_barrier.sum", 0.1 * warp_cycles);
    assert_limit(capture, RL_BOUND_UNKNOWN, "undecided without pipes");
}

/* Two classes of one name and one of another, which was not sampled. */
static void classes_of_a_name_share_their_samples(void **state)
{
    struct rl_capture *capture = sampled(sample_idle_launch(), 40000, 30000);
    (void)state;

    sample_shape(&capture->kernels[sample_kernel(capture, "k")], 7, 32);
    sample_kernel(capture, "other");
    struct rl_analysis *analysis = rl_analysis_new(capture);
    const struct rl_sampled_stall *shared = &analysis->kernels[1].limits.sampled_stall;
    assert_int_equal(shared->reason, RL_STALL_long_scoreboard);
    assert_int_equal(shared->samples, 40000);
    assert_int_equal(shared->classes, 2);
    assert_int_equal(capture->source_lines[shared->line].number, 7);
    assert_close(shared->line_share, 0.75, 1e-12);
    assert_true(shared->line_low < 0.75 && shared->line_low > 0.7 && shared->line_high > 0.75 && shared->line_high < 0.8);
    assert_int_equal(analysis->kernels[2].limits.sampled_stall.samples, 0);
    assert_int_equal(analysis->kernels[2].limits.sampled_stall.reason, RL_STALL_COUNT);
    rl_analysis_free(analysis);
    assert_limit(capture, RL_BOUND_LATENCY, ", in all 2 configurations of this name together");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_interval_by_hand),
        cmocka_unit_test(the_interval_holds_where_warps_are_alike),
        cmocka_unit_test(a_reason_tells_by_the_low_end_of_its_interval),
        cmocka_unit_test(samples_rule_out_no_resource),
        cmocka_unit_test(counted_stalls_go_first),
        cmocka_unit_test(classes_of_a_name_share_their_samples),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
