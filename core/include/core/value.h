/* value.h - a value and its state.
 *
 * Absent, zero and failed are different states. A missing value has a reason, and prints as an en dash with that reason in a note.
 * The result of arithmetic with a missing input is missing, with the reason of the first one.
 */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/*                 id                 stable text in captures   default reason, for people */
#define RL_STATES(X)                                                                                                               \
    X(RL_PRESENT, "present", "")                                                                                                   \
    X(RL_UNDEFINED, "undefined", "not defined for this launch") /* 0/0: say what was zero in the reason */                         \
    X(RL_NOT_ON_CHIP, "not_on_chip", "not on this chip")                                                                           \
    X(RL_NOT_COLLECTED, "not_collected", "not collected")                                                                          \
    X(RL_NOT_PERMITTED, "not_permitted", "counters not permitted")                                                                 \
    X(RL_DISAGREES, "disagrees", "passes disagree")                                                                                \
    X(RL_VALUE_FAILED, "failed", "collection failed")

enum rl_state {
#define X(id, name, reason) id,
    RL_STATES(X)
#undef X
        RL_STATE_COUNT
};

struct rl_value {
    double v;           /* meaningful only when rl_present; always finite then. NaN otherwise */
    const char *reason; /* of a missing one: rl_value_reason */
    enum rl_state state;
};

/* A missing value as a constant: RL_UNDEFINED, with the reason "a text". */
#define RL_VALUE_OF_TEXT                                                                                                           \
    {                                                                                                                              \
        NAN, "a text", RL_UNDEFINED                                                                                                \
    }

/* A missing value. `reason` NULL: the default reason of the state; otherwise it is static, or owned by the object that holds the
 * value. */
struct rl_value rl_value_missing(enum rl_state state, const char *reason);
/* Whether there is a number. */
static inline bool rl_present(struct rl_value value)
{
    return value.state == RL_PRESENT;
}
/* Whether there is a number above 0. */
static inline bool rl_positive(struct rl_value value)
{
    return rl_present(value) && value.v > 0;
}
/* The reason in words, never NULL; "" when there is a number. */
const char *rl_value_reason(struct rl_value value);
/* A present value; a NaN or an infinity gives a RL_VALUE_FAILED value ("not a finite number"). */
static inline struct rl_value rl_value_of(double v)
{
    const struct rl_value value = {v, NULL, RL_PRESENT};
    return isfinite(v) ? value : rl_value_missing(RL_VALUE_FAILED, "not a finite number");
}

/* Arithmetic: the result is missing when an input is (the first one's state and reason). */
static inline struct rl_value rl_value_add(struct rl_value a, struct rl_value b)
{
    return !rl_present(a) ? a : !rl_present(b) ? b : rl_value_of(a.v + b.v);
}
/* The same for a - b. */
static inline struct rl_value rl_value_sub(struct rl_value a, struct rl_value b)
{
    return !rl_present(a) ? a : !rl_present(b) ? b : rl_value_of(a.v - b.v);
}
/* The same for a * b. */
static inline struct rl_value rl_value_mul(struct rl_value a, struct rl_value b)
{
    return !rl_present(a) ? a : !rl_present(b) ? b : rl_value_of(a.v * b.v);
}
/* a / b; a zero divisor gives RL_UNDEFINED with `zero_reason` (NULL: the default reason). */
static inline struct rl_value rl_value_div(struct rl_value a, struct rl_value b, const char *zero_reason)
{
    if (!rl_present(a) || !rl_present(b))
        return rl_present(a) ? b : a;
    return b.v == 0.0 ? rl_value_missing(RL_UNDEFINED, zero_reason) : rl_value_of(a.v / b.v);
}

/* Stable name of a state as captures store it. */
const char *rl_state_name(enum rl_state state);
/* The default reason of a state; "" for RL_PRESENT. */
const char *rl_state_reason(enum rl_state state);
