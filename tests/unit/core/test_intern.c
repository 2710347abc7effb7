/* Numbers for texts: in the order of their first use, the same for the same text, however many there are. */
#include "rl_test.h"

#include "core/intern.h"
#include "core/mem.h"

static void equal_texts_have_equal_numbers(void **state)
{
    static const struct {
        unsigned tag;
        const char *text;
        size_t number;
        bool is_new;
    } rows[] = {{0, "a", 0, true}, {0, "b", 1, true}, {0, "a", 0, false}, {1, "a", 2, true},  {0, "", 3, true},
                {1, "", 4, true},  {0, "", 3, false}, {1, "a", 2, false}, {0, "ab", 5, true}, {0, "b", 1, false}};
    struct rl_intern intern = {0};
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        bool is_new = !rows[i].is_new;
        assert_int_equal(rl_intern(&intern, rows[i].tag, rows[i].text, &is_new), rows[i].number);
        assert_int_equal(is_new, rows[i].is_new);
    }
    assert_int_equal(intern.count, 6);
    assert_int_equal(intern.entries[2].tag, 1);
    assert_string_equal(intern.entries[5].text, "ab");
    rl_intern_release(&intern);
    assert_int_equal(intern.count, 0);
    bool is_new = false;
    assert_int_equal(rl_intern(&intern, 0, "z", &is_new), 0);
    assert_true(is_new);
    rl_intern_release(&intern);
}

/* Numbers stay what they are while the table grows. */
static void many_texts_keep_their_numbers(void **state)
{
    enum { MANY = 5000 };
    static char texts[MANY][12];
    struct rl_intern intern = {0};
    (void)state;
    for (size_t i = 0; i < MANY; i++) {
        bool is_new;
        snprintf(texts[i], sizeof texts[i], "text %zu", i);
        assert_int_equal(rl_intern(&intern, 7, texts[i], &is_new), i);
        assert_true(is_new);
        assert_int_equal(rl_intern(&intern, 7, texts[i / 2], &is_new), i / 2);
        assert_false(is_new);
        assert_true(intern.slot_count >= 2 * intern.count && (intern.slot_count & (intern.slot_count - 1)) == 0);
    }
    assert_int_equal(intern.count, MANY);
    rl_intern_release(&intern);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_texts_have_equal_numbers),
        cmocka_unit_test(many_texts_keep_their_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
