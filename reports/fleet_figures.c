/* fleet_figures.c - every ceiling and every time: a chart and, for ceilings, a table. */
#include <math.h>

#include "core/mem.h"
#include "core/signs.h"
#include "fleet_doc.h"

/* The GPU with the lowest rate of a ceiling. */
static const char *slowest(struct rl_document *doc, const struct rl_fleet_spread *spread)
{
    const struct rl_fleet_group *group = &rl_fleet_of(doc)->groups[spread->group];
    for (size_t i = 0; i < group->record_count; i++) {
        const struct rl_fleet_measure *measure = rl_fleet_measure_of(rl_fleet_of(doc)->records[group->records[i]], spread->key);
        if (measure && measure->value == spread->first)
            return rl_fleet_words_who(doc, group->records[i]);
    }
    return "";
}

static void add_ceiling(struct rl_document *doc, struct rl_grid *grid, const struct rl_fleet_spread *spread)
{
    const struct rl_fleet_key *key = &rl_fleet_of(doc)->keys[spread->key];
    rl_grid_row(grid);
    rl_grid_cell(grid, RL_STYLE_CELL, key->name);
    rl_grid_value(grid, RL_STYLE_CELL, rl_value_of((double)spread->count), 1, 0);
    rl_grid_cell(grid, RL_STYLE_CELL_STRONG, rl_words_value(doc, key->unit, rl_value_of(spread->median), 4));
    rl_grid_cell(grid, RL_STYLE_CELL, rl_words_value(doc, key->unit, rl_value_of(spread->low), 4));
    rl_grid_cell(grid, RL_STYLE_CELL, rl_words_value(doc, key->unit, rl_value_of(spread->high), 4));
    rl_grid_value(grid, RL_STYLE_CELL, rl_value_of(spread->scale), 100, 2);
    rl_grid_cell(grid, RL_STYLE_CELL,
                 isfinite(spread->limit) ? rl_words_value(doc, RL_UNIT_FRACTION, rl_value_of(rl_fleet_share(spread->limit)), 2)
                                         : RL_EN_DASH);
    rl_grid_cell(grid, RL_STYLE_CELL, rl_words_value(doc, key->unit, rl_value_of(spread->first), 4));
    rl_grid_cell(grid, RL_STYLE_CELL_NAME, slowest(doc, spread));
}

static void draw_ceilings_table(struct rl_document *doc, size_t group)
{
    const bool links = *rl_fleet_of(doc)->groups[group].links != 0;
    const struct rl_grid_column columns[] = {
        {.head = links ? "rate" : "ceiling"},
        {.head = links ? "links" : "GPUs", .align = RL_GRID_RIGHT},
        {.head = "median", .align = RL_GRID_RIGHT},
        {.head = "5 % lie below", .align = RL_GRID_RIGHT},
        {.head = "5 % above", .align = RL_GRID_RIGHT},
        {.head = "scale", .unit = "%", .align = RL_GRID_DECIMAL},
        {.head = "limit", .align = RL_GRID_RIGHT},
        {.head = "slowest", .align = RL_GRID_RIGHT},
        {.head = "on"},
    };
    struct rl_grid grid;
    rl_grid_begin(&grid, doc->layout, NULL, columns, RL_COUNT(columns));
    for (size_t i = 0; i < rl_fleet_of(doc)->spread_count; i++)
        if (rl_fleet_of(doc)->spreads[i].group == group && rl_fleet_of(doc)->keys[rl_fleet_of(doc)->spreads[i].key].ceiling)
            add_ceiling(doc, &grid, &rl_fleet_of(doc)->spreads[i]);
    rl_grid_end(&grid);
    rl_layout_skip(doc->layout, 4);
    const char *what = links ? "link" : "GPU";
    rl_layout_textf(doc->layout, RL_STYLE_NOTE,
                    "Scale: the robust standard deviation over the %ss. Limit: a %s whose rate is this far below the median stands "
                    "apart.",
                    what, what);
    rl_layout_skip(doc->layout, 14);
}

/* Groups that have charts. */
static size_t groups_of(const struct rl_document *doc)
{
    const size_t groups = rl_fleet_of(doc)->group_count;
    return groups < RL_FLEET_MOST_GROUPS ? groups : RL_FLEET_MOST_GROUPS;
}

static void plan_ceilings(struct rl_document *doc, struct rl_section *section)
{
    struct rl_fleet_subject *subject = doc->subject;
    for (size_t group = 0; group < groups_of(doc); group++)
        subject->ceilings[group] = rl_fleet_plan_figures(doc, section, group, true);
}

static void draw_ceilings(struct rl_document *doc, struct rl_section *section)
{
    const struct rl_fleet_subject *subject = doc->subject;
    size_t chart = 0;
    for (size_t group = 0; group < groups_of(doc); group++) {
        if (subject->ceilings[group] == 0)
            continue;
        rl_layout_figure(doc->layout, &rl_document_result(doc, section, chart++)->drawing,
                         rl_words(doc, "Measured %s of %s, with the median on the right.",
                                  *subject->fleet->groups[group].links ? "rates" : "ceilings", rl_fleet_group_name(doc, group)),
                         "Single figures scatter more than the medians by part on the first page: a part may stand apart where "
                         "none of its figures does.");
        rl_layout_skip(doc->layout, 10);
        draw_ceilings_table(doc, group);
    }
}

const struct rl_page rl_fleet_page_ceilings = {.plan = plan_ceilings, .draw = draw_ceilings};

static void plan_times(struct rl_document *doc, struct rl_section *section)
{
    struct rl_fleet_subject *subject = doc->subject;
    for (size_t group = 0; group < groups_of(doc); group++)
        subject->times[group] = rl_fleet_plan_figures(doc, section, group, false);
}

/* Two charts side by side, or the last one. */
static void draw_beside(struct rl_document *doc, const struct rl_section *section, size_t group, size_t first, size_t count)
{
    struct rl_box *box = rl_flow_begin(doc->layout);
    rl_box_gap(box, 10);
    rl_box_text(box, RL_STYLE_BODY,
                rl_words(doc,
                         "%s: every kernel and variant, with the median time on the right. Left is slower; squares stand "
                         "apart.",
                         rl_fleet_group_name(doc, group)));
    rl_box_gap(box, 4);
    struct rl_box *row = rl_box_row(box);
    for (size_t i = 0; i < count; i++)
        rl_box_drawing(rl_box_cell(row, RL_ALL_COLUMNS / 2), &rl_document_result(doc, section, first + i)->drawing,
                       "Differences of kernels' times from the median");
    rl_flow_together(box);
}

static void draw_times(struct rl_document *doc, struct rl_section *section)
{
    const struct rl_fleet_subject *subject = doc->subject;
    size_t chart = 0;
    for (size_t group = 0; group < groups_of(doc); group++)
        for (size_t i = 0; i < subject->times[group]; i += 2) {
            const size_t count = i + 1 < subject->times[group] ? 2 : 1;
            draw_beside(doc, section, group, chart, count);
            chart += count;
        }
}

const struct rl_page rl_fleet_page_times = {.plan = plan_times, .draw = draw_times};
