/* divergence.cu - what it costs when the threads of a warp take two paths: one warp that spins for a number of clock ticks, and a
 * full grid of two different, equally costly functions.
 *
 * The bit SHIFT of the thread index chooses the path: 0 splits every warp into even and odd lanes, 5 sends whole warps one way.
 */
#include "device.cuh"

#include <stdio.h>
#include <stdlib.h>

enum {
    BY_LANE = 0,
    BY_WARP = 5,
    WARP = 32,
    BLOCK = 256,
    STEPS = 512, /* fused multiply-adds of either function */
    UNROLL = 32,
};

/* ---- one warp that spins ---- */

struct spin_result {
    uint64_t ticks;  /* spent */
    uint64_t branch; /* taken: 1 or 2 */
};

/* Each path starts its own clock, so that one which waits for the other still takes all its time; and they are different code,
 * so that the compiler cannot make one of them. */
template <int SHIFT> __global__ void spin_kernel(spin_result *results, long long ticks)
{
    spin_result *result = &results[threadIdx.x];
    if ((threadIdx.x >> SHIFT) % 2 == 0) {
        const long long start = clock64();
        long long spent;

        do
            spent = clock64() - start;
        while (spent < ticks);
        result->ticks = (uint64_t)spent;
        result->branch = 1;
    } else {
        long long left = ticks, last = clock64();

        do {
            const long long now = clock64();

            left -= now - last;
            last = now;
        } while (left > 0);
        result->ticks = (uint64_t)(ticks - left);
        result->branch = 2;
    }
}

static const struct spin_row {
    const char *name;
    void (*kernel)(spin_result *, long long);
    int shift;
} spin_rows[] = {
    {"coherent", spin_kernel<BY_WARP>, BY_WARP},
    {"divergent", spin_kernel<BY_LANE>, BY_LANE},
};

static enum rl_status spin_setup(struct rl_suite_run *run, struct rl_err *err)
{
    void *results = NULL;
    RL_TRY(RL_CUDA(err, cudaMalloc(&results, WARP * sizeof(spin_result))));
    run->state = results;
    return RL_OK;
}

static enum rl_status spin_launch(struct rl_suite_run *run, struct rl_err *err)
{
    const struct spin_row *row = rl_row(spin_rows, run);
    return rl_enqueue(run, err, 1, WARP, 0, row->kernel, (spin_result *)run->state, (long long)run->size);
}

/* Every lane took its branch and spent at least the ticks asked for. */
static void spin_judge(const struct rl_suite_run *run, const spin_result *results, struct rl_suite_check *check)
{
    const int shift = rl_row(spin_rows, run)->shift;
    unsigned long long most = 0;

    *check = {};
    for (unsigned lane = 0; lane < WARP; lane++) {
        const unsigned branch = (lane >> shift) % 2 == 0 ? 1 : 2;
        const spin_result *result = &results[lane];
        if (result->branch != branch || result->ticks < run->size || result->ticks > INT64_MAX) {
            snprintf(check->text, sizeof(check->text), "lane %u: branch %llu and %llu ticks, expected branch %u and at least %llu",
                     lane, (unsigned long long)result->branch, (unsigned long long)result->ticks, branch,
                     (unsigned long long)run->size);
            return;
        }
        most = result->ticks > most ? result->ticks : most;
    }
    check->correct = true;
    snprintf(check->text, sizeof(check->text), "%d lanes took their branch, each for at least %llu ticks and at most %llu",
             (int)WARP, (unsigned long long)run->size, most);
}

static enum rl_status spin_verify(struct rl_suite_run *run, struct rl_suite_check *check, struct rl_err *err)
{
    spin_result results[WARP];
    RL_TRY(rl_poison(run, run->state, sizeof(results), err));
    RL_TRY(spin_launch(run, err));
    RL_TRY(rl_device_wait(run->stream, err));
    RL_TRY(rl_spoil(run, run->state, WARP, sizeof(spin_result), err));
    RL_TRY(RL_CUDA(err, cudaMemcpyAsync(results, run->state, sizeof(results), cudaMemcpyDeviceToHost, (cudaStream_t)run->stream)));
    RL_TRY(rl_device_wait(run->stream, err));
    spin_judge(run, results, check);
    return RL_OK;
}

static void spin_teardown(struct rl_suite_run *run)
{
    (void)cudaFree(run->state); /* after a fault this fails too, and the fault has been reported */
    run->state = NULL;
}

/* ---- a full grid of two functions ---- */

enum { ELEMENTS = 4 }; /* for each tick of the size */

struct coefficients {
    float a, b, h; /* exact, and arguments of the kernel: the compiler cannot fold them */
    int rounds;    /* of UNROLL steps */
};
static const struct coefficients constants = {1 - 0x1p-10f, 0x1p-11f, 0x1p-6f, STEPS / UNROLL};

/* One function pulls x towards b / (1 - a), the other turns the point (x, x) a little at each step. STEPS multiply-adds each, and
 * one addition that both share. */
template <int SHIFT> __global__ void arithmetic_kernel(float *out, const float *in, unsigned n, coefficients c)
{
    const unsigned i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n)
        return;
    float x = in[i], y = x;
    if ((i >> SHIFT) % 2 == 0) {
#pragma unroll 1
        for (int round = c.rounds; round > 0; round--) {
#pragma unroll
            for (int j = 0; j < UNROLL; j++)
                x = fmaf(x, c.a, c.b);
        }
    } else {
#pragma unroll 1
        for (int round = c.rounds; round > 0; round--) {
#pragma unroll
            for (int j = 0; j < UNROLL; j += 2) {
                x = fmaf(y, c.h, x);
                y = fmaf(-x, c.h, y);
            }
        }
    }
    out[i] = x + y;
}

static const struct arithmetic_row {
    const char *name;
    void (*kernel)(float *, const float *, unsigned, coefficients);
    int shift;
} arithmetic_rows[] = {
    {"arithmetic_divergent", arithmetic_kernel<BY_LANE>, BY_LANE},
    {"arithmetic_by_warp", arithmetic_kernel<BY_WARP>, BY_WARP},
};

static enum rl_status arithmetic_launch(struct rl_suite_run *run, struct rl_err *err)
{
    RL_ROW(row, arithmetic_rows, run, err);
    return rl_enqueue_map(run, err, BLOCK, BLOCK, row->kernel, constants);
}

static double pulled(double y)
{
    double x = y;
    for (int k = 0; k < STEPS; k++)
        x = x * constants.a + constants.b;
    return x + y;
}

static double turned(double x)
{
    double y = x;
    for (int k = 0; k < STEPS / 2; k++) {
        x += y * constants.h;
        y -= x * constants.h;
    }
    return x + y;
}

/* Both functions are affine in x: their values at 0 and 1, worked out once, give all others. */
struct source {
    uint64_t seed;
    int shift;
    double at_0[2], slope[2];
};

static double expected(const void *context, uint64_t index)
{
    const struct source *source = (const struct source *)context;
    const unsigned path = (index >> source->shift) % 2;
    return source->at_0[path] + source->slope[path] * (double)rl_input_unit(source->seed, index);
}

static enum rl_status arithmetic_verify(struct rl_suite_run *run, struct rl_suite_check *check, struct rl_err *err)
{
    RL_ROW(row, arithmetic_rows, run, err);
    const struct source source = {run->seed, row->shift, {pulled(0), turned(0)}, {pulled(1) - pulled(0), turned(1) - turned(0)}};
    /* STEPS roundings of at most 2^-24 each, carried along undiminished */
    return rl_map_verify(run, arithmetic_launch, {rl_each<expected>, &source, STEPS * 0x1p-24}, check, err);
}

/* ---- the operations: of the one or the other ---- */

static bool spins(const struct rl_suite_run *run)
{
    return rl_row(spin_rows, run) != NULL;
}

static enum rl_status setup(struct rl_suite_run *run, struct rl_err *err)
{
    RL_TRY(rl_size_check(run, RL_MAX_ELEMENTS / ELEMENTS, err));
    return spins(run) ? spin_setup(run, err) : rl_map_setup(run, ELEMENTS * run->size, RL_OUT_OF_PLACE, err);
}

static enum rl_status launch(struct rl_suite_run *run, struct rl_err *err)
{
    return spins(run) ? spin_launch(run, err) : arithmetic_launch(run, err);
}

static enum rl_status verify(struct rl_suite_run *run, struct rl_suite_check *check, struct rl_err *err)
{
    return spins(run) ? spin_verify(run, check, err) : arithmetic_verify(run, check, err);
}

static void teardown(struct rl_suite_run *run)
{
    if (spins(run))
        spin_teardown(run);
    else
        rl_map_teardown(run);
}

RL_SUITE_OPS(divergence, setup, launch, verify, teardown)
