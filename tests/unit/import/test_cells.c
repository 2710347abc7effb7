/* Cells: numbers, units, what is missing. */
#include "rl_test.h"

#include "cell.h"

static struct rl_cell cell(const char *text)
{
    return rl_cell_read(rl_text_of(text), RL_POINT);
}

static void numbers(void **state)
{
    static const struct {
        const char *text;
        double number;
        const char *unit;
    } rows[] = {
        {"0", 0, ""},
        {"21,058,944", 21058944, ""},
        {"196,456,177,859.63", 196456177859.63, ""},
        {"12,34,567.5", 1234567.5, ""},
        {"196456177859.63", 196456177859.63, ""},
        {"  42 ", 42, ""},
        {"-1.5", -1.5, ""},
        {"+7", 7, ""},
        {"517.298828KB/s", 517.298828, "KB/s"},
        {"100.000000%", 100, "%"},
        {"8.192000e+03", 8192, ""},
        {"2.4e+03s", 2400, "s"},
        {"1e3", 1000, ""},
        {"12.5 GB/s", 12.5, "GB/s"},
        {"3 (1; 2; 3)", 3, ""},
        {"1,234 (1; 1,233)", 1234, ""},
        {"Low (2)", 2, ""},
        {"Max (10)", 10, ""},
        {"Idle (0)", 0, ""},
        {"0.000449", 0.000449, ""},
        {"9007199254740993", 9007199254740992, ""},
        {"123456789.123456789", 123456789.123456789, ""},
        {"5e", 5, "e"},
        {"2E-3s", 0.002, "s"},
        {"1.5e3", 1500, ""},
        {"1e+", 1, "e+"},
        {"12:30", 12, ":30"},
        {"5/s", 5, "/s"},
        {"3(x)", 3, "(x)"},
        {"High (9)", 9, ""},
        {"999,999", 999999, ""},
        {"0.1", 0.1, ""},
        {"0.12", 0.12, ""},
        {"0.123", 0.123, ""},
        {"0.1234", 0.1234, ""},
        {"0.12345", 0.12345, ""},
        {"0.123456", 0.123456, ""},
        {"0.1234567", 0.1234567, ""},
        {"0.12345678", 0.12345678, ""},
        {"0.123456789", 0.123456789, ""},
        {"0.1234567890", 0.1234567890, ""},
        {"0.12345678901", 0.12345678901, ""},
        {"0.123456789012", 0.123456789012, ""},
        {"0.1234567890123", 0.1234567890123, ""},
        {"0.12345678901234", 0.12345678901234, ""},
        {"999999999999999", 999999999999999, ""},
        {"0000000000000000000000000000000000000000000000000000000000000005", 5, ""}, /* 64 digits, the most */
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct rl_cell got = cell(rows[i].text);
        if (got.kind != RL_CELL_NUMBER || got.number != rows[i].number || !rl_text_is(got.unit, rows[i].unit))
            fail_msg("'%s' is %d, %.17g, '%.*s'", rows[i].text, got.kind, got.number, (int)got.unit.len, got.unit.at);
    }
}

/* Cells lie in the middle of a line: what follows them is not theirs. */
static void ends_of_cells(void **state)
{
    static const struct {
        const char *text;
        size_t len;
        enum rl_cell_kind kind;
        double number;
        const char *unit;
    } rows[] = {
        {"5e7", 2, RL_CELL_NUMBER, 5, "e"},      {"1e+5", 3, RL_CELL_NUMBER, 1, "e+"}, {"57", 1, RL_CELL_NUMBER, 5, ""},
        {"1e57", 3, RL_CELL_NUMBER, 1e5, ""},    {"2.57", 3, RL_CELL_NUMBER, 2.5, ""}, {"1.5", 2, RL_CELL_WORDS, 0, ""},
        {"1,2345", 5, RL_CELL_NUMBER, 1234, ""}, {"+5", 1, RL_CELL_WORDS, 0, ""},      {"-5", 1, RL_CELL_EMPTY, 0, ""},
        {"5,", 1, RL_CELL_NUMBER, 5, ""},        {"Low (2)", 6, RL_CELL_WORDS, 0, ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct rl_cell got = rl_cell_read((struct rl_text){rows[i].text, rows[i].len}, RL_POINT);
        if (got.kind != rows[i].kind || (got.kind == RL_CELL_NUMBER && got.number != rows[i].number) ||
            (got.kind == RL_CELL_NUMBER && !rl_text_is(got.unit, rows[i].unit)))
            fail_msg("%zu bytes of '%s' are %d, %.17g", rows[i].len, rows[i].text, got.kind, got.number);
    }
}

/* Commas group by three from the right, or it is another notation, which is not guessed at. */
static void other_notations(void **state)
{
    static const char *const texts[] = {
        "1.234,56", "1.2.3",     "1,23",         "12,3,567",
        "1,2345",   "1234,567",  "abc",          "CachePreferNone",
        ",5",       "Low (x)",   "Low (2) x",    "1,",
        "--1",      ".5",        "1,",           "1,,234",
        "(",        "Lower (2)", "1,234,",       "1+2",
        "1-2",      "1,234.5,6", "1e400",        "12,345,67",
        "Low (2))", "1e5.3",     "1234,567,890", "00000000000000000000000000000000000000000000000000000000000000005"};

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const struct rl_cell got = cell(texts[i]);
        if (got.kind != RL_CELL_WORDS)
            fail_msg("'%s' was read as %g", texts[i], got.number);
    }
}

static void missing(void **state)
{
    static const struct {
        const char *text;
        enum rl_state state;
        const char *reason;
    } rows[] = {
        {"n/a", RL_NOT_COLLECTED, "the tool printed 'n/a'"},
        {"N/A", RL_NOT_COLLECTED, "the tool printed 'n/a'"},
        {"(!) n/a", RL_NOT_COLLECTED, "the tool printed 'n/a'"},
        {"no data", RL_NOT_COLLECTED, "the tool printed 'no data'"},
        {"<INVALID>", RL_VALUE_FAILED, "the tool printed '<INVALID>'"},
        {"<OVERFLOW>", RL_VALUE_FAILED, "the counter overflowed"},
        {"nan", RL_UNDEFINED, "the tool printed 'nan'"},
        {"-nan", RL_UNDEFINED, "the tool printed 'nan'"},
        {"(!) nan", RL_UNDEFINED, "the tool printed 'nan'"},
        {"inf", RL_UNDEFINED, "the tool printed 'inf'"},
        {"-inf", RL_UNDEFINED, "the tool printed 'inf'"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct rl_cell got = cell(rows[i].text);
        assert_int_equal(got.kind, RL_CELL_MISSING);
        assert_int_equal(got.unit.len, 0);
        assert_int_equal(rl_missing_value(got.missing).state, rows[i].state);
        assert_string_equal(rl_value_reason(rl_missing_value(got.missing)), rows[i].reason);
    }
    assert_int_equal(cell("").kind, RL_CELL_EMPTY);
    assert_int_equal(cell("  ").kind, RL_CELL_EMPTY);
    assert_int_equal(cell("-").kind, RL_CELL_EMPTY);
}

static void units(void **state)
{
    static const struct {
        const char *text;
        enum rl_dimension dimension;
        double decimal, binary;
    } rows[] = {
        {"", RL_DIMENSION_NONE, 1, 1},
        {"nsecond", RL_DIMENSION_SECOND, 1e-9, 1e-9},
        {"ns", RL_DIMENSION_SECOND, 1e-9, 1e-9},
        {"us", RL_DIMENSION_SECOND, 1e-6, 1e-6},
        {"ms", RL_DIMENSION_SECOND, 1e-3, 1e-3},
        {"second", RL_DIMENSION_SECOND, 1, 1},
        {"%", RL_DIMENSION_FRACTION, 0.01, 0.01},
        {"byte", RL_DIMENSION_BYTE, 1, 1},
        {"Kbyte", RL_DIMENSION_BYTE, 1e3, 1024},
        {"KB", RL_DIMENSION_BYTE, 1e3, 1024},
        {"Mbyte", RL_DIMENSION_BYTE, 1e6, 1048576},
        {"byte/s", RL_DIMENSION_BYTE_PER_SECOND, 1, 1},
        {"byte/second", RL_DIMENSION_BYTE_PER_SECOND, 1, 1},
        {"Gbyte/s", RL_DIMENSION_BYTE_PER_SECOND, 1e9, 1073741824},
        {"Tbyte/s", RL_DIMENSION_BYTE_PER_SECOND, 1e12, 1099511627776},
        {"GB/s", RL_DIMENSION_BYTE_PER_SECOND, 1e9, 1073741824},
        {"KB/s", RL_DIMENSION_BYTE_PER_SECOND, 1e3, 1024},
        {"hz", RL_DIMENSION_HERTZ, 1, 1},
        {"Ghz", RL_DIMENSION_HERTZ, 1e9, 1e9},
        {"cycle/second", RL_DIMENSION_HERTZ, 1, 1},
        {"cycle/nsecond", RL_DIMENSION_HERTZ, 1e9, 1e9},
        {"cycle/usecond", RL_DIMENSION_HERTZ, 1e6, 1e6},
        {"byte/block", RL_DIMENSION_BYTE, 1, 1},
        {"Kbyte/block", RL_DIMENSION_BYTE, 1e3, 1024},
        {"register/thread", RL_DIMENSION_COUNT, 1, 1},
        {"inst/cycle", RL_DIMENSION_RATIO, 1, 1},
        {"inst", RL_DIMENSION_COUNT, 1, 1},
        {"furlong", RL_DIMENSION_UNKNOWN, 1, 1},
        {"Gbyte/furlong", RL_DIMENSION_UNKNOWN, 1, 1},
        {"/", RL_DIMENSION_UNKNOWN, 1, 1},
        {"furlong/second", RL_DIMENSION_UNKNOWN, 1, 1},
        {"Kbyte/msecond", RL_DIMENSION_BYTE_PER_SECOND, 1e6, 1024e3},
        {"byte/Kbyte", RL_DIMENSION_RATIO, 1e-3, 1.0 / 1024},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct rl_printed_unit decimal = rl_unit_read(rl_text_of(rows[i].text), RL_DECIMAL);
        const struct rl_printed_unit binary = rl_unit_read(rl_text_of(rows[i].text), RL_BINARY);
        assert_int_equal(decimal.dimension, rows[i].dimension);
        assert_close(decimal.factor, rows[i].decimal, 1e-14);
        assert_close(binary.factor, rows[i].binary, 1e-14);
    }
}

static void extents(void **state)
{
    unsigned extent[3] = {9, 9, 9};

    (void)state;
    assert_true(rl_extent_read(rl_text_of("(524288, 1, 1)"), extent));
    assert_int_equal(extent[0], 524288);
    assert_int_equal(extent[2], 1);
    assert_true(rl_extent_read(rl_text_of(" (20 10 3) "), extent));
    assert_int_equal(extent[0], 20);
    assert_int_equal(extent[1], 10);
    assert_int_equal(extent[2], 3);
    assert_true(rl_extent_read(rl_text_of("  20   10    3"), extent)); /* as nsys prints them */
    assert_int_equal(extent[1], 10);
    static const char *const bad[] = {"",
                                      "()",
                                      "(1, 2)",
                                      "(1, 2, 3, 4)",
                                      "(1, 2, -3)",
                                      "(1, 2, 4294967296)",
                                      "1 2",
                                      "1 2 3)",
                                      "(1,,2)",
                                      "(",
                                      ")",
                                      "(1, 2, 3,)",
                                      "(1, 2, 3) x",
                                      "(1, 2, 3",
                                      "(1:2:3)",
                                      "(1a, 2, 3)",
                                      "(4294967296, 2, 3)",
                                      "(, 2, 3)"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(rl_extent_read(rl_text_of(bad[i]), extent));
    assert_int_equal(extent[0], 20);
    assert_true(rl_extent_read(rl_text_of("(4294967295,0,9)"), extent));
    assert_int_equal(extent[0], 4294967295);
    assert_int_equal(extent[1], 0);
    assert_int_equal(extent[2], 9);
}

static void whole_numbers(void **state)
{
    unsigned long long number = 0;

    (void)state;
    assert_true(rl_whole_read(rl_text_of("1,024"), RL_POINT, &number));
    assert_int_equal(number, 1024);
    assert_true(rl_whole_read(rl_text_of(" 0 "), RL_POINT, &number));
    assert_int_equal(number, 0);
    assert_true(rl_whole_read(rl_text_of("9007199254740992"), RL_POINT, &number));
    assert_int_equal(number, 9007199254740992);
    static const char *const bad[] = {"", "1.5", "-1", "9007199254740994", "12x", "1e400"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(rl_whole_read(rl_text_of(bad[i]), RL_POINT, &number));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers), cmocka_unit_test(ends_of_cells), cmocka_unit_test(other_notations), cmocka_unit_test(missing),
        cmocka_unit_test(units),   cmocka_unit_test(extents),       cmocka_unit_test(whole_numbers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
