/* program_clocks.c - times of kernels as they would be without tracing.
 *
 * Serial records add a constant, which the process has subtracted (record_cost.h). Concurrent records instrument the code: eight
 * more instructions and one or two accesses to shared memory a warp. What that adds to a kernel depends on what limits it: nothing
 * where DRAM or a pipe does, and where blocks are started faster than they work at most the time in which the schedulers issue it.
 * The bound is MOST_SLOTS issue slots a warp: 7.6 to 10.7 ps a warp were seen on an H200, of 0.96 ps a slot
 * (docs/data/benchmarks-clock.md). Launches of the class that were timed without instrumentation show where between nothing and the
 * bound it lies. */
#include "program_builder.h"

static const double MOST_SLOTS = 12, SCHEDULERS = 4; /* issue slots a warp; schedulers of an SM */
static const double NEGLIGIBLE = 0.002;              /* of a launch's time */
/* To which the constant of serial records is known in a program, of launches up to SHORT_NS and of longer ones: the largest
 * differences to the launch back to back of 67 kernels (docs/data/benchmarks-clock.md). */
static const double SHORT_NS = 15000, SHORT_WITHIN_NS = 700, WITHIN_NS = 1200;
static const double RANGE_NS = 8000; /* a range is this much longer than its kernel */

/* Warps of a launch times the most that instrumentation adds to each. 0: nothing is known of the GPU. */
static double most_added_ns(const struct rl_gpu *gpu, const struct rl_kernel *kernel)
{
    const struct rl_value sms = gpu->fact[RL_FACT_sm_count], clock = gpu->fact[RL_FACT_sm_clock_max_hz];
    if (!rl_present(sms) || !rl_present(clock) || sms.v <= 0 || clock.v <= 0)
        return 0;
    return rl_launch_warps(kernel->grid, kernel->block) * MOST_SLOTS / (sms.v * SCHEDULERS * clock.v) * 1e9;
}

/* Time that instrumentation added to a launch, on average over those that had it. */
static double added_ns(const struct merged *merged, double most_ns)
{
    const uint64_t plain = merged->timed - merged->traced, plain_ns = merged->total_ns - merged->traced_ns;
    const double traced_ns = (double)merged->traced_ns / (double)merged->traced;
    return plain ? fmin(fmax(traced_ns - (double)plain_ns / (double)plain, 0), most_ns) : most_ns / 2;
}

static void shorten(uint64_t *ns, double by_ns)
{
    *ns = (double)*ns > by_ns ? (uint64_t)((double)*ns - by_ns + 0.5) : 0;
}

static void set_clock(struct rl_kernel *kernel, enum rl_clock clock, double cost_ns, double low_ns, double high_ns)
{
    kernel->clock.clock = clock;
    kernel->clock.cost_ns = rl_value_of(cost_ns);
    kernel->clock.cost_low_ns = rl_value_of(fmin(fmax(0, low_ns), cost_ns));
    kernel->clock.cost_high_ns = rl_value_of(fmax(high_ns, cost_ns));
}

static void correct_recorded(const struct rl_gpu *gpu, struct rl_kernel *kernel, struct rl_kernel_use *use,
                             const struct merged *merged)
{
    const double timed = (double)merged->timed, traced = (double)merged->traced, mean_ns = (double)merged->total_ns / timed;
    const double most_ns = most_added_ns(gpu, kernel), plain_ns = (double)merged->cost_ns / timed;
    const double each_ns = merged->traced && most_ns > NEGLIGIBLE * mean_ns ? added_ns(merged, most_ns) : 0;
    shorten(&kernel->total_ns, each_ns * traced);
    if (each_ns > 0) {
        /* Samples of the class that were taken by instrumented launches lose what it added; which these are is known by their
         * times. */
        const double share = (double)merged->traced / (double)merged->timed;
        for (size_t i = 0; i < kernel->duration_count && share > 0.5; i++)
            shorten(&kernel->duration_ns[i], each_ns);
        if (share > 0.5) /* the shortest of both kinds is one that was not instrumented */
            shorten(&use->max_ns, each_ns);
        if (merged->traced == merged->timed)
            shorten(&use->min_ns, each_ns);
        use->min_ns = use->min_ns < use->max_ns ? use->min_ns : use->max_ns;
    }
    const double within_ns =
        merged->traced < merged->timed ? (mean_ns <= SHORT_NS ? SHORT_WITHIN_NS : WITHIN_NS) * (1 - traced / timed) : 0;
    set_clock(kernel,
              !merged->traced                   ? RL_CLOCK_SERIAL
              : merged->traced == merged->timed ? RL_CLOCK_CONCURRENT
                                                : RL_CLOCK_BOTH,
              plain_ns + each_ns * traced / timed, plain_ns - within_ns, plain_ns + within_ns + most_ns * traced / timed);
}

double rl_counted_value(const struct rl_stream_pass *pass, const double *values, const char *name)
{
    const size_t at = RL_FIRST(c, pass->is.counter_count, strcmp(pass->counters[c], name) == 0);
    return at < pass->is.counter_count ? values[at] : NAN;
}

/* How long a counted launch took: as long as its busiest SM was active, and to start; at most as long as the range around it. */
static bool time_counted(const struct rl_stream_pass *pass, const double *values, double *own_ns, double *range_ns)
{
    *own_ns = rl_counted_value(pass, values, "sm__cycles_active.max") /
                  rl_counted_value(pass, values, "sm__cycles_elapsed.avg.per_second") * 1e9 +
              RL_KERNEL_START_NS;
    *range_ns = rl_counted_value(pass, values, "gpu__time_duration.sum");
    return isfinite(*own_ns) && isfinite(*range_ns) && *own_ns > 0 && *range_ns >= *own_ns;
}

void rl_builder_correct_times(struct builder *b, struct rl_kernel *kernel, struct rl_kernel_use *use, const struct merged *merged)
{
    assert(merged->traced <= merged->timed);
    if (merged->timed)
        correct_recorded(&b->capture->gpus[kernel->gpu], kernel, use, merged);
    else {
        double *own = NULL, *range = NULL;
        size_t count = 0, own_cap = 0, range_cap = 0;
        for (size_t p = 0; p < merged->part_count; p++)
            for (size_t i = 0; i < merged->parts[p].class->counted_count && merged->parts[p].stream->hello.run == 0; i++) {
                const struct rl_stream_counted *counted = &merged->parts[p].class->counted[i];
                double own_ns, range_ns;
                if (!rl_merged_has(merged, p, i) ||
                    !time_counted(&merged->parts[p].stream->passes[counted->pass], counted->values, &own_ns, &range_ns))
                    continue;
                RL_GROW(own, count + 1, own_cap);
                RL_GROW(range, count + 1, range_cap);
                own[count] = own_ns;
                range[count++] = range_ns;
            }
        if (count) {
            kernel->timing = rl_capture_text(b->capture, RL_TIMING_COUNTERS);
            kernel->duration_ns = rl_arena_alloc(&b->capture->arena, count * sizeof *kernel->duration_ns);
            for (size_t i = 0; i < count; i++)
                kernel->duration_ns[kernel->duration_count++] = (uint64_t)(own[i] + 0.5);
            const double each_ns = rl_stats_of(own, count).median, cost_ns = rl_stats_of(range, count).median - each_ns;
            kernel->total_ns = (uint64_t)(each_ns * (double)merged->seen);
            set_clock(kernel, RL_CLOCK_COUNTERS, cost_ns, fmin(RANGE_NS, cost_ns), cost_ns);
        }
        RL_FREE(own, range);
    }
}
