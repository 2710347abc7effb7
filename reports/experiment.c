/* experiment.c - the variants of an experiment on a GPU and their values (see experiment.h). */
#include "experiment.h"

#include <math.h>
#include <string.h>

struct rl_value rl_view_time(struct rl_report *report, const struct rl_view *view, size_t i)
{
    if (view->results[i])
        return rl_words_time(view->results[i]);
    const struct rl_variant *variant = rl_view_variant(report, view, i);
    if (variant->status == RL_VARIANT_DONE)
        return rl_value_missing(RL_NOT_COLLECTED, "no kernel was seen");
    return rl_value_missing(RL_NOT_COLLECTED,
                            rl_words(report, "%s: %s", rl_variant_status_name(variant->status),
                                     variant->reason ? rl_words_short(report, variant->reason, 120) : "no reason given"));
}

struct rl_value rl_view_bandwidth(struct rl_report *report, const struct rl_view *view, size_t i)
{
    struct rl_value time = rl_view_time(report, view, i);
    return rl_present(time) ? view->results[i]->useful_bytes_per_second : time;
}

struct rl_value rl_view_registers(struct rl_report *report, const struct rl_view *view, size_t i)
{
    const struct rl_kernel *kernel = rl_view_kernel(report, view, i);
    return kernel ? kernel->registers_per_thread : rl_view_time(report, view, i);
}

struct rl_value rl_view_metric(struct rl_report *report, const struct rl_view *view, size_t i, enum rl_metric metric)
{
    return view->results[i] ? rl_words_metric(report, view->results[i], metric) : rl_view_time(report, view, i);
}

const struct rl_variant *rl_view_variant(const struct rl_report *report, const struct rl_view *view, size_t i)
{
    return &report->capture->variants[view->variants[i]];
}

const struct rl_kernel *rl_view_kernel(const struct rl_report *report, const struct rl_view *view, size_t i)
{
    return view->results[i] ? &report->capture->kernels[view->results[i]->kernel] : NULL;
}

struct rl_view_figure rl_view_figure(struct rl_report *report, const struct rl_view *view, size_t i)
{
    struct rl_view_figure figure = {view->bandwidth ? rl_view_bandwidth(report, view, i) : rl_view_time(report, view, i), NAN, NAN};
    if (!rl_present(figure.value) || !view->results[i]->duration.has_interval)
        return figure;
    const struct rl_stats *time = &view->results[i]->duration;
    bool rate = view->bandwidth;
    if (rate && time->low <= 0)
        return figure;
    figure.low = rate ? figure.value.v * time->median / time->high : time->low;
    figure.high = rate ? figure.value.v * time->median / time->low : time->high;
    return figure;
}

static bool claims_speak_of(const struct rl_experiment *experiment, const char *quantity)
{
    for (size_t i = 0; i < experiment->claim_count; i++)
        if (strcmp(experiment->claims[i].quantity, quantity) == 0)
            return true;
    return false;
}

static bool judged_by_bandwidth(struct rl_report *report, const struct rl_view *view)
{
    size_t timed = 0;
    if (claims_speak_of(view->experiment, "time_s") && !claims_speak_of(view->experiment, "useful_bytes_per_second"))
        return false;
    for (size_t i = 0; i < view->count; i++) {
        if (!rl_present(rl_view_time(report, view, i)))
            continue;
        timed++;
        struct rl_value rate = rl_view_bandwidth(report, view, i);
        if (!rl_present(rate) || rate.v <= 0)
            return false;
    }
    return timed > 0;
}

static bool alike(struct rl_value a, struct rl_value b)
{
    if (!rl_present(a) || !rl_present(b))
        return rl_present(a) == rl_present(b);
    return fabs(a.v - b.v) <= 0.01 * fmax(fabs(a.v), fabs(b.v));
}

static bool same_work(const struct rl_report *report, const struct rl_view *view)
{
    for (size_t i = 1; i < view->count; i++) {
        const struct rl_variant *a = rl_view_variant(report, view, 0), *b = rl_view_variant(report, view, i);
        if (a->size != b->size || !alike(a->model_flop, b->model_flop) || !alike(a->useful_bytes, b->useful_bytes))
            return false;
    }
    return true;
}

static void rank(struct rl_report *report, struct rl_view *view)
{
    size_t best = RL_NONE, worst = RL_NONE;
    for (size_t i = 0; i < view->count; i++) {
        double v = rl_view_figure(report, view, i).value.v * (view->bandwidth ? 1 : -1);
        if (!rl_present(rl_view_figure(report, view, i).value))
            continue;
        double sign = view->bandwidth ? 1 : -1;
        best = best == RL_NONE || v > sign * rl_view_figure(report, view, best).value.v ? i : best;
        worst = worst == RL_NONE || v < sign * rl_view_figure(report, view, worst).value.v ? i : worst;
    }
    view->best = best == worst ? RL_NONE : best;
    view->worst = best == worst ? RL_NONE : worst;
}

struct rl_view rl_view_of(struct rl_report *report, const struct rl_section *section)
{
    const struct rl_capture *capture = report->capture;
    struct rl_view view = {.key = rl_experiment_key_of(report, section->instance)};
    view.experiment = &capture->experiments[view.key.experiment];
    view.variants = rl_arena_alloc(report->arena, (capture->variant_count + 1) * sizeof *view.variants);
    view.results = rl_arena_alloc(report->arena, (capture->variant_count + 1) * sizeof *view.results);
    for (size_t i = 0; i < capture->variant_count; i++) {
        if (capture->variants[i].experiment != view.key.experiment || capture->variants[i].gpu != view.key.gpu)
            continue;
        view.variants[view.count] = i;
        view.results[view.count++] = rl_analysis_of_variant(report->analysis, i);
    }
    view.bandwidth = judged_by_bandwidth(report, &view);
    view.comparable = view.bandwidth || same_work(report, &view);
    rank(report, &view);
    return view;
}
