/* Times of a class without what instrumentation added: every figure of it moves alike. */
#include "rl_test.h"

#include "core/mem.h"
#include "program_builder.h"

enum { LAUNCHES = 3, SMS = 100 };
static const double CLOCK_HZ = 1e9;

/* 64 Ki warps on 100 SMs of 1 GHz: the most that instrumentation adds is 1,966 ns, and half of it where no launch was without. */
static struct rl_capture *class_of(struct rl_kernel **kernel, struct rl_kernel_use **use)
{
    struct rl_capture *capture = rl_capture_new();
    struct rl_gpu *gpu = rl_capture_add_gpu(capture);
    gpu->fact[RL_FACT_sm_count] = rl_value_of(SMS);
    gpu->fact[RL_FACT_sm_clock_max_hz] = rl_value_of(CLOCK_HZ);
    *kernel = rl_capture_add_kernel(capture);
    **kernel = (struct rl_kernel){.grid = {8192, 1, 1}, .block = {256, 1, 1}, .launches = LAUNCHES, .total_ns = 153000};
    (*kernel)->duration_ns = rl_arena_alloc(&capture->arena, LAUNCHES * sizeof(uint64_t));
    (*kernel)->duration_count = LAUNCHES;
    for (uint64_t i = 0; i < LAUNCHES; i++)
        (*kernel)->duration_ns[i] = 50000 + 1000 * i;
    *use = rl_capture_add_use(capture);
    (*use)->min_ns = 50000;
    (*use)->max_ns = 52000;
    return capture;
}

static void all_figures_of_traced_launches_move(void **state)
{
    struct rl_kernel *kernel;
    struct rl_kernel_use *use;
    struct rl_capture *capture = class_of(&kernel, &use);
    struct builder builder = {.capture = capture};
    const struct merged traced = {.timed = LAUNCHES, .traced = LAUNCHES, .total_ns = 153000, .traced_ns = 153000};
    (void)state;
    rl_builder_correct_times(&builder, kernel, use, &traced);
    assert_int_equal(kernel->clock.clock, RL_CLOCK_CONCURRENT);
    assert_int_equal(kernel->total_ns, 153000 - 2949);
    assert_int_equal(kernel->duration_ns[0], 50000 - 983);
    assert_int_equal(use->min_ns, kernel->duration_ns[0]);
    assert_int_equal(use->max_ns, kernel->duration_ns[LAUNCHES - 1]);
    rl_capture_free(capture);
}

/* The shortest of both kinds is one that was not instrumented. */
static void the_least_stays_where_some_were_not_traced(void **state)
{
    struct rl_kernel *kernel;
    struct rl_kernel_use *use;
    struct rl_capture *capture = class_of(&kernel, &use);
    struct builder builder = {.capture = capture};
    const struct merged both = {.timed = LAUNCHES, .traced = 2, .total_ns = 153000, .traced_ns = 103000};
    (void)state;
    rl_builder_correct_times(&builder, kernel, use, &both);
    assert_int_equal(kernel->clock.clock, RL_CLOCK_BOTH);
    assert_int_equal(use->min_ns, 50000);
    assert_int_equal(use->max_ns, 52000 - 1500); /* traced launches took so much longer on average */
    rl_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_figures_of_traced_launches_move),
        cmocka_unit_test(the_least_stays_where_some_were_not_traced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
