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

/* No collector has so many; a capture may say what it likes, and what is beyond them counts as one. */
enum { MOST_CLOCKS = 16 };

struct clocks {
    struct clock at[MOST_CLOCKS];
    size_t count;
};

static struct clock *find(struct clocks *clocks, bool of_wholes, const char *name)
{
    for (size_t i = 0; i < clocks->count; i++)
        if (clocks->at[i].of_wholes == of_wholes && strcmp(clocks->at[i].name, name) == 0)
            return &clocks->at[i];
    if (clocks->count == MOST_CLOCKS)
        return &clocks->at[MOST_CLOCKS - 1];
    struct clock *clock = &clocks->at[clocks->count++];
    clock->of_wholes = of_wholes;
    clock->name = name;
    return clock;
}

static void add(struct clock *clock, const uint64_t *duration_ns, size_t count)
{
    double *seconds = rl_seconds_of(duration_ns, count);
    rl_clock_gaps_add(&clock->gaps, seconds, count);
    free(seconds);
}

static void set_step(struct rl_analysis *analysis, struct rl_eval *eval, size_t index, void *clocks)
{
    (void)eval;
    analysis->kernels[index].clock_step_s = find(clocks, false, clock_of_kernel(&analysis->capture->kernels[index]))->step_s;
}

void rl_step_clocks(struct rl_analysis *analysis)
{
    const struct rl_capture *capture = analysis->capture;
    struct clocks *clocks = rl_calloc(1, sizeof *clocks);
    for (size_t i = 0; i < capture->kernel_count; i++)
        add(find(clocks, false, clock_of_kernel(&capture->kernels[i])), capture->kernels[i].duration_ns,
            capture->kernels[i].duration_count);
    for (size_t i = 0; i < capture->variant_count; i++)
        add(find(clocks, true, clock_of_variant(&capture->variants[i])), capture->variants[i].duration_ns,
            capture->variants[i].duration_count);
    for (size_t i = 0; i < clocks->count; i++) {
        const double step = rl_clock_gaps_step(&clocks->at[i].gaps);
        clocks->at[i].step_s = step > 0 ? step : coarsest_s;
    }
    rl_each_kernel(analysis, NULL, set_step, clocks); /* in threads, because results of many kernels are memory that is new */
    for (size_t i = 0; i < capture->variant_count; i++)
        analysis->variants[i].clock_step_s = find(clocks, true, clock_of_variant(&capture->variants[i]))->step_s;
    free(clocks);
}
