/* families.h - kernels of a program that are launched in many shapes: one row for a kernel with hundreds of grids.
 *
 * Classes of one kernel on one GPU that differ in grid, block or dynamic shared memory are a *family* from RL_FAMILY_SHAPES on;
 * with fewer shapes each stays a class, because so few can be read one by one. Classes of the suite are never combined.
 */
#pragma once

#include "analysis/analysis.h"

enum { RL_FAMILY_SHAPES = 9 };

/* Order statistics of a figure over shapes, each counting once; n == 0: no shape has it. */
struct rl_spread {
    size_t n;
    double least, low, median, high, greatest; /* low, high: the quartiles */
};

/* Figures in which the counted shapes of a family may differ. */
enum rl_trait {
#define TRAIT(id, label, unit) RL_TRAIT_##id,
#include "analysis/traits.def"
#undef TRAIT
    RL_TRAIT_COUNT
};
/* Whether shapes agree in it: the largest is at most 10 % above the smallest. False when fewer than two have it. */
bool rl_spread_agrees(const struct rl_spread *spread);

/* Shapes that the same limits. */
struct rl_family_limiter {
    size_t limiter;    /* rl_limiter_of */
    uint64_t tied;     /* the others named with it (struct rl_limiting) */
    const char *label; /* of all of them, "DRAM bandwidth and L2 bandwidth (read)" */
    size_t shapes;     /* with a time */
    size_t between;    /* those of them that were not counted, and whose neighbours by number of blocks have this limiter */
    double gpu_s;
    double limiter_s; /* GPU time of all shapes with this limiter, whatever is tied with it */
};

/* Figures of a family other than its sums. */
struct rl_family_figures {
    size_t timed_shapes;            /* of which some launch was timed */
    size_t least, middle, greatest; /* kernels of the capture: of the fewest blocks, of the median number, of the most */
    struct rl_spread blocks;        /* of a grid */
    bool one_block;                 /* all have the same block and shared memory, and so the same theoretical occupancy */
    struct rl_spread per_block_s;   /* mean time of a launch over the blocks of its grid */
    struct rl_value median_s;       /* of the times of all launches: samples of a class stand for all launches of it */
    struct rl_value min_s, max_s;   /* of single launches */
    /* Counters: of shapes that were counted and timed and whose passes agree. */
    size_t counted_shapes, disagreeing_shapes; /* so many, and so many that were counted and left out because passes disagree */
    uint64_t counted;                          /* launches of the former */
    struct rl_spread trait[RL_TRAIT_COUNT];
    /* The mean counted launch: counts are sums over the counted launches by their number, and rates are ratios of such sums: a
     * launch's time is the median of its class, occupancy and issue slots are weighted with it. What cannot be had so is missing.
     */
    struct rl_value metric[RL_METRIC_COUNT];
    struct rl_value time_s;     /* of such a launch */
    struct rl_value roof_share; /* time of each at its nearest roof over time, both summed */
    enum rl_resource nearest;   /* that roof; RL_RESOURCE_COUNT: shapes differ in it */
    /* Limiters of shapes, the one with the most time first. If shapes differ, each is named with its share of the time. A shape
     * without counters has the limiter of the counted shapes of its block that have the next fewer and the next more blocks, if
     * both have the same; otherwise its limiter is unknown. */
    const struct rl_family_limiter *limiters;
    size_t limiter_count;     /* 0: no shape has a time */
    const char *limited_by;        /* "DRAM bandwidth (72.0 % of its time), launch overhead (28.0 %)"; one alone without a share.
                                    * "~": some of these shapes were not counted */
    const char *mostly;       /* the first of them, for a table: "DRAM bandwidth (72.0 %)" */
    enum rl_bound bound;      /* of the first of them */
    enum rl_resource limiter; /* likewise; RL_RESOURCE_COUNT: no resource limits those shapes */
    struct rl_value limiter_share; /* of them, if counted: time at the roof of that resource over time, both summed */
    const char *above_roof;        /* of the first shape that lies above a roof; NULL: none does */
    double above_roof_ratio;       /* its rate over that ceiling */
    size_t foremost;               /* kernel of the one of these shapes with the most time; RL_NONE: there is none */
};

/* A family, or a class alone. */
struct rl_family {
    const struct rl_program_class *classes; /* of it: the most time first, then those without a time, the most launches first */
    size_t shapes;                          /* how many; 1: a class alone */
    size_t kernel;                          /* of the first of them, in the capture */
    size_t gpu, gpus;                       /* that stands for those on which it ran (rl_cards_represented), and how many */
    const char *label;                      /* of a family its name, as short as tells it from others; of a class its label */
    char id[RL_KERNEL_ID];                  /* of a family "f" and five letters or digits of a hash of the name */
    struct rl_class_time time;
    double gpu_s, share;                     /* sums of its classes' */
    uint64_t counted;                        /* launches whose counters were read */
    const struct rl_family_figures *figures; /* NULL: a class alone */
};
/* GPU time in seconds; missing when no launch was timed. */
struct rl_value rl_family_gpu_s(const struct rl_family *family);
/* The roof in the row of a family, and the share of it: the nearest one, if shapes agree in it; otherwise that of the limiter of
 * most of its time, for the shapes that it limits. `*resource` is RL_RESOURCE_COUNT where neither is known. */
struct rl_value rl_family_nearest(const struct rl_family_figures *figures, enum rl_resource *resource);
/* Share of the GPU time of all classes, 0..1; missing when no launch was timed. */
struct rl_value rl_family_share(const struct rl_family *family);

/* Kernels of a capture, those of many shapes as one, and those of GPUs that are alike. */
struct rl_families {
    struct rl_arena arena;
    struct rl_family *at; /* in the order of classes: the largest time first */
    size_t count;
    size_t folded;     /* families among them */
    size_t *of_kernel; /* of each kernel of the capture: index in `at`; RL_NONE: not among the classes */
    struct rl_program_class *classes;
    size_t *represented, *joined_into; /* of the groups */
    struct rl_kernel_use *joined;
};
enum rl_fold {
    RL_FOLD_NONE,     /* every class stays alone */
    RL_FOLD_EACH_GPU, /* a family is of one GPU */
    RL_FOLD_ALIKE,    /* of GPUs that are alike, and so is a class */
    RL_FOLD_RANKS,    /* of a program of several ranks: of all their GPUs, as its classes are */
};
/* Classes of which those that may be a family stand behind one another: what a capture says of families without an analysis. */
struct rl_class_groups {
    struct rl_program_class *classes;
    size_t *ends; /* where each group ends */
    size_t count; /* of groups */
    enum rl_fold fold;
    size_t *represented;          /* rl_cards_represented; NULL: each GPU stands for itself */
    size_t *joined_into;          /* of each kernel of the capture the one whose class it was put into; NULL with `represented` */
    struct rl_kernel_use *joined; /* what `use` of such classes points into */
};
/* Puts classes of the capture (rl_classes_of, or those of a program) together. Never fails; n log n. The classes are copied. To be
 * given to rl_families_new. */
struct rl_class_groups *rl_class_groups_new(const struct rl_capture *capture, const struct rl_program_class *classes, size_t count,
                                            enum rl_fold fold);
/* The same of all classes of the capture. */
struct rl_class_groups *rl_class_groups_of_capture(const struct rl_capture *capture, enum rl_fold fold);
/* The same, classes of one kernel on GPUs that are alike as one: that with counters, then that with the most time, stands for them.
 */
struct rl_class_groups *rl_class_groups_of_alike(const struct rl_analysis *analysis);
/* Makes families of groups, which it takes over. Never fails; n log n. Nothing is borrowed but what the classes and the analysis
 * point into. Free with rl_families_free. */
struct rl_families *rl_families_new(const struct rl_analysis *analysis, struct rl_class_groups *groups);
/* Frees it; NULL is allowed. */
void rl_families_free(struct rl_families *families);

struct rl_gpu_spread {
    struct rl_value low_s, high_s;         /* median time of a launch */
    struct rl_value low_share, high_share; /* time at the roof of a resource over it */
};
/* How the kernel of a row differs between GPUs that are alike; missing for a family. */
struct rl_gpu_spread rl_family_spread(const struct rl_analysis *analysis, const struct rl_families *families,
                                      const struct rl_family *family, enum rl_resource resource);

/* The GPU that stands for a GPU of the capture: itself, unless GPUs that are alike are one. RL_NONE stays. */
size_t rl_families_gpu(const struct rl_families *families, size_t gpu);

/* The number of rows, the largest time first, that make up `share` (0..1) of the time. Rows without a time are never counted. */
size_t rl_families_leading(const struct rl_families *families, double share);

/* Time of the kernels of which at least one shape has counters, s: what rl_coverage says, and the other shapes of those families.
 */
double rl_families_covered_s(const struct rl_families *families);

/* Time of the classes without counters that have estimates from samples, s. */
double rl_families_sampled_s(const struct rl_families *families);

/* ---- findings ---- */

/* A finding, and whose it is. */
struct rl_ranked_finding {
    const struct rl_finding *finding; /* borrowed from the analysis */
    size_t kernel;                    /* of the capture; RL_NONE: of the session or of a GPU */
    size_t shapes;                    /* of a family: of so many of its shapes, this one first; otherwise 1 */
    size_t gpus;                      /* of a GPU: so many that are alike have it, this one first; otherwise 1 */
    double saving_s;                  /* what it could save in all of them */
    bool repeats;                     /* an earlier one of the list that it is in has its action */
    bool repeats_reason;              /* the same of the reason why its saving is unknown */
};
/* All findings, those that matter most first: wrong results, the state of session and GPUs, figures that are not to be relied on,
 * then kernel by kernel, the one that could save the most time first, its findings in the same order. What is alike stays in the
 * order of the capture. With `families` (may be NULL) what a rule found of the shapes of one is one finding: that of the shape
 * where it could save most, and what all of them could save decides its place; so is what it found of GPUs that are alike. `ranked`
 * is allocated (NULL when there are none), to be freed by the caller. Returns their number. */
size_t rl_findings_rank(const struct rl_analysis *analysis, const struct rl_families *families, struct rl_ranked_finding **ranked);
/* Whether two findings about GPUs are one, because a rule found the same of GPUs that are alike. `families` may be NULL. */
bool rl_findings_are_one(const struct rl_families *families, const struct rl_finding *a, const struct rl_finding *b);
