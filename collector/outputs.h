/* outputs.h - where captures are written. Private to the collector. */
#ifndef RL_COLLECTOR_OUTPUTS_H
#define RL_COLLECTOR_OUTPUTS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/buf.h"

/* A good file is replaced by a complete capture only, so an unfinished one grows beside it, in "OUTPUT.partial"; when there is no
 * file it grows in place. To be freed. */
char *rl_growing_path(const char *output);
/* The pattern with %p (number of the process), %h (name of the host), %r (rank; "norank" for none: NULL or "") and %% replaced.
 * Bytes of host and rank that are awkward in a file name become '-'. False, with nothing appended, when something else stands
 * behind a '%'. */
bool rl_expand_output(const char *pattern, uint32_t pid, const char *host, const char *rank, struct rl_buf *out);

#endif
