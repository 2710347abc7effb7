/* Decoding, cleaning, measuring and shortening text of unknown origin. */
#include "rl_test.h"

#include "core/mem.h"
#include "core/utf8.h"

static void every_character_reads_back(void **state)
{
    (void)state;
    struct rl_buf buf = RL_BUF_INIT;
    for (uint32_t c = 0; c <= 0x10FFFF; c++) {
        if (c >= 0xD800 && c <= 0xDFFF)
            continue;
        rl_buf_reset(&buf);
        rl_utf8_encode(&buf, c);
        uint32_t back;
        size_t used = rl_utf8_decode(buf.data, buf.len, &back);
        if (used != buf.len || back != c || used != (size_t)(c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4))
            fail_msg("U+%04X became U+%04X in %zu bytes", c, back, used);
    }
    rl_buf_release(&buf);
}

static void invalid_characters_encode_as_replacement(void **state)
{
    (void)state;
    static const uint32_t invalid[] = {0xD800, 0xDFFF, 0x110000, 0xFFFFFFFF};
    for (size_t i = 0; i < RL_COUNT(invalid); i++) {
        struct rl_buf buf = RL_BUF_INIT;
        rl_utf8_encode(&buf, invalid[i]);
        assert_string_equal(buf.data, "\xEF\xBF\xBD");
        rl_buf_release(&buf);
    }
}

/* One row for each way in which a sequence can be wrong; all of them use one byte. */
static void invalid_sequences(void **state)
{
    (void)state;
    static const struct {
        const char *bytes, *why;
    } rows[] = {
        {"\x80", "continuation alone"},         {"\xBF", "continuation alone"},          {"\xC0\x80", "overlong U+0000"},
        {"\xC1\xBF", "overlong U+007F"},        {"\xE0\x80\x80", "overlong, 3 bytes"},   {"\xE0\x9F\xBF", "overlong U+07FF"},
        {"\xF0\x80\x80\x80", "overlong"},       {"\xF0\x8F\xBF\xBF", "overlong U+FFFF"}, {"\xED\xA0\x80", "surrogate U+D800"},
        {"\xED\xBF\xBF", "surrogate U+DFFF"},   {"\xF4\x90\x80\x80", "above U+10FFFF"},  {"\xF5\x80\x80\x80", "above U+10FFFF"},
        {"\xF8\x88\x80\x80\x80", "five bytes"}, {"\xFE", "never a byte of UTF-8"},       {"\xFF", "never a byte of UTF-8"},
        {"\xC3", "truncated, 2 bytes"},         {"\xE2\x82", "truncated, 3 bytes"},      {"\xF0\x9F\x98", "truncated, 4 bytes"},
        {"\xC3(", "no continuation"},           {"\xE2\x82(", "no second continuation"}, {"\xF0\x9F\x98(", "no third continuation"},
        {"\xE2(\xA1", "no first continuation"},
    };
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        uint32_t c = 0;
        size_t used = rl_utf8_decode(rows[i].bytes, strlen(rows[i].bytes), &c);
        if (used != 1 || c != RL_UTF8_REPLACEMENT || rl_utf8_valid(rows[i].bytes, strlen(rows[i].bytes)))
            fail_msg("%s: U+%04X in %zu bytes", rows[i].why, c, used);
    }
}

static void edges_of_the_valid_ranges(void **state)
{
    (void)state;
    static const char *const valid[] = {"",
                                        "\x7F",
                                        "\xC2\x80",
                                        "\xDF\xBF",
                                        "\xE0\xA0\x80",
                                        "\xED\x9F\xBF",
                                        "\xEE\x80\x80",
                                        "\xEF\xBF\xBD",
                                        "\xEF\xBF\xBF",
                                        "\xF0\x90\x80\x80",
                                        "\xF4\x8F\xBF\xBF"};
    for (size_t i = 0; i < RL_COUNT(valid); i++)
        assert_true(rl_utf8_valid(valid[i], strlen(valid[i])));
    assert_true(rl_utf8_valid("a\0b", 3));
}

static void assert_printable(const char *text, size_t len, const char *expected)
{
    struct rl_buf buf = RL_BUF_INIT;
    rl_utf8_printable(&buf, text, len);
    assert_string_equal(buf.data, expected);
    assert_true(rl_utf8_valid(buf.data, buf.len));
    rl_buf_release(&buf);
}

#define R                         "\xEF\xBF\xBD"
#define PRINTABLE(text, expected) assert_printable(text, sizeof(text) - 1, expected)

static void printable_text_cannot_steer(void **state)
{
    (void)state;
    PRINTABLE("stride_kernel<float>(float*, int)", "stride_kernel<float>(float*, int)");
    PRINTABLE("a\tb\nc\rd\r\ne", "a b c d e");
    PRINTABLE("a\r", "a ");
    PRINTABLE("\r\r\n\n", "   ");
    assert_printable("a\r\n", 2, "a "); /* what is behind the end does not count */
    PRINTABLE("\033[2J\007\177", R "[2J" R R);
    PRINTABLE("nul\0nul", "nul" R "nul");
    PRINTABLE("\xC2\x9B"
              "31m",
              R "31m");                                                 /* CSI in one C1 character */
    PRINTABLE("\xE2\x80\xA8\xE2\x80\xA9", R R);                         /* line and paragraph separator */
    PRINTABLE("\xE2\x80\xAE\xE2\x81\xA6\xE2\x80\x8F\xD8\x9C", R R R R); /* RLO, LRI, RLM, ALM */
    PRINTABLE("\xC3\xA9t\xC3\xA9 \xE6\x97\xA5\xFF", "\xC3\xA9t\xC3\xA9 \xE6\x97\xA5" R);
}

static void widths(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t width;
    } rows[] = {
        {"", 0},
        {"abc", 3},
        {"\xC3\xA9", 1},                             /* e acute */
        {"\xCB\xBF", 1},                             /* the last before the combining marks, */
        {"\xCC\x80", 0},                             /* and the first of them */
        {"e\xCC\x81", 1},                            /* e and combining acute */
        {"\xE6\x97\xA5\xE6\x9C\xAC", 4},             /* two ideographs */
        {"\xEF\xBC\xA1", 2},                         /* full-width A */
        {"\xEF\xBD\xB1", 1},                         /* half-width katakana */
        {"\xF0\x9F\x98\x80", 2},                     /* emoji */
        {"\xE2\x80\x8B", 0},                         /* zero width space */
        {"\xED\x95\x9C", 2},                         /* hangul syllable */
        {"\xE2\x80\xA6\xE2\x80\x93\xC2\xB5", 3},     /* ellipsis, en dash, micro */
        {"\xE2\x94\x80", 1},                         /* light rule */
        {"\xC2\xA0\xE2\x80\xAF", 2},                 /* the no-break spaces of numbers */
        {"\xF0\xA0\x80\x80", 2},                     /* plane 2 */
        {"\xEF\xBF\xBD", 1},                         /* replacement character */
    };
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        if (rl_utf8_width(rows[i].text, strlen(rows[i].text)) != rows[i].width)
            fail_msg("'%s' has width %zu, not %zu", rows[i].text, rl_utf8_width(rows[i].text, strlen(rows[i].text)), rows[i].width);
}

static void assert_ellipsis(const char *text, size_t columns, const char *expected)
{
    struct rl_buf buf = RL_BUF_INIT;
    rl_utf8_ellipsis(&buf, text, strlen(text), columns);
    assert_string_equal(buf.data, expected);
    rl_buf_reset(&buf);
    rl_utf8_abbreviate(&buf, text, columns);
    assert_string_equal(buf.data, expected);
    rl_buf_release(&buf);
}

#define DOTS "\xE2\x80\xA6"

static void ellipsis_keeps_both_ends(void **state)
{
    (void)state;
    assert_ellipsis("stride_kernel(float*, int, long)", 32, "stride_kernel(float*, int, long)");
    assert_ellipsis("stride_kernel(float*, int, long)", 16, "stride_k" DOTS ", long)");
    assert_ellipsis("abcdef", 6, "abcdef");
    assert_ellipsis("abcdef", 5, "ab" DOTS "ef");
    assert_ellipsis("abcdef", 4, "ab" DOTS "f");
    assert_ellipsis("abcdef", 3, "a" DOTS "f");
    assert_ellipsis("abcdef", 2, "a" DOTS);
    assert_ellipsis("abcdef", 1, DOTS);
    assert_ellipsis("abcdef", 0, "");
    assert_ellipsis("", 0, "");
    assert_ellipsis("abcdef" DOTS "ghijklmnop", 10, "abcde" DOTS "mnop"); /* shortened before */
    assert_ellipsis("abc" DOTS "defghijklmnop", 10, "abc" DOTS "mnop");
    assert_ellipsis("abcdefghijklmn" DOTS "op", 10, "abcdefg" DOTS "op");
}

/* A part of a number is another number: one that has no room goes whole. Digits of a name are letters of it. */
static void ellipsis_does_not_cut_numbers(void **state)
{
    (void)state;
    assert_ellipsis("18 x NVLink 4.0, switched", 24, "18 x NVLin" DOTS "4.0, switched");
    assert_ellipsis("18 x NVLink 4.0, switched", 20, "18 x NVLin" DOTS " switched");
    assert_ellipsis("kernel [4096, 128] kkg9a8", 20, "kernel [" DOTS "128] kkg9a8");
    assert_ellipsis("64 blocks of 1234567 threads", 16, "64 block" DOTS "threads");
    assert_ellipsis("blocks of 256 threads a warp", 24, "blocks of " DOTS "eads a warp");
    assert_ellipsis("12345678", 5, DOTS);
    assert_ellipsis("DRAM bandwidth (~51.9 %)", 19, "DRAM" DOTS "idth (~51.9 %)");
    assert_ellipsis("DRAM bandwidth (~51.9 %)", 14, "DR" DOTS "h (~51.9 %)");
    assert_ellipsis("DRAM bandwidth (~51.9 %)", 13, "DRAM b" DOTS "dwidth");
    assert_ellipsis("gemm_f32f32f32", 9, "gemm" DOTS "2f32");
}

static void ellipsis_does_not_split_characters(void **state)
{
    (void)state;
    /* four ideographs, 8 columns: neither half of one fits in an odd place */
    assert_ellipsis("\xE4\xB8\x80\xE4\xBA\x8C\xE4\xB8\x89\xE5\x9B\x9B", 6, "\xE4\xB8\x80" DOTS "\xE5\x9B\x9B");
    /* the mark goes with its letter: kept at the end of the head, dropped before the tail */
    assert_ellipsis("e\xCC\x81"
                    "bcdo\xCC\x88",
                    3, "e\xCC\x81" DOTS "o\xCC\x88");
    assert_ellipsis("abcdo\xCC\x88z", 3, "a" DOTS "z");
}

/* Marks upon marks take no column, and would make a name of any length. */
static void ellipsis_cuts_piles_of_marks(void **state)
{
    (void)state;
    struct rl_buf pile = RL_BUF_INIT, out = RL_BUF_INIT;
    rl_buf_addch(&pile, 'o');
    for (size_t i = 0; i < 1000; i++)
        rl_buf_adds(&pile, "\xCC\x81");
    rl_utf8_ellipsis(&out, pile.data, pile.len, 5);
    assert_true(out.len <= 5 * 16 && rl_utf8_valid(out.data, out.len));
    assert_non_null(strstr(out.data, DOTS));
    rl_buf_release(&pile);
    rl_buf_release(&out);
}

static void ellipsis_never_exceeds_its_columns(void **state)
{
    (void)state;
    static const char text[] = "a\xE6\x97\xA5"
                               "e\xCC\x81\xF0\x9F\x98\x80"
                               "bc\xED\x95\x9C"
                               "defg\xE2\x80\x8B";
    size_t width = rl_utf8_width(text, strlen(text));
    for (size_t columns = 0; columns <= width; columns++) {
        struct rl_buf buf = RL_BUF_INIT;
        rl_utf8_ellipsis(&buf, text, strlen(text), columns);
        assert_in_range(rl_utf8_width(buf.data, buf.len), columns > 2 ? columns - 2 : 0, columns);
        assert_true(rl_utf8_valid(buf.data, buf.len));
        rl_buf_release(&buf);
    }
}

static bool is_hidden(uint32_t codepoint)
{
    struct rl_buf text = RL_BUF_INIT;
    rl_buf_adds(&text, "a");
    rl_utf8_encode(&text, codepoint);
    rl_buf_adds(&text, "b");
    const bool hidden = rl_utf8_is_hidden(text.data, text.len, 1, codepoint);
    rl_buf_release(&text);
    return hidden;
}

static void hidden_characters_and_their_neighbours(void **state)
{
    static const struct {
        uint32_t first, last;
    } rows[] = {{0x0000, 0x001F}, {0x007F, 0x009F},   {0x00AD, 0x00AD},   {0x034F, 0x034F},  {0x061C, 0x061C},
                {0x115F, 0x1160}, {0x17B4, 0x17B5},   {0x180B, 0x180F},   {0x200B, 0x200F},  {0x2028, 0x202E},
                {0x2060, 0x206F}, {0x3164, 0x3164},   {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},  {0xFFA0, 0xFFA0},
                {0xFFF0, 0xFFFB}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF}};
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        for (uint32_t c = rows[i].first; c <= rows[i].last; c++)
            assert_true(is_hidden(c));
        assert_false(is_hidden(rows[i].first - 1) || is_hidden(rows[i].last + 1));
    }
}

static void commands_to_continuous_integration(void **state)
{
    (void)state;
    PRINTABLE("::error::x", R ":error::x");
    PRINTABLE(" \t::set-output name=x::y", "  " R ":set-output name=x::y");
    PRINTABLE("a\n::error::", "a " R ":error::");
    PRINTABLE("\u00A0::a\u3000::b\u2003::c\u202F::d", "\u00A0" R ":a\u3000" R ":b\u2003" R ":c\u202F" R ":d");
    PRINTABLE("void f<ns::T>(ns::U*) \xC3\xA9::g a:: b", "void f<ns::T>(ns::U*) \xC3\xA9::g a:: b");
    PRINTABLE(":", ":");
    PRINTABLE("##vso[task]", R "#vso[task]");
    PRINTABLE("a##teamcity[x] ##[group]", "a" R "#teamcity[x] " R "#[group]");
    PRINTABLE("### a ##vso a#[b ##", "### a ##vso a#[b ##");
    assert_printable("##vso[", 5, "##vso");
}

/* What stands behind the text is not looked at, though it would make a whole character of the last bytes. */
static void texts_end_where_they_are_said_to(void **state)
{
    static const struct {
        const char *text;
        size_t whole;
    } rows[] = {{"ab\xC3\xA9", 4}, {"ab\xE2\x82\xAC", 5}, {"ab\xF0\x9F\x98\x80", 6}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (size_t len = 0; len <= rows[i].whole; len++)
            assert_int_equal(rl_utf8_valid(rows[i].text, len), len <= 2 || len == rows[i].whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_character_reads_back),
        cmocka_unit_test(invalid_characters_encode_as_replacement),
        cmocka_unit_test(invalid_sequences),
        cmocka_unit_test(edges_of_the_valid_ranges),
        cmocka_unit_test(printable_text_cannot_steer),
        cmocka_unit_test(widths),
        cmocka_unit_test(ellipsis_keeps_both_ends),
        cmocka_unit_test(ellipsis_does_not_cut_numbers),
        cmocka_unit_test(ellipsis_does_not_split_characters),
        cmocka_unit_test(ellipsis_cuts_piles_of_marks),
        cmocka_unit_test(ellipsis_never_exceeds_its_columns),
        cmocka_unit_test(hidden_characters_and_their_neighbours),
        cmocka_unit_test(commands_to_continuous_integration),
        cmocka_unit_test(texts_end_where_they_are_said_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
