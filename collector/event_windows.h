/* event_windows.h - windows of the back end `event` (range.h says what its functions do), and of launches in them. Private to the
 * collector. */
#ifndef RL_COLLECTOR_EVENT_WINDOWS_H
#define RL_COLLECTOR_EVENT_WINDOWS_H

#include "range.h"

/* The functions of struct rl_backend. */
enum rl_status rl_event_windows_open(struct rl_range_profiler *profiler, struct rl_err *err);
enum rl_status rl_event_windows_begin(struct rl_range_profiler *profiler, enum rl_range_mode mode, struct rl_err *err);
enum rl_status rl_event_windows_push(struct rl_range_profiler *profiler, const char *name, struct rl_err *err);
enum rl_status rl_event_windows_pop(struct rl_range_profiler *profiler, struct rl_err *err);
enum rl_status rl_event_windows_next(struct rl_range_profiler *profiler, bool *again, struct rl_err *err);
enum rl_status rl_event_windows_end(struct rl_range_profiler *profiler, struct rl_value *values, struct rl_err *err);
void rl_event_windows_drop(struct rl_range_profiler *profiler);

#endif
