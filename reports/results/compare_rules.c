/* compare_rules.c - what verdicts go by. */
#include "compare_parts.h"

VIEW_SAID(hold_cell, void, "", rl_sessions_hold_text(row, &text));

/* "8 kernels" */
VIEW_CELL(over_cell, struct rl_verdict_rules, rl_arena_printf(view->arena, "%zu %s", row->comparisons, rl_rules_over(row)));

/* clang-format off */
static const struct view_field rules_fields[] = {
    {.id = "confidence", VIEW_AT(struct rl_verdict_rules, confidence), .unit = RL_UNIT_FRACTION, .digits = 2,
     .help = "of all intervals together, unless there is 'decided'"},
    {.id = "smallest_effect", VIEW_AT(struct rl_verdict_rules, smallest_effect), .unit = RL_UNIT_FRACTION, .digits = 2,
     .help = "the smallest change that matters"},
    {.id = "margin", VIEW_AT(struct rl_verdict_rules, margin), .unit = RL_UNIT_FRACTION, .digits = 2,
     .help = "a change that is shown to be smaller is SAME"},
    {.id = "session_effect", VIEW_AT(struct rl_verdict_rules, session_effect), .unit = RL_UNIT_FRACTION, .digits = 2,
     .help = "how much two sessions of the same code differ"},
    {.id = "unchanged", VIEW_AT(struct rl_verdict_rules, unchanged), .unit = RL_UNIT_FRACTION, .digits = 2,
     .help = "sessions of unchanged code differ by at most so much on this GPU model: the condition of verdicts by few sessions"},
    {.id = "in_turn", VIEW_AT(struct rl_verdict_rules, in_turn), .help = "whether both sides took turns"},
    {.id = "comparisons", VIEW_AT(struct rl_verdict_rules, comparisons),
     .help = "number of kernels compared, or of cases where no kernel is"},
    {.id = "over", VIEW_GET(TEXT, over_cell), .for_people = true, .help = "the same in words"},
    {.id = "sessions_of_base", VIEW_AT(struct rl_verdict_rules, sessions[0]),
     .help = "number of sessions of the baseline; with one on each side, differences between sessions were not measured, and "
      "session_effect is allowed for them"},
    {.id = "sessions_of_new", VIEW_AT(struct rl_verdict_rules, sessions[1]), .help = "number of sessions of the other side"},
    {.id = "decided", VIEW_AT(struct rl_verdict_rules, decided), .none_if_zero = true, .optional = true,
     .help = "by sessions: number of verdicts that share a fifth of the error allowed, so that on average no more of them "
      "are wrong"},
    {.id = "hold", VIEW_GET(TEXT, hold_cell), .for_people = true, .help = "how far intervals hold, in words"},
    {.id = "look", VIEW_AT(struct rl_verdict_rules, look), .none_if_zero = true, .optional = true,
     .help = "with --run: number of this look at sessions that were still being measured; it has 1 / (look (look + 1)) of "
      "the error allowed over all looks"},
};
/* clang-format on */
const struct view_record view_record_rules = {.id = "rules", .help = "what verdicts go by", VIEW_FIELDS(rules_fields)};
