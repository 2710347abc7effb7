/* Calls of the older interfaces that need no card, each said with the code that it ends with: what the stand-ins of tests/inject
 * say is held against what the libraries say that they stand for (older.py). Right calls, buffers that are too small, a wrong
 * order, names that are none. Opens the CUPTI that $ROOFLIGHT_CUPTI_DIR names.
 *
 *     older_same range | profiler | event */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/collector.h"
#include "core/mem.h"
#include "cupti_api.h"
#include "profiler_api.h"

/* A call with what it is called for, and its code. */
#define SAY(what, function, ...)                                                                                                   \
    printf("%s, %s: %d\n", #function, what,                                                                                        \
           rl_profiler.function(&(struct rl_##function){.structSize = rl_##function##_SIZE, __VA_ARGS__}))
/* The same with parameters that are needed afterwards. */
#define SAY_OF(what, function, params) printf("%s, %s: %d\n", #function, what, rl_profiler.function(&(params)))

enum { SKIPPED = 77 };
static const char *const chip = "GH100", *const counter = "sm__cycles_active.avg";

static void sizes(void)
{
    SAY("again", NVPW_InitializeHost, .pPriv = NULL);
    SAY("a chip that is none", NVPW_CUDA_MetricsEvaluator_CalculateScratchBufferSize, .pChipName = "GX999");
    SAY("no chip", NVPW_CUDA_MetricsEvaluator_CalculateScratchBufferSize, .pChipName = NULL);
}

static void *evaluator_of(uint8_t **scratch)
{
    RL_PROFILER_PARAMS(NVPW_CUDA_MetricsEvaluator_CalculateScratchBufferSize, size);
    size.pChipName = chip;
    SAY_OF("a chip", NVPW_CUDA_MetricsEvaluator_CalculateScratchBufferSize, size);
    RL_PROFILER_PARAMS(NVPW_CUDA_MetricsEvaluator_Initialize, params);
    params.pChipName = chip;
    SAY_OF("no room", NVPW_CUDA_MetricsEvaluator_Initialize, params);
    params.pScratchBuffer = *scratch = rl_calloc(size.scratchBufferSize, 1);
    params.scratchBufferSize = size.scratchBufferSize - 1;
    SAY_OF("less room than asked for", NVPW_CUDA_MetricsEvaluator_Initialize, params);
    params.scratchBufferSize = size.scratchBufferSize;
    SAY_OF("room", NVPW_CUDA_MetricsEvaluator_Initialize, params);
    return params.pMetricsEvaluator;
}

static struct rl_profiler_request request_of(void *evaluator)
{
    struct rl_profiler_request request = {0};
    RL_PROFILER_PARAMS(NVPW_MetricsEvaluator_ConvertMetricNameToMetricEvalRequest, params);
    params.pMetricsEvaluator = evaluator;
    params.pMetricEvalRequest = &request;
    params.metricEvalRequestStructSize = RL_PROFILER_REQUEST_SIZE;
    params.pMetricName = "sm__no_such_counter.avg";
    SAY_OF("a name that is none", NVPW_MetricsEvaluator_ConvertMetricNameToMetricEvalRequest, params);
    params.pMetricName = "sm__cycles_active";
    SAY_OF("half a name", NVPW_MetricsEvaluator_ConvertMetricNameToMetricEvalRequest, params);
    params.pMetricName = counter;
    SAY_OF("a name", NVPW_MetricsEvaluator_ConvertMetricNameToMetricEvalRequest, params);
    return request;
}

static const char *raw_of(void *evaluator, const struct rl_profiler_request *request)
{
    static const char *names[64];
    RL_PROFILER_PARAMS(NVPW_MetricsEvaluator_GetMetricRawDependencies, params);
    params.pMetricsEvaluator = evaluator;
    params.pMetricEvalRequests = request;
    params.numMetricEvalRequests = 1;
    params.metricEvalRequestStructSize = RL_PROFILER_REQUEST_SIZE;
    params.metricEvalRequestStrideSize = sizeof *request;
    SAY_OF("how many", NVPW_MetricsEvaluator_GetMetricRawDependencies, params);
    params.ppRawDependencies = names;
    params.numOptionalRawDependencies = 0;
    SAY_OF("as many as there are", NVPW_MetricsEvaluator_GetMetricRawDependencies, params);
    params.numRawDependencies = 0;
    const char **all = params.ppRawDependencies;
    SAY_OF("room for none", NVPW_MetricsEvaluator_GetMetricRawDependencies, params);
    return all[0];
}

static void configurations(const char *raw)
{
    const struct rl_profiler_raw request = {
        .structSize = RL_PROFILER_RAW_SIZE, .pMetricName = raw, .isolated = 1, .keepInstances = 1};
    const struct rl_profiler_raw unknown = {
        .structSize = RL_PROFILER_RAW_SIZE, .pMetricName = "no_such_raw", .isolated = 1, .keepInstances = 1};
    RL_PROFILER_PARAMS(NVPW_CUDA_RawMetricsConfig_Create_V2, create);
    create.activityKind = RL_PROFILER_ACTIVITY;
    create.pChipName = "GX999";
    SAY_OF("a chip that is none", NVPW_CUDA_RawMetricsConfig_Create_V2, create);
    create.pChipName = chip;
    SAY_OF("a chip", NVPW_CUDA_RawMetricsConfig_Create_V2, create);
    void *config = create.pRawMetricsConfig;
    SAY("before a group", NVPW_RawMetricsConfig_AddMetrics, .pRawMetricsConfig = config, .pRawMetricRequests = &request,
        .numMetricRequests = 1);
    SAY("before a group", NVPW_RawMetricsConfig_EndPassGroup, .pRawMetricsConfig = config);
    SAY("before there is an image", NVPW_RawMetricsConfig_GetConfigImage, .pRawMetricsConfig = config);
    SAY("before there is an image", NVPW_RawMetricsConfig_GetNumPasses, .pRawMetricsConfig = config);
    SAY("no availability", NVPW_RawMetricsConfig_SetCounterAvailability, .pRawMetricsConfig = config);
    SAY("a group", NVPW_RawMetricsConfig_BeginPassGroup, .pRawMetricsConfig = config);
    SAY("a group in a group", NVPW_RawMetricsConfig_BeginPassGroup, .pRawMetricsConfig = config);
    SAY("a counter that is none", NVPW_RawMetricsConfig_AddMetrics, .pRawMetricsConfig = config, .pRawMetricRequests = &unknown,
        .numMetricRequests = 1);
    SAY("in a group", NVPW_RawMetricsConfig_AddMetrics, .pRawMetricsConfig = config, .pRawMetricRequests = &request,
        .numMetricRequests = 1);
    SAY("in a group", NVPW_RawMetricsConfig_GenerateConfigImage, .pRawMetricsConfig = config);
    SAY("of a group", NVPW_RawMetricsConfig_EndPassGroup, .pRawMetricsConfig = config);
    SAY("after it", NVPW_RawMetricsConfig_GenerateConfigImage, .pRawMetricsConfig = config);
    RL_PROFILER_PARAMS(NVPW_RawMetricsConfig_GetNumPasses, passes);
    passes.pRawMetricsConfig = config;
    SAY_OF("of an image", NVPW_RawMetricsConfig_GetNumPasses, passes);
    printf("passes: %zu\n", passes.numPipelinedPasses + passes.numIsolatedPasses);
    RL_PROFILER_PARAMS(NVPW_RawMetricsConfig_GetConfigImage, image);
    image.pRawMetricsConfig = config;
    SAY_OF("how large", NVPW_RawMetricsConfig_GetConfigImage, image);
    image.bytesAllocated = image.bytesCopied;
    image.pBuffer = rl_calloc(image.bytesCopied, 1);
    SAY_OF("room", NVPW_RawMetricsConfig_GetConfigImage, image);
    image.bytesAllocated = image.bytesCopied - 1;
    SAY_OF("less room than that", NVPW_RawMetricsConfig_GetConfigImage, image);
    free(image.pBuffer);
    SAY("a configuration", NVPW_RawMetricsConfig_Destroy, .pRawMetricsConfig = config);
}

static void prefixes(const char *raw)
{
    const struct rl_profiler_raw request = {
        .structSize = RL_PROFILER_RAW_SIZE, .pMetricName = raw, .isolated = 1, .keepInstances = 1};
    RL_PROFILER_PARAMS(NVPW_CUDA_CounterDataBuilder_Create, create);
    create.pChipName = "GX999";
    SAY_OF("a chip that is none", NVPW_CUDA_CounterDataBuilder_Create, create);
    create.pChipName = chip;
    SAY_OF("a chip", NVPW_CUDA_CounterDataBuilder_Create, create);
    RL_PROFILER_PARAMS(NVPW_CounterDataBuilder_GetCounterDataPrefix, get);
    get.pCounterDataBuilder = create.pCounterDataBuilder;
    SAY_OF("of no counters", NVPW_CounterDataBuilder_GetCounterDataPrefix, get);
    SAY("a counter", NVPW_CounterDataBuilder_AddMetrics, .pCounterDataBuilder = create.pCounterDataBuilder,
        .pRawMetricRequests = &request, .numMetricRequests = 1);
    SAY_OF("how large", NVPW_CounterDataBuilder_GetCounterDataPrefix, get);
    get.bytesAllocated = get.bytesCopied;
    get.pBuffer = rl_calloc(get.bytesCopied, 1);
    SAY_OF("room", NVPW_CounterDataBuilder_GetCounterDataPrefix, get);
    get.bytesAllocated = get.bytesCopied - 1;
    SAY_OF("less room than that", NVPW_CounterDataBuilder_GetCounterDataPrefix, get);
    free(get.pBuffer);
    SAY("a builder", NVPW_CounterDataBuilder_Destroy, .pCounterDataBuilder = create.pCounterDataBuilder);
}

static int profiler(void)
{
    struct rl_err err = RL_ERR_INIT;
    uint8_t *scratch = NULL;
    if (rl_profiler_open(&err) != RL_OK) {
        printf("%s\n", err.text);
        return 1;
    }
    sizes();
    void *evaluator = evaluator_of(&scratch);
    const struct rl_profiler_request request = request_of(evaluator);
    const char *raw = raw_of(evaluator, &request);
    configurations(raw);
    prefixes(raw);
    SAY("an evaluator", NVPW_MetricsEvaluator_Destroy, .pMetricsEvaluator = evaluator);
    free(scratch);
    return 0;
}

/* ---- the range profiler's host library ---- */

#define SAY_RANGE(what, function, params) printf("%s, %s: %d\n", #function, what, rl_cupti.function(&(params)))

static CUpti_Profiler_Host_Object *host_of(void)
{
    RL_CUPTI_PARAMS(CUpti_Profiler_Host_Initialize_Params, params);
    params.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    params.pChipName = "GX999";
    SAY_RANGE("a chip that is none", cuptiProfilerHostInitialize, params);
    params.pChipName = NULL;
    SAY_RANGE("no chip", cuptiProfilerHostInitialize, params);
    params.pChipName = chip;
    SAY_RANGE("a chip", cuptiProfilerHostInitialize, params);
    return params.pHostObject;
}

static void counters_of(CUpti_Profiler_Host_Object *host)
{
    const char *names[1] = {NULL};
    RL_CUPTI_PARAMS(CUpti_Profiler_Host_ConfigAddMetrics_Params, add);
    add.pHostObject = host;
    add.numMetrics = 1;
    SAY_RANGE("no names", cuptiProfilerHostConfigAddMetrics, add);
    add.ppMetricNames = names;
    names[0] = counter;
    SAY_RANGE("a name", cuptiProfilerHostConfigAddMetrics, add);
    names[0] = "smsp__sass_inst_executed.sum";
    SAY_RANGE("another name", cuptiProfilerHostConfigAddMetrics, add);
}

/* A name that is none spoils the object. */
static void spoil(CUpti_Profiler_Host_Object *host)
{
    const char *names[] = {"sm__no_such_counter.avg"};
    RL_CUPTI_PARAMS(CUpti_Profiler_Host_ConfigAddMetrics_Params, add);
    RL_CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImageSize_Params, size);
    add.pHostObject = size.pHostObject = host;
    add.numMetrics = 1;
    add.ppMetricNames = names;
    SAY_RANGE("a name that is none", cuptiProfilerHostConfigAddMetrics, add);
    names[0] = counter;
    SAY_RANGE("a name after that", cuptiProfilerHostConfigAddMetrics, add);
    SAY_RANGE("after that", cuptiProfilerHostGetConfigImageSize, size);
}

static void image_of(CUpti_Profiler_Host_Object *host)
{
    RL_CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImageSize_Params, size);
    RL_CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImage_Params, get);
    RL_CUPTI_PARAMS(CUpti_Profiler_Host_GetNumOfPasses_Params, passes);
    size.pHostObject = get.pHostObject = host;
    SAY_RANGE("of counters", cuptiProfilerHostGetConfigImageSize, size);
    get.pConfigImage = rl_calloc(size.configImageSize, 1);
    get.configImageSize = size.configImageSize - 1;
    SAY_RANGE("less room than that", cuptiProfilerHostGetConfigImage, get);
    get.configImageSize = size.configImageSize;
    SAY_RANGE("room", cuptiProfilerHostGetConfigImage, get);
    passes.pConfigImage = get.pConfigImage;
    passes.configImageSize = size.configImageSize;
    SAY_RANGE("of an image", cuptiProfilerHostGetNumOfPasses, passes);
    printf("passes: %zu\n", passes.numOfPasses);
    free(get.pConfigImage);
}

static int range(void)
{
    RL_CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImageSize_Params, size);
    RL_CUPTI_PARAMS(CUpti_Profiler_Host_Deinitialize_Params, close);
    rl_cupti_load_host();
    SAY_RANGE("of nothing", cuptiProfilerHostGetConfigImageSize, size);
    SAY_RANGE("nothing", cuptiProfilerHostDeinitialize, close);
    close.pHostObject = host_of();
    counters_of(close.pHostObject);
    image_of(close.pHostObject);
    SAY_RANGE("a host object", cuptiProfilerHostDeinitialize, close);
    close.pHostObject = host_of();
    spoil(close.pHostObject);
    SAY_RANGE("a spoilt one", cuptiProfilerHostDeinitialize, close);
    return 0;
}

int main(int argc, char **argv)
{
    (void)argc;
    if (rl_cupti_open(NULL, NULL) != RL_OK)
        return SKIPPED;
    return strcmp(argv[1], "profiler") == 0 ? profiler() : range();
}
