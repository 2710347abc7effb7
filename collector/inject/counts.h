/* counts.h - between counts.c, counts_calls.c and counts_worker.c. Private to collector/inject. */
#pragma once

#include "capture/capture.h"
#include "window.h"

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
/* Whether the next launch of the class (NULL: unknown) is to be held, to see that it ends by itself: another run repeats it.
 * Needs no lock. */
bool counts_may_prove(const struct class *class);
/* Whether kernel replay is over for the class: launches of which the timed run has not shown that they end are not repeated. */
bool counts_is_past(const struct class *class);
/* The program uses CUPTI itself: closes the open window, and lets the counters of the hardware go. False: the GPU is busy. */
bool counts_give_way(void);
/* Closes the open window, or does not when the GPU does not become quiet. Under counts_lock. */
void counts_close(void);
/* Whether the open window is worth keeping although nothing is wanted in it now: classes still come. */
bool counts_may_rest(void);
/* Closes a window of the context (NULL: of any) before something that must not happen in it; takes counts_lock itself. */
void counts_close_for(CUcontext context);

static const uint64_t MS = 1000000, LOOK_NS = 100 * MS;

/* ---- wanted.c: which classes are to be counted, and under which configuration they lack launches; under counts_lock ---- */

/* Reads the parent's note of what a run that was asked for is to count: hash and launches in the timed run, a class a line. Without
 * it everything is wanted. */
void wanted_read(void);
/* Whether the class is to have counters. */
bool wanted_at_all(const struct class *class);
/* In a run that was asked for: a class that is wanted has ended while the timed run was held up, so it is `proven`. */
void wanted_learn(struct class *class);
/* Launches that it lacks under a configuration. */
size_t wanted_still(const struct target *target, const struct class *class, size_t config);
/* How many launches are lacking under a configuration, of all classes that have been launched on the target's GPU; counted no
 * further than to `most`. Takes `lock`. */
size_t wanted_launches(const struct target *target, size_t config, size_t most);
/* The configuration that is the next to be opened, of those under which the class lacks launches, the ones without a condition
 * before the others; false when there is none. */
bool wanted_config(const struct target *target, const struct class *class, size_t *config);
/* Whether a class that has been launched on the window's GPU still lacks launches under its configuration. Takes `lock`. */
bool wanted_in_window(void);
/* Chooses the classes that matter: those with 99 % of the GPU's time so far, and those that have no time yet. Takes `lock`. */
void wanted_choose(void);
/* Of the GPU's time so far, the share of classes that matter, lack launches, and have been launched since the last call. Takes a
 * time that goes with the number of classes; takes `lock`. */
double wanted_share(void);
/* From now on each class wants another launch under the first configuration: its first launches may have been cold. */
void wanted_again(void);
/* Configurations with a condition are not wanted before that moment, so that what is left of the budget is for the others. */
void wanted_defer(uint64_t until_ns);
/* Whether a class, or a length of one, has come within the last WANTED_COMING_NS, or twice the time from the one before to it. */
bool wanted_more_come(void);
#define WANTED_COMING_NS UINT64_C(300000000)
/* Cost of the next window, in ns. */
uint64_t wanted_cost(const struct target *target, size_t config);
/* How long the GPU works on a launch of the class, by its records or the last one that was counted, in ns. */
uint64_t wanted_own_ns(const struct class *class);
/* How much of such a time is lost while the program is held up for it, by what was lost so far, in ns. */
uint64_t wanted_lost_ns(uint64_t own_ns);
/* How long the program is held up for a launch of the class that is counted, about, in ns. */
uint64_t wanted_launch_cost(const struct target *target, const struct class *class, size_t config);
