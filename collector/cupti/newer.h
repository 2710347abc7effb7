/* newer.h - declarations of CUPTI that the toolkit of this build may lack: ours (newer.def), under CUPTI's names, so that a binary
 * built with an old toolkit can use a newer CUPTI at run time. Toolkits from 12.6 on have headers for them. Private to the
 * collector. */
#pragma once

#include <cuda.h>
#include <cupti_activity.h>
#include <cupti_driver_cbid.h>
#include <cupti_pcsampling.h>
#include <cupti_profiler_target.h>
#include <cupti_result.h>
#include <cupti_version.h>

#include "core/core.h"

/* CUpti_PCSamplingData with its last member, which CUPTI 11.8 lacks; `size` is the size that the library expects. */
typedef struct {
    size_t size, collectNumPcs;
    uint64_t totalSamples, droppedSamples;
    size_t totalNumPcs, remainingNumPcs;
    uint64_t rangeId;
    CUpti_PCSamplingPCData *pPcData;
    uint64_t nonUsrKernelsTotalSamples;
    uint8_t hardwareBufferFull;
} rl_pc_data;

#if CUPTI_API_VERSION >= 24
#include <cupti_pmsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_range_profiler.h>
#else

enum {
#define NEWER_NUMBER(name, value) RL_OF_##name = (value),
#define NEWER_PARAMS(function, name, ...)
#include "newer.def"
};
/* Toolkits between 11.8 and 12.6 declare some of these as enumerators, which the macros hide. */
#define CUPTI_METRIC_TYPE_COUNTER                                 RL_OF_CUPTI_METRIC_TYPE_COUNTER
#define CUPTI_METRIC_TYPE_RATIO                                   RL_OF_CUPTI_METRIC_TYPE_RATIO
#define CUPTI_METRIC_TYPE_THROUGHPUT                              RL_OF_CUPTI_METRIC_TYPE_THROUGHPUT
#define CUPTI_METRIC_TYPE__COUNT                                  RL_OF_CUPTI_METRIC_TYPE__COUNT
#define CUPTI_PROFILER_TYPE_RANGE_PROFILER                        RL_OF_CUPTI_PROFILER_TYPE_RANGE_PROFILER
#define CUPTI_PROFILER_TYPE_PM_SAMPLING                           RL_OF_CUPTI_PROFILER_TYPE_PM_SAMPLING
#define CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_SYSCLK_INTERVAL        RL_OF_CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_SYSCLK_INTERVAL
#define CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_TIME_INTERVAL          RL_OF_CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_TIME_INTERVAL
#define CUPTI_PM_SAMPLING_DECODE_STOP_REASON_COUNTER_DATA_FULL    RL_OF_CUPTI_PM_SAMPLING_DECODE_STOP_REASON_COUNTER_DATA_FULL
#define CUPTI_PM_SAMPLING_DECODE_STOP_REASON_END_OF_RECORDS       RL_OF_CUPTI_PM_SAMPLING_DECODE_STOP_REASON_END_OF_RECORDS
#define CUPTI_PM_SAMPLING_HARDWARE_BUFFER_APPEND_MODE_KEEP_OLDEST RL_OF_CUPTI_PM_SAMPLING_HARDWARE_BUFFER_APPEND_MODE_KEEP_OLDEST
#define CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED                      ((CUptiResult)RL_OF_CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED)
#define CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED                      ((CUptiResult)RL_OF_CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED)
#define CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED                      ((CUptiResult)RL_OF_CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED)
#define CUPTI_ERROR_INVALID_CHIP_NAME                             ((CUptiResult)RL_OF_CUPTI_ERROR_INVALID_CHIP_NAME)
#define CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER                                                                             \
    ((CUpti_ActivityAttribute)RL_OF_CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER)
#define CUPTI_DRIVER_TRACE_CBID_cuLibraryLoadData                 RL_OF_CUPTI_DRIVER_TRACE_CBID_cuLibraryLoadData
#define CUPTI_DRIVER_TRACE_CBID_cuLibraryLoadFromFile             RL_OF_CUPTI_DRIVER_TRACE_CBID_cuLibraryLoadFromFile
#define CUPTI_DRIVER_TRACE_CBID_cuLibraryUnload                   RL_OF_CUPTI_DRIVER_TRACE_CBID_cuLibraryUnload
#define CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCaptureToGraph       RL_OF_CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCaptureToGraph
#define CUPTI_DRIVER_TRACE_CBID_cuGraphExecKernelNodeSetParams_v2 RL_OF_CUPTI_DRIVER_TRACE_CBID_cuGraphExecKernelNodeSetParams_v2
#define CUPTI_DRIVER_TRACE_CBID_cuGraphExecUpdate_v2              RL_OF_CUPTI_DRIVER_TRACE_CBID_cuGraphExecUpdate_v2
#define CUPTI_DRIVER_TRACE_CBID_cuGraphExecNodeSetParams          RL_OF_CUPTI_DRIVER_TRACE_CBID_cuGraphExecNodeSetParams
#define CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCaptureToGraph_ptsz  RL_OF_CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCaptureToGraph_ptsz

typedef int CUpti_MetricType, CUpti_ProfilerType, CUpti_PmSampling_TriggerMode, CUpti_PmSampling_DecodeStopReason;
typedef int CUpti_PmSampling_HardwareBuffer_AppendMode;
typedef struct CUpti_Profiler_Host_Object CUpti_Profiler_Host_Object;
typedef struct CUpti_RangeProfiler_Object CUpti_RangeProfiler_Object;
typedef struct CUpti_PmSampling_Object CUpti_PmSampling_Object;

#define NEWER_NUMBER(name, value)
#define MEMBER(type, name) type name;
#define NEWER_PARAMS(function, name, last, members)                                                                                \
    typedef struct CUpti_##name##_Params CUpti_##name##_Params;                                                                    \
    CUptiResult function(CUpti_##name##_Params *);                                                                                 \
    struct CUpti_##name##_Params {                                                                                                 \
        size_t structSize;                                                                                                         \
        void *pPriv;                                                                                                               \
        members                                                                                                                    \
    };                                                                                                                             \
    enum { CUpti_##name##_Params_STRUCT_SIZE = offsetof(CUpti_##name##_Params, last) + sizeof(((CUpti_##name##_Params *)0)->last) };
#include "newer.def"
#undef MEMBER

/* CUPTI 11.8's kernel record has every member that is read, at the same offset (tests/older). */
#if CUPTI_API_VERSION < 19
typedef CUpti_ActivityKernel8 CUpti_ActivityKernel9;
#endif
#endif
