/* gate.h - the gate of a comparison: whether a change may be accepted, and which conditions do not hold.
 *
 * The conditions are the rows of gate.def. Each one holds, fails (evidence against the change: a regression, a missing kernel) or
 * cannot be decided (missing evidence: an incomplete capture, intervals too wide). The gate fails if one condition fails, cannot
 * decide if none fails and one cannot be decided, and holds otherwise.
 */
#pragma once

#include "analysis/compare.h"

enum rl_gate_state { RL_GATE_HOLDS, RL_GATE_CANNOT_DECIDE, RL_GATE_FAILS };
/* "holds", "cannot decide", "fails" */
const char *rl_gate_state_name(enum rl_gate_state state);

enum rl_gate_condition {
#define GATE(id, ...) RL_GATE_##id,
#include "analysis/gate.def"
    RL_GATE_COUNT
};

/* Kind of a condition's bound, which is a fraction. */
enum rl_gate_bound { RL_GATE_NO_BOUND, RL_GATE_MOST, RL_GATE_LEAST };

struct rl_gate_info {
    const char *id;
    enum rl_gate_state broken; /* state of the gate if the condition does not hold */
    enum rl_gate_bound bound;
    double standard;            /* the bound unless another one is given */
    const char *words, *behind; /* the problem in words, before and after the bound */
    const char *explanation;
};
extern const struct rl_gate_info rl_gate_conditions[RL_GATE_COUNT];

struct rl_gate_rules {
    bool off[RL_GATE_COUNT];
    double bound[RL_GATE_COUNT];
};
/* Every condition with its standard bound. */
struct rl_gate_rules rl_gate_standard(void);
/* Parses a list like "regression=3%,matched<0.9,work=off" and changes `*rules`: a bound is a fraction or a percentage after "="
 * ("<" for a minimum, ">" for a maximum), "off" turns a condition off, a name alone or "default" changes nothing. RL_USAGE for
 * anything else; `option` names the source of the list in errors. */
enum rl_status rl_gate_parse(const char *option, const char *list, struct rl_gate_rules *rules, struct rl_err *err);

/* One violation of a condition. */
struct rl_gate_breach {
    enum rl_gate_condition condition;
    size_t pair;       /* RL_NONE: it is about no pair */
    const char *label; /* of the kernel, or "base", "new" for a capture */
    const char *text;  /* what is wrong: "+30.0 % (+29.2 % to +30.8 %)" */
};
/* The answer about one condition. */
struct rl_gate_answer {
    enum rl_gate_condition condition;
    enum rl_gate_state state;
    double bound;                    /* of conditions that have one */
    double found;                    /* of shares: the share that was found; otherwise the number of breaches */
    const char *words;               /* with the bound in it */
    struct rl_gate_breach *breaches; /* also those of a share that stays within its bound */
    size_t count;
};
struct rl_gate {
    struct rl_arena arena;
    enum rl_gate_state state;
    struct rl_gate_rules rules;
    struct rl_gate_answer answers[RL_GATE_COUNT]; /* those that are asked for, in the order of gate.def */
    size_t count;
};

/* Applies the rules to a comparison, which must outlive the result. Free with rl_gate_free. */
struct rl_gate *rl_gate_new(const struct rl_comparison *comparison, const struct rl_gate_rules *rules);
/* Frees the result; NULL is allowed. */
void rl_gate_free(struct rl_gate *gate);
/* Appends the answer in one line: "fails: 2 regression, 8 missing; cannot decide: undecided", or what held. */
void rl_gate_text(const struct rl_gate *gate, struct rl_buf *out);
