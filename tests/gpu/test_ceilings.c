/* Every configuration of every micro-benchmark on a real card: all that it should read or compute is in its result, and a check
 * that is told to expect other data finds the difference.
 */
#include "rl_test.h"

#include <cuda_runtime_api.h>

#include "core/mem.h"
#include "kernels/ceiling.h"
#include "kernels/run.h"

enum { SKIPPED = 77, HOST_BYTES = 16 << 20 };

static struct rl_bench_space space;

static void assert_ok(enum rl_status status, const struct rl_err *err)
{
    if (status != RL_OK)
        fail_msg("%s", err->text);
}

/* Calls `test` for each configuration of the benchmark that runs here. */
static void for_each_case(const struct rl_bench *bench, void (*test)(struct rl_bench_case *c))
{
    size_t run = 0;

    for (const struct rl_bench_configuration *configuration = bench->configurations; configuration->kernel; configuration++) {
        struct rl_bench_case c;
        struct rl_err err = RL_ERR_INIT;
        enum rl_status status = rl_bench_resolve(bench, configuration, &space.card, &c, &err);

        if (status == RL_OK)
            status = rl_bench_launch(&space, &c, 0, &err);
        if (status != RL_OK) {
            assert_true(status == RL_UNSUPPORTED || status == RL_ABSENT);
            assert_true(strlen(err.text) > 0);
            continue;
        }
        assert_ok(rl_device_wait(space.stream, &err), &err);
        test(&c);
        run++;
    }
    if (run == 0)
        skip();
}

static void name_case(const struct rl_bench_case *c, struct rl_buf *text)
{
    rl_buf_adds(text, c->bench->id);
    rl_buf_adds(text, ": ");
    rl_bench_text(c, text);
}

static void assert_right(struct rl_bench_case *c)
{
    struct rl_suite_check check;
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf text = RL_BUF_INIT;

    name_case(c, &text);
    assert_ok(rl_bench_check(&space, c, &check, &err), &err);
    printf("  %s: %s\n", text.data, check.text);
    if (!check.correct)
        fail_msg("%s: %s", text.data, check.text);
    rl_buf_release(&text);
}

static void results_hold_everything(void **state)
{
    for_each_case(*state, assert_right);
}

/* Instructions that newer cards have, too, but are not measured by: their kernels run here all the same. */
static void kernels_of_older_cards_are_right(void **state)
{
    size_t run = 0;
    (void)state;

    for (size_t i = 0; i < rl_bench_count; i++)
        for (const struct rl_bench_configuration *row = rl_benches[i].configurations; row->kernel; row++) {
            struct rl_bench_configuration newer = *row;
            struct rl_bench_case c;
            struct rl_err err = RL_ERR_INIT;
            newer.max_cc = 0;
            if (row->family != RL_BENCH_mma || row->max_cc == 0 || row->max_cc >= space.card.cc)
                continue;
            assert_ok(rl_bench_resolve(&rl_benches[i], &newer, &space.card, &c, &err), &err);
            assert_right(&c);
            run++;
        }
    if (run == 0)
        skip();
}

/* With the seed of other data the CPU's sum is another one; matrices and copies have data of their own. */
static void assert_found_out(struct rl_bench_case *c)
{
    struct rl_suite_check check;
    struct rl_err err = RL_ERR_INIT;

    space.seed += 10;
    const enum rl_status status = rl_bench_check(&space, c, &check, &err);
    space.seed -= 10;
    assert_ok(status, &err);
    if (check.correct)
        fail_msg("%s: other data went unnoticed: %s", c->bench->id, check.text);
}

static void other_data_is_noticed(void **state)
{
    for_each_case(*state, assert_found_out);
}

/* A timed launch does not add to the sum (but once in 2^32 threads), and tells the clock where kernels stay on the card. */
static void assert_timed(struct rl_bench_case *c)
{
    struct rl_err err = RL_ERR_INIT;
    uint64_t duration_ns = 0;

    assert_ok(rl_bench_time_events(&space, c, 3, &duration_ns, &err), &err);
    assert_true(duration_ns > 0);
    rl_bench_set_duration(c, (double)duration_ns, 1e6);
    assert_ok(rl_bench_clear(&space, &err), &err);
    assert_ok(rl_bench_time_events(&space, c, 3, &duration_ns, &err), &err);
    double clock[2];
    assert_ok(rl_bench_clocks(&space, 2, 2, clock, &err), &err);
    assert_true(clock[0] == 0);
    const enum rl_bench_family family = c->configuration->family;
    static const bool silent[RL_BENCH_FAMILY_COUNT] = {
        [RL_BENCH_stream] = true, [RL_BENCH_cublas] = true, [RL_BENCH_link] = true, [RL_BENCH_dispatch] = true};
    if (!silent[family])
        assert_true(clock[1] > 1e8 && clock[1] < 5e9);
}

static void timed_launches_tell_their_clock(void **state)
{
    for_each_case(*state, assert_timed);
}

/* Or none at all, or none but what the host hands to it. */
static bool has_data_of_its_own(const struct rl_bench *bench)
{
    static const char *const kinds[] = {"tensor", "dram_write", "l2_write", "dispatch", "launch", "pcie", "uniform"};

    for (size_t i = 0; i < RL_COUNT(kinds); i++)
        if (strncmp(bench->id, kinds[i], strlen(kinds[i])) == 0)
            return true;
    return false;
}

static int run_all(void)
{
    struct CMUnitTest *tests = rl_calloc(3 * rl_bench_count + 1, sizeof *tests);
    char(*names)[64] = rl_calloc(3 * rl_bench_count, sizeof *names);
    size_t n = 0;

    for (size_t i = 0; i < rl_bench_count; i++) {
        static const struct {
            const char *name;
            CMUnitTestFunction function;
        } kinds[] = {{"results hold everything", results_hold_everything},
                     {"timed launches tell their clock", timed_launches_tell_their_clock},
                     {"other data is noticed", other_data_is_noticed}};
        for (size_t k = 0; k < RL_COUNT(kinds); k++) {
            if (kinds[k].function == other_data_is_noticed && has_data_of_its_own(&rl_benches[i]))
                continue;
            snprintf(names[n], sizeof names[n], "%s: %s", rl_benches[i].id, kinds[k].name);
            tests[n] = (struct CMUnitTest){
                .name = names[n], .test_func = kinds[k].function, .initial_state = (void *)(uintptr_t)&rl_benches[i]};
            n++;
        }
    }
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(kernels_of_older_cards_are_right);
    const int failed = _cmocka_run_group_tests("ceilings", tests, n, NULL, NULL);
    free(names);
    free(tests);
    return failed;
}

int main(void)
{
    void *stream = NULL;
    struct rl_bench_card card = {0};
    struct rl_err err = RL_ERR_INIT;
    struct cudaDeviceProp properties;
    const enum rl_status status = rl_device_open(0, &stream, &card.sm_count, &err);

    if (status == RL_ABSENT || status == RL_UNSUPPORTED) {
        printf("skipped: %s\n", err.text);
        return SKIPPED;
    }
    if (status != RL_OK || cudaGetDeviceProperties(&properties, 0) != cudaSuccess) {
        printf("failed: %s\n", err.text);
        return 1;
    }
    card.cc = 10 * properties.major + properties.minor;
    card.l2_bytes = (uint64_t)properties.l2CacheSize;
    if (rl_bench_open(&space, &card, stream, HOST_BYTES, &err) != RL_OK) {
        printf("failed: %s\n", err.text);
        return 1;
    }
    const int failed = run_all();
    rl_bench_close(&space);
    rl_device_close(stream);
    return failed == 0 ? 0 : 1;
}
