/* suite.h - the kernel suite: experiments, their variants, claims and work models.
 *
 * One row in suite.def and one .cu file add an experiment. The rows are plain C, so that `list`, the documentation and the
 * tests know the suite without CUDA; the .cu file exports one symbol, `const struct rl_suite_ops rl_suite_NAME` (device.cuh:
 * RL_SUITE_OPS). tests/unit/kernels fails if the row is incomplete, tests/gpu if the kernel computes a wrong result.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "core/setting.h"
#include "core/value.h"

/* How one run of a variant is timed. */
enum rl_measure {
    RL_BY_KERNEL, /* one kernel launch: the kernel's duration */
    RL_BY_SPAN,   /* several launches, copies: on the GPU's timeline from the first start to the last end */
    RL_BY_WALL,   /* by the host's clock, from the call of `launch` until the GPU is idle, for the cost of launching; such variants
                   * are not counted */
};
extern const char *const rl_measure_names[]; /* "kernel", "span", "wall": as captures store them */

/* One way to do the computation of an experiment. */
struct rl_suite_variant {
    const char *name;        /* "stride_1" */
    const char *description; /* one sentence */
    int parameter[3];        /* compile- or run-time shape that the .cu file understands, e.g. the stride */
    /* Work model of one launch: formulas (core/formula.h) over n (the size), p (parameter[0]), q (parameter[1]) and m, which is
     * n / p rounded up (the elements that a stride of p visits); NULL: no model. */
    const char *flop;         /* floating-point operations, FMA = 2 */
    const char *bytes;        /* minimum bytes through device memory */
    const char *useful_bytes; /* bytes that the program requests: loads plus stores */
    const char *operations;   /* repetitions inside one run (barriers, launches), a formula like the others; NULL: none */
    enum rl_measure measure;
    int min_cc;                        /* lowest compute capability x 10, 0: any */
    int min_toolkit;                   /* oldest CUDA toolkit x 10 that has its instructions, 0: any */
    bool cooperative;                  /* needs cooperative launch */
    bool traced;                       /* launched once more with concurrent records, to check the instructions that these add */
    const struct rl_setting *settings; /* its position on the axes of the experiment; ends with a NULL key; NULL: none */
};

/* The x axis of a chart of variants. */
struct rl_suite_axis {
    const char *key;   /* of a number among the settings of variants; NULL: there is no axis */
    const char *title; /* for a reader */
    enum rl_unit unit;
};
/* Two variants of which one fixes what slows down the other. */
struct rl_suite_pair {
    const char *broken, *mended;
};

enum rl_relation { RL_ABOUT, RL_AT_LEAST, RL_AT_MOST, RL_BETWEEN };

/* The document that a claim is from: rows of documents.def. */
struct rl_suite_document {
    const char *title;
    const char *card; /* GPU of its figures; NULL: it names none */
    bool quoted;      /* it is quoted, and a test compares the quotations with its text if that is available */
    bool own;         /* ours, unpublished */
};
enum rl_suite_document_id {
#define DOCUMENT(id, ...) RL_DOCUMENT_##id,
#include "kernels/documents.def"
    RL_DOCUMENT_COUNT
};
extern const struct rl_suite_document rl_suite_documents[RL_DOCUMENT_COUNT];

/* A figure of a document that no experiment judges: rows of unjudged.def. */
struct rl_suite_unjudged {
    enum rl_suite_document_id document;
    const char *heading, *quote;
    const char *why; /* why it is not judged */
};
extern const struct rl_suite_unjudged rl_suite_unjudged[];
extern const size_t rl_suite_unjudged_count;

/* A published statement as data. The measured figure is quantity(subject), divided by quantity(baseline) when there is one. */
struct rl_suite_claim {
    const char *id;   /* unique within the experiment */
    const char *text; /* the statement in our words, with its figure */
    enum rl_suite_document_id document;
    const char *heading;  /* heading above it in the document; NULL: none */
    const char *quote;    /* literal quotation except for white space; " … " marks omitted text; NULL: none */
    const char *reading;  /* interpretation of the quotation where it is not explicit; NULL: it is */
    const char *quantity; /* a metric id, or "time_s", "time_per_operation_s", "cycles_per_operation", "useful_bytes_per_second",
                             "registers_per_thread", "overlap_share", "time_over_reference",
                             "traced_instructions_over_counted" */
    const char *subject, *baseline; /* variants; baseline NULL: the value itself */
    enum rl_relation relation;
    double value;       /* the figure, in base units; RL_BETWEEN: the lower end */
    double most;        /* RL_BETWEEN: the upper end; a result above it is more than claimed */
    double tolerance;   /* RL_ABOUT: relative, 0.1 = within 10 %; RL_BETWEEN: slack at either end; none of a bound */
    const char *card;   /* GPU on which the figure was measured; NULL: claimed for all */
    bool card_specific; /* the value is judged on that GPU only, elsewhere it is shown */
};

struct rl_suite_ops;

struct rl_suite_experiment {
    const char *name, *topic, *question;
    const char *explanation; /* the counters that explain the result, one or two sentences */
    uint64_t default_size, quick_size;
    const char *size_unit;
    const struct rl_suite_variant *variants; /* ends with a NULL name */
    const struct rl_suite_claim *claims;     /* ends with a NULL id */
    enum rl_chart_form form;                 /* of its chart */
    struct rl_suite_axis axis;
    const char *series, *way;          /* keys of settings, see capture/capture.h; NULL: there is none */
    const char *const *columns;        /* additional columns of its tables: ids as in captures; ends with NULL; NULL: none */
    const struct rl_suite_pair *pairs; /* ends with a NULL broken; NULL: none */
    const char *const *references;     /* variants by others, or a limit, to compare with; ends with NULL */
    const struct rl_suite_ops *ops;    /* NULL in a build without CUDA */
};

/* All experiments in the order of suite.def. */
extern const struct rl_suite_experiment rl_suite[];
extern const size_t rl_suite_count;

/* NULL when there is none. */
const struct rl_suite_experiment *rl_suite_find(const char *name);
/* The variant of that name; NULL when there is none. */
const struct rl_suite_variant *rl_suite_find_variant(const struct rl_suite_experiment *experiment, const char *name);
/* Value of a work-model formula for a size; missing ("no work model") when `formula` is NULL. */
struct rl_value rl_suite_model(const struct rl_suite_variant *variant, const char *formula, uint64_t size);
struct rl_buf;
/* "2 n FLOP; 8 n^2 B", "ceil(n/4) FLOP": the model (flop and bytes) in one line, as `list` prints it, with p, q and m written out;
 * "none" without one. Appends. */
void rl_suite_model_text(const struct rl_suite_variant *variant, struct rl_buf *out);
/* The documents that the experiment's claims are from, each once: "guide ... (no GPU named); our own". Appends. */
void rl_suite_source_text(const struct rl_suite_experiment *experiment, struct rl_buf *out);
/* One document: its title, and the GPU that it names or that it names none. Appends. */
void rl_suite_document_text(enum rl_suite_document_id document, struct rl_buf *out);
/* "compute capability 9.0, CUDA 12.0, cooperative launch"; "" if there are no requirements. Appends. */
void rl_suite_requires_text(const struct rl_suite_variant *variant, struct rl_buf *out);

/* Why this program cannot run the variant on any GPU: "not built: needs CUDA 12.0, this program was built with 11.8"; "" if it can.
 * Appends. */
void rl_suite_not_built_text(const struct rl_suite_variant *variant, struct rl_buf *out);

/* A variant that was selected. */
struct rl_suite_item {
    const struct rl_suite_experiment *experiment;
    const struct rl_suite_variant *variant;
};
/* A selection of variants by "EXPERIMENT" or "EXPERIMENT/VARIANT" arguments, in their order and each variant once; no arguments
 * select everything. RL_USAGE for an unknown name, with the nearest known one in the error text. `*items` is the caller's (free());
 * NULL on failure. */
enum rl_status rl_suite_select(const char *const *args, size_t arg_count, struct rl_suite_item **items, size_t *item_count,
                               struct rl_err *err);
