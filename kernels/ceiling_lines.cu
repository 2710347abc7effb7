/* ceiling_lines.cu - the tags of the L2 cache: one word of each line of data that fits into it is read, again and again, past L1,
 * so that every lookup brings one sector. The grid stays on the GPU, as in ceiling_loop.cu: each block has chunks of lines that no
 * other reads.
 */
#include "ceiling.cuh"

enum { WORDS = RL_BENCH_LINE / sizeof(uint32_t) };

static __device__ __forceinline__ uint32_t load_word(const uint32_t *p)
{
    uint32_t word;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(word) : "l"(p));
    return word;
}

/* `chunks` of UNROLL lines per thread are a block's own; it reads `turns` in all. Lanes read neighbouring lines. */
template <int UNROLL>
__global__ void read_lines_kernel(const uint32_t *a, unsigned chunks, uint64_t turns, struct rl_bench_mark mark)
{
    const struct rl_bench_watch watch = rl_bench_watch_start();
    const size_t lines = (size_t)blockDim.x * UNROLL;
    const uint32_t *own = a + (blockIdx.x * chunks * lines + threadIdx.x) * WORDS;
    unsigned chunk = 0;
    uint32_t sum = 0;
#pragma unroll 1
    for (uint64_t turn = 0; turn < turns; turn++) {
        const uint32_t *from = own + chunk * lines * WORDS;
        uint32_t v[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
            v[u] = load_word(from + (size_t)u * blockDim.x * WORDS);
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
            sum += v[u];
        chunk = chunk + 1 < chunks ? chunk + 1 : 0;
    }
    rl_bench_keep(mark, sum);
    rl_bench_watch_stop(mark, watch);
}

static const struct row {
    const char *kernel;
    int unroll;
    void (*function)(const uint32_t *, unsigned, uint64_t, struct rl_bench_mark);
} rows[] = {
    {"L2 lines", 1, read_lines_kernel<1>}, {"L2 lines", 2, read_lines_kernel<2>}, {"L2 lines", 4, read_lines_kernel<4>}};

static enum rl_status launch(struct rl_bench_space *space, const struct rl_bench_case *c, size_t slot, bool checking,
                             struct rl_err *err)
{
    RL_BENCH_ROW(row, rows, c, err);
    const unsigned chunks = (unsigned)(c->bytes / ((uint64_t)c->grid * c->block * RL_BENCH_LINE * row->unroll));
    return rl_bench_start(space, c, 0, row->function, err, (const uint32_t *)space->a, chunks, c->rounds * chunks,
                          rl_bench_mark_of(space, slot, checking));
}

/* Modulo 2^32. */
static uint64_t expected(const struct rl_bench_space *space, const struct rl_bench_case *c)
{
    uint32_t sum = 0;
    for (uint64_t line = 0; line < c->bytes / RL_BENCH_LINE; line++)
        sum += rl_bench_word_of_a(space, line * WORDS);
    return c->rounds * sum;
}

RL_BENCH_OPS(lines, launch, rl_bench_check_sum<launch, expected>)
