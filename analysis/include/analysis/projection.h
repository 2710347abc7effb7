/* projection.h - bounds and estimates of the launches of a capture on a GPU that was not measured.
 *
 * Two results need no run on that GPU. Theoretical occupancy: the block's threads, registers and shared memory under the limits of
 * the other compute capability. And a bound from the roofline: the counted work (bytes at each memory level, operations of each
 * precision) takes at least as long as the roofs of that GPU require:
 *
 *     t_memory = DRAM bytes / DRAM ceiling, t_shared = shared-memory wavefronts x 128 B / its ceiling
 *     t_compute = sum over precisions of vectors and types of matrices (rl_arithmetics) of operations / ceiling
 *     bound = the largest of them
 *
 * without DRAM writes of lines that earlier launches left dirty in L2: more than the launch itself stored.
 *
 * Matrix operations whose type was not counted are compared with the FP16 roof of either GPU.
 *
 * A roof is the one that rooflight has measured on that GPU model (recorded.def), otherwise the theoretical figure of its data
 * sheet (cards.h); published figures are no bounds. L1, L2 and instructions are left out: their counted bytes include both
 * directions and whole sectors, unlike their roofs, and another compiler may choose other instructions.
 *
 * The estimate is less certain than the bound. It assumes that the launch reaches the same share of its roof there as here,
 * including roofs of L1 and of issue slots:
 *
 *     estimate = measured time here x time at the roofs there / time at the roofs here, but not less than the bound
 *
 * with roofs of the same kind on both sides: measured by rooflight on both, otherwise theoretical. Launches under 60 % of every
 * roof here are marked: their limiter (latency, caches, synchronisation) need not scale with any roof.
 *
 * The interval of the bound follows from other assumptions. Low end: every roof is that of the data sheet, and on a GPU with more
 * L2 a launch that requested more from L2 than came from DRAM needs no DRAM time, because L2 may keep it. High end: the roofs of
 * the bound, and on a GPU with less L2 than the measured one (or if one is unknown) L2 keeps nothing, so all requests of L1 to L2
 * go to DRAM,
 *
 *     t_memory <= max(DRAM bytes, L2 bytes) / DRAM ceiling
 *
 * and packed FP16 is BF16 where that has the lower ceiling, because counters do not distinguish them.
 *
 * The result lists its assumptions (rl_projection.assumptions); docs/projection.md compares projections with published
 * measurements. Method: Williams, Waterman, Patterson, "Roofline", CACM 52(4), 2009.
 */
#pragma once

#include "analysis/cards.h"
#include "analysis/columns.h"

struct rl_projected {
    size_t kernel;                 /* in the capture */
    struct rl_occupancy occupancy; /* static, there; registers and shared memory as compiled here */
    struct rl_value bound_s;       /* smallest time there; missing when nothing was counted, or the result is wrong */
    enum rl_ceiling_id binding; /* the roof that sets it, valid when bound_s is present; of arithmetic, the precision with most of
                                   the time */
    struct rl_value bound_low_s, bound_high_s; /* the bound where the assumptions are kind to the GPU, and where they are not: see
                                                  above; present with bound_s, the high one unless L2 traffic was not counted */
    struct rl_value bound_here_s;              /* time at the roofs of the GPU that was measured, for the estimate */
    struct rl_value share_here;                /* bound_here_s over the measured time */
    struct rl_value estimate_s;                /* missing without a measured time, where limited_elsewhere, and of another chip */
    struct rl_value estimate_low_s, estimate_high_s; /* 90 % of true times, by the launches of samples/; present with it */
    struct rl_value most_speedup;                    /* time measured here / bound_low_s */
    struct rl_value estimate_speedup;                /* time measured here / estimate */
    bool limited_elsewhere;                          /* under 60 % of every roof here: no estimate is possible */
    const char *why_not; /* would not run there ("does not fit: ..."), or another compute capability is required; NULL */
};

struct rl_projection {
    struct rl_arena arena;
    const struct rl_analysis *analysis;
    const struct rl_card_info *card;
    struct rl_card_ceiling ceiling[RL_CEILING_COUNT];
    struct rl_projected *kernels; /* one per kernel of the capture, same order */
    const char **assumptions;     /* sentences, those of this very projection first */
    size_t assumption_count, assumption_cap;
};

/* Projects each kernel from its own GPU. Never fails: values that cannot be projected are missing with their reason. Free with
 * rl_projection_free, before the analysis. */
struct rl_projection *rl_projection_new(const struct rl_analysis *analysis, const struct rl_card_info *card);
/* Frees the projection, not the analysis; NULL is allowed. */
void rl_projection_free(struct rl_projection *projection);

/* Whether the bound uses this ceiling; a ceiling of the tensor cores only if some launch has operations of its type. */
bool rl_projection_uses(const struct rl_projection *projection, enum rl_ceiling_id ceiling);
/* "published (SOURCE)" or "theoretical (SOURCE)": where a ceiling of the GPU is from; appends. Nothing when it has no figure. */
void rl_projection_origin_text(const struct rl_projection *projection, enum rl_ceiling_id ceiling, struct rl_buf *out);

/* ---- several GPUs: properties of each, and speedups over the base by limiter ----
 *
 * A speedup is the time on the base over the time on the other GPU: 2 is twice as fast. Kernels are grouped by their limiter on the
 * base; each group has a median, a minimum and a maximum. GPUs that were not measured are included by projection: estimates for
 * launches that reach their roof on the base, and data-sheet roofs. */

enum rl_lineup_kind { RL_LINEUP_MEASURED, RL_LINEUP_IMPORTED, RL_LINEUP_PUBLISHED, RL_LINEUP_PROJECTED };
/* "measured", "imported", "published", "projected". */
const char *rl_lineup_kind_name(enum rl_lineup_kind kind);

/* Speedup of the kernels of one group on one GPU. */
struct rl_group_speedup {
    size_t kernels;           /* with a speedup; 0: none, and the rest says nothing */
    double middle, low, high; /* median, smallest, largest */
    struct rl_value expected; /* median of what the roofs of both GPUs predict; missing on the base and of projections, which are
                                 nothing else */
};
/* Kernels that one thing limits on the base. */
struct rl_lineup_group {
    const char *label;           /* "DRAM", "instruction issue", "parallelism", "unknown" */
    bool unknown;                /* what limits them is */
    size_t kernels;              /* of the base */
    struct rl_group_speedup *on; /* one for each GPU */
};
struct rl_lineup_card {
    const char *name;
    enum rl_lineup_kind kind;
    struct rl_value memory_bytes, power_w, sm_count; /* power: the limit of the board */
    struct rl_value roof[RL_CEILING_COUNT];          /* measured, else theoretical; of a GPU that others have measured the data
                                                        sheet's, or theory at its boost clock */
    bool measured[RL_CEILING_COUNT];
    double half_width[RL_CEILING_COUNT]; /* half of the 95 % CI of a measured roof, over the roof; 0: unknown */
};
/* The captures and projections of a lineup. */
struct rl_lineup_of {
    const struct rl_compare_side *base;
    const struct rl_columns *columns; /* NULL: only projections */
    const struct rl_projection *const *projections;
    size_t projection_count;
};
struct rl_lineup {
    struct rl_arena arena;
    struct rl_lineup_of of;       /* whose lists are borrowed */
    struct rl_lineup_card *cards; /* the base first, then those of the columns, then projections */
    size_t count;
    struct rl_lineup_group *groups; /* most kernels first, "unknown" last */
    size_t group_count;
    struct rl_lineup_group all;
};

/* Never fails. Free with rl_lineup_free, before what it is of. */
struct rl_lineup *rl_lineup_new(const struct rl_lineup_of *of);
/* Frees it; NULL is allowed. */
void rl_lineup_free(struct rl_lineup *lineup);

/* Whether all GPUs are imported, or all published: headings say so once. */
bool rl_lineup_is_alike(const struct rl_lineup *lineup);
/* Speedup of a GPU over the base for an item of the base; for a projected GPU an estimate, with the interval of its assumptions. */
struct rl_ratio rl_lineup_speedup(const struct rl_lineup *lineup, size_t card, size_t item);
/* The speedup that the roofs of both GPUs predict; missing for the base and for projections, which are that prediction. */
struct rl_value rl_lineup_expected(const struct rl_lineup *lineup, size_t card, size_t item);
/* Appends what a GPU does to kernels, in a sentence: "1.33× where DRAM limits (41 kernels), 1.00× where instruction
 * issue does (24)"; of a GPU without speedups how many kernels are there; nothing where there is none. */
void rl_lineup_text(const struct rl_lineup *lineup, size_t card, struct rl_buf *out);
