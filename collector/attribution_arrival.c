/* attribution_arrival.c - how late each counter is behind the kernels that it counts (attribution_parts.h): the delay and the tail
 * of a grid that leave the smallest sum of squares. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attribution_parts.h"
#include "core/mem.h"

static const double delays_ns[] = {-500, -250, 0, 250, 500, 1000, 2000, 4000};
static const double tails_ns[] = {0, 500, 1000, 2000, 4000, 8000};
enum { DELAYS = RL_COUNT(delays_ns), TAILS = RL_COUNT(tails_ns), POINTS = DELAYS * TAILS };
static const double WITHIN_STEP = 0.5; /* of a step: how far the arrival of one class may be from that of all */

/* The grid: for each point the values of all counters and columns, and what is left of each counter's squares. */
struct grid {
    double *x[POINTS], *left[POINTS];
    double *diagonal; /* of the Gram matrix without delay and tail */
};

static struct rl_arrival arrival_at(double shift_ns, size_t point)
{
    return (struct rl_arrival){shift_ns, delays_ns[point / TAILS], tails_ns[point % TAILS]};
}

/* The point without delay and tail. */
enum { NO_LAG = 2 * TAILS };

static bool at_far_edge(size_t point)
{
    return point / TAILS == DELAYS - 1 || point % TAILS == TAILS - 1;
}

/* The neighbour on a side; the point itself where there is none. */
static size_t beside(size_t point, size_t side)
{
    const size_t delay = point / TAILS, tail = point % TAILS;
    const bool there[RL_ARRIVAL_SIDES] = {delay > 0, delay + 1 < DELAYS, tail > 0, tail + 1 < TAILS, at_far_edge(point)};
    const size_t to[RL_ARRIVAL_SIDES] = {point - TAILS, point + TAILS, point - 1, point + 1, NO_LAG};
    return there[side] ? to[side] : point;
}

static bool may_lag(const struct rl_attributing *at, size_t counter)
{
    return at->sampled->lags && at->sampled->lags[counter];
}

/* What does not lag is only looked at without lag, and with a step of delay on either side. */
static bool is_needed(const struct rl_attributing *at, size_t counter, size_t point)
{
    return may_lag(at, counter) || point == NO_LAG || point == beside(NO_LAG, 0) || point == beside(NO_LAG, 1);
}

static void solve_point(struct rl_attributing *at, size_t point, const struct rl_products *products, double *x, double *left)
{
    const size_t n = at->columns.count;
    rl_nnls_take(&at->nnls, products->gram, n, n);
    for (size_t c = 0; c < at->sampled->counter_count; c++) {
        const double *moment = &products->moment[c * n];
        if (!is_needed(at, c, point))
            continue;
        rl_nnls_solve(&at->nnls, moment, NULL, &x[c * n]);
        left[c] = products->squares[c];
        for (size_t i = 0; i < n; i++)
            left[c] -= x[c * n + i] * moment[i];
        left[c] = fmax(left[c], 0);
    }
}

static bool is_any_needed(const struct rl_attributing *at, size_t point)
{
    for (size_t c = 0; c < at->sampled->counter_count; c++)
        if (is_needed(at, c, point))
            return true;
    return false;
}

static void fill_grid(struct rl_attributing *at, double shift_ns, struct grid *grid)
{
    const size_t n = at->columns.count, counters = at->sampled->counter_count;
    struct rl_products products;
    rl_products_init(at->sampled, &at->columns, 1, &products);
    grid->diagonal = rl_calloc(n, sizeof(double));
    for (size_t p = 0; p < POINTS; p++) {
        const struct rl_arrival arrival = arrival_at(shift_ns, p);
        grid->x[p] = rl_calloc(n * counters, sizeof(double));
        grid->left[p] = rl_calloc(counters, sizeof(double));
        if (!is_any_needed(at, p))
            continue;
        rl_design_products(at->sampled, &at->columns, &arrival, at->probe, 1, NULL, &products);
        solve_point(at, p, &products, grid->x[p], grid->left[p]);
        if (arrival.delay_ns == 0 && arrival.tail_ns == 0)
            for (size_t i = 0; i < n; i++)
                grid->diagonal[i] = products.gram[i * n + i];
    }
    rl_products_release(&products, 1);
}

/* The part of a step by which the best delay or tail is uncertain: from how steeply the sum of squares grows, and from the width of
 * the step. */
static double uncertain_steps(double left, double left_beside, double samples)
{
    const double growth = left_beside - left;
    const double squared = growth > 0 ? left / samples / growth : 1;
    return fmin(1, sqrt(WITHIN_STEP * WITHIN_STEP + squared));
}

static void find_one(struct rl_attributing *at, double shift_ns, const struct grid *grid, size_t counter,
                     struct rl_arrival_found *found)
{
    const size_t n = at->columns.count;
    const double samples = (double)at->probe;
    size_t best = NO_LAG; /* neither delay nor tail, unless another one is better */
    assert(delays_ns[2] == 0);
    const bool lags = may_lag(at, counter);
    for (size_t p = 0; p < POINTS && lags; p++)
        if (grid->left[p][counter] < grid->left[best][counter])
            best = p;
    found->best = arrival_at(shift_ns, best);
    found->floor = rl_calloc(n, sizeof(double));
    for (size_t i = 0; i < n; i++)
        found->floor[i] = grid->diagonal[i] > 0 ? sqrt(grid->left[best][counter] / samples / grid->diagonal[i]) : 0;
    for (size_t side = 0; side < RL_ARRIVAL_SIDES; side++) {
        const bool is_tail = side >= 2;
        const size_t other = lags || !is_tail ? beside(best, side) : best;
        assert(is_needed(at, counter, other));
        const double steps =
            side == RL_ARRIVAL_NO_LAG ? 1 : uncertain_steps(grid->left[best][counter], grid->left[other][counter], samples);
        found->side[side] = rl_calloc(n, sizeof(double));
        for (size_t i = 0; i < n; i++)
            found->side[side][i] = steps * (grid->x[other][counter * n + i] - grid->x[best][counter * n + i]);
    }
}

void rl_find_arrivals(struct rl_attributing *at, double shift_ns, struct rl_arrival_found *found)
{
    struct grid grid;
    fill_grid(at, shift_ns, &grid);
    for (size_t c = 0; c < at->sampled->counter_count; c++)
        find_one(at, shift_ns, &grid, c, &found[c]);
    for (size_t p = 0; p < POINTS; p++) {
        free(grid.x[p]);
        free(grid.left[p]);
    }
    free(grid.diagonal);
}

void rl_arrivals_release(struct rl_arrival_found *found, size_t counter_count)
{
    for (size_t c = 0; c < counter_count; c++) {
        free(found[c].floor);
        for (size_t side = 0; side < RL_ARRIVAL_SIDES; side++)
            free(found[c].side[side]);
    }
}
