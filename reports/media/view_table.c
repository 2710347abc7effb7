#include "view_table.h"

#include <ctype.h>

#include "layout_private.h"
#include "results/sentence.h"

#define BAR_WIDTH    30.0
#define COLUMN_WIDTH 4.4 /* of a character of a cell, as fields count the width of texts */

/* ---- columns ---- */

static enum rl_grid_align align_of(const struct view_listing *listing, size_t column)
{
    const struct view_field *field = view_path_field(&listing->columns[column].path);
    if (field->wraps)
        return RL_GRID_WRAP;
    if (field->beside || !view_listing_is_number(listing, column))
        return RL_GRID_LEFT;
    return field->type == VIEW_TYPE_NUMBER && !field->unit_of_row ? RL_GRID_DECIMAL : RL_GRID_RIGHT;
}

/* Where each row has its own unit, shares alone are drawn. */
static bool has_bar(const struct view_field *field, const struct view_cell *cell)
{
    return cell->state == RL_PRESENT && (!field->unit_of_row || cell->unit == RL_UNIT_FRACTION);
}

static bool has_bars(const struct view_listing *listing, size_t column)
{
    const struct view_field *field = view_path_field(&listing->columns[column].path);
    for (size_t row = 0; row < listing->rows.count && field->bar; row++) {
        const struct view_cell cell = view_listing_value(listing, row, column);
        if (has_bar(field, &cell))
            return true;
    }
    return false;
}

static void add_columns(struct rl_grid *grid, const struct view_listing *listing)
{
    struct rl_buf head = RL_BUF_INIT;
    for (size_t i = 0; i < listing->column_count; i++) {
        const struct view_field *field = view_path_field(&listing->columns[i].path);
        rl_buf_reset(&head);
        if (!field->unit_is_head)
            view_listing_name(listing, i, &head);
        const double width = (double)field->columns * COLUMN_WIDTH;
        const struct rl_grid_column column = {
            .head = head.data,
            .unit = view_listing_unit(listing, i),
            .align = align_of(listing, i),
            .close = field->beside,
            .whole = field->type == VIEW_TYPE_TEXT && !field->columns && !field->wraps,
            .at_least = field->wraps ? width : 0,
            .at_most = width,
            .share_width = has_bars(listing, i) ? BAR_WIDTH : 0,
        };
        rl_grid_add_column(grid, &column);
    }
    rl_buf_release(&head);
}

/* ---- cells ---- */

static enum rl_style style_of(const struct view_field *field, bool present, bool strong, bool small)
{
    static const enum rl_style styles[][2] = {[VIEW_LOOK_PLAIN] = {RL_STYLE_CELL, RL_STYLE_NOTE_INK},
                                              [VIEW_LOOK_CODE] = {RL_STYLE_CELL_NAME, RL_STYLE_NOTE_NAME},
                                              [VIEW_LOOK_QUIET] = {RL_STYLE_CELL_QUIET, RL_STYLE_NOTE},
                                              [VIEW_LOOK_STRONG] = {RL_STYLE_CELL_STRONG, RL_STYLE_NOTE_STRONG}};
    assert(field->look < RL_COUNT(styles));
    if (field->beside)
        return RL_STYLE_SIDE;
    return styles[!present ? VIEW_LOOK_QUIET : strong && field->look == VIEW_LOOK_PLAIN ? VIEW_LOOK_STRONG : field->look][small];
}

/* The largest magnitude in a column. */
static double greatest_of(const struct view_listing *listing, size_t column)
{
    double greatest = 0;
    for (size_t row = 0; row < listing->rows.count; row++) {
        const struct view_cell cell = view_listing_value(listing, row, column);
        greatest = cell.state == RL_PRESENT ? fmax(greatest, fabs(cell.number)) : greatest;
    }
    return greatest;
}

/* How much of the width of a bar a number fills. */
static double share_of(const struct view_listing *listing, size_t column, double number)
{
    const struct view_field *field = view_path_field(&listing->columns[column].path);
    const double whole = field->unit_of_row || field->unit == RL_UNIT_FRACTION ? 1 : greatest_of(listing, column);
    return whole > 0 ? fmin(fabs(number) / whole, 1) : 0;
}

/* The text of a cell. The table, which knows the room, shortens texts, except those too long to read. */
static void add_text(const struct view_listing *listing, size_t row, size_t column, struct rl_buf *out)
{
    enum { LONG = 10 };
    const struct view_field *field = view_path_field(&listing->columns[column].path);
    const struct view_cell cell = view_listing_value(listing, row, column);
    if (cell.state != RL_PRESENT || field->type != VIEW_TYPE_TEXT || !field->columns) {
        view_listing_cell(listing, row, column, out);
        return;
    }
    rl_buf_adds(out, cell.sign ? cell.sign : "");
    rl_utf8_abbreviate(out, cell.text, LONG * field->columns);
}

static void add_cell(struct rl_grid *grid, const struct view_listing *listing, size_t row, size_t column,
                     const struct rl_view_table *table)
{
    const struct view_field *field = view_path_field(&listing->columns[column].path);
    const struct view_cell value = view_listing_value(listing, row, column);
    const void *at = view_rows_at(&listing->rows, row);
    const void *element = view_listing_element(listing, row, column);
    const bool strong = listing->record->strong && listing->record->strong(listing->view, at);
    struct rl_buf text = RL_BUF_INIT;
    add_text(listing, row, column, &text);
    struct rl_grid_cell *cell = rl_grid_cell(grid, style_of(field, value.state == RL_PRESENT, strong, table->small), text.data);
    const char *missing = view_listing_missing(listing, row, column);
    if (*missing)
        cell->sign = rl_layout_note(grid->layout, missing);
    if (field->bar && value.state == RL_PRESENT) {
        cell->share = has_bar(field, &value) ? share_of(listing, column, value.number) : NAN;
        cell->share_tone = RL_TONE_GREY;
    }
    if (table->dress)
        table->dress(table->to, field, element ? element : at, cell);
    rl_buf_release(&text);
}

/* ---- fields below each other ---- */

/* A field as a row; each figure has its own unit. Left out where no row has it and the table is of what there is. */
static void add_field(struct rl_grid *grid, const struct view_listing *listing, size_t column, const struct rl_view_table *table)
{
    const struct view_field *field = view_path_field(&listing->columns[column].path);
    struct rl_buf text = RL_BUF_INIT;
    bool any = RL_ANY(row, listing->rows.count, view_listing_value(listing, row, column).state == RL_PRESENT);
    if (!any && table->there)
        return;
    view_listing_name(listing, column, &text);
    rl_grid_row(grid);
    struct rl_grid_cell *cell = rl_grid_cell(grid, table->small ? RL_STYLE_NOTE : RL_STYLE_CELL_QUIET, text.data);
    if (table->dress)
        table->dress(table->to, field, NULL, cell);
    for (size_t row = 0; row < listing->rows.count; row++) {
        const char *missing = view_listing_missing(listing, row, column);
        const struct view_cell value = view_listing_value(listing, row, column);
        rl_buf_reset(&text);
        view_listing_alone(listing, row, column, &text);
        cell = rl_grid_cell(grid, style_of(field, value.state == RL_PRESENT, false, table->small), text.data);
        cell->sign = *missing ? rl_layout_note(grid->layout, missing) : "";
        if (table->dress)
            table->dress(table->to, field, view_rows_at(&listing->rows, row), cell);
    }
    rl_buf_release(&text);
}

/* ---- a table ---- */

/* The next sentence, with a capital at its beginning and a full stop at its end. */
static void add_sentence(struct rl_buf *out, const struct rl_buf *text)
{
    if (!text->len)
        return;
    rl_buf_addf(out, "%s%c%s.", out->len ? " " : "", toupper((unsigned char)text->data[0]), text->data + 1);
}

/* The table's foot, definitions, and the note about rows left out. */
static const char *foot_of(const struct rl_grid *grid, const struct view_listing *listing, const struct rl_view_table *table,
                           const struct view_block *block, size_t all)
{
    struct rl_buf text = RL_BUF_INIT, foot = RL_BUF_INIT;
    if (!table->across)
        view_listing_definitions(listing, &text);
    add_sentence(&foot, &text);
    rl_buf_reset(&text);
    view_block_rest(listing->view, block, listing->rows.count, all, &text);
    add_sentence(&foot, &text);
    if (table->foot)
        rl_buf_addf(&foot, "%s%s", foot.len ? " " : "", table->foot);
    const char *copy = foot.len ? rl_layout_copy(grid->layout, foot.data) : NULL;
    rl_buf_release(&text);
    rl_buf_release(&foot);
    return copy;
}

const char *rl_view_words(struct rl_layout *layout, const struct view *view, const char *text)
{
    struct rl_buf words = RL_BUF_IN(view->arena);
    view_sentence_format(view, view->record, view->row, text ? text : "", &words);
    return rl_layout_copy(layout, words.data ? words.data : "");
}

/* A table that is about to be laid. */
struct laying {
    const struct view *view;
    const struct rl_view_table *table;
    const struct view_block *block;
    size_t all; /* rows that there are */
    struct view_listing listing;
};

/* False: the list is empty. Release the listing otherwise. */
static bool prepare(struct laying *laying, const struct view *view, const struct rl_view_table *table)
{
    const struct view_field *list = table->list ? view_record_field(view->record, table->list) : NULL;
    const struct view_block *block = list ? view_block_of(view, view->record, view->row, table->list) : NULL;
    const struct view_record *record = list ? list->record : table->record;
    const struct view_cell all = list ? view_value(view, list, view->row) : view_cell_rows(table->rows);
    assert(record && (!list || list->type == VIEW_TYPE_LIST));
    if (all.state != RL_PRESENT || all.rows.count == 0)
        return false;
    const size_t most = table->most || !block ? table->most : block->most;
    const struct view_rows rows =
        table->choose ? table->choose(view, all.rows, most) : view_block_rows(view, block, all.rows, most);
    *laying = (struct laying){view, table, block, all.rows.count, {0}};
    view_listing_make(&laying->listing, view, record, rows, NULL,
                      table->columns ? table->columns : view_block_columns(view, block, view->row));
    laying->listing.labels = table->across;
    return true;
}

static void fill(struct rl_grid *grid, const struct laying *laying)
{
    const struct rl_view_table *table = laying->table;
    const struct view_listing *listing = &laying->listing;
    const char *title = laying->block ? laying->block->title : NULL;
    grid->title = table->title || !title ? table->title : rl_view_words(grid->layout, laying->view, title);
    grid->tight = table->tight;
    grid->plain = table->plain;
    if (table->across) {
        /* A column for the names of the fields, and one for each row, which has a head where there are several. */
        const struct view_field *name = view_record_identity(listing->record);
        bool wraps = false;
        for (size_t i = 0; i < listing->column_count; i++)
            wraps |= view_path_field(&listing->columns[i].path)->wraps;
        rl_grid_add_column(grid, &(struct rl_grid_column){.whole = true});
        for (size_t row = 0; row < listing->rows.count; row++) {
            struct rl_buf head = RL_BUF_INIT;
            const struct view_cell cell = view_value(listing->view, name, view_rows_at(&listing->rows, row));
            if (listing->rows.count > 1)
                view_cell_format(&head, name, &cell);
            rl_grid_add_column(
                grid, &(struct rl_grid_column){.head = head.len ? head.data : "", .align = wraps ? RL_GRID_WRAP : RL_GRID_RIGHT});
            rl_buf_release(&head);
        }
        for (size_t i = 0; i < listing->column_count; i++)
            add_field(grid, listing, i, table);
    } else {
        add_columns(grid, listing);
        const struct view_block groups = {.group = table->group};
        for (size_t row = 0; row < listing->rows.count; row++) {
            (view_block_rules(table->group ? &groups : laying->block, listing, row) ? rl_grid_group : rl_grid_row)(grid);
            for (size_t column = 0; column < listing->column_count; column++)
                add_cell(grid, listing, row, column, table);
        }
    }
    grid->foot = foot_of(grid, listing, table, laying->block, table->rest_elsewhere ? listing->rows.count : laying->all);
}

bool rl_view_fill(struct rl_grid *grid, const struct view *view, const struct rl_view_table *table)
{
    struct laying laying;
    if (!prepare(&laying, view, table))
        return false;
    fill(grid, &laying);
    const bool any = laying.listing.rows.count > 0;
    view_listing_release(&laying.listing);
    return any;
}

static double height_of(const struct laying *laying, struct rl_layout *layout)
{
    struct rl_grid grid;
    rl_grid_begin(&grid, layout);
    fill(&grid, laying);
    const double height = rl_grid_height(&grid);
    rl_grid_release(&grid);
    return height;
}

double rl_view_table_height(struct rl_layout *layout, const struct view *view, const struct rl_view_table *table)
{
    struct laying laying;
    if (!prepare(&laying, view, table))
        return 0;
    const double height = height_of(&laying, layout);
    view_listing_release(&laying.listing);
    return height;
}

/* Leaves the last rows out, or the last groups, until there is room. */
static void shorten(struct laying *laying, struct rl_layout *layout)
{
    const double room = rl_layout_room(layout) - laying->table->reserve;
    const struct view_block groups = {.group = laying->table->group};
    struct view_rows *rows = &laying->listing.rows;
    while (rows->count > 1 && height_of(laying, layout) > room) {
        size_t count = rows->count - 1;
        while (groups.group && count > 0 && !view_block_rules(&groups, &laying->listing, count))
            count--;
        if (count == 0)
            return;
        rows->count = count;
    }
}

/* How many columns from `first` on find room next to the first one: numbers take less than texts. */
static size_t slice_of(const struct view_listing *listing, size_t first)
{
    const double most = 7.5, beside = 0.5, number = 1, text = 1.5, words = 2.5;
    double sum = 0;
    size_t count = 0;
    while (first + count < listing->column_count) {
        const struct view_field *field = view_path_field(&listing->columns[first + count].path);
        sum += field->beside ? beside : field->numeral ? text : view_listing_is_number(listing, first + count) ? number : words;
        if (sum > most && count > 0 && !field->beside)
            break;
        count++;
    }
    return count;
}

bool rl_view_table(struct rl_layout *layout, const struct view *view, const struct rl_view_table *table)
{
    struct laying laying;
    if (!prepare(&laying, view, table))
        return false;
    if (table->reserve > 0)
        shorten(&laying, layout);
    const size_t shown = laying.listing.rows.count;
    if (table->shown)
        *table->shown = shown;
    if (laying.listing.column_count > 0) {
        const struct view_listing all = laying.listing;
        struct view_column *columns = rl_calloc(all.column_count, sizeof *columns);
        assert(all.column_count > 0);
        columns[0] = all.columns[0];
        size_t first = 1;
        do {
            struct rl_grid grid;
            const size_t count = laying.table->slices ? slice_of(&all, first) : all.column_count - 1;
            memcpy(&columns[1], &all.columns[first], count * sizeof *columns);
            laying.listing.columns = columns;
            laying.listing.column_count = 1 + count;
            rl_grid_begin(&grid, layout);
            fill(&grid, &laying);
            rl_grid_lay(&grid);
            rl_grid_release(&grid);
            first += count;
        } while (first < all.column_count);
        free(columns);
        laying.listing = all;
    }
    if (shown > 0)
        rl_layout_notes(layout);
    view_listing_release(&laying.listing);
    return shown > 0;
}

bool rl_view_table_add(struct rl_box *column, const struct view *view, const struct rl_view_table *table)
{
    return rl_view_fill(rl_box_table(column), view, table);
}

/* ---- sentences and lists ---- */

static const char *label_of(struct rl_layout *layout, const struct view *view, const struct view_block *block)
{
    struct view_path path;
    if (!block->label_field || !view_path_parse(view->record, block->label_field, strlen(block->label_field), &path))
        return block->label ? block->label : "";
    struct rl_buf text = RL_BUF_IN(view->arena);
    const struct view_cell cell = view_path_cell(view, &path, view->row);
    view_cell_format(&text, view_path_field(&path), &cell);
    return rl_layout_copy(layout, text.data);
}

static struct view view_of(const struct view *view, const struct view_record *record, const void *row)
{
    return (struct view){record, row, view->subject, view->arena, view->all};
}

/* An item of a list: the row's label and sentence. */
static struct rl_para item_of(struct rl_layout *layout, const struct view *row, const struct view_block *block)
{
    const char *label = label_of(layout, row, block), *text = rl_view_words(layout, row, block->text);
    struct rl_para para = {.max_lines = RL_TEXT_LINES};
    rl_para_addf(layout, &para, RL_STYLE_STRONG, "%s%s", label, *label && *text ? ": " : "");
    rl_para_add(layout, &para, RL_STYLE_QUIET, text);
    return para;
}

static double item_height(struct rl_layout *layout, const struct view *row, const struct view_block *block)
{
    struct rl_para para = item_of(layout, row, block);
    const double height = rl_para_height(layout, &para, rl_layout_width(layout, RL_ALL_COLUMNS) - RL_ITEM_INDENT);
    return height;
}

/* Items while they leave `behind` points on the page, one in any case; 0: all. */
static void lay_list(struct rl_layout *layout, const struct view *view, const struct view_block *block, size_t most, double behind)
{
    const struct view_field *field = view_record_field(view->record, block->field);
    const struct view_cell all = view_value(view, field, view->row);
    if (all.state != RL_PRESENT || all.rows.count == 0)
        return;
    const struct view_rows rows = view_block_rows(view, block, all.rows, most ? most : block->most);
    size_t shown = 0;
    if (block->title)
        rl_layout_subsection(layout, rl_view_words(layout, view, block->title));
    for (; shown < rows.count; shown++) {
        const struct view row = view_of(view, field->record, view_rows_at(&rows, shown));
        const double rest = shown + 1 < all.rows.count ? rl_styles[RL_STYLE_NOTE].leading : 0;
        if (behind > 0 && shown > 0 && rl_layout_has_pages(layout) &&
            rl_layout_room(layout) < behind + rest + item_height(layout, &row, block))
            break;
        struct rl_para para = item_of(layout, &row, block);
        rl_layout_item(layout, RL_MARK_QUIET, &para);
    }
    struct rl_buf rest = RL_BUF_IN(view->arena);
    view_block_rest(view, block, shown, all.rows.count, &rest);
    if (rest.len)
        rl_layout_textf(layout, RL_STYLE_NOTE, "%s: --json has them all.", rest.data);
}

void rl_view_items(struct rl_layout *layout, const struct view *view, const char *list, size_t most)
{
    const struct view_block *block = view_block_of(view, view->record, view->row, list);
    if (block)
        lay_list(layout, view, block, most, 0);
}

void rl_view_items_add(struct rl_box *column, struct rl_layout *layout, const struct view *view, const char *list, size_t most,
                       const char *text)
{
    const struct view_block *block = view_block_of(view, view->record, view->row, list);
    const struct view_field *field = view_record_field(view->record, list);
    const struct view_cell all = view_value(view, field, view->row);
    if (!block || all.state != RL_PRESENT || all.rows.count == 0)
        return;
    const struct view_rows rows = view_block_rows(view, block, all.rows, most ? most : block->most);
    struct view_block items = *block;
    items.text = text ? text : block->text;
    if (block->title)
        rl_box_subsection(column, rl_view_words(layout, view, block->title));
    for (size_t i = 0; i < rows.count; i++) {
        const struct view row = view_of(view, field->record, view_rows_at(&rows, i));
        struct rl_para para = item_of(layout, &row, &items);
        rl_box_item(column, RL_MARK_QUIET, &para);
    }
    struct rl_buf rest = RL_BUF_IN(view->arena);
    view_block_rest(view, block, rows.count, all.rows.count, &rest);
    if (rest.len)
        rl_box_note(column, rl_arena_printf(rl_layout_arena(layout), "%s: --json has them all.", rest.data));
}

/* ---- the blocks of a record ---- */

static double text_height(struct rl_layout *layout, const struct view *view, const struct view_block *block)
{
    struct rl_para para = {0};
    rl_para_add(layout, &para, block->kind == VIEW_BLOCK_NOTE ? RL_STYLE_NOTE : RL_STYLE_BODY,
                rl_view_words(layout, view, block->text));
    const double height = rl_para_height(layout, &para, rl_layout_width(layout, RL_ALL_COLUMNS));
    return height;
}

static struct rl_view_table table_of(const struct view_block *block)
{
    return (struct rl_view_table){.list = block->field, .columns = block->narrow, .tight = true};
}

/* Points that a block takes, with two rows of a table or one item of a list of which not all have to be there. */
static double block_height(struct rl_layout *layout, const struct view *view, const struct view_block *block)
{
    enum { FEW_ROWS = 2, FEW_ITEMS = 1 };
    const double heading = rl_styles[RL_STYLE_SUBSECTION].leading + RL_HEADING_BEFORE + RL_HEADING_AFTER;
    const struct view_field *field = block->field ? view_record_field(view->record, block->field) : NULL;
    const struct view_cell cell = field ? view_value(view, field, view->row) : view_cell_absent("");
    double height = 0;
    if (block->kind == VIEW_BLOCK_LEAD || !view_block_applies(view, block, view->record, view->row))
        return 0;
    if (!field)
        return text_height(layout, view, block);
    if (cell.state != RL_PRESENT)
        return 0;
    if (field->type == VIEW_TYPE_RECORD) {
        const struct view row = view_of(view, field->record, cell.record);
        for (size_t i = 0; i < field->record->block_count; i++)
            height += block_height(layout, &row, &field->record->blocks[i]);
        return heading + height;
    }
    if (block->kind == VIEW_BLOCK_TABLE) {
        struct rl_view_table table = table_of(block);
        table.most = block->most ? FEW_ROWS : 0;
        return rl_view_table_height(layout, view, &table);
    }
    if (block->kind == VIEW_BLOCK_CODE)
        return rl_styles[RL_STYLE_LISTING].leading * (double)cell.rows.count;
    for (size_t i = 0; i < cell.rows.count && (i < FEW_ITEMS || !block->most); i++) {
        const struct view row = view_of(view, field->record, view_rows_at(&cell.rows, i));
        height += item_height(layout, &row, block);
    }
    return height + (block->title && cell.rows.count ? heading : 0) + rl_styles[RL_STYLE_NOTE].leading;
}

static double height_behind(struct rl_layout *layout, const struct view *view, size_t block)
{
    double height = 0;
    for (size_t i = block + 1; i < view->record->block_count; i++)
        height += block_height(layout, view, &view->record->blocks[i]);
    return height;
}

static void lay_fact(struct rl_layout *layout, const struct view *view, const struct view_block *block, double behind)
{
    struct rl_para para = item_of(layout, view, block);
    rl_layout_item(layout, RL_MARK_QUIET, &para);
}

static void lay_lines(struct rl_layout *layout, const struct view *view, const struct view_block *block, double behind)
{
    const struct view_field *field = view_record_field(view->record, block->field);
    const struct view_cell all = view_value(view, field, view->row);
    for (size_t i = 0; all.state == RL_PRESENT && i < all.rows.count; i++) {
        const struct view row = view_of(view, field->record, view_rows_at(&all.rows, i));
        rl_layout_text(layout, RL_STYLE_LISTING, rl_view_words(layout, &row, block->text));
    }
}

static void lay_items(struct rl_layout *layout, const struct view *view, const struct view_block *block, double behind)
{
    lay_list(layout, view, block, 0, behind);
}

static void lay_note(struct rl_layout *layout, const struct view *view, const struct view_block *block, double behind)
{
    rl_layout_text(layout, RL_STYLE_NOTE, rl_view_words(layout, view, block->text));
}

static void lay_table(struct rl_layout *layout, const struct view *view, const struct view_block *block, double behind)
{
    struct rl_view_table table = table_of(block);
    table.reserve = block->most && rl_layout_has_pages(layout) ? behind : 0;
    rl_view_table(layout, view, &table);
}

static void lay_each(struct rl_layout *layout, const struct view *view, const struct view_block *block, double behind)
{
    const struct view_field *field = view_record_field(view->record, block->field);
    const struct view_cell cell = view_value(view, field, view->row);
    if (field->type == VIEW_TYPE_LIST) {
        rl_view_each(layout, view, block->field);
    } else if (cell.state == RL_PRESENT) {
        const struct view row = view_of(view, field->record, cell.record);
        rl_layout_subsection(layout, rl_view_words(layout, &row, row.record->title));
        rl_view_blocks(layout, &row, behind > 0);
    }
}

void rl_view_blocks(struct rl_layout *layout, const struct view *view, bool one_page)
{
    static void (*const layers[])(struct rl_layout *, const struct view *, const struct view_block *, double behind) = {
        [VIEW_BLOCK_FACT] = lay_fact,   [VIEW_BLOCK_SENTENCE] = lay_fact, [VIEW_BLOCK_NOTE] = lay_note,
        [VIEW_BLOCK_TABLE] = lay_table, [VIEW_BLOCK_ITEMS] = lay_items,   [VIEW_BLOCK_NOTES] = lay_items,
        [VIEW_BLOCK_CODE] = lay_lines,  [VIEW_BLOCK_EACH] = lay_each};
    for (size_t i = 0; i < view->record->block_count; i++) {
        const struct view_block *block = &view->record->blocks[i];
        if (block->kind != VIEW_BLOCK_LEAD && view_block_applies(view, block, view->record, view->row))
            layers[block->kind](layout, view, block, one_page ? height_behind(layout, view, i) : 0);
    }
}

void rl_view_each(struct rl_layout *layout, const struct view *view, const char *list)
{
    const struct view_field *field = view_record_field(view->record, list);
    const struct view_cell all = view_value(view, field, view->row);
    for (size_t i = 0; all.state == RL_PRESENT && i < all.rows.count; i++) {
        const struct view_record *record = field->record;
        const struct view row = {record, view_rows_at(&all.rows, i), view->subject, view->arena, view->all};
        const char *title = rl_view_words(layout, &row, record->title);
        bool titled = false;
        rl_layout_skip(layout, i ? 8 : 0);
        for (size_t b = 0; b < record->block_count; b++) {
            const struct view_block *block = &record->blocks[b];
            if (!view_block_applies(&row, block, record, row.row))
                continue;
            if (block->kind == VIEW_BLOCK_TABLE) {
                titled |=
                    rl_view_table(layout, &row, &(struct rl_view_table){.list = block->field, .title = title, .slices = true});
                continue;
            }
            if (!titled)
                rl_layout_subsection(layout, title);
            titled = true;
            rl_layout_text(layout, RL_STYLE_NOTE, rl_view_words(layout, &row, block->text));
        }
    }
}

/* ---- lists of details ---- */

static const struct view_field detail_fields[] = {
    {.id = "what", .head = "", VIEW_AT(struct rl_detail, what), .look = VIEW_LOOK_QUIET},
    {.id = "text", .head = "", VIEW_AT(struct rl_detail, text), .wraps = true},
};

static void dress_detail(void *to, const struct view_field *field, const void *row, struct rl_grid_cell *cell)
{
    const struct rl_detail *detail = row;
    if (field == &detail_fields[0]) {
        cell->mark = detail->mark;
    } else if (!detail->text || !*detail->text) {
        cell->text = "unknown";
        cell->style = RL_STYLE_CELL_QUIET;
    } else if (detail->is_name || detail->mark == RL_MARK_ATTENTION) {
        cell->style = detail->is_name ? RL_STYLE_CELL_NAME : RL_STYLE_CELL_STRONG;
    }
}

void rl_details_add(struct rl_box *column, const struct rl_detail *details, size_t count)
{
    const struct view view = {0};
    rl_view_table_add(column, &view, &(struct rl_view_table){RL_TABLE(detail_fields, details, count), .dress = dress_detail});
}
