/* compare_causes.c - what explains each change: counters before and after, what limits it, the arrow on the roofline. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "compare_doc.h"
#include "roofs.h"

enum { MOST_ARROWS = 8, MOST_LINES = 12, FEW_LINES = 3 };
#define ROOFLINE_HEIGHT 200.0

/* ---- the arrows on the roofline ---- */

static bool on_roofline(const struct rl_item *item)
{
    const struct rl_value x = item->metric[RL_METRIC_intensity_dram], y = item->metric[RL_METRIC_flop_per_second];
    return !item->not_compared && rl_present(x) && rl_present(y) && x.v > 0 && y.v > 0;
}

static bool has_arrow(const struct rl_comparison *comparison, const struct rl_pair *pair)
{
    return !pair->broke && !pair->not_compared && pair->change.verdict != RL_SAME && pair->change.verdict != RL_UNDECIDED &&
           on_roofline(&comparison->base.items[pair->base]) && on_roofline(&comparison->new.items[pair->new]);
}

static struct rl_chart_point point_of(struct rl_document *doc, const struct rl_item *item, bool after)
{
    return (struct rl_chart_point){.x = item->metric[RL_METRIC_intensity_dram].v,
                                   .y = item->metric[RL_METRIC_flop_per_second].v,
                                   .low = NAN,
                                   .high = NAN,
                                   .weight = NAN,
                                   .tone = rl_words_tone(rl_limiter_of(item->limiter, item->bound)),
                                   .hollow = !after,
                                   .small = !after,
                                   .name = rl_words(doc, "%s %s", rl_compare_words_label(doc, item), after ? "after" : "before"),
                                   .label = after ? rl_compare_words_label(doc, item) : NULL};
}

static void plan_causes(struct rl_document *doc, struct rl_section *section)
{
    const struct rl_comparison *comparison = rl_compare_of(doc, section);
    size_t all, count = 0;
    const size_t *order = rl_compare_changed(doc, comparison, &all);
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

/* ---- the tables ---- */

static int pair_of(const struct view *view, const void *row)
{
    const struct rl_comparison *comparison = ((const struct view_part *)view->row)->comparison;
    return (int)(((const struct view_cause *)row)->pair - comparison->pairs);
}

static void dress_cause(void *to, const struct view_field *field, const void *row, struct rl_grid_cell *cell)
{
    const struct view_cause *cause = row;
    (void)to;
    if (strcmp(field->id, "meaning") == 0)
        cell->mark = cause->first ? rl_compare_mark(cause->pair) : RL_MARK_NONE;
    if (cause->first)
        cell->style = strcmp(field->id, "what") == 0     ? RL_STYLE_CELL_NAME
                      : strcmp(field->id, "change") == 0 ? RL_STYLE_CELL_STRONG
                                                         : RL_STYLE_CELL;
}

/* Lines whose samples changed, where both sides have samples of instructions: as many as there is room for above `reserve` points.
 */
static struct rl_view_table lines(double reserve)
{
    return (struct rl_view_table){
        .list = "lines", .columns = "kernel,at,share_text,time_text,text", .most = MOST_LINES, .reserve = reserve};
}

/* How many kernels the first rows are about. */
static size_t kernels_in(const struct view *view, size_t rows)
{
    const struct view_cell all = view_value(view, view_record_field(view->record, "causes"), view->row);
    size_t count = 0;
    for (size_t i = 0; i < all.rows.count && i < rows; i++)
        count += ((const struct view_cause *)view_rows_at(&all.rows, i))->first;
    return count;
}

/* As many changes as there is room for above the lines and the method. */
static void lay_changes(struct rl_document *doc, const struct rl_section *section, const struct view *view)
{
    struct rl_view_table few = lines(0);
    size_t shown;
    few.most = FEW_LINES;
    rl_layout_text(
        doc->layout, RL_STYLE_BODY,
        "For each change, the largest effect on the whole first: what limits the kernel, how close it is to that limit, and the "
        "counters that moved by more than their scatter. A counter explains a change when more of it makes kernels slower (or "
        "faster) and it moved that way; that is evidence, not proof.");
    rl_layout_skip(doc->layout, 6);
    lay_arrows(doc, section);
    const double reserve = rl_styles[RL_STYLE_NOTE].leading + rl_view_height(doc->layout, view, &few);
    rl_view_table(doc->layout, view,
                  &(struct rl_view_table){.list = "causes",
                                          .dress = dress_cause,
                                          .group = pair_of,
                                          .tight = kernels_in(view, SIZE_MAX) > 4,
                                          .reserve = reserve,
                                          .shown = &shown});
    rl_compare_lay_rest(doc, kernels_in(view, SIZE_MAX) - kernels_in(view, shown));
}

/* Whether more than times changed: without counters there is a table of lines at best. */
static bool anything_moved(const struct rl_comparison *comparison)
{
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct rl_pair *pair = &comparison->pairs[i];
        if (pair->moved_count || pair->tally_count || pair->work_text || pair->broke)
            return true;
    }
    return false;
}

static void draw_causes(struct rl_document *doc, struct rl_section *section)
{
    const struct view view = rl_compare_part_view(doc, section);
    const struct rl_view_table table = lines(1);
    if (kernels_in(&view, SIZE_MAX) && anything_moved(rl_compare_of(doc, section)))
        lay_changes(doc, section, &view);
    else if (!rl_compare_what(doc)->parts[rl_compare_part(section)].line_count)
        rl_layout_text(doc->layout, RL_STYLE_BODY,
                       "Nothing to explain: no kernel is faster or slower, and none did different work from the base.");
    if (rl_view_table(doc->layout, &view, &table))
        rl_layout_text(doc->layout, RL_STYLE_NOTE,
                       "Change in a line's share of the kernel's samples, new minus base, and in the time that share stands for, "
                       "with 95 % intervals. Only lines that changed by more than samples scatter.");
}

const struct rl_page rl_compare_page_causes = {.plan = plan_causes, .draw = draw_causes};
