#include "chart_rows.h"

#define ROW_HEIGHT  14.0
#define BAR_SHARE   0.58 /* of a row */
#define LABEL_SHARE 0.42 /* of the width, at most, for the names */
#define NAME_GAP    5.0  /* between a name and the axis */
#define NOTE_GAP    3.5  /* between a bar and its value */
#define NOTE_SHARE  0.35 /* of the width, at most, for the text at the end of a bar */
#define KEY_ROOM    13.5 /* for the names of parts */
#define KEY_SIZE    5.0

struct row {
    bool drawn;              /* has a bar */
    double value, low, high; /* scaled */
    bool interval;
};

struct state {
    struct rl_scale scale;
    struct rl_references references;
    struct row *values;
    struct rl_rows rows;
};

static double key_room(const struct rl_chart_bars *bars)
{
    return bars->part_names ? KEY_ROOM : 0;
}

double rl_bars_natural_height(const struct rl_chart *chart)
{
    assert(chart->kind == RL_CHART_BARS);
    const struct rl_chart_bars *bars = &chart->bars;
    double above = bars->reference_count == 0 ? 3 : bars->reference_count > 1 ? 20 : 12;
    return rl_rows_natural_height(bars->bar_count, ROW_HEIGHT, bars->title, above + key_room(bars));
}

/* ---- scale and rows ---- */

static struct rl_range range_of(const struct rl_chart_bars *bars)
{
    struct rl_range range = {0};
    for (size_t i = 0; i < bars->bar_count; i++) {
        if (!isfinite(bars->bars[i].value))
            continue;
        rl_range_include(&range, false, bars->bars[i].value);
        rl_range_include(&range, false, bars->bars[i].low);
        rl_range_include(&range, false, bars->bars[i].high);
    }
    if (bars->top > 0)
        rl_range_include(&range, false, bars->top);
    for (size_t i = 0; i < bars->reference_count; i++)
        rl_range_include(&range, false, bars->references[i].value);
    return range;
}

static const char *note_of(struct rl_chart_work *work, const struct rl_chart_bars *bars, const struct rl_chart_bar *bar, bool drawn)
{
    if (bar->note != NULL)
        return bar->note;
    return drawn ? rl_work_value(work, bars->unit, bar->value) : RL_EN_DASH;
}

static struct row make_row(const struct rl_chart_bars *bars, const struct rl_chart_bar *bar, double factor)
{
    struct row row = {.drawn = isfinite(bar->value)};
    if (row.drawn) {
        row.value = row.low = row.high = bar->value * factor;
        row.interval = isfinite(bar->low) && isfinite(bar->high);
    }
    if (row.interval) {
        row.low = bar->low * factor;
        row.high = bar->high * factor;
    }
    return row;
}

static double row_end(const struct row *row)
{
    return row->drawn ? fmax(fmax(row->value, row->high), 0) : 0;
}

/* The axis reaches as far as the width allows while every bar's text still fits behind its end. */
static void choose_reach(struct rl_chart_work *work, const struct rl_chart_bars *bars, const struct state *state)
{
    struct rl_axis *x = &work->x;
    double length = x->to - x->from, scale = INFINITY; /* points per unit */
    for (size_t i = 0; i < bars->bar_count; i++) {
        double end = row_end(&state->values[i]) - x->min;
        double text = bars->values_aside ? 0 : state->rows.at[i].note.width + NOTE_GAP;
        if (end > 0)
            scale = fmin(scale, fmax(length - text, 0.2 * length) / end);
    }
    if (x->max > x->min)
        scale = fmin(scale, length / ((x->max - x->min) * 1.01));
    if (!isfinite(scale))
        scale = length;
    assert(scale > 0);
    x->max = x->min + length / scale;
}

/* ---- data ---- */

static void write_bar(struct rl_block *block, double value, double y, double left, double right, double half, enum rl_tone tone)
{
    assert(tone < RL_TONE_COUNT);
    rl_block_row(block, (const double[]){value, y, left, right, y - half, y + half, rl_program_colour(rl_tone_area(tone))},
                 7); /* x y left right bottom top colour */
}

static void write_bars(struct rl_chart_work *work, const struct rl_chart_bars *bars, const struct state *state, double row_height)
{
    struct rl_block block;
    double half = row_height * BAR_SHARE / 2;
    rl_block_begin(&block, work->program, "bars");
    for (size_t i = 0; i < bars->bar_count; i++) {
        const struct row *row = &state->values[i];
        const double y = state->rows.at[i].y;
        double left = 0;
        for (size_t p = 0; row->drawn && bars->bars[i].parts && p < bars->part_count; p++) {
            double right = left + fmax(bars->bars[i].parts[p] * state->scale.factor, 0);
            if (right > left)
                write_bar(&block, row->value, y, left, right, half, bars->part_tones[p]);
            left = right;
        }
        if (row->drawn && !bars->bars[i].parts)
            write_bar(&block, row->value, y, fmin(0, row->value), fmax(0, row->value), half, bars->bars[i].tone);
    }
    rl_block_end(&block);
    rl_block_begin(&block, work->program, "whiskers");
    for (size_t i = 0; i < bars->bar_count; i++)
        if (state->values[i].interval)
            rl_block_line(&block, state->values[i].low, state->rows.at[i].y, state->values[i].high, state->rows.at[i].y);
    rl_block_end(&block);
}

void rl_bars_write(struct rl_chart_work *work)
{
    assert(work->chart->kind == RL_CHART_BARS);
    const struct rl_chart_bars *bars = &work->chart->bars;
    struct state *state = work->state = rl_work_alloc(work, sizeof *state);
    const double top = work->chart->height - fmax(rl_references_room(work, bars->reference_count), 3) - key_room(bars);
    work->y = (struct rl_axis){.ticks = RL_TICKS_NONE, .from = rl_rows_axis_room(bars->title), .to = top};
    const struct rl_range range = range_of(bars);
    state->scale = rl_axis_enclose_linear(&work->x, bars->unit, fmin(range.low, 0) * 1.05, fmax(range.high, 0));
    state->rows = rl_rows_new(work, bars->bar_count, bars->label_share > 0 ? bars->label_share : LABEL_SHARE, NOTE_SHARE);
    state->values = rl_work_alloc(work, (bars->bar_count + 1) * sizeof *state->values);
    const double row_height = rl_rows_divide(work, &state->rows);
    for (size_t i = 0; i < bars->bar_count; i++) {
        const struct rl_chart_bar *bar = &bars->bars[i];
        const struct row value = state->values[i] = make_row(bars, bar, state->scale.factor);
        rl_rows_fit(work, &state->rows, i, bar->label, note_of(work, bars, bar, value.drawn), bar->strong);
        state->rows.at[i].faint = !value.drawn;
        work->result->skipped += !value.drawn;
    }
    work->x.from = fmax(state->rows.names + NAME_GAP, 12); /* half of the first tick's label */
    /* Half of the last tick's label lies beyond the axis: "0.0005" and "500 µ" are wide. */
    work->x.to = work->chart->width - 14;
    if (bars->values_aside)
        work->x.to = work->chart->width - state->rows.notes - 2 * NOTE_GAP;
    choose_reach(work, bars, state);
    rl_axis_choose_step(&work->x, fmax(20, fmin(34, (work->x.to - work->x.from) / 3))); /* a short axis has two labels, too */
    rl_work_write_axes(work);
    state->references = (struct rl_references){&work->x, state->scale.factor, bars->references, bars->reference_count};
    rl_references_write(work, &state->references);
    write_bars(work, bars, state, row_height);
    rl_program_number(work->program, "base", 0);
}

/* ---- texts ---- */

/* The whole row up to the bar's end says its value, and those of its parts. */
static void add_tip(struct rl_chart_work *work, const struct state *state, size_t index)
{
    const struct rl_chart_bars *bars = &work->chart->bars;
    const struct rl_chart_bar *bar = &bars->bars[index];
    const struct rl_row *row = &state->rows.at[index];
    const double from = work->x.from, to = fmax(rl_axis_at(&work->x, row_end(&state->values[index])), from + 1);
    const struct rl_box box = {(from + to) / 2, row->y, to - from, row->height, 0};
    if (!state->values[index].drawn)
        return;
    if (!bar->parts) {
        rl_work_tip_value(work, &box, bar->label, bars->unit, bar->value, bar->low, bar->high);
        return;
    }
    struct rl_buf text = RL_BUF_IN(&work->result->drawing.texts);
    for (size_t p = 0; p < bars->part_count && bars->part_names; p++)
        rl_buf_addf(&text, "%s%s %s", p ? ", " : "", bars->part_names[p], rl_work_value(work, bars->unit, bar->parts[p]));
    rl_work_tip(work, &box, bar->label, text.len ? text.data : note_of(work, bars, bar, true));
}

static void label_row(struct rl_chart_work *work, const struct state *state, size_t index)
{
    const struct rl_chart_bars *bars = &work->chart->bars;
    const struct rl_row *row = &state->rows.at[index];
    rl_rows_label(work, &state->rows, index, NAME_GAP, bars->values_aside ? work->chart->width : NAN);
    add_tip(work, state, index);
    if (bars->values_aside)
        return;
    const double x = rl_axis_at(&work->x, row_end(&state->values[index])) + NOTE_GAP, width = row->note.width + 2;
    rl_work_plate(work, &(struct rl_box){x + row->note.width / 2, row->y, width, rl_work_line_height(work, RL_LABEL_SIZE), 0});
    rl_work_text(work, x, rl_work_centred(work, row->y), RL_DRAW_LEFT, RL_LABEL_SIZE, row->faint ? rl_ink_soft : rl_ink, row->note)
        ->bold = row->strong;
}

/* Lines across what is hatched. */
static void hatch_bars(struct rl_chart_work *work, const struct rl_chart_bars *bars, const struct state *state)
{
    for (size_t i = 0; i < bars->bar_count; i++) {
        const struct rl_row *row = &state->rows.at[i];
        const double half = row->height * BAR_SHARE / 2;
        double left = 0;
        for (size_t p = 0; state->values[i].drawn && p < (bars->bars[i].parts ? bars->part_count : 1); p++) {
            const struct rl_tone_info *tone = &rl_tones[bars->bars[i].parts ? bars->part_tones[p] : bars->bars[i].tone];
            const double right =
                bars->bars[i].parts ? left + fmax(bars->bars[i].parts[p] * state->scale.factor, 0) : state->values[i].value;
            if (tone->hatched && right > left)
                rl_work_hatch(work, rl_axis_at(&work->x, left), row->y - half, rl_axis_at(&work->x, right), row->y + half,
                              tone->mark);
            left = right;
        }
    }
}

void rl_bars_label(struct rl_chart_work *work)
{
    assert(work->chart->kind == RL_CHART_BARS);
    const struct rl_chart_bars *bars = &work->chart->bars;
    const struct state *state = work->state;
    rl_work_x_title(work, rl_work_with_unit(work, bars->title, state->scale.symbol));
    if (bars->values_aside && bars->title == NULL) {
        /* The unit of an axis without a title: under the column of values, next to the ticks. */
        double base = work->y.from - RL_TICK_ROOM + work->metrics->descent * RL_TICK_SIZE + 1.5;
        struct rl_fitted text = rl_work_fit(work, state->scale.symbol, RL_TICK_SIZE, false, work->chart->width - work->x.to);
        if (text.len > 0)
            rl_work_text(work, work->chart->width, base, RL_DRAW_RIGHT, RL_TICK_SIZE, rl_ink_soft, text);
    }
    for (size_t i = 0; i < bars->bar_count; i++)
        label_row(work, state, i);
    rl_references_label_above(work, &state->references);
    hatch_bars(work, bars, state);
    /* A square and a name for each part, from the left. */
    double x = work->x.from, y = work->chart->height - KEY_ROOM / 2 - 1;
    for (size_t i = 0; i < bars->part_count && bars->part_names; i++) {
        struct rl_fitted name = rl_work_fit(work, bars->part_names[i], RL_LABEL_SIZE, false, work->chart->width / 3);
        if (x + KEY_SIZE + NOTE_GAP + name.width > work->chart->width)
            break;
        rl_work_swatch(work, x, y, KEY_SIZE, bars->part_tones[i]);
        rl_work_text(work, x + KEY_SIZE + NOTE_GAP, rl_work_centred(work, y), RL_DRAW_LEFT, RL_LABEL_SIZE, rl_ink, name);
        x += KEY_SIZE + NOTE_GAP + name.width + 14;
    }
}
