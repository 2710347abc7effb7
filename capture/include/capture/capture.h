/* capture.h - the capture: everything one session measured, in one file.
 *
 * The collector (or an importer) fills a `struct rl_capture` and writes it after every finished kernel class; everything else
 * opens it read-only. The file is one SQLite 3 database (docs/capture-format.md); no other folder uses SQL.
 *
 * Cards, kernel classes with their times and counters, the session, the log and the fate of imported values are declared here; this
 * header includes the rest:
 *
 *     suite.h      ceilings, experiments, variants, claims, copies between GPUs, and between them and the host
 *     program.h    an observed program: processes, copies, NVTX ranges and their instances, counters of a whole GPU that were
 *                  sampled while it ran, its GPUs over time; benchmarks
 *     pc.h         instructions that were sampled, and their source lines
 *
 * In memory the parts refer to one another by index into the arrays of the same capture. All strings belong to the
 * capture's arena (rl_capture_text); they may hold any bytes but 0. Arrays with a `_cap` belong to the capture: take memory for
 * them with the rl_capture_add_* functions only. The others (command, samples, duration_ns, settings) are taken whole from the
 * arena: rl_arena_alloc(&capture->arena, count * sizeof ...). Pointers into an array are valid until the next add to the same
 * array.
 *
 * A string may be NULL only where its comment says so: writing refuses a NULL elsewhere, and what was read has none.
 *
 * Numbers are in SI base units; durations in integer nanoseconds.
 */
#ifndef RL_CAPTURE_CAPTURE_H
#define RL_CAPTURE_CAPTURE_H

#include "capture/pc.h"
#include "capture/program.h"
#include "capture/suite.h"
#include "core/core.h"

/* ---- what became of the values of the files that a capture was imported from ---- */

enum rl_fate {
    RL_FATE_USED,         /* as it was printed */
    RL_FATE_SCALED,       /* used in another unit */
    RL_FATE_FOREIGN,      /* kept under the name that the tool printed */
    RL_FATE_IGNORED,      /* not kept */
    RL_FATE_CONTRADICTED, /* another value of the same quantity counts */
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
    char *reason;   /* where it went, why it was not kept, or what contradicts it */
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
#undef FACT
#undef FLAG
    RL_FACT_COUNT
};
enum rl_reading_id {
#define READING(id, unit, label) RL_READING_##id,
#include "capture/readings.def"
#undef READING
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

/* Readings of one card at one moment. */
struct rl_gpu_moment {
    char *moment;  /* "before", "after", "during" */
    int64_t at_ns; /* since the start of the session */
    struct rl_value reading[RL_READING_COUNT];
};

struct rl_gpu {
    int index;              /* CUDA ordinal in the session */
    char *name;             /* "NVIDIA H200" */
    char *uuid;             /* may be NULL */
    char *chip;             /* CUPTI's chip name, "GH100"; NULL when it is unknown */
    int cc_major, cc_minor; /* 0.0 when it is unknown (imported captures) */
    struct rl_value fact[RL_FACT_COUNT];
    struct rl_gpu_moment *moments;
    size_t moment_count, moment_cap;
};

/* How the counters of a group of values were got. */
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

/* The same of one launch; its duration is the counter RL_LAUNCH_TIME. */
struct rl_launch_counter {
    struct rl_counter counter; /* `pass` is not kept */
    uint64_t launch;           /* the number that the profiler gave it, or its place among those that were read */
};
#define RL_LAUNCH_TIME "gpu__time_duration.sum" /* ns */

/* Launches of a class whose times, and counters that depend on the work alone, say that they do other work than the rest: a kernel
 * of the capture for each kind of them. All 0: the class is whole. */
struct rl_population {
    uint32_t number, total;      /* the how-manieth of how many, by time, from 1 */
    uint64_t from_ns, before_ns; /* its launches take so long */
};

/* How a kernel's times were taken, and what the clock added to them. */
enum rl_clock {
    RL_CLOCK_UNKNOWN,
    RL_CLOCK_SERIAL,     /* serial activity records: a constant was subtracted */
    RL_CLOCK_CONCURRENT, /* concurrent ones, which instrument the kernel: what that adds was estimated and subtracted */
    RL_CLOCK_BOTH,       /* launches of each kind */
    RL_CLOCK_EVENTS,     /* CUDA events around the launch: nothing was subtracted */
    RL_CLOCK_COUNTERS,   /* counters of a launch in a window: cost_ns is by how much the window's range was longer */
    RL_CLOCK_COUNT
};
/* Without their launch kernels are so much longer than their busiest SM was active, ns (H200). */
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
    uint64_t total_ns;         /* their summed duration, without what the clock added; 0: unknown */
    char *timing;              /* "activity", RL_TIMING_IN_ORDER, "events", ...; NULL: no times (total_ns 0, no samples) */
    uint64_t *duration_ns;     /* all samples, in order of measuring (but see struct rl_kernel_use) */
    size_t duration_count;
    char *nvtx; /* range path "coalescing/stride_1"; imported of several runs: "process 252 on host"; NULL: none */
    struct rl_counter *counters;
    size_t counter_count, counter_cap;         /* room for `counter_cap`; 0: they lie in the arena of the capture */
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
    bool complete;                                     /* false while it is being made, and after a crash */
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
/* Whether the session has hardware counters; if not, `counters` says why. Each missing value has its own reason as well. */
bool rl_session_counted(const struct rl_session *session);

/* ---- adding: each function appends one element with every value missing ("not collected"), every string NULL and every index 0,
 * or RL_NONE where that is allowed, and returns it, until the next one is added. `gpu`, `experiment`, `kernel` and `process` are
 * indices of elements that are there. ---- */
#define ROWS(one, type, items, ...) struct type *rl_capture_add_##one(struct rl_capture *capture);
#include "capture/rows.def"
#undef ROWS
/* A moment of card `gpu`, at which its clocks and the like were read. */
struct rl_gpu_moment *rl_capture_add_moment(struct rl_capture *capture, size_t gpu);
/* A value of kernel class `kernel`. */
struct rl_counter *rl_capture_add_counter(struct rl_capture *capture, size_t kernel);
/* A claim of experiment `experiment`. */
struct rl_claim *rl_capture_add_claim(struct rl_capture *capture, size_t experiment);
/* The activity of process `process` on one GPU. */
struct rl_process_gpu *rl_capture_add_process_gpu(struct rl_capture *capture, size_t process);

/* All captures as one: what belongs to them stands behind one another, and references follow. Cards are not compared: the same one
 * in two captures is there twice. The session is that of the first, complete when all are. Nothing is
 * borrowed; `count` is at least 1. */
struct rl_capture *rl_capture_merge(struct rl_capture *const *captures, size_t count);

/* The launches of all kernels that have counters by launch, each as a kernel with them, under the same cards and roofs; the name of
 * its range says the number. Nothing is borrowed. */
struct rl_capture *rl_capture_of_launches(const struct rl_capture *capture);

/* Appends to the log. */
void rl_capture_log(struct rl_capture *capture, int64_t at_ns, enum rl_log_level level, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* A copy that lives as long as the capture; NULL gives NULL. A text over RL_CAPTURE_MAX_TEXT bytes is cut and ends in "...". */
char *rl_capture_text(struct rl_capture *capture, const char *text);
/* The same value, whose reason, where it is missing, lives as long as the capture. */
struct rl_value rl_capture_value(struct rl_capture *capture, struct rl_value value);

/* The command line of the session: names of programs without their folders, options, and arguments of harmless form
 * (capture/arguments.def); of others a mark, "<sha256:1234abcd:17>", of credentials nothing ("[secret]"). `keep_all`: as typed. */
void rl_capture_set_command(struct rl_capture *capture, const char *const *arguments, size_t count, bool keep_all);
/* The same for a process, as one line that belongs to the capture. */
char *rl_capture_command_line(struct rl_capture *capture, const char *const *arguments, size_t count, bool keep_all);
/* Whether a word of such a line was withheld: a mark or "[secret]". */
bool rl_capture_is_untold(const char *word);
/* Whether so much of a word is the name of a program that runs others: "python3.11", "bash", "env". */
bool rl_capture_is_interpreter(const char *word, size_t length);

/* Writes the whole capture to `path` in one step (rl_write_file_atomic), so that the file at `path` is at any moment
 * either the old one or a complete, readable new one, whatever happens to the process. The same capture gives the same bytes.
 * Credentials (capture/secrets.def) in texts become "[secret]", but in names of kernels and command lines.
 * RL_FAILED with the place when the model holds what a capture cannot (a number that is not finite, a required string that is
 * NULL, an index out of range, a limit of docs/capture-format.md); RL_IO when the file cannot be written. */
enum rl_status rl_capture_write(const struct rl_capture *capture, const char *path, struct rl_err *err);
/* The same for a capture that grows while it is measured: does not wait for the disk (rl_write_file_unsynced), which on the shared
 * file systems of clusters takes as long as a measurement. */
enum rl_status rl_capture_write_growing(const struct rl_capture *capture, const char *path, struct rl_err *err);
/* The same to memory: appends the file's bytes to `out`. */
enum rl_status rl_capture_write_bytes(const struct rl_capture *capture, struct rl_buf *out, struct rl_err *err);

/* Reads and validates a capture. The file is hostile: it is opened read-only, schema, integrity, foreign keys, ranges,
 * enumerations and sizes are checked before anything is believed, and a bad one is refused with one line (RL_FORMAT,
 * RL_VERSION; RL_IO or RL_ABSENT for the file itself). On success `*capture` is the caller's (rl_capture_free), otherwise NULL.
 * Indices are in range then, numbers finite, enumerations known; sums of two durations or counts do not overflow. */
enum rl_status rl_capture_read(const char *path, struct rl_capture **capture, struct rl_err *err);
/* The same from bytes in memory; `label` stands for the path in error texts. */
enum rl_status rl_capture_read_bytes(const void *bytes, size_t len, const char *label, struct rl_capture **capture,
                                     struct rl_err *err);

/* How a capture is redacted. */
struct rl_redaction {
    const char *key; /* pseudonyms are made with it, "[name 0123456789ab]": the same key gives the same ones. Not NULL; keep it
                        secret */
    bool kernels;    /* all kernels get pseudonyms, too: "[kernel 0123456789ab]" */
};

/* Leaves out everything that may say where, by whom and for whom a capture was made, and lets through what it knows to be harmless
 * (docs/privacy.md): numbers, texts of words that the program itself can have written, of its messages, tables of chips and cards,
 * metrics and suite, and names of kernels that are plain declarations. Hosts and UUIDs go; of programs "[program 1]" stays, of the
 * command line options and harmless values. A sign such as "[redacted]" stands where a text was left out. Says so in the log, with
 * the hash of the file that the capture was read from (capture->sha256). Done twice, it changes no text but the log. Time grows
 * with the length of the texts. `list` (may be NULL) gets a list, as JSON, of the texts that were kept in each column. */
void rl_capture_redact(struct rl_capture *capture, const struct rl_redaction *how, struct rl_buf *list);
/* Log entries of a redacted capture; the second ends with the hash of the original, where it is known. */
#define RL_CAPTURE_REDACTED      "redacted: only words that the program knows, names of kernels and figures are left"
#define RL_CAPTURE_REDACTED_FROM "redacted from the capture with SHA-256 "

/* The first counter called `name` of a kernel, whatever its kind, or NULL. */
const struct rl_counter *rl_kernel_counter(const struct rl_kernel *kernel, const char *name);

#endif
