/* Choosing the best configuration, and sharing activities out to launches. */
#include "rl_test.h"

#include "activity.h"
#include "session.h"

static void test_best_is_the_highest_median(void **state)
{
    static const double slow[] = {1, 1, 1}, fast[] = {2, 2, 9}, spiky[] = {1.5, 1.5, 100}, one[] = {3};
    (void)state;
    assert_int_equal(rl_ceiling_best((const double *const[]){slow, fast, spiky}, (size_t[]){3, 3, 3}, 3), 1);
    assert_int_equal(rl_ceiling_best((const double *const[]){slow, fast, one}, (size_t[]){3, 3, 1}, 3), 2);
    assert_int_equal(rl_ceiling_best((const double *const[]){slow, fast, one}, (size_t[]){3, 0, 0}, 3), 0);
    assert_int_equal(rl_ceiling_best((const double *const[]){fast, fast}, (size_t[]){3, 3}, 2), 0); /* the first of equals */
    assert_true(rl_ceiling_best((const double *const[]){NULL, NULL}, (size_t[]){0, 0}, 2) == RL_NONE);
    assert_true(rl_ceiling_best(NULL, NULL, 0) == RL_NONE);
}

static void add_run(struct rl_capture *capture, const char *id, size_t gpu, double rate, size_t count)
{
    struct rl_ceiling_run *run = rl_capture_add_ceiling(capture);
    run->id = rl_capture_text(capture, id);
    run->gpu = gpu;
    run->samples = rl_arena_alloc(&capture->arena, count * sizeof *run->samples);
    run->sample_count = count;
    for (size_t i = 0; i < count; i++)
        run->samples[i] = rate;
}

/* Runs of a sweep, in which tensor cores are still fast, against those that were measured in full. */
static void test_long_load_is_for_what_became_the_ceiling(void **state)
{
    struct rl_capture *capture = rl_capture_new();
    (void)state;
    assert_true(rl_ceiling_in_full(capture, 0, "tensor") == RL_NONE);
    add_run(capture, "tensor", 0, 938, 5);
    assert_int_equal(rl_ceiling_in_full(capture, 0, "tensor"), 0);
    add_run(capture, "tensor", 0, 895, 45);
    add_run(capture, "tensor", 0, 937, 5);
    add_run(capture, "tensor", 0, 781, 45); /* the library */
    add_run(capture, "fp32", 0, 2000, 45);
    add_run(capture, "tensor", 1, 2000, 45);
    assert_int_equal(rl_ceiling_in_full(capture, 0, "tensor"), 1);
    assert_int_equal(rl_ceiling_in_full(capture, 1, "tensor"), 5);
    rl_capture_free(capture);
}

/* Activity i lasts from 100 i to 100 i + 10. */
static void fill(struct rl_activity *seen, size_t count)
{
    memset(seen, 0, count * sizeof *seen);
    for (size_t i = 0; i < count; i++) {
        seen[i].start_ns = 100 * i;
        seen[i].end_ns = 100 * i + 10 + i;
    }
}

static void test_one_activity_is_one_launch(void **state)
{
    struct rl_activity seen[6];
    size_t per_launch[] = {1, 1, 1};
    uint64_t duration_ns[6];
    (void)state;
    fill(seen, 6);
    assert_true(rl_ceiling_durations(seen, 6, per_launch, 3, 2, duration_ns));
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(duration_ns[i], 10 + i);
}

static void test_a_launch_of_several_kernels_lasts_from_the_first_to_the_last(void **state)
{
    struct rl_activity seen[8];
    size_t per_launch[] = {1, 0}; /* how many the second takes is not known */
    uint64_t duration_ns[4];
    (void)state;
    fill(seen, 8);
    assert_true(rl_ceiling_durations(seen, 8, per_launch, 2, 2, duration_ns));
    assert_int_equal(per_launch[1], 3);
    assert_int_equal(duration_ns[0], 10);
    assert_int_equal(duration_ns[1], 11);
    assert_int_equal(duration_ns[2], 410 + 4 - 200); /* activities 2, 3, 4 */
    assert_int_equal(duration_ns[3], 710 + 7 - 500);
}

static void test_numbers_that_do_not_fit_are_refused(void **state)
{
    struct rl_activity seen[8];
    uint64_t duration_ns[8];
    (void)state;
    fill(seen, 8);
    assert_false(rl_ceiling_durations(seen, 5, (size_t[]){1, 1, 1}, 3, 2, duration_ns)); /* one is missing */
    assert_false(rl_ceiling_durations(seen, 7, (size_t[]){1, 1, 1}, 3, 2, duration_ns)); /* one too many */
    assert_false(rl_ceiling_durations(seen, 7, (size_t[]){1, 0}, 2, 2, duration_ns));    /* 5 for two launches */
    assert_false(rl_ceiling_durations(seen, 2, (size_t[]){1, 0}, 2, 2, duration_ns));    /* none left */
    assert_false(rl_ceiling_durations(seen, 8, (size_t[]){0, 0}, 2, 2, duration_ns));    /* two unknown */
    assert_false(rl_ceiling_durations(NULL, 0, (size_t[]){1}, 1, 2, duration_ns));
}

static void test_limits_keep_their_promises(void **state)
{
    (void)state;
    assert_true(rl_ceiling_full.samples >= 30 && rl_ceiling_quick.samples >= 30);
    assert_true(rl_ceiling_full.budget_s <= 6 && rl_ceiling_quick.budget_s <= 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_best_is_the_highest_median),
        cmocka_unit_test(test_long_load_is_for_what_became_the_ceiling),
        cmocka_unit_test(test_one_activity_is_one_launch),
        cmocka_unit_test(test_a_launch_of_several_kernels_lasts_from_the_first_to_the_last),
        cmocka_unit_test(test_numbers_that_do_not_fit_are_refused),
        cmocka_unit_test(test_limits_keep_their_promises),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
