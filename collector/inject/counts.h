/* counts.h - between counts.c, counts_calls.c and counts_worker.c. Private to collector/inject. */
#ifndef RL_INJECT_COUNTS_H
#define RL_INJECT_COUNTS_H

#include "capture/capture.h"
#include "wanted.h"

/* Of what is wanted, of windows and of what is being counted; taken before `lock`. */
extern pthread_mutex_t counts_lock;
/* Something is wanted, a window is open: launches come to counts.c; when to try again. */
extern atomic_bool counts_due, counts_open;
extern atomic_ullong counts_try_ns;
/* The worker is making a context ready for windows: launches wait for it. */
extern atomic_bool counts_preparing;
/* Whether a stream is being captured. */
bool counts_captures(void);
/* Loads CUPTI's host library, unless that is done. */
void counts_load_host(void);
/* Whether anything may be counted or held up at all. */
bool counts_allowed(void);
/* Whether a launch of the class (NULL: not known) is to be held once, to see that it ends by itself: another run repeats launches.
 * Needs no lock. */
bool counts_may_prove(const struct class *class);
/* Closes the open window, or does not when the GPU does not become quiet. Under counts_lock. */
void counts_close(void);
/* Closes a window of the context (NULL: of any) before something that must not happen in it; takes counts_lock itself. */
void counts_close_for(CUcontext context);

static const uint64_t MS = 1000000, LOOK_NS = 100 * MS;

#endif
