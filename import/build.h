/* build.h - makes a capture of the model (private to import/). */
#pragma once

#include "analysis/analysis.h"
#include "lines.h"
#include "model.h"

/* Fills `capture` with GPUs, kernel classes, counters and metrics of the model, which must have been joined; samples move out of
 * the model. If the capture has the kernels of a timeline (rl_trace_build), only those get counters. `card` names GPUs without
 * a name (NULL: "unknown GPU"); `version` is Nsight Compute's ("": unknown). */
void rl_build(struct rl_model *model, const char *card, const char *version, struct rl_capture *capture);

/* Adds a class for each launch, with counters and metrics but without times, to a capture that has the GPUs. */
typedef void (*rl_build_fn)(struct rl_model *launches, struct rl_capture *capture);
/* by_launch.c: adds the counters of single launches to the kernels of the capture; `kernels`: the kernel of each class (RL_NONE:
 * none). */
void rl_launches_give(struct rl_model *model, const size_t *kernels, rl_build_fn build, struct rl_capture *capture);

/* The key of a kernel, the same in a timeline and in a table of counters, whatever blanks and "void" their tools write. `kind`: as
 * in struct rl_population; 0: none. */
void rl_kernel_key(size_t card, const char *name, const uint32_t grid[3], const uint32_t block[3], uint64_t shared, uint32_t kind,
                   struct rl_buf *key);
/* The index of the class, or of a kind of it, among the keys of a timeline's kernels (PyTorch's profiler has only the sum of shared
 * memory). RL_NONE: it is not among them. */
size_t rl_class_in_timeline(const struct rl_model *model, const struct rl_class *class, uint32_t kind, const struct rl_pool *keys);

/* limits.c: the rows of limits.def, parsed. */
struct rl_limits;

/* cards.c: appends the GPUs of `model` to the capture; those without a name get `name` (NULL: "unknown GPU"), and those in
 * cards.def the facts that are not in the files. */
void rl_cards_add(struct rl_model *model, const char *name, struct rl_capture *capture);
/* cards.c: names the GPU of a capture and, if it is in cards.def, sets its chip and published facts. */
void rl_card_of_name(struct rl_gpu *gpu, const char *name, struct rl_capture *capture);

/* ---- figures that others have published, as a capture. docs/published-figures.md has the format ---- */

enum rl_quantity {
#define QUANTITY(id, dimension) RL_QUANTITY_##id,
#include "published.def"
    RL_QUANTITY_COUNT,
    RL_QUANTITY_METRIC = RL_QUANTITY_COUNT /* of metrics.def */
};

/* One row of the table. Texts are numbers in the model's pool of names. */
struct rl_published_row {
    uint32_t card, experiment, variant, source;
    uint32_t unit; /* as printed: the problem size's is shown */
    enum rl_quantity quantity;
    enum rl_metric metric; /* RL_QUANTITY_METRIC */
    double value;          /* base unit */
};
/* Fills the capture from the rows of `model`, which has at least one. */
void rl_published_build(struct rl_model *model, struct rl_capture *capture);
