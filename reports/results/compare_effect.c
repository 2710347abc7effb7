/* compare_effect.c - what a change does to the whole. */
#include "analysis/verdict.h"

#include <assert.h>

#include "compare_parts.h"

/* ---- parts ---- */

static const struct view_field part_fields[] = {
    {.id = "kernels", VIEW_AT(struct rl_effect_part, kernels), .help = "number of kernels"},
    {.id = "share",
     VIEW_AT(struct rl_effect_part, share),
     .unit = RL_UNIT_FRACTION,
     .digits = 3,
     .help = "their share of the time of the base's kernels"},
};
static const struct view_record part_record = {
    .id = "effect_part", .help = "some of the kernels, and the time that they take", VIEW_FIELDS(part_fields)};

/* ---- ratios ---- */

enum { ALL, LIKE_FOR_LIKE };

static struct view_cell ratio_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_effect *effect = &((const struct rl_comparison *)row)->effect;
    return field->key == LIKE_FOR_LIKE ? view_cell_ratio(&effect->like_for_like, "no kernel does different work")
                                       : view_cell_ratio(&effect->time, "no kernel has times on both sides");
}

/* ---- words ---- */

enum { VERDICT, HEADLINE };

VIEW_CELL(word_cell, struct rl_comparison, field->key == HEADLINE ? rl_effect_headline(row) : rl_verdict_name(row->effect.verdict));

enum { TEXT, SAME_TEXT, UNDECIDED_TEXT, UNEQUAL_TEXT, UNMATCHED_TEXT, RESULTS_TEXT, CASES_TEXT, KERNELS_TEXT };

static struct view_cell sentence_cell(const struct view *view, const struct view_field *field, const void *row)
{
    static void (*const sentences[])(const struct rl_comparison *, struct rl_buf *) = {[TEXT] = rl_effect_text,
                                                                                       [SAME_TEXT] = rl_effect_same_text,
                                                                                       [UNDECIDED_TEXT] = rl_effect_undecided_text,
                                                                                       [UNEQUAL_TEXT] = rl_effect_unequal_text,
                                                                                       [UNMATCHED_TEXT] = rl_effect_unmatched_text,
                                                                                       [RESULTS_TEXT] = rl_effect_results_text,
                                                                                       [CASES_TEXT] = rl_effect_cases_text,
                                                                                       [KERNELS_TEXT] = rl_effect_kernels_text};
    struct rl_buf text = RL_BUF_IN(view->arena);
    assert((size_t)field->key < RL_COUNT(sentences));
    sentences[field->key](row, &text);
    const char *kept = view_keep(view, &text);
    return kept ? view_cell_text(kept) : view_cell_absent("");
}

/* clang-format off */
#define PART(name, of, what) {.id = (name), VIEW_AT_MEMBER(struct rl_comparison, effect.of, &part_record), .help = (what)}
#define SENTENCE(name, of, what) \
    {.id = (name), VIEW_GET(TEXT, sentence_cell), .key = (of), .help = (what)}
static const struct view_field effect_fields[] = {
    {.id = "headline", VIEW_GET(TEXT, word_cell), .key = HEADLINE,
     .help = "FASTER, SLOWER, NO CHANGE, UNDECIDED, WRONG RESULT or NOTHING TO COMPARE; of cases also MIXED: some FASTER, "
             "others SLOWER"},
    {.id = "verdict", VIEW_GET(TEXT, word_cell), .key = VERDICT,
     .help = "FASTER, SLOWER, SAME or UNDECIDED: the verdict on the ratio, whatever the results are"},
    {.id = "ratio", VIEW_GET_RECORD(&view_record_ratio, ratio_cell), .key = ALL,
     .help = "time that the base's launches take in the new version over the time that they take in the base: the ratios of the "
             "kernels, weighted by the base's time"},
    {.id = "like_for_like", VIEW_GET_RECORD(&view_record_ratio, ratio_cell), .key = LIKE_FOR_LIKE,
     .help = "the same without the kernels that do different work"},
    PART("of", of, "the kernels that the ratio is of"),
    PART("faster", with[RL_FASTER], "kernels that are FASTER"),
    PART("slower", with[RL_SLOWER], "kernels that are SLOWER"),
    PART("same", with[RL_SAME], "kernels that are the SAME"),
    PART("undecided", with[RL_UNDECIDED], "kernels for which that cannot be decided"),
    PART("unequal_work", unequal, "kernels that do different work from the base, whatever their verdict"),
    PART("not_compared", excluded, "kernels that computed a wrong result or did not finish"),
    PART("removed", removed, "kernels that only the base has"),
    PART("added", added, "kernels that the base does not have; their time is also compared with the base's"),
    {.id = "results_right", VIEW_AT(struct rl_comparison, effect.right),
     .help = "number of kernels whose results were checked and are right on both sides"},
    {.id = "results_broke", VIEW_AT(struct rl_comparison, effect.broke),
     .help = "number of kernels whose result was right in the base and is wrong now"},
    {.id = "results_mended", VIEW_AT(struct rl_comparison, effect.mended),
     .help = "number of kernels whose result was wrong in the base and is right now"},
    SENTENCE("text", TEXT, "the ratio in a sentence"),
    SENTENCE("same_text", SAME_TEXT, "what did not change, in a sentence"),
    SENTENCE("undecided_text", UNDECIDED_TEXT, "what could not be decided, and what would decide it"),
    SENTENCE("unequal_text", UNEQUAL_TEXT, "which kernels do different work, in a sentence"),
    SENTENCE("unmatched_text", UNMATCHED_TEXT, "what only one side has, in a sentence"),
    SENTENCE("cases_text", CASES_TEXT, "what the change does to all cases, in a sentence"),
    SENTENCE("kernels_text", KERNELS_TEXT, "what the change does to all kernels, where the first sentence is about cases"),
    SENTENCE("results_text", RESULTS_TEXT, "whether the results are right, in a sentence"),
};
const struct view_record view_record_effect = {
    .id = "effect", .help = "what the change does to all kernels together, each by the time that it takes",
    VIEW_FIELDS(effect_fields)};
/* clang-format on */
