/* spans.c - when each single launch ran, for whoever samples the GPU meanwhile. They are sent in batches. Where there is no room
 * for a batch it is dropped, and what it spans is sent later: other records need the room more. */

#include "times.h"

static struct spans {
    struct {
        struct rl_record_launches record;
        struct rl_stream_launch launches[RL_STREAM_MOST_LAUNCHES];
    } * batch; /* allocated with the first launch */
    uint32_t count;
    uint64_t last_ns; /* end of the latest launch */
    uint64_t missing_from_ns, missing_to_ns;
    bool cut;
} gpus[MOST_GPUS];

static void miss(struct spans *spans, uint64_t from_ns, uint64_t to_ns)
{
    if (from_ns >= to_ns)
        return;
    const bool first = spans->missing_from_ns == spans->missing_to_ns;
    spans->missing_from_ns = first || from_ns < spans->missing_from_ns ? from_ns : spans->missing_from_ns;
    spans->missing_to_ns = first || to_ns > spans->missing_to_ns ? to_ns : spans->missing_to_ns;
}

static void tell(uint32_t gpu)
{
    struct spans *spans = &gpus[gpu];
    const size_t bytes = spans->count * sizeof *spans->batch->launches;
    if (spans->count && !out_has_room(sizeof spans->batch->record + bytes)) {
        for (uint32_t i = 0; i < spans->count; i++) {
            const struct rl_stream_launch *launch = &spans->batch->launches[i];
            miss(spans, launch->start_ns, launch->start_ns + rl_stream_launch_ns(launch) + 1);
        }
        spans->count = 0;
    }
    const bool some = spans->count || (spans->missing_from_ns < spans->missing_to_ns && atomic_load(&ending));
    if (!some)
        return;
    spans->batch->record = (struct rl_record_launches){
        .gpu = gpu, .launch_count = spans->count, .missing_from_ns = spans->missing_from_ns, .missing_to_ns = spans->missing_to_ns};
    out_add(RL_RECORD_launches, spans->batch, sizeof spans->batch->record + spans->count * sizeof *spans->batch->launches, NULL, 0);
    spans->count = 0;
    spans->missing_from_ns = spans->missing_to_ns = 0;
}

/* The GPU's, with a batch to fill; NULL: there is none. */
static struct spans *spans_of(uint32_t gpu)
{
    struct spans *spans = settings.launches && gpu < MOST_GPUS ? &gpus[gpu] : NULL;
    if (spans && !spans->batch)
        spans->batch = keep(sizeof *spans->batch);
    return spans && spans->batch ? spans : NULL;
}

void spans_add(uint32_t gpu, uint32_t class_id, bool traced, uint64_t start_ns, uint64_t end_ns)
{
    assume(is_held());
    struct spans *spans = spans_of(gpu);
    if (!spans)
        return;
    if (start_ns == 0 || end_ns < start_ns) { /* CUPTI reports 0 for an unknown time */
        spans->cut = true;
        return;
    }
    if (spans->cut)
        miss(spans, spans->last_ns ? spans->last_ns : 1, start_ns);
    spans->cut = false;
    spans->last_ns = end_ns > spans->last_ns ? end_ns : spans->last_ns;
    if (spans->count == RL_STREAM_MOST_LAUNCHES)
        tell(gpu);
    spans->batch->launches[spans->count++] = rl_stream_launch_of(class_id, traced, start_ns, end_ns - start_ns);
}

void spans_cut(void)
{
    assume(is_held());
    for (size_t i = 0; i < MOST_GPUS; i++)
        gpus[i].cut = true;
}

void spans_flush(void)
{
    assume(is_held());
    for (uint32_t i = 0; i < MOST_GPUS; i++)
        if (gpus[i].batch)
            tell(i);
}

bool spans_missing(uint32_t gpu, uint64_t *from_ns, uint64_t *to_ns)
{
    assume(gpu < MOST_GPUS);
    *from_ns = gpus[gpu].missing_from_ns;
    *to_ns = gpus[gpu].missing_to_ns;
    return *from_ns < *to_ns;
}
