/* kernels.c - kernels as a result: classes of launches, families of classes, runs of variants as wholes. */
#include "analysis/sampled.h"
#include "show_parts.h"

/* ---- rows ---- */

/* Present when the row may show performance, otherwise missing with the reason why not. */
static struct rl_value performance_of(const struct view_kernel *row)
{
    if (row->result ? row->result->wrong : row->variant->result == RL_RESULT_WRONG)
        return rl_value_missing(RL_UNDEFINED, "wrong result");
    return row->whole && row->whole->why_not ? rl_value_missing(RL_NOT_COLLECTED, "not run") : rl_value_of(1);
}

/* Where all metrics are missing for one reason. */
static const struct rl_value *all_missing(struct rl_value why)
{
    static struct rl_value wrong[RL_METRIC_COUNT], not_run[RL_METRIC_COUNT];
    struct rl_value *metric = why.state == RL_UNDEFINED ? wrong : not_run;
    for (int i = 0; i < RL_METRIC_COUNT; i++)
        metric[i] = why;
    return metric;
}

/* Sets the members that depend on whether the row may show performance, and on its times. */
static void fill(struct view_kernel *row, const struct rl_stats *duration, const struct rl_value *metric)
{
    row->allowed = performance_of(row);
    row->duration = rl_present(row->allowed) && duration->n ? duration : NULL;
    row->median_s = !rl_present(row->allowed) ? row->allowed
                    : row->duration           ? rl_value_of(duration->median)
                                              : rl_value_missing(RL_NOT_COLLECTED, "no launch was timed");
    row->metrics.metric = rl_present(row->allowed) ? metric : all_missing(row->allowed);
    row->metrics.estimate = rl_present(row->allowed) && row->result && !row->family ? row->result->estimate : NULL;
}

struct view_kernel view_kernel_of_class(const struct view_subject *subject, size_t kernel)
{
    const struct rl_kernel *of = &subject->capture->kernels[kernel];
    struct view_kernel row = {.kernel = of, .result = &subject->analysis->kernels[kernel]};
    assert(kernel < subject->capture->kernel_count);
    if (of->variant != RL_NONE) {
        row.variant = &subject->capture->variants[of->variant];
        row.whole = &subject->analysis->variants[of->variant];
    }
    fill(&row, &row.result->duration, row.result->metric);
    return row;
}

struct view_kernel view_kernel_of_run(const struct view_subject *subject, size_t variant)
{
    struct view_kernel row = {.variant = &subject->capture->variants[variant], .whole = &subject->analysis->variants[variant]};
    fill(&row, &row.whole->duration, row.whole->metric);
    return row;
}

/* Statistics of all launches, without an interval, because classes have samples of different launches. */
static struct rl_stats family_duration(const struct rl_family *family)
{
    const struct rl_family_figures *figures = family->figures;
    const struct rl_value median = figures->median_s, min = figures->min_s, max = figures->max_s;
    if (!rl_present(median))
        return (struct rl_stats){0};
    return (struct rl_stats){.n = (size_t)family->time.timed,
                             .median = median.v,
                             .min = rl_present(min) ? min.v : median.v,
                             .max = rl_present(max) ? max.v : median.v};
}

struct view_kernel view_kernel_of_family(struct view_subject *subject, const struct rl_family *family)
{
    struct view_kernel row = view_kernel_of_class(subject, family->kernel);
    struct rl_stats *duration = rl_arena_alloc(&subject->arena, sizeof *duration);
    assert(family->figures);
    *duration = family_duration(family);
    row.family = family;
    row.class = family->classes;
    fill(&row, duration, family->figures->metric);
    row.median_s = family->figures->median_s;
    return row;
}

/* Whether the row has figures to show at all. */
static bool is_measured(const struct view_kernel *row)
{
    return row->result ? !row->result->wrong : row->variant->result != RL_RESULT_WRONG && row->variant->status == RL_VARIANT_DONE;
}

/* ---- what it is ---- */

static struct view_cell gpu_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_kernel *of = row;
    const struct rl_gpu *gpu = &view_subject_of(view)->capture->gpus[of->kernel ? of->kernel->gpu : of->variant->gpu];
    return field->type == VIEW_TYPE_TEXT ? view_cell_text(gpu->name) : view_cell_integer(gpu->index);
}

VIEW_CELL(id_cell, struct view_kernel, row->family ? row->family->id : row->class ? row->class->id : NULL);
VIEW_CELL_IF(experiment_cell, struct view_kernel, row->variant,
             view_subject_of(view)->capture->experiments[row->variant->experiment].name);

/* "gemm, 511 shapes", "coalescing / stride_1". */
static struct view_cell label_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_kernel *of = row;
    if (!of->kernel)
        return view_cell_text(of->whole->label);
    if (!of->family)
        return view_cell_text(of->result->label);
    struct rl_buf text = RL_BUF_IN(view->arena);
    rl_buf_addf(&text, ", %zu configs", of->family->shapes);
    struct rl_buf name = RL_BUF_IN(view->arena);
    rl_utf8_abbreviate(&name, of->family->label, VIEW_NAME_COLUMNS - text.len);
    rl_buf_adds(&name, text.data);
    const struct view_cell cell = view_cell_text(name.data);
    return cell;
}

#define PART "\xE2\x94\x94 " /* U+2514, before the kernels of a run */

/* In the table of an experiment: the variant, and below a run of several kernels what these are. */
static struct view_cell line_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_kernel *of = row;
    struct view_cell cell = view_cell_text(of->part || !of->variant ? of->result->short_name : of->variant->name);
    cell.sign = of->part ? PART : NULL;
    return cell;
}

/* ---- how it was launched ---- */

static struct view_cell of_family(void)
{
    return view_cell_absent("several configurations");
}

static const struct view_field extent_fields[] = {
    {.id = "extent", .type = VIEW_TYPE_WHOLE, .access = VIEW_AT_U32, .at = 0, .help = "in one direction"}};
static const struct view_record extent_record = {
    .id = "extent", .help = "an extent in x, y or z", VIEW_FIELDS(extent_fields), .plain = true};

static struct view_cell shape_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_kernel *of = row;
    if (of->family)
        return of_family();
    const uint32_t *shape = !of->kernel ? NULL : field->key ? of->kernel->block : of->kernel->grid;
    if (!shape || shape[0] == 0) /* no threads: unknown */
        return view_cell_absent("");
    return view_cell_rows(VIEW_ROWS(shape, 3));
}

VIEW_CELL(dynamic_cell, struct view_kernel,
          row->family   ? of_family()
          : row->kernel ? view_cell_whole(row->kernel->dynamic_shared_bytes)
                        : view_cell_absent(""));

static struct view_cell population_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_kernel *of = row;
    if (of->family)
        return of_family();
    const struct rl_population none = {0}, *population = of->kernel ? &of->kernel->population : &none;
    return population->total ? view_cell_whole(field->key ? population->total : population->number) : view_cell_absent("");
}

enum whole_key { WHOLE_LAUNCHES, WHOLE_SHAPES };

static struct view_cell whole_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_kernel *of = row;
    if (!of->kernel)
        return view_cell_absent("");
    return view_cell_whole(field->key == WHOLE_SHAPES          ? (of->family ? of->family->shapes : 1)
                           : of->family                        ? of->family->time.launches
                           : of->class && of->class->count > 1 ? of->class->launches
                                                               : of->kernel->launches);
}

/* ---- times ---- */

/* The times of timed launches; of a family that of all, with what is taken of others. */
static struct view_cell total_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_kernel *of = row;
    const double ns = !of->kernel ? 0 : of->family && of->family->time.ns > 0 ? of->family->time.ns : (double)of->kernel->total_ns;
    return ns > 0 ? view_cell_number(rl_value_of(ns / 1e9)) : view_cell_absent(of->kernel ? "no launch was timed" : "");
}

static struct view_cell gpu_s_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_kernel *of = row;
    if (!of->kernel)
        return view_cell_absent("");
    struct view_cell cell = view_cell_number(of->family ? rl_family_gpu_s(of->family) : rl_class_gpu_s(of->class));
    cell.sign = rl_time_state_sign(of->family ? of->family->time.state : of->class->time.state);
    return cell;
}

VIEW_CELL(share_cell, struct view_kernel,
          !row->kernel  ? view_cell_absent("")
          : row->family ? view_cell_number(rl_family_share(row->family))
                        : view_cell_number(rl_class_share(row->class)));
VIEW_CELL(state_cell, struct view_kernel,
          row->kernel ? rl_time_state_name(row->family ? row->family->time.state : row->class->time.state) : NULL);
VIEW_CELL(duration_cell, struct view_kernel,
          row->duration ? view_cell_record(row->duration) : view_cell_absent(rl_value_reason(row->median_s)));

static struct rl_value half_width(const struct view_kernel *row)
{
    if (!row->duration)
        return row->median_s;
    if (row->family)
        return rl_value_missing(RL_UNDEFINED, "several configurations");
    if (!row->duration->has_interval)
        return rl_value_missing(RL_UNDEFINED, "too few samples for an interval");
    return rl_value_div(rl_value_of((row->duration->high - row->duration->low) / 2), row->median_s, "the duration is zero");
}

bool view_kernel_roof_is_estimate(const struct view_kernel *row)
{
    return !row->family && row->result && row->result->limits.sampled;
}

enum figure_key { FIGURE_HALF_WIDTH, FIGURE_USEFUL, FIGURE_ROOF };

static struct view_cell figure_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_kernel *of = row;
    struct rl_value value = of->allowed;
    if (rl_present(of->allowed))
        value = field->key == FIGURE_HALF_WIDTH ? half_width(of)
                : field->key == FIGURE_USEFUL
                    ? (of->result ? of->result->useful_bytes_per_second : of->whole->useful_bytes_per_second)
                : of->family ? of->family->figures->roof_share
                : of->result ? of->result->roof_share
                             : rl_value_missing(RL_UNDEFINED, "a run is several launches");
    struct view_cell cell = view_cell_number(value);
    cell.sign = field->key == FIGURE_ROOF && view_kernel_roof_is_estimate(of) ? RL_SIGN_ESTIMATE : NULL;
    return cell;
}

/* ---- limiter, roof, evidence ---- */

static enum rl_bound bound_of(const struct view_kernel *row)
{
    if (!row->kernel && row->whole->place.limiter == RL_RESOURCE_COUNT) /* no roof is shown of a run, and it takes none */
        return row->whole->place.bound;
    if (!rl_present(row->allowed) || !row->result)
        return RL_BOUND_UNKNOWN;
    return row->family ? row->family->figures->bound : row->result->bound;
}

static enum rl_resource resource_of(const struct view_kernel *row)
{
    if (!rl_present(row->allowed))
        return RL_RESOURCE_COUNT;
    return row->family ? row->family->figures->limiter : row->result ? row->result->limits.limiter : row->whole->place.limiter;
}

/* Of one kernel class; NULL: of several, or nothing may be shown. */
static const struct rl_limiting *limits_of(const struct view_kernel *row)
{
    return rl_present(row->allowed) && row->result && !row->family ? &row->result->limits : NULL;
}

/* NULL: of no family, or nothing may be shown. */
static const struct rl_family_figures *figures_of(const struct view_kernel *row)
{
    return rl_present(row->allowed) && row->family ? row->family->figures : NULL;
}

/* "dram", "latency"; for people "DRAM bandwidth". */
static struct view_cell limiter_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const size_t limiter = rl_limiter_of(resource_of(row), bound_of(row));
    const struct rl_limiting *limits = limits_of(row);
    const struct rl_family_figures *figures = figures_of(row);
    return view_cell_text(!field->for_people ? rl_limiter_id(limiter)
                          : limits           ? limits->limited_by
                          : figures          ? figures->mostly
                                             : rl_limiter_label(limiter));
}

VIEW_CELL(tied_cell, struct view_kernel, view_tied(view, limits_of(row) ? limits_of(row)->tied : 0));
VIEW_CELL_IF(limiters_cell, struct view_kernel, figures_of(row),
             view_cell_rows(VIEW_ROWS(figures_of(row)->limiters, figures_of(row)->limiter_count)));

enum limiter_key { LIMITER_SHARE, LIMITER_LOW, LIMITER_HIGH };

static struct view_cell limiter_share_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_kernel *of = row;
    const enum rl_resource limiter = resource_of(of);
    if (limiter == RL_RESOURCE_COUNT || !of->result) {
        const struct rl_limiting *limits = limits_of(of);
        struct rl_buf why = RL_BUF_INIT;
        if (limits && limits->bound == RL_BOUND_UNKNOWN && limits->why && field->key == LIMITER_SHARE)
            view_why_format(&why, limits);
        return view_cell_absent(why.len ? view_keep(view, &why) : "");
    }
    const struct rl_limit *limit = &of->result->limits.of[limiter];
    if (field->key != LIMITER_SHARE && (of->family || !rl_present(limit->share)))
        return view_cell_absent("");
    struct view_cell cell = view_cell_number(field->key == LIMITER_LOW    ? rl_value_of(limit->low)
                                             : field->key == LIMITER_HIGH ? rl_value_of(limit->high)
                                             : of->family                 ? of->family->figures->limiter_share
                                                                          : limit->share);
    cell.sign = view_kernel_roof_is_estimate(of) ? RL_SIGN_ESTIMATE : NULL;
    return cell;
}

/* A family has those of its counted shape with the most time. */
static struct view_cell resources_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_kernel *of = row;
    const size_t foremost = of->family ? of->family->figures->foremost : RL_NONE;
    if (!of->result || !rl_present(of->allowed) || (of->family && foremost == RL_NONE))
        return view_cell_absent("");
    return view_cell_rows(
        view_resources_of(view->arena, of->family ? &view_subject_of(view)->analysis->kernels[foremost] : of->result));
}

VIEW_CELL(result_cell, struct view_kernel,
          field->for_people && !row->kernel && row->variant->status != RL_VARIANT_DONE
              ? view_cell_text(rl_variant_status_name(row->variant->status))
              : view_cell_text(rl_result_name(row->variant ? row->variant->result : RL_RESULT_NOT_CHECKED)));
VIEW_CELL(above_cell, struct view_kernel,
          row->family   ? row->family->figures->above_roof
          : row->result ? row->result->above_roof
                        : NULL);
VIEW_CELL(occupancy_cell, struct view_kernel,
          row->family ? of_family() : view_cell_record(row->result ? &row->result->occupancy : NULL));
VIEW_CELL_IF(clock_cell, struct view_kernel, row->kernel && !row->family && row->kernel->clock.clock != RL_CLOCK_UNKNOWN,
             view_cell_record(&row->kernel->clock));

/* Its place in the capture. */
static size_t place_of(const struct view *view, const struct view_kernel *row)
{
    return (size_t)(row->kernel - view_subject_of(view)->capture->kernels);
}

VIEW_CELL_IF(evidence_cell, struct view_kernel, !row->family && row->kernel,
             rl_evidence_name(rl_evidence_of(view_subject_of(view)->capture, place_of(view, row))));

/* Where none of its metrics is an estimate there is nothing to say. */
VIEW_CELL_IF(half_widths_cell, struct view_kernel, row->metrics.estimate, view_cell_record(&row->metrics));

/* Silently absent where nothing was sampled. */
VIEW_CELL_IF(sampled_cell, struct view_kernel, !row->family && row->kernel && view_subject_of(view)->capture->sampling_count,
             view_sampled_of(view_subject_of(view)->capture, place_of(view, row)));

/* ---- what needs no note ---- */

/* A row without any figures has a separate note. */
VIEW_WHEN(has_no_figures, void, !is_measured(row));

/* A run of several launches has none. */
VIEW_WHEN(is_run, struct view_kernel, !row->kernel || !is_measured(row));

#define LIMITER(which) .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .get = limiter_share_cell, .key = (which)
#define FIGURE(which)  VIEW_GET(NUMBER, figure_cell), .key = (which)

/* clang-format off */
static const struct view_field kernel_fields[] = {
    {.id = "id", .head = "id", VIEW_GET(TEXT, id_cell),
     .help = "short name of the kernel, the same in every capture"},
    {.id = "gpu", .head = "GPU", VIEW_GET(INTEGER, gpu_cell), .help = "index of the GPU"},
    {.id = "gpu_name", VIEW_GET(TEXT, gpu_cell), .help = "name of the GPU"},
    {.id = "name", VIEW_IN(struct view_kernel, kernel, name), .help = "name of the kernel in full"},
    {.id = "short_name", VIEW_IN(struct view_kernel, result, short_name), .help = "its name without types and arguments"},
    {.id = "label", .head = "kernel", VIEW_GET(TEXT, label_cell), .columns = VIEW_NAME_COLUMNS,
     .identifies = true, .help = "experiment and variant, or the shortest name that distinguishes it"},
    {.id = "line", .head = "variant", VIEW_GET(TEXT, line_cell), .columns = VIEW_NAME_COLUMNS, .for_people = true,
     .identifies = true, .help = "the variant, or a kernel of it"},
    {.id = "experiment", .head = "experiment", VIEW_GET(TEXT, experiment_cell), .columns = VIEW_NAME_COLUMNS,
     .help = "experiment of the suite; absent: not of the suite"},
    {.id = "variant", .head = "variant", VIEW_IN(struct view_kernel, variant, name), .columns = VIEW_NAME_COLUMNS,
     .help = "variant of the experiment; absent: not of the suite"},
    {.id = "grid", VIEW_GET_LIST(&extent_record, shape_cell), .key = 0, .help = "blocks of the grid in x, y and z"},
    {.id = "block", VIEW_GET_LIST(&extent_record, shape_cell), .key = 1, .help = "threads of a block in x, y and z"},
    {.id = "shapes", .head = "shapes", VIEW_GET(WHOLE, whole_cell), .key = WHOLE_SHAPES,
     .help = "number of launch configurations"},
    {.id = "population", VIEW_GET(WHOLE, population_cell), .key = 0,
     .help = "number of the population, by time from 1, where launches of one configuration do different work; else absent"},
    {.id = "populations", VIEW_GET(WHOLE, population_cell), .key = 1, .help = "how many kinds there are"},
    {.id = "dynamic_shared_bytes", .type = VIEW_TYPE_WHOLE, .unit = RL_UNIT_SIZE, .get = dynamic_cell,
     .help = "dynamic shared memory of a block"},
    {.id = "static_shared_bytes", VIEW_IN(struct view_kernel, kernel, static_shared_bytes), .unit = RL_UNIT_SIZE,
     .help = "static shared memory of a block"},
    {.id = "registers_per_thread", VIEW_IN(struct view_kernel, kernel, registers_per_thread), .unit = RL_UNIT_COUNT,
     .help = "32-bit registers of a thread"},
    {.id = "local_bytes_per_thread", VIEW_IN(struct view_kernel, kernel, local_bytes_per_thread), .unit = RL_UNIT_SIZE,
     .help = "local memory of a thread"},
    {.id = "launches", .head = "launches", VIEW_GET(WHOLE, whole_cell), .key = WHOLE_LAUNCHES,
     .help = "number of launches in the session"},
    {.id = "total_s", .head = "timed", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_SECOND, .get = total_cell,
     .help = "durations of the timed launches, added up"},
    {.id = "gpu_s", .head = "total", .label = "GPU time", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_SECOND, .digits = 3,
     .get = gpu_s_cell,
     .help = "GPU time of all launches; those without a time count as the mean of the timed ones where there are enough"},
    {.id = "gpu_s_is", VIEW_GET(TEXT, state_cell), .help = "how that is known: 'whole', 'estimated', 'at least' or 'none'"},
    {.id = "share", .head = "share", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .digits = 3, .get = share_cell,
     .help = "its share of the GPU time of all kernels"},
    {.id = "timing", VIEW_IN(struct view_kernel, kernel, timing), .help = "how times were taken; absent: there are none"},
    {.id = "clock", VIEW_GET_RECORD(&view_record_clock, clock_cell), .optional = true,
     .help = "what recording added to these times, which was subtracted; absent: several configurations, or unknown"},
    {.id = "nvtx", VIEW_IN(struct view_kernel, kernel, nvtx),
     .help = "path of NVTX ranges around it; imported of several runs: which run"},
    {.id = "result", VIEW_GET(TEXT, result_cell), .help = "whether the result was right: 'ok', 'WRONG' or 'not checked'"},
    {.id = "duration_s", .head = "time", .label = "median time", .type = VIEW_TYPE_RECORD, .digits = 4,
     .record = &view_record_times, .get = duration_cell, .excused = has_no_figures,
     .help = "durations of launches; of several configurations together without an interval"},
    {.id = "half_width", .head = "\xC2\xB1", FIGURE(FIGURE_HALF_WIDTH), .unit = RL_UNIT_FRACTION, .digits = 2,
     .excused = has_no_figures, .help = "half of the 95 % CI of the median duration, over the median"},
    {.id = "useful_bytes_per_second", .head = "useful", FIGURE(FIGURE_USEFUL), .unit = RL_UNIT_BYTE_PER_SECOND,
     .shown = VIEW_SHOWN_WHEN_ANY, .excused = has_no_figures, .help = "bytes that the program asked for, over the median duration"},
    {.id = "roof_share", .head = "roof", .label = "share of its roof", FIGURE(FIGURE_ROOF), .unit = RL_UNIT_FRACTION, .digits = 3,
     .excused = is_run, .help = "time at its roof over the median duration"},
    {.id = "limiter", .head = "limiter", VIEW_GET(TEXT, limiter_cell),
     .help = "its limiter: the id of a resource, 'latency', 'parallelism', 'start_and_drain', 'launch_overhead' or 'unknown'; of a "
             "family the limiter of most of its time"},
    {.id = "limiters", VIEW_GET_LIST(&view_record_family_limiter, limiters_cell), .optional = true, .help = VIEW_LIMITERS_HELP},
    {.id = "tied", VIEW_GET(TEXT, tied_cell), .optional = true, .help = VIEW_TIED_HELP},
    {.id = "limiter_share", .head = "at", LIMITER(LIMITER_SHARE), .digits = 3,
     .help = "time at the roof of that resource over the time; absent: no resource limits it"},
    {.id = "limiter_low", LIMITER(LIMITER_LOW), .help = "lower end of its 95 % CI"},
    {.id = "limiter_high", LIMITER(LIMITER_HIGH), .help = "upper end of its 95 % CI"},
    {.id = "limiter_label", .head = "limited by", VIEW_GET(TEXT, limiter_cell), .for_people = true, .help = "its limiter"},
    {.id = "resources", VIEW_GET_LIST(&view_record_resource, resources_cell), .optional = true,
     .help = "share of each resource's roof, the largest first; of several configurations, that with counters and the most time"},
    {.id = "state", .head = "result", VIEW_GET(TEXT, result_cell), .for_people = true,
     .help = "whether the result was right, or why there is none"},
    {.id = "above_roof", VIEW_GET(TEXT, above_cell), .help = "explanation of a point more than 1 % above a roof"},
    {.id = "occupancy", .head = "", VIEW_GET_RECORD(&view_record_occupancy, occupancy_cell),
     .help = "how many blocks and warps an SM can hold"},
    {.id = "metrics", .head = "", VIEW_AT_MEMBER(struct view_kernel, metrics, &view_record_metrics),
     .excused = has_no_figures, .help = "what counters say about a launch, or samples where 'evidence' is 'sampled'"},
    {.id = "evidence", VIEW_GET(TEXT, evidence_cell),
     .help = "what its metrics and limits rest on: 'counted', 'sampled' or 'none'; absent: several launches or configurations"},
    {.id = "half_widths", VIEW_GET_RECORD(&view_record_half_widths, half_widths_cell),
     .optional = true, .help = "half of the 95 % CIs of metrics that are estimates from samples; absent: none is"},
    {.id = "findings", VIEW_IN_ROWS(struct view_kernel, result, findings, finding_count, &view_record_finding),
     .help = "what stands out, with advice"},
    {.id = "sampled", VIEW_GET_LIST(&view_record_sampled, sampled_cell), .optional = true,
     .help = "estimates from samples of the whole GPU, with intervals; absent: nothing was sampled"},
    {.id = "sampled_stall", VIEW_GET_RECORD(&view_record_sampled_stall, view_sampled_stall_cell),
     .optional = true, .help = "why its warps were stalled, by samples of instructions; absent: there are none"},
    {.id = "counters", VIEW_GET_LIST(&view_record_counter, view_counters_cell),
     .optional = true, .help = "counters that were asked for by name; absent: none was"},
};
const char view_kernel_csv_columns[] =
    "id,gpu,label,name,launches,gpu_s,share,duration_s.median,duration_s.low,duration_s.high,evidence,limiter,limiter_share,"
    "roof_share,metrics.dram_bytes_per_second,metrics.flop_per_second,metrics.achieved_occupancy,metrics.theoretical_occupancy,"
    "metrics.branch_efficiency";
const struct view_record view_record_kernel = {
    .id = "kernel", .help = "a kernel: one launch configuration, or several together",
    .columns = "id,label,launches,gpu_s,duration_s.median,half_width,useful_bytes_per_second,metrics.dram_bytes_per_second,"
               "metrics.flop_per_second,roof_share,metrics.achieved_occupancy,metrics.theoretical_occupancy,limiter_label",
    VIEW_FIELDS(kernel_fields)};
/* clang-format on */
