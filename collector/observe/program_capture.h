/* program_capture.h - from the record streams of a program's processes to a capture. Private to the collector. */
#pragma once

#include "collector/collector.h"
#include "stream_read.h"

struct rl_sampling;
struct rl_tracer;

enum { RL_MOST_RUNS = 16 }; /* of the program */

/* Facts of the parent that are in no stream. */
struct rl_program_facts {
    const struct rl_program_options *options;
    int64_t started_ns;              /* since 1970 */
    uint32_t main_pid[RL_MOST_RUNS]; /* of each run; 0: that run was not made */
    bool main_ended;                 /* the timed run has ended, */
    int main_status;                 /* with this exit status, */
    int main_signal;                 /* or by this signal; 0: none */
    bool complete;                   /* all runs are over */
    double run_s;                    /* what the timed run took; 0: it has not ended */
    int stopped;                     /* this signal came while there was another run to make; 0: none did */
    const char *const *losses;       /* sentences about processes of which nothing is known */
    size_t loss_count;
    struct rl_stream *const *streams; /* of all processes, whichever capture they go into */
    size_t stream_count;
    const struct rl_sampling *sampling; /* of a GPU of the program; NULL: none was begun */
    const struct rl_tracer *tracer;     /* what recording added to kernels on it; NULL: nothing that is known of */
    const char *tracer_failure;         /* why that could not be measured; empty: it was */
};

/* A capture of what these streams say; those of run 0 have the times, the others add counters. Free with rl_capture_free. */
struct rl_capture *rl_program_capture(const struct rl_program_facts *facts, struct rl_stream *const *streams, size_t count);

/* Configurations that an observed program is counted under: not those of the GPU as a whole, nor those that depend on what others
 * found. */
bool rl_program_selects(const struct rl_configuration *configuration);

/* Appends the hashes (stream.h), one a line, of the classes that make up 99 % of the GPU time of the streams of
 * run 0, collective ones left out. Returns the share of the time that could be counted which these have. */
double rl_program_wanted(const struct rl_program_facts *facts, struct rl_stream *const *streams, size_t count, struct rl_buf *out);
