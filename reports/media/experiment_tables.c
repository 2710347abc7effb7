/* experiment_tables.c - the tables of the experiment page (see experiment.h). */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "experiment.h"

static struct rl_scale scale_of(struct rl_report *report, const struct rl_view *view, enum rl_unit unit, rl_view_value value)
{
    struct rl_value *values = rl_arena_alloc(report->doc->arena, (view->count + 1) * sizeof *values);
    for (size_t i = 0; i < view->count; i++)
        values[i] = value(report, view, i);
    return rl_words_scale(unit, values, view->count);
}

/* ---- variants ---- */

/* Columns of the table of variants that are there when a variant has the value. */
static const struct {
    const char *head;
    enum rl_unit unit;
    rl_view_value value;
    int digits;
    const char *declared;  /* only where the experiment declares this column; NULL: everywhere */
    struct rl_scale scale; /* factor 0: the one that suits the values */
} extra_rows[] = {
    {"time per operation", RL_UNIT_SECOND, rl_view_time_per_operation, 4, NULL, {0}},
    {"useful bandwidth", RL_UNIT_BYTE_PER_SECOND, rl_view_bandwidth, 4, NULL, {0}},
    {"overlap of copies and kernels", RL_UNIT_FRACTION, rl_view_overlap, 3, NULL, {0}},
    {"median gap on the timeline", RL_UNIT_SECOND, rl_view_gap, 3, RL_COLUMN_GAP, {0}},
    {"largest error", RL_UNIT_NONE, rl_view_error, 2, RL_COLUMN_ERROR, {1e6, "millionths"}},
};
struct extra {
    bool shown;
    struct rl_scale scale;
};

/* Useful bandwidth is shown only where the experiment is judged by it. */
static void choose_extras(struct rl_report *report, const struct rl_view *view, struct extra extras[RL_COUNT(extra_rows)])
{
    for (size_t e = 0; e < RL_COUNT(extra_rows); e++) {
        bool rate = extra_rows[e].unit == RL_UNIT_BYTE_PER_SECOND;
        extras[e].shown = (!extra_rows[e].declared || rl_view_declares(view, extra_rows[e].declared)) &&
                          rl_view_any(report, view, extra_rows[e].value) && (!rate || view->quantity->value == extra_rows[e].value);
        extras[e].scale =
            extra_rows[e].scale.factor > 0 ? extra_rows[e].scale : scale_of(report, view, extra_rows[e].unit, extra_rows[e].value);
    }
}

static enum rl_style style_of(const struct rl_view *view, size_t i, rl_view_value value)
{
    bool best = view->comparable && i == view->best && view->quantity->value == value;
    return best ? RL_STYLE_CELL_STRONG : RL_STYLE_CELL;
}

/* Cells that a variant and the kernels of its run have in common: name, median time with interval, number of samples. */
static void add_times(struct rl_report *report, struct rl_grid *grid, const struct rl_roofline_entry *entry, enum rl_style style,
                      double time_factor)
{
    const struct rl_stats *duration = entry->duration;
    bool timed = rl_present(entry->time_s);
    rl_grid_value(grid, style, entry->time_s, time_factor, 4);
    rl_grid_cell(grid, RL_STYLE_SIDE,
                 timed ? rl_words_interval(report->doc, duration->low, duration->high, duration->has_interval, time_factor, 4)
                       : "");
    rl_grid_cell(grid, RL_STYLE_CELL, timed ? rl_words(report->doc, "%zu", duration->n) : "");
}

/* What each row of the table of variants has besides the name and the times. */
struct shown {
    struct extra extras[RL_COUNT(extra_rows)];
    bool measure; /* how it was timed, when that is not the same for all */
    bool roof;    /* share of the roof and what binds */
    double time_factor;
};

/* True when something lies under a roof, or must be called wrong. */
static bool roof_is_known(const struct rl_view *view)
{
    for (size_t i = 0; i < view->count; i++)
        if (view->entries[i].wrong || rl_present(view->entries[i].roof_share))
            return true;
    return false;
}

/* One row for each kernel class of a run that is more than one launch. */
static void add_parts(struct rl_report *report, const struct rl_roofline_entry *entry, struct rl_grid *grid,
                      const struct shown *shown, size_t blank)
{
    const struct rl_kernel_result *kernel;
    for (size_t k = 0; !entry->kernel && (kernel = rl_entry_kernel(report, entry->run->variant, k)); k++) {
        if (k == RL_MOST_PARTS) {
            rl_grid_row(grid);
            rl_grid_cell(grid, RL_STYLE_NAME_QUIET, rl_entry_more_parts(report, kernel));
            break;
        }
        struct rl_roofline_entry part = rl_entry_of_kernel(report, kernel);
        rl_grid_row(grid);
        rl_grid_cell(grid, RL_STYLE_NAME_QUIET, rl_entry_part_name(report, kernel));
        add_times(report, grid, &part, RL_STYLE_CELL_QUIET, shown->time_factor);
        for (size_t i = 0; i < blank; i++)
            rl_grid_cell(grid, RL_STYLE_CELL, "");
        if (shown->roof)
            rl_entry_add_roof(report, grid, &part);
    }
}

static void add_variant(struct rl_report *report, const struct rl_view *view, struct rl_grid *grid, size_t i,
                        const struct shown *shown)
{
    assert(i < view->count);
    const struct rl_roofline_entry *entry = &view->entries[i];
    size_t more = 0;
    rl_grid_row(grid);
    rl_grid_cell(grid, RL_STYLE_CELL_NAME, rl_view_variant(report, view, i)->name);
    add_times(report, grid, entry, style_of(view, i, rl_view_time), shown->time_factor);
    if (shown->measure) {
        rl_grid_cell(grid, RL_STYLE_CELL, rl_measure_of(rl_view_variant(report, view, i)->measure)->column);
        more++;
    }
    for (size_t e = 0; e < RL_COUNT(extra_rows); e++) {
        if (!shown->extras[e].shown)
            continue;
        rl_grid_value(grid, style_of(view, i, extra_rows[e].value), extra_rows[e].value(report, view, i),
                      shown->extras[e].scale.factor, extra_rows[e].digits);
        more++;
    }
    if (shown->roof)
        rl_entry_add_roof(report, grid, entry);
    add_parts(report, entry, grid, shown, more);
}

/* What each variant is, below its figures: "lean: One fused multiply-add on one number. array100: ...". */
static void draw_descriptions(struct rl_report *report, const struct rl_view *view)
{
    struct rl_layout *layout = report->doc->layout;
    struct rl_para para = RL_PARA_INIT;
    for (size_t i = 0; i < view->count && view->count <= RL_GRID_LONG; i++) {
        const struct rl_variant *variant = rl_view_variant(report, view, i);
        if (!variant->description || !variant->description[0])
            continue;
        rl_para_addf(layout, &para, RL_STYLE_NOTE_NAME, "%s%s", para.count ? "  " : "", variant->name);
        rl_para_addf(layout, &para, RL_STYLE_NOTE, ": %s", rl_words_shortened(report->doc, variant->description, 400));
    }
    if (para.count > 0) {
        rl_layout_skip(layout, 2);
        rl_layout_para(layout, &para);
    }
    rl_para_release(&para);
}

static void add_columns(struct rl_grid *grid, const struct shown *shown, const char *time_unit)
{
    rl_grid_add_columns(grid, &(struct rl_grid_column){.head = "variant"}, 1);
    rl_grid_add_columns(grid, &(struct rl_grid_column){.head = "median time", .unit = time_unit, .align = RL_GRID_DECIMAL}, 1);
    rl_grid_add_columns(
        grid, &(struct rl_grid_column){.head = "95 % interval", .unit = time_unit, .align = RL_GRID_RIGHT, .close = true}, 1);
    rl_grid_add_columns(grid, &(struct rl_grid_column){.head = "n", .align = RL_GRID_RIGHT}, 1);
    if (shown->measure)
        rl_grid_add_columns(grid, &(struct rl_grid_column){.head = "timed by", .whole = true}, 1);
    for (size_t e = 0; e < RL_COUNT(extra_rows); e++)
        if (shown->extras[e].shown)
            rl_grid_add_columns(grid,
                                &(struct rl_grid_column){
                                    .head = extra_rows[e].head, .unit = shown->extras[e].scale.symbol, .align = RL_GRID_DECIMAL},
                                1);
    if (shown->roof) {
        rl_grid_add_columns(
            grid, &(struct rl_grid_column){.head = "share of its roof", .unit = "%", .align = RL_GRID_DECIMAL, .share_width = 36},
            1);
        rl_grid_add_columns(grid, &(struct rl_grid_column){.head = "bound", .whole = true}, 1);
    }
}

void rl_view_draw_variants(struct rl_report *report, const struct rl_view *view)
{
    struct rl_scale time = scale_of(report, view, RL_UNIT_SECOND, rl_view_time);
    struct shown shown = {.measure = !rl_view_measure(report, view), .roof = roof_is_known(view), .time_factor = time.factor};
    struct rl_grid grid;
    choose_extras(report, view, shown.extras);
    rl_grid_begin(&grid, report->doc->layout, NULL, NULL, 0);
    grid.title = rl_report_is_full(report) ? "Variants" : NULL; /* the head of its first column says it, too */
    rl_layout_skip(report->doc->layout, 6);
    grid.tight = view->count >= RL_VIEW_TIGHT;
    add_columns(&grid, &shown, time.symbol);
    for (size_t i = 0; i < view->count; i++)
        add_variant(report, view, &grid, i, &shown);
    rl_grid_end(&grid);
    draw_descriptions(report, view);
}

/* ---- counters ---- */

/* Shown where they tell variants apart, besides those that the claims name or the experiment declares. */
static const enum rl_metric telling[] = {
    RL_METRIC_sectors_per_request_load,  RL_METRIC_sectors_per_request_store, RL_METRIC_bytes_per_load,
    RL_METRIC_shared_conflict_ways,      RL_METRIC_achieved_occupancy,        RL_METRIC_theoretical_occupancy,
    RL_METRIC_warp_execution_efficiency, RL_METRIC_branch_efficiency,         RL_METRIC_spill_bytes,
};

/* A column: values of all variants with their scale. `digits` 0: whole numbers. */
struct column {
    const char *label;
    struct rl_value *values;
    struct rl_scale scale;
    int digits;
};
enum { MOST_COUNTERS = 8, MOST_COLUMNS = 10 }; /* of counters; of one table that still fits the page */

static bool named_by_claim(const struct rl_view *view, enum rl_metric metric)
{
    for (size_t i = 0; i < view->experiment->claim_count; i++)
        if (rl_metric_find(view->experiment->claims[i].quantity) == metric)
            return true;
    return false;
}

static bool is_telling(enum rl_metric metric)
{
    for (size_t t = 0; t < RL_COUNT(telling); t++)
        if (telling[t] == metric)
            return true;
    return false;
}

/* True when the variants that have the value differ in it. */
static bool varies(const struct rl_value *values, size_t count)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < count; i++)
        if (rl_present(values[i])) {
            least = fmin(least, values[i].v);
            most = fmax(most, values[i].v);
        }
    return most - least > 0.01 * fmax(fabs(most), fabs(least));
}

static struct column make_column(struct rl_report *report, const struct rl_view *view, const char *label, enum rl_unit unit)
{
    return (struct column){label, rl_arena_alloc(report->doc->arena, (view->count + 1) * sizeof(struct rl_value)),
                           rl_unit_scale(unit, 1), 3};
}

/* True when a claim compares the count with an exact figure: then it is printed to the last digit. */
static bool is_exact(const struct rl_view *view, enum rl_metric metric)
{
    assert(metric < RL_METRIC_COUNT);
    for (size_t i = 0; i < view->experiment->claim_count && rl_metrics[metric].unit == RL_UNIT_COUNT; i++)
        if (rl_metric_find(view->experiment->claims[i].quantity) == metric && rl_claim_is_exact(&view->experiment->claims[i]))
            return true;
    return false;
}

/* Why a metric is looked at. */
enum reason { CLAIMED, DECLARED, TELLING, REASONS };

/* Adds the column of a metric when it tells something; returns the number of columns added. */
static size_t add_metric(struct rl_report *report, const struct rl_view *view, enum rl_metric metric, enum reason reason,
                         struct column *column)
{
    assert(metric < RL_METRIC_COUNT);
    bool used = report->used[metric], known = false;
    *column = make_column(report, view, rl_metrics[metric].label, rl_metrics[metric].unit);
    for (size_t i = 0; i < view->count; i++) {
        column->values[i] = rl_view_metric(report, view, i, metric);
        known |= rl_present(column->values[i]);
    }
    column->scale = rl_words_scale(rl_metrics[metric].unit, column->values, view->count);
    column->digits = is_exact(view, metric) ? 0 : column->digits;
    bool show = reason == CLAIMED || (reason == DECLARED ? known : varies(column->values, view->count));
    report->used[metric] = show || used; /* else it was only looked at */
    return show;
}

static size_t add_registers(struct rl_report *report, const struct rl_view *view, struct column *column)
{
    *column = make_column(report, view, "registers per thread", RL_UNIT_NONE);
    column->digits = 0;
    for (size_t i = 0; i < view->count; i++)
        column->values[i] = rl_view_registers(report, view, i);
    return varies(column->values, view->count);
}

/* The work model and the counters that it foretells. */
static const struct {
    const char *model, *counter, *ratio;
    enum rl_unit unit;
    enum rl_metric metric;
    bool flop;
} pairs[] = {
    {"model bytes", "DRAM bytes", "DRAM bytes / model", RL_UNIT_BYTE, RL_METRIC_dram_bytes, false},
    {"model FLOP", "counted FLOP", "FLOP / model", RL_UNIT_FLOP, RL_METRIC_flop_total, true},
};

static bool any_positive(const struct rl_value *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (rl_present(values[i]) && values[i].v > 0)
            return true;
    return false;
}

/* Counter over model, before it, where all is asked for, both. None when the model knows of no work of this kind. */
static size_t add_pair(struct rl_report *report, const struct rl_view *view, size_t pair, struct column *columns)
{
    columns[0] = make_column(report, view, pairs[pair].model, pairs[pair].unit);
    columns[1] = make_column(report, view, pairs[pair].counter, pairs[pair].unit);
    columns[2] = make_column(report, view, pairs[pair].ratio, RL_UNIT_NONE);
    columns[0].digits = columns[1].digits = 4;
    for (size_t i = 0; i < view->count; i++) {
        const struct rl_variant *variant = rl_view_variant(report, view, i);
        columns[0].values[i] = pairs[pair].flop ? variant->model_flop : variant->model_bytes;
    }
    if (!any_positive(columns[0].values, view->count))
        return 0;
    for (size_t i = 0; i < view->count; i++) {
        columns[1].values[i] = rl_view_metric(report, view, i, pairs[pair].metric);
        columns[2].values[i] = rl_value_div(columns[1].values[i], columns[0].values[i], "the model has none");
    }
    columns[0].scale = columns[1].scale = rl_words_scale(pairs[pair].unit, columns[0].values, view->count);
    if (rl_report_is_full(report))
        return 3;
    columns[0] = columns[2];
    return 1;
}

static enum reason reason_for(const struct rl_view *view, enum rl_metric metric)
{
    assert(metric < RL_METRIC_COUNT);
    if (named_by_claim(view, metric))
        return CLAIMED;
    return rl_view_declares(view, rl_metrics[metric].id) ? DECLARED : is_telling(metric) ? TELLING : REASONS;
}

/* The metrics that claims name come first, then those that the experiment declares, then others that tell the variants apart. */
static size_t choose_counters(struct rl_report *report, const struct rl_view *view, struct column *columns)
{
    size_t count = 0;
    for (enum reason reason = CLAIMED; reason < REASONS; reason++)
        for (size_t i = 0; i < RL_METRIC_COUNT && count < MOST_COUNTERS; i++)
            if (reason_for(view, (enum rl_metric)i) == reason)
                count += add_metric(report, view, (enum rl_metric)i, reason, &columns[count]);
    if (count < MOST_COUNTERS)
        count += add_registers(report, view, &columns[count]);
    return count;
}

static void draw_table(struct rl_report *report, const struct rl_view *view, const struct column *columns, size_t count)
{
    struct rl_grid grid;
    if (count == 0)
        return;
    static const struct rl_grid_column heads[] = {
        {.head = "variant", .align = RL_GRID_LEFT},
    };
    rl_grid_begin(&grid, report->doc->layout, NULL, heads, RL_COUNT(heads));
    grid.tight = view->count >= RL_VIEW_TIGHT;
    for (size_t c = 0; c < count; c++)
        rl_grid_add_columns(
            &grid, &(struct rl_grid_column){.head = columns[c].label, .unit = columns[c].scale.symbol, .align = RL_GRID_DECIMAL},
            1);
    for (size_t i = 0; i < view->count; i++) {
        rl_grid_row(&grid);
        rl_grid_cell(&grid, RL_STYLE_CELL_NAME, rl_view_variant(report, view, i)->name);
        for (size_t c = 0; c < count; c++)
            rl_grid_value(&grid, RL_STYLE_CELL, columns[c].values[i], columns[c].scale.factor, columns[c].digits);
    }
    rl_grid_end(&grid);
}

/* ---- what there is to say about counters ---- */

/* True when a kernel of the experiment has counters. */
static bool counted(const struct rl_report *report, const struct rl_view *view)
{
    const struct rl_index *index = &report->analysis->index;
    const size_t *variants, *kernels, variant_count = rl_group(&index->variants_of_experiment, view->key.experiment, &variants);
    for (size_t i = 0; i < variant_count; i++) {
        const size_t count = rl_group(&index->kernels_of_variant, variants[i], &kernels);
        for (size_t k = 0; k < count; k++)
            if (report->capture->kernels[kernels[k]].counter_count > 0)
                return true;
    }
    return false;
}

/* True when all runs were timed by the host's clock: those are not counted, whatever the session collected. */
static bool never_counted(const struct rl_report *report, const struct rl_view *view)
{
    const struct rl_measure_row *measure = rl_view_measure(report, view);
    return measure && measure->id && strcmp(measure->id, "wall") == 0;
}

#define COUNTERS_NEED 130.0 /* heading, text and the first rows of the table: no heading stands alone */

/* The explanation, in which names of variants may stand in backticks. */
static void explain(struct rl_report *report, const char *text)
{
    struct rl_para para = RL_PARA_INIT;
    rl_para_coded(report->doc->layout, &para, RL_STYLE_BODY, RL_STYLE_CODE, text);
    para.max_lines = RL_TEXT_LINES;
    rl_layout_para(report->doc->layout, &para);
    rl_para_release(&para);
}

static void introduce_counters(struct rl_report *report, const struct rl_view *view, bool follows)
{
    rl_layout_need(report->doc->layout, COUNTERS_NEED);
    rl_layout_subsection(report->doc->layout, "Counters against the work model");
    if (!counted(report, view))
        rl_layout_textf(report->doc->layout, RL_STYLE_BODY, "No counters were collected for these variants (%s)%s.",
                        rl_words_short(report->doc, report->capture->session.counters, 120),
                        follows ? "; the figures below follow from the launches" : "");
    else if (view->experiment->explanation)
        explain(report, view->experiment->explanation);
    rl_layout_skip(report->doc->layout, 3);
}

static void explain_uncounted(struct rl_report *report, const struct rl_view *view)
{
    struct rl_para para = RL_PARA_INIT;
    rl_layout_skip(report->doc->layout, 6);
    rl_para_add(report->doc->layout, &para, RL_STYLE_STRONG, "Not counted. ");
    rl_para_addf(report->doc->layout, &para, RL_STYLE_BODY, "These runs are timed by the host's clock and have no counters. %s",
                 view->experiment->explanation ? view->experiment->explanation : "");
    para.max_lines = RL_TEXT_LINES;
    rl_layout_para(report->doc->layout, &para);
    rl_para_release(&para);
}

void rl_view_draw_counters(struct rl_report *report, const struct rl_view *view)
{
    struct column columns[MOST_COUNTERS + 3 * RL_COUNT(pairs)];
    if (never_counted(report, view)) {
        explain_uncounted(report, view);
        return;
    }
    size_t counters = choose_counters(report, view, columns), count = counters;
    for (size_t p = 0; p < RL_COUNT(pairs); p++)
        count += add_pair(report, view, p, &columns[count]);
    introduce_counters(report, view, count > 0);
    if (count <= MOST_COLUMNS) {
        draw_table(report, view, columns, count);
        return;
    }
    draw_table(report, view, columns, counters); /* too wide for one table */
    rl_layout_skip(report->doc->layout, 4);
    draw_table(report, view, columns + counters, count - counters);
}

/* ---- published figures ---- */

/* "The lean kernel takes 8 registers a thread (NVIDIA A100-SXM4-40GB: 8; here 12)." */
static void add_reference(struct rl_report *report, struct rl_para *para, const struct rl_claim *claim,
                          const struct rl_claim_result *result)
{
    const char *text = rl_words_shortened(report->doc, claim->text, 400);
    const size_t len = strlen(text);
    rl_para_addf(report->doc->layout, para, RL_STYLE_NOTE_INK, "%.*s (%s: %s; here ",
                 (int)(len && text[len - 1] == '.' ? len - 1 : len), text,
                 claim->card ? rl_words_short(report->doc, claim->card, 60) : "another card",
                 rl_words_value(report->doc, result->unit, rl_value_of(claim->value), 4));
    rl_para_addf(report->doc->layout, para, RL_STYLE_NOTE_STRONG, "%s",
                 rl_present(result->measured) ? rl_words_value(report->doc, result->unit, result->measured, 4)
                                              : rl_words_short(report->doc, rl_value_reason(result->measured), 80));
    rl_para_add(report->doc->layout, para, RL_STYLE_NOTE_INK, "). ");
}

/* Running text, so that no page is begun for it. */
void rl_view_draw_references(struct rl_report *report, const struct rl_view *view)
{
    struct rl_para para = RL_PARA_INIT;
    const size_t *claims, count = rl_claims_on(report->analysis, view->key.experiment, view->key.gpu, &claims);
    for (size_t i = 0; i < count; i++) {
        const struct rl_claim_result *result = &report->analysis->claims[claims[i]];
        if (result->outcome != RL_CLAIM_REFERENCE)
            continue;
        if (para.count == 0)
            rl_para_add(report->doc->layout, &para, RL_STYLE_NOTE_STRONG,
                        "For reference, published for other cards and not judged here: ");
        add_reference(report, &para, &view->experiment->claims[result->claim], result);
    }
    para.max_lines = RL_TEXT_LINES;
    if (para.count > 0) {
        rl_layout_skip(report->doc->layout, 6);
        rl_layout_para(report->doc->layout, &para);
    }
    rl_para_release(&para);
}
