/* clocks_read.c - which clocks took the times of a capture, and how long their steps are. */
#include <stdlib.h>
#include <string.h>

#include "clock_step.h"
#include "core/mem.h"
#include "internal.h"

/* When all times are equal the step of the clock is unknown: that of CUDA's events ("a resolution of around 0.5 microseconds",
 * CUDA Runtime API, cudaEventElapsedTime), the coarsest of those that time kernels. */
static const double coarsest_s = 0.5e-6;

/* How something was timed; what has the same text here was timed by one clock. */
static const char *clock_of_kernel(const struct rl_kernel *kernel)
{
    return kernel->timing ? kernel->timing : "";
}

static const char *clock_of_variant(const struct rl_variant *variant)
{
    return variant->measure ? variant->measure : "";
}

struct clock {
    bool of_wholes; /* of runs of the suite that are timed as a whole */
    const char *name;
    struct rl_gaps gaps;
    double step_s;
};

struct clocks {
    struct clock *at;
    size_t count, cap;
};

static struct clock *find(struct clocks *clocks, bool of_wholes, const char *name)
{
    for (size_t i = 0; i < clocks->count; i++)
        if (clocks->at[i].of_wholes == of_wholes && strcmp(clocks->at[i].name, name) == 0)
            return &clocks->at[i];
    RL_GROW(clocks->at, clocks->count + 1, clocks->cap);
    clocks->at[clocks->count] = (struct clock){.of_wholes = of_wholes, .name = name};
    return &clocks->at[clocks->count++];
}

static void add(struct clock *clock, const uint64_t *duration_ns, size_t count)
{
    double *seconds = rl_calloc(count, sizeof *seconds);
    for (size_t i = 0; i < count; i++)
        seconds[i] = (double)duration_ns[i] / 1e9;
    rl_gaps_add(&clock->gaps, seconds, count);
    free(seconds);
}

void rl_step_clocks(struct rl_analysis *analysis)
{
    const struct rl_capture *capture = analysis->capture;
    struct clocks clocks = {NULL, 0, 0};

    for (size_t i = 0; i < capture->kernel_count; i++)
        add(find(&clocks, false, clock_of_kernel(&capture->kernels[i])), capture->kernels[i].duration_ns,
            capture->kernels[i].duration_count);
    for (size_t i = 0; i < capture->variant_count; i++)
        add(find(&clocks, true, clock_of_variant(&capture->variants[i])), capture->variants[i].duration_ns,
            capture->variants[i].duration_count);
    for (size_t i = 0; i < clocks.count; i++) {
        const double step = rl_gaps_step(&clocks.at[i].gaps);
        clocks.at[i].step_s = step > 0 ? step : coarsest_s;
    }
    for (size_t i = 0; i < capture->kernel_count; i++)
        analysis->kernels[i].clock_step_s = find(&clocks, false, clock_of_kernel(&capture->kernels[i]))->step_s;
    for (size_t i = 0; i < capture->variant_count; i++)
        analysis->variants[i].clock_step_s = find(&clocks, true, clock_of_variant(&capture->variants[i]))->step_s;
    free(clocks.at);
}
