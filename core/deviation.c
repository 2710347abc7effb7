#include "core/deviation.h"

#include <assert.h>

const char *rl_deviation_kind_name(enum rl_deviation_kind kind)
{
    static const char *const names[RL_DEVIATION_KIND_COUNT] = {
        [RL_DEVIATION_NONE] = "none", [RL_DEVIATION_ABSOLUTE] = "absolute", [RL_DEVIATION_RELATIVE] = "relative"};
    assert((unsigned)kind < RL_DEVIATION_KIND_COUNT);
    return names[kind];
}
