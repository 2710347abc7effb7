/* listing.c - columns, heads and cells of a table. */
#include "views/listing.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#define MINUS "\xE2\x88\x92"
enum { USUAL_DIGITS = 4 };

bool view_listing_is_number(const struct view_listing *listing, size_t column)
{
    assert(column < listing->column_count);
    const struct view_field *field = view_path_field(&listing->columns[column].path);
    return field->numeral || field->type == VIEW_TYPE_NUMBER || field->type == VIEW_TYPE_WHOLE || field->type == VIEW_TYPE_INTEGER;
}

/* ---- columns ---- */

/* What the present values of a column span, by magnitude; `any`: one is more than nothing. */
struct span {
    double least, most;
    bool any;
};

static void widen(struct span *span, const struct view_field *field, const struct view_cell *cell)
{
    if (cell->state != RL_PRESENT)
        return;
    if (field->type == VIEW_TYPE_NUMBER && cell->number != 0) {
        span->most = fmax(span->most, fabs(cell->number));
        span->least = fmin(span->least, fabs(cell->number));
        span->any = true;
    } else if (field->type == VIEW_TYPE_WHOLE) {
        span->any = span->any || cell->whole != 0;
    } else if (field->type == VIEW_TYPE_TEXT) {
        span->any = span->any || *cell->text != 0;
    } else if (field->type == VIEW_TYPE_BOOLEAN) {
        span->any = span->any || cell->boolean;
    }
}

static struct span span_of(const struct view_listing *listing, const struct view_path *path)
{
    struct span span = {INFINITY, 0, false};
    for (size_t i = 0; i < listing->rows.count; i++) {
        const struct view_cell cell = view_path_cell(listing->view, path, view_rows_at(&listing->rows, i));
        widen(&span, view_path_field(path), &cell);
    }
    return span;
}

/* The unit is chosen for the smallest figure, so that all have digits to show, unless the largest is more than 10^3 of it: nobody
 * reads long numbers. */
static struct rl_scale scale_of(const struct view_field *field, const struct span *span)
{
    if (field->magnitude > 0)
        return rl_unit_scale(field->unit, field->magnitude);
    return rl_unit_scale(field->unit, fmax(fmin(span->least, span->most), span->most / 1e3));
}

/* Fields whose head depends on the data are columns only where they have one. */
static bool can_be_column(const struct view *view, const struct view_field *field)
{
    return field->type != VIEW_TYPE_RECORD && field->type != VIEW_TYPE_LIST && field->shown != VIEW_ON_REQUEST &&
           (!field->head_of || field->head_of(view, field));
}

static void add_column(struct view_listing *listing, const struct view_path *path, bool asked_for)
{
    const struct span span = span_of(listing, path);
    const struct view_field *field = view_path_field(path);
    if (asked_for || field->shown == VIEW_SHOWN || span.any)
        listing->columns[listing->column_count++] = (struct view_column){*path, scale_of(field, &span)};
}

void view_listing_make(struct view_listing *listing, const struct view *view, const struct view_record *record,
                       struct view_rows rows, const struct view_choice *choice)
{
    size_t chosen;
    const struct view_path *paths = view_choice_columns(choice, &chosen);
    *listing = (struct view_listing){.view = view, .record = record, .rows = rows};
    listing->columns = rl_calloc(paths ? chosen : record->field_count, sizeof *listing->columns);
    for (size_t i = 0; i < chosen; i++)
        add_column(listing, &paths[i], true);
    for (size_t i = 0; !paths && i < record->field_count; i++) {
        const struct view_path path = {.step = {&record->fields[i]}, .count = 1};
        if (can_be_column(view, &record->fields[i]))
            add_column(listing, &path, false);
    }
}

void view_listing_release(struct view_listing *listing)
{
    free(listing->columns);
    *listing = (struct view_listing){0};
}

/* ---- what stands in them ---- */

static void add_name(const struct view_listing *listing, const struct view_path *path, struct rl_buf *out)
{
    const struct view_field *field = view_path_field(path);
    const char *head = field->head_of ? field->head_of(listing->view, field) : field->head;
    if (head && path->count == 1)
        rl_buf_adds(out, head);
    else
        view_path_format(path, out);
}

void view_listing_head(const struct view_listing *listing, size_t column, struct rl_buf *out)
{
    assert(column < listing->column_count);
    const struct view_column *of = &listing->columns[column];
    const struct view_field *field = view_path_field(&of->path);
    const char *unit = field->type == VIEW_TYPE_NUMBER && !field->unit_aside ? of->scale.symbol : "";
    if (!field->unit_is_head)
        add_name(listing, &of->path, out);
    rl_buf_addf(out, "%s%s", *unit && !field->unit_is_head ? " " : "", unit);
}

/* Percentages under 0.01 are not spelled out: that they are next to nothing is what matters. */
static void add_number(struct rl_buf *out, const struct view_column *column, const struct view_cell *cell)
{
    const struct view_field *field = view_path_field(&column->path);
    const bool tiny = field->unit == RL_UNIT_FRACTION && !field->is_change && cell->number > 0 && cell->number < 1e-4;
    const double shown = field->is_change ? fabs(cell->number) : cell->number;
    rl_buf_adds(out, cell->sign ? cell->sign : "");
    rl_buf_adds(out, !field->is_change || shown == 0 ? "" : cell->number < 0 ? MINUS : "+");
    if (tiny)
        rl_buf_adds(out, "<0.01");
    else if (field->unit == RL_UNIT_COUNT)
        rl_unit_format(out, field->unit, shown, field->digits ? field->digits : USUAL_DIGITS);
    else
        rl_number_format(out, shown * column->scale.factor, field->digits ? field->digits : USUAL_DIGITS);
}

void view_listing_cell(const struct view_listing *listing, size_t row, size_t column, struct rl_buf *out)
{
    assert(row < listing->rows.count && column < listing->column_count);
    const struct view_column *of = &listing->columns[column];
    const struct view_field *field = view_path_field(&of->path);
    const struct view_cell cell = view_path_cell(listing->view, &of->path, view_rows_at(&listing->rows, row));
    if (cell.state == RL_PRESENT && field->type == VIEW_TYPE_NUMBER)
        add_number(out, of, &cell);
    else if (cell.state == RL_PRESENT && field->type == VIEW_TYPE_BOOLEAN)
        rl_buf_adds(out, cell.boolean ? "yes" : "");
    else if (cell.state == RL_PRESENT || *cell.reason)
        view_cell_format(out, field, &cell);
}
