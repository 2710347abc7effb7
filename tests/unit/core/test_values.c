/* Error texts, and values with their states. */
#include "rl_test.h"

#include <float.h>

#include "core/err.h"
#include "core/utf8.h"
#include "core/value.h"

static void error_text_is_one_safe_line(void **state)
{
    (void)state;
    struct rl_err err = RL_ERR_INIT;
    assert_int_equal(rl_err_set(&err, RL_IO, "cannot open '%s': %s", "a\nb\033[31m", "no\xFF"), RL_IO);
    assert_string_equal(err.text, "cannot open 'a?b?[31m': no?");
    rl_err_set(&err, RL_IO, "x\xC2\x9By\xE2\x80\xAEz"); /* CSI as a C1 control; right-to-left override */
    assert_string_equal(err.text, "x?y?z");
    rl_err_set(&err, RL_IO, "%s",
               "gr\xC3\xB6\xC3\x9F"
               "er");
    assert_string_equal(err.text, "gr\xC3\xB6\xC3\x9F"
                                  "er");
    assert_int_equal(rl_err_set(NULL, RL_FORMAT, "nobody reads this"), RL_FORMAT);
    rl_err_set(&err, RL_IO, "%s", "");
    assert_string_equal(err.text, "");
}

static void long_error_text_is_cut_at_a_character(void **state)
{
    (void)state;
    struct rl_err err = RL_ERR_INIT;
    char exact[1024], longer[5000];
    for (size_t i = 0; i < 1023; i++)
        exact[i] = i % 100 == 99 ? ' ' : 'x';
    exact[1023] = '\0';
    rl_err_set(&err, RL_IO, "%s", exact);
    assert_string_equal(err.text, exact);
    for (size_t shift = 0; shift < 4; shift++) { /* every place at which the cut can fall in U+1F600 */
        memset(longer, 'a', shift);
        for (size_t i = shift; i + 5 < sizeof longer; i += 4) /* in words that are not too long */
            memcpy(longer + i, (i - shift) % 100 == 96 ? "    " : "\xF0\x9F\x98\x80", 5);
        rl_err_set(&err, RL_IO, "%s", longer);
        size_t len = strlen(err.text);
        assert_in_range(len, 1023 - 3, 1023);
        assert_string_equal(err.text + len - 3, "...");
        assert_true(rl_utf8_valid(err.text, len));
        assert_null(strchr(err.text, '?')); /* no half character was left to be replaced */
    }
}

/* Of a long name both ends are left, and what follows it. */
static void long_words_are_shortened_in_the_middle(void **state)
{
    (void)state;
    struct rl_err err = RL_ERR_INIT;
    char name[3001], expected[400];
    memset(name, 'x', sizeof name - 1);
    name[3000] = '\0';
    memcpy(name, "begin", 5);
    memcpy(name + 2997, "end", 3);
    rl_err_set(&err, RL_USAGE, "unknown experiment '%s': 'rooflight list kernels' shows all", name);
    assert_non_null(strstr(err.text, "unknown experiment 'beginxxx"));
    assert_non_null(strstr(err.text, "x\xE2\x80\xA6x"));
    assert_non_null(strstr(err.text, "xxxend': 'rooflight list kernels' shows all"));
    assert_true(strlen(err.text) < 200);
    name[256] = '\0';
    snprintf(expected, sizeof expected, "a %.256s b", name);
    rl_err_set(&err, RL_USAGE, "a %s b", name);
    assert_string_equal(err.text, expected);
}

static void context_goes_in_front(void **state)
{
    (void)state;
    struct rl_err err = RL_ERR_INIT;
    rl_err_set(&err, RL_IO, "disk full");
    assert_int_equal(rl_err_context(&err, RL_FAILED, "page %d", 3), RL_FAILED);
    assert_string_equal(err.text, "page 3: disk full");
    rl_err_set(&err, RL_FAILED, "again: %s", err.text);
    assert_string_equal(err.text, "again: page 3: disk full");
    assert_int_equal(rl_err_context(NULL, RL_IO, "x"), RL_IO);
}

static void exit_codes(void **state)
{
    (void)state;
    assert_int_equal(rl_status_exit_code(RL_OK), 0);
    assert_int_equal(rl_status_exit_code(RL_USAGE), 2);
    assert_int_equal(rl_status_exit_code(RL_REGRESSION), 3);
    assert_int_equal(rl_status_exit_code(RL_OPEN), 4);
    for (int status = RL_FAILED; status <= RL_TIMEOUT; status++)
        if (status != RL_USAGE && status != RL_REGRESSION && status != RL_OPEN)
            assert_int_equal(rl_status_exit_code((enum rl_status)status), 1);
}

static void only_finite_numbers_are_present(void **state)
{
    (void)state;
    struct rl_value value = rl_value_of(0.0);
    assert_true(rl_present(value));
    assert_string_equal(rl_value_reason(value), "");
    assert_int_equal(rl_value_of(NAN).state, RL_VALUE_FAILED);
    assert_int_equal(rl_value_of(-INFINITY).state, RL_VALUE_FAILED);
    assert_string_equal(rl_value_reason(rl_value_of(INFINITY)), "not a finite number");
    assert_string_equal(rl_value_reason(rl_value_missing(RL_NOT_PERMITTED, NULL)), "counters not permitted");
    assert_string_equal(rl_value_reason(rl_value_missing(RL_UNDEFINED, "no branches executed")), "no branches executed");
}

static void a_missing_value_knows_why(void **state)
{
    static const struct rl_value text = RL_VALUE_OF_TEXT, zeroed;
    char words[RL_STATE_COUNT + 1] = "whywhy";
    (void)state;

    for (int i = RL_PRESENT + 1; i < RL_STATE_COUNT; i++) {
        const struct rl_value missing = rl_value_missing((enum rl_state)i, &words[i - 1]);
        assert_true(isnan(missing.v) && !rl_present(missing));
        assert_int_equal(missing.state, i);
        assert_ptr_equal(rl_value_reason(missing), &words[i - 1]);
        assert_ptr_equal(rl_value_reason(rl_value_missing((enum rl_state)i, NULL)), rl_state_reason((enum rl_state)i));
    }
    assert_true(rl_present(zeroed) && !rl_present(text));
    assert_int_equal(text.state, RL_UNDEFINED);
    assert_string_equal(rl_value_reason(text), "a text");
}

static void arithmetic_carries_the_first_missing_input(void **state)
{
    (void)state;
    struct rl_value (*const operations[])(struct rl_value, struct rl_value) = {rl_value_add, rl_value_sub, rl_value_mul};
    struct rl_value six = rl_value_of(6), two = rl_value_of(2);
    struct rl_value absent = rl_value_missing(RL_NOT_ON_CHIP, "a"), later = rl_value_missing(RL_DISAGREES, "b");
    static const double expected[] = {8, 4, 12};
    for (int i = 0; i < 3; i++) {
        assert_true(operations[i](six, two).v == expected[i]);
        assert_string_equal(rl_value_reason(operations[i](absent, later)), "a");
        assert_string_equal(rl_value_reason(operations[i](six, later)), "b");
        assert_int_equal(operations[i](absent, two).state, RL_NOT_ON_CHIP);
    }
    assert_true(rl_value_div(six, two, NULL).v == 3);
    assert_string_equal(rl_value_reason(rl_value_div(absent, later, NULL)), "a");
    assert_string_equal(rl_value_reason(rl_value_div(six, later, "z")), "b");
    assert_int_equal(rl_value_mul(rl_value_of(1e300), rl_value_of(1e300)).state, RL_VALUE_FAILED);
}

static void division_by_zero_is_undefined(void **state)
{
    (void)state;
    struct rl_value zero = rl_value_of(0), one = rl_value_of(1);
    assert_int_equal(rl_value_div(one, zero, NULL).state, RL_UNDEFINED);
    assert_int_equal(rl_value_div(zero, zero, NULL).state, RL_UNDEFINED);
    assert_int_equal(rl_value_div(one, rl_value_of(-0.0), NULL).state, RL_UNDEFINED);
    assert_string_equal(rl_value_reason(rl_value_div(one, zero, "no instructions executed")), "no instructions executed");
    assert_string_equal(rl_value_reason(rl_value_div(one, zero, NULL)), "not defined for this launch");
    assert_string_equal(rl_value_reason(rl_value_div(rl_value_missing(RL_DISAGREES, NULL), zero, NULL)), "passes disagree");
    assert_true(rl_value_div(zero, one, NULL).v == 0);
}

static void state_names_read_back(void **state)
{
    (void)state;
    for (int i = 0; i < RL_STATE_COUNT; i++) {
        for (int k = 0; k < i; k++)
            assert_string_not_equal(rl_state_name((enum rl_state)i), rl_state_name((enum rl_state)k));
        assert_int_equal(*rl_state_reason((enum rl_state)i) == '\0', i == RL_PRESENT);
    }
}

__attribute__((format(printf, 3, 4))) static enum rl_status set(struct rl_err *err, enum rl_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const enum rl_status returned = rl_err_vset(err, status, format, args);
    va_end(args);
    return returned;
}

static void the_status_comes_back(void **state)
{
    (void)state;
    struct rl_err err = RL_ERR_INIT;
    assert_int_equal(set(&err, RL_IO, "%d", 7), RL_IO);
    assert_string_equal(err.text, "7");
    assert_int_equal(set(NULL, RL_VERSION, "%d", 7), RL_VERSION);
}

static void what_is_missing_has_no_number(void **state)
{
    (void)state;
    const struct rl_value missing = rl_value_missing(RL_NOT_COLLECTED, NULL);
    assert_true(isnan(missing.v) && missing.state == RL_NOT_COLLECTED);
    assert_ptr_equal(rl_value_reason(missing), rl_state_reason(RL_NOT_COLLECTED));
    assert_string_equal(rl_value_reason(rl_value_missing(RL_UNDEFINED, "why")), "why");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(error_text_is_one_safe_line),
        cmocka_unit_test(long_error_text_is_cut_at_a_character),
        cmocka_unit_test(long_words_are_shortened_in_the_middle),
        cmocka_unit_test(context_goes_in_front),
        cmocka_unit_test(exit_codes),
        cmocka_unit_test(only_finite_numbers_are_present),
        cmocka_unit_test(a_missing_value_knows_why),
        cmocka_unit_test(arithmetic_carries_the_first_missing_input),
        cmocka_unit_test(division_by_zero_is_undefined),
        cmocka_unit_test(state_names_read_back),
        cmocka_unit_test(the_status_comes_back),
        cmocka_unit_test(what_is_missing_has_no_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
