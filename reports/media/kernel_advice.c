/* kernel_advice.c - the change that lets an SM hold more blocks of a launch (see kernels.h). */

#include "kernels.h"

/* Parameters of a launch that can be changed. */
enum dimension { REGISTERS, SHARED, THREADS, DIMENSIONS };
static const struct {
    const char *words; /* "40 registers per thread" */
    enum rl_unit unit;
    unsigned limiter;
} dimensions[DIMENSIONS] = {
    [REGISTERS] = {" registers per thread", RL_UNIT_COUNT, RL_LIMIT_REGISTERS},
    [SHARED] = {" of shared memory per block", RL_UNIT_SIZE, RL_LIMIT_SHARED},
    [THREADS] = {" threads per block", RL_UNIT_COUNT, RL_LIMIT_BLOCKS | RL_LIMIT_WARPS},
};

static int64_t value_of(const struct rl_block_shape *shape, enum dimension dimension)
{
    return dimension == REGISTERS ? shape->registers_per_thread
           : dimension == SHARED  ? shape->static_shared_bytes + shape->dynamic_shared_bytes
                                  : shape->threads;
}

static struct rl_value occupancy_with(const struct rl_sm_limits *limits, struct rl_block_shape shape, enum dimension dimension,
                                      int64_t value)
{
    if (dimension == REGISTERS) {
        shape.registers_per_thread = (int)value;
    } else if (dimension == SHARED) {
        shape.static_shared_bytes = 0;
        shape.dynamic_shared_bytes = value;
    } else {
        shape.threads = (int)value;
    }
    return rl_occupancy_of(limits, &shape).fraction;
}

/* The value nearest to the present one that allows more. */
static bool nearest_better(const struct rl_sm_limits *limits, enum dimension dimension, const struct rl_block_shape *shape,
                           int64_t *better, double *occupancy)
{
    const struct {
        int64_t first, last, step;
    } spans[DIMENSIONS] = {[REGISTERS] = {1, limits->max_registers_per_thread, 1},
                           [SHARED] = {0, limits->shared_bytes_per_block, limits->shared_unit},
                           [THREADS] = {limits->warp_size, limits->max_threads_per_block, limits->warp_size}};
    int64_t now = value_of(shape, dimension), best_distance = INT64_MAX;
    double have = rl_occupancy_of(limits, shape).fraction.v;
    for (int64_t v = spans[dimension].first; v <= spans[dimension].last; v += spans[dimension].step) {
        int64_t distance = v > now ? v - now : now - v;
        struct rl_value there = occupancy_with(limits, *shape, dimension, v);
        if (!rl_present(there) || there.v <= have * (1 + 1e-9) || distance >= best_distance)
            continue;
        best_distance = distance;
        *better = v;
        *occupancy = there.v;
    }
    return best_distance < INT64_MAX;
}

/* All blocks of the grid are resident at once: room for more of them changes nothing. */
static bool all_resident(const struct rl_report *report, const struct rl_kernel *kernel, const struct rl_occupancy *now)
{
    const struct rl_value sms = report->capture->gpus[kernel->gpu].fact[RL_FACT_sm_count];
    const double blocks = (double)kernel->grid[0] * kernel->grid[1] * kernel->grid[2];
    return rl_present(sms) && blocks <= sms.v * now->blocks_per_sm;
}

const char *rl_kernel_advice(struct rl_report *report, size_t kernel)
{
    assert(kernel < report->capture->kernel_count);
    const struct rl_kernel *of = &report->capture->kernels[kernel];
    const struct rl_gpu *gpu = &report->capture->gpus[of->gpu];
    const struct rl_sm_limits *limits = rl_sm_limits_of(gpu->cc_major * 10 + gpu->cc_minor);
    struct rl_block_shape shape = rl_block_shape_of(of);
    struct rl_occupancy now = rl_occupancy_of(limits, &shape);
    if (!rl_present(now.fraction) || now.fraction.v >= 1 || all_resident(report, of, &now))
        return "";
    for (enum dimension i = 0; i < DIMENSIONS; i++) {
        int64_t better;
        double occupancy;
        if (!(now.limiters & dimensions[i].limiter) || !nearest_better(limits, i, &shape, &better, &occupancy))
            continue;
        return rl_words(report->doc, "%s%s instead of %s would allow %s.",
                        rl_words_value(report->doc, dimensions[i].unit, rl_value_of((double)better), 4), dimensions[i].words,
                        rl_words_value(report->doc, dimensions[i].unit, rl_value_of((double)value_of(&shape, i)), 4),
                        rl_words_value(report->doc, RL_UNIT_FRACTION, rl_value_of(occupancy), 3));
    }
    return "";
}
