/* latency.cu - what one load costs that waits for the one before: a thread follows a chain of addresses, each at the place that the
 * last one named. In device memory there is a place in each line of 128 bytes of the footprint, and the chain goes through all of
 * them in an order without a pattern; what serves it depends on the footprint alone. Or there is one in each page of 2 MiB:
 * L2 holds all of those lines, L1 is passed by, and what grows with the footprint is the translation of addresses.
 *
 * A launch goes on where the last one ended, so that what a footprint beyond the L2 cache left there is not met again. A footprint
 * that L1 may hold is read once before, because L1 is empty when a kernel begins.
 */
#include <stdio.h>
#include <stdlib.h>

#include "device.cuh"

enum {
    WARP = 32,
    LINE = 128, /* bytes */
    FILL_BLOCK = 256,
    SHARED_WORDS = 4096,     /* the chain in shared memory */
    MOST_OF_L1 = 256 * 1024, /* bytes: no L1 cache is larger */
    MOST_LOADS = 1 << 24,
};

/* Step `i` of a chain through 2^bits places: a permutation of them that is easily worked out and has no pattern. */
static __host__ __device__ uint32_t place_of(uint32_t i, unsigned bits)
{
    const uint32_t mask = (1u << bits) - 1;
    i = (i * 0x9e3779b1u) & mask;
    i ^= i >> (bits + 1) / 2;
    i = (i * 0x85ebca6bu) & mask;
    return i ^ i >> (bits + 1) / 2;
}

/* Bytes from the start of the data to a place: one in each `stride` bytes, in lines that do not fall into one set of a cache. */
static __host__ __device__ uint64_t offset_of(uint32_t place, uint32_t stride)
{
    return (uint64_t)stride * place + (uint64_t)LINE * (place * 0x9e3779b1u % (stride / LINE));
}

/* Where a chain is, and where the last launch left it as a place. */
struct progress {
    uint64_t at;
    uint32_t place;
};

__global__ void __launch_bounds__(FILL_BLOCK) chain_kernel(char *data, unsigned bits, unsigned stride)
{
    const uint32_t count = 1u << bits;
    for (uint32_t i = blockIdx.x * FILL_BLOCK + threadIdx.x; i < count; i += gridDim.x * FILL_BLOCK)
        *(uint64_t *)(data + offset_of(place_of(i, bits), stride)) =
            (uint64_t)(data + offset_of(place_of((i + 1) & (count - 1), bits), stride));
}

template <bool past_l1> static __device__ __forceinline__ uint64_t follow(uint64_t at)
{
    uint64_t next;
    if (past_l1)
        asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(next) : "l"(at) : "memory");
    else
        asm volatile("ld.global.ca.u64 %0, [%1];" : "=l"(next) : "l"(at) : "memory");
    return next;
}

template <bool past_l1>
static __device__ __forceinline__ void follow_all(progress *progress, const char *data, unsigned stride, unsigned loads)
{
    uint64_t at = progress->at;
#pragma unroll 8
    for (unsigned k = 0; k < loads; k++)
        at = follow<past_l1>(at);
    progress->at = at;
    progress->place = (uint32_t)((at - (uint64_t)data) / stride);
}

__global__ void __launch_bounds__(WARP) global_kernel(progress *progress, const char *data, unsigned lines_before, unsigned loads)
{
    for (unsigned i = threadIdx.x; i < lines_before; i += WARP)
        (void)follow<false>((uint64_t)(data + (uint64_t)LINE * i));
    __syncwarp();
    if (threadIdx.x == 0)
        follow_all<false>(progress, data, LINE, loads);
}

__global__ void __launch_bounds__(WARP) page_kernel(progress *progress, const char *data, unsigned stride, unsigned loads)
{
    if (threadIdx.x == 0)
        follow_all<true>(progress, data, stride, loads);
}

__global__ void __launch_bounds__(WARP) shared_kernel(progress *progress, const char *, unsigned bits, unsigned loads)
{
    __shared__ uint32_t chain[SHARED_WORDS];
    const uint32_t start = (uint32_t)__cvta_generic_to_shared(chain), words = 1u << bits;
    for (uint32_t i = threadIdx.x; i < words; i += WARP)
        chain[place_of(i, bits)] = start + (uint32_t)sizeof *chain * place_of((i + 1) & (words - 1), bits);
    __syncwarp();
    if (threadIdx.x > 0)
        return;
    uint32_t at = start + (uint32_t)sizeof *chain * place_of(0, bits);
#pragma unroll 8
    for (unsigned k = 0; k < loads; k++)
        asm volatile("ld.shared.u32 %0, [%1];" : "=r"(at) : "r"(at) : "memory");
    progress->place = (at - start) / (uint32_t)sizeof *chain;
}

/* ---- the operations ---- */

struct state {
    progress *progress;
    char *data; /* NULL: the chain is in shared memory */
    unsigned bits;
};

static struct state *state_of(const struct rl_suite_run *run)
{
    return static_cast<struct state *>(run->state);
}

/* Bytes in device memory; 0: the chain is in shared memory. */
static uint64_t footprint(const struct rl_suite_run *run)
{
    return (uint64_t)run->variant->parameter[0] * 1024;
}

/* Bytes of which each has one place. */
static unsigned stride(const struct rl_suite_run *run)
{
    return run->variant->parameter[2] > 0 ? (unsigned)run->variant->parameter[2] * 1024 : (unsigned)LINE;
}

/* So many that what comes before does not count: it takes longer, the faster the loads are. */
static unsigned loads_of(const struct rl_suite_run *run)
{
    return (unsigned)run->size * (unsigned)run->variant->parameter[1];
}

static unsigned bits_of(uint64_t places)
{
    unsigned bits = 0;
    while (UINT64_C(1) << bits < places)
        bits++;
    return bits;
}

static enum rl_status launch(struct rl_suite_run *run, struct rl_err *err)
{
    const struct state *state = state_of(run);
    const uint64_t bytes = footprint(run);
    if (bytes == 0)
        return rl_enqueue(run, err, 1, WARP, 0, shared_kernel, state->progress, state->data, state->bits, loads_of(run));
    if (stride(run) > LINE)
        return rl_enqueue(run, err, 1, WARP, 0, page_kernel, state->progress, state->data, stride(run), loads_of(run));
    return rl_enqueue(run, err, 1, WARP, 0, global_kernel, state->progress, state->data,
                      bytes <= MOST_OF_L1 ? (unsigned)(bytes / LINE) : 0u, loads_of(run));
}

static void teardown(struct rl_suite_run *run)
{
    struct state *state = state_of(run);
    run->state = NULL;
    if (!state)
        return;
    (void)cudaFree(state->data); /* after a fault these fail too, and the fault has been reported */
    (void)cudaFree(state->progress);
    free(state);
}

/* The chain is no part of what is measured. */
static enum rl_status fill(const struct rl_suite_run *run, struct rl_err *err)
{
    struct state *state = state_of(run);
    unsigned bytes_apart = stride(run);
    void *arguments[] = {&state->data, &state->bits, &bytes_apart};
    const unsigned blocks = rl_blocks(UINT64_C(1) << state->bits, FILL_BLOCK), most = 16 * (unsigned)run->sm_count;
    return RL_CUDA(err, cudaLaunchKernel((const void *)chain_kernel, blocks < most ? blocks : most, FILL_BLOCK, arguments, 0,
                                         (cudaStream_t)run->stream));
}

/* Back to the start of the chain. */
static enum rl_status rewind_chain(const struct rl_suite_run *run, struct rl_err *err)
{
    const struct state *state = state_of(run);
    const progress start = {(uint64_t)(uintptr_t)(state->data + offset_of(place_of(0, state->bits), stride(run))), UINT32_MAX};
    RL_TRY(RL_CUDA(err, cudaMemcpyAsync(state->progress, &start, sizeof start, cudaMemcpyHostToDevice, (cudaStream_t)run->stream)));
    return rl_device_wait(run->stream, err);
}

static enum rl_status allocate(const struct rl_suite_run *run, struct state *state, struct rl_err *err)
{
    const uint64_t bytes = footprint(run);
    RL_TRY(rl_memory_check(bytes + sizeof *state->progress, err));
    RL_TRY(RL_CUDA(err, cudaMalloc((void **)&state->progress, sizeof *state->progress)));
    if (bytes == 0)
        return RL_OK;
    RL_TRY(RL_CUDA(err, cudaMalloc((void **)&state->data, bytes)));
    return fill(run, err);
}

static enum rl_status setup(struct rl_suite_run *run, struct rl_err *err)
{
    RL_TRY(rl_size_check(run, MOST_LOADS, err));
    struct state *state = (struct state *)rl_calloc(1, sizeof *state);
    state->bits = bits_of(footprint(run) ? footprint(run) / stride(run) : (uint64_t)SHARED_WORDS);
    run->state = state;
    enum rl_status status = allocate(run, state, err);
    RL_THEN(status, rewind_chain(run, err));
    if (status != RL_OK)
        teardown(run);
    return status;
}

/* A load that was left out, or came from elsewhere, ends at another place. */
static enum rl_status verify(struct rl_suite_run *run, struct rl_suite_check *check, struct rl_err *err)
{
    const struct state *state = state_of(run);
    const uint32_t expected = place_of((uint32_t)(loads_of(run) & ((UINT64_C(1) << state->bits) - 1)), state->bits);
    progress found;
    RL_TRY(rewind_chain(run, err));
    RL_TRY(launch(run, err));
    RL_TRY(rl_device_wait(run->stream, err));
    RL_TRY(rl_spoil(run, &state->progress->place, 1, sizeof found.place, err));
    RL_TRY(RL_CUDA(err, cudaMemcpy(&found, state->progress, sizeof found, cudaMemcpyDeviceToHost)));
    *check = {};
    check->correct = found.place == expected;
    snprintf(check->text, sizeof check->text, "%u loads end at place %u of %llu", loads_of(run), found.place, 1ull << state->bits);
    if (!check->correct)
        snprintf(check->text, sizeof check->text, "%u loads end at place %u, expected %u", loads_of(run), found.place, expected);
    return RL_OK;
}

RL_SUITE_OPS(latency, setup, launch, verify, teardown)
