/* activity.c - a small client of the Activity API: buffers in, kernel records out. CUPTI calls back from its own thread, so the list of
 * launches is guarded by a lock. */
#include "activity.h"

#include <pthread.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "collector/collector.h"
#include "core/mem.h"
#include "cupti_api.h"

enum { BUFFER_BYTES = 1 << 20, BUFFER_ALIGN = 8 };

static struct {
    pthread_mutex_t lock;
    bool registered;
    struct rl_activity_launch *launches;
    size_t count, cap;
    size_t dropped;
    bool failed;
    void *names;             /* tsearch tree of interned names */
} state = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int compare_names(const void *a, const void *b) { return strcmp(a, b); }

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

/* The fields used here stand at the same places in every version of the kernel record from CUPTI 12 on. */
static void add_launch(const CUpti_ActivityKernel9 *record)
{
    RL_GROW(state.launches, state.count + 1, state.cap);
    state.launches[state.count++] = (struct rl_activity_launch){
        .name = intern(record->name),
        .grid = {(uint32_t)record->gridX, (uint32_t)record->gridY, (uint32_t)record->gridZ},
        .block = {(uint32_t)record->blockX, (uint32_t)record->blockY, (uint32_t)record->blockZ},
        .dynamic_shared_bytes = (uint32_t)record->dynamicSharedMemory,
        .static_shared_bytes = (uint32_t)record->staticSharedMemory,
        .registers_per_thread = record->registersPerThread,
        .local_bytes_per_thread = record->localMemoryPerThread,
        .start_ns = record->start,
        .end_ns = record->end,
    };
}

static void CUPTIAPI on_buffer_completed(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
    (void)size;
    CUpti_Activity *record = NULL;
    CUptiResult result = CUPTI_SUCCESS;
    size_t dropped = 0;
    pthread_mutex_lock(&state.lock);
    while (valid && (result = rl_cupti.cuptiActivityGetNextRecord(buffer, valid, &record)) == CUPTI_SUCCESS)
        if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
            add_launch((const CUpti_ActivityKernel9 *)record);
    if (result != CUPTI_SUCCESS && result != CUPTI_ERROR_MAX_LIMIT_REACHED)
        state.failed = true;
    if (rl_cupti.cuptiActivityGetNumDroppedRecords(context, stream, &dropped) == CUPTI_SUCCESS)
        state.dropped += dropped;
    pthread_mutex_unlock(&state.lock);
    free(buffer);
}

enum rl_status rl_activity_start(struct rl_err *err)
{
    enum rl_status status = RL_OK;
    if (!state.registered)
        status = RL_CUPTI(err, cuptiActivityRegisterCallbacks, on_buffer_requested, on_buffer_completed);
    if (status != RL_OK)
        return status;
    state.registered = true;
    pthread_mutex_lock(&state.lock);
    state.count = state.dropped = 0;
    state.failed = false;
    pthread_mutex_unlock(&state.lock);
    return RL_CUPTI(err, cuptiActivityEnable, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
}

static int compare_starts(const void *a, const void *b)
{
    const struct rl_activity_launch *x = a, *y = b;
    return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

enum rl_status rl_activity_stop(const struct rl_activity_launch **launches, size_t *count, struct rl_err *err)
{
    enum rl_status flushed = RL_CUPTI(err, cuptiActivityFlushAll, 1);
    enum rl_status status = RL_CUPTI(flushed == RL_OK ? err : NULL, cuptiActivityDisable, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    if (flushed != RL_OK || status != RL_OK)
        return flushed != RL_OK ? flushed : status;
    pthread_mutex_lock(&state.lock);
    size_t dropped = state.dropped;
    bool failed = state.failed;
    if (state.count)
        qsort(state.launches, state.count, sizeof *state.launches, compare_starts);
    *launches = state.launches;
    *count = state.count;
    pthread_mutex_unlock(&state.lock);
    if (dropped || failed)
        return rl_err_set(err, RL_FAILED, "CUPTI lost %zu activity records", dropped);
    return RL_OK;
}
