/* Counters of memory that are late or early by what no search begins with: between its points, and outside of what it looks
 * through. Whatever is found for the lag, the true values are inside the intervals. */
#include "simulated_samples.h"

/* How late BYTES are, how long their tail is, and how a launch begins and ends for them; microseconds. */
static const struct lag {
    double delay_us, tail_us, lead_us, trail_us;
    bool outside; /* of what is searched */
} lags_of[] = {
    {.delay_us = 0.31},
    {.delay_us = 1.37, .tail_us = 0.37},
    {.delay_us = -0.74, .lead_us = 0.66},
    {.delay_us = 2.83, .tail_us = 2.3},
    {.delay_us = -1.46, .lead_us = 1.21, .trail_us = 0.34},
    {.delay_us = 5.61},
    {.delay_us = -2.62},
    {.delay_us = 7.27, .tail_us = 1.9},
    {.delay_us = -3.71, .lead_us = 0.8},
    {.delay_us = 0.43, .tail_us = 7.7},
    {.delay_us = -1.13, .tail_us = 27},
    {.delay_us = 9.4, .outside = true},
    {.delay_us = -5.2, .outside = true},
    {.delay_us = 12.3, .tail_us = 3.1, .outside = true},
    {.delay_us = 1.21, .tail_us = 95, .outside = true},
};

struct tally {
    size_t values, held, grouped;
    double width; /* half of it, over the true value, added up over classes that move bytes */
    size_t widths;
};

static void look_at(const struct simulation *of, const struct run *run, const struct rl_attribution *found, struct tally *tally)
{
    for (size_t k = 0; k < of->kinds; k++) {
        const struct rl_attributed *value = &found->of[k * COUNTERS + BYTES];
        const double truth = run->truth[k * COUNTERS + BYTES] / run->launches_in[k];
        double sum = 0;
        tally->grouped += value->state == RL_ATTRIBUTED_GROUP;
        for (size_t i = 0; i < of->kinds && value->state == RL_ATTRIBUTED_GROUP && value->group == k; i++)
            sum += found->of[i * COUNTERS + BYTES].group == k ? run->truth[i * COUNTERS + BYTES] : 0;
        tally->values += value->state == RL_ATTRIBUTED_ALONE || (value->state == RL_ATTRIBUTED_GROUP && value->group == k);
        tally->held += value->state == RL_ATTRIBUTED_ALONE
                           ? fabs(value->per_launch - truth) <= value->half_width
                           : value->group == k && fabs(value->group_total - sum) <= value->group_half_width;
        if (value->state != RL_ATTRIBUTED_ALONE || truth <= 0)
            continue;
        tally->width += value->half_width / truth;
        tally->widths++;
    }
}

/* Kernels as a program that repeats itself launches them, and in any order. */
static const char *const orders[] = {"acbdbcadcb", "?"};

static struct tally try_lag(const struct lag *lag)
{
    struct tally tally = {0};
    for (size_t i = 0; i < RL_COUNT(orders); i++) {
        const struct simulation of = {
            .name = "lag",
            .kinds = 4,
            .order = orders[i],
            .gap_us = 1,
            .gap_spread = 0.2,
            .sample_us = 20,
            .noise = 0.003,
            .samples = 8000,
            .shift_us = -0.4,
            .delay_us = lag->delay_us,
            .tail_us = lag->tail_us,
            .lead_us = lag->lead_us,
            .trail_us = lag->trail_us,
            .kind = {{38, .01, {38, 6, 100}}, {16, .01, {16, 2, 33.5}}, {60, .01, {60, 8, 134}}, {47, .01, {47, 70, 0}}}};
        struct run run;
        struct rl_attribution found;
        simulate(&of, 40 + i, &run);
        assert_int_equal(rl_attribute(&run.sampled, &found, NULL), RL_OK);
        look_at(&of, &run, &found, &tally);
        rl_attribution_release(&found);
        release(&run);
    }
    return tally;
}

/* Both kinds of lags for themselves: those that can be found do not make up for those that cannot. */
static void intervals_hold_whatever_the_lag(void **state)
{
    (void)state;
    struct tally all[2] = {0};
    for (size_t i = 0; i < RL_COUNT(lags_of); i++) {
        const struct lag *lag = &lags_of[i];
        const struct tally tally = try_lag(lag);
        struct tally *sum = &all[lag->outside];
        print_message("delay %5.2f us, tail %5.2f us: %zu of %zu held, %zu in groups, half width %.2f %%\n", lag->delay_us,
                      lag->tail_us, tally.held, tally.values, tally.grouped,
                      tally.widths ? 100 * tally.width / (double)tally.widths : 0);
        sum->values += tally.values;
        sum->held += tally.held;
        sum->width += tally.width;
        sum->widths += tally.widths;
    }
    for (int outside = 0; outside < 2; outside++) {
        print_message("%s of what is searched: %zu of %zu held, half width %.2f %%\n", outside ? "outside" : "inside",
                      all[outside].held, all[outside].values, 100 * all[outside].width / (double)all[outside].widths);
        assert_true((double)all[outside].held >= 0.93 * (double)all[outside].values);
    }
    assert_true(all[0].width < 0.03 * (double)all[0].widths); /* of lags that can be found, intervals stay narrow */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(intervals_hold_whatever_the_lag)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
