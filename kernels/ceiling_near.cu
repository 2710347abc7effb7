/* ceiling_near.cu - what is nearest to the SM: the L1 cache and shared memory. A block reads the same vectors in every round. The
 * place where a round begins is computed from values that the compiler does not know, although it is always the same one: otherwise
 * the loads would be taken out of the loop.
 */
#include "ceiling.cuh"

enum { WARP = 32 };

struct near_l1 {
    typedef const char *Place;
    static __device__ __forceinline__ uint4 load(Place at)
    {
        uint4 v;
        asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(at));
        return v;
    }
    static __device__ __forceinline__ Place place(const uint4 *a, unsigned) { return (const char *)a; }
};

struct near_shared {
    typedef unsigned Place;
    static __device__ __forceinline__ uint4 load(Place at)
    {
        uint4 v;
        asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "r"(at));
        return v;
    }
    static __device__ __forceinline__ Place place(const uint4 *a, unsigned vectors)
    {
        extern __shared__ uint4 shared[];

        for (unsigned i = threadIdx.x; i < vectors; i += blockDim.x)
            shared[i] = a[i];
        __syncthreads();
        return (unsigned)__cvta_generic_to_shared(shared);
    }
};

/* A warp's vectors lie together, so that the places of its loads differ by constants. `step` and `mask` bring the place of a round
 * back to the start of the data each time. */
template <int UNROLL, class Near>
__global__ void near_kernel(const uint4 *a, uint64_t rounds, unsigned step, unsigned mask, struct rl_bench_mark mark)
{
    const unsigned lane = threadIdx.x % WARP, own = (threadIdx.x - lane) * UNROLL + lane;
    const typename Near::Place data = Near::place(a, blockDim.x * UNROLL) + own * sizeof(uint4);
    const struct rl_bench_watch watch = rl_bench_watch_start();
    unsigned offset = 0;
    uint32_t sum = 0;

#pragma unroll 1
    for (uint64_t round = 0; round < rounds; round++) {
        const typename Near::Place first = data + offset;
        uint4 v[UNROLL];

#pragma unroll
        for (int u = 0; u < UNROLL; u++)
            v[u] = Near::load(first + u * WARP * sizeof(uint4));
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
            sum += rl_bench_add(v[u]);
        offset = (offset + step) & mask;
    }
    rl_bench_keep(mark, sum);
    rl_bench_watch_stop(mark, watch);
}

struct row {
    const char *kernel;
    int unroll;
    void (*function)(const uint4 *, uint64_t, unsigned, unsigned, struct rl_bench_mark);
    bool shared;
};

#define ROWS(u)                                                                                                                    \
    {"L1", u, near_kernel<u, near_l1>, false},                                                                                     \
    {                                                                                                                              \
        "shared", u, near_kernel<u, near_shared>, true                                                                             \
    }

static const struct row rows[] = {ROWS(1), ROWS(2), ROWS(4), ROWS(8)};

static uint64_t vectors(const struct rl_bench_case *c)
{
    return (uint64_t)c->block * c->configuration->unroll;
}

static enum rl_status launch(struct rl_bench_space *space, const struct rl_bench_case *c, size_t slot, bool checking,
                             struct rl_err *err)
{
    RL_BENCH_ROW(row, rows, c, err);
    return rl_bench_start(space, c, row->shared ? vectors(c) * sizeof(uint4) : 0, row->function, err, (const uint4 *)space->a,
                          c->rounds, (unsigned)sizeof(uint4), 0u, rl_bench_mark_of(space, slot, checking));
}

static uint64_t expected(const struct rl_bench_space *space, const struct rl_bench_case *c)
{
    return c->grid * c->rounds * rl_bench_sum_of_a(space, 4 * vectors(c));
}

RL_BENCH_OPS(near, launch, rl_bench_check_sum<launch, expected>)
