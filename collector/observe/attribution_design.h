/* attribution_design.h - which part of each launch falls into each sample (attribution.h). Private to attribution*.c. */
#ifndef RL_COLLECTOR_ATTRIBUTION_DESIGN_H
#define RL_COLLECTOR_ATTRIBUTION_DESIGN_H

#include "attribution.h"

enum { RL_DESIGN_MOST_KINDS = 400, RL_DESIGN_MOST = RL_DESIGN_MOST_KINDS + 2, RL_DESIGN_BLOCKS = 20 };

/* A column of the least squares for each kind that is in, one for the others together, the last for the time in which nothing
 * ran. */
struct rl_kind;
struct rl_columns {
    size_t count;      /* with the last two */
    uint32_t *of_kind; /* column of each kind */
    uint32_t *kind_of; /* kind of each of the first count - 2 */
    const struct rl_kind *kinds;
};
/* Columns for the kinds that are in: at most RL_DESIGN_MOST_KINDS. `kinds` must outlive them. Free with rl_columns_release. */
void rl_columns_make(const struct rl_kind *kinds, size_t kind_count, struct rl_columns *columns);
/* Frees what rl_columns_make took, but not `kinds`; zeroes it. */
void rl_columns_release(struct rl_columns *columns);

/* Sums of products for a block of samples: of columns (count x count), of columns with counters (count for each counter), of
 * counters with themselves. */
struct rl_products {
    double *gram, *moment, *squares;
    double *weight; /* of each column, over the block */
};
/* Room for the products of `blocks` blocks of samples. Free with rl_products_release. */
void rl_products_init(const struct rl_sampled *sampled, const struct rl_columns *columns, size_t blocks,
                      struct rl_products *products);
/* Frees what is in `blocks` of them; the array is the caller's. */
void rl_products_release(struct rl_products *products, size_t blocks);

/* When a sample's time is on the clock of launches, and how what a launch does arrives in the counters: from so long after its
 * recorded start until so long after its recorded end (both may be negative), with a tail. */
struct rl_arrival {
    double shift_ns, begin_ns, end_ns, tail_ns;
};
/* Fills the products of the first `sample_count` samples, in `blocks` blocks; block_of[sample] is below `blocks` (NULL: there is
 * one). */
void rl_design_products(const struct rl_sampled *sampled, const struct rl_columns *columns, const struct rl_arrival *arrival,
                        size_t sample_count, size_t blocks, const uint8_t *block_of, struct rl_products *products);
/* The columns that are not zero in a sample, in no order, and what they are: parts of launches, and parts of the sample's time for
 * the last two. */
struct rl_design_row {
    double weight[RL_DESIGN_MOST];
    uint32_t used[RL_DESIGN_MOST];
    size_t count;
};
/* Shows the rows of the first `sample_count` samples one after the other. */
void rl_design_rows(const struct rl_sampled *sampled, const struct rl_columns *columns, const struct rl_arrival *arrival,
                    size_t sample_count, void (*show)(void *context, size_t sample, const struct rl_design_row *row),
                    void *context);
/* The block that each sample is in; free it. Blocks take turns, so that each has a part of every phase of a run; successive
 * samples, which are alike, are together. */
uint8_t *rl_design_blocks(size_t sample_count, size_t blocks);
/* Part of each sample in which a kernel ran: sample_count numbers. */
void rl_design_busy(const struct rl_sampled *sampled, double shift_ns, size_t sample_count, double *busy);

#endif
