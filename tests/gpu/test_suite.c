/* Every variant of the suite on a real card: right at every size, and a wrong one is found out.
 *
 *     gpu_suite [-t PATTERN] [EXPERIMENT[/VARIANT] ...]      all of them when none is named
 *
 * PATTERN chooses tests by name, with wildcards: '*awkward*' is short enough for compute-sanitizer.
 * Prints one line per variant: what the check found, and time, rate and registers for whoever reads the log. What the card or the
 * machine lacks is skipped, with the reason.
 */
#include "rl_test.h"

#include "core/mem.h"
#include "kernels/run.h"

enum {
    SKIPPED = 77,
    SEED = 20,
    LAUNCHES = 500, /* of an experiment that works in place, before it is checked again */
};

static void *stream;
static int sm_count;

static struct rl_suite_run new_run(const struct rl_suite_item *item, uint64_t size)
{
    return (struct rl_suite_run){
        .experiment = item->experiment,
        .variant = item->variant,
        .size = size,
        .seed = SEED,
        .stream = stream,
        .sm_count = sm_count,
    };
}

static void assert_ok(enum rl_status status, const struct rl_err *err)
{
    if (status != RL_OK)
        fail_msg("%s", err->text);
}

/* Sets up; a variant that this machine does not support is skipped. */
static void set_up(struct rl_suite_run *run)
{
    struct rl_err err = RL_ERR_INIT;
    const enum rl_status status = run->experiment->ops->setup(run, &err);

    if (status == RL_UNSUPPORTED) {
        printf("  %s/%s: %s\n", run->experiment->name, run->variant->name, err.text);
        assert_null(run->state);
        skip();
    }
    assert_ok(status, &err);
}

static void assert_verifies(struct rl_suite_run *run, struct rl_suite_check *check)
{
    struct rl_err err = RL_ERR_INIT;

    memset(check, 0, sizeof(*check));
    assert_ok(run->experiment->ops->verify(run, check, &err), &err);
    if (!check->correct)
        fail_msg("%s/%s at %llu: %s", run->experiment->name, run->variant->name, (unsigned long long)run->size, check->text);
    assert_true(strlen(check->text) > 0);
}

static double best_time(struct rl_suite_run *run)
{
    uint64_t best = UINT64_MAX;

    for (int i = 0; i < 10; i++) {
        struct rl_err err = RL_ERR_INIT;
        uint64_t ns = 0;

        assert_ok(rl_device_time_events(run, run->experiment->ops, &ns, &err), &err);
        assert_true(ns > 0);
        best = ns < best ? ns : best;
    }
    return (double)best * 1e-9;
}

/* At the default size: right, launched as recorded, timed. */
static void right_at_the_default_size(void **state)
{
    const struct rl_suite_item *item = *state;
    const struct rl_suite_ops *ops = item->experiment->ops;
    struct rl_suite_run run = new_run(item, item->experiment->default_size);
    struct rl_suite_check check;
    struct rl_err err = RL_ERR_INIT;

    set_up(&run);
    assert_verifies(&run, &check);
    run.recording = true;
    assert_ok(ops->launch(&run, &err), &err);
    assert_ok(rl_device_wait(stream, &err), &err);
    run.recording = false;
    const double seconds = best_time(&run);
    ops->teardown(&run);

    assert_true(run.launch_count >= 1 || item->variant->measure != RL_BY_KERNEL);
    if (run.launch_count == 0) { /* a graph, a library's kernels, or copies only */
        printf("  %s/%s: %s; %.4g ms\n", item->experiment->name, item->variant->name, check.text, seconds * 1e3);
        return;
    }
    const struct rl_launch *launch = &run.launches[0];
    assert_true(launch->name && strncmp(launch->name, "_Z", 2) == 0);
    assert_true(launch->registers_per_thread > 0 && launch->registers_per_thread <= 255);
    assert_in_range(launch->block[0] * launch->block[1] * launch->block[2], 1, 1024);
    assert_true(launch->grid[0] > 0 && launch->grid[1] > 0 && launch->grid[2] > 0);
    const struct rl_value useful = rl_suite_model(item->variant, item->variant->useful_bytes, run.size);
    printf("  %s/%s: %s; %.4g ms, %.1f GB/s, %d registers, grid %u x %u, block %u x %u, local %llu B\n", item->experiment->name,
           item->variant->name, check.text, seconds * 1e3, useful.v / seconds * 1e-9, launch->registers_per_thread, launch->grid[0],
           launch->grid[1], launch->block[0], launch->block[1], (unsigned long long)launch->local_bytes_per_thread);
}

/* What an experiment may refuse: over 64 GiB, which any card of the suite may lack, and more launches than a run may hold. */
static bool is_too_large(const struct rl_suite_variant *variant, uint64_t size)
{
    const struct rl_value bytes = rl_suite_model(variant, variant->useful_bytes, size);
    const struct rl_value operations = rl_suite_model(variant, variant->operations, size);

    return (rl_present(bytes) && bytes.v > 0x1p36) || (rl_present(operations) && operations.v > RL_MAX_SEQUENCE);
}

/* Sizes that are no multiple of anything. One that does not fit the card is refused in words, never run in part. */
static void right_at_awkward_sizes(void **state)
{
    static const uint64_t sizes[] = {1, 2, 31, 33, 127, 129, 1003, 1000003};
    const struct rl_suite_item *item = *state;
    const struct rl_suite_ops *ops = item->experiment->ops;

    for (size_t i = 0; i < RL_COUNT(sizes); i++) {
        struct rl_suite_run run = new_run(item, sizes[i]);
        struct rl_suite_check check;
        struct rl_err err = RL_ERR_INIT;

        if (i == 0) {
            set_up(&run);
            ops->teardown(&run);
        }
        const enum rl_status status = ops->setup(&run, &err);

        if (status == RL_UNSUPPORTED) {
            assert_true(is_too_large(item->variant, sizes[i]));
            assert_true(strlen(err.text) > 0);
            assert_null(run.state);
            continue;
        }
        assert_ok(status, &err);
        assert_verifies(&run, &check);
        assert_verifies(&run, &check); /* it starts from a known state, whatever ran before */
        ops->teardown(&run);
        assert_null(run.state);
    }
}

static void sizes_that_cannot_be_are_refused(void **state)
{
    static const struct {
        uint64_t size;
        enum rl_status status;
    } sizes[] = {{0, RL_USAGE}, {UINT64_MAX, RL_UNSUPPORTED}};
    const struct rl_suite_item *item = *state;

    for (size_t i = 0; i < RL_COUNT(sizes); i++) {
        struct rl_suite_run run = new_run(item, sizes[i].size);
        struct rl_err err = RL_ERR_INIT;

        assert_int_equal(item->experiment->ops->setup(&run, &err), sizes[i].status);
        assert_null(run.state);
        assert_non_null(strstr(err.text, item->experiment->name));
        item->experiment->ops->teardown(&run); /* after a failed setup: nothing happens */
    }
}

/* What went wrong on purpose is WRONG in the verdict, and the next run is right again. */
static void faults_are_found(void **state)
{
    static const enum rl_fault faults[] = {RL_FAULT_NO_LAUNCH, RL_FAULT_ELEMENT};
    static const uint64_t sizes[] = {1, 33, 1003};
    const struct rl_suite_item *item = *state;
    const struct rl_suite_ops *ops = item->experiment->ops;

    for (size_t i = 0; i < RL_COUNT(sizes); i++) {
        struct rl_suite_run run = new_run(item, sizes[i]);
        struct rl_suite_check check;
        struct rl_err err = RL_ERR_INIT;

        set_up(&run);
        for (size_t j = 0; j < RL_COUNT(faults); j++) {
            run.fault = faults[j];
            memset(&check, 0xff, sizeof(check));
            assert_ok(ops->verify(&run, &check, &err), &err);
            assert_false(check.correct);
            assert_non_null(strstr(check.text, "expected"));
            run.fault = RL_FAULT_NONE;
            assert_verifies(&run, &check);
        }
        ops->teardown(&run);
    }
}

static void thousands_of_launches_leave_it_right(void **state)
{
    const struct rl_suite_item *item = *state;
    const struct rl_suite_ops *ops = item->experiment->ops;
    struct rl_suite_run run = new_run(item, 1003);
    struct rl_suite_check check;
    struct rl_err err = RL_ERR_INIT;

    set_up(&run);
    for (int i = 0; i < LAUNCHES; i++)
        assert_ok(ops->launch(&run, &err), &err);
    assert_ok(rl_device_wait(stream, &err), &err);
    assert_verifies(&run, &check);
    run.seed++; /* other input, another reference */
    assert_verifies(&run, &check);
    ops->teardown(&run);
}

/* ---- what the register experiment is about ---- */

static struct rl_launch launch_of(const char *name)
{
    struct rl_suite_item *item;
    size_t count;
    struct rl_err err = RL_ERR_INIT;

    assert_ok(rl_suite_select(&name, 1, &item, &count, &err), &err);
    struct rl_suite_run run = new_run(item, 1003);
    assert_ok(item->experiment->ops->setup(&run, &err), &err);
    run.recording = true;
    assert_ok(item->experiment->ops->launch(&run, &err), &err);
    assert_ok(rl_device_wait(stream, &err), &err);
    item->experiment->ops->teardown(&run);
    free(item);
    return run.launches[0];
}

static void registers_tell_the_story(void **state)
{
    const struct rl_launch lean = launch_of("register_pressure/lean"), array = launch_of("register_pressure/array100");
    const struct rl_launch live = launch_of("register_pressure/live128");
    const struct rl_launch bounded = launch_of("register_pressure/live128_bounded");

    (void)state;
    assert_true(lean.registers_per_thread <= 16);
    assert_true(array.registers_per_thread <= 16);
    assert_in_range(live.registers_per_thread, 65, 96);
    assert_true(live.local_bytes_per_thread == 0);
    assert_true(bounded.registers_per_thread < live.registers_per_thread);
    assert_true(bounded.local_bytes_per_thread > 0); /* it spills */
}

static void too_many_launches_are_refused(void **state)
{
    const struct rl_suite_item item = {rl_suite_find("ilp"), rl_suite_find_variant(rl_suite_find("ilp"), "serial")};
    struct rl_suite_run run = new_run(&item, 33);
    struct rl_err err = RL_ERR_INIT;

    (void)state;
    assert_ok(item.experiment->ops->setup(&run, &err), &err);
    run.recording = true;
    for (int i = 0; i < RL_MAX_SEQUENCE; i++)
        assert_ok(item.experiment->ops->launch(&run, &err), &err);
    assert_int_equal(run.launch_count, 1);
    assert_int_equal(run.launches[0].count, RL_MAX_SEQUENCE);
    assert_int_equal(item.experiment->ops->launch(&run, &err), RL_FAILED);
    assert_int_equal(run.sequence_count, RL_MAX_SEQUENCE);
    item.experiment->ops->teardown(&run);
}

/* A window of counters makes the last launches alone: the tally of 1000 empty ones has 16. */
static void repeated_launches_are_left_out(void **state)
{
    const struct rl_suite_item item = {rl_suite_find("launch_overhead"),
                                       rl_suite_find_variant(rl_suite_find("launch_overhead"), "launches")};
    struct rl_suite_run run = new_run(&item, 1000);
    struct rl_suite_check check = {0};
    struct rl_err err = RL_ERR_INIT;

    (void)state;
    assert_ok(item.experiment->ops->setup(&run, &err), &err);
    run.recording = true;
    assert_ok(item.experiment->ops->launch(&run, &err), &err);
    run.recording = false;
    run.skipped = rl_suite_repeats(&run);
    assert_int_equal(run.skipped, 984);
    assert_ok(item.experiment->ops->verify(&run, &check, &err), &err);
    assert_false(check.correct);
    assert_non_null(strstr(check.text, "counted 16, expected 1000"));
    item.experiment->ops->teardown(&run);
}

/* ---- every check for every variant ---- */

static const struct {
    const char *name;
    CMUnitTestFunction function;
} checks[] = {
    {"right at the default size", right_at_the_default_size},
    {"right at awkward sizes", right_at_awkward_sizes},
    {"sizes that cannot be are refused", sizes_that_cannot_be_are_refused},
    {"faults are found", faults_are_found},
    {"thousands of launches leave it right", thousands_of_launches_leave_it_right},
};

/* `particular`: also the tests of single experiments. */
static int run_all(struct rl_suite_item *items, size_t count, bool particular)
{
    const size_t total = count * RL_COUNT(checks) + 3;
    struct CMUnitTest *tests = rl_calloc(total, sizeof(*tests));
    char(*names)[128] = rl_calloc(total, sizeof(*names));
    size_t n = 0;

    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < RL_COUNT(checks); j++, n++) {
            snprintf(names[n], sizeof(names[n]), "%s/%s: %s", items[i].experiment->name, items[i].variant->name, checks[j].name);
            tests[n] = (struct CMUnitTest){.name = names[n], .test_func = checks[j].function, .initial_state = &items[i]};
        }
    if (particular) {
        tests[n++] = (struct CMUnitTest)cmocka_unit_test(registers_tell_the_story);
        tests[n++] = (struct CMUnitTest)cmocka_unit_test(too_many_launches_are_refused);
        tests[n++] = (struct CMUnitTest)cmocka_unit_test(repeated_launches_are_left_out);
    }
    const int failed = _cmocka_run_group_tests("suite", tests, n, NULL, NULL);
    free(names);
    free(tests);
    return failed;
}

int main(int argc, char **argv)
{
    const bool chosen = argc > 2 && strcmp(argv[1], "-t") == 0;
    const int first = chosen ? 3 : 1;
    const size_t named = (size_t)(argc - first);
    struct rl_suite_item *items;
    size_t count;
    struct rl_err err = RL_ERR_INIT;
    const enum rl_status status = rl_device_open(0, &stream, &sm_count, &err);

    if (status == RL_ABSENT || status == RL_UNSUPPORTED) {
        printf("skipped: %s\n", err.text);
        return SKIPPED;
    }
    if (status != RL_OK || rl_suite_select((const char *const *)argv + first, named, &items, &count, &err) != RL_OK) {
        printf("failed: %s\n", err.text);
        return 1;
    }
    printf("%d multiprocessors\n", sm_count);
    if (chosen)
        cmocka_set_test_filter(argv[2]);
    const int failed = run_all(items, count, named == 0);
    free(items);
    rl_device_close(stream);
    return failed == 0 ? 0 : 1;
}
