/* counts.h - shared by counts.c, counts_calls.c and counts_worker.c. Private to collector/inject. */
#pragma once

#include "window.h"

/* Something is to be counted; a window is open, so launches enter counts.c; the time of the next attempt. */
extern atomic_bool counts_due, counts_open;
extern atomic_ullong counts_try_ns;
/* The worker is preparing a context for windows, and launches wait for it. */
extern atomic_bool counts_preparing;
/* Loads CUPTI's host library once. */
void counts_load_host(void);
/* Whether to wait for the next launch of the class (NULL: unknown), to prove that it ends by itself so that another run can repeat
 * it. Needs no lock. */
bool counts_may_prove(const struct class *class);
/* Whether kernel replay skips the class, because the timed run has not proven that its launches end. */
bool counts_is_past(const struct class *class);
/* The program uses CUPTI itself: closes the open window and releases the hardware counters. False: the GPU is busy. */
bool counts_give_way(void);
/* Closes the open window, unless the GPU does not become idle. Requires counts_lock. */
void counts_close(void);
/* Lets the open window rest while new classes still appear, because opening another takes 50 ms (H200, CUPTI 13.0), and closes it
 * otherwise. Requires counts_lock. */
void counts_rest(void);
/* Whether to keep an open window in which nothing is wanted at present, because new classes still appear. */
bool counts_may_rest(void);
/* Closes a window of the context (NULL: of any) before an action that must not happen in one; takes counts_lock. */
void counts_close_for(CUcontext context);

static const uint64_t MS = 1000000, LOOK_NS = 100 * MS;

/* ---- wanted.c: the classes to be counted, and the launches they lack under each configuration; requires counts_lock ---- */

/* Reads the parent's list of classes for a requested run: hash and number of launches in the timed run, one class per line. Without
 * it all classes are wanted. */
void wanted_read(void);
/* Whether the class is to be counted. */
bool wanted_at_all(const struct class *class);
/* In a requested run: marks a wanted class as `proven` if its launch ended in the timed run while the program waited. */
void wanted_learn(struct class *class);
/* The number of launches that the class lacks under a configuration. */
size_t wanted_still(const struct target *target, const struct class *class, size_t config);
/* The number of launches lacking under a configuration over all classes launched on the target's GPU, counted up to `most`. Takes
 * `lock`. */
size_t wanted_launches(const struct target *target, size_t config, size_t most);
/* The next configuration to open among those under which the class lacks launches; unconditional ones first. False: none. */
bool wanted_config(const struct target *target, const struct class *class, size_t *config);
/* Whether a class launched on the window's GPU still lacks launches under its configuration. Takes `lock`. */
bool wanted_in_window(void);
/* Selects the classes that matter: those that make up 99 % of the GPU time so far, and those without a time yet. Takes `lock`. */
void wanted_choose(void);
/* The share of the GPU time so far of classes that matter, lack launches and were launched since the last call. Takes time
 * proportional to the number of classes; takes `lock`. */
double wanted_share(void);
/* Requests another launch of each class under the first configuration: its first launches may have had cold caches. */
void wanted_again(void);
/* Defers conditional configurations until then, so that the rest of the budget serves the others. */
void wanted_defer(uint64_t until_ns);
/* Whether a class or a duration was new within the last WANTED_COMING_NS, or within twice the interval between the last two. */
bool wanted_more_come(void);
#define WANTED_COMING_NS UINT64_C(300000000)
/* Whether the hardware pass, which takes 31 ms to start, has to be skipped to reach that of the configuration. */
bool wanted_is_beyond_hardware(const struct target *target, size_t config);
/* The expected cost of the next window, in ns. */
uint64_t wanted_cost(const struct target *target, size_t config);
/* The GPU time of a launch of the class, from its records or its last counted launch, in ns. */
uint64_t wanted_own_ns(const struct class *class);
/* The share of `own_ns` that a delay of the program costs, by the losses so far, in ns. */
uint64_t wanted_lost_ns(uint64_t own_ns);
/* The expected delay of the program for counting a launch of the class, in ns. */
uint64_t wanted_launch_cost(const struct target *target, const struct class *class, size_t config);
