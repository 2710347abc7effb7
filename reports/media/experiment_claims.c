/* experiment_claims.c - the verdicts on the claims of an experiment that has many: sentences in a table, or for the self check
 * counts next to their reference values. */
#include <string.h>

#include "experiment.h"
#include "view_table.h"

bool rl_view_is_known_answers(const struct rl_report *report, const struct rl_view *view)
{
    return view->count > 0 && view->entries[0].run && rl_is_of_self_check(report->capture, view->entries[0].run->variant);
}

static const struct rl_claim *claim_of(const struct rl_view *view, const struct rl_claim_result *result)
{
    return &view->experiment->claims[result->claim];
}

/* A row: as a sentence, or of the self check as figures. */
struct claim_row {
    const char *outcome, *claim, *said;                                 /* said: what was measured */
    const char *kernel, *counted, *measured, *known, *unit, *tolerance; /* figures in `unit`, counts to the last one */
    enum rl_mark mark;
};
/* clang-format off */
static const struct view_field claim_fields[] = {
    {.id = "outcome", .head = "", VIEW_AT(struct claim_row, outcome)},
    {.id = "claim", VIEW_AT(struct claim_row, claim), .columns = 41, .wraps = true},
    {.id = "said", .head = "measured", VIEW_AT(struct claim_row, said), .columns = 45, .wraps = true},
    {.id = "kernel", VIEW_AT(struct claim_row, kernel), .columns = 40, .look = VIEW_LOOK_CODE},
    {.id = "counted", .head = "what is counted", VIEW_AT(struct claim_row, counted)},
    {.id = "measured", VIEW_AT(struct claim_row, measured), .columns = 30, .numeral = true},
    {.id = "known", .head = "reference value", VIEW_AT(struct claim_row, known), .numeral = true},
    {.id = "unit", VIEW_AT(struct claim_row, unit), .look = VIEW_LOOK_QUIET},
    {.id = "tolerance", VIEW_AT(struct claim_row, tolerance), .look = VIEW_LOOK_QUIET},
};
/* clang-format on */

static void dress(void *to, const struct view_field *field, const void *row, struct rl_grid_cell *cell)
{
    if (field == &claim_fields[0])
        cell->mark = ((const struct claim_row *)row)->mark;
    else if (field->wraps)
        cell->style = field == &claim_fields[1] ? RL_STYLE_NOTE_INK : RL_STYLE_NOTE;
}

/* Whether the claim is that a count comes to a figure. */
static bool is_answer(const struct rl_claim *claim)
{
    return !claim->baseline && strcmp(claim->relation, "about") == 0 && rl_metric_find(claim->quantity) != RL_METRIC_COUNT;
}

static const char *figure_text(struct rl_report *report, enum rl_unit unit, struct rl_value value)
{
    const bool exact = unit != RL_UNIT_NONE && unit != RL_UNIT_FRACTION;
    return rl_words_value(report->doc, exact ? RL_UNIT_COUNT : RL_UNIT_NONE,
                          rl_value_mul(value, rl_value_of(rl_unit_scale(unit, 1).factor)), 3);
}

static struct claim_row row_of(struct rl_report *report, const struct rl_view *view, const struct rl_claim_result *result)
{
    const struct rl_claim *claim = claim_of(view, result);
    const struct rl_scale scale = rl_unit_scale(result->unit, 1);
    const enum rl_metric metric = rl_metric_find(claim->quantity);
    char *measured = rl_arena_strdup(report->doc->arena, rl_words_short(report->doc, result->text, 400)), *to = measured;
    for (const char *from = measured; *from; from++) /* names stand in backticks */
        if (*from != '`')
            *to++ = *from;
    *to = 0;
    return (struct claim_row){
        .outcome = rl_words_outcome(result->outcome),
        .mark = rl_words_mark(result->outcome),
        .claim = rl_words_shortened(report->doc, claim->text, 400),
        .said = measured,
        .kernel = claim->subject,
        .counted = metric < RL_METRIC_COUNT ? rl_metrics[metric].label : "",
        .measured = figure_text(report, result->unit, result->measured),
        .known = figure_text(report, result->unit, rl_value_of(claim->value)),
        .unit = scale.symbol,
        .tolerance = rl_claim_is_exact(claim)
                         ? "exact"
                         : rl_words(report->doc, "within %s",
                                    rl_words_value(report->doc, RL_UNIT_FRACTION, rl_value_of(claim->tolerance), 3)),
    };
}

void rl_view_draw_claims(struct rl_report *report, const struct rl_view *view, const struct rl_claim_result **results, size_t count)
{
    struct claim_row *rows = rl_arena_alloc(report->doc->arena, count * sizeof *rows);
    bool answers = rl_view_is_known_answers(report, view) && !rl_report_is_full(report);
    for (size_t i = 0; i < count; i++) {
        rows[i] = row_of(report, view, results[i]);
        answers &= is_answer(claim_of(view, results[i]));
    }
    for (size_t i = 0; i < count && answers; i++)
        report->used[rl_metric_find(claim_of(view, results[i])->quantity)] = true;
    rl_view_table(
        report->doc->layout, &report->view,
        &(struct rl_view_table){RL_TABLE(claim_fields, rows, count),
                                .columns = answers ? "outcome,kernel,counted,measured,known,unit,tolerance" : "outcome,claim,said",
                                .tight = true, .dress = dress});
}
