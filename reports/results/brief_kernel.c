/* brief_kernel.c - a kernel of a brief. */
#include <assert.h>
#include <string.h>

#include "analysis/sampled.h"
#include "brief_parts.h"
#include "core/sort.h"
#include "core/utf8.h"

static const struct view_brief_kernel *brief_of(const void *row)
{
    return row;
}

/* What limits it; NULL where nothing was counted, or nothing may be shown. */
static const struct rl_limiting *limits_of(const struct view_brief_kernel *kernel)
{
    return kernel->told && rl_present(kernel->kernel.allowed) ? &kernel->told->limits : NULL;
}

/* The resource that limits it; RL_RESOURCE_COUNT: none does, or it is not known. */
static enum rl_resource limiter_of(const struct view_brief_kernel *kernel)
{
    const struct rl_family_figures *figures = kernel->family->figures;
    const struct rl_limiting *limits = limits_of(kernel);
    return figures ? figures->limiter : limits ? limits->limiter : RL_RESOURCE_COUNT;
}

static enum rl_bound bound_of(const struct view_brief_kernel *kernel)
{
    const struct rl_family_figures *figures = kernel->family->figures;
    const struct rl_limiting *limits = limits_of(kernel);
    return figures ? figures->bound : limits ? limits->bound : RL_BOUND_UNKNOWN;
}

/* What its shares are preceded by. */
static const char *sign_of(const struct view_brief_kernel *kernel)
{
    const struct rl_family_figures *figures = kernel->family->figures;
    const struct rl_limiting *limits = limits_of(kernel);
    return !figures && limits && limits->sampled ? VIEW_ESTIMATE : NULL;
}

/* ---- names ---- */

enum name_key { NAME_ID, NAME_LABEL, NAME_BOUND, NAME_WHY };

static struct view_cell name_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_brief_kernel *kernel = row;
    const struct rl_family *family = kernel->family;
    assert(family && family->classes);
    const struct rl_limiting *limits = limits_of(kernel);
    struct rl_buf text = RL_BUF_INIT;
    switch ((enum name_key)field->key) {
    case NAME_ID:
        rl_buf_adds(&text, family->figures ? family->id : family->classes->id);
        break;
    case NAME_LABEL:
        rl_utf8_abbreviate(&text, family->label, VIEW_NAME_COLUMNS);
        break;
    case NAME_BOUND:
        rl_buf_adds(&text, rl_bound_name(bound_of(kernel)));
        break;
    case NAME_WHY:
        rl_buf_adds(&text, limits                               ? limits->why
                           : rl_present(kernel->kernel.allowed) ? "none of its launches was counted"
                                                                : rl_value_reason(kernel->kernel.allowed));
        break;
    }
    const struct view_cell cell = view_cell_text(view_brief_text(view, text.data));
    rl_buf_release(&text);
    return cell;
}

/* "DRAM", "parallelism", "unknown": the resource that limits, or the class of bound. */
static struct view_cell limiter_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const enum rl_resource limiter = limiter_of(row);
    if (limiter < RL_RESOURCE_COUNT)
        return view_cell_text(rl_resources[limiter].label);
    if (!field->for_people)
        return view_cell_absent("no resource is known to limit it");
    return view_cell_text(rl_bound_word(bound_of(row)));
}

static struct view_cell limiter_share_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_brief_kernel *kernel = row;
    const struct rl_family_figures *figures = kernel->family->figures;
    const enum rl_resource limiter = limiter_of(kernel);
    if (limiter == RL_RESOURCE_COUNT)
        return view_cell_absent("");
    struct view_cell cell = view_cell_number(figures ? figures->roof_share : limits_of(kernel)->of[limiter].share);
    cell.sign = sign_of(kernel);
    return cell;
}

static struct view_cell gpu_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_capture *capture = view_subject_of(view)->capture;
    return view_cell_whole((uint64_t)capture->gpus[capture->kernels[brief_of(row)->family->kernel].gpu].index);
}

/* A family has none of its own: its shapes may differ in it. */
static struct view_cell evidence_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_family *family = brief_of(row)->family;
    if (family->figures)
        return view_cell_absent("");
    return view_cell_text(rl_evidence_name(rl_evidence_of(view_subject_of(view)->capture, family->kernel)));
}

/* ---- times ---- */

static struct view_cell shapes_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_family *family = brief_of(row)->family;
    return view_cell_whole(field->key ? family->time.launches : family->shapes);
}

static struct view_cell gpu_s_cell(const struct view *view, const struct view_field *field, const void *row)
{
    struct view_cell cell = view_cell_number(rl_family_gpu_s(brief_of(row)->family));
    cell.sign = rl_time_state_sign(brief_of(row)->family->time.state);
    return cell;
}

static struct view_cell share_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_number(rl_family_share(brief_of(row)->family));
}

enum time_key { TIME_MEDIAN, TIME_LOW, TIME_HIGH, TIME_HALF };

static struct view_cell time_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_kernel *kernel = &brief_of(row)->kernel;
    const struct rl_stats *stats = kernel->duration;
    if (field->key == TIME_MEDIAN || !stats)
        return view_cell_number(kernel->median_s);
    if (!stats->has_interval)
        return view_cell_absent(kernel->family ? "a family of shapes" : "too few samples for an interval");
    const double figures[] = {[TIME_LOW] = stats->low, [TIME_HIGH] = stats->high, [TIME_HALF] = (stats->high - stats->low) / 2};
    return view_cell_number(field->key == TIME_HALF
                                ? rl_value_div(rl_value_of(figures[TIME_HALF]), kernel->median_s, "the duration is zero")
                                : rl_value_of(figures[field->key]));
}

/* ---- distance to the roofs ---- */

/* A row of the list of roofs. */
struct roof {
    enum rl_resource resource;
    const struct rl_limit *limit;
    const char *sign; /* before the share */
};

static int by_share(const void *a, const void *b)
{
    const struct roof *x = a, *y = b;
    return rl_descending(x->limit->share.v, y->limit->share.v) ?: rl_ascending(x->resource, y->resource);
}

static struct view_cell roofs_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_limiting *limits = limits_of(row);
    if (!limits || !brief_of(row)->detailed)
        return view_cell_absent("");
    struct roof *roofs = rl_arena_alloc(view->arena, RL_RESOURCE_COUNT * sizeof *roofs);
    size_t count = 0;
    for (int i = 0; i < RL_RESOURCE_COUNT; i++)
        if (rl_present(limits->of[i].share) && limits->of[i].share.v > 0)
            roofs[count++] = (struct roof){(enum rl_resource)i, &limits->of[i], sign_of(row)};
    rl_sort(roofs, count, sizeof *roofs, by_share);
    return view_cell_rows((struct view_rows){roofs, sizeof *roofs, count < VIEW_BRIEF_LIMITS ? count : VIEW_BRIEF_LIMITS, NULL});
}

enum roof_key { ROOF_RESOURCE, ROOF_KIND, ROOF_SHARE, ROOF_LOW, ROOF_HIGH, ROOF_TIME };

static struct view_cell roof_text_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct roof *roof = row;
    return view_cell_text(field->key == ROOF_RESOURCE ? rl_resources[roof->resource].label
                          : roof->limit->measured     ? "measured"
                                                      : "theoretical");
}

static struct view_cell roof_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_limit *limit = ((const struct roof *)row)->limit;
    struct view_cell cell = view_cell_number(field->key == ROOF_TIME ? limit->time_s : limit->share);
    if (rl_present(limit->share) && (field->key == ROOF_LOW || field->key == ROOF_HIGH))
        cell = view_cell_number(rl_value_of(field->key == ROOF_LOW ? limit->low : limit->high));
    cell.sign = field->key == ROOF_SHARE ? ((const struct roof *)row)->sign : NULL;
    return cell;
}

#define ROOF(which) .type = VIEW_TYPE_NUMBER, .digits = 3, .get = roof_cell, .key = (which)

/* clang-format off */
static const struct view_field roof_fields[] = {
    {.id = "resource", .head = "resource", .type = VIEW_TYPE_TEXT, .get = roof_text_cell, .key = ROOF_RESOURCE, .identifies = true,
     .help = "what the launch needs"},
    {.id = "share", .head = "share", ROOF(ROOF_SHARE), .unit = RL_UNIT_FRACTION, .help = "time at this roof over the time"},
    {.id = "low", .head = "from", ROOF(ROOF_LOW), .unit = RL_UNIT_FRACTION, .help = "lower end of its 95 % interval"},
    {.id = "high", .head = "to", ROOF(ROOF_HIGH), .unit = RL_UNIT_FRACTION, .help = "upper end of its 95 % interval"},
    {.id = "time_s", .head = "time at the roof", ROOF(ROOF_TIME), .unit = RL_UNIT_SECOND,
     .help = "what the launch would take if nothing else limited it"},
    {.id = "roof", .head = "roof", .type = VIEW_TYPE_TEXT, .get = roof_text_cell, .key = ROOF_KIND,
     .help = "'measured' or 'theoretical'"},
};
/* clang-format on */
static const struct view_record roof_record = {
    .id = "roof", .title = "", .help = "a resource, and how near a launch is to its roof", VIEW_FIELDS(roof_fields)};

static struct view_cell runner_up_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_limiting *limits = limits_of(row);
    if (!brief_of(row)->detailed || !limits || limits->limiter == RL_RESOURCE_COUNT || limits->second == RL_RESOURCE_COUNT)
        return view_cell_absent("");
    if (field->type == VIEW_TYPE_TEXT)
        return view_cell_text(rl_resources[limits->second].label);
    struct view_cell cell = view_cell_number(limits->of[limits->second].share);
    cell.sign = sign_of(row);
    return cell;
}

/* ---- why its warps wait ---- */

struct stall {
    const char *reason;
    struct rl_value share, low, high; /* of the time of its warps; an interval where they were sampled */
};

static int by_stall(const void *a, const void *b)
{
    const struct stall *x = a, *y = b;
    return rl_descending(x->share.v, y->share.v) ?: rl_ascending_text(x->reason, y->reason);
}

/* The commonest ones by counters, else the commonest by samples of its instructions. */
static struct view_cell stalls_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_brief_kernel *kernel = row;
    if (!kernel->detailed || !kernel->told || !rl_present(kernel->kernel.allowed))
        return view_cell_absent("");
    const struct rl_sampled_stall *sampled = &kernel->told->limits.sampled_stall;
    const struct rl_value none = rl_value_missing(RL_UNDEFINED, "");
    struct stall *stalls = rl_arena_alloc(view->arena, (RL_METRIC_COUNT + 1) * sizeof *stalls);
    size_t count = 0;
    for (int i = 0; i < RL_METRIC_COUNT; i++) {
        const struct rl_value share = kernel->told->metric[i];
        if (rl_metric_is_stall((enum rl_metric)i) && rl_present(share) && share.v >= VIEW_BRIEF_STALL)
            stalls[count++] = (struct stall){rl_metrics[i].label, share, none, none};
    }
    if (!count && sampled->samples && sampled->reason < RL_STALL_COUNT)
        stalls[count++] = (struct stall){rl_stalls[sampled->reason].label, rl_value_of(sampled->share), rl_value_of(sampled->low),
                                         rl_value_of(sampled->high)};
    rl_sort(stalls, count, sizeof *stalls, by_stall);
    return view_cell_rows((struct view_rows){stalls, sizeof *stalls, count < VIEW_BRIEF_STALLS ? count : VIEW_BRIEF_STALLS, NULL});
}

#define STALL(member) VIEW_AT(struct stall, member), .unit = RL_UNIT_FRACTION, .digits = 3
static const struct view_field stall_fields[] = {
    {.id = "reason", VIEW_AT(struct stall, reason), .help = "what its warps wait for"},
    {.id = "share", STALL(share), .help = "share of the time of its warps"},
    {.id = "low", STALL(low), .optional = true, .help = "lower end of its 95 % interval; absent: counted"},
    {.id = "high", STALL(high), .optional = true, .help = "upper end of it"},
};
static const struct view_record stall_record = {
    .id = "brief_stall", .title = "", .help = "why warps wait", VIEW_FIELDS(stall_fields)};

/* ---- findings ---- */

enum finding_text_key { FINDING_RULE, FINDING_KERNEL, FINDING_SUBJECT, FINDING_PROBLEM, FINDING_WORDS, FINDING_UNIT };

static struct view_cell finding_text_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_ranked_finding *of = row;
    const struct view_subject *subject = view_subject_of(view);
    const struct rl_rule_info *rule = &rl_rules[of->finding->rule];
    struct rl_buf text = RL_BUF_INIT;
    switch ((enum finding_text_key)field->key) {
    case FINDING_KERNEL:
    case FINDING_SUBJECT:
        if (of->kernel == RL_NONE)
            return view_cell_absent("");
        rl_utf8_abbreviate(&text, subject->analysis->kernels[of->kernel].label, VIEW_NAME_COLUMNS);
        if (field->key == FINDING_SUBJECT && of->shapes > 1)
            rl_buf_addf(&text, " and %zu more shapes", of->shapes - 1);
        break;
    case FINDING_RULE:
        return view_cell_text(of->finding->id);
    case FINDING_PROBLEM:
        return view_cell_text(rule->problem);
    case FINDING_UNIT:
        return view_cell_text(rl_unit_json(rule->unit));
    case FINDING_WORDS:
        rl_buf_adds(&text, of->finding->text);
        break;
    }
    const char *kept = rl_arena_strdup(view->arena, text.data);
    rl_buf_release(&text);
    return view_cell_text(kept);
}

enum finding_key { FINDING_VALUE, FINDING_THRESHOLD, FINDING_SAVING };

static struct view_cell finding_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_ranked_finding *of = row;
    const struct rl_value none = rl_value_missing(RL_UNDEFINED, "");
    const struct rl_value values[] = {
        [FINDING_VALUE] =
            of->kernel == RL_NONE ? none : view_subject_of(view)->analysis->kernels[of->kernel].judgement[of->finding->rule].value,
        [FINDING_THRESHOLD] = rl_value_of(rl_rules[of->finding->rule].threshold),
        [FINDING_SAVING] = of->saving_s > 0 ? rl_value_of(of->saving_s) : none,
    };
    assert((size_t)field->key < RL_COUNT(values));
    struct view_cell cell = view_cell_number(values[field->key]);
    cell.unit = rl_rules[of->finding->rule].unit;
    return cell;
}

/* That nobody knows a gain is the rule, and needs no reason. */
static struct view_cell gain_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_value gain = ((const struct rl_ranked_finding *)row)->finding->gain;
    return rl_present(gain) ? view_cell_number(gain) : view_cell_absent("");
}

#define FINDING_TEXT(which) .type = VIEW_TYPE_TEXT, .get = finding_text_cell, .key = (which)
#define FINDING(which)      .type = VIEW_TYPE_NUMBER, .get = finding_cell, .key = (which)

/* clang-format off */
static const struct view_field finding_fields[] = {
    {.id = "id", FINDING_TEXT(FINDING_RULE), .help = "which rule found it: 'list findings' has them"},
    {.id = "kernel", FINDING_TEXT(FINDING_KERNEL), .optional = true,
     .help = "label of the kernel; absent: of a card or the session"},
    {.id = "subject", FINDING_TEXT(FINDING_SUBJECT), .for_people = true, .help = "the kernel, and how many shapes of it"},
    {.id = "problem", FINDING_TEXT(FINDING_PROBLEM), .help = "what is wrong, in a few words"},
    {.id = "text", FINDING_TEXT(FINDING_WORDS), .help = "what was found, with its figures, and what to do"},
    {.id = "value", FINDING(FINDING_VALUE), .unit_of_row = true, .optional = true, .help = "the figure that was judged"},
    {.id = "threshold", FINDING(FINDING_THRESHOLD), .unit_of_row = true, .help = "what it was compared with"},
    {.id = "unit", FINDING_TEXT(FINDING_UNIT), .help = "unit of both"},
    {.id = "gain", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_NONE, .digits = 3, .get = gain_cell, .optional = true,
     .help = "estimate of the speed-up that it points to, as a factor; absent: cannot be said"},
    {.id = "saving_s", FINDING(FINDING_SAVING), .unit = RL_UNIT_SECOND, .digits = 3, .optional = true,
     .help = "what that saves in all launches"},
};
/* clang-format on */
const struct view_record view_record_brief_finding = {
    .id = "brief_finding", .title = "", .help = "a finding, with what it was judged by", VIEW_FIELDS(finding_fields)};

static struct view_cell findings_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_brief_kernel *kernel = row;
    if (!kernel->detailed)
        return view_cell_absent("");
    return view_cell_rows((struct view_rows){kernel->findings, sizeof *kernel->findings, kernel->finding_count, NULL});
}

/* A finding about the samples of its warps says what they wait for. */
static bool no_finding_has_it(const struct view *view, const void *row)
{
    const struct view_brief_kernel *kernel = row;
    bool has = false;
    for (size_t i = 0; i < kernel->finding_count; i++)
        has |= kernel->findings[i].finding->rule == RL_RULE_waits_sampled;
    return !has;
}

/* ---- what would change it ---- */

static struct view_cell occupancy_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_brief_kernel *kernel = row;
    if (!kernel->detailed || !kernel->told)
        return view_cell_absent("");
    if (field->type == VIEW_TYPE_NUMBER)
        return view_cell_number(kernel->told->occupancy.fraction);
    struct rl_buf text = RL_BUF_INIT;
    rl_occupancy_limiter_text(&kernel->told->occupancy, &text);
    const struct view_cell cell = view_cell_text(text.len ? rl_arena_strdup(view->arena, text.data) : NULL);
    rl_buf_release(&text);
    return cell;
}

static struct view_cell unknown_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return brief_of(row)->detailed ? view_cell_rows(view_unknown_of_kernel(view, row)) : view_cell_absent("");
}

#define NAME(which)        .type = VIEW_TYPE_TEXT, .get = name_cell, .key = (which)
#define TIME(which, digit) .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_SECOND, .digits = (digit), .get = time_cell, .key = (which)
#define SHARE(function)    .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .digits = 3, .get = (function)

/* clang-format off */
static const struct view_field kernel_fields[] = {
    {.id = "id", .head = "id", NAME(NAME_ID),
     .help = "short name of the class, or of a family of classes, the same in every capture"},
    {.id = "gpu", .head = "GPU", .type = VIEW_TYPE_WHOLE, .get = gpu_cell, .shown = VIEW_SHOWN_WHEN_ANY,
     .help = "index of the GPU"},
    {.id = "label", .head = "kernel", NAME(NAME_LABEL), .identifies = true,
     .help = "experiment and variant, or the shortest name that tells it from others"},
    {.id = "shapes", .type = VIEW_TYPE_WHOLE, .get = shapes_cell, .key = 0, .help = "number of launch shapes"},
    {.id = "launches", .type = VIEW_TYPE_WHOLE, .get = shapes_cell, .key = 1, .help = "number of launches"},
    {.id = "gpu_s", .head = "total", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_SECOND, .get = gpu_s_cell,
     .help = "GPU time of all launches"},
    {.id = "share", .head = "of the time", SHARE(share_cell), .help = "share of the GPU time of all kernels"},
    {.id = "time_s", .head = "time", TIME(TIME_MEDIAN, 4), .help = "median duration of a launch"},
    {.id = "low_s", TIME(TIME_LOW, 4), .help = "lower end of its 95 % interval"},
    {.id = "high_s", TIME(TIME_HIGH, 4), .help = "upper end of its 95 % interval"},
    {.id = "half_width", .head = "\xC2\xB1", SHARE(time_cell), .key = TIME_HALF, .for_people = true,
     .help = "half of that interval, over the median"},
    {.id = "bound", NAME(NAME_BOUND), .help = "class of what limits it"},
    {.id = "limiter", .type = VIEW_TYPE_TEXT, .get = limiter_cell, .optional = true,
     .help = "the resource that limits it; absent: none does, or it is not known"},
    {.id = "limiter_text", .head = "limited by", .type = VIEW_TYPE_TEXT, .get = limiter_cell, .for_people = true,
     .help = "what limits it"},
    {.id = "limiter_share", .head = "at", SHARE(limiter_share_cell), .optional = true,
     .help = "time at the roof of that resource over the time"},
    {.id = "why", NAME(NAME_WHY), .help = "what that rests on, or what is missing"},
    {.id = "evidence", .type = VIEW_TYPE_TEXT, .get = evidence_cell, .optional = true,
     .help = "what its limits rest on: 'counted', 'sampled' (estimates from samples of the whole GPU) or 'none'; absent: several "
             "shapes"},
    {.id = "runner_up", .type = VIEW_TYPE_TEXT, .get = runner_up_cell, .optional = true, .help = "the next resource"},
    {.id = "runner_up_share", SHARE(runner_up_cell), .optional = true, .help = "time at its roof over the time"},
    {.id = "occupancy", SHARE(occupancy_cell), .optional = true,
     .help = "warps that an SM can hold at once, of the most of any kernel"},
    {.id = "occupancy_limit", .type = VIEW_TYPE_TEXT, .get = occupancy_cell, .optional = true,
     .help = "resources that allow no further block"},
    {.id = "roofs", .type = VIEW_TYPE_LIST, .record = &roof_record, .get = roofs_cell, .optional = true,
     .help = "how near it is to each roof, the nearest first"},
    {.id = "stalls", .type = VIEW_TYPE_LIST, .record = &stall_record, .get = stalls_cell, .optional = true,
     .help = "why its warps wait, the commonest reasons first"},
    {.id = "findings", .type = VIEW_TYPE_LIST, .record = &view_record_brief_finding, .get = findings_cell, .optional = true,
     .help = "the findings that matter most"},
    {.id = "unknown", .type = VIEW_TYPE_LIST, .record = &view_record_unknown, .get = unknown_cell, .optional = true,
     .help = "its unknowns, and how to collect them"},
};
static const struct view_block kernel_blocks[] = {
    {.kind = VIEW_BLOCK_FACT, .label = "time",
     .text = "{time_s}[ ({low_s} to {high_s})], {launches launch|launches}[, {gpu_s} in all]"
             "[, {share} of the GPU time]"},
    {.kind = VIEW_BLOCK_FACT, .label = "limit", .text = "{bound}: {why}[; next {runner_up} at {runner_up_share}]"},
    {.kind = VIEW_BLOCK_FACT, .label = "occupancy", .text = "{occupancy} of the warps fit[; {occupancy_limit} allow no more]",
     .with = "occupancy"},
    {.kind = VIEW_BLOCK_TABLE, .field = "roofs", .columns = "resource,share,low,high,roof"},
    {.kind = VIEW_BLOCK_ITEMS, .field = "stalls", .label = "stall", .text = "{reason}: {share}[ ({low} to {high})]",
     .when = no_finding_has_it},
    {.kind = VIEW_BLOCK_ITEMS, .field = "findings", .label_field = "problem",
     .text = "{text}[ Up to {gain} times as fast][; saves {saving_s}]"},
    {.kind = VIEW_BLOCK_ITEMS, .field = "unknown", .label = "unknown", .text = "{what}: {reason}[; {how}]"},
};
/* clang-format on */
const struct view_record view_record_brief_kernel = {.id = "brief_kernel",
                                                     .title = "{id}  {label}",
                                                     .help = "a kernel in few lines",
                                                     VIEW_FIELDS(kernel_fields),
                                                     VIEW_BLOCKS(kernel_blocks)};
