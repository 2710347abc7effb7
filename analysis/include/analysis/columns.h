/* columns.h - the comparison of several GPUs: the same kernels, with a column for each GPU.
 *
 * The rows are the items of the base (compare.h). All cells of a column are measured, imported or published, which output must
 * state. Projections are not columns, so that they cannot be mixed with measurements (projection.h).
 */
#pragma once

#include "analysis/compare.h"

/* Measured by rooflight; imported from another profiler; figures published by others. */
enum rl_column_kind { RL_COLUMN_MEASURED, RL_COLUMN_IMPORTED, RL_COLUMN_PUBLISHED };
const char *rl_column_kind_name(enum rl_column_kind kind); /* "measured", "imported", "published" */
enum rl_column_kind rl_column_kind_of(const struct rl_capture *capture);

struct rl_cell {
    const char *why_not;         /* why the cell is empty: "not in this capture", "computed the wrong thing"; NULL: it is not */
    struct rl_value time_s;      /* median */
    struct rl_ratio speedup;     /* base over this; the base itself: 1 */
    struct rl_value roof_share;  /* of this GPU's roof, 0..1 */
    struct rl_value roof_time_s; /* time of the launch at that roof */
    struct rl_value predicted;   /* speedup predicted by the roofs: roof time of the base over this one; missing if there is too
                                  * little work for a roof of either to limit it */
    const char *roof;            /* which roof is nearest: "DRAM", "shared memory"; "" when unknown */
    enum rl_bound bound;
    enum rl_resource limiter;             /* RL_RESOURCE_COUNT: none */
    struct rl_value achieved;             /* occupancy */
    const struct rl_occupancy *occupancy; /* static; NULL: unknown */
    const struct rl_value *metric;        /* RL_METRIC_COUNT of them; NULL: none */
};
struct rl_column {
    const char *card; /* "H200", as the driver has it without the maker */
    enum rl_column_kind kind;
    bool alike;                             /* all columns are of this kind, none measured: headings say so once */
    const struct rl_comparison *comparison; /* NULL: the base */
    struct rl_cell *cells;                  /* one for each item of the base */
};
struct rl_columns {
    struct rl_arena arena;
    const struct rl_compare_side *base;
    struct rl_column *columns; /* the base first */
    size_t count, cap;
};

/* A GPU is reported as wasted on a kernel if its roof of the resource that limits the kernel on the base (RL_BOUND_SHARE or more)
 * is higher, and the whole interval of the speedup is under this share of the predicted one. */
#define RL_WASTED_SHARE 0.8

/* Columns with the base alone. `base` is the base of all comparisons that are added, and must live as long. */
struct rl_columns *rl_columns_new(const struct rl_compare_side *base);
/* Adds the other side of a comparison with that base. The returned column is valid until the next one is added. */
struct rl_column *rl_columns_add(struct rl_columns *columns, const struct rl_comparison *comparison);
/* Frees the columns, not the comparisons; NULL is allowed. */
void rl_columns_free(struct rl_columns *columns);

/* Whether the cell has a meaningful speedup. */
bool rl_cell_has_speedup(const struct rl_cell *cell);
/* Theoretical occupancy: calculated from the launch, otherwise as stated in the capture (published figures have no launch). */
struct rl_value rl_cell_occupancy(const struct rl_cell *cell);
/* Achieved over predicted speedup; missing when one is. */
struct rl_value rl_cell_speedup_achieved(const struct rl_cell *cell);
/* Whether the GPU is wasted on the kernel (RL_WASTED_SHARE). */
bool rl_cell_is_underused(const struct rl_column *column, size_t item);
/* A GPU's name without its maker: "H200" for "NVIDIA H200". */
const char *rl_card_short(const char *name);
/* The metrics that some kernel of the base has and no kernel of the column, by reason: "L2 traffic, L2 hit rate (not on this
 * chip); ...", or "all metrics but ..." where it has next to none. Appends nothing when there are none. */
void rl_column_lacks(const struct rl_columns *columns, const struct rl_column *column, struct rl_buf *out);
