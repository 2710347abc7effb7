/* context.c - see context.h. */
#include "context.h"

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <string.h>

enum rl_status rl_current_context(CUcontext *context, struct rl_err *err)
{
    void *entry = NULL;
    enum cudaDriverEntryPointQueryResult found;
    cudaError_t result = cudaGetDriverEntryPointByVersion("cuCtxGetCurrent", &entry, 4000, cudaEnableDefault, &found);
    if (result != cudaSuccess || !entry)
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
