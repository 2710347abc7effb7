/* page_glossary.c - what the figures and words of this document mean: the metrics that were printed, from their rows in
 * metrics.def, and the words of glossary.def. It comes after every page that prints a metric. */

#include "cover.h"
#include "view_table.h"

#define ENTRY_GAP 0.6

static const struct word {
    const char *word, *meaning;
} words[] = {
#define WORD(word, meaning) {word, meaning},
#include "glossary.def"
#undef WORD
};

static void plan(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    report->metric_targets = rl_arena_alloc(report->doc->arena, RL_METRIC_COUNT * sizeof *report->metric_targets);
    for (size_t i = 0; i < RL_METRIC_COUNT; i++)
        report->metric_targets[i] = rl_layout_target(report->doc->layout);
}

/* Formulas over the names of counters fill pages: they are there for who asks for them. */
static struct view_cell head_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_metric_info *metric = row;
    const struct rl_scale scale = rl_unit_scale(metric->unit, 1);
    return view_cell_text(scale.symbol[0] ? rl_arena_printf(view->arena, "%s (%s)", metric->label, scale.symbol) : metric->label);
}

/* clang-format off */
static const struct view_field metric_fields[] = {
    {.id = "metric", VIEW_GET(TEXT, head_cell), .look = VIEW_LOOK_STRONG, .columns = 21, .wraps = true},
    {.id = "definition", VIEW_AT(struct rl_metric_info, definition), .columns = 39, .wraps = true},
    {.id = "formula", .head = "formula over counters, metrics and facts", VIEW_AT(struct rl_metric_info, formula),
     .look = VIEW_LOOK_CODE, .columns = 39, .wraps = true},
};
static const struct view_field word_fields[] = {
    {.id = "word", .head = "term", VIEW_AT(struct word, word), .look = VIEW_LOOK_STRONG, .columns = 21},
    {.id = "meaning", VIEW_AT(struct word, meaning), .wraps = true},
};
/* clang-format on */
static const struct view_record metric_record = {
    .id = "metric_definition", .help = "a metric of the document", VIEW_FIELDS(metric_fields)};

static void dress_metric(void *to, const struct view_field *field, const void *row, struct rl_grid_cell *cell)
{
    if (field == &metric_fields[0])
        cell->anchor = rl_metric_target(to, (enum rl_metric)((const struct rl_metric_info *)row - rl_metrics));
}

/* The metrics that were printed, with formulas. */
static void draw_metrics(struct rl_report *report)
{
    size_t used[RL_METRIC_COUNT], count = 0;
    for (size_t i = 0; i < RL_METRIC_COUNT; i++)
        if (report->used[i])
            used[count++] = i;
    if (!rl_view_table(report->doc->layout, &report->view,
                       &(struct rl_view_table){.record = &metric_record,
                                               .rows = {rl_metrics, sizeof *rl_metrics, count, used},
                                               .title = "Metrics",
                                               .tight = true,
                                               .small = true,
                                               .dress = dress_metric,
                                               .to = report}))
        rl_layout_text(report->doc->layout, RL_STYLE_BODY, "No metric is printed in this document.");
}

/* A paragraph each without formulas, as a table of them fills pages. */
static void list_metrics(struct rl_report *report)
{
    struct rl_layout *layout = report->doc->layout;
    size_t shown = 0;
    for (size_t i = 0; i < RL_METRIC_COUNT; i++) {
        if (!report->used[i])
            continue;
        if (shown++ == 0)
            rl_layout_subsection(layout, "Metrics");
        struct rl_para para = {0};
        rl_para_addf(layout, &para, RL_STYLE_NOTE_STRONG, "%s  ", head_cell(&report->view, metric_fields, &rl_metrics[i]).text);
        rl_para_addf(layout, &para, RL_STYLE_NOTE_INK, "%s  ", rl_metrics[i].definition);
        rl_layout_bind(layout, rl_metric_target(report, (enum rl_metric)i));
        rl_layout_para(layout, &para);
        rl_layout_skip(layout, ENTRY_GAP);
    }
    rl_layout_text(layout, shown ? RL_STYLE_NOTE : RL_STYLE_BODY,
                   shown ? "Formulas over counters: rooflight list metrics, or rooflight report --full."
                         : "No metric is printed in this document.");
}

static void draw(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    (rl_report_is_full(report) ? draw_metrics : list_metrics)(report);
    rl_view_table(
        doc->layout, &report->view,
        &(struct rl_view_table){RL_TABLE(word_fields, words, RL_COUNT(words)), .title = "Terms", .tight = true, .small = true});
}

/* Times of others need none. */
static size_t how_many(const struct rl_document *doc)
{
    return !rl_cover_is_of_benchmark(doc->subject);
}

const struct rl_page rl_page_glossary = {.count = how_many, .plan = plan, .draw = draw, .joins = 110};
