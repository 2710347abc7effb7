/* sampling.h - the GPU of an observed program sampled by a child of the collecting process. Private to the collector.
 *
 *     rl_sampling_start -> rl_sampling_tell -> { rl_sampling_take } ... -> [rl_sampling_ask ->] rl_sampling_stop ->
 * [rl_sampling_settle ->] rl_sampling_release
 *
 * The observed process must not decode (pm_sampler.h), and what the driver does must not end the collecting one: so there is a
 * third. It gets ready before it is given a GPU, because a program may be short; then it takes windows of samples, with pauses
 * between that bound what it takes of a processor, and sends them through a pipe. Nothing that happens to it concerns the program:
 * why there are no samples, or no more, is one line. */
#pragma once

#include "core/child.h"
#include "pm_sampler.h"

struct rl_sampling {
    struct rl_child child;
    int tell_fd;      /* the child is given its GPU over it, and is to end when it is closed; -1: it was */
    bool told;        /* which GPU */
    uint8_t uuid[16]; /* of the GPU */
    int64_t asked_ns; /* time of the request to end; 0: none */
    uint64_t interval_ns;
    size_t counter_count; /* 0: not reported by the child */
    enum rl_pm_counter counters[RL_PM_COUNTERS];
    struct rl_pm_samples samples;
    size_t most, dropped;   /* samples that are kept; those that came when there were so many */
    size_t opened;          /* windows that the child has opened */
    size_t undecoded;       /* windows of those that had not been received completely when the child was stopped */
    uint64_t cpu_ns;        /* CPU time of the child */
    bool by_clock;          /* struct rl_pm_sampler */
    enum rl_status status;  /* why there are no samples, or no more; RL_OK: it went on to the end */
    struct rl_err failure;  /* the same in words */
    bool ended;             /* the child has sent everything */
    int64_t heard_ns;       /* when something last came */
    bool silent;            /* the child has closed its pipe or exited */
    struct rl_buf received; /* bytes that are no whole message yet */
};
/* Opens the sampler in the child: rl_sampling_open, or a test's. Called without a UUID first, to do what needs none. */
typedef enum rl_status (*rl_sampling_opens)(struct rl_pm_sampler *sampler, const uint8_t uuid[16], uint64_t interval_ns,
                                            struct rl_err *err);

/* Starts the child, which waits for its GPU. What fails later is in `status`. Stop and release it in every case. */
enum rl_status rl_sampling_start(struct rl_sampling *sampling, uint64_t interval_ns, rl_sampling_opens open, struct rl_err *err);
/* Sets the GPU to sample; once. */
void rl_sampling_tell(struct rl_sampling *sampling, const uint8_t uuid[16]);
/* Reads the data that the child has sent, without waiting. */
void rl_sampling_take(struct rl_sampling *sampling);
/* Whether a sample covers several intervals, as the first one after a pause does; its counts have no place in time. */
bool rl_sampling_is_stretched(const struct rl_sampling *sampling, size_t sample);
/* Asks the child to end, and does not wait: it closes the window that it is in, and decodes it as far as it comes in a moment. */
void rl_sampling_ask(struct rl_sampling *sampling);
/* Whether the child has released the GPU, has exited, or has used up its time since the request: rl_sampling_stop then does not
 * wait. */
bool rl_sampling_is_over(const struct rl_sampling *sampling);
#define RL_SAMPLING_END_S 0.3
/* Ends the child and reads the rest, for at most RL_SAMPLING_END_S, then kills it; at once if it has not begun to sample. The
 * child may not have exited on return. May be called again. */
void rl_sampling_stop(struct rl_sampling *sampling);
/* Stops it and waits for its exit, after which the counters are free. */
void rl_sampling_settle(struct rl_sampling *sampling);
/* Stops it and frees the samples, without waiting for its exit. */
void rl_sampling_release(struct rl_sampling *sampling);
