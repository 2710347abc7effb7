/* compare_pair.c - a kernel in the base and in another capture. */

#include "compare_parts.h"

#include <assert.h>

/* ---- what moved ---- */

enum { METRIC, UNIT };

static struct view_cell moved_text(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_metric_info *metric = &rl_metrics[((const struct rl_moved *)row)->metric];
    (void)view;
    return view_cell_text(field->key == METRIC ? metric->id : rl_unit_json(metric->unit));
}

static const struct view_field moved_fields[] = {
    {.id = "metric", .type = VIEW_TYPE_TEXT, .get = moved_text, .key = METRIC, .help = "id of the metric"},
    {.id = "unit", .type = VIEW_TYPE_TEXT, .get = moved_text, .key = UNIT, .since = 2, .help = "unit of both values"},
    {.id = "base", VIEW_AT(struct rl_moved, base), .help = "its value in the base"},
    {.id = "new", VIEW_AT(struct rl_moved, new), .help = "its value in the other capture"},
    {.id = "explains", VIEW_AT(struct rl_moved, explains), .help = "whether such a change makes kernels as much slower or faster"},
};
static const struct view_record moved_record = {
    .id = "moved", .title = "", .help = "a metric that changed by more than counters scatter", VIEW_FIELDS(moved_fields)};

static struct view_cell moved_rows(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_pair *pair = ((const struct view_pair *)row)->pair;
    (void)view;
    (void)field;
    return view_cell_rows((struct view_rows){.first = pair->moved, .stride = sizeof *pair->moved, .count = pair->moved_count});
}

static void add_moved(struct rl_buf *out, const struct rl_moved *moved)
{
    const struct rl_metric_info *metric = &rl_metrics[moved->metric];
    rl_buf_addf(out, "%s%s ", out->len ? "; " : "", metric->label);
    rl_unit_format(out, metric->unit, moved->base.v, 3);
    rl_buf_adds(out, " → ");
    rl_unit_format(out, metric->unit, moved->new.v, 3);
}

/* "DRAM traffic 403 MB → 201 MB; memory-bound → compute-bound" */
static struct view_cell causes_cell(const struct view *view, const struct view_field *field, const void *row)
{
    enum { MOST_CAUSES = 3 };
    const struct view_pair *of = row;
    const enum rl_bound before = of->base.item->bound, after = of->new.item->bound;
    const bool alone = rl_pair_moved_alone(of->pair);
    struct rl_buf text = RL_BUF_INIT;
    (void)field;
    for (size_t i = 0, said = 0; i < of->pair->moved_count && said < MOST_CAUSES; i++)
        if (of->pair->moved[i].explains || alone) {
            add_moved(&text, &of->pair->moved[i]);
            said++;
        }
    if (!text.len)
        rl_buf_adds(&text, "no counter that both captures have moved in a way that explains it");
    if (before != after && before != RL_BOUND_UNKNOWN && after != RL_BOUND_UNKNOWN)
        rl_buf_addf(&text, "; %s → %s", rl_bound_name(before), rl_bound_name(after));
    return view_cell_text(view_keep(view, &text));
}

/* ---- what was counted ---- */

static struct view_cell tally_text(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_tally_info *info = &rl_tallies[((const struct rl_tally *)row)->id];
    (void)view;
    return view_cell_text(field->key ? info->words : info->id);
}

static struct view_cell tally_exact(const struct view *view, const struct view_field *field, const void *row)
{
    (void)view;
    (void)field;
    return view_cell_boolean(rl_tallies[((const struct rl_tally *)row)->id].scatter == 0);
}

static const struct view_field tally_fields[] = {
    {.id = "id", .type = VIEW_TYPE_TEXT, .get = tally_text, .help = "name of the count"},
    {.id = "words", .type = VIEW_TYPE_TEXT, .get = tally_text, .key = 1, .help = "what is counted"},
    {.id = "base", VIEW_AT(struct rl_tally, base), .help = "of one launch or run in the base"},
    {.id = "new", VIEW_AT(struct rl_tally, new), .help = "the same in the other capture"},
    {.id = "equal",
     VIEW_AT(struct rl_tally, is_equal),
     .help = "whether both are the same, exactly or within what such counts scatter"},
    {.id = "exact",
     .type = VIEW_TYPE_BOOLEAN,
     .get = tally_exact,
     .help = "whether it follows from code and input alone, so that any difference is one of the work"},
};
static const struct view_record tally_record = {
    .id = "tally", .title = "", .help = "a count of work that both captures have", VIEW_FIELDS(tally_fields)};

static struct view_cell tally_rows(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_pair *pair = ((const struct view_pair *)row)->pair;
    (void)view;
    (void)field;
    return view_cell_rows((struct view_rows){.first = pair->tallies, .stride = sizeof *pair->tallies, .count = pair->tally_count});
}

static struct view_cell counts_cell(const struct view *view, const struct view_field *field, const void *row)
{
    struct rl_buf text = RL_BUF_INIT;
    (void)field;
    rl_pair_counts_text(((const struct view_pair *)row)->pair, &text);
    const char *counts = view_keep(view, &text);
    return counts ? view_cell_text(counts) : view_cell_absent("nothing was counted on both sides");
}

/* ---- pairs ---- */

#define WORK_UNKNOWN "neither operations nor bytes stored are known of both"

enum { MATCH, VERDICT, WORK, OUTCOME, FILE_NAME };

static struct view_cell pair_text(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_pair *of = row;
    const struct rl_pair *pair = of->pair;
    const char *const texts[] = {
        [MATCH] = rl_matches[pair->match].words,
        [VERDICT] = rl_verdict_name(pair->change.verdict),
        [WORK] = pair->work_text,
        [OUTCOME] = pair->broke ? "WRONG" : rl_verdict_name(pair->change.verdict),
        [FILE_NAME] = of->part->name,
    };
    (void)view;
    if (field->key == OUTCOME && pair->not_compared && !pair->broke)
        return view_cell_absent(pair->not_compared);
    if (field->key == WORK && !pair->work_text)
        return view_cell_absent(pair->work == RL_WORK_EQUAL ? "the work is equal" : WORK_UNKNOWN);
    assert((size_t)field->key < RL_COUNT(texts));
    return view_cell_text(texts[field->key]);
}

static struct view_cell label_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_pair *pair = row;
    (void)field;
    return view_cell_text(pair->pair->work == RL_WORK_UNEQUAL ? rl_arena_printf(view->arena, "%s *", pair->base.item->label)
                                                              : pair->base.item->label);
}

static struct view_cell match_score(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_likeness *likeness = ((const struct view_pair *)row)->pair->likeness;
    (void)view;
    (void)field;
    return likeness ? view_cell_number(rl_value_of(likeness->score)) : view_cell_absent("not matched by likeness");
}

static struct view_cell match_text(const struct view *view, const struct view_field *field, const void *row)
{
    struct rl_buf text = RL_BUF_INIT;
    (void)field;
    rl_pair_match_text(((const struct view_pair *)row)->pair, &text);
    return view_cell_text(view_keep(view, &text));
}

enum { TIME, CYCLES };

static struct view_cell ratio_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_change *change = &((const struct view_pair *)row)->pair->change;
    (void)view;
    return field->key == CYCLES ? view_cell_ratio(&change->cycles, "the clocks do not differ, or are not known")
                                : view_cell_ratio(&change->time, "no times on both sides");
}

static struct view_cell change_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_ratio *ratio = &((const struct view_pair *)row)->pair->change.time;
    (void)view;
    (void)field;
    return ratio->present ? view_cell_number(rl_value_of(ratio->estimate - 1)) : view_cell_absent("no times on both sides");
}

/* "−20.0 %", "−20.6 to −19.4 %" */
static struct view_cell change_text(const struct view *view, const struct view_field *field, const void *row)
{
    enum { INTERVAL = 1 };
    const struct rl_ratio *ratio = &((const struct view_pair *)row)->pair->change.time;
    struct rl_buf text = RL_BUF_INIT;
    if (!ratio->present || (field->key == INTERVAL && !ratio->has_interval))
        return view_cell_absent(ratio->present ? "too few samples for an interval" : "no times on both sides");
    if (field->key == INTERVAL)
        rl_ratio_interval_text(ratio, &text);
    else
        rl_ratio_change_text(ratio->estimate, &text);
    return view_cell_text(view_keep(view, &text));
}

/* Why there is no verdict stands in a list of its own. */
static bool is_told_elsewhere(const struct view *view, const void *row)
{
    (void)view;
    (void)row;
    return true;
}

static struct view_cell work_equal(const struct view *view, const struct view_field *field, const void *row)
{
    const enum rl_work work = ((const struct view_pair *)row)->pair->work;
    (void)view;
    (void)field;
    return work == RL_WORK_UNKNOWN ? view_cell_absent(WORK_UNKNOWN) : view_cell_boolean(work == RL_WORK_EQUAL);
}

static struct view_cell doubt_cell(const struct view *view, const struct view_field *field, const void *row)
{
    struct rl_buf text = RL_BUF_INIT;
    (void)field;
    rl_pair_doubt_text(((const struct view_pair *)row)->pair, &text);
    const char *doubt = view_keep(view, &text);
    return doubt ? view_cell_text(doubt) : view_cell_absent("there is a verdict");
}

static struct view_cell more_samples(const struct view *view, const struct view_field *field, const void *row)
{
    const size_t more = ((const struct view_pair *)row)->pair->change.more_samples;
    (void)view;
    (void)field;
    return more ? view_cell_whole(more) : view_cell_absent("");
}

enum { BROKE, REGRESSION };

static struct view_cell pair_is(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_pair *pair = ((const struct view_pair *)row)->pair;
    const double tolerance = view_compare_of(view)->options.tolerance;
    if (field->key == BROKE)
        return view_cell_boolean(pair->broke);
    return tolerance < 0 ? view_cell_absent("") : view_cell_boolean(rl_pair_is_regression(pair, tolerance));
}

/* ---- of cards ---- */

static struct view_cell predicted_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_columns *columns = view_compare_of(view)->options.columns;
    const struct view_pair *pair = row;
    (void)field;
    return columns ? view_cell_number(columns->columns[pair->other + 1].cells[pair->pair->base].predicted) : view_cell_absent("");
}

static struct view_cell wasted_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_columns *columns = view_compare_of(view)->options.columns;
    const struct view_pair *pair = row;
    (void)field;
    return columns ? view_cell_boolean(rl_cell_is_underused(&columns->columns[pair->other + 1], pair->pair->base))
                   : view_cell_absent("");
}

/* Nothing is said of it unless the other card has a price. */
static bool is_priced(const struct view *view, const struct view_pair *pair)
{
    const struct rl_columns *columns = view_compare_of(view)->options.columns;
    return columns && columns->columns[pair->other + 1].price > 0;
}

static struct view_cell cost_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_columns *columns = view_compare_of(view)->options.columns;
    const struct view_pair *pair = row;
    const bool of_base = field->key;
    if (!is_priced(view, pair))
        return view_cell_absent("");
    return view_cell_number(rl_cell_cost(&columns->columns[of_base ? 0 : pair->other + 1], pair->pair->base));
}

static struct view_cell worth_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_pair *pair = row;
    (void)field;
    if (!is_priced(view, pair))
        return view_cell_absent("");
    struct rl_ratio *worth = rl_arena_alloc(view->arena, sizeof *worth);
    *worth = rl_cell_speedup_per_price(view_compare_of(view)->options.columns, pair->other + 1, pair->pair->base);
    return view_cell_ratio(worth, "no speed-up");
}

/* ---- the record ---- */

static struct view_cell pair_id(const struct view *view, const struct view_field *field, const void *row)
{
    (void)field;
    return view_item_id(view, &((const struct view_pair *)row)->base);
}

static struct view_cell pair_name(const struct view *view, const struct view_field *field, const void *row)
{
    (void)view;
    (void)field;
    return view_cell_text(((const struct view_pair *)row)->base.item->label);
}

static const struct view_field pair_fields[] = {
    {.id = "other", VIEW_AT(struct view_pair, other), .shown = VIEW_ON_REQUEST, .help = "position of the capture among the others"},
    {.id = "capture",
     .head = "capture",
     .type = VIEW_TYPE_TEXT,
     .get = pair_text,
     .key = FILE_NAME,
     .since = 2,
     .shown = VIEW_ON_REQUEST,
     .help = "name of the file that the base is compared with"},
    {.id = "id",
     .head = "id",
     .type = VIEW_TYPE_TEXT,
     .get = pair_id,
     .since = 2,
     .shown = VIEW_ON_REQUEST,
     .help = "short name of the kernel class in the base"},
    {.id = "name",
     .head = "kernel",
     .type = VIEW_TYPE_TEXT,
     .get = pair_name,
     .columns = VIEW_NAME_COLUMNS,
     .identifies = true,
     .help = "what it is called in tables"},
    {.id = "marked",
     .head = "kernel",
     .type = VIEW_TYPE_TEXT,
     .get = label_cell,
     .columns = VIEW_NAME_COLUMNS,
     .for_people = true,
     .shown = VIEW_ON_REQUEST,
     .help = "the same, with an asterisk where the work is unequal"},
    {.id = "match", .type = VIEW_TYPE_TEXT, .get = pair_text, .key = MATCH, .shown = VIEW_ON_REQUEST, .help = "how it was matched"},
    {.id = "match_score",
     .head = "match score",
     .type = VIEW_TYPE_NUMBER,
     .digits = 2,
     .get = match_score,
     .since = 2,
     .shown = VIEW_ON_REQUEST,
     .help = "0 to 1: how alike a kernel is that was matched by likeness"},
    {.id = "match_text",
     .type = VIEW_TYPE_TEXT,
     .get = match_text,
     .since = 2,
     .shown = VIEW_ON_REQUEST,
     .help = "how it was matched, with the score and what it is made of"},
    {.id = "verdict",
     .type = VIEW_TYPE_TEXT,
     .get = pair_text,
     .key = VERDICT,
     .help = "FASTER, SLOWER, SAME or UNDECIDED, which is also what has no verdict"},
    {.id = "ratio",
     .type = VIEW_TYPE_RECORD,
     .record = &view_record_ratio,
     .get = ratio_cell,
     .key = TIME,
     .help = "time in the other capture over time in the base, as far as sessions differ and clocks have steps"},
    {.id = "ratio_in_cycles",
     .type = VIEW_TYPE_RECORD,
     .record = &view_record_ratio,
     .get = ratio_cell,
     .key = CYCLES,
     .help = "the same in clock cycles, where the clocks differ"},
    {.id = "change",
     .head = "change",
     .type = VIEW_TYPE_NUMBER,
     .unit = RL_UNIT_FRACTION,
     .digits = 3,
     .get = change_cell,
     .since = 2,
     .is_change = true,
     .shown = VIEW_ON_REQUEST,
     .help = "the ratio less 1"},
    {.id = "time_text",
     .excused = is_told_elsewhere,
     .head = "time",
     .type = VIEW_TYPE_TEXT,
     .get = change_text,
     .numeral = true,
     .for_people = true,
     .help = "by how much the time changed"},
    {.id = "interval",
     .excused = is_told_elsewhere,
     .head = "interval",
     .type = VIEW_TYPE_TEXT,
     .get = change_text,
     .key = 1,
     .numeral = true,
     .for_people = true,
     .help = "interval of the change"},
    {.id = "outcome",
     .excused = is_told_elsewhere,
     .head = "verdict",
     .type = VIEW_TYPE_TEXT,
     .get = pair_text,
     .key = OUTCOME,
     .for_people = true,
     .shown = VIEW_ON_REQUEST,
     .help = "the verdict, or WRONG for a result that was right and is wrong now"},
    {.id = "work_equal",
     .type = VIEW_TYPE_BOOLEAN,
     .get = work_equal,
     .shown = VIEW_ON_REQUEST,
     .help = "whether both do the same work"},
    {.id = "work", .type = VIEW_TYPE_TEXT, .get = pair_text, .key = WORK, .shown = VIEW_ON_REQUEST, .help = "how the work differs"},
    {.id = "why",
     .type = VIEW_TYPE_LIST,
     .record = &moved_record,
     .get = moved_rows,
     .help = "metrics that moved, those that explain the verdict first"},
    {.id = "causes",
     .type = VIEW_TYPE_TEXT,
     .get = causes_cell,
     .for_people = true,
     .shown = VIEW_ON_REQUEST,
     .help = "the metrics that explain most"},
    {.id = "counts",
     .type = VIEW_TYPE_LIST,
     .record = &tally_record,
     .get = tally_rows,
     .since = 2,
     .help = "counts of work that both captures have: evidence that does not depend on times"},
    {.id = "counts_text",
     .type = VIEW_TYPE_TEXT,
     .get = counts_cell,
     .since = 2,
     .shown = VIEW_ON_REQUEST,
     .help = "which of them differ and by how much, and which do not"},
    {.id = "doubt", .type = VIEW_TYPE_TEXT, .get = doubt_cell, .shown = VIEW_ON_REQUEST, .help = "why there is no verdict"},
    {.id = "more_samples",
     .type = VIEW_TYPE_WHOLE,
     .get = more_samples,
     .shown = VIEW_ON_REQUEST,
     .optional = true,
     .help = "about how many more samples of each capture, or sessions of each side, would decide"},
    {.id = "result_broke",
     .type = VIEW_TYPE_BOOLEAN,
     .get = pair_is,
     .key = BROKE,
     .shown = VIEW_ON_REQUEST,
     .help = "whether the result was right and is wrong now"},
    {.id = "regression",
     .type = VIEW_TYPE_BOOLEAN,
     .get = pair_is,
     .key = REGRESSION,
     .shown = VIEW_ON_REQUEST,
     .optional = true,
     .help = "whether the gate takes it for one"},
    {.id = "predicted_speedup",
     .head = "predicted",
     .type = VIEW_TYPE_NUMBER,
     .digits = 3,
     .get = predicted_cell,
     .shown = VIEW_ON_REQUEST,
     .optional = true,
     .help = "of cards: time at the base's roof over time at this card's"},
    {.id = "wasted",
     .type = VIEW_TYPE_BOOLEAN,
     .get = wasted_cell,
     .shown = VIEW_ON_REQUEST,
     .optional = true,
     .help = "of cards: whether the whole interval stays under 80 % of the predicted speed-up"},
    {.id = "cost_of_base",
     .type = VIEW_TYPE_NUMBER,
     .get = cost_cell,
     .key = 1,
     .shown = VIEW_ON_REQUEST,
     .optional = true,
     .help = "of cards with prices: what a launch costs on the base"},
    {.id = "cost",
     .type = VIEW_TYPE_NUMBER,
     .get = cost_cell,
     .shown = VIEW_ON_REQUEST,
     .optional = true,
     .help = "of cards with prices: what a launch costs"},
    {.id = "worth",
     .type = VIEW_TYPE_RECORD,
     .record = &view_record_ratio,
     .get = worth_cell,
     .optional = true,
     .help = "of cards with prices: how many times the work of the base the same money buys"},
    {.id = "base",
     .head = "base",
     VIEW_AT_MEMBER(struct view_pair, base, &view_record_item),
     .excused = is_told_elsewhere,
     .help = "the kernel in the base"},
    {.id = "new",
     .head = "new",
     VIEW_AT_MEMBER(struct view_pair, new, &view_record_item),
     .excused = is_told_elsewhere,
     .help = "the kernel in the other capture"},
};
const struct view_record view_record_pair = {
    .id = "pair", .title = "", .help = "a kernel in the base and in another capture", VIEW_FIELDS(pair_fields)};
