/* Leaving out of a capture what says where and by whom it was made. */
#include "rl_test.h"

#include <ctype.h>

#include "capture/capture.h"
#include "core/mem.h"
#include "sample_program.h"
#include "schema.h"

#define UUID "GPU-29d1a9ef-894d-2f2a-f2a4-b2f0a0adcc6e"

static struct rl_capture *secret_capture(const char *text)
{
    static const char *const command[] = {"/home/alice/bin/rooflight", "collect",  "-o", "../results/run.rlcap", "--log=/tmp/x",
                                          "coalescing/stride_1",       "--gpu=3", "acme.rlcap", "Acme", "--",
                                          "build/app", "--customer", "acme"};
    struct rl_capture *capture = rl_capture_new();
    capture->session.host = rl_capture_text(capture, "node17.corp.example");
    capture->session.command_count = RL_COUNT(command);
    capture->session.command = rl_arena_alloc(&capture->arena, RL_COUNT(command) * sizeof *capture->session.command);
    for (size_t i = 0; i < RL_COUNT(command); i++)
        capture->session.command[i] = rl_capture_text(capture, command[i]);
    struct rl_gpu *gpu = rl_capture_add_gpu(capture);
    gpu->name = rl_capture_text(capture, "NVIDIA H200");
    gpu->uuid = rl_capture_text(capture, UUID);
    struct rl_experiment *e = rl_capture_add_experiment(capture);
    e->name = e->topic = e->question = e->explanation = rl_capture_text(capture, "coalescing");
    e->source = rl_capture_text(capture, "https://example.org/home/alice");
    struct rl_kernel *kernel = rl_capture_add_kernel(capture);
    kernel->name = rl_capture_text(capture, text);
    kernel->grid[0] = kernel->grid[1] = kernel->grid[2] = kernel->block[0] = kernel->block[1] = kernel->block[2] = 1;
    return capture;
}

static void every_secret_has_a_sign(void **state)
{
    const struct {
        const char *text, *clean;
    } rows[] = {
        {"void f<float>(float*)", "void f<float>(float*)"},
        {"a / b and read/write, 3/4", "a / b and read/write, 3/4"},
        {"see https://docs.nvidia.com/cuda/x", "see https://docs.nvidia.com/cuda/x"},
        {"operator/(int)", "operator/(int)"},
        {"{lambda at /home/alice/src/x.cu:12}", "{lambda at [path]:12}"},
        {"cannot open '/data/Customer A'", "cannot open '[path]'"},
        {"cannot open '/data/Customer", "cannot open '[path]"},
        {"cannot open 'data/Customer A/x.bin'", "cannot open '[path]'"},
        {"/data/Customer\\ A/x and y", "[path] and y"},
        {"load data/acme/part-1.parquet next", "load [path] next"},
        {"file:///data/x, a=/data/y and nfs:/data/z", "[path], a=[path] and nfs:[path]"},
        {"$SCRATCH/x ${WORK}/y ~bob/z $5/h ~3/4", "[path] [path] [path] $5/h ~3/4"},
        {"\\\\server\\share\\x and src\\x.cu", "[path] and [path]"},
        {"jit(f)/jit(main)/dot_general", "jit(f)/jit(main)/dot_general"},
        {"TB/s, sm__a.sum/sm__b.sum, step/forward", "TB/s, sm__a.sum/sm__b.sum, step/forward"},
        {"mail bob.b@corp.example or bob@home", "mail [address] or bob@home"},
        {"login.corp.example", "login.[host]"},
        {"in ~/work, ./a.out and ../b", "in [path], [path] and [path]"},
        {"C:\\Users\\bob\\x.cu", "[path]"},
        {"D:/work/x.cu and http://a/b", "[path] and http://a/b"},
        {"run by alice on node17", "run by [user] on [host]"},
        {"Alice@node17.corp.example: hello", "[user]@[host]: hello"},
        {"node17.rlcap", "[host].rlcap"},
        {"node170 malice alice_2", "node170 malice alice_2"},
        {"lost " UUID ".", "lost [uuid]."},
        {"29d1a9ef-894d-2f2a-f2a4-b2f0a0adcc6e", "[uuid]"},
        {"29d1a9ef-894d-2f2a-f2a4-b2f0a0adcc6e0", "29d1a9ef-894d-2f2a-f2a4-b2f0a0adcc6e0"},
        {"", ""},
    };
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_capture *capture = secret_capture(rows[i].text);
        rl_capture_redact(capture);
        assert_string_equal(capture->kernels[0].name, rows[i].clean);
        rl_capture_free(capture);
    }
}

static void whole_columns_and_arguments_go(void **state)
{
    const char *const command[] = {"[path]", "collect", "-o", "[path]", "--log=[path]", "coalescing/stride_1",
                                   "--gpu=3", "[argument]", "[argument]", "--", "[program]"};
    (void)state;
    struct rl_capture *capture = secret_capture("f");
    rl_capture_redact(capture);
    assert_null(capture->session.host);
    assert_null(capture->gpus[0].uuid);
    assert_string_equal(capture->gpus[0].name, "NVIDIA H200");
    assert_string_equal(capture->experiments[0].source, "https://example.org/home/[user]");
    assert_int_equal(capture->session.command_count, RL_COUNT(command));
    for (size_t i = 0; i < RL_COUNT(command); i++)
        assert_string_equal(capture->session.command[i], command[i]);
    assert_int_equal(capture->log_count, 1);
    assert_string_equal(capture->log[0].text, RL_CAPTURE_REDACTED);
    rl_capture_free(capture);
}

/* ---- every column ---- */

/* Everything that must not be seen, in one text; each has a sign of its own that is searched for: qz. */
static const char planted[] =
    " by qzuser on qznode.qz.example, RANKNODE-QZ, at '/home/qzuser/qz dir/qz.bin', qzdir/qz.bin, $QZ/qz, qz@qz.org, " UUID;

static struct rl_capture *planted_in;

static void plant(enum rl_schema_id id, const struct rl_column *column, char **text)
{
    bool product = id == RL_SCHEMA_GPU && (strcmp(column->name, "name") == 0 || strcmp(column->name, "chip") == 0);
    bool checked = column->words || strcmp(column->name, "started") == 0; /* by whoever reads it */
    if (checked || product)
        return;
    if (strcmp(column->name, "host") == 0)
        *text = rl_capture_text(planted_in, id == RL_SCHEMA_SESSION ? "qznode.qz.example" : "ranknode-qz");
    else if (strcmp(column->name, "uuid") == 0)
        *text = rl_capture_text(planted_in, UUID);
    else if (id == RL_SCHEMA_ARGUMENT)
        *text = rl_capture_text(planted_in, "qzout.rlcap");
    else if (id == RL_SCHEMA_PROCESS && strcmp(column->name, "command") == 0)
        *text = rl_capture_text(planted_in, "qztrain --data qz");
    else
        *text = rl_arena_printf(&planted_in->arena, "%s%s", *text ? *text : "", planted);
}

static void plant_column(enum rl_schema_id id, const struct rl_column *column, char *element)
{
    if (column->kind == RL_COLUMN_TEXT) {
        plant(id, column, (char **)(element + column->offset));
    } else if (column->kind == RL_COLUMN_COUNTER_NAME) {
        plant(id, column, &((struct rl_counter *)element)->name);
    } else if (column->kind == RL_COLUMN_VALUE) {
        struct rl_value *value = (struct rl_value *)(element + column->offset);
        char *reason = (char *)value->reason;
        if (value->state != RL_PRESENT)
            plant(id, column, &reason);
        value->reason = reason;
    }
}

static void plant_table(enum rl_schema_id id)
{
    size_t owner_count, count;
    void **owners = rl_schema_elements(planted_in, rl_schema[id].owner, &owner_count);
    for (size_t o = 0; o < owner_count; o++) {
        char *array = rl_schema_array(&rl_schema[id], owners[o], &count);
        for (size_t i = 0; i < count; i++)
            for (size_t c = 0; c < rl_schema[id].column_count; c++)
                plant_column(id, &rl_schema[id].columns[c], array + i * rl_schema[id].element_size);
    }
    free(owners);
}

/* The secrets of a capture's file, in any case of letters. */
static void assert_clean(const struct rl_capture *capture)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf bytes = RL_BUF_INIT;
    if (rl_capture_write_bytes(capture, &bytes, &err) != RL_OK)
        fail_msg("%s", err.text);
    for (size_t i = 0; i + 1 < bytes.len; i++)
        if (tolower((unsigned char)bytes.data[i]) == 'q' && tolower((unsigned char)bytes.data[i + 1]) == 'z')
            fail_msg("left in the file: %.60s", bytes.data + (i > 30 ? i - 30 : 0));
    assert_null(memmem(bytes.data, bytes.len, &UUID[4], strlen(UUID) - 4));
    rl_buf_release(&bytes);
}

/* A secret in every text of every row of a capture in which everything is filled: none is left in the file, free pages and all. */
static void no_text_is_forgotten(void **state)
{
    (void)state;
    planted_in = sample_program();
    for (int id = 0; id < RL_SCHEMA_COUNT; id++)
        if (rl_schema[id].storage != RL_STORAGE_SHARED)
            plant_table((enum rl_schema_id)id);
    rl_capture_redact(planted_in);
    assert_clean(planted_in);
    rl_capture_free(planted_in);
}

/* Signs are longer than the shortest paths: what would not fit in a file is cut. */
static void long_texts_still_fit(void **state)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf text = RL_BUF_INIT, bytes = RL_BUF_INIT;
    (void)state;
    while (text.len + 4 <= RL_CAPTURE_MAX_TEXT)
        rl_buf_adds(&text, "/a \xC3"); /* the last byte begins a character that does not end */
    struct rl_capture *capture = secret_capture(text.data);
    memset(text.data, 'x', text.len);
    memcpy(text.data, "--", 2);
    memcpy(text.data + text.len - 2, "=a", 2);
    capture->session.command[1] = text.data;
    rl_capture_redact(capture);
    assert_int_equal(rl_capture_write_bytes(capture, &bytes, &err), RL_OK);
    assert_true(strlen(capture->kernels[0].name) <= RL_CAPTURE_MAX_TEXT);
    rl_buf_release(&text);
    rl_buf_release(&bytes);
    rl_capture_free(capture);
}

static void different_programs_stay_different(void **state)
{
    static const char *const commands[] = {"./solver a", "./other b", "./solver c"};
    static const char *const expected[] = {"[program\u00a01]", "[program\u00a02]", "[program\u00a01]"};
    struct rl_capture *capture = secret_capture("f");
    (void)state;
    for (size_t i = 0; i < 3; i++)
        rl_capture_add_process(capture)->command = rl_capture_text(capture, commands[i]);
    for (int twice = 0; twice < 2; twice++) {
        rl_capture_redact(capture);
        for (size_t i = 0; i < 3; i++)
            assert_string_equal(capture->processes[i].command, expected[i]);
    }
    rl_capture_free(capture);
}

static void what_is_redacted_stays_as_it_is(void **state)
{
    (void)state;
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf bytes = RL_BUF_INIT;
    struct rl_capture *capture = secret_capture("by alice in /data"), *back = NULL;
    rl_capture_redact(capture);
    assert_int_equal(rl_capture_write_bytes(capture, &bytes, &err), RL_OK);
    assert_int_equal(rl_capture_read_bytes(bytes.data, bytes.len, "redacted", &back, &err), RL_OK);
    assert_string_equal(back->kernels[0].name, "by [user] in [path]");
    rl_buf_release(&bytes);
    rl_capture_free(back);
    rl_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_secret_has_a_sign),
        cmocka_unit_test(whole_columns_and_arguments_go),
        cmocka_unit_test(no_text_is_forgotten),
        cmocka_unit_test(long_texts_still_fit),
        cmocka_unit_test(different_programs_stay_different),
        cmocka_unit_test(what_is_redacted_stays_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
