/* program_together.c - classes of one kernel of which nothing is told alone, asked for together (program_together.h). */
#include "program_together.h"

#include <assert.h>
#include <stdlib.h>

#include "core/mem.h"
#include "core/sort.h"

/* A class of which launches were in samples and nothing is told. */
struct untold {
    const struct rl_kernel *kernel;
    size_t class_id;
};

static bool is_untold(const struct rl_attribution *found, size_t counters, size_t k)
{
    bool untold = found->launches[k] > 0;
    for (size_t c = 0; c < counters; c++)
        untold = untold && found->of[k * counters + c].state == RL_ATTRIBUTED_NOT;
    return untold;
}

static int compare_kernels(const void *a, const void *b)
{
    const struct untold *x = a, *y = b;
    return rl_ascending(x->kernel->gpu, y->kernel->gpu) ?: rl_ascending(x->kernel->mangled, y->kernel->mangled);
}

/* Fills for each class the least of those that it is asked for with; itself: it is asked for alone, as before. Keeps only those
 * that are asked for with others; how many these are. */
static size_t find_groups(struct untold *untold, size_t count, size_t class_count, size_t *with)
{
    size_t kept = 0;
    for (size_t k = 0; k < class_count; k++)
        with[k] = k;
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && compare_kernels(&untold[from], &untold[to]) == 0; to++)
            with[untold[to].class_id] = untold[from].class_id;
        for (size_t i = from; i < to && to > from + 1; i++)
            untold[kept++] = untold[i];
    }
    return kept;
}

/* Shares the samples out to the classes that `with` makes of them. */
static enum rl_status ask(const struct rl_sampled *sampled, const size_t *with, struct rl_attribution *joint)
{
    struct rl_sampled asked = *sampled;
    struct rl_span *launches = rl_calloc(sampled->launch_count + 1, sizeof *launches);
    double *made = rl_calloc(sampled->class_count + 1, sizeof *made);
    for (size_t i = 0; i < sampled->launch_count; i++) {
        launches[i] = sampled->launches[i];
        launches[i].class_id = (uint32_t)with[launches[i].class_id];
    }
    for (size_t k = 0; sampled->made && k < sampled->class_count; k++)
        made[with[k]] += sampled->made[k];
    asked.launches = launches;
    asked.sums = true;
    asked.made = sampled->made ? made : NULL;
    const enum rl_status status = rl_attribute(&asked, joint, NULL);
    free(made);
    free(launches);
    return status;
}

/* Tells each class what is known of those that it was asked for with. */
static void take_values(const struct rl_attribution *joint, const struct untold *untold, size_t count, const size_t *with,
                        size_t counters, struct rl_attribution *found)
{
    for (size_t i = 0; i < count; i++) {
        const size_t k = untold[i].class_id, least = with[k];
        for (size_t c = 0; c < counters; c++) {
            const struct rl_attributed *of = &joint->of[least * counters + c];
            if (of->state == RL_ATTRIBUTED_ALONE)
                found->of[k * counters + c] = (struct rl_attributed){.state = RL_ATTRIBUTED_GROUP,
                                                                     .group = least,
                                                                     .group_total = of->group_total,
                                                                     .group_half_width = of->group_half_width};
        }
    }
}

void rl_tell_together(const struct rl_sampled *sampled, const struct rl_kernel *kernels, size_t kernel_count,
                      struct rl_attribution *found)
{
    struct rl_attribution joint;
    struct untold *untold = rl_calloc(kernel_count + 1, sizeof *untold);
    size_t *with = rl_calloc(sampled->class_count + 1, sizeof *with), count = 0;
    assert(kernel_count <= sampled->class_count);
    for (size_t k = 0; k < kernel_count; k++)
        if (is_untold(found, sampled->counter_count, k))
            untold[count++] = (struct untold){&kernels[k], k};
    if (count)
        rl_sort(untold, count, sizeof *untold, compare_kernels);
    count = find_groups(untold, count, sampled->class_count, with);
    if (count) {
        if (ask(sampled, with, &joint) == RL_OK)
            take_values(&joint, untold, count, with, sampled->counter_count, found);
        rl_attribution_release(&joint);
    }
    free(with);
    free(untold);
}
