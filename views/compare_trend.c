/* compare_trend.c - kernels over captures that were accepted. */
#include "compare_parts.h"

#include "core/units.h"

struct view_cell view_history_cell(const struct view *view, const struct view_field *field, const void *row)
{
    (void)view;
    (void)field;
    return view_cell_record(((const struct view_part *)row)->history);
}

bool view_part_has_history(const struct view *view, const void *row)
{
    (void)view;
    return ((const struct view_part *)row)->history != NULL;
}

struct view_cell view_trends_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_history *history = ((const struct view_part *)row)->history;
    (void)view;
    (void)field;
    if (!history)
        return view_cell_absent("");
    return view_cell_rows(
        (struct view_rows){.first = history->kernels, .stride = sizeof *history->kernels, .count = history->count});
}

/* clang-format off */
static const struct view_field history_fields[] = {
    {.id = "chosen", VIEW_AT(struct rl_history, chosen), .help = "name of the entry that is the base here"},
    {.id = "entries", VIEW_AT(struct rl_history, entries), .help = "number of entries that were looked at, the newest ones"},
    {.id = "comparable", VIEW_AT(struct rl_history, comparable), .help = "how many of them are of this card and driver"},
};
const struct view_record view_record_history = {
    .id = "baseline", .title = "", .help = "captures that were accepted", VIEW_FIELDS(history_fields)};

enum { VERDICT, TEXT };
enum { DAYS, CHANGE, PER_WEEK };

/* "+4.0 %, +3.6 to +4.4 %, over 8 captures, 49 days: SLOWER, +0.5 % a week" */
static const char *words_of(const struct view *view, const struct rl_trend *trend)
{
    struct rl_buf text = RL_BUF_INIT;
    if (!trend->ratio.present) {
        rl_buf_addf(&text, "%zu captures: too few for a trend, which needs %d", trend->count, RL_TREND_LEAST);
        return view_keep(view, &text);
    }
    rl_ratio_change_text(trend->ratio.estimate, &text);
    rl_buf_adds(&text, " (");
    rl_ratio_interval_text(&trend->ratio, &text);
    rl_buf_addf(&text, ") over %zu captures of %.0f days: %s", trend->count, trend->days, rl_verdict_name(trend->verdict));
    if (trend->verdict == RL_SLOWER || trend->verdict == RL_FASTER) {
        rl_buf_adds(&text, ", ");
        rl_ratio_change_text(1 + trend->per_week, &text);
        rl_buf_adds(&text, " a week");
    }
    return view_keep(view, &text);
}

static struct view_cell trend_text(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_trend *trend = &((const struct rl_kernel_trend *)row)->trend;
    if (field->key == TEXT)
        return view_cell_text(words_of(view, trend));
    return trend->ratio.present ? view_cell_text(rl_verdict_name(trend->verdict)) : view_cell_absent("too few captures");
}

static struct view_cell trend_number(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_trend *trend = &((const struct rl_kernel_trend *)row)->trend;
    (void)view;
    if (field->key == DAYS)
        return view_cell_number(rl_value_of(trend->days * 86400));
    if (!trend->ratio.present)
        return view_cell_absent("too few captures");
    return view_cell_number(rl_value_of(field->key == CHANGE ? trend->ratio.estimate - 1 : trend->per_week));
}

static struct view_cell trend_ratio(const struct view *view, const struct view_field *field, const void *row)
{
    (void)view;
    (void)field;
    return view_cell_ratio(&((const struct rl_kernel_trend *)row)->trend.ratio, "too few captures");
}

static struct view_cell trend_count(const struct view *view, const struct view_field *field, const void *row)
{
    (void)view;
    (void)field;
    return view_cell_whole(((const struct rl_kernel_trend *)row)->trend.count);
}

static const struct view_field trend_fields[] = {
    {.id = "name", VIEW_AT(struct rl_kernel_trend, label), .columns = VIEW_NAME_COLUMNS, .identifies = true, .help = "the kernel"},
    {.id = "captures", .type = VIEW_TYPE_WHOLE, .get = trend_count, .help = "number of entries that have it, and the new one"},
    {.id = "span_s", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_SECOND, .get = trend_number, .key = DAYS,
     .help = "from the first of them to the new one"},
    {.id = "ratio", .type = VIEW_TYPE_RECORD, .record = &view_record_ratio, .get = trend_ratio,
     .help = "last over first along the line through all"},
    {.id = "change", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .digits = 3, .get = trend_number, .key = CHANGE,
     .help = "the ratio less 1"},
    {.id = "change_per_week", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .digits = 3, .get = trend_number, .key = PER_WEEK,
     .help = "relative change in a week along that line"},
    {.id = "verdict", .type = VIEW_TYPE_TEXT, .get = trend_text, .key = VERDICT, .help = "SLOWER, FASTER, SAME or UNDECIDED"},
    {.id = "sparkline", VIEW_AT(struct rl_kernel_trend, sparkline), .help = "the times as blocks, the oldest first"},
    {.id = "text", .type = VIEW_TYPE_TEXT, .get = trend_text, .key = TEXT, .for_people = true, .help = "all of it in words"},
};
const struct view_record view_record_trend = {
    .id = "trend", .title = "", .help = "a kernel over captures that were accepted", VIEW_FIELDS(trend_fields)};
/* clang-format on */
