/* suite.h - results of the suite: roofs of a GPU, experiments with their variants and claims, links between GPUs (capture.h). */
#pragma once

#include "core/core.h"
#include "core/setting.h"

/* One measurement of a roof with one configuration of its micro-benchmark. */
struct rl_ceiling_run {
    size_t gpu;
    char *id; /* row of analysis/ceilings.def, e.g. "dram_read" */
    enum rl_unit unit;
    char *configuration;         /* for readers: "read, 4.00 GiB, 512 threads" */
    struct rl_setting *settings; /* the same as data, in the order of the text */
    size_t setting_count;
    struct rl_value sm_clock_hz, memory_clock_hz, throttle_reasons; /* at that moment */
    double *samples;                                                /* rates, base unit */
    size_t sample_count;
};

/* Source of a claim. All NULL: not in the capture. */
struct rl_claim_source {
    char *document;       /* the document, or a note that the claim is our own */
    char *heading;        /* heading above it; NULL: none */
    char *quote;          /* literal quotation; " … " marks omitted text; NULL: none */
    char *reading;        /* our interpretation where the quotation is not explicit; NULL: none */
    struct rl_value most; /* "between": the upper end of the range, whose lower end is the claim's value; else missing */
};

/* A claim of an experiment, as data; the analysis gives the verdict. kernels/suite.h explains the members. */
struct rl_claim {
    char *id;                 /* unique within the experiment: "padding_removes_conflicts" */
    char *text;               /* the published sentence, in our words */
    char *quantity;           /* what is compared: a metric id, "time_s", "useful_bytes_per_second", ... */
    char *subject, *baseline; /* variants: quantity(subject) / quantity(baseline), or the value itself (baseline NULL) */
    char *relation;           /* "about", "at_least", "at_most", "between" */
    double value, tolerance;  /* "about": value within the relative tolerance */
    char *card;               /* GPU on which the figure was measured; NULL: claimed for all */
    bool card_specific;       /* the value is judged on that GPU only, elsewhere it is shown */
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
    char *way;    /* key of the setting that distinguishes the base of a panel from other lines; NULL: no panels */
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
    char **columns; /* ids of additional columns of its tables: metrics, RL_COLUMN_GAP, RL_COLUMN_ERROR */
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
    RL_RESULT_WRONG, /* wrong result: no performance figure is shown */
};
enum rl_variant_status {
    RL_VARIANT_DONE,
    RL_VARIANT_UNSUPPORTED, /* by this GPU, driver or build; `reason` has the requirement */
    RL_VARIANT_FAILED,      /* `reason` has the error */
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
    char *result_text;             /* for readers: "4096 elements, largest error 1.2e-7"; NULL: none */
    struct rl_deviation deviation; /* the same as numbers */
    struct rl_setting *settings;   /* its position on the axes of the experiment */
    size_t setting_count;
    uint64_t size;                /* problem size as the experiment counts it */
    char *size_unit;              /* "elements", "rows", "ticks" */
    struct rl_value model_flop;   /* work model of one launch: floating-point operations, */
    struct rl_value model_bytes;  /* minimum bytes through device memory, */
    struct rl_value useful_bytes; /* and bytes that the program requests */
    struct rl_value
        operations; /* repetitions inside one run (barriers, launches): time over this is the time of one; missing: none */
    /* How one run of the variant is timed: "kernel": it is one launch, timed as its kernel class; "span": from the start of its
     * first to the end of its last activity on the GPU; "wall": by the host's clock, from the first call until the GPU is idle. */
    char *measure;
    uint64_t *duration_ns; /* of whole runs, in order of measuring; none when measured by kernel */
    size_t duration_count;
    struct rl_event *events; /* activities of one representative run; none when measured by kernel */
    size_t event_count;
};

/* Stable texts of enumerations as they are stored and shown. */
const char *rl_result_name(enum rl_result result);                 /* "not checked", "ok", "WRONG" */
const char *rl_event_kind_name(enum rl_event_kind kind);           /* "kernel", "copy to device", ... */
const char *rl_variant_status_name(enum rl_variant_status status); /* "done", "not supported here", "failed" */

/* ---- copies between the GPUs of a machine, and between them and the host ---- */

/* A link between two ends, in one direction. */
struct rl_link {
    size_t from_gpu, to_gpu; /* different; one of them may be RL_NONE: pinned memory of the host */
    /* "nvlink": direct; "nvswitch": NVLink through switches; "c2c": NVLink-C2C to the host; "pcie"; "host": through host memory,
     * because there is no peer access; "unknown". */
    char *via;
    char *topology;          /* as nvidia-smi names it: "PIX", "PXB", "PHB", "NODE", "SYS"; NULL: unknown */
    char *access;            /* peer access: "yes", or why not, in one sentence; NULL for the host */
    struct rl_value nvlinks; /* number of active NVLinks, */
    struct rl_value nvlink_version; /* their version (4.0), */
    struct rl_value nvlink_rate;    /* and the rate of one in one direction on the wire, as the driver reports it, B/s */
    struct rl_value pcie_generation, pcie_width; /* maximum that both ends support */
    char *failure;                               /* why it was not, or not completely, measured; NULL: it was */
};
/* Copies of one size over a link. */
struct rl_link_run {
    size_t link;
    /* "alone"; "both ways": both directions copy the same amount at once, and a sample lasts as long as the slower one; "together":
     * all links between GPUs and host in this direction at once, sample k of each at the same time. */
    char *traffic;
    uint64_t bytes;        /* of one copy, in one direction */
    uint64_t copies;       /* sequential copies in each sample */
    uint64_t *duration_ns; /* of a sample, in order of measuring */
    size_t duration_count;
};
