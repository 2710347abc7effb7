/* alike.c - whether two cards of a capture need two descriptions (see rl_cards_alike). */
#include <math.h>
#include <string.h>

#include "internal.h"

static const double same_clock = 0.01; /* as a share */

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_value(struct rl_value a, struct rl_value b)
{
    return rl_present(a) ? rl_present(b) && a.v == b.v : !rl_present(b);
}

bool rl_cards_alike(const struct rl_analysis *analysis, size_t a, size_t b)
{
    const struct rl_gpu *x = &analysis->capture->gpus[a], *y = &analysis->capture->gpus[b];
    const struct rl_stats *clock = &analysis->gpus[a].sm_clock, *other = &analysis->gpus[b].sm_clock;

    if (!same_text(x->name, y->name) || !same_text(x->chip, y->chip) || x->cc_major != y->cc_major || x->cc_minor != y->cc_minor)
        return false;
    for (size_t i = 0; i < RL_FACT_COUNT; i++)
        if (!same_value(x->fact[i], y->fact[i]))
            return false;
    if ((clock->n > 0) != (other->n > 0))
        return false;
    return clock->n == 0 || fabs(clock->median - other->median) <= same_clock * fmax(clock->median, other->median);
}
