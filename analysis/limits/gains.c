/* gains.c - predictions of rules, compared with measurements (see actions.h). */
#include "analysis/actions.h"

#include "internal.h"

struct records {
    struct rl_gain_record *at;
    size_t count, cap;
};

static size_t find_variant(const struct rl_capture *capture, size_t experiment, size_t gpu, const char *name)
{
    for (size_t i = 0; i < capture->variant_count; i++) {
        const struct rl_variant *variant = &capture->variants[i];
        if (variant->experiment == experiment && variant->gpu == gpu && strcmp(variant->name, name) == 0)
            return i;
    }
    return RL_NONE;
}

static bool is_timed(const struct rl_analysis *analysis, size_t variant)
{
    return variant != RL_NONE && !analysis->variants[variant].why_not && rl_present(analysis->variants[variant].time_s);
}

/* The first finding of the rule about a launch of the variant; `*kernel`: that launch. NULL: there is none. */
static const struct rl_finding *finding_of(const struct rl_analysis *analysis, size_t variant, enum rl_rule rule, size_t *kernel)
{
    const size_t *kernels, count = rl_group(&analysis->index.kernels_of_variant, variant, &kernels);
    for (size_t i = 0; i < count; i++) {
        const struct rl_kernel_result *result = &analysis->kernels[kernels[i]];
        for (size_t f = 0; f < result->finding_count; f++)
            if (result->findings[f].rule == rule) {
                *kernel = kernels[i];
                return &result->findings[f];
            }
    }
    return NULL;
}

/* Whether the rule could look at every launch of the variant and has nothing to say. */
static bool is_content(const struct rl_analysis *analysis, size_t variant, enum rl_rule rule)
{
    const size_t *kernels, count = rl_group(&analysis->index.kernels_of_variant, variant, &kernels);
    return !RL_ANY(i, count, analysis->kernels[kernels[i]].judgement[rule].verdict != RL_RULE_SILENT) && count > 0;
}

/* The gain of the run, when one of its launches gains that much. */
static struct rl_value gain_of_run(const struct rl_analysis *analysis, size_t variant, size_t kernel, struct rl_value gain)
{
    const size_t *kernels, count = rl_group(&analysis->index.kernels_of_variant, variant, &kernels);
    const struct rl_stats *own = &analysis->kernels[kernel].duration;
    if (!rl_present(gain) || count < 2)
        return gain;
    const double all =
        RL_SUM(double, i, count, analysis->kernels[kernels[i]].duration.n ? analysis->kernels[kernels[i]].duration.median : 0);
    const double saved = own->n ? own->median * (1 - 1 / gain.v) : 0;
    return saved < all ? rl_value_of(all / (all - saved)) : rl_value_missing(RL_UNDEFINED, "no duration");
}

/* The gain that is left to the faster variant where the rule's advice was followed: 1 where the rule has nothing to say of it any
 * more; missing where what the rule looks at is no better than before. */
static struct rl_value gain_left(const struct rl_analysis *analysis, size_t variant, enum rl_rule rule, struct rl_value before)
{
    const struct rl_value not_followed = rl_value_missing(RL_UNDEFINED, "not followed");
    size_t kernel;
    if (is_content(analysis, variant, rule))
        return rl_value_of(1);
    const struct rl_finding *finding = finding_of(analysis, variant, rule, &kernel);
    if (!finding)
        return not_followed;
    const struct rl_value after = analysis->kernels[kernel].judgement[rule].value;
    const bool better =
        rl_rules[rule].relation == RL_ABOVE ? after.v * RL_LEAST_GAIN < before.v : after.v > before.v * RL_LEAST_GAIN;
    return better ? gain_of_run(analysis, variant, kernel, finding->gain) : not_followed;
}

static void add(struct records *records, const struct rl_analysis *analysis, struct rl_gain_record record)
{
    const struct rl_ratio ratio = rl_variant_ratio(&analysis->variants[record.broken], &analysis->variants[record.mended]);
    /* How many times as much the broken variant does as the fixed one: operations, without any the bytes that were asked for. */
    const struct rl_variant *broken = &analysis->capture->variants[record.broken],
                            *mended = &analysis->capture->variants[record.mended];
    const struct {
        struct rl_value broken, mended;
    } works[] = {{broken->model_flop, mended->model_flop}, {broken->useful_bytes, mended->useful_bytes}};
    const size_t at =
        RL_FIRST(i, RL_COUNT(works),
                 rl_present(works[i].broken) && rl_present(works[i].mended) && works[i].broken.v > 0 && works[i].mended.v > 0);
    const double work = at < RL_COUNT(works) ? works[at].broken.v / works[at].mended.v : 1;
    record.measured = rl_value_div(analysis->variants[record.broken].time_s, analysis->variants[record.mended].time_s, "no time");
    record.measured = rl_value_div(record.measured, rl_value_of(work), "no work");
    record.low = record.high = rl_value_missing(RL_UNDEFINED, "too few samples for an interval");
    if (ratio.has_interval) {
        record.low = rl_value_of(ratio.low / work);
        record.high = rl_value_of(ratio.high / work);
    }
    record.error = rl_value_sub(rl_value_div(record.predicted, record.measured, "no time"), rl_value_of(1));
    RL_APPEND(records->at, records->count, records->cap, record);
}

/* Time that copies of a run take, and what they take longer than at the measured rates of the link; missing without copies. */
static struct rl_value copy_excess(const struct rl_analysis *analysis, size_t variant, double *seconds)
{
    const struct rl_variant *run = &analysis->capture->variants[variant];
    struct rl_value excess = rl_value_missing(RL_UNDEFINED, "no copies");
    *seconds = 0;
    for (size_t i = 0; i < run->event_count; i++) {
        const struct rl_event *event = &run->events[i];
        const double took_s = 1e-9 * (double)(event->end_ns - event->start_ns);
        if (event->kind != RL_EVENT_COPY_TO_DEVICE && event->kind != RL_EVENT_COPY_TO_HOST)
            continue;
        const struct rl_value more =
            rl_copy_excess_s(&analysis->gpus[run->gpu], event->kind == RL_EVENT_COPY_TO_DEVICE, (double)event->bytes, took_s);
        excess = *seconds > 0 ? rl_value_add(excess, more) : more;
        *seconds += took_s;
    }
    return excess;
}

/* Copies at less than half of the link's rate are of pageable memory; faster ones are not. */
static size_t add_copies(struct records *records, const struct rl_analysis *analysis, struct rl_gain_record pair)
{
    double broken_s, mended_s;
    const struct rl_value broken = copy_excess(analysis, pair.broken, &broken_s),
                          mended = copy_excess(analysis, pair.mended, &mended_s), time = analysis->variants[pair.broken].time_s;
    if (!rl_present(broken) || !rl_present(mended) || broken.v < 0.5 * broken_s || mended.v >= 0.5 * mended_s)
        return 0;
    pair.rule = RL_RULE_pageable_copies;
    pair.predicted = rl_value_div(time, rl_value_sub(time, broken), "no time is left");
    add(records, analysis, pair);
    return 1;
}

/* The rules whose advice the fixed variant follows. */
static void add_pair(struct records *records, const struct rl_analysis *analysis, struct rl_gain_record pair)
{
    size_t found = add_copies(records, analysis, pair), kernel;
    for (size_t rule = 0; rule < RL_RULE_COUNT; rule++) {
        if (rl_rules[rule].subject != RL_OF_LAUNCH || !rl_rules[rule].gain)
            continue;
        const struct rl_finding *finding = finding_of(analysis, pair.broken, (enum rl_rule)rule, &kernel);
        if (!finding)
            continue;
        const struct rl_value before = analysis->kernels[kernel].judgement[rule].value,
                              left = gain_left(analysis, pair.mended, (enum rl_rule)rule, before);
        if (!rl_present(left))
            continue;
        pair.rule = (enum rl_rule)rule;
        pair.predicted = rl_value_div(gain_of_run(analysis, pair.broken, kernel, finding->gain), left, "no gain");
        add(records, analysis, pair);
        found++;
    }
    if (found > 0)
        return;
    pair.rule = RL_RULE_COUNT;
    pair.predicted = rl_value_missing(RL_UNDEFINED, "no rule with a gain applies to one and not to the other");
    add(records, analysis, pair);
}

size_t rl_gain_records(const struct rl_analysis *analysis, struct rl_gain_record **records)
{
    struct records all = {0};
    for (size_t e = 0; e < analysis->capture->experiment_count; e++)
        for (size_t gpu = 0; gpu < analysis->capture->gpu_count; gpu++) {
            const struct rl_capture *capture = analysis->capture;
            for (size_t i = 0; i < capture->experiments[e].pair_count; i++) {
                const struct rl_variant_pair *pair = &capture->experiments[e].pairs[i];
                const struct rl_gain_record record = {
                    .experiment = e,
                    .gpu = gpu,
                    .broken = find_variant(capture, e, gpu, pair->broken),
                    .mended = find_variant(capture, e, gpu, pair->mended),
                };
                if (is_timed(analysis, record.broken) && is_timed(analysis, record.mended))
                    add_pair(&all, analysis, record);
            }
        }
    *records = all.at;
    return all.count;
}

size_t rl_gain_predictions(const struct rl_gain_record *records, size_t count)
{
    return RL_SUM(size_t, i, count, rl_present(records[i].error));
}

struct rl_value rl_gain_median_error(const struct rl_gain_record *records, size_t count, enum rl_rule rule)
{
    RL_FREED double *sizes = rl_calloc(count, sizeof *sizes);
    size_t known = 0;
    for (size_t i = 0; i < count; i++)
        if (rl_present(records[i].error) && (rule == RL_RULE_COUNT || records[i].rule == rule))
            sizes[known++] = fabs(records[i].error.v);
    const struct rl_stats stats = rl_stats_of(sizes, known);
    return known ? rl_value_of(stats.median) : rl_value_missing(RL_UNDEFINED, "nothing was predicted");
}
