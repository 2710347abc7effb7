/* Drawings as pixels: known shapes, read back with libpng. */
#include "rl_test.h"

#include <math.h>
#include <stdlib.h>

#include <png.h>

#include "core/mem.h"
#include "raster.h"

struct picture {
    png_image image;
    uint8_t *rgb;
};

static struct rl_fonts *fonts;

static int open_fonts(void **state)
{
    struct rl_err err = RL_ERR_INIT;
    (void)state;
    return rl_fonts_open(NULL, &fonts, &err) == RL_OK ? 0 : 1;
}
static int close_fonts(void **state)
{
    (void)state;
    rl_fonts_free(fonts);
    return 0;
}

/* The drawing at one pixel a point; it is released. */
static struct picture picture_of(struct rl_drawing *drawing)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf png = RL_BUF_INIT;
    struct picture p = {.image = {.version = PNG_IMAGE_VERSION}};
    if (rl_drawing_png(drawing, fonts, 1, &png, &err) != RL_OK)
        fail_msg("%s", err.text);
    assert_true(png_image_begin_read_from_memory(&p.image, png.data, png.len));
    p.image.format = PNG_FORMAT_RGB;
    p.rgb = rl_calloc(PNG_IMAGE_SIZE(p.image), 1);
    assert_true(png_image_finish_read(&p.image, NULL, p.rgb, 0, NULL));
    rl_drawing_release(drawing);
    rl_buf_release(&png);
    return p;
}

/* Red, green and blue as one number; x and y from the upper left corner. */
static unsigned at(const struct picture *p, unsigned x, unsigned y)
{
    const uint8_t *c = p->rgb + (y * p->image.width + x) * 3;
    assert_true(x < p->image.width && y < p->image.height);
    return (unsigned)c[0] << 16 | (unsigned)c[1] << 8 | c[2];
}

static size_t inked(const struct picture *p)
{
    size_t count = 0;
    for (unsigned y = 0; y < p->image.height; y++)
        for (unsigned x = 0; x < p->image.width; x++)
            count += at(p, x, y) != 0xFFFFFF;
    return count;
}

static struct rl_drawing canvas(double width, double height)
{
    struct rl_drawing drawing;
    rl_drawing_init(&drawing, width, height);
    return drawing;
}

static void a_filled_box_has_its_corners(void **state)
{
    const struct rl_vertex box[] = {{2, 1}, {6, 1}, {6, 4}, {2, 4}};
    (void)state;
    struct rl_drawing drawing = canvas(10, 8);
    rl_drawing_path(&drawing, box, 4, true)->fill = (struct rl_colour){0x10, 0x80, 0xF0, 255};
    struct picture p = picture_of(&drawing);
    assert_int_equal(p.image.width, 10);
    assert_int_equal(p.image.height, 8);
    assert_int_equal(inked(&p), 12);
    assert_int_equal(at(&p, 2, 6), 0x1080F0); /* y points up in drawings */
    assert_int_equal(at(&p, 5, 4), 0x1080F0);
    assert_int_equal(at(&p, 6, 4), 0xFFFFFF);
    assert_int_equal(at(&p, 2, 7), 0xFFFFFF);
    free(p.rgb);
}

static void transparency_lets_half_through(void **state)
{
    const struct rl_vertex box[] = {{0, 0}, {4, 0}, {4, 4}, {0, 4}};
    (void)state;
    struct rl_drawing drawing = canvas(4, 4);
    rl_drawing_path(&drawing, box, 4, true)->fill = (struct rl_colour){0, 0, 0, 51}; /* a fifth: 255 * 0.8 = 204 */
    struct picture p = picture_of(&drawing);
    assert_int_equal(at(&p, 1, 1), 0xCCCCCC);
    free(p.rgb);
}

static void lines_have_their_width_and_dashes(void **state)
{
    const struct rl_vertex line[] = {{0, 5}, {40, 5}};
    (void)state;
    struct rl_drawing drawing = canvas(40, 10);
    struct rl_draw_op *op = rl_drawing_path(&drawing, line, 2, false);
    op->stroke = (struct rl_colour){0, 0, 0, 255};
    op->line_width = 2;
    struct picture p = picture_of(&drawing);
    assert_int_equal(inked(&p), 80); /* butt ends, rows 4 and 5 */
    assert_int_equal(at(&p, 0, 4), 0);
    assert_int_equal(at(&p, 39, 5), 0);
    free(p.rgb);
    drawing = canvas(40, 10);
    op = rl_drawing_path(&drawing, line, 2, false);
    op->stroke = (struct rl_colour){0, 0, 0, 255};
    op->line_width = 2;
    op->dash[0] = 6;
    op->dash[1] = 4;
    op->dash_count = 2;
    p = picture_of(&drawing);
    assert_int_equal(inked(&p), 48); /* four dashes of 6 */
    assert_int_equal(at(&p, 5, 4), 0);
    assert_int_equal(at(&p, 6, 4), 0xFFFFFF);
    assert_int_equal(at(&p, 10, 4), 0);
    free(p.rgb);
}

static void a_circle_has_its_area(void **state)
{
    (void)state;
    struct rl_drawing drawing = canvas(100, 100);
    struct rl_draw_op *op = rl_drawing_add(&drawing, RL_DRAW_CIRCLE);
    op->x = op->y = 50;
    op->radius = 40;
    op->fill = (struct rl_colour){255, 0, 0, 255};
    struct picture p = picture_of(&drawing);
    assert_in_range(inked(&p), 5020, 5300); /* pi * 1600 = 5027, and a rim of shades */
    assert_int_equal(at(&p, 50, 50), 0xFF0000);
    assert_int_equal(at(&p, 5, 50), 0xFFFFFF);
    free(p.rgb);
}

/* Whether columns x0 to x1 have ink. */
static bool has_ink(const struct picture *p, unsigned x0, unsigned x1)
{
    for (unsigned y = 0; y < p->image.height; y++)
        for (unsigned x = x0; x < x1; x++)
            if (at(p, x, y) != 0xFFFFFF)
                return true;
    return false;
}

static void texts_stand_where_they_are_aligned(void **state)
{
    (void)state;
    for (enum rl_draw_align align = RL_DRAW_LEFT; align <= RL_DRAW_RIGHT; align++) {
        struct rl_drawing drawing = canvas(200, 40);
        rl_drawing_text(&drawing, 100, 15, align, 12, "GB/s \xC2\xB5", 7)->colour = (struct rl_colour){0, 0, 0, 255};
        struct picture p = picture_of(&drawing);
        assert_int_equal(has_ink(&p, 60, 98), align != RL_DRAW_LEFT);
        assert_int_equal(has_ink(&p, 102, 140), align != RL_DRAW_RIGHT);
        assert_false(has_ink(&p, 0, 60));
        assert_false(has_ink(&p, 140, 200));
        free(p.rgb);
    }
}

static void a_turned_text_goes_up(void **state)
{
    (void)state;
    struct rl_drawing drawing = canvas(60, 60);
    struct rl_draw_op *op = rl_drawing_text(&drawing, 30, 5, RL_DRAW_LEFT, 10, "MMMM", 4);
    op->angle = 90;
    struct picture p = picture_of(&drawing);
    assert_false(has_ink(&p, 0, 20));
    assert_true(has_ink(&p, 22, 30)); /* left of the base line, which goes up */
    assert_false(has_ink(&p, 31, 60));
    free(p.rgb);
}

static void odd_shapes_are_left_out(void **state)
{
    const struct rl_vertex same[] = {{5, 5}, {5, 5}, {5, 5}}, far[] = {{-1e4, -1e4}, {1e4, 1e4}};
    (void)state;
    struct rl_drawing drawing = canvas(20, 20);
    struct rl_draw_op *op = rl_drawing_path(&drawing, same, 3, true);
    op->fill = op->stroke = (struct rl_colour){0, 0, 0, 255};
    op->line_width = 0.5;
    op->dash[0] = op->dash[1] = 0;
    op->dash_count = 2;
    rl_drawing_path(&drawing, same, 1, false)->fill = (struct rl_colour){0, 0, 0, 255};
    op = rl_drawing_path(&drawing, far, 2, false); /* through the picture, from far outside */
    op->stroke = (struct rl_colour){0, 0, 255, 255};
    op->line_width = 1;
    struct picture p = picture_of(&drawing);
    assert_int_equal(at(&p, 10, 9) & 0xFF, 0xFF);
    assert_true(has_ink(&p, 0, 20));
    free(p.rgb);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_filled_box_has_its_corners),
        cmocka_unit_test(transparency_lets_half_through),
        cmocka_unit_test(lines_have_their_width_and_dashes),
        cmocka_unit_test(a_circle_has_its_area),
        cmocka_unit_test(texts_stand_where_they_are_aligned),
        cmocka_unit_test(a_turned_text_goes_up),
        cmocka_unit_test(odd_shapes_are_left_out),
    };
    return cmocka_run_group_tests(tests, open_fonts, close_fonts);
}
