/* Samples of simulated programs shared out to their classes: values against what the simulation really did, intervals against how
 * often they hold it. */
#include "simulated_samples.h"

static const struct simulation simulations[] = {
    {"long kernels, any order",
     4,
     {{40, .05, {40, 9, 100}}, {80, .02, {80, 3, 10}}, {25, .1, {25, 40, 60}}, {160, .05, {160, 1, 300}}},
     "?",
     3,
     .5,
     0,
     20,
     .01,
     -.8,
     .7,
     1.5,
     0,
     8000},
    {"a loop with gaps",
     3,
     {{30, .03, {30, 9, 50}}, {60, .03, {60, 2, 200}}, {22, .03, {22, 8, 4}}},
     "abcab",
     2,
     .3,
     40,
     20,
     .01,
     1.1,
     .6,
     1,
     0,
     8000},
    {"kernels of 5 to 20 us",
     5,
     {{6, .05, {6, 9, 20}}, {12, .05, {12, 3, 10}}, {18, .05, {18, 12, 6}}, {8, .05, {8, 1, 30}}, {15, .05, {15, 2, 2}}},
     "abcdeacbed",
     2,
     .3,
     7,
     10,
     .01,
     -.4,
     .5,
     .8,
     0,
     20000},
    {"short and long in turn",
     2,
     {{4, .05, {4, 9, 30}}, {100, .02, {100, 3, 200}}},
     "ab",
     2,
     .3,
     0,
     20,
     .01,
     -1.3,
     .7,
     1.5,
     0,
     10000},
    {"mixed work inside a class",
     3,
     {{12, .05, {12, 9, 30}, 6}, {50, .02, {50, 3, 200}}, {30, .05, {30, 3, 10}, 2.5}},
     "abcac",
     2,
     .3,
     0,
     20,
     .01,
     -.7,
     .7,
     1.5,
     0,
     10000},
    {"a graph of short kernels",
     6,
     {{2, .05, {2, 9, 3}},
      {3, .05, {3, 3, 10}},
      {10, .02, {10, 30, 60}},
      {2.5, .05, {2.5, 1, 2}},
      {4, .05, {4, 6, 3}},
      {8, .05, {8, 3, 1}}},
     "abcdefabcdef",
     .8,
     .2,
     4,
     20,
     .01,
     -.9,
     .7,
     1.5,
     0,
     20000},
    {"a mostly idle GPU",
     3,
     {{30, .05, {30, 9, 30}}, {20, .02, {20, 3, 0}}, {45, .05, {45, 0, 10}}},
     "abc",
     20,
     .9,
     300,
     20,
     .02,
     -.7,
     .7,
     1.5,
     0,
     16000},
    {"never idle",
     3,
     {{30, .2, {30, 9, 30}}, {50, .2, {50, 3, 200}}, {24, .2, {24, 20, 10}}},
     "abc",
     0,
     0,
     0,
     20,
     .01,
     -.7,
     .7,
     1.5,
     0,
     10000},
};

struct tally {
    size_t values, held, long_values, long_off, short_values, short_off, grouped;
};

/* Whether the class does at least a fifth of what the others do in the same time: of less, a part says little. */
static bool is_at_work(const struct simulation *of, size_t k, size_t counter)
{
    double rate = 0;
    for (size_t i = 0; i < of->kinds; i++)
        rate += of->kind[i].work[counter] / of->kind[i].us / (double)of->kinds;
    return of->kind[k].work[counter] / of->kind[k].us >= 0.2 * rate;
}

static void look_at(const struct simulation *of, const struct run *run, const struct rl_attribution *found, struct tally *tally)
{
    for (size_t k = 0; k < of->kinds; k++)
        for (size_t c = 0; c < COUNTERS; c++) {
            const struct rl_attributed *value = &found->of[k * COUNTERS + c];
            const double truth = run->truth[k * COUNTERS + c] / run->launches_in[k];
            if (value->state == RL_ATTRIBUTED_GROUP) {
                double sum = 0;
                tally->grouped++;
                for (size_t i = 0; i < of->kinds && value->group == k; i++)
                    sum += found->of[i * COUNTERS + c].group == k ? run->truth[i * COUNTERS + c] : 0;
                tally->values += value->group == k;
                tally->held += value->group == k && fabs(value->group_total - sum) <= value->group_half_width;
            }
            if (value->state != RL_ATTRIBUTED_ALONE)
                continue;
            const double off = fabs(value->per_launch - truth);
            tally->values++;
            tally->held += off <= value->half_width;
            assert_true(value->per_launch >= 0);
            if (!is_at_work(of, k, c))
                continue;
            tally->long_values += of->kind[k].us >= 20;
            tally->long_off += of->kind[k].us >= 20 && off > 0.03 * truth;
            tally->short_values += of->kind[k].us >= 5 && of->kind[k].us < 20;
            tally->short_off += of->kind[k].us >= 5 && of->kind[k].us < 20 && off > 0.1 * truth;
        }
}

static void intervals_hold_what_ran(void **state)
{
    (void)state;
    struct tally all = {0};
    for (size_t i = 0; i < RL_COUNT(simulations); i++) {
        struct tally tally = {0};
        for (uint64_t seed = 1; seed <= 3; seed++) {
            struct run run;
            struct rl_attribution found;
            struct rl_err err = RL_ERR_INIT;
            simulate(&simulations[i], seed * 1000 + i, &run);
            if (rl_attribute(&run.sampled, &found, &err) != RL_OK)
                fail_msg("%s: %s", simulations[i].name, err.text);
            look_at(&simulations[i], &run, &found, &tally);
            rl_attribution_release(&found);
            release(&run);
        }
        print_message("%s: %zu of %zu held, off: %zu of %zu long, %zu of %zu short, %zu grouped\n", simulations[i].name, tally.held,
                      tally.values, tally.long_off, tally.long_values, tally.short_off, tally.short_values, tally.grouped);
        all.values += tally.values;
        all.held += tally.held;
        all.long_off += tally.long_off;
        all.short_off += tally.short_off;
    }
    print_message("%zu of %zu intervals hold the true value\n", all.held, all.values);
    assert_true((double)all.held >= 0.93 * (double)all.values);
    assert_true(all.long_off <= 1);
    assert_int_equal(all.short_off, 0);
}

/* Where noise is all that is wrong, intervals are as wide as the values are off: neither less, nor many times as much. */
static void intervals_follow_noise(void **state)
{
    (void)state;
    const struct simulation noisy = {.name = "noisy",
                                     .kinds = 3,
                                     .order = "?",
                                     .gap_us = 8,
                                     .gap_spread = 0.5,
                                     .sample_us = 20,
                                     .noise = 0.5,
                                     .samples = 3000,
                                     .front = 0.5,
                                     .kind = {{30, .1, {30, 9, 50}}, {45, .1, {45, 3, 90}}, {60, .1, {60, 20, 200}}}};
    size_t values = 0, held = 0;
    double error = 0, half = 0;
    for (uint64_t seed = 1; seed <= 24; seed++) {
        struct run run;
        struct rl_attribution found;
        simulate(&noisy, seed * 77, &run);
        assert_int_equal(rl_attribute(&run.sampled, &found, NULL), RL_OK);
        for (size_t i = 0; i < noisy.kinds * COUNTERS; i++) {
            const double truth = run.truth[i] / run.launches_in[i / COUNTERS], off = found.of[i].per_launch / truth - 1;
            assert_int_equal(found.of[i].state, RL_ATTRIBUTED_ALONE);
            held += fabs(off) * truth <= found.of[i].half_width;
            error += off * off;
            half += found.of[i].half_width / truth;
            values++;
        }
        rl_attribution_release(&found);
        release(&run);
    }
    const double widths = half / (double)values / sqrt(error / (double)values);
    print_message("%zu of %zu held, half widths %.2f errors\n", held, values, widths);
    assert_true((double)held >= 0.93 * (double)values);
    assert_true(widths > 1.6 && widths < 4); /* 1.96 of a normal error, were the width known */
}

/* A long kernel that does nine tenths of its work in its first half leaves its neighbour what is the neighbour's. */
static void uneven_launches_do_not_leak(void **state)
{
    (void)state;
    const struct simulation uneven = {.name = "uneven",
                                      .kinds = 2,
                                      .order = "ab",
                                      .gap_us = 3,
                                      .gap_spread = 0.5,
                                      .sample_us = 20,
                                      .noise = 0.01,
                                      .samples = 8000,
                                      .front = 0.9,
                                      .kind = {{12, .05, {12, 12, 12}}, {110, .02, {110, 110, 110}}}};
    struct run run;
    struct rl_attribution found;
    simulate(&uneven, 3, &run);
    assert_int_equal(rl_attribute(&run.sampled, &found, NULL), RL_OK);
    for (size_t c = 0; c < COUNTERS; c++) {
        const struct rl_attributed *own = &found.of[c];
        const double truth = run.truth[c] / run.launches_in[0];
        if (lags[c]) { /* a lag looks like a launch that does its work late: a sum, or an interval that knows */
            const double sum = run.truth[c] + run.truth[COUNTERS + c];
            assert_true(own->state == RL_ATTRIBUTED_GROUP ? fabs(own->group_total - sum) <= own->group_half_width + 0.005 * sum
                                                          : fabs(own->per_launch - truth) <= own->half_width);
            continue;
        }
        assert_int_equal(own->state, RL_ATTRIBUTED_ALONE);
        assert_close(own->per_launch, truth, 0.1);
        assert_close(found.of[COUNTERS + c].per_launch, run.truth[COUNTERS + c] / run.launches_in[1], 0.03);
    }
    rl_attribution_release(&found);
    release(&run);
}

/* Kernels of which every other one only stores at its end, for up to 10 us. */
struct quiet {
    struct kind kinds[4];
    double rest; /* of these 10 us */
    size_t held, known, values;
};

static void run_quiet(struct quiet *quiet)
{
    static const double rests_us[] = {0, 3, 6, 10};
    for (size_t i = 0; i < RL_COUNT(rests_us) * 6; i++) {
        struct run run;
        struct rl_attribution found;
        struct simulation of = {.name = "quiet",
                                .kinds = 4,
                                .order = "abcd",
                                .gap_us = 0.8,
                                .gap_spread = 0.5,
                                .sample_us = 20,
                                .noise = 0.02,
                                .samples = 1400,
                                .front = 0.5};
        for (size_t k = 0; k < of.kinds; k++) {
            of.kind[k] = quiet->kinds[k];
            of.kind[k].rests_us = k % 2 ? 0 : rests_us[i % RL_COUNT(rests_us)] * (k ? 1 : quiet->rest);
        }
        simulate(&of, 100 + i, &run);
        assert_int_equal(rl_attribute(&run.sampled, &found, NULL), RL_OK);
        for (size_t k = 0; k < of.kinds; k++) {
            const struct rl_attributed *own = &found.of[k * COUNTERS + INSTRUCTIONS];
            const double truth = run.truth[k * COUNTERS + INSTRUCTIONS] / run.launches_in[k];
            const bool alone = own->state == RL_ATTRIBUTED_ALONE;
            quiet->values += alone;
            quiet->held += alone && fabs(own->per_launch - truth) <= own->half_width;
            quiet->known += alone && own->half_width <= (k % 2 ? 0.35 : 0.02) * truth;
        }
        rl_attribution_release(&found);
        release(&run);
    }
    print_message("%zu of %zu held, %zu are known\n", quiet->held, quiet->values, quiet->known);
}

/* A long kernel that only stores at its end leaves its short neighbour what the neighbour executed, as far as the intervals say. Of
 * edges that are one part each 24 of 96 would hold, and the neighbour have a sixth of its own. Of shorter kernels it cannot be told
 * as well: the intervals are wide then, where they held 24 of 96, too. */
static void kernels_that_end_quietly_do_not_leak(void **state)
{
    const struct kind short_one = {12, .02, {12, 0.65, 12}}, other = {24, .02, {24, 1.6, 24}};
    struct quiet longer = {{{137, .01, {137, 45, 137}}, short_one, {94, .01, {94, 16, 94}}, other}, 1},
                 shorter = {{{17, .01, {17, 4, 17}}, short_one, {47, .01, {47, 8, 47}}, other}, 0.5};
    (void)state;
    run_quiet(&longer);
    assert_true((double)longer.held >= 0.93 * (double)longer.values);
    assert_int_equal(longer.known, longer.values);
    run_quiet(&shorter);
    assert_true((double)shorter.held >= 0.8 * (double)shorter.values);
    assert_true((double)shorter.known >= 0.3 * (double)shorter.values);
}

/* Two kernels of 2 us that always follow one another, among samples of 20. */
#define TWINS                                                                                                                      \
    .kinds = 3, .order = "ababababc", .gap_us = 0.3, .gap_spread = 0.1, .break_us = 5, .sample_us = 20, .delay_us = 0.7,           \
    .tail_us = 1.5, .kind = {{2, .02, {2, 5, 30}}, {2, .02, {2, 1, 3}}, {40, .02, {40, 20, 200}}}

/* With few samples, and what is counted not even, only their sum can be known. */
static void what_cannot_be_told_apart_is_a_group(void **state)
{
    (void)state;
    const struct simulation twins = {.name = "twins", TWINS, .noise = 0.1, .samples = 400};
    struct run run;
    struct rl_attribution found;
    simulate(&twins, 5, &run);
    assert_int_equal(rl_attribute(&run.sampled, &found, NULL), RL_OK);
    const struct rl_attributed *a = &found.of[0 * COUNTERS + BYTES], *b = &found.of[1 * COUNTERS + BYTES];
    assert_int_equal(a->state, RL_ATTRIBUTED_GROUP);
    assert_int_equal(b->state, RL_ATTRIBUTED_GROUP);
    assert_int_equal(a->group, 0);
    assert_int_equal(b->group, 0);
    assert_close(a->group_total, run.truth[BYTES] + run.truth[COUNTERS + BYTES], 0.1);
    assert_int_equal(found.of[2 * COUNTERS + BYTES].state, RL_ATTRIBUTED_ALONE);
    rl_attribution_release(&found);
    release(&run);
}

/* With many, the one that does much is known, and keeps its value, although what is not known of the other is its loss. */
static void what_is_known_keeps_its_value(void **state)
{
    (void)state;
    const struct simulation twins = {.name = "twins", TWINS, .noise = 0.02, .samples = 4000};
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct run run;
        struct rl_attribution found;
        simulate(&twins, seed, &run);
        assert_int_equal(rl_attribute(&run.sampled, &found, NULL), RL_OK);
        for (size_t k = 0; k < 2; k++) {
            const struct rl_attributed *of = &found.of[k * COUNTERS + BYTES];
            const double truth = run.truth[k * COUNTERS + BYTES] / run.launches_in[k];
            assert_int_equal(of->state, RL_ATTRIBUTED_ALONE);
            if (fabs(of->per_launch - truth) > of->half_width)
                fail_msg("seed %d, kernel %zu: %g +- %g, true %g", (int)seed, k, of->per_launch, of->half_width, truth);
        }
        assert_true(found.of[BYTES].half_width < 0.25 * found.of[BYTES].per_launch);
        assert_true(found.of[COUNTERS + BYTES].half_width > 0.25 * found.of[COUNTERS + BYTES].per_launch);
        rl_attribution_release(&found);
        release(&run);
    }
}

/* Kernels of another process run in a third of the breaks. */
static void foreign_kernels_are_seen(void **state)
{
    (void)state;
    for (int foreign = 0; foreign < 2; foreign++) {
        struct simulation idle = {.name = "others",
                                  .kinds = 1,
                                  .order = "aaaa",
                                  .gap_us = 2,
                                  .gap_spread = 0.5,
                                  .break_us = 400,
                                  .sample_us = 20,
                                  .noise = 0.02,
                                  .samples = 8000,
                                  .foreign = foreign / 3.0,
                                  .kind = {{30, .02, {30, 5, 30}}}};
        struct run run;
        struct rl_attribution found;
        simulate(&idle, 7, &run);
        assert_int_equal(rl_attribute(&run.sampled, &found, NULL), RL_OK);
        assert_true(found.idle_samples > 1000);
        assert_true(foreign ? found.foreign_samples > 100 : found.foreign_samples == 0);
        assert_true(foreign ? found.unexplained[BYTES] > 0.03 : found.unexplained[BYTES] < 0.01);
        assert_close(found.of[BYTES].per_launch, 30, 0.02);
        rl_attribution_release(&found);
        release(&run);
    }
}

/* Kernels that always come in the same order, as a program that repeats itself launches them; the last moves no bytes. */
#define REPEATED                                                                                                                   \
    .kinds = 4, .order = "acbdbcadcb", .gap_us = 1, .gap_spread = 0.3, .noise = 0.01, .shift_us = -0.13, .delay_us = 0.5,          \
    .tail_us = 1, .kind = {{24, .02, {24, 6, 100}}, {9, .03, {9, 2, 33}}, {45, .02, {45, 8, 201}}, {36, .01, {36, 70, 0}}}

static const struct simulation repeated[] = {
    {.name = "one window", .sample_us = 20, .samples = 10000, REPEATED},
    {.name = "windows", .sample_us = 20, .samples = 10000, .window = 2000, .paused_us = 2e5, REPEATED},
    {.name = "counting in pauses",
     .sample_us = 20,
     .samples = 10000,
     .window = 2000,
     .paused_us = 8e5,
     .pause_counts = true,
     REPEATED},
};

/* The first sample after a pause reaches back over it, and weighs as much as all others where it is not left out. */
static void pauses_do_not_matter(void **state)
{
    (void)state;
    for (size_t i = 0; i < RL_COUNT(repeated); i++) {
        const struct simulation *of = &repeated[i];
        struct tally tally = {0};
        struct run run;
        struct rl_attribution found;
        simulate(of, 1, &run);
        assert_int_equal(rl_attribute(&run.sampled, &found, NULL), RL_OK);
        look_at(of, &run, &found, &tally);
        print_message("%s: %zu of %zu held, off: %zu of %zu long, %zu of %zu short\n", of->name, tally.held, tally.values,
                      tally.long_off, tally.long_values, tally.short_off, tally.short_values);
        assert_int_equal(found.stretched_samples, of->window ? of->samples / of->window : 0);
        assert_int_equal(tally.grouped, 0);
        assert_int_equal(tally.values, of->kinds * COUNTERS);
        assert_true(tally.held + 1 >= tally.values);
        assert_true(tally.long_values > 0 && tally.long_off == 0);
        assert_true(tally.short_values > 0 && tally.short_off == 0);
        rl_attribution_release(&found);
        release(&run);
    }
}

/* Memory begins to move a microsecond or two after a kernel's recorded start, and its counters are read earlier than others: as
 * seen on an H100, of kernels that always come in this order. */
#define KERNELS                                                                                                                    \
    .kinds = 4, .order = "acbdbcadcb", .gap_us = 1, .gap_spread = 0.1, .sample_us = 20, .noise = 0.003, .samples = 12000,          \
    .shift_us = -0.4, .front = 0.5,                                                                                                \
    .kind = {{38, .005, {38, 6, 100}}, {16, .005, {16, 2, 33.5}}, {60, .005, {60, 8, 134}}, {47, .005, {47, 70, 0}}}

static const struct simulation late_and_early[] = {
    {.name = "late begin", .lead_us = 1, .trail_us = 0.5, KERNELS},
    {.name = "early counters", .lead_us = 1.5, .delay_us = -1.5, KERNELS},
    {.name = "early and long tail", .lead_us = 0.5, .delay_us = -2, .tail_us = 12, KERNELS},
};

static void launches_begin_late_and_end_early(void **state)
{
    (void)state;
    for (size_t i = 0; i < RL_COUNT(late_and_early); i++) {
        const struct simulation *of = &late_and_early[i];
        struct run run;
        struct rl_attribution found;
        simulate(of, 4, &run);
        assert_int_equal(rl_attribute(&run.sampled, &found, NULL), RL_OK);
        print_message("%s: delay %.0f ns, tail %.0f ns\n", of->name, found.delay_ns[BYTES], found.tail_ns[BYTES]);
        for (size_t k = 0; k < of->kinds; k++) {
            const struct rl_attributed *value = &found.of[k * COUNTERS + BYTES];
            const double truth = run.truth[k * COUNTERS + BYTES] / run.launches_in[k], off = fabs(value->per_launch - truth);
            print_message("  %.3f +- %.3f, true %.3f\n", value->per_launch, value->half_width, truth);
            assert_true(value->state != RL_ATTRIBUTED_NOT && (of->tail_us > 0 || value->state == RL_ATTRIBUTED_ALONE));
            assert_true(value->state == RL_ATTRIBUTED_GROUP || off <= fmin(value->half_width, of->tail_us > 0 ? 2 : 0.3));
        }
        struct tally tally = {0};
        look_at(of, &run, &found, &tally);
        assert_int_equal(tally.held, tally.values);
        rl_attribution_release(&found);
        release(&run);
    }
}

/* How much a counter of a run counts from now on. */
static void scale(struct run *run, size_t counter, double factor)
{
    for (size_t s = 0; s < run->sampled.sample_count; s++)
        run->values[s * COUNTERS + counter] *= factor;
}

static void move(struct run *run, uint64_t ns)
{
    for (size_t i = 0; i < run->count; i++) {
        run->launches[i].start_ns += ns;
        run->launches[i].end_ns += ns;
    }
}

/* Kernels much shorter than a sample, one after the other and always the same: every sample is like every other one. */
static const struct simulation even = {.name = "even",
                                       .kinds = 2,
                                       .order = "ab",
                                       .gap_us = 0.05,
                                       .sample_us = 20,
                                       .samples = 3000,
                                       .kind = {{0.45, 0, {0.5, 3, 3}}, {0.45, 0, {0.5, 3, 3}}}};

static void expect_unmatched(const struct rl_sampled *sampled, enum rl_unmatched how, const char *says)
{
    struct rl_attribution found;
    struct rl_err err = RL_ERR_INIT;
    assert_int_equal(rl_attribute(sampled, &found, &err), RL_ABSENT);
    assert_int_equal(found.unmatched, how);
    assert_non_null(strstr(err.text, says));
    rl_attribution_release(&found);
}

/* Samples of kernels that are not told, kernels of which there are no samples, and clocks that are apart are different faults. */
static void what_does_not_go_together_is_told_apart(void **state)
{
    (void)state;
    struct run run, other;
    simulate(&simulations[6], 1, &run);
    simulate(&simulations[6], 2, &other);
    struct rl_sampled sampled = run.sampled;
    sampled.values = other.values; /* of another clock */
    expect_unmatched(&sampled, RL_UNMATCHED_CLOCK, "clocks");

    scale(&run, BUSY, 0); /* of another GPU, where nothing ran */
    scale(&run, INSTRUCTIONS, 0);
    scale(&run, BYTES, 0);
    expect_unmatched(&run.sampled, RL_UNMATCHED_IDLE, "another GPU");
    release(&run);
    release(&other);

    simulate(&even, 3, &run);
    expect_unmatched(&run.sampled, RL_UNMATCHED_EVEN, "too alike to tell which kernels ran");
    release(&run);
}

/* Windows of samples with pauses between them; the launches that are known are all in the pauses. */
static void launches_in_pauses_have_no_samples(void **state)
{
    (void)state;
    const struct simulation of = {.name = "pauses",
                                  .kinds = 1,
                                  .order = "aaaa",
                                  .gap_us = 2,
                                  .break_us = 400,
                                  .sample_us = 20,
                                  .samples = 2000,
                                  .window = 200,
                                  .paused_us = 8000,
                                  .kind = {{30, .02, {30, 5, 30}}}};
    struct run run;
    size_t kept = 0;
    simulate(&of, 9, &run);
    for (size_t i = 0; i < run.count; i++) { /* a window lasts 4 ms, the pause before it 8 */
        const uint64_t inside_us = (run.launches[i].start_ns - 1000000000) / 1000 % 12000;
        if (inside_us > 500 && inside_us < 7500)
            run.launches[kept++] = run.launches[i];
    }
    run.sampled.launch_count = kept;
    expect_unmatched(&run.sampled, RL_UNMATCHED_APART, "none of");
    move(&run, 4000000); /* the same launches, where samples are */
    struct rl_attribution found;
    (void)rl_attribute(&run.sampled, &found, NULL);
    assert_true(found.unmatched != RL_UNMATCHED_APART);
    rl_attribution_release(&found);
    release(&run);
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    struct run run;
    struct rl_err err = RL_ERR_INIT;
    struct rl_attribution found;
    simulate(&simulations[6], 1, &run);
    struct rl_sampled sampled = run.sampled;
    sampled.sample_count = 63;
    assert_int_equal(rl_attribute(&sampled, &found, &err), RL_ABSENT);
    assert_non_null(strstr(err.text, "too few"));
    rl_attribution_release(&found);
    sampled = run.sampled;
    sampled.launch_count = 0;
    assert_int_equal(rl_attribute(&sampled, &found, &err), RL_ABSENT);
    assert_non_null(strstr(err.text, "no kernel"));
    rl_attribution_release(&found);
    release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_hold_what_ran),
        cmocka_unit_test(intervals_follow_noise),
        cmocka_unit_test(uneven_launches_do_not_leak),
        cmocka_unit_test(kernels_that_end_quietly_do_not_leak),
        cmocka_unit_test(what_cannot_be_told_apart_is_a_group),
        cmocka_unit_test(what_is_known_keeps_its_value),
        cmocka_unit_test(foreign_kernels_are_seen),
        cmocka_unit_test(pauses_do_not_matter),

        cmocka_unit_test(launches_begin_late_and_end_early),
        cmocka_unit_test(what_does_not_go_together_is_told_apart),
        cmocka_unit_test(launches_in_pauses_have_no_samples),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
