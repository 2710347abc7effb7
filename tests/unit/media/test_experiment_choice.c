/* Which of very many variants the page of an experiment shows. */
#include "rl_test.h"

#include "core/arena.h"
#include "experiment.h"

enum { COUNT = 1000 };

/* Scattered, each once: variant i has the rank i * 7 mod 1000, 0 is the fastest; with `holes` every other one has none. */
static bool holes;

static struct rl_value time_of(struct rl_report *report, const struct rl_view *view, size_t i)
{
    (void)report, (void)view;
    return holes && i % 2 ? rl_value_missing(RL_NOT_COLLECTED, "not run") : rl_value_of((double)(i * 7 % COUNT));
}

static struct rl_view choose(struct rl_arena *arena, struct rl_roofline_entry entries[COUNT], size_t count, bool curve)
{
    static const struct rl_quantity quantity = {"time_s", "Median time", RL_UNIT_SECOND, false, time_of};
    struct rl_document doc = {.arena = arena};
    struct rl_report report = {.doc = &doc};
    struct rl_view view = {.entries = entries, .count = count, .quantity = &quantity, .best = 0, .worst = 0};
    for (size_t i = 0; i < count; i++)
        entries[i] = (struct rl_roofline_entry){.number = i};
    for (size_t i = 0; i < count; i += 1 + holes) {
        view.best = i * 7 % COUNT < view.best * 7 % COUNT ? i : view.best;
        view.worst = i * 7 % COUNT > view.worst * 7 % COUNT ? i : view.worst;
    }
    struct rl_view choice = rl_view_choose(&report, &view, curve);
    assert_true(count <= RL_VIEW_MOST || choice.entries[choice.best].number == view.best);
    assert_true(count <= RL_VIEW_MOST || choice.entries[choice.worst].number == view.worst);
    return choice;
}

static void best_median_and_last(void **state)
{
    (void)state;
    static struct rl_roofline_entry entries[COUNT];
    struct rl_arena arena = RL_ARENA_INIT;
    size_t best = 0, middle = 0, last = 0;
    struct rl_view choice = choose(&arena, entries, COUNT, false);
    assert_int_equal(choice.count, RL_VIEW_MOST);
    for (size_t i = 0; i < choice.count; i++) {
        const size_t rank = choice.entries[i].number * 7 % COUNT;
        assert_true(i == 0 || choice.entries[i].number > choice.entries[i - 1].number); /* in the order of the capture */
        best += rank < 20;
        middle += rank >= 490 && rank < 510;
        last += rank >= COUNT - 20;
    }
    assert_int_equal(best, 20);
    assert_int_equal(middle, 20);
    assert_int_equal(last, 20);
    rl_arena_release(&arena);
}

static void those_without_a_figure_come_last(void **state)
{
    (void)state;
    static struct rl_roofline_entry entries[COUNT];
    struct rl_arena arena = RL_ARENA_INIT;
    holes = true;
    struct rl_view choice = choose(&arena, entries, COUNT, false);
    holes = false;
    for (size_t i = 0; i < choice.count; i++)
        assert_int_equal(choice.entries[i].number % 2, 0);
    rl_arena_release(&arena);
}

static void points_of_a_curve_at_equal_distances(void **state)
{
    (void)state;
    static struct rl_roofline_entry entries[COUNT];
    struct rl_arena arena = RL_ARENA_INIT;
    struct rl_view choice = choose(&arena, entries, COUNT, true);
    assert_in_range(choice.count, RL_VIEW_MOST - 2, RL_VIEW_MOST);
    assert_int_equal(choice.entries[0].number, 0);
    assert_int_equal(choice.entries[choice.count - 1].number, COUNT - 1);
    for (size_t i = 1; i < choice.count; i++)
        assert_in_range(choice.entries[i].number - choice.entries[i - 1].number, 1, 18);
    rl_arena_release(&arena);
}

static void few_are_all_shown(void **state)
{
    (void)state;
    static struct rl_roofline_entry entries[COUNT];
    struct rl_arena arena = RL_ARENA_INIT;
    assert_int_equal(choose(&arena, entries, RL_VIEW_MOST, false).count, RL_VIEW_MOST);
    assert_ptr_equal(choose(&arena, entries, RL_VIEW_MOST, false).entries, entries);
    rl_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(best_median_and_last), cmocka_unit_test(those_without_a_figure_come_last),
                                       cmocka_unit_test(points_of_a_curve_at_equal_distances), cmocka_unit_test(few_are_all_shown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
