/* attribution_design.c - which part of each launch falls into each sample (attribution_design.h). */
#include "attribution_design.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attribution_split.h"
#include "core/mem.h"

static const double BESIDE_NS = 3000;  /* what is counted so shortly before or after a launch is its own */
static const double LEAST_LEFT = 0.25; /* of a launch, however late it begins and early it ends for a counter */
enum { ROUNDS = 4 };                   /* so many times each block has its turn */
static const double TAILS = 6;         /* so many tails after its end a launch has arrived but for a four-hundredth */

/* ---- columns ---- */

void rl_columns_make(const struct rl_kind *kinds, size_t kind_count, struct rl_columns *columns)
{
    size_t in = 0;
    for (size_t i = 0; i < kind_count; i++)
        in += kinds[i].in;
    assert(in <= RL_DESIGN_MOST_KINDS);
    *columns = (struct rl_columns){.count = in + 2,
                                   .kinds = kinds,
                                   .of_kind = rl_calloc(kind_count, sizeof *columns->of_kind),
                                   .kind_of = rl_calloc(in, sizeof *columns->kind_of)};
    for (size_t i = 0, next = 0; i < kind_count; i++) {
        columns->of_kind[i] = (uint32_t)(kinds[i].in ? next : in);
        if (kinds[i].in)
            columns->kind_of[next++] = (uint32_t)i;
    }
}

void rl_columns_release(struct rl_columns *columns)
{
    free(columns->of_kind);
    free(columns->kind_of);
    *columns = (struct rl_columns){0};
}

void rl_products_init(const struct rl_sampled *sampled, const struct rl_columns *columns, size_t blocks,
                      struct rl_products *products)
{
    const size_t n = columns->count;
    for (size_t b = 0; b < blocks; b++)
        products[b] = (struct rl_products){.gram = rl_calloc(n * n, sizeof(double)),
                                           .moment = rl_calloc(n * sampled->counter_count, sizeof(double)),
                                           .squares = rl_calloc(sampled->counter_count, sizeof(double)),
                                           .weight = rl_calloc(n, sizeof(double))};
}

void rl_products_release(struct rl_products *products, size_t blocks)
{
    for (size_t b = 0; b < blocks; b++) {
        free(products[b].gram);
        free(products[b].moment);
        free(products[b].squares);
        free(products[b].weight);
    }
}

/* ---- launches around a sample ---- */

/* Those that may have a part in the sample; samples come in ascending order. */
struct sweep {
    const struct rl_sampled *sampled;
    size_t *active;
    size_t count, cap, next;
};

static void advance(struct sweep *sweep, double from_ns, double to_ns, const struct rl_arrival *arrival)
{
    const struct rl_sampled *sampled = sweep->sampled;
    const double late_from = from_ns - TAILS * arrival->tail_ns - BESIDE_NS - fmax(arrival->begin_ns, arrival->end_ns);
    const double early_to = to_ns + BESIDE_NS - fmin(arrival->begin_ns, arrival->end_ns);
    size_t kept = 0;
    for (size_t i = 0; i < sweep->count; i++)
        if ((double)sampled->launches[sweep->active[i]].end_ns >= late_from)
            sweep->active[kept++] = sweep->active[i];
    sweep->count = kept;
    for (; sweep->next < sampled->launch_count && (double)sampled->launches[sweep->next].start_ns < early_to; sweep->next++)
        if ((double)sampled->launches[sweep->next].end_ns >= late_from) {
            RL_GROW(sweep->active, sweep->count + 1, sweep->cap);
            sweep->active[sweep->count++] = sweep->next;
        }
}

/* The integral up to `ns` of what a launch that begins at 0 and never ends has caused, when it arrives with an exponential tail. */
static double arrived(double ns, double tail_ns)
{
    if (ns <= 0)
        return 0;
    return tail_ns > 0 ? ns - tail_ns * (1 - exp(-ns / tail_ns)) : ns;
}

/* The part of a launch that arrives between two moments after its start. */
static double part_of(double from_ns, double to_ns, double lasts_ns, double tail_ns)
{
    if (lasts_ns < 1) /* too short for the clock: all of it at once */
        return (from_ns <= 0 && to_ns > 0) ? 1 : 0;
    return (arrived(to_ns, tail_ns) - arrived(to_ns - lasts_ns, tail_ns) - arrived(from_ns, tail_ns) +
            arrived(from_ns - lasts_ns, tail_ns)) /
           lasts_ns;
}

struct interval {
    double begin, end;
};

/* When what a launch, or a part of it, does arrives first and last, but for the tail: between the beginning and the end parts are
 * moved as far as both are. At least a quarter of it is left. */
static struct interval arrives(const struct rl_kind *kind, const struct rl_span *launch, const struct rl_arrival *arrival)
{
    const double parts = kind ? kind->parts : 1, part = kind ? kind->part : 0, more = arrival->end_ns - arrival->begin_ns;
    struct interval when = {(double)launch->start_ns + arrival->begin_ns + more * part / parts,
                            (double)launch->end_ns + arrival->begin_ns + more * (part + 1) / parts};
    const double least = LEAST_LEFT * (double)(launch->end_ns - launch->start_ns), lacks = least - (when.end - when.begin);
    if (lacks > 0) {
        when.begin -= lacks / 2;
        when.end += lacks / 2;
    }
    return when;
}

/* The time between two moments in which a launch runs, or has not ended or will not begin for longer than `margin_ns`. Active
 * launches stand in the order of their starts. */
static double running_ns(const struct sweep *sweep, struct interval of, double margin_ns, const struct rl_columns *columns,
                         const struct rl_arrival *arrival)
{
    double covered_to = of.begin, ns = 0;
    for (size_t i = 0; i < sweep->count; i++) {
        const struct rl_span *launch = &sweep->sampled->launches[sweep->active[i]];
        const struct interval when = arrives(columns ? &columns->kinds[launch->class_id] : NULL, launch, arrival);
        const double begin = fmax(when.begin - margin_ns, covered_to), end = fmin(when.end + margin_ns, of.end);
        ns += end > begin ? end - begin : 0;
        covered_to = fmax(covered_to, end);
    }
    return ns;
}

void rl_design_busy(const struct rl_sampled *sampled, double shift_ns, size_t sample_count, double *busy)
{
    static const struct rl_arrival at_once = {0};
    struct sweep sweep = {.sampled = sampled};
    for (size_t s = 0; s < sample_count; s++) {
        const double from = (double)sampled->start_ns[s] - shift_ns, to = (double)sampled->end_ns[s] - shift_ns;
        advance(&sweep, from, to, &at_once);
        busy[s] = to > from ? running_ns(&sweep, (struct interval){from, to}, 0, NULL, &at_once) / (to - from) : 0;
    }
    free(sweep.active);
}

/* ---- rows ---- */

static void add_weight(struct rl_design_row *row, uint32_t column, double weight)
{
    assert(column < RL_DESIGN_MOST);
    if (weight <= 0)
        return;
    if (row->weight[column] <= 0)
        row->used[row->count++] = column;
    row->weight[column] += weight;
}

static void fill_row(const struct rl_columns *columns, struct sweep *sweep, double from_ns, double to_ns,
                     const struct rl_arrival *arrival, struct rl_design_row *row)
{
    const uint32_t rest = (uint32_t)columns->count - 2, idle = rest + 1;
    for (size_t i = 0; i < row->count; i++)
        row->weight[row->used[i]] = 0;
    row->count = 0;
    advance(sweep, from_ns, to_ns, arrival);
    for (size_t i = 0; i < sweep->count; i++) {
        const struct rl_span *launch = &sweep->sampled->launches[sweep->active[i]];
        const struct interval when = arrives(&columns->kinds[launch->class_id], launch, arrival);
        const double lasts = when.end - when.begin;
        const uint32_t column = columns->of_kind[launch->class_id];
        const double part = part_of(from_ns - when.begin, to_ns - when.begin, lasts, arrival->tail_ns);
        add_weight(row, column, column == rest ? part * lasts / (to_ns - from_ns) : part);
    }
    add_weight(row, idle,
               1 - running_ns(sweep, (struct interval){from_ns, to_ns}, BESIDE_NS, columns, arrival) / (to_ns - from_ns));
}

void rl_design_rows(const struct rl_sampled *sampled, const struct rl_columns *columns, const struct rl_arrival *arrival,
                    size_t sample_count, void (*show)(void *context, size_t sample, const struct rl_design_row *row), void *context)
{
    assert(sample_count <= sampled->sample_count);
    struct sweep sweep = {.sampled = sampled};
    struct rl_design_row row = {.count = 0};
    const double back_ns = arrival->shift_ns;
    for (size_t s = 0; s < sample_count; s++) {
        const double from = (double)sampled->start_ns[s] - back_ns, to = (double)sampled->end_ns[s] - back_ns;
        if (to <= from)
            continue;
        fill_row(columns, &sweep, from, to, arrival, &row);
        show(context, s, &row);
    }
    free(sweep.active);
}

/* ---- products ---- */

uint8_t *rl_design_blocks(size_t sample_count, size_t blocks)
{
    assert(blocks > 0 && blocks <= UINT8_MAX);
    const size_t together = sample_count / (blocks * ROUNDS) + 1;
    uint8_t *block_of = rl_calloc(sample_count, 1);
    for (size_t s = 0; s < sample_count; s++)
        block_of[s] = (uint8_t)(s / together % blocks);
    return block_of;
}

static void add_row(const struct rl_sampled *sampled, const struct rl_columns *columns, const struct rl_design_row *row,
                    const double *values, struct rl_products *to)
{
    for (size_t i = 0; i < row->count; i++) {
        const uint32_t a = row->used[i];
        const double weight = row->weight[a];
        to->weight[a] += weight;
        for (size_t k = 0; k <= i; k++) {
            const uint32_t b = row->used[k], high = a > b ? a : b, low = a > b ? b : a;
            to->gram[high * columns->count + low] += weight * row->weight[b];
        }
        for (size_t c = 0; c < sampled->counter_count; c++)
            to->moment[c * columns->count + a] += weight * values[c];
    }
    for (size_t c = 0; c < sampled->counter_count; c++)
        to->squares[c] += values[c] * values[c];
}

static void clear(const struct rl_sampled *sampled, const struct rl_columns *columns, struct rl_products *products)
{
    const size_t n = columns->count;
    memset(products->gram, 0, n * n * sizeof(double));
    memset(products->moment, 0, n * sampled->counter_count * sizeof(double));
    memset(products->squares, 0, sampled->counter_count * sizeof(double));
    memset(products->weight, 0, n * sizeof(double));
}

/* Only the lower triangle was added up. */
static void mirror(double *gram, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            gram[k * n + i] = gram[i * n + k];
}

struct building {
    const struct rl_sampled *sampled;
    const struct rl_columns *columns;
    const uint8_t *block_of;
    struct rl_products *products;
};

static void build(void *context, size_t sample, const struct rl_design_row *row)
{
    const struct building *building = context;
    add_row(building->sampled, building->columns, row, &building->sampled->values[sample * building->sampled->counter_count],
            &building->products[building->block_of ? building->block_of[sample] : 0]);
}

void rl_design_products(const struct rl_sampled *sampled, const struct rl_columns *columns, const struct rl_arrival *arrival,
                        size_t sample_count, size_t blocks, const uint8_t *block_of, struct rl_products *products)
{
    assert(blocks == 1 || (blocks > 0 && block_of));
    struct building building = {sampled, columns, block_of, products};
    for (size_t b = 0; b < blocks; b++)
        clear(sampled, columns, &products[b]);
    rl_design_rows(sampled, columns, arrival, sample_count, build, &building);
    for (size_t b = 0; b < blocks; b++)
        mirror(products[b].gram, columns->count);
}
