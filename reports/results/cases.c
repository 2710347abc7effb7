/* cases.c - work with parameters, timed several times. */

#include "core/intern.h"
#include "show_parts.h"

enum { CASE_COLUMNS = 44, KERNEL_COLUMNS = 40, MOST_CASES = 40, MOST_KERNELS = 5 };

/* ---- parameters ---- */

/* clang-format off */
static const struct view_field parameter_fields[] = {
    {.id = "key", VIEW_AT(struct rl_case_parameter, key), .help = "what stands before '='"},
    {.id = "value", VIEW_AT(struct rl_case_parameter, value), .help = "what stands behind it, as it was written"},
    {.id = "number", VIEW_AT(struct rl_case_parameter, number), .optional = true,
     .help = "the number that it is, in the base unit: 4194304 for '4 MiB'; absent: it is none"},
};
/* clang-format on */
static const struct view_record parameter_record = {
    .id = "parameter", .help = "a parameter of a case", VIEW_FIELDS(parameter_fields)};

/* ---- kernels ---- */

static const struct rl_analysis *analysis_of(const struct view *view)
{
    return view_subject_of(view)->analysis;
}

enum { ID, LABEL };

VIEW_CELL(kernel_text, struct rl_case_kernel,
          field->key == LABEL ? analysis_of(view)->kernels[row->kernel].label
                              : view_kernel_id(view, &analysis_of(view)->capture->kernels[row->kernel]));

/* clang-format off */
static const struct view_field kernel_fields[] = {
    {.id = "kernel", VIEW_AT(struct rl_case_kernel, kernel), .help = "its place in the list of kernels of 'show', from 0"},
    {.id = "id", VIEW_GET(TEXT, kernel_text), .key = ID, .look = VIEW_LOOK_CODE, .identifies = true,
     .help = "short name of the launch configuration"},
    {.id = "label", .head = "kernel", VIEW_GET(TEXT, kernel_text), .key = LABEL, .columns = KERNEL_COLUMNS,
     .look = VIEW_LOOK_CODE, .help = "shortest name that distinguishes it from others"},
    {.id = "launches", VIEW_AT(struct rl_case_kernel, launches), .help = "timed launches in the case, of all instances"},
    {.id = "gpu_s", .head = "GPU time", VIEW_AT(struct rl_case_kernel, gpu_s), .unit = RL_UNIT_SECOND, .digits = 3,
     .help = "their durations, added up"},
    {.id = "share", VIEW_AT(struct rl_case_kernel, share), .unit = RL_UNIT_FRACTION, .digits = 3,
     .help = "share of the kernels of the case"},
    {.id = "elsewhere", .head = "elsewhere", VIEW_AT(struct rl_case_kernel, others), .unit = RL_UNIT_FRACTION, .digits = 3,
     .help = "share of the kernel's launches outside of the case: its counters are means over all of them"},
};
/* clang-format on */
static const struct view_record kernel_record = {.id = "case_kernel", .help = "a kernel of a case", VIEW_FIELDS(kernel_fields)};

/* ---- a case ---- */

const char *view_case_label(const struct rl_case *of, size_t columns)
{
    return rl_utf8_width(of->label, strlen(of->label)) > columns ? of->short_label : of->label;
}

/* "sgemm_128x64 92 %, reduce 8 %" */
static const char *kernels_text(const struct view *view, const struct rl_case *of)
{
    struct rl_buf text = RL_BUF_IN(view->arena);
    for (size_t i = 0; i < of->kernel_count && i < MOST_KERNELS; i++) {
        rl_buf_addf(&text, "%s%s ", i ? ", " : "", analysis_of(view)->kernels[of->kernels[i].kernel].label);
        rl_unit_format(&text, RL_UNIT_FRACTION, of->kernels[i].share, 3);
    }
    if (of->kernel_count > MOST_KERNELS)
        rl_buf_addf(&text, " and %zu more", of->kernel_count - MOST_KERNELS);
    return rl_arena_strdup(view->arena, text.len ? text.data : "");
}

VIEW_CELL(shown_cell, struct rl_case, view_case_label(row, CASE_COLUMNS));
static struct view_cell parameters_cell(const struct view *view, const struct view_field *field, const void *row)
{
    struct rl_buf text = RL_BUF_IN(view->arena);
    rl_case_others_text(row, NULL, &text);
    return view_cell_text(text.len ? view_keep(view, &text) : "");
}

VIEW_CELL_IF(rate_of_cell, struct rl_case, rl_present(row->rate), row->rate_of);
/* Of others the unit says it. */
VIEW_CELL_IF(rate_words_cell, struct rl_case, rl_present(row->rate) && row->unit == RL_UNIT_NONE && row->rate_of,
             rl_arena_printf(view->arena, "%s/s", row->rate_of));
VIEW_CELL_IF(bound_cell, struct rl_case, row->kernel_count, rl_bound_name(row->bound));
VIEW_CELL_IF(limiter_cell, struct rl_case, row->kernel_count, row->limited_by);
VIEW_CELL(kernels_cell, void, kernels_text(view, row));

VIEW_CELL(median_cell, struct rl_case, row->time.n ? view_cell_double(row->time.median) : view_cell_absent(row->untold));
VIEW_CELL(half_width_cell, struct rl_case,
          row->time.n == 0         ? view_cell_absent(row->untold)
          : row->time.has_interval ? view_cell_double(rl_stats_relative_half_width(&row->time))
                                   : view_cell_absent("fewer than 6 times have no interval"));
VIEW_CELL(gap_share_cell, struct rl_case,
          row->time.n ? view_cell_number(rl_value_div(row->gap_s, rl_value_of(row->time.median), "no time"))
                      : view_cell_absent(row->untold));

/* A benchmark was timed by others: why it has no GPU time needs no note. */
VIEW_WHEN(is_of_others, struct rl_case, row->is_benchmark || row->time.n == 0);

/* Remarks and the number of instances explain it. */
VIEW_WHEN(needs_no_note, void, true);

static struct view_cell metrics_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_case *of = row;
    if (!of->figures)
        return view_cell_absent("");
    struct view_metrics *metrics = rl_arena_alloc(view->arena, sizeof *metrics);
    *metrics = (struct view_metrics){.metric = of->figures->metric};
    return view_cell_record(metrics);
}

VIEW_WHEN(has_remarks, struct rl_case, row->remark_count > 0 || row->untold);

/* "2 instances without a launch; ..." */
static struct view_cell remarks_text(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_case *of = row;
    struct rl_buf text = RL_BUF_IN(view->arena);
    if (of->untold)
        rl_buf_addf(&text, "no time: %s", of->untold);
    for (size_t i = 0; i < of->remark_count; i++)
        rl_buf_addf(&text, "%s%s", text.len ? "; " : "", of->remarks[i]);
    return view_cell_kept(view, &text);
}

/* clang-format off */
#define NUMBER(of, function) VIEW_GET(NUMBER, function), .unit = RL_UNIT_##of
static const struct view_field case_fields[] = {
    {.id = "label", VIEW_AT(struct rl_case, label), .shown = VIEW_ON_REQUEST,
     .help = "its name with parameters, as it was first written"},
    {.id = "shown", .head = "case", VIEW_GET(TEXT, shown_cell), .columns = CASE_COLUMNS, .identifies = true, .for_people = true,
     .look = VIEW_LOOK_CODE, .help = "the same; where it is long, without the parameters that all cases of its name share"},
    {.id = "name", VIEW_AT(struct rl_case, name.name), .shown = VIEW_ON_REQUEST, .help = "its name without parameters"},
    {.id = "parameters_text", VIEW_GET(TEXT, parameters_cell), .shown = VIEW_ON_REQUEST, .help = "its parameters, 'M=512, N=4096'"},
    {.id = "parameters", VIEW_AT_ROWS(struct rl_case, name.parameters, name.count, &parameter_record),
     .help = "its parameters one by one"},
    {.id = "gpu", .head = "GPU", VIEW_GPU(struct rl_case, gpu), .shown = VIEW_SHOWN_WHEN_ANY, .optional = true,
     .help = "index of the GPU; absent: unknown"},
    {.id = "instances", VIEW_AT(struct rl_case, instances), .shown = VIEW_ON_REQUEST,
     .help = "times that a range of it was entered, or samples that were to be taken"},
    {.id = "timed", .head = "times", VIEW_AT(struct rl_case, time.n), .help = "instances with a time"},
    {.id = "untimed", VIEW_AT(struct rl_case, untimed), .shown = VIEW_ON_REQUEST,
     .help = "instances without one, because launches in them were counted or lost"},
    {.id = "empty", VIEW_AT(struct rl_case, empty), .shown = VIEW_ON_REQUEST, .help = "instances without a launch"},
    {.id = "not_kept", VIEW_AT(struct rl_case, beyond), .shown = VIEW_ON_REQUEST,
     .help = "instances that were only counted, because a process keeps no more"},
    {.id = "time_s", .head = "time", VIEW_AT(struct rl_case, time), .record = &view_record_times,
     .help = "time of an instance: from the start of its first kernel to the end of its last one; of a benchmark as it says"},
    {.id = "median_s", .head = "time", NUMBER(SECOND, median_cell), .for_people = true, .excused = has_remarks,
     .look = VIEW_LOOK_STRONG,
     .help = "median time of an instance"},
    {.id = "half_width", .head = "\xC2\xB1", NUMBER(FRACTION, half_width_cell), .digits = 2, .for_people = true, .beside = true,
     .excused = needs_no_note, .help = "half of its 95 % CI, over the median"},
    {.id = "busy_s", .head = "kernels", VIEW_AT(struct rl_case, busy_s), .unit = RL_UNIT_SECOND, .excused = is_of_others,
     .shown = VIEW_ON_REQUEST, .help = "median of the time in which its kernels ran"},
    {.id = "gap_s", VIEW_AT(struct rl_case, gap_s), .unit = RL_UNIT_SECOND, .excused = is_of_others, .shown = VIEW_ON_REQUEST,
     .help = "median of the rest of its time"},
    {.id = "gap_share", .head = "gaps", NUMBER(FRACTION, gap_share_cell), .digits = 3, .shown = VIEW_SHOWN_WHEN_ANY,
     .excused = is_of_others, .help = "that over its time: no kernel of the case was running"},
    {.id = "host_s", VIEW_AT(struct rl_case, host_s), .unit = RL_UNIT_SECOND, .excused = is_of_others, .shown = VIEW_ON_REQUEST,
     .help = "median of the time between entering and leaving, on the host"},
    {.id = "launches", VIEW_AT(struct rl_case, launches), .shown = VIEW_ON_REQUEST, .help = "timed launches of all instances"},
    {.id = "rate", VIEW_AT_UNIT(struct rl_case, rate, unit), .digits = 3,
     .shown = VIEW_SHOWN_WHEN_ANY, .excused = is_of_others,
     .help = "work of an instance (FLOP, DRAM traffic) over its median time"},
    {.id = "rate_of", VIEW_GET(TEXT, rate_of_cell), .shown = VIEW_ON_REQUEST, .excused = needs_no_note, .optional = true,
     .help = "the work that it is a rate of: 'FLOP', 'DRAM traffic', or the benchmark's"},
    {.id = "rate_words", .head = "unit", VIEW_GET(TEXT, rate_words_cell), .shown = VIEW_SHOWN_WHEN_ANY, .for_people = true,
     .excused = needs_no_note, .help = "the same where the unit leaves it open"},
    {.id = "flop", VIEW_AT(struct rl_case, flop), .unit = RL_UNIT_FLOP, .shown = VIEW_ON_REQUEST, .excused = is_of_others,
     .help = "floating-point operations of an instance"},
    {.id = "dram_bytes", VIEW_AT(struct rl_case, bytes), .unit = RL_UNIT_BYTE, .shown = VIEW_ON_REQUEST, .excused = is_of_others,
     .help = "DRAM traffic of an instance"},
    {.id = "roof_share", .head = "of roof", VIEW_AT(struct rl_case, roof_share), .unit = RL_UNIT_FRACTION, .digits = 3,
     .bar = true, .shown = VIEW_SHOWN_WHEN_ANY,
     .excused = is_of_others, .help = "time at the roofs over time of its kernels"},
    {.id = "roof_rate", VIEW_AT_UNIT(struct rl_case, roof_rate, unit), .digits = 3,
     .shown = VIEW_ON_REQUEST, .excused = is_of_others, .help = "the rate at that roof"},
    {.id = "bound", VIEW_GET(TEXT, bound_cell), .shown = VIEW_ON_REQUEST, .optional = true,
     .help = "kind of what limits its kernels"},
    {.id = "limiter", .head = "limiter", VIEW_GET(TEXT, limiter_cell), .shown = VIEW_SHOWN_WHEN_ANY, .excused = needs_no_note,
     .optional = true,
     .help = "resource at which its kernels spend the most time, or why there is none"},
    {.id = "counted", VIEW_AT(struct rl_case, counted), .unit = RL_UNIT_FRACTION, .digits = 3, .shown = VIEW_ON_REQUEST,
     .help = "share of its kernels' time that is of kernels with counters"},
    {.id = "kernels", VIEW_AT_ROWS(struct rl_case, kernels, kernel_count, &kernel_record), .help = "its kernels, by their time"},
    {.id = "kernels_text", VIEW_GET(TEXT, kernels_cell), .for_people = true, .shown = VIEW_ON_REQUEST, .help = "the same in words"},
    {.id = "metrics", VIEW_GET_RECORD(&view_record_metrics, metrics_cell), .optional = true,
     .help = "metrics of a mean launch of its counted kernels: ratios of sums"},
    {.id = "remarks", VIEW_AT_ROWS(struct rl_case, remarks, remark_count, &view_record_note),
     .help = "limits of the figures"},
    {.id = "remarks_text", VIEW_GET(TEXT, remarks_text), .for_people = true, .shown = VIEW_ON_REQUEST, .help = "the same in words"},
};
const struct view_record view_record_case = {
    .id = "case", .help = "work with parameters, timed several times", VIEW_FIELDS(case_fields),
    .columns = "shown,gpu,timed,median_s,half_width,gap_share,rate,rate_words,roof_share,limiter"};
/* clang-format on */

/* clang-format off */
static const struct view_field brief_fields[] = {
    {.id = "label", VIEW_AT(struct rl_case, label), .shown = VIEW_ON_REQUEST, .help = "its name with parameters"},
    {.id = "shown", .head = "case", VIEW_GET(TEXT, shown_cell), .columns = CASE_COLUMNS, .identifies = true, .for_people = true,
     .look = VIEW_LOOK_CODE, .help = "the same; where it is long, without the parameters that all cases of its name share"},
    {.id = "timed", .head = "times", VIEW_AT(struct rl_case, time.n), .help = "instances with a time"},
    {.id = "median_s", .head = "time", NUMBER(SECOND, median_cell), .excused = needs_no_note, .help = "median time of an instance"},
    {.id = "half_width", .head = "\xC2\xB1", NUMBER(FRACTION, half_width_cell), .digits = 2, .beside = true,
     .excused = needs_no_note,
     .help = "half of its 95 % CI, over the median"},
    {.id = "rate", VIEW_AT_UNIT(struct rl_case, rate, unit), .digits = 3,
     .shown = VIEW_SHOWN_WHEN_ANY, .excused = needs_no_note,
     .help = "work of an instance (FLOP, DRAM traffic) over its median time"},
    {.id = "rate_of", VIEW_GET(TEXT, rate_of_cell), .shown = VIEW_ON_REQUEST, .excused = needs_no_note, .optional = true,
     .help = "the work that it is a rate of: 'FLOP', 'DRAM traffic', or the benchmark's"},
    {.id = "rate_words", .head = "unit", VIEW_GET(TEXT, rate_words_cell), .shown = VIEW_SHOWN_WHEN_ANY, .for_people = true,
     .excused = needs_no_note, .help = "the same where the unit leaves it open"},
    {.id = "roof_share", .head = "of roof", VIEW_AT(struct rl_case, roof_share), .unit = RL_UNIT_FRACTION, .digits = 3,
     .shown = VIEW_SHOWN_WHEN_ANY,
     .excused = needs_no_note, .help = "time at the roofs over time of its kernels"},
    {.id = "limiter", .head = "limiter", VIEW_GET(TEXT, limiter_cell), .shown = VIEW_SHOWN_WHEN_ANY, .excused = needs_no_note,
     .optional = true,
     .help = "resource at which its kernels spend the most time, or why there is none"},
};
/* clang-format on */
const struct view_record view_record_brief_case = {.id = "brief_case", .help = "a case in one line", VIEW_FIELDS(brief_fields)};

/* ---- all ---- */

struct view_rows view_cases(const struct view *view)
{
    const struct rl_cases *cases = view_subject_of(view)->cases;
    return VIEW_ROWS(cases->at, cases->count);
}

static struct view_cell unknown_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_cases *cases = row;
    const struct rl_capture *capture = view_subject_of(view)->capture;
    return view_cell_text(cases->count           ? NULL
                          : capture->range_count ? "no NVTX range has a name with parameters, such as 'gemm M=512,N=4096'"
                                                 : "the capture has no NVTX ranges and no benchmark");
}

/* A remark, and the cases that it is about. */
struct remarked {
    const struct rl_case *first;
    size_t others;
};

VIEW_CELL(remarked_label, struct remarked, view_case_label(row->first, CASE_COLUMNS));

static struct view_cell remarked_text(const struct view *view, const struct view_field *field, const void *row)
{
    const struct remarked *remarked = row;
    const char *text = remarks_text(view, field, remarked->first).text;
    return view_cell_text(remarked->others ? rl_arena_printf(view->arena, "%s (and %zu more case%s)", text, remarked->others,
                                                             remarked->others == 1 ? "" : "s")
                                           : text);
}

static const struct view_field remarked_fields[] = {
    {.id = "label", VIEW_GET(TEXT, remarked_label), .help = "the first case that it is about"},
    {.id = "text", VIEW_GET(TEXT, remarked_text), .help = "the remark, and how many cases it is about"}};
static const struct view_record remarked_record = {
    .id = "remarked_case", .help = "a remark about cases", VIEW_FIELDS(remarked_fields)};

/* Each remark once. */
static struct view_cell remarked_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_cases *cases = row;
    struct remarked *found = rl_arena_alloc(view->arena, (cases->count + 1) * sizeof *found);
    struct rl_intern texts = {0};
    bool is_new;
    for (size_t i = 0; i < cases->count; i++) {
        if (!has_remarks(view, &cases->at[i]))
            continue;
        struct remarked *remarked = &found[rl_intern(&texts, 0, remarks_text(view, field, &cases->at[i]).text, &is_new)];
        remarked->first = is_new ? &cases->at[i] : remarked->first;
        remarked->others += !is_new;
    }
    const struct view_rows rows = {found, sizeof *found, texts.count, NULL};
    rl_intern_release(&texts);
    return view_cell_rows(rows);
}

VIEW_WHEN(has_kernels, struct rl_case, row->kernel_count > 0);

static struct view_cell with_kernels(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_cases *cases = row;
    return view_cell_rows(view_rows_where(view, VIEW_ROWS(cases->at, cases->count), has_kernels));
}

VIEW_GROUP(group_of, struct rl_case, (int)row->group);

/* clang-format off */
static const struct view_field cases_fields[] = {
    {.id = "unknown", VIEW_GET(TEXT, unknown_cell), .optional = true, .help = "why there is none; absent: there is one"},
    {.id = "count", VIEW_AT(struct rl_cases, count), .help = "number of cases"},
    {.id = "names", VIEW_AT(struct rl_cases, group_count), .help = "number of names, with their keys and GPUs"},
    {.id = "cases", VIEW_AT_ROWS(struct rl_cases, at, count, &view_record_case), .help = "every case, those of one name together"},
    {.id = "remarked", VIEW_GET_LIST(&remarked_record, remarked_cell), .for_people = true,
     .help = "remarks, each with the first case that it is about"},
    {.id = "with_kernels", VIEW_GET_LIST(&view_record_case, with_kernels), .for_people = true, .help = "cases that have kernels"},
};
static const struct view_block cases_blocks[] = {
    {VIEW_BLOCK_SENTENCE, .text = "no cases: {unknown}", .with = "unknown"},
    {VIEW_BLOCK_TABLE, .field = "cases", .with = "!unknown", .most = MOST_CASES, .more = true, .group = group_of,
     .rest = "{left} of {all} are not shown"},
    {VIEW_BLOCK_ITEMS, .field = "remarked", .label_field = "label", .text = "{text}", .most = MOST_CASES, .title = "Notes",
     .rest = "and {left} more"},
    {VIEW_BLOCK_ITEMS, .field = "with_kernels", .label_field = "shown", .text = "{kernels_text}", .most = MOST_CASES,
     .title = "Kernels", .rest = "and {left} more"},
};
const struct view_record view_record_cases = {
    .id = "cases", .format = "rooflight-cases", .title = "Cases", .help = "work with parameters, timed several times",
    VIEW_FIELDS(cases_fields), VIEW_BLOCKS(cases_blocks)};
/* clang-format on */
const struct view_record view_record_told_cases = {.id = "told_cases",
                                                   .title = "Cases",
                                                   .help = "the same without their kernels",
                                                   VIEW_FIELDS(cases_fields),
                                                   .blocks = cases_blocks,
                                                   .block_count = RL_COUNT(cases_blocks) - 1};
