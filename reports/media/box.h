/* box.h - rectangles, circles and lines that must not lie on each other.
 *
 * Lengths are in points, in any one coordinate system; angles in degrees, counter-clockwise. Things that only touch (by less than
 * RL_TOUCH) do not overlap.
 */
#pragma once

#include <math.h>
#include <stdbool.h>

#define RL_TOUCH 1e-6

/* A rectangle about its centre, turned by `angle`. */
struct rl_box {
    double cx, cy, width, height, angle;
};
struct rl_circle {
    double x, y, radius;
};
struct rl_segment {
    double x0, y0, x1, y1;
};
/* An upright rectangle: x0 <= x1, y0 <= y1. */
struct rl_bounds {
    double x0, y0, x1, y1;
};

/* By the separating axis theorem: two rectangles are apart when one of their four directions separates them. */
bool rl_box_overlaps_box(const struct rl_box *a, const struct rl_box *b);
/* Whether they have a point in common. */
bool rl_box_overlaps_circle(const struct rl_box *box, const struct rl_circle *circle);
/* Whether a point of the segment is in the rectangle. */
bool rl_box_overlaps_segment(const struct rl_box *box, const struct rl_segment *segment);
/* Whether a point of the segment is in the circle. */
bool rl_segment_meets_circle(const struct rl_segment *segment, const struct rl_circle *circle);
/* Its length. */
static inline double rl_segment_length(const struct rl_segment *s)
{
    return hypot(s->x1 - s->x0, s->y1 - s->y0);
}
/* True when they cross inside both; a common end is no crossing. */
bool rl_segments_cross(const struct rl_segment *a, const struct rl_segment *b);
/* The smallest upright rectangle around a box. */
struct rl_bounds rl_box_bounds(const struct rl_box *box);
