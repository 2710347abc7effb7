/* each.h - values that follow from several printed ones of the same launch (private to import/). */
#ifndef RL_IMPORT_EACH_H
#define RL_IMPORT_EACH_H

#include "model.h"

/* A value that a row of derived.def makes of the launch's own ones: for `add`. */
typedef void (*rl_each_add)(struct rl_model *model, enum rl_counter_kind kind, const char *target, double value);

/* Hands to `add` what the rows that multiply values make of the launch that is being read; nothing where it stands for
 * several launches. */
void rl_each_derive(struct rl_model *model, rl_each_add add);

#endif
