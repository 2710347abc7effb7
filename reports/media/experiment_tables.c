/* experiment_tables.c - the tables of the experiment page (see experiment.h). */
#include "experiment.h"
#include "view_table.h"

/* ---- what variants have ---- */

/* Columns that are there when a variant has the value. */
static const struct {
    const char *column;
    rl_view_value value; /* NULL: that of the run at `at` (rl_view_result) */
    size_t at;
    const char *declared; /* only where the experiment declares this column; NULL: everywhere */
    const char *quantity; /* of struct rl_criterion */
} extra_rows[RL_EXTRAS] = {
    [RL_EXTRA_OPERATION] = {"time_per_operation", .at = offsetof(struct rl_variant_result, time_per_operation_s),
                            .quantity = "time_per_operation_s"},
    [RL_EXTRA_BANDWIDTH] = {"useful", .at = offsetof(struct rl_variant_result, useful_bytes_per_second),
                            .quantity = "useful_bytes_per_second"},
    [RL_EXTRA_OVERLAP] = {"overlap", .at = offsetof(struct rl_variant_result, overlap_share)},
    [RL_EXTRA_GAP] = {"gap", rl_view_gap, .declared = RL_COLUMN_GAP},
    [RL_EXTRA_ERROR] = {"error", rl_view_error, .declared = RL_COLUMN_ERROR},
};

static bool is_judged_by(const struct rl_view *view, size_t extra)
{
    return extra_rows[extra].quantity && strcmp(extra_rows[extra].quantity, view->quantity->id) == 0;
}

static struct rl_value extra_value(struct rl_report *report, const struct rl_view *view, size_t extra, size_t i)
{
    return extra_rows[extra].value ? extra_rows[extra].value(report, view, i) : rl_view_result(view, i, extra_rows[extra].at);
}

/* Useful bandwidth is shown only where the experiment is judged by it. */
static bool shows_extra(struct rl_report *report, const struct rl_view *view, size_t extra)
{
    return (!extra_rows[extra].declared || rl_view_declares(view, extra_rows[extra].declared)) &&
           RL_ANY(i, view->count, rl_present(extra_value(report, view, extra, i))) &&
           (extra != RL_EXTRA_BANDWIDTH || is_judged_by(view, extra));
}

/* Descriptions of the variants, below their figures: "lean: One fused multiply-add on one number. array100: ...". */
static void draw_descriptions(struct rl_report *report, const struct rl_view *view)
{
    struct rl_layout *layout = report->doc->layout;
    struct rl_para para = {0};
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
}

/* True when something lies under a roof, or must be called wrong. */
static bool roof_is_known(const struct rl_view *view)
{
    return RL_ANY(i, view->count, view->entries[i].wrong || rl_present(view->entries[i].roof_share));
}

/* ---- counters ---- */

/* Shown where they tell variants apart, besides those that the claims name or the experiment declares. */
static const enum rl_metric telling[] = {
    RL_METRIC_sectors_per_request_load,  RL_METRIC_sectors_per_request_store, RL_METRIC_bytes_per_load,
    RL_METRIC_shared_conflict_ways,      RL_METRIC_achieved_occupancy,        RL_METRIC_theoretical_occupancy,
    RL_METRIC_warp_execution_efficiency, RL_METRIC_branch_efficiency,         RL_METRIC_spill_bytes,
};

/* A column: values of all variants. */
struct column {
    const char *label;
    struct rl_value *values;
    enum rl_unit unit;
};
enum { MOST_COUNTERS = 8, MOST_COLUMNS = 10 }; /* of counters; of one table that still fits the page */

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
    return (struct column){label, rl_arena_alloc(report->doc->arena, (view->count + 1) * sizeof(struct rl_value)), unit};
}

/* Why a metric is looked at. */
enum reason { CLAIMED, DECLARED, TELLING, REASONS };

/* Adds the column of a metric when it tells something; returns the number of columns added. */
static size_t add_metric(struct rl_report *report, const struct rl_view *view, enum rl_metric metric, enum reason reason,
                         struct column *column)
{
    bool used = report->used[metric], known = false;
    *column = make_column(report, view, rl_metrics[metric].label, rl_metrics[metric].unit);
    for (size_t i = 0; i < view->count; i++) {
        column->values[i] = rl_view_metric(report, view, i, metric);
        known |= rl_present(column->values[i]);
    }
    bool show = reason == CLAIMED || (reason == DECLARED ? known : varies(column->values, view->count));
    report->used[metric] = show || used; /* else it was only looked at */
    return show;
}

static size_t add_registers(struct rl_report *report, const struct rl_view *view, struct column *column)
{
    *column = make_column(report, view, "registers per thread", RL_UNIT_COUNT);
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

/* Counter over model, before it, where all is asked for, both. None when the model knows of no work of this kind. */
static size_t add_pair(struct rl_report *report, const struct rl_view *view, size_t pair, struct column *columns)
{
    columns[0] = make_column(report, view, pairs[pair].model, pairs[pair].unit);
    columns[1] = make_column(report, view, pairs[pair].counter, pairs[pair].unit);
    columns[2] = make_column(report, view, pairs[pair].ratio, RL_UNIT_NONE);
    for (size_t i = 0; i < view->count; i++) {
        const struct rl_variant *variant = rl_view_variant(report, view, i);
        columns[0].values[i] = pairs[pair].flop ? variant->model_flop : variant->model_bytes;
    }
    if (!RL_ANY(i, view->count, rl_positive(columns[0].values[i])))
        return 0;
    for (size_t i = 0; i < view->count; i++) {
        columns[1].values[i] = rl_view_metric(report, view, i, pairs[pair].metric);
        columns[2].values[i] = rl_value_div(columns[1].values[i], columns[0].values[i], "the model has none");
    }
    if (rl_report_is_full(report))
        return 3;
    columns[0] = columns[2];
    return 1;
}

static enum reason reason_for(const struct rl_view *view, enum rl_metric metric)
{
    if (RL_ANY(i, view->experiment->claim_count, rl_metric_find(view->experiment->claims[i].quantity) == metric))
        return CLAIMED;
    return rl_view_declares(view, rl_metrics[metric].id)        ? DECLARED
           : RL_ANY(t, RL_COUNT(telling), telling[t] == metric) ? TELLING
                                                                : REASONS;
}

/* At most `most`, and registers: the metrics that claims name come first, then those that the experiment declares, then others that
 * differ between the variants. */
static size_t choose_counters(struct rl_report *report, const struct rl_view *view, size_t most, struct column *columns)
{
    size_t count = 0;
    for (enum reason reason = CLAIMED; reason < REASONS; reason++)
        for (size_t i = 0; i < RL_METRIC_COUNT && count < most; i++)
            if (reason_for(view, (enum rl_metric)i) == reason)
                count += add_metric(report, view, (enum rl_metric)i, reason, &columns[count]);
    if (count < most)
        count += add_registers(report, view, &columns[count]);
    return count;
}

/* A row: a variant with a figure for each column. */
struct counted_row {
    const char *variant;
    struct rl_entry_counter *figures;
    size_t count;
};

static const struct view_field counted_fields[] = {
    {.id = "variant", VIEW_AT(struct counted_row, variant), .look = VIEW_LOOK_CODE, .columns = 60},
    {.id = "figures", VIEW_AT_ROWS(struct counted_row, figures, count, &rl_entry_counter_record)},
};

static void draw_table(struct rl_report *report, const struct rl_view *view, const struct column *columns, size_t count)
{
    struct counted_row *rows = rl_arena_alloc(report->doc->arena, (view->count + 1) * sizeof *rows);
    if (count == 0)
        return;
    for (size_t i = 0; i < view->count; i++) {
        rows[i] = (struct counted_row){rl_view_variant(report, view, i)->name,
                                       rl_arena_alloc(report->doc->arena, count * sizeof *rows[i].figures), count};
        for (size_t c = 0; c < count; c++)
            rows[i].figures[c] = (struct rl_entry_counter){columns[c].label, columns[c].unit, columns[c].values[i]};
    }
    rl_view_table(report->doc->layout, &report->view,
                  &(struct rl_view_table){RL_TABLE(counted_fields, rows, view->count), .columns = "variant,figures.value",
                                          .tight = view->count >= RL_VIEW_TIGHT});
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

/* ---- variants ---- */

/* The best figure of what the experiment is judged by is in bold. */
struct dressing {
    struct rl_report *report;
    const struct rl_view *view;
};
static void dress_variant(void *to, const struct view_field *field, const void *row, struct rl_grid_cell *cell)
{
    const struct dressing *of = to;
    const struct rl_entry_row *at = row;
    const struct rl_view *view = of->view;
    if (field->get == NULL && view_record_field(&rl_entry_counter_record, field->id) == field)
        return;                              /* `row` is a counter */
    const char *judged = view->quantity->id; /* of times the column has its name */
    for (size_t e = 0; e < RL_EXTRAS; e++)
        judged = is_judged_by(view, e) ? extra_rows[e].column : judged;
    rl_entry_dress(of->report, field, row, cell);
    if (view->comparable && view->best != RL_NONE && at->entry == &view->entries[view->best] && strcmp(field->id, judged) == 0)
        cell->style = RL_STYLE_CELL_STRONG;
}

/* How many counters stand with the times in place of a second table: names stay whole where other columns take room. */
static size_t most_counters(struct rl_report *report, const struct rl_view *view)
{
    enum { FEW = 2 };
    size_t others = rl_view_measure(report, view) == NULL;
    for (size_t e = 0; e < RL_EXTRAS; e++)
        others += shows_extra(report, view, e);
    return others >= FEW ? 0 : others ? 1 : FEW;
}

void rl_view_draw_variants(struct rl_report *report, const struct rl_view *view)
{
    struct dressing dressing = {report, view};
    struct column counters[MOST_COUNTERS + 1];
    const bool brief = rl_report_is_of_suite(report);
    const size_t most_of_them = brief && !never_counted(report, view) ? most_counters(report, view) : 0;
    const size_t counter_count = choose_counters(report, view, most_of_them, counters);
    struct rl_buf columns = RL_BUF_IN(report->doc->arena);
    const bool measured_alike = rl_view_measure(report, view) != NULL;
    size_t most = 1, count = 0;
    for (size_t i = 0; i < view->count; i++)
        most += rl_entry_row_count(report, &view->entries[i]);
    struct rl_entry_row *rows = rl_arena_alloc(report->doc->arena, most * sizeof *rows);
    for (size_t i = 0; i < view->count; i++) {
        struct rl_entry_row *row = &rows[count];
        count += rl_entry_rows_add(report, &view->entries[i], rl_view_variant(report, view, i)->name, RL_NO_TARGET, row);
        row->measure = rl_measure_of(rl_view_variant(report, view, i)->measure)->column;
        for (size_t e = 0; e < RL_EXTRAS; e++)
            row->extra[e] = extra_value(report, view, e, i);
        row->extra[RL_EXTRA_ERROR] = rl_value_mul(row->extra[RL_EXTRA_ERROR], rl_value_of(1e6));
        row->counters = rl_arena_alloc(report->doc->arena, (counter_count + 1) * sizeof *row->counters);
        row->counter_count = counter_count;
        for (size_t c = 0; c < counter_count; c++)
            row->counters[c] = (struct rl_entry_counter){counters[c].label, counters[c].unit, counters[c].values[i]};
    }
    rl_buf_addf(&columns, "variant,time_s,half_width,n%s", measured_alike ? "" : ",measure");
    for (size_t e = 0; e < RL_EXTRAS; e++)
        if (shows_extra(report, view, e))
            rl_buf_addf(&columns, ",%s", extra_rows[e].column);
    rl_buf_adds(&columns, roof_is_known(view) ? ",roof_share,bound" : "");
    rl_buf_adds(&columns, counter_count ? ",counters.value" : "");
    rl_layout_skip(report->doc->layout, 6);
    struct rl_box *box = rl_flow_begin(report->doc->layout); /* on one page, below the chart */
    rl_view_table_add(box, &report->view,
                      &(struct rl_view_table){
                          .record = &rl_entry_record,
                          .rows = {rows, sizeof *rows, count, NULL},
                          .title = rl_report_is_full(report) ? "Variants" : NULL, /* the head of its first column says it, too */
                          .columns = columns.data,
                          .tight = view->count >= RL_VIEW_TIGHT,
                          .dress = dress_variant,
                          .to = &dressing});
    rl_flow_together(box);
    rl_layout_notes(report->doc->layout);
    if (!brief)
        draw_descriptions(report, view);
}

/* ---- the table of counters ---- */

#define COUNTERS_NEED 130.0 /* heading, text and the first rows of the table: no heading stands alone */

static void introduce_counters(struct rl_report *report, const struct rl_view *view, bool follows)
{
    rl_layout_need(report->doc->layout, COUNTERS_NEED);
    rl_layout_subsection(report->doc->layout, "Counters against the work model");
    if (!counted(report, view))
        rl_layout_textf(report->doc->layout, RL_STYLE_BODY, "No counters were collected for these variants (%s)%s.",
                        rl_words_short(report->doc, report->capture->session.counters, 120),
                        follows ? "; the figures below follow from the launches" : "");
    else if (view->experiment->explanation) {
        /* The explanation, in which names of variants may stand in backticks. */
        const char *text = view->experiment->explanation;
        struct rl_para para = {.max_lines = RL_TEXT_LINES};
        rl_para_coded(report->doc->layout, &para, RL_STYLE_BODY, RL_STYLE_CODE, text);
        rl_layout_para(report->doc->layout, &para);
    }
    rl_layout_skip(report->doc->layout, 3);
}

void rl_view_draw_counters(struct rl_report *report, const struct rl_view *view)
{
    struct column columns[MOST_COUNTERS + 3 * RL_COUNT(pairs)];
    if (never_counted(report, view)) {
        struct rl_para para = {.max_lines = RL_TEXT_LINES};
        rl_layout_skip(report->doc->layout, 6);
        rl_para_add(report->doc->layout, &para, RL_STYLE_STRONG, "Not counted. ");
        rl_para_addf(report->doc->layout, &para, RL_STYLE_BODY, "These runs are timed by the host's clock and have no counters. %s",
                     view->experiment->explanation ? view->experiment->explanation : "");
        rl_layout_para(report->doc->layout, &para);
        return;
    }
    size_t counters = choose_counters(report, view, MOST_COUNTERS, columns), count = counters;
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

/* Running text, so that no page is begun for it. */
void rl_view_draw_references(struct rl_report *report, const struct rl_view *view)
{
    struct rl_para para = {.max_lines = RL_TEXT_LINES};
    const size_t *claims, count = rl_claims_on(report->analysis, view->key.experiment, view->key.gpu, &claims);
    for (size_t i = 0; i < count; i++) {
        const struct rl_claim_result *result = &report->analysis->claims[claims[i]];
        if (result->outcome != RL_CLAIM_REFERENCE)
            continue;
        if (para.count == 0)
            rl_para_add(report->doc->layout, &para, RL_STYLE_NOTE_STRONG,
                        "For reference, published for other GPUs and not judged here: ");
        /* "The lean kernel takes 8 registers a thread (NVIDIA A100-SXM4-40GB: 8; here 12)." */
        const struct rl_claim *claim = &view->experiment->claims[result->claim];
        const char *text = rl_words_shortened(report->doc, claim->text, 400);
        const size_t len = strlen(text);
        rl_para_addf(report->doc->layout, &para, RL_STYLE_NOTE_INK, "%.*s (%s: %s; here ",
                     (int)(len && text[len - 1] == '.' ? len - 1 : len), text,
                     claim->card ? rl_words_short(report->doc, claim->card, 60) : "another GPU",
                     rl_words_value(report->doc, result->unit, rl_value_of(claim->value), 4));
        rl_para_addf(report->doc->layout, &para, RL_STYLE_NOTE_STRONG, "%s",
                     rl_present(result->measured) ? rl_words_value(report->doc, result->unit, result->measured, 4)
                                                  : rl_words_short(report->doc, rl_value_reason(result->measured), 80));
        rl_para_add(report->doc->layout, &para, RL_STYLE_NOTE_INK, "). ");
    }
    if (para.count > 0) {
        rl_layout_skip(report->doc->layout, 6);
        rl_layout_para(report->doc->layout, &para);
    }
}
