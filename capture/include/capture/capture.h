/* capture.h - the capture: everything that one session measured, in one file.
 *
 * The collector (or an importer) fills a `struct rl_capture` and writes it after every finished kernel class; everything else opens
 * it read-only. The file is an SQLite 3 database (docs/capture-format.md); no other folder uses SQL.
 *
 * GPUs, kernel classes with their times and counters, the session, the log and the ledger of imported values are declared here;
 * this header includes the rest:
 *
 *     suite.h      roofs, experiments, variants, claims, copies between GPUs, and between them and the host
 *     program.h    a profiled program: processes, memcpys, NVTX ranges and their instances, PM samples of a whole GPU, its GPUs
 *                  over time; benchmarks
 *     pc.h         sampled instructions, and their source lines
 *
 * The parts refer to one another by index into the arrays of the same capture. All strings belong to the capture's arena
 * (rl_capture_text) and may hold any bytes but 0. Arrays with a `_cap` grow by the rl_capture_add_* functions only; the others
 * (command, samples, duration_ns, settings) are allocated at once: rl_arena_alloc(&capture->arena, count * sizeof ...). Pointers
 * into an array are valid until the next add to the same array.
 *
 * A string may be NULL only where its comment says so: writing refuses other NULLs, and reading yields none.
 *
 * Numbers are in SI base units; durations in integer nanoseconds.
 */
#pragma once

#include "capture/pc.h"
#include "capture/program.h"
#include "capture/suite.h"

/* ---- the ledger of an imported capture: what became of the values of its files ---- */

enum rl_fate {
    RL_FATE_USED,         /* as it was printed */
    RL_FATE_SCALED,       /* used in another unit */
    RL_FATE_FOREIGN,      /* kept under the name that the tool printed */
    RL_FATE_IGNORED,      /* not kept */
    RL_FATE_CONTRADICTED, /* another value of the same quantity is used */
    RL_FATE_COUNT
};
/* "used"; static. */
const char *rl_fate_name(enum rl_fate fate);

/* The values of one metric or column that had one fate. */
struct rl_ledger_row {
    char *name;  /* as the tool printed it */
    bool column; /* of a table, not a metric */
    enum rl_fate fate;
    uint64_t count; /* of values */
    char *example;  /* the first of them, as printed; "": none can be shown */
    char *reason;   /* its use, why it was not kept, or the contradicting value */
};

enum {
    RL_CAPTURE_APPLICATION_ID = 0x524c4350, /* "RLCP", in the file's header */
    RL_CAPTURE_VERSION = 15,                /* user_version; raised when the schema changes; no other is read */
    RL_CAPTURE_MAX_TEXT = 65536,            /* bytes of one string */
    RL_CAPTURE_MAX_LOG = 100000,            /* log entries; the last one then says that there were more */
    RL_CAPTURE_MAX_BYTES = 1 << 30,         /* of the file */
};
#define RL_NONE ((size_t)-1) /* an index that refers to nothing */

enum rl_fact_id {
#define FACT(id, unit, label)    RL_FACT_##id,
#define FLAG(id, label, no, yes) RL_FACT_##id,
#include "capture/facts.def"
    RL_FACT_COUNT
};
enum rl_reading_id {
#define READING(id, unit, label) RL_READING_##id,
#include "capture/readings.def"
    RL_READING_COUNT
};

/* Name, unit and label of a row of facts.def or readings.def. */
struct rl_field {
    const char *id;
    enum rl_unit unit;
    const char *label;
    const char *flag[2]; /* words for 0 and 1; NULL: a number */
};
extern const struct rl_field rl_facts[RL_FACT_COUNT];
extern const struct rl_field rl_readings[RL_READING_COUNT];

/* Readings of one GPU at one moment. */
struct rl_gpu_moment {
    char *moment;  /* "before", "after", "during" */
    int64_t at_ns; /* since the start of the session */
    struct rl_value reading[RL_READING_COUNT];
};

struct rl_gpu {
    int index;              /* CUDA ordinal in the session */
    char *name;             /* "NVIDIA H200" */
    char *uuid;             /* may be NULL */
    char *chip;             /* CUPTI's chip name, "GH100"; NULL: unknown */
    int cc_major, cc_minor; /* compute capability; 0.0: unknown (imported captures) */
    struct rl_value fact[RL_FACT_COUNT];
    struct rl_gpu_moment *moments;
    size_t moment_count, moment_cap;
};

/* How the counters of a group of values were collected. */
struct rl_pass {
    size_t gpu;
    char *configuration; /* "hardware", "sass", ... */
    char *mode;          /* "user replay", "rotate", "kernel replay", "imported" */
    char *cache;         /* "warm", "flushed", "unknown" */
};

enum rl_counter_kind {
    RL_COUNTER,      /* a counter by the vendor's name */
    RL_METRIC_VALUE, /* one of our metric ids, value in its unit (imported captures) */
    RL_FOREIGN,      /* anything else another tool printed, by its name */
};
struct rl_counter {
    enum rl_counter_kind kind;
    char *name;
    struct rl_value value;
    size_t pass; /* RL_NONE: unknown */
};

/* A counter of one launch; the duration of the launch is the counter RL_LAUNCH_TIME. */
struct rl_launch_counter {
    struct rl_counter counter; /* `pass` is not kept */
    uint64_t launch;           /* number by the profiler, or position among the launches that were read */
};
#define RL_LAUNCH_TIME "gpu__time_duration.sum" /* ns */

/* Launches of a class that do the same work, where the class has launches with different work, as shown by their times and by
 * counters that depend on the work alone. Each population is a kernel of the capture. All 0: the class is whole. */
struct rl_population {
    uint32_t number, total;      /* position by time, from 1, and number of populations */
    uint64_t from_ns, before_ns; /* range of its launches' durations */
};

/* How a kernel's times were taken, and the overhead that this added to them. */
enum rl_clock {
    RL_CLOCK_UNKNOWN,
    RL_CLOCK_SERIAL,     /* serial activity records: a constant was subtracted */
    RL_CLOCK_CONCURRENT, /* concurrent records, which instrument the kernel: their overhead was estimated and subtracted */
    RL_CLOCK_BOTH,       /* launches of each kind */
    RL_CLOCK_EVENTS,     /* CUDA events around the launch: nothing was subtracted */
    RL_CLOCK_COUNTERS,   /* counters of a launch in a window: cost_ns is the excess of the window's range */
    RL_CLOCK_COUNT
};
/* Duration of a kernel beyond the active time of its busiest SM, without the launch, ns (H200). */
#define RL_KERNEL_START_NS 550.0
/* "serial"; static. */
const char *rl_clock_name(enum rl_clock clock);
struct rl_kernel_clock {
    enum rl_clock clock;
    struct rl_value cost_ns, cost_low_ns, cost_high_ns; /* subtracted from the time of a launch, on average; its bounds */
    struct rl_value back_to_back_ns; /* of the suite: from launch to launch without CUPTI, less the gap between launches */
};

/* A kernel class: launches with the same name, grid, block, dynamic shared memory and GPU; or a population of them. */
struct rl_kernel {
    size_t gpu;
    size_t variant; /* RL_NONE: not of the suite */
    char *name;     /* demangled; as the tool printed it when imported */
    char *mangled;  /* NULL: unknown */
    uint32_t grid[3], block[3];
    uint64_t dynamic_shared_bytes;
    struct rl_population population;
    struct rl_kernel_clock clock;
    struct rl_value static_shared_bytes, registers_per_thread, local_bytes_per_thread;
    uint64_t launches;         /* seen in the session */
    uint64_t launches_per_run; /* in one run of its variant; 0: unknown, or not of the suite */
    uint64_t total_ns;         /* their summed duration, without the overhead of the clock; 0: unknown */
    char *timing;              /* "activity", RL_TIMING_IN_ORDER, "events", ...; NULL: no times (total_ns 0, no samples) */
    uint64_t *duration_ns;     /* all samples, in order of measuring (except as in struct rl_kernel_use) */
    size_t duration_count;
    char *nvtx; /* range path "coalescing/stride_1"; imported of several runs: "process 252 on host"; NULL: none */
    struct rl_counter *counters;
    size_t counter_count, counter_cap;         /* counter_cap 0: they are in the arena of the capture */
    struct rl_launch_counter *launch_counters; /* by launch, in ascending order; imported captures */
    size_t launch_counter_count;
};

/* Warps of a launch. */
static inline double rl_launch_warps(const uint32_t grid[3], const uint32_t block[3])
{
    const uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
    return (double)grid[0] * grid[1] * grid[2] * (double)(threads / 32 + (threads % 32 > 0));
}

enum rl_log_level { RL_LOG_NOTE, RL_LOG_WARNING, RL_LOG_ERROR };
struct rl_log_entry {
    int64_t at_ns;
    enum rl_log_level level;
    char *text;
};

#define RL_COUNTERS_COLLECTED "collected"

struct rl_session {
    char *started; /* UTC, "2026-11-21T10:30:40Z"; "" when it is unknown (imported captures) */
    char *tool_version;
    char *source;   /* "collect", "ncu", "nvprof", "nsys", "kineto", "benchmark", "published" (read, not measured) */
    char **command; /* arguments */
    size_t command_count;
    char *host, *os;                                   /* NULL: unknown */
    char *driver, *cuda_driver, *cuda_runtime, *cupti; /* versions; NULL: unknown or not there */
    char *counters;                                    /* RL_COUNTERS_COLLECTED, or why not, in one sentence */
    bool complete;                                     /* false while measuring, and after a crash */
};

struct rl_capture {
    struct rl_arena arena;
    struct rl_session session;
#define ROWS(one, type, items, ...)                                                                                                \
    struct type *items;                                                                                                            \
    size_t one##_count, one##_cap;
#include "capture/rows.def"
#undef ROWS
    struct rl_log_entry *log;
    size_t log_count, log_cap;
    struct rl_sha256 sha256; /* of the file it was read from; empty otherwise */
};

/* An empty capture, not complete: source "collect", counters "not collected", started and tool_version "". Free with
 * rl_capture_free. */
struct rl_capture *rl_capture_new(void);
/* Frees the capture with everything in it; NULL is allowed. */
void rl_capture_free(struct rl_capture *capture);
/* Whether the session has hardware counters; if not, `counters` has the reason, as has each missing value. */
bool rl_session_counted(const struct rl_session *session);

/* ---- adding: each function appends one element and returns it. Its values are missing ("not collected"), its strings NULL, its
 * indices 0, or RL_NONE where that is allowed. The pointer is valid until the next add. `gpu`, `experiment`, `kernel` and `process`
 * are indices of existing elements. ---- */
#define ROWS(one, type, items, ...) struct type *rl_capture_add_##one(struct rl_capture *capture);
#include "capture/rows.def"
#undef ROWS
/* A moment of GPU `gpu`, at which its clocks and the like were read. */
struct rl_gpu_moment *rl_capture_add_moment(struct rl_capture *capture, size_t gpu);
/* A value of kernel class `kernel`. */
struct rl_counter *rl_capture_add_counter(struct rl_capture *capture, size_t kernel);
/* A claim of experiment `experiment`. */
struct rl_claim *rl_capture_add_claim(struct rl_capture *capture, size_t experiment);
/* The activity of process `process` on one GPU. */
struct rl_process_gpu *rl_capture_add_process_gpu(struct rl_capture *capture, size_t process);

/* Concatenates captures and adapts their indices. GPUs are not compared: one that is in two captures is in the result twice. The
 * session is that of the first, complete if all are. The result (rl_capture_free) borrows nothing; `count` is at least 1. */
struct rl_capture *rl_capture_merge(struct rl_capture *const *captures, size_t count);

/* A capture in which each launch with counters is a kernel, with the same GPUs and roofs; the name of its range is its number. The
 * result (rl_capture_free) borrows nothing. */
struct rl_capture *rl_capture_of_launches(const struct rl_capture *capture);

/* Appends to the log. */
void rl_capture_log(struct rl_capture *capture, int64_t at_ns, enum rl_log_level level, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* A copy in the capture's arena; NULL gives NULL. A text over RL_CAPTURE_MAX_TEXT bytes is cut and ends in "...". */
char *rl_capture_text(struct rl_capture *capture, const char *text);
/* The same value, with the reason of a missing one copied into the capture's arena. */
struct rl_value rl_capture_value(struct rl_capture *capture, struct rl_value value);

/* Sets the command line of the session: names of programs without their folders, options, and arguments of harmless form
 * (capture/arguments.def); other arguments become a mark, "<sha256:1234abcd:17>", credentials "[secret]". `keep_all`: as typed. */
void rl_capture_set_command(struct rl_capture *capture, const char *const *arguments, size_t count, bool keep_all);
/* The command line of a process in the same form, as one line in the capture's arena. */
char *rl_capture_command_line(struct rl_capture *capture, const char *const *arguments, size_t count, bool keep_all);
/* Whether a word of such a line replaces an argument: a mark or "[secret]". */
bool rl_capture_is_untold(const char *word);
/* Whether the first `length` bytes of a word name a program that runs others: "python3.11", "bash", "env". */
bool rl_capture_is_interpreter(const char *word, size_t length);

/* Writes the whole capture to `path` in one step (rl_write_file_atomic): the file is at any moment the old one or a complete new
 * one. The same capture gives the same bytes. Credentials (capture/secrets.def) in texts become "[secret]", except in names of
 * kernels and command lines. RL_FAILED with the place if the capture is invalid (a number that is not finite, a required string
 * that is NULL, an index out of range, a limit of docs/capture-format.md); RL_IO if the file cannot be written. */
enum rl_status rl_capture_write(const struct rl_capture *capture, const char *path, struct rl_err *err);
/* The same for a capture that is written repeatedly while it grows: does not wait for the disk (rl_write_file_unsynced), which on
 * shared file systems takes as long as a measurement. */
enum rl_status rl_capture_write_growing(const struct rl_capture *capture, const char *path, struct rl_err *err);
/* The same to memory: appends the file's bytes to `out`. */
enum rl_status rl_capture_write_bytes(const struct rl_capture *capture, struct rl_buf *out, struct rl_err *err);

/* Reads and validates a capture from an untrusted file: schema, integrity, foreign keys, ranges, enumerations and sizes are
 * checked. On success `*capture` is the caller's (rl_capture_free), its indices are in range, numbers finite, enumerations known,
 * and sums of two durations or counts do not overflow. Otherwise it is NULL: RL_FORMAT, RL_VERSION; RL_IO or RL_ABSENT for the file
 * itself. */
enum rl_status rl_capture_read(const char *path, struct rl_capture **capture, struct rl_err *err);
/* The same from bytes in memory; `label` stands for the path in error texts. */
enum rl_status rl_capture_read_bytes(const void *bytes, size_t len, const char *label, struct rl_capture **capture,
                                     struct rl_err *err);

/* How a capture is redacted. */
struct rl_redaction {
    const char *key; /* for pseudonyms, "[name 0123456789ab]": the same key gives the same ones. Not NULL; secret */
    bool kernels;    /* all kernels get pseudonyms, too: "[kernel 0123456789ab]" */
};

/* Removes everything that may reveal where, by whom and for whom a capture was made (docs/privacy.md). Kept are numbers, texts of
 * the program's own words (messages, tables of chips, GPUs, metrics and suite), and names of kernels that are plain declarations.
 * Hosts and UUIDs are removed; programs become "[program 1]"; the command line keeps options and harmless values. Marks such as
 * "[redacted]" replace removed text. Adds a note to the log, with the hash of the file that the capture was read from
 * (capture->sha256). Idempotent except for the log; time is linear in the length of the texts. */
void rl_capture_redact(struct rl_capture *capture, const struct rl_redaction *how);
/* Log entries of a redacted capture; the second ends with the hash of the original, where it is known. */
#define RL_CAPTURE_REDACTED      "redacted: only words that the program knows, names of kernels and figures are left"
#define RL_CAPTURE_REDACTED_FROM "redacted from the capture with SHA-256 "

/* The first counter called `name` of a kernel, whatever its kind, or NULL. */
const struct rl_counter *rl_kernel_counter(const struct rl_kernel *kernel, const char *name);
