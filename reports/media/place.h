/* place.h - places the labels of a chart without overlap.
 *
 * Every label has a list of candidates: boxes, rotated or not, each with a cost and possibly a leader line to the label's point.
 * The solver chooses at most one candidate per label so that no two labels overlap, none covers a mark, and all lie inside the
 * frame; lines are avoided if possible. A label without a place is dropped and reported. The same input gives the same result.
 */
#pragma once

#include "box.h"
#include "core/core.h"

struct rl_place_candidate {
    struct rl_box box;
    double cost;            /* 0 is best; comparable between labels */
    bool leader;            /* a line joins the box to its point */
    struct rl_segment line; /* that line, from the mark's edge to the box's edge */
};

struct rl_place_label {
    struct rl_place_candidate *candidates;
    size_t count, cap;
    double priority; /* >= 0; labels of higher priority are placed first and dropped last */
    size_t own_mark; /* index of the label's own mark, which a leader may touch, or RL_PLACE_NO_MARK */
};
#define RL_PLACE_NO_MARK ((size_t)-1)

struct rl_place {
    double x0, y0, x1, y1;   /* frame: labels and leaders stay inside */
    struct rl_circle *marks; /* never covered; crossed only by leaders of overlapping marks (RL_PLACE_CROWD_COST) */
    size_t mark_count, mark_cap;
    struct rl_segment *lines; /* cost to cover one: RL_PLACE_LINE_COST; to cross one with a leader: RL_PLACE_CROSS_COST */
    size_t line_count, line_cap;
    struct rl_place_label *labels;
    size_t label_count, label_cap;
};
#define RL_PLACE_LINE_COST  6.0
#define RL_PLACE_CROSS_COST 1.0
#define RL_PLACE_CROWD_COST 3.0

/* Initialises an empty problem; the rectangle, in points, is the frame for labels. */
void rl_place_init(struct rl_place *place, double x0, double y0, double x1, double y1);
/* Frees everything. */
void rl_place_release(struct rl_place *place);

/* Adds a mark and returns its index. */
size_t rl_place_mark(struct rl_place *place, double x, double y, double radius);
/* Adds a line, which labels cross at a cost. */
void rl_place_line(struct rl_place *place, double x0, double y0, double x1, double y1);
/* Adds a label of the mark `own_mark` and returns its index. Labels of higher priority are placed first. */
size_t rl_place_label(struct rl_place *place, double priority, size_t own_mark);
/* Adds a candidate of a label. */
void rl_place_candidate(struct rl_place *place, size_t label, struct rl_place_candidate candidate);

/* Adds the usual candidates of a label of `width` x `height` around its own mark: right, left, above, below, corners; then, with a
 * leader line, on rings further away. Candidates outside the frame are omitted. */
void rl_place_around(struct rl_place *place, size_t label, double width, double height);
/* Adds candidates of a label along a segment, rotated to its slope, `gap` above it or, at a higher cost, below; at several
 * positions, with the lowest cost nearest to `where` (0: start, 1: end). Candidates outside the frame are omitted. */
void rl_place_along(struct rl_place *place, size_t label, struct rl_segment segment, double width, double height, double gap,
                    double where);

#define RL_PLACE_DROPPED ((size_t)-1)
/* Sets chosen[i] to the index of label i's candidate, or to RL_PLACE_DROPPED. Returns the number of dropped labels. */
size_t rl_place_solve(const struct rl_place *place, size_t *chosen);
