/* lineup.c - cards side by side (see lineup.h). */
#include "analysis/lineup.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/sort.h"

/* A group's key: the resource that limits, and of what none does, the bound. */
enum { KEYS = RL_RESOURCE_COUNT + RL_BOUND_COUNT, UNKNOWN = RL_RESOURCE_COUNT + RL_BOUND_UNKNOWN };

static size_t key_of(enum rl_resource limiter, enum rl_bound bound)
{
    return limiter < RL_RESOURCE_COUNT ? (size_t)limiter : (size_t)RL_RESOURCE_COUNT + (size_t)bound;
}

static const char *label_of(size_t key)
{
    assert(key < KEYS);
    return key < RL_RESOURCE_COUNT ? rl_resources[key].label : rl_bound_word((enum rl_bound)(key - RL_RESOURCE_COUNT));
}

static const char *const kind_names[] = {
    [RL_LINEUP_MEASURED] = "measured", [RL_LINEUP_PUBLISHED] = "published", [RL_LINEUP_PROJECTED] = "projected"};

const char *rl_lineup_kind_name(enum rl_lineup_kind kind)
{
    assert((size_t)kind < RL_COUNT(kind_names));
    return kind_names[kind];
}

/* ---- cards ---- */

static void add_measured(struct rl_lineup *lineup, const struct rl_analysis *analysis, const struct rl_column *column)
{
    const struct rl_capture *capture = analysis->capture;
    const struct rl_value none = rl_value_missing(RL_NOT_COLLECTED, "no GPU is in the capture");
    struct rl_lineup_card *card = &lineup->cards[lineup->count++];
    *card = (struct rl_lineup_card){.name = column->card,
                                    .kind = column->kind == RL_COLUMN_PUBLISHED ? RL_LINEUP_PUBLISHED : RL_LINEUP_MEASURED,
                                    .memory_bytes = none,
                                    .power_w = none,
                                    .sm_count = none,
                                    .price = column->price};
    for (size_t i = 0; i < RL_CEILING_COUNT; i++)
        card->roof[i] = none;
    if (capture->gpu_count == 0)
        return;
    card->memory_bytes = capture->gpus[0].fact[RL_FACT_memory_bytes];
    card->power_w = capture->gpus[0].fact[RL_FACT_power_limit_w];
    card->sm_count = capture->gpus[0].fact[RL_FACT_sm_count];
    for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
        card->roof[i] = rl_ceiling_figure(&analysis->gpus[0].ceiling[i]);
        card->measured[i] = analysis->gpus[0].ceiling[i].measured.n > 0;
    }
}

static void add_projected(struct rl_lineup *lineup, const struct rl_projection *projection, double price)
{
    const struct rl_card_info *info = projection->card;
    struct rl_lineup_card *card = &lineup->cards[lineup->count++];
    *card = (struct rl_lineup_card){.name = info->id,
                                    .kind = RL_LINEUP_PROJECTED,
                                    .memory_bytes = rl_value_of(info->memory_bytes),
                                    .power_w = info->power_w > 0 ? rl_value_of(info->power_w)
                                                                 : rl_value_missing(RL_NOT_COLLECTED, "not in the table of cards"),
                                    .sm_count = rl_value_of(info->sm_count),
                                    .price = price};
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

static struct source source_of(const struct rl_lineup_of *of, size_t card)
{
    const size_t columns = of->columns ? of->columns->count : 1;
    if (card < columns)
        return (struct source){of->columns ? &of->columns->columns[card] : NULL, NULL};
    assert(card - columns < of->projection_count);
    return (struct source){NULL, of->projections[card - columns]};
}

/* The speed-up of an item of the base; a projection's is an estimate without an interval. */
static struct rl_ratio speedup_of(const struct rl_lineup_of *of, const struct source *source, size_t item)
{
    const size_t kernel = of->base->items[item].kernel;
    if (source->column && rl_cell_has_speedup(&source->column->cells[item]))
        return source->column->cells[item].speedup;
    if (source->projection && kernel != RL_NONE && rl_present(source->projection->kernels[kernel].estimate_speedup))
        return (struct rl_ratio){.present = true, .estimate = source->projection->kernels[kernel].estimate_speedup.v};
    return (struct rl_ratio){.present = false};
}

static double expected_of(const struct source *source, size_t item)
{
    const struct rl_cell *cell = source->column ? &source->column->cells[item] : NULL;
    return cell && source->column->comparison && !cell->why_not && rl_present(cell->predicted) ? cell->predicted.v : NAN;
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

static struct rl_group_speedup sum_up(const struct rl_lineup_of *of, size_t card, size_t key)
{
    const struct source source = source_of(of, card);
    double *speedups = rl_calloc(of->base->count + 1, sizeof *speedups),
           *expected = rl_calloc(of->base->count + 1, sizeof *expected);
    struct rl_group_speedup sum = {.expected = rl_value_missing(RL_UNDEFINED, "the roofs predict nothing")};
    size_t predicted = 0;
    for (size_t i = 0; i < of->base->count; i++) {
        const struct rl_ratio speedup = is_of(&of->base->items[i], key) ? speedup_of(of, &source, i) : (struct rl_ratio){0};
        if (!speedup.present)
            continue;
        speedups[sum.kernels++] = speedup.estimate;
        if (isfinite(expected_of(&source, i)))
            expected[predicted++] = expected_of(&source, i);
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

static void fill_group(struct rl_lineup *lineup, const struct rl_lineup_of *of, struct rl_lineup_group *group, size_t key)
{
    group->label = key == KEYS ? "all kernels" : label_of(key);
    group->unknown = key == UNKNOWN;
    group->on = rl_arena_alloc(&lineup->arena, lineup->count * sizeof *group->on);
    for (size_t i = 0; i < of->base->count; i++)
        group->kernels += is_of(&of->base->items[i], key);
    for (size_t c = 0; c < lineup->count; c++)
        group->on[c] = sum_up(of, c, key);
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
static void make_groups(struct rl_lineup *lineup, const struct rl_lineup_of *of, size_t place[KEYS])
{
    struct ranked ranked[KEYS];
    size_t count = 0;
    for (size_t key = 0; key < KEYS; key++) {
        ranked[count] = (struct ranked){key, 0};
        place[key] = RL_NONE;
        for (size_t i = 0; i < of->base->count; i++)
            ranked[count].kernels += is_of(&of->base->items[i], key);
        count += ranked[count].kernels > 0;
    }
    rl_sort(ranked, count, sizeof *ranked, by_size);
    lineup->groups = rl_arena_alloc(&lineup->arena, (count + 1) * sizeof *lineup->groups);
    lineup->group_count = count;
    for (size_t i = 0; i < count; i++) {
        lineup->groups[i] = (struct rl_lineup_group){.kernels = 0};
        fill_group(lineup, of, &lineup->groups[i], ranked[i].key);
        place[ranked[i].key] = i;
    }
    fill_group(lineup, of, &lineup->all, KEYS);
}

/* ---- the score of a program ---- */

/* The item of the base that is this kernel of the program: the same name and shape. */
static size_t same_kernel(const struct rl_lineup_of *of, const struct rl_kernel *kernel)
{
    for (size_t i = 0; i < of->base->count; i++) {
        const size_t index = of->base->items[i].kernel;
        const struct rl_kernel *other = index == RL_NONE ? NULL : &of->base->analysis->capture->kernels[index];
        if (other && strcmp(other->name, kernel->name) == 0 && memcmp(other->grid, kernel->grid, sizeof kernel->grid) == 0 &&
            memcmp(other->block, kernel->block, sizeof kernel->block) == 0)
            return i;
    }
    return RL_NONE;
}

struct scoring {
    double time, estimate, low, high; /* of the program; on the card */
    double own, guessed;
};

static void count_kernel(struct scoring *scoring, double time, double estimate, double low, double high)
{
    scoring->time += time;
    scoring->estimate += time / estimate;
    scoring->low += time / low;
    scoring->high += time / high;
}

static void score_kernel(const struct rl_lineup *lineup, const struct rl_lineup_of *of, size_t card, size_t kernel, size_t group,
                         struct scoring *scoring)
{
    const struct source source = source_of(of, card);
    const double time = rl_kernel_gpu_ns(of->program->capture, kernel);
    const size_t item = same_kernel(of, &of->program->capture->kernels[kernel]);
    const struct rl_ratio own = item == RL_NONE ? (struct rl_ratio){.present = false} : speedup_of(of, &source, item);
    const bool known = group != RL_NONE && lineup->groups[group].on[card].kernels > 0;
    const struct rl_group_speedup *like = known ? &lineup->groups[group].on[card] : &lineup->all.on[card];
    if (own.present) {
        count_kernel(scoring, time, own.estimate, own.has_interval ? own.low : own.estimate,
                     own.has_interval ? own.high : own.estimate);
        scoring->own += time;
        return;
    }
    count_kernel(scoring, time, like->middle, like->low, like->high);
    scoring->guessed += known ? 0 : time;
}

static size_t group_of(const struct rl_analysis *program, size_t kernel, const size_t place[KEYS])
{
    const struct rl_kernel_result *result = &program->kernels[kernel];
    const size_t key = key_of(result->limits.limiter, result->bound);
    return key == UNKNOWN ? RL_NONE : place[key];
}

static void score_card(struct rl_lineup *lineup, const struct rl_lineup_of *of, size_t card, const size_t place[KEYS])
{
    struct scoring scoring = {0};
    if (lineup->all.on[card].kernels == 0)
        return;
    for (size_t k = 0; k < of->program->capture->kernel_count; k++)
        score_kernel(lineup, of, card, k, group_of(of->program, k, place), &scoring);
    if (scoring.time <= 0)
        return;
    lineup->cards[card].score = (struct rl_ratio){.present = scoring.guessed <= RL_MOST_GUESSED * scoring.time,
                                                  .estimate = scoring.time / scoring.estimate,
                                                  .has_interval = true,
                                                  .low = scoring.time / scoring.low,
                                                  .high = scoring.time / scoring.high};
    lineup->cards[card].own = scoring.own / scoring.time;
    lineup->cards[card].guessed = scoring.guessed / scoring.time;
}

static void score(struct rl_lineup *lineup, const struct rl_lineup_of *of, const size_t place[KEYS])
{
    double all = 0;
    for (size_t k = 0; k < of->program->capture->kernel_count; k++)
        all += rl_kernel_gpu_ns(of->program->capture, k);
    for (size_t k = 0; k < of->program->capture->kernel_count && all > 0; k++) {
        const struct rl_kernel_result *result = &of->program->kernels[k];
        const size_t at = place[key_of(result->limits.limiter, result->bound)];
        if (at != RL_NONE)
            lineup->groups[at].share += rl_kernel_gpu_ns(of->program->capture, k) / all;
    }
    for (size_t c = 1; c < lineup->count; c++)
        score_card(lineup, of, c, place);
    lineup->program = rl_arena_strdup(&lineup->arena, of->program_name);
}

/* ---- the whole ---- */

struct rl_lineup *rl_lineup_new(const struct rl_lineup_of *of)
{
    struct rl_lineup *lineup = rl_calloc(1, sizeof *lineup);
    const size_t columns = of->columns ? of->columns->count : 1;
    size_t place[KEYS];
    lineup->base = of->base;
    lineup->cards = rl_arena_alloc(&lineup->arena, (columns + of->projection_count) * sizeof *lineup->cards);
    if (!of->columns) {
        const struct rl_capture *capture = of->base->analysis->capture;
        const struct rl_column base = {.card = capture->gpu_count ? rl_card_short(capture->gpus[0].name) : "unknown card",
                                       .price = of->price};
        add_measured(lineup, of->base->analysis, &base);
    }
    for (size_t i = 0; of->columns && i < columns; i++)
        add_measured(lineup, i ? of->columns->columns[i].comparison->new.analysis : of->base->analysis, &of->columns->columns[i]);
    for (size_t i = 0; i < of->projection_count; i++)
        add_projected(lineup, of->projections[i], of->prices ? of->prices[i] : 0);
    make_groups(lineup, of, place);
    if (of->program)
        score(lineup, of, place);
    return lineup;
}

void rl_lineup_free(struct rl_lineup *lineup)
{
    if (!lineup)
        return;
    rl_arena_release(&lineup->arena);
    free(lineup);
}

static struct rl_ratio scaled(struct rl_ratio ratio, double factor)
{
    ratio.estimate *= factor;
    ratio.low *= factor;
    ratio.high *= factor;
    return ratio;
}

struct rl_ratio rl_lineup_per_price(const struct rl_lineup *lineup, size_t card)
{
    assert(card < lineup->count);
    const struct rl_lineup_card *of = &lineup->cards[card], *base = &lineup->cards[0];
    if (!of->score.present || of->price <= 0 || base->price <= 0)
        return (struct rl_ratio){.present = false};
    return scaled(of->score, base->price / of->price);
}

struct rl_ratio rl_lineup_per_watt(const struct rl_lineup *lineup, size_t card)
{
    assert(card < lineup->count);
    const struct rl_lineup_card *of = &lineup->cards[card], *base = &lineup->cards[0];
    if (!of->score.present || !rl_present(of->power_w) || !rl_present(base->power_w) || of->power_w.v <= 0)
        return (struct rl_ratio){.present = false};
    return scaled(of->score, base->power_w.v / of->power_w.v);
}
