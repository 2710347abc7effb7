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

RULE(instance, instance,
     here->busy_ns > here->gpu_ns                      ? "its kernels ran for longer than it lasted on the GPU"
     : (here->gpu == RL_NONE) != (here->launches == 0) ? "a GPU belongs to an instance with a timed launch"
                                                       : NULL)
RULE(benchmark_sample, benchmark_sample, IN_ORDER(benchmark) ? NULL : "it does not stand in the order of benchmarks")

/* Columns of what became of imported values. Private to capture/schema.c. */
/* As the file has them. */
NAMES(fate, RL_FATE_COUNT, rl_fate_name((enum rl_fate)member))

static const struct rl_column ledger_columns[] = {
    NAME_AS("name", ledger_row, name), BOOL(ledger_row, column), ENUM(ledger_row, fate, fate_names), U64(ledger_row, count),
    TEXT(ledger_row, example),         TEXT(ledger_row, reason),
};

#endif
