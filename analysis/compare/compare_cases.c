/* compare_cases.c - cases of two sides, matched by name and parameters (see cases.h). */
#include "compare_internal.h"

/* A case and its place among those of the same name, which are of several GPUs. */
struct named {
    const struct rl_case *of;
    size_t number;
};

RL_COMPARATOR(by_name, struct named, rl_ascending_text(x->of->name.key, y->of->name.key) ?: rl_ascending(x->of->gpu, y->of->gpu));

RL_COMPARATOR(by_name_and_number, struct named,
              rl_ascending_text(x->of->name.key, y->of->name.key) ?: rl_ascending(x->number, y->number));

/* The cases of a session, by name and number. */
struct session {
    const struct rl_cases *cases;
    struct named *named;
    const struct rl_side_session *of;
};
struct matching {
    const struct rl_comparison *comparison;
    struct rl_case_comparison *made;
    struct session *sessions[2];
    size_t counts[2];
};

static void match(struct matching *matching)
{
    struct rl_case_comparison *made = matching->made;
    const struct named *base = matching->sessions[0]->named, *new = matching->sessions[1]->named;
    const size_t base_count = made->base->count, new_count = made->new->count;
    made->pairs = rl_calloc(base_count, sizeof *made->pairs);
    made->removed = rl_calloc(base_count, sizeof(void *));
    made->added = rl_calloc(new_count, sizeof(void *));
    for (size_t i = 0, j = 0; i < base_count || j < new_count;) {
        const int order = i == base_count ? 1 : j == new_count ? -1 : by_name_and_number(&base[i], &new[j]);
        if (order == 0)
            made->pairs[made->pair_count++] = (struct rl_case_pair){.base = base[i].of, .new = new[j].of, .number = base[i].number};
        else if (order < 0)
            made->removed[made->removed_count++] = base[i].of;
        else
            made->added[made->added_count++] = new[j].of;
        i += order <= 0;
        j += order >= 0;
    }
}

/* Times in a session; none where it lacks the case. The median clock of the GPU goes with them, so that a change of clocks is no
 * verdict. */
static struct rl_times times_in(const struct session *session, const struct rl_case_pair *pair)
{
    const struct named wanted = {pair->base, pair->number};
    const struct named *found =
        session->cases->count ? bsearch(&wanted, session->named, session->cases->count, sizeof wanted, by_name_and_number) : NULL;
    struct rl_times times = {
        .block = session->of->block, .turn = session->of->turn, .sm_clock_hz = rl_value_missing(RL_NOT_COLLECTED, "no clock")};
    if (!found)
        return times;
    times.seconds = found->of->seconds;
    times.n = found->of->n;
    if (found->of->gpu != RL_NONE && session->cases->analysis->gpus[found->of->gpu].sm_clock.n)
        times.sm_clock_hz = rl_value_of(session->cases->analysis->gpus[found->of->gpu].sm_clock.median);
    return times;
}

/* Those of a pair in all sessions of a side, into `times`. */
static struct rl_sessions sessions_of(const struct matching *matching, size_t side, const struct rl_case_pair *pair,
                                      struct rl_times *times)
{
    for (size_t i = 0; i < matching->counts[side]; i++)
        times[i] = times_in(&matching->sessions[side][i], pair);
    return (struct rl_sessions){times, matching->counts[side]};
}

static void judge_all(struct matching *matching, struct rl_verdict_rules *rules)
{
    struct rl_case_comparison *made = matching->made;
    RL_FREED struct rl_times *times = rl_calloc(matching->counts[0] + matching->counts[1], sizeof *times);
    RL_FREED struct rl_scatter *spreads = rl_calloc(made->pair_count, sizeof *spreads);
    const bool by_sessions = rl_verdict_by_sessions(rules);
    for (size_t i = 0; i < made->pair_count && by_sessions; i++) {
        const struct rl_sessions base = sessions_of(matching, 0, &made->pairs[i], times);
        const struct rl_sessions new = sessions_of(matching, 1, &made->pairs[i], &times[matching->counts[0]]);
        spreads[i] = rl_sessions_scatter(&base, &new);
    }
    struct rl_pool *pool = by_sessions ? rl_pool_new(spreads, made->pair_count) : NULL;
    for (size_t i = 0; i < made->pair_count; i++) {
        struct rl_case_pair *pair = &made->pairs[i];
        const struct rl_sessions base = sessions_of(matching, 0, pair, times);
        const struct rl_sessions new = sessions_of(matching, 1, pair, &times[matching->counts[0]]);
        rules->session_effect =
            pair->base->is_benchmark && pair->new->is_benchmark ? RL_SESSION_EFFECT : matching->comparison->rules.session_effect;
        if (by_sessions) {
            const struct rl_like like = rl_pool_at(pool, 0, spreads[i].length_s);
            rules->session_effect *= rules->session_effect > RL_SESSION_EFFECT; /* of one GPU it is measured */
            pair->change = rl_change_of_sessions(&base, &new, &like, rules);
        } else {
            pair->change = rl_change_of(base.times, new.times, rules);
        }
        made->verdicts[pair->change.verdict]++;
    }
    rl_pool_free(pool);
}

static int by_change(const void *a, const void *b)
{
    static const int ranks[] = {[RL_SLOWER] = 0, [RL_FASTER] = 1, [RL_UNDECIDED] = 2, [RL_SAME] = 3};
    const struct rl_case_pair *x = a, *y = b;
    const double p = x->change.time.present ? fabs(x->change.time.estimate - 1) : -1;
    const double q = y->change.time.present ? fabs(y->change.time.estimate - 1) : -1;
    return rl_ascending(ranks[x->change.verdict], ranks[y->change.verdict]) ?: rl_descending(p, q);
}

static struct session session_of(struct rl_cases *cases, const struct rl_side_session *of)
{
    struct named *named = rl_calloc(cases->count, sizeof *named);
    for (size_t i = 0; i < cases->count; i++)
        named[i].of = &cases->at[i];
    rl_sort(named, cases->count, sizeof *named, by_name);
    for (size_t i = 1; i < cases->count; i++)
        named[i].number = rl_ascending_text(named[i].of->name.key, named[i - 1].of->name.key) == 0 ? named[i - 1].number + 1 : 0;
    return (struct session){cases, named, of};
}

/* The geometric mean of the ratios. Its interval is that of the ends, which hold together: wider than independent errors ask for.
 */
static void sum_up(struct rl_case_comparison *made, const struct rl_verdict_rules *rules)
{
    struct rl_ratio *whole = &made->whole;
    double estimate = 0, low = 0, high = 0;
    for (size_t i = 0; i < made->pair_count; i++)
        whole->has_interval |= made->pairs[i].change.time.has_interval && made->pairs[i].change.time.low > 0;
    for (size_t i = 0; i < made->pair_count; i++) {
        const struct rl_ratio *time = &made->pairs[i].change.time;
        if (!time->present || !(time->estimate > 0) || (whole->has_interval && !(time->has_interval && time->low > 0)))
            continue;
        made->whole_of++;
        estimate += log(time->estimate);
        low += whole->has_interval ? log(time->low) : 0;
        high += whole->has_interval ? log(time->high) : 0;
    }
    if (!made->whole_of)
        return;
    const double count = (double)made->whole_of;
    whole->present = true;
    whole->estimate = exp(estimate / count);
    whole->low = exp(low / count);
    whole->high = exp(high / count);
    const enum rl_verdict verdict = whole->has_interval ? rl_verdict_place(whole, rules) : RL_UNDECIDED;
    const bool is_change = verdict == RL_FASTER || verdict == RL_SLOWER; /* is one of some case */
    made->verdict = is_change && made->verdicts[verdict] == 0 ? RL_UNDECIDED : verdict;
}

struct rl_case_comparison *rl_case_comparison_new(const struct rl_comparison *comparison)
{
    const struct rl_compare_side *const sides[] = {&comparison->base, &comparison->new};
    struct rl_case_comparison *made = rl_calloc(1, sizeof *made);
    struct matching matching = {.comparison = comparison, .made = made};
    for (size_t s = 0; s < RL_COUNT(sides); s++) {
        const size_t count = sides[s]->session_count;
        made->sessions[s] = rl_calloc(count, sizeof *made->sessions[s]);
        matching.sessions[s] = rl_calloc(count, sizeof *matching.sessions[s]);
        made->session_counts[s] = matching.counts[s] = count;
        for (size_t i = 0; i < count; i++) {
            made->sessions[s][i] = rl_cases_new(sides[s]->sessions[i].analysis);
            matching.sessions[s][i] = session_of(made->sessions[s][i], &sides[s]->sessions[i]);
        }
    }
    made->base = made->sessions[0][0];
    made->new = made->sessions[1][0];
    match(&matching);
    struct rl_verdict_rules rules = comparison->rules;
    rules.comparisons = rules.decided = 0;
    for (size_t i = 0; i < made->pair_count; i++)
        rules.comparisons += made->pairs[i].base->n > 0 && made->pairs[i].new->n > 0;
    rules.comparisons += rules.comparisons == 0;
    rules.of_cases = true;
    judge_all(&matching, &rules);
    made->comparisons = rules.comparisons;
    sum_up(made, &rules);
    rl_sort(made->pairs, made->pair_count, sizeof *made->pairs, by_change);
    for (size_t s = 0; s < RL_COUNT(sides); s++) {
        for (size_t i = 0; i < matching.counts[s]; i++)
            free(matching.sessions[s][i].named);
        free(matching.sessions[s]);
    }
    if (made->base->count + made->new->count)
        return made;
    rl_case_comparison_free(made);
    return NULL;
}

void rl_case_comparison_free(struct rl_case_comparison *comparison)
{
    if (!comparison)
        return;
    for (size_t s = 0; s < RL_COUNT(comparison->sessions); s++) {
        for (size_t i = 0; i < comparison->session_counts[s]; i++)
            rl_cases_free(comparison->sessions[s][i]);
        free(comparison->sessions[s]);
    }
    RL_FREE(comparison->pairs, comparison->removed, comparison->added, comparison);
}
