/* attribution_groups.c - intervals, and which classes the samples can tell apart (attribution_parts.h). */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "attribution_parts.h"
#include "core/mem.h"

static const double STUDENT = 2.093;     /* 97.5 % of Student's t with 19 degrees of freedom */
static const double NORMAL = 1.960;      /* 97.5 % of the normal distribution */
static const double WIDE = 0.25;         /* an interval whose half is more than this part of the value says little */
static const double LITTLE = 0.2;        /* of what a class has on average by its time: less than that need not be known better */
static const double TOGETHER = -0.6;     /* correlation of two errors at which one is the other's loss */
static const double LEAST_LAUNCHES = 16; /* in the samples; with fewer there is no interval to believe */

/* Classes that have one value together, to begin with each alone: totals over the samples. */
struct unit {
    double total, weight, typical, replicate[RL_DESIGN_BLOCKS], side[RL_ARRIVAL_SIDES], floor_squared, half;
    size_t joined; /* the unit that it is a part of; itself */
};

static double jackknife_variance(const double *replicate)
{
    double mean = 0, sum = 0;
    for (size_t b = 0; b < RL_DESIGN_BLOCKS; b++)
        mean += replicate[b] / RL_DESIGN_BLOCKS;
    for (size_t b = 0; b < RL_DESIGN_BLOCKS; b++)
        sum += (replicate[b] - mean) * (replicate[b] - mean);
    return sum * (RL_DESIGN_BLOCKS - 1) / RL_DESIGN_BLOCKS;
}

static double greater_squared(double a, double b)
{
    return fmax(a * a, b * b);
}

static double half_width(const struct unit *unit)
{
    const double variance = STUDENT * STUDENT * jackknife_variance(unit->replicate);
    const double arrival = greater_squared(unit->side[0], unit->side[1]) + greater_squared(unit->side[2], unit->side[3]);
    const double no_lag = unit->side[RL_ARRIVAL_NO_LAG]; /* a bound, not a standard deviation */
    const double squared = variance + NORMAL * NORMAL * arrival + no_lag * no_lag;
    const double floor = NORMAL * NORMAL * unit->floor_squared;
    return sqrt(unit->total * unit->total < floor ? fmax(squared, floor) : squared); /* at 0 nothing varies any more */
}

static struct unit sum_of(const struct unit *a, const struct unit *b)
{
    struct unit sum = {
        .total = a->total + b->total, .weight = a->weight + b->weight, .typical = a->typical + b->typical, .joined = a->joined};
    for (size_t i = 0; i < RL_DESIGN_BLOCKS; i++)
        sum.replicate[i] = a->replicate[i] + b->replicate[i];
    for (size_t i = 0; i < RL_ARRIVAL_SIDES; i++)
        sum.side[i] = a->side[i] + b->side[i];
    sum.floor_squared = fmin(a->floor_squared, b->floor_squared);
    sum.half = half_width(&sum);
    return sum;
}

/* The time of each column's launches in the samples: their mean length by how many there were. */
static void column_times(const struct rl_attributing *at, const double *weight, double *ns)
{
    const size_t used = at->columns.count - 2;
    double *count = rl_calloc(used + 1, sizeof *count);
    for (size_t i = 0; i < at->sampled->launch_count; i++) {
        const struct rl_span *launch = &at->sampled->launches[i];
        const uint32_t column = at->columns.of_class[launch->class_id];
        assert(column <= used);
        ns[column] += (double)(launch->end_ns - launch->start_ns);
        count[column]++;
    }
    for (size_t i = 0; i < used; i++)
        ns[i] = count[i] > 0 ? ns[i] / count[i] * weight[i] : 0;
    free(count);
}

/* Adds what the column, a kind of launches of the unit's class, has to it. */
static void add_column(const struct rl_attributing *at, const struct rl_arrival_found *arrival, const struct rl_shares *shares,
                       size_t counter, size_t column, struct unit *unit)
{
    const size_t i = counter * shares->columns + column;
    const double weight = shares->weight[i];
    unit->total += fmax(shares->value[i], 0) * weight;
    unit->weight += weight;
    for (size_t b = 0; b < RL_DESIGN_BLOCKS; b++)
        unit->replicate[b] += fmax(shares->replicate[b][i], 0) * weight;
    for (size_t side = 0; side < RL_ARRIVAL_SIDES; side++)
        unit->side[side] += arrival->side[side][column] * weight;
    const double floor = arrival->floor[column] * weight * sqrt((double)at->probe / (double)at->sampled->sample_count);
    unit->floor_squared += floor * floor;
}

static void set_units(const struct rl_attributing *at, const struct rl_arrival_found *arrival, const struct rl_shares *shares,
                      size_t counter, struct unit *units)
{
    const size_t used = shares->columns - 2;
    double *ns = rl_calloc(shares->columns, sizeof *ns), all_ns = 0, all = 0;
    column_times(at, &shares->weight[counter * shares->columns], ns);
    for (size_t k = 0; k < at->class_count; k++)
        units[k] = (struct unit){.joined = k};
    for (size_t i = 0; i < used; i++) {
        struct unit *unit = &units[at->class_of[at->columns.class_of[i]]];
        add_column(at, arrival, shares, counter, i, unit);
        unit->typical += ns[i];
        all_ns += ns[i];
    }
    for (size_t k = 0; k < at->class_count; k++)
        all += units[k].total;
    for (size_t k = 0; k < at->class_count; k++) {
        units[k].typical = all_ns > 0 ? all * units[k].typical / all_ns : 0;
        units[k].half = half_width(&units[k]);
    }
    free(ns);
}

static bool is_open(const struct unit *unit)
{
    return unit->half > WIDE * fmax(unit->total, LITTLE * unit->typical);
}

/* The unit whose error is most nearly the loss of u's; u: none is. */
static size_t partner_of(const struct unit *units, size_t count, size_t u)
{
    size_t best = u;
    double least = TOGETHER;
    for (size_t v = 0; v < count; v++) {
        if (v == u || units[v].joined != v || units[u].half <= 0 || units[v].half <= 0)
            continue;
        const struct unit sum = sum_of(&units[u], &units[v]);
        const double correlation = (sum.half * sum.half - units[u].half * units[u].half - units[v].half * units[v].half) /
                                   (2 * units[u].half * units[v].half);
        if (correlation < least) {
            least = correlation;
            best = v;
        }
    }
    return best;
}

/* Joins what is open with its partners, the most open first, until nothing is left to join. */
static void join(struct unit *units, size_t count)
{
    for (;;) {
        size_t from = count, to = count;
        double most = 0;
        for (size_t u = 0; u < count; u++) {
            if (units[u].joined != u || !is_open(&units[u]) || units[u].half <= most)
                continue;
            const size_t partner = partner_of(units, count, u);
            if (partner != u) {
                from = u;
                to = partner;
                most = units[u].half;
            }
        }
        if (from == count)
            return;
        units[to] = sum_of(&units[to], &units[from]);
        for (size_t u = 0; u < count; u++)
            if (units[u].joined == from)
                units[u].joined = to;
    }
}

/* What is said of class k; `parts` is the number of classes of its unit, `name` their least one. */
static struct rl_attributed told(const struct unit *units, size_t k, size_t parts, size_t name, double launches)
{
    const struct unit *unit = &units[units[k].joined];
    if (launches < LEAST_LAUNCHES || unit->weight <= 0)
        return (struct rl_attributed){.state = RL_ATTRIBUTED_NOT, .group = k};
    struct rl_attributed of = {.state = parts > 1 ? RL_ATTRIBUTED_GROUP : RL_ATTRIBUTED_ALONE,
                               .group = name,
                               .group_total = unit->total,
                               .group_half_width = unit->half};
    if (parts == 1) {
        of.per_launch = unit->total / launches;
        of.half_width = unit->half / launches;
    }
    return of;
}

void rl_tell_apart(const struct rl_attributing *at, const struct rl_arrival_found *arrival, const struct rl_shares *shares,
                   size_t counter, struct rl_attributed *of)
{
    const size_t counters = at->sampled->counter_count;
    struct unit *units = rl_calloc(at->class_count, sizeof *units);
    set_units(at, arrival, shares, counter, units);
    join(units, at->class_count);
    for (size_t k = 0; k < at->class_count; k++) {
        size_t parts = 0, name = at->class_count;
        for (size_t i = at->class_count; i-- > 0;)
            if (units[i].joined == units[k].joined) {
                parts++;
                name = i;
            }
        of[k * counters + counter] = told(units, k, parts, name, at->launches[k]);
    }
    free(units);
}
