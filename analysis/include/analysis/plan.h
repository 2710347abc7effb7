/* plan.h - the counters to collect, and the known chips. */
#pragma once

#include "analysis/analysis.h"
#include "core/configuration.h"

/* By default there are "hardware", whose fixed counters take one pass on every chip, and those of
 * instructions of the tensor pipe another one; "sass", which takes one (counters with "_sass_" in their names are instrumented in
 * software and never share a pass with hardware counters); and "tensor", for launches that `when` chooses. Optional sets join
 * "hardware", behind its own counters, to which belong those of the set limits that the chip has room for. Witnesses are counters
 * that depend only on the work: if they differ between passes, or between runs in one pass, the work differed (struct
 * rl_kernel_result, disagreement). */
enum { RL_PLAN_MOST = 8 };
struct rl_plan {
    struct rl_configuration configurations[RL_PLAN_MOST];
    size_t configuration_count;
};

/* Every counter named by the formulas of the metrics in `sets` (bits 1u << enum rl_metric_set; CORE and what sets include need not
 * be named) and of the ceilings, alternatives ("else") included: the collector asks the chip which exist, and records the others as
 * not on this chip. The plan leaves out counters that chips.def lists as needing a separate pass on `chip` (NULL: unknown chip),
 * and those of the optional sets that only.def excludes there. The plan owns the names. Free with rl_plan_release. */
void rl_plan_make(const char *chip, unsigned sets, struct rl_plan *plan);
/* For programs: adds "limits", of the counters of the set limits and of the common stall reasons that are not in the plan yet, for
 * launches that use less than 85 % of what DRAM could move and of what schedulers could issue, whose limiter is unknown without
 * them; "stalls", of the other reasons, for those of these launches in which they may have 30 % of the warps' time; "units", for
 * these and for launches in which the tensor pipe worked, of the counters of the default that have no room in its hardware pass;
 * and "host memory", for launches that move more through L2 than DRAM accounts for. */
void rl_plan_add_limits(const char *chip, struct rl_plan *plan);
/* Adds a counter by the vendor's name, unless it is in the plan: to "hardware" or "sass", after the fixed ones. It is collected if
 * the chip takes it in one pass, regardless of chips.def. */
void rl_plan_add(struct rl_plan *plan, const char *counter);
/* Frees the names; the plan itself is the caller's. */
void rl_plan_release(struct rl_plan *plan);

/* A chip: a row of chips.def, which explains the members. */
struct rl_chip {
    const char *name;                  /* CUPTI's chip name, "GH100" */
    const char *architecture;          /* "Hopper" */
    int cc;                            /* compute capability x 10 */
    int fp64_per_sm, fp32_per_sm;      /* FMA lanes per SM */
    int tensor_fp16_flop_per_sm_cycle; /* dense FP16 products with FP32 accumulation, FLOP per SM and cycle; 0: no tensor cores */
    int schedulers_per_sm;
    int sampled_tensor_per_sm; /* count of PM sampling per cycle of an SM with all tensor pipes busy; 0: unknown */
    int sampled_fp64_per_sm;   /* the same of the FP64 pipes */
    const char *absent; /* counters of the default plan that the chip lacks, separated by blanks, "x*": all that begin with x; "" */
    const char *apart;  /* counters, separated by blanks, that would need a separate pass; "" */
    const char *along;  /* counters of the set limits, separated by blanks, that the default passes have room for; "" */
    const char *source;
};
/* Further rates of a chip, FLOP per SM and cycle: a row of rates.def. */
struct rl_rates {
    const char *chip;
    int fp16, bf16;                                                     /* vectors */
    int tensor_bf16, tensor_tf32, tensor_fp64, tensor_fp8, tensor_int8; /* matrices; 0: cannot, or unknown */
};
extern const struct rl_rates rl_rates[];
extern const size_t rl_rates_count;
const struct rl_rates *rl_rates_find(const char *chip); /* NULL: unknown, also when `chip` is NULL */

extern const struct rl_chip rl_chips[];
extern const size_t rl_chip_count;
const struct rl_chip *rl_chip_find(const char *name); /* NULL: unknown, also when `name` is NULL */
/* Why `counter` is not available on `chip`: "not on this chip", "needs a separate pass on this chip" (static); NULL: it is
 * available by chips.def, or `chip` is NULL. */
const char *rl_chip_lacks(const struct rl_chip *chip, const char *counter);
/* Why CUPTI of this version ("12.4"; NULL: unknown) cannot give `counter` on any chip, by newer.def (static); NULL when nothing
 * there speaks against it. */
const char *rl_cupti_lacks(const char *cupti, const char *counter);

/* ---- counters requested by the vendor's name, which no formula uses ---- */

struct rl_analysis;
struct rl_kernel;
struct rl_counter;

/* The names of all such counters in the capture, each once, in order (strcmp): `*names` borrows them from the analysis. Returns
 * their number. */
size_t rl_named_counters(const struct rl_analysis *analysis, const char *const **names);
/* Where a kernel has each of them: `at` has room for as many; RL_NONE: nothing was read. */
void rl_named_counters_of(const struct rl_analysis *analysis, const struct rl_kernel *kernel, size_t *at);
/* A kernel's value of one of them; NULL: nothing was read. */
const struct rl_counter *rl_named_counter(const struct rl_kernel *kernel, const char *name);

/* Appends the unit that follows from a counter's name (counter_units.def): "B", "sector/s", "inst/cycle", "%", or nothing for a
 * plain number. */
void rl_counter_unit(const char *name, struct rl_buf *unit);
/* Appends its value for people, with that unit: "1 048 576 inst", "12.5 %", "31.2 GB"; an en dash and the reason where it is
 * missing. */
void rl_counter_format(const char *name, struct rl_value value, struct rl_buf *text);
/* Whether a text has the form of a counter's name, with a rollup: "smsp__inst_executed.sum". */
bool rl_is_counter_name(const char *text);
