/* times.c - the Activity API: when each kernel, copy and set began and ended. CUPTI hands buffers over from a thread of its own,
 * and every FLUSH_MS what is finished, so that little is lost when the program is killed. */
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "inject.h"

enum { BUFFER_BYTES = 1 << 20, BUFFER_ALIGN = 8, MOST_SPARE = 8, FLUSH_MS = 100 };
#define LARGE_COPY (1 << 20) /* bytes from which on the rate of a copy says something about the link */

static const CUpti_ActivityKind kinds[] = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
                                           CUPTI_ACTIVITY_KIND_MEMCPY2, CUPTI_ACTIVITY_KIND_MEMSET};

static struct transfer {
    uint64_t count, bytes, total_ns;
    double slowest, fastest;
    bool changed;
} transfers[MOST_GPUS][RL_DIRECTIONS][RL_MEMORIES];

static struct {
    bool running;
    uint64_t launches, lost, unselected, unselected_ns;
    uint8_t *spare[MOST_SPARE];
    size_t spare_count;
} state;
static pthread_mutex_t spare_lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- buffers ---- */

static void CUPTIAPI on_buffer_requested(uint8_t **buffer, size_t *size, size_t *max_records)
{
    *max_records = 0;
    *buffer = NULL;
    pthread_mutex_lock(&spare_lock);
    if (state.spare_count)
        *buffer = state.spare[--state.spare_count];
    pthread_mutex_unlock(&spare_lock);
    if (!*buffer)
        *buffer = aligned_alloc(BUFFER_ALIGN, BUFFER_BYTES);
    *size = *buffer ? BUFFER_BYTES : 0; /* CUPTI counts what it cannot store as dropped */
}

static void give_back(uint8_t *buffer)
{
    pthread_mutex_lock(&spare_lock);
    bool keep = state.spare_count < MOST_SPARE;
    if (keep)
        state.spare[state.spare_count++] = buffer;
    pthread_mutex_unlock(&spare_lock);
    if (!keep)
        free(buffer);
}

/* ---- records; the fields used stand at the same places in every version of these from CUPTI 12 on ---- */

static void tell_shape(struct class *class, const CUpti_ActivityKernel9 *record)
{
    struct rl_record_shape shape = {.class_id = class->id,
                                    .registers = record->registersPerThread,
                                    .static_shared_bytes = (uint32_t)record->staticSharedMemory,
                                    .local_bytes = record->localMemoryPerThread,
                                    .cluster = {record->clusterX, record->clusterY, record->clusterZ}};
    out_add(RL_RECORD_shape, &shape, sizeof shape, NULL, 0);
    class->shape_told = true;
}

static void add_launch(struct class *class, const CUpti_ActivityKernel9 *record, int32_t range, uint64_t duration_ns)
{
    class_time(class, record->start, duration_ns, record->graphId != 0);
    if (!class->shape_told)
        tell_shape(class, record);
    range_time(range, duration_ns);
}

static void add_kernel(const CUpti_Activity *any)
{
    const CUpti_ActivityKernel9 *record = (const CUpti_ActivityKernel9 *)any;
    struct origin origin = {RL_STREAM_NO_RANGE, !select_needs_launches(), false};
    (void)launch_origin(record->correlationId, &origin);
    if (origin.counted || !gpu_seen(record->deviceId))
        return;
    struct shape shape = {.gpu = record->deviceId,
                          .grid = {(uint32_t)record->gridX, (uint32_t)record->gridY, (uint32_t)record->gridZ},
                          .block = {(uint32_t)record->blockX, (uint32_t)record->blockY, (uint32_t)record->blockZ},
                          .dynamic_shared_bytes = (uint32_t)record->dynamicSharedMemory};
    uint64_t duration_ns = record->end > record->start ? record->end - record->start : 0;
    pthread_mutex_lock(&lock);
    state.launches++;
    busy_add(record->deviceId, record->start, record->end, true);
    struct class *class = origin.selected ? class_of(record->name, &shape) : NULL;
    if (class && !class->excluded) {
        add_launch(class, record, origin.range, duration_ns);
    } else {
        state.unselected++;
        state.unselected_ns += duration_ns;
    }
    pthread_mutex_unlock(&lock);
}

static void add_transfer(uint32_t gpu, enum rl_stream_direction direction, enum rl_stream_memory memory, uint64_t bytes,
                         uint64_t start_ns, uint64_t end_ns)
{
    if (!gpu_seen(gpu))
        return;
    pthread_mutex_lock(&lock);
    struct transfer *transfer = &transfers[gpu][direction][memory];
    uint64_t duration_ns = end_ns > start_ns ? end_ns - start_ns : 0;
    transfer->count++;
    transfer->bytes += bytes;
    transfer->total_ns += duration_ns;
    transfer->changed = true;
    busy_add(gpu, start_ns, end_ns, false);
    if (bytes >= LARGE_COPY && duration_ns) {
        double rate = (double)bytes / (double)duration_ns * 1e9;
        transfer->slowest = transfer->slowest == 0 || rate < transfer->slowest ? rate : transfer->slowest;
        transfer->fastest = rate > transfer->fastest ? rate : transfer->fastest;
    }
    pthread_mutex_unlock(&lock);
}

static enum rl_stream_memory memory_of(unsigned kind)
{
    static const enum rl_stream_memory memories[] = {
        [CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE] = RL_PAGEABLE,      [CUPTI_ACTIVITY_MEMORY_KIND_PINNED] = RL_PINNED,
        [CUPTI_ACTIVITY_MEMORY_KIND_DEVICE] = RL_DEVICE_MEMORY,   [CUPTI_ACTIVITY_MEMORY_KIND_ARRAY] = RL_DEVICE_MEMORY,
        [CUPTI_ACTIVITY_MEMORY_KIND_MANAGED] = RL_MANAGED,        [CUPTI_ACTIVITY_MEMORY_KIND_DEVICE_STATIC] = RL_DEVICE_MEMORY,
        [CUPTI_ACTIVITY_MEMORY_KIND_MANAGED_STATIC] = RL_MANAGED,
    };
    return kind != CUPTI_ACTIVITY_MEMORY_KIND_UNKNOWN && kind < RL_COUNT(memories) ? memories[kind] : RL_UNKNOWN_MEMORY;
}

/* Which way a copy went, and which of its ends is the interesting one: the host's. */
static const struct {
    CUpti_ActivityMemcpyKind kind;
    enum rl_stream_direction direction;
    bool source;
} ways[] = {
    {CUPTI_ACTIVITY_MEMCPY_KIND_HTOD, RL_TO_DEVICE, true},  {CUPTI_ACTIVITY_MEMCPY_KIND_DTOH, RL_TO_HOST, false},
    {CUPTI_ACTIVITY_MEMCPY_KIND_HTOA, RL_TO_DEVICE, true},  {CUPTI_ACTIVITY_MEMCPY_KIND_ATOH, RL_TO_HOST, false},
    {CUPTI_ACTIVITY_MEMCPY_KIND_HTOH, RL_ON_HOST, true},    {CUPTI_ACTIVITY_MEMCPY_KIND_PTOP, RL_BETWEEN_DEVICES, true},
    {CUPTI_ACTIVITY_MEMCPY_KIND_DTOD, RL_ON_DEVICE, false}, {CUPTI_ACTIVITY_MEMCPY_KIND_ATOA, RL_ON_DEVICE, false},
    {CUPTI_ACTIVITY_MEMCPY_KIND_ATOD, RL_ON_DEVICE, false}, {CUPTI_ACTIVITY_MEMCPY_KIND_DTOA, RL_ON_DEVICE, false},
};

static void add_copy(const CUpti_Activity *any)
{
    const CUpti_ActivityMemcpy5 *record = (const CUpti_ActivityMemcpy5 *)any;
    enum rl_stream_direction direction = RL_ON_DEVICE;
    unsigned memory = record->dstKind;
    for (size_t i = 0; i < RL_COUNT(ways); i++)
        if ((unsigned)ways[i].kind == record->copyKind) {
            direction = ways[i].direction;
            memory = ways[i].source ? record->srcKind : record->dstKind;
        }
    add_transfer(record->deviceId, direction, memory_of(memory), record->bytes, record->start, record->end);
}

static void add_peer_copy(const CUpti_Activity *any)
{
    const CUpti_ActivityMemcpyPtoP4 *record = (const CUpti_ActivityMemcpyPtoP4 *)any;
    add_transfer(record->deviceId, RL_BETWEEN_DEVICES, memory_of(record->srcKind), record->bytes, record->start, record->end);
}

static void add_set(const CUpti_Activity *any)
{
    const CUpti_ActivityMemset3 *record = (const CUpti_ActivityMemset3 *)any;
    add_transfer(record->deviceId, RL_SET, memory_of(record->memoryKind), record->bytes, record->start, record->end);
}

static void (*const adds[])(const CUpti_Activity *) = {
    [CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL] = add_kernel,
    [CUPTI_ACTIVITY_KIND_KERNEL] = add_kernel,
    [CUPTI_ACTIVITY_KIND_MEMCPY] = add_copy,
    [CUPTI_ACTIVITY_KIND_MEMCPY2] = add_peer_copy,
    [CUPTI_ACTIVITY_KIND_MEMSET] = add_set,
};

/* ---- the stream ---- */

static void flush_transfer(uint32_t gpu, uint16_t direction, uint16_t memory)
{
    struct transfer *transfer = &transfers[gpu][direction][memory];
    if (!transfer->changed)
        return;
    struct rl_record_transfer record = {.gpu = gpu,
                                        .direction = direction,
                                        .memory = memory,
                                        .count = transfer->count,
                                        .bytes = transfer->bytes,
                                        .total_ns = transfer->total_ns,
                                        .slowest = transfer->slowest,
                                        .fastest = transfer->fastest};
    out_add(RL_RECORD_transfer, &record, sizeof record, NULL, 0);
    transfer->changed = false;
}

void times_flush(void)
{
    for (uint32_t gpu = 0; gpu < MOST_GPUS; gpu++)
        for (uint16_t direction = 0; direction < RL_DIRECTIONS; direction++)
            for (uint16_t memory = 0; memory < RL_MEMORIES; memory++)
                flush_transfer(gpu, direction, memory);
    struct rl_record_process process = {.launches = state.launches + atomic_load(&launches_untimed),
                                        .untimed = atomic_load(&launches_untimed),
                                        .lost = state.lost,
                                        .unselected = state.unselected,
                                        .unselected_ns = state.unselected_ns};
    out_add(RL_RECORD_process, &process, sizeof process, NULL, 0);
}

static void flush_all(void)
{
    pthread_mutex_lock(&lock);
    classes_flush();
    busy_flush();
    ranges_flush();
    times_flush();
    out_flush();
    pthread_mutex_unlock(&lock);
}

static void CUPTIAPI on_buffer_completed(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
    (void)size;
    CUpti_Activity *record = NULL;
    size_t dropped = 0;
    while (atomic_load(&alive) && valid && rl_cupti.cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS)
        if ((size_t)record->kind < RL_COUNT(adds) && adds[record->kind])
            adds[record->kind](record);
    if (rl_cupti.cuptiActivityGetNumDroppedRecords(context, stream, &dropped) == CUPTI_SUCCESS)
        state.lost += dropped;
    if (atomic_load(&alive) && (valid || dropped))
        flush_all();
    if (buffer)
        give_back(buffer);
}

/* ---- on and off ---- */

static enum rl_status enable(struct rl_err *err)
{
    enum rl_status status = RL_OK;
    for (size_t i = 0; i < RL_COUNT(kinds) && status == RL_OK; i++)
        status = RL_CUPTI(err, cuptiActivityEnable, kinds[i]);
    state.running = status == RL_OK;
    return status;
}

enum rl_status times_start(struct rl_err *err)
{
    enum rl_status status = RL_CUPTI(err, cuptiActivityRegisterCallbacks, on_buffer_requested, on_buffer_completed);
    if (status == RL_OK)
        status = enable(err);
    if (status == RL_OK)
        (void)rl_cupti.cuptiActivityFlushPeriod(FLUSH_MS); /* without it only a kill costs more */
    return status;
}

void times_deliver(bool all)
{
    if (state.running)
        (void)rl_cupti.cuptiActivityFlushAll(all);
    flush_all();
}

void times_pause(void)
{
    if (!state.running)
        return;
    times_deliver(true);
    for (size_t i = 0; i < RL_COUNT(kinds); i++)
        (void)rl_cupti.cuptiActivityDisable(kinds[i]);
    state.running = false;
    pthread_mutex_lock(&lock);
    busy_cut();
    pthread_mutex_unlock(&lock);
}

void times_resume(void)
{
    struct rl_err err = RL_ERR_INIT;
    if (settings.times && !state.running && enable(&err) != RL_OK)
        say(1, RL_OK, err.text);
}
