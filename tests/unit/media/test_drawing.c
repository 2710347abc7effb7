/* Drawing commands read into operations, marks, and the two ways of writing a drawing out. */
#include "rl_test.h"

#include "core/mem.h"
#include "drawing.h"
#include "drawing_print.h"

static double half_width(void *context, const char *text, size_t len, double size_pt, int bold)
{
    (void)context, (void)text, (void)bold;
    return 0.5 * size_pt * (double)len;
}
static const struct rl_text_metrics metrics = {.width = half_width, .cap_height = 0.7, .ascent = 0.75, .descent = 0.25};

static enum rl_status read_text(struct rl_drawing *drawing, const char *text, size_t len, struct rl_err *err)
{
    rl_drawing_init(drawing, 200, 100);
    return rl_drawing_read(drawing, 3, &metrics, &text, &len, err);
}

static void read_ok(struct rl_drawing *drawing, const char *text)
{
    struct rl_err err = RL_ERR_INIT;
    if (read_text(drawing, text, strlen(text), &err) != RL_OK)
        fail_msg("%s", err.text);
}

static void assert_colour(struct rl_colour c, int r, int g, int b, int a)
{
    assert_int_equal(c.r, r);
    assert_int_equal(c.g, g);
    assert_int_equal(c.b, b);
    assert_int_equal(c.a, a);
}

static void lines_become_paths(void **state)
{
    (void)state;
    struct rl_drawing d;
    read_ok(&d, "begin 3 20000 10000\nmove 100 200\nline 300 400\nline 500 -50\nwidth 150\ndash 2 300 150\ncolour 1 2 3 128\n"
                "line 700 800\nend\n");
    assert_int_equal(d.op_count, 2);
    const struct rl_draw_op *first = &d.ops[0], *second = &d.ops[1];
    assert_int_equal(first->kind, RL_DRAW_PATH);
    assert_int_equal(first->count, 3);
    assert_true(d.vertices[first->first + 2].x == 5 && d.vertices[first->first + 2].y == -0.5);
    assert_false(first->closed);
    assert_colour(first->stroke, 0, 0, 0, 255);
    assert_int_equal(first->fill.a, 0);
    assert_true(first->line_width == 1 && first->dash_count == 0);
    /* A new style starts a new path where the last one ended. */
    assert_int_equal(second->count, 2);
    assert_true(d.vertices[second->first].x == 5 && d.vertices[second->first + 1].y == 8);
    assert_colour(second->stroke, 1, 2, 3, 128);
    assert_true(second->line_width == 1.5 && second->dash_count == 2 && second->dash[0] == 3 && second->dash[1] == 1.5);
    rl_drawing_release(&d);
}

static void a_move_starts_another_path(void **state)
{
    (void)state;
    struct rl_drawing d;
    read_ok(&d, "begin 3 20000 10000\nmove 0 0\nline 1 1\nmove 5 5\nmove 7 7\nline 8 8\nend\n");
    assert_int_equal(d.op_count, 2);
    assert_true(d.vertices[d.ops[1].first].x == 0.07);
    rl_drawing_release(&d);
}

static void polygons_and_points(void **state)
{
    (void)state;
    struct rl_drawing d;
    read_ok(&d, "begin 3 20000 10000\ncolour 9 8 7 255\npolygon 3 0 0 1000 0 0 1000\nwidth 50\npoint 5000 5000 7 300\n"
                "point 5000 5000 6 300\npoint 1 1 7 0\nend\n");
    assert_int_equal(d.op_count, 3); /* a mark without size is none */
    assert_true(d.ops[0].closed && d.ops[0].count == 3 && d.ops[0].stroke.a == 0);
    assert_colour(d.ops[0].fill, 9, 8, 7, 255);
    assert_int_equal(d.ops[1].kind, RL_DRAW_CIRCLE);
    assert_true(d.ops[1].x == 50 && d.ops[1].y == 50 && d.ops[1].radius == 3 && d.ops[1].line_width == 0.5);
    assert_colour(d.ops[1].fill, 9, 8, 7, 255);
    assert_colour(d.ops[1].stroke, 0x22, 0x22, 0x22, 255); /* an edge of ink */
    assert_colour(d.ops[2].fill, 255, 255, 255, 255);      /* hollow */
    assert_colour(d.ops[2].stroke, 9, 8, 7, 255);
    rl_drawing_release(&d);
}

/* The terminal centres text on its position; capitals of 0.7 x 10 pt reach 3.5 pt below and above it. */
static void texts_stand_on_their_base_line(void **state)
{
    (void)state;
    struct rl_drawing d;
    read_ok(&d, "begin 3 20000 10000\nfont 1000 1\njustify right\ntext 5000 2000 3 1 T\nangle 90\njustify centre\n"
                "text 5000 2000 1 x\nend\n");
    assert_int_equal(d.op_count, 2);
    const struct rl_draw_op *flat = &d.ops[0], *upright = &d.ops[1];
    assert_true(flat->x == 50 && flat->size == 10 && flat->bold && flat->align == RL_DRAW_RIGHT && flat->angle == 0);
    assert_close(flat->y, 16.5, 1e-12);
    assert_int_equal(flat->text_len, 3);
    assert_memory_equal(flat->text, "1 T", 3);
    assert_close(upright->x, 53.5, 1e-12); /* turned left: below is to the right */
    assert_close(upright->y, 20, 1e-12);
    assert_true(upright->angle == 90 && upright->align == RL_DRAW_CENTRE);
    rl_drawing_release(&d);
}

/* The length says where a text ends: what is in it can neither end the line nor be a command. */
static void texts_hold_any_bytes(void **state)
{
    (void)state;
    static const char text[] = "begin 3 20000 10000\ntext 0 0 12 a\nend\n\0\xff\x1b\xE2\x88\x92\nmove 0 0\nline 1 1\nend\n";
    struct rl_drawing d;
    struct rl_err err = RL_ERR_INIT;
    assert_int_equal(read_text(&d, text, sizeof text - 1, &err), RL_OK);
    assert_int_equal(d.op_count, 2);
    const char expected[] = "a end \xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xE2\x88\x92";
    assert_int_equal(d.ops[0].text_len, sizeof expected - 1);
    assert_memory_equal(d.ops[0].text, expected, sizeof expected - 1);
    rl_drawing_release(&d);
}

static void charts_follow_each_other(void **state)
{
    (void)state;
    const char *text = "begin 0 1000 1000\nend\nbegin 1 2000 1000\nmove 0 0\nline 1 1\nend\nrest";
    size_t len = strlen(text);
    struct rl_drawing a, b;
    struct rl_err err = RL_ERR_INIT;
    rl_drawing_init(&a, 10, 10);
    rl_drawing_init(&b, 20, 10);
    assert_int_equal(rl_drawing_read(&a, 0, &metrics, &text, &len, &err), RL_OK);
    assert_int_equal(rl_drawing_read(&b, 1, &metrics, &text, &len, &err), RL_OK);
    assert_int_equal(a.op_count, 0);
    assert_int_equal(b.op_count, 1);
    assert_int_equal(len, 4);
    assert_string_equal(text, "rest");
    rl_drawing_release(&a);
    rl_drawing_release(&b);
}

static void damage_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {"", "no \"end\""},
        {"begin 3 20000 10000\n", "line 1: no \"end\""},
        {"begin 3 20000 10000\nend", "line 2: more or less"},
        {"begin 4 20000 10000\nend\n", "line 1: another chart"},
        {"begin 3 20000 10100\nend\n", "line 1: another size"},
        {"begin 3 20000\nend\n", "line 1: a number is missing"},
        {"move 0 0\n", "line 1: no \"begin\""},
        {"begin 3 20000 10000\nbegin 3 20000 10000\n", "line 2: a chart inside"},
        {"begin 3 20000 10000\nsystem 1\n", "line 2: an unknown command"},
        {"begin 3 20000 10000\n\nend\n", "line 2: an unknown command"},
        {"begin 3 20000 10000\nline 0 0\n", "line 2: a line without a start"},
        {"begin 3 20000 10000\nmove 0\n", "line 2: a number is missing"},
        {"begin 3 20000 10000\nmove 0 0 0\n", "line 2: more or less"},
        {"begin 3 20000 10000\nmove 0 1e3\n", "out of range"},
        {"begin 3 20000 10000\nmove 0 99999999\n", "out of range"},
        {"begin 3 20000 10000\nmove 0 99999999999999999999\n", "out of range"},
        {"begin 3 20000 10000\nmove 0 -\n", "out of range"},
        {"begin 3 20000 10000\nmove 0 nan\n", "out of range"},
        {"begin 3 20000 10000\nwidth 0\n", "not positive"},
        {"begin 3 20000 10000\nfont -700 0\n", "not positive"},
        {"begin 3 20000 10000\ndash 1 300\n", "odd number"},
        {"begin 3 20000 10000\ndash 2 300 0\n", "not positive"},
        {"begin 3 20000 10000\ndash 6 1 1 1 1 1 1\n", "out of range"},
        {"begin 3 20000 10000\ncolour 0 0 256 255\n", "outside 0..255"},
        {"begin 3 20000 10000\njustify middle\n", "unknown justification"},
        {"begin 3 20000 10000\npolygon 2 0 0 1 1\n", "fewer than three"},
        {"begin 3 20000 10000\npolygon 900000 0 0 1 1\n", "out of range"},
        {"begin 3 20000 10000\ntext 0 0 5 abc\nend\n", "more or less"},
        {"begin 3 20000 10000\ntext 0 0 50 abc\nend\n", "another length"},
        {"begin 3 20000 10000\ntext 0 0 -1 abc\nend\n", "another length"},
        {"begin 3 20000 10000\ntext 0 0 3", "another length"},
    };
    for (size_t i = 0; i < RL_COUNT(cases); i++) {
        struct rl_drawing d;
        struct rl_err err = RL_ERR_INIT;
        assert_int_equal(read_text(&d, cases[i].text, strlen(cases[i].text), &err), RL_FORMAT);
        if (strstr(err.text, cases[i].reason) == NULL || strstr(err.text, "chart 3") == NULL)
            fail_msg("case %zu: '%s' lacks '%s'", i, err.text, cases[i].reason);
        rl_drawing_release(&d);
    }
}

/* Whatever is flipped, cut or doubled: an answer, and never a step outside the text (the sanitisers watch). */
static void mangled_commands_do_no_harm(void **state)
{
    (void)state;
    static const char good[] = "begin 3 20000 10000\nmove 1 2\nline 3 4\ndash 2 30 40\ncolour 1 2 3 4\nfont 700 0\njustify left\n"
                               "angle 30\ntext 5 6 4 abcd\npoint 1 2 9 100\npolygon 3 0 0 1 0 0 1\nend\n";
    uint64_t seed = 7;
    size_t refused = 0;
    for (int round = 0; round < 20000; round++) {
        char text[sizeof good];
        memcpy(text, good, sizeof good);
        size_t len = sizeof good - 1;
        for (int k = 0; k < 3; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            text[(seed >> 33) % len] = "0123456789- \nabz\xff"[(seed >> 20) % 17];
        }
        len -= (seed >> 50) % 8 == 0 ? (seed >> 53) % len : 0;
        struct rl_drawing d;
        refused += read_text(&d, text, len, NULL) != RL_OK;
        rl_drawing_release(&d);
    }
    assert_in_range(refused, 1000, 19999);
}

static double polygon_area(const struct rl_drawing *d, const struct rl_draw_op *op)
{
    double twice = 0;
    for (size_t i = 0; i < op->count; i++) {
        const struct rl_vertex *a = &d->vertices[op->first + i], *b = &d->vertices[op->first + (i + 1) % op->count];
        twice += a->x * b->y - b->x * a->y;
    }
    return fabs(twice) / 2;
}

/* Equal weights look equal: every shape has the area of a circle of its radius, and its centre of area on the point. */
static void marks_of_one_radius_have_one_area(void **state)
{
    (void)state;
    static const int shapes[] = {4, 5, 8, 9, 10, 11, 12, 13};
    struct rl_drawing d;
    rl_drawing_init(&d, 100, 100);
    for (size_t i = 0; i < RL_COUNT(shapes); i++) {
        rl_drawing_mark(&d, 40, 60, shapes[i], 3, 0.5, (struct rl_colour){1, 2, 3, 255});
        const struct rl_draw_op *op = &d.ops[d.op_count - 1];
        double x = 0, y = 0, reach = 0;
        assert_close(polygon_area(&d, op), M_PI * 9, 1e-8);
        for (size_t k = 0; k < op->count; k++) {
            const struct rl_vertex *v = &d.vertices[op->first + k];
            x += v->x / (double)op->count;
            y += v->y / (double)op->count;
            reach = fmax(reach, hypot(v->x - 40, v->y - 60));
        }
        assert_close(x, 40, 1e-9);
        assert_close(y, 60, 1e-9);
        assert_close(reach, 3 * rl_drawing_mark_reach(shapes[i]), 1e-9);
        assert_int_equal(op->fill.r, shapes[i] % 2 == 0 ? 255 : 1);
    }
    assert_true(rl_drawing_mark_reach(6) == 1 && rl_drawing_mark_reach(7) == 1);
    rl_drawing_release(&d);
}

static void make_sample(struct rl_drawing *d)
{
    rl_drawing_init(d, 200, 100);
    struct rl_draw_op *op = rl_drawing_path(d, (struct rl_vertex[]){{1, 2}, {-0.001, 99.996}}, 2, false);
    op->stroke = (struct rl_colour){0x22, 0x33, 0x44, 128};
    op->line_width = 0.75;
    op->dash_count = 2;
    op->dash[0] = 3;
    op->dash[1] = 1.5;
    rl_drawing_mark(d, 50, 60, 6, 2.5, 1, (struct rl_colour){0, 0x72, 0xB2, 255});
    op = rl_drawing_text(d, 10, 20, RL_DRAW_RIGHT, 7, "a<b> & \"c\"\n\xEF\xBF\xBF", 14);
    op->angle = 26.57;
    op->bold = true;
}

static void prints_one_operation_a_line(void **state)
{
    (void)state;
    struct rl_drawing d;
    struct rl_buf out = RL_BUF_INIT;
    make_sample(&d);
    drawing_print(&d, &out);
    assert_string_equal(out.data, "drawing 200.00 100.00\n"
                                  "path 1.00 2.00 0.00 100.00 stroke 22334480 0.75 dash 3.00 1.50\n"
                                  "circle 50.00 60.00 2.50 fill ffffffff stroke 0072b2ff 1.00\n"
                                  "text 10.00 20.00 right size 7.00 bold angle 26.57 colour 000000ff a<b> & \"c\" \xEF\xBF\xBF\n");
    rl_buf_release(&out);
    rl_drawing_release(&d);
}

/* Lines that look alike are one path, on a page of HTML as in a file; what marks say of themselves lies on top. */
static void writes_svg_for_html(void **state)
{
    (void)state;
    const struct rl_vertex lines[] = {{0, 0}, {10, 0}};
    struct rl_drawing d;
    struct rl_buf out = RL_BUF_INIT;
    rl_drawing_init(&d, 20, 10);
    for (int i = 0; i < 3; i++) {
        struct rl_draw_op *op = rl_drawing_path(&d, lines, 2, false);
        op->stroke = (struct rl_colour){0, 0, 0, 255};
        op->line_width = i < 2 ? 1 : 2;
    }
    rl_drawing_tip(&d, 5, 5, 4, 3, "<b>\"1\"\xE2\x80\xAE");
    rl_drawing_svg_inline(&d, "a<b", &out);
    assert_string_equal(out.data,
                        "<svg class=\"k\" role=\"group\" fill=\"none\" width=\"26.67\" height=\"13.33\" viewBox=\"0 0 20 10\" "
                        "stroke-linejoin=\"round\" aria-label=\"a&#60;b\">\n"
                        "<path d=\"M0 10L10 10M0 10L10 10\" stroke=\"#000\" stroke-width=\"1\"/>\n"
                        "<path d=\"M0 10L10 10\" stroke=\"#000\" stroke-width=\"2\"/>\n"
                        "<path class=\"p\" d=\"M1 2h8v6h-8z\"><title>&#60;b&#62;&#34;1&#34;\xEF\xBF\xBD</title>"
                        "</path>\n</svg>");
    rl_buf_release(&out);
    rl_drawing_release(&d);
}

static void writes_svg(void **state)
{
    (void)state;
    struct rl_drawing d;
    struct rl_buf out = RL_BUF_INIT;
    make_sample(&d);
    rl_drawing_svg(&d, "A \"B\"", &out);
    assert_string_equal(out.data,
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"200pt\" height=\"100pt\" viewBox=\"0 0 200 100\" "
                        "font-family=\"A &#34;B&#34;\" fill=\"none\" stroke-linejoin=\"round\" xml:space=\"preserve\">\n"
                        "<path d=\"M1 98L0 0\" stroke=\"#234\" stroke-opacity=\"0.5\" stroke-width=\"0.75\" "
                        "stroke-dasharray=\"3 1.5\"/>\n"
                        "<circle cx=\"50\" cy=\"40\" r=\"2.5\" fill=\"#fff\" stroke=\"#0072b2\" stroke-width=\"1\"/>\n"
                        "<text x=\"10\" y=\"80\" font-size=\"7\" text-anchor=\"end\" font-weight=\"bold\" fill=\"#000\" "
                        "transform=\"rotate(-26.57 10 80)\">a&#60;b&#62; &#38; &#34;c&#34; \xEF\xBF\xBD</text>\n"
                        "</svg>\n");
    rl_buf_release(&out);
    rl_drawing_release(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_become_paths),
        cmocka_unit_test(a_move_starts_another_path),
        cmocka_unit_test(polygons_and_points),
        cmocka_unit_test(texts_stand_on_their_base_line),
        cmocka_unit_test(texts_hold_any_bytes),
        cmocka_unit_test(charts_follow_each_other),
        cmocka_unit_test(damage_is_refused),
        cmocka_unit_test(mangled_commands_do_no_harm),
        cmocka_unit_test(marks_of_one_radius_have_one_area),
        cmocka_unit_test(prints_one_operation_a_line),
        cmocka_unit_test(writes_svg),
        cmocka_unit_test(writes_svg_for_html),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
