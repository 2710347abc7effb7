/* range_profiler.h - the windows of the back end `range`: functions of struct rl_backend. Private to the collector. */
#ifndef RL_COLLECTOR_RANGE_PROFILER_H
#define RL_COLLECTOR_RANGE_PROFILER_H

#include "range.h"

enum rl_status rl_range_profiler_open(struct rl_range_profiler *profiler, struct rl_err *err);
enum rl_status rl_range_profiler_begin(struct rl_range_profiler *profiler, enum rl_range_mode mode, struct rl_err *err);
enum rl_status rl_range_profiler_push(struct rl_range_profiler *profiler, const char *name, struct rl_err *err);
enum rl_status rl_range_profiler_pop(struct rl_range_profiler *profiler, struct rl_err *err);
enum rl_status rl_range_profiler_next(struct rl_range_profiler *profiler, bool *again, struct rl_err *err);
enum rl_status rl_range_profiler_end(struct rl_range_profiler *profiler, struct rl_value *values, struct rl_err *err);
void rl_range_profiler_drop(struct rl_range_profiler *profiler);

#endif
