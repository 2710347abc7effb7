/* experiment_timeline.c - what the card did during one run of each variant that copies (see experiment.h). */
#include <assert.h>
#include <math.h>

#include "core/mem.h"
#include "experiment.h"

enum { STEPS = 240 };
#define LANE_HEIGHT 13.0
#define FULL_LANES  24 /* of that height; more are lower, so that the chart and its caption fit a page */

/* A lane of the chart, from the top, and the kind of activity in it. */
static const struct {
    enum rl_event_kind kind;
    const char *label;
    enum rl_tone tone;
} lane_rows[] = {
    {RL_EVENT_COPY_TO_DEVICE, "copy to device", RL_TONE_LINK},
    {RL_EVENT_KERNEL, "kernels", RL_TONE_INK},
    {RL_EVENT_COPY_TO_HOST, "copy to host", RL_TONE_LINK},
    {RL_EVENT_COPY_ON_DEVICE, "copy on device", RL_TONE_DRAM},
    {RL_EVENT_SET, "set memory", RL_TONE_GREY},
};

/* The end of the variant's last activity, s. 0 where nothing can overlap: it does not copy between host and device. */
static double end_of(const struct rl_report *report, const struct rl_view *view, size_t i)
{
    const struct rl_variant *variant = rl_view_variant(report, view, i);
    bool copies = false;
    double end = 0;
    for (size_t k = 0; k < variant->event_count; k++) {
        const struct rl_event *event = &variant->events[k];
        copies |= event->kind == RL_EVENT_COPY_TO_DEVICE || event->kind == RL_EVENT_COPY_TO_HOST;
        end = fmax(end, (double)event->end_ns * 1e-9);
    }
    return copies && view->entries[i].shows ? end : 0;
}

/* How much of each step activities of a kind take, whichever stream they are in; NULL: there is none. */
static const double *shares_of(struct rl_report *report, const struct rl_variant *variant, enum rl_event_kind kind, double step_s)
{
    double *shares = NULL;
    assert(step_s > 0);
    for (size_t k = 0; k < variant->event_count; k++) {
        const struct rl_event *event = &variant->events[k];
        const double from = (double)event->start_ns * 1e-9 / step_s, to = (double)event->end_ns * 1e-9 / step_s;
        if (event->kind != kind)
            continue;
        shares = shares ? shares : rl_arena_alloc(report->doc->arena, STEPS * sizeof *shares);
        for (size_t step = (size_t)fmax(from, 0); step < STEPS && (double)step < to; step++)
            shares[step] += fmin(to, (double)step + 1) - fmax(from, (double)step);
    }
    return shares;
}

void rl_view_plan_timelines(struct rl_report *report, struct rl_section *section, const struct rl_view *view)
{
    struct rl_chart_share_lane *lanes = rl_arena_alloc(report->doc->arena, view->count * RL_COUNT(lane_rows) * sizeof *lanes);
    size_t count = 0;
    double until = 0;
    for (size_t i = 0; i < view->count; i++)
        until = fmax(until, end_of(report, view, i));
    for (size_t i = 0; i < view->count; i++) {
        const double end = end_of(report, view, i);
        const struct rl_value overlap = rl_view_overlap(report, view, i);
        const char *share = rl_present(overlap) ? rl_words(report->doc, ", %s overlapped",
                                                           rl_words_value(report->doc, RL_UNIT_FRACTION, overlap, 3))
                                                : "";
        const char *head = rl_words(report->doc, "%s: %s%s", rl_view_variant(report, view, i)->name,
                                    rl_words_value(report->doc, RL_UNIT_SECOND, rl_value_of(end), 3), share);
        for (size_t row = 0; row < RL_COUNT(lane_rows) && end > 0; row++) {
            struct rl_chart_layer *layer = rl_arena_alloc(report->doc->arena, sizeof *layer);
            layer->tone = lane_rows[row].tone;
            layer->shares = shares_of(report, rl_view_variant(report, view, i), lane_rows[row].kind, until / STEPS);
            if (!layer->shares)
                continue;
            lanes[count++] = (struct rl_chart_share_lane){
                .head = head, .label = lane_rows[row].label, .height = LANE_HEIGHT, .full = 1, .layers = layer, .layer_count = 1};
            head = NULL;
        }
    }
    for (size_t i = 0; i < count && count > FULL_LANES; i++)
        lanes[i].height = LANE_HEIGHT * FULL_LANES / (double)count;
    if (count)
        rl_document_chart(report->doc, section, RL_CHART_LANES)->lanes =
            (struct rl_chart_lanes){.x_title = "Time since the first activity of the run",
                                    .lanes = lanes,
                                    .lane_count = count,
                                    .step_count = STEPS,
                                    .step_s = until / STEPS};
}

/* The variant with the greatest overlap, in words. */
static const char *caption(struct rl_report *report, const struct rl_view *view)
{
    size_t best = RL_NONE;
    for (size_t i = 0; i < view->count; i++) {
        struct rl_value share = rl_view_overlap(report, view, i);
        if (end_of(report, view, i) > 0 && rl_present(share) &&
            (best == RL_NONE || share.v > rl_view_overlap(report, view, best).v))
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
        "One run of each variant on the GPU's timeline, all to one scale. The height is how much of a step of time it was.";
    const size_t last = section->chart_count - 1;
    if (!section->chart_count || report->doc->charts[section->first_chart + last].kind != RL_CHART_LANES)
        return;
    const struct rl_drawing *drawing = &rl_document_result(report->doc, section, last)->drawing;
    const char *text = caption(report, view);
    rl_layout_need(report->doc->layout, drawing->height + 30 + rl_layout_caption_height(report->doc->layout, text, method));
    rl_layout_subsection(report->doc->layout, "One run on the timeline");
    rl_layout_figure(report->doc->layout, drawing, text, method);
}
