/* above_roof.c - launches that do more than a roof allows, and why that may be. */
#include "internal.h"

/* A share this much above 1 is no noise of the two medians any more. */
static const double above_tolerance = 1.01;

/* A launch and the resource that it uses more of than there is. */
struct excess {
    const struct rl_analysis *analysis;
    const struct rl_kernel_result *result;
    enum rl_resource resource;
    double share;
};

static const struct rl_kernel *kernel_of(const struct excess *excess)
{
    return &excess->analysis->capture->kernels[excess->result->kernel];
}

static const struct rl_gpu_result *card_of(const struct excess *excess)
{
    return &excess->analysis->gpus[kernel_of(excess)->gpu];
}

static bool is_memory(const struct excess *excess)
{
    return rl_resources[excess->resource].bound == RL_BOUND_MEMORY;
}

/* The only roof of the resource; NULL: it has none in ceilings.def, or several. */
static const struct rl_ceiling *ceiling_of(const struct excess *excess)
{
    const struct rl_ceiling *ceiling = NULL;

    for (size_t i = 0; i < RL_DEMAND_COUNT; i++) {
        if (rl_demands[i].resource != excess->resource)
            continue;
        if (ceiling || rl_demands[i].roof == RL_CEILING_COUNT)
            return NULL;
        ceiling = &card_of(excess)->ceiling[rl_demands[i].roof];
    }
    return ceiling;
}

static bool below_theory(const struct excess *excess)
{
    const struct rl_ceiling *ceiling = ceiling_of(excess);

    return is_memory(excess) && ceiling && excess->result->limits.of[excess->resource].measured &&
           rl_present(ceiling->theoretical) && excess->share * ceiling->measured.median <= ceiling->theoretical.v;
}

static bool fits_l2(const struct excess *excess)
{
    const struct rl_value l2 = excess->analysis->capture->gpus[kernel_of(excess)->gpu].fact[RL_FACT_l2_bytes];
    const struct rl_value dram = excess->result->metric[RL_METRIC_dram_bytes];

    return excess->resource == RL_RESOURCE_dram && rl_present(l2) && rl_present(dram) && dram.v <= l2.v;
}

static bool shared_card(const struct excess *excess)
{
    const struct rl_gpu *gpu = &excess->analysis->capture->gpus[kernel_of(excess)->gpu];

    for (size_t i = 0; i < gpu->moment_count; i++) {
        const struct rl_value seen = gpu->moments[i].reading[RL_READING_process_count];
        if (rl_present(seen) && seen.v > 1)
            return is_memory(excess);
    }
    return false;
}

/* Whether the resource would be used no more than there is of it if that share of its time went. */
static bool explains(const struct excess *excess, double part)
{
    return part > 0 && excess->share * (1 - part) <= above_tolerance;
}

static bool packed(const struct excess *excess)
{
    return excess->resource == RL_RESOURCE_fp16 && explains(excess, 0.5);
}

/* The part of the time of matrix operations that kinds take which are, or are not, of the sort that is `wanted`. */
static double matrix_part(const struct excess *excess, bool (*wanted)(const struct rl_arithmetic *kind))
{
    double all = 0, part = 0;

    for (size_t i = 0; i < RL_ARITHMETICS; i++) {
        const struct rl_value seconds = rl_value_div(rl_arithmetic_work(excess->result->metric, i),
                                                     rl_ceiling_figure(&card_of(excess)->ceiling[rl_arithmetics[i].roof]), NULL);
        if (!rl_arithmetics[i].matrix || !rl_present(seconds))
            continue;
        all += seconds.v;
        part += wanted(&rl_arithmetics[i]) ? seconds.v : 0;
    }
    return all > 0 ? part / all : 0;
}

static bool is_untyped(const struct rl_arithmetic *kind)
{
    return kind->untyped;
}

/* Of FP64 there are no sparse products, no other sums and nothing narrower. */
static bool is_narrow(const struct rl_arithmetic *kind)
{
    return kind->roof != RL_CEILING_tensor_fp64;
}

static bool types_unknown(const struct excess *excess)
{
    double slowest, fastest;

    if (excess->resource != RL_RESOURCE_tensor)
        return false;
    rl_types_spread(card_of(excess), &slowest, &fastest);
    return explains(excess, matrix_part(excess, is_untyped) * (1 - 1 / fastest));
}

static bool dense_roof(const struct excess *excess)
{
    return excess->resource == RL_RESOURCE_tensor && explains(excess, matrix_part(excess, is_narrow) / 2);
}

/* L2 bytes go both ways, its roof is that of the way back to the SMs: without the stores all are taken for reads. */
static bool writes_too(const struct excess *excess)
{
    return excess->resource == RL_RESOURCE_l2_read && !rl_present(excess->result->metric[RL_METRIC_sectors_per_request_store]);
}

/* L1 bytes are whole sectors, its roof is that of the words in them. */
static bool scattered(const struct excess *excess)
{
    const struct rl_value used = excess->result->metric[RL_METRIC_load_efficiency];

    return excess->resource == RL_RESOURCE_l1 && rl_present(used) && used.v < 1;
}

static bool always(const struct excess *excess)
{
    return excess->share > 0;
}

/* The first cause that applies is given. */
static const struct {
    bool (*applies)(const struct excess *excess);
    const char *words;
} causes[] = {
    {below_theory,
     "it is below the theoretical roof, so the micro-benchmark behind the measured one reached less than this kernel"},
    {shared_card, "other processes used the GPU, and their traffic is counted with the kernel's"},
    {fits_l2, "the data fits in L2: the timed launches found it there, the counted one may not have"},
    {writes_too, "it may read and write, and the roof is that of L2's return path alone"},
    {scattered, "L1 traffic counts whole sectors, of which its uncoalesced loads use a part"},
    {packed, "FP16 instructions are counted as packed pairs, which they need not be"},
    {types_unknown, "it is that of FP16 for matrix operations whose types were not counted, and narrower types are faster"},
    {dense_roof, "it is that of dense matrix products; sparse ones, FP16 sums on some GPUs and types narrower than FP8 are faster"},
    {always, "the cause is unknown"},
};

/* A share is above 1 when its whole interval is. */
static bool is_above(const struct rl_limit *limit)
{
    return rl_present(limit->share) && limit->share.v > above_tolerance && limit->low > 1;
}

/* The resource of those above 1 with the largest share; RL_RESOURCE_COUNT: none is. */
static enum rl_resource most_above(const struct rl_limiting *limits)
{
    size_t most = RL_RESOURCE_COUNT;

    for (size_t i = 0; i < RL_RESOURCE_COUNT; i++)
        if (is_above(&limits->of[i]) && (most == RL_RESOURCE_COUNT || limits->of[i].share.v > limits->of[most].share.v))
            most = i;
    return (enum rl_resource)most;
}

void rl_kernel_above_roof(struct rl_analysis *analysis, struct rl_kernel_result *result)
{
    const enum rl_resource most = most_above(&result->limits);
    size_t i = 0;

    if (most == RL_RESOURCE_COUNT)
        return;
    const struct rl_limit *limit = &result->limits.of[most];
    const struct excess excess = {.analysis = analysis, .result = result, .resource = most, .share = limit->share.v};
    while (!causes[i].applies(&excess))
        i++;
    assert(i < RL_COUNT(causes)); /* the last one always applies */
    result->above_roof_ratio = excess.share;
    result->above_roof = rl_arena_printf(&analysis->arena, "%s roof: %s", rl_resources[most].label, causes[i].words);
}
