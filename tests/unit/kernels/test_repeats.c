/* Launches that only repeat others are not counted again and again. */
#include "rl_test.h"

#include "kernels/run.h"

/* A run of `count` launches of which launch i is of kernel `kernels[i]`. */
static struct rl_suite_run *run_of(size_t count, size_t different)
{
    static struct rl_suite_run run;
    run = (struct rl_suite_run){.sequence_count = count, .launch_count = different};
    for (size_t i = 0; i < count; i++)
        run.sequence[i] = (uint8_t)(i % different);
    return &run;
}

static void the_last_launches_stand_for_all(void **state)
{
    (void)state;
    assert_int_equal(rl_suite_repeats(run_of(1, 1)), 0);
    assert_int_equal(rl_suite_repeats(run_of(16, 1)), 0);
    assert_int_equal(rl_suite_repeats(run_of(17, 1)), 1);
    assert_int_equal(rl_suite_repeats(run_of(3000, 1)), 2984);
    assert_int_equal(rl_suite_repeats(run_of(100, 16)), 84);
    assert_int_equal(rl_suite_repeats(run_of(RL_MAX_SEQUENCE, 2)), RL_MAX_SEQUENCE - 16);
}

static void a_kernel_that_is_launched_early_alone_is_counted(void **state)
{
    (void)state;
    struct rl_suite_run *run = run_of(3000, 1);
    run->launch_count = 2;
    run->sequence[3000 - 17] = 1; /* one too early */
    assert_int_equal(rl_suite_repeats(run), 0);
    run->sequence[3000 - 16] = 1;
    assert_int_equal(rl_suite_repeats(run), 2984);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_launches_stand_for_all),
        cmocka_unit_test(a_kernel_that_is_launched_early_alone_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
