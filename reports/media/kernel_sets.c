/* kernel_sets.c - what the optional sets of metrics say of a launch, as small tables side by side in its block: where its warps
 * wait, which units are busy, what the caches catch, matrix operations by type, links. What was not collected takes no room. */
#include "kernels.h"
#include "results/results.h"
#include "view_table.h"

#define PANEL_GAP 5.0

/* One row adds a table. `ranked` tables show the largest values only and no zero; others are listed as they
 * stand in metrics.def. */
static const struct panel {
    const char *title;
    enum rl_metric_set set; /* and those that come with it */
    size_t most;
    bool ranked;
} panels[] = {
    {"Stall reasons, share of the warps' time", RL_SET_STALLS, 6, true},
    {"Busiest execution units", RL_SET_PIPES, 4, true},
    {"Caches by kind of access", RL_SET_CACHES, 8, false},
    {"Matrix operations by type", RL_SET_TENSOR, 6, true},
    {"Traffic of the GPU's links", RL_SET_LINKS, 6, false},
};

VIEW_CELL(label_cell, struct view_set_figure, rl_metrics[row->metric].label);

VIEW_CELL(value_cell, struct view_set_figure, view_cell_in(rl_value_of(row->value), rl_metrics[row->metric].unit));

static const struct view_field figure_fields[] = {
    {.id = "metric", .head = "", VIEW_GET(TEXT, label_cell), .look = VIEW_LOOK_QUIET, .columns = 60},
    {.id = "value", .head = "", .type = VIEW_TYPE_NUMBER, .unit_of_row = true, .digits = 3, .bar = true, .get = value_cell},
};

static void dress(void *to, const struct view_field *field, const void *row, struct rl_grid_cell *cell)
{
    struct rl_report *report = to;
    const enum rl_metric metric = ((const struct view_set_figure *)row)->metric;
    report->used[metric] = true;
    if (!field->bar)
        cell->target = rl_metric_target(report, metric);
}

void rl_kernel_sets_add(struct rl_report *report, const struct rl_roofline_entry *entry, struct rl_box *box)
{
    struct rl_box *row = NULL;
    size_t shown = 0;
    for (size_t i = 0; i < RL_COUNT(panels) && entry->shows; i++) {
        struct view_set_figure figures[RL_METRIC_COUNT];
        size_t count = view_set_figures(entry->metric, panels[i].set, panels[i].ranked, figures);
        count = count < panels[i].most ? count : panels[i].most;
        if (count == 0)
            continue;
        if (shown++ % 2 == 0) {
            if (row)
                rl_box_gap(box, PANEL_GAP);
            row = rl_box_row(box);
        }
        struct rl_box *cell = rl_box_cell(row, RL_ALL_COLUMNS / 2);
        rl_box_text(cell, RL_STYLE_NOTE_STRONG, panels[i].title);
        rl_view_table_add(
            cell, &report->view,
            &(struct rl_view_table){RL_TABLE(figure_fields, figures, count), .plain = true, .dress = dress, .to = report});
    }
    if (row)
        rl_box_gap(box, PANEL_GAP);
}
