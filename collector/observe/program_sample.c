/* program_sample.c - the child that samples the GPU of an observed program, from its first use on (program_parts.h). */
#include "program_parts.h"

/* Finds the device by its UUID and opens the sampler; without one it gets ready for the first device, and opens it where there is
 * no other. Errors as rl_pm_prepare. */
static enum rl_status sampling_open(struct rl_pm_sampler *sampler, const uint8_t uuid[16], uint64_t interval_ns, struct rl_err *err)
{
    size_t device = 0;
    if (!uuid) {
        const enum rl_status prepared = rl_pm_prepare(sampler, device, interval_ns, err);
        return prepared == RL_OK && rl_pm_is_only_device() ? rl_pm_enable(sampler, err) : prepared;
    }
    enum rl_status status = rl_pm_find_device(uuid, &device, err);
    if (status == RL_OK && sampler->image && sampler->device == device)
        return RL_OK;
    if (status == RL_OK && !(sampler->config.image && !sampler->object && sampler->device == device)) {
        rl_pm_close(sampler);
        status = rl_pm_prepare(sampler, device, interval_ns, err);
    }
    return status == RL_OK ? rl_pm_enable(sampler, err) : status;
}

static const uint64_t INTERVAL_NS = 20000;
/* Before the program's own processes may have the counters again its GPU is sampled for so long, in so many windows; no process
 * waits for these beyond the last. Of kernels of graphs there is nothing but samples; for others exact counters are worth more. */
static const struct turn {
    size_t windows;
    double least_s, latest_s;
} turn_of_graphs = {8, 4, 60}, turn_of_others = {3, 0, 1};
/* A child that has said nothing for so long, though it was given a GPU or has opened a window, hangs. */
static const double SILENT_S = 3;

bool rl_program_counts_in_first(const struct rl_program_options *options)
{
    return options->replay == RL_REPLAY_ROTATE && options->budget && !options->pc_sampling;
}

/* The first GPU that a process of the timed run has reported, with a UUID. Under the receiver's lock. */
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

/* A short program is counted, and over before samples would say more; what graphs launch no window counts. */
static bool is_worth_it(const struct program *p)
{
    static const double SHORT_S = 2;
    return rl_seconds_since(p->run_ns) >= SHORT_S || rl_receiver_has_graphs(p->receiver);
}

/* Processes that count come first: they say when they have nothing left to count, and only then the counters are the child's. */
static bool may_begin(struct program *p)
{
    const bool counts = rl_program_counts_in_first(p->options) && p->options->sample_gpu == RL_SAMPLE_FIRST;
    if (counts && !(rl_receiver_has_counted(p->receiver) && is_worth_it(p)))
        return false;
    /* Whether a process of the program has begun with CUDA. Under the receiver's lock. */
    size_t count = 0;
    (void)rl_receiver_streams(p->receiver, &count);
    return count > 0 && (!counts || rl_receiver_borrow_counters(p->receiver));
}

static bool is_silent(const struct program *p)
{
    return rl_seconds_since(p->told_ns > p->sampling.heard_ns ? p->told_ns : p->sampling.heard_ns) >= SILENT_S;
}

/* Whether nothing more comes from the child: it has failed, or hangs in a window. */
static bool is_lost(const struct program *p)
{
    return p->sampling.status != RL_OK || (p->sampling.opened > p->sampling.samples.windows && is_silent(p));
}

/* Whether the child has sampled for long enough, or never will. One that takes long to begin may go on until a process wants the
 * counters. */
static bool has_enough(const struct program *p)
{
    if (is_lost(p) || !p->sampling.told || (!p->sampling.counter_count && is_silent(p)))
        return true;
    const struct turn *turn = rl_receiver_has_graphs(p->receiver) ? &turn_of_graphs : &turn_of_others;
    return rl_seconds_since(p->told_ns) >= (p->sampling.samples.windows >= turn->windows ? turn->least_s : turn->latest_s);
}

/* When a process of the program wants the counters again the child ends, once it has sampled for long enough (at once where the
 * program itself needs them), and they are given back when it is gone; where nothing more comes from it they are given back without
 * that. Under the receiver's lock. */
static void take_turns(struct program *p)
{
    if (!p->sampling_begun || p->counters_given || !(is_lost(p) || rl_receiver_is_counting(p->receiver)))
        return;
    if (has_enough(p) || rl_receiver_is_claiming(p->receiver))
        rl_sampling_ask(&p->sampling);
    if (!rl_sampling_is_over(&p->sampling))
        return;
    rl_sampling_settle(&p->sampling);
    rl_receiver_return_counters(p->receiver);
    p->counters_given = true;
}

void rl_program_sample(struct program *p)
{
    assert(p->receiver);
    if (p->options->sample_gpu == RL_SAMPLE_NOT || p->counters_given)
        return;
    if (p->sampling_begun)
        rl_sampling_take(&p->sampling);
    rl_receiver_lock(p->receiver);
    /* Starts the child, and tells it the GPU, when the time has come. Under the receiver's lock. */
    uint8_t uuid[16];
    const bool found = !p->sampling.told && find_first(p, uuid);
    if (!p->sampling_begun && may_begin(p)) {
        struct rl_err err = RL_ERR_INIT;
        p->sampling_begun = true;
        p->facts.sampling = &p->sampling;
        const enum rl_status status = rl_sampling_start(&p->sampling, INTERVAL_NS, sampling_open, &err);
        if (status != RL_OK)
            p->sampling.status = rl_err_set(&p->sampling.failure, status, "%s", err.text);
    }
    if (p->sampling_begun && found) {
        rl_sampling_tell(&p->sampling, uuid);
        p->told_ns = rl_monotonic_ns();
    }
    take_turns(p);
    rl_receiver_unlock(p->receiver);
}

bool rl_program_sample_waits(const struct program *p)
{
    return p->options->sample_gpu != RL_SAMPLE_NOT && !p->counters_given && !p->sampling.told;
}

int rl_program_sample_fd(const struct program *p)
{
    return p->sampling_begun && !p->sampling.silent ? p->sampling.child.fd : -1;
}

void rl_program_sample_end(struct program *p)
{
    if (!p->sampling_begun)
        return;
    rl_sampling_stop(&p->sampling);
}

void rl_program_sample_settle(struct program *p)
{
    if (p->sampling_begun)
        rl_sampling_settle(&p->sampling);
}
