/* changes.c - the text about changes from one capture to others. */
#include "compare_parts.h"

VIEW_WHEN(is_alone, struct view_compare, row->count == 1);
VIEW_WHEN(is_brief, struct view_compare, row->options.brief);

/* clang-format off */
static const struct view_block changes_blocks[] = {
    {.kind = VIEW_BLOCK_ITEMS, .field = "parts", .when = is_alone, .label_field = "role", .text = VIEW_SIDE_TEXT},
    {.kind = VIEW_BLOCK_EACH, .field = "others", .unless = is_brief},
    {.kind = VIEW_BLOCK_EACH, .field = "reviews", .when = is_brief},
    {.kind = VIEW_BLOCK_EACH, .field = "projections"},
};
const struct view_record view_record_changes = {
    .id = "changes", .title = "{title}", .help = "what changed from one capture to others, kernel by kernel",
    .format = "rooflight comparison", .fields = view_compare_fields, .field_count = VIEW_COMPARE_FIELDS,
    VIEW_BLOCKS(changes_blocks)};
/* clang-format on */

struct view view_compare_view(struct view_compare *compare)
{
    const struct view_record *record = compare->options.columns ? &view_record_cards : &view_record_changes;
    return (struct view){
        .record = record, .row = compare, .subject = compare, .arena = &compare->arena, .all = compare->options.all};
}
