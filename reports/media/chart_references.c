#include "chart_kind.h"

enum { REFERENCE_ROWS = 2 };

static bool in_range(const struct rl_axis *axis, double value)
{
    return isfinite(value) && value >= axis->min && value <= axis->max;
}

/* One block for each look: $reference_solid and $reference_dashed. */
static void write_look(struct rl_chart_work *work, const struct rl_references *refs, bool measured)
{
    struct rl_block block;
    rl_block_begin(&block, work->program, measured ? "reference_solid" : "reference_dashed");
    for (size_t i = 0; i < refs->count; i++) {
        double value = refs->items[i].value * refs->factor;
        if (!in_range(refs->axis, value) || refs->items[i].measured != measured)
            continue;
        if (refs->axis == &work->x)
            rl_block_line(&block, value, work->y.min, value, work->y.max);
        else
            rl_block_line(&block, work->x.min, value, work->x.max, value);
    }
    rl_block_end(&block);
}

void rl_references_write(struct rl_chart_work *work, const struct rl_references *refs)
{
    assert(refs->axis == &work->x || refs->axis == &work->y);
    for (size_t i = 0; i < refs->count; i++)
        work->result->skipped += !in_range(refs->axis, refs->items[i].value * refs->factor);
    write_look(work, refs, true);
    write_look(work, refs, false);
}

static struct rl_placed placed(struct rl_chart_work *work, const char *text, double max_width)
{
    struct rl_placed label = {.colour = rl_ink, .size = RL_LABEL_SIZE};
    if (text != NULL)
        label.text = rl_work_fit(work, text, label.size, false, max_width);
    return label;
}

#define FOREIGN_COST 3.0

/* A label above another line, or with one between itself and its own, seems to be that line's name. */
static double foreign_cost(const struct rl_references *refs, size_t own, double middle, double width)
{
    const double x = rl_axis_at(refs->axis, refs->items[own].value * refs->factor);
    const double left = fmin(middle - width / 2, x), right = fmax(middle + width / 2, x);
    double cost = 0;
    for (size_t i = 0; i < refs->count; i++) {
        double value = refs->items[i].value * refs->factor, at = in_range(refs->axis, value) ? rl_axis_at(refs->axis, value) : NAN;
        if (i != own && at > left && at < right)
            cost += FOREIGN_COST;
    }
    return cost;
}

/* Above its line, or next to it in the same or the next row; from there a thin line leads down. */
static void add_above(struct rl_labels *labels, size_t label, const struct rl_references *refs, size_t own, double top,
                      double width, double height)
{
    const double x = rl_axis_at(refs->axis, refs->items[own].value * refs->factor);
    for (int row = 0; row < REFERENCE_ROWS; row++) {
        for (int side = 0; side <= 9; side++) {
            double shift = side / 8.0 * (side % 2 == 0 ? 0.5 : -0.5) * width, base = top + 1 + row * height;
            struct rl_place_candidate at = {.box = {x + shift, base + height / 2, width, height, 0},
                                            .cost = fabs(shift) / width + 2 * row};
            at.cost += row == 0 ? foreign_cost(refs, own, x + shift, width) : 0;
            at.leader = row > 0;
            at.line = (struct rl_segment){x, top, x, base};
            rl_place_candidate(&labels->place, label, at);
        }
    }
}

double rl_references_room(const struct rl_chart_work *work, size_t count)
{
    double height = rl_work_line_height(work, RL_LABEL_SIZE);
    return count == 0 ? 0 : 2 + height * (count > 1 ? REFERENCE_ROWS : 1);
}

void rl_references_label_above(struct rl_chart_work *work, const struct rl_references *refs)
{
    assert(refs->axis == &work->x);
    struct rl_labels labels;
    double top = work->y.to, height = rl_work_line_height(work, RL_LABEL_SIZE);
    rl_labels_init(&labels, work, 0, top, work->chart->width, top + rl_references_room(work, refs->count));
    for (size_t i = 0; i < refs->count; i++) {
        double value = refs->items[i].value * refs->factor;
        struct rl_placed label = placed(work, refs->items[i].label, 0.6 * work->chart->width);
        if (!in_range(refs->axis, value) || label.text.len == 0)
            continue;
        double x = rl_axis_at(refs->axis, value), width = rl_placed_width(&label);
        /* Over the end of the chart the label moves inwards. */
        double middle = fmin(fmax(x, width / 2), work->chart->width - width / 2);
        size_t index = rl_labels_add(&labels, label, 0, RL_PLACE_NO_MARK);
        rl_place_candidate(&labels.place, index,
                           (struct rl_place_candidate){.box = {middle, top + 1 + height / 2, width, height, 0},
                                                       .cost = foreign_cost(refs, i, middle, width)});
        add_above(&labels, index, refs, i, top, width, height);
    }
    rl_labels_draw(&labels);
}

void rl_references_add_along(struct rl_labels *labels, const struct rl_references *refs)
{
    struct rl_chart_work *work = labels->work;
    assert(refs->axis == &work->y);
    for (size_t i = 0; i < refs->count; i++) {
        double value = refs->items[i].value * refs->factor;
        struct rl_placed label = placed(work, refs->items[i].label, 0.8 * (work->x.to - work->x.from));
        if (!in_range(refs->axis, value))
            continue;
        double y = rl_axis_at(refs->axis, value);
        rl_place_line(&labels->place, work->x.from, y, work->x.to, y);
        if (label.text.len == 0)
            continue;
        size_t index = rl_labels_add(labels, label, 1000, RL_PLACE_NO_MARK);
        rl_place_along(&labels->place, index, (struct rl_segment){work->x.from, y, work->x.to, y}, rl_placed_width(&label),
                       rl_work_line_height(work, label.size), 1.2, 1);
    }
}
