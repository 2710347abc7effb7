/* page_timeline.c - what a GPU did over time, as one process used it: lanes, times without a kernel by what they cost, what ran
 * side by side, phases. */
#include <math.h>

#include "core/mem.h"
#include "results/timeline.h"
#include "time_lanes.h"
#include "view_table.h"

enum { MOST_GAPS = 12, MOST_PHASES = 12 };

static void title(struct rl_document *doc, const struct rl_section *section, struct rl_buf *out)
{
    const struct rl_report *report = doc->subject;
    const struct rl_timeline *timeline = rl_timeline_at(report, section->instance)->timeline;
    const struct rl_process *process = &report->capture->processes[timeline->process];
    rl_buf_adds(out, rl_page_titles[RL_PAGE_timeline]);
    if (report->capture->gpu_count > 1)
        rl_buf_addf(out, ", GPU %d", report->capture->gpus[timeline->gpu].index);
    if (process->rank)
        rl_buf_addf(out, ", rank %s", process->rank);
    else if (report->capture->process_count > 1)
        rl_buf_addf(out, ", process %llu", (unsigned long long)process->pid);
}

static void plan_page(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    rl_time_lanes_plan(report, section, rl_timeline_at(report, section->instance));
}

/* ---- sentences ---- */

static const char *seconds(struct rl_report *report, double value)
{
    return rl_words_seconds(report->doc, value);
}

static const char *share(struct rl_report *report, struct rl_value value)
{
    return rl_words_value(report->doc, RL_UNIT_FRACTION, value, 3);
}

/* Where most of the greatest cause was. */
static const char *where(struct rl_report *report, const struct rl_over_time *over, enum rl_lane cause)
{
    for (size_t i = 0; i < over->gap_count; i++) {
        const struct rl_gap *gap = &over->gaps[i];
        if (gap->cause != cause || gap->range == RL_NONE)
            continue;
        struct rl_buf path = RL_BUF_INIT;
        rl_range_path(report->capture, gap->range, &path);
        const char *text = rl_words(report->doc, " Of that, %s were before launches in the NVTX range %s.",
                                    seconds(report, gap->total_s), rl_words_short(report->doc, path.data, 80));
        rl_buf_release(&path);
        return text;
    }
    return "";
}

static const char *lead(struct rl_report *report, const struct rl_over_time *over)
{
    const struct rl_gap_cause *cause = rl_greatest_gap_cause(over);
    if (!rl_present(over->no_kernel))
        return "No kernel ran.";
    if (!cause)
        return rl_words(report->doc, "Kernels followed one another without a gap for %s.", seconds(report, over->whole_s));
    const struct rl_value most = rl_value_of(over->lane_s[cause->lane] / over->whole_s);
    return rl_words(report->doc, "No kernel ran for %s of the %s from the first kernel to the last: for %s %s.%s",
                    share(report, over->no_kernel), seconds(report, over->whole_s), share(report, most), cause->phrase,
                    where(report, over, cause->lane));
}

static const char *caption(struct rl_report *report, const struct rl_over_time *over)
{
    return rl_words(report->doc, "What the GPU did in each step of %s, and below what that consists of.",
                    seconds(report, rl_time_step_s(over)));
}

/* When samples were taken, or why there are none. */
static const char *samples(struct rl_report *report, const struct rl_over_time *over)
{
    const struct rl_moments *moments = &over->moments;
    if (!moments->count)
        return rl_words(report->doc, "DRAM, tensor cores and SMs have no lanes: %s.", view_unsampled(report->capture, over));
    if (!rl_time_has_moments(over))
        return rl_words(report->doc,
                        "Samples of the whole GPU cover %s of the time, too little for lanes: rooflight show --timeline has them.",
                        share(report, moments->covered));
    const char *without = rl_present(moments->to_s) ? rl_words(report->doc, "; the longest time without is from %s to %s",
                                                               seconds(report, moments->from_s.v), seconds(report, moments->to_s.v))
                                                    : "";
    return rl_words(report->doc,
                    "Samples of the whole GPU, whatever process ran, cover %s of the time, and their means are of that%s. A step "
                    "without a line has no sample.",
                    share(report, moments->covered), without);
}

/* What its lanes of NVTX ranges are, or why there are none. */
static const char *ranges(struct rl_report *report, const struct rl_over_time *over)
{
    return over->range_lane_count
               ? "Time without a kernel belongs to the innermost NVTX range from which the launch that ended it was made."
           : report->capture->range_count ? "NVTX ranges are known by their sums, not by moment: see the phases below."
                                          : "There are no NVTX ranges, which would tell phases apart.";
}

/* What is missing in the picture, and why. */
static const char *method(struct rl_report *report, const struct rl_over_time *over)
{
    return rl_words(
        report->doc,
        "Times of kernels, copies and sets by the Activity API, without counters. Kernels have the colour of what limits "
        "them. What took less than 0.1 %% of the time has no lane. %s %s%s",
        samples(report, over), ranges(report, over),
        over->is_shared ? " Other processes used the GPU meanwhile: what they did is not in here." : "");
}

/* ---- tables ---- */

static void draw_gaps(struct rl_report *report, const struct view *view)
{
    rl_layout_skip(report->doc->layout, 8);
    if (rl_view_table(report->doc->layout, view,
                      &(struct rl_view_table){.list = "gaps",
                                              .title = "Times without a kernel, by what they cost",
                                              .columns = report->capture->range_count
                                                             ? "cause_text,where,count,time_s,share,mean_s,longest_s,action"
                                                             : "cause_text,count,time_s,share,mean_s,longest_s,action",
                                              .most = MOST_GAPS}))
        rl_layout_text(
            report->doc->layout, RL_STYLE_NOTE,
            "Between two kernels, by the NVTX range from which the second one was launched. Time: at most that much can be "
            "saved; what comes in the place of a gap is not known.");
}

static void draw_phases(struct rl_report *report, const struct view *view)
{
    rl_layout_skip(report->doc->layout, 8);
    if (rl_view_table(report->doc->layout, view,
                      &(struct rl_view_table){.list = "phases", .title = "Phases by NVTX ranges", .most = MOST_PHASES}))
        rl_layout_text(report->doc->layout, RL_STYLE_NOTE,
                       "Kernels: those launched in the phase, added up. No kernel: before its launches. Share: of both together.");
}

static void draw_overlaps(struct rl_report *report, const struct view *view, const struct rl_over_time *over)
{
    const struct rl_overlap_time *copies = &over->overlap[RL_OVERLAP_COPIES];
    rl_layout_skip(report->doc->layout, 8);
    if (rl_view_table(
            report->doc->layout, view,
            &(struct rl_view_table){.list = "overlaps", .title = "Side by side", .columns = "label,whole_s,share_text,meaning"}) &&
        copies->high_s > copies->low_s)
        rl_layout_text(
            report->doc->layout, RL_STYLE_NOTE,
            "Where collectives ran beside copies it is not known whether other kernels did, too: the share lies between the "
            "two.");
}

static void draw_page(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    const struct rl_over_time *over = rl_timeline_at(report, section->instance);
    const struct view view = view_subject_view(report->subject, &view_record_over_time, over);
    rl_layout_text(doc->layout, RL_STYLE_LEAD, lead(report, over));
    rl_layout_skip(doc->layout, 6);
    if (section->chart_count)
        rl_layout_figure(doc->layout, &rl_document_result(doc, section, 0)->drawing, caption(report, over), method(report, over));
    draw_gaps(report, &view);
    draw_phases(report, &view);
    draw_overlaps(report, &view, over);
    if (section->instance + 1 == RL_MOST_TIMELINES && report->analysis->over_time_count > RL_MOST_TIMELINES)
        rl_layout_textf(doc->layout, RL_STYLE_NOTE, "Of %zu GPUs and processes the first %d are told of: show --timeline has all.",
                        report->analysis->over_time_count, RL_MOST_TIMELINES);
    rl_layout_notes(doc->layout);
}

static size_t how_many(const struct rl_document *doc)
{
    const struct rl_report *report = doc->subject;
    return rl_timelines_shown(report);
}

const struct rl_page rl_page_timeline = {.count = how_many, .title = title, .plan = plan_page, .draw = draw_page, .room = 520};
