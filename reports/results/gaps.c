/* gaps.c - why no kernel ran: by cause, and ranked by what it cost (see timeline.h). */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/sort.h"
#include "show_parts.h"
#include "timeline_parts.h"

enum { MOST_GAPS = 15, PATH_COLUMNS = 48 };

static const struct rl_over_time *over_time_of(const struct view *view, const void *gap)
{
    const struct rl_analysis *analysis = view_subject_of(view)->analysis;
    assert(((const struct rl_gap *)gap)->over_time < analysis->over_time_count);
    return &analysis->over_time[((const struct rl_gap *)gap)->over_time];
}

const char *view_range_path(const struct view *view, size_t range)
{
    struct rl_buf path = RL_BUF_INIT;
    if (range == RL_NONE)
        return NULL;
    assert(range < view_subject_of(view)->capture->range_count);
    rl_range_path(view_subject_of(view)->capture, range, &path);
    const char *kept = rl_arena_strdup(view->arena, path.data);
    rl_buf_release(&path);
    return kept;
}

const char *view_range_lane_text(const struct view *view, const struct rl_range_lane *lane, bool people)
{
    struct rl_buf label = RL_BUF_INIT;
    if (!people)
        return view_range_path(view, lane->range);
    rl_range_lane_label(view_subject_of(view)->capture, lane, &label);
    const char *kept = rl_arena_strdup(view->arena, label.data);
    rl_buf_release(&label);
    return kept;
}

/* ---- a gap ---- */

enum text_key { TEXT_CAUSE, TEXT_LABEL, TEXT_PATH, TEXT_WHERE, TEXT_RANGE, TEXT_DOMAIN, TEXT_ACTION, TEXT_ADVICE };

/* Where the kernel was launched that ended it. */
static const char *where(const struct view *view, const struct rl_gap *gap)
{
    const char *path = view_range_path(view, gap->range);
    return path ? path : view_subject_of(view)->capture->range_count ? "no NVTX range" : NULL;
}

static const char *text_of(const struct view *view, const struct rl_gap *gap, enum text_key key)
{
    assert(gap->cause < RL_LANE_COUNT);
    const struct rl_range *range = gap->range == RL_NONE ? NULL : &view_subject_of(view)->capture->ranges[gap->range];
    const struct rl_gap_cause *cause = rl_gap_cause_of(gap->cause);
    const char *const texts[] = {[TEXT_CAUSE] = rl_lanes[gap->cause].id,
                                 [TEXT_LABEL] = cause->label,
                                 [TEXT_PATH] = view_range_path(view, gap->range),
                                 [TEXT_WHERE] = where(view, gap),
                                 [TEXT_RANGE] = range ? range->name : NULL,
                                 [TEXT_DOMAIN] = range ? range->domain : NULL,
                                 [TEXT_ACTION] = *cause->action ? cause->action : NULL,
                                 [TEXT_ADVICE] = cause->advice};
    assert(key < RL_COUNT(texts));
    return texts[key];
}

static struct view_cell text_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_text(text_of(view, row, (enum text_key)field->key));
}

static struct view_cell place_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_over_time *over = over_time_of(view, row);
    const struct rl_capture *capture = view_subject_of(view)->capture;
    return view_cell_integer(field->key ? (int64_t)capture->processes[over->timeline->process].pid
                                        : (int64_t)capture->gpus[over->timeline->gpu].index);
}

static struct view_cell mean_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_gap *gap = row;
    return view_cell_number(rl_value_div(rl_value_of(gap->total_s), rl_value_of((double)gap->count), "no time"));
}

/* Nothing is said about what was not watched: it is no part of the whole. */
static bool was_not_watched(const struct view *view, const void *row)
{
    return ((const struct rl_gap *)row)->cause == RL_LANE_UNWATCHED;
}

/* clang-format off */
#define TEXT(which) .type = VIEW_TYPE_TEXT, .get = text_cell, .key = (which)
static const struct view_field gap_fields[] = {
    {.id = "process", .type = VIEW_TYPE_INTEGER, .get = place_cell, .key = 1, .shown = VIEW_ON_REQUEST,
     .help = "number of the process"},
    {.id = "gpu", .head = "GPU", .type = VIEW_TYPE_INTEGER, .get = place_cell, .key = 0, .shown = VIEW_SHOWN_WHEN_ANY,
     .help = "index of the GPU"},
    {.id = "cause", TEXT(TEXT_CAUSE), .shown = VIEW_ON_REQUEST,
     .help = "why no kernel ran: 'idle_copy', 'idle_wait', 'idle_launch', 'idle_host', 'idle_unknown' or 'unwatched'"},
    {.id = "cause_text", .head = "no kernel because of", TEXT(TEXT_LABEL), .for_people = true, .identifies = true,
     .help = "the same for people"},
    {.id = "where", .head = "before launches in", TEXT(TEXT_WHERE), .for_people = true, .columns = PATH_COLUMNS,
     .shown = VIEW_SHOWN_WHEN_ANY, .look = VIEW_LOOK_CODE,
     .help = "NVTX range from which the next kernel was launched, and those around it"},
    {.id = "range_path", TEXT(TEXT_PATH), .shown = VIEW_ON_REQUEST, .optional = true,
     .help = "NVTX range from which the next kernel was launched, behind those around it; absent: none, or not known"},
    {.id = "range", TEXT(TEXT_RANGE), .shown = VIEW_ON_REQUEST, .optional = true, .help = "its name alone"},
    {.id = "domain", TEXT(TEXT_DOMAIN), .shown = VIEW_ON_REQUEST, .optional = true, .help = "its domain; absent: the default one"},
    {.id = "count", .head = "times", VIEW_AT(struct rl_gap, count), .help = "times between two kernels that have something of it"},
    {.id = "time_s", .head = "time", VIEW_AT(struct rl_gap, total_s), .unit = RL_UNIT_SECOND,
     .help = "all of them: at most that much can be saved"},
    {.id = "share", .head = "share", VIEW_AT(struct rl_gap, share), .unit = RL_UNIT_FRACTION, .digits = 3, .bar = true,
     .excused = was_not_watched, .help = "share of the time from the first kernel to the last, without what was not watched"},
    {.id = "mean_s", .head = "mean", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_SECOND, .digits = 3, .get = mean_cell,
     .scale = "gap", .help = "one of them on average"},
    {.id = "longest_s", .head = "longest", VIEW_AT(struct rl_gap, longest_s), .unit = RL_UNIT_SECOND, .digits = 3, .scale = "gap",
     .help = "the longest one"},
    {.id = "action", .head = "try", TEXT(TEXT_ACTION), .shown = VIEW_ON_REQUEST, .optional = true,
     .help = "what to do about it, in few words"},
    {.id = "advice", TEXT(TEXT_ADVICE), .shown = VIEW_ON_REQUEST, .wraps = true, .help = "the same in a sentence"},
};
/* clang-format on */
const struct view_record view_record_gap = {
    .id = "gap", .title = "", .help = "times without a kernel of one cause", VIEW_FIELDS(gap_fields)};

/* ---- a cause ---- */

static struct view_cell cause_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_gap_cause *of = row;
    switch ((enum text_key)field->key) {
    case TEXT_CAUSE:
        return view_cell_text(rl_lanes[of->cause->lane].id);
    case TEXT_LABEL:
        return view_cell_text(of->cause->label);
    case TEXT_PATH:
        return view_cell_text(of->greatest ? view_range_path(view, of->greatest->range) : NULL);
    case TEXT_WHERE:
        return view_cell_text(of->cause->phrase);
    default:
        return view_cell_text(of->cause->advice);
    }
}

static struct view_cell cause_share_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_gap_cause *of = row;
    if (of->cause->lane == RL_LANE_UNWATCHED)
        return view_cell_absent("");
    return view_cell_number(rl_value_div(rl_value_of(of->time_s), rl_value_of(of->whole_s), "no time between kernels"));
}

static struct view_cell most_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_gap_cause *of = row;
    return of->greatest ? view_cell_number(rl_value_of(of->greatest->total_s)) : view_cell_absent("");
}

/* clang-format off */
#define CAUSE(which) .type = VIEW_TYPE_TEXT, .get = cause_cell, .key = (which)
static const struct view_field cause_fields[] = {
    {.id = "cause", CAUSE(TEXT_CAUSE), .shown = VIEW_ON_REQUEST, .help = "as in the list of gaps"},
    {.id = "label", .head = "no kernel because of", CAUSE(TEXT_LABEL), .for_people = true, .identifies = true,
     .help = "the same for people"},
    {.id = "phrase", CAUSE(TEXT_WHERE), .shown = VIEW_ON_REQUEST, .help = "the same as part of a sentence"},
    {.id = "time_s", .head = "time", VIEW_AT(struct view_gap_cause, time_s), .unit = RL_UNIT_SECOND, .digits = 3,
     .help = "time without a kernel, added up over GPUs"},
    {.id = "share", .head = "share", .type = VIEW_TYPE_NUMBER, .get = cause_share_cell, .unit = RL_UNIT_FRACTION, .digits = 3,
     .bar = true, .optional = true,
     .help = "share of the time from the first kernel to the last; of what was not watched there is none"},
    {.id = "count", .head = "times", VIEW_AT(struct view_gap_cause, count), .help = "times between two kernels that have it"},
    {.id = "range_path", .head = "most before launches in", CAUSE(TEXT_PATH), .columns = PATH_COLUMNS, .look = VIEW_LOOK_CODE,
     .optional = true, .help = "NVTX range before whose launches most of it was; absent: outside of all"},
    {.id = "most_s", .type = VIEW_TYPE_NUMBER, .get = most_cell, .unit = RL_UNIT_SECOND, .digits = 3, .shown = VIEW_ON_REQUEST,
     .optional = true, .help = "how much of it was there"},
    {.id = "advice", CAUSE(TEXT_ADVICE), .shown = VIEW_ON_REQUEST, .wraps = true, .help = "what to do about it"},
};
/* clang-format on */
const struct view_record view_record_gap_cause = {
    .id = "gap_cause", .title = "", .help = "time without a kernel of one cause, on all GPUs", VIEW_FIELDS(cause_fields)};

/* ---- all GPUs ---- */

static int by_time(const void *a, const void *b)
{
    const struct rl_gap *x = a, *y = b;
    return rl_ascending(x->cause == RL_LANE_UNWATCHED, y->cause == RL_LANE_UNWATCHED) ?: rl_descending(x->total_s, y->total_s);
}

static int causes_by_time(const void *a, const void *b)
{
    const struct view_gap_cause *x = a, *y = b;
    return rl_ascending(x->cause->lane == RL_LANE_UNWATCHED, y->cause->lane == RL_LANE_UNWATCHED)
               ?: rl_descending(x->time_s, y->time_s);
}

/* One of each lane, then those that are left. */
static size_t sum_causes(const struct rl_analysis *analysis, struct view_gap_cause *causes)
{
    size_t count = 0;
    for (unsigned i = 0; i < RL_GAP_CAUSE_COUNT; i++) {
        const enum rl_lane lane = (enum rl_lane)(RL_LANE_IDLE_COPY + i);
        struct view_gap_cause *of = &causes[count];
        *of = (struct view_gap_cause){.cause = rl_gap_cause_of(lane)};
        for (size_t t = 0; t < analysis->over_time_count; t++) {
            of->time_s += analysis->over_time[t].lane_s[lane];
            of->whole_s += analysis->over_time[t].whole_s;
        }
        for (size_t g = 0; g < analysis->gap_count; g++) {
            const struct rl_gap *gap = &analysis->gaps[g];
            if (gap->cause != lane)
                continue;
            of->count += gap->count;
            of->greatest = of->greatest && of->greatest->total_s >= gap->total_s ? of->greatest : gap;
        }
        count += of->time_s > 0;
    }
    rl_sort(causes, count, sizeof *causes, causes_by_time);
    return count;
}

struct view_rows view_gap_causes(const struct view *view)
{
    struct view_gap_cause *causes = rl_arena_alloc(view->arena, (RL_GAP_CAUSE_COUNT + 1) * sizeof *causes);
    const size_t count = sum_causes(view_subject_of(view)->analysis, causes);
    return (struct view_rows){causes, sizeof *causes, count, NULL};
}

struct view_over_time *view_over_time_new(struct view_subject *subject)
{
    const struct rl_analysis *analysis = subject->analysis;
    struct view_over_time *over = rl_arena_alloc(&subject->arena, sizeof *over);
    *over = (struct view_over_time){
        .subject = subject,
        .gaps = rl_arena_alloc(&subject->arena, (analysis->gap_count + 1) * sizeof *over->gaps),
        .gap_count = analysis->gap_count,
        .causes = rl_arena_alloc(&subject->arena, (RL_GAP_CAUSE_COUNT + 1) * sizeof *over->causes),
    };
    for (size_t i = 0; i < analysis->gap_count; i++)
        over->gaps[i] = analysis->gaps[i];
    if (over->gap_count)
        rl_sort(over->gaps, over->gap_count, sizeof *over->gaps, by_time);
    over->cause_count = sum_causes(analysis, over->causes);
    assert(over->cause_count <= RL_GAP_CAUSE_COUNT);
    for (size_t i = 0; i < analysis->over_time_count; i++) {
        over->whole_s += analysis->over_time[i].whole_s;
        over->no_kernel_s += analysis->over_time[i].no_kernel_s;
    }
    return over;
}

size_t view_over_time_count(const struct view_over_time *over)
{
    return over->subject->analysis->over_time_count;
}

struct view_rows view_gaps(const struct view_over_time *over)
{
    return (struct view_rows){over->gaps, sizeof *over->gaps, over->gap_count, NULL};
}

/* ---- the result ---- */

struct view_cell view_over_time_unknown(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_capture *capture = view_subject_of(view)->capture;
    if (capture->timeline_count)
        return view_cell_absent("");
    return view_cell_text(rl_is_program(capture) ? "the capture does not say when kernels ran: it was imported, or recorded by a "
                                                   "version of rooflight whose captures do not have it"
                                                 : "no program was observed");
}

static struct view_cell no_kernel_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_over_time *over = row;
    return view_cell_number(rl_value_div(rl_value_of(over->no_kernel_s), rl_value_of(over->whole_s), "no kernel ran"));
}

static bool is_known(const struct view *view, const void *row)
{
    return view_over_time_count(row) > 0;
}

static bool is_unknown(const struct view *view, const void *row)
{
    return !is_known(view, row);
}

static bool has_gaps(const struct view *view, const void *row)
{
    return ((const struct view_over_time *)row)->gap_count > 0;
}

/* clang-format off */
static const struct view_field gaps_fields[] = {
    {.id = "unknown", .type = VIEW_TYPE_TEXT, .get = view_over_time_unknown, .optional = true,
     .help = "why nothing is known; absent: something is"},
    {.id = "whole_s", VIEW_AT(struct view_over_time, whole_s), .unit = RL_UNIT_SECOND, .digits = 3,
     .help = "from the first kernel to the last, without what was not watched, added up over GPUs"},
    {.id = "no_kernel_s", VIEW_AT(struct view_over_time, no_kernel_s), .unit = RL_UNIT_SECOND, .digits = 3,
     .help = "of that, time in which no kernel ran"},
    {.id = "no_kernel", .type = VIEW_TYPE_NUMBER, .get = no_kernel_cell, .unit = RL_UNIT_FRACTION, .digits = 3,
     .help = "its share"},
    {.id = "causes", VIEW_AT_ROWS(struct view_over_time, causes, cause_count, &view_record_gap_cause),
     .help = "the same by cause, the greatest first"},
    {.id = "gaps", VIEW_AT_ROWS(struct view_over_time, gaps, gap_count, &view_record_gap),
     .help = "by cause and by the NVTX range of the next launch, the one that cost most first"},
};
static const struct view_block gaps_blocks[] = {
    {VIEW_BLOCK_SENTENCE, .text = "not known: {unknown}", .when = is_unknown},
    {VIEW_BLOCK_SENTENCE, .when = is_known,
     .text = "no kernel ran for {no_kernel} of the {whole_s} from the first kernel to the last: {no_kernel_s}"},
    {VIEW_BLOCK_TABLE, .field = "gaps", .when = has_gaps, .apart = true, .most = MOST_GAPS, .more = true,
     .rest = "{left} of {all} are not shown"},
    {VIEW_BLOCK_ITEMS, .field = "causes", .title = "What to do", .label_field = "label", .when = has_gaps,
     .text = "{time_s}[, {share}], {phrase}. {advice}"},
};
/* clang-format on */
const struct view_record view_record_gaps = {.id = "gaps",
                                             .format = "rooflight-gaps",
                                             .title = "Times without a kernel",
                                             .help = "why no kernel ran, ranked by the time that it cost",
                                             VIEW_FIELDS(gaps_fields),
                                             VIEW_BLOCKS(gaps_blocks)};
