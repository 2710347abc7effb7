#include "analysis/compare.h"

#include "analysis/cards.h"
#include "compare_internal.h"
#include "core/intern.h"

/* Where and when a session was measured; what is unknown is the same for all. */
struct stretch {
    const char *host, *cards;
    double started_s; /* NAN: unknown */
    struct rl_side_session *session;
    int side;
};

/* The ids of all GPUs of a capture, "" where one is unknown. */
static const char *cards_of(const struct rl_capture *capture, struct rl_arena *arena)
{
    RL_SCRATCH ids = RL_BUF_INIT;
    for (size_t i = 0; i < capture->gpu_count; i++) {
        const char *uuid = capture->gpus[i].uuid;
        if (!uuid || !*uuid) {
            rl_buf_reset(&ids);
            break;
        }
        rl_buf_addf(&ids, "%s ", uuid);
    }
    return rl_arena_strdup(arena, ids.data);
}

RL_COMPARATOR(by_place_and_time, struct stretch, rl_ascending(x->cards, y->cards) ?: rl_ascending(x->host, y->host)
              ?: rl_ascending(x->started_s, y->started_s));

RL_COMPARATOR(by_time, struct stretch, rl_ascending(x->started_s, y->started_s));

static bool belong_together(const struct stretch *earlier, const struct stretch *later)
{
    return strcmp(earlier->cards, later->cards) == 0 && strcmp(earlier->host, later->host) == 0 &&
           isnan(earlier->started_s) == isnan(later->started_s) && !(later->started_s - earlier->started_s > RL_DAY_PAUSE_S);
}

static size_t list(struct rl_comparison *comparison, struct stretch *stretches)
{
    struct rl_compare_side *const sides[] = {&comparison->base, &comparison->new};
    size_t count = 0;
    for (int s = 0; s < 2; s++)
        for (size_t i = 0; i < sides[s]->session_count; i++) {
            struct rl_side_session *session = &sides[s]->sessions[i];
            const struct rl_capture *capture = session->analysis->capture;
            stretches[count++] =
                (struct stretch){capture->session.host ? capture->session.host : "", cards_of(capture, &comparison->arena),
                                 rl_utc_s(capture->session.started), session, s};
        }
    return count;
}

static void add_times(const struct rl_compare_side *side, struct rl_item *item, const struct rl_item *more,
                      const struct rl_side_session *session)
{
    const struct rl_capture *capture = session->analysis->capture;
    const enum rl_relation_of_cards cards =
        rl_relation_of_gpus(&side->analysis->capture->gpus[item->gpu], &capture->gpus[more->gpu]);
    item->cards = cards > item->cards ? cards : item->cards;
    struct rl_times *times = (struct rl_times *)item->sessions.times; /* made by make_room */
    times[item->sessions.count] = more->times;
    times[item->sessions.count].turn = session->turn;
    times[item->sessions.count++].block = session->block;
    if (!item->not_compared)
        item->not_compared = more->not_compared;
    item->wrong_later |= more->variant != RL_NONE && capture->variants[more->variant].result == RL_RESULT_WRONG;
}

/* Matches a session with the first one of its side; what that one does not have is left out. */
static enum rl_status add_session(struct rl_comparison *comparison, struct rl_compare_side *side, struct rl_side_session *session,
                                  struct rl_err *err)
{
    const struct rl_capture *first = side->analysis->capture, *capture = session->analysis->capture;
    if (first->gpu_count && capture->gpu_count && strcmp(first->gpus[0].name, capture->gpus[0].name) != 0)
        return rl_err_set(err, RL_FAILED, "'%s' is of %s, the first session of its side of %s: sessions of a side are of one model",
                          session->name, capture->gpus[0].name, first->gpus[0].name);
    struct rl_comparison within = {.arena = comparison->arena, .base = *side};
    rl_comparison_list_items(&within.new, session->analysis, &within.arena);
    const enum rl_status status = rl_comparison_match(&within, &(struct rl_compare_options){.never_by_likeness = true}, err);
    for (size_t i = 0; i < within.pair_count && status == RL_OK; i++)
        add_times(side, &side->items[within.pairs[i].base], &within.new.items[within.pairs[i].new], session);
    session->is_strange = within.pair_count == 0 && side->count > 0; /* benchmarks have none */
    comparison->arena = within.arena;
    assert(!within.notes);
    return status;
}

/* A capture that takes part twice would count twice. */
static enum rl_status check_once(struct rl_intern *seen, const struct rl_analysis *analysis, const char *name, struct rl_err *err)
{
    const char *hash = analysis->capture->sha256.hex;
    bool is_new = true;
    if (*hash)
        (void)rl_intern(seen, 0, hash, &is_new);
    return is_new ? RL_OK
                  : rl_err_set(err, RL_FAILED, "'%s' holds the same capture as another session: it would count twice", name);
}

/* Further sessions of both sides: their times become those of the items. RL_FAILED with the reason. */
static enum rl_status comparison_add_sessions(struct rl_comparison *comparison, struct rl_err *err)
{
    struct rl_compare_side *const sides[] = {&comparison->base, &comparison->new};
    RL_AT_END(rl_intern_release) struct rl_intern seen = {0};
    enum rl_status status = RL_OK;
    for (size_t s = 0; s < RL_COUNT(sides) && status == RL_OK; s++)
        status = check_once(&seen, sides[s]->analysis, sides[s]->sessions[0].name, err);
    /* Numbers the sessions of both sides by host, GPU and day, and finds what follows for the confidence. */
    const size_t most = comparison->base.session_count + comparison->new.session_count;
    RL_FREED struct stretch *stretches = rl_calloc(most, sizeof *stretches);
    RL_FREED struct rl_session_level *levels = rl_calloc(most, sizeof *levels);
    const size_t count = list(comparison, stretches);
    rl_sort(stretches, count, sizeof *stretches, by_place_and_time);
    comparison->rules.blocks_of_cards = comparison->relation == RL_ONE_CARD || comparison->relation == RL_ONE_MODEL;
    for (size_t i = 1, block = 0; i < count; i++) {
        block += comparison->relation != RL_OTHER_MODEL && !belong_together(&stretches[i - 1], &stretches[i]);
        stretches[i].session->block = block;
    }
    for (size_t i = 0; i < count; i++)
        levels[i] = (struct rl_session_level){.block = stretches[i].session->block, .side = stretches[i].side};
    const struct rl_session_blocks blocks = rl_session_blocks_of(levels, count);
    bool is_known = true;
    for (size_t i = 0; i < count; i++)
        is_known &= !isnan(stretches[i].started_s);
    rl_sort(stretches, count, sizeof *stretches, by_time);
    for (size_t i = 0; i < count; i++) {
        stretches[i].session->turn = is_known ? i + 1 : 0;
        levels[i] = (struct rl_session_level){.block = stretches[i].session->block, .side = stretches[i].side};
    }
    comparison->rules.in_turn = is_known && rl_sessions_take_turns(levels, count);
    comparison->design = blocks.design;
    memcpy(comparison->counted, blocks.counted, sizeof comparison->counted);
    comparison->rules.confidence = rl_confidence_of_ways(blocks.ways);
    for (size_t s = 0; s < RL_COUNT(sides) && status == RL_OK; s++) {
        /* Room for the times of all sessions of a side; the first one's are there. */
        struct rl_compare_side *side = sides[s];
        for (size_t i = 0; i < side->count; i++) {
            struct rl_times *times = rl_arena_alloc(&comparison->arena, sides[s]->session_count * sizeof *times);
            times[0] = side->items[i].times;
            times[0].block = side->sessions[0].block;
            times[0].turn = side->sessions[0].turn;
            side->items[i].sessions = (struct rl_sessions){times, 1};
        }
        for (size_t i = 1; i < sides[s]->session_count && status == RL_OK; i++) {
            struct rl_side_session *session = &sides[s]->sessions[i];
            status = check_once(&seen, session->analysis, session->name, err);
            RL_THEN(status, add_session(comparison, sides[s], session, err));
        }
    }
    return status;
}

/* ---- GPUs ---- */

static enum rl_relation_of_cards farther(enum rl_relation_of_cards a, enum rl_relation_of_cards b)
{
    return a > b ? a : b;
}

/* Two models are compared as they are; two GPUs of one model stand for one, and differ by more than sessions do. */
static double session_effect_of(enum rl_relation_of_cards relation)
{
    return relation == RL_ONE_MODEL || relation == RL_MAYBE_ONE ? RL_UNIT_EFFECT : RL_SESSION_EFFECT;
}

/* The difference of sessions of unchanged code on a GPU model (unchanged.def). */
struct unchanged {
    const char *model, *of;
    double differ;
};

static const struct unchanged *unchanged_on(const struct rl_capture *capture)
{
    static const struct unchanged rows[] = {
#define UNCHANGED(...) {__VA_ARGS__},
#include "analysis/unchanged.def"
#undef UNCHANGED
    };
    const struct rl_card_info *card = capture->gpu_count ? rl_card_find(capture->gpus[0].name) : NULL;
    size_t row = 0;
    while (row + 1 < RL_COUNT(rows) && !(card && strcmp(card->id, rows[row].model) == 0))
        row++;
    return &rows[row];
}

void rl_comparison_condition_text(const struct rl_comparison *comparison, struct rl_buf *out)
{
    double condition = 0;
    for (size_t i = 0; i < comparison->pair_count; i++)
        condition = fmax(condition, comparison->pairs[i].change.condition);
    for (size_t i = 0; comparison->cases && i < comparison->cases->pair_count; i++)
        condition = fmax(condition, comparison->cases->pairs[i].change.condition);
    if (condition == 0)
        return;
    rl_buf_addf(out, " Verdicts hold if sessions of unchanged code differ by at most %s (%s).",
                RL_UNIT_TEXT(RL_UNIT_FRACTION, condition, 2),
                condition > comparison->rules.unchanged ? "as two GPUs of one model do"
                                                        : unchanged_on(comparison->base.analysis->capture)->of);
}

static enum rl_relation_of_cards relation_of_items(const struct rl_comparison *comparison, const struct rl_pair *pair)
{
    const struct rl_item *base = &comparison->base.items[pair->base], *new = &comparison->new.items[pair->new];
    const enum rl_relation_of_cards firsts = rl_relation_of_gpus(&comparison->base.analysis->capture->gpus[base->gpu],
                                                                 &comparison->new.analysis->capture->gpus[new->gpu]);
    return farther(firsts, farther(base->cards, new->cards));
}

/* ---- verdicts ---- */

static bool is_wrong(const struct rl_compare_side *side, size_t item)
{
    return rl_side_result(side, item) == RL_RESULT_WRONG;
}

static bool has_times(const struct rl_comparison *comparison, const struct rl_pair *pair)
{
    return !pair->not_compared && comparison->base.items[pair->base].times.n && comparison->new.items[pair->new].times.n;
}

/* Kernels scatter alike that depend on the same clock: DRAM and links have their own, all others that of the SMs, whose time goes
 * with it more or less. */
static int kind_of(const struct rl_item *item)
{
    return item->limiter == RL_RESOURCE_dram ? (int)RL_BOUND_COUNT : (int)item->bound;
}

static struct rl_change change_by_sessions(const struct rl_comparison *comparison, const struct rl_pair *pair,
                                           const struct rl_pool *pool, const struct rl_verdict_rules *by)
{
    const struct rl_item *base = &comparison->base.items[pair->base], *new = &comparison->new.items[pair->new];
    const struct rl_scatter own = rl_sessions_scatter(&base->sessions, &new->sessions);
    const struct rl_like like = rl_pool_at(pool, kind_of(base), own.length_s);
    struct rl_verdict_rules rules = *by;
    const double effect = session_effect_of(relation_of_items(comparison, pair));
    rules.session_effect = effect > RL_SESSION_EFFECT ? effect : 0; /* what sessions of one GPU differ is measured */
    return rl_change_of_sessions(&base->sessions, &new->sessions, &like, &rules);
}

/* The scatter of all pairs between sessions; NULL with one session each. */
static struct rl_pool *pool_of(const struct rl_comparison *comparison)
{
    if (!rl_verdict_by_sessions(&comparison->rules))
        return NULL;
    RL_FREED struct rl_scatter *spreads = rl_calloc(comparison->pair_count, sizeof *spreads);
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct rl_pair *pair = &comparison->pairs[i];
        const struct rl_item *base = &comparison->base.items[pair->base], *new = &comparison->new.items[pair->new];
        if (!has_times(comparison, pair))
            continue;
        spreads[i] = rl_sessions_scatter(&base->sessions, &new->sessions);
        spreads[i].kind = kind_of(base);
    }
    return rl_pool_new(spreads, comparison->pair_count);
}

struct deciding {
    const struct rl_comparison *comparison;
    const struct rl_pool *pool;
};

static size_t count_decided(void *context, const struct rl_verdict_rules *rules)
{
    const struct deciding *of = context;
    size_t count = 0;
    for (size_t i = 0; i < of->comparison->pair_count; i++) {
        const struct rl_pair *pair = &of->comparison->pairs[i];
        count +=
            has_times(of->comparison, pair) && change_by_sessions(of->comparison, pair, of->pool, rules).verdict != RL_UNDECIDED;
    }
    return count;
}

static void judge_all(struct rl_comparison *comparison)
{
    comparison->rules.comparisons = 0;
    for (size_t i = 0; i < comparison->pair_count; i++) {
        struct rl_pair *pair = &comparison->pairs[i];
        const char *base = comparison->base.items[pair->base].not_compared, *new = comparison->new.items[pair->new].not_compared;
        pair->broke = is_wrong(&comparison->new, pair->new) && !is_wrong(&comparison->base, pair->base);
        if (base && new)
            pair->not_compared = rl_arena_printf(&comparison->arena, "on both sides it %s", new);
        else if (base || new)
            pair->not_compared = rl_arena_printf(&comparison->arena, "the %s %s", new ? "candidate" : "baseline", new ? new : base);
        comparison->rules.comparisons += has_times(comparison, &comparison->pairs[i]);
    }
    comparison->rules.comparisons += comparison->rules.comparisons == 0;
    struct rl_pool *pool = pool_of(comparison);
    if (pool && comparison->rules.confidence == RL_SESSIONS_CONFIDENCE)
        rl_sessions_decide(&comparison->rules, count_decided, &(struct deciding){comparison, pool});
    for (size_t i = 0; i < comparison->pair_count; i++) {
        /* `pool`: the scatter between sessions; NULL: there is one of each. */
        struct rl_pair *pair = &comparison->pairs[i];
        const struct rl_times *base = &comparison->base.items[pair->base].times, *new = &comparison->new.items[pair->new].times;
        struct rl_verdict_rules rules = comparison->rules;
        rules.session_effect = session_effect_of(relation_of_items(comparison, pair));
        if (pair->not_compared)
            pair->change = (struct rl_change){.verdict = RL_UNDECIDED, .clock = rl_value_missing(RL_UNDEFINED, NULL)};
        else
            pair->change = pool ? change_by_sessions(comparison, pair, pool, &comparison->rules) : rl_change_of(base, new, &rules);
        rl_pair_compare_work(comparison, pair);
        rl_pair_count_work(comparison, pair);
        if (!pair->not_compared)
            (pair->work == RL_WORK_UNEQUAL ? comparison->unequal : comparison->verdicts)[pair->change.verdict]++;
        rl_pair_find_causes(comparison, pair);
        comparison->unequal_count += pair->work == RL_WORK_UNEQUAL;
        comparison->excluded_count += pair->not_compared != NULL;
        comparison->broken_count += pair->broke;
    }
    rl_pool_free(pool);
}

/* ---- the whole ---- */

/* The smallest effect that this number of sessions can resolve, relative. */
static double usual_effect(const struct rl_compare_options *options)
{
    const bool enough = options->more_count[0] + 1 >= RL_SESSIONS_ENOUGH && options->more_count[1] + 1 >= RL_SESSIONS_ENOUGH;
    return enough ? RL_SESSIONS_SMALLEST_EFFECT : RL_SMALLEST_EFFECT;
}

static void list_sessions(struct rl_compare_side *side, const struct rl_analysis *first, const char *name,
                          const struct rl_compare_session *more, size_t more_count, struct rl_arena *arena)
{
    side->sessions = rl_arena_alloc(arena, (1 + more_count) * sizeof *side->sessions);
    side->session_count = 1 + more_count;
    side->sessions[0] = (struct rl_side_session){first, rl_arena_strdup(arena, name ? name : ""), false};
    for (size_t i = 0; i < more_count; i++)
        side->sessions[i + 1] = (struct rl_side_session){more[i].analysis, rl_arena_strdup(arena, more[i].name), false};
}

static struct rl_comparison *empty(const struct rl_analysis *base, const struct rl_analysis *new,
                                   const struct rl_compare_options *options)
{
    struct rl_comparison *comparison = rl_calloc(1, sizeof *comparison);
    list_sessions(&comparison->base, base, options->base_name, options->more[0], options->more_count[0], &comparison->arena);
    list_sessions(&comparison->new, new, options->new_name, options->more[1], options->more_count[1], &comparison->arena);
    rl_comparison_list_items(&comparison->base, base, &comparison->arena);
    rl_comparison_list_items(&comparison->new, new, &comparison->arena);
    /* The first GPUs of all sessions. */
    const struct rl_compare_side *const sides[] = {&comparison->base, &comparison->new};
    const struct rl_capture *first = comparison->base.analysis->capture;
    enum rl_relation_of_cards farthest = RL_ONE_CARD;
    for (size_t s = 0; s < RL_COUNT(sides); s++)
        for (size_t i = 0; i < sides[s]->session_count; i++) {
            const struct rl_capture *capture = sides[s]->sessions[i].analysis->capture;
            const bool known = first->gpu_count && capture->gpu_count;
            if (capture != first)
                farthest = farther(farthest, known ? rl_relation_of_gpus(&first->gpus[0], &capture->gpus[0]) : RL_MAYBE_ONE);
        }
    comparison->relation = farthest;
    const double effect = options->smallest_effect, margin = effect > 0 ? effect : RL_MARGIN;
    comparison->rules = (struct rl_verdict_rules){.smallest_effect = effect > 0 ? effect : usual_effect(options),
                                                  .margin = options->margin > 0 ? options->margin : margin,
                                                  .session_effect = session_effect_of(comparison->relation),
                                                  .unchanged = unchanged_on(base->capture)->differ,
                                                  .sessions = {1 + options->more_count[0], 1 + options->more_count[1]},
                                                  .look = options->look};
    comparison->rules.confidence = RL_CONFIDENCE; /* of samples; comparison_add_sessions has that of sessions */
    return comparison;
}

enum rl_status rl_comparison_new(const struct rl_analysis *base, const struct rl_analysis *new,
                                 const struct rl_compare_options *options, struct rl_comparison **comparison, struct rl_err *err)
{
    *comparison = NULL;
    if (base->capture == new->capture ||
        (*base->capture->sha256.hex && strcmp(base->capture->sha256.hex, new->capture->sha256.hex) == 0))
        return rl_err_set(err, RL_FAILED, "'%s' and '%s' hold the same capture: nothing could differ; measure again",
                          options->base_name, options->new_name);
    struct rl_comparison *made = empty(base, new, options);
    enum rl_status status = rl_verdict_by_sessions(&made->rules) ? comparison_add_sessions(made, err) : RL_OK;
    RL_THEN(status, rl_comparison_match(made, options, err));
    if (status != RL_OK) {
        rl_comparison_free(made);
        return status;
    }
    judge_all(made);
    rl_comparison_weigh(made);
    made->cases = rl_case_comparison_new(made);
    if (made->cases && made->cases->pair_count && !made->pair_count) {
        made->rules.comparisons = made->cases->comparisons;
        made->rules.of_cases = true;
    }
    rl_comparison_add_notes(made);
    *comparison = made;
    return RL_OK;
}

void rl_comparison_free(struct rl_comparison *comparison)
{
    if (!comparison)
        return;
    rl_case_comparison_free(comparison->cases);
    free(comparison->notes);
    rl_arena_release(&comparison->arena);
    free(comparison);
}

/* ---- what readers ask ---- */

struct ranked {
    size_t pair;
    int place;
    double size;
};

RL_COMPARATOR(by_rank, struct ranked, rl_ascending(x->place, y->place) ?: rl_descending(x->size, y->size)
              ?: rl_ascending(x->pair, y->pair));

void rl_comparison_sort(const struct rl_comparison *comparison, size_t *order)
{
    enum { BROKE, SLOWER, FASTER, UNEQUAL, UNDECIDED, SAME };
    static const int places[] = {[RL_SLOWER] = SLOWER, [RL_FASTER] = FASTER, [RL_UNDECIDED] = UNDECIDED, [RL_SAME] = SAME};
    RL_FREED struct ranked *ranked = rl_calloc(comparison->pair_count, sizeof *ranked);
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct rl_pair *pair = &comparison->pairs[i];
        const double ratio = pair->change.time.present ? pair->change.time.estimate : 1;
        const int place = pair->work == RL_WORK_UNEQUAL ? UNEQUAL : places[pair->change.verdict];
        ranked[i] = (struct ranked){i, pair->broke ? BROKE : place, fabs(log(ratio))};
    }
    rl_sort(ranked, comparison->pair_count, sizeof *ranked, by_rank);
    for (size_t i = 0; i < comparison->pair_count; i++)
        order[i] = ranked[i].pair;
}

bool rl_pair_is_regression(const struct rl_pair *pair, double tolerance)
{
    return pair->broke || (!pair->not_compared && rl_change_is_regression(&pair->change, tolerance));
}

size_t rl_comparison_regressions(const struct rl_comparison *comparison, double tolerance, size_t *unequal)
{
    size_t found = 0;
    *unequal = 0;
    for (size_t i = 0; i < comparison->pair_count; i++)
        if (rl_pair_is_regression(&comparison->pairs[i], tolerance)) {
            found++;
            *unequal += comparison->pairs[i].work == RL_WORK_UNEQUAL;
        }
    return found;
}

void rl_pair_doubt_text(const struct rl_pair *pair, struct rl_buf *out)
{
    if (pair->not_compared)
        rl_buf_adds(out, pair->not_compared);
    else
        rl_change_doubt_text(&pair->change, out);
}

void rl_pair_match_text(const struct rl_pair *pair, struct rl_buf *out)
{
    rl_buf_adds(out, rl_matches[pair->match].words);
    if (!pair->likeness)
        return;
    rl_buf_addf(out, " %.2f (", pair->likeness->score);
    for (size_t i = 0, said = 0; i < RL_LIKENESS_COUNT; i++)
        if (pair->likeness->part[i] >= 0)
            rl_buf_addf(out, "%s%s %.2f", said++ ? ", " : "", rl_likeness_parts[i].words, pair->likeness->part[i]);
    rl_buf_adds(out, ")");
}
