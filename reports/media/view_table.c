#include "view_table.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "chart.h"
#include "core/signs.h"
#include "core/utf8.h"
#include "layout_private.h"
#include "results/sentence.h"

#define BAR_WIDTH    30.0
#define COLUMN_WIDTH 4.4 /* of a character of a cell, as fields count the width of texts */

/* ---- columns ---- */

static enum rl_grid_align align_of(const struct view_listing *listing, size_t column)
{
    assert(column < listing->column_count);
    const struct view_field *field = view_path_field(&listing->columns[column].path);
    if (field->wraps)
        return RL_GRID_WRAP;
    if (!view_listing_is_number(listing, column))
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
            .whole = field->type == VIEW_TYPE_TEXT && !field->columns && !field->wraps,
            .at_least = field->wraps ? width : 0,
            .at_most = width,
            .share_width = has_bars(listing, i) ? BAR_WIDTH : 0,
        };
        rl_grid_add_columns(grid, &column, 1);
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
    return styles[!present ? VIEW_LOOK_QUIET : strong && field->look == VIEW_LOOK_PLAIN ? VIEW_LOOK_STRONG : field->look][small];
}

/* The greatest number of a column, by magnitude. */
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
    assert(column < listing->column_count);
    const struct view_field *field = view_path_field(&listing->columns[column].path);
    const double whole = field->unit_of_row || field->unit == RL_UNIT_FRACTION ? 1 : greatest_of(listing, column);
    return whole > 0 ? fmin(fabs(number) / whole, 1) : 0;
}

/* What stands in a cell. Texts are left to the table, which knows the room, but for those that nobody would read. */
static void add_text(const struct view_listing *listing, size_t row, size_t column, struct rl_buf *out)
{
    assert(column < listing->column_count);
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
    assert(column < listing->column_count);
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
        cell->share_colour = rl_tones[RL_TONE_NEUTRAL].mark;
    }
    if (table->dress)
        table->dress(table->to, field, element ? element : at, cell);
    rl_buf_release(&text);
}

static void add_rows(struct rl_grid *grid, const struct view_listing *listing, const struct rl_view_table *table,
                     const struct view_block *block)
{
    const struct view_block groups = {.group = table->group};
    for (size_t row = 0; row < listing->rows.count; row++) {
        (view_block_rules(table->group ? &groups : block, listing, row) ? rl_grid_group : rl_grid_row)(grid);
        for (size_t column = 0; column < listing->column_count; column++)
            add_cell(grid, listing, row, column, table);
    }
}

/* ---- fields below each other ---- */

/* A column for the names of the fields, and one for each row, which has a head where there are several. */
static void add_columns_across(struct rl_grid *grid, const struct view_listing *listing)
{
    const struct view_field *name = view_record_identity(listing->record);
    bool wraps = false;
    for (size_t i = 0; i < listing->column_count; i++)
        wraps |= view_path_field(&listing->columns[i].path)->wraps;
    rl_grid_add_columns(grid, &(struct rl_grid_column){.whole = true}, 1);
    for (size_t row = 0; row < listing->rows.count; row++) {
        struct rl_buf head = RL_BUF_INIT;
        const struct view_cell cell = view_value(listing->view, name, view_rows_at(&listing->rows, row));
        if (listing->rows.count > 1)
            view_cell_format(&head, name, &cell);
        rl_grid_add_columns(
            grid, &(struct rl_grid_column){.head = head.len ? head.data : "", .align = wraps ? RL_GRID_WRAP : RL_GRID_RIGHT}, 1);
        rl_buf_release(&head);
    }
}

/* A field as a row; each figure has its own unit. Left out where no row has it and the table is of what there is. */
static void add_field(struct rl_grid *grid, const struct view_listing *listing, size_t column, const struct rl_view_table *table)
{
    assert(column < listing->column_count);
    const struct view_field *field = view_path_field(&listing->columns[column].path);
    struct rl_buf text = RL_BUF_INIT;
    bool any = false;
    for (size_t row = 0; row < listing->rows.count; row++)
        any |= view_listing_value(listing, row, column).state == RL_PRESENT;
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

/* What the table says itself, definitions, and what is said of rows that are left out. */
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
    struct rl_buf words = RL_BUF_INIT;
    view_sentence_format(view, view->record, view->row, text, &words);
    const char *copy = rl_layout_copy(layout, words.data ? words.data : "");
    rl_buf_release(&words);
    return copy;
}

bool rl_view_fill(struct rl_grid *grid, const struct view *view, const struct rl_view_table *table)
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
    struct view_listing listing;
    view_listing_make(&listing, view, record, rows, NULL,
                      table->columns ? table->columns : view_block_columns(view, block, view->row));
    grid->title = table->title || !block || !block->title ? table->title : rl_view_words(grid->layout, view, block->title);
    grid->tight = table->tight;
    grid->plain = table->plain;
    listing.labels = table->across;
    if (table->across) {
        add_columns_across(grid, &listing);
        for (size_t i = 0; i < listing.column_count; i++)
            add_field(grid, &listing, i, table);
    } else {
        add_columns(grid, &listing);
        add_rows(grid, &listing, table, block);
    }
    grid->foot = foot_of(grid, &listing, table, block, table->rest_elsewhere ? rows.count : all.rows.count);
    view_listing_release(&listing);
    return rows.count > 0;
}

bool rl_view_table(struct rl_layout *layout, const struct view *view, const struct rl_view_table *table)
{
    struct rl_grid grid;
    rl_grid_begin(&grid, layout, NULL, NULL, 0);
    const bool any = rl_view_fill(&grid, view, table);
    rl_grid_end(&grid);
    if (any)
        rl_layout_notes(layout);
    return any;
}

bool rl_view_table_add(struct rl_box *column, const struct view *view, const struct rl_view_table *table)
{
    return rl_view_fill(rl_box_table(column, NULL, 0), view, table);
}

/* ---- lists of details ---- */

/* clang-format off */
static const struct view_field detail_fields[] = {
    {.id = "what", .head = "", VIEW_AT(struct rl_detail, what), .look = VIEW_LOOK_QUIET},
    {.id = "text", .head = "", VIEW_AT(struct rl_detail, text), .wraps = true},
};
/* clang-format on */

static void dress_detail(void *to, const struct view_field *field, const void *row, struct rl_grid_cell *cell)
{
    const struct rl_detail *detail = row;
    if (field == &detail_fields[0]) {
        cell->mark = detail->mark;
    } else if (!detail->text || !*detail->text) {
        cell->text = RL_EN_DASH;
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
