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
    cell.sign = RL_SIGN_ESTIMATE;
    cell.half_width = estimate->half_width;
    return cell;
}

RL_COMPARATOR(by_value, struct view_set_figure, rl_descending(x->value, y->value) ?: rl_ascending(x->metric, y->metric));

size_t view_set_figures(const struct rl_value *metric, enum rl_metric_set set, bool ranked, struct view_set_figure *figures)
{
    static const double all = 1.02; /* numerator and denominator come from two passes, which may differ by 2 % */
    const unsigned sets = 1u << set | rl_sets[set].includes;
    size_t count = 0;
    for (int i = 0; i < RL_METRIC_COUNT; i++) {
        if (!(sets & 1u << rl_metrics[i].set) || !rl_present(metric[i]) || (ranked && metric[i].v <= 0))
            continue;
        const bool is_all = rl_metrics[i].unit == RL_UNIT_FRACTION && metric[i].v > 1 && metric[i].v <= all;
        figures[count++] = (struct view_set_figure){(enum rl_metric)i, is_all ? 1 : metric[i].v};
    }
    if (ranked && count)
        rl_sort(figures, count, sizeof *figures, by_value);
    return count;
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
    return rl_metric_listed(view_subject_of(view)->analysis, (enum rl_metric)field->key);
}

/* Only of captures in which something was sampled. */
static bool is_listed_half_width(const struct view *view, const struct view_field *field)
{
    return is_listed(view, field) && view_subject_of(view)->capture->sampled_count > 0;
}

/* A run of several launches has no occupancy. */
VIEW_WHEN(is_run, struct view_kernel, !row->kernel);

/* Heads of the metrics that tables of kernels have, which are wide enough; of others the label. */
#define IS(id_, other)    (RL_METRIC_##id_ == RL_METRIC_##other)
#define IS_OCCUPANCY(id_) (IS(id_, achieved_occupancy) || IS(id_, theoretical_occupancy))
#define HEAD(id_, label_)                                                                                                          \
    (IS(id_, dram_bytes_per_second)   ? "DRAM"                                                                                     \
     : IS(id_, achieved_occupancy)    ? "occup."                                                                                   \
     : IS(id_, theoretical_occupancy) ? "possible"                                                                                 \
                                      : (label_))
/* clang-format off */
static const struct view_field metric_fields[RL_METRIC_COUNT] = {
#define METRIC(id_, set_, unit_, label_, definition_, ...)                                                                         \
    {.id = #id_, .head = HEAD(id_, label_), .label = label_, .help = definition_, .type = VIEW_TYPE_NUMBER,                        \
     .unit = RL_UNIT_##unit_, .digits = 3, .get = metric_cell, .key = RL_METRIC_##id_, .listed = is_listed, .optional = true,      \
     .excused = IS_OCCUPANCY(id_) ? is_run : NULL, .unit_is_head = IS(id_, flop_per_second),                                       \
     .shown = IS(id_, flop_per_second) ? VIEW_SHOWN_WHEN_ANY : VIEW_SHOWN},
#include "analysis/metrics.def"
#undef METRIC
};
static const struct view_field half_width_fields[RL_METRIC_COUNT] = {
#define METRIC(id_, set_, unit_, ...)                                                                                              \
    {.id = #id_, .help = "half of the 95 % CI; absent: no estimate", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_##unit_,      \
     .get = half_width_cell, .key = RL_METRIC_##id_, .listed = is_listed_half_width, .optional = true},
#include "analysis/metrics.def"
#undef METRIC
};
/* clang-format on */

const struct view_record view_record_metrics = {.id = "metrics", .help = "the metrics of a launch", VIEW_FIELDS(metric_fields)};
const struct view_record view_record_half_widths = {
    .id = "half_widths", .help = "intervals of estimated metrics", VIEW_FIELDS(half_width_fields)};
