/* attribution_arrival.c - how late each counter is behind the kernels that it counts (attribution_parts.h): when its kernels begin
 * and end for it, and its tail, that leave the smallest sum of squares. A grid first, then steps from its best point, halved. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attribution_parts.h"
#include "core/mem.h"

static const double delays_ns[] = {-2000, -1000, -500, 0, 500, 1000, 2000, 4000};
static const double tails_ns[] = {0, 1000, 4000, 16000, 50000};
static const double MOST_EARLY_NS = -4000, MOST_LATE_NS = 8000, LONGEST_TAIL_NS = 64000; /* of any search */
static const double FIRST_STEP_NS = 500, LAST_STEP_NS = 60;
static const double SIDE_NS = 250; /* a side is so far off, or so much of the tail */
static const double SIDE_OF_TAIL = 0.25;
static const double WITHIN_STEP = 0.5; /* of a side: how far the arrival of one class may be from that of all */
static const double MOST_STEPS = 4;    /* sides that an arrival that is searched may be off by, where little tells it */
enum { MOST_MOVES = 12 };              /* with steps of one length */

/* What is searched: how much later than recorded kernels begin and end, the tail. */
enum { BEGIN, END, TAIL, DIMENSIONS };

/* The best point of a counter so far. */
struct found {
    double at[DIMENSIONS], left;
    double *x; /* of each column */
};
struct search {
    struct rl_attributing *at;
    double shift_ns;
    struct rl_products products;
    struct rl_coarse coarse; /* parts of edges of their own would take a lag for what short kernels do there */
    double *x;               /* of the last point */
    double *diagonal;        /* of the Gram matrix without lag */
};

static bool may_lag(const struct rl_attributing *at, size_t counter)
{
    return at->sampled->lags && at->sampled->lags[counter];
}

static void take_point(struct search *search, const double *point)
{
    struct rl_attributing *at = search->at;
    const struct rl_arrival arrival = {search->shift_ns, point[BEGIN], point[END], point[TAIL]};
    rl_design_products(at->probe, &at->columns, &arrival, at->probe->sample_count, 1, NULL, &search->products);
    rl_coarse_take(&search->coarse, search->products.gram, &at->nnls);
}

/* Solves for a counter at the point that was taken; returns what is left of its squares. */
static double solve(struct search *search, size_t counter)
{
    struct rl_attributing *at = search->at;
    const double *moment = &search->products.moment[counter * at->columns.count];
    return fmax(search->products.squares[counter] - rl_coarse_solve(&search->coarse, &at->nnls, moment, NULL, search->x), 0);
}

static bool keep_better(struct search *search, size_t counter, const double *point, struct found *found)
{
    const double left = solve(search, counter);
    if (found->x && left >= found->left)
        return false;
    const size_t n = search->at->columns.count;
    found->x = found->x ? found->x : rl_calloc(n, sizeof(double));
    found->left = left;
    memcpy(found->at, point, sizeof found->at);
    memcpy(found->x, search->x, n * sizeof(double));
    return true;
}

static bool is_inside(const double *point)
{
    return point[BEGIN] >= MOST_EARLY_NS && point[BEGIN] <= MOST_LATE_NS && point[END] >= MOST_EARLY_NS &&
           point[END] <= MOST_LATE_NS && point[TAIL] >= 0 && point[TAIL] <= LONGEST_TAIL_NS;
}

/* One step in each dimension and direction; true when one was better. */
static bool move(struct search *search, size_t counter, double step_ns, struct found *found)
{
    bool moved = false;
    for (size_t way = 0; way < 2 * DIMENSIONS; way++) {
        double point[DIMENSIONS];
        memcpy(point, found->at, sizeof point);
        const double length = way / 2 == TAIL ? fmax(step_ns, point[TAIL] * step_ns / FIRST_STEP_NS / 2) : step_ns;
        point[way / 2] += way % 2 ? length : -length;
        point[TAIL] = way / 2 == TAIL && point[TAIL] > -length ? fmax(point[TAIL], 0) : point[TAIL];
        if (!is_inside(point))
            continue;
        take_point(search, point);
        moved = keep_better(search, counter, point, found) || moved;
    }
    return moved;
}

static void refine(struct search *search, size_t counter, struct found *found)
{
    for (double step_ns = FIRST_STEP_NS; step_ns >= LAST_STEP_NS; step_ns /= 2)
        for (size_t moves = 0; moves < MOST_MOVES && move(search, counter, step_ns, found);)
            moves++;
}

/* The best points of the grid, of all counters that may lag. */
static void search_grid(struct search *search, struct found *found)
{
    for (size_t i = 0; i < RL_COUNT(delays_ns) * RL_COUNT(tails_ns); i++) {
        const double delay = delays_ns[i / RL_COUNT(tails_ns)];
        const double point[DIMENSIONS] = {delay, delay, tails_ns[i % RL_COUNT(tails_ns)]};
        take_point(search, point);
        for (size_t c = 0; c < search->at->sampled->counter_count; c++)
            if (may_lag(search->at, c))
                (void)keep_better(search, c, point, &found[c]);
    }
}

/* ---- sides ---- */

/* The part of a step by which the best arrival is uncertain: from how steeply the sum of squares grows, and from the width of the
 * step. */
static double uncertain_steps(double left, double left_beside, double samples, double most)
{
    const double growth = left_beside - left;
    const double squared = growth > 0 ? left / samples / growth : most * most;
    return fmin(most, sqrt(WITHIN_STEP * WITHIN_STEP + squared));
}

/* The point on a side of the best one; false: there is none. What does not lag is only late or early as a whole. */
static bool beside(const struct found *found, bool lags, size_t side, double *point)
{
    memcpy(point, found->at, sizeof found->at);
    if (!lags) {
        point[BEGIN] = point[END] = side ? SIDE_NS : -SIDE_NS;
        return side < 2;
    }
    const double length = side / 2 == TAIL ? fmax(SIDE_NS, SIDE_OF_TAIL * point[TAIL]) : SIDE_NS;
    point[side / 2] += side % 2 ? length : -length;
    return point[TAIL] >= 0;
}

/* Nothing says where it would have ended. */
static bool at_edge(const struct found *found)
{
    return fmin(found->at[BEGIN], found->at[END]) <= MOST_EARLY_NS + FIRST_STEP_NS ||
           fmax(found->at[BEGIN], found->at[END]) >= MOST_LATE_NS - FIRST_STEP_NS || found->at[TAIL] >= LONGEST_TAIL_NS / 2;
}

static void look_beside(struct search *search, size_t counter, const struct found *best, const struct found *no_lag,
                        struct rl_arrival_found *to)
{
    const struct rl_attributing *at = search->at;
    const size_t n = at->columns.count;
    const double samples = (double)at->probe->sample_count;
    for (size_t side = 0; side < RL_ARRIVAL_SIDES; side++) {
        double point[DIMENSIONS];
        to->side[side] = rl_calloc(n, sizeof(double));
        if (side == RL_ARRIVAL_NO_LAG) {
            for (size_t i = 0; i < n && at_edge(best); i++)
                to->side[side][i] = no_lag->x[i] - best->x[i];
            continue;
        }
        if (!beside(best, may_lag(at, counter), side, point))
            continue;
        take_point(search, point);
        const double steps = uncertain_steps(best->left, solve(search, counter), samples, may_lag(at, counter) ? MOST_STEPS : 1);
        for (size_t i = 0; i < n; i++)
            to->side[side][i] = steps * (search->x[i] - best->x[i]);
    }
    to->best = (struct rl_arrival){search->shift_ns, best->at[BEGIN], best->at[END], best->at[TAIL]};
    to->floor = rl_calloc(n, sizeof(double));
    for (size_t i = 0; i < n; i++)
        to->floor[i] = search->diagonal[i] > 0 ? sqrt(best->left / samples / search->diagonal[i]) : 0;
}

void rl_find_arrivals(struct rl_attributing *at, double shift_ns, struct rl_arrival_found *to)
{
    static const double none[DIMENSIONS] = {0};
    const size_t n = at->columns.count, counters = at->sampled->counter_count;
    struct search search = {
        .at = at, .shift_ns = shift_ns, .x = rl_calloc(n, sizeof(double)), .diagonal = rl_calloc(n, sizeof(double))};
    struct found *found = rl_calloc(counters, sizeof *found), *no_lag = rl_calloc(counters, sizeof *no_lag);
    rl_products_init(at->sampled, &at->columns, 1, &search.products);
    rl_coarse_make(at, false, &search.coarse);
    take_point(&search, none);
    for (size_t i = 0; i < n; i++)
        search.diagonal[i] = search.products.gram[i * n + i];
    for (size_t c = 0; c < counters; c++) {
        (void)keep_better(&search, c, none, &no_lag[c]);
        (void)keep_better(&search, c, none, &found[c]);
    }
    search_grid(&search, found);
    for (size_t c = 0; c < counters; c++) {
        if (may_lag(at, c))
            refine(&search, c, &found[c]);
        look_beside(&search, c, &found[c], &no_lag[c], &to[c]);
        free(found[c].x);
        free(no_lag[c].x);
    }
    rl_products_release(&search.products, 1);
    rl_coarse_release(&search.coarse);
    free(found);
    free(no_lag);
    free(search.x);
    free(search.diagonal);
}

void rl_arrivals_release(struct rl_arrival_found *found, size_t counter_count)
{
    for (size_t c = 0; c < counter_count; c++) {
        free(found[c].floor);
        for (size_t side = 0; side < RL_ARRIVAL_SIDES; side++)
            free(found[c].side[side]);
    }
}
