/* schema_cases.h - columns of cases, and rules over more than one of them. Private to capture/schema.c. */
#ifndef RL_CAPTURE_SCHEMA_CASES_H
#define RL_CAPTURE_SCHEMA_CASES_H

#include "schema_columns.h"

static const struct rl_column instance_columns[] = {
    INDEX(instance, range, RANGE), INDEX_OR_NONE(instance, gpu, GPU), U64(instance, started_ns),
    U64(instance, host_ns),        U64(instance, gpu_started_ns),     U64(instance, gpu_ns),
    U64(instance, busy_ns),        U64(instance, launches),           U64(instance, untimed),
    U64(instance, assumed),
};
static const struct rl_column range_kernel_columns[] = {
    INDEX(range_kernel, range, RANGE),
    INDEX(range_kernel, kernel, KERNEL),
    U64(range_kernel, launches),
    U64(range_kernel, total_ns),
};
static const struct rl_column benchmark_columns[] = {
    NAME_AS("name", benchmark, name), VALUE(benchmark, work, 0, ANY), OPTIONAL_TEXT(benchmark, unit),
    U64(benchmark, missing),          U64(benchmark, summarised),
};
static const struct rl_column benchmark_sample_columns[] = {
    INDEX(benchmark_sample, benchmark, BENCHMARK),
    REAL(benchmark_sample, seconds, 0, (double)LARGEST),
};

/* The fault of an instance; NULL: none. */
static const char *instance_rule(const struct rl_schema_row *row)
{
    const struct rl_instance *instance = row->element;
    if (instance->busy_ns > instance->gpu_ns)
        return "its kernels ran for longer than it lasted on the GPU";
    return (instance->gpu == RL_NONE) == (instance->launches == 0) ? NULL : "a GPU belongs to an instance with a timed launch";
}

/* The same of a sample. */
static const char *benchmark_sample_rule(const struct rl_schema_row *row)
{
    const struct rl_benchmark_sample *sample = row->element;
    return row->position > 0 && sample[-1].benchmark > sample->benchmark ? "it does not stand in the order of benchmarks" : NULL;
}

#endif
