/* stream_read.h - the record stream of one process, read back. Private to the collector. */
#pragma once

#include "capture/pcs.h"
#include "ring.h"
#include "stream.h"

/* ---- what a GPU did over time ---- */

/* Lanes by slot (NULL: none was sent) and gaps between kernels, as last sent. */
struct rl_stream_lanes {
    struct rl_record_lane *lanes[RL_STREAM_MOST_LANES];
    struct rl_record_idle *idles;
    size_t idle_count, idle_cap;
};

/* ---- every launch of a process on one GPU, as the process sent it ---- */

/* From `from_ns` to before `to_ns` launches may be missing. */
struct rl_stream_gap {
    uint64_t from_ns, to_ns;
};
/* Launches and gaps of a GPU in the order of sending; both are bounded, and beyond the bound is an endless gap. */
struct rl_stream_launches {
    struct rl_stream_launch *launches;
    size_t launch_count, launch_cap;
    struct rl_stream_gap *gaps;
    size_t gap_count, gap_cap;
};
enum { RL_STREAM_KEPT_LAUNCHES = 1 << 23, RL_STREAM_KEPT_GAPS = 1 << 16 };

/* ---- stream_pc.c: instructions of a process that were sampled ---- */

/* Instructions of one process that are distinguished; samples of further ones count for their functions. */
enum { RL_STREAM_MOST_PCS = 1 << 17 };

struct rl_stream_pc {
    uint32_t function;
    uint64_t offset;                                              /* RL_PC_REST_OFFSET: of further instructions */
    uint64_t samples[RL_STALL_COUNT], not_issued[RL_STALL_COUNT]; /* by reason */
};
struct rl_stream_function {
    struct rl_record_pc_function is;
    const char *name; /* mangled; NULL: it was not sent */
};
struct rl_stream_cubin {
    uint64_t cubin, size;
    char *bytes;
    uint64_t got; /* so many of them */
};
struct rl_stream_pcs {
    struct rl_stream_function *functions;
    size_t function_count, function_cap;
    struct rl_stream_pc *pcs;
    size_t pc_count, pc_cap;
    uint32_t *slots; /* number of the instruction and 1, by function and offset */
    size_t slot_count;
    struct rl_stream_cubin *cubins;
    size_t cubin_count, cubin_cap;
    uint64_t cubin_bytes;
};

/* Adds a function; false: the record is invalid. `name` must live as long as the stream. */
bool rl_stream_pc_function(struct rl_stream_pcs *pcs, const struct rl_record_pc_function *is, const char *name);
/* Adds the samples of one instruction of a known function; false: the record is invalid. */
bool rl_stream_pc_samples(struct rl_stream_pcs *pcs, const char *record, size_t len);
/* Adds a part of a module; parts out of order, or beyond the limit of modules, are dropped. False: the record is invalid. */
bool rl_stream_pc_cubin(struct rl_stream_pcs *pcs, const char *record, size_t len);
/* The whole module with this checksum; NULL: there is none. */
const struct rl_stream_cubin *rl_stream_pc_find_cubin(const struct rl_stream_pcs *pcs, uint64_t cubin);
/* Takes a zeroed one, too; zeroes it. */
void rl_stream_pcs_release(struct rl_stream_pcs *pcs);

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
    struct rl_record_class is; /* class_id UINT32_MAX: no record of the class */
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
    unsigned state; /* enum rl_ring_state: the state that the process reported */
    bool gone;      /* it has ended */
    bool replaced;  /* it executed another program, which has a separate stream */
    bool damaged;
    struct rl_err failure; /* why; "" when it is not */
    struct rl_arena arena; /* holds every text and number */
    struct rl_record_hello hello;
    const char *host, *rank; /* rank "" for none */
    const char **arguments;
    size_t argument_count;
    struct rl_stream_gpu {
        bool known;
        struct rl_record_gpu is;
        const char *name, *chip, *cupti; /* chip, cupti: NULL when unknown */
        uint64_t availability_key;       /* of the image that the process has sent; availability NULL: it has sent none */
        const unsigned char *availability;
        uint32_t availability_size;
        struct rl_record_busy busy;
        struct rl_stream_lanes lanes;
        struct rl_stream_launches launches; /* each one, when they were asked for */
        struct rl_record_pc_totals pc;      /* period 0: no sampling of instructions was reported */
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
    const char **refused; /* mangled names of some kernels excluded by filters */
    size_t refused_count, refused_cap;
    struct rl_record_process process;
    uint64_t made; /* launches by the counter */
};

/* Nothing is taken yet. */
void rl_stream_init(struct rl_stream *stream, uint32_t pid);
/* Reads complete records. RL_FORMAT: one is invalid (also in stream->failure); earlier records are kept, later ones ignored. */
enum rl_status rl_stream_take(struct rl_stream *stream, const char *bytes, size_t len);
/* Reads the counters of launches, which include those without a record so far. Implausible values are ignored. */
void rl_stream_count(struct rl_stream *stream, const struct rl_ring *ring);
/* Whether the process has identified itself. */
bool rl_stream_known(const struct rl_stream *stream);
/* Launches of a class: the maximum of its records and of the process's running counter. */
uint64_t rl_stream_class_launches(const struct rl_stream_class *class);
/* Launches of the process: those reported, and those counted since. */
uint64_t rl_stream_launches(const struct rl_stream *stream);
/* Launches that were made, and of which there is no record. */
uint64_t rl_stream_unrecorded(const struct rl_stream *stream);
/* Whether activity of the process is missing. */
bool rl_stream_lacks(const struct rl_stream *stream);
/* Appends a sentence with what is missing, and why. */
void rl_stream_describe_loss(const struct rl_stream *stream, struct rl_buf *out);
/* Frees it with everything that it holds, texts too; zeroes it. */
void rl_stream_release(struct rl_stream *stream);

/* ---- program_sampling.c: times for which no record says what ran ---- */

/* Sorts the gaps and makes one of those that meet; returns how many are left. */
size_t rl_gaps_merge(struct rl_stream_gap *gaps, size_t count);
/* Adds a gap that begins no earlier than the last one: merged into it if at most `near_ns` apart, otherwise appended (there must
 * be room). Returns the new number. */
size_t rl_gaps_append(struct rl_stream_gap *gaps, size_t count, struct rl_stream_gap gap, uint64_t near_ns);
/* Whether one of these (merged) reaches between two moments; log2(count) steps. */
bool rl_gaps_meet(const struct rl_stream_gap *gaps, size_t count, uint64_t from_ns, uint64_t to_ns);
