/* experiment.c - the variants of an experiment on a GPU and their values (see experiment.h). */
#include "experiment.h"

/* ---- values ---- */

/* `value`, unless there is nothing to show of the variant: then its time says why. */
static struct rl_value unless_wrong(const struct rl_view *view, size_t i, struct rl_value value)
{
    return view->entries[i].shows ? value : view->entries[i].time_s;
}

struct rl_value rl_view_time(struct rl_report *report, const struct rl_view *view, size_t i)
{
    assert(i < view->count);
    return view->entries[i].time_s;
}

/* The figure that the experiment is judged by. */
static struct rl_value view_quantity(const struct rl_view *view, size_t i)
{
    return unless_wrong(view, i, rl_criterion_value(view->entries[i].run, view->quantity));
}

struct rl_value rl_view_result(const struct rl_view *view, size_t i, size_t at)
{
    assert(i < view->count);
    return unless_wrong(view, i, *(const struct rl_value *)(const void *)((const char *)view->entries[i].run + at));
}

/* The gaps between the kernels of a run, s; returns their number. */
static size_t gaps_of(const struct rl_variant *variant, double *gaps)
{
    const struct rl_event *last = NULL;
    size_t count = 0;
    for (size_t i = 0; i < variant->event_count; i++) {
        const struct rl_event *event = &variant->events[i];
        if (event->kind != RL_EVENT_KERNEL)
            return 0;
        if (last)
            gaps[count++] = fmax(0, (double)(event->start_ns - last->end_ns) * 1e-9);
        last = event;
    }
    return count;
}

struct rl_value rl_view_gap(struct rl_report *report, const struct rl_view *view, size_t i)
{
    const struct rl_variant *variant = rl_view_variant(report, view, i);
    double *gaps = rl_arena_alloc(report->doc->arena, (variant->event_count + 1) * sizeof *gaps);
    const size_t count = gaps_of(variant, gaps);
    if (count > 0 && (variant->measure && strcmp(variant->measure, "wall") == 0))
        return unless_wrong(view, i, rl_value_of(rl_stats_of(gaps, count).median));
    struct rl_value missing = variant->event_count == 1 ? rl_value_missing(RL_UNDEFINED, "a run is one kernel")
                                                        : rl_value_missing(RL_NOT_COLLECTED, "no timeline of kernels alone");
    return unless_wrong(view, i, missing);
}

struct rl_value rl_view_error(struct rl_report *report, const struct rl_view *view, size_t i)
{
    const struct rl_deviation *deviation = &rl_view_variant(report, view, i)->deviation;
    return unless_wrong(view, i,
                        deviation->kind == RL_DEVIATION_ABSOLUTE
                            ? rl_value_of(deviation->largest)
                            : rl_value_missing(RL_NOT_COLLECTED, "the check wrote down no error"));
}

struct rl_value rl_view_metric(struct rl_report *report, const struct rl_view *view, size_t i, enum rl_metric metric)
{
    assert(i < view->count);
    return rl_entry_metric(report, &view->entries[i], metric);
}

/* Also of a variant that computed the wrong thing: it is a fact about its code. */
struct rl_value rl_view_registers(struct rl_report *report, const struct rl_view *view, size_t i)
{
    assert(i < view->count);
    const struct rl_kernel_result *kernel = view->entries[i].kernel;
    if (kernel)
        return report->capture->kernels[kernel->kernel].registers_per_thread;
    return unless_wrong(view, i, rl_value_missing(RL_UNDEFINED, "a run is several launches"));
}

const struct rl_variant *rl_view_variant(const struct rl_report *report, const struct rl_view *view, size_t i)
{
    assert(i < view->count);
    return &report->capture->variants[view->entries[i].run->variant];
}

bool rl_view_declares(const struct rl_view *view, const char *column)
{
    return RL_ANY(i, view->experiment->column_count, strcmp(view->experiment->columns[i], column) == 0);
}

const struct rl_setting *rl_view_setting(const struct rl_report *report, const struct rl_view *view, size_t i, const char *key)
{
    const struct rl_variant *variant = rl_view_variant(report, view, i);
    return key ? rl_setting_find(variant->settings, variant->setting_count, key) : NULL;
}

/* ---- how it was timed ---- */

static const struct rl_measure_row measures[] = {
    {"kernel", "kernel", "launches without counters"},
    {"span", "GPU timeline", "runs without counters on the GPU's timeline, from the first start to the last end"},
    {"wall", "host clock", "runs without counters by the host's clock, from the first call until the GPU is idle"},
    {NULL, "unknown", "runs without counters"},
};

const struct rl_measure_row *rl_measure_of(const char *measure)
{
    const struct rl_measure_row *row = measures;
    while (row->id && (!measure || strcmp(row->id, measure) != 0))
        row++;
    return row;
}

const struct rl_measure_row *rl_view_measure(const struct rl_report *report, const struct rl_view *view)
{
    const struct rl_measure_row *measure = rl_measure_of(rl_view_variant(report, view, 0)->measure);
    for (size_t i = 1; i < view->count; i++)
        if (rl_measure_of(rl_view_variant(report, view, i)->measure) != measure)
            return NULL;
    return measure;
}

/* ---- what it is judged by ---- */

struct rl_view_figure rl_view_figure(struct rl_report *report, const struct rl_view *view, size_t i)
{
    assert(i < view->count);
    const struct rl_stats *time = view->entries[i].duration;
    struct rl_view_figure figure = {view_quantity(view, i), NAN, NAN};
    if (!rl_present(figure.value) || view->quantity->is_static || !time->has_interval || time->low <= 0)
        return figure;
    bool rate = view->quantity->more_is_better; /* work over time: the interval turns round */
    figure.low = figure.value.v * (rate ? time->median / time->high : time->low / time->median);
    figure.high = figure.value.v * (rate ? time->median / time->low : time->high / time->median);
    return figure;
}

double rl_view_range(struct rl_report *report, const struct rl_view *view)
{
    if (view->best == RL_NONE)
        return 1;
    double a = rl_view_figure(report, view, view->best).value.v, b = rl_view_figure(report, view, view->worst).value.v;
    return fmin(a, b) > 0 ? fmax(a, b) / fmin(a, b) : INFINITY;
}

/* ---- the whole ---- */

struct rl_view rl_view_of(struct rl_report *report, struct rl_experiment_key key)
{
    const struct rl_roofline_entries *entries = rl_roofline_entries_of(report, key.gpu);
    /* How many entries are of earlier experiments: they ascend by them. */
    const size_t first = RL_BISECT(i, entries->count, rl_entry_experiment(report, &entries->at[i]) < key.experiment);
    struct rl_view view = {.key = key, .experiment = &report->capture->experiments[key.experiment], .entries = entries->at + first};
    while (first + view.count < entries->count && rl_entry_experiment(report, &view.entries[view.count]) == key.experiment)
        view.count++;
    const struct rl_best_variant found = rl_best_variant_of(report->analysis, key.experiment, key.gpu);
    view.quantity = found.quantity;
    view.comparable = found.comparable;
    view.best = view.worst = RL_NONE;
    for (size_t i = 0; i < view.count; i++) {
        view.best = view.entries[i].run->variant == found.best ? i : view.best;
        view.worst = view.entries[i].run->variant == found.worst ? i : view.worst;
    }
    return view;
}
