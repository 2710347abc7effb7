/* page_overview.c - all experiments on a GPU in one table: what they found, and where. */
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

/* The worst outcome decides the mark of the row. */
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

enum { LONG_NAME = 30 }; /* of an experiment or a topic */

/* A topic, or an experiment below it: best and worst variant with the figure that they are judged by; nothing of variants that
 * cannot be compared. */
struct overview_row {
    const char *experiment, *best, *last, *verdicts;
    struct rl_value best_figure, last_figure, apart;
    enum rl_unit unit;
    enum rl_mark mark;
    size_t target;
    bool is_topic;
    int group; /* of the topic */
};

/* clang-format off */
static const struct view_field overview_fields[] = {
    {.id = "experiment", VIEW_AT(struct overview_row, experiment), .look = VIEW_LOOK_CODE},
    {.id = "best", .head = "best variant", VIEW_AT(struct overview_row, best), .look = VIEW_LOOK_CODE, .columns = 16},
    {.id = "best_figure", .head = "", VIEW_AT_UNIT(struct overview_row, best_figure, unit), .digits = 3},
    {.id = "last", VIEW_AT(struct overview_row, last), .look = VIEW_LOOK_CODE, .columns = 16},
    {.id = "last_figure", .head = "", VIEW_AT_UNIT(struct overview_row, last_figure, unit), .digits = 3},
    {.id = "apart", .head = "ratio", VIEW_AT(struct overview_row, apart), .unit = RL_UNIT_NONE, .digits = 3},
    {.id = "claims", VIEW_AT(struct overview_row, verdicts), .columns = 22, .wraps = true},
    {.id = "page", VIEW_AT(struct overview_row, verdicts), .numeral = true},
};
/* clang-format on */

static void dress_overview(void *to, const struct view_field *field, const void *row, struct rl_grid_cell *cell)
{
    const struct overview_row *of = row;
    if (field == &overview_fields[0]) {
        cell->style = of->is_topic ? RL_STYLE_CELL_STRONG : cell->style;
        cell->target = of->target;
    } else if (strcmp(field->id, "best") == 0 && *cell->text && !rl_present(of->best_figure)) {
        cell->style = RL_STYLE_CELL_QUIET;
    } else if (strcmp(field->id, "best_figure") == 0) {
        cell->style = RL_STYLE_CELL_STRONG;
    } else if (strcmp(field->id, "claims") == 0 && !of->is_topic) {
        cell->mark = of->mark;
    } else if (strcmp(field->id, "page") == 0) {
        cell->text = "";
        cell->target = of->target;
        cell->page_number = of->target != RL_NO_TARGET;
    }
}

static int group_of(const struct view *view, const void *row)
{
    return ((const struct overview_row *)row)->group;
}

/* The document may have been asked for without the pages of experiments. */
static struct overview_row row_of(struct rl_report *report, struct rl_experiment_key key)
{
    const struct rl_view view = rl_view_of(report, key);
    const struct rl_claim_tally verdicts = count_verdicts(report, key);
    const struct rl_value none = rl_value_missing(RL_UNDEFINED, "");
    struct overview_row row = {.experiment = rl_words_short(report->doc, view.experiment->name, LONG_NAME),
                               .best = view.comparable ? "" : "different work",
                               .last = "",
                               .verdicts = verdicts_text(report, &verdicts),
                               .best_figure = none,
                               .last_figure = none,
                               .apart = none,
                               .mark = mark_of(&verdicts),
                               .target = rl_experiment_target(report, key.experiment, key.gpu)};
    if (!view.comparable || view.best == RL_NONE)
        return row;
    row.unit = view.quantity->unit;
    row.best = rl_view_variant(report, &view, view.best)->name;
    row.last = rl_view_variant(report, &view, view.worst)->name;
    row.best_figure = rl_view_figure(report, &view, view.best).value;
    row.last_figure = rl_view_figure(report, &view, view.worst).value;
    row.apart = rl_value_of(rl_view_range(report, &view));
    return row;
}

/* ---- the page ---- */

/* The answers of the self check are no published claims. */
static const char *lead(struct rl_report *report, size_t gpu)
{
    const struct rl_claim_tally answers = rl_claims_tally(report->analysis, gpu, RL_CLAIM_BASIS_ANSWER);
    const size_t known = rl_claims_total(&answers);
    const char *held = rl_words_claims_held(report->doc, report->analysis, gpu);
    const char *first = held[0] ? rl_words(report->doc, "%s.", held) : "No claim of these experiments can be judged on this card.";
    return known ? rl_words(report->doc, "%s Of %s of the self check %s.", first,
                            rl_words_count(report->doc, known, "answer", "answers"), verdicts_text(report, &answers))
                 : first;
}

/* The gains of the whole capture, on the page of its first card. */
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
    /* A row for each experiment, below a heading for each topic. */
    const bool with_pages = rl_gpu_target(report, RL_PAGE_experiment, gpu) != RL_NO_TARGET;
    const struct rl_value none = rl_value_missing(RL_UNDEFINED, "");
    struct overview_row *rows = rl_arena_alloc(report->doc->arena, (2 * report->experiment_count + 1) * sizeof *rows);
    const char *topic = NULL;
    size_t count = 0;
    int group = 0;
    for (size_t i = 0; i < report->experiment_count; i++) {
        const struct rl_experiment_key key = rl_experiment_key_of(report, i);
        if (key.gpu != gpu)
            continue;
        const char *next = rl_words_topic(report->doc, &report->capture->experiments[key.experiment]);
        if (!topic || strcmp(topic, next) != 0) {
            topic = next;
            rows[count++] = (struct overview_row){.experiment = rl_words_short(report->doc, topic, LONG_NAME),
                                                  .best = "",
                                                  .last = "",
                                                  .verdicts = "",
                                                  .best_figure = none,
                                                  .last_figure = none,
                                                  .apart = none,
                                                  .target = RL_NO_TARGET,
                                                  .is_topic = true,
                                                  .group = ++group};
        }
        rows[count] = row_of(report, key);
        rows[count++].group = group;
    }
    rl_view_table(report->doc->layout, &report->view,
                  &(struct rl_view_table){RL_TABLE(overview_fields, rows, count),
                                          .columns = with_pages ? "experiment,best,best_figure,last,last_figure,apart,claims,page"
                                                                : "experiment,best,best_figure,last,last_figure,apart,claims",
                                          .group = group_of, .dress = dress_overview});
    rl_layout_skip(report->doc->layout, 4);
    rl_layout_text(
        report->doc->layout, RL_STYLE_NOTE,
        "Best and last by the quantity that the experiment's claims are about: useful bandwidth, time per operation, or time. "
        "Figures published for another card are not judged; they are quoted with their experiments.");
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
