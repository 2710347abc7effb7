/* timeline.c - what the GPUs of a program did over time: each GPU, and all of them (see timeline.h). */
#include <assert.h>
#include <inttypes.h>

#include "show_parts.h"
#include "timeline_parts.h"

enum { MOST_PHASES = 12, MOST_GAPS = 8 };

static const struct rl_capture *capture_of(const struct view *view)
{
    return view_subject_of(view)->capture;
}

/* ---- one GPU as one process used it ---- */

static const struct rl_over_time *over_of(const void *row)
{
    assert(row && ((const struct rl_over_time *)row)->timeline);
    return row;
}

const char *view_over_time_label(const struct view *view, const struct rl_over_time *over)
{
    const struct rl_capture *capture = capture_of(view);
    const int gpu = capture->gpus[over->timeline->gpu].index;
    if (capture->process_count < 2)
        return rl_arena_printf(view->arena, "GPU %d", gpu);
    return rl_arena_printf(view->arena, "GPU %d, process %" PRIu64, gpu, capture->processes[over->timeline->process].pid);
}

/* Rows of its lists are the capture's own. */
enum list_key { LIST_LANES, LIST_GAPS, LIST_PHASES };

static struct view_cell list_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_over_time *over = row;
    const struct rl_capture *capture = capture_of(view);
    switch ((enum list_key)field->key) {
    case LIST_LANES:
        return view_cell_rows(over->lane_count ? (struct view_rows){&capture->timeline_lanes[over->first_lane],
                                                                    sizeof *capture->timeline_lanes, over->lane_count, NULL}
                                               : (struct view_rows){NULL, 0, 0, NULL});
    case LIST_GAPS:
        return view_cell_rows((struct view_rows){over->gaps, sizeof *over->gaps, over->gap_count, NULL});
    case LIST_PHASES:
        return view_cell_rows((struct view_rows){over->phases, sizeof *over->phases, over->phase_count, NULL});
    }
    return view_cell_absent("");
}

static struct view_cell unsampled_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_text(over_of(row)->moments.count ? NULL : view_unsampled(capture_of(view), row));
}

enum place_key { PLACE_PROCESS, PLACE_GPU };

static struct view_cell place_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_timeline *timeline = over_of(row)->timeline;
    return view_cell_integer(field->key == PLACE_GPU ? (int64_t)capture_of(view)->gpus[timeline->gpu].index
                                                     : (int64_t)capture_of(view)->processes[timeline->process].pid);
}

static struct view_cell label_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_text(view_over_time_label(view, row));
}

static struct view_cell axis_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_timeline *timeline = over_of(row)->timeline;
    return view_cell_number(rl_value_of((double)(field->key ? timeline->width_ns : timeline->start_ns) * 1e-9));
}

/* Of a step of the pictures. */
static struct view_cell step_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_over_time *over = row;
    const uint32_t steps = over->timeline->bins < VIEW_PICTURE ? over->timeline->bins : VIEW_PICTURE;
    return field->key ? view_cell_whole(steps) : view_cell_number(rl_value_of(over->axis_s / steps));
}

static struct view_cell bin_count_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_whole(over_of(row)->timeline->bins);
}

static struct view_cell greatest_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_gap_cause *cause = rl_greatest_gap_cause(over_of(row));
    if (!cause)
        return view_cell_absent("");
    return view_cell_text(field->key ? cause->phrase : rl_lanes[cause->lane].id);
}

/* Lanes that say more than others: no class of all kernels where every kernel computes, no sum of copies of one direction. */
static bool is_told(const struct rl_over_time *over, const struct rl_timeline_lane *lane)
{
    size_t directions = 0;
    for (unsigned i = RL_LANE_TO_DEVICE; i <= RL_LANE_SET; i++)
        directions += over->lane_s[i] > 0;
    if (!lane->total_ns || lane->lane == RL_LANE_BUSY)
        return false;
    if (lane->lane == RL_LANE_COMPUTE)
        return over->lane_s[RL_LANE_COLLECTIVES] > 0;
    return lane->lane != RL_LANE_COPIES || directions > 1;
}

/* Kernels first, then copies, then why none ran. */
static struct view_rows choose_lanes(const struct view *view, struct view_rows rows, size_t most)
{
    static const struct {
        enum rl_lane first, last;
    } groups[] = {{RL_LANE_BUSY, RL_LANE_KERNELS},
                  {RL_LANE_CLASS, RL_LANE_OTHER_CLASSES},
                  {RL_LANE_COMPUTE, RL_LANE_SET},
                  {RL_LANE_IDLE_COPY, RL_LANE_UNWATCHED}};
    size_t *at = rl_arena_alloc(view->arena, (rows.count + 1) * sizeof *at), count = 0;
    for (size_t g = 0; g < RL_COUNT(groups); g++)
        for (size_t i = 0; i < rows.count; i++) {
            const struct rl_timeline_lane *lane = (const struct rl_timeline_lane *)rows.first + i;
            assert(lane->timeline < view_subject_of(view)->analysis->over_time_count);
            const struct rl_over_time *over = &view_subject_of(view)->analysis->over_time[lane->timeline];
            if (lane->lane >= groups[g].first && lane->lane <= groups[g].last && is_told(over, lane))
                at[count++] = i;
        }
    rows.at = at;
    rows.count = count;
    return rows;
}

static bool has_phases(const struct view *view, const void *row)
{
    return over_of(row)->phase_count > 0;
}

static bool has_no_ranges(const struct view *view, const void *row)
{
    return !has_phases(view, row);
}

static bool has_overlaps(const struct view *view, const void *row)
{
    return view_overlaps_cell(view, NULL, row).rows.count > 0;
}

static bool has_open_overlaps(const struct view *view, const void *row)
{
    const struct rl_overlap_time *copies = &over_of(row)->overlap[RL_OVERLAP_COPIES];
    return copies->high_s > copies->low_s * (1 + 1e-6) + 1e-12;
}

static bool has_range_lanes(const struct view *view, const void *row)
{
    const struct view_rows lanes = view_range_lanes_cell(view, NULL, row).rows;
    return view_choose_range_lanes(view, lanes, 0).count > 0;
}

/* Captures made before lanes of ranges have none. */
static bool lacks_range_lanes(const struct view *view, const void *row)
{
    return over_of(row)->range_lane_count == 0 && has_phases(view, row);
}

static bool is_shared(const struct view *view, const void *row)
{
    return over_of(row)->is_shared;
}

static bool is_sampled(const struct view *view, const void *row)
{
    return over_of(row)->moments.count > 0;
}

static bool is_not_sampled(const struct view *view, const void *row)
{
    return !is_sampled(view, row);
}

static bool runs_several(const struct view *view, const void *row)
{
    return rl_present(over_of(row)->at_once) && over_of(row)->at_once.v > 1.005;
}

static bool has_gaps(const struct view *view, const void *row)
{
    return over_of(row)->gap_count > 0;
}

/* clang-format off */
#define LIST(which, of) .type = VIEW_TYPE_LIST, .record = (of), .get = list_cell, .key = (which)
static const struct view_field over_time_fields[] = {
    {.id = "label", .type = VIEW_TYPE_TEXT, .get = label_cell, .for_people = true,
     .help = "GPU, and the process where there are several"},
    {.id = "process", .type = VIEW_TYPE_INTEGER, .get = place_cell, .key = PLACE_PROCESS, .help = "number of the process"},
    {.id = "gpu", .type = VIEW_TYPE_INTEGER, .get = place_cell, .key = PLACE_GPU, .help = "index of the GPU"},
    {.id = "shared", VIEW_AT(struct rl_over_time, is_shared),
     .help = "other processes used the GPU meanwhile, of whose work this says nothing"},
    {.id = "start_s", .type = VIEW_TYPE_NUMBER, .get = axis_cell, .key = 0, .unit = RL_UNIT_SECOND,
     .help = "its first activity, from that of the first timeline of the capture"},
    {.id = "bin_s", .type = VIEW_TYPE_NUMBER, .get = axis_cell, .key = 1, .unit = RL_UNIT_SECOND, .help = "time of a bin"},
    {.id = "bins", .type = VIEW_TYPE_WHOLE, .get = bin_count_cell, .help = "number of bins"},
    {.id = "axis_s", VIEW_AT(struct rl_over_time, axis_s), .unit = RL_UNIT_SECOND, .digits = 3, .help = "time of all bins"},
    {.id = "whole_s", VIEW_AT(struct rl_over_time, whole_s), .unit = RL_UNIT_SECOND, .digits = 3,
     .help = "from the first kernel to the last, without what was not watched"},
    {.id = "no_kernel_s", VIEW_AT(struct rl_over_time, no_kernel_s), .unit = RL_UNIT_SECOND, .digits = 3,
     .help = "of that, time in which no kernel ran"},
    {.id = "no_kernel", VIEW_AT(struct rl_over_time, no_kernel), .unit = RL_UNIT_FRACTION, .digits = 3, .help = "its share"},
    {.id = "cause", .type = VIEW_TYPE_TEXT, .get = greatest_cell, .key = 0, .optional = true, .help = "greatest cause of it"},
    {.id = "cause_text", .type = VIEW_TYPE_TEXT, .get = greatest_cell, .key = 1, .for_people = true, .help = "the same in words"},
    {.id = "kernels_at_once", VIEW_AT(struct rl_over_time, at_once), .digits = 3,
     .help = "kernels that ran at once on average, while any did"},
    {.id = "step_s", .type = VIEW_TYPE_NUMBER, .get = step_cell, .key = 0, .unit = RL_UNIT_SECOND, .digits = 3, .for_people = true,
     .help = "time of a step of the pictures"},
    {.id = "steps", .type = VIEW_TYPE_WHOLE, .get = step_cell, .key = 1, .for_people = true, .help = "number of steps"},
    {.id = "lanes", LIST(LIST_LANES, &view_record_timeline_lane), .help = "what it did, bin by bin"},
    {.id = "idle_ranges", .type = VIEW_TYPE_LIST, .record = &view_record_range_lane, .get = view_range_lanes_cell,
     .help = "time in which no kernel ran by the NVTX range of the launch that ended it; none: not known, or no ranges"},
    {.id = "sampled", VIEW_AT(struct rl_over_time, moments.covered), .unit = RL_UNIT_FRACTION, .digits = 3, .optional = true,
     .help = "share of the axis in which samples of the whole GPU were taken"},
    {.id = "unsampled", .type = VIEW_TYPE_TEXT, .get = unsampled_cell, .optional = true, .help = "why there are no samples"},
    {.id = "unsampled_from_s", VIEW_AT(struct rl_over_time, moments.from_s), .unit = RL_UNIT_SECOND, .digits = 3, .optional = true,
     .help = "beginning of the longest time without a sample, from that of the axis"},
    {.id = "unsampled_to_s", VIEW_AT(struct rl_over_time, moments.to_s), .unit = RL_UNIT_SECOND, .digits = 3, .optional = true,
     .help = "its end"},
    {.id = "sampled_bins_s", .type = VIEW_TYPE_LIST, .record = &view_record_bin_time, .get = view_covered_cell,
     .unit = RL_UNIT_SECOND, .help = "seconds of each bin in which samples were taken"},
    {.id = "samples", .type = VIEW_TYPE_LIST, .record = &view_record_moment, .get = view_moments_cell,
     .help = "what they counted, bin by bin; whatever process ran"},
    {.id = "overlaps", .type = VIEW_TYPE_LIST, .record = &view_record_overlap, .get = view_overlaps_cell,
     .help = "what ran beside what"},
    {.id = "phases", LIST(LIST_PHASES, &view_record_phase), .help = "by NVTX ranges; none without ranges"},
    {.id = "gaps", LIST(LIST_GAPS, &view_record_gap),
     .help = "times without a kernel by cause and NVTX range, the one that cost most first"},
};
static const struct view_block over_time_blocks[] = {
    {VIEW_BLOCK_SENTENCE,
     .text = "no kernel ran for {no_kernel} of the {whole_s} from the first kernel to the last[, most of it {cause_text}]"},
    {VIEW_BLOCK_NOTE, .when = runs_several, .text = "while any kernel ran, it was {kernels_at_once} at once on average"},
    {VIEW_BLOCK_NOTE, .when = is_shared, .text = "other processes used the GPU meanwhile: what they did is not in here"},
    {VIEW_BLOCK_TABLE, .field = "lanes", .apart = true, .choose = choose_lanes},
    {VIEW_BLOCK_NOTE, .text = "over time: {steps step|steps} of {step_s}; the height is how much of a step it was"},
    {VIEW_BLOCK_TABLE, .field = "idle_ranges", .apart = true, .title = "No kernel ran, by NVTX range", .when = has_range_lanes,
     .choose = view_choose_range_lanes},
    {VIEW_BLOCK_NOTE, .when = lacks_range_lanes,
     .text = "times without a kernel are not told over time by NVTX range: the capture has their sums alone"},
    {VIEW_BLOCK_NOTE, .when = is_not_sampled, .text = "DRAM, tensor cores and SMs are not told over time: {unsampled}"},
    {VIEW_BLOCK_TABLE, .field = "samples", .apart = true, .title = "Samples of the whole GPU", .when = is_sampled},
    {VIEW_BLOCK_NOTE, .when = is_sampled,
     .text = "samples cover {sampled} of the time, and means are of that[; the longest time without is {unsampled_from_s} to "
             "{unsampled_to_s}]"},
    {VIEW_BLOCK_NOTE, .when = is_sampled,
     .text = "the height is the share of the roof, where none is known of the greatest; ? is a step without samples"},
    {VIEW_BLOCK_TABLE, .field = "overlaps", .apart = true, .title = "Side by side", .when = has_overlaps},
    {VIEW_BLOCK_NOTE, .when = has_open_overlaps,
     .text = "where collectives ran beside copies it is not known whether other kernels did, too: the share lies between these"},
    {VIEW_BLOCK_TABLE, .field = "phases", .apart = true, .title = "Phases", .when = has_phases, .most = MOST_PHASES,
     .rest = "{left more phase|more phases}", .more = true},
    {VIEW_BLOCK_NOTE, .when = has_no_ranges,
     .text = "there are no NVTX ranges, which would tell phases of the program apart"},
    {VIEW_BLOCK_TABLE, .field = "gaps", .apart = true, .title = "Times without a kernel, by what they cost", .when = has_gaps,
     .most = MOST_GAPS, .rest = "{left} of {all} are not shown", .more = true},
};
/* clang-format on */
const struct view_record view_record_over_time = {.id = "over_time",
                                                  .title = "{label}",
                                                  .help = "what a GPU did over time, as one process used it",
                                                  VIEW_FIELDS(over_time_fields),
                                                  VIEW_BLOCKS(over_time_blocks)};

/* ---- the result ---- */

static struct view_cell timelines_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_analysis *analysis = view_subject_of(view)->analysis;
    return view_cell_rows((struct view_rows){analysis->over_time, sizeof *analysis->over_time, analysis->over_time_count, NULL});
}

static bool is_unknown(const struct view *view, const void *row)
{
    return view_over_time_count(row) == 0;
}

/* clang-format off */
static const struct view_field timeline_fields[] = {
    {.id = "unknown", .type = VIEW_TYPE_TEXT, .get = view_over_time_unknown, .optional = true,
     .help = "why nothing is known; absent: something is"},
    {.id = "timelines", .type = VIEW_TYPE_LIST, .record = &view_record_over_time, .get = timelines_cell,
     .help = "each GPU, as one process used it"},
};
static const struct view_block timeline_blocks[] = {
    {VIEW_BLOCK_SENTENCE, .text = "not known: {unknown}", .when = is_unknown},
    {VIEW_BLOCK_EACH, .field = "timelines"},
};
/* clang-format on */
const struct view_record view_record_timeline = {.id = "timeline",
                                                 .format = "rooflight-timeline",
                                                 .title = "The program over time",
                                                 .help = "what the GPUs of a program did over time",
                                                 VIEW_FIELDS(timeline_fields),
                                                 VIEW_BLOCKS(timeline_blocks)};
