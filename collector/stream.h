/* stream.h - what the injected part of an observed program says, and the collecting process reads. Private to the collector.
 *
 * Each process that uses CUDA appends records to a file of its own; a record is written with others in one write(2), so that a file
 * holds whole records whatever happens to the process. Where the disk is full the file ends with its last whole record, gets the
 * mode RL_STREAM_CUT_MODE and grows no more. Totals are cumulative: the last record of a kind about a class, range or GPU counts,
 * and a process that is killed leaves the totals of its last tenth of a second.
 *
 * A record is a struct below, whose `head` says how long it is, followed by texts, each with its terminator, and padding to 8
 * bytes. Both sides come from one build and run on one machine; still, the reader believes no length and no index (stream_read.c).
 */
#ifndef RL_COLLECTOR_STREAM_H
#define RL_COLLECTOR_STREAM_H

#include <stdint.h>

enum {
    RL_STREAM_VERSION = 2,
    RL_STREAM_MOST_BYTES = 1 << 17, /* of a record */
    RL_STREAM_MOST_ATTRIBUTES = 32,
    RL_STREAM_SAMPLES = 512, /* times kept of a kernel class */
    RL_STREAM_NO_RANGE = -1,
    RL_STREAM_CUT_MODE = 0400, /* of a file that lacks what there was no room for; others can be written to */
};

enum rl_record_kind {
#define RECORD(name) RL_RECORD_##name,
#include "stream.def"
#undef RECORD
    RL_RECORD_COUNT
};

struct rl_record {
    uint32_t bytes; /* of the whole record, a multiple of 8 */
    uint32_t kind;
};

/* The first record of a file. Texts: host, rank ("" for none), then the arguments. */
struct rl_record_hello {
    struct rl_record head;
    uint32_t version, pid, parent_pid;
    uint32_t run;       /* 0: the timed run of the program; the others only count */
    int64_t started_ns; /* since 1970 */
};
/* Texts: name. */
struct rl_record_gpu {
    struct rl_record head;
    uint32_t gpu; /* ordinal in the process */
    uint32_t cc_major, cc_minor;
    int32_t driver_version; /* 13000 for CUDA 13.0 */
    uint64_t memory_bytes;
    uint8_t uuid[16];
    uint32_t attribute_count, unused;
    struct {
        int32_t attribute, value; /* CUdevice_attribute */
    } attributes[RL_STREAM_MOST_ATTRIBUTES];
};
/* Texts: CUPTI's name of the chip, version of CUPTI. */
struct rl_record_chip {
    struct rl_record head;
    uint32_t gpu, unused;
};
/* Texts: mangled name. */
struct rl_record_class {
    struct rl_record head;
    uint32_t class_id, gpu;
    uint32_t grid[3], block[3];
    uint64_t dynamic_shared_bytes;
    uint32_t collective; /* waits for its peers: never counted */
    uint32_t unused;
};
/* What only an activity record knows of a class. */
struct rl_record_shape {
    struct rl_record head;
    uint32_t class_id, registers, static_shared_bytes, local_bytes;
    uint32_t cluster[3], unused;
};
struct rl_record_totals {
    struct rl_record head;
    uint32_t class_id, unused;
    uint64_t seen; /* launches, timed or not */
    uint64_t timed, graph, total_ns, min_ns, max_ns;
    double squares; /* of the deviations from the mean, summed; ns^2 */
};
/* The slot-th of the kept samples is now this one; slots are in no order. */
struct rl_record_sample {
    struct rl_record head;
    uint32_t class_id, slot;
    uint64_t start_ns; /* by CUPTI's clock, which is one for all processes of a machine */
    uint64_t duration_ns;
};
struct rl_record_transfer {
    struct rl_record head;
    uint32_t gpu;
    uint16_t direction, memory; /* positions in rl_stream_directions, rl_stream_memories */
    uint64_t count, bytes, total_ns;
    double slowest, fastest; /* B/s; 0: no copy was large enough to tell */
};
struct rl_record_busy {
    struct rl_record head;
    uint32_t gpu, unused;
    uint64_t span_ns, busy_ns, kernel_ns;
};
/* Texts: domain, name. */
struct rl_record_range {
    struct rl_record head;
    int32_t range, parent; /* RL_STREAM_NO_RANGE: outermost */
    uint32_t has_domain, unused;
};
struct rl_record_range_totals {
    struct rl_record head;
    int32_t range;
    uint32_t unused;
    uint64_t instances, host_ns, launches, gpu_ns;
};
struct rl_record_process {
    struct rl_record head;
    uint64_t launches, untimed, lost, unselected, unselected_ns;
};
/* Texts: name of the configuration, mode, names of the counters. */
struct rl_record_pass {
    struct rl_record head;
    uint32_t pass, gpu;
    uint32_t counter_count;
    uint32_t conditional; /* 1: only for classes of which other counters say that they have something of it */
};
/* The counters of one launch: counter_count numbers, NaN where there is none. */
struct rl_record_counters {
    struct rl_record head;
    uint32_t class_id, pass;
    double values[];
};
/* Texts: one sentence. */
struct rl_record_trouble {
    struct rl_record head;
    uint32_t level;  /* enum rl_log_level */
    uint32_t status; /* enum rl_status when counters could not be had because of it; RL_OK otherwise */
};
/* The process came to its exit handlers. */
struct rl_record_end {
    struct rl_record head;
};

/* Words of the capture, in the order of the positions in struct rl_record_transfer. */
enum rl_stream_direction { RL_TO_DEVICE, RL_TO_HOST, RL_ON_DEVICE, RL_BETWEEN_DEVICES, RL_ON_HOST, RL_SET, RL_DIRECTIONS };
enum rl_stream_memory { RL_PAGEABLE, RL_PINNED, RL_MANAGED, RL_DEVICE_MEMORY, RL_UNKNOWN_MEMORY, RL_MEMORIES };

/* Identifies a kernel class from run to run: FNV-1a, 64 bits, over name and shape. */
static inline uint64_t rl_stream_hash(const char *name, const uint32_t grid[3], const uint32_t block[3],
                                      uint64_t dynamic_shared_bytes)
{
    const uint64_t numbers[] = {grid[0], grid[1], grid[2], block[0], block[1], block[2], dynamic_shared_bytes};
    uint64_t hash = UINT64_C(14695981039346656037);
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * UINT64_C(1099511628211);
    for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        hash = (hash ^ numbers[i]) * UINT64_C(1099511628211);
    return hash;
}

#endif
