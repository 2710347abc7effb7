/* ceiling_loop.cu - the L2 cache: data that fits into it is read, or written, again and again, past L1. The grid stays on the GPU;
 * each block has chunks of its own and reads no other's: where SMs ask for the same line at about the same time, some chips fetch
 * it from the cache once for all of them, and more would arrive at the SMs than the cache gives.
 */
#include "ceiling.cuh"

static __device__ __forceinline__ uint4 load_l2(const uint4 *p)
{
    uint4 v;
    asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p));
    return v;
}

static __device__ __forceinline__ void store_l2(uint4 *p, uint4 v)
{
    asm volatile("st.global.cg.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(p), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w) : "memory");
}

/* `chunks` of UNROLL vectors per thread are a block's own; it reads `turns` in all. */
template <int UNROLL>
__global__ void read_kernel(const uint4 *a, uint4 *, unsigned chunks, uint64_t turns, struct rl_bench_mark mark)
{
    const struct rl_bench_watch watch = rl_bench_watch_start();
    const unsigned vectors = blockDim.x * UNROLL;
    const uint4 *own = a + (size_t)blockIdx.x * chunks * vectors + threadIdx.x;
    unsigned chunk = 0;
    uint32_t sum = 0;
#pragma unroll 1
    for (uint64_t turn = 0; turn < turns; turn++) {
        const uint4 *from = own + (size_t)chunk * vectors;
        uint4 v[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
            v[u] = load_l2(from + (size_t)u * blockDim.x);
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
            sum += rl_bench_add(v[u]);
        chunk = chunk + 1 < chunks ? chunk + 1 : 0;
    }
    rl_bench_keep(mark, sum);
    rl_bench_watch_stop(mark, watch);
}

/* Written in turns, each time the same; the cache need not give it to memory. */
static __host__ __device__ __forceinline__ uint4 pattern(uint32_t vector)
{
    return uint4{vector * 0x9e3779b1u, vector ^ 0x7f4a7c15u, ~vector, vector + 1};
}

template <int UNROLL>
__global__ void write_kernel(const uint4 *, uint4 *c, unsigned chunks, uint64_t turns, struct rl_bench_mark mark)
{
    const struct rl_bench_watch watch = rl_bench_watch_start();
    const unsigned vectors = blockDim.x * UNROLL;
    const size_t own = (size_t)blockIdx.x * chunks * vectors + threadIdx.x;
    unsigned chunk = 0;
#pragma unroll 1
    for (uint64_t turn = 0; turn < turns; turn++) {
        const size_t to = own + (size_t)chunk * vectors;
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
            store_l2(c + to + (size_t)u * blockDim.x, pattern((uint32_t)(to + (size_t)u * blockDim.x)));
        chunk = chunk + 1 < chunks ? chunk + 1 : 0;
    }
    rl_bench_watch_stop(mark, watch);
}

static const struct row {
    const char *kernel;
    int unroll;
    void (*function)(const uint4 *, uint4 *, unsigned, uint64_t, struct rl_bench_mark);
    bool writes;
} rows[] = {
    {"L2", 1, read_kernel<1>, false},       {"L2", 2, read_kernel<2>, false},       {"L2", 4, read_kernel<4>, false},
    {"L2", 8, read_kernel<8>, false},       {"L2 write", 1, write_kernel<1>, true}, {"L2 write", 2, write_kernel<2>, true},
    {"L2 write", 4, write_kernel<4>, true},
};

static enum rl_status launch(struct rl_bench_space *space, const struct rl_bench_case *c, size_t slot, bool checking,
                             struct rl_err *err)
{
    RL_BENCH_ROW(row, rows, c, err);
    const unsigned chunks = (unsigned)(c->bytes / ((uint64_t)c->grid * c->block * sizeof(uint4) * row->unroll));
    return rl_bench_start(space, c, 0, row->function, err, (const uint4 *)space->a, (uint4 *)space->c, chunks, c->rounds * chunks,
                          rl_bench_mark_of(space, slot, checking));
}

static uint4 written(const struct rl_bench_space *, uint64_t i)
{
    return pattern((uint32_t)i);
}

static enum rl_status check(struct rl_bench_space *space, const struct rl_bench_case *c, struct rl_suite_check *check,
                            struct rl_err *err)
{
    uint64_t sum = 0;
    RL_BENCH_ROW(row, rows, c, err);
    if (row->writes)
        return rl_bench_check_output(space, c, launch, written, check, err);
    RL_TRY(rl_bench_sum(space, c, launch, &sum, err));
    rl_bench_verdict(check, c, sum, c->rounds * rl_bench_sum_of_a(space, c->bytes / sizeof(float)), UINT32_MAX);
    return RL_OK;
}

RL_BENCH_OPS(loop, launch, check)
