/* grid.c - tables (see grid.h). */
#include "grid.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/units.h"
#include "layout_private.h"

#define GAP        12.0 /* between columns, when nothing presses or pulls */
#define GAP_TIGHT  7.0
#define GAP_LEAST  4.0
#define GAP_MOST   40.0
#define GAP_CLOSE  5.0  /* before a column that belongs to the one on its left */
#define TEXT_LEAST 48.0 /* width that a text column keeps */
#define BAR_GAP    4.0
#define BAR_HEIGHT 4.0
#define CELL_LINES 24    /* of a cell that is broken into lines: a row always fits a page */
#define HEAD_MOST  110.0 /* width that a head can claim */
#define RULE       0.5
#define EN_DASH    "\xE2\x80\x93"
#define MINUS      "\xE2\x88\x92"

/* ---- filling ---- */

void rl_grid_init(struct rl_grid *grid, struct rl_layout *layout)
{
    *grid = (struct rl_grid){.layout = layout};
}

void rl_grid_release(struct rl_grid *grid)
{
    free(grid->columns);
    free(grid->cells);
    free(grid->group);
    *grid = (struct rl_grid){0};
}

void rl_grid_begin(struct rl_grid *grid, struct rl_layout *layout, const char *title, const struct rl_grid_column *columns,
                   size_t count)
{
    rl_grid_init(grid, layout);
    grid->title = title;
    for (size_t i = 0; i < count; i++)
        *rl_grid_add_column(grid, columns[i].head, columns[i].unit, columns[i].align) = columns[i];
}

void rl_grid_end(struct rl_grid *grid)
{
    rl_grid_lay(grid);
    rl_grid_release(grid);
}

struct rl_grid_column *rl_grid_add_column(struct rl_grid *grid, const char *head, const char *unit, enum rl_grid_align align)
{
    assert(grid->row_count == 0);
    RL_GROW(grid->columns, grid->column_count + 1, grid->column_cap);
    struct rl_grid_column *column = &grid->columns[grid->column_count++];
    *column = (struct rl_grid_column){rl_layout_copy(grid->layout, head), rl_layout_copy(grid->layout, unit), align};
    return column;
}

/* Fills the rest of the row. */
static void complete_row(struct rl_grid *grid)
{
    while (grid->cell_count < grid->row_count * grid->column_count)
        rl_grid_cell(grid, RL_STYLE_CELL, "");
}

void rl_grid_row(struct rl_grid *grid)
{
    assert(grid->layout && grid->column_count > 0);
    complete_row(grid);
    RL_GROW(grid->group, grid->row_count + 1, grid->group_cap);
    grid->group[grid->row_count++] = false;
}

void rl_grid_group(struct rl_grid *grid)
{
    rl_grid_row(grid);
    grid->group[grid->row_count - 1] = grid->row_count > 1;
}

struct rl_grid_cell *rl_grid_cell(struct rl_grid *grid, enum rl_style style, const char *text)
{
    assert(grid->cell_count < grid->row_count * grid->column_count);
    RL_GROW(grid->cells, grid->cell_count + 1, grid->cell_cap);
    struct rl_grid_cell *cell = &grid->cells[grid->cell_count++];
    *cell = (struct rl_grid_cell){.text = rl_layout_copy(grid->layout, text),
                                  .sign = "",
                                  .style = style,
                                  .share = NAN,
                                  .target = RL_NO_TARGET,
                                  .anchor = RL_NO_TARGET};
    return cell;
}

#define LONG_NUMBER 1e4

/* A number of 1e4 or more to so many significant digits. */
static double rounded(double value, int digits)
{
    double last = isfinite(value) ? pow(10, floor(log10(fabs(value))) - digits + 1) : 1;
    return last > 1 ? round(value / last) * last : round(value);
}

struct rl_grid_cell *rl_grid_value(struct rl_grid *grid, enum rl_style style, struct rl_value value, double factor, int digits)
{
    if (!rl_present(value)) {
        struct rl_grid_cell *cell = rl_grid_cell(grid, RL_STYLE_CELL_QUIET, EN_DASH);
        cell->sign = rl_layout_note(grid->layout, value.reason);
        return cell;
    }
    struct rl_buf text = RL_BUF_INIT;
    const double shown = value.v * factor, size = fabs(shown);
    const bool tiny = size != 0 && size < 1e-4; /* the column's scale is not its own: no exponents in tables */
    rl_buf_adds(&text, shown >= 0 ? (tiny ? "<" : "") : tiny ? ">" MINUS : MINUS);
    if (tiny)
        rl_buf_adds(&text, "0.0001");
    else if (digits > 0 && size < LONG_NUMBER)
        rl_number_format(&text, size, digits);
    else /* with spaces between thousands */
        rl_unit_format(&text, RL_UNIT_COUNT, digits > 0 ? rounded(size, digits) : size, 1);
    struct rl_grid_cell *cell = rl_grid_cell(grid, style, text.data);
    rl_buf_release(&text);
    return cell;
}

/* ---- measuring ---- */

/* What a column needs and gets. */
struct measure {
    double before;          /* marks and bars, left of the text */
    double whole, fraction; /* RL_GRID_DECIMAL: widest part before the point; from it on, with the sign */
    double natural, least;
    double x, width;
};

static struct rl_grid_cell *cell_at(const struct rl_grid *grid, size_t row, size_t column)
{
    assert(row < grid->row_count && column < grid->column_count);
    return &grid->cells[row * grid->column_count + column];
}

static double width_of(const struct rl_grid *grid, enum rl_style style, const char *text, size_t len)
{
    return rl_layout_text_width(grid->layout, style, text, len);
}

static double sign_width(const struct rl_grid *grid, const struct rl_grid_cell *cell)
{
    return width_of(grid, cell->style, cell->sign, strlen(cell->sign));
}

static bool is_text(const struct rl_grid_column *column)
{
    return column->align == RL_GRID_LEFT || column->align == RL_GRID_WRAP;
}

static double mark_room(const struct rl_grid_cell *cell)
{
    return cell->mark == RL_MARK_NONE ? 0 : 0.62 * rl_styles[cell->style].size + 4;
}

/* Width in which the head takes about `lines` lines: at least its longest word. */
static double head_width(const struct rl_grid *grid, const struct rl_grid_column *column, double lines)
{
    double longest = width_of(grid, RL_STYLE_HEAD, column->unit, strlen(column->unit)), all = 0;
    for (const char *p = column->head; *p;) {
        size_t len = strcspn(p, " ");
        double width = width_of(grid, RL_STYLE_HEAD, p, len);
        all += width + 2;
        longest = fmax(longest, width);
        p += len;
        p += *p == ' ';
    }
    return fmin(fmax(longest, all / (column->head_in_line ? 1 : lines)) + 0.5, HEAD_MOST);
}

static void measure_cell(const struct rl_grid *grid, const struct rl_grid_column *column, const struct rl_grid_cell *cell,
                         struct measure *m)
{
    const char *point = column->align == RL_GRID_DECIMAL ? strchr(cell->text, '.') : NULL;
    size_t whole = point ? (size_t)(point - cell->text) : strlen(cell->text);
    double bar = column->share_width > 0 ? column->share_width + BAR_GAP : 0;
    m->before = fmax(m->before, fmax(bar, mark_room(cell)));
    m->whole = fmax(m->whole, width_of(grid, cell->style, cell->text, whole));
    m->fraction = fmax(m->fraction, (point ? width_of(grid, cell->style, point, strlen(point)) : 0) + sign_width(grid, cell));
}

static void measure_column(const struct rl_grid *grid, size_t column, double head_lines, struct measure *m)
{
    const struct rl_grid_column *c = &grid->columns[column];
    *m = (struct measure){0};
    for (size_t row = 0; row < grid->row_count; row++)
        measure_cell(grid, c, cell_at(grid, row, column), m);
    double head = head_width(grid, c, head_lines);
    m->natural = fmax(fmax(m->before + m->whole + m->fraction + 0.01, head), c->at_least);
    if (c->at_most > 0)
        m->natural = fmin(m->natural, fmax(c->at_most, head));
    m->least = is_text(c) && !c->whole ? fmin(m->natural, fmax(fmax(TEXT_LEAST, head), c->at_least)) : m->natural;
}

static bool has_gap(const struct rl_grid *grid, size_t column)
{
    return column > 0 && !grid->columns[column].close;
}

/* Takes `excess` points from the columns of one kind, each in proportion to what it can give; returns what is left to find. */
static double squeeze(const struct rl_grid *grid, struct measure *m, enum rl_grid_align align, double excess)
{
    double slack = 0;
    for (size_t i = 0; i < grid->column_count; i++)
        slack += grid->columns[i].align == align ? m[i].natural - m[i].least : 0;
    if (slack <= 0 || excess <= 0)
        return excess;
    double part = fmin(1, excess / slack);
    for (size_t i = 0; i < grid->column_count; i++)
        m[i].width -= grid->columns[i].align == align ? part * (m[i].natural - m[i].least) : 0;
    return excess - part * slack;
}

/* The same from the gaps, down to `least` each. */
static double squeeze_gaps(double *gap, double gaps, double least, double excess)
{
    if (gaps <= 0 || excess <= 0)
        return excess;
    double taken = fmin(*gap - least, excess / gaps);
    *gap -= taken;
    return excess - taken * gaps;
}

/* The last resort: every column gives the same part of its width. */
static void squeeze_all(const struct rl_grid *grid, struct measure *m, double excess)
{
    double total = 0;
    for (size_t i = 0; i < grid->column_count; i++)
        total += m[i].width;
    for (size_t i = 0; i < grid->column_count && excess > 0; i++)
        m[i].width *= fmax(0.1, 1 - excess / total);
}

/* Gives `spare` points to the gaps, then to those of the columns that hold running text, without any to the names. Returns the gap.
 */
static double stretch(const struct rl_grid *grid, struct measure *m, double spare, double gaps)
{
    enum rl_grid_align taker = RL_GRID_LEFT;
    double takers = 0;
    for (size_t i = 0; i < grid->column_count; i++)
        if (grid->columns[i].align == RL_GRID_WRAP)
            taker = RL_GRID_WRAP;
    for (size_t i = 0; i < grid->column_count; i++)
        takers += grid->columns[i].align == taker && !grid->columns[i].whole ? 1 : 0;
    double most = taker == RL_GRID_WRAP ? 0 : GAP_MOST - GAP;
    double more = gaps > 0 ? fmin(takers > 0 ? most : spare, spare / gaps) : 0;
    spare -= more * gaps;
    for (size_t i = 0; i < grid->column_count && takers > 0; i++)
        if (grid->columns[i].align == taker && !grid->columns[i].whole)
            m[i].width += spare / takers;
    return GAP + more;
}

/* Natural widths of all columns with heads of about so many lines; returns their sum without the gaps. */
static double measure(const struct rl_grid *grid, double head_lines, struct measure *m)
{
    double total = 0;
    for (size_t i = 0; i < grid->column_count; i++) {
        measure_column(grid, i, head_lines, &m[i]);
        m[i].width = m[i].natural;
        total += m[i].natural + (i > 0 && !has_gap(grid, i) ? GAP_CLOSE : 0);
    }
    return total;
}

/* Widths and places of all columns; returns the width of the table. */
static double arrange(const struct rl_grid *grid, struct measure *m)
{
    double available = grid->layout->frame.width, gaps = 0, gap = GAP, x = 0;
    for (size_t i = 0; i < grid->column_count; i++)
        gaps += has_gap(grid, i) ? 1 : 0;
    double excess = measure(grid, 1.7, m) + gaps * GAP - available;
    if (excess > 0)
        excess = measure(grid, 2.6, m) + gaps * GAP - available;
    if (excess > 0) {
        excess = squeeze(grid, m, RL_GRID_WRAP, excess); /* what can be broken into lines loses nothing */
        excess = squeeze_gaps(&gap, gaps, GAP_TIGHT, excess);
        excess = squeeze(grid, m, RL_GRID_LEFT, excess);
        excess = squeeze_gaps(&gap, gaps, GAP_LEAST, excess);
        squeeze_all(grid, m, excess);
    } else {
        gap = stretch(grid, m, -excess, gaps);
    }
    for (size_t i = 0; i < grid->column_count; i++) {
        x += i == 0 ? 0 : has_gap(grid, i) ? gap : GAP_CLOSE;
        m[i].x = x;
        x += m[i].width;
    }
    return x;
}

/* ---- drawing ---- */

static void rule(const struct rl_grid *grid, double y, double width, double thickness, struct rl_colour colour)
{
    if (grid->plain)
        return;
    double x = grid->layout->frame.x;
    rl_pdf_line(grid->layout->pdf, x, y, x + width, y, thickness, colour);
}

/* Text over several lines inside a column, its first line box at `top`. */
static void draw_block(struct rl_layout *layout, enum rl_style style, const char *text, double x, double width, double top)
{
    struct rl_frame frame = layout->frame;
    double y = layout->y;
    struct rl_para para = RL_PARA_INIT;
    rl_para_add(layout, &para, style, text);
    para.max_lines = CELL_LINES;
    layout->frame = (struct rl_frame){x, width};
    layout->y = top;
    rl_layout_para(layout, &para);
    layout->frame = frame;
    layout->y = y;
    rl_para_release(&para);
}

/* How far below the top of a row a block begins, so that its first line stands on the base line of the row. */
static double block_shift(const struct rl_layout *layout, enum rl_style style)
{
    return fmax(0, rl_layout_baseline(layout, 0, style) - rl_layout_baseline(layout, 0, RL_STYLE_CELL));
}

static double block_height(struct rl_layout *layout, enum rl_style style, const char *text, double width)
{
    struct rl_para para = RL_PARA_INIT;
    rl_para_add(layout, &para, style, text);
    para.max_lines = CELL_LINES;
    double height = rl_para_height(layout, &para, width) + 2 * block_shift(layout, style);
    rl_para_release(&para);
    return height;
}

/* Words of a head, line by line, from the bottom up would need two passes: heads are few, so the lines are found here. */
static size_t head_line(const struct rl_grid *grid, const char *text, double width)
{
    size_t best = strcspn(text, " ");
    for (size_t n = best; text[n];) {
        size_t next = n + 1 + strcspn(text + n + 1, " ");
        if (width_of(grid, RL_STYLE_HEAD, text, next) > width + 0.01)
            break;
        best = n = next;
    }
    return best;
}

enum { HEAD_LINES = 8 };
struct head {
    const char *at[HEAD_LINES];
    size_t len[HEAD_LINES], count;
};

static struct head split_head(const struct rl_grid *grid, const struct rl_grid_column *column, double width)
{
    struct head head = {.count = 0};
    for (const char *p = column->head; *p && head.count < HEAD_LINES - 1;) {
        size_t len = head_line(grid, p, width);
        head.at[head.count] = p;
        head.len[head.count++] = len;
        p += len;
        p += *p == ' ';
    }
    if (column->unit[0]) {
        head.at[head.count] = column->unit;
        head.len[head.count++] = strlen(column->unit);
    }
    return head;
}

static size_t head_lines(const struct rl_grid *grid, const struct measure *m)
{
    size_t lines = 0;
    for (size_t i = 0; i < grid->column_count; i++) {
        struct head head = split_head(grid, &grid->columns[i], m[i].width);
        lines = head.count > lines ? head.count : lines;
    }
    return lines;
}

#define HEAD_GAP 2.0 /* below the line of the head */

static double head_height(size_t lines)
{
    return lines ? (double)lines * rl_styles[RL_STYLE_HEAD].leading + 3 : 0;
}

/* The head of one column, its last line on the last of `lines` lines. */
static void draw_column_head(const struct rl_grid *grid, const struct rl_grid_column *column, const struct measure *m, size_t lines,
                             double top)
{
    struct rl_layout *layout = grid->layout;
    struct head head = split_head(grid, column, m->width);
    double x = layout->frame.x + m->x;
    for (size_t k = 0; k < head.count; k++) {
        double baseline =
            rl_layout_baseline(layout, top - (double)(lines - head.count + k) * rl_styles[RL_STYLE_HEAD].leading, RL_STYLE_HEAD);
        struct rl_buf line = RL_BUF_INIT;
        rl_buf_add(&line, head.at[k], head.len[k]);
        rl_layout_label(layout, is_text(column) ? RL_SIDE_LEFT : RL_SIDE_RIGHT, is_text(column) ? x : x + m->width, baseline,
                        m->width + 0.1, RL_STYLE_HEAD, line.data);
        rl_buf_release(&line);
    }
}

static void draw_head(struct rl_grid *grid, const struct measure *m, double width)
{
    size_t lines = head_lines(grid, m);
    double top = rl_layout_take(grid->layout, head_height(lines));
    for (size_t i = 0; i < grid->column_count; i++)
        draw_column_head(grid, &grid->columns[i], &m[i], lines, top);
    rule(grid, grid->layout->y, width, RULE, rl_layout_ink);
    grid->layout->y -= HEAD_GAP;
}

static void draw_bar(struct rl_layout *layout, const struct rl_grid_cell *cell, double x, double baseline, double width)
{
    double y = baseline + (layout->capital * rl_styles[cell->style].size - BAR_HEIGHT) / 2;
    rl_pdf_fill_rect(layout->pdf, (struct rl_rect){x, y, width, BAR_HEIGHT}, (struct rl_colour){0xEC, 0xEC, 0xEC, 255});
    assert(width > 0);
    double filled = width * fmin(fmax(cell->share, 0), 1);
    if (filled > 0)
        rl_pdf_fill_rect(layout->pdf, (struct rl_rect){x, y, filled, BAR_HEIGHT}, cell->share_colour);
}

/* Left edge of a cell's text inside its column. */
static double text_x(const struct rl_grid *grid, const struct rl_grid_column *column, const struct rl_grid_cell *cell,
                     const struct measure *m)
{
    if (is_text(column))
        return m->x + (cell->mark == RL_MARK_NONE ? 0 : mark_room(cell));
    size_t len = strlen(cell->text);
    if (column->align == RL_GRID_DECIMAL)
        return fmax(m->x, m->x + m->width - m->fraction - width_of(grid, cell->style, cell->text, strcspn(cell->text, ".")));
    return fmax(m->x, m->x + m->width - width_of(grid, cell->style, cell->text, len) - sign_width(grid, cell));
}

/* A cell of one line. */
static void draw_cell(struct rl_grid *grid, const struct rl_grid_column *column, const struct rl_grid_cell *cell,
                      const struct measure *m, double top)
{
    struct rl_layout *layout = grid->layout;
    double left = layout->frame.x, baseline = rl_layout_baseline(layout, top, RL_STYLE_CELL);
    double x = text_x(grid, column, cell, m), sign = sign_width(grid, cell);
    if (!isnan(cell->share) &&
        column->share_width > 0) /* flush with the widest text, so that the bars of a column begin at one line */
        draw_bar(layout, cell, left + m->x + m->width - m->whole - m->fraction - BAR_GAP - column->share_width, baseline,
                 column->share_width);
    rl_layout_mark(layout, cell->mark, left + m->x, baseline, cell->style);
    double room = m->x + m->width - x - sign;
    double shown = rl_layout_label(layout, RL_SIDE_LEFT, left + x, baseline, fmax(room, 4) + 0.1, cell->style, cell->text);
    rl_layout_label(layout, RL_SIDE_LEFT, left + x + shown, baseline, sign + 1, cell->style, cell->sign);
    if (cell->page_number)
        rl_layout_page_number(layout, RL_SIDE_RIGHT, left + m->x + m->width, baseline, cell->style, "", cell->target);
    else
        rl_layout_link(layout, (struct rl_rect){left + x, baseline - 3, shown, 11}, cell->target);
}

#define TIGHTER 2.4

/* What rows are lower than their leading. */
static double taken_off(const struct rl_grid *grid)
{
    return (grid->tight ? TIGHTER : 0) + grid->squeeze;
}

static double row_height(struct rl_grid *grid, size_t row, const struct measure *m)
{
    double height = rl_styles[RL_STYLE_CELL].leading - taken_off(grid);
    for (size_t i = 0; i < grid->column_count; i++) {
        const struct rl_grid_cell *cell = cell_at(grid, row, i);
        if (grid->columns[i].align == RL_GRID_WRAP)
            height = fmax(height, block_height(grid->layout, cell->style, cell->text, m[i].width - mark_room(cell)));
    }
    return height;
}

static void draw_row(struct rl_grid *grid, size_t row, const struct measure *m)
{
    struct rl_layout *layout = grid->layout;
    for (size_t i = 0; i < grid->column_count; i++)
        if (cell_at(grid, row, i)->anchor != RL_NO_TARGET)
            rl_layout_bind(layout, cell_at(grid, row, i)->anchor);
    double top = rl_layout_take(layout, row_height(grid, row, m)) + taken_off(grid) / 2;
    for (size_t i = 0; i < grid->column_count; i++) {
        const struct rl_grid_column *column = &grid->columns[i];
        const struct rl_grid_cell *cell = cell_at(grid, row, i);
        if (column->align != RL_GRID_WRAP) {
            draw_cell(grid, column, cell, &m[i], top);
            continue;
        }
        double shift = mark_room(cell);
        rl_layout_mark(layout, cell->mark, layout->frame.x + m[i].x, rl_layout_baseline(layout, top, RL_STYLE_CELL), cell->style);
        draw_block(layout, cell->style, cell->text, layout->frame.x + m[i].x + shift, m[i].width - shift,
                   top - block_shift(layout, cell->style));
    }
}

enum { TOGETHER = 3 }; /* rows that stay with the head, and with the notes */

#define ROWS_END 6.0 /* the line below the last row and the gap after it */
#define TEXT_GAP 4.0 /* below the text above a table, and above the note below one */

/* Of a text of the table's own with its gap; 0 when there is none. */
static double text_height(struct rl_grid *grid, enum rl_style style, const char *text)
{
    struct rl_para para = RL_PARA_INIT;
    if (!text)
        return 0;
    rl_para_add(grid->layout, &para, style, text);
    para.max_lines = RL_TEXT_LINES;
    double height = rl_para_height(grid->layout, &para, grid->layout->frame.width);
    rl_para_release(&para);
    return TEXT_GAP + height;
}

/* Of the rows from `first` on, TOGETHER at most; of rows that fill pages only their first lines count. */
static double rows_height(struct rl_grid *grid, size_t first, const struct measure *m)
{
    double height = 0;
    for (size_t row = first; row < grid->row_count && row < first + TOGETHER; row++)
        height += fmin(row_height(grid, row, m), 100);
    return height;
}

/* Below the last row: its line, and the notes. */
static double foot_height(struct rl_grid *grid)
{
    return ROWS_END + text_height(grid, RL_STYLE_NOTE, grid->foot) + fmin(rl_layout_notes_height(grid->layout), 100);
}

/* Makes room for the title, the head and the first rows together: none of them stands alone at the foot of a page. */
static void begin(struct rl_grid *grid, const struct measure *m)
{
    double below = grid->row_count <= TOGETHER ? foot_height(grid) : ROWS_END;
    double need = text_height(grid, RL_STYLE_BODY, grid->lead) + head_height(head_lines(grid, m)) + HEAD_GAP +
                  rows_height(grid, 0, m) + below;
    if (grid->title)
        need += RL_HEADING_BEFORE + RL_HEADING_AFTER + rl_styles[RL_STYLE_SUBSECTION].leading;
    rl_layout_need(grid->layout, need);
    if (grid->title)
        rl_layout_subsection(grid->layout, grid->title);
    if (!grid->lead)
        return;
    rl_layout_text(grid->layout, RL_STYLE_BODY, grid->lead);
    rl_layout_skip(grid->layout, TEXT_GAP);
}

/* The room that this row must find. The last rows stay with the notes: those never stand alone on a page. */
static double row_need(struct rl_grid *grid, size_t row, const struct measure *m)
{
    return grid->row_count > TOGETHER && row == grid->row_count - TOGETHER ? rows_height(grid, row, m) + foot_height(grid)
                                                                           : row_height(grid, row, m) + 3;
}

/* Pages that the rows take from here on, the head repeated on each. */
static size_t pages_of(struct rl_grid *grid, const struct measure *m)
{
    double room = rl_layout_room(grid->layout);
    size_t pages = 1;
    for (size_t row = 0; row < grid->row_count; row++) {
        if (room < row_need(grid, row, m)) {
            pages++;
            room = grid->layout->top - grid->layout->bottom - head_height(head_lines(grid, m)) - HEAD_GAP;
        }
        room -= row_height(grid, row, m);
    }
    return pages;
}

#define MOST_SQUEEZE 0.75
#define SQUEEZE_STEP 0.1

/* The few rows that a tight table would have on its last page go onto the others, where rows that are a little lower make room. */
static void spare_last_page(struct rl_grid *grid, const struct measure *m)
{
    const size_t pages = grid->tight ? pages_of(grid, m) : 1;
    if (pages == 1)
        return;
    while (grid->squeeze < MOST_SQUEEZE && pages_of(grid, m) == pages)
        grid->squeeze += SQUEEZE_STEP;
    if (pages_of(grid, m) == pages)
        grid->squeeze = 0;
}

void rl_grid_lay(struct rl_grid *grid)
{
    struct rl_layout *layout = grid->layout;
    if (grid->row_count == 0)
        return;
    complete_row(grid);
    assert(grid->cell_count == grid->row_count * grid->column_count);
    struct measure *m = rl_calloc(grid->column_count, sizeof *m);
    double width = arrange(grid, m);
    begin(grid, m);
    draw_head(grid, m, width);
    spare_last_page(grid, m);
    for (size_t row = 0; row < grid->row_count; row++) {
        size_t page = layout->page;
        rl_layout_need(layout, row_need(grid, row, m));
        if (layout->page != page)
            draw_head(grid, m, width);
        else if (grid->group[row])
            rule(grid, layout->y, width, 0.35, rl_layout_hairline);
        draw_row(grid, row, m);
    }
    layout->y -= 2;
    rule(grid, layout->y, width, RULE, rl_layout_ink);
    rl_layout_skip(layout, ROWS_END - 2);
    if (grid->foot) {
        rl_layout_skip(layout, TEXT_GAP);
        rl_layout_text(layout, RL_STYLE_NOTE, grid->foot);
    }
    free(m);
}
