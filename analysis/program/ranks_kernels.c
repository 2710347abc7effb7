/* ranks_kernels.c - what the slowest rank does that the median one does not. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/program.h"
#include "core/mem.h"
#include "core/sort.h"
#include "internal.h"

/* A class of one of the two ranks. */
struct part {
    size_t kernel;
    bool slowest;
    double seconds;
};

static const char *name_of(const struct rl_capture *capture, size_t kernel)
{
    return capture->kernels[kernel].mangled ? capture->kernels[kernel].mangled : capture->kernels[kernel].name;
}

/* By name, the class with the most time of the slowest rank first. */
static int by_name(const void *a, const void *b, void *context)
{
    const struct part *x = a, *y = b;
    const struct rl_capture *capture = context;
    return rl_ascending(name_of(capture, x->kernel), name_of(capture, y->kernel)) ?: rl_descending(x->slowest, y->slowest) ?:
           rl_descending(x->seconds, y->seconds) ?: rl_ascending(x->kernel, y->kernel);
}

/* What waits stands last: that is what the others' slowness does. */
static int by_difference(const void *a, const void *b)
{
    const struct rl_rank_kernel *x = a, *y = b;
    return rl_ascending(x->collective, y->collective) ?:
           rl_descending(fabs(x->slowest_s - x->median_s), fabs(y->slowest_s - y->median_s)) ?: rl_ascending(x->kernel, y->kernel);
}

void rl_ranks_compare(struct rl_ranks *ranks)
{
    const struct rl_capture *capture = ranks->capture;
    struct part *parts = rl_calloc(capture->kernel_count, sizeof *parts);
    size_t count = 0;
    for (size_t i = 0; i < capture->kernel_count; i++) {
        assert(capture->kernels[i].gpu < capture->gpu_count);
        size_t owner = ranks->rank_of_gpu[capture->kernels[i].gpu];
        if (owner == RL_NONE || (owner != ranks->slowest && owner != ranks->median))
            continue;
        parts[count++] = (struct part){i, owner == ranks->slowest, rl_kernel_gpu_ns(capture, i) * 1e-9};
    }
    if (count)
        rl_sort_with(parts, count, sizeof *parts, by_name, (void *)capture); /* only read */
    ranks->kernels = rl_calloc(count, sizeof *ranks->kernels);
    for (size_t i = 0; i < count && ranks->slowest != ranks->median; i++) {
        bool same = i > 0 && strcmp(name_of(capture, parts[i].kernel), name_of(capture, parts[i - 1].kernel)) == 0;
        if (!same)
            ranks->kernels[ranks->kernel_count++] = (struct rl_rank_kernel){
                .kernel = parts[i].kernel, .collective = rl_is_collective(&capture->kernels[parts[i].kernel])};
        assert(ranks->kernel_count > 0);
        struct rl_rank_kernel *kernel = &ranks->kernels[ranks->kernel_count - 1];
        *(parts[i].slowest ? &kernel->slowest_s : &kernel->median_s) += parts[i].seconds;
        *(parts[i].slowest ? &kernel->slowest_launches : &kernel->median_launches) += capture->kernels[parts[i].kernel].launches;
    }
    if (ranks->kernel_count) {
        rl_sort(ranks->kernels, ranks->kernel_count, sizeof *ranks->kernels, by_difference);
        struct rl_labelled *rows = rl_calloc(ranks->kernel_count, sizeof *rows);
        for (size_t i = 0; i < ranks->kernel_count; i++) {
            struct rl_rank_kernel *kernel = &ranks->kernels[i];
            struct rl_buf name = RL_BUF_INIT;
            rl_kernel_short_name(ranks->capture->kernels[kernel->kernel].name, &name);
            kernel->label = rl_arena_strndup(&ranks->arena, name.data, name.len);
            rl_buf_release(&name);
            rows[i] = (struct rl_labelled){.kernel = &ranks->capture->kernels[kernel->kernel], .label = &kernel->label};
        }
        rl_labels_tell_apart(&ranks->arena, rows, ranks->kernel_count, false);
        free(rows);
    }
    free(parts);
}
