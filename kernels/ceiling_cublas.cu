/* ceiling_cublas.cu - the matrix product of NVIDIA's library, to compare our own rate with. */
#include "ceiling.cuh"
#include "cublas.cuh"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* D = A x B of side `side`: A by rows, B by columns, both with their elements along the sum side by side; D by rows. */
struct rl_bench_library {
    struct rl_cublas *cublas;
    __nv_bfloat16 *a, *b; /* device, one allocation with d */
    float *d;
    uint64_t side;
};

static __host__ __device__ float element(uint64_t seed, uint64_t i)
{
    return 2 * rl_random_unit(seed, i) - 1;
}

/* A, then B. */
__global__ void fill_operands_kernel(__nv_bfloat16 *data, uint64_t count, uint64_t seed)
{
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step)
        data[i] = __float2bfloat16(element(seed, i));
}

static enum rl_status make_operands(struct rl_bench_space *space, struct rl_bench_library *library, struct rl_err *err)
{
    const uint64_t count = library->side * library->side, bytes = count * (2 * sizeof(__nv_bfloat16) + sizeof(float));
    RL_TRY(rl_memory_check(bytes, err));
    RL_TRY(RL_CUDA(err, cudaMalloc((void **)&library->a, bytes)));
    library->b = library->a + count;
    library->d = (float *)(library->b + count);
    fill_operands_kernel<<<16 * space->card.sm_count, 256, 0, (cudaStream_t)space->stream>>>(library->a, 2 * count, space->seed);
    return RL_CUDA(err, cudaGetLastError());
}

/* Opens the library and makes the matrices, the first time. */
static enum rl_status prepare(struct rl_bench_space *space, const struct rl_bench_case *c, struct rl_err *err)
{
    if (space->library)
        return RL_OK;
    struct rl_suite_run run = {};
    struct rl_bench_library *library = (struct rl_bench_library *)rl_calloc(1, sizeof *library);
    space->library = library;
    library->side = (uint64_t)c->configuration->k;
    run.stream = space->stream;
    enum rl_status status = rl_cublas_open(&run, &library->cublas, err);
    RL_THEN(status, make_operands(space, library, err));
    if (status != RL_OK)
        rl_bench_close_library(space);
    return status;
}

void rl_bench_close_library(struct rl_bench_space *space)
{
    struct rl_bench_library *library = space->library;
    space->library = NULL;
    if (!library)
        return;
    rl_cublas_close(library->cublas);
    (void)cudaFree(library->a);
    free(library);
}

static enum rl_status launch(struct rl_bench_space *space, const struct rl_bench_case *c, size_t, bool, struct rl_err *err)
{
    RL_TRY(prepare(space, c, err));
    const struct rl_bench_library *library = space->library;
    const unsigned side = (unsigned)library->side;
    return rl_cublas_product(library->cublas, side, side, library->a, library->b, library->d, err);
}

static double bfloat(uint64_t seed, uint64_t i)
{
    return (double)__bfloat162float(__float2bfloat16(element(seed, i)));
}

static double expected(const struct rl_bench_space *space, uint64_t i, uint64_t j)
{
    const uint64_t side = space->library->side;
    double sum = 0;
    for (uint64_t k = 0; k < side; k++)
        sum += bfloat(space->seed, i * side + k) * bfloat(space->seed, (side + j) * side + k);
    return sum;
}

static enum rl_status check(struct rl_bench_space *space, const struct rl_bench_case *c, struct rl_suite_check *check,
                            struct rl_err *err)
{
    static const double tolerance = 0.02; /* absolute; results are about 30, float32 sums of 8192 products err by some 1e-3 */
    enum { LOOKED_AT = 32 };
    double largest = 0;
    uint64_t wrong = 0;
    RL_TRY(launch(space, c, 0, true, err));
    RL_TRY(rl_device_wait(space->stream, err));
    for (uint64_t n = 0; n < LOOKED_AT; n++) {
        const uint64_t side = space->library->side, i = rl_random_bits(3, n) % side, j = rl_random_bits(4, n) % side;
        float got;
        RL_TRY(RL_CUDA(err, cudaMemcpy(&got, space->library->d + i * side + j, sizeof got, cudaMemcpyDeviceToHost)));
        const double error = fabs((double)got - expected(space, i, j));
        if (!(error <= tolerance))
            wrong++;
        else if (error > largest)
            largest = error;
    }
    check->correct = wrong == 0;
    check->deviation = {
        RL_DEVIATION_ABSOLUTE, largest, rl_value_of(tolerance), rl_value_missing(RL_NOT_COLLECTED, nullptr), LOOKED_AT, wrong};
    snprintf(check->text, sizeof check->text, "%d elements, largest error %.2g; %llu wrong", LOOKED_AT, largest,
             (unsigned long long)wrong);
    return RL_OK;
}

RL_BENCH_OPS(cublas, launch, check)
