/* "Did you mean ...?": distances counted by hand. */
#include "rl_test.h"

#include <stdbool.h>

#include "core/mem.h"
#include "core/suggest.h"

/* A word of up to 3 letters may be off by one, one of 6 by two, one of 9 by three. */
static void near_and_far(void **state)
{
    (void)state;
    static const struct {
        const char *word, *name;
        bool near;
    } rows[] = {
        {"", "a", false},
        {"b", "a", true},
        {"b", "ac", false},
        {"ab", "abc", true},
        {"re", "repo", false}, /* a beginning, but too short for one */
        {"rep", "reports", true},
        {"add", "abc", false},
        {"chekc", "check", true}, /* one swap, at the end, */
        {"hceck", "check", true}, /* at the beginning, */
        {"cehck", "check", true}, /* in the middle */
        {"chck", "check", true},
        {"heck", "check", true},
        {"chec", "heck", false},
        {"checck", "check", true},
        {"chack", "check", true},
        {"abcd", "bxcd", false}, /* half a swap is two replacements */
        {"abcd", "xacd", false},
        {"kitten", "sittin", true}, /* two of six */
        {"kitten", "sitting", false},
        {"sitting", "kitten", false}, /* three of seven */
        {"abcdefghi", "xbcdyfghz", true},
        {"abcdefghi", "xbcdyfghzz", false},
        {"abcdefgh", "xbcdyfgz", false},
        {"badcfe---", "abcdef---", true}, /* three swaps */
    };
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        if (rl_suggest_nearest(rows[i].word, &rows[i].name, 1) != (rows[i].near ? rows[i].name : NULL))
            fail_msg("'%s' is %s '%s'", rows[i].word, rows[i].near ? "far from" : "near", rows[i].name);
}

static void the_nearest_of_several(void **state)
{
    (void)state;
    static const char *const names[] = {"sittin", "mitten", "bitten", "kittens-of-all-colours", ""};
    assert_ptr_equal(rl_suggest_nearest("kitten", names, 1), names[0]);
    assert_ptr_equal(rl_suggest_nearest("kitten", names, 5), names[1]); /* one replacement: nearer than two, and first of three */
    assert_ptr_equal(rl_suggest_nearest("kitten", names + 3, 2), names[3]);
    assert_null(rl_suggest_nearest("kitten", names, 0));
    assert_null(rl_suggest_nearest("kitten", names + 4, 1));
}

/* Names and words of more than 63 bytes are not looked at. */
static void long_names(void **state)
{
    char word[65], name[65];
    const char *const names[] = {name};
    (void)state;
    memset(word, 'x', sizeof word);
    memset(name, 'x', sizeof name);
    word[64] = name[63] = '\0';
    assert_null(rl_suggest_nearest(word, names, 1));
    word[63] = '\0';
    word[0] = word[62] = 'y';
    assert_ptr_equal(rl_suggest_nearest(word, names, 1), name);
    word[0] = word[62] = 'x';
    name[63] = 'x', name[64] = '\0';
    assert_null(rl_suggest_nearest(word, names, 1));
}

static void families(void **state)
{
    (void)state;
    assert_true(rl_suggest_is_of_family("V100-PCIE-16GB", "V100"));
    assert_true(rl_suggest_is_of_family("V100-PCIE-16GB", "v100-pcie"));
    assert_false(rl_suggest_is_of_family("V100S-PCIE-32GB", "V100"));
    assert_false(rl_suggest_is_of_family("V100-PCIE-16GB", "V10"));
    assert_false(rl_suggest_is_of_family("T4", "T4"));
    assert_false(rl_suggest_is_of_family("-", ""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_and_far),
        cmocka_unit_test(the_nearest_of_several),
        cmocka_unit_test(long_names),
        cmocka_unit_test(families),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
