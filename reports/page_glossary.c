/* page_glossary.c - what the figures and words of this document mean: the metrics that were printed, from their rows in
 * metrics.def, and the words of glossary.def. It comes after every page that prints a metric. */
#include <assert.h>

#include "core/mem.h"
#include "page.h"

static const struct {
    const char *word, *meaning;
} words[] = {
#define WORD(word, meaning) {word, meaning},
#include "glossary.def"
#undef WORD
};

size_t rl_metric_target(const struct rl_report *report, enum rl_metric metric)
{
    assert(metric < RL_METRIC_COUNT);
    return report->metric_targets ? report->metric_targets[metric] : RL_NO_TARGET;
}

static void plan(struct rl_report *report, struct rl_section *section)
{
    (void)section;
    report->metric_targets = rl_arena_alloc(report->arena, RL_METRIC_COUNT * sizeof *report->metric_targets);
    for (size_t i = 0; i < RL_METRIC_COUNT; i++)
        report->metric_targets[i] = rl_layout_target(report->layout);
}

static const char *label_of(struct rl_report *report, const struct rl_metric_info *metric)
{
    struct rl_scale scale = rl_unit_scale(metric->unit, 1);
    return scale.symbol[0] ? rl_words(report, "%s (%s)", metric->label, scale.symbol) : metric->label;
}

static void draw_metrics(struct rl_report *report)
{
    struct rl_grid grid;
    rl_grid_init(&grid, report->layout);
    grid.title = "Definitions in force";
    rl_grid_add_column(&grid, "metric", "", RL_GRID_WRAP)->at_least = 92;
    rl_grid_add_column(&grid, "definition", "", RL_GRID_WRAP)->at_least = 170;
    rl_grid_add_column(&grid, "formula over counters, metrics and facts", "", RL_GRID_WRAP)->at_least = 170;
    for (size_t i = 0; i < RL_METRIC_COUNT; i++) {
        if (!report->used[i])
            continue;
        rl_grid_row(&grid);
        rl_grid_cell(&grid, RL_STYLE_NOTE_STRONG, label_of(report, &rl_metrics[i]))->anchor =
            rl_metric_target(report, (enum rl_metric)i);
        rl_grid_cell(&grid, RL_STYLE_NOTE_INK, rl_metrics[i].definition);
        rl_grid_cell(&grid, RL_STYLE_NOTE_NAME, rl_metrics[i].formula);
    }
    if (grid.row_count == 0)
        rl_layout_text(report->layout, RL_STYLE_BODY, "No metric is printed in this document.");
    rl_grid_lay(&grid);
    rl_grid_release(&grid);
}

static void draw_words(struct rl_report *report)
{
    struct rl_grid grid;
    rl_grid_init(&grid, report->layout);
    grid.title = "Words";
    rl_grid_add_column(&grid, "word", "", RL_GRID_LEFT)->at_least = 92;
    rl_grid_add_column(&grid, "meaning", "", RL_GRID_WRAP);
    for (size_t i = 0; i < RL_COUNT(words); i++) {
        rl_grid_row(&grid);
        rl_grid_cell(&grid, RL_STYLE_NOTE_STRONG, words[i].word);
        rl_grid_cell(&grid, RL_STYLE_NOTE_INK, words[i].meaning);
    }
    rl_grid_lay(&grid);
    rl_grid_release(&grid);
}

static void draw(struct rl_report *report, struct rl_section *section)
{
    rl_layout_section(report->layout, section->title);
    draw_metrics(report);
    draw_words(report);
}

const struct rl_page rl_page_glossary = {.plan = plan, .draw = draw, .joins = 200};
