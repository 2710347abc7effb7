/* sampling.h - the GPU of an observed program sampled by a child of the collecting process. Private to the collector.
 *
 *     rl_sampling_start -> { rl_sampling_take } ... -> rl_sampling_stop -> rl_sampling_release
 *
 * The collecting process itself opens no device (descendants.h), and the observed one must not decode (pm_sampler.h): so there is a
 * third. It takes windows of samples, with pauses that keep it under half a processor and its samples bounded, and sends them
 * through a pipe. Nothing that happens to it concerns the program: why there are no samples, or no more, is one line. */
#ifndef RL_COLLECTOR_SAMPLING_H
#define RL_COLLECTOR_SAMPLING_H

#include "core/buf.h"
#include "core/child.h"
#include "pm_sampler.h"

struct rl_sampling_window {
    size_t first, count; /* of the samples */
};
struct rl_sampling {
    struct rl_child child;
    int stop_fd;      /* closed when the child is to end; -1: it was */
    uint8_t uuid[16]; /* of the GPU */
    uint64_t interval_ns;
    size_t counter_count; /* 0: the child has not said which */
    enum rl_pm_counter counters[RL_PM_COUNTERS];
    struct rl_pm_samples samples;
    size_t most, dropped;   /* samples that are kept; those that came when there were so many */
    uint64_t cpu_ns;        /* the processor's time that the child took */
    bool by_clock;          /* struct rl_pm_sampler */
    enum rl_status status;  /* why there are no samples, or no more; RL_OK: it went on to the end */
    struct rl_err failure;  /* the same in words */
    bool ended;             /* the child has said all that it had to say */
    struct rl_buf received; /* bytes that are no whole message yet */
};
/* Opens the sampler in the child: rl_sampling_open, or a test's. */
typedef enum rl_status (*rl_sampling_opens)(struct rl_pm_sampler *sampler, const uint8_t uuid[16], uint64_t interval_ns,
                                            struct rl_err *err);
/* Finds the device by its UUID and opens the sampler. Errors as rl_pm_open. */
enum rl_status rl_sampling_open(struct rl_pm_sampler *sampler, const uint8_t uuid[16], uint64_t interval_ns, struct rl_err *err);

/* Starts the child. What fails later is in `status`. Stop and release it in every case. */
enum rl_status rl_sampling_start(struct rl_sampling *sampling, const uint8_t uuid[16], uint64_t interval_ns, rl_sampling_opens open,
                                 struct rl_err *err);
/* Takes what the child has sent; waits for nothing. */
void rl_sampling_take(struct rl_sampling *sampling);
/* Lets the child end, and takes the rest; one that does not end within a few seconds is killed. */
void rl_sampling_stop(struct rl_sampling *sampling);
void rl_sampling_release(struct rl_sampling *sampling);

#endif
