/* placement.cu - where the arrays of the suite lie. */
#include "device.cuh"

extern "C" {
#include "kernels/run.h"
}

enum rl_status rl_device_displace(size_t bytes, struct rl_err *err)
{
    void *kept = NULL; /* by the context, to its end */
    return bytes ? RL_CUDA(err, cudaMalloc(&kept, bytes)) : RL_OK;
}
