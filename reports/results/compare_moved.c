/* compare_moved.c - what moved with a change, and what both sides counted. */
#include "compare_parts.h"

/* ---- what moved ---- */

VIEW_CELL(metric_cell, struct rl_moved, rl_metrics[row->metric].id);
VIEW_CELL(unit_cell, struct rl_moved, rl_unit_json(rl_metrics[row->metric].unit));

static const struct view_field moved_fields[] = {
    {.id = "metric", VIEW_GET(TEXT, metric_cell), .help = "id of the metric"},
    {.id = "unit", VIEW_GET(TEXT, unit_cell), .help = "unit of both values"},
    {.id = "base", VIEW_AT(struct rl_moved, base), .help = "its value in the baseline"},
    {.id = "new", VIEW_AT(struct rl_moved, new), .help = "its value in the other capture"},
    {.id = "explains",
     VIEW_AT(struct rl_moved, explains),
     .help = "whether such a change makes kernels slower or faster, as this one became"},
};
const struct view_record view_record_moved = {
    .id = "moved", .help = "a metric that changed by more than counters scatter", VIEW_FIELDS(moved_fields)};

void view_moved_text(const struct rl_moved *moved, struct rl_buf *out)
{
    const struct rl_metric_info *metric = &rl_metrics[moved->metric];
    rl_buf_addf(out, "%s %s → %s", metric->label, RL_UNIT_TEXT(metric->unit, moved->base.v, 3),
                RL_UNIT_TEXT(metric->unit, moved->new.v, 3));
}

bool view_moved_is_work(const struct rl_pair *pair, const struct rl_moved *moved)
{
    return pair->work == RL_WORK_UNEQUAL && moved->metric == RL_METRIC_flop_total;
}

/* "DRAM traffic 403 MB → 201 MB; limited by DRAM bandwidth → issue slots" */
struct view_cell view_causes_cell(const struct view *view, const struct view_field *field, const void *row)
{
    enum { MOST_CAUSES = 3 };
    const struct view_pair *of = row;
    const struct rl_item *before = of->base.item, *after = of->new.item;
    const size_t was = rl_limiter_of(before->limiter, before->bound), is = rl_limiter_of(after->limiter, after->bound);
    const size_t unknown = rl_limiter_of(RL_RESOURCE_COUNT, RL_BOUND_UNKNOWN);
    const bool alone = rl_pair_moved_alone(of->pair);
    struct rl_buf text = RL_BUF_IN(view->arena);
    for (size_t i = 0, said = 0; i < of->pair->moved_count && said < MOST_CAUSES; i++)
        if ((of->pair->moved[i].explains || alone) && !view_moved_is_work(of->pair, &of->pair->moved[i])) {
            rl_buf_adds(&text, said++ ? "; " : "");
            view_moved_text(&of->pair->moved[i], &text);
        }
    if (!text.len)
        rl_buf_adds(&text, "no counter that both captures have moved in a way that explains it");
    if (was != is && was != unknown && is != unknown)
        rl_buf_addf(&text, "; limited by %s → %s", rl_limiter_label(was), rl_limiter_label(is));
    return view_cell_kept(view, &text);
}

/* ---- what was counted ---- */

VIEW_CELL(tally_id, struct rl_tally, rl_tallies[row->id].id);
VIEW_CELL(tally_words, struct rl_tally, rl_tallies[row->id].words);

VIEW_CELL(tally_exact, struct rl_tally, view_cell_boolean(rl_tallies[row->id].scatter == 0));

/* clang-format off */
static const struct view_field tally_fields[] = {
    {.id = "id", VIEW_GET(TEXT, tally_id), .help = "name of the count"},
    {.id = "words", VIEW_GET(TEXT, tally_words), .help = "what is counted"},
    {.id = "base", VIEW_AT(struct rl_tally, base), .help = "of one launch or run in the baseline"},
    {.id = "new", VIEW_AT(struct rl_tally, new), .help = "the same in the other capture"},
    {.id = "equal", VIEW_AT(struct rl_tally, is_equal),
     .help = "whether both are the same, exactly or within what such counts scatter"},
    {.id = "exact", VIEW_GET(BOOLEAN, tally_exact),
     .help = "whether it follows from code and input alone, so that any difference is one of the work"},
};
/* clang-format on */
const struct view_record view_record_tally = {
    .id = "tally", .help = "a count of work that both captures have", VIEW_FIELDS(tally_fields)};

struct view_cell view_counts_cell(const struct view *view, const struct view_field *field, const void *row)
{
    struct rl_buf text = RL_BUF_IN(view->arena);
    rl_pair_counts_text(((const struct view_pair *)row)->pair, &text);
    const char *counts = view_keep(view, &text);
    return counts ? view_cell_text(counts) : view_cell_absent("nothing was counted on both sides");
}
