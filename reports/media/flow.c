/* flow.c - boxes, measured and placed (see flow.h). */
#include "flow.h"

#include "layout_private.h"

#define SIDE_GAP 4.0

/* Numbers of pages, from the right end on; returns the room that they take. */
static double lay_references(struct rl_layout *layout, const struct rl_line *line, double right, double baseline)
{
    double room = 0;
    for (size_t i = 0; i < RL_COUNT(line->pages); i++) {
        const struct rl_reference *page = &line->pages[i];
        if (!page->before || page->target == RL_NO_TARGET)
            continue;
        rl_layout_page_number(layout, right - room, baseline, line->side_style, page->before, page->target);
        room += page->room;
    }
    return room;
}

/* Lays a line of this height. */
static void flow_line(struct rl_layout *layout, const struct rl_line *line, double height)
{
    if (layout->web) {
        rl_web_line(layout->web, line);
        return;
    }
    const struct rl_frame frame = rl_layout_frame(layout);
    const double top = rl_layout_take(layout, height), baseline = rl_layout_baseline(layout, top, line->style);
    const double right = frame.x + frame.width, leading = rl_styles[line->style].leading;
    const bool alone = rl_layout_begin_text(layout, line->style), leads = line->target != RL_NO_TARGET;
    const double room = lay_references(layout, line, right, baseline);
    if (leads)
        rl_pdf_begin(layout->pdf, RL_PDF_LINK);
    const double side =
        line->side ? rl_layout_text_width(layout, line->side_style, line->side, strlen(line->side)) + SIDE_GAP : room;
    const double width = rl_layout_label(layout, RL_SIDE_LEFT, frame.x, baseline, fmax(frame.width - side, frame.width / 2),
                                         line->style, line->text);
    rl_layout_link(layout, (struct rl_rect){frame.x, top - leading, width, leading}, line->target);
    if (leads)
        rl_pdf_end(layout->pdf);
    if (line->side)
        rl_layout_label(layout, RL_SIDE_RIGHT, right, baseline, frame.width - width - SIDE_GAP, line->side_style, line->side);
    if (alone)
        rl_pdf_end(layout->pdf);
}

#define PAGE_ROOM 34.0 /* "page 88" */
#define PAGE_GAP  4.0

struct rl_box {
    const struct kind *kind;
    struct rl_layout *layout;
    struct rl_box *first, *last, *next; /* children; the next sibling */
    int column, columns;                /* of the page's grid; of a row: where the next cell begins */
    double points;
    struct rl_para para;
    enum rl_mark mark;
    size_t target, parent;
    bool entry; /* an item with room for the number of a page */
    struct rl_grid grid;
    const struct rl_drawing *drawing;
    const char *text;
    struct rl_line line;
};

/* The operations of a box. Its width is that of the layout's frame. */
struct kind {
    double (*height)(struct rl_box *box);
    void (*lay)(struct rl_box *box);
};

static double height_of(struct rl_box *box)
{
    return box->kind->height(box);
}

static struct rl_box *add(struct rl_box *parent, const struct kind *kind)
{
    struct rl_box *box = rl_arena_alloc(&parent->layout->arena, sizeof *box);
    *box = (struct rl_box){.kind = kind, .layout = parent->layout, .column = parent->column, .columns = parent->columns};
    if (parent->last)
        parent->last->next = box;
    else
        parent->first = box;
    parent->last = box;
    return box;
}

/* ---- columns and rows ---- */

static struct rl_frame enter(struct rl_box *box)
{
    const struct rl_frame outer = rl_layout_frame(box->layout);
    rl_layout_set_frame(box->layout, rl_layout_columns(box->layout, box->column, box->columns));
    return outer;
}

static double column_height(struct rl_box *box)
{
    const struct rl_frame outer = enter(box);
    double height = 0;
    for (struct rl_box *child = box->first; child; child = child->next)
        height += height_of(child);
    rl_layout_set_frame(box->layout, outer);
    return height;
}

static void lay_column(struct rl_box *box)
{
    const struct rl_frame outer = enter(box);
    for (struct rl_box *child = box->first; child; child = child->next)
        child->kind->lay(child);
    rl_layout_set_frame(box->layout, outer);
}

static const struct kind column_kind = {column_height, lay_column};

static double row_height(struct rl_box *box)
{
    double height = 0;
    for (struct rl_box *cell = box->first; cell; cell = cell->next)
        height = fmax(height, height_of(cell));
    return height;
}

static double gap_height(struct rl_box *box)
{
    return box->points * box->layout->air;
}

/* Lays a box on one page; a higher one as it comes. A gap at its end may fall off the page. */
static void lay_whole(struct rl_box *box, void (*lay)(struct rl_box *box))
{
    struct rl_layout *layout = box->layout;
    if (layout->web) {
        lay(box);
        return;
    }
    const double height = height_of(box) - (box->last && box->last->points > 0 ? gap_height(box->last) : 0);
    const bool fits = height <= layout->top - layout->bottom;
    if (fits)
        rl_layout_need(layout, height);
    layout->whole += fits;
    lay(box);
    layout->whole -= fits;
}

static void lay_cells(struct rl_box *row)
{
    struct rl_layout *layout = row->layout;
    if (layout->web) {
        struct rl_web *web = row->layout->web;
        rl_web_row(web, row->columns);
        for (struct rl_box *cell = row->first; cell; cell = cell->next) {
            rl_web_cell(web, cell->columns);
            lay_column(cell);
            rl_web_end(web);
        }
        rl_web_end(web);
        return;
    }
    const double top = layout->y;
    double lowest = top;
    for (struct rl_box *cell = row->first; cell; cell = cell->next) {
        if (layout->whole > 0) /* cells higher than a page stand below each other */
            rl_layout_set_y(layout, top);
        lay_column(cell);
        lowest = fmin(lowest, layout->y);
    }
    rl_layout_set_y(layout, layout->whole > 0 ? lowest : layout->y);
}

static void lay_row(struct rl_box *box)
{
    lay_whole(box, lay_cells);
}

static const struct kind row_kind = {row_height, lay_row};

struct rl_box *rl_box_row(struct rl_box *column)
{
    assert(column->kind == &column_kind);
    return add(column, &row_kind);
}

struct rl_box *rl_box_cell(struct rl_box *row, int columns)
{
    assert(row->kind == &row_kind && row->column + columns <= RL_ALL_COLUMNS);
    struct rl_box *cell = add(row, &column_kind);
    cell->columns = columns;
    row->column += columns;
    return cell;
}

/* ---- the tree ---- */

struct rl_box *rl_flow_begin(struct rl_layout *layout)
{
    struct rl_box *box = rl_arena_alloc(&layout->arena, sizeof *box);
    *box = (struct rl_box){.kind = &column_kind, .layout = layout, .columns = RL_ALL_COLUMNS};
    return box;
}

void rl_flow_end(struct rl_box *box)
{
    lay_column(box);
}

void rl_flow_together(struct rl_box *box)
{
    lay_whole(box, lay_column);
}

/* Moves the children of a column to the end of another. */
static void append(struct rl_box *to, const struct rl_box *from)
{
    if (!from->first)
        return;
    if (to->last)
        to->last->next = from->first;
    else
        to->first = from->first;
    to->last = from->last;
}

/* Lays a box on one page: the next one, below a line, if this one has too little room. */
static void lay_on(struct rl_box *box, const char *again)
{
    if (rl_layout_room(box->layout) < column_height(box)) {
        rl_layout_need(box->layout, box->layout->top);
        rl_layout_text(box->layout, RL_STYLE_STRONG, again);
        rl_layout_skip(box->layout, RL_HEADING_AFTER);
    }
    rl_flow_together(box);
}

void rl_flow_filling(struct rl_box *head, struct rl_box *large, struct rl_box *rest, bool fill, const char *again)
{
    struct rl_layout *layout = head->layout;
    struct rl_box *all = rl_flow_begin(layout);
    const double above = column_height(head), whole = above + column_height(large) + column_height(rest);
    if (!fill || rl_layout_room(layout) >= whole || whole > layout->top - layout->bottom) {
        append(all, head);
        append(all, large);
        append(all, rest);
        rl_flow_together(all);
        return;
    }
    const bool fits = rl_layout_room(layout) >= above + column_height(large);
    rl_flow_together(head);
    lay_on(fits ? large : rest, again);
    lay_on(fits ? rest : large, again);
}

/* ---- text ---- */

static void lay_gap(struct rl_box *box)
{
    rl_layout_skip(box->layout, box->points);
}

void rl_box_gap(struct rl_box *column, double points)
{
    static const struct kind kind = {gap_height, lay_gap};
    add(column, &kind)->points = points;
}

static double para_height(struct rl_box *box)
{
    return rl_para_height(box->layout, &box->para, rl_layout_frame(box->layout).width);
}

static void lay_para(struct rl_box *box)
{
    rl_layout_para(box->layout, &box->para);
}

void rl_box_para(struct rl_box *column, struct rl_para *para)
{
    static const struct kind kind = {para_height, lay_para};
    add(column, &kind)->para = *para;
    *para = (struct rl_para){0};
}

void rl_box_text(struct rl_box *column, enum rl_style style, const char *text)
{
    struct rl_para para = {.max_lines = RL_TEXT_LINES};
    rl_para_add(column->layout, &para, style, text);
    rl_box_para(column, &para);
}

void rl_box_note(struct rl_box *column, const char *text)
{
    rl_box_text(column, RL_STYLE_NOTE, text);
}

void rl_box_subsection(struct rl_box *column, const char *title)
{
    rl_box_gap(column, RL_HEADING_BEFORE);
    rl_box_text(column, RL_STYLE_SUBSECTION, title);
    rl_box_gap(column, RL_HEADING_AFTER);
}

/* Width of the mark and text of an item. */
static double item_width(const struct rl_layout *layout, bool entry)
{
    return rl_layout_frame(layout).width - (entry ? PAGE_ROOM + PAGE_GAP : 0);
}

static double item_height(struct rl_box *box)
{
    return rl_para_height(box->layout, &box->para, item_width(box->layout, box->entry) - RL_ITEM_INDENT);
}

static void lay_item(struct rl_box *box)
{
    struct rl_layout *layout = box->layout;
    const struct rl_frame outer = rl_layout_frame(layout);
    if (layout->web) {
        rl_web_item(layout->web, box->mark, &box->para, box->target);
        return;
    }
    rl_layout_need(layout, rl_styles[RL_STYLE_BODY].leading);
    rl_layout_begin_item(layout);
    if (box->target != RL_NO_TARGET)
        rl_layout_page_number(layout, outer.x + outer.width, rl_layout_line(layout, RL_STYLE_BODY), RL_STYLE_SIDE, "page ",
                              box->target);
    rl_layout_set_frame(layout, (struct rl_frame){outer.x, item_width(layout, box->entry)});
    rl_layout_item(layout, box->mark, &box->para);
    rl_layout_end_item(layout);
    rl_layout_set_frame(layout, outer);
}

static struct rl_box *add_item(struct rl_box *column, enum rl_mark mark, struct rl_para *para)
{
    static const struct kind kind = {item_height, lay_item};
    struct rl_box *box = add(column, &kind);
    box->mark = mark;
    box->para = *para;
    box->target = RL_NO_TARGET;
    *para = (struct rl_para){0};
    return box;
}

void rl_box_item(struct rl_box *column, enum rl_mark mark, struct rl_para *para)
{
    add_item(column, mark, para);
}

void rl_box_entry(struct rl_box *column, enum rl_mark mark, struct rl_para *para, size_t target)
{
    struct rl_box *box = add_item(column, mark, para);
    box->entry = true;
    box->target = target;
}

/* ---- lines ---- */

static double line_height(struct rl_box *box)
{
    return box->line.height > 0 ? box->line.height : rl_styles[box->line.style].leading;
}

static void lay_line(struct rl_box *box)
{
    flow_line(box->layout, &box->line, line_height(box));
}

void rl_box_line(struct rl_box *column, const struct rl_line *line)
{
    static const struct kind kind = {line_height, lay_line};
    struct rl_box *box = add(column, &kind);
    box->line = *line;
    box->line.text = rl_layout_copy(box->layout, line->text);
    if (line->side) { /* a blank ends the text on its left for who hears it */
        struct rl_buf side = RL_BUF_INIT;
        rl_buf_addf(&side, " %s", line->side);
        box->line.side = rl_layout_copy(box->layout, side.data);
        rl_buf_release(&side);
    }
}

/* ---- tables and figures ---- */

static double table_height(struct rl_box *box)
{
    return rl_grid_height(&box->grid);
}

static void lay_table(struct rl_box *box)
{
    rl_grid_lay(&box->grid);
    rl_grid_release(&box->grid);
}

struct rl_grid *rl_box_table(struct rl_box *column)
{
    static const struct kind kind = {table_height, lay_table};
    struct rl_box *box = add(column, &kind);
    rl_grid_begin(&box->grid, box->layout);
    return &box->grid;
}

static double drawing_height(struct rl_box *box)
{
    return box->drawing->height;
}

static void lay_drawing(struct rl_box *box)
{
    rl_layout_drawing(box->layout, box->drawing, box->text);
}

void rl_box_drawing(struct rl_box *column, const struct rl_drawing *drawing, const char *alternative)
{
    static const struct kind kind = {drawing_height, lay_drawing};
    struct rl_box *box = add(column, &kind);
    box->drawing = drawing;
    box->text = rl_layout_copy(box->layout, alternative);
}

/* ---- places ---- */

static double no_height(struct rl_box *box)
{
    return 0;
}

static void lay_target(struct rl_box *box)
{
    rl_layout_bind(box->layout, box->target);
}

void rl_box_bind(struct rl_box *column, size_t target)
{
    static const struct kind kind = {no_height, lay_target};
    add(column, &kind)->target = target;
}

static void lay_bookmark(struct rl_box *box)
{
    rl_layout_bookmark(box->layout, box->parent, box->text);
}

void rl_box_bookmark(struct rl_box *column, size_t parent, const char *title)
{
    static const struct kind kind = {no_height, lay_bookmark};
    struct rl_box *box = add(column, &kind);
    box->parent = parent;
    box->text = rl_layout_copy(box->layout, title);
}
