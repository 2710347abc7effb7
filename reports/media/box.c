#include "box.h"

struct point {
    double x, y;
};
struct axes {
    struct point u, v;
}; /* directions of a box's width and height */

static struct axes axes_of(const struct rl_box *box)
{
    if (box->angle == 0) /* most are: spares the sine */
        return (struct axes){{1, 0}, {0, 1}};
    double turn = box->angle * (M_PI / 180), c = cos(turn), s = sin(turn);
    return (struct axes){{c, s}, {-s, c}};
}

/* Half the length of the box's shadow on direction d. */
static double reach(const struct rl_box *box, const struct axes *axes, struct point d)
{
    return fabs(axes->u.x * d.x + axes->u.y * d.y) * box->width / 2 + fabs(axes->v.x * d.x + axes->v.y * d.y) * box->height / 2;
}

static bool apart_along(const struct rl_box *a, const struct axes *aa, const struct rl_box *b, const struct axes *ba,
                        struct point d)
{
    double distance = fabs((b->cx - a->cx) * d.x + (b->cy - a->cy) * d.y);
    return distance >= reach(a, aa, d) + reach(b, ba, d) - RL_TOUCH;
}

bool rl_box_overlaps_box(const struct rl_box *a, const struct rl_box *b)
{
    struct axes aa = axes_of(a), ba = axes_of(b);
    return !apart_along(a, &aa, b, &ba, aa.u) && !apart_along(a, &aa, b, &ba, aa.v) && !apart_along(a, &aa, b, &ba, ba.u) &&
           !apart_along(a, &aa, b, &ba, ba.v);
}

/* The point in the box's own directions, its centre at 0, 0. */
static struct point inside(const struct rl_box *box, double x, double y)
{
    struct axes axes = axes_of(box);
    double dx = x - box->cx, dy = y - box->cy;
    return (struct point){dx * axes.u.x + dy * axes.u.y, dx * axes.v.x + dy * axes.v.y};
}

static double beyond(double value, double half)
{
    return fmax(fabs(value) - half, 0);
}

static double square(double x)
{
    return x * x;
}

bool rl_box_overlaps_circle(const struct rl_box *box, const struct rl_circle *circle)
{
    double far = (box->width + box->height) / 2 + circle->radius; /* more than the box's half diagonal and the radius */
    if (square(circle->x - box->cx) + square(circle->y - box->cy) > square(far))
        return false;
    struct point centre = inside(box, circle->x, circle->y);
    return square(beyond(centre.x, box->width / 2)) + square(beyond(centre.y, box->height / 2)) <
           square(fmax(circle->radius - RL_TOUCH, 0));
}

/* Narrows [*from, *to] to the part of p + t * d that lies strictly within -half..half. */
static bool narrow(double p, double d, double half, double *from, double *to)
{
    if (fabs(d) < RL_TOUCH)
        return fabs(p) < half - RL_TOUCH;
    double a = (-half - p) / d, b = (half - p) / d;
    *from = fmax(*from, fmin(a, b));
    *to = fmin(*to, fmax(a, b));
    return *to - *from > RL_TOUCH;
}

bool rl_box_overlaps_segment(const struct rl_box *box, const struct rl_segment *segment)
{
    struct point a = inside(box, segment->x0, segment->y0), b = inside(box, segment->x1, segment->y1);
    double from = 0, to = 1;
    return narrow(a.x, b.x - a.x, box->width / 2, &from, &to) && narrow(a.y, b.y - a.y, box->height / 2, &from, &to);
}

static double side_of(const struct rl_segment *s, double x, double y)
{
    return (s->x1 - s->x0) * (y - s->y0) - (s->y1 - s->y0) * (x - s->x0);
}

bool rl_segments_cross(const struct rl_segment *a, const struct rl_segment *b)
{
    return side_of(a, b->x0, b->y0) * side_of(a, b->x1, b->y1) < 0 && side_of(b, a->x0, a->y0) * side_of(b, a->x1, a->y1) < 0;
}

bool rl_segment_meets_circle(const struct rl_segment *s, const struct rl_circle *c)
{
    if ((s->x0 < c->x - c->radius && s->x1 < c->x - c->radius) || (s->x0 > c->x + c->radius && s->x1 > c->x + c->radius) ||
        (s->y0 < c->y - c->radius && s->y1 < c->y - c->radius) || (s->y0 > c->y + c->radius && s->y1 > c->y + c->radius))
        return false; /* charts have thousands of circles, most of them far away */
    double dx = s->x1 - s->x0, dy = s->y1 - s->y0, length2 = dx * dx + dy * dy;
    double t = length2 > 0 ? ((c->x - s->x0) * dx + (c->y - s->y0) * dy) / length2 : 0;
    t = fmin(fmax(t, 0), 1);
    return square(s->x0 + t * dx - c->x) + square(s->y0 + t * dy - c->y) < square(fmax(c->radius - RL_TOUCH, 0));
}

struct rl_bounds rl_box_bounds(const struct rl_box *box)
{
    struct axes axes = axes_of(box);
    double half_x = reach(box, &axes, (struct point){1, 0}), half_y = reach(box, &axes, (struct point){0, 1});
    return (struct rl_bounds){box->cx - half_x, box->cy - half_y, box->cx + half_x, box->cy + half_y};
}
