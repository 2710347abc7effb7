/* ceiling_stream.cu - device memory: read, write, copy, triad, and mixes of reads and writes. Each thread touches `unroll` vectors
 * of 16 bytes, a block's width apart, and ends: a new block takes its place, so that the requests in flight do not wait for a loop.
 * The data is read and written once.
 */
#include "ceiling.cuh"

#include <math.h>

static const float SCALE = 3.0f; /* of the triad; its product and sum are rounded once, as fmaf does */

/* ---- accesses ---- */

/* Through the read-only path, where L1 may keep the line or not. */
struct load_nc {
    static __device__ __forceinline__ uint4 load(const uint4 *p)
    {
        uint4 v;
        asm volatile("ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p));
        return v;
    }
};
/* GPUs without that hint never run it (min_cc of the configurations). */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
#define NO_ALLOCATE "L1::no_allocate."
#else
#define NO_ALLOCATE
#endif
struct load_once {
    static __device__ __forceinline__ uint4 load(const uint4 *p)
    {
        uint4 v;
        asm volatile("ld.global.nc." NO_ALLOCATE "v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                     : "l"(p));
        return v;
    }
};
struct store_plain {
    static __device__ __forceinline__ void store(uint4 *p, uint4 v)
    {
        asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(p), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w) : "memory");
    }
};
struct store_streaming {
    static __device__ __forceinline__ void store(uint4 *p, uint4 v)
    {
        asm volatile("st.global.cs.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(p), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w) : "memory");
    }
};

/* ---- kernels ---- */

/* First vector of this thread; the next are a block's width apart. */
template <int UNROLL> static __device__ __forceinline__ size_t first_vector()
{
    return (size_t)blockIdx.x * blockDim.x * UNROLL + threadIdx.x;
}

template <int UNROLL, class Load> __global__ void read_kernel(const uint4 *a, const uint4 *, uint4 *, struct rl_bench_mark mark)
{
    const uint4 *from = a + first_vector<UNROLL>();
    uint4 v[UNROLL];
    uint32_t sum = 0;
#pragma unroll
    for (int u = 0; u < UNROLL; u++)
        v[u] = Load::load(from + (size_t)u * blockDim.x);
#pragma unroll
    for (int u = 0; u < UNROLL; u++)
        sum += rl_bench_add(v[u]);
    rl_bench_keep(mark, sum);
}

/* Odd multiples of the golden ratio: the four words of vector `i`. */
static __host__ __device__ __forceinline__ uint4 pattern(uint32_t i)
{
    const uint32_t x = i * 0x9e3779b9u;
    return uint4{x, x ^ 0x85ebca6bu, x + 0xc2b2ae35u, ~x};
}

template <int UNROLL, class Store> __global__ void write_kernel(const uint4 *, const uint4 *, uint4 *c, struct rl_bench_mark)
{
    const size_t first = first_vector<UNROLL>();
#pragma unroll
    for (int u = 0; u < UNROLL; u++) {
        const size_t i = first + (size_t)u * blockDim.x;
        Store::store(c + i, pattern((uint32_t)i));
    }
}

template <int UNROLL, class Load, class Store>
__global__ void copy_kernel(const uint4 *a, const uint4 *, uint4 *c, struct rl_bench_mark)
{
    const size_t first = first_vector<UNROLL>();
    uint4 v[UNROLL];
#pragma unroll
    for (int u = 0; u < UNROLL; u++)
        v[u] = Load::load(a + first + (size_t)u * blockDim.x);
#pragma unroll
    for (int u = 0; u < UNROLL; u++)
        Store::store(c + first + (size_t)u * blockDim.x, v[u]);
}

static __device__ __forceinline__ uint32_t triad(uint32_t a, uint32_t b)
{
    return __float_as_uint(fmaf(SCALE, __uint_as_float(b), __uint_as_float(a)));
}

template <int UNROLL, class Load, class Store>
__global__ void triad_kernel(const uint4 *a, const uint4 *b, uint4 *c, struct rl_bench_mark)
{
    const size_t first = first_vector<UNROLL>();
    uint4 v[UNROLL], w[UNROLL];
#pragma unroll
    for (int u = 0; u < UNROLL; u++) {
        v[u] = Load::load(a + first + (size_t)u * blockDim.x);
        w[u] = Load::load(b + first + (size_t)u * blockDim.x);
    }
#pragma unroll
    for (int u = 0; u < UNROLL; u++)
        Store::store(c + first + (size_t)u * blockDim.x,
                     uint4{triad(v[u].x, w[u].x), triad(v[u].y, w[u].y), triad(v[u].z, w[u].z), triad(v[u].w, w[u].w)});
}

/* Of every four stretches of a warp's width the first READS are read, and the others are written with their sum and their number.
 */
enum { STRETCHES = 4, WARP = 32 };

template <int READS, class Load, class Store>
__global__ void mix_kernel(const uint4 *a, const uint4 *, uint4 *c, struct rl_bench_mark)
{
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x, first = thread / WARP * WARP * STRETCHES + thread % WARP;
    uint4 v[READS], sum = {0, 0, 0, 0};
#pragma unroll
    for (int i = 0; i < READS; i++)
        v[i] = Load::load(a + first + i * WARP);
#pragma unroll
    for (int i = 0; i < READS; i++)
        sum = uint4{sum.x + v[i].x, sum.y + v[i].y, sum.z + v[i].z, sum.w + v[i].w};
#pragma unroll
    for (unsigned i = READS; i < STRETCHES; i++)
        Store::store(c + first + i * WARP, uint4{sum.x + i, sum.y + i, sum.z + i, sum.w + i});
}

/* ---- the table ---- */

typedef void (*stream_kernel)(const uint4 *, const uint4 *, uint4 *, struct rl_bench_mark);

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float input(const struct rl_bench_space *space, uint64_t i, bool second)
{
    return rl_random_unit(space->seed + second, i);
}

static uint4 written(const struct rl_bench_space *, uint64_t i)
{
    return pattern((uint32_t)i);
}

static uint4 copied(const struct rl_bench_space *space, uint64_t i)
{
    return uint4{bits_of(input(space, 4 * i, false)), bits_of(input(space, 4 * i + 1, false)),
                 bits_of(input(space, 4 * i + 2, false)), bits_of(input(space, 4 * i + 3, false))};
}

static uint32_t expected_triad(const struct rl_bench_space *space, uint64_t i)
{
    return bits_of(fmaf(SCALE, input(space, i, true), input(space, i, false)));
}

static uint4 combined(const struct rl_bench_space *space, uint64_t i)
{
    return uint4{expected_triad(space, 4 * i), expected_triad(space, 4 * i + 1), expected_triad(space, 4 * i + 2),
                 expected_triad(space, 4 * i + 3)};
}

template <int READS> static uint4 mixed(const struct rl_bench_space *space, uint64_t i)
{
    const uint32_t stretch = (uint32_t)(i / WARP % STRETCHES), poison = UINT32_MAX;
    uint4 sum = {stretch, stretch, stretch, stretch};
    if (stretch < READS)
        return uint4{poison, poison, poison, poison};
    for (uint32_t r = 0; r < READS; r++) {
        const uint4 v = copied(space, i - (uint64_t)(stretch - r) * WARP);
        sum = uint4{sum.x + v.x, sum.y + v.y, sum.z + v.z, sum.w + v.w};
    }
    return sum;
}

struct row {
    const char *kernel;
    int unroll;
    stream_kernel function;
    rl_bench_expected expected; /* NULL: the kernel writes nothing, its sum is checked */
};

#define ROW(u, name, kernel, expected, ...)                                                                                        \
    {                                                                                                                              \
        name, u, kernel<u, __VA_ARGS__>, expected                                                                                  \
    }
#define ROWS(...) ROW(1, __VA_ARGS__), ROW(2, __VA_ARGS__), ROW(4, __VA_ARGS__), ROW(8, __VA_ARGS__)

static const struct row rows[] = {
    ROWS("read", read_kernel, NULL, load_nc),
    ROWS("read once", read_kernel, NULL, load_once),
    ROWS("write", write_kernel, written, store_plain),
    ROWS("write streaming", write_kernel, written, store_streaming),
    ROWS("copy", copy_kernel, copied, load_nc, store_plain),
    ROWS("copy once", copy_kernel, copied, load_once, store_plain),
    ROWS("copy streaming", copy_kernel, copied, load_once, store_streaming),
    ROWS("triad", triad_kernel, combined, load_nc, store_plain),
    ROWS("triad once", triad_kernel, combined, load_once, store_plain),
    ROWS("triad streaming", triad_kernel, combined, load_once, store_streaming),
    ROWS("copy mixed", copy_kernel, copied, load_nc, store_streaming),
    ROWS("triad mixed", triad_kernel, combined, load_nc, store_streaming),
    {"3 read, 1 written", STRETCHES, mix_kernel<3, load_nc, store_plain>, mixed<3>},
    {"3 read once, 1 written streaming", STRETCHES, mix_kernel<3, load_once, store_streaming>, mixed<3>},
    {"1 read, 3 written", STRETCHES, mix_kernel<1, load_nc, store_plain>, mixed<1>},
    {"1 read once, 3 written streaming", STRETCHES, mix_kernel<1, load_once, store_streaming>, mixed<1>},
};

static enum rl_status launch(struct rl_bench_space *space, const struct rl_bench_case *c, size_t slot, bool checking,
                             struct rl_err *err)
{
    RL_BENCH_ROW(row, rows, c, err);
    return rl_bench_start(space, c, 0, row->function, err, (const uint4 *)space->a, (const uint4 *)space->b, (uint4 *)space->c,
                          rl_bench_mark_of(space, slot, checking));
}

static enum rl_status check(struct rl_bench_space *space, const struct rl_bench_case *c, struct rl_suite_check *check,
                            struct rl_err *err)
{
    uint64_t sum = 0;
    RL_BENCH_ROW(row, rows, c, err);
    if (row->expected)
        return rl_bench_check_output(space, c, launch, row->expected, check, err);
    RL_TRY(rl_bench_sum(space, c, launch, &sum, err));
    rl_bench_verdict(check, c, sum, rl_bench_sum_of_a(space, c->bytes / sizeof(float)), UINT32_MAX);
    return RL_OK;
}

RL_BENCH_OPS(stream, launch, check)
