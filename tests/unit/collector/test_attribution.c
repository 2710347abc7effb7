/* Samples attributed to classes: made up programs whose launches did what is known. */
#include "rl_test.h"

#include <math.h>

#include "attribution.h"
#include "core/mem.h"
#include "fixtures/random.h"

enum { BUSY, BYTES, COUNTERS, CLASSES = 4, SAMPLE_NS = 20000 };

/* What a launch of each class counts in a nanosecond. */
static const double rate[CLASSES][COUNTERS] = {{132, 1500}, {132, 300}, {66, 0}, {10, 4000}};

/* A program that ran; samples follow one another from the moment 1e9 on. */
struct run {
    struct rl_span launches[4096];
    size_t launch_count, sample_count;
    uint64_t start_ns[4096], end_ns[4096];
    double values[4096 * COUNTERS], mean_ns[CLASSES], timed[CLASSES];
    uint64_t now_ns;
};
static struct run run;

static void begin(size_t samples, int64_t shift_ns)
{
    run = (struct run){.sample_count = samples, .now_ns = 1000000000};
    for (size_t s = 0; s < samples; s++) {
        run.start_ns[s] = (uint64_t)(1000000000 + (int64_t)(s * SAMPLE_NS) + shift_ns);
        run.end_ns[s] = run.start_ns[s] + SAMPLE_NS;
    }
}

/* A launch from `from_ns` on that counts `more` times what its class does; samples' clock is `shift_ns` ahead. */
static void launch_at(uint32_t class_id, uint64_t from_ns, uint64_t lasts_ns, double more, int64_t shift_ns)
{
    run.launches[run.launch_count++] = (struct rl_span){from_ns, from_ns + lasts_ns, class_id};
    run.mean_ns[class_id] = (run.mean_ns[class_id] * run.timed[class_id] + (double)lasts_ns) / (run.timed[class_id] + 1);
    run.timed[class_id]++;
    for (size_t s = 0; s < run.sample_count; s++) {
        const double from = fmax((double)((int64_t)from_ns + shift_ns), (double)run.start_ns[s]),
                     to = fmin((double)((int64_t)(from_ns + lasts_ns) + shift_ns), (double)run.end_ns[s]);
        for (size_t c = 0; c < COUNTERS && to > from; c++)
            run.values[s * COUNTERS + c] += (to - from) * rate[class_id][c] * (c == BUSY ? 1 : more);
    }
}

/* The next one, after a pause. */
static void launch(uint32_t class_id, uint64_t lasts_ns, uint64_t pause_ns)
{
    launch_at(class_id, run.now_ns, lasts_ns, 1, 0);
    run.now_ns += lasts_ns + pause_ns;
}

static enum rl_status attribute(struct rl_attribution *found, struct rl_err *err)
{
    const struct rl_sampled sampled = {.class_count = CLASSES,
                                       .counter_count = COUNTERS,
                                       .launches = run.launches,
                                       .launch_count = run.launch_count,
                                       .start_ns = run.start_ns,
                                       .end_ns = run.end_ns,
                                       .values = run.values,
                                       .sample_count = run.sample_count,
                                       .mean_ns = run.mean_ns,
                                       .busy_counter = BUSY};
    return rl_attribute(&sampled, found, err);
}

static void assert_value(const struct rl_attribution *found, uint32_t class_id, double relative)
{
    for (size_t c = 0; c < COUNTERS; c++) {
        const double truth = rate[class_id][c] * run.mean_ns[class_id];
        const struct rl_attributed *of = &found->of[class_id * COUNTERS + c];
        assert_close(of->per_launch, (1 - relative) * truth, 1e-9);
        assert_close(of->half_width, relative * truth, 1e-6);
    }
}

/* Of launches of 120 us three samples or more lie inside, 3 us from the ends; of 5 us none does. The value has half of
 * the outer 3 us on either side, the interval all or nothing of them. */
static void long_launches_have_values(void **state)
{
    (void)state;
    struct rl_attribution found;
    begin(400, 0);
    for (size_t i = 0; i < 20; i++) {
        launch(0, 120000, 1000);
        launch(1, 90000, 2000);
        launch(2, 5000, 1000);
    }
    assert_int_equal(attribute(&found, NULL), RL_OK);
    assert_true(fabs(found.shift_ns) <= 500 && found.correlation > 0.9);
    assert_value(&found, 0, 3.0 / 120);
    assert_value(&found, 1, 3.0 / 90);
    assert_true(found.own[0] >= 20 * 4 && found.own[1] >= 20 * 3);
    assert_close(found.launches[0], (double)found.own[0] * SAMPLE_NS / 120000, 1e-9);
    assert_int_equal(found.own[2], 0);
    assert_close(found.of[2 * COUNTERS].per_launch, 0, 0);
    assert_close(found.of[2 * COUNTERS].half_width, 0, 0);
    rl_attribution_release(&found);
}

/* Short launches of one class that follow one another closely are one stretch; with longer pauses they are not. */
static void short_launches_in_a_row_have_values(void **state)
{
    (void)state;
    struct rl_attribution found;
    begin(400, 0);
    for (size_t i = 0; i < 400; i++)
        launch(3, 8000, 10000);
    assert_int_equal(attribute(&found, NULL), RL_OK);
    assert_true(found.own[3] >= 350);
    assert_close(found.of[3 * COUNTERS + BYTES].per_launch, 32e6, 0.001);
    assert_true(found.of[3 * COUNTERS + BYTES].half_width < 0.01 * 32e6);
    rl_attribution_release(&found);
    begin(400, 0);
    for (size_t i = 0; i < 400; i++)
        launch(3, 8000, 10001);
    assert_int_equal(attribute(&found, NULL), RL_OK);
    assert_int_equal(found.own[3], 0);
    rl_attribution_release(&found);
}

static void seven_samples_are_no_value(void **state)
{
    (void)state;
    static const struct {
        uint64_t lasts_ns;
        size_t own;
    } rows[] = {{7 * SAMPLE_NS + 6000, 7}, {8 * SAMPLE_NS + 5999, 7}, {8 * SAMPLE_NS + 6000, 8}};
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_attribution found;
        begin(100, 0);
        for (size_t k = 0; k < 20; k++)
            launch(2, 7000, 20000);
        launch_at(0, 1000000000 + 50 * SAMPLE_NS - 3000, rows[i].lasts_ns, 1, 0);
        assert_int_equal(attribute(&found, NULL), RL_OK);
        assert_close(found.shift_ns, 0, 0);
        assert_int_equal(found.own[0], rows[i].own);
        assert_true((found.of[0].per_launch > 0) == (rows[i].own >= RL_ATTRIBUTION_LEAST_OWN));
        rl_attribution_release(&found);
    }
}

/* Where another class runs as well a sample is nobody's; where a launch of the same does it is both's. */
static void overlapping_launches(void **state)
{
    (void)state;
    struct rl_attribution found;
    begin(400, 0);
    for (uint64_t at = 1000000000; at < 1008000000; at += 800000) {
        launch_at(0, at, 700000, 1, 0);
        launch_at(3, at + 200000, 100000, 1, 0);
    }
    assert_int_equal(attribute(&found, NULL), RL_OK);
    assert_value(&found, 0, 6000 / 2 * 2.0 / 600000);
    assert_int_equal(found.own[3], 0);
    assert_int_equal(found.own[0], 10 * (8 + 18));
    rl_attribution_release(&found);
    begin(400, 0);
    for (uint64_t at = 1000000000; at < 1008000000; at += 800000) {
        launch_at(0, at, 400000, 1, 0);
        launch_at(0, at + 200000, 400000, 1, 0);
    }
    assert_int_equal(attribute(&found, NULL), RL_OK);
    assert_close(found.of[BYTES].per_launch, 400000 * 1500.0, 0.02);
    assert_true(found.own[0] >= 10 * 28);
    rl_attribution_release(&found);
}

static void clocks_that_are_apart_are_matched(void **state)
{
    (void)state;
    static const int64_t shifts[] = {-1500, 1000, 12000};
    for (size_t i = 0; i < RL_COUNT(shifts); i++) {
        struct rl_attribution found;
        uint64_t at = 1000000000;
        begin(1000, shifts[i]);
        for (size_t k = 0; k < 90; k++) {
            launch_at(k % 2, at, 120000 + 1000 * (k % 7), 1, shifts[i]);
            at += 200000 + 3700 * (k % 5);
        }
        assert_int_equal(attribute(&found, NULL), RL_OK);
        assert_true(fabs(found.shift_ns - (double)shifts[i]) <= 500);
        assert_close(found.of[BYTES].per_launch, rate[0][BYTES] * run.mean_ns[0], 0.03);
        rl_attribution_release(&found);
    }
}

/* A GPU that is never idle says nothing of the clocks, which are taken to agree. */
static void a_busy_gpu_needs_no_match(void **state)
{
    (void)state;
    struct rl_attribution found;
    begin(400, 0);
    for (size_t i = 0; i < 40; i++)
        launch(i % 2, 200000, 0);
    assert_int_equal(attribute(&found, NULL), RL_OK);
    assert_close(found.shift_ns, 0, 0);
    assert_value(&found, 0, 3.0 / 200);
    assert_value(&found, 1, 3.0 / 200);
    rl_attribution_release(&found);
}

/* Launches differ: the interval holds the mean of all of them nearly always, and is no wider than it has to be. */
static void intervals_hold_the_mean(void **state)
{
    (void)state;
    enum { RUNS = 200 };
    struct random_source random = {7};
    size_t held = 0;
    double width = 0;
    for (size_t i = 0; i < RUNS; i++) {
        struct rl_attribution found;
        uint64_t at = 1000000000;
        begin(600, 0);
        for (size_t k = 0; k < 60; k++) {
            launch_at(0, at, 160000, 1 + 0.2 * random_next_normal(&random), 0);
            at += 190000;
        }
        assert_int_equal(attribute(&found, NULL), RL_OK);
        held += fabs(found.of[BYTES].per_launch - 160000 * 1500.0) <= found.of[BYTES].half_width;
        width += found.of[BYTES].half_width / (160000 * 1500.0) / RUNS;
        rl_attribution_release(&found);
    }
    assert_true(held >= 0.93 * RUNS);
    assert_true(width < 0.09); /* 2.1 * 0.2 / sqrt(60), and 3 us of 160 */
}

static void other_processes_are_noticed(void **state)
{
    (void)state;
    struct rl_attribution found;
    begin(400, 0);
    for (size_t i = 0; i < 10; i++)
        launch(0, 300000, 400000);
    for (size_t s = 21; s < 400; s += 35)
        run.values[s * COUNTERS + BUSY] = 5;
    assert_int_equal(attribute(&found, NULL), RL_OK);
    assert_true(found.idle_samples > 10 * 14 && found.foreign_samples > 5 && found.foreign_samples <= 12);
    rl_attribution_release(&found);
}

static void what_does_not_go_together_is_refused(void **state)
{
    (void)state;
    enum { FEW, APART, IDLE, CLOCKS, CASES };
    static const char *const says[CASES] = {[FEW] = "63 samples are too few to tell kernels apart, 64 are needed",
                                            [APART] = "none of 400 samples was taken while a kernel with a known time ran",
                                            [IDLE] = "samples of another GPU",
                                            [CLOCKS] = "could not be matched"};
    for (int i = 0; i < CASES; i++) {
        struct rl_attribution found;
        struct rl_err err = RL_ERR_INIT;
        struct random_source random = {11};
        begin(i == FEW ? 63 : 400, i == APART ? 60000000 : 0);
        for (size_t k = 0; k < 30; k++)
            launch(0, 100000, 160000);
        for (size_t s = 0; s < run.sample_count && i != FEW; s++)
            run.values[s * COUNTERS + BUSY] = i == IDLE ? 0 : random_next(&random) < 0.5 ? 100 : 0;
        assert_int_equal(attribute(&found, &err), RL_ABSENT);
        assert_non_null(strstr(err.text, says[i]));
        rl_attribution_release(&found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_launches_have_values),
        cmocka_unit_test(short_launches_in_a_row_have_values),
        cmocka_unit_test(seven_samples_are_no_value),
        cmocka_unit_test(overlapping_launches),
        cmocka_unit_test(clocks_that_are_apart_are_matched),
        cmocka_unit_test(a_busy_gpu_needs_no_match),
        cmocka_unit_test(intervals_hold_the_mean),
        cmocka_unit_test(other_processes_are_noticed),
        cmocka_unit_test(what_does_not_go_together_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
