#include "session_blocks.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "core/mem.h"

/* Sessions of one block on one side. */
struct cell {
    size_t sessions;
    double mean, squares, within;
};

struct block {
    size_t number;
    struct cell sides[2];
};

struct blocks {
    struct block *at;
    size_t count, last; /* the one that was found last: most sessions follow one of their block */
};

static void add(struct cell *cell, const struct rl_session_level *session)
{
    const double before = session->y - cell->mean;
    cell->sessions++;
    cell->mean += before / (double)cell->sessions;
    cell->squares += before * (session->y - cell->mean);
    cell->within += session->within;
}

static struct block *find(struct blocks *blocks, size_t number)
{
    if (blocks->count && blocks->at[blocks->last].number == number)
        return &blocks->at[blocks->last];
    for (blocks->last = 0; blocks->last < blocks->count; blocks->last++)
        if (blocks->at[blocks->last].number == number)
            return &blocks->at[blocks->last];
    blocks->at[blocks->count] = (struct block){.number = number};
    return &blocks->at[blocks->count++];
}

double rl_ways_to_share(size_t base, size_t new)
{
    double ways = 1;
    for (size_t i = 1; i <= base && ways < 1e9; i++)
        ways *= (double)(new + i) / (double)i;
    return ways;
}

static bool on_both_sides(const struct block *block)
{
    return block->sides[0].sessions && block->sides[1].sessions;
}

static enum rl_design design_of(const struct blocks *blocks)
{
    size_t both = 0, sides[2] = {0};
    for (size_t i = 0; i < blocks->count; i++) {
        both += on_both_sides(&blocks->at[i]);
        for (size_t s = 0; s < 2; s++)
            sides[s] += blocks->at[i].sides[s].sessions > 0;
    }
    if (both == blocks->count)
        return blocks->count == 1 ? RL_DESIGN_ONE : RL_DESIGN_SHARED;
    return sides[0] + sides[1] > 2 ? RL_DESIGN_COUNTED : RL_DESIGN_APART;
}

/* One side's and the other's, of one block. */
static void add_pair(struct rl_session_blocks *sum, const struct cell *base, const struct cell *new)
{
    const double n = (double)base->sessions, m = (double)new->sessions, weight = n *m / (n + m);
    const double d = new->mean - base->mean, before = d - sum->difference;
    sum->weight += weight;
    sum->difference += before * weight / sum->weight;
    sum->squares += base->squares + new->squares + weight *before *(d - sum->difference);
    sum->freedom += n + m - 1;
    sum->within += base->within + new->within;
    sum->ways = fmin(1e9, sum->ways * rl_ways_to_share(base->sessions, new->sessions));
    sum->counted[0] += base->sessions;
    sum->counted[1] += new->sessions;
}

static struct rl_session_blocks within_blocks(const struct blocks *blocks)
{
    struct rl_session_blocks sum = {.ways = 1, .freedom = -1};
    for (size_t i = 0; i < blocks->count; i++)
        add_pair(&sum, &blocks->at[i].sides[0], &blocks->at[i].sides[1]);
    sum.within /= (double)(sum.counted[0] + sum.counted[1]);
    return sum;
}

/* All sessions of one side, or the means of its blocks. */
static struct cell joined(const struct blocks *blocks, int side, bool by_block)
{
    struct cell all = {0};
    for (size_t i = 0; i < blocks->count; i++) {
        const struct cell *cell = &blocks->at[i].sides[side];
        const double n = (double)cell->sessions;
        if (n == 0)
            continue;
        if (by_block)
            add(&all, &(struct rl_session_level){.y = cell->mean, .within = cell->within / (n * n)});
        else
            all = *cell; /* a side has one block then */
    }
    return all;
}

struct rl_session_blocks rl_session_blocks_of(const struct rl_session_level *sessions, size_t count)
{
    struct blocks blocks = {.at = rl_calloc(count, sizeof *blocks.at)};
    for (size_t i = 0; i < count; i++)
        add(&find(&blocks, sessions[i].block)->sides[sessions[i].side], &sessions[i]);
    const enum rl_design design = design_of(&blocks);
    struct rl_session_blocks found;
    if (design == RL_DESIGN_ONE || design == RL_DESIGN_SHARED) {
        found = within_blocks(&blocks);
    } else {
        const bool by_block = design == RL_DESIGN_COUNTED;
        struct block as_one = {.sides = {joined(&blocks, 0, by_block), joined(&blocks, 1, by_block)}};
        found = within_blocks(&(struct blocks){.at = &as_one, .count = 1});
    }
    assert(found.weight > 0 && found.freedom >= 0);
    found.design = design;
    free(blocks.at);
    return found;
}
