/* pdf_drawing.c - charts in a document (see pdf.h). */
#include "pdf_private.h"

/* ---- charts ---- */

/* libharu 2.3 takes whole points only, later versions take fractions: the operator itself serves both. */
static void use_dash(struct rl_pdf *pdf, const double *dash, int count)
{
    struct rl_buf op = RL_BUF_INIT;
    rl_buf_addch(&op, '[');
    assert(count >= 0 && count <= RL_DRAW_DASHES);
    for (int i = 0; i < count; i++) {
        rl_buf_addch(&op, ' ');
        rl_number_format(&op, dash[i] > 0 && dash[i] < 1000 ? dash[i] : 1, 4);
    }
    rl_buf_adds(&op, " ] 0 d\n");
    rl_pdf_raw(pdf, op.data);
    rl_buf_release(&op);
}

/* The path of a shape; false where it lies too far out to be drawn. */
static bool trace(struct rl_pdf *pdf, const struct rl_drawing *drawing, const struct rl_draw_op *op, double dx, double dy)
{
    if (op->kind == RL_DRAW_PATH)
        return rl_pdf_trace(pdf, drawing->vertices + op->first, op->count, dx, dy);
    if (!rl_pdf_drawable(op->x + dx, op->y + dy) || op->radius <= 0 || op->radius >= RL_PDF_FAR)
        return false;
    HPDF_Page_Circle(pdf->page, rl_pdf_real(op->x + dx), rl_pdf_real(op->y + dy), rl_pdf_real(op->radius));
    return true;
}

static void draw_shape(struct rl_pdf *pdf, const struct rl_drawing *drawing, const struct rl_draw_op *op, double dx, double dy)
{
    if (!op->fill.a && !op->stroke.a)
        return;
    if (op->fill.a)
        rl_pdf_use_fill(pdf, op->fill);
    if (op->stroke.a)
        rl_pdf_use_stroke(pdf, op->stroke, op->line_width);
    if (op->stroke.a && op->dash_count)
        use_dash(pdf, op->dash, op->dash_count);
    if (trace(pdf, drawing, op, dx, dy)) {
        /* Fills and strokes the path that was traced. */
        bool fill = op->fill.a > 0, stroke = op->stroke.a > 0, closed = op->closed || op->kind == RL_DRAW_CIRCLE;
        if (closed)
            HPDF_Page_ClosePath(pdf->page);
        (fill && stroke ? HPDF_Page_FillStroke : fill ? HPDF_Page_Fill : HPDF_Page_Stroke)(pdf->page);
    }
    if (op->stroke.a && op->dash_count)
        use_dash(pdf, NULL, 0);
}

static void draw_text(struct rl_pdf *pdf, const struct rl_draw_op *op, double dx, double dy)
{
    static const double part[] = {[RL_DRAW_LEFT] = 0, [RL_DRAW_CENTRE] = 0.5, [RL_DRAW_RIGHT] = 1};
    struct rl_type type = {op->bold ? RL_FACE_BOLD : RL_FACE_REGULAR, op->size, op->colour};
    double back = part[op->align] * rl_pdf_text_width(pdf, type.face, type.size, op->text, op->text_len);
    double x = op->x + dx - back * cos(op->angle * M_PI / 180), y = op->y + dy - back * sin(op->angle * M_PI / 180);
    if (op->colour.a)
        rl_pdf_text_turned(pdf, x, y, op->angle, &type, op->text, op->text_len);
}

void rl_pdf_drawing(struct rl_pdf *pdf, const struct rl_drawing *drawing, double x, double y, const char *alternative)
{
    assert(drawing && alternative);
    if (!rl_pdf_ready(pdf))
        return;
    const size_t figure = rl_pdf_begin(pdf, RL_PDF_FIGURE);
    pdf->tags.elements[figure].alternative = rl_strdup(alternative);
    pdf->tags.elements[figure].box = (struct rl_rect){x, y, drawing->width, drawing->height};
    rl_pdf_mark(pdf, false);
    for (size_t i = 0; i < drawing->op_count && rl_pdf_ready(pdf); i++) {
        const struct rl_draw_op *o = &drawing->ops[i];
        if (o->kind == RL_DRAW_TEXT)
            draw_text(pdf, o, x, y);
        else
            draw_shape(pdf, drawing, o, x, y);
    }
    rl_pdf_end(pdf);
}
