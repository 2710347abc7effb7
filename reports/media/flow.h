/* flow.h - boxes of content, measured and then placed, so that pages need no coordinates.
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
 * A column places its children below each other, a row side by side. The content of a row stays on one page; so does a whole tree
 * that is laid out with rl_flow_together, unless it is higher than a page. Texts are copied; drawings must live as long as the
 * layout.
 */
#pragma once

#include "grid.h"

struct rl_box;

/* Returns an empty column of the page's width, to be filled and then laid out. */
struct rl_box *rl_flow_begin(struct rl_layout *layout);
/* Lays the column out below the existing content, continuing on further pages. */
void rl_flow_end(struct rl_box *box);
/* As rl_flow_end, on a single page: the next one if the current one has too little room. */
void rl_flow_together(struct rl_box *box);
/* The three below each other, on a single page if they find room on this one or it may stay as it is (`fill` false). Else from here
 * on, each on a single page, and `large` behind `rest` if it does not fit below `head`; `again` is a line above what begins another
 * page. */
void rl_flow_filling(struct rl_box *head, struct rl_box *large, struct rl_box *rest, bool fill, const char *again);

/* ---- boxes of boxes ---- */

/* Adds a row to a column. */
struct rl_box *rl_box_row(struct rl_box *column);
/* Adds a column to a row, with a width of `columns` of the twelve columns of the page's grid. More than twelve in a row are a
 * programming error. */
struct rl_box *rl_box_cell(struct rl_box *row, int columns);

/* ---- content of a column ---- */

/* Adds vertical space in points; none at the top of a page (rl_layout_skip). */
void rl_box_gap(struct rl_box *column, double points);
/* Adds a text in one style. */
void rl_box_text(struct rl_box *column, enum rl_style style, const char *text);
/* Adds a heading (rl_layout_subsection). */
void rl_box_subsection(struct rl_box *column, const char *title);
/* Adds a paragraph; the box takes the spans, and `para` is then empty. */
void rl_box_para(struct rl_box *column, struct rl_para *para);
/* Adds a note in small grey type, below its table or figure. */
void rl_box_note(struct rl_box *column, const char *text);
/* Adds a paragraph with a hanging mark. */
void rl_box_item(struct rl_box *column, enum rl_mark mark, struct rl_para *para);
/* As rl_box_item, with "page n" at the right end of the first line, unless the target is RL_NO_TARGET. */
void rl_box_entry(struct rl_box *column, enum rl_mark mark, struct rl_para *para, size_t target);
/* Adds a table, to be filled with rl_grid_row and other functions of grid.h; the box owns it. */
struct rl_grid *rl_box_table(struct rl_box *column);
/* Adds a chart without a caption (rl_layout_drawing). */
void rl_box_drawing(struct rl_box *column, const struct rl_drawing *drawing, const char *alternative);

/* A line with a text at the left, and a text or page numbers at the right. */
struct rl_line {
    enum rl_style style;
    const char *text; /* shortened if it does not fit */
    size_t target;    /* link target; RL_NO_TARGET: none */
    enum rl_style side_style;
    const char *side;       /* a text at the right; NULL: none */
    struct rl_reference {   /* page numbers at the right, from right to left */
        const char *before; /* "roofline: page " */
        size_t target;      /* RL_NO_TARGET: none */
        double room;        /* width in points */
    } pages[2];             /* none where `before` is NULL */
    double height;          /* points; 0: that of the style */
};
/* Adds a line. Its texts are copied, except `before`. */
void rl_box_line(struct rl_box *column, const struct rl_line *line);

/* Binds a link target to this position (rl_layout_bind). */
void rl_box_bind(struct rl_box *column, size_t target);
/* Adds a bookmark with this title below `parent` (rl_layout_bookmark). */
void rl_box_bookmark(struct rl_box *column, size_t parent, const char *title);
