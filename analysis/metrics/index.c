#include "internal.h"

/* The index that a member of an element of the capture is. */
#define OF(function, items, member)                                                                                                \
    static size_t function(const void *capture, size_t i)                                                                          \
    {                                                                                                                              \
        return ((const struct rl_capture *)capture)->items[i].member;                                                              \
    }
OF(variant_of_kernel, kernels, variant)
OF(gpu_of_kernel, kernels, gpu)
OF(gpu_of_ceiling, ceilings, gpu)
OF(gpu_of_transfer, transfers, gpu)
OF(gpu_of_variant, variants, gpu)

/* Variants in the order of another grouping, so that they keep it within each experiment. */
struct ordered {
    const struct rl_capture *capture;
    const size_t *at;
};

static size_t experiment_of_ordered(const void *context, size_t i)
{
    const struct ordered *ordered = context;
    return ordered->capture->variants[ordered->at[i]].experiment;
}

RL_COMPARATOR_AT(by_name, size_t, struct rl_variant, context, rl_ascending(x->experiment, y->experiment)
                 ?: rl_ascending(x->gpu, y->gpu) ?: rl_ascending(x->name, y->name));

void rl_index_make(struct rl_index *index, const struct rl_capture *capture)
{
    *index = (struct rl_index){0};
    rl_groups_make(&index->kernels_of_variant, capture->variant_count, capture->kernel_count, variant_of_kernel, capture);
    rl_groups_make(&index->kernels_of_gpu, capture->gpu_count, capture->kernel_count, gpu_of_kernel, capture);
    rl_groups_make(&index->ceilings_of_gpu, capture->gpu_count, capture->ceiling_count, gpu_of_ceiling, capture);
    rl_groups_make(&index->transfers_of_gpu, capture->gpu_count, capture->transfer_count, gpu_of_transfer, capture);
    rl_groups_make(&index->variants_of_gpu, capture->gpu_count, capture->variant_count, gpu_of_variant, capture);
    const struct ordered ordered = {capture, index->variants_of_gpu.at};
    struct rl_groups *groups = &index->variants_of_experiment;
    rl_groups_make(groups, capture->experiment_count, capture->variant_count, experiment_of_ordered, &ordered);
    for (size_t i = 0; i < capture->variant_count; i++)
        groups->at[i] = ordered.at[groups->at[i]];
    index->named = rl_calloc(capture->variant_count, sizeof *index->named);
    for (size_t i = 0; i < capture->variant_count; i++)
        index->named[i] = i;
    rl_sort_with(index->named, capture->variant_count, sizeof *index->named, by_name, capture->variants);
    RL_FREED bool *known = rl_calloc(capture->gpu_count, sizeof *known);
    index->has_ranks = rl_has_ranks(capture);
    index->rank_of_gpu = rl_calloc(capture->gpu_count, sizeof *index->rank_of_gpu);
    for (size_t j = 0; j < capture->process_count; j++)
        for (size_t k = 0; k < capture->processes[j].gpu_count; k++) {
            const size_t gpu = capture->processes[j].gpus[k].gpu;
            if (!known[gpu])
                index->rank_of_gpu[gpu] = capture->processes[j].rank;
            known[gpu] = true;
        }
}

void rl_index_release(struct rl_index *index)
{
    rl_groups_release(&index->kernels_of_variant);
    rl_groups_release(&index->kernels_of_gpu);
    rl_groups_release(&index->ceilings_of_gpu);
    rl_groups_release(&index->transfers_of_gpu);
    rl_groups_release(&index->variants_of_gpu);
    rl_groups_release(&index->variants_of_experiment);
    rl_groups_release(&index->findings_of_gpu);
    rl_groups_release(&index->claims_of_gpu);
    rl_groups_release(&index->claims_of_experiment);
    RL_FREE(index->named, index->rank_of_gpu);
    *index = (struct rl_index){0};
}

/* How many of `count` items, which ascend by GPU, are on a GPU below this one. */
static size_t below(size_t (*gpu_of)(const void *, size_t), const void *items, const size_t *at, size_t count, size_t gpu)
{
    return RL_BISECT(i, count, gpu_of(items, at[i]) < gpu);
}

size_t rl_variants_on(const struct rl_index *index, const struct rl_capture *capture, size_t experiment, size_t gpu,
                      const size_t **at)
{
    assert(experiment < capture->experiment_count);
    const size_t count = rl_group(&index->variants_of_experiment, experiment, at),
                 from = below(gpu_of_variant, capture, *at, count, gpu);
    *at += from;
    return below(gpu_of_variant, capture, *at, count - from, gpu + 1);
}

size_t rl_variant_named(const struct rl_index *index, const struct rl_capture *capture, size_t experiment, size_t gpu,
                        const char *name)
{
    const size_t *at;
    const size_t count = rl_variants_on(index, capture, experiment, gpu, &at);
    const size_t *named = index->named + (at - index->variants_of_experiment.at);
    const size_t place = RL_BISECT(i, count, strcmp(capture->variants[named[i]].name, name) < 0);
    return place < count && strcmp(capture->variants[named[place]].name, name) == 0 ? named[place] : RL_NONE;
}

static size_t gpu_of_claim(const void *analysis, size_t i)
{
    return ((const struct rl_analysis *)analysis)->claims[i].gpu;
}

static size_t experiment_of_claim(const void *analysis, size_t i)
{
    const struct rl_analysis *of = analysis;
    return of->claims[of->index.claims_of_gpu.at[i]].experiment;
}

void rl_index_claims(struct rl_analysis *analysis)
{
    const struct rl_capture *capture = analysis->capture;
    struct rl_groups *by_gpu = &analysis->index.claims_of_gpu, *by_experiment = &analysis->index.claims_of_experiment;
    rl_groups_make(by_gpu, capture->gpu_count, analysis->claim_count, gpu_of_claim, analysis);
    rl_groups_make(by_experiment, capture->experiment_count, analysis->claim_count, experiment_of_claim, analysis);
    for (size_t i = 0; i < analysis->claim_count; i++)
        by_experiment->at[i] = by_gpu->at[by_experiment->at[i]];
}

size_t rl_claims_on(const struct rl_analysis *analysis, size_t experiment, size_t gpu, const size_t **at)
{
    assert(experiment < analysis->capture->experiment_count);
    const size_t count = rl_group(&analysis->index.claims_of_experiment, experiment, at),
                 from = below(gpu_of_claim, analysis, *at, count, gpu);
    *at += from;
    return below(gpu_of_claim, analysis, *at, count - from, gpu + 1);
}
