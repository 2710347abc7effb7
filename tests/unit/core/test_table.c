/* Tables in every format, exact to the byte. */
#include "rl_test.h"

#include "core/mem.h"
#include "core/table.h"
#include "core/utf8.h"

#define RULE_10 "──────────"

static void add_text(struct rl_table *table, const char *text)
{
    rl_table_cell_bytes(table, text, strlen(text));
}

__attribute__((format(printf, 2, 3))) static void add_cell(struct rl_table *table, const char *format, ...)
{
    RL_SCRATCH cell = RL_BUF_INIT;
    va_list args;
    va_start(args, format);
    rl_buf_vaddf(&cell, format, args);
    va_end(args);
    rl_table_cell_bytes(table, cell.data, cell.len);
}

static void assert_prints(const struct rl_table *table, enum rl_table_format format, size_t width, const char *expected)
{
    struct rl_buf out = RL_BUF_INIT;
    rl_buf_adds(&out, ">"); /* it appends */
    rl_table_print(table, &out, format, width);
    assert_string_equal(out.data + 1, expected);
    rl_buf_release(&out);
}

static void make_plain(struct rl_table *table)
{
    rl_table_init(table);
    rl_table_column(table, "kernel", RL_LEFT);
    rl_table_column(table, "time (ms)", RL_RIGHT);
    rl_table_column(table, "note", RL_LEFT);
    rl_table_row(table);
    add_text(table, "stride_1");
    add_cell(table, "%.3f", 9.144);
    add_text(table, "ok");
    rl_table_row(table);
    add_text(table, "stride_32");
    add_text(table, "–");
    rl_table_rule(table);
    rl_table_row(table);
    add_text(table, "日本語 e\xCC\x81");
    add_cell(table, "%.3f", 120.5);
    add_text(table, "wide");
}

static void terminal(void **state)
{
    (void)state;
    struct rl_table table;
    make_plain(&table);
    static const char expected[] = "kernel     time (ms)  note\n" RULE_10 RULE_10 "──────\n"
                                   "stride_1       9.144  ok\n"
                                   "stride_32          –\n" RULE_10 RULE_10 "──────\n"
                                   "日本語 e\xCC\x81     120.500  wide\n";
    assert_prints(&table, RL_TABLE_TERMINAL, 0, expected);
    assert_prints(&table, RL_TABLE_TERMINAL, 26, expected);
    rl_table_release(&table);
}

static void bold_head_only(void **state)
{
    (void)state;
    struct rl_table table;
    rl_table_init(&table);
    rl_table_column(&table, "a", RL_LEFT);
    rl_table_row(&table);
    add_text(&table, "b");
    assert_prints(&table, RL_TABLE_TERMINAL_BOLD, 0, "\033[1ma\033[0m\n─\nb\n");
    assert_prints(&table, RL_TABLE_TERMINAL, 0, "a\n─\nb\n");
    rl_table_release(&table);
}

static void markdown(void **state)
{
    (void)state;
    struct rl_table table;
    make_plain(&table);
    assert_prints(&table, RL_TABLE_MARKDOWN, 10, /* the width is for terminals */
                  "| kernel    | time (ms) | note |\n"
                  "| :-------- | --------: | :--- |\n"
                  "| stride_1  |     9.144 | ok   |\n"
                  "| stride_32 |         – |      |\n"
                  "| 日本語 e\xCC\x81  |   120.500 | wide |\n");
    rl_table_release(&table);
}

/* Columns are as wide as what is written, signs that take markup its meaning included. */
static void markdown_is_aligned_as_written(void **state)
{
    (void)state;
    struct rl_table table;
    rl_table_init(&table);
    rl_table_column(&table, "k", RL_LEFT);
    rl_table_column(&table, "n", RL_RIGHT);
    rl_table_row(&table);
    add_text(&table, "a|b|c|d");
    add_text(&table, "1");
    rl_table_row(&table);
    add_text(&table, "abcdefgh");
    add_text(&table, "2");
    assert_prints(&table, RL_TABLE_MARKDOWN, 0,
                  "| k          |   n |\n"
                  "| :--------- | --: |\n"
                  "| a\\|b\\|c\\|d |   1 |\n"
                  "| abcdefgh   |   2 |\n");
    rl_table_release(&table);
}

static void csv(void **state)
{
    (void)state;
    struct rl_table table;
    make_plain(&table);
    assert_prints(&table, RL_TABLE_CSV, 10,
                  "kernel,time (ms),note\r\n"
                  "stride_1,9.144,ok\r\n"
                  "stride_32,–,\r\n"
                  "日本語 e\xCC\x81,120.500,wide\r\n");
    rl_table_release(&table);
}

static void empty_tables(void **state)
{
    (void)state;
    struct rl_table table;
    rl_table_init(&table);
    for (int format = RL_TABLE_TERMINAL; format <= RL_TABLE_CSV; format++)
        assert_prints(&table, (enum rl_table_format)format, 80, "");
    rl_table_column(&table, "kernel", RL_LEFT);
    assert_prints(&table, RL_TABLE_TERMINAL, 80, "kernel\n──────\n");
    assert_prints(&table, RL_TABLE_MARKDOWN, 80, "| kernel |\n| :----- |\n");
    assert_prints(&table, RL_TABLE_CSV, 80, "kernel\r\n");
    rl_table_row(&table); /* a row without cells */
    assert_prints(&table, RL_TABLE_TERMINAL, 80, "kernel\n──────\n\n");
    assert_prints(&table, RL_TABLE_CSV, 80, "kernel\r\n\r\n");
    rl_table_rule(&table); /* a rule that no row follows is not drawn */
    assert_prints(&table, RL_TABLE_TERMINAL, 80, "kernel\n──────\n\n");
    rl_table_release(&table);
    rl_table_release(&table);
}

static void rules_do_not_stick(void **state)
{
    (void)state;
    struct rl_table table;
    rl_table_init(&table);
    rl_table_column(&table, "n", RL_RIGHT);
    rl_table_rule(&table); /* under the head there is one already */
    for (int i = 0; i < 30; i++) {
        if (i == 7 || i == 8 || i == 20)
            rl_table_rule(&table);
        rl_table_row(&table);
        add_cell(&table, "%d", i);
    }
    struct rl_buf out = RL_BUF_INIT;
    rl_table_print(&table, &out, RL_TABLE_TERMINAL, 0);
    assert_non_null(strstr(out.data, " n\n──\n 0\n 1\n"));
    assert_non_null(strstr(out.data, " 6\n──\n 7\n──\n 8\n 9\n10\n"));
    assert_non_null(strstr(out.data, "19\n──\n20\n21\n"));
    rl_buf_release(&out);
    rl_table_release(&table);
}

/* 41 + 2 + 12 + 2 + 22 = 79 columns */
static void make_wide(struct rl_table *table)
{
    rl_table_init(table);
    rl_table_column(table, "kernel", RL_LEFT);
    rl_table_column(table, "bytes", RL_RIGHT);
    rl_table_column(table, "experiment/variant", RL_LEFT);
    rl_table_row(table);
    add_text(table, "transpose_tiled_padded(float const*, int)");
    add_text(table, "123456789012");
    add_text(table, "transpose/tiled_padded");
}

static void left_columns_are_shortened_to_fit(void **state)
{
    (void)state;
    struct rl_table table;
    make_wide(&table);
    assert_prints(&table, RL_TABLE_TERMINAL, 60,
                  "kernel                         bytes  experiment/variant\n" RULE_10 RULE_10 RULE_10 RULE_10 RULE_10 RULE_10 "\n"
                  "transpose_t…nst*, int)  123456789012  transpose/tiled_padded\n");
    rl_table_release(&table);
}

/* Heads are broken before a name is shortened, and a name to 20 columns before the columns come nearer. */
static void code_is_broken_into_lines(void **state)
{
    (void)state;
    struct rl_table table;
    rl_table_init(&table);
    rl_table_column(&table, "line", RL_LEFT);
    rl_table_column(&table, "text", RL_LEFT);
    rl_table_wrap(&table);
    rl_table_row(&table);
    add_text(&table, "a.cu:1");
    add_text(&table, "  out[i] = a * in[threadIdx.x+123456789];");
    rl_table_row(&table);
    add_text(&table, "a.cu:2");
    add_text(&table, "}");
    assert_prints(&table, RL_TABLE_TERMINAL, 28,
                  "line    text\n" RULE_10 RULE_10 "────────\n"
                  "a.cu:1    out[i] = a *\n"
                  "        in[threadIdx.x+12345\n"
                  "        6789];\n"
                  "a.cu:2  }\n");
    assert_prints(&table, RL_TABLE_TERMINAL, 0,
                  "line    text\n" RULE_10 RULE_10 RULE_10 RULE_10 "─────────\n"
                  "a.cu:1    out[i] = a * in[threadIdx.x+123456789];\n"
                  "a.cu:2  }\n");
    rl_table_release(&table);
}

static void heads_are_broken_first(void **state)
{
    struct rl_table table;
    (void)state;
    rl_table_init(&table);
    rl_table_column(&table, "variant", RL_LEFT);
    rl_table_column(&table, "useful GB/s", RL_RIGHT);
    rl_table_column(&table, "share %", RL_RIGHT);
    rl_table_row(&table);
    add_text(&table, "a_name_of_more_than_twenty");
    add_text(&table, "3.5");
    add_text(&table, "100");
    assert_prints(&table, RL_TABLE_TERMINAL, 48,
                  "variant                     useful GB/s  share %\n" RULE_10 RULE_10 RULE_10 RULE_10 "────────\n"
                  "a_name_of_more_than_twenty          3.5      100\n");
    assert_prints(&table, RL_TABLE_TERMINAL_BOLD, 44,
                  "\033[1mvariant                     useful  share\n"
                  "                              GB/s      %\033[0m\n" RULE_10 RULE_10 RULE_10 RULE_10 "─\n"
                  "a_name_of_more_than_twenty     3.5    100\n");
    assert_prints(&table, RL_TABLE_TERMINAL, 35,
                  "variant               useful  share\n                        GB/s      %\n" RULE_10 RULE_10 RULE_10 "─────\n"
                  "a_name_of_…an_twenty     3.5    100\n");
    assert_prints(&table, RL_TABLE_TERMINAL, 34,
                  "variant               useful share\n                        GB/s     %\n" RULE_10 RULE_10 RULE_10 "────\n"
                  "a_name_of_…han_twenty    3.5   100\n");
    rl_table_release(&table);
}

/* In turn each with the first column, which gives way to a number, but never below 3. */
static void columns_without_room_stand_below(void **state)
{
    (void)state;
    struct rl_table table;
    make_wide(&table);
    assert_prints(&table, RL_TABLE_TERMINAL, 30,
                  "kernel          bytes expe…ant\n" RULE_10 RULE_10 RULE_10 "\n"
                  "tran…nt) 123456789012 tran…ded\n");
    assert_prints(&table, RL_TABLE_TERMINAL, 29,
                  "kernel                  bytes\n" RULE_10 RULE_10 "─────────\n"
                  "transpos…*, int) 123456789012\n\n"
                  "kernel               expe…ant\n" RULE_10 RULE_10 "─────────\n"
                  "transpose_…st*, int) tran…ded\n");
    for (size_t width = 1; width <= 12; width++)
        assert_prints(&table, RL_TABLE_TERMINAL, width,
                      "k…l        bytes\n" RULE_10 "──────\n"
                      "t…) 123456789012\n\n"
                      "k…l expe…ant\n" RULE_10 "──\n"
                      "t…) tran…ded\n");
    rl_table_release(&table);
}

/* Only the middle tells the first two apart: 8 columns would not. */
static void rows_that_differ_look_different(void **state)
{
    (void)state;
    struct rl_table table;
    rl_table_init(&table);
    rl_table_column(&table, "kernel", RL_LEFT);
    rl_table_column(&table, "n", RL_RIGHT);
    for (int i = 0; i < 3; i++) {
        rl_table_row(&table);
        add_cell(&table, "vectorized_%c_kernel_of_many", "abb"[i]); /* the last two are the same: nothing tells them apart */
        add_text(&table, "123456");
    }
    assert_prints(&table, RL_TABLE_TERMINAL, 32,
                  "kernel                         n\n" RULE_10 RULE_10 RULE_10 "──\n"
                  "vectorized_a…nel_of_many  123456\n"
                  "vectorized_b…nel_of_many  123456\n"
                  "vectorized_b…nel_of_many  123456\n");
    assert_prints(&table, RL_TABLE_TERMINAL, 20,
                  "kernel             n\n" RULE_10 RULE_10 "\n"
                  "vector…f_many 123456\n"
                  "vector…f_many 123456\n"
                  "vector…f_many 123456\n");
    rl_table_release(&table);
}

/* The number stays whole at any width, words behind it go as far as they must. */
static void words_behind_numbers_give_way(void **state)
{
    (void)state;
    struct rl_table table;
    rl_table_init(&table);
    rl_table_column(&table, "kernel", RL_LEFT);
    rl_table_column(&table, "share", RL_RIGHT);
    rl_table_row(&table);
    add_text(&table, "reduction");
    add_text(&table, "65.6\u00A0% instruction issue");
    rl_table_row(&table);
    add_text(&table, "scan");
    add_text(&table, "7.3\u00A0% DRAM");
    assert_prints(&table, RL_TABLE_TERMINAL, 20,
                  "kernel         share\n" RULE_10 RULE_10 "\n"
                  "reduction 65.6\u00A0% i…e\n"
                  "scan      7.3\u00A0% DRAM\n");
    assert_prints(&table, RL_TABLE_TERMINAL, 13,
                  "k…l     share\n" RULE_10 "───\n"
                  "r…n 65.6\u00A0% …e\n"
                  "s…n 7.3\u00A0% D…M\n");
    rl_table_release(&table);
}

static void every_width_is_kept(void **state)
{
    (void)state;
    struct rl_table table;
    make_wide(&table);
    for (size_t width = 16; width <= 90; width++) {
        struct rl_buf out = RL_BUF_INIT;
        rl_table_print(&table, &out, RL_TABLE_TERMINAL, width);
        for (char *line = out.data, *end; *line; line = end + 1) {
            end = strchr(line, '\n');
            assert_non_null(end);
            assert_true(rl_utf8_width(line, (size_t)(end - line)) <= width);
        }
        rl_buf_release(&out);
    }
    rl_table_release(&table);
}

static void narrow_columns_are_not_touched(void **state)
{
    (void)state;
    struct rl_table table;
    rl_table_init(&table);
    rl_table_column(&table, "id", RL_LEFT);
    rl_table_column(&table, "number", RL_RIGHT);
    rl_table_row(&table);
    add_text(&table, "abcdef");
    add_text(&table, "12345678901234567890");
    assert_prints(&table, RL_TABLE_TERMINAL, 27,
                  "id                   number\n" RULE_10 RULE_10 "───────\n"
                  "abcdef 12345678901234567890\n");
    rl_table_release(&table);
}

static void make_hostile(struct rl_table *table)
{
    rl_table_init(table);
    rl_table_column(table, "na|me\n\"x\"", RL_LEFT);
    rl_table_row(table);
    add_text(table, "\033[2Jred\007, \"q\"");
    rl_table_row(table);
    rl_table_cell_bytes(table, "a\0b\xFF", 4);
    rl_table_row(table);
    add_text(table, "x\r\ny\nz");
    rl_table_row(table);
    add_text(table, "=1+2");
}

#define R "\xEF\xBF\xBD"

static void hostile_cells_on_a_terminal(void **state)
{
    (void)state;
    struct rl_table table;
    make_hostile(&table);
    assert_prints(&table, RL_TABLE_TERMINAL, 0,
                  "na|me \"x\"\n" RULE_10 "───\n" R "[2Jred" R ", \"q\"\n"
                  "a" R "b" R "\n"
                  "x y z\n"
                  "=1+2\n");
    rl_table_release(&table);
}

static void hostile_cells_in_csv(void **state)
{
    (void)state;
    struct rl_table table;
    make_hostile(&table);
    assert_prints(&table, RL_TABLE_CSV, 0,
                  "\"na|me\n\"\"x\"\"\"\r\n"
                  "\"" R "[2Jred" R ", \"\"q\"\"\"\r\n"
                  "a" R "b" R "\r\n"
                  "\"x\r\ny\nz\"\r\n"
                  "'=1+2\r\n");
    rl_table_release(&table);
}

/* Spreadsheets run formulas when a file is opened. Numbers are not touched. */
static void formulas_in_csv_are_text(void **state)
{
    (void)state;
    static const struct {
        const char *cell, *csv;
    } rows[] = {
        {"=1+1", "'=1+1"},
        {"@SUM(A1:A9)", "'@SUM(A1:A9)"},
        {"+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"},
        {"-2+3", "'-2+3"},
        {" =1", "\"' =1\""},
        {"\t=1", "\"'\t=1\""},
        {"\r=1", "\"'\r=1\""},
        {"\uFF1D1+1", "'\uFF1D1+1"},
        {"::error::", "\uFFFD:error::"},
        {"a\n##vso[b]\u200B", "\"a\n\uFFFD#vso[b]\uFFFD\""},
        {"a;=1+1", "\"a;=1+1\""},
        {"-1.5e-3", "-1.5e-3"},
        {"+3", "+3"},
        {"-0", "-0"},
        {"-", "'-"},
        {"a=1", "a=1"},
        {"  =1", "\"'  =1\""},
        {" -1", "\"' -1\""},
        {" x", "\" x\""},
        {"x ", "\"x \""},
        {"x\ty", "\"x\ty\""},
        {"x y", "x y"},
        {"", ""},
        {"\u2013", "\u2013"},
    };
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_table table;
        struct rl_buf line = RL_BUF_INIT;
        rl_table_init(&table);
        rl_table_column(&table, "x", RL_LEFT);
        rl_table_row(&table);
        add_text(&table, rows[i].cell);
        rl_buf_addf(&line, "x\r\n%s\r\n", rows[i].csv);
        assert_prints(&table, RL_TABLE_CSV, 0, line.data);
        rl_buf_release(&line);
        rl_table_release(&table);
    }
}

static void assert_markdown(const char *cell, const char *expected)
{
    struct rl_table table;
    struct rl_buf line = RL_BUF_INIT;
    rl_table_init(&table);
    rl_table_column(&table, "-", RL_LEFT);
    rl_table_row(&table);
    add_text(&table, cell);
    struct rl_buf out = RL_BUF_INIT;
    rl_table_print(&table, &out, RL_TABLE_MARKDOWN, 0);
    rl_buf_addf(&line, "\n| %s |\n", expected);
    const char *last = strchr(strchr(out.data, '\n') + 1, '\n');
    assert_string_equal(last, line.data);
    rl_buf_release(&line);
    rl_buf_release(&out);
    rl_table_release(&table);
}

static void hostile_cells_in_markdown(void **state)
{
    (void)state;
    assert_markdown("a|b|", "a\\|b\\|");
    assert_markdown("https://a.example and HTTP://b", "https:&#8288;//a.example and HTTP:&#8288;//b");
    assert_markdown("www.example.com, ftp://c", "www&#8288;.example.com, ftp:&#8288;//c");
    assert_markdown("@team a@b.example @ 3", "@&#8288;team a@&#8288;b.example @ 3");
    assert_markdown("mailto:a, xmpp:b", "mailto:&#8288;a, xmpp:&#8288;b");
    assert_markdown("x #12 GH-3 #a", "x #&#8288;12 GH-&#8288;3 #a");
    assert_markdown("# a", "\\# a");
    assert_markdown("- a", "\\- a");
    assert_markdown("12. a", "12\\. a");
    assert_markdown("12.5 a", "12.5 a");
    assert_markdown("-3.2 %", "-3.2 %");
    assert_markdown("---", "\\---");
    assert_markdown("+ a", "\\+ a");
    assert_markdown("+", "\\+ ");
    assert_markdown("+a - b", "+a - b");
    assert_markdown("1) a", "1\\) a");
    assert_markdown("1.", "1\\.");
    assert_markdown("1.a a. b", "1.a a. b");
    assert_markdown("a_ _", "a\\_ \\_");
    assert_markdown("a__", "a\\_\\_");
    assert_markdown("wwwx gh-x :a", "wwwx gh-x :a");
    assert_markdown("![x](y)", "!\\[x\\](y)");
    assert_markdown("x\r\ny\nz", "x<br>y<br>z");
    assert_markdown("<script>&amp;", "\\<script\\>\\&amp;");
    assert_markdown("k<float>(float*, int[])", "k\\<float\\>(float\\*, int\\[\\])");
    assert_markdown("`id` $(id) ~~x~~ \\|", "\\`id\\` \\$(id) \\~\\~x\\~\\~ \\\\\\|");
    assert_markdown("stride_kernel_2 a__b", "stride_kernel_2 a__b");
    assert_markdown("__bold__ _x y_", "\\_\\_bold\\_\\_ \\_x y\\_");
    assert_markdown("\033[1m\xFF", R "\\[1m" R);
}

static void names_of_3000_characters(void **state)
{
    (void)state;
    char name[3001];
    memset(name, 'k', 3000);
    name[3000] = '\0';
    struct rl_table table;
    rl_table_init(&table);
    rl_table_column(&table, "kernel", RL_LEFT);
    rl_table_row(&table);
    add_text(&table, name);
    assert_prints(&table, RL_TABLE_TERMINAL, 10, "kernel\n" RULE_10 "\nkkkkk…kkkk\n");
    rl_table_release(&table);
}

/* The line under a head of Markdown has at least three characters a column. */
static void narrow_columns_in_markdown(void **state)
{
    (void)state;
    struct rl_table table;
    rl_table_init(&table);
    rl_table_column(&table, "a", RL_LEFT);
    rl_table_column(&table, "b", RL_RIGHT);
    rl_table_row(&table);
    add_text(&table, "1");
    add_text(&table, "22");
    assert_prints(&table, RL_TABLE_MARKDOWN, 0, "| a   |   b |\n| :-- | --: |\n| 1   |  22 |\n");
    rl_table_release(&table);
}

/* A head of two lines is as wide as its wider half, in columns: four signs of two bytes each are four. */
static void the_lower_half_of_a_head_counts(void **state)
{
    static const struct {
        const char *head, *printed;
    } rows[] = {{"a µµµµ", "a\nµµµµ\n────\n1234\n"}, {"µµµµ b", "µµµµ\n   b\n────\n1234\n"}};
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_table table;
        rl_table_init(&table);
        rl_table_column(&table, rows[i].head, i ? RL_RIGHT : RL_LEFT);
        rl_table_row(&table);
        add_text(&table, "1234");
        assert_prints(&table, RL_TABLE_TERMINAL, 5, rows[i].printed);
        rl_table_release(&table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terminal),
        cmocka_unit_test(bold_head_only),
        cmocka_unit_test(markdown),
        cmocka_unit_test(markdown_is_aligned_as_written),
        cmocka_unit_test(csv),
        cmocka_unit_test(empty_tables),
        cmocka_unit_test(rules_do_not_stick),
        cmocka_unit_test(left_columns_are_shortened_to_fit),
        cmocka_unit_test(code_is_broken_into_lines),
        cmocka_unit_test(heads_are_broken_first),
        cmocka_unit_test(columns_without_room_stand_below),
        cmocka_unit_test(rows_that_differ_look_different),
        cmocka_unit_test(words_behind_numbers_give_way),
        cmocka_unit_test(every_width_is_kept),
        cmocka_unit_test(narrow_columns_are_not_touched),
        cmocka_unit_test(hostile_cells_on_a_terminal),
        cmocka_unit_test(hostile_cells_in_csv),
        cmocka_unit_test(formulas_in_csv_are_text),
        cmocka_unit_test(hostile_cells_in_markdown),
        cmocka_unit_test(names_of_3000_characters),
        cmocka_unit_test(narrow_columns_in_markdown),
        cmocka_unit_test(the_lower_half_of_a_head_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
