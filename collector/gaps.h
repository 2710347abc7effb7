/* gaps.h - times of which it is not known what ran in them. Private to the collector. */
#ifndef RL_COLLECTOR_GAPS_H
#define RL_COLLECTOR_GAPS_H

#include "stream_launches.h"

/* Sorts the gaps and makes one of those that meet; returns how many are left. */
size_t rl_gaps_merge(struct rl_stream_gap *gaps, size_t count);
/* Whether one of these (merged) reaches between two moments; log2(count) steps. */
bool rl_gaps_meet(const struct rl_stream_gap *gaps, size_t count, uint64_t from_ns, uint64_t to_ns);

#endif
