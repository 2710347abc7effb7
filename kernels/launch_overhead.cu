/* launch_overhead.cu - what a launch and a barrier of the whole grid cost when there is nothing else to do.
 *
 * A kernel that does nothing cannot be checked. So each of them takes the address of a tally: without one, as when it is timed, it
 * does nothing; `verify` hands it one and sees that every launch and every barrier took place.
 */
#include <stdio.h>
#include <stdlib.h>

#include "device.cuh"
#include "grid.cuh"

enum { BLOCK = 256, MOST_THREADS = 1024 };

struct tally {
    unsigned long long count; /* launches, or blocks that arrived at barriers */
    unsigned long long early; /* blocks that left a barrier before the last one arrived */
};

__global__ void empty_kernel(tally *tally)
{
    if (tally && threadIdx.x == 0)
        atomicAdd(&tally->count, 1);
}

/* A block that has passed barrier number i (from 1) must find that all blocks arrived i times. */
__device__ void look(tally *tally, unsigned long long barriers)
{
    const unsigned long long arrived = atomicAdd(&tally->count, 0);

    if (arrived < barriers * gridDim.x)
        atomicAdd(&tally->early, 1);
}

__global__ void __launch_bounds__(MOST_THREADS) barrier_kernel(tally *tally, unsigned barriers)
{
    for (unsigned i = 1; i <= barriers; i++) {
        if (tally && threadIdx.x == 0)
            atomicAdd(&tally->count, 1);
        rl_grid_barrier();
        if (tally && threadIdx.x == 0)
            look(tally, i);
    }
}

/* ---- the operations ---- */

struct state {
    tally *device;
    tally *given;    /* to the kernels: `device` while verifying, else NULL */
    unsigned blocks; /* of the cooperative launch */
};

static struct state *state_of(const struct rl_suite_run *run)
{
    return static_cast<struct state *>(run->state);
}

static enum rl_status launch_empty(struct rl_suite_run *run, struct rl_err *err)
{
    return rl_enqueue(run, err, 1, BLOCK, 0, empty_kernel, state_of(run)->given);
}

static enum rl_status launch_with_sync(struct rl_suite_run *run, struct rl_err *err)
{
    for (uint64_t i = 0; i < run->size; i++) {
        RL_TRY(launch_empty(run, err));
        RL_TRY(rl_device_wait(run->stream, err));
    }
    return RL_OK;
}

static enum rl_status launch_in_a_row(struct rl_suite_run *run, struct rl_err *err)
{
    for (uint64_t i = 0; i < run->size; i++)
        RL_TRY(launch_empty(run, err));
    return RL_OK;
}

/* Threads of a block in a variant of the cooperative launch. */
static int threads_of(const struct rl_suite_run *run)
{
    return run->variant->parameter[0];
}

static enum rl_status launch_barriers(struct rl_suite_run *run, struct rl_err *err)
{
    const struct state *state = state_of(run);
    return rl_enqueue_cooperative(run, err, state->blocks, threads_of(run), 0, barrier_kernel, state->given, (unsigned)run->size);
}

static const struct row {
    const char *name;
    enum rl_status (*launch)(struct rl_suite_run *, struct rl_err *);
} rows[] = {
    {"launch_sync", launch_with_sync},     {"launches", launch_in_a_row},          {"grid_barrier", launch_barriers},
    {"grid_barrier_512", launch_barriers}, {"grid_barrier_1024", launch_barriers},
};

static void teardown(struct rl_suite_run *run)
{
    if (run->state)
        (void)cudaFree(state_of(run)->device); /* after a fault this fails too, and the fault has been reported */
    free(run->state);
    run->state = NULL;
}

static enum rl_status setup(struct rl_suite_run *run, struct rl_err *err)
{
    tally *device = NULL;
    unsigned blocks = 1;
    RL_TRY(rl_size_check(run, RL_MAX_SEQUENCE, err)); /* launches of a run are noted */
    if (run->variant->cooperative)
        RL_TRY(rl_cooperative_blocks(run, barrier_kernel, threads_of(run), 0, &blocks, err));
    RL_TRY(RL_CUDA(err, cudaMalloc((void **)&device, sizeof(*device))));
    struct state *state = (struct state *)rl_calloc(1, sizeof(*state));
    *state = {device, NULL, blocks};
    run->state = state;
    return RL_OK;
}

constexpr auto launch = rl_launch_row<rows>;

static void judge(const struct rl_suite_run *run, const tally &found, struct rl_suite_check *check)
{
    const bool barriers = run->variant->cooperative;
    const unsigned blocks = state_of(run)->blocks;
    const unsigned long long expected = run->size * blocks;

    *check = {};
    check->correct = found.count == expected && found.early == 0;
    if (!check->correct)
        snprintf(check->text, sizeof(check->text), "counted %llu, expected %llu; %llu left a barrier early, expected 0",
                 found.count, expected, found.early);
    else if (barriers)
        snprintf(check->text, sizeof(check->text), "%u blocks of %d threads met at each of %llu barriers", blocks, threads_of(run),
                 (unsigned long long)run->size);
    else
        snprintf(check->text, sizeof(check->text), "counted all of %llu launches", expected);
}

/* Nothing is poisoned: the tally starts from zero, and too few are as wrong as too many. */
static enum rl_status count(struct rl_suite_run *run, tally *found, struct rl_err *err)
{
    const struct state *state = state_of(run);
    const cudaStream_t stream = (cudaStream_t)run->stream;
    RL_TRY(RL_CUDA(err, cudaMemsetAsync(state->device, 0, sizeof(*found), stream)));
    RL_TRY(launch(run, err));
    RL_TRY(rl_device_wait(run->stream, err));
    RL_TRY(rl_spoil(run, state->device, 2, sizeof(found->count), err));
    RL_TRY(RL_CUDA(err, cudaMemcpyAsync(found, state->device, sizeof(*found), cudaMemcpyDeviceToHost, stream)));
    return rl_device_wait(run->stream, err);
}

static enum rl_status verify(struct rl_suite_run *run, struct rl_suite_check *check, struct rl_err *err)
{
    struct state *state = state_of(run);
    tally found;
    state->given = state->device;
    const enum rl_status status = count(run, &found, err);
    state->given = NULL;
    if (status == RL_OK)
        judge(run, found, check);
    return status;
}

RL_SUITE_OPS(launch_overhead, setup, launch, verify, teardown)
