/* ceiling_near.cu - what is nearest to the SM: the L1 cache and shared memory, by vectors (ceiling_near.cuh). */
#include "ceiling_near.cuh"

struct near_l1 {
    typedef const uint4 *Data;
    typedef const char *Place;
    typedef uint4 Piece;
    static constexpr size_t STRIDE = sizeof(uint4);
    static __device__ __forceinline__ uint4 load(Data, Place at, int vector)
    {
        uint4 v;
        asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                     : "l"(at + vector * sizeof(uint4)));
        return v;
    }
    static __device__ __forceinline__ Place place(Data a, unsigned) { return (const char *)a; }
};

struct near_shared {
    typedef const uint4 *Data;
    typedef unsigned Place;
    typedef uint4 Piece;
    static constexpr size_t STRIDE = sizeof(uint4);
    static __device__ __forceinline__ uint4 load(Data, Place at, int vector)
    {
        uint4 v;
        asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                     : "r"(at + vector * (unsigned)sizeof(uint4)));
        return v;
    }
    static __device__ __forceinline__ Place place(Data a, unsigned vectors) { return rl_bench_place_in_shared(a, vectors); }
};

struct row {
    const char *kernel;
    int unroll;
    void (*function)(const uint4 *, uint64_t, unsigned, unsigned, struct rl_bench_mark);
    bool shared;
};

#define ROWS(u)                                                                                                                    \
    {"L1", u, rl_near_kernel<u, near_l1>, false},                                                                                  \
    {                                                                                                                              \
        "shared", u, rl_near_kernel<u, near_shared>, true                                                                          \
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
