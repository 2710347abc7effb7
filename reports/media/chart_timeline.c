#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chart_rows.h"
#include "core/mem.h"
#include "core/sort.h"

#define ROW_HEIGHT   5.0
#define LANE_LEAST   10.0 /* so that its name has room */
#define LANE_GAP     3.0  /* above and below the rows of a lane */
#define BAR_SHARE    0.86 /* of a row */
#define TITLE_HEIGHT 13.0
#define NAME_GAP     5.0
#define LABEL_SHARE  0.25 /* of the width, at most, for the names */
#define SIDE_ROOM    9.0
#define LEAST_BAR    0.35 /* points: a shorter bar would not be seen */
#define LEAST_GAP    0.12 /* bars nearer than that are drawn as one */

struct state {
    struct rl_scale scale;
    struct rl_rows rows; /* lanes */
};

static double lane_height(const struct rl_chart_lane *lane)
{
    assert(lane->rows >= 1);
    return fmax(ROW_HEIGHT * (double)lane->rows, LANE_LEAST) + 2 * LANE_GAP;
}

static double title_room(const struct rl_chart_timeline *line)
{
    return line->title != NULL || line->note != NULL ? TITLE_HEIGHT : 2;
}

double rl_timeline_natural_height(const struct rl_chart *chart)
{
    assert(chart->kind == RL_CHART_TIMELINE);
    double height = rl_rows_axis_room(chart->timeline.x_title) + title_room(&chart->timeline);
    for (size_t i = 0; i < chart->timeline.lane_count; i++)
        height += lane_height(&chart->timeline.lanes[i]);
    return fmax(height, 60);
}

/* ---- spans in order ---- */

static bool span_usable(const struct rl_chart_timeline *line, const struct rl_chart_span *span)
{
    return rl_axis_usable(false, span->start) && rl_axis_usable(false, span->end) && span->end > span->start &&
           span->lane < line->lane_count && span->row < line->lanes[span->lane].rows;
}

static int by_row(const void *a, const void *b)
{
    const struct rl_chart_span *x = a, *y = b;
    return rl_ascending(x->lane, y->lane) ?: rl_ascending(x->row, y->row) ?: rl_ascending(x->start, y->start);
}

/* The usable spans, row by row in the order of time, those that lie `gap` or nearer joined: the caller frees them. */
static struct rl_chart_span *joined(const struct rl_chart_timeline *line, double gap, size_t *count)
{
    struct rl_chart_span *spans = rl_calloc(line->span_count + 1, sizeof *spans);
    size_t usable = 0, kept = 0;
    for (size_t i = 0; i < line->span_count; i++)
        if (span_usable(line, &line->spans[i]))
            spans[usable++] = line->spans[i];
    rl_sort(spans, usable, sizeof *spans, by_row);
    for (size_t i = 0; i < usable; i++) {
        struct rl_chart_span *last = kept > 0 ? &spans[kept - 1] : NULL;
        if (last && last->lane == spans[i].lane && last->row == spans[i].row && spans[i].start <= last->end + gap)
            last->end = fmax(last->end, spans[i].end);
        else
            spans[kept++] = spans[i];
    }
    *count = kept;
    return spans;
}

/* ---- where two lanes are busy ---- */

/* A moment at which a lane has something more, or less, to do. */
struct edge {
    double at;
    int step;
    size_t lane;
};

static int by_time(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;
    return rl_ascending(x->at, y->at) ?: rl_descending(x->step, y->step); /* what goes on without a break is not broken */
}

static void write_shade(struct rl_block *block, const struct rl_chart_work *work, double factor, double from, double to)
{
    double middle = (from + to) / 2 * factor;
    rl_block_row(
        block, (const double[]){middle, (work->y.min + work->y.max) / 2, from * factor, to * factor, work->y.min, work->y.max}, 6);
}

/* Goes through the edges and writes a ground from each moment at which a second lane begins to one at which only one is left. */
static void sweep(struct rl_block *block, const struct rl_chart_work *work, double factor, const struct edge *edges, size_t count)
{
    assert(work->chart->kind == RL_CHART_TIMELINE);
    size_t *active = rl_calloc(work->chart->timeline.lane_count + 1, sizeof *active), busy = 0;
    double since = 0;
    for (size_t i = 0; i < count; i++) {
        size_t before = busy, *lane = &active[edges[i].lane];
        busy -= *lane > 0;
        *lane += (size_t)edges[i].step; /* -1 wraps round and back */
        busy += *lane > 0;
        if (before < 2 && busy >= 2)
            since = edges[i].at;
        else if (before >= 2 && busy < 2 && edges[i].at > since)
            write_shade(block, work, factor, since, edges[i].at);
    }
    free(active);
}

static void write_shades(struct rl_chart_work *work, const struct rl_chart_span *spans, size_t count, double factor)
{
    struct edge *edges = rl_calloc(2 * count + 1, sizeof *edges);
    struct rl_block block;
    for (size_t i = 0; i < count; i++) {
        edges[2 * i] = (struct edge){spans[i].start, 1, spans[i].lane};
        edges[2 * i + 1] = (struct edge){spans[i].end, -1, spans[i].lane};
    }
    rl_sort(edges, 2 * count, sizeof *edges, by_time);
    rl_block_begin(&block, work->program, "shades");
    sweep(&block, work, factor, edges, 2 * count);
    rl_block_end(&block);
    free(edges);
}

/* ---- data ---- */

static double end_of(const struct rl_chart_timeline *line)
{
    double end = rl_axis_usable(false, line->until) && line->until > 0 ? line->until : 0;
    for (size_t i = 0; i < line->span_count && line->until <= 0; i++)
        if (span_usable(line, &line->spans[i]))
            end = fmax(end, line->spans[i].end);
    return end > 0 ? end : 1;
}

static void lay_lanes(struct rl_chart_work *work, const struct rl_chart_timeline *line, struct state *state)
{
    double total = 0, y = work->y.to;
    state->rows = rl_rows_new(work, line->lane_count, LABEL_SHARE, 0);
    for (size_t i = 0; i < line->lane_count; i++)
        total += lane_height(&line->lanes[i]);
    for (size_t i = 0; i < line->lane_count; i++) {
        struct rl_row *row = &state->rows.at[i];
        rl_rows_fit(work, &state->rows, i, line->lanes[i].label, NULL, false);
        row->height = lane_height(&line->lanes[i]) / total * (work->y.to - work->y.from);
        row->y = y - row->height / 2;
        y -= row->height;
    }
    work->x.from = state->rows.names + NAME_GAP;
}

static void write_bar(struct rl_block *block, const struct rl_chart_work *work, const struct state *state,
                      const struct rl_chart_span *span)
{
    assert(work->chart->kind == RL_CHART_TIMELINE);
    const struct rl_chart_lane *lane = &work->chart->timeline.lanes[span->lane];
    const struct rl_row *row = &state->rows.at[span->lane];
    double top = row->y + row->height / 2 - LANE_GAP, bottom = row->y - row->height / 2 + LANE_GAP;
    double height = (top - bottom) / (double)lane->rows, y = top - height * ((double)span->row + 0.5),
           half = height * BAR_SHARE / 2;
    double least = LEAST_BAR / (work->x.to - work->x.from) * (work->x.max - work->x.min);
    double left = span->start * state->scale.factor, right = fmax(span->end * state->scale.factor, left + least);
    rl_block_row(block,
                 (const double[]){left, y, fmax(left, work->x.min), fmin(right, work->x.max), y - half, y + half,
                                  rl_program_colour(rl_tones[lane->tone].mark)},
                 7);
}

static double lane_top(const struct state *state, size_t lane)
{
    return state->rows.at[lane].y + state->rows.at[lane].height / 2;
}

static void write_lanes(struct rl_chart_work *work, const struct rl_chart_timeline *line, const struct state *state)
{
    struct rl_block block;
    rl_block_begin(&block, work->program, "lanes");
    for (size_t i = 1; i < line->lane_count; i++)
        rl_block_line(&block, work->x.min, lane_top(state, i), work->x.max, lane_top(state, i));
    rl_block_end(&block);
}

void rl_timeline_write(struct rl_chart_work *work)
{
    assert(work->chart->kind == RL_CHART_TIMELINE);
    const struct rl_chart_timeline *line = &work->chart->timeline;
    struct state *state = work->state = rl_work_alloc(work, sizeof *state);
    struct rl_block bars;
    size_t count;
    double end = end_of(line);
    work->y = (struct rl_axis){
        .ticks = RL_TICKS_NONE, .from = rl_rows_axis_room(line->x_title), .to = work->chart->height - title_room(line)};
    lay_lanes(work, line, state);
    state->scale = rl_unit_scale(RL_UNIT_SECOND, end);
    work->x.ticks = RL_TICKS_LINEAR;
    work->x.to = work->chart->width - SIDE_ROOM;
    work->x.max = end * state->scale.factor;
    rl_axis_choose_step(&work->x, 34);
    rl_work_write_axes(work);
    struct rl_chart_span *spans = joined(line, LEAST_GAP / (work->x.to - work->x.from) * end, &count);
    for (size_t i = 0; i < line->span_count; i++)
        work->result->skipped += !span_usable(line, &line->spans[i]);
    write_shades(work, spans, count, state->scale.factor);
    write_lanes(work, line, state);
    rl_block_begin(&bars, work->program, "bars");
    for (size_t i = 0; i < count; i++)
        if (spans[i].start < end)
            write_bar(&bars, work, state, &spans[i]);
    rl_block_end(&bars);
    free(spans);
}

/* ---- texts ---- */

/* A lane says when it is busy: for how long, between which ends. */
static void add_tip(struct rl_chart_work *work, const struct state *state, size_t lane)
{
    const struct rl_chart_timeline *line = &work->chart->timeline;
    const struct rl_box box = {(work->x.from + work->x.to) / 2, state->rows.at[lane].y, work->x.to - work->x.from,
                               state->rows.at[lane].height, 0};
    double first = INFINITY, last = 0, busy = 0;
    for (size_t i = 0; i < line->span_count; i++) {
        const struct rl_chart_span *span = &line->spans[i];
        if (span->lane != lane || !span_usable(line, span))
            continue;
        first = fmin(first, span->start);
        last = fmax(last, span->end);
        busy += span->end - span->start;
    }
    struct rl_buf text = RL_BUF_INIT;
    if (isfinite(first))
        rl_buf_addf(&text, "%s of work between %s and %s", rl_work_value(work, RL_UNIT_SECOND, busy),
                    rl_work_value(work, RL_UNIT_SECOND, first), rl_work_value(work, RL_UNIT_SECOND, last));
    rl_work_tip(work, &box, line->lanes[lane].label, text.data);
    rl_buf_release(&text);
}

void rl_timeline_label(struct rl_chart_work *work)
{
    assert(work->chart->kind == RL_CHART_TIMELINE);
    const struct rl_chart_timeline *line = &work->chart->timeline;
    const struct state *state = work->state;
    double base = work->y.to + 4, width = work->chart->width;
    rl_work_x_title(work, rl_work_with_unit(work, line->x_title, state->scale.symbol));
    for (size_t i = 0; i < line->lane_count; i++) {
        rl_rows_label(work, &state->rows, i, NAME_GAP, NAN);
        add_tip(work, state, i);
    }
    struct rl_fitted note = {0};
    if (line->note != NULL) {
        note = rl_work_fit(work, line->note, RL_LABEL_SIZE, false, 0.6 * width);
        rl_work_text(work, width - SIDE_ROOM, base, RL_DRAW_RIGHT, RL_LABEL_SIZE, rl_ink_soft, note);
    }
    if (line->title != NULL)
        rl_work_text(work, work->x.from, base, RL_DRAW_LEFT, RL_TITLE_SIZE, rl_ink,
                     rl_work_fit(work, line->title, RL_TITLE_SIZE, true, width - work->x.from - note.width - 2 * SIDE_ROOM))
            ->bold = true;
}
