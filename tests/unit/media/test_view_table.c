/* A list of a result on a page: columns, units and digits as the result declares them, dashes with their reasons, bars, rules, and
 * what stands below the table. */
#include "rl_test.h"

#include <math.h>

#include "core/mem.h"
#include "grid_private.h"
#include "layout_private.h"
#include "media/layout_tools.h"
#include "media/pdf_tools.h"
#include "view_table.h"

/* ---- a result ---- */

struct ship {
    const char *name, *home;
    struct rl_value speed;  /* m/s; here a number without a unit */
    struct rl_value voyage; /* s */
    double drift;           /* s */
    uint64_t masts;
};

static struct ship ships[] = {
    {"Fram", "Oslo", {.v = 3.27}, {.v = 7200}, 0.5, 3},
    {"Gjøa", "Oslo", {.v = 2.5}, {.v = 3600}, -0.25, 1},
    {"Maud", "Tromsø", {.v = 0}, {.v = 1800}, 0, 3},
    {"Belgica", "Antwerp", {.v = 0}, {.v = 0}, 0.25, 3},
};

static bool is_first(const struct view *view, const void *row)
{
    (void)view;
    return row == &ships[0];
}

/* clang-format off */
static const struct view_field ship_fields[] = {
    {.id = "name", .head = "ship", VIEW_AT(struct ship, name), .identifies = true, .look = VIEW_LOOK_CODE, .help = "its name"},
    {.id = "home", VIEW_AT(struct ship, home), .columns = 20, .look = VIEW_LOOK_QUIET, .help = "where it is from"},
    {.id = "speed", VIEW_AT(struct ship, speed), .digits = 2, .help = "mean speed"},
    {.id = "voyage_s", .head = "voyage", VIEW_AT(struct ship, voyage), .unit = RL_UNIT_SECOND, .magnitude = 1, .explained = true,
     .help = "from port to port"},
    {.id = "drift_s", .head = "late", VIEW_AT(struct ship, drift), .unit = RL_UNIT_SECOND, .is_change = true, .bar = true,
     .magnitude = 1, .help = "against the plan"},
    {.id = "masts", VIEW_AT(struct ship, masts), .help = "number of masts"},
};
/* clang-format on */
static const struct view_record ship_record = {
    .id = "ship", .title = "", .help = "a ship", VIEW_FIELDS(ship_fields), .strong = is_first};

struct fleet {
    const struct ship *ships;
    size_t count;
    const char *sea;
};
static const struct view_field fleet_fields[] = {
    {.id = "ships", VIEW_AT_ROWS(struct fleet, ships, count, &ship_record), .help = "all ships"},
    {.id = "sea", VIEW_AT(struct fleet, sea), .help = "where they went"},
};

static int by_home(const struct view *view, const void *row)
{
    (void)view;
    return ((const struct ship *)row)->home[0];
}

static const struct view_block fleet_blocks[] = {
    {.kind = VIEW_BLOCK_TABLE,
     .field = "ships",
     .title = "Ships in the {sea}",
     .most = 3,
     .group = by_home,
     .rest = "{left more ship|more ships} of {all}"},
};
static const struct view_record fleet_record = {
    .id = "fleet", .title = "", .help = "ships", VIEW_FIELDS(fleet_fields), VIEW_BLOCKS(fleet_blocks)};
static const struct fleet fleet = {ships, RL_COUNT(ships), "Arctic"};

/* ---- cells ---- */

struct table {
    struct rl_arena arena;
    struct view view;
    struct rl_grid grid;
};

static void open_table(struct table *table, struct rl_layout *layout, const struct rl_view_table *how)
{
    *table = (struct table){.arena = RL_ARENA_INIT};
    table->view = (struct view){.record = &fleet_record, .row = &fleet, .arena = &table->arena};
    struct rl_view_table all = *how;
    all.list = "ships";
    all.most = RL_COUNT(ships);
    rl_grid_begin(&table->grid, layout);
    assert_true(rl_view_fill(&table->grid, &table->view, &all));
}

static void close_table(struct table *table)
{
    rl_grid_release(&table->grid);
    rl_arena_release(&table->arena);
}

enum column { NAME, HOME, SPEED, VOYAGE, DRIFT, MASTS };

static void columns_are_those_of_the_result(void **state)
{
    struct fixture *f = *state;
    struct table table;
    open_table(&table, f->layout, &(struct rl_view_table){0});
    static const struct rl_grid_column expected[] = {
        [NAME] = {.head = "ship", .unit = "", .align = RL_GRID_LEFT, .whole = true},
        [HOME] = {.head = "home", .unit = "", .align = RL_GRID_LEFT},
        [SPEED] = {.head = "speed", .unit = "", .align = RL_GRID_DECIMAL},
        [VOYAGE] = {.head = "voyage", .unit = "s", .align = RL_GRID_DECIMAL},
        [DRIFT] = {.head = "late", .unit = "s", .align = RL_GRID_DECIMAL},
        [MASTS] = {.head = "masts", .unit = "", .align = RL_GRID_RIGHT},
    };
    assert_int_equal(table.grid.column_count, RL_COUNT(expected));
    for (size_t i = 0; i < RL_COUNT(expected); i++) {
        assert_string_equal(table.grid.columns[i].head, expected[i].head);
        assert_string_equal(table.grid.columns[i].unit, expected[i].unit);
        assert_int_equal(table.grid.columns[i].align, expected[i].align);
        assert_int_equal(table.grid.columns[i].whole, expected[i].whole);
        assert_int_equal(table.grid.columns[i].share_width > 0, i == DRIFT);
    }
    close_table(&table);
}

static void cells_say_what_every_medium_says(void **state)
{
    struct fixture *f = *state;
    struct table table;
    static const char *const expected[][6] = {
        {"Fram", "Oslo", "3.3", "7200", "+0.5000", "3"},
        {"Gjøa", "Oslo", "2.5", "3600",
         "\xE2\x88\x92"
         "0.2500",
         "1"},
        {"Maud", "Tromsø", "\xE2\x80\x93", "1800", "0", "3"},
        {"Belgica", "Antwerp", "\xE2\x80\x93", "\xE2\x80\x93", "+0.2500", "3"},
    };
    open_table(&table, f->layout, &(struct rl_view_table){0});
    for (size_t row = 0; row < RL_COUNT(ships); row++)
        for (size_t column = 0; column < RL_COUNT(expected[0]); column++)
            assert_string_equal(rl_grid_cell_at(&table.grid, row, column)->text, expected[row][column]);
    close_table(&table);
}

static void looks_bars_and_rules(void **state)
{
    struct fixture *f = *state;
    struct table table;
    open_table(&table, f->layout, &(struct rl_view_table){0});
    assert_int_equal(rl_grid_cell_at(&table.grid, 0, NAME)->style, RL_STYLE_CELL_NAME);
    assert_int_equal(rl_grid_cell_at(&table.grid, 0, HOME)->style, RL_STYLE_CELL_QUIET);
    assert_int_equal(rl_grid_cell_at(&table.grid, 0, VOYAGE)->style, RL_STYLE_CELL_STRONG);
    assert_int_equal(rl_grid_cell_at(&table.grid, 1, VOYAGE)->style, RL_STYLE_CELL);
    assert_int_equal(rl_grid_cell_at(&table.grid, 3, VOYAGE)->style, RL_STYLE_CELL_QUIET);
    static const double bars[] = {1, 0.5, 0, 0.5};
    static const bool rules[] = {false, false, true, true};
    for (size_t row = 0; row < RL_COUNT(ships); row++) {
        assert_close(rl_grid_cell_at(&table.grid, row, DRIFT)->share, bars[row], 1e-12);
        assert_true(isnan(rl_grid_cell_at(&table.grid, row, VOYAGE)->share));
        assert_int_equal(table.grid.group[row], rules[row]);
    }
    close_table(&table);
}

static void one_reason_has_one_sign(void **state)
{
    struct fixture *f = *state;
    struct table table;
    open_table(&table, f->layout, &(struct rl_view_table){0});
    const char *speed = rl_grid_cell_at(&table.grid, 2, SPEED)->sign;
    assert_string_not_equal(speed, "");
    assert_string_equal(rl_grid_cell_at(&table.grid, 3, SPEED)->sign, speed);
    assert_string_not_equal(rl_grid_cell_at(&table.grid, 3, VOYAGE)->sign, speed);
    assert_string_equal(rl_grid_cell_at(&table.grid, 0, SPEED)->sign, "");
    close_table(&table);
}

/* ---- what a document adds ---- */

static void mark_homes(void *to, const struct view_field *field, const void *row, struct rl_grid_cell *cell)
{
    if (strcmp(field->id, "home") == 0 && ((const struct ship *)row)->masts == 1)
        cell->target = *(size_t *)to;
}

static void a_document_dresses_cells(void **state)
{
    struct fixture *f = *state;
    struct table table;
    size_t target = rl_layout_target(f->layout);
    open_table(&table, f->layout, &(struct rl_view_table){.dress = mark_homes, .to = &target});
    assert_int_equal(rl_grid_cell_at(&table.grid, 1, HOME)->target, target);
    assert_int_equal(rl_grid_cell_at(&table.grid, 0, HOME)->target, RL_NO_TARGET);
    assert_int_equal(rl_grid_cell_at(&table.grid, 1, NAME)->target, RL_NO_TARGET);
    close_table(&table);
}

/* ---- fields below each other ---- */

static void fields_below_each_other_have_their_own_units(void **state)
{
    struct fixture *f = *state;
    struct table table;
    static const char *const expected[][3] = {{"home", "Oslo", "Antwerp"}, {"voyage", "7200\xC2\xA0s", "\xE2\x80\x93"}};
    static const size_t first_and_last[] = {0, 3};
    table = (struct table){.arena = RL_ARENA_INIT};
    table.view = (struct view){.record = &ship_record, .arena = &table.arena};
    rl_grid_begin(&table.grid, f->layout);
    assert_true(rl_view_fill(&table.grid, &table.view,
                             &(struct rl_view_table){.record = &ship_record,
                                                     .rows = {ships, sizeof ships[0], 2, first_and_last},
                                                     .columns = "home,voyage_s",
                                                     .across = true}));
    assert_string_equal(table.grid.columns[1].head, "Fram");
    assert_string_equal(table.grid.columns[2].head, "Belgica");
    for (size_t row = 0; row < RL_COUNT(expected); row++)
        for (size_t column = 0; column < RL_COUNT(expected[0]); column++)
            assert_string_equal(rl_grid_cell_at(&table.grid, row, column)->text, expected[row][column]);
    close_table(&table);
}

/* ---- the page ---- */

/* The text of a document with the table. */
static bool page_text(struct fixture *f, const struct rl_view_table *how, struct rl_buf *text)
{
    struct rl_arena arena = RL_ARENA_INIT;
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf pdf = RL_BUF_INIT;
    const struct view view = {.record = &fleet_record, .row = &fleet, .arena = &arena};
    assert_true(rl_view_table(f->layout, &view, how));
    rl_layout_finish(f->layout, &(struct rl_running){"head", "card", "foot"}, rl_layout_target(f->layout));
    assert_int_equal(rl_pdf_finish(f->pdf, &pdf, &err), RL_OK);
    const bool had = pdf_text(&pdf, text);
    rl_buf_release(&pdf);
    rl_arena_release(&arena);
    return had;
}

static void the_page_says_all_of_it(void **state)
{
    struct rl_buf text = RL_BUF_INIT;
    static const char *const expected[] = {"Ships in the Arctic", "Maud", "nobody timed it",
                                           "Voyage: from port to port. 1 more ship of 4."};
    if (page_text(*state, &(struct rl_view_table){.list = "ships"}, &text)) {
        for (size_t i = 0; i < RL_COUNT(expected); i++)
            if (!strstr(text.data, expected[i]))
                fail_msg("'%s' is missing:\n%s", expected[i], text.data);
        assert_null(strstr(text.data, "Belgica"));
        assert_null(strstr(text.data, "it never came back"));
    }
    rl_buf_release(&text);
}

static void a_page_chooses_title_columns_and_rows(void **state)
{
    struct rl_buf text = RL_BUF_INIT;
    const struct rl_view_table how = {.list = "ships", .title = "All of them", .columns = "name,masts", .most = 4};
    if (page_text(*state, &how, &text)) {
        assert_non_null(strstr(text.data, "All of them"));
        assert_non_null(strstr(text.data, "Belgica"));
        assert_null(strstr(text.data, "Voyage"));
        assert_null(strstr(text.data, "more ship"));
    }
    rl_buf_release(&text);
}

static void an_empty_list_is_no_table(void **state)
{
    struct fixture *f = *state;
    struct rl_arena arena = RL_ARENA_INIT;
    const struct fleet none = {ships, 0, "Arctic"};
    const struct view view = {.record = &fleet_record, .row = &none, .arena = &arena};
    const double y = f->layout->y;
    assert_false(rl_view_table(f->layout, &view, &(struct rl_view_table){.list = "ships"}));
    assert_close(f->layout->y, y, 1e-9);
    rl_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(columns_are_those_of_the_result, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cells_say_what_every_medium_says, set_up, tear_down),
        cmocka_unit_test_setup_teardown(looks_bars_and_rules, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_reason_has_one_sign, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_document_dresses_cells, set_up, tear_down),
        cmocka_unit_test_setup_teardown(fields_below_each_other_have_their_own_units, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_page_says_all_of_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_page_chooses_title_columns_and_rows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_empty_list_is_no_table, set_up, tear_down),
    };
    ships[2].speed = ships[3].speed = rl_value_missing(RL_NOT_COLLECTED, "nobody timed it");
    ships[3].voyage = rl_value_missing(RL_NOT_COLLECTED, "it never came back");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
