/* repeats.c - which launches of a run repeat others (see kernels/run.h). */
#include <assert.h>

#include "kernels/run.h"

size_t rl_suite_repeats(const struct rl_suite_run *run)
{
    enum { ENOUGH = 16 };
    bool seen[RL_MAX_LAUNCHES] = {false};
    size_t different = 0;
    assert(run->sequence_count <= RL_MAX_SEQUENCE && run->launch_count <= RL_MAX_LAUNCHES);
    if (run->sequence_count <= ENOUGH)
        return 0;
    for (size_t i = run->sequence_count - ENOUGH; i < run->sequence_count; i++) {
        different += !seen[run->sequence[i]];
        seen[run->sequence[i]] = true;
    }
    return different == run->launch_count ? run->sequence_count - ENOUGH : 0;
}
