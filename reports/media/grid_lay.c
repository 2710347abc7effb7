/* grid_lay.c - tables on pages (see grid.h). */
#include "grid_private.h"
#include "layout_private.h"

#define BAR_HEIGHT 4.0
#define RULE       0.5

/* ---- drawing ---- */

static void rule(const struct rl_grid *grid, double y, double width, double thickness, struct rl_colour colour)
{
    if (grid->plain)
        return;
    double x = grid->layout->frame.x;
    rl_pdf_line(grid->layout->pdf, x, y, x + width, y, thickness, colour);
}

/* The role of a column's cells: the first column names the row, unless that is a number under a head. */
static enum rl_pdf_role cell_role(const struct rl_grid *grid, size_t column)
{
    bool headed = false;
    if (column > 0)
        return RL_PDF_CELL;
    for (size_t i = 0; i < grid->column_count; i++)
        headed |= grid->columns[i].head[0] || grid->columns[i].unit[0];
    return rl_grid_is_text(&grid->columns[0]) || !headed ? RL_PDF_STUB : RL_PDF_CELL;
}

/* The head of one column, its last line on the last of `lines` lines. */
static void draw_column_head(const struct rl_grid *grid, const struct rl_grid_column *column, const struct rl_grid_measure *m,
                             size_t lines, double top)
{
    struct rl_layout *layout = grid->layout;
    struct rl_grid_head head = rl_grid_split_head(grid, column, m->width);
    const double x = layout->frame.x + m->x, blank = rl_grid_text_width(grid, RL_STYLE_HEAD, " ", 1);
    const bool left = rl_grid_is_text(column);
    for (size_t k = 0; k < head.count; k++) {
        double baseline =
            rl_layout_baseline(layout, top - (double)(lines - head.count + k) * rl_styles[RL_STYLE_HEAD].leading, RL_STYLE_HEAD);
        struct rl_buf line = RL_BUF_INIT;
        rl_buf_adds(&line, !left && k > 0 ? " " : ""); /* lines are words to who hears them */
        rl_buf_add(&line, head.at[k], head.len[k]);
        rl_buf_adds(&line, left && k + 1 < head.count ? " " : "");
        rl_layout_label(layout, left ? RL_SIDE_LEFT : RL_SIDE_RIGHT, left ? x : x + m->width, baseline, m->width + blank + 0.1,
                        RL_STYLE_HEAD, line.data);
        rl_buf_release(&line);
    }
}

/* Draws it; `again` on pages after the first, where it is no part of the text. */
static void draw_head(struct rl_grid *grid, const struct rl_grid_measure *m, double width, bool again)
{
    struct rl_pdf *pdf = grid->layout->pdf;
    size_t lines = rl_grid_head_lines(grid, m);
    double top = rl_layout_take(grid->layout, rl_grid_head_height(lines));
    if (lines > 0)
        rl_pdf_begin(pdf, again ? RL_PDF_ARTIFACT : RL_PDF_ROW);
    for (size_t i = 0; i < grid->column_count && lines > 0; i++) {
        rl_pdf_begin(pdf, again ? RL_PDF_ARTIFACT : RL_PDF_HEAD);
        draw_column_head(grid, &grid->columns[i], &m[i], lines, top);
        rl_pdf_end(pdf);
    }
    if (lines > 0)
        rl_pdf_end(pdf);
    rule(grid, grid->layout->y, width, RULE, rl_layout_ink);
    grid->layout->y -= RL_GRID_HEAD_GAP;
}

/* An edge and lines across that rise to the right. */
static void hatch_bar(struct rl_pdf *pdf, struct rl_rect bar, struct rl_colour colour)
{
    static const double step = 3, line = 0.5;
    const double right = bar.x + bar.width, top = bar.y + bar.height;
    rl_pdf_line(pdf, bar.x, bar.y, right, bar.y, line, colour);
    rl_pdf_line(pdf, right, bar.y, right, top, line, colour);
    rl_pdf_line(pdf, bar.x, top, right, top, line, colour);
    rl_pdf_line(pdf, bar.x, bar.y, bar.x, top, line, colour);
    for (double x = bar.x - bar.height + step; x < right; x += step) {
        const double from = fmax(x, bar.x), to = fmin(x + bar.height, right);
        rl_pdf_line(pdf, from, bar.y + (from - x), to, bar.y + (to - x), line, colour);
    }
}

static void draw_bar(struct rl_layout *layout, const struct rl_grid_cell *cell, double x, double baseline, double width)
{
    double y = baseline + (layout->capital * rl_styles[cell->style].size - BAR_HEIGHT) / 2;
    rl_pdf_fill_rect(layout->pdf, (struct rl_rect){x, y, width, BAR_HEIGHT}, (struct rl_colour){0xEC, 0xEC, 0xEC, 255});
    assert(width > 0);
    double filled = width * fmin(fmax(cell->share, 0), 1);
    if (filled > 0)
        rl_pdf_fill_rect(layout->pdf, (struct rl_rect){x, y, filled, BAR_HEIGHT}, rl_tone_area(cell->share_tone));
    if (filled > 0 && rl_tones[cell->share_tone].hatched)
        hatch_bar(layout->pdf, (struct rl_rect){x, y, filled, BAR_HEIGHT}, rl_tones[cell->share_tone].mark);
}

/* Left edge of a cell's text inside its column. */
static double text_x(const struct rl_grid *grid, const struct rl_grid_column *column, const struct rl_grid_cell *cell,
                     const struct rl_grid_measure *m)
{
    if (rl_grid_is_text(column))
        return m->x + (cell->mark == RL_MARK_NONE ? 0 : rl_grid_mark_room(cell));
    size_t len = strlen(cell->text);
    if (column->align == RL_GRID_DECIMAL)
        return fmax(m->x,
                    m->x + m->width - m->fraction - rl_grid_text_width(grid, cell->style, cell->text, strcspn(cell->text, ".")));
    return fmax(m->x, m->x + m->width - rl_grid_text_width(grid, cell->style, cell->text, len) - rl_grid_sign_width(grid, cell));
}

/* A cell of one line. */
static void draw_cell(struct rl_grid *grid, const struct rl_grid_column *column, const struct rl_grid_cell *cell,
                      const struct rl_grid_measure *m, double top)
{
    struct rl_layout *layout = grid->layout;
    double left = layout->frame.x, baseline = rl_layout_baseline(layout, top, RL_STYLE_CELL);
    double x = text_x(grid, column, cell, m), sign = rl_grid_sign_width(grid, cell);
    if (!isnan(cell->share) &&
        column->share_width > 0) /* flush with the widest text, so that the bars of a column begin at one line */
        draw_bar(layout, cell, left + m->x + m->width - m->whole - m->fraction - RL_GRID_BAR_GAP - column->share_width, baseline,
                 column->share_width);
    rl_layout_mark(layout, cell->mark, left + m->x, baseline, cell->style);
    const double room = m->x + m->width - x - sign;
    const bool leads = cell->target != RL_NO_TARGET && !cell->page_number;
    if (leads)
        rl_pdf_begin(layout->pdf, RL_PDF_LINK);
    const double shown = rl_layout_label(layout, RL_SIDE_LEFT, left + x, baseline, fmax(room, 4) + 0.1, cell->style, cell->text);
    if (leads) {
        rl_layout_link(layout, (struct rl_rect){left + x, baseline - 3, shown, 11}, cell->target);
        rl_pdf_end(layout->pdf);
    }
    rl_layout_label(layout, RL_SIDE_LEFT, left + x + shown, baseline, sign + 1, cell->style, cell->sign);
    if (cell->page_number)
        rl_layout_page_number(layout, left + m->x + m->width, baseline, cell->style, "", cell->target);
}

/* A cell that is broken into lines. */
static void draw_wrapped(struct rl_grid *grid, const struct rl_grid_column *column, const struct rl_grid_cell *cell,
                         const struct rl_grid_measure *m, double top)
{
    struct rl_layout *layout = grid->layout;
    const double shift = rl_grid_mark_room(cell), left = layout->frame.x + m->x;
    rl_layout_mark(layout, cell->mark, left, rl_layout_baseline(layout, top, RL_STYLE_CELL), cell->style);
    /* Text over several lines inside a column, its first line box at `top`. */
    struct rl_frame frame = layout->frame;
    double y = layout->y;
    struct rl_para para = {.max_lines = RL_GRID_CELL_LINES};
    rl_para_add(layout, &para, cell->style, cell->text);
    layout->frame = (struct rl_frame){left + shift, m->width - shift};
    layout->y = top - rl_grid_block_shift(layout, cell->style);
    rl_layout_para(layout, &para);
    layout->frame = frame;
    layout->y = y;
}

/* ---- the whole ---- */

enum { TOGETHER = 3 }; /* rows that stay with the head, and with the notes */

#define ROWS_END 6.0 /* the line below the last row and the gap after it */
#define TEXT_GAP 4.0 /* above the note below a table */

/* Height of the note below the table with its gap; 0 when there is none. */
static double note_height(struct rl_grid *grid)
{
    struct rl_para para = {.max_lines = RL_TEXT_LINES};
    if (!grid->foot)
        return 0;
    rl_para_add(grid->layout, &para, RL_STYLE_NOTE, grid->foot);
    return TEXT_GAP + rl_para_height(grid->layout, &para, grid->layout->frame.width);
}

/* Height of `count` rows from `first` on; of rows that fill pages only their first lines count. */
static double rows_height(struct rl_grid *grid, size_t first, size_t count, const struct rl_grid_measure *m)
{
    double height = 0;
    for (size_t row = first; row < grid->row_count && row < first + count; row++)
        height += fmin(rl_grid_row_height(grid, row, m), 100);
    return height;
}

/* Below the last row: its line, and the notes. */
static double foot_height(struct rl_grid *grid)
{
    return ROWS_END + note_height(grid) + fmin(rl_layout_notes_height(grid->layout), 100);
}

/* Makes room for the title, the head and the first rows together: none of them stands alone at the foot of a page. A table that
 * would have to be parted after fewer rows is not parted. */
static void begin(struct rl_grid *grid, const struct rl_grid_measure *m)
{
    const bool whole = grid->row_count < 2 * TOGETHER;
    double need = rl_grid_head_height(rl_grid_head_lines(grid, m)) + RL_GRID_HEAD_GAP +
                  rows_height(grid, 0, whole ? grid->row_count : TOGETHER, m) + (whole ? foot_height(grid) : ROWS_END);
    if (grid->title)
        need += RL_HEADING_BEFORE + RL_HEADING_AFTER + rl_styles[RL_STYLE_SUBSECTION].leading;
    rl_layout_need(grid->layout, need);
    if (grid->title)
        rl_layout_subsection(grid->layout, grid->title);
}

/* A row that names those below it: nothing stands in it but its first cell, in bold. */
static bool is_heading(const struct rl_grid *grid, size_t row)
{
    for (size_t i = 1; i < grid->column_count; i++)
        if (rl_grid_cell_at(grid, row, i)->text[0])
            return false;
    return rl_grid_cell_at(grid, row, 0)->style == RL_STYLE_CELL_STRONG && row + 1 < grid->row_count;
}

/* The room that this row must find. The last rows stay with the notes: those never stand alone on a page; nor does a heading. */
static double row_need(struct rl_grid *grid, size_t row, const struct rl_grid_measure *m)
{
    const bool begins_end = grid->row_count >= 2 * TOGETHER && row == grid->row_count - TOGETHER;
    if (!begins_end && is_heading(grid, row))
        return rows_height(grid, row, 2, m) + 3;
    return begins_end ? rows_height(grid, row, TOGETHER, m) + foot_height(grid) : rl_grid_row_height(grid, row, m) + 3;
}

/* Pages that the rows take from here on, the head repeated on each. */
static size_t pages_of(struct rl_grid *grid, const struct rl_grid_measure *m)
{
    double room = rl_layout_room(grid->layout);
    size_t pages = 1;
    for (size_t row = 0; row < grid->row_count; row++) {
        if (room < row_need(grid, row, m)) {
            pages++;
            room = grid->layout->top - grid->layout->bottom - rl_grid_head_height(rl_grid_head_lines(grid, m)) - RL_GRID_HEAD_GAP;
        }
        room -= rl_grid_row_height(grid, row, m);
    }
    return pages;
}

#define MOST_SQUEEZE 0.75
#define SQUEEZE_STEP 0.1

/* The few rows that a tight table would have on its last page go onto the others, where rows that are a little lower make room. */
static void spare_last_page(struct rl_grid *grid, const struct rl_grid_measure *m)
{
    const size_t pages = grid->tight ? pages_of(grid, m) : 1;
    if (pages == 1)
        return;
    while (grid->squeeze < MOST_SQUEEZE && pages_of(grid, m) == pages)
        grid->squeeze += SQUEEZE_STEP;
    if (pages_of(grid, m) == pages)
        grid->squeeze = 0;
}

static void lay_in_web(struct rl_grid *grid)
{
    if (grid->title)
        rl_layout_subsection(grid->layout, grid->title);
    rl_web_table(grid->layout->web, grid);
    if (grid->foot)
        rl_layout_text(grid->layout, RL_STYLE_NOTE, grid->foot);
}

static void lay_on_pages(struct rl_grid *grid)
{
    struct rl_layout *layout = grid->layout;
    struct rl_grid_measure *m = rl_calloc(grid->column_count, sizeof *m);
    double width = rl_grid_arrange(grid, m);
    begin(grid, m);
    rl_pdf_begin(layout->pdf, RL_PDF_TABLE);
    draw_head(grid, m, width, false);
    spare_last_page(grid, m);
    for (size_t row = 0; row < grid->row_count; row++) {
        size_t page = layout->page;
        rl_layout_need(layout, row_need(grid, row, m));
        if (layout->page != page)
            draw_head(grid, m, width, true);
        else if (grid->group[row])
            rule(grid, layout->y, width, 0.35, rl_layout_hairline);
        for (size_t i = 0; i < grid->column_count; i++)
            if (rl_grid_cell_at(grid, row, i)->anchor != RL_NO_TARGET)
                rl_layout_bind(layout, rl_grid_cell_at(grid, row, i)->anchor);
        double top = rl_layout_take(layout, rl_grid_row_height(grid, row, m)) + rl_grid_taken_off(grid) / 2;
        rl_pdf_begin(layout->pdf, RL_PDF_ROW);
        for (size_t i = 0; i < grid->column_count; i++) {
            const bool wraps = grid->columns[i].align == RL_GRID_WRAP;
            rl_pdf_begin(layout->pdf, cell_role(grid, i));
            (wraps ? draw_wrapped : draw_cell)(grid, &grid->columns[i], rl_grid_cell_at(grid, row, i), &m[i], top);
            rl_pdf_end(layout->pdf);
        }
        rl_pdf_end(layout->pdf);
    }
    rl_pdf_end(layout->pdf);
    layout->y -= 2;
    rule(grid, layout->y, width, RULE, rl_layout_ink);
    rl_layout_skip(layout, ROWS_END - 2);
    if (grid->foot) {
        rl_layout_skip(layout, TEXT_GAP);
        rl_layout_text(layout, RL_STYLE_NOTE, grid->foot);
    }
    free(m);
}

void rl_grid_lay(struct rl_grid *grid)
{
    rl_grid_complete(grid);
    assert(grid->cell_count == grid->row_count * grid->column_count);
    if (grid->row_count > 0)
        (grid->layout->web ? lay_in_web : lay_on_pages)(grid);
}

double rl_grid_height(struct rl_grid *grid)
{
    if (grid->row_count == 0)
        return 0;
    rl_grid_complete(grid);
    struct rl_grid_measure *m = rl_calloc(grid->column_count, sizeof *m);
    rl_grid_arrange(grid, m);
    double height = rl_grid_head_height(rl_grid_head_lines(grid, m)) + RL_GRID_HEAD_GAP + ROWS_END + note_height(grid);
    if (grid->title)
        height += RL_HEADING_BEFORE + RL_HEADING_AFTER + rl_styles[RL_STYLE_SUBSECTION].leading;
    for (size_t row = 0; row < grid->row_count; row++)
        height += rl_grid_row_height(grid, row, m);
    free(m);
    return height;
}
