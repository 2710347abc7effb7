/* compare_causes.c - what explains each change, line by line: limiter, metrics that moved, work, counts. */
#include <assert.h>
#include <math.h>

#include "compare_parts.h"
#include "core/signs.h"

enum { MOST_METRICS = 4 };
#define LEAST_OTHER_WORK 1e-3 /* of a count, where nothing else is to be told: atomic operations retry, loops end early */
#define INDENT           RL_NO_BREAK_SPACE RL_NO_BREAK_SPACE /* of what stands below a kernel's name */

/* ---- of which pairs ---- */

/* A count that follows from code and input alone. */
static bool counts_other_work(const struct rl_pair *pair)
{
    for (size_t i = 0; i < pair->tally_count; i++) {
        const struct rl_tally *tally = &pair->tallies[i];
        if (!tally->is_equal && rl_tallies[tally->id].scatter == 0 &&
            fabs(tally->new - tally->base) >= LEAST_OTHER_WORK * tally->base)
            return true;
    }
    return false;
}

size_t view_part_explained(const struct view_part *part, size_t *order)
{
    const struct rl_comparison *comparison = part->comparison;
    size_t count = rl_comparison_changed(comparison, order);
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct rl_pair *pair = &comparison->pairs[part->order[i]];
        const bool changed = pair->change.verdict == RL_FASTER || pair->change.verdict == RL_SLOWER;
        if (!pair->not_compared && !changed && !pair->broke && (rl_pair_moved_alone(pair) || counts_other_work(pair)))
            order[count++] = part->order[i];
    }
    return count;
}

/* ---- their lines ---- */

struct list {
    const struct view *view;
    struct view_cause *rows;
    size_t count;
};

static void add(struct list *list, const struct view_cause *row)
{
    list->rows[list->count++] = *row;
}

static const char *value_text(const struct view *view, enum rl_unit unit, struct rl_value value, int digits)
{
    struct rl_buf text = RL_BUF_INIT;
    if (!rl_present(value))
        return RL_EN_DASH;
    rl_unit_format(&text, unit, value.v, digits);
    return view_keep(view, &text);
}

static const char *time_text(const struct view *view, const struct rl_median *median)
{
    return value_text(view, RL_UNIT_SECOND, median->n ? rl_value_of(median->median) : rl_value_missing(RL_NOT_COLLECTED, ""), 4);
}

/* "−20.0 %"; counters of others can be of any size. */
static const char *change_text(const struct view *view, bool known, double ratio)
{
    struct rl_buf text = RL_BUF_INIT;
    if (!known || !isfinite(100 * ratio))
        return RL_EN_DASH;
    rl_ratio_change_text(ratio, &text);
    return view_keep(view, &text);
}

/* "DRAM, 92.6 %", "latency-bound", "unknown". */
static const char *limiter_text(const struct view *view, const struct rl_item *item)
{
    const char *name = item->limiter < RL_RESOURCE_COUNT ? rl_resources[item->limiter].label : rl_bound_name(item->bound);
    if (item->limiter == RL_RESOURCE_COUNT || !rl_present(item->roof_share))
        return name;
    return rl_arena_printf(view->arena, "%s, %s", name, value_text(view, RL_UNIT_FRACTION, item->roof_share, 3));
}

static void add_moved(struct list *list, const struct rl_pair *pair, const struct rl_moved *moved)
{
    const struct rl_metric_info *metric = &rl_metrics[moved->metric];
    const bool known = rl_present(moved->base) && rl_present(moved->new) && moved->base.v > 0;
    add(list, &(struct view_cause){
                  pair, false, rl_arena_printf(list->view->arena, INDENT "%s", metric->label),
                  value_text(list->view, metric->unit, moved->base, 3), value_text(list->view, metric->unit, moved->new, 3),
                  change_text(list->view, known, known ? moved->new.v / moved->base.v : 1), moved->explains ? "explains it" : ""});
}

/* Counts that differ and stand in no row: "32.0 % fewer global-memory sectors". */
static const char *counted_text(const struct view *view, const struct rl_pair *pair, size_t metrics)
{
    struct rl_buf text = RL_BUF_INIT;
    for (size_t i = 0; i < pair->tally_count; i++) {
        bool shown = pair->tallies[i].is_equal;
        for (size_t m = 0; m < metrics; m++)
            shown |= rl_tallies[pair->tallies[i].id].metric == pair->moved[m].metric;
        if (!shown)
            rl_tally_difference_text(&pair->tallies[i], &text);
    }
    return view_keep(view, &text);
}

static void add_pair(struct list *list, const struct rl_comparison *comparison, const struct rl_pair *pair)
{
    const struct view *view = list->view;
    const struct rl_item *base = &comparison->base.items[pair->base], *new = &comparison->new.items[pair->new];
    const size_t metrics = pair->moved_count < MOST_METRICS ? pair->moved_count : MOST_METRICS;
    const char *counted = counted_text(view, pair, metrics);
    const char *verdict = pair->broke ? "WRONG RESULT"
                                      : rl_arena_printf(view->arena, "%s, %s of the time", rl_verdict_name(pair->change.verdict),
                                                        value_text(view, RL_UNIT_FRACTION, rl_value_of(pair->share), 3));
    add(list, &(struct view_cause){pair, true, base->label, time_text(view, &pair->change.base), time_text(view, &pair->change.new),
                                   change_text(view, pair->change.time.present, pair->change.time.estimate), verdict});
    if (pair->broke) {
        add(list,
            &(struct view_cause){pair, false, INDENT "result", "right", "wrong", "", "the time of a wrong result means nothing"});
        return;
    }
    add(list, &(struct view_cause){pair, false, INDENT "limited by", limiter_text(view, base), limiter_text(view, new), "",
                                   pair->moved_count ? "" : "no counter moved that explains it"});
    for (size_t i = 0; i < metrics; i++)
        add_moved(list, pair, &pair->moved[i]);
    if (pair->work_text)
        add(list, &(struct view_cause){pair, false, INDENT "work", "", "", "",
                                       rl_arena_printf(view->arena, "not equal: %s", pair->work_text)});
    if (counted)
        add(list, &(struct view_cause){pair, false, INDENT "counted", "", "", "", counted});
}

/* clang-format off */
static const struct view_field fields[] = {
    {.id = "what", .head = "kernel, and what moved with it", VIEW_AT(struct view_cause, what), .columns = VIEW_NAME_COLUMNS,
     .help = "the kernel, or what of it is compared"},
    {.id = "base", VIEW_AT(struct view_cause, base), .numeral = true, .help = "in the base"},
    {.id = "new", VIEW_AT(struct view_cause, new), .numeral = true, .help = "in the other capture"},
    {.id = "change", VIEW_AT(struct view_cause, change), .numeral = true, .help = "by how much it changed"},
    {.id = "meaning", .head = "what it means", VIEW_AT(struct view_cause, meaning), .wraps = true, .columns = 32,
     .help = "the verdict, or what follows"},
};
/* clang-format on */
const struct view_record view_record_cause = {
    .id = "cause", .title = "", .help = "a line of what explains a change", VIEW_FIELDS(fields)};

struct view_cell view_cause_rows(const struct view *view, const struct view_field *field, const void *row)
{
    enum { MOST_ROWS = MOST_METRICS + 4 }; /* of a pair */
    const struct view_part *part = row;
    const size_t pairs = part->comparison ? part->comparison->pair_count : 0;
    size_t *order = rl_arena_alloc(view->arena, (pairs + 1) * sizeof *order);
    const size_t count = pairs ? view_part_explained(part, order) : 0;
    struct list list = {view, rl_arena_alloc(view->arena, (count * MOST_ROWS + 1) * sizeof *list.rows), 0};
    for (size_t i = 0; i < count; i++)
        add_pair(&list, part->comparison, &part->comparison->pairs[order[i]]);
    assert(list.count <= count * MOST_ROWS);
    return view_cell_rows((struct view_rows){.first = list.rows, .stride = sizeof *list.rows, .count = list.count});
}
