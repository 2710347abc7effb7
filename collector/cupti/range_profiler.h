/* range_profiler.h - the windows of the back end `range`: functions of struct rl_backend (range.h says what they do). Private to
 * the collector. */
#pragma once

#include "range.h"

/* Initialises CUPTI's profiler and reads chip and availability image of the device, which profiler->device names. */
enum rl_status rl_range_profiler_open(struct rl_range_profiler *profiler, struct rl_err *err);
/* Turns the range profiler on; what was begun before a failure is for `drop`. */
enum rl_status rl_range_profiler_begin(struct rl_range_profiler *profiler, enum rl_range_mode mode, struct rl_err *err);
/* A range of that name begins. */
enum rl_status rl_range_profiler_push(struct rl_range_profiler *profiler, const char *name, struct rl_err *err);
/* Ends the range that was begun last. */
enum rl_status rl_range_profiler_pop(struct rl_range_profiler *profiler, struct rl_err *err);
/* Never `again`: configurations take one pass, or CUPTI replays them. */
enum rl_status rl_range_profiler_next(struct rl_range_profiler *profiler, bool *again, struct rl_err *err);
/* Stops, decodes and evaluates; the profiler is still on and `drop` turns it off. RL_FAILED: CUPTI dropped launches. */
enum rl_status rl_range_profiler_end(struct rl_range_profiler *profiler, struct rl_value *values, struct rl_err *err);
/* Turns the range profiler off, without reading; nothing when it is off. */
void rl_range_profiler_drop(struct rl_range_profiler *profiler);
