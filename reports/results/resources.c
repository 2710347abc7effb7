/* resources.c - resources of a kernel by their share of the roof, stalls of its warps (see results/results.h). */
#include "results/results.h"

/* ---- resources ---- */

RL_COMPARATOR(by_share, struct view_resource,
              rl_descending(x->limit->share.v, y->limit->share.v) ?: rl_ascending(x->resource, y->resource));

struct view_rows view_resources_of(struct rl_arena *arena, const struct rl_kernel_result *kernel)
{
    struct view_resource *rows = rl_arena_alloc(arena, RL_RESOURCE_COUNT * sizeof *rows);
    size_t count = 0;
    for (int i = 0; i < RL_RESOURCE_COUNT; i++) {
        const struct rl_limit *limit = &kernel->limits.of[i];
        if (rl_positive(limit->share))
            rows[count++] = (struct view_resource){(enum rl_resource)i, limit, kernel->limits.sampled};
    }
    if (count)
        rl_sort(rows, count, sizeof *rows, by_share);
    return VIEW_ROWS(rows, count);
}

struct view_cell view_tied(const struct view *view, uint64_t tied)
{
    struct rl_buf ids = RL_BUF_IN(view->arena);
    for (size_t i = 0; i < RL_RESOURCE_COUNT; i++)
        if (tied >> i & 1)
            rl_buf_addf(&ids, "%s%s", ids.len ? " " : "", rl_resources[i].id);
    return ids.len ? view_cell_kept(view, &ids) : view_cell_absent("");
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
    rl_buf_adds(out, sampled ? RL_SIGN_ESTIMATE : "");
    if (!(half > 0) || !(share > 0)) {
        rl_number_format(out, share, 3);
        return;
    }
    const int of_share = decimals_of(share, 3), of_half = decimals_of(half, 1), decimals = of_share < of_half ? of_share : of_half;
    const double unit = pow(10, -decimals); /* an interval is never printed as none */
    rl_buf_addf(out, "%.*f \xC2\xB1%.*f", decimals, share, decimals, fmax(half, unit));
}

VIEW_CELL(id_cell, struct view_resource, rl_resources[row->resource].id);
VIEW_CELL(label_cell, struct view_resource, rl_resources[row->resource].label);
VIEW_CELL(roof_cell, struct view_resource, row->limit->measured ? "measured" : "theoretical");
VIEW_CELL(mark_cell, struct view_resource, row->limit->measured ? "m" : "p");
VIEW_CELL(share_cell, struct view_resource, view_cell_signed(row->limit->share, row->sampled ? RL_SIGN_ESTIMATE : NULL));
VIEW_SAID(figure_cell, struct view_resource, "", view_share_format(&text, row->limit, row->sampled));

/* clang-format off */
static const struct view_field resource_fields[] = {
    {.id = "id", VIEW_GET(TEXT, id_cell), .shown = VIEW_ON_REQUEST,
     .help = "the resource: a row of 'limits.def', the same in every version"},
    {.id = "resource", .head = "resource", VIEW_GET(TEXT, label_cell), .identifies = true, .help = "its name for people"},
    {.id = "share", .head = "share", VIEW_GET(NUMBER, share_cell), .digits = 3, .unit = RL_UNIT_FRACTION,
     .help = "time at its roof over the time"},
    {.id = "low", .head = "from", VIEW_IN(struct view_resource, limit, low), .digits = 3, .unit = RL_UNIT_FRACTION,
     .help = "lower end of its 95 % CI"},
    {.id = "high", .head = "to", VIEW_IN(struct view_resource, limit, high), .digits = 3, .unit = RL_UNIT_FRACTION,
     .help = "upper end of its 95 % CI"},
    {.id = "figure", .head = "% of roof, 95 % CI", VIEW_GET(TEXT, figure_cell), .for_people = true, .numeral = true,
     .help = "share with half of its interval"},
    {.id = "time_s", .head = "time at the roof", VIEW_IN(struct view_resource, limit, time_s), .digits = 3, .unit = RL_UNIT_SECOND,
     .help = "time of the launch if nothing else limited it"},
    {.id = "roof", .head = "roof", VIEW_GET(TEXT, roof_cell), .help = "'measured' or 'theoretical'"},
    {.id = "mark", .head = "", VIEW_GET(TEXT, mark_cell), .for_people = true, .help = "m: measured roof, p: theoretical peak"},
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
