#include "core/value.h"

#include "core/core.h"

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
    return (struct rl_value){NAN, reason ? reason : rl_state_reason(state), state};
}

const char *rl_value_reason(struct rl_value value)
{
    return rl_present(value) ? "" : value.reason;
}

const char *rl_state_name(enum rl_state state)
{
    assert((unsigned)state < RL_STATE_COUNT);
    return states[state].name;
}

const char *rl_state_reason(enum rl_state state)
{
    assert((unsigned)state < RL_STATE_COUNT);
    return states[state].reason;
}
