#include "place.h"

static bool in_frame(const struct rl_place *place, const struct rl_box *box)
{
    struct rl_bounds b = rl_box_bounds(box);
    return b.x0 >= place->x0 - RL_TOUCH && b.x1 <= place->x1 + RL_TOUCH && b.y0 >= place->y0 - RL_TOUCH &&
           b.y1 <= place->y1 + RL_TOUCH;
}

/* ---- the list of things ---- */

void rl_place_init(struct rl_place *place, double x0, double y0, double x1, double y1)
{
    assert(x0 <= x1 && y0 <= y1);
    *place = (struct rl_place){.x0 = x0, .y0 = y0, .x1 = x1, .y1 = y1};
}

void rl_place_release(struct rl_place *place)
{
    for (size_t i = 0; i < place->label_count; i++)
        free(place->labels[i].candidates);
    free(place->labels);
    free(place->marks);
    free(place->lines);
    *place = (struct rl_place){0};
}

size_t rl_place_mark(struct rl_place *place, double x, double y, double radius)
{
    assert(radius >= 0);
    RL_APPEND(place->marks, place->mark_count, place->mark_cap, (struct rl_circle){x, y, radius});
    return place->mark_count - 1;
}

void rl_place_line(struct rl_place *place, double x0, double y0, double x1, double y1)
{
    RL_APPEND(place->lines, place->line_count, place->line_cap, (struct rl_segment){x0, y0, x1, y1});
}

size_t rl_place_label(struct rl_place *place, double priority, size_t own_mark)
{
    assert(priority >= 0 && (own_mark == RL_PLACE_NO_MARK || own_mark < place->mark_count));
    RL_APPEND(place->labels, place->label_count, place->label_cap,
              (struct rl_place_label){.priority = priority, .own_mark = own_mark});
    return place->label_count - 1;
}

void rl_place_candidate(struct rl_place *place, size_t label, struct rl_place_candidate candidate)
{
    assert(label < place->label_count && candidate.cost >= 0 && candidate.box.width > 0 && candidate.box.height > 0);
    struct rl_place_label *owner = &place->labels[label];
    RL_APPEND(owner->candidates, owner->count, owner->cap, candidate);
}

/* ---- usual candidates ---- */

#define NEAR_GAP 2.2 /* between a mark and its label */

/* Best places first: the eye looks to the right of a mark, then above. Directions are those of the label's centre. */
static const struct {
    double x, y, cost;
} near_places[] = {
    {1, 0, 0.0}, {1, 0.75, 0.4}, {1, -0.75, 0.5}, {0, 1, 0.8}, {-1, 0, 0.9}, {0, -1, 1.0}, {-1, 0.75, 1.2}, {-1, -0.75, 1.3},
};
static const double ring_distances[] = {9, 14, 20, 28, 38, 50, 66, 84, 104};
enum { RING_PLACES = 20 };
#define LEADER_COST      4.0
#define LEADER_PER_POINT 0.1

static void add_inside(struct rl_place *place, size_t label, struct rl_place_candidate candidate)
{
    if (in_frame(place, &candidate.box))
        rl_place_candidate(place, label, candidate);
}

static double clamped(double value, double low, double high)
{
    return fmin(fmax(value, low), high);
}

/* From the edge of the mark to the nearest point of the box. */
static struct rl_segment leader_line(const struct rl_circle *mark, const struct rl_box *box)
{
    double x = clamped(mark->x, box->cx - box->width / 2, box->cx + box->width / 2);
    double y = clamped(mark->y, box->cy - box->height / 2, box->cy + box->height / 2);
    double length = hypot(x - mark->x, y - mark->y), share = length > 0 ? mark->radius / length : 0;
    return (struct rl_segment){mark->x + share * (x - mark->x), mark->y + share * (y - mark->y), x, y};
}

static void add_ring(struct rl_place *place, size_t label, const struct rl_circle *mark, double width, double height,
                     double distance)
{
    for (int i = 0; i < RING_PLACES; i++) {
        double turn = 2 * M_PI * i / RING_PLACES, c = cos(turn), s = sin(turn), away = mark->radius + distance;
        /* The box's side or corner that faces the mark lies on the ring. */
        struct rl_box box = {mark->x + c * away + clamped(1.5 * c, -1, 1) * width / 2,
                             mark->y + s * away + clamped(1.5 * s, -1, 1) * height / 2, width, height, 0};
        add_inside(place, label,
                   (struct rl_place_candidate){.box = box,
                                               .cost = LEADER_COST + LEADER_PER_POINT * distance + (c < 0 ? 0.5 : 0),
                                               .leader = true,
                                               .line = leader_line(mark, &box)});
    }
}

void rl_place_around(struct rl_place *place, size_t label, double width, double height)
{
    assert(label < place->label_count && place->labels[label].own_mark != RL_PLACE_NO_MARK);
    struct rl_circle mark = place->marks[place->labels[label].own_mark];
    for (size_t i = 0; i < RL_COUNT(near_places); i++) {
        double x = near_places[i].x, y = near_places[i].y, clear = mark.radius + NEAR_GAP;
        /* In a corner the box moves sideways by less: it need only clear the circle at its own height. */
        double aside = x != 0 && y != 0 ? clear * sqrt(fmax(1 - y * y, 0.2)) : clear;
        struct rl_box box = {mark.x + x * (aside + width / 2),
                             mark.y + y * (x != 0 ? clear * 0.75 + height / 2 : clear + height / 2), width, height, 0};
        add_inside(place, label, (struct rl_place_candidate){.box = box, .cost = near_places[i].cost});
    }
    for (size_t i = 0; i < RL_COUNT(ring_distances); i++)
        add_ring(place, label, &mark, width, height, ring_distances[i]);
}

enum { ALONG_PLACES = 24 };
#define ALONG_COST 4.0 /* for going from one end to the other */
#define BELOW_COST 1.5

void rl_place_along(struct rl_place *place, size_t label, struct rl_segment segment, double width, double height, double gap,
                    double where)
{
    assert(width > 0 && height > 0 && where >= 0 && where <= 1);
    double dx = segment.x1 - segment.x0, dy = segment.y1 - segment.y0, length = hypot(dx, dy), room = length - width;
    if (room < 0)
        return;
    for (int i = 0; i <= 2 * ALONG_PLACES + 1; i++) {
        double share = (double)(i / 2) / ALONG_PLACES, side = i % 2 == 0 ? 1 : -1, off = side * (gap + height / 2);
        double at = (width / 2 + share * room) / length;
        struct rl_box box = {segment.x0 + at * dx - off * dy / length, segment.y0 + at * dy + off * dx / length, width, height,
                             atan2(dy, dx) * (180 / M_PI)};
        add_inside(place, label,
                   (struct rl_place_candidate){.box = box, .cost = ALONG_COST * fabs(share - where) + (side < 0 ? BELOW_COST : 0)});
    }
}

/* ---- the solver ---- */

#define LESS 1e-6 /* a smaller gain is none: rounds come to an end */

/* A candidate that covers nothing it must not. */
struct option {
    const struct rl_place_candidate *candidate;
    double cost;
    size_t index;            /* of the candidate in its label */
    struct rl_bounds bounds; /* of box and leader, for quick tests */
};
struct solver {
    const struct rl_place *place;
    struct option *options; /* label after label, cheapest first */
    size_t *first;          /* label_count + 1 */
    size_t *chosen;         /* option of each label, or RL_PLACE_DROPPED */
    struct rl_bounds *held; /* of that option, side by side for quick tests; of a dropped label: nowhere */
};

/* A leader may leave its mark across marks that overlap it: from the middle of a crowd there is no other way out. */
static bool overlap(const struct rl_circle *a, const struct rl_circle *b)
{
    return hypot(a->x - b->x, a->y - b->y) < a->radius + b->radius;
}

static bool meets(const struct rl_place_candidate *candidate, const struct rl_circle *mark)
{
    return candidate->leader && rl_segment_meets_circle(&candidate->line, mark);
}

/* ---- what a candidate covers ---- */

static bool forbidden(const struct rl_place *place, const struct rl_place_label *label, const struct rl_place_candidate *candidate)
{
    const struct rl_circle *own = label->own_mark == RL_PLACE_NO_MARK ? NULL : &place->marks[label->own_mark];
    bool is_covered = !in_frame(place, &candidate->box);
    for (size_t i = 0; i < place->mark_count && !is_covered; i++) {
        const struct rl_circle *mark = &place->marks[i];
        is_covered = rl_box_overlaps_circle(&candidate->box, mark) ||
                     (mark != own && meets(candidate, mark) && (!own || !overlap(mark, own)));
    }
    return is_covered;
}

static double line_cost(const struct rl_place *place, const struct rl_place_label *label,
                        const struct rl_place_candidate *candidate)
{
    double cost = 0;
    for (size_t i = 0; i < place->mark_count; i++)
        cost += i != label->own_mark && meets(candidate, &place->marks[i]) ? RL_PLACE_CROWD_COST : 0;
    for (size_t i = 0; i < place->line_count; i++) {
        if (rl_box_overlaps_segment(&candidate->box, &place->lines[i]))
            cost += RL_PLACE_LINE_COST;
        if (candidate->leader && rl_segments_cross(&candidate->line, &place->lines[i]))
            cost += RL_PLACE_CROSS_COST;
    }
    return cost;
}

static struct option option_of(const struct rl_place *place, const struct rl_place_label *label, size_t index)
{
    const struct rl_place_candidate *candidate = &label->candidates[index];
    struct option o = {candidate, candidate->cost + line_cost(place, label, candidate), index, rl_box_bounds(&candidate->box)};
    if (candidate->leader) {
        o.bounds.x0 = fmin(o.bounds.x0, candidate->line.x0);
        o.bounds.y0 = fmin(o.bounds.y0, candidate->line.y0);
        o.bounds.x1 = fmax(o.bounds.x1, candidate->line.x0);
        o.bounds.y1 = fmax(o.bounds.y1, candidate->line.y0);
    }
    return o;
}

RL_COMPARATOR(by_cost, struct option, rl_ascending(x->cost, y->cost) ?: rl_ascending(x->index, y->index));

static void collect_options(struct solver *s)
{
    const struct rl_place *place = s->place;
    size_t count = 0, cap = 0;
    for (size_t i = 0; i < place->label_count; i++) {
        const struct rl_place_label *label = &place->labels[i];
        s->first[i] = count;
        for (size_t k = 0; k < label->count; k++) {
            if (forbidden(place, label, &label->candidates[k]))
                continue;
            RL_APPEND(s->options, count, cap, option_of(place, label, k));
        }
        if (count > s->first[i])
            rl_sort(s->options + s->first[i], count - s->first[i], sizeof *s->options, by_cost);
    }
    s->first[place->label_count] = count;
}

static bool are_apart(const struct rl_bounds *p, const struct rl_bounds *q)
{
    return (p->x0 >= q->x1) | (q->x0 >= p->x1) | (p->y0 >= q->y1) | (q->y0 >= p->y1);
}

static bool conflict(const struct option *a, const struct option *b)
{
    if (are_apart(&a->bounds, &b->bounds))
        return false;
    const struct rl_place_candidate *ca = a->candidate, *cb = b->candidate;
    return rl_box_overlaps_box(&ca->box, &cb->box) || (ca->leader && rl_box_overlaps_segment(&cb->box, &ca->line)) ||
           (cb->leader && rl_box_overlaps_segment(&ca->box, &cb->line)) ||
           (ca->leader && cb->leader && rl_segments_cross(&ca->line, &cb->line));
}

static void choose(struct solver *s, size_t label, size_t option)
{
    static const struct rl_bounds nowhere = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    s->chosen[label] = option;
    s->held[label] = option == RL_PLACE_DROPPED ? nowhere : s->options[option].bounds;
}

/* How many labels other than `label` and `except` are in the way of this option: 0, 1 (then *who is it) or 2 for "several". */
static int in_the_way(const struct solver *s, const struct option *option, size_t label, size_t except, size_t *who)
{
    int found = 0;
    for (size_t i = 0; i < s->place->label_count && found < 2; i++) {
        if (are_apart(&option->bounds, &s->held[i]) || i == label || i == except || !conflict(option, &s->options[s->chosen[i]]))
            continue;
        *who = i;
        found++;
    }
    return found;
}

/* Leaving a label out is dearer than any place for it. */
static double cost_now(const struct solver *s, size_t label)
{
    return s->chosen[label] == RL_PLACE_DROPPED ? 1000 + s->place->labels[label].priority : s->options[s->chosen[label]].cost;
}

/* The cheapest option of `other` that leaves room for `option` of `label`, and costs less than `limit`. */
static bool make_room(const struct solver *s, size_t label, const struct option *option, size_t other, double limit, size_t *found)
{
    size_t who;
    for (size_t i = s->first[other]; i < s->first[other + 1] && s->options[i].cost < limit; i++) {
        if (!conflict(option, &s->options[i]) && in_the_way(s, &s->options[i], other, label, &who) == 0) {
            *found = i;
            return true;
        }
    }
    return false;
}

/* Moves `label` to a cheaper place that is free, or that one other label can leave so that both together cost less. */
static bool improve(struct solver *s, size_t label)
{
    double now = cost_now(s, label);
    for (size_t i = s->first[label]; i < s->first[label + 1] && s->options[i].cost < now; i++) {
        const struct option *option = &s->options[i];
        size_t other = 0, moved;
        int blockers = in_the_way(s, option, label, label, &other);
        if (blockers == 0) {
            choose(s, label, i);
            return true;
        }
        if (blockers > 1)
            continue;
        double limit = now - option->cost + cost_now(s, other);
        if (make_room(s, label, option, other, limit - LESS, &moved)) {
            choose(s, other, moved);
            choose(s, label, i);
            return true;
        }
        if (1000 + s->place->labels[other].priority < limit - LESS) { /* a less important one gives way */
            choose(s, other, RL_PLACE_DROPPED);
            choose(s, label, i);
            return true;
        }
    }
    return false;
}

struct rank {
    double priority;
    size_t options, label;
    uint32_t shuffle;
};

RL_COMPARATOR(by_rank, struct rank, rl_descending(x->priority, y->priority) ?: rl_ascending(x->shuffle, y->shuffle)
              ?: rl_ascending(x->options, y->options) ?: rl_ascending(x->label, y->label));

static double total_cost(const struct solver *s)
{
    return RL_SUM(double, i, s->place->label_count, cost_now(s, i));
}

/* Improvements stop at the first arrangement that no single move makes better, and which one that is depends on the order: so
 * several orders are tried and the cheapest arrangement is kept. The first is by rank, the others shuffle labels of one priority by
 * a generator of our own (Knuth's constants, The Art of Computer Programming, vol. 2, 3.3.4), the same everywhere. Crowds get fewer
 * tries. */
static void assign(struct solver *s, size_t *best)
{
    size_t n = s->place->label_count, tries = n <= 40 ? 8 : n <= 100 ? 3 : 1;
    struct rank *ranks = rl_calloc(n, sizeof *ranks);
    uint64_t random = 1;
    double cheapest = INFINITY;
    for (size_t try = 0; try < tries; try++) {
        for (size_t i = 0; i < n; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            ranks[i] = (struct rank){s->place->labels[i].priority, s->first[i + 1] - s->first[i], i,
                                     try > 0 ? (uint32_t)(random >> 32) : 0};
        }
        rl_sort(ranks, n, sizeof *ranks, by_rank);
        /* One after the other in this order, then rounds of improvements: each lowers the total cost, so they come to an end. */
        enum { ROUNDS = 8 };
        bool changed = true;
        for (size_t i = 0; i < s->place->label_count; i++)
            choose(s, i, RL_PLACE_DROPPED);
        for (int round = 0; round < ROUNDS && changed; round++) {
            changed = false;
            for (size_t i = 0; i < s->place->label_count; i++)
                changed |= improve(s, ranks[i].label);
        }
        if (total_cost(s) < cheapest - LESS) {
            cheapest = total_cost(s);
            assert(isfinite(cheapest));
            memcpy(best, s->chosen, n * sizeof *best);
        }
    }
    free(ranks);
}

size_t rl_place_solve(const struct rl_place *place, size_t *chosen)
{
    size_t n = place->label_count, dropped = 0;
    struct solver s = {.place = place,
                       .first = rl_calloc(n + 1, sizeof *s.first),
                       .chosen = rl_calloc(n, sizeof *s.chosen),
                       .held = rl_calloc(n, sizeof *s.held)};
    collect_options(&s);
    if (n > 0)
        assign(&s, chosen);
    for (size_t i = 0; i < n; i++) {
        if (chosen[i] == RL_PLACE_DROPPED)
            dropped++;
        else
            chosen[i] = s.options[chosen[i]].index;
    }
    free(s.options);
    free(s.first);
    free(s.chosen);
    free(s.held);
    return dropped;
}
