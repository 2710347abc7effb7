/* counters.h - vendors' counters that no formula of ours has: those that were asked for by name. */
#ifndef RL_ANALYSIS_COUNTERS_H
#define RL_ANALYSIS_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/buf.h"
#include "core/value.h"

struct rl_analysis;
struct rl_kernel;
struct rl_counter;

/* The names of all such counters in the capture, each once, in order (strcmp): `*names` borrows them from the analysis. Returns
 * their number. */
size_t rl_named_counters(const struct rl_analysis *analysis, const char *const **names);
/* Where a kernel has each of them: `at` has room for as many; RL_NONE: nothing was read. */
void rl_named_counters_of(const struct rl_analysis *analysis, const struct rl_kernel *kernel, size_t *at);
/* A kernel's value of one of them; NULL: nothing was read. */
const struct rl_counter *rl_named_counter(const struct rl_kernel *kernel, const char *name);

/* Appends the unit that a counter's name tells (counter_units.def): "B", "sector/s", "inst/cycle", "%", or nothing for a plain
 * number. */
void rl_counter_unit(const char *name, struct rl_buf *unit);
/* Appends its value for people, with that unit: "1 048 576 inst", "12.5 %", "31.2 GB"; an en dash and the reason where it is
 * missing. */
void rl_counter_format(const char *name, struct rl_value value, struct rl_buf *text);
/* Whether a text has the form of a counter's name, with a rollup: "smsp__inst_executed.sum". */
bool rl_is_counter_name(const char *text);

#endif
