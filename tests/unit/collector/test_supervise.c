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

static bool dies_before_it_saves;

/* The first one dies in hand of its first item, the next goes on with what is at `path`. */
enum rl_status rl_collect_items(const struct rl_collect_options *options, const struct rl_collect_task *task,
                                struct rl_collect_summary *summary, struct rl_err *err)
{
    struct rl_collecting s = {.options = options, .summary = summary, .start_ns = task->start_ns};
    if (!task->resumes && dies_before_it_saves)
        raise(SIGKILL);
    if (!task->resumes) {
        s.capture = rl_capture_new();
        rl_capture_add_gpu(s.capture)->name = rl_capture_text(s.capture, "this card");
        if (rl_capture_write_growing(s.capture, task->path, err) != RL_OK)
            return RL_FAILED;
        task->begins(task->context, 0);
        usleep(1000 * NAP_MS);
        raise(SIGKILL);
    }
    if (rl_capture_read(task->path, &s.capture, err) != RL_OK)
        return RL_FAILED;
    rl_warn(&s, "goes on");
    s.capture->session.complete = true;
    return rl_capture_write(s.capture, options->output, err);
}

/* ---- the tests ---- */

static void plan(void *context, const char *chip, const struct rl_collect_configuration **configurations, size_t *count)
{
    (void)context, (void)chip, (void)configurations;
    *count = 0;
}

static enum rl_status supervise(const char *output, struct rl_err *err)
{
    static const struct rl_suite_variant variants[] = {{.name = "only", .description = ""}, {0}};
    static const struct rl_suite_claim claims[] = {{0}};
    static const struct rl_suite_experiment experiment = {
        .name = "x", .topic = "", .question = "", .explanation = "", .size_unit = "", .variants = variants, .claims = claims};
    static const struct rl_suite_item items[] = {{&experiment, &variants[0]}};
    static const char *const command[] = {"rooflight"};
    const struct rl_collect_options options = {.output = output,
                                               .items = items,
                                               .item_count = 1,
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
    assert_int_equal(supervise(output, err), expected);
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
    assert_int_equal(capture->log_count, 2); /* how the first process died, and that another goes on */
    assert_true(capture->log[0].at_ns >= NAP_MS * INT64_C(1000000));
    assert_true(capture->log[1].at_ns >= capture->log[0].at_ns);
    rl_capture_free(capture);
    rl_remove_tree(folder);
    free(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_of_another_session_is_taken_over),
        cmocka_unit_test(times_of_the_log_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
