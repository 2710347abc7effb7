/* Formulas: grammar, precedence, missing values, errors with positions, limits. */
#include "rl_test.h"

#include "core/buf.h"
#include "core/formula.h"
#include "core/mem.h"

/* a, b, c are 2, 3, 5; zero is 0; each missing state has a name. */
static struct rl_value lookup(void *context, const char *name)
{
    static const struct {
        const char *name;
        double value;
    } numbers[] = {{"a", 2},           {"b", 3},        {"c", 5},        {"zero", 0},
                   {"smsp__x.sum", 7}, {"huge", 1e308}, {"minimum", 11}, {"elsewhere", 13}};
    (void)context;
    for (size_t i = 0; i < RL_COUNT(numbers); i++)
        if (strcmp(numbers[i].name, name) == 0)
            return rl_value_of(numbers[i].value);
    enum rl_state state = RL_PRESENT;
    while (strcmp(rl_state_name(state), name) != 0)
        state++;
    return rl_value_missing(state, name);
}

static struct rl_value value_of(const char *text, const char *zero_reason)
{
    struct rl_formula *formula;
    struct rl_err err = RL_ERR_INIT;
    if (rl_formula_parse(text, &formula, &err) != RL_OK)
        fail_msg("'%s': %s", text, err.text);
    struct rl_value value = rl_formula_eval(formula, lookup, NULL, zero_reason);
    rl_formula_free(formula);
    return value;
}

static void values(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } rows[] = {
        {"1", 1},
        {"a", 2},
        {" \ta \n", 2},
        {"1.5e3", 1500},
        {"2e-1", 0.2},
        {"2E+1", 20},
        {"a+b*c", 17},
        {"(a+b)*c", 25},
        {"c-b-a", 0},
        {"c-(b-a)", 4},
        {"a/b/c", 2.0 / 3 / 5},
        {"a*b/c", 2.0 * 3 / 5},
        {"2-1", 1},
        {"1e1-1", 9},
        {"a-1", 1},
        {"min(a,b)", 2},
        {"max(a, b)", 3},
        {"min (a , b) + max(c, a) * 2", 12},
        {"max(min(c,b),a)", 3},
        {"((((a))))", 2},
        {"smsp__x.sum * 32", 224},
        {"minimum + elsewhere", 24},
        {"a else b", 2},
        {"zero else b", 0},
        {"not_on_chip else b", 3},
        {"not_on_chip else not_on_chip else c", 5},
        {"a else not_on_chip", 2},
        {"not_on_chip + 1 else a + b", 5}, /* else binds least */
        {"not_on_chip * 32 else b * 4", 12},
        {"1 + (not_on_chip else b)", 4},
        {"(not_on_chip else a) * (not_on_chip else b)", 6},
        {"max(not_on_chip else a, b else c)", 3},
    };
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_value value = value_of(rows[i].text, NULL);
        if (!rl_present(value) || fabs(value.v - rows[i].value) > 1e-15 * fabs(rows[i].value))
            fail_msg("%s = %.17g (%s), not %.17g", rows[i].text, value.v, rl_value_reason(value), rows[i].value);
    }
}

static void missing_inputs(void **state)
{
    (void)state;
    static const struct {
        const char *text, *state;
    } rows[] = {
        {"disagrees", "disagrees"},
        {"a + disagrees", "disagrees"},
        {"failed * disagrees", "failed"}, /* the first one */
        {"disagrees / zero", "disagrees"},
        {"min(a, not_permitted)", "not_permitted"},
        {"max(not_collected, failed)", "not_collected"},
        {"disagrees else a", "disagrees"}, /* only what the chip has not is replaced */
        {"not_permitted else a", "not_permitted"},
        {"not_collected else a", "not_collected"},
        {"(1/zero) else a", "undefined"},
        {"not_on_chip else not_on_chip", "not_on_chip"},
        {"not_on_chip else failed", "failed"},
        {"not_on_chip else failed else a", "failed"},
        {"not_on_chip + disagrees else a", NULL}, /* the first one decides: present */
        {"disagrees + not_on_chip else a", "disagrees"},
        {"huge * huge", "failed"},
    };
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_value value = value_of(rows[i].text, NULL);
        const char *expected = rows[i].state ? rows[i].state : "present";
        if (strcmp(rl_state_name(value.state), expected) != 0)
            fail_msg("%s is %s, not %s", rows[i].text, rl_state_name(value.state), expected);
    }
}

static void division_by_zero_gives_the_reason(void **state)
{
    (void)state;
    struct rl_value value = value_of("a / zero", "no branches executed");
    assert_int_equal(value.state, RL_UNDEFINED);
    assert_string_equal(rl_value_reason(value), "no branches executed");
    assert_string_equal(rl_value_reason(value_of("zero / zero", NULL)), "not defined for this launch");
    assert_string_equal(rl_value_reason(value_of("1 + a / (b - 3) * 2", "none")), "none");
    assert_true(value_of("zero / a", "none").v == 0);
}

static void errors_say_where(void **state)
{
    (void)state;
    static const struct {
        const char *text, *error;
    } rows[] = {
        {"", "position 1: a number, a name or '(' expected, not its end"},
        {"   ", "position 4: a number, a name or '(' expected, not its end"},
        {"a +", "position 4: a number, a name or '(' expected, not its end"},
        {"a + * b", "position 5: a number, a name or '(' expected, not '*'"},
        {"(a + b", "position 7: ')' expected, not its end"},
        {"a + b)", "position 6: an operator expected, not ')'"},
        {"a b", "position 3: an operator expected, not 'b'"},
        {"-a", "position 1: a number, a name or '(' expected, not '-'"},
        {"a else", "position 7: a number, a name or '(' expected, not its end"},
        {"else a", "position 1: a number, a name or '(' expected, not 'else'"},
        {"a else else b", "position 8: a number, a name or '(' expected, not 'else'"},
        {"min a", "position 5: '(' expected, not 'a'"},
        {"min", "position 4: '(' expected, not its end"},
        {"min(a)", "position 6: ',' expected, not ')'"},
        {"max(a, b, c)", "position 9: ')' expected, not ','"},
        {"max(a,)", "position 7: a number, a name or '(' expected, not ')'"},
        {"1.", "position 1: a number expected, not '1.'"},
        {"2 * 1.2.3", "position 5: a number expected, not '1.2.3'"},
        {"12abc", "position 1: a number expected, not '12abc'"},
        {"0x10", "position 1: a number expected, not '0x10'"},
        {"1e999", "position 1: a number expected, not '1e999'"},
        {"1e", "position 1: a number expected, not '1e'"},
        {".5", "position 1: a number, a name or '(' expected, not '.'"},
        {"_a", "position 1: a number, a name or '(' expected, not '_'"},
        {"a $ b", "position 3: an operator expected, not '$'"},
        {"a\033b", "position 2: an operator expected, not '?'"},
        {"a{", "position 2: an operator expected, not '{'"}, /* beside letters and digits */
        {"{", "position 1: a number, a name or '(' expected, not '{'"},
        {"[", "position 1: a number, a name or '(' expected, not '['"},
        {"@", "position 1: a number, a name or '(' expected, not '@'"},
        {"`", "position 1: a number, a name or '(' expected, not '`'"},
        {":", "position 1: a number, a name or '(' expected, not ':'"},
        {"/", "position 1: a number, a name or '(' expected, not '/'"},
        {"1:", "position 2: an operator expected, not ':'"},
        {"()", "position 2: a number, a name or '(' expected, not ')'"},
        {"a(b)", "position 2: an operator expected, not '('"},
    };
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_formula *formula = (struct rl_formula *)&formula;
        struct rl_err err = RL_ERR_INIT;
        if (rl_formula_parse(rows[i].text, &formula, &err) != RL_FORMAT || formula)
            fail_msg("'%s' was accepted", rows[i].text);
        if (strncmp(err.text, "formula, ", 9) != 0 || strcmp(err.text + 9, rows[i].error) != 0)
            fail_msg("'%s': %s", rows[i].text, err.text);
    }
    struct rl_formula *formula;
    assert_int_equal(rl_formula_parse("(", &formula, NULL), RL_FORMAT); /* nobody asked for the text */
}

/* `depth` times `open`, "1", `depth` times `close` */
static char *nested(const char *open, const char *close, int depth)
{
    struct rl_buf text = RL_BUF_INIT;
    for (int i = 0; i < depth; i++)
        rl_buf_adds(&text, open);
    rl_buf_adds(&text, "1");
    for (int i = 0; i < depth; i++)
        rl_buf_adds(&text, close);
    return rl_buf_detach(&text, NULL);
}

static void thirty_two_levels(void **state)
{
    (void)state;
    static const struct {
        const char *open, *close;
        int repeats; /* that make 32 levels */
        double value;
    } rows[] = {
        {"(", ")", 32, 1},
        {"min(2,", ")", 32, 1},
        /* Every kind of left operand waits on every level, the most that the stack must hold; 1 -> 0 + 1 * 1. */
        {"max(0, not_on_chip else 0 + 1 * ", ")", 32, 1},
        {"(min(9, ", "))", 16, 1},
    };
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_formula *formula;
        struct rl_err err = RL_ERR_INIT;
        char *text = nested(rows[i].open, rows[i].close, rows[i].repeats);
        assert_int_equal(rl_formula_parse(text, &formula, &err), RL_OK);
        assert_true(rl_formula_eval(formula, lookup, NULL, NULL).v == rows[i].value);
        rl_formula_free(formula);
        free(text);
        text = nested(rows[i].open, rows[i].close, rows[i].repeats + 1);
        assert_int_equal(rl_formula_parse(text, &formula, &err), RL_FORMAT);
        assert_non_null(strstr(err.text, "nested more than 32 levels deep"));
        free(text);
    }
    char *hostile = nested("(", ")", 2000);
    struct rl_formula *formula;
    assert_int_equal(rl_formula_parse(hostile, &formula, NULL), RL_FORMAT);
    free(hostile);
}

static void length_limit(void **state)
{
    (void)state;
    char text[4098];
    struct rl_formula *formula;
    struct rl_err err = RL_ERR_INIT;
    for (int i = 0; i < 4097; i++)
        text[i] = i % 2 ? '+' : '1';
    text[4095] = ' ';
    text[4096] = '\0';
    assert_int_equal(rl_formula_parse(text, &formula, &err), RL_OK);
    assert_true(rl_formula_eval(formula, lookup, NULL, NULL).v == 2048);
    rl_formula_free(formula);
    memcpy(text + 4096, " ", 2);
    assert_int_equal(rl_formula_parse(text, &formula, &err), RL_FORMAT);
    assert_string_equal(err.text, "formula, position 4097: longer than 4096 bytes");
}

static void distinct_names_in_order(void **state)
{
    (void)state;
    struct rl_formula *formula;
    assert_int_equal(rl_formula_parse("b.sum + a * b.sum else max(c, a) - 2 + b", &formula, NULL), RL_OK);
    const char *const *names;
    assert_int_equal(rl_formula_names(formula, &names), 4);
    assert_string_equal(names[0], "b.sum");
    assert_string_equal(names[1], "a");
    assert_string_equal(names[2], "c");
    assert_string_equal(names[3], "b");
    rl_formula_free(formula);
    assert_int_equal(rl_formula_parse("A + Z09 * z", &formula, NULL), RL_OK);
    assert_int_equal(rl_formula_names(formula, &names), 3);
    assert_string_equal(names[1], "Z09");
    rl_formula_free(formula);
    assert_int_equal(rl_formula_parse("1 + 2", &formula, NULL), RL_OK);
    assert_int_equal(rl_formula_names(formula, &names), 0);
    rl_formula_free(formula);
    rl_formula_free(NULL);
}

struct count {
    int calls;
};

static struct rl_value counting(void *context, const char *name)
{
    ((struct count *)context)->calls++;
    assert_string_equal(name, "x");
    return rl_value_of(4);
}

static void lookup_gets_its_context(void **state)
{
    (void)state;
    struct rl_formula *formula;
    struct count count = {0};
    assert_int_equal(rl_formula_parse("x * x else x", &formula, NULL), RL_OK);
    assert_true(rl_formula_eval(formula, counting, &count, NULL).v == 16);
    assert_true(rl_formula_eval(formula, counting, &count, NULL).v == 16);
    assert_int_equal(count.calls, 6);
    rl_formula_free(formula);
}

static struct rl_value only_a_is_there(void *context, const char *name)
{
    ((struct count *)context)->calls++;
    return *name == 'a' ? rl_value_of(0) : rl_value_missing(*name == 'b' ? RL_NOT_COLLECTED : RL_DISAGREES, name);
}

/* The reason is that of the first name, or of the first division by zero, and names behind it are not asked for. */
static void what_is_missing_first_is_the_result(void **state)
{
    static const struct {
        const char *text, *reason;
        int calls;
    } rows[] = {{"a + b * c + a", "b", 2}, {"min(a, b) / c", "b", 2},  {"max(a + a, a) - (a - c) / b", "c", 5},
                {"a / a + b", "zero", 2},  {"(b else a) + c", "b", 3}, {"a - (c else b)", "c", 3}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct rl_formula *formula;
        struct count count = {0};
        assert_int_equal(rl_formula_parse(rows[i].text, &formula, NULL), RL_OK);
        assert_string_equal(rl_value_reason(rl_formula_eval(formula, only_a_is_there, &count, "zero")), rows[i].reason);
        assert_int_equal(count.calls, rows[i].calls);
        rl_formula_free(formula);
    }
}

static size_t numbered(void *context, const char *name)
{
    (void)context;
    return (size_t)(name[0] - 'a');
}

static const struct rl_value *fetch(void *context, size_t number)
{
    return (const struct rl_value *)context + number;
}

static void bound_names_are_found_by_number(void **state)
{
    (void)state;
    const struct rl_value values[] = {rl_value_of(7), rl_value_of(0), rl_value_missing(RL_NOT_ON_CHIP, "no c"), rl_value_of(5)};
    struct rl_formula *formula;
    const size_t *numbers;
    assert_int_equal(rl_formula_parse("max(a, 2) - (c else d) * 3 + a / b", &formula, NULL), RL_OK);
    rl_formula_bind(formula, numbered, NULL);
    assert_int_equal(rl_formula_numbers(formula, &numbers), 4);
    assert_int_equal(numbers[0], 0);
    assert_int_equal(numbers[1], 2);
    assert_int_equal(numbers[2], 3);
    assert_int_equal(numbers[3], 1);
    const struct rl_value value = rl_formula_eval_bound(formula, fetch, (void *)values, "b is zero"); /* only read */
    assert_int_equal(value.state, RL_UNDEFINED);
    assert_string_equal(rl_value_reason(value), "b is zero");
    rl_formula_free(formula);
    assert_int_equal(rl_formula_parse("max(a, 2) - (c else d) * 3", &formula, NULL), RL_OK);
    rl_formula_bind(formula, numbered, NULL);
    rl_formula_bind(formula, numbered, NULL); /* again: nothing is lost */
    assert_true(rl_formula_eval_bound(formula, fetch, (void *)values, NULL).v == 7 - 5 * 3);
    rl_formula_free(formula);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(missing_inputs),
        cmocka_unit_test(division_by_zero_gives_the_reason),
        cmocka_unit_test(errors_say_where),
        cmocka_unit_test(thirty_two_levels),
        cmocka_unit_test(length_limit),
        cmocka_unit_test(distinct_names_in_order),
        cmocka_unit_test(lookup_gets_its_context),
        cmocka_unit_test(what_is_missing_first_is_the_result),
        cmocka_unit_test(bound_names_are_found_by_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
