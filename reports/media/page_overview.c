/* page_overview.c - all experiments on a GPU in one table: what they found, and where. */
#include "experiment.h"
#include "results/results.h"
#include "results/show.h"
#include "view_table.h"

/* The worst outcome decides the mark of the row. */
static enum rl_mark mark_of(const struct rl_report *report, const struct view_suite_row *row)
{
    static const enum rl_claim_outcome order[] = {RL_CLAIM_HELD, RL_CLAIM_UNDECIDED, RL_CLAIM_EXCEEDED, RL_CLAIM_DID_NOT_HOLD};
    const size_t *claims, count = rl_claims_on(report->analysis, row->experiment, row->gpu_index, &claims);
    enum rl_mark mark = RL_MARK_QUIET;
    for (size_t i = 0; i < RL_COUNT(order); i++)
        for (size_t k = 0; k < count; k++)
            if (report->analysis->claims[claims[k]].outcome == order[i])
                mark = rl_words_mark(order[i]);
    return mark;
}

static void dress_overview(void *to, const struct view_field *field, const void *row, struct rl_grid_cell *cell)
{
    struct rl_report *report = to;
    const struct view_suite_row *of = row;
    const bool is_page = strcmp(field->id, "page") == 0;
    if (strcmp(field->id, "best") == 0 && !of->worst)
        cell->style = RL_STYLE_CELL_QUIET;
    if (strcmp(field->id, "best_figure") == 0)
        cell->style = RL_STYLE_CELL_STRONG;
    if (strcmp(field->id, "verdicts") == 0)
        cell->mark = mark_of(report, of);
    if (is_page || strcmp(field->id, "experiment") == 0)
        cell->target = rl_experiment_target(report, of->experiment, of->gpu_index);
    cell->page_number = is_page && cell->target != RL_NO_TARGET;
}

/* A rule stands between topics. */
static int topic_of(const struct view *view, const void *row)
{
    const struct rl_experiment *experiments = ((const struct view_subject *)view->subject)->capture->experiments;
    size_t i = ((const struct view_suite_row *)row)->experiment;
    while (i > 0 && experiments[i].topic && experiments[i - 1].topic && strcmp(experiments[i].topic, experiments[i - 1].topic) == 0)
        i--;
    return (int)i;
}

/* ---- the page ---- */

/* The answers of the self check are no published claims. */
static const char *lead(struct rl_report *report, size_t gpu)
{
    const struct rl_claim_tally answers = rl_claims_tally(report->analysis, gpu, RL_CLAIM_BASIS_ANSWER);
    const size_t known = rl_claims_total(&answers);
    const char *held = rl_words_claims_held(report->doc, report->analysis, gpu);
    const char *first = held[0] ? rl_words(report->doc, "%s.", held) : "No claim of these experiments can be judged on this GPU.";
    return known ? rl_words(report->doc, "%s %zu of %s of the self check %s correct.", first, answers.outcome[RL_CLAIM_HELD],
                            rl_words_count(report->doc, known, "answer", "answers"), known == 1 ? "is" : "are")
                 : first;
}

/* The gains of the whole capture, on the page of its first GPU. */
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
        "Predicted: the gain by the rule. Measured: the ratio of the two times, for the same operations or useful "
        "bytes.");
}

VIEW_CELL(no_text, void, "");

static void draw(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    size_t gpu = rl_page_gpu(report, section->id, section->instance);
    rl_layout_text(report->doc->layout, RL_STYLE_LEAD, lead(report, gpu));
    rl_layout_skip(report->doc->layout, 8);
    /* The columns that every medium has, and the page. */
    struct view_record record = view_record_suite;
    struct view_field *fields = rl_arena_alloc(report->doc->arena, (record.field_count + 1) * sizeof *fields);
    memcpy(fields, record.fields, record.field_count * sizeof *fields);
    fields[record.field_count++] = (struct view_field){.id = "page", VIEW_GET(TEXT, no_text), .numeral = true};
    record.fields = fields;
    rl_view_table(report->doc->layout, &report->view,
                  &(struct rl_view_table){.record = &record,
                                          .rows = view_suite_rows(&report->view, gpu),
                                          .columns = rl_gpu_target(report, RL_PAGE_experiment, gpu) != RL_NO_TARGET
                                                         ? "experiment,best,best_figure,worst,worst_figure,ratio,verdicts,page"
                                                         : "experiment,best,best_figure,worst,worst_figure,ratio,verdicts",
                                          .group = topic_of,
                                          .dress = dress_overview,
                                          .to = report});
    rl_layout_skip(report->doc->layout, 4);
    rl_layout_text(
        report->doc->layout, RL_STYLE_NOTE,
        "Best and worst by the quantity of the experiment's claims: useful bandwidth, time per operation, or time; ratio: how many "
        "times better the best is. "
        "Figures published for another GPU are not judged; they are quoted with their experiments.");
    if (section->instance == 0 && !rl_report_is_of_suite(report))
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
