/* listing_block.c - which rows the table of a block shows, and the note about those left out. */
#include "results/listing.h"
#include "results/sentence.h"

bool view_block_applies(const struct view *view, const struct view_block *block, const struct view_record *record, const void *row)
{
    for (const char *at = block->with; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        const bool wanted = *at != '!';
        struct view_path path;
        const bool known = view_path_parse(record, at + !wanted, strcspn(at + !wanted, ","), &path);
        assert(known); /* the tests look at all results */
        const struct view_cell cell = known ? view_path_cell(view, &path, row) : view_cell_absent("");
        if (known && view_cell_says(view_path_field(&path), &cell) != wanted)
            return false;
    }
    return (!block->when || block->when(view, row)) && (!block->unless || !block->unless(view, row));
}

const struct view_block *view_block_of(const struct view *view, const struct view_record *record, const void *row,
                                       const char *field)
{
    const struct view_block *items = NULL;
    assert(view_record_field(record, field));
    for (size_t i = 0; i < record->block_count; i++) {
        const struct view_block *block = &record->blocks[i];
        if (!block->field || strcmp(block->field, field) != 0 || !view_block_applies(view, block, record, row))
            continue;
        if (block->kind == VIEW_BLOCK_TABLE)
            return block;
        if (block->kind == VIEW_BLOCK_ITEMS && !items)
            items = block;
    }
    return items;
}

struct view_rows view_block_rows(const struct view *view, const struct view_block *block, struct view_rows rows, size_t most)
{
    if (block && block->choose)
        return block->choose(view, rows, most);
    if (block && block->only)
        rows = view_rows_where(view, rows, block->only);
    rows.count = most && most < rows.count ? most : rows.count;
    return rows;
}

const char *view_block_columns(const struct view *view, const struct view_block *block, const void *row)
{
    if (!block)
        return NULL;
    return block->columns_of ? block->columns_of(view, row) : block->columns;
}

/* How many rows a table has left out of how many. */
struct rest {
    size_t left, all;
};
static const struct view_field rest_fields[] = {
    {.id = "left", VIEW_AT(struct rest, left), .help = "rows left out"},
    {.id = "all", VIEW_AT(struct rest, all), .help = "number of rows"},
};
static const struct view_record rest_record = {.id = "rest", .help = "rows left out of a table", VIEW_FIELDS(rest_fields)};

void view_block_rest(const struct view *view, const struct view_block *block, size_t shown, size_t all, struct rl_buf *out)
{
    const struct rest rest = {all - shown, all};
    assert(shown <= all);
    if (shown < all && block && block->rest)
        view_sentence_format(view, &rest_record, &rest, block->rest, out);
}

bool view_block_rules(const struct view_block *block, const struct view_listing *listing, size_t row)
{
    return block && block->group && row > 0 &&
           block->group(listing->view, view_rows_at(&listing->rows, row)) !=
               block->group(listing->view, view_rows_at(&listing->rows, row - 1));
}
