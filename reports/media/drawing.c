#include "drawing.h"

static const struct rl_colour black = {0, 0, 0, 255}, white = {255, 255, 255, 255}, ink = {0x22, 0x22, 0x22, 255};

void rl_drawing_init(struct rl_drawing *drawing, double width, double height)
{
    *drawing = (struct rl_drawing){.width = width, .height = height, .texts = RL_ARENA_INIT};
}

void rl_drawing_release(struct rl_drawing *drawing)
{
    free(drawing->ops);
    free(drawing->vertices);
    free(drawing->tips);
    rl_arena_release(&drawing->texts);
    *drawing = (struct rl_drawing){.texts = RL_ARENA_INIT};
}

struct rl_draw_op *rl_drawing_add(struct rl_drawing *drawing, enum rl_draw_kind kind)
{
    assert(kind < RL_DRAW_KINDS);
    RL_GROW(drawing->ops, drawing->op_count + 1, drawing->op_cap);
    struct rl_draw_op *op = &drawing->ops[drawing->op_count++];
    *op = (struct rl_draw_op){.kind = kind, .colour = black, .first = drawing->vertex_count, .text = ""};
    return op;
}

struct rl_draw_op *rl_drawing_path(struct rl_drawing *drawing, const struct rl_vertex *vertices, size_t count, bool closed)
{
    struct rl_draw_op *op = rl_drawing_add(drawing, RL_DRAW_PATH);
    RL_GROW(drawing->vertices, drawing->vertex_count + count, drawing->vertex_cap);
    if (count > 0)
        memcpy(drawing->vertices + drawing->vertex_count, vertices, count * sizeof *vertices);
    drawing->vertex_count += count;
    op->count = count;
    op->closed = closed;
    return op;
}

void rl_drawing_tip(struct rl_drawing *drawing, double x, double y, double across, double up, const char *text)
{
    assert(isfinite(x) && isfinite(y) && across > 0 && up > 0);
    struct rl_buf shown = RL_BUF_INIT;
    rl_utf8_printable(&shown, text, strlen(text));
    RL_APPEND(drawing->tips, drawing->tip_count, drawing->tip_cap,
              (struct rl_draw_tip){x, y, across, up, rl_arena_strndup(&drawing->texts, shown.data, shown.len)});
    rl_buf_release(&shown);
}

struct rl_draw_op *rl_drawing_text(struct rl_drawing *drawing, double x, double y, enum rl_draw_align align, double size,
                                   const char *text, size_t len)
{
    assert(size > 0 && isfinite(x) && isfinite(y));
    struct rl_buf shown = RL_BUF_INIT;
    rl_utf8_printable(&shown, text, len);
    struct rl_draw_op *op = rl_drawing_add(drawing, RL_DRAW_TEXT);
    op->x = x;
    op->y = y;
    op->align = align;
    op->size = size;
    op->text = rl_arena_strndup(&drawing->texts, shown.data, shown.len);
    op->text_len = shown.len;
    rl_buf_release(&shown);
    return op;
}

/* ---- marks ---- */

enum { MARK_CORNERS = 12 };
struct mark_shape {
    int hollow, filled; /* gnuplot's point types */
    size_t corners;     /* 0: a circle */
    struct rl_vertex corner[MARK_CORNERS];
};

/* Corners for an area of pi: that of a circle of radius 1. Triangles stand on their centre of area. */
#define SQUARE_HALF    0.886226925 /* sqrt(pi) / 2 */
#define DIAMOND_REACH  1.253314137 /* sqrt(pi / 2) */
#define TRIANGLE_REACH 1.555120302 /* circumradius: sqrt(4 pi / (3 sqrt(3))) */
#define TRIANGLE_HALF  1.346773687 /* half a side: circumradius * sqrt(3) / 2 */
#define CROSS          0.396332730 /* half an arm: sqrt(pi / 20) */
#define CROSS_REACH    1.188998190 /* three of them */
static const struct mark_shape mark_shapes[] = {
    {6, 7, 0, {{0, 0}}},
    {4, 5, 4, {{-SQUARE_HALF, -SQUARE_HALF}, {SQUARE_HALF, -SQUARE_HALF}, {SQUARE_HALF, SQUARE_HALF}, {-SQUARE_HALF, SQUARE_HALF}}},
    {8, 9, 3, {{0, TRIANGLE_REACH}, {-TRIANGLE_HALF, -TRIANGLE_REACH / 2}, {TRIANGLE_HALF, -TRIANGLE_REACH / 2}}},
    {10, 11, 3, {{0, -TRIANGLE_REACH}, {TRIANGLE_HALF, TRIANGLE_REACH / 2}, {-TRIANGLE_HALF, TRIANGLE_REACH / 2}}},
    {12, 13, 4, {{0, DIAMOND_REACH}, {-DIAMOND_REACH, 0}, {0, -DIAMOND_REACH}, {DIAMOND_REACH, 0}}},
    {14, 15, 3, {{TRIANGLE_REACH, 0}, {-TRIANGLE_REACH / 2, TRIANGLE_HALF}, {-TRIANGLE_REACH / 2, -TRIANGLE_HALF}}},
    {2,
     3,
     12,
     {{-CROSS, CROSS_REACH},
      {-CROSS, CROSS},
      {-CROSS_REACH, CROSS},
      {-CROSS_REACH, -CROSS},
      {-CROSS, -CROSS},
      {-CROSS, -CROSS_REACH},
      {CROSS, -CROSS_REACH},
      {CROSS, -CROSS},
      {CROSS_REACH, -CROSS},
      {CROSS_REACH, CROSS},
      {CROSS, CROSS},
      {CROSS, CROSS_REACH}}},
};

/* An unknown shape is drawn as a circle. */
static const struct mark_shape *mark_shape_of(int shape)
{
    for (size_t i = 0; i < RL_COUNT(mark_shapes); i++)
        if (mark_shapes[i].hollow == shape || mark_shapes[i].filled == shape)
            return &mark_shapes[i];
    return &mark_shapes[0];
}

double rl_drawing_mark_reach(int shape)
{
    const struct mark_shape *form = mark_shape_of(shape);
    double reach = form->corners == 0 ? 1 : 0;
    for (size_t i = 0; i < form->corners; i++)
        reach = fmax(reach, hypot(form->corner[i].x, form->corner[i].y));
    return reach;
}

static struct rl_draw_op *mark_outline(struct rl_drawing *drawing, double x, double y, const struct mark_shape *form, double radius)
{
    struct rl_vertex vertices[MARK_CORNERS];
    if (form->corners == 0) {
        struct rl_draw_op *op = rl_drawing_add(drawing, RL_DRAW_CIRCLE);
        op->x = x;
        op->y = y;
        op->radius = radius;
        return op;
    }
    for (size_t i = 0; i < form->corners; i++)
        vertices[i] = (struct rl_vertex){x + radius * form->corner[i].x, y + radius * form->corner[i].y};
    return rl_drawing_path(drawing, vertices, form->corners, true);
}

void rl_drawing_mark(struct rl_drawing *drawing, double x, double y, int shape, double radius, double line_width,
                     struct rl_colour colour)
{
    const struct mark_shape *form = mark_shape_of(shape);
    assert(radius > 0 && line_width > 0);
    bool hollow = form->hollow == shape;
    struct rl_draw_op *op = mark_outline(drawing, x, y, form, radius);
    op->fill = hollow ? white : colour;
    op->stroke = hollow ? colour : ink; /* an edge keeps light marks apart from paper, and marks from each other */
    op->line_width = line_width;
}
