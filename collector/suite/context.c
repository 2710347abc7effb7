/* context.c - see context.h. */
#include "session.h"

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <string.h>

#include "kernels/driver.h"

enum rl_status rl_current_context(CUcontext *context, struct rl_err *err)
{
    void *entry = rl_driver_function("cuCtxGetCurrent");
    if (!entry)
        return rl_err_set(err, RL_ABSENT, "the driver has no cuCtxGetCurrent");
    CUresult (*get)(CUcontext *);
    memcpy(&get, &entry, sizeof get);
    if (get(context) != CUDA_SUCCESS || !*context)
        return rl_err_set(err, RL_FAILED, "no CUDA context is current");
    return RL_OK;
}

int rl_device_cc(int device)
{
    int major = 0, minor = 0;
    const bool told = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) == cudaSuccess &&
                      cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) == cudaSuccess;
    return told ? 10 * major + minor : 0;
}
