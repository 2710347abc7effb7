/* launch_shape.cu - the same arithmetic by launches of another shape: too few blocks, one too many, warps without all their
 * threads; and with one instruction for a multiplication and an addition, or two.
 *
 * Each element becomes the sum of four chains y = y a + b. With a = 1 a product is exact, so that one rounding is left whether the
 * two are fused or not.
 */
#include "device.cuh"

enum { CHAINS = 4, STEPS = 128, LARGEST_BLOCK = 1024 };
static const float FACTOR = 1.0f, SUMMAND = 0.0009765625f;

template <bool FUSED> static __device__ __forceinline__ float step(float y, float a, float b)
{
    return FUSED ? __fmaf_rn(y, a, b) : __fadd_rn(__fmul_rn(y, a), b);
}

template <bool FUSED>
__global__ void __launch_bounds__(LARGEST_BLOCK) chains_kernel(float *out, const float *in, unsigned n, float a, float b)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float y[CHAINS];
#pragma unroll
        for (int k = 0; k < CHAINS; k++)
            y[k] = __fadd_rn(in[i], (float)(k + 1));
#pragma unroll 8
        for (int s = 0; s < STEPS; s++)
#pragma unroll
            for (int k = 0; k < CHAINS; k++)
                y[k] = step<FUSED>(y[k], a, b);
        out[i] = __fadd_rn(__fadd_rn(y[0], y[1]), __fadd_rn(y[2], y[3]));
    }
}

/* ---- the operations ---- */

/* How many blocks, and how many of them an SM has room for. */
enum shape {
    AS_MANY_AS_FIT,
    ONE,
    ONE_AN_SM,
    ALONE_ON_AN_SM,         /* each has all of the shared memory of its SM */
    ALONE_AND_ONE_TOO_MANY, /* the same, and one block more than there are SMs */
};

static const struct row {
    const char *name;
    void (*kernel)(float *, const float *, unsigned, float, float);
    unsigned threads;
    enum shape shape;
} rows[] = {
    {"one_block", chains_kernel<true>, 256, ONE},
    {"a_block_an_sm", chains_kernel<true>, 256, ONE_AN_SM},
    {"one_too_many", chains_kernel<true>, LARGEST_BLOCK, ALONE_AND_ONE_TOO_MANY},
    {"one_wave", chains_kernel<true>, LARGEST_BLOCK, ALONE_ON_AN_SM},
    {"blocks_of_40", chains_kernel<true>, 40, AS_MANY_AS_FIT},
    {"blocks_of_64", chains_kernel<true>, 64, AS_MANY_AS_FIT},
    {"unfused", chains_kernel<false>, 256, AS_MANY_AS_FIT},
    {"fused", chains_kernel<true>, 256, AS_MANY_AS_FIT},
};

static bool is_alone(const struct row *row)
{
    return row->shape == ALONE_ON_AN_SM || row->shape == ALONE_AND_ONE_TOO_MANY;
}

/* Dynamic shared memory of a block: all that one may have, where it is to be alone. */
static enum rl_status shared_bytes(const struct row *row, size_t *bytes, struct rl_err *err)
{
    int device = 0, most = 0;
    *bytes = 0;
    if (!is_alone(row))
        return RL_OK;
    RL_TRY(RL_CUDA(err, cudaGetDevice(&device)));
    RL_TRY(RL_CUDA(err, cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device)));
    *bytes = (size_t)most;
    return RL_OK;
}

static enum rl_status blocks_of(const struct rl_suite_run *run, const struct row *row, size_t shared, unsigned *blocks,
                                struct rl_err *err)
{
    const unsigned sms = (unsigned)run->sm_count;
    *blocks = row->shape == ONE ? 1 : row->shape == ALONE_AND_ONE_TOO_MANY ? sms + 1 : sms;
    return row->shape == AS_MANY_AS_FIT ? rl_cooperative_blocks(run, row->kernel, (int)row->threads, shared, blocks, err) : RL_OK;
}

static enum rl_status prepare(struct rl_suite_run *run, struct rl_err *err)
{
    struct rl_map *map = rl_map_of(run);
    size_t shared = 0;
    RL_ROW(row, rows, run, err);
    RL_TRY(shared_bytes(row, &shared, err));
    if (is_alone(row))
        RL_TRY(rl_allow_shared(run, row->kernel, shared, err));
    return blocks_of(run, row, shared, &map->blocks, err);
}

static enum rl_status setup(struct rl_suite_run *run, struct rl_err *err)
{
    RL_TRY(rl_map_setup_plain(run, err));
    return rl_map_prepare(run, prepare, err);
}

static enum rl_status launch(struct rl_suite_run *run, struct rl_err *err)
{
    const struct rl_map *map = rl_map_of(run);
    size_t shared = 0;
    RL_ROW(row, rows, run, err);
    RL_TRY(shared_bytes(row, &shared, err));
    return rl_enqueue(run, err, map->blocks, row->threads, shared, row->kernel, map->out, map->in, (unsigned)map->count, FACTOR,
                      SUMMAND);
}

/* In float, as the device does it. */
static double expected(const void *context, uint64_t index)
{
    float y[CHAINS];
    for (int k = 0; k < CHAINS; k++)
        y[k] = rl_map_input(context, index) + (float)(k + 1);
    for (int s = 0; s < STEPS; s++)
        for (int k = 0; k < CHAINS; k++)
            y[k] += SUMMAND;
    return (y[0] + y[1]) + (y[2] + y[3]);
}

RL_SUITE_OPS(launch_shape, setup, launch, rl_map_verify_each<launch, expected>, rl_map_teardown)
