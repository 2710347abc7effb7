/* coverage.h - which kernel classes have launches in samples, while a program runs: those that have few are waited for (follow.h).
 * Private to the collector. */
#ifndef RL_COLLECTOR_COVERAGE_H
#define RL_COLLECTOR_COVERAGE_H

#include "stream_read.h"

enum {
    RL_COVERAGE_ENOUGH = 64, /* launches of a class in samples */
    RL_COVERAGE_LEAST = 16,  /* a class of fewer launches is not waited for: it would have no value */
};

/* What is known of a process. */
struct rl_covered {
    size_t next;  /* launch: what came before is counted */
    uint8_t *met; /* of each class, up to RL_COVERAGE_ENOUGH */
    size_t met_count, met_cap;
};
struct rl_coverage {
    struct rl_stream_gap *windows; /* when samples were taken, ascending */
    size_t window_count, window_cap;
    struct rl_covered *of; /* each stream */
    size_t count, cap;
    uint64_t met;    /* launches in windows */
    uint64_t wanted; /* launches of classes that have too few: changes when there are more */
    size_t lacking;  /* classes of RL_COVERAGE_LEAST launches that have too few */
};
/* Samples were taken then. Ascending; one that follows the last closely is of the same window. */
void rl_coverage_add(struct rl_coverage *coverage, uint64_t from_ns, uint64_t to_ns);
/* Takes what is new of the launches on the GPU with this UUID; those that began after the last window wait for the next one. Works
 * for each class and each launch that is new. */
void rl_coverage_take(struct rl_coverage *coverage, struct rl_stream *const *streams, size_t count, const uint8_t uuid[16]);
/* Frees windows and what was met in them; zeroes it. */
void rl_coverage_release(struct rl_coverage *coverage);

#endif
