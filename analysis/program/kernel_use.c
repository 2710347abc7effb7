/* kernel_use.c - what a capture of a program says of its kernels and processes: ids, times, ranks. */
#include "core/kernel_names.h"
#include "internal.h"

bool rl_is_program(const struct rl_capture *capture)
{
    return capture->process_count > 0;
}

bool rl_has_ranks(const struct rl_capture *capture)
{
    const char *first = NULL;
    for (size_t i = 0; i < capture->process_count; i++) {
        const char *rank = capture->processes[i].rank;
        if (rank && first && strcmp(rank, first) != 0)
            return true;
        first = first ? first : rank;
    }
    return false;
}

bool rl_is_collective(const struct rl_kernel *kernel)
{
    return rl_is_collective_name(kernel->name);
}

const char *rl_uncounted_reason(const struct rl_capture *capture, size_t kernel)
{
    const struct rl_kernel_use *use = rl_kernel_use_of(capture, kernel);
    return !use || !use->uncounted ? NULL
           : rl_is_collective(&capture->kernels[kernel])
               ? "a collective kernel waits for its peers: it is never delayed or repeated, and no option counts it"
               : use->uncounted;
}

const char *rl_remedy_of_session(const struct rl_capture *capture)
{
    return strcmp(capture->session.source, "collect") != 0                             ? "no option counts them"
           : strcmp(capture->session.counters, rl_state_reason(RL_NOT_COLLECTED)) == 0 ? "collect counts them"
                                                                                       : "rooflight doctor has the remedy";
}

const char *rl_uncounted_remedy(const struct rl_capture *capture, const char *reason)
{
    return strcmp(reason, capture->session.counters) == 0 ? rl_remedy_of_session(capture) : NULL;
}

/* FNV-1a of a name and the numbers behind it; 25 bits of it as five digits of base 32, without letters that look like others
 * (Crockford). */
static void id_of(char letter, const struct rl_kernel *kernel, const uint64_t *numbers, size_t count, char id[RL_KERNEL_ID])
{
    static const char digits[] = "0123456789abcdefghjkmnpqrstvwxyz";
    uint64_t hash = UINT64_C(14695981039346656037);
    for (const char *c = kernel->mangled ? kernel->mangled : kernel->name; *c; c++)
        hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
    if (letter == 'k' && kernel->nvtx) /* the variant of the suite, or the run of imported output */
        for (const char *c = kernel->nvtx; *c; c++)
            hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ numbers[i]) * UINT64_C(1099511628211);
    hash ^= hash >> 29; /* the upper bits of FNV are the better ones */
    id[0] = letter;
    for (size_t i = 0; i < 5; i++)
        id[1 + i] = digits[hash >> 5 * i & 31];
    id[6] = 0;
}

void rl_kernel_id(const struct rl_kernel *kernel, char id[RL_KERNEL_ID])
{
    const uint64_t shape[] = {kernel->grid[0],
                              kernel->grid[1],
                              kernel->grid[2],
                              kernel->block[0],
                              kernel->block[1],
                              kernel->block[2],
                              kernel->dynamic_shared_bytes,
                              kernel->population.number,
                              kernel->population.total};
    const size_t whole = RL_COUNT(shape) - 2;
    id_of('k', kernel, shape, kernel->population.total ? RL_COUNT(shape) : whole, id);
}

void rl_family_id(const struct rl_kernel *kernel, char id[RL_KERNEL_ID])
{
    id_of('f', kernel, NULL, 0, id);
}

RL_COMPARATOR(compare_uses, struct rl_kernel_use, rl_ascending(x->kernel, y->kernel));

/* Where each class has one, each stands at its class's place. */
const struct rl_kernel_use *rl_kernel_use_of(const struct rl_capture *capture, size_t kernel)
{
    if (kernel < capture->use_count && capture->uses[kernel].kernel == kernel)
        return &capture->uses[kernel];
    const struct rl_kernel_use key = {.kernel = kernel};
    return capture->use_count ? bsearch(&key, capture->uses, capture->use_count, sizeof key, compare_uses) : NULL;
}

bool rl_samples_in_order(const struct rl_capture *capture, size_t kernel)
{
    assert(kernel < capture->kernel_count);
    const struct rl_kernel_use *use = rl_kernel_use_of(capture, kernel);
    const struct rl_kernel *of = &capture->kernels[kernel];
    return !use || use->timed <= of->duration_count || (of->timing && strcmp(of->timing, RL_TIMING_IN_ORDER) == 0);
}
