/* gains.c - predicted gains of rules and measured ones. */

#include "show_parts.h"

/* ---- one prediction ---- */

enum text_key { TEXT_EXPERIMENT, TEXT_BROKEN, TEXT_MENDED, TEXT_RULE };

static struct view_cell text_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_capture *capture = view_subject_of(view)->capture;
    const struct rl_gain_record *record = row;
    const char *const texts[] = {
        [TEXT_EXPERIMENT] = capture->experiments[record->experiment].name,
        [TEXT_BROKEN] = capture->variants[record->broken].name,
        [TEXT_MENDED] = capture->variants[record->mended].name,
        [TEXT_RULE] = record->rule < RL_RULE_COUNT ? rl_rules[record->rule].id : NULL,
    };
    assert((size_t)field->key < RL_COUNT(texts));
    return view_cell_text(texts[field->key]);
}

#define TEXT(which) VIEW_GET(TEXT, text_cell), .key = (which)

/* clang-format off */
static const struct view_field gain_fields[] = {
    {.id = "experiment", TEXT(TEXT_EXPERIMENT), .help = "experiment of the suite"},
    {.id = "gpu", VIEW_GPU(struct rl_gain_record, gpu), .help = "index of the GPU"},
    {.id = "broken", .head = "slow variant", TEXT(TEXT_BROKEN), .identifies = true, .help = "variant that the rule is about"},
    {.id = "mended", .head = "fixed", TEXT(TEXT_MENDED), .help = "variant that does what the rule advises"},
    {.id = "rule", .head = "rule", TEXT(TEXT_RULE), .help = "the rule; absent: none that predicts a gain separates the two"},
    {.id = "predicted", .head = "predicted", VIEW_AT(struct rl_gain_record, predicted), .unit = RL_UNIT_NONE, .digits = 3,
     .help = "gain that the rule predicts for the run, as a factor"},
    {.id = "measured", .head = "measured", VIEW_AT(struct rl_gain_record, measured), .unit = RL_UNIT_NONE, .digits = 3,
     .help = "time of the one over that of the other, each for the same operations or useful bytes"},
    {.id = "measured_low", VIEW_AT(struct rl_gain_record, low), .unit = RL_UNIT_NONE, .digits = 3, .shown = VIEW_ON_REQUEST,
     .help = "lower end of its 95 % CI"},
    {.id = "measured_high", VIEW_AT(struct rl_gain_record, high), .unit = RL_UNIT_NONE, .digits = 3, .shown = VIEW_ON_REQUEST,
     .help = "upper end of its 95 % CI"},
    {.id = "error", .head = "error", VIEW_AT(struct rl_gain_record, error), .unit = RL_UNIT_FRACTION, .digits = 2,
     .is_change = true, .help = "predicted over measured, less 1"},
};
/* clang-format on */
const struct view_record view_record_gain = {
    .id = "gain", .help = "a gain that a rule predicted, next to the measured one", VIEW_FIELDS(gain_fields)};

/* ---- all of them ---- */

struct view_rows view_gains(const struct view_subject *subject)
{
    return VIEW_ROWS(subject->gains, subject->gain_count);
}

VIEW_CELL(count_cell, struct view_subject, rl_gain_predictions(row->gains, view_gains(row).count));
VIEW_CELL(error_cell, struct view_subject, rl_gain_median_error(row->gains, view_gains(row).count, RL_RULE_COUNT));

static const struct view_field gains_fields[] = {
    {.id = "gains", VIEW_AT_ROWS(struct view_subject, gains, gain_count, &view_record_gain), .help = "every pair of variants"},
    {.id = "predictions", VIEW_GET(WHOLE, count_cell), .help = "how many of them a rule has predicted"},
    {.id = "median_error",
     .type = VIEW_TYPE_NUMBER,
     .unit = RL_UNIT_FRACTION,
     .digits = 2,
     .get = error_cell,
     .help = "median of the sizes of their errors"},
};

VIEW_WHEN(is_predicted, struct rl_gain_record, rl_present(row->error));

static const struct view_block gains_blocks[] = {
    {.kind = VIEW_BLOCK_TABLE,
     .field = "gains",
     .title = "Gains predicted by rules, and gains measured",
     .columns = "experiment,broken,mended,rule,predicted,measured,error",
     .only = is_predicted,
     .with = "predictions"},
    {.kind = VIEW_BLOCK_NOTE,
     .text = "{predictions prediction|predictions}; the median of the errors is {median_error}. A rule is tested on pairs of "
             "variants in which one does what the rule advises.",
     .with = "predictions"},
};
const struct view_record view_record_gains = {.id = "gains",
                                              .help = "gains that rules predicted, next to the measured ones",
                                              VIEW_FIELDS(gains_fields),
                                              VIEW_BLOCKS(gains_blocks)};
