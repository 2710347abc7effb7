/* What belongs together, and numbers for texts. */
#include "rl_test.h"

#include "core/groups.h"
#include "core/intern.h"
#include "core/mem.h"

static size_t group_of(const void *context, size_t index)
{
    return ((const size_t *)context)[index];
}

static void groups_keep_the_order(void **state)
{
    (void)state;
    const size_t of[] = {2, 0, 2, 7, 2, (size_t)-1, 0};
    const size_t *at;
    struct rl_groups groups;
    rl_groups_make(&groups, 3, RL_COUNT(of), group_of, of);
    assert_int_equal(rl_group(&groups, 0, &at), 2);
    assert_int_equal(at[0], 1);
    assert_int_equal(at[1], 6);
    assert_int_equal(rl_group(&groups, 1, &at), 0);
    assert_int_equal(rl_group(&groups, 2, &at), 3);
    assert_int_equal(at[0], 0);
    assert_int_equal(at[1], 2);
    assert_int_equal(at[2], 4);
    assert_int_equal(rl_group(&groups, 3, &at), 0); /* what is in no group, and what is none */
    assert_int_equal(rl_group(&groups, (size_t)-1, &at), 0);
    rl_groups_release(&groups);
}

static void nothing_has_no_group(void **state)
{
    (void)state;
    const size_t *at;
    struct rl_groups groups;
    rl_groups_make(&groups, 0, 0, group_of, NULL);
    assert_int_equal(rl_group(&groups, 0, &at), 0);
    rl_groups_release(&groups);
}

static void equal_texts_have_one_number(void **state)
{
    (void)state;
    struct rl_intern intern = {0};
    bool is_new;
    char again[] = "one";
    assert_int_equal(rl_intern(&intern, 0, "one", &is_new), 0);
    assert_true(is_new);
    assert_int_equal(rl_intern(&intern, 0, "two", &is_new), 1);
    assert_int_equal(rl_intern(&intern, 1, "one", &is_new), 2); /* of another kind */
    assert_true(is_new);
    assert_int_equal(rl_intern(&intern, 0, again, &is_new), 0);
    assert_false(is_new);
    assert_int_equal(intern.count, 3);
    rl_intern_release(&intern);
    assert_int_equal(intern.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(groups_keep_the_order), cmocka_unit_test(nothing_has_no_group),
                                       cmocka_unit_test(equal_texts_have_one_number)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
