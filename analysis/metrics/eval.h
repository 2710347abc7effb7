/* eval.h - values of the names in formulas (private to analysis/).
 *
 * One evaluator serves one analysis. It parses every formula of the tables once, puts all names that occur in them into one table
 * of symbols, by whose numbers the formulas find them from then on, and is pointed at one subject after the other: a kernel class,
 * a GPU, the session. What was found for a subject is kept until the next one, so that a metric that many formulas name is
 * computed once; what the tables say of a GPU and the driver's facts are kept until the next GPU.
 */
#pragma once

#include "analysis/cards.h"
#include "analysis/invariants.h"
#include "analysis/plan.h"
#include "core/formula.h"

/* "formula > number" or "formula < number" of a rule's `when`. */
struct rl_condition {
    struct rl_formula *formula;
    enum rl_relation_to relation;
    double number;
};
enum { RL_MAX_CONDITIONS = 6 };

/* The parsed tables. */
struct rl_formulas {
    struct rl_formula *metric[RL_METRIC_COUNT], *ceiling[RL_CEILING_COUNT], *rule[RL_RULE_COUNT];
    struct rl_formula *fallback[RL_CEILING_COUNT]; /* NULL: the ceiling has none */
    struct rl_formula *gain[RL_RULE_COUNT];        /* NULL: the rule names none */
    struct rl_formula *also[RL_RULE_COUNT][RL_MAX_RELIEFS];
    struct rl_formula *work[RL_DEMAND_COUNT], *instead[RL_DEMAND_COUNT], *rate[RL_DEMAND_COUNT]; /* NULL: the demand has none */
    struct rl_condition when[RL_RULE_COUNT][RL_MAX_CONDITIONS];
    size_t when_count[RL_RULE_COUNT];
    struct rl_formula *part[RL_INVARIANT_COUNT], *whole[RL_INVARIANT_COUNT];
    struct rl_condition invariant_when[RL_INVARIANT_COUNT]; /* without a formula: always */
};

struct rl_symbol;

/* The symbol of the name at an address; NULL: not looked up, or no symbol has that name. */
struct rl_recent {
    const char *name;
    struct rl_symbol *symbol;
};

/* The counter of the subject that differs most from one pass, or run in a pass, to another. */
struct rl_repeated {
    const char *name;    /* NULL: none was read twice */
    double first, other; /* what was read */
    double spread;       /* of the two: greater less lesser over greater */
};

struct rl_eval;
/* Functions for computed rows of names.def, because names.c must not depend on the evaluator. Each as rl_eval_... below. */
struct rl_eval_ask {
    struct rl_value (*metric)(struct rl_eval *eval, enum rl_metric metric);
    struct rl_value (*name)(struct rl_eval *eval, enum rl_name name);
    struct rl_value (*counter)(struct rl_eval *eval, const char *name);
};

struct rl_eval {
    const struct rl_capture *capture;
    const struct rl_analysis *analysis; /* results so far: durations and occupancy before metrics, roofs before rules */
    const struct rl_eval_ask *ask;
    struct rl_formulas formulas;
    struct rl_symbol *symbols; /* sorted by name */
    size_t symbol_count;
    struct rl_symbol *metric[RL_METRIC_COUNT], *name[RL_NAME_COUNT];
    struct rl_recent recent[2048];   /* found last for the names of counters whose addresses lead here */
    size_t gpu, kernel;              /* the subject; RL_NONE: none */
    uint64_t subject;                /* its number: 1, 2, 3, ... in the order of rl_eval_focus */
    const struct rl_chip *chip;      /* of the subject's GPU; NULL: unknown */
    const struct rl_card_info *card; /* the same */
    struct rl_repeated repeated;
};

/* The tables are ours: a row that does not parse is a programming error (assert; a test names the row). */
void rl_eval_init(struct rl_eval *eval, const struct rl_analysis *analysis);
/* Frees what the evaluation holds; the analysis stays. */
void rl_eval_release(struct rl_eval *eval);

/* Points at kernel class `kernel` and its GPU; with RL_NONE at GPU `gpu`; with both RL_NONE at the session. */
void rl_eval_focus(struct rl_eval *eval, size_t gpu, size_t kernel);

/* Sets a metric for the current subject, before anything that refers to it is evaluated. */
void rl_eval_set_value(struct rl_eval *eval, enum rl_metric metric, struct rl_value value);

/* The hardware's counter of the same number where `name` is one of instrumented code, as captures have it that were made before the
 * hardware's pass had room for it; otherwise `name` (counters.c). */
const char *rl_counter_of_hardware(const char *name);

/* Cycles in which the tensor pipe worked, and the instructions that take them (plan.c). */
#define RL_TENSOR_CYCLES "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active"
enum { RL_TENSOR_COUNTERS = 2 };
extern const char *const rl_tensor_counters[RL_TENSOR_COUNTERS];

/* Sets a value for `name`, a counter or metric of some formula, if the capture has none for the current subject. */
void rl_eval_offer(struct rl_eval *eval, const char *name, struct rl_value value);

/* Value for the subject: of a metric, */
struct rl_value rl_eval_metric(struct rl_eval *eval, enum rl_metric metric);
/* of a row of names.def, */
struct rl_value rl_eval_name(struct rl_eval *eval, enum rl_name name);
/* of a fact of its GPU, */
struct rl_value rl_eval_fact(const struct rl_eval *eval, enum rl_fact_id fact);
/* of a counter of some formula; `name` stays where it is, the same text, as long as `eval` is used, */
struct rl_value rl_eval_counter(struct rl_eval *eval, const char *name);
/* of anything that a formula of the tables names, every metric id and every name of names.def. */
struct rl_value rl_eval_text(struct rl_eval *eval, const char *name);
/* Unit of a metric, a fact or a name of names.def; RL_UNIT_NONE for anything else. */
enum rl_unit rl_eval_unit(const char *name);
/* Value of a formula of eval->formulas for the subject; `zero_reason` as in rl_formula_eval. */
struct rl_value rl_eval_formula(struct rl_eval *eval, const struct rl_formula *formula, const char *zero_reason);
/* Theoretical figure of a ceiling for the subject, without its fallback; missing where the ceiling has no formula. */
struct rl_value rl_eval_ceiling(struct rl_eval *eval, size_t ceiling);

/* Whether the counters that the formula takes for the subject, also through other metrics, are of more than one pass. */
bool rl_eval_mixes_passes(struct rl_eval *eval, const struct rl_formula *formula);
/* The one pass that they are of; RL_NONE: of several, or none is known. */
size_t rl_eval_pass(struct rl_eval *eval, const struct rl_formula *formula);
/* Whether all of them are of this pass. */
bool rl_eval_is_of_pass(struct rl_eval *eval, const struct rl_formula *formula, size_t pass);
/* Whether it takes both the time of launches and counters, which are of other launches. */
bool rl_eval_mixes_times(struct rl_eval *eval, const struct rl_formula *formula);

/* names.c: the value of a row of names.def for the subject. */
struct rl_value rl_name_value(struct rl_eval *eval, enum rl_name name);

/* Parses the formulas of all tables. */
void rl_formulas_parse(struct rl_formulas *formulas);
/* Frees what rl_formulas_parse made. */
void rl_formulas_free(struct rl_formulas *formulas);
typedef void (*rl_formula_look)(void *context, struct rl_formula *formula);
/* Calls `look` with each formula that there is; `context` is handed on to it. */
void rl_formulas_each(struct rl_formulas *formulas, rl_formula_look look, void *context);

/* Which FP16 instructions of a launch are arithmetic.
 *
 * Compilers load constants and convert numbers with them, and the counters are the same. The evaluator points at the launch;
 * `width`: threads of a warp.
 */
