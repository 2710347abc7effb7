#include "chart_kind.h"

#define LEFT_ROOM   31.0
#define RIGHT_ROOM  9.0
#define TITLE_ROOM  16.0
#define END_SHARE   0.3 /* of the width, at most, for the names behind the lines' ends */
#define MARK_RADIUS 2.4

struct state {
    struct rl_scale x_scale, y_scale;
    struct rl_references references;
    bool x_log, y_log;
    size_t drawn; /* series with at least one usable value */
};

double rl_lines_natural_height(const struct rl_chart *chart)
{
    return fmin(fmax(chart->width * 0.5, 130), 170);
}

static bool usable(const struct state *state, const struct rl_chart_series *s, size_t i)
{
    return rl_axis_usable(state->x_log, s->x[i]) && rl_axis_usable(state->y_log, s->y[i]);
}

static bool has_interval(const struct state *state, const struct rl_chart_series *s, size_t i)
{
    return s->low != NULL && s->high != NULL && usable(state, s, i) && rl_axis_usable(state->y_log, s->low[i]) &&
           rl_axis_usable(state->y_log, s->high[i]);
}

static struct rl_scale log_axis(struct rl_axis *axis, enum rl_unit unit, struct rl_range range, double pad)
{
    struct rl_scale scale = rl_unit_scale(unit, 1);
    axis->ticks = rl_axis_log_ticks(unit);
    rl_axis_enclose_log(axis, fmax(range.low / pad, RL_AXIS_TINY) * scale.factor,
                        fmin(range.high * pad, RL_AXIS_HUGE) * scale.factor, 1);
    return scale;
}

static void choose_axes(struct rl_chart_work *work, const struct rl_chart_lines *lines, struct state *state)
{
    struct rl_range x = {0}, y = {0};
    for (size_t k = 0; k < lines->series_count; k++) {
        const struct rl_chart_series *s = &lines->series[k];
        for (size_t i = 0; i < s->count; i++) {
            if (!usable(state, s, i))
                continue;
            rl_range_include(&x, state->x_log, s->x[i]);
            rl_range_include(&y, state->y_log, s->y[i]);
            if (has_interval(state, s, i)) {
                rl_range_include(&y, state->y_log, s->low[i]);
                rl_range_include(&y, state->y_log, s->high[i]);
            }
        }
    }
    for (size_t i = 0; i < lines->reference_count; i++)
        rl_range_include(&y, state->y_log, lines->references[i].value);
    if (!x.any)
        x = (struct rl_range){1, 1, true};
    if (!y.any)
        y = (struct rl_range){1, 1, true};
    if (!state->y_log)
        y.high = fmax(y.high, lines->y_top);
    double pad = (x.high - x.low) * 0.04;
    state->x_scale = rl_unit_scale(lines->x_unit, 1);
    if (lines->x_scale == RL_SCALE_LOG2) {
        /* Powers of two end where the values end, with half a step of air. */
        work->x.ticks = RL_TICKS_BINARY;
        work->x.min = x.low / M_SQRT2;
        work->x.max = x.high * M_SQRT2;
    } else if (lines->x_scale == RL_SCALE_LOG10)
        state->x_scale = log_axis(&work->x, lines->x_unit, x, 1.2);
    else
        state->x_scale = rl_axis_enclose_linear(&work->x, lines->x_unit, x.low - pad, x.high + pad);
    state->y_scale = state->y_log ? log_axis(&work->y, lines->y_unit, y, 1.3)
                                  : rl_axis_enclose_linear(&work->y, lines->y_unit, fmin(y.low * 1.08, 0), fmax(y.high * 1.08, 0));
}

/* ---- data ---- */

/* Series with marks are "values", those without "bare". One set a series: gnuplot joins what is not parted by a blank line. */
static void write_values(struct rl_chart_work *work, const struct rl_chart_lines *lines, struct state *state, bool bare)
{
    struct rl_block block;
    rl_block_begin(&block, work->program, bare ? "bare" : "values");
    for (size_t k = 0; k < lines->series_count; k++) {
        const struct rl_chart_series *s = &lines->series[k];
        size_t before = block.rows;
        if (s->bare != bare)
            continue;
        for (size_t i = 0; i < s->count; i++) {
            if (usable(state, s, i))
                rl_block_row(&block,
                             (const double[]){s->x[i] * state->x_scale.factor, s->y[i] * state->y_scale.factor, MARK_RADIUS,
                                              rl_tones[s->tone].shape, rl_program_colour(rl_tones[s->tone].mark)},
                             5);
            else
                work->result->skipped++;
        }
        if (block.rows > before) {
            rl_block_gap(&block, 1);
            state->drawn++;
        }
    }
    rl_block_end(&block);
}

static double end_room(struct rl_chart_work *work, const struct rl_chart_lines *lines)
{
    double widest = 0;
    for (size_t k = 0; k < lines->series_count; k++)
        if (lines->series[k].label != NULL)
            widest =
                fmax(widest, rl_work_fit(work, lines->series[k].label, RL_LABEL_SIZE, false, END_SHARE * work->chart->width).width);
    return widest > 0 ? widest + 8 : 0;
}

void rl_lines_write(struct rl_chart_work *work)
{
    assert(work->chart->kind == RL_CHART_LINES);
    const struct rl_chart_lines *lines = &work->chart->lines;
    struct state *state = work->state = rl_work_alloc(work, sizeof *state);
    state->x_log = lines->x_scale != RL_SCALE_LINEAR;
    state->y_log = lines->y_scale != RL_SCALE_LINEAR;
    choose_axes(work, lines, state);
    work->x.from = LEFT_ROOM;
    work->x.to = work->chart->width - fmax(end_room(work, lines), RIGHT_ROOM);
    work->y.from = RL_TICK_ROOM + (lines->x_title != NULL ? 14 : 2);
    work->y.to = work->chart->height - (lines->y_title != NULL ? TITLE_ROOM : 5);
    rl_axis_choose_step(&work->x, work->x.ticks == RL_TICKS_BINARY ? 24 : 28);
    rl_axis_choose_step(&work->y, 24);
    rl_work_write_axes(work);
    state->references = (struct rl_references){&work->y, state->y_scale.factor, lines->references, lines->reference_count};
    rl_references_write(work, &state->references);
    write_values(work, lines, state, true);
    write_values(work, lines, state, false);
    struct rl_block block;
    rl_block_begin(&block, work->program, "whiskers");
    for (size_t k = 0; k < lines->series_count; k++) {
        const struct rl_chart_series *s = &lines->series[k];
        for (size_t i = 0; i < s->count; i++) {
            double x = s->x[i] * state->x_scale.factor;
            if (has_interval(state, s, i))
                rl_block_line(&block, x, s->low[i] * state->y_scale.factor, x, s->high[i] * state->y_scale.factor);
        }
    }
    rl_block_end(&block);
}

/* ---- texts ---- */

static struct rl_vertex position(const struct rl_chart_work *work, const struct state *state, const struct rl_chart_series *s,
                                 size_t i)
{
    return (struct rl_vertex){rl_axis_at(&work->x, s->x[i] * state->x_scale.factor),
                              rl_axis_at(&work->y, s->y[i] * state->y_scale.factor)};
}

static void add_value(struct rl_labels *labels, const struct state *state, const struct rl_chart_series *s, size_t i, size_t mark)
{
    static const double places[][3] = {{0, 1, 0}, {0, -1, 0.5}, {1, 0.6, 1}, {-1, 0.6, 1.2}, {1, -0.6, 1.4}, {-1, -0.6, 1.6}};
    struct rl_chart_work *work = labels->work;
    /* A linear axis has the unit in its title. */
    const char *text = rl_work_value(work, state->y_log ? work->chart->lines.y_unit : RL_UNIT_NONE,
                                     s->y[i] * (state->y_log ? 1 : state->y_scale.factor));
    struct rl_placed label = {.colour = rl_ink_soft, .size = RL_LABEL_SIZE};
    label.text = rl_work_fit(work, text, label.size, false, 60);
    size_t index = rl_labels_add(labels, label, 0, mark);
    double width = rl_placed_width(&label), height = rl_work_line_height(work, label.size);
    struct rl_vertex at = position(work, state, s, i);
    for (size_t k = 0; k < RL_COUNT(places); k++) {
        double x = at.x + places[k][0] * (MARK_RADIUS + 1.5 + width / 2),
               y = at.y + places[k][1] * (MARK_RADIUS + 1.5 + height / 2);
        rl_place_candidate(&labels->place, index,
                           (struct rl_place_candidate){.box = {x, y, width, height, 0}, .cost = places[k][2]});
    }
}

/* Marks and joining lines first: names and values must know all of them. Returns the number of the series' first mark. */
static size_t add_obstacles(struct rl_labels *labels, const struct state *state, const struct rl_chart_series *s)
{
    const struct rl_chart_work *work = labels->work;
    size_t first = labels->place.mark_count;
    struct rl_vertex last = {0, 0};
    bool any = false;
    for (size_t i = 0; i < s->count; i++) {
        if (!usable(state, s, i))
            continue;
        struct rl_vertex at = position(work, state, s, i);
        if (!s->bare)
            rl_place_mark(&labels->place, at.x, at.y, MARK_RADIUS * 1.25);
        if (any)
            rl_place_line(&labels->place, last.x, last.y, at.x, at.y);
        last = at;
        any = true;
    }
    return first;
}

static void add_tip(struct rl_chart_work *work, const struct rl_chart_series *s, size_t i, struct rl_vertex at)
{
    const struct rl_chart_lines *lines = &work->chart->lines;
    const struct rl_box box = {at.x, at.y, 2 * MARK_RADIUS, 2 * MARK_RADIUS, 0};
    struct rl_buf text = RL_BUF_IN(&work->result->drawing.texts);
    rl_buf_addf(&text, "%s at %s", rl_work_value(work, lines->y_unit, s->y[i]), rl_work_value(work, lines->x_unit, s->x[i]));
    rl_work_tip(work, &box, s->label, text.data);
}

static void add_series(struct rl_labels *labels, const struct rl_chart_lines *lines, const struct state *state, size_t k,
                       size_t mark)
{
    const struct rl_chart_series *s = &lines->series[k];
    struct rl_vertex end = {0, 0};
    bool any = false;
    for (size_t i = 0; i < s->count; i++) {
        if (!usable(state, s, i))
            continue;
        if (lines->show_values && !s->bare)
            add_value(labels, state, s, i, mark++);
        end = position(labels->work, state, s, i);
        if (!s->bare)
            add_tip(labels->work, s, i, end);
        any = true;
    }
    if (any && s->label != NULL) {
        /* Behind the last point, moved up or down where names would lie on each other. */
        struct rl_chart_work *work = labels->work;
        struct rl_placed label = {.colour = rl_tones[s->tone].text, .size = RL_LABEL_SIZE};
        label.text = rl_work_fit(work, s->label, label.size, false, END_SHARE * work->chart->width);
        size_t index = rl_labels_add(labels, label, 2000, RL_PLACE_NO_MARK);
        double width = rl_placed_width(&label), height = rl_work_line_height(work, label.size);
        for (int i = 0; i <= 24; i++) {
            double off = (i + 1) / 2 * (i % 2 == 0 ? -1 : 1) * height / 2, x = end.x + MARK_RADIUS + 2;
            struct rl_place_candidate at = {.box = {x + width / 2, end.y + off, width, height, 0}, .cost = 0.2 * i};
            at.leader = fabs(off) > height;
            at.line = (struct rl_segment){end.x + MARK_RADIUS, end.y, x, end.y + off};
            rl_place_candidate(&labels->place, index, at);
        }
    }
}

void rl_lines_label(struct rl_chart_work *work)
{
    assert(work->chart->kind == RL_CHART_LINES);
    const struct rl_chart_lines *lines = &work->chart->lines;
    const struct state *state = work->state;
    rl_work_x_title(work, rl_work_with_unit(work, lines->x_title, state->x_scale.symbol));
    rl_work_y_title(work, rl_work_with_unit(work, lines->y_title, state->y_scale.symbol));
    struct rl_labels labels;
    rl_labels_init(&labels, work, work->x.from + 1, work->y.from + 1, work->chart->width, work->y.to + 3);
    size_t *first = rl_work_alloc(work, lines->series_count * sizeof *first);
    for (size_t k = 0; k < lines->series_count; k++)
        first[k] = add_obstacles(&labels, state, &lines->series[k]);
    rl_references_add_along(&labels, &state->references);
    for (size_t k = 0; k < lines->series_count; k++)
        add_series(&labels, lines, state, k, first[k]);
    rl_labels_draw(&labels);
}
