/* Sessions of several days, hosts and cards: by hand, and the rates of false verdicts over thousands of made-up comparisons.
 * RL_PAIRS=10000 in the environment makes as many pairs a line as docs/data/verdicts.md has. */
#include "rl_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/sessions.h"
#include "core/mem.h"
#include "fixtures/random.h"
#include "fixtures/sides.h"

enum { KERNELS = 20, DAYS = 6, SESSIONS = 4, MOST = DAYS * SESSIONS, TIMES = 8, USUAL_PAIRS = 400 };

static const struct rl_verdict_rules usual = {
    .confidence = RL_SESSIONS_CONFIDENCE, .smallest_effect = RL_SESSIONS_SMALLEST_EFFECT, .margin = RL_MARGIN, .comparisons = 1};

/* Sessions of one side whose times are all their medians. */
struct side {
    double seconds[MOST][TIMES];
    struct rl_times times[MOST];
    struct rl_sessions sessions;
};

static void add(struct side *side, size_t block, double y)
{
    const size_t s = side->sessions.count++;
    for (size_t i = 0; i < TIMES; i++)
        side->seconds[s][i] = exp(y);
    side->times[s] = (struct rl_times){.seconds = side->seconds[s], .n = TIMES, .sm_clock_hz = rl_value_of(1e9), .block = block};
    side->sessions.times = side->times;
}

static struct rl_change judge(const struct side *base, const struct side *new, const struct rl_verdict_rules *rules)
{
    const struct rl_scatter own = rl_sessions_scatter(&base->sessions, &new->sessions);
    const struct rl_like like = {.variance = own.variance, .freedom = own.freedom};
    return rl_change_of_sessions(&base->sessions, &new->sessions, &like, rules);
}

/* ---- by hand ---- */

/* Two days that are 10 % apart, two sessions a side on each, 2 a apart: the days cancel. Each pair of sessions has 2 a^2; of eight
 * sessions two days and the change are known. */
static void what_days_share_cancels(void **state)
{
    (void)state;
    const double a = 0.0005, b = 0.02, day = 0.1;
    struct side base = {0}, new = {0};
    for (size_t d = 0; d < 2; d++)
        for (size_t s = 0; s < 2; s++) {
            add(&base, d, day * (double)d + 2 * a * (double)s);
            add(&new, d, b + day * (double)d + 2 * a * (double)s);
        }
    const struct rl_scatter scatter = rl_sessions_scatter(&base.sessions, &new.sessions);
    assert_close(scatter.freedom, 5, 1e-12);
    assert_close(scatter.variance, 4 * 2 * a * a / 5, 1e-9);
    const struct rl_change change = judge(&base, &new, &usual);
    assert_close(change.time.estimate, exp(b), 1e-9);
    assert_int_equal(change.verdict, RL_SLOWER);
}

/* Days of unlike size: n m / (n + m) is 1/2 and 2/3, so that changes of 0.01 and 0.04 are 0.0271429 together, and their squares of
 * the distance from it, so weighted, scatter, too. */
static void days_weigh_by_their_sessions(void **state)
{
    (void)state;
    struct side base = {0}, new = {0};
    add(&base, 7, 0), add(&new, 7, 0.01);
    add(&base, 9, 0.5), add(&base, 9, 0.5), add(&new, 9, 0.54);
    const double mean = (0.01 / 2 + 0.04 * 2 / 3) / (0.5 + 2.0 / 3);
    const double squares = pow(0.01 - mean, 2) / 2 + pow(0.04 - mean, 2) * 2 / 3;
    const struct rl_scatter scatter = rl_sessions_scatter(&base.sessions, &new.sessions);
    assert_close(log(judge(&base, &new, &usual).time.estimate), mean, 1e-9);
    assert_close(scatter.freedom, 2, 1e-12);
    assert_close(scatter.variance, squares / 2, 1e-9);
}

/* Days of one side only are counted, however many sessions they have. */
static void days_that_are_not_shared_count_once(void **state)
{
    (void)state;
    const double levels[] = {0, 0.002, 0.004};
    for (size_t sessions = 1; sessions <= SESSIONS; sessions++) {
        struct side base = {0}, new = {0};
        for (size_t d = 0; d < 3; d++)
            for (size_t s = 0; s < sessions; s++) {
                add(&base, d, levels[d]);
                add(&new, 3 + d, 0.05 + levels[d]);
            }
        const struct rl_scatter scatter = rl_sessions_scatter(&base.sessions, &new.sessions);
        assert_close(scatter.freedom, 4, 1e-12);
        assert_close(scatter.variance, 0.002 * 0.002, 1e-9);
        assert_close(log(judge(&base, &new, &usual).time.estimate), 0.05, 1e-9);
    }
}

/* One day each: sessions agree to the last digit, and yet 0.9 % is not known to be the code's. */
static void one_day_on_each_side_decides_little(void **state)
{
    (void)state;
    static const struct {
        double change;
        size_t day_of_new;
        enum rl_verdict verdict;
        enum rl_doubt doubt;
    } rows[] = {{0.009, 0, RL_SLOWER, RL_DOUBT_NONE},
                {0.009, 1, RL_UNDECIDED, RL_DOUBT_BLOCKS},
                {0.02, 1, RL_SLOWER, RL_DOUBT_NONE},
                {0.002, 1, RL_SAME, RL_DOUBT_NONE}};
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct side base = {0}, new = {0};
        for (size_t s = 0; s < SESSIONS; s++) {
            add(&base, 0, 0);
            add(&new, rows[i].day_of_new, rows[i].change);
        }
        const struct rl_change change = judge(&base, &new, &usual);
        assert_int_equal(change.verdict, rows[i].verdict);
        assert_int_equal(change.doubt, rows[i].doubt);
    }
}

/* What cards differ is not allowed for where each card has both sides, or where several on each side show it. */
static void cards_that_both_sides_have_cancel(void **state)
{
    (void)state;
    struct rl_verdict_rules rules = usual;
    rules.session_effect = RL_UNIT_EFFECT;
    for (size_t known = 0; known < 2; known++)
        for (size_t apart = 0; apart < 2; apart++)
            for (size_t cards = 2; cards <= 3; cards++) {
                struct side base = {0}, new = {0};
                rules.blocks_of_cards = known;
                for (size_t i = 0; i < cards * SESSIONS; i++) {
                    add(&base, i / SESSIONS, 0);
                    add(&new, i / SESSIONS + apart * cards, 0.02);
                }
                const bool decided = known && (!apart || cards == RL_BLOCKS_ENOUGH);
                assert_int_equal(judge(&base, &new, &rules).verdict, decided ? RL_SLOWER : RL_UNDECIDED);
            }
}

/* ---- through captures ---- */

/* Days, by when sessions began: a pause of six hours parts them, midnight does not. */
static void a_pause_parts_days(void **state)
{
    (void)state;
    static const struct {
        const char *started[4]; /* base, new, base, new */
        const char *last_host;
        enum rl_design design;
        size_t counted[2];
    } rows[] = {
        {{"2026-01-01T23:00:00Z", "2026-01-01T23:30:00Z", "2026-01-02T00:10:00Z", "2026-01-02T01:00:00Z"},
         "h",
         RL_DESIGN_ONE,
         {2, 2}},
        {{"2026-01-01T10:00:00Z", "2026-01-01T11:00:00Z", "2026-01-02T10:00:00Z", "2026-01-02T11:00:00Z"},
         "h",
         RL_DESIGN_SHARED,
         {2, 2}},
        {{"2026-01-01T10:00:00Z", "2026-01-02T10:00:00Z", "2026-01-01T11:00:00Z", "2026-01-02T11:00:00Z"},
         "h",
         RL_DESIGN_APART,
         {2, 2}},
        {{"2026-01-01T10:00:00Z", "2026-01-02T10:00:00Z", "2026-01-03T11:00:00Z", "2026-01-04T11:00:00Z"},
         "h",
         RL_DESIGN_COUNTED,
         {2, 2}},
        {{"2026-01-01T10:00:00Z", "2026-01-01T10:10:00Z", "2026-01-01T10:20:00Z", "2026-01-01T10:30:00Z"},
         "g",
         RL_DESIGN_COUNTED,
         {1, 2}},
        {{"", "", "", ""}, "h", RL_DESIGN_ONE, {2, 2}},
    };
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct sides sides = sides_new(), further = sides_new();
        struct rl_capture *const captures[] = {sides.capture[0], sides.capture[1], further.capture[0], further.capture[1]};
        for (size_t c = 0; c < RL_COUNT(captures); c++) {
            sides_add(c < 2 ? &sides : &further, c % 2, "a(int)", 10, NULL, 1000000 + 100 * c);
            captures[c]->session.started = rl_capture_text(captures[c], rows[i].started[c]);
            captures[c]->session.host = rl_capture_text(captures[c], c == 3 ? rows[i].last_host : "h");
            captures[c]->gpus[0].uuid = rl_capture_text(captures[c], "GPU-1");
        }
        struct rl_analysis *analyses[] = {rl_analysis_new(further.capture[0]), rl_analysis_new(further.capture[1])};
        const struct rl_compare_session a = {analyses[0], "c"}, b = {analyses[1], "d"};
        const struct rl_compare_options options = {.base_name = "a", .new_name = "b", .more = {&a, &b}, .more_count = {1, 1}};
        assert_int_equal(sides_compare_with(&sides, &options, NULL), RL_OK);
        assert_int_equal(sides.comparison->design, rows[i].design);
        assert_int_equal(sides.comparison->counted[0], rows[i].counted[0]);
        assert_int_equal(sides.comparison->counted[1], rows[i].counted[1]);
        for (size_t k = 0; k < 2; k++)
            rl_analysis_free(analyses[k]);
        sides_free(&further);
        sides_free(&sides);
    }
}

/* Of one card 0.5 % is allowed for what days differ, and a note says so; of two cards it is 3 %, and no note says anything else. */
static void notes_say_what_is_allowed_for(void **state)
{
    (void)state;
    for (size_t cards = 1; cards <= 2; cards++) {
        struct sides sides = sides_new(), further = sides_new();
        struct rl_capture *const captures[] = {sides.capture[0], sides.capture[1], further.capture[0], further.capture[1]};
        for (size_t c = 0; c < RL_COUNT(captures); c++) {
            sides_add(c < 2 ? &sides : &further, c % 2, "a(int)", 10, NULL, 1000000 + 100 * c);
            captures[c]->session.started = rl_capture_text(captures[c], c % 2 ? "2026-01-02T10:00:00Z" : "2026-01-01T10:00:00Z");
            captures[c]->gpus[0].uuid = rl_capture_text(captures[c], c % 2 && cards == 2 ? "GPU-2" : "GPU-1");
        }
        struct rl_analysis *analyses[] = {rl_analysis_new(further.capture[0]), rl_analysis_new(further.capture[1])};
        const struct rl_compare_session a = {analyses[0], "c"}, b = {analyses[1], "d"};
        const struct rl_compare_options options = {.base_name = "a", .new_name = "b", .more = {&a, &b}, .more_count = {1, 1}};
        assert_int_equal(sides_compare_with(&sides, &options, NULL), RL_OK);
        assert_int_equal(sides.comparison->design, RL_DESIGN_APART);
        size_t half = 0, three = 0;
        for (size_t i = 0; i < sides.comparison->note_count; i++) {
            half += strstr(sides.comparison->notes[i], "0.5 %") != NULL;
            three += strstr(sides.comparison->notes[i], "3 %") != NULL;
        }
        assert_int_equal(half, cards == 1);
        assert_int_equal(three, cards == 2);
        for (size_t k = 0; k < 2; k++)
            rl_analysis_free(analyses[k]);
        sides_free(&further);
        sides_free(&sides);
    }
}

/* ---- over thousands ---- */

/* Kernels that are compared together. */
struct compared {
    const struct side *base, *new;
    const struct rl_scatter *scatters;
    const struct rl_pool *pool;
};

static enum rl_verdict verdict_of(const struct compared *of, size_t kernel, const struct rl_verdict_rules *rules)
{
    const struct rl_like like = rl_pool_at(of->pool, 0, of->scatters[kernel].length_s);
    return rl_change_of_sessions(&of->base[kernel].sessions, &of->new[kernel].sessions, &like, rules).verdict;
}

static size_t count_decided(void *context, const struct rl_verdict_rules *rules)
{
    size_t count = 0;
    for (size_t k = 0; k < KERNELS; k++)
        count += verdict_of(context, k, rules) != RL_UNDECIDED;
    return count;
}

/* Kernels of a comparison, all on the same days; sessions scatter by 0.08 % around the level of their day. */
static size_t count_false(struct random_source *source, double day_spread, size_t days, bool shared, size_t *same)
{
    static struct side base[KERNELS], new[KERNELS];
    struct rl_scatter scatters[KERNELS];
    struct rl_verdict_rules rules = usual;
    size_t wrong = 0;
    rules.comparisons = KERNELS;
    for (size_t k = 0; k < KERNELS; k++) {
        struct side *const sides[] = {&base[k], &new[k]};
        sides[0]->sessions.count = sides[1]->sessions.count = 0;
        for (size_t d = 0; d < days; d++) {
            const double levels[] = {day_spread * random_next_normal(source), day_spread * random_next_normal(source)};
            for (size_t s = 0; s < 2 * SESSIONS; s++)
                add(sides[s % 2], shared ? d : 2 * d + s % 2, levels[shared ? 0 : s % 2] + 0.0008 * random_next_normal(source));
        }
        scatters[k] = rl_sessions_scatter(&base[k].sessions, &new[k].sessions);
    }
    struct rl_pool *pool = rl_pool_new(scatters, KERNELS);
    struct compared compared = {base, new, scatters, pool};
    rl_sessions_decide(&rules, count_decided, &compared);
    for (size_t k = 0; k < KERNELS; k++) {
        const enum rl_verdict verdict = verdict_of(&compared, k, &rules);
        wrong += verdict == RL_FASTER || verdict == RL_SLOWER;
        *same += verdict == RL_SAME;
    }
    rl_pool_free(pool);
    return wrong;
}

static void days_hardly_ever_pass_for_changes(void **state)
{
    (void)state;
    static const struct {
        double spread;
        size_t days;
        bool shared;
        double least_same; /* in percent */
    } rows[] = {{0.005, 3, true, 95}, {0.005, 6, true, 95}, {0.005, 2, false, 0}, {0.005, 3, false, 0},
                {0.005, 6, false, 0}, {0.002, 1, false, 0}, {0.002, 6, false, 95}};
    const char *wanted = getenv("RL_PAIRS");
    const size_t pairs = wanted ? strtoul(wanted, NULL, 10) / KERNELS * KERNELS : USUAL_PAIRS;
    printf("\n%8s %6s %8s %10s %8s\n", "days", "each", "differ %", "false %", "SAME %");
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct random_source source = {11 + i};
        size_t wrong = 0, same = 0;
        for (size_t done = 0; done < pairs; done += KERNELS)
            wrong += count_false(&source, rows[i].spread, rows[i].days, rows[i].shared, &same);
        const double false_percent = 100.0 * (double)wrong / (double)pairs, same_percent = 100.0 * (double)same / (double)pairs;
        printf("%8s %6zu %8.1f %10.2f %8.1f\n", rows[i].shared ? "shared" : "apart", rows[i].days, 100 * rows[i].spread,
               false_percent, same_percent);
        assert_true(false_percent <= 1);
        assert_true(same_percent >= rows[i].least_same);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_days_share_cancels),
        cmocka_unit_test(days_weigh_by_their_sessions),
        cmocka_unit_test(days_that_are_not_shared_count_once),
        cmocka_unit_test(one_day_on_each_side_decides_little),
        cmocka_unit_test(cards_that_both_sides_have_cancel),
        cmocka_unit_test(a_pause_parts_days),
        cmocka_unit_test(notes_say_what_is_allowed_for),
        cmocka_unit_test(days_hardly_ever_pass_for_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
