/* tile.cuh - tiles of an array on their way through shared memory: the synchronous copy, the asynchronous ones, and the pipeline
 * of several of them.
 *
 * An array is cut into tiles of TILE floats, of which the last may be shorter; block b handles the tiles b, b + gridDim.x, ...
 * A tile moves in pieces of 16 bytes, so whoever uses a float of it does not know which thread fetched it: all threads of the
 * block must have arrived at a barrier in between.
 */
#pragma once

#include <cooperative_groups.h>

#include "device.cuh"

/* Asynchronous copies, and waits for them, are there from compute capability 7.0 on: in code for older GPUs the kernels that
 * use it are empty, and their variants are refused (min_cc). */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
#define RL_TILE_ASYNC 1
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#else
#define RL_TILE_ASYNC 0
#endif

/* cuda::barrier has a constructor, but a shared variable is never constructed: init does that, as the programming guide has it. */
#pragma nv_diag_suppress static_var_with_dynamic_init

/* Floats in tile `tile` of an array of n. */
template <unsigned TILE> __device__ __forceinline__ unsigned rl_tile_count(unsigned n, unsigned tile)
{
    return n - tile * TILE < TILE ? n - tile * TILE : TILE;
}

/* By loads and stores of the threads: BLOCK of them, each with all its loads in flight before its first store. */
template <unsigned TILE, unsigned BLOCK> __device__ __forceinline__ void rl_tile_load(float *to, const float *from, unsigned count)
{
    constexpr unsigned EACH = TILE / 4 / BLOCK;
    static_assert(EACH * 4 * BLOCK == TILE, "whole pieces of 16 bytes for every thread");

    if (count == TILE) {
        float4 pieces[EACH];

#pragma unroll
        for (unsigned k = 0; k < EACH; k++)
            pieces[k] = reinterpret_cast<const float4 *>(from)[threadIdx.x + k * BLOCK];
#pragma unroll
        for (unsigned k = 0; k < EACH; k++)
            reinterpret_cast<float4 *>(to)[threadIdx.x + k * BLOCK] = pieces[k];
    } else {
        for (unsigned i = threadIdx.x; i < count; i += BLOCK)
            to[i] = from[i];
    }
}

#if RL_TILE_ASYNC
using rl_tile_pipeline = cuda::pipeline<cuda::thread_scope_thread>;

/* By cooperative groups; cooperative_groups::wait(block) waits for it. */
template <unsigned TILE>
__device__ __forceinline__ void rl_tile_copy(const cooperative_groups::thread_block &block, float *to, const float *from,
                                             unsigned count)
{
    if (count == TILE)
        cooperative_groups::memcpy_async(block, to, from, cuda::aligned_size_t<16>(TILE * sizeof(float)));
    else
        cooperative_groups::memcpy_async(block, to, from, count * sizeof(float));
}

/* By cuda::memcpy_async; `tracker`, a cuda::barrier or a cuda::pipeline, knows when it is done. */
template <unsigned TILE, class Tracker>
__device__ __forceinline__ void rl_tile_copy(const cooperative_groups::thread_block &block, float *to, const float *from,
                                             unsigned count, Tracker &tracker)
{
    if (count == TILE)
        cuda::memcpy_async(block, to, from, cuda::aligned_size_t<16>(TILE * sizeof(float)), tracker);
    else
        cuda::memcpy_async(block, to, from, count * sizeof(float), tracker);
}

/* Runs the block's tiles of `tiles` through a pipeline of STAGES: up to so many tiles are in flight or in use at a time.
 * fetch(tile, stage, pipeline) starts the copies of a tile, use(tile, stage) does the work once they are done. Each thread waits
 * for its own copies and then for the other threads, which costs a block less than a pipeline whose stages are barriers in shared
 * memory: at those every thread arrives twice for each tile. Every round commits, also when nothing is left to fetch, so that
 * waiting for all but the latest STAGES - 1 means the same in each. */
template <unsigned STAGES, class Fetch, class Use>
__device__ __forceinline__ void rl_tile_stream(unsigned tiles, Fetch fetch, Use use)
{
    rl_tile_pipeline pipeline = cuda::make_pipeline();
    const auto start = [&](unsigned tile, unsigned stage) {
        pipeline.producer_acquire();
        if (tile < tiles)
            fetch(tile, stage, pipeline);
        pipeline.producer_commit();
    };

    for (unsigned stage = 0; stage < STAGES; stage++)
        start(blockIdx.x + stage * gridDim.x, stage);
    for (unsigned tile = blockIdx.x, stage = 0; tile < tiles; tile += gridDim.x) {
        cuda::pipeline_consumer_wait_prior<STAGES - 1>(pipeline);
        __syncthreads();
        use(tile, stage);
        __syncthreads(); /* the tile is free again */
        pipeline.consumer_release();
        start(tile + STAGES * gridDim.x, stage);
        stage = stage + 1 < STAGES ? stage + 1 : 0;
    }
}
#endif
