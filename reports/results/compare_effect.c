/* compare_effect.c - what a change does to the whole. */

#include "compare_parts.h"

/* ---- parts ---- */

static const struct view_field part_fields[] = {
    {.id = "kernels", VIEW_AT(struct rl_effect_part, kernels), .help = "number of kernels"},
    {.id = "share",
     VIEW_AT(struct rl_effect_part, share),
     .unit = RL_UNIT_FRACTION,
     .digits = 3,
     .help = "their share of the time of the baseline's kernels"},
};
static const struct view_record part_record = {
    .id = "effect_part", .help = "some of the kernels, and the time that they take", VIEW_FIELDS(part_fields)};

/* ---- ratios ---- */

VIEW_CELL(ratio_cell, struct rl_comparison, view_cell_ratio(&row->effect.time, "no kernel has times on both sides"));
VIEW_CELL(like_for_like_cell, struct rl_comparison, view_cell_ratio(&row->effect.like_for_like, "no kernel does different work"));

/* ---- words ---- */

VIEW_CELL(headline_cell, struct rl_comparison, rl_effect_headline(row));
VIEW_CELL(verdict_cell, struct rl_comparison, rl_verdict_name(row->effect.verdict));
VIEW_SAID(text_cell, struct rl_comparison, "", rl_effect_text(row, &text));
VIEW_SAID(same_text_cell, struct rl_comparison, "", rl_effect_same_text(row, &text));
VIEW_SAID(undecided_text_cell, struct rl_comparison, "", rl_effect_undecided_text(row, &text));
VIEW_SAID(unequal_text_cell, struct rl_comparison, "", rl_effect_unequal_text(row, &text));
VIEW_SAID(unmatched_text_cell, struct rl_comparison, "", rl_effect_unmatched_text(row, &text));
VIEW_SAID(results_text_cell, struct rl_comparison, "", rl_effect_results_text(row, &text));
VIEW_SAID(cases_text_cell, struct rl_comparison, "", rl_effect_cases_text(row, &text));
VIEW_SAID(kernels_text_cell, struct rl_comparison, "", rl_effect_kernels_text(row, &text));

/* clang-format off */
#define PART(name, of, what) {.id = (name), VIEW_AT_MEMBER(struct rl_comparison, effect.of, &part_record), .help = (what)}
#define SENTENCE(name, what) {.id = #name, VIEW_GET(TEXT, name##_cell), .help = (what)}
static const struct view_field effect_fields[] = {
    {.id = "headline", VIEW_GET(TEXT, headline_cell),
     .help = "FASTER, SLOWER, NO CHANGE, UNDECIDED, WRONG RESULT or NOTHING TO COMPARE; of cases also MIXED: some FASTER, "
             "others SLOWER"},
    {.id = "verdict", VIEW_GET(TEXT, verdict_cell),
     .help = "FASTER, SLOWER, SAME or UNDECIDED: the verdict on the ratio, whatever the results are"},
    {.id = "ratio", VIEW_GET_RECORD(&view_record_ratio, ratio_cell),
     .help = "time that the baseline's launches take in the candidate over the time that they take in the baseline: the ratios "
             "of the kernels, weighted by the baseline's time"},
    {.id = "like_for_like", VIEW_GET_RECORD(&view_record_ratio, like_for_like_cell),
     .help = "the same without the kernels that do different work"},
    PART("of", of, "the kernels that the ratio is of"),
    PART("faster", with[RL_FASTER], "kernels that are FASTER"),
    PART("slower", with[RL_SLOWER], "kernels that are SLOWER"),
    PART("same", with[RL_SAME], "kernels that are the SAME"),
    PART("undecided", with[RL_UNDECIDED], "kernels for which that cannot be decided"),
    PART("unequal_work", unequal, "kernels that do different work from the baseline, whatever their verdict"),
    PART("not_compared", excluded, "kernels that computed a wrong result or did not finish"),
    PART("removed", removed, "kernels that only the baseline has"),
    PART("added", added, "kernels that the baseline does not have; their time is also compared with the baseline's"),
    {.id = "results_right", VIEW_AT(struct rl_comparison, effect.right),
     .help = "number of kernels whose results were checked and are right on both sides"},
    {.id = "results_broke", VIEW_AT(struct rl_comparison, effect.broke),
     .help = "number of kernels whose result was right in the baseline and is wrong now"},
    {.id = "results_mended", VIEW_AT(struct rl_comparison, effect.mended),
     .help = "number of kernels whose result was wrong in the baseline and is right now"},
    SENTENCE(text, "the ratio in a sentence"),
    SENTENCE(same_text, "what did not change, in a sentence"),
    SENTENCE(undecided_text, "what could not be decided, and what would decide it"),
    SENTENCE(unequal_text, "which kernels do different work, in a sentence"),
    SENTENCE(unmatched_text, "what only one side has, in a sentence"),
    SENTENCE(cases_text, "what the change does to all cases, in a sentence"),
    SENTENCE(kernels_text, "what the change does to all kernels, where the first sentence is about cases"),
    SENTENCE(results_text, "whether the results are right, in a sentence"),
};
const struct view_record view_record_effect = {
    .id = "effect", .help = "what the change does to all kernels together, each by the time that it takes",
    VIEW_FIELDS(effect_fields)};
/* clang-format on */
