/* chart_matrix.c - values between two lists, as a field of cells with their figures: darker is more. */
#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "chart_rows.h"
#include "core/mem.h"

#define CELL_WIDEST 58.0
#define CELL_HEIGHT 20.0
#define CELL_LEAST  9.0
#define GAP         0.5 /* of white around a cell */
#define NAME_GAP    5.0
#define LABEL_SHARE 0.2 /* of the width, at most, for the names of the rows */
#define HEAD_ROOM   25.0
#define HEAD_ALONE  13.0 /* without a title of the columns */
#define SMALLEST    4.5  /* figures do not become smaller: then the cells have none */

struct state {
    struct rl_scale scale;
    double most;                     /* value of the darkest cell */
    double left, top, width, height; /* of the field, and of one cell */
    double size;                     /* of the figures; 0: none */
    struct rl_rows rows;
};

static double head_room(const struct rl_chart_matrix *matrix)
{
    return matrix->column_title ? HEAD_ROOM : HEAD_ALONE;
}

static double cell_height(const struct rl_chart_matrix *matrix)
{
    return fmax(CELL_LEAST, matrix->row_count > 16 ? CELL_HEIGHT * 16 / (double)matrix->row_count : CELL_HEIGHT);
}

double rl_matrix_natural_height(const struct rl_chart *chart)
{
    assert(chart->kind == RL_CHART_MATRIX);
    const struct rl_chart_matrix *matrix = &chart->matrix;
    return fmax(head_room(matrix) + cell_height(matrix) * (double)matrix->row_count + 4, 60);
}

/* ---- the look ---- */

static const double *value_at(const struct rl_chart_matrix *matrix, size_t row, size_t column)
{
    return &matrix->values[row * matrix->column_count + column];
}

static bool usable(double value)
{
    return rl_axis_usable(false, value) && value >= 0;
}

static const char *figure_of(struct rl_chart_work *work, const struct state *state, double value)
{
    struct rl_buf text = RL_BUF_INIT;
    double shown = value * state->scale.factor;
    rl_buf_addf(&text, shown >= 99.95 ? "%.0f" : "%.1f", shown);
    const char *kept = rl_arena_strdup(&work->result->drawing.texts, text.data);
    rl_buf_release(&text);
    return kept;
}

/* ---- lay-out ---- */

static double greatest(const struct rl_chart_matrix *matrix)
{
    double most = 0;
    for (size_t i = 0; i < matrix->row_count * matrix->column_count; i++)
        if (usable(matrix->values[i]))
            most = fmax(most, matrix->values[i]);
    return most;
}

static void lay(struct rl_chart_work *work, struct state *state)
{
    assert(work->chart->kind == RL_CHART_MATRIX);
    const struct rl_chart_matrix *matrix = &work->chart->matrix;
    state->rows = rl_rows_new(work, matrix->row_count, LABEL_SHARE, 0);
    for (size_t i = 0; i < matrix->row_count; i++)
        rl_rows_fit(work, &state->rows, i, matrix->rows[i], NULL, false);
    state->left = (matrix->row_title ? 12 : 0) + state->rows.names + NAME_GAP;
    state->width = fmin(CELL_WIDEST, (work->chart->width - state->left - 2) / fmax((double)matrix->column_count, 1));
    state->top = work->chart->height - head_room(matrix);
    state->height = (state->top - 2) / fmax((double)matrix->row_count, 1);
    state->most = greatest(matrix);
    state->scale = rl_unit_scale(matrix->unit, state->most);
    /* The largest size at which the widest figure fits a cell. */
    const char *widest = figure_of(work, state, state->most);
    double at_one = rl_work_fit(work, widest, RL_LABEL_SIZE, true, 1000).width / RL_LABEL_SIZE;
    double size = fmin(fmin(RL_LABEL_SIZE + 0.5, (state->width - 3) / at_one), (state->height - 2) / 1.1);
    state->size = size < SMALLEST ? 0 : size;
    work->x = (struct rl_axis){
        .ticks = RL_TICKS_NONE, .from = state->left, .to = state->left + state->width * (double)matrix->column_count};
    work->y = (struct rl_axis){.ticks = RL_TICKS_NONE, .from = 2, .to = state->top};
    work->x.to = fmax(work->x.to, work->x.from + 1);
    rl_rows_divide(work, &state->rows);
}

static struct rl_vertex centre_of(const struct state *state, size_t row, size_t column)
{
    return (struct rl_vertex){state->left + state->width * ((double)column + 0.5),
                              state->top - state->height * ((double)row + 0.5)};
}

void rl_matrix_write(struct rl_chart_work *work)
{
    assert(work->chart->kind == RL_CHART_MATRIX);
    const struct rl_chart_matrix *matrix = &work->chart->matrix;
    struct state *state = work->state = rl_work_alloc(work, sizeof *state);
    struct rl_block block;
    lay(work, state);
    rl_work_write_axes(work);
    rl_block_begin(&block, work->program, "cells");
    for (size_t r = 0; r < matrix->row_count; r++)
        for (size_t c = 0; c < matrix->column_count; c++) {
            struct rl_vertex at = centre_of(state, r, c);
            double value = *value_at(matrix, r, c), w = state->width / 2 - GAP, h = state->height / 2 - GAP;
            if (!usable(value)) {
                work->result->skipped++;
                continue;
            }
            /* One hue, from nearly white to dark, even in lightness: it reads the same in grey. */
            double share = state->most > 0 ? value / state->most : 0;
            static const struct rl_colour light = {0xEA, 0xF1, 0xF7, 255}, dark = {0x08, 0x3D, 0x6B, 255};
            double s = fmin(fmax(share, 0), 1);
            struct rl_colour colour = (struct rl_colour){(uint8_t)lround(light.r + s * (dark.r - light.r)),
                                                         (uint8_t)lround(light.g + s * (dark.g - light.g)),
                                                         (uint8_t)lround(light.b + s * (dark.b - light.b)), 255};
            rl_block_row(&block, (const double[]){at.x, at.y, at.x - w, at.x + w, at.y - h, at.y + h, rl_program_colour(colour)},
                         7);
        }
    rl_block_end(&block);
}

/* ---- texts ---- */

/* A frame that is seen on dark and light cells, and in grey. */
static void mark_cell(struct rl_chart_work *work, const struct state *state, size_t row, size_t column)
{
    struct rl_vertex at = centre_of(state, row, column);
    double w = state->width / 2 - 1.5, h = state->height / 2 - 1.5;
    const struct rl_vertex corners[] = {{at.x - w, at.y - h}, {at.x + w, at.y - h}, {at.x + w, at.y + h}, {at.x - w, at.y + h}};
    struct rl_draw_op *op = rl_drawing_path(&work->result->drawing, corners, RL_COUNT(corners), true);
    op->stroke = rl_tones[RL_TONE_INK].mark;
    op->line_width = 1.6;
}

static void add_tip(struct rl_chart_work *work, const struct state *state, size_t row, size_t column)
{
    const struct rl_chart_matrix *matrix = &work->chart->matrix;
    const struct rl_vertex at = centre_of(state, row, column);
    const struct rl_box box = {at.x, at.y, state->width - 2 * GAP, state->height - 2 * GAP, 0};
    struct rl_buf name = RL_BUF_INIT;
    rl_buf_addf(&name, "%s, %s", matrix->rows[row], matrix->columns[column]);
    rl_work_tip_value(work, &box, name.data, matrix->unit, *value_at(matrix, row, column), NAN, NAN);
    rl_buf_release(&name);
}

static void label_cell(struct rl_chart_work *work, const struct state *state, size_t row, size_t column)
{
    const struct rl_chart_matrix *matrix = &work->chart->matrix;
    size_t at = row * matrix->column_count + column;
    bool there = usable(matrix->values[at]), marked = matrix->marked && matrix->marked[at];
    const char *text = there ? figure_of(work, state, matrix->values[at]) : matrix->notes ? matrix->notes[at] : NULL;
    struct rl_vertex centre = centre_of(state, row, column);
    if (there)
        add_tip(work, state, row, column);
    if (marked)
        mark_cell(work, state, row, column);
    if (!text || state->size <= 0)
        return;
    static const struct rl_colour white = {255, 255, 255, 255};
    bool dark = there && matrix->values[at] > 0.68 * state->most;
    struct rl_draw_op *op = rl_work_text(work, centre.x, rl_work_centred(work, state->size, centre.y), RL_DRAW_CENTRE, state->size,
                                         dark    ? white
                                         : there ? rl_ink
                                                 : rl_ink_soft,
                                         rl_work_fit(work, text, state->size, marked, state->width - 2));
    op->bold = marked;
}

void rl_matrix_label(struct rl_chart_work *work)
{
    assert(work->chart->kind == RL_CHART_MATRIX);
    const struct rl_chart_matrix *matrix = &work->chart->matrix;
    const struct state *state = work->state;
    for (size_t r = 0; r < matrix->row_count; r++) {
        rl_rows_label(work, &state->rows, r, NAME_GAP, NAN);
        for (size_t c = 0; c < matrix->column_count; c++)
            label_cell(work, state, r, c);
    }
    for (size_t c = 0; c < matrix->column_count; c++)
        rl_work_text(work, centre_of(state, 0, c).x, state->top + 3, RL_DRAW_CENTRE, RL_LABEL_SIZE, rl_ink,
                     rl_work_fit(work, matrix->columns[c], RL_LABEL_SIZE, false, state->width - 1));
    if (matrix->column_title)
        rl_work_text(work, state->left, state->top + 14, RL_DRAW_LEFT, RL_TITLE_SIZE, rl_ink_soft,
                     rl_work_fit(work, rl_work_with_unit(work, matrix->column_title, state->scale.symbol), RL_TITLE_SIZE, false,
                                 work->chart->width - state->left));
    if (matrix->row_title) {
        struct rl_draw_op *op = rl_work_text(work, RL_TITLE_SIZE, (state->top + 2) / 2, RL_DRAW_CENTRE, RL_TITLE_SIZE, rl_ink_soft,
                                             rl_work_fit(work, matrix->row_title, RL_TITLE_SIZE, false, state->top));
        op->angle = 90;
    }
}
