/* derived.h - rows of derived.def: what follows from several printed values (private to import/). */
#ifndef RL_IMPORT_DERIVED_H
#define RL_IMPORT_DERIVED_H

#include "core/value.h"
#include "targets.h"

/* Value of a name in the formulas of derived.def and limits.def: RL_NOT_ON_CHIP for what is not there, so that `else` goes on. */
typedef struct rl_value (*rl_name_lookup)(void *context, const char *name);

struct rl_derivations;
/* Whether a formula asks for the name. */
bool rl_derivations_use(struct rl_text name);
/* The rows, parsed; free them with rl_derivations_free. */
struct rl_derivations *rl_derivations_new(void);
/* Frees the rows. */
void rl_derivations_free(struct rl_derivations *derivations);
/* The target that a row makes; NULL behind the last row. */
const char *rl_derivation_target(size_t row, enum rl_destination *destination);
/* Whether a row multiplies values, and so is worked out for each launch by itself where its values were printed for each. */
bool rl_derivation_each(size_t row);
/* Value of row number `row` over the names that `lookup` knows; missing with the reason of the first one that it does not. */
struct rl_value rl_derivation_value(const struct rl_derivations *derivations, size_t row, rl_name_lookup lookup, void *context);

#endif
