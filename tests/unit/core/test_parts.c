/* Work that is divided: every thing once, in stretches that follow one another. */
#include "rl_test.h"

#include <sched.h>

#include "core/parts.h"

enum { MOST = 100 };
struct visits {
    int times[MOST];
    size_t first[RL_MOST_PARTS], end[RL_MOST_PARTS];
};

static void visit(void *context, size_t part, size_t first, size_t end)
{
    struct visits *visits = context;
    visits->first[part] = first;
    visits->end[part] = end;
    for (size_t i = first; i < end; i++)
        visits->times[i]++; /* no other part has it */
}

static void every_thing_once(void **state)
{
    (void)state;
    for (size_t parts = 1; parts <= RL_MOST_PARTS; parts++)
        for (size_t count = 0; count <= MOST; count++) {
            struct visits visits = {0};
            rl_parts_run(parts, count, visit, &visits);
            for (size_t i = 0; i < MOST; i++)
                assert_int_equal(visits.times[i], i < count);
            for (size_t i = 0; i < parts; i++) {
                assert_int_equal(visits.first[i], i ? visits.end[i - 1] : 0);
                assert_in_range(visits.end[i] - visits.first[i], count / parts, (count + parts - 1) / parts);
            }
            assert_int_equal(visits.end[parts - 1], count);
        }
}

/* On one processor one part; elsewhere no more than are worth it. */
static void as_many_parts_as_are_worth_it(void **state)
{
    (void)state;
    cpu_set_t before, one;
    assert_int_equal(rl_parts_of(0, 10), 1);
    assert_int_equal(rl_parts_of(19, 10), 1);
    assert_int_equal(rl_parts_of(20, 10), rl_processors() > 1 ? 2 : 1);
    assert_int_equal(rl_parts_of(1000000, 10), rl_processors() < RL_MOST_PARTS ? rl_processors() : RL_MOST_PARTS);
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&one);
    for (size_t i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
        if (CPU_ISSET(i, &before))
            CPU_SET(i, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(rl_processors(), 1);
    assert_int_equal(rl_parts_of(1000000, 10), 1);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}

/* Each counts its calls. */
static void one(void *context)
{
    ((int *)context)[0]++;
}

static void other(void *context)
{
    ((int *)context)[1]++;
}

static void both_are_called(void **state)
{
    (void)state;
    for (size_t count = 0; count <= MOST; count += MOST / 2) {
        int calls[2] = {0};
        rl_parts_both(count, MOST / 2, one, other, calls);
        assert_int_equal(calls[0], 1);
        assert_int_equal(calls[1], 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_thing_once),
        cmocka_unit_test(both_are_called),
        cmocka_unit_test(as_many_parts_as_are_worth_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
