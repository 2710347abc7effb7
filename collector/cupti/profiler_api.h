/* profiler_api.h - CUPTI's profiling interface before the range profiler, opened at run time: our own declarations of what is used
 * of it (profiler_api.def). Today's toolkit has no header for the half that names counters, and the other half is deprecated.
 * Private to the collector.
 *
 * Every function takes a pointer to its parameter struct and returns 0, or a code: of CUptiResult those in libcupti, of NVPA_Status
 * those in libnvperf_host (nvperf_errors.def). */
#pragma once

#include <cuda.h>
#include <cupti_profiler_target.h>

#include "core/core.h"

/* CUpti_Profiler_CounterDataImageOptions: how much the counter image has room for. */
struct rl_profiler_image_options {
    size_t structSize;
    void *pPriv;
    const uint8_t *pCounterDataPrefix;
    size_t counterDataPrefixSize;
    uint32_t maxNumRanges, maxNumRangeTreeNodes, maxRangeNameLength;
};
/* NVPW_MetricEvalRequest: a metric by number. It has no structSize: functions take RL_PROFILER_REQUEST_SIZE. */
struct rl_profiler_request {
    size_t metricIndex;
    uint8_t metricType, rollupOp;
    uint16_t submetric;
};
/* NVPA_RawMetricRequest: a raw counter by name. */
struct rl_profiler_raw {
    size_t structSize;
    void *pPriv;
    const char *pMetricName;
    uint8_t isolated, keepInstances;
};
#define RL_PROFILER_END_OF(type, last) (offsetof(type, last) + sizeof(((type *)0)->last))
#define RL_PROFILER_OPTIONS_SIZE       RL_PROFILER_END_OF(struct rl_profiler_image_options, maxRangeNameLength)
#define RL_PROFILER_REQUEST_SIZE       RL_PROFILER_END_OF(struct rl_profiler_request, submetric)
#define RL_PROFILER_RAW_SIZE           RL_PROFILER_END_OF(struct rl_profiler_raw, keepInstances)
enum { RL_PROFILER_ACTIVITY = 1 };     /* NVPA_ACTIVITY_KIND_PROFILER */
enum { RL_PROFILER_METRIC_TYPES = 3 }; /* of NVPW_MetricType: counters, ratios, throughputs */

/* struct rl_FUNCTION: the parameters of FUNCTION; rl_FUNCTION_SIZE: what its structSize says. */
#define MEMBER(type, name) type name;
#define PARAMS(library, function, theirs, last, members)                                                                           \
    struct rl_##function {                                                                                                         \
        size_t structSize;                                                                                                         \
        void *pPriv;                                                                                                               \
        members                                                                                                                    \
    };                                                                                                                             \
    enum { rl_##function##_SIZE = RL_PROFILER_END_OF(struct rl_##function, last) };
#include "profiler_api.def"
#undef PARAMS
#undef MEMBER

struct rl_profiler_api {
#define PARAMS(library, function, ...) int (*function)(struct rl_##function *);
#include "profiler_api.def"
#undef PARAMS
};
/* The functions; rl_profiler_open must have succeeded. */
extern struct rl_profiler_api rl_profiler;

/* Looks the functions up, in the library that rl_cupti_open has opened and in the host library next to it, and initialises that
 * one. RL_UNSUPPORTED names what is missing. Thread-safe. */
enum rl_status rl_profiler_open(struct rl_err *err);
/* RL_OK for 0; otherwise a line that says what `what` failed with and what to do: a code of the host library (nvperf_errors.def),
 * and any code: whose it is, the function's name says. */
enum rl_status rl_profiler_check(int code, const char *what, struct rl_err *err);

/* Zeroed parameters `name` of a function, with their size filled in; a call with them. */
#define RL_PROFILER_PARAMS(function, name, ...) struct rl_##function name = {.structSize = rl_##function##_SIZE, __VA_ARGS__}
#define RL_PROFILER(err, function, params)      rl_profiler_check(rl_profiler.function(params), #function, (err))
