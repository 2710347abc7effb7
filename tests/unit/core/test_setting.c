/* Settings and how they are said. */
#include "rl_test.h"

#include "core/mem.h"
#include "core/setting.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array[0]))

static void assert_said(const struct rl_setting *settings, size_t count, const char *expected)
{
    struct rl_buf out = RL_BUF_INIT;
    rl_settings_text(settings, count, &out);
    assert_string_equal(out.len ? out.data : "", expected);
    rl_buf_release(&out);
}

static void settings_are_said_by_their_phrases(void **state)
{
    const struct rl_setting stream[] = {RL_TEXT_SETTING("kernel", "read once"), RL_NUMBER_SETTING("data_bytes", BYTE, 0x1p32),
                                        RL_NUMBER_SETTING("threads_per_block", COUNT, 512),
                                        RL_NUMBER_SETTING("vectors_per_thread", COUNT, 4)};
    const struct rl_setting together[] = {RL_NUMBER_SETTING("blocks_per_sm", COUNT, 2),
                                          RL_NUMBER_SETTING("threads_per_block", COUNT, 256),
                                          RL_NUMBER_SETTING("warp_rows", COUNT, 64), RL_NUMBER_SETTING("warp_columns", COUNT, 32),
                                          RL_NUMBER_SETTING("warp_depth", COUNT, 16)};
    const struct rl_setting torn[] = {RL_NUMBER_SETTING("threads_per_block", COUNT, 256),
                                      RL_NUMBER_SETTING("blocks_per_sm", COUNT, 2)};
    (void)state;
    assert_said(stream, COUNT_OF(stream), "read once, 4.00 GiB, 512 threads, 4 x 16 B per thread");
    assert_said(together, COUNT_OF(together), "2 x 256 threads per SM, 64 x 32 x 16 per warp");
    assert_said(torn, COUNT_OF(torn), "256 threads, 2 blocks per sm"); /* a key that has no phrase alone is said by its name */
    assert_said(stream, 0, "");
}

static void odd_settings_are_said_too(void **state)
{
    const struct rl_setting odd[] = {RL_NUMBER_SETTING("loop_count", COUNT, 7),
                                     RL_TEXT_SETTING("unknown", "words"),
                                     {.key = "lost", .number = rl_value_missing(RL_NOT_COLLECTED, "not read")},
                                     RL_NUMBER_SETTING("data_bytes", BYTE, 0)};
    (void)state;
    assert_said(odd, COUNT_OF(odd), "7 loop count, words, not read lost, 0 B");
}

static void memory_is_said_in_powers_of_two(void **state)
{
    static const struct {
        double bytes;
        const char *text;
    } known[] = {{1, "1.00 B"},        {1023, "1020 B"},    {1024, "1.00 KiB"}, {0x1p20 - 1, "1020 KiB"}, {32 * 0x1p20, "32.0 MiB"},
                 {0x1p30, "1.00 GiB"}, {0x1p42, "4100 GiB"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        const struct rl_setting setting = RL_NUMBER_SETTING("data_bytes", BYTE, known[i].bytes);
        assert_said(&setting, 1, known[i].text);
    }
}

/* No more than fit are said, whatever a file has. */
static void phrases_are_bounded(void **state)
{
    struct rl_setting many[3 * RL_MOST_PHRASES];
    struct rl_phrase phrases[RL_MOST_PHRASES];
    (void)state;
    for (size_t i = 0; i < COUNT_OF(many); i++)
        many[i] = (struct rl_setting)RL_TEXT_SETTING("kernel", "k");
    assert_int_equal(rl_phrases_of(many, COUNT_OF(many), phrases), RL_MOST_PHRASES);
}

static void values_are_compared_with_their_units(void **state)
{
    const struct rl_setting a = RL_NUMBER_SETTING("a", COUNT, 2), b = RL_NUMBER_SETTING("b", COUNT, 2),
                            bytes = RL_NUMBER_SETTING("a", BYTE, 2), text = RL_TEXT_SETTING("a", "2"),
                            lost = {.key = "a", .unit = RL_UNIT_COUNT, .number = rl_value_missing(RL_NOT_COLLECTED, "")};
    (void)state;
    assert_true(rl_setting_same_value(&a, &b) && rl_setting_same_value(&text, &text));
    assert_false(rl_setting_same_value(&a, &bytes) || rl_setting_same_value(&a, &text) || rl_setting_same_value(&lost, &lost));
    assert_true(rl_settings_equal(&a, 1, &a, 1));
    assert_false(rl_settings_equal(&a, 1, &b, 1) || rl_settings_equal(&a, 1, &a, 0)); /* another key; another number of them */
    assert_ptr_equal(rl_setting_find(&b, 1, "b"), &b);
    assert_null(rl_setting_find(&b, 1, "a"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_are_said_by_their_phrases),   cmocka_unit_test(odd_settings_are_said_too),
        cmocka_unit_test(memory_is_said_in_powers_of_two),      cmocka_unit_test(phrases_are_bounded),
        cmocka_unit_test(values_are_compared_with_their_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
