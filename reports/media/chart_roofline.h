/* chart_roofline.h - what the lines of a roofline (chart_roofline.c) and its texts (chart_roofline_label.c) have in common. */
#ifndef RL_REPORTS_CHART_ROOFLINE_H
#define RL_REPORTS_CHART_ROOFLINE_H

#include "chart_kind.h"

enum rl_roofline_style { RL_ROOF_OTHER_DASHED, RL_ROOF_OTHER_SOLID, RL_ROOF_MAIN_DASHED, RL_ROOF_MAIN_SOLID, RL_ROOF_STYLES };

/* The envelope that matters, and what the axes must enclose. */
struct rl_roofline_roofs {
    double main_slanted, main_flat; /* highest of their kind among the main ones, or of all; 0: none */
    double top_slanted, top_flat;
    double ridge;                         /* FLOP/B where the main ones meet; 0: they do not */
    bool measured_slanted, measured_flat; /* a main one of this kind is measured */
};

struct rl_roofline_state {
    struct rl_roofline_roofs roofs;
    struct rl_mark *marks;
    size_t mark_count;
};

/* A line in data coordinates. */
struct rl_roofline_line {
    double x0, y0, x1, y1;
    enum rl_roofline_style style;
    bool shown;
};

/* Whether a roof can be drawn. */
bool rl_roofline_usable(const struct rl_chart_roof *roof);
/* How a roof is drawn. */
enum rl_roofline_style rl_roofline_style_of(const struct rl_roofline_roofs *r, const struct rl_chart_roof *roof, bool main);
/* Whether a point has whiskers. */
bool rl_roofline_has_interval(const struct rl_chart_point *p);
/* The slanted and the flat line of a roof, as far as they are shown. */
void rl_roofline_lines(const struct rl_chart_work *work, const struct rl_roofline_roofs *r, const struct rl_chart_roof *roof,
                       struct rl_roofline_line parts[2]);
/* Whether the ridge lies on the chart. */
bool rl_roofline_ridge_shown(const struct rl_chart_work *work, const struct rl_roofline_roofs *r);
/* Whether a point is joined with the one before. */
bool rl_roofline_is_joined(const struct rl_chart_roofline *chart, size_t point);
/* Title of the y axis. */
const char *rl_roofline_y_title(const struct rl_chart_roofline *chart);
/* Height of a second row above the frame: needed when title and key do not fit side by side. */
double rl_roofline_key_row(struct rl_chart_work *work, const struct rl_chart_roofline *chart);

#endif
