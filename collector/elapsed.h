/* elapsed.h - time that has passed. Private to the collector. */
#ifndef RL_COLLECTOR_ELAPSED_H
#define RL_COLLECTOR_ELAPSED_H

#include <time.h>

/* Seconds since `start`, a time of CLOCK_MONOTONIC. */
static inline double seconds_since(const struct timespec *start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + 1e-9 * (double)(now.tv_nsec - start->tv_nsec);
}

#endif
