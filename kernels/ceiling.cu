/* ceiling.cu - the micro-benchmarks: their families, memory, launches, checks. */
#include "ceiling_matrix.cuh"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- families ---- */

extern "C" {
#define FAMILY(id, ...) extern const struct rl_bench_ops rl_bench_##id;
#include "kernels/bench_families.def"
#if !RL_WITH_WGMMA
const struct rl_bench_ops rl_bench_wgmma = {NULL, NULL};
#endif
}

static const struct rl_bench_ops *const families[] = {
#define FAMILY(id, ...) &rl_bench_##id,
#include "kernels/bench_families.def"
};

static enum rl_status find_ops(const struct rl_bench_case *c, const struct rl_bench_ops **ops, struct rl_err *err)
{
    *ops = families[c->configuration->family];
    if (!(*ops)->launch)
        return rl_err_set(err, RL_UNSUPPORTED, "built without %s: add 90 to CMAKE_CUDA_ARCHITECTURES", c->configuration->kernel);
    return RL_OK;
}

/* ---- memory ---- */

__global__ void fill_unit_kernel(float *data, uint64_t count, uint64_t seed)
{
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step)
        data[i] = rl_random_unit(seed, i);
}

static enum rl_status fill(const struct rl_bench_space *space, void *data, uint64_t seed, struct rl_err *err)
{
    const uint64_t count = space->card.buffer_bytes / sizeof(float);
    fill_unit_kernel<<<16 * space->card.sm_count, 256, 0, (cudaStream_t)space->stream>>>((float *)data, count, seed);
    return RL_CUDA(err, cudaGetLastError());
}

static enum rl_status allocate(struct rl_bench_space *space, struct rl_err *err)
{
    const uint64_t bytes = space->card.buffer_bytes;
    RL_TRY(RL_CUDA(err, cudaMalloc(&space->a, bytes)));
    RL_TRY(RL_CUDA(err, cudaMalloc(&space->b, bytes)));
    RL_TRY(RL_CUDA(err, cudaMalloc(&space->c, bytes)));
    RL_TRY(RL_CUDA(err, cudaMalloc(&space->operands, RL_OPERAND_BYTES)));
    return RL_CUDA(err, cudaMalloc(&space->results, RL_BENCH_SLOTS * sizeof(struct rl_bench_result)));
}

static enum rl_status fill_all(struct rl_bench_space *space, struct rl_err *err)
{
    RL_TRY(fill(space, space->a, space->seed, err));
    RL_TRY(fill(space, space->b, space->seed + 1, err));
    RL_TRY(rl_matrix_fill(space, err));
    return rl_bench_clear(space, err);
}

enum rl_status rl_bench_open(struct rl_bench_space *space, const struct rl_bench_card *card, void *stream, uint64_t host_bytes,
                             struct rl_err *err)
{
    size_t free_bytes = 0, total = 0;
    *space = {};
    RL_TRY(RL_CUDA(err, cudaMemGetInfo(&free_bytes, &total)));
    space->card = *card;
    space->card.buffer_bytes = rl_bench_buffer_bytes(card->l2_bytes, free_bytes);
    space->card.host_bytes = host_bytes;
    space->stream = stream;
    space->seed = 7;
    if (space->card.buffer_bytes < 16 << 20)
        return rl_err_set(err, RL_UNSUPPORTED, "only %.1f MiB of device memory are free: too little to measure ceilings",
                          (double)free_bytes / (1 << 20));
    enum rl_status status = allocate(space, err);
    RL_THEN(status, fill_all(space, err));
    if (status != RL_OK)
        rl_bench_close(space);
    return status;
}

void rl_bench_close(struct rl_bench_space *space)
{
    void *const device[] = {space->a, space->b, space->c, space->operands, space->results};
    rl_bench_close_library(space);
    if (space->texture)
        (void)cudaDestroyTextureObject(space->texture);
    for (void *memory : device)
        (void)cudaFree(memory); /* after a fault these fail too, and the fault has been reported */
    if (space->host)
        (void)cudaFreeHost(space->host);
    *space = {};
}

enum rl_status rl_bench_clocks(struct rl_bench_space *space, size_t first, size_t count, double *hz, struct rl_err *err)
{
    struct rl_bench_result *results = (struct rl_bench_result *)rl_calloc(count, sizeof *results);
    const enum rl_status status = rl_bench_results(space, first, count, results, err);
    for (size_t i = 0; i < count; i++)
        hz[i] = results[i].ns ? (double)results[i].cycles / ((double)results[i].ns * 1e-9) : 0;
    free(results);
    return status;
}

/* ---- launches ---- */

enum rl_status rl_bench_launch(struct rl_bench_space *space, const struct rl_bench_case *c, size_t slot, struct rl_err *err)
{
    const struct rl_bench_ops *ops;
    RL_TRY(find_ops(c, &ops, err));
    return ops->launch(space, c, slot, false, err);
}

enum rl_status rl_bench_time_events(struct rl_bench_space *space, const struct rl_bench_case *c, size_t slot, uint64_t *duration_ns,
                                    struct rl_err *err)
{
    return rl_time_events(
        space->stream, [&] { return rl_bench_launch(space, c, slot, err); }, duration_ns, err);
}

/* ---- checks ---- */

enum rl_status rl_bench_check(struct rl_bench_space *space, const struct rl_bench_case *c, struct rl_suite_check *check,
                              struct rl_err *err)
{
    const struct rl_bench_ops *ops;
    struct rl_bench_case small = *c;
    *check = {};
    rl_bench_make_small(&small);
    RL_TRY(find_ops(c, &ops, err));
    return ops->check(space, &small, check, err);
}
