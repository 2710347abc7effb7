/* How numbers, separators, encodings and index columns are told apart: by all of a file, never cell by cell. */
#include "bench.h"

#include "core/buf.h"
#include "core/mem.h"
#include "core/utf8.h"
#include "reader.h"

#define HEAD "ID,Process ID,Kernel Name,Device,CC,Metric Name,Metric Unit,Metric Value\n"

/* The rows of `values` ("unit|value" of a metric each), with every comma that separates as `separator`. */
static void add_table(struct rl_buf *out, const char *head, char separator, const char *const (*rows)[3], size_t count)
{
    for (const char *c = head; *c; c++)
        rl_buf_addch(out, *c == ',' ? separator : *c);
    for (size_t i = 0; i < count; i++)
        rl_buf_addf(out, "0%c9%ctriad(double *)%c0%c8.0%c%s%c%s%c\"%s\"\n", separator, separator, separator, separator, separator,
                    rows[i][0], separator, rows[i][1], separator, rows[i][2]);
}

static struct rl_buf table_of(char separator, const char *const (*rows)[3], size_t count)
{
    struct rl_buf text = RL_BUF_INIT;

    add_table(&text, HEAD, separator, rows, count);
    return text;
}

static const char *const point[][3] = {
    {"gpu__time_duration.sum", "ns", "204,800"},
    {"dram__bytes.sum", "byte", "81,920,000"},
    {"sm__warps_active.avg.pct_of_peak_sustained_active", "%", "41.25"},
};
static const char *const comma[][3] = {
    {"gpu__time_duration.sum", "ns", "204.800"},
    {"dram__bytes.sum", "byte", "81.920.000"},
    {"sm__warps_active.avg.pct_of_peak_sustained_active", "%", "41,25"},
};
static const char *const swiss[][3] = {
    {"gpu__time_duration.sum", "ns", "204'800"},
    {"dram__bytes.sum", "byte",
     "81\xE2\x80\xAF"
     "920\xC2\xA0"
     "000"},
    {"sm__warps_active.avg.pct_of_peak_sustained_active", "%", "41,25"},
};

static void assert_triad(struct bench *bench)
{
    assert_int_equal(bench->capture->kernel_count, 1);
    assert_int_equal(bench->capture->kernels[0].duration_ns[0], 204800);
    assert_metric(bench, "triad", dram_bytes, 81920000);
    assert_metric(bench, "triad", achieved_occupancy, 0.4125);
    bench_done(bench);
}

static void one_notation_and_separator_a_file(void **state)
{
    static const char *const(*const tables[])[3] = {point, comma, swiss};

    (void)state;
    for (size_t i = 0; i < RL_COUNT(tables); i++)
        for (const char *separator = ",;\t"; *separator; separator++) {
            struct rl_buf text = table_of(*separator, tables[i], 3);
            struct bench bench = bench_text(text.data);
            assert_triad(&bench);
            rl_buf_release(&text);
        }
}

/* What nsys prints as text in Spanish and in Taiwan, where four digits are a group; and groups as in India. */
static void text_of_other_countries(void **state)
{
    static const char *const tables[] = {
        " Time(%)  Total Time (ns)  Instances   Average   Minimum  Maximum    Name  \n"
        " -------  ---------------  ---------  ---------  -------  -------  --------\n"
        "   100,0        2.030.694          9  225.632,6  225.224  226.408  relax_gpu\n",
        " Time (%)  Total Time (ns)  Instances   Avg (ns)   Med (ns)  Min (ns)  Max (ns)  StdDev (ns)     Name  \n"
        " --------  ---------------  ---------  ---------  ---------  --------  --------  -----------  ---------\n"
        "     97.9         203,0694          9  22,5632.6  22,5632.0   22,5224   22,6408     8,9000.0  relax_gpu\n"
        "      2.1           4,2000          7     6000.0     6000.0      6000      6000          0.0  tiny     \n",
        " Time (%)  Total Time (ns)  Instances   Avg (ns)    Med (ns)   Min (ns)  Max (ns)  StdDev (ns)     Name  \n"
        " --------  ---------------  ---------  ----------  ----------  --------  --------  -----------  ---------\n"
        "    100.0        20,30,694          9  2,25,632.6  2,25,632.0  2,25,224  2,26,408        800.0  relax_gpu\n"};

    (void)state;
    for (size_t i = 0; i < RL_COUNT(tables); i++) {
        struct bench bench = bench_text(tables[i]);
        assert_int_equal(bench_kernel(&bench, "relax_gpu")->launches, 9);
        assert_int_equal(bench_kernel(&bench, "relax_gpu")->total_ns, 2030694);
        assert_counter(&bench, "relax_gpu", "duration.min", 225224e-9);
        assert_counter(&bench, "relax_gpu", "duration.max", 226408e-9);
        if (i == 1)
            assert_int_equal(bench_kernel(&bench, "tiny")->total_ns, 42000);
        bench_done(&bench);
    }
}

/* The order of rows changes nothing: evidence may come behind the cells that need it. */
static void evidence_comes_last_or_first(void **state)
{
    (void)state;
    for (size_t first = 0; first < 3; first++) {
        const char *rows[3][3];
        for (size_t i = 0; i < 3; i++)
            memcpy(rows[i], comma[(first + i) % 3], sizeof rows[i]);
        struct rl_buf text = table_of(';', (const char *const(*)[3])rows, 3);
        struct bench bench = bench_text(text.data);
        assert_triad(&bench);
        rl_buf_release(&text);
    }
}

static void doubtful_numbers_are_refused(void **state)
{
    static const struct {
        const char *unit, *value, *words; /* NULL: read */
        double ns;
    } rows[] = {
        {"ns", "117.344", "whether '117.344' is 117344 or 117.344: export it again", 0},
        {"us", "117.344", NULL, 117344}, /* the profiler chose a prefix so that it is below 1000 */
        {"ns", "1,200", NULL, 1200},     /* as it is printed in English */
        {"us", "1,200", "whether '1,200' is 1200 or 1.200: export", 0},
        {"ns", "0.512", NULL, 1}, /* no group begins with 0 */
        {"ns", "1200", NULL, 1200},
    };

    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        const char *const row[1][3] = {{"gpu__time_duration.sum", rows[i].unit, rows[i].value}};
        struct rl_buf text = table_of(',', row, 1);
        if (rows[i].words) {
            assert_refused(&(struct file){text.data, 0}, 1, rows[i].words);
        } else {
            struct bench bench = bench_text(text.data);
            assert_int_equal(bench.capture->kernels[0].duration_ns[0], rows[i].ns);
            bench_done(&bench);
        }
        rl_buf_release(&text);
    }
}

/* Cells of the other notation are few against the file's own: a damaged cell, which is not kept. */
static void the_greater_number_decides(void **state)
{
    static const char *const rows[][3] = {
        {"gpu__time_duration.sum", "ns", "117.5"}, {"a__b.sum", "byte", "1,234,567"}, {"c__d.sum", "byte", "12,5"}};
    struct rl_buf text = table_of(';', rows, 3);
    struct bench bench = bench_text(text.data);

    (void)state;
    assert_counter(&bench, "triad", "a__b.sum", 1234567);
    assert_false(bench_has(&bench, "triad", "c__d.sum"));
    assert_true(bench_logged(&bench, RL_LOG_WARNING, "notation that is not understood were not kept: 1 (12,5)"));
    bench_done(&bench);
    rl_buf_release(&text);
}

static void what_a_cell_reveals(void **state)
{
    static const struct {
        const char *text;
        enum rl_evidence evidence;
    } rows[] = {
        {"12", RL_EVIDENCE_NONE},
        {"", RL_EVIDENCE_NONE},
        {"n/a", RL_EVIDENCE_NONE},
        {".5", RL_EVIDENCE_NONE},
        {"5.", RL_EVIDENCE_NONE},
        {"1.2.3", RL_EVIDENCE_NONE},
        {"1.234.56", RL_EVIDENCE_NONE},
        {"1234,567.8", RL_EVIDENCE_POINT},
        {"2.5", RL_EVIDENCE_POINT},
        {"-2.5GB/s", RL_EVIDENCE_POINT},
        {"1,234.5", RL_EVIDENCE_POINT},
        {"1,234,567", RL_EVIDENCE_POINT},
        {"0.125", RL_EVIDENCE_POINT},
        {"1234.567", RL_EVIDENCE_POINT},
        {"2,5", RL_EVIDENCE_COMMA},
        {"1.234,5", RL_EVIDENCE_COMMA},
        {"1.234.567", RL_EVIDENCE_COMMA},
        {"0,125 %", RL_EVIDENCE_COMMA},
        {"1.234,567.8", RL_EVIDENCE_NONE},
        {"1.234,567,890", RL_EVIDENCE_NONE},
        {"117.344", RL_EVIDENCE_EITHER_POINT},
        {"1,200ms", RL_EVIDENCE_EITHER_COMMA},
        {"4,4008,7824", RL_EVIDENCE_FOURS},
        {"3,7084.1", RL_EVIDENCE_FOURS},
        {"3,7084", RL_EVIDENCE_COMMA},
        {"12,34,567", RL_EVIDENCE_POINT},
        {"12.34.567,8", RL_EVIDENCE_COMMA},
        {"1,2,345", RL_EVIDENCE_NONE},
    };

    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        if (rl_notation_of(rl_text_of(rows[i].text)) != rows[i].evidence)
            fail_msg("'%s' reveals %d", rows[i].text, rl_notation_of(rl_text_of(rows[i].text)));
}

/* ---- encodings ---- */

static void utf_16(void **state)
{
    struct rl_buf text = table_of(',', point, 3);

    (void)state;
    rl_buf_adds(&text, "0,9,triad(double *),0,8.0,\xE2\x82\xAC \xF4\x8F\xBF\xBD,,7\n"); /* a euro sign, and a pair of surrogates */
    for (int form = 0; form < 4; form++) {
        const bool mark = form & 1, big = form & 2;
        struct rl_buf wide = RL_BUF_INIT;
        if (mark)
            rl_buf_add(&wide, big ? "\xFE\xFF" : "\xFF\xFE", 2);
        for (size_t i = 0; i < text.len;) {
            uint32_t point_ = 0;
            i += rl_utf8_decode(text.data + i, text.len - i, &point_);
            const unsigned units[2] = {point_ < 0x10000 ? point_ : 0xD800 + ((point_ - 0x10000) >> 10), 0xDC00 + (point_ & 0x3FF)};
            for (int unit = 0; unit < (point_ < 0x10000 ? 1 : 2); unit++) {
                rl_buf_addch(&wide, (char)(big ? units[unit] >> 8 : units[unit]));
                rl_buf_addch(&wide, (char)(big ? units[unit] : units[unit] >> 8));
            }
        }
        struct bench bench = bench_files(&(struct file){wide.data, wide.len}, 1, NULL);
        assert_counter(&bench, "triad", "\xE2\x82\xAC \xF4\x8F\xBF\xBD", 7);
        assert_triad(&bench);
        rl_buf_release(&wide);
    }
    rl_buf_release(&text);
}

/* Half a pair, half a unit. */
static void damaged_utf_16(void **state)
{
    static const char bytes[] = "\xFF\xFE"
                                "I\0D\0,\0\0\xD8K\0\xDC\0\0\xDC\n\0x";
    struct rl_lines *lines = rl_lines_of(bytes, sizeof bytes - 1);
    struct rl_text line;

    (void)state;
    for (int again = 0; again < 2; again++) {
        assert_true(rl_lines_next(lines, &line));
        assert_true(rl_text_is(line, "ID,?K\xC3\x9C?"));
        assert_false(rl_lines_next(lines, &line));
        rl_lines_rewind(lines);
    }
    rl_lines_close(lines);
}

/* ---- columns that number the rows ---- */

static void index_columns(void **state)
{
    static const char *const heads[] = {"", "Unnamed: 0", "index"};

    (void)state;
    for (size_t i = 0; i < RL_COUNT(heads); i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "%s,ID,Kernel Name,Device,CC,gpu__time_duration.sum,dram__bytes.sum\n0,,,,,us,Mbyte\n"
                 "1,0.0,\"copy(int, int)\",0,8.0,12.5,25.25\n2,1.0,\"copy(int, int)\",0,8.0,12.5,25.25\n",
                 heads[i]);
        struct bench bench = bench_text(text);
        assert_int_equal(bench.capture->kernels[0].launches, 2);
        assert_int_equal(bench.capture->kernels[0].duration_ns[0], 12500);
        assert_metric(&bench, "copy", dram_bytes, 25.25e6);
        assert_int_equal(bench.capture->kernels[0].counter_count, 2); /* the index is no metric */
        bench_done(&bench);
    }
}

/* Columns in an order of somebody's own. */
static void columns_in_another_order(void **state)
{
    struct bench bench = bench_text("dram__bytes.sum,CC,Kernel Name,gpu__time_duration.sum,Device,ID\nMbyte,,,us,,\n"
                                    "25.25,8.0,\"copy(int, int)\",12.5,0,0\n");

    (void)state;
    assert_int_equal(bench.capture->kernels[0].duration_ns[0], 12500);
    assert_metric(&bench, "copy", dram_bytes, 25.25e6);
    bench_done(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_notation_and_separator_a_file),
        cmocka_unit_test(text_of_other_countries),
        cmocka_unit_test(evidence_comes_last_or_first),
        cmocka_unit_test(doubtful_numbers_are_refused),
        cmocka_unit_test(the_greater_number_decides),
        cmocka_unit_test(what_a_cell_reveals),
        cmocka_unit_test(utf_16),
        cmocka_unit_test(damaged_utf_16),
        cmocka_unit_test(index_columns),
        cmocka_unit_test(columns_in_another_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
