/* grid_measure.c - widths of the columns of a table, heights of its rows (see grid_private.h). */
#include "grid_private.h"

#include "layout_private.h"

#define GAP        12.0 /* between columns, when nothing presses or pulls */
#define GAP_TIGHT  7.0
#define GAP_LEAST  4.0
#define GAP_MOST   40.0
#define GAP_CLOSE  5.0   /* before a column that belongs to the one on its left */
#define TEXT_LEAST 48.0  /* width that a text column keeps */
#define HEAD_MOST  110.0 /* width that a head can claim */

struct rl_grid_cell *rl_grid_cell_at(const struct rl_grid *grid, size_t row, size_t column)
{
    assert(row < grid->row_count && column < grid->column_count);
    return &grid->cells[row * grid->column_count + column];
}

double rl_grid_text_width(const struct rl_grid *grid, enum rl_style style, const char *text, size_t len)
{
    return rl_layout_text_width(grid->layout, style, text, len);
}

double rl_grid_sign_width(const struct rl_grid *grid, const struct rl_grid_cell *cell)
{
    return rl_grid_text_width(grid, cell->style, cell->sign, strlen(cell->sign));
}

bool rl_grid_is_text(const struct rl_grid_column *column)
{
    return column->align == RL_GRID_LEFT || column->align == RL_GRID_WRAP;
}

double rl_grid_mark_room(const struct rl_grid_cell *cell)
{
    return cell->mark == RL_MARK_NONE ? 0 : 0.62 * rl_styles[cell->style].size + 4;
}

static void measure_column(const struct rl_grid *grid, size_t column, double head_lines, struct rl_grid_measure *m)
{
    const struct rl_grid_column *c = &grid->columns[column];
    *m = (struct rl_grid_measure){0};
    for (size_t row = 0; row < grid->row_count; row++) {
        const struct rl_grid_cell *cell = rl_grid_cell_at(grid, row, column);
        const char *point = c->align == RL_GRID_DECIMAL ? strchr(cell->text, '.') : NULL;
        size_t whole = point ? (size_t)(point - cell->text) : strlen(cell->text);
        double bar = c->share_width > 0 ? c->share_width + RL_GRID_BAR_GAP : 0;
        m->before = fmax(m->before, fmax(bar, rl_grid_mark_room(cell)));
        m->whole = fmax(m->whole, rl_grid_text_width(grid, cell->style, cell->text, whole));
        m->fraction = fmax(m->fraction, (point ? rl_grid_text_width(grid, cell->style, point, strlen(point)) : 0) +
                                            rl_grid_sign_width(grid, cell));
    }
    /* Width in which the head takes about `lines` lines: at least its longest word. */
    double longest = rl_grid_text_width(grid, RL_STYLE_HEAD, c->unit, strlen(c->unit)), all = 0;
    for (const char *p = c->head; *p;) {
        size_t len = strcspn(p, " ");
        double width = rl_grid_text_width(grid, RL_STYLE_HEAD, p, len);
        all += width + 2;
        longest = fmax(longest, width);
        p += len;
        p += *p == ' ';
    }
    double head = fmin(fmax(longest, all / head_lines) + 0.5, HEAD_MOST);
    m->natural = fmax(fmax(m->before + m->whole + m->fraction + 0.01, head), c->at_least);
    if (c->at_most > 0)
        m->natural = fmin(m->natural, fmax(c->at_most, head));
    m->least = rl_grid_is_text(c) && !c->whole ? fmin(m->natural, fmax(fmax(TEXT_LEAST, head), c->at_least)) : m->natural;
}

static bool has_gap(const struct rl_grid *grid, size_t column)
{
    return column > 0 && !grid->columns[column].close;
}

/* Takes `excess` points from the columns of one kind, each in proportion to what it can give; returns what is left to find. */
static double squeeze(const struct rl_grid *grid, struct rl_grid_measure *m, enum rl_grid_align align, double excess)
{
    double slack = RL_SUM(double, i, grid->column_count, grid->columns[i].align == align ? m[i].natural - m[i].least : 0);
    if (slack <= 0 || excess <= 0)
        return excess;
    double part = fmin(1, excess / slack);
    for (size_t i = 0; i < grid->column_count; i++)
        m[i].width -= grid->columns[i].align == align ? part * (m[i].natural - m[i].least) : 0;
    return excess - part * slack;
}

/* The same from the gaps, each at least `least`. */
static double squeeze_gaps(double *gap, double gaps, double least, double excess)
{
    if (gaps <= 0 || excess <= 0)
        return excess;
    double taken = fmin(*gap - least, excess / gaps);
    *gap -= taken;
    return excess - taken * gaps;
}

/* The columns that take the remaining room: running text where there is some, names otherwise. */
static enum rl_grid_align taker_of(const struct rl_grid *grid)
{
    for (size_t i = 0; i < grid->column_count; i++)
        if (grid->columns[i].align == RL_GRID_WRAP)
            return RL_GRID_WRAP;
    return RL_GRID_LEFT;
}

static bool takes_room(const struct rl_grid_column *column, enum rl_grid_align taker)
{
    return column->align == taker && !column->whole;
}

/* Gives `spare` points to the gaps, then to those of the columns that hold running text, without any to the names. Returns the gap.
 */
static double stretch(const struct rl_grid *grid, struct rl_grid_measure *m, double spare, double gaps)
{
    const enum rl_grid_align taker = taker_of(grid);
    double takers = RL_SUM(double, i, grid->column_count, takes_room(&grid->columns[i], taker) ? 1 : 0);
    double most = taker == RL_GRID_WRAP ? 0 : GAP_MOST - GAP;
    double more = gaps > 0 ? fmin(takers > 0 ? most : spare, spare / gaps) : 0;
    spare -= more * gaps;
    for (size_t i = 0; i < grid->column_count; i++)
        if (takes_room(&grid->columns[i], taker))
            m[i].width += spare / takers;
    return GAP + more;
}

/* Natural widths of all columns with heads of about so many lines; returns their sum without the gaps. */
static double measure(const struct rl_grid *grid, double head_lines, struct rl_grid_measure *m)
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
double rl_grid_arrange(const struct rl_grid *grid, struct rl_grid_measure *m)
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
        /* The last resort: every column gives the same part of its width. */
        double total = RL_SUM(double, i, grid->column_count, m[i].width);
        for (size_t i = 0; i < grid->column_count && excess > 0; i++)
            m[i].width *= fmax(0.1, 1 - excess / total);
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

/* How far below the top of a row a block begins, so that its first line stands on the base line of the row. */
double rl_grid_block_shift(const struct rl_layout *layout, enum rl_style style)
{
    return fmax(0, rl_layout_baseline(layout, 0, style) - rl_layout_baseline(layout, 0, RL_STYLE_CELL));
}

static double block_height(struct rl_layout *layout, enum rl_style style, const char *text, double width)
{
    struct rl_para para = {.max_lines = RL_GRID_CELL_LINES};
    rl_para_add(layout, &para, style, text);
    double height = rl_para_height(layout, &para, width) + 2 * rl_grid_block_shift(layout, style);
    return height;
}

struct rl_grid_head rl_grid_split_head(const struct rl_grid *grid, const struct rl_grid_column *column, double width)
{
    struct rl_grid_head head = {.count = 0};
    for (const char *p = column->head; *p && head.count < RL_GRID_HEAD_LINES - 1;) {
        /* Words of a head, line by line, from the bottom up would need two passes: heads are few, so the lines are found here. */
        size_t len = strcspn(p, " ");
        for (size_t n = len; p[n];) {
            size_t next = n + 1 + strcspn(p + n + 1, " ");
            if (rl_grid_text_width(grid, RL_STYLE_HEAD, p, next) > width + 0.01)
                break;
            len = n = next;
        }
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

size_t rl_grid_head_lines(const struct rl_grid *grid, const struct rl_grid_measure *m)
{
    size_t lines = 0;
    for (size_t i = 0; i < grid->column_count; i++) {
        struct rl_grid_head head = rl_grid_split_head(grid, &grid->columns[i], m[i].width);
        lines = head.count > lines ? head.count : lines;
    }
    return lines;
}

double rl_grid_head_height(size_t lines)
{
    return lines ? (double)lines * rl_styles[RL_STYLE_HEAD].leading + 3 : 0;
}

#define TIGHTER 2.4

/* How much lower rows are than their leading. */
double rl_grid_taken_off(const struct rl_grid *grid)
{
    return (grid->tight ? TIGHTER : 0) + grid->squeeze;
}

double rl_grid_row_height(struct rl_grid *grid, size_t row, const struct rl_grid_measure *m)
{
    double height = rl_styles[RL_STYLE_CELL].leading - rl_grid_taken_off(grid);
    for (size_t i = 0; i < grid->column_count; i++) {
        const struct rl_grid_cell *cell = rl_grid_cell_at(grid, row, i);
        if (grid->columns[i].align == RL_GRID_WRAP)
            height = fmax(height, block_height(grid->layout, cell->style, cell->text, m[i].width - rl_grid_mark_room(cell)));
    }
    return height;
}
