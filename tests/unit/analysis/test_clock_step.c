/* The step of a clock from made-up times under clocks whose step is known. */
#include "rl_test.h"

#include "analysis/analysis.h"
#include "clock_step.h"
#include "core/mem.h"
#include "fixtures/capture.h"
#include "fixtures/series.h"

/* What a clock with steps of `step_ns` says of `n` times around `level_ns`, `spread_ns` wide, when time stamps scatter by up to
 * `jitter_ns` whole nanoseconds. */
struct made {
    double step_ns, level_ns, spread_ns;
    int jitter_ns;
    size_t n;
};

static void add(struct rl_gaps *gaps, const struct made *of, struct random_source *source)
{
    double *seconds = rl_calloc(of->n, sizeof *seconds);
    for (size_t i = 0; i < of->n; i++) {
        const double time = of->level_ns + of->spread_ns * (random_next(source) - 0.5);
        const double jitter = floor((2 * of->jitter_ns + 1) * random_next(source)) - of->jitter_ns;
        seconds[i] = (floor(time / of->step_ns) * of->step_ns + jitter) * 1e-9;
    }
    rl_clock_gaps_add(gaps, seconds, of->n);
    free(seconds);
}

static double step_of(const struct made *of, size_t series, uint64_t seed)
{
    struct rl_gaps *gaps = rl_calloc(1, sizeof *gaps);
    struct random_source source = {seed};
    for (size_t i = 0; i < series; i++) {
        struct made one = *of;
        one.level_ns *= 1 + random_next(&source);
        add(gaps, &one, &source);
    }
    const double step = rl_clock_gaps_step(gaps);
    free(gaps);
    return step * 1e9;
}

/* 32 ns however the time stamps scatter, of one series and of a hundred; to a nanosecond where many differences are known. */
static void the_step_under_jitter(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++)
        for (int jitter = 0; jitter <= 2; jitter++) {
            const struct made times = {32, 5000, 400, jitter, 36};
            assert_in_range(lround(step_of(&times, 1, seed)), 32 - 2 * jitter, 32 + 2 * jitter);
            assert_in_range(lround(step_of(&times, 100, seed)), 32 - (jitter > 1), 32 + (jitter > 1));
        }
    const struct made events = {500, 1e6, 20000, 0, 40}; /* CUDA's events */
    assert_close(step_of(&events, 30, 1), 500, 1e-9);
}

/* A few kernels that happen to have met neighbouring levels never, and one pair of times that is nearer than the clock's step. */
static void what_is_rare_is_not_the_step(void **state)
{
    (void)state;
    struct rl_gaps *gaps = rl_calloc(1, sizeof *gaps);
    rl_clock_gaps_add(gaps, (double[]){2048e-9, 2080e-9, 2112e-9, 2144e-9, 2176e-9, 2193e-9}, 6); /* 17 ns at the end */
    rl_clock_gaps_add(gaps, (double[]){4096e-9, 4160e-9, 4224e-9}, 3);
    assert_close(rl_clock_gaps_step(gaps), 32e-9, 1e-9);
    free(gaps);
}

/* A clock without steps that show: what is said is next to nothing, whether the times lie close together or far apart. */
static void a_fine_clock(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        const struct made close = {1, 5000, 60, 0, 100}, apart = {1, 10000, 5000, 0, 100};
        assert_in_range(lround(step_of(&close, 1, seed)), 1, 6);
        assert_in_range(lround(step_of(&close, 20, seed)), 1, 6);
        assert_in_range(lround(step_of(&apart, 20, seed)), 1, 6);
    }
}

/* Most series under steps of 32 ns, some under a fine clock: the coarser one, as long as most differences are its multiples. */
static void mixed_clocks(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        struct rl_gaps *gaps = rl_calloc(1, sizeof *gaps);
        struct random_source source = {seed};
        for (size_t i = 0; i < 20; i++) {
            const struct made steps = {32, 5000 + 1000 * (double)i, 400, 1, 36}, fine = {1, 20000, 2000, 0, 10};
            add(gaps, i < 18 ? &steps : &fine, &source);
        }
        assert_in_range(lround(rl_clock_gaps_step(gaps) * 1e9), 31, 33);
        free(gaps);
    }
}

/* Kernels of 20 ms that hit no two neighbouring levels: the step is not known, and what is said is no less than it. */
static void far_apart(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        const struct made times = {32, 2e7, 4e5, 1, 30};
        assert_true(lround(step_of(&times, 3, seed)) >= 30);
    }
}

static void nothing_to_tell(void **state)
{
    (void)state;
    struct rl_gaps *gaps = rl_calloc(1, sizeof *gaps);
    assert_true(rl_clock_gaps_step(gaps) == 0);
    rl_clock_gaps_add(gaps, NULL, 0);
    rl_clock_gaps_add(gaps, (double[]){5e-6, 5e-6, 5e-6}, 3);
    rl_clock_gaps_add(gaps, (double[]){5e-6, 5.002e-6, 5.004e-6}, 3); /* one level that scatters */
    assert_true(rl_clock_gaps_step(gaps) == 0);
    rl_clock_gaps_add(gaps, (double[]){5e-3, 6e-3}, 2);
    assert_close(rl_clock_gaps_step(gaps), 1e-3, 1e-9); /* beyond all steps: the least difference bounds it */
    free(gaps);
}

/* A capture in which every kernel names a clock of its own: the first have their steps, the rest share one. Kernel i has times that
 * lie 100 + i ns apart. */
static void a_capture_may_name_any_number_of_clocks(void **state)
{
    enum { KERNELS = 3000, OWN = 15 };
    struct rl_capture *capture = sample_new("GH100", 90);
    (void)state;
    for (size_t i = 0; i < KERNELS; i++) {
        const size_t kernel = sample_kernel(capture, "k");
        char clock[32];
        snprintf(clock, sizeof clock, "clock %zu", i);
        sample_times(capture, kernel, (uint64_t[]){5000, 5100 + i}, 2);
        capture->kernels[kernel].timing = rl_capture_text(capture, clock);
    }
    struct rl_analysis *analysis = rl_analysis_new(capture);
    for (size_t i = 0; i < KERNELS; i++)
        if (i < OWN)
            assert_close(analysis->kernels[i].clock_step_s, (100 + (double)i) * 1e-9, 1e-9);
        else
            assert_true(analysis->kernels[i].clock_step_s == analysis->kernels[OWN].clock_step_s);
    assert_true(analysis->kernels[OWN].clock_step_s > 0);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* A fifth of the differences are the step, two thirds its multiples: just so many, and one too few. */
static void shares_at_their_edges(void **state)
{
    static const struct {
        size_t step, twice, other;
        bool found;
    } rows[] = {{2, 0, 1, true}, {2, 0, 2, false}, {3, 1, 2, true}, {3, 1, 3, false}, {1, 4, 0, true}, {1, 5, 0, false}};
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_gaps gaps = {.least_s = 7e-9};
        gaps.count[32] = rows[i].step;
        gaps.count[64] = rows[i].twice;
        gaps.count[50] = rows[i].other;
        const double step = rl_clock_gaps_step(&gaps);
        if ((fabs(step - 32e-9) < 1e-12) != rows[i].found)
            fail_msg("%zu of 32 ns, %zu of 64, %zu of 50: %g", rows[i].step, rows[i].twice, rows[i].other, step);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_step_under_jitter),
        cmocka_unit_test(what_is_rare_is_not_the_step),
        cmocka_unit_test(a_fine_clock),
        cmocka_unit_test(mixed_clocks),
        cmocka_unit_test(far_apart),
        cmocka_unit_test(nothing_to_tell),
        cmocka_unit_test(a_capture_may_name_any_number_of_clocks),
        cmocka_unit_test(shares_at_their_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
