/* ceiling_pipe.cu - the pipes that bring data and addresses, by instructions that are as cheap as each has them: a word of shared
 * memory (load/store unit), a texel that lies in L1 (texture unit), 16 bytes from L2 (tensor memory accelerator), a rotation of a
 * number that is the same in all threads (uniform datapath). What counts is how many are taken, not how much they bring.
 */
#include "ceiling_near.cuh"

/* ---- loads of a word ---- */

struct load_shared {
    typedef const uint32_t *Data;
    typedef unsigned Place;
    typedef uint32_t Piece;
    static constexpr size_t STRIDE = sizeof(uint32_t);
    static __device__ __forceinline__ uint32_t load(Data, Place at, int word)
    {
        uint32_t v;
        asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v) : "r"(at + word * (unsigned)sizeof v));
        return v;
    }
    static __device__ __forceinline__ Place place(Data a, unsigned words) { return rl_bench_place_in_shared(a, words); }
};

struct load_texture {
    typedef cudaTextureObject_t Data;
    typedef int Place;
    typedef uint32_t Piece;
    static constexpr size_t STRIDE = 1;
    static __device__ __forceinline__ uint32_t load(Data texture, Place at, int word)
    {
        return tex1Dfetch<uint32_t>(texture, at + word);
    }
    static __device__ __forceinline__ Place place(Data, unsigned) { return 0; }
};

/* ---- copies by the tensor memory accelerator ---- */

enum { PIECE = 16 }; /* bytes of a copy, the fewest */

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && __CUDACC_VER_MAJOR__ >= 12
static __device__ __forceinline__ void barrier_init(unsigned barrier)
{
    asm volatile("mbarrier.init.shared.b64 [%0], 1;\n\tfence.mbarrier_init.release.cluster;" ::"r"(barrier) : "memory");
}

static __device__ __forceinline__ void barrier_expect(unsigned barrier, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

static __device__ __forceinline__ void barrier_wait(unsigned barrier, unsigned parity)
{
    unsigned done;
    do
        asm volatile("{\n\t.reg .pred p;\n\t"
                     "mbarrier.try_wait.parity.shared.b64 p, [%1], %2;\n\t"
                     "selp.u32 %0, 1, 0, p;\n\t}"
                     : "=r"(done)
                     : "r"(barrier), "r"(parity)
                     : "memory");
    while (!done);
}

/* True in one thread of a whole warp; that it is one alone the compiler knows of no other condition. */
static __device__ __forceinline__ bool elected()
{
    unsigned chosen;
    asm volatile("{\n\t.reg .pred p;\n\telect.sync _|p, 0xffffffff;\n\tselp.u32 %0, 1, 0, p;\n\t}" : "=r"(chosen));
    return chosen != 0;
}

static __device__ __forceinline__ void copy_piece(unsigned to, const char *from, unsigned barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to), "l"(from),
                 "n"((int)PIECE), "r"(barrier)
                 : "memory");
}
#else /* GPUs without such an instruction never run this (min_cc of the configuration) */
static __device__ __forceinline__ void barrier_init(unsigned) {}
static __device__ __forceinline__ void barrier_expect(unsigned, unsigned) {}
static __device__ __forceinline__ void barrier_wait(unsigned, unsigned) {}
static __device__ __forceinline__ bool elected()
{
    return false;
}
static __device__ __forceinline__ void copy_piece(unsigned, const char *, unsigned) {}
#endif

enum { MOST_WARPS = 16 };

/* One thread of a warp has COPIES pieces in flight at a time, those of the warp's own stretch of `a`; all threads add them up
 * before the next are copied over them. */
template <int COPIES> __global__ void copy_kernel(const char *a, uint64_t rounds, struct rl_bench_mark mark)
{
    __shared__ alignas(PIECE) char pieces[MOST_WARPS][COPIES][PIECE];
    __shared__ uint64_t barriers[MOST_WARPS];
    const unsigned lane = threadIdx.x % WARP, warp = __shfl_sync(UINT32_MAX, threadIdx.x / WARP, 0); /* known to be uniform */
    const unsigned to = (unsigned)__cvta_generic_to_shared(pieces[warp]);
    const unsigned barrier = (unsigned)__cvta_generic_to_shared(barriers + warp);
    const char *const from = a + (uint64_t)(blockIdx.x * (blockDim.x / WARP) + warp) * COPIES * PIECE;
    const struct rl_bench_watch watch = rl_bench_watch_start();
    uint32_t sum = 0;
    if (elected())
        barrier_init(barrier);
#pragma unroll 1
    for (uint64_t round = 0; round < rounds; round++) {
        __syncwarp();
        if (elected()) {
            barrier_expect(barrier, COPIES * PIECE);
#pragma unroll
            for (int i = 0; i < COPIES; i++)
                copy_piece(to + i * PIECE, from + i * PIECE, barrier);
        }
        barrier_wait(barrier, (unsigned)round & 1);
#pragma unroll
        for (int i = 0; i < COPIES; i += WARP)
            sum += rl_bench_add(*(const volatile uint4 *)pieces[warp][i + lane]);
    }
    rl_bench_keep(mark, sum);
    rl_bench_watch_stop(mark, watch);
}

/* ---- rotations of uniform numbers ---- */

/* Left by `by` bits. */
static __host__ __device__ __forceinline__ uint32_t rotate(uint32_t x, unsigned by)
{
#ifdef __CUDA_ARCH__
    return __funnelshift_l(x, x, by);
#else
    return x << by | x >> (32 - by);
#endif
}

static const unsigned BY = 27; /* no divisor of the word's length */

/* STEPS rotations of each chain in the body of the loop. Numbers are kept by the uniform datapath as long as nothing of a thread's
 * own meets them, their sum turned once more. */
enum { STEPS = 128 };

template <int CHAINS> __global__ void uniform_kernel(uint32_t start, uint64_t rounds, unsigned by, struct rl_bench_mark mark)
{
    const struct rl_bench_watch watch = rl_bench_watch_start();
    uint32_t x[CHAINS], sum = 0;
#pragma unroll
    for (int i = 0; i < CHAINS; i++)
        x[i] = start ^ (blockIdx.x * CHAINS + i);
#pragma unroll 1
    for (uint64_t round = 0; round < rounds; round += STEPS) {
#pragma unroll
        for (int step = 0; step < STEPS; step++)
#pragma unroll
            for (int i = 0; i < CHAINS; i++)
                x[i] = rotate(x[i], by);
    }
#pragma unroll
    for (int i = 0; i < CHAINS; i++)
        sum += x[i];
    rl_bench_keep(mark, rotate(sum, by) + threadIdx.x);
    rl_bench_watch_stop(mark, watch);
}

/* ---- the tables ---- */

struct load_row {
    const char *kernel;
    int unroll;
    void (*shared)(const uint32_t *, uint64_t, unsigned, unsigned, struct rl_bench_mark); /* one of the two */
    void (*texture)(cudaTextureObject_t, uint64_t, unsigned, unsigned, struct rl_bench_mark);
};
#define LOADS(u)                                                                                                                   \
    {"LDS", u, rl_near_kernel<u, load_shared>, NULL},                                                                              \
    {                                                                                                                              \
        "TEX", u, NULL, rl_near_kernel<u, load_texture>                                                                            \
    }
static const struct load_row loads[] = {LOADS(4), LOADS(8), LOADS(16)};

static const struct copy_row {
    const char *kernel;
    int unroll;
    void (*function)(const char *, uint64_t, struct rl_bench_mark);
} copies[] = {{"bulk copy", 32, copy_kernel<32>}, {"bulk copy", 64, copy_kernel<64>}};

static const struct uniform_row {
    const char *kernel;
    int unroll;
    void (*function)(uint32_t, uint64_t, unsigned, struct rl_bench_mark);
} uniforms[] = {{"USHF", 4, uniform_kernel<4>}, {"USHF", 8, uniform_kernel<8>}};

static uint64_t words(const struct rl_bench_case *c)
{
    return (uint64_t)c->block * c->configuration->unroll;
}

/* A texture of the words that a block reads. The object stays until the space is closed. */
static enum rl_status texture_of(struct rl_bench_space *space, const struct rl_bench_case *c, struct rl_err *err)
{
    struct cudaResourceDesc words_of_a = {};
    struct cudaTextureDesc as_they_are = {};
    if (space->texture)
        return RL_OK;
    words_of_a.resType = cudaResourceTypeLinear;
    words_of_a.res.linear.devPtr = space->a;
    words_of_a.res.linear.desc = cudaCreateChannelDesc<unsigned>();
    words_of_a.res.linear.sizeInBytes = RL_BENCH_TEXTURE_BYTES;
    as_they_are.readMode = cudaReadModeElementType;
    if (words(c) * sizeof(uint32_t) > RL_BENCH_TEXTURE_BYTES)
        return rl_err_set(err, RL_FAILED, "the texture of the benchmarks is too small for %s", c->configuration->kernel);
    return RL_CUDA(err, cudaCreateTextureObject(&space->texture, &words_of_a, &as_they_are, NULL));
}

static enum rl_status launch_load(struct rl_bench_space *space, const struct rl_bench_case *c, const struct load_row *row,
                                  const struct rl_bench_mark &mark, struct rl_err *err)
{
    if (row->shared)
        return rl_bench_start(space, c, words(c) * sizeof(uint32_t), row->shared, err, (const uint32_t *)space->a, c->rounds,
                              (unsigned)sizeof(uint32_t), 0u, mark);
    RL_TRY(texture_of(space, c, err));
    return rl_bench_start(space, c, 0, row->texture, err, space->texture, c->rounds, 1u, 0u, mark);
}

/* The start of the chains of uniform numbers. */
static uint32_t uniform_start(const struct rl_bench_space *space)
{
    return rl_bench_sum_of_a(space, 1);
}

static enum rl_status launch(struct rl_bench_space *space, const struct rl_bench_case *c, size_t slot, bool checking,
                             struct rl_err *err)
{
    const struct rl_bench_mark mark = rl_bench_mark_of(space, slot, checking);
    if (const auto *const load = rl_bench_row(loads, c))
        return launch_load(space, c, load, mark, err);
    if (const auto *const copy = rl_bench_row(copies, c))
        return rl_bench_start(space, c, 0, copy->function, err, (const char *)space->a, c->rounds, mark);
    RL_BENCH_ROW(row, uniforms, c, err);
    return rl_bench_start(space, c, 0, row->function, err, uniform_start(space), c->rounds, BY, mark);
}

/* ---- the same on the CPU ---- */

static uint32_t expected_uniform(const struct rl_bench_space *space, const struct rl_bench_case *c)
{
    const int chains = c->configuration->unroll;
    const uint32_t start = uniform_start(space);
    uint32_t total = 0;
    for (unsigned block = 0; block < c->grid; block++) {
        uint32_t sum = 0;
        for (int i = 0; i < chains; i++) {
            uint32_t x = start ^ (block * chains + i);
            for (uint64_t step = 0; step < c->rounds; step++)
                x = rotate(x, BY);
            sum += x;
        }
        total += c->block * rotate(sum, BY) + c->block * (c->block - 1) / 2;
    }
    return total;
}

static uint64_t expected(const struct rl_bench_space *space, const struct rl_bench_case *c)
{
    if (rl_bench_row(loads, c))
        return c->grid * c->rounds * rl_bench_sum_of_a(space, words(c));
    if (rl_bench_row(copies, c))
        return c->rounds * rl_bench_sum_of_a(space, (uint64_t)c->grid * (c->block / WARP) * c->configuration->unroll * PIECE / 4);
    return expected_uniform(space, c);
}

RL_BENCH_OPS(pipe, launch, rl_bench_check_sum<launch, expected>)
