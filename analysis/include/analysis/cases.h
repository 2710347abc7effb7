/* cases.h - cases: work with parameters, "gemm M=512,N=4096", timed several times, from NVTX ranges with parameters in their names
 * and from imported benchmarks (capture/program.h).
 *
 * A name is an optional text, then parameters KEY=VALUE with commas, semicolons or blanks between them; brackets around all of them
 * and blanks around '=' are allowed. A word without '=' behind a blank belongs to the value before it ("size=4 MiB"), behind a
 * comma or semicolon it is a parameter without a value. Values are any text. The order of parameters does not matter.
 */
#pragma once

#include "analysis/analysis.h"
#include "analysis/verdict.h"

/* ---- names ---- */

enum { RL_CASE_PARAMETERS = 32 }; /* of one case; further text belongs to the last value */
struct rl_case_parameter {
    const char *key, *value; /* value "": none */
    struct rl_value number;  /* in its base unit, "4 MiB": 4194304; missing: it is no number with a known unit */
    const char *unit;        /* of the number: "", "B", "s", "Hz", "FLOP", "%"; numbers of two units are compared as texts */
};
struct rl_case_name {
    const char *name; /* without parameters; "": none */
    struct rl_case_parameter *parameters;
    size_t count;
    const char *twice; /* a key that occurs twice; NULL: none */
    const char *key;   /* canonical form: equal for equal cases */
};
/* Parses a name; false if it has no parameter. Texts are in the arena. */
bool rl_case_name_parse(struct rl_arena *arena, const char *text, struct rl_case_name *name);

/* ---- cases ---- */

struct rl_case_kernel {
    size_t kernel; /* in the capture */
    uint64_t launches;
    double gpu_s;  /* of them, added up */
    double share;  /* of those of all kernels of the case, 0..1 */
    double others; /* share of the kernel's timed launches outside this case; its counters include them */
};
struct rl_case {
    const char *label;       /* as it was first written */
    const char *short_label; /* without the parameters that every case of its group shares, for which "…" stands */
    struct rl_case_name name;
    size_t group;      /* of those with the same name and keys, on one GPU */
    size_t gpu;        /* RL_NONE: unknown */
    bool is_benchmark; /* timed by others: there are no kernels */
    /* Times of instances, in the order in which they were entered: from the first kernel's start to the last one's end; of a
     * benchmark its samples. */
    double *seconds;
    size_t n;
    struct rl_stats time;
    struct rl_value busy_s, gap_s, host_s; /* medians: kernels running, the rest of the time, between entering and leaving */
    uint64_t instances;                    /* instances entered, or samples of a benchmark */
    uint64_t beyond;                       /* instances that were not kept */
    uint64_t empty;                        /* kept, without a launch */
    uint64_t untimed;                      /* kept, with launches that were counted or lost, so that they have no time */
    uint64_t assumed;                      /* launches of it by assumption (capture/program.h) */
    uint64_t nested;                       /* instances inside an instance of the same case, which are part of that */
    const char *untold;                    /* why it has no time; NULL: it has one */
    struct rl_case_kernel *kernels;        /* the most time first */
    size_t kernel_count;
    uint64_t launches;                       /* timed, of all instances */
    const struct rl_family_figures *figures; /* counters of its kernels as ratios of sums; NULL: none was counted */
    double counted;                          /* share of the kernels' time with counters, 0..1 */
    struct rl_value flop, bytes;             /* of one instance: operations, DRAM traffic */
    struct rl_value work;                    /* one of these or another work; `rate` is work per second, in `unit` */
    struct rl_value rate;
    enum rl_unit unit;          /* of the rate; RL_UNIT_NONE: `rate_of` in a second */
    const char *rate_of;        /* "FLOP", "B", "tokens" */
    struct rl_value roof_share; /* times at the roofs over times of the kernels */
    struct rl_value roof_rate;  /* the rate at that roof */
    enum rl_bound bound;
    enum rl_resource limiter; /* RL_RESOURCE_COUNT: none */
    const char *limited_by;   /* what limits its kernels, in words (struct rl_family_figures) */
    char **remarks;           /* caveats on the figures */
    size_t remark_count, remark_cap;
};
/* Cases with one name and the same keys. */
struct rl_case_group {
    const char *name;    /* "": none */
    size_t first, count; /* in `order` */
    const char *axis;    /* key of the number with the most values; NULL: none has two */
};
struct rl_cases {
    struct rl_arena arena;
    const struct rl_analysis *analysis;
    struct rl_case *at; /* by group, then by their parameters: numbers ascending, then texts */
    size_t count;
    struct rl_case_group *groups; /* the most GPU time first */
    size_t group_count;
};
/* The cases of a capture; n log n. Free with rl_cases_free, before the analysis. */
struct rl_cases *rl_cases_new(const struct rl_analysis *analysis);
/* Frees it; NULL is allowed. */
void rl_cases_free(struct rl_cases *cases);
/* The value of a parameter; NULL: the case has none of that key. */
const struct rl_case_parameter *rl_case_parameter_of(const struct rl_case *of, const char *key);
/* Appends the parameters but for one key, "N=4096, dtype=bf16". */
void rl_case_others_text(const struct rl_case *of, const char *but, struct rl_buf *out);

/* ---- comparison ---- */

struct rl_comparison;
struct rl_case_pair {
    const struct rl_case *base, *new; /* in the first session of each side */
    size_t number;                    /* among cases of the same name, which are of several GPUs */
    struct rl_change change;          /* UNDECIDED without times on both sides */
};
struct rl_case_comparison {
    struct rl_cases **sessions[2]; /* of base and new */
    size_t session_counts[2];
    const struct rl_cases *base, *new; /* the first ones */
    struct rl_case_pair *pairs;        /* SLOWER, FASTER, UNDECIDED, SAME; the largest change first */
    size_t pair_count;
    const struct rl_case **removed, **added; /* of one side only */
    size_t removed_count, added_count;
    size_t verdicts[4];
    size_t comparisons;    /* pairs with times on both sides, at least 1: their intervals hold together */
    struct rl_ratio whole; /* geometric mean of the ratios of `whole_of` pairs, those with an interval where any has one */
    size_t whole_of;
    enum rl_verdict verdict; /* on it */
};
/* Compares the cases of both sides, matched by name, parameters and position among several GPUs, over all sessions, as kernels are.
 * Intervals of all cases hold together. `rules`, `relation` and the sessions of `comparison` must be set. NULL if neither side has
 * cases; otherwise free with rl_case_comparison_free, before the analyses. */
struct rl_case_comparison *rl_case_comparison_new(const struct rl_comparison *comparison);
/* Frees it; NULL is allowed. */
void rl_case_comparison_free(struct rl_case_comparison *comparison);
