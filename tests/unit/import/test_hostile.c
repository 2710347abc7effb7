/* Files that are not what they should be, and files that want to be too much. */
#include "bench.h"

#include "core/buf.h"
#include "lines.h"

#define HEAD "\"ID\",\"Kernel Name\",\"Device\",\"CC\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"

static void refuse(const char *text, const char *words)
{
    assert_refused(&(struct file){text, 0}, 1, words);
}

/* ---- nothing to import: one line says why ---- */

static void nothing_measured(void **state)
{
    (void)state;
    refuse("==1== NVPROF is profiling process 1\n==1== Profiling result:\nNo events/metrics were profiled.\n",
           "nothing was profiled");
    refuse("==PROF== Connected to process 7\n==PROF== Disconnected from process 7\n", "only messages of the profiler");
    refuse("==PROF== Connected\n==ERROR== ERR_NVGPUCTRPERM - The user does not have permission\n", "ERR_NVGPUCTRPERM");
    refuse("==WARNING== No kernels were profiled.\n", "only messages");
    refuse("\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n", "no row for a kernel");
    refuse("  saxpy(int) (1, 1, 1)x(1, 1, 1), Context 1, Stream 7, Device 0, CC 9.0\n    Section: GPU Speed Of Light\n",
           "print it with ncu --csv --page raw");
    refuse("kernel,registers\nsaxpy,16\n", "neither a capture nor a known file");
    refuse("hello\n", "neither a capture nor a known file");
    refuse("\n", "neither a capture nor a known file");
    refuse("==1== Profiling "
           "result:\n\"Time(%)\",\"Time\",\"Calls\",\"Avg\",\"Min\",\"Max\",\"Name\"\n%,ms,,ms,ms,ms,\n100,1,1,1,1,1,\"[CUDA "
           "memset]\"\n",
           "no row for a kernel");
}

/* A line below the head of a summary that is no row of it may be a message, also where commas make cells of it. */
static void lines_that_are_no_rows(void **state)
{
    (void)state;
    refuse("==1== Profiling result:\n\"Time(%)\",\"Time\",\"Calls\",\"Avg\",\"Min\",\"Max\",\"Name\"\n%,ms,,ms,ms,ms,\n"
           "No kernels were profiled, it says\n",
           "nothing was profiled; the profiler says: No kernels were profiled, it says");
}

/* What stands in a row or a heading is no message of the profiler, and no banner. */
static void rows_are_no_messages(void **state)
{
    (void)state;
    refuse("ID,Kernel Name,x__a.sum\n0,No kernels were profiled\n", "no row for a kernel");
    refuse("Start,Duration,Grid X,Name\ns,s,,\n1,1,,[CUDA memcpy No kernels were profiled]\n", "no row for a kernel");
    refuse("    Kernel: No kernels were profiled\n", "neither a capture nor a known file");
    struct bench bench = bench_text("Kernel Name,ID,x__a.sum\nVersion 2099 (build 1),0,5\n");
    assert_string_equal(bench.capture->session.counters, "imported from Nsight Compute (raw page)");
    bench_done(&bench);
    rl_import_free(NULL);
}

static void other_formats(void **state)
{
    static const struct {
        struct file file;
        const char *words;
    } rows[] = {
        {{"SQLite format 3\0....", 20}, "SQLite"},
        {{"NVR\0\1\2\3\4", 8}, "report of Nsight Compute"},
        {{"\x1F\x8B\x08\0", 4}, "compressed"},
        {{"PK\3\4", 4}, "': it is a ZIP archive: unpack it first"},
    };
    struct rl_err err = RL_ERR_INIT;
    struct rl_capture *capture = NULL;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_refused(&rows[i].file, 1, rows[i].words);
    assert_int_equal(bench_read(NULL, 0, NULL, &capture, &err), RL_FORMAT);
}

static void no_such_file(void **state)
{
    const struct rl_import_options options = {.tool_version = "1"};
    struct rl_import *import = rl_import_new(&options);
    struct rl_err err = RL_ERR_INIT;

    (void)state;
    assert_int_equal(rl_import_file(import, "/nowhere/x.csv", &err), RL_ABSENT);
    assert_string_equal(err.text, "cannot read '/nowhere/x.csv': no such file or folder");
    assert_int_equal(rl_import_file(import, "/", &err), RL_IO);
    rl_import_free(import);
}

/* One bad file of several fails the whole. */
static void one_of_several(void **state)
{
    const struct file files[] = {{HEAD "\"0\",\"k\",\"0\",\"9.0\",\"gpu__time_duration.sum\",\"ns\",\"5\"\n", 0}, {"hello\n", 0}};

    (void)state;
    assert_refused(files, 2, "neither a capture nor a known file");
}

/* ---- damage ---- */

static void quotes_that_do_not_close(void **state)
{
    struct bench bench = bench_text(HEAD "\"0\",\"first\",\"0\",\"9.0\",\"gpu__time_duration.sum\",\"ns\",\"5\"\n"
                                         "\"1\",\"cut here\n"
                                         "\"2\",\"two\nlines\",\"0\",\"9.0\",\"gpu__time_duration.sum\",\"ns\",\"6\"\n"
                                         "\"3\",\"cut at the end");

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 2);
    assert_string_equal(bench.capture->kernels[1].name, "two\nlines");
    assert_int_equal(bench.capture->kernels[1].duration_ns[0], 6);
    assert_true(bench_logged(&bench, RL_LOG_WARNING, "damaged rows were left out: 2"));
    bench_done(&bench);
}

/* A cut row is followed by a whole one: it must not swallow it. */
static void a_cut_row_ends(void **state)
{
    struct bench bench = bench_text(HEAD "\"0\",\"cut here\n"
                                         "\"1\",\"whole\",\"0\",\"9.0\",\"gpu__time_duration.sum\",\"ns\",\"6\"\n");

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 1);
    assert_string_equal(bench.capture->kernels[0].name, "whole");
    bench_done(&bench);
}

static void bytes_of_value_0(void **state)
{
    static const char text[] = HEAD "\"0\",\"a\0b\xFF\xFE\",\"0\",\"9.0\",\"gpu__time_\0x\",\"ns\",\"5\"\n";
    struct bench bench = bench_files(&(struct file){text, sizeof text - 1}, 1, NULL);

    (void)state;
    assert_string_equal(bench.capture->kernels[0].name, "a?b\xFF\xFE");
    assert_counter(&bench, "a?b", "gpu__time_?x", 5e-9);
    bench_done(&bench);
}

static void numbers_beyond_sense(void **state)
{
    struct bench bench = bench_text(HEAD "\"0\",\"k\",\"0\",\"9.0\",\"gpu__time_duration.sum\",\"s\",\"-1\"\n"
                                         "\"0\",\"k\",\"0\",\"9.0\",\"launch__registers_per_thread\",\"\",\"99999999999\"\n"
                                         "\"0\",\"k\",\"0\",\"9.0\",\"launch__sm_count\",\"\",\"-4\"\n"
                                         "\"0\",\"k\",\"0\",\"9.0\",\"launch__shared_mem_per_block_dynamic\",\"\",\"1e300\"\n"
                                         "\"0\",\"k\",\"0\",\"9.0\",\"x__a.sum\",\"Tbyte\",\"1e308\"\n"
                                         "\"0\",\"k\",\"0\",\"9.0\",\"x__b.sum\",\"byte\",\"1e308\"\n"
                                         "\"1\",\"k\",\"0\",\"9.0\",\"launch__shared_mem_per_block_dynamic\",\"\",\"1e300\"\n"
                                         "\"1\",\"k\",\"0\",\"9.0\",\"gpu__time_duration.sum\",\"s\",\"1e30\"\n"
                                         "\"1\",\"k\",\"0\",\"9.0\",\"x__b.sum\",\"byte\",\"-1e308\"\n"
                                         "\"1\",\"k\",\"0\",\"99999.5\",\"x__c.sum\",\"byte\",\"1e400\"\n");

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 1);
    assert_int_equal(bench.capture->kernels[0].duration_count, 0);
    assert_null(bench.capture->kernels[0].timing);
    assert_false(rl_present(bench.capture->kernels[0].registers_per_thread));
    assert_false(rl_present(bench.capture->gpus[0].fact[RL_FACT_sm_count]));
    assert_int_equal(bench.capture->gpus[0].cc_major, 9);
    assert_false(bench_has(&bench, "k", "x__a.sum"));
    assert_true(bench_logged(&bench, RL_LOG_WARNING, "durations that are 0, negative, too long or missing were not kept: 2"));
    bench_done(&bench);
}

static void names_of_any_length(void **state)
{
    struct rl_buf text = RL_BUF_INIT;

    (void)state;
    rl_buf_adds(&text, HEAD "\"0\",\"void at::<unnamed>::f<");
    rl_buf_fill(&text, 'x', 2300);
    rl_buf_adds(&text, ">(int)\",\"0\",\"9.0\",\"gpu__time_duration.sum\",\"ns\",\"5\"\n\"1\",\"");
    rl_buf_fill(&text, 'y', 200000);
    rl_buf_adds(&text, "\",\"0\",\"9.0\",\"gpu__time_duration.sum\",\"ns\",\"5\"\n");
    struct bench bench = bench_text(text.data);
    assert_int_equal(strlen(bench.capture->kernels[0].name), 22 + 2300 + 6);
    assert_int_equal(strlen(bench.capture->kernels[1].name), RL_CAPTURE_MAX_TEXT);
    bench_done(&bench);
    rl_buf_release(&text);
}

/* ---- limits ---- */

static void a_line_beyond_the_limit(void **state)
{
    struct rl_buf text = RL_BUF_INIT;

    (void)state;
    rl_buf_adds(&text, HEAD "\"0\",\"");
    rl_buf_fill(&text, 'x', RL_IMPORT_MAX_LINE + 100);
    rl_buf_adds(&text, "\",\"0\",\"9.0\",\"gpu__time_duration.sum\",\"ns\",\"5\"\n"
                       "\"1\",\"behind it\",\"0\",\"9.0\",\"gpu__time_duration.sum\",\"ns\",\"5\"\n");
    struct bench bench = bench_text(text.data);
    assert_int_equal(bench.capture->kernel_count, 1);
    assert_string_equal(bench.capture->kernels[0].name, "behind it");
    assert_true(bench_logged(&bench, RL_LOG_WARNING, "lines beyond the limit of length were left out: 1"));
    bench_done(&bench);
    rl_buf_release(&text);
}

static void a_table_beyond_the_limit(void **state)
{
    struct rl_buf text = RL_BUF_INIT;

    (void)state;
    rl_buf_adds(&text, "\"ID\",\"Kernel Name\"");
    for (int i = 0; i < RL_IMPORT_MAX_COLUMNS; i++)
        rl_buf_adds(&text, ",a__b");
    rl_buf_adds(&text, "\n" HEAD "\"1\",\"k\",\"0\",\"9.0\",\"gpu__time_duration.sum\",\"ns\",\"5\"\n");
    struct bench bench = bench_text(text.data);
    assert_int_equal(bench.capture->kernel_count, 1);
    assert_true(bench_logged(&bench, RL_LOG_WARNING, "tables beyond the limit of columns were left out: 1"));
    bench_done(&bench);
    rl_buf_release(&text);
}

/* More foreign metrics than a class may have: ours stay. */
static void metrics_beyond_the_limit(void **state)
{
    struct rl_buf text = RL_BUF_INIT;

    (void)state;
    rl_buf_adds(&text, HEAD);
    for (int i = 0; i < RL_IMPORT_MAX_FOREIGN_OF_CLASS + 10; i++)
        rl_buf_addf(&text, "\"0\",\"k\",\"0\",\"9.0\",\"x__%d.sum\",\"\",\"%d\"\n", i, i);
    rl_buf_adds(&text, "\"0\",\"k\",\"0\",\"9.0\",\"sm__warps_active.avg.pct_of_peak_sustained_active\",\"%\",\"50\"\n");
    struct bench bench = bench_text(text.data);
    assert_metric(&bench, "k", achieved_occupancy, 0.5);
    assert_counter(&bench, "k", "x__7999.sum", 7999);
    assert_false(bench_has(&bench, "k", "x__8000.sum"));
    assert_true(bench_logged(&bench, RL_LOG_WARNING, "foreign metrics beyond the limit"));
    bench_done(&bench);
    rl_buf_release(&text);
}

/* ---- impossible values are kept and flagged ---- */

static void above_what_a_card_can_do(void **state)
{
    struct bench bench = bench_text(
        "\"ID\",\"Kernel "
        "Name\",\"Device\",\"CC\",\"device__attribute_memory_clock_rate\",\"device__attribute_global_memory_bus_width\","
        "\"sm__warps_active.avg.pct_of_peak_sustained_active\",\"dram__bytes.sum.per_second\",\"smsp__inst_executed.sum\"\n"
        "\"\",\"\",\"\",\"\",\"\",\"\",\"%\",\"Gbyte/s\",\"inst\"\n"
        "\"0\",\"much\",\"0\",\"7.5\",\"5,000,000\",\"256\",\"130\",\"500\",\"1\"\n"
        "\"1\",\"fits\",\"0\",\"7.5\",\"5,000,000\",\"256\",\"100\",\"320\",\"1\"\n");

    (void)state;
    assert_metric(&bench, "much", achieved_occupancy, 1.3);
    assert_true(bench_logged(&bench, RL_LOG_WARNING, "much: achieved occupancy of 130.0 % is above 100.0 %"));
    assert_true(bench_logged(&bench, RL_LOG_WARNING, "much: DRAM throughput of 500.0 GB/s is above 320.0 GB/s"));
    assert_false(bench_logged(&bench, RL_LOG_WARNING, "fits:"));
    bench_done(&bench);
}

/* ---- the parts ---- */

static void lines_of_a_file(void **state)
{
    static const char text[] = "\xEF\xBB\xBF"
                               "one\r\n\r\ntwo\n three \rx\nlast";
    static const char *const expected[] = {"one", "", "two", " three \rx", "last"};
    struct rl_lines *lines = rl_lines_of(text, sizeof text - 1);
    struct rl_text line;

    (void)state;
    for (size_t i = 0; i < 5; i++) {
        assert_true(rl_lines_next(lines, &line));
        assert_true(rl_text_is(line, expected[i]));
        assert_false(rl_lines_was_truncated(lines));
    }
    assert_false(rl_lines_next(lines, &line));
    assert_false(rl_lines_next(lines, &line));
    rl_lines_close(lines);
}

/* Lines of every length around the size of a chunk come out whole. */
static void lines_around_a_chunk(void **state)
{
    (void)state;
    for (size_t len = 256 * 1024 - 3; len < 256 * 1024 + 3; len++) {
        struct rl_buf text = RL_BUF_INIT;
        struct rl_text line;
        rl_buf_fill(&text, 'a', len);
        rl_buf_adds(&text, "\nb\n");
        struct rl_lines *lines = rl_lines_of(text.data, text.len);
        assert_true(rl_lines_next(lines, &line));
        assert_int_equal(line.len, len);
        assert_true(rl_lines_next(lines, &line));
        assert_true(rl_text_is(line, "b"));
        assert_false(rl_lines_next(lines, &line));
        rl_lines_close(lines);
        rl_buf_release(&text);
    }
}

static void records(void **state)
{
    struct rl_record *record = rl_record_new();

    (void)state;
    rl_record_read_csv(record, rl_text_of("\"a,b\",, c d ,\"say \"\"x\"\"\",\"l1\nl2\",7%"), ',');
    assert_int_equal(rl_record_count(record), 6);
    assert_true(rl_text_is(rl_record_cell(record, 0), "a,b"));
    assert_true(rl_text_is(rl_record_cell(record, 1), ""));
    assert_true(rl_text_is(rl_record_cell(record, 2), "c d"));
    assert_true(rl_text_is(rl_record_cell(record, 3), "say \"x\""));
    assert_true(rl_text_is(rl_record_cell(record, 4), "l1\nl2"));
    assert_true(rl_text_is(rl_record_cell(record, 5), "7%"));
    assert_true(rl_text_is(rl_record_cell(record, 6), ""));
    rl_record_read_csv(record, rl_text_of("\"open"), ',');
    assert_int_equal(rl_record_count(record), 1);
    rl_record_read_printed(record, rl_text_of("  a b   c  d  e  f "), 3);
    assert_int_equal(rl_record_count(record), 3);
    assert_true(rl_text_is(rl_record_cell(record, 0), "a b"));
    assert_true(rl_text_is(rl_record_cell(record, 2), "d  e  f"));
    rl_record_free(record);
}

/* A file that is there and cannot be opened is another failure than one that is not. */
static void a_file_that_cannot_be_opened(void **state)
{
    const struct rl_import_options options = {.tool_version = "1"};
    struct rl_import *import = rl_import_new(&options);
    struct rl_err err = RL_ERR_INIT;

    (void)state;
    assert_int_equal(rl_import_file(import, "/dev/null/x.csv", &err), RL_IO);
    assert_string_equal(err.text, "cannot read '/dev/null/x.csv': Not a directory");
    rl_import_free(import);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_measured),
        cmocka_unit_test(lines_that_are_no_rows),
        cmocka_unit_test(rows_are_no_messages),
        cmocka_unit_test(other_formats),
        cmocka_unit_test(no_such_file),
        cmocka_unit_test(one_of_several),
        cmocka_unit_test(quotes_that_do_not_close),
        cmocka_unit_test(a_cut_row_ends),
        cmocka_unit_test(bytes_of_value_0),
        cmocka_unit_test(numbers_beyond_sense),
        cmocka_unit_test(names_of_any_length),
        cmocka_unit_test(a_line_beyond_the_limit),
        cmocka_unit_test(a_table_beyond_the_limit),
        cmocka_unit_test(metrics_beyond_the_limit),
        cmocka_unit_test(above_what_a_card_can_do),
        cmocka_unit_test(lines_of_a_file),
        cmocka_unit_test(lines_around_a_chunk),
        cmocka_unit_test(records),
        cmocka_unit_test(a_file_that_cannot_be_opened),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
