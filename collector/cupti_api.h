/* cupti_api.h - CUPTI, opened at run time. Private to the collector. */
#ifndef RL_COLLECTOR_CUPTI_API_H
#define RL_COLLECTOR_CUPTI_API_H

#include <cuda.h>
#include <cupti_activity.h>
#include <cupti_callbacks.h>
#include <cupti_driver_cbid.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_target.h>
#include <cupti_version.h>

#include "core/err.h"

struct rl_cupti_api {
#define CUPTI_FUNCTION(name) __typeof__(&name) name;
#include "cupti_api.def"
#undef CUPTI_FUNCTION
};

/* The functions; rl_cupti_open (collector.h) must have succeeded. */
extern struct rl_cupti_api rl_cupti;

/* RL_OK for CUPTI_SUCCESS; otherwise a line that says what `what` failed with and what to do (cupti_errors.def). */
enum rl_status rl_cupti_check(CUptiResult result, const char *what, struct rl_err *err);

/* Calls a function that takes one parameter struct: RL_CUPTI(err, cuptiRangeProfilerStart, &params). */
#define RL_CUPTI(err, function, ...) rl_cupti_check(rl_cupti.function(__VA_ARGS__), #function, (err))

/* A zeroed CUPTI parameter struct `name` of type `type` with its size filled in. */
#define RL_CUPTI_PARAMS(type, name) type name = {.structSize = type##_STRUCT_SIZE}

#endif
