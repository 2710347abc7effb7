/* resources.c - resources of a kernel by their share of the roof, stalls of its warps (see results/results.h). */
#include "results/results.h"

#include "analysis/analysis.h"
#include "core/core.h"

/* ---- resources ---- */

RL_COMPARATOR(by_share, struct view_resource,
              rl_descending(x->limit->share.v, y->limit->share.v) ?: rl_ascending(x->resource, y->resource));

struct view_rows view_resources_of(struct rl_arena *arena, const struct rl_kernel_result *kernel)
{
    struct view_resource *rows = rl_arena_alloc(arena, RL_RESOURCE_COUNT * sizeof *rows);
    size_t count = 0;
    for (int i = 0; i < RL_RESOURCE_COUNT; i++) {
        const struct rl_limit *limit = &kernel->limits.of[i];
        if (rl_present(limit->share) && limit->share.v > 0)
            rows[count++] = (struct view_resource){(enum rl_resource)i, limit, kernel->limits.sampled};
    }
    if (count)
        rl_sort(rows, count, sizeof *rows, by_share);
    return VIEW_ROWS(rows, count);
}

#define PERCENT 100.0

/* Decimals with which a number has so many significant digits. */
static int decimals_of(double number, int digits)
{
    const int decimals = digits - 1 - (int)floor(log10(number));
    return decimals < 0 ? 0 : decimals > 4 ? 4 : decimals;
}

void view_share_format(struct rl_buf *out, const struct rl_limit *limit, bool sampled)
{
    const double share = limit->share.v * PERCENT, half = (limit->high - limit->low) / 2 * PERCENT; /* 0: no interval */
    rl_buf_adds(out, sampled ? VIEW_ESTIMATE : "");
    if (!(half > 0) || !(share > 0)) {
        rl_number_format(out, share, 3);
        return;
    }
    const int of_share = decimals_of(share, 3), of_half = decimals_of(half, 1), decimals = of_share < of_half ? of_share : of_half;
    const double unit = pow(10, -decimals); /* an interval is never printed as none */
    rl_buf_addf(out, "%.*f \xC2\xB1%.*f", decimals, share, decimals, fmax(half, unit));
}

enum text_key { TEXT_ID, TEXT_LABEL, TEXT_ROOF, TEXT_MARK, TEXT_FIGURE };

static struct view_cell text_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_resource *of = row;
    if (field->key == TEXT_ROOF)
        return view_cell_text(of->limit->measured ? "measured" : "theoretical");
    if (field->key == TEXT_MARK)
        return view_cell_text(of->limit->measured ? "m" : "p");
    if (field->key != TEXT_FIGURE)
        return view_cell_text(field->key == TEXT_ID ? rl_resources[of->resource].id : rl_resources[of->resource].label);
    struct rl_buf text = RL_BUF_IN(view->arena);
    view_share_format(&text, of->limit, of->sampled);
    return view_cell_kept(view, &text);
}

enum figure_key { FIGURE_SHARE, FIGURE_LOW, FIGURE_HIGH, FIGURE_TIME };

static struct view_cell figure_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_resource *of = row;
    const double ends[] = {[FIGURE_LOW] = of->limit->low, [FIGURE_HIGH] = of->limit->high};
    const bool is_end = field->key == FIGURE_LOW || field->key == FIGURE_HIGH;
    struct view_cell cell = view_cell_number(is_end                      ? rl_value_of(ends[field->key])
                                             : field->key == FIGURE_TIME ? of->limit->time_s
                                                                         : of->limit->share);
    cell.sign = field->key == FIGURE_SHARE && of->sampled ? VIEW_ESTIMATE : NULL;
    return cell;
}

#define TEXT(which)   VIEW_GET(TEXT, text_cell), .key = (which)
#define FIGURE(which) .type = VIEW_TYPE_NUMBER, .digits = 3, .get = figure_cell, .key = (which)

/* clang-format off */
static const struct view_field resource_fields[] = {
    {.id = "id", TEXT(TEXT_ID), .shown = VIEW_ON_REQUEST, .help = "the resource: a row of 'limits.def', the same in every version"},
    {.id = "resource", .head = "resource", TEXT(TEXT_LABEL), .identifies = true, .help = "its name for people"},
    {.id = "share", .head = "share", FIGURE(FIGURE_SHARE), .unit = RL_UNIT_FRACTION, .help = "time at its roof over the time"},
    {.id = "low", .head = "from", FIGURE(FIGURE_LOW), .unit = RL_UNIT_FRACTION, .help = "lower end of its 95 % CI"},
    {.id = "high", .head = "to", FIGURE(FIGURE_HIGH), .unit = RL_UNIT_FRACTION, .help = "upper end of its 95 % CI"},
    {.id = "figure", .head = "% of roof, 95 % CI", TEXT(TEXT_FIGURE), .for_people = true, .numeral = true,
     .help = "share with half of its interval"},
    {.id = "time_s", .head = "time at the roof", FIGURE(FIGURE_TIME), .unit = RL_UNIT_SECOND,
     .help = "time of the launch if nothing else limited it"},
    {.id = "roof", .head = "roof", TEXT(TEXT_ROOF), .help = "'measured' or 'theoretical'"},
    {.id = "mark", .head = "", TEXT(TEXT_MARK), .for_people = true, .help = "m: measured roof, p: theoretical peak"},
};
/* clang-format on */
const struct view_record view_record_resource = {
    .id = "resource", .help = "a resource, and its share of the roof", VIEW_FIELDS(resource_fields)};

/* ---- stalls ---- */

#define LEAST_STALL 0.01

/* "lg throttle" of "lg_throttle". */
static const char *reason_of(struct rl_arena *arena, const char *id)
{
    char *text = rl_arena_strdup(arena, id);
    for (char *p = text; *p; p++)
        *p = *p == '_' ? ' ' : *p;
    return text;
}

RL_COMPARATOR(by_time, struct view_stall, rl_descending(x->share, y->share) ?: strcmp(x->reason, y->reason));

struct view_rows view_stalls_of(struct rl_arena *arena, const struct rl_kernel_result *kernel)
{
    static const char prefix[] = "stall_";
    const struct rl_sampled_stall *sampled = &kernel->limits.sampled_stall;
    struct view_stall *rows = rl_arena_alloc(arena, RL_METRIC_COUNT * sizeof *rows);
    size_t count = 0;
    for (int i = 0; i < RL_METRIC_COUNT; i++) {
        const bool is_stall = rl_metrics[i].set == RL_SET_TOPSTALLS || rl_metrics[i].set == RL_SET_STALLS;
        if (!is_stall || !rl_present(kernel->metric[i]) || kernel->metric[i].v < LEAST_STALL)
            continue;
        rows[count++] = (struct view_stall){reason_of(arena, rl_metrics[i].id + strlen(prefix)), kernel->metric[i].v, NAN, NAN};
    }
    if (count)
        rl_sort(rows, count, sizeof *rows, by_time);
    else if (sampled->samples && sampled->reason < RL_STALL_COUNT)
        rows[count++] =
            (struct view_stall){reason_of(arena, rl_stalls[sampled->reason].id), sampled->share, sampled->low, sampled->high};
    return VIEW_ROWS(rows, count);
}

/* clang-format off */
static const struct view_field stall_fields[] = {
    {.id = "reason", .head = "stall", VIEW_AT(struct view_stall, reason), .identifies = true, .help = "as Nsight Compute calls it"},
    {.id = "share", .head = "of the warps' time", VIEW_AT(struct view_stall, share), .unit = RL_UNIT_FRACTION, .digits = 3,
     .help = "share of the warps' time, or of samples"},
};
/* clang-format on */
const struct view_record view_record_stall = {.id = "stall", .help = "a reason for which warps wait", VIEW_FIELDS(stall_fields)};
