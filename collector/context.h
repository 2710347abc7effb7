/* context.h - the CUDA context of the collecting process. Private to the collector. */
#ifndef RL_COLLECTOR_CONTEXT_H
#define RL_COLLECTOR_CONTEXT_H

#include <cuda.h>

#include "core/err.h"

/* The context that is current on this thread. */
enum rl_status rl_current_context(CUcontext *context, struct rl_err *err);

#endif
