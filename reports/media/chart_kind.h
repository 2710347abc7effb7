/* chart_kind.h - common parts of the kinds of charts: axes, data for gnuplot, texts.
 *
 * A kind lays out its chart and writes its numbers (`write`), gnuplot draws them with templates/NAME.gp, then the kind adds its
 * texts (`label`). Both steps share a `struct rl_chart_work`. A new kind takes a row of chart_kinds.def, its struct (chart.h),
 * a file chart_NAME.c, a template, and a golden in tests/unit/media/test_chart.c.
 */
#pragma once

#include "chart.h"
#include "place.h"

/* ---- the look (templates/style.gp has the colours of what gnuplot draws) ---- */

#define RL_TICK_SIZE  8.5 /* font sizes, points */
#define RL_LABEL_SIZE 8.5
#define RL_TITLE_SIZE 8.5
#define RL_TICK_ROOM  12.5                                      /* height of tick labels under an axis, with their gap */
extern const struct rl_colour rl_ink, rl_ink_soft, rl_ink_pale; /* text; secondary text; leader lines */

/* ---- axes ---- */

enum rl_ticks {
    RL_TICKS_NONE,    /* values are points; no labels */
    RL_TICKS_LINEAR,  /* a label every `step` */
    RL_TICKS_DECADES, /* logarithmic: 0.01, 1, 100 */
    RL_TICKS_SI,      /* logarithmic: 10 G, 1 T */
    RL_TICKS_BINARY,  /* logarithmic, powers of two: 1, 2, 4, ... 16 Ki */
};

struct rl_axis {
    enum rl_ticks ticks;
    double min, max; /* values at the ends, already scaled */
    double from, to; /* their positions, points */
    double step;     /* between labels: values if linear, otherwise decades or doublings */
    bool fine;       /* few decades: 2 and 5 have labels, too */
    int between;     /* grid lines within a decade: 0 none, 1 at 2 and 5, 2 at 2, 3, ... 9 */
};

/* Smallest and largest value of an axis; their ratio and squares are finite. */
#define RL_AXIS_TINY 1e-140
#define RL_AXIS_HUGE 1e140
/* Whether a value can be drawn: finite, within those limits, and positive on a logarithmic axis. */
bool rl_axis_usable(bool log, double value);
/* Whether the scale is logarithmic, to any base. */
bool rl_axis_is_log(const struct rl_axis *axis);

/* The range that an axis must enclose. {0} is empty; unusable values are ignored. */
struct rl_range {
    double low, high;
    bool any;
};
/* Widens the range to a value, if that is usable. */
void rl_range_include(struct rl_range *range, bool log, double value);
/* The position of a value in points, also outside the axis. */
double rl_axis_at(const struct rl_axis *axis, double value);
/* Labels of a logarithmic axis of this unit: "10 G", "10 µ" if the unit takes prefixes, otherwise 0.01, 1, 100. */
enum rl_ticks rl_axis_log_ticks(enum rl_unit unit);
/* Sets min and max to 1, 2 or 5 times a power of ten around low..high, at least `decades` apart. 0 < low <= high. */
void rl_axis_enclose_log(struct rl_axis *axis, double low, double high, double decades);
/* Sets a linear axis from low to high, in the scale of the unit that it returns. An axis too short for the digits of its labels is
 * extended about its middle; 0 alone becomes 0 to 1. low <= high, both usable. */
struct rl_scale rl_axis_enclose_linear(struct rl_axis *axis, enum rl_unit unit, double low, double high);
/* Chooses `step`, `fine` and `between` so that labels are at least `room` points apart; from, to, min, max and ticks are set. */
void rl_axis_choose_step(struct rl_axis *axis, double room);

/* ---- data for gnuplot: numbers only ---- */

/* "rl_NAME = VALUE". `name` is a constant of ours. */
void rl_program_number(struct rl_buf *program, const char *name, double value);
/* "$NAME << ..." with rows of numbers, then "rl_NAME = rows". */
struct rl_block {
    struct rl_buf *program;
    const char *name;
    size_t rows;
};
/* Begins a block of data with this name; `program` takes it and must outlive it. */
void rl_block_begin(struct rl_block *block, struct rl_buf *program, const char *name);
/* Appends a row of `count` numbers. */
void rl_block_row(struct rl_block *block, const double *values, size_t count);
/* Appends a separate line from x0, y0 to x1, y1. */
void rl_block_line(struct rl_block *block, double x0, double y0, double x1, double y1);
/* Ends a line (one blank row) or a set (two). */
void rl_block_gap(struct rl_block *block, int blank);
/* Ends the block and defines the number of its rows. */
void rl_block_end(struct rl_block *block);
/* The colour as the number that gnuplot expects. */
double rl_program_colour(struct rl_colour colour);

/* ---- a chart being drawn ---- */

struct rl_chart_work {
    const struct rl_chart *chart;
    const struct rl_text_metrics *metrics;
    struct rl_chart_result *result;
    struct rl_buf *program;
    struct rl_axis x, y; /* set by `write` */
    void *state;         /* private to the kind, in the drawing's arena */
};

struct rl_chart_kind_row {
    const char *name; /* templates/NAME.gp */
    double (*natural_height)(const struct rl_chart *chart);
    /* Sets work->x and work->y, counts what it skips, writes its data. */
    void (*write)(struct rl_chart_work *work);
    /* Adds texts to work->result->drawing. */
    void (*label)(struct rl_chart_work *work);
};

#define RL_CHART_KIND(name)                                                                                                        \
    double rl_##name##_natural_height(const struct rl_chart *chart);                                                               \
    void rl_##name##_write(struct rl_chart_work *work);                                                                            \
    void rl_##name##_label(struct rl_chart_work *work);
#define CHART(id, name) RL_CHART_KIND(name)
#include "chart_kinds.def"

/* Zeroed memory with the lifetime of the result. */
void *rl_work_alloc(struct rl_chart_work *work, size_t size);
/* Writes the frame and both axes, with ends rounded to 0.01 points. An axis without ticks has min = from and max = to. */
void rl_work_write_axes(struct rl_chart_work *work);

/* ---- texts ---- */

/* A text made printable and shortened until it fits. */
struct rl_fitted {
    const char *text;
    size_t len;
    double width;
};
/* The text in the arena of the drawing, at most `max_width` points wide at this size. */
struct rl_fitted rl_work_fit(struct rl_chart_work *work, const char *text, double size, bool bold, double max_width);
/* Adds it to the drawing, at points from the lower left corner. Returns the operation, so that the caller can rotate it. */
struct rl_draw_op *rl_work_text(struct rl_chart_work *work, double x, double y, enum rl_draw_align align, double size,
                                struct rl_colour colour, struct rl_fitted text);
/* Height of a line of text with spacing. */
double rl_work_line_height(const struct rl_chart_work *work, double size);
/* Baseline of a text that is centred on y. */
double rl_work_centred(const struct rl_chart_work *work, double y);
/* A value with its unit, three digits and a true minus sign, in the drawing's arena. */
const char *rl_work_value(struct rl_chart_work *work, enum rl_unit unit, double value);
/* A white background for a text, which hides lines below it. */
void rl_work_plate(struct rl_chart_work *work, const struct rl_box *box);

/* A thin line from one point to another. */
void rl_work_line(struct rl_chart_work *work, struct rl_segment s, double line_width, struct rl_colour colour);
/* Distance of hatch lines, which rise to the right at 45 degrees; points. */
#define RL_HATCH_STEP 4.0
/* A hatched rectangle with an outline. x0 < x1, y0 < y1. */
void rl_work_hatch(struct rl_chart_work *work, double x0, double y0, double x1, double y1, struct rl_colour colour);

/* A square of a tone for a key, at its left edge (x) and middle (y). */
void rl_work_swatch(struct rl_chart_work *work, double x, double y, double size, enum rl_tone tone);

/* The title of the x axis, centred under its labels. NULL: none. */
void rl_work_x_title(struct rl_chart_work *work, const char *title);
/* The title of the y axis, above it. NULL: none. */
void rl_work_y_title(struct rl_chart_work *work, const char *title);
/* "title, unit" in the drawing's arena; the title alone when the unit is "". */
const char *rl_work_with_unit(struct rl_chart_work *work, const char *title, const char *unit);

/* Labels with their candidates for the solver (place.h), by the same indices. */
enum { RL_TAGS = 2 };
struct rl_placed {
    struct rl_fitted text, tags[RL_TAGS]; /* tags: shorter forms, taken where the text has no place; the shortest last */
    struct rl_colour colour;
    double size;
    bool bold;
    size_t first_tag[RL_TAGS]; /* their first candidates */
    bool of_point;
};
struct rl_labels {
    struct rl_chart_work *work;
    struct rl_place place;
    struct rl_placed *labels; /* place.label_count of them */
    size_t cap;
};
/* Initialises an empty list; the rectangle bounds the labels, points. */
void rl_labels_init(struct rl_labels *labels, struct rl_chart_work *work, double x0, double y0, double x1, double y1);
/* Adds a label and returns its index; the caller adds its candidates (rl_placed_width, rl_work_line_height). */
size_t rl_labels_add(struct rl_labels *labels, struct rl_placed label, double priority, size_t own_mark);
/* Adds a label around its mark. */
void rl_labels_around(struct rl_labels *labels, struct rl_placed label, size_t own_mark);
/* Adds a label along the longer of two lines (a line of no length is none), and its tags along both. `where` as in rl_place_along.
 */
void rl_labels_along(struct rl_labels *labels, struct rl_placed label, double priority, const struct rl_segment lines[2],
                     double where);
/* Width of a label with its margins, points. */
double rl_placed_width(const struct rl_placed *label);
/* Places and draws all labels, counts labels of points without a place in the result's `bare`, and releases the list. */
void rl_labels_draw(struct rl_labels *labels);

/* ---- references: lines across a chart ---- */

struct rl_references {
    const struct rl_axis *axis; /* &work->x (vertical lines) or &work->y */
    double factor;              /* from values to the scale of the axis */
    const struct rl_chart_reference *items;
    size_t count;
};
/* Writes $reference_solid and $reference_dashed; references outside the axis count as skipped. */
void rl_references_write(struct rl_chart_work *work, const struct rl_references *refs);
/* Height of the labels of `count` vertical references above the frame. */
double rl_references_room(const struct rl_chart_work *work, size_t count);
/* Labels vertical references above the frame. */
void rl_references_label_above(struct rl_chart_work *work, const struct rl_references *refs);
/* Adds horizontal references, and labels along them, to `labels`. */
void rl_references_add_along(struct rl_labels *labels, const struct rl_references *refs);

/* ---- tooltips ---- */

/* Adds a tooltip with name (NULL: none) and value to a place of the drawing; it is part of the alternative text, too. */
void rl_work_tip(struct rl_chart_work *work, const struct rl_box *box, const char *name, const char *value);
/* The same for a number, with its interval unless that is NAN. */
void rl_work_tip_value(struct rl_chart_work *work, const struct rl_box *box, const char *name, enum rl_unit unit, double value,
                       double low, double high);

/* ---- marks ---- */

/* Radius of a point's mark, points. */
double rl_mark_radius(const struct rl_chart_point *point);
/* The mark of a usable point. */
struct rl_mark {
    size_t point;
    double x, y /* data coordinates */, radius;
};
/* The tooltip of a point of a roofline. */
void rl_work_tip_point(struct rl_chart_work *work, const struct rl_chart_point *point, const struct rl_mark *mark);
/* Writes the block $points (x, y, radius, shape, colour), large marks first, so that small ones remain visible. */
void rl_work_write_marks(struct rl_chart_work *work, const struct rl_chart_point *points, const struct rl_mark *marks,
                         size_t count);
/* Adds the marks, then their labels, at most `widest` points wide. */
void rl_labels_add_marks(struct rl_labels *labels, const struct rl_chart_point *points, const struct rl_mark *marks, size_t count,
                         double widest);
/* The key of the tones that occur, in one row ending at `right`. Returns its width (0: no key, or no room); draws it only if
 * `draw`. */
double rl_work_key(struct rl_chart_work *work, const struct rl_chart_point *points, size_t count, double right, double y,
                   bool draw);
