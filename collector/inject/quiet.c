/* quiet.c - whether a context is idle, asked without waiting for it: a kernel may wait for the very thread that asks. */

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
    /* A sleep takes 50 us more than requested, by which a range would be longer than its launch. */
    static const uint64_t SPIN_NS = 1000000;
    const uint64_t begin_ns = now_ns();
    if (!record || !query || record(context, quiet->event) != CUDA_SUCCESS)
        return false;
    for (;;) {
        const CUresult result = query(quiet->event);
        if (result != CUDA_ERROR_NOT_READY)
            return result == CUDA_SUCCESS; /* errors of the program are left for the program */
        const uint64_t waited_ns = now_ns() - begin_ns;
        if (waited_ns >= patience_ns)
            return false;
        if (waited_ns >= SPIN_NS)
            (void)nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    }
}
