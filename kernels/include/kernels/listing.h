/* listing.h - the code of the suite's kernels as text, for documents: cmake/make_listings.c takes it from the .cu files when the
 * program is built. Builds without CUDA have it, too. */
#ifndef RL_KERNELS_LISTING_H
#define RL_KERNELS_LISTING_H

#include <stddef.h>

struct rl_suite_listing {
    const char *file; /* "matmul_tensor": kernels/matmul_tensor.cu */
    const char *text; /* what of it runs on the card; lines end with '\n' */
};
extern const struct rl_suite_listing rl_suite_listings[]; /* by the names of the files */
extern const size_t rl_suite_listing_count;

/* The experiment of the suite that the code of a file belongs to; NULL: none, as of micro-benchmarks of ceilings. */
const char *rl_suite_listing_experiment(const struct rl_suite_listing *listing);

#endif
