/* model.h - what was read so far: GPUs, kernel classes, their values and times (private to import/).
 *
 * A table is read launch by launch, where a launch is whatever its values describe: one launch of Nsight Compute or of a GPU trace,
 * or all launches of a kernel in a metrics table or summary:
 *
 *     struct rl_launch *launch = rl_model_begin(model, name, RL_TIMING_NCU);
 *     launch->GPU = ...;
 *     rl_model_add_value(model, target, text);     any number of times
 *     rl_model_end(model);
 *
 * Tables that have only a kernel's name make a class without a shape, tables without a GPU one without a GPU. rl_model_join merges
 * such a class into the only one that it can be.
 */
#pragma once

#include "targets.h"

/* Origin of times, in ascending order of quality: a class keeps only its best. */
enum rl_timing {
    RL_TIMING_NONE,
    RL_TIMING_NVPROF_SUMMARY,
    RL_TIMING_NSYS_SUMMARY,
    RL_TIMING_NCU_SUMMARY,
    RL_TIMING_NCU,
    RL_TIMING_TRACE,
    RL_TIMING_NSYS_TRACE,
    RL_TIMING_COUNT,
};

struct rl_card {
    int ordinal;            /* -1: unknown */
    char *name;             /* NULL: unknown */
    int cc_major, cc_minor; /* 0.0: unknown */
    uint32_t host;          /* in model->runs; 0: unknown */
    struct rl_value fact[RL_FACT_COUNT];
};

struct rl_class {
    size_t card;      /* RL_NONE: unknown */
    uint32_t shape;   /* in model->shapes */
    uint32_t name;    /* in model->names */
    uint32_t mangled; /* 1 + in model->names; 0: none */
    uint32_t run;     /* in model->runs; 0: unknown, or all are one */
    bool shaped;      /* false: grid, block and dynamic shared memory are unknown (0) */
    uint32_t grid[3], block[3];
    uint64_t dynamic_shared;
    bool sized; /* a row has dynamic_shared */
    struct rl_value registers, static_shared;
    uint64_t launches;    /* largest number in one view */
    uint64_t seen;        /* number in the current view */
    uint64_t numbered;    /* number of different launch numbers */
    uint32_t view;        /* the current view */
    uint32_t timing_view; /* the view whose durations are in the total */
    struct rl_class_times {
        enum rl_timing timing;
        uint64_t total_ns, timed; /* of `timed` launches */
        uint64_t *samples;        /* ns */
        size_t sample_count, sample_cap;
        /* Of a trace: when each sample started, and which table had those from `first` on: a launch that several have is one. */
        double *starts;
        size_t start_count, start_cap;
        struct rl_part_ {
            uint32_t table;
            size_t first;
        } * parts;
        size_t part_count, part_cap;
        uint64_t started; /* launches with a start, including those without a sample */
    } times;
    size_t foreign_count; /* values of foreign metrics */
    size_t joined;        /* class that this one was merged into; RL_NONE: none */
    /* Launches of one name and shape with different work are separate classes, linked from the first one. */
    uint32_t first_kind, next_kind; /* `next_kind` 0: the last */
    bool merged;                    /* merged into `joined` because the work is the same: its values count there, too */
    uint64_t counted;               /* launches with counted work */
    size_t kept;                    /* launches whose counters are kept */
    double work[RL_WORK_COUNT][2];  /* its range; NAN: none was counted */
    struct rl_population population;
};

/* One value of one class. */
struct rl_entry {
    uint32_t class_number, slot;
    uint32_t serial;      /* of the last launch added: a metric printed by two sections counts once */
    uint8_t source;       /* of its first value */
    uint8_t missing;      /* why there is no number: 0 nothing, RL_MISSING_ZERO, or 1 + index for rl_missing_value */
    uint8_t by;           /* 1 + the weight of `ratio`; 0: none so far, RL_BY_SEVERAL: it differs between launches */
    bool varies;          /* launches differ */
    uint32_t values;      /* number of printed values */
    double value, weight; /* the mean over launches; weight 0: no number so far */
    double ratio, total;  /* the mean weighted as rl_targets_weights has it, and the sum of the weights */
};
enum { RL_MISSING_ZERO = 255, RL_BY_SEVERAL = 255 };

/* A launch with a number in its tables. */
struct rl_record {
    uint32_t class_number;
    bool counted, timed;
    float duration_s;           /* NAN: none was printed */
    double work[RL_WORK_COUNT]; /* sums of all of its parts; NAN: none was counted */
    uint64_t summed;            /* the slots in these sums, as bits (rl_slot.summand) */
};

/* A launch whose counters are kept. */
struct rl_kept_launch {
    uint64_t number; /* the profiler's, or the number of launches read before */
    uint32_t class_number;
    uint32_t run;
    double duration_s; /* NAN: none was printed */
};
/* One of its counters; of several from one slot the first counts. */
struct rl_kept_value {
    double value;
    uint32_t launch; /* in model->kept */
    uint32_t slot : 24, missing : 8;
};

#define RL_NO_NUMBER UINT64_MAX
/* A launch that is being read. */
struct rl_launch {
    size_t card; /* RL_NONE: unknown */
    uint32_t name;
    uint32_t mangled; /* 1 + in model->names; 0: none */
    uint32_t run;     /* 0: unknown */
    uint64_t number;  /* its number in all tables of a run; RL_NO_NUMBER: none */
    bool shaped;
    uint32_t grid[3], block[3];
    double fields[RL_LAUNCH_FIELD_COUNT]; /* NAN: not printed */
    uint64_t launches;                    /* number that the values cover: their weight */
    bool repeated;                        /* every row of the table repeats `launches` */
    enum rl_timing timing;                /* of the duration, if there is one */
    double duration_s, total_s;           /* NAN: not printed; a total that is not printed is duration * launches */
    double start;                         /* on the clock of its run, in any unit; NAN: not printed */
    struct rl_launch_value_ {
        uint32_t slot;
        uint8_t missing;
        double value;
    } * values;
    size_t value_count, value_cap;
    uint32_t *metrics; /* which of the values are metrics of rooflight */
    size_t metric_count, metric_cap;
    double weights[RL_MAX_TOKENS]; /* of the values: NAN: the launch has none of that name */
};

struct rl_source {
    const char *label; /* "Nsight Compute raw page" */
    uint32_t file;     /* its name, in names */
    enum rl_tool tool;
};
enum { RL_MAX_SOURCES = 96, RL_SOURCE_COMPUTED = RL_MAX_SOURCES, RL_SOURCE_SEVERAL, RL_SOURCES };

/* Numbers by keys: open addressing, at most half full. */
struct rl_map {
    struct rl_mapped_ {
        uint64_t key; /* 0: free */
        uint32_t number;
    } * slots;
    size_t size, count;
};

struct rl_model {
    struct rl_notes notes;
    struct rl_targets targets;
    struct rl_derivations *derivations;
    struct rl_pool names;    /* of kernels */
    struct rl_pool runs;     /* "process", "process on host" and hosts; the first is "" */
    struct rl_map record_of; /* of class and number */
    struct rl_record *records;
    size_t record_count, record_cap;
    /* A launch whose rows are parted between tables is put to a kind by the first part. Where a later one counts work, all is read
     * again, with the records of the first time. */
    bool parted;
    struct rl_map known_of;
    struct rl_record *known;
    struct rl_card *cards;
    size_t card_count, card_cap;
    struct rl_pool shapes; /* keys of classes, kinds of work apart, and */
    uint32_t *first_of;    /* the first class of each */
    size_t first_cap;
    struct rl_class *classes;
    size_t class_count, class_cap;
    struct rl_entry *entries;
    size_t entry_count, entry_cap;
    struct rl_map entry_of; /* of class and slot */
    size_t cursor;          /* the entry that was found last: rows repeat their order */
    uint32_t *at;           /* of each slot: 1 + its place among the values of the launch; 0: it has none */
    size_t at_cap;
    size_t sample_count;
    struct rl_kept_launch *kept;
    struct rl_kept_value *kept_values;
    size_t kept_count, kept_cap, kept_value_count, kept_value_cap;
    struct rl_map kept_of; /* of class and number or start */
    struct rl_launch launch;
    bool open;        /* a launch is being read */
    uint32_t printed; /* ledger item of the value that is being taken; UINT32_MAX: none */
    uint32_t serial;  /* of the launch */
    uint32_t view;    /* a table kind in a file: the launches of two views are the same ones */
    uint32_t table;   /* number of the one that is being read */
    struct rl_source sources[RL_MAX_SOURCES];
    size_t source_count, source; /* the one being read */
    struct rl_ncu_source *instructions; /* ncu_source.h */
    struct rl_published_row *published; /* build.h */
    size_t published_count, published_cap;
    size_t launch_count; /* launches and rows taken, to tell whether a file had any */
};

/* A model without launches. */
void rl_model_init(struct rl_model *model);
/* Frees everything that was read. */
void rl_model_release(struct rl_model *model);
/* Forgets everything but the work of launches, for another reading of the same files. */
void rl_model_again(struct rl_model *model);

/* Where the following launches come from: a label of a table, and the file's; the same again is the same source. */
void rl_model_source(struct rl_model *model, enum rl_tool tool, const char *label, const char *file);

/* The GPU with this ordinal (-1: unknown), name (len 0: unknown, may be cut as printed tables do), host (len 0: unknown) and
 * compute capability times 10 (0: unknown). A new one when none fits. RL_NONE beyond 256 GPUs. */
size_t rl_model_card(struct rl_model *model, int ordinal, struct rl_text name, struct rl_text host, int capability);
/* The run of this process (len 0: unknown) on this host. */
uint32_t rl_model_run(struct rl_model *model, struct rl_text process, struct rl_text host);
/* The run that a report of that name is of. */
uint32_t rl_model_report(struct rl_model *model, struct rl_text name);

/* Begins a launch of the kernel called `name`, of one launch, GPU and shape unknown; ends the one before. */
struct rl_launch *rl_model_begin(struct rl_model *model, struct rl_text name, enum rl_timing timing);
/* Takes the value in a cell to where the target leads. */
void rl_model_add_value(struct rl_model *model, size_t target, const struct rl_cell *cell, struct rl_text text);
/* Adds the launch to its class; nothing when none is open. */
void rl_model_end(struct rl_model *model);

/* Whether a printed number can be a size of at most `most`. */
static inline bool rl_is_size(double value, double most)
{
    return value >= 0 && value <= most;
}

/* classes.c: the first class of the launch's name and shape, a new one when there is none; RL_NONE beyond the limit. */
size_t rl_class_find(struct rl_model *model, const struct rl_launch *launch);
/* classes.c: the record of a launch, which other tables and files may have begun; NULL: it has no number. `first`: the first class
 * of its shape. */
struct rl_record *rl_record_of(struct rl_model *model, uint32_t first, const struct rl_launch *launch);
/* classes.c: what the reading before found of the launch; NULL: nothing. */
const struct rl_record *rl_record_known(const struct rl_model *model, uint32_t first, const struct rl_launch *launch);
/* classes.c: adds the launch to the class: its fields, number, times and values. */
void rl_class_take(struct rl_model *model, uint32_t number, const struct rl_launch *launch, struct rl_record *record);

/* kinds.c: the class of the launch, among those of its shape the one whose launches do the same work; a new one when there is none.
 * `first` is the first of them. */
uint32_t rl_kinds_of(struct rl_model *model, uint32_t first, const struct rl_launch *launch);
/* kinds.c: adds what the launch counts to its record. False: it counts nothing that was not there. */
bool rl_kinds_record(const struct rl_model *model, const struct rl_launch *launch, struct rl_record *record);
/* kinds.c: puts together what is not enough for a kind, and values of launches that turned out to be of one kind;
 * numbers the kinds. Nothing may be read afterwards. */
void rl_kinds_settle(struct rl_model *model);
/* The class that has taken `number` over, in the end. */
size_t rl_class_final(const struct rl_model *model, size_t number);
/* A class with the key of another one, for a kind of its launches; RL_NONE beyond the limit. */
size_t rl_model_add_kind(struct rl_model *model, uint32_t first);
/* Makes an entry one of another class; false when that has one for the slot already, which then has its values, too. */
bool rl_model_move_entry(struct rl_model *model, size_t entry, uint32_t class_number);

/* join.c: makes processes one run where they are views of it, and puts classes without GPU or shape into those that they can only
 * mean. Afterwards every class has a GPU. */
void rl_model_join(struct rl_model *model);
/* Stable text of a timing; NULL for RL_TIMING_NONE. */
const char *rl_timing_text(enum rl_timing timing);
/* Puts the times of one class to those of another one, by the rule of the better timing; `other`: of other launches, so that
 * equally good ones are added. */
void rl_class_merge_times(struct rl_class *class, struct rl_class *from, bool other);
/* classes.c: once all is read: puts the launches of traces in the order of their starts, each of them once. */
void rl_class_settle_times(struct rl_model *model, struct rl_class *class);
/* Frees samples and starts. */
void rl_class_release_times(struct rl_class *class);

/* Values that follow from several printed ones of the same launch. */
/* A value that a row of derived.def makes of the launch's own ones: for `add`. */
typedef void (*rl_each_add)(struct rl_model *model, enum rl_counter_kind kind, const char *target, double value);
