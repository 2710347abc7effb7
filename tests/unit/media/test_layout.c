/* The layout: line breaking, pages, tables, notes, references. */
#include "rl_test.h"

#include "core/mem.h"
#include "grid.h"
#include "layout.h"
#include "layout_private.h"
#include "media/layout_tools.h"
#include "media/pdf_tools.h"

static struct rl_buf finish(struct fixture *f, size_t home)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf out = RL_BUF_INIT;
    rl_layout_finish(f->layout, &(struct rl_running){"head", "card", "foot"}, home);
    assert_int_equal(rl_pdf_finish(f->pdf, &out, &err), RL_OK);
    return out;
}

static double width_of(struct fixture *f, const char *text)
{
    return rl_layout_text_width(f->layout, RL_STYLE_BODY, text, strlen(text));
}

static double height_of(struct fixture *f, const char *text, double width, int max_lines)
{
    struct rl_para para = {0};
    rl_para_add(f->layout, &para, RL_STYLE_BODY, text);
    para.max_lines = max_lines;
    double height = rl_para_height(f->layout, &para, width);
    return height;
}

/* ---- the grid of columns ---- */

static void twelve_columns_fill_the_width_between_margins_of_18_mm(void **state)
{
    struct fixture *f = *state;
    struct rl_frame all = rl_layout_columns(f->layout, 0, 12), first = rl_layout_columns(f->layout, 0, 1),
                    last = rl_layout_columns(f->layout, 11, 1);
    assert_close(all.x, 18 / 25.4 * 72, 1e-4);
    assert_close(all.width, WIDTH - 2 * 18 / 25.4 * 72, 1e-4);
    assert_close(last.x + last.width, all.x + all.width, 1e-9);
    assert_close(12 * first.width + 11 * 12.0, all.width, 1e-9);
    struct rl_frame left = rl_layout_columns(f->layout, 0, 8), right = rl_layout_columns(f->layout, 8, 4);
    assert_close(left.x + left.width + 12, right.x, 1e-9);
}

/* ---- lines ---- */

static void names_in_backticks_are_set_as_code(void **state)
{
    static const struct {
        const char *text;
        size_t spans;
        const char *code; /* of the second span; NULL: none */
    } known[] = {
        {"plain", 1, NULL}, {"`a_b` took 2 of `c`'s", 5, "a_b"}, {"", 1, NULL}, {"no `end", 1, NULL},
        {"``", 3, ""},      {"a ` b ` c ` d", 3, " b "},
    };
    struct fixture *f = *state;
    for (size_t i = 0; i < RL_COUNT(known); i++) {
        struct rl_para para = {0};
        rl_para_coded(f->layout, &para, RL_STYLE_BODY, RL_STYLE_CODE, known[i].text);
        assert_int_equal(para.count, known[i].spans);
        assert_int_equal(para.spans[0].style, RL_STYLE_BODY);
        if (known[i].code) {
            assert_int_equal(para.spans[1].style, RL_STYLE_CODE);
            assert_string_equal(para.spans[1].text, known[i].code);
        }
    }
}

static void options_are_set_as_code(void **state)
{
    static const struct {
        const char *text;
        size_t spans, option; /* which of them is the option */
        const char *is;
    } known[] = {
        {"collect --budget all counts them", 3, 1, "--budget"},
        {"--full adds it", 2, 0, "--full"},
        {"locked (--lock-clocks).", 3, 1, "--lock-clocks"},
        {"compare --run -- OLD", 5, 3, "--"},
        {"a--b, -o, 3 --- 4, --", 1, 0, NULL},
    };
    struct fixture *f = *state;
    for (size_t i = 0; i < RL_COUNT(known); i++) {
        struct rl_para para = {0};
        rl_para_add(f->layout, &para, RL_STYLE_NOTE, known[i].text);
        if (known[i].is) {
            assert_true(known[i].option < para.count);
            assert_string_equal(para.spans[known[i].option].text, known[i].is);
        }
        for (size_t k = 0; k < para.count; k++)
            assert_int_equal(para.spans[k].style, strncmp(para.spans[k].text, "--", 2) == 0 ? RL_STYLE_NOTE_NAME : RL_STYLE_NOTE);
        assert_int_equal(para.count, known[i].spans);
    }
}

static void lines_are_filled_with_as_many_words_as_fit(void **state)
{
    struct fixture *f = *state;
    double both = width_of(f, "alpha beta");
    assert_close(height_of(f, "alpha beta", both + 0.1, 0), BODY, 1e-9);
    assert_close(height_of(f, "alpha beta", both - 0.1, 0), 2 * BODY, 1e-9);
    assert_close(height_of(f, "alpha   beta\ngamma", width_of(f, "alpha beta gamma") + 0.1, 0), BODY, 1e-9);
    assert_true(height_of(f, "", 100, 0) == 0);
    assert_true(height_of(f, "   ", 100, 0) == 0);
}

static void a_word_wider_than_the_line_is_broken(void **state)
{
    struct fixture *f = *state;
    char word[301];
    memset(word, 'm', 300);
    word[300] = 0;
    double line = width_of(f, "mmmmmmmmmm") + 0.1; /* ten to a line */
    assert_close(height_of(f, word, line, 0), 30 * BODY, 1e-9);
    assert_close(height_of(f, "ab", 0.5, 0), 2 * BODY, 1e-9); /* never less than a character a line */
}

static void names_are_broken_after_their_punctuation(void **state)
{
    struct fixture *f = *state;
    /* The line would hold "stride_kern": it is broken after the underscore, and "kernel" is whole on the second line. */
    double line = width_of(f, "stride_kern") + 0.1;
    assert_close(height_of(f, "stride_kernel", line, 0), 2 * BODY, 1e-9);
    struct rl_para para = {0};
    rl_para_add(f->layout, &para, RL_STYLE_BODY, "stride_kernel");
    rl_layout_set_frame(f->layout, (struct rl_frame){100, line});
    rl_layout_para(f->layout, &para);
    struct rl_buf text = RL_BUF_INIT, out = finish(f, RL_NO_TARGET);
    if (pdf_text(&out, &text)) {
        assert_non_null(strstr(text.data, "stride_\n"));
        assert_non_null(strstr(text.data, "kernel\n"));
    }
    rl_buf_release(&text);
    rl_buf_release(&out);
}

static void a_percent_sign_stays_with_its_number(void **state)
{
    struct fixture *f = *state;
    struct rl_para para = {0};
    rl_para_add(f->layout, &para, RL_STYLE_BODY, "about 95 % of it");
    rl_layout_set_frame(f->layout, (struct rl_frame){100, width_of(f, "about 95") + 1});
    rl_layout_para(f->layout, &para);
    struct rl_buf text = RL_BUF_INIT, out = finish(f, RL_NO_TARGET);
    if (pdf_text(&out, &text))
        assert_non_null(strstr(text.data, "95 % of"));
    rl_buf_release(&text);
    rl_buf_release(&out);
}

static void text_beyond_the_last_line_is_cut_with_an_ellipsis(void **state)
{
    struct fixture *f = *state;
    const char *text = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen";
    double line = width_of(f, "one two three four") + 0.1;
    assert_true(height_of(f, text, line, 0) > 3 * BODY);
    assert_close(height_of(f, text, line, 2), 2 * BODY, 1e-9);
    struct rl_para para = {0};
    rl_para_add(f->layout, &para, RL_STYLE_BODY, text);
    para.max_lines = 2;
    rl_layout_set_frame(f->layout, (struct rl_frame){100, line});
    rl_layout_para(f->layout, &para);
    struct rl_buf seen = RL_BUF_INIT, out = finish(f, RL_NO_TARGET);
    if (pdf_text(&out, &seen)) {
        assert_non_null(strstr(seen.data, "\xE2\x80\xA6"));
        assert_null(strstr(seen.data, "thirteen"));
    }
    rl_buf_release(&seen);
    rl_buf_release(&out);
}

static void a_label_is_shortened_in_the_middle(void **state)
{
    struct fixture *f = *state;
    struct rl_buf out = RL_BUF_INIT;
    double room = width_of(f, "stride_kernel");
    rl_layout_shorten(f->layout, RL_STYLE_BODY, "stride_kernel", room, false, &out);
    assert_string_equal(out.data, "stride_kernel");
    rl_buf_reset(&out);
    rl_layout_shorten(f->layout, RL_STYLE_BODY, "stride_kernel(float*, int, long)", room, false, &out);
    assert_memory_equal(out.data, "stride", 6);
    assert_non_null(strstr(out.data, "\xE2\x80\xA6"));
    assert_string_equal(out.data + out.len - 1, ")");
    assert_true(width_of(f, out.data) <= room + 0.01);
    rl_buf_reset(&out);
    rl_layout_shorten(f->layout, RL_STYLE_BODY, "stride\xE2\x80\xA6_kernel(float*, int, long)", room, false, &out);
    assert_ptr_equal(strchr(out.data, '\xA6'), strrchr(out.data, '\xA6')); /* one ellipsis */
    assert_string_equal(out.data + out.len - 1, ")");
    rl_buf_reset(&out);
    rl_layout_shorten(f->layout, RL_STYLE_BODY, "\xCE\xA9\xCE\xA9\xCE\xA9\xCE\xA9", width_of(f, "\xCE\xA9\xE2\x80\xA6") + 0.1, true,
                      &out);
    assert_string_equal(out.data, "\xCE\xA9\xE2\x80\xA6"); /* never inside a character */
    rl_buf_release(&out);
}

/* ---- pages ---- */

static void what_does_not_fit_goes_to_the_next_page(void **state)
{
    struct fixture *f = *state;
    double lines_a_page = floor((HEIGHT - 2 * 51.024) / BODY);
    for (int i = 0; i < (int)lines_a_page; i++)
        rl_layout_text(f->layout, RL_STYLE_BODY, "line");
    assert_int_equal(rl_pdf_page_count(f->pdf), 1);
    rl_layout_text(f->layout, RL_STYLE_BODY, "line");
    assert_int_equal(rl_pdf_page_count(f->pdf), 2);
    assert_close(f->layout->y, TOP - BODY, 1e-6);
}

static void a_fresh_page_is_not_left_empty(void **state)
{
    struct fixture *f = *state;
    rl_layout_need(f->layout, 5000); /* more than any page has */
    rl_layout_skip(f->layout, 40);
    assert_int_equal(rl_pdf_page_count(f->pdf), 1);
    assert_close(f->layout->y, TOP, 1e-9);
    rl_layout_text(f->layout, RL_STYLE_BODY, "x");
    rl_layout_need(f->layout, 5000);
    assert_int_equal(rl_pdf_page_count(f->pdf), 2);
}

static void a_heading_keeps_company(void **state)
{
    struct fixture *f = *state;
    rl_layout_text(f->layout, RL_STYLE_BODY, "x");
    rl_layout_set_y(f->layout, 51.024 + 40); /* room for the heading, not for what follows */
    rl_layout_subsection(f->layout, "Heading");
    assert_int_equal(rl_pdf_page_count(f->pdf), 2);
}

/* ---- notes ---- */

static void the_same_note_has_the_same_sign(void **state)
{
    struct fixture *f = *state;
    assert_string_equal(rl_layout_note(f->layout, "not collected"), "\xC2\xB9");
    assert_string_equal(rl_layout_note(f->layout, "not on this chip"), "\xC2\xB2");
    assert_string_equal(rl_layout_note(f->layout, "not collected"), "\xC2\xB9");
    for (int i = 0; i < 8; i++) {
        char text[16];
        snprintf(text, sizeof text, "reason %d", i);
        rl_layout_note(f->layout, text);
    }
    assert_string_equal(rl_layout_note(f->layout, "the eleventh"), "\xC2\xB9\xC2\xB9");
    rl_layout_notes(f->layout);
    assert_string_equal(rl_layout_note(f->layout, "after"), "\xC2\xB9");
}

/* ---- tables ---- */

static void fill(struct rl_grid *grid, size_t rows)
{
    rl_grid_add_column(grid, &(struct rl_grid_column){.head = "kernel"});
    rl_grid_add_column(grid, &(struct rl_grid_column){.head = "median time", .unit = "ms", .align = RL_GRID_DECIMAL});
    rl_grid_add_column(grid, &(struct rl_grid_column){.head = "explanation", .align = RL_GRID_WRAP});
    for (size_t i = 0; i < rows; i++) {
        char name[32], time[32];
        (i % 7 ? rl_grid_row : rl_grid_group)(grid);
        snprintf(name, sizeof name, "kernel_%zu", i);
        rl_grid_cell(grid, RL_STYLE_CELL_NAME, name);
        snprintf(time, sizeof time, "%.4g", (double)(i % 13) * 1.37 + 0.1);
        rl_grid_cell(grid, RL_STYLE_CELL, time);
        rl_grid_cell(
            grid, RL_STYLE_NOTE,
            i % 5 ? "short"
                  : "so long that it does not fit one line: it is broken at the width that is left for it, and the row grows");
    }
}

static void a_long_table_repeats_its_head_on_every_page(void **state)
{
    struct fixture *f = *state;
    struct rl_grid grid;
    rl_grid_begin(&grid, f->layout);
    grid.title = "All of them";
    fill(&grid, 400);
    rl_grid_lay(&grid);
    rl_grid_release(&grid);
    size_t pages = rl_pdf_page_count(f->pdf);
    assert_in_range(pages, 7, 12); /* 400 rows of 12 pt and more, about 58 a page */
    struct rl_buf text = RL_BUF_INIT, out = finish(f, RL_NO_TARGET);
    assert_pdf_sound(&out);
    assert_words_apart(&out);
    if (pdf_text(&out, &text)) {
        assert_int_equal(occurrences(text.data, "explanation"), pages);
        assert_int_equal(occurrences(text.data, "All of them"), 1);
        assert_non_null(strstr(text.data, "kernel_399"));
    }
    rl_buf_release(&text);
    rl_buf_release(&out);
}

/* Left edge of the first word that begins with `word`; negative when there is none. */
static double left_edge(const char *boxes, const char *word)
{
    for (const char *line = strstr(boxes, "<word "); line; line = strstr(line + 1, "<word ")) {
        const char *text = strchr(line, '>') + 1;
        if (strncmp(text, word, strlen(word)) == 0)
            return box_number(line, "xMin=\"");
    }
    return -1;
}

static void figures_stand_on_their_decimal_points(void **state)
{
    struct fixture *f = *state;
    struct rl_grid grid;
    const char *const figures[] = {"1.5", "22.25", "333.125"};
    rl_grid_begin(&grid, f->layout);
    rl_grid_add_column(&grid, &(struct rl_grid_column){.head = "kernel"});
    rl_grid_add_column(&grid, &(struct rl_grid_column){.head = "figure", .align = RL_GRID_DECIMAL});
    for (size_t i = 0; i < RL_COUNT(figures); i++) {
        rl_grid_row(&grid);
        rl_grid_cell(&grid, RL_STYLE_CELL, "k");
        rl_grid_cell(&grid, RL_STYLE_CELL, figures[i]);
    }
    rl_grid_lay(&grid);
    rl_grid_release(&grid);
    struct rl_buf boxes = RL_BUF_INIT, out = finish(f, RL_NO_TARGET);
    if (pdf_tool(&out, &boxes, "pdftotext", "-bbox", "@", "-") == 0)
        for (size_t i = 1; i < RL_COUNT(figures); i++) {
            double a = left_edge(boxes.data, figures[0]) + rl_layout_text_width(f->layout, RL_STYLE_CELL, figures[0], 1);
            double b = left_edge(boxes.data, figures[i]) +
                       rl_layout_text_width(f->layout, RL_STYLE_CELL, figures[i], strcspn(figures[i], "."));
            assert_close(a, b, 1e-3);
        }
    rl_buf_release(&boxes);
    rl_buf_release(&out);
}

static void a_table_never_leaves_its_frame(void **state)
{
    struct fixture *f = *state;
    struct rl_grid grid;
    char name[3001];
    memset(name, 'n', 3000);
    name[3000] = 0;
    rl_grid_begin(&grid, f->layout);
    rl_grid_add_column(&grid, &(struct rl_grid_column){.head = "a head of several words that is long", .unit = "GB/s"});
    rl_grid_add_column(&grid, &(struct rl_grid_column){.head = "text", .align = RL_GRID_WRAP});
    for (int i = 0; i < 6; i++)
        rl_grid_add_column(&grid, &(struct rl_grid_column){.head = "figure in the head", .unit = "ms", .align = RL_GRID_DECIMAL});
    rl_grid_row(&grid);
    rl_grid_cell(&grid, RL_STYLE_CELL_NAME, name);
    rl_grid_cell(&grid, RL_STYLE_NOTE, name);
    for (int i = 0; i < 6; i++)
        rl_grid_cell(&grid, RL_STYLE_CELL, "1234.5678");
    rl_grid_lay(&grid);
    rl_grid_release(&grid);
    struct rl_buf out = finish(f, RL_NO_TARGET);
    assert_int_equal(pdf_pages(&out), 1);
    assert_words_apart(&out);
    rl_buf_release(&out);
}

/* On a page of its own: one column, to which the test adds rows. */
static struct rl_grid new_column(struct fixture *f)
{
    struct rl_grid grid;
    rl_layout_page(f->layout);
    rl_grid_begin(&grid, f->layout);
    rl_grid_add_column(&grid, &(struct rl_grid_column){.head = "figure", .unit = "ms", .align = RL_GRID_DECIMAL});
    return grid;
}

/* Whatever the length of the table: its last rows and their notes are on one page. */
static void notes_stand_below_their_table(void **state)
{
    struct fixture *f = *state;
    const char *const reasons[] = {"not counted", "no times", "a run has no kernel of its own"};
    size_t broken = 0;
    for (size_t rows = 1; rows < 130; rows++) {
        struct rl_grid grid = new_column(f);
        for (size_t i = 0; i < rows; i++) {
            rl_grid_row(&grid);
            rl_grid_cell(&grid, RL_STYLE_CELL_QUIET, "\xE2\x80\x93")->sign =
                rl_layout_note(f->layout, reasons[i % RL_COUNT(reasons)]);
        }
        size_t first = f->layout->page;
        rl_grid_lay(&grid);
        rl_grid_release(&grid);
        size_t last = f->layout->page;
        rl_layout_notes(f->layout);
        assert_int_equal(f->layout->page, last);
        broken += last != first;
    }
    assert_in_range(broken, 40, 90); /* about 65 rows fit a page */
    struct rl_buf out = finish(f, RL_NO_TARGET);
    rl_buf_release(&out);
}

/* Heading, head, rows and foot of a small table are on one page, wherever it begins: it takes the same room as at the top of
 * one, and above the heading what parts it from what is before. */
static void a_small_table_is_never_parted_from_its_words(void **state)
{
    struct fixture *f = *state;
    double whole = 0;
    for (double room = 20; room < 400; room += 7) {
        struct rl_grid grid = new_column(f);
        grid.title = "Heading";
        grid.foot = "How it was found.";
        rl_grid_row(&grid);
        rl_grid_cell(&grid, RL_STYLE_CELL, "1.5");
        rl_layout_page(f->layout);
        if (room > 20) { /* else at the top */
            rl_layout_text(f->layout, RL_STYLE_BODY, "x");
            rl_layout_set_y(f->layout, f->layout->bottom + room);
        }
        const double before = f->layout->y;
        const size_t page = f->layout->page;
        rl_grid_lay(&grid);
        rl_grid_release(&grid);
        const double top = f->layout->page == page ? before : f->layout->top, taken = top - f->layout->y;
        whole = room > 20 ? whole : taken;
        assert_close(taken, whole + (f->layout->page == page && room > 20 ? RL_HEADING_BEFORE : 0), 1e-9);
        assert_true(f->layout->y >= f->layout->bottom - 0.01);
    }
    assert_true(whole > 60);
    struct rl_buf out = finish(f, RL_NO_TARGET);
    rl_buf_release(&out);
}

/* Wherever a table of a few rows begins: none of its rows stands on a page with fewer than two others. */
static void a_table_is_not_parted_near_its_ends(void **state)
{
    struct fixture *f = *state;
    size_t parted = 0;
    for (size_t rows = 2; rows < 9; rows++)
        for (double room = 20; room < 200; room += 3) {
            struct rl_grid grid = new_column(f);
            for (size_t i = 0; i < rows; i++) {
                rl_grid_row(&grid);
                rl_grid_cell(&grid, RL_STYLE_CELL, "1.5");
            }
            rl_layout_page(f->layout);
            rl_layout_text(f->layout, RL_STYLE_BODY, "x");
            rl_layout_set_y(f->layout, f->layout->bottom + room);
            const double before = f->layout->y, row = rl_styles[RL_STYLE_CELL].leading;
            const size_t page = f->layout->page;
            rl_grid_lay(&grid);
            rl_grid_release(&grid);
            const double head = 2 * rl_styles[RL_STYLE_HEAD].leading + 8, taken = f->layout->top - f->layout->y;
            if (f->layout->page == page || taken >= head + (double)rows * row)
                continue; /* all of it on one page */
            parted++;
            assert_true(taken > head + 2.5 * row);
            assert_true((double)rows * row + head - taken < before - f->layout->bottom);
            assert_true(rows - (size_t)((taken - head) / row + 0.5) >= 3);
        }
    assert_in_range(parted, 20, 200);
    struct rl_buf out = finish(f, RL_NO_TARGET);
    rl_buf_release(&out);
}

/* Wherever a page ends: a row that names those below it is not the last one on it. */
static void a_heading_in_a_table_keeps_company(void **state)
{
    struct fixture *f = *state;
    struct rl_buf text = RL_BUF_INIT;
    for (size_t table = 0; table < 12; table++) {
        struct rl_grid grid;
        rl_grid_begin(&grid, f->layout);
        rl_grid_add_column(&grid, &(struct rl_grid_column){.head = "item"});
        rl_grid_add_column(&grid, &(struct rl_grid_column){.head = "is"});
        for (size_t i = 0; i < 62 + table % 10; i++) {
            rl_grid_row(&grid);
            if (i % 12 == 0) {
                rl_grid_cell(&grid, RL_STYLE_CELL_STRONG, "GROUP");
                continue;
            }
            rl_grid_cell(&grid, RL_STYLE_CELL, "row");
            rl_grid_cell(&grid, RL_STYLE_CELL, "good");
        }
        rl_layout_page(f->layout);
        rl_layout_set_y(f->layout, f->layout->bottom + 12.0 * (double)(14 + table));
        rl_grid_lay(&grid);
        rl_grid_release(&grid);
    }
    struct rl_buf out = finish(f, RL_NO_TARGET);
    if (pdf_text(&out, &text))
        for (const char *page = text.data, *end; (end = strchr(page, '\f')); page = end + 1) {
            const char *last = NULL, *row = NULL, *foot = strstr(page, "page ");
            for (const char *at = page; (at = strstr(at, "GROUP")) && at < end; at++)
                last = at;
            for (const char *at = page; (at = strstr(at, "row")) && at < end; at++)
                row = at;
            assert_true(!last || (row && row > last) || !foot);
        }
    rl_buf_release(&text);
    rl_buf_release(&out);
}

/* Rows that are a little lower take in what would begin a page for so little. */
static void a_tight_table_ends_on_no_page_of_few_rows(void **state)
{
    struct fixture *f = *state;
    size_t squeezed = 0;
    for (size_t rows = 1; rows < 250; rows++) {
        struct rl_grid grid = new_column(f);
        grid.tight = true;
        for (size_t i = 0; i < rows; i++) {
            rl_grid_row(&grid);
            rl_grid_cell(&grid, RL_STYLE_CELL, "1.5");
        }
        size_t first = f->layout->page;
        rl_grid_lay(&grid);
        squeezed += grid.squeeze > 0;
        assert_in_range((size_t)(grid.squeeze * 1000), 0, 850);
        if (f->layout->page > first)
            assert_true(f->layout->top - f->layout->y > 55); /* head and four rows */
        rl_grid_release(&grid);
    }
    assert_in_range(squeezed, 10, 60); /* not where it spares nothing */
    struct rl_buf out = finish(f, RL_NO_TARGET);
    rl_buf_release(&out);
}

/* ---- references ---- */

static void a_page_number_is_known_before_its_page(void **state)
{
    struct fixture *f = *state;
    struct rl_para para = {0};
    size_t home = rl_layout_target(f->layout), later = rl_layout_target(f->layout), never = rl_layout_target(f->layout);
    rl_layout_bind(f->layout, home);
    rl_layout_text(f->layout, RL_STYLE_BODY, "see the end");
    rl_layout_page_number(f->layout, 500, 600, RL_STYLE_BODY, "on page ", later);
    rl_layout_page_number(f->layout, 100, 500, RL_STYLE_BODY, "on no page ", never);
    rl_para_link(f->layout, &para, RL_STYLE_BODY, "to nowhere", never);
    rl_layout_para(f->layout, &para);
    rl_layout_page(f->layout);
    rl_layout_page(f->layout);
    rl_layout_bind(f->layout, later);
    rl_layout_text(f->layout, RL_STYLE_BODY, "here");
    struct rl_buf text = RL_BUF_INIT, out = finish(f, home);
    assert_pdf_sound(&out);
    if (pdf_text(&out, &text)) {
        assert_non_null(strstr(text.data, "on page 3"));
        assert_null(strstr(text.data, "on no page"));
        assert_non_null(strstr(text.data, "page 1 of 3"));
        assert_non_null(strstr(text.data, "page 3 of 3"));
    }
    assert_int_equal(occurrences(text.data, "head"), text.len ? 2 : 0); /* not on the first page */
    rl_buf_release(&text);
    rl_buf_release(&out);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(twelve_columns_fill_the_width_between_margins_of_18_mm),
        TEST(names_in_backticks_are_set_as_code),
        TEST(options_are_set_as_code),
        TEST(lines_are_filled_with_as_many_words_as_fit),
        TEST(a_word_wider_than_the_line_is_broken),
        TEST(names_are_broken_after_their_punctuation),
        TEST(a_percent_sign_stays_with_its_number),
        TEST(text_beyond_the_last_line_is_cut_with_an_ellipsis),
        TEST(a_label_is_shortened_in_the_middle),
        TEST(what_does_not_fit_goes_to_the_next_page),
        TEST(a_fresh_page_is_not_left_empty),
        TEST(a_heading_keeps_company),
        TEST(the_same_note_has_the_same_sign),
        TEST(a_long_table_repeats_its_head_on_every_page),
        TEST(figures_stand_on_their_decimal_points),
        TEST(a_table_never_leaves_its_frame),
        TEST(notes_stand_below_their_table),
        TEST(a_small_table_is_never_parted_from_its_words),
        TEST(a_table_is_not_parted_near_its_ends),
        TEST(a_heading_in_a_table_keeps_company),
        TEST(a_tight_table_ends_on_no_page_of_few_rows),
        TEST(a_page_number_is_known_before_its_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
