/* clock.h - time, in nanoseconds: the one place that asks the system for it.
 *
 * Everything here may be called in a signal handler and in the injected part: no memory, no lock, errno is kept. */
#ifndef RL_CORE_CLOCK_H
#define RL_CORE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* CLOCK_MONOTONIC: for durations and deadlines; the same in all processes of a machine, stands still while it is suspended. */
int64_t rl_monotonic_ns(void);
/* CLOCK_REALTIME: since 1970-01-01 UTC; jumps when the clock is set. */
int64_t rl_realtime_ns(void);

/* Seconds from 1970 to a moment as captures have it, "2026-11-21T10:30:40Z"; NAN for anything else. Not for signal handlers. */
double rl_utc_s(const char *text);

/* CLOCK_THREAD_CPUTIME_ID: how long the calling thread has been at work. */
int64_t rl_thread_cpu_ns(void);

/* Any other clock, that of another thread say; 0 when there is none of that number. */
int64_t rl_clock_ns(clockid_t clock);

/* Seconds since `start_ns`, which rl_monotonic_ns returned. */
double rl_seconds_since(int64_t start_ns);
/* The moment in `ns` (>= 0) from now on CLOCK_REALTIME, as sem_timedwait, pthread_mutex_timedlock and their like take it. */
struct timespec rl_deadline_in(int64_t ns);

#endif
