/* The counters of the whole card that an empty kernel has, and what they could change: the captures in samples/. */
#include "rl_test.h"

#include <math.h>

#include "analysis/analysis.h"
#include "core/mem.h"

/* Resources whose work is counted of the whole card, whoever makes it. */
static const enum rl_resource of_the_card[] = {RL_RESOURCE_dram, RL_RESOURCE_l2_input, RL_RESOURCE_l2_tags};

static const double short_s = 5e-6, few_blocks = 4;

static double blocks_of(const struct rl_kernel *kernel)
{
    return (double)kernel->grid[0] * kernel->grid[1] * kernel->grid[2];
}

/* The least time at the resource of the launches of a few blocks that do next to nothing: all that is not the launch's own is in
 * it. */
static double background_s(const struct rl_analysis *analysis, enum rl_resource resource)
{
    double least = INFINITY;

    for (size_t i = 0; i < analysis->capture->kernel_count; i++) {
        const struct rl_kernel_result *result = &analysis->kernels[i];
        const struct rl_value time_s = result->limits.of[resource].time_s;
        if (blocks_of(&analysis->capture->kernels[i]) <= few_blocks && result->duration.n && result->duration.median < short_s &&
            rl_present(time_s))
            least = fmin(least, time_s.v);
    }
    assert_true(isfinite(least));
    return least;
}

/* The resource with the largest share that limits; RL_RESOURCE_COUNT: none does. `less_s`: taken off the time at each. */
static enum rl_resource limiter_without(const struct rl_kernel_result *result, const double less_s[RL_RESOURCE_COUNT])
{
    enum rl_resource most = RL_RESOURCE_COUNT;
    double largest = RL_BOUND_SHARE;

    for (size_t r = 0; r < RL_RESOURCE_COUNT; r++) {
        const struct rl_limit *limit = &result->limits.of[r];
        const double share = rl_present(limit->share) ? fmax(0, limit->share.v - less_s[r] / result->duration.median) : 0;
        if (share >= largest) {
            most = (enum rl_resource)r;
            largest = share;
        }
    }
    return most;
}

static void hold(const char *path, size_t least_launches, double most_points)
{
    struct rl_capture *capture;
    struct rl_err err = RL_ERR_INIT;
    double less_s[RL_RESOURCE_COUNT] = {0}, none[RL_RESOURCE_COUNT] = {0}, most = 0;
    size_t launches = 0;

    assert_int_equal(rl_capture_read(path, &capture, &err), RL_OK);
    struct rl_analysis *analysis = rl_analysis_new(capture);
    for (size_t r = 0; r < RL_COUNT(of_the_card); r++) {
        less_s[of_the_card[r]] = background_s(analysis, of_the_card[r]);
        print_message("%s: %s %.1f ns\n", path, rl_resources[of_the_card[r]].id, 1e9 * less_s[of_the_card[r]]);
    }
    for (size_t i = 0; i < capture->kernel_count; i++) {
        const struct rl_kernel_result *result = &analysis->kernels[i];
        if (!result->duration.n || result->duration.median < short_s)
            continue;
        launches += rl_present(result->limits.of[RL_RESOURCE_dram].share);
        for (size_t r = 0; r < RL_COUNT(of_the_card); r++)
            if (rl_present(result->limits.of[of_the_card[r]].share))
                most = fmax(most, less_s[of_the_card[r]] / result->duration.median);
        if (limiter_without(result, less_s) != limiter_without(result, none))
            fail_msg("%s: another limiter without the background", result->label);
    }
    print_message("%s: %zu launches, at most %.2f %%\n", path, launches, 100 * most);
    assert_true(launches >= least_launches);
    assert_true(most <= most_points);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

static void an_empty_kernel_has_next_to_nothing(void **state)
{
    (void)state;
    hold(RL_SOURCE_DIR "/samples/h200.rlcap", 160, 0.001);
}

/* In the windows of a program ranges are longer than their kernels. */
static void in_a_window_it_has_little(void **state)
{
    (void)state;
    hold(RL_SOURCE_DIR "/samples/programs/ddp-2xh200.rlcap", 15, 0.007);
    hold(RL_SOURCE_DIR "/samples/programs/transformer-h200.rlcap", 3, 0.01);
}

/* Recorded when every SM fetched for every range. */
static void it_had_more_and_changes_no_limiter(void **state)
{
    (void)state;
    hold(RL_SOURCE_DIR "/samples/h100.rlcap", 160, 0.057);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_kernel_has_next_to_nothing),
        cmocka_unit_test(in_a_window_it_has_little),
        cmocka_unit_test(it_had_more_and_changes_no_limiter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
