/* counts.h - between counts.c and counts_worker.c. Private to collector/inject. */
#ifndef RL_INJECT_COUNTS_H
#define RL_INJECT_COUNTS_H

#include "capture/capture.h"
#include "wanted.h"

/* Of what is wanted, of windows and of what is being counted; taken before `lock`. */
extern pthread_mutex_t counts_lock;
/* Something is wanted, a window is open: launches come to counts.c; since when something is. */
extern atomic_bool counts_due, counts_open;
extern atomic_ullong counts_due_ns;
/* CUPTI's host library has been loaded. */
extern atomic_bool counts_host_loaded;
/* Whether anything may be counted or held up at all. */
bool counts_allowed(void);
/* Closes the open window, or does not when the GPU does not become quiet. */
void counts_close(void);

static const uint64_t MS = 1000000, LOOK_NS = 100 * MS, HOLD_COST_NS = MS;

#endif
