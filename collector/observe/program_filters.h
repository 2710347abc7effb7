/* program_filters.h - whether the filters of an observed program have let anything through. Private to the collector. */
#ifndef RL_COLLECTOR_PROGRAM_FILTERS_H
#define RL_COLLECTOR_PROGRAM_FILTERS_H

#include "collector/collector.h"
#include "stream_read.h"

/* RL_ABSENT, with the names that are nearest to what was asked for, when kernels were launched in the timed run and the filters
 * have left out all of them. */
enum rl_status rl_program_filters_check(const struct rl_program_options *options, struct rl_stream *const *streams, size_t count,
                                        struct rl_err *err);

#endif
