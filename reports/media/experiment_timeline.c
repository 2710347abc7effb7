/* experiment_timeline.c - what the card did during one run of each variant that copies (see experiment.h). */
#include <assert.h>
#include <math.h>

#include "core/mem.h"
#include "core/sort.h"
#include "experiment.h"

enum { MOST_STREAMS = 8 }; /* more than that share one row of a lane */

/* A lane of the chart, from the top, and the kind of activity in it. */
static const struct {
    enum rl_event_kind kind;
    const char *label;
    enum rl_tone tone;
} lane_rows[] = {
    {RL_EVENT_COPY_TO_DEVICE, "copy to device", RL_TONE_MEMORY},
    {RL_EVENT_KERNEL, "kernels", RL_TONE_COMPUTE},
    {RL_EVENT_COPY_TO_HOST, "copy to host", RL_TONE_MEMORY},
    {RL_EVENT_COPY_ON_DEVICE, "copy on device", RL_TONE_MEMORY},
    {RL_EVENT_SET, "set memory", RL_TONE_NEUTRAL},
};
enum { LANES = RL_COUNT(lane_rows) };

static bool does(const struct rl_variant *variant, enum rl_event_kind kind)
{
    for (size_t i = 0; i < variant->event_count; i++)
        if (variant->events[i].kind == kind)
            return true;
    return false;
}

/* Timelines are of interest where there is something to overlap: copies between host and device. */
static const struct rl_variant *copying(const struct rl_report *report, const struct rl_view *view, size_t i)
{
    assert(i < view->count);
    const struct rl_variant *variant = rl_view_variant(report, view, i);
    bool copies = does(variant, RL_EVENT_COPY_TO_DEVICE) || does(variant, RL_EVENT_COPY_TO_HOST);
    return copies && view->entries[i].shows ? variant : NULL;
}

/* ---- one chart ---- */

static int by_number(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return rl_ascending(*x, *y);
}

/* The streams of a run, ascending, each once: `streams` has room for MOST_STREAMS. Returns 1 when there are more. */
static size_t streams_of(const struct rl_variant *variant, uint32_t streams[MOST_STREAMS])
{
    size_t count = 0;
    for (size_t i = 0; i < variant->event_count; i++) {
        size_t k = 0;
        while (k < count && streams[k] != variant->events[i].stream)
            k++;
        if (k == MOST_STREAMS)
            return 1;
        if (k == count)
            streams[count++] = variant->events[i].stream;
    }
    rl_sort(streams, count, sizeof *streams, by_number);
    return count;
}

static struct rl_chart_span span_of(const struct rl_event *event, const size_t lane_of[LANES], const uint32_t *streams,
                                    size_t count)
{
    struct rl_chart_span span = {(double)event->start_ns / 1e9, (double)event->end_ns / 1e9, lane_of[event->kind], 0};
    for (size_t k = 0; k < count && count > 1; k++)
        if (streams[k] == event->stream)
            span.row = k;
    return span;
}

/* The lanes that a variant of the experiment uses: all its charts have the same ones. `lane_of` gets the lane of each kind. */
static size_t choose_lanes(const struct rl_report *report, const struct rl_view *view, size_t rows,
                           struct rl_chart_lane lanes[LANES], size_t lane_of[LANES])
{
    size_t count = 0;
    for (size_t row = 0; row < LANES; row++) {
        bool used = false;
        for (size_t i = 0; i < view->count; i++)
            used |= copying(report, view, i) && does(rl_view_variant(report, view, i), lane_rows[row].kind);
        lane_of[lane_rows[row].kind] = count;
        if (used)
            lanes[count++] = (struct rl_chart_lane){lane_rows[row].label, lane_rows[row].tone, rows};
    }
    return count;
}

static double end_of(const struct rl_variant *variant)
{
    double end = 0;
    for (size_t i = 0; i < variant->event_count; i++)
        end = fmax(end, (double)variant->events[i].end_ns / 1e9);
    return end;
}

static void plan_variant(struct rl_report *report, struct rl_section *section, const struct rl_view *view, size_t i, double until)
{
    const struct rl_variant *variant = rl_view_variant(report, view, i);
    uint32_t streams[MOST_STREAMS];
    size_t lane_of[LANES], stream_count = streams_of(variant, streams);
    struct rl_chart_lane *lanes = rl_arena_alloc(report->doc->arena, LANES * sizeof *lanes);
    struct rl_chart_span *spans = rl_arena_alloc(report->doc->arena, (variant->event_count + 1) * sizeof *spans);
    size_t lane_count = choose_lanes(report, view, stream_count, lanes, lane_of);
    for (size_t k = 0; k < variant->event_count; k++)
        spans[k] = span_of(&variant->events[k], lane_of, streams, stream_count);
    struct rl_value share = rl_view_overlap(report, view, i);
    const char *length = rl_words_value(report->doc, RL_UNIT_SECOND, rl_value_of(end_of(variant)), 3);
    const char *overlap =
        rl_present(share) ? rl_words(report->doc, ", %s overlapped", rl_words_value(report->doc, RL_UNIT_FRACTION, share, 3)) : "";
    struct rl_chart *chart = rl_document_chart(report->doc, section, RL_CHART_TIMELINE);
    chart->timeline = (struct rl_chart_timeline){.title = variant->name,
                                                 .note = rl_words(report->doc, "%s%s", length, overlap),
                                                 .lanes = lanes,
                                                 .lane_count = lane_count,
                                                 .spans = spans,
                                                 .span_count = variant->event_count,
                                                 .until = until};
}

void rl_view_plan_timelines(struct rl_report *report, struct rl_section *section, const struct rl_view *view)
{
    size_t before = section->chart_count;
    double until = 0;
    for (size_t i = 0; i < view->count; i++)
        if (copying(report, view, i))
            until = fmax(until, end_of(rl_view_variant(report, view, i)));
    for (size_t i = 0; i < view->count; i++)
        if (copying(report, view, i))
            plan_variant(report, section, view, i, until);
    if (section->chart_count > before)
        report->doc->charts[report->doc->chart_count - 1].timeline.x_title = "Time since the first activity of the run";
}

/* ---- below each other ---- */

static bool is_timeline(const struct rl_report *report, const struct rl_section *section, size_t index)
{
    return report->doc->charts[section->first_chart + index].kind == RL_CHART_TIMELINE;
}

/* The variant with the greatest overlap, in words. */
static const char *caption(struct rl_report *report, const struct rl_view *view)
{
    size_t best = RL_NONE;
    for (size_t i = 0; i < view->count; i++) {
        struct rl_value share = rl_view_overlap(report, view, i);
        if (copying(report, view, i) && rl_present(share) && (best == RL_NONE || share.v > rl_view_overlap(report, view, best).v))
            best = i;
    }
    if (best == RL_NONE)
        return "There are copies, but no kernels that they could overlap with.";
    struct rl_value share = rl_view_overlap(report, view, best);
    if (share.v <= 0)
        return "In no variant did copying and computing overlap.";
    return rl_words(report->doc,
                    "`%s` overlaps most: for %s of the shorter of copying and computing, both ran, or copies ran in both "
                    "directions.",
                    rl_words_short(report->doc, rl_view_variant(report, view, best)->name, 40),
                    rl_words_value(report->doc, RL_UNIT_FRACTION, share, 3));
}

void rl_view_draw_timelines(struct rl_report *report, const struct rl_section *section, const struct rl_view *view)
{
    static const char method[] =
        "One run of each variant on the GPU's timeline, all to one scale, with a row per stream. Shaded: two of the lanes were "
        "busy at once.";
    double height = 0;
    for (size_t i = 0; i < section->chart_count; i++)
        if (is_timeline(report, section, i))
            height += rl_document_result(report->doc, section, i)->drawing.height;
    if (height <= 0)
        return;
    const char *text = caption(report, view);
    rl_layout_need(report->doc->layout, fmin(height + 30, 500) + rl_layout_caption_height(report->doc->layout, text, method));
    rl_layout_subsection(report->doc->layout, "One run on the timeline");
    for (size_t i = 0, last = section->chart_count - 1; i <= last; i++) {
        if (!is_timeline(report, section, i))
            continue;
        const struct rl_drawing *drawing = &rl_document_result(report->doc, section, i)->drawing;
        bool ends = i == last || !is_timeline(report, section, i + 1);
        if (ends)
            rl_layout_figure(report->doc->layout, drawing, text, method);
        else
            rl_layout_drawing(report->doc->layout, drawing, report->doc->charts[section->first_chart + i].timeline.title);
    }
}
