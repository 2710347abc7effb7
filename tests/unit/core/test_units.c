/* Numbers and units as people and programs read them. */
#include "rl_test.h"

#include <float.h>
#include <locale.h>

#include "core/child.h"
#include "core/fs.h"
#include "core/mem.h"
#include "core/units.h"
#include "fixtures/files.h"

#define NB    "\xC2\xA0"     /* between number and unit */
#define G     "\xE2\x80\xAF" /* between groups of digits */
#define MICRO "\xC2\xB5"

struct row {
    enum rl_unit unit;
    double value;
    int digits;
    const char *text, *ascii;
};

static void check(const struct row *row)
{
    struct rl_buf text = RL_BUF_INIT, ascii = RL_BUF_INIT;
    rl_unit_format(&text, row->unit, row->value, row->digits);
    rl_unit_format_ascii(&ascii, row->unit, row->value, row->digits);
    if (strcmp(text.data, row->text) != 0 || strcmp(ascii.data, row->ascii) != 0)
        fail_msg("%.17g with %d digits: '%s' and '%s', not '%s' and '%s'", row->value, row->digits, text.data, ascii.data,
                 row->text, row->ascii);
    rl_buf_release(&text);
    rl_buf_release(&ascii);
}

static const struct row rows[] = {
    /* every unit */
    {RL_UNIT_NONE, 31.4159, 3, "31.4", "31.4"},
    {RL_UNIT_COUNT, 16777216, 3, "16" G "777" G "216", "16777216"},
    {RL_UNIT_FRACTION, 0.7114, 3, "71.1" NB "%", "71.1 %"},
    {RL_UNIT_SECOND, 0.009144, 4, "9.144" NB "ms", "9.144 ms"},
    {RL_UNIT_BYTE, 1.5e9, 3, "1.50" NB "GB", "1.50 GB"},
    {RL_UNIT_SIZE, 49152, 4, "48" NB "KiB", "48 KiB"},
    {RL_UNIT_BYTE_PER_SECOND, 1.17e12, 3, "1.17" NB "TB/s", "1.17 TB/s"},
    {RL_UNIT_FLOP, 2.5e15, 2, "2.5" NB "PFLOP", "2.5 PFLOP"},
    {RL_UNIT_FLOP_PER_SECOND, 6.69e13, 3, "66.9" NB "TFLOP/s", "66.9 TFLOP/s"},
    {RL_UNIT_FLOP_PER_BYTE, 0.0833333, 3, "0.0833" NB "FLOP/B", "0.0833 FLOP/B"},
    {RL_UNIT_FLOP_PER_BYTE, 9999, 4, "9999" NB "FLOP/B", "9999 FLOP/B"},
    {RL_UNIT_FLOP_PER_BYTE, 32768, 3, "32" G "800" NB "FLOP/B", "32800 FLOP/B"},
    {RL_UNIT_OP_PER_SECOND, 4.2e6, 2, "4.2" NB "Mop/s", "4.2 Mop/s"},
    {RL_UNIT_INSTRUCTION_PER_SECOND, 1e18, 3, "1.00" NB "Einst/s", "1.00 Einst/s"},
    {RL_UNIT_TRANSACTION_PER_SECOND, 1.447e11, 3, "145" NB "Gtxn/s", "145 Gtxn/s"},
    {RL_UNIT_HERTZ, 1.98e9, 3, "1.98" NB "GHz", "1.98 GHz"},
    {RL_UNIT_WATT, 699.7, 3, "700" NB "W", "700 W"},
    {RL_UNIT_JOULE, 0.0042, 2, "4.2" NB "mJ", "4.2 mJ"},
    {RL_UNIT_CELSIUS, 41, 2,
     "41" NB "\xC2\xB0"
     "C",
     "41 degC"},
    /* the prefix is chosen after rounding */
    {RL_UNIT_BYTE, 999.4, 3, "999" NB "B", "999 B"},
    {RL_UNIT_BYTE, 999.96, 3, "1.00" NB "kB", "1.00 kB"},
    {RL_UNIT_BYTE, 999.96, 4, "1.000" NB "kB", "1.000 kB"},
    {RL_UNIT_BYTE, 999.94, 4, "999.9" NB "B", "999.9 B"},
    {RL_UNIT_SECOND, 0.00099996, 3, "1.00" NB "ms", "1.00 ms"},
    {RL_UNIT_SECOND, 0.99951, 3, "1.00" NB "s", "1.00 s"},
    {RL_UNIT_BYTE, 1000, 3, "1.00" NB "kB", "1.00 kB"},
    {RL_UNIT_BYTE, 1024, 4, "1.024" NB "kB", "1.024 kB"},
    {RL_UNIT_FRACTION, 0.99951, 3, "100" NB "%", "100 %"},
    {RL_UNIT_FRACTION, 0.9994, 3, "99.9" NB "%", "99.9 %"},
    /* sizes are powers of 1024, whole ones exactly */
    {RL_UNIT_SIZE, 0, 3, "0" NB "B", "0 B"},
    {RL_UNIT_SIZE, 1000, 3, "1000" NB "B", "1000 B"},
    {RL_UNIT_SIZE, 1023, 3, "1023" NB "B", "1023 B"},
    {RL_UNIT_SIZE, 1024, 3, "1" NB "KiB", "1 KiB"},
    {RL_UNIT_SIZE, 233472, 3, "228" NB "KiB", "228 KiB"},
    {RL_UNIT_SIZE, 1536, 3, "1.50" NB "KiB", "1.50 KiB"},
    {RL_UNIT_SIZE, 62914560, 3, "60" NB "MiB", "60 MiB"},
    {RL_UNIT_SIZE, 150754820096, 4, "140.4" NB "GiB", "140.4 GiB"},
    {RL_UNIT_SIZE, 0x1p70, 3, "1024" NB "EiB", "1024 EiB"},
    {RL_UNIT_SIZE, NAN, 3, "nan" NB "B", "nan B"},
    /* ends of the prefixes */
    {RL_UNIT_SECOND, 1e-6, 3, "1.00" NB MICRO "s", "1.00 us"},
    {RL_UNIT_SECOND, 2.5e-9, 2, "2.5" NB "ns", "2.5 ns"},
    {RL_UNIT_SECOND, 1e-12, 3, "1.00" NB "ps", "1.00 ps"},
    {RL_UNIT_SECOND, 1e-14, 3, "0.0100" NB "ps", "0.0100 ps"},
    {RL_UNIT_SECOND, 3600, 3, "3600" NB "s", "3600 s"},
    {RL_UNIT_BYTE, 0.5, 3, "0.500" NB "B", "0.500 B"},
    {RL_UNIT_BYTE, 1.5e21, 3, "1500" NB "EB", "1500 EB"},
    {RL_UNIT_BYTE, 1.5e300, 3, "1.50e282" NB "EB", "1.50e282 EB"},
    {RL_UNIT_BYTE, 9.99e32, 3, "999000000000000" NB "EB", "999000000000000 EB"},
    {RL_UNIT_BYTE, 1e33, 3, "1.00e15" NB "EB", "1.00e15 EB"},
    {RL_UNIT_SECOND, 1e-16, 3, "0.000100" NB "ps", "0.000100 ps"},
    {RL_UNIT_SECOND, 9.99e-17, 3, "9.99e-5" NB "ps", "9.99e-5 ps"},
    {RL_UNIT_FRACTION, 9.99e12, 3, "999000000000000" NB "%", "999000000000000 %"},
    {RL_UNIT_FRACTION, 1e13, 3, "1.00e15" NB "%", "1.00e15 %"},
    {RL_UNIT_FRACTION, 1e-6, 3, "0.000100" NB "%", "0.000100 %"},
    {RL_UNIT_FRACTION, 9.99e-7, 3, "9.99e-5" NB "%", "9.99e-5 %"},
    /* zero and signs */
    {RL_UNIT_BYTE_PER_SECOND, 0, 3, "0" NB "B/s", "0 B/s"},
    {RL_UNIT_FRACTION, -0.0, 3, "0" NB "%", "0 %"},
    {RL_UNIT_SECOND, -0.0025, 2, "-2.5" NB "ms", "-2.5 ms"},
    {RL_UNIT_COUNT, 0, 3, "0", "0"},
    /* counts: whole ones exactly, others never more coarsely than whole */
    {RL_UNIT_COUNT, 999, 3, "999", "999"},
    {RL_UNIT_COUNT, 1000, 3, "1" G "000", "1000"},
    {RL_UNIT_COUNT, -1234567, 2, "-1" G "234" G "567", "-1234567"},
    {RL_UNIT_COUNT, 999999999999999, 3, "999" G "999" G "999" G "999" G "999", "999999999999999"},
    {RL_UNIT_COUNT, 1e15, 3, "1.00e15", "1.00e15"},
    {RL_UNIT_COUNT, 12345.678, 3, "12" G "346", "12346"},
    {RL_UNIT_COUNT, 12.25, 3, "12.2", "12.2"}, /* a tie: to the even digit */
    {RL_UNIT_COUNT, 999.7, 3, "1" G "000", "1000"},
    {RL_UNIT_COUNT, 0.001, 3, "0.00100", "0.00100"},
    /* digits */
    {RL_UNIT_BYTE, 123456, 1, "100" NB "kB", "100 kB"},
    {RL_UNIT_BYTE, 123456, 2, "120" NB "kB", "120 kB"},
    {RL_UNIT_BYTE, 123456, 6, "123.456" NB "kB", "123.456 kB"},
    {RL_UNIT_NONE, 1.0 / 3, 17, "0.33333333333333331", "0.33333333333333331"},
    /* what is no number */
    {RL_UNIT_BYTE, NAN, 3, "nan" NB "B", "nan B"},
    {RL_UNIT_COUNT, INFINITY, 3, "inf", "inf"},
    {RL_UNIT_FRACTION, -INFINITY, 3, "-inf" NB "%", "-inf %"},
};

static void formatted_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        check(&rows[i]);
}

static void every_unit_is_in_the_rows(void **state)
{
    (void)state;
    for (int unit = 0; unit < RL_UNIT_COUNT_; unit++) {
        size_t i = 0;
        while (i < RL_COUNT(rows) && (int)rows[i].unit != unit)
            i++;
        if (i == RL_COUNT(rows))
            fail_msg("no row for the unit %s", rl_unit_json((enum rl_unit)unit));
    }
}

static void unit_names_read_back_and_are_ascii(void **state)
{
    (void)state;
    for (int i = 0; i < RL_UNIT_COUNT_; i++) {
        const char *json = rl_unit_json((enum rl_unit)i);
        for (int k = 0; k < i; k++) /* two are "B": bytes of traffic and of memory */
            assert_true(strcmp(json, rl_unit_json((enum rl_unit)k)) != 0 || (k == RL_UNIT_BYTE && i == RL_UNIT_SIZE) ||
                        (i == RL_UNIT_BYTE && k == RL_UNIT_SIZE));
        for (const char *p = json; *p; p++)
            assert_true(*p > ' ' && *p < 127);
    }
}

static void scales(void **state)
{
    (void)state;
    static const struct {
        enum rl_unit unit;
        double magnitude, factor;
        const char *symbol;
    } cases[] = {
        {RL_UNIT_BYTE_PER_SECOND, 4.8e12, 1e-12, "TB/s"},
        {RL_UNIT_BYTE_PER_SECOND, 999e9, 1e-9, "GB/s"},
        {RL_UNIT_BYTE_PER_SECOND, -1e9, 1e-9, "GB/s"},
        {RL_UNIT_SECOND, 999.9e-6, 1e6, MICRO "s"},
        {RL_UNIT_SECOND, 0.001, 1e3, "ms"},
        {RL_UNIT_SECOND, 0, 1, "s"},
        {RL_UNIT_SECOND, NAN, 1, "s"},
        {RL_UNIT_BYTE, INFINITY, 1, "B"},
        {RL_UNIT_BYTE, 0.1, 1, "B"},
        {RL_UNIT_SECOND, 7200, 1, "s"},
        {RL_UNIT_FRACTION, 0.5, 100, "%"},
        {RL_UNIT_COUNT, 1e9, 1, ""},
        {RL_UNIT_CELSIUS, 40, 1,
         "\xC2\xB0"
         "C"},
        {RL_UNIT_FLOP, 1e25, 1e-18, "EFLOP"},
        {RL_UNIT_SECOND, 1e-20, 1e12, "ps"},
        {RL_UNIT_INSTRUCTION_PER_SECOND, 1e6, 1e-6, "Minst/s"},
    };
    for (size_t i = 0; i < RL_COUNT(cases); i++) {
        struct rl_scale scale = rl_unit_scale(cases[i].unit, cases[i].magnitude);
        assert_string_equal(scale.symbol, cases[i].symbol);
        assert_true(scale.factor == cases[i].factor);
    }
}

static void missing_values_are_an_en_dash(void **state)
{
    (void)state;
    struct rl_buf buf = RL_BUF_INIT;
    rl_value_format(&buf, RL_UNIT_BYTE, rl_value_missing(RL_NOT_ON_CHIP, NULL), 3);
    rl_buf_addch(&buf, ' ');
    rl_value_format(&buf, RL_UNIT_BYTE, rl_value_of(2000), 3);
    assert_string_equal(buf.data, "\xE2\x80\x93 2.00" NB "kB");
    rl_buf_release(&buf);
}

static void plain_numbers(void **state)
{
    (void)state;
    static const struct {
        double value;
        int digits;
        const char *text;
    } cases[] = {
        {0, 3, "0"},
        {1, 3, "1.00"},
        {12345, 3, "12300"},
        {1e-4, 3, "0.000100"},
        {9.99e-5, 3, "9.99e-5"},
        {9.9996e-5, 3, "0.000100"},
        {9.99e14, 3, "999000000000000"},
        {9.9996e14, 3, "1.00e15"},
        {1e15, 1, "1e15"},
        {-0.25, 1, "-0.2"},
        {2.5, 1, "2"},
        {DBL_MAX, 3, "1.80e308"},
        {5e-324, 2, "4.9e-324"},
    };
    for (size_t i = 0; i < RL_COUNT(cases); i++) {
        struct rl_buf buf = RL_BUF_INIT;
        rl_number_format(&buf, cases[i].value, cases[i].digits);
        assert_string_equal(buf.data, cases[i].text);
        rl_buf_release(&buf);
    }
}

static void assert_exact(double value, const char *text)
{
    struct rl_buf buf = RL_BUF_INIT;
    double back = 42;
    rl_number_exact(&buf, value);
    if (text)
        assert_string_equal(buf.data, text);
    assert_true(rl_number_parse(buf.data, buf.len, &back));
    assert_true(back == value && !signbit(back) == !signbit(value));
    rl_buf_release(&buf);
}

static void exact_numbers_read_back(void **state)
{
    (void)state;
    assert_exact(0.1, "0.1");
    assert_exact(1e300, "1e300");
    assert_exact(1e-7, "1e-7");
    assert_exact(-2.5e-10, "-2.5e-10");
    assert_exact(123456789012345678.0, "1.2345678901234568e17");
    assert_exact(1.0 / 3, "0.3333333333333333");
    assert_exact(0, "0");
    assert_exact(-0.0, "-0");
    assert_exact(DBL_MAX, NULL);
    assert_exact(1e10, "10000000000");
    assert_exact(1e20, "1e20");
    assert_exact(1.5e-20, "1.5e-20");
    const double others[] = {NAN, INFINITY, -INFINITY};
    struct rl_buf buf = RL_BUF_INIT;
    for (size_t i = 0; i < RL_COUNT(others); i++)
        rl_number_exact(&buf, others[i]);
    assert_string_equal(buf.data, "naninf-inf");
    rl_buf_release(&buf);
    assert_exact(5e-324, NULL);
    uint64_t bits = 88172645463325252u;
    for (int i = 0; i < 20000; i++) {
        double value;
        bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value))
            assert_exact(value, NULL);
    }
}

static void numbers_that_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } good[] = {{"0", 0},       {"-1", -1},
                {"+2.5", 2.5},  {".5", 0.5},
                {"5.", 5},      {"1e3", 1000},
                {"1E-2", 0.01}, {"1.5e+2", 150},
                {"00012", 12},  {"16777217", 16777217},
                {"-.5", -0.5},  {"1.e3", 1000},
                {"9e0", 9},     {"0.9", 0.9},
                {"1e-400", 0},  {"123456789012345678901234567890", 123456789012345678901234567890.0}};
    for (size_t i = 0; i < RL_COUNT(good); i++) {
        double value = -99;
        assert_true(rl_number_parse(good[i].text, strlen(good[i].text), &value));
        assert_true(value == good[i].value);
    }
    static const char *const bad[] = {"",    " 1",  "1 ",    "-",   ".",     "e5", "1e",   "1e+",  "1,5", "0x10",
                                      "inf", "nan", "1e999", "--1", "1.2.3", "1f", NB,     "+",    ".e3", "1/",
                                      "1:",  "1./", "1.:",   "1e/", "1e:",   "e",  "1e1.", "1e1e1"};
    for (size_t i = 0; i < RL_COUNT(bad); i++) {
        double untouched = -99;
        if (rl_number_parse(bad[i], strlen(bad[i]), &untouched) || untouched != -99)
            fail_msg("'%s' was read as %g", bad[i], untouched);
    }
    double value = -99;
    assert_true(rl_number_parse("12345", 2, &value) && value == 12); /* not more than it was given */
    assert_false(rl_number_parse("1\0"
                                 "2",
                                 3, &value));
}

/* The German locale, made from its source where it is not installed. */
static bool set_german(void)
{
    if (setlocale(LC_ALL, "de_DE.UTF-8"))
        return true;
    char *folder = files_new_folder(), *path, *program = rl_find_program("localedef");
    path = rl_path_join(folder, "de_DE.UTF-8");
    const char *const argv[] = {program, "-c", "-i", "de_DE", "-f", "UTF-8", path, NULL};
    struct rl_spawn spawn = {.argv = argv, .timeout_s = 60, .output_limit = 1 << 16};
    struct rl_spawn_result result = {0};
    if (program && rl_spawn_run(&spawn, &result, NULL) == RL_OK)
        setenv("LOCPATH", folder, 1);
    const bool set = setlocale(LC_ALL, "de_DE.UTF-8") != NULL;
    unsetenv("LOCPATH");
    rl_spawn_result_release(&result);
    files_remove_folder(folder);
    free(program);
    free(path);
    return set;
}

/* The locale of a user who writes decimal commas must not reach any file. */
static void a_locale_with_a_comma_changes_nothing(void **state)
{
    (void)state;
    if (!set_german()) {
        rl_test_without("the source of a locale with a decimal comma");
        skip();
    }
    char text[8];
    snprintf(text, sizeof text, "%.1f", 1.5);
    assert_string_equal(text, "1,5"); /* it has one */
    formatted_values(state);
    exact_numbers_read_back(state);
    numbers_that_are_read(state);
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formatted_values),
        cmocka_unit_test(every_unit_is_in_the_rows),
        cmocka_unit_test(unit_names_read_back_and_are_ascii),
        cmocka_unit_test(scales),
        cmocka_unit_test(missing_values_are_an_en_dash),
        cmocka_unit_test(plain_numbers),
        cmocka_unit_test(exact_numbers_read_back),
        cmocka_unit_test(numbers_that_are_read),
        cmocka_unit_test(a_locale_with_a_comma_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
