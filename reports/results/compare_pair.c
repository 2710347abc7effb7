/* compare_pair.c - a kernel in the base and in another capture. */
#include "compare_parts.h"

/* ---- pairs ---- */

#define WORK_UNKNOWN "neither operations nor bytes stored are known for both"

VIEW_CELL(match_cell, struct view_pair, rl_matches[row->pair->match].words);
VIEW_CELL(verdict_cell, struct view_pair, rl_verdict_name(row->pair->change.verdict));
VIEW_CELL(work_cell, struct view_pair,
          row->pair->work_text               ? view_cell_text(row->pair->work_text)
          : row->pair->work == RL_WORK_EQUAL ? view_cell_absent("the work is equal")
                                             : view_cell_absent(WORK_UNKNOWN));
VIEW_CELL(outcome_cell, struct view_pair,
          row->pair->broke          ? view_cell_text("WRONG")
          : row->pair->not_compared ? view_cell_absent(row->pair->not_compared)
                                    : view_cell_text(rl_verdict_name(row->pair->change.verdict)));
VIEW_CELL(label_cell, struct view_pair,
          row->pair->work == RL_WORK_UNEQUAL ? rl_arena_printf(view->arena, "%s *", row->base.item->label) : row->base.item->label);
VIEW_CELL(match_score, struct view_pair,
          row->pair->likeness ? view_cell_number(rl_value_of(row->pair->likeness->score))
                              : view_cell_absent("not matched by likeness"));

VIEW_SAID(match_text, struct view_pair, "", rl_pair_match_text(row->pair, &text));

enum { TIME, CYCLES };

static struct view_cell ratio_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_change *change = &((const struct view_pair *)row)->pair->change;
    return field->key == CYCLES ? view_cell_ratio(&change->cycles, "the clocks do not differ, or are unknown")
                                : view_cell_ratio(&change->time, "no times on both sides");
}

VIEW_CELL(change_cell, struct view_pair,
          row->pair->change.time.present ? view_cell_number(rl_value_of(row->pair->change.time.estimate - 1))
                                         : view_cell_absent("no times on both sides"));

VIEW_CELL(contribution_cell, struct view_pair, rl_pair_contribution(row->part->comparison, row->pair));

struct view_cell view_change_cell(const struct view *view, const struct rl_ratio *ratio, bool interval, const char *few)
{
    struct rl_buf text = RL_BUF_IN(view->arena);
    if (!ratio->present || (interval && !ratio->has_interval))
        return view_cell_absent(ratio->present ? few : "no times on both sides");
    if (interval)
        rl_ratio_interval_text(ratio, &text);
    else
        rl_ratio_change_text(ratio->estimate, &text);
    return view_cell_text(view_keep(view, &text));
}

VIEW_CELL(change_text, struct view_pair,
          view_change_cell(view, &row->pair->change.time, field->key, "too few samples for an interval"));

VIEW_CELL(work_equal, struct view_pair,
          row->pair->work == RL_WORK_UNKNOWN ? view_cell_absent(WORK_UNKNOWN)
                                             : view_cell_boolean(row->pair->work == RL_WORK_EQUAL));

VIEW_SAID(doubt_cell, struct view_pair, "there is a verdict", rl_pair_doubt_text(row->pair, &text));

VIEW_CELL_IF(regression_cell, struct view_pair, view_compare_of(view)->options.tolerance >= 0,
             rl_pair_is_regression(row->pair, view_compare_of(view)->options.tolerance));

/* ---- before and after ---- */

struct view_cell view_speedup_cell(const struct view *view, const struct rl_ratio *ratio)
{
    struct rl_buf text = RL_BUF_IN(view->arena);
    if (!ratio->present || !(ratio->estimate > 0) || !isfinite(1 / ratio->estimate))
        return view_cell_absent("no times on both sides");
    rl_number_format(&text, 1 / ratio->estimate, 3);
    rl_buf_adds(&text, "×");
    if (ratio->has_interval && ratio->low > 0) {
        rl_buf_adds(&text, " (");
        rl_number_format(&text, 1 / ratio->high, 3);
        rl_buf_adds(&text, " to ");
        rl_number_format(&text, 1 / ratio->low, 3);
        rl_buf_adds(&text, ")");
    }
    return view_cell_text(view_keep(view, &text));
}

VIEW_CELL(speedup_cell, struct view_pair, view_speedup_cell(view, &row->pair->change.time));

/* The rate that goes with the share of a roof; RL_METRIC_COUNT: none is a metric. */
static enum rl_metric rate_at(enum rl_resource resource)
{
    static const struct {
        enum rl_resource first, last; /* in the order of limits.def */
        enum rl_metric rate;
    } rates[] = {
        {RL_RESOURCE_dram, RL_RESOURCE_dram, RL_METRIC_dram_bytes_per_second},
        {RL_RESOURCE_l2_read, RL_RESOURCE_l2_write, RL_METRIC_l2_bytes_per_second},
        {RL_RESOURCE_l2_input, RL_RESOURCE_l2_tags, RL_METRIC_l2_bytes_per_second},
        {RL_RESOURCE_l1, RL_RESOURCE_l1, RL_METRIC_l1_bytes_per_second},
        {RL_RESOURCE_l1_data, RL_RESOURCE_l1_data, RL_METRIC_l1_bytes_per_second},
        {RL_RESOURCE_issue, RL_RESOURCE_issue, RL_METRIC_instructions_per_second},
        {RL_RESOURCE_fp64, RL_RESOURCE_tensor, RL_METRIC_flop_per_second},
        {RL_RESOURCE_pipe_fma, RL_RESOURCE_pipe_tensor, RL_METRIC_flop_per_second},
        {RL_RESOURCE_pipe_alu, RL_RESOURCE_pipe_uniform, RL_METRIC_instructions_per_second},
    };
    for (size_t i = 0; i < RL_COUNT(rates); i++)
        if (resource >= rates[i].first && resource <= rates[i].last)
            return rates[i].rate;
    return RL_METRIC_COUNT;
}

const char *view_value_text(const struct view *view, enum rl_unit unit, struct rl_value value)
{
    struct rl_buf text = RL_BUF_IN(view->arena);
    if (!rl_present(value))
        return NULL;
    rl_unit_format(&text, unit, value.v, 3);
    return view_keep(view, &text);
}

static const char *rate_text(const struct view *view, const struct rl_item *item)
{
    const enum rl_metric rate = rate_at(item->nearest);
    return rate < RL_METRIC_COUNT ? view_value_text(view, rl_metrics[rate].unit, item->metric[rate]) : NULL;
}

const char *view_roof_text(const struct view *view, struct rl_value share)
{
    struct rl_buf text = RL_BUF_IN(view->arena);
    if (!rl_present(share))
        return NULL;
    view_share_add(&text, share.v);
    return view_keep(view, &text);
}

struct view_cell view_before_after(const struct view *view, const char *base, const char *new)
{
    if (!base && !new)
        return view_cell_absent("not counted");
    if (base && new &&strcmp(base, new) == 0)
        return view_cell_text(base);
    return view_cell_text(rl_arena_printf(view->arena, "%s → %s", base ? base : "unknown", new ? new : "unknown"));
}

VIEW_CELL(rate_cell, struct view_pair,
          rate_at(row->base.item->nearest) == RL_METRIC_COUNT && rate_at(row->new.item->nearest) == RL_METRIC_COUNT
              ? view_cell_absent("no bytes or operations are counted at the nearest roof")
              : view_before_after(view, rate_text(view, row->base.item), rate_text(view, row->new.item)));
VIEW_CELL(roof_cell, struct view_pair,
          view_before_after(view, view_roof_text(view, row->base.item->roof_share),
                            view_roof_text(view, row->new.item->roof_share)));
/* Where no kernel has a limiter, no cell is present, and media leave the column out. */
VIEW_CELL(limiter_cell, struct view_pair,
          row->base.item->limited_by || row->new.item->limited_by
              ? view_before_after(view, row->base.item->limited_by, row->new.item->limited_by)
          : row->part->has_limiters ? view_cell_text("unknown")
                                    : view_cell_absent("evidence for a limiter is missing"));

/* ---- of GPUs ---- */

static const struct rl_column *column_of(const struct view *view, const struct view_pair *pair)
{
    return &view_compare_of(view)->options.columns->columns[pair->other + 1];
}

VIEW_CELL_IF(predicted_cell, struct view_pair, view_compare_of(view)->options.columns,
             column_of(view, row)->cells[row->pair->base].predicted);

VIEW_CELL_IF(wasted_cell, struct view_pair, view_compare_of(view)->options.columns,
             rl_cell_is_underused(column_of(view, row), row->pair->base));

/* ---- the record ---- */

VIEW_CELL(pair_id, struct view_pair, view_item_id(view, &row->base));

/* clang-format off */
static const struct view_field pair_fields[] = {
    {.id = "other", VIEW_AT(struct view_pair, other), .shown = VIEW_ON_REQUEST, .help = "position of the capture among the others"},
    {.id = "capture", .head = "capture", VIEW_IN(struct view_pair, part, name), .shown = VIEW_ON_REQUEST,
     .help = "name of the file that the baseline is compared with"},
    {.id = "id", .head = "id", VIEW_GET(TEXT, pair_id), .shown = VIEW_ON_REQUEST,
     .help = "short name of the launch configuration in the baseline"},
    {.id = "name", .head = "kernel", VIEW_IN(struct view_pair, base.item, label), .columns = VIEW_NAME_COLUMNS,
     .identifies = true, .help = "what it is called in tables"},
    {.id = "marked", .head = "kernel", VIEW_GET(TEXT, label_cell), .columns = VIEW_NAME_COLUMNS,
     .for_people = true, .shown = VIEW_ON_REQUEST, .help = "the same, with an asterisk where the work is unequal"},
    {.id = "match", VIEW_GET(TEXT, match_cell), .shown = VIEW_ON_REQUEST, .help = "how it was matched"},
    {.id = "match_score", .head = "match score", .type = VIEW_TYPE_NUMBER, .digits = 2, .get = match_score,
     .shown = VIEW_ON_REQUEST, .help = "0 to 1: how alike a kernel is that was matched by likeness"},
    {.id = "match_text", VIEW_GET(TEXT, match_text), .shown = VIEW_ON_REQUEST,
     .help = "how it was matched, with the score and what it is made of"},
    {.id = "verdict", VIEW_GET(TEXT, verdict_cell),
     .help = "FASTER, SLOWER, SAME or UNDECIDED; pairs without a verdict are UNDECIDED"},
    {.id = "ratio", VIEW_GET_RECORD(&view_record_ratio, ratio_cell), .key = TIME,
     .help = "time, " RL_RATIO_READS "; the interval includes the differences between sessions and the clock's steps"},
    {.id = "ratio_in_cycles", VIEW_GET_RECORD(&view_record_ratio, ratio_cell), .key = CYCLES,
     .help = "the same in clock cycles, where the clocks differ"},
    {.id = "change", .head = "change", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .digits = 3, .get = change_cell,
     .is_change = true, .shown = VIEW_ON_REQUEST, .help = "the ratio less 1"},
    {.id = "share", .head = "share", VIEW_IN(struct view_pair, pair, share), .unit = RL_UNIT_FRACTION, .digits = 3,
     .shown = VIEW_ON_REQUEST, .help = "its share of the time of the baseline's kernels"},
    {.id = "contribution", .head = "effect on all", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .digits = 3,
     .get = contribution_cell, .is_change = true, .shown = VIEW_ON_REQUEST,
     .help = "what its change adds to the ratio of all kernels together"},
    {.id = "time_text", .excused = view_needs_no_note, .head = "time change", VIEW_GET(TEXT, change_text),
     .numeral = true, .for_people = true, .help = "by how much the time changed"},
    {.id = "interval", .excused = view_needs_no_note, .head = "CI of time change", VIEW_GET(TEXT, change_text), .key = 1,
     .numeral = true, .for_people = true, .help = "confidence interval of the time change"},
    {.id = "speedup", .excused = view_needs_no_note, .head = "speedup (CI)", VIEW_GET(TEXT, speedup_cell),
     .numeral = true, .for_people = true, .shown = VIEW_ON_REQUEST,
     .help = "time in the baseline over time in the other capture, with its interval"},
    {.id = "rate", .head = "rate", VIEW_GET(TEXT, rate_cell), .for_people = true,
     .shown = VIEW_SHOWN_WHEN_ANY,
     .help = "what is moved or computed in a second at the nearest roof, before and after"},
    {.id = "roof", .head = "% of roof", VIEW_GET(TEXT, roof_cell), .for_people = true, .shown = VIEW_SHOWN_WHEN_ANY,
     .help = "roof time over time, before and after"},
    {.id = "limiter", .head = "limited by", VIEW_GET(TEXT, limiter_cell), .wraps = true,
     .for_people = true, .shown = VIEW_SHOWN_WHEN_ANY, .help = "what limits it, before and after"},
    {.id = "outcome", .excused = view_needs_no_note, .head = "verdict", VIEW_GET(TEXT, outcome_cell), .for_people = true,
     .shown = VIEW_ON_REQUEST,
     .help = "the verdict, or WRONG for a result that was right and is wrong now"},
    {.id = "work_equal", VIEW_GET(BOOLEAN, work_equal), .shown = VIEW_ON_REQUEST, .help = "whether both do the same work"},
    {.id = "work", VIEW_GET(TEXT, work_cell), .shown = VIEW_ON_REQUEST, .help = "how the work differs"},
    {.id = "why", VIEW_IN_ROWS(struct view_pair, pair, moved, moved_count, &view_record_moved),
     .help = "metrics that moved, those that explain the verdict first"},
    {.id = "causes", VIEW_GET(TEXT, view_causes_cell), .for_people = true, .shown = VIEW_ON_REQUEST,
     .help = "the metrics that explain most"},
    {.id = "counts", VIEW_IN_ROWS(struct view_pair, pair, tallies, tally_count, &view_record_tally),
     .help = "counts of work that both captures have: evidence that does not depend on times"},
    {.id = "counts_text", VIEW_GET(TEXT, view_counts_cell), .shown = VIEW_ON_REQUEST,
     .help = "which of them differ and by how much, and which do not"},
    {.id = "doubt", VIEW_GET(TEXT, doubt_cell), .shown = VIEW_ON_REQUEST, .help = "why there is no verdict"},
    {.id = "condition", VIEW_IN(struct view_pair, pair, change.condition), .unit = RL_UNIT_FRACTION, .digits = 2,
     .none_if_zero = true, .shown = VIEW_ON_REQUEST, .optional = true,
     .help = "the verdict holds if sessions of unchanged code differ by at most so much; none: without that"},
    {.id = "more_samples", VIEW_IN(struct view_pair, pair, change.more_samples), .none_if_zero = true,
     .shown = VIEW_ON_REQUEST, .optional = true,
     .help = "about how many more samples of each capture, or sessions of each side, would decide"},
    {.id = "result_broke", VIEW_IN(struct view_pair, pair, broke), .shown = VIEW_ON_REQUEST,
     .help = "whether the result was right and is wrong now"},
    {.id = "regression", VIEW_GET(BOOLEAN, regression_cell), .shown = VIEW_ON_REQUEST,
     .optional = true, .help = "whether the gate counts it as a regression"},
    {.id = "predicted_speedup", .head = "predicted", .type = VIEW_TYPE_NUMBER, .digits = 3, .get = predicted_cell,
     .shown = VIEW_ON_REQUEST, .optional = true, .help = "of GPUs: time at the baseline's roof over time at this GPU's"},
    {.id = "wasted", VIEW_GET(BOOLEAN, wasted_cell), .shown = VIEW_ON_REQUEST, .optional = true,
     .help = "of GPUs: whether the whole interval stays under 80 % of the predicted speedup"},
    {.id = "base", .head = "baseline", VIEW_AT_MEMBER(struct view_pair, base, &view_record_item), .excused = view_needs_no_note,
     .help = "the kernel in the baseline"},
    {.id = "new", .head = "candidate", VIEW_AT_MEMBER(struct view_pair, new, &view_record_item), .excused = view_needs_no_note,
     .help = "the kernel in the other capture"},
};
/* clang-format on */
const struct view_record view_record_pair = {
    .id = "pair", .help = "a kernel in the baseline and in another capture", VIEW_FIELDS(pair_fields)};
