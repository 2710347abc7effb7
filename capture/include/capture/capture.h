/* capture.h - the capture: everything one session measured, in one file.
 *
 * The collector (or an importer) fills a `struct rl_capture` and writes it after every finished kernel class; everything else
 * opens it read-only. The file is one SQLite 3 database (docs/capture-format.md); nobody outside this folder sees SQL.
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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/link.h"
#include "capture/pc.h"
#include "capture/timeline.h"
#include "core/arena.h"
#include "core/buf.h"
#include "core/chart_form.h"
#include "core/deviation.h"
#include "core/err.h"
#include "core/fs.h"
#include "core/setting.h"
#include "core/units.h"
#include "core/value.h"

enum {
    RL_CAPTURE_APPLICATION_ID = 0x524c4350, /* "RLCP", in the file's header */
    RL_CAPTURE_VERSION = 13,                /* user_version; raised when the schema changes; older ones are read too */
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
    char *chip;             /* CUPTI's chip name, "GH100"; NULL when it is not known */
    int cc_major, cc_minor; /* 0.0 when it is not known (imported captures) */
    struct rl_value fact[RL_FACT_COUNT];
    struct rl_gpu_moment *moments;
    size_t moment_count, moment_cap;
};

/* One measurement of a roof with one configuration of its micro-benchmark. */
struct rl_ceiling_run {
    size_t gpu;
    char *id; /* row of analysis/ceilings.def, e.g. "dram_read" */
    enum rl_unit unit;
    char *configuration;         /* for readers: "read, 4.00 GiB, 512 threads" */
    struct rl_setting *settings; /* what it is made of, in the order of saying it */
    size_t setting_count;
    struct rl_value sm_clock_hz, memory_clock_hz, throttle_reasons; /* at that moment */
    double *samples;                                                /* rates, base unit */
    size_t sample_count;
};

/* Where a claim comes from. All NULL: the capture does not say (made before version 7). */
struct rl_claim_source {
    char *document;       /* what it stands in, or that it is of our own */
    char *heading;        /* below which; NULL: none */
    char *quote;          /* its words, literally; " … " stands for what is left out; NULL: there are none to quote */
    char *reading;        /* what we take them to say, where they do not say it themselves; NULL: nothing to add */
    struct rl_value most; /* "between": the upper end of the range, whose lower end is the claim's value; else missing */
};

/* What an experiment claims, as data; the verdict is found by the analysis. See kernels/suite.h for the meaning. */
struct rl_claim {
    char *id;                 /* unique within the experiment: "padding_removes_conflicts" */
    char *text;               /* the published sentence, in our words */
    char *quantity;           /* what is compared: a metric id, "time_s", "useful_bytes_per_second", ... */
    char *subject, *baseline; /* variants: quantity(subject) / quantity(baseline), or the value itself (baseline NULL) */
    char *relation;           /* "about", "at_least", "at_most", "between" */
    double value, tolerance;  /* "about": value within the relative tolerance */
    char *card;               /* where the figure was measured; NULL: said of all cards */
    bool card_specific;       /* the value belongs to that card: elsewhere it is shown, not judged */
    char *source;
    struct rl_claim_source from;
};

/* How the variants of an experiment are drawn. Keys are those of the variants' settings. */
struct rl_experiment_form {
    enum rl_chart_form form;
    char *axis;       /* key of the number that a line or a panel runs over; NULL: there is no axis */
    char *axis_title; /* "Stages of the pipeline"; NULL without an axis */
    enum rl_unit axis_unit;
    char *series; /* key of the setting (text) that divides the variants into lines, or into panels; NULL: one line */
    char *way;    /* key of the setting that tells the base of a panel from what is held against it; NULL: no panels */
};
/* Two variants of which one mends what slows down the other. */
struct rl_variant_pair {
    char *broken, *mended;
};

struct rl_experiment {
    char *name, *topic, *question, *explanation; /* explanation: what to look at in the counters */
    char *source;
    struct rl_claim *claims;
    size_t claim_count, claim_cap;
    struct rl_experiment_form form;
    char **columns; /* ids of what its tables show besides what all show: metrics, RL_COLUMN_GAP, RL_COLUMN_ERROR */
    size_t column_count;
    struct rl_variant_pair *pairs;
    size_t pair_count;
    char **references; /* variants that are implementations of others, to hold the variants against: a library, a plain copy */
    size_t reference_count;
};
/* Columns that are no metrics: the median gap between kernels on the timeline, the largest deviation from the reference. */
#define RL_COLUMN_GAP   "kernel_gap_s"
#define RL_COLUMN_ERROR "largest_deviation"

enum rl_result {
    RL_RESULT_NOT_CHECKED,
    RL_RESULT_OK,
    RL_RESULT_WRONG, /* computed the wrong thing: no performance figure is shown */
};
enum rl_variant_status {
    RL_VARIANT_DONE,
    RL_VARIANT_UNSUPPORTED, /* this card or driver cannot; reason says what is missing */
    RL_VARIANT_FAILED,      /* reason says how */
};

enum rl_event_kind {
    RL_EVENT_KERNEL,
    RL_EVENT_COPY_TO_DEVICE,
    RL_EVENT_COPY_TO_HOST,
    RL_EVENT_COPY_ON_DEVICE,
    RL_EVENT_SET, /* memset */
};
/* One activity on the GPU's timeline. */
struct rl_event {
    enum rl_event_kind kind;
    uint32_t stream;
    int64_t start_ns, end_ns; /* since the start of the run's first activity */
    uint64_t bytes;           /* copies and sets; 0 for kernels */
};

struct rl_variant {
    size_t experiment, gpu;
    char *name, *description;
    enum rl_variant_status status;
    char *reason; /* NULL when done */
    enum rl_result result;
    char *result_text;             /* for readers: "4096 elements, largest error 1.2e-7"; NULL: nothing to say */
    struct rl_deviation deviation; /* the same as numbers */
    struct rl_setting *settings;   /* where it stands on the axes of its experiment */
    size_t setting_count;
    uint64_t size;                /* problem size as the experiment counts it */
    char *size_unit;              /* "elements", "rows", "ticks" */
    struct rl_value model_flop;   /* work model for one launch: floating-point operations, */
    struct rl_value model_bytes;  /* fewest bytes that must move through device memory, */
    struct rl_value useful_bytes; /* and bytes that the program asked for */
    struct rl_value
        operations; /* repetitions inside one run (barriers, launches): time over it is the time of one; missing: none */
    /* How one run of the variant is timed: "kernel": it is one launch, timed as its kernel class; "span": from the start of its
     * first to the end of its last activity on the GPU; "wall": by the host's clock, from the first call until the GPU is idle. */
    char *measure;
    uint64_t *duration_ns; /* of whole runs, in order of measuring; none when measured by kernel */
    size_t duration_count;
    struct rl_event *events; /* what the GPU did during one representative run; none when measured by kernel */
    size_t event_count;
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

/* Launches of a class whose times, and counters that depend on the work alone, say that they do other work than the rest: a kernel
 * of the capture for each kind of them. All 0: the class is whole. */
struct rl_population {
    uint32_t number, total;      /* the how-manieth of how many, by time, from 1 */
    uint64_t from_ns, before_ns; /* its launches take so long */
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
    struct rl_value static_shared_bytes, registers_per_thread, local_bytes_per_thread;
    uint64_t launches;         /* seen in the session */
    uint64_t launches_per_run; /* in one run of its variant; 0: unknown, or not of the suite */
    uint64_t total_ns;         /* their summed duration; 0: unknown */
    char *timing;              /* "activity", RL_TIMING_IN_ORDER, "events", ...; NULL: no times (total_ns 0, no samples) */
    uint64_t *duration_ns;     /* all samples, in order of measuring (but see struct rl_kernel_use) */
    size_t duration_count;
    char *nvtx; /* range path "coalescing/stride_1"; NULL: none */
    struct rl_counter *counters;
    size_t counter_count, counter_cap; /* room for `counter_cap`; 0: they lie in the arena of the capture */
};

/* What a process of an observed program did on one GPU. */
struct rl_process_gpu {
    size_t gpu;
    uint64_t span_ns;   /* from the start of its first to the end of its last activity, less the time in which nothing was timed */
    uint64_t busy_ns;   /* of those: at least one kernel, copy or set was running */
    uint64_t kernel_ns; /* durations of all timed kernels, added up; more than busy_ns when kernels overlap */
};
/* A process of an observed program that used CUDA. */
struct rl_process {
    uint64_t pid, parent_pid;
    char *host;             /* NULL: unknown */
    char *rank;             /* of Open MPI, MPICH, Slurm, ...; NULL: none */
    char *command;          /* program and arguments, as one line */
    char *end;              /* "exited", "killed", "unknown" (its end was not seen) */
    int status;             /* exit status, or number of the signal; 0 when unknown */
    char *phases;           /* how times and counters were kept apart, in one sentence */
    uint64_t launches;      /* kernel launches seen, selected or not */
    uint64_t untimed;       /* of those: launched while counters were taken, so counted but not timed */
    uint64_t lost;          /* activity records that CUPTI could not store */
    uint64_t unselected;    /* timed launches that the filters left out */
    uint64_t unselected_ns; /* their summed duration */
    struct rl_process_gpu *gpus;
    size_t gpu_count, gpu_cap;
};

/* Copies and sets of one kind by one process on one GPU. */
struct rl_transfer {
    size_t process, gpu;
    char *direction; /* "to device", "to host", "on device", "between devices", "on host", "set" */
    char *memory;    /* of the host's side: "pageable", "pinned"; "managed"; "device" otherwise; "unknown" */
    uint64_t count, bytes, total_ns;
    struct rl_value slowest, fastest; /* rate of one copy of at least 1 MiB, B/s; missing: there was none */
};

/* A node of the tree of NVTX ranges: a name below the ranges that were open around it. */
struct rl_range {
    size_t process;
    size_t parent; /* RL_NONE: outermost; otherwise an earlier range of the same process */
    char *domain;  /* NULL: the default domain */
    char *name;
    uint64_t instances; /* times it was entered */
    uint64_t host_ns;   /* summed time between entering and leaving, by the host's clock */
    uint64_t launches;  /* timed kernels launched directly in it, not in a range below it */
    uint64_t gpu_ns;    /* their summed duration */
};

/* What is known of a kernel class of an observed program besides struct rl_kernel. There, `launches` are all that were seen,
 * `total_ns` sums the timed ones, and `duration_ns` is a uniform sample of them, in the order of their starts when `timing` is
 * RL_TIMING_IN_ORDER. Captures from before that word have it in no order when there are more timed launches than samples. */
#define RL_TIMING_IN_ORDER "activity, in order of start"
struct rl_kernel_use {
    size_t kernel;
    uint64_t timed; /* launches with a time */
    uint64_t min_ns, max_ns;
    double deviation_ns; /* standard deviation of all timed launches */
    uint64_t graph;      /* of the timed launches: nodes of CUDA graphs */
    uint32_t cluster[3]; /* blocks in a cluster; 0 0 0: none */
    uint64_t counted;    /* launches whose counters were read, of the configuration with the fewest */
    char *uncounted;     /* why there are no counters, or fewer than asked for; NULL: nothing to say */
};

enum rl_log_level { RL_LOG_NOTE, RL_LOG_WARNING, RL_LOG_ERROR };
struct rl_log_entry {
    int64_t at_ns;
    enum rl_log_level level;
    char *text;
};

enum rl_key_trust { RL_KEY_NOT_LOOKED_UP, RL_KEY_UNKNOWN, RL_KEY_KNOWN };
/* A signature over the content of a capture, or over that of one that it was made from. Fixed bytes are hexadecimal digits. */
struct rl_signature {
    char *salt;       /* of a signature of this capture: hashed with the content. NULL for an origin, which must not give it away */
    char *digest;     /* what is signed: of an origin as it is stored, otherwise found out when the capture is read */
    char *public_key; /* Ed25519 */
    char *signature;
    bool holds;              /* found out when the capture is read */
    enum rl_key_trust trust; /* what the user knows of the key, set by the command; not in the file */
    const char *name;        /* of a known key in the user's list; "": without one */
};
enum rl_signature_state {
    RL_UNSIGNED,
    RL_SIGNED, /* every signature holds */
    RL_BROKEN, /* one does not: the content is not what was signed */
};

#define RL_COUNTERS_COLLECTED "collected"

struct rl_session {
    char *started; /* UTC, "2026-11-21T10:30:40Z"; "" when it is not known (imported captures) */
    char *tool_version;
    char *source;   /* "collect", "ncu", "nvprof", "published" (read, not measured) */
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
    struct rl_gpu *gpus;
    size_t gpu_count, gpu_cap;
    struct rl_ceiling_run *ceilings;
    size_t ceiling_count, ceiling_cap;
    struct rl_experiment *experiments;
    size_t experiment_count, experiment_cap;
    struct rl_variant *variants;
    size_t variant_count, variant_cap;
    struct rl_pass *passes;
    size_t pass_count, pass_cap;
    struct rl_kernel *kernels;
    size_t kernel_count, kernel_cap;
    struct rl_process *processes; /* of an observed program; none when the suite was measured or output imported */
    size_t process_count, process_cap;
    struct rl_transfer *transfers;
    size_t transfer_count, transfer_cap;
    struct rl_range *ranges;
    size_t range_count, range_cap;
    struct rl_kernel_use *uses; /* at most one for each kernel */
    size_t use_count, use_cap;
    struct rl_link *links; /* between the GPUs of a machine */
    struct rl_link_run *link_runs;
    size_t link_count, link_cap, link_run_count, link_run_cap;
    struct rl_gpu_sampling *samplings;
    struct rl_sampled_value *sampled; /* in the order of kernels, then of counters */
    size_t sampling_count, sampling_cap, sampled_count, sampled_cap;
    struct rl_pc_sampling *pc_samplings;
    struct rl_pc_function *pc_functions;
    struct rl_source_file *source_files;
    struct rl_source_line *source_lines;
    struct rl_pc_instruction *pc_instructions;
    struct rl_pc_stall *pc_stalls;
    size_t pc_sampling_count, pc_sampling_cap, pc_function_count, pc_function_cap, source_file_count, source_file_cap;
    size_t source_line_count, source_line_cap, pc_instruction_count, pc_instruction_cap, pc_stall_count, pc_stall_cap;
    struct rl_timeline *timelines;
    struct rl_timeline_lane *timeline_lanes;
    struct rl_timeline_bin *timeline_bins;
    struct rl_timeline_gap *timeline_gaps;
    size_t timeline_count, timeline_cap, timeline_lane_count, timeline_lane_cap;
    size_t timeline_bin_count, timeline_bin_cap, timeline_gap_count, timeline_gap_cap;
    struct rl_sampled_lane *sampled_lanes; /* in the order of timelines, then of counters */
    struct rl_sampled_bin *sampled_bins;
    struct rl_pc_text *pc_texts; /* in the order of instructions */
    size_t sampled_lane_count, sampled_lane_cap, sampled_bin_count, sampled_bin_cap, pc_text_count, pc_text_cap;
    struct rl_range_lane *range_lanes; /* in the order of timelines */
    struct rl_range_bin *range_bins;
    size_t range_lane_count, range_lane_cap, range_bin_count, range_bin_cap;
    struct rl_log_entry *log;
    size_t log_count, log_cap;
    struct rl_signature *origins; /* signatures of captures that this one was made from, by leaving out or by putting together */
    struct rl_signature *signatures;
    size_t origin_count, origin_cap, signature_count, signature_cap;
    struct rl_sha256 sha256; /* of the file it was read from; empty otherwise */
};

/* An empty capture, not complete: source "collect", counters "not collected", started and tool_version "". Free with
 * rl_capture_free. */
struct rl_capture *rl_capture_new(void);
/* Frees the capture with everything in it; NULL is allowed. */
void rl_capture_free(struct rl_capture *capture);
/* Whether the session has hardware counters; if not, `counters` says why. Of single values each has a reason of its own. */
bool rl_session_counted(const struct rl_session *session);

/* ---- adding: each function appends one element with every value missing ("not collected"), every string NULL and every index 0,
 * or RL_NONE where that is allowed, and returns it. `gpu`, `experiment`, `kernel` and `process` are indices of elements that
 * are there. ---- */
/* A card, behind those that are there. */
struct rl_gpu *rl_capture_add_gpu(struct rl_capture *capture);
/* A moment of card `gpu`, at which its clocks and the like were read. */
struct rl_gpu_moment *rl_capture_add_moment(struct rl_capture *capture, size_t gpu);
/* A run of a micro-benchmark. */
struct rl_ceiling_run *rl_capture_add_ceiling(struct rl_capture *capture);
/* An experiment. */
struct rl_experiment *rl_capture_add_experiment(struct rl_capture *capture);
/* A claim of experiment `experiment`. */
struct rl_claim *rl_capture_add_claim(struct rl_capture *capture, size_t experiment);
/* A variant of an experiment on a card. */
struct rl_variant *rl_capture_add_variant(struct rl_capture *capture);
/* A pass that counters came from. */
struct rl_pass *rl_capture_add_pass(struct rl_capture *capture);
/* A kernel class. */
struct rl_kernel *rl_capture_add_kernel(struct rl_capture *capture);
/* A value of kernel class `kernel`. */
struct rl_counter *rl_capture_add_counter(struct rl_capture *capture, size_t kernel);
/* A process of an observed program. */
struct rl_process *rl_capture_add_process(struct rl_capture *capture);
/* What process `process` did on one card. */
struct rl_process_gpu *rl_capture_add_process_gpu(struct rl_capture *capture, size_t process);
/* Copies or sets of one kind. */
struct rl_transfer *rl_capture_add_transfer(struct rl_capture *capture);
/* An NVTX range. */
struct rl_range *rl_capture_add_range(struct rl_capture *capture);
/* What is known of a kernel class of an observed program besides its row. */
struct rl_kernel_use *rl_capture_add_use(struct rl_capture *capture);
/* A way that copies take, in one direction. */
struct rl_link *rl_capture_add_link(struct rl_capture *capture);
/* Copies of one size over a link. */
struct rl_link_run *rl_capture_add_link_run(struct rl_capture *capture);
/* A signature of a capture that this one was made from. */
struct rl_signature *rl_capture_add_origin(struct rl_capture *capture);
/* A signature of this capture. */
struct rl_signature *rl_capture_add_signature(struct rl_capture *capture);
/* All captures as one: what belongs to them stands behind one another, and references follow. Cards are not compared: the same one
 * in two captures is there twice. Signatures become origins. The session is that of the first, complete when all are. Nothing is
 * borrowed; `count` is at least 1. */
struct rl_capture *rl_capture_merge(struct rl_capture *const *captures, size_t count);

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
/* Whether a word of such a line stands for what is not told: a mark or "[secret]". */
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
    const char *key; /* "[name 0123456789ab]" is made with it of what is left out: the same key gives the same name. Not NULL; keep
                        it secret */
    bool kernels;    /* kernels get such names, too: "[kernel 0123456789ab]" */
};

/* Leaves out everything that may say where, by whom and for whom a capture was made, and lets through what it knows to be harmless
 * (docs/privacy.md): numbers, and words that the program itself can have written, of its messages, tables of chips and cards,
 * metrics and suite. Names of kernels stay, less what no declaration has (paths, addresses, credentials, serial numbers). Hosts and
 * UUIDs go; of programs "[program 1]" stays, of the command line options and harmless values. A sign such as "[path]" stands where
 * something was dropped. Says so in the log, with the hash of the file that the capture was read from (capture->sha256). Done
 * twice, it changes no text but the log. Time grows with the length of the texts. `list` (may be NULL) gets a list, as JSON, of
 * what was kept and dropped in each column. */
void rl_capture_redact(struct rl_capture *capture, const struct rl_redaction *how, struct rl_buf *list);
/* What the log of a redacted capture says; behind it stands the hash of the original, where it is known. */
#define RL_CAPTURE_REDACTED      "redacted: only words that the program knows, names of kernels and figures are left"
#define RL_CAPTURE_REDACTED_FROM "redacted from the capture with SHA-256 "

struct rl_key;
/* Signs what the capture says, besides those who have signed it before; `out`, which is empty, gets the bytes of the signed file.
 * RL_FAILED: a signature that it has is broken, or this key has signed it already; otherwise as rl_capture_write_bytes. On failure
 * the capture is as it was. The same capture and key (signing/signing.h) give the same bytes. */
enum rl_status rl_capture_sign(struct rl_capture *capture, const struct rl_key *key, struct rl_buf *out, struct rl_err *err);
/* What its signatures are worth; found out when it was read. Whose they are is another question. */
enum rl_signature_state rl_capture_signed(const struct rl_capture *capture);
/* Appends the fingerprint of the key that signed, as signing and lists of keys print it. */
void rl_signature_signer(const struct rl_signature *signature, struct rl_buf *out);
/* Before `into` becomes another capture than `from` (which may be the same): the signatures of `from`, which will not hold for it,
 * are kept as its origins, and a broken one is noted in its log. `into` is not signed afterwards. */
void rl_capture_keep_origins(struct rl_capture *into, const struct rl_capture *from);
#define RL_CAPTURE_MADE_FROM_BROKEN "made from a capture whose signature is BROKEN: it was changed after it was signed"

/* What was compared of a redacted copy and its original. */
struct rl_origin_check {
    size_t figures, texts; /* of the original */
    size_t replaced;       /* of the texts: others in the copy */
};
/* Whether `copy` was made from `original` by redaction: it carries a signature of it, and every number, every reference and every
 * word of a closed list is the same, except in the command line and the log. RL_FAILED with the first reason why not. */
enum rl_status rl_capture_check_origin(const struct rl_capture *copy, const struct rl_capture *original,
                                       struct rl_origin_check *found, struct rl_err *err);

/* Who signed, in words: "Lab A, SHA256:... (known key)"; trust is said where it was looked up. */
void rl_signature_text(const struct rl_signature *signature, struct rl_buf *out);
/* "signed by ...", "not signed", "BROKEN: ...", and from which signed captures it says that it was made. */
void rl_capture_signature_text(const struct rl_capture *capture, struct rl_buf *out);

/* The first counter called `name` of a kernel, whatever its kind, or NULL. */
const struct rl_counter *rl_kernel_counter(const struct rl_kernel *kernel, const char *name);

/* Stable texts of enumerations as they are stored and shown. */
const char *rl_result_name(enum rl_result result);                 /* "not checked", "ok", "WRONG" */
const char *rl_event_kind_name(enum rl_event_kind kind);           /* "kernel", "copy to device", ... */
const char *rl_variant_status_name(enum rl_variant_status status); /* "done", "not supported here", "failed" */

#endif
