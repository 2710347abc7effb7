/* leave.h - the end of the process, and the thread of ours that works until then. Private to collector/inject. */
#pragma once

#include "inject.h"

/* ---- leave.c ---- */

/* The process is about to end, and what CUPTI rests on is about to be destroyed: nothing is counted any more. */
extern atomic_bool leaving;
/* The worker is in a call that has to come back before the process ends: it is waited for, for ten seconds at most. */
void leave_waits_whole(bool closing);
/* By the worker, before it is started; false: there can be none. */
bool leave_init(void);
/* For so long, or until somebody asks. */
void leave_sleep(int64_t ns);
/* Ends the worker's sleep. */
void leave_wake(void);
/* By the worker, when it begins. */
void leave_work(void);
/* Asks the worker for something, and waits until it is done: for a second at most; while it prepares for a second in which it does
 * not run, or ten. False when it is not done; then nobody waits again. */
bool leave_ask(atomic_bool *asked, const atomic_bool *done);
/* To be called after CUPTI's host library was opened or used for the first time, by the thread that did so: from now on the end of
 * the process waits until nobody uses it. */
void settle_first(void);
/* By the worker: whether what is being counted is to be ended. */
bool settle_is_due(void);
/* By the worker: it has been; who ends the process goes on. */
void settle_done(void);
/* The worker is preparing what is to be counted, which cannot be broken off at any moment: whoever ends the process waits. */
void settle_waits_for(bool preparing);

/* ---- worker.c ---- */

/* Starts the thread, which takes no signals and waits for worker_begin. False: the process may have no more threads. */
bool worker_start(void);
/* All that it looks at is there. */
void worker_begin(void);
/* Lets the worker gather what CUPTI still has, and waits for that, for a second at most; true when all was gathered. */
bool worker_finish(void);
