#include "results/metrics.h"

#include <assert.h>

#include "analysis/sampled.h"
#include "show_parts.h"

static const struct rl_estimate *estimate_of(const struct view_metrics *metrics, int metric)
{
    return rl_estimate_of(metrics->metric, metrics->estimate, (enum rl_metric)metric);
}

struct view_cell view_metric_cell(const struct view_metrics *metrics, enum rl_metric metric)
{
    const struct rl_estimate *estimate = estimate_of(metrics, metric);
    if (!estimate)
        return view_cell_number(metrics->metric[metric]);
    struct view_cell cell = view_cell_number(estimate->value);
    cell.sign = VIEW_ESTIMATE;
    cell.half_width = estimate->half_width;
    return cell;
}

static struct view_cell metric_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_subject *subject = view->subject;
    if (!rl_metric_listed(subject->analysis, (enum rl_metric)field->key))
        return view_cell_absent("");
    assert(field->key >= 0 && field->key < RL_METRIC_COUNT);
    return view_metric_cell(row, (enum rl_metric)field->key);
}

static struct view_cell half_width_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_estimate *estimate = estimate_of(row, field->key);
    return estimate ? view_cell_number(rl_value_of(estimate->half_width)) : view_cell_absent("");
}

static bool is_listed(const struct view *view, const struct view_field *field)
{
    return rl_metric_listed(((const struct view_subject *)view->subject)->analysis, (enum rl_metric)field->key);
}

/* Only of captures in which something was sampled. */
static bool is_listed_half_width(const struct view *view, const struct view_field *field)
{
    return is_listed(view, field) && ((const struct view_subject *)view->subject)->capture->sampled_count > 0;
}

static struct view_field metric_fields[RL_METRIC_COUNT], half_width_fields[RL_METRIC_COUNT];

/* Heads of the metrics that tables of kernels have, which are wide enough; of others the label. */
static const char *const heads[RL_METRIC_COUNT] = {
    [RL_METRIC_dram_bytes_per_second] = "DRAM",
    [RL_METRIC_achieved_occupancy] = "occup.",
    [RL_METRIC_theoretical_occupancy] = "possible",
};

/* A run of several launches has no occupancy. */
static bool is_run(const struct view *view, const void *row)
{
    return !((const struct view_kernel *)row)->kernel;
}

/* What metrics.def says of a metric is in rl_metrics; fields repeat none of it, so they are filled from there before main. */
__attribute__((constructor)) static void fill(void)
{
    for (int i = 0; i < RL_METRIC_COUNT; i++) {
        const struct rl_metric_info *metric = &rl_metrics[i];
        metric_fields[i] = (struct view_field){.id = metric->id,
                                               .head = heads[i] ? heads[i] : metric->label,
                                               .label = metric->label,
                                               .help = metric->definition,
                                               .type = VIEW_TYPE_NUMBER,
                                               .unit = metric->unit,
                                               .digits = 3,
                                               .get = metric_cell,
                                               .key = i,
                                               .listed = is_listed,
                                               .optional = true};
        half_width_fields[i] = (struct view_field){.id = metric->id,
                                                   .help = "half of the 95 % interval; absent: no estimate",
                                                   .type = VIEW_TYPE_NUMBER,
                                                   .unit = metric->unit,
                                                   .get = half_width_cell,
                                                   .key = i,
                                                   .listed = is_listed_half_width,
                                                   .optional = true};
    }
    metric_fields[RL_METRIC_achieved_occupancy].excused = metric_fields[RL_METRIC_theoretical_occupancy].excused = is_run;
    metric_fields[RL_METRIC_flop_per_second].unit_is_head = true;
    metric_fields[RL_METRIC_flop_per_second].shown = VIEW_SHOWN_WHEN_ANY;
}

const struct view_record view_record_metrics = {
    .id = "metrics", .title = "", .help = "the metrics of a launch", VIEW_FIELDS(metric_fields)};
const struct view_record view_record_half_widths = {
    .id = "half_widths", .title = "", .help = "how well estimated metrics are known", VIEW_FIELDS(half_width_fields)};
