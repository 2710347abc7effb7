/* findings.c - the list of findings on the first page (see findings.h). */
#include "findings.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/sort.h"
#include "experiment.h"

/* How much a line of the list matters: rank 0 first. */
enum rank { RANK_WRONG, RANK_REFUTED, RANK_STATE, RANK_GAIN, RANK_HELD, RANK_UNDECIDED, RANKS };
enum { MOST_LINES = 5, MOST_OF_SHORT = 4 }; /* the first page of a short document has more to say */
/* So many of a rank come before those of lower ranks; more when there is nothing else. */
static const size_t shares[RANKS] = {[RANK_WRONG] = 5, [RANK_REFUTED] = 2, [RANK_STATE] = 2, [RANK_GAIN] = 2};

struct line {
    enum rank rank;
    double weight; /* within the rank: the greatest first, */
    size_t order;  /* then the first */
    enum rl_mark mark;
    const char *name, *strong, *text; /* whose, the figure, and what it means; names in backticks */
    size_t target;
    bool chosen;
};
struct lines {
    struct line *at;
    size_t count, cap;
};

static void add_line(struct lines *lines, struct line line)
{
    RL_GROW(lines->at, lines->count + 1, lines->cap);
    line.order = lines->count;
    lines->at[lines->count++] = line;
}

static int by_rank(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    return rl_ascending(x->rank, y->rank) ?: rl_descending(x->weight, y->weight) ?: rl_ascending(x->order, y->order);
}

/* ---- claims ---- */

/* "at least" from "at_least". */
static const char *relation_words(struct rl_report *report, const char *relation)
{
    char *words = rl_arena_strdup(report->doc->arena, rl_words_short(report->doc, relation, 20));
    for (char *p = words; *p; p++)
        *p = *p == '_' ? ' ' : *p;
    return words;
}

/* "3.62 times" for a ratio, "128 B" for a value. */
static const char *figure_text(struct rl_report *report, const struct rl_claim *claim, const struct rl_claim_result *result)
{
    const char *text = rl_words_value(report->doc, result->unit, result->measured, 3);
    return claim->baseline ? rl_words(report->doc, "%s times", text) : text;
}

static void add_claimed_number(struct rl_buf *out, enum rl_unit unit, double value)
{
    if (unit == RL_UNIT_NONE || unit == RL_UNIT_COUNT)
        rl_number_exact(out, value);
    else
        rl_unit_format(out, unit, value, 3);
}

/* "about 8.47", "5 to 20", as it was published. */
static const char *claimed_text(struct rl_report *report, const struct rl_claim *claim, const struct rl_claim_result *result)
{
    struct rl_buf value = RL_BUF_INIT;
    add_claimed_number(&value, result->unit, claim->value);
    if (rl_present(claim->from.most)) {
        rl_buf_adds(&value, " to ");
        add_claimed_number(&value, result->unit, claim->from.most.v);
    }
    const char *words = rl_present(claim->from.most) ? "" : relation_words(report, claim->relation);
    const char *text = rl_words(report->doc, "%s%s%s", words, words[0] ? " " : "", value.data);
    rl_buf_release(&value);
    return text;
}

/* How far from the claim it is: a factor as a logarithm. */
static double distance(const struct rl_claim *claim, const struct rl_claim_result *result)
{
    const double claimed = result->outcome == RL_CLAIM_EXCEEDED && rl_present(claim->from.most) ? claim->from.most.v : claim->value;
    const bool comparable = rl_present(result->measured) && result->measured.v > 0 && claimed > 0;
    return comparable ? fabs(log(result->measured.v / claimed)) : 0;
}

static void add_claim(struct rl_report *report, const struct rl_claim_result *result, struct lines *lines)
{
    static const struct {
        enum rank rank;
        const char *between, *after; /* the figure and what was claimed */
    } rows[] = {
        [RL_CLAIM_HELD] = {RANK_HELD, ", as claimed (", "). "},
        [RL_CLAIM_DID_NOT_HOLD] = {RANK_REFUTED, ", not ", ". "},
        [RL_CLAIM_EXCEEDED] = {RANK_REFUTED, ", more than ", ". "},
        [RL_CLAIM_UNDECIDED] = {RANK_UNDECIDED, "; ", " cannot be decided. "},
    };
    const struct rl_experiment *experiment = &report->capture->experiments[result->experiment];
    const struct rl_claim *claim = &experiment->claims[result->claim];
    if (result->outcome == RL_CLAIM_REFERENCE)
        return;
    assert(result->outcome < RL_COUNT(rows));
    struct line line = {.rank = rows[result->outcome].rank,
                        .weight = distance(claim, result),
                        .mark = rl_words_mark(result->outcome),
                        .name = experiment->name,
                        .strong = "",
                        .text = result->text, /* without a figure it says why */
                        .target = rl_experiment_target(report, result->experiment, result->gpu)};
    if (rl_present(result->measured)) {
        line.strong = rl_words(report->doc, "%s%s%s%s", figure_text(report, claim, result), rows[result->outcome].between,
                               claimed_text(report, claim, result), rows[result->outcome].after);
        line.text = rl_words_shortened(report->doc, claim->text, 400);
    }
    add_line(lines, line);
}

/* ---- gains ---- */

#define LEAST_GAIN 1.1 /* the best over the worst */

/* How much better the best variant of an experiment is than the last one. */
static void add_gain(struct rl_report *report, struct rl_experiment_key key, struct lines *lines)
{
    struct rl_view view = rl_view_of(report, key);
    if (!view.comparable || view.best == RL_NONE || !(rl_view_range(report, &view) >= LEAST_GAIN))
        return;
    enum rl_unit unit = view.quantity->unit;
    const char *best = rl_words_short(report->doc, rl_view_variant(report, &view, view.best)->name, 40);
    const char *worst = rl_words_short(report->doc, rl_view_variant(report, &view, view.worst)->name, 40);
    const char *times = rl_words_value(report->doc, RL_UNIT_NONE, rl_value_of(rl_view_range(report, &view)), 3);
    const char *text =
        rl_words(report->doc,
                 view.quantity->more_is_better ? "`%s` does %s times as much work per second as `%s`: %s against %s."
                                               : "`%s` is %s times as fast as `%s`: %s against %s.",
                 best, times, worst, rl_words_value(report->doc, unit, rl_view_figure(report, &view, view.best).value, 3),
                 rl_words_value(report->doc, unit, rl_view_figure(report, &view, view.worst).value, 3));
    add_line(lines, (struct line){.rank = RANK_GAIN,
                                  .weight = log(rl_view_range(report, &view)),
                                  .mark = RL_MARK_GOOD,
                                  .name = view.experiment->name,
                                  .strong = "",
                                  .text = text,
                                  .target = rl_experiment_target(report, key.experiment, key.gpu)});
}

/* Whether its findings are told of a family as a whole. */
static bool is_of_family(const struct rl_report *report, size_t kernel)
{
    assert(kernel < report->capture->kernel_count);
    return report->families->at[report->families->of_kernel[kernel]].figures != NULL;
}

static void add_of_family(struct rl_report *report, const struct rl_ranked_finding *ranked, struct lines *lines)
{
    const struct rl_family *family = &report->families->at[report->families->of_kernel[ranked->kernel]];
    const size_t target = rl_kernel_target(report, ranked->kernel);
    struct line line = {.rank = RANK_GAIN,
                        .weight = ranked->saving_s,
                        .mark = RL_MARK_ATTENTION,
                        .name = family->label,
                        .strong = "",
                        .target = target == RL_NO_TARGET ? rl_page_target(report, RL_PAGE_roofline) : target};
    line.text = rl_words(report->doc, "%s (%zu of its %zu shapes.)", ranked->finding->text, ranked->shapes, family->shapes);
    add_line(lines, line);
}

static void add_family(struct rl_report *report, size_t row, struct lines *lines)
{
    const size_t *ranked, count = rl_group(&report->ranked_of_row, row, &ranked);
    for (size_t i = 0; i < count; i++)
        add_of_family(report, &report->ranked[ranked[i]], lines);
}

static void add_kernel(struct rl_report *report, const struct rl_kernel_result *k, struct lines *lines)
{
    const struct rl_kernel *kernel = &report->capture->kernels[k->kernel];
    bool suite = kernel->variant != RL_NONE; /* the suite has slow variants on purpose: its claims speak for them */
    size_t target = suite ? rl_experiment_target(report, report->capture->variants[kernel->variant].experiment, kernel->gpu)
                          : rl_kernel_target(report, k->kernel);
    if (target == RL_NO_TARGET)
        target = rl_page_target(report, RL_PAGE_roofline);
    for (size_t i = 0; i < k->finding_count; i++) {
        const struct rl_finding *finding = &k->findings[i];
        struct line line = {.mark = RL_MARK_ATTENTION, .name = k->label, .strong = "", .text = finding->text, .target = target};
        line.rank = finding->rule == RL_RULE_wrong_result ? RANK_WRONG : RANK_GAIN;
        line.weight = rl_finding_saving_s(report->capture, k->kernel, finding);
        if (line.rank == RANK_WRONG || !suite)
            add_line(lines, line);
    }
}

/* ---- all of them ---- */

static void add_state(struct rl_report *report, const struct rl_finding *finding, struct lines *lines)
{
    add_line(lines, (struct line){.rank = RANK_STATE,
                                  .mark = RL_MARK_ATTENTION,
                                  .name = rl_rules[finding->rule].problem,
                                  .strong = "",
                                  .text = finding->text,
                                  .target = rl_card_rule_target(report, finding->rule)});
}

static struct lines collect(struct rl_report *report, size_t gpu)
{
    const struct rl_analysis *analysis = report->analysis;
    struct lines lines = {0};
    const size_t *at, kernels = rl_group(&analysis->index.kernels_of_gpu, gpu, &at);
    for (size_t i = 0; i < kernels; i++)
        if (!is_of_family(report, at[i]))
            add_kernel(report, &analysis->kernels[at[i]], &lines);
    const size_t rows = rl_group(&report->rows_of_gpu, gpu, &at);
    for (size_t i = 0; i < rows; i++)
        if (report->families->at[at[i]].figures)
            add_family(report, at[i], &lines);
    const struct rl_finding *finding;
    for (size_t i = 0; (finding = rl_finding_about(analysis, gpu, i)); i++)
        add_state(report, finding, &lines);
    const size_t claims = rl_group(&analysis->index.claims_of_gpu, gpu, &at);
    for (size_t i = 0; i < claims; i++)
        add_claim(report, &analysis->claims[at[i]], &lines);
    size_t first, experiments = rl_experiments_on(report, gpu, &first);
    for (size_t i = 0; i < experiments; i++)
        add_gain(report, rl_experiment_key_of(report, first + i), &lines);
    if (lines.count > 0)
        rl_sort(lines.at, lines.count, sizeof *lines.at, by_rank);
    return lines;
}

/* ---- choosing ---- */

/* True when something of the same experiment or kernel is among those that were chosen. */
static bool said(const struct line *const *chosen, size_t count, const struct line *line)
{
    bool of_one = line->rank != RANK_WRONG && line->rank != RANK_STATE;
    for (size_t i = 0; i < count && of_one; i++)
        if (strcmp(chosen[i]->name, line->name) == 0)
            return true;
    return false;
}

/* First so many of each rank as its share allows, then what comes next, both of different experiments, then anything; to `most`
 * lines in all. */
static void choose(struct lines *lines, size_t most)
{
    enum { OF_SHARES, OF_OTHERS, ANYTHING, ROUNDS };
    size_t count = 0, of_rank[RANKS] = {0};
    const struct line **chosen = rl_calloc(most, sizeof *chosen);
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < lines->count && count < most; i++) {
            struct line *line = &lines->at[i];
            bool full = round == OF_SHARES && of_rank[line->rank] == shares[line->rank];
            if (line->chosen || full || (round != ANYTHING && said(chosen, count, line)))
                continue;
            line->chosen = true;
            of_rank[line->rank]++;
            chosen[count++] = line;
        }
    }
    free(chosen);
}

/* ---- drawing ---- */

#define LINE_GAP 3.0

/* Those that fit, with `spare` points left over; returns their number. */
static size_t add_chosen(struct rl_report *report, struct rl_box *box, const struct lines *lines, double spare)
{
    size_t added = 0;
    for (size_t i = 0; i < lines->count; i++) {
        if (!lines->at[i].chosen)
            continue;
        const struct line *line = &lines->at[i];
        struct rl_para para = RL_PARA_INIT;
        rl_para_link(report->doc->layout, &para, RL_STYLE_STRONG, rl_words_short(report->doc, line->name, 50), line->target);
        rl_para_add(report->doc->layout, &para, RL_STYLE_STRONG, ": ");
        rl_para_add(report->doc->layout, &para, RL_STYLE_STRONG, line->strong);
        rl_para_coded(report->doc->layout, &para, RL_STYLE_BODY, RL_STYLE_CODE, line->text);
        para.max_lines = 4;
        if (rl_box_height(box) + rl_box_entry_height(box, &para) + spare > rl_layout_room(report->doc->layout)) {
            rl_para_release(&para);
            break;
        }
        rl_box_entry(box, lines->at[i].mark, &para, lines->at[i].target);
        rl_box_gap(box, LINE_GAP);
        added++;
    }
    return added;
}

/* Where the lines are that found no place. */
static void add_rest(struct rl_report *report, struct rl_box *box, size_t count)
{
    const size_t overview = rl_page_target(report, RL_PAGE_overview);
    struct rl_para para = RL_PARA_INIT;
    if (overview != RL_NO_TARGET)
        rl_para_addf(report->doc->layout, &para, RL_STYLE_QUIET, "%zu more: all experiments with their verdicts", count);
    else
        rl_para_addf(report->doc->layout, &para, RL_STYLE_QUIET, "%zu more: see rooflight show --findings all.", count);
    rl_box_entry(box, RL_MARK_QUIET, &para, overview);
    rl_box_gap(box, LINE_GAP);
}

void rl_findings_add(struct rl_report *report, struct rl_box *box, size_t gpu, double keep)
{
    struct lines lines = collect(report, gpu);
    rl_box_text(box, RL_STYLE_SUBSECTION, "What was found");
    rl_box_gap(box, 4);
    choose(&lines, report->doc->is_short ? MOST_OF_SHORT : MOST_LINES);
    const double rest = rl_styles[RL_STYLE_QUIET].leading + 2 * LINE_GAP;
    const size_t added = add_chosen(report, box, &lines, keep + rest);
    if (lines.count == 0)
        rl_box_text(box, RL_STYLE_BODY, "No rule found anything to report.");
    else if (added < lines.count)
        add_rest(report, box, lines.count - added);
    free(lines.at);
}
