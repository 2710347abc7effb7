#include <assert.h>
#include <math.h>

#include "chart_kind.h"
#include "core/mem.h"

#define ROW_HEIGHT  12.0
#define LABEL_SHARE 0.38 /* of the width, at most, for the names */
#define NOTE_SHARE  0.30 /* the same for the texts at the right edge */
#define GAP         6.0
#define MARK        2.6 /* radius */
#define EXPECTED    2.9

struct row {
    bool drawn, interval, expected;
    double y;
    struct rl_fitted name, note;
};

struct state {
    struct rl_scale scale;
    struct rl_references references;
    struct row *rows;
};

static double axis_room(const struct rl_chart_intervals *chart)
{
    return RL_TICK_ROOM + (chart->title != NULL ? 14 : 2);
}

double rl_intervals_natural_height(const struct rl_chart *chart)
{
    const struct rl_chart_intervals *intervals = &chart->intervals;
    return fmax(ROW_HEIGHT * (double)intervals->row_count + axis_room(intervals) + (intervals->reference_count ? 12 : 4), 60);
}

/* ---- scale ---- */

static void include_row(const struct rl_chart_intervals *chart, const struct rl_chart_interval *row, struct rl_range *range)
{
    const double values[] = {row->value, row->low, row->high, row->expected};
    for (size_t i = 0; i < RL_COUNT(values); i++)
        rl_range_include(range, chart->log, values[i]);
}

static struct rl_range range_of(const struct rl_chart_intervals *chart)
{
    struct rl_range range = {0};
    for (size_t i = 0; i < chart->row_count; i++)
        include_row(chart, &chart->rows[i], &range);
    for (size_t i = 0; i < chart->reference_count; i++)
        rl_range_include(&range, chart->log, chart->references[i].value);
    if (isfinite(chart->band_low) && isfinite(chart->band_high)) {
        rl_range_include(&range, chart->log, chart->band_low);
        rl_range_include(&range, chart->log, chart->band_high);
    }
    return range.any ? range : (struct rl_range){1, 1, true};
}

static void choose_scale(struct rl_chart_work *work, const struct rl_chart_intervals *chart, struct state *state)
{
    const struct rl_range range = range_of(chart);
    struct rl_axis *x = &work->x;
    if (chart->log) {
        state->scale = rl_unit_scale(chart->unit, 1);
        x->ticks = RL_TICKS_DECADES;
        rl_axis_enclose_log(x, fmax(range.low / 1.1, RL_AXIS_TINY) * state->scale.factor,
                            fmin(range.high * 1.1, RL_AXIS_HUGE) * state->scale.factor, 0.5);
        return;
    }
    const double air = fmax((range.high - range.low) * 0.06, 1e-12);
    state->scale = rl_unit_scale(chart->unit, fmax(fabs(range.low), fabs(range.high)));
    x->ticks = RL_TICKS_LINEAR;
    x->min = (range.low < 0 || range.low > 0 ? range.low - air : 0) * state->scale.factor;
    x->max = (range.high + air) * state->scale.factor;
}

/* ---- data ---- */

static struct row make_row(struct rl_chart_work *work, const struct rl_chart_intervals *chart, const struct rl_chart_interval *from)
{
    struct row row = {.drawn = rl_axis_usable(chart->log, from->value),
                      .interval = rl_axis_usable(chart->log, from->low) && rl_axis_usable(chart->log, from->high),
                      .expected = rl_axis_usable(chart->log, from->expected)};
    row.name = rl_work_fit(work, from->label ? from->label : "", RL_LABEL_SIZE, from->strong, LABEL_SHARE * work->chart->width);
    row.note = rl_work_fit(work, from->note ? from->note : "", RL_LABEL_SIZE, from->strong, NOTE_SHARE * work->chart->width);
    return row;
}

static void write_band(struct rl_chart_work *work, const struct rl_chart_intervals *chart, double factor)
{
    struct rl_block block;
    const double low = fmax(chart->band_low * factor, work->x.min), high = fmin(chart->band_high * factor, work->x.max);
    rl_block_begin(&block, work->program, "band");
    if (isfinite(chart->band_low) && isfinite(chart->band_high) && low < high) {
        const double corners[][2] = {{low, work->y.min}, {high, work->y.min}, {high, work->y.max}, {low, work->y.max}};
        for (size_t i = 0; i < RL_COUNT(corners); i++)
            rl_block_row(&block, corners[i], 2);
    }
    rl_block_end(&block);
}

static void write_lines(struct rl_chart_work *work, const struct rl_chart_intervals *chart, const struct state *state)
{
    struct rl_block block;
    rl_block_begin(&block, work->program, "rows");
    for (size_t i = 0; i < chart->row_count; i++)
        rl_block_line(&block, work->x.min, state->rows[i].y, work->x.max, state->rows[i].y);
    rl_block_end(&block);
    rl_block_begin(&block, work->program, "whiskers");
    for (size_t i = 0; i < chart->row_count; i++)
        if (state->rows[i].drawn && state->rows[i].interval)
            rl_block_line(&block, chart->rows[i].low * state->scale.factor, state->rows[i].y,
                          chart->rows[i].high * state->scale.factor, state->rows[i].y);
    rl_block_end(&block);
}

static void write_mark(struct rl_block *block, double x, double y, double radius, enum rl_tone tone, bool hollow)
{
    const struct rl_tone_info *look = &rl_tones[tone];
    rl_block_row(block, (const double[]){x, y, radius, look->shape - hollow, rl_program_colour(look->mark)}, 5);
}

static void write_marks(struct rl_chart_work *work, const struct rl_chart_intervals *chart, const struct state *state)
{
    struct rl_block block;
    const double factor = state->scale.factor;
    rl_block_begin(&block, work->program, "points");
    for (size_t i = 0; i < chart->row_count; i++) {
        const struct row *row = &state->rows[i];
        if (row->expected)
            write_mark(&block, chart->rows[i].expected * factor, row->y, EXPECTED, RL_TONE_NEUTRAL, true);
        if (row->drawn)
            write_mark(&block, chart->rows[i].value * factor, row->y, MARK, chart->rows[i].tone, chart->rows[i].hollow);
    }
    rl_block_end(&block);
}

void rl_intervals_write(struct rl_chart_work *work)
{
    const struct rl_chart_intervals *chart = &work->chart->intervals;
    struct state *state = work->state = rl_work_alloc(work, sizeof *state);
    double names = 0, notes = 0, top = work->chart->height - fmax(rl_references_room(work, chart->reference_count), 4);
    work->y = (struct rl_axis){.ticks = RL_TICKS_NONE, .from = axis_room(chart), .to = top};
    work->y.min = work->y.from;
    work->y.max = work->y.to;
    const double row_height = (work->y.to - work->y.from) / fmax((double)chart->row_count, 1);
    choose_scale(work, chart, state);
    state->rows = rl_work_alloc(work, chart->row_count * sizeof *state->rows);
    for (size_t i = 0; i < chart->row_count; i++) {
        state->rows[i] = make_row(work, chart, &chart->rows[i]);
        state->rows[i].y = work->y.to - row_height * ((double)i + 0.5);
        names = fmax(names, state->rows[i].name.width);
        notes = fmax(notes, state->rows[i].note.width);
        work->result->skipped += !state->rows[i].drawn;
    }
    work->x.from = names + GAP;
    work->x.to = work->chart->width - fmax(notes + GAP, 8);
    rl_axis_choose_step(&work->x, 34);
    rl_work_write_axes(work);
    state->references = (struct rl_references){&work->x, state->scale.factor, chart->references, chart->reference_count};
    rl_references_write(work, &state->references);
    write_band(work, chart, state->scale.factor);
    write_lines(work, chart, state);
    write_marks(work, chart, state);
}

/* ---- texts ---- */

void rl_intervals_label(struct rl_chart_work *work)
{
    const struct rl_chart_intervals *chart = &work->chart->intervals;
    const struct state *state = work->state;
    rl_work_x_title(work, rl_work_with_unit(work, chart->title, state->scale.symbol));
    for (size_t i = 0; i < chart->row_count; i++) {
        const struct row *row = &state->rows[i];
        const double base = rl_work_centred(work, RL_LABEL_SIZE, row->y);
        const struct rl_colour colour = row->drawn ? rl_ink : rl_ink_soft;
        rl_work_text(work, work->x.from - GAP, base, RL_DRAW_RIGHT, RL_LABEL_SIZE, colour, row->name)->bold = chart->rows[i].strong;
        rl_work_text(work, work->chart->width, base, RL_DRAW_RIGHT, RL_LABEL_SIZE, colour, row->note)->bold = chart->rows[i].strong;
    }
    rl_references_label_above(work, &state->references);
}
