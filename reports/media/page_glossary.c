/* page_glossary.c - what the figures and words of this document mean: the metrics that were printed, from their rows in
 * metrics.def, and the words of glossary.def. It comes after every page that prints a metric. */
#include <assert.h>

#include "core/mem.h"
#include "page.h"

#define ENTRY_GAP 0.6

static const struct {
    const char *word, *meaning;
    enum { ALWAYS, OF_LONG, OF_SUITE } when;
} words[] = {
#define WORD(word, meaning)       {word, meaning, ALWAYS},
#define LONG_WORD(word, meaning)  {word, meaning, OF_LONG},
#define SUITE_WORD(word, meaning) {word, meaning, OF_SUITE},
#include "glossary.def"
#undef SUITE_WORD
#undef LONG_WORD
#undef WORD
};

static void plan(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    (void)section;
    report->metric_targets = rl_arena_alloc(report->doc->arena, RL_METRIC_COUNT * sizeof *report->metric_targets);
    for (size_t i = 0; i < RL_METRIC_COUNT; i++)
        report->metric_targets[i] = rl_layout_target(report->doc->layout);
}

static const char *metric_head(struct rl_report *report, const struct rl_metric_info *metric)
{
    struct rl_scale scale = rl_unit_scale(metric->unit, 1);
    return scale.symbol[0] ? rl_words(report->doc, "%s (%s)", metric->label, scale.symbol) : metric->label;
}

/* Formulas over the names of counters fill pages: they are there for who asks for them. */
static void draw_metrics(struct rl_report *report)
{
    struct rl_grid grid;
    static const struct rl_grid_column columns[] = {
        {.head = "metric", .align = RL_GRID_WRAP, .at_least = 92},
        {.head = "definition", .align = RL_GRID_WRAP, .at_least = 170},
        {.head = "formula over counters, metrics and facts", .align = RL_GRID_WRAP, .at_least = 170},
    };
    const bool formulas = rl_report_is_full(report);
    rl_grid_begin(&grid, report->doc->layout, "Definitions in force", columns, RL_COUNT(columns) - !formulas);
    grid.tight = true;
    grid.foot = formulas ? NULL : "Formulas over counters: rooflight list metrics, or rooflight report --full.";
    for (size_t i = 0; i < RL_METRIC_COUNT; i++) {
        if (!report->used[i])
            continue;
        rl_grid_row(&grid);
        rl_grid_cell(&grid, RL_STYLE_NOTE_STRONG, metric_head(report, &rl_metrics[i]))->anchor =
            rl_metric_target(report, (enum rl_metric)i);
        rl_grid_cell(&grid, RL_STYLE_NOTE_INK, rl_metrics[i].definition);
        if (formulas)
            rl_grid_cell(&grid, RL_STYLE_NOTE_NAME, rl_metrics[i].formula);
    }
    if (grid.row_count == 0)
        rl_layout_text(report->doc->layout, RL_STYLE_BODY, "No metric is printed in this document.");
    rl_grid_end(&grid);
}

/* Without formulas a paragraph each, over the whole width: a table of them fills pages. */
static void list_metrics(struct rl_report *report)
{
    struct rl_layout *layout = report->doc->layout;
    size_t shown = 0;
    for (size_t i = 0; i < RL_METRIC_COUNT; i++) {
        struct rl_para para = RL_PARA_INIT;
        if (!report->used[i])
            continue;
        if (shown++ == 0)
            rl_layout_subsection(layout, "Definitions in force");
        rl_para_addf(layout, &para, RL_STYLE_NOTE_STRONG, "%s  ", metric_head(report, &rl_metrics[i]));
        rl_para_add(layout, &para, RL_STYLE_NOTE_INK, rl_metrics[i].definition);
        rl_layout_bind(layout, rl_metric_target(report, (enum rl_metric)i));
        rl_layout_para(layout, &para);
        rl_layout_skip(layout, ENTRY_GAP);
        rl_para_release(&para);
    }
    rl_layout_text(layout, shown ? RL_STYLE_NOTE : RL_STYLE_BODY,
                   shown ? "Formulas over counters: rooflight list metrics, or rooflight report --full."
                         : "No metric is printed in this document.");
}

/* ---- the same as running text, which takes half of the room ---- */

/* In one paragraph: what most links lead to is on the same page then. */
static void write_metrics(struct rl_report *report)
{
    struct rl_para para = RL_PARA_INIT;
    for (size_t i = 0; i < RL_METRIC_COUNT; i++) {
        if (!report->used[i])
            continue;
        rl_para_addf(report->doc->layout, &para, RL_STYLE_NOTE_STRONG, "%s  ", metric_head(report, &rl_metrics[i]));
        rl_para_addf(report->doc->layout, &para, RL_STYLE_NOTE_INK, "%s  ", rl_metrics[i].definition);
        rl_para_addf(report->doc->layout, &para, RL_STYLE_NOTE_NAME, "%s  ", rl_metrics[i].formula);
        rl_layout_bind(report->doc->layout, rl_metric_target(report, (enum rl_metric)i));
    }
    rl_layout_para(report->doc->layout, &para);
    rl_para_release(&para);
}

/* In one paragraph. */
static void write_words(struct rl_report *report)
{
    struct rl_para para = RL_PARA_INIT;
    for (size_t i = 0; i < RL_COUNT(words); i++) {
        if (words[i].when == OF_LONG || (words[i].when == OF_SUITE && report->capture->experiment_count == 0))
            continue;
        rl_para_addf(report->doc->layout, &para, RL_STYLE_NOTE_STRONG, "%s  ", words[i].word);
        rl_para_addf(report->doc->layout, &para, RL_STYLE_NOTE_INK, "%s  ", words[i].meaning);
    }
    rl_layout_skip(report->doc->layout, 4);
    rl_layout_para(report->doc->layout, &para);
    rl_para_release(&para);
}

static void draw_words(struct rl_report *report)
{
    struct rl_grid grid;
    static const struct rl_grid_column columns[] = {
        {.head = "word", .align = RL_GRID_LEFT, .at_least = 92},
        {.head = "meaning", .align = RL_GRID_WRAP},
    };
    rl_grid_begin(&grid, report->doc->layout, "Words", columns, RL_COUNT(columns));
    grid.tight = true;
    for (size_t i = 0; i < RL_COUNT(words); i++) {
        rl_grid_row(&grid);
        rl_grid_cell(&grid, RL_STYLE_NOTE_STRONG, words[i].word);
        rl_grid_cell(&grid, RL_STYLE_NOTE_INK, words[i].meaning);
    }
    rl_grid_end(&grid);
}

static void draw(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    (void)section;
    if (report->doc->is_short) {
        write_metrics(report);
        write_words(report);
        return;
    }
    if (rl_report_is_full(report))
        draw_metrics(report);
    else
        list_metrics(report);
    draw_words(report);
}

const struct rl_page rl_page_glossary = {.plan = plan, .draw = draw, .joins = 60};
