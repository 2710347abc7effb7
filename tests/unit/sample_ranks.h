/* sample_ranks.h - ranks of one program: made, not measured, and the same at every run. */
#ifndef RL_TEST_SAMPLE_RANKS_H
#define RL_TEST_SAMPLE_RANKS_H

#include <stdio.h>
#include <string.h>

#include "capture/capture.h"
#include "core/mem.h"

/* Milliseconds of a rank: its products, its stencil, and how long it waited for the others. */
struct sample_rank {
    int rank;
    double product_ms, stencil_ms, waiting_ms, span_ms;
};

static inline void sample_rank_kernel(struct rl_capture *capture, const char *name, double ms, uint64_t launches, uint64_t counted)
{
    struct rl_kernel *kernel = rl_capture_add_kernel(capture);
    kernel->name = rl_capture_text(capture, name);
    kernel->timing = rl_capture_text(capture, RL_TIMING_IN_ORDER);
    kernel->grid[0] = 1056;
    kernel->grid[1] = kernel->grid[2] = kernel->block[1] = kernel->block[2] = 1;
    kernel->block[0] = 256;
    kernel->launches = launches;
    kernel->total_ns = (uint64_t)(ms * 1e6);
    kernel->duration_count = 7;
    kernel->duration_ns = rl_arena_alloc(&capture->arena, kernel->duration_count * sizeof *kernel->duration_ns);
    for (size_t i = 0; i < kernel->duration_count; i++)
        kernel->duration_ns[i] = kernel->total_ns / launches + i;
    *rl_capture_add_use(capture) = (struct rl_kernel_use){.kernel = capture->kernel_count - 1,
                                                          .timed = launches,
                                                          .min_ns = kernel->total_ns / launches,
                                                          .max_ns = kernel->total_ns / launches + 6,
                                                          .counted = counted};
}

/* Fills the capture of one rank: one GPU, one process, three kernels, half a millisecond of copies. */
static inline void sample_rank(struct rl_capture *capture, const struct sample_rank *of)
{
    static const double copies_ms = 0.5;
    struct rl_gpu *gpu = rl_capture_add_gpu(capture);
    struct rl_process *process = rl_capture_add_process(capture);
    char text[64];
    double kernels_ms = of->product_ms + of->stencil_ms + of->waiting_ms;
    capture->session.started = rl_capture_text(capture, "2026-11-21T10:30:40Z");
    capture->session.tool_version = rl_capture_text(capture, "0.0.1-made");
    capture->session.complete = true;
    snprintf(text, sizeof text, "node%d", of->rank / 4);
    capture->session.host = process->host = rl_capture_text(capture, text);
    gpu->index = of->rank % 4;
    gpu->name = rl_capture_text(capture, "SYNTHETIC TEST CARD");
    gpu->chip = rl_capture_text(capture, "GH100");
    gpu->cc_major = 9;
    gpu->fact[RL_FACT_sm_count] = rl_value_of(132);
    snprintf(text, sizeof text, "%d", of->rank);
    process->rank = rl_capture_text(capture, text);
    process->pid = 4000 + (uint64_t)of->rank;
    process->command = rl_capture_text(capture, "./solver input.txt");
    process->end = rl_capture_text(capture, "exited");
    process->phases = rl_capture_text(capture, "one run: times all along, but for windows of counters");
    process->launches = 250;
    *rl_capture_add_process_gpu(capture, 0) = (struct rl_process_gpu){.gpu = 0,
                                                                      .span_ns = (uint64_t)(of->span_ms * 1e6),
                                                                      .busy_ns = (uint64_t)((kernels_ms + copies_ms) * 1e6),
                                                                      .kernel_ns = (uint64_t)(kernels_ms * 1e6)};
    sample_rank_kernel(capture, "void product<float, 128>(float const*, float const*, float*)", of->product_ms, 100, 3);
    sample_rank_kernel(capture, "stencil(float*, float const*, int)", of->stencil_ms, 100, 3);
    sample_rank_kernel(capture, "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", of->waiting_ms, 50, 0);
    capture->uses[2].uncounted = rl_capture_text(capture, "a collective kernel waits for its peers");
}

static inline struct rl_capture *sample_rank_capture(const struct sample_rank *of)
{
    struct rl_capture *capture = rl_capture_new();
    sample_rank(capture, of);
    return capture;
}

/* Ranks 0 to count - 1: 10 ms of own kernels each and a little more with the rank; rank `slow` computes 3 ms longer, in its
 * products, and the others wait for it. */
static inline struct sample_rank sample_rank_of(int rank, int slow)
{
    struct sample_rank of = {rank, 6 + 0.01 * rank, 4, 4, 20};
    of.product_ms += rank == slow ? 3 : 0;
    of.waiting_ms -= rank == slow ? 3 : 0;
    return of;
}

#endif
