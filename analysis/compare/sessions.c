#include "analysis/sessions.h"

#include "analysis/robust.h"
#include "compare_internal.h"

/* ---- one side ---- */

/* A kernel in the sessions of one side. */
struct side {
    size_t sessions, samples;
    double mean;      /* of ln(level) */
    double step_s;    /* of the coarsest clock, where steps are not averaged out */
    bool between;     /* launches of a short kernel lie on several steps of the clock */
    double clock;     /* mean of the SM clocks; NAN: unknown of all */
    double low, high; /* smallest and largest median */
    size_t least;     /* samples for an interval */
};

/* Variance of ln(median) by its interval of 95 %; 0 without one. */
static double variance_of(const struct rl_median *median)
{
    const double sigmas = 2 * 1.959964;
    if (!median->has_interval || median->low <= 0)
        return 0;
    const double width = log(median->high / median->low) / sigmas;
    return width * width;
}

/* A clock with steps of this part of the time and more cannot tell a change that matters by medians, which lie on its steps. */
#define COARSE_STEP 0.002
/* The mean of times no farther than this from the median, in steps; those that are farther count as if they were there. */
enum { STEPS_AWAY = 2 };

/* Levels of short kernels are means: the ends of a launch are cut to the clock's steps at places that differ from launch to launch,
 * so that the mean of many is between them. Whether they lie on several steps goes to `between`. */
static double mean_between_steps(const struct rl_times *times, double median, double *variance, bool *between)
{
    const double room = STEPS_AWAY * times->resolution_s;
    const size_t one_in = 10;
    double mean = 0, squares = 0;
    size_t others = 0;
    for (size_t i = 0; i < times->n; i++) {
        const double time = fmin(fmax(times->seconds[i], median - room), median + room), before = time - mean;
        mean += before / (double)(i + 1);
        squares += before * (time - mean);
        others += fabs(times->seconds[i] - median) > times->resolution_s / 2;
    }
    *between |= others * one_in >= times->n;
    *variance = times->n > 1 ? squares / (double)(times->n - 1) / (double)times->n / (mean * mean) : 0;
    return mean;
}

/* Whether it counts: its level into `level`. */
static bool add_session(struct side *side, const struct rl_times *times, struct rl_session_level *level)
{
    const struct rl_median median = rl_median_of(times->seconds, times->n, 0.95);
    if (times->n == 0 || median.median <= 0)
        return false;
    *level = (struct rl_session_level){
        .block = times->block, .turn = times->turn, .y = log(median.median), .within = variance_of(&median)};
    if (times->resolution_s > COARSE_STEP * median.median && times->resolution_s < median.median / (2 * STEPS_AWAY))
        level->y = log(mean_between_steps(times, median.median, &level->within, &side->between));
    side->low = side->sessions ? fmin(side->low, median.median) : median.median;
    side->high = fmax(side->high, median.median);
    side->sessions++;
    side->samples += times->n;
    side->mean += (level->y - side->mean) / (double)side->sessions;
    side->step_s = fmax(side->step_s, times->resolution_s);
    const double clock = rl_positive(times->sm_clock_hz) ? times->sm_clock_hz.v : NAN;
    side->clock += (clock - side->clock) / (double)side->sessions;
    side->least = median.least;
    return true;
}

/* Both sides, and what they say together where each has sessions. */
struct both {
    struct side sides[2];
    struct rl_session_blocks blocks;
};

static struct both both_of(const struct rl_sessions *base, const struct rl_sessions *new)
{
    const struct rl_sessions *const of[] = {base, new};
    RL_FREED struct rl_session_level *levels = rl_calloc(base->count + new->count, sizeof *levels);
    struct both both = {0};
    size_t count = 0;
    for (int s = 0; s < 2; s++)
        for (size_t i = 0; i < of[s]->count; i++)
            if (add_session(&both.sides[s], &of[s]->times[i], &levels[count]))
                levels[count++].side = s;
    for (size_t s = 0; s < 2; s++)
        both.sides[s].step_s *= !both.sides[s].between;
    if (both.sides[0].sessions && both.sides[1].sessions)
        both.blocks = rl_session_blocks_of(levels, count);
    return both;
}

static struct rl_scatter scatter_of(const struct both *both)
{
    const struct side *base = &both->sides[0], *new = &both->sides[1];
    struct rl_scatter scatter = {.freedom = both->blocks.freedom};
    if (scatter.freedom > 0)
        scatter.variance = both->blocks.squares / scatter.freedom;
    if (base->sessions || new->sessions)
        scatter.length_s = exp(base->sessions ? base->mean : new->mean);
    return scatter;
}

struct rl_scatter rl_sessions_scatter(const struct rl_sessions *base, const struct rl_sessions *new)
{
    const struct both both = both_of(base, new);
    return scatter_of(&both);
}

/* ---- the verdict ---- */

static struct rl_median median_of(const struct side *side)
{
    return (struct rl_median){.n = side->samples,
                              .median = exp(side->mean),
                              .dependence = 1,
                              .has_interval = true,
                              .low = side->low,
                              .high = side->high,
                              .least = side->least};
}

void rl_sessions_decide(struct rl_verdict_rules *rules, size_t (*count)(void *context, const struct rl_verdict_rules *rules),
                        void *context)
{
    enum { MOST_TURNS = 12 };
    size_t found = rules->comparisons, turns = 0;
    do {
        rules->decided = found;
        found = count(context, rules); /* fewer at a stricter level: from all of them down to the first that stays */
    } while (found < rules->decided && found > RL_SESSIONS_DECIDED && ++turns < MOST_TURNS);
    if (found < rules->decided || found <= RL_SESSIONS_DECIDED)
        rules->decided = 0;
}

const char *rl_rules_over(const struct rl_verdict_rules *rules)
{
    const bool one = rules->comparisons == 1;
    return rules->of_cases ? one ? "case" : "cases" : one ? "kernel" : "kernels";
}

void rl_sessions_hold_text(const struct rl_verdict_rules *rules, struct rl_buf *out)
{
    const double level = (1 - rules->confidence) / (rules->decided ? RL_SESSIONS_DECIDED : 1);
    const char *const kernels = rl_rules_over(rules);
    if (rules->decided)
        rl_buf_addf(
            out,
            "by which on average no more than %.0f\u00a0%% of the %zu verdicts are wrong (Benjamini and Yekutieli 2005, over "
            "%zu %s)",
            100 * level, rules->decided, rules->comparisons, kernels);
    else
        rl_buf_addf(out, "that hold together with %.0f\u00a0%% (Bonferroni over %zu %s)", 100 * (1 - level), rules->comparisons,
                    kernels);
}

double rl_look_share(size_t look)
{
    return look ? (double)look * (double)(look + 1) : 1;
}

double rl_confidence_of_ways(double ways)
{
    return ways >= RL_SESSIONS_WAYS ? RL_SESSIONS_CONFIDENCE : RL_FEW_SESSIONS_CONFIDENCE;
}

bool rl_blocks_have_cards(const struct rl_verdict_rules *rules, enum rl_design design, const size_t *counted)
{
    const bool enough = design == RL_DESIGN_COUNTED && counted[0] >= RL_BLOCKS_ENOUGH && counted[1] >= RL_BLOCKS_ENOUGH;
    return rules->blocks_of_cards && (design == RL_DESIGN_SHARED || enough);
}

/* Further allowances: what GPUs differ, unless that cancels or is counted, or what blocks differ where nothing tells. */
static double allowance_of(const struct both *both, const struct rl_verdict_rules *rules)
{
    const enum rl_design design = both->blocks.design;
    if (rl_blocks_have_cards(rules, design, both->blocks.counted))
        return 0;
    return design == RL_DESIGN_APART ? fmax(rules->session_effect, RL_SESSION_EFFECT) : rules->session_effect;
}

/* Half of the width of the interval of ln(ratio), without the clocks' steps. */
static double reach_of(const struct both *both, const struct rl_like *like, const struct rl_verdict_rules *rules)
{
    /* The interval is made from the variance of what scatters, and how well it is known. */
    const struct rl_scatter own = scatter_of(both);
    struct rl_scatter scatter = own;
    if (both->blocks.ways >= RL_SESSIONS_WAYS) {
        scatter.freedom = own.freedom + like->prior_freedom;
        scatter.variance = (own.freedom * own.variance + like->prior_freedom * like->prior) / scatter.freedom;
    } else {
        scatter.freedom = fmax(like->freedom, own.freedom);
        scatter.variance = fmax(own.variance, like->variance);
    }
    scatter.variance = fmax(scatter.variance, fmax(both->blocks.within, RL_SESSION_FLOOR * RL_SESSION_FLOOR));
    const bool many = both->blocks.ways >= RL_SESSIONS_WAYS && rules->decided > 0;
    const double kernels = (double)rules->comparisons / (many ? (double)rules->decided / RL_SESSIONS_DECIDED : 1);
    const double shares = kernels * rl_look_share(rules->look);
    const double limit = rl_robust_limit(1 - rl_confidence_of_ways(both->blocks.ways), shares, scatter.freedom);
    return log1p(allowance_of(both, rules)) + limit * sqrt(scatter.variance / both->blocks.weight) +
           (rules->in_turn ? 0 : fabs(both->blocks.trend));
}

static struct rl_ratio ratio_of(const struct both *both, double reach)
{
    const struct side *base = &both->sides[0], *new = &both->sides[1];
    const double estimate = exp(both->blocks.difference);
    const double steps = base->step_s / 2 / exp(base->mean) + new->step_s / 2 / exp(new->mean);
    return (struct rl_ratio){.present = true,
                             .has_interval = true,
                             .estimate = estimate,
                             .low = estimate * exp(-reach - steps),
                             .high = estimate * exp(reach + steps)};
}

/* A verdict by ranks, of sides that took turns, asks nothing of what sessions depend on. */
#define RANK_LEVEL 0.01

/* A change that is not beyond what sessions of unchanged code differ is no verdict where only that could explain it otherwise. */
static void find_condition(struct rl_change *change, const struct both *both, const struct rl_verdict_rules *rules)
{
    const enum rl_design design = both->blocks.design;
    const bool in_turn =
        rules->in_turn && both->blocks.ways >= RL_SESSIONS_WAYS && (design == RL_DESIGN_ONE || design == RL_DESIGN_SHARED);
    const bool is_change = change->verdict == RL_FASTER || change->verdict == RL_SLOWER;
    if (in_turn && (!is_change || both->blocks.rank_level * rl_look_share(rules->look) <= RANK_LEVEL))
        return;
    change->condition = fmax(rules->unchanged, allowance_of(both, rules));
    const double sigmas = 3, of_samples = sigmas * sqrt(both->blocks.within / both->blocks.weight);
    if (!is_change || fabs(log(change->time.estimate)) - of_samples > log1p(change->condition) || change->condition == 0)
        return;
    change->verdict = RL_UNDECIDED;
    change->doubt = in_turn ? RL_DOUBT_SESSIONS : RL_DOUBT_UNCHANGED;
    change->more_samples = in_turn ? both->sides[0].sessions : 0;
}

struct rl_change rl_change_of_sessions(const struct rl_sessions *base, const struct rl_sessions *new, const struct rl_like *like,
                                       const struct rl_verdict_rules *rules)
{
    assert(rules->comparisons > 0 && rules->smallest_effect > 0 && rules->smallest_effect < 1 && rules->margin > 0);
    const struct both both = both_of(base, new);
    const struct side *a = &both.sides[0], *b = &both.sides[1];
    struct rl_change change = {.verdict = RL_UNDECIDED, .clock = rl_value_missing(RL_NOT_COLLECTED, "no clock")};
    if (a->sessions == 0 || b->sessions == 0) {
        change.doubt = RL_DOUBT_NO_TIMES;
        change.base.n = a->samples;
        change.new.n = b->samples;
        return change;
    }
    change.base = median_of(a);
    change.new = median_of(b);
    if (!isnan(a->clock) && !isnan(b->clock))
        change.clock = rl_value_of(b->clock / a->clock);
    const bool known = like->freedom > 0;
    const double reach = known ? reach_of(&both, like, rules) : 0;
    change.time = ratio_of(&both, reach);
    change.time.has_interval = known;
    if (!known) {
        change.doubt = RL_DOUBT_FEW;
        return change;
    }
    rl_change_judge(&change, rules);
    find_condition(&change, &both, rules);
    if (change.verdict == RL_UNDECIDED && change.doubt == RL_DOUBT_NONE) {
        /* More sessions, or blocks, shrink the part of the interval that is theirs with their square root; the clock's step stays.
         */
        const double room = rl_change_room(&change, rules) - (log(change.time.high / change.time.low) / 2 - reach);
        const size_t *counted = both.blocks.counted, n = counted[0] < counted[1] ? counted[0] : counted[1];
        const double wanted = (double)n * pow(reach / room, 2);
        const bool of_blocks = both.blocks.design == RL_DESIGN_COUNTED || both.blocks.design == RL_DESIGN_APART;
        change.doubt = of_blocks ? RL_DOUBT_BLOCKS : RL_DOUBT_SESSIONS;
        if (both.blocks.design != RL_DESIGN_APART && room > 0 && wanted < RL_MOST_SESSIONS_TOLD)
            change.more_samples = wanted > (double)n + 1 ? (size_t)ceil(wanted) - n : 1;
        if (!rules->in_turn && fabs(both.blocks.trend) > reach / 2)
            change.doubt = RL_DOUBT_TREND;
    }
    if (change.verdict == RL_UNDECIDED)
        change.condition = 0;
    return change;
}

/* ---- sides in turn ---- */

enum {
    TURNS = 4,      /* of one order */
    FORESEEN = 100, /* sessions: more_samples is 0 where more would be needed (rl_change_of_sessions) */
};

bool rl_turn_is_new(uint64_t seed, size_t turn)
{
    static const bool orders[][TURNS] = {{false, true, true, false}, {true, false, false, true}};
    /* SplitMix64 (Steele, Lea and Flood, Fast splittable pseudorandom number generators, OOPSLA 2014): draw number `index`. */
    uint64_t index = turn / TURNS;
    uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return orders[(z ^ (z >> 31)) >> 63][turn % TURNS];
}

bool rl_turns_look(size_t sessions)
{
    if (sessions < RL_SESSIONS_ENOUGH)
        return false;
    while (sessions % 2 == 0 && sessions > RL_SESSIONS_ENOUGH + 1)
        sessions /= 2;
    return sessions == RL_SESSIONS_ENOUGH || sessions == RL_SESSIONS_ENOUGH + 1;
}

/* How many sessions an open kernel needs is estimated from the sessions so far, and doubled before it counts. */
static bool is_hopeless(const struct rl_comparison *comparison, const struct rl_pair *pair, size_t most)
{
    const size_t *sessions = comparison->rules.sessions, now = sessions[0] < sessions[1] ? sessions[0] : sessions[1];
    const struct rl_change *change = &pair->change;
    if (!rl_pair_is_open(pair) || change->doubt == RL_DOUBT_FEW)
        return false;
    if (change->doubt != RL_DOUBT_SESSIONS)
        return change->doubt == RL_DOUBT_NO_TIMES;
    return change->more_samples ? now + change->more_samples > 2 * most : 2 * most <= FORESEEN;
}

double rl_comparison_hopeless_share(const struct rl_comparison *comparison, size_t most)
{
    RL_FREED double *weights = rl_calloc(comparison->base.count, sizeof *weights);
    const double all = rl_compare_side_weigh(&comparison->base, weights);
    assert(most > 0);
    return RL_SUM(double, i, comparison->pair_count,
                  is_hopeless(comparison, &comparison->pairs[i], most) ? weights[comparison->pairs[i].base] : 0) /
           all;
}

double rl_comparison_open_share(const struct rl_comparison *comparison)
{
    RL_FREED double *weights = rl_calloc(comparison->base.count, sizeof *weights);
    const double all = rl_compare_side_weigh(&comparison->base, weights);
    double open = 0;
    bool compared = false;
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct rl_pair *pair = &comparison->pairs[i];
        compared |= !pair->not_compared;
        if (rl_pair_is_open(pair))
            open += weights[pair->base];
    }
    assert(open <= all * (1 + 1e-9));
    return compared ? open / all : 1;
}
