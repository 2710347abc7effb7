#include "core/value.h"

#include "core/core.h"

static const struct {
    const char *name, *reason;
} states[] = {
#define X(id, name, reason) [id] = {name, reason},
    RL_STATES(X)
#undef X
};

/* The states that a NaN has room for, besides the address. */
enum { STATE_MASK = 7 };
_Static_assert(RL_STATE_COUNT <= STATE_MASK + 1, "a NaN holds the state of a value");

struct rl_value rl_value_missing(enum rl_state state, const char *reason)
{
    const uint64_t address = (uintptr_t)(reason ? reason : rl_state_reason(state));
    const uint64_t bits = (uint64_t)(RL_VALUE_NAN | state) << RL_VALUE_STATE_AT | address;
    struct rl_value value;
    assert(state != RL_PRESENT && address >> RL_VALUE_STATE_AT == 0);
    memcpy(&value.v, &bits, sizeof bits);
    return value;
}

enum rl_state rl_value_state(struct rl_value value)
{
    return rl_present(value) ? RL_PRESENT : (enum rl_state)(rl_value_bits(value) >> RL_VALUE_STATE_AT & STATE_MASK);
}

const char *rl_value_reason(struct rl_value value)
{
    const uint64_t address = rl_value_bits(value) & ((UINT64_C(1) << RL_VALUE_STATE_AT) - 1);
    return rl_present(value) ? "" : address ? (const char *)(uintptr_t)address : "a text";
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
