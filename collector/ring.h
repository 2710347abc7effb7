/* ring.h - bytes from an observed process to the collecting one through memory that both have mapped. Private to the collector.
 *
 * One process writes, one reads. Besides the ring there are counters, which the writer adds to as it goes: they are right at every
 * moment, also when it is killed. The writer publishes whole records only, so that what the reader finds is whole whenever the
 * writer dies; nothing of it needs a descriptor, a folder or the writer's help to be read. The reader is given memory in which a
 * hostile program may have written anything: it believes no number of it, keeps its own position, and reads no byte twice.
 *
 *     reader: rl_ring_create -> hands the descriptor over -> rl_ring_read ... -> rl_ring_unmap
 *     writer: rl_ring_map -> rl_ring_write ... (the mapping stays until the process ends)
 */
#ifndef RL_COLLECTOR_RING_H
#define RL_COLLECTOR_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buf.h"
#include "core/err.h"

enum {
    RL_RING_BYTES = 4 << 20, /* of records; a power of two */
    RL_RING_MOST_COUNTERS = 1 << 16,
};

/* What happened to a process, as it said itself. Bits of rl_ring_shared.state. */
enum rl_ring_state {
    RL_RING_ENDED = 1,       /* it came to its exit handlers, and all that it had to say is in the ring */
    RL_RING_INTERRUPTED = 2, /* it came to its exit handlers, but what it saw last could not be gathered any more */
    RL_RING_LOST = 4,        /* there was no room for some of its records */
};

/* How far whoever is to sample the GPU has come. */
enum rl_ring_sampler {
    RL_RING_SAMPLER_NONE,  /* nobody is waited for: nothing is sampled, or a window of samples has been open by now */
    RL_RING_SAMPLER_READY, /* a window is open within milliseconds */
    RL_RING_SAMPLER_COMES, /* it gets ready */
};

struct rl_ring_shared {
    atomic_ullong written; /* bytes, by the writer; ever growing */
    atomic_ullong taken;   /* bytes, by the reader */
    atomic_uint state;
    atomic_uint counters_wanted; /* by the writer: it would take hardware counters that somebody else has */
    atomic_uint counters_given;  /* by the reader: nobody else has them any more */
    atomic_uint graphs;          /* launches of graphs, whatever is in them */
    atomic_uint sampler;         /* by the reader: enum rl_ring_sampler */
    atomic_uint held;            /* by the writer: its first launch waits for a window of samples */
    char unused[16];
    atomic_ullong made;                            /* launches of kernels, whatever is known of them */
    atomic_ullong launched[RL_RING_MOST_COUNTERS]; /* of them, by kernel class */
    unsigned char bytes[RL_RING_BYTES];
};

struct rl_ring {
    struct rl_ring_shared *shared; /* NULL: none */
    uint64_t at;                   /* reader: position; writer: unused */
};

/* Makes memory for a ring, which nobody can make smaller, and maps it; `*fd` is for the other process, to be closed. */
enum rl_status rl_ring_create(struct rl_ring *ring, int *fd, struct rl_err *err);
/* Maps a ring from a descriptor, which stays the caller's; false when that cannot be done. */
bool rl_ring_map(struct rl_ring *ring, int fd);
/* Reader: the writer's mapping stays. May be called again. */
void rl_ring_unmap(struct rl_ring *ring);

/* Writer: appends all of `len` bytes, or nothing (false) when there is no room for them now. */
bool rl_ring_write(struct rl_ring *ring, const void *bytes, size_t len);
/* Writer: adds bits of enum rl_ring_state. */
void rl_ring_mark(struct rl_ring *ring, unsigned state);
/* Writer: whether it may take hardware counters that were somebody else's; asks for them when it may not yet. */
bool rl_ring_may_count(struct rl_ring *ring);
/* The same, without asking for it. */
bool rl_ring_was_given(const struct rl_ring *ring);

/* Writer: how far who samples the GPU has come. */
enum rl_ring_sampler rl_ring_sampler(const struct rl_ring *ring);
/* Writer: says whether its first launch waits for a window of samples. */
void rl_ring_hold(struct rl_ring *ring, bool held);

/* Reader: says how far who samples the GPU has come. */
void rl_ring_tell_sampler(struct rl_ring *ring, enum rl_ring_sampler sampler);
/* Reader: whether the writer's first launch waits for a window of samples. */
bool rl_ring_is_held(const struct rl_ring *ring);
/* Reader: appends what was written since the last call to `out`. RL_FORMAT: the positions are none that a writer of ours leaves;
 * nothing can be read from such a ring any more. */
enum rl_status rl_ring_read(struct rl_ring *ring, struct rl_buf *out, struct rl_err *err);
/* Reader: whether there is something to read. */
bool rl_ring_waits(const struct rl_ring *ring);
/* Reader: bits of enum rl_ring_state, and whatever else the writer has put there. */
unsigned rl_ring_state(const struct rl_ring *ring);
/* Reader: launches of kernels and of graphs so far; only that it changes means something. */
uint64_t rl_ring_launched(const struct rl_ring *ring);
/* Reader: whether the writer has asked for hardware counters. */
bool rl_ring_wants_counters(const struct rl_ring *ring);
/* Reader: nobody else has the hardware counters any more; cannot be taken back. */
void rl_ring_give_counters(struct rl_ring *ring);

#endif
