/* compare_cases.c - a case in the base and in another capture. */
#include "results/results.h"

#include "compare_parts.h"

VIEW_CELL(pair_shown, struct rl_case_pair, view_case_label(row->base, VIEW_NAME_COLUMNS));

static struct view_cell pair_time(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_case_pair *pair = row;
    const struct rl_case *of = field->key ? pair->new : pair->base;
    const struct rl_median *median = field->key ? &pair->change.new : &pair->change.base; /* of all sessions */
    return median->n && median->median > 0 ? view_cell_number(rl_value_of(median->median))
           : of->time.n                    ? view_cell_number(rl_value_of(of->time.median))
                                           : view_cell_absent(of->untold);
}

VIEW_CELL(pair_ratio, struct rl_case_pair, view_cell_ratio(&row->change.time, "no times on both sides"));

VIEW_CELL(pair_verdict, struct rl_case_pair, rl_verdict_name(row->change.verdict));
VIEW_CELL(pair_change, struct rl_case_pair, view_change_cell(view, &row->change.time, field->key, "too few times for an interval"));
VIEW_SAID(pair_doubt, struct rl_case_pair, "there is a verdict", rl_change_doubt_text(&row->change, &text));

VIEW_CELL(pair_speedup, struct rl_case_pair, view_speedup_cell(view, &row->change.time));

/* "1.63 TB/s"; of benchmarks "2050 tokens/s". */
static const char *rate_text(const struct view *view, const struct rl_case *of)
{
    const char *text = view_value_text(view, of->unit, of->rate);
    return text && of->unit == RL_UNIT_NONE && of->rate_of ? rl_arena_printf(view->arena, "%s %s/s", text, of->rate_of) : text;
}

static const char *limiter_text(const struct rl_case *of)
{
    return of->kernel_count ? of->limited_by : NULL;
}

VIEW_CELL(pair_rate, struct rl_case_pair,
          !rl_present(row->base->rate) && !rl_present(row->new->rate)
              ? view_cell_absent(rl_value_reason(row->base->rate))
              : view_before_after(view, rate_text(view, row->base), rate_text(view, row->new)));
VIEW_CELL(pair_roof, struct rl_case_pair,
          view_before_after(view, view_roof_text(view, row->base->roof_share), view_roof_text(view, row->new->roof_share)));
VIEW_CELL(pair_limiter, struct rl_case_pair,
          !limiter_text(row->base) && !limiter_text(row->new)
              ? view_cell_absent("evidence for a limiter is missing")
              : view_before_after(view, limiter_text(row->base), limiter_text(row->new)));

/* clang-format off */
#define PAIR_TEXT(of) VIEW_GET(TEXT, pair_##of), .excused = view_needs_no_note
static const struct view_field pair_fields[] = {
    {.id = "label", VIEW_IN(struct rl_case_pair, base, label), .shown = VIEW_ON_REQUEST,
     .help = "its name with parameters, as the baseline has it"},
    {.id = "shown", .head = "case", VIEW_GET(TEXT, pair_shown), .columns = VIEW_NAME_COLUMNS, .identifies = true,
     .for_people = true, .look = VIEW_LOOK_CODE,
     .help = "the same; where it is long, without the parameters that all cases of its name share"},
    {.id = "base_s", .head = "baseline", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_SECOND, .get = pair_time, .key = 0,
     .excused = view_needs_no_note, .scale = "case", .help = "median time in the baseline"},
    {.id = "new_s", .head = "candidate", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_SECOND, .get = pair_time, .key = 1,
     .excused = view_needs_no_note, .scale = "case", .help = "median time in the other capture"},
    {.id = "base_times", VIEW_IN(struct rl_case_pair, base, n), .shown = VIEW_ON_REQUEST,
     .help = "number of times in the baseline"},
    {.id = "new_times", VIEW_IN(struct rl_case_pair, new, n), .shown = VIEW_ON_REQUEST,
     .help = "number of times in the other capture"},
    {.id = "ratio", VIEW_GET_RECORD(&view_record_ratio, pair_ratio),
     .help = "time of the other capture over that of the baseline; intervals of all cases hold together"},
    {.id = "time_text", .head = "time", PAIR_TEXT(change), .key = 0, .numeral = true, .for_people = true,
     .help = "by how much the time changed"},
    {.id = "interval", .head = "CI of time change", PAIR_TEXT(change), .key = 1, .numeral = true, .for_people = true,
     .help = "confidence interval of the time change"},
    {.id = "speedup", .head = "speedup (CI)", VIEW_GET(TEXT, pair_speedup), .numeral = true,
     .excused = view_needs_no_note, .for_people = true, .shown = VIEW_ON_REQUEST,
     .help = "time in the baseline over time in the other capture, with its interval"},
    {.id = "rate", VIEW_GET(TEXT, pair_rate), .for_people = true,
     .shown = VIEW_SHOWN_WHEN_ANY, .help = "work in a second, before and after"},
    {.id = "roof", .head = "% of roof", VIEW_GET(TEXT, pair_roof), .for_people = true, .shown = VIEW_SHOWN_WHEN_ANY,
     .help = "time at the roofs over time of its kernels, before and after"},
    {.id = "limiter", .head = "limited by", VIEW_GET(TEXT, pair_limiter), .wraps = true,
     .for_people = true, .shown = VIEW_SHOWN_WHEN_ANY, .help = "what limits it, before and after"},
    {.id = "verdict", PAIR_TEXT(verdict), .help = "FASTER, SLOWER, SAME or UNDECIDED"},
    {.id = "doubt", PAIR_TEXT(doubt), .shown = VIEW_ON_REQUEST, .help = "why it is undecided"},
};
const struct view_record view_record_case_pair = {
    .id = "case_pair", .help = "a case in the baseline and in another capture", VIEW_FIELDS(pair_fields),
    .columns = VIEW_CASE_PAIR_COLUMNS};
/* clang-format on */

/* ---- of a capture ---- */

static const struct rl_case_comparison *cases_of(const void *row)
{
    const struct rl_comparison *comparison = ((const struct view_part *)row)->comparison;
    return comparison ? comparison->cases : NULL; /* the base has none */
}

VIEW_WHEN(is_undecided, struct rl_case_pair, row->change.verdict == RL_UNDECIDED);

struct view_cell view_case_pairs_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_case_comparison *cases = cases_of(row);
    if (!cases)
        return view_cell_absent("");
    const struct view_rows all = VIEW_ROWS(cases->pairs, cases->pair_count);
    return view_cell_rows(field->key == VIEW_CASES_OPEN ? view_rows_where(view, all, is_undecided) : all);
}

bool view_has_case_pairs(const struct view *view, const void *row)
{
    return cases_of(row) && cases_of(row)->pair_count > 0;
}

VIEW_CELL(alone_label, void, (*(const struct rl_case *const *)row)->label);

static const struct view_field alone_fields[] = {{.id = "label", VIEW_GET(TEXT, alone_label), .help = "its name with parameters"}};
const struct view_record view_record_case_alone = {
    .id = "case_alone", .help = "a case that only one capture has", VIEW_FIELDS(alone_fields), .plain = true};

struct view_cell view_cases_alone_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_case_comparison *cases = cases_of(row);
    if (!cases)
        return view_cell_absent("");
    return view_cell_rows(field->key == VIEW_CASES_ADDED ? VIEW_ROWS(cases->added, cases->added_count)
                                                         : VIEW_ROWS(cases->removed, cases->removed_count));
}

struct view_cell view_cases_ratio_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return cases_of(row) ? view_cell_ratio(&cases_of(row)->whole, "no case has times on both sides") : view_cell_absent("");
}

struct view_cell view_case_verdicts_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_record(cases_of(row) ? cases_of(row)->verdicts : NULL);
}
