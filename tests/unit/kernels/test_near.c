/* Lists of processors as the kernel prints them. */
#include "rl_test.h"

#include "near.h"

static void lists_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *list;
        int count, first, last; /* count -1: not a list */
    } rows[] = {{"0-3,8-11\n", 8, 0, 11},
                {"5", 1, 5, 5},
                {"0,2,4\n", 3, 0, 4},
                {"", -1, 0, 0},
                {"\n", -1, 0, 0},
                {"0-", -1, 0, 0},
                {"3-1", -1, 0, 0},
                {"0;1", -1, 0, 0},
                {"a", -1, 0, 0},
                {"0,", -1, 0, 0},
                {"0-99999999", CPU_SETSIZE, 0, CPU_SETSIZE - 1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cpu_set_t set;
        bool good = rl_cpu_list_parse(rows[i].list, &set);
        assert_int_equal(good, rows[i].count >= 0);
        assert_int_equal(CPU_COUNT(&set), good ? rows[i].count : 0);
        if (good)
            assert_true(CPU_ISSET(rows[i].first, &set) && CPU_ISSET(rows[i].last, &set));
    }
}

static void a_device_that_is_not_there_changes_nothing(void **state)
{
    (void)state;
    cpu_set_t before, now;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    assert_false(rl_numa_bind("ffff:ff:1f.7", &now));
    assert_int_equal(sched_getaffinity(0, sizeof now, &now), 0);
    assert_true(CPU_EQUAL(&before, &now));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_read),
        cmocka_unit_test(a_device_that_is_not_there_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
