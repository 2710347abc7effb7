/* plan.h - which counters are taken together, and of which classes. Private to counts.c. */
#ifndef RL_INJECT_PLAN_H
#define RL_INJECT_PLAN_H

#include "classes.h"
#include "core/formula.h"
#include "range.h"

struct plan {
    struct rl_config *configs;
    size_t count;
    struct rl_formula *when[MOST_PASSES]; /* of each: only for classes for which it is above 0; NULL: for all */
    const char *watched[MOST_WATCHED];    /* counters that these name and a configuration has */
    size_t watched_count;
    char *text; /* that the names of counters point into */
};

/* Lets CUPTI's host library build what it keeps, by a first question. */
void plan_warm(const struct rl_range_profiler *profiler);
/* Reads the plan for the profiler's chip from the folder of this run and packs it; `plan` is zero before. What cannot be packed is
 * left out; no configuration at all is no error. */
enum rl_status plan_make(struct plan *plan, const struct rl_range_profiler *profiler, struct rl_err *err);
/* Whether the class is one that the configuration is for, by what plan_note was told. */
bool plan_meets(const struct plan *plan, const struct class *class, size_t config);
/* Keeps of a launch's counters, one for each of the configuration, those that conditions ask for. */
void plan_note(const struct plan *plan, size_t config, struct class *class, const struct rl_value *values);

#endif
