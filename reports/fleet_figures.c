/* fleet_figures.c - every ceiling and every time: a chart and, for ceilings, a table. */
#include <math.h>

#include "fleet_doc.h"

/* The GPU with the lowest rate of a ceiling. */
static const char *slowest(struct rl_fleet_doc *doc, const struct rl_fleet_spread *spread)
{
    const struct rl_fleet_group *group = &doc->fleet->groups[spread->group];
    for (size_t i = 0; i < group->record_count; i++) {
        const struct rl_fleet_measure *measure = rl_fleet_measure_of(doc->fleet->records[group->records[i]], spread->key);
        if (measure && measure->value == spread->first)
            return rl_fleet_words_who(doc, group->records[i]);
    }
    return "";
}

static void add_ceiling(struct rl_fleet_doc *doc, struct rl_grid *grid, const struct rl_fleet_spread *spread)
{
    const struct rl_fleet_key *key = &doc->fleet->keys[spread->key];
    struct rl_report *words = &doc->words;
    rl_grid_row(grid);
    rl_grid_cell(grid, RL_STYLE_CELL, key->name);
    rl_grid_value(grid, RL_STYLE_CELL, rl_value_of((double)spread->count), 1, 0);
    rl_grid_cell(grid, RL_STYLE_CELL_STRONG, rl_words_value(words, key->unit, rl_value_of(spread->median), 4));
    rl_grid_cell(grid, RL_STYLE_CELL, rl_words_value(words, key->unit, rl_value_of(spread->low), 4));
    rl_grid_cell(grid, RL_STYLE_CELL, rl_words_value(words, key->unit, rl_value_of(spread->high), 4));
    rl_grid_value(grid, RL_STYLE_CELL, rl_value_of(spread->scale), 100, 2);
    rl_grid_cell(grid, RL_STYLE_CELL,
                 isfinite(spread->limit) ? rl_words_value(words, RL_UNIT_FRACTION, rl_value_of(rl_fleet_share(spread->limit)), 2)
                                         : "\xE2\x80\x93");
    rl_grid_cell(grid, RL_STYLE_CELL, rl_words_value(words, key->unit, rl_value_of(spread->first), 4));
    rl_grid_cell(grid, RL_STYLE_CELL_NAME, slowest(doc, spread));
}

static void draw_ceilings_table(struct rl_fleet_doc *doc, size_t group)
{
    struct rl_grid grid;
    rl_grid_init(&grid, doc->layout);
    const bool links = *doc->fleet->groups[group].links != 0;
    rl_grid_add_column(&grid, links ? "rate" : "ceiling", "", RL_GRID_LEFT);
    rl_grid_add_column(&grid, links ? "links" : "GPUs", "", RL_GRID_RIGHT);
    rl_grid_add_column(&grid, "median", "", RL_GRID_RIGHT);
    rl_grid_add_column(&grid, "5 % lie below", "", RL_GRID_RIGHT);
    rl_grid_add_column(&grid, "5 % above", "", RL_GRID_RIGHT);
    rl_grid_add_column(&grid, "scale", "%", RL_GRID_DECIMAL);
    rl_grid_add_column(&grid, "limit", "", RL_GRID_RIGHT);
    rl_grid_add_column(&grid, "slowest", "", RL_GRID_RIGHT);
    rl_grid_add_column(&grid, "on", "", RL_GRID_LEFT);
    for (size_t i = 0; i < doc->fleet->spread_count; i++)
        if (doc->fleet->spreads[i].group == group && doc->fleet->keys[doc->fleet->spreads[i].key].ceiling)
            add_ceiling(doc, &grid, &doc->fleet->spreads[i]);
    rl_grid_lay(&grid);
    rl_grid_release(&grid);
    rl_layout_skip(doc->layout, 4);
    const char *what = links ? "link" : "GPU";
    rl_layout_textf(doc->layout, RL_STYLE_NOTE,
                    "Scale: the robust standard deviation over the %ss. Limit: a %s with a rate so much below the median stands "
                    "apart.",
                    what, what);
    rl_layout_skip(doc->layout, 14);
}

static void draw_ceilings(struct rl_fleet_doc *doc)
{
    size_t sections = 0;
    for (size_t i = 0; i < doc->chart_count; i++) {
        if (!doc->shown[i].ceilings)
            continue;
        if (sections++ == 0)
            rl_fleet_section(doc, doc->ceilings, "Ceilings");
        rl_layout_figure(doc->layout, rl_fleet_drawing(doc, i),
                         rl_words(&doc->words, "Measured %s of %s; on the right the median.",
                                  *doc->fleet->groups[doc->shown[i].group].links ? "rates" : "ceilings",
                                  rl_fleet_group_name(doc, doc->shown[i].group)),
                         "Single figures scatter more than the median over those of a part on the first page: a part may stand "
                         "apart where none of its figures does.");
        rl_layout_skip(doc->layout, 10);
        draw_ceilings_table(doc, doc->shown[i].group);
    }
}

/* Two columns; a group begins on the left. */
static void draw_times(struct rl_fleet_doc *doc)
{
    size_t sections = 0, column = 0;
    double top = 0, lowest = 0;
    for (size_t i = 0; i < doc->chart_count; i++) {
        const struct rl_fleet_chart *shown = &doc->shown[i];
        const struct rl_drawing *drawing = rl_fleet_drawing(doc, i);
        if (shown->parts || shown->ceilings)
            continue;
        if (sections++ == 0)
            rl_fleet_section(doc, doc->times, "Times");
        if (shown->first == 0 || column == 2) {
            rl_layout_set_frame(doc->layout, rl_layout_columns(doc->layout, 0, 12));
            if (column > 0)
                rl_layout_set_y(doc->layout, lowest);
            column = 0;
            rl_layout_skip(doc->layout, 10);
            rl_layout_need(doc->layout, drawing->height + 40);
            rl_layout_textf(doc->layout, RL_STYLE_BODY,
                            "%s: every kernel and variant; on the right the median time. Left is slower; squares stand apart.",
                            rl_fleet_group_name(doc, shown->group));
            rl_layout_skip(doc->layout, 4);
            top = lowest = rl_layout_y(doc->layout);
        }
        rl_layout_set_frame(doc->layout, rl_layout_columns(doc->layout, (int)column * 6, 6));
        rl_layout_set_y(doc->layout, top);
        rl_layout_drawing(doc->layout, drawing, "Differences of kernels' times from the median");
        lowest = fmin(lowest, rl_layout_y(doc->layout));
        column++;
    }
    rl_layout_set_frame(doc->layout, rl_layout_columns(doc->layout, 0, 12));
    if (sections > 0)
        rl_layout_set_y(doc->layout, lowest);
}

void rl_fleet_draw_figures(struct rl_fleet_doc *doc)
{
    draw_ceilings(doc);
    draw_times(doc);
}
