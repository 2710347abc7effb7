/* compare_figures.c - several cards in tables: one for each question, and what a card lacks. */
#include "compare_doc.h"

enum { CHARTED = 20 };

static void draw_figures(struct rl_document *doc, struct rl_section *section)
{
    struct view view = rl_compare_view(doc);
    struct view_compare *what = rl_arena_alloc(doc->arena, sizeof *what);
    (void)section;
    *what = *rl_compare_what(doc);
    what->options.charted = !doc->options->only && what->kernel_count <= CHARTED; /* by the page of every kernel */
    view.row = what;
    rl_view_each(doc->layout, &view, "questions");
    rl_layout_skip(doc->layout, 8);
    rl_view_items(doc->layout, &view, "lacking", 0);
}

const struct rl_page rl_compare_page_figures = {.draw = draw_figures, .joins = RL_COMPARE_ROWS};
