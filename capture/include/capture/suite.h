/* suite.h - what the suite measured: ceilings of a card, and experiments with their variants and claims (capture.h). */
#ifndef RL_CAPTURE_SUITE_H
#define RL_CAPTURE_SUITE_H

#include "core/core.h"
#include "core/setting.h"

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

/* Where a claim comes from. All NULL: the capture does not say. */
struct rl_claim_source {
    char *document;       /* what it stands in, or that it is of our own */
    char *heading;        /* below which; NULL: none */
    char *quote;          /* its words, literally; " … " stands for what is left out; NULL: there are none to quote */
    char *reading;        /* what we take them to say, where they do not say it themselves; NULL: nothing to add */
    struct rl_value most; /* "between": the upper end of the range, whose lower end is the claim's value; else missing */
};

/* A claim of an experiment, as data; the verdict is found by the analysis. See kernels/suite.h for the meaning. */
struct rl_claim {
    char *id;                 /* unique within the experiment: "padding_removes_conflicts" */
    char *text;               /* the published sentence, in our words */
    char *quantity;           /* what is compared: a metric id, "time_s", "useful_bytes_per_second", ... */
    char *subject, *baseline; /* variants: quantity(subject) / quantity(baseline), or the value itself (baseline NULL) */
    char *relation;           /* "about", "at_least", "at_most", "between" */
    double value, tolerance;  /* "about": value within the relative tolerance */
    char *card;               /* where the figure was measured; NULL: claimed for all cards */
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
    char *way;    /* key of the setting that distinguishes the base of a panel from the other lines; NULL: no panels */
};
/* Two variants of which one fixes what slows down the other. */
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
    char **references; /* variants by others to compare with: a library, a plain copy */
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
    uint64_t bytes;           /* memcpys and memsets; 0 for kernels */
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

/* Stable texts of enumerations as they are stored and shown. */
const char *rl_result_name(enum rl_result result);                 /* "not checked", "ok", "WRONG" */
const char *rl_event_kind_name(enum rl_event_kind kind);           /* "kernel", "copy to device", ... */
const char *rl_variant_status_name(enum rl_variant_status status); /* "done", "not supported here", "failed" */

/* Copies between GPUs, and between them and the host, of a machine (capture.h). */
/* A way that copies take inside a machine, in one direction. */
struct rl_link {
    size_t from_gpu, to_gpu; /* RL_NONE: page-locked memory of the host. Not both, and not the same one */
    /* "nvlink": straight; "nvswitch": NVLink through switches; "c2c": NVLink-C2C to the host; "pcie"; "host": through the host's
     * memory, because the two cannot reach one another; "unknown". */
    char *via;
    char *topology;          /* what lies between them, in nvidia-smi's words: "PIX", "PXB", "PHB", "NODE", "SYS"; NULL: unknown */
    char *access;            /* "yes", or why one cannot reach the other's memory, in one sentence; NULL for the host */
    struct rl_value nvlinks; /* active ones on this way, */
    struct rl_value nvlink_version; /* their version (4.0), */
    struct rl_value nvlink_rate;    /* and the rate of one in one direction on the wire, as the driver reports it, B/s */
    struct rl_value pcie_generation, pcie_width; /* the most that its end, or both ends, can do */
    char *failure;                               /* why it was not measured, or not all of it; NULL: it was */
};
/* Copies of one size over it. */
struct rl_link_run {
    size_t link;
    /* "alone"; "both ways": the other direction copies as much at the same time, and a sample lasts as long as the slower one;
     * "together": all links between GPUs and host in this direction at once, sample k of each in the same moment. */
    char *traffic;
    uint64_t bytes;        /* of one copy, in one direction */
    uint64_t copies;       /* one behind the other in each sample */
    uint64_t *duration_ns; /* of a sample, in order of measuring */
    size_t duration_count;
};

#endif
