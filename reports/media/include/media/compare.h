/* compare.h - from comparisons to a PDF: a page that says it, then the evidence. */
#ifndef RL_MEDIA_COMPARE_H
#define RL_MEDIA_COMPARE_H

#include "analysis/columns.h"
#include "analysis/compare.h"
#include "analysis/gate.h"
#include "analysis/lineup.h"
#include "analysis/projection.h"
#include "media/report.h"

/* A capture that takes part. */
struct rl_compare_part {
    const char *name; /* of the file */
    const struct rl_analysis *analysis;
    const struct rl_comparison *comparison; /* with the base; NULL: the base itself */
    const struct rl_gate *gate;             /* what it says of that comparison; NULL: none was asked for */
    const void *bytes;                      /* of the file, attached to the document; NULL: not attached */
    size_t len;
};
struct rl_compare_report {
    const struct rl_compare_part *parts; /* the base first */
    size_t count;
    const struct rl_columns *columns; /* of cards; NULL: before and after, one after the other */
    const struct rl_lineup *lineup;   /* of cards, side by side; NULL: before and after */
    /* The base on cards that are not at hand, on pages of their own. With at least one, the base may be the only part. */
    const struct rl_projection *const *projections;
    size_t projection_count;
};

/* Makes the document and appends its bytes to `out`, as rl_report_make does. Of `options` the attachment is not used. The same
 * captures, tool version and options give the same bytes. */
enum rl_status rl_compare_report_make(const struct rl_compare_report *compare, const struct rl_report_options *options,
                                      struct rl_buf *out, struct rl_err *err);

#endif
