/* page_links.c - the links between the GPUs of a machine: matrices, kinds, rate by size, what stands out. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "analysis/links.h"
#include "core/mem.h"
#include "core/signs.h"
#include "core/sort.h"
#include "page.h"
#include "results/links.h"
#include "view_table.h"

#define GAP 10.0
enum { HALF_GPUS = 6, MOST_SERIES = 6 }; /* so many GPUs at most have two matrices side by side */

/* ---- matrices ---- */

typedef double (*figure_fn)(const struct rl_links *links, size_t link);

static double rate_figure(const struct rl_links *links, size_t link)
{
    assert(link < links->capture->link_count);
    return links->links[link].rate.n ? links->links[link].rate.median : NAN;
}
static double latency_figure(const struct rl_links *links, size_t link)
{
    assert(link < links->capture->link_count);
    return links->links[link].latency.n ? links->links[link].latency.median : NAN;
}
/* It is stored with the first of the two directions. */
static double both_figure(const struct rl_links *links, size_t link)
{
    const struct rl_link *row = &links->capture->links[link];
    size_t back = rl_links_find(links, row->to_gpu, row->from_gpu);
    if (links->links[link].both.n)
        return links->links[link].both.median;
    return back != RL_NONE && links->links[back].both.n ? links->links[back].both.median : NAN;
}

static bool is_found(const struct rl_links *links, size_t link)
{
    assert(link < links->capture->link_count);
    return links->links[link].found & (1u << RL_LINK_RULE_slow_link | 1u << RL_LINK_RULE_uneven_pair | 1u << RL_LINK_RULE_failed);
}

/* The link from row `from` to column `to` of a matrix, in which the host is behind the GPUs; RL_NONE: there is none. */
static size_t link_between(const struct rl_links *links, size_t from, size_t to)
{
    const size_t gpus = links->capture->gpu_count;
    assert(from <= gpus && to <= gpus);
    return from == to ? RL_NONE : rl_links_find(links, from < gpus ? from : RL_NONE, to < gpus ? to : RL_NONE);
}

/* A GPU by its index, or the host behind them. */
static const char *end_name(struct rl_report *report, size_t end, bool brief)
{
    const struct rl_capture *capture = report->capture;
    assert(end <= capture->gpu_count);
    return end == capture->gpu_count ? "host" : rl_words(report->doc, "%s%d", brief ? "" : "GPU ", capture->gpus[end].index);
}

/* GPUs, and behind them the host; both ways of a pair are one figure, so only the upper half is filled. */
static void fill_matrix(struct rl_report *report, const struct rl_links *links, figure_fn figure, bool marks, bool half,
                        struct rl_chart_matrix *matrix)
{
    size_t gpus = report->capture->gpu_count, n = gpus + 1;
    const char **names = rl_arena_alloc(report->doc->arena, n * sizeof *names),
               **heads = rl_arena_alloc(report->doc->arena, n * sizeof *heads);
    const char **notes = rl_arena_alloc(report->doc->arena, n * n * sizeof *notes);
    double *values = rl_arena_alloc(report->doc->arena, n * n * sizeof *values);
    bool *marked = rl_arena_alloc(report->doc->arena, n * n * sizeof *marked);
    for (size_t i = 0; i < n; i++) {
        names[i] = end_name(report, i, false);
        heads[i] = end_name(report, i, gpus > 8);
        for (size_t k = 0; k < n; k++) {
            const size_t link = half && k < i ? RL_NONE : link_between(links, i, k);
            values[i * n + k] = link == RL_NONE ? NAN : figure(links, link);
            notes[i * n + k] = link != RL_NONE && !isfinite(values[i * n + k]) ? RL_EN_DASH : NULL;
            marked[i * n + k] = marks && link != RL_NONE && is_found(links, link);
        }
    }
    matrix->rows = names;
    matrix->columns = heads;
    matrix->row_count = matrix->column_count = n;
    matrix->values = values;
    matrix->notes = notes;
    matrix->marked = marked;
}

static void plan_matrix(struct rl_report *report, struct rl_section *section, const struct rl_links *links, figure_fn figure,
                        enum rl_unit unit, double width)
{
    struct rl_chart *chart = rl_document_chart(report->doc, section, RL_CHART_MATRIX);
    chart->matrix = (struct rl_chart_matrix){.unit = unit, .column_title = "to", .row_title = "from"};
    fill_matrix(report, links, figure, figure == rate_figure, figure == both_figure, &chart->matrix);
    if (figure == both_figure) {
        chart->matrix.column_title = "both directions added up";
        chart->matrix.row_title = NULL;
    }
    chart->width = width;
    chart->height = rl_chart_natural_height(chart);
}

/* ---- rate by size ---- */

/* The sizes that occur, ascending. */
static size_t sizes_of(struct rl_report *report, double **sizes)
{
    const struct rl_capture *capture = report->capture;
    size_t count = 0;
    *sizes = rl_arena_alloc(report->doc->arena, (capture->link_run_count + 1) * sizeof **sizes);
    for (size_t i = 0; i < capture->link_run_count; i++) {
        bool known = capture->link_runs[i].bytes <= RL_LINK_LATENCY_BYTES || strcmp(capture->link_runs[i].traffic, "alone") != 0;
        for (size_t k = 0; k < count && !known; k++)
            known = (*sizes)[k] == (double)capture->link_runs[i].bytes;
        if (!known)
            (*sizes)[count++] = (double)capture->link_runs[i].bytes;
    }
    rl_sort_doubles(*sizes, count);
    return count;
}

static void plan_sizes(struct rl_report *report, struct rl_section *section, const struct rl_links *links)
{
    static const enum rl_tone tones[] = {RL_TONE_INK, RL_TONE_SQUARE, RL_TONE_UP, RL_TONE_DOWN, RL_TONE_GREY, RL_TONE_IDLE};
    static_assert(RL_COUNT(tones) == MOST_SERIES, "a tone for each");
    double *sizes;
    size_t count = sizes_of(report, &sizes), kinds = links->kind_count < MOST_SERIES ? links->kind_count : MOST_SERIES;
    struct rl_chart_series *series = rl_arena_alloc(report->doc->arena, MOST_SERIES * sizeof *series);
    for (size_t k = 0; k < kinds; k++) {
        double *rates = rl_arena_alloc(report->doc->arena, (count + 1) * sizeof *rates);
        for (size_t i = 0; i < count; i++)
            rates[i] = rl_links_rate_at(links, k, (uint64_t)sizes[i]);
        series[k] = (struct rl_chart_series){
            .label = rl_words(report->doc, "%s, %s", rl_link_ends[links->kinds[k].ends], links->kinds[k].label),
            .tone = tones[k],
            .count = count,
            .x = sizes,
            .y = rates};
    }
    struct rl_chart *chart = rl_document_chart(report->doc, section, RL_CHART_LINES);
    chart->height = 170;
    chart->lines = (struct rl_chart_lines){.x_unit = RL_UNIT_BYTE,
                                           .y_unit = RL_UNIT_BYTE_PER_SECOND,
                                           .x_scale = RL_SCALE_LOG2,
                                           .y_scale = RL_SCALE_LOG10,
                                           .x_title = "Size of one copy",
                                           .y_title = "Rate in one direction",
                                           .series = series,
                                           .series_count = kinds};
}

/* ---- plan ---- */

static void plan(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    const struct rl_links *links = report->subject->links;
    bool half = report->capture->gpu_count <= HALF_GPUS;
    double width = half ? rl_layout_width(report->doc->layout, 6) : RL_CHART_WIDE;
    plan_matrix(report, section, links, rate_figure, RL_UNIT_BYTE_PER_SECOND, RL_CHART_WIDE);
    plan_matrix(report, section, links, both_figure, RL_UNIT_BYTE_PER_SECOND, width);
    plan_matrix(report, section, links, latency_figure, RL_UNIT_SECOND, width);
    plan_sizes(report, section, links);
}

/* ---- sentences ---- */

static const char *lead(struct rl_report *report, const struct rl_links *links)
{
    const char *text = "";
    for (size_t k = 0; k < links->kind_count && k < 4; k++) {
        const struct rl_link_kind *kind = &links->kinds[k];
        text = rl_words(report->doc, "%s%s%s, %s: %s", text, text[0] ? "; " : "", rl_link_ends[kind->ends], kind->label,
                        rl_words_value(report->doc, RL_UNIT_BYTE_PER_SECOND, kind->median, 3));
        if (rl_present(kind->share))
            text = rl_words(report->doc, "%s (%s of theory)", text, rl_words_value(report->doc, RL_UNIT_FRACTION, kind->share, 2));
    }
    return text[0] ? rl_words(report->doc, "%s. Each link alone, in one direction.", text) : "No link was measured.";
}

static void draw_findings(struct rl_report *report, const struct rl_links *links)
{
    rl_layout_subsection(report->doc->layout, "What stands out");
    for (size_t i = 0; i < links->finding_count; i++) {
        const struct rl_link_finding *finding = &links->findings[i];
        struct rl_para para = RL_PARA_INIT;
        rl_para_add(report->doc->layout, &para, RL_STYLE_BODY, rl_words_sentence(report->doc, finding->text));
        rl_para_addf(report->doc->layout, &para, RL_STYLE_QUIET, ". %s.",
                     rl_words_sentence(report->doc, rl_link_rules[finding->rule].advice));
        rl_layout_item(report->doc->layout, RL_MARK_ATTENTION, &para);
        rl_para_release(&para);
        rl_layout_skip(report->doc->layout, 3);
    }
    if (links->finding_count == 0)
        rl_layout_text(
            report->doc->layout, RL_STYLE_BODY,
            "Nothing: all links were measured, links of one kind are alike, both directions carry the same, and no GPUs slow each "
            "other down on a shared route to the host.");
}

/* ---- the page ---- */

static void draw_machine(struct rl_report *report)
{
    const struct rl_capture *capture = report->capture;
    size_t same = 0;
    for (size_t i = 0; i < capture->gpu_count; i++)
        same += strcmp(capture->gpus[i].name, capture->gpus[0].name) == 0;
    rl_layout_textf(report->doc->layout, RL_STYLE_QUIET, "%zu x %s%s%s%s", same,
                    rl_words_short(report->doc, rl_words_card(report->capture, 0), 60),
                    same < capture->gpu_count ? " and others" : "", capture->session.host ? " on " : "",
                    capture->session.host ? rl_words_short(report->doc, capture->session.host, 60) : "");
    rl_layout_skip(report->doc->layout, 4);
}

static const char *method(struct rl_report *report)
{
    size_t samples = SIZE_MAX;
    for (size_t i = 0; i < report->capture->link_run_count; i++)
        samples = report->capture->link_runs[i].duration_count < samples ? report->capture->link_runs[i].duration_count : samples;
    return rl_words(
        report->doc,
        "cudaMemcpyPeerAsync with peer access where the driver allows it, cudaMemcpyAsync with page-locked memory to and from the "
        "host. Each figure is the median of %zu samples or more, timed by CUDA events behind a gate that opens for all copies at "
        "once; the copy size with the highest rate counts.",
        samples == SIZE_MAX ? 0 : samples);
}

static void draw_matrix(struct rl_report *report, struct rl_section *section)
{
    rl_layout_figure(report->doc->layout, &rl_document_result(report->doc, section, 0)->drawing,
                     "Rate of each link alone, in one direction; darker is faster, a frame marks what stands out.", method(report));
}

/* Two matrices beside each other where they are narrow. */
static void draw_pair(struct rl_report *report, struct rl_section *section)
{
    static const char *const captions[] = {"Both directions of a pair at once.",
                                           "Latency: time of one 16-byte copy in a chain of them; lighter is better."};
    const bool half = report->capture->gpu_count <= HALF_GPUS;
    struct rl_box *box = rl_flow_begin(report->doc->layout), *row = NULL;
    for (size_t i = 0; i < 2; i++) {
        if (i == 0 || !half)
            row = rl_box_row(box);
        rl_box_figure(rl_box_cell(row, RL_ALL_COLUMNS / (1 + half)), &rl_document_result(report->doc, section, 1 + i)->drawing,
                      captions[i], NULL);
        if (!half)
            rl_box_gap(box, GAP);
    }
    rl_box_gap(box, GAP);
    rl_flow_end(box);
}

static void draw(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    const struct rl_links *links = report->subject->links;
    const struct view view = view_subject_view(report->subject, &view_record_links, links);
    draw_machine(report);
    rl_layout_text(report->doc->layout, RL_STYLE_LEAD, lead(report, links));
    rl_layout_skip(report->doc->layout, 8);
    draw_matrix(report, section);
    rl_layout_skip(report->doc->layout, GAP);
    draw_findings(report, links);
    rl_layout_skip(report->doc->layout, GAP);
    rl_view_table(
        report->doc->layout, &view,
        &(struct rl_view_table){.list = "kinds",
                                .title = "Links that should be equal",
                                .columns = "ends,way,links,measured,median,slowest,fastest,theoretical,share,both_ways,latency_s"});
    rl_view_table(report->doc->layout, &view,
                  &(struct rl_view_table){.list = "totals",
                                          .title = "All GPUs and the host at once",
                                          .columns = "direction,all_together,low,high,alone,of_sum"});
    rl_layout_skip(report->doc->layout, GAP);
    draw_pair(report, section);
    rl_layout_figure(report->doc->layout, &rl_document_result(report->doc, section, 3)->drawing,
                     "Rate by size of one copy: median over the links of each kind.", NULL);
    rl_layout_skip(report->doc->layout, GAP);
    rl_layout_text(
        report->doc->layout, RL_STYLE_NOTE,
        "Theory: NVLinks times the rate of one in one direction (the makers' figures by version), or lanes times the PCIe rate "
        "after its line code; headers are not taken off. Kinds: links of the same route, version and number; for PCIe the topology "
        "as nvidia-smi names it (PIX, PXB: one or several switches; PHB: host bridge; NODE, SYS: within and between sockets). All "
        "at once: the bytes of all over the time of the slowest. The copied data was compared byte for byte before anything was "
        "timed.");
}

static size_t how_many(const struct rl_document *doc)
{
    const struct rl_report *report = doc->subject;
    return report->capture->link_count > 0;
}

const struct rl_page rl_page_links = {.count = how_many, .plan = plan, .draw = draw};
