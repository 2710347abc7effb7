/* tracer.h - instructions that concurrent kernel records add to kernels (activity.h). Private to the collector.
 *
 * CUPTI adds the same instructions to every warp of a recorded kernel: on an H200 with CUDA 13.0 eight, four of them in the
 * ALU pipe, and a few more per launch (docs/data/benchmarks-clock.md). Samples of the GPU include them. Their number is measured by
 * counting an empty kernel with records off and on. */
#pragma once

#include "capture/program.h"

struct rl_capture;

struct rl_range_profiler;

enum { RL_TRACER_MOST = 6 };
struct rl_tracer {
    size_t count;
    struct {
        enum rl_sampled_counter counter; /* ascending */
        double per_warp, residual;       /* struct rl_tracer_row; NAN: not tried */
    } of[RL_TRACER_MOST];
};

/* Another kernel, to try the result on. */
struct rl_tracer_trial {
    enum rl_status (*launch)(void *context, struct rl_err *err); /* once, on the same stream; it need not wait */
    void *context;
    double warps; /* of the launch */
};

/* Measures it on the device of the stream (cudaStream_t), which is idle, in at most 2 s (H200); `profiler` is open, no window of
 * it is, and nothing is recorded. `trial` may be NULL. Errors as rl_range_begin, rl_activity_start and rl_device_launch_empty;
 * `tracer` is empty then. */
enum rl_status rl_tracer_measure(struct rl_range_profiler *profiler, void *stream, const struct rl_tracer_trial *trial,
                                 struct rl_tracer *tracer, struct rl_err *err);
/* Adds it to the capture, as that of a GPU; after those of GPUs before it. */
void rl_tracer_store(const struct rl_tracer *tracer, size_t gpu, struct rl_capture *capture);
