/* page_timeline.c - what a GPU did over time, as one process used it: lanes, times without a kernel by what they cost, what ran
 * side by side, phases. */
#include "page.h"
#include "results/results.h"
#include "view_table.h"

static void title(struct rl_document *doc, const struct rl_section *section, struct rl_buf *out)
{
    const struct rl_report *report = doc->subject;
    const struct rl_timeline *timeline = rl_timeline_at(report, section->instance)->timeline;
    const struct rl_process *process = &report->capture->processes[timeline->process];
    rl_buf_adds(out, section->title);
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

#define MOST_SAVED "; their time is the most that can be saved."

static const struct {
    const char *list, *title, *columns, *note;
    size_t most;
} tables[] = {
    {"gaps", NULL, "cause_text,where,count,time_s,share,mean_s,longest_s,action",
     "Gaps between two kernels, by the NVTX range that launched the second one", 5},
    {"phases", "Phases by NVTX ranges", NULL, NULL, 4},
    {"overlaps", NULL, "label,whole_s,share_text,meaning", NULL, 0},
};

static void draw_table(struct rl_report *report, const struct view *view, size_t table)
{
    const bool placeless = table == 0 && !report->capture->range_count;
    rl_layout_skip(report->doc->layout, 8);
    if (rl_view_table(report->doc->layout, view,
                      &(struct rl_view_table){.list = tables[table].list,
                                              .title = tables[table].title,
                                              .columns = placeless ? "cause_text,count,time_s,share,mean_s,longest_s,action"
                                                                   : tables[table].columns,
                                              .most = tables[table].most}) &&
        tables[table].note)
        rl_layout_textf(report->doc->layout, RL_STYLE_NOTE, "%s%s", placeless ? "Gaps between two kernels" : tables[table].note,
                        MOST_SAVED);
}

/* The chart, behind as many tables as fill the page where it has to begin another one. Returns how many. */
static size_t draw_lanes(struct rl_document *doc, const struct rl_section *section, const struct rl_over_time *over,
                         const struct view *view)
{
    const struct rl_report *report = doc->subject;
    const char *ranges = over->range_lane_count ? " Time without a kernel belongs to the innermost NVTX range of the next launch."
                         : report->capture->range_count ? " Only sums of NVTX ranges were recorded: see the phases below."
                                                        : " Add NVTX ranges to see phases.";
    const char *method =
        rl_time_has_moments(over)
            ? " Samples of the whole GPU, other processes included, cover {sampled} of the time, and means are of that part[; the "
              "longest time without is from {unsampled_from_s} to {unsampled_to_s}]. A step without a line has no sample."
            : "[ DRAM, tensor cores and SMs have no lanes: {unsampled}.][ Samples of the whole GPU cover {sampled} of the time, "
              "too "
              "little for lanes: rooflight show --timeline has them.]";
    const struct rl_drawing *drawing = &rl_document_result(doc, section, 0)->drawing;
    const char *caption =
        rl_words(doc, "GPU activity in steps of %s; below, its parts.", rl_words_seconds(doc, rl_time_step_s(over)));
    const char *words = rl_words(
        doc,
        "Times by the Activity API, without counters. Kernels have the colour of their limiter and the GPU time of all their "
        "launches; anything under 0.1 %% of the time has no lane.%s%s%s%s",
        over->collection_s > 0 ? " Launches during counter collection are not drawn." : "",
        rl_view_words(doc->layout, view, method), ranges,
        over->is_shared ? " Other processes used the GPU meanwhile: their activity is not included." : "");
    size_t drawn = 0;
    if (!rl_layout_figure_fits(doc->layout, drawing, caption, words))
        do
            draw_table(doc->subject, view, drawn++);
        while (drawn < RL_COUNT(tables) && !rl_layout_is_filled(doc->layout));
    rl_layout_figure(doc->layout, drawing, caption, words);
    return drawn;
}

static void draw_page(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    const struct rl_over_time *over = rl_timeline_at(report, section->instance);
    const struct view view = view_subject_view(report->subject, &view_record_over_time, over);
    const struct rl_overlap_time *copies = &over->overlap[RL_OVERLAP_COPIES];
    const bool has_open_overlaps = copies->whole_s > 0 && copies->high_s > copies->low_s;
    const char *lead = !rl_present(over->no_kernel)  ? "No kernel ran."
                       : rl_greatest_gap_cause(over) ? "[No kernel ran for {cause_share} of {whole_s} wall time {cause_text}.]"
                                                       "[ {most_s} of it was before launches in the NVTX range {most_range}.]"
                                                     : "Kernels ran without a gap for {whole_s}.";
    rl_layout_text(doc->layout, RL_STYLE_LEAD, rl_view_words(doc->layout, &view, lead));
    rl_layout_skip(doc->layout, 6);
    for (size_t i = section->chart_count ? draw_lanes(doc, section, over, &view) : 0; i < RL_COUNT(tables); i++)
        draw_table(report, &view, i);
    if (has_open_overlaps)
        rl_layout_text(doc->layout, RL_STYLE_NOTE,
                       "While collectives overlap memcpys, it is unknown whether other kernels do: the share lies between "
                       "the two.");
    if (section->instance + 1 == rl_timelines_shown(report) && report->analysis->over_time_count > section->instance + 1)
        rl_layout_textf(doc->layout, RL_STYLE_NOTE,
                        "%zu of %zu timelines, one for each GPU of each process: show --timeline has all.", section->instance + 1,
                        report->analysis->over_time_count);
    rl_layout_notes(doc->layout);
}

#define FEWEST_ROOM 200.0 /* for the heading, the first sentence and a table */

static size_t how_many(const struct rl_document *doc)
{
    const struct rl_report *report = doc->subject;
    return rl_timelines_shown(report);
}

const struct rl_page rl_page_timeline = {
    .count = how_many, .title = title, .plan = plan_page, .draw = draw_page, .fills = FEWEST_ROOM};
