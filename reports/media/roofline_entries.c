/* roofline_entries.c - what has a place under the roofs of a GPU (see roofline_entries.h). */
#include "roofline_entries.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/program.h"
#include "core/mem.h"

/* ---- kernels of variants ---- */

const struct rl_kernel_result *rl_entry_kernel(const struct rl_report *report, size_t variant, size_t index)
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

static void place_run(struct rl_roofline_entry *entry)
{
    entry->roof_share = entry->run->place.roof_share;
    entry->bound = entry->run->place.bound;
    entry->limiter = entry->run->place.limiter;
}

/* ---- one entry ---- */

/* The variant's name alone, unless it says nothing without its experiment ("256"). */
static const char *point_name(const struct rl_report *report, const struct rl_variant_result *run)
{
    const char *name = report->capture->variants[run->variant].name;
    return isdigit((unsigned char)name[0]) ? run->label : name;
}

static void take_kernel(const struct rl_report *report, const struct rl_kernel_result *kernel, struct rl_roofline_entry *entry)
{
    entry->kernel = kernel;
    entry->roof_share = kernel->roof_share;
    entry->bound = kernel->bound;
    entry->limiter = kernel->limits.limiter;
    entry->above_roof = kernel->above_roof;
    entry->estimate = kernel->estimate;
    entry->total_ns = rl_kernel_gpu_ns(report->capture, kernel->kernel);
}

static struct rl_value time_of(const struct rl_kernel_result *kernel)
{
    if (kernel->wrong)
        return rl_value_missing(RL_UNDEFINED, "the result is wrong: no performance is shown");
    if (kernel->duration.n == 0)
        return rl_value_missing(RL_NOT_COLLECTED, "no times");
    return rl_value_of(kernel->duration.median);
}

struct rl_roofline_entry rl_entry_of_kernel(const struct rl_report *report, const struct rl_kernel_result *kernel)
{
    struct rl_roofline_entry entry = {
        .label = kernel->label, .name = kernel->label, .duration = &kernel->duration, .metric = kernel->metric};
    take_kernel(report, kernel, &entry);
    entry.time_s = time_of(kernel);
    entry.wrong = kernel->wrong;
    entry.shows = !kernel->wrong;
    return entry;
}

/* Without an interval: what was counted of each shape and how often says more of the figures than the times do. */
struct rl_roofline_entry rl_entry_of_family(struct rl_report *report, const struct rl_family *family)
{
    const struct rl_family_figures *figures = family->figures;
    struct rl_roofline_entry entry = rl_entry_of_kernel(report, &report->analysis->kernels[family->kernel]);
    if (!figures)
        return entry;
    struct rl_stats *duration = rl_arena_alloc(report->doc->arena, sizeof *duration);
    entry.family = family;
    entry.label = rl_words(report->doc, "%s, %zu shapes", family->label, family->shapes);
    entry.name = family->label;
    entry.metric = figures->metric;
    entry.estimate = figures->estimate;
    entry.roof_share = figures->roof_share;
    entry.bound = figures->bound;
    entry.limiter = figures->limiter;
    entry.above_roof = figures->above_roof;
    entry.total_ns = family->time.ns;
    entry.time_s = rl_present(figures->time_s) ? figures->time_s : figures->median_s; /* that rates are over */
    *duration = (struct rl_stats){.n = (size_t)family->time.timed, .median = rl_present(entry.time_s) ? entry.time_s.v : 0};
    entry.duration = duration;
    return entry;
}

static struct rl_roofline_entry entry_of_run(struct rl_report *report, const struct rl_variant_result *run)
{
    const struct rl_kernel_result *kernel = only_kernel(report, run->variant);
    struct rl_roofline_entry entry = {.run = run, .label = run->label, .name = point_name(report, run), .duration = &run->duration};
    entry.metric = run->metric;
    entry.shows = !run->why_not;
    entry.wrong = report->capture->variants[run->variant].result == RL_RESULT_WRONG;
    entry.time_s = run->why_not ? rl_value_missing(RL_UNDEFINED, rl_words(report->doc, "the variant %s",
                                                                          rl_words_short(report->doc, run->why_not, 120)))
                                : run->time_s;
    if (kernel)
        take_kernel(report, kernel, &entry);
    else
        place_run(&entry);
    return entry;
}

/* ---- all entries of a GPU ---- */

static void add_entry(struct rl_roofline_entries *entries, struct rl_roofline_entry entry)
{
    entry.number = entries->count + 1;
    entries->at[entries->count++] = entry;
}

size_t rl_entry_experiment(const struct rl_report *report, const struct rl_roofline_entry *entry)
{
    return entry->run ? report->capture->variants[entry->run->variant].experiment : RL_NONE;
}

/* Captures may hold the variants of an experiment in any order. */
static void add_variants(struct rl_report *report, size_t gpu, struct rl_roofline_entries *entries)
{
    size_t first, experiments = rl_experiments_on(report, gpu, &first);
    for (size_t e = 0; e < experiments; e++) {
        const size_t *variants;
        const size_t count = rl_variants_on(&report->analysis->index, report->capture,
                                            rl_experiment_key_of(report, first + e).experiment, gpu, &variants);
        for (size_t i = 0; i < count; i++)
            add_entry(entries, entry_of_run(report, &report->analysis->variants[variants[i]]));
    }
    entries->suite = entries->count > 0;
}

static void add_kernel(struct rl_report *report, struct rl_roofline_entries *entries, size_t kernel)
{
    assert(kernel < report->capture->kernel_count);
    const struct rl_family *family = &report->families->at[report->families->of_kernel[kernel]];
    if (family->kernel == kernel) /* that stands for all of its family */
        add_entry(entries, rl_entry_of_family(report, family));
}

static void find_entries(struct rl_report *report, size_t gpu, struct rl_roofline_entries *entries)
{
    const struct rl_index *index = &report->analysis->index;
    const size_t *kernels, *variants, count = rl_group(&index->kernels_of_gpu, gpu, &kernels);
    entries->at =
        rl_arena_alloc(report->doc->arena, (rl_group(&index->variants_of_gpu, gpu, &variants) + count + 1) * sizeof *entries->at);
    add_variants(report, gpu, entries);
    for (size_t i = 0; i < count; i++)
        if (report->capture->kernels[kernels[i]].variant == RL_NONE)
            add_kernel(report, entries, kernels[i]);
}

const struct rl_roofline_entries *rl_roofline_entries_of(struct rl_report *report, size_t gpu)
{
    assert(gpu < report->capture->gpu_count);
    if (!report->entries)
        report->entries = rl_arena_alloc(report->doc->arena, report->capture->gpu_count * sizeof *report->entries);
    struct rl_roofline_entries *entries = &report->entries[gpu];
    if (!entries->at)
        find_entries(report, gpu, entries);
    return entries;
}

/* ---- what an entry says ---- */

struct rl_value rl_entry_metric(struct rl_report *report, const struct rl_roofline_entry *entry, enum rl_metric metric)
{
    assert(metric < RL_METRIC_COUNT);
    report->used[metric] = true;
    return entry->shows ? entry->metric[metric] : entry->time_s;
}

const char *rl_entry_sign(const struct rl_roofline_entry *entry)
{
    const bool sampled = entry->family ? entry->family->figures->estimate != NULL : entry->kernel && entry->kernel->limits.sampled;
    return sampled ? "~" : "";
}

bool rl_entry_is_mixed(const struct rl_roofline_entry *entry)
{
    return entry->kernel && !entry->family && entry->kernel->disagrees;
}

const char *rl_entry_why_mixed(struct rl_report *report, const struct rl_roofline_entry *entry)
{
    return rl_entry_is_mixed(entry) ? rl_words(report->doc, "passes disagree: %s", entry->kernel->disagrees) : "";
}

struct rl_value rl_entry_rate_time(struct rl_report *report, const struct rl_roofline_entry *entry)
{
    const bool mixed = !entry->run && rl_entry_is_mixed(entry) && rl_present(entry->time_s);
    return mixed ? rl_value_missing(RL_DISAGREES, rl_entry_why_mixed(report, entry)) : entry->time_s;
}

const char *rl_entry_part_name(struct rl_report *report, const struct rl_kernel_result *kernel)
{
    unsigned long long launches = report->capture->kernels[kernel->kernel].launches_per_run;
    const char *name = rl_words_short(report->doc, kernel->short_name, 40);
    return launches > 1 ? rl_words(report->doc, "  %s × %llu", name, launches) : rl_words(report->doc, "  %s", name);
}

const char *rl_entry_more_parts(struct rl_report *report, const struct rl_kernel_result *kernel)
{
    return rl_words(report->doc, "  and %zu more", kernel->siblings - RL_MOST_PARTS);
}

struct rl_grid_cell *rl_entry_add_percent(struct rl_report *report, struct rl_grid *grid, const struct rl_roofline_entry *entry,
                                          struct rl_value share)
{
    if (!rl_present(share) || !*rl_entry_sign(entry))
        return rl_grid_value(grid, RL_STYLE_CELL, share, 100, 3);
    return rl_grid_cell(grid, RL_STYLE_CELL,
                        rl_words(report->doc, "%s%s", rl_entry_sign(entry),
                                 rl_words_value(report->doc, RL_UNIT_NONE, rl_value_of(100 * share.v), 3)));
}

static void add_share(struct rl_report *report, struct rl_grid *grid, const struct rl_roofline_entry *entry)
{
    struct rl_value share = rl_present(entry->time_s) ? entry->roof_share : entry->time_s;
    bool tiny = rl_present(share) && share.v > 0 && share.v < 1e-4;
    struct rl_grid_cell *cell =
        tiny ? rl_grid_cell(grid, RL_STYLE_CELL, "<0.01") : rl_entry_add_percent(report, grid, entry, share);
    if (!rl_present(share))
        return;
    cell->share = share.v;
    cell->share_colour = rl_tones[rl_words_tone(entry->bound)].mark;
    cell->sign = entry->above_roof ? rl_layout_note(report->doc->layout, entry->above_roof) : "";
}

void rl_entry_add_roof(struct rl_report *report, struct rl_grid *grid, const struct rl_roofline_entry *entry)
{
    bool known = rl_present(entry->time_s) && entry->bound != RL_BOUND_UNKNOWN;
    add_share(report, grid, entry);
    rl_grid_cell(grid, entry->wrong ? RL_STYLE_CELL_STRONG : RL_STYLE_CELL,
                 entry->wrong ? "WRONG"
                 : known      ? rl_bound_name(entry->bound)
                              : "");
}

bool rl_entry_on_roofline(const struct rl_roofline_entry *entry)
{
    struct rl_value x = entry->metric[RL_METRIC_intensity_dram], y = entry->metric[RL_METRIC_flop_per_second];
    return entry->shows && rl_present(x) && rl_present(y) && x.v > 0 && y.v > 0;
}

bool rl_entry_moves_only(const struct rl_roofline_entry *entry)
{
    struct rl_value flop = entry->metric[RL_METRIC_flop_total], rate = entry->metric[RL_METRIC_dram_bytes_per_second];
    return entry->shows && rl_present(flop) && flop.v <= 0 && rl_present(rate) && rate.v > 0;
}
