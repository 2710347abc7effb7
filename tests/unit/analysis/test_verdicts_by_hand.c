/* Verdicts by hand, at every edge. */
#include "rl_test.h"

#include "analysis/analysis.h"
#include "analysis/verdict.h"
#include "core/mem.h"
#include "fixtures/series.h"

enum { MOST_SAMPLES = 100 };

static const struct rl_verdict_rules usual = {.confidence = RL_CONFIDENCE,
                                              .smallest_effect = RL_SMALLEST_EFFECT,
                                              .margin = RL_MARGIN,
                                              .session_effect = RL_SESSION_EFFECT,
                                              .comparisons = 1};

/* ---- by hand ---- */

/* 30 times around `level`, alternating so that they do not depend on one another; the interval is +- 0.1 % of the level. */
static struct rl_times steady(double *seconds, double level)
{
    for (size_t i = 0; i < 30; i++)
        seconds[i] = level * (i % 2 ? 1.001 : 0.999);
    return (struct rl_times){seconds, 30, 0, rl_value_of(1e9)};
}

static struct rl_change change_between(double base, double new, const struct rl_verdict_rules *rules)
{
    double a[30], b[30];
    const struct rl_times times_a = steady(a, base), times_b = steady(b, new);
    return rl_change_of(&times_a, &times_b, rules);
}

/* The ends: (level -+ 0.1 %) / (level +- 0.1 %), moved outwards by 0.5 %. */
static void the_interval_by_hand(void **state)
{
    (void)state;
    const struct rl_change change = change_between(1e-3, 1.1e-3, &usual);
    assert_close(change.time.estimate, 1.1, 1e-12);
    assert_close(change.time.low, 1.1 * 0.999 / 1.001 / 1.005, 1e-12);
    assert_close(change.time.high, 1.1 * 1.001 / 0.999 * 1.005, 1e-12);
    assert_int_equal(change.verdict, RL_SLOWER);
}

/* 0.5 % of sessions and 0.2 % of samples lie between the estimate and the ends. */
static void each_verdict_at_its_edge(void **state)
{
    (void)state;
    static const struct {
        double ratio;
        enum rl_verdict verdict;
        enum rl_doubt doubt;
    } rows[] = {
        {1.0, RL_SAME, RL_DOUBT_NONE},         {1.0029, RL_SAME, RL_DOUBT_NONE},      {1.0031, RL_UNDECIDED, RL_DOUBT_WIDE},
        {1.01, RL_UNDECIDED, RL_DOUBT_EDGE},   {1.0169, RL_UNDECIDED, RL_DOUBT_WIDE}, {1.0172, RL_SLOWER, RL_DOUBT_NONE},
        {0.9971, RL_SAME, RL_DOUBT_NONE},      {0.9969, RL_UNDECIDED, RL_DOUBT_WIDE}, {0.99, RL_UNDECIDED, RL_DOUBT_EDGE},
        {0.9833, RL_UNDECIDED, RL_DOUBT_WIDE}, {0.9829, RL_FASTER, RL_DOUBT_NONE},
    };
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        const struct rl_change change = change_between(2e-3, 2e-3 * rows[i].ratio, &usual);
        if (change.verdict != rows[i].verdict || change.doubt != rows[i].doubt)
            fail_msg("ratio %g: %s, doubt %d", rows[i].ratio, rl_verdict_name(change.verdict), (int)change.doubt);
        assert_int_equal(change.more_samples > 0, rows[i].doubt == RL_DOUBT_WIDE);
    }
}

/* A step of the clock on either side: 32 ns are 1.6 % of 2 us. */
static void a_coarse_clock_decides_nothing(void **state)
{
    (void)state;
    double a[30], b[30];
    struct rl_times base = steady(a, 2e-6), new = steady(b, 2.032e-6);
    base.resolution_s = new.resolution_s = 32e-9;
    const struct rl_change change = rl_change_of(&base, &new, &usual);
    assert_int_equal(change.verdict, RL_UNDECIDED);
    assert_int_equal(change.doubt, RL_DOUBT_EDGE);
    assert_true(change.time.low < 1 && change.time.high > 1.03);
}

/* 10 % slower at a clock 10 % lower: the same in cycles, so nothing is proved. 10 % slower at the same clock is. */
static void a_change_must_hold_in_cycles(void **state)
{
    (void)state;
    double a[30], b[30];
    struct rl_times base = steady(a, 1e-3), new = steady(b, 1.1e-3);
    struct rl_buf text = RL_BUF_INIT;
    new.sm_clock_hz = rl_value_of(0.9e9);
    struct rl_change change = rl_change_of(&base, &new, &usual);
    assert_int_equal(change.verdict, RL_UNDECIDED);
    assert_int_equal(change.doubt, RL_DOUBT_CLOCKS);
    assert_true(change.cycles.present);
    assert_close(change.cycles.estimate, 0.99, 1e-12);
    rl_change_doubt_text(&change, &text);
    assert_non_null(strstr(text.data, "lower"));
    rl_buf_release(&text);
    new.sm_clock_hz = rl_value_of(0.995e9); /* within what the clock is known to */
    change = rl_change_of(&base, &new, &usual);
    assert_int_equal(change.verdict, RL_SLOWER);
    assert_false(change.cycles.present);
    new.sm_clock_hz = rl_value_missing(RL_NOT_COLLECTED, NULL);
    assert_int_equal(rl_change_of(&base, &new, &usual).verdict, RL_SLOWER);
    new.sm_clock_hz = rl_value_of(0); /* of no clock */
    assert_int_equal(rl_change_of(&base, &new, &usual).verdict, RL_SLOWER);
}

static void too_few_samples_say_how_many(void **state)
{
    (void)state;
    double a[30], b[30];
    struct rl_times base = steady(a, 1e-3), new = steady(b, 2e-3);
    struct rl_verdict_rules many = usual;
    base.n = new.n = 4;
    struct rl_change change = rl_change_of(&base, &new, &usual);
    assert_int_equal(change.doubt, RL_DOUBT_FEW);
    assert_int_equal(change.more_samples, 3); /* 1 - 2^-6 is 98.4 %: 7 samples */
    many.comparisons = 1000;                  /* 1 - 0.05 / 2000: 17 samples */
    base.n = new.n = 16;
    change = rl_change_of(&base, &new, &many);
    assert_int_equal(change.doubt, RL_DOUBT_FEW);
    assert_int_equal(change.more_samples, 1);
    for (int turn = 0; turn < 2; turn++) { /* the fewer of the two lack most */
        base.n = turn ? 5 : 4;
        new.n = turn ? 4 : 5;
        assert_int_equal(rl_change_of(&base, &new, &usual).more_samples, 3);
    }
    base.n = 0;
    assert_int_equal(rl_change_of(&base, &new, &usual).doubt, RL_DOUBT_NO_TIMES);
}

/* 30 times within 0.1 %, and one that took a tenth more: without order it might be the end of a drift. */
static void without_order_the_whole_range_counts(void **state)
{
    (void)state;
    double a[30], b[30];
    struct rl_times base = steady(a, 1e-3), new = steady(b, 1.05e-3);
    struct rl_buf text = RL_BUF_INIT;
    a[17] = 1.1e-3;
    assert_int_equal(rl_change_of(&base, &new, &usual).verdict, RL_SLOWER);
    base.shuffled = true;
    const struct rl_change change = rl_change_of(&base, &new, &usual);
    assert_int_equal(change.verdict, RL_UNDECIDED);
    assert_int_equal(change.doubt, RL_DOUBT_ORDER);
    assert_int_equal(change.more_samples, 0);
    assert_true(change.base.high == 1.1e-3);
    rl_change_doubt_text(&change, &text);
    assert_non_null(strstr(text.data, "order"));
    rl_buf_release(&text);
    for (size_t i = 0; i < 30; i++)
        b[i] = 1.2e-3;
    assert_int_equal(rl_change_of(&base, &new, &usual).verdict, RL_SLOWER); /* beyond the whole range */
}

static void a_regression_is_judged_by_its_interval(void **state)
{
    (void)state;
    const struct rl_change change = change_between(1e-3, 1.06e-3, &usual); /* 1.06 / 1.001 * 0.999 / 1.005: 1.0526 */
    assert_true(rl_change_is_regression(&change, 0.05));
    assert_false(rl_change_is_regression(&change, 0.053));
    const struct rl_change faster = change_between(1e-3, 0.9e-3, &usual);
    assert_false(rl_change_is_regression(&faster, 0));
}

/* The number said is enough: with as many samples of the same kind there is a verdict, with a third of it there is none. */
static void more_samples_would_decide(void **state)
{
    (void)state;
    static double a[20000], b[20000];
    struct random_source source = {77};
    for (size_t i = 0; i < RL_COUNT(a); i++) {
        a[i] = 1 + 0.01 * random_next_normal(&source);
        b[i] = 1.025 + 0.01 * random_next_normal(&source);
    }
    struct rl_times base = {a, 36, 0, rl_value_of(1e9)}, new = {b, 36, 0, rl_value_of(1e9)};
    const struct rl_change few = rl_change_of(&base, &new, &usual);
    assert_int_equal(few.doubt, RL_DOUBT_WIDE);
    assert_in_range(36 + few.more_samples, 60, 2000);
    base.n = new.n = 3 * (36 + few.more_samples);
    assert_int_equal(rl_change_of(&base, &new, &usual).verdict, RL_SLOWER);
}
/* One digit behind the point under 100 %; what rounds to nothing has no sign. */
static void changes_in_words(void **state)
{
    static const struct {
        double ratio;
        const char *text;
    } rows[] = {{1, "0.0 %"},        {1.00049, "0.0 %"}, {1.00051, "+0.1 %"}, {0.99951, "0.0 %"},
                {0.99949, "−0.1 %"}, {1.0003, "0.0 %"},  {1.25, "+25.0 %"},   {0.5, "−50.0 %"},
                {1.9994, "+99.9 %"}, {1.9996, "+100 %"}, {3.004, "+200 %"}};
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_buf text = RL_BUF_INIT;
        rl_ratio_change_text(rows[i].ratio, &text);
        assert_string_equal(text.data, rows[i].text);
        rl_buf_release(&text);
    }
    struct rl_buf text = RL_BUF_INIT;
    rl_ratio_interval_text(&(struct rl_ratio){.present = true, .has_interval = true, .low = 0.98, .high = 1.013}, &text);
    assert_string_equal(text.data, "−2.0 to +1.3 %");
    rl_buf_reset(&text);
    rl_ratio_interval_text(&(struct rl_ratio){.present = true}, &text);
    assert_string_equal(text.data, "–");
    rl_buf_release(&text);
}

static void each_doubt_has_one_sentence(void **state)
{
    static const struct {
        struct rl_change change;
        const char *text;
    } rows[] = {
        {{.doubt = RL_DOUBT_NONE}, ""},
        {{.doubt = RL_DOUBT_NO_TIMES}, "no times in either capture"},
        {{.doubt = RL_DOUBT_NO_TIMES, .new = {.n = 3}}, "no times on one side"},
        {{.doubt = RL_DOUBT_NO_TIMES, .base = {.n = 3}}, "no times on one side"},
        {{.doubt = RL_DOUBT_FEW, .base = {.n = 3, .least = 7}, .new = {.n = 4}},
         "3 and 4 samples are too few for an interval: 7 in each capture would have one"},
        {{.doubt = RL_DOUBT_WIDE, .more_samples = 1}, "about 1 more sample in each capture would decide"},
        {{.doubt = RL_DOUBT_WIDE, .more_samples = 20}, "about 20 more samples in each capture would decide"},
        {{.doubt = RL_DOUBT_EDGE},
         "too close to the smallest effect that matters to be decided from one session on each side: compare several"},
        {{.doubt = RL_DOUBT_SESSIONS},
         "too close to the smallest effect that matters: not even 100 sessions on each side would decide"},
        {{.doubt = RL_DOUBT_SESSIONS, .more_samples = 1}, "about 1 more session on each side would decide"},
        {{.doubt = RL_DOUBT_SESSIONS, .more_samples = 3}, "about 3 more sessions on each side would decide"},
        {{.doubt = RL_DOUBT_CARDS}, "not beyond the difference between two GPUs of one model: measure both on one GPU"},
        {{.doubt = RL_DOUBT_CLOCKS, .clock = {.v = 1.1}},
         "the SM clock was 10\u00a0% higher, and time and clock cycles disagree: capture both at one clock"},
        {{.doubt = RL_DOUBT_ORDER}, "samples without their order may hide a drift: capture again, which records it"},
    };
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_buf text = RL_BUF_INIT;
        rl_change_doubt_text(&rows[i].change, &text);
        assert_string_equal(text.len ? text.data : "", rows[i].text);
        rl_buf_release(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_interval_by_hand),
        cmocka_unit_test(each_verdict_at_its_edge),
        cmocka_unit_test(a_coarse_clock_decides_nothing),
        cmocka_unit_test(a_change_must_hold_in_cycles),
        cmocka_unit_test(too_few_samples_say_how_many),
        cmocka_unit_test(without_order_the_whole_range_counts),
        cmocka_unit_test(a_regression_is_judged_by_its_interval),
        cmocka_unit_test(more_samples_would_decide),
        cmocka_unit_test(changes_in_words),
        cmocka_unit_test(each_doubt_has_one_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
