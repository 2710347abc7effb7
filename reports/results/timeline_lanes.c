/* timeline_lanes.c - parts of what a GPU did over time: its lanes, idle time by NVTX range, samples of the whole GPU; each bin of
 * them (see show_parts.h). */
#include "show_parts.h"

enum { PICTURE = 44 }; /* steps of the picture of a lane, at most */

/* A lane of any kind: members that another kind has are NULL, absent or 0. */
struct lane {
    enum rl_lane of; /* of lanes of time alone */
    uint64_t total_ns;
    const char *id, *label, *meaning, *kernel, *kernel_id, *place, *range_path, *picture;
    enum rl_unit unit; /* of rates */
    const char *unit_id;
    double time_s;
    struct rl_value shown_s, of_wall; /* as other tables have it, and its share of the wall time */
    const char *sign;
    struct rl_value share, mean, greatest, roof;
    const double *bins_s;         /* seconds of each bin; of samples: that have some */
    const struct rl_value *rates; /* of each bin; NULL: it is no lane of samples */
    size_t bin_count;
};

uint32_t view_steps(const struct rl_timeline *timeline)
{
    return timeline->bins < PICTURE ? timeline->bins : PICTURE;
}

/* From "·" (nothing) over "▁" to "█" (all of it, or more); "?" is unknown. */
static void draw_step(struct rl_buf *picture, struct rl_value share)
{
    static const char *const steps[] = {"·", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const size_t full = RL_COUNT(steps) - 1;
    const size_t step = share.v <= 0 ? 0 : share.v >= 1 ? full : 1 + (size_t)(share.v * (double)full);
    rl_buf_adds(picture, !rl_present(share) ? "?" : steps[step < full ? step : full]);
}

/* Lanes of time, of `total_ns`: how much of each step it was. */
static void fill_time(const struct view *view, const struct rl_over_time *over, uint64_t total_ns, double *bins_ns,
                      struct lane *lane)
{
    const struct rl_timeline *timeline = over->timeline;
    const size_t steps = view_steps(timeline);
    struct rl_buf picture = RL_BUF_IN(view->arena);
    for (size_t i = 0; i < timeline->bins; i++)
        bins_ns[i] *= 1e-9;
    for (size_t i = 0; i < steps; i++) {
        const size_t first = i * timeline->bins / steps, behind = (i + 1) * timeline->bins / steps;
        double sum = 0;
        for (size_t bin = first; bin < behind; bin++)
            sum += bins_ns[bin];
        draw_step(&picture, rl_value_of(sum / ((double)timeline->width_ns * 1e-9 * (double)(behind - first))));
    }
    lane->total_ns = total_ns;
    lane->time_s = (double)total_ns * 1e-9;
    lane->share = rl_value_div(rl_value_of(lane->time_s), rl_value_of(over->axis_s), "no time");
    lane->shown_s = rl_value_of(lane->time_s);
    lane->of_wall = rl_value_div(lane->shown_s, rl_value_of(over->wall_s), "no time");
    lane->picture = picture.data;
    lane->bins_s = bins_ns;
    lane->bin_count = timeline->bins;
}

static struct view_rows lanes_of_time(const struct view *view, const struct rl_over_time *over)
{
    const struct rl_capture *capture = view_subject_of(view)->capture;
    struct lane *lanes = rl_arena_alloc(view->arena, (over->lane_count + 1) * sizeof *lanes);
    for (size_t i = 0; i < over->lane_count; i++) {
        const struct rl_timeline_lane *from = &capture->timeline_lanes[over->first_lane + i];
        double *bins_ns = rl_arena_alloc(view->arena, over->timeline->bins * sizeof *bins_ns);
        lanes[i] = (struct lane){.of = from->lane,
                                 .id = rl_lanes[from->lane].id,
                                 .label = rl_lanes[from->lane].label,
                                 .meaning = rl_lanes[from->lane].meaning};
        if (from->kernel != RL_NONE) { /* of a class that was taken apart the lane is of all its parts */
            const struct rl_kernel_result *result = &view_subject_of(view)->analysis->kernels[from->kernel];
            char id[RL_KERNEL_ID];
            rl_kernel_id(&capture->kernels[from->kernel], id);
            lanes[i].kernel_id = rl_arena_strdup(view->arena, id);
            lanes[i].kernel = capture->kernels[from->kernel].population.total > 1 ? result->short_name : result->label;
            lanes[i].label = lanes[i].kernel ? lanes[i].kernel : lanes[i].label;
        }
        rl_lane_add_to(capture->timeline_bins, capture->timeline_bin_count, over->first_lane + i, bins_ns);
        fill_time(view, over, from->total_ns, bins_ns, &lanes[i]);
        if (from->lane == RL_LANE_CLASS || from->lane == RL_LANE_OTHER_CLASSES) {
            const struct rl_class_time time = rl_lane_time_of(capture, over, from);
            lanes[i].shown_s = rl_value_of(time.ns * 1e-9);
            lanes[i].sign = rl_time_state_sign(time.state);
            lanes[i].of_wall = time.state == RL_TIME_WHOLE
                                   ? rl_value_div(lanes[i].shown_s, rl_value_of(over->wall_s), "no time")
                                   : rl_value_missing(RL_UNDEFINED, "launches that were not timed are no part of the wall time");
        } else if (from->lane == RL_LANE_UNWATCHED) {
            lanes[i].shown_s = rl_value_of(over->collection_s);
            lanes[i].of_wall = rl_value_missing(RL_UNDEFINED, "the wall time excludes it");
        }
    }
    return VIEW_ROWS(lanes, over->lane_count);
}

static struct view_rows lanes_of_ranges(const struct view *view, const struct rl_over_time *over)
{
    const struct rl_capture *capture = view_subject_of(view)->capture;
    struct lane *lanes = rl_arena_alloc(view->arena, (over->range_lane_count + 1) * sizeof *lanes);
    for (size_t i = 0; i < over->range_lane_count; i++) {
        const struct rl_range_lane *from = &capture->range_lanes[over->first_range_lane + i];
        double *bins_ns = rl_arena_alloc(view->arena, over->timeline->bins * sizeof *bins_ns);
        struct rl_buf label = RL_BUF_IN(view->arena);
        rl_range_lane_label(capture, from, &label);
        lanes[i] = (struct lane){.place = rl_idle_place_name(from->place),
                                 .id = rl_arena_printf(view->arena, "idle_in_%s", rl_idle_place_name(from->place)),
                                 .label = label.data,
                                 .range_path = view_range_path(view, from->range)};
        rl_lane_add_to(capture->range_bins, capture->range_bin_count, over->first_range_lane + i, bins_ns);
        fill_time(view, over, from->total_ns, bins_ns, &lanes[i]);
    }
    return VIEW_ROWS(lanes, over->range_lane_count);
}

/* Pictures show how high it is in each step, as a share of the maximum possible, or where that is unknown of its maximum. */
static struct view_rows lanes_of_samples(const struct view *view, const struct rl_over_time *over)
{
    const struct rl_capture *capture = view_subject_of(view)->capture;
    const uint32_t bins = over->timeline->bins, steps = view_steps(over->timeline);
    struct lane *lanes = rl_arena_alloc(view->arena, (over->moments.count + 1) * sizeof *lanes);
    for (size_t i = 0; i < over->moments.count; i++) {
        const struct rl_moment_lane *from = &over->moments.at[i];
        const struct rl_moment_row *row = &rl_moments[from->moment];
        const struct rl_value full = rl_present(from->roof) ? from->roof : from->greatest;
        struct rl_value *rates = rl_arena_alloc(view->arena, bins * sizeof *rates);
        double *covered_s = rl_arena_alloc(view->arena, bins * sizeof *covered_s);
        struct rl_buf picture = RL_BUF_IN(view->arena);
        for (uint32_t bin = 0; bin < bins; bin++) {
            rates[bin] = rl_moment_between(capture, from, bin, bin + 1);
            covered_s[bin] = rl_moment_covered_s(capture, from, bin, bin + 1);
        }
        for (uint64_t step = 0; step < steps && rl_present(from->mean); step++) {
            const struct rl_value value =
                rl_moment_between(capture, from, (uint32_t)(step * bins / steps), (uint32_t)((step + 1) * bins / steps));
            draw_step(&picture, rl_present(value) ? rl_value_of(full.v > 0 ? value.v / full.v : 0) : value);
        }
        lanes[i] = (struct lane){.id = rl_sampled_name(row->counter),
                                 .label = row->label,
                                 .meaning = row->meaning,
                                 .picture = rl_arena_strdup(view->arena, picture.data ? picture.data : ""),
                                 .unit = row->unit,
                                 .unit_id = rl_unit_json(row->unit),
                                 .mean = from->mean,
                                 .greatest = from->greatest,
                                 .roof = from->roof,
                                 .share = from->share,
                                 .bins_s = covered_s,
                                 .rates = rates,
                                 .bin_count = bins};
    }
    return VIEW_ROWS(lanes, over->moments.count);
}

static struct view_rows (*const kinds[])(const struct view *view, const struct rl_over_time *over) = {
    [VIEW_LANES_OF_TIME] = lanes_of_time, [VIEW_LANES_OF_RANGES] = lanes_of_ranges, [VIEW_LANES_OF_SAMPLES] = lanes_of_samples};

struct view_cell view_lanes_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_rows(kinds[field->key](view, row));
}

/* Seconds of each bin, of any lane: samples have all counters. */
struct view_cell view_covered_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_rows lanes = lanes_of_samples(view, row);
    const struct lane *first = lanes.first;
    return view_cell_rows(
        (struct view_rows){lanes.count ? first->bins_s : NULL, sizeof *first->bins_s, lanes.count ? first->bin_count : 0, NULL});
}

/* ---- which are shown ---- */

/* Lanes that say more than others: no class of all kernels where every kernel computes, no sum of copies of one direction. */
static bool is_told(const struct view_rows *rows, const struct lane *lane)
{
    bool has[RL_LANE_COUNT] = {false};
    size_t directions = 0;
    for (size_t i = 0; i < rows->count; i++)
        has[((const struct lane *)rows->first)[i].of] |= ((const struct lane *)rows->first)[i].total_ns > 0;
    for (unsigned i = RL_LANE_TO_DEVICE; i <= RL_LANE_SET; i++)
        directions += has[i];
    if (!lane->total_ns || lane->of == RL_LANE_BUSY)
        return false;
    if (lane->of == RL_LANE_COMPUTE)
        return has[RL_LANE_COLLECTIVES];
    return lane->of != RL_LANE_COPIES || directions > 1;
}

struct view_rows view_choose_lanes(const struct view *view, struct view_rows rows, size_t most)
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
            const struct lane *lane = (const struct lane *)rows.first + i;
            if (lane->of >= groups[g].first && lane->of <= groups[g].last && is_told(&rows, lane))
                at[count++] = i;
        }
    rows.at = at;
    rows.count = count;
    return rows;
}

bool view_lane_has_time(const struct view *view, const void *row)
{
    return ((const struct lane *)row)->total_ns > 0;
}

/* ---- the records ---- */

static const struct view_field second_fields[] = {
    {.id = "time_s", .type = VIEW_TYPE_NUMBER, .access = VIEW_AT_DOUBLE, .unit = RL_UNIT_SECOND, .help = "of one bin"}};
const struct view_record view_record_bin_time = {
    .id = "bin_time", .help = "time of one bin", VIEW_FIELDS(second_fields), .plain = true};

static const struct view_field rate_fields[] = {{.id = "rate",
                                                 .type = VIEW_TYPE_NUMBER,
                                                 .access = VIEW_AT_VALUE,
                                                 .unit_of_row = true,
                                                 .help = "of one bin; absent without samples"}};
static const struct view_record rate_record = {
    .id = "bin_rate", .help = "rate or share of one bin", VIEW_FIELDS(rate_fields), .plain = true};

/* A figure of a lane of samples, in its own unit: `key` is the place of its value. */
VIEW_CELL(figure_cell, struct lane, view_cell_in(*(const struct rl_value *)((const char *)row + field->key), row->unit));

VIEW_CELL(shown_cell, struct lane, view_cell_signed(row->shown_s, row->sign));

/* A note below the table says what stands for it. */
VIEW_WHEN(is_excused, void, true);

/* clang-format off */
#define FIGURE(member) VIEW_GET(NUMBER, figure_cell), .key = offsetof(struct lane, member), .unit_of_row = true
#define OVER_TIME \
    {.id = "time_s", .head = "time", VIEW_AT(struct lane, time_s), .unit = RL_UNIT_SECOND, .shown = VIEW_ON_REQUEST, \
     .help = "of all bins"}, \
    {.id = "shown_s", .head = "time", VIEW_GET(NUMBER, shown_cell), .unit = RL_UNIT_SECOND, .for_people = true, \
     .help = "the same; of a kernel the GPU time of all its launches"}, \
    {.id = "share", .head = "share", VIEW_AT(struct lane, share), .unit = RL_UNIT_FRACTION, .digits = 3, \
     .shown = VIEW_ON_REQUEST, .help = "of the time axis; over 1 where several ran at once"}, \
    {.id = "of_wall", .head = "share", VIEW_AT(struct lane, of_wall), .unit = RL_UNIT_FRACTION, .digits = 3, \
     .for_people = true, .help = "of the wall time"}, \
    {.id = "picture", .head = "over time", VIEW_AT(struct lane, picture), .for_people = true, \
     .help = "how much of each step of time it was"}, \
    {.id = "bins_s", VIEW_AT_ROWS(struct lane, bins_s, bin_count, &view_record_bin_time), .unit = RL_UNIT_SECOND, \
     .shown = VIEW_ON_REQUEST, .help = "seconds of it in each bin"}
static const struct view_field lane_fields[] = {
    {.id = "lane", VIEW_AT(struct lane, id), .shown = VIEW_ON_REQUEST,
     .help = "what it is about: a row of core/include/core/lanes.def"},
    {.id = "label", .head = "lane", VIEW_AT(struct lane, label), .for_people = true, .identifies = true, .columns = 28,
     .help = "the same for people, or the kernel"},
    {.id = "meaning", VIEW_AT(struct lane, meaning), .shown = VIEW_ON_REQUEST, .help = "the same in words"},
    {.id = "kernel", VIEW_AT(struct lane, kernel), .shown = VIEW_ON_REQUEST, .optional = true,
     .help = "of the lane 'class': label of the kernel"},
    {.id = "kernel_id", VIEW_AT(struct lane, kernel_id), .shown = VIEW_ON_REQUEST, .optional = true, .help = "its short name"},
    OVER_TIME,
};
const struct view_record view_record_timeline_lane = {
    .id = "timeline_lane", .help = "one thing that the GPU did over time", VIEW_FIELDS(lane_fields)};

static const struct view_field range_lane_fields[] = {
    {.id = "place", VIEW_AT(struct lane, place), .shown = VIEW_ON_REQUEST,
     .help = "'range': an NVTX range; 'other_ranges': all that have no lane; 'no_range': outside of all, or unknown"},
    {.id = "label", .head = "before launches in", VIEW_AT(struct lane, label), .for_people = true, .identifies = true,
     .columns = 32, .help = "the same for people"},
    {.id = "range_path", VIEW_AT(struct lane, range_path), .shown = VIEW_ON_REQUEST, .optional = true,
     .help = "its range and those around it, the outermost first"},
    OVER_TIME,
};
const struct view_record view_record_range_lane = {
    .id = "timeline_range", .help = "time in which no kernel ran before launches from an NVTX range",
    VIEW_FIELDS(range_lane_fields)};

static const struct view_field sample_fields[] = {
    {.id = "counter", VIEW_AT(struct lane, id), .shown = VIEW_ON_REQUEST, .help = "what was sampled: a row of capture/sampled.def"},
    {.id = "label", .head = "lane", VIEW_AT(struct lane, label), .for_people = true, .identifies = true,
     .help = "the same for people"},
    {.id = "meaning", VIEW_AT(struct lane, meaning), .shown = VIEW_ON_REQUEST, .help = "the same in words"},
    {.id = "unit", VIEW_AT(struct lane, unit_id), .shown = VIEW_ON_REQUEST, .help = "of its figures"},
    {.id = "mean", FIGURE(mean), .digits = 3, .help = "over all time in which samples were taken"},
    {.id = "greatest", .head = "max", FIGURE(greatest), .digits = 3, .help = "of a bin"},
    {.id = "roof", FIGURE(roof), .digits = 3, .excused = is_excused, .help = "the most that there can be"},
    {.id = "share", .head = "mean of roof", VIEW_AT(struct lane, share), .unit = RL_UNIT_FRACTION, .digits = 3,
     .shown = VIEW_ON_REQUEST, .help = "mean over the most that there can be"},
    {.id = "picture", .head = "over time", VIEW_AT(struct lane, picture), .for_people = true,
     .help = "how high each step was, of the most that there can be"},
    {.id = "bins", VIEW_AT_ROWS(struct lane, rates, bin_count, &rate_record), .shown = VIEW_ON_REQUEST,
     .help = "what it was in each bin; null without samples"},
};
const struct view_record view_record_moment = {
    .id = "timeline_samples", .help = "what samples of the whole GPU counted over time", VIEW_FIELDS(sample_fields)};
/* clang-format on */

/* ---- a bin, for CSV ---- */

struct bin {
    int64_t process;
    int gpu;
    const struct lane *lane;
    double start_s;
    struct rl_value time, covered, rate;
};

VIEW_CELL(bin_rate_cell, struct bin, view_cell_in(row->rate, row->lane->unit));

/* clang-format off */
static const struct view_field bin_fields[] = {
    {.id = "process", VIEW_AT(struct bin, process), .help = "number of the process"},
    {.id = "gpu", VIEW_AT(struct bin, gpu), .help = "index of the GPU"},
    {.id = "lane", VIEW_IN(struct bin, lane, id), .help = "what it is about"},
    {.id = "kernel", VIEW_IN(struct bin, lane, kernel), .help = "label of the kernel"},
    {.id = "kernel_id", VIEW_IN(struct bin, lane, kernel_id), .help = "its short name"},
    {.id = "start_s", VIEW_AT(struct bin, start_s), .unit = RL_UNIT_SECOND, .help = "beginning of the bin"},
    {.id = "time_s", VIEW_AT(struct bin, time), .unit = RL_UNIT_SECOND, .help = "of the bin; of lanes of samples there is none"},
    {.id = "covered_s", VIEW_AT(struct bin, covered), .unit = RL_UNIT_SECOND,
     .help = "of lanes of samples: how much of the bin has some"},
    {.id = "rate", VIEW_GET(NUMBER, bin_rate_cell), .unit_of_row = true, .help = "the same: mean while they were taken"},
    {.id = "unit", VIEW_IN(struct bin, lane, unit_id), .help = "of the rate"},
    {.id = "range_path", VIEW_IN(struct bin, lane, range_path),
     .help = "of the lane 'idle_in_range': the NVTX range that the next kernel was launched from"},
};
/* clang-format on */
const struct view_record view_record_timeline_bin = {.id = "timeline_bin", .help = "a bin of a lane", VIEW_FIELDS(bin_fields)};

/* Lanes of all timelines, then idle time by range, then samples. */
struct view_rows view_timeline_bins(const struct view *view)
{
    const struct rl_capture *capture = view_subject_of(view)->capture;
    const struct rl_analysis *analysis = view_subject_of(view)->analysis;
    const struct rl_value none = rl_value_missing(RL_UNDEFINED, "");
    const size_t most = capture->timeline_bin_count + capture->range_bin_count + capture->sampled_bin_count + 1;
    struct bin *rows = rl_arena_alloc(view->arena, most * sizeof *rows);
    size_t count = 0;
    for (size_t kind = 0; kind < RL_COUNT(kinds); kind++)
        for (size_t t = 0; t < analysis->over_time_count; t++) {
            const struct rl_over_time *over = &analysis->over_time[t];
            const struct rl_timeline *timeline = over->timeline;
            const struct view_rows lanes = kinds[kind](view, over);
            for (size_t i = 0; i < lanes.count; i++)
                for (size_t bin = 0; bin < timeline->bins; bin++) {
                    const struct lane *lane = (const struct lane *)lanes.first + i;
                    if (lane->bins_s[bin] <= 0)
                        continue;
                    assert(count < most);
                    rows[count++] = (struct bin){
                        .process = (int64_t)capture->processes[timeline->process].pid,
                        .gpu = capture->gpus[timeline->gpu].index,
                        .lane = lane,
                        .start_s = ((double)timeline->start_ns + (double)timeline->width_ns * (double)bin) * 1e-9,
                        .time = lane->rates ? none : rl_value_of(lane->bins_s[bin]),
                        .covered = lane->rates ? rl_value_of(lane->bins_s[bin]) : none,
                        .rate = lane->rates ? lane->rates[bin] : none,
                    };
                }
        }
    return VIEW_ROWS(rows, count);
}
