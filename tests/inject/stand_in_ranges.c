/* stand_in_ranges.c - the stand-in CUPTI's counters: host objects, range profiler objects and counter images.
 *
 * As CUPTI does: one object for a context; calls in the wrong order are refused; begin and end of counting and of ranges wait until
 * the context is idle; ranges beyond what was asked for are dropped. A kernel whose counters are taken runs twice as long, unless
 * it is recorded serially, one that is replayed three times as long and before its launch returns. */
#include <dlfcn.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stand_in_cupti.h"

struct range {
    char name[32];
    double work, ns;
    int kind; /* of the pass: 0 hardware, 1 instrumented, 2 whatever there is */
};
/* What the counter image holds. */
struct image {
    uint32_t magic, room, count;
    struct range ranges[];
};
enum { MAGIC = 0x52494d47 };

struct host {
    int hardware, software; /* groups of counters, a pass each: one that instruments code comes last */
    int samples, spoilt;
};

struct CUpti_RangeProfiler_Object {
    CUcontext context; /* NULL: destroyed */
    enum state { ENABLED, CONFIGURED, STARTED, STOPPED } state;
    bool user, replay, inside, started;
    size_t room, count, dropped, pass, passes;
    struct host host; /* the configuration */
    bool mixed;       /* it followed another one */
    struct range *ranges;
    struct image *image;
    struct CUpti_RangeProfiler_Object *next;
};
static struct CUpti_RangeProfiler_Object *objects;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define PARAMS(name, type)                                                                                                         \
    CUpti_##type##_Params *name = (void *)params;                                                                                  \
    (void)a, (void)b, (void)c

/* ---- host objects: the names that were added, as far as the number of passes goes ----
 *
 * What is refused is refused with the library's code (tests/older/same.c). A name with "no_such" in it is none, and spoils the
 * object. */

/* The host library takes its time, and is no longer there when the process ends. */
static void use_host(void)
{
    const int *gone = dlsym(RTLD_DEFAULT, "stand_in_host_gone");
    const char *slow_ms = getenv("RL_SLOW_HOST_MS");
    if (slow_ms)
        usleep((useconds_t)(1000 * strtol(slow_ms, NULL, 10)));
    if (gone && *gone)
        abort();
}

static int host_initialize(word params, word a, word b, word c)
{
    PARAMS(p, Profiler_Host_Initialize);
    use_host();
    if (!p->pChipName || strcmp(p->pChipName, "GH100") != 0)
        return p->pChipName ? CUPTI_ERROR_INVALID_CHIP_NAME : CUPTI_ERROR_INVALID_PARAMETER;
    struct host *host = calloc(1, sizeof *host);
    host->samples = p->profilerType == CUPTI_PROFILER_TYPE_PM_SAMPLING;
    p->pHostObject = (void *)host;
    return 0;
}

static int host_deinitialize(word params, word a, word b, word c)
{
    PARAMS(p, Profiler_Host_Deinitialize);
    if (!p->pHostObject)
        return CUPTI_ERROR_INVALID_PARAMETER;
    free(p->pHostObject);
    return 0;
}

static int add_metrics(word params, word a, word b, word c)
{
    PARAMS(add, Profiler_Host_ConfigAddMetrics);
    use_host();
    struct host *host = (void *)add->pHostObject;
    if (!host || !add->ppMetricNames)
        return CUPTI_ERROR_INVALID_PARAMETER;
    if (host->spoilt)
        return CUPTI_ERROR_UNKNOWN;
    for (size_t i = 0; i < add->numMetrics && !host->spoilt; i++)
        host->spoilt = strstr(add->ppMetricNames[i], "no_such") != NULL;
    if (host->spoilt)
        return CUPTI_ERROR_INVALID_PARAMETER;
    bool hardware = false, software = false;
    for (size_t i = 0; i < add->numMetrics; i++)
        *(strstr(add->ppMetricNames[i], "_sass_") ? &software : &hardware) = true;
    host->hardware += hardware;
    host->software += software;
    return 0;
}

/* What can be sampled; of ranges nothing is listed. */
static int base_metrics(word params, word a, word b, word c)
{
    PARAMS(p, Profiler_Host_GetBaseMetrics);
    static const char *names[] = {"sm__cycles_active",      "sm__cycles_elapsed",
                                  "dram__bytes_read",       "PCI.TriageCompute.pcie__read_bytes",
                                  "nvlrx__bytes_data_user", "SM_A.TriageCompute.sm__inst_executed_realtime"};
    const struct host *host = (void *)p->pHostObject;
    p->ppMetricNames = names;
    p->numMetrics = sizeof names / sizeof names[0];
    return host->samples ? 0 : CUPTI_ERROR_NOT_INITIALIZED;
}

static int image_size(word params, word a, word b, word c)
{
    PARAMS(p, Profiler_Host_GetConfigImageSize);
    if (!p->pHostObject)
        return CUPTI_ERROR_INVALID_PARAMETER;
    p->configImageSize = sizeof(struct host);
    return ((struct host *)(void *)p->pHostObject)->spoilt ? CUPTI_ERROR_UNKNOWN : 0;
}

static int image(word params, word a, word b, word c)
{
    PARAMS(get, Profiler_Host_GetConfigImage);
    if (!get->pHostObject || get->configImageSize < sizeof(struct host))
        return CUPTI_ERROR_INVALID_PARAMETER;
    memcpy(get->pConfigImage, get->pHostObject, sizeof(struct host));
    return 0;
}

static int passes(word params, word a, word b, word c)
{
    PARAMS(get, Profiler_Host_GetNumOfPasses);
    struct host host;
    memcpy(&host, get->pConfigImage, sizeof host);
    get->numOfPasses = (size_t)(host.hardware + host.software);
    return 0;
}

static int range_name(word params, word a, word b, word c)
{
    PARAMS(get, Profiler_Host_GetRangeName);
    const struct image *from = (const void *)get->pCounterDataImage;
    if (from->magic != MAGIC || get->rangeIndex >= from->count)
        return CUPTI_ERROR_INVALID_PARAMETER;
    get->pRangeName = strdup(from->ranges[get->rangeIndex].name);
    return 0;
}

enum { PAST_L1 = 64 };

/* Counters that have something else than the work: its busiest SM is active for all of a launch but a microsecond, at 1 GHz, and
 * DRAM has room for much more. NAN: the others. */
static double special(const char *name, const struct range *range)
{
    const struct {
        const char *name;
        double value;
    } values[] = {{"sm__cycles_active.max", range->ns > 1e3 ? range->ns - 1e3 : 0},
                  {"sm__cycles_active.avg", range->ns > 1e3 ? range->ns - 1e3 : 0},
                  {"sm__cycles_elapsed.avg.per_second", 1e9},
                  {"dram__bytes.sum.peak_sustained", 1e9}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (strcmp(name, values[i].name) == 0)
            return values[i].value;
    return (double)NAN;
}

static int evaluate(word params, word a, word b, word c)
{
    PARAMS(get, Profiler_Host_EvaluateToGpuValues);
    use_host();
    const struct image *from = (const void *)get->pCounterDataImage;
    if (stand_in_pm_evaluate(get))
        return 0;
    if (from->magic != MAGIC || get->rangeIndex >= from->count)
        return CUPTI_ERROR_INVALID_PARAMETER;
    const struct range *range = &from->ranges[get->rangeIndex];
    const double work = range->work;
    for (size_t i = 0; i < get->numMetrics; i++) { /* matrix instructions in work2 alone, or with $RL_MATRIX in all */
        const char *name = get->ppMetricNames[i];
        const bool matrix = work == 3000 || getenv("RL_MATRIX");
        bool none = strstr(name, "_type_hfma2") || strstr(name, "_utcmma") || (strstr(name, "_pipe_tensor.") && !matrix);
        const bool past = getenv("RL_PAST_L1") != NULL; /* loads do not pass L1, and the parts of what L2 moves make up the whole */
        const bool by = past && strcmp(name, "l1tex__t_sectors.sum") == 0, part = past && strstr(name, "_srcunit_tex_op_");
        const int kind = range->kind, wanted = strstr(name, "_sass_") ? 1 : 0;
        const double other = special(name, range);
        get->pMetricValues[i] = kind != wanted && kind != 2 ? (double)NAN
                                : isfinite(other)           ? other
                                : none                      ? 0
                                : by                        ? PAST_L1
                                : part                      ? work / 4
                                                            : work + (double)i;
    }
    return 0;
}

/* ---- the device ---- */

static int chip_name(word params, word a, word b, word c)
{
    PARAMS(p, Device_GetChipName);
    p->pChipName = "GH100";
    return 0;
}

static int availability(word params, word a, word b, word c)
{
    PARAMS(get, Profiler_GetCounterAvailability);
    if (!get->pCounterAvailabilityImage)
        get->counterAvailabilityImageSize = 8;
    return 0;
}

static int succeed(word params, word a, word b, word c)
{
    (void)params, (void)a, (void)b, (void)c;
    return 0;
}

/* ---- objects; the functions below that begin with locked_ are called with the lock ---- */

static struct CUpti_RangeProfiler_Object *locked_find(const void *object)
{
    struct CUpti_RangeProfiler_Object *at = objects;
    while (at && at != object)
        at = at->next;
    return at;
}

/* Takes the lock if the object exists and is in the state; or returns what CUPTI says. */
static int take(const void *object, enum state state)
{
    pthread_mutex_lock(&lock);
    const struct CUpti_RangeProfiler_Object *found = locked_find(object);
    int error = !found                  ? CUPTI_ERROR_INVALID_PARAMETER
                : !found->context       ? CUPTI_ERROR_INVALID_CONTEXT
                : found->state != state ? CUPTI_ERROR_INVALID_OPERATION
                                        : 0;
    if (error)
        pthread_mutex_unlock(&lock);
    return error;
}

/* The same, when nothing runs in the context. */
static int take_idle(const void *object, enum state state, const char *who)
{
    int error = take(object, state);
    if (error)
        return error;
    CUcontext context = ((const struct CUpti_RangeProfiler_Object *)object)->context;
    pthread_mutex_unlock(&lock);
    stand_in_wait_idle(context, who);
    return take(object, state);
}

static int enable_ranges(word params, word a, word b, word c)
{
    PARAMS(p, RangeProfiler_Enable);
    int error = !p->ctx ? CUPTI_ERROR_INVALID_CONTEXT : stand_in_pm_claim(false) ? 0 : CUPTI_ERROR_HARDWARE_BUSY;
    pthread_mutex_lock(&lock);
    for (const struct CUpti_RangeProfiler_Object *at = objects; at && !error; at = at->next)
        if (at->context == p->ctx)
            error = CUPTI_ERROR_INVALID_OPERATION;
    if (!error) {
        p->pRangeProfilerObject = calloc(1, sizeof *objects);
        p->pRangeProfilerObject->context = p->ctx;
        p->pRangeProfilerObject->next = objects;
        objects = p->pRangeProfilerObject;
    }
    pthread_mutex_unlock(&lock);
    return error;
}

static int disable_ranges(word params, word a, word b, word c)
{
    PARAMS(p, RangeProfiler_Disable);
    int error = CUPTI_ERROR_INVALID_PARAMETER;
    pthread_mutex_lock(&lock);
    for (struct CUpti_RangeProfiler_Object **at = &objects; *at && error; at = *at ? &(*at)->next : at)
        if (*at == p->pRangeProfilerObject) {
            struct CUpti_RangeProfiler_Object *gone = *at;
            *at = gone->next;
            free(gone->ranges);
            free(gone);
            error = 0;
            break;
        }
    if (!objects) /* as on a card: another process may sample then */
        stand_in_pm_give_back();
    pthread_mutex_unlock(&lock);
    return error;
}

static int data_size(word params, word a, word b, word c)
{
    PARAMS(p, RangeProfiler_GetCounterDataSize);
    if (!p->numMetrics || !p->maxNumOfRanges || p->maxNumRangeTreeNodes < p->maxNumOfRanges)
        return CUPTI_ERROR_INVALID_PARAMETER;
    p->counterDataSize = sizeof(struct image) + p->maxNumOfRanges * sizeof(struct range);
    if (getenv("RL_HUGE_IMAGE")) /* more than any system has */
        p->counterDataSize = (size_t)1 << 60;
    return 0;
}

static int image_initialize(word params, word a, word b, word c)
{
    PARAMS(p, RangeProfiler_CounterDataImage_Initialize);
    struct image *to = (void *)p->pCounterData;
    if (p->counterDataSize < sizeof *to + sizeof(struct range))
        return CUPTI_ERROR_INVALID_PARAMETER;
    memset(to, 0, p->counterDataSize);
    to->magic = MAGIC;
    to->room = (uint32_t)((p->counterDataSize - sizeof *to) / sizeof(struct range));
    return 0;
}

/* $RL_IMAGES: a file with a line for each configuration that is set, which says whether it is the same image. */
static void note_image(const void *image, size_t size)
{
    const char *path = getenv("RL_IMAGES");
    const unsigned char *bytes = image;
    FILE *file = path ? fopen(path, "a") : NULL;
    if (!file)
        return;
    uint64_t sum = 0;
    for (size_t i = 0; i < size; i++)
        sum = 31 * sum + bytes[i];
    fprintf(file, "%" PRIx64 "\n", sum);
    fclose(file);
}

static int set_config(word params, word a, word b, word c)
{
    PARAMS(p, RangeProfiler_SetConfig);
    struct image *to = (void *)p->pCounterDataImage;
    if (!to || to->magic != MAGIC || !p->pConfig || !p->maxRangesPerPass)
        return CUPTI_ERROR_INVALID_PARAMETER;
    int error = take(p->pRangeProfilerObject, ENABLED);
    const bool again = error == CUPTI_ERROR_INVALID_OPERATION;
    if (again)
        error = take(p->pRangeProfilerObject, STOPPED);
    if (error)
        return error;
    struct CUpti_RangeProfiler_Object *object = p->pRangeProfilerObject;
    object->mixed = again && (object->mixed || memcmp(&object->host, p->pConfig, sizeof object->host) != 0);
    memcpy(&object->host, p->pConfig, sizeof object->host);
    note_image(&object->host, sizeof object->host);
    object->passes = (size_t)(object->host.hardware + object->host.software);
    if (!again)
        object->pass = p->passIndex;
    free(object->ranges);
    object->count = object->dropped = 0;
    object->user = p->range == CUPTI_UserRange;
    object->replay = p->replayMode == CUPTI_KernelReplay;
    object->room = p->maxRangesPerPass;
    object->ranges = calloc(object->room, sizeof *object->ranges);
    object->image = to;
    object->state = CONFIGURED;
    pthread_mutex_unlock(&lock);
    return 0;
}

/* Passes of a configuration come round and round: the hardware's first. A launch that is repeated has all of them. */
static int kind_of_pass(const struct CUpti_RangeProfiler_Object *object)
{
    return object->replay ? 2 : object->mixed ? -1 : object->passes < 2 ? 2 : object->pass < (size_t)object->host.hardware ? 0 : 1;
}

/* $RL_SLOW_START: takes so many milliseconds when it is the first one since the profiler was enabled; $RL_SLOW_STARTS: each does.
 */
static int start(word params, word a, word b, word c)
{
    PARAMS(p, RangeProfiler_Start);
    const char *slow_ms = getenv("RL_SLOW_START"), *each_ms = getenv("RL_SLOW_STARTS");
    int error = take_idle(p->pRangeProfilerObject, CONFIGURED, "cuptiRangeProfilerStart");
    if (error == CUPTI_ERROR_INVALID_OPERATION)
        error = take_idle(p->pRangeProfilerObject, STOPPED, "cuptiRangeProfilerStart");
    if (error)
        return error;
    const bool first = !p->pRangeProfilerObject->started;
    p->pRangeProfilerObject->started = true;
    p->pRangeProfilerObject->state = STARTED;
    pthread_mutex_unlock(&lock);
    if (slow_ms && first)
        usleep(1000 * (useconds_t)strtol(slow_ms, NULL, 10));
    if (each_ms)
        usleep(1000 * (useconds_t)strtol(each_ms, NULL, 10));
    return 0;
}

static int stop(word params, word a, word b, word c)
{
    PARAMS(p, RangeProfiler_Stop);
    int error = take_idle(p->pRangeProfilerObject, STARTED, "cuptiRangeProfilerStop");
    if (error)
        return error;
    struct CUpti_RangeProfiler_Object *object = p->pRangeProfilerObject;
    error = object->inside ? CUPTI_ERROR_INVALID_OPERATION : 0;
    if (!error)
        object->state = STOPPED;
    object->pass = !error && object->passes ? (object->pass + 1) % object->passes : object->pass;
    p->passIndex = object->pass;
    p->isAllPassSubmitted = object->pass == 0;
    pthread_mutex_unlock(&lock);
    return error;
}

static int push(word params, word a, word b, word c)
{
    PARAMS(p, RangeProfiler_PushRange);
    int error = take_idle(p->pRangeProfilerObject, STARTED, "cuptiRangeProfilerPushRange");
    if (error)
        return error;
    struct CUpti_RangeProfiler_Object *object = p->pRangeProfilerObject;
    error = !object->user || object->inside ? CUPTI_ERROR_INVALID_OPERATION : 0;
    if (!error && object->count < object->room)
        snprintf(object->ranges[object->count].name, sizeof object->ranges[0].name, "%s", p->pRangeName);
    if (!error && object->count < object->room)
        object->ranges[object->count].kind = kind_of_pass(object);
    object->inside = object->inside || !error;
    pthread_mutex_unlock(&lock);
    return error;
}

static int pop(word params, word a, word b, word c)
{
    PARAMS(p, RangeProfiler_PopRange);
    int error = take_idle(p->pRangeProfilerObject, STARTED, "cuptiRangeProfilerPopRange");
    if (error)
        return error;
    struct CUpti_RangeProfiler_Object *object = p->pRangeProfilerObject;
    error = object->inside ? 0 : CUPTI_ERROR_INVALID_OPERATION;
    if (!error)
        *(object->count < object->room ? &object->count : &object->dropped) += 1;
    object->inside = false;
    pthread_mutex_unlock(&lock);
    return error;
}

static int decode(word params, word a, word b, word c)
{
    PARAMS(p, RangeProfiler_DecodeData);
    int error = take(p->pRangeProfilerObject, STOPPED);
    if (error)
        return error;
    const struct CUpti_RangeProfiler_Object *object = p->pRangeProfilerObject;
    struct image *to = object->image;
    to->count = (uint32_t)(object->count < to->room ? object->count : to->room);
    memcpy(to->ranges, object->ranges, to->count * sizeof *to->ranges);
    p->numOfRangeDropped = object->dropped + object->count - to->count;
    pthread_mutex_unlock(&lock);
    return 0;
}

static int data_info(word params, word a, word b, word c)
{
    PARAMS(p, RangeProfiler_GetCounterDataInfo);
    const struct image *from = (const void *)p->pCounterDataImage;
    if (from->magic != MAGIC)
        return CUPTI_ERROR_INVALID_PARAMETER;
    p->numTotalRanges = from->count;
    return 0;
}

/* ---- launches ---- */

static bool locked_count(struct CUpti_RangeProfiler_Object *object, struct stand_in_launch *launch)
{
    if (object->user && !object->inside)
        return false;
    if (!object->user && object->count < object->room)
        snprintf(object->ranges[object->count].name, sizeof object->ranges[0].name, "%zu", object->count);
    if (object->count < object->room) {
        object->ranges[object->count].work += launch->kernel.work;
        object->ranges[object->count].ns += (double)launch->kernel.duration_ns;
        if (!object->user)
            object->ranges[object->count].kind = kind_of_pass(object);
    }
    if (!object->user)
        *(object->count < object->room ? &object->count : &object->dropped) += 1;
    launch->kernel.duration_ns *= object->replay ? 3 : launch->serial ? 1 : 2;
    return !object->user;
}

bool stand_in_count(struct stand_in_launch *launch)
{
    bool wait = false;
    pthread_mutex_lock(&lock);
    for (struct CUpti_RangeProfiler_Object *at = objects; at; at = at->next)
        if (at->context == launch->context && at->state == STARTED)
            wait = locked_count(at, launch);
    pthread_mutex_unlock(&lock);
    return wait;
}

void stand_in_ranges_forget(CUcontext context)
{
    pthread_mutex_lock(&lock);
    for (struct CUpti_RangeProfiler_Object *at = objects; at; at = at->next)
        if (at->context == context)
            at->context = NULL;
    pthread_mutex_unlock(&lock);
}

const struct stand_in_function stand_in_range_functions[] = {
    {"cuptiDeviceGetChipName", chip_name},
    {"cuptiProfilerInitialize", succeed},
    {"cuptiProfilerGetCounterAvailability", availability},
    {"cuptiProfilerHostInitialize", host_initialize},
    {"cuptiProfilerHostDeinitialize", host_deinitialize},
    {"cuptiProfilerHostGetBaseMetrics", base_metrics},
    {"cuptiProfilerHostConfigAddMetrics", add_metrics},
    {"cuptiProfilerHostGetConfigImageSize", image_size},
    {"cuptiProfilerHostGetConfigImage", image},
    {"cuptiProfilerHostGetNumOfPasses", passes},
    {"cuptiProfilerHostGetRangeName", range_name},
    {"cuptiProfilerHostEvaluateToGpuValues", evaluate},
    {"cuptiRangeProfilerEnable", enable_ranges},
    {"cuptiRangeProfilerDisable", disable_ranges},
    {"cuptiRangeProfilerGetCounterDataSize", data_size},
    {"cuptiRangeProfilerCounterDataImageInitialize", image_initialize},
    {"cuptiRangeProfilerSetConfig", set_config},
    {"cuptiRangeProfilerStart", start},
    {"cuptiRangeProfilerStop", stop},
    {"cuptiRangeProfilerPushRange", push},
    {"cuptiRangeProfilerPopRange", pop},
    {"cuptiRangeProfilerDecodeData", decode},
    {"cuptiRangeProfilerGetCounterDataInfo", data_info},
    {NULL, NULL},
};
