/* quiet.c - whether a context has nothing to do, asked without waiting for it: a kernel may wait for the very thread that asks. */
#include <time.h>

#include "counting.h"

bool quiet_init(struct quiet *quiet)
{
    CUresult (*create)(CUevent *, unsigned) = DRIVER(cuEventCreate);
    return driver_function("cuCtxRecordEvent") && driver_function("cuEventQuery") && create &&
           create(&quiet->event, CU_EVENT_DISABLE_TIMING) == CUDA_SUCCESS;
}

bool quiet_within(const struct quiet *quiet, CUcontext context, uint64_t patience_ns)
{
    assume(quiet->event);
    /* Newer than the headers of some builds. */
    CUresult (*record)(CUcontext, CUevent) = (CUresult(*)(CUcontext, CUevent))driver_function("cuCtxRecordEvent");
    CUresult (*query)(CUevent) = DRIVER(cuEventQuery);
    const uint64_t begin_ns = now_ns();
    if (!record || !query || record(context, quiet->event) != CUDA_SUCCESS)
        return false;
    for (long pause_ns = 1000;; pause_ns = pause_ns < 100000 ? 2 * pause_ns : pause_ns) {
        const CUresult result = query(quiet->event);
        if (result != CUDA_ERROR_NOT_READY)
            return result == CUDA_SUCCESS; /* an error of the program's is the program's to find */
        if (now_ns() - begin_ns >= patience_ns)
            return false;
        (void)nanosleep(&(struct timespec){.tv_nsec = pause_ns}, NULL);
    }
}
