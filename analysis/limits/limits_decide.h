/* limits_decide.h - the limiter of a launch, from its time at every resource, and the steps that findings and claims take around it
 * (private to analysis/). */
#pragma once

#include "internal.h"

/* Fills the rest of result->limits, of which `of` is there. `eval` points at the launch; the sentence goes to the arena. */
void rl_limiting_decide(struct rl_analysis *analysis, struct rl_eval *eval, struct rl_kernel_result *result);

/* The shortest time of a kernel, as it was measured on the GPU; 0: it was not. */
double rl_shortest_launch_s(const struct rl_gpu_result *card);

/* Sets result->limits.sampled_stall of each kernel from samples of its instructions (limits_stalls.c). */
void rl_stalls_sampled(struct rl_analysis *analysis);
/* The most frequent counted stall reason (enum rl_metric); -1: none was counted (limits_stalls.c). */
int rl_counted_stall(const struct rl_kernel_result *result);
/* The lower end of the sampled share, if stalls were not counted (limits_stalls.c). */
struct rl_value rl_sampled_stall_low(const struct rl_kernel_result *result);
/* Appends "62.0 % (55.1 % to 68.4 %)" (limits_stalls.c). */
void rl_sampled_stall_add_share(struct rl_buf *text, const struct rl_sampled_stall *stall);
/* Appends sentences, each with a blank behind it: the hottest line, or how to get lines; and whose the samples are where several
 * classes share them (limits_stalls.c). */
void rl_sampled_stall_add_where(struct rl_buf *text, const struct rl_capture *capture, const struct rl_sampled_stall *stall);
/* Advice on the reason, which must exist (limits_stalls.c). */
const char *rl_sampled_stall_advice(const struct rl_sampled_stall *stall);
/* Appends the sentence about a launch that it limits (limits_stalls.c). */
void rl_sampled_stall_say(struct rl_buf *text, const struct rl_sampled_stall *stall);
/* Appends `before` and why it does not decide the limiter; nothing if no reason stands out (limits_stalls.c). */
void rl_sampled_stall_say_unknown(struct rl_buf *text, const char *before, const struct rl_sampled_stall *stall);

/* Finds launches that start and drain for most of their time, and decides them again: result->limits.fixed (fixed.c). */
void rl_fixed_times(struct rl_analysis *analysis, struct rl_eval *eval);

/* ---- metrics of kernel classes that were sampled and not counted (estimates.c) ---- */

/* Points the evaluator at a kernel class that has no counters, with sampled values in their place: at step 0 these, at step 1 + 2 c
 * and 2 + 2 c those with counter c at the upper and the lower end of its interval. False: there is no such step. */
bool rl_estimates_focus(struct rl_eval *eval, size_t kernel, const struct rl_sampled_values *values, size_t step);
/* Adds what a step (1, 2, 3, ...) made of a value that was `at` at step 0. */
void rl_estimate_widen(struct rl_moves *moves, size_t step, struct rl_value at, struct rl_value moved);
/* Metrics of a class if it was sampled and not counted. */
void rl_kernel_estimates(struct rl_analysis *analysis, struct rl_eval *eval, struct rl_kernel_result *result);

/* ---- what claims are about ---- */

/* A quantity is either a number known exactly or scale x time^power, which has an interval. {s}: subject; {b}: baseline; {r}: "0.12
 * of" or "2 times"; {x}: the ratio alone; {v}: the value; {n}: the noun. */
struct quantity {
    const char *id;
    enum rl_unit unit;
    int power; /* of time; 0: exact */
    struct rl_value (*number)(const struct rl_analysis *analysis, const struct rl_variant_result *result, const char *id);
    const char *noun, *ratio, *value;
};

/* The row of a quantity; a metric makes its own. False: there is no such quantity. */
bool rl_quantity_find(const char *id, struct quantity *quantity);

/* ---- a rule of findings.def while it is judged ---- */

/* A rule about one subject, while it is judged. */
struct rl_look {
    struct rl_analysis *analysis;
    struct rl_eval *eval; /* points at the subject */
    size_t rule;
    bool of_library; /* the subject is a kernel of a library */
    struct rl_value value, gain;
};

/* Whether the value is there, and on that side of the number. */
static inline bool rl_exceeds(struct rl_value value, enum rl_relation_to relation, double number)
{
    return rl_present(value) && (relation == RL_ABOVE ? value.v > number : value.v < number);
}

/* An rl_fill: appends what stands for a name in the rule's words; `context` is a struct rl_look (finding_words.c). */
void rl_finding_fill(void *context, const char *name, size_t len, struct rl_buf *out);

/* ---- Little's law at the levels of memory ---- */

/* Sets rl_gpu_result.latency_s of every GPU from chains of loads: in this capture, otherwise in a sample of the same model
 * (latencies.def); missing if there is neither. */
void rl_latencies_measured(struct rl_analysis *analysis);
/* Bytes that the launch has in flight, by its shares and those latencies, and how long its loads wait. `eval` points at the launch.
 */
struct rl_in_flight rl_in_flight_of(const struct rl_analysis *analysis, struct rl_eval *eval,
                                    const struct rl_kernel_result *result);

/* Advice where warps wait: one row for each stall of core/stall_reasons.def.
 *
 * RL_ADVICE_ID is one thing to do about reason ID, as an imperative; rules about counted and about sampled stalls end in it. A
 * reason without a row does not compile (limits_stalls.c). Source: Nsight Compute documentation, Profiling Guide, "Warp Stall
 * Reasons"; CUDA C++ Best Practices Guide. */

#define RL_ADVICE_selected     NULL /* no stall */
#define RL_ADVICE_not_selected NULL /* nor is this */
#define RL_ADVICE_long_scoreboard                                                                                                  \
    "Issue several loads before the first result is needed, load 16 bytes at a time, or keep more warps resident."
#define RL_ADVICE_short_scoreboard                                                                                                 \
    "Load wider words from shared memory, keep reused values in registers, and exchange data with shuffles."
#define RL_ADVICE_wait                                                                                                             \
    "Let each thread work on several independent values, so that an instruction does not wait for the one "                        \
    "before it."
#define RL_ADVICE_barrier                                                                                                          \
    "Use smaller blocks, so that others work meanwhile, do more between barriers, or let warps wait only for those that they "     \
    "need."
#define RL_ADVICE_math_pipe_throttle                                                                                               \
    "Use that pipe less: fuse multiplications and additions, use packed or smaller types, or tensor cores."
#define RL_ADVICE_mio_throttle RL_ADVICE_short_scoreboard
#define RL_ADVICE_lg_throttle  "Access whole sectors, move 16 bytes per instruction, and keep reused values in registers."
#define RL_ADVICE_tex_throttle "Fetch more with each texture access, or use ordinary loads for data that needs no filtering."
#define RL_ADVICE_no_instructions                                                                                                  \
    "The code is larger than the instruction cache, or jumps far: unroll less, and do not inline rare paths."
#define RL_ADVICE_imc_miss                                                                                                         \
    "Let the threads of a warp read the same constant, and move constants that they index differently to global memory."
#define RL_ADVICE_branch_resolving "Remove branches from the innermost loop: unroll it, and select values instead of paths."
#define RL_ADVICE_dispatch_stall                                                                                                   \
    "Look at the instructions there for a unit or registers that several of them need at once, and move work of another kind "     \
    "between them."
#define RL_ADVICE_drain                                                                                                            \
    "Store whole sectors, store results as they become ready rather than all at the end, and combine within a block where "        \
    "possible."
#define RL_ADVICE_membar                                                                                                           \
    "Combine within a block first and fence once for it, and use a block-wide fence where a grid-wide one is not needed."
#define RL_ADVICE_sleeping "Sleep for a shorter time, or let the warp do other work until what it waits for is there."
#define RL_ADVICE_warpgroup_arrive                                                                                                 \
    "Give the warps of a group equal work before the matrix instruction, so that none of them arrives late."
#define RL_ADVICE_gmma                                                                                                             \
    "Keep several matrix instructions in flight, and wait for all but the last few of them (wgmma.wait_group above 0)."
#define RL_ADVICE_misc  "Look at the hottest instructions (rooflight show --source) for what they have in common."
#define RL_ADVICE_other RL_ADVICE_misc
