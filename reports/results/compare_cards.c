/* compare_cards.c - the text about the same kernels on several GPUs. */
#include "compare_parts.h"

VIEW_WHEN(is_chosen, struct view_compare, row->options.chosen);

/* Published times have none. */
static bool has_intervals(const struct view *view, const void *row)
{
    const struct view_compare *compare = row;
    return RL_ANY(i, compare->pair_count, compare->pairs[i].pair->change.time.has_interval);
}

#define ROOFS_OF_CARDS "Roofs are each GPU's own: measured if available, else theoretical"
/* clang-format off */
static const struct view_block cards_blocks[] = {
    {.kind = VIEW_BLOCK_ITEMS, .field = "parts", .label_field = "role", .text = VIEW_SIDE_TEXT},
    {.kind = VIEW_BLOCK_FACT, .label = "gate", .when = view_is_gated, .text = "{gate.text}"},
    {.kind = VIEW_BLOCK_ITEMS, .field = "notes", .label = "mind", .text = "{text}"},
    {.kind = VIEW_BLOCK_ITEMS, .field = "breaches", .label_field = "condition", .text = VIEW_BREACH_TEXT, .title = "Gate",
     .most = VIEW_MOST_BREACHES, .rest = "and {left} more"},
    {.kind = VIEW_BLOCK_TABLE, .field = "pairs", .when = is_chosen,
     .columns = "name,capture,base.median_s,new.median_s,time_text,interval,predicted_speedup,wasted,outcome"},
    {.kind = VIEW_BLOCK_TABLE, .field = "cards", .when = view_has_lineup, .unless = is_chosen, .title = "What is each GPU?",
     .columns = "card,kind,memory_bytes,power_limit_w,sm_count"},
    {.kind = VIEW_BLOCK_ITEMS, .field = "other_cards", .label_field = "label", .text = "{text}", .title = "Speedup"},
    {.kind = VIEW_BLOCK_TABLE, .field = "limiters", .when = view_has_lineup, .unless = is_chosen, .columns = "limiter,cards.text",
     .title = "Speedup by limiter on the baseline"},
    {.kind = VIEW_BLOCK_EACH, .field = "questions", .unless = is_chosen},
    {.kind = VIEW_BLOCK_ITEMS, .field = "wasted", .label_field = "kernel", .most = VIEW_MOST_LINES, .title = "Wasted on",
     .text = "{card}: speedup {speedup.estimate}× where its roofs allow {predicted_speedup}×; {bound_there}",
     .rest = "and {left} more"},
    {.kind = VIEW_BLOCK_ITEMS, .field = "lacking", .label_field = "card", .text = "{text}", .title = "Metrics that a GPU lacks"},
    {.kind = VIEW_BLOCK_EACH, .field = "matching"},
    {.kind = VIEW_BLOCK_NOTE, .apart = true, .when = has_intervals,
     .text = "Speedup: " RL_SPEEDUP_READS ". Times are medians; the intervals hold together with {rules.confidence} over "
             "{rules.comparisons kernel|kernels}, for these GPUs; another GPU of the same model can differ by 3 %. "
             ROOFS_OF_CARDS " at the observed clock."},
    {.kind = VIEW_BLOCK_NOTE, .apart = true, .unless = has_intervals,
     .text = "Speedup: " RL_SPEEDUP_READS ". Times have no intervals here; another GPU of the same model can differ by 3 %. "
             ROOFS_OF_CARDS " at the observed clock or at boost, or the data sheet's."},
    {.kind = VIEW_BLOCK_EACH, .field = "projections"},
};
const struct view_record view_record_cards = {
    .id = "cards", .title = "{title}", .help = "the same kernels on several GPUs", .format = "rooflight comparison",
    .fields = view_compare_fields, .field_count = VIEW_COMPARE_FIELDS, VIEW_BLOCKS(cards_blocks)};
/* clang-format on */
