/* host_profiler.h - what the two halves of the back end `profiler` know of each other: host_profiler.c names and schedules
 * counters, profiler_sessions.c takes them. Private to the collector. */
#pragma once

#include "profiler_api.h"
#include "range.h"

/* Members of a configuration besides its image (config->host). */
struct rl_profiler_evaluation {
    void *evaluator;
    uint8_t *scratch;
    struct rl_profiler_request *requests; /* one for each counter of the configuration */
    uint8_t *prefix;                      /* of the counter image */
    size_t prefix_size;
};

/* ---- the functions of struct rl_backend, in profiler_sessions.c; range.h says what they do ---- */

/* Reads the chip's name, and which counters it has. */
enum rl_status rl_sessions_open(struct rl_range_profiler *profiler, struct rl_err *err);
/* Makes the images, begins a session and its first pass. */
enum rl_status rl_sessions_begin(struct rl_range_profiler *profiler, enum rl_range_mode mode, struct rl_err *err);
/* A range of that name, which has at most 23 bytes, begins. */
enum rl_status rl_sessions_push(struct rl_range_profiler *profiler, const char *name, struct rl_err *err);
/* Ends the range that was begun last. */
enum rl_status rl_sessions_pop(struct rl_range_profiler *profiler, struct rl_err *err);
/* Ends the pass; `again`: another one has begun, because the configuration needs it. */
enum rl_status rl_sessions_next(struct rl_range_profiler *profiler, bool *again, struct rl_err *err);
/* Ends pass and session, and evaluates. RL_FAILED: passes are missing, or CUPTI dropped launches; the session has ended all the
 * same. */
enum rl_status rl_sessions_end(struct rl_range_profiler *profiler, struct rl_value *values, struct rl_err *err);
/* Ends the session without its values; nothing when there is none. */
void rl_sessions_drop(struct rl_range_profiler *profiler);
