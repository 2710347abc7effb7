/* in_flight.c - latencies that were measured, and bytes in flight (see limits_decide.h). */
#include "limits_decide.h"

const char *const rl_chain_level_names[RL_CHAIN_COUNT] = {[RL_CHAIN_L1] = "L1", [RL_CHAIN_L2] = "L2", [RL_CHAIN_DRAM] = "DRAM"};

static const struct {
    enum rl_resource resource;
    enum rl_metric moved;
} levels[RL_CHAIN_COUNT] = {
    [RL_CHAIN_L1] = {RL_RESOURCE_l1, RL_METRIC_l1_bytes},
    [RL_CHAIN_L2] = {RL_RESOURCE_l2_read, RL_METRIC_l2_bytes},
    [RL_CHAIN_DRAM] = {RL_RESOURCE_dram, RL_METRIC_dram_bytes},
};

/* Bytes that the variant's chain of loads goes through, line by line. */
static struct rl_value footprint_of(const struct rl_variant *variant)
{
    const struct rl_setting *bytes = rl_setting_find(variant->settings, variant->setting_count, "footprint_bytes");

    if (!bytes || rl_setting_find(variant->settings, variant->setting_count, "stride_bytes"))
        return rl_value_missing(RL_UNDEFINED, "no chain of loads through all lines");
    return bytes->number;
}

/* The level that alone serves such a chain; RL_CHAIN_COUNT: several do. No L1 holds half a MiB; a fifth of L2 lies in its nearer
 * half with room to spare; of what is four times as large as L2 hardly anything is there when it is wanted again. */
static enum rl_chain_level level_of(double footprint, double l2_bytes)
{
    static const double beyond_l1 = 512 * 1024, within_l2 = 0.2, beyond_l2 = 4;

    if (footprint < beyond_l1)
        return RL_CHAIN_L1;
    if (footprint <= within_l2 * l2_bytes)
        return RL_CHAIN_L2;
    return footprint >= beyond_l2 * l2_bytes ? RL_CHAIN_DRAM : RL_CHAIN_COUNT;
}

/* Seconds of one load. */
static struct rl_value latency_of(const struct rl_analysis *analysis, size_t variant)
{
    const size_t *kernels, count = rl_group(&analysis->index.kernels_of_variant, variant, &kernels);

    if (count != 1 || analysis->kernels[kernels[0]].duration.n == 0 || analysis->kernels[kernels[0]].wrong)
        return rl_value_missing(RL_NOT_COLLECTED, "not timed");
    return rl_value_div(rl_value_of(analysis->kernels[kernels[0]].duration.median), analysis->capture->variants[variant].operations,
                        "no loads");
}

/* Latencies from captures of other GPUs of the model. */
static const struct {
    const char *card;
    enum rl_chain_level level;
    double seconds;
    const char *source;
} recorded[] = {
#define LATENCY(card_, level_, seconds_, source_) {card_, RL_CHAIN_##level_, seconds_, source_},
#include "analysis/latencies.def"
#undef LATENCY
};

void rl_latencies_measured(struct rl_analysis *analysis)
{
    static const char unknown[] =
        "no latency of that level is known of this GPU: 'rooflight collect' measures it in its experiment 'latency'";
    RL_FREED double *least = rl_calloc(analysis->capture->gpu_count * RL_CHAIN_COUNT, sizeof *least); /* footprints; 0: none yet */

    for (size_t gpu = 0; gpu < analysis->capture->gpu_count; gpu++)
        for (int level = 0; level < RL_CHAIN_COUNT; level++)
            analysis->gpus[gpu].latency_s[level] = rl_value_missing(RL_NOT_COLLECTED, unknown);
    for (size_t i = 0; i < analysis->capture->variant_count; i++) {
        const struct rl_variant *variant = &analysis->capture->variants[i];
        const struct rl_value footprint = footprint_of(variant), l2 = analysis->capture->gpus[variant->gpu].fact[RL_FACT_l2_bytes];
        const enum rl_chain_level level = rl_present(footprint) && rl_present(l2) ? level_of(footprint.v, l2.v) : RL_CHAIN_COUNT;
        if (level == RL_CHAIN_COUNT)
            continue;
        double *smallest = &least[variant->gpu * RL_CHAIN_COUNT + level];
        const struct rl_value seconds = latency_of(analysis, i);
        if (!rl_present(seconds) || (*smallest > 0 && footprint.v >= *smallest))
            continue;
        *smallest = footprint.v; /* what else a load may wait for (the TLB) comes with larger ones */
        analysis->gpus[variant->gpu].latency_s[level] = seconds;
    }
    for (size_t gpu = 0; gpu < analysis->capture->gpu_count; gpu++) {
        /* Where the capture itself does not say it. */
        struct rl_gpu_result *result = &analysis->gpus[gpu];
        const struct rl_card_info *card = rl_card_find(analysis->capture->gpus[gpu].name);

        for (size_t j = 0; j < RL_COUNT(recorded) && card; j++)
            if (strcmp(recorded[j].card, card->id) == 0 && !rl_present(result->latency_s[recorded[j].level])) {
                result->latency_s[recorded[j].level] = rl_value_of(recorded[j].seconds);
                result->latency_from[recorded[j].level] = recorded[j].source;
            }
    }
}

/* The slowest level that at least a tenth of the loads reach: a load waits for the last of its sectors. What hits is unknown: DRAM.
 */
static enum rl_chain_level slowest_level(const struct rl_kernel_result *result)
{
    static const double some = 0.1;
    const struct rl_value sectors = rl_known_metric(result, RL_METRIC_sectors_per_request_load),
                          l1 = rl_known_metric(result, RL_METRIC_l1_hit_rate), l2 = rl_known_metric(result, RL_METRIC_l2_hit_rate);

    if (!rl_present(sectors) || !rl_present(l1) || !rl_present(l2))
        return RL_CHAIN_DRAM;
    if (sectors.v * (1 - l1.v) < some)
        return RL_CHAIN_L1;
    return sectors.v * (1 - l1.v) * (1 - l2.v) < some ? RL_CHAIN_L2 : RL_CHAIN_DRAM;
}

struct rl_in_flight rl_in_flight_of(const struct rl_analysis *analysis, struct rl_eval *eval, const struct rl_kernel_result *result)
{
    const struct rl_gpu_result *card = &analysis->gpus[analysis->capture->kernels[result->kernel].gpu];
    const struct rl_value none = rl_value_missing(RL_UNDEFINED, "no memory was used");
    struct rl_in_flight found = {.latency_s = none, .bytes = none, .needed = none};
    struct rl_value greatest = rl_value_of(0);

    /* How long a load waits, next to one alone. */
    const enum rl_chain_level slowest = slowest_level(result);

    found.wait_s = rl_eval_name(eval, RL_NAME_launch_wait_s);
    found.unloaded_s = card->latency_s[slowest];
    found.from = card->latency_from[slowest];
    found.queued = rl_present(found.wait_s) && rl_present(found.unloaded_s) && found.wait_s.v > RL_QUEUED * found.unloaded_s.v;

    for (int level = 0; level < RL_CHAIN_COUNT; level++) {
        const struct rl_value share = result->limits.of[levels[level].resource].share;
        if (!rl_present(share) || share.v <= greatest.v)
            continue;
        greatest = share;
        found.level = (enum rl_chain_level)level;
    }
    if (greatest.v <= 0)
        return found;
    found.latency_s = card->latency_s[found.level];
    const struct rl_value rate =
        rl_value_div(rl_known_metric(result, levels[found.level].moved), result->rate_time_s, "no duration");
    found.bytes = rl_value_mul(rate, found.latency_s);
    found.needed = rl_value_div(found.bytes, greatest, "no share");
    return found;
}
