/* Which words are the program's own, numbers, versions, or made of them; all others may be somebody's. */
#include "rl_test.h"

#include <stdbool.h>

#include "core/mem.h"
#include "redact.h"

static void words_numbers_and_what_is_made_of_them(void **state)
{
    static const struct {
        const char *word;
        bool harmless;
    } rows[] = {
        {"kernel", true},
        {"KERNEL", true},
        {"kerne", false},
        {"johndoe", false},
        {"", true}, /* nothing says nothing */
        /* numbers */
        {"7", true},
        {"123456789", true},
        {"1234567890", false}, /* a telephone, a serial number */
        {"-4.5e-8", true},
        {"+4.5E+8", true},
        {"4.5e123", true},
        {"4.5e1234", false},
        {"4.123456789", true},
        {"4.1234567890", false},
        {"4.", false},
        {"4e", false},
        {"4e5", true},
        {"4e-", false},
        {"4e%", false},
        {".5", false},
        {"92.5/100", true},
        {"3-4", true},
        {"32x32x8", true},
        {"32x32x8x4", false},
        {"3-4-5", false}, /* a date */
        {"3/4/5", false},
        {"3x4-5", false},
        {"80GB", true},
        {"5%", true},
        {"5qq", false},
        /* versions: three numbers; four are an address */
        {"580.159.04", true},
        {"6.1.0", true},
        {"12345.1.1", true},
        {"123456.1.1", false},
        {"10.0.0.1", false},
        /* words with signs between them */
        {"coalescing/stride", true},
        {"kernel_kernel", true},
        {"kernel__kernel", true},
        {"kernel___kernel", true},
        {"_coalescing", false},
        {"coalescing_", false},
        {"johndoe_kernel", false},
        {"kernel_johndoe", false},
        {"johndoe__kernel", false},
        {"kernel__johndoe", false},
        {"johndoe/kernel", false},
        {"kernel/johndoe", false},
        {"kernel-johndoe", false},
        {"kernel=johndoe", false},
        {"kernel_123456", true},
        {"kernel_1234567", false},
        {"kernel=31", true},
        {"kernel/31", true},
        {"kernel-31", false}, /* somebody's host */
        {"kernel.31", false},
    };
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        if (rl_is_harmless(rows[i].word, strlen(rows[i].word)) != rows[i].harmless)
            fail_msg("'%s' is %s", rows[i].word, rows[i].harmless ? "kept from the reader" : "said");
}

/* It is found by halving: each word once, in order, in small letters. */
static void the_vocabulary_is_in_order(void **state)
{
    char longest[201];
    (void)state;
    assert_true(rl_vocabulary_count > 1000);
    for (size_t i = 0; i < rl_vocabulary_count; i++) {
        assert_true(i == 0 || strcmp(rl_vocabulary[i - 1], rl_vocabulary[i]) < 0);
        assert_true(rl_is_vocabulary(rl_vocabulary[i], strlen(rl_vocabulary[i])));
        assert_false(strpbrk(rl_vocabulary[i], "ABCDEFGHIJKLMNOPQRSTUVWXYZ"));
    }
    memset(longest, 'x', sizeof longest);
    assert_false(rl_is_vocabulary(longest, 200) || rl_is_vocabulary(longest, 201) || rl_is_vocabulary("", 0));
}

static void ends_of_sentences_are_no_part_of_a_word(void **state)
{
    static const struct {
        const char *text;
        size_t len;
    } rows[] = {{"word", 4}, {"word.", 4}, {"word:!?.", 4}, {"w.d", 3}, {"...", 0}, {"", 0}};
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        assert_int_equal(rl_word_end(rows[i].text, strlen(rows[i].text)), rows[i].len);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_numbers_and_what_is_made_of_them),
        cmocka_unit_test(the_vocabulary_is_in_order),
        cmocka_unit_test(ends_of_sentences_are_no_part_of_a_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
