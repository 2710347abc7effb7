/* clock.c - time, in nanoseconds. */
#include "core/clock.h"

#include "core/core.h"

enum { NS_PER_S = 1000000000 };

/* Fails for no clock of Linux that is named here. */
static int64_t now(clockid_t clock)
{
    struct timespec time = {0};
    (void)clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * NS_PER_S + time.tv_nsec;
}

int64_t rl_monotonic_ns(void)
{
    return now(CLOCK_MONOTONIC);
}

int64_t rl_realtime_ns(void)
{
    return now(CLOCK_REALTIME);
}

int64_t rl_thread_cpu_ns(void)
{
    return now(CLOCK_THREAD_CPUTIME_ID);
}

int64_t rl_clock_ns(clockid_t clock)
{
    const int kept = errno;
    const int64_t ns = now(clock);
    errno = kept;
    return ns;
}

double rl_seconds_since(int64_t start_ns)
{
    return 1e-9 * (double)(rl_monotonic_ns() - start_ns);
}

struct timespec rl_deadline_in(int64_t ns)
{
    assert(ns >= 0);
    const int64_t at = rl_realtime_ns() + ns;
    return (struct timespec){.tv_sec = at / NS_PER_S, .tv_nsec = at % NS_PER_S};
}

double rl_utc_s(const char *text)
{
    struct tm utc = {0};
    const char *end = strptime(text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return end && !*end ? (double)timegm(&utc) : NAN;
}
