/* index.h - ways through a capture, made once, so that nothing looks through all rows for those of one variant, GPU or experiment.
 */
#ifndef RL_ANALYSIS_INDEX_H
#define RL_ANALYSIS_INDEX_H

#include <stdbool.h>

#include "capture/capture.h"
#include "core/groups.h"

struct rl_index {
    struct rl_groups kernels_of_variant, kernels_of_gpu, ceilings_of_gpu, transfers_of_gpu;
    struct rl_groups variants_of_gpu;                     /* in the order of the capture */
    struct rl_groups variants_of_experiment;              /* by GPU, then in the order of the capture */
    size_t *named;                                        /* as variants_of_experiment.at, but those on one GPU by name */
    struct rl_groups claims_of_gpu, claims_of_experiment; /* results, the latter by GPU, then by claim; once claims are judged */
    struct rl_groups findings_of_gpu;                     /* the last group: those of the session; once all are found */
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

#endif
