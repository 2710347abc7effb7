/* Leaving out of a capture what says where and by whom it was made. */
#include "rl_test.h"

#include "capture/capture.h"
#include "core/mem.h"
#include "fixtures/full.h"
#include "fixtures/same.h"
#include "redact.h"
#include "schema.h"
#include "secrets_sample.h"

#define UUID "GPU-29d1a9ef-894d-2f2a-f2a4-b2f0a0adcc6e"

static struct rl_capture *secret_capture(const char *text)
{
    static const char *const command[] = {"/home/alice/bin/rooflight",
                                          "collect",
                                          "-o",
                                          "../results/run.rlcap",
                                          "--log=/tmp/x",
                                          "coalescing/stride_1",
                                          "--gpu=3",
                                          "acme.rlcap",
                                          "Acme",
                                          "--",
                                          "build/app",
                                          "--customer",
                                          "acme"};
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

static const struct rl_redaction how = {.key = "a key"};

/* Whether a text stays in a log, and as the name of a kernel; otherwise signs stand in place of it. */
static void texts_keep_what_is_harmless(void **state)
{
    static const struct {
        const char *text;
        bool log, kernel;
    } rows[] = {
        {"", true, true},
        {"void f<float>(float*)", false, true},
        {"cannot open '/data/Customer A'", false, false},
        {"cannot open 'data/Customer A/x.bin'", false, false},
        {"cannot open '/data/Customer", false, false},
        {"/data/Customer A/x.bin: failed", false, false},
        {"read /data/x memory/kernel", false, false},
        {"see https://docs.example.com/cuda/x", false, false},
        {"{lambda at /home/alice/src/x.cu:12}", false, false},
        {"33554432 elements, largest error 4.5e-8", true, false},
        {"read once, 4.00 GiB, 512 threads, 4 x 16 B per thread", true, false},
        {"coalescing/stride_1 took 92.5/100 ms", true, false},
        {"driver 580.159.04, 3-4 of 5", true, false},
        {"node 10.1.2.3 and 2001:db8::1", false, false},
        {"1234567890123 bytes", false, false},
        {"node-17 and node_17", false, false},
        {"Linux 6.1.0-13-acme-amd64 x86_64", false, false},
        {"by alice on node17, node17.corp.example", false, false},
        {"Warp and warp", false, false},
        {"lost " UUID ".", false, false},
        {"password=abc warp", false, false},
        {"mail person@corp.example", false, false},
        {"mail person@corp.example of person_memory", false, false},
        {"/scratch/carol/x carol_memory", false, false},
        {"[path]", true, true},
        {"[name 0123456789ab]", true, true},
        {"a [path] b", true, true},
        {"the driver's word, '", true, true},
        {"at::native::(anonymous namespace)::f<4, std::array<char*, 3ul>>(int)::{lambda()#1}::operator/()", false, true},
        {"fusion.3<-1, (char)47> kernel.clone.part.0", false, true},
        {"fe80::1 a::1 std::b2 node17.corp", false, false},
        {"alice_memory runAlice2 alicemory", false, false},
        {"k_29d1a9ef894d2f2af2a4b2f0a0adcc6e f9123456789012", false, false},
    };
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_capture *capture = secret_capture(rows[i].text);
        rl_capture_add_process(capture)->host = rl_capture_text(capture, "warp");
        capture->processes[0].command = capture->processes[0].phases = capture->processes[0].end =
            rl_capture_text(capture, "exited");
        rl_capture_log(capture, 0, RL_LOG_NOTE, "%s", rows[i].text);
        rl_capture_redact(capture, &how);
        assert_string_equal(capture->log[0].text, rows[i].log ? rows[i].text : "[redacted]");
        if (rows[i].kernel)
            assert_string_equal(capture->kernels[0].name, rows[i].text);
        else if (strncmp(capture->kernels[0].name, "[kernel ", 8) != 0 || strlen(capture->kernels[0].name) != 21)
            fail_msg("'%s' became '%s'", rows[i].text, capture->kernels[0].name);
        rl_capture_free(capture);
    }
}

static void whole_columns_and_arguments_go(void **state)
{
    static const char *const command[] = {"[path]",  "collect",    "-o",         "[path]", "--log=[path]", "coalescing/stride_1",
                                          "--gpu=3", "[argument]", "[argument]", "--",     "[program]"};
    (void)state;
    struct rl_capture *capture = secret_capture("f");
    rl_capture_redact(capture, &how);
    assert_null(capture->session.host);
    assert_null(capture->gpus[0].uuid);
    assert_string_equal(capture->gpus[0].name, "NVIDIA H200");
    assert_string_equal(capture->experiments[0].name, "coalescing");
    assert_string_equal(capture->experiments[0].source, "[redacted]");
    assert_int_equal(capture->session.command_count, RL_COUNT(command));
    for (size_t i = 0; i < RL_COUNT(command); i++)
        assert_string_equal(capture->session.command[i], command[i]);
    assert_int_equal(capture->log_count, 1); /* it was not read from a file */
    assert_string_equal(capture->log[0].text, RL_CAPTURE_REDACTED);
    assert_int_equal(capture->log[0].at_ns, 0);
    rl_capture_free(capture);
}

/* Of 2 to 255 characters, and not what many are called. */
static void names_of_hosts_and_users(void **state)
{
    char host[257];
    (void)state;
    memset(host, 'w', sizeof host);
    for (size_t len = 255; len <= 256; len++) {
        struct rl_capture *capture = secret_capture("f");
        host[len] = 0;
        capture->session.host = rl_capture_text(capture, host);
        capture->gpus[0].name = rl_capture_text(capture, "ab.example");
        rl_capture_add_process(capture)->host = rl_capture_text(capture, "ab.example");
        capture->processes[0].command = capture->processes[0].phases = capture->processes[0].end =
            rl_capture_text(capture, "exited");
        static const char *const texts[] = {"ab", "root", "bob", "carla"}; /* a host and users, but for what many are called */
        capture->experiments[0].question = rl_capture_text(capture, "/home/root, /Users/bob, D:\\Users\\carla\\x");
        rl_capture_add_pass(capture)->configuration = capture->experiments[0].question;
        capture->passes[0].mode = capture->passes[0].cache = rl_capture_text(capture, "warm");
        for (size_t i = 0; i < RL_COUNT(texts); i++) {
            struct rl_kernel *kernel = rl_capture_add_kernel(capture);
            kernel->name = rl_capture_text(capture, texts[i]);
        }
        capture->kernels[0].name = rl_capture_text(capture, host);
        rl_capture_redact(capture, &how);
        for (size_t i = 0; i <= RL_COUNT(texts); i++)
            assert_int_equal(capture->kernels[i].name[0] == '[', i == 0 ? len == 255 : i != 2);
        rl_capture_free(capture);
        host[len] = 'w';
    }
}

/* ---- every column ---- */

/* All secrets, one on each line. */
static char *planted;
static struct rl_capture *planted_in;

static void plant(const struct rl_column *column, char **text)
{
    const bool checked = column->words || column->privacy == RL_PRIVACY_PUBLIC; /* by whoever reads it */
    if (!checked)
        *text = rl_arena_printf(&planted_in->arena, "%s%s", *text ? *text : "", planted);
}

static void plant_column(const struct rl_column *column, char *element)
{
    if (column->kind == RL_COLUMN_TEXT) {
        plant(column, (char **)(element + column->offset));
    } else if (column->kind == RL_COLUMN_COUNTER_NAME) {
        plant(column, &((struct rl_counter *)element)->name);
    } else if (column->kind == RL_COLUMN_VALUE) {
        struct rl_value *value = (struct rl_value *)(element + column->offset);
        char *reason = (char *)rl_value_reason(*value);
        if (!rl_present(*value)) {
            plant(column, &reason);
            *value = rl_value_missing(value->state, reason);
        }
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
                plant_column(&rl_schema[id].columns[c], array + i * rl_schema[id].element_size);
    }
    free(owners);
}

/* A setting has a number or a text: here each has a text. */
static void make_texts(struct rl_setting *settings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        settings[i] = (struct rl_setting)RL_TEXT_SETTING(settings[i].key, rl_capture_text(planted_in, "read"));
}

static void plant_all(void)
{
    struct rl_buf all = RL_BUF_INIT;
    make_samples();
    assert_true(sample_kinds >= 40 && sample_count >= 200);
    assert_string_equal(rl_schema[RL_SCHEMA_SESSION].columns[0].name, "started");
    for (size_t i = 0; i < sample_count; i++)
        rl_buf_addf(&all, "\n%s\n", samples[i].text);
    planted = all.data;
    planted_in = full_program();
    for (size_t i = 0; i < planted_in->variant_count; i++)
        make_texts(planted_in->variants[i].settings, planted_in->variants[i].setting_count);
    for (size_t i = 0; i < planted_in->ceiling_count; i++)
        make_texts(planted_in->ceilings[i].settings, planted_in->ceilings[i].setting_count);
    for (int id = 0; id < RL_SCHEMA_COUNT; id++)
        if (rl_schema[id].storage != RL_STORAGE_SHARED)
            plant_table((enum rl_schema_id)id);
    rl_buf_release(&all);
}

/* How many of the secrets are in the bytes; says which the first are. */
static size_t count_seen(const struct rl_buf *bytes)
{
    size_t seen = 0;
    for (size_t i = 0; i < sample_count; i++)
        if (memmem(bytes->data, bytes->len, samples[i].core, strlen(samples[i].core)) && seen++ < 5)
            print_message("seen: '%s' of '%s'\n", samples[i].core, samples[i].text);
    return seen;
}

/* All secrets in every text of every row of a capture in which everything is filled: none is left in the file, free pages and all.
 */
static void no_text_is_forgotten(void **state)
{
    (void)state;
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf bytes = RL_BUF_INIT;
    for (int pseudonyms = 0; pseudonyms < 2; pseudonyms++) {
        const struct rl_redaction with = {.key = "k", .kernels = pseudonyms};
        plant_all();
        rl_capture_redact(planted_in, &with);
        if (rl_capture_write_bytes(planted_in, &bytes, &err) != RL_OK)
            fail_msg("%s", err.text);
        assert_int_equal(count_seen(&bytes), 0);
        rl_capture_free(planted_in);
        rl_buf_release(&bytes);
    }
}

/* Each of them alone, by each of the rules: none hides behind another. */
static void no_secret_passes_a_rule(void **state)
{
    bool (*const rules[])(const struct rl_private_names *, const char *) = {rl_is_public_text, rl_is_public_product,
                                                                            rl_is_public_kernel};
    const struct rl_private_names none = {0};
    size_t passed = 0;
    (void)state;
    make_samples();
    for (size_t i = 0; i < sample_count; i++)
        for (size_t r = 0; r < RL_COUNT(rules); r++) {
            struct rl_buf text = RL_BUF_INIT;
            rl_buf_addf(&text, "memory %s warp", samples[i].text);
            if (rules[r](&none, text.data) && passed++ < 20)
                print_message("rule %zu: '%s'\n", r, text.data);
            rl_buf_release(&text);
        }
    assert_int_equal(passed, 0);
}

/* Without --redact, too, no file has a credential of secrets.def, in any text but names of kernels and commands. */
static void files_have_no_credentials(void **state)
{
    (void)state;
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf bytes = RL_BUF_INIT;
    plant_all();
    for (size_t i = 0; i < planted_in->kernel_count; i++)
        planted_in->kernels[i].name = rl_capture_text(planted_in, "k"), planted_in->kernels[i].mangled = NULL;
    for (size_t i = 0; i < planted_in->process_count; i++)
        planted_in->processes[i].command = planted_in->processes[i].host = rl_capture_text(planted_in, "p");
    planted_in->session.command_count = 0;
    planted_in->session.host = NULL;
    assert_int_equal(rl_capture_write_bytes(planted_in, &bytes, &err), RL_OK);
    for (size_t i = 0; i < sample_count && strcmp(samples[i].text, "at 10.") > 0; i++)
        if (strstr(samples[i].text, "=q") || strncmp(samples[i].core, "hf_", 3) == 0)
            assert_null(memmem(bytes.data, bytes.len, samples[i].core, strlen(samples[i].core)));
    rl_capture_free(planted_in);
    rl_buf_release(&bytes);
}

/* The link to the original is in the log, and stays there when the copy is redacted again. */
static void the_log_says_where_it_is_from(void **state)
{
    (void)state;
    struct rl_capture *capture = secret_capture("stride_kernel(float*)");
    memset(capture->sha256.hex, 'a', 64);
    for (int twice = 0; twice < 2; twice++) {
        rl_capture_redact(capture, &how);
        assert_int_equal(capture->log_count, 2 * (twice + 1));
        assert_non_null(strstr(capture->log[1].text, RL_CAPTURE_REDACTED_FROM "aaaa"));
    }
    rl_capture_free(capture);
}

/* The same key makes the same names, another one others; different texts stay different. */
static void pseudonyms_are_stable(void **state)
{
    (void)state;
    const struct rl_redaction with[] = {{"k", true}, {"k", true}, {"other", true}};
    const char *names[4];
    struct rl_capture *captures[4];
    for (size_t i = 0; i < 4; i++) {
        captures[i] = secret_capture(i == 3 ? "acme_kernel(int)" : "acme_kernel(float*)");
        rl_capture_redact(captures[i], &with[i % 3]);
        names[i] = captures[i]->kernels[0].name;
        assert_memory_equal(names[i], "[kernel ", 8);
        assert_null(captures[i]->kernels[0].mangled);
    }
    assert_string_equal(names[0], names[1]);
    assert_string_not_equal(names[0], names[2]);
    assert_string_not_equal(names[0], names[3]);
    for (size_t i = 0; i < 4; i++)
        rl_capture_free(captures[i]);
}

/* Samples belong to the kernel whose mangled name the function has. That goes, and the function is called as the kernel then. */
static void samples_stay_with_their_kernel(void **state)
{
    (void)state;
    for (int pseudonyms = 0; pseudonyms < 2; pseudonyms++) {
        struct rl_capture *capture = secret_capture("acme_kernel(float*)");
        capture->kernels[0].mangled = rl_capture_text(capture, "_Z11acme_kernelPf");
        *rl_capture_add_pc_sampling(capture) = (struct rl_pc_sampling){.period = 16};
        for (size_t i = 0; i < 2; i++)
            *rl_capture_add_pc_function(capture) = (struct rl_pc_function){
                .name = rl_capture_text(capture, i ? "_Z11acme_helperv" : "_Z11acme_kernelPf"), .cubin = capture->gpus[0].name};
        rl_capture_redact(capture, &(struct rl_redaction){"k", pseudonyms});
        assert_null(capture->kernels[0].mangled);
        assert_string_equal(capture->pc_functions[0].name, capture->kernels[0].name);
        assert_string_not_equal(capture->pc_functions[1].name, capture->kernels[0].name);
        assert_true(!pseudonyms || !strstr(capture->pc_functions[1].name, "acme"));
        rl_capture_free(capture);
    }
}

/* An argument of full length, whose value becomes a longer sign, is cut; no text is too long to be looked at. */
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
    rl_capture_redact(capture, &how);
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
        rl_capture_redact(capture, &how);
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
    rl_capture_redact(capture, &how);
    assert_int_equal(rl_capture_write_bytes(capture, &bytes, &err), RL_OK);
    assert_int_equal(rl_capture_read_bytes(bytes.data, bytes.len, "redacted", &back, &err), RL_OK);
    assert_memory_equal(back->kernels[0].name, "[kernel ", 8);
    struct rl_buf again = RL_BUF_INIT;
    rl_capture_redact(back, &how);
    assert_string_equal(back->kernels[0].name, capture->kernels[0].name);
    rl_buf_release(&again);
    rl_buf_release(&bytes);
    rl_capture_free(back);
    rl_capture_free(capture);
}

/* Also what was not redacted: signs for credentials may be longer than these, and then a text of full length is cut. */
static void what_grows_by_its_signs_is_cut(void **state)
{
    static const char url[] = "x://a:b@h ";
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf text = RL_BUF_INIT, bytes = RL_BUF_INIT;
    struct rl_capture *capture = rl_capture_new(), *back = NULL;
    (void)state;
    while (text.len + sizeof url - 1 <= RL_CAPTURE_MAX_TEXT)
        rl_buf_adds(&text, url);
    rl_capture_log(capture, 0, RL_LOG_NOTE, "%s", text.data);
    rl_capture_log(capture, 0, RL_LOG_NOTE, "%s", url);
    assert_int_equal(rl_capture_write_bytes(capture, &bytes, &err), RL_OK);
    assert_int_equal(rl_capture_read_bytes(bytes.data, bytes.len, "it", &back, &err), RL_OK);
    assert_int_equal(strlen(back->log[0].text), RL_CAPTURE_MAX_TEXT);
    assert_string_equal(back->log[0].text + RL_CAPTURE_MAX_TEXT - 3, "...");
    assert_int_equal(strncmp(back->log[0].text, "x://[secret]@h x://[secret]@h ", 30), 0);
    assert_null(strstr(back->log[0].text, "a:b"));
    assert_string_equal(back->log[1].text, "x://[secret]@h ");
    rl_buf_release(&text);
    rl_buf_release(&bytes);
    rl_capture_free(capture);
    rl_capture_free(back);
}

/* Behind "--" one sign stands for all, however much there is. */
static void what_follows_the_dashes_is_left_out(void **state)
{
    static const struct {
        const char *command[5], *left[5];
    } rows[] = {
        {{"rooflight", "--", "a", "b", "c"}, {"[program\u00a01]", "--", "[program]"}},
        {{"rooflight", "collect", "--", "a", "b"}, {"[program\u00a01]", "collect", "--", "[program]"}},
        {{"rooflight", "collect", "--gpu=3", "--", "a"}, {"[program\u00a01]", "collect", "--gpu=3", "--", "[program]"}},
        {{"rooflight", "collect", "--gpu=3", "--gpu=4", "--"}, {"[program\u00a01]", "collect", "--gpu=3", "--gpu=4", "--"}},
    };
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_capture *capture = rl_capture_new();
        size_t count = 0;
        capture->session.command_count = RL_COUNT(rows[i].command);
        capture->session.command = rl_arena_alloc(&capture->arena, RL_COUNT(rows[i].command) * sizeof *capture->session.command);
        for (size_t k = 0; k < RL_COUNT(rows[i].command); k++)
            capture->session.command[k] = rl_capture_text(capture, rows[i].command[k]);
        rl_capture_redact(capture, &how);
        while (count < RL_COUNT(rows[i].left) && rows[i].left[count]) {
            assert_true(count < capture->session.command_count);
            if (count > 0)
                assert_string_equal(capture->session.command[count], rows[i].left[count]);
            count++;
        }
        assert_int_equal(capture->session.command_count, count);
        rl_capture_free(capture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_keep_what_is_harmless),       cmocka_unit_test(whole_columns_and_arguments_go),
        cmocka_unit_test(names_of_hosts_and_users),          cmocka_unit_test(no_text_is_forgotten),
        cmocka_unit_test(no_secret_passes_a_rule),           cmocka_unit_test(files_have_no_credentials),
        cmocka_unit_test(the_log_says_where_it_is_from),     cmocka_unit_test(pseudonyms_are_stable),
        cmocka_unit_test(samples_stay_with_their_kernel),    cmocka_unit_test(long_texts_still_fit),
        cmocka_unit_test(different_programs_stay_different), cmocka_unit_test(what_is_redacted_stays_as_it_is),
        cmocka_unit_test(what_grows_by_its_signs_is_cut),    cmocka_unit_test(what_follows_the_dashes_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
