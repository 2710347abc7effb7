/* clock.h - the system's clocks, in nanoseconds; no other file queries them.
 *
 * The functions may be called in a signal handler and in the injected library: they take no memory and no lock, and keep errno. */
#pragma once

#include <stdint.h>
#include <time.h>

/* CLOCK_MONOTONIC: for durations and deadlines; the same in all processes of a machine, stops while it is suspended. */
int64_t rl_monotonic_ns(void);
/* CLOCK_REALTIME: since 1970-01-01 UTC; jumps when the clock is set. */
int64_t rl_realtime_ns(void);

/* Seconds since 1970 of a time in the format of captures, "2026-11-21T10:30:40Z"; NAN for other text. Not for signal handlers. */
double rl_utc_s(const char *text);

/* CLOCK_THREAD_CPUTIME_ID: processor time of the calling thread. */
int64_t rl_thread_cpu_ns(void);

/* Any other clock, for example of another thread; 0: no such clock. */
int64_t rl_clock_ns(clockid_t clock);

/* Seconds since `start_ns`, which rl_monotonic_ns returned. */
double rl_seconds_since(int64_t start_ns);
/* The time `ns` (>= 0) from now on CLOCK_REALTIME, as sem_timedwait and pthread_mutex_timedlock take it. */
struct timespec rl_deadline_in(int64_t ns);
