/* busy.c - busy time of a GPU: the union of all activities. They arrive roughly in order, a buffer at a time, so disjoint intervals
 * are kept sorted, and the oldest ones are added up and closed when there are many. */

#include "times.h"

enum { KEPT = 1024, CLOSED_AT_ONCE = KEPT / 2 };

static struct gpu_time {
    struct interval {
        uint64_t start, end;
    } open[KEPT];
    size_t count;
    uint64_t closed_ns, floor; /* time before the floor is already in the totals */
    uint64_t first, last, kernel_ns;
    uint64_t unwatched_ns; /* time between first and last without recording */
    bool used, changed, cut;
} gpus[MOST_GPUS];

/* Merges [start, end) into the sorted, disjoint intervals. */
static void insert(struct gpu_time *gpu, struct interval new)
{
    assume(gpu->count < KEPT && new.start < new.end);
    size_t at = gpu->count;
    while (at > 0 && gpu->open[at - 1].start > new.start)
        at--;
    if (at > 0 && gpu->open[at - 1].end >= new.start)
        at--;
    size_t behind = at;
    while (behind < gpu->count && gpu->open[behind].start <= new.end) {
        new.start = gpu->open[behind].start < new.start ? gpu->open[behind].start : new.start;
        new.end = gpu->open[behind].end > new.end ? gpu->open[behind].end : new.end;
        behind++;
    }
    memmove(gpu->open + at + 1, gpu->open + behind, (gpu->count - behind) * sizeof *gpu->open);
    gpu->open[at] = new;
    gpu->count = gpu->count - (behind - at) + 1;
}

void busy_add(uint32_t index, uint64_t start_ns, uint64_t end_ns, bool kernel)
{
    if (index >= MOST_GPUS || end_ns < start_ns || start_ns == 0)
        return; /* CUPTI reports 0 for an unknown time */
    struct gpu_time *gpu = &gpus[index];
    /* Time from the first to the last activity, including unrecorded time. */
    if (gpu->cut && gpu->used && start_ns > gpu->last)
        gpu->unwatched_ns += start_ns - gpu->last;
    gpu->cut = false;
    gpu->first = !gpu->used || start_ns < gpu->first ? start_ns : gpu->first;
    gpu->last = end_ns > gpu->last ? end_ns : gpu->last;
    gpu->kernel_ns += kernel ? end_ns - start_ns : 0;
    gpu->used = gpu->changed = true;
    if (start_ns < gpu->floor)
        start_ns = gpu->floor;
    if (end_ns <= start_ns)
        return;
    if (gpu->count == KEPT) {
        assume(gpu->count == KEPT);
        for (size_t i = 0; i < CLOSED_AT_ONCE; i++)
            gpu->closed_ns += gpu->open[i].end - gpu->open[i].start;
        gpu->floor = gpu->open[CLOSED_AT_ONCE - 1].end;
        gpu->count -= CLOSED_AT_ONCE;
        memmove(gpu->open, gpu->open + CLOSED_AT_ONCE, gpu->count * sizeof *gpu->open);
    }
    insert(gpu, (struct interval){start_ns, end_ns});
}

struct busy_totals busy_of(uint32_t index)
{
    assume(index < MOST_GPUS);
    const struct gpu_time *gpu = &gpus[index];
    struct busy_totals totals = {gpu->last - gpu->first, gpu->closed_ns, gpu->kernel_ns};
    for (size_t i = 0; i < gpu->count; i++)
        totals.busy_ns += gpu->open[i].end - gpu->open[i].start;
    const uint64_t idle_ns = totals.span_ns - totals.busy_ns; /* late records may lie in unrecorded time */
    totals.span_ns -= gpu->unwatched_ns < idle_ns ? gpu->unwatched_ns : idle_ns;
    return totals;
}

void busy_cut(void)
{
    assume(is_held());
    for (size_t i = 0; i < MOST_GPUS; i++)
        gpus[i].cut = true;
}

void busy_flush(void)
{
    assume(is_held());
    for (uint32_t i = 0; i < MOST_GPUS; i++) {
        if (!gpus[i].changed)
            continue;
        struct busy_totals totals = busy_of(i);
        struct rl_record_busy record = {
            .gpu = i, .span_ns = totals.span_ns, .busy_ns = totals.busy_ns, .kernel_ns = totals.kernel_ns};
        out_add(RL_RECORD_busy, &record, sizeof record, NULL, 0);
        gpus[i].changed = false;
    }
}
