/* What the injected part is told: through the environment and back, and docs/programs.md says the same. */
#include "rl_test.h"

#include <stdlib.h>

#include "core/buf.h"
#include "core/fs.h"
#include "core/mem.h"
#include "settings.h"

static void settings_survive_the_environment(void **state)
{
    (void)state;
    struct rl_settings given, back;
    const char *wrong = NULL;
    rl_settings_init(&given);
    given.address = "/tmp/x y";
    given.samples = 7;
    given.pass = 0;
    given.nvtx = "a@b/*";
    assert_true(rl_settings_export(&given));
    assert_true(rl_settings_read(&back, &wrong));
    assert_string_equal(back.address, "/tmp/x y");
    assert_string_equal(back.nvtx, "a@b/*");
    assert_null(back.kernel);
    assert_int_equal(back.samples, 7);
    assert_int_equal(back.pass, 0);
    assert_int_equal(back.times, 1);
    assert_null(getenv("ROOFLIGHT_INJECT_TIMES")); /* at its default */
    setenv("ROOFLIGHT_INJECT_SAMPLES", "3x", 1);
    assert_false(rl_settings_read(&back, &wrong));
    assert_string_equal(wrong, "ROOFLIGHT_INJECT_SAMPLES");
}

static void texts_outlive_the_environment(void **state)
{
    (void)state;
    static char variable[] = "ROOFLIGHT_INJECT_NVTX=step"; /* what putenv gets is the environment */
    struct rl_settings settings;
    const char *wrong = NULL;
    unsetenv("ROOFLIGHT_INJECT_SAMPLES");
    assert_int_equal(putenv(variable), 0);
    assert_true(rl_settings_read(&settings, &wrong));
    rl_settings_keep(&settings);
    memset(variable, 'x', sizeof variable - 1); /* as a program does that writes its title there */
    assert_string_equal(settings.nvtx, "step");
#define TEXT_SETTING(variable, member, meaning) free((void *)(uintptr_t)settings.member);
#define NUMBER_SETTING(variable, member, otherwise, meaning)
#include "settings.def"
#undef TEXT_SETTING
#undef NUMBER_SETTING
}

/* Every row of settings.def is a line of the document's table. */
static void the_document_has_every_setting(void **state)
{
    (void)state;
    static const char *const lines[] = {
#define TEXT_SETTING(variable, member, meaning)              "| `" #variable "` |  | " meaning " |",
#define NUMBER_SETTING(variable, member, otherwise, meaning) "| `" #variable "` | " #otherwise " | " meaning " |",
#include "settings.def"
#undef TEXT_SETTING
#undef NUMBER_SETTING
    };
    struct rl_buf text = RL_BUF_INIT;
    struct rl_err err = RL_ERR_INIT;
    assert_int_equal(rl_read_file(RL_SOURCE_DIR "/docs/programs.md", 1 << 20, &text, &err), RL_OK);
    for (size_t i = 0; i < RL_COUNT(lines); i++)
        if (!strstr(text.data, lines[i]))
            fail_msg("docs/programs.md lacks the line %s", lines[i]);
    rl_buf_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_survive_the_environment),
        cmocka_unit_test(texts_outlive_the_environment),
        cmocka_unit_test(the_document_has_every_setting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
