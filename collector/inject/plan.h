/* plan.h - which counters are taken together, and of which classes. Private to counts.c. */
#pragma once

#include "classes.h"
#include "core/formula.h"
#include "range.h"

struct plan {
    struct rl_config *configs;
    size_t count;
    struct rl_joint *joint;               /* of those that are passes of one image; NULL: none are */
    struct rl_formula *when[MOST_PASSES]; /* of each: only for classes for which it is above 0; NULL: for all */
    bool known;                           /* all of it, from an earlier run */
    bool rare[MOST_PASSES];               /* for few launches: not among the passes of the image */
    const char *watched[MOST_WATCHED];    /* counters that these name and a configuration has */
    size_t watched_count;
    char *texts[2]; /* of each part, that the names of counters point into */
};

/* Which configurations of a plan are packed. */
enum plan_part {
    PLAN_ALWAYS,     /* those that every class is counted under */
    PLAN_CONDITIONAL /* the others: that takes longest, and they are not the first to be counted */
};
/* Reads the plan for the chip from the notes of this run and packs a part of it behind what the plan has; `plan` is zero before the
 * first. `availability` may be NULL. What cannot be packed is left out; no configuration at all is no error. */
enum rl_status plan_make(struct plan *plan, const char *chip, const uint8_t *availability, enum plan_part part, struct rl_err *err);
/* Takes the passes for the chip that an earlier run has found, as far as the notes have them: without the host library, so that
 * they are good only if plan_unite makes them passes of one image. RL_ABSENT: they are unknown. */
enum rl_status plan_known(struct plan *plan, const char *chip, struct rl_err *err);
/* Makes those of the known passes ready that are not of the one image, because they are rare. True: there are some. */
bool plan_finish_known(struct plan *plan, const char *chip, const uint8_t *availability);
/* Whether a window can be opened under the configuration. */
bool plan_is_ready(const struct plan *plan, size_t config);
/* Makes the configurations passes of one image, where the chip has that. */
void plan_unite(struct plan *plan, const char *chip, const uint8_t *availability);
/* Whether its counters are counted by instrumented code. */
bool plan_instruments(const struct rl_config *config);
/* Lets go of what plan_make has made. */
void plan_release(struct plan *plan);
/* Notes which conditions the class meets by what plan_note has kept; to be called of every class when the plan has become longer.
 */
void plan_judge(const struct plan *plan, struct class *class);
/* Whether the class is one that the configuration is for. One with a condition is for none before anything was counted. */
bool plan_meets(const struct plan *plan, const struct class *class, size_t config);
/* Keeps of a launch's counters, one for each of the configuration, those that conditions and what counting costs depend on. */
void plan_note(const struct plan *plan, size_t config, struct class *class, const struct rl_value *values);
