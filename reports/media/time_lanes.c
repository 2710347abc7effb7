/* time_lanes.c - charts of what a GPU did over time: one lane with everything, then kernels, copies, and why none ran. */

#include "roofline_entries.h"

enum { MOST_STEPS = 240, MOST_CLASSES = 6, LABEL_COLUMNS = 36 };
#define WHOLE_HEIGHT 38.0 /* of the lane with everything */
#define LANE_HEIGHT  15.0
#define FULL_LANES   24    /* of that height; more are lower, so that the chart and its caption fit a page */
#define LEAST_LINE   0.5   /* points */
#define LEAST_SHARE  0.001 /* of the axis: less is not seen, and has no lane */
#define LEAST_SEEN   0.01  /* of the axis that samples must cover */

/* ---- which ---- */

static bool is_shown(const struct rl_report *report, size_t index)
{
    return !report->hidden || !report->hidden[report->analysis->over_time[index].timeline->gpu];
}

size_t rl_timelines_shown(const struct rl_report *report)
{
    size_t count = 0;
    for (size_t i = 0; i < report->analysis->over_time_count && count < RL_MOST_TIMELINES; i++)
        count += is_shown(report, i);
    return count;
}

const struct rl_over_time *rl_timeline_at(const struct rl_report *report, size_t instance)
{
    for (size_t i = 0; i < report->analysis->over_time_count; i++)
        if (is_shown(report, i) && instance-- == 0)
            return &report->analysis->over_time[i];
    assert(!"a page of a timeline that there is not");
    return NULL;
}

const struct rl_over_time *rl_timeline_of_gpu(const struct rl_report *report, size_t gpu)
{
    for (size_t i = 0; i < report->analysis->over_time_count; i++) {
        const struct rl_over_time *over = &report->analysis->over_time[i];
        if (over->timeline->gpu == gpu && !over->is_shared)
            return over;
    }
    return NULL;
}

/* ---- lanes ---- */

enum {
    MOST_LANES =
        1 + MOST_CLASSES + 1 + (RL_LANE_SET - RL_LANE_TO_DEVICE + 1) + (RL_LANE_UNWATCHED - RL_LANE_IDLE_COPY + 1) + RL_MOMENT_COUNT
};
/* A chart while it is made. */
struct lanes {
    struct rl_report *report;
    struct rl_document *doc;
    const struct rl_over_time *over;
    uint32_t each; /* bins in a step */
    size_t steps;
    double step_s;
    double *bins;             /* room for those of one lane */
    const double *collection; /* shares of counter collection in each step */
    struct rl_chart_share_lane *at;
    size_t count, group; /* index of the first lane of the group that is being added */
};

static uint32_t bins_in_step(const struct rl_over_time *over)
{
    return (over->timeline->bins + MOST_STEPS - 1) / MOST_STEPS;
}

double rl_time_step_s(const struct rl_over_time *over)
{
    return (double)over->timeline->width_ns * 1e-9 * bins_in_step(over);
}

/* Shares of each step, none yet. */
static double *no_shares(const struct lanes *lanes)
{
    return rl_arena_alloc(lanes->doc->arena, (lanes->steps + 1) * sizeof(double));
}

/* Adds what the bins of a lane of the capture have, `sign` times. */
static void add_bins(const struct lanes *lanes, size_t lane, double sign, double *shares)
{
    const struct rl_timeline *timeline = lanes->over->timeline;
    const struct rl_capture *capture = lanes->report->capture;
    const double whole_ns = (double)timeline->width_ns * lanes->each;
    for (uint32_t i = 0; i < timeline->bins; i++)
        lanes->bins[i] = 0;
    rl_lane_add_to(capture->timeline_bins, capture->timeline_bin_count, lane, lanes->bins);
    for (uint32_t i = 0; i < timeline->bins; i++)
        shares[i / lanes->each] += sign * lanes->bins[i] / whole_ns;
}

/* Adds all lanes of a kind. */
static void add_kind(const struct lanes *lanes, enum rl_lane kind, double sign, double *shares)
{
    const struct rl_over_time *over = lanes->over;
    for (size_t i = over->first_lane; i < over->first_lane + over->lane_count; i++)
        if (lanes->report->capture->timeline_lanes[i].lane == kind)
            add_bins(lanes, i, sign, shares);
}

/* "432 ms  21.6 %": its share of the wall time. */
static const char *time_words(const struct lanes *lanes, double seconds)
{
    return lanes->over->wall_s > 0
               ? rl_words(lanes->doc, "%s  %s", rl_words_seconds(lanes->doc, seconds),
                          rl_words_value(lanes->doc, RL_UNIT_FRACTION, rl_value_of(seconds / lanes->over->wall_s), 3))
               : rl_words_seconds(lanes->doc, seconds);
}

/* `note` NULL: its seconds. */
static void add_one(struct lanes *lanes, const char *label, enum rl_tone tone, double seconds, const double *shares,
                    const char *note)
{
    struct rl_chart_layer *layer = rl_arena_alloc(lanes->doc->arena, sizeof *layer);
    assert(lanes->count < MOST_LANES);
    *layer = (struct rl_chart_layer){.tone = tone, .shares = shares};
    lanes->at[lanes->count++] = (struct rl_chart_share_lane){.label = label,
                                                             .note = note ? note : time_words(lanes, seconds),
                                                             .height = LANE_HEIGHT,
                                                             .full = 1,
                                                             .layers = layer,
                                                             .layer_count = 1,
                                                             .above = lanes->doc->web && strlen(label) > LABEL_COLUMNS};
}

/* The largest share of a step in the lanes of the group is their full height. */
static void end_group(struct lanes *lanes, const char *name)
{
    double most = 0;
    for (size_t i = lanes->group; i < lanes->count; i++)
        for (size_t step = 0; step < lanes->steps; step++)
            most = fmax(most, lanes->at[i].layers->shares[step]);
    most = most > 0 ? most : 1;
    for (size_t i = lanes->group; i < lanes->count; i++)
        lanes->at[i].full = most;
    if (lanes->group < lanes->count)
        lanes->at[lanes->group].head = rl_words(lanes->doc, "%s (full height: %s of the time)", name,
                                                rl_words_value(lanes->doc, RL_UNIT_FRACTION, rl_value_of(most), 2));
    lanes->group = lanes->count;
}

/* Time in no lane: idle after the last kernel; before the first one idle time and counter collection, of which only the sums are
 * known. The last step may end early. `shares`: of kernels, copies, idle time and collection. */
static void add_edges(const struct lanes *lanes, double *const shares[4])
{
    const struct rl_over_time *over = lanes->over;
    double *rest = no_shares(lanes), before_s = 0;
    size_t first = 0; /* step with a kernel */
    while (first < lanes->steps && shares[0][first] <= 0)
        first++;
    for (size_t i = 0; i + 1 < lanes->steps; i++) {
        rest[i] = fmax(1 - shares[0][i] - shares[1][i] - shares[2][i] - shares[3][i], 0);
        before_s += i <= first ? rest[i] * lanes->step_s : 0;
    }
    const double unseen_s = over->collection_s - over->lane_s[RL_LANE_UNWATCHED];
    const double collected = before_s > 0 ? fmin(unseen_s / before_s, 1) : 0;
    for (size_t i = 0; i + 1 < lanes->steps; i++) {
        shares[3][i] += i <= first ? rest[i] * collected : 0;
        shares[2][i] += i <= first ? rest[i] * (1 - collected) : rest[i];
    }
}

/* A chart whose first lane stacks everything at a moment. */
static struct lanes lanes_new(struct rl_report *report, const struct rl_over_time *over, double height)
{
    static const struct {
        const char *name;
        enum rl_tone tone;
    } rows[] = {{"kernels", RL_TONE_KERNELS},
                {"memcpy, memset alone", RL_TONE_COPYING},
                {"idle", RL_TONE_NO_KERNEL},
                {"counter collection", RL_TONE_UNWATCHED}};
    struct rl_arena *arena = report->doc->arena;
    struct lanes lanes = {.report = report,
                          .doc = report->doc,
                          .over = over,
                          .each = bins_in_step(over),
                          .step_s = rl_time_step_s(over),
                          .bins = rl_arena_alloc(arena, over->timeline->bins * sizeof(double)),
                          .at = rl_arena_alloc(arena, MOST_LANES * sizeof(struct rl_chart_share_lane))};
    struct rl_chart_layer *layers = rl_arena_alloc(arena, RL_COUNT(rows) * sizeof *layers);
    double *shares[RL_COUNT(rows)];
    lanes.steps = (over->timeline->bins + lanes.each - 1) / lanes.each;
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        shares[i] = no_shares(&lanes);
    add_kind(&lanes, RL_LANE_KERNELS, 1, shares[0]);
    add_kind(&lanes, RL_LANE_BUSY, 1, shares[1]);
    add_kind(&lanes, RL_LANE_KERNELS, -1, shares[1]);
    for (unsigned lane = RL_LANE_IDLE_WAIT; lane < RL_LANE_UNWATCHED; lane++)
        add_kind(&lanes, (enum rl_lane)lane, 1, shares[2]);
    add_kind(&lanes, RL_LANE_UNWATCHED, 1, shares[3]);
    add_edges(&lanes, shares);
    lanes.collection = shares[3];
    const double busy_s = over->wall_s - over->idle_s, kernels_s = over->lane_s[RL_LANE_KERNELS];
    const double seconds[] = {kernels_s, busy_s - kernels_s, over->idle_s, over->collection_s};
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        layers[i] = (struct rl_chart_layer){
            .name = rows[i].name, .tone = rows[i].tone, .shares = shares[i], .total = rl_words_seconds(lanes.doc, seconds[i])};
    lanes.at[0] =
        (struct rl_chart_share_lane){.key = true,
                                     .label = "the GPU",
                                     .note = rl_words(lanes.doc, "%s wall time", rl_words_seconds(lanes.doc, over->wall_s)),
                                     .height = height,
                                     .full = 1,
                                     .layers = layers,
                                     .layer_count = RL_COUNT(rows)};
    lanes.count = lanes.group = 1;
    return lanes;
}

/* "~485 ms": launches that were not timed, as in counter collection, are no part of the wall time. */
static const char *kernels_words(const struct lanes *lanes, const struct rl_class_time *time)
{
    if (time->state == RL_TIME_WHOLE)
        return time_words(lanes, time->ns * 1e-9);
    return rl_words(lanes->doc, "%s%s", rl_time_state_sign(time->state), rl_words_seconds(lanes->doc, time->ns * 1e-9));
}

/* Classes stand by their time in the capture: those behind the first ones are others, too. Of a class that was taken apart the lane
 * is of all its parts. */
static void add_classes(struct lanes *lanes)
{
    const struct rl_capture *capture = lanes->report->capture;
    const struct rl_over_time *over = lanes->over;
    double *others = no_shares(lanes), others_s = 0;
    struct rl_class_time others_time = {.state = RL_TIME_NONE};
    size_t classes = 0;
    for (size_t i = over->first_lane; i < over->first_lane + over->lane_count; i++) {
        const struct rl_timeline_lane *lane = &capture->timeline_lanes[i];
        const double seconds = (double)lane->total_ns * 1e-9;
        if (lane->lane != RL_LANE_CLASS && lane->lane != RL_LANE_OTHER_CLASSES)
            continue;
        const struct rl_class_time time = rl_lane_time_of(capture, over, lane);
        if (lane->lane != RL_LANE_CLASS || classes >= MOST_CLASSES || seconds < LEAST_SHARE * over->axis_s) {
            add_bins(lanes, i, 1, others);
            others_s += seconds;
            rl_class_time_add(&others_time, &time);
            continue;
        }
        const struct rl_kernel_result *result = &lanes->report->analysis->kernels[lane->kernel];
        const bool is_apart = capture->kernels[lane->kernel].population.total > 1;
        double *shares = no_shares(lanes);
        add_bins(lanes, i, 1, shares);
        add_one(lanes, rl_words_short(lanes->doc, is_apart ? result->short_name : result->label, LABEL_COLUMNS),
                rl_words_tone(rl_limiter_of(result->limits.limiter, result->bound)), 0, shares, kernels_words(lanes, &time));
        classes++;
    }
    if (others_s >= LEAST_SHARE * over->axis_s)
        add_one(lanes, "other kernels", RL_TONE_INK, 0, others, kernels_words(lanes, &others_time));
    end_group(lanes, "Kernels");
}

static void add_kinds(struct lanes *lanes, enum rl_lane first, enum rl_lane last, const char *name)
{
    for (unsigned lane = first; lane <= last; lane++) {
        const bool is_gap = lane >= RL_LANE_IDLE_COPY, is_collection = lane == RL_LANE_UNWATCHED;
        const double seconds = is_collection ? lanes->over->collection_s : lanes->over->lane_s[lane];
        if (seconds < LEAST_SHARE * lanes->over->axis_s)
            continue;
        double *shares = no_shares(lanes);
        add_kind(lanes, (enum rl_lane)lane, 1, shares);
        add_one(lanes, is_gap ? rl_gap_cause_of((enum rl_lane)lane)->label : rl_lanes[lane].label,
                is_collection              ? RL_TONE_UNWATCHED
                : lane > RL_LANE_IDLE_COPY ? RL_TONE_NO_KERNEL
                                           : RL_TONE_COPYING,
                seconds, is_collection ? lanes->collection : shares, is_collection ? rl_words_seconds(lanes->doc, seconds) : NULL);
    }
    end_group(lanes, name);
}

/* ---- samples of the whole GPU ---- */

static const enum rl_tone moment_tones[RL_MOMENT_COUNT] = {
    [RL_MOMENT_dram_read] = RL_TONE_DRAM,       [RL_MOMENT_dram_write] = RL_TONE_DRAM,   [RL_MOMENT_sm_active] = RL_TONE_KERNELS,
    [RL_MOMENT_tensor] = RL_TONE_COMPUTE,       [RL_MOMENT_pcie_read] = RL_TONE_COPYING, [RL_MOMENT_pcie_write] = RL_TONE_COPYING,
    [RL_MOMENT_nvlink_received] = RL_TONE_LINK, [RL_MOMENT_nvlink_sent] = RL_TONE_LINK,
};

bool rl_time_has_moments(const struct rl_over_time *over)
{
    return rl_present(over->moments.covered) && over->moments.covered.v >= LEAST_SEEN;
}

/* Shares of the maximum possible; where that is unknown of the largest value. In a step with samples a line shows at least: where
 * there is none, there was no sample. Labels are "DRAM read, of 4.89 TB/s", without a roof "PCIe read, up to 45.0 GB/s". */
static void add_moment(struct lanes *lanes, const struct rl_moment_lane *of)
{
    const struct rl_moment_row *row = &rl_moments[of->moment];
    const struct rl_value full = rl_present(of->roof) ? of->roof : of->greatest;
    const uint32_t bins = lanes->over->timeline->bins;
    const char *label = row->label, *note = rl_words_value(lanes->doc, row->unit, of->mean, 3);
    double *shares = no_shares(lanes);
    for (uint32_t i = 0; i < bins; i += lanes->each) {
        const uint32_t end = i + lanes->each < bins ? i + lanes->each : bins;
        const struct rl_value value = rl_moment_between(lanes->report->capture, of, i, end);
        if (rl_present(value))
            shares[i / lanes->each] = fmax(full.v > 0 ? value.v / full.v : 0, LEAST_LINE / LANE_HEIGHT);
    }
    if (row->unit != RL_UNIT_FRACTION)
        label = rl_words(lanes->doc, "%s, %s %s", label, rl_present(of->roof) ? "of" : "up to",
                         rl_words_value(lanes->doc, row->unit, full, 3));
    if (row->unit != RL_UNIT_FRACTION && rl_present(of->share))
        note = rl_words(lanes->doc, "%s  %s", note, rl_words_value(lanes->doc, RL_UNIT_FRACTION, of->share, 3));
    add_one(lanes, label, moment_tones[of->moment], 0, shares, note);
}

void rl_time_lanes_plan(struct rl_report *report, struct rl_section *section, const struct rl_over_time *over)
{
    struct lanes lanes = lanes_new(report, over, WHOLE_HEIGHT);
    add_classes(&lanes);
    const struct rl_moments *moments = &lanes.over->moments;
    for (size_t i = 0; i < moments->count && rl_time_has_moments(lanes.over); i++)
        if (rl_present(moments->at[i].mean) && moments->at[i].greatest.v > 0)
            add_moment(&lanes, &moments->at[i]);
    if (lanes.group < lanes.count)
        lanes.at[lanes.group].head = "Samples of the whole GPU (full height: the roof, or else the maximum)";
    lanes.group = lanes.count;
    add_kinds(&lanes, RL_LANE_TO_DEVICE, RL_LANE_SET, "Memcpys and memsets");
    add_kinds(&lanes, RL_LANE_IDLE_COPY, RL_LANE_UNWATCHED, "No kernel ran because of");
    for (size_t i = 1; i < lanes.count && lanes.count > FULL_LANES; i++)
        lanes.at[i].height = LANE_HEIGHT * FULL_LANES / (double)lanes.count;
    rl_document_chart(lanes.doc, section, RL_CHART_LANES)->lanes =
        (struct rl_chart_lanes){.x_title = "Time since the first activity",
                                .lanes = lanes.at,
                                .lane_count = lanes.count,
                                .step_count = lanes.steps,
                                .step_s = lanes.step_s};
}
