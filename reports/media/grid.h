/* grid.h - tables: rules above and below, none between columns, figures on the decimal point, units once in the head, heads
 * repeated on every page, missing values as an en dash with a note.
 *
 *     struct rl_grid grid;
 *     rl_grid_begin(&grid, layout);
 *     rl_grid_add_column(&grid, &(struct rl_grid_column){.head = "variant"});
 *     rl_grid_add_column(&grid, &(struct rl_grid_column){.head = "time", .unit = "ms", .align = RL_GRID_DECIMAL});
 *     rl_grid_row(&grid);
 *     rl_grid_cell(&grid, RL_STYLE_CELL_NAME, "stride_1");
 *     rl_grid_cell(&grid, RL_STYLE_CELL, "0.8737");
 *     rl_grid_lay(&grid);
 *     rl_grid_release(&grid);
 *
 * Columns take the width that their content asks for; what is left over goes between them, what is missing is taken from the texts.
 */
#pragma once

#include "chart.h"
#include "layout.h"

enum rl_grid_align {
    RL_GRID_LEFT, /* shortened in the middle when it does not fit */
    RL_GRID_WRAP, /* left, broken into lines */
    RL_GRID_RIGHT,
    RL_GRID_DECIMAL, /* on the decimal point */
};
struct rl_grid_column {
    const char *head, *unit; /* NULL: none; the unit is printed once, here */
    enum rl_grid_align align;
    bool close;               /* belongs to the column on its left: no gap but a small one */
    bool whole;               /* text that is never shortened */
    double share_width;       /* > 0: cells may have a bar of at most this width (points) */
    double at_least, at_most; /* widths, points; 0: as the content asks */
};
struct rl_grid_cell {
    const char *text, *sign; /* sign: of a note, or "" */
    enum rl_style style;
    double share; /* 0..1: a small bar before the text; NAN: none */
    enum rl_tone share_tone;
    enum rl_mark mark;
    size_t target;    /* what the text links to; RL_NO_TARGET: nothing */
    size_t anchor;    /* what leads to this row; RL_NO_TARGET: nothing */
    bool page_number; /* shows the number of the page that `target` is on */
};
struct rl_grid {
    struct rl_layout *layout;
    struct rl_grid_column *columns;
    size_t column_count, column_cap;
    struct rl_grid_cell *cells; /* row after row */
    size_t cell_count, cell_cap;
    size_t row_count;
    bool *group; /* one per row: a thin line before it */
    size_t group_cap;
    bool plain;        /* no rules above and below: a list next to another */
    bool tight;        /* rows closer to each other: for tables of more than RL_GRID_LONG rows that shall not fill pages */
    double squeeze;    /* points that rows of a tight table are lower still, where that spares a page; set when it is laid */
    const char *title; /* a heading that stays with the first rows; NULL: none */
    const char *foot;  /* a note below the table that stays with the last rows; NULL: none */
};

enum { RL_GRID_LONG = 20 };

/* Begins a table. */
void rl_grid_begin(struct rl_grid *grid, struct rl_layout *layout);
/* Adds a column, whose texts are copied; before the first row. */
void rl_grid_add_column(struct rl_grid *grid, const struct rl_grid_column *column);
/* Starts a row. The cells that are not filled stay empty. */
void rl_grid_row(struct rl_grid *grid);
/* Starts a row with a thin line above it. */
void rl_grid_group(struct rl_grid *grid);
/* Fills the next cell; the pointer is good until the next call. More cells than columns is a programming error. */
struct rl_grid_cell *rl_grid_cell(struct rl_grid *grid, enum rl_style style, const char *text);
/* Lays the table into the frame, heads repeated on every page. */
void rl_grid_lay(struct rl_grid *grid);
/* Frees it. */
void rl_grid_release(struct rl_grid *grid);
/* Points that it takes in the frame, all on one page, without the notes of its cells. */
double rl_grid_height(struct rl_grid *grid);
