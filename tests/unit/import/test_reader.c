/* What the tables say and what stands around them: heads, messages, headings, notes. */
#include "bench.h"

#include "core/buf.h"
#include "lines.h"

#define ROWS_HEAD "\"ID\",\"Kernel Name\",\"Device\",\"CC\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
#define TIME(id, kernel, device, capability)                                                                                       \
    "\"" id "\",\"" kernel "\",\"" device "\",\"" capability "\",\"gpu__time_duration.sum\",\"ns\",\"5\"\n"
#define SUMMARY_HEAD "\"Time(%)\",\"Time\",\"Calls\",\"Avg\",\"Min\",\"Max\",\"Name\"\n%,ms,,ms,ms,ms,\n"
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static size_t logged(const struct bench *bench, const char *words)
{
    size_t count = 0;

    for (size_t i = 0; i < bench->capture->log_count; i++)
        count += strstr(bench->capture->log[i].text, words) != NULL;
    return count;
}

static void assert_logged(const struct bench *bench, const char *text)
{
    for (size_t i = 0; i < bench->capture->log_count; i++) {
        if (strcmp(bench->capture->log[i].text, text) == 0) {
            assert_int_equal(bench->capture->log[i].at_ns, 0);
            return;
        }
    }
    fail_msg("nothing says '%s'", text);
}

/* ---- messages ---- */

/* "==", digits or capitals, "== "; or "======== ". */
static void what_a_message_is(void **state)
{
    static const struct {
        const char *line;
        bool message;
    } rows[] = {
        {"==0== x\n", true},  {"==9== x\n", true},  {"==AZ== x\n", true}, {"======== x\n", true}, {"==/== x\n", false},
        {"==:== x\n", false}, {"==@== x\n", false}, {"==[== x\n", false}, {"==a== x\n", false},   {"==== x\n", false},
        {"==12==x\n", false}, {"==12", false},      {"=1== x\n", false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_refused(&(struct file){rows[i].line, 0}, 1, rows[i].message ? "only messages" : "neither a capture");
}

static void what_is_said_of_nothing(void **state)
{
    static const struct {
        const char *text, *words;
    } rows[] = {
        {"==ERROR== first\n==ERROR== second\n", "the profiler says: ==ERROR== first"},
        {"==1== Error: third\n", "the profiler says: ==1== Error: third"},
        {"==1== Warning: fourth\n", "only messages"},
        {" No kernels were profiled.\n", "nothing was profiled; the profiler says: No kernels"},
        {"    Section: Occupancy\n", "print it with ncu --csv --page raw"},
        {"  k(int) (1, 1, 1)x(1, 1, 1), Context 1, Stream 7\n", "print it with ncu --csv --page raw"},
        {"A Section: Occupancy\n", "neither a capture nor a known file"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_refused(&(struct file){rows[i].text, 0}, 1, rows[i].words);
}

/* Twenty messages are kept, each up to a length. */
static void many_messages(void **state)
{
    struct rl_buf text = RL_BUF_INIT;

    (void)state;
    rl_buf_adds(&text, ROWS_HEAD TIME("0", "k", "0", "9.0"));
    for (int i = 0; i < 25; i++) {
        rl_buf_addf(&text, "==%s== number %d ", i % 2 ? "ERROR" : "WARNING", i);
        rl_buf_fill(&text, 'x', 2000);
        rl_buf_addch(&text, '\n');
    }
    struct bench bench = bench_text(text.data);
    assert_int_equal(logged(&bench, "says: =="), 20);
    assert_true(bench_logged(&bench, RL_LOG_NOTE, "==WARNING== number 18 "));
    assert_true(bench_logged(&bench, RL_LOG_WARNING, "==ERROR== number 19 "));
    assert_int_equal(strlen(strstr(bench.capture->log[0].text, "==WARNING==")), 1000);
    bench_done(&bench);
    rl_buf_release(&text);
}

/* Which rows of a summary are kernels, the line above its head says. */
static void sections(void **state)
{
    static const struct {
        const char *heading;
        size_t kernels;
    } rows[] = {
        {"==1== Profiling result:\n", 2},
        {"==1== Metric result:\n", 2},
        {"==1== Event result:\n", 2},
        {"==1== API calls:\n", 1},
        {"==1== Unified Memory profiling result:\n", 1},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct rl_buf text = RL_BUF_INIT;
        rl_buf_adds(&text, "==1== API calls:\n" SUMMARY_HEAD "1,1,1,1,1,1,call\n");
        rl_buf_adds(&text, rows[i].heading);
        rl_buf_adds(&text, SUMMARY_HEAD "1,1,1,1,1,1,other\n");
        rl_buf_adds(&text, "==1== Profiling result:\n" SUMMARY_HEAD "1,1,1,1,1,1,k\n");
        struct bench bench = bench_text(text.data);
        assert_int_equal(bench.capture->kernel_count, rows[i].kernels);
        bench_done(&bench);
        rl_buf_release(&text);
    }
}

static void versions(void **state)
{
    static const struct {
        const char *line, *version;
    } rows[] = {
        {"Version 2019.0.9 (build 1)\nVersion 2020.1 (build 2)\n", " 2019.0.9"},
        {"Version 2020:1 (build 2)\n", ""},
        {"Version 2020/1 (build 2)\n", ""},
        {"Version 2020.1a (build 2)\n", ""},
        {"Version 2020.1 build 2\n", ""},
        {"Version 1920.1 (build 2)\n", ""},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct rl_buf text = RL_BUF_INIT, expected = RL_BUF_INIT;
        rl_buf_addf(&text, "%s" ROWS_HEAD TIME("0", "k", "0", "9.0"), rows[i].line);
        rl_buf_addf(&expected, "imported from Nsight Compute%s (a row for each metric)", rows[i].version);
        struct bench bench = bench_text(text.data);
        assert_string_equal(bench.capture->session.counters, expected.data);
        bench_done(&bench);
        rl_buf_release(&text);
        rl_buf_release(&expected);
    }
}

/* ---- printed tables ---- */

#define PRINTED_HEAD "Invocations    Metric Name    Metric Description    Min    Max    Avg\n"
#define PRINTED_ROW  "   3    achieved_occupancy    Achieved Occupancy    0.1    0.3    0.2\n"

static void headings(void **state)
{
    struct bench bench = bench_text(PRINTED_HEAD "Device \"GeForce GT\n" /* its end is cut */
                                                 "    Kernel: first\n" PRINTED_ROW "Device \"Tesla K40c (3)\"\n" PRINTED_ROW);

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 1);
    assert_string_equal(bench.capture->gpus[0].name, "GeForce GT");
    assert_int_equal(bench.capture->gpus[0].index, 0);
    assert_true(bench_logged(&bench, RL_LOG_NOTE, "do not say which kernel they belong to were left out: 1"));
    bench_done(&bench);

    bench = bench_text(PRINTED_HEAD "Device \"\n    Kernel: k\n" PRINTED_ROW);
    assert_string_equal(bench.capture->gpus[0].name, "unknown GPU");
    bench_done(&bench);
}

/* The type stands in the first of its rows only; colons belong to names too. */
static void types(void **state)
{
    struct bench bench = bench_text("           Type  Time(%)    Time  Calls    Avg    Min    Max  Name\n"
                                    "      API calls:  80.00%  1.00s  1  1.00s  1.00s  1.00s  cudaDeviceSynchronize\n"
                                    "                  10.00%  1.00s  1  1.00s  1.00s  1.00s  cudaFree\n"
                                    " GPU activities:  60.00%  2.00s  2  1.00s  1.00s  1.00s  first(int)\n"
                                    "                  05.00%  3.00s  3  1.00s  1.00s  1.00s  second(a:  b)\n"
                                    "                  95.00%  4.00s  4  1.00s  1.00s  1.00s  third(a:  b)\n");

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 3);
    assert_int_equal(bench_kernel(&bench, "first(int)")->launches, 2);
    assert_int_equal(bench_kernel(&bench, "second(a:  b)")->launches, 3);
    assert_int_equal(bench_kernel(&bench, "third(a:  b)")->launches, 4);
    assert_true(bench_logged(&bench, RL_LOG_NOTE, "calls on the host were left out: 2"));
    bench_done(&bench);
}

/* ---- rows ---- */

/* A table's columns stand in any order, and the first one may have a unit. */
static void duration_first(void **state)
{
    struct bench bench = bench_text("Duration,Start,Grid X,Name\nus,s,,\n2,0.5,7,k\n");

    (void)state;
    assert_int_equal(bench.capture->kernels[0].duration_ns[0], 2000);
    bench_done(&bench);
}

/* A shape is known as a whole or not at all. */
static void half_a_shape(void **state)
{
    static const char *const shapes[] = {"\"(8, 1)\",\"(64, 1, 1)\"", "\"(8, 1, 1)\",\"(64, 1)\"", "\"\",\"(64, 1, 1)\""};

    (void)state;
    for (size_t i = 0; i < COUNT(shapes); i++) {
        struct rl_buf text = RL_BUF_INIT;
        rl_buf_addf(&text, "ID,Kernel Name,Grid Size,Block Size,Metric Name,Metric Value\n0,k,%s,x__a.sum,5\n", shapes[i]);
        struct bench bench = bench_text(text.data);
        for (int axis = 0; axis < 3; axis++) {
            assert_int_equal(bench.capture->kernels[0].grid[axis], 0);
            assert_int_equal(bench.capture->kernels[0].block[axis], 0);
        }
        bench_done(&bench);
        rl_buf_release(&text);
    }
}

/* The second line begins with an escaped quote, one that closes the cell, and one that opens the next: it is no new row. */
static void a_name_that_ends_in_a_quote(void **state)
{
    struct bench bench = bench_text(ROWS_HEAD "\"0\",\"a\n\"\"\",\"0\",\"9.0\",\"gpu__time_duration.sum\",\"ns\",\"5\"\n");

    (void)state;
    assert_string_equal(bench.capture->kernels[0].name, "a\n\"");
    bench_done(&bench);
}

/* A row goes on over lines that look like nothing, and ends where another one begins. */
static void names_over_lines(void **state)
{
    struct bench bench = bench_text(ROWS_HEAD TIME("1", "a\nmiddle\nb", "0", "9.0") "\"2\",\"cut\n" TIME(
        "0", "c\nd", "0", "9.0") "\"2\",\"cut\n" TIME("9", "e\nf", "0", "9.0"));
    static const char *const names[] = {"a\nmiddle\nb", "c\nd", "e\nf"};

    (void)state;
    assert_int_equal(bench.capture->kernel_count, COUNT(names));
    for (size_t i = 0; i < COUNT(names); i++)
        assert_string_equal(bench.capture->kernels[i].name, names[i]);
    assert_logged(&bench, "import: damaged rows were left out: 2 (input.csv)");
    bench_done(&bench);
}

static void a_row_without_its_value(void **state)
{
    struct bench bench = bench_text(ROWS_HEAD TIME("0", "k", "0", "9.0") "1,k,0,9.0,gpu__time_duration.sum,ns\n");

    (void)state;
    assert_int_equal(bench.capture->kernels[0].launches, 1);
    assert_logged(&bench, "import: damaged rows were left out: 1 (input.csv)");
    bench_done(&bench);
}

/* A row of units has no number anywhere, and comes first. */
static void no_row_of_units(void **state)
{
    struct bench bench = bench_text("ID,Kernel Name,x__a.sum\n0,,Kbyte\n,,Kbyte\n1,k,5\n");

    (void)state;
    assert_counter(&bench, "k", "x__a.sum", 5);
    assert_logged(&bench, "import: damaged rows were left out: 1 (input.csv)");
    bench_done(&bench);
}

static void a_summary_of_no_launches(void **state)
{
    struct bench bench = bench_text("Kernel Name,Invocations,Metric Name,Metric Unit,Minimum,Maximum,Average\n"
                                    "k,0,x__a.sum,,1,1,1\nk,2,x__b.sum,,1,3,2\n");

    (void)state;
    assert_counter(&bench, "k", "x__b.sum", 2);
    assert_false(bench_has(&bench, "k", "x__a.sum"));
    assert_logged(&bench, "import: damaged rows were left out: 1 (input.csv)");
    bench_done(&bench);
}

static void copies(void **state)
{
    struct bench bench =
        bench_text("Start,Duration,Grid X,Name\ns,s,,\n1,1,,[CUDA memset]\n1,1,,[Unified Memory Memcpy]\n1,1,1,k\n");

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 1);
    assert_logged(&bench, "import: rows of copies and other work that is no kernel were left out: 2");
    bench_done(&bench);
}

static void names_of_launches(void **state)
{
    static const struct {
        const char *printed, *name;
    } rows[] = {
        {"k [5]", "k"},     {"k [0]", "k"},     {"k [90]", "k"},    {"k(int) [109]", "k(int)"}, {"k[5]", "k[5]"}, {"k []", "k []"},
        {"k [x]", "k [x]"}, {"k [/]", "k [/]"}, {"k [:]", "k [:]"}, {"k (5]", "k (5]"},         {"[55]", "[55]"}, {"k [5", "k [5"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct rl_buf text = RL_BUF_INIT;
        rl_buf_addf(&text, "Start,Duration,Grid X,Name\ns,s,,\n1,1,1,%s\n", rows[i].printed);
        struct bench bench = bench_text(text.data);
        assert_string_equal(bench.capture->kernels[0].name, rows[i].name);
        bench_done(&bench);
        rl_buf_release(&text);
    }
}

/* ---- cards ---- */

static void devices(void **state)
{
    static const struct {
        const char *device, *capability, *name;
        int index, major, minor;
    } rows[] = {
        {"0", "9.0", "unknown GPU (GH100)", 0, 9, 0}, {"1023", "99.9", "unknown GPU", 1023, 99, 9},
        {"1024", "10.3", "1024", 0, 10, 3},           {"some card", "1.2", "some card", 0, 1, 2},
        {"0", "100.0", "unknown GPU", 0, 0, 0},       {"0", "9.10", "unknown GPU", 0, 0, 0},
        {"0", "90", "unknown GPU", 0, 0, 0},          {"0", "x.1", "unknown GPU", 0, 0, 0},
        {"0", "9.x", "unknown GPU", 0, 0, 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct rl_buf text = RL_BUF_INIT;
        rl_buf_addf(&text, ROWS_HEAD "0,k,%s,%s,x__a.sum,,5\n1,k,%s,1.1,x__a.sum,,5\n", rows[i].device, rows[i].capability,
                    rows[i].device);
        struct bench bench = bench_text(text.data);
        const struct rl_gpu *gpu = &bench.capture->gpus[0];
        assert_string_equal(gpu->name, rows[i].name);
        assert_int_equal(gpu->index, rows[i].index);
        assert_int_equal(gpu->cc_major, rows[i].major ? rows[i].major : 1); /* the first one that can be read stays */
        assert_int_equal(gpu->cc_minor, rows[i].major ? rows[i].minor : 1);
        bench_done(&bench);
        rl_buf_release(&text);
    }
}

/* ---- notes ---- */

/* Words of a value begin with no digit. The first four different places are named, up to a length. */
static void notes(void **state)
{
    struct rl_buf text = RL_BUF_INIT, expected = RL_BUF_INIT;
    static const char *const values[] = {"/1", "/1", ":1", "A1", "0,5", "9,5", "1e5.3"};

    (void)state;
    rl_buf_adds(&text, ROWS_HEAD);
    for (size_t i = 0; i < COUNT(values); i++)
        rl_buf_addf(&text, "0,k,0,9.0,x__%zu.sum,,\"%s\"\n", i, values[i]);
    rl_buf_adds(&text, "0,k,0,9.0,x__last.sum,,5\n0,k,0,9.0,y__1.sum,,5.5\n0,k,0,9.0,y__2.sum,,5.5\n0,k,0,9.0,y__3.sum,,5.5\n");
    struct bench bench = bench_text(text.data);
    assert_logged(&bench, "import: values that are words, not numbers, were not kept: 4 (/1, :1, A1)");
    assert_logged(&bench,
                  "import: values that are numbers in a notation that is not understood were not kept: 3 (0,5, 9,5, 1e5.3)");
    bench_done(&bench);

    rl_buf_adds(&text, "0,k,0,9.0,x__word.sum,,\"");
    rl_buf_fill(&text, 'b', 130);
    rl_buf_adds(&text, "\"\n0,k,0,9.0,x__word.sum,,C\n0,k,0,9.0,x__word.sum,,D\n");
    rl_buf_adds(&expected, "import: values that are words, not numbers, were not kept: 7 (/1, :1, A1, ");
    rl_buf_fill(&expected, 'b', 120);
    rl_buf_adds(&expected, ", ...)");
    bench = bench_text(text.data);
    assert_logged(&bench, expected.data);
    bench_done(&bench);
    rl_buf_release(&text);
    rl_buf_release(&expected);
}

/* Ten values above what a GPU can do are told one by one. */
static void impossible_values(void **state)
{
    (void)state;
    for (int count = 10; count <= 12; count++) {
        struct rl_buf text = RL_BUF_INIT;
        rl_buf_adds(&text, ROWS_HEAD);
        for (int i = 0; i < count; i++)
            rl_buf_addf(&text, "%d,k%d,0,9.0,sm__warps_active.avg.pct_of_peak_sustained_active,%%,130\n", i, i);
        struct bench bench = bench_text(text.data);
        assert_int_equal(logged(&bench, "achieved occupancy of 130.0 % is above"), 10);
        assert_int_equal(logged(&bench, "more values are above"), count > 10);
        if (count == 12)
            assert_logged(&bench, "import: 2 more values are above what a GPU can do");
        bench_done(&bench);
        rl_buf_release(&text);
    }
}

/* Names are shortened to 80 columns in what is said of them; a limit of 0 is none. */
static void what_is_said_of_impossible_values(void **state)
{
    struct rl_buf text = RL_BUF_INIT, expected = RL_BUF_INIT;

    (void)state;
    rl_buf_adds(&text, ROWS_HEAD "0,k,0,9.0,device__attribute_clock_rate,,0\n0,k,0,9.0,SM Frequency,Ghz,1\n1,");
    rl_buf_fill(&text, 'x', 100);
    rl_buf_adds(&text, ",0,9.0,Achieved Occupancy,%,130\n");
    rl_buf_adds(&expected, "import: ");
    rl_buf_fill(&expected, 'x', 40);
    rl_buf_adds(&expected, "\u2026");
    rl_buf_fill(&expected, 'x', 39);
    rl_buf_adds(&expected, ": achieved occupancy of 130.0 % is above 100.0 % (all warp slots in use): check the unit in the file");
    struct bench bench = bench_text(text.data);
    assert_logged(&bench, expected.data);
    assert_int_equal(logged(&bench, "is above"), 1);
    bench_done(&bench);
    rl_buf_release(&text);
    rl_buf_release(&expected);
}

/* ---- lines ---- */

/* Lines around the limit, and longer by more than is read at once; with and without a line behind them. */
static void lines_around_the_limit(void **state)
{
    static const size_t more[] = {0, 1, 300000, 600000};

    (void)state;
    rl_lines_close(NULL);
    for (size_t i = 0; i < 2 * COUNT(more); i++) {
        const size_t len = RL_IMPORT_MAX_LINE + more[i / 2];
        struct rl_buf text = RL_BUF_INIT;
        struct rl_text line;
        rl_buf_fill(&text, 'a', len);
        rl_buf_adds(&text, i % 2 ? "\nb\nc" : "");
        struct rl_lines *lines = rl_lines_of(text.data, text.len);
        assert_true(rl_lines_next(lines, &line));
        assert_int_equal(line.len, RL_IMPORT_MAX_LINE);
        assert_int_equal(rl_lines_was_truncated(lines), more[i / 2] > 0);
        for (int next = 'b'; i % 2 && next <= 'c'; next++) {
            assert_true(rl_lines_next(lines, &line));
            assert_int_equal(line.len, 1);
            assert_int_equal(line.at[0], next);
            assert_false(rl_lines_was_truncated(lines));
        }
        assert_false(rl_lines_next(lines, &line));
        rl_lines_close(lines);
        rl_buf_release(&text);
    }
}

/* What only looks like another format is text. */
static void nearly_other_formats(void **state)
{
    static const struct file files[] = {
        {"\xFF\xFDx", 3},       {"\xFE\xFEx", 3}, {"\xFF", 1}, {"SQLite format 2\0", 16},
        {"SQLite format ", 14}, {"NVR_x", 5},     {"NVR", 3},  {"\x1F\x8Cx", 3},
        {"PK\3\5x", 5},         {"PK\3", 3},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(files); i++)
        assert_refused(&files[i], 1, "neither a capture");
}

/* On the way out of a failure what was not made yet is freed as well. */
static void nothing_is_freed(void **state)
{
    (void)state;
    rl_record_free(NULL);
    rl_lines_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_message_is),
        cmocka_unit_test(what_is_said_of_nothing),
        cmocka_unit_test(many_messages),
        cmocka_unit_test(sections),
        cmocka_unit_test(versions),
        cmocka_unit_test(headings),
        cmocka_unit_test(types),
        cmocka_unit_test(duration_first),
        cmocka_unit_test(half_a_shape),
        cmocka_unit_test(a_name_that_ends_in_a_quote),
        cmocka_unit_test(names_over_lines),
        cmocka_unit_test(a_row_without_its_value),
        cmocka_unit_test(no_row_of_units),
        cmocka_unit_test(a_summary_of_no_launches),
        cmocka_unit_test(copies),
        cmocka_unit_test(names_of_launches),
        cmocka_unit_test(devices),
        cmocka_unit_test(notes),
        cmocka_unit_test(impossible_values),
        cmocka_unit_test(what_is_said_of_impossible_values),
        cmocka_unit_test(lines_around_the_limit),
        cmocka_unit_test(nearly_other_formats),
        cmocka_unit_test(nothing_is_freed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
