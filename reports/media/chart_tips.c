/* chart_tips.c - what each mark of a chart says of itself: its name and its value (see chart_kind.h). */
#include "chart_kind.h"

#define LONG_NUMBER 1e4

#define LEAST_REACH 3.5 /* points from the middle of a mark: what a pointer can hit */

/* "4.20 TB/s (4.18 TB/s to 4.22 TB/s)"; without the interval where it says no more. */
static void add_value(struct rl_chart_work *work, struct rl_buf *out, enum rl_unit unit, double value, double low, double high)
{
    const char *middle = rl_work_value(work, unit, value);
    rl_buf_adds(out, middle);
    if (!isfinite(low) || !isfinite(high))
        return;
    const char *least = rl_work_value(work, unit, low), *most = rl_work_value(work, unit, high);
    if (strcmp(least, middle) != 0 || strcmp(most, middle) != 0)
        rl_buf_addf(out, " (%s to %s)", least, most);
}

void rl_work_tip(struct rl_chart_work *work, const struct rl_box *box, const char *name, const char *value)
{
    struct rl_buf text = RL_BUF_IN(&work->result->drawing.texts);
    rl_buf_addf(&text, "%s%s%s", name ? name : "", name && name[0] && value[0] ? ": " : "", value);
    rl_drawing_tip(&work->result->drawing, box->cx, box->cy, fmax(box->width / 2, LEAST_REACH), fmax(box->height / 2, LEAST_REACH),
                   text.data);
}

void rl_work_tip_value(struct rl_chart_work *work, const struct rl_box *box, const char *name, enum rl_unit unit, double value,
                       double low, double high)
{
    struct rl_buf text = RL_BUF_IN(&work->result->drawing.texts);
    add_value(work, &text, unit, value, low, high);
    rl_work_tip(work, box, name, text.data);
}

/* Axes with titles. */
static void add_titled(struct rl_chart_work *work, struct rl_buf *out, const char *title, double value)
{
    rl_buf_addf(out, "%s%s %s", out->len ? ", " : "", title,
                rl_work_value(work, value >= LONG_NUMBER ? RL_UNIT_COUNT : RL_UNIT_NONE, value));
}

void rl_work_tip_point(struct rl_chart_work *work, const struct rl_chart_point *point, const struct rl_mark *mark)
{
    const struct rl_box box = {rl_axis_at(&work->x, mark->x), rl_axis_at(&work->y, mark->y), 2 * mark->radius, 2 * mark->radius, 0};
    struct rl_buf text = RL_BUF_IN(&work->result->drawing.texts);
    const struct rl_chart_roofline *roofline = &work->chart->roofline;
    if (roofline->y_title)
        add_titled(work, &text, roofline->y_title, point->y);
    else
        add_value(work, &text, RL_UNIT_FLOP_PER_SECOND, point->y, point->low, point->high);
    if (roofline->x_title)
        add_titled(work, &text, roofline->x_title, point->x);
    else
        rl_buf_addf(&text, " at %s", rl_work_value(work, RL_UNIT_FLOP_PER_BYTE, point->x));
    rl_work_tip(work, &box, point->name ? point->name : point->label, text.data);
}
