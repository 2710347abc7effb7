/* compare_weigh.c - how much time the kernels of a side take. */
#include "analysis/compare.h"

/* A kernel of a variant whose runs were timed as wholes: the time of the run has its own in it. */
static bool is_part_of_whole(const struct rl_compare_side *side, const struct rl_item *item)
{
    return item->kernel != RL_NONE && item->variant != RL_NONE &&
           side->analysis->capture->variants[item->variant].duration_count > 0;
}

double rl_compare_side_weigh(const struct rl_compare_side *side, double *weights)
{
    double all = 0;
    for (size_t i = 0; i < side->count; i++) {
        const struct rl_item *item = &side->items[i];
        const double launches = item->launches ? (double)item->launches : 1;
        const bool counts = item->times.n && !is_part_of_whole(side, item);
        weights[i] = counts ? rl_stats_of(item->times.seconds, item->times.n).median * launches : 0;
        all += weights[i];
    }
    for (size_t i = 0; i < side->count && all <= 0; i++)
        weights[i] = 1;
    return all > 0 ? all : (double)side->count;
}
