/* ceiling_near.cuh - a block reads the same pieces in every round, which lie next to the SM. The place where a round begins is
 * computed from values that the compiler does not know, although it is always the same one: otherwise the loads would be taken out
 * of the loop. */
#pragma once

#include "ceiling.cuh"

enum { WARP = 32 };

static __device__ __forceinline__ uint32_t rl_bench_add(uint32_t v)
{
    return v;
}

/* Copies `count` pieces of `a` to shared memory; where they begin. */
template <class Piece> static __device__ __forceinline__ unsigned rl_bench_place_in_shared(const Piece *a, unsigned count)
{
    extern __shared__ uint4 room[];
    Piece *const shared = (Piece *)room;

    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        shared[i] = a[i];
    __syncthreads();
    return (unsigned)__cvta_generic_to_shared(shared);
}

/* Near: what a block reads (Data, of Pieces), where it begins (as Place: place(data, pieces of the block)), how far a piece is from
 * the next (STRIDE, in units of Place), and load(data, place, pieces behind it). A warp's pieces lie together, so that the places
 * of its loads differ by constants. `step` and `mask` bring the place of a round back to the start each time. */
template <int UNROLL, class Near>
__global__ void rl_near_kernel(typename Near::Data data, uint64_t rounds, unsigned step, unsigned mask, struct rl_bench_mark mark)
{
    const unsigned lane = threadIdx.x % WARP, own = (threadIdx.x - lane) * UNROLL + lane;
    const typename Near::Place start = Near::place(data, blockDim.x * UNROLL) + own * Near::STRIDE;
    const struct rl_bench_watch watch = rl_bench_watch_start();
    unsigned offset = 0;
    uint32_t sum = 0;

#pragma unroll 1
    for (uint64_t round = 0; round < rounds; round++) {
        const typename Near::Place first = start + offset;
        typename Near::Piece v[UNROLL];

#pragma unroll
        for (int u = 0; u < UNROLL; u++)
            v[u] = Near::load(data, first, u * WARP);
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
            sum += rl_bench_add(v[u]);
        offset = (offset + step) & mask;
    }
    rl_bench_keep(mark, sum);
    rl_bench_watch_stop(mark, watch);
}
