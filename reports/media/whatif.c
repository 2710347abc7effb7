/* whatif.c - the occupancy that a launch would have with other registers, shared memory or block size (see kernels.h).
 *
 * One curve for each, the other two as they are. A curve ends where the block does not fit any more. Launches of one shape share
 * their charts.
 */
#include <assert.h>

#include "kernels.h"

#define CHART_HEIGHT 70.0

/* ---- what can be changed ---- */

static int64_t registers_of(const struct rl_block_shape *shape)
{
    return shape->registers_per_thread;
}
static void set_registers(struct rl_block_shape *shape, int64_t value)
{
    shape->registers_per_thread = (int)value;
}
static int64_t shared_of(const struct rl_block_shape *shape)
{
    return shape->static_shared_bytes + shape->dynamic_shared_bytes;
}
static void set_shared(struct rl_block_shape *shape, int64_t value)
{
    shape->static_shared_bytes = 0;
    shape->dynamic_shared_bytes = value;
}
static int64_t threads_of(const struct rl_block_shape *shape)
{
    return shape->threads;
}
static void set_threads(struct rl_block_shape *shape, int64_t value)
{
    shape->threads = (int)value;
}

struct span {
    int64_t first, last, step;
};
static struct span registers_span(const struct rl_sm_limits *limits)
{
    return (struct span){1, limits->max_registers_per_thread, 1};
}
static struct span shared_span(const struct rl_sm_limits *limits)
{
    return (struct span){0, limits->shared_bytes_per_block, limits->shared_unit};
}
static struct span threads_span(const struct rl_sm_limits *limits)
{
    return (struct span){limits->warp_size, limits->max_threads_per_block, limits->warp_size};
}

/* One row adds a curve; RL_WHATIF_CHARTS of them. */
static const struct dimension {
    const char *title;
    const char *words; /* "40 registers per thread" */
    enum rl_unit unit;
    unsigned limiter;
    int64_t (*value)(const struct rl_block_shape *shape);
    void (*set)(struct rl_block_shape *shape, int64_t value);
    struct span (*span)(const struct rl_sm_limits *limits);
} dimensions[RL_WHATIF_CHARTS] = {
    {"Registers per thread", " registers per thread", RL_UNIT_COUNT, RL_LIMIT_REGISTERS, registers_of, set_registers,
     registers_span},
    {"Shared memory per block", " of shared memory per block", RL_UNIT_SIZE, RL_LIMIT_SHARED, shared_of, set_shared, shared_span},
    {"Threads per block", " threads per block", RL_UNIT_COUNT, RL_LIMIT_BLOCKS | RL_LIMIT_WARPS, threads_of, set_threads,
     threads_span},
};

/* ---- a launch ---- */

static const struct rl_sm_limits *limits_of(const struct rl_report *report, size_t kernel)
{
    assert(kernel < report->capture->kernel_count);
    const struct rl_gpu *gpu = &report->capture->gpus[report->capture->kernels[kernel].gpu];
    return rl_sm_limits_of(gpu->cc_major * 10 + gpu->cc_minor);
}

static struct rl_value occupancy_at(const struct rl_sm_limits *limits, const struct dimension *dimension,
                                    struct rl_block_shape shape, int64_t value)
{
    dimension->set(&shape, value);
    return rl_occupancy_of(limits, &shape).fraction;
}

/* ---- curves ---- */

static void add_point(struct rl_chart_series *series, double *x, double *y, double value, double occupancy)
{
    x[series->count] = value;
    y[series->count++] = occupancy;
}

/* The ends of each level stretch, joined. */
static struct rl_chart_series curve(struct rl_report *report, const struct rl_sm_limits *limits, const struct dimension *dimension,
                                    const struct rl_block_shape *shape)
{
    struct span span = dimension->span(limits);
    size_t most = 2 * (size_t)((span.last - span.first) / span.step + 2);
    double *x = rl_arena_alloc(report->doc->arena, most * sizeof *x), *y = rl_arena_alloc(report->doc->arena, most * sizeof *y);
    struct rl_chart_series series = {.tone = RL_TONE_GREY, .x = x, .y = y, .bare = true};
    double last_x = 0, last_y = -1;
    bool level = false;
    for (int64_t v = span.first; v <= span.last; v += span.step) {
        struct rl_value occupancy = occupancy_at(limits, dimension, *shape, v);
        if (!rl_present(occupancy))
            break;
        if (occupancy.v != last_y) {
            if (level)
                add_point(&series, x, y, last_x, last_y);
            add_point(&series, x, y, (double)v, occupancy.v);
        }
        level = occupancy.v == last_y;
        last_x = (double)v;
        last_y = occupancy.v;
    }
    if (level)
        add_point(&series, x, y, last_x, last_y);
    assert(series.count <= most);
    return series;
}

/* The launch as it is. */
static struct rl_chart_series here(struct rl_report *report, double value, double occupancy)
{
    double *at = rl_arena_alloc(report->doc->arena, 2 * sizeof *at);
    at[0] = value;
    at[1] = occupancy;
    return (struct rl_chart_series){.tone = RL_TONE_GREY, .count = 1, .x = &at[0], .y = &at[1]};
}

/* ---- charts that are there ---- */

static bool same_shape(const struct rl_block_shape *a, const struct rl_block_shape *b)
{
    return a->threads == b->threads && a->registers_per_thread == b->registers_per_thread &&
           a->static_shared_bytes == b->static_shared_bytes && a->dynamic_shared_bytes == b->dynamic_shared_bytes;
}

size_t rl_whatif_plan(struct rl_report *report, struct rl_section *section, size_t kernel, double width)
{
    assert(kernel < report->capture->kernel_count);
    const struct rl_sm_limits *limits = limits_of(report, kernel);
    struct rl_block_shape shape = rl_block_shape_of(&report->capture->kernels[kernel]);
    if (!rl_present(rl_occupancy_of(limits, &shape).fraction))
        return RL_NONE;
    const struct rl_kernel_blocks *blocks = rl_kernel_blocks_of(report, report->capture->kernels[kernel].gpu);
    for (size_t i = 0; i < blocks->shown && blocks->at[i] != kernel; i++) {
        struct rl_block_shape other = rl_block_shape_of(&report->capture->kernels[blocks->at[i]]);
        if (same_shape(&shape, &other) && !blocks->family[i]->figures) /* a family has another chart */
            return report->kernel_charts[blocks->at[i]].whatif;
    }
    size_t first = section->chart_count;
    for (size_t i = 0; i < RL_WHATIF_CHARTS; i++) {
        const struct dimension *dimension = &dimensions[i];
        struct rl_chart_series *series = rl_arena_alloc(report->doc->arena, 2 * sizeof *series);
        series[0] = curve(report, limits, dimension, &shape);
        series[1] = here(report, (double)dimension->value(&shape), rl_occupancy_of(limits, &shape).fraction.v);
        struct rl_chart *chart = rl_document_chart(report->doc, section, RL_CHART_LINES);
        chart->width = width;
        chart->height = CHART_HEIGHT;
        chart->lines = (struct rl_chart_lines){.x_unit = dimension->unit,
                                               .y_unit = RL_UNIT_FRACTION,
                                               .x_title = dimension->title,
                                               .show_values = true,
                                               .series = series,
                                               .series_count = 2,
                                               .y_top = 1};
    }
    return first;
}

void rl_whatif_add(struct rl_report *report, const struct rl_section *section, size_t first, struct rl_box *cell)
{
    rl_box_note(cell, "Theoretical occupancy, %, if one parameter changed; the mark is this launch.");
    for (size_t i = 0; i < RL_WHATIF_CHARTS; i++)
        rl_box_drawing(cell, &rl_document_result(report->doc, section, first + i)->drawing,
                       rl_words(report->doc, "Theoretical occupancy over %s, everything else unchanged.", dimensions[i].title));
}

/* ---- advice ---- */

/* The value nearest to the present one, below it or (threads) on either side, that allows more. */
static bool nearest_better(const struct rl_sm_limits *limits, const struct dimension *dimension, const struct rl_block_shape *shape,
                           int64_t *better, double *occupancy)
{
    struct span span = dimension->span(limits);
    int64_t now = dimension->value(shape), best_distance = INT64_MAX;
    double have = rl_occupancy_of(limits, shape).fraction.v;
    for (int64_t v = span.first; v <= span.last; v += span.step) {
        int64_t distance = v > now ? v - now : now - v;
        struct rl_value there = occupancy_at(limits, dimension, *shape, v);
        if (!rl_present(there) || there.v <= have * (1 + 1e-9) || distance >= best_distance)
            continue;
        best_distance = distance;
        *better = v;
        *occupancy = there.v;
    }
    return best_distance < INT64_MAX;
}

/* All blocks of the grid are resident at once: room for more of them changes nothing. */
static bool all_resident(const struct rl_report *report, size_t kernel, const struct rl_occupancy *now)
{
    assert(kernel < report->capture->kernel_count);
    const struct rl_kernel *k = &report->capture->kernels[kernel];
    const struct rl_value sms = report->capture->gpus[k->gpu].fact[RL_FACT_sm_count];
    const double blocks = (double)k->grid[0] * k->grid[1] * k->grid[2];
    return rl_present(sms) && blocks <= sms.v * now->blocks_per_sm;
}

const char *rl_whatif_advice(struct rl_report *report, size_t kernel)
{
    assert(kernel < report->capture->kernel_count);
    const struct rl_sm_limits *limits = limits_of(report, kernel);
    struct rl_block_shape shape = rl_block_shape_of(&report->capture->kernels[kernel]);
    struct rl_occupancy now = rl_occupancy_of(limits, &shape);
    if (!rl_present(now.fraction) || now.fraction.v >= 1 || all_resident(report, kernel, &now))
        return "";
    for (size_t i = 0; i < RL_WHATIF_CHARTS; i++) {
        int64_t better;
        double occupancy;
        if (!(now.limiters & dimensions[i].limiter) || !nearest_better(limits, &dimensions[i], &shape, &better, &occupancy))
            continue;
        return rl_words(report->doc, "%s%s instead of %s would allow %s.",
                        rl_words_value(report->doc, dimensions[i].unit, rl_value_of((double)better), 4), dimensions[i].words,
                        rl_words_value(report->doc, dimensions[i].unit, rl_value_of((double)dimensions[i].value(&shape)), 4),
                        rl_words_value(report->doc, RL_UNIT_FRACTION, rl_value_of(occupancy), 3));
    }
    return "";
}
