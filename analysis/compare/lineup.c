/* lineup.c - GPUs side by side (see projection.h). */
#include "analysis/projection.h"

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

static enum rl_lineup_kind kind_of(enum rl_column_kind kind)
{
    static const enum rl_lineup_kind kinds[] = {[RL_COLUMN_MEASURED] = RL_LINEUP_MEASURED,
                                                [RL_COLUMN_IMPORTED] = RL_LINEUP_IMPORTED,
                                                [RL_COLUMN_PUBLISHED] = RL_LINEUP_PUBLISHED};
    assert((size_t)kind < RL_COUNT(kinds));
    return kinds[kind];
}

/* Of a GPU that others have measured, at whatever clock: the data sheet's, or theory at its boost clock, so that the roofs of all
 * such GPUs are at equal clocks. Missing where no data sheet is known, as of a GPU that the files do not name. */
static struct rl_value roof_of_others(const struct rl_gpu_result *card, size_t ceiling)
{
    const struct rl_ceiling *roof = &card->ceiling[ceiling], *fp32 = &card->ceiling[RL_CEILING_fp32];
    const struct rl_value to_boost = rl_value_div(fp32->data_sheet, fp32->theoretical, "no data sheet");
    if (roof->measured.n > 0)
        return rl_ceiling_figure(roof);
    if (rl_present(roof->data_sheet))
        return roof->data_sheet;
    return roof->by_clock ? rl_value_mul(roof->theoretical, to_boost)
                          : rl_value_missing(RL_NOT_COLLECTED, "not in the data sheets");
}

static void add_measured(struct rl_lineup *lineup, const struct rl_analysis *analysis, const struct rl_column *column)
{
    const struct rl_capture *capture = analysis->capture;
    const struct rl_value none = rl_value_missing(RL_NOT_COLLECTED, "no GPU is in the capture");
    struct rl_lineup_card *card = &lineup->cards[lineup->count++];
    *card = (struct rl_lineup_card){
        .name = column->card, .kind = kind_of(column->kind), .memory_bytes = none, .power_w = none, .sm_count = none};
    for (size_t i = 0; i < RL_CEILING_COUNT; i++)
        card->roof[i] = none;
    if (capture->gpu_count == 0)
        return;
    card->memory_bytes = capture->gpus[0].fact[RL_FACT_memory_bytes];
    card->power_w = capture->gpus[0].fact[RL_FACT_power_limit_w];
    card->sm_count = capture->gpus[0].fact[RL_FACT_sm_count];
    for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
        card->roof[i] = card->kind == RL_LINEUP_MEASURED ? rl_ceiling_figure(&analysis->gpus[0].ceiling[i])
                                                         : roof_of_others(&analysis->gpus[0], i);
        const struct rl_stats *measured = &analysis->gpus[0].ceiling[i].measured;
        card->measured[i] = measured->n > 0;
        if (card->measured[i] && card->kind == RL_LINEUP_MEASURED && measured->has_interval)
            card->half_width[i] = (measured->high - measured->low) / 2 / measured->median;
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
                                                                 : rl_value_missing(RL_NOT_COLLECTED, "not in the table of GPUs"),
                                    .sm_count = rl_value_of(info->sm_count)};
    for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
        card->roof[i] = projection->ceiling[i].figure;
        card->measured[i] = projection->ceiling[i].recorded != NULL;
    }
}

/* Where a GPU's speedups come from. */
struct source {
    const struct rl_column *column; /* NULL: it is a projection */
    const struct rl_projection *projection;
};

static struct source source_of(const struct rl_lineup *lineup, size_t card)
{
    const struct rl_lineup_of *of = &lineup->of;
    const size_t columns = of->columns ? of->columns->count : 1;
    if (card < columns)
        return (struct source){of->columns ? &of->columns->columns[card] : NULL, NULL};
    return (struct source){NULL, of->projections[card - columns]};
}

struct rl_ratio rl_lineup_speedup(const struct rl_lineup *lineup, size_t card, size_t item)
{
    const struct source source = source_of(lineup, card);
    assert(item < lineup->of.base->count);
    const size_t kernel = lineup->of.base->items[item].kernel;
    if (source.column && rl_cell_has_speedup(&source.column->cells[item]))
        return source.column->cells[item].speedup;
    if (source.projection && kernel != RL_NONE) {
        /* The estimate goes with the bound, and so do its ends. */
        const struct rl_projected *projected = &source.projection->kernels[kernel];
        struct rl_ratio ratio = {.present = rl_present(projected->estimate_speedup), .estimate = projected->estimate_speedup.v};
        if (!ratio.present)
            return (struct rl_ratio){.present = false};
        const double bound = projected->bound_s.v;
        ratio.low = ratio.high = ratio.estimate;
        if (rl_present(projected->bound_high_s) && projected->bound_high_s.v > bound)
            ratio.low *= bound / projected->bound_high_s.v;
        if (rl_positive(projected->bound_low_s) && projected->bound_low_s.v < bound)
            ratio.high *= bound / projected->bound_low_s.v;
        ratio.has_interval = ratio.low < ratio.high;
        return ratio;
    }
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

static double middle_of(double *values, size_t count)
{
    rl_sort_doubles(values, count);
    return rl_stats_quantile_sorted(values, count, 0.5);
}

/* Which items of the base belong to a group. */
static bool is_of(const struct rl_item *item, size_t key)
{
    return key == RL_LIMITER_COUNT || rl_limiter_of(item->limiter, item->bound) == key; /* RL_LIMITER_COUNT: all */
}

static struct rl_group_speedup sum_up(const struct rl_lineup *lineup, size_t card, size_t key)
{
    const struct rl_compare_side *base = lineup->of.base;
    RL_FREED double *speedups = rl_calloc(base->count + 1, sizeof *speedups),
                    *expected = rl_calloc(base->count + 1, sizeof *expected);
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
    return sum;
}

static void fill_group(struct rl_lineup *lineup, struct rl_lineup_group *group, size_t key)
{
    group->label = key == RL_LIMITER_COUNT ? "all kernels" : rl_limiter_label(key);
    group->unknown = key == RL_LIMITER_UNKNOWN;
    group->on = rl_arena_alloc(&lineup->arena, lineup->count * sizeof *group->on);
    for (size_t i = 0; i < lineup->of.base->count; i++)
        group->kernels += is_of(&lineup->of.base->items[i], key);
    for (size_t c = 0; c < lineup->count; c++)
        group->on[c] = sum_up(lineup, c, key);
}

struct ranked {
    size_t key, kernels;
};

/* Most kernels first; unknown ones last. */
RL_COMPARATOR(by_size, struct ranked, rl_ascending((int)(x->key == RL_LIMITER_UNKNOWN), (int)(y->key == RL_LIMITER_UNKNOWN))
              ?: rl_descending(x->kernels, y->kernels) ?: rl_ascending(x->key, y->key));

struct rl_lineup *rl_lineup_new(const struct rl_lineup_of *of)
{
    struct rl_lineup *lineup = rl_calloc(1, sizeof *lineup);
    const size_t columns = of->columns ? of->columns->count : 1;
    lineup->of = *of;
    lineup->cards = rl_arena_alloc(&lineup->arena, (columns + of->projection_count) * sizeof *lineup->cards);
    if (!of->columns) {
        const struct rl_capture *capture = of->base->analysis->capture;
        const struct rl_column base = {.card = capture->gpu_count ? rl_card_short(capture->gpus[0].name) : "unknown GPU"};
        add_measured(lineup, of->base->analysis, &base);
    }
    for (size_t i = 0; of->columns && i < columns; i++)
        add_measured(lineup, i ? of->columns->columns[i].comparison->new.analysis : of->base->analysis, &of->columns->columns[i]);
    for (size_t i = 0; i < of->projection_count; i++)
        add_projected(lineup, of->projections[i]);
    struct ranked ranked[RL_LIMITER_COUNT];
    size_t count = 0;
    for (size_t key = 0; key < RL_LIMITER_COUNT; key++) {
        ranked[count] = (struct ranked){key, 0};
        for (size_t j = 0; j < lineup->of.base->count; j++)
            ranked[count].kernels += is_of(&lineup->of.base->items[j], key);
        count += ranked[count].kernels > 0;
    }
    rl_sort(ranked, count, sizeof *ranked, by_size);
    lineup->groups = rl_arena_alloc(&lineup->arena, (count + 1) * sizeof *lineup->groups);
    lineup->group_count = count;
    for (size_t j = 0; j < count; j++) {
        lineup->groups[j] = (struct rl_lineup_group){.kernels = 0};
        fill_group(lineup, &lineup->groups[j], ranked[j].key);
    }
    fill_group(lineup, &lineup->all, RL_LIMITER_COUNT);
    return lineup;
}

bool rl_lineup_is_alike(const struct rl_lineup *lineup)
{
    const enum rl_lineup_kind kind = lineup->cards[0].kind;
    bool alike = lineup->count > 1 && (kind == RL_LINEUP_IMPORTED || kind == RL_LINEUP_PUBLISHED);
    for (size_t c = 1; c < lineup->count; c++)
        alike &= lineup->cards[c].kind == kind;
    return alike;
}

void rl_lineup_free(struct rl_lineup *lineup)
{
    if (!lineup)
        return;
    rl_arena_release(&lineup->arena);
    free(lineup);
}

void rl_lineup_text(const struct rl_lineup *lineup, size_t card, struct rl_buf *out)
{
    enum { MOST = 3 };
    const struct rl_group_speedup *all = &lineup->all.on[card];
    size_t said = 0;
    assert(card < lineup->count);
    if (card == 0)
        return;
    if (all->kernels == 0) { /* no ratio is not no kernel */
        const struct rl_columns *columns = lineup->of.columns;
        size_t common = 0;
        for (size_t i = 0; columns && card < columns->count && i < lineup->of.base->count; i++)
            common += !columns->columns[card].cells[i].why_not;
        if (common)
            rl_buf_addf(out, "%zu kernel%s in common, without times on one side or both", common, common == 1 ? "" : "s");
        return;
    }
    for (size_t i = 0; i < lineup->group_count && said < MOST; i++) {
        const struct rl_lineup_group *group = &lineup->groups[i];
        if (lineup->groups[i].on[card].kernels == 0 || lineup->groups[i].unknown)
            continue;
        const size_t kernels = group->on[card].kernels;
        rl_buf_addf(out, said ? ", %.2f× by %s (%zu)" : "%.2f× where limited by %s (%zu kernel%s)", group->on[card].middle,
                    group->label, kernels, kernels == 1 ? "" : "s");
        said++;
    }
    if (said && all->kernels == 1)
        return; /* the group is all there is */
    if (!said && !(all->low < all->high)) {
        rl_buf_addf(out, "%.2f× (%zu kernel%s)", all->low, all->kernels, all->kernels == 1 ? "" : "s");
        return;
    }
    rl_buf_addf(out, said ? "; %.2f× to %.2f× over all %zu kernel%s" : "%.2f× to %.2f× over all %zu kernel%s", all->low, all->high,
                all->kernels, all->kernels == 1 ? "" : "s");
}
