/* compare_cards.c - several cards: the page that says it, the share of each card's own roof, all on one roofline. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare_doc.h"
#include "core/mem.h"
#include "core/stats.h"

enum { MOST_ON_COVER = 40, ROWS_OF_CHART = 50, MOST_CHARTS = 3, MOST_POINTS = 60, MOST_NAMED = 4 };

/* Cards in charts: the base grey, the others by their place. */
static enum rl_tone tone_of(size_t column)
{
    static const enum rl_tone tones[] = {RL_TONE_MEMORY, RL_TONE_COMPUTE, RL_TONE_LATENCY, RL_TONE_ATTENTION};
    return column == 0 ? RL_TONE_NEUTRAL : tones[(column - 1) % RL_COUNT(tones)];
}

static const char *tone_name(size_t column)
{
    static const char *const names[] = {"blue", "vermilion", "green", "amber"};
    return column == 0 ? "grey" : names[(column - 1) % RL_COUNT(names)];
}

/* A kernel and what it is sorted by. */
struct ranked {
    size_t item;
    double by;
};

/* The greatest first, and equal ones in the order of the capture. */
static int by_rank(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return x->by != y->by ? (x->by < y->by) - (x->by > y->by) : (x->item > y->item) - (x->item < y->item);
}

static bool has_prediction(const struct rl_cell *cell)
{
    return rl_cell_has_speedup(cell) && rl_present(cell->predicted);
}

/* Of the first card that has one. */
static double first_speedup(const struct rl_columns *columns, size_t item)
{
    for (size_t c = 1; c < columns->count; c++)
        if (rl_cell_has_speedup(&columns->columns[c].cells[item]))
            return columns->columns[c].cells[item].speedup.estimate;
    return 0;
}

/* What the cover shows: kernels under a roof (where none is, all), from the one that gains most to the one that gains least; of
 * more than `most` the first, the last and those that lie evenly between. */
struct chosen {
    size_t *items;
    size_t count, all;
    bool under_roofs;
};

static struct chosen choose(struct rl_document *doc, size_t most)
{
    const struct rl_columns *columns = rl_compare_what(doc)->columns;
    struct chosen chosen = {.items = rl_arena_alloc(doc->arena, (columns->base->count + 1) * sizeof *chosen.items)};
    chosen.all = rl_compare_items_with(columns, chosen.items, has_prediction);
    chosen.under_roofs = chosen.all > 0;
    if (!chosen.under_roofs)
        chosen.all = rl_compare_items_with(columns, chosen.items, rl_cell_has_speedup);
    struct ranked *ranked = rl_arena_alloc(doc->arena, (chosen.all + 1) * sizeof *ranked);
    for (size_t i = 0; i < chosen.all; i++)
        ranked[i] = (struct ranked){chosen.items[i], first_speedup(columns, chosen.items[i])};
    qsort(ranked, chosen.all, sizeof *ranked, by_rank);
    chosen.count = chosen.all < most ? chosen.all : most;
    for (size_t i = 0; i < chosen.count; i++)
        chosen.items[i] = ranked[chosen.count > 1 ? i * (chosen.all - 1) / (chosen.count - 1) : 0].item;
    return chosen;
}

/* Kernels for which there is room, each of them drawn `marks` times: one at least. */
static size_t kernels_in(size_t room, size_t marks)
{
    return room / marks > 0 ? room / marks : 1;
}

static size_t most_on_cover(const struct rl_columns *columns)
{
    return kernels_in(MOST_ON_COVER, columns->count - 1);
}

/* "H200 (grey), A100 (blue)". */
static const char *legend(struct rl_document *doc, size_t first)
{
    const struct rl_columns *columns = rl_compare_what(doc)->columns;
    const char *text = "";
    for (size_t c = first; c < columns->count; c++)
        text =
            rl_words(doc, "%s%s%s (%s)", text, *text ? ", " : "", rl_compare_words_card(doc, &columns->columns[c]), tone_name(c));
    return text;
}

/* ---- speed-ups ---- */

static struct rl_chart_interval speedup_row(struct rl_document *doc, size_t column, size_t item, bool named)
{
    const struct rl_columns *columns = rl_compare_what(doc)->columns;
    const struct rl_cell *cell = &columns->columns[column].cells[item];
    const bool interval = rl_cell_has_speedup(cell) && cell->speedup.has_interval;
    return (struct rl_chart_interval){
        .label = named ? rl_compare_words_label(doc, &columns->base->items[item]) : "",
        .value = rl_cell_has_speedup(cell) ? cell->speedup.estimate : NAN,
        .low = interval ? cell->speedup.low : NAN,
        .high = interval ? cell->speedup.high : NAN,
        .expected = rl_present(cell->predicted) && !cell->why_not ? cell->predicted.v : NAN,
        .tone = tone_of(column),
        .hollow = columns->columns[column].kind != RL_COLUMN_MEASURED,
        .strong = rl_cell_is_underused(&columns->columns[column], item),
        .note = rl_cell_has_speedup(cell) ? rl_words(doc, "%.2f×%s", cell->speedup.estimate,
                                                     rl_cell_is_underused(&columns->columns[column], item) ? " wasted" : "")
                                          : "–",
    };
}

static void plan_cards(struct rl_document *doc, struct rl_section *section)
{
    const struct rl_columns *columns = rl_compare_what(doc)->columns;
    const struct chosen chosen = choose(doc, most_on_cover(columns));
    const size_t others = columns->count - 1, count = chosen.count, *items = chosen.items;
    struct rl_chart_interval *rows = rl_arena_alloc(doc->arena, (count * others + 1) * sizeof *rows);
    struct rl_chart_reference *one = rl_arena_alloc(doc->arena, sizeof *one);
    double highest = 1, lowest = 1;
    for (size_t i = 0; i < count * others; i++) {
        rows[i] = speedup_row(doc, 1 + i % others, items[i / others], i % others == 0);
        highest = fmax(highest, fmax(rows[i].value, isfinite(rows[i].expected) ? rows[i].expected : 0));
        lowest = fmin(lowest, isfinite(rows[i].value) ? rows[i].value : 1);
    }
    if (count == 0)
        return;
    *one = (struct rl_chart_reference){1, true, NULL};
    struct rl_chart *chart = rl_document_chart(doc, section, RL_CHART_INTERVALS);
    chart->intervals = (struct rl_chart_intervals){.unit = RL_UNIT_NONE,
                                                   .log = highest / lowest > 8,
                                                   .title = "Speed-up over the base",
                                                   .band_low = NAN,
                                                   .band_high = NAN,
                                                   .rows = rows,
                                                   .row_count = count * others,
                                                   .references = one,
                                                   .reference_count = 1};
}

/* What a sentence sums up: NAN where there is nothing. */
static double speedup_of(const struct rl_columns *columns, size_t column, size_t item)
{
    const struct rl_cell *cell = &columns->columns[column].cells[item];
    return rl_cell_has_speedup(cell) ? cell->speedup.estimate : NAN;
}

static double predicted_of(const struct rl_columns *columns, size_t column, size_t item)
{
    const struct rl_cell *cell = &columns->columns[column].cells[item];
    return rl_present(cell->predicted) && !cell->why_not ? cell->predicted.v : NAN;
}

static double worth_of(const struct rl_columns *columns, size_t column, size_t item)
{
    const struct rl_ratio worth = rl_cell_speedup_per_price(columns, column, item);
    return worth.present ? worth.estimate : NAN;
}

static struct rl_stats sum_up(const struct rl_columns *columns, size_t column,
                              double (*value)(const struct rl_columns *columns, size_t column, size_t item))
{
    double *values = rl_calloc(columns->base->count + 1, sizeof *values);
    size_t count = 0;
    for (size_t i = 0; i < columns->base->count; i++) {
        const double found = value(columns, column, i);
        if (isfinite(found))
            values[count++] = found;
    }
    const struct rl_stats summary = rl_stats_of(values, count);
    free(values);
    return summary;
}

static const char *answer(struct rl_document *doc, size_t column)
{
    const struct rl_columns *columns = rl_compare_what(doc)->columns;
    const struct rl_column *of = &columns->columns[column];
    const struct rl_stats speedup = sum_up(columns, column, speedup_of), roofs = sum_up(columns, column, predicted_of),
                          worth = sum_up(columns, column, worth_of);
    const char *rest = "";
    size_t wasted = 0;
    for (size_t i = 0; i < columns->base->count; i++)
        wasted += rl_cell_is_underused(of, i);
    if (speedup.n == 0)
        return rl_words(doc, "%s has no kernel in common with the base.", rl_compare_words_card(doc, of));
    if (roofs.n > 0)
        rest = rl_words(doc, "; the roofs of both predict %.2f to %.2f, %.2f in the middle", roofs.min, roofs.max, roofs.median);
    if (wasted)
        rest = rl_words(doc, "%s, and it is wasted on %s", rest, rl_words_count(doc, wasted, "kernel", "kernels"));
    if (worth.n > 0)
        rest = rl_words(doc, "%s; the same money buys %.2f to %.2f times the work, %.2f in the middle", rest, worth.min, worth.max,
                        worth.median);
    return rl_words(doc, "%s: %.2f to %.2f times as fast as %s, %.2f in the middle%s.", rl_compare_words_card(doc, of), speedup.min,
                    speedup.max, rl_compare_words_card(doc, &columns->columns[0]), speedup.median, rest);
}

/* Which kernels the cover shows; NULL: all there are. */
static const char *of_all(struct rl_document *doc)
{
    const struct rl_columns *columns = rl_compare_what(doc)->columns;
    const struct chosen chosen = choose(doc, most_on_cover(columns));
    size_t *items = rl_arena_alloc(doc->arena, (columns->base->count + 1) * sizeof *items);
    const size_t all = rl_compare_items_with(columns, items, rl_cell_has_speedup);
    if (chosen.count == all)
        return NULL;
    return rl_words(doc, "%s%zu of %zu kernels%s, from the one that gains most to the one that gains least; all are in the tables.",
                    chosen.count < chosen.all ? "Evenly by rank, " : "The ", chosen.count, chosen.all,
                    chosen.under_roofs ? " under a roof" : "");
}

static void draw_cards(struct rl_document *doc, struct rl_section *section)
{
    const struct rl_columns *columns = rl_compare_what(doc)->columns;
    const char *title = rl_compare_words_card(doc, &columns->columns[0]);
    for (size_t c = 1; c < columns->count && c < MOST_NAMED; c++)
        title = rl_words(doc, "%s%s%s", title, c + 1 == columns->count ? " and " : ", ",
                         rl_compare_words_card(doc, &columns->columns[c]));
    if (columns->count > MOST_NAMED)
        title = rl_words(doc, "%s and %zu more", title, columns->count - MOST_NAMED);
    rl_layout_text(doc->layout, RL_STYLE_DISPLAY, title);
    rl_layout_skip(doc->layout, 8);
    for (size_t c = 1; c < columns->count; c++)
        rl_layout_text(doc->layout, RL_STYLE_LEAD, answer(doc, c));
    rl_layout_skip(doc->layout, 8);
    for (size_t i = 1; i < rl_compare_what(doc)->count; i++)
        rl_compare_lay_notes(doc, rl_compare_what(doc)->parts[i].comparison);
    if (section->chart_count) {
        rl_layout_skip(doc->layout, 6);
        rl_layout_figure(
            doc->layout, &rl_document_result(doc, section, 0)->drawing,
            rl_words(doc,
                     "Speed-up over %s with its interval: %s. Diamonds: what the roofs of both cards predict for the work of "
                     "the kernel. Wasted: the whole interval stays under 80 %% of that.",
                     rl_compare_words_card(doc, &columns->columns[0]), legend(doc, 1)),
            of_all(doc));
    }
}

const struct rl_page rl_compare_page_cards = {.plan = plan_cards, .draw = draw_cards};

/* ---- share of each card's own roof ---- */

static const char *share_text(struct rl_document *doc, struct rl_value share)
{
    return share.v > 0 && share.v < 1e-4 ? "<0.01 %" : rl_words_value(doc, RL_UNIT_FRACTION, share, 3);
}

static bool has_share(const struct rl_cell *cell)
{
    return rl_present(cell->roof_share) && !cell->why_not;
}

static bool has_share_of_use(const struct rl_cell *cell)
{
    return has_share(cell) && rl_present(cell->predicted);
}

/* Kernels under a roof; where none is, all. */
static size_t items_with_shares(const struct rl_columns *columns, size_t *items)
{
    const size_t count = rl_compare_items_with(columns, items, has_share_of_use);
    return count ? count : rl_compare_items_with(columns, items, has_share);
}

static struct rl_chart_interval share_row(struct rl_document *doc, size_t column, size_t item, bool named)
{
    const struct rl_columns *columns = rl_compare_what(doc)->columns;
    const struct rl_cell *cell = &columns->columns[column].cells[item];
    const bool shown = has_share(cell);
    return (struct rl_chart_interval){
        .label = named ? rl_compare_words_label(doc, &columns->base->items[item]) : "",
        .value = shown ? cell->roof_share.v : NAN,
        .low = NAN,
        .high = NAN,
        .expected = NAN,
        .tone = tone_of(column),
        .hollow = columns->columns[column].kind != RL_COLUMN_MEASURED,
        .note = shown ? rl_words(doc, "%s %s, %s", share_text(doc, cell->roof_share), cell->roof, rl_bound_name(cell->bound)) : "–",
    };
}

static void plan_shares(struct rl_document *doc, struct rl_section *section)
{
    const struct rl_columns *columns = rl_compare_what(doc)->columns;
    size_t *items = rl_arena_alloc(doc->arena, (columns->base->count + 1) * sizeof *items);
    const size_t count = items_with_shares(columns, items), each = kernels_in(ROWS_OF_CHART, columns->count);
    struct rl_chart_reference *roof = rl_arena_alloc(doc->arena, sizeof *roof);
    *roof = (struct rl_chart_reference){1, true, "the roof"};
    for (size_t first = 0; first < count && first < each * MOST_CHARTS; first += each) {
        const size_t shown = count - first < each ? count - first : each;
        struct rl_chart_interval *rows = rl_arena_alloc(doc->arena, (shown * columns->count + 1) * sizeof *rows);
        for (size_t i = 0; i < shown * columns->count; i++)
            rows[i] = share_row(doc, i % columns->count, items[first + i / columns->count], i % columns->count == 0);
        struct rl_chart *chart = rl_document_chart(doc, section, RL_CHART_INTERVALS);
        chart->intervals = (struct rl_chart_intervals){.unit = RL_UNIT_FRACTION,
                                                       .title = "Share of the card's own roof",
                                                       .band_low = NAN,
                                                       .band_high = NAN,
                                                       .rows = rows,
                                                       .row_count = shown * columns->count,
                                                       .references = roof,
                                                       .reference_count = 1};
    }
}

static void draw_shares(struct rl_document *doc, struct rl_section *section)
{
    size_t *items = rl_arena_alloc(doc->arena, (rl_compare_what(doc)->columns->base->count + 1) * sizeof *items), shown = 0;
    const size_t all = items_with_shares(rl_compare_what(doc)->columns, items);
    for (size_t i = 0; i < section->chart_count; i++)
        shown += doc->charts[section->first_chart + i].intervals.row_count / rl_compare_what(doc)->columns->count;
    for (size_t i = 0; i < section->chart_count; i++)
        rl_layout_figure(
            doc->layout, &rl_document_result(doc, section, i)->drawing,
            i ? "As above, continued."
              : rl_words(doc, "How near each card brings a kernel to its roof, and which roof that is: %s.", legend(doc, 0)),
            i ? NULL : "Roofs: measured where the capture has them, else theoretical at the observed clock.");
    if (section->chart_count == 0)
        rl_layout_text(doc->layout, RL_STYLE_BODY,
                       "No card beside the base has a kernel of the base with the counters that place it under a roof.");
    else
        rl_compare_lay_rest(doc, all - shown);
}

const struct rl_page rl_compare_page_shares = {.plan = plan_shares, .draw = draw_shares, .joins = RL_COMPARE_ROWS};

/* ---- all on one roofline ---- */

/* Performance over the roof of the launch's kind of arithmetic, intensity over the ridge of that roof with DRAM's: every card has
 * the same roofs then. In times: arithmetic's roof over the launch, and over DRAM's roof. False: not known. */
static bool normalised(const struct rl_columns *columns, size_t column, size_t item, double *x, double *y)
{
    const struct rl_cell *cell = &columns->columns[column].cells[item];
    const struct rl_value intensity = rl_value_div(cell->arithmetic_time_s, cell->memory_time_s, NULL);
    const struct rl_value share = rl_value_div(cell->arithmetic_time_s, cell->time_s, NULL);
    if (cell->why_not || !rl_present(intensity) || !rl_present(share) || intensity.v <= 0 || share.v <= 0)
        return false;
    *x = intensity.v;
    *y = 100 * share.v;
    return true;
}

static double share_of(const struct rl_cell *cell)
{
    return rl_present(cell->roof_share) ? cell->roof_share.v : 0;
}

/* Kernels with a place on the base's roofline and another card's, those nearest to their roofs first. */
static struct ranked *nearest_to_roofs(struct rl_document *doc, size_t *count)
{
    const struct rl_columns *columns = rl_compare_what(doc)->columns;
    struct ranked *ranked = rl_arena_alloc(doc->arena, (columns->base->count + 1) * sizeof *ranked);
    double x, y;
    *count = 0;
    for (size_t i = 0; i < columns->base->count; i++) {
        bool other = false;
        for (size_t c = 1; c < columns->count && !other; c++)
            other = normalised(columns, c, i, &x, &y);
        if (other && normalised(columns, 0, i, &x, &y))
            ranked[(*count)++] = (struct ranked){i, share_of(&columns->columns[0].cells[i])};
    }
    qsort(ranked, *count, sizeof *ranked, by_rank);
    return ranked;
}

static size_t most_on_roofline(const struct rl_columns *columns)
{
    return kernels_in(MOST_POINTS, columns->count);
}

static void plan_common(struct rl_document *doc, struct rl_section *section)
{
    const struct rl_columns *columns = rl_compare_what(doc)->columns;
    struct rl_chart_point *points = rl_arena_alloc(doc->arena, (MOST_POINTS + columns->count + 1) * sizeof *points);
    struct rl_chart_arrow *arrows = rl_arena_alloc(doc->arena, (MOST_POINTS + columns->count + 1) * sizeof *arrows);
    size_t count = 0, arrow_count = 0, placed;
    const struct ranked *ranked = nearest_to_roofs(doc, &placed);
    for (size_t i = 0; i < placed && i < most_on_roofline(columns); i++) {
        const size_t item = ranked[i].item;
        size_t first = RL_NONE;
        for (size_t c = 0; c < columns->count; c++) {
            struct rl_chart_point point = {.low = NAN, .high = NAN, .weight = NAN, .tone = tone_of(c), .small = c == 0};
            if (!normalised(columns, c, item, &point.x, &point.y))
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
    chart->height = 330;
    chart->roofline = (struct rl_chart_roofline){.roofs = roofs,
                                                 .roof_count = 2,
                                                 .points = points,
                                                 .point_count = count,
                                                 .arrows = arrows,
                                                 .arrow_count = arrow_count,
                                                 .plain = true,
                                                 .x_title = "Intensity over that of the ridge (1: where the roofs meet)",
                                                 .y_title = "Performance, % of the arithmetic roof"};
}

static void draw_common(struct rl_document *doc, struct rl_section *section)
{
    if (section->chart_count == 0) {
        rl_layout_text(
            doc->layout, RL_STYLE_BODY,
            "No kernel has floating-point operations and DRAM traffic counted on the base and on another card: there is no "
            "place for it on a roofline.");
        return;
    }
    size_t placed;
    nearest_to_roofs(doc, &placed);
    const size_t most = most_on_roofline(rl_compare_what(doc)->columns);
    const char *const which =
        placed > most ? rl_words(doc, "The %zu of %zu kernels that are nearest to their roofs. ", most, placed) : "";
    rl_layout_figure(
        doc->layout, &rl_document_result(doc, section, 0)->drawing,
        rl_words(doc,
                 "Each card in units of its own roofs, so that all have the same: %s. An arrow leads from the base to another "
                 "card; downwards, the card is used less well.",
                 legend(doc, 0)),
        rl_words(doc,
                 "%sThe arithmetic roof is that of what the kernel computes with: FP32, FP64, matrix units. Kernels without "
                 "floating-point operations have no place here.",
                 which));
}

const struct rl_page rl_compare_page_common = {.plan = plan_common, .draw = draw_common, .joins = RL_COMPARE_ROWS};
