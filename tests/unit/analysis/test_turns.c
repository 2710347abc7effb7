/* Whose turn it is, when to look, and how much of the time is open. */
#include "rl_test.h"

#include "analysis/compare.h"
#include "core/mem.h"
#include "fixtures/sides.h"

/* Of four turns both sides have two, base, new, new, base or the other way round; which of both changes with the chance. */
static void four_turns_are_even(void **state)
{
    (void)state;
    size_t begins_new = 0;
    enum { SEEDS = 200, BLOCKS = 5 };
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        for (size_t block = 0; block < BLOCKS; block++) {
            const bool first = rl_turn_is_new(seed, 4 * block);
            begins_new += first;
            assert_int_equal(rl_turn_is_new(seed, 4 * block + 1), !first);
            assert_int_equal(rl_turn_is_new(seed, 4 * block + 2), !first);
            assert_int_equal(rl_turn_is_new(seed, 4 * block + 3), first);
        }
    assert_in_range(begins_new, SEEDS * BLOCKS * 45 / 100, SEEDS * BLOCKS * 55 / 100);
}

static void looks_become_rare(void **state)
{
    (void)state;
    static const size_t looks[] = {3, 4, 6, 8, 12, 16, 24, 32, 48, 64};
    size_t found = 0;
    for (size_t sessions = 0; sessions <= 64; sessions++)
        if (rl_turns_look(sessions)) {
            assert_true(found < RL_COUNT(looks));
            assert_int_equal(looks[found++], sessions);
        }
    assert_int_equal(found, RL_COUNT(looks));
}

static void shares_of_looks_add_up_to_one(void **state)
{
    (void)state;
    double sum = 0;
    for (size_t look = 1; look <= 1000; look++)
        sum += 1 / rl_look_share(look);
    assert_close(sum, 1, 2e-3);
    assert_true(sum <= 1);
    assert_close(rl_look_share(0), 1, 1e-12);
}

/* 300 of 400 us are open: their change of 1 % is as large as the smallest effect. */
static void open_is_what_is_undecided_by_time(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    sides_add(&sides, 0, "clear", 1, NULL, 100000);
    sides_add(&sides, 1, "clear", 1, NULL, 120000);
    sides_add(&sides, 0, "edge", 1, NULL, 300000);
    sides_add(&sides, 1, "edge", 1, NULL, 303000);
    assert_close(rl_comparison_open_share(sides_compare(&sides)), 0.75, 1e-3);
    sides_free(&sides);
    sides = sides_new();
    assert_close(rl_comparison_open_share(sides_compare(&sides)), 1, 1e-12); /* nothing was compared */
    sides_free(&sides);
}

/* Hopeless is what would need more than twice the sessions that there may be, or has no times at all. */
static void what_sessions_will_not_decide_is_hopeless(void **state)
{
    (void)state;
    static const struct {
        enum rl_verdict verdict;
        enum rl_doubt doubt;
        size_t more, most;
        bool hopeless;
    } rows[] = {
        {RL_UNDECIDED, RL_DOUBT_SESSIONS, 29, 16, false}, /* 32 in all */
        {RL_UNDECIDED, RL_DOUBT_SESSIONS, 30, 16, true},  {RL_UNDECIDED, RL_DOUBT_SESSIONS, 30, 17, false},
        {RL_UNDECIDED, RL_DOUBT_SESSIONS, 0, 50, true}, /* more than 100 */
        {RL_UNDECIDED, RL_DOUBT_SESSIONS, 0, 51, false},  {RL_UNDECIDED, RL_DOUBT_NO_TIMES, 0, 51, true},
        {RL_UNDECIDED, RL_DOUBT_FEW, 0, 16, false},       {RL_UNDECIDED, RL_DOUBT_CLOCKS, 0, 16, false},
        {RL_SAME, RL_DOUBT_NONE, 0, 16, false},
    };
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct sides sides = sides_new();
        for (size_t side = 0; side < 2; side++) {
            sides_add(&sides, side, "a", 1, NULL, 100000);
            sides_add(&sides, side, "b", 1, NULL, 300000);
        }
        sides_compare(&sides);
        sides.comparison->rules.sessions[0] = 3;
        sides.comparison->rules.sessions[1] = 4;
        sides.comparison->pairs[1].change.verdict = rows[i].verdict;
        sides.comparison->pairs[1].change.doubt = rows[i].doubt;
        sides.comparison->pairs[1].change.more_samples = rows[i].more;
        assert_close(rl_comparison_hopeless_share(sides.comparison, rows[i].most), rows[i].hopeless ? 0.75 : 0, 1e-3);
        sides.comparison->pairs[1].not_compared = "the candidate computed a wrong result";
        assert_close(rl_comparison_hopeless_share(sides.comparison, rows[i].most), 0, 1e-12);
        sides_free(&sides);
    }
}

/* The first bit of SplitMix64's numbers, as published with its sources. */
static void turns_by_the_published_numbers(void **state)
{
    static const struct {
        uint64_t seed, numbers[5];
    } rows[] = {
        {0, {0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f, 0xf88bb8a8724c81ec, 0x1b39896a51a8749b}},
        {1234567, {6457827717110365317, 3203168211198807973, 9817491932198370423u, 4593380528125082431, 16408922859458223821u}},
    };
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        for (size_t k = 0; k < RL_COUNT(rows[i].numbers); k++)
            assert_int_equal(rl_turn_is_new(rows[i].seed, 4 * k), rows[i].numbers[k] >> 63);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_turns_are_even),
        cmocka_unit_test(looks_become_rare),
        cmocka_unit_test(shares_of_looks_add_up_to_one),
        cmocka_unit_test(open_is_what_is_undecided_by_time),
        cmocka_unit_test(what_sessions_will_not_decide_is_hopeless),
        cmocka_unit_test(turns_by_the_published_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
