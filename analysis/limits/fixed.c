/* fixed.c - time that does not grow with the work, from a longer launch of the same code (see limits.h). */
#include "limits_decide.h"

/* Below this share of its roof in both launches a resource explains neither time. */
static const double least_used = 0.1;
/* With less more work a lower clock of the shorter launch would look like time that does not grow. */
static const double least_growth = 2;
/* Work that grows by so many times more at one resource than at another is other work, as with another access pattern. */
static const double most_unlike = 2;
/* Of the time of a launch that starts and drains for most of it. */
static const double most_of_time = 0.5;

struct launch {
    const struct rl_kernel *kernel;
    struct rl_kernel_result *result;
};

/* Whether times and counters are of the same launches, each known by itself. */
static bool is_told(const struct rl_analysis *analysis, const struct rl_kernel_result *result)
{
    return result->duration.has_interval && result->duration.low > 0 && !result->wrong && !result->disagrees && !result->broken &&
           rl_has_counters(&analysis->capture->kernels[result->kernel]) && rl_present(result->limits.of[RL_RESOURCE_issue].share);
}

/* Launches of the same code and blocks, the longest first. */
#define CODE(x, y)                                                                                                                 \
    rl_ascending(x->kernel->gpu, y->kernel->gpu) ?: rl_ascending(x->kernel->name, y->kernel->name)                                 \
    ?: rl_ascending(x->kernel->block[0], y->kernel->block[0]) ?: rl_ascending(x->kernel->block[1], y->kernel->block[1])            \
    ?: rl_ascending(x->kernel->block[2], y->kernel->block[2])                                                                      \
    ?: rl_ascending(x->kernel->dynamic_shared_bytes, y->kernel->dynamic_shared_bytes)
RL_COMPARATOR(by_code, struct launch, CODE(x, y) ?: rl_descending(x->result->duration.median, y->result->duration.median)
              ?: rl_ascending(x->result->kernel, y->result->kernel));

static bool is_same_code(const struct launch *x, const struct launch *y)
{
    return (CODE(x, y)) == 0;
}

/* Waves of blocks, of which the last counts whole; 0: unknown. */
static double waves_of(const struct rl_analysis *analysis, const struct launch *launch)
{
    const struct rl_value sms = analysis->capture->gpus[launch->kernel->gpu].fact[RL_FACT_sm_count];
    const double slots = rl_present(sms) ? launch->result->occupancy.blocks_per_sm * sms.v : 0;
    const uint32_t *grid = launch->kernel->grid;
    return slots > 0 ? ceil((double)grid[0] * grid[1] * grid[2] / slots) : 0;
}

/* How many times as much work the longer launch has, of the resource whose work grows least and of the one whose work grows most.
 * Instructions are always among it, because they say how much the code has done. Starting blocks is no work here: it is the start.
 * Blocks of another grid that fit at once take no longer than one. */
static void growth_of(const struct rl_analysis *analysis, const struct launch *launch, const struct launch *longer,
                      struct rl_fixed *fixed)
{
    bool any = false;
    fixed->least = INFINITY;
    fixed->most = 0;
    for (size_t i = 0; i < RL_RESOURCE_COUNT; i++) {
        const struct rl_limit *one = &launch->result->limits.of[i], *other = &longer->result->limits.of[i];
        const bool is_used =
            (rl_present(one->share) && one->share.v >= least_used) || (rl_present(other->share) && other->share.v >= least_used);
        if (i == RL_RESOURCE_dispatch || !(is_used || i == RL_RESOURCE_issue))
            continue;
        const struct rl_value times = rl_value_div(other->time_s, one->time_s, "no work");
        fixed->least = fmin(fixed->least, rl_present(times) ? times.v : 0);
        fixed->most = fmax(fixed->most, rl_present(times) ? times.v : 0);
        any |= is_used;
    }
    if (!any) /* it waits for something else than work */
        fixed->least = 0;
    if (memcmp(launch->kernel->grid, longer->kernel->grid, sizeof launch->kernel->grid) != 0) {
        const double waves = waves_of(analysis, launch);
        const double times = waves > 0 ? waves_of(analysis, longer) / waves : 0;
        fixed->least = fmin(fixed->least, times);
        fixed->most = fmax(fixed->most, times);
    }
}

/* The time is a + b x work with no negative part, so that `a` follows from the two times; its interval from those of the times and
 * from how much more work there is. NULL: it may be less than most of the time. */
static const struct rl_fixed *fixed_of(struct rl_analysis *analysis, const struct launch *launch, const struct launch *longer)
{
    const struct rl_stats *time = &launch->result->duration, *long_time = &longer->result->duration;
    struct rl_fixed fixed = {.longer = longer->result->kernel};
    growth_of(analysis, launch, longer, &fixed);
    if (fixed.least < least_growth || fixed.most > most_unlike * fixed.least)
        return NULL;
    fixed.low = (fixed.least * time->low - long_time->high) / (fixed.least - 1) / time->median;
    fixed.high = fmin(1, (fixed.most * time->high - long_time->low) / (fixed.most - 1) / time->median);
    if (fixed.low <= most_of_time)
        return NULL;
    struct rl_fixed *kept = rl_arena_alloc(&analysis->arena, sizeof *kept);
    *kept = fixed;
    return kept;
}

void rl_fixed_times(struct rl_analysis *analysis, struct rl_eval *eval)
{
    RL_FREED struct launch *launches = rl_calloc(analysis->capture->kernel_count, sizeof *launches);
    size_t count = 0;
    for (size_t i = 0; i < analysis->capture->kernel_count; i++)
        if (is_told(analysis, &analysis->kernels[i]))
            launches[count++] = (struct launch){&analysis->capture->kernels[i], &analysis->kernels[i]};
    rl_sort(launches, count, sizeof *launches, by_code);
    for (size_t longest = 0, i = 1; i < count; i++) {
        if (!is_same_code(&launches[longest], &launches[i])) {
            longest = i;
            continue;
        }
        struct rl_kernel_result *result = launches[i].result;
        result->limits.fixed = fixed_of(analysis, &launches[i], &launches[longest]);
        if (!result->limits.fixed)
            continue;
        rl_eval_focus(eval, RL_NONE, result->kernel);
        rl_limiting_decide(analysis, eval, result);
    }
}
