/* claim_quantity.c - quantities of claims and how they are spoken of (see limits_decide.h). */
#include "limits_decide.h"

static struct rl_value one(const struct rl_analysis *analysis, const struct rl_variant_result *result, const char *id)
{
    (void)analysis, (void)result, (void)id;
    return rl_value_of(1);
}

static struct rl_value per_operation(const struct rl_analysis *analysis, const struct rl_variant_result *result, const char *id)
{
    (void)id;
    return rl_value_div(rl_value_of(1), analysis->capture->variants[result->variant].operations, "no operations");
}

/* At the clock of the launch that was counted. */
static struct rl_value cycles(const struct rl_analysis *analysis, const struct rl_variant_result *result, const char *id)
{
    return rl_value_mul(result->metric[RL_METRIC_sm_clock_hz], per_operation(analysis, result, id));
}

static struct rl_value useful_bytes(const struct rl_analysis *analysis, const struct rl_variant_result *result, const char *id)
{
    (void)id;
    return analysis->capture->variants[result->variant].useful_bytes;
}

/* The kernel of a variant that has but one; NULL: `missing` says why. */
static const struct rl_kernel *only_kernel(const struct rl_analysis *analysis, const struct rl_variant_result *result,
                                           struct rl_value *missing)
{
    const struct rl_kernel_result *kernel = rl_analysis_of_variant(analysis, result->variant);
    if (kernel && kernel->siblings == 1)
        return &analysis->capture->kernels[kernel->kernel];
    *missing = rl_value_missing(RL_UNDEFINED, kernel ? "it has several kernels" : "it has no kernel in the capture");
    return NULL;
}

static struct rl_value registers(const struct rl_analysis *analysis, const struct rl_variant_result *result, const char *id)
{
    struct rl_value missing;
    const struct rl_kernel *kernel = only_kernel(analysis, result, &missing);
    (void)id;
    return kernel ? kernel->registers_per_thread : missing;
}

/* Times this, the time of record is the time over the reference of the clock. */
static struct rl_value over_reference(const struct rl_analysis *analysis, const struct rl_variant_result *result, const char *id)
{
    struct rl_value missing;
    const struct rl_kernel *kernel = only_kernel(analysis, result, &missing);
    (void)id;
    return kernel ? rl_value_div(rl_value_of(1e9), kernel->clock.back_to_back_ns, "the reference is 0") : missing;
}

/* The instructions of a recorded kernel, less what recording adds, over those of the kernel (capture/sampled.h). */
static struct rl_value traced_over_counted(const struct rl_analysis *analysis, const struct rl_variant_result *result,
                                           const char *id)
{
    const struct rl_capture *capture = analysis->capture;
    (void)id;
    for (size_t i = 0; i < capture->tracer_count; i++) {
        const struct rl_tracer_row *row = &capture->tracer[i];
        if (row->gpu == capture->variants[result->variant].gpu && row->counter == RL_SAMPLED_instructions)
            return row->residual;
    }
    return rl_value_missing(RL_NOT_COLLECTED, "instructions that recording adds were not measured");
}

static struct rl_value overlap_share(const struct rl_analysis *analysis, const struct rl_variant_result *result, const char *id)
{
    (void)analysis, (void)id;
    return result->overlap_share;
}

static struct rl_value metric_value(const struct rl_analysis *analysis, const struct rl_variant_result *result, const char *id)
{
    (void)analysis;
    return result->metric[rl_metric_find(id)];
}

static const struct quantity quantities[] = {
    {"time_s", RL_UNIT_SECOND, 1, one, "time", "{b} has a speedup of {x} over {s}", "{s} took {v}"},
    {"time_per_operation_s", RL_UNIT_SECOND, 1, per_operation, "time per operation",
     "{b} has a speedup of {x} per operation over {s}", "{s} took {v} per operation"},
    {"cycles_per_operation", RL_UNIT_NONE, 1, cycles, "cycles per operation",
     "{b} has a speedup of {x} in cycles per operation over {s}", "{s} took {v} cycles per operation"},
    {"useful_bytes_per_second", RL_UNIT_BYTE_PER_SECOND, -1, useful_bytes, "useful bandwidth",
     "{s} reached {r} the useful bandwidth of {b}", "{s} reached {v} of useful bandwidth"},
    {"registers_per_thread", RL_UNIT_COUNT, 0, registers, "registers per thread", "{s} used {r} the registers of {b}",
     "{s} used {v} registers per thread"},
    {"time_over_reference", RL_UNIT_NONE, 1, over_reference, "time over that without CUPTI",
     "{s} took {r} the time over that without CUPTI of {b}", "{s} took {v} of its time without CUPTI"},
    {"traced_instructions_over_counted", RL_UNIT_NONE, 0, traced_over_counted, "traced over counted instructions",
     "{s} had {r} the traced over counted instructions of {b}", "{s} had {v} of its instructions when traced"},
    {"overlap_share", RL_UNIT_FRACTION, 0, overlap_share, "overlap of copying and computing", "{s} overlapped {r} what {b} did",
     "{s} overlapped {v} of copying and computing"},
};

const char *rl_quantity_noun(const char *id)
{
    struct quantity quantity;
    return rl_quantity_find(id, &quantity) ? quantity.noun : id;
}

bool rl_quantity_find(const char *id, struct quantity *quantity)
{
    const enum rl_metric metric = rl_metric_find(id);
    for (size_t i = 0; i < RL_COUNT(quantities); i++) {
        if (strcmp(quantities[i].id, id) == 0) {
            *quantity = quantities[i];
            return true;
        }
    }
    if (metric == RL_METRIC_COUNT)
        return false;
    *quantity = (struct quantity){
        id, rl_metrics[metric].unit, 0, metric_value, rl_metrics[metric].label, "{s} had {r} the {n} of {b}", "{s}'s {n} was {v}"};
    return true;
}
