/* attribution_design.c - which part of each launch falls into each sample (attribution_design.h). */
#include "attribution_design.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attribution_split.h"
#include "core/mem.h"

enum { ROUNDS = 4 };           /* so many times each block has its turn */
static const double TAILS = 6; /* so many tails after its end a launch has arrived but for a four-hundredth */

/* ---- columns ---- */

void rl_columns_make(const struct rl_kind *kinds, size_t kind_count, struct rl_columns *columns)
{
    size_t in = 0;
    for (size_t i = 0; i < kind_count; i++)
        in += kinds[i].in;
    assert(in <= RL_DESIGN_MOST_KINDS);
    *columns = (struct rl_columns){.count = in + 2,
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

static void advance(struct sweep *sweep, double from_ns, double to_ns, double tail_ns)
{
    const struct rl_sampled *sampled = sweep->sampled;
    size_t kept = 0;
    for (size_t i = 0; i < sweep->count; i++)
        if ((double)sampled->launches[sweep->active[i]].end_ns + TAILS * tail_ns >= from_ns)
            sweep->active[kept++] = sweep->active[i];
    sweep->count = kept;
    for (; sweep->next < sampled->launch_count && (double)sampled->launches[sweep->next].start_ns < to_ns; sweep->next++)
        if ((double)sampled->launches[sweep->next].end_ns + TAILS * tail_ns >= from_ns) {
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

/* The time between two moments in which a launch runs. Active launches stand in the order of their starts. */
static double running_ns(const struct sweep *sweep, double from_ns, double to_ns)
{
    double covered_to = from_ns, ns = 0;
    for (size_t i = 0; i < sweep->count; i++) {
        const struct rl_span *launch = &sweep->sampled->launches[sweep->active[i]];
        const double begin = fmax((double)launch->start_ns, covered_to), end = fmin((double)launch->end_ns, to_ns);
        ns += end > begin ? end - begin : 0;
        covered_to = fmax(covered_to, end);
    }
    return ns;
}

void rl_design_busy(const struct rl_sampled *sampled, double shift_ns, size_t sample_count, double *busy)
{
    struct sweep sweep = {.sampled = sampled};
    for (size_t s = 0; s < sample_count; s++) {
        const double from = (double)sampled->start_ns[s] - shift_ns, to = (double)sampled->end_ns[s] - shift_ns;
        advance(&sweep, from, to, 0);
        busy[s] = to > from ? running_ns(&sweep, from, to) / (to - from) : 0;
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

static void fill_row(const struct rl_columns *columns, struct sweep *sweep, double from_ns, double to_ns, double tail_ns,
                     struct rl_design_row *row)
{
    const uint32_t rest = (uint32_t)columns->count - 2, idle = rest + 1;
    for (size_t i = 0; i < row->count; i++)
        row->weight[row->used[i]] = 0;
    row->count = 0;
    advance(sweep, from_ns, to_ns, tail_ns);
    for (size_t i = 0; i < sweep->count; i++) {
        const struct rl_span *launch = &sweep->sampled->launches[sweep->active[i]];
        const double start = (double)launch->start_ns, lasts = (double)(launch->end_ns - launch->start_ns);
        const uint32_t column = columns->of_kind[launch->class_id];
        const double part = part_of(from_ns - start, to_ns - start, lasts, tail_ns);
        add_weight(row, column, column == rest ? part * lasts / (to_ns - from_ns) : part);
    }
    add_weight(row, idle, 1 - running_ns(sweep, from_ns, to_ns) / (to_ns - from_ns));
}

void rl_design_rows(const struct rl_sampled *sampled, const struct rl_columns *columns, const struct rl_arrival *arrival,
                    size_t sample_count, void (*show)(void *context, size_t sample, const struct rl_design_row *row), void *context)
{
    assert(sample_count <= sampled->sample_count);
    struct sweep sweep = {.sampled = sampled};
    struct rl_design_row row = {.count = 0};
    const double back_ns = arrival->shift_ns + arrival->delay_ns;
    for (size_t s = 0; s < sample_count; s++) {
        const double from = (double)sampled->start_ns[s] - back_ns, to = (double)sampled->end_ns[s] - back_ns;
        if (to <= from)
            continue;
        fill_row(columns, &sweep, from, to, arrival->tail_ns, &row);
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
