/* roofs.c - rooflines of a GPU as charts: its roofs, and its kernels below them (see page.h). */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "page.h"

/* The roofs of the DRAM roofline, the main ones first: kernels move by DRAM bytes, so L2 and L1 have no place on it. */
static const struct {
    enum rl_ceiling_id id;
    bool main;
    enum rl_metric work; /* operations below it */
} roof_rows[] = {
    {RL_CEILING_dram, true, RL_METRIC_COUNT},
    {RL_CEILING_fp32, true, RL_METRIC_COUNT},
    {RL_CEILING_fp64, false, RL_METRIC_flop_fp64},
    {RL_CEILING_fp16, false, RL_METRIC_flop_fp16},
};

static void *copy_array(struct rl_report *report, const void *bytes, size_t size)
{
    void *copy = rl_arena_alloc(report->arena, size);
    if (size > 0)
        memcpy(copy, bytes, size);
    return copy;
}

static const char *roof_label(struct rl_report *report, const struct rl_ceiling_info *info, double value, bool measured)
{
    return rl_words(report, "%s %s%s", info->label, rl_words_value(report, info->unit, rl_value_of(value), 3),
                    measured ? " measured" : "");
}

static size_t add_roof(struct rl_report *report, struct rl_chart_roof *roof, size_t row, const struct rl_ceiling *ceiling)
{
    const struct rl_ceiling_info *info = &rl_ceilings[roof_rows[row].id];
    size_t count = 0;
    bool measured = ceiling->measured.n > 0, slanted = info->kind == RL_BANDWIDTH;
    if (rl_present(ceiling->theoretical) && ceiling->theoretical.v > 0) {
        double v = ceiling->theoretical.v;
        roof[count++] =
            (struct rl_chart_roof){v, slanted, roof_rows[row].main && !measured, false, roof_label(report, info, v, false)};
    }
    if (measured && ceiling->measured.median > 0) {
        double v = ceiling->measured.median;
        roof[count++] = (struct rl_chart_roof){v, slanted, roof_rows[row].main, true, roof_label(report, info, v, true)};
    }
    return count;
}

/* Name of a kernel beside its point: the variant's alone, as short as it can be, unless it is a mere number. */
static const char *point_label(const struct rl_report *report, const struct rl_kernel_result *kernel)
{
    size_t variant = report->capture->kernels[kernel->kernel].variant;
    const char *name = variant == RL_NONE ? NULL : report->capture->variants[variant].name;
    return name && !(name[0] >= '0' && name[0] <= '9') ? name : kernel->label;
}

/* Share of the GPU's time, in captures of programs; the suite repeats as long as it likes, so there it says nothing. */
static double time_share(const struct rl_report *report, const struct rl_kernel_result *kernel)
{
    const struct rl_kernel *k = &report->capture->kernels[kernel->kernel];
    double total = 0;
    if (k->variant != RL_NONE || k->total_ns == 0)
        return NAN;
    for (size_t i = 0; i < report->capture->kernel_count; i++)
        if (report->capture->kernels[i].gpu == k->gpu)
            total += (double)report->capture->kernels[i].total_ns;
    return (double)k->total_ns / total;
}

static bool on_roofline(const struct rl_kernel_result *kernel)
{
    struct rl_value x = kernel->metric[RL_METRIC_intensity_dram], y = kernel->metric[RL_METRIC_flop_per_second];
    return !kernel->wrong && rl_present(x) && rl_present(y) && x.v > 0 && y.v > 0;
}

/* Without floating-point operations, but with DRAM traffic. */
static bool on_strip(const struct rl_kernel_result *kernel)
{
    struct rl_value flop = kernel->metric[RL_METRIC_flop_total], rate = kernel->metric[RL_METRIC_dram_bytes_per_second];
    return !kernel->wrong && rl_present(flop) && flop.v <= 0 && rl_present(rate) && rate.v > 0;
}

static struct rl_chart_point make_point(struct rl_report *report, const struct rl_kernel_result *kernel)
{
    return (struct rl_chart_point){
        .low = NAN,
        .high = NAN,
        .weight = time_share(report, kernel),
        .tone = rl_words_tone(kernel->bound),
        .label = point_label(report, kernel),
        .tag = rl_words(report, "%zu", rl_roofs_number(report, kernel->kernel)),
    };
}

/* Interval of a rate `work / time` from that of the time. */
static void set_rate(struct rl_chart_point *point, const struct rl_stats *time, double rate)
{
    if (time->has_interval && time->low > 0) {
        point->low = rate * time->median / time->high;
        point->high = rate * time->median / time->low;
    }
}

static size_t on_gpu(const struct rl_report *report, const struct rl_kernel_result *kernel, size_t gpu)
{
    return report->capture->kernels[kernel->kernel].gpu == gpu;
}

size_t rl_roofs_number(const struct rl_report *report, size_t kernel)
{
    size_t number = 0, gpu = report->capture->kernels[kernel].gpu;
    for (size_t i = 0; i <= kernel; i++)
        number += report->capture->kernels[i].gpu == gpu;
    return number;
}

/* True when a kernel of the GPU does work of this kind. */
static bool is_used(const struct rl_report *report, size_t gpu, enum rl_metric work)
{
    for (size_t i = 0; i < report->capture->kernel_count && work != RL_METRIC_COUNT; i++) {
        struct rl_value value = report->analysis->kernels[i].metric[work];
        if (report->capture->kernels[i].gpu == gpu && rl_present(value) && value.v > 0)
            return true;
    }
    return work == RL_METRIC_COUNT;
}

static double total_time(const struct rl_report *report, const struct rl_kernel_result *kernel)
{
    return (double)report->capture->kernels[kernel->kernel].total_ns;
}

static int by_total_time(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* The greatest total time that gets no label any more; -1: all get one. */
static double label_threshold(const struct rl_report *report, size_t gpu, size_t most_labels)
{
    double *times = rl_calloc(report->capture->kernel_count + 1, sizeof *times);
    size_t count = 0;
    for (size_t i = 0; i < report->capture->kernel_count; i++)
        if (on_gpu(report, &report->analysis->kernels[i], gpu) && on_roofline(&report->analysis->kernels[i]))
            times[count++] = total_time(report, &report->analysis->kernels[i]);
    qsort(times, count, sizeof *times, by_total_time);
    double threshold = count > most_labels ? times[most_labels] : -1;
    free(times);
    return threshold;
}

static size_t add_points(struct rl_report *report, size_t gpu, size_t most_labels, struct rl_chart_point *points)
{
    double threshold = label_threshold(report, gpu, most_labels);
    size_t count = 0;
    for (size_t i = 0; i < report->capture->kernel_count; i++) {
        const struct rl_kernel_result *kernel = &report->analysis->kernels[i];
        if (!on_gpu(report, kernel, gpu) || !on_roofline(kernel))
            continue;
        struct rl_chart_point point = make_point(report, kernel);
        point.x = rl_words_metric(report, kernel, RL_METRIC_intensity_dram).v;
        point.y = rl_words_metric(report, kernel, RL_METRIC_flop_per_second).v;
        if (total_time(report, kernel) <= threshold)
            point.label = point.tag = NULL;
        set_rate(&point, &kernel->duration, point.y);
        points[count++] = point;
    }
    return count;
}

struct rl_chart *rl_roofs_roofline(struct rl_report *report, struct rl_section *section, size_t gpu, struct rl_roofs_detail detail)
{
    struct rl_chart_roof roofs[2 * RL_COUNT(roof_rows)];
    struct rl_chart_point *points = rl_arena_alloc(report->arena, (report->capture->kernel_count + 1) * sizeof *points);
    size_t roof_count = 0;
    for (size_t i = 0; i < RL_COUNT(roof_rows); i++)
        if (detail.all_roofs || is_used(report, gpu, roof_rows[i].work))
            roof_count += add_roof(report, roofs + roof_count, i, &report->analysis->gpus[gpu].ceiling[roof_rows[i].id]);
    size_t count = add_points(report, gpu, detail.most_labels, points);
    if (roof_count + count == 0)
        return NULL;
    struct rl_chart *chart = rl_report_chart(report, section, RL_CHART_ROOFLINE);
    chart->roofline = (struct rl_chart_roofline){.roofs = copy_array(report, roofs, roof_count * sizeof *roofs),
                                                 .roof_count = roof_count,
                                                 .points = points,
                                                 .point_count = count};
    return chart;
}

size_t rl_roofs_dram_references(struct rl_report *report, size_t gpu, struct rl_chart_reference **references)
{
    const struct rl_ceiling *dram = &report->analysis->gpus[gpu].ceiling[RL_CEILING_dram];
    const struct rl_ceiling_info *info = &rl_ceilings[RL_CEILING_dram];
    struct rl_chart_reference rows[2];
    size_t count = 0;
    if (rl_present(dram->theoretical) && dram->theoretical.v > 0)
        rows[count++] =
            (struct rl_chart_reference){dram->theoretical.v, false, roof_label(report, info, dram->theoretical.v, false)};
    if (dram->measured.n > 0 && dram->measured.median > 0)
        rows[count++] =
            (struct rl_chart_reference){dram->measured.median, true, roof_label(report, info, dram->measured.median, true)};
    *references = copy_array(report, rows, count * sizeof *rows);
    return count;
}

size_t rl_roofs_strip(struct rl_report *report, size_t gpu, struct rl_chart *chart)
{
    struct rl_chart_point *points = rl_arena_alloc(report->arena, (report->capture->kernel_count + 1) * sizeof *points);
    size_t count = 0;
    for (size_t i = 0; i < report->capture->kernel_count; i++) {
        const struct rl_kernel_result *kernel = &report->analysis->kernels[i];
        if (!on_gpu(report, kernel, gpu) || !on_strip(kernel))
            continue;
        points[count] = make_point(report, kernel);
        points[count].x = kernel->metric[RL_METRIC_dram_bytes_per_second].v;
        set_rate(&points[count], &kernel->duration, points[count].x);
        count++;
    }
    if (!chart)
        return count;
    assert(chart->kind == RL_CHART_STRIP);
    struct rl_chart_reference *references;
    size_t reference_count = rl_roofs_dram_references(report, gpu, &references);
    chart->strip = (struct rl_chart_strip){.unit = RL_UNIT_BYTE_PER_SECOND,
                                           .log = true,
                                           .title = "DRAM throughput",
                                           .points = points,
                                           .point_count = count,
                                           .references = references,
                                           .reference_count = reference_count};
    return count;
}
