/* checklist.c - the items of checklist.def for kernels and sessions (see checklist.h). */
#include "analysis/checklist.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/mem.h"

const struct rl_check_info rl_checks[RL_CHECK_COUNT] = {
#define CHECK(id_, ...) [RL_CHECK_##id_] = {.id = #id_, __VA_ARGS__},
#include "analysis/checklist.def"
#undef CHECK
};

enum rl_rule rl_check_rule(enum rl_check_id id)
{
    size_t rule = 0;
    assert(id < RL_CHECK_COUNT);
    if (rl_checks[id].kind != RL_CHECK_RULE)
        return RL_RULE_COUNT;
    while (rule < RL_RULE_COUNT && strcmp(rl_rules[rule].id, rl_checks[id].by) != 0)
        rule++;
    return (enum rl_rule)rule;
}

const char *rl_check_state_name(enum rl_check_state state)
{
    static const char *const names[] = {
        [RL_CHECK_NOT_MEASURED] = "not measured", [RL_CHECK_GOOD] = "good", [RL_CHECK_ATTENTION] = "attention"};
    assert((size_t)state < RL_COUNT(names));
    return names[state];
}

/* ---- one kernel ---- */

static struct rl_value gain_of(const struct rl_kernel_result *kernel, enum rl_rule rule)
{
    for (size_t i = 0; i < kernel->finding_count; i++)
        if (kernel->findings[i].rule == rule)
            return kernel->findings[i].gain;
    return rl_value_missing(RL_UNDEFINED, "nothing to gain");
}

static const enum rl_check_state states[] = {
    [RL_NOT_JUDGED] = RL_CHECK_NOT_MEASURED, [RL_RULE_SILENT] = RL_CHECK_GOOD, [RL_RULE_SPOKE] = RL_CHECK_ATTENTION};

static bool is_of_card(enum rl_rule rule)
{
    return rule != RL_RULE_COUNT && rl_rules[rule].subject == RL_OF_CARD;
}

struct rl_check rl_check_of_rule(const struct rl_kernel_result *kernel, enum rl_rule rule)
{
    const struct rl_judgement *judgement = &kernel->judgement[rule];
    assert(rule < RL_RULE_COUNT && rl_rules[rule].subject == RL_OF_LAUNCH); /* checklist.def: tested */
    return (struct rl_check){states[judgement->verdict], judgement->value, gain_of(kernel, rule)};
}

/* What launches of different work have taken away was counted: that is no gap, and can be mended. */
static struct rl_check check_known(const struct rl_kernel_result *kernel, const char *by)
{
    const enum rl_metric metric = rl_metric_find(by);
    const struct rl_value value = metric == RL_METRIC_COUNT ? kernel->roof_share : kernel->metric[metric];
    const enum rl_check_state without = rl_value_state(value) == RL_DISAGREES ? RL_CHECK_ATTENTION : RL_CHECK_NOT_MEASURED;
    return (struct rl_check){rl_present(value) ? RL_CHECK_GOOD : without, value, rl_value_missing(RL_UNDEFINED, "nothing to gain")};
}

struct rl_check rl_check_kernel(const struct rl_analysis *analysis, size_t kernel, enum rl_check_id id)
{
    const struct rl_check_info *info = &rl_checks[id];
    const struct rl_value why =
        rl_value_missing(RL_NOT_COLLECTED, info->kind == RL_CHECK_RULE ? "not of a kernel by itself" : info->why_not);
    assert(kernel < analysis->capture->kernel_count);
    if (info->kind == RL_CHECK_RULE && !is_of_card(rl_check_rule(id)))
        return rl_check_of_rule(&analysis->kernels[kernel], rl_check_rule(id));
    if (info->kind == RL_CHECK_KNOWN)
        return check_known(&analysis->kernels[kernel], info->by);
    return (struct rl_check){RL_CHECK_NOT_MEASURED, why, why};
}

/* ---- all kernels of a GPU ---- */

/* How far a value is beyond its threshold, as a factor. */
static double distance(const struct rl_check *check, enum rl_rule rule)
{
    const struct rl_rule_info *info = &rl_rules[rule];
    const double value = fmax(fabs(check->value.v), 1e-300), threshold = fmax(fabs(info->threshold), 1e-300);
    return info->relation == RL_ABOVE ? value / threshold : threshold / value;
}

bool rl_check_outweighs(enum rl_rule rule, const struct rl_check *a, const struct rl_check *b)
{
    if (rl_present(a->gain) != rl_present(b->gain))
        return rl_present(a->gain);
    if (rl_present(a->gain) && a->gain.v != b->gain.v)
        return a->gain.v > b->gain.v;
    if (rule == RL_RULE_COUNT)
        return false;
    return distance(a, rule) > distance(b, rule);
}

static void take_in(struct rl_check_summary *summary, const struct rl_check *check, size_t kernel, enum rl_rule rule)
{
    summary->good += check->state == RL_CHECK_GOOD;
    summary->attention += check->state == RL_CHECK_ATTENTION;
    summary->not_measured += check->state == RL_CHECK_NOT_MEASURED;
    if (check->state == RL_CHECK_NOT_MEASURED && summary->not_measured == 1 && summary->foremost == RL_NONE)
        summary->value = check->value;
    const struct rl_check foremost = {RL_CHECK_ATTENTION, summary->value, summary->gain};
    if (check->state != RL_CHECK_ATTENTION || (summary->foremost != RL_NONE && !rl_check_outweighs(rule, check, &foremost)))
        return;
    summary->foremost = kernel;
    summary->value = check->value;
    summary->gain = check->gain;
}

static struct rl_check_summary check_card(const struct rl_analysis *analysis, size_t gpu, enum rl_rule rule)
{
    const struct rl_judgement *judgement = &analysis->gpus[gpu].judgement[rule];
    struct rl_check_summary summary = {.state = states[judgement->verdict], .foremost = RL_NONE, .value = judgement->value};
    const struct rl_finding *finding;
    summary.gain = rl_value_missing(RL_UNDEFINED, "nothing to gain");
    for (size_t i = 0; (finding = rl_finding_about(analysis, gpu, i)); i++)
        if (finding->rule == rule && finding->gpu == gpu)
            summary.gain = finding->gain;
    return summary;
}

struct rl_check_summary rl_check_session(const struct rl_analysis *analysis, size_t gpu, enum rl_check_id id)
{
    assert(id < RL_CHECK_COUNT && gpu < analysis->capture->gpu_count);
    const struct rl_value none = rl_value_missing(RL_NOT_COLLECTED, rl_checks[id].why_not[0] ? rl_checks[id].why_not : NULL);
    struct rl_check_summary summary = {.foremost = RL_NONE, .value = none, .gain = none};
    const enum rl_rule rule = rl_check_rule(id);
    if (is_of_card(rule))
        return check_card(analysis, gpu, rule);
    const size_t *kernels, count = rl_group(&analysis->index.kernels_of_gpu, gpu, &kernels);
    for (size_t i = 0; i < count; i++) {
        if (rl_measures_card(analysis->capture, analysis->capture->kernels[kernels[i]].variant))
            continue;
        const struct rl_check check = rule == RL_RULE_COUNT ? rl_check_kernel(analysis, kernels[i], id)
                                                            : rl_check_of_rule(&analysis->kernels[kernels[i]], rule);
        take_in(&summary, &check, kernels[i], rule);
    }
    summary.state = summary.attention > 0 ? RL_CHECK_ATTENTION : summary.good > 0 ? RL_CHECK_GOOD : RL_CHECK_NOT_MEASURED;
    return summary;
}
