/* roofline_best.c - which entry is the best of its experiment (see experiment.h). */
#include "experiment.h"

/* Whether a variant of the suite measures the GPU, or shows what another one of its experiment does better: it may be near a roof
 * with work in vain. */
static bool is_not_made_to_be_fast(const struct rl_capture *capture, const struct rl_variant_result *run)
{
    const struct rl_variant *variant = &capture->variants[run->variant];
    if (rl_measures_card(capture, run->variant))
        return true;
    const struct rl_experiment *experiment = &capture->experiments[variant->experiment];
    return RL_ANY(i, experiment->pair_count, strcmp(experiment->pairs[i].broken, variant->name) == 0);
}

static struct rl_roofline_entry *nearest_to_roof(const struct rl_capture *capture, struct rl_roofline_entry *entries, size_t count)
{
    struct rl_roofline_entry *best = NULL;
    for (size_t i = 0; i < count; i++)
        if (entries[i].shows && rl_present(entries[i].roof_share) && !is_not_made_to_be_fast(capture, entries[i].run) &&
            (!best || entries[i].roof_share.v > best->roof_share.v))
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
            judged ? &entries->at[first + view.best] : nearest_to_roof(report->capture, &entries->at[first], view.count);
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
