/* stream_read.h - the record stream of one process, read back. Private to the collector. */
#ifndef RL_COLLECTOR_STREAM_READ_H
#define RL_COLLECTOR_STREAM_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "core/arena.h"
#include "core/buf.h"
#include "core/err.h"
#include "stream.h"

enum { RL_STREAM_MOST_GPUS = 64 };

/* The counters of one launch, in the order of its pass. */
struct rl_stream_counted {
    uint32_t pass;
    const double *values;
};
struct rl_stream_sample {
    uint64_t start_ns, duration_ns;
};
struct rl_stream_class {
    struct rl_record_class is; /* class_id UINT32_MAX: the stream did not say what it is */
    const char *name;
    bool has_shape;
    struct rl_record_shape shape;
    struct rl_record_totals totals;
    struct rl_stream_sample *samples; /* at most RL_STREAM_SAMPLES, in no order */
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
    char *path;
    uint64_t at; /* so many bytes of the file have been taken */
    bool cut;    /* the process had no room for all that it has to say */
    bool damaged;
    struct rl_err failure; /* why not all of the file could be read; "": it could */
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

/* Nothing is read yet. */
void rl_stream_init(struct rl_stream *stream, const char *path);
/* Takes what the file has gained since the last call; a record that is cut off at its end is left for later. What has been taken is
 * given back to the file system where that is possible, so the file is no longer one that another reader could use. On failure,
 * which stream->failure tells as well, what was taken before stays. RL_FORMAT when the file holds what no process of ours writes:
 * nothing behind that is read, then or later; RL_IO may be gone at the next call. */
enum rl_status rl_stream_read(struct rl_stream *stream);
/* Whether it is known which process it is. */
bool rl_stream_known(const struct rl_stream *stream);
/* Whether something is missing that the process did. */
bool rl_stream_lacks(const struct rl_stream *stream);
/* Appends what, and why, in a sentence. */
void rl_stream_say_loss(const struct rl_stream *stream, struct rl_buf *out);
void rl_stream_release(struct rl_stream *stream);

#endif
