/* brief_gap.c - why no kernel ran, in a line of a brief. */
#include <assert.h>

#include "brief_parts.h"
#include "timeline_parts.h"

static const double least_share = 0.03; /* less than that is not worth a line */

struct brief_gap {
    double no_kernel_s, whole_s;
    const struct view_gap_cause *greatest;
};

const void *view_gap_of_brief(const struct view *view)
{
    const struct rl_analysis *analysis = view_subject_of(view)->analysis;
    const struct view_rows causes = view_gap_causes(view);
    struct brief_gap *gap = rl_arena_alloc(view->arena, sizeof *gap);
    for (size_t i = 0; i < analysis->over_time_count; i++) {
        gap->no_kernel_s += analysis->over_time[i].no_kernel_s;
        gap->whole_s += analysis->over_time[i].whole_s;
    }
    if (!causes.count || gap->no_kernel_s <= least_share * gap->whole_s)
        return NULL;
    gap->greatest = view_rows_at(&causes, 0);
    assert(gap->greatest->time_s > 0 && gap->whole_s > 0);
    return gap;
}

enum gap_key { GAP_SHARE, GAP_CAUSE_SHARE, GAP_CAUSE, GAP_PHRASE, GAP_RANGE };

static struct view_cell share_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct brief_gap *gap = row;
    const double seconds = field->key == GAP_SHARE ? gap->no_kernel_s : gap->greatest->time_s;
    return view_cell_number(rl_value_div(rl_value_of(seconds), rl_value_of(gap->whole_s), "no kernel ran"));
}

static struct view_cell text_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_gap_cause *of = ((const struct brief_gap *)row)->greatest;
    if (field->key == GAP_RANGE)
        return view_cell_text(of->greatest ? view_brief_text(view, view_range_path(view, of->greatest->range)) : NULL);
    return view_cell_text(field->key == GAP_CAUSE ? rl_lanes[of->cause->lane].id : of->cause->phrase);
}

/* clang-format off */
static const struct view_field fields[] = {
    {.id = "no_kernel_s", VIEW_AT(struct brief_gap, no_kernel_s), .unit = RL_UNIT_SECOND, .digits = 3,
     .help = "time in which no kernel ran, added up over GPUs"},
    {.id = "share", .type = VIEW_TYPE_NUMBER, .get = share_cell, .key = GAP_SHARE, .unit = RL_UNIT_FRACTION, .digits = 3,
     .help = "its share of the time from the first kernel to the last"},
    {.id = "cause", .type = VIEW_TYPE_TEXT, .get = text_cell, .key = GAP_CAUSE,
     .help = "greatest cause of it: 'idle_copy', 'idle_wait', 'idle_launch', 'idle_host' or 'idle_unknown'"},
    {.id = "phrase", .type = VIEW_TYPE_TEXT, .get = text_cell, .key = GAP_PHRASE, .for_people = true, .help = "the same in words"},
    {.id = "cause_share", .type = VIEW_TYPE_NUMBER, .get = share_cell, .key = GAP_CAUSE_SHARE, .unit = RL_UNIT_FRACTION,
     .digits = 3, .help = "share of the time that has this cause"},
    {.id = "range_path", .type = VIEW_TYPE_TEXT, .get = text_cell, .key = GAP_RANGE, .optional = true,
     .help = "NVTX range before whose launches most of it was"},
};
/* clang-format on */
const struct view_record view_record_brief_gap = {.id = "brief_gap", .title = "", .help = "why no kernel ran", VIEW_FIELDS(fields)};
