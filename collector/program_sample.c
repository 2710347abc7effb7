/* program_sample.c - the child that samples the GPU of an observed program, from its first use on (program_parts.h). */
#include <assert.h>
#include <string.h>

#include "program_parts.h"

static const uint64_t INTERVAL_NS = 20000;

/* The first GPU that a process of the timed run has told of, with a UUID. */
static bool find_first(const struct program *p, uint8_t uuid[16])
{
    static const uint8_t none[16];
    size_t count = 0;
    struct rl_stream *const *streams = rl_receiver_streams(p->receiver, &count);
    for (size_t s = 0; s < count; s++)
        for (size_t g = 0; g < RL_STREAM_MOST_GPUS; g++)
            if (streams[s]->gpus[g].known && memcmp(streams[s]->gpus[g].is.uuid, none, sizeof none) != 0) {
                memcpy(uuid, streams[s]->gpus[g].is.uuid, sizeof none);
                return true;
            }
    return false;
}

static void begin(struct program *p)
{
    uint8_t uuid[16];
    struct rl_err err = RL_ERR_INIT;
    rl_receiver_lock(p->receiver);
    const bool found = find_first(p, uuid);
    rl_receiver_unlock(p->receiver);
    if (!found)
        return;
    p->sampling_begun = true;
    p->facts.sampling = &p->sampling;
    const enum rl_status status = rl_sampling_start(&p->sampling, uuid, INTERVAL_NS, rl_sampling_open, &err);
    if (status != RL_OK)
        p->sampling.status = rl_err_set(&p->sampling.failure, status, "%s", err.text);
}

void rl_program_sample(struct program *p)
{
    assert(p->receiver);
    if (p->options->sample_gpu && !p->sampling_begun)
        begin(p);
    if (p->sampling_begun)
        rl_sampling_take(&p->sampling);
}

int rl_program_sample_fd(const struct program *p)
{
    return p->sampling_begun && !p->sampling.ended && p->sampling.status == RL_OK ? p->sampling.child.fd : -1;
}

void rl_program_sample_end(struct program *p)
{
    if (p->sampling_begun)
        rl_sampling_stop(&p->sampling);
}
