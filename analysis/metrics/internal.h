/* internal.h - the steps of an analysis, in order (private to analysis/). Each reads the capture and what the steps before it have
 * written into the results. */
#pragma once

#include "analysis/families.h"
#include "analysis/ranks.h"
#include "analysis/sampled.h"
#include "eval.h"

/* Whether chips.def says that the counter would need a separate pass on the chip; false for an unknown chip (NULL). */
bool rl_chip_apart(const struct rl_chip *chip, const char *counter);
/* Whether a list of names, separated by blanks, has the name; "x*" in it stands for every name that begins with x. */
bool rl_is_listed(const char *list, const char *name);

/* A step's work on one kernel. It writes into that kernel's result, `analysis->arena` and `analysis->sets`, and nowhere else. */
typedef void (*rl_kernel_step)(struct rl_analysis *analysis, struct rl_eval *eval, size_t kernel, void *context);
enum { RL_LEAST_KERNELS = 2048 }; /* fewer take less time than a thread */
/* Calls `step` for every kernel, in several threads if there are many, each with its evaluator (`eval` NULL: without); `context`
 * is shared. The result does not depend on the number of threads (program.c). */
void rl_each_kernel(struct rl_analysis *analysis, struct rl_eval *eval, rl_kernel_step step, void *context);

/* Durations in seconds, in their order; release with free(). */
double *rl_seconds_of(const uint64_t *duration_ns, size_t count);
/* Labels of kernels (labels.c); short names and siblings are there. */
void rl_step_labels(struct rl_analysis *analysis);
/* No table that people read shortens labels to fewer columns, but where it has no room: at this width they still look different. */
enum { RL_LABEL_COLUMNS = 40 };
/* A row that is labelled by the name of a kernel; `look` is for rl_labels_tell_apart. */
struct rl_labelled {
    const struct rl_kernel *kernel;
    size_t group; /* labels of different groups may be the same */
    const char **label, *look;
};
/* Makes labels unique: by template arguments, then (`shapes`) grid and block, then the id, which also distinguishes labels that
 * look the same when shortened. Texts are in the arena; the order of the rows changes. */
void rl_labels_tell_apart(struct rl_arena *arena, struct rl_labelled *rows, size_t count, bool shapes);
/* Metrics of every kernel and the sets that they are of, ceilings of every GPU (roof.c). */
void rl_step_metrics(struct rl_analysis *analysis, struct rl_eval *eval);
/* Measured ceilings of a GPU, whose theoretical figures are there (measured.c). */
void rl_ceilings_measured(struct rl_analysis *analysis, struct rl_eval *eval, size_t gpu);
/* Peaks of data sheets next to the ceilings of all GPUs, and the clocks at which theory is; after the ceilings (data_sheet.c). */
void rl_ceilings_data_sheets(struct rl_analysis *analysis, const struct rl_eval *eval);
/* Whether the theoretical figure is proportional to the SM clock (measured.c). */
bool rl_ceiling_goes_with_clock(const struct rl_eval *eval, size_t ceiling);
/* The theoretical figure of a ceiling from tables and facts alone, at an SM clock. Points `eval` at the GPU. */
struct rl_value rl_ceiling_without_kernels(struct rl_eval *eval, size_t gpu, size_t ceiling, struct rl_value clock);
/* Estimates, time at every roof and resource, the limiter and what lies above a roof, for every kernel (limits.c). */
void rl_step_limits(struct rl_analysis *analysis, struct rl_eval *eval);
/* Whether counters of a kernel contradict each other; metrics that follow from those are missing from then on (invariants.c).
 * `eval` points at the kernel. */
void rl_kernel_invariants(struct rl_analysis *analysis, struct rl_eval *eval, struct rl_kernel_result *result);
/* Removes the shares of resources whose counters contradict each other, after the kernel's limits (invariants.c). */
void rl_invariants_unjudge(struct rl_analysis *analysis, struct rl_kernel_result *result);
/* A measured roof and the kind of work that it was measured with: the share of DRAM traffic that is read, or threads of a block; in
 * their order (limits.c). */
struct rl_roof_at {
    double at;
    enum rl_ceiling_id ceiling;
};
extern const struct rl_roof_at rl_dram_mixes[], rl_block_sizes[];
extern const size_t rl_dram_mix_count, rl_block_size_count;
/* Whether a kernel lies above a roof, and why; its limits are there (above_roof.c). */
void rl_kernel_above_roof(struct rl_analysis *analysis, struct rl_kernel_result *result);
/* How many times as fast as with FP16 the GPU's tensor cores are with the floating-point types that are slowest and fastest
 * (roof.c). */
void rl_types_spread(const struct rl_gpu_result *card, double *slowest, double *fastest);
/* How many times as fast the launch would be if each resource had its `factors` (RL_RESOURCE_COUNT of them; under 1: more) times
 * less to do, and the launch used as much of the resource that limits then as of the one that limits now (limits_decide.c). */
double rl_limits_relieved(const struct rl_limiting *limits, const double *factors);
/* Whether the work would take less time at the roof than any launch takes, so that no roof limits it (kernel_facts.c). */
bool rl_is_below_every_roof(struct rl_value roof_time_s);
/* Metrics that can be added over launches (variant.c). */
extern const enum rl_metric rl_metric_sums[];
extern const size_t rl_metric_sum_count;
/* Rates of several launches follow from their sums and their time, intensities from their sums; both are written next to them. */
void rl_metrics_derive(struct rl_value metric[RL_METRIC_COUNT], struct rl_value time_s);
/* Times, rates, overlap and summed metrics of every variant (variant.c). */
void rl_step_variants(struct rl_analysis *analysis);
/* Indexes the verdicts on claims by GPU and experiment (index.c). */
void rl_index_claims(struct rl_analysis *analysis);
/* Verdicts on the claims, and their index (claim.c). */
void rl_step_claims(struct rl_analysis *analysis);
/* Activity of GPUs over time (timeline.c). */
void rl_step_over_time(struct rl_analysis *analysis);
/* Sets the phases of each analysis->over_time, after its gaps. */
void rl_phases_find(struct rl_analysis *analysis);
/* Samples of the whole GPU by moment (moments.c). */
void rl_step_moments(struct rl_analysis *analysis);
/* The idle share of a program's time on the GPU that `eval` looks at, for names.def (names_program.c). */
struct rl_value rl_card_idle(const struct rl_eval *eval);
/* The same: time of copies from and to pageable memory over busy time. */
struct rl_value rl_card_pageable_share(const struct rl_eval *eval);
/* The speedup of a program whose copies of pageable memory run at the measured rates of the link; missing where no rate was
 * measured, and where it is unknown when kernels ran. */
struct rl_value rl_card_copy_gain(const struct rl_eval *eval);
/* Seconds that copies between the device and the host take longer than at the measured rate of the link; missing where no rate was
 * measured. */
struct rl_value rl_copy_excess_s(const struct rl_gpu_result *card, bool to_device, double bytes, double seconds);
/* The rules (finding.c). */
void rl_step_findings(struct rl_analysis *analysis, struct rl_eval *eval);
/* Finds the counters requested by name (counters.c). */
void rl_step_counters(struct rl_analysis *analysis, struct rl_eval *eval);
struct known;
/* Calls `take` with each counter that plans add to passes as a witness (plan.c). */
void rl_plan_each_witness(void (*take)(struct known *known, const char *name), struct known *known);

/* Whether there are matrix operations whose type was not counted (arithmetic.c). */
bool rl_has_untyped_tensor_work(const struct rl_value *metric);
/* The floating-point rows of the set tensor; types that the chip does not have count nothing (arithmetic.c). */
struct rl_value rl_tensor_operations(struct rl_eval *eval);

/* Whether the kernel should have counters and has none (kernel_facts.c). */
bool rl_lacks_counters(const struct rl_eval *eval, const struct rl_kernel *kernel);
/* Kernels on the GPU that are to be counted, all of them or those without counters (kernel_facts.c). */
struct rl_value rl_kernels_to_count(const struct rl_eval *eval, bool uncounted_only);

/* Appends what stands for the name of `len` bytes. */
typedef void (*rl_fill)(void *context, const char *name, size_t len, struct rl_buf *out);
/* Appends `pattern` with each "{name}" replaced by what `fill` appends for it. Braces in patterns are always pairs. */
void rl_expand_placeholders(struct rl_buf *out, const char *pattern, rl_fill fill, void *context);

/* Formatted text in the arena of the analysis: what `buf` holds; `buf` is released. */
char *rl_analysis_keep_text(struct rl_analysis *analysis, struct rl_buf *buf);

/* limits.c: values of samples in the place of counters that were not read (analysis/sampled.h). */

/* Each sampled counter is moved to both ends of its interval, one after the other. */
enum { RL_ESTIMATE_STEPS = 2 * RL_SAMPLED_COUNT };

/* Half of the interval of what is made of sampled values: by how much each of these moves it, added up. */
struct rl_moves {
    double sum, last;
};

/* ---- what families.c has from others of this folder ---- */

/* Launches of the class whose counters were read: of an imported class with counters all of them. */
uint64_t rl_class_counted(const struct rl_analysis *analysis, const struct rl_program_class *class);
/* The figures of a family whose classes, times and counts are there; they live in the arena (family_figures.c). */
const struct rl_family_figures *rl_family_figures_new(const struct rl_analysis *analysis, struct rl_arena *arena,
                                                      const struct rl_family *family);
/* The id of the family that a kernel belongs to: rl_kernel_id without the shape (program.c). */
void rl_family_id(const struct rl_kernel *kernel, char id[RL_KERNEL_ID]);
