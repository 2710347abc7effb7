/* What a capture keeps of a command line. */
#include "rl_test.h"

#include "capture/capture.h"
#include "core/mem.h"
#include "redact.h"

static void assert_kept(const char *const *typed, const char *const *kept, size_t count)
{
    struct rl_capture *capture = rl_capture_new();
    rl_capture_set_command(capture, typed, count, false);
    assert_int_equal(capture->session.command_count, count);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(capture->session.command[i], kept[i]);
    rl_capture_set_command(capture, typed, count, true);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(capture->session.command[i], typed[i]);
    rl_capture_free(capture);
}

static void harmless_arguments_stay(void **state)
{
    static const char *const typed[] = {
        "rooflight",           "collect", "-o",    "h200.rlcap", "--metrics", "tensor,topstalls", "--gpu=3",  "-j8", "1e-3",
        "coalescing/stride_1", "bf16",    "8x8x4", "--",         "python3",   "train.py",         "--epochs", "12",  "RANK=3"};
    (void)state;
    assert_kept(typed, typed, RL_COUNT(typed));
}

static void others_become_marks(void **state)
{
    static const char *const typed[] = {"/home/alice/bin/rooflight",
                                        "collect",
                                        "-o",
                                        "/data/acme/x.rlcap",
                                        "--",
                                        "./solver-v2",
                                        "--data=s3://b/k",
                                        "hunter2",
                                        "10.1.2.3",
                                        "a b",
                                        "person@corp.example"};
    (void)state;
    struct rl_capture *capture = rl_capture_new(), *again = rl_capture_new();
    rl_capture_set_command(capture, typed, RL_COUNT(typed), false);
    rl_capture_set_command(again, typed, RL_COUNT(typed), false);
    char **kept = capture->session.command;
    assert_string_equal(kept[0], "rooflight");
    assert_string_equal(kept[5], "solver-v2");
    assert_memory_equal(kept[6], "--data=<sha256:", 15);
    assert_string_equal(kept[7], "<sha256:f52fbd32:7>"); /* of "hunter2", by sha256sum */
    for (size_t i = 0; i < RL_COUNT(typed); i++)
        assert_string_equal(kept[i], again->session.command[i]); /* two runs can be compared */
    for (size_t i = 8; i < RL_COUNT(typed); i++)
        assert_memory_equal(kept[i], "<sha256:", 8);
    for (size_t i = 0; i < RL_COUNT(typed); i++)
        assert_int_equal(rl_capture_is_untold(kept[i]), i == 3 || i >= 7);
    assert_true(rl_capture_is_untold("[secret]"));
    rl_capture_free(capture);
    rl_capture_free(again);
}

static void a_script_is_a_program(void **state)
{
    static const char *const typed[] = {
        "rooflight", "collect", "--", "/usr/bin/python3.11", "-u", "/home/alice/acme/train.py", "/home/alice/x.bin"};
    static const char *const kept[] = {"rooflight", "collect", "--", "python3.11", "-u", "train.py", "<sha256:2695c8ff:17>"};
    static const char *const others[][3] = {{"python3", "-c", "/home/x/y.py"},
                                            {"env", "A=/b/c", "sh"},
                                            {"solver", "/home/x/y.py", ""},
                                            {"python3", "-W", "/home/x/y.py"}};
    (void)state;
    assert_kept(typed, kept, RL_COUNT(typed));
    for (size_t i = 0; i < RL_COUNT(others); i++) {
        struct rl_capture *capture = rl_capture_new();
        const char *line = rl_capture_command_line(capture, others[i], 3, false);
        if (!strstr(line, "<sha256:"))
            fail_msg("'%s' should have a mark", line);
        rl_capture_free(capture);
    }
}

static void credentials_are_not_even_marked(void **state)
{
    static const char *const typed[] = {
        "app",    "--api-key=abc",   "--password", "hunter", "--token",  "-x1",           "-p",
        "secret", "-psecret",        "--user",     "bob",    "--user=b", "DB_PASSWORD=x", "hf_abcdefghijklmnopqrstuvwxyz0123456789",
        "--key",  "https://u:p@h/x", "--verbose"};
    static const char *const kept[] = {"app",
                                       "--api-key=[secret]",
                                       "--password",
                                       "[secret]",
                                       "--token",
                                       "[secret]",
                                       "-p",
                                       "[secret]",
                                       "-p[secret]",
                                       "--user",
                                       "[secret]",
                                       "--user=[secret]",
                                       "DB_PASSWORD=[secret]",
                                       "[secret]",
                                       "--key",
                                       "[secret]",
                                       "--verbose"};
    (void)state;
    assert_kept(typed, kept, RL_COUNT(typed));
}

/* Up to 64 characters of a value, and 40 of a name. A program with an odd name is marked with its folder. */
static void odd_names_and_long_values(void **state)
{
    static const char digits[] = "111111,111111,111111,111111,111111,111111,111111,111111,111111,1"; /* ten numbers */
    struct rl_capture *capture = rl_capture_new();
    struct rl_buf longer = RL_BUF_INIT, name = RL_BUF_INIT, long_name = RL_BUF_INIT;
    (void)state;
    rl_buf_addf(&longer, "%s1", digits);
    rl_buf_addf(&name, "--%.40s=3", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
    rl_buf_addf(&long_name, "--%.41s=3", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
    const char *const typed[] = {
        "/opt/my solver", digits, longer.data, name.data, long_name.data, "---x=3", "--user=", "--", "/x/hf_abcdefghijklmnopqrstu"};
    const char *const kept[] = {
        "<sha256:58ad2b6e:14>", digits, "<sha256:", name.data, "<sha256:", "<sha256:", "--user=", "--", "[secret]"};
    rl_capture_set_command(capture, typed, RL_COUNT(typed), false);
    for (size_t i = 0; i < RL_COUNT(typed); i++)
        if (strncmp(capture->session.command[i], kept[i], strlen(kept[i])) != 0)
            fail_msg("'%s' became '%s'", typed[i], capture->session.command[i]);
    rl_buf_release(&longer);
    rl_buf_release(&name);
    rl_buf_release(&long_name);
    rl_capture_free(capture);
}

static void processes_have_a_line(void **state)
{
    static const char *const typed[] = {"/opt/app/bin/solver", "--tol=1e-6", "/scratch/bob/in.dat"};
    (void)state;
    struct rl_capture *capture = rl_capture_new();
    assert_string_equal(rl_capture_command_line(capture, typed, 3, true), "/opt/app/bin/solver --tol=1e-6 /scratch/bob/in.dat");
    const char *line = rl_capture_command_line(capture, typed, 3, false);
    assert_memory_equal(line, "solver --tol=1e-6 <sha256:", 26);
    assert_null(strstr(line, "bob"));
    rl_capture_free(capture);
}

static void secrets_leave_every_text(void **state)
{
    static const struct {
        const char *text, *clean; /* NULL: nothing is dropped */
    } rows[] = {
        {"password=hunter2 and more", "password=[secret] and more"},
        {"DB_PASSWORD: 'a b', next", "DB_PASSWORD: '[secret]', next"},
        {"{\"api_key\": \"xyz\", \"n\": 3}", "{\"api_key\": \"[secret]\", \"n\": 3}"},
        {"authToken=abc;x=1", "authToken=[secret];x=1"},
        {"--token abc --n 3", "--token [secret] --n 3"},
        {"Authorization: Bearer abc.def", "Authorization: Bearer [secret]"},
        {"a bearer abcdef", "a bearer [secret]"},
        {"postgres://bob:pw@db/x", "postgres://[secret]@db/x"},
        {"https://example.org/a@b", NULL},
        {"key AKIAIOSFODNN7EXAMPLE.", "key [secret]."},
        {"XAKIAIOSFODNN7EXAMPLE", NULL},
        {"xAKIAIOSFODNN7EXAMPLE", "x[secret]"}, /* a capital behind a small letter begins a word */
        {"my-ghp_abcdefghijklmnopqrstuvwxyz0123456789-password=abc", "my-[secret]-password=[secret]"},
        {"-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----\nrest", "[secret]\nrest"},
        {"-----BEGIN PRIVATE KEY-----MII", "[secret]"},
        {"wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKE4Y9", "[secret]"},
        {"DistributedDataParallelForwardBackward2", NULL},
        {"tokens: 12 per second, token: 42, pass 2, sort_key=3", NULL},
        {"sm__warps_active.avg.pct_of_peak_sustained_active", NULL},
        {"std::token::x and key: abc", NULL},
        {"password=", NULL},
        {"password=[secret]", NULL},
        {"", NULL},
    };
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_buf clean = RL_BUF_INIT, again = RL_BUF_INIT;
        bool dropped = rl_secrets_remove(rows[i].text, &clean);
        assert_string_equal(clean.data, rows[i].clean ? rows[i].clean : "");
        assert_int_equal(dropped, rows[i].clean != NULL);
        assert_false(rl_secrets_remove(clean.data, &again)); /* signs are no secrets */
        rl_buf_release(&clean);
        rl_buf_release(&again);
    }
}

/* Whatever a program says, the file has no credential; a kernel keeps its name. */
static void files_have_no_secrets(void **state)
{
    static const char secret[] = "hf_abcdefghijklmnopqrstuvwxyz0123456789";
    (void)state;
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf bytes = RL_BUF_INIT;
    struct rl_capture *capture = rl_capture_new(), *back = NULL;
    struct rl_process *process = rl_capture_add_process(capture);
    process->command = process->phases = rl_capture_text(capture, "x");
    process->end = rl_capture_text(capture, "exited");
    rl_capture_add_range(capture)->name = rl_capture_text(capture, secret);
    rl_capture_log(capture, 0, RL_LOG_NOTE, "logged in with %s", secret);
    rl_capture_add_gpu(capture)->name = rl_capture_text(capture, secret);
    capture->gpus[0].fact[0] = rl_value_missing(RL_VALUE_FAILED, secret);
    assert_int_equal(rl_capture_write_bytes(capture, &bytes, &err), RL_OK);
    assert_null(memmem(bytes.data, bytes.len, secret + 3, 20));
    assert_int_equal(rl_capture_read_bytes(bytes.data, bytes.len, "x", &back, &err), RL_OK);
    assert_string_equal(back->log[0].text, "logged in with [secret]");
    assert_string_equal(back->ranges[0].name, "[secret]");
    assert_string_equal(rl_value_reason(back->gpus[0].fact[0]), "[secret]");
    rl_capture_free(back);
    rl_buf_reset(&bytes);
    struct rl_kernel *kernel = rl_capture_add_kernel(capture);
    kernel->name = rl_capture_text(capture, secret);
    assert_int_equal(rl_capture_write_bytes(capture, &bytes, &err), RL_OK);
    assert_non_null(memmem(bytes.data, bytes.len, secret, strlen(secret)));
    rl_buf_release(&bytes);
    rl_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(harmless_arguments_stay),         cmocka_unit_test(others_become_marks),
        cmocka_unit_test(credentials_are_not_even_marked), cmocka_unit_test(processes_have_a_line),
        cmocka_unit_test(odd_names_and_long_values),       cmocka_unit_test(secrets_leave_every_text),
        cmocka_unit_test(files_have_no_secrets),           cmocka_unit_test(a_script_is_a_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
