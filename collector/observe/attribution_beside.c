/* attribution_beside.c - how much of the time of each class's launches another launch ran as well (attribution_parts.h). */
#include <assert.h>
#include <stdlib.h>

#include "attribution_parts.h"
#include "core/mem.h"
#include "core/sort.h"

struct end {
    uint64_t ns;
    size_t launch;
};

static int compare_ends(const void *a, const void *b)
{
    const struct end *x = a, *y = b;
    return rl_ascending(x->ns, y->ns);
}

/* The time in which two launches or more have run, until the moment that was come to. */
struct clock {
    uint64_t now_ns, beside_ns;
    size_t running;
};

static void go_to(struct clock *clock, uint64_t ns)
{
    assert(ns >= clock->now_ns);
    clock->beside_ns += clock->running >= 2 ? ns - clock->now_ns : 0;
    clock->now_ns = ns;
}

void rl_find_beside(const struct rl_sampled *sampled, double *beside)
{
    const size_t count = sampled->launch_count;
    struct end *ends = rl_calloc(count, sizeof *ends);
    uint64_t *from = rl_calloc(count, sizeof *from); /* beside_ns at the start of each launch */
    double *all = rl_calloc(sampled->class_count, sizeof *all);
    struct clock clock = {0};
    for (size_t i = 0; i < count; i++)
        ends[i] = (struct end){sampled->launches[i].end_ns, i};
    rl_sort(ends, count, sizeof *ends, compare_ends);
    for (size_t next = 0, done = 0; done < count;) {
        if (next < count && sampled->launches[next].start_ns <= ends[done].ns) {
            go_to(&clock, sampled->launches[next].start_ns);
            from[next++] = clock.beside_ns;
            clock.running++;
            continue;
        }
        const struct rl_span *launch = &sampled->launches[ends[done].launch];
        go_to(&clock, ends[done].ns);
        beside[launch->class_id] += (double)(clock.beside_ns - from[ends[done++].launch]);
        all[launch->class_id] += (double)(launch->end_ns - launch->start_ns);
        clock.running--;
    }
    for (size_t k = 0; k < sampled->class_count; k++)
        beside[k] = all[k] > 0 ? beside[k] / all[k] : 0;
    free(all);
    free(from);
    free(ends);
}
