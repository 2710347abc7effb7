/* Leaving out of a capture what says where and by whom it was made. */
#include "rl_test.h"

#include "capture/capture.h"
#include "core/mem.h"
#include "sample.h"

#define UUID "GPU-29d1a9ef-894d-2f2a-f2a4-b2f0a0adcc6e"

static struct rl_capture *secret_capture(const char *text)
{
    static const char *const command[] = {"/home/alice/bin/rooflight", "collect",  "-o", "../results/run.rlcap", "--log=/tmp/x",
                                          "coalescing/stride_1",       "build/app"};
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
        {"cannot open '/data/Customer A'", "cannot open '[path] A'"},
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
    const char *const command[] = {"[path]", "collect", "-o", "[path]", "--log=[path]", "coalescing/stride_1", "[path]"};
    (void)state;
    struct rl_capture *capture = secret_capture("f");
    rl_capture_redact(capture);
    assert_null(capture->session.host);
    assert_null(capture->gpus[0].uuid);
    assert_string_equal(capture->gpus[0].name, "NVIDIA H200");
    assert_string_equal(capture->experiments[0].source, "https://example.org/home/alice");
    for (size_t i = 0; i < RL_COUNT(command); i++)
        assert_string_equal(capture->session.command[i], command[i]);
    assert_int_equal(capture->log_count, 1);
    assert_string_equal(capture->log[0].text, RL_CAPTURE_REDACTED);
    rl_capture_free(capture);
}

/* A secret in every text of a capture in which everything is filled: none is left in the file. */
static void no_text_is_forgotten(void **state)
{
    (void)state;
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf bytes = RL_BUF_INIT;
    struct rl_capture *capture = sample_capture();
    char *secret = rl_capture_text(capture, "/home/alice/secret");
    capture->session.host = rl_capture_text(capture, "secret-host");
    for (size_t i = 0; i < capture->gpu_count; i++)
        capture->gpus[i].uuid = secret;
    for (size_t i = 0; i < capture->session.command_count; i++)
        capture->session.command[i] = secret;
    capture->session.counters = capture->session.os = secret;
    for (size_t i = 0; i < capture->kernel_count; i++) {
        struct rl_kernel *k = &capture->kernels[i];
        k->name = k->mangled = k->nvtx = secret;
        k->static_shared_bytes = rl_value_missing(RL_VALUE_FAILED, secret);
        for (size_t c = 0; c < k->counter_count; c++) {
            k->counters[c].name = rl_arena_printf(&capture->arena, "%s%zu", secret, c);
            k->counters[c].value = rl_value_missing(RL_VALUE_FAILED, secret);
        }
    }
    for (size_t i = 0; i < capture->variant_count; i++)
        capture->variants[i].description = capture->variants[i].result_text = secret;
    for (size_t i = 0; i < capture->log_count; i++)
        capture->log[i].text = secret;
    for (size_t i = 0; i < capture->ceiling_count; i++)
        capture->ceilings[i].configuration = secret;
    for (size_t i = 0; i < capture->pass_count; i++)
        capture->passes[i].configuration = secret;
    rl_capture_redact(capture);
    assert_int_equal(rl_capture_write_bytes(capture, &bytes, &err), RL_OK);
    assert_null(memmem(bytes.data, bytes.len, "secret", 6));
    assert_null(memmem(bytes.data, bytes.len, "alice", 5));
    rl_buf_release(&bytes);
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
        cmocka_unit_test(what_is_redacted_stays_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
