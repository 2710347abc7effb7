/* roofline_entries.c - what has a place under the roofs of a GPU (see roofline_entries.h). */
#include "roofline_entries.h"

#include <ctype.h>

/* ---- kernels of variants ---- */

/* The `index`-th kernel class of a variant; NULL: there are no more. */
static const struct rl_kernel_result *entry_kernel(const struct rl_report *report, size_t variant, size_t index)
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

/* Without an interval: the figures depend more on which shapes were counted and how often than on their times. */
struct rl_roofline_entry rl_entry_of_family(struct rl_report *report, const struct rl_family *family)
{
    const struct rl_family_figures *figures = family->figures;
    struct rl_roofline_entry entry = rl_entry_of_kernel(report, &report->analysis->kernels[family->kernel]);
    if (!figures)
        return entry;
    struct rl_stats *duration = rl_arena_alloc(report->doc->arena, sizeof *duration);
    entry.family = family;
    entry.label = rl_words(report->doc, "%s, %zu configs", family->label, family->shapes);
    entry.name = family->label;
    entry.metric = figures->metric;
    entry.estimate = NULL;
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
    if (kernel) {
        take_kernel(report, kernel, &entry);
    } else { /* several launches under the roofs */
        entry.roof_share = run->place.roof_share;
        entry.bound = run->place.bound;
        entry.limiter = run->place.limiter;
    }
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

const struct rl_roofline_entries *rl_roofline_entries_of(struct rl_report *report, size_t gpu)
{
    assert(gpu < report->capture->gpu_count);
    if (!report->entries)
        report->entries = rl_arena_alloc(report->doc->arena, report->capture->gpu_count * sizeof *report->entries);
    struct rl_roofline_entries *entries = &report->entries[gpu];
    if (!entries->at) {
        const struct rl_index *index = &report->analysis->index;
        const size_t *rows, *variants, count = rl_group(&report->rows_of_gpu, gpu, &rows);
        entries->at = rl_arena_alloc(report->doc->arena,
                                     (rl_group(&index->variants_of_gpu, gpu, &variants) + count + 1) * sizeof *entries->at);
        add_variants(report, gpu, entries);
        for (size_t i = 0; i < count; i++)
            if (report->capture->kernels[report->families->at[rows[i]].kernel].variant == RL_NONE)
                add_entry(entries, rl_entry_of_family(report, &report->families->at[rows[i]]));
    }
    return entries;
}

/* ---- what an entry says ---- */

struct rl_value rl_entry_metric(struct rl_report *report, const struct rl_roofline_entry *entry, enum rl_metric metric)
{
    assert(metric < RL_METRIC_COUNT);
    report->used[metric] = true;
    return entry->shows ? entry->metric[metric] : entry->time_s;
}

size_t rl_entry_limiter(const struct rl_roofline_entry *entry)
{
    return rl_limiter_of(entry->limiter, entry->bound);
}

const char *rl_entry_limited_by(const struct rl_roofline_entry *entry)
{
    if (entry->family)
        return entry->family->figures->mostly;
    return entry->kernel ? entry->kernel->limits.limited_by : rl_limiter_label(rl_entry_limiter(entry));
}

bool rl_entry_on_roofline(const struct rl_roofline_entry *entry)
{
    struct rl_value x = entry->metric[RL_METRIC_intensity_dram], y = entry->metric[RL_METRIC_flop_per_second];
    return entry->shows && rl_present(x) && rl_present(y) && x.v > 0 && y.v > 0;
}

/* ---- tables of entries ---- */

enum { MOST_PARTS = 40 };

size_t rl_entry_row_count(const struct rl_report *report, const struct rl_roofline_entry *entry)
{
    const struct rl_kernel_result *kernel = entry->run && !entry->kernel ? entry_kernel(report, entry->run->variant, 0) : NULL;
    return 1 + (!kernel ? 0 : kernel->siblings < MOST_PARTS ? kernel->siblings : MOST_PARTS + 1);
}

/* Launches of the kernels from `k` on that share a row: of one name, and without a time. */
static size_t fold_untimed(struct rl_report *report, const struct rl_roofline_entry *entry, size_t k, unsigned long long *launches)
{
    const struct rl_kernel_result *first = entry_kernel(report, entry->run->variant, k), *next = first;
    size_t folded = 0;
    *launches = 0;
    while (next && strcmp(next->short_name, first->short_name) == 0 &&
           (next == first || first->duration.n + next->duration.n == 0)) {
        *launches += report->capture->kernels[next->kernel].launches_per_run;
        next = entry_kernel(report, entry->run->variant, k + ++folded);
    }
    return folded;
}

size_t rl_entry_rows_add(struct rl_report *report, const struct rl_roofline_entry *entry, const char *name, size_t target,
                         struct rl_entry_row *rows)
{
    const struct rl_kernel_result *kernel;
    size_t count = 0;
    rows[count++] = (struct rl_entry_row){.name = name, .entry = entry, .target = target};
    for (size_t k = 0; entry->run && !entry->kernel && (kernel = entry_kernel(report, entry->run->variant, k));) {
        if (count > MOST_PARTS) {
            rows[count++] = (struct rl_entry_row){
                .name = rl_words(report->doc, "  and %zu more", kernel->siblings - k), .part = true, .target = RL_NO_TARGET};
            break;
        }
        struct rl_roofline_entry *part = rl_arena_alloc(report->doc->arena, sizeof *part);
        unsigned long long launches;
        k += fold_untimed(report, entry, k, &launches);
        const char *short_name = rl_words_short(report->doc, kernel->short_name, 40);
        *part = rl_entry_of_kernel(report, kernel);
        rows[count++] = (struct rl_entry_row){.name = launches > 1 ? rl_words(report->doc, "  %s × %llu", short_name, launches)
                                                                   : rl_words(report->doc, "  %s", short_name),
                                              .entry = part,
                                              .part = true,
                                              .target = RL_NO_TARGET};
    }
    return count;
}

enum figure { TIME, HALF_WIDTH, RATE, ROOF };

static struct rl_value figure_of(const struct rl_roofline_entry *entry, enum figure figure)
{
    const struct rl_stats *duration = entry->duration;
    if (figure == TIME)
        return entry->family ? entry->family->figures->median_s : entry->time_s;
    if (figure == RATE)
        return entry->shows ? entry->metric[RL_METRIC_flop_per_second] : entry->time_s;
    if (figure == ROOF)
        return rl_present(entry->time_s) ? entry->roof_share : entry->time_s;
    return rl_present(entry->time_s) && duration->has_interval
               ? rl_value_div(rl_value_of((duration->high - duration->low) / 2), entry->time_s, "")
               : rl_value_missing(RL_NOT_COLLECTED, "");
}

static struct view_cell figure_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_roofline_entry *entry = ((const struct rl_entry_row *)row)->entry;
    if (!entry)
        return view_cell_absent("");
    struct view_cell cell = view_cell_number(figure_of(entry, (enum figure)field->key));
    if (cell.state != RL_PRESENT && field->key == HALF_WIDTH)
        cell.reason = "";
    cell.sign = field->key == ROOF && !entry->family && entry->kernel && entry->kernel->limits.sampled ? RL_SIGN_ESTIMATE : NULL;
    return cell;
}

VIEW_CELL(count_cell, struct rl_entry_row,
          row->entry &&rl_present(row->entry->time_s) ? view_cell_whole(row->entry->duration->n) : view_cell_absent(""));

static struct view_cell bound_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_roofline_entry *entry = ((const struct rl_entry_row *)row)->entry;
    if (entry && entry->wrong)
        return view_cell_text("WRONG");
    const bool known = entry && rl_present(entry->time_s) && entry->bound != RL_BOUND_UNKNOWN;
    return known ? view_cell_text(rl_entry_limited_by(entry)) : view_cell_absent("");
}

VIEW_CELL_IF(extra_cell, struct rl_entry_row, !row->part, row->extra[field->key]);

static const struct view_field counter_fields[] = {
    {.id = "head", VIEW_AT(struct rl_entry_counter, head)},
    {.id = "value", .head = "", VIEW_AT_UNIT(struct rl_entry_counter, value, unit), .digits = 3},
};
const struct view_record rl_entry_counter_record = {
    .id = "entry_counter", .help = "a counted figure of a variant", VIEW_FIELDS(counter_fields)};

#define FIGURE(which) VIEW_GET(NUMBER, figure_cell), .key = (which)
#define EXTRA(which)  VIEW_GET(NUMBER, extra_cell), .key = RL_EXTRA_##which

/* clang-format off */
static const struct view_field entry_fields[] = {
    {.id = "variant", VIEW_AT(struct rl_entry_row, name), .look = VIEW_LOOK_CODE, .columns = 60, .identifies = true},
    {.id = "time_s", .head = "median time", FIGURE(TIME), .unit = RL_UNIT_SECOND},
    {.id = "half_width", .head = "95\u00a0% CI\u00a0\u00b1", FIGURE(HALF_WIDTH), .unit = RL_UNIT_FRACTION, .digits = 2,
     .shown = VIEW_SHOWN_WHEN_ANY},
    {.id = "n", VIEW_GET(WHOLE, count_cell)},
    {.id = "measure", .head = "timed by", VIEW_AT(struct rl_entry_row, measure)},
    {.id = "time_per_operation", EXTRA(OPERATION), .head = "time per operation", .unit = RL_UNIT_SECOND},
    {.id = "useful", EXTRA(BANDWIDTH), .head = "useful bandwidth", .unit = RL_UNIT_BYTE_PER_SECOND},
    {.id = "overlap", EXTRA(OVERLAP), .head = "overlap of memcpys and kernels", .unit = RL_UNIT_FRACTION, .digits = 3},
    {.id = "gap", EXTRA(GAP), .head = "median gap on the timeline", .unit = RL_UNIT_SECOND, .digits = 3},
    {.id = "error", EXTRA(ERROR), .head = "largest error, millionths", .unit = RL_UNIT_NONE, .digits = 2},
    {.id = "rate", FIGURE(RATE), .unit = RL_UNIT_FLOP_PER_SECOND, .digits = 3},
    {.id = "roof_share", .head = "of roof", FIGURE(ROOF), .unit = RL_UNIT_FRACTION, .digits = 3, .bar = true},
    {.id = "bound", .head = "limited by", VIEW_GET(TEXT, bound_cell)},
    {.id = "counters", VIEW_AT_ROWS(struct rl_entry_row, counters, counter_count, &rl_entry_counter_record)},
};
/* clang-format on */
const struct view_record rl_entry_record = {
    .id = "entry", .help = "what has a place under the roofs of a GPU", VIEW_FIELDS(entry_fields)};

void rl_entry_dress(void *to, const struct view_field *field, const void *row, struct rl_grid_cell *cell)
{
    const struct rl_entry_row *of = row;
    struct rl_report *report = to;
    const bool is_name = field->look == VIEW_LOOK_CODE;
    if (of->part)
        cell->style = is_name ? RL_STYLE_NAME_QUIET : RL_STYLE_CELL_QUIET;
    if (is_name)
        cell->target = of->target;
    if (field->get == bound_cell && of->entry && of->entry->wrong)
        cell->style = RL_STYLE_CELL_STRONG;
    if (!field->bar || !isfinite(cell->share))
        return;
    cell->share_tone = rl_words_tone(rl_entry_limiter(of->entry));
    cell->sign = of->entry->above_roof ? rl_layout_note(report->doc->layout, of->entry->above_roof) : cell->sign;
}

enum rl_ceiling_id rl_entry_arithmetic_roof(const struct rl_roofline_entry *entry)
{
    enum rl_ceiling_id roof = RL_CEILING_fp32;
    double most = 0;
    for (size_t i = 0; i < RL_ARITHMETICS; i++) {
        const struct rl_value flop = rl_arithmetic_work(entry->metric, i);
        const enum rl_ceiling_id its = rl_arithmetics[i].roof;
        if (!rl_present(flop) || flop.v <= most || rl_ceilings[its].unit != RL_UNIT_FLOP_PER_SECOND)
            continue;
        most = flop.v;
        roof = its;
    }
    return roof;
}
