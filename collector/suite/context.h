/* context.h - the CUDA context of the collecting process, and its device. Private to the collector. */
#ifndef RL_COLLECTOR_CONTEXT_H
#define RL_COLLECTOR_CONTEXT_H

#include <cuda.h>

#include "core/err.h"

/* The context that is current on this thread. */
enum rl_status rl_current_context(CUcontext *context, struct rl_err *err);
/* Compute capability x 10 of a CUDA device; 0: it does not say. */
int rl_device_cc(int device);

#endif
