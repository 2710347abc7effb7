/* show.h - the parts of `rooflight show`: one capture, four forms. */
#ifndef RL_CLI_SHOW_H
#define RL_CLI_SHOW_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/families.h"
#include "core/err.h"
#include "core/json.h"
#include "doc.h"
#include "results/listing.h"
#include "results/show.h"
#include "results/subject.h"

enum show_claims {
    SHOW_CLAIMS_AUTO, /* all, or where that would be many the open ones */
    SHOW_CLAIMS_ALL,
    SHOW_CLAIMS_OPEN, /* that did not hold or could not be decided */
    SHOW_CLAIMS_NONE,
};

struct cli_call;
struct show {
    const char *path;
    const struct view_choice *choice; /* of rows and columns of kernels; NULL: all */
    struct view_subject *subject;
    const struct rl_capture *capture;
    struct rl_analysis *analysis; /* its own */
    bool verbose;                 /* the notes of the session's log too */
    size_t findings;              /* at most so many in text and Markdown */
    enum show_claims claims;      /* which are printed one by one, in text and Markdown */
    bool shapes;                  /* classes of a family one by one */
    bool *hidden;                 /* rl_ranks_omitted */
    struct rl_families *families; /* of all classes, each of one GPU */
    const size_t *variants;       /* indices of all variants by experiment, then GPU, then order of measuring (analysis/index.h) */
    size_t *loose;                /* indices of the kernels that belong to no variant, by GPU, then order of measuring */
    size_t loose_count;
    size_t *alike; /* rl_cards_count_equivalent, of ranks only; NULL: every card stands for itself */
};
/* Analyses a capture. `shapes`: no class is part of a family. */
void show_init(struct show *show, const char *path, const struct rl_capture *capture, bool shapes);
/* Frees what show_init allocated; the capture stays. */
void show_release(struct show *show);

/* One line of a result table: a kernel, or a variant as a whole when it is not just one kernel. */
struct show_row {
    const struct rl_variant *variant;      /* NULL: not of the suite */
    const struct rl_kernel *kernel;        /* NULL: the row speaks of the variant as a whole */
    const struct rl_kernel_result *result; /* NULL with kernel */
    const struct rl_variant_result *whole; /* of the variant; NULL: not of the suite */
    const struct rl_family *family;        /* the kernel, or of a family all; NULL with kernel */
};
/* Whether a run of the variant is exactly one launch of one kernel, so that the kernel's row says all. */
bool show_is_one_kernel(const struct show *show, size_t variant);
/* The row of a variant as a whole. */
struct show_row show_row_of_variant(const struct show *show, size_t variant);
/* A kernel and the variant it belongs to. Of a family the figures are those of all its shapes. */
struct show_row show_row_of_kernel(const struct show *show, size_t kernel);
/* Whether rows leave the kernel out because another one of its family stands for all of them. */
bool show_is_folded(const struct show *show, size_t kernel);
/* Appends what a row is called, at most `most` columns: a label, of a family with ", 511 shapes". */
void show_label(const struct rl_family *family, size_t most, struct rl_buf *out);
/* Figures of a row; missing for a wrong result ("wrong result"), without samples and where the variant did not run. */
struct rl_value show_median(const struct show_row *row);     /* s */
struct rl_value show_half_width(const struct show_row *row); /* of the interval, over the median */
struct rl_value show_useful(const struct show_row *row);     /* B/s */
struct rl_value show_roof_share(const struct show_row *row);
/* One metric, counted. */
struct rl_value show_metric(const struct show_row *row, enum rl_metric metric);
/* What samples of the whole GPU say in the place of a metric that was not counted; missing: nothing. */
struct rl_value show_estimate(const struct show_row *row, enum rl_metric metric);
/* The upper end of its 95 % interval where that is all that is known; missing otherwise. */
struct rl_value show_most(const struct show_row *row, enum rl_metric metric);
/* Half of its 95 % interval; 0: there is none. */
double show_estimate_half_width(const struct show_row *row, enum rl_metric metric);
/* Whether the share of the roof rests on such estimates. */
bool show_roof_is_estimate(const struct show_row *row);

/* An observed program, as text. */
void show_program(const struct show *show, struct cli_doc *doc);

/* Ranks of an observed program (rl_has_ranks). */
void show_ranks(const struct show *show, struct cli_doc *doc);

/* Links between GPUs (the capture has some), as text. */
void show_links(const struct show *show, struct cli_doc *doc);

/* The whole capture for people. */
void show_text(const struct show *show, struct cli_doc *doc);
/* The ceilings of a GPU, for `count` GPUs that are alike; part of the above. */
void show_ceilings(const struct show *show, size_t gpu, size_t count, struct cli_doc *doc);
/* The whole capture as one JSON document. */
void show_json(const struct show *show, struct rl_buf *out);
/* The kernels that were chosen, a line each. */
void show_csv(const struct show *show, struct rl_buf *out);
/* The kernels that were chosen, as one table. */
void show_chosen(const struct show *show, struct cli_doc *doc);

/* The capture in few lines (results/brief.h), as text or, with `doc` NULL, as JSON into `out`. `only`: an extended regular
 * expression of kernels, which messages call `typed`; NULL: an overview. RL_USAGE when it is none, or nothing matches it. */
enum rl_status show_brief(const struct show *show, const char *only, const char *typed, struct cli_doc *doc, struct rl_buf *out,
                          struct rl_err *err);

/* Where the warps of kernels that match an extended regular expression stood, and why (results/source.h): for people, or with `doc`
 * NULL into `out`, as JSON or their lines as CSV. RL_USAGE when it is none, or nothing matches it. */
enum rl_status show_source(const struct show *show, const char *only, bool csv, struct cli_doc *doc, struct rl_buf *out,
                           struct rl_err *err);

/* What the GPUs of a program did over time, or with `gaps` why no kernel ran (results/timeline.h): for people, or with `doc` NULL
 * into `out`, as JSON, or as CSV the bins of all lanes or the gaps. */
void show_timeline(const struct show *show, bool gaps, bool csv, struct cli_doc *doc, struct rl_buf *out);

/* The overview of a capture that has just been written, as text, into the output of the call. */
enum rl_status show_brief_of(const struct cli_call *call, const char *path, struct rl_err *err);

/* show_sets.c: a paragraph for each optional set of metrics that was collected. */
/* Of each optional set that was collected the metrics of the kernels that have them. */
void show_sets(const struct show *show, struct cli_doc *doc);

#endif
