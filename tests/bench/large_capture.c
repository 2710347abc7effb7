/* large_capture.c - makes a capture of many kernel classes, to measure what reports of large programs cost (docs/benchmarks.md).
 *
 *   large_capture CAPTURE COUNT FILE     COUNT classes with the counters and times of those in CAPTURE, one after another, as the
 * kernels of a program: names of their own, times scaled by 1/2 to 2, no experiments
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/capture.h"
#include "core/mem.h"

static void copy_kernel(struct rl_capture *to, const struct rl_kernel *from, size_t number)
{
    double scale = exp2((double)(number * 37 % 101) / 50 - 1);
    struct rl_buf name = RL_BUF_INIT;
    struct rl_kernel *kernel = rl_capture_add_kernel(to);
    struct rl_counter *counters = kernel->counters;
    size_t cap = kernel->counter_cap;
    rl_buf_addf(&name, "void solver::stage_%zu<float, library::Functor<float, %zu>>(float const*, float*, int)", number,
                number % 9);
    *kernel = *from;
    kernel->counters = counters;
    kernel->counter_cap = cap;
    kernel->counter_count = 0;
    kernel->variant = RL_NONE;
    kernel->launches_per_run = 0;
    kernel->nvtx = NULL;
    kernel->name = rl_capture_text(to, name.data);
    kernel->mangled = NULL;
    kernel->total_ns = (uint64_t)((double)from->total_ns * scale);
    kernel->duration_ns = rl_arena_alloc(&to->arena, (from->duration_count + 1) * sizeof *kernel->duration_ns);
    for (size_t i = 0; i < from->duration_count; i++)
        kernel->duration_ns[i] = (uint64_t)((double)from->duration_ns[i] * scale);
    for (size_t i = 0; i < from->counter_count; i++)
        *rl_capture_add_counter(to, number) = from->counters[i];
    rl_buf_release(&name);
}

static enum rl_status make(const char *path, size_t count, const char *output, struct rl_err *err)
{
    struct rl_capture *capture = NULL;
    enum rl_status status = rl_capture_read(path, &capture, err);
    if (status != RL_OK)
        return status;
    size_t kernels = capture->kernel_count;
    struct rl_kernel *models = capture->kernels;
    if (kernels == 0) {
        rl_capture_free(capture);
        return rl_err_set(err, RL_FORMAT, "'%s' has no kernel to copy", path);
    }
    capture->kernels = NULL;
    capture->kernel_count = capture->kernel_cap = 0;
    capture->variant_count = capture->experiment_count = 0; /* their memory is the arena's, or freed by the process' end */
    for (size_t i = 0; i < count; i++)
        copy_kernel(capture, &models[i % kernels], i);
    status = rl_capture_write(capture, output, err);
    for (size_t i = 0; i < kernels; i++)
        free(models[i].counters);
    free(models);
    rl_capture_free(capture);
    return status;
}

int main(int argc, char **argv)
{
    struct rl_err err = RL_ERR_INIT;
    long count = argc == 4 ? strtol(argv[2], NULL, 10) : 0;
    if (count < 1 || count > 1000000) {
        fprintf(stderr, "usage: large_capture CAPTURE COUNT FILE\n");
        return 2;
    }
    if (make(argv[1], (size_t)count, argv[3], &err) == RL_OK)
        return 0;
    fprintf(stderr, "large_capture: %s\n", err.text);
    return 1;
}
