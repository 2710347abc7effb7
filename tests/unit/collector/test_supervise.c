/* The process that supervises, with collecting ones that are made up: what it takes over from one that has died, and from nobody
 * else. */
#include "rl_test.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/fs.h"
#include "core/mem.h"
#include "session.h"

enum { NAP_MS = 200 };

/* ---- stand-ins for suite.c ---- */

enum { ITEMS = 4 };
static bool dies_before_it_saves;
static size_t dies_at, saved; /* the item in hand then, and how many were written by then */

static void take(struct rl_collecting *s, const struct rl_collect_task *task, size_t item)
{
    const char *why = task->failed[item];
    const size_t variant = rl_describe_variant(s, &task->items[item]);
    struct rl_variant *row = &s->capture->variants[variant];
    row->status = why ? RL_VARIANT_FAILED : RL_VARIANT_DONE;
    if (why) {
        row->reason = rl_capture_text(s->capture, why);
        rl_warn(s, "%s", why);
    }
}

/* The first one dies in hand of an item, the next goes on with what is at `path`. */
enum rl_status rl_collect_items(const struct rl_collect_options *options, const struct rl_collect_task *task,
                                struct rl_collect_summary *summary, struct rl_err *err)
{
    struct rl_collecting s = {.options = options, .summary = summary, .start_ns = task->start_ns};
    if (!task->resumes && dies_before_it_saves)
        raise(SIGKILL);
    if (!task->resumes) {
        s.capture = rl_capture_new();
        rl_capture_add_gpu(s.capture)->name = rl_capture_text(s.capture, "this card");
        for (size_t i = 0; i < saved; i++)
            take(&s, task, i);
        if (rl_capture_write_growing(s.capture, task->path, err) != RL_OK)
            return RL_FAILED;
        for (size_t i = 0; i <= dies_at; i++)
            task->begins(task->context, i);
        usleep(1000 * NAP_MS);
        raise(SIGKILL);
    }
    if (rl_capture_read(task->path, &s.capture, err) != RL_OK)
        return RL_FAILED;
    rl_warn(&s, "goes on from %zu", task->first);
    for (size_t i = task->first; i < task->item_count; i++)
        take(&s, task, i);
    s.capture->session.complete = true;
    return rl_capture_write(s.capture, options->output, err);
}

/* ---- the tests ---- */

static void plan(void *context, const char *chip, const struct rl_configuration **configurations, size_t *count)
{
    (void)context, (void)chip, (void)configurations;
    *count = 0;
}

static enum rl_status supervise(const char *output, struct rl_err *err)
{
    static const struct rl_suite_variant variants[ITEMS + 1] = {{.name = "a", .description = ""},
                                                                {.name = "b", .description = ""},
                                                                {.name = "c", .description = ""},
                                                                {.name = "d", .description = ""}};
    static const struct rl_suite_claim claims[] = {{0}};
    static const struct rl_suite_experiment experiment = {
        .name = "x", .topic = "", .question = "", .explanation = "", .size_unit = "", .variants = variants, .claims = claims};
    static const struct rl_suite_item items[ITEMS] = {
        {&experiment, &variants[0]}, {&experiment, &variants[1]}, {&experiment, &variants[2]}, {&experiment, &variants[3]}};
    static const char *const command[] = {"rooflight"};
    const struct rl_collect_options options = {.output = output,
                                               .items = items,
                                               .item_count = ITEMS,
                                               .command = command,
                                               .command_count = 1,
                                               .tool_version = "test",
                                               .plan = plan};
    struct rl_collect_summary summary;
    return rl_collect_suite(&options, &summary, err);
}

/* Another session's capture, with a card that must not show up. */
static void leave(const char *path)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_capture *capture = rl_capture_new();
    rl_capture_add_gpu(capture)->name = rl_capture_text(capture, "another card");
    assert_int_equal(rl_capture_write(capture, path, &err), RL_OK);
    rl_capture_free(capture);
}

static void run_in(const char *folder, bool early, enum rl_status expected, struct rl_capture **capture, struct rl_err *err)
{
    char *output = rl_path_join(folder, "x.rlcap"), *partial = rl_path_join(folder, "x.rlcap.partial");
    leave(output);
    leave(partial);
    dies_before_it_saves = early;
    const enum rl_status status = supervise(output, err);
    if (status != expected)
        print_message("%s\n", err->text);
    assert_int_equal(status, expected);
    assert_int_equal(rl_capture_read(output, capture, err), RL_OK);
    free(output);
    free(partial);
}

static void nothing_of_another_session_is_taken_over(void **state)
{
    (void)state;
    char *folder = NULL;
    struct rl_capture *capture = NULL;
    struct rl_err err = RL_ERR_INIT, of_reading = RL_ERR_INIT;
    assert_int_equal(rl_make_temp_dir(&folder, &err), RL_OK);
    run_in(folder, true, RL_FAILED, &capture, &err);
    assert_string_equal(capture->gpus[0].name, "another card"); /* the old one, as it was */
    assert_false(capture->session.complete);
    rl_capture_free(capture);
    run_in(folder, false, RL_OK, &capture, &of_reading);
    assert_string_equal(capture->gpus[0].name, "this card");
    assert_true(capture->session.complete);
    assert_int_equal(capture->variants[0].status, RL_VARIANT_FAILED);
    rl_capture_free(capture);
    rl_remove_tree(folder);
    free(folder);
}

/* Of the session, not of the process that is there. */
static void times_of_the_log_go_on(void **state)
{
    (void)state;
    char *folder = NULL;
    struct rl_capture *capture = NULL;
    struct rl_err err = RL_ERR_INIT;
    assert_int_equal(rl_make_temp_dir(&folder, &err), RL_OK);
    run_in(folder, false, RL_OK, &capture, &err);
    assert_int_equal(capture->log_count, 2); /* that another process goes on, and how the first one died */
    assert_true(capture->log[0].at_ns >= NAP_MS * INT64_C(1000000));
    assert_true(capture->log[1].at_ns >= capture->log[0].at_ns);
    rl_capture_free(capture);
    rl_remove_tree(folder);
    free(folder);
}

/* Whatever was written by then: the item in hand is not tried again, and every other one is there once. */
static void items_that_were_not_written_are_measured_again(void **state)
{
    (void)state;
    dies_at = 2;
    for (saved = 0; saved <= dies_at + 1; saved++) {
        char *folder = NULL, goes_on[40];
        struct rl_capture *capture = NULL;
        struct rl_err err = RL_ERR_INIT;
        assert_int_equal(rl_make_temp_dir(&folder, &err), RL_OK);
        run_in(folder, false, RL_OK, &capture, &err);
        assert_int_equal(capture->variant_count, ITEMS);
        for (size_t i = 0; i < ITEMS; i++) {
            assert_int_equal(capture->variants[i].status, i == dies_at ? RL_VARIANT_FAILED : RL_VARIANT_DONE);
            assert_int_equal(capture->variants[i].name[0], "abcd"[i]);
        }
        assert_non_null(strstr(capture->variants[dies_at].reason, "was killed"));
        snprintf(goes_on, sizeof goes_on, "goes on from %zu", saved);
        assert_string_equal(capture->log[saved > dies_at].text, goes_on);
        rl_capture_free(capture);
        rl_remove_tree(folder);
        free(folder);
    }
    dies_at = saved = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_of_another_session_is_taken_over),
        cmocka_unit_test(times_of_the_log_go_on),
        cmocka_unit_test(items_that_were_not_written_are_measured_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
