/* flow.h - content as boxes, which are measured and then placed: no page knows a coordinate.
 *
 *     struct rl_box *box = rl_flow_begin(layout);
 *     struct rl_box *row = rl_box_row(box);
 *     rl_box_drawing(rl_box_cell(row, 6), drawing, caption);
 *     struct rl_grid *grid = rl_box_table(rl_box_cell(row, 6));
 *     rl_grid_add_column(grid, &(struct rl_grid_column){.head = "variant"});
 *     rl_grid_row(grid);
 *     ...
 *     rl_flow_together(box);
 *
 * A column has its children below each other, a row side by side. What stands in a row stays on one page, and so does all of a
 * tree that is laid with rl_flow_together, as long as it is not higher than a page. Texts are copied, drawings must live as long as
 * the layout.
 */
#ifndef RL_REPORTS_FLOW_H
#define RL_REPORTS_FLOW_H

#include "grid.h"
#include "layout.h"

struct rl_box;

/* A column over the width of the page, to be filled and then laid. */
struct rl_box *rl_flow_begin(struct rl_layout *layout);
/* Lays it below what is there, from page to page. */
void rl_flow_end(struct rl_box *box);
/* The same, all on one page: on the next one unless there is room. */
void rl_flow_together(struct rl_box *box);

/* ---- boxes of boxes ---- */

/* A row in a column. */
struct rl_box *rl_box_row(struct rl_box *column);
/* The next column in a row, as wide as so many of the twelve columns of the page's grid; more columns than twelve are a programming
 * error. */
struct rl_box *rl_box_cell(struct rl_box *row, int columns);

/* ---- what stands in a column ---- */

/* Free points; nothing at the top of a page (rl_layout_skip). */
void rl_box_gap(struct rl_box *column, double points);
/* A text in one style. */
void rl_box_text(struct rl_box *column, enum rl_style style, const char *text);
/* A heading (rl_layout_subsection). */
void rl_box_subsection(struct rl_box *column, const char *title);
/* A paragraph; the box takes its spans, and `para` is empty again. */
void rl_box_para(struct rl_box *column, struct rl_para *para);
/* A note in small grey type, below the table or figure that it is about. */
void rl_box_note(struct rl_box *column, const char *text);
/* A paragraph with a hanging mark. */
void rl_box_item(struct rl_box *column, enum rl_mark mark, struct rl_para *para);
/* The same with "page n" at the right end of its first line, unless the target is RL_NO_TARGET. */
void rl_box_entry(struct rl_box *column, enum rl_mark mark, struct rl_para *para, size_t target);
/* A table to be filled with rl_grid_row and the like; it belongs to the box. */
struct rl_grid *rl_box_table(struct rl_box *column);
/* A chart without a caption (rl_layout_drawing). */
void rl_box_drawing(struct rl_box *column, const struct rl_drawing *drawing, const char *alternative);
/* A caption for the charts above it (rl_layout_caption). */
void rl_box_caption(struct rl_box *column, const char *caption, const char *method);

/* A line with a text at the left and something at its right end. */
struct rl_line {
    enum rl_style style;
    const char *text; /* shortened where there is no room */
    size_t target;    /* what it links to; RL_NO_TARGET: nothing */
    enum rl_style side_style;
    const char *side;       /* a text at the right; NULL: none */
    struct rl_reference {   /* numbers of pages at the right, the last one first */
        const char *before; /* "roofline: page " */
        size_t target;      /* RL_NO_TARGET: none */
        double room;        /* points that it takes */
    } pages[2];             /* `before` NULL: none */
    double height;          /* 0: that of the style */
};
/* Adds such a line; its texts are copied, but for `before`. */
void rl_box_line(struct rl_box *column, const struct rl_line *line);

/* Binds a target to this place (rl_layout_bind). */
void rl_box_bind(struct rl_box *column, size_t target);
/* Adds a bookmark with this title below `parent` (rl_layout_bookmark). */
void rl_box_bookmark(struct rl_box *column, size_t parent, const char *title);

#endif
