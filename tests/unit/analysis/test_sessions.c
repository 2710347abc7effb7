/* Verdicts by sessions: the rates of false and of right ones over thousands of made-up comparisons with fixed seeds.
 * What it prints are the tables of docs/data/verdicts.md; RL_PAIRS=10000 in the environment makes as many pairs a model as those
 * have.
 */
#include "rl_test.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/sessions.h"
#include "analysis/turns.h"
#include "core/mem.h"
#include "fixtures/series.h"

enum { KERNELS = 20, MOST_SESSIONS = 16, LAUNCHES = 60, USUAL_PAIRS = 1000 };

static const struct rl_verdict_rules usual = {
    .confidence = RL_SESSIONS_CONFIDENCE, .smallest_effect = RL_SESSIONS_SMALLEST_EFFECT, .margin = RL_MARGIN, .comparisons = 1};

/* ---- over thousands ---- */

struct rates {
    size_t verdicts[4], pairs;
};

static double percent(const struct rates *rates, enum rl_verdict verdict)
{
    return 100.0 * (double)rates->verdicts[verdict] / (double)rates->pairs;
}

static double wrong(const struct rates *rates)
{
    return percent(rates, RL_FASTER) + percent(rates, RL_SLOWER);
}

/* Sessions of one kernel on both sides. */
struct drawn {
    double seconds[2][MOST_SESSIONS][LAUNCHES];
    struct rl_times times[2][MOST_SESSIONS];
    struct rl_sessions sides[2];
};

static void draw(struct drawn *drawn, struct random_source *source, const struct series_model *model, double effect,
                 size_t sessions)
{
    const struct series_kernel kernel = draw_kernel(source, model);
    for (size_t side = 0; side < 2; side++) {
        for (size_t s = 0; s < sessions; s++) {
            const double clock = model->clocks ? 1 + 0.1 * (random_next(source) - 0.5) : 1;
            draw_times(source, model, &kernel, (side ? effect : 1) / clock, drawn->seconds[side][s], LAUNCHES);
            drawn->times[side][s] = (struct rl_times){drawn->seconds[side][s], LAUNCHES, model->step_s, rl_value_of(1e9 * clock)};
        }
        drawn->sides[side] = (struct rl_sessions){drawn->times[side], sessions};
    }
}

/* Kernels that are compared together, with their scatter. */
struct compared {
    struct drawn *drawn;
    struct rl_scatter spreads[KERNELS];
    struct rl_pool *pool;
};

static struct rl_change change_of(const struct compared *of, size_t kernel, const struct rl_verdict_rules *rules)
{
    const struct rl_like like = rl_pool_at(of->pool, 0, of->spreads[kernel].length_s);
    return rl_change_of_sessions(&of->drawn[kernel].sides[0], &of->drawn[kernel].sides[1], &like, rules);
}

static size_t count_decided(void *context, const struct rl_verdict_rules *rules)
{
    size_t count = 0;
    for (size_t k = 0; k < KERNELS; k++)
        count += change_of(context, k, rules).verdict != RL_UNDECIDED;
    return count;
}

/* The verdicts on all of them, as a comparison gives them. */
static void compare(struct drawn *drawn, const struct rl_verdict_rules *usual_rules, enum rl_verdict *verdicts)
{
    struct compared of = {.drawn = drawn};
    struct rl_verdict_rules rules = *usual_rules;
    rules.comparisons = KERNELS;
    for (size_t k = 0; k < KERNELS; k++)
        of.spreads[k] = rl_sessions_scatter(&drawn[k].sides[0], &drawn[k].sides[1]);
    of.pool = rl_pool_new(of.spreads, KERNELS);
    rl_sessions_decide(&rules, count_decided, &of);
    for (size_t k = 0; k < KERNELS; k++)
        verdicts[k] = change_of(&of, k, &rules).verdict;
    rl_pool_free(of.pool);
}

/* Verdicts on pairs of sides of `sessions` each, KERNELS kernels a comparison, whose new side takes `effect` times as long. */
static struct rates try_model(const struct series_model *model, double effect, size_t sessions, size_t pairs, uint64_t seed)
{
    static struct drawn drawn[KERNELS];
    struct random_source source = {seed};
    enum rl_verdict verdicts[KERNELS];
    struct rates rates = {.pairs = pairs};
    for (size_t done = 0; done < pairs; done += KERNELS) {
        for (size_t k = 0; k < KERNELS; k++)
            draw(&drawn[k], &source, model, effect, sessions);
        compare(drawn, &usual, verdicts);
        for (size_t k = 0; k < KERNELS; k++)
            rates.verdicts[verdicts[k]]++;
    }
    return rates;
}

/* One look at the first `sessions` of each side; marks kernels that seem faster or slower. */
static void look_at(struct drawn *drawn, size_t sessions, const struct rl_verdict_rules *rules, bool *was_wrong)
{
    enum rl_verdict verdicts[KERNELS];
    for (size_t k = 0; k < KERNELS; k++)
        drawn[k].sides[0].count = drawn[k].sides[1].count = sessions;
    compare(drawn, rules, verdicts);
    for (size_t k = 0; k < KERNELS; k++)
        was_wrong[k] |= verdicts[k] == RL_FASTER || verdicts[k] == RL_SLOWER;
}

/* Of kernels of unchanged code, which look false at any look while sessions are still measured: no rule to stop can do worse. */
static double wrong_at_any_look(const struct series_model *model, size_t pairs, uint64_t seed)
{
    static struct drawn drawn[KERNELS];
    struct random_source source = {seed};
    size_t wrong_ones = 0;
    for (size_t done = 0; done < pairs; done += KERNELS) {
        bool was_wrong[KERNELS] = {false};
        for (size_t k = 0; k < KERNELS; k++)
            draw(&drawn[k], &source, model, 1, MOST_SESSIONS);
        struct rl_verdict_rules rules = usual;
        for (size_t sessions = 1; sessions <= MOST_SESSIONS; sessions++)
            if (rl_turns_look(sessions)) {
                rules.look++;
                look_at(drawn, sessions, &rules, was_wrong);
            }
        for (size_t k = 0; k < KERNELS; k++)
            wrong_ones += was_wrong[k];
    }
    return 100.0 * (double)wrong_ones / (double)pairs;
}

static size_t pairs_wanted(void)
{
    const char *wanted = getenv("RL_PAIRS");
    return wanted ? strtoul(wanted, NULL, 10) / KERNELS * KERNELS : USUAL_PAIRS;
}

/* Every model, also those that no single session shows. */
static void unchanged_code_is_hardly_ever_faster_or_slower(void **state)
{
    (void)state;
    static const size_t numbers[] = {2, 3, 8};
    const size_t pairs = pairs_wanted();
    printf("\n%-16s %8s %8s %10s %8s %12s\n", "A/A", "sessions", "pairs", "false %", "SAME %", "UNDECIDED %");
    for (size_t s = 0; s < RL_COUNT(numbers); s++)
        for (size_t m = 0; m < series_model_count + series_session_model_count; m++) {
            const struct series_model *model =
                m < series_model_count ? &series_models[m] : &series_session_models[m - series_model_count];
            const struct rates rates = try_model(model, 1, numbers[s], pairs, 1 + m);
            printf("%-16s %8zu %8zu %10.2f %8.1f %12.1f\n", model->name, numbers[s], pairs, wrong(&rates), percent(&rates, RL_SAME),
                   percent(&rates, RL_UNDECIDED));
            assert_true(wrong(&rates) <= 1);
        }
}

/* 3, 4, 6, 8, 12 and 16 sessions on each side, with a look at each. */
static void looking_again_is_not_wrong_more_often(void **state)
{
    (void)state;
    printf("\n%-16s %12s\n", "A/A, 6 looks", "ever false %");
    for (size_t m = 0; m < series_model_count + series_session_model_count; m++) {
        const struct series_model *model =
            m < series_model_count ? &series_models[m] : &series_session_models[m - series_model_count];
        const double ever = wrong_at_any_look(model, pairs_wanted(), 101 + m);
        printf("%-16s %12.2f\n", model->name, ever);
        assert_true(ever <= 1);
    }
}

/* Kernels that hardly depend on the SM clock, and kernels whose sessions have one of two clocks. */
static void what_sessions_decide(void **state)
{
    (void)state;
    static const struct {
        const struct series_model *model;
        size_t sessions;
        double effect, least;
    } rows[] = {{&series_suite_model, 8, 1, 95}, {&series_suite_model, 8, 1.01, 90}, {&series_suite_model, 8, 1.02, 99},
                {&series_suite_model, 3, 1, 0},  {&series_suite_model, 3, 1.01, 0},  {&series_suite_model, 3, 1.02, 90},
                {&series_clock_model, 8, 1, 0},  {&series_clock_model, 8, 1.01, 0},  {&series_clock_model, 8, 1.02, 99},
                {&series_clock_model, 3, 1, 0},  {&series_clock_model, 3, 1.02, 0}};
    const size_t pairs = pairs_wanted();
    printf("\n%-12s %-8s %8s %8s %10s %8s\n", "model", "right", "sessions", "change", "found %", "false %");
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        const struct rates rates = try_model(rows[i].model, rows[i].effect, rows[i].sessions, pairs, 50 + i);
        const bool same = rows[i].effect == 1;
        const double found = percent(&rates, same ? RL_SAME : RL_SLOWER);
        const double false_ones = same ? wrong(&rates) : percent(&rates, RL_FASTER) + percent(&rates, RL_SAME);
        printf("%-12s %-8s %8zu %8.0f %10.1f %8.2f\n", rows[i].model->name, same ? "SAME" : "SLOWER", rows[i].sessions,
               100 * (rows[i].effect - 1), found, false_ones);
        assert_true(found >= rows[i].least && false_ones <= 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unchanged_code_is_hardly_ever_faster_or_slower),
        cmocka_unit_test(looking_again_is_not_wrong_more_often),
        cmocka_unit_test(what_sessions_decide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
