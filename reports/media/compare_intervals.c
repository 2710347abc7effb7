/* compare_intervals.c - every kernel with its interval: an appendix. */
#include <string.h>

#include "compare_doc.h"

static void dress(void *to, const struct view_field *field, const void *row, struct rl_grid_cell *cell)
{
    const struct rl_pair *pair = ((const struct view_pair *)row)->pair;
    (void)to;
    if (strcmp(field->id, "time_text") == 0)
        cell->style = RL_STYLE_CELL_STRONG;
    else if (strcmp(field->id, "interval") == 0)
        cell->style = RL_STYLE_SIDE;
    else if (strcmp(field->id, "outcome") == 0)
        cell->mark = rl_compare_mark(pair);
}

static void draw_intervals(struct rl_document *doc, struct rl_section *section)
{
    enum { MOST_ROWS = 1000 };
    const struct view view = rl_compare_part_view(doc, section);
    const struct rl_view_table table = {.list = "changes",
                                        .columns =
                                            "marked,share,base.median_s,new.median_s,time_text,interval,base.n,new.n,outcome",
                                        .most = MOST_ROWS,
                                        .choose = rl_compare_first_rows,
                                        .dress = dress,
                                        .tight = true};
    if (!rl_view_table(doc->layout, &view, &table))
        rl_layout_text(doc->layout, RL_STYLE_BODY, "The captures have no kernel in common.");
}

const struct rl_page rl_compare_page_intervals = {.draw = draw_intervals, .joins = 110};
