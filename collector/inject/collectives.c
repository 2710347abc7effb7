/* collectives.c - collective kernels in flight. They wait for their peers, so nothing may wait for them. */
#include <sched.h>

#include "window.h"

enum { MOST_TRIES = 8 }; /* vain waits */
static const uint64_t PATIENCE_NS = 100000000;

void collectives_note(struct collectives *running, CUstream stream)
{
    assume(running->count <= MOST_COLLECTIVES);
    CUresult (*create)(CUevent *, unsigned) = DRIVER(cuEventCreate);
    CUresult (*record)(CUevent, CUstream) = DRIVER(cuEventRecord);
    size_t i = 0;
    if (!create || !record)
        return;
    while (i < running->count && running->of[i].stream != stream)
        i++;
    if (i == MOST_COLLECTIVES)
        i = 0;
    if (i == running->count) {
        if (create(&running->of[i].event, CU_EVENT_DISABLE_TIMING) != CUDA_SUCCESS)
            return;
        running->of[i].stream = stream;
        running->count++;
    }
    (void)record(running->of[i].event, stream);
}

static bool any_runs(const struct collectives *running)
{
    if (!running->count)
        return false;
    CUresult (*query)(CUevent) = DRIVER(cuEventQuery);
    for (size_t i = 0; i < running->count && query; i++)
        if (query(running->of[i].event) == CUDA_ERROR_NOT_READY)
            return true;
    return false;
}

bool collectives_wait(const struct collectives *running)
{
    static unsigned tries = MOST_TRIES;
    const uint64_t until = now_ns() + PATIENCE_NS;
    while (any_runs(running)) {
        if (!tries)
            return true;
        if (now_ns() > until) {
            tries--;
            return true;
        }
        sched_yield();
    }
    return false;
}
