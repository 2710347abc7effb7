/* attribution_groups.c - intervals, and which classes the samples can tell apart (attribution_parts.h). */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "attribution_parts.h"
#include "core/mem.h"

static const double NORMAL = 1.960;       /* 97.5 % of the normal distribution */
static const double WIDE = 0.25;          /* an interval whose half is more than this part of the value says little */
static const double LITTLE = 0.2;         /* of what a class has on average by its time: less than that need not be known better */
static const double TOGETHER = -0.6;      /* correlation of two errors at which one is the other's loss */
static const double UNSEEN_NS = 200;      /* by which a counter may be late without that residuals show it (attribution.h) */
static const double UNSEEN_MEMORY = 0.01; /* of a memory counter's value: two instruments differ by so much (attribution.h) */
static const double LEAST_LAUNCHES = 16;  /* in the samples; with fewer there is no interval to believe */
static const double LEFT_OF_EDGES = 0.25; /* of what parts of the edges of long launches have changed; a bound */
static const double MISSED_AT_EDGES = 2;  /* of what parts of shorter ones would change: they see a half of it; a bound */

/* Classes that have one value together, to begin with each alone: totals over the samples. */
struct unit {
    double total, weight, ns, typical, replicate[RL_DESIGN_BLOCKS], side[RL_ARRIVAL_SIDES], floor_squared, half;
    double contested;      /* of a class with few launches that are known one by one: what may be somebody else's */
    double changed, finer; /* by parts of the edges of long launches; what those of shorter ones would change */
    bool few;
    size_t joined; /* the unit that it is a part of; itself */
};

/* Johnson, Kotz, Balakrishnan, Continuous Univariate Distributions 2, 1995. */
double rl_student(size_t freedom)
{
    static const double at[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                                2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093};
    assert(freedom > 0);
    return at[freedom < RL_COUNT(at) ? freedom - 1 : RL_COUNT(at) - 1];
}

double rl_jackknife(const double *replicate, size_t count)
{
    double mean = 0, sum = 0;
    for (size_t b = 0; b < count; b++)
        mean += replicate[b] / (double)count;
    for (size_t b = 0; b < count; b++)
        sum += (replicate[b] - mean) * (replicate[b] - mean);
    return sum * (double)(count - 1) / (double)count;
}

static double greater_squared(double a, double b)
{
    return fmax(a * a, b * b);
}

static double half_width(const struct unit *unit)
{
    const double student = rl_student(RL_DESIGN_BLOCKS - 1);
    const double variance = student * student * rl_jackknife(unit->replicate, RL_DESIGN_BLOCKS);
    double arrival = 0;
    for (size_t side = 0; side < RL_ARRIVAL_NO_LAG; side += 2)
        arrival += greater_squared(unit->side[side], unit->side[side + 1]);
    const double no_lag = unit->side[RL_ARRIVAL_NO_LAG]; /* a bound, not a standard deviation */
    const double edges = LEFT_OF_EDGES * unit->changed, missed = MISSED_AT_EDGES * unit->finer;
    const double squared = variance + NORMAL * NORMAL * arrival + no_lag * no_lag + edges * edges + missed * missed;
    const double floor = NORMAL * NORMAL * unit->floor_squared;
    return sqrt(unit->total * unit->total < floor ? fmax(squared, floor) : squared); /* at 0 nothing varies any more */
}

static struct unit sum_of(const struct unit *a, const struct unit *b)
{
    struct unit sum = {.total = a->total + b->total,
                       .weight = a->weight + b->weight,
                       .ns = a->ns + b->ns,
                       .typical = a->typical + b->typical,
                       .changed = a->changed + b->changed,
                       .finer = a->finer + b->finer,
                       .joined = a->joined};
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
        const uint32_t column = at->columns.of_kind[launch->class_id];
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
    const double floor =
        arrival->floor[column] * weight * sqrt((double)at->probe->sample_count / (double)at->sampled->sample_count);
    unit->floor_squared += floor * floor;
    unit->contested += shares->contested[i];
    unit->changed += shares->changed[i] * weight;
    unit->finer += shares->finer[i] * weight;
}

/* Of a class with few launches in the samples: the interval is what others may have of them, and, where they are not all of its
 * launches but several that are known one by one, what these differ. */
static void count_few(const struct rl_attributing *at, const struct rl_shares *shares, size_t counter, double all, size_t k,
                      struct unit *unit)
{
    static const double ALL = 0.95; /* the edge of a window may have cut a little */
    const size_t n = shares->columns, nothing = counter * n + n - 1;
    const double launches = at->plan->launches[k], unexplained = fmax(shares->value[nothing], 0) * shares->weight[nothing];
    const double differ = at->several[k * at->sampled->counter_count + counter];
    const bool all_in = at->made && launches >= ALL * at->made[k];
    unit->few = launches > 0 && launches < LEAST_LAUNCHES && (all_in || differ >= 0);
    if (unit->few)
        unit->half = unit->contested + (all > 0 ? unexplained * unit->total / all : 0) + (all_in ? 0 : differ * launches);
}

static void set_units(const struct rl_attributing *at, const struct rl_arrival_found *arrival, const struct rl_shares *shares,
                      size_t counter, struct unit *units)
{
    const size_t used = shares->columns - 2;
    double *ns = rl_calloc(shares->columns, sizeof *ns), all_ns = 0, all = 0;
    column_times(at, &shares->weight[counter * shares->columns], ns);
    for (size_t k = 0; k < at->plan->class_count; k++)
        units[k] = (struct unit){.joined = k};
    for (size_t i = 0; i < used; i++) {
        struct unit *unit = &units[at->kinds[at->columns.kind_of[i]].class_id];
        add_column(at, arrival, shares, counter, i, unit);
        unit->ns += ns[i];
        all_ns += ns[i];
    }
    for (size_t k = 0; k < at->plan->class_count; k++)
        all += units[k].total;
    for (size_t k = 0; k < at->plan->class_count; k++) {
        units[k].typical = all_ns > 0 ? all * units[k].ns / all_ns : 0;
        units[k].half = half_width(&units[k]);
        count_few(at, shares, counter, all, k, &units[k]);
    }
    free(ns);
}

static bool is_open(const struct unit *unit)
{
    return unit->half > WIDE * fmax(unit->total, LITTLE * unit->typical);
}

/* The correlation of the errors of two units. */
static double correlation(const struct unit *a, const struct unit *b)
{
    const struct unit sum = sum_of(a, b);
    return (sum.half * sum.half - a->half * a->half - b->half * b->half) / (2 * a->half * b->half);
}

/* The units, and for each open one the other open one whose error is most nearly its loss; itself: there is none. One that is known
 * well enough keeps its value: what it may have of the other's is in its interval, and the other has one that is wide. */
struct joining {
    struct unit *units;
    size_t *alive, count; /* those that are part of no other */
    size_t *partner;
    double *least; /* the correlation with it */
};

static void hold_against(struct joining *joining, size_t u, size_t v)
{
    const struct unit *units = joining->units;
    if (v == u || units[u].half <= 0 || units[v].half <= 0 || !is_open(&units[v]))
        return;
    const double with = correlation(&units[u], &units[v]);
    if (with < joining->least[u]) {
        joining->least[u] = with;
        joining->partner[u] = v;
    }
}

static void find_partner(struct joining *joining, size_t u)
{
    joining->partner[u] = u;
    joining->least[u] = TOGETHER;
    for (size_t i = 0; i < joining->count && is_open(&joining->units[u]); i++)
        hold_against(joining, u, joining->alive[i]);
}

/* The open unit of the widest interval that has a partner; `none`: there is none. */
static size_t most_open(const struct joining *joining, size_t none)
{
    size_t from = none;
    for (size_t i = 0; i < joining->count; i++) {
        const size_t u = joining->alive[i];
        if (joining->partner[u] != u && (from == none || joining->units[u].half > joining->units[from].half))
            from = u;
    }
    return from;
}

static void join_two(struct joining *joining, size_t count, size_t from, size_t to)
{
    struct unit *units = joining->units;
    size_t kept = 0;
    units[to] = sum_of(&units[to], &units[from]);
    for (size_t u = 0; u < count; u++)
        if (units[u].joined == from)
            units[u].joined = to;
    for (size_t i = 0; i < joining->count; i++)
        if (joining->alive[i] != from)
            joining->alive[kept++] = joining->alive[i];
    joining->count = kept;
    for (size_t i = 0; i < kept; i++) {
        const size_t u = joining->alive[i];
        if (u == to || joining->partner[u] == from || joining->partner[u] == to)
            find_partner(joining, u);
        else if (is_open(&units[u]))
            hold_against(joining, u, to);
    }
}

/* Joins what is open with its partners, the most open first, until nothing is left to join. */
static void join(struct unit *units, size_t count)
{
    struct joining joining = {.units = units,
                              .alive = rl_calloc(count, sizeof(size_t)),
                              .partner = rl_calloc(count, sizeof(size_t)),
                              .least = rl_calloc(count, sizeof(double))};
    for (size_t u = 0; u < count; u++)
        if (units[u].weight > 0 && !units[u].few)
            joining.alive[joining.count++] = u;
    for (size_t i = 0; i < joining.count; i++)
        find_partner(&joining, joining.alive[i]);
    for (size_t from = most_open(&joining, count); from != count; from = most_open(&joining, count))
        join_two(&joining, count, from, joining.partner[from]);
    free(joining.alive);
    free(joining.partner);
    free(joining.least);
}

/* Classes that have one value: how many, their least one, and their launches. */
struct group {
    size_t parts, name;
    double launches;
};

static struct rl_attributed not_told(size_t k, enum rl_attributed_why why)
{
    return (struct rl_attributed){.state = RL_ATTRIBUTED_NOT, .why = why, .group = k};
}

/* Half of the interval of a unit's total with what no sample shows: a launch's edges may be counted a little late, so that
 * neighbours have a part of what is between them, and memory counters differ from what kernels asked for. */
static double with_unseen(const struct unit *unit, double launches, bool lags)
{
    const double rate = unit->ns > 0 ? fmax(unit->total, unit->typical) / unit->ns : 0;
    const double edges = UNSEEN_NS * rate * launches, memory = lags ? UNSEEN_MEMORY * unit->total : 0;
    return sqrt(unit->half * unit->half + edges * edges + memory * memory);
}

/* What is said of class k. */
static struct rl_attributed told(const struct rl_cut_plan *plan, const struct unit *unit, const struct group *group, bool lags,
                                 size_t k)
{
    if (plan->launches[k] <= 0)
        return not_told(k, RL_ATTRIBUTED_NONE);
    if (plan->level[k] == RL_CUT_REST)
        return not_told(k, RL_ATTRIBUTED_REST);
    if ((group->launches < LEAST_LAUNCHES && !unit->few) || unit->weight <= 0)
        return not_told(k, RL_ATTRIBUTED_FEW);
    struct rl_attributed of = {.state = group->parts > 1 ? RL_ATTRIBUTED_GROUP : RL_ATTRIBUTED_ALONE,
                               .group = group->name,
                               .group_total = unit->total,
                               .group_half_width = with_unseen(unit, group->launches, lags)};
    if (group->parts == 1) {
        of.per_launch = of.group_total / group->launches;
        of.half_width = of.group_half_width / group->launches;
    }
    return of;
}

void rl_tell_apart(const struct rl_attributing *at, const struct rl_arrival_found *arrival, const struct rl_shares *shares,
                   size_t counter, struct rl_attributed *of)
{
    const size_t counters = at->sampled->counter_count, classes = at->plan->class_count;
    struct unit *units = rl_calloc(classes, sizeof *units);
    struct group *groups = rl_calloc(classes, sizeof *groups);
    const bool lags = at->sampled->lags && at->sampled->lags[counter];
    set_units(at, arrival, shares, counter, units);
    join(units, classes);
    for (size_t k = classes; k-- > 0;) {
        struct group *group = &groups[units[k].joined];
        group->parts++;
        group->name = k;
        group->launches += at->plan->launches[k];
    }
    for (size_t k = 0; k < classes; k++)
        of[k * counters + counter] = told(at->plan, &units[units[k].joined], &groups[units[k].joined], lags, k);
    free(groups);
    free(units);
}

const char *rl_attributed_why(enum rl_attributed_why why)
{
    static const char *const words[] = {
        [RL_ATTRIBUTED_TOLD] = "",
        [RL_ATTRIBUTED_NONE] = "none of its launches was in a sample",
        [RL_ATTRIBUTED_FEW] =
            "fewer than 16 of its launches were in samples, not all of them, and under four that lasted for ten samples",
        [RL_ATTRIBUTED_REST] = "too many other classes took more time: only the sum of the rest is known",
    };
    assert(why < RL_COUNT(words));
    return words[why];
}
