/* chart_roofline_label.c - the texts of a roofline (see chart_roofline.h). */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chart_roofline.h"
#include "core/mem.h"

#define SMALL_CHART 300.0 /* narrower charts have shorter labels */

static struct rl_segment on_paper(const struct rl_chart_work *work, const struct rl_roofline_line *line)
{
    return (struct rl_segment){rl_axis_at(&work->x, line->x0), rl_axis_at(&work->y, line->y0), rl_axis_at(&work->x, line->x1),
                               rl_axis_at(&work->y, line->y1)};
}

static double length(const struct rl_segment *s)
{
    return hypot(s->x1 - s->x0, s->y1 - s->y0);
}

/* A roof's name runs along its longer part: slanted ones are read from the left, flat ones end at the right. "FP32 66.1 TFLOP/s, 98
 * % of theory" becomes "FP32 66.1 TFLOP/s" where the roof is short, and "FP32" in a crowd. */
static void add_roof_label(struct rl_labels *labels, const struct rl_roofline_roofs *r, const struct rl_chart_roof *roof,
                           const struct rl_segment parts[2])
{
    bool strong = roof->main && rl_roofline_style_of(r, roof, true) == RL_ROOF_MAIN_SOLID;
    double room = fmax(length(&parts[0]), length(&parts[1]));
    struct rl_placed label = {.colour = strong ? rl_ink : rl_ink_soft, .size = RL_LABEL_SIZE, .bold = strong, .point = RL_NO_POINT};
    const char *const texts[] = {roof->label, roof->figure, roof->name}; /* never cut: a rate with fewer digits is another rate */
    for (size_t i = 0; i < RL_COUNT(texts) && !label.text.len; i++)
        if (texts[i] && rl_work_fit(labels->work, texts[i], label.size, label.bold, INFINITY).width <= room)
            label.text = rl_work_fit(labels->work, texts[i], label.size, label.bold, INFINITY);
    if (roof->name)
        label.tag = rl_work_fit(labels->work, roof->name, label.size, label.bold, 0.95 * room);
    if (label.text.len > 0)
        rl_labels_along(labels, label, roof->main ? 2000 : 1000, parts, roof->slanted ? 0.3 : 1);
}

static void add_roofs(struct rl_labels *labels, const struct rl_chart_roofline *chart, const struct rl_roofline_roofs *r)
{
    struct rl_roofline_line lines[2];
    for (size_t i = 0; i < chart->roof_count; i++) {
        struct rl_segment parts[2] = {{0}};
        if (!rl_roofline_usable(&chart->roofs[i]))
            continue;
        rl_roofline_lines(labels->work, r, &chart->roofs[i], lines);
        for (int k = 0; k < 2; k++) {
            if (!lines[k].shown)
                continue;
            parts[k] = on_paper(labels->work, &lines[k]);
            rl_place_line(&labels->place, parts[k].x0, parts[k].y0, parts[k].x1, parts[k].y1);
        }
        if (chart->roofs[i].label != NULL && (lines[0].shown || lines[1].shown))
            add_roof_label(labels, r, &chart->roofs[i], parts);
    }
}

/* "13.6 FLOP/B" beside the foot of the line under the ridge. */
static void add_ridge(struct rl_labels *labels, const struct rl_roofline_roofs *r)
{
    struct rl_chart_work *work = labels->work;
    if (!rl_roofline_ridge_shown(work, r))
        return;
    const char *text =
        rl_arena_printf(&work->result->drawing.texts, "ridge %s", rl_work_value(work, RL_UNIT_FLOP_PER_BYTE, r->ridge));
    struct rl_placed label = {.colour = rl_ink_soft, .size = RL_LABEL_SIZE, .point = RL_NO_POINT};
    label.text = rl_work_fit(work, text, label.size, false, 100);
    size_t index = rl_labels_add(labels, label, 500, RL_PLACE_NO_MARK);
    double x = rl_axis_at(&work->x, r->ridge), width = rl_placed_width(&label), height = rl_work_line_height(work, label.size);
    for (int i = 0; i < 8; i++) {
        double aside = (i % 2 == 0 ? 1 : -1) * (width / 2 + 1.5), y = work->y.from + 2 + height / 2 + (i / 2) * height;
        rl_place_candidate(&labels->place, index,
                           (struct rl_place_candidate){.box = {x + aside, y, width, height, 0}, .cost = 0.5 * i});
    }
    rl_place_line(&labels->place, x, work->y.from, x, rl_axis_at(&work->y, r->main_flat));
}

/* Marks come first: their labels, roofs and whiskers must know all of them. */
static void add_points(struct rl_labels *labels, const struct rl_chart_roofline *chart, const struct rl_roofline_state *state)
{
    const struct rl_chart_work *work = labels->work;
    double widest = work->chart->width * (work->chart->width < SMALL_CHART ? 0.4 : 0.32);
    rl_labels_add_marks(labels, chart->points, state->marks, state->mark_count, widest);
    for (size_t i = 0; i < state->mark_count; i++) {
        const struct rl_chart_point *point = &chart->points[state->marks[i].point];
        double x = rl_axis_at(&work->x, state->marks[i].x);
        if (rl_roofline_has_interval(point))
            rl_place_line(&labels->place, x, rl_axis_at(&work->y, point->low), x, rl_axis_at(&work->y, point->high));
        if (rl_roofline_is_joined(chart, state->marks[i].point))
            rl_place_line(&labels->place, rl_axis_at(&work->x, point[-1].x), rl_axis_at(&work->y, point[-1].y), x,
                          rl_axis_at(&work->y, point->y));
    }
}

void rl_roofline_label(struct rl_chart_work *work)
{
    assert(work->chart->kind == RL_CHART_ROOFLINE);
    const struct rl_chart_roofline *chart = &work->chart->roofline;
    const struct rl_roofline_state *state = work->state;
    double key_y = work->y.to + 6 + rl_roofline_key_row(work, chart);
    rl_work_y_title(work, rl_roofline_y_title(chart));
    rl_work_x_title(work, chart->x_title != NULL ? chart->x_title : "Intensity, FLOP per byte of DRAM traffic");
    if (!chart->plain && !chart->no_key)
        rl_work_key(work, chart->points, chart->point_count, work->x.to, key_y, true);
    if (rl_roofline_ridge_shown(work, &state->roofs)) {
        struct rl_draw_op *dot = rl_drawing_add(&work->result->drawing, RL_DRAW_CIRCLE);
        dot->x = rl_axis_at(&work->x, state->roofs.ridge);
        dot->y = rl_axis_at(&work->y, state->roofs.main_flat);
        dot->radius = 1.6;
        dot->fill = rl_ink;
    }
    struct rl_labels labels;
    rl_labels_init(&labels, work, work->x.from + 1.5, work->y.from + 1.5, work->x.to, work->y.to);
    add_points(&labels, chart, state);
    add_roofs(&labels, chart, &state->roofs);
    add_ridge(&labels, &state->roofs);
    rl_labels_draw(&labels);
}
