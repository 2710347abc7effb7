/* event_windows.h - windows of the back end `event` (range.h says what its functions do), and of launches in them. Private to the
 * collector. */
#ifndef RL_COLLECTOR_EVENT_WINDOWS_H
#define RL_COLLECTOR_EVENT_WINDOWS_H

#include "range.h"

/* ---- the functions of struct rl_backend ---- */

/* Reads what the driver tells of the device; profiler->chip is "compute 7.0" where CUPTI has no name for it. */
enum rl_status rl_event_windows_open(struct rl_range_profiler *profiler, struct rl_err *err);
/* RL_RANGE_MARKED: RL_UNSUPPORTED for a configuration of several passes. RL_RANGE_REPLAYED: CUPTI repeats launches for all of them.
 */
enum rl_status rl_event_windows_begin(struct rl_range_profiler *profiler, enum rl_range_mode mode, struct rl_err *err);
/* Enables the events of the one pass; the name is the number of the range. RL_FAILED: it is none of the window. */
enum rl_status rl_event_windows_push(struct rl_range_profiler *profiler, const char *name, struct rl_err *err);
/* Reads the events into the range and disables them. */
enum rl_status rl_event_windows_pop(struct rl_range_profiler *profiler, struct rl_err *err);
/* `again` while a window of launches has sets of events whose turn has not come. Also what went wrong in a launch. */
enum rl_status rl_event_windows_next(struct rl_range_profiler *profiler, bool *again, struct rl_err *err);
/* Evaluates the events of each range. RL_FAILED: passes are missing, or there were more launches than ranges; also what went wrong
 * in a launch. */
enum rl_status rl_event_windows_end(struct rl_range_profiler *profiler, struct rl_value *values, struct rl_err *err);
/* Disables and frees everything of the window, open or half open; nothing when there is none. */
void rl_event_windows_drop(struct rl_range_profiler *profiler);

#endif
