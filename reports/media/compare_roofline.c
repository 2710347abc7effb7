/* compare_roofline.c - profiles and figures of others: the same kernels of several cards on one roofline. */
#include <math.h>

#include "compare_doc.h"

enum { MOST_KERNELS = 12 };

/* The arithmetic of a kernel: operations by kind, and the roof of each. */
static const struct {
    enum rl_metric operations;
    enum rl_ceiling_id roof;
} kinds[] = {{RL_METRIC_flop_fp64, RL_CEILING_fp64},
             {RL_METRIC_flop_fp32, RL_CEILING_fp32},
             {RL_METRIC_flop_fp16, RL_CEILING_fp16},
             {RL_METRIC_flop_tensor, RL_CEILING_tensor_fp16}};

static const struct rl_columns *columns_of(const struct rl_document *doc)
{
    return rl_compare_what(doc)->options.columns;
}

/* The place of a kernel of the base on a card. False: it has none. */
static bool place(const struct rl_columns *columns, size_t card, size_t item, struct rl_chart_point *point)
{
    const struct rl_cell *cell = &columns->columns[card].cells[item];
    if (cell->why_not || !cell->metric)
        return false;
    point->x = cell->metric[RL_METRIC_intensity_dram].v; /* NAN where it is missing */
    point->y = cell->metric[RL_METRIC_flop_per_second].v;
    return point->x > 0 && point->y > 0;
}

/* Whether the kernel has a place on two cards or more. */
static bool is_common(const struct rl_columns *columns, size_t item)
{
    struct rl_chart_point point;
    size_t count = 0;
    for (size_t c = 0; c < columns->count; c++)
        count += place(columns, c, item, &point);
    return count > 1;
}

size_t rl_compare_on_roofline(const struct rl_document *doc)
{
    const struct rl_columns *columns = columns_of(doc);
    size_t count = 0;
    for (size_t i = 0; columns && i < columns->base->count; i++)
        count += is_common(columns, i);
    return count;
}

/* Appends the points of a kernel. */
static size_t add_points(struct rl_document *doc, size_t item, struct rl_chart_point *points)
{
    const struct rl_columns *columns = columns_of(doc);
    size_t count = 0;
    for (size_t c = 0; c < columns->count; c++) {
        struct rl_chart_point point = {.low = NAN, .high = NAN, .tone = rl_compare_card_tone(c), .joined = count > 0};
        if (!place(columns, c, item, &point))
            continue;
        point.name = rl_compare_words_label(doc, &columns->base->items[item]);
        point.label = count == 0 ? point.name : NULL;
        points[count++] = point;
    }
    return count;
}

/* Those of the first kernels. */
static struct rl_chart_point *all_points(struct rl_document *doc, size_t *count)
{
    const struct rl_columns *columns = columns_of(doc);
    struct rl_chart_point *points = rl_arena_alloc(doc->arena, MOST_KERNELS * columns->count * sizeof *points);
    *count = 0;
    for (size_t i = 0, kernels = 0; i < columns->base->count && kernels < MOST_KERNELS; i++) {
        if (!is_common(columns, i))
            continue;
        *count += add_points(doc, i, points + *count);
        kernels++;
    }
    return points;
}

/* The kind with the most operations of all kernels on the base. */
static enum rl_ceiling_id arithmetic(const struct rl_columns *columns)
{
    double most = 0;
    size_t best = 0;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        double sum = 0;
        for (size_t i = 0; i < columns->base->count; i++) {
            const struct rl_value *metric = columns->columns[0].cells[i].metric;
            sum += metric && rl_present(metric[kinds[k].operations]) ? metric[kinds[k].operations].v : 0;
        }
        best = sum > most ? k : best;
        most = fmax(most, sum);
    }
    return kinds[best].roof;
}

static void plan_common(struct rl_document *doc, struct rl_section *section)
{
    const struct rl_lineup *lineup = rl_compare_what(doc)->options.lineup;
    const enum rl_ceiling_id ids[] = {RL_CEILING_dram, arithmetic(columns_of(doc))};
    struct rl_chart_roof *roofs = rl_arena_alloc(doc->arena, 2 * lineup->count * sizeof *roofs);
    size_t roof_count = 0;
    struct rl_chart *chart = rl_document_chart(doc, section, RL_CHART_ROOFLINE);
    for (size_t c = 0; c < lineup->count; c++) {
        for (size_t i = 0; i < 2; i++) {
            const struct rl_value roof = lineup->cards[c].roof[ids[i]];
            const char *card = rl_words_short(doc, lineup->cards[c].name, 24);
            if (!rl_present(roof))
                continue;
            roofs[roof_count++] = (struct rl_chart_roof){
                .value = roof.v,
                .slanted = i == 0,
                .measured = lineup->cards[c].measured[ids[i]],
                .label = rl_words(doc, "%s %s", card,
                                  rl_words_value(doc, i ? RL_UNIT_FLOP_PER_SECOND : RL_UNIT_BYTE_PER_SECOND, roof, 3)),
                .name = card};
        }
    }
    chart->height = 270;
    chart->roofline = (struct rl_chart_roofline){.roofs = roofs, .roof_count = roof_count, .no_ridge = true};
    chart->roofline.points = all_points(doc, &chart->roofline.point_count);
}

static void draw_common(struct rl_document *doc, struct rl_section *section)
{
    const size_t kernels = rl_compare_on_roofline(doc);
    const struct rl_chart *chart = &doc->charts[section->first_chart];
    const char *roofs = "No roof of these cards is known. ";
    if (chart->roofline.roof_count)
        roofs = rl_words(
            doc, "Roofs of DRAM and %s of each card: the data sheet's, or theoretical at its boost clock, unless measured. ",
            rl_ceilings[arithmetic(columns_of(doc))].label);
    rl_layout_figure(doc->layout, &rl_document_result(doc, section, 0)->drawing,
                     rl_words(doc, "Kernels on %s (circle), %s. A line joins the points of a kernel.",
                              rl_words_short(doc, rl_compare_what(doc)->options.lineup->cards[0].name, 30),
                              rl_compare_words_legend(doc, true)),
                     kernels > MOST_KERNELS ? rl_words(doc, "%sThe first %d of %zu kernels.", roofs, MOST_KERNELS, kernels)
                     : kernels < columns_of(doc)->base->count
                         ? rl_words(doc, "%sKernels without floating-point operations have no place here.", roofs)
                         : roofs);
}

const struct rl_page rl_compare_page_common = {.plan = plan_common, .draw = draw_common, .joins = RL_COMPARE_ROWS};
