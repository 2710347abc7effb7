#include "drawing.h"
#include "markup.h"

#define CSS_PIXELS (96.0 / 72) /* of a point */

static void add_attribute(struct rl_buf *out, const char *name, double value)
{
    rl_buf_addf(out, " %s=\"", name);
    rl_markup_number(out, value);
    rl_buf_addch(out, '"');
}

/* "#555" for "#555555". */
static bool is_short(uint8_t part)
{
    return part >> 4 == (part & 0xF);
}

static void add_paint(struct rl_buf *out, const char *name, struct rl_colour c)
{
    if (is_short(c.r) && is_short(c.g) && is_short(c.b))
        rl_buf_addf(out, " %s=\"#%x%x%x\"", name, c.r & 0xF, c.g & 0xF, c.b & 0xF);
    else
        rl_buf_addf(out, " %s=\"#%02x%02x%02x\"", name, c.r, c.g, c.b);
    if (c.a != 255) {
        rl_buf_addf(out, " %s-opacity=\"", name);
        rl_markup_number(out, c.a / 255.0);
        rl_buf_addch(out, '"');
    }
}

static void add_style(struct rl_buf *out, const struct rl_draw_op *op)
{
    if (op->fill.a) /* else none, as the whole has it */
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

static bool same_colour(struct rl_colour a, struct rl_colour b)
{
    return a.r == b.r && a.g == b.g && a.b == b.b && a.a == b.a;
}

/* Lines that look alike, and could cross each other without a difference, are one path: charts have thousands. */
static bool continues(const struct rl_draw_op *op, const struct rl_draw_op *next)
{
    if (next->kind != RL_DRAW_PATH || op->fill.a || next->fill.a || op->stroke.a != 255 || !same_colour(op->stroke, next->stroke) ||
        op->line_width != next->line_width || op->dash_count != next->dash_count)
        return false;
    return !RL_ANY(i, (size_t)op->dash_count, op->dash[i] != next->dash[i]);
}

static void path_svg(const struct rl_drawing *drawing, const struct rl_draw_op *op, struct rl_buf *out)
{
    const struct rl_draw_op *last = op, *end = drawing->ops + drawing->op_count;
    if (op > drawing->ops && op[-1].kind == RL_DRAW_PATH && continues(op - 1, op)) /* is part of it */
        return;
    rl_buf_adds(out, "<path d=\"");
    for (bool more = true; more; last += more) {
        for (size_t i = 0; i < last->count; i++) {
            const struct rl_vertex *vertex = &drawing->vertices[last->first + i];
            rl_buf_addch(out, i == 0 ? 'M' : 'L');
            rl_markup_number(out, vertex->x);
            rl_buf_addch(out, ' ');
            rl_markup_number(out, drawing->height - vertex->y);
        }
        rl_buf_adds(out, last->closed ? "Z" : "");
        more = last + 1 < end && continues(last, last + 1);
    }
    rl_buf_adds(out, "\"");
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
    static const char *const anchors[] = {
        [RL_DRAW_LEFT] = "", [RL_DRAW_CENTRE] = " text-anchor=\"middle\"", [RL_DRAW_RIGHT] = " text-anchor=\"end\""};
    double y = drawing->height - op->y;
    rl_buf_adds(out, "<text");
    add_attribute(out, "x", op->x);
    add_attribute(out, "y", y);
    add_attribute(out, "font-size", op->size);
    rl_buf_addf(out, "%s%s", anchors[op->align], op->bold ? " font-weight=\"bold\"" : "");
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

static void add_ops(const struct rl_drawing *drawing, struct rl_buf *out)
{
    static void (*const write[RL_DRAW_KINDS])(const struct rl_drawing *, const struct rl_draw_op *, struct rl_buf *) = {
        [RL_DRAW_PATH] = path_svg, [RL_DRAW_CIRCLE] = circle_svg, [RL_DRAW_TEXT] = text_svg};
    for (size_t i = 0; i < drawing->op_count; i++) {
        assert(drawing->ops[i].kind < RL_DRAW_KINDS);
        write[drawing->ops[i].kind](drawing, &drawing->ops[i], out);
    }
}

/* A place that can be pointed at, on top of all. */
static void add_tip(const struct rl_drawing *drawing, const struct rl_draw_tip *tip, struct rl_buf *out)
{
    const double width = 2 * tip->across, height = 2 * tip->up;
    const struct {
        const char *before;
        double number;
    } steps[] = {
        {"M", tip->x - tip->across}, {" ", drawing->height - tip->y - tip->up}, {"h", width}, {"v", height}, {"h", -width}};
    rl_buf_adds(out, "<path class=\"p\" d=\"");
    for (size_t i = 0; i < RL_COUNT(steps); i++) {
        rl_buf_adds(out, steps[i].before);
        rl_markup_number(out, steps[i].number);
    }
    rl_buf_adds(out, "z\"><title>");
    rl_markup_text(out, tip->text, strlen(tip->text));
    rl_buf_adds(out, "</title></path>\n");
}

void rl_drawing_svg_inline(const struct rl_drawing *drawing, const char *alternative, struct rl_buf *out)
{
    rl_buf_adds(out, "<svg class=\"k\" role=\"group\" fill=\"none\"");
    add_attribute(out, "width", drawing->width * CSS_PIXELS);
    add_attribute(out, "height", drawing->height * CSS_PIXELS);
    rl_buf_adds(out, " viewBox=\"0 0 ");
    rl_markup_number(out, drawing->width);
    rl_buf_addch(out, ' ');
    rl_markup_number(out, drawing->height);
    rl_buf_adds(out, "\" stroke-linejoin=\"round\" aria-label=\"");
    rl_markup_text(out, alternative, strlen(alternative));
    rl_buf_adds(out, "\">\n");
    add_ops(drawing, out);
    for (size_t i = 0; i < drawing->tip_count; i++)
        add_tip(drawing, &drawing->tips[i], out);
    rl_buf_adds(out, "</svg>");
}

void rl_drawing_svg(const struct rl_drawing *drawing, const char *family, struct rl_buf *out)
{
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
    rl_buf_adds(out, "\" fill=\"none\" stroke-linejoin=\"round\" xml:space=\"preserve\">\n");
    add_ops(drawing, out);
    rl_buf_adds(out, "</svg>\n");
}
