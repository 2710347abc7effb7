#include "core/stalls.h"

#include "core/core.h"

const struct rl_stall_row rl_stalls[RL_STALL_COUNT] = {
#define STALL(id, is_stall, label, meaning) [RL_STALL_##id] = {#id, label, meaning, is_stall},
#include "core/stall_reasons.def"
};

enum rl_stall_reason rl_stall_of_name(const char *name, bool *not_issued)
{
    static const char before[] = "smsp__pcsamp_warps_issue_stalled_", behind[] = "_not_issued";
    assert(not_issued);
    if (strncmp(name, before, sizeof before - 1) != 0)
        return RL_STALL_COUNT;
    name += sizeof before - 1;
    size_t len = strlen(name);
    *not_issued = len >= sizeof behind - 1 && strcmp(name + len - (sizeof behind - 1), behind) == 0;
    len -= *not_issued ? sizeof behind - 1 : 0;
    const size_t at = RL_FIRST(i, RL_STALL_other, strlen(rl_stalls[i].id) == len && strncmp(rl_stalls[i].id, name, len) == 0);
    return at < RL_STALL_other ? (enum rl_stall_reason)at : RL_STALL_other;
}
