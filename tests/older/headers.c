/* headers.c - our declarations of CUPTI's older interfaces, held against an older CUPTI's own headers: compiled with those in the
 * path, never run. What differs does not compile. */
#include <cupti.h>
#include <cupti_target.h>
#include <nvperf_cuda_host.h>
#include <nvperf_host.h>
#include <nvperf_target.h>

#include "profiler_api.h"

#define SAME(ours, theirs, member)                                                                                                 \
    _Static_assert(offsetof(ours, member) == offsetof(theirs, member) &&                                                           \
                       sizeof(((ours *)0)->member) == sizeof(((theirs *)0)->member),                                               \
                   #theirs "." #member)

/* ---- back end `profiler` ---- */

#define MEMBER(type, name) SAME(our_params, their_params, name);
#define PARAMS(library, function, theirs, last, members)                                                                           \
    void same_##function(void);                                                                                                    \
    void same_##function(void)                                                                                                     \
    {                                                                                                                              \
        typedef struct rl_##function our_params;                                                                                   \
        typedef theirs their_params;                                                                                               \
        SAME(our_params, their_params, structSize);                                                                                \
        SAME(our_params, their_params, pPriv);                                                                                     \
        members                                                                                                                    \
    }                                                                                                                              \
    _Static_assert(_Generic(&function, int (*)(theirs *) : 1, CUptiResult (*)(theirs *) : 1, NVPA_Status (*)(theirs *) : 1),       \
                   #function " takes its parameters");                                                                             \
    _Static_assert((int)rl_##function##_SIZE == (int)theirs##_STRUCT_SIZE, #function ": size of its parameters");
#include "profiler_api.def"
#undef PARAMS
#undef MEMBER

SAME(struct rl_profiler_image_options, CUpti_Profiler_CounterDataImageOptions, pCounterDataPrefix);
SAME(struct rl_profiler_image_options, CUpti_Profiler_CounterDataImageOptions, counterDataPrefixSize);
SAME(struct rl_profiler_image_options, CUpti_Profiler_CounterDataImageOptions, maxNumRanges);
SAME(struct rl_profiler_image_options, CUpti_Profiler_CounterDataImageOptions, maxNumRangeTreeNodes);
SAME(struct rl_profiler_image_options, CUpti_Profiler_CounterDataImageOptions, maxRangeNameLength);
_Static_assert(RL_PROFILER_OPTIONS_SIZE == CUpti_Profiler_CounterDataImageOptions_STRUCT_SIZE, "size of the options");
SAME(struct rl_profiler_request, NVPW_MetricEvalRequest, metricIndex);
SAME(struct rl_profiler_request, NVPW_MetricEvalRequest, metricType);
SAME(struct rl_profiler_request, NVPW_MetricEvalRequest, rollupOp);
SAME(struct rl_profiler_request, NVPW_MetricEvalRequest, submetric);
_Static_assert(RL_PROFILER_REQUEST_SIZE == NVPW_MetricEvalRequest_STRUCT_SIZE, "size of a request");
_Static_assert(sizeof(struct rl_profiler_request) == sizeof(NVPW_MetricEvalRequest), "stride of requests");
SAME(struct rl_profiler_raw, NVPA_RawMetricRequest, pMetricName);
SAME(struct rl_profiler_raw, NVPA_RawMetricRequest, isolated);
SAME(struct rl_profiler_raw, NVPA_RawMetricRequest, keepInstances);
_Static_assert(RL_PROFILER_RAW_SIZE == NVPA_RAW_METRIC_REQUEST_STRUCT_SIZE, "size of a raw counter");
_Static_assert((int)RL_PROFILER_ACTIVITY == (int)NVPA_ACTIVITY_KIND_PROFILER, "kind of activity");
_Static_assert((int)RL_PROFILER_METRIC_TYPES == (int)NVPW_METRIC_TYPE__COUNT, "types of metrics");

/* Codes that nvperf_errors.def has words for. */
enum {
#define NVPERF_ERROR_ROW(code, status, text) row_##code = (code),
#include "nvperf_errors.def"
#undef NVPERF_ERROR_ROW
};
_Static_assert(row_3 == (int)NVPA_STATUS_NOT_INITIALIZED && row_6 == (int)NVPA_STATUS_NOT_SUPPORTED, "codes");
_Static_assert(row_8 == (int)NVPA_STATUS_INVALID_ARGUMENT && row_9 == (int)NVPA_STATUS_INVALID_METRIC_ID, "codes");
_Static_assert(row_11 == (int)NVPA_STATUS_OUT_OF_MEMORY && row_14 == (int)NVPA_STATUS_UNSUPPORTED_GPU, "codes");
_Static_assert(row_15 == (int)NVPA_STATUS_INSUFFICIENT_DRIVER_VERSION && row_17 == (int)NVPA_STATUS_INSUFFICIENT_PRIVILEGE,
               "codes");
_Static_assert(row_22 == (int)NVPA_STATUS_INSUFFICIENT_SPACE && row_25 == (int)NVPA_STATUS_PROFILING_NOT_ALLOWED, "codes");

/* Of those of cupti_api.def that take a struct, the one that every back end calls. */
_Static_assert(CUpti_Device_GetChipName_Params_STRUCT_SIZE == 4 * sizeof(void *), "cuptiDeviceGetChipName");
_Static_assert(offsetof(CUpti_Device_GetChipName_Params, pChipName) == 3 * sizeof(void *), "cuptiDeviceGetChipName");

/* ---- what every back end uses: records of kernels, in the shape of whichever header the program was built with ---- */

/* The members that activity.c and inject/times.c read, where CUpti_ActivityKernel9 of CUPTI 12.0 to 13 has them. */
#define OF_KERNEL(member, offset) _Static_assert(offsetof(RL_KERNEL_RECORD, member) == (offset), "records of kernels: " #member)
OF_KERNEL(registersPerThread, 6);
OF_KERNEL(start, 16);
OF_KERNEL(end, 24);
OF_KERNEL(deviceId, 40);
OF_KERNEL(contextId, 44);
OF_KERNEL(streamId, 48);
OF_KERNEL(gridX, 52);
OF_KERNEL(blockX, 64);
OF_KERNEL(staticSharedMemory, 76);
OF_KERNEL(dynamicSharedMemory, 80);
OF_KERNEL(localMemoryPerThread, 84);
OF_KERNEL(correlationId, 92);
OF_KERNEL(name, 104);
OF_KERNEL(graphNodeId, 144);
OF_KERNEL(graphId, 156);
OF_KERNEL(clusterX, 176);
