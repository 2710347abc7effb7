/* chart.h - the content of charts, and drawing them with gnuplot.
 *
 * Pages fill a `struct rl_chart` for each chart of the document; rl_charts_draw draws all of them with one run of gnuplot. gnuplot
 * receives only numbers and draws axes, grids, lines, points and bars. Text from data (names of kernels, variants and roofs,
 * values, axis titles) is placed by C code, which knows the scales and the exact text widths.
 *
 * A kind of chart is a row of chart_kinds.def, with a template NAME.gp and functions that write its data and place its labels.
 *
 * Values are in base units (s, B/s, FLOP/s, FLOP/B); charts scale them and name the unit in the axis title. A value that is not
 * finite (or not positive on a logarithmic axis) is omitted and counted in `skipped`. The strings and arrays of a chart belong to
 * the caller and must live until rl_charts_draw returns; texts may hold any bytes and be of any length: they are made printable and
 * shortened to fit.
 */
#pragma once

#include "drawing.h"

/* The meaning of a mark. Only limiters have hues (enum rl_limiter_kind, in its order); other tones are ink, greys and shapes. Each
 * limiter also has a shape, so that no information depends on colour alone. */
enum rl_tone {
    RL_TONE_UNKNOWN, /* hatched, ring */
    RL_TONE_DRAM,    /* blue, circle */
    RL_TONE_L2,      /* sky blue, square */
    RL_TONE_L1,      /* L1 and shared memory: green, triangle */
    RL_TONE_COMPUTE, /* issue slots, pipes, tensor cores: vermilion, diamond */
    RL_TONE_LATENCY, /* purple, triangle on its tip */
    RL_TONE_FILL,    /* parallelism, block launches, launch overhead: amber, triangle to the right */
    RL_TONE_LINK,    /* PCIe, NVLink, copies: wine, cross */
    RL_TONE_IDLE,    /* light grey: the GPU is idle */
    RL_TONE_COUNTED, /* light grey, hatched: counter collection */
    RL_TONE_INK,     /* series and verdicts, which have no limiter; circle */
    RL_TONE_SQUARE,  /* further series */
    RL_TONE_UP,
    RL_TONE_DOWN,
    RL_TONE_GREY, /* for comparison; diamond */
    RL_TONE_COUNT
};
struct rl_tone_info {
    const char *name; /* in the key above a chart: "DRAM"; NULL: not in the key */
    struct rl_colour mark, text;
    int shape;             /* of a filled mark (rl_drawing_mark); the hollow one is one less */
    bool hatched;          /* areas are hatched in the colour of marks */
    struct rl_colour area; /* background of hatched areas */
};
extern const struct rl_tone_info rl_tones[RL_TONE_COUNT];
/* The colour of areas of a tone; for a hatched tone, their background. */
struct rl_colour rl_tone_area(enum rl_tone tone);

enum rl_chart_kind {
#define CHART(id, name) RL_CHART_##id,
#include "chart_kinds.def"
    RL_CHART_KINDS
};

struct rl_chart_point {
    double x, y;      /* FLOP/B and FLOP/s */
    double low, high; /* interval of y; NAN: none */
    enum rl_tone tone;
    bool hollow;       /* the base of a comparison, or a value that was not measured */
    const char *label; /* NULL: none */
    const char *name;  /* in the tooltip and the alternative text; NULL: the label */
    bool joined;       /* roofline: a thin line joins it to the previous point */
    double radius;     /* of the mark, points; 0: the usual one */
};

/* A line across a chart: a claim, copy speed, a roof. */
struct rl_chart_reference {
    double value;
    bool measured;     /* solid; otherwise dashed */
    const char *label; /* "DRAM 4.92 TB/s" */
};

struct rl_chart_roof {
    double value;       /* FLOP/s of a flat roof, B/s of a slanted one */
    bool slanted;       /* a bandwidth */
    bool main;          /* dark and wide; the others thin and grey */
    bool measured;      /* solid; a theoretical one is dashed, except the main one where no main one of its kind is measured */
    const char *label;  /* "DRAM 4.92 TB/s"; NULL: none */
    const char *share;  /* "DRAM 96.3 %": of theory, for the caption; NULL: unknown */
    double low, high;   /* spread of a measured one, drawn as a band; 0: none */
    const char *figure; /* "DRAM 4.92 TB/s", used if the label with its share does not fit; NULL: the label */
    const char *name;   /* "DRAM", used if there are many roofs; NULL: the label */
};

struct rl_chart_roofline {
    const struct rl_chart_roof *roofs;
    size_t roof_count;
    const struct rl_chart_point *points;
    size_t point_count;
    const char *x_title, *y_title; /* NULL: "Arithmetic intensity, FLOP per byte of DRAM traffic" and "Performance, FLOP/s" */
    bool no_ridge;                 /* the ridge is not marked */
};

struct rl_chart_bar {
    const char *label;
    double value;     /* not finite: no bar, only `note` */
    double low, high; /* NAN: none */
    enum rl_tone tone;
    bool strong;         /* the best one: label and value in bold */
    const char *note;    /* text at the end of the bar; NULL: the value with its unit */
    const double *parts; /* part_count lengths from left to right, not negative, with the sum `value`; NULL: one part */
};
struct rl_chart_bars {
    enum rl_unit unit;
    const char *title;               /* of the axis: "Effective bandwidth"; the scaled unit is added */
    const struct rl_chart_bar *bars; /* first one on top */
    size_t bar_count;
    const struct rl_chart_reference *references;
    size_t reference_count;
    bool values_aside;             /* values are in a column at the right edge, which no reference crosses */
    double top;                    /* the axis includes this value */
    double label_share;            /* of the width, at most, for the labels; 0: the usual share */
    size_t part_count;             /* number of parts of a bar */
    const char *const *part_names; /* in the key above the chart, in order; NULL: the page names the parts */
    const enum rl_tone *part_tones;
};

enum rl_chart_scale { RL_SCALE_LINEAR, RL_SCALE_LOG2, RL_SCALE_LOG10 };
struct rl_chart_series {
    const char *label; /* next to its last point; NULL: none */
    enum rl_tone tone;
    size_t count;
    const double *x, *y;      /* `count` each, in the order in which they are joined */
    const double *low, *high; /* intervals of y, or NULL */
    bool bare;                /* only a line, without marks and values */
};
struct rl_chart_lines {
    enum rl_unit x_unit, y_unit;
    enum rl_chart_scale x_scale, y_scale; /* a linear y axis starts at 0 */
    const char *x_title, *y_title;
    bool show_values; /* the value next to each mark, where there is room */
    const struct rl_chart_series *series;
    size_t series_count;
    const struct rl_chart_reference *references; /* horizontal */
    size_t reference_count;
    double y_top; /* a linear y axis reaches to this value at least */
};

/* A share (0 to 1) for each time step; layers of a lane are stacked. */
struct rl_chart_layer {
    const char *name; /* NULL: that of the lane */
    enum rl_tone tone;
    const double *shares; /* one for each step */
    const char *total;    /* printed after the name in a key; NULL: nothing */
};
struct rl_chart_share_lane {
    const char *head;         /* above the first lane of a group, in small type; NULL: none */
    const char *label, *note; /* at the left; at the right */
    double height;            /* points */
    double full;              /* the share that fills the height */
    const struct rl_chart_layer *layers;
    size_t layer_count;
    bool key;   /* print a key of the visible layers above the lane, instead of the head */
    bool above; /* the label has a line above the lane, at the left */
};
struct rl_chart_lanes {
    const char *x_title;                     /* the scaled unit is added; NULL: none */
    const struct rl_chart_share_lane *lanes; /* from the top */
    size_t lane_count, step_count;
    double step_s;
};

/* An additional mark in a row of intervals. */
struct rl_chart_extra {
    double value;
    enum rl_tone tone;
    bool hollow;
};
struct rl_chart_interval {
    const char *label;
    double value;     /* not finite: no mark, only `note` */
    double low, high; /* NAN: none */
    double expected;  /* a hollow diamond in the same row; NAN: none */
    enum rl_tone tone;
    bool hollow, strong;
    const char *note; /* at the right edge; NULL: none */
    const struct rl_chart_extra *extras;
    size_t extra_count;
    bool joined; /* a line joins the outermost of value, expected and extras: a dumbbell */
};
struct rl_chart_intervals {
    enum rl_unit unit;
    bool log;
    const char *title;                    /* of the axis; the scaled unit is added */
    double band_low, band_high;           /* shaded; NAN: none */
    double label_share;                   /* of the width, at most, for the labels; 0: the usual share */
    const struct rl_chart_interval *rows; /* first one on top */
    size_t row_count;
    const struct rl_chart_reference *references;
    size_t reference_count;
};

struct rl_chart {
    enum rl_chart_kind kind;
    double width, height; /* points; at least 140 x 30 */
    bool whole_names;     /* for a browser: names are not shortened */
    union {
#define CHART(id, name) struct rl_chart_##name name;
#include "chart_kinds.def"
    };
};

/* The natural height of a chart at its width, in points: by the number of rows for charts with rows, otherwise fixed. */
double rl_chart_natural_height(const struct rl_chart *chart);

/* Half of an A4 page inside 18 mm margins, less a gutter, in points (85 mm). */
#define RL_CHART_HALF 240.9

struct rl_chart_result {
    struct rl_drawing drawing;
    size_t skipped; /* values that are not finite or not positive on a logarithmic axis: not drawn */
    size_t bare;    /* number of points whose labels found no place */
};

struct rl_chart_env {
    const char *gnuplot;  /* path; NULL: the first in $PATH */
    const char *keep_dir; /* an existing folder that receives program, data, templates and drawing commands; NULL: none */
    struct rl_text_metrics text;
    double timeout_s; /* 0: 60 s */
};

/* Draws `count` charts with one run of gnuplot, which is not started when `count` is 0. `results` has room for `count` and needs no
 * initialisation; release each with rl_chart_result_release, also on failure. RL_ABSENT: gnuplot or its lua terminal is missing
 * (the message says what to install); RL_TIMEOUT; RL_FAILED: gnuplot failed (the message has its first line); RL_FORMAT: its
 * drawing commands are damaged; RL_IO. */
enum rl_status rl_charts_draw(const struct rl_chart *charts, size_t count, const struct rl_chart_env *env,
                              struct rl_chart_result *results, struct rl_err *err);
/* Frees drawing and lists of a result. */
void rl_chart_result_release(struct rl_chart_result *result);

/* Checks that gnuplot (NULL: the first in $PATH) runs and has the lua terminal, and writes its version and path to `version`
 * ("gnuplot 5.4 patchlevel 4, /usr/bin/gnuplot"). RL_ABSENT if something must be installed, as the message says; RL_TIMEOUT;
 * RL_FAILED. */
enum rl_status rl_gnuplot_probe(const char *gnuplot, struct rl_buf *version, struct rl_err *err);
