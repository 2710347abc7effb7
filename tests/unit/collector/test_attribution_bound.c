/* Sharing out in bounded time: how much of the samples it takes, and that this is a part of the whole run. */
#include "simulated_samples.h"

#include "attribution_bound.h"
#include "attribution_design.h"
#include "attribution_samples.h"

enum { MS = 1000000 };

static void work_is_bounded(void **state)
{
    (void)state;
    static const struct {
        uint64_t work_ms;
        size_t samples, launches;
        size_t least_samples, most_samples, least_probes, most_probes, kinds;
    } rows[] = {
        {0, 1000000, 5000000, 1000000, 1000000, 20000, 20000, RL_DESIGN_MOST_KINDS}, /* no bound */
        {0, 5000, 0, 5000, 5000, 5000, 5000, RL_DESIGN_MOST_KINDS},
        {300, 1000, 300, 1000, 1000, 1000, 1000, 125}, /* little work */
        {300, 100000, 20000, 25000, 28000, 2500, 2800, 125},
        {300, 100000, 500000, 8000, 9000, 800, 900, 125},      /* short kernels */
        {300, 100000, 5000000, 2000, 2000, 500, 500, 125},     /* very short ones: enough to tell something */
        {3000, 100000, 500000, 80000, 90000, 8000, 9000, 271}, /* after a long run */
        {60000, 100000, 500000, 100000, 100000, 20000, 20000, RL_DESIGN_MOST_KINDS},
        {1, 100000, 500000, 2000, 2000, 500, 500, 50},
        {1, 300, 500000, 300, 300, 300, 300, 50},
        {300, 0, 0, 0, 0, 0, 0, RL_DESIGN_MOST_KINDS},
    };
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        const struct rl_attribution_bound bound = rl_attribution_bound(rows[i].work_ms * MS, rows[i].samples, rows[i].launches);
        if (bound.samples < rows[i].least_samples || bound.samples > rows[i].most_samples || bound.probes < rows[i].least_probes ||
            bound.probes > rows[i].most_probes || bound.kinds != rows[i].kinds)
            fail_msg("row %zu: %zu samples, %zu probes, %zu kinds", i, bound.samples, bound.probes, bound.kinds);
    }
}

/* As many samples from each part of the run, whole pieces of it. */
static void pieces_are_of_the_whole_run(void **state)
{
    (void)state;
    enum { ALL = 100000, TENTHS = 10 };
    uint64_t *start = rl_calloc(ALL, sizeof *start), *end = rl_calloc(ALL, sizeof *end);
    double *values = rl_calloc(ALL, sizeof *values);
    size_t of_tenth[TENTHS] = {0}, cuts = 0;
    for (size_t i = 0; i < ALL; i++) {
        start[i] = 1000 + i * 20;
        end[i] = start[i] + (i % 1000 ? 20 : 200); /* the first of a window reaches back */
        values[i] = (double)i;
    }
    const struct rl_sampled sampled = {.counter_count = 1, .start_ns = start, .end_ns = end, .values = values, .sample_count = ALL};
    struct rl_even_samples even;
    rl_even_samples_make(&sampled, ALL / 5, &even);
    assert_int_equal(even.stretched, ALL / 1000);
    assert_int_equal(even.sampled.sample_count + even.stretched + even.spared, ALL);
    assert_true(even.sampled.sample_count > ALL * 19 / 100 && even.sampled.sample_count < ALL * 21 / 100);
    for (size_t i = 0; i < even.sampled.sample_count; i++) {
        const size_t at = (even.sampled.start_ns[i] - 1000) / 20;
        of_tenth[at * TENTHS / ALL]++;
        assert_close(even.sampled.values[i], (double)at, 0);
        cuts += i > 0 && even.sampled.start_ns[i] != even.sampled.end_ns[i - 1];
    }
    for (size_t t = 0; t < TENTHS; t++)
        assert_true(of_tenth[t] > ALL / 5 / TENTHS * 9 / 10 && of_tenth[t] < ALL / 5 / TENTHS * 11 / 10);
    assert_true(cuts < ALL / 300);
    rl_even_samples_release(&even);
    rl_even_samples_make(&sampled, ALL, &even);
    assert_int_equal(even.spared, 0);
    rl_even_samples_release(&even);
    free(start);
    free(end);
    free(values);
}

static const struct simulation windows = {.name = "windows",
                                          .kinds = 3,
                                          .kind = {{30, .1, {30, 9, 30}, 0}, {60, .1, {60, 3, 200}, 0}, {90, .1, {90, 20, 10}, 0}},
                                          .order = "???",
                                          .gap_us = 3,
                                          .gap_spread = .5,
                                          .break_us = 60,
                                          .sample_us = 20,
                                          .noise = .01,
                                          .shift_us = -.7,
                                          .delay_us = .7,
                                          .tail_us = 1.5,
                                          .samples = 30000,
                                          .window = 2000,
                                          .paused_us = 5000};

/* A program that launches nothing at first, or one long kernel, for more samples than searches take: they take later ones. */
static void searches_take_what_tells(void **state)
{
    (void)state;
    enum { BEFORE = 6000, SAMPLE_NS = 20000 };
    for (int busy = 0; busy <= 1; busy++) {
        struct run run;
        struct rl_attribution found;
        struct rl_err err = RL_ERR_INIT;
        simulate(&windows, 1, &run);
        const size_t counters = run.sampled.counter_count, all = BEFORE + run.sampled.sample_count;
        const uint64_t later_ns = (uint64_t)BEFORE * SAMPLE_NS;
        uint64_t *start = rl_calloc(all, sizeof *start), *end = rl_calloc(all, sizeof *end);
        double *values = rl_calloc(all * counters, sizeof *values);
        struct rl_span *launches = rl_calloc(run.sampled.launch_count + 1, sizeof *launches);
        for (size_t s = 0; s < all; s++) {
            start[s] = s < BEFORE ? run.sampled.start_ns[0] + s * SAMPLE_NS : run.sampled.start_ns[s - BEFORE] + later_ns;
            end[s] = s < BEFORE ? start[s] + SAMPLE_NS : run.sampled.end_ns[s - BEFORE] + later_ns;
            for (size_t c = 0; c < counters && s >= BEFORE; c++)
                values[s * counters + c] = run.sampled.values[(s - BEFORE) * counters + c];
            if (s < BEFORE && busy)
                values[s * counters + run.sampled.busy_counter] = SAMPLE_NS;
        }
        launches[0] = (struct rl_span){start[0], end[BEFORE - 1], 0};
        for (size_t i = 0; i < run.sampled.launch_count; i++) {
            launches[busy + i] = run.sampled.launches[i];
            launches[busy + i].start_ns += later_ns;
            launches[busy + i].end_ns += later_ns;
        }
        const struct rl_sampled later = {.class_count = run.sampled.class_count,
                                         .counter_count = counters,
                                         .launches = launches,
                                         .launch_count = run.sampled.launch_count + (size_t)busy,
                                         .start_ns = start,
                                         .end_ns = end,
                                         .values = values,
                                         .sample_count = all,
                                         .lags = run.sampled.lags,
                                         .busy_counter = run.sampled.busy_counter,
                                         .work_ns = 60 * MS};
        if (rl_attribute(&later, &found, &err) != RL_OK)
            fail_msg("busy %d: %s", busy, err.text);
        assert_close(found.shift_ns, 1e3 * windows.shift_us, 400);
        assert_true(found.correlation > 0.9);
        rl_attribution_release(&found);
        free(launches);
        free(values);
        free(end);
        free(start);
        release(&run);
    }
}

/* Values of pieces of a run in windows are as true as their intervals say. */
static void intervals_hold_of_pieces(void **state)
{
    (void)state;
    size_t values = 0, held = 0;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct run run;
        struct rl_attribution found;
        struct rl_err err = RL_ERR_INIT;
        simulate(&windows, seed, &run);
        run.sampled.work_ns = 60 * MS;
        assert_int_equal(rl_attribute(&run.sampled, &found, &err), RL_OK);
        assert_true(found.spared_samples > 15000 && found.spared_samples < 29000);
        for (size_t k = 0; k < windows.kinds; k++)
            for (size_t c = 0; c < COUNTERS; c++) {
                const struct rl_attributed *value = &found.of[k * COUNTERS + c];
                const double truth = run.truth[k * COUNTERS + c] / run.launches_in[k];
                assert_int_equal(value->state, RL_ATTRIBUTED_ALONE);
                values++;
                held += fabs(value->per_launch - truth) <= value->half_width;
                assert_true(fabs(value->per_launch - truth) < 0.05 * truth);
            }
        rl_attribution_release(&found);
        release(&run);
    }
    print_message("%zu of %zu values are in their intervals\n", held, values);
    assert_true((double)held >= 0.9 * (double)values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_is_bounded),
        cmocka_unit_test(pieces_are_of_the_whole_run),
        cmocka_unit_test(searches_take_what_tells),
        cmocka_unit_test(intervals_hold_of_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
