#include "pages.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"

/* Kinds of pages with the lengths of their heads, the file's head on page 1, the fewest bytes of a row with the pointer to it, and
 * limits that SQLite has, too. */
enum {
    LEAF = 13,
    INNER = 5,
    LEAF_HEAD = 8,
    INNER_HEAD = 12,
    FILE_HEAD = 100,
    LEAST_OF_ROW = 6,
    MOST_DEPTH = 20,
    MOST_ROW = 1 << 20
};

static uint32_t number_at(const unsigned char *at, size_t size)
{
    uint32_t number = 0;
    for (size_t i = 0; i < size; i++)
        number = number << 8 | at[i];
    return number;
}

/* Seven bits a byte, the ninth has eight. NULL: it reaches over `end`; otherwise where it ends. */
static const unsigned char *take_varint(const unsigned char *at, const unsigned char *end, uint64_t *number)
{
    *number = 0;
    for (int i = 0; i < 9 && at < end; i++) {
        const unsigned char byte = *at++;
        if (i == 8) {
            *number = *number << 8 | byte;
            return at;
        }
        *number = *number << 7 | (byte & 0x7f);
        if (byte < 0x80)
            return at;
    }
    return NULL;
}

static const unsigned char *page_at(const struct rl_pages *pages, uint32_t number)
{
    assert(number > 0 && number <= pages->count);
    return pages->bytes + (number - 1) * pages->size;
}

/* Each page belongs to one thing. */
static bool meet(struct rl_pages *pages, uint32_t number)
{
    if (number == 0 || number > pages->count || pages->met[number - 1])
        return false;
    pages->met[number - 1] = true;
    pages->left--;
    return true;
}

/* ---- inner pages ---- */

static bool use(struct rl_pages *pages, size_t from, size_t len, size_t first)
{
    if (from < first || len > pages->size || from > pages->size - len || memchr(pages->used + from, 1, len))
        return false;
    memset(pages->used + from, 1, len);
    return true;
}

static bool use_free_blocks(struct rl_pages *pages, const unsigned char *page, size_t from, size_t first)
{
    while (from) {
        if (from < first || from > pages->size - 4)
            return false;
        const size_t next = number_at(page + from, 2), len = number_at(page + from + 2, 2);
        if (len < 4 || !use(pages, from, len, first) || (next && next < from + len + 4))
            return false;
        from = next;
    }
    return true;
}

/* Cells (a page and a key) and free blocks share out the end of the page among them. */
static bool is_laid_out(struct rl_pages *pages, const unsigned char *page)
{
    const size_t cells = number_at(page + 3, 2), first = number_at(page + 5, 2) ? number_at(page + 5, 2) : 65536;
    size_t unused = 0;
    memset(pages->used, 0, pages->size);
    if (cells == 0 || first > pages->size || INNER_HEAD + 2 * cells > first)
        return false;
    for (size_t i = 0; i < cells; i++) {
        uint64_t key;
        const size_t from = number_at(page + INNER_HEAD + 2 * i, 2);
        const unsigned char *end = from < pages->size - 4 ? take_varint(page + from + 4, page + pages->size, &key) : NULL;
        if (!end || !use(pages, from, (size_t)(end - page) - from, first))
            return false;
    }
    if (!use_free_blocks(pages, page, number_at(page + 1, 2), first))
        return false;
    for (size_t i = first; i < pages->size; i++)
        unused += !pages->used[i];
    return unused == page[7];
}

/* Memory is taken for as many rows as it says, which are no more than could be there. */
static bool add_leaf(struct rl_leaves *leaves, uint32_t number, const unsigned char *head, size_t size, int depth)
{
    const size_t rows = number_at(head + 3, 2);
    if ((leaves->depth >= 0 && leaves->depth != depth) || LEAF_HEAD + LEAST_OF_ROW * rows > size)
        return false;
    leaves->depth = depth;
    RL_GROW(leaves->pages, leaves->count + 1, leaves->cap);
    leaves->pages[leaves->count++] = number;
    leaves->rows += rows;
    return true;
}

static bool walk(struct rl_pages *pages, uint32_t number, bool schema, int depth, struct rl_leaves *leaves);

/* What is below a cell of an inner page, at `from`. Its key is the greatest below it: of a table, whose ids count up, the number of
 * rows up to there less one. */
static bool walk_cell(struct rl_pages *pages, const unsigned char *page, size_t from, bool schema, int depth,
                      struct rl_leaves *leaves)
{
    uint64_t key = 0;
    if (from > pages->size - 5 || !walk(pages, number_at(page + from, 4), schema, depth, leaves))
        return false;
    return schema || (take_varint(page + from + 4, page + pages->size, &key) && key == (uint64_t)leaves->rows - 1);
}

/* The tree below a page. Of the schema, which SQLite checks, the pages are met and no more. */
static bool walk(struct rl_pages *pages, uint32_t number, bool schema, int depth, struct rl_leaves *leaves)
{
    if (depth == MOST_DEPTH || !meet(pages, number))
        return false;
    const unsigned char *page = page_at(pages, number), *head = page + (number == 1 ? FILE_HEAD : 0);
    if (head[0] == LEAF)
        return add_leaf(leaves, number, head, pages->size, depth);
    if (head[0] != INNER || !(schema || is_laid_out(pages, page)))
        return false;
    const size_t cells = number_at(head + 3, 2);
    if ((size_t)(head - page) + INNER_HEAD + 2 * cells > pages->size)
        return false;
    for (size_t i = 0; i < cells; i++)
        if (!walk_cell(pages, page, number_at(head + INNER_HEAD + 2 * i, 2), schema, depth + 1, leaves))
            return false;
    return walk(pages, number_at(head + 8, 4), schema, depth + 1, leaves);
}

/* ---- the file ---- */

/* What SQLite says of the schema's pages. */
static bool schema_is_well(struct rl_guard *guard)
{
    sqlite3_stmt *statement = NULL;
    bool row = false;
    const bool well = rl_guard_prepare(guard, "PRAGMA quick_check(sqlite_schema)", &statement, NULL) == RL_OK &&
                      rl_guard_step(guard, statement, &row, NULL) == RL_OK && row &&
                      strcmp((const char *)sqlite3_column_text(statement, 0), "ok") == 0;
    sqlite3_finalize(statement);
    return well;
}

static bool walk_tables(struct rl_pages *pages, struct rl_guard *guard)
{
    sqlite3_stmt *statement = NULL;
    bool row = false,
         well = rl_guard_prepare(guard, "SELECT rootpage FROM sqlite_schema ORDER BY rowid", &statement, NULL) == RL_OK;
    for (size_t i = 0; i < guard->tables && well; i++) {
        well = rl_guard_step(guard, statement, &row, NULL) == RL_OK && row;
        const sqlite3_int64 root = well ? sqlite3_column_int64(statement, 0) : 0;
        well = root > 1 && root <= pages->count && walk(pages, (uint32_t)root, false, 0, &pages->of[i]) &&
               pages->of[i].rows <= rl_schema[i].total;
        guard->rows[i] = pages->of[i].rows;
    }
    sqlite3_finalize(statement);
    return well;
}

/* Of the file's head what guard.c has not looked at: no bytes of a page reserved, no list of free pages, no vacuum, the fourth
 * format of schemas. */
static bool head_is_plain(const unsigned char *bytes)
{
    static const struct {
        size_t offset, size;
        uint32_t wanted;
    } fields[] = {{20, 1, 0}, {21, 3, 0x402020}, {32, 4, 0}, {36, 4, 0}, {44, 4, 4}, {52, 4, 0}, {64, 4, 0}};
    for (size_t i = 0; i < RL_COUNT(fields); i++)
        if (number_at(bytes + fields[i].offset, fields[i].size) != fields[i].wanted)
            return false;
    return true;
}

bool rl_pages_open(struct rl_pages *pages, struct rl_guard *guard, const void *bytes, size_t len)
{
    struct rl_leaves schema = {.depth = -1};
    *pages = (struct rl_pages){.bytes = bytes};
    for (size_t i = 0; i < RL_SCHEMA_COUNT; i++)
        pages->of[i].depth = -1;
    pages->size = number_at(pages->bytes + 16, 2) == 1 ? 65536 : number_at(pages->bytes + 16, 2);
    assert(pages->size >= 512 && len % pages->size == 0); /* guard.c looks at that */
    pages->count = pages->left = (uint32_t)(len / pages->size);
    pages->met = rl_calloc(pages->count, sizeof *pages->met);
    pages->used = rl_calloc(pages->size, 1);
    const bool well =
        head_is_plain(bytes) && schema_is_well(guard) && walk(pages, 1, true, 0, &schema) && walk_tables(pages, guard);
    free(schema.pages);
    return well;
}

void rl_pages_close(struct rl_pages *pages)
{
    for (size_t i = 0; i < RL_SCHEMA_COUNT; i++)
        free(pages->of[i].pages);
    free(pages->met);
    free(pages->used);
    *pages = (struct rl_pages){0};
}

bool rl_pages_all_met(const struct rl_pages *pages)
{
    return pages->left == 0;
}

/* ---- rows ---- */

void rl_rows_open(struct rl_rows *rows, struct rl_pages *pages, enum rl_schema_id id)
{
    const struct rl_schema_table *table = &rl_schema[id];
    *rows = (struct rl_rows){.pages = pages, .leaves = &pages->of[id], .columns = 1, .whole = RL_BUF_INIT};
    for (size_t i = 0; i < table->column_count; i++) {
        const enum rl_column_kind kind = table->columns[i].kind;
        assert(rows->columns + 1 < RL_MOST_CELLS);
        rows->real[rows->columns] = kind == RL_COLUMN_REAL || kind == RL_COLUMN_VALUE;
        rows->columns += kind == RL_COLUMN_VALUE ? 2 : 1;
    }
}

void rl_rows_close(struct rl_rows *rows)
{
    rl_buf_release(&rows->whole);
}

/* A number of `size` bytes, the first of which has the sign. */
static int64_t signed_at(const unsigned char *at, size_t size)
{
    uint64_t number = at[0] & 0x80 ? UINT64_MAX : 0;
    for (size_t i = 0; i < size; i++)
        number = number << 8 | at[i];
    return (int64_t)number;
}

static bool take_integer(struct rl_cell *cell, bool real, int64_t number)
{
    cell->kind = real ? RL_CELL_REAL : RL_CELL_INTEGER;
    cell->integer = number;
    cell->real = (double)number;
    return true;
}

/* Not a number is no value to SQLite, and neither it nor an infinity is one to us. */
static bool take_real(struct rl_cell *cell, const unsigned char *at)
{
    const int64_t bits = signed_at(at, sizeof bits);
    cell->kind = RL_CELL_REAL;
    memcpy(&cell->real, &bits, sizeof bits);
    return isfinite(cell->real);
}

/* The value of a serial type, at `at`; where the next one is, or NULL. */
static const unsigned char *take_value(const unsigned char *at, const unsigned char *end, uint64_t type, bool real,
                                       struct rl_cell *cell)
{
    static const unsigned char sizes[12] = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0};
    const uint64_t len = type < 12 ? sizes[type] : (type - 12) / 2;
    bool well = type != 10 && type != 11;
    if (len > (uint64_t)(end - at))
        return NULL;
    cell->kind = RL_CELL_NULL;
    if (type >= 12) {
        *cell = (struct rl_cell){.kind = RL_CELL_TEXT, .text = (const char *)at, .len = (size_t)len};
    } else if (type == 7) {
        well = take_real(cell, at);
    } else if (type == 8 || type == 9) {
        well = take_integer(cell, real, (int64_t)type - 8);
    } else if (len) {
        well = take_integer(cell, real, signed_at(at, (size_t)len));
    }
    return well ? at + len : NULL;
}

/* Types, then values; the id stands in front of the row, and in it nothing does. */
static bool take_row(const struct rl_rows *rows, const unsigned char *at, size_t len, struct rl_cell *cells)
{
    uint64_t head, type;
    const unsigned char *end = at + len, *types = take_varint(at, end, &head);
    if (!types || head > len)
        return false;
    const unsigned char *value = at + head, *types_end = value;
    for (size_t i = 0; i < rows->columns; i++) {
        types = take_varint(types, types_end, &type);
        value = types ? take_value(value, end, type, rows->real[i], &cells[i]) : NULL;
        if (!value)
            return false;
    }
    return types == types_end && value == end && cells[0].kind == RL_CELL_NULL;
}

/* A row of which only `here` bytes are on this page: the rest is on a list of others, which end with it. */
static bool gather(struct rl_rows *rows, const unsigned char *at, size_t here, size_t len)
{
    struct rl_pages *pages = rows->pages;
    uint32_t next = number_at(at + here, 4);
    rl_buf_reset(&rows->whole);
    rl_buf_add(&rows->whole, (const char *)at, here);
    while (rows->whole.len < len) {
        const size_t more = len - rows->whole.len, room = pages->size - 4;
        if (!meet(pages, next))
            return false;
        const unsigned char *page = page_at(pages, next);
        rl_buf_add(&rows->whole, (const char *)page + 4, more < room ? more : room);
        next = number_at(page, 4);
    }
    return next == 0;
}

/* How much of a row of `len` bytes is on its leaf (section 1.6). */
static size_t bytes_on_leaf(size_t size, size_t len)
{
    const size_t least = (size - 12) * 32 / 255 - 23, fits = least + (len - least) % (size - 4);
    return len <= size - 35 ? len : fits <= size - 35 ? fits : least;
}

/* Cells fill the page from its end, so that each ends where the one before begins. */
static bool take_cell(struct rl_rows *rows, struct rl_cell *cells)
{
    const size_t from = number_at(rows->page + LEAF_HEAD + 2 * rows->cell, 2), size = rows->pages->size;
    uint64_t len, id;
    if (from < LEAF_HEAD + 2 * rows->cells || from >= rows->end)
        return false;
    const unsigned char *end = rows->page + rows->end, *at = take_varint(rows->page + from, end, &len);
    at = at ? take_varint(at, end, &id) : NULL;
    if (!at || len > MOST_ROW || id != rows->id)
        return false;
    const size_t here = bytes_on_leaf(size, (size_t)len);
    const bool whole = here == len;
    if ((size_t)(end - at) != here + (whole ? 0 : 4) || !(whole || gather(rows, at, here, (size_t)len)))
        return false;
    rows->end = from;
    rows->cell++;
    rows->id++;
    return take_row(rows, whole ? at : (const unsigned char *)rows->whole.data, (size_t)len, cells);
}

/* A leaf without free blocks and odd bytes. */
static bool open_leaf(struct rl_rows *rows)
{
    rows->page = page_at(rows->pages, rows->leaves->pages[rows->leaf++]);
    rows->cell = 0;
    rows->cells = number_at(rows->page + 3, 2);
    rows->end = rows->pages->size;
    return number_at(rows->page + 1, 2) == 0 && rows->page[7] == 0 && (rows->cells > 0 || rows->leaves->count == 1) &&
           LEAF_HEAD + 2 * rows->cells <= rows->pages->size;
}

/* That its cells reach down to where it says. */
static bool close_leaf(const struct rl_rows *rows)
{
    const size_t first = number_at(rows->page + 5, 2);
    return (first ? first : 65536) == rows->end;
}

bool rl_rows_next(struct rl_rows *rows, struct rl_cell *cells, bool *row)
{
    *row = false;
    while (rows->cell == rows->cells) {
        if (rows->page && !close_leaf(rows))
            return false;
        if (rows->leaf == rows->leaves->count)
            return true;
        if (!open_leaf(rows))
            return false;
    }
    *row = true;
    return take_cell(rows, cells);
}
