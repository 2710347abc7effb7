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
#pragma once

#include <stdatomic.h>

#include "core/core.h"

enum {
    RL_RING_BYTES = 4 << 20, /* of records; a power of two */
    RL_RING_MOST_COUNTERS = 1 << 16,
};

/* Events in a process, as it reported them. Bits of rl_ring_shared.state. */
enum rl_ring_state {
    RL_RING_ENDED = 1,       /* it reached its exit handlers, and all of its records are in the ring */
    RL_RING_INTERRUPTED = 2, /* it reached its exit handlers, but its last records could not be collected */
    RL_RING_LOST = 4,        /* there was no room for some of its records */
    RL_RING_NO_MEMORY = 8,   /* because of the program's memory limit */
    RL_RING_LEFT = 16,       /* CUPTI was left to the program, and launches were not seen */
    RL_RING_NO_THREAD = 32,  /* because of its thread limit: it is not profiled */
};

/* A writer and the counters: it does not need them, it counts or would, or the program itself needs them. */
enum rl_ring_counting { RL_RING_COUNTS_NOTHING, RL_RING_COUNTS, RL_RING_CLAIMS };

struct rl_ring_shared {
    atomic_ullong written; /* bytes, by the writer; ever growing */
    atomic_ullong taken;   /* bytes, by the reader */
    atomic_uint state;
    /* The hardware counters of a GPU have one owner. The writer sets `counting` before it reads `lent`; the reader sets `lent`
     * before it reads `counting`: so they never both have them. */
    atomic_uint counting; /* by the writer: enum rl_ring_counting */
    atomic_uint lent;     /* by the reader: another process has the counters */
    atomic_uint rounds;   /* by the writer: number of times that it finished counting */
    atomic_uint graphs;   /* launches of graphs, whatever is in them */
    char unused[24];
    atomic_ullong made;                            /* launches of kernels, known or not */
    atomic_ullong launched[RL_RING_MOST_COUNTERS]; /* of them, by kernel class */
    unsigned char bytes[RL_RING_BYTES];
};

struct rl_ring {
    struct rl_ring_shared *shared; /* NULL: none */
    uint64_t at;                   /* reader: position; writer: unused */
};

/* Creates and maps memory for a ring, sealed against shrinking; `*fd` is for the other process and must be closed. */
enum rl_status rl_ring_create(struct rl_ring *ring, int *fd, struct rl_err *err);
/* Maps a ring from a descriptor, which the caller keeps; false on failure. */
bool rl_ring_map(struct rl_ring *ring, int fd);
/* Reader: the writer's mapping stays. May be called again. */
void rl_ring_unmap(struct rl_ring *ring);

/* Writer: free bytes. */
size_t rl_ring_room(const struct rl_ring *ring);
/* Writer: appends all of `len` bytes, or nothing (false) if there is too little room. */
bool rl_ring_write(struct rl_ring *ring, const void *bytes, size_t len);
/* Writer: adds bits of enum rl_ring_state. */
void rl_ring_mark(struct rl_ring *ring, unsigned state);
/* Writer: requests the hardware counters; whether it has them. */
bool rl_ring_may_count(struct rl_ring *ring);
/* Writer: the program itself needs the counters, so their owner must release them at once. Ends with rl_ring_counted. */
void rl_ring_claim(struct rl_ring *ring);
/* Writer: releases the counters, with nothing to count at present. */
void rl_ring_counted(struct rl_ring *ring);

/* Reader: appends to `out` what was written since the last call. RL_FORMAT: the positions are invalid, and the ring cannot be
 * read any more. */
enum rl_status rl_ring_read(struct rl_ring *ring, struct rl_buf *out, struct rl_err *err);
/* Reader: whether there is something to read. */
bool rl_ring_waits(const struct rl_ring *ring);
/* Reader: bits of enum rl_ring_state; others may be set, too. */
unsigned rl_ring_state(const struct rl_ring *ring);
/* Reader: whether the writer has the hardware counters, or waits for them. */
bool rl_ring_is_counting(const struct rl_ring *ring);
/* Reader: whether the program itself needs them. */
bool rl_ring_is_claiming(const struct rl_ring *ring);
/* Reader: whether the writer has finished counting at least once. */
bool rl_ring_has_counted(const struct rl_ring *ring);
/* Reader: whether the writer has launched graphs. */
bool rl_ring_has_graphs(const struct rl_ring *ring);
/* Reader: lends the hardware counters to another process, or takes them back. */
void rl_ring_lend(struct rl_ring *ring, bool lent);
