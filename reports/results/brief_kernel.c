/* brief_kernel.c - a kernel of a brief. */
#include "analysis/sampled.h"
#include "core/kernel_names.h"
#include "show_parts.h"

static const struct view_brief_kernel *brief_of(const void *row)
{
    return row;
}

/* Its limits; NULL where nothing was counted, or nothing may be shown. */
static const struct rl_limiting *limits_of(const struct view_brief_kernel *kernel)
{
    return kernel->told && rl_present(kernel->kernel.allowed) ? &kernel->told->limits : NULL;
}

/* The resource that limits it; RL_RESOURCE_COUNT: none does, or it is unknown. */
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

/* The sign before its shares. */
static const char *sign_of(const struct view_brief_kernel *kernel)
{
    const struct rl_family_figures *figures = kernel->family->figures;
    const struct rl_limiting *limits = limits_of(kernel);
    return !figures && limits && limits->sampled ? RL_SIGN_ESTIMATE : NULL;
}

/* ---- names ---- */

void view_why_format(struct rl_buf *out, const struct rl_limiting *limits)
{
    if (limits->uncounted)
        rl_buf_adds(out, limits->why);
    else
        rl_limiting_say(limits, out);
}

VIEW_CELL(id_cell, struct view_brief_kernel, row->family->figures ? row->family->id : row->family->classes->id);

VIEW_SAID(label_cell, struct view_brief_kernel, "", rl_utf8_abbreviate(&text, row->family->label, VIEW_NAME_COLUMNS));

static struct view_cell why_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_brief_kernel *kernel = row;
    const struct rl_limiting *limits = limits_of(kernel);
    struct rl_buf text = RL_BUF_IN(view->arena);
    if (limits && kernel->family->figures) /* its shapes may differ */
        rl_buf_adds(&text, "its counted configuration with the most time: ");
    if (limits)
        view_why_format(&text, limits);
    else
        rl_buf_adds(&text, rl_present(kernel->kernel.allowed) ? "none of its launches was counted"
                                                              : rl_value_reason(kernel->kernel.allowed));
    return view_cell_text(view_brief_text(view, text.data));
}

/* The roof that it is nearest to: the limiter's, where a resource limits it. NULL: none is known. */
static const struct rl_limit *nearest_of(const struct view_brief_kernel *kernel, enum rl_resource *resource)
{
    const struct rl_limiting *limits = limits_of(kernel);
    const enum rl_resource limiter = limiter_of(kernel);
    *resource = limiter < RL_RESOURCE_COUNT ? limiter : limits ? limits->first : RL_RESOURCE_COUNT;
    return limits && *resource < RL_RESOURCE_COUNT && rl_present(limits->of[*resource].share) ? &limits->of[*resource] : NULL;
}

/* "dram", "parallelism", "unknown"; for people "DRAM bandwidth". */
static struct view_cell limiter_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const size_t limiter = rl_limiter_of(limiter_of(row), bound_of(row));
    const struct rl_family_figures *figures = ((const struct view_brief_kernel *)row)->family->figures;
    return view_cell_text(!field->for_people ? rl_limiter_id(limiter)
                          : figures          ? field->key ? figures->limited_by : figures->mostly
                          : limits_of(row)   ? limits_of(row)->limited_by
                                             : rl_limiter_label(limiter));
}

VIEW_CELL(tied_cell, struct view_brief_kernel, view_tied(view, row->family->figures || !limits_of(row) ? 0 : limits_of(row)->tied));
VIEW_CELL_IF(limiters_cell, struct view_brief_kernel, row->family->figures,
             view_cell_rows(VIEW_ROWS(row->family->figures->limiters, row->family->figures->limiter_count)));

enum nearest_key { NEAREST_SHARE, NEAREST_LOW, NEAREST_HIGH, NEAREST_ROOF, NEAREST_LABEL, NEAREST_TEXT };

/* "29.8 ±0.1" */
static const char *nearest_text(const struct view *view, const struct view_brief_kernel *kernel, const struct rl_limit *limit)
{
    struct rl_buf text = RL_BUF_IN(view->arena);
    view_share_format(&text, limit, sign_of(kernel));
    return view_keep(view, &text);
}

static struct view_cell nearest_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_brief_kernel *kernel = row;
    const struct rl_family_figures *figures = kernel->family->figures;
    enum rl_resource resource;
    const struct rl_limit *limit = nearest_of(kernel, &resource);
    const struct rl_limit of_family = {.share = figures ? rl_family_nearest(figures, &resource) : rl_value_of(0)};
    limit = figures ? resource < RL_RESOURCE_COUNT ? &of_family : NULL : limit;
    if (!limit)
        return view_cell_absent("");
    if (field->key == NEAREST_ROOF)
        return view_cell_text(rl_resources[resource].id);
    if (field->key == NEAREST_LABEL)
        return view_cell_text(rl_resources[resource].label);
    if (field->key == NEAREST_TEXT)
        return view_cell_text(nearest_text(view, kernel, limit));
    if (figures && field->key != NEAREST_SHARE) /* without an interval */
        return view_cell_absent("");
    struct view_cell cell = view_cell_number(field->key == NEAREST_SHARE ? limit->share
                                             : field->key == NEAREST_LOW ? rl_value_of(limit->low)
                                                                         : rl_value_of(limit->high));
    cell.sign = field->key == NEAREST_SHARE ? sign_of(kernel) : NULL;
    return cell;
}

static struct view_cell gpu_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_capture *capture = view_subject_of(view)->capture;
    return view_cell_whole((uint64_t)capture->gpus[capture->kernels[brief_of(row)->family->kernel].gpu].index);
}

/* "1", "2 GPUs"; absent where it ran on all. */
static struct view_cell gpu_text_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const size_t gpus = brief_of(row)->family->gpus;
    if (gpus == view_subject_of(view)->capture->gpu_count)
        return view_cell_absent("");
    return view_cell_text(gpus > 1 ? rl_arena_printf(view->arena, "%zu GPUs", gpus)
                                   : rl_arena_printf(view->arena, "%d", (int)gpu_cell(view, field, row).whole));
}

/* A family has none: its shapes may differ in it. */
VIEW_CELL(evidence_cell, struct view_brief_kernel,
          row->family->figures
              ? view_cell_absent("")
              : view_cell_text(rl_evidence_name(rl_evidence_of(view_subject_of(view)->capture, row->family->kernel))));

/* ---- times ---- */

enum spread_key { SPREAD_GPUS, SPREAD_LOW, SPREAD_HIGH, SPREAD_ROOF };

/* How many GPUs that are alike ran it, and how far they differ. */
static struct view_cell spread_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_family *family = brief_of(row)->family;
    const struct view_subject *subject = view_subject_of(view);
    enum rl_resource nearest;
    if (family->gpus < 2 || !brief_of(row)->detailed)
        return view_cell_absent("");
    if (field->key == SPREAD_GPUS)
        return view_cell_whole(family->gpus);
    (void)nearest_of(row, &nearest);
    const struct rl_gpu_spread spread = rl_family_spread(subject->analysis, subject->families, family, nearest);
    if (field->key != SPREAD_ROOF)
        return view_cell_number(field->key == SPREAD_LOW ? spread.low_s : spread.high_s);
    if (nearest == RL_RESOURCE_COUNT || !rl_present(spread.low_share))
        return view_cell_absent("");
    struct rl_buf text = RL_BUF_IN(view->arena);
    rl_buf_addf(&text, "%s ", rl_resources[nearest].label);
    rl_value_format(&text, RL_UNIT_FRACTION, spread.low_share, 3);
    rl_buf_adds(&text, " to ");
    rl_value_format(&text, RL_UNIT_FRACTION, spread.high_share, 3);
    return view_cell_kept(view, &text);
}

static struct view_cell gpu_s_cell(const struct view *view, const struct view_field *field, const void *row)
{
    struct view_cell cell = view_cell_number(rl_family_gpu_s(brief_of(row)->family));
    cell.sign = rl_time_state_sign(brief_of(row)->family->time.state);
    return cell;
}

VIEW_CELL(share_cell, struct view_brief_kernel, rl_family_share(row->family));

enum time_key { TIME_MEDIAN, TIME_LOW, TIME_HIGH, TIME_HALF };

static struct view_cell time_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_kernel *kernel = &brief_of(row)->kernel;
    const struct rl_stats *stats = kernel->duration;
    if (field->key == TIME_MEDIAN || !stats)
        return view_cell_number(kernel->median_s);
    if (!stats->has_interval)
        return view_cell_absent(kernel->family ? "several configurations" : "too few samples for an interval");
    const double figures[] = {[TIME_LOW] = stats->low, [TIME_HIGH] = stats->high, [TIME_HALF] = (stats->high - stats->low) / 2};
    return view_cell_number(field->key == TIME_HALF
                                ? rl_value_div(rl_value_of(figures[TIME_HALF]), kernel->median_s, "the duration is zero")
                                : rl_value_of(figures[field->key]));
}

/* ---- evidence ---- */

static struct view_cell first_rows(struct view_rows rows, size_t most)
{
    rows.count = rows.count < most ? rows.count : most;
    return view_cell_rows(rows);
}

VIEW_CELL_IF(resources_cell, struct view_brief_kernel, limits_of(row) && row->detailed,
             first_rows(view_resources_of(view->arena, row->told), VIEW_BRIEF_RESOURCES));
VIEW_CELL_IF(stalls_cell, struct view_brief_kernel, limits_of(row) && row->detailed,
             first_rows(view_stalls_of(view->arena, row->told), VIEW_BRIEF_STALLS));

/* ---- findings ---- */

void view_finding_text(const struct rl_ranked_finding *ranked, struct rl_buf *out)
{
    const char *text = ranked->finding->text;
    const size_t name = ranked->gpus > 1 && ranked->finding->evidence > 2 ? ranked->finding->evidence - 2 : 0; /* less ": " */
    if (name)
        rl_buf_addf(out, "%.*s and %zu more like it", (int)name, text, ranked->gpus - 1);
    const size_t action = strlen(ranked->finding->action ? ranked->finding->action : "");
    if (ranked->repeats && action)
        rl_buf_addf(out, "%.*sSame action as above.", (int)(strlen(text) - name - action), text + name);
    else
        rl_buf_adds(out, text + name);
}

void view_findings_once(struct rl_ranked_finding *findings, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct rl_finding *own = findings[i].finding;
        findings[i].repeats = findings[i].repeats_reason = false;
        for (size_t k = 0; k < i; k++) {
            const struct rl_finding *other = findings[k].finding;
            findings[i].repeats |= other->action && own->action && strcmp(other->action, own->action) == 0;
            findings[i].repeats_reason |= !rl_present(other->gain) && !rl_present(own->gain) &&
                                          strcmp(rl_value_reason(other->gain), rl_value_reason(own->gain)) == 0;
        }
    }
}

VIEW_CELL(problem_cell, struct rl_ranked_finding, rl_rules[row->finding->rule].problem);
VIEW_CELL(unit_cell, struct rl_ranked_finding, rl_unit_json(rl_rules[row->finding->rule].unit));

/* The kernel; for people with the number of its shapes. */
static struct view_cell subject_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_ranked_finding *of = row;
    struct rl_buf text = RL_BUF_IN(view->arena);
    if (of->kernel == RL_NONE)
        return view_cell_absent("");
    rl_utf8_abbreviate(&text, view_subject_of(view)->analysis->kernels[of->kernel].label, VIEW_NAME_COLUMNS);
    if (field->for_people && of->shapes > 1)
        rl_buf_addf(&text, " and %zu more configurations", of->shapes - 1);
    return view_cell_kept(view, &text);
}

/* For people without an action that a row above has. */
static struct view_cell words_cell(const struct view *view, const struct view_field *field, const void *row)
{
    struct rl_ranked_finding of = *(const struct rl_ranked_finding *)row;
    struct rl_buf text = RL_BUF_IN(view->arena);
    of.repeats = of.repeats && field->for_people;
    view_finding_text(&of, &text);
    return view_cell_kept(view, &text);
}

/* The figure that was judged, and what it was compared with. */
VIEW_CELL_IF(judged_cell, struct rl_ranked_finding, row->kernel != RL_NONE,
             view_cell_in(view_subject_of(view)->analysis->kernels[row->kernel].judgement[row->finding->rule].value,
                          rl_rules[row->finding->rule].unit));
VIEW_CELL(threshold_cell, struct rl_ranked_finding,
          view_cell_in(rl_value_of(rl_rules[row->finding->rule].threshold), rl_rules[row->finding->rule].unit));

/* In the whole run, at most; missing with the reason. */
static struct rl_value saved_by(const struct view *view, const void *row)
{
    return rl_most_saved_s(view_subject_of(view)->analysis, view_subject_of(view)->families, row);
}

VIEW_CELL_IF(saving_cell, void, rl_present(saved_by(view, row)), saved_by(view, row));

static struct view_cell no_saving_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_ranked_finding *of = row;
    const struct rl_finding *finding = of->finding;
    const struct rl_value saved = saved_by(view, row);
    if (rl_present(saved))
        return view_cell_absent("");
    return view_cell_text(
        rl_rules[finding->rule].no_advice ? "Concerns validity, not time."
        : finding->worthless ? rl_arena_printf(view->arena, "Saves under %.0f %% of its time.", 100 * (1 - 1 / RL_LEAST_GAIN))
        : of->repeats_reason ? "Saving unknown, as above."
                             : rl_arena_printf(view->arena, "Saving unknown, because %s.", rl_value_reason(saved)));
}

/* clang-format off */
static const struct view_field finding_fields[] = {
    {.id = "id", VIEW_IN(struct rl_ranked_finding, finding, id), .help = "which rule found it: 'list findings' has them"},
    {.id = "kernel", VIEW_GET(TEXT, subject_cell), .optional = true,
     .help = "label of the kernel; absent: of a GPU or the session"},
    {.id = "subject", VIEW_GET(TEXT, subject_cell), .for_people = true, .help = "the kernel, and how many configurations of it"},
    {.id = "problem", VIEW_GET(TEXT, problem_cell), .help = "what is wrong, in a few words"},
    {.id = "text", VIEW_GET(TEXT, words_cell), .help = "what was found, with its figures, and what to do"},
    {.id = "words", .head = "text", VIEW_GET(TEXT, words_cell), .wraps = true, .for_people = true,
     .help = "the same, without an action that a row above has"},
    {.id = "value", VIEW_GET(NUMBER, judged_cell), .unit_of_row = true, .optional = true, .help = "the figure that was judged"},
    {.id = "threshold", VIEW_GET(NUMBER, threshold_cell), .unit_of_row = true, .help = "what it was compared with"},
    {.id = "unit", VIEW_GET(TEXT, unit_cell), .help = "unit of both"},
    {.id = "gain", VIEW_IN(struct rl_ranked_finding, finding, gain), .unit = RL_UNIT_NONE, .digits = 3, .quiet = true,
     .optional = true, .help = "estimated speedup, as a factor; absent: unknown"},
    {.id = "saving_s", VIEW_GET(NUMBER, saving_cell), .unit = RL_UNIT_SECOND, .digits = 3, .optional = true,
     .help = "what that saves in the whole run, at most"},
    {.id = "no_saving", VIEW_GET(TEXT, no_saving_cell), .for_people = true, .help = "why it has no saving"},
};
/* clang-format on */
const struct view_record view_record_brief_finding = {
    .id = "brief_finding", .help = "a finding, with what it was judged by", VIEW_FIELDS(finding_fields)};

VIEW_CELL_IF(findings_cell, struct view_brief_kernel, row->detailed, VIEW_ROWS(row->findings, row->finding_count));

/* A finding about the samples of its warps says what they wait for. */
static bool no_finding_has_it(const struct view *view, const void *row)
{
    const struct view_brief_kernel *kernel = row;
    bool has = RL_ANY(i, kernel->finding_count, kernel->findings[i].finding->rule == RL_RULE_waits_sampled);
    return !has;
}

/* ---- what would change it ---- */

static struct view_cell occupancy_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_brief_kernel *kernel = row;
    if (!kernel->detailed || !kernel->told)
        return view_cell_absent("");
    if (field->type == VIEW_TYPE_NUMBER)
        return view_cell_number(kernel->told->metric[field->key ? RL_METRIC_achieved_occupancy : RL_METRIC_theoretical_occupancy]);
    struct rl_buf text = RL_BUF_IN(view->arena);
    rl_occupancy_limiter_text(&kernel->told->occupancy, &text);
    return view_cell_kept(view, &text);
}

VIEW_SAID(library_cell, struct view_brief_kernel, "",
          rl_buf_adds(&text, rl_library_of_name(view_subject_of(view)->capture->kernels[row->family->kernel].name) ?: ""));

VIEW_CELL_IF(unknown_cell, struct view_brief_kernel, row->detailed, view_unknown_of_kernel(view, row));

#define TIME(which, digit)   .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_SECOND, .digits = (digit), .get = time_cell, .key = (which)
#define SPREAD(what, which)  .type = VIEW_TYPE_##what, .get = spread_cell, .key = (which), .optional = true
#define NEAREST(what, which) .type = VIEW_TYPE_##what, .get = nearest_cell, .key = (which), .optional = true
#define SHARE(function)      .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .digits = 3, .get = (function)

/* clang-format off */
static const struct view_field kernel_fields[] = {
    {.id = "id", .head = "id", VIEW_GET(TEXT, id_cell),
     .help = "short name of the kernel, the same in every capture"},
    {.id = "gpu", .head = "GPU", VIEW_GET(WHOLE, gpu_cell), .shown = VIEW_SHOWN_WHEN_ANY, .help = "index of the GPU"},
    {.id = "gpu_text", .head = "GPU", VIEW_GET(TEXT, gpu_text_cell), .for_people = true, .numeral = true,
     .shown = VIEW_SHOWN_WHEN_ANY, .help = "the GPU, or how many that are alike"},
    {.id = "gpus", SPREAD(WHOLE, SPREAD_GPUS), .help = "number of GPUs that are alike and ran it; absent: one"},
    {.id = "gpus_low_s", SPREAD(NUMBER, SPREAD_LOW), .unit = RL_UNIT_SECOND, .help = "lowest median duration on one of these GPUs"},
    {.id = "gpus_high_s", SPREAD(NUMBER, SPREAD_HIGH), .unit = RL_UNIT_SECOND, .help = "highest"},
    {.id = "gpus_roof", SPREAD(TEXT, SPREAD_ROOF), .for_people = true, .help = "the roof that it is nearest to, on these GPUs"},
    {.id = "label", .head = "kernel", VIEW_GET(TEXT, label_cell), .identifies = true,
     .help = "experiment and variant, or the shortest name that distinguishes it"},
    {.id = "shapes", VIEW_IN(struct view_brief_kernel, family, shapes), .help = "number of launch configurations"},
    {.id = "launches", VIEW_IN(struct view_brief_kernel, family, time.launches), .help = "number of launches"},
    {.id = "gpu_s", .head = "total", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_SECOND, .get = gpu_s_cell,
     .help = "GPU time of all launches"},
    {.id = "share", .head = "share", SHARE(share_cell), .help = "share of the GPU time of all kernels"},
    {.id = "time_s", .head = "time", TIME(TIME_MEDIAN, 4), .help = "median duration of a launch"},
    {.id = "low_s", TIME(TIME_LOW, 4), .help = "lower end of its 95 % CI"},
    {.id = "high_s", TIME(TIME_HIGH, 4), .help = "upper end of its 95 % CI"},
    {.id = "half_width", .head = "\xC2\xB1", SHARE(time_cell), .key = TIME_HALF, .for_people = true,
     .help = "half of that interval, over the median"},
    {.id = "limiter", VIEW_GET(TEXT, limiter_cell),
     .help = "its limiter: the id of a resource, 'latency', 'parallelism', 'start_and_drain', 'launch_overhead' or 'unknown'"},
    {.id = "tied", VIEW_GET(TEXT, tied_cell), .optional = true, .help = VIEW_TIED_HELP},
    {.id = "limiters", VIEW_GET_LIST(&view_record_family_limiter, limiters_cell), .optional = true, .help = VIEW_LIMITERS_HELP},
    {.id = "limiter_text", .head = "limited by", VIEW_GET(TEXT, limiter_cell), .for_people = true, .help = "its limiter"},
    {.id = "limited_by", VIEW_GET(TEXT, limiter_cell), .key = 1, .for_people = true, .help = "all limiters of its configurations"},
    {.id = "roof", NEAREST(TEXT, NEAREST_ROOF),
     .help = "the resource that its share is of: the limiter, or the one nearest to its roof"},
    {.id = "roof_share", NEAREST(NUMBER, NEAREST_SHARE), .unit = RL_UNIT_FRACTION, .digits = 3,
     .help = "time at the roof of that resource over the time"},
    {.id = "roof_low", NEAREST(NUMBER, NEAREST_LOW), .unit = RL_UNIT_FRACTION, .help = "lower end of its 95 % CI"},
    {.id = "roof_high", NEAREST(NUMBER, NEAREST_HIGH), .unit = RL_UNIT_FRACTION, .help = "upper end of its 95 % CI"},
    {.id = "nearest", .head = "nearest roof", NEAREST(TEXT, NEAREST_LABEL), .for_people = true,
     .help = "the name of that resource"},
    {.id = "nearest_share", .head = "%, 95 % CI", NEAREST(TEXT, NEAREST_TEXT), .for_people = true, .numeral = true,
     .help = "its share with half of its interval"},
    {.id = "why", VIEW_GET(TEXT, why_cell), .help = "what that rests on, or what is missing"},
    {.id = "evidence", VIEW_GET(TEXT, evidence_cell), .optional = true,
     .help = "what its limits rest on: 'counted', 'sampled' (estimates from samples of the whole GPU) or 'none'; absent: several "
             "shapes"},
    {.id = "occupancy", SHARE(occupancy_cell), .optional = true,
     .help = "warps that an SM can hold at once, of the most of any kernel"},
    {.id = "achieved", SHARE(occupancy_cell), .key = 1, .optional = true, .help = "warps that were resident, of the same"},
    {.id = "occupancy_limit", VIEW_GET(TEXT, occupancy_cell), .optional = true, .help = "resources that allow no further block"},
    {.id = "library", VIEW_GET(TEXT, library_cell), .optional = true, .help = "library that it is of, whose code gets no advice"},
    {.id = "resources", VIEW_GET_LIST(&view_record_resource, resources_cell), .optional = true,
     .help = "share of each resource's roof, the largest first"},
    {.id = "stalls", VIEW_GET_LIST(&view_record_stall, stalls_cell), .optional = true,
     .help = "why its warps wait, the commonest reason first"},
    {.id = "findings", VIEW_GET_LIST(&view_record_brief_finding, findings_cell), .optional = true,
     .help = "the findings that matter most"},
    {.id = "unknown", VIEW_GET_LIST(&view_record_unknown, unknown_cell), .optional = true,
     .help = "its unknowns, and how to collect them"},
};
static const struct view_block kernel_blocks[] = {
    {.kind = VIEW_BLOCK_FACT, .label = "time",
     .text = "{time_s}[ ({low_s} to {high_s})], {launches launch|launches}[, {gpu_s} in all][, {share} of the GPU time]"},
    {.kind = VIEW_BLOCK_FACT, .label = "GPUs", .with = "gpus", .text = VIEW_BRIEF_GPUS},
    {.kind = VIEW_BLOCK_FACT, .label = "limited by", .text = "{limited_by}: {why}"},
    {.kind = VIEW_BLOCK_FACT, .label = "occupancy",
     .text = "[{achieved} achieved, ]{occupancy} theoretical[; limited by {occupancy_limit}]", .with = "occupancy"},
    {.kind = VIEW_BLOCK_FACT, .label = "library", .text = "{library}: no advice on its code", .with = "library"},
    {.kind = VIEW_BLOCK_TABLE, .field = "resources", .columns = "resource,figure,roof"},
    {.kind = VIEW_BLOCK_TABLE, .field = "stalls", .when = no_finding_has_it},
    {.kind = VIEW_BLOCK_ITEMS, .field = "findings", .label_field = "problem",
     .text = "{words}[ Saves at most {saving_s}.][ {no_saving}]"},
    {.kind = VIEW_BLOCK_ITEMS, .field = "unknown", .label = "unknown", .text = "{what}: {reason}[; {how}]"},
};
const struct view_record view_record_brief_kernel = {
    .id = "brief_kernel", .title = "{id}  {label}", .help = "a kernel in few lines", VIEW_FIELDS(kernel_fields),
    VIEW_BLOCKS(kernel_blocks)};
/* clang-format on */

/* clang-format off */
static const struct view_field other_fields[] = {
    {.id = "id", .head = "id", VIEW_GET(TEXT, id_cell), .help = "its id, for another --kernel"},
    {.id = "gpu", .head = "GPU", VIEW_GET(WHOLE, gpu_cell), .shown = VIEW_SHOWN_WHEN_ANY, .help = "index of the GPU"},
    {.id = "gpu_text", .head = "GPU", VIEW_GET(TEXT, gpu_text_cell), .for_people = true, .numeral = true,
     .shown = VIEW_SHOWN_WHEN_ANY, .help = "the GPU, or how many that are alike"},
    {.id = "label", .head = "kernel", VIEW_GET(TEXT, label_cell), .identifies = true, .help = "its name"},
    {.id = "share", .head = "share", SHARE(share_cell), .help = "share of the GPU time of all kernels"},
    {.id = "time_s", .head = "time", TIME(TIME_MEDIAN, 4), .help = "median duration of a launch"},
    {.id = "limiter", VIEW_GET(TEXT, limiter_cell), .help = "its limiter"},
    {.id = "limiter_text", .head = "limited by", VIEW_GET(TEXT, limiter_cell), .for_people = true, .help = "its limiter"},
    {.id = "roof", NEAREST(TEXT, NEAREST_ROOF), .help = "the nearest roof"},
    {.id = "roof_share", NEAREST(NUMBER, NEAREST_SHARE), .unit = RL_UNIT_FRACTION, .digits = 3, .help = "its share"},
    {.id = "nearest", .head = "nearest roof", NEAREST(TEXT, NEAREST_LABEL), .for_people = true,
     .help = "the name of that resource"},
    {.id = "nearest_share", .head = "%, 95 % CI", NEAREST(TEXT, NEAREST_TEXT), .for_people = true, .numeral = true,
     .help = "its share with half of its interval"},
};
/* clang-format on */
const struct view_record view_record_brief_other = {.id = "brief_other", .help = "a kernel in a line", VIEW_FIELDS(other_fields)};
