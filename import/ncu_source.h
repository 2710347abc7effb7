/* ncu_source.h - single instructions in reports of Nsight Compute: samples by reason, counts, lines (private to import/).
 *
 * A report has modules first, and then launches with instances of metrics by address. What several launches of a function have is
 * added up.
 */
#ifndef RL_IMPORT_NCU_SOURCE_H
#define RL_IMPORT_NCU_SOURCE_H

#include "capture/capture.h"
#include "text.h"

struct rl_ncu_source;

/* One without instructions. */
struct rl_ncu_source *rl_ncu_source_new(void);
/* Frees it; NULL is allowed. */
void rl_ncu_source_free(struct rl_ncu_source *source);

/* Takes a message with a module of this file: its lines, and the text of source files that are in the report. */
void rl_ncu_source_module(struct rl_ncu_source *source, unsigned file, struct rl_text message);

/* A launch whose instructions come next. */
struct rl_ncu_place {
    uint32_t run;            /* the launch, */
    uint64_t number;         /* by which all files of the run call it */
    unsigned file;           /* its module: the file, */
    uint64_t module;         /* and the number there */
    struct rl_text function; /* mangled name */
    size_t card;             /* RL_NONE: unknown */
    unsigned period;         /* every 2 to its power cycles warps were looked at */
    uint64_t base;           /* address of the function */
};
/* False: the launch was there before. */
bool rl_ncu_source_launch(struct rl_ncu_source *source, const struct rl_ncu_place *place);
/* Takes the instances of a metric of it; nothing where it is none of instructions. `message`: of the metric. */
void rl_ncu_source_metric(struct rl_ncu_source *source, const char *name, struct rl_text message);

/* Whether a metric of that name has instances that rl_ncu_source_metric takes. */
bool rl_ncu_source_wants(const char *name);

/* Adds all to the capture, where it has the kernels. */
void rl_ncu_source_add(struct rl_ncu_source *source, struct rl_capture *capture);

#endif
