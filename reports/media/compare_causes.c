/* compare_causes.c - what explains each change: counters before and after, what limits it, the arrow on the roofline. */
#include <assert.h>
#include <math.h>

#include "compare_doc.h"
#include "core/mem.h"
#include "core/signs.h"
#include "roofs.h"

enum { MOST_TOLD = 40, MOST_METRICS = 4, MOST_ARROWS = 8 };
#define ROOFLINE_HEIGHT  200.0
#define LEAST_OTHER_WORK 1e-3 /* of a count, where nothing else is to be told: atomic operations retry, loops end early */
#define INDENT           RL_NO_BREAK_SPACE RL_NO_BREAK_SPACE /* of what stands below a kernel's name */

/* ---- which ---- */

static bool is_changed(const struct rl_pair *pair)
{
    return !pair->not_compared && (pair->change.verdict == RL_FASTER || pair->change.verdict == RL_SLOWER);
}

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

/* Too few times for a verdict, or none, and yet something to tell: counts do not depend on times. */
static bool is_told_without_times(const struct rl_pair *pair)
{
    return !pair->not_compared && !is_changed(pair) && (rl_pair_moved_alone(pair) || counts_other_work(pair));
}

/* What changed, the largest effect first, then what is told without times, in the order of the comparison. */
static const size_t *told(struct rl_document *doc, const struct rl_section *section, size_t *count)
{
    const struct rl_comparison *comparison = rl_compare_of(doc, section);
    size_t *order = rl_arena_alloc(doc->arena, (comparison->pair_count + 1) * sizeof *order);
    *count = rl_comparison_changed(comparison, order);
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct rl_pair *pair = rl_compare_pair(doc, section, i);
        if (is_told_without_times(pair) && !pair->broke)
            order[(*count)++] = (size_t)(pair - comparison->pairs);
    }
    return order;
}

static size_t metrics_of(const struct rl_pair *pair)
{
    return pair->moved_count < MOST_METRICS ? pair->moved_count : MOST_METRICS;
}

/* ---- the arrows on the roofline ---- */

static bool on_roofline(const struct rl_item *item)
{
    const struct rl_value x = item->metric[RL_METRIC_intensity_dram], y = item->metric[RL_METRIC_flop_per_second];
    return !item->not_compared && rl_present(x) && rl_present(y) && x.v > 0 && y.v > 0;
}

static bool has_arrow(const struct rl_comparison *comparison, const struct rl_pair *pair)
{
    return is_changed(pair) && on_roofline(&comparison->base.items[pair->base]) && on_roofline(&comparison->new.items[pair->new]);
}

static struct rl_chart_point point_of(struct rl_document *doc, const struct rl_item *item, bool after)
{
    return (struct rl_chart_point){.x = item->metric[RL_METRIC_intensity_dram].v,
                                   .y = item->metric[RL_METRIC_flop_per_second].v,
                                   .low = NAN,
                                   .high = NAN,
                                   .weight = NAN,
                                   .tone = rl_words_tone(item->bound),
                                   .hollow = !after,
                                   .small = !after,
                                   .name = rl_words(doc, "%s %s", rl_compare_words_label(doc, item), after ? "after" : "before"),
                                   .label = after ? rl_compare_words_label(doc, item) : NULL};
}

static void plan_causes(struct rl_document *doc, struct rl_section *section)
{
    const struct rl_comparison *comparison = rl_compare_of(doc, section);
    size_t all, count = 0;
    const size_t *order = told(doc, section, &all);
    struct rl_chart_point *points = rl_arena_alloc(doc->arena, (2 * MOST_ARROWS + 1) * sizeof *points);
    struct rl_chart_arrow *arrows = rl_arena_alloc(doc->arena, (MOST_ARROWS + 1) * sizeof *arrows);
    for (size_t i = 0; i < all && count < MOST_ARROWS; i++) {
        const struct rl_pair *pair = &comparison->pairs[order[i]];
        if (!has_arrow(comparison, pair))
            continue;
        points[2 * count] = point_of(doc, &comparison->base.items[pair->base], false);
        points[2 * count + 1] = point_of(doc, &comparison->new.items[pair->new], true);
        arrows[count] = (struct rl_chart_arrow){2 * count, 2 * count + 1};
        count++;
    }
    if (count == 0)
        return;
    struct rl_chart_roof *roofs = rl_arena_alloc(doc->arena, RL_MOST_ROOFS * sizeof *roofs);
    const size_t roof_count = rl_roofs_of(doc, comparison->base.analysis, 0, false, roofs);
    struct rl_chart *chart = rl_document_chart(doc, section, RL_CHART_ROOFLINE);
    chart->height = ROOFLINE_HEIGHT;
    chart->roofline = (struct rl_chart_roofline){.roofs = roofs,
                                                 .roof_count = roof_count,
                                                 .points = points,
                                                 .point_count = 2 * count,
                                                 .arrows = arrows,
                                                 .arrow_count = count};
}

static void lay_arrows(struct rl_document *doc, const struct rl_section *section)
{
    if (section->chart_count == 0)
        return;
    const size_t arrows = doc->charts[section->first_chart].roofline.arrow_count;
    rl_layout_figure(
        doc->layout, &rl_document_result(doc, section, 0)->drawing,
        rl_words(doc,
                 "From before (small and hollow) to after, for %s. Up is a higher rate; right is more operations per byte of DRAM "
                 "traffic.",
                 arrows == 1 ? "the one change that has a place here"
                             : rl_words(doc, "the %zu changes that have a place here", arrows)),
        "Roofs are those of the base. Rates are counted operations over the median time. A kernel without floating-point "
        "operations "
        "has no place on a roofline.");
    rl_layout_skip(doc->layout, 6);
}

/* ---- the table ---- */

/* "DRAM, 92.6 %", "latency-bound", "unknown". */
static const char *limiter_text(struct rl_document *doc, const struct rl_item *item)
{
    const char *name = item->limiter < RL_RESOURCE_COUNT ? rl_resources[item->limiter].label : rl_bound_name(item->bound);
    if (item->limiter == RL_RESOURCE_COUNT || !rl_present(item->roof_share))
        return name;
    return rl_words(doc, "%s, %s", name, rl_words_value(doc, RL_UNIT_FRACTION, item->roof_share, 3));
}

static void add_row(struct rl_grid *grid, const char *name, const char *base, const char *new, const char *change,
                    const char *remark)
{
    rl_grid_row(grid);
    rl_grid_cell(grid, RL_STYLE_CELL, name);
    rl_grid_cell(grid, RL_STYLE_CELL, base);
    rl_grid_cell(grid, RL_STYLE_CELL, new);
    rl_grid_cell(grid, RL_STYLE_CELL, change);
    rl_grid_cell(grid, RL_STYLE_CELL_QUIET, remark);
}

static void add_moved(struct rl_document *doc, struct rl_grid *grid, const struct rl_moved *moved)
{
    assert(moved->metric < RL_METRIC_COUNT);
    const struct rl_metric_info *metric = &rl_metrics[moved->metric];
    const struct rl_ratio ratio = {.present = rl_present(moved->base) && rl_present(moved->new) && moved->base.v > 0,
                                   .estimate = moved->base.v > 0 ? moved->new.v / moved->base.v : 1};
    add_row(grid, rl_words(doc, INDENT "%s", metric->label), rl_words_value(doc, metric->unit, moved->base, 3),
            rl_words_value(doc, metric->unit, moved->new, 3), rl_compare_words_change(doc, &ratio),
            moved->explains ? "explains it" : "");
}

static const char *verdict_text(struct rl_document *doc, const struct rl_pair *pair)
{
    if (pair->broke)
        return "WRONG RESULT";
    return rl_words(doc, "%s, %s of the time", rl_verdict_name(pair->change.verdict),
                    rl_words_value(doc, RL_UNIT_FRACTION, rl_value_of(pair->share), 3));
}

static const char *time_text(struct rl_document *doc, const struct rl_median *median)
{
    return median->n ? rl_words_value(doc, RL_UNIT_SECOND, rl_value_of(median->median), 4) : "–";
}

static void add_head(struct rl_document *doc, struct rl_grid *grid, const struct rl_item *item, const struct rl_pair *pair)
{
    rl_grid_group(grid);
    rl_grid_cell(grid, RL_STYLE_CELL_NAME, rl_compare_words_label(doc, item));
    rl_grid_cell(grid, RL_STYLE_CELL, time_text(doc, &pair->change.base));
    rl_grid_cell(grid, RL_STYLE_CELL, time_text(doc, &pair->change.new));
    rl_grid_cell(grid, RL_STYLE_CELL_STRONG, rl_compare_words_change(doc, &pair->change.time));
    rl_grid_cell(grid, RL_STYLE_CELL, verdict_text(doc, pair))->mark = rl_compare_mark(pair);
}

/* Whether a row of the block has the count already. */
static bool is_shown(const struct rl_pair *pair, enum rl_tally_id tally)
{
    assert(tally < RL_TALLY_COUNT);
    for (size_t i = 0; i < metrics_of(pair); i++)
        if (rl_tallies[tally].metric == pair->moved[i].metric)
            return true;
    return false;
}

/* Counts that differ and stand in no row: "32.0 % fewer global-memory sectors". */
static const char *counted_text(struct rl_document *doc, const struct rl_pair *pair)
{
    struct rl_buf text = RL_BUF_INIT;
    for (size_t i = 0; i < pair->tally_count; i++)
        if (!pair->tallies[i].is_equal && !is_shown(pair, pair->tallies[i].id))
            rl_tally_difference_text(&pair->tallies[i], &text);
    const char *kept = text.len ? rl_words(doc, "%s", text.data) : "";
    rl_buf_release(&text);
    return kept;
}

static const char *nothing_moved(const struct rl_pair *pair)
{
    return pair->moved_count ? "" : "no counter moved that explains it";
}

static void add_block(struct rl_document *doc, struct rl_grid *grid, const struct rl_comparison *comparison,
                      const struct rl_pair *pair)
{
    const struct rl_item *base = &comparison->base.items[pair->base], *new = &comparison->new.items[pair->new];
    const char *counted = counted_text(doc, pair);
    add_head(doc, grid, base, pair);
    if (pair->broke) {
        add_row(grid, INDENT "result", "right", "wrong", "", "the time of a wrong result means nothing");
        return;
    }
    add_row(grid, INDENT "limited by", limiter_text(doc, base), limiter_text(doc, new), "", nothing_moved(pair));
    for (size_t i = 0; i < metrics_of(pair); i++)
        add_moved(doc, grid, &pair->moved[i]);
    if (pair->work_text)
        add_row(grid, INDENT "work", "", "", "", rl_words(doc, "not equal: %s", pair->work_text));
    if (*counted)
        add_row(grid, INDENT "counted", "", "", "", counted);
}

/* The table of the first `count` of them. */
static void begin_table(struct rl_document *doc, struct rl_grid *grid, const struct rl_comparison *comparison, const size_t *order,
                        size_t count)
{
    static const struct rl_grid_column columns[] = {
        {.head = "kernel, and what moved with it", .align = RL_GRID_LEFT, .at_most = 170},
        {.head = "base", .align = RL_GRID_RIGHT, .whole = true},
        {.head = "new", .align = RL_GRID_RIGHT, .whole = true},
        {.head = "change", .align = RL_GRID_RIGHT, .whole = true},
        {.head = "what it means", .align = RL_GRID_WRAP, .at_least = 140},
    };
    rl_grid_begin(grid, doc->layout, NULL, columns, RL_COUNT(columns));
    for (size_t i = 0; i < count; i++)
        add_block(doc, grid, comparison, &comparison->pairs[order[i]]);
    grid->tight = grid->row_count > RL_GRID_LONG;
}

/* As many of them as there is room for above `reserve` points, and one at least. Returns how many. */
static size_t lay_table(struct rl_document *doc, const struct rl_comparison *comparison, const size_t *order, size_t all,
                        double reserve)
{
    const double room = rl_layout_room(doc->layout) - reserve;
    struct rl_grid grid;
    size_t count = all < MOST_TOLD ? all : MOST_TOLD;
    assert(all > 0 && reserve >= 0);
    for (;; count--) {
        begin_table(doc, &grid, comparison, order, count);
        if (count == 1 || rl_grid_height(&grid) <= room)
            break;
        rl_grid_release(&grid);
    }
    rl_grid_end(&grid);
    return count;
}

/* What stands below the table: that there are more, and the lines; without the method, which is last. */
static double room_below(struct rl_document *doc, const struct rl_comparison *comparison)
{
    return rl_styles[RL_STYLE_NOTE].leading + rl_compare_lines_room(doc, comparison);
}

static void lay_changes(struct rl_document *doc, const struct rl_section *section, const size_t *order, size_t all)
{
    const struct rl_comparison *comparison = rl_compare_of(doc, section);
    rl_layout_text(
        doc->layout, RL_STYLE_BODY,
        "For each change, the largest effect on the whole first: what limits the kernel, how close it is to that limit, and the "
        "counters that moved by more than their scatter. A counter explains a change when more of it makes kernels slower (or "
        "faster) and it moved that way; that is evidence, not proof.");
    rl_layout_skip(doc->layout, 6);
    lay_arrows(doc, section);
    const double reserve = room_below(doc, comparison) + rl_compare_method_room(doc);
    rl_compare_lay_rest(doc, all - lay_table(doc, comparison, order, all, reserve));
}

static void draw_causes(struct rl_document *doc, struct rl_section *section)
{
    const struct rl_comparison *comparison = rl_compare_of(doc, section);
    size_t all;
    const size_t *order = told(doc, section, &all);
    if (all)
        lay_changes(doc, section, order, all);
    else
        rl_layout_text(doc->layout, RL_STYLE_BODY,
                       "Nothing to explain: no kernel is faster or slower, and none did different work from the base.");
    rl_compare_lay_lines(doc, comparison, rl_compare_method_room(doc));
    rl_compare_lay_method(doc);
}

const struct rl_page rl_compare_page_causes = {.plan = plan_causes, .draw = draw_causes};
