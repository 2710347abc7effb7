#include "core/value.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const struct {
    const char *name, *reason;
} states[] = {
#define X(id, name, reason) [id] = {name, reason},
    RL_STATES(X)
#undef X
};

struct rl_value rl_value_of(double v)
{
    if (!isfinite(v))
        return rl_value_missing(RL_VALUE_FAILED, "not a finite number");
    return (struct rl_value){v, RL_PRESENT, ""};
}

struct rl_value rl_value_missing(enum rl_state state, const char *reason)
{
    assert(state != RL_PRESENT);
    return (struct rl_value){0.0, state, reason ? reason : rl_state_reason(state)};
}

struct rl_value rl_value_add(struct rl_value a, struct rl_value b)
{
    return !rl_present(a) ? a : !rl_present(b) ? b : rl_value_of(a.v + b.v);
}

struct rl_value rl_value_sub(struct rl_value a, struct rl_value b)
{
    return !rl_present(a) ? a : !rl_present(b) ? b : rl_value_of(a.v - b.v);
}

struct rl_value rl_value_mul(struct rl_value a, struct rl_value b)
{
    return !rl_present(a) ? a : !rl_present(b) ? b : rl_value_of(a.v * b.v);
}

struct rl_value rl_value_div(struct rl_value a, struct rl_value b, const char *zero_reason)
{
    if (!rl_present(a) || !rl_present(b))
        return rl_present(a) ? b : a;
    if (b.v == 0.0)
        return rl_value_missing(RL_UNDEFINED, zero_reason);
    return rl_value_of(a.v / b.v);
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
