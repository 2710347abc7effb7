/* experiment.c - the variants of an experiment on a GPU and their values (see experiment.h). */
#include "experiment.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "core/stats.h"
#include "core/units.h"

/* ---- values ---- */

/* `value`, unless there is nothing to show of the variant: then its time says why. */
static struct rl_value unless_wrong(const struct rl_view *view, size_t i, struct rl_value value)
{
    assert(i < view->count);
    return view->entries[i].shows ? value : view->entries[i].time_s;
}

struct rl_value rl_view_time(struct rl_report *report, const struct rl_view *view, size_t i)
{
    assert(i < view->count);
    return view->entries[i].time_s;
}

struct rl_value rl_view_time_per_operation(struct rl_report *report, const struct rl_view *view, size_t i)
{
    assert(i < view->count);
    return unless_wrong(view, i, view->entries[i].run->time_per_operation_s);
}

struct rl_value rl_view_bandwidth(struct rl_report *report, const struct rl_view *view, size_t i)
{
    assert(i < view->count);
    return unless_wrong(view, i, view->entries[i].run->useful_bytes_per_second);
}

struct rl_value rl_view_overlap(struct rl_report *report, const struct rl_view *view, size_t i)
{
    assert(i < view->count);
    return unless_wrong(view, i, view->entries[i].run->overlap_share);
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

/* Warps that an SM can hold at once, of the most of any kernel: of the launch that the run is. */
static struct rl_value view_occupancy(struct rl_report *report, const struct rl_view *view, size_t i)
{
    return rl_view_metric(report, view, i, RL_METRIC_theoretical_occupancy);
}

const struct rl_variant *rl_view_variant(const struct rl_report *report, const struct rl_view *view, size_t i)
{
    assert(i < view->count);
    return &report->capture->variants[view->entries[i].run->variant];
}

bool rl_view_declares(const struct rl_view *view, const char *column)
{
    for (size_t i = 0; i < view->experiment->column_count; i++)
        if (strcmp(view->experiment->columns[i], column) == 0)
            return true;
    return false;
}

const struct rl_setting *rl_view_setting(const struct rl_report *report, const struct rl_view *view, size_t i, const char *key)
{
    const struct rl_variant *variant = rl_view_variant(report, view, i);
    return key ? rl_setting_find(variant->settings, variant->setting_count, key) : NULL;
}

bool rl_view_any(struct rl_report *report, const struct rl_view *view, rl_view_value value)
{
    for (size_t i = 0; i < view->count; i++)
        if (rl_present(value(report, view, i)))
            return true;
    return false;
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

/* In the order in which they are taken when claims speak of several. */
static const struct rl_quantity quantities[] = {
    {"time_per_operation_s", "Median time per operation", RL_UNIT_SECOND, false, rl_view_time_per_operation},
    {"useful_bytes_per_second", "Useful bandwidth", RL_UNIT_BYTE_PER_SECOND, true, rl_view_bandwidth},
    {"time_s", "Median time", RL_UNIT_SECOND, false, rl_view_time},
    {"theoretical_occupancy", "Theoretical occupancy", RL_UNIT_FRACTION, true, view_occupancy, true},
};
enum { PER_OPERATION, BANDWIDTH, TIME };

/* A quantity that follows from the code must be that of the first claim: then the experiment asks for it. */
static bool claims_speak_of(const struct rl_experiment *experiment, const struct rl_quantity *quantity)
{
    if (quantity->is_static)
        return experiment->claim_count > 0 && strcmp(experiment->claims[0].quantity, quantity->id) == 0;
    for (size_t i = 0; i < experiment->claim_count; i++)
        if (strcmp(experiment->claims[i].quantity, quantity->id) == 0)
            return true;
    return false;
}

/* True when every variant that was timed has the quantity, and it is positive. */
static bool complete(struct rl_report *report, const struct rl_view *view, const struct rl_quantity *quantity)
{
    size_t timed = 0;
    for (size_t i = 0; i < view->count; i++) {
        struct rl_value value = quantity->value(report, view, i);
        if (!rl_present(rl_view_time(report, view, i)))
            continue;
        timed++;
        if (!rl_present(value) || value.v <= 0)
            return false;
    }
    return timed > 0;
}

static const struct rl_quantity *choose_quantity(struct rl_report *report, const struct rl_view *view)
{
    for (size_t q = 0; q < RL_COUNT(quantities); q++)
        if (claims_speak_of(view->experiment, &quantities[q]) && complete(report, view, &quantities[q]))
            return &quantities[q];
    return complete(report, view, &quantities[BANDWIDTH]) ? &quantities[BANDWIDTH] : &quantities[TIME];
}

static bool alike(struct rl_value a, struct rl_value b)
{
    if (!rl_present(a) || !rl_present(b))
        return rl_present(a) == rl_present(b);
    return fabs(a.v - b.v) <= 0.01 * fmax(fabs(a.v), fabs(b.v));
}

/* Times can be compared when the variants do the same: as many operations or at least as many bytes. Variants with unknown work may
 * be other functions altogether. */
static bool same_work(const struct rl_report *report, const struct rl_view *view)
{
    const struct rl_variant *a = rl_view_variant(report, view, 0);
    for (size_t i = 1; i < view->count; i++) {
        const struct rl_variant *b = rl_view_variant(report, view, i);
        if (a->size != b->size || !rl_present(a->model_flop) || !alike(a->model_flop, b->model_flop) ||
            !alike(a->model_bytes, b->model_bytes))
            return false;
    }
    return true;
}

/* Bandwidths can be compared when the variants do the same with each byte. */
static bool same_intensity(const struct rl_report *report, const struct rl_view *view)
{
    const struct rl_variant *a = rl_view_variant(report, view, 0);
    struct rl_value first = rl_value_div(a->model_flop, a->useful_bytes, "no bytes");
    for (size_t i = 1; i < view->count; i++) {
        const struct rl_variant *b = rl_view_variant(report, view, i);
        if (!alike(first, rl_value_div(b->model_flop, b->useful_bytes, "no bytes")))
            return false;
    }
    return true;
}

static bool comparable(const struct rl_report *report, const struct rl_view *view)
{
    if (view->count > 0 && view->entries[0].run && rl_is_of_self_check(report->capture, view->entries[0].run->variant))
        return false; /* each kernel has another thing to be counted */
    if (view->quantity == &quantities[PER_OPERATION] || view->quantity->is_static)
        return true;
    return view->quantity == &quantities[BANDWIDTH] ? same_intensity(report, view) : same_work(report, view);
}

struct rl_view_figure rl_view_figure(struct rl_report *report, const struct rl_view *view, size_t i)
{
    assert(i < view->count);
    const struct rl_stats *time = view->entries[i].duration;
    struct rl_view_figure figure = {view->quantity->value(report, view, i), NAN, NAN};
    if (!rl_present(figure.value) || view->quantity->is_static || !time->has_interval || time->low <= 0)
        return figure;
    bool rate = view->quantity->more_is_better; /* work over time: the interval turns round */
    figure.low = figure.value.v * (rate ? time->median / time->high : time->low / time->median);
    figure.high = figure.value.v * (rate ? time->median / time->low : time->high / time->median);
    return figure;
}

/* The greater, the better. */
static struct rl_value merit(struct rl_report *report, const struct rl_view *view, size_t i)
{
    const struct rl_value value = view->quantity->value(report, view, i);
    return view->quantity->more_is_better || !rl_present(value) ? value : rl_value_of(-value.v);
}

static void rank(struct rl_report *report, struct rl_view *view)
{
    size_t best = RL_NONE, worst = RL_NONE, known = 0;
    for (size_t i = 0; i < view->count; i++) {
        struct rl_value value = merit(report, view, i);
        if (!rl_present(value))
            continue;
        known++;
        best = best == RL_NONE || value.v > merit(report, view, best).v ? i : best;
        worst = worst == RL_NONE || value.v <= merit(report, view, worst).v ? i : worst; /* of equals the last one */
    }
    view->best = known > 1 ? best : RL_NONE;
    view->worst = known > 1 ? worst : RL_NONE;
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
    size_t first = 0, high = entries->count;
    while (first < high) {
        const size_t middle = first + (high - first) / 2;
        if (rl_entry_experiment(report, &entries->at[middle]) < key.experiment)
            first = middle + 1;
        else
            high = middle;
    }
    struct rl_view view = {.key = key, .experiment = &report->capture->experiments[key.experiment], .entries = entries->at + first};
    while (first + view.count < entries->count && rl_entry_experiment(report, &view.entries[view.count]) == key.experiment)
        view.count++;
    view.quantity = choose_quantity(report, &view);
    view.comparable = comparable(report, &view);
    rank(report, &view);
    return view;
}
