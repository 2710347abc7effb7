/* stream_read.h - the record stream of one process, read back. Private to the collector. */
#ifndef RL_COLLECTOR_STREAM_READ_H
#define RL_COLLECTOR_STREAM_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "core/arena.h"
#include "core/err.h"
#include "stream.h"

enum { RL_STREAM_MOST_GPUS = 64 };

/* The counters of one launch, in the order of its pass. */
struct rl_stream_counted {
    uint32_t pass;
    const double *values;
};
struct rl_stream_class {
    struct rl_record_class is; /* class_id UINT32_MAX: the stream did not say what it is */
    const char *name;
    bool has_shape;
    struct rl_record_shape shape;
    struct rl_record_totals totals;
    uint64_t *samples; /* at most RL_STREAM_SAMPLES */
    size_t sample_count, sample_cap;
    struct rl_stream_counted *counted;
    size_t counted_count, counted_cap;
};
struct rl_stream_range {
    struct rl_record_range is;
    const char *domain, *name;
    struct rl_record_range_totals totals;
};
struct rl_stream_pass {
    struct rl_record_pass is;
    const char *configuration, *mode;
    const char **counters;
};
struct rl_stream_trouble {
    uint32_t level, status;
    const char *text;
};
struct rl_stream {
    struct rl_arena arena; /* holds every text and number */
    struct rl_record_hello hello;
    const char *host, *rank; /* rank "" for none */
    const char **arguments;
    size_t argument_count;
    struct {
        bool known;
        struct rl_record_gpu is;
        const char *name, *chip, *cupti; /* chip, cupti: NULL when they are not known */
        struct rl_record_busy busy;
    } gpus[RL_STREAM_MOST_GPUS];
    struct rl_stream_class *classes; /* by class_id */
    size_t class_count, class_cap;
    struct rl_record_transfer *transfers; /* each kind once */
    size_t transfer_count, transfer_cap;
    struct rl_stream_range *ranges; /* by range; parents before their children */
    size_t range_count, range_cap;
    struct rl_stream_pass *passes; /* by pass */
    size_t pass_count, pass_cap;
    struct rl_stream_trouble *troubles;
    size_t trouble_count, trouble_cap;
    struct rl_record_process process;
    bool ended; /* it came to its exit handlers */
};

/* Reads what is in the file so far; a record that is cut off at its end is left for later. RL_FORMAT when the file holds what no
 * process of ours writes. Release in every case. */
enum rl_status rl_stream_read(const char *path, struct rl_stream *stream, struct rl_err *err);
void rl_stream_release(struct rl_stream *stream);

#endif
