/* stand_in_cupti.c - a libcupti.so.13 for the stand-in driver of stand_in_cuda.c: callbacks, activity records and ranges of
 * launches that happen nowhere. As in the stand-in of tests/gpu, $RL_REFUSE names a function that returns $RL_REFUSE_CODE instead.
 *
 * All functions in use take at most four arguments in registers and return an int, so one shape serves them all. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cupti_api.h"
#include "stand_in.h"

typedef uintptr_t word;
enum { MOST_IDS = 1024, BUFFER = 1 << 20, MOST_RANGES = 4096 };

static struct {
    CUpti_CallbackFunc callback;
    unsigned char enabled[MOST_IDS], kinds[CUPTI_ACTIVITY_KIND_COUNT];
    CUpti_BuffersCallbackRequestFunc requested;
    CUpti_BuffersCallbackCompleteFunc completed;
    uint8_t *buffer;
    size_t used, size;
    uint64_t delivered_ns;
    uint32_t period_ms;
} state;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The one window of ranges. */
static struct {
    int started, inside, user;
    size_t count;
    struct {
        char name[32];
        double work;
        unsigned launches;
    } ranges[MOST_RANGES];
} window;

/* ---- activity ---- */

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void deliver(void)
{
    pthread_mutex_lock(&lock);
    uint8_t *buffer = state.buffer;
    size_t used = state.used, size = state.size;
    state.buffer = NULL;
    state.used = 0;
    state.delivered_ns = now_ns();
    pthread_mutex_unlock(&lock);
    if (buffer)
        state.completed(NULL, 0, buffer, size, used);
}

static void add_record(const void *record, size_t bytes)
{
    if (!state.requested)
        return;
    if (state.period_ms && now_ns() - state.delivered_ns > state.period_ms * UINT64_C(1000000))
        deliver();
    if (state.buffer && state.used + bytes > state.size)
        deliver();
    pthread_mutex_lock(&lock);
    if (!state.buffer) {
        size_t max = 0;
        state.requested(&state.buffer, &state.size, &max);
    }
    memcpy(state.buffer + state.used, record, bytes);
    state.used += bytes;
    pthread_mutex_unlock(&lock);
}

static void on_kernel(const struct stand_in_kernel *kernel, const uint32_t shape[7], uint32_t correlation, uint32_t device,
                      uint32_t graph, uint64_t start_ns, uint64_t end_ns)
{
    CUpti_ActivityKernel9 record = {.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
                                    .registersPerThread = 40,
                                    .staticSharedMemory = 1024,
                                    .start = start_ns,
                                    .end = end_ns,
                                    .deviceId = device,
                                    .gridX = (int)shape[0],
                                    .gridY = (int)shape[1],
                                    .gridZ = (int)shape[2],
                                    .blockX = (int)shape[3],
                                    .blockY = (int)shape[4],
                                    .blockZ = (int)shape[5],
                                    .dynamicSharedMemory = (int)shape[6],
                                    .correlationId = correlation,
                                    .name = kernel->name,
                                    .graphId = graph};
    if (window.started && window.user && window.inside) {
        window.ranges[window.count].work += kernel->work;
        window.ranges[window.count].launches++;
    } else if (window.started && !window.user && window.count < MOST_RANGES) {
        snprintf(window.ranges[window.count].name, sizeof window.ranges[0].name, "%zu", window.count);
        window.ranges[window.count++].work = kernel->work;
    }
    if (state.kinds[CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL])
        add_record(&record, sizeof record);
}

static void on_copy(int kind, int source, int target, uint64_t bytes, uint32_t correlation, uint32_t device, uint64_t start_ns,
                    uint64_t end_ns)
{
    CUpti_ActivityMemcpy5 record = {.kind = CUPTI_ACTIVITY_KIND_MEMCPY,
                                    .copyKind = (uint8_t)kind,
                                    .srcKind = (uint8_t)source,
                                    .dstKind = (uint8_t)target,
                                    .bytes = bytes,
                                    .start = start_ns,
                                    .end = end_ns,
                                    .deviceId = device,
                                    .correlationId = correlation};
    if (state.kinds[CUPTI_ACTIVITY_KIND_MEMCPY])
        add_record(&record, sizeof record);
}

static int get_next_record(word buffer, word valid, word out, word unused)
{
    (void)unused;
    CUpti_Activity **record = (CUpti_Activity **)out;
    uint8_t *at = *record ? (uint8_t *)*record : NULL, *begin = (uint8_t *)buffer;
    size_t bytes = !at                                             ? 0
                   : (*record)->kind == CUPTI_ACTIVITY_KIND_MEMCPY ? sizeof(CUpti_ActivityMemcpy5)
                                                                   : sizeof(CUpti_ActivityKernel9);
    at = at ? at + bytes : begin;
    if (at >= begin + valid)
        return CUPTI_ERROR_MAX_LIMIT_REACHED;
    *record = (CUpti_Activity *)at;
    return 0;
}

static int register_callbacks(word requested, word completed, word unused, word unused2)
{
    (void)unused, (void)unused2;
    state.requested = (CUpti_BuffersCallbackRequestFunc)requested;
    state.completed = (CUpti_BuffersCallbackCompleteFunc)completed;
    return 0;
}

static int enable_kind(word kind, word a, word b, word c)
{
    (void)a, (void)b, (void)c;
    state.kinds[kind] = 1;
    return 0;
}

static int disable_kind(word kind, word a, word b, word c)
{
    (void)a, (void)b, (void)c;
    state.kinds[kind] = 0;
    return 0;
}

static int flush_all(word flag, word a, word b, word c)
{
    (void)flag, (void)a, (void)b, (void)c;
    deliver();
    return 0;
}

static int flush_period(word ms, word a, word b, word c)
{
    (void)a, (void)b, (void)c;
    state.period_ms = (uint32_t)ms;
    state.delivered_ns = now_ns();
    return 0;
}

static int no_drops(word context, word stream, word dropped, word unused)
{
    (void)context, (void)stream, (void)unused;
    *(size_t *)dropped = 0;
    return 0;
}

/* ---- callbacks ---- */

static void on_call(int entering, uint32_t id, const void *params, const char *symbol, uint32_t correlation, CUcontext context,
                    CUresult result)
{
    if (!state.callback || id >= MOST_IDS || !state.enabled[id])
        return;
    CUpti_CallbackData data = {.callbackSite = entering ? CUPTI_API_ENTER : CUPTI_API_EXIT,
                               .functionParams = params,
                               .functionReturnValue = &result,
                               .symbolName = symbol,
                               .context = context,
                               .correlationId = correlation};
    state.callback(NULL, CUPTI_CB_DOMAIN_DRIVER_API, id, &data);
}

static void on_context_destroyed(CUcontext context)
{
    CUpti_ResourceData data = {.context = context};
    if (state.callback)
        state.callback(NULL, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING, &data);
}

static int subscribe(word subscriber, word callback, word data, word unused)
{
    (void)data, (void)unused;
    *(void **)subscriber = &state;
    state.callback = (CUpti_CallbackFunc)callback;
    return 0;
}

static int enable_callback(word enable, word subscriber, word domain, word id)
{
    (void)subscriber;
    if (domain == CUPTI_CB_DOMAIN_DRIVER_API && id < MOST_IDS)
        state.enabled[id] = (unsigned char)enable;
    return 0;
}

static int get_device_id(word context, word device, word a, word b)
{
    (void)a, (void)b;
    *(uint32_t *)device = stand_in_device_of((CUcontext)context);
    return 0;
}

/* ---- counters ---- */

/* A host object: the names that were added, as far as the number of passes goes. */
struct host {
    int hardware, software;
};

static int host_initialize(word params, word a, word b, word c)
{
    (void)a, (void)b, (void)c;
    ((CUpti_Profiler_Host_Initialize_Params *)params)->pHostObject = calloc(1, sizeof(struct host));
    return 0;
}

static int host_deinitialize(word params, word a, word b, word c)
{
    (void)a, (void)b, (void)c;
    free(((CUpti_Profiler_Host_Deinitialize_Params *)params)->pHostObject);
    return 0;
}

static int add_metrics(word params, word a, word b, word c)
{
    (void)a, (void)b, (void)c;
    CUpti_Profiler_Host_ConfigAddMetrics_Params *add = (void *)params;
    struct host *host = (void *)add->pHostObject;
    for (size_t i = 0; i < add->numMetrics; i++)
        *(strstr(add->ppMetricNames[i], "_sass_") ? &host->software : &host->hardware) = 1;
    return 0;
}

static int image_size(word params, word a, word b, word c)
{
    (void)a, (void)b, (void)c;
    ((CUpti_Profiler_Host_GetConfigImageSize_Params *)params)->configImageSize = sizeof(struct host);
    return 0;
}

static int image(word params, word a, word b, word c)
{
    (void)a, (void)b, (void)c;
    CUpti_Profiler_Host_GetConfigImage_Params *get = (void *)params;
    memcpy(get->pConfigImage, get->pHostObject, sizeof(struct host));
    return 0;
}

static int passes(word params, word a, word b, word c)
{
    (void)a, (void)b, (void)c;
    CUpti_Profiler_Host_GetNumOfPasses_Params *get = (void *)params;
    struct host host;
    memcpy(&host, get->pConfigImage, sizeof host);
    get->numOfPasses = (size_t)(host.hardware + host.software);
    return 0;
}

static int chip_name(word params, word a, word b, word c)
{
    (void)a, (void)b, (void)c;
    ((CUpti_Device_GetChipName_Params *)params)->pChipName = "GH100";
    return 0;
}

static int availability(word params, word a, word b, word c)
{
    (void)a, (void)b, (void)c;
    CUpti_Profiler_GetCounterAvailability_Params *get = (void *)params;
    if (!get->pCounterAvailabilityImage)
        get->counterAvailabilityImageSize = 8;
    return 0;
}

static int enable_ranges(word params, word a, word b, word c)
{
    (void)a, (void)b, (void)c;
    ((CUpti_RangeProfiler_Enable_Params *)params)->pRangeProfilerObject = (CUpti_RangeProfiler_Object *)&window;
    return 0;
}

static int data_size(word params, word a, word b, word c)
{
    (void)a, (void)b, (void)c;
    ((CUpti_RangeProfiler_GetCounterDataSize_Params *)params)->counterDataSize = 64;
    return 0;
}

static int set_config(word params, word a, word b, word c)
{
    (void)a, (void)b, (void)c;
    const CUpti_RangeProfiler_SetConfig_Params *config = (CUpti_RangeProfiler_SetConfig_Params *)params;
    window.user = config->range == CUPTI_UserRange;
    return config->replayMode == CUPTI_KernelReplay && getenv("RL_REFUSE_REPLAY") ? CUPTI_ERROR_OUT_OF_MEMORY : 0;
}

static int start(word params, word a, word b, word c)
{
    (void)params, (void)a, (void)b, (void)c;
    const char *slow_ms = getenv("RL_SLOW_START");
    if (slow_ms)
        usleep(1000 * (useconds_t)strtol(slow_ms, NULL, 10));
    memset(window.ranges, 0, sizeof window.ranges);
    window.count = 0;
    window.started = 1;
    return 0;
}

static int stop(word params, word a, word b, word c)
{
    (void)a, (void)b, (void)c;
    ((CUpti_RangeProfiler_Stop_Params *)params)->isAllPassSubmitted = 1;
    window.started = 0;
    return 0;
}

static int push(word params, word a, word b, word c)
{
    (void)a, (void)b, (void)c;
    snprintf(window.ranges[window.count].name, sizeof window.ranges[0].name, "%s",
             ((CUpti_RangeProfiler_PushRange_Params *)params)->pRangeName);
    window.inside = 1;
    return 0;
}

static int pop(word params, word a, word b, word c)
{
    (void)params, (void)a, (void)b, (void)c;
    window.inside = 0;
    window.count++;
    return 0;
}

static int data_info(word params, word a, word b, word c)
{
    (void)a, (void)b, (void)c;
    ((CUpti_RangeProfiler_GetCounterDataInfo_Params *)params)->numTotalRanges = window.count;
    return 0;
}

static int range_name(word params, word a, word b, word c)
{
    (void)a, (void)b, (void)c;
    CUpti_Profiler_Host_GetRangeName_Params *get = (void *)params;
    get->pRangeName = strdup(window.ranges[get->rangeIndex].name);
    return 0;
}

static int evaluate(word params, word a, word b, word c)
{
    (void)a, (void)b, (void)c;
    CUpti_Profiler_Host_EvaluateToGpuValues_Params *get = (void *)params;
    for (size_t i = 0; i < get->numMetrics; i++) { /* matrix instructions in work2 alone */
        const double work = window.ranges[get->rangeIndex].work;
        const char *name = get->ppMetricNames[i];
        bool none = strstr(name, "_type_hfma2") || strstr(name, "_utcmma") || (strstr(name, "_pipe_tensor.") && work != 3000);
        get->pMetricValues[i] = none ? 0 : work + (double)i;
    }
    return 0;
}

static int version(word number, word a, word b, word c)
{
    (void)a, (void)b, (void)c;
    *(uint32_t *)number = 130001;
    return 0;
}

static int succeed(word a, word b, word c, word d)
{
    (void)a, (void)b, (void)c, (void)d;
    return 0;
}

/* What is not here is refused, as by a library that has not been initialised. */
static const struct {
    const char *name;
    int (*function)(word, word, word, word);
} functions[] = {
    {"cuptiGetVersion", version},
    {"cuptiSubscribe", subscribe},
    {"cuptiEnableCallback", enable_callback},
    {"cuptiGetDeviceId", get_device_id},
    {"cuptiActivityRegisterCallbacks", register_callbacks},
    {"cuptiActivityEnable", enable_kind},
    {"cuptiActivityDisable", disable_kind},
    {"cuptiActivityGetNextRecord", get_next_record},
    {"cuptiActivityGetNumDroppedRecords", no_drops},
    {"cuptiActivityFlushAll", flush_all},
    {"cuptiActivityFlushPeriod", flush_period},
    {"cuptiDeviceGetChipName", chip_name},
    {"cuptiProfilerInitialize", succeed},
    {"cuptiProfilerGetCounterAvailability", availability},
    {"cuptiProfilerHostInitialize", host_initialize},
    {"cuptiProfilerHostDeinitialize", host_deinitialize},
    {"cuptiProfilerHostConfigAddMetrics", add_metrics},
    {"cuptiProfilerHostGetConfigImageSize", image_size},
    {"cuptiProfilerHostGetConfigImage", image},
    {"cuptiProfilerHostGetNumOfPasses", passes},
    {"cuptiProfilerHostGetRangeName", range_name},
    {"cuptiProfilerHostEvaluateToGpuValues", evaluate},
    {"cuptiRangeProfilerEnable", enable_ranges},
    {"cuptiRangeProfilerDisable", succeed},
    {"cuptiRangeProfilerGetCounterDataSize", data_size},
    {"cuptiRangeProfilerCounterDataImageInitialize", succeed},
    {"cuptiRangeProfilerSetConfig", set_config},
    {"cuptiRangeProfilerStart", start},
    {"cuptiRangeProfilerStop", stop},
    {"cuptiRangeProfilerPushRange", push},
    {"cuptiRangeProfilerPopRange", pop},
    {"cuptiRangeProfilerDecodeData", succeed},
    {"cuptiRangeProfilerGetCounterDataInfo", data_info},
};

static int forward(const char *name, word a, word b, word c, word d)
{
    const char *refused = getenv("RL_REFUSE");
    if (refused && strcmp(refused, name) == 0)
        return (int)strtol(getenv("RL_REFUSE_CODE"), NULL, 10);
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (strcmp(functions[i].name, name) == 0)
            return functions[i].function(a, b, c, d);
    return CUPTI_ERROR_NOT_INITIALIZED;
}

__attribute__((constructor)) static void attach(void)
{
    static const struct stand_in_hooks hooks = {on_call, on_kernel, on_copy, on_context_destroyed};
    stand_in_attach(&hooks);
}

#define CUPTI_FUNCTION(name)                                                                                                       \
    int stand_in_##name(word a, word b, word c, word d) __asm__(#name);                                                            \
    __attribute__((visibility("default"))) int stand_in_##name(word a, word b, word c, word d)                                     \
    {                                                                                                                              \
        return forward(#name, a, b, c, d);                                                                                         \
    }
#include "cupti_api.def"
#undef CUPTI_FUNCTION
