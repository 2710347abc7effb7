/* time_lanes.c - charts of what a GPU did over time: one lane with everything, then kernels, copies, and why none ran. */
#include <assert.h>
#include <math.h>

#include "core/mem.h"
#include "roofline_entries.h"
#include "time_lanes.h"

enum { MOST_STEPS = 240, MOST_CLASSES = 6, MOST_RANGES = 5, LABEL_COLUMNS = 36 };
#define WHOLE_HEIGHT 38.0 /* of the lane with everything */
#define STRIP_HEIGHT 26.0
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

/* ---- steps ---- */

static uint32_t bins_in_step(const struct rl_over_time *over)
{
    return (over->timeline->bins + MOST_STEPS - 1) / MOST_STEPS;
}

static size_t steps_of(const struct rl_over_time *over)
{
    return (over->timeline->bins + bins_in_step(over) - 1) / bins_in_step(over);
}

double rl_time_step_s(const struct rl_over_time *over)
{
    return (double)over->timeline->width_ns * 1e-9 * bins_in_step(over);
}

/* Shares of each step that lanes take, all of one kind added up. */
struct filling {
    struct rl_report *report;
    const struct rl_over_time *over;
    double *bins; /* room for one lane */
};

static double *no_shares(const struct filling *filling)
{
    return rl_arena_alloc(filling->report->doc->arena, (steps_of(filling->over) + 1) * sizeof(double));
}

/* Adds what the bins of a lane have, `sign` times. */
static void add_bins(const struct filling *filling, size_t lane, bool by_range, double sign, double *shares)
{
    const struct rl_timeline *timeline = filling->over->timeline;
    const uint32_t each = bins_in_step(filling->over);
    const double whole_ns = (double)timeline->width_ns * each;
    for (uint32_t i = 0; i < timeline->bins; i++)
        filling->bins[i] = 0;
    (by_range ? rl_range_lane_add_to : rl_lane_add_to)(filling->report->capture, lane, filling->bins);
    for (uint32_t i = 0; i < timeline->bins; i++)
        shares[i / each] += sign * filling->bins[i] / whole_ns;
}

/* The same of a lane of the capture. */
static void add_lane(const struct filling *filling, size_t lane, double sign, double *shares)
{
    add_bins(filling, lane, false, sign, shares);
}

/* Adds all lanes of a kind. */
static void add_kind(const struct filling *filling, enum rl_lane kind, double sign, double *shares)
{
    const struct rl_over_time *over = filling->over;
    for (size_t i = 0; i < over->lane_count; i++)
        if (filling->report->capture->timeline_lanes[over->first_lane + i].lane == kind)
            add_lane(filling, over->first_lane + i, sign, shares);
}

/* ---- lanes ---- */

enum {
    MOST_LANES = 1 + MOST_CLASSES + 1 + (RL_LANE_SET - RL_LANE_TO_DEVICE + 1) + (RL_LANE_UNWATCHED - RL_LANE_IDLE_COPY + 1) +
                 MOST_RANGES + 2 + RL_MOMENT_COUNT
};
struct lanes {
    struct filling filling;
    struct rl_chart_share_lane *at;
    size_t count, group; /* index of the first lane of the group that is being added */
};

static struct lanes lanes_new(struct rl_report *report, const struct rl_over_time *over)
{
    struct rl_arena *arena = report->doc->arena;
    return (struct lanes){.filling = {report, over, rl_arena_alloc(arena, over->timeline->bins * sizeof(double))},
                          .at = rl_arena_alloc(arena, MOST_LANES * sizeof(struct rl_chart_share_lane))};
}

/* "432 ms  21.6 %": of the whole axis. */
static const char *note(const struct lanes *lanes, double seconds)
{
    struct rl_document *doc = lanes->filling.report->doc;
    return rl_words(doc, "%s  %s", rl_words_seconds(doc, seconds),
                    rl_words_value(doc, RL_UNIT_FRACTION, rl_value_of(seconds / lanes->filling.over->axis_s), 3));
}

static void add_one(struct lanes *lanes, const char *label, enum rl_tone tone, double seconds, const double *shares)
{
    struct rl_chart_layer *layer = rl_arena_alloc(lanes->filling.report->doc->arena, sizeof *layer);
    assert(lanes->count < MOST_LANES);
    *layer = (struct rl_chart_layer){.tone = tone, .shares = shares};
    lanes->at[lanes->count++] = (struct rl_chart_share_lane){
        .label = label, .note = note(lanes, seconds), .height = LANE_HEIGHT, .full = 1, .layers = layer, .layer_count = 1};
}

/* The greatest share of a step in the lanes of the group, a little more than which is their full height. */
static void end_group(struct lanes *lanes, const char *name)
{
    struct rl_document *doc = lanes->filling.report->doc;
    double most = 0;
    for (size_t i = lanes->group; i < lanes->count; i++)
        for (size_t step = 0; step < steps_of(lanes->filling.over); step++)
            most = fmax(most, lanes->at[i].layers->shares[step]);
    for (size_t i = lanes->group; i < lanes->count; i++)
        lanes->at[i].full = most > 0 ? most : 1;
    if (lanes->group < lanes->count)
        lanes->at[lanes->group].head = rl_words(doc, "%s (full height: %s of the time)", name,
                                                rl_words_value(doc, RL_UNIT_FRACTION, rl_value_of(most > 0 ? most : 1), 2));
    lanes->group = lanes->count;
}

/* "269 ms (3.41 %)": of the axis, with its share. */
static const char *layer_total(const struct lanes *lanes, const double *shares)
{
    struct rl_document *doc = lanes->filling.report->doc;
    double steps = 0;
    for (size_t i = 0; i < steps_of(lanes->filling.over); i++)
        steps += shares[i];
    const double seconds = fmax(steps, 0) * rl_time_step_s(lanes->filling.over);
    return rl_words(doc, "%s (%s)", rl_words_seconds(doc, seconds),
                    rl_words_value(doc, RL_UNIT_FRACTION, rl_value_of(seconds / lanes->filling.over->axis_s), 3));
}

/* Everything that can be said of a moment, one on the other. */
static void add_whole(struct lanes *lanes, const char *label, double height)
{
    static const struct {
        const char *name;
        enum rl_tone tone;
    } rows[] = {{"kernels", RL_TONE_KERNELS},
                {"only copies", RL_TONE_COPYING},
                {"idle", RL_TONE_NO_KERNEL},
                {"not watched", RL_TONE_UNWATCHED}};
    struct rl_document *doc = lanes->filling.report->doc;
    struct rl_chart_layer *layers = rl_arena_alloc(doc->arena, RL_COUNT(rows) * sizeof *layers);
    double *shares[RL_COUNT(rows)];
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        shares[i] = no_shares(&lanes->filling);
    add_kind(&lanes->filling, RL_LANE_KERNELS, 1, shares[0]);
    add_kind(&lanes->filling, RL_LANE_BUSY, 1, shares[1]);
    add_kind(&lanes->filling, RL_LANE_KERNELS, -1, shares[1]);
    for (unsigned lane = RL_LANE_IDLE_WAIT; lane < RL_LANE_UNWATCHED; lane++)
        add_kind(&lanes->filling, (enum rl_lane)lane, 1, shares[2]);
    add_kind(&lanes->filling, RL_LANE_UNWATCHED, 1, shares[3]);
    for (size_t i = 0; i + 1 < steps_of(lanes->filling.over); i++) /* before the first kernel too; the last step may be cut short */
        shares[2][i] = fmax(1 - shares[0][i] - shares[1][i] - shares[3][i], 0);
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        layers[i] = (struct rl_chart_layer){
            .name = rows[i].name, .tone = rows[i].tone, .shares = shares[i], .total = layer_total(lanes, shares[i])};
    lanes->at[lanes->count++] = (struct rl_chart_share_lane){.key = true,
                                                             .label = label,
                                                             .note = rl_words_seconds(doc, lanes->filling.over->axis_s),
                                                             .height = height,
                                                             .full = 1,
                                                             .layers = layers,
                                                             .layer_count = RL_COUNT(rows)};
    lanes->group = lanes->count;
}

/* Of a class that was taken apart the lane is of all its parts. */
static const char *class_label(struct rl_report *report, size_t kernel)
{
    assert(kernel < report->capture->kernel_count);
    const struct rl_kernel_result *result = &report->analysis->kernels[kernel];
    return rl_words_short(report->doc, report->capture->kernels[kernel].population.total > 1 ? result->short_name : result->label,
                          LABEL_COLUMNS);
}

/* Classes stand by their time in the capture: those behind the first ones are others, too. */
static void add_classes(struct lanes *lanes)
{
    struct rl_report *report = lanes->filling.report;
    const struct rl_over_time *over = lanes->filling.over;
    double *others = no_shares(&lanes->filling), others_s = over->lane_s[RL_LANE_OTHER_CLASSES];
    size_t classes = 0;
    add_kind(&lanes->filling, RL_LANE_OTHER_CLASSES, 1, others);
    for (size_t i = 0; i < over->lane_count; i++) {
        const struct rl_timeline_lane *lane = &report->capture->timeline_lanes[over->first_lane + i];
        if (lane->lane != RL_LANE_CLASS)
            continue;
        const bool own = classes < MOST_CLASSES && (double)lane->total_ns * 1e-9 >= LEAST_SHARE * over->axis_s;
        double *shares = own ? no_shares(&lanes->filling) : others;
        add_lane(&lanes->filling, over->first_lane + i, 1, shares);
        classes += own;
        if (own)
            add_one(lanes, class_label(report, lane->kernel), rl_words_tone(report->analysis->kernels[lane->kernel].bound),
                    (double)lane->total_ns * 1e-9, shares);
        else
            others_s += (double)lane->total_ns * 1e-9;
    }
    if (others_s >= LEAST_SHARE * over->axis_s)
        add_one(lanes, "other kernels", RL_TONE_NEUTRAL, others_s, others);
    end_group(lanes, "Kernels");
}

static void add_kinds(struct lanes *lanes, enum rl_lane first, enum rl_lane last, enum rl_tone tone)
{
    for (unsigned lane = first; lane <= last; lane++) {
        const double seconds = lanes->filling.over->lane_s[lane];
        const bool is_gap = lane >= RL_LANE_IDLE_COPY && lane <= RL_LANE_UNWATCHED;
        if (seconds < LEAST_SHARE * lanes->filling.over->axis_s)
            continue;
        double *shares = no_shares(&lanes->filling);
        add_kind(&lanes->filling, (enum rl_lane)lane, 1, shares);
        add_one(lanes, is_gap ? rl_gap_cause_of((enum rl_lane)lane)->label : rl_lanes[lane].label,
                lane == RL_LANE_UNWATCHED   ? RL_TONE_UNWATCHED
                : lane == RL_LANE_IDLE_COPY ? RL_TONE_COPYING
                                            : tone,
                seconds, shares);
    }
}

/* ---- where the host was while no kernel ran ---- */

static const char *place_label(struct rl_report *report, const struct rl_range_lane *lane)
{
    struct rl_buf label = RL_BUF_INIT;
    rl_range_lane_label(report->capture, lane, &label);
    const char *text = rl_words_short(report->doc, label.data, LABEL_COLUMNS);
    rl_buf_release(&label);
    return text;
}

/* Ranges stand by their time in the capture: those behind the first ones, and those with too little, are others, too. */
static void add_ranges(struct lanes *lanes)
{
    struct rl_report *report = lanes->filling.report;
    const struct rl_over_time *over = lanes->filling.over;
    double *rest[] = {no_shares(&lanes->filling), no_shares(&lanes->filling)}, rest_s[] = {0, 0}; /* in others, in none */
    static const char *const labels[] = {"other NVTX ranges", "outside of all NVTX ranges"};
    size_t ranges = 0;
    for (size_t i = over->first_range_lane; i < over->first_range_lane + over->range_lane_count; i++) {
        const struct rl_range_lane *lane = &report->capture->range_lanes[i];
        const double seconds = (double)lane->total_ns * 1e-9;
        const bool own = lane->place == RL_IDLE_RANGE && ranges < MOST_RANGES && seconds >= LEAST_SHARE * over->axis_s;
        const size_t to = lane->place == RL_IDLE_NO_RANGE;
        double *shares = own ? no_shares(&lanes->filling) : rest[to];
        add_bins(&lanes->filling, i, true, 1, shares);
        ranges += own;
        rest_s[to] += own ? 0 : seconds;
        if (own)
            add_one(lanes, place_label(report, lane), RL_TONE_NO_KERNEL, seconds, shares);
    }
    for (size_t i = 0; i < RL_COUNT(rest); i++)
        if (rest_s[i] >= LEAST_SHARE * over->axis_s)
            add_one(lanes, labels[i], RL_TONE_NO_KERNEL, rest_s[i], rest[i]);
    end_group(lanes, "No kernel ran before launches in");
}

/* ---- samples of the whole GPU ---- */

static const enum rl_tone moment_tones[RL_MOMENT_COUNT] = {
    [RL_MOMENT_dram_read] = RL_TONE_MEMORY,   [RL_MOMENT_dram_write] = RL_TONE_MEMORY, [RL_MOMENT_sm_active] = RL_TONE_KERNELS,
    [RL_MOMENT_tensor] = RL_TONE_COMPUTE,     [RL_MOMENT_pcie_read] = RL_TONE_COPYING, [RL_MOMENT_pcie_write] = RL_TONE_COPYING,
    [RL_MOMENT_nvlink_received] = RL_TONE_L1, [RL_MOMENT_nvlink_sent] = RL_TONE_L1,
};

/* Of the most that there can be; where that is not known of the greatest. In a step with samples a line shows at least: where there
 * is none, there was no sample. */
static const double *moment_shares(const struct lanes *lanes, const struct rl_moment_lane *of)
{
    const struct rl_over_time *over = lanes->filling.over;
    const double full = rl_present(of->roof) ? of->roof.v : of->greatest.v;
    const uint32_t each = bins_in_step(over), bins = over->timeline->bins;
    double *shares = no_shares(&lanes->filling);
    for (uint32_t i = 0; i < bins; i += each) {
        const struct rl_value value = rl_moment_between(lanes->filling.report->capture, of, i, i + each < bins ? i + each : bins);
        if (rl_present(value))
            shares[i / each] = fmax(full > 0 ? value.v / full : 0, LEAST_LINE / LANE_HEIGHT);
    }
    return shares;
}

/* "DRAM read, of 4.89 TB/s"; without a roof "PCIe read, up to 45.0 GB/s" */
static const char *moment_label(struct rl_document *doc, const struct rl_moment_lane *of)
{
    const struct rl_moment_row *row = &rl_moments[of->moment];
    if (row->unit == RL_UNIT_FRACTION)
        return row->label;
    const struct rl_value full = rl_present(of->roof) ? of->roof : of->greatest;
    return rl_words(doc, "%s, %s %s", row->label, rl_present(of->roof) ? "of" : "up to", rl_words_value(doc, row->unit, full, 3));
}

static const char *moment_note(struct rl_document *doc, const struct rl_moment_lane *of)
{
    const struct rl_moment_row *row = &rl_moments[of->moment];
    const char *mean = rl_words_value(doc, row->unit, of->mean, 3);
    return row->unit == RL_UNIT_FRACTION || !rl_present(of->share)
               ? mean
               : rl_words(doc, "%s  %s", mean, rl_words_value(doc, RL_UNIT_FRACTION, of->share, 3));
}

bool rl_time_has_moments(const struct rl_over_time *over)
{
    return rl_present(over->moments.covered) && over->moments.covered.v >= LEAST_SEEN;
}

static void add_moments(struct lanes *lanes)
{
    struct rl_document *doc = lanes->filling.report->doc;
    const struct rl_moments *moments = &lanes->filling.over->moments;
    for (size_t i = 0; i < moments->count && rl_time_has_moments(lanes->filling.over); i++) {
        const struct rl_moment_lane *of = &moments->at[i];
        if (!rl_present(of->mean) || of->greatest.v <= 0)
            continue;
        add_one(lanes, moment_label(doc, of), moment_tones[of->moment], 0, moment_shares(lanes, of));
        lanes->at[lanes->count - 1].note = moment_note(doc, of);
    }
    if (lanes->group < lanes->count)
        lanes->at[lanes->group].head = "Samples of the whole GPU (full height: the roof, without one the greatest)";
    lanes->group = lanes->count;
}

static void lower(struct lanes *lanes)
{
    assert(lanes->count > 0);
    for (size_t i = 1; i < lanes->count && lanes->count > FULL_LANES; i++)
        lanes->at[i].height = LANE_HEIGHT * FULL_LANES / (double)lanes->count;
}

static void plan(struct rl_section *section, const struct lanes *lanes, const char *x_title)
{
    const struct rl_over_time *over = lanes->filling.over;
    struct rl_chart *chart = rl_document_chart(lanes->filling.report->doc, section, RL_CHART_LANES);
    chart->lanes = (struct rl_chart_lanes){.x_title = x_title,
                                           .lanes = lanes->at,
                                           .lane_count = lanes->count,
                                           .step_count = steps_of(over),
                                           .step_s = rl_time_step_s(over)};
}

void rl_time_lanes_plan(struct rl_report *report, struct rl_section *section, const struct rl_over_time *over)
{
    struct lanes lanes = lanes_new(report, over);
    add_whole(&lanes, "the GPU", WHOLE_HEIGHT);
    add_classes(&lanes);
    add_moments(&lanes);
    add_kinds(&lanes, RL_LANE_TO_DEVICE, RL_LANE_SET, RL_TONE_COPYING);
    end_group(&lanes, "Copies and sets");
    add_kinds(&lanes, RL_LANE_IDLE_COPY, RL_LANE_UNWATCHED, RL_TONE_NO_KERNEL);
    end_group(&lanes, "No kernel ran because of");
    add_ranges(&lanes);
    lower(&lanes);
    plan(section, &lanes, "Time since the first activity");
}

void rl_time_strip_plan(struct rl_report *report, struct rl_section *section, const struct rl_over_time *over)
{
    struct lanes lanes = lanes_new(report, over);
    add_whole(&lanes, "the GPU", STRIP_HEIGHT);
    plan(section, &lanes, NULL);
}
