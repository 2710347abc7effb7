/* Samples of the whole GPU by moment: each moment counts once, whatever the samples say of their times. */
#include "rl_test.h"

#include "capture/capture.h"
#include "program_builder.h"
#include "sampling.h"

enum { WIDTH = 1000, BINS = 4, MOST = 16 };

static uint64_t starts[MOST], ends[MOST];
static double values[MOST];

/* The timeline of a GPU on which these samples were taken, of the counter sm_active. */
static struct rl_capture *place(size_t count)
{
    struct rl_capture *capture = rl_capture_new();
    struct rl_sampling sampling = {
        .interval_ns = WIDTH / 2,
        .counter_count = 1,
        .counters = {RL_PM_sm_active},
        .samples = {.start_ns = starts, .end_ns = ends, .values = values, .count = count},
    };
    const struct rl_program_facts facts = {.sampling = &sampling};
    struct builder builder = {.facts = &facts, .capture = capture, .clocks_known = true};
    rl_capture_add_sampling(capture)->gpu = 0;
    *rl_capture_add_timeline(capture) = (struct rl_timeline){.gpu = 0, .width_ns = WIDTH, .bins = BINS};
    rl_builder_add_moments(&builder, 0);
    assert_int_equal(capture->sampled_lane_count, 1);
    return capture;
}

static void add(size_t *count, uint64_t start_ns, uint64_t end_ns, double value)
{
    assert_true(*count < MOST);
    starts[*count] = start_ns;
    ends[*count] = end_ns;
    values[(*count)++] = value;
}

static void assert_bin(const struct rl_capture *capture, size_t at, uint32_t bin, uint64_t covered_ns, double total)
{
    assert_true(at < capture->sampled_bin_count);
    assert_int_equal(capture->sampled_bins[at].bin, bin);
    assert_int_equal(capture->sampled_bins[at].covered_ns, covered_ns);
    assert_close(capture->sampled_bins[at].total, total, 1e-9);
}

static void a_sample_is_shared_by_the_bins_it_lies_in(void **state)
{
    (void)state;
    size_t count = 0;
    add(&count, 800, 1200, 40);
    add(&count, 2100, 2500, 10);
    struct rl_capture *capture = place(count);
    assert_int_equal(capture->sampled_bin_count, 3);
    assert_bin(capture, 0, 0, 200, 20);
    assert_bin(capture, 1, 1, 200, 20);
    assert_bin(capture, 2, 2, 400, 10);
    rl_capture_free(capture);
}

/* On an H200 the first sample of a window began up to 40 ns before the last one of the window before had ended. */
static void no_moment_is_covered_twice(void **state)
{
    (void)state;
    size_t count = 0;
    add(&count, 1000, 1500, 5);
    add(&count, 1460, 2000, 6);
    add(&count, 1900, 2400, 7); /* a tenth of a moment that is known already */
    struct rl_capture *capture = place(count);
    assert_int_equal(capture->sampled_bin_count, 2);
    assert_bin(capture, 0, 1, WIDTH, 11);
    assert_bin(capture, 1, 2, 400, 7);
    assert_int_equal(capture->sampled_lanes[0].covered_ns, 1400);
    assert_close(capture->sampled_lanes[0].total, 18, 1e-9);
    rl_capture_free(capture);
}

/* A clock that steps back. */
static void what_lies_in_known_moments_is_left_out(void **state)
{
    (void)state;
    size_t count = 0;
    add(&count, 1000, 1500, 5);
    add(&count, 1500, 2000, 6);
    add(&count, 1100, 1600, 7);
    add(&count, 2000, 2500, 8);
    struct rl_capture *capture = place(count);
    assert_int_equal(capture->sampled_bin_count, 2);
    assert_bin(capture, 0, 1, WIDTH, 11);
    assert_bin(capture, 1, 2, 500, 8);
    rl_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sample_is_shared_by_the_bins_it_lies_in),
        cmocka_unit_test(no_moment_is_covered_twice),
        cmocka_unit_test(what_lies_in_known_moments_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
