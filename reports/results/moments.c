/* moments.c - what samples of the whole GPU say of each moment (analysis/moments.h). */
#include <assert.h>
#include <math.h>

#include "show_parts.h"
#include "timeline_parts.h"

static const struct rl_capture *capture_of(const struct view *view)
{
    return view_subject_of(view)->capture;
}

/* ---- a lane: rows are struct rl_moment_lane ---- */

static const struct rl_moment_lane *lane_of(const void *row)
{
    assert(row && ((const struct rl_moment_lane *)row)->moment < RL_MOMENT_COUNT);
    return row;
}

static const struct rl_timeline *timeline_of(const struct view *view, const struct rl_moment_lane *lane)
{
    return &capture_of(view)->timelines[capture_of(view)->sampled_lanes[lane->lane].timeline];
}

enum text_key { TEXT_COUNTER, TEXT_LABEL, TEXT_UNIT, TEXT_MEANING };

static struct view_cell text_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_moment_row *of = &rl_moments[lane_of(row)->moment];
    const char *const texts[] = {[TEXT_COUNTER] = rl_sampled_name(of->counter),
                                 [TEXT_LABEL] = of->label,
                                 [TEXT_UNIT] = rl_unit_json(of->unit),
                                 [TEXT_MEANING] = of->meaning};
    return view_cell_text(texts[field->key]);
}

enum figure_key { FIGURE_MEAN, FIGURE_GREATEST, FIGURE_ROOF };

static struct view_cell figure_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_moment_lane *lane = lane_of(row);
    const struct rl_value figures[] = {[FIGURE_MEAN] = lane->mean, [FIGURE_GREATEST] = lane->greatest, [FIGURE_ROOF] = lane->roof};
    struct view_cell cell = view_cell_number(figures[field->key]);
    cell.unit = rl_moments[lane->moment].unit;
    return cell;
}

/* How high it is in each step, of the most that there can be, or where that is not known of its greatest; "?" is a step without a
 * sample. */
static struct view_cell picture_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_moment_lane *lane = lane_of(row);
    const uint32_t bins = timeline_of(view, lane)->bins, most = bins < VIEW_PICTURE ? bins : VIEW_PICTURE;
    const struct rl_value full = rl_present(lane->roof) ? lane->roof : lane->greatest;
    struct rl_buf text = RL_BUF_INIT;
    for (uint32_t i = 0; i < most && rl_present(lane->mean); i++) {
        const struct rl_value value = rl_moment_between(capture_of(view), lane, (uint32_t)((uint64_t)i * bins / most),
                                                        (uint32_t)((uint64_t)(i + 1) * bins / most));
        rl_buf_adds(&text, !rl_present(value) ? "?" : view_picture_step(full.v > 0 ? value.v / full.v : 0));
    }
    const char *kept = rl_arena_strdup(view->arena, text.len ? text.data : "");
    rl_buf_release(&text);
    return view_cell_text(kept);
}

/* A note below the table says what stands for it. */
static bool is_excused(const struct view *view, const void *row)
{
    return true;
}

static const struct view_field rate_fields[] = {{.id = "rate",
                                                 .type = VIEW_TYPE_NUMBER,
                                                 .access = VIEW_AT_VALUE,
                                                 .unit_of_row = true,
                                                 .help = "of one bin; absent without samples"}};
static const struct view_record rate_record = {
    .id = "bin_rate", .title = "", .help = "rate or share of one bin", VIEW_FIELDS(rate_fields), .plain = true};

static struct view_cell rates_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_moment_lane *lane = lane_of(row);
    const uint32_t bins = timeline_of(view, lane)->bins;
    struct rl_value *rates = rl_arena_alloc(view->arena, bins * sizeof *rates);
    for (uint32_t i = 0; i < bins; i++)
        rates[i] = rl_moment_between(capture_of(view), lane, i, i + 1);
    return view_cell_rows((struct view_rows){rates, sizeof *rates, bins, NULL});
}

/* clang-format off */
#define TEXT(which) .type = VIEW_TYPE_TEXT, .get = text_cell, .key = TEXT_##which
#define FIGURE(which) .type = VIEW_TYPE_NUMBER, .get = figure_cell, .key = FIGURE_##which, .unit_of_row = true
static const struct view_field moment_fields[] = {
    {.id = "counter", TEXT(COUNTER), .shown = VIEW_ON_REQUEST, .help = "what was sampled: a row of capture/sampled.def"},
    {.id = "label", .head = "lane", TEXT(LABEL), .for_people = true, .identifies = true, .help = "the same for people"},
    {.id = "meaning", TEXT(MEANING), .shown = VIEW_ON_REQUEST, .help = "the same in words"},
    {.id = "unit", TEXT(UNIT), .shown = VIEW_ON_REQUEST, .help = "of its figures"},
    {.id = "mean", FIGURE(MEAN), .digits = 3, .help = "over all time in which samples were taken"},
    {.id = "greatest", FIGURE(GREATEST), .digits = 3, .help = "of a bin"},
    {.id = "roof", FIGURE(ROOF), .digits = 3, .excused = is_excused, .help = "the most that there can be"},
    {.id = "share", .head = "mean of roof", VIEW_AT(struct rl_moment_lane, share), .unit = RL_UNIT_FRACTION, .digits = 3,
     .shown = VIEW_ON_REQUEST, .help = "mean over the most that there can be"},
    {.id = "picture", .head = "over time", .type = VIEW_TYPE_TEXT, .get = picture_cell, .for_people = true,
     .help = "how high each step was, of the most that there can be"},
    {.id = "bins", .type = VIEW_TYPE_LIST, .record = &rate_record, .get = rates_cell, .shown = VIEW_ON_REQUEST,
     .help = "what it was in each bin; null without samples"},
};
/* clang-format on */
const struct view_record view_record_moment = {
    .id = "timeline_samples", .title = "", .help = "what samples of the whole GPU counted over time", VIEW_FIELDS(moment_fields)};

struct view_cell view_moments_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_moments *moments = &((const struct rl_over_time *)row)->moments;
    return view_cell_rows((struct view_rows){moments->at, sizeof *moments->at, moments->count, NULL});
}

/* ---- when samples were taken ---- */

/* Of each bin, of any lane: samples have all counters. */
struct view_cell view_covered_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_over_time *over = row;
    const uint32_t bins = over->moments.count ? over->timeline->bins : 0;
    double *covered_s = rl_arena_alloc(view->arena, (bins + 1) * sizeof *covered_s);
    for (uint32_t i = 0; i < bins; i++)
        covered_s[i] = rl_moment_covered_s(capture_of(view), &over->moments.at[0], i, i + 1);
    return view_cell_rows((struct view_rows){covered_s, sizeof *covered_s, bins, NULL});
}

const char *view_unsampled(const struct rl_capture *capture, const struct rl_over_time *over)
{
    for (size_t i = 0; i < capture->sampling_count; i++)
        if (capture->samplings[i].gpu == over->timeline->gpu)
            return capture->samplings[i].failure ? "samples of the GPU could not be taken, or cannot be told by moment"
                                                 : "the capture has samples by kernel, and none by moment";
    return capture->sampling_count ? "the samples are of another GPU" : "the capture has no samples of the GPU";
}
