/* Trends over accepted captures: by hand, and how often they are false or found. */
#include "rl_test.h"

#include <math.h>

#include "analysis/trend.h"
#include "core/mem.h"
#include "fixtures/random.h"

/* ln y = 0, 1, 3, 4 hundredths on days 0 to 3: slope 1.4, rest 0.2 hundredths squared with 2 degrees of freedom; t of 1 %
 * is 9.9248. */
static void the_line_by_hand(void **state)
{
    (void)state;
    const struct rl_trend_point points[] = {{10, exp(0)}, {11, exp(0.01)}, {12, exp(0.03)}, {13, exp(0.04)}};
    const struct rl_trend trend = rl_trend_of(points, 4, 1, 0.01);
    const double error = sqrt(0.2e-4 / 2 / 5);
    assert_close(trend.days, 3, 1e-12);
    assert_close(log(trend.ratio.estimate), 0.042, 1e-9);
    assert_close(trend.ratio.high, exp(0.042 + 9.9248 * error * 3), 1e-6);
    assert_close(trend.ratio.low, exp(0.042 - 9.9248 * error * 3), 1e-6);
    assert_close(trend.per_week, exp(0.098) - 1, 1e-9);
    assert_int_equal(trend.verdict, RL_UNDECIDED);
}

static void too_little_is_no_trend(void **state)
{
    (void)state;
    const struct rl_trend_point points[] = {{0, 1}, {1, 2}, {2, 3}, {2, 4}}, at_once[] = {{1, 1}, {1, 2}, {1, 3}, {1, 4}};
    assert_false(rl_trend_of(points, 3, 1, 0.01).ratio.present);
    assert_true(rl_trend_of(points, 4, 1, 0.01).ratio.present);
    assert_false(rl_trend_of(at_once, 4, 1, 0.01).ratio.present);
    assert_int_equal(rl_trend_of(points, 0, 1, 0.01).count, 0);
}

static void lines_of_blocks(void **state)
{
    (void)state;
    const struct rl_trend_point steps[] = {{0, 7}, {1, 8}, {2, 10}, {3, 14}}, flat[] = {{0, 1}, {1, 1.0001}, {2, 1.002}};
    struct rl_buf line = RL_BUF_INIT;
    rl_trend_sparkline(steps, RL_COUNT(steps), &line);
    assert_string_equal(line.data, "▁▂▄█");
    rl_buf_reset(&line);
    rl_trend_sparkline(flat, RL_COUNT(flat), &line);
    assert_string_equal(line.data, "▁▁▂");
    rl_buf_release(&line);
}

/* Share of kernels, in percent, whose trend over `weeks` of weekly captures has the verdict; sides scatter by 0.08 % / sqrt(3), as
 * three sessions of one card do, and each day has a level of its own besides. */
static double share(double per_week, size_t weeks, double day_level, enum rl_verdict verdict)
{
    enum { PAIRS = 4000, KERNELS = 20 };
    struct random_source source = {42};
    size_t found = 0;
    for (size_t k = 0; k < PAIRS; k++) {
        struct rl_trend_point points[32];
        for (size_t i = 0; i < weeks; i++)
            points[i] = (struct rl_trend_point){7.0 * (double)i,
                                                1e-4 * exp(per_week * (double)i + 0.0008 / sqrt(3) * random_next_normal(&source) +
                                                           day_level * random_next_heavy(&source))};
        found += rl_trend_of(points, weeks, KERNELS, RL_SESSIONS_SMALLEST_EFFECT).verdict == verdict;
    }
    return 100.0 * (double)found / PAIRS;
}

static void half_a_percent_a_week_is_found(void **state)
{
    (void)state;
    static const size_t weeks[] = {4, 6, 8, 12};
    printf("\n%6s %10s %16s %22s\n", "weeks", "false %", "0.5 %/week, %", "with levels of days, %");
    for (size_t i = 0; i < RL_COUNT(weeks); i++) {
        const double wrong = share(0, weeks[i], 0.002, RL_SLOWER) + share(0, weeks[i], 0.002, RL_FASTER);
        const double found = share(0.005, weeks[i], 0, RL_SLOWER), found_on_days = share(0.005, weeks[i], 0.002, RL_SLOWER);
        printf("%6zu %10.2f %16.1f %22.1f\n", weeks[i], wrong, found, found_on_days);
        assert_true(wrong <= 1);
        assert_true(weeks[i] < 8 || found >= 99);
        assert_true(weeks[i] < 12 || found_on_days >= 90);
    }
}

/* Days that differ by nothing but their slope: the interval is the floor of a session's level, 12 points a week apart. */
static void the_verdict_on_both_sides_of_an_effect(void **state)
{
    static const struct {
        double rise; /* of the logarithm, from end to end, in reaches of the interval beside the effect */
        int sign;
        enum rl_verdict verdict;
    } rows[] = {{1.01, 1, RL_SLOWER}, {0.99, 1, RL_UNDECIDED},   {-0.99, 1, RL_UNDECIDED}, {-1.01, 1, RL_SAME},
                {-1.01, -1, RL_SAME}, {-0.99, -1, RL_UNDECIDED}, {0.99, -1, RL_UNDECIDED}, {1.01, -1, RL_FASTER}};
    enum { POINTS = 12 };
    (void)state;
    struct rl_trend_point points[POINTS];
    for (size_t i = 0; i < POINTS; i++)
        points[i] = (struct rl_trend_point){7.0 * (double)i, 1e-4};
    const struct rl_trend still = rl_trend_of(points, POINTS, 1, 0.5);
    const double reach = log(still.ratio.high), effect = 3 * reach;
    assert_true(reach > 0);
    assert_close(reach, -log(still.ratio.low), 1e-9);
    for (size_t row = 0; row < RL_COUNT(rows); row++) {
        const double smallest = rows[row].sign > 0 ? expm1(effect) : -expm1(-effect);
        const double rise = rows[row].sign * (effect + rows[row].rise * reach);
        for (size_t i = 0; i < POINTS; i++)
            points[i].median_s = 1e-4 * exp(rise * (double)i / (POINTS - 1));
        assert_int_equal(rl_trend_of(points, POINTS, 1, smallest).verdict, rows[row].verdict);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_line_by_hand),
        cmocka_unit_test(too_little_is_no_trend),
        cmocka_unit_test(lines_of_blocks),
        cmocka_unit_test(half_a_percent_a_week_is_found),
        cmocka_unit_test(the_verdict_on_both_sides_of_an_effect),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
