/* build.h - from the model to a capture (private to import/). */
#ifndef RL_IMPORT_BUILD_H
#define RL_IMPORT_BUILD_H

#include "model.h"

/* Fills `capture` with cards, kernel classes, counters and metrics of the model, which must have been joined; samples move out of
 * the model. `card` names cards without a name (NULL: "unknown card"); `version` is Nsight Compute's ("": not known). */
void rl_build(struct rl_model *model, const char *card, const char *version, struct rl_capture *capture);

/* limits.c: flags values that no card can have, in the log. */
void rl_check_limits(struct rl_capture *capture);

/* derived.c: the rows of derived.def, parsed. Free with rl_derivations_free. */
struct rl_derivations;
struct rl_derivations *rl_derivations_new(void);
void rl_derivations_free(struct rl_derivations *derivations);
/* A row whose destination is `wanted` (RL_TO_METRIC or RL_TO_COUNTER): its target, or NULL behind the last row. */
const char *rl_derivation_target(size_t row, enum rl_destination *destination);
/* Its value; `lookup` gives RL_NOT_ON_CHIP for what was not printed. */
struct rl_value rl_derivation_value(const struct rl_derivations *derivations, size_t row,
                                    struct rl_value (*lookup)(void *context, const char *name), void *context);

#endif
