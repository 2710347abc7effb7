/* ceiling_loop.cu - the L2 cache: data that fits into it is read again and again, past L1. The grid stays on the card; each block
 * has chunks of its own and reads no other's: where SMs ask for the same line at about the same time, some chips fetch it from the
 * cache once for all of them, and more would arrive at the SMs than the cache gives.
 */
#include "ceiling.cuh"

static __device__ __forceinline__ uint4 load_l2(const uint4 *p)
{
    uint4 v;

    asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p));
    return v;
}

/* `chunks` of UNROLL vectors per thread are a block's own; it reads `turns` in all. */
template <int UNROLL> __global__ void loop_kernel(const uint4 *a, unsigned chunks, uint64_t turns, struct rl_bench_mark mark)
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

struct row {
    const char *kernel;
    int unroll;
    void (*function)(const uint4 *, unsigned, uint64_t, struct rl_bench_mark);
};

static const struct row rows[] = {
    {"L2", 1, loop_kernel<1>},
    {"L2", 2, loop_kernel<2>},
    {"L2", 4, loop_kernel<4>},
    {"L2", 8, loop_kernel<8>},
};

static enum rl_status launch(struct rl_bench_space *space, const struct rl_bench_case *c, size_t slot, bool checking,
                             struct rl_err *err)
{
    RL_BENCH_ROW(row, rows, c, err);
    const unsigned chunks = (unsigned)(c->bytes / ((uint64_t)c->grid * c->block * sizeof(uint4) * row->unroll));
    return rl_bench_start(space, c, 0, row->function, err, (const uint4 *)space->a, chunks, c->rounds * chunks,
                          rl_bench_mark_of(space, slot, checking));
}

static uint64_t expected(const struct rl_bench_space *space, const struct rl_bench_case *c)
{
    return c->rounds * rl_bench_sum_of_a(space, c->bytes / sizeof(float));
}

RL_BENCH_OPS(loop, launch, rl_bench_check_sum<launch, expected>)
