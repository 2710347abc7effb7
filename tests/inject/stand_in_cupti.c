/* stand_in_cupti.c - a libcupti.so.13 for the stand-in driver, and with STAND_IN_OLDER a libcupti.so.12: callbacks
 * and activity records. As in the stand-in of tests/gpu, $RL_REFUSE names a function that returns
 * $RL_REFUSE_CODE instead.
 *
 * As CUPTI does: one subscriber (several with functions of their own: stand_in_several.c); callbacks on the calling thread; a
 * record for each kernel that was launched while the Activity API was on, in the order in which the kernels end; buffers are handed
 * over by a thread of CUPTI's, when they are full and after each flush period, or by whoever flushes. */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "record_cost.h"
#include "stand_in_cupti.h"

#ifdef STAND_IN_OLDER /* CUPTI 12.4: sessions (stand_in_sessions.c) in the place of the range profiler and of samples */
enum { STAND_IN_VERSION = 22 };
#else
enum { STAND_IN_VERSION = 130001 };
#endif
enum { MOST_IDS = 1024, IDLE_MS = 1000 };

struct buffer {
    struct buffer *next;
    uint8_t *bytes;
    size_t size, used, records, most;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t work, idle;
    _Atomic(CUpti_BuffersCallbackRequestFunc) requested;
    _Atomic(CUpti_BuffersCallbackCompleteFunc) completed;
    struct buffer *current, *full, *spare; /* being filled; the oldest first; handed out by the program and not needed yet */
    bool running, delivering;
    size_t dropped;
    atomic_uint period_ms;
    atomic_uchar kinds[CUPTI_ACTIVITY_KIND_COUNT];
} activity = {.lock = PTHREAD_MUTEX_INITIALIZER, .work = PTHREAD_COND_INITIALIZER, .idle = PTHREAD_COND_INITIALIZER};

static struct {
    _Atomic(CUpti_CallbackFunc) callback;
    _Atomic(void *) data;
    atomic_uchar driver[MOST_IDS], resource[CUPTI_CBID_RESOURCE_SIZE];
} subscriber;

/* ---- activity: buffers; under its lock unless it says otherwise ---- */

static void fill_up(struct buffer **list, struct buffer *buffer)
{
    while (*list)
        list = &(*list)->next;
    buffer->next = NULL;
    *list = buffer;
}

static void end_current(void)
{
    if (!activity.current || !activity.current->used)
        return;
    fill_up(&activity.full, activity.current);
    activity.current = NULL;
}

/* Without the lock. NULL: the program gives none. */
static struct buffer *request(void)
{
    struct buffer *buffer = calloc(1, sizeof *buffer);
    atomic_load (&activity.requested)(&buffer->bytes, &buffer->size, &buffer->most);
    if (buffer->bytes)
        return buffer;
    free(buffer);
    return NULL;
}

static bool has_room(size_t bytes)
{
    const struct buffer *to = activity.current;
    return to && to->used + bytes <= to->size && (!to->most || to->records < to->most);
}

/* A new current buffer; false when the program gives none. */
static bool renew(void)
{
    if (activity.current && activity.current->used) {
        end_current();
        pthread_cond_signal(&activity.work);
    }
    if (!activity.spare) {
        pthread_mutex_unlock(&activity.lock);
        struct buffer *given = request();
        pthread_mutex_lock(&activity.lock);
        if (!given)
            return false;
        fill_up(&activity.spare, given);
    }
    if (!activity.current) {
        activity.current = activity.spare;
        activity.spare = activity.spare->next;
    }
    return true;
}

static void post(const void *record, size_t bytes)
{
    bool given = atomic_load(&activity.requested) != NULL;
    pthread_mutex_lock(&activity.lock);
    while (given && !has_room(bytes))
        given = renew();
    if (given) {
        memcpy(activity.current->bytes + activity.current->used, record, bytes);
        activity.current->used += bytes;
        activity.current->records++;
    } else {
        activity.dropped++;
    }
    pthread_mutex_unlock(&activity.lock);
}

/* One thread at a time hands over, so that the buffers come in their order. */
static void deliver(void)
{
    while (activity.delivering)
        pthread_cond_wait(&activity.idle, &activity.lock);
    activity.delivering = true;
    while (activity.full) {
        struct buffer *buffer = activity.full;
        activity.full = buffer->next;
        pthread_mutex_unlock(&activity.lock);
        atomic_load (&activity.completed)(NULL, 0, buffer->bytes, buffer->size, buffer->used);
        free(buffer);
        pthread_mutex_lock(&activity.lock);
    }
    activity.delivering = false;
    pthread_cond_broadcast(&activity.idle);
}

static void *work(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&activity.lock);
    for (;;) {
        const uint32_t period_ms = atomic_load(&activity.period_ms);
        const uint32_t ms = period_ms ? period_ms : IDLE_MS;
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += (long)(ms % 1000) * 1000000;
        until.tv_sec += ms / 1000 + until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        int woken = pthread_cond_timedwait(&activity.work, &activity.lock, &until);
        if (woken != 0 && period_ms)
            end_current();
        if (activity.full)
            deliver();
    }
    return NULL;
}

/* The program's signals are the program's. Without the thread only who flushes hands over. */
static void start_worker(void)
{
    pthread_t thread;
    sigset_t all, kept;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &kept);
    if (!activity.running && pthread_create(&thread, NULL, work, NULL) == 0) {
        activity.running = true;
        pthread_detach(thread);
    }
    pthread_sigmask(SIG_SETMASK, &kept, NULL);
}

/* ---- activity: records ---- */

static bool on_submitted(struct stand_in_launch *launch)
{
    launch->serial = atomic_load(&activity.kinds[CUPTI_ACTIVITY_KIND_KERNEL]);
    launch->recorded = launch->serial || atomic_load(&activity.kinds[CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL]);
    return stand_in_count(launch);
}

/* What a serial record says of a launch that took so long. */
static uint64_t recorded_ns(uint64_t own_ns)
{
    uint64_t ns = own_ns + (uint64_t)rl_record_cost_of(&rl_record_cost_usual, (double)own_ns);
    while (rl_record_untraced(&rl_record_cost_usual, ns) > own_ns)
        ns--;
    while (rl_record_untraced(&rl_record_cost_usual, ns) < own_ns)
        ns++;
    return ns;
}

static void on_ended(const struct stand_in_launch *launch)
{
    const uint32_t *shape = launch->shape;
    stand_in_pm_note(launch);
    stand_in_pcs_note(launch);
    const uint64_t own_ns = launch->end_ns - launch->start_ns;
    uint64_t start_ns = launch->start_ns, end_ns = launch->start_ns + (launch->serial ? recorded_ns(own_ns) : own_ns);
    stand_in_record_times(&start_ns, &end_ns);
    const CUpti_ActivityKernel9 record = {.kind =
                                              launch->serial ? CUPTI_ACTIVITY_KIND_KERNEL : CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
                                          .registersPerThread = 40,
                                          .staticSharedMemory = 1024,
                                          .start = start_ns,
                                          .end = end_ns,
                                          .completed = end_ns,
                                          .deviceId = launch->device,
                                          .streamId = launch->stream,
                                          .gridX = (int)shape[0],
                                          .gridY = (int)shape[1],
                                          .gridZ = (int)shape[2],
                                          .blockX = (int)shape[3],
                                          .blockY = (int)shape[4],
                                          .blockZ = (int)shape[5],
                                          .dynamicSharedMemory = (int)shape[6],
                                          .correlationId = launch->correlation,
                                          .name = launch->kernel.name,
                                          .graphId = launch->graph,
                                          .graphNodeId = launch->node};
    static atomic_ulong recorded;
    const char *lost = getenv("RL_LOST_RECORDS"); /* so many, the last ones of the first thousand */
    const bool is_lost = lost && atomic_fetch_add(&recorded, 1) < 1000 && atomic_load(&recorded) > 1000 - strtoul(lost, NULL, 10);
    stand_in_several_record(&record);
    if (launch->recorded && !is_lost)
        post(&record, sizeof record);
}

static void on_copied(int kind, int source, int target, uint64_t bytes, uint32_t correlation, uint32_t device, uint64_t start_ns,
                      uint64_t end_ns)
{
    stand_in_record_times(&start_ns, &end_ns);
    const CUpti_ActivityMemcpy5 record = {.kind = CUPTI_ACTIVITY_KIND_MEMCPY,
                                          .copyKind = (uint8_t)kind,
                                          .srcKind = (uint8_t)source,
                                          .dstKind = (uint8_t)target,
                                          .bytes = bytes,
                                          .start = start_ns,
                                          .end = end_ns,
                                          .deviceId = device,
                                          .correlationId = correlation};
    if (atomic_load(&activity.kinds[CUPTI_ACTIVITY_KIND_MEMCPY]))
        post(&record, sizeof record);
}

static int get_next_record(word buffer, word valid, word out, word unused)
{
    (void)unused;
    CUpti_Activity **record = (CUpti_Activity **)out;
    uint8_t *at = *record ? (uint8_t *)*record : NULL, *begin = (uint8_t *)buffer;
    if (!begin)
        return CUPTI_ERROR_INVALID_PARAMETER;
    size_t bytes = !at                                             ? 0
                   : (*record)->kind == CUPTI_ACTIVITY_KIND_MEMCPY ? sizeof(CUpti_ActivityMemcpy5)
                                                                   : sizeof(CUpti_ActivityKernel9);
    at = at ? at + bytes : begin;
    if (at >= begin + valid)
        return CUPTI_ERROR_MAX_LIMIT_REACHED;
    *record = (CUpti_Activity *)at;
    return 0;
}

static int register_callbacks(word requested, word completed, word a, word b)
{
    (void)a, (void)b;
    if (!requested || !completed)
        return CUPTI_ERROR_INVALID_PARAMETER;
    if (stand_in_has_several())
        return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
    atomic_store(&activity.completed, (CUpti_BuffersCallbackCompleteFunc)completed);
    atomic_store(&activity.requested, (CUpti_BuffersCallbackRequestFunc)requested);
    return 0;
}

static int enable_kind(word kind, word a, word b, word c)
{
    (void)a, (void)b, (void)c;
    if (kind >= CUPTI_ACTIVITY_KIND_COUNT)
        return CUPTI_ERROR_INVALID_KIND;
    if (stand_in_has_several())
        return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
    if ((kind == CUPTI_ACTIVITY_KIND_KERNEL && atomic_load(&activity.kinds[CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL])) ||
        (kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL && atomic_load(&activity.kinds[CUPTI_ACTIVITY_KIND_KERNEL])))
        return CUPTI_ERROR_NOT_COMPATIBLE;
    pthread_mutex_lock(&activity.lock);
    start_worker();
    pthread_mutex_unlock(&activity.lock);
    atomic_store(&activity.kinds[kind], 1);
    return 0;
}

static int disable_kind(word kind, word a, word b, word c)
{
    (void)a, (void)b, (void)c;
    if (kind >= CUPTI_ACTIVITY_KIND_COUNT)
        return CUPTI_ERROR_INVALID_KIND;
    atomic_store(&activity.kinds[kind], 0);
    return 0;
}

/* Records are whole when they are written, so forced or not makes no difference. Without buffers it is no error (CUPTI 13.0),
 * whatever the manual says. */
static int flush_all(word flag, word a, word b, word c)
{
    (void)flag, (void)a, (void)b, (void)c;
    stand_in_several_flush();
    if (!atomic_load(&activity.completed))
        return 0;
    pthread_mutex_lock(&activity.lock);
    end_current();
    deliver();
    pthread_mutex_unlock(&activity.lock);
    return 0;
}

static int flush_period(word ms, word a, word b, word c)
{
    (void)a, (void)b, (void)c;
    atomic_store(&activity.period_ms, (unsigned)ms);
    pthread_cond_signal(&activity.work);
    return 0;
}

static int get_dropped(word context, word stream, word dropped, word unused)
{
    (void)context, (void)stream, (void)unused;
    pthread_mutex_lock(&activity.lock);
    *(size_t *)dropped = activity.dropped;
    activity.dropped = 0;
    pthread_mutex_unlock(&activity.lock);
    return 0;
}

static int get_timestamp(word timestamp, word a, word b, word c)
{
    (void)a, (void)b, (void)c;
    *(uint64_t *)timestamp = stand_in_now_ns();
    return 0;
}

/* ---- callbacks ---- */

atomic_uchar stand_in_domain_is_on;

static void on_call(int entering, uint32_t id, const void *params, const char *symbol, uint32_t correlation, CUcontext context,
                    CUresult *result)
{
    CUpti_CallbackFunc callback = atomic_load(&subscriber.callback);
    static __thread uint64_t kept; /* of the subscriber, from the beginning of a call to its end */
    CUpti_CallbackData data = {.callbackSite = entering ? CUPTI_API_ENTER : CUPTI_API_EXIT,
                               .functionParams = params,
                               .functionReturnValue = result,
                               .symbolName = symbol,
                               .context = context,
                               .correlationId = correlation,
                               .correlationData = &kept};
    stand_in_several_call(id, &data);
    if (callback && id < MOST_IDS && atomic_load(&subscriber.driver[id]))
        callback(atomic_load(&subscriber.data), CUPTI_CB_DOMAIN_DRIVER_API, id, &data);
}

static void on_context(CUcontext context, bool created)
{
    CUpti_CallbackFunc callback = atomic_load(&subscriber.callback);
    CUpti_ResourceData data = {.context = context};
    unsigned id = created ? CUPTI_CBID_RESOURCE_CONTEXT_CREATED : CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING;
    if (callback && atomic_load(&subscriber.resource[id]))
        callback(atomic_load(&subscriber.data), CUPTI_CB_DOMAIN_RESOURCE, id, &data);
    CUpti_ModuleResourceData module = {.moduleId = 1};
    module.pCubin = stand_in_pcs_module(&module.cubinSize);
    data.resourceDescriptor = &module;
    if (created && callback && atomic_load(&subscriber.resource[CUPTI_CBID_RESOURCE_MODULE_LOADED]))
        callback(atomic_load(&subscriber.data), CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED, &data);
    if (!created)
        stand_in_ranges_forget(context);
}

static int subscribe(word handle, word callback, word data, word unused)
{
    (void)unused;
    CUpti_CallbackFunc none = NULL;
    if (!callback)
        return CUPTI_ERROR_INVALID_PARAMETER;
    if (stand_in_has_several())
        return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
    if (!atomic_compare_exchange_strong(&subscriber.callback, &none, (CUpti_CallbackFunc)callback))
        return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
    atomic_store(&subscriber.data, (void *)data);
    *(void **)handle = &subscriber;
    return 0;
}

static int unsubscribe(word handle, word a, word b, word c)
{
    (void)a, (void)b, (void)c;
    if (stand_in_several_unsubscribe(handle) == 0)
        return 0;
    if (handle != (word)&subscriber || !atomic_load(&subscriber.callback))
        return CUPTI_ERROR_INVALID_PARAMETER;
    for (size_t i = 0; i < MOST_IDS; i++)
        atomic_store(&subscriber.driver[i], 0);
    atomic_store(&stand_in_domain_is_on, 0);
    atomic_store(&subscriber.callback, NULL);
    return 0;
}

static int enable_callback(word enable, word handle, word domain, word id)
{
    if (stand_in_several_enable(enable, handle, domain, id) == 0)
        return 0;
    if (handle != (word)&subscriber)
        return CUPTI_ERROR_INVALID_PARAMETER;
    if (domain == CUPTI_CB_DOMAIN_DRIVER_API && id < MOST_IDS)
        atomic_store(&subscriber.driver[id], (unsigned char)enable);
    else if (domain == CUPTI_CB_DOMAIN_RESOURCE && id < CUPTI_CBID_RESOURCE_SIZE)
        atomic_store(&subscriber.resource[id], (unsigned char)enable);
    else
        return CUPTI_ERROR_INVALID_PARAMETER;
    return 0;
}

int stand_in_callback_state(word handle, word domain, word id)
{
    if (handle != (word)&subscriber || domain != CUPTI_CB_DOMAIN_DRIVER_API || id >= MOST_IDS)
        return -1;
    return atomic_load(&subscriber.driver[id]);
}

bool stand_in_has_first(void)
{
    return atomic_load(&subscriber.callback) || atomic_load(&activity.completed);
}

void stand_in_forget_clients(void)
{
    atomic_store(&stand_in_domain_is_on, 0);
    (void)flush_all(0, 0, 0, 0);
    atomic_store(&subscriber.callback, NULL);
    for (size_t i = 0; i < MOST_IDS; i++)
        atomic_store(&subscriber.driver[i], 0);
    for (size_t i = 0; i < CUPTI_ACTIVITY_KIND_COUNT; i++)
        atomic_store(&activity.kinds[i], 0);
    atomic_store(&activity.period_ms, 0);
    atomic_store(&activity.requested, NULL);
    atomic_store(&activity.completed, NULL);
}

static int get_device_id(word context, word device, word a, word b)
{
    (void)a, (void)b;
    if (!context)
        return CUPTI_ERROR_INVALID_CONTEXT;
    *(uint32_t *)device = stand_in_device_of((CUcontext)context);
    return 0;
}

static int version(word number, word a, word b, word c)
{
    (void)a, (void)b, (void)c;
    *(uint32_t *)number = getenv("RL_SEVERAL") ? 130300 : STAND_IN_VERSION;
    return 0;
}

/* ---- what is exported ---- */

static const struct stand_in_function functions[] = {
    {"cuptiGetVersion", version},
    {"cuptiSubscribe", subscribe},
    {"cuptiUnsubscribe", unsubscribe},
    {"cuptiEnableCallback", enable_callback},
    {"cuptiGetDeviceId", get_device_id},
    {"cuptiGetTimestamp", get_timestamp},
    {"cuptiActivityRegisterCallbacks", register_callbacks},
    {"cuptiActivityEnable", enable_kind},
    {"cuptiActivityDisable", disable_kind},
    {"cuptiActivityGetNextRecord", get_next_record},
    {"cuptiActivityGetNumDroppedRecords", get_dropped},
    {"cuptiActivityFlushAll", flush_all},
    {"cuptiActivityFlushPeriod", flush_period},
    {NULL, NULL},
};

static const struct stand_in_function *find(const struct stand_in_function *row, const char *name)
{
    while (row->name && strcmp(row->name, name) != 0)
        row++;
    return row->name ? row : NULL;
}

const struct stand_in_function *stand_in_find(const char *name)
{
    return find(functions, name);
}

int stand_in_refused(const char *name)
{
    const char *refused = getenv("RL_REFUSE");
    return refused && strcmp(refused, name) == 0 ? (int)strtol(getenv("RL_REFUSE_CODE"), NULL, 10) : 0;
}

/* As CUPTI does, when it is first used: there may be two copies of it. */
static void attach(void)
{
    static const struct stand_in_hooks hooks = {on_call, on_submitted, on_ended, on_copied, on_context};
    stand_in_attach(&hooks);
}

/* What is not here is refused, as by a library that has not been initialised. */
static int forward(const char *name, word a, word b, word c, word d)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const int refused = stand_in_refused(name);
    pthread_once(&once, attach);
    if (refused)
        return refused;
    const struct stand_in_function *function = find(functions, name);
    if (!function)
        function = find(stand_in_range_functions, name);
    if (!function)
        function = find(stand_in_pm_functions, name);
    if (!function)
        function = find(stand_in_pcs_functions, name);
    if (!function)
        function = find(stand_in_guest_functions, name);
    if (!function)
        function = find(stand_in_several_functions, name);
    return function ? function->call(a, b, c, d) : CUPTI_ERROR_NOT_INITIALIZED;
}

#define CUPTI_FUNCTION(name)                                                                                                       \
    int stand_in_##name(word a, word b, word c, word d) __asm__(#name);                                                            \
    __attribute__((visibility("default"))) int stand_in_##name(word a, word b, word c, word d)                                     \
    {                                                                                                                              \
        return forward(#name, a, b, c, d);                                                                                         \
    }
#ifdef STAND_IN_OLDER
#define CUPTI_OPTIONAL(name)
#define CUPTI_RANGE(name)
#define HOST_LIBRARY(function)
#define PARAMS(library, function, ...) library##_LIBRARY(function)
#define CUPTI_LIBRARY(function)        CUPTI_FUNCTION(function)
#include "profiler_api.def"
#else
#define CUPTI_OPTIONAL(name) CUPTI_FUNCTION(name)
#define CUPTI_RANGE(name)    CUPTI_FUNCTION(name)
#endif
#include "cupti_api.def"
#ifndef STAND_IN_OLDER
#define OTHER(name, parameters) CUPTI_FUNCTION(name)
#define OWNER(begin, end)
#define SAMPLER(begin, end)
#define MOMENT(name)
#define SEVERAL(name, parameters, arguments) CUPTI_FUNCTION(name)
#include "inject/others.def"
#undef SEVERAL
#undef MOMENT
#undef SAMPLER
#undef OWNER
#undef OTHER
#endif
#undef CUPTI_RANGE
#undef CUPTI_OPTIONAL
#undef CUPTI_FUNCTION
