/* cupti.cu - a program that uses CUPTI itself, on a card: what it prints is what CUPTI gave it.
 *
 *     cupti LIBCUPTI WHAT      the library is opened by its path, and its functions are looked up
 *
 * early: activities are recorded before CUDA is used; activity: after; callbacks; ranges: range profiler; samples: PC sampling. */
#include <cuda.h>
#include <cupti_activity.h>
#include <cupti_callbacks.h>
#include <cupti_pcsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

#define FUNCTIONS(F)                                                                                                               \
    F(cuptiActivityRegisterCallbacks) F(cuptiActivityEnable) F(cuptiActivityDisable) F(cuptiActivityFlushAll)                      \
    F(cuptiActivityGetNextRecord) F(cuptiActivityGetNumDroppedRecords) F(cuptiFinalize) F(cuptiSubscribe) F(cuptiUnsubscribe)      \
    F(cuptiEnableDomain) F(cuptiEnableCallback) F(cuptiProfilerInitialize) F(cuptiProfilerDeInitialize)         \
    F(cuptiProfilerGetCounterAvailability) F(cuptiDeviceGetChipName) F(cuptiProfilerHostInitialize)                                \
    F(cuptiProfilerHostConfigAddMetrics) F(cuptiProfilerHostGetConfigImageSize) F(cuptiProfilerHostGetConfigImage)                 \
    F(cuptiProfilerHostEvaluateToGpuValues) F(cuptiRangeProfilerEnable) F(cuptiRangeProfilerDisable)                               \
    F(cuptiRangeProfilerGetCounterDataSize) F(cuptiRangeProfilerCounterDataImageInitialize) F(cuptiRangeProfilerSetConfig)         \
    F(cuptiRangeProfilerStart) F(cuptiRangeProfilerStop) F(cuptiRangeProfilerDecodeData)                                           \
    F(cuptiRangeProfilerGetCounterDataInfo) F(cuptiPCSamplingEnable) F(cuptiPCSamplingDisable)                                     \
    F(cuptiPCSamplingSetConfigurationAttribute) F(cuptiPCSamplingGetNumStallReasons) F(cuptiPCSamplingGetStallReasons)             \
    F(cuptiPCSamplingGetData)
static struct {
#define MEMBER(name) decltype(&::name) name;
    FUNCTIONS(MEMBER)
} cupti;

static void open_cupti(const char *path)
{
    void *library = dlopen(path, RTLD_NOW);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        exit(3);
    }
#define FIND(name) cupti.name = (decltype(&::name))dlsym(library, #name);
    FUNCTIONS(FIND)
}

/* Only failures are printed. */
static int call(CUptiResult result, const char *what)
{
    if (result != CUPTI_SUCCESS)
        printf("%s: error %d\n", what, (int)result);
    return result == CUPTI_SUCCESS;
}
#define CALL(name, ...) call(cupti.name(__VA_ARGS__), #name)
#define PARAMS(type, name)                                                                                                         \
    type name = {};                                                                                                                \
    name.structSize = type##_STRUCT_SIZE

static __global__ void work(float *x, int n)
{
    float v = x[threadIdx.x];
    for (int i = 0; i < n; i++)
        v = v * 1.0001f + 0.5f;
    x[threadIdx.x] = v;
}

static float *device;
static CUcontext context;

static void start_cuda()
{
    cudaMalloc(&device, 1 << 20);
    cuCtxGetCurrent(&context);
    work<<<132, 256>>>(device, 100);
    cudaDeviceSynchronize();
}

enum { LAUNCHES = 300 };
static void launch_all()
{
    static float host[256];
    for (int i = 0; i < LAUNCHES; i++) {
        work<<<132, 256>>>(device, 4000);
        if (i % 10 == 0)
            cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
        if (i % 30 == 0)
            cudaMemset(device, 0, 1 << 20);
    }
    cudaDeviceSynchronize();
}

/* ---- activities ---- */

static unsigned records[CUPTI_ACTIVITY_KIND_COUNT], requested, completed;
static double kernel_ns, least_ns = 1e18;
static size_t dropped;

static void CUPTIAPI on_requested(uint8_t **buffer, size_t *size, size_t *most)
{
    *size = 64 << 10;
    *buffer = (uint8_t *)aligned_alloc(8, *size);
    *most = 0;
    requested++;
}

static void CUPTIAPI on_completed(CUcontext, uint32_t, uint8_t *buffer, size_t, size_t valid)
{
    CUpti_Activity *record = NULL;
    size_t lost = 0;
    completed++;
    while (cupti.cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
        records[record->kind]++;
        if (record->kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL && record->kind != CUPTI_ACTIVITY_KIND_KERNEL)
            continue;
        const CUpti_ActivityKernel9 *kernel = (const CUpti_ActivityKernel9 *)record;
        const double ns = (double)(kernel->end - kernel->start);
        kernel_ns += ns;
        least_ns = ns < least_ns ? ns : least_ns;
    }
    cupti.cuptiActivityGetNumDroppedRecords(NULL, 0, &lost);
    dropped += lost;
    free(buffer);
}

static void tell(const char *what)
{
    const unsigned kernels = records[CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL] + records[CUPTI_ACTIVITY_KIND_KERNEL];
    printf("%s: %u buffers requested, %u completed, %zu dropped;", what, requested, completed, dropped);
    for (unsigned kind = 0; kind < CUPTI_ACTIVITY_KIND_COUNT; kind++)
        if (records[kind])
            printf(" kind %u: %u,", kind, records[kind]);
    printf("\n");
    if (kernels)
        printf("time of a kernel: mean %.0f ns, least %.0f ns\n", kernel_ns / kernels, least_ns);
    memset(records, 0, sizeof records);
    kernel_ns = 0;
    least_ns = 1e18;
    requested = completed = 0;
}

static const CUpti_ActivityKind kinds[] = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
                                           CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_DRIVER};

static void cycle(const char *what, bool ends)
{
    CALL(cuptiActivityRegisterCallbacks, on_requested, on_completed);
    for (CUpti_ActivityKind kind : kinds)
        CALL(cuptiActivityEnable, kind);
    if (!device)
        start_cuda();
    launch_all();
    CALL(cuptiActivityFlushAll, 1);
    for (CUpti_ActivityKind kind : kinds)
        CALL(cuptiActivityDisable, kind);
    tell(what);
    if (ends)
        CALL(cuptiFinalize);
    launch_all();
}

static void activity(bool early)
{
    if (!early) {
        start_cuda();
        launch_all();
    }
    cycle("first", false);
    cycle("second", true);
    cycle("after cuptiFinalize", false);
}

/* ---- callbacks ---- */

static unsigned entered[8], left[8];

static void CUPTIAPI on_call(void *, CUpti_CallbackDomain domain, CUpti_CallbackId, const void *data)
{
    const bool call = domain == CUPTI_CB_DOMAIN_DRIVER_API || domain == CUPTI_CB_DOMAIN_RUNTIME_API;
    (call && ((const CUpti_CallbackData *)data)->callbackSite == CUPTI_API_EXIT ? left : entered)[domain & 7]++;
}

static void callbacks()
{
    CUpti_SubscriberHandle mine = NULL, second = NULL;
    start_cuda();
    for (int i = 0; i < 2; i++) {
        CALL(cuptiSubscribe, &mine, on_call, NULL);
        printf("a second one: %d\n", (int)cupti.cuptiSubscribe(&second, on_call, NULL));
        CALL(cuptiEnableDomain, 1, mine, CUPTI_CB_DOMAIN_RUNTIME_API);
        CALL(cuptiEnableDomain, 1, mine, CUPTI_CB_DOMAIN_DRIVER_API);
        launch_all();
        CALL(cuptiEnableDomain, 0, mine, CUPTI_CB_DOMAIN_DRIVER_API);
        launch_all();
        CALL(cuptiUnsubscribe, mine);
        launch_all();
        printf("runtime: %u entered, %u left; driver: %u entered, %u left\n", entered[CUPTI_CB_DOMAIN_RUNTIME_API],
               left[CUPTI_CB_DOMAIN_RUNTIME_API], entered[CUPTI_CB_DOMAIN_DRIVER_API], left[CUPTI_CB_DOMAIN_DRIVER_API]);
    }
}

/* ---- counters ---- */

static void ranges()
{
    const char *metrics[] = {"smsp__inst_executed.sum"};
    enum { RANGES = 4 };
    start_cuda();
    launch_all();
    PARAMS(CUpti_Profiler_Initialize_Params, initialize);
    CALL(cuptiProfilerInitialize, &initialize);
    PARAMS(CUpti_Device_GetChipName_Params, chip);
    CALL(cuptiDeviceGetChipName, &chip);
    PARAMS(CUpti_Profiler_GetCounterAvailability_Params, available);
    available.ctx = context;
    CALL(cuptiProfilerGetCounterAvailability, &available);
    std::vector<uint8_t> availability(available.counterAvailabilityImageSize);
    available.pCounterAvailabilityImage = availability.data();
    CALL(cuptiProfilerGetCounterAvailability, &available);
    PARAMS(CUpti_Profiler_Host_Initialize_Params, host);
    host.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    host.pChipName = chip.pChipName;
    host.pCounterAvailabilityImage = availability.data();
    CALL(cuptiProfilerHostInitialize, &host);
    PARAMS(CUpti_Profiler_Host_ConfigAddMetrics_Params, add);
    add.pHostObject = host.pHostObject;
    add.ppMetricNames = metrics;
    add.numMetrics = 1;
    CALL(cuptiProfilerHostConfigAddMetrics, &add);
    PARAMS(CUpti_Profiler_Host_GetConfigImageSize_Params, size);
    size.pHostObject = host.pHostObject;
    CALL(cuptiProfilerHostGetConfigImageSize, &size);
    std::vector<uint8_t> config(size.configImageSize);
    PARAMS(CUpti_Profiler_Host_GetConfigImage_Params, image);
    image.pHostObject = host.pHostObject;
    image.configImageSize = config.size();
    image.pConfigImage = config.data();
    CALL(cuptiProfilerHostGetConfigImage, &image);
    for (int i = 0; i < 2; i++) {
        PARAMS(CUpti_RangeProfiler_Enable_Params, enable);
        enable.ctx = context;
        if (!CALL(cuptiRangeProfilerEnable, &enable))
            return;
        CUpti_RangeProfiler_Object *object = enable.pRangeProfilerObject;
        PARAMS(CUpti_RangeProfiler_GetCounterDataSize_Params, bytes);
        bytes.pRangeProfilerObject = object;
        bytes.pMetricNames = metrics;
        bytes.numMetrics = 1;
        bytes.maxNumOfRanges = bytes.maxNumRangeTreeNodes = RANGES;
        CALL(cuptiRangeProfilerGetCounterDataSize, &bytes);
        std::vector<uint8_t> data(bytes.counterDataSize);
        PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params, blank);
        blank.pRangeProfilerObject = object;
        blank.counterDataSize = data.size();
        blank.pCounterData = data.data();
        CALL(cuptiRangeProfilerCounterDataImageInitialize, &blank);
        PARAMS(CUpti_RangeProfiler_SetConfig_Params, set);
        set.pRangeProfilerObject = object;
        set.configSize = config.size();
        set.pConfig = config.data();
        set.counterDataImageSize = data.size();
        set.pCounterDataImage = data.data();
        set.range = CUPTI_AutoRange;
        set.replayMode = CUPTI_KernelReplay;
        set.maxRangesPerPass = RANGES;
        set.numNestingLevels = set.minNestingLevel = set.targetNestingLevel = 1;
        CALL(cuptiRangeProfilerSetConfig, &set);
        PARAMS(CUpti_RangeProfiler_Start_Params, start);
        start.pRangeProfilerObject = object;
        CALL(cuptiRangeProfilerStart, &start);
        for (int n = 0; n < RANGES; n++)
            work<<<132, 256>>>(device, 1000);
        cudaDeviceSynchronize();
        PARAMS(CUpti_RangeProfiler_Stop_Params, stop);
        stop.pRangeProfilerObject = object;
        CALL(cuptiRangeProfilerStop, &stop);
        PARAMS(CUpti_RangeProfiler_DecodeData_Params, decode);
        decode.pRangeProfilerObject = object;
        CALL(cuptiRangeProfilerDecodeData, &decode);
        PARAMS(CUpti_RangeProfiler_GetCounterDataInfo_Params, info);
        info.pCounterDataImage = data.data();
        info.counterDataImageSize = data.size();
        CALL(cuptiRangeProfilerGetCounterDataInfo, &info);
        printf("%zu ranges:", info.numTotalRanges);
        for (size_t n = 0; n < info.numTotalRanges; n++) {
            double value = -1;
            PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues_Params, evaluate);
            evaluate.pHostObject = host.pHostObject;
            evaluate.pCounterDataImage = data.data();
            evaluate.counterDataImageSize = data.size();
            evaluate.rangeIndex = n;
            evaluate.ppMetricNames = metrics;
            evaluate.numMetrics = 1;
            evaluate.pMetricValues = &value;
            CALL(cuptiProfilerHostEvaluateToGpuValues, &evaluate);
            printf(" %.0f", value);
        }
        printf(" instructions\n");
        PARAMS(CUpti_RangeProfiler_Disable_Params, disable);
        disable.pRangeProfilerObject = object;
        CALL(cuptiRangeProfilerDisable, &disable);
        launch_all();
    }
    PARAMS(CUpti_Profiler_DeInitialize_Params, end);
    CALL(cuptiProfilerDeInitialize, &end);
    launch_all();
}

static void samples()
{
    enum { MOST = 64, PLACES = 4096 };
    static uint32_t numbers[MOST];
    static char texts[MOST][CUPTI_STALL_REASON_STRING_SIZE], *names[MOST];
    static CUpti_PCSamplingPCData places[PLACES];
    static CUpti_PCSamplingStallReason stalls[PLACES][MOST];
    size_t count = 0;
    start_cuda();
    launch_all();
    CUpti_PCSamplingEnableParams enable = {};
    enable.size = CUpti_PCSamplingEnableParamsSize;
    enable.ctx = context;
    if (!CALL(cuptiPCSamplingEnable, &enable))
        return;
    CUpti_PCSamplingGetNumStallReasonsParams number = {};
    number.size = CUpti_PCSamplingGetNumStallReasonsParamsSize;
    number.ctx = context;
    number.numStallReasons = &count;
    CALL(cuptiPCSamplingGetNumStallReasons, &number);
    for (int i = 0; i < MOST; i++)
        names[i] = texts[i];
    CUpti_PCSamplingGetStallReasonsParams list = {};
    list.size = CUpti_PCSamplingGetStallReasonsParamsSize;
    list.ctx = context;
    list.numStallReasons = count;
    list.stallReasonIndex = numbers;
    list.stallReasons = names;
    CALL(cuptiPCSamplingGetStallReasons, &list);
    CUpti_PCSamplingData data = {};
    data.size = sizeof data;
    data.collectNumPcs = PLACES;
    data.pPcData = places;
    for (int i = 0; i < PLACES; i++) {
        places[i].size = sizeof places[i];
        places[i].stallReason = stalls[i];
    }
    CUpti_PCSamplingConfigurationInfo info[3] = {};
    info[0].attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE;
    info[0].attributeData.collectionModeData.collectionMode = CUPTI_PC_SAMPLING_COLLECTION_MODE_CONTINUOUS;
    info[1].attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_STALL_REASON;
    info[1].attributeData.stallReasonData.stallReasonCount = count;
    info[1].attributeData.stallReasonData.pStallReasonIndex = numbers;
    info[2].attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER;
    info[2].attributeData.samplingDataBufferData.samplingDataBuffer = &data;
    CUpti_PCSamplingConfigurationInfoParams configure = {};
    configure.size = CUpti_PCSamplingConfigurationInfoParamsSize;
    configure.ctx = context;
    configure.numAttributes = 3;
    configure.pPCSamplingConfigurationInfo = info;
    CALL(cuptiPCSamplingSetConfigurationAttribute, &configure);
    for (int i = 0; i < 20; i++)
        launch_all();
    CUpti_PCSamplingDisableParams disable = {};
    disable.size = CUpti_PCSamplingDisableParamsSize;
    disable.ctx = context;
    CALL(cuptiPCSamplingDisable, &disable);
    printf("samples: %s, at %s places\n", data.totalSamples > 1000 ? "more than 1,000" : data.totalSamples ? "few" : "none",
           data.totalNumPcs > 5 ? "more than 5" : "few");
    launch_all();
}

int main(int count, char **arguments)
{
    const char *what = count > 2 ? arguments[2] : "";
    open_cupti(arguments[1]);
    if (!strcmp(what, "early") || !strcmp(what, "activity"))
        activity(what[0] == 'e');
    else if (!strcmp(what, "callbacks"))
        callbacks();
    else if (!strcmp(what, "ranges"))
        ranges();
    else if (!strcmp(what, "samples"))
        samples();
    const cudaError_t error = cudaDeviceSynchronize();
    printf("cuda: %d\n", (int)error);
    return error != cudaSuccess;
}
