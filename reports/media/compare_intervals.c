/* compare_intervals.c - every kernel with its interval: an appendix. */
#include "compare_doc.h"
#include "core/mem.h"

enum { MOST_ROWS = 1000 };

/* With an asterisk where the work is not equal. */
static const char *pair_label(struct rl_document *doc, const struct rl_comparison *comparison, const struct rl_pair *pair)
{
    return rl_words(doc, "%s%s", rl_compare_words_label(doc, &comparison->base.items[pair->base]),
                    pair->work == RL_WORK_UNEQUAL ? " *" : "");
}

static const char *time_text(struct rl_document *doc, const struct rl_median *median)
{
    return median->n ? rl_words_value(doc, RL_UNIT_SECOND, rl_value_of(median->median), 4) : "–";
}

static void add_pair(struct rl_document *doc, struct rl_grid *grid, const struct rl_comparison *comparison,
                     const struct rl_pair *pair)
{
    const struct rl_median *base = &pair->change.base, *new = &pair->change.new;
    rl_grid_row(grid);
    rl_grid_cell(grid, RL_STYLE_CELL_NAME, pair_label(doc, comparison, pair));
    rl_grid_cell(grid, RL_STYLE_CELL, rl_words_value(doc, RL_UNIT_FRACTION, rl_value_of(pair->share), 3));
    rl_grid_cell(grid, RL_STYLE_CELL, time_text(doc, base));
    rl_grid_cell(grid, RL_STYLE_CELL, time_text(doc, new));
    rl_grid_cell(grid, RL_STYLE_CELL_STRONG, rl_compare_words_change(doc, &pair->change.time));
    rl_grid_cell(grid, RL_STYLE_SIDE, rl_compare_words_interval(doc, &pair->change.time));
    rl_grid_cell(grid, RL_STYLE_CELL, rl_words(doc, "%zu, %zu", base->n, new->n));
    rl_grid_cell(grid, pair->broke ? RL_STYLE_CELL_STRONG : RL_STYLE_CELL,
                 pair->broke          ? "WRONG"
                 : pair->not_compared ? "–"
                                      : rl_verdict_name(pair->change.verdict))
        ->mark = rl_compare_mark(pair);
}

static void draw_intervals(struct rl_document *doc, struct rl_section *section)
{
    static const struct rl_grid_column columns[] = {
        {.head = "kernel"},
        {.head = "share of time", .align = RL_GRID_RIGHT, .whole = true},
        {.head = "base", .align = RL_GRID_RIGHT, .whole = true},
        {.head = "new", .align = RL_GRID_RIGHT, .whole = true},
        {.head = "change", .align = RL_GRID_RIGHT, .whole = true},
        {.head = "interval", .align = RL_GRID_RIGHT, .whole = true},
        {.head = "samples", .align = RL_GRID_RIGHT, .whole = true},
        {.head = "verdict", .whole = true},
    };
    const struct rl_comparison *comparison = rl_compare_of(doc, section);
    const size_t rows = comparison->pair_count < MOST_ROWS ? comparison->pair_count : MOST_ROWS;
    struct rl_grid grid;
    rl_grid_begin(&grid, doc->layout, NULL, columns, RL_COUNT(columns));
    grid.tight = true;
    for (size_t i = 0; i < rows; i++)
        add_pair(doc, &grid, comparison, rl_compare_pair(doc, section, i));
    if (rows)
        rl_grid_lay(&grid);
    else
        rl_layout_text(doc->layout, RL_STYLE_BODY, "The captures have no kernel in common.");
    rl_compare_lay_rest(doc, comparison->pair_count - rows);
    rl_grid_release(&grid);
}

const struct rl_page rl_compare_page_intervals = {.draw = draw_intervals, .joins = RL_COMPARE_ROWS};
