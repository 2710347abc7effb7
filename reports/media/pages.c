/* pages.c - what the pages of a report are about, and where they are (see page.h and pages.def). */
#include "kernels.h"

bool rl_report_is_full(const struct rl_report *report)
{
    return report->doc->options->full || report->doc->options->only;
}

bool rl_report_is_of_suite(const struct rl_report *report)
{
    const struct rl_capture *capture = report->capture;
    return capture->experiment_count > 0 && !rl_is_program(capture) && capture->kernel_count > RL_REPORT_TOP &&
           !report->doc->options->top && !rl_report_is_full(report);
}

/* ---- when they are shown ---- */

size_t rl_page_when_measured(const struct rl_document *doc)
{
    const struct rl_report *report = doc->subject;
    for (size_t i = 0; i < report->capture->variant_count; i++)
        if (report->capture->variants[i].duration_count > 0) /* runs timed as wholes may have no kernel */
            return 1;
    return report->capture->kernel_count > 0;
}

bool rl_page_gpu_has_kernels(const struct rl_document *doc, size_t gpu)
{
    const struct rl_report *report = doc->subject;
    const size_t *at;
    return rl_group(&report->analysis->index.kernels_of_gpu, gpu, &at) > 0;
}

bool rl_page_gpu_was_measured(const struct rl_document *doc, size_t gpu)
{
    const struct rl_report *report = doc->subject;
    const size_t *at;
    return rl_page_gpu_has_kernels(doc, gpu) || rl_group(&report->analysis->index.variants_of_gpu, gpu, &at) > 0;
}

bool rl_page_hides_gpu(const struct rl_report *report, size_t gpu)
{
    assert(gpu < report->capture->gpu_count);
    return report->hidden && report->hidden[gpu];
}

/* ---- what they are about ---- */

RL_COMPARATOR(by_gpu, struct rl_experiment_key, rl_ascending(x->gpu, y->gpu) ?: rl_ascending(x->experiment, y->experiment));

void rl_experiments_find(struct rl_report *report)
{
    const struct rl_capture *capture = report->capture;
    const size_t *at = report->analysis->index.variants_of_experiment.at;

    report->experiments = rl_arena_alloc(report->doc->arena, (capture->variant_count + 1) * sizeof *report->experiments);
    for (size_t i = 0; i < capture->variant_count; i++) {
        const struct rl_experiment_key key = {capture->variants[at[i]].experiment, capture->variants[at[i]].gpu};
        if (i == 0 || by_gpu(&report->experiments[report->experiment_count - 1], &key) != 0)
            report->experiments[report->experiment_count++] = key;
    }
    rl_sort(report->experiments, report->experiment_count, sizeof *report->experiments, by_gpu);
}

struct rl_experiment_key rl_experiment_key_of(const struct rl_report *report, size_t instance)
{
    assert(instance < report->experiment_count);
    return report->experiments[instance];
}

/* How many of the pages about experiments are of GPUs below this one. */
static size_t experiments_below(const struct rl_report *report, size_t gpu)
{
    return RL_FIRST_FROM(report->experiments, report->experiment_count, gpu, gpu);
}

size_t rl_experiments_on(const struct rl_report *report, size_t gpu, size_t *first)
{
    *first = experiments_below(report, gpu);
    return experiments_below(report, gpu + 1) - *first;
}

size_t rl_page_gpu(const struct rl_report *report, enum rl_page_id id, size_t instance)
{
    assert(id < RL_PAGE_COUNT);
    if (id == RL_PAGE_experiment)
        return rl_experiment_key_of(report, instance).gpu;
    return instance < report->pages[id].gpu_count ? report->pages[id].gpus[instance] : 0;
}

bool rl_page_covers_gpu(const struct rl_report *report, size_t gpu, size_t other)
{
    assert(other < report->capture->gpu_count);
    return report->subject->represented ? report->subject->represented[other] == gpu : other == gpu;
}

/* ---- where they are ---- */

RL_COMPARATOR(compare_gpus, size_t, rl_ascending(*x, *y));

size_t rl_experiment_target(const struct rl_report *report, size_t experiment, size_t gpu)
{
    const struct rl_experiment_key key = {experiment, gpu};
    const struct rl_experiment_key *found =
        report->experiment_count ? bsearch(&key, report->experiments, report->experiment_count, sizeof key, by_gpu) : NULL;
    return found ? rl_document_target(report->doc, RL_PAGE_experiment, (size_t)(found - report->experiments)) : RL_NO_TARGET;
}

size_t rl_gpu_target(const struct rl_report *report, enum rl_page_id id, size_t gpu)
{
    assert(id < RL_PAGE_COUNT);
    const struct rl_page_list *list = &report->pages[id];
    size_t first;
    if (id == RL_PAGE_experiment)
        return rl_experiments_on(report, gpu, &first) ? rl_document_target(report->doc, id, first) : RL_NO_TARGET;
    const size_t *found = list->gpu_count ? bsearch(&gpu, list->gpus, list->gpu_count, sizeof gpu, compare_gpus) : NULL;
    return found ? rl_document_target(report->doc, id, (size_t)(found - list->gpus)) : RL_NO_TARGET;
}

size_t rl_metric_target(const struct rl_report *report, enum rl_metric metric)
{
    assert(metric < RL_METRIC_COUNT);
    return report->metric_targets ? report->metric_targets[metric] : RL_NO_TARGET;
}

size_t rl_name_target(const struct rl_report *report, size_t kernel)
{
    assert(kernel < report->capture->kernel_count);
    return report->name_targets ? report->name_targets[kernel] : RL_NO_TARGET;
}

size_t rl_card_rule_target(const struct rl_report *report, enum rl_rule rule)
{
    static const struct {
        enum rl_rule rule;
        enum rl_page_id page;
    } rows[] = {{RL_RULE_gpu_idle, RL_PAGE_program},    {RL_RULE_pageable_copies, RL_PAGE_program},
                {RL_RULE_gap_host, RL_PAGE_timeline},   {RL_RULE_gap_wait, RL_PAGE_timeline},
                {RL_RULE_gap_launch, RL_PAGE_timeline}, {RL_RULE_gap_copy, RL_PAGE_timeline}};
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        if (rows[i].rule == rule)
            return rl_page_target(report, rows[i].page);
    return rl_page_target(report, RL_PAGE_device);
}

size_t rl_page_target(const struct rl_report *report, enum rl_page_id id)
{
    return rl_document_target(report->doc, id, 0);
}
