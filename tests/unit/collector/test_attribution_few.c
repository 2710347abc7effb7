/* Samples of simulated programs with one launch of a kernel, or a few: they are known where all of them were in samples, or
 * where each lasted for many of these. */
#include "simulated_samples.h"

enum { RUNS = 100 };

/* Class a runs first, and partly before the samples begin; then each other one once a round. */
static const struct simulation programs[] = {
    {.name = "one launch of each, apart",
     .kinds = 6,
     .kind = {{60, 0, {60, 900, 600}, 0},
              {5, 0, {5, 300, 200}, 0},
              {12, 0, {12, 100, 900}, 0},
              {40, 0, {40, 4000, 10}, 0},
              {150, 0, {150, 2000, 6000}, 0},
              {700, 0, {700, 9000, 20000}, 0}},
     .order = "abcdef",
     .gap_us = 90,
     .gap_spread = .4,
     .break_us = 20000,
     .sample_us = 20,
     .noise = .01,
     .shift_us = .4,
     .delay_us = 1,
     .tail_us = 2,
     .samples = 500},
    {.name = "one launch of each, right after one another",
     .kinds = 4,
     .kind = {{60, 0, {60, 900, 600}, 0},
              {300, 0, {300, 8000, 2000}, 0},
              {800, 0, {800, 3000, 30000}, 0},
              {200, 0, {200, 900, 9000}, 0}},
     .order = "abcd",
     .gap_us = 60,
     .gap_spread = .95,
     .break_us = 20000,
     .sample_us = 20,
     .noise = .01,
     .shift_us = -.6,
     .samples = 500},
    {.name = "three of each, some in one sample",
     .kinds = 5,
     .kind = {{60, 0, {60, 900, 600}, 0},
              {8, .1, {8, 300, 200}, 0},
              {8, .1, {8, 900, 20}, 0},
              {90, .1, {90, 500, 6000}, 0},
              {30, .1, {30, 4000, 600}, 0}},
     .order = "abcde",
     .gap_us = 40,
     .gap_spread = .9,
     .break_us = 2500,
     .sample_us = 20,
     .noise = .01,
     .shift_us = .2,
     .samples = 400},
};

struct tally {
    size_t values, told, held, narrow;
};

static void add(const struct run *run, const struct rl_attribution *found, struct tally *tally)
{
    for (size_t k = 1; k < run->sampled.class_count; k++)
        for (size_t c = 0; c < COUNTERS; c++) {
            const struct rl_attributed *of = &found->of[k * COUNTERS + c];
            const double truth = run->truth[k * COUNTERS + c] / run->launches_in[k];
            tally->values++;
            if (of->state != RL_ATTRIBUTED_ALONE)
                continue;
            tally->told++;
            tally->held += fabs(of->per_launch - truth) <= of->half_width;
            tally->narrow += of->half_width <= 0.1 * truth;
        }
}

static void run_program(const struct simulation *of, struct tally *tally)
{
    for (uint64_t seed = 1; seed <= RUNS; seed++) {
        struct run run;
        struct rl_attribution found;
        simulate(of, seed, &run);
        run.sampled.made = run.launches_in;
        assert_int_equal(rl_attribute(&run.sampled, &found, NULL), RL_OK);
        add(&run, &found, tally);
        rl_attribution_release(&found);
        release(&run);
    }
    print_message("%s: %zu values, %zu told, %zu held, %zu within 10 %%\n", of->name, tally->values, tally->told, tally->held,
                  tally->narrow);
}

static void few_launches_have_values_that_hold(void **state)
{
    (void)state;
    for (size_t i = 0; i < RL_COUNT(programs); i++) {
        struct tally tally = {0};
        run_program(&programs[i], &tally);
        assert_int_equal(tally.told, tally.values);
        assert_true((double)tally.held >= 0.95 * (double)tally.told);
        assert_true((double)tally.narrow >= 0.3 * (double)tally.told);
    }
}

/* One launch of a kernel says nothing of others that nobody has seen; nor does it where nobody knows whether there were others. */
static void a_few_of_many_are_not_told(void **state)
{
    (void)state;
    struct run run;
    struct rl_attribution found;
    double made[MOST_CLASSES];
    simulate(&programs[0], 3, &run);
    for (size_t k = 0; k < run.sampled.class_count; k++)
        made[k] = run.launches_in[k] * (k % 2 ? 1 : 1.2);
    for (size_t known = 0; known < 2; known++) {
        run.sampled.made = known ? made : NULL;
        assert_int_equal(rl_attribute(&run.sampled, &found, NULL), RL_OK);
        for (size_t i = COUNTERS; i < run.sampled.class_count * COUNTERS; i++) {
            const bool told = known && i / COUNTERS % 2;
            assert_int_equal(found.of[i].state, told ? RL_ATTRIBUTED_ALONE : RL_ATTRIBUTED_NOT);
            assert_int_equal(found.of[i].why, told ? RL_ATTRIBUTED_TOLD : RL_ATTRIBUTED_FEW);
        }
        rl_attribution_release(&found);
    }
    release(&run);
}

/* Launches of 250 and 450 samples each, of which windows meet under 16, cut at their edges; those of class a are too short to be
 * known one by one. */
static const struct simulation long_ones = {
    .name = "some of many long launches",
    .kinds = 3,
    .kind = {{60, .1, {60, 900, 600}, 0}, {5000, .1, {5000, 90000, 40000}, 0}, {9000, .1, {9000, 20000, 700000}, 0}},
    .order = "abc",
    .gap_us = 30,
    .gap_spread = .5,
    .sample_us = 20,
    .noise = .01,
    .shift_us = .3,
    .delay_us = 1,
    .tail_us = 2,
    .window = 2000,
    .paused_us = 100000,
    .samples = 6000,
};

/* Those in the samples are a sample of all launches: the interval is for what a launch does, whichever it is. */
static void some_of_many_long_launches_are_told(void **state)
{
    (void)state;
    size_t told = 0, held = 0, narrow = 0;
    for (uint64_t seed = 1; seed <= RUNS; seed++) {
        struct run run;
        struct rl_attribution found;
        simulate(&long_ones, seed, &run);
        assert_int_equal(rl_attribute(&run.sampled, &found, NULL), RL_OK);
        for (size_t k = 0; k < long_ones.kinds; k++)
            for (size_t c = 0; c < COUNTERS; c++) {
                const struct rl_attributed *of = &found.of[k * COUNTERS + c];
                const double truth = long_ones.kind[k].work[c];
                assert_true(found.launches[k] > 4 && found.launches[k] < 16);
                assert_int_equal(of->state, k ? RL_ATTRIBUTED_ALONE : RL_ATTRIBUTED_NOT);
                told += k > 0;
                held += k > 0 && fabs(of->per_launch - truth) <= of->half_width;
                narrow += k > 0 && of->half_width <= 0.1 * truth;
            }
        rl_attribution_release(&found);
        release(&run);
    }
    print_message("%s: %zu told, %zu held, %zu within 10 %%\n", long_ones.name, told, held, narrow);
    assert_true((double)held >= 0.93 * (double)told);
    assert_true((double)narrow >= 0.9 * (double)told);
}

/* Some two dozen launches of class b, every third of which does ten times as much, apart from those of a. */
static const struct simulation differing = {
    .name = "launches that differ",
    .kinds = 2,
    .kind = {{60, .1, {60, 900, 600}, 0}, {8, .1, {8, 900, 4000}, 10}},
    .order = "ab",
    .gap_us = 150,
    .gap_spread = .5,
    .sample_us = 20,
    .noise = .01,
    .shift_us = .3,
    .delay_us = 1,
    .tail_us = 2,
    .samples = 500,
};

/* What launches do on average is known badly from those that differ so much, but what these did is known well. */
static void a_sum_of_launches_that_differ_is_known(void **state)
{
    (void)state;
    size_t held = 0;
    double half[2] = {0};
    for (uint64_t seed = 1; seed <= RUNS; seed++)
        for (size_t asked = 0; asked < 2; asked++) {
            struct run run;
            struct rl_attribution found;
            simulate(&differing, seed, &run);
            run.sampled.sums = asked > 0;
            assert_int_equal(rl_attribute(&run.sampled, &found, NULL), RL_OK);
            assert_true(found.launches[1] > 16 && found.launches[1] < 40);
            for (size_t c = 0; c < COUNTERS; c++) {
                const struct rl_attributed *of = &found.of[COUNTERS + c];
                const double truth = run.truth[COUNTERS + c];
                assert_int_equal(of->state, RL_ATTRIBUTED_ALONE);
                held += asked && fabs(of->group_total - truth) <= of->group_half_width;
                half[asked] += of->group_half_width / truth / RUNS / COUNTERS;
            }
            rl_attribution_release(&found);
            release(&run);
        }
    print_message("%s: %zu of %d sums held, +-%.3f on average, of means +-%.3f\n", differing.name, held, RUNS * COUNTERS, half[1],
                  half[0]);
    assert_true((double)held >= .95 * RUNS * COUNTERS);
    assert_true(half[1] < .5 * half[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_launches_have_values_that_hold),
        cmocka_unit_test(a_few_of_many_are_not_told),
        cmocka_unit_test(some_of_many_long_launches_are_told),
        cmocka_unit_test(a_sum_of_launches_that_differ_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
