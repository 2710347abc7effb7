/* compare_figures.c - several cards in tables: one for each question, and what a card lacks. */
#include "compare_doc.h"

static void draw_figures(struct rl_document *doc, struct rl_section *section)
{
    const struct view view = rl_compare_view(doc);
    (void)section;
    rl_view_each(doc->layout, &view, "questions");
    rl_layout_skip(doc->layout, 8);
    rl_view_items(doc->layout, &view, "lacking", 0);
}

const struct rl_page rl_compare_page_figures = {.draw = draw_figures, .joins = RL_COMPARE_ROWS};
