/* roofline_best.c - which entry is the best of its experiment (see experiment.h). */
#include <assert.h>

#include "experiment.h"

static struct rl_roofline_entry *nearest_to_roof(struct rl_roofline_entry *entries, size_t count)
{
    struct rl_roofline_entry *best = NULL;
    for (size_t i = 0; i < count; i++)
        if (entries[i].shows && rl_present(entries[i].roof_share) && (!best || entries[i].roof_share.v > best->roof_share.v))
            best = &entries[i];
    return best;
}

/* The best of each experiment. The entries are all there: the view of an experiment is made of them. */
static void mark_best(struct rl_report *report, size_t gpu, struct rl_roofline_entries *entries)
{
    for (size_t first = 0, end; first < entries->count && entries->at[first].run; first = end) {
        size_t experiment = rl_entry_experiment(report, &entries->at[first]);
        struct rl_view view = rl_view_of(report, (struct rl_experiment_key){experiment, gpu});
        end = first + view.count;
        assert(view.count > 0 && end <= entries->count);
        bool judged = view.comparable && view.best != RL_NONE;
        struct rl_roofline_entry *best =
            judged ? &entries->at[first + view.best] : nearest_to_roof(&entries->at[first], view.count);
        if (best)
            best->best = true;
    }
}

const struct rl_roofline_entries *rl_entries_with_best(struct rl_report *report, size_t gpu)
{
    assert(gpu < report->capture->gpu_count);
    const struct rl_roofline_entries *entries = rl_roofline_entries_of(report, gpu);
    if (!entries->marked) {
        mark_best(report, gpu, &report->entries[gpu]);
        report->entries[gpu].marked = true;
    }
    return entries;
}
