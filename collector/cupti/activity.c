/* activity.c - a small client of the Activity API: buffers in, records out. CUPTI calls back from its own thread, so the list of
 * activities is guarded by a lock. */
#include "activity.h"

#include <pthread.h>
#include <search.h>

#include "collector/collector.h"
#include "cupti_api.h"

enum { BUFFER_BYTES = 1 << 20, BUFFER_ALIGN = 8 };

static struct {
    pthread_mutex_t lock;
    bool registered;
    enum rl_activity_clock clock;
    const struct rl_record_cost *cost;
    struct rl_activity *activities;
    size_t count, cap;
    size_t dropped;
    bool failed;
    void *names; /* tsearch tree of interned names */
} state = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

static const char *intern(const char *name)
{
    if (!name)
        name = "";
    void *node = tfind(name, &state.names, compare_names);
    if (!node)
        node = tsearch(rl_strdup(name), &state.names, compare_names);
    return *(char **)node;
}

static void CUPTIAPI on_buffer_requested(uint8_t **buffer, size_t *size, size_t *max_records)
{
    *size = BUFFER_BYTES;
    *max_records = 0;
    *buffer = aligned_alloc(BUFFER_ALIGN, BUFFER_BYTES);
    if (!*buffer)
        *size = 0; /* CUPTI counts what it cannot store as dropped */
}

static struct rl_activity *append(void)
{
    RL_GROW(state.activities, state.count + 1, state.cap);
    struct rl_activity *activity = &state.activities[state.count++];
    *activity = (struct rl_activity){0};
    return activity;
}

/* The fields used below stand at the same places in every version of these records from CUPTI 12 on. */
static void add_kernel(const CUpti_Activity *any)
{
    const CUpti_ActivityKernel9 *record = (const CUpti_ActivityKernel9 *)any;
    const uint64_t recorded_ns = record->end > record->start ? record->end - record->start : 0;
    const bool serial = state.clock == RL_ACTIVITY_SERIAL;
    *append() = (struct rl_activity){
        .kind = RL_EVENT_KERNEL,
        .start_ns = record->start,
        .end_ns = record->start + (serial ? rl_record_untraced(state.cost, recorded_ns) : recorded_ns),
        .stream = record->streamId,
        .name = intern(record->name),
        .grid = {(uint32_t)record->gridX, (uint32_t)record->gridY, (uint32_t)record->gridZ},
        .block = {(uint32_t)record->blockX, (uint32_t)record->blockY, (uint32_t)record->blockZ},
        .dynamic_shared_bytes = (uint32_t)record->dynamicSharedMemory,
    };
}

static void add_copy(const CUpti_Activity *any)
{
    const CUpti_ActivityMemcpy5 *record = (const CUpti_ActivityMemcpy5 *)any;
    struct rl_activity *activity = append();
    activity->kind = record->copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_HTOD   ? RL_EVENT_COPY_TO_DEVICE
                     : record->copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_DTOH ? RL_EVENT_COPY_TO_HOST
                                                                           : RL_EVENT_COPY_ON_DEVICE;
    activity->start_ns = record->start;
    activity->end_ns = record->end;
    activity->stream = record->streamId;
    activity->bytes = record->bytes;
}

static void add_set(const CUpti_Activity *any)
{
    const CUpti_ActivityMemset3 *record = (const CUpti_ActivityMemset3 *)any;
    struct rl_activity *activity = append();
    activity->kind = RL_EVENT_SET;
    activity->start_ns = record->start;
    activity->end_ns = record->end;
    activity->stream = record->streamId;
    activity->bytes = record->bytes;
}

/* Activities recorded under each clock. */
static const struct {
    CUpti_ActivityKind kind;
    enum rl_activity_clock clock;
    void (*add)(const CUpti_Activity *record);
} kinds[] = {
    {CUPTI_ACTIVITY_KIND_KERNEL, RL_ACTIVITY_SERIAL, add_kernel},
    {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, RL_ACTIVITY_TIMELINE, add_kernel},
    {CUPTI_ACTIVITY_KIND_MEMCPY, RL_ACTIVITY_TIMELINE, add_copy},
    {CUPTI_ACTIVITY_KIND_MEMSET, RL_ACTIVITY_TIMELINE, add_set},
};

static void CUPTIAPI on_buffer_completed(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
    (void)size;
    CUpti_Activity *record = NULL;
    CUptiResult result = CUPTI_SUCCESS;
    size_t dropped = 0;
    pthread_mutex_lock(&state.lock);
    while (valid && (result = rl_cupti.cuptiActivityGetNextRecord(buffer, valid, &record)) == CUPTI_SUCCESS) {
        for (size_t i = 0; i < RL_COUNT(kinds); i++)
            if (kinds[i].kind == record->kind)
                kinds[i].add(record);
    }
    if (result != CUPTI_SUCCESS && result != CUPTI_ERROR_MAX_LIMIT_REACHED)
        state.failed = true;
    if (rl_cupti.cuptiActivityGetNumDroppedRecords(context, stream, &dropped) == CUPTI_SUCCESS)
        state.dropped += dropped;
    pthread_mutex_unlock(&state.lock);
    free(buffer);
}

void rl_activity_set_cost(const struct rl_record_cost *cost)
{
    state.cost = cost;
}

enum rl_status rl_activity_start(enum rl_activity_clock clock, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    if (!state.registered)
        status = RL_CUPTI(err, cuptiActivityRegisterCallbacks, on_buffer_requested, on_buffer_completed);
    if (status != RL_OK)
        return status;
    state.registered = true;
    state.clock = clock;
    pthread_mutex_lock(&state.lock);
    state.count = state.dropped = 0;
    state.failed = false;
    pthread_mutex_unlock(&state.lock);
    for (size_t i = 0; i < RL_COUNT(kinds) && status == RL_OK; i++)
        if (kinds[i].clock == clock)
            status = RL_CUPTI(err, cuptiActivityEnable, kinds[i].kind);
    return status;
}

RL_COMPARATOR(compare_starts, struct rl_activity, rl_ascending(x->start_ns, y->start_ns));

enum rl_status rl_activity_stop(const struct rl_activity **activities, size_t *count, struct rl_err *err)
{
    assert(activities && count && state.registered);
    /* Switches recording off; the first failure is the one reported. */
    enum rl_status status = RL_CUPTI(err, cuptiActivityFlushAll, 1);
    for (size_t i = 0; i < RL_COUNT(kinds); i++)
        if (kinds[i].clock == state.clock) {
            enum rl_status disabled = RL_CUPTI(status == RL_OK ? err : NULL, cuptiActivityDisable, kinds[i].kind);
            status = status == RL_OK ? disabled : status;
        }
    if (status != RL_OK)
        return status;
    pthread_mutex_lock(&state.lock);
    size_t dropped = state.dropped;
    bool failed = state.failed;
    if (state.count)
        rl_sort(state.activities, state.count, sizeof *state.activities, compare_starts);
    *activities = state.activities;
    *count = state.count;
    pthread_mutex_unlock(&state.lock);
    if (dropped || failed)
        return rl_err_set(err, RL_FAILED, "CUPTI lost %zu activity records", dropped);
    return RL_OK;
}
