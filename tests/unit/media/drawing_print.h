/* drawing_print.h - drawings as text, which golden files compare. */
#ifndef RL_TEST_DRAWING_PRINT_H
#define RL_TEST_DRAWING_PRINT_H

#include <math.h>
#include <stdlib.h>

#include "drawing.h"

static const char *const align_names[] = {[RL_DRAW_LEFT] = "left", [RL_DRAW_CENTRE] = "centre", [RL_DRAW_RIGHT] = "right"};

/* Hundredths, without a "-0.00" and without the locale's decimal sign. */
static inline void add_number(struct rl_buf *out, double value)
{
    long hundredths = lround(value * 100);
    unsigned long magnitude = (unsigned long)labs(hundredths);
    rl_buf_addf(out, " %s%lu.%02lu", hundredths < 0 ? "-" : "", magnitude / 100, magnitude % 100);
}

static inline void add_colour(struct rl_buf *out, const char *what, struct rl_colour c)
{
    if (c.a != 0)
        rl_buf_addf(out, " %s %02x%02x%02x%02x", what, c.r, c.g, c.b, c.a);
}

static inline void print_paint(const struct rl_draw_op *op, struct rl_buf *out)
{
    add_colour(out, "fill", op->fill);
    add_colour(out, "stroke", op->stroke);
    if (op->stroke.a != 0)
        add_number(out, op->line_width);
    for (int i = 0; i < op->dash_count; i++) {
        if (i == 0)
            rl_buf_adds(out, " dash");
        add_number(out, op->dash[i]);
    }
    rl_buf_addch(out, '\n');
}

static inline void print_path(const struct rl_drawing *drawing, const struct rl_draw_op *op, struct rl_buf *out)
{
    rl_buf_adds(out, op->closed ? "polygon" : "path");
    for (size_t i = 0; i < op->count; i++) {
        add_number(out, drawing->vertices[op->first + i].x);
        add_number(out, drawing->vertices[op->first + i].y);
    }
    print_paint(op, out);
}

static inline void print_circle(const struct rl_drawing *drawing, const struct rl_draw_op *op, struct rl_buf *out)
{
    (void)drawing;
    rl_buf_adds(out, "circle");
    add_number(out, op->x);
    add_number(out, op->y);
    add_number(out, op->radius);
    print_paint(op, out);
}

static inline void print_text(const struct rl_drawing *drawing, const struct rl_draw_op *op, struct rl_buf *out)
{
    (void)drawing;
    rl_buf_adds(out, "text");
    add_number(out, op->x);
    add_number(out, op->y);
    rl_buf_addf(out, " %s size", align_names[op->align]);
    add_number(out, op->size);
    rl_buf_adds(out, op->bold ? " bold" : "");
    if (op->angle != 0) {
        rl_buf_adds(out, " angle");
        add_number(out, op->angle);
    }
    add_colour(out, "colour", op->colour);
    rl_buf_addch(out, ' ');
    rl_buf_add(out, op->text, op->text_len);
    rl_buf_addch(out, '\n');
}

/* Appends the operations of a drawing as text, one a line, coordinates to 0.01 pt. */
static inline void drawing_print(const struct rl_drawing *drawing, struct rl_buf *out)
{
    static void (*const print[RL_DRAW_KINDS])(const struct rl_drawing *, const struct rl_draw_op *, struct rl_buf *) = {
        [RL_DRAW_PATH] = print_path, [RL_DRAW_CIRCLE] = print_circle, [RL_DRAW_TEXT] = print_text};
    rl_buf_adds(out, "drawing");
    add_number(out, drawing->width);
    add_number(out, drawing->height);
    rl_buf_addch(out, '\n');
    for (size_t i = 0; i < drawing->op_count; i++) {
        assert_true(drawing->ops[i].kind < RL_DRAW_KINDS);
        print[drawing->ops[i].kind](drawing, &drawing->ops[i], out);
    }
}

#endif
