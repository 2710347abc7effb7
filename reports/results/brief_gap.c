/* brief_gap.c - why no kernel ran, in a line of a brief. */

#include "show_parts.h"

static const double least_share = 0.03; /* less than that is not worth a line */

struct brief_gap {
    double no_kernel_s, wall_s;
    struct rl_value share, idle, cause_share, collection_s;
    const char *cause, *phrase, *range_path;
};

const void *view_gap_of_brief(const struct view *view)
{
    const struct rl_analysis *analysis = view_subject_of(view)->analysis;
    const struct view_rows causes = view_gap_causes(view);
    double no_kernel_s = 0, idle_s = 0, wall_s = 0, collection_s = 0;
    for (size_t i = 0; i < analysis->over_time_count; i++) {
        no_kernel_s += analysis->over_time[i].no_kernel_s;
        idle_s += analysis->over_time[i].idle_s;
        wall_s += analysis->over_time[i].wall_s;
        collection_s += analysis->over_time[i].collection_s;
    }
    if (!causes.count || no_kernel_s <= least_share * wall_s)
        return NULL;
    const struct view_gap_cause *greatest = view_rows_at(&causes, 0);
    struct brief_gap *gap = rl_arena_alloc(view->arena, sizeof *gap);
    assert(greatest->time_s > 0 && wall_s > 0);
    *gap = (struct brief_gap){.no_kernel_s = no_kernel_s,
                              .wall_s = wall_s,
                              .idle = rl_value_of(idle_s / wall_s),
                              .share = rl_value_of(no_kernel_s / wall_s),
                              .cause_share = rl_value_of(greatest->time_s / wall_s),
                              .collection_s = collection_s > 0 ? rl_value_of(collection_s) : rl_value_missing(RL_UNDEFINED, ""),
                              .cause = greatest->cause,
                              .phrase = greatest->phrase,
                              .range_path = greatest->range_path ? view_brief_text(view, greatest->range_path) : NULL};
    return gap;
}

/* clang-format off */
static const struct view_field fields[] = {
    {.id = "no_kernel_s", VIEW_AT(struct brief_gap, no_kernel_s), .unit = RL_UNIT_SECOND, .digits = 3,
     .help = "time in which no kernel ran, added up over GPUs"},
    {.id = "share", VIEW_AT(struct brief_gap, share), .unit = RL_UNIT_FRACTION, .digits = 3, .help = "its share of the wall time"},
    {.id = "wall_s", VIEW_AT(struct brief_gap, wall_s), .unit = RL_UNIT_SECOND, .digits = 3, .for_people = true,
     .help = "wall time: from the first activity to the last, counter collection left out, added up over GPUs"},
    {.id = "collection_s", VIEW_AT(struct brief_gap, collection_s), .unit = RL_UNIT_SECOND, .digits = 3, .for_people = true,
     .optional = true, .help = "time of counter collection, added up over GPUs"},
    {.id = "idle", VIEW_AT(struct brief_gap, idle), .unit = RL_UNIT_FRACTION, .digits = 3,
     .help = "share of the wall time without a kernel, memcpy or memset"},
    {.id = "cause", VIEW_AT(struct brief_gap, cause),
     .help = "its main cause: 'idle_copy', 'idle_wait', 'idle_launch', 'idle_host' or 'idle_unknown'"},
    {.id = "phrase", VIEW_AT(struct brief_gap, phrase), .for_people = true, .help = "the same in words"},
    {.id = "cause_share", VIEW_AT(struct brief_gap, cause_share), .unit = RL_UNIT_FRACTION,
     .digits = 3, .help = "share of the time that has this cause"},
    {.id = "range_path", VIEW_AT(struct brief_gap, range_path), .optional = true,
     .help = "NVTX range before whose launches most of it was"},
};
/* clang-format on */
const struct view_record view_record_brief_gap = {.id = "brief_gap", .help = "why no kernel ran", VIEW_FIELDS(fields)};
