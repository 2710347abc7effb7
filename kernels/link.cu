/* link.cu - see kernels/link.h. */
#include "device.cuh"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

extern "C" {
#include "kernels/link.h"
#include "near.h"
}

static const uint64_t STRETCH = 8 << 20; /* random words repeat after so many bytes: links compress nothing */

/* A stream with the events around what it copies. */
struct lane {
    cudaStream_t stream;
    cudaEvent_t start, stop;
};

enum { SENDS, RECEIVES, LANES };

struct end {
    int device;
    bool open;
    struct lane lanes[LANES];
    void *out, *in;           /* of the GPU: random words, and what arrives */
    void *host_out, *host_in; /* page-locked, the same */
};

struct rl_link_space {
    struct end *ends;
    size_t count;
    uint64_t peer_bytes, host_bytes;
    uint32_t *gate; /* page-locked: the round that may go */
    uint32_t round;
};

struct rl_link_space *rl_link_open(const int *gpus, size_t count, uint64_t peer_bytes, uint64_t host_bytes)
{
    struct rl_link_space *space = (struct rl_link_space *)rl_calloc(1, sizeof *space);
    assert(host_bytes >= STRETCH);
    space->ends = (struct end *)rl_calloc(count, sizeof *space->ends);
    space->count = count;
    space->peer_bytes = peer_bytes;
    space->host_bytes = host_bytes;
    for (size_t i = 0; i < count; i++)
        space->ends[i].device = gpus[i];
    return space;
}

/* After a fault these fail too, and the fault has been reported. */
static void close_end(struct end *end)
{
    if (cudaSetDevice(end->device) != cudaSuccess)
        return;
    for (struct lane &lane : end->lanes) {
        if (lane.stop)
            (void)cudaEventDestroy(lane.stop);
        if (lane.start)
            (void)cudaEventDestroy(lane.start);
        if (lane.stream)
            (void)cudaStreamDestroy(lane.stream);
    }
    (void)cudaFree(end->out);
    (void)cudaFree(end->in);
    (void)cudaFreeHost(end->host_out);
    (void)cudaFreeHost(end->host_in);
    const int device = end->device;
    *end = {};
    end->device = device;
}

void rl_link_close(struct rl_link_space *space)
{
    if (!space)
        return;
    for (size_t i = 0; i < space->count; i++)
        if (space->ends[i].open)
            close_end(&space->ends[i]);
    (void)cudaFreeHost(space->gate);
    free(space->ends);
    free(space);
}

bool rl_link_usable(const struct rl_link_space *space)
{
    for (size_t i = 0; i < space->count; i++)
        if (space->ends[i].open && (cudaSetDevice(space->ends[i].device) != cudaSuccess || !rl_device_usable()))
            return false;
    return true;
}

/* ---- data ---- */

/* Words of one sender differ from those of every other one. */
static uint64_t word_of(int device, uint64_t i)
{
    return rl_random_bits(11 + (uint64_t)device, i);
}

static void fill_words(void *memory, uint64_t bytes, int device)
{
    for (uint64_t i = 0; i < bytes / sizeof(uint64_t); i++)
        ((uint64_t *)memory)[i] = word_of(device, i);
}

/* Random words in the GPU's memory and the host's. */
static enum rl_status fill(const struct rl_link_space *space, const struct end *end, struct rl_err *err)
{
    const uint64_t first = STRETCH;
    fill_words(end->host_out, first, end->device);
    for (uint64_t at = first; at < space->host_bytes; at += first)
        memcpy((char *)end->host_out + at, end->host_out, space->host_bytes - at < first ? space->host_bytes - at : first);
    for (uint64_t at = 0; at < space->peer_bytes; at += first)
        RL_TRY(RL_CUDA(err, cudaMemcpy((char *)end->out + at, end->host_out,
                                       space->peer_bytes - at < first ? space->peer_bytes - at : first, cudaMemcpyHostToDevice)));
    return RL_OK;
}

static enum rl_status make_lane(struct lane *lane, struct rl_err *err)
{
    RL_TRY(RL_CUDA(err, cudaStreamCreateWithFlags(&lane->stream, cudaStreamNonBlocking)));
    RL_TRY(RL_CUDA(err, cudaEventCreate(&lane->start)));
    return RL_CUDA(err, cudaEventCreate(&lane->stop));
}

/* On the GPU's own node, where the system tells which that is. */
static enum rl_status make_host_memory(const struct rl_link_space *space, struct end *end, struct rl_err *err)
{
    cpu_set_t before;
    char bus[32] = "";
    const bool near = cudaDeviceGetPCIBusId(bus, sizeof bus, end->device) == cudaSuccess && rl_numa_bind(bus, &before);
    enum rl_status status = RL_CUDA(err, cudaHostAlloc(&end->host_out, space->host_bytes, cudaHostAllocPortable));
    RL_THEN(status, RL_CUDA(err, cudaHostAlloc(&end->host_in, space->host_bytes, cudaHostAllocPortable)));
    if (near)
        rl_numa_restore(&before);
    return status;
}

static enum rl_status make_gate(struct rl_link_space *space, struct rl_err *err)
{
    if (space->gate)
        return RL_OK;
    RL_TRY(RL_CUDA(err, cudaHostAlloc((void **)&space->gate, sizeof *space->gate, cudaHostAllocPortable)));
    *space->gate = space->round;
    return RL_OK;
}

static enum rl_status make_end(struct rl_link_space *space, struct end *end, struct rl_err *err)
{
    for (struct lane &lane : end->lanes)
        RL_TRY(make_lane(&lane, err));
    RL_TRY(make_gate(space, err));
    RL_TRY(RL_CUDA(err, cudaMalloc(&end->out, space->peer_bytes)));
    RL_TRY(RL_CUDA(err, cudaMalloc(&end->in, space->peer_bytes)));
    RL_TRY(make_host_memory(space, end, err));
    RL_TRY(fill(space, end, err));
    return RL_CUDA(err, cudaDeviceSynchronize());
}

/* Opens the GPU when it is not open yet. */
static enum rl_status need(struct rl_link_space *space, int index, struct rl_err *err)
{
    if (index == RL_LINK_HOST || space->ends[index].open)
        return RL_OK;
    struct end *end = &space->ends[index];
    enum rl_status status = RL_CUDA(err, cudaSetDevice(end->device));
    RL_THEN(status, make_end(space, end, err));
    end->open = status == RL_OK;
    if (status == RL_OK)
        return RL_OK;
    close_end(end);
    return rl_err_context(err, status, "GPU %d", end->device);
}

/* ---- reach ---- */

enum rl_status rl_link_can_reach(int from, int to, bool *can, struct rl_err *err)
{
    int answer = 0;
    RL_TRY(RL_CUDA(err, cudaDeviceCanAccessPeer(&answer, from, to)));
    *can = answer != 0;
    return RL_OK;
}

enum rl_status rl_link_is_coherent(int gpu, bool *coherent, struct rl_err *err)
{
    int answer = 0;
    RL_TRY(RL_CUDA(err, cudaDeviceGetAttribute(&answer, cudaDevAttrPageableMemoryAccessUsesHostPageTables, gpu)));
    *coherent = answer != 0;
    return RL_OK;
}

/* That it is so already is no failure. */
static enum rl_status reach_one(int from, int to, bool on, struct rl_err *err)
{
    RL_TRY(RL_CUDA(err, cudaSetDevice(from)));
    const cudaError_t code = on ? cudaDeviceEnablePeerAccess(to, 0) : cudaDeviceDisablePeerAccess(to);
    if (code == cudaErrorPeerAccessAlreadyEnabled || code == cudaErrorPeerAccessNotEnabled) {
        (void)cudaGetLastError();
        return RL_OK;
    }
    return RL_CUDA(err, code);
}

enum rl_status rl_link_reach(struct rl_link_space *space, struct rl_link_copy pair, bool on, struct rl_err *err)
{
    if (pair.from == RL_LINK_HOST || pair.to == RL_LINK_HOST)
        return RL_OK;
    RL_TRY(need(space, pair.from, err));
    RL_TRY(need(space, pair.to, err));
    const int from = space->ends[pair.from].device, to = space->ends[pair.to].device;
    RL_TRY(reach_one(from, to, on, err));
    return reach_one(to, from, on, err);
}

/* ---- copies ---- */

/* The lane of a copy: of the sending GPU, or of the receiving one when the host sends. */
static struct lane *lane_of(struct rl_link_space *space, struct rl_link_copy copy)
{
    return copy.from == RL_LINK_HOST ? &space->ends[copy.to].lanes[RECEIVES] : &space->ends[copy.from].lanes[SENDS];
}

static int owner_of(struct rl_link_copy copy)
{
    return copy.from == RL_LINK_HOST ? copy.to : copy.from;
}

static enum rl_status enqueue_copy(struct rl_link_space *space, struct rl_link_copy copy, uint64_t bytes, struct rl_err *err)
{
    const struct end *from = copy.from == RL_LINK_HOST ? nullptr : &space->ends[copy.from];
    const struct end *to = copy.to == RL_LINK_HOST ? nullptr : &space->ends[copy.to];
    const cudaStream_t stream = lane_of(space, copy)->stream;
    if (!from)
        return RL_CUDA(err, cudaMemcpyAsync(to->in, to->host_out, bytes, cudaMemcpyHostToDevice, stream));
    if (!to)
        return RL_CUDA(err, cudaMemcpyAsync(from->host_in, from->out, bytes, cudaMemcpyDeviceToHost, stream));
    return RL_CUDA(err, cudaMemcpyPeerAsync(to->in, to->device, from->out, from->device, bytes, stream));
}

static enum rl_status check_size(const struct rl_link_space *space, struct rl_link_copy copy, uint64_t bytes, struct rl_err *err)
{
    const bool host = copy.from == RL_LINK_HOST || copy.to == RL_LINK_HOST;
    const uint64_t most = host ? space->host_bytes : space->peer_bytes;
    if (bytes == 0 || bytes > most)
        return rl_err_set(err, RL_USAGE, "a copy of %llu bytes where %llu are the most", (unsigned long long)bytes,
                          (unsigned long long)most);
    return RL_OK;
}

/* Clears where the copy goes to, copies, and fetches into `seen` what arrived. */
static enum rl_status copy_and_fetch(struct rl_link_space *space, struct rl_link_copy copy, uint64_t bytes, uint64_t *seen,
                                     struct rl_err *err)
{
    const struct end *owner = &space->ends[owner_of(copy)];
    const struct end *to = copy.to == RL_LINK_HOST ? nullptr : &space->ends[copy.to];
    const struct lane *lane = lane_of(space, copy);
    if (!to)
        memset(owner->host_in, 0xff, bytes);
    RL_TRY(RL_CUDA(err, cudaSetDevice(to ? to->device : owner->device)));
    if (to) {
        RL_TRY(RL_CUDA(err, cudaMemset(to->in, 0xff, bytes)));
        RL_TRY(RL_CUDA(err, cudaDeviceSynchronize()));
    }
    RL_TRY(RL_CUDA(err, cudaSetDevice(owner->device)));
    RL_TRY(enqueue_copy(space, copy, bytes, err));
    RL_TRY(RL_CUDA(err, cudaStreamSynchronize(lane->stream)));
    if (to)
        return RL_CUDA(err, cudaMemcpy(seen, to->in, bytes, cudaMemcpyDeviceToHost));
    memcpy(seen, owner->host_in, bytes);
    return RL_OK;
}

enum rl_status rl_link_check(struct rl_link_space *space, struct rl_link_copy copy, uint64_t bytes, struct rl_suite_check *check,
                             struct rl_err *err)
{
    RL_TRY(check_size(space, copy, bytes, err));
    RL_TRY(need(space, copy.from, err));
    RL_TRY(need(space, copy.to, err));
    const int owner = space->ends[owner_of(copy)].device;
    uint64_t *seen = (uint64_t *)rl_calloc(1, bytes), wrong = 0;
    const enum rl_status status = copy_and_fetch(space, copy, bytes, seen, err);
    for (uint64_t i = 0; i < bytes / sizeof *seen; i++)
        wrong += seen[i] != word_of(owner, i % (STRETCH / sizeof *seen));
    free(seen);
    check->correct = wrong == 0;
    snprintf(check->text, sizeof check->text,
             wrong ? "of %llu bytes sent, %llu words of 8 bytes arrived changed" : "%llu bytes arrived as sent",
             (unsigned long long)bytes, (unsigned long long)wrong);
    return status;
}

/* ---- time ---- */

/* Waits until the host opens the gate; goes on by itself when it never does, so that nothing can hang on it. */
__global__ void gate_kernel(const volatile uint32_t *gate, uint32_t round, uint64_t limit_ns)
{
    uint64_t start, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (*gate != round && now - start < limit_ns);
}

static enum rl_status enqueue(struct rl_link_space *space, struct rl_link_copy copy, uint64_t bytes, unsigned repeat,
                              struct rl_err *err)
{
    const uint64_t limit_ns = 100000000; /* longer than enqueuing takes; a copy that the host has a part in begins then */
    struct lane *lane = lane_of(space, copy);
    RL_TRY(RL_CUDA(err, cudaSetDevice(space->ends[owner_of(copy)].device)));
    gate_kernel<<<1, 1, 0, lane->stream>>>(space->gate, space->round, limit_ns);
    RL_TRY(RL_CUDA(err, cudaGetLastError()));
    RL_TRY(RL_CUDA(err, cudaEventRecord(lane->start, lane->stream)));
    for (unsigned i = 0; i < repeat; i++)
        RL_TRY(enqueue_copy(space, copy, bytes, err));
    return RL_CUDA(err, cudaEventRecord(lane->stop, lane->stream));
}

static enum rl_status read_time(struct rl_link_space *space, struct rl_link_copy copy, uint64_t *ns, struct rl_err *err)
{
    struct lane *lane = lane_of(space, copy);
    float ms = 0;
    RL_TRY(RL_CUDA(err, cudaSetDevice(space->ends[owner_of(copy)].device)));
    RL_TRY(RL_CUDA(err, cudaEventSynchronize(lane->stop)));
    RL_TRY(RL_CUDA(err, cudaEventElapsedTime(&ms, lane->start, lane->stop)));
    *ns = (uint64_t)((double)ms * 1e6 + 0.5);
    return RL_OK;
}

enum rl_status rl_link_time(struct rl_link_space *space, const struct rl_link_copy *copies, size_t count, uint64_t bytes,
                            unsigned repeat, uint64_t *ns, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    for (size_t i = 0; i < count && status == RL_OK; i++) {
        status = check_size(space, copies[i], bytes, err);
        RL_THEN(status, need(space, copies[i].from, err));
        RL_THEN(status, need(space, copies[i].to, err));
    }
    space->round++;
    for (size_t i = 0; i < count && status == RL_OK; i++)
        status = enqueue(space, copies[i], bytes, repeat, err);
    if (space->gate) /* after a failure, too: nothing is to wait for it */
        __atomic_store_n(space->gate, space->round, __ATOMIC_SEQ_CST);
    for (size_t i = 0; i < count && status == RL_OK; i++)
        status = read_time(space, copies[i], &ns[i], err);
    return status;
}
