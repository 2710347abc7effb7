/* pdf_tools.h - looking at a PDF with the readers that are installed (qpdf, poppler). Where one is missing the test says so and
 * goes on. */
#ifndef RL_TEST_REPORTS_PDF_TOOLS_H
#define RL_TEST_REPORTS_PDF_TOOLS_H

#include "rl_test.h"

#include "core/buf.h"
#include "core/child.h"
#include "core/fs.h"
#include "fixtures/files.h"

/* Runs PROGRAM with up to three arguments; "@" among them stands for a file with these bytes. Appends its standard output to `out`
 * and returns its exit status, or -1 when it is not installed. What it says on standard error must be nothing. */
static inline int pdf_tool(const struct rl_buf *pdf, struct rl_buf *out, const char *program, const char *a, const char *b,
                           const char *c)
{
    struct rl_err err = RL_ERR_INIT;
    char *path = rl_find_program(program), *folder = NULL, *file;
    const char *argv[5] = {path, a, b, c, NULL};
    if (!path) {
        rl_test_without(program);
        return -1;
    }
    folder = files_new_folder();
    file = rl_path_join(folder, "report.pdf");
    assert_int_equal(rl_write_file_atomic(file, pdf->data, pdf->len, &err), RL_OK);
    for (size_t i = 1; i < 4; i++)
        if (argv[i] && strcmp(argv[i], "@") == 0)
            argv[i] = file;
    struct rl_spawn spawn = {.argv = argv, .timeout_s = 60, .output_limit = 64u << 20};
    struct rl_spawn_result result;
    assert_int_equal(rl_spawn_run(&spawn, &result, &err), RL_OK);
    if (out)
        rl_buf_add(out, result.out.data, result.out.len);
    assert_string_equal(result.err.data, "");
    int status = result.exit_status;
    rl_spawn_result_release(&result);
    files_remove_folder(folder);
    free(file);
    free(path);
    return status;
}

/* The structure is sound. */
static inline void assert_pdf_sound(const struct rl_buf *pdf)
{
    assert_true(pdf->len > 300);
    assert_memory_equal(pdf->data, "%PDF-1.", 7);
    assert_in_range((unsigned)pdf_tool(pdf, NULL, "qpdf", "--check", "@", NULL) + 1, 0, 1);
}

/* Text of all pages, a form feed after each; false when it cannot be had. */
static inline bool pdf_text(const struct rl_buf *pdf, struct rl_buf *text)
{
    int status = pdf_tool(pdf, text, "pdftotext", "-layout", "@", "-");
    assert_true(status <= 0);
    return status == 0;
}

static inline size_t pdf_pages(const struct rl_buf *pdf)
{
    size_t pages = 0;
    const char needle[] = "/Type /Page\n";
    for (size_t i = 0; i + sizeof needle <= pdf->len; i++)
        pages += memcmp(pdf->data + i, needle, sizeof needle - 1) == 0;
    return pages;
}

static inline bool pdf_holds(const struct rl_buf *pdf, const char *bytes)
{
    size_t len = strlen(bytes);
    for (size_t i = 0; i + len <= pdf->len; i++)
        if (memcmp(pdf->data + i, bytes, len) == 0)
            return true;
    return false;
}

static inline size_t occurrences(const char *text, const char *word)
{
    size_t count = 0;
    for (const char *p = text; (p = strstr(p, word)); p += strlen(word))
        count++;
    return count;
}

/* ---- boxes of words ---- */

struct word_box {
    double x0, y0, x1, y1;
    char text[64];
};

/* Reads the number behind `name` in the line. */
static inline double box_number(const char *line, const char *name)
{
    const char *at = strstr(line, name);
    assert_non_null(at);
    return strtod(at + strlen(name), NULL);
}

/* A level word is as high as its font's line at a size of whole or half points; the box of a turned one has any height. */
static inline bool is_level(const struct word_box *box)
{
    const double line_heights[] = {1.171875, 1.164063}; /* Roboto, DejaVu */
    for (size_t i = 0; i < sizeof line_heights / sizeof *line_heights; i++) {
        double size = (box->y1 - box->y0) / line_heights[i];
        if (fabs(2 * size - round(2 * size)) < 0.002)
            return true;
    }
    return false;
}

static inline void assert_apart(const struct word_box *a, const struct word_box *b)
{
    double width = fmin(a->x1, b->x1) - fmax(a->x0, b->x0), height = fmin(a->y1, b->y1) - fmax(a->y0, b->y0);
    double lower = fmin(a->y1 - a->y0, b->y1 - b->y0);
    if (width > 0.75 && height > 0.35 * lower) /* boxes hold room for ascenders and descenders: lines that are close touch */
        fail_msg("'%s' (%.1f %.1f) lies on '%s' (%.1f %.1f)", a->text, a->x0, a->y0, b->text, b->x0, b->y0);
}

/* Every word lies between the margins left and right (18 mm) and on its page, and no two level ones lie on each other. */
static inline void assert_words_apart(const struct rl_buf *pdf)
{
    enum { MOST = 4000 };
    static struct word_box boxes[MOST];
    struct rl_buf text = RL_BUF_INIT;
    size_t count = 0;
    double width = 0, height = 0;
    if (pdf_tool(pdf, &text, "pdftotext", "-bbox", "@", "-") != 0)
        return;
    for (char *line = text.data, *next; line && *line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        if (strstr(line, "<page ")) {
            count = 0;
            width = box_number(line, "width=\"");
            height = box_number(line, "height=\"");
        }
        if (!strstr(line, "<word "))
            continue;
        struct word_box box = {box_number(line, "xMin=\""), box_number(line, "yMin=\""), box_number(line, "xMax=\""),
                               box_number(line, "yMax=\""), ""};
        snprintf(box.text, sizeof box.text, "%.40s", strchr(line, '>') + 1);
        if (box.x0 < 50 || box.y0 < 0 || box.x1 > width - 50 || box.y1 > height)
            fail_msg("'%s' leaves its place: %.1f %.1f to %.1f %.1f", box.text, box.x0, box.y0, box.x1, box.y1);
        if (!is_level(&box))
            continue;
        for (size_t i = 0; i < count; i++)
            assert_apart(&boxes[i], &box);
        assert_true(count < MOST);
        boxes[count++] = box;
    }
    rl_buf_release(&text);
}

#endif
