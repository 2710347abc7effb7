/* Which files were declared as read: those, by device and number, and no others. */
#include "rl_test.h"

#include "core/mem.h"
#include "fixtures/files.h"
#include "target.h"

static void inputs_are_known_and_others_are_not(void **state)
{
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    struct stat info[RL_COUNT(names)];
    (void)state;
    for (size_t i = 0; i < RL_COUNT(names); i++) {
        files_put(names[i], "text");
        assert_int_equal(stat(names[i], &info[i]), 0);
        assert_false(rl_is_input(&info[i]));
    }
    for (size_t i = RL_COUNT(names); i-- > 0;)
        if (i % 2)
            rl_inputs_add(&info[i]);
    rl_inputs_sort();
    for (size_t i = 0; i < RL_COUNT(names); i++) {
        struct stat elsewhere = info[i];
        elsewhere.st_dev++;
        assert_int_equal(rl_is_input(&info[i]), i % 2);
        assert_false(rl_is_input(&elsewhere));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(inputs_are_known_and_others_are_not, files_enter_folder, files_leave_folder)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
