/* stalls.h - stall reasons of warps (stall_reasons.def). */
#pragma once

#include <stdbool.h>

enum rl_stall_reason {
#define STALL(id, stall, label, meaning) RL_STALL_##id,
#include "core/stall_reasons.def"
    RL_STALL_COUNT
};

struct rl_stall_row {
    const char *id, *label, *meaning;
    bool stall; /* the warp could not issue */
};
/* By enum rl_stall_reason. */
extern const struct rl_stall_row rl_stalls[RL_STALL_COUNT];

/* The reason of a CUPTI name such as "smsp__pcsamp_warps_issue_stalled_wait_not_issued"; `*not_issued` gets whether it counts only
 * cycles in which nothing was issued. RL_STALL_COUNT: unknown name. */
enum rl_stall_reason rl_stall_of_name(const char *name, bool *not_issued);
