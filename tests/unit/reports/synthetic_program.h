/* synthetic_program.h - an observed program: kernels of no experiment, processes, ranges, copies; figures worked out by hand. */
#ifndef RL_TEST_REPORTS_SYNTHETIC_PROGRAM_H
#define RL_TEST_REPORTS_SYNTHETIC_PROGRAM_H

#include "synthetic.h"

/* Three classes with 6 ms, 3 ms and 1 ms of GPU time; the last one has no counters. */
static inline void synthetic_classes(struct rl_capture *capture)
{
    static const char *const names[] = {"void gemm<float, 128>(float const*, float const*, float*)", "void softmax(float*)",
                                        "void ncclDevKernel_AllReduce(void*)"};
    static const uint64_t totals[] = {6000000, 3000000, 1000000};
    for (size_t i = 0; i < RL_COUNT(names); i++) {
        struct synthetic_work work = {1e7 * (double)(i + 1), 1e9, 1e6, (double)totals[i] * 1e-11, &synthetic_shapes[0]};
        size_t kernel = synthetic_kernel(capture, 0, RL_NONE, names[i], &work);
        capture->kernels[kernel].launches = 100 + i;
        capture->kernels[kernel].total_ns = totals[i];
        capture->kernels[kernel].timing = rl_capture_text(capture, RL_TIMING_IN_ORDER);
        if (i == 2)
            capture->kernels[kernel].counter_count = 0; /* the capture's arrays stay what they are */
        *rl_capture_add_use(capture) = (struct rl_kernel_use){.kernel = kernel,
                                                              .timed = 100 + i,
                                                              .min_ns = totals[i] / 200,
                                                              .max_ns = totals[i] / 50,
                                                              .deviation_ns = 250,
                                                              .counted = i == 2 ? 0 : 3};
    }
    capture->uses[2].uncounted = rl_capture_text(capture, "a collective kernel waits for its peers");
}

/* A kernel on grids of 8, 16, ... blocks, ten launches of 8 ns a block each, so that it takes most of the time; every fourth grid
 * is counted, twice. */
static inline void synthetic_family(struct rl_capture *capture, const char *name, size_t shapes)
{
    for (size_t i = 1; i <= shapes; i++) {
        const double blocks = 8 * (double)i;
        struct synthetic_work work = {256 * blocks, 1e3 * blocks, 256 * blocks, 8e-9 * blocks, &synthetic_shapes[0]};
        const size_t index = synthetic_kernel(capture, 0, RL_NONE, name, &work);
        struct rl_kernel *kernel = &capture->kernels[index];
        kernel->launches = 10;
        kernel->total_ns = 10 * 64 * i;
        kernel->timing = rl_capture_text(capture, RL_TIMING_IN_ORDER);
        kernel->counter_count = i % 4 == 0 ? kernel->counter_count : 0;
        *rl_capture_add_use(capture) =
            (struct rl_kernel_use){.kernel = index, .timed = 10, .min_ns = 64 * i, .max_ns = 64 * i, .counted = i % 4 == 0 ? 2 : 0};
    }
}

/* A class of its own; `timed` of its launches took 100 ns each. */
static inline void synthetic_class(struct rl_capture *capture, const char *name, uint64_t launches, uint64_t timed)
{
    struct synthetic_work work = {1e4, 1e4, 1e4, 1e-7, &synthetic_shapes[0]};
    const size_t index = synthetic_kernel(capture, 0, RL_NONE, name, &work);
    struct rl_kernel *kernel = &capture->kernels[index];
    kernel->launches = launches;
    kernel->total_ns = 100 * timed;
    kernel->counter_count = 0;
    kernel->duration_count = timed < kernel->duration_count ? (size_t)timed : kernel->duration_count;
    *rl_capture_add_use(capture) = (struct rl_kernel_use){.kernel = index, .timed = timed, .min_ns = 100, .max_ns = 100};
}

static inline void synthetic_range(struct rl_capture *capture, size_t parent, const char *domain, const char *name, uint64_t gpu_ns)
{
    struct rl_range *range = rl_capture_add_range(capture);
    *range = (struct rl_range){.parent = parent, .instances = 50, .launches = 50, .gpu_ns = gpu_ns, .host_ns = 2000000};
    range->domain = rl_capture_text(capture, domain);
    range->name = rl_capture_text(capture, name);
}

static inline struct rl_capture *synthetic_observed(void)
{
    struct rl_capture *capture = synthetic_empty();
    synthetic_classes(capture);
    struct rl_process *process = rl_capture_add_process(capture);
    process->pid = 4711;
    process->launches = 303;
    process->untimed = 12;
    process->unselected = 7;
    process->unselected_ns = 70000;
    process->command = rl_capture_text(capture, "python3 train.py --steps 50");
    process->end = rl_capture_text(capture, "exited");
    process->phases = rl_capture_text(capture, "one run, times and counters in turn");
    *rl_capture_add_process_gpu(capture, 0) = (struct rl_process_gpu){0, 40000000, 10000000, 10000000};
    synthetic_range(capture, RL_NONE, NULL, "step", 1000000);
    synthetic_range(capture, 0, NULL, "forward (hostile: %s \\n)", 5000000);
    synthetic_range(capture, 1, "nccl", "reduce", 3000000);
    struct rl_transfer *transfer = rl_capture_add_transfer(capture);
    transfer->direction = rl_capture_text(capture, "to device");
    transfer->memory = rl_capture_text(capture, "pinned");
    transfer->count = 50;
    transfer->bytes = 50 << 20;
    transfer->total_ns = 1000000;
    transfer->slowest = rl_value_of(51.5e9);
    transfer->fastest = rl_value_of(53.4e9);
    return capture;
}

#endif
