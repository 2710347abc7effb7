/* compare_cards.c - several cards on one roofline. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "compare_doc.h"
#include "core/mem.h"
#include "core/sort.h"

enum { MOST_POINTS = 60 };

/* A kernel and what it is sorted by. */
struct ranked {
    size_t item;
    double by;
};

/* Descending; ties keep the order of the capture. */
static int by_rank(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return rl_descending(x->by, y->by) ?: rl_ascending(x->item, y->item);
}

/* "H200 (circle), A100 (square)". */
static const char *legend(struct rl_document *doc)
{
    const struct rl_columns *columns = rl_compare_what(doc)->options.columns;
    const char *text = "";
    for (size_t c = 0; c < columns->count; c++)
        text = rl_words(doc, "%s%s%s (%s)", text, *text ? ", " : "", rl_compare_words_card(doc, &columns->columns[c]),
                        rl_compare_card_mark(c));
    return text;
}

static const struct rl_analysis *analysis_of(const struct rl_columns *columns, size_t column)
{
    return (column ? &columns->columns[column].comparison->new : columns->base)->analysis;
}

/* Whether the highest clock of each card is known, so that all roofs can be at it. */
static bool have_boost(const struct rl_columns *columns)
{
    for (size_t c = 0; c < columns->count; c++) {
        const struct rl_capture *capture = analysis_of(columns, c)->capture;
        if (columns->columns[c].kind != RL_COLUMN_MEASURED &&
            (!capture->gpu_count || !rl_present(capture->gpus[0].fact[RL_FACT_sm_clock_max_hz])))
            return false;
    }
    return true;
}

/* Ratio of the arithmetic roof at the highest clock of the card to that at the clock that the counters saw: a profiler may keep one
 * card at its base clock and another not. 1 where the roofs were measured. */
static double to_boost(const struct rl_columns *columns, size_t column)
{
    if (!have_boost(columns))
        return 1;
    const struct rl_analysis *analysis = analysis_of(columns, column);
    const struct rl_value boost = analysis->capture->gpu_count ? analysis->capture->gpus[0].fact[RL_FACT_sm_clock_max_hz]
                                                               : rl_value_missing(RL_NOT_COLLECTED, NULL);
    if (columns->columns[column].kind == RL_COLUMN_MEASURED || !rl_present(boost) || analysis->gpus[0].sm_clock.n == 0 ||
        analysis->gpus[0].sm_clock.median <= 0)
        return 1;
    return boost.v / analysis->gpus[0].sm_clock.median;
}

/* Performance over the roof of the launch's kind of arithmetic, intensity over the ridge of that roof with DRAM's: every card has
 * the same roofs then. In times: arithmetic's roof over the launch, and over DRAM's roof. False: unknown. */
static bool normalised(const struct rl_columns *columns, size_t column, size_t item, double *x, double *y)
{
    assert(column < columns->count);
    const struct rl_cell *cell = &columns->columns[column].cells[item];
    const struct rl_value intensity = rl_value_div(cell->arithmetic_time_s, cell->memory_time_s, NULL);
    const struct rl_value share = rl_value_div(cell->arithmetic_time_s, cell->time_s, NULL);
    if (cell->why_not || !rl_present(intensity) || !rl_present(share) || intensity.v <= 0 || share.v <= 0)
        return false;
    *x = intensity.v / to_boost(columns, column);
    *y = 100 * share.v / to_boost(columns, column);
    return true;
}

/* The same in FLOP/B and FLOP/s, where no roof is known. */
static bool absolute(const struct rl_columns *columns, size_t column, size_t item, double *x, double *y)
{
    assert(column < columns->count);
    const struct rl_cell *cell = &columns->columns[column].cells[item];
    const struct rl_value none = rl_value_missing(RL_NOT_COLLECTED, NULL);
    const struct rl_value intensity = cell->metric ? cell->metric[RL_METRIC_intensity_dram] : none;
    const struct rl_value rate = cell->metric ? cell->metric[RL_METRIC_flop_per_second] : none;
    if (cell->why_not || !rl_present(intensity) || !rl_present(rate) || intensity.v <= 0 || rate.v <= 0)
        return false;
    *x = intensity.v;
    *y = rate.v;
    return true;
}

typedef bool (*place_function)(const struct rl_columns *columns, size_t column, size_t item, double *x, double *y);

static double share_of(const struct rl_cell *cell)
{
    return rl_present(cell->roof_share) ? cell->roof_share.v : 0;
}

/* Kernels with a place on the base's roofline and another card's, those nearest to their roofs first; `*place` is how they are
 * placed, in FLOP/s where no kernel has roofs on both. */
static struct ranked *nearest_to_roofs(const struct rl_document *doc, size_t *count, place_function *place)
{
    static const place_function ways[] = {normalised, absolute};
    const struct rl_columns *columns = rl_compare_what(doc)->options.columns;
    struct ranked *ranked = rl_arena_alloc(doc->arena, (columns->base->count + 1) * sizeof *ranked);
    double x, y;
    *count = 0;
    for (size_t way = 0; way < RL_COUNT(ways) && *count == 0; way++) {
        *place = ways[way];
        for (size_t i = 0; i < columns->base->count; i++) {
            bool other = false;
            for (size_t c = 1; c < columns->count && !other; c++)
                other = (*place)(columns, c, i, &x, &y);
            if (other && (*place)(columns, 0, i, &x, &y))
                ranked[(*count)++] = (struct ranked){i, share_of(&columns->columns[0].cells[i])};
        }
    }
    rl_sort(ranked, *count, sizeof *ranked, by_rank);
    return ranked;
}

size_t rl_compare_on_roofline(const struct rl_document *doc)
{
    size_t count = 0;
    place_function place;
    if (rl_compare_what(doc)->options.columns)
        nearest_to_roofs(doc, &count, &place);
    return count;
}

/* Kernels for which there is room, each with a point for each card: one at least. */
static size_t most_on_roofline(const struct rl_columns *columns)
{
    return MOST_POINTS / columns->count > 0 ? MOST_POINTS / columns->count : 1;
}

static void plan_common(struct rl_document *doc, struct rl_section *section)
{
    const struct rl_columns *columns = rl_compare_what(doc)->options.columns;
    struct rl_chart_point *points = rl_arena_alloc(doc->arena, (MOST_POINTS + columns->count + 1) * sizeof *points);
    struct rl_chart_arrow *arrows = rl_arena_alloc(doc->arena, (MOST_POINTS + columns->count + 1) * sizeof *arrows);
    size_t count = 0, arrow_count = 0, placed;
    place_function place;
    const struct ranked *ranked = nearest_to_roofs(doc, &placed, &place);
    for (size_t i = 0; i < placed && i < most_on_roofline(columns); i++) {
        const size_t item = ranked[i].item;
        size_t first = RL_NONE;
        for (size_t c = 0; c < columns->count; c++) {
            struct rl_chart_point point = {
                .low = NAN, .high = NAN, .weight = NAN, .tone = rl_compare_card_tone(c), .small = c == 0};
            if (!place(columns, c, item, &point.x, &point.y))
                continue;
            point.name = rl_compare_words_label(doc, &columns->base->items[item]);
            point.label = c == 1 || columns->count == 1 ? rl_compare_words_label(doc, &columns->base->items[item]) : NULL;
            if (c == 0)
                first = count;
            else if (first != RL_NONE)
                arrows[arrow_count++] = (struct rl_chart_arrow){first, count};
            points[count++] = point;
        }
    }
    if (arrow_count == 0)
        return;
    struct rl_chart_roof *roofs = rl_arena_alloc(doc->arena, 2 * sizeof *roofs);
    roofs[0] = (struct rl_chart_roof){
        .value = 100, .slanted = true, .main = true, .measured = true, .label = "DRAM roof of the card", .name = "DRAM"};
    roofs[1] = (struct rl_chart_roof){
        .value = 100, .main = true, .measured = true, .label = "arithmetic roof of the card", .name = "arithmetic"};
    struct rl_chart *chart = rl_document_chart(doc, section, RL_CHART_ROOFLINE);
    chart->height = 270;
    chart->roofline = (struct rl_chart_roofline){.roofs = roofs,
                                                 .roof_count = place == normalised ? 2 : 0,
                                                 .points = points,
                                                 .point_count = count,
                                                 .arrows = arrows,
                                                 .arrow_count = arrow_count,
                                                 .plain = place == normalised,
                                                 .no_ridge = place != normalised,
                                                 .no_key = place != normalised};
    if (place == normalised) {
        chart->roofline.x_title = "Intensity over that of the ridge (1: where the roofs meet)";
        chart->roofline.y_title = "Performance, % of the arithmetic roof";
    }
}

/* "Roofs: A at the data sheet's boost clock of 1.41 GHz, B measured." */
static const char *basis_text(struct rl_document *doc)
{
    const struct rl_columns *columns = rl_compare_what(doc)->options.columns;
    const char *text = "";
    for (size_t c = 0; c < columns->count; c++) {
        const struct rl_analysis *analysis = analysis_of(columns, c);
        const struct rl_stats *observed = &analysis->gpus[0].sm_clock;
        const bool boost = have_boost(columns) || observed->n == 0;
        const struct rl_value clock =
            boost ? analysis->capture->gpus[0].fact[RL_FACT_sm_clock_max_hz] : rl_value_of(observed->median);
        const char *of = columns->columns[c].kind == RL_COLUMN_MEASURED
                             ? "measured"
                             : rl_words(doc, "%s %s", boost ? "data sheet, boost" : "observed clock",
                                        rl_words_value(doc, RL_UNIT_HERTZ, clock, 3));
        text = rl_words(doc, "%s%s%s (%s)", text, *text ? ", " : "", rl_words_short(doc, columns->columns[c].card, 30), of);
    }
    return rl_words(doc, "Roofs: %s. ", text);
}

static void draw_common(struct rl_document *doc, struct rl_section *section)
{
    size_t placed;
    place_function place;
    nearest_to_roofs(doc, &placed, &place);
    const size_t most = most_on_roofline(rl_compare_what(doc)->options.columns);
    const char *const which =
        placed > most ? rl_words(doc, "The %zu of %zu kernels that are closest to their roofs. ", most, placed) : "";
    if (place == absolute) {
        rl_layout_figure(doc->layout, &rl_document_result(doc, section, 0)->drawing,
                         rl_words(doc, "Performance on each card: %s. An arrow leads from the base to another card.", legend(doc)),
                         "No kernel has roofs on both sides, so there are none.");
        return;
    }
    rl_layout_figure(
        doc->layout, &rl_document_result(doc, section, 0)->drawing,
        rl_words(doc,
                 "Performance relative to each card's own roofs, so that all cards share one roofline: %s. An arrow leads from the "
                 "base to another card; where it points down, the other card is used less well.",
                 legend(doc)),
        rl_words(doc,
                 "%s%sThe arithmetic roof is that of the units the kernel uses: FP32, FP64 or matrix units. Kernels without "
                 "floating-point operations have no place here.",
                 basis_text(doc), which));
}

const struct rl_page rl_compare_page_common = {.plan = plan_common, .draw = draw_common, .joins = RL_COMPARE_ROWS};
