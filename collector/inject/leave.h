/* leave.h - the end of the process, and our worker thread. Private to collector/inject. */
#pragma once

#include "inject.h"

/* ---- leave.c ---- */

/* The process is ending and CUPTI's dependencies are about to be destroyed: nothing is counted any more. */
extern atomic_bool leaving;
/* Sets whether the worker is in a call that must return before the process ends, which then waits for up to ten seconds. */
void leave_waits_whole(bool closing);
/* Called before the worker is started; false: it cannot be. */
bool leave_init(void);
/* Sleeps for `ns`, or until leave_wake. */
void leave_sleep(int64_t ns);
/* Ends the worker's sleep. */
void leave_wake(void);
/* Called by the worker at its start. */
void leave_work(void);
/* Sends the worker a request and waits until it is done: for up to a second, or while it prepares for up to a second in which it
 * does not run, or ten. False: not done; then no later request waits. */
bool leave_ask(atomic_bool *asked, const atomic_bool *done);
/* Called after the first use of CUPTI's host library, by the thread that used it: the end of the process then waits until the
 * library is unused. */
void settle_first(void);
/* Called by the worker: whether counting is to be ended. */
bool settle_is_due(void);
/* Called by the worker when that is done; the ending thread continues. */
void settle_done(void);
/* Sets whether the worker is preparing counters, which cannot be interrupted at any moment: the ending thread waits. */
void settle_waits_for(bool preparing);

/* ---- worker.c ---- */

/* Starts the thread, which blocks all signals and waits for worker_begin. False: no thread can be created. */
bool worker_start(void);
/* Lets the worker begin: everything that it uses is initialised. */
void worker_begin(void);
/* Lets the worker collect CUPTI's remaining records, and waits for up to a second; true if all were collected. */
bool worker_finish(void);
