#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "chart_rows.h"

#define ROW_HEIGHT  15.0
#define LABEL_SHARE 0.40 /* of the width, at most, for the names */
#define NOTE_SHARE  0.25
#define GAP         5.0 /* between axis and texts */
#define DOT         1.6 /* radius */
#define APART       2.4
#define COLUMN      1.6  /* width of a column of a density */
#define SPREAD      0.84 /* of a row, for what is drawn in it */
#define PERCENT     100.0
#define MINUS       "\xE2\x88\x92"

struct state {
    struct rl_rows rows;
    double *outermost; /* of each row: what lies below the axis, shares; 0: nothing */
    double height;     /* of a row */
    size_t *counts;
    size_t columns;
};

double rl_swarm_natural_height(const struct rl_chart *chart)
{
    assert(chart->kind == RL_CHART_SWARM);
    return rl_rows_natural_height(chart->swarm.row_count, ROW_HEIGHT, chart->swarm.title, 3);
}

/* ---- dots and densities ---- */

/* Where a value lies, points; what is beyond an end lies on it. */
static double place(const struct rl_chart_work *work, double value)
{
    return fmin(fmax(rl_axis_at(&work->x, value * PERCENT), work->x.from), work->x.to);
}

static double back(const struct rl_chart_work *work, double points)
{
    return work->x.min + (points - work->x.from) / (work->x.to - work->x.from) * (work->x.max - work->x.min);
}

static size_t column_of(const struct rl_chart_work *work, const struct state *state, double value, double width)
{
    size_t column = (size_t)((place(work, value) - work->x.from) / width);
    return column < state->columns ? column : state->columns - 1;
}

static void write_shade(struct rl_block *block, const struct rl_chart_work *work, const struct rl_chart_swarm_row *from,
                        const struct state *state, double y)
{
    if (!isfinite(from->limit) || from->limit <= 0)
        return;
    double left = fmax(-from->limit * PERCENT, work->x.min), right = fmin(from->limit * PERCENT, work->x.max);
    double half = state->height * SPREAD / 2;
    rl_block_row(block, (const double[]){0, y, left, right, y - half, y + half}, 6);
}

/* The densest column is as high as its row; a single value is still seen. */
static void write_density(struct rl_block *block, struct rl_chart_work *work, struct state *state,
                          const struct rl_chart_swarm_row *from, double y)
{
    size_t most = 1;
    memset(state->counts, 0, state->columns * sizeof *state->counts);
    for (size_t i = 0; i < from->count; i++)
        if (!from->apart[i])
            state->counts[column_of(work, state, from->values[i], COLUMN)]++;
    for (size_t i = 0; i < state->columns; i++)
        most = state->counts[i] > most ? state->counts[i] : most;
    for (size_t i = 0; i < state->columns; i++) {
        if (state->counts[i] == 0)
            continue;
        double half = fmax(state->height * SPREAD / 2 * (double)state->counts[i] / (double)most, 0.4);
        double left = work->x.from + COLUMN * (double)i, right = fmin(left + COLUMN, work->x.to);
        rl_block_row(block,
                     (const double[]){back(work, left), y, back(work, left), back(work, right), y - half, y + half,
                                      rl_program_colour(rl_tones[RL_TONE_GREY].mark)},
                     7);
    }
}

/* Dots of one column are stacked about the middle of the row: 0, +1, -1, +2, ... */
static void write_dots(struct rl_block *block, struct rl_chart_work *work, struct state *state,
                       const struct rl_chart_swarm_row *from, double y)
{
    memset(state->counts, 0, state->columns * sizeof *state->counts);
    for (size_t i = 0; i < from->count; i++) {
        if (from->apart[i])
            continue;
        size_t column = column_of(work, state, from->values[i], 2 * DOT), level = state->counts[column]++;
        double away = (double)((level + 1) / 2) * 1.6 * DOT * (level % 2 ? 1 : -1);
        away = fmin(fmax(away, DOT - state->height * SPREAD / 2), state->height * SPREAD / 2 - DOT); /* whole dots in their row */
        rl_block_row(block,
                     (const double[]){back(work, place(work, from->values[i])), y + away, DOT, rl_tones[RL_TONE_GREY].shape,
                                      rl_program_colour(rl_tones[RL_TONE_GREY].mark)},
                     5);
    }
}

static void write_apart(struct rl_block *block, struct rl_chart_work *work, const struct rl_chart_swarm_row *from, double y,
                        double *outermost)
{
    const struct rl_tone_info *tone = &rl_tones[RL_TONE_INK];
    for (size_t i = 0; i < from->count; i++) {
        if (!from->apart[i])
            continue;
        double x = place(work, from->values[i]);
        bool beyond = from->values[i] * PERCENT < work->x.min || from->values[i] * PERCENT > work->x.max;
        if (from->values[i] * PERCENT < work->x.min)
            *outermost = fmin(*outermost, from->values[i]);
        rl_block_row(block, (const double[]){back(work, x), y, APART, tone->shape - beyond, rl_program_colour(tone->mark)}, 5);
    }
}

/* ---- the chart ---- */

static void write_rows(struct rl_chart_work *work, const struct rl_chart_swarm *swarm, struct state *state)
{
    struct rl_block block;
    rl_block_begin(&block, work->program, "shades");
    for (size_t i = 0; i < swarm->row_count; i++)
        write_shade(&block, work, &swarm->rows[i], state, state->rows.at[i].y);
    rl_block_end(&block);
    rl_block_begin(&block, work->program, "lanes");
    for (size_t i = 0; i < swarm->row_count; i++)
        rl_block_line(&block, work->x.min, state->rows.at[i].y - state->height / 2, work->x.max,
                      state->rows.at[i].y - state->height / 2);
    rl_block_end(&block);
    rl_block_begin(&block, work->program, "middles");
    for (size_t i = 0; i < swarm->row_count; i++)
        rl_block_line(&block, 0, state->rows.at[i].y - state->height / 2, 0, state->rows.at[i].y + state->height / 2);
    rl_block_end(&block);
    rl_block_begin(&block, work->program, "bars");
    for (size_t i = 0; i < swarm->row_count; i++)
        if (swarm->rows[i].count > RL_SWARM_DOTS)
            write_density(&block, work, state, &swarm->rows[i], state->rows.at[i].y);
    rl_block_end(&block);
    rl_block_begin(&block, work->program, "points");
    for (size_t i = 0; i < swarm->row_count; i++) {
        if (swarm->rows[i].count <= RL_SWARM_DOTS)
            write_dots(&block, work, state, &swarm->rows[i], state->rows.at[i].y);
        write_apart(&block, work, &swarm->rows[i], state->rows.at[i].y, &state->outermost[i]);
    }
    rl_block_end(&block);
}

void rl_swarm_write(struct rl_chart_work *work)
{
    const struct rl_chart_swarm *swarm = &work->chart->swarm;
    struct state *state = work->state = rl_work_alloc(work, sizeof *state);
    assert(swarm->low < 0 && swarm->high > 0);
    state->rows = rl_rows_new(work, swarm->row_count, LABEL_SHARE, NOTE_SHARE);
    state->rows.soft_notes = true;
    state->outermost = rl_work_alloc(work, (swarm->row_count + 1) * sizeof *state->outermost);
    for (size_t i = 0; i < swarm->row_count; i++)
        rl_rows_fit(work, &state->rows, i, swarm->rows[i].label, swarm->rows[i].note, false);
    work->y = (struct rl_axis){.ticks = RL_TICKS_NONE, .from = rl_rows_axis_room(swarm->title), .to = work->chart->height - 3};
    work->x = (struct rl_axis){.ticks = RL_TICKS_LINEAR,
                               .min = swarm->low * PERCENT,
                               .max = swarm->high * PERCENT,
                               .from = state->rows.names + GAP,
                               .to = work->chart->width - state->rows.notes - GAP - 2};
    rl_axis_choose_step(&work->x, 26);
    rl_work_write_axes(work);
    state->height = rl_rows_divide(work, &state->rows);
    state->columns = (size_t)((work->x.to - work->x.from) / COLUMN) + 1;
    state->counts = rl_work_alloc(work, state->columns * sizeof *state->counts);
    write_rows(work, swarm, state);
}

/* A row says how many values it has and how far they reach. */
static void add_tip(struct rl_chart_work *work, const struct state *state, size_t index)
{
    const struct rl_chart_swarm_row *of = &work->chart->swarm.rows[index];
    const struct rl_box box = {(work->x.from + work->x.to) / 2, state->rows.at[index].y, work->x.to - work->x.from, state->height,
                               0};
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < of->count; i++) {
        low = fmin(low, of->values[i]);
        high = fmax(high, of->values[i]);
    }
    struct rl_buf text = RL_BUF_INIT;
    if (of->count > 0)
        rl_buf_addf(&text, "%zu, from %s to %s", of->count, rl_work_value(work, RL_UNIT_FRACTION, low),
                    rl_work_value(work, RL_UNIT_FRACTION, high));
    rl_work_tip(work, &box, of->label, text.data);
    rl_buf_release(&text);
}

void rl_swarm_label(struct rl_chart_work *work)
{
    assert(work->chart->kind == RL_CHART_SWARM);
    const struct rl_chart_swarm *swarm = &work->chart->swarm;
    const struct state *state = work->state;
    rl_work_x_title(work, rl_work_with_unit(work, swarm->title, swarm->title != NULL ? "%" : ""));
    for (size_t i = 0; i < swarm->row_count; i++) {
        rl_rows_label(work, &state->rows, i, GAP, work->chart->width - 1);
        add_tip(work, state, i);
        if (state->outermost[i] < 0) {
            const double base = rl_work_centred(work, RL_LABEL_SIZE, state->rows.at[i].y);
            char text[32];
            snprintf(text, sizeof text, MINUS "%.0f %%", -state->outermost[i] * PERCENT);
            rl_work_text(work, work->x.from + APART + 2, base, RL_DRAW_LEFT, RL_LABEL_SIZE, rl_tones[RL_TONE_INK].text,
                         rl_work_fit(work, text, RL_LABEL_SIZE, false, 60));
        }
    }
}
