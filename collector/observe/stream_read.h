/* stream_read.h - the record stream of one process, read back. Private to the collector. */
#ifndef RL_COLLECTOR_STREAM_READ_H
#define RL_COLLECTOR_STREAM_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "core/arena.h"
#include "core/buf.h"
#include "core/err.h"
#include "ring.h"
#include "stream.h"
#include "stream_lanes.h"
#include "stream_launches.h"
#include "stream_pc.h"

enum { RL_STREAM_MOST_GPUS = 64 };

/* The counters of one launch, in the order of its pass. */
struct rl_stream_counted {
    uint32_t pass;
    uint64_t near_ns; /* struct rl_record_counters */
    const double *values;
};
struct rl_stream_sample {
    uint64_t start_ns, duration_ns;
    bool traced; /* timed by a record that instruments the code */
};
struct rl_stream_class {
    struct rl_record_class is; /* class_id UINT32_MAX: the stream did not say what it is */
    const char *name;
    bool has_shape;
    struct rl_record_shape shape;
    struct rl_record_totals totals;
    uint64_t launched;          /* by the counter */
    struct rl_stream_bin *bins; /* ascending */
    size_t bin_count;
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
    uint32_t pid;   /* as the kernel says; 0: of another namespace */
    uint64_t at;    /* so many bytes have been taken */
    unsigned state; /* enum rl_ring_state: what the process said of itself */
    bool gone;      /* it has ended */
    bool replaced;  /* it has become another program, which has a stream of its own */
    bool damaged;
    struct rl_err failure; /* why; "" when it is not */
    struct rl_arena arena; /* holds every text and number */
    struct rl_record_hello hello;
    const char *host, *rank; /* rank "" for none */
    const char **arguments;
    size_t argument_count;
    struct {
        bool known;
        struct rl_record_gpu is;
        const char *name, *chip, *cupti; /* chip, cupti: NULL when they are not known */
        uint64_t availability_key;       /* of the image that the process has told; availability NULL: it has told none */
        const unsigned char *availability;
        uint32_t availability_size;
        struct rl_record_busy busy;
        struct rl_stream_lanes lanes;
        struct rl_stream_launches launches; /* each one, when they were asked for */
        struct rl_record_pc_totals pc;      /* period 0: nothing was said of instructions */
    } gpus[RL_STREAM_MOST_GPUS];
    struct rl_stream_class *classes; /* by class_id */
    size_t class_count, class_cap;
    struct rl_record_transfer *transfers; /* each kind once */
    size_t transfer_count, transfer_cap;
    struct rl_stream_range *ranges; /* by range; parents before their children */
    size_t range_count, range_cap;
    struct rl_record_instance *instances; /* by number */
    size_t instance_count, instance_cap;
    struct rl_record_use *uses; /* by number */
    size_t use_count, use_cap;
    struct rl_stream_pass *passes; /* by pass */
    size_t pass_count, pass_cap;
    struct rl_stream_pcs pcs; /* instructions that were sampled */
    struct rl_stream_trouble *troubles;
    size_t trouble_count, trouble_cap;
    const char **refused; /* mangled names of kernels that the filters left out; some of them */
    size_t refused_count, refused_cap;
    struct rl_record_process process;
    uint64_t made; /* launches by the counter */
};

/* Nothing is taken yet. */
void rl_stream_init(struct rl_stream *stream, uint32_t pid);
/* Takes whole records. RL_FORMAT when they are such as no process of ours writes, which stream->failure tells as well: what was
 * taken before stays, nothing is taken any more. */
enum rl_status rl_stream_take(struct rl_stream *stream, const char *bytes, size_t len);
/* Takes the counters: launches of which no record has come yet are launches, too. Absurd ones are not believed. */
void rl_stream_count(struct rl_stream *stream, const struct rl_ring *ring);
/* Whether it is known which process it is. */
bool rl_stream_known(const struct rl_stream *stream);
/* Launches of a class, by what records say and by the counter that the process adds to as it goes, whichever is more. */
uint64_t rl_stream_class_launches(const struct rl_stream_class *class);
/* Launches of the process: those that it has told of, and those that its counter has counted since. */
uint64_t rl_stream_launches(const struct rl_stream *stream);
/* Launches that were made, and of which there is no record. */
uint64_t rl_stream_unrecorded(const struct rl_stream *stream);
/* Whether something is missing that the process did. */
bool rl_stream_lacks(const struct rl_stream *stream);
/* Appends what, and why, in a sentence. */
void rl_stream_describe_loss(const struct rl_stream *stream, struct rl_buf *out);
/* Frees it with everything that it holds, texts too; zeroes it. */
void rl_stream_release(struct rl_stream *stream);

#endif
