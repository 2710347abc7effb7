/* sampler.h - the program waits a moment for whoever is to sample its GPU (sampler.c). */
#ifndef RL_INJECT_SAMPLER_H
#define RL_INJECT_SAMPLER_H

#include <cuda.h>

/* Before the first memory is taken or code loaded in a context: until it is ready, at most 0.4 s. Nothing of the program is held
 * but the thread that calls. */
void sampler_await_ready(CUcontext context);
/* Before a launch of a kernel or a graph in a context: until a window of samples is open, a few milliseconds where it is ready. */
void sampler_await_window(CUcontext context);

#endif
