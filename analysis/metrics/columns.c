#include "analysis/columns.h"

#include "internal.h"

static const char *const kind_names[] = {
    [RL_COLUMN_MEASURED] = "measured",
    [RL_COLUMN_IMPORTED] = "imported",
    [RL_COLUMN_PUBLISHED] = "published",
};

const char *rl_column_kind_name(enum rl_column_kind kind)
{
    assert((size_t)kind < RL_COUNT(kind_names));
    return kind_names[kind];
}

const char *rl_card_short(const char *name)
{
    static const char maker[] = "NVIDIA ";
    return strncmp(name, maker, strlen(maker)) == 0 ? name + strlen(maker) : name;
}

/* ---- cells ---- */

static struct rl_value median_of(const struct rl_item *item)
{
    if (item->times.n == 0)
        return rl_value_missing(RL_NOT_COLLECTED, "no times");
    return rl_value_of(rl_median_of(item->times.seconds, item->times.n, RL_CONFIDENCE).median);
}

static struct rl_cell cell_of(const struct rl_item *item)
{
    return (struct rl_cell){
        .why_not = item->not_compared,
        .time_s = median_of(item),
        .roof_share = item->roof_share,
        .roof_time_s = item->roof_time_s,
        .predicted = rl_value_missing(RL_UNDEFINED, NULL),
        .roof = item->nearest < RL_RESOURCE_COUNT ? rl_resources[item->nearest].label : "",
        .bound = item->bound,
        .limiter = item->limiter,
        .achieved = item->metric[RL_METRIC_achieved_occupancy],
        .occupancy = item->occupancy,
        .metric = item->metric,
    };
}

/* Speedup and predicted speedup from the times of a cell and those of the base; an interval that is there is kept. */
static void relate(struct rl_cell *cell, const struct rl_cell *base)
{
    cell->predicted = rl_is_below_every_roof(base->roof_time_s) || rl_is_below_every_roof(cell->roof_time_s)
                          ? rl_value_missing(RL_UNDEFINED, "too little work for a roof to limit it")
                          : rl_value_div(base->roof_time_s, cell->roof_time_s, "the roof allows no time");
    if (!cell->speedup.present && rl_present(base->time_s) && rl_positive(cell->time_s) && base->time_s.v > 0)
        cell->speedup = (struct rl_ratio){.present = true, .estimate = base->time_s.v / cell->time_s.v};
}

bool rl_cell_has_speedup(const struct rl_cell *cell)
{
    return cell->speedup.present && !cell->why_not;
}

struct rl_value rl_cell_occupancy(const struct rl_cell *cell)
{
    const struct rl_value calculated =
        cell->occupancy ? cell->occupancy->fraction : rl_value_missing(RL_NOT_COLLECTED, "a run is several launches");
    return rl_present(calculated) || !cell->metric ? calculated : cell->metric[RL_METRIC_theoretical_occupancy];
}

struct rl_value rl_cell_speedup_achieved(const struct rl_cell *cell)
{
    if (!cell->speedup.present || cell->why_not)
        return rl_value_missing(RL_UNDEFINED, "no speedup");
    return rl_value_div(rl_value_of(cell->speedup.estimate), cell->predicted, NULL);
}

/* The base's launch is limited by a roof, and that roof is higher on the other GPU. */
static bool has_faster_limiter(const struct rl_column *column, size_t item)
{
    const struct rl_value share =
        column->comparison ? column->comparison->base.items[item].roof_share : rl_value_missing(RL_UNDEFINED, "it is the baseline");

    return rl_present(share) && share.v >= RL_BOUND_SHARE && rl_present(column->cells[item].predicted) &&
           column->cells[item].predicted.v > 1;
}

bool rl_cell_is_underused(const struct rl_column *column, size_t item)
{
    const struct rl_cell *cell = &column->cells[item];
    if (!has_faster_limiter(column, item))
        return false;
    if (!rl_present(rl_cell_speedup_achieved(cell)) || !cell->speedup.has_interval)
        return false;
    return cell->speedup.high < RL_WASTED_SHARE * cell->predicted.v;
}

/* ---- columns ---- */

enum rl_column_kind rl_column_kind_of(const struct rl_capture *capture)
{
    const char *source = capture->session.source;
    return strcmp(source, "published") == 0 ? RL_COLUMN_PUBLISHED
           : strcmp(source, "collect") == 0 ? RL_COLUMN_MEASURED
                                            : RL_COLUMN_IMPORTED;
}

static struct rl_column *add_side(struct rl_columns *columns, const struct rl_compare_side *side)
{
    const struct rl_capture *capture = side->analysis->capture;
    const size_t rows = columns->base->count;
    struct rl_column column = {.card = capture->gpu_count ? rl_card_short(capture->gpus[0].name) : "unknown GPU",
                               .kind = rl_column_kind_of(capture)};
    column.cells = rl_arena_alloc(&columns->arena, (rows + 1) * sizeof *column.cells);
    for (size_t i = 0; i < rows; i++) {
        const struct rl_value none = rl_value_missing(RL_NOT_COLLECTED, "not in this capture");
        column.cells[i] = (struct rl_cell){.why_not = "not in this capture",
                                           .time_s = none,
                                           .roof_share = none,
                                           .roof_time_s = none,
                                           .predicted = none,
                                           .roof = "",
                                           .achieved = none};
    }
    RL_APPEND(columns->columns, columns->count, columns->cap, column);
    bool alike = columns->count > 1 && column.kind != RL_COLUMN_MEASURED;
    for (size_t i = 0; i < columns->count; i++)
        alike &= columns->columns[i].kind == column.kind;
    for (size_t i = 0; i < columns->count; i++)
        columns->columns[i].alike = alike;
    return &columns->columns[columns->count - 1];
}

struct rl_columns *rl_columns_new(const struct rl_compare_side *base)
{
    struct rl_columns *columns = rl_calloc(1, sizeof *columns);
    columns->base = base;
    struct rl_column *column = add_side(columns, base);
    for (size_t i = 0; i < base->count; i++) {
        column->cells[i] = cell_of(&base->items[i]);
        relate(&column->cells[i], &column->cells[i]);
    }
    return columns;
}

/* New over base, turned round. */
static struct rl_ratio inverse(const struct rl_ratio *ratio)
{
    struct rl_ratio speedup = {.present = ratio->present, .has_interval = ratio->has_interval};
    if (ratio->present)
        speedup.estimate = 1 / ratio->estimate;
    if (ratio->has_interval) {
        speedup.low = 1 / ratio->high;
        speedup.high = 1 / ratio->low;
    }
    return speedup;
}

struct rl_column *rl_columns_add(struct rl_columns *columns, const struct rl_comparison *comparison)
{
    assert(comparison->base.count == columns->base->count);
    struct rl_column *column = add_side(columns, &comparison->new);
    column->comparison = comparison;
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct rl_pair *pair = &comparison->pairs[i];
        struct rl_cell *cell = &column->cells[pair->base];
        *cell = cell_of(&comparison->new.items[pair->new]);
        if (!pair->not_compared)
            cell->speedup = inverse(&pair->change.time);
        relate(cell, &columns->columns[0].cells[pair->base]);
        if (pair->not_compared)
            cell->speedup.present = false;
    }
    return column;
}

void rl_columns_free(struct rl_columns *columns)
{
    if (!columns)
        return;
    free(columns->columns);
    rl_arena_release(&columns->arena);
    free(columns);
}

/* ---- what a GPU has not ---- */

/* The metric on some row; the last reason when it is on none. What is only not defined for these launches is no lack. */
static struct rl_value any(const struct rl_columns *columns, const struct rl_column *column, enum rl_metric metric)
{
    struct rl_value found = rl_value_missing(RL_NOT_COLLECTED, NULL);
    for (size_t i = 0; i < columns->base->count && !rl_present(found); i++)
        if (column->cells[i].metric && !column->cells[i].why_not)
            found = column->cells[i].metric[metric];
    return found;
}

/* Whether the column lacks what the base has, and why; NULL: it does not. What is only not defined for these launches is no lack.
 */
static const char *lacks(const struct rl_columns *columns, const struct rl_column *column, enum rl_metric metric)
{
    const struct rl_value here = any(columns, column, metric);
    if (rl_present(here) || here.state == RL_UNDEFINED || !rl_present(any(columns, &columns->columns[0], metric)))
        return NULL;
    return rl_value_reason(here);
}

void rl_column_lacks(const struct rl_columns *columns, const struct rl_column *column, struct rl_buf *out)
{
    enum { FEW = 3, MANY = 12 };
    const char *reasons[RL_METRIC_COUNT];
    const size_t before = out->len;
    size_t lacking = 0, present = 0;
    for (size_t metric = 0; metric < RL_METRIC_COUNT; metric++) {
        reasons[metric] = RL_ANY(i, columns->base->count, column->cells[i].metric && !column->cells[i].why_not)
                              ? lacks(columns, column, (enum rl_metric)metric)
                              : NULL;
        lacking += reasons[metric] != NULL;
        present += rl_present(any(columns, column, (enum rl_metric)metric));
    }
    if (lacking > MANY && present <= FEW) {
        /* "all but static occupancy": shorter than naming what is lacking where little is there. */
        rl_buf_adds(out, present ? "all metrics but " : "all metrics");
        for (size_t metric = 0, said = 0; metric < RL_METRIC_COUNT; metric++)
            if (rl_present(any(columns, column, (enum rl_metric)metric)))
                rl_buf_addf(out, "%s%s", said++ ? ", " : "", rl_metrics[metric].label);
        return;
    }
    for (size_t metric = 0; metric < RL_METRIC_COUNT; metric++) {
        /* The metrics from `first` on that are lacking for the same reason as it, which is printed once; forgets them. */
        bool follows = out->len > before;
        const char *reason = reasons[metric];
        if (!reason)
            continue;
        rl_buf_adds(out, follows ? "; " : "");
        for (size_t i = metric; i < RL_METRIC_COUNT; i++)
            if (reasons[i] && strcmp(reasons[i], reason) == 0) {
                rl_buf_addf(out, "%s%s", i > metric ? ", " : "", rl_metrics[i].label);
                reasons[i] = NULL;
            }
        rl_buf_addf(out, " (%s)", reason);
    }
}
