/* analysis.h - from a capture to results: metrics, rooflines, occupancy, verdicts on claims, findings.
 *
 * Plain C, no GPU, opens no file. Input is a `struct rl_capture`, output a `struct rl_analysis`, which show, report and compare
 * read. The analysis refers to the capture and must be freed before it.
 */
#pragma once

#include "analysis/limits.h"
#include "analysis/program.h"
#include "core/groups.h"

/* Indices of a capture: the rows of one variant, GPU or experiment without searching all rows. */
struct rl_index {
    struct rl_groups kernels_of_variant, kernels_of_gpu, ceilings_of_gpu, transfers_of_gpu;
    struct rl_groups variants_of_gpu;                     /* in the order of the capture */
    struct rl_groups variants_of_experiment;              /* by GPU, then in the order of the capture */
    size_t *named;                                        /* as variants_of_experiment.at, but those on one GPU by name */
    struct rl_groups claims_of_gpu, claims_of_experiment; /* results, the latter by GPU, then by claim; once claims are judged */
    struct rl_groups findings_of_gpu;                     /* the last group: those of the session; set after all findings */
    bool has_ranks;                                       /* rl_has_ranks */
    const char **rank_of_gpu;                             /* of the first process that used it; NULL: it has none */
};

/* Free with rl_index_release, before the capture. */
void rl_index_make(struct rl_index *index, const struct rl_capture *capture);
/* Frees what rl_index_make has allocated. */
void rl_index_release(struct rl_index *index);

/* The variants of an experiment on a GPU, in the order of the capture: `*at` borrows them. Returns their number. */
size_t rl_variants_on(const struct rl_index *index, const struct rl_capture *capture, size_t experiment, size_t gpu,
                      const size_t **at);
/* The first of them with a name; RL_NONE: there is none. */
size_t rl_variant_named(const struct rl_index *index, const struct rl_capture *capture, size_t experiment, size_t gpu,
                        const char *name);

/* ---- metrics (metrics.def) ---- */

enum rl_metric {
#define METRIC(id, ...) RL_METRIC_##id,
#include "analysis/metrics.def"
#undef METRIC
    RL_METRIC_COUNT
};
enum rl_metric_set {
#define SET(id, ...) RL_SET_##id,
#include "analysis/sets.def"
    RL_SET_COUNT
};
struct rl_set_info {
    const char *name, *title;
    unsigned includes; /* bits 1u << enum rl_metric_set */
    const char *also;  /* metric ids, separated by blanks; NULL: none */
    bool suite;
    const char *words;
};
extern const struct rl_set_info rl_sets[RL_SET_COUNT];
enum { RL_SETS_ALL = (1u << RL_SET_COUNT) - 1 };
/* RL_SET_COUNT when there is no such name. */
enum rl_metric_set rl_set_find(const char *name);
/* The sets that the suite collects by default: bits 1u << enum rl_metric_set. */
unsigned rl_sets_of_suite(void);

struct rl_metric_info {
    const char *id, *label;
    enum rl_unit unit;
    enum rl_metric_set set;
    const char *formula, *zero_reason, *definition;
};
extern const struct rl_metric_info rl_metrics[RL_METRIC_COUNT];
/* Whether the metric is a stall reason, as a share of the warps' time. */
static inline bool rl_metric_is_stall(enum rl_metric metric)
{
    return rl_metrics[metric].set == RL_SET_TOPSTALLS || rl_metrics[metric].set == RL_SET_STALLS;
}
/* RL_METRIC_COUNT when there is no such id. */
enum rl_metric rl_metric_find(const char *id);
/* Whether a name is a vendor's counter ("dram__bytes.sum"): it has two adjacent underscores, unlike names of rooflight. */
bool rl_names_counter(const char *name);

/* ---- other names in formulas (names.def) ---- */

enum rl_subject { RL_OF_LAUNCH, RL_OF_CARD, RL_OF_SESSION };

enum rl_name {
#define NAME(id, ...) RL_NAME_##id,
#include "analysis/names.def"
    RL_NAME_COUNT
};
struct rl_name_info {
    const char *id;
    enum rl_subject subject;
    enum rl_unit unit;
    const char *needs; /* metric ids, separated by blanks */
    const char *definition;
};
extern const struct rl_name_info rl_names[RL_NAME_COUNT];

/* ---- ceilings (ceilings.def) ---- */

enum rl_ceiling_id {
#define CEILING(id, ...) RL_CEILING_##id,
#include "analysis/ceilings.def"
#undef CEILING
    RL_CEILING_COUNT
};
enum rl_level {
    RL_LEVEL_DRAM,
    RL_LEVEL_L2,
    RL_LEVEL_L1,
    RL_LEVEL_SHARED,
    RL_LEVEL_FP64,
    RL_LEVEL_FP32,
    RL_LEVEL_FP16,
    RL_LEVEL_TENSOR,
    RL_LEVEL_ISSUE,
    RL_LEVEL_ATOMIC,   /* in L2 and in shared memory */
    RL_LEVEL_DISPATCH, /* starting blocks and kernels */
    RL_LEVEL_LINK
};
enum rl_ceiling_kind { RL_BANDWIDTH, RL_COMPUTE };
enum rl_ceiling_role { RL_ROOF, RL_BENCHMARK };
struct rl_ceiling_info {
    const char *id, *label;
    enum rl_unit unit;
    enum rl_level level;
    enum rl_ceiling_kind kind;
    enum rl_ceiling_role role;
    const char *measured;           /* id of its runs in the capture */
    const char *formula, *fallback; /* NULL: no theoretical figure; none without counters */
    const char *definition;
};
extern const struct rl_ceiling_info rl_ceilings[RL_CEILING_COUNT];

/* A measurement that others published (published.def). */
struct rl_published {
    const char *card;     /* pattern: * and ? */
    const char *measured; /* id of the micro-benchmark */
    double value;
    const char *source;
};
extern const struct rl_published rl_published[];
extern const size_t rl_published_count;
/* The highest published figure for a GPU's name (NULL: unknown GPU); NULL when there is none. */
const struct rl_published *rl_published_best(const char *card, const char *measured);

/* A roof of a GPU. The measured figure is that of the configuration with the highest median among those with at least 30 samples,
 * or among all if there are none. A median above 1.01 times the limit is refused, because the measurement or the theory is wrong;
 * the theoretical figure is then the roof. */
struct rl_ceiling {
    struct rl_value
        theoretical; /* at the observed clock: median over the GPU's kernels; per second, base unit. Without counters
                        at the clock of the measured run, without such a run at the median or the highest clock of the GPU */
    struct rl_value theoretical_low, theoretical_high; /* spread over the launches of the session (their clocks differ) */
    struct rl_stats measured;                          /* n == 0: not measured, or refused */
    size_t run;                                        /* the configuration, in the capture; RL_NONE: not measured */
    struct rl_value limit;                             /* the theoretical figure at the clock of that run */
    bool by_clock;                                     /* it is proportional to the SM clock */
    struct rl_value share;                             /* measured median over limit, also of a refused figure */
    const char *refused;                               /* why a measured figure is not used; NULL: it is */
    struct rl_stats sustained;                         /* after long load; n == 0: not measured */
    size_t sustained_run;                              /* RL_NONE: not measured */
    struct rl_value sustained_share;                   /* its median over the measured one */
    const struct rl_published *published;              /* the best figure for this GPU; NULL: none known */
    struct rl_value published_share;                   /* measured median over it */
    struct rl_value clock;                             /* Hz, of the SMs: theory (rl_ceiling_theory) is at it; missing where theory
                                                          does not go with that clock */
    struct rl_value data_sheet;       /* peak that the GPU's maker prints, else at the clock behind what he prints */
    struct rl_value data_sheet_share; /* measured median over it */
};
/* The theoretical peak at the clock of the measurement, otherwise at the observed clock. */
struct rl_value rl_ceiling_theory(const struct rl_ceiling *ceiling);
/* The roof that kernels are compared with: the measured median, otherwise the theoretical figure. */
struct rl_value rl_ceiling_figure(const struct rl_ceiling *ceiling);
/* Whether lists show it: roofs always, other benchmarks if they were measured. */
bool rl_ceiling_listed(const struct rl_ceiling *ceiling, enum rl_ceiling_id id);

/* ---- FLOP and their roofs (arithmetic.c) ---- */

/* Kinds of arithmetic and their roofs: vectors of three precisions; matrices by operand type, where the set tensor counted them;
 * and the rest of flop_tensor, whose type no counter gives (an imported sum). The rest is compared with the FP16 roof, and no
 * conclusion is drawn that another type would change (enum rl_bound). */
struct rl_arithmetic {
    enum rl_metric work; /* flop_tensor: the rest of it */
    enum rl_ceiling_id roof;
    bool matrix;
    bool untyped;
    int since;              /* compute capability from which on there is any (80: 8.0); 0: on all that are known */
    const char *impossible; /* the state of a GPU before that */
};
enum { RL_ARITHMETICS = 10 };
extern const struct rl_arithmetic rl_arithmetics[RL_ARITHMETICS];
/* Operations of a kind, from the RL_METRIC_COUNT metrics of a launch or run. Those of a type that was not counted are in the rest,
 * which is missing if flop_tensor is. INT8 is missing if it was not counted and floating-point operations do not account for the
 * matrix instructions. */
struct rl_value rl_arithmetic_work(const struct rl_value *metric, size_t kind);

/* ---- rules (findings.def) ---- */

enum rl_relation_to { RL_ABOVE, RL_BELOW };

enum rl_rule {
#define FINDING(id, ...) RL_RULE_##id,
#include "analysis/findings.def"
#undef FINDING
    RL_RULE_COUNT
};
#define RL_MAX_RELIEFS 2

struct rl_rule_info {
    const char *id;
    enum rl_subject subject;
    const char *title, *problem; /* names of the good state (not triggered) and of the problem (triggered) */
    const char *value;
    enum rl_unit unit;
    enum rl_relation_to relation;
    double threshold;
    const char *when, *words, *action, *gain;
    const char *relieves; /* ids of resources whose work the advice reduces, separated by blanks; NULL: none */
    struct {
        const char *gain, *relieves;
    } also[RL_MAX_RELIEFS]; /* further resources with another factor; gain NULL: none */
    bool in_turn;           /* the removed work is done by each warp in turn */
    bool at_most;           /* the value is a share of the time, and an upper bound on the saving */
    bool no_advice;         /* about the result or the measurement, not about performance */
    bool of_the_call;       /* the advice is for the caller of the kernel, also of a library's kernel */
    const char *source;
};
extern const struct rl_rule_info rl_rules[RL_RULE_COUNT];

#define RL_LEAST_GAIN 1.05

struct rl_finding {
    const char *id; /* row of findings.def */
    enum rl_rule rule;
    size_t gpu;      /* the GPU that it is about; RL_NONE: the session */
    char *text;      /* the observation, with figures and threshold, and then the action */
    size_t evidence; /* offset of the observation in the text, after the name of one of several GPUs */
    char *action;    /* the action, one sentence: the end of the text */
    /* Estimated speedup, e.g. 2.1: the work of the limiter and related resources falls by what the rule counts (sectors,
     * wavefronts, instructions), and the next resource limits, at the same share of its roof. Missing if unknown or under
     * RL_LEAST_GAIN. For rules about parallelism at most up to the nearest roof. */
    struct rl_value gain;
    bool worthless; /* the gain is known and under RL_LEAST_GAIN */
};

/* The result of a rule for one subject. */
enum rl_verdict_on_rule {
    RL_NOT_JUDGED,  /* an input is missing: `value` has the reason */
    RL_RULE_SILENT, /* not triggered: within the threshold, or `when` of findings.def does not hold */
    RL_RULE_SPOKE,  /* triggered: there is a finding */
};
struct rl_judgement {
    enum rl_verdict_on_rule verdict;
    struct rl_value value; /* the figure that was judged, in the rule's unit */
};

/* ---- results ---- */

/* "memory-bound", "compute-bound", "latency-bound", "dispatch-bound", "parallelism-bound", "launch-bound", "host-bound", "unknown"
 */
const char *rl_bound_name(enum rl_bound bound);

/* An estimate from samples of the whole GPU (analysis/sampled.h). */
struct rl_estimate {
    struct rl_value value; /* missing: none, or too uncertain */
    double half_width;     /* of its 95 % CI */
};

struct rl_kernel_result {
    size_t kernel;            /* index in the capture */
    const char *label;        /* "coalescing / stride_1", or the kernel's shortened name, longer where others share it */
    const char *short_name;   /* kernel name without return type, arguments and template arguments */
    size_t siblings;          /* kernel classes of its variant, itself included; 0: not of the suite */
    bool wrong;               /* the variant has a wrong result: show no performance */
    double clock_step_s;      /* step of the clock of the times, estimated over all kernels with that clock */
    struct rl_stats duration; /* seconds; n == 0: no times; the interval includes order and clock step (core/stats.h) */
    /* The divisor of counted work: the median of the times; where counters are means over the launches (imported ones), the
     * mean, so that a rate is work of all launches over the time of all. Without times, the duration that an imported class has as
     * a value (bytes over their throughput); otherwise missing. */
    struct rl_value rate_time_s;
    struct rl_occupancy occupancy;           /* static, from the launch */
    struct rl_value metric[RL_METRIC_COUNT]; /* from exact counters, and from what needs none */
    const struct rl_estimate *estimate;      /* RL_METRIC_COUNT, for metrics without exact values; NULL: nothing is estimated */
    enum rl_bound bound;
    struct rl_value roof_share;              /* see enum rl_bound */
    bool types_matter;                       /* the bound is unknown because matrix operations were not counted by type */
    struct rl_value roof_time_s;             /* time of the launch at its roof */
    struct rl_value useful_bytes_per_second; /* of the work model, over the median duration; missing when the variant has several
                                               kernel classes */
    const char *above_roof;                  /* explanation if it is more than 1 % above a roof; otherwise NULL */
    double above_roof_ratio;                 /* rate over that roof; 0 otherwise */
    /* Difference between repeated values of a counter, from several passes or several runs in one pass: (largest - smallest) /
     * largest, of the counter that differs most. Above 2 % the passes saw different work: metrics made of several passes are
     * missing (RL_DISAGREES), for a program's class also rates. Shares of roofs then have this range, and are missing if it reaches
     * the smallest share that limits; those by counters of `own_pass` alone do not. Missing if no counter was repeated. */
    struct rl_value disagreement;
    bool unlike; /* passes disagree, and counted launches took much longer or shorter than any timed one, or are of a variant, whose
                    launches have the same input: its place under the roofs is unknown */
    const char *disagrees;   /* the counter and its values: "l1tex__t_sectors.sum: 100 to 104"; NULL: passes agree or are unknown */
    uint32_t broken;         /* bits 1u << enum rl_invariant: violated invariants of its counters (invariants.h) */
    unsigned contradictions; /* number of violated invariants that are not quiet */
    const char *contradicts; /* the violations in words, including quiet ones; NULL: none */
    size_t own_pass; /* of a program's kernel whose launches did different work: the pass that timed its launches itself. The
                      * limiter is that of these launches, over their own time (`rate_time_s`). RL_NONE: passes agree, or none has
                      * timed launches that took about as long as the others */
    struct rl_limiting limits;   /* time at every resource, and the limiter */
    struct rl_finding *findings; /* in the analysis' arena */
    size_t finding_count;
    struct rl_judgement judgement[RL_RULE_COUNT]; /* of the rules about launches; the others are not judged here */
};

/* The limiter of a launch (rl_limiter_of); unknown if it is above a roof, because roof or counters are then doubtful. */
size_t rl_kernel_limiter(const struct rl_kernel_result *result);
/* The same in words, with those that it cannot be distinguished from: "DRAM bandwidth and L2 bandwidth (read)". */
const char *rl_kernel_limited_by(const struct rl_kernel_result *result);

/* A launch, and how often it ran. */
struct rl_limited_launch {
    const struct rl_kernel_result *result;
    double launches;
};
/* Limiter of several launches that ran one after another: the resource with the most roof time, if that is 60 % or more of their
 * time; otherwise their common limiter, or none. */
struct rl_place {
    struct rl_value roof_share; /* times at their roofs over their time */
    enum rl_bound bound;
    enum rl_resource limiter; /* RL_RESOURCE_COUNT: none */
    bool types_matter;        /* to one of them */
};
/* `time_s`: of all of them, also what is between them; missing when it is unknown. */
struct rl_place rl_place_of_several(const struct rl_limited_launch *launches, size_t count, struct rl_value time_s);

/* The experiment whose counters have reference values. It tests the counters: its claims are reference values, not published ones,
 * and its kernels are extreme on purpose, so no finding advises on them and reports do not begin with them. */
#define RL_SELF_CHECK "self_check"

/* Whether the variant (index in the capture; RL_NONE: none) belongs to it. */
bool rl_is_of_self_check(const struct rl_capture *capture, size_t variant);

/* Whether the variant measures the GPU and is not meant to be fast: of the self-check, or of the experiment of latencies. No
 * finding advises on it. */
bool rl_measures_card(const struct rl_capture *capture, size_t variant);

enum rl_claim_outcome {
    RL_CLAIM_HELD,         /* the whole interval satisfies the claim */
    RL_CLAIM_DID_NOT_HOLD, /* no value of the interval does */
    RL_CLAIM_EXCEEDED,     /* a range was claimed, and the whole interval is above it: more than claimed */
    RL_CLAIM_UNDECIDED,    /* a part of the interval does, or a value is missing */
    RL_CLAIM_REFERENCE,    /* a figure of another GPU: shown, not judged */
};
const char *rl_quantity_noun(const char *id);                     /* quantity of a claim in words; `id` itself if it is unknown */
const char *rl_claim_outcome_name(enum rl_claim_outcome outcome); /* "held", "did not hold", ... */

/* The basis of a claim (claim_bases.def). They are counted apart: a figure of a document may be right or wrong, a direction holds
 * by a threshold that is ours, and the rest is our own expectation. */
enum rl_claim_basis {
    RL_CLAIM_BASIS_FIGURE,
    RL_CLAIM_BASIS_DIRECTION,
    RL_CLAIM_BASIS_EXPECTATION,
    RL_CLAIM_BASIS_ANSWER, /* of the self check */
    RL_CLAIM_BASIS_COUNT,
};
struct rl_claim_basis_words {
    const char *id, *one, *many; /* "figure", "published figure", "published figures" */
};
extern const struct rl_claim_basis_words rl_claim_bases[RL_CLAIM_BASIS_COUNT];

/* The verdict on one claim on one GPU. There is one for every claim of an experiment and every GPU that has a variant of it.
 *
 * The figure is quantity(subject), divided by quantity(baseline) when there is one. Quantities: those of struct rl_variant_result
 * ("time_s", "time_per_operation_s", "useful_bytes_per_second", "overlap_share"), "registers_per_thread", "time_over_reference"
 * (the time of record over the time of launches queued back to back without CUPTI), "traced_instructions_over_counted" (struct
 * rl_tracer_row), and every metric id.
 * Times have 95 % CIs (rl_stats_ratio for ratios); counters have none: the figure itself decides. "about" holds within the
 * relative tolerance, "at_least" and "at_most" are bounds without slack; "between" holds from the value to
 * the upper end of the claim's source, each with the tolerance as slack. */
struct rl_claim_result {
    size_t experiment, claim;  /* indices: experiment in the capture, claim in the experiment */
    const struct rl_claim *of; /* of the capture */
    size_t gpu;
    enum rl_claim_outcome outcome;
    enum rl_claim_basis basis;
    struct rl_value measured, low, high; /* the figure here, with its interval (equal to the figure when there is none) */
    enum rl_unit unit;
    char *text;               /* measured and claimed figure, one sentence without the outcome; names of variants in backticks */
    size_t interval, claimed; /* offsets of the interval and of the claimed figure in it; equal without an interval */
};

/* A variant of the suite: its runs as a whole. */
struct rl_variant_result {
    size_t variant;      /* index in the capture */
    const char *label;   /* "coalescing / stride_1" */
    const char *why_not; /* why there is no result: not supported, failed, wrong; NULL: there is one */
    const char *untimed; /* why there are no times; NULL: there are */
    double *seconds;     /* samples of one run: its own, or its kernels', added sample by sample; in the analysis' arena */
    size_t count;
    double clock_step_s;      /* step of the clock of the samples; for added kernels the sum of theirs */
    struct rl_stats duration; /* of the samples */
    struct rl_value time_s;   /* median */
    struct rl_value time_per_operation_s;
    struct rl_value useful_bytes_per_second;
    /* Achieved overlap of copies to the device, copies to the host and kernels: (sum - union) / (sum - longest) of their busy
     * times, 0 to 1, from the timeline of one run. Missing if the run has no copies or no kernels. */
    struct rl_value overlap_share;
    /* Metrics of a run: those of its kernel if it is one launch; otherwise sums over all launches (bytes, operations,
     * instructions), with their rates and intensities; metrics that cannot be summed are missing. */
    struct rl_value metric[RL_METRIC_COUNT];
    struct rl_place place; /* of its launches in the time of a run */
};

/* How many times as long one variant takes as another: ratio of their median times, with its interval (core/stats.h). */
struct rl_ratio rl_variant_ratio(const struct rl_variant_result *over, const struct rl_variant_result *under);

/* A quantity that the variants of an experiment are compared by. */
struct rl_criterion {
    const char *id; /* as in claims */
    const char *title;
    enum rl_unit unit;
    bool more_is_better;
    bool is_static; /* it follows from the code, not from a time: it has no interval */
};
/* The quantity of a variant; missing with the reason if it did not run, was not timed, or has a wrong result. */
struct rl_value rl_criterion_value(const struct rl_variant_result *run, const struct rl_criterion *quantity);
/* The best variant of an experiment on a GPU and the last one, by the quantity of its claims, else by useful bandwidth, else by
 * time.
 */
struct rl_best_variant {
    const struct rl_criterion *quantity;
    bool comparable;    /* by that quantity: the variants do the same work, for each byte or in all */
    size_t best, worst; /* variants of the capture; RL_NONE: fewer than two have the quantity */
};

struct rl_gpu_result {
    struct rl_ceiling ceiling[RL_CEILING_COUNT];
    struct rl_stats sm_clock;      /* Hz, over the passes of its kernels */
    struct rl_value assumed_clock; /* Hz, the GPU's highest: theoretical ceilings are at it because nothing recorded the SM clock;
                                      missing when something did, or the highest is unknown */
    struct rl_value latency_s[RL_CHAIN_COUNT];    /* of dependent loads, measured by chains of loads */
    const char *latency_from[RL_CHAIN_COUNT];     /* the capture of another GPU of the model; NULL: this one */
    struct rl_program_gpu program;                /* of a profiled program: its time on the GPU */
    struct rl_judgement judgement[RL_RULE_COUNT]; /* of the rules about GPUs */
};

struct rl_over_time;
struct rl_gap;
struct rl_analysis {
    const struct rl_capture *capture;
    struct rl_index index;
    struct rl_arena arena;
    struct rl_gpu_result *gpus;         /* one per GPU of the capture */
    struct rl_kernel_result *kernels;   /* one per kernel of the capture, same order */
    struct rl_variant_result *variants; /* one per variant of the capture, same order */
    struct rl_claim_result *claims;     /* in the order of experiments, claims and GPUs */
    size_t claim_count, claim_cap;
    struct rl_finding *findings; /* of the session: clocks, throttling, coverage, ... */
    size_t finding_count, finding_cap;
    const char **counters; /* that were asked for by name (analysis/plan.h): names of the capture, sorted */
    size_t counter_count;
    unsigned sets; /* bits 1u << enum rl_metric_set: RL_SET_CORE, and those of which some kernel has a value */
    /* Activity of GPUs over time (analysis/timeline.h), in the arena: one per timeline of the capture, and their gaps. */
    struct rl_over_time *over_time;
    size_t over_time_count;
    struct rl_gap *gaps;
    size_t gap_count;
};

/* Analyses a validated capture; never fails. Values that cannot be computed are missing with their reason. Free with
 * rl_analysis_free, before the capture. */
struct rl_analysis *rl_analysis_new(const struct rl_capture *capture);
/* Frees the analysis, not the capture; NULL is allowed. */
void rl_analysis_free(struct rl_analysis *analysis);

/* Looks at every variant of the experiment. */
struct rl_best_variant rl_best_variant_of(const struct rl_analysis *analysis, size_t experiment, size_t gpu);

/* Whether a claim has no tolerance, except for rounding of a sum. */
bool rl_claim_is_exact(const struct rl_claim *claim);

/* The verdicts on the claims of an experiment on a GPU, in the order of its claims: `*at` borrows their indices in `claims`.
 * Returns their number. */
size_t rl_claims_on(const struct rl_analysis *analysis, size_t experiment, size_t gpu, const size_t **at);

/* Number of claims of one basis on a GPU (RL_NONE: on all), by outcome. */
struct rl_claim_tally {
    size_t outcome[RL_CLAIM_REFERENCE + 1];
};
/* Counts the outcomes of one basis, on one GPU or on all. */
struct rl_claim_tally rl_claims_tally(const struct rl_analysis *analysis, size_t gpu, enum rl_claim_basis basis);
/* Appends how many of the claims on a GPU (RL_NONE: on all) hold, by what they rest on: "24 of 44 published figures hold (4 more
 * than claimed), 16 of 24 published directions, 8 of 10 expectations of ours"; nothing where none was judged. */
void rl_claims_held_text(const struct rl_analysis *analysis, size_t gpu, struct rl_buf *out);
/* Number of claims that were decided. */
size_t rl_claims_judged(const struct rl_claim_tally *tally);
/* Number of all claims except figures of other GPUs. */
size_t rl_claims_total(const struct rl_claim_tally *tally);

/* The `index`-th finding of the session, then of a GPU; NULL: there are no more. */
const struct rl_finding *rl_finding_about(const struct rl_analysis *analysis, size_t gpu, size_t index);

/* For each GPU the one that represents it in reports. GPUs are alike if they have the same name, chip and facts, and median SM
 * clocks of their passes within 1 % of the lowest. The representative has the most kernel time without collectives, otherwise it is
 * the first. RL_NONE: the GPU is `hidden` (a flag for each; NULL: none is). The caller frees the array. */
size_t *rl_cards_represented(const struct rl_analysis *analysis, const bool *hidden);
/* Number of the `count` GPUs that a GPU represents, itself included; 0: another one represents it. */
size_t rl_cards_count_represented(const size_t *represented, size_t count, size_t gpu);

/* Whether listings of the capture's metrics show it: its set was collected. */
bool rl_metric_listed(const struct rl_analysis *analysis, enum rl_metric metric);

/* Shape of a launch for rl_occupancy_of; unknown members are -1. */
struct rl_block_shape rl_block_shape_of(const struct rl_kernel *kernel);

/* The result of the kernel that belongs to variant `variant` (the first one), or NULL. */
const struct rl_kernel_result *rl_analysis_of_variant(const struct rl_analysis *analysis, size_t variant);

/* Whether the reading `throttle_reasons` has a reason that lowers the clock (clock_reasons.def); false if it is missing. */
bool rl_clock_throttled(struct rl_value reasons);
/* The union of such reasons over all readings of a GPU, including those of its roofs; missing: no reading. */
struct rl_value rl_clock_lowered_by(const struct rl_analysis *analysis, size_t gpu);
/* Appends the reasons that lower the clock, "power limit, temperature (software)". */
void rl_throttle_reasons_text(struct rl_value reasons, struct rl_buf *out);

/* "stride_kernel" from "void stride_kernel<float, 4>(float*, int, long)": appends to `out`. Operators, lambdas, anonymous
 * namespaces and names that are not C++ are unchanged. Accepts any bytes and any length; the result is a part of the input. */
void rl_kernel_short_name(const char *name, struct rl_buf *out);
/* The same with template arguments, "stride_kernel<float, 4>". */
void rl_kernel_template_name(const char *name, struct rl_buf *out);
