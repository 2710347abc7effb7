/* plan.h - the configurations of counters, and the classes they are for. Private to counts.c. */
#pragma once

#include "classes.h"
#include "core/formula.h"
#include "range.h"

struct plan {
    struct rl_config *configs;
    size_t count;
    struct rl_joint *joint;               /* of the configurations that are passes of one image; NULL: none */
    struct rl_formula *when[MOST_PASSES]; /* condition of each configuration: only for classes where it is above 0; NULL: for all */
    bool known;                           /* complete, from an earlier run */
    bool rare[MOST_PASSES];               /* for few launches: not a pass of the image */
    const char *watched[MOST_WATCHED];    /* counters that conditions refer to and a configuration has */
    size_t watched_count;
    char *texts[2]; /* text of each part, into which the counter names point */
};

/* The part of a plan that is packed. */
enum plan_part {
    PLAN_ALWAYS,     /* unconditional configurations */
    PLAN_CONDITIONAL /* conditional ones, which take longest and are not counted first */
};
/* Reads the plan for the chip from the notes of this run and packs one part of it after those already packed; `plan` is zero before
 * the first. `availability` may be NULL. Counters that cannot be packed are left out; a plan without configurations is no error. */
enum rl_status plan_make(struct plan *plan, const char *chip, const uint8_t *availability, enum plan_part part, struct rl_err *err);
/* Loads the passes that an earlier run found for the chip, from the notes: without the host library, so they are usable only if
 * plan_unite makes them passes of one image. RL_ABSENT: unknown. */
enum rl_status plan_known(struct plan *plan, const char *chip, struct rl_err *err);
/* Finishes the known passes that are not of the image because they are rare. True: there are some. */
bool plan_finish_known(struct plan *plan, const char *chip, const uint8_t *availability);
/* Whether a window can be opened under the configuration. */
bool plan_is_ready(const struct plan *plan, size_t config);
/* Combines the configurations as passes of one image, if the chip supports it. */
void plan_unite(struct plan *plan, const char *chip, const uint8_t *availability);
/* Whether the configuration is counted by instrumented code. */
bool plan_instruments(const struct rl_config *config);
/* Frees the contents of the plan. */
void plan_release(struct plan *plan);
/* Evaluates the conditions for the class from the values that plan_note kept; to be called for every class after the plan has
 * grown. */
void plan_judge(const struct plan *plan, struct class *class);
/* Whether the configuration is for the class. A conditional one is for none before the class has been counted. */
bool plan_meets(const struct plan *plan, const struct class *class, size_t config);
/* Keeps those counters of a launch that conditions and cost estimates need; `values` has one for each counter of the configuration.
 */
void plan_note(const struct plan *plan, size_t config, struct class *class, const struct rl_value *values);
