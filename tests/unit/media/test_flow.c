/* Boxes: what stands beside each other, what stays together, what goes to the next page. */
#include "rl_test.h"

#include "core/mem.h"
#include "flow.h"
#include "layout_private.h"
#include "media/layout_tools.h"

static void add_lines(struct rl_box *column, size_t count)
{
    for (size_t i = 0; i < count; i++)
        rl_box_text(column, RL_STYLE_BODY, "one line");
}

/* Leaves so many lines free on the page. */
static void leave(struct fixture *f, double lines)
{
    rl_layout_take(f->layout, rl_layout_room(f->layout) - lines * BODY);
}

static size_t pages(const struct fixture *f)
{
    return rl_pdf_page_count(f->pdf);
}

static void a_row_is_as_high_as_its_highest_cell(void **state)
{
    struct fixture *f = *state;
    struct rl_box *box = rl_flow_begin(f->layout), *row = rl_box_row(box);
    add_lines(rl_box_cell(row, 8), 5);
    add_lines(rl_box_cell(row, 4), 2);
    add_lines(box, 1);
    rl_flow_end(box);
    assert_close(f->layout->y, TOP - 6 * BODY, 1e-6);
    assert_close(rl_layout_frame(f->layout).width, rl_layout_width(f->layout, RL_ALL_COLUMNS), 1e-6);
}

static void text_breaks_at_the_width_of_its_cell(void **state)
{
    struct fixture *f = *state;
    static const char text[] = "a text that takes one line over the width of the page and several in the sixth part of it";
    struct rl_box *box = rl_flow_begin(f->layout), *row = rl_box_row(box);
    rl_box_text(rl_box_cell(row, 10), RL_STYLE_BODY, text);
    rl_box_text(rl_box_cell(row, 2), RL_STYLE_BODY, text);
    rl_flow_end(box);
    assert_true(TOP - f->layout->y > 3 * BODY);
}

static void a_row_is_never_divided(void **state)
{
    struct fixture *f = *state;
    leave(f, 4);
    struct rl_box *box = rl_flow_begin(f->layout), *row = rl_box_row(box);
    add_lines(rl_box_cell(row, 6), 5);
    add_lines(rl_box_cell(row, 6), 1);
    rl_flow_end(box);
    assert_int_equal(pages(f), 2);
    assert_close(f->layout->y, TOP - 5 * BODY, 1e-6);
}

static void what_is_laid_together_goes_to_the_next_page_together(void **state)
{
    struct fixture *f = *state;
    leave(f, 4);
    struct rl_box *box = rl_flow_begin(f->layout);
    add_lines(box, 5);
    rl_flow_together(box);
    assert_int_equal(pages(f), 2);
    assert_close(f->layout->y, TOP - 5 * BODY, 1e-6);
}

static void what_is_not_begins_on_this_page(void **state)
{
    struct fixture *f = *state;
    leave(f, 4);
    struct rl_box *box = rl_flow_begin(f->layout);
    add_lines(box, 5);
    rl_flow_end(box);
    assert_int_equal(pages(f), 2);
    assert_close(f->layout->y, TOP - BODY, 1e-6);
}

static void a_gap_at_the_end_may_fall_off_the_page(void **state)
{
    struct fixture *f = *state;
    leave(f, 4);
    struct rl_box *box = rl_flow_begin(f->layout);
    add_lines(box, 4);
    rl_box_gap(box, 10);
    rl_flow_together(box);
    assert_int_equal(pages(f), 1);
}

static void what_is_higher_than_a_page_is_laid_all_the_same(void **state)
{
    struct fixture *f = *state;
    struct rl_box *box = rl_flow_begin(f->layout), *row = rl_box_row(box);
    const size_t lines = (size_t)(ROOM / BODY) + 3;
    add_lines(rl_box_cell(row, 6), lines);
    add_lines(rl_box_cell(row, 6), 1);
    rl_flow_together(box);
    assert_int_equal(pages(f), 2);
    assert_close(f->layout->y, TOP - 4 * BODY, 1e-6);
}

static void no_line_of_a_paragraph_stands_alone(void **state)
{
    struct fixture *f = *state;
    static const struct {
        size_t lines;
        double room, on_next;
    } rows[] = {{4, 1, 4}, {4, 3, 2}, {5, 4, 2}, {3, 2, 3}, {2, 1, 2}, {6, 3, 3}};
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_para para = {0};
        const size_t before = pages(f);
        leave(f, rows[i].room);
        const struct rl_frame full = rl_layout_frame(f->layout);
        rl_layout_set_frame(f->layout, (struct rl_frame){full.x, 120});
        for (size_t k = 0; k < rows[i].lines; k++)
            rl_para_add(f->layout, &para, RL_STYLE_BODY, "oneveryverylongwordxx ");
        assert_close(rl_para_height(f->layout, &para, rl_layout_frame(f->layout).width), (double)rows[i].lines * BODY, 1e-6);
        rl_layout_para(f->layout, &para);
        rl_layout_set_frame(f->layout, full);
        assert_int_equal(pages(f), before + 1);
        assert_close(f->layout->y, TOP - rows[i].on_next * BODY, 1e-6);
        rl_layout_page(f->layout);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_row_is_as_high_as_its_highest_cell, set_up, tear_down),
        cmocka_unit_test_setup_teardown(text_breaks_at_the_width_of_its_cell, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_row_is_never_divided, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_laid_together_goes_to_the_next_page_together, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_not_begins_on_this_page, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_gap_at_the_end_may_fall_off_the_page, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_higher_than_a_page_is_laid_all_the_same, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_line_of_a_paragraph_stands_alone, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
