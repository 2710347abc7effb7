/* timeline_lanes.c - parts of what a GPU did over time: lanes, what ran beside what, phases (see timeline_parts.h). */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "core/mem.h"
#include "show_parts.h"
#include "timeline_parts.h"

static const struct rl_capture *capture_of(const struct view *view)
{
    return view_subject_of(view)->capture;
}

/* ---- a lane: rows are struct rl_timeline_lane ---- */

static const struct rl_timeline_lane *lane_of(const void *row)
{
    return row;
}

static size_t lane_index(const struct view *view, const void *row)
{
    const size_t index = (size_t)(lane_of(row) - capture_of(view)->timeline_lanes);
    assert(index < capture_of(view)->timeline_lane_count);
    return index;
}

/* Of a class that was taken apart the lane is of all its parts. */
static const char *kernel_label(const struct view *view, const struct rl_timeline_lane *lane)
{
    if (lane->kernel == RL_NONE)
        return NULL;
    const struct rl_kernel_result *result = &view_subject_of(view)->analysis->kernels[lane->kernel];
    return capture_of(view)->kernels[lane->kernel].population.total > 1 ? result->short_name : result->label;
}

enum lane_key { LANE_ID, LANE_LABEL, LANE_KERNEL, LANE_KERNEL_ID, LANE_MEANING };

static const char *kernel_id(const struct view *view, const struct rl_timeline_lane *lane)
{
    char id[RL_KERNEL_ID];
    if (lane->kernel == RL_NONE)
        return NULL;
    rl_kernel_id(&capture_of(view)->kernels[lane->kernel], id);
    return rl_arena_strdup(view->arena, id);
}

static struct view_cell lane_text_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_timeline_lane *lane = row;
    const char *kernel = kernel_label(view, lane);
    switch ((enum lane_key)field->key) {
    case LANE_ID:
        return view_cell_text(rl_lanes[lane->lane].id);
    case LANE_LABEL:
        return view_cell_text(kernel ? kernel : rl_lanes[lane->lane].label);
    case LANE_KERNEL:
        return view_cell_text(kernel);
    case LANE_KERNEL_ID:
        return view_cell_text(kernel_id(view, lane));
    case LANE_MEANING:
        return view_cell_text(rl_lanes[lane->lane].meaning);
    }
    return view_cell_absent("");
}

static struct view_cell lane_time_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_timeline_lane *lane = row;
    const struct rl_timeline *timeline = &capture_of(view)->timelines[lane->timeline];
    const struct rl_value time = rl_value_of((double)lane->total_ns * 1e-9);
    return view_cell_number(
        field->key ? rl_value_div(time, rl_value_of((double)timeline->width_ns * 1e-9 * timeline->bins), "no time") : time);
}

/* Seconds of each bin, in the arena of the view. */
static double *bins_of(const struct view *view, const void *row)
{
    const struct rl_timeline *timeline = &capture_of(view)->timelines[lane_of(row)->timeline];
    double *seconds = rl_arena_alloc(view->arena, timeline->bins * sizeof *seconds);
    rl_lane_add_to(capture_of(view), lane_index(view, row), seconds);
    for (uint32_t i = 0; i < timeline->bins; i++)
        seconds[i] *= 1e-9;
    return seconds;
}

const char *view_picture_step(double share)
{
    static const char *const steps[] = {"·", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const size_t full = RL_COUNT(steps) - 1, step = share <= 0 ? 0 : share >= 1 ? full : 1 + (size_t)(share * (double)full);
    return steps[step < full ? step : full];
}

const char *view_picture(const struct view *view, const struct rl_timeline *timeline, const double *seconds)
{
    const double width_s = (double)timeline->width_ns * 1e-9;
    const size_t most = timeline->bins < VIEW_PICTURE ? timeline->bins : VIEW_PICTURE;
    assert(most > 0 && width_s > 0);
    struct rl_buf text = RL_BUF_INIT;
    for (size_t i = 0; i < most; i++) {
        const size_t first = i * timeline->bins / most, behind = (i + 1) * timeline->bins / most;
        double sum = 0;
        for (size_t bin = first; bin < behind; bin++)
            sum += seconds[bin];
        rl_buf_adds(&text, view_picture_step(sum / (width_s * (double)(behind - first))));
    }
    const char *kept = rl_arena_strdup(view->arena, text.data);
    rl_buf_release(&text);
    return kept;
}

/* How full each step is. */
static struct view_cell picture_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_text(view_picture(view, &capture_of(view)->timelines[lane_of(row)->timeline], bins_of(view, row)));
}

static const struct view_field second_fields[] = {
    {.id = "time_s", .type = VIEW_TYPE_NUMBER, .access = VIEW_AT_DOUBLE, .unit = RL_UNIT_SECOND, .help = "of one bin"}};
const struct view_record view_record_bin_time = {
    .id = "bin_time", .title = "", .help = "time of one bin", VIEW_FIELDS(second_fields), .plain = true};

static struct view_cell bins_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const double *seconds = bins_of(view, row);
    return view_cell_rows(
        (struct view_rows){seconds, sizeof *seconds, capture_of(view)->timelines[lane_of(row)->timeline].bins, NULL});
}

/* clang-format off */
#define LANE_TEXT(which) .type = VIEW_TYPE_TEXT, .get = lane_text_cell, .key = (which)
static const struct view_field lane_fields[] = {
    {.id = "lane", LANE_TEXT(LANE_ID), .shown = VIEW_ON_REQUEST, .help = "what it is about: a row of core/include/core/lanes.def"},
    {.id = "label", .head = "lane", LANE_TEXT(LANE_LABEL), .for_people = true, .identifies = true, .columns = 28,
     .help = "the same for people, or the kernel"},
    {.id = "meaning", LANE_TEXT(LANE_MEANING), .shown = VIEW_ON_REQUEST, .help = "the same in words"},
    {.id = "kernel", LANE_TEXT(LANE_KERNEL), .shown = VIEW_ON_REQUEST, .optional = true,
     .help = "of the lane 'class': label of the kernel"},
    {.id = "kernel_id", LANE_TEXT(LANE_KERNEL_ID), .shown = VIEW_ON_REQUEST, .optional = true, .help = "its short name"},
    {.id = "time_s", .head = "time", .type = VIEW_TYPE_NUMBER, .get = lane_time_cell, .key = 0, .unit = RL_UNIT_SECOND,
     .help = "of all bins"},
    {.id = "share", .head = "share", .type = VIEW_TYPE_NUMBER, .get = lane_time_cell, .key = 1, .unit = RL_UNIT_FRACTION,
     .digits = 3, .help = "of the time axis; over 1 where several ran at once"},
    {.id = "picture", .head = "over time", .type = VIEW_TYPE_TEXT, .get = picture_cell, .for_people = true,
     .help = "how much of each step of time it was"},
    {.id = "bins_s", .type = VIEW_TYPE_LIST, .record = &view_record_bin_time, .get = bins_cell, .unit = RL_UNIT_SECOND,
     .shown = VIEW_ON_REQUEST, .help = "seconds of it in each bin"},
};
/* clang-format on */
const struct view_record view_record_timeline_lane = {
    .id = "timeline_lane", .title = "", .help = "one thing that the GPU did over time", VIEW_FIELDS(lane_fields)};

/* ---- a bin, for CSV ---- */

/* Of one of three kinds of lanes; the others are NULL. */
struct bin {
    size_t timeline;
    uint32_t bin;
    const struct rl_timeline_lane *lane;
    const struct rl_moment_lane *sampled;
    const struct rl_range_lane *idle;
    struct rl_value time, covered, rate;
};

enum bin_key { BIN_PROCESS, BIN_GPU, BIN_START, BIN_TIME, BIN_COVERED, BIN_RATE };

static struct view_cell bin_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct bin *bin = row;
    const struct rl_capture *capture = capture_of(view);
    const struct rl_timeline *timeline = &capture->timelines[bin->timeline];
    struct view_cell rate = view_cell_number(bin->rate);
    rate.unit = bin->sampled ? rl_moments[bin->sampled->moment].unit : RL_UNIT_NONE;
    switch ((enum bin_key)field->key) {
    case BIN_PROCESS:
        return view_cell_integer((int64_t)capture->processes[timeline->process].pid);
    case BIN_GPU:
        return view_cell_integer(capture->gpus[timeline->gpu].index);
    case BIN_START:
        return view_cell_number(rl_value_of(((double)timeline->start_ns + (double)timeline->width_ns * bin->bin) * 1e-9));
    case BIN_TIME:
        return view_cell_number(bin->time);
    case BIN_COVERED:
        return view_cell_number(bin->covered);
    case BIN_RATE:
        return rate;
    }
    return view_cell_absent("");
}

/* As the column `lane` has them. */
static const char *const idle_lanes[RL_IDLE_PLACE_COUNT] = {"idle_in_range", "idle_in_other_ranges", "idle_in_no_range"};

static struct view_cell bin_text_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct bin *bin = row;
    if (bin->lane)
        return lane_text_cell(view, field, bin->lane);
    if (bin->idle)
        return view_cell_text(field->key == LANE_ID ? idle_lanes[bin->idle->place] : NULL);
    const struct rl_moment_row *of = &rl_moments[bin->sampled->moment];
    return view_cell_text(field->key == LANE_ID ? rl_sampled_name(of->counter) : NULL);
}

static struct view_cell bin_range_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct bin *bin = row;
    return view_cell_text(bin->idle ? view_range_lane_text(view, bin->idle, false) : NULL);
}

static struct view_cell bin_unit_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct bin *bin = row;
    return view_cell_text(bin->sampled ? rl_unit_json(rl_moments[bin->sampled->moment].unit) : NULL);
}

/* clang-format off */
#define BIN(kind, which) .type = VIEW_TYPE_##kind, .get = bin_cell, .key = (which)
static const struct view_field bin_fields[] = {
    {.id = "process", BIN(INTEGER, BIN_PROCESS), .help = "number of the process"},
    {.id = "gpu", BIN(INTEGER, BIN_GPU), .help = "index of the GPU"},
    {.id = "lane", .type = VIEW_TYPE_TEXT, .get = bin_text_cell, .key = LANE_ID, .help = "what it is about"},
    {.id = "kernel", .type = VIEW_TYPE_TEXT, .get = bin_text_cell, .key = LANE_KERNEL, .help = "label of the kernel"},
    {.id = "kernel_id", .type = VIEW_TYPE_TEXT, .get = bin_text_cell, .key = LANE_KERNEL_ID, .help = "its short name"},
    {.id = "start_s", BIN(NUMBER, BIN_START), .unit = RL_UNIT_SECOND, .help = "beginning of the bin"},
    {.id = "time_s", BIN(NUMBER, BIN_TIME), .unit = RL_UNIT_SECOND, .help = "of the bin; of lanes of samples there is none"},
    {.id = "covered_s", BIN(NUMBER, BIN_COVERED), .unit = RL_UNIT_SECOND,
     .help = "of lanes of samples: how much of the bin has some"},
    {.id = "rate", BIN(NUMBER, BIN_RATE), .unit_of_row = true, .help = "the same: mean while they were taken"},
    {.id = "unit", .type = VIEW_TYPE_TEXT, .get = bin_unit_cell, .help = "of the rate"},
    {.id = "range_path", .type = VIEW_TYPE_TEXT, .get = bin_range_cell,
     .help = "of the lane 'idle_in_range': the NVTX range that the next kernel was launched from"},
};
/* clang-format on */
const struct view_record view_record_timeline_bin = {
    .id = "timeline_bin", .title = "", .help = "a bin of a lane", VIEW_FIELDS(bin_fields)};

static size_t add_sampled_bins(const struct rl_analysis *analysis, size_t index, const struct rl_value none, struct bin *to)
{
    const struct rl_moments *moments = &analysis->over_time[index].moments;
    size_t count = 0;
    for (size_t m = 0; m < moments->count; m++) {
        size_t own;
        const struct rl_sampled_bin *bins = rl_sampled_lane_bins(analysis->capture, moments->at[m].lane, &own);
        for (size_t i = 0; i < own; i++)
            to[count++] = (struct bin){index,
                                       bins[i].bin,
                                       NULL,
                                       &moments->at[m],
                                       NULL,
                                       none,
                                       rl_value_of((double)bins[i].covered_ns * 1e-9),
                                       rl_moment_between(analysis->capture, &moments->at[m], bins[i].bin, bins[i].bin + 1)};
    }
    return count;
}

static size_t add_range_bins(const struct rl_capture *capture, const struct rl_value none, struct bin *to)
{
    for (size_t i = 0; i < capture->range_bin_count; i++) {
        const struct rl_range_bin *bin = &capture->range_bins[i];
        const struct rl_range_lane *lane = &capture->range_lanes[bin->lane];
        to[i] = (struct bin){lane->timeline, bin->bin, NULL, NULL, lane, rl_value_of((double)bin->ns * 1e-9), none, none};
    }
    return capture->range_bin_count;
}

/* Lanes of all timelines, then idle time by range, then samples. */
struct view_rows view_timeline_bins(const struct view *view, const struct view_over_time *over)
{
    const struct rl_capture *capture = over->subject->capture;
    const struct rl_analysis *analysis = over->subject->analysis;
    const struct rl_value none = rl_value_missing(RL_UNDEFINED, "");
    const size_t most = capture->timeline_bin_count + capture->range_bin_count + capture->sampled_bin_count + 1;
    struct bin *rows = rl_arena_alloc(view->arena, most * sizeof *rows);
    size_t count = 0;
    for (; count < capture->timeline_bin_count; count++) {
        const struct rl_timeline_bin *bin = &capture->timeline_bins[count];
        const struct rl_timeline_lane *lane = &capture->timeline_lanes[bin->lane];
        rows[count] = (struct bin){lane->timeline, bin->bin, lane, NULL, NULL, rl_value_of((double)bin->ns * 1e-9), none, none};
    }
    count += add_range_bins(capture, none, &rows[count]);
    for (size_t i = 0; i < analysis->over_time_count; i++)
        count += add_sampled_bins(analysis, i, none, &rows[count]);
    return (struct view_rows){rows, sizeof *rows, count, NULL};
}

/* ---- what ran beside what ---- */

struct overlap {
    const struct rl_overlap_row *row;
    const struct rl_overlap_time *time;
};

enum overlap_key { OVERLAP_ID, OVERLAP_LABEL, OVERLAP_HELP, OVERLAP_SHARE };

/* "34.2 %"; "20.0 % to 26.7 %" where the bins leave room. */
static const char *share_text(const struct view *view, const struct rl_overlap_time *time)
{
    struct rl_buf text = RL_BUF_INIT;
    rl_value_format(&text, RL_UNIT_FRACTION, time->low, 3);
    if (time->high.v > time->low.v * (1 + 1e-6) + 1e-9) {
        rl_buf_adds(&text, " to ");
        rl_value_format(&text, RL_UNIT_FRACTION, time->high, 3);
    }
    const char *kept = rl_arena_strdup(view->arena, text.data);
    rl_buf_release(&text);
    return kept;
}

static struct view_cell overlap_text_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct overlap *overlap = row;
    const char *const texts[] = {[OVERLAP_ID] = overlap->row->id,
                                 [OVERLAP_LABEL] = overlap->row->label,
                                 [OVERLAP_HELP] = overlap->row->help,
                                 [OVERLAP_SHARE] = NULL};
    return view_cell_text(field->key == OVERLAP_SHARE ? share_text(view, overlap->time) : texts[field->key]);
}

static struct view_cell overlap_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_overlap_time *time = ((const struct overlap *)row)->time;
    const struct rl_value values[] = {rl_value_of(time->whole_s), rl_value_of(time->low_s), rl_value_of(time->high_s), time->low,
                                      time->high};
    return view_cell_number(values[field->key]);
}

/* clang-format off */
#define OVERLAP_TEXT(which) .type = VIEW_TYPE_TEXT, .get = overlap_text_cell, .key = (which)
#define OVERLAP_NUMBER(which, of) .type = VIEW_TYPE_NUMBER, .get = overlap_cell, .key = (which), .unit = RL_UNIT_##of, .digits = 3
static const struct view_field overlap_fields[] = {
    {.id = "id", OVERLAP_TEXT(OVERLAP_ID), .shown = VIEW_ON_REQUEST,
     .help = "'copies_under_compute', 'collectives_under_compute' or 'compute_under_copies'"},
    {.id = "label", .head = "overlap", OVERLAP_TEXT(OVERLAP_LABEL), .for_people = true, .identifies = true,
     .help = "the same for people"},
    {.id = "meaning", OVERLAP_TEXT(OVERLAP_HELP), .shown = VIEW_ON_REQUEST, .help = "what it is"},
    {.id = "whole_s", .head = "time", OVERLAP_NUMBER(0, SECOND),
     .help = "time of the copies, of the collectives, of the computing"},
    {.id = "low_s", OVERLAP_NUMBER(1, SECOND), .shown = VIEW_ON_REQUEST, .help = "of it side by side, at least"},
    {.id = "high_s", OVERLAP_NUMBER(2, SECOND), .shown = VIEW_ON_REQUEST,
     .help = "at most: the same, unless collectives ran beside copies"},
    {.id = "low", OVERLAP_NUMBER(3, FRACTION), .shown = VIEW_ON_REQUEST, .help = "share of the time, at least"},
    {.id = "high", OVERLAP_NUMBER(4, FRACTION), .shown = VIEW_ON_REQUEST, .help = "at most"},
    {.id = "share_text", .head = "share", OVERLAP_TEXT(OVERLAP_SHARE), .for_people = true, .numeral = true,
     .help = "the share, or between which it lies"},
};
/* clang-format on */
const struct view_record view_record_overlap = {
    .id = "overlap", .title = "", .help = "what ran beside what", VIEW_FIELDS(overlap_fields)};

struct view_cell view_overlaps_cell(const struct view *view, const struct view_field *field, const void *row)
{
    struct overlap *overlaps = rl_arena_alloc(view->arena, RL_OVERLAP_COUNT * sizeof *overlaps);
    size_t count = 0;
    for (size_t i = 0; i < RL_OVERLAP_COUNT; i++)
        if (((const struct rl_over_time *)row)->overlap[i].whole_s > 0)
            overlaps[count++] = (struct overlap){&rl_overlaps[i], &((const struct rl_over_time *)row)->overlap[i]};
    return view_cell_rows((struct view_rows){overlaps, sizeof *overlaps, count, NULL});
}

/* ---- phases: rows are struct rl_phase ---- */

static const struct rl_phase *phase_of(const void *row)
{
    return row;
}

enum phase_key { PHASE_KIND, PHASE_LABEL, PHASE_CAUSE, PHASE_CAUSE_ID };

static struct view_cell phase_text_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_phase *phase = row;
    switch ((enum phase_key)field->key) {
    case PHASE_KIND:
        return view_cell_text(rl_phase_kind_name(phase->kind));
    case PHASE_LABEL:
        return view_cell_text(phase->kind == RL_PHASE_OUTSIDE ? "everything else"
                              : phase->kind == RL_PHASE_RANGE ? view_range_path(view, phase->range)
                                                              : rl_phase_kind_name(phase->kind));
    case PHASE_CAUSE:
        return view_cell_text(phase->cause == RL_LANE_COUNT ? NULL : rl_gap_cause_of(phase->cause)->label);
    case PHASE_CAUSE_ID:
        return view_cell_text(phase->cause == RL_LANE_COUNT ? NULL : rl_lanes[phase->cause].id);
    }
    return view_cell_absent("");
}

static struct view_cell phase_range_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_text(view_range_path(view, phase_of(row)->range));
}

static struct view_cell phase_busy_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_phase *phase = row;
    const struct rl_value whole = rl_present(phase->gpu_s) ? rl_value_of(phase->gpu_s.v + phase->no_kernel_s) : phase->gpu_s;
    return view_cell_number(rl_value_div(rl_value_of(phase->no_kernel_s), whole, "no time"));
}

static bool is_outside(const struct view *view, const void *row)
{
    return phase_of(row)->kind == RL_PHASE_OUTSIDE;
}

/* Counts of what is outside of all ranges mean nothing. */
static struct view_cell phase_count_cell(const struct view *view, const struct view_field *field, const void *row)
{
    if (is_outside(view, row))
        return view_cell_absent("");
    return field->key == 0   ? view_cell_whole(phase_of(row)->instances)
           : field->key == 1 ? view_cell_whole(phase_of(row)->launches)
                             : view_cell_number(rl_value_of(phase_of(row)->host_s));
}

/* clang-format off */
#define PHASE_TEXT(which) .type = VIEW_TYPE_TEXT, .get = phase_text_cell, .key = (which)
static const struct view_field phase_fields[] = {
    {.id = "kind", PHASE_TEXT(PHASE_KIND), .shown = VIEW_ON_REQUEST,
     .help = "'prefill' or 'decode' by the names of ranges; 'range': an outermost NVTX range; 'outside': everything else"},
    {.id = "label", .head = "phase", PHASE_TEXT(PHASE_LABEL), .for_people = true, .identifies = true, .columns = 32,
     .help = "the same for people"},
    {.id = "range_path", .type = VIEW_TYPE_TEXT, .get = phase_range_cell, .shown = VIEW_ON_REQUEST, .optional = true,
     .help = "its range, or the first of them"},
    {.id = "instances", .head = "times", .type = VIEW_TYPE_WHOLE, .get = phase_count_cell, .key = 0, .optional = true,
     .help = "how often it was entered"},
    {.id = "launches", .type = VIEW_TYPE_WHOLE, .get = phase_count_cell, .key = 1, .optional = true,
     .help = "timed kernels launched in it"},
    {.id = "gpu_s", .head = "kernels", VIEW_AT(struct rl_phase, gpu_s), .unit = RL_UNIT_SECOND, .digits = 3, .scale = "phase",
     .help = "their durations, added up"},
    {.id = "no_kernel_s", .head = "no kernel", VIEW_AT(struct rl_phase, no_kernel_s), .unit = RL_UNIT_SECOND, .digits = 3,
     .scale = "phase", .help = "time before its launches in which no kernel ran"},
    {.id = "no_kernel", .head = "share", .type = VIEW_TYPE_NUMBER, .get = phase_busy_cell, .unit = RL_UNIT_FRACTION, .digits = 3,
     .help = "share of the latter in both together"},
    {.id = "cause", PHASE_TEXT(PHASE_CAUSE_ID), .shown = VIEW_ON_REQUEST, .optional = true, .help = "greatest cause of it"},
    {.id = "cause_text", .head = "most because of", PHASE_TEXT(PHASE_CAUSE), .for_people = true, .help = "the same for people"},
    {.id = "host_s", .head = "host time", .type = VIEW_TYPE_NUMBER, .get = phase_count_cell, .key = 2, .unit = RL_UNIT_SECOND,
     .digits = 3, .optional = true, .help = "time between entering and leaving by the host's clock"},
};
/* clang-format on */
const struct view_record view_record_phase = {
    .id = "phase", .title = "", .help = "a phase of the program, by NVTX ranges", VIEW_FIELDS(phase_fields)};
