/* compare.h - from comparisons to a PDF: a page that says it, then the evidence. */
#ifndef RL_MEDIA_COMPARE_H
#define RL_MEDIA_COMPARE_H

#include "media/report.h"
#include "results/compare.h"

/* Makes the document and appends its bytes to `out`, as rl_report_make does. With projections the base may be the only part. Of
 * `options` the attachment is not used. The same captures, tool version and options give the same bytes. */
enum rl_status rl_compare_report_make(const struct view_compare *compare, const struct rl_report_options *options,
                                      struct rl_buf *out, struct rl_err *err);

#endif
