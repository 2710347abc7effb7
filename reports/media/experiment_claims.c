/* experiment_claims.c - the verdicts on the claims of an experiment that has many: sentences beside each other, or, of the self
 * check, the counts beside those that are known. */
#include <string.h>

#include "experiment.h"

bool rl_view_is_known_answers(const struct rl_report *report, const struct rl_view *view)
{
    return view->count > 0 && view->entries[0].run && rl_is_of_self_check(report->capture, view->entries[0].run->variant);
}

static const struct rl_claim *claim_of(const struct rl_view *view, const struct rl_claim_result *result)
{
    return &view->experiment->claims[result->claim];
}

static void add_outcome(struct rl_grid *grid, const struct rl_claim_result *result)
{
    rl_grid_row(grid);
    rl_grid_cell(grid, RL_STYLE_CELL, rl_words_outcome(result->outcome))->mark = rl_words_mark(result->outcome);
}

/* ---- as sentences ---- */

static void add_sentences(struct rl_report *report, struct rl_grid *grid, const struct rl_view *view,
                          const struct rl_claim_result *result)
{
    char *measured = rl_arena_strdup(report->doc->arena, rl_words_short(report->doc, result->text, 400)), *to = measured;
    for (const char *from = measured; *from; from++) /* names stand in backticks */
        if (*from != '`')
            *to++ = *from;
    *to = 0;
    add_outcome(grid, result);
    rl_grid_cell(grid, RL_STYLE_NOTE_INK, rl_words_shortened(report->doc, claim_of(view, result)->text, 400));
    rl_grid_cell(grid, RL_STYLE_NOTE, measured);
}

static void draw_sentences(struct rl_report *report, const struct rl_view *view, const struct rl_claim_result **results,
                           size_t count)
{
    struct rl_grid grid;
    static const struct rl_grid_column columns[] = {
        {.align = RL_GRID_LEFT, .whole = true},
        {.head = "claim", .align = RL_GRID_WRAP, .at_least = 180},
        {.head = "measured", .align = RL_GRID_WRAP, .at_least = 200},
    };
    rl_grid_begin(&grid, report->doc->layout, NULL, columns, RL_COUNT(columns));
    grid.tight = true;
    for (size_t i = 0; i < count; i++)
        add_sentences(report, &grid, view, results[i]);
    rl_grid_end(&grid);
}

/* ---- as figures ---- */

/* Whether the claim is that a count comes to a figure. */
static bool is_answer(const struct rl_claim *claim)
{
    return !claim->baseline && strcmp(claim->relation, "about") == 0 && rl_metric_find(claim->quantity) != RL_METRIC_COUNT;
}

static void add_answer(struct rl_report *report, struct rl_grid *grid, const struct rl_view *view,
                       const struct rl_claim_result *result)
{
    const struct rl_claim *claim = claim_of(view, result);
    const enum rl_metric metric = rl_metric_find(claim->quantity);
    const struct rl_scale scale = rl_unit_scale(result->unit, 1);
    const int digits = result->unit == RL_UNIT_NONE || result->unit == RL_UNIT_FRACTION ? 3 : 0;
    add_outcome(grid, result);
    rl_grid_cell(grid, RL_STYLE_CELL_NAME, claim->subject);
    rl_grid_cell(grid, RL_STYLE_CELL, rl_metrics[metric].label);
    rl_grid_value(grid, RL_STYLE_CELL, result->measured, scale.factor, digits);
    rl_grid_value(grid, RL_STYLE_CELL, rl_value_of(claim->value), scale.factor, digits);
    rl_grid_cell(grid, RL_STYLE_CELL_QUIET, scale.symbol);
    rl_grid_cell(
        grid, RL_STYLE_CELL_QUIET,
        rl_claim_is_exact(claim)
            ? "exact"
            : rl_words(report->doc, "within %s", rl_words_value(report->doc, RL_UNIT_FRACTION, rl_value_of(claim->tolerance), 3)));
    report->used[metric] = true;
}

static void draw_answers(struct rl_report *report, const struct rl_view *view, const struct rl_claim_result **results, size_t count)
{
    struct rl_grid grid;
    static const struct rl_grid_column columns[] = {
        {.align = RL_GRID_LEFT, .whole = true},
        {.head = "kernel", .align = RL_GRID_LEFT},
        {.head = "what is counted", .align = RL_GRID_LEFT},
        {.head = "measured", .align = RL_GRID_RIGHT},
        {.head = "known answer", .align = RL_GRID_RIGHT},
        {.head = "unit", .align = RL_GRID_LEFT},
        {.head = "tolerance", .align = RL_GRID_LEFT},
    };
    rl_grid_begin(&grid, report->doc->layout, NULL, columns, RL_COUNT(columns));
    grid.tight = true;
    for (size_t i = 0; i < count; i++)
        add_answer(report, &grid, view, results[i]);
    rl_grid_end(&grid);
}

void rl_view_draw_claims(struct rl_report *report, const struct rl_view *view, const struct rl_claim_result **results, size_t count)
{
    bool answers = rl_view_is_known_answers(report, view) && !rl_report_is_full(report);
    for (size_t i = 0; i < count; i++)
        answers &= is_answer(claim_of(view, results[i]));
    (answers ? draw_answers : draw_sentences)(report, view, results, count);
}
