/* Views of a made-up result: cells, paths, sentences, listings and what users choose of them. */
#include "rl_test.h"

#include <stdbool.h>

#include "results/listing.h"
#include "results/sentence.h"

/* ---- a zoo: the result ---- */

struct keeper {
    const char *name;
    double age_s;
};
struct animal {
    const char *name;
    struct rl_value speed;
    uint64_t legs;
    int balance;
    bool wild;
    double share;
    struct keeper keeper;
};
struct zoo {
    struct animal *animals;
    size_t count;
    struct rl_value area;
};

static const struct view_field keeper_fields[] = {
    {.id = "name", VIEW_AT(struct keeper, name), .help = "name of the keeper"},
    {.id = "age_s", VIEW_AT(struct keeper, age_s), .unit = RL_UNIT_SECOND, .digits = 3, .help = "age of the keeper"},
};
static const struct view_record keeper_record = {.id = "keeper", .title = "", .help = "a keeper", VIEW_FIELDS(keeper_fields)};

static struct view_cell half_cell(const struct view *view, const struct view_field *field, const void *row)
{
    (void)view;
    const struct rl_value speed = ((const struct animal *)row)->speed;
    return view_cell_number(rl_value_mul(speed, rl_value_of(field->key * 0.5)));
}

static const struct view_field animal_fields[] = {
    {.id = "name", .head = "animal", VIEW_AT(struct animal, name), .columns = 9, .help = "what it is called"},
    {.id = "speed",
     .head = "speed",
     VIEW_AT(struct animal, speed),
     .unit = RL_UNIT_BYTE_PER_SECOND,
     .digits = 3,
     .help = "how fast it reads"},
    {.id = "half",
     .head = "half",
     .type = VIEW_TYPE_NUMBER,
     .unit = RL_UNIT_BYTE_PER_SECOND,
     .get = half_cell,
     .key = 1,
     .shown = VIEW_ON_REQUEST,
     .help = "half of it"},
    {.id = "legs",
     .head = "legs",
     VIEW_AT(struct animal, legs),
     .shown = VIEW_SHOWN_WHEN_ANY,
     .explained = true,
     .help = "those on the ground"},
    {.id = "balance", .head = "balance", VIEW_AT(struct animal, balance), .help = "what it owes"},
    {.id = "wild", .head = "wild", VIEW_AT(struct animal, wild), .shown = VIEW_SHOWN_WHEN_ANY, .help = "whether it bites"},
    {.id = "share",
     .head = "share",
     VIEW_AT(struct animal, share),
     .unit = RL_UNIT_FRACTION,
     .digits = 3,
     .is_change = true,
     .help = "of the food"},
    {.id = "keeper", VIEW_AT_MEMBER(struct animal, keeper, &keeper_record), .help = "who feeds it"},
};
static const struct view_record animal_record = {.id = "animal", .title = "", .help = "an animal", VIEW_FIELDS(animal_fields)};

static const struct view_field zoo_fields[] = {
    {.id = "count", VIEW_AT(struct zoo, count), .help = "number of animals"},
    {.id = "area", VIEW_AT(struct zoo, area), .help = "area"},
    {.id = "animals", VIEW_AT_ROWS(struct zoo, animals, count, &animal_record), .help = "all of them"},
};
static const struct view_record zoo_record = {.id = "zoo", .title = "Zoo", .help = "a zoo", VIEW_FIELDS(zoo_fields)};

static struct animal animals[] = {
    {"hippopotamus", {4e9}, 4, -1, true, 0.25, {"Ann", 2}},
    {"ant", {0}, 6, 0, false, -0.5, {"Bob", 0.004}},
    {"bee", {2e9}, 6, 3, false, 0, {"Ann", 2}},
    {"cat", {8e9}, 4, 3, false, 0.00005, {NULL, 1}},
};
static struct zoo zoo = {.animals = animals, .count = RL_COUNT(animals)};
static struct rl_arena arena;
static const struct view view = {&zoo_record, &zoo, NULL, &arena};
static const struct view_rows all = {animals, sizeof animals[0], RL_COUNT(animals), NULL};

/* A table with columns for the rows of a list: two animals in each pen, those of the second pen without a speed or fewer. */
struct pen {
    const char *name;
    struct animal *animals;
    size_t count;
    double width_s, height_s;
};
static const struct view_field pen_fields[] = {
    {.id = "name", .head = "pen", VIEW_AT(struct pen, name), .help = "its name"},
    {.id = "animals", VIEW_AT_ROWS(struct pen, animals, count, &animal_record), .help = "who lives there"},
    {.id = "width_s", .head = "wide", VIEW_AT(struct pen, width_s), .unit = RL_UNIT_SECOND, .scale = "size", .help = "its width"},
    {.id = "height_s",
     .head = "high",
     VIEW_AT(struct pen, height_s),
     .unit = RL_UNIT_SECOND,
     .scale = "size",
     .help = "its height"},
};
static const struct view_record pen_record = {.id = "pen", .title = "", .help = "a pen", VIEW_FIELDS(pen_fields)};
static struct pen pens[] = {{"north", animals, 2, 0.5, 2}, {"south", animals + 2, 1, 0.25, 30}};

static int release(void **state)
{
    (void)state;
    rl_arena_release(&arena);
    return 0;
}

/* ---- cells and paths ---- */

static void members_and_functions(void **state)
{
    (void)state;
    const struct view_field *field = view_record_field(&animal_record, "half");
    assert_true(view_value(&view, field, &animals[0]).number == 2e9);
    assert_string_equal(view_value(&view, field, &animals[1]).reason, "too small");
    assert_int_equal(view_value(&view, view_record_field(&animal_record, "legs"), &animals[1]).whole, 6);
    assert_int_equal(view_value(&view, view_record_field(&animal_record, "balance"), &animals[0]).integer, -1);
    assert_true(view_value(&view, view_record_field(&animal_record, "wild"), &animals[0]).boolean);
    assert_null(view_record_field(&animal_record, "leg"));
    const struct view_cell list = view_value(&view, view_record_field(&zoo_record, "animals"), &zoo);
    assert_int_equal(list.rows.count, 4);
    assert_ptr_equal(view_rows_at(&list.rows, 2), &animals[2]);
}

static void paths(void **state)
{
    (void)state;
    struct view_path path;
    assert_true(view_path_parse(&animal_record, "keeper.name", strlen("keeper.name"), &path));
    assert_string_equal(view_path_cell(&view, &path, &animals[0]).text, "Ann");
    assert_int_equal(view_path_cell(&view, &path, &animals[3]).state, RL_UNDEFINED);
    const char *const wrong[] = {"", ".", "keeper.", "keeper.nam", "name.name", ".name", "keeper..name", "names"};
    for (size_t i = 0; i < RL_COUNT(wrong); i++)
        assert_false(view_path_parse(&animal_record, wrong[i], strlen(wrong[i]), &path));
}

static void add_path(void *to, const struct view_path *path)
{
    rl_buf_addch(to, ' ');
    view_path_format(path, to);
}

static void every_path(void **state)
{
    (void)state;
    struct rl_buf text = RL_BUF_INIT;
    view_record_paths(&animal_record, add_path, &text);
    assert_string_equal(text.data, " name speed half legs balance wild share keeper.name keeper.age_s");
    rl_buf_release(&text);
}

/* ---- sentences ---- */

static void sentences(void **state)
{
    (void)state;
    const struct {
        const char *text, *said;
        size_t animal;
    } rows[] = {
        {"{name} reads {speed}", "hipp…amus reads 4.00\u00a0GB/s", 0},
        {"{name} reads {speed} ({speed:reason})", "ant reads – (too small)", 1},
        {"{legs leg|legs}", "4 legs", 0},
        {"fed[ by {keeper.name}][ and owes {balance}]", "fed by Ann and owes -1", 0},
        {"fed[ by {keeper.name}][ and owes {balance}]", "fed by Bob", 1},
        {"fed[ by {keeper.name}][ and owes {balance}]", "fed and owes 3", 3},
        {"{{x}} [[y]]", "{x} [y]", 0},
        {"{share} {wild}", "\u221250.0\u00a0% no", 1},
        {"{share}", "+25.0\u00a0%", 0},
    };
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_buf text = RL_BUF_INIT;
        assert_true(view_sentence_check(&animal_record, rows[i].text, &text));
        view_sentence_format(&view, &animal_record, &animals[rows[i].animal], rows[i].text, &text);
        assert_string_equal(text.data, rows[i].said);
        rl_buf_release(&text);
    }
}

static void wrong_templates(void **state)
{
    (void)state;
    const char *const wrong[] = {"{nam}",        "{name",      "name}",    "[",    "]",           "[[[",         "{speed one|many}",
                                 "{}",           "{legs leg}", "{keeper}", "[[a]", "[{name}[b]]", "{name:text}", "{ name}",
                                 "{keeper.legs}"};
    for (size_t i = 0; i < RL_COUNT(wrong); i++) {
        struct rl_buf why = RL_BUF_INIT;
        if (view_sentence_check(&animal_record, wrong[i], &why))
            fail_msg("'%s' was taken", wrong[i]);
        assert_true(why.len > 0);
        rl_buf_release(&why);
    }
}

/* ---- listings ---- */

static void add_line(void *to, const char *text)
{
    rl_buf_addf(to, "%s\n", text);
}

/* Heads and cells with bars between them, a line a row, then the notes. */
static void print_listing(struct view_listing *listing, struct rl_buf *out)
{
    for (size_t i = 0; i < listing->column_count; i++) {
        rl_buf_adds(out, i ? "|" : "");
        view_listing_head(listing, i, out);
    }
    rl_buf_adds(out, "\n");
    for (size_t row = 0; row < listing->rows.count; row++) {
        for (size_t i = 0; i < listing->column_count; i++) {
            rl_buf_adds(out, i ? "|" : "");
            view_listing_cell(listing, row, i, out);
        }
        rl_buf_adds(out, "\n");
    }
    view_listing_notes(listing, add_line, out);
    view_listing_release(listing);
}

static void print(struct view_rows rows, const struct view_choice *choice, struct rl_buf *out)
{
    struct view_listing listing;
    view_listing_make(&listing, &view, &animal_record, rows, choice, NULL);
    print_listing(&listing, out);
}

static void whole_table(void **state)
{
    (void)state;
    struct rl_buf out = RL_BUF_INIT;
    print(all, NULL, &out);
    assert_string_equal(out.data, "animal|speed GB/s|legs|balance|wild|share %\n"
                                  "hipp…amus|4.00|4|-1|yes|+25.0\n"
                                  "ant|–|6|0||\u221250.0\n"
                                  "bee|2.00|6|3||0\n"
                                  "cat|8.00|4|3||+0.00500\n"
                                  "legs: those on the ground\n"
                                  "speed: too small (ant)\n");
    rl_buf_release(&out);
}

/* A column that may be left out is, when no row has anything in it. */
static void empty_columns(void **state)
{
    (void)state;
    struct rl_buf out = RL_BUF_INIT;
    const size_t at[] = {2};
    struct view_rows rows = all;
    rows.at = at;
    rows.count = 1;
    print(rows, NULL, &out);
    assert_string_equal(out.data, "animal|speed GB/s|legs|balance|share %\nbee|2.00|6|3|0\nlegs: those on the ground\n");
    rl_buf_release(&out);
}

/* A list of each row as columns: heads say whose they are, all have one unit, what a row has fewer of is empty, and reasons name
 * the column. Columns that are held against one another have one unit, too. */
static void columns_across(void **state)
{
    (void)state;
    struct view_listing listing;
    struct rl_buf out = RL_BUF_INIT;
    const struct view_rows rows = {pens, sizeof pens[0], RL_COUNT(pens), NULL};
    view_listing_make(&listing, &view, &pen_record, rows, NULL, "name,animals.speed,animals.legs,width_s,height_s");
    print_listing(&listing, &out);
    assert_string_equal(out.data, "pen|hipp…amus speed GB/s|ant speed GB/s|hipp…amus legs|ant legs|wide s|high s\n"
                                  "north|4.00|–|4|6|0.5000|2.000\n"
                                  "south|2.00||6||0.2500|30.00\n"
                                  "legs: those on the ground\n"
                                  "ant speed: too small (north)\n");
    rl_buf_release(&out);
}

static void no_rows_across(void **state)
{
    (void)state;
    struct view_listing listing;
    const struct view_rows none = {.count = 0};
    view_listing_make(&listing, &view, &pen_record, none, NULL, "name,animals.speed");
    assert_int_equal(listing.column_count, 1);
    view_listing_release(&listing);
}

static void paths_across(void **state)
{
    (void)state;
    struct view_path path;
    assert_false(view_path_parse(&pen_record, "animals.speed", strlen("animals.speed"), &path));
    assert_true(view_path_parse_across(&pen_record, "animals.speed", strlen("animals.speed"), &path));
    assert_true(view_path_element(&view, &path, &pens[0], 0).number == 4e9);
    assert_string_equal(view_path_element(&view, &path, &pens[0], 1).reason, "too small");
    assert_int_equal(view_path_element(&view, &path, &pens[1], 1).state, RL_UNDEFINED);
    assert_false(view_path_parse_across(&pen_record, "animals.name.speed", strlen("animals.name.speed"), &path));
}

static struct view_choice *choose(const char *columns, const char *sort, const char *where)
{
    struct view_choice *choice;
    struct rl_err err = RL_ERR_INIT;
    const struct view_choice_texts texts = {columns, sort, where};
    if (view_choice_new(&animal_record, &texts, &choice, &err) != RL_OK)
        fail_msg("%s", err.text);
    return choice;
}

static void chosen_rows(void **state)
{
    (void)state;
    const struct {
        const char *sort, *where, *names;
    } rows[] = {
        {"speed", NULL, "cat hipp…amus bee ant "},
        {"-speed", NULL, "bee hipp…amus cat ant "}, /* what is absent comes last in both */
        {"legs", NULL, "ant bee hipp…amus cat "},   /* what is equal keeps its order */
        {"name", NULL, "ant bee cat hipp…amus "},
        {"-keeper.age_s", "keeper.age_s>=1", "cat hipp…amus bee "},
        {NULL, "speed>2e9", "hipp…amus cat "},
        {NULL, "speed>=2e9,legs=6", "bee "},
        {NULL, "speed<=2e9", "bee "},
        {NULL, "speed!=2e9", "hipp…amus cat "},
        {NULL, "legs<6", "hipp…amus cat "},
        {NULL, "name=*t", "ant cat "},
        {NULL, "name!=*t", "hipp…amus bee "},
        {NULL, "wild=yes", "hipp…amus "},
        {NULL, "keeper.name=Ann", "hipp…amus bee "},
        {NULL, "balance=-1", "hipp…amus "},
    };
    const struct view_field *name = view_record_field(&animal_record, "name");
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_buf names = RL_BUF_INIT;
        struct view_choice *choice = choose(NULL, rows[i].sort, rows[i].where);
        const struct view_rows chosen = view_choice_rows(choice, &view, all);
        for (size_t j = 0; j < chosen.count; j++) {
            const struct view_cell cell = view_value(&view, name, view_rows_at(&chosen, j));
            view_cell_format(&names, name, &cell);
            rl_buf_addch(&names, ' ');
        }
        assert_string_equal(names.len ? names.data : "", rows[i].names);
        rl_buf_release(&names);
        view_choice_free(choice);
    }
}

static void chosen_columns(void **state)
{
    (void)state;
    struct rl_buf out = RL_BUF_INIT;
    struct view_choice *choice = choose("half,keeper.age_s,name", NULL, "legs=6");
    assert_true(view_choice_has_columns(choice));
    print(view_choice_rows(choice, &view, all), choice, &out);
    assert_string_equal(out.data, "half GB/s|keeper age_s ms|animal\n–|4.00|ant\n1.000|2000|bee\nhalf: too small (ant)\n");
    rl_buf_release(&out);
    view_choice_free(choice);
}

static void wrong_choices(void **state)
{
    (void)state;
    const struct {
        struct view_choice_texts texts;
        const char *said;
    } rows[] = {
        {{"nam", NULL, NULL}, "nearest is 'name'"},     {{"name,,legs", NULL, NULL}, "no column ''"},
        {{"keeper", NULL, NULL}, "no column 'keeper'"}, {{NULL, "-sped", NULL}, "nearest is 'speed'"},
        {{NULL, NULL, "legs"}, "not a condition"},      {{NULL, NULL, "legs=six"}, "not a number"},
        {{NULL, NULL, "speed>2 GB/s"}, "in B/s"},       {{NULL, NULL, "name<b"}, "is text"},
        {{NULL, NULL, "legs=4,"}, "not a condition"},   {{NULL, NULL, "zebras>2"}, "no column 'zebras'"},
    };
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct view_choice *choice;
        struct rl_err err = RL_ERR_INIT;
        assert_int_equal(view_choice_new(&animal_record, &rows[i].texts, &choice, &err), RL_USAGE);
        if (!strstr(err.text, rows[i].said))
            fail_msg("'%s' does not say '%s'", err.text, rows[i].said);
        view_choice_free(choice);
    }
}

/* ---- fields for people, units of rows, columns of a table ---- */

static bool is_never(const struct view *of, const struct view_field *field)
{
    (void)of;
    (void)field;
    return false;
}

static struct view_cell weight_cell(const struct view *of, const struct view_field *field, const void *row)
{
    struct view_cell cell = view_cell_number(rl_value_of(2e9));
    (void)of;
    (void)field;
    cell.unit = row == &animals[0] ? RL_UNIT_BYTE : RL_UNIT_HERTZ;
    return cell;
}

static const struct view_field later_fields[] = {
    {.id = "age_s", .head = "age", VIEW_AT(struct animal, legs), .help = "age"},
    {.id = "weight",
     .head = "weight",
     .type = VIEW_TYPE_NUMBER,
     .get = weight_cell,
     .unit_of_row = true,
     .digits = 3,
     .help = "weight"},
    {.id = "hidden", VIEW_AT(struct animal, legs), .listed = is_never, .help = "not asked for"},
    {.id = "said", VIEW_AT(struct animal, name), .for_people = true, .help = "for people"},
    {.id = "keeper", .head = "", VIEW_AT_MEMBER(struct animal, keeper, &keeper_record), .help = "who feeds it"},
};
static const struct view_record later_record = {
    .id = "later", .title = "", .help = "an animal of today", VIEW_FIELDS(later_fields)};

static void paths_of_data(void **state)
{
    (void)state;
    assert_non_null(view_record_field(&later_record, "said")); /* sentences have it */
    struct rl_buf text = RL_BUF_INIT;
    view_record_paths(&later_record, add_path, &text);
    assert_string_equal(text.data, " age_s weight hidden keeper.name keeper.age_s");
    rl_buf_release(&text);
}

static void named_columns(void **state)
{
    (void)state;
    struct view_listing listing;
    struct rl_buf text = RL_BUF_INIT;
    const struct view_rows rows = {animals, sizeof animals[0], 2, NULL};
    view_listing_make(&listing, &view, &later_record, rows, NULL, "weight,hidden,keeper.name,said");
    assert_int_equal(listing.column_count, 3); /* less what is not there at all */
    for (size_t i = 0; i < 3; i++) {
        view_listing_head(&listing, i, &text);
        rl_buf_addch(&text, '|');
    }
    view_listing_cell(&listing, 0, 0, &text);
    rl_buf_addch(&text, '|');
    view_listing_cell(&listing, 1, 0, &text);
    assert_string_equal(text.data, "weight|name|said|2.00\u00a0GB|2.00\u00a0GHz");
    rl_buf_release(&text);
    view_listing_release(&listing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_and_functions),
        cmocka_unit_test(paths),
        cmocka_unit_test(every_path),
        cmocka_unit_test(sentences),
        cmocka_unit_test(wrong_templates),
        cmocka_unit_test(whole_table),
        cmocka_unit_test(empty_columns),
        cmocka_unit_test(columns_across),
        cmocka_unit_test(no_rows_across),
        cmocka_unit_test(paths_across),
        cmocka_unit_test(chosen_rows),
        cmocka_unit_test(chosen_columns),
        cmocka_unit_test(wrong_choices),
        cmocka_unit_test(paths_of_data),
        cmocka_unit_test(named_columns),
    };
    animals[1].speed = rl_value_missing(RL_NOT_COLLECTED, "too small");
    zoo.area = rl_value_missing(RL_UNDEFINED, "nobody has measured it");
    return cmocka_run_group_tests(tests, NULL, release);
}
