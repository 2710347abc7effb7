/* spots_best.c - which spot is the best of its experiment (see experiment.h). */
#include <assert.h>

#include "experiment.h"

static struct rl_roofline_point *nearest_to_roof(struct rl_roofline_point *spots, size_t count)
{
    struct rl_roofline_point *best = NULL;
    for (size_t i = 0; i < count; i++)
        if (spots[i].shows && rl_present(spots[i].roof_share) && (!best || spots[i].roof_share.v > best->roof_share.v))
            best = &spots[i];
    return best;
}

/* The best of each experiment. The spots are all there: the view of an experiment is made of them. */
static void mark_best(struct rl_report *report, size_t gpu, struct rl_roofline_points *spots)
{
    for (size_t first = 0, end; first < spots->count && spots->at[first].run; first = end) {
        size_t experiment = rl_spot_experiment(report, &spots->at[first]);
        struct rl_view view = rl_view_of(report, (struct rl_experiment_key){experiment, gpu});
        end = first + view.count;
        assert(view.count > 0 && end <= spots->count);
        bool judged = view.comparable && view.best != RL_NONE;
        struct rl_roofline_point *best = judged ? &spots->at[first + view.best] : nearest_to_roof(&spots->at[first], view.count);
        if (best)
            best->best = true;
    }
}

const struct rl_roofline_points *rl_spots_with_best(struct rl_report *report, size_t gpu)
{
    const struct rl_roofline_points *spots = rl_roofline_points_of(report, gpu);
    if (!spots->marked) {
        mark_best(report, gpu, &report->spots[gpu]);
        report->spots[gpu].marked = true;
    }
    return spots;
}
