/* listing_notes.c - what stands below a table: definitions of columns, and why values are missing. */
#include "results/listing.h"

enum {
    MOST_NAMES = 8,
    LONG_REASON = 120, /* characters, more than a line */
};

/* A reason, and which rows lack which columns for it. Notes with the same reason and rows are one, and those with the same long
 * reason: the table has a dash where it applies. */
struct note {
    const char *reason;
    struct rl_buf names;
    const struct view_path *path; /* of the first column that it is about */
    bool *rows;
};
struct notes {
    struct note list[VIEW_LISTING_NOTES];
    size_t count;
    bool more; /* reasons than there is room for */
};

/* The note with that reason from `from` on, added if need be; NULL when there is no room. */
static struct note *note_of(struct notes *notes, size_t from, const char *reason, size_t row_count)
{
    for (size_t i = from; i < notes->count; i++)
        if (strcmp(notes->list[i].reason, reason) == 0)
            return &notes->list[i];
    if (notes->count == VIEW_LISTING_NOTES) {
        notes->more = true;
        return NULL;
    }
    notes->list[notes->count] = (struct note){.reason = reason, .names = RL_BUF_INIT, .rows = rl_calloc(row_count, sizeof(bool))};
    return &notes->list[notes->count++];
}

static void release(struct note *note)
{
    rl_buf_release(&note->names);
    free(note->rows);
}

/* Joins note `index` to an earlier one with the same reason for the same rows, or with the same long one. */
static void merge(struct notes *notes, size_t index, size_t row_count)
{
    struct note *note = &notes->list[index];
    for (size_t i = 0; i < index; i++) {
        struct note *earlier = &notes->list[i];
        const bool is_same = memcmp(earlier->rows, note->rows, row_count * sizeof(bool)) == 0;
        if (strcmp(earlier->reason, note->reason) == 0 && (is_same || strlen(note->reason) >= LONG_REASON)) {
            for (size_t row = 0; row < row_count; row++)
                earlier->rows[row] |= note->rows[row];
            rl_buf_addf(&earlier->names, ", %s", note->names.data);
            release(note);
            notes->list[index] = notes->list[--notes->count];
            return;
        }
    }
}

/* Whether the value's absence in a row needs no note. */
static bool is_excused(const struct view_listing *listing, const struct view_path *path, const void *row)
{
    return RL_ANY(i, path->count, path->step[i]->excused && path->step[i]->excused(listing->view, row));
}

const char *view_listing_missing(const struct view_listing *listing, size_t row, size_t column)
{
    assert(column < listing->column_count);
    const struct view_cell cell = view_listing_value(listing, row, column);
    return is_excused(listing, &listing->columns[column].path, view_rows_at(&listing->rows, row)) ? "" : cell.reason;
}

static void note_column(struct notes *notes, const struct view_listing *listing, size_t column)
{
    const size_t from = notes->count;
    if (listing->columns[column].complete)
        return;
    for (size_t i = 0; i < listing->rows.count; i++) {
        const char *reason = view_listing_missing(listing, i, column);
        struct note *note = *reason ? note_of(notes, from, reason, listing->rows.count) : NULL;
        if (note)
            note->rows[i] = true;
    }
    for (size_t i = from; i < notes->count; i++) {
        notes->list[i].path = &listing->columns[column].path;
        view_listing_name(listing, column, &notes->list[i].names);
    }
    for (size_t i = notes->count; i-- > from;)
        merge(notes, i, listing->rows.count);
}

/* The field that names a row: the first column that does, without one the first field that does, or the first. */
static const struct view_field *identity(const struct view_listing *listing)
{
    for (size_t i = 0; i < listing->column_count; i++)
        if (listing->columns[i].path.count == 1 && listing->columns[i].path.step[0]->identifies)
            return listing->columns[i].path.step[0];
    for (size_t i = 0; i < listing->record->field_count; i++)
        if (listing->record->fields[i].identifies)
            return &listing->record->fields[i];
    return &listing->record->fields[0];
}

/* How many rows a note could be about. */
static size_t expected(const struct view_listing *listing, const struct note *note)
{
    return RL_SUM(size_t, i, listing->rows.count, !is_excused(listing, note->path, view_rows_at(&listing->rows, i)));
}

/* " (stride_1, stride_2)", or the number of rows when they are many; nothing when the note is about all. */
static void add_rows(struct rl_buf *text, const struct note *note, const struct view_listing *listing)
{
    const struct view_field *name = identity(listing);
    const size_t all = expected(listing, note);
    size_t count = 0;
    struct rl_buf names = RL_BUF_INIT;
    assert(all > 0); /* the note is about some of them */
    for (size_t i = 0; i < listing->rows.count; i++) {
        if (!note->rows[i] || ++count > MOST_NAMES)
            continue;
        const struct view_cell cell = view_value(listing->view, name, view_rows_at(&listing->rows, i));
        rl_buf_adds(&names, names.len ? ", " : "");
        view_cell_format(&names, name, &cell);
    }
    if (count > MOST_NAMES && count < all)
        rl_buf_addf(text, " (%zu of %zu)", count, all);
    else if (count < all)
        rl_buf_addf(text, " (%s)", names.data);
    rl_buf_release(&names);
}

/* Whether a column before this one is of the same field. */
static bool is_again(const struct view_listing *listing, size_t column)
{
    return RL_ANY(i, column, view_path_field(&listing->columns[i].path) == view_path_field(&listing->columns[column].path));
}

void view_listing_definitions(const struct view_listing *listing, struct rl_buf *out)
{
    const size_t before = out->len;
    for (size_t i = 0; i < listing->column_count; i++) {
        const struct view_field *field = view_path_field(&listing->columns[i].path);
        if (!field->explained || is_again(listing, i))
            continue;
        rl_buf_adds(out, out->len > before ? "; " : "");
        const struct view_path *path = &listing->columns[i].path, last = {.step = {field}, .count = 1};
        view_path_head(listing->view, path->step[0]->type == VIEW_TYPE_LIST ? &last : path, out);
        rl_buf_addf(out, ": %s", field->help);
    }
}

static void define(const struct view_listing *listing, void (*take)(void *to, const char *text), void *to)
{
    struct rl_buf text = RL_BUF_INIT;
    view_listing_definitions(listing, &text);
    if (text.len)
        take(to, text.data);
    rl_buf_release(&text);
}

void view_listing_notes(const struct view_listing *listing, void (*take)(void *to, const char *text), void *to)
{
    struct notes notes = {0};
    define(listing, take, to);
    for (size_t i = 0; i < listing->column_count; i++)
        note_column(&notes, listing, i);
    for (size_t i = 0; i < notes.count; i++) {
        struct rl_buf text = RL_BUF_INIT;
        rl_buf_addf(&text, "%s: %s", notes.list[i].names.data, notes.list[i].reason);
        add_rows(&text, &notes.list[i], listing);
        if (!listing->view->has_said || !listing->view->has_said(listing->view->subject, notes.list[i].reason))
            take(to, text.data);
        rl_buf_release(&text);
        release(&notes.list[i]);
    }
    if (notes.more)
        take(to, "more values are missing for other reasons: --json has them all");
}
