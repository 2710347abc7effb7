/* Verdicts by sessions: the rates of false and of right ones over thousands of made-up comparisons with fixed seeds.
 * What it prints are the tables of docs/data/verdicts.md; RL_PAIRS=10000 in the environment makes as many pairs a model as those
 * have.
 */
#include "rl_test.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/compare.h"
#include "analysis/sessions.h"
#include "core/mem.h"
#include "fixtures/series.h"

enum { KERNELS = 20, MOST_SESSIONS = 16, LAUNCHES = 60, USUAL_PAIRS = 160 };

static const struct rl_verdict_rules usual = {.confidence = RL_SESSIONS_CONFIDENCE,
                                              .smallest_effect = RL_SESSIONS_SMALLEST_EFFECT,
                                              .margin = RL_MARGIN,
                                              .unchanged = 0.01,
                                              .in_turn = true,
                                              .comparisons = 1};

/* ---- what all kernels of a session share ---- */

/* One of two states, `gap` apart, with the same probability in every session; a drift of so much over all of them; in turn (base,
 * new, new, base or the other way round), or the base first. */
struct together {
    const char *name;
    double gap, drift;
    bool base_first;
};
static const struct together nothing_together = {.name = "nothing"};

static bool is_new(const struct together *together, uint64_t seed, size_t turn, size_t sessions)
{
    return together->base_first ? turn >= sessions : rl_turn_is_new(seed, turn);
}

/* ---- over thousands ---- */

struct rates {
    size_t verdicts[4], pairs;
    size_t without_condition; /* FASTER or SLOWER */
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

/* A session, which the kernels of a comparison share. */
struct shared {
    size_t turn;
    double level;
};

static void share(struct shared (*shared)[MOST_SESSIONS], struct random_source *source, const struct together *together,
                  size_t sessions)
{
    const uint64_t seed = (uint64_t)(random_next(source) * 1e9);
    size_t done[2] = {0};
    for (size_t turn = 0; turn < 2 * sessions + 3; turn++) { /* an odd number ends within an order of four */
        const size_t side = is_new(together, seed, turn, sessions);
        const double drift = together->drift * (double)turn / (double)(2 * sessions);
        const double level = (1 + drift) * (together->gap > 0 && random_next(source) < 0.5 ? 1 + together->gap : 1);
        if (done[side] < sessions)
            shared[side][done[side]++] = (struct shared){turn + 1, level};
    }
}

static void draw(struct drawn *drawn, struct random_source *source, const struct series_model *model, double effect,
                 size_t sessions, struct shared (*shared)[MOST_SESSIONS])
{
    const struct series_kernel kernel = draw_kernel(source, model);
    for (size_t side = 0; side < 2; side++) {
        for (size_t s = 0; s < sessions; s++) {
            const double clock = model->clocks ? 1 + 0.1 * (random_next(source) - 0.5) : 1;
            const double level = (side ? effect : 1) * shared[side][s].level / clock;
            draw_times(source, model, &kernel, level, drawn->seconds[side][s], LAUNCHES);
            drawn->times[side][s] = (struct rl_times){drawn->seconds[side][s], LAUNCHES, model->step_s, rl_value_of(1e9 * clock),
                                                      .turn = shared[side][s].turn};
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
static void compare(struct drawn *drawn, const struct rl_verdict_rules *usual_rules, struct rl_change *changes)
{
    struct compared of = {.drawn = drawn};
    struct rl_verdict_rules rules = *usual_rules;
    rules.comparisons = KERNELS;
    for (size_t k = 0; k < KERNELS; k++)
        of.spreads[k] = rl_sessions_scatter(&drawn[k].sides[0], &drawn[k].sides[1]);
    of.pool = rl_pool_new(of.spreads, KERNELS);
    rl_sessions_decide(&rules, count_decided, &of);
    for (size_t k = 0; k < KERNELS; k++)
        changes[k] = change_of(&of, k, &rules);
    rl_pool_free(of.pool);
}

/* Verdicts on pairs of sides of `sessions` each, KERNELS kernels a comparison, whose new side takes `effect` times as long. */
static struct rates try_together(const struct series_model *model, const struct together *together, double effect, size_t sessions,
                                 size_t pairs, uint64_t seed)
{
    static struct drawn drawn[KERNELS];
    struct random_source source = {seed};
    struct rl_change changes[KERNELS];
    struct rates rates = {.pairs = pairs};
    struct rl_verdict_rules rules = usual;
    rules.in_turn = !together->base_first;
    for (size_t done = 0; done < pairs; done += KERNELS) {
        struct shared shared[2][MOST_SESSIONS];
        share(shared, &source, together, sessions);
        for (size_t k = 0; k < KERNELS; k++)
            draw(&drawn[k], &source, model, effect, sessions, shared);
        compare(drawn, &rules, changes);
        for (size_t k = 0; k < KERNELS; k++) {
            const bool is_change = changes[k].verdict == RL_FASTER || changes[k].verdict == RL_SLOWER;
            rates.verdicts[changes[k].verdict]++;
            rates.without_condition += is_change && changes[k].condition == 0;
        }
    }
    return rates;
}

static struct rates try_model(const struct series_model *model, double effect, size_t sessions, size_t pairs, uint64_t seed)
{
    return try_together(model, &nothing_together, effect, sessions, pairs, seed);
}

/* One look at the first `sessions` of each side; marks kernels that seem faster or slower. */
static void look_at(struct drawn *drawn, size_t sessions, const struct rl_verdict_rules *rules, bool *was_wrong)
{
    struct rl_change changes[KERNELS];
    for (size_t k = 0; k < KERNELS; k++)
        drawn[k].sides[0].count = drawn[k].sides[1].count = sessions;
    compare(drawn, rules, changes);
    for (size_t k = 0; k < KERNELS; k++)
        was_wrong[k] |= changes[k].verdict == RL_FASTER || changes[k].verdict == RL_SLOWER;
}

/* Of kernels of unchanged code, which look false at any look while sessions are still measured: no rule to stop can do worse. */
static double wrong_at_any_look(const struct series_model *model, size_t pairs, uint64_t seed)
{
    static struct drawn drawn[KERNELS];
    struct random_source source = {seed};
    size_t wrong_ones = 0;
    for (size_t done = 0; done < pairs; done += KERNELS) {
        bool was_wrong[KERNELS] = {false};
        struct shared shared[2][MOST_SESSIONS];
        share(shared, &source, &nothing_together, MOST_SESSIONS);
        for (size_t k = 0; k < KERNELS; k++)
            draw(&drawn[k], &source, model, 1, MOST_SESSIONS, shared);
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
    static const size_t numbers[] = {2, 3, 5, 8};
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

/* All kernels of a session share its state, or sessions drift: verdicts of few sessions hold under their condition, which none of
 * these meet; those without one hold. */
static void what_kernels_share_is_no_change(void **state)
{
    (void)state;
    static const struct together all[] = {
        {.name = "shared states, 3 %", .gap = 0.03}, {.name = "the same, base first", .gap = 0.03, .base_first = true},
        {.name = "drift of 2 %", .drift = 0.02},     {.name = "the same, base first", .drift = 0.02, .base_first = true},
        {.name = "drift of 6 %", .drift = 0.06},     {.name = "states and drift", .gap = 0.03, .drift = 0.06}};
    static const size_t numbers[] = {2, 3, 5, 10};
    const size_t pairs = pairs_wanted() * 4; /* kernels of a comparison err together */
    printf("\n%-22s %8s %8s %10s %20s %8s\n", "A/A, together", "sessions", "pairs", "false %", "without condition %", "SAME %");
    for (size_t i = 0; i < RL_COUNT(all); i++)
        for (size_t n = 0; n < RL_COUNT(numbers); n++) {
            const struct rates rates = try_together(&series_suite_model, &all[i], 1, numbers[n], pairs, 300 + 10 * i + n);
            const double alone = 100.0 * (double)rates.without_condition / (double)pairs;
            printf("%-22s %8zu %8zu %10.2f %20.2f %8.1f\n", all[i].name, numbers[n], pairs, wrong(&rates), alone,
                   percent(&rates, RL_SAME));
            assert_true(alone <= 1);
            if (numbers[n] < RL_SESSIONS_WITHOUT_CONDITION || all[i].base_first)
                assert_int_equal(rates.without_condition, 0);
            assert_true(all[i].gap > 0 || wrong(&rates) <= 1);
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
    } rows[] = {{&series_suite_model, 8, 1, 95},    {&series_suite_model, 8, 1.01, 90},  {&series_suite_model, 8, 1.02, 99},
                {&series_suite_model, 3, 1, 0},     {&series_suite_model, 3, 1.01, 0},   {&series_suite_model, 3, 1.02, 90},
                {&series_clock_model, 8, 1, 0},     {&series_clock_model, 8, 1.01, 0},   {&series_clock_model, 8, 1.02, 99},
                {&series_clock_model, 3, 1, 0},     {&series_clock_model, 3, 1.02, 0},   {&series_suite_model, 5, 1.02, 95},
                {&series_short_model, 10, 1, 0},    {&series_short_model, 10, 1.02, 95}, {&series_locked_model, 10, 1, 0},
                {&series_locked_model, 10, 1.02, 0}};
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
        cmocka_unit_test(what_kernels_share_is_no_change),
        cmocka_unit_test(looking_again_is_not_wrong_more_often),
        cmocka_unit_test(what_sessions_decide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
