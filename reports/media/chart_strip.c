#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "chart_rows.h"
#include "core/mem.h"

#define SIDE_ROOM    10.0
#define AXIS_ROOM    (RL_TICK_ROOM + 14)
#define KEY_ROOM     (RL_TICK_SIZE + 3)
#define LARGEST_MARK 0.018 /* of the chart's width */

struct state {
    struct rl_scale scale;
    struct rl_references references;
    struct rl_mark *marks;
    size_t mark_count;
};

double rl_strip_natural_height(const struct rl_chart *chart)
{
    assert(chart->kind == RL_CHART_STRIP);
    double rows = 2 + ceil((double)chart->strip.point_count * 80 / chart->width); /* labels of about 80 points beside each other */
    double references = chart->strip.reference_count == 0 ? 3 : chart->strip.reference_count > 1 ? 18 : 10;
    return fmax(AXIS_ROOM + references + KEY_ROOM + 10 * fmin(rows, 10), 60);
}

static bool point_usable(const struct rl_chart_strip *strip, const struct rl_chart_point *point)
{
    return rl_axis_usable(strip->log, point->x);
}

static bool has_interval(const struct rl_chart_strip *strip, const struct rl_chart_point *point)
{
    return rl_axis_usable(strip->log, point->low) && rl_axis_usable(strip->log, point->high);
}

static struct rl_range range_of(const struct rl_chart_strip *strip)
{
    struct rl_range range = {0};
    for (size_t i = 0; i < strip->point_count; i++) {
        if (!point_usable(strip, &strip->points[i]))
            continue;
        rl_range_include(&range, strip->log, strip->points[i].x);
        if (has_interval(strip, &strip->points[i])) {
            rl_range_include(&range, strip->log, strip->points[i].low);
            rl_range_include(&range, strip->log, strip->points[i].high);
        }
    }
    for (size_t i = 0; i < strip->reference_count; i++)
        rl_range_include(&range, strip->log, strip->references[i].value);
    return range;
}

static void choose_axis(struct rl_chart_work *work, const struct rl_chart_strip *strip, struct state *state)
{
    struct rl_range range = range_of(strip);
    struct rl_axis *x = &work->x;
    *x = (struct rl_axis){.from = SIDE_ROOM, .to = work->chart->width - SIDE_ROOM};
    if (strip->log) {
        state->scale = rl_rows_log_axis(x, strip->unit, rl_axis_log_ticks(strip->unit), range, 1.3, 1.15, 1);
    } else {
        state->scale = rl_axis_enclose_linear(x, strip->unit, fmin(range.low, 0) * 1.04, fmax(range.high, 0) * 1.04);
    }
    rl_axis_choose_step(x, 34);
}

/* ---- marks side by side ---- */

/* Marks that may be touched, on the page. Where more than that lie at one place, no height is free. */
enum { MOST_NEAR = 256 };
struct near_marks {
    struct rl_circle at[MOST_NEAR];
    size_t count;
};

static bool is_free(const struct near_marks *near, double x, double y, double radius)
{
    for (size_t i = 0; i < near->count; i++)
        if (hypot(near->at[i].x - x, near->at[i].y - y) < near->at[i].radius + radius + 0.5)
            return false;
    return true;
}

/* The height nearest to the middle at which a mark touches no earlier one; the middle when there is none. `done` are the earlier
 * ones on the page. */
static double swarm(const struct rl_chart_work *work, const struct rl_circle *done, size_t count, double x, double radius)
{
    double middle = (work->y.from + work->y.to) / 2, room = (work->y.to - work->y.from) / 2 - radius - 1;
    struct near_marks near = {.count = 0};
    for (size_t i = 0; i < count && near.count < MOST_NEAR; i++)
        if (fabs(done[i].x - x) < done[i].radius + radius + 0.5)
            near.at[near.count++] = done[i];
    for (double off = 0; off <= room && near.count < MOST_NEAR; off += 0.5)
        for (int side = 1; side >= -1; side -= 2)
            if (is_free(&near, x, middle + side * off, radius))
                return middle + side * off;
    return middle;
}

static void write_points(struct rl_chart_work *work, const struct rl_chart_strip *strip, struct state *state)
{
    struct rl_block whiskers;
    double factor = state->scale.factor;
    struct rl_circle *done = rl_work_alloc(work, (strip->point_count + 1) * sizeof *done);
    state->marks = rl_work_alloc(work, (strip->point_count + 1) * sizeof *state->marks);
    rl_block_begin(&whiskers, work->program, "whiskers");
    for (size_t i = 0; i < strip->point_count; i++) {
        const struct rl_chart_point *p = &strip->points[i];
        if (!point_usable(strip, p)) {
            work->result->skipped++;
            continue;
        }
        double radius = rl_mark_radius(p, LARGEST_MARK * work->chart->width);
        double x = rl_axis_at(&work->x, p->x * factor), y = swarm(work, done, state->mark_count, x, radius);
        done[state->mark_count] = (struct rl_circle){x, y, radius};
        state->marks[state->mark_count++] = (struct rl_mark){i, p->x * factor, y, radius};
        if (has_interval(strip, p))
            rl_block_line(&whiskers, p->low * factor, y, p->high * factor, y);
    }
    rl_block_end(&whiskers);
    rl_work_write_marks(work, strip->points, state->marks, state->mark_count);
}

void rl_strip_write(struct rl_chart_work *work)
{
    assert(work->chart->kind == RL_CHART_STRIP);
    const struct rl_chart_strip *strip = &work->chart->strip;
    struct state *state = work->state = rl_work_alloc(work, sizeof *state);
    choose_axis(work, strip, state);
    double key = rl_work_key(work, strip->points, strip->point_count, 0, 0, false) > 0 ? KEY_ROOM : 0;
    double top = work->chart->height - key - fmax(rl_references_room(work, strip->reference_count), 3);
    work->y = (struct rl_axis){.ticks = RL_TICKS_NONE, .from = AXIS_ROOM, .to = top};
    rl_work_write_axes(work);
    state->references = (struct rl_references){&work->x, state->scale.factor, strip->references, strip->reference_count};
    rl_references_write(work, &state->references);
    write_points(work, strip, state);
}

static void add_lines(struct rl_labels *labels, const struct rl_chart_strip *strip, const struct state *state)
{
    const struct rl_chart_work *work = labels->work;
    double factor = state->scale.factor;
    for (size_t i = 0; i < strip->reference_count; i++) {
        double x = rl_axis_at(&work->x, strip->references[i].value * factor);
        if (rl_axis_usable(strip->log, strip->references[i].value))
            rl_place_line(&labels->place, x, work->y.from, x, work->y.to);
    }
    for (size_t i = 0; i < state->mark_count; i++) {
        const struct rl_chart_point *p = &strip->points[state->marks[i].point];
        double y = state->marks[i].y;
        if (has_interval(strip, p))
            rl_place_line(&labels->place, rl_axis_at(&work->x, p->low * factor), y, rl_axis_at(&work->x, p->high * factor), y);
    }
}

void rl_strip_label(struct rl_chart_work *work)
{
    assert(work->chart->kind == RL_CHART_STRIP);
    const struct rl_chart_strip *strip = &work->chart->strip;
    const struct state *state = work->state;
    rl_work_x_title(work, rl_work_with_unit(work, strip->title, state->scale.symbol));
    rl_work_key(work, strip->points, strip->point_count, work->x.to, work->chart->height - RL_TICK_SIZE, true);
    rl_references_label_above(work, &state->references);
    struct rl_labels labels;
    rl_labels_init(&labels, work, 1, work->y.from + 1, work->chart->width - 1, work->y.to);
    rl_labels_add_marks(&labels, strip->points, state->marks, state->mark_count, 0.35 * work->chart->width);
    add_lines(&labels, strip, state);
    rl_labels_draw(&labels);
}
