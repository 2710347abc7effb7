#include "chart_rows.h"

#define ROW_HEIGHT  12.0
#define LABEL_SHARE 0.38 /* of the width, at most, for the names */
#define NOTE_SHARE  0.30 /* the same for the texts at the right edge */
#define GAP         6.0
#define MARK        2.6 /* radius */
#define EXPECTED    2.9
#define LOG_AIR     1.1 /* factor by which a logarithmic axis reaches farther than its values */

struct state {
    struct rl_scale scale;
    struct rl_references references;
    struct rl_rows rows;
};

double rl_intervals_natural_height(const struct rl_chart *chart)
{
    assert(chart->kind == RL_CHART_INTERVALS);
    const struct rl_chart_intervals *intervals = &chart->intervals;
    return rl_rows_natural_height(intervals->row_count, ROW_HEIGHT, intervals->title, intervals->reference_count ? 12 : 4);
}

/* ---- scale ---- */

static void include_row(const struct rl_chart_intervals *chart, const struct rl_chart_interval *row, struct rl_range *range)
{
    const double values[] = {row->value, row->low, row->high, row->expected};
    for (size_t i = 0; i < RL_COUNT(values); i++)
        rl_range_include(range, chart->log, values[i]);
    for (size_t i = 0; i < row->extra_count; i++)
        rl_range_include(range, chart->log, row->extras[i].value);
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
    return range;
}

static void choose_scale(struct rl_chart_work *work, const struct rl_chart_intervals *chart, struct state *state)
{
    const struct rl_range range = range_of(chart);
    struct rl_axis *x = &work->x;
    if (chart->log) {
        const struct rl_range shown = range.any ? range : (struct rl_range){1, 1, true};
        state->scale = rl_unit_scale(chart->unit, 1);
        x->ticks = rl_axis_log_ticks(chart->unit);
        rl_axis_enclose_log(x, fmax(shown.low / LOG_AIR, RL_AXIS_TINY) * state->scale.factor,
                            fmin(shown.high * LOG_AIR, RL_AXIS_HUGE) * state->scale.factor, 0.5);
        return;
    }
    const double largest = fmax(fabs(range.low), fabs(range.high)), spread = range.high - range.low;
    const double air = (spread > largest * 1e-4 ? spread : largest) * 0.06; /* equal values stand in the middle */
    state->scale = rl_axis_enclose_linear(x, chart->unit, range.low < 0 || range.low > 0 ? range.low - air : 0, range.high + air);
}

/* ---- data ---- */

static bool is_drawn(const struct rl_chart_intervals *chart, size_t row)
{
    return rl_axis_usable(chart->log, chart->rows[row].value);
}

static bool has_interval(const struct rl_chart_intervals *chart, size_t row)
{
    return rl_axis_usable(chart->log, chart->rows[row].low) && rl_axis_usable(chart->log, chart->rows[row].high);
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

/* From the lowest to the highest mark of a row. */
static void write_joins(struct rl_chart_work *work, const struct rl_chart_intervals *chart, const struct state *state)
{
    struct rl_block block;
    rl_block_begin(&block, work->program, "joins");
    for (size_t i = 0; i < chart->row_count; i++) {
        const struct rl_chart_interval *row = &chart->rows[i];
        struct rl_range range = {0};
        rl_range_include(&range, chart->log, row->value);
        rl_range_include(&range, chart->log, row->expected);
        for (size_t j = 0; j < row->extra_count; j++)
            rl_range_include(&range, chart->log, row->extras[j].value);
        if (row->joined && range.any && range.low < range.high)
            rl_block_line(&block, range.low * state->scale.factor, state->rows.at[i].y, range.high * state->scale.factor,
                          state->rows.at[i].y);
    }
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
        const double y = state->rows.at[i].y;
        if (rl_axis_usable(chart->log, chart->rows[i].expected))
            write_mark(&block, chart->rows[i].expected * factor, y, EXPECTED, RL_TONE_GREY, true);
        for (size_t j = 0; j < chart->rows[i].extra_count; j++) {
            const struct rl_chart_extra *extra = &chart->rows[i].extras[j];
            if (rl_axis_usable(chart->log, extra->value))
                write_mark(&block, extra->value * factor, y, MARK, extra->tone, extra->hollow);
        }
        if (is_drawn(chart, i))
            write_mark(&block, chart->rows[i].value * factor, y, MARK, chart->rows[i].tone, chart->rows[i].hollow);
    }
    rl_block_end(&block);
}

void rl_intervals_write(struct rl_chart_work *work)
{
    assert(work->chart->kind == RL_CHART_INTERVALS);
    const struct rl_chart_intervals *chart = &work->chart->intervals;
    struct state *state = work->state = rl_work_alloc(work, sizeof *state);
    const double top = work->chart->height - fmax(rl_references_room(work, chart->reference_count), 4);
    work->y = (struct rl_axis){.ticks = RL_TICKS_NONE, .from = rl_rows_axis_room(chart->title), .to = top};
    work->y.min = work->y.from;
    work->y.max = work->y.to;
    choose_scale(work, chart, state);
    state->rows = rl_rows_new(work, chart->row_count, chart->label_share > 0 ? chart->label_share : LABEL_SHARE, NOTE_SHARE);
    rl_rows_divide(work, &state->rows);
    for (size_t i = 0; i < chart->row_count; i++) {
        rl_rows_fit(work, &state->rows, i, chart->rows[i].label, chart->rows[i].note, chart->rows[i].strong);
        state->rows.at[i].faint = !is_drawn(chart, i);
        work->result->skipped += !is_drawn(chart, i);
    }
    work->x.from = fmax(state->rows.names + GAP, 12); /* half of the first tick's label */
    work->x.to = work->chart->width - fmax(state->rows.notes + GAP, 8);
    rl_axis_choose_step(&work->x, 34);
    rl_work_write_axes(work);
    state->references = (struct rl_references){&work->x, state->scale.factor, chart->references, chart->reference_count};
    rl_references_write(work, &state->references);
    write_band(work, chart, state->scale.factor);
    rl_rows_write_lines(work, &state->rows);
    write_joins(work, chart, state);
    struct rl_block block;
    const double factor = state->scale.factor;
    rl_block_begin(&block, work->program, "whiskers");
    for (size_t i = 0; i < chart->row_count; i++)
        if (is_drawn(chart, i) && has_interval(chart, i))
            rl_block_line(&block, chart->rows[i].low * factor, state->rows.at[i].y, chart->rows[i].high * factor,
                          state->rows.at[i].y);
    rl_block_end(&block);
    write_marks(work, chart, state);
}

/* ---- texts ---- */

void rl_intervals_label(struct rl_chart_work *work)
{
    assert(work->chart->kind == RL_CHART_INTERVALS);
    const struct rl_chart_intervals *chart = &work->chart->intervals;
    const struct state *state = work->state;
    rl_work_x_title(work, rl_work_with_unit(work, chart->title, state->scale.symbol));
    for (size_t i = 0; i < chart->row_count; i++) {
        const struct rl_box box = {(work->x.from + work->x.to) / 2, state->rows.at[i].y, work->x.to - work->x.from,
                                   state->rows.at[i].height, 0};
        rl_rows_label(work, &state->rows, i, GAP, work->chart->width);
        if (is_drawn(chart, i))
            rl_work_tip_value(work, &box, chart->rows[i].label, chart->unit, chart->rows[i].value, chart->rows[i].low,
                              chart->rows[i].high);
    }
    rl_references_label_above(work, &state->references);
}
