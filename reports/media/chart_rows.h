/* chart_rows.h - rows of charts (bars, intervals, lanes): a name at the left, a note at the right, and the axis between the widest
 * of them. */
#pragma once

#include "chart_kind.h"

struct rl_row {
    struct rl_fitted name, note;
    double y, height; /* its middle and its height, points */
    bool strong;      /* its texts are bold */
    bool faint;       /* its texts are grey: it has no value */
};

struct rl_rows {
    struct rl_row *at;
    size_t count;
    double names, notes;           /* width of the widest, points */
    double name_share, note_share; /* largest share of the chart's width for a name, a note */
};

/* Height of a chart of `count` rows with `above` points above them and an axis with its title (NULL: none) below; at least that of
 * a small chart. */
double rl_rows_natural_height(size_t count, double row_height, const char *title, double above);
/* Height of an axis under the rows. */
double rl_rows_axis_room(const char *title);

/* Sets up `count` rows without texts. */
struct rl_rows rl_rows_new(struct rl_chart_work *work, size_t count, double name_share, double note_share);
/* Fits the texts of a row; NULL: none. */
void rl_rows_fit(struct rl_chart_work *work, struct rl_rows *rows, size_t row, const char *name, const char *note, bool strong);
/* Divides the height between y->from and y->to of the chart among the rows. Returns the height of one. */
double rl_rows_divide(struct rl_chart_work *work, struct rl_rows *rows);
/* A line along the middle of each row: "$rows". */
void rl_rows_write_lines(struct rl_chart_work *work, const struct rl_rows *rows);
/* Writes the name of a row, flush right `gap` points left of the axis, and its note, flush right at `right`; NAN: not the note. */
void rl_rows_label(struct rl_chart_work *work, const struct rl_rows *rows, size_t row, double gap, double right);
