/* event_launches.h - being called before and after each launch of a kernel in this process, on the launching thread. CUPTI knows
 * one subscriber in a process: nobody else may be one meanwhile. Private to the collector. */
#ifndef RL_COLLECTOR_EVENT_LAUNCHES_H
#define RL_COLLECTOR_EVENT_LAUNCHES_H

#include <cuda.h>
#include <stdbool.h>

#include "core/err.h"

/* A function of the driver, which is loaded; NULL: it has none. */
void *rl_event_driver(const char *name);
#define RL_EVENT_DRIVER(function) ((__typeof__(&function))rl_event_driver(#function))

/* Calls `launch` for launches in the context until rl_event_launches_end; `before`, or after it has been handed to the GPU. */
enum rl_status rl_event_launches_begin(CUcontext context, void (*launch)(void *data, bool before), void *data, struct rl_err *err);
/* `launch` is not called any more for launches that come later; nothing when it was never begun. */
void rl_event_launches_end(void);

#endif
