/* gaps.c - why no kernel ran: by cause, and ranked by what it cost (see timeline.h). */
#include "show_parts.h"

enum { MOST_GAPS = 15, PATH_COLUMNS = 48 };

const char *view_range_path(const struct view *view, size_t range)
{
    struct rl_buf path = RL_BUF_IN(view->arena);
    if (range == RL_NONE)
        return NULL;
    assert(range < view_subject_of(view)->capture->range_count);
    rl_range_path(view_subject_of(view)->capture, range, &path);
    return view_keep(view, &path);
}

/* ---- a gap ---- */

struct gap {
    const struct rl_gap *of;
    const struct rl_gap_cause *cause;
    const struct rl_range *range; /* NULL: none */
    int64_t process;
    int gpu;
    const char *where, *range_path, *action;
    struct rl_value mean;
};

VIEW_CELL(cause_cell, struct gap, rl_lanes[row->of->cause].id);

/* clang-format off */
static const struct view_field gap_fields[] = {
    {.id = "process", VIEW_AT(struct gap, process), .shown = VIEW_ON_REQUEST, .help = "number of the process"},
    {.id = "gpu", .head = "GPU", VIEW_AT(struct gap, gpu), .shown = VIEW_SHOWN_WHEN_ANY, .help = "index of the GPU"},
    {.id = "cause", VIEW_GET(TEXT, cause_cell), .shown = VIEW_ON_REQUEST,
     .help = "why no kernel ran: 'idle_copy', 'idle_wait', 'idle_launch', 'idle_host', 'idle_unknown' or 'unwatched'"},
    {.id = "cause_text", .head = "no kernel because of", VIEW_IN(struct gap, cause, label), .for_people = true, .identifies = true,
     .help = "the same for people"},
    {.id = "where", .head = "before launches in", VIEW_AT(struct gap, where), .for_people = true, .columns = PATH_COLUMNS,
     .shown = VIEW_SHOWN_WHEN_ANY, .look = VIEW_LOOK_CODE,
     .help = "NVTX range from which the next kernel was launched, and those around it"},
    {.id = "range_path", VIEW_AT(struct gap, range_path), .shown = VIEW_ON_REQUEST, .optional = true,
     .help = "NVTX range from which the next kernel was launched, behind those around it; absent: none, or unknown"},
    {.id = "range", VIEW_IN(struct gap, range, name), .shown = VIEW_ON_REQUEST, .optional = true, .help = "its name alone"},
    {.id = "domain", VIEW_IN(struct gap, range, domain), .shown = VIEW_ON_REQUEST, .optional = true,
     .help = "its domain; absent: the default one"},
    {.id = "count", .head = "times", VIEW_IN(struct gap, of, count), .help = "times between two kernels that have something of it"},
    {.id = "time_s", .head = "time", VIEW_IN(struct gap, of, total_s), .unit = RL_UNIT_SECOND,
     .help = "all of them: at most that much can be saved"},
    {.id = "share", .head = "share", VIEW_IN(struct gap, of, share), .unit = RL_UNIT_FRACTION, .digits = 3, .bar = true,
     .help = "share of the wall time; counter collection is no part of it"},
    {.id = "mean_s", .head = "mean", VIEW_AT(struct gap, mean), .unit = RL_UNIT_SECOND, .digits = 3, .scale = "gap",
     .help = "one of them on average"},
    {.id = "longest_s", .head = "longest", VIEW_IN(struct gap, of, longest_s), .unit = RL_UNIT_SECOND, .digits = 3, .scale = "gap",
     .help = "the longest one"},
    {.id = "action", .head = "try", VIEW_AT(struct gap, action), .shown = VIEW_ON_REQUEST, .optional = true,
     .help = "what to do about it, in few words"},
    {.id = "advice", VIEW_IN(struct gap, cause, advice), .shown = VIEW_ON_REQUEST, .wraps = true, .help = "the same in a sentence"},
};
/* clang-format on */
const struct view_record view_record_gap = {.id = "gap", .help = "times without a kernel of one cause", VIEW_FIELDS(gap_fields)};

static struct view_rows rows_of(const struct view *view, const struct rl_gap *gaps, size_t count)
{
    const struct rl_capture *capture = view_subject_of(view)->capture;
    struct gap *rows = rl_arena_alloc(view->arena, (count + 1) * sizeof *rows);
    for (size_t i = 0; i < count; i++) {
        const struct rl_gap *gap = &gaps[i];
        const struct rl_timeline *timeline = view_subject_of(view)->analysis->over_time[gap->over_time].timeline;
        const struct rl_gap_cause *cause = rl_gap_cause_of(gap->cause);
        const char *path = view_range_path(view, gap->range);
        rows[i] = (struct gap){.of = gap,
                               .cause = cause,
                               .range = gap->range == RL_NONE ? NULL : &capture->ranges[gap->range],
                               .process = (int64_t)capture->processes[timeline->process].pid,
                               .gpu = capture->gpus[timeline->gpu].index,
                               .where = path || !capture->range_count ? path : "no NVTX range",
                               .range_path = path,
                               .action = *cause->action ? cause->action : NULL,
                               .mean = rl_value_div(rl_value_of(gap->total_s), rl_value_of((double)gap->count), "no time")};
    }
    return VIEW_ROWS(rows, count);
}

struct view_cell view_gaps_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_over_time *over = row;
    return view_cell_rows(rows_of(view, over->gaps, over->gap_count));
}

RL_COMPARATOR(by_time, struct gap,
              rl_ascending(x->of->cause == RL_LANE_UNWATCHED, y->of->cause == RL_LANE_UNWATCHED)
                  ?: rl_descending(x->of->total_s, y->of->total_s));

struct view_rows view_gaps(const struct view *view)
{
    const struct rl_analysis *analysis = view_subject_of(view)->analysis;
    const struct view_rows rows = rows_of(view, analysis->gaps, analysis->gap_count);
    if (rows.count)
        rl_sort((struct gap *)rows.first, rows.count, rows.stride, by_time);
    return rows;
}

/* ---- a cause ---- */

/* clang-format off */
static const struct view_field cause_fields[] = {
    {.id = "cause", VIEW_AT(struct view_gap_cause, cause), .shown = VIEW_ON_REQUEST, .help = "as in the list of gaps"},
    {.id = "label", .head = "no kernel because of", VIEW_AT(struct view_gap_cause, label), .for_people = true, .identifies = true,
     .help = "the same for people"},
    {.id = "phrase", VIEW_AT(struct view_gap_cause, phrase), .shown = VIEW_ON_REQUEST, .help = "the same as part of a sentence"},
    {.id = "time_s", .head = "time", VIEW_AT(struct view_gap_cause, time_s), .unit = RL_UNIT_SECOND, .digits = 3,
     .help = "time without a kernel, added up over GPUs"},
    {.id = "share", .head = "share", VIEW_AT(struct view_gap_cause, share), .unit = RL_UNIT_FRACTION, .digits = 3, .bar = true,
     .optional = true, .help = "share of the wall time; counter collection has none"},
    {.id = "count", .head = "times", VIEW_AT(struct view_gap_cause, count), .help = "times between two kernels that have it"},
    {.id = "range_path", .head = "most before launches in", VIEW_AT(struct view_gap_cause, range_path), .columns = PATH_COLUMNS,
     .look = VIEW_LOOK_CODE, .optional = true, .help = "NVTX range before whose launches most of it was; absent: outside of all"},
    {.id = "most_s", VIEW_AT(struct view_gap_cause, most), .unit = RL_UNIT_SECOND, .digits = 3, .shown = VIEW_ON_REQUEST,
     .optional = true, .help = "how much of it was there"},
    {.id = "advice", VIEW_AT(struct view_gap_cause, advice), .shown = VIEW_ON_REQUEST, .wraps = true,
     .help = "what to do about it"},
};
/* clang-format on */
const struct view_record view_record_gap_cause = {
    .id = "gap_cause", .help = "time without a kernel of one cause, on all GPUs", VIEW_FIELDS(cause_fields)};

RL_COMPARATOR(causes_by_time, struct view_gap_cause,
              rl_ascending(x->is_unwatched, y->is_unwatched) ?: rl_descending(x->time_s, y->time_s));

struct view_rows view_gap_causes(const struct view *view)
{
    const struct rl_analysis *analysis = view_subject_of(view)->analysis;
    struct view_gap_cause *causes = rl_arena_alloc(view->arena, (RL_GAP_CAUSE_COUNT + 1) * sizeof *causes);
    size_t count = 0;
    for (unsigned i = 0; i < RL_GAP_CAUSE_COUNT; i++) {
        const enum rl_lane lane = (enum rl_lane)(RL_LANE_IDLE_COPY + i);
        const struct rl_gap_cause *cause = rl_gap_cause_of(lane);
        const struct rl_gap *greatest = NULL;
        uint64_t times = 0;
        double time_s = 0, whole_s = 0;
        for (size_t t = 0; t < analysis->over_time_count; t++) {
            time_s += analysis->over_time[t].lane_s[lane];
            whole_s += analysis->over_time[t].wall_s;
        }
        for (size_t g = 0; g < analysis->gap_count; g++) {
            const struct rl_gap *gap = &analysis->gaps[g];
            if (gap->cause != lane)
                continue;
            times += gap->count;
            greatest = greatest && greatest->total_s >= gap->total_s ? greatest : gap;
        }
        const struct rl_value none = rl_value_missing(RL_UNDEFINED, "");
        const struct rl_value share = rl_value_div(rl_value_of(time_s), rl_value_of(whole_s), "no wall time");
        if (time_s > 0)
            causes[count++] = (struct view_gap_cause){.is_unwatched = lane == RL_LANE_UNWATCHED,
                                                      .cause = rl_lanes[lane].id,
                                                      .label = cause->label,
                                                      .phrase = cause->phrase,
                                                      .advice = cause->advice,
                                                      .range_path = greatest ? view_range_path(view, greatest->range) : NULL,
                                                      .count = times,
                                                      .time_s = time_s,
                                                      .share = lane == RL_LANE_UNWATCHED ? none : share,
                                                      .most = greatest ? rl_value_of(greatest->total_s) : none};
    }
    rl_sort(causes, count, sizeof *causes, causes_by_time);
    return VIEW_ROWS(causes, count);
}

/* ---- the result ---- */

struct view_cell view_unknown_timelines(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_capture *capture = view_subject_of(view)->capture;
    return view_cell_text(capture->timeline_count  ? NULL
                          : rl_is_program(capture) ? "the capture does not say when kernels ran: it was imported, or recorded by a "
                                                     "version of rooflight whose captures do not have it"
                                                   : "no program was observed");
}

enum figure { WHOLE_S, NO_KERNEL_S, NO_KERNEL };

/* Sums over all GPUs. */
static struct view_cell figure_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_analysis *analysis = view_subject_of(view)->analysis;
    double whole_s = 0, no_kernel_s = 0;
    for (size_t i = 0; i < analysis->over_time_count; i++) {
        whole_s += analysis->over_time[i].wall_s;
        no_kernel_s += analysis->over_time[i].no_kernel_s;
    }
    return view_cell_number(field->key == WHOLE_S ? rl_value_of(whole_s)
                            : field->key == NO_KERNEL_S
                                ? rl_value_of(no_kernel_s)
                                : rl_value_div(rl_value_of(no_kernel_s), rl_value_of(whole_s), "no kernel ran"));
}

VIEW_CELL(gaps_cell, void, view_gaps(view));
VIEW_CELL(causes_cell, void, view_gap_causes(view));

VIEW_WHEN(has_gaps, void, view_subject_of(view)->analysis->gap_count > 0);

/* clang-format off */
#define FIGURE(figure, of) VIEW_GET(NUMBER, figure_cell), .key = (figure), .unit = RL_UNIT_##of, .digits = 3
static const struct view_field gaps_fields[] = {
    {.id = "unknown", VIEW_GET(TEXT, view_unknown_timelines), .optional = true,
     .help = "why nothing is known; absent: something is"},
    {.id = "whole_s", FIGURE(WHOLE_S, SECOND),
     .help = "wall time: from the first activity to the last, counter collection left out, added up over GPUs"},
    {.id = "no_kernel_s", FIGURE(NO_KERNEL_S, SECOND), .help = "of that, time in which no kernel ran"},
    {.id = "no_kernel", FIGURE(NO_KERNEL, FRACTION), .help = "its share"},
    {.id = "causes", VIEW_GET_LIST(&view_record_gap_cause, causes_cell), .help = "the same by cause, the largest first"},
    {.id = "gaps", VIEW_GET_LIST(&view_record_gap, gaps_cell),
     .help = "by cause and by the NVTX range of the next launch, the one that cost most first"},
};
static const struct view_block gaps_blocks[] = {
    {VIEW_BLOCK_SENTENCE, .text = "unknown: {unknown}", .with = "unknown"},
    {VIEW_BLOCK_SENTENCE, .with = "!unknown",
     .text = "no kernel ran for {no_kernel} of {whole_s} wall time: {no_kernel_s}"},
    {VIEW_BLOCK_TABLE, .field = "gaps", .when = has_gaps, .apart = true, .most = MOST_GAPS, .more = true,
     .rest = "{left} of {all} are not shown"},
    {VIEW_BLOCK_ITEMS, .field = "causes", .title = "What to do", .label_field = "label", .when = has_gaps,
     .text = "{time_s}[, {share}], {phrase}. {advice}"},
};
const struct view_record view_record_gaps = {
    .id = "gaps", .format = "rooflight-gaps", .title = "Times without a kernel",
    .help = "why no kernel ran, ranked by the time that it cost", VIEW_FIELDS(gaps_fields), VIEW_BLOCKS(gaps_blocks)};
/* clang-format on */
