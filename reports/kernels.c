/* kernels.c - which kernel classes have a block of their own (see kernels.h). */
#include "kernels.h"

#include <assert.h>
#include <stdlib.h>

#include "analysis/program.h"
#include "core/mem.h"

double rl_kernel_total_ns(const struct rl_report *report, size_t kernel)
{
    const struct rl_kernel *k = &report->capture->kernels[kernel];
    const struct rl_stats *duration = &report->analysis->kernels[kernel].duration;
    if (k->total_ns > 0)
        return rl_kernel_gpu_ns(report->capture, kernel);
    return duration->n > 0 ? duration->median * 1e9 * (double)(k->launches > 0 ? k->launches : 1) : 0;
}

struct timed {
    size_t kernel;
    double ns;
};

static int by_time(const void *a, const void *b)
{
    const struct timed *x = a, *y = b;
    if (x->ns != y->ns)
        return x->ns < y->ns ? 1 : -1;
    return (x->kernel > y->kernel) - (x->kernel < y->kernel); /* as in the capture */
}

#define SHARE_WITH_PAGES 0.99 /* of the time: the classes of which counters are taken by default */

/* A class alone has the whole document. */
static size_t pages_of(const struct rl_report *report, const struct timed *timed, const struct rl_kernel_blocks *blocks)
{
    size_t pages = 0;
    if (!rl_is_program(report->capture) || report->capture->kernel_count < 2)
        return 0;
    for (double ns = 0; pages < blocks->shown && (pages == 0 || ns < SHARE_WITH_PAGES * blocks->total_ns); pages++)
        ns += timed[pages].ns;
    return pages;
}

static void find_blocks(struct rl_report *report, size_t gpu, struct rl_kernel_blocks *blocks)
{
    const size_t *kernels, count = rl_group(&report->analysis->index.kernels_of_gpu, gpu, &kernels);
    struct timed *timed = rl_calloc(count + 1, sizeof *timed);
    for (; blocks->count < count; blocks->count++)
        timed[blocks->count] = (struct timed){kernels[blocks->count], rl_kernel_total_ns(report, kernels[blocks->count])};
    qsort(timed, blocks->count, sizeof *timed, by_time);
    size_t most = report->options->top ? report->options->top : RL_REPORT_TOP;
    blocks->shown = blocks->count < most ? blocks->count : most;
    blocks->at = rl_arena_alloc(report->arena, (blocks->count + 1) * sizeof *blocks->at);
    for (size_t i = 0; i < blocks->count; i++) {
        blocks->at[i] = timed[i].kernel;
        blocks->total_ns += timed[i].ns;
        blocks->shown_ns += i < blocks->shown ? timed[i].ns : 0;
    }
    blocks->pages = pages_of(report, timed, blocks);
    free(timed);
}

void rl_kernels_choose(struct rl_report *report)
{
    size_t gpus = report->capture->gpu_count;
    report->blocks = rl_arena_alloc(report->arena, (gpus + 1) * sizeof *report->blocks);
    for (size_t gpu = 0; gpu < gpus; gpu++)
        find_blocks(report, gpu, &report->blocks[gpu]);
}

const struct rl_kernel_blocks *rl_kernel_blocks_of(const struct rl_report *report, size_t gpu)
{
    assert(report->blocks && gpu < report->capture->gpu_count);
    return &report->blocks[gpu];
}

#define ROUNDING 1e-9 /* of the sum: exactly half of it needs no further one */

size_t rl_half_of(const double *values, size_t count)
{
    double sum = 0, first = 0;
    size_t half = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    for (; half < count && first < (0.5 - ROUNDING) * sum; half++)
        first += values[half];
    return half;
}

size_t rl_kernel_target(const struct rl_report *report, size_t kernel)
{
    return report->kernel_targets ? report->kernel_targets[kernel] : RL_NO_TARGET;
}
