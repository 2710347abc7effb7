/* Verdicts by sessions, by hand. */
#include "rl_test.h"

#include <math.h>

#include "analysis/robust.h"
#include "analysis/sessions.h"
#include "compare_internal.h"
#include "core/mem.h"

static const struct rl_verdict_rules usual = {
    .confidence = RL_SESSIONS_CONFIDENCE, .smallest_effect = RL_SESSIONS_SMALLEST_EFFECT, .margin = RL_MARGIN, .comparisons = 1};

/* ---- by hand ---- */

enum { MOST_BY_HAND = 8 };
struct hand {
    double seconds[MOST_BY_HAND][8];
    struct rl_times times[MOST_BY_HAND];
    struct rl_sessions sessions;
};

/* Sessions with these medians, without any scatter of their own, at a clock of 1 GHz. */
static void by_hand(struct hand *hand, const double *medians, size_t count)
{
    for (size_t s = 0; s < count; s++) {
        for (size_t i = 0; i < 8; i++)
            hand->seconds[s][i] = medians[s];
        hand->times[s] = (struct rl_times){.seconds = hand->seconds[s], .n = 8, .sm_clock_hz = rl_value_of(1e9)};
    }
    hand->sessions = (struct rl_sessions){hand->times, count};
}

/* Two sides of two sessions: y are 0 and 2 a, then b and b + 2 a; so s^2 = (2 a^2 + 2 a^2) / 2 with 2 degrees of freedom, and t of
 * 1 % is 9.9248 for them. */
static void the_interval_by_hand(void **state)
{
    (void)state;
    const double a = 0.0005, b = 0.1;
    struct hand base, new;
    by_hand(&base, (const double[]){exp(0), exp(2 * a)}, 2);
    by_hand(&new, (const double[]){exp(b), exp(b + 2 * a)}, 2);
    const struct rl_scatter spread = rl_sessions_scatter(&base.sessions, &new.sessions);
    assert_close(spread.variance, 2 * a * a, 1e-12);
    assert_close(spread.freedom, 2, 1e-12);
    const struct rl_like alone = {.variance = spread.variance, .freedom = spread.freedom};
    const struct rl_change change = rl_change_of_sessions(&base.sessions, &new.sessions, &alone, &usual);
    assert_close(change.time.estimate, exp(b), 1e-9);
    assert_close(log(change.time.high), b + 9.9248 * sqrt(2) * a, 1e-6);
    assert_close(log(change.time.low), b - 9.9248 * sqrt(2) * a, 1e-6);
    assert_int_equal(change.verdict, RL_SLOWER);
    assert_int_equal(change.base.n, 16);
}

/* Quiet kernels lend their freedom; a pool that scatters more than the kernel widens its interval. */
static void like_kernels_are_pooled(void **state)
{
    (void)state;
    const struct rl_scatter spreads[] = {{1e-6, 10, 1e-3}, {4e-6, 10, 2e-3}, {9e-2, 50, 1e-6}, {0, 0, 1e-3}};
    struct rl_pool *four = rl_pool_new(spreads, RL_COUNT(spreads)), *two = rl_pool_new(spreads, 2);
    const struct rl_like like = rl_pool_at(four, 0, 1e-3), all = rl_pool_at(two, 0, 1e-6);
    assert_close(like.variance, 2.5e-6, 1e-9); /* the difference of two sums that hold the loud one */
    assert_close(like.freedom, 20, 1e-12);
    assert_close(all.variance, 2.5e-6, 1e-12); /* none is like it */
    assert_close(rl_pool_at(four, 0, 1e-6).variance, 9e-2, 1e-12);
    rl_pool_free(four);
    rl_pool_free(two);
    struct hand base, new;
    by_hand(&base, (const double[]){1, 1.0001}, 2);
    by_hand(&new, (const double[]){1.02, 1.0201}, 2);
    const struct rl_scatter own = rl_sessions_scatter(&base.sessions, &new.sessions);
    const struct rl_like quiet = {.variance = own.variance, .freedom = own.freedom}, loud = {.variance = 1e-4, .freedom = 100};
    assert_int_equal(rl_change_of_sessions(&base.sessions, &new.sessions, &quiet, &usual).verdict, RL_SLOWER);
    const struct rl_change change = rl_change_of_sessions(&base.sessions, &new.sessions, &loud, &usual);
    assert_int_equal(change.verdict, RL_UNDECIDED);
    assert_int_equal(change.doubt, RL_DOUBT_SESSIONS);
    assert_in_range(change.more_samples, 4, 8); /* 2.6 % shrink to 1.5 % with 5.9 sessions */
}

/* Kernels that depend on another clock say nothing of this one; only where there are too few of its kind all are asked. */
static void kinds_are_kept_apart(void **state)
{
    (void)state;
    const struct rl_scatter spreads[] = {{1e-8, 20, 1e-3, 1}, {9e-6, 20, 1e-3, 2}, {1e-6, 5, 1e-3, 3}, {4e-8, 20, 9e-3, 1}};
    struct rl_pool *pool = rl_pool_new(spreads, RL_COUNT(spreads));
    assert_close(rl_pool_at(pool, 1, 1e-3).variance, 1e-8, 1e-9);
    assert_close(rl_pool_at(pool, 2, 1e-3).variance, 9e-6, 1e-9);
    assert_close(rl_pool_at(pool, 1, 1).variance, 2.5e-8, 1e-9); /* none of its kind is as long */
    assert_close(rl_pool_at(pool, 3, 1e-3).freedom, 65, 1e-12);
    rl_pool_free(pool);
}

/* Variances that differ as chance has it have one source: the prior is their mean, with all of their freedom. Those that differ by
 * more have a prior that weighs little. */
static void the_prior_weighs_as_much_as_kernels_agree(void **state)
{
    (void)state;
    struct rl_scatter agree[12], differ[12], two[] = {{1e-6, 14, 1e-3, 0}, {1e-6, 14, 1e-3, 0}};
    for (size_t i = 0; i < RL_COUNT(agree); i++) {
        agree[i] = (struct rl_scatter){i % 2 ? 1.2e-6 : 0.8e-6, 14, 1e-3, 0};
        differ[i] = (struct rl_scatter){exp2((double)i) * 1e-7, 14, 1e-3, 0};
    }
    struct rl_pool *pools[] = {rl_pool_new(agree, RL_COUNT(agree)), rl_pool_new(differ, RL_COUNT(differ)), rl_pool_new(two, 2)};
    const struct rl_like close = rl_pool_at(pools[0], 0, 1e-3), apart = rl_pool_at(pools[1], 0, 1e-3);
    assert_close(close.prior_freedom, 12 * 14, 1e-12);
    assert_close(close.prior, 1e-6, 1e-9);
    /* e differs by ln 2 from one to the next: its variance is 13 ln(2)^2, of which chance has trigamma(7) = 0.15 */
    assert_close(apart.prior_freedom, 2 * rl_robust_trigamma_inverse(13 * log(2) * log(2) - rl_robust_trigamma(7)), 1e-6);
    assert_true(apart.prior_freedom < 1);
    assert_close(rl_pool_at(pools[2], 0, 1e-3).prior_freedom, 0, 1e-12); /* two cannot tell */
    for (size_t i = 0; i < RL_COUNT(pools); i++)
        rl_pool_free(pools[i]);
}

/* A kernel that is quiet among loud ones, in eight sessions: it knows itself. With three it might be one of them. */
static void enough_sessions_speak_for_themselves(void **state)
{
    (void)state;
    const double medians[] = {1, 1.0002, 1, 1.0002, 1, 1.0002, 1, 1.0002};
    const struct rl_like loud = {.variance = 1e-4, .freedom = 100, .prior = 1e-6, .prior_freedom = 2};
    static const struct {
        size_t sessions;
        enum rl_verdict verdict;
    } rows[] = {{3, RL_UNDECIDED}, {4, RL_UNDECIDED}, {5, RL_SAME}, {8, RL_SAME}};
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct hand base, new;
        by_hand(&base, medians, rows[i].sessions);
        by_hand(&new, medians, rows[i].sessions);
        assert_int_equal(rl_change_of_sessions(&base.sessions, &new.sessions, &loud, &usual).verdict, rows[i].verdict);
    }
}

/* Sessions without scatter: five on each side in turn need no condition, fewer and other orders do, and say nothing within it. */
static void few_sessions_have_a_condition(void **state)
{
    (void)state;
    static const struct {
        size_t sessions;
        bool in_turn;
        double change, condition;
        enum rl_verdict verdict;
        enum rl_doubt doubt;
    } rows[] = {
        {5, true, 1.009, 0, RL_SLOWER, RL_DOUBT_NONE},
        {5, false, 1.009, 0, RL_UNDECIDED, RL_DOUBT_UNCHANGED},
        {4, true, 1.009, 0, RL_UNDECIDED, RL_DOUBT_UNCHANGED},
        {4, true, 0.991, 0, RL_UNDECIDED, RL_DOUBT_UNCHANGED},
        {4, true, 1.02, 0.01, RL_SLOWER, RL_DOUBT_NONE},
        {4, true, 0.98, 0.01, RL_FASTER, RL_DOUBT_NONE},
        {5, false, 1.02, 0.01, RL_SLOWER, RL_DOUBT_NONE},
        {4, true, 1, 0.01, RL_SAME, RL_DOUBT_NONE},
        {5, true, 1, 0, RL_SAME, RL_DOUBT_NONE},
    };
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct hand base, new;
        double medians[2][5];
        struct rl_verdict_rules rules = usual;
        rules.unchanged = 0.01;
        rules.in_turn = rows[i].in_turn;
        for (size_t k = 0; k < 5; k++) {
            medians[0][k] = 1 + 1e-5 * (double)k;
            medians[1][k] = rows[i].change * medians[0][k];
        }
        by_hand(&base, medians[0], rows[i].sessions);
        by_hand(&new, medians[1], rows[i].sessions);
        const struct rl_like like = {.variance = 1e-8, .freedom = 100, .prior = 1e-8, .prior_freedom = 100};
        const struct rl_change change = rl_change_of_sessions(&base.sessions, &new.sessions, &like, &rules);
        assert_int_equal(change.verdict, rows[i].verdict);
        assert_int_equal(change.doubt, rows[i].doubt);
        assert_close(change.condition, rows[i].condition, 1e-12);
    }
}

/* Ranks of five sessions a side in turn, one of each side among the others: one of 252 ways has U 0, two have up to 1. */
static void ranks_without_a_condition(void **state)
{
    (void)state;
    struct rl_session_level levels[10];
    for (size_t i = 0; i < 10; i++)
        levels[i] = (struct rl_session_level){.side = i % 2, .y = (double)(i % 2) + 0.01 * (double)i, .turn = i + 1};
    assert_close(rl_session_blocks_of(levels, 10).rank_level, 2.0 / 252, 1e-9);
    levels[1].y = 0.07; /* one of the base's is above it */
    assert_close(rl_session_blocks_of(levels, 10).rank_level, 2 * 2.0 / 252, 1e-9);
    assert_true(rl_sessions_take_turns(levels, 10));
    for (size_t i = 0; i < 10; i++)
        levels[i].side = i >= 5;
    assert_false(rl_sessions_take_turns(levels, 10));
    assert_true(rl_session_blocks_of(levels, 10).trend > 0);
}

static void what_is_missing_is_a_doubt(void **state)
{
    (void)state;
    struct hand base, new;
    by_hand(&base, (const double[]){1}, 1);
    by_hand(&new, (const double[]){2}, 1);
    const struct rl_like none = {0}, known = {.variance = 1e-8, .freedom = 4};
    assert_close(rl_sessions_scatter(&base.sessions, &new.sessions).freedom, 0, 1e-12);
    assert_int_equal(rl_change_of_sessions(&base.sessions, &new.sessions, &none, &usual).doubt, RL_DOUBT_FEW);
    assert_int_equal(rl_change_of_sessions(&base.sessions, &new.sessions, &known, &usual).verdict, RL_SLOWER);
    base.times[0].n = 0;
    assert_int_equal(rl_change_of_sessions(&base.sessions, &new.sessions, &known, &usual).doubt, RL_DOUBT_NO_TIMES);
}

/* 10 % slower at clocks 10 % lower: nothing is proved. */
static void a_change_must_hold_in_cycles(void **state)
{
    (void)state;
    struct hand base, new;
    by_hand(&base, (const double[]){1, 1.0001}, 2);
    by_hand(&new, (const double[]){1.1, 1.1001}, 2);
    const struct rl_like pool = {.variance = 1e-8, .freedom = 30};
    assert_int_equal(rl_change_of_sessions(&base.sessions, &new.sessions, &pool, &usual).verdict, RL_SLOWER);
    for (size_t s = 0; s < 2; s++)
        new.times[s].sm_clock_hz = rl_value_of(0.9e9 + 1e6 * (double)s);
    const struct rl_change change = rl_change_of_sessions(&base.sessions, &new.sessions, &pool, &usual);
    assert_int_equal(change.verdict, RL_UNDECIDED);
    assert_int_equal(change.doubt, RL_DOUBT_CLOCKS);
}

/* Half a step of the clock on each side: 32 ns of 3 us are 1.07 % together, more than the margin. */
static void a_coarse_clock_decides_nothing(void **state)
{
    (void)state;
    struct hand base, new;
    by_hand(&base, (const double[]){3e-6, 3e-6}, 2);
    by_hand(&new, (const double[]){3e-6, 3e-6}, 2);
    const struct rl_like pool = {.variance = 1e-8, .freedom = 100};
    assert_int_equal(rl_change_of_sessions(&base.sessions, &new.sessions, &pool, &usual).verdict, RL_SAME);
    for (size_t s = 0; s < 2; s++)
        base.times[s].resolution_s = new.times[s].resolution_s = 32e-9;
    const struct rl_change change = rl_change_of_sessions(&base.sessions, &new.sessions, &pool, &usual);
    assert_int_equal(change.verdict, RL_UNDECIDED);
    assert_int_equal(change.doubt, RL_DOUBT_SESSIONS);
    assert_int_equal(change.more_samples, 0); /* no number would do */
}

/* Shown to be less than the margin: SAME, also where it may be more than the smallest effect; surely more than that: SLOWER. */
static void the_margin_is_wider_than_the_smallest_effect(void **state)
{
    (void)state;
    struct hand base, new;
    const struct rl_like pool = {.variance = 1e-6, .freedom = 100}; /* reaches 0.27 % */
    by_hand(&base, (const double[]){1, 1, 1}, 3);
    by_hand(&new, (const double[]){1.005, 1.005, 1.005}, 3);
    struct rl_verdict_rules rules = usual;
    const struct rl_change change = rl_change_of_sessions(&base.sessions, &new.sessions, &pool, &rules);
    assert_int_equal(change.verdict, RL_SAME);
    assert_true(change.time.low < 1.005 && change.time.high > 1.005);
    rules.margin = 0.005;
    assert_int_equal(rl_change_of_sessions(&base.sessions, &new.sessions, &pool, &rules).verdict, RL_UNDECIDED);
    by_hand(&new, (const double[]){1.008, 1.008, 1.008}, 3);
    rules.margin = 0.02;
    assert_int_equal(rl_change_of_sessions(&base.sessions, &new.sessions, &pool, &rules).verdict, RL_SLOWER);
}

/* A few sessions may fall apart by side: all intervals together hold with 99 %, those of many with 95 %. */
static void few_sessions_are_held_to_more(void **state)
{
    (void)state;
    assert_true(rl_confidence_of_ways(rl_ways_to_share(4, 4)) == RL_FEW_SESSIONS_CONFIDENCE);
    assert_true(rl_confidence_of_ways(rl_ways_to_share(1, 9)) == RL_FEW_SESSIONS_CONFIDENCE);
    assert_true(rl_confidence_of_ways(rl_ways_to_share(5, 5)) == RL_SESSIONS_CONFIDENCE);
}

/* Verdicts at the level that so many have: `found[i]` at turn i, the last one for ever. */
struct turns {
    size_t found[4], turn;
};

static size_t count_turn(void *context, const struct rl_verdict_rules *rules)
{
    struct turns *of = context;
    (void)rules;
    return of->found[of->turn < 3 ? of->turn++ : 3];
}
static size_t one_fewer(void *context, const struct rl_verdict_rules *rules)
{
    ++*(size_t *)context;
    return rules->decided - 1;
}

static void the_number_of_verdicts_is_found(void **state)
{
    (void)state;
    static const struct {
        struct turns turns;
        size_t decided;
    } rows[] = {{{{37, 37, 37, 37}, 0}, 37},
                {{{30, 28, 28, 28}, 0}, 28},
                {{{30, 7, 6, 6}, 0}, 6},
                {{{30, 9, 5, 5}, 0}, 0}, /* so few hold together */
                {{{0, 0, 0, 0}, 0}, 0}};
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct turns turns = rows[i].turns;
        struct rl_verdict_rules rules = usual;
        rules.comparisons = 37;
        rl_sessions_decide(&rules, count_turn, &turns);
        assert_int_equal(rules.decided, rows[i].decided);
    }
    struct rl_verdict_rules rules = usual;
    size_t asked = 0;
    rules.comparisons = 100000; /* a hundred thousand kernels are not judged a hundred thousand times */
    rl_sessions_decide(&rules, one_fewer, &asked);
    assert_int_equal(rules.decided, 0);
    assert_true(asked < 20);
}

/* 20 verdicts of 20 kernels have the level that each of five kernels has whose intervals hold together. */
static void verdicts_share_a_fifth_of_the_level(void **state)
{
    (void)state;
    static const struct {
        size_t sessions;
        bool wider;
    } rows[] = {{5, false}, {4, true}}; /* four can be shared out in 70 ways */
    const struct rl_like pool = {.variance = 1e-6, .freedom = 100, .prior = 1e-6, .prior_freedom = 100};
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct hand base, new;
        by_hand(&base, (const double[]){1, 1, 1, 1, 1}, rows[i].sessions);
        by_hand(&new, (const double[]){1, 1, 1, 1, 1}, rows[i].sessions);
        struct rl_verdict_rules five = usual, twenty = usual;
        five.comparisons = 5;
        twenty.comparisons = twenty.decided = 20;
        const double of_five = rl_change_of_sessions(&base.sessions, &new.sessions, &pool, &five).time.high,
                     of_twenty = rl_change_of_sessions(&base.sessions, &new.sessions, &pool, &twenty).time.high;
        assert_true(of_five > 1);
        assert_int_equal(of_twenty > of_five * (1 + 1e-9), rows[i].wider);
        assert_true(of_twenty >= of_five * (1 - 1e-9));
    }
}

static void assert_hold(size_t decided, const char *text)
{
    struct rl_buf out = RL_BUF_INIT;
    struct rl_verdict_rules rules = usual;
    rules.comparisons = 37;
    rules.decided = decided;
    rl_sessions_hold_text(&rules, &out);
    assert_string_equal(out.data, text);
    rl_buf_release(&out);
}

static void how_far_intervals_hold_in_words(void **state)
{
    (void)state;
    assert_hold(0, "that hold together with 95\u00a0% (Bonferroni over 37 kernels)");
    assert_hold(
        30,
        "by which on average no more than 1\u00a0% of the 30 verdicts are wrong (Benjamini and Yekutieli 2005, over 37 kernels)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_interval_by_hand),
        cmocka_unit_test(like_kernels_are_pooled),
        cmocka_unit_test(kinds_are_kept_apart),
        cmocka_unit_test(the_prior_weighs_as_much_as_kernels_agree),
        cmocka_unit_test(enough_sessions_speak_for_themselves),
        cmocka_unit_test(few_sessions_have_a_condition),
        cmocka_unit_test(ranks_without_a_condition),
        cmocka_unit_test(what_is_missing_is_a_doubt),
        cmocka_unit_test(a_change_must_hold_in_cycles),
        cmocka_unit_test(a_coarse_clock_decides_nothing),
        cmocka_unit_test(the_margin_is_wider_than_the_smallest_effect),
        cmocka_unit_test(few_sessions_are_held_to_more),
        cmocka_unit_test(the_number_of_verdicts_is_found),
        cmocka_unit_test(verdicts_share_a_fifth_of_the_level),
        cmocka_unit_test(how_far_intervals_hold_in_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
