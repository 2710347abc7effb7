/* Names of captures of several processes. */
#include "rl_test.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/fs.h"
#include "core/mem.h"
#include "fixtures/files.h"
#include "outputs.h"

static void patterns_are_expanded(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *host, *rank, *wanted;
    } rows[] = {
        {"app.rlcap", "node7", "3", "app.rlcap"},
        {"%h/%r-%p.rlcap", "node7", "3", "node7/3-42.rlcap"},
        {"a%%p", "node7", "3", "a%p"},
        {"%h", "node7.cluster.org", NULL, "node7"},
        {"%h-%r", "no/de", "../1", "no-de-norank"}, /* no launcher writes such a rank */
        {"%j", "node7", "3", "4711.batch"},
        {"%r", "", "", "norank"},
        {"%q", "node7", "3", NULL},
        {"x%", "node7", "3", NULL},
        {"%g", "node7", "3", NULL}, /* of a program that may use several */
    };
    setenv("SLURM_JOB_ID", "4711.batch", 1);
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_buf out = RL_BUF_INIT;
        rl_buf_adds(&out, ">");
        struct rl_err err = RL_ERR_INIT;
        enum rl_status status = rl_program_output(rows[i].pattern, 42, rows[i].host, rows[i].rank, &out, &err);
        assert_int_equal(status, rows[i].wanted ? RL_OK : RL_USAGE);
        assert_string_equal(out.data + 1, rows[i].wanted ? rows[i].wanted : "");
        rl_buf_release(&out);
    }
}

enum { NOTHING, EMPTY_FILE, TEXT, EMPTY, FAILED, COPIES, UNFINISHED, COMPLETE };

static struct rl_capture *capture_of(int what)
{
    struct rl_capture *capture = rl_capture_new();
    capture->session.started = rl_capture_text(capture, "2026-11-21T10:30:40Z");
    capture->session.complete = what != UNFINISHED;
    if (what == EMPTY)
        return capture;
    rl_capture_add_gpu(capture)->name = rl_capture_text(capture, "a card");
    if (what == COPIES) {
        struct rl_process *process = rl_capture_add_process(capture);
        process->command = rl_capture_text(capture, "app");
        process->end = rl_capture_text(capture, "exited");
        process->phases = rl_capture_text(capture, "one run");
        *rl_capture_add_transfer(capture) = (struct rl_transfer){.direction = rl_capture_text(capture, "to device"),
                                                                 .memory = rl_capture_text(capture, "pinned"),
                                                                 .count = 1,
                                                                 .bytes = 8,
                                                                 .total_ns = 1000};
        return capture;
    }
    struct rl_ceiling_run *ceiling = rl_capture_add_ceiling(capture);
    ceiling->id = rl_capture_text(capture, "dram_read");
    ceiling->configuration = rl_capture_text(capture, "");
    if (what != FAILED) {
        static double rate = 4e12;
        ceiling->samples = &rate;
        ceiling->sample_count = 1;
    }
    return capture;
}

static void put(int what, const char *path)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_capture *capture = capture_of(what);
    if (what == EMPTY_FILE || what == TEXT)
        assert_int_equal(rl_write_file_atomic(path, "text", what == TEXT ? 4 : 0, &err), RL_OK);
    else if (what != NOTHING && rl_capture_write(capture, path, &err) != RL_OK)
        fail_msg("%s", err.text);
    rl_capture_free(capture);
}

/* A file is replaced by what is as good: a complete capture, and one with figures where there are some. */
static void nothing_is_replaced_by_what_is_worse(void **state)
{
    static const struct {
        int there, new;
        const char *lacks;
    } rows[] = {
        {NOTHING, UNFINISHED, NULL},
        {NOTHING, EMPTY, NULL},
        {EMPTY_FILE, UNFINISHED, NULL},
        {TEXT, UNFINISHED, "is incomplete"},
        {TEXT, EMPTY, "has no figures"},
        {TEXT, COMPLETE, NULL},
        {EMPTY, UNFINISHED, "is incomplete"},
        {EMPTY, EMPTY, NULL},
        {EMPTY, COMPLETE, NULL},
        {UNFINISHED, UNFINISHED, "is incomplete"},
        {UNFINISHED, EMPTY, "has no figures"},
        {UNFINISHED, COMPLETE, NULL},
        {COMPLETE, UNFINISHED, "is incomplete"},
        {COMPLETE, EMPTY, "has no figures"},
        {COMPLETE, COMPLETE, NULL},
        {COMPLETE, FAILED, "has no figures"},
        {COMPLETE, COPIES, NULL},
        {FAILED, EMPTY, NULL},
        {COPIES, EMPTY, "has no figures"},
        {COPIES, FAILED, "has no figures"},
    };
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_err err = RL_ERR_INIT;
        struct rl_buf before = RL_BUF_INIT, after = RL_BUF_INIT, wanted = RL_BUF_INIT;
        char *folder = files_new_folder(), *output = rl_path_join(folder, "x.rlcap"),
             *partial = rl_path_join(folder, "x.rlcap.partial");
        const char *lacks = "not set";
        struct rl_capture *new = capture_of(rows[i].new);
        put(rows[i].there, output);
        char *growing = rl_growing_path(output);
        assert_string_equal(growing, rows[i].there == NOTHING ? output : partial);
        if (rl_capture_write(new, growing, &err) != RL_OK)
            fail_msg("%s", err.text);
        if (rows[i].there != NOTHING)
            assert_int_equal(rl_read_file(output, 1 << 20, &before, &err), RL_OK);
        assert_int_equal(rl_output_finish(new, output, growing, &lacks, &err), RL_OK);
        if (rows[i].lacks ? !lacks || strcmp(lacks, rows[i].lacks) != 0 : lacks != NULL)
            fail_msg("row %zu: %s", i, lacks ? lacks : "replaced");
        assert_int_equal(rl_read_file(output, 1 << 20, &after, &err), RL_OK);
        assert_int_equal(rl_capture_write_bytes(new, &wanted, &err), RL_OK);
        const struct rl_buf *expected = lacks ? &before : &wanted;
        assert_true(after.len == expected->len && memcmp(after.data, expected->data, after.len) == 0);
        assert_int_equal(rl_path_exists(partial), lacks != NULL);
        rl_capture_free(new);
        rl_buf_release(&before);
        rl_buf_release(&after);
        rl_buf_release(&wanted);
        files_remove_folder(folder);
        free(growing);
        free(output);
        free(partial);
    }
}

/* Another process takes the name of a capture that is not there yet, as one that measures at the same time, and ends: before this
 * one asks for its place, before it has finished or not before the end. Whatever it has written stays. */
static void what_another_writes_meanwhile_stays(void **state)
{
    (void)state;
    enum when { BEFORE_BEGIN, BEFORE_FINISH, NEVER };
    for (int when = BEFORE_BEGIN; when <= NEVER; when++) {
        char *folder = files_new_folder(), *output = rl_path_join(folder, "x.rlcap");
        struct rl_err err = RL_ERR_INIT;
        int said[2], end[2];
        assert_true(pipe(said) == 0 && pipe(end) == 0);
        const pid_t child = fork();
        if (child == 0) {
            char byte, *growing = rl_growing_path(output);
            const char *lacks;
            struct rl_capture *capture = capture_of(COMPLETE);
            const bool good = strcmp(growing, output) == 0 && write(said[1], "", 1) == 1 && read(end[0], &byte, 1) == 1 &&
                              rl_output_finish(capture, output, growing, &lacks, NULL) == RL_OK && !lacks;
            _exit(good ? 0 : 1);
        }
        char byte;
        int status = 0;
        assert_int_equal(read(said[0], &byte, 1), 1);
        if (when == BEFORE_BEGIN)
            assert_true(write(end[1], "", 1) == 1 && waitpid(child, &status, 0) == child && status == 0);
        char *growing = rl_growing_path(output), *again = rl_growing_path(output);
        assert_string_equal(growing + strlen(growing) - strlen(".rlcap.partial"), ".rlcap.partial");
        assert_string_equal(again, growing); /* this process knows its own */
        if (when == BEFORE_FINISH)
            assert_true(write(end[1], "", 1) == 1 && waitpid(child, &status, 0) == child && status == 0);
        struct rl_capture *capture = capture_of(UNFINISHED);
        const char *lacks = NULL;
        capture->session.complete = true;
        assert_int_equal(rl_output_finish(capture, output, growing, &lacks, &err), RL_OK);
        assert_true(when == BEFORE_BEGIN ? !lacks : lacks && strcmp(lacks, "was measured at the same time") == 0);
        if (when == NEVER)
            assert_true(write(end[1], "", 1) == 1 && waitpid(child, &status, 0) == child && status == 0);
        assert_true(rl_path_exists(output));
        assert_int_equal(rl_path_exists(growing), when != BEFORE_BEGIN);
        rl_capture_free(capture);
        for (size_t i = 0; i < 2; i++) {
            close(said[i]);
            close(end[i]);
        }
        files_remove_folder(folder);
        free(growing);
        free(again);
        free(output);
    }
}

/* A complete capture beside the output, of one that measured at the same time, is not taken for what a killed one has left. */
static void a_complete_one_beside_the_output_stays(void **state)
{
    static const struct {
        int there;
        bool link;
        const char *place;
    } rows[] = {
        {NOTHING, false, "x.rlcap.partial"},  {TEXT, false, "x.rlcap.partial"},      {UNFINISHED, false, "x.rlcap.partial"},
        {EMPTY, false, "x.rlcap.partial"},    {COMPLETE, false, "x.rlcap.partial2"}, {COPIES, false, "x.rlcap.partial2"},
        {COMPLETE, true, "x.rlcap.partial2"},
    };
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        char *folder = files_new_folder(), *output = rl_path_join(folder, "x.rlcap"),
             *partial = rl_path_join(folder, "x.rlcap.partial"), *other = rl_path_join(folder, "y.rlcap");
        put(COMPLETE, output);
        put(rows[i].there, rows[i].link ? other : partial);
        assert_true(!rows[i].link || symlink("y.rlcap", partial) == 0);
        char *growing = rl_growing_path(output);
        assert_string_equal(strrchr(growing, '/') + 1, rows[i].place);
        rl_growing_end(growing);
        files_remove_folder(folder);
        free(output);
        free(partial);
        free(other);
    }
}

/* A process that is forked writes where this one does: it measures for it. */
static void who_is_forked_has_the_same_place(void **state)
{
    (void)state;
    char *folder = files_new_folder(), *output = rl_path_join(folder, "x.rlcap"), *first = rl_growing_path(output);
    int status = 1;
    const pid_t child = fork();
    if (child == 0)
        _exit(strcmp(rl_growing_path(output), output) == 0 ? 0 : 1);
    assert_true(waitpid(child, &status, 0) == child && status == 0);
    assert_string_equal(first, output);
    free(first);
    free(output);
    files_remove_folder(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_are_expanded),
        cmocka_unit_test(nothing_is_replaced_by_what_is_worse),
        cmocka_unit_test(what_another_writes_meanwhile_stays),
        cmocka_unit_test(a_complete_one_beside_the_output_stays),
        cmocka_unit_test(who_is_forked_has_the_same_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
