/* kernel_facts.c - what a capture says of a kernel, as numbers, and what follows from a few of them. */
#include "internal.h"

/* An empty kernel takes longer than this on any GPU, by the GPU's own clock. */
static const double least_launch_s = 0.5e-6;

double *rl_seconds_of(const uint64_t *duration_ns, size_t count)
{
    double *seconds = rl_calloc(count, sizeof *seconds);
    for (size_t i = 0; i < count; i++)
        seconds[i] = (double)duration_ns[i] / 1e9;
    return seconds;
}

/* A number of the capture as an int: -1 when it is missing or no such number. */
static int64_t whole(struct rl_value value)
{
    return rl_present(value) && value.v >= 0 && value.v <= INT_MAX ? (int64_t)value.v : -1;
}

struct rl_block_shape rl_block_shape_of(const struct rl_kernel *kernel)
{
    const double threads = (double)kernel->block[0] * kernel->block[1] * kernel->block[2];
    return (struct rl_block_shape){
        .threads = threads <= INT_MAX ? (int)threads : INT_MAX,
        .registers_per_thread = (int)whole(kernel->registers_per_thread),
        .static_shared_bytes = whole(kernel->static_shared_bytes),
        .dynamic_shared_bytes = kernel->dynamic_shared_bytes <= INT_MAX ? (int64_t)kernel->dynamic_shared_bytes : INT_MAX,
    };
}

bool rl_is_below_every_roof(struct rl_value roof_time_s)
{
    return rl_present(roof_time_s) && roof_time_s.v < least_launch_s;
}

const struct rl_kernel_result *rl_analysis_of_variant(const struct rl_analysis *analysis, size_t variant)
{
    const size_t *kernels;
    return rl_group(&analysis->index.kernels_of_variant, variant, &kernels) ? &analysis->kernels[kernels[0]] : NULL;
}

/* Kernels of variants that are timed as a whole, by the host's clock or the timeline, are not counted one by one. */
static bool to_be_counted(const struct rl_eval *eval, const struct rl_kernel *kernel)
{
    return kernel->variant == RL_NONE || !eval->capture->variants[kernel->variant].duration_count;
}

bool rl_lacks_counters(const struct rl_eval *eval, const struct rl_kernel *kernel)
{
    const bool sampled = rl_is_sampled(eval->capture, (size_t)(kernel - eval->capture->kernels));
    return to_be_counted(eval, kernel) && !rl_has_counters(kernel) && !sampled;
}

/* In a program the classes with the shortest time, 1 % together, are left out on purpose. */
static bool is_left_out(double lacking_ns, double all_ns)
{
    static const double LEAST = 0.01;
    return all_ns > 0 && lacking_ns <= LEAST * all_ns;
}

struct rl_value rl_kernels_to_count(const struct rl_eval *eval, bool uncounted_only)
{
    const size_t *kernels, all = rl_group(&eval->analysis->index.kernels_of_gpu, eval->gpu, &kernels);
    double count = 0, of_program = 0, lacking_ns = 0, all_ns = 0;
    for (size_t i = 0; i < all; i++) {
        const struct rl_kernel *kernel = &eval->capture->kernels[kernels[i]];
        const bool counts = uncounted_only ? rl_lacks_counters(eval, kernel) : to_be_counted(eval, kernel);
        count += counts;
        if (kernel->variant != RL_NONE)
            continue;
        of_program += counts;
        all_ns += (double)kernel->total_ns;
        lacking_ns += counts ? (double)kernel->total_ns : 0;
    }
    return rl_value_of(uncounted_only && is_left_out(lacking_ns, all_ns) ? count - of_program : count);
}
