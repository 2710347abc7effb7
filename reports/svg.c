#include <assert.h>
#include <string.h>

#include "drawing.h"
#include "markup.h"

static void add_attribute(struct rl_buf *out, const char *name, double value)
{
    rl_buf_addf(out, " %s=\"", name);
    rl_markup_number(out, value);
    rl_buf_addch(out, '"');
}

static void add_paint(struct rl_buf *out, const char *name, struct rl_colour c)
{
    if (c.a == 0) {
        rl_buf_addf(out, " %s=\"none\"", name);
        return;
    }
    rl_buf_addf(out, " %s=\"#%02x%02x%02x\"", name, c.r, c.g, c.b);
    if (c.a != 255) {
        rl_buf_addf(out, " %s-opacity=\"", name);
        rl_markup_number(out, c.a / 255.0);
        rl_buf_addch(out, '"');
    }
}

static void add_style(struct rl_buf *out, const struct rl_draw_op *op)
{
    add_paint(out, "fill", op->fill);
    if (op->stroke.a == 0)
        return;
    add_paint(out, "stroke", op->stroke);
    add_attribute(out, "stroke-width", op->line_width);
    if (op->dash_count == 0)
        return;
    rl_buf_adds(out, " stroke-dasharray=\"");
    for (int i = 0; i < op->dash_count; i++) {
        rl_buf_adds(out, i > 0 ? " " : "");
        rl_markup_number(out, op->dash[i]);
    }
    rl_buf_addch(out, '"');
}

static void path_svg(const struct rl_drawing *drawing, const struct rl_draw_op *op, struct rl_buf *out)
{
    rl_buf_adds(out, "<path d=\"");
    for (size_t i = 0; i < op->count; i++) {
        const struct rl_vertex *vertex = &drawing->vertices[op->first + i];
        rl_buf_addch(out, i == 0 ? 'M' : 'L');
        rl_markup_number(out, vertex->x);
        rl_buf_addch(out, ' ');
        rl_markup_number(out, drawing->height - vertex->y);
    }
    rl_buf_adds(out, op->closed ? "Z\"" : "\"");
    add_style(out, op);
    rl_buf_adds(out, "/>\n");
}

static void circle_svg(const struct rl_drawing *drawing, const struct rl_draw_op *op, struct rl_buf *out)
{
    rl_buf_adds(out, "<circle");
    add_attribute(out, "cx", op->x);
    add_attribute(out, "cy", drawing->height - op->y);
    add_attribute(out, "r", op->radius);
    add_style(out, op);
    rl_buf_adds(out, "/>\n");
}

static void text_svg(const struct rl_drawing *drawing, const struct rl_draw_op *op, struct rl_buf *out)
{
    static const char *const anchors[] = {[RL_DRAW_LEFT] = "start", [RL_DRAW_CENTRE] = "middle", [RL_DRAW_RIGHT] = "end"};
    double y = drawing->height - op->y;
    rl_buf_adds(out, "<text");
    add_attribute(out, "x", op->x);
    add_attribute(out, "y", y);
    add_attribute(out, "font-size", op->size);
    rl_buf_addf(out, " text-anchor=\"%s\"%s", anchors[op->align], op->bold ? " font-weight=\"bold\"" : "");
    add_paint(out, "fill", op->colour);
    if (op->angle != 0) {
        rl_buf_adds(out, " transform=\"rotate(");
        rl_markup_number(out, -op->angle);
        rl_buf_addch(out, ' ');
        rl_markup_number(out, op->x);
        rl_buf_addch(out, ' ');
        rl_markup_number(out, y);
        rl_buf_adds(out, ")\"");
    }
    rl_buf_addch(out, '>');
    rl_markup_text(out, op->text, op->text_len);
    rl_buf_adds(out, "</text>\n");
}

void rl_drawing_svg(const struct rl_drawing *drawing, const char *family, struct rl_buf *out)
{
    static void (*const write[RL_DRAW_KINDS])(const struct rl_drawing *, const struct rl_draw_op *, struct rl_buf *) = {
        [RL_DRAW_PATH] = path_svg, [RL_DRAW_CIRCLE] = circle_svg, [RL_DRAW_TEXT] = text_svg};
    rl_buf_adds(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"");
    rl_markup_number(out, drawing->width);
    rl_buf_adds(out, "pt\" height=\"");
    rl_markup_number(out, drawing->height);
    rl_buf_adds(out, "pt\" viewBox=\"0 0 ");
    rl_markup_number(out, drawing->width);
    rl_buf_addch(out, ' ');
    rl_markup_number(out, drawing->height);
    rl_buf_adds(out, "\" font-family=\"");
    rl_markup_text(out, family, strlen(family));
    rl_buf_adds(out, "\" stroke-linejoin=\"round\" xml:space=\"preserve\">\n");
    for (size_t i = 0; i < drawing->op_count; i++) {
        assert(drawing->ops[i].kind < RL_DRAW_KINDS);
        write[drawing->ops[i].kind](drawing, &drawing->ops[i], out);
    }
    rl_buf_adds(out, "</svg>\n");
}
