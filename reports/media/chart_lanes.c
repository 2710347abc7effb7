/* chart_lanes.c - how much of each step of time something took: areas in lanes above one axis of time. */
#include "chart_rows.h"

#define HEAD_HEIGHT 13.0
#define LANE_GAP    2.5 /* between lanes */
#define TOP_ROOM    5.0
#define NAME_GAP    5.0
#define LABEL_SHARE 0.27 /* of the width, at most, for names and for notes */
#define NOTE_SHARE  0.25 /* enough for two numbers, which are never cut */
#define NOTE_GAP    5.0
#define EDGE        2.0 /* right of the notes */
#define KEY_SIZE    5.5
#define KEY_GAP     4.0  /* between a square and its name */
#define KEY_APART   14.0 /* between a name and the next square */
#define LEAST_AREA  0.25 /* points: what is lower would not be seen */
enum { TIPS = 24 };      /* places of a lane that say what they are */

struct state {
    struct rl_scale scale;
    struct rl_rows rows;
    double *ground; /* of each lane, points */
};

static double room_of(const struct rl_chart_share_lane *lane)
{
    assert(lane->height > 0 && lane->full > 0);
    return lane->height + LANE_GAP + (lane->head || lane->key ? HEAD_HEIGHT : 0) + (lane->above ? HEAD_HEIGHT : 0);
}

double rl_lanes_natural_height(const struct rl_chart *chart)
{
    assert(chart->kind == RL_CHART_LANES);
    double height = rl_rows_axis_room(chart->lanes.x_title) + TOP_ROOM;
    for (size_t i = 0; i < chart->lanes.lane_count; i++)
        height += room_of(&chart->lanes.lanes[i]);
    return fmax(height, 60);
}

/* A share that can be drawn: what is none, or no number, is nothing. */
static double usable(double share)
{
    return rl_axis_usable(false, share) && share > 0 ? share : 0;
}

/* ---- lanes from the top ---- */

static void lay(struct rl_chart_work *work, struct state *state)
{
    const struct rl_chart_lanes *lanes = &work->chart->lanes;
    const double natural = rl_lanes_natural_height(work->chart) - rl_rows_axis_room(lanes->x_title) - TOP_ROOM;
    const double stretch = lanes->lane_count ? (work->y.to - work->y.from) / fmax(natural, 1) : 1;
    double y = work->y.to;
    state->rows = rl_rows_new(work, lanes->lane_count, LABEL_SHARE, NOTE_SHARE);
    state->ground = rl_work_alloc(work, (lanes->lane_count + 1) * sizeof *state->ground);
    for (size_t i = 0; i < lanes->lane_count; i++) {
        const struct rl_chart_share_lane *lane = &lanes->lanes[i];
        struct rl_row *row = &state->rows.at[i];
        rl_rows_fit(work, &state->rows, i, lane->above ? NULL : lane->label, lane->note, false);
        y -= room_of(lane) * stretch;
        state->ground[i] = y + LANE_GAP * stretch / 2;
        row->height = lane->height * stretch;
        row->y = state->ground[i] + row->height / 2;
    }
    work->x.from = state->rows.names + NAME_GAP;
    work->x.to = work->chart->width - state->rows.notes - NOTE_GAP - EDGE;
}

/* ---- areas ---- */

/* One layer of a lane while its outlines are written. */
struct area {
    struct rl_block *block;
    const struct rl_chart_lanes *lanes;
    const struct rl_chart_share_lane *lane;
    size_t layer;
    double ground, per_share, factor; /* points; points of a share of 1; of seconds on the axis */
};

/* The lower edge of the layer in a step, and its upper one; what would leave the lane is cut off. */
static double edge(const struct area *area, size_t step, bool upper)
{
    double share = RL_SUM(double, i, area->layer + upper, usable(area->lane->layers[i].shares[step]));
    return area->ground + fmin(share, area->lane->full) * area->per_share;
}

static void put(const struct area *area, size_t step, double y)
{
    rl_block_row(area->block, (const double[]){(double)step * area->lanes->step_s * area->factor, y}, 2);
}

static void write_layer(const struct area *area)
{
    const size_t count = area->lanes->step_count;
    for (size_t from = 0; from < count;) {
        size_t to = from;
        while (to < count && edge(area, to, true) - edge(area, to, false) >= LEAST_AREA)
            to++;
        if (to > from) {
            /* Along the upper edge and back along the lower one, from step `from` to before `to`. */
            for (size_t step = from; step < to; step++) {
                put(area, step, edge(area, step, true));
                put(area, step + 1, edge(area, step, true));
            }
            for (size_t step = to; step-- > from;) {
                put(area, step + 1, edge(area, step, false));
                put(area, step, edge(area, step, false));
            }
            rl_block_gap(area->block, 1);
        }
        from = to > from ? to : from + 1;
    }
}

static struct area area_of(const struct rl_chart_lanes *lanes, const struct state *state, size_t lane, size_t layer)
{
    return (struct area){.lanes = lanes,
                         .lane = &lanes->lanes[lane],
                         .layer = layer,
                         .ground = state->ground[lane],
                         .per_share = state->rows.at[lane].height / lanes->lanes[lane].full,
                         .factor = state->scale.factor};
}

static void write_tone(struct rl_chart_work *work, const struct state *state, struct rl_block *block, enum rl_tone tone)
{
    const struct rl_chart_lanes *lanes = &work->chart->lanes;
    for (size_t i = 0; i < lanes->lane_count; i++)
        for (size_t k = 0; k < lanes->lanes[i].layer_count; k++) {
            struct area area = area_of(lanes, state, i, k);
            area.block = block;
            if (lanes->lanes[i].layers[k].tone == tone)
                write_layer(&area);
        }
}

/* Where the line y = x - `shift` is inside the layer, a line for steps that follow one another. */
static void hatch_along(struct rl_chart_work *work, const struct area *area, double shift)
{
    const struct rl_colour colour = rl_tones[area->lane->layers[area->layer].tone].mark;
    double from = 0, to = -1; /* of the piece that is being put together: none */
    for (size_t step = 0; step <= area->lanes->step_count; step++) {
        double begin = 1, end = 0;
        if (step < area->lanes->step_count) {
            const double left = rl_axis_at(&work->x, (double)step * area->lanes->step_s * area->factor),
                         right = rl_axis_at(&work->x, (double)(step + 1) * area->lanes->step_s * area->factor);
            begin = fmax(left, edge(area, step, false) + shift);
            end = fmin(right, edge(area, step, true) + shift);
        }
        if (begin < end && to >= from && begin - to < 1e-6) {
            to = end;
            continue;
        }
        if (from < to)
            rl_work_line(work, (struct rl_segment){from, from - shift, to, to - shift}, 0.5, colour);
        from = begin;
        to = end;
    }
}

static void hatch_layers(struct rl_chart_work *work, const struct state *state)
{
    const struct rl_chart_lanes *lanes = &work->chart->lanes;
    for (size_t i = 0; i < lanes->lane_count; i++)
        for (size_t k = 0; k < lanes->lanes[i].layer_count; k++) {
            const struct rl_tone_info *tone = &rl_tones[lanes->lanes[i].layers[k].tone];
            const struct area area = area_of(lanes, state, i, k);
            if (!tone->hatched)
                continue;
            const double top = state->ground[i] + state->rows.at[i].height;
            for (double shift = work->x.from - top; shift < work->x.to - state->ground[i]; shift += RL_HATCH_STEP)
                hatch_along(work, &area, shift);
            if (lanes->lanes[i].layer_count == 1) {
                /* The upper edge and the sides of what is hatched: lines alone would not show narrow areas. */
                const struct rl_colour colour = rl_tones[area.lane->layers[area.layer].tone].mark;
                double before = area.ground;
                for (size_t step = 0; step <= area.lanes->step_count; step++) {
                    const bool any =
                        step < area.lanes->step_count && edge(&area, step, true) - edge(&area, step, false) >= LEAST_AREA;
                    const double x = rl_axis_at(&work->x, (double)step * area.lanes->step_s * area.factor),
                                 end = rl_axis_at(&work->x, (double)(step + 1) * area.lanes->step_s * area.factor),
                                 y = any ? edge(&area, step, true) : area.ground;
                    if (fabs(y - before) > 1e-6)
                        rl_work_line(work, (struct rl_segment){x, before, x, y}, 0.4, colour);
                    if (any)
                        rl_work_line(work, (struct rl_segment){x, y, end, y}, 0.4, colour);
                    before = y;
                }
            }
        }
}

/* A set for each tone that some layer shows. */
static void write_areas(struct rl_chart_work *work, const struct state *state)
{
    struct rl_block block;
    size_t sets = 0;
    enum rl_tone shown[RL_TONE_COUNT];
    rl_block_begin(&block, work->program, "areas");
    for (int tone = 0; tone < RL_TONE_COUNT; tone++) {
        const size_t before = block.rows;
        write_tone(work, state, &block, (enum rl_tone)tone);
        if (block.rows == before)
            continue;
        shown[sets++] = (enum rl_tone)tone;
        rl_block_gap(&block, 2);
    }
    rl_block_end(&block);
    rl_program_number(work->program, "area_sets", (double)sets);
    for (size_t i = 0; i < sets; i++) {
        char name[40];
        snprintf(name, sizeof name, "area_colour_%zu", i);
        rl_program_number(work->program, name, rl_program_colour(rl_tone_area(shown[i])));
    }
}

void rl_lanes_write(struct rl_chart_work *work)
{
    assert(work->chart->kind == RL_CHART_LANES);
    const struct rl_chart_lanes *lanes = &work->chart->lanes;
    struct state *state = work->state = rl_work_alloc(work, sizeof *state);
    const double end = fmax((double)lanes->step_count * lanes->step_s, 1e-9);
    struct rl_block block;
    work->y =
        (struct rl_axis){.ticks = RL_TICKS_NONE, .from = rl_rows_axis_room(lanes->x_title), .to = work->chart->height - TOP_ROOM};
    lay(work, state);
    state->scale = rl_unit_scale(RL_UNIT_SECOND, end);
    work->x.ticks = RL_TICKS_LINEAR;
    work->x.max = end * state->scale.factor;
    rl_axis_choose_step(&work->x, 34);
    rl_work_write_axes(work);
    write_areas(work, state);
    rl_block_begin(&block, work->program, "lanes");
    for (size_t i = 0; i < lanes->lane_count; i++)
        rl_block_line(&block, work->x.min, state->ground[i], work->x.max, state->ground[i]);
    rl_block_end(&block);
}

/* ---- texts ---- */

/* "kernels 269 ms (3.41 %)". */
static const char *key_text(struct rl_chart_work *work, const struct rl_chart_layer *layer)
{
    return rl_arena_printf(&work->result->drawing.texts, "%s%s%s", layer->name, layer->total ? " " : "",
                           layer->total ? layer->total : "");
}

static bool has_something(const struct rl_chart_lanes *lanes, const struct rl_chart_layer *layer)
{
    return RL_ANY(i, lanes->step_count, usable(layer->shares[i]) > 0);
}

/* The text next to the lane, and in its key. */
static void tip_lane(struct rl_chart_work *work, const struct state *state, size_t index)
{
    const struct rl_chart_share_lane *lane = &work->chart->lanes.lanes[index];
    const struct rl_box box = {(work->x.from + work->x.to) / 2, state->rows.at[index].y, work->x.to - work->x.from,
                               state->rows.at[index].height, 0};
    struct rl_buf text = RL_BUF_IN(&work->result->drawing.texts);
    rl_buf_adds(&text, lane->note ? lane->note : "");
    for (size_t i = 0; i < lane->layer_count && lane->key; i++)
        if (lane->layers[i].name && has_something(&work->chart->lanes, &lane->layers[i]))
            rl_buf_addf(&text, ", %s", key_text(work, &lane->layers[i]));
    rl_work_tip(work, &box, lane->label, text.data ? text.data : "");
}

static double mean_of(const double *shares, size_t from, size_t to)
{
    double sum = 0;
    for (size_t i = from; i < to; i++)
        sum += usable(shares[i]);
    return sum / (double)(to - from);
}

static void tip_stretches(struct rl_chart_work *work, const struct state *state, size_t index)
{
    const size_t steps = work->chart->lanes.step_count, most = steps < TIPS ? steps : TIPS;
    for (size_t i = 0; i < most; i++) {
        /* A stretch of a lane says from when to when it is, and how much of that. */
        const size_t from = i * steps / most;
        const size_t to = (i + 1) * steps / most;
        const struct rl_chart_lanes *lanes = &work->chart->lanes;
        const struct rl_chart_share_lane *lane = &lanes->lanes[index];
        const double x0 = rl_axis_at(&work->x, (double)from * lanes->step_s * state->scale.factor),
                     x1 = rl_axis_at(&work->x, (double)to * lanes->step_s * state->scale.factor);
        const struct rl_box box = {(x0 + x1) / 2, state->rows.at[index].y, x1 - x0, state->rows.at[index].height, 0};
        struct rl_buf text = RL_BUF_IN(&work->result->drawing.texts);
        rl_buf_addf(&text, "%s to ", rl_work_value(work, RL_UNIT_SECOND, (double)from * lanes->step_s));
        rl_buf_addf(&text, "%s", rl_work_value(work, RL_UNIT_SECOND, (double)to * lanes->step_s));
        for (size_t k = 0; k < lane->layer_count; k++) {
            const double share = mean_of(lane->layers[k].shares, from, to);
            if (share > 0)
                rl_buf_addf(&text, ", %s%s%s", lane->layers[k].name ? lane->layers[k].name : "", lane->layers[k].name ? " " : "",
                            rl_work_value(work, RL_UNIT_FRACTION, share));
        }
        rl_work_tip(work, &box, lane->label, text.data);
    }
}

static struct rl_fitted key_name(struct rl_chart_work *work, const struct rl_chart_layer *layer)
{
    return rl_work_fit(work, key_text(work, layer), RL_LABEL_SIZE, false, work->chart->width / 3);
}

static bool has_key(const struct rl_chart_work *work, const struct rl_chart_layer *layer)
{
    return layer->name && has_something(&work->chart->lanes, layer);
}

/* From the left, as many as there is room for. */
static void label_key(struct rl_chart_work *work, const struct rl_chart_share_lane *lane, double y)
{
    /* Where the lane begins, or as much further left as the room for all of it asks for. */
    double width = -KEY_APART;
    for (size_t i = 0; i < lane->layer_count; i++)
        if (has_key(work, &lane->layers[i]))
            width += KEY_SIZE + KEY_GAP + key_name(work, &lane->layers[i]).width + KEY_APART;
    double x = fmax(0, fmin(work->x.from, work->chart->width - EDGE - width));
    for (size_t i = 0; i < lane->layer_count; i++) {
        const struct rl_chart_layer *layer = &lane->layers[i];
        if (!has_key(work, layer))
            continue;
        const struct rl_fitted name = key_name(work, layer);
        if (x + KEY_SIZE + KEY_GAP + name.width > work->chart->width)
            break;
        rl_work_swatch(work, x, y, KEY_SIZE, layer->tone);
        rl_work_text(work, x + KEY_SIZE + KEY_GAP, rl_work_centred(work, y), RL_DRAW_LEFT, RL_LABEL_SIZE, rl_ink, name);
        x += KEY_SIZE + KEY_GAP + name.width + KEY_APART;
    }
}

void rl_lanes_label(struct rl_chart_work *work)
{
    assert(work->chart->kind == RL_CHART_LANES);
    const struct rl_chart_lanes *lanes = &work->chart->lanes;
    const struct state *state = work->state;
    if (lanes->x_title)
        rl_work_x_title(work, rl_work_with_unit(work, lanes->x_title, state->scale.symbol));
    else {
        /* The unit of an axis without a title: under the column of notes, next to the ticks. */
        const double base = work->y.from - RL_TICK_ROOM + work->metrics->descent * RL_TICK_SIZE + 1.5;
        rl_work_text(work, work->chart->width - EDGE, base, RL_DRAW_RIGHT, RL_TICK_SIZE, rl_ink_soft,
                     rl_work_fit(work, state->scale.symbol, RL_TICK_SIZE, false, work->chart->width - work->x.to));
    }
    for (size_t i = 0; i < lanes->lane_count; i++) {
        const struct rl_row *row = &state->rows.at[i];
        rl_rows_label(work, &state->rows, i, NAME_GAP, work->chart->width - EDGE);
        double above = row->y + row->height / 2;
        if (lanes->lanes[i].above) {
            rl_work_text(work, EDGE, above + 3, RL_DRAW_LEFT, RL_LABEL_SIZE, rl_ink,
                         rl_work_fit(work, lanes->lanes[i].label, RL_LABEL_SIZE, false, INFINITY));
            above += HEAD_HEIGHT;
        }
        if (lanes->lanes[i].key)
            label_key(work, &lanes->lanes[i], above + HEAD_HEIGHT / 2);
        else if (lanes->lanes[i].head)
            rl_work_text(work, work->x.from, above + 3, RL_DRAW_LEFT, RL_LABEL_SIZE, rl_ink_soft,
                         rl_work_fit(work, lanes->lanes[i].head, RL_LABEL_SIZE, false, work->x.to - work->x.from));
    }
    hatch_layers(work, state);
    for (size_t i = 0; i < lanes->lane_count; i++) /* first, so that they are the alternative text */
        tip_lane(work, state, i);
    for (size_t i = 0; i < lanes->lane_count; i++)
        tip_stretches(work, state, i);
}
