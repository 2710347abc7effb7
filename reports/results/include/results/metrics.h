/* metrics.h - the metrics of a launch, as a record: a row is a struct view_metrics, and each row of metrics.def is a field. The
 * subject is a struct view_subject; metrics that its analysis does not list are left out. Estimates have the sign "~". */
#ifndef RL_RESULTS_METRICS_H
#define RL_RESULTS_METRICS_H

#include "analysis/analysis.h"
#include "results/view.h"

struct view_metrics {
    const struct rl_value *metric;      /* RL_METRIC_COUNT of them, exact */
    const struct rl_estimate *estimate; /* as many, of those that are not there; NULL: there are none */
};
extern const struct view_record view_record_metrics;
/* The value of one, or its estimate. */
struct view_cell view_metric_cell(const struct view_metrics *metrics, enum rl_metric metric);
/* A figure of a set of metrics. */
struct view_set_figure {
    enum rl_metric metric;
    double value;
};
/* The figures of a set and of those that come with it: `ranked` the largest first and no zero, otherwise as in metrics.def. Returns
 * their number, RL_METRIC_COUNT at most. */
size_t view_set_figures(const struct rl_value *metric, enum rl_metric_set set, bool ranked, struct view_set_figure *figures);
/* Half of the 95 % intervals of those that are estimates. */
extern const struct view_record view_record_half_widths;

#endif
