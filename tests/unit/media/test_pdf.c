/* The PDF layer: fonts, text, shapes, links, attachment, errors. */
#include "rl_test.h"

#include "core/fs.h"
#include "core/mem.h"
#include "fixtures/files.h"
#include "media/pdf_tools.h"
#include "pdf.h"

static const struct rl_type body = {RL_FACE_REGULAR, 10, {0x22, 0x22, 0x22, 255}};

static struct rl_fonts *fonts;

static int open_fonts(void **state)
{
    struct rl_err err = RL_ERR_INIT;
    (void)state;
    if (rl_fonts_open(NULL, &fonts, &err) != RL_OK)
        fail_msg("%s", err.text);
    return 0;
}

static int close_fonts(void **state)
{
    (void)state;
    rl_fonts_free(fonts);
    return 0;
}

static struct rl_pdf *new_document(void)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_pdf *pdf = NULL;
    assert_int_equal(rl_pdf_new(fonts, 595.276, 841.89, &pdf, &err), RL_OK);
    return pdf;
}

static void put(struct rl_pdf *pdf, double x, double y, const char *text)
{
    rl_pdf_text(pdf, x, y, &body, text, strlen(text));
}

static struct rl_buf finish(struct rl_pdf *pdf)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf out = RL_BUF_INIT;
    if (rl_pdf_finish(pdf, &out, &err) != RL_OK)
        fail_msg("%s", err.text);
    rl_pdf_free(pdf);
    return out;
}

/* ---- fonts ---- */

static void a_character_takes_the_first_font_that_has_it(void **state)
{
    (void)state;
    const struct {
        enum rl_face face;
        uint32_t asked, shown;
        enum rl_font_id font;
    } cases[] = {
        {RL_FACE_REGULAR, 'A', 'A', RL_FONT_REGULAR},     {RL_FACE_BOLD, 'A', 'A', RL_FONT_BOLD},
        {RL_FACE_BOLD, 0x3A9, 0x3A9, RL_FONT_BOLD},       {RL_FACE_MONO, '_', '_', RL_FONT_MONO},
        {RL_FACE_REGULAR, 0x2713, 0x2713, RL_FONT_WIDE},  {RL_FACE_BOLD, 0x2713, 0x2713, RL_FONT_WIDE_BOLD},
        {RL_FACE_REGULAR, 0x1F680, 0xFFFD, RL_FONT_WIDE}, {RL_FACE_MONO, 0x07, 0xFFFD, RL_FONT_WIDE},
        {RL_FACE_REGULAR, 0x85, 0xFFFD, RL_FONT_WIDE},    {RL_FACE_REGULAR, 0xE123, 0xFFFD, RL_FONT_WIDE},
    };
    for (size_t i = 0; i < RL_COUNT(cases); i++) {
        uint32_t c = cases[i].asked;
        assert_int_equal(rl_fonts_pick(fonts, cases[i].face, &c), cases[i].font);
        assert_int_equal(c, cases[i].shown);
    }
}

static void what_the_document_prints_itself_needs_no_fallback(void **state)
{
    (void)state;
    const uint32_t used[] = {0x2013, 0x2018, 0x2019, 0x2026, 0xB7,   0xB5,   0xD7,  0xA0,
                             0x202F, 0xB9,   0xB2,   0xB3,   0x2070, 0x2074, 0x2079};
    for (int face = RL_FACE_REGULAR; face <= RL_FACE_BOLD; face++)
        for (size_t i = 0; i < RL_COUNT(used); i++) {
            uint32_t c = used[i];
            assert_int_equal(rl_fonts_pick(fonts, (enum rl_face)face, &c), face);
        }
}

static void a_missing_font_names_its_package(void **state)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_fonts *none = NULL;
    (void)state;
    char *folder = files_new_folder();
    assert_int_equal(rl_fonts_open(folder, &none, &err), RL_ABSENT);
    assert_non_null(strstr(err.text, "Roboto-Regular.ttf"));
    assert_non_null(strstr(err.text, "install fonts-roboto-unhinted"));
    assert_null(none);
    files_remove_folder(folder);
}

static void a_file_that_is_no_font_is_refused(void **state)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_fonts *none = NULL;
    (void)state;
    char *folder = files_new_folder();
    char *file = rl_path_join(folder, "Roboto-Regular.ttf");
    assert_int_equal(rl_write_file_atomic(file, "no font", 7, &err), RL_OK);
    assert_int_equal(rl_fonts_open(folder, &none, &err), RL_FORMAT);
    assert_non_null(strstr(err.text, file));
    free(file);
    files_remove_folder(folder);
}

/* ---- text ---- */

static void widths_are_those_of_the_font(void **state)
{
    (void)state;
    struct rl_pdf *pdf = new_document();
    /* Roboto: A is 1336 of 2048 units, 652 thousandths; figures are 1150 of 2048, all alike. DejaVu Sans Mono: 1233 of 2048. */
    assert_close(rl_pdf_text_width(pdf, RL_FACE_REGULAR, 10, "A", 1), 6.52, 1e-9);
    assert_close(rl_pdf_text_width(pdf, RL_FACE_REGULAR, 10, "AAA", 3), 19.56, 1e-9);
    for (char c = '0'; c <= '9'; c++) {
        assert_close(rl_pdf_text_width(pdf, RL_FACE_REGULAR, 100, &c, 1), 56.2, 0.01);
        assert_close(rl_pdf_text_width(pdf, RL_FACE_REGULAR, 100, &c, 1), rl_pdf_text_width(pdf, RL_FACE_REGULAR, 100, "0", 1),
                     1e-12);
    }
    assert_close(rl_pdf_text_width(pdf, RL_FACE_MONO, 10, "il_W", 4), 24.08, 1e-3);
    assert_true(rl_pdf_text_width(pdf, RL_FACE_REGULAR, 10, "", 0) == 0);
    assert_true(rl_pdf_text_width(pdf, RL_FACE_REGULAR, 10, "\xff\xfe\x01", 3) > 0);
    rl_pdf_free(pdf);
}

static void text_can_be_read_back(void **state)
{
    (void)state;
    struct rl_pdf *pdf = new_document();
    struct rl_buf text = RL_BUF_INIT;
    rl_pdf_page_add(pdf);
    put(pdf, 50, 700, "Bandwidth 4.51\xC2\xA0TB/s \xE2\x80\x93 \xCE\xA9 \xC2\xB5 \xE2\x9C\x93 \xF0\x9F\x9A\x80 \xff end");
    rl_pdf_text_turned(pdf, 50, 300, 30, &body, "turned", 6);
    struct rl_buf out = finish(pdf);
    assert_pdf_sound(&out);
    if (pdf_text(&out, &text)) {
        assert_non_null(strstr(text.data, "Bandwidth 4.51"));
        assert_non_null(strstr(text.data, "\xE2\x80\x93 \xCE\xA9 \xC2\xB5 \xE2\x9C\x93 \xEF\xBF\xBD \xEF\xBF\xBD end"));
    }
    rl_buf_release(&text);
    rl_buf_release(&out);
}

static void all_fonts_are_embedded(void **state)
{
    (void)state;
    struct rl_pdf *pdf = new_document();
    struct rl_buf list = RL_BUF_INIT;
    rl_pdf_page_add(pdf);
    for (int face = 0; face < RL_FACE_COUNT; face++) {
        struct rl_type type = {(enum rl_face)face, 9, {0, 0, 0, 255}};
        rl_pdf_text(pdf, 50, 700 - 20 * face, &type, "A \xE2\x9C\x93", 5);
    }
    struct rl_buf out = finish(pdf);
    if (pdf_tool(&out, &list, "pdffonts", "@", NULL, NULL) == 0) {
        assert_int_equal(occurrences(list.data, "Identity-H"), 5);  /* three faces, two fallbacks */
        assert_int_equal(occurrences(list.data, "yes yes yes"), 5); /* embedded, subset, with Unicode */
    }
    rl_buf_release(&list);
    rl_buf_release(&out);
}

/* ---- the document ---- */

static void draw_everything(struct rl_pdf *pdf)
{
    struct rl_colour red = {200, 0, 0, 255}, pale = {0, 0, 200, 100};
    struct rl_drawing drawing;
    const struct rl_vertex corner[] = {{0, 0}, {100, 100}, {100, 0}};
    rl_pdf_page_add(pdf);
    put(pdf, 50, 780, "first");
    rl_pdf_line(pdf, 50, 770, 300, 770, 0.5, red);
    rl_pdf_fill_rect(pdf, (struct rl_rect){50, 700, 40, 20}, pale);
    rl_pdf_fill_circle(pdf, 300, 300, 20, pale);
    rl_pdf_ring(pdf, 300, 300, 25, 1, red);
    rl_drawing_init(&drawing, 100, 100);
    struct rl_draw_op *op = rl_drawing_path(&drawing, corner, 3, true);
    op->stroke = red;
    op->fill = pale;
    op->line_width = 1;
    op->dash_count = 2;
    op->dash[0] = 2.5;
    op->dash[1] = 1.5;
    rl_drawing_text(&drawing, 50, 50, RL_DRAW_CENTRE, 8, "label", 5);
    rl_pdf_drawing(pdf, &drawing, 200, 200, "A chart (with parentheses) \xCE\xA9 \xF0\x9F\x9A\x80");
    rl_drawing_release(&drawing);
    rl_pdf_page_add(pdf);
    put(pdf, 50, 780, "second");
    rl_pdf_link(pdf, 0, (struct rl_rect){50, 775, 60, 15}, (struct rl_pdf_place){1, 800}, RL_PDF_WHOLE);
    size_t top = rl_pdf_bookmark(pdf, RL_PDF_NO_PARENT, "Top \xE2\x80\x93 \xCE\xA9", (struct rl_pdf_place){0, 841});
    rl_pdf_bookmark(pdf, top, "Below\n\xff", (struct rl_pdf_place){1, 841});
    rl_pdf_set_info(pdf,
                    &(struct rl_pdf_info){.title = "Title \xCE\xA9", .creator = "rooflight", .created = "2024-02-29T10:30:40Z"});
    rl_pdf_attach(pdf, "capture.rlcap", "the capture", "application/vnd.sqlite3", "hello, world", 12);
}

static void the_same_calls_give_the_same_bytes(void **state)
{
    (void)state;
    struct rl_pdf *a = new_document(), *b = new_document();
    draw_everything(a);
    draw_everything(b);
    assert_int_equal(rl_pdf_page_count(a), 2);
    struct rl_buf first = finish(a), second = finish(b);
    assert_pdf_sound(&first);
    assert_int_equal(pdf_pages(&first), 2);
    assert_int_equal(first.len, second.len);
    assert_memory_equal(first.data, second.data, first.len);
    rl_buf_release(&first);
    rl_buf_release(&second);
}

static void links_bookmarks_and_properties_are_there(void **state)
{
    (void)state;
    struct rl_pdf *pdf = new_document();
    draw_everything(pdf);
    struct rl_buf out = finish(pdf);
    assert_true(pdf_holds(&out, "/Subtype /Link"));
    assert_true(pdf_holds(&out, "/Outlines"));
    assert_true(pdf_holds(&out, "/PageLabels"));
    assert_true(pdf_holds(&out, "/Lang (en)"));
    assert_true(pdf_holds(&out, "/DisplayDocTitle true"));
    assert_true(pdf_holds(&out, "/CreationDate (D:20240229103040"));
    assert_true(pdf_holds(&out, "/XYZ 0 800 0"));
    rl_buf_release(&out);
}

static void a_date_that_is_none_is_left_out(void **state)
{
    (void)state;
    const char *const dates[] = {
        "", "yesterday", "2023-02-29T10:30:40Z", "2026-13-01T00:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21T10:30:40"};
    for (size_t i = 0; i < RL_COUNT(dates); i++) {
        struct rl_pdf *pdf = new_document();
        rl_pdf_page_add(pdf);
        rl_pdf_set_info(pdf, &(struct rl_pdf_info){.title = "t", .created = dates[i]});
        struct rl_buf out = finish(pdf);
        assert_false(pdf_holds(&out, "CreationDate"));
        rl_buf_release(&out);
    }
}

static void the_attachment_comes_back(void **state)
{
    (void)state;
    struct rl_buf bytes = RL_BUF_INIT, back = RL_BUF_INIT;
    for (unsigned i = 0; i < 100000; i++)
        rl_buf_addch(&bytes, (char)(i * i >> 3));
    struct rl_pdf *pdf = new_document();
    rl_pdf_page_add(pdf);
    rl_pdf_attach(pdf, "a (b) c.rlcap", "description", "application/vnd.sqlite3", bytes.data, bytes.len);
    struct rl_buf out = finish(pdf);
    assert_pdf_sound(&out);
    if (pdf_tool(&out, &back, "qpdf", "--show-attachment=a (b) c.rlcap", "@", NULL) == 0) {
        assert_int_equal(back.len, bytes.len);
        assert_memory_equal(back.data, bytes.data, bytes.len);
    }
    rl_buf_release(&bytes);
    rl_buf_release(&back);
    rl_buf_release(&out);
}

static void a_shape_that_lies_nowhere_is_left_out(void **state)
{
    (void)state;
    struct rl_pdf *plain = new_document(), *odd = new_document();
    struct rl_colour black = {0, 0, 0, 255};
    rl_pdf_page_add(plain);
    rl_pdf_page_add(odd);
    put(plain, 50, 50, "x");
    put(odd, 50, 50, "x");
    put(odd, NAN, 50, "nowhere");
    put(odd, 1e9, 50, "far");
    rl_pdf_line(odd, 0, 0, INFINITY, 0, 1, black);
    rl_pdf_fill_circle(odd, 10, 10, NAN, black);
    rl_pdf_ring(odd, 10, 10, -3, 1, black);
    rl_pdf_fill_rect(odd, (struct rl_rect){0, 0, NAN, 1}, black);
    rl_pdf_link(odd, 0, (struct rl_rect){NAN, 0, 1, 1}, (struct rl_pdf_place){0, 0}, RL_PDF_WHOLE);
    struct rl_buf a = finish(plain), b = finish(odd);
    assert_pdf_sound(&b);
    assert_int_equal(a.len, b.len);
    rl_pdf_free(NULL);
    rl_buf_release(&a);
    rl_buf_release(&b);
}

static void the_first_error_is_told_at_the_end_and_nothing_is_written(void **state)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf out = RL_BUF_INIT;
    struct rl_pdf *pdf = NULL;
    (void)state;
    rl_buf_adds(&out, "before");
    assert_int_equal(rl_pdf_new(fonts, 20000, 100, &pdf, &err), RL_OK); /* wider than a page can be (14400) */
    rl_pdf_page_add(pdf);
    put(pdf, 10, 10, "ignored");
    rl_pdf_attach(pdf, "x", "x", "x/x", "x", 1);
    rl_pdf_bookmark(pdf, RL_PDF_NO_PARENT, "ignored", (struct rl_pdf_place){0, 0});
    assert_int_equal(rl_pdf_finish(pdf, &out, &err), RL_FAILED);
    assert_non_null(strstr(err.text, "libharu"));
    assert_non_null(strstr(err.text, "error 0x1"));
    assert_string_equal(out.data, "before");
    rl_pdf_free(pdf);
    rl_buf_release(&out);
}

static void the_document_is_appended(void **state)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf out = RL_BUF_INIT;
    (void)state;
    struct rl_pdf *pdf = new_document();
    rl_buf_adds(&out, "before");
    rl_pdf_page_add(pdf);
    assert_int_equal(rl_pdf_finish(pdf, &out, &err), RL_OK);
    assert_memory_equal(out.data, "before%PDF-1.7\n", 15);
    rl_pdf_free(pdf);
    rl_buf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_character_takes_the_first_font_that_has_it),
        cmocka_unit_test(what_the_document_prints_itself_needs_no_fallback),
        cmocka_unit_test(a_missing_font_names_its_package),
        cmocka_unit_test(a_file_that_is_no_font_is_refused),
        cmocka_unit_test(widths_are_those_of_the_font),
        cmocka_unit_test(text_can_be_read_back),
        cmocka_unit_test(all_fonts_are_embedded),
        cmocka_unit_test(the_same_calls_give_the_same_bytes),
        cmocka_unit_test(links_bookmarks_and_properties_are_there),
        cmocka_unit_test(a_date_that_is_none_is_left_out),
        cmocka_unit_test(the_attachment_comes_back),
        cmocka_unit_test(a_shape_that_lies_nowhere_is_left_out),
        cmocka_unit_test(the_first_error_is_told_at_the_end_and_nothing_is_written),
        cmocka_unit_test(the_document_is_appended),
    };
    return cmocka_run_group_tests(tests, open_fonts, close_fonts);
}
