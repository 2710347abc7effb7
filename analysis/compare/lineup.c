/* lineup.c - cards side by side (see lineup.h). */
#include "analysis/lineup.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/sort.h"
#include "verdict_internal.h"

/* A group's key: the resource that limits, and of what none does, the bound. */
enum { KEYS = RL_RESOURCE_COUNT + RL_BOUND_COUNT, UNKNOWN = RL_RESOURCE_COUNT + RL_BOUND_UNKNOWN };

static size_t key_of(enum rl_resource limiter, enum rl_bound bound)
{
    return limiter < RL_RESOURCE_COUNT ? (size_t)limiter : (size_t)RL_RESOURCE_COUNT + (size_t)bound;
}

static const char *key_label(size_t key)
{
    assert(key < KEYS);
    return key < RL_RESOURCE_COUNT ? rl_resources[key].label : rl_bound_word((enum rl_bound)(key - RL_RESOURCE_COUNT));
}

static const char *const kind_names[] = {
    [RL_LINEUP_MEASURED] = "measured",
    [RL_LINEUP_IMPORTED] = "imported",
    [RL_LINEUP_PUBLISHED] = "published",
    [RL_LINEUP_PROJECTED] = "projected",
};

const char *rl_lineup_kind_name(enum rl_lineup_kind kind)
{
    assert((size_t)kind < RL_COUNT(kind_names));
    return kind_names[kind];
}

/* ---- cards ---- */

static enum rl_lineup_kind kind_of(enum rl_column_kind kind)
{
    static const enum rl_lineup_kind kinds[] = {[RL_COLUMN_MEASURED] = RL_LINEUP_MEASURED,
                                                [RL_COLUMN_IMPORTED] = RL_LINEUP_IMPORTED,
                                                [RL_COLUMN_PUBLISHED] = RL_LINEUP_PUBLISHED};
    assert((size_t)kind < RL_COUNT(kinds));
    return kinds[kind];
}

static void add_measured(struct rl_lineup *lineup, const struct rl_analysis *analysis, const struct rl_column *column)
{
    const struct rl_capture *capture = analysis->capture;
    const struct rl_value none = rl_value_missing(RL_NOT_COLLECTED, "no GPU is in the capture");
    struct rl_lineup_card *card = &lineup->cards[lineup->count++];
    *card = (struct rl_lineup_card){.name = column->card,
                                    .kind = kind_of(column->kind),
                                    .memory_bytes = none,
                                    .power_w = none,
                                    .sm_count = none,
                                    .clock_hz = none};
    for (size_t i = 0; i < RL_CEILING_COUNT; i++)
        card->roof[i] = none;
    if (capture->gpu_count == 0)
        return;
    card->memory_bytes = capture->gpus[0].fact[RL_FACT_memory_bytes];
    card->power_w = capture->gpus[0].fact[RL_FACT_power_limit_w];
    card->sm_count = capture->gpus[0].fact[RL_FACT_sm_count];
    card->clock_hz = capture->gpus[0].fact[RL_FACT_sm_clock_max_hz];
    for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
        card->roof[i] = rl_ceiling_figure(&analysis->gpus[0].ceiling[i]);
        card->measured[i] = analysis->gpus[0].ceiling[i].measured.n > 0;
    }
}

static void add_projected(struct rl_lineup *lineup, const struct rl_projection *projection)
{
    const struct rl_card_info *info = projection->card;
    struct rl_lineup_card *card = &lineup->cards[lineup->count++];
    *card = (struct rl_lineup_card){.name = info->id,
                                    .kind = RL_LINEUP_PROJECTED,
                                    .memory_bytes = rl_value_of(info->memory_bytes),
                                    .power_w = info->power_w > 0 ? rl_value_of(info->power_w)
                                                                 : rl_value_missing(RL_NOT_COLLECTED, "not in the table of cards"),
                                    .sm_count = rl_value_of(info->sm_count),
                                    .clock_hz = rl_value_of(info->boost_hz)};
    for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
        card->roof[i] = projection->ceiling[i].figure;
        card->measured[i] = projection->ceiling[i].recorded != NULL;
    }
}

/* ---- speed-ups ---- */

/* Where a card's speed-ups come from. */
struct source {
    const struct rl_column *column; /* NULL: it is a projection */
    const struct rl_projection *projection;
};

static struct source source_of(const struct rl_lineup *lineup, size_t card)
{
    const struct rl_lineup_of *of = &lineup->of;
    const size_t columns = of->columns ? of->columns->count : 1;
    assert(card < lineup->count);
    if (card < columns)
        return (struct source){of->columns ? &of->columns->columns[card] : NULL, NULL};
    return (struct source){NULL, of->projections[card - columns]};
}

/* The estimate goes with the bound, and so do its ends. */
static struct rl_ratio projected_speedup(const struct rl_projected *projected)
{
    struct rl_ratio ratio = {.present = rl_present(projected->estimate_speedup), .estimate = projected->estimate_speedup.v};
    if (!ratio.present)
        return (struct rl_ratio){.present = false};
    const double bound = projected->bound_s.v;
    ratio.low = ratio.high = ratio.estimate;
    if (rl_present(projected->bound_high_s) && projected->bound_high_s.v > bound)
        ratio.low *= bound / projected->bound_high_s.v;
    if (rl_present(projected->bound_low_s) && projected->bound_low_s.v > 0 && projected->bound_low_s.v < bound)
        ratio.high *= bound / projected->bound_low_s.v;
    ratio.has_interval = ratio.low < ratio.high;
    return ratio;
}

struct rl_ratio rl_lineup_speedup(const struct rl_lineup *lineup, size_t card, size_t item)
{
    const struct source source = source_of(lineup, card);
    assert(item < lineup->of.base->count);
    const size_t kernel = lineup->of.base->items[item].kernel;
    if (source.column && rl_cell_has_speedup(&source.column->cells[item]))
        return source.column->cells[item].speedup;
    if (source.projection && kernel != RL_NONE)
        return projected_speedup(&source.projection->kernels[kernel]);
    return (struct rl_ratio){.present = false};
}

struct rl_value rl_lineup_expected(const struct rl_lineup *lineup, size_t card, size_t item)
{
    const struct rl_column *column = source_of(lineup, card).column;
    assert(item < lineup->of.base->count);
    return column && column->comparison && !column->cells[item].why_not
               ? column->cells[item].predicted
               : rl_value_missing(RL_UNDEFINED, "the roofs predict nothing");
}

static int ascending(const void *a, const void *b)
{
    return rl_ascending(*(const double *)a, *(const double *)b);
}

static double middle_of(double *values, size_t count)
{
    rl_sort(values, count, sizeof *values, ascending);
    return rl_stats_quantile_sorted(values, count, 0.5);
}

/* Which items of the base belong to a group. */
static bool is_of(const struct rl_item *item, size_t key)
{
    return key == KEYS || key_of(item->limiter, item->bound) == key; /* KEYS: all */
}

static struct rl_group_speedup sum_up(const struct rl_lineup *lineup, size_t card, size_t key)
{
    const struct rl_compare_side *base = lineup->of.base;
    double *speedups = rl_calloc(base->count + 1, sizeof *speedups), *expected = rl_calloc(base->count + 1, sizeof *expected);
    struct rl_group_speedup sum = {.expected = rl_value_missing(RL_UNDEFINED, "the roofs predict nothing")};
    size_t predicted = 0;
    for (size_t i = 0; i < base->count; i++) {
        const struct rl_ratio speedup = is_of(&base->items[i], key) ? rl_lineup_speedup(lineup, card, i) : (struct rl_ratio){0};
        if (!speedup.present)
            continue;
        const struct rl_value roofs = rl_lineup_expected(lineup, card, i);
        speedups[sum.kernels++] = speedup.estimate;
        if (rl_present(roofs))
            expected[predicted++] = roofs.v;
    }
    if (sum.kernels) {
        sum.middle = middle_of(speedups, sum.kernels);
        sum.low = speedups[0];
        sum.high = speedups[sum.kernels - 1];
    }
    if (predicted)
        sum.expected = rl_value_of(middle_of(expected, predicted));
    free(speedups);
    free(expected);
    return sum;
}

/* ---- groups ---- */

static void fill_group(struct rl_lineup *lineup, struct rl_lineup_group *group, size_t key)
{
    group->label = key == KEYS ? "all kernels" : key_label(key);
    group->unknown = key == UNKNOWN;
    group->on = rl_arena_alloc(&lineup->arena, lineup->count * sizeof *group->on);
    for (size_t i = 0; i < lineup->of.base->count; i++)
        group->kernels += is_of(&lineup->of.base->items[i], key);
    for (size_t c = 0; c < lineup->count; c++)
        group->on[c] = sum_up(lineup, c, key);
}

struct ranked {
    size_t key, kernels;
};

/* Most kernels first; what is unknown says least. */
static int by_size(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return rl_ascending((int)(x->key == UNKNOWN), (int)(y->key == UNKNOWN)) ?: rl_descending(x->kernels, y->kernels)
               ?: rl_ascending(x->key, y->key);
}

/* Keys of the groups in their order; `place[key]` is where it went, RL_NONE where there is none. */
static void make_groups(struct rl_lineup *lineup, size_t place[KEYS])
{
    struct ranked ranked[KEYS];
    size_t count = 0;
    for (size_t key = 0; key < KEYS; key++) {
        ranked[count] = (struct ranked){key, 0};
        place[key] = RL_NONE;
        for (size_t i = 0; i < lineup->of.base->count; i++)
            ranked[count].kernels += is_of(&lineup->of.base->items[i], key);
        count += ranked[count].kernels > 0;
    }
    rl_sort(ranked, count, sizeof *ranked, by_size);
    lineup->groups = rl_arena_alloc(&lineup->arena, (count + 1) * sizeof *lineup->groups);
    lineup->group_count = count;
    for (size_t i = 0; i < count; i++) {
        lineup->groups[i] = (struct rl_lineup_group){.kernels = 0};
        fill_group(lineup, &lineup->groups[i], ranked[i].key);
        place[ranked[i].key] = i;
    }
    fill_group(lineup, &lineup->all, KEYS);
}

/* ---- the score of a program ---- */

/* Kernels of the base that are told apart by name and shape. */
struct named {
    const struct rl_kernel *kernel;
    size_t item;
};

static int compare_kernels(const struct rl_kernel *a, const struct rl_kernel *b)
{
    return strcmp(a->name, b->name) ?: memcmp(a->grid, b->grid, sizeof a->grid) ?: memcmp(a->block, b->block, sizeof a->block);
}

static int by_kernel(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    return compare_kernels(x->kernel, y->kernel) ?: rl_ascending(x->item, y->item);
}

static size_t list_named(const struct rl_compare_side *base, struct named *named)
{
    size_t count = 0;
    for (size_t i = 0; i < base->count; i++)
        if (base->items[i].kernel != RL_NONE)
            named[count++] = (struct named){&base->analysis->capture->kernels[base->items[i].kernel], i};
    rl_sort(named, count, sizeof *named, by_kernel);
    return count;
}

/* The first item of the base that is this kernel; RL_NONE: there is none. */
static size_t find_named(const struct named *named, size_t count, const struct rl_kernel *kernel)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare_kernels(named[middle].kernel, kernel) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && compare_kernels(named[low].kernel, kernel) == 0 ? named[low].item : RL_NONE;
}

/* A kernel of the program: its time, the item of the base that is the same kernel, and the group of its limiter; RL_NONE: none. */
struct scored {
    double time;
    size_t item, group;
};

struct scoring {
    double time, estimate, low, high; /* of the program; on the card */
    double own, ranged, guessed;
};

static void count_kernel(struct scoring *scoring, double time, double estimate, double low, double high)
{
    scoring->time += time;
    scoring->estimate += time / estimate;
    scoring->low += time / low;
    scoring->high += time / high;
}

static void widen(struct rl_group_speedup *range, struct rl_value there, struct rl_value base)
{
    if (!rl_present(there) || !rl_present(base) || there.v <= 0 || base.v <= 0)
        return;
    range->low = fmin(range->low, there.v / base.v);
    range->high = fmax(range->high, there.v / base.v);
}

/* Where the speed-up of a kernel lies that no roof limits on the base (see lineup.h). */
static struct rl_group_speedup between_roofs(const struct rl_lineup *lineup, size_t card)
{
    static const enum rl_ceiling_id roofs[] = {RL_CEILING_dram, RL_CEILING_shared, RL_CEILING_fp32};
    const struct rl_lineup_card *there = &lineup->cards[card], *base = &lineup->cards[0];
    struct rl_group_speedup range = {.kernels = 1, .low = 1, .high = 1};
    for (size_t i = 0; i < RL_COUNT(roofs); i++)
        widen(&range, there->roof[roofs[i]], base->roof[roofs[i]]);
    widen(&range, there->clock_hz, base->clock_hz);
    range.middle = sqrt(range.low * range.high);
    return range;
}

static void score_kernel(const struct rl_lineup *lineup, size_t card, const struct scored *kernel, struct scoring *scoring)
{
    const struct rl_ratio own =
        kernel->item == RL_NONE ? (struct rl_ratio){.present = false} : rl_lineup_speedup(lineup, card, kernel->item);
    const bool known = kernel->group != RL_NONE && lineup->groups[kernel->group].on[card].kernels > 0;
    const struct rl_group_speedup *like = known ? &lineup->groups[kernel->group].on[card] : &lineup->all.on[card];
    if (own.present) {
        count_kernel(scoring, kernel->time, own.estimate, own.has_interval ? own.low : own.estimate,
                     own.has_interval ? own.high : own.estimate);
        scoring->own += kernel->time;
        return;
    }
    const bool ranged = !known && lineup->cards[card].kind == RL_LINEUP_PROJECTED;
    const struct rl_group_speedup range = between_roofs(lineup, card);
    like = ranged ? &range : like;
    count_kernel(scoring, kernel->time, like->middle, like->low, like->high);
    scoring->ranged += ranged ? kernel->time : 0;
    scoring->guessed += known || ranged ? 0 : kernel->time;
}

static void score_card(struct rl_lineup *lineup, size_t card, const struct scored *kernels, size_t count)
{
    struct scoring scoring = {0};
    if (lineup->all.on[card].kernels == 0 && lineup->cards[card].kind != RL_LINEUP_PROJECTED)
        return;
    for (size_t k = 0; k < count; k++)
        score_kernel(lineup, card, &kernels[k], &scoring);
    if (scoring.time <= 0)
        return;
    lineup->cards[card].score = (struct rl_ratio){.present = scoring.guessed <= RL_MOST_GUESSED * scoring.time,
                                                  .estimate = scoring.time / scoring.estimate,
                                                  .has_interval = true,
                                                  .low = scoring.time / scoring.low,
                                                  .high = scoring.time / scoring.high};
    lineup->cards[card].own = scoring.own / scoring.time;
    lineup->cards[card].ranged = scoring.ranged / scoring.time;
    lineup->cards[card].guessed = scoring.guessed / scoring.time;
}

/* Sets the groups' shares of the program's time, too. What limits a kernel in a way that is not known is of no group, but has its
 * share. */
static void list_scored(struct rl_lineup *lineup, const size_t place[KEYS], struct scored *kernels)
{
    const struct rl_analysis *program = lineup->of.program;
    struct named *named = rl_calloc(lineup->of.base->count + 1, sizeof *named);
    const size_t count = list_named(lineup->of.base, named);
    double all = 0;
    for (size_t k = 0; k < program->capture->kernel_count; k++) {
        kernels[k].time = rl_kernel_gpu_ns(program->capture, k);
        kernels[k].item = find_named(named, count, &program->capture->kernels[k]);
        all += kernels[k].time;
    }
    for (size_t k = 0; k < program->capture->kernel_count; k++) {
        const size_t key = key_of(program->kernels[k].limits.limiter, program->kernels[k].bound);
        kernels[k].group = key == UNKNOWN ? RL_NONE : place[key];
        if (place[key] != RL_NONE && all > 0)
            lineup->groups[place[key]].share += kernels[k].time / all;
    }
    free(named);
}

static void score(struct rl_lineup *lineup, const size_t place[KEYS])
{
    const size_t count = lineup->of.program->capture->kernel_count;
    struct scored *kernels = rl_calloc(count + 1, sizeof *kernels);
    list_scored(lineup, place, kernels);
    for (size_t c = 1; c < lineup->count; c++)
        score_card(lineup, c, kernels, count);
    lineup->program = rl_arena_strdup(&lineup->arena, lineup->of.program_name);
    free(kernels);
}

/* ---- the whole ---- */

struct rl_lineup *rl_lineup_new(const struct rl_lineup_of *of)
{
    struct rl_lineup *lineup = rl_calloc(1, sizeof *lineup);
    const size_t columns = of->columns ? of->columns->count : 1;
    size_t place[KEYS];
    lineup->of = *of;
    lineup->cards = rl_arena_alloc(&lineup->arena, (columns + of->projection_count) * sizeof *lineup->cards);
    if (!of->columns) {
        const struct rl_capture *capture = of->base->analysis->capture;
        const struct rl_column base = {.card = capture->gpu_count ? rl_card_short(capture->gpus[0].name) : "unknown card"};
        add_measured(lineup, of->base->analysis, &base);
    }
    for (size_t i = 0; of->columns && i < columns; i++)
        add_measured(lineup, i ? of->columns->columns[i].comparison->new.analysis : of->base->analysis, &of->columns->columns[i]);
    for (size_t i = 0; i < of->projection_count; i++)
        add_projected(lineup, of->projections[i]);
    make_groups(lineup, place);
    if (of->program)
        score(lineup, place);
    return lineup;
}

void rl_lineup_free(struct rl_lineup *lineup)
{
    if (!lineup)
        return;
    rl_arena_release(&lineup->arena);
    free(lineup);
}

struct rl_ratio rl_lineup_per_watt(const struct rl_lineup *lineup, size_t card)
{
    assert(card < lineup->count);
    const struct rl_lineup_card *of = &lineup->cards[card], *base = &lineup->cards[0];
    if (!of->score.present || !rl_present(of->power_w) || !rl_present(base->power_w) || of->power_w.v <= 0)
        return (struct rl_ratio){.present = false};
    return rl_ratio_scaled(of->score, base->power_w.v / of->power_w.v);
}
