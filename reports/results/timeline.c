/* timeline.c - what the GPUs of a program did over time: each GPU, and all of them (see timeline.h). */
#include "show_parts.h"

enum { MOST_PHASES = 12, MOST_GAPS = 8 };

/* ---- one GPU as one process used it ---- */

static const struct rl_over_time *over_of(const void *row)
{
    assert(row && ((const struct rl_over_time *)row)->timeline);
    return row;
}

/* Why samples say nothing of the moments of a timeline, in a sentence without a full stop. */
static const char *why_unsampled(const struct rl_capture *capture, const struct rl_over_time *over)
{
    for (size_t i = 0; i < capture->sampling_count; i++)
        if (capture->samplings[i].gpu == over->timeline->gpu)
            return capture->samplings[i].failure ? "samples of the GPU could not be taken, or cannot be shown over time"
                                                 : "the capture has samples by kernel, and none by moment";
    return capture->sampling_count ? "the samples are of another GPU" : "the capture has no samples of the GPU";
}

/* The longest gap of the cause that is in a range; NULL: there is none. */
static const struct rl_gap *greatest_in_range(const struct rl_over_time *over, const struct rl_gap_cause *cause)
{
    for (size_t i = 0; i < over->gap_count && cause; i++)
        if (over->gaps[i].cause == cause->lane && over->gaps[i].range != RL_NONE)
            return &over->gaps[i];
    return NULL;
}

static uint64_t pid_of(const struct view *view, const struct rl_over_time *over)
{
    return view_subject_of(view)->capture->processes[over->timeline->process].pid;
}

static int gpu_of(const struct view *view, const struct rl_over_time *over)
{
    return view_subject_of(view)->capture->gpus[over->timeline->gpu].index;
}

/* "GPU 0", with several processes "GPU 0, process 4711" */
VIEW_CELL(label_cell, void,
          view_subject_of(view)->capture->process_count < 2
              ? rl_arena_printf(view->arena, "GPU %d", gpu_of(view, row))
              : rl_arena_printf(view->arena, "GPU %d, process %" PRIu64, gpu_of(view, row), pid_of(view, row)));
VIEW_CELL(process_cell, void, (int64_t)pid_of(view, row));
VIEW_CELL(gpu_cell, void, gpu_of(view, row));
VIEW_CELL(step_cell, struct rl_over_time, row->axis_s / view_steps(row->timeline));
VIEW_CELL(steps_cell, struct rl_over_time, (uint64_t)view_steps(row->timeline));
VIEW_CELL(unsampled_cell, struct rl_over_time, row->moments.count ? NULL : why_unsampled(view_subject_of(view)->capture, row));

enum figure { CAUSE, CAUSE_TEXT, CAUSE_SHARE, MOST_S, MOST_RANGE };

/* The main cause of times without a kernel. */
static struct view_cell cause_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_over_time *over = over_of(row);
    const struct rl_gap_cause *cause = rl_greatest_gap_cause(over);
    const struct rl_gap *most = greatest_in_range(over, cause);
    if (!cause || (field->key >= MOST_S && !most))
        return view_cell_absent("");
    return field->key == CAUSE         ? view_cell_text(rl_lanes[cause->lane].id)
           : field->key == CAUSE_TEXT  ? view_cell_text(cause->phrase)
           : field->key == CAUSE_SHARE ? view_cell_double(over->lane_s[cause->lane] / over->wall_s)
           : field->key == MOST_S      ? view_cell_double(most->total_s)
                                       : view_cell_text(view_range_path(view, most->range));
}

VIEW_CELL_IF(collection_cell, struct rl_over_time, row->collection_s > 0, row->collection_s);

VIEW_WHEN(has_open_overlaps, struct rl_over_time,
          row->overlap[RL_OVERLAP_COPIES].high_s > row->overlap[RL_OVERLAP_COPIES].low_s * (1 + 1e-6) + 1e-12);

static bool has_range_lanes(const struct view *view, const void *row)
{
    const struct rl_over_time *over = over_of(row);
    uint64_t total_ns = 0;
    for (size_t i = 0; i < over->range_lane_count; i++)
        total_ns |= view_subject_of(view)->capture->range_lanes[over->first_range_lane + i].total_ns;
    return total_ns > 0;
}

/* Captures made before lanes of ranges have none. */
VIEW_WHEN(lacks_range_lanes, void, over_of(row)->range_lane_count == 0 && over_of(row)->phase_count > 0);
VIEW_WHEN(runs_several, void, rl_present(over_of(row)->at_once) && over_of(row)->at_once.v > 1.005);

/* clang-format off */
#define OF(kind, figure) .type = VIEW_TYPE_##kind, .get = cause_cell, .key = (figure)
#define LANES(kind, of) .type = VIEW_TYPE_LIST, .record = (of), .get = view_lanes_cell, .key = VIEW_LANES_OF_##kind
static const struct view_field over_time_fields[] = {
    {.id = "label", VIEW_GET(TEXT, label_cell), .for_people = true, .help = "GPU, and the process where there are several"},
    {.id = "process", VIEW_GET(INTEGER, process_cell), .help = "number of the process"},
    {.id = "gpu", VIEW_GET(INTEGER, gpu_cell), .help = "index of the GPU"},
    {.id = "shared", VIEW_AT(struct rl_over_time, is_shared),
     .help = "other processes used the GPU meanwhile, of whose work this says nothing"},
    {.id = "start_s", VIEW_IN_NS(struct rl_over_time, timeline, start_ns),
     .help = "its first activity, from that of the first timeline of the capture"},
    {.id = "bin_s", VIEW_IN_NS(struct rl_over_time, timeline, width_ns), .help = "time of a bin"},
    {.id = "bins", VIEW_IN(struct rl_over_time, timeline, bins), .help = "number of bins"},
    {.id = "axis_s", VIEW_AT(struct rl_over_time, axis_s), .unit = RL_UNIT_SECOND, .digits = 3, .help = "time of all bins"},
    {.id = "whole_s", VIEW_AT(struct rl_over_time, wall_s), .unit = RL_UNIT_SECOND, .digits = 3,
     .help = "wall time: from the first activity to the last, counter collection left out"},
    {.id = "collection_s", .type = VIEW_TYPE_NUMBER, .get = collection_cell, .unit = RL_UNIT_SECOND, .digits = 3, .optional = true,
     .help = "counter collection on the axis, no part of the wall time; known within a bin"},
    {.id = "idle_s", VIEW_AT(struct rl_over_time, idle_s), .unit = RL_UNIT_SECOND, .digits = 3,
     .help = "of the wall time: no kernel, memcpy or memset ran"},
    {.id = "no_kernel_s", VIEW_AT(struct rl_over_time, no_kernel_s), .unit = RL_UNIT_SECOND, .digits = 3,
     .help = "of that, time in which no kernel ran"},
    {.id = "no_kernel", VIEW_AT(struct rl_over_time, no_kernel), .unit = RL_UNIT_FRACTION, .digits = 3, .help = "its share"},
    {.id = "cause", OF(TEXT, CAUSE), .optional = true, .help = "its main cause"},
    {.id = "cause_text", OF(TEXT, CAUSE_TEXT), .for_people = true, .help = "the same in words"},
    {.id = "cause_share", OF(NUMBER, CAUSE_SHARE), .unit = RL_UNIT_FRACTION, .digits = 3, .for_people = true,
     .help = "its share of the wall time"},
    {.id = "most_s", OF(NUMBER, MOST_S), .unit = RL_UNIT_SECOND, .digits = 3, .for_people = true,
     .help = "of that, before launches in one NVTX range"},
    {.id = "most_range", OF(TEXT, MOST_RANGE), .columns = 80, .for_people = true, .help = "that range and those around it"},
    {.id = "kernels_at_once", VIEW_AT(struct rl_over_time, at_once), .digits = 3,
     .help = "kernels that ran at once on average, while any did"},
    {.id = "step_s", VIEW_GET(NUMBER, step_cell), .unit = RL_UNIT_SECOND, .digits = 3, .for_people = true,
     .help = "time of a step of the pictures"},
    {.id = "steps", VIEW_GET(WHOLE, steps_cell), .for_people = true, .help = "number of steps"},
    {.id = "lanes", LANES(TIME, &view_record_timeline_lane), .help = "what it did, bin by bin"},
    {.id = "idle_ranges", LANES(RANGES, &view_record_range_lane),
     .help = "time in which no kernel ran by the NVTX range of the launch that ended it; none: unknown, or no ranges"},
    {.id = "sampled", VIEW_AT(struct rl_over_time, moments.covered), .unit = RL_UNIT_FRACTION, .digits = 3, .optional = true,
     .help = "share of the axis in which samples of the whole GPU were taken"},
    {.id = "unsampled", VIEW_GET(TEXT, unsampled_cell), .optional = true, .help = "why there are no samples"},
    {.id = "unsampled_from_s", VIEW_AT(struct rl_over_time, moments.from_s), .unit = RL_UNIT_SECOND, .digits = 3, .optional = true,
     .help = "beginning of the longest time without a sample, from that of the axis"},
    {.id = "unsampled_to_s", VIEW_AT(struct rl_over_time, moments.to_s), .unit = RL_UNIT_SECOND, .digits = 3, .optional = true,
     .help = "its end"},
    {.id = "sampled_bins_s", VIEW_GET_LIST(&view_record_bin_time, view_covered_cell),
     .unit = RL_UNIT_SECOND, .help = "seconds of each bin in which samples were taken"},
    {.id = "samples", LANES(SAMPLES, &view_record_moment), .help = "what they counted, bin by bin; whatever process ran"},
    {.id = "overlaps", VIEW_GET_LIST(&view_record_overlap, view_overlaps_cell), .help = "what overlapped"},
    {.id = "phases", VIEW_GET_LIST(&view_record_phase, view_phases_cell), .help = "by NVTX ranges; none without ranges"},
    {.id = "gaps", VIEW_GET_LIST(&view_record_gap, view_gaps_cell),
     .help = "times without a kernel by cause and NVTX range, the one that cost most first"},
};
static const struct view_block over_time_blocks[] = {
    {VIEW_BLOCK_SENTENCE,
     .text = "no kernel ran for {no_kernel} of {whole_s} wall time[, most of it {cause_text}][; {collection_s} of counter "
             "collection are left out]"},
    {VIEW_BLOCK_NOTE, .when = runs_several, .text = "while any kernel ran, {kernels_at_once} ran concurrently on average"},
    {VIEW_BLOCK_NOTE, .with = "shared", .text = "other processes used the GPU meanwhile: their activity is not included"},
    {VIEW_BLOCK_TABLE, .field = "lanes", .apart = true, .choose = view_choose_lanes},
    {VIEW_BLOCK_NOTE, .text = "over time: {steps step|steps} of {step_s}; height: share of the step"},
    {VIEW_BLOCK_TABLE, .field = "idle_ranges", .apart = true, .title = "No kernel ran, by NVTX range", .when = has_range_lanes,
     .only = view_lane_has_time},
    {VIEW_BLOCK_NOTE, .when = lacks_range_lanes,
     .text = "times without a kernel are unknown over time by NVTX range: the capture has only their sums"},
    {VIEW_BLOCK_NOTE, .with = "unsampled", .text = "DRAM, tensor cores and SMs are unknown over time: {unsampled}"},
    {VIEW_BLOCK_TABLE, .field = "samples", .apart = true, .title = "Samples of the whole GPU", .with = "!unsampled"},
    {VIEW_BLOCK_NOTE, .with = "!unsampled",
     .text = "samples cover {sampled} of the time, and means are of that[; the longest time without is {unsampled_from_s} to "
             "{unsampled_to_s}]"},
    {VIEW_BLOCK_NOTE, .with = "!unsampled",
     .text = "height: share of the roof, or of the maximum where the roof is unknown; ?: a step without samples"},
    {VIEW_BLOCK_TABLE, .field = "overlaps", .apart = true, .title = "Overlap", .with = "overlaps"},
    {VIEW_BLOCK_NOTE, .when = has_open_overlaps,
     .text = "where collectives overlapped memcpys it is unknown whether other kernels did, too: the share lies between these"},
    {VIEW_BLOCK_TABLE, .field = "phases", .apart = true, .title = "Phases", .with = "phases", .most = MOST_PHASES,
     .rest = "{left more phase|more phases}", .more = true},
    {VIEW_BLOCK_NOTE, .with = "!phases", .text = "there are no NVTX ranges, which would name phases of the program"},
    {VIEW_BLOCK_TABLE, .field = "gaps", .apart = true, .title = "Gaps by time lost", .with = "gaps",
     .most = MOST_GAPS, .rest = "{left} of {all} are not shown", .more = true},
};
const struct view_record view_record_over_time = {
    .id = "over_time", .title = "{label}", .help = "what a GPU did over time, as one process used it",
    VIEW_FIELDS(over_time_fields), VIEW_BLOCKS(over_time_blocks)};
/* clang-format on */

/* ---- the result ---- */

/* clang-format off */
static const struct view_field timeline_fields[] = {
    {.id = "unknown", VIEW_GET(TEXT, view_unknown_timelines), .optional = true,
     .help = "why nothing is known; absent: something is"},
    {.id = "timelines", VIEW_SUBJECT_ROWS(analysis, over_time, over_time_count, &view_record_over_time),
     .help = "each GPU, as one process used it"},
};
static const struct view_block timeline_blocks[] = {
    {VIEW_BLOCK_SENTENCE, .text = "unknown: {unknown}", .with = "unknown"},
    {VIEW_BLOCK_EACH, .field = "timelines"},
};
const struct view_record view_record_timeline = {
    .id = "timeline", .format = "rooflight-timeline", .title = "The program over time",
    .help = "what the GPUs of a program did over time", VIEW_FIELDS(timeline_fields), VIEW_BLOCKS(timeline_blocks)};
/* clang-format on */
