#include "view_table.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "chart.h"
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

void rl_view_columns(struct rl_grid *grid, const struct view_listing *listing)
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
            .share_width = field->bar ? BAR_WIDTH : 0,
        };
        rl_grid_add_columns(grid, &column, 1);
    }
    rl_buf_release(&head);
}

/* ---- cells ---- */

static enum rl_style style_of(const struct view_field *field, bool present, bool strong)
{
    static const enum rl_style styles[] = {[VIEW_LOOK_PLAIN] = RL_STYLE_CELL,
                                           [VIEW_LOOK_CODE] = RL_STYLE_CELL_NAME,
                                           [VIEW_LOOK_QUIET] = RL_STYLE_CELL_QUIET,
                                           [VIEW_LOOK_STRONG] = RL_STYLE_CELL_STRONG};
    assert(field->look < RL_COUNT(styles));
    return !present ? RL_STYLE_CELL_QUIET : strong && field->look == VIEW_LOOK_PLAIN ? RL_STYLE_CELL_STRONG : styles[field->look];
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
    const double whole = field->unit == RL_UNIT_FRACTION ? 1 : greatest_of(listing, column);
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
    const bool strong = listing->record->strong && listing->record->strong(listing->view, at);
    struct rl_buf text = RL_BUF_INIT;
    add_text(listing, row, column, &text);
    struct rl_grid_cell *cell = rl_grid_cell(grid, style_of(field, value.state == RL_PRESENT, strong), text.data);
    const char *missing = view_listing_missing(listing, row, column);
    if (*missing)
        cell->sign = rl_layout_note(grid->layout, missing);
    if (field->bar && value.state == RL_PRESENT) {
        cell->share = share_of(listing, column, value.number);
        cell->share_colour = rl_tones[RL_TONE_NEUTRAL].mark;
    }
    if (table->dress)
        table->dress(table->to, field, at, cell);
    rl_buf_release(&text);
}

void rl_view_rows(struct rl_grid *grid, const struct view_listing *listing, const struct rl_view_table *table,
                  const struct view_block *block)
{
    for (size_t row = 0; row < listing->rows.count; row++) {
        (view_block_rules(block, listing, row) ? rl_grid_group : rl_grid_row)(grid);
        for (size_t column = 0; column < listing->column_count; column++)
            add_cell(grid, listing, row, column, table);
    }
}

/* ---- a table ---- */

/* The next sentence, with a capital at its beginning and a full stop at its end. */
static void add_sentence(struct rl_buf *out, const struct rl_buf *text)
{
    if (!text->len)
        return;
    rl_buf_addf(out, "%s%c%s.", out->len ? " " : "", toupper((unsigned char)text->data[0]), text->data + 1);
}

/* Definitions, and what is said of rows that are left out. */
static const char *foot_of(struct rl_layout *layout, const struct view_listing *listing, const struct view_block *block, size_t all)
{
    struct rl_buf text = RL_BUF_INIT, foot = RL_BUF_INIT;
    view_listing_definitions(listing, &text);
    add_sentence(&foot, &text);
    rl_buf_reset(&text);
    view_block_rest(listing->view, block, listing->rows.count, all, &text);
    add_sentence(&foot, &text);
    const char *copy = foot.len ? rl_layout_copy(layout, foot.data) : NULL;
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

bool rl_view_table(struct rl_layout *layout, const struct view *view, const struct rl_view_table *table)
{
    const struct view_block *block = view_block_of(view, view->record, view->row, table->list);
    const struct view_field *list = view_record_field(view->record, table->list);
    const struct view_cell all = view_value(view, list, view->row);
    assert(list->type == VIEW_TYPE_LIST);
    if (all.state != RL_PRESENT || all.rows.count == 0)
        return false;
    const size_t most = table->most || !block ? table->most : block->most;
    const struct view_rows rows =
        table->choose ? table->choose(view, all.rows, most) : view_block_rows(view, block, all.rows, most);
    const char *title = table->title || !block || !block->title ? table->title : rl_view_words(layout, view, block->title);
    struct view_listing listing;
    struct rl_grid grid;
    view_listing_make(&listing, view, list->record, rows, NULL,
                      table->columns ? table->columns : view_block_columns(view, block, view->row));
    rl_grid_begin(&grid, layout, title, NULL, 0);
    rl_view_columns(&grid, &listing);
    rl_view_rows(&grid, &listing, table, block);
    grid.foot = foot_of(layout, &listing, block, table->rest_elsewhere ? rows.count : all.rows.count);
    rl_grid_end(&grid);
    rl_layout_notes(layout);
    view_listing_release(&listing);
    return rows.count > 0;
}
