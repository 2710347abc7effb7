/* pool.c - what the kernels of a comparison say together of how sessions scatter. */
#include "analysis/robust.h"
#include "analysis/sessions.h"

/* Sums over several kernels. */
struct sum {
    double variance, freedom; /* the variance times its freedom */
    double e, squares;        /* of the logarithm of a variance, less what chance adds to it on average, and of its square */
    double chance;            /* of the variance of e that chance alone would give */
};

/* Sorted by kind, then by length, with running sums: sums[i] is that of the first i. */
struct rl_pool {
    struct rl_scatter *spreads;
    struct sum *sums;
    size_t count;
};

RL_COMPARATOR(by_kind_and_length, struct rl_scatter, rl_ascending(x->kind, y->kind) ?: rl_ascending(x->length_s, y->length_s));

static struct sum plus(const struct sum *sum, const struct rl_scatter *one)
{
    const double half = one->freedom / 2, least = RL_SESSION_FLOOR * RL_SESSION_FLOOR;
    const double e = log(fmax(one->variance, least)) - rl_robust_digamma(half) + log(half);
    return (struct sum){.variance = sum->variance + one->variance * one->freedom,
                        .freedom = sum->freedom + one->freedom,
                        .e = sum->e + e,
                        .squares = sum->squares + e * e,
                        .chance = sum->chance + rl_robust_trigamma(half)};
}

struct rl_pool *rl_pool_new(const struct rl_scatter *spreads, size_t n)
{
    struct rl_pool *pool = rl_calloc(1, sizeof *pool);
    pool->spreads = rl_calloc(n, sizeof *pool->spreads);
    pool->sums = rl_calloc(n + 1, sizeof *pool->sums);
    for (size_t i = 0; i < n; i++)
        if (spreads[i].freedom > 0)
            pool->spreads[pool->count++] = spreads[i];
    rl_sort(pool->spreads, pool->count, sizeof *pool->spreads, by_kind_and_length);
    for (size_t i = 0; i < pool->count; i++)
        pool->sums[i + 1] = plus(&pool->sums[i], &pool->spreads[i]);
    return pool;
}

void rl_pool_free(struct rl_pool *pool)
{
    if (!pool)
        return;
    RL_FREE(pool->spreads, pool->sums, pool);
}

/* How many come before this kind and length. */
static size_t before(const struct rl_pool *pool, int kind, double length_s)
{
    const struct rl_scatter edge = {.kind = kind, .length_s = length_s};
    return RL_BISECT(i, pool->count, by_kind_and_length(&pool->spreads[i], &edge) < 0);
}

static struct rl_like like_between(const struct rl_pool *pool, size_t first, size_t end)
{
    const struct sum *a = &pool->sums[first], *b = &pool->sums[end];
    const struct sum sum = {b->variance - a->variance, b->freedom - a->freedom, b->e - a->e, b->squares - a->squares,
                            b->chance - a->chance};
    struct rl_like like = {.freedom = sum.freedom};
    if (sum.freedom > 0) {
        like.variance = sum.variance / sum.freedom;
        /* Smyth's estimate by the moments of e: their variance is what chance adds, and the trigamma function of half the prior's
         * freedom. */
        size_t count = end - first;
        const double n = (double)count, mean = sum.e / n;
        const double beyond = count > 1 ? (sum.squares - n * mean * mean) / (n - 1) - sum.chance / n : 0;
        if (count >= 3) {
            const double half = beyond > 0 ? rl_robust_trigamma_inverse(beyond) : INFINITY;
            like.prior_freedom = fmin(2 * half, like.freedom);
            like.prior = 2 * half < like.freedom ? exp(mean + rl_robust_digamma(half) - log(half)) : like.variance;
        }
    }
    return like;
}

struct rl_like rl_pool_at(const struct rl_pool *pool, int kind, double length_s)
{
    const double alike = 4, enough = 20;
    const struct {
        size_t first, end;
    } ranges[] = {{before(pool, kind, length_s / alike), before(pool, kind, length_s * alike)},
                  {before(pool, kind, 0), before(pool, kind, INFINITY)}};
    const size_t at =
        RL_FIRST(i, RL_COUNT(ranges), pool->sums[ranges[i].end].freedom - pool->sums[ranges[i].first].freedom >= enough);
    return at < RL_COUNT(ranges) ? like_between(pool, ranges[at].first, ranges[at].end) : like_between(pool, 0, pool->count);
}
