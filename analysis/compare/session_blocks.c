#include "compare_internal.h"

#include "analysis/robust.h"

/* Sessions of one block on one side. */
struct cell {
    size_t sessions;
    double mean, squares, within;
    double turn, turn_squares, products; /* mean of the turns, their squares, and products with the levels, around the means */
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
    const double turn_before = (double)session->turn - cell->turn;
    cell->turn += turn_before / (double)cell->sessions;
    cell->turn_squares += turn_before * ((double)session->turn - cell->turn);
    cell->products += turn_before * (session->y - cell->mean);
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

static enum rl_design design_of(const struct blocks *blocks)
{
    size_t both = 0, sides[2] = {0};
    for (size_t i = 0; i < blocks->count; i++) {
        both += blocks->at[i].sides[0].sessions && blocks->at[i].sides[1].sessions;
        for (size_t s = 0; s < 2; s++)
            sides[s] += blocks->at[i].sides[s].sessions > 0;
    }
    if (both == blocks->count)
        return blocks->count == 1 ? RL_DESIGN_ONE : RL_DESIGN_SHARED;
    return sides[0] + sides[1] > 2 ? RL_DESIGN_COUNTED : RL_DESIGN_APART;
}

/* A drift by sessions of one side, and by how many turns one side was later than the other. */
struct drift {
    double turn_squares, products, apart;
};

static struct rl_session_blocks within_blocks(const struct blocks *blocks)
{
    struct rl_session_blocks sum = {.ways = 1, .freedom = -1, .rank_level = 1};
    struct drift drift = {0};
    for (size_t i = 0; i < blocks->count; i++) {
        const struct cell *base = &blocks->at[i].sides[0];
        const struct cell *new = &blocks->at[i].sides[1];
        const double n = (double)base->sessions, m = (double)new->sessions, weight = n *m / (n + m);
        const double d = new->mean - base->mean, before = d - sum.difference;
        sum.weight += weight;
        sum.difference += before * weight / sum.weight;
        sum.squares += base->squares + new->squares + weight *before *(d - sum.difference);
        sum.freedom += n + m - 1;
        sum.within += base->within + new->within;
        sum.ways = fmin(1e9, sum.ways * rl_ways_to_share(base->sessions, new->sessions));
        sum.counted[0] += base->sessions;
        sum.counted[1] += new->sessions;
        drift.turn_squares += base->turn_squares + new->turn_squares;
        drift.products += base->products + new->products;
        drift.apart += weight * (new->turn - base->turn);
    }
    sum.within /= (double)(sum.counted[0] + sum.counted[1]);
    if (drift.turn_squares > 0)
        sum.trend = drift.products / drift.turn_squares * drift.apart / sum.weight;
    return sum;
}

/* Ways in which the rank sum of a side is at most so much above its smallest: partitions of the numbers up to that. */
static double ways_up_to(size_t above)
{
    static const double ways[] = {1, 2, 4, 7, 12, 19, 30, 45, 67, 97, 139, 195, 272, 373, 508, 684};
    return above < RL_COUNT(ways) ? ways[above] : INFINITY;
}

/* By the normal distribution, and where one side lies nearly beyond the other in one block by counting. */
static double rank_level(const struct rl_session_level *sessions, size_t count, const struct blocks *blocks)
{
    double excess = 0, variance = 0, all = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++)
            if (sessions[i].side == 0 && sessions[k].side == 1 && sessions[i].block == sessions[k].block)
                excess += (sessions[k].y > sessions[i].y ? 0.5 : 0) - (sessions[k].y < sessions[i].y ? 0.5 : 0);
    for (size_t i = 0; i < blocks->count; i++) {
        const double n = (double)blocks->at[i].sides[0].sessions, m = (double)blocks->at[i].sides[1].sessions;
        all += n * m;
        variance += n * m * (n + m + 1) / 12;
    }
    const double level = rl_robust_two_sided(fabs(excess) / sqrt(variance));
    if (blocks->count > 1)
        return level;
    const double ways = rl_ways_to_share(blocks->at[0].sides[0].sessions, blocks->at[0].sides[1].sessions);
    return fmin(level, 2 * ways_up_to((size_t)ceil(all / 2 - fabs(excess))) / ways);
}

bool rl_sessions_take_turns(const struct rl_session_level *sessions, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double so_far[2] = {0}, all[2] = {0};
        for (size_t k = 0; k < count; k++)
            if (sessions[k].block == sessions[i].block) {
                all[sessions[k].side]++;
                so_far[sessions[k].side] += k <= i;
            }
        const double shorter = fmin(all[0], all[1]), ahead = fabs(so_far[0] / all[0] - so_far[1] / all[1]);
        if (shorter == 0 || ahead * shorter > fmin(2, fmax(1, shorter / 2)) || (ahead == 1 && all[0] + all[1] > 2))
            return false;
    }
    return count > 0;
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
        found.rank_level = rank_level(sessions, count, &blocks);
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
