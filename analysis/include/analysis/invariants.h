/* invariants.h - relations that hold for the counters of any launch (invariants.def). A launch that violates one is not judged by
 * the resources whose work these counters give: it has no share of their roofs, and its limiter is unknown if no other resource
 * limits it. */
#pragma once

#include "core/core.h"

enum rl_invariant {
#define INVARIANT(id, ...) RL_INVARIANT_##id,
#include "analysis/invariants.def"
#undef INVARIANT
    RL_INVARIANT_COUNT
};
struct rl_invariant_info {
    const char *id;
    enum rl_unit unit;
    const char *part, *whole;
    double slack;
    const char *when;                /* NULL: always */
    const char *resources, *metrics; /* NULL: none */
    bool quiet;
    const char *words, *source;
};
extern const struct rl_invariant_info rl_invariants[RL_INVARIANT_COUNT];
