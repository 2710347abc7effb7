/* Which code a program holds, and what it says of kernels that it does not hold. */
#include "rl_test.h"

#include <stdlib.h>

#include "core/mem.h"
#include "kernels/built.h"
#include "kernels/suite.h"

static const int legacy[] = {35, 37, 50, 52, 60, 61, 70, 72}, two[] = {75, 90}, one[] = {90};
static const struct rl_built by_11 = {118, legacy, RL_COUNT(legacy)}, by_13 = {130, two, RL_COUNT(two)}, hopper = {124, one, 1},
                             unknown = {0, NULL, 0};

static void what_no_card_could_run_says_what_it_needs(void **state)
{
    static const struct {
        const struct rl_built *built;
        struct rl_built_need need;
        const char *why; /* NULL: some card runs it */
    } known[] = {
        {&by_11, {0, 0}, NULL},
        {&by_11, {72, 118}, NULL},
        {&by_11, {75, 0}, "not built: needs compute capability 7.5, this program has code for 3.5 to 7.2"},
        {&by_11, {0, 120}, "not built: needs CUDA 12.0, this program was built with 11.8"},
        {&by_11, {90, 120}, "not built: needs compute capability 9.0, this program has code for 3.5 to 7.2"},
        {&by_13, {90, 120}, NULL},
        {&by_13, {100, 0}, "not built: needs compute capability 10.0, this program has code for 7.5 and 9.0"},
        {&hopper, {90, 124}, NULL},
        {&hopper, {100, 0}, "not built: needs compute capability 10.0, this program has code for 9.0"},
        {&unknown, {120, 130}, NULL},
    };

    (void)state;
    for (size_t i = 0; i < RL_COUNT(known); i++) {
        struct rl_err err = {0};
        const enum rl_status status = rl_built_check(known[i].built, known[i].need, &err);
        assert_int_equal(status, known[i].why ? RL_UNSUPPORTED : RL_OK);
        if (known[i].why)
            assert_string_equal(err.text, known[i].why);
    }
}

/* The driver takes the code of the highest compute capability up to the card's: kernels that need more are empty in it. */
static void a_card_runs_the_best_code_that_there_is_for_it(void **state)
{
    static const struct {
        const struct rl_built *built;
        struct rl_built_need need;
        int cc;
        const char *why;
    } known[] = {
        {&by_13, {75, 0}, 75, NULL},
        {&by_13, {80, 0}, 75, "needs compute capability 8.0, this GPU has 7.5"},
        {&by_13, {80, 0}, 86, "not built: needs compute capability 8.0, this program has code for 7.5 and 9.0"},
        {&by_13, {75, 0}, 86, NULL},
        {&by_13, {80, 0}, 90, NULL},
        {&by_13, {90, 120}, 120, NULL},
        {&by_11, {60, 0}, 61, NULL},
        {&by_11, {60, 0}, 52, "needs compute capability 6.0, this GPU has 5.2"},
        {&by_11, {80, 0}, 80, "not built: needs compute capability 8.0, this program has code for 3.5 to 7.2"},
        {&by_11, {0, 120}, 70, "not built: needs CUDA 12.0, this program was built with 11.8"},
        {&unknown, {80, 120}, 90, NULL},
    };

    (void)state;
    for (size_t i = 0; i < RL_COUNT(known); i++) {
        struct rl_err err = {0};
        const enum rl_status status = rl_built_check_card(known[i].built, known[i].need, known[i].cc, &err);
        assert_int_equal(status, known[i].why ? RL_UNSUPPORTED : RL_OK);
        if (known[i].why)
            assert_string_equal(err.text, known[i].why);
    }
}

/* Of this very program: every row that is above what it was built for, and no other, has its reason. */
static void rows_of_the_suite_say_why_they_are_absent(void **state)
{
    const struct rl_built built = rl_built();
    const int most = built.cc_count ? built.ccs[built.cc_count - 1] : 1000;

    (void)state;
    for (size_t i = 1; i < built.cc_count; i++)
        assert_true(built.ccs[i - 1] < built.ccs[i]);
    for (size_t e = 0; e < rl_suite_count; e++) {
        for (const struct rl_suite_variant *variant = rl_suite[e].variants; variant->name; variant++) {
            struct rl_buf why = RL_BUF_INIT;
            rl_suite_not_built_text(variant, &why);
            const bool absent = variant->min_cc > most || (built.toolkit && variant->min_toolkit > built.toolkit);
            assert_int_equal(why.len > 0, absent);
            rl_buf_release(&why);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_no_card_could_run_says_what_it_needs),
        cmocka_unit_test(a_card_runs_the_best_code_that_there_is_for_it),
        cmocka_unit_test(rows_of_the_suite_say_why_they_are_absent),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
