/* An analysis by several threads is that of one: the same values, texts and findings for every kernel. */
#include "rl_test.h"

#include <sched.h>

#include "analysis/analysis.h"
#include "core/mem.h"
#include "core/parts.h"
#include "fixtures/capture.h"

enum { KERNELS = 9000, DISAGREE_EVERY = 7 };

static void count(struct rl_capture *capture, size_t kernel, const char *name, double value, size_t pass)
{
    sample_counter(capture, kernel, name, value);
    struct rl_kernel *of = &capture->kernels[kernel];
    of->counters[of->counter_count - 1].pass = pass;
}

/* Kernels whose times and counters all differ; of some two passes disagree, which makes texts of their own. */
static struct rl_capture *many_kernels(void)
{
    struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
    sample_passes(capture, 0);
    for (size_t i = 0; i < KERNELS; i++) {
        const size_t kernel = sample_kernel(capture, i % 2 ? "odd" : "even");
        sample_times(capture, kernel, (uint64_t[]){5000 + i, 5100 + i, 5200 + 2 * i}, 3);
        count(capture, kernel, "dram__bytes_read.sum", 1e6 + (double)i, 0);
        count(capture, kernel, "dram__bytes_write.sum", 2e6 + (double)i, 0);
        count(capture, kernel, "sm__cycles_elapsed.max", 1e5 + (double)i, 0);
        count(capture, kernel, "smsp__sass_branch_targets.sum", 1e4 + (double)i, 0);
        if (i % DISAGREE_EVERY == 0)
            count(capture, kernel, "smsp__sass_branch_targets.sum", 3e4 + (double)i, 1);
    }
    return capture;
}

static void assert_same_value(struct rl_value a, struct rl_value b)
{
    assert_int_equal(a.state, b.state);
    if (rl_present(a))
        assert_true(a.v == b.v);
    else
        assert_string_equal(rl_value_reason(a), rl_value_reason(b));
}

static void assert_same_result(const struct rl_kernel_result *a, const struct rl_kernel_result *b)
{
    assert_string_equal(a->short_name, b->short_name);
    assert_string_equal(a->limits.why, b->limits.why);
    assert_int_equal(a->bound, b->bound);
    assert_true(a->duration.median == b->duration.median);
    assert_true(!a->disagrees == !b->disagrees);
    if (a->disagrees)
        assert_string_equal(a->disagrees, b->disagrees);
    for (size_t i = 0; i < RL_METRIC_COUNT; i++)
        assert_same_value(a->metric[i], b->metric[i]);
    for (size_t i = 0; i < RL_RESOURCE_COUNT; i++)
        assert_same_value(a->limits.of[i].share, b->limits.of[i].share);
    assert_int_equal(a->finding_count, b->finding_count);
    for (size_t i = 0; i < a->finding_count; i++)
        assert_string_equal(a->findings[i].text, b->findings[i].text);
}

/* On one processor there is one thread. */
static struct rl_analysis *analysed_by_one(const struct rl_capture *capture)
{
    cpu_set_t before, one;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&one);
    for (size_t i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
        if (CPU_ISSET(i, &before))
            CPU_SET(i, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    struct rl_analysis *analysis = rl_analysis_new(capture);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    return analysis;
}

static void threads_change_nothing(void **state)
{
    (void)state;
    struct rl_capture *capture = many_kernels();
    struct rl_analysis *alone = analysed_by_one(capture), *together = rl_analysis_new(capture);
    size_t disagree = 0, findings = 0;
    assert_int_equal(alone->sets, together->sets);
    assert_int_equal(alone->finding_count, together->finding_count);
    for (size_t i = 0; i < KERNELS; i++) {
        assert_same_result(&alone->kernels[i], &together->kernels[i]);
        disagree += alone->kernels[i].disagrees != NULL;
        findings += alone->kernels[i].finding_count;
    }
    for (size_t i = 0; i < RL_CEILING_COUNT; i++)
        assert_same_value(alone->gpus[0].ceiling[i].theoretical, together->gpus[0].ceiling[i].theoretical);
    assert_int_equal(disagree, (KERNELS + DISAGREE_EVERY - 1) / DISAGREE_EVERY);
    assert_true(findings > 0);
    rl_analysis_free(together);
    rl_analysis_free(alone);
    rl_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
