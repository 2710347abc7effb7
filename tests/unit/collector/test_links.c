/* Which copies are planned for the links of a machine. */
#include "rl_test.h"

#include <signal.h>
#include <unistd.h>

#include "core/fs.h"
#include "core/mem.h"
#include "fixtures/files.h"
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

/* ---- copies that go wrong, without a GPU: the process that copies is made up ---- */

enum { GPUS = 3, CRASHES = 1, HANGS = 3, FAILS = 4, DIES_LATER = 7 }; /* tasks: links alone, in the order of rl_links_add */

static enum rl_status describe_machine(const char *path, const int *gpus, size_t gpu_count, struct rl_err *err)
{
    (void)gpus, (void)gpu_count;
    struct rl_capture *capture = machine(GPUS);
    for (size_t i = 0; i < GPUS; i++) {
        capture->gpus[i].index = (int)i;
        capture->gpus[i].name = rl_capture_text(capture, "no card");
    }
    enum rl_status status = rl_capture_write(capture, path, err);
    rl_capture_free(capture);
    return status;
}

static void go_wrong(size_t task, rl_link_tell tell, void *context)
{
    struct rl_link_message failed = {.kind = RL_LINK_FAILED, .task = task, .text = "cudaErrorUnknown"};
    if (task == CRASHES)
        raise(SIGKILL);
    if (task == HANGS)
        pause();
    if (task == FAILS)
        tell(context, &failed);
    if (task == DIES_LATER) {
        tell(context, &failed); /* a fault that sticks: said, and the process ends */
        _exit(0);
    }
}

static void measure_badly(const struct rl_capture *capture, const struct rl_link_plan *plan, size_t first,
                          const struct rl_link_limits *limits, rl_link_tell tell, void *context)
{
    (void)capture, (void)limits;
    for (size_t task = first; task < plan->task_count; task++) {
        tell(context, &(struct rl_link_message){.kind = RL_LINK_BEGINS, .task = task});
        go_wrong(task, tell, context);
        if (task == FAILS)
            continue;
        for (size_t i = 0; i < plan->tasks[task].link_count; i++)
            tell(context, &(struct rl_link_message){.kind = RL_LINK_RUN,
                                                    .task = task,
                                                    .link = plan->tasks[task].links[i],
                                                    .bytes = 16,
                                                    .copies = 1,
                                                    .duration_ns = {1000 + task},
                                                    .sample_count = 1});
    }
    tell(context, &(struct rl_link_message){.kind = RL_LINK_FINISHED});
}

static size_t runs_of(const struct rl_capture *capture, size_t link)
{
    size_t count = 0;
    for (size_t i = 0; i < capture->link_run_count; i++)
        count += capture->link_runs[i].link == link && strcmp(capture->link_runs[i].traffic, "alone") == 0;
    return count;
}

static void one_bad_link_stops_no_other(void **state)
{
    (void)state;
    static const struct rl_links_work work = {describe_machine, measure_badly, 3000}; /* ms, and as long does one that hangs take */
    char path[] = "/tmp/rl_links_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    const struct rl_links_options options = {.output = path, .tool_version = "test"};
    struct rl_links_summary summary;
    struct rl_err err = RL_ERR_INIT;
    struct rl_capture *capture = NULL;
    if (rl_links_run(&options, &work, &summary, &err) != RL_OK)
        fail_msg("%s", err.text);
    assert_int_equal(summary.gpus, GPUS);
    assert_int_equal(summary.links, 12);
    assert_int_equal(summary.failed, 4);
    assert_int_equal(rl_capture_read(path, &capture, &err), RL_OK);
    assert_true(capture->session.complete);
    for (size_t i = 0; i < capture->link_count; i++) {
        bool bad = i == CRASHES || i == HANGS || i == FAILS || i == DIES_LATER;
        assert_int_equal(runs_of(capture, i), bad ? 0 : 1);
        assert_int_equal(capture->links[i].failure != NULL, bad);
    }
    assert_non_null(strstr(capture->links[CRASHES].failure, "died of signal 9"));
    assert_string_equal(capture->links[HANGS].failure, "the copy hung");
    assert_string_equal(capture->links[FAILS].failure, "cudaErrorUnknown");
    assert_string_equal(capture->links[DIES_LATER].failure, "cudaErrorUnknown");
    assert_int_equal(summary.warnings, 4);
    rl_capture_free(capture);
    remove(path);
}

/* Every copy works, or none does. */
static void measure_alike(const struct rl_link_plan *plan, size_t first, bool works, rl_link_tell tell, void *context)
{
    for (size_t task = first; task < plan->task_count; task++) {
        tell(context, &(struct rl_link_message){.kind = RL_LINK_BEGINS, .task = task});
        for (size_t i = 0; works && i < plan->tasks[task].link_count; i++)
            tell(context, &(struct rl_link_message){.kind = RL_LINK_RUN,
                                                    .task = task,
                                                    .link = plan->tasks[task].links[i],
                                                    .bytes = 16,
                                                    .copies = 1,
                                                    .duration_ns = {1000},
                                                    .sample_count = 1});
        if (!works)
            tell(context, &(struct rl_link_message){.kind = RL_LINK_FAILED, .task = task, .text = "cudaErrorUnknown"});
    }
    tell(context, &(struct rl_link_message){.kind = RL_LINK_FINISHED});
}

static void measure_well(const struct rl_capture *capture, const struct rl_link_plan *plan, size_t first,
                         const struct rl_link_limits *limits, rl_link_tell tell, void *context)
{
    (void)capture, (void)limits;
    measure_alike(plan, first, true, tell, context);
}

static void measure_nothing(const struct rl_capture *capture, const struct rl_link_plan *plan, size_t first,
                            const struct rl_link_limits *limits, rl_link_tell tell, void *context)
{
    (void)capture, (void)limits;
    measure_alike(plan, first, false, tell, context);
}

/* A capture with figures is not replaced by one in which every link failed, and that is said. */
static void links_without_figures_replace_none(void **state)
{
    (void)state;
    static const struct rl_links_work well = {describe_machine, measure_well, 3000},
                                      nothing = {describe_machine, measure_nothing, 3000};
    char *folder = files_new_folder(), *path = rl_path_join(folder, "x.rlcap"), *partial = rl_path_join(folder, "x.rlcap.partial");
    const struct rl_links_options options = {.output = path, .tool_version = "test"};
    struct rl_links_summary summary;
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf before = RL_BUF_INIT, after = RL_BUF_INIT;
    assert_int_equal(rl_links_run(&options, &well, &summary, &err), RL_OK);
    assert_int_equal(rl_read_file(path, 1 << 20, &before, &err), RL_OK);
    assert_int_equal(rl_links_run(&options, &nothing, &summary, &err), RL_FAILED);
    assert_true(strstr(err.text, "x.rlcap' is left as it was: the capture in '") && strstr(err.text, ".partial' has no figures"));
    assert_int_equal(rl_read_file(path, 1 << 20, &after, &err), RL_OK);
    assert_true(after.len == before.len && memcmp(after.data, before.data, after.len) == 0 && rl_path_exists(partial));
    assert_int_equal(rl_links_run(&options, &well, &summary, &err), RL_OK);
    assert_false(rl_path_exists(partial));
    rl_buf_release(&before);
    rl_buf_release(&after);
    files_remove_folder(folder);
    free(path);
    free(partial);
}

static enum rl_status describe_nothing(const char *path, const int *gpus, size_t gpu_count, struct rl_err *err)
{
    (void)path, (void)gpus, (void)gpu_count;
    return rl_err_set(err, RL_UNSUPPORTED, "there is one only");
}

static void what_cannot_be_begun_is_said(void **state)
{
    (void)state;
    static const struct rl_links_work work = {describe_nothing, measure_badly, 3000};
    const struct rl_links_options options = {.output = "/tmp/rl_links_nothing.rlcap", .tool_version = "test"};
    struct rl_links_summary summary;
    struct rl_err err = RL_ERR_INIT;
    assert_int_equal(rl_links_run(&options, &work, &summary, &err), RL_UNSUPPORTED);
    assert_string_equal(err.text, "there is one only");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pair_has_two_links),           cmocka_unit_test(tasks_cover_everything_once),
        cmocka_unit_test(sizes_end_with_the_largest),         cmocka_unit_test(samples_are_long_enough),
        cmocka_unit_test(one_bad_link_stops_no_other),        cmocka_unit_test(what_cannot_be_begun_is_said),
        cmocka_unit_test(links_without_figures_replace_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
