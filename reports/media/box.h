/* box.h - tests for overlap of rectangles, circles and lines.
 *
 * Lengths are in points, angles in degrees, counter-clockwise. An overlap of less than RL_TOUCH is none.
 */
#pragma once

#include <math.h>
#include <stdbool.h>

#define RL_TOUCH 1e-6

/* A rectangle, rotated by `angle` about its centre. */
struct rl_box {
    double cx, cy, width, height, angle;
};
struct rl_circle {
    double x, y, radius;
};
struct rl_segment {
    double x0, y0, x1, y1;
};
/* An axis-parallel rectangle: x0 <= x1, y0 <= y1. */
struct rl_bounds {
    double x0, y0, x1, y1;
};

/* By the separating axis theorem: rectangles are disjoint if one of their four directions separates them. */
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
/* Whether they cross in the interior of both; a common end is no crossing. */
bool rl_segments_cross(const struct rl_segment *a, const struct rl_segment *b);
/* The smallest axis-parallel rectangle around a box. */
struct rl_bounds rl_box_bounds(const struct rl_box *box);
