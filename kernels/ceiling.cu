/* ceiling.cu - memory of the micro-benchmarks, launches, checks. */
#include "ceiling_matrix.cuh"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- families ---- */

extern "C" {
#define FAMILY(id, ...) extern const struct rl_bench_ops rl_bench_##id;
#include "kernels/bench_families.def"
#undef FAMILY
#if !RL_WITH_WGMMA
const struct rl_bench_ops rl_bench_wgmma = {NULL, NULL};
#endif
}

static const struct rl_bench_ops *const families[] = {
#define FAMILY(id, ...) &rl_bench_##id,
#include "kernels/bench_families.def"
#undef FAMILY
};

static enum rl_status find_ops(const struct rl_bench_case *c, const struct rl_bench_ops **ops, struct rl_err *err)
{
    *ops = families[c->configuration->family];
    if (!(*ops)->launch)
        return rl_err_set(err, RL_UNSUPPORTED, "built without %s: add 90 to CMAKE_CUDA_ARCHITECTURES", c->configuration->kernel);
    return RL_OK;
}

enum rl_status rl_bench_no_kernel(const struct rl_bench_case *c, struct rl_err *err)
{
    return rl_err_set(err, RL_FAILED, "the benchmarks have no kernel '%s' with unroll %d", c->configuration->kernel,
                      c->configuration->unroll);
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
    if (status == RL_OK)
        status = fill_all(space, err);
    if (status != RL_OK)
        rl_bench_close(space);
    return status;
}

void rl_bench_close(struct rl_bench_space *space)
{
    void *const device[] = {space->a, space->b, space->c, space->operands, space->results};

    rl_bench_close_library(space);
    for (void *memory : device)
        (void)cudaFree(memory); /* after a fault these fail too, and the fault has been told */
    if (space->host)
        (void)cudaFreeHost(space->host);
    *space = {};
}

enum rl_status rl_bench_clear(struct rl_bench_space *space, struct rl_err *err)
{
    return RL_CUDA(
        err, cudaMemsetAsync(space->results, 0, RL_BENCH_SLOTS * sizeof(struct rl_bench_result), (cudaStream_t)space->stream));
}

static enum rl_status read_results(const struct rl_bench_space *space, size_t first, size_t count, struct rl_bench_result *results,
                                   struct rl_err *err)
{
    RL_TRY(RL_CUDA(err, cudaMemcpyAsync(results, (struct rl_bench_result *)space->results + first, count * sizeof *results,
                                        cudaMemcpyDeviceToHost, (cudaStream_t)space->stream)));
    return rl_device_wait(space->stream, err);
}

enum rl_status rl_bench_clocks(struct rl_bench_space *space, size_t first, size_t count, double *hz, struct rl_err *err)
{
    struct rl_bench_result *results = (struct rl_bench_result *)rl_calloc(count, sizeof *results);
    const enum rl_status status = read_results(space, first, count, results, err);

    for (size_t i = 0; i < count; i++)
        hz[i] = results[i].ns ? (double)results[i].cycles / ((double)results[i].ns * 1e-9) : 0;
    free(results);
    return status;
}

/* ---- launches ---- */

struct rl_bench_mark rl_bench_mark_of(const struct rl_bench_space *space, size_t slot, bool checking)
{
    struct rl_bench_result *result = (struct rl_bench_result *)space->results + slot;

    if (checking)
        return {result, 0, 0};
    return {result, UINT32_MAX, 0x5bd1e995};
}

enum rl_status rl_bench_launch(struct rl_bench_space *space, const struct rl_bench_case *c, size_t slot, struct rl_err *err)
{
    const struct rl_bench_ops *ops;

    RL_TRY(find_ops(c, &ops, err));
    return ops->launch(space, c, slot, false, err);
}

static enum rl_status time_between(struct rl_bench_space *space, const struct rl_bench_case *c, size_t slot, cudaEvent_t start,
                                   cudaEvent_t stop, uint64_t *duration_ns, struct rl_err *err)
{
    const cudaStream_t stream = (cudaStream_t)space->stream;
    float milliseconds = 0;

    RL_TRY(RL_CUDA(err, cudaEventRecord(start, stream)));
    RL_TRY(rl_bench_launch(space, c, slot, err));
    RL_TRY(RL_CUDA(err, cudaEventRecord(stop, stream)));
    RL_TRY(rl_device_wait(space->stream, err));
    RL_TRY(RL_CUDA(err, cudaEventElapsedTime(&milliseconds, start, stop)));
    *duration_ns = (uint64_t)llround((double)milliseconds * 1e6);
    return RL_OK;
}

enum rl_status rl_bench_time_events(struct rl_bench_space *space, const struct rl_bench_case *c, size_t slot, uint64_t *duration_ns,
                                    struct rl_err *err)
{
    cudaEvent_t start = NULL, stop = NULL;
    enum rl_status status = RL_CUDA(err, cudaEventCreate(&start));

    if (status == RL_OK)
        status = RL_CUDA(err, cudaEventCreate(&stop));
    if (status == RL_OK)
        status = time_between(space, c, slot, start, stop, duration_ns, err);
    if (stop)
        (void)cudaEventDestroy(stop);
    if (start)
        (void)cudaEventDestroy(start);
    return status;
}

/* ---- checks ---- */

enum rl_status rl_bench_sum(struct rl_bench_space *space, const struct rl_bench_case *c,
                            enum rl_status (*launch)(struct rl_bench_space *, const struct rl_bench_case *, size_t, bool,
                                                     struct rl_err *),
                            uint64_t *sum, struct rl_err *err)
{
    struct rl_bench_result result = {};

    RL_TRY(rl_bench_clear(space, err));
    RL_TRY(launch(space, c, 0, true, err));
    RL_TRY(RL_CUDA(err, cudaGetLastError()));
    RL_TRY(read_results(space, 0, 1, &result, err));
    *sum = result.sum;
    return rl_bench_clear(space, err);
}

void rl_bench_verdict(struct rl_suite_check *check, const struct rl_bench_case *c, uint64_t sum, uint64_t expected, uint64_t bits)
{
    check->correct = ((sum ^ expected) & bits) == 0;
    snprintf(check->text, sizeof check->text, "%s: the results add up to %llx%s%llx", c->configuration->kernel,
             (unsigned long long)(sum & bits), check->correct ? ", the CPU's " : ", expected ",
             (unsigned long long)(expected & bits));
}

uint32_t rl_bench_sum_of_a(const struct rl_bench_space *space, uint64_t count)
{
    uint32_t sum = 0;

    for (uint64_t i = 0; i < count; i++) {
        const float value = rl_random_unit(space->seed, i);
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        sum += bits;
    }
    return sum;
}

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
