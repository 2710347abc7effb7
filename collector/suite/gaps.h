/* gaps.h - times of which it is not known what ran in them. Private to the collector. */
#ifndef RL_COLLECTOR_GAPS_H
#define RL_COLLECTOR_GAPS_H

#include "stream_launches.h"

/* Sorts the gaps and makes one of those that meet; returns how many are left. */
size_t rl_gaps_merge(struct rl_stream_gap *gaps, size_t count);
/* Takes in one that begins no earlier than those before it: into the last, where they are at most `near_ns` apart, or behind it,
 * where there must be room; returns how many there are then. */
size_t rl_gaps_append(struct rl_stream_gap *gaps, size_t count, struct rl_stream_gap gap, uint64_t near_ns);
/* Whether one of these (merged) reaches between two moments; log2(count) steps. */
bool rl_gaps_meet(const struct rl_stream_gap *gaps, size_t count, uint64_t from_ns, uint64_t to_ns);

#endif
