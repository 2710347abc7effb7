/* Which of very many variants the page of an experiment shows. */
#include "rl_test.h"

#include "core/arena.h"
#include "experiment.h"

enum { COUNT = 1000, BEST = 501, WORST = 77 };

static struct rl_view choose(struct rl_arena *arena, struct rl_roofline_entry entries[COUNT], size_t count)
{
    struct rl_document doc = {.arena = arena};
    struct rl_report report = {.doc = &doc};
    struct rl_view view = {.entries = entries, .count = count, .best = BEST, .worst = WORST};
    for (size_t i = 0; i < count; i++)
        entries[i] = (struct rl_roofline_entry){.number = i};
    return rl_view_choose(&report, &view);
}

static void those_at_equal_distances_the_best_and_the_last(void **state)
{
    (void)state;
    static struct rl_roofline_entry entries[COUNT];
    struct rl_arena arena = RL_ARENA_INIT;
    struct rl_view choice = choose(&arena, entries, COUNT);
    assert_int_equal(choice.count, RL_VIEW_MOST);
    assert_int_equal(choice.entries[0].number, 0);
    assert_int_equal(choice.entries[choice.count - 1].number, COUNT - 1);
    assert_int_equal(choice.entries[choice.best].number, BEST);
    assert_int_equal(choice.entries[choice.worst].number, WORST);
    for (size_t i = 1; i < choice.count; i++)
        assert_in_range(choice.entries[i].number - choice.entries[i - 1].number, 1, 18);
    rl_arena_release(&arena);
}

static void few_are_all_shown(void **state)
{
    (void)state;
    static struct rl_roofline_entry entries[COUNT];
    struct rl_arena arena = RL_ARENA_INIT;
    assert_int_equal(choose(&arena, entries, RL_VIEW_MOST).count, RL_VIEW_MOST);
    assert_ptr_equal(choose(&arena, entries, RL_VIEW_MOST).entries, entries);
    rl_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(those_at_equal_distances_the_best_and_the_last),
                                       cmocka_unit_test(few_are_all_shown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
