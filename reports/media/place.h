/* place.h - puts labels where they can be read.
 *
 * Every label has a list of places where it may go (boxes, turned or not, each with a cost and perhaps a leader line to its
 * point). The solver chooses at most one place for each label so that no two labels overlap, none covers a mark, and all lie
 * inside the frame; lines are avoided where possible. What finds no place is dropped and said so. The same input gives the same
 * result.
 */
#ifndef RL_REPORTS_PLACE_H
#define RL_REPORTS_PLACE_H

#include <stdbool.h>
#include <stddef.h>

#include "box.h"

struct rl_place_candidate {
    struct rl_box box;
    double cost;            /* 0 is the best place; comparable between labels */
    bool leader;            /* the box is away from its point: a line joins them */
    struct rl_segment line; /* that line, from the mark's edge to the box's edge */
};

struct rl_place_label {
    struct rl_place_candidate *candidates;
    size_t count, cap;
    double priority; /* >= 0; labels of higher priority are placed first and dropped last */
    size_t own_mark; /* index of the label's own mark (a leader may touch it), or RL_PLACE_NO_MARK */
};
#define RL_PLACE_NO_MARK ((size_t)-1)

struct rl_place {
    double x0, y0, x1, y1;   /* frame: labels and leaders stay inside */
    struct rl_circle *marks; /* never covered; crossed only by leaders of marks that overlap them (RL_PLACE_CROWD_COST) */
    size_t mark_count, mark_cap;
    struct rl_segment *lines; /* covering one costs RL_PLACE_LINE_COST; a leader across one costs RL_PLACE_CROSS_COST */
    size_t line_count, line_cap;
    struct rl_place_label *labels;
    size_t label_count, label_cap;
};
#define RL_PLACE_LINE_COST  6.0
#define RL_PLACE_CROSS_COST 1.0
#define RL_PLACE_CROWD_COST 3.0

/* Nothing placed yet; the rectangle is where labels may stand, points. */
void rl_place_init(struct rl_place *place, double x0, double y0, double x1, double y1);
/* Frees everything. */
void rl_place_release(struct rl_place *place);

/* Append; the number returned is the thing's index. */
size_t rl_place_mark(struct rl_place *place, double x, double y, double radius);
/* A line that labels cross at a cost. */
void rl_place_line(struct rl_place *place, double x0, double y0, double x1, double y1);
/* A label; one of greater priority is placed first. `own_mark`: the mark that it belongs to. */
size_t rl_place_label(struct rl_place *place, double priority, size_t own_mark);
/* A place where a label may stand. */
void rl_place_candidate(struct rl_place *place, size_t label, struct rl_place_candidate candidate);

/* The usual candidates of a label of `width` x `height` around mark `own_mark`: right, left, above, below, corners; then with a
 * leader line on rings further away. Those that leave the frame are not added. */
void rl_place_around(struct rl_place *place, size_t label, double width, double height);
/* Candidates of a label that runs along a segment, `gap` off it, above (and, dearer, below), turned to its slope; at several
 * positions, the cheapest nearest to `where` (0: start, 1: end). Those that leave the frame are not added. */
void rl_place_along(struct rl_place *place, size_t label, struct rl_segment segment, double width, double height, double gap,
                    double where);

#define RL_PLACE_DROPPED ((size_t)-1)
/* chosen[i] is the index of label i's candidate, or RL_PLACE_DROPPED. Returns how many were dropped. */
size_t rl_place_solve(const struct rl_place *place, size_t *chosen);

#endif
