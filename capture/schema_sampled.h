/* schema_sampled.h - columns of samples of whole GPUs, and rules over more than one of them. Private to capture/schema.c. */
#ifndef RL_CAPTURE_SCHEMA_SAMPLED_H
#define RL_CAPTURE_SCHEMA_SAMPLED_H

#include "schema_columns.h"

/* As the file has them. */
NAMES(sampled, RL_SAMPLED_COUNT, rl_sampled_name((enum rl_sampled_counter)member))
static const struct rl_column gpu_sampling_columns[] = {
    INDEX(gpu_sampling, gpu, GPU),
    U64(gpu_sampling, interval_ns),
    U64(gpu_sampling, samples),
    U64(gpu_sampling, windows),
    U64(gpu_sampling, overflows),
    U64(gpu_sampling, used),
    U64(gpu_sampling, idle),
    U64(gpu_sampling, others),
    U64(gpu_sampling, cpu_ns),
    REAL(gpu_sampling, shift_ns, -ANY, ANY),
    REAL(gpu_sampling, correlation, -1, 1),
    OPTIONAL_TEXT(gpu_sampling, failure),
};
static const struct rl_column sampled_value_columns[] = {
    INDEX(sampled_value, kernel, KERNEL),          INDEX(sampled_value, sampling, GPU_SAMPLING),
    ENUM(sampled_value, counter, sampled_names),   REAL(sampled_value, launches, 0, ANY),
    VALUE(sampled_value, per_launch, 0, ANY),      VALUE(sampled_value, half_width, 0, ANY),
    INDEX(sampled_value, together, KERNEL),        REAL(sampled_value, total, 0, ANY),
    REAL(sampled_value, total_half_width, 0, ANY),
};
static const struct rl_column tracer_columns[] = {
    INDEX(tracer_row, gpu, GPU),
    ENUM(tracer_row, counter, sampled_names),
    REAL(tracer_row, per_warp, 0, ANY),
    VALUE(tracer_row, residual, 0, ANY),
};

RULE(gpu_sampling, gpu_sampling,
     here->used > here->samples        ? "more samples were used than taken"
     : here->idle > here->used         ? "more samples are idle than were used"
     : here->others > here->idle       ? "more idle samples are of others than are idle"
     : here->overflows > here->windows ? "more windows ended early than there were"
                                       : NULL)

RULE(sampled_value, sampled_value,
     !IN_ORDER_OF(kernel, counter)                                  ? "it does not stand in the order of kernels and counters"
     : rl_present(here->per_launch) != rl_present(here->half_width) ? "its value has no interval, or its interval no value"
     : here->together > here->kernel                                ? "its group is not named by the lowest kernel in it"
                                                                    : NULL)

/* Instructions that recording adds. */
RULE(tracer, tracer_row, IN_ORDER_OF(gpu, counter) ? NULL : "it does not stand in the order of GPUs and counters")

#endif
