/* metrics.h - the metrics of a launch, as a record: a row is an array of RL_METRIC_COUNT values (struct rl_value), and each row of
 * metrics.def is a field. The subject is a struct view_subject; metrics that its analysis does not list are left out. */
#ifndef RL_VIEWS_METRICS_H
#define RL_VIEWS_METRICS_H

#include "views/view.h"

extern const struct view_record view_record_metrics;
/* Why values are missing, by metric: version 1 of the JSON had them beside the values. */
extern const struct view_record view_record_metric_reasons;

#endif
