/* stand_in_nvperf.c - the stand-in of the host library of CUPTI 12.4: names of counters, configuration images, values. Counters
 * with "_sass_" in their names take a pass of their own, the others share one; what has "no_such" in its name does not exist. Codes
 * are those of NVPA_Status; wrong orders and buffers that are too small are refused, with the code that the library has for it
 * (tests/older/same.c). Sizes of structs are looked at here, and not there. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "profiler_api.h"
#include "stand_in.h"
#include "stand_in_sessions.h"

enum { ERROR = 1, NOT_SUPPORTED = 6, INVALID_ARGUMENT = 8, UNSUPPORTED_GPU = 14, INVALID_OBJECT_STATE = 19 };
enum { MOST_NAMES = 256, SCRATCH_SIZE = 40 };

struct evaluator {
    char *names[MOST_NAMES];
    size_t count;
    const uint8_t *image; /* whose device it knows */
};
struct config {
    bool open, generated;
    int hardware, software;
};

/* The code that $RL_REFUSE_CODE has for the function that $RL_REFUSE names. */
static int refused(const char *function)
{
    const char *name = getenv("RL_REFUSE");
    return name && strcmp(name, function) == 0 ? (int)strtol(getenv("RL_REFUSE_CODE"), NULL, 10) : 0;
}

static bool is_chip(const char *name)
{
    return name && strcmp(name, "GH100") == 0;
}

static bool exists(const char *name)
{
    return !strstr(name, "no_such");
}

#define FUNCTION(function)                                                                                                         \
    STAND_IN_API int function(struct rl_##function *p);                                                                            \
    STAND_IN_API int function(struct rl_##function *p)
#define CHECK_SIZE(function)                                                                                                       \
    if (p->structSize != rl_##function##_SIZE)                                                                                     \
        return INVALID_ARGUMENT;                                                                                                   \
    if (refused(#function))                                                                                                        \
    return refused(#function)

FUNCTION(NVPW_InitializeHost)
{
    CHECK_SIZE(NVPW_InitializeHost);
    return 0;
}

FUNCTION(NVPW_GetSupportedChipNames)
{
    static const char *const chips[] = {"GH100"};
    CHECK_SIZE(NVPW_GetSupportedChipNames);
    p->ppChipNames = chips;
    p->numChipNames = 1;
    return 0;
}

/* ---- names and values ---- */

FUNCTION(NVPW_CUDA_MetricsEvaluator_CalculateScratchBufferSize)
{
    CHECK_SIZE(NVPW_CUDA_MetricsEvaluator_CalculateScratchBufferSize);
    p->scratchBufferSize = SCRATCH_SIZE;
    return is_chip(p->pChipName) ? 0 : p->pChipName ? UNSUPPORTED_GPU : INVALID_ARGUMENT;
}

FUNCTION(NVPW_CUDA_MetricsEvaluator_Initialize)
{
    CHECK_SIZE(NVPW_CUDA_MetricsEvaluator_Initialize);
    if (!p->pScratchBuffer || p->scratchBufferSize < SCRATCH_SIZE)
        return INVALID_ARGUMENT;
    p->pMetricsEvaluator = calloc(1, sizeof(struct evaluator));
    return 0;
}

FUNCTION(NVPW_MetricsEvaluator_Destroy)
{
    struct evaluator *evaluator = p->pMetricsEvaluator;
    CHECK_SIZE(NVPW_MetricsEvaluator_Destroy);
    for (size_t i = 0; i < evaluator->count; i++)
        free(evaluator->names[i]);
    free(evaluator);
    return 0;
}

FUNCTION(NVPW_MetricsEvaluator_GetMetricNames)
{
    CHECK_SIZE(NVPW_MetricsEvaluator_GetMetricNames);
    return NOT_SUPPORTED;
}

FUNCTION(NVPW_MetricsEvaluator_ConvertMetricNameToMetricEvalRequest)
{
    struct evaluator *evaluator = p->pMetricsEvaluator;
    CHECK_SIZE(NVPW_MetricsEvaluator_ConvertMetricNameToMetricEvalRequest);
    if (p->metricEvalRequestStructSize != RL_PROFILER_REQUEST_SIZE || !strchr(p->pMetricName, '.') || !exists(p->pMetricName) ||
        evaluator->count == MOST_NAMES)
        return INVALID_ARGUMENT;
    p->pMetricEvalRequest->metricIndex = evaluator->count;
    evaluator->names[evaluator->count++] = strdup(p->pMetricName);
    return 0;
}

FUNCTION(NVPW_MetricsEvaluator_GetMetricRawDependencies)
{
    const struct evaluator *evaluator = p->pMetricsEvaluator;
    CHECK_SIZE(NVPW_MetricsEvaluator_GetMetricRawDependencies);
    if (p->metricEvalRequestStrideSize != sizeof *p->pMetricEvalRequests || p->numMetricEvalRequests != 1)
        return INVALID_ARGUMENT;
    if (p->ppRawDependencies && p->numRawDependencies < 1)
        return INVALID_ARGUMENT;
    if (p->ppRawDependencies)
        p->ppRawDependencies[0] = evaluator->names[p->pMetricEvalRequests->metricIndex];
    p->numRawDependencies = 1;
    p->numOptionalRawDependencies = 0;
    return 0;
}

FUNCTION(NVPW_MetricsEvaluator_SetDeviceAttributes)
{
    CHECK_SIZE(NVPW_MetricsEvaluator_SetDeviceAttributes);
    ((struct evaluator *)p->pMetricsEvaluator)->image = p->pCounterDataImage;
    return 0;
}

FUNCTION(NVPW_MetricsEvaluator_EvaluateToGpuValues)
{
    const struct evaluator *evaluator = p->pMetricsEvaluator;
    const struct session_image *image = (const void *)p->pCounterDataImage;
    CHECK_SIZE(NVPW_MetricsEvaluator_EvaluateToGpuValues);
    if (evaluator->image != p->pCounterDataImage || image->magic != IMAGE_MAGIC || !image->whole || p->rangeIndex >= image->count)
        return INVALID_OBJECT_STATE;
    const double work = image->ranges[p->rangeIndex].work;
    for (size_t i = 0; i < p->numMetricEvalRequests; i++) { /* matrix instructions in work2 alone */
        const char *name = evaluator->names[p->pMetricEvalRequests[i].metricIndex];
        bool none = strstr(name, "_type_hfma2") || strstr(name, "_utcmma") || (strstr(name, "_pipe_tensor.") && work != 3000);
        p->pMetricValues[i] = none ? 0 : work + (double)i;
    }
    return 0;
}

/* ---- configurations ---- */

FUNCTION(NVPW_CUDA_RawMetricsConfig_Create_V2)
{
    CHECK_SIZE(NVPW_CUDA_RawMetricsConfig_Create_V2);
    if (p->activityKind != RL_PROFILER_ACTIVITY || !is_chip(p->pChipName))
        return INVALID_ARGUMENT;
    p->pRawMetricsConfig = calloc(1, sizeof(struct config));
    return 0;
}

FUNCTION(NVPW_RawMetricsConfig_Destroy)
{
    CHECK_SIZE(NVPW_RawMetricsConfig_Destroy);
    free(p->pRawMetricsConfig);
    return 0;
}

FUNCTION(NVPW_RawMetricsConfig_SetCounterAvailability)
{
    CHECK_SIZE(NVPW_RawMetricsConfig_SetCounterAvailability);
    return p->pCounterAvailabilityImage ? 0 : INVALID_ARGUMENT;
}

FUNCTION(NVPW_RawMetricsConfig_BeginPassGroup)
{
    struct config *config = p->pRawMetricsConfig;
    CHECK_SIZE(NVPW_RawMetricsConfig_BeginPassGroup);
    if (config->open)
        return ERROR;
    config->open = true;
    return 0;
}

FUNCTION(NVPW_RawMetricsConfig_AddMetrics)
{
    struct config *config = p->pRawMetricsConfig;
    CHECK_SIZE(NVPW_RawMetricsConfig_AddMetrics);
    if (!config->open)
        return ERROR;
    for (size_t i = 0; i < p->numMetricRequests; i++) {
        const struct rl_profiler_raw *raw = &p->pRawMetricRequests[i];
        if (raw->structSize != RL_PROFILER_RAW_SIZE || !raw->isolated || !raw->keepInstances)
            return INVALID_ARGUMENT;
        if (!exists(raw->pMetricName))
            return ERROR;
        *(strstr(raw->pMetricName, "_sass_") ? &config->software : &config->hardware) = 1;
    }
    return 0;
}

FUNCTION(NVPW_RawMetricsConfig_EndPassGroup)
{
    struct config *config = p->pRawMetricsConfig;
    CHECK_SIZE(NVPW_RawMetricsConfig_EndPassGroup);
    if (!config->open)
        return ERROR;
    config->open = false;
    return 0;
}

FUNCTION(NVPW_RawMetricsConfig_GenerateConfigImage)
{
    struct config *config = p->pRawMetricsConfig;
    CHECK_SIZE(NVPW_RawMetricsConfig_GenerateConfigImage);
    config->generated = true;
    return 0;
}

FUNCTION(NVPW_RawMetricsConfig_GetNumPasses)
{
    const struct config *config = p->pRawMetricsConfig;
    CHECK_SIZE(NVPW_RawMetricsConfig_GetNumPasses);
    p->numPipelinedPasses = 0;
    p->numIsolatedPasses = (size_t)(config->hardware + config->software);
    return 0;
}

FUNCTION(NVPW_RawMetricsConfig_GetConfigImage)
{
    const struct config *config = p->pRawMetricsConfig;
    const struct config_image image = {CONFIG_MAGIC, (uint32_t)(config->hardware + config->software)};
    CHECK_SIZE(NVPW_RawMetricsConfig_GetConfigImage);
    if (!config->generated)
        return ERROR;
    if (p->pBuffer && p->bytesAllocated < sizeof image)
        return INVALID_ARGUMENT;
    if (p->pBuffer)
        memcpy(p->pBuffer, &image, sizeof image);
    p->bytesCopied = sizeof image;
    return 0;
}

/* ---- counter images ---- */

FUNCTION(NVPW_CUDA_CounterDataBuilder_Create)
{
    CHECK_SIZE(NVPW_CUDA_CounterDataBuilder_Create);
    if (!is_chip(p->pChipName))
        return INVALID_ARGUMENT;
    p->pCounterDataBuilder = calloc(1, 1);
    return 0;
}

FUNCTION(NVPW_CounterDataBuilder_Destroy)
{
    CHECK_SIZE(NVPW_CounterDataBuilder_Destroy);
    free(p->pCounterDataBuilder);
    return 0;
}

FUNCTION(NVPW_CounterDataBuilder_AddMetrics)
{
    CHECK_SIZE(NVPW_CounterDataBuilder_AddMetrics);
    return 0;
}

FUNCTION(NVPW_CounterDataBuilder_GetCounterDataPrefix)
{
    const struct prefix prefix = {PREFIX_MAGIC};
    CHECK_SIZE(NVPW_CounterDataBuilder_GetCounterDataPrefix);
    if (p->pBuffer && p->bytesAllocated < sizeof prefix)
        return INVALID_ARGUMENT;
    if (p->pBuffer)
        memcpy(p->pBuffer, &prefix, sizeof prefix);
    p->bytesCopied = sizeof prefix;
    return 0;
}

FUNCTION(NVPW_CounterData_GetNumRanges)
{
    CHECK_SIZE(NVPW_CounterData_GetNumRanges);
    p->numRanges = ((const struct session_image *)p->pCounterDataImage)->count;
    return 0;
}

FUNCTION(NVPW_Profiler_CounterData_GetRangeDescriptions)
{
    const struct session_image *image = (const void *)p->pCounterDataImage;
    CHECK_SIZE(NVPW_Profiler_CounterData_GetRangeDescriptions);
    if (p->rangeIndex >= image->count || (p->ppDescriptions && p->numDescriptions < 1))
        return INVALID_ARGUMENT;
    if (p->ppDescriptions)
        p->ppDescriptions[0] = image->ranges[p->rangeIndex].name;
    p->numDescriptions = 1;
    return 0;
}
