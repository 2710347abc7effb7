/* guests.c - programs that use CUPTI themselves: activities with buffers of their own, callbacks, counters. What they print is what
 * CUPTI gives them. */
#include <cupti_activity.h>
#include <cupti_callbacks.h>
#include <cupti_driver_cbid.h>
#include <cupti_pcsampling.h>
#include <cupti_range_profiler.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "torture.h"

#define CUPTI_FUNCTIONS(F)                                                                                                         \
    F(cuptiActivityRegisterCallbacks)                                                                                              \
    F(cuptiActivityEnable)                                                                                                         \
    F(cuptiActivityDisable)                                                                                                        \
    F(cuptiActivityFlushAll)                                                                                                       \
    F(cuptiActivityFlushPeriod)                                                                                                    \
    F(cuptiActivityGetNextRecord)                                                                                                  \
    F(cuptiActivityGetNumDroppedRecords)                                                                                           \
    F(cuptiActivitySetAttribute)                                                                                                   \
    F(cuptiActivityGetAttribute)                                                                                                   \
    F(cuptiActivityRegisterTimestampCallback)                                                                                      \
    F(cuptiGetTimestamp)                                                                                                           \
    F(cuptiSubscribe)                                                                                                              \
    F(cuptiUnsubscribe)                                                                                                            \
    F(cuptiEnableCallback)                                                                                                         \
    F(cuptiEnableDomain)                                                                                                           \
    F(cuptiGetCallbackState)                                                                                                       \
    F(cuptiRangeProfilerEnable)                                                                                                    \
    F(cuptiRangeProfilerDisable)                                                                                                   \
    F(cuptiPCSamplingEnable)                                                                                                       \
    F(cuptiPCSamplingDisable)                                                                                                      \
    F(cuptiPCSamplingGetData)                                                                                                      \
    F(cuptiFinalize)

static struct cupti {
#define CUPTI_MEMBER(function) __typeof__(&(function)) function;
    CUPTI_FUNCTIONS(CUPTI_MEMBER)
#undef CUPTI_MEMBER
} cupti;

static void *function_of(void *library, const char *name)
{
    void *function = library ? dlsym(library, name) : NULL;
    if (!function) {
        fprintf(stderr, "CUPTI has no %s\n", name);
        _exit(77);
    }
    return function;
}

/* From where a program has it: the library that all have, a copy of its own, or another version. */
enum { PUBLIC, PRIVATE, OLDER };
static void open_cupti(int which)
{
    static const char *const variables[] = {[PRIVATE] = "TORTURE_PRIVATE_CUPTI", [OLDER] = "TORTURE_OLDER_CUPTI"};
    const char *path = which == PUBLIC ? "libcupti.so.13" : getenv(variables[which]);
    void *library = path ? dlopen(path, RTLD_NOW) : NULL;
#define CUPTI_FIND(function) cupti.function = (__typeof__(&(function)))function_of(library, #function);
    CUPTI_FUNCTIONS(CUPTI_FIND)
#undef CUPTI_FIND
}

static void works(CUptiResult result, const char *what)
{
    if (result != CUPTI_SUCCESS)
        printf("%s: error %d\n", what, (int)result);
}
#define WORKS(function, ...) works(cupti.function(__VA_ARGS__), #function)

/* ---- activities ---- */

enum { BYTES = 1 << 12, MOST_BUFFERS = 1 << 12 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint8_t *given[MOST_BUFFERS];
static unsigned requested, completed, foreign, records[CUPTI_ACTIVITY_KIND_COUNT], odd;
static uint64_t least_ns = UINT64_MAX, most_ns;

static void CUPTIAPI on_requested(uint8_t **buffer, size_t *size, size_t *most)
{
    pthread_mutex_lock(&lock);
    *buffer = aligned_alloc(8, BYTES);
    *size = BYTES;
    *most = 0;
    given[requested++ % MOST_BUFFERS] = *buffer;
    pthread_mutex_unlock(&lock);
}

static void read_one(const CUpti_Activity *record)
{
    const bool is_kernel = record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL || record->kind == CUPTI_ACTIVITY_KIND_KERNEL;
    const CUpti_ActivityKernel9 *kernel = (const CUpti_ActivityKernel9 *)record;
    if ((unsigned)record->kind >= CUPTI_ACTIVITY_KIND_COUNT) {
        odd++;
        return;
    }
    records[record->kind]++;
    if (!is_kernel)
        return;
    odd += !kernel->name || !strstr(kernel->name, "work") || kernel->end < kernel->start;
    least_ns = kernel->start < least_ns ? kernel->start : least_ns;
    most_ns = kernel->end > most_ns ? kernel->end : most_ns;
}

static void CUPTIAPI on_completed(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
    CUpti_Activity *record = NULL;
    size_t dropped = 0;
    bool found = false;
    WORKS(cuptiActivityGetNumDroppedRecords, context, stream, &dropped);
    pthread_mutex_lock(&lock);
    completed++;
    for (size_t i = 0; i < MOST_BUFFERS && !found; i++)
        if (given[i] == buffer) {
            given[i] = NULL;
            found = true;
        }
    foreign += !found || size != BYTES || valid > size;
    odd += (unsigned)dropped;
    while (cupti.cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS)
        read_one(record);
    pthread_mutex_unlock(&lock);
    free(buffer);
}

/* What has come since the last time. */
static void tell(const char *what)
{
    pthread_mutex_lock(&lock);
    printf("%s: %u buffers requested, %u completed, %u not mine, %u odd records;", what, requested, completed, foreign, odd);
    for (unsigned kind = 0; kind < CUPTI_ACTIVITY_KIND_COUNT; kind++)
        if (records[kind])
            printf(" %u of kind %u", records[kind], kind);
    printf("\n");
    memset(records, 0, sizeof records);
    requested = completed = 0;
    pthread_mutex_unlock(&lock);
}

/* Launches that are not recorded, and have ended. */
static void launch_beside(long count)
{
    for (long i = 0; i < count; i++)
        launch(4);
    MUST(cuCtxSynchronize);
}

static void cycle(const char *what, CUpti_ActivityKind kind, long count)
{
    WORKS(cuptiActivityRegisterCallbacks, on_requested, on_completed);
    WORKS(cuptiActivityEnable, kind);
    for (long i = 0; i < count; i++)
        launch((int)(i % 3));
    MUST(cuCtxSynchronize);
    WORKS(cuptiActivityFlushAll, 1);
    WORKS(cuptiActivityDisable, kind);
    tell(what);
}

/* `how`: which CUPTI, and 10 more: opened, with all functions looked up, before CUDA is started. */
static void get_ready(long how)
{
    if (how >= 10)
        open_cupti((int)(how % 10));
    cuda_start();
    if (how < 10)
        open_cupti((int)how);
}

static void guest_records(long count, long how)
{
    get_ready(how);
    launch_beside(count);
    printf("flush before buffers: %d\n", (int)cupti.cuptiActivityFlushAll(0));
    printf("buffers that are none: %d\n", (int)cupti.cuptiActivityRegisterCallbacks(NULL, on_completed));
    cycle("first", CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, count);
    launch_beside(count);
    cycle("second", CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, count / 2);
    launch_beside(count);
    WORKS(cuptiActivityFlushAll, 1);
    tell("between");
    cycle("serial", CUPTI_ACTIVITY_KIND_KERNEL, count);
    launch_beside(count);
    WORKS(cuptiActivityEnable, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    printf("the other kind: %d\n", (int)cupti.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_KERNEL));
    for (long i = 0; i < count; i++)
        launch(1);
    WORKS(cuptiActivityDisable, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    launch_beside(count);
    WORKS(cuptiActivityFlushAll, 1);
    tell("flushed later");
    printf("a kind that is none: %d\n", (int)cupti.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_COUNT));
}

/* Nothing of another kind comes, and copies that another client has recorded are none of its. */
static void guest_memory(long count, long how)
{
    CUstream stream;
    get_ready(how);
    MUST(cuStreamCreate, &stream, CU_STREAM_NON_BLOCKING);
    cycle("copies", CUPTI_ACTIVITY_KIND_MEMCPY, count);
    launch_beside(count);
    WORKS(cuptiActivityFlushAll, 0);
    tell("rest");
}

static void CUPTIAPI on_nothing(void *user, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data)
{
    (void)user, (void)domain, (void)id, (void)data;
}

/* As profilers in frameworks do: without a subscriber they record nothing, and do not mention it. */
static void guest_profiler(long count, long how)
{
    CUpti_SubscriberHandle mine = NULL;
    get_ready(how);
    launch_beside(count);
    for (int i = 0; i < 3; i++) {
        if (cupti.cuptiSubscribe(&mine, on_nothing, NULL) == CUPTI_SUCCESS)
            cycle("cycle", CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, count);
        else
            tell("cycle");
        WORKS(cuptiUnsubscribe, mine);
        launch_beside(count);
    }
}

/* A program that ends CUPTI finds it as it was at the beginning. */
static void guest_finalize(long count, long how)
{
    uint8_t value = 0;
    size_t size = sizeof value;
    get_ready(how);
    for (int i = 0; i < 3; i++) {
        WORKS(cuptiActivityGetAttribute, CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER, &size, &value);
        printf("a buffer for each thread: %u\n", value);
        value = 0;
        WORKS(cuptiActivitySetAttribute, CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER, &size, &value);
        cycle("cycle", CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, count);
        CUpti_SubscriberHandle mine = NULL;
        WORKS(cuptiSubscribe, &mine, on_nothing, NULL);
        WORKS(cuptiEnableCallback, 1, mine, CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel);
        WORKS(cuptiFinalize);
        printf("afterwards: flush %d, not subscribed %d\n", (int)cupti.cuptiActivityFlushAll(0), (int)cupti.cuptiUnsubscribe(mine));
        launch_beside(count);
    }
}

static uint64_t ticks(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1000 + 3 * ((uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec);
}

/* Times of records are by the clock that it has chosen. */
static void guest_clock(long count, long how)
{
    get_ready(how);
    launch_beside(count);
    const uint64_t before = ticks();
    WORKS(cuptiActivityRegisterTimestampCallback, ticks);
    cycle("cycle", CUPTI_ACTIVITY_KIND_KERNEL, count);
    launch_beside(count);
    printf("times %s\n", least_ns >= before - 3000000000 && most_ns < ticks() + 3000000000 ? "by its clock" : "by another clock");
}

/* ---- threads ---- */

static atomic_bool done;

static void *flush_again(void *unused)
{
    (void)unused;
    while (!atomic_load(&done))
        WORKS(cuptiActivityFlushAll, 0);
    return NULL;
}

static void *launch_again(void *count)
{
    cuda_join();
    for (long i = 0; i < *(long *)count; i++)
        launch((int)(i % 3));
    return NULL;
}

static void guest_threads(long count, long how)
{
    enum { THREADS = 4 };
    pthread_t flushing[THREADS], launching[THREADS];
    unsigned sum = 0;
    get_ready(how);
    WORKS(cuptiActivityRegisterCallbacks, on_requested, on_completed);
    WORKS(cuptiActivityFlushPeriod, 10);
    WORKS(cuptiActivityEnable, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    for (int i = 0; i < THREADS; i++) {
        pthread_create(&flushing[i], NULL, flush_again, NULL);
        pthread_create(&launching[i], NULL, launch_again, &count);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(launching[i], NULL);
    MUST(cuCtxSynchronize);
    atomic_store(&done, true);
    for (int i = 0; i < THREADS; i++)
        pthread_join(flushing[i], NULL);
    WORKS(cuptiActivityFlushAll, 1);
    WORKS(cuptiActivityDisable, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    for (unsigned kind = 0; kind < CUPTI_ACTIVITY_KIND_COUNT; kind++)
        sum += records[kind];
    printf("%u records, %u of kernels, %u not mine, %u odd\n", sum, records[CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL], foreign, odd);
}

/* Buffers that are not full come when the period is over. */
static void guest_period(long count, long how)
{
    get_ready(how);
    WORKS(cuptiActivityRegisterCallbacks, on_requested, on_completed);
    WORKS(cuptiActivityFlushPeriod, 50);
    WORKS(cuptiActivityEnable, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    for (long i = 0; i < count; i++)
        launch(1);
    MUST(cuCtxSynchronize);
    for (int i = 0; i < 100 && records[CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL] < count; i++)
        usleep(20000);
    tell("without a flush");
}

/* ---- callbacks ---- */

static unsigned entered, left, others_seen, data_kept;

static void CUPTIAPI on_call(void *user, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data)
{
    const CUpti_CallbackData *call = data;
    if (domain != CUPTI_CB_DOMAIN_DRIVER_API || id != CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel) {
        others_seen++;
        return;
    }
    *(unsigned *)user += 1;
    if (call->callbackSite == CUPTI_API_ENTER) {
        entered++;
        *call->correlationData = 4711;
    } else {
        left++;
        data_kept += *call->correlationData == 4711;
    }
}

static void guest_callbacks(long count, long how)
{
    CUpti_SubscriberHandle mine = NULL, second = NULL;
    unsigned calls = 0;
    uint32_t on = 9;
    CUevent event = NULL;
    get_ready(how);
    MUST(cuEventCreate, &event, CU_EVENT_DISABLE_TIMING);
    launch_beside(count);
    for (int i = 0; i < 3; i++) {
        WORKS(cuptiSubscribe, &mine, on_call, &calls);
        printf("a second one: %d\n", (int)cupti.cuptiSubscribe(&second, on_call, NULL));
        if (i > 0)
            WORKS(cuptiEnableDomain, 1, mine, CUPTI_CB_DOMAIN_DRIVER_API);
        else
            WORKS(cuptiEnableCallback, 1, mine, CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel);
        WORKS(cuptiGetCallbackState, &on, mine, CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel);
        printf("it is %u", on);
        WORKS(cuptiGetCallbackState, &on, mine, CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize);
        printf(" and %u\n", on);
        for (long n = 0; n < count; n++) {
            launch((int)(n % 3));
            MUST(cuEventRecord, event, NULL);
        }
        MUST(cuCtxSynchronize);
        if (i > 0)
            WORKS(cuptiEnableDomain, 0, mine, CUPTI_CB_DOMAIN_DRIVER_API);
        launch_beside(i > 0 ? count : 0);
        WORKS(cuptiUnsubscribe, mine);
        launch_beside(count);
        printf("%u calls, %u entered, %u left, %u others, %u with their data\n", calls, entered, left, others_seen, data_kept);
    }
    printf("no subscriber: %d\n", (int)cupti.cuptiUnsubscribe(mine));
}

/* ---- counters ---- */

static void guest_counters(long count, long how)
{
    CUcontext context = NULL;
    get_ready(how);
    launch_beside(count);
    MUST(cuCtxGetCurrent, &context);
    for (int i = 0; i < 2; i++) {
        CUpti_RangeProfiler_Enable_Params on = {.structSize = CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE, .ctx = context};
        CUpti_RangeProfiler_Disable_Params off = {.structSize = CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE};
        WORKS(cuptiRangeProfilerEnable, &on);
        launch_beside(count);
        off.pRangeProfilerObject = on.pRangeProfilerObject;
        WORKS(cuptiRangeProfilerDisable, &off);
        launch_beside(count);
    }
}

/* A launch at a time: taken before it, given back after it, from the callbacks around it. */
static void CUPTIAPI take_around(void *user, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data)
{
    static CUpti_RangeProfiler_Object *taken;
    const CUpti_CallbackData *call = data;
    CUpti_RangeProfiler_Enable_Params on = {.structSize = CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE, .ctx = call->context};
    CUpti_RangeProfiler_Disable_Params off = {.structSize = CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE};
    (void)domain, (void)id;
    *(unsigned *)user += 1;
    if (call->callbackSite == CUPTI_API_ENTER) {
        WORKS(cuptiRangeProfilerEnable, &on);
        taken = on.pRangeProfilerObject;
    } else {
        off.pRangeProfilerObject = taken;
        WORKS(cuptiRangeProfilerDisable, &off);
    }
}

static void guest_around(long count, long how)
{
    CUpti_SubscriberHandle mine = NULL;
    unsigned calls = 0;
    get_ready(how);
    launch_beside(count);
    WORKS(cuptiSubscribe, &mine, take_around, &calls);
    WORKS(cuptiEnableCallback, 1, mine, CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel);
    for (long i = 0; i < count; i++)
        launch((int)(i % 3));
    MUST(cuCtxSynchronize);
    WORKS(cuptiUnsubscribe, mine);
    launch_beside(count);
    printf("%u calls\n", calls);
}

static void CUPTIAPI count_entries(void *user, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data)
{
    (void)domain, (void)id;
    *(unsigned *)user += ((const CUpti_CallbackData *)data)->callbackSite == CUPTI_API_ENTER;
}

/* Samples of instructions, with callbacks that go on before, while and after they are taken. */
static void guest_samples(long count, long how)
{
    enum { PLACES = 16, REASONS = 8, LATE = 100 };
    static CUpti_PCSamplingStallReason reasons[PLACES][REASONS];
    static CUpti_PCSamplingPCData places[PLACES];
    CUpti_SubscriberHandle mine = NULL;
    CUcontext context = NULL;
    unsigned calls = 0;
    get_ready(how % LATE);
    launch_beside(count);
    MUST(cuCtxGetCurrent, &context);
    for (int i = 0; i < 3000 && how >= LATE; i++) { /* until the GPU is sampled, for 4 s or more where nobody else needs it */
        launch(i % 3);
        (void)usleep(1000);
    }
    WORKS(cuptiSubscribe, &mine, count_entries, &calls);
    WORKS(cuptiEnableCallback, 1, mine, CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel);
    for (size_t i = 0; i < PLACES; i++)
        places[i] = (CUpti_PCSamplingPCData){.size = sizeof places[i], .stallReason = reasons[i]};
    CUpti_PCSamplingEnableParams on = {.size = CUpti_PCSamplingEnableParamsSize, .ctx = context};
    CUpti_PCSamplingDisableParams off = {.size = CUpti_PCSamplingDisableParamsSize, .ctx = context};
    CUpti_PCSamplingData data = {.size = sizeof data, .collectNumPcs = PLACES, .pPcData = places};
    CUpti_PCSamplingGetDataParams get = {.size = CUpti_PCSamplingGetDataParamsSize, .ctx = context, .pcSamplingData = &data};
    WORKS(cuptiPCSamplingEnable, &on);
    for (long i = 0; i < count; i++)
        launch((int)(i % 3));
    MUST(cuCtxSynchronize);
    (void)usleep(300000); /* others would find time to take the counters */
    WORKS(cuptiPCSamplingGetData, &get);
    WORKS(cuptiPCSamplingDisable, &off);
    for (long i = 0; i < count; i++)
        launch((int)(i % 3));
    MUST(cuCtxSynchronize);
    WORKS(cuptiUnsubscribe, mine);
    launch_beside(count);
    printf("%llu samples at %zu places, %u calls\n", (unsigned long long)data.totalSamples, data.totalNumPcs, calls);
}

/* ---- several subscribers (CUPTI 13.3), whose functions headers of 13.0 do not have ---- */

struct several_params {
    size_t size;
    const char *name;
    char *old_name;
    size_t old_name_size;
    unsigned char several;
};
static CUpti_SubscriberHandle beside;
static CUptiResult (*next_beside)(CUpti_SubscriberHandle, uint8_t *, size_t, CUpti_Activity **);
static unsigned records_beside;

static void completed_beside(uint8_t *buffer, size_t size, size_t valid, void *info)
{
    CUpti_Activity *record = NULL;
    (void)size, (void)info;
    while (next_beside(beside, buffer, valid, &record) == CUPTI_SUCCESS)
        records_beside += record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    free(buffer);
}

static void requested_beside(uint8_t **buffer, size_t *size, size_t *most, void *info)
{
    (void)info;
    *size = 1 << 14;
    *most = 0;
    *buffer = aligned_alloc(8, *size);
}

#define BESIDE(name, ...) CUptiResult (*name)(__VA_ARGS__) = (CUptiResult(*)(__VA_ARGS__))function_of(library, #name)
static void guest_several(long count, long how)
{
    get_ready(how);
    void *library = dlopen(how % 10 ? getenv("TORTURE_PRIVATE_CUPTI") : "libcupti.so.13", RTLD_NOW);
    BESIDE(cuptiSubscribe_v2, CUpti_SubscriberHandle *, CUpti_CallbackFunc, void *, const struct several_params *);
    BESIDE(cuptiActivityRegisterCallbacks_v2, CUpti_SubscriberHandle, void (*)(uint8_t **, size_t *, size_t *, void *),
           void (*)(uint8_t *, size_t, size_t, void *));
    BESIDE(cuptiActivityEnable_v2, CUpti_SubscriberHandle, CUpti_ActivityKind, void *);
    BESIDE(cuptiActivityDisable_v2, CUpti_SubscriberHandle, CUpti_ActivityKind, void *);
    next_beside = (__typeof__(next_beside))function_of(library, "cuptiActivityGetNextRecord_v2");
    unsigned calls = 0;
    for (int i = 0; i < 3; i++) {
        const struct several_params params = {.size = sizeof params, .name = "torture", .several = how < 100};
        launch_beside(count);
        printf("subscribed: %d", (int)cuptiSubscribe_v2(&beside, on_call, &calls, &params));
        printf(" %d",
               (int)cupti.cuptiEnableCallback(1, beside, CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel));
        printf(" %d", (int)cuptiActivityRegisterCallbacks_v2(beside, requested_beside, completed_beside));
        printf(" %d\n", (int)cuptiActivityEnable_v2(beside, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, NULL));
        for (long n = 0; n < count; n++)
            launch((int)(n % 3));
        MUST(cuCtxSynchronize);
        WORKS(cuptiActivityFlushAll, 1);
        printf("disabled: %d\n", (int)cuptiActivityDisable_v2(beside, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, NULL));
        WORKS(cuptiUnsubscribe, beside);
        printf("%u records, %u calls\n", records_beside, calls);
    }
}

/* It records before CUDA is started. */
static void guest_early(long count, long how)
{
    open_cupti((int)how);
    WORKS(cuptiActivityRegisterCallbacks, on_requested, on_completed);
    WORKS(cuptiActivityEnable, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    cuda_start();
    for (long i = 0; i < count; i++)
        launch((int)(i % 3));
    MUST(cuCtxSynchronize);
    WORKS(cuptiActivityFlushAll, 1);
    tell("all");
}

const struct program programs_guests[] = {
    {"guest_profiler", guest_profiler}, {"guest_records", guest_records},
    {"guest_memory", guest_memory},     {"guest_finalize", guest_finalize},
    {"guest_clock", guest_clock},       {"guest_threads", guest_threads},
    {"guest_period", guest_period},     {"guest_callbacks", guest_callbacks},
    {"guest_counters", guest_counters}, {"guest_around", guest_around},
    {"guest_early", guest_early},       {"guest_samples", guest_samples},
    {"guest_several", guest_several},   {NULL, NULL},
};
