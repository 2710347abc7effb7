/* roofline_points.c - what has a place under the roofs of a GPU (see roofline_points.h). */
#include "roofline_points.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/program.h"
#include "core/mem.h"

/* ---- kernels of variants ---- */

const struct rl_kernel_result *rl_spot_kernel(const struct rl_report *report, size_t variant, size_t index)
{
    const size_t *kernels, count = rl_group(&report->analysis->index.kernels_of_variant, variant, &kernels);
    return index < count ? &report->analysis->kernels[kernels[index]] : NULL;
}

static const struct rl_kernel_result *only_kernel(const struct rl_report *report, size_t variant)
{
    const struct rl_kernel_result *kernel = rl_analysis_of_variant(report->analysis, variant);
    bool one = kernel && kernel->siblings == 1 && report->capture->kernels[kernel->kernel].launches_per_run <= 1;
    return one ? kernel : NULL;
}

/* ---- runs of several launches under the roofs ---- */

static void place_run(struct rl_roofline_point *spot)
{
    spot->roof_share = spot->run->place.roof_share;
    spot->bound = spot->run->place.bound;
    spot->limiter = spot->run->place.limiter;
}

/* ---- one spot ---- */

/* The variant's name alone, unless it says nothing without its experiment ("256"). */
static const char *point_name(const struct rl_report *report, const struct rl_variant_result *run)
{
    const char *name = report->capture->variants[run->variant].name;
    return isdigit((unsigned char)name[0]) ? run->label : name;
}

static void take_kernel(const struct rl_report *report, const struct rl_kernel_result *kernel, struct rl_roofline_point *spot)
{
    spot->kernel = kernel;
    spot->roof_share = kernel->roof_share;
    spot->bound = kernel->bound;
    spot->limiter = kernel->limits.limiter;
    spot->above_roof = kernel->above_roof;
    spot->estimate = kernel->estimate;
    spot->total_ns = rl_kernel_gpu_ns(report->capture, kernel->kernel);
}

static struct rl_value time_of(const struct rl_kernel_result *kernel)
{
    if (kernel->wrong)
        return rl_value_missing(RL_UNDEFINED, "the result is wrong: no performance is shown");
    if (kernel->duration.n == 0)
        return rl_value_missing(RL_NOT_COLLECTED, "no times");
    return rl_value_of(kernel->duration.median);
}

struct rl_roofline_point rl_spot_of_kernel(const struct rl_report *report, const struct rl_kernel_result *kernel)
{
    struct rl_roofline_point spot = {
        .label = kernel->label, .name = kernel->label, .duration = &kernel->duration, .metric = kernel->metric};
    take_kernel(report, kernel, &spot);
    spot.time_s = time_of(kernel);
    spot.wrong = kernel->wrong;
    spot.shows = !kernel->wrong;
    return spot;
}

/* Without an interval: what was counted of each shape and how often says more of the figures than the times do. */
struct rl_roofline_point rl_spot_of_family(struct rl_report *report, const struct rl_family *family)
{
    const struct rl_family_figures *figures = family->figures;
    struct rl_roofline_point spot = rl_spot_of_kernel(report, &report->analysis->kernels[family->kernel]);
    if (!figures)
        return spot;
    struct rl_stats *duration = rl_arena_alloc(report->doc->arena, sizeof *duration);
    spot.family = family;
    spot.label = rl_words(report->doc, "%s, %zu shapes", family->label, family->shapes);
    spot.name = family->label;
    spot.metric = figures->metric;
    spot.estimate = NULL;
    spot.roof_share = figures->roof_share;
    spot.bound = figures->bound;
    spot.limiter = figures->limiter;
    spot.above_roof = figures->above_roof;
    spot.total_ns = family->time.ns;
    spot.time_s = rl_present(figures->time_s) ? figures->time_s : figures->median_s; /* that rates are over */
    *duration = (struct rl_stats){.n = (size_t)family->time.timed, .median = rl_present(spot.time_s) ? spot.time_s.v : 0};
    spot.duration = duration;
    return spot;
}

static struct rl_roofline_point spot_of_run(struct rl_report *report, const struct rl_variant_result *run)
{
    const struct rl_kernel_result *kernel = only_kernel(report, run->variant);
    struct rl_roofline_point spot = {.run = run, .label = run->label, .name = point_name(report, run), .duration = &run->duration};
    spot.metric = run->metric;
    spot.shows = !run->why_not;
    spot.wrong = report->capture->variants[run->variant].result == RL_RESULT_WRONG;
    spot.time_s = run->why_not ? rl_value_missing(RL_UNDEFINED, rl_words(report->doc, "the variant %s",
                                                                         rl_words_short(report->doc, run->why_not, 120)))
                               : run->time_s;
    if (kernel)
        take_kernel(report, kernel, &spot);
    else
        place_run(&spot);
    return spot;
}

/* ---- all spots of a GPU ---- */

static void add_spot(struct rl_roofline_points *spots, struct rl_roofline_point spot)
{
    spot.number = spots->count + 1;
    spots->at[spots->count++] = spot;
}

size_t rl_spot_experiment(const struct rl_report *report, const struct rl_roofline_point *spot)
{
    return spot->run ? report->capture->variants[spot->run->variant].experiment : RL_NONE;
}

/* Captures may hold the variants of an experiment in any order. */
static void add_variants(struct rl_report *report, size_t gpu, struct rl_roofline_points *spots)
{
    size_t first, experiments = rl_experiments_on(report, gpu, &first);
    for (size_t e = 0; e < experiments; e++) {
        const size_t *variants;
        const size_t count = rl_variants_on(&report->analysis->index, report->capture,
                                            rl_experiment_key_of(report, first + e).experiment, gpu, &variants);
        for (size_t i = 0; i < count; i++)
            add_spot(spots, spot_of_run(report, &report->analysis->variants[variants[i]]));
    }
    spots->suite = spots->count > 0;
}

static void add_kernel(struct rl_report *report, struct rl_roofline_points *spots, size_t kernel)
{
    const struct rl_family *family = &report->families->at[report->families->of_kernel[kernel]];
    if (family->kernel == kernel) /* that stands for all of its family */
        add_spot(spots, rl_spot_of_family(report, family));
}

static void find_spots(struct rl_report *report, size_t gpu, struct rl_roofline_points *spots)
{
    const struct rl_index *index = &report->analysis->index;
    const size_t *kernels, *variants, count = rl_group(&index->kernels_of_gpu, gpu, &kernels);
    spots->at =
        rl_arena_alloc(report->doc->arena, (rl_group(&index->variants_of_gpu, gpu, &variants) + count + 1) * sizeof *spots->at);
    add_variants(report, gpu, spots);
    for (size_t i = 0; i < count; i++)
        if (report->capture->kernels[kernels[i]].variant == RL_NONE)
            add_kernel(report, spots, kernels[i]);
}

const struct rl_roofline_points *rl_roofline_points_of(struct rl_report *report, size_t gpu)
{
    assert(gpu < report->capture->gpu_count);
    if (!report->spots)
        report->spots = rl_arena_alloc(report->doc->arena, report->capture->gpu_count * sizeof *report->spots);
    struct rl_roofline_points *spots = &report->spots[gpu];
    if (!spots->at)
        find_spots(report, gpu, spots);
    return spots;
}

/* ---- what a spot says ---- */

struct rl_value rl_spot_metric(struct rl_report *report, const struct rl_roofline_point *spot, enum rl_metric metric)
{
    assert(metric < RL_METRIC_COUNT);
    report->used[metric] = true;
    return spot->shows ? spot->metric[metric] : spot->time_s;
}

const char *rl_spot_sign(const struct rl_roofline_point *spot)
{
    return spot->kernel && !spot->family && spot->kernel->limits.sampled ? "~" : "";
}

bool rl_spot_is_mixed(const struct rl_roofline_point *spot)
{
    return spot->kernel && !spot->family && spot->kernel->disagrees;
}

const char *rl_spot_why_mixed(struct rl_report *report, const struct rl_roofline_point *spot)
{
    return rl_spot_is_mixed(spot) ? rl_words(report->doc, "passes disagree: %s", spot->kernel->disagrees) : "";
}

struct rl_value rl_spot_rate_time(struct rl_report *report, const struct rl_roofline_point *spot)
{
    const bool mixed = !spot->run && rl_spot_is_mixed(spot) && rl_present(spot->time_s);
    return mixed ? rl_value_missing(RL_DISAGREES, rl_spot_why_mixed(report, spot)) : spot->time_s;
}

const char *rl_spot_part_name(struct rl_report *report, const struct rl_kernel_result *kernel)
{
    unsigned long long launches = report->capture->kernels[kernel->kernel].launches_per_run;
    const char *name = rl_words_short(report->doc, kernel->short_name, 40);
    return launches > 1 ? rl_words(report->doc, "  %s × %llu", name, launches) : rl_words(report->doc, "  %s", name);
}

const char *rl_spot_more_parts(struct rl_report *report, const struct rl_kernel_result *kernel)
{
    return rl_words(report->doc, "  and %zu more", kernel->siblings - RL_MOST_PARTS);
}

static void add_share(struct rl_report *report, struct rl_grid *grid, const struct rl_roofline_point *spot)
{
    struct rl_value share = rl_present(spot->time_s) ? spot->roof_share : spot->time_s;
    bool tiny = rl_present(share) && share.v > 0 && share.v < 0.00005;
    struct rl_grid_cell *cell =
        tiny ? rl_grid_cell(grid, RL_STYLE_CELL, "<0.01")
        : rl_present(share) && *rl_spot_sign(spot)
            ? rl_grid_cell(grid, RL_STYLE_CELL,
                           rl_words(report->doc, "~%s", rl_words_value(report->doc, RL_UNIT_NONE, rl_value_of(100 * share.v), 3)))
            : rl_grid_value(grid, RL_STYLE_CELL, share, 100, 3);
    if (!rl_present(share))
        return;
    cell->share = share.v;
    cell->share_colour = rl_tones[rl_words_tone(spot->bound)].mark;
    cell->sign = spot->above_roof ? rl_layout_note(report->doc->layout, spot->above_roof) : "";
}

void rl_spot_add_roof(struct rl_report *report, struct rl_grid *grid, const struct rl_roofline_point *spot)
{
    bool known = rl_present(spot->time_s) && spot->bound != RL_BOUND_UNKNOWN;
    add_share(report, grid, spot);
    rl_grid_cell(grid, spot->wrong ? RL_STYLE_CELL_STRONG : RL_STYLE_CELL,
                 spot->wrong ? "WRONG"
                 : known     ? rl_bound_name(spot->bound)
                             : "");
}

bool rl_spot_on_roofline(const struct rl_roofline_point *spot)
{
    struct rl_value x = spot->metric[RL_METRIC_intensity_dram], y = spot->metric[RL_METRIC_flop_per_second];
    return spot->shows && rl_present(x) && rl_present(y) && x.v > 0 && y.v > 0;
}

bool rl_spot_on_strip(const struct rl_roofline_point *spot)
{
    struct rl_value flop = spot->metric[RL_METRIC_flop_total], rate = spot->metric[RL_METRIC_dram_bytes_per_second];
    return spot->shows && rl_present(flop) && flop.v <= 0 && rl_present(rate) && rate.v > 0;
}
