/* compare_figures.c - several cards in tables: times, speed-ups, what the roofs predict, occupancy, and what a card lacks. */
#include <assert.h>

#include "compare_doc.h"
#include "core/mem.h"

enum { MOST_ROWS = 400 };

static bool has_figures(const struct rl_cell *cell)
{
    return rl_present(cell->time_s) || cell->metric;
}

static const char *why_missing(const struct rl_cell *cell)
{
    return cell->why_not ? cell->why_not : rl_present(cell->time_s) ? "" : rl_value_reason(cell->time_s);
}

static void add_time(struct rl_document *doc, struct rl_grid *grid, const struct rl_cell *cell)
{
    const bool there = !cell->why_not && rl_present(cell->time_s);
    struct rl_grid_cell *time =
        rl_grid_cell(grid, RL_STYLE_CELL, there ? rl_words_value(doc, RL_UNIT_SECOND, cell->time_s, 4) : "–");
    time->sign = there ? "" : rl_layout_note(doc->layout, why_missing(cell));
}

static void add_speedup(struct rl_document *doc, struct rl_grid *grid, const struct rl_cell *cell)
{
    rl_grid_cell(grid, RL_STYLE_CELL_STRONG, rl_cell_has_speedup(cell) ? rl_words(doc, "%.2f×", cell->speedup.estimate) : "–");
    rl_grid_cell(grid, RL_STYLE_SIDE,
                 rl_cell_has_speedup(cell) && cell->speedup.has_interval
                     ? rl_words(doc, "%.2f–%.2f", cell->speedup.low, cell->speedup.high)
                     : "");
    rl_grid_cell(grid, RL_STYLE_CELL,
                 rl_present(cell->predicted) && !cell->why_not ? rl_words(doc, "%.2f×", cell->predicted.v) : "–");
}

/* Cards `first` to before `end` of a table, and whether it has their times, their speed-ups, or both. */
struct slice {
    const char *title;
    size_t first, end;
    bool times, speedups;
};

static void add_heads(struct rl_document *doc, struct rl_grid *grid, const struct slice *slice)
{
    for (size_t c = slice->first; c < slice->end; c++) {
        const char *card = rl_compare_words_card(doc, &rl_compare_what(doc)->options.columns->columns[c]);
        if (slice->times)
            rl_grid_add_columns(grid,
                                &(struct rl_grid_column){.head = card,
                                                         .align = RL_GRID_RIGHT,
                                                         .whole = true,
                                                         .head_in_line = rl_compare_what(doc)->options.columns->count <= 2},
                                1); /* two cards leave their names room */
        if (slice->speedups && c > 0) {
            rl_grid_add_columns(
                grid, &(struct rl_grid_column){.head = slice->times ? "speed-up" : card, .align = RL_GRID_RIGHT, .whole = true}, 1);
            rl_grid_add_columns(grid, &(struct rl_grid_column){.close = true}, 1);
            rl_grid_add_columns(grid, &(struct rl_grid_column){.head = "predicted", .align = RL_GRID_RIGHT, .whole = true}, 1);
        }
    }
}

static void lay_slice(struct rl_document *doc, const struct slice *slice, const size_t *items, size_t rows)
{
    const struct rl_columns *columns = rl_compare_what(doc)->options.columns;
    struct rl_grid grid;
    static const struct rl_grid_column heads[] = {
        {.head = "kernel", .align = RL_GRID_LEFT},
    };
    rl_grid_begin(&grid, doc->layout, slice->title, heads, RL_COUNT(heads));
    add_heads(doc, &grid, slice);
    for (size_t i = 0; i < rows; i++) {
        rl_grid_row(&grid);
        rl_grid_cell(&grid, RL_STYLE_CELL_NAME, rl_compare_words_label(doc, &columns->base->items[items[i]]));
        for (size_t c = slice->first; c < slice->end; c++) {
            if (slice->times)
                add_time(doc, &grid, &columns->columns[c].cells[items[i]]);
            if (slice->speedups && c > 0)
                add_speedup(doc, &grid, &columns->columns[c].cells[items[i]]);
        }
    }
    rl_grid_end(&grid);
    rl_layout_skip(doc->layout, 8);
}

/* As many tables as the cards need to be read: one for two or three, else times and speed-ups apart, some cards at a time. */
static void lay_slices(struct rl_document *doc, const size_t *items, size_t rows)
{
    enum { TOGETHER = 3, MOST_TIMES = 7, MOST_SPEEDUPS = 3 };
    const size_t cards = rl_compare_what(doc)->options.columns->count;
    if (cards <= TOGETHER) {
        lay_slice(doc, &(struct slice){"Times, speed-ups with intervals, and what the roofs predict", 0, cards, true, true}, items,
                  rows);
        return;
    }
    for (size_t c = 0; c < cards; c += MOST_TIMES)
        lay_slice(doc, &(struct slice){"Times", c, c + MOST_TIMES < cards ? c + MOST_TIMES : cards, true, false}, items, rows);
    for (size_t c = 1; c < cards; c += MOST_SPEEDUPS)
        lay_slice(doc,
                  &(struct slice){"Speed-ups over the base with intervals, and what the roofs predict", c,
                                  c + MOST_SPEEDUPS < cards ? c + MOST_SPEEDUPS : cards, false, true},
                  items, rows);
}

static void lay_times(struct rl_document *doc)
{
    const struct rl_columns *columns = rl_compare_what(doc)->options.columns;
    size_t *items = rl_arena_alloc(doc->arena, (columns->base->count + 1) * sizeof *items);
    const size_t count = rl_compare_items_with(columns, items, has_figures), rows = count < MOST_ROWS ? count : MOST_ROWS;
    if (rows)
        lay_slices(doc, items, rows);
    rl_compare_lay_rest(doc, count - rows);
    if (columns->base->count > count)
        rl_layout_textf(doc->layout, RL_STYLE_NOTE, "%s of the base alone: see what was matched.",
                        rl_words_count(doc, columns->base->count - count, "other kernel is", "other kernels are"));
    rl_layout_notes(doc->layout);
}

/* "71.1 % of 100 %, registers". */
static const char *occupancy_text(struct rl_document *doc, const struct rl_cell *cell)
{
    struct rl_buf limiter = RL_BUF_INIT;
    if (!rl_cell_has_occupancy(cell))
        return "–";
    if (cell->occupancy)
        rl_occupancy_limiter_text(cell->occupancy, &limiter);
    const char *achieved =
        rl_present(cell->achieved) ? rl_words(doc, "%s of ", rl_words_value(doc, RL_UNIT_FRACTION, cell->achieved, 3)) : "";
    const char *text = rl_words(doc, "%s%s%s%s", achieved, rl_words_value(doc, RL_UNIT_FRACTION, rl_cell_occupancy(cell), 3),
                                limiter.len ? ", " : "", limiter.len ? limiter.data : "");
    rl_buf_release(&limiter);
    return text;
}

static void lay_occupancy_slice(struct rl_document *doc, const struct slice *slice, const size_t *items, size_t rows)
{
    const struct rl_columns *columns = rl_compare_what(doc)->options.columns;
    struct rl_grid grid;
    static const struct rl_grid_column heads[] = {
        {.head = "kernel", .align = RL_GRID_LEFT},
    };
    rl_grid_begin(&grid, doc->layout, slice->title, heads, RL_COUNT(heads));
    for (size_t c = slice->first; c < slice->end; c++)
        rl_grid_add_columns(&grid, &(struct rl_grid_column){.head = rl_compare_words_card(doc, &columns->columns[c])}, 1);
    for (size_t i = 0; i < rows; i++) {
        rl_grid_row(&grid);
        rl_grid_cell(&grid, RL_STYLE_CELL_NAME, rl_compare_words_label(doc, &columns->base->items[items[i]]));
        for (size_t c = slice->first; c < slice->end; c++)
            rl_grid_cell(&grid, RL_STYLE_CELL, occupancy_text(doc, &columns->columns[c].cells[items[i]]));
    }
    rl_grid_end(&grid);
    rl_layout_skip(doc->layout, 8);
}

static void lay_occupancy(struct rl_document *doc)
{
    enum { MOST_CARDS = 3 };
    const struct rl_columns *columns = rl_compare_what(doc)->options.columns;
    size_t *items = rl_arena_alloc(doc->arena, (columns->base->count + 1) * sizeof *items), count = 0;
    const size_t all = rl_compare_items_with(columns, items, rl_cell_has_occupancy);
    for (size_t i = 0; i < all; i++)
        if (rl_columns_differ_in_occupancy(columns, items[i]))
            items[count++] = items[i];
    const size_t rows = count < MOST_ROWS ? count : MOST_ROWS;
    for (size_t c = 0; c < columns->count && rows > 0; c += MOST_CARDS)
        lay_occupancy_slice(doc,
                            &(struct slice){.title = "Occupancy: achieved of theoretical, and what limits it",
                                            .first = c,
                                            .end = c + MOST_CARDS < columns->count ? c + MOST_CARDS : columns->count},
                            items, rows);
    rl_compare_lay_rest(doc, count - rows);
    if (all > count)
        rl_layout_textf(doc->layout, RL_STYLE_NOTE,
                        "Occupancy: %s the same warps on every card, for the same reason, and achieve the same within %g points.",
                        rl_words_count(doc, all - count, count ? "other kernel may hold" : "kernel may hold",
                                       count ? "other kernels may hold" : "kernels may hold"),
                        100 * RL_SAME_OCCUPANCY);
}

static void draw_figures(struct rl_document *doc, struct rl_section *section)
{
    const struct rl_columns *columns = rl_compare_what(doc)->options.columns;
    (void)section;
    lay_times(doc);
    rl_layout_skip(doc->layout, 12);
    lay_occupancy(doc);
    for (size_t c = 1; c < columns->count; c++) {
        struct rl_buf lacks = RL_BUF_INIT;
        rl_column_lacks(columns, &columns->columns[c], &lacks);
        if (lacks.len) {
            rl_layout_skip(doc->layout, 8);
            rl_layout_textf(doc->layout, RL_STYLE_BODY, "%s lacks: %s.", rl_compare_words_card(doc, &columns->columns[c]),
                            lacks.data);
        }
        rl_buf_release(&lacks);
    }
}

const struct rl_page rl_compare_page_figures = {.draw = draw_figures, .joins = RL_COMPARE_ROWS};
