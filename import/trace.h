/* trace.h - timelines that other tools recorded: launches, copies, and what threads of the host did (private to import/).
 *
 * A reader (nsys.c, kineto.c) adds activities in any order, file by file; trace_build.c makes of them what a capture of a program
 * that rooflight itself observed has: classes with their times, copies, ranges, timelines. Times are nanoseconds since 1970, or
 * since a beginning that all activities of the trace have in common.
 */
#pragma once

#include "model.h"

enum {
    RL_TRACE_MAX_EVENTS = 50000000,  /* launches, copies, ranges and calls, of all files together */
    RL_TRACE_MAX_CLASSES = 200000,   /* of kernels */
    RL_TRACE_MAX_PROCESSES = 1024,   /* of all files, */
    RL_TRACE_MAX_THREADS = 1 << 20,  /* and their threads */
    RL_TRACE_MAX_RANGES = 1 << 16,   /* nodes of the tree; more stand for the range around them */
    RL_TRACE_MAX_TRANSFERS = 100000, /* kinds of copies */
    RL_TRACE_MAX_DEPTH = 64,         /* open ranges of a thread, the same */
    RL_TRACE_KEPT = 4000000,         /* launches of all files together up to which so many times of a class are kept: */
    RL_TRACE_SAMPLES = 65536,
    RL_TRACE_FEW_SAMPLES = 512, /* and beyond, as a program that is observed keeps */
};
#define RL_TRACE_NO_RANGE   UINT32_MAX
#define RL_TRACE_NO_PROCESS UINT32_MAX
#define RL_TRACE_UNKNOWN    UINT64_MAX /* a number that the file does not have */

/* Directions and memories of copies, as captures name them. */
enum rl_trace_direction { RL_TRACE_TO_DEVICE, RL_TRACE_TO_HOST, RL_TRACE_ON_DEVICE, RL_TRACE_PEER, RL_TRACE_ON_HOST, RL_TRACE_SET };
enum rl_trace_memory { RL_TRACE_PAGEABLE, RL_TRACE_PINNED, RL_TRACE_MANAGED, RL_TRACE_DEVICE, RL_TRACE_OTHER_MEMORY };

/* A launch to be added. Texts are indices of trace->texts; 0: none. */
struct rl_trace_kernel {
    uint32_t process; /* RL_TRACE_NO_PROCESS: that of the call with the same correlation, or of the file */
    size_t card;      /* in model->cards */
    int64_t start_ns, end_ns;
    uint64_t correlation; /* RL_TRACE_UNKNOWN: none */
    uint32_t name, mangled;
    uint32_t grid[3], block[3], cluster[3];                         /* 0: unknown, or none */
    uint64_t dynamic_shared, static_shared, registers, local_bytes; /* each but the first may be RL_TRACE_UNKNOWN */
    bool graph;                                                     /* a node of a CUDA graph */
};

/* A copy or memset to be added. */
struct rl_trace_copy {
    uint32_t process;
    size_t card;
    int64_t start_ns, end_ns;
    enum rl_trace_direction direction;
    enum rl_trace_memory memory;
    uint64_t bytes; /* RL_TRACE_UNKNOWN: none */
};

/* An act of a thread of the host. */
enum rl_trace_host_kind {
    RL_TRACE_RANGE,  /* was in a range nested in those around it */
    RL_TRACE_FREE,   /* opened a range that another thread may close */
    RL_TRACE_LAUNCH, /* called a function that launches kernels */
    RL_TRACE_WAIT,   /* waited for the GPU */
};
struct rl_trace_host {
    int64_t start_ns, end_ns;
    uint64_t what; /* of a range: name and domain << 32, texts; of a launch: its correlation */
    uint32_t thread;
    enum rl_trace_host_kind kind;
};

/* ---- what is kept ---- */

struct rl_trace_activity {
    int64_t start_ns, end_ns;
    uint64_t call;    /* its correlation while the file is read, then the index of its call; RL_TRACE_UNKNOWN: none */
    uint32_t process; /* in trace->processes */
    uint32_t what;    /* class; of a copy RL_TRACE_IS_COPY | transfer */
};
#define RL_TRACE_IS_COPY (UINT32_C(1) << 31)

struct rl_trace_call {
    uint64_t correlation;
    int64_t called_ns, waited_from_ns, waited_to_ns; /* the last wait of its thread before it; both 0: none */
    uint32_t process, range;
};

struct rl_trace_class {
    struct rl_trace_kernel is; /* its first launch; process and times are meaningless */
    uint64_t launches, graph;
    uint32_t kind, kinds; /* as in struct rl_population (rl_trace_split); 0: all of the class */
};

struct rl_trace_transfer {
    uint32_t process;
    size_t card;
    enum rl_trace_direction direction;
    enum rl_trace_memory memory;
    uint64_t count, bytes, total_ns;
    double slowest, fastest; /* B/s of single copies of at least 1 MiB; 0: there was none */
};

struct rl_trace_node {
    uint32_t process, parent; /* RL_TRACE_NO_RANGE: outermost */
    uint32_t name, domain;    /* texts */
    uint64_t instances, host_ns;
};

struct rl_trace_process {
    uint64_t pid;
    uint32_t host, rank, command; /* texts */
};

struct rl_trace {
    struct rl_model *model;     /* its GPUs and notes; not owned */
    struct rl_capture *capture; /* its session and log; not owned */
    struct rl_pool texts;       /* names; the first is "" */
    struct rl_pool class_keys, node_keys, transfer_keys, thread_keys;
    const char *source; /* of the first file with a launch: "nsys", "kineto"; static */
    uint32_t tool;      /* its name and version, a text */
    struct rl_trace_activity *activities;
    struct rl_trace_host *hosts; /* of the current file */
    struct rl_trace_call *calls;
    struct rl_trace_class *classes;
    struct rl_trace_transfer *transfers;
    struct rl_trace_node *nodes;
    struct rl_trace_process *processes;
    struct rl_trace_thread_ {
        uint32_t process;
    } * threads;
    uint32_t *uuids; /* of each GPU, a text */
    size_t activity_count, activity_cap, host_count, host_cap, call_count, call_cap, class_count, class_cap, transfer_count;
    size_t transfer_cap, node_count, node_cap, process_count, process_cap, thread_count, thread_cap, uuid_count, uuid_cap;
    size_t first_activity, first_call, first_transfer; /* of the file */
    size_t kernels, copies;                            /* taken */
    uint64_t events;                                   /* taken */
    bool incomplete;                                   /* a file ended in the middle */
};

/* Begins an empty trace, whose GPUs, notes and log go to these two. */
void rl_trace_init(struct rl_trace *trace, struct rl_model *model, struct rl_capture *capture);
/* Frees everything that was added. */
void rl_trace_release(struct rl_trace *trace);

/* The index of a text, of which at most RL_CAPTURE_MAX_TEXT bytes up to the first zero byte are kept. */
uint32_t rl_trace_text(struct rl_trace *trace, const char *text, size_t len);
/* The process with that id, host and rank (texts), added if new; beyond the limit the last one. */
uint32_t rl_trace_process(struct rl_trace *trace, uint64_t pid, uint32_t host, uint32_t rank);
/* The thread of a process. */
uint32_t rl_trace_thread(struct rl_trace *trace, uint32_t process, uint64_t tid);
/* Whether a function of CUDA launches kernels, or waits for the GPU. */
bool rl_trace_call_kind(struct rl_text function, enum rl_trace_host_kind *kind);
/* Records the UUID of a GPU, a text. */
void rl_trace_uuid(struct rl_trace *trace, size_t card, uint32_t uuid);

/* Each adds one or, if it ends before it begins or there are too many, counts it in the notes. */
void rl_trace_add_kernel(struct rl_trace *trace, const struct rl_trace_kernel *kernel);
/* Adds a copy or memset. */
void rl_trace_add_copy(struct rl_trace *trace, const struct rl_trace_copy *copy);
/* Adds an act of a host thread. */
void rl_trace_add_host(struct rl_trace *trace, const struct rl_trace_host *host);
/* Links launches to their calls, and calls to ranges. `process`: owner of activities without one; `by_process`: correlations are
 * unique only within a process. */
void rl_trace_end_file(struct rl_trace *trace, uint32_t process, bool by_process);

/* trace_build.c: fills the capture from at least one launch. `card` names GPUs without a name; NULL: "unknown GPU". */
void rl_trace_build(struct rl_trace *trace, const char *card);

/* Two numbers that captures can hold, added; never more than they can. */
static inline uint64_t rl_trace_sum(uint64_t a, uint64_t b)
{
    const uint64_t most = (UINT64_C(1) << 62) - 1;

    return a > most || b > most - a ? most : a + b;
}

/* ---- readers ---- */

struct rl_lines;
/* nsys.c: the SQLite file at `path`, or in `bytes` where path is NULL, is an export of Nsight Systems. `*is` false: it is another
 * SQLite file, and nothing was read. RL_FORMAT with one line. */
enum rl_status rl_nsys_read(struct rl_trace *trace, const char *path, struct rl_text bytes, const char *label, bool *is,
                            struct rl_err *err);
/* kineto.c: JSON in Chrome's trace format, as PyTorch's profiler writes it, plain or compressed by gzip. */
enum rl_status rl_kineto_read(struct rl_trace *trace, struct rl_lines *lines, const char *label, struct rl_err *err);
