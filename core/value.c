#include "core/value.h"

#include <assert.h>
#include <string.h>

static const struct {
    const char *name, *reason;
} states[] = {
#define X(id, name, reason) [id] = {name, reason},
    RL_STATES(X)
#undef X
};

struct rl_value rl_value_missing(enum rl_state state, const char *reason)
{
    assert(state != RL_PRESENT);
    return (struct rl_value){0.0, state, reason ? reason : rl_state_reason(state)};
}

const char *rl_state_name(enum rl_state state)
{
    assert((unsigned)state < RL_STATE_COUNT);
    return states[state].name;
}

bool rl_state_from_name(const char *name, enum rl_state *state)
{
    for (int i = 0; i < RL_STATE_COUNT; i++) {
        if (strcmp(states[i].name, name) == 0) {
            *state = (enum rl_state)i;
            return true;
        }
    }
    return false;
}

const char *rl_state_reason(enum rl_state state)
{
    assert((unsigned)state < RL_STATE_COUNT);
    return states[state].reason;
}
