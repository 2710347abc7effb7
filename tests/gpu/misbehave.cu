/* misbehave.cu - an experiment whose variants go wrong, for test_supervise: one computes, one writes where it must not, one never
 * ends. */
#include "device.cuh"

__global__ void misbehave_kernel(float *out, int what)
{
    volatile float *flag = out; /* nobody writes what ends the loop */

    if (what == 1)
        *reinterpret_cast<volatile float *>(8) = 1.0f;
    while (what == 2 && *flag != 12345.0f)
        ;
    out[threadIdx.x] = 1.0f;
}

static enum rl_status setup(struct rl_suite_run *run, struct rl_err *err)
{
    return RL_CUDA(err, cudaMalloc(&run->state, 32 * sizeof(float)));
}

static enum rl_status launch(struct rl_suite_run *run, struct rl_err *err)
{
    if (run->variant->parameter[0] == 3)
        abort(); /* the host code crashes */
    return rl_enqueue(run, err, 1, 32, 0, misbehave_kernel, static_cast<float *>(run->state), run->variant->parameter[0]);
}

static enum rl_status verify(struct rl_suite_run *run, struct rl_suite_check *check, struct rl_err *err)
{
    check->correct = true;
    RL_TRY(launch(run, err));
    return rl_device_wait(run->stream, err);
}

static void teardown(struct rl_suite_run *run)
{
    (void)cudaFree(run->state);
}

RL_SUITE_OPS(misbehave, setup, launch, verify, teardown)
