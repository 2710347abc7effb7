/* plan.h - which counters to ask for, and what chips there are. */
#ifndef RL_ANALYSIS_PLAN_H
#define RL_ANALYSIS_PLAN_H

#include <stddef.h>

#include "analysis/analysis.h"

/* Counters of one configuration. Two of them by default on every chip: "hardware" and "sass" (counters with "_sass_" in their
 * names are instrumented in software and never share a pass with hardware counters). */
struct rl_plan_configuration {
    const char *name;      /* static */
    const char **counters; /* distinct, in table order */
    size_t counter_count;
};
struct rl_plan {
    struct rl_plan_configuration configurations[2];
    size_t configuration_count;
};

/* Every counter named by the formulas of the metrics in `set` and of the ceilings, alternatives ("else") included: the collector
 * asks the chip which exist, and records the others as not on this chip. Counters that chips.def lists as needing a pass of their
 * own on `chip` (NULL: unknown chip) are left out. The plan owns the names. Free with rl_plan_release. */
void rl_plan_make(const char *chip, enum rl_metric_set set, struct rl_plan *plan);
void rl_plan_release(struct rl_plan *plan);

/* A chip: a row of chips.def, which says what the columns mean. */
struct rl_chip {
    const char *name;                  /* CUPTI's chip name, "GH100" */
    const char *architecture;          /* "Hopper" */
    int cc;                            /* compute capability x 10 */
    int fp64_per_sm, fp32_per_sm;      /* FMA lanes per SM */
    int tensor_fp16_flop_per_sm_cycle; /* dense FP16 products with FP32 accumulation, FLOP per SM and cycle; 0: no tensor cores */
    int schedulers_per_sm;
    const char *absent; /* counters of the default plan that the chip lacks, separated by blanks, "x*": all that begin with x; "" */
    const char *apart;  /* counters, separated by blanks, that would need a pass of their own; "" */
    const char *source;
};
/* Further rates of a chip, FLOP per SM and cycle: a row of rates.def. */
struct rl_rates {
    const char *chip;
    int fp16, bf16;                                                     /* vectors */
    int tensor_bf16, tensor_tf32, tensor_fp64, tensor_fp8, tensor_int8; /* matrices; 0: cannot, or not known */
};
extern const struct rl_rates rl_rates[];
extern const size_t rl_rates_count;
const struct rl_rates *rl_rates_find(const char *chip); /* NULL: unknown, also when `chip` is NULL */

extern const struct rl_chip rl_chips[];
extern const size_t rl_chip_count;
const struct rl_chip *rl_chip_find(const char *name); /* NULL: unknown, also when `name` is NULL */
/* Why a formula cannot have `counter` on `chip`: "not on this chip", "needs a pass of its own on this chip" (static); NULL when
 * nothing in chips.def speaks against it or `chip` is NULL. */
const char *rl_chip_lacks(const struct rl_chip *chip, const char *counter);

#endif
