/* page_ranks.c - comparing the ranks of a program: time by rank, and why the slowest one is slow. */
#include "page.h"
#include "results/results.h"
#include "results/sentence.h"
#include "view_table.h"

enum { MOST_BARS = 32, MOST_ROWS = 32 };
#define GAP 10.0

static const char *const part_names[] = {"own kernels", "collectives: waiting for other ranks", "memcpys alone"};
static const enum rl_tone part_tones[] = {RL_TONE_INK, RL_TONE_LINK, RL_TONE_IDLE};

static const char *seconds(struct rl_report *report, double value)
{
    return rl_words_value(report->doc, RL_UNIT_SECOND, rl_value_of(value), 3);
}
/* ---- charts ---- */

static struct rl_chart_bar bar_of(struct rl_report *report, const struct rl_ranks *ranks, size_t index)
{
    const struct rl_rank *rank = &ranks->ranks[index];
    double *parts = rl_arena_alloc(report->doc->arena, RL_COUNT(part_names) * sizeof *parts);
    parts[0] = rank->own_s;
    parts[1] = rank->collective_s;
    parts[2] = rank->copies_s;
    bool slowest = index == ranks->slowest, median = index == ranks->median && !slowest;
    return (struct rl_chart_bar){
        .label = rl_words(report->doc, "rank %s%s", rl_words_short(report->doc, rank->name, 12), median ? " (median)" : ""),
        .value = parts[0] + parts[1] + parts[2],
        .low = NAN,
        .high = NAN,
        .strong = slowest,
        .note = rl_words(report->doc, "%s own, idle %s", seconds(report, rank->own_s),
                         rl_words_value(report->doc, RL_UNIT_FRACTION, rank->idle, 2)),
        .parts = parts};
}

static void plan(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    size_t *chosen = rl_arena_alloc(report->doc->arena, MOST_BARS * sizeof *chosen);
    const size_t count = rl_ranks_representatives(report->subject->ranks, MOST_BARS, chosen);
    struct rl_chart_bar *bars = rl_arena_alloc(report->doc->arena, count * sizeof *bars);
    struct rl_chart_reference *mean = rl_arena_alloc(report->doc->arena, sizeof *mean);
    *mean = (struct rl_chart_reference){
        report->subject->ranks->mean_own_s, false,
        rl_words(report->doc, "mean of own kernels %s", seconds(report, report->subject->ranks->mean_own_s))};
    for (size_t i = 0; i < count; i++)
        bars[i] = bar_of(report, report->subject->ranks, chosen[i]);
    struct rl_chart *chart = rl_document_chart(report->doc, section, RL_CHART_BARS);
    chart->bars = (struct rl_chart_bars){.unit = RL_UNIT_SECOND,
                                         .title = "GPU time, added up",
                                         .bars = bars,
                                         .bar_count = count,
                                         .references = mean,
                                         .reference_count = report->subject->ranks->mean_own_s > 0,
                                         .values_aside = true,
                                         .part_count = RL_COUNT(part_names),
                                         .part_names = part_names,
                                         .part_tones = part_tones};
    chart->height = rl_chart_natural_height(chart);
}

/* ---- tables ---- */

/* Kernels for which the slowest rank takes longer stand out. */
static void dress_kernel(void *to, const struct view_field *field, const void *row, struct rl_grid_cell *cell)
{
    const struct rl_rank_kernel *kernel = row;
    if (field->bar && kernel->slowest_s > kernel->median_s)
        cell->share_tone = RL_TONE_GREY;
}

/* ---- the page ---- */

static void draw(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    const struct rl_ranks *ranks = report->subject->ranks;
    const struct view view = view_subject_view(report->subject, &view_record_ranks, ranks);
    for (size_t i = 0; i < ranks->remark_count; i++) {
        struct rl_para para = {0};
        rl_para_addf(report->doc->layout, &para, RL_STYLE_BODY, "%s.", rl_words_sentence(report->doc, ranks->remarks[i]));
        rl_layout_item(report->doc->layout, RL_MARK_ATTENTION, &para);
        rl_layout_skip(report->doc->layout, 3);
    }
    if (ranks->remark_count)
        rl_layout_skip(report->doc->layout, 6);
    struct rl_buf text = RL_BUF_IN(doc->arena);
    view_sentence_format(&view, view.record, view.row,
                         rl_present(ranks->imbalance)
                             ? "{count} ranks[ on {hosts host|hosts}]. Rank {slowest} is the slowest: its own kernels took "
                               "{slowest_own_s} against a mean of {mean_own_s}, an imbalance of {imbalance}."
                             : "{count} ranks, none of which has a kernel with a time.",
                         &text);
    rl_layout_text(report->doc->layout, RL_STYLE_LEAD, text.data);
    rl_layout_skip(report->doc->layout, 6);
    rl_layout_figure(report->doc->layout, &rl_document_result(report->doc, section, 0)->drawing,
                     ranks->count > MOST_BARS ? "Time by rank: the slowest, those around the median, the fastest."
                                              : "Time by rank; bold: the slowest.",
                     "Durations of all launches from the Activity API, without counters; concurrent kernels are added up.");
    rl_layout_skip(report->doc->layout, GAP);
    rl_view_table(report->doc->layout, &view, &(struct rl_view_table){.list = "kernels", .dress = dress_kernel});
    rl_layout_skip(report->doc->layout, GAP);
    rl_view_table(
        report->doc->layout, &view,
        &(struct rl_view_table){.list = "each", .title = ranks->count > MOST_ROWS ? "Ranks" : "Every rank", .most = MOST_ROWS});
    rl_layout_textf(
        report->doc->layout, RL_STYLE_NOTE,
        "Imbalance: maximum over mean time of own kernels, less 1 (Pearce, Gamblin, de Supinski, Schulz, Amato, ICS 2012): the "
        "gain if the work were spread evenly and nothing else limited it.%s",
        report->hidden
            ? rl_words(report->doc,
                       " Pages of single GPUs follow for the slowest and the median rank, %s and %s; for another rank, make a "
                       "report of its capture.",
                       rl_words_short(report->doc, ranks->ranks[ranks->slowest].name, 12),
                       rl_words_short(report->doc, ranks->ranks[ranks->median].name, 12))
            : "");
}

static size_t how_many(const struct rl_document *doc)
{
    const struct rl_report *report = doc->subject;
    return rl_has_ranks(report->capture);
}

const struct rl_page rl_page_ranks = {.count = how_many, .plan = plan, .draw = draw};
