#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chart_kind.h"
#include "core/mem.h"

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

struct row {
    double y;
    struct rl_fitted name, note;
    double outermost; /* below the axis, shares; 0: none */
};

struct state {
    struct row *rows;
    double height; /* of a row */
    size_t *counts;
    size_t columns;
};

static double axis_room(const struct rl_chart_swarm *swarm)
{
    return RL_TICK_ROOM + (swarm->title != NULL ? 14 : 2);
}

double rl_swarm_natural_height(const struct rl_chart *chart)
{
    return fmax(ROW_HEIGHT * (double)chart->swarm.row_count + axis_room(&chart->swarm) + 3, 60);
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
                        const struct state *state, const struct row *row)
{
    if (!isfinite(from->limit) || from->limit <= 0)
        return;
    double left = fmax(-from->limit * PERCENT, work->x.min), right = fmin(from->limit * PERCENT, work->x.max);
    double half = state->height * SPREAD / 2;
    rl_block_row(block, (const double[]){0, row->y, left, right, row->y - half, row->y + half}, 6);
}

/* The densest column is as high as its row; a single value is still seen. */
static void write_density(struct rl_block *block, struct rl_chart_work *work, struct state *state,
                          const struct rl_chart_swarm_row *from, const struct row *row)
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
                     (const double[]){back(work, left), row->y, back(work, left), back(work, right), row->y - half, row->y + half,
                                      rl_program_colour(rl_tones[RL_TONE_MEMORY].mark)},
                     7);
    }
}

/* Dots of one column are stacked about the middle of the row: 0, +1, -1, +2, ... */
static void write_dots(struct rl_block *block, struct rl_chart_work *work, struct state *state,
                       const struct rl_chart_swarm_row *from, const struct row *row)
{
    memset(state->counts, 0, state->columns * sizeof *state->counts);
    for (size_t i = 0; i < from->count; i++) {
        if (from->apart[i])
            continue;
        size_t column = column_of(work, state, from->values[i], 2 * DOT), level = state->counts[column]++;
        double away = (double)((level + 1) / 2) * 1.6 * DOT * (level % 2 ? 1 : -1);
        away = fmin(fmax(away, DOT - state->height * SPREAD / 2), state->height * SPREAD / 2 - DOT); /* whole dots in their row */
        rl_block_row(block,
                     (const double[]){back(work, place(work, from->values[i])), row->y + away, DOT, rl_tones[RL_TONE_MEMORY].shape,
                                      rl_program_colour(rl_tones[RL_TONE_MEMORY].mark)},
                     5);
    }
}

static void write_apart(struct rl_block *block, struct rl_chart_work *work, const struct rl_chart_swarm_row *from, struct row *row)
{
    const struct rl_tone_info *tone = &rl_tones[RL_TONE_COMPUTE];
    for (size_t i = 0; i < from->count; i++) {
        if (!from->apart[i])
            continue;
        double x = place(work, from->values[i]);
        bool beyond = from->values[i] * PERCENT < work->x.min || from->values[i] * PERCENT > work->x.max;
        if (from->values[i] * PERCENT < work->x.min)
            row->outermost = fmin(row->outermost, from->values[i]);
        rl_block_row(block, (const double[]){back(work, x), row->y, APART, tone->shape - beyond, rl_program_colour(tone->mark)}, 5);
    }
}

/* ---- the chart ---- */

static void write_rows(struct rl_chart_work *work, const struct rl_chart_swarm *swarm, struct state *state)
{
    struct rl_block block;
    rl_block_begin(&block, work->program, "shades");
    for (size_t i = 0; i < swarm->row_count; i++)
        write_shade(&block, work, &swarm->rows[i], state, &state->rows[i]);
    rl_block_end(&block);
    rl_block_begin(&block, work->program, "lanes");
    for (size_t i = 0; i < swarm->row_count; i++)
        rl_block_line(&block, work->x.min, state->rows[i].y - state->height / 2, work->x.max, state->rows[i].y - state->height / 2);
    rl_block_end(&block);
    rl_block_begin(&block, work->program, "middles");
    for (size_t i = 0; i < swarm->row_count; i++)
        rl_block_line(&block, 0, state->rows[i].y - state->height / 2, 0, state->rows[i].y + state->height / 2);
    rl_block_end(&block);
    rl_block_begin(&block, work->program, "bars");
    for (size_t i = 0; i < swarm->row_count; i++)
        if (swarm->rows[i].count > RL_SWARM_DOTS)
            write_density(&block, work, state, &swarm->rows[i], &state->rows[i]);
    rl_block_end(&block);
    rl_block_begin(&block, work->program, "points");
    for (size_t i = 0; i < swarm->row_count; i++) {
        if (swarm->rows[i].count <= RL_SWARM_DOTS)
            write_dots(&block, work, state, &swarm->rows[i], &state->rows[i]);
        write_apart(&block, work, &swarm->rows[i], &state->rows[i]);
    }
    rl_block_end(&block);
}

static void set_texts(struct rl_chart_work *work, const struct rl_chart_swarm *swarm, struct state *state, double widest[2])
{
    for (size_t i = 0; i < swarm->row_count; i++) {
        const struct rl_chart_swarm_row *row = &swarm->rows[i];
        double width = work->chart->width;
        state->rows[i].name = rl_work_fit(work, row->label != NULL ? row->label : "", RL_LABEL_SIZE, false, LABEL_SHARE * width);
        state->rows[i].note = rl_work_fit(work, row->note != NULL ? row->note : "", RL_LABEL_SIZE, false, NOTE_SHARE * width);
        widest[0] = fmax(widest[0], state->rows[i].name.width);
        widest[1] = fmax(widest[1], state->rows[i].note.width);
    }
}

void rl_swarm_write(struct rl_chart_work *work)
{
    const struct rl_chart_swarm *swarm = &work->chart->swarm;
    struct state *state = work->state = rl_work_alloc(work, sizeof *state);
    double widest[2] = {0, 0};
    assert(swarm->low < 0 && swarm->high > 0);
    state->rows = rl_work_alloc(work, (swarm->row_count + 1) * sizeof *state->rows);
    set_texts(work, swarm, state, widest);
    work->y = (struct rl_axis){.ticks = RL_TICKS_NONE, .from = axis_room(swarm), .to = work->chart->height - 3};
    work->x = (struct rl_axis){.ticks = RL_TICKS_LINEAR,
                               .min = swarm->low * PERCENT,
                               .max = swarm->high * PERCENT,
                               .from = widest[0] + GAP,
                               .to = work->chart->width - widest[1] - GAP - 2};
    rl_axis_choose_step(&work->x, 26);
    rl_work_write_axes(work);
    state->height = (work->y.to - work->y.from) / fmax((double)swarm->row_count, 1);
    state->columns = (size_t)((work->x.to - work->x.from) / COLUMN) + 1;
    state->counts = rl_work_alloc(work, state->columns * sizeof *state->counts);
    for (size_t i = 0; i < swarm->row_count; i++)
        state->rows[i].y = work->y.to - state->height * ((double)i + 0.5);
    write_rows(work, swarm, state);
}

void rl_swarm_label(struct rl_chart_work *work)
{
    const struct rl_chart_swarm *swarm = &work->chart->swarm;
    const struct state *state = work->state;
    rl_work_x_title(work, rl_work_with_unit(work, swarm->title, swarm->title != NULL ? "%" : ""));
    for (size_t i = 0; i < swarm->row_count; i++) {
        const struct row *row = &state->rows[i];
        double base = rl_work_centred(work, RL_LABEL_SIZE, row->y);
        rl_work_text(work, work->x.from - GAP, base, RL_DRAW_RIGHT, RL_LABEL_SIZE, rl_ink, row->name);
        rl_work_text(work, work->chart->width - 1, base, RL_DRAW_RIGHT, RL_LABEL_SIZE, rl_ink_soft, row->note);
        if (row->outermost < 0) {
            char text[32];
            snprintf(text, sizeof text, MINUS "%.0f %%", -row->outermost * PERCENT);
            rl_work_text(work, work->x.from + APART + 2, base, RL_DRAW_LEFT, RL_LABEL_SIZE, rl_tones[RL_TONE_COMPUTE].text,
                         rl_work_fit(work, text, RL_LABEL_SIZE, false, 60));
        }
    }
}
