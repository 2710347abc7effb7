/* Which copies are planned for the links of a machine. */
#include "rl_test.h"

#include "core/mem.h"
#include "links.h"

static struct rl_capture *machine(size_t gpus)
{
    struct rl_capture *capture = rl_capture_new();
    for (size_t i = 0; i < gpus; i++)
        rl_capture_add_gpu(capture);
    rl_links_add(capture);
    return capture;
}

static void every_pair_has_two_links(void **state)
{
    (void)state;
    struct rl_capture *capture = machine(3);
    const size_t ends[][2] = {{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}, {RL_NONE, 0}, {0, RL_NONE}, {RL_NONE, 1}};
    assert_int_equal(capture->link_count, 3 * 2 + 2 * 3);
    for (size_t i = 0; i < RL_COUNT(ends); i++)
        assert_true(capture->links[i].from_gpu == ends[i][0] && capture->links[i].to_gpu == ends[i][1]);
    rl_capture_free(capture);
}

/* N GPUs: N (N + 1) links alone, half as many pairs of directions, and all from and all to the host. */
static void tasks_cover_everything_once(void **state)
{
    (void)state;
    static const size_t gpus[] = {2, 4, 16};
    for (size_t g = 0; g < RL_COUNT(gpus); g++) {
        size_t n = gpus[g], counts[3] = {0}, *seen = rl_calloc(n * (n + 1), sizeof *seen);
        struct rl_capture *capture = machine(n);
        struct rl_link_plan plan = rl_link_plan_of(capture);
        assert_int_equal(plan.task_count, n * (n + 1) + n * (n + 1) / 2 + 2);
        for (size_t i = 0; i < plan.task_count; i++) {
            const struct rl_link_task *task = &plan.tasks[i];
            counts[task->traffic]++;
            for (size_t k = 0; k < task->link_count && task->traffic == RL_LINK_ALONE; k++)
                seen[task->links[k]]++;
            const struct rl_link *first = &capture->links[task->links[0]],
                                 *last = &capture->links[task->links[task->link_count - 1]];
            if (task->traffic == RL_LINK_BOTH_WAYS)
                assert_true(task->link_count == 2 && first->from_gpu == last->to_gpu && first->to_gpu == last->from_gpu);
            if (task->traffic == RL_LINK_TOGETHER)
                assert_true(task->link_count == n && (first->from_gpu == RL_NONE) == (last->from_gpu == RL_NONE));
        }
        for (size_t i = 0; i < capture->link_count; i++)
            assert_int_equal(seen[i], 1);
        assert_int_equal(counts[RL_LINK_BOTH_WAYS], n * (n + 1) / 2);
        assert_int_equal(counts[RL_LINK_TOGETHER], 2);
        assert_true(plan.tasks[0].traffic == RL_LINK_ALONE && plan.tasks[plan.task_count - 1].traffic == RL_LINK_TOGETHER);
        rl_link_plan_release(&plan);
        rl_capture_free(capture);
        free(seen);
    }
}

static void sizes_end_with_the_largest(void **state)
{
    (void)state;
    uint64_t sizes[RL_LINK_SIZES];
    const struct rl_link_task alone = {.traffic = RL_LINK_ALONE}, both = {.traffic = RL_LINK_BOTH_WAYS};
    assert_int_equal(rl_link_sizes(&alone, false, &rl_link_full, sizes), 6);
    assert_int_equal(sizes[0], 16);
    assert_int_equal(sizes[5], 256 << 20);
    assert_int_equal(rl_link_sizes(&alone, true, &rl_link_full, sizes), 5);
    assert_int_equal(sizes[4], 64 << 20);
    assert_int_equal(rl_link_sizes(&alone, true, &rl_link_quick, sizes), 5);
    assert_int_equal(sizes[3], 16 << 20);
    assert_int_equal(sizes[4], 32 << 20);
    assert_int_equal(rl_link_sizes(&both, false, &rl_link_full, sizes), 1);
    assert_int_equal(sizes[0], 256 << 20);
}

static void samples_are_long_enough(void **state)
{
    (void)state;
    assert_int_equal(rl_link_copies(&rl_link_full, 16, 3000), 64);           /* latency: always a long chain */
    assert_int_equal(rl_link_copies(&rl_link_full, 1 << 20, 500000), 10);    /* 5 ms */
    assert_int_equal(rl_link_copies(&rl_link_full, 256 << 20, 12000000), 1); /* longer than that already */
    assert_int_equal(rl_link_copies(&rl_link_full, 64 << 10, 0), 64);        /* too short to be seen */
    assert_int_equal(rl_link_copies(&rl_link_quick, 64 << 20, 1000000), 2);
    assert_true(rl_link_full.samples <= RL_LINK_SAMPLES && rl_link_quick.samples >= 6); /* fewer have no interval */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pair_has_two_links),
        cmocka_unit_test(tasks_cover_everything_once),
        cmocka_unit_test(sizes_end_with_the_largest),
        cmocka_unit_test(samples_are_long_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
