/* times.c - the Activity API: when each kernel, memcpy and memset began and ended. CUPTI hands buffers over from a separate thread,
 * and every FLUSH_MS what is finished, so that little is lost when the program is killed. */
#include "capture/capture.h"
#include "counting.h"
#include "guest.h"
#include "lanes.h"
#include "ranges.h"
#include "record_cost.h"

enum { FIRST_GATHER_NS = 1000000, MOST_GATHER_NS = 50000000 };
#define LARGE_COPY (1 << 20) /* minimum bytes of a memcpy whose rate says something about the link */

static const CUpti_ActivityKind copies[] = {CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMCPY2, CUPTI_ACTIVITY_KIND_MEMSET};

static struct transfer {
    uint64_t count, bytes, total_ns;
    double slowest, fastest;
    bool changed;
} transfers[MOST_GPUS][RL_DIRECTIONS][RL_MEMORIES];

static struct {
    uint64_t launches, of_graphs, unselected, unselected_ns; /* under `lock` */
} state;
static atomic_bool running;        /* copies are recorded */
static atomic_uint kernels;        /* and kernels, of this kind; 0: none */
static atomic_bool overlapping;    /* kernels of several streams may run at the same time */
static atomic_bool paused = false; /* GPU activity does not count as the program's time */
static atomic_ullong graph_called_ns, graph_lag_ns;
static atomic_ullong lost;

/* ---- records; the fields used stand at the same places in every version of these from CUPTI 12 on ---- */

/* The duration of the kernel without what a serial record adds. */
static struct timed timed_by(const CUpti_ActivityKernel9 *record)
{
    const uint64_t recorded_ns = record->end > record->start ? record->end - record->start : 0;
    if (record->kind != CUPTI_ACTIVITY_KIND_KERNEL)
        return (struct timed){.duration_ns = recorded_ns, .traced = true};
    const uint64_t own_ns = rl_record_untraced(&rl_record_cost_usual, recorded_ns);
    return (struct timed){.duration_ns = own_ns, .cost_ns = recorded_ns - own_ns};
}

/* Uses the name at launch: the record's name is the driver's, which may be another kernel's if the program has unloaded the module
 * since. Kernels of graphs have only that. */
static struct class *class_of_record(const CUpti_ActivityKernel9 *record, struct class *launched)
{
    const struct shape shape = {.gpu = record->deviceId,
                                .grid = {(uint32_t)record->gridX, (uint32_t)record->gridY, (uint32_t)record->gridZ},
                                .block = {(uint32_t)record->blockX, (uint32_t)record->blockY, (uint32_t)record->blockZ},
                                .dynamic_shared_bytes = (uint32_t)record->dynamicSharedMemory};
    return launched && shape_same(&launched->shape, &shape) ? launched : class_of(record->name, &shape);
}

/* Adds the run of a kernel to the span of the GPU; NULL: no class that is reported. */
static void note_activity(const CUpti_ActivityKernel9 *record, struct origin origin, struct class *class, uint64_t end_ns)
{
    busy_add(record->deviceId, record->start, end_ns, true);
    spans_add(record->deviceId, class ? class->id : RL_STREAM_NO_CLASS, record->kind != CUPTI_ACTIVITY_KIND_KERNEL, record->start,
              end_ns);
    const struct activity kernel = {.gpu = record->deviceId,
                                    .lane = class && class->collective ? RL_LANE_COLLECTIVES : RL_LANE_COMPUTE,
                                    .start_ns = record->start,
                                    .end_ns = end_ns,
                                    .class = class,
                                    .range = origin.range,
                                    .call = origin.call};
    lanes_add(&kernel);
    if (record->graphId)
        atomic_store(&graph_lag_ns, lanes_lag(&kernel));
}

static void count_kernel(const CUpti_ActivityKernel9 *record, struct origin origin)
{
    assume(is_held());
    const struct timed timed = timed_by(record);
    const uint64_t end_ns = record->start + timed.duration_ns;
    state.launches++;
    state.of_graphs += record->graphId != 0;
    struct class *class = origin.selected ? class_of_record(record, origin.class) : NULL;
    const bool taken = class && !class->excluded;
    if (!atomic_load(&paused))
        note_activity(record, origin, taken ? class : NULL, end_ns);
    if (taken) {
        class_time(class, record->start, timed, record->graphId != 0);
        if (!class->shape_told) {
            struct rl_record_shape shape = {.class_id = class->id,
                                            .registers = record->registersPerThread,
                                            .static_shared_bytes = (uint32_t)record->staticSharedMemory,
                                            .local_bytes = record->localMemoryPerThread,
                                            .cluster = {record->clusterX, record->clusterY, record->clusterZ}};
            out_add(RL_RECORD_shape, &shape, sizeof shape, NULL, 0);
            class->shape_told = true;
        }
        node_time(origin.range, timed.duration_ns);
        instance_timed(origin.instance, record->deviceId, record->start, record->start + timed.duration_ns, record->graphId != 0);
        use_add(node_case(origin.range), class->id, timed.duration_ns);
    } else {
        state.unselected++;
        state.unselected_ns += timed.duration_ns;
    }
}

/* Times by CUPTI's own clock; the program may have given CUPTI another one. */
#define WITH_OWN_TIMES(type, any, record)                                                                                          \
    type by_own_clock;                                                                                                             \
    const type *record = (const type *)(any);                                                                                      \
    uint64_t start_ns = record->start, end_ns = record->end;                                                                       \
    if (guest_to_own_clock(&start_ns, &end_ns)) {                                                                                  \
        memcpy(&by_own_clock, record, sizeof by_own_clock);                                                                        \
        by_own_clock.start = start_ns, by_own_clock.end = end_ns;                                                                  \
        record = &by_own_clock;                                                                                                    \
    }

static void add_kernel(const CUpti_Activity *any)
{
    WITH_OWN_TIMES(CUpti_ActivityKernel9, any, record)
    struct origin origin = {.range = RL_STREAM_NO_RANGE, .instance = NO_INSTANCE, .selected = !select_needs_launches()};
    if (!gpu_seen(record->deviceId) || !hold())
        return;
    const bool known = origin_find(record->correlationId, &origin);
    if (origin.counted) {
        spans_cut();
        lanes_cut();
    } else if (known || !atomic_load(&paused)) /* CUPTI adds kernels around a range */
        count_kernel(record, origin);
    let_go();
}

static enum rl_lane lane_of(enum rl_stream_direction direction)
{
    static const enum rl_lane lanes[RL_DIRECTIONS] = {
        [RL_TO_DEVICE] = RL_LANE_TO_DEVICE,  [RL_TO_HOST] = RL_LANE_TO_HOST, [RL_ON_DEVICE] = RL_LANE_ON_DEVICE,
        [RL_BETWEEN_DEVICES] = RL_LANE_PEER, [RL_ON_HOST] = RL_LANE_ON_HOST, [RL_SET] = RL_LANE_SET,
    };
    assume(direction < RL_DIRECTIONS);
    return lanes[direction];
}

static void add_transfer(uint32_t gpu, enum rl_stream_direction direction, enum rl_stream_memory memory, uint64_t bytes,
                         uint64_t start_ns, uint64_t end_ns)
{
    if (!gpu_seen(gpu) || !hold())
        return;
    struct transfer *transfer = &transfers[gpu][direction][memory];
    uint64_t duration_ns = end_ns > start_ns ? end_ns - start_ns : 0;
    transfer->count++;
    transfer->bytes += bytes;
    transfer->total_ns += duration_ns;
    transfer->changed = true;
    if (!atomic_load(&paused)) {
        busy_add(gpu, start_ns, end_ns, false);
        lanes_add(&(struct activity){
            .gpu = gpu, .lane = lane_of(direction), .start_ns = start_ns, .end_ns = end_ns, .range = RL_STREAM_NO_RANGE});
        /* Sets and copies of device memory are kernels of the driver's, which samples of the GPU see like any other; a copy to or
         * from the host runs on none of its SMs. */
        if ((direction == RL_SET || direction == RL_ON_DEVICE) && memory == RL_DEVICE_MEMORY)
            spans_add(gpu, RL_STREAM_NO_CLASS, false, start_ns, end_ns);
    }
    if (bytes >= LARGE_COPY && duration_ns) {
        double rate = (double)bytes / (double)duration_ns * 1e9;
        transfer->slowest = transfer->slowest == 0 || rate < transfer->slowest ? rate : transfer->slowest;
        transfer->fastest = rate > transfer->fastest ? rate : transfer->fastest;
    }
    let_go();
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

/* Direction of a memcpy, and which of its ends is the interesting one: the host's. */
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
    WITH_OWN_TIMES(CUpti_ActivityMemcpy5, any, record)
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
    WITH_OWN_TIMES(CUpti_ActivityMemcpyPtoP4, any, record)
    add_transfer(record->deviceId, RL_BETWEEN_DEVICES, memory_of(record->srcKind), record->bytes, record->start, record->end);
}

static void add_set(const CUpti_Activity *any)
{
    WITH_OWN_TIMES(CUpti_ActivityMemset3, any, record)
    add_transfer(record->deviceId, RL_SET, memory_of(record->memoryKind), record->bytes, record->start, record->end);
}

static void (*const adds[])(const CUpti_Activity *) = {
    [CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL] = add_kernel,
    [CUPTI_ACTIVITY_KIND_KERNEL] = add_kernel,
    [CUPTI_ACTIVITY_KIND_MEMCPY] = add_copy,
    [CUPTI_ACTIVITY_KIND_MEMCPY2] = add_peer_copy,
    [CUPTI_ACTIVITY_KIND_MEMSET] = add_set,
};

void times_graph_launched(uint64_t called_ns)
{
    atomic_store(&graph_called_ns, called_ns);
}

uint64_t times_graph_lag(void)
{
    static const uint64_t LATEST_NS = 20000000;
    const uint64_t called_ns = atomic_load(&graph_called_ns), lag_ns = atomic_load(&graph_lag_ns);
    return called_ns && now_ns() < called_ns + 2 * lag_ns + LATEST_NS ? lag_ns : 0;
}

/* ---- the stream ---- */

static void flush_transfer(uint32_t gpu, uint16_t direction, uint16_t memory)
{
    assume(gpu < MOST_GPUS && direction < RL_DIRECTIONS && memory < RL_MEMORIES);
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

/* Launches without a record so far, except those of graphs, which have no separate call. */
static uint64_t pending(uint64_t made)
{
    const uint64_t known = state.launches - state.of_graphs + atomic_load(&launches_untimed) + atomic_load(&lost);
    return made > known ? made - known : 0;
}

static void tell_totals(void)
{
    assume(is_held());
    for (uint32_t gpu = 0; gpu < MOST_GPUS; gpu++)
        for (uint16_t direction = 0; direction < RL_DIRECTIONS; direction++)
            for (uint16_t memory = 0; memory < RL_MEMORIES; memory++)
                flush_transfer(gpu, direction, memory);
    const struct budget_totals budget = budget_totals();
    const uint64_t made = atomic_load(out_made()), left = settings.times ? pending(made) : 0;
    struct rl_record_process process = {.launches = state.launches + atomic_load(&launches_untimed) + atomic_load(&lost) + left,
                                        .untimed = atomic_load(&launches_untimed),
                                        .lost = atomic_load(&lost),
                                        .unselected = state.unselected,
                                        .unselected_ns = state.unselected_ns,
                                        .pending = left,
                                        .made = made,
                                        .held_ns = budget.held_ns,
                                        .window_ns = budget.window_ns,
                                        .windows = budget.windows,
                                        .unread_windows = budget.unread_windows,
                                        .counted = budget.counted,
                                        .passed = budget.passed,
                                        .skipped = budget.skipped,
                                        .not_idle = (uint32_t)budget.not_idle,
                                        .graphs = atomic_load(out_graphs()),
                                        .whole_graphs = budget.whole_graphs,
                                        .counting = budget.refused ? RL_COUNTING_REFUSED
                                                    : budget.begun ? RL_COUNTING_BEGUN
                                                                   : RL_COUNTING_NOT_BEGUN};
    out_add(RL_RECORD_process, &process, sizeof process, NULL, 0);
}

void times_publish(void)
{
    if (!hold())
        return;
    classes_flush(atomic_load(&ending));
    busy_flush();
    spans_flush();
    tree_flush();
    instances_flush();
    lanes_flush(atomic_load(&ending));
    tell_totals();
    out_flush();
    let_go();
}

static void cut(bool busy)
{
    if (!hold())
        return;
    if (busy)
        busy_cut();
    spans_cut();
    lanes_cut();
    let_go();
}

static void add_record(const CUpti_Activity *record)
{
    if ((size_t)record->kind < RL_COUNT(adds) && adds[record->kind])
        adds[record->kind](record);
}

static void note_delivered(bool any, size_t dropped)
{
    atomic_fetch_add(&lost, dropped);
    if (dropped)
        cut(false);
    if (atomic_load(&alive) && (any || dropped))
        times_publish();
}

/* ---- on and off ---- */

static enum rl_status enable_copies(struct rl_err *err)
{
    enum rl_status status = RL_OK;
    for (size_t i = 0; i < RL_COUNT(copies) && status == RL_OK; i++)
        status = records_enable(copies[i], err);
    atomic_store(&running, status == RL_OK);
    return status;
}

/* Where the program records kernels itself, uses its kind of records: CUPTI supports one at a time. */
static CUpti_ActivityKind kernel_kind(void)
{
    return !guest_records(CUPTI_ACTIVITY_KIND_KERNEL) && atomic_load(&overlapping) ? CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL
                                                                                   : CUPTI_ACTIVITY_KIND_KERNEL;
}

static enum rl_status enable_kernels(struct rl_err *err)
{
    const CUpti_ActivityKind kind = kernel_kind();
    enum rl_status status = records_enable(kind, err);
    atomic_store(&kernels, status == RL_OK ? kind : 0);
    return status;
}

static void disable_kernels(void)
{
    const unsigned kind = atomic_exchange(&kernels, 0);
    if (kind)
        records_disable((CUpti_ActivityKind)kind);
}

void times_follow_guest(void)
{
    struct rl_err err = RL_ERR_INIT;
    const unsigned kind = atomic_load(&kernels);
    if (!kind || kind == kernel_kind())
        return;
    disable_kernels();
    if (enable_kernels(&err) != RL_OK)
        say(RL_LOG_WARNING, RL_OK, err.text);
}

/* One list of buffers for all threads. By default each thread that launches has a buffer, for as long as it lives: for a
 * program of 10,000 threads that comes to three times its run time (H100, CUDA 13.0). A CUPTI that does not know this goes on. */
static void share_buffers(uint8_t per_thread)
{
    size_t size = sizeof per_thread;
    (void)rl_cupti.cuptiActivitySetAttribute(CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER, &size, &per_thread);
}

enum rl_status times_start(struct rl_err *err)
{
    static const struct record_reader reader = {add_record, note_delivered};
    share_buffers(0);
    enum rl_status status = records_open(&reader, err);
    atomic_store(&overlapping, !counts_prove_launches());
    if (status == RL_OK)
        status = enable_copies(err);
    if (status == RL_OK)
        status = enable_kernels(err);
    if (status == RL_OK)
        (void)rl_cupti.cuptiActivityFlushPeriod(TIMES_FLUSH_MS); /* failure only matters if the program is killed */
    if (status == RL_OK && hold()) {
        clocks_look();
        let_go();
    }
    return status;
}

void times_deliver(bool all)
{
    if (atomic_load(&running))
        (void)rl_cupti.cuptiActivityFlushAll(all);
    times_publish();
}

/* At first after a few milliseconds, because the program may be short; later rarely, taking at most a hundredth of the time. */
void times_gather(void)
{
    static atomic_ullong next_ns, pause_ns = FIRST_GATHER_NS;
    const uint64_t begin_ns = now_ns();
    const bool last = atomic_load(&ending);
    if (!settings.times || (!last && begin_ns < atomic_load(&next_ns)))
        return;
    times_deliver(last);
    const uint64_t took_ns = now_ns() - begin_ns, least_ns = atomic_load(&pause_ns);
    atomic_store(&next_ns, now_ns() + (100 * took_ns > least_ns ? 100 * took_ns : least_ns));
    if (least_ns < MOST_GATHER_NS)
        atomic_store(&pause_ns, 2 * least_ns);
}

void times_pause(void)
{
    if (!atomic_load(&kernels))
        return;
    times_deliver(true);
    disable_kernels();
    atomic_store(&paused, true);
    cut(true);
}

void times_resume(void)
{
    struct rl_err err = RL_ERR_INIT;
    if (!settings.times || !atomic_load(&running) || atomic_load(&kernels))
        return;
    times_deliver(true); /* memcpys recorded meanwhile */
    atomic_store(&paused, false);
    cut(true);
    if (enable_kernels(&err) != RL_OK)
        say(RL_LOG_WARNING, RL_OK, err.text);
}

void times_leave(void)
{
    if (!atomic_load(&running))
        return;
    times_pause();
    for (size_t i = 0; i < RL_COUNT(copies); i++)
        records_disable(copies[i]);
    times_deliver(true);
    atomic_store(&running, false);
    (void)rl_cupti.cuptiActivityFlushPeriod(guest_period_ms());
}

void times_return(void)
{
    struct rl_err err = RL_ERR_INIT;
    if (!settings.times || atomic_load(&running))
        return;
    if (enable_copies(&err) != RL_OK)
        say(RL_LOG_WARNING, RL_OK, err.text);
    const uint32_t ms = guest_period_ms();
    (void)rl_cupti.cuptiActivityFlushPeriod(ms && ms < TIMES_FLUSH_MS ? ms : TIMES_FLUSH_MS);
    times_resume();
}

void times_end(void)
{
    times_leave();
    share_buffers(1);
}

void times_record_one(bool on)
{
    const CUpti_ActivityKind serial = CUPTI_ACTIVITY_KIND_KERNEL;
    if (on)
        (void)records_enable(serial, NULL);
    else
        records_disable(serial);
}

void times_overlap(void)
{
    struct rl_err err = RL_ERR_INIT;
    const bool on = atomic_load(&kernels);
    if (atomic_load(&overlapping))
        return;
    disable_kernels();
    atomic_store(&overlapping, true);
    if (on && enable_kernels(&err) != RL_OK)
        say(RL_LOG_WARNING, RL_OK, err.text);
}

bool times_are_serial(void)
{
    return settings.times && !atomic_load(&overlapping);
}
