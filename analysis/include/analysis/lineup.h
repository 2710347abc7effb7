/* lineup.h - cards side by side: what each card is, and its speedup over the base by what limits a kernel.
 *
 * A speedup is time on the base over time on the card: 2 is twice as fast. Kernels are grouped by what limits them on the base;
 * each group has a median, a minimum and a maximum. Cards that are not at hand take part by projection: estimates, of launches that
 * reach their roof on the base (projection.h), and roofs of the data sheet.
 */
#ifndef RL_ANALYSIS_LINEUP_H
#define RL_ANALYSIS_LINEUP_H

#include "analysis/columns.h"
#include "analysis/projection.h"

enum rl_lineup_kind { RL_LINEUP_MEASURED, RL_LINEUP_IMPORTED, RL_LINEUP_PUBLISHED, RL_LINEUP_PROJECTED };
/* "measured", "imported", "published", "projected". */
const char *rl_lineup_kind_name(enum rl_lineup_kind kind);

/* Speedup of the kernels of one group on one card. */
struct rl_group_speedup {
    size_t kernels;           /* with a speedup; 0: none, and the rest says nothing */
    double middle, low, high; /* median, smallest, largest */
    struct rl_value expected; /* median of what the roofs of both cards predict; missing on the base and of projections, which are
                                 nothing else */
};
/* Kernels that one thing limits on the base. */
struct rl_lineup_group {
    const char *label;           /* "DRAM", "instruction issue", "parallelism", "unknown" */
    bool unknown;                /* what limits them is */
    size_t kernels;              /* of the base */
    struct rl_group_speedup *on; /* one for each card */
};
struct rl_lineup_card {
    const char *name;
    enum rl_lineup_kind kind;
    struct rl_value memory_bytes, power_w, sm_count; /* power: the limit of the board */
    struct rl_value roof[RL_CEILING_COUNT];          /* measured, else theoretical; of a card that others have measured the data
                                                        sheet's, or theory at its boost clock */
    bool measured[RL_CEILING_COUNT];
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

/* Whether all cards are imported, or all published: headings say so once. */
bool rl_lineup_is_alike(const struct rl_lineup *lineup);
/* How many times as fast as the base a card is at an item of the base; of a projected card an estimate, whose interval is what
 * comes of other assumptions (projection.h). */
struct rl_ratio rl_lineup_speedup(const struct rl_lineup *lineup, size_t card, size_t item);
/* The speedup that the roofs of both cards predict; missing for the base and for projections, which are that prediction. */
struct rl_value rl_lineup_expected(const struct rl_lineup *lineup, size_t card, size_t item);
/* Appends what a card does to kernels, in a sentence: "1.33× where DRAM limits (41 kernels), 1.00× where instruction
 * issue does (24)"; of a card without speedups how many kernels are there; nothing where there is none. */
void rl_lineup_text(const struct rl_lineup *lineup, size_t card, struct rl_buf *out);

#endif
