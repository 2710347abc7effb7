/* attribution_samples.h - the samples that can tell kernels apart (attribution_parts.h). Private to attribution*.c. */
#ifndef RL_COLLECTOR_ATTRIBUTION_SAMPLES_H
#define RL_COLLECTOR_ATTRIBUTION_SAMPLES_H

#include "attribution.h"

/* Where sampling pauses, the first sample afterwards reaches back to the last one before: it holds all that was counted in the
 * pause. Such a sample says nothing of single kernels, but its square is that of all others together; so it is left out. */
struct rl_even_samples {
    struct rl_sampled sampled; /* without samples that last more than a few times as long as most */
    uint64_t typical_ns;       /* median of what a sample lasts; at least 1 */
    size_t stretched;          /* how many were left out */
    size_t spared;             /* of the others: so many, because there are more than are to be taken */
    uint64_t *start_ns, *end_ns;
    double *values;
};
/* Takes about `most` samples, in pieces from the whole of them. Free with rl_even_samples_release. Launches and flags are those of
 * `sampled`, which must outlive it. */
void rl_even_samples_make(const struct rl_sampled *sampled, size_t most, struct rl_even_samples *even);
/* Takes about `most` samples of even length that tell the clocks' shift and the lags of counters: short pieces in which kernels ran
 * for part of the time, as many from each part of the run; where there are too few of those, others as well. The first samples
 * would not do: a program may launch nothing for a while, or one long kernel. `spared`: all others. Free with
 * rl_even_samples_release. */
void rl_telling_samples_make(const struct rl_sampled *sampled, size_t most, struct rl_even_samples *telling);
/* Frees the copies, not the samples that they were taken from; zeroes it. */
void rl_even_samples_release(struct rl_even_samples *even);

#endif
