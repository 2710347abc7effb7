/* ceiling_atomic.cu - atomic additions without a result, to words in L2 and in shared memory. Every thread adds a number of its own
 * again and again, the bits of an element or, where floats are added, a small whole number, to a word of its own or all to one: the
 * same code, whose `apart` is 1 or 0.
 */
#include "ceiling.cuh"

#include <stdlib.h>

enum { UNROLL = 8 };

struct add_in_l2 {
    typedef uint32_t *Place;
    static __device__ __forceinline__ uint32_t number(uint32_t bits) { return bits; }
    static __device__ __forceinline__ void add(Place at, uint32_t value)
    {
        asm volatile("red.global.add.u32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
    }
};
/* 0, 1, 2 or 3: as many as a check adds have an exact sum. */
struct add_float_in_l2 {
    typedef uint32_t *Place;
    static __device__ __forceinline__ uint32_t number(uint32_t bits) { return __float_as_uint((float)(bits & 3)); }
    static __device__ __forceinline__ void add(Place at, uint32_t value)
    {
        asm volatile("red.global.add.f32 [%0], %1;" ::"l"(at), "f"(__uint_as_float(value)) : "memory");
    }
};
struct add_in_shared {
    typedef uint32_t Place;
    static __device__ __forceinline__ void add(Place at, uint32_t value)
    {
        asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(at), "r"(value) : "memory");
    }
};

/* rounds: a multiple of UNROLL. */
template <class Add> static __device__ __forceinline__ void add_rounds(typename Add::Place at, uint32_t value, uint64_t rounds)
{
#pragma unroll 1
    for (uint64_t round = 0; round < rounds; round += UNROLL)
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
            Add::add(at, value);
}

template <class Add>
__global__ void l2_kernel(uint32_t *words, const uint32_t *values, uint64_t rounds, unsigned apart, struct rl_bench_mark mark)
{
    const unsigned own = blockIdx.x * blockDim.x + threadIdx.x;
    const struct rl_bench_watch watch = rl_bench_watch_start();
    add_rounds<Add>(words + own * apart, Add::number(values[own]), rounds);
    rl_bench_watch_stop(mark, watch);
}

__global__ void shared_kernel(uint32_t *, const uint32_t *values, uint64_t rounds, unsigned apart, struct rl_bench_mark mark)
{
    extern __shared__ uint32_t words[];
    const unsigned own = blockIdx.x * blockDim.x + threadIdx.x;
    words[threadIdx.x] = 0;
    __syncthreads();
    const struct rl_bench_watch watch = rl_bench_watch_start();
    add_rounds<add_in_shared>((uint32_t)__cvta_generic_to_shared(words + threadIdx.x * apart), values[own], rounds);
    __syncthreads();
    rl_bench_watch_stop(mark, watch);
    rl_bench_keep(mark, words[threadIdx.x]);
}

static const struct row {
    const char *kernel;
    int unroll;
    void (*function)(uint32_t *, const uint32_t *, uint64_t, unsigned, struct rl_bench_mark);
    bool shared, apart, floats;
} rows[] = {
    {"add in L2, a word each", UNROLL, l2_kernel<add_in_l2>, false, true, false},
    {"add in L2, one word", UNROLL, l2_kernel<add_in_l2>, false, false, false},
    {"add FP32 in L2, one word", UNROLL, l2_kernel<add_float_in_l2>, false, false, true},
    {"add in shared memory, a word each", UNROLL, shared_kernel, true, true, false},
    {"add in shared memory, one word a block", UNROLL, shared_kernel, true, false, false},
};

static uint64_t threads_of(const struct rl_bench_case *c)
{
    return (uint64_t)c->grid * c->block;
}

static enum rl_status launch(struct rl_bench_space *space, const struct rl_bench_case *c, size_t slot, bool checking,
                             struct rl_err *err)
{
    RL_BENCH_ROW(row, rows, c, err);
    return rl_bench_start(space, c, row->shared ? c->block * sizeof(uint32_t) : 0, row->function, err, (uint32_t *)space->c,
                          (const uint32_t *)space->a, c->rounds, row->apart ? 1u : 0u, rl_bench_mark_of(space, slot, checking));
}

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Adds up the words in L2, which were zero before, into `sum`. */
static enum rl_status sum_of_words(struct rl_bench_space *space, const struct rl_bench_case *c, bool floats, uint64_t *sum,
                                   struct rl_err *err)
{
    const uint64_t count = threads_of(c);
    uint32_t *words = (uint32_t *)rl_calloc(count, sizeof *words);
    enum rl_status status = RL_CUDA(err, cudaMemsetAsync(space->c, 0, count * sizeof *words, (cudaStream_t)space->stream));
    RL_THEN(status, rl_bench_sum(space, c, launch, sum, err));
    RL_THEN(status, RL_CUDA(err, cudaMemcpy(words, space->c, count * sizeof *words, cudaMemcpyDeviceToHost)));
    for (uint64_t i = 0; i < count && status == RL_OK; i++)
        *sum += floats ? (uint64_t)float_of(words[i]) : words[i];
    free(words);
    return status;
}

static uint64_t expected(const struct rl_bench_space *space, const struct rl_bench_case *c, bool floats)
{
    uint64_t sum = 0;
    if (!floats)
        return c->rounds * rl_bench_sum_of_a(space, threads_of(c));
    for (uint64_t i = 0; i < threads_of(c); i++) {
        const float element = rl_random_unit(space->seed, i);
        uint32_t bits;
        memcpy(&bits, &element, sizeof bits);
        sum += bits & 3;
    }
    return c->rounds * sum;
}

/* Shared memory's sums are in the result, those of L2 in the words. */
static enum rl_status check(struct rl_bench_space *space, const struct rl_bench_case *c, struct rl_suite_check *check,
                            struct rl_err *err)
{
    uint64_t sum = 0;
    RL_BENCH_ROW(row, rows, c, err);
    RL_TRY(row->shared ? rl_bench_sum(space, c, launch, &sum, err) : sum_of_words(space, c, row->floats, &sum, err));
    rl_bench_verdict(check, c, sum, expected(space, c, row->floats), UINT32_MAX);
    return RL_OK;
}

RL_BENCH_OPS(atomic, launch, check)
