/* kernel_sets.c - what the optional sets of metrics say of a launch, as small tables side by side in its block: where its warps
 * wait, which units are busy, what the caches catch, matrix operations by type, links. What was not collected takes no room. */
#include <assert.h>

#include "core/mem.h"
#include "core/sort.h"
#include "kernels.h"
#include "view_table.h"

#define PANEL_GAP 5.0
#define ROUND_OFF 1.02 /* numerator and denominator come from two passes, which may differ by 2 %: until there it is all */

/* One row adds a table. `ranked` tables show the largest values only and no zero; others are listed as they
 * stand in metrics.def. */
static const struct panel {
    const char *title;
    enum rl_metric_set set; /* and those that come with it */
    int columns;            /* of the page's twelve */
    size_t most;
    bool ranked;
} panels[] = {
    {"Where warps wait, share of their time", RL_SET_STALLS, 6, 6, true},
    {"Busiest execution units", RL_SET_PIPES, 6, 4, true},
    {"Caches by kind of access", RL_SET_CACHES, 6, 8, false},
    {"Matrix operations by type", RL_SET_TENSOR, 6, 6, true},
    {"Traffic of the card's links", RL_SET_LINKS, 6, 6, false},
};

struct figure {
    enum rl_metric metric;
    double value;
};
struct list {
    const struct panel *panel;
    struct figure figures[RL_METRIC_COUNT];
    size_t count;
};

static struct view_cell label_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_text(rl_metrics[((const struct figure *)row)->metric].label);
}

static struct view_cell value_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct figure *figure = row;
    struct view_cell cell = view_cell_number(rl_value_of(figure->value));
    cell.unit = rl_metrics[figure->metric].unit;
    return cell;
}

static const struct view_field figure_fields[] = {
    {.id = "metric", .head = "", .type = VIEW_TYPE_TEXT, .get = label_cell, .look = VIEW_LOOK_QUIET, .columns = 60},
    {.id = "value", .head = "", .type = VIEW_TYPE_NUMBER, .unit_of_row = true, .digits = 3, .bar = true, .get = value_cell},
};

static int by_value(const void *a, const void *b)
{
    const struct figure *x = a, *y = b;
    return rl_descending(x->value, y->value) ?: rl_ascending(x->metric, y->metric);
}

static bool is_share(enum rl_metric metric)
{
    assert(metric < RL_METRIC_COUNT);
    return rl_metrics[metric].unit == RL_UNIT_FRACTION;
}

/* Whether it is of the panel's sets, and not zero in a ranked one. */
static bool is_listed(const struct panel *panel, int metric, struct rl_value value)
{
    const unsigned sets = 1u << panel->set | rl_sets[panel->set].includes;
    return (sets & 1u << rl_metrics[metric].set) && rl_present(value) && !(panel->ranked && value.v <= 0);
}

static struct list list_of(const struct rl_roofline_entry *entry, const struct panel *panel)
{
    struct list list = {.panel = panel};
    for (int i = 0; i < RL_METRIC_COUNT && entry->shows; i++) {
        const struct rl_value value = entry->metric[i];
        if (!is_listed(panel, i, value))
            continue;
        double shown = is_share((enum rl_metric)i) && value.v > 1 && value.v <= ROUND_OFF ? 1 : value.v;
        list.figures[list.count++] = (struct figure){(enum rl_metric)i, shown};
    }
    if (panel->ranked && list.count)
        rl_sort(list.figures, list.count, sizeof *list.figures, by_value);
    list.count = list.count < panel->most ? list.count : panel->most;
    return list;
}

static void dress(void *to, const struct view_field *field, const void *row, struct rl_grid_cell *cell)
{
    struct rl_report *report = to;
    const enum rl_metric metric = ((const struct figure *)row)->metric;
    report->used[metric] = true;
    if (!field->bar)
        cell->target = rl_metric_target(report, metric);
}

void rl_kernel_sets_add(struct rl_report *report, const struct rl_roofline_entry *entry, struct rl_box *box)
{
    struct rl_box *row = NULL;
    int columns = RL_ALL_COLUMNS;
    for (size_t i = 0; i < RL_COUNT(panels); i++) {
        const struct list list = list_of(entry, &panels[i]);
        if (list.count == 0)
            continue;
        if (columns + panels[i].columns > RL_ALL_COLUMNS) {
            if (row)
                rl_box_gap(box, PANEL_GAP);
            row = rl_box_row(box);
            columns = 0;
        }
        struct rl_box *cell = rl_box_cell(row, panels[i].columns);
        rl_box_text(cell, RL_STYLE_NOTE_STRONG, list.panel->title);
        rl_view_table_add(cell, &report->view,
                          &(struct rl_view_table){RL_TABLE(figure_fields, list.figures, list.count), .plain = true, .dress = dress,
                                                  .to = report});
        columns += panels[i].columns;
    }
    if (row)
        rl_box_gap(box, PANEL_GAP);
}
