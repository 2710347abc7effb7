/* program_sample.c - the child that samples the GPU of an observed program, from its first use on (program_parts.h). */
#include <assert.h>
#include <string.h>

#include "core/clock.h"
#include "program_parts.h"

static const uint64_t INTERVAL_NS = 20000;
/* Before the program's own processes may have the counters again its GPU is sampled for so long while kernels are launched or run,
 * and longer while classes have too few samples. A child that has met none in so much time does not come to any, and a program
 * whose kernels are so rare is not waited for beyond the last. */
static const int64_t FIRST_NS = 2000000000, LONGER_NS = 8000000000;
static const double LATEST_S = 60;
/* Between two looks the program may have been busy for so long at most. */
static const int64_t MOST_BUSY_NS = 100000000;
/* A child that has said nothing for so long, though it was told of a GPU or has opened a window, hangs. */
static const double SILENT_S = 3;

bool rl_program_counts_in_first(const struct rl_program_options *options)
{
    return (options->replay == RL_REPLAY_AUTO || options->replay == RL_REPLAY_ROTATE) && options->budget && !options->pc_sampling;
}

/* The first GPU that a process of the timed run has told of, with a UUID. Under the receiver's lock. */
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

/* Whether a process of the program has begun with CUDA. Under the receiver's lock. */
static bool is_begun(const struct program *p)
{
    size_t count = 0;
    (void)rl_receiver_streams(p->receiver, &count);
    return count > 0;
}

static void begin(struct program *p)
{
    struct rl_err err = RL_ERR_INIT;
    p->sampling_begun = true;
    p->facts.sampling = &p->sampling;
    const enum rl_status status = rl_sampling_start(&p->sampling, INTERVAL_NS, rl_sampling_open, &err);
    rl_receiver_follow(p->receiver, p->sampling.pulse);
    if (status != RL_OK)
        p->sampling.status = rl_err_set(&p->sampling.failure, status, "%s", err.text);
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
    return is_begun(p) && (!counts || rl_receiver_borrow_counters(p->receiver));
}

/* Starts the child, and tells it the GPU, when the time has come. Under the receiver's lock. */
static void follow(struct program *p)
{
    uint8_t uuid[16];
    const bool found = !p->sampling.told && find_first(p, uuid);
    if (!p->sampling_begun && may_begin(p))
        begin(p);
    if (p->sampling_begun && found) {
        rl_sampling_tell(&p->sampling, uuid);
        p->told_ns = rl_monotonic_ns();
    }
}

/* How long the program has launched kernels, or had some under way. */
static void note_busy(struct program *p)
{
    const struct rl_pulse *pulse = p->sampling.pulse;
    const int64_t now_ns = rl_monotonic_ns(), since_ns = now_ns - p->looked_ns;
    if (!pulse)
        return;
    const unsigned long long launched = atomic_load(&pulse->launched);
    if (p->looked_ns && (launched != p->launched || atomic_load(&pulse->under_way)))
        p->busy_ns += since_ns < MOST_BUSY_NS ? since_ns : MOST_BUSY_NS;
    p->looked_ns = now_ns;
    p->launched = launched;
}

/* Which classes have samples by now; the child is told when others are launched. Under the receiver's lock. */
static void cover(struct program *p)
{
    size_t count = 0;
    struct rl_stream *const *streams = rl_receiver_streams(p->receiver, &count);
    const struct rl_pm_samples *samples = &p->sampling.samples;
    for (size_t at = p->covered; at < samples->count; at++)
        if (!rl_sampling_is_stretched(&p->sampling, at))
            rl_coverage_add(&p->coverage, samples->start_ns[at], samples->end_ns[at]);
    p->covered = samples->count;
    rl_coverage_take(&p->coverage, streams, count, p->sampling.uuid);
    if (p->sampling.pulse)
        atomic_store(&p->sampling.pulse->wanted, p->coverage.wanted);
    note_busy(p);
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

/* Whether the child has sampled for long enough, or never will. One that takes long to begin may go on until somebody wants the
 * counters. */
static bool has_enough(const struct program *p)
{
    if (is_lost(p) || !p->sampling.told || (!p->sampling.counter_count && is_silent(p)))
        return true;
    const bool lacks = p->coverage.lacking || !p->coverage.met;
    return p->busy_ns >= (lacks ? LONGER_NS : FIRST_NS) || rl_seconds_since(p->told_ns) >= LATEST_S;
}

/* When a process of the program wants the counters again the child ends, once it has sampled for long enough, and they are given
 * back when it is gone; where nothing more comes from it they are given back without that. Under the receiver's lock. */
static void take_turns(struct program *p)
{
    if (!p->sampling_begun || p->counters_given || !(is_lost(p) || rl_receiver_is_counting(p->receiver)))
        return;
    if (has_enough(p))
        rl_sampling_ask(&p->sampling);
    if (!rl_sampling_is_over(&p->sampling))
        return;
    rl_receiver_follow(p->receiver, NULL);
    rl_sampling_settle(&p->sampling);
    rl_receiver_return_counters(p->receiver);
    p->counters_given = true;
    p->facts.gave_way = p->sampling.samples.count > 0;
}

void rl_program_sample(struct program *p)
{
    assert(p->receiver);
    if (p->options->sample_gpu == RL_SAMPLE_NOT || p->counters_given)
        return;
    if (p->sampling_begun)
        rl_sampling_take(&p->sampling);
    rl_receiver_lock(p->receiver);
    follow(p);
    if (p->sampling.told)
        cover(p);
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
    rl_receiver_lock(p->receiver);
    rl_receiver_follow(p->receiver, NULL);
    rl_receiver_unlock(p->receiver);
    rl_sampling_stop(&p->sampling);
    rl_coverage_release(&p->coverage);
}

void rl_program_sample_settle(struct program *p)
{
    if (p->sampling_begun)
        rl_sampling_settle(&p->sampling);
}
