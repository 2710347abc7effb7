/* wanted.h - which classes are to be counted, and under which configuration they lack launches. Private to collector/inject; under
 * counts_lock. */
#ifndef RL_INJECT_WANTED_H
#define RL_INJECT_WANTED_H

#include "window.h"

/* Reads the parent's note of what a run that was asked for is to count: hash and launches in the timed run, a class a line. Without
 * it everything is wanted. */
void wanted_read(void);
/* Whether the class is to have counters. */
bool wanted_at_all(const struct class *class);
/* In a run that was asked for: a class that is wanted has ended while the timed run was held up, so it is `proven`. */
void wanted_learn(struct class *class);
/* Launches that it lacks under a configuration. */
size_t wanted_still(const struct target *target, const struct class *class, size_t config);
/* Looks at all classes anew: chooses those that matter, and adds up what is missing. False when nothing is. Takes a time that goes
 * with the number of classes; takes `lock`. */
bool wanted_look(void);
/* The configuration under which most is missing among those that the class is wanted under, those without a condition first; false
 * when there is none. */
bool wanted_config(const struct target *target, const struct class *class, size_t *config);
/* What windows cost, in ns: one under the configuration, and those under the others of which classes want launches; of many of
 * these as much as the default plan takes. */
uint64_t wanted_cost(const struct target *target, size_t config);

#endif
