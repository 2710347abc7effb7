/* page_overview.c - all experiments on a GPU in one table: what they found, and where. */
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "experiment.h"
#include "page.h"
#include "results/gains.h"
#include "view_table.h"

/* ---- claims of an experiment, counted ---- */

static struct rl_claim_tally count_verdicts(const struct rl_report *report, struct rl_experiment_key key)
{
    struct rl_claim_tally verdicts = {{0}};
    const size_t *claims, count = rl_claims_on(report->analysis, key.experiment, key.gpu, &claims);
    for (size_t i = 0; i < count; i++)
        verdicts.outcome[report->analysis->claims[claims[i]].outcome]++;
    return verdicts;
}

/* What is worst says how the row is marked. */
static enum rl_mark mark_of(const struct rl_claim_tally *verdicts)
{
    static const enum rl_claim_outcome order[] = {RL_CLAIM_DID_NOT_HOLD, RL_CLAIM_EXCEEDED, RL_CLAIM_UNDECIDED, RL_CLAIM_HELD};
    for (size_t i = 0; i < RL_COUNT(order); i++)
        if (verdicts->outcome[order[i]] > 0)
            return rl_words_mark(order[i]);
    return RL_MARK_QUIET;
}

/* "2 held, 1 did not, 1 undecided". */
static const char *verdicts_text(struct rl_report *report, const struct rl_claim_tally *verdicts)
{
    static const struct {
        enum rl_claim_outcome outcome;
        const char *word;
    } rows[] = {{RL_CLAIM_HELD, "held"},
                {RL_CLAIM_DID_NOT_HOLD, "did not"},
                {RL_CLAIM_EXCEEDED, "more than claimed"},
                {RL_CLAIM_UNDECIDED, "undecided"}};
    const char *text = "";
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        if (verdicts->outcome[rows[i].outcome] > 0)
            text = rl_words(report->doc, "%s%s%zu %s", text, text[0] ? ", " : "", verdicts->outcome[rows[i].outcome], rows[i].word);
    return text[0] ? text : "none judged here";
}

/* ---- the table ---- */

/* Best and worst variant with the figure that they are judged by; nothing of variants that cannot be compared. */
static void add_extremes(struct rl_report *report, struct rl_grid *grid, const struct rl_view *view)
{
    if (!view->comparable || view->best == RL_NONE) {
        rl_grid_cell(grid, RL_STYLE_CELL_QUIET, view->comparable ? "" : "different work");
        return;
    }
    enum rl_unit unit = view->quantity->unit;
    rl_grid_cell(grid, RL_STYLE_CELL_NAME, rl_view_variant(report, view, view->best)->name);
    rl_grid_cell(grid, RL_STYLE_CELL_STRONG, rl_words_value(report->doc, unit, rl_view_figure(report, view, view->best).value, 3));
    rl_grid_cell(grid, RL_STYLE_CELL_NAME, rl_view_variant(report, view, view->worst)->name);
    rl_grid_cell(grid, RL_STYLE_CELL, rl_words_value(report->doc, unit, rl_view_figure(report, view, view->worst).value, 3));
    rl_grid_value(grid, RL_STYLE_CELL, rl_value_of(rl_view_range(report, view)), 1, 3);
}

enum { VERDICTS_BEHIND = 6 }; /* column of the verdicts */

/* The document may have been asked for without the pages of experiments. */
static void add_experiment(struct rl_report *report, struct rl_grid *grid, struct rl_experiment_key key)
{
    struct rl_view view = rl_view_of(report, key);
    struct rl_claim_tally verdicts = count_verdicts(report, key);
    size_t first = grid->cell_count, target = rl_experiment_target(report, key.experiment, key.gpu);
    rl_grid_cell(grid, RL_STYLE_CELL_NAME, view.experiment->name)->target = target;
    add_extremes(report, grid, &view);
    while (grid->cell_count < first + VERDICTS_BEHIND)
        rl_grid_cell(grid, RL_STYLE_CELL, "");
    rl_grid_cell(grid, RL_STYLE_CELL, verdicts_text(report, &verdicts))->mark = mark_of(&verdicts);
    if (target == RL_NO_TARGET)
        return;
    struct rl_grid_cell *page = rl_grid_cell(grid, RL_STYLE_CELL, "");
    page->target = target;
    page->page_number = true;
}

/* A row for each experiment, below a heading for each topic. */
static void draw_table(struct rl_report *report, size_t gpu)
{
    struct rl_grid grid;
    const char *topic = NULL;
    static const struct rl_grid_column columns[] = {
        {.head = "experiment"},
        {.head = "best variant"},
        {.align = RL_GRID_RIGHT, .close = true},
        {.head = "last"},
        {.align = RL_GRID_RIGHT, .close = true},
        {.head = "times apart", .align = RL_GRID_DECIMAL},
        {.head = "claims", .whole = true},
        {.head = "page", .align = RL_GRID_RIGHT, .at_least = 18}, /* where there are such pages */
    };
    const bool with_pages = rl_gpu_target(report, RL_PAGE_experiment, gpu) != RL_NO_TARGET;
    rl_grid_begin(&grid, report->doc->layout, NULL, columns, RL_COUNT(columns) - !with_pages);
    for (size_t i = 0, count = report->experiment_count; i < count; i++) {
        const struct rl_experiment_key key = rl_experiment_key_of(report, i);
        if (key.gpu != gpu)
            continue;
        const char *next = rl_words_topic(report->doc, &report->capture->experiments[key.experiment]);
        if (!topic || strcmp(topic, next) != 0) {
            topic = next;
            rl_grid_group(&grid);
            rl_grid_cell(&grid, RL_STYLE_CELL_STRONG, topic);
        }
        rl_grid_row(&grid);
        add_experiment(report, &grid, key);
    }
    rl_grid_end(&grid);
}

/* ---- the page ---- */

/* The answers of the self check are claims of nobody. */
static const char *lead(struct rl_report *report, size_t gpu)
{
    const struct rl_claim_tally claims = rl_claims_tally(report->analysis, gpu, false),
                                answers = rl_claims_tally(report->analysis, gpu, true);
    const size_t asked = rl_claims_total(&claims), known = rl_claims_total(&answers);
    const char *first =
        asked ? rl_words(report->doc, "Of %s %s.", rl_words_count(report->doc, asked, "published claim", "published claims"),
                         verdicts_text(report, &claims))
              : "No claim of these experiments can be judged on this card.";
    return known ? rl_words(report->doc, "%s Of %s of the self check %s.", first,
                            rl_words_count(report->doc, known, "answer", "answers"), verdicts_text(report, &answers))
                 : first;
}

/* Of the whole capture, on the first of its cards. */
static void draw_gains(struct rl_report *report)
{
    const struct view view = view_subject_view(report->subject, &view_record_gains, report->subject);
    if (rl_gain_predictions(report->subject->gains, report->subject->gain_count) == 0)
        return;
    rl_layout_skip(report->doc->layout, 6);
    rl_view_table(report->doc->layout, &view, &(struct rl_view_table){.list = "gains"});
    rl_layout_text(
        report->doc->layout, RL_STYLE_NOTE,
        "Where a rule finds fault with one variant of an experiment but not with another, the second follows its advice. "
        "Predicted: the gain that the rule promised. Measured: the ratio of the two times, for the same operations or useful "
        "bytes.");
}

static void draw(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    size_t gpu = rl_page_gpu(report, section->id, section->instance);
    rl_layout_text(report->doc->layout, RL_STYLE_LEAD, lead(report, gpu));
    rl_layout_skip(report->doc->layout, 8);
    draw_table(report, gpu);
    rl_layout_skip(report->doc->layout, 4);
    rl_layout_text(
        report->doc->layout, RL_STYLE_NOTE,
        "Best and last by the quantity that the experiment's claims are about: useful bandwidth, time per operation, or time. "
        "Figures published for another card are not judged; they are quoted with their experiments.");
    if (section->instance == 0)
        draw_gains(report);
}

#define WHOLE 560.0 /* the table of a whole suite: it is looked at as one */

/* One experiment alone needs no table of contents. */
static bool has_one(const struct rl_document *doc, size_t gpu)
{
    const struct rl_report *report = doc->subject;
    const size_t *at, count = rl_group(&report->analysis->index.variants_of_gpu, gpu, &at);
    for (size_t i = 1; i < count; i++)
        if (report->capture->variants[at[i]].experiment != report->capture->variants[at[0]].experiment)
            return true;
    return false;
}

const struct rl_page rl_page_overview = {.each_gpu = has_one, .draw = draw, .joins = WHOLE};
