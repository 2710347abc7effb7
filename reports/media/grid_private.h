/* grid_private.h - what grid.c, grid_measure.c and grid_lay.c know of a table. */
#pragma once

#include "grid.h"

#define RL_GRID_BAR_GAP  4.0
#define RL_GRID_HEAD_GAP 2.0      /* below the line of the head */
enum { RL_GRID_CELL_LINES = 24 }; /* of a cell that is broken into lines: a row always fits a page */
enum { RL_GRID_HEAD_LINES = 8 };

/* Widths that a column needs and gets. */
struct rl_grid_measure {
    double before;          /* marks and bars, left of the text */
    double whole, fraction; /* RL_GRID_DECIMAL: widest part before the point; from it on, with the sign */
    double natural, least;
    double x, width;
};

/* A head broken into lines. */
struct rl_grid_head {
    const char *at[RL_GRID_HEAD_LINES];
    size_t len[RL_GRID_HEAD_LINES], count;
};

/* Fills the rest of the last row. */
void rl_grid_complete(struct rl_grid *grid);
/* A cell of a complete row. */
struct rl_grid_cell *rl_grid_cell_at(const struct rl_grid *grid, size_t row, size_t column);
/* Width of a text in this style. */
double rl_grid_text_width(const struct rl_grid *grid, enum rl_style style, const char *text, size_t len);
/* Width of the sign of a cell's note. */
double rl_grid_sign_width(const struct rl_grid *grid, const struct rl_grid_cell *cell);
/* Whether a column holds text, flush left. */
bool rl_grid_is_text(const struct rl_grid_column *column);
/* Points that the mark before a cell's text takes. */
double rl_grid_mark_room(const struct rl_grid_cell *cell);
/* Widths and places of all columns in the frame; returns the width of the table. */
double rl_grid_arrange(const struct rl_grid *grid, struct rl_grid_measure *m);
/* How far below the top of a row a cell of several lines begins, so that its first line stands on the base line of the row. */
double rl_grid_block_shift(const struct rl_layout *layout, enum rl_style style);
/* The lines of a head in a column of this width. */
struct rl_grid_head rl_grid_split_head(const struct rl_grid *grid, const struct rl_grid_column *column, double width);
/* Lines of the highest head. */
size_t rl_grid_head_lines(const struct rl_grid *grid, const struct rl_grid_measure *m);
/* Points that so many lines of a head take. */
double rl_grid_head_height(size_t lines);
/* Points that rows are lower than their leading. */
double rl_grid_taken_off(const struct rl_grid *grid);
/* Points that a row takes. */
double rl_grid_row_height(struct rl_grid *grid, size_t row, const struct rl_grid_measure *m);
