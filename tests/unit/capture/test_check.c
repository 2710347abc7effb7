/* What a column takes, on both sides of each of its limits, and what is said of the rest. */
#include "rl_test.h"

#include "core/mem.h"
#include "schema.h"

/* The status is that of a text without a fault (NULL) or with this one. */
static void assert_says(enum rl_status status, const struct rl_err *err, const char *fault)
{
    assert_int_equal(status, fault ? RL_FORMAT : RL_OK);
    assert_string_equal(err->text, fault ? fault : "");
}

static void integers_have_two_ends(void **state)
{
    static const struct rl_column column = {.min = -5, .max = 7};
    static const struct {
        int64_t number;
        const char *fault;
    } rows[] = {{-6, "-6 is not in -5..7"}, {-5, NULL}, {0, NULL}, {7, NULL}, {8, "8 is not in -5..7"}};
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_err err = RL_ERR_INIT;
        assert_says(rl_check_integer(&column, rows[i].number, &err), &err, rows[i].fault);
    }
}

static void numbers_have_two_ends_and_are_finite(void **state)
{
    static const struct rl_column column = {.low = -0.5, .high = 2};
    const struct {
        double number;
        const char *fault;
    } rows[] = {
        {-0.75, "-0.75 is not in -0.5..2"}, {-0.5, NULL}, {2, NULL}, {2.5, "2.5 is not in -0.5..2"}, {NAN, "not a finite number"},
        {INFINITY, "not a finite number"}};
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_err err = RL_ERR_INIT;
        assert_says(rl_check_real(&column, rows[i].number, &err), &err, rows[i].fault);
    }
}

static void digits_are_so_many_and_small(void **state)
{
    static const struct rl_column column = {.kind = RL_COLUMN_HEX, .max = 4};
    static const struct {
        const char *text;
        bool right;
    } rows[] = {{"09af", true},  {"ffff", true},  {"abc", false},  {"abcde", false},
                {"ABCD", false}, {"09ag", false}, {"g9af", false}, {"", false}};
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_err err = RL_ERR_INIT;
        assert_says(rl_check_text(&column, rows[i].text, strlen(rows[i].text), &err), &err,
                    rows[i].right ? NULL : "not 4 lower-case hexadecimal digits");
    }
}

static void texts_have_a_greatest_length(void **state)
{
    static const struct rl_column column = {.kind = RL_COLUMN_TEXT};
    static char text[RL_CAPTURE_MAX_TEXT + 1];
    char fault[80];
    struct rl_err err = RL_ERR_INIT;
    (void)state;
    memset(text, 'x', sizeof text);
    snprintf(fault, sizeof fault, "a text of %d bytes, more than %d", RL_CAPTURE_MAX_TEXT + 1, RL_CAPTURE_MAX_TEXT);
    assert_says(rl_check_text(&column, text, RL_CAPTURE_MAX_TEXT, &err), &err, NULL);
    assert_says(rl_check_text(&column, text, RL_CAPTURE_MAX_TEXT + 1, &err), &err, fault);
    text[RL_CAPTURE_MAX_TEXT - 1] = 0;
    assert_says(rl_check_text(&column, text, RL_CAPTURE_MAX_TEXT, &err), &err, "a text that contains a zero byte");
    err = (struct rl_err)RL_ERR_INIT;
    assert_says(rl_check_text(&column, "", 0, &err), &err, NULL);
}

/* Of a word that is not in the list, 100 bytes are quoted. */
static void words_are_those_of_the_list(void **state)
{
    static const char *const words[] = {"on", "off", NULL};
    const struct rl_column column = {.kind = RL_COLUMN_TEXT, .words = words};
    static const size_t lengths[] = {1, 99, 100, 101, 150};
    (void)state;
    for (size_t i = 0; words[i]; i++) {
        struct rl_err err = RL_ERR_INIT;
        assert_says(rl_check_text(&column, words[i], strlen(words[i]), &err), &err, NULL);
        assert_int_equal(rl_check_text(&column, words[i], strlen(words[i]) - 1, NULL), RL_FORMAT);
    }
    for (size_t i = 0; i < RL_COUNT(lengths); i++) {
        struct rl_err err = RL_ERR_INIT;
        char text[151], fault[200];
        memset(text, 'x', sizeof text);
        text[lengths[i]] = 0;
        snprintf(fault, sizeof fault, "unknown word '%.100s'", text);
        assert_says(rl_check_text(&column, text, lengths[i], &err), &err, fault);
    }
}

static void references_are_below_the_count(void **state)
{
    static const struct rl_column column = {.target = RL_SCHEMA_KERNEL};
    struct rl_capture *capture = rl_capture_new();
    struct rl_err err = RL_ERR_INIT;
    (void)state;
    assert_says(rl_check_index(capture, &column, 0, &err), &err, "refers to kernel 0 of 0");
    (void)rl_capture_add_kernel(capture);
    (void)rl_capture_add_kernel(capture);
    err = (struct rl_err)RL_ERR_INIT;
    assert_says(rl_check_index(capture, &column, 1, &err), &err, NULL);
    assert_says(rl_check_index(capture, &column, 2, &err), &err, "refers to kernel 2 of 2");
    assert_int_equal(rl_check_place(RL_SCHEMA_KERNEL, 7, NULL, RL_FORMAT, &err), RL_FORMAT);
    assert_string_equal(err.text, "kernel 7: refers to kernel 2 of 2");
    rl_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_have_two_ends),       cmocka_unit_test(numbers_have_two_ends_and_are_finite),
        cmocka_unit_test(digits_are_so_many_and_small), cmocka_unit_test(texts_have_a_greatest_length),
        cmocka_unit_test(words_are_those_of_the_list),  cmocka_unit_test(references_are_below_the_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
