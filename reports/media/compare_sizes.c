/* compare_sizes.c - cases of both captures: each with its times and its verdict. */
#include "compare_doc.h"

enum { MOST_ROWS = 48 };

static void draw(struct rl_document *doc, struct rl_section *section)
{
    const struct view view = rl_compare_part_view(doc, section);
    rl_layout_text(doc->layout, RL_STYLE_BODY,
                   rl_view_words(doc->layout, &view,
                                 "{case_verdicts.slower} SLOWER, {case_verdicts.faster} FASTER, {case_verdicts.same} SAME, "
                                 "{case_verdicts.undecided} UNDECIDED, by name and parameters."));
    rl_layout_skip(doc->layout, 6);
    rl_view_table(doc->layout, &view, &(struct rl_view_table){.list = "cases", .title = "Every case", .most = MOST_ROWS});
    rl_layout_skip(doc->layout, 8);
    rl_view_items(doc->layout, &view, "cases_removed", MOST_ROWS);
    rl_view_items(doc->layout, &view, "cases_added", MOST_ROWS);
}

const struct rl_page rl_compare_page_cases = {.draw = draw, .joins = RL_COMPARE_ROWS};
