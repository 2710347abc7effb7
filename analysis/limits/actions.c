/* actions.c - what to do first, and what limits the GPU time as a whole (see actions.h). */
#include "analysis/actions.h"

#include "analysis/timeline.h"
#include "core/kernel_names.h"

static bool is_on(const struct rl_family *family, size_t gpu)
{
    return gpu == RL_NONE || family->gpu == gpu;
}

size_t rl_family_limiter(const struct rl_analysis *analysis, const struct rl_family *family)
{
    const struct rl_kernel_result *result = &analysis->kernels[family->kernel];

    if (family->figures)
        return rl_limiter_of(family->figures->limiter, family->figures->bound);
    return rl_kernel_limiter(result);
}

const char *rl_family_limited_by(const struct rl_analysis *analysis, const struct rl_family *family)
{
    const struct rl_kernel_result *result = &analysis->kernels[family->kernel];

    return family->figures ? family->figures->mostly : rl_kernel_limited_by(result);
}

RL_COMPARATOR(by_time, struct rl_limiter_time, rl_descending(x->gpu_s, y->gpu_s) ?: rl_ascending(x->limiter, y->limiter));

struct rl_time_by_limiter rl_time_by_limiter_of(const struct rl_analysis *analysis, const struct rl_families *families, size_t gpu)
{
    struct rl_time_by_limiter time = {.total_s = 0};
    double of_s[RL_LIMITER_COUNT] = {0};

    for (size_t i = 0; i < families->count; i++) {
        const struct rl_family *family = &families->at[i];
        if (!is_on(family, gpu))
            continue;
        for (size_t k = 0; family->figures && k < family->figures->limiter_count; k++)
            of_s[family->figures->limiters[k].limiter] += family->figures->limiters[k].gpu_s;
        if (!family->figures)
            of_s[rl_family_limiter(analysis, family)] += family->gpu_s;
        time.total_s += family->gpu_s;
    }
    for (size_t i = 0; i < RL_LIMITER_COUNT; i++)
        if (of_s[i] > 0)
            time.of[time.count++] = (struct rl_limiter_time){i, of_s[i]};
    rl_sort(time.of, time.count, sizeof *time.of, by_time);
    return time;
}

static struct rl_library_time *entry_of(struct rl_library_time *libraries, size_t *count, const char *library)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp(libraries[i].library, library) == 0)
            return &libraries[i];
    if (*count == RL_MOST_LIBRARIES)
        return NULL;
    libraries[*count] = (struct rl_library_time){.library = library};
    return &libraries[(*count)++];
}

RL_COMPARATOR(longest_first, struct rl_library_time, rl_descending(x->gpu_s, y->gpu_s) ?: strcmp(x->library, y->library));

size_t rl_time_by_library_of(const struct rl_analysis *analysis, const struct rl_families *families, size_t gpu,
                             struct rl_library_time libraries[RL_MOST_LIBRARIES])
{
    size_t count = 0;
    double total_s = 0;

    for (size_t i = 0; i < families->count; i++) {
        const struct rl_family *family = &families->at[i];
        if (!is_on(family, gpu))
            continue;
        const char *library = rl_library_of_name(analysis->capture->kernels[family->kernel].name);
        struct rl_library_time *entry = library ? entry_of(libraries, &count, library) : NULL;
        if (entry)
            entry->gpu_s += family->gpu_s;
        total_s += family->gpu_s;
    }
    for (size_t i = 0; i < count; i++)
        libraries[i].share = total_s > 0 ? libraries[i].gpu_s / total_s : 0;
    rl_sort(libraries, count, sizeof *libraries, longest_first);
    return count;
}

bool rl_run_time_of(const struct rl_program_gpu *gpu, struct rl_run_time *time)
{
    assert(gpu && time);
    if (!rl_present(gpu->idle) || gpu->span_s <= 0 || gpu->kernel_s > gpu->busy_s)
        return false;
    *time = (struct rl_run_time){gpu->kernel_s, gpu->busy_s - gpu->kernel_s, fmax(gpu->span_s - gpu->busy_s, 0)};
    return true;
}

static bool advises(const struct rl_finding *finding)
{
    return !rl_rules[finding->rule].no_advice && !finding->worthless && finding->rule != RL_RULE_below_roof;
}

bool rl_advises_on_suite(const struct rl_capture *capture, const struct rl_ranked_finding *found)
{
    return found->kernel != RL_NONE && capture->kernels[found->kernel].variant != RL_NONE &&
           !rl_rules[found->finding->rule].no_advice;
}

static bool is_about_gaps(const struct rl_finding *finding)
{
    return finding->rule == RL_RULE_gap_host || finding->rule == RL_RULE_gap_wait || finding->rule == RL_RULE_gap_launch ||
           finding->rule == RL_RULE_gap_copy;
}

bool rl_is_explained(const struct rl_families *families, const struct rl_ranked_finding *ranked, size_t count,
                     const struct rl_finding *finding)
{
    for (size_t i = 0; i < count && finding->rule == RL_RULE_gpu_idle; i++)
        if (is_about_gaps(ranked[i].finding) &&
            rl_families_gpu(families, ranked[i].finding->gpu) == rl_families_gpu(families, finding->gpu))
            return true;
    return false;
}

/* Seconds of which a rule about a GPU speaks: its figure is a share of them. */
static double whole_of_card_s(const struct rl_analysis *analysis, const struct rl_finding *finding)
{
    const struct rl_program_gpu *time = &analysis->gpus[finding->gpu].program;

    if (is_about_gaps(finding))
        return rl_gap_wall_s(analysis, finding->gpu);
    return finding->rule == RL_RULE_gpu_idle ? time->span_s : finding->rule == RL_RULE_pageable_copies ? time->busy_s : 0;
}

/* Adds what a rule about GPUs speaks of on one of them. */
static void weigh_card(const struct rl_analysis *analysis, const struct rl_finding *finding, struct rl_action *action)
{
    const double whole_s = whole_of_card_s(analysis, finding);
    const struct rl_value share = whole_s > 0 ? analysis->gpus[finding->gpu].judgement[finding->rule].value : rl_value_of(0);
    action->concerns_s += rl_present(share) ? whole_s * share.v : 0;
    if (rl_present(finding->gain) && rl_present(action->saving_s))
        action->saving_s.v += analysis->gpus[finding->gpu].program.span_s * (1 - 1 / finding->gain.v);
}

static struct rl_action weighed(const struct rl_analysis *analysis, const struct rl_families *families,
                                const struct rl_ranked_finding *found)
{
    const struct rl_finding *finding = found->finding;
    struct rl_action action = {.found = *found};

    if (found->kernel == RL_NONE) {
        action.saving_s = rl_present(finding->gain) ? rl_value_of(0) : finding->gain;
        for (size_t i = 0; i < analysis->finding_count && finding->gpu != RL_NONE; i++)
            if (rl_findings_are_one(families, finding, &analysis->findings[i]))
                weigh_card(analysis, &analysis->findings[i], &action);
        if (rl_rules[finding->rule].at_most)
            action.saving_s = rl_value_of(action.concerns_s);
    } else {
        action.concerns_s = families->at[families->of_kernel[found->kernel]].gpu_s;
        action.saving_s = finding->gain;
        if (rl_present(finding->gain))
            action.saving_s =
                found->saving_s > 0 ? rl_value_of(found->saving_s) : rl_value_missing(RL_UNDEFINED, "no launch was timed");
    }
    return action;
}

struct rl_value rl_most_saved_s(const struct rl_analysis *analysis, const struct rl_families *families,
                                const struct rl_ranked_finding *found)
{
    return weighed(analysis, families, found).saving_s;
}

static int by_saving(const void *a, const void *b)
{
    const struct rl_action *x = a, *y = b;
    const bool left = rl_present(x->saving_s), right = rl_present(y->saving_s);

    if (left != right)
        return left ? -1 : 1;
    return (left ? rl_descending(x->saving_s.v, y->saving_s.v) : 0) ?: rl_descending(x->concerns_s, y->concerns_s);
}

/* Whether it is worth a line. */
static bool matters(const struct rl_action *action, double total_s)
{
    const double seconds = rl_present(action->saving_s) ? action->saving_s.v : action->concerns_s;

    return seconds > 0 && seconds >= RL_LEAST_SHARE * total_s;
}

/* Whether one of those that come before is of the same kernel, or family. */
static bool is_told(const struct rl_families *families, const struct rl_action *actions, size_t count, const struct rl_action *next)
{
    for (size_t i = 0; i < count && next->found.kernel != RL_NONE; i++)
        if (actions[i].found.kernel != RL_NONE &&
            families->of_kernel[actions[i].found.kernel] == families->of_kernel[next->found.kernel])
            return true;
    return false;
}

static bool is_about(const struct rl_analysis *analysis, const struct rl_families *families, const struct rl_ranked_finding *found,
                     size_t gpu)
{
    const size_t of = found->kernel == RL_NONE ? found->finding->gpu : analysis->capture->kernels[found->kernel].gpu;

    return gpu == RL_NONE || of == RL_NONE || rl_families_gpu(families, of) == gpu;
}

size_t rl_actions_of(const struct rl_analysis *analysis, const struct rl_families *families, size_t gpu, struct rl_action *actions,
                     size_t most)
{
    RL_FREED struct rl_ranked_finding *ranked = NULL;
    const size_t found = rl_findings_rank(analysis, families, &ranked);
    RL_FREED struct rl_action *all = rl_calloc(found + 1, sizeof *all);
    const double total_s = rl_time_by_limiter_of(analysis, families, gpu).total_s;
    size_t candidates = 0, count = 0;

    for (size_t i = 0; i < found; i++) {
        const struct rl_finding *finding = ranked[i].finding;
        if (!advises(finding) || !is_about(analysis, families, &ranked[i], gpu))
            continue;
        if (rl_advises_on_suite(analysis->capture, &ranked[i]) || rl_is_explained(families, ranked, found, finding))
            continue;
        all[candidates++] = weighed(analysis, families, &ranked[i]);
    }
    rl_sort(all, candidates, sizeof *all, by_saving);
    for (size_t i = 0; i < candidates && count < most; i++)
        if (matters(&all[i], total_s) && !is_told(families, actions, count, &all[i]))
            actions[count++] = all[i];
    return count;
}
