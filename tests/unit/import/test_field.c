/* The small inputs in the forms that people have, where they are there (RL_FIELD): the values that EXPECT.md there names right. */
#include "bench.h"

#include "core/buf.h"
#include "core/fs.h"

/* Reads one of them; skips the test when they are not there. */
static struct bench field(const char *name)
{
    return bench_of(bench_there(RL_FIELD, "RL_FIELD", 1, &name));
}

static void nvprof_metrics_no_times(void **state)
{
    struct bench bench = field("nvprof_metrics_no_times.csv");
    const struct rl_kernel_result *result = &bench.analysis->kernels[0];

    (void)state;
    assert_metric(&bench, "stencil", flop_per_second, 10737418240 / (5368709120 / (500 * 1073741824.0)));
    assert_metric(&bench, "stencil", intensity_dram, 2);
    assert_metric(&bench, "stencil", dram_bytes_per_second, 500 * 1073741824.0);
    assert_close(result->roof_share.v, 0.733, 5e-4);
    assert_int_equal(result->bound, RL_BOUND_MEMORY);
    assert_int_equal(result->duration.n, 0);
    bench_done(&bench);
}

static void roofline_recipe(void **state)
{
    struct bench a100 = field("roofline_recipe_no_tensor_a100.csv"), v100 = field("roofline_recipe_no_tensor_v100.csv");

    (void)state;
    assert_metric(&a100, "k", flop_per_second, 4e12);
    assert_metric(&a100, "k", intensity_dram, 4);
    assert_metric(&v100, "k", flop_per_second, 2e12);
    assert_metric(&v100, "k", intensity_dram, 4);
    bench_done(&a100);
    bench_done(&v100);
}

/* The same work a launch in the first three, twice as much in the last one. */
static void work_of_a_launch(void **state)
{
    static const char *const files[] = {"work_a100_20launches.csv", "work_a100_same_run_half_profiled.csv",
                                        "work_v100_10launches.csv", "work_a100_double_ops.csv"};

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct bench bench = field(files[i]);
        assert_int_equal(bench.capture->kernels[0].launches, i == 0 ? 20 : 10);
        assert_metric(&bench, "k", flop_total, i == 3 ? 2e9 : 1e9);
        assert_metric(&bench, "k", dram_bytes, i == 3 ? 2e8 : 1e8);
        bench_done(&bench);
    }
}

static void a100_base_clock(void **state)
{
    struct bench bench = field("a100_base_clock.csv");

    (void)state;
    assert_int_equal(bench.capture->kernels[0].launches, 10);
    assert_metric(&bench, "stencil", achieved_occupancy, 0.8);
    assert_metric(&bench, "stencil", dram_bytes_per_second, 5368709120 / 5e-3);
    assert_metric(&bench, "stencil", flop_total, 10737418240.0);
    assert_metric(&bench, "stencil", intensity_dram, 2);
    bench_done(&bench);
}

static void locale_dots(void **state)
{
    struct bench bench = field("locale_dots.csv");

    (void)state;
    assert_int_equal(bench.capture->kernels[0].duration_ns[0], 117344);
    assert_metric(&bench, "sgemm", dram_bytes, 27595520);
    assert_metric(&bench, "sgemm", dram_bytes_per_second, 27595520 / 117344e-9);
    assert_metric(&bench, "sgemm", achieved_occupancy, 0.2221);
    bench_done(&bench);
}

static void three_sessions(void **state)
{
    static const struct {
        const char *run;
        uint64_t ns;
    } runs[] = {{"process 252", 300000}, {"process 450", 2000}, {"process 460", 4000}};
    struct bench bench = field("three_sessions.txt");

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(bench.capture->kernels[i].launches, 10);
        assert_int_equal(bench.capture->kernels[i].duration_ns[0], runs[i].ns);
        assert_int_equal(bench.capture->kernels[i].total_ns, 10 * runs[i].ns);
        assert_non_null(strstr(bench.analysis->kernels[i].label, runs[i].run));
    }
    bench_done(&bench);
}

static void percent_of_peak_unlisted_card(void **state)
{
    struct bench bench = field("percent_of_peak_unlisted_card.csv");

    (void)state;
    assert_close(bench.analysis->gpus[0].ceiling[RL_CEILING_dram].theoretical.v, 191.7e9, 5e-4);
    assert_close(bench.analysis->kernels[0].roof_share.v, 0.907, 1e-9);
    assert_int_equal(bench.analysis->kernels[0].bound, RL_BOUND_MEMORY);
    bench_done(&bench);
}

static void long_names(void **state)
{
    struct bench bench = field("long_names.csv");

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 2);
    assert_non_null(strstr(bench.analysis->kernels[0].label, "double"));
    assert_non_null(strstr(bench.analysis->kernels[1].label, "float"));
    bench_done(&bench);
}

static void zero_and_overflow(void **state)
{
    struct bench bench = field("zero_and_overflow.csv");

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(bench.capture->kernels[i].duration_count, 0);
        assert_int_equal(bench.analysis->kernels[i].bound, RL_BOUND_UNKNOWN);
    }
    assert_missing(&bench, "k", dram_bytes, "2^64 - 1 or 2^63 - 1 was printed");
    assert_metric(&bench, "z", dram_bytes, 1000);
    assert_true(bench_logged(&bench, RL_LOG_WARNING, "durations that are 0, negative, too long or missing were not kept: 3"));
    bench_done(&bench);
}

static void spreadsheets(void **state)
{
    static const char *const files[] = {"semicolon.csv", "pandas_index.csv"};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct bench bench = field(files[i]);
        assert_int_equal(bench.capture->kernel_count, 4);
        assert_int_equal(bench_kernel(&bench, "copy")->duration_ns[0], 10000000);
        assert_int_equal(bench_kernel(&bench, "big")->duration_ns[0], 1200000000);
        assert_int_equal(bench_kernel(&bench, "huge")->duration_ns[0], 2500000000);
        assert_int_equal(bench_kernel(&bench, "min")->duration_ns[0], 1500000000);
        assert_metric(&bench, "copy", dram_bytes, 2e9);
        assert_metric(&bench, "big", dram_bytes, 1.8e9);
        assert_metric(&bench, "huge", dram_bytes, 2e12);
        bench_done(&bench);
    }
}

/* ---- however files are passed ---- */

enum { MOST_ROWS = 200 };

/* A table that was read, or the reading of it in another form. */
struct table {
    struct rl_buf text;
    const char *rows[MOST_ROWS + 1]; /* the last one: the end */
    size_t count;
};

static void read_rows(const char *name, size_t heads, struct table *table)
{
    struct rl_err err = RL_ERR_INIT;
    char *path = rl_path_join(RL_FIELD, name);
    size_t lines = 0;

    *table = (struct table){.text = RL_BUF_INIT};
    if (rl_read_input(path, 1 << 20, &table->text, &err) != RL_OK)
        fail_msg("%s", err.text);
    for (const char *at = table->text.data, *end; (end = strchr(at, '\n')); at = end + 1, lines++)
        if (lines >= heads && table->count < MOST_ROWS)
            table->rows[table->count++] = at;
    table->rows[table->count] = table->text.data + table->text.len;
    free(path);
}

/* `sorted`: every other row backwards, then the others, so that rows of one launch are apart. */
static void add_rows(const struct table *table, size_t from, size_t to, bool sorted, struct rl_buf *out)
{
    const size_t count = to - from, evens = (count + 1) / 2;

    rl_buf_add(out, table->text.data, (size_t)(table->rows[0] - table->text.data));
    for (size_t i = 0; i < count; i++) {
        const size_t row = from + (!sorted ? i : i < evens ? 2 * (evens - 1 - i) : 2 * (i - evens) + 1);
        rl_buf_add(out, table->rows[row], (size_t)(table->rows[row + 1] - table->rows[row]));
    }
}

static void assert_same(const struct bench *a, const struct bench *b, const char *what)
{
    assert_int_equal(a->capture->kernel_count, b->capture->kernel_count);
    for (size_t i = 0; i < a->capture->kernel_count; i++) {
        const struct rl_kernel *kernel = &a->capture->kernels[i], *other = bench_kernel(b, kernel->name);
        if (kernel->launches != other->launches || kernel->total_ns != other->total_ns ||
            kernel->duration_count != other->duration_count || kernel->counter_count != other->counter_count)
            fail_msg("%s: other launches of %s", what, kernel->name);
        for (size_t j = 0; j < kernel->counter_count; j++) {
            const struct rl_value value = kernel->counters[j].value,
                                  there = bench_counter(b, kernel->name, kernel->counters[j].name);
            if (rl_present(value) != rl_present(there) || (rl_present(value) && fabs(value.v - there.v) > 1e-9 * fabs(value.v)))
                fail_msg("%s: another value of %s", what, kernel->counters[j].name);
        }
    }
}

/* One file, its rows sorted otherwise, its halves as two files in either order, and these one behind the other. */
static void the_same_however_passed(void **state)
{
    static const struct {
        const char *name;
        size_t heads, half; /* lines before the rows; rows of the first part: whole launches; 0: it is not parted */
    } files[] = {
        {"nvprof_metrics_no_times.csv", 4, 4},
        {"roofline_recipe_no_tensor_a100.csv", 1, 11},
        {"roofline_recipe_no_tensor_v100.csv", 1, 11},
        {"work_a100_20launches.csv", 1, 60},
        {"work_a100_same_run_half_profiled.csv", 1, 30},
        {"work_a100_double_ops.csv", 1, 30},
        {"work_v100_10launches.csv", 1, 30},
        {"a100_base_clock.csv", 1, 35},
        {"locale_dots.csv", 1, 0}, /* a part would not have what decides on its numbers */
        {"percent_of_peak_unlisted_card.csv", 1, 10},
        {"long_names.csv", 1, 5},
        {"zero_and_overflow.csv", 1, 2},
        {"semicolon.csv", 1, 0},
        {"pandas_index.csv", 1, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct bench whole = field(files[i].name);
        struct rl_buf made[4] = {RL_BUF_INIT, RL_BUF_INIT, RL_BUF_INIT, RL_BUF_INIT};
        struct table table;
        read_rows(files[i].name, files[i].heads, &table);
        add_rows(&table, 0, table.count, true, &made[0]);
        add_rows(&table, 0, files[i].half, false, &made[1]);
        add_rows(&table, files[i].half, table.count, false, &made[2]);
        rl_buf_add(&made[3], made[2].data, made[2].len);
        rl_buf_add(&made[3], made[1].data, made[1].len);
        const struct file forms[][2] = {{{made[0].data, made[0].len}, {NULL, 0}},
                                        {{made[1].data, made[1].len}, {made[2].data, made[2].len}},
                                        {{made[2].data, made[2].len}, {made[1].data, made[1].len}},
                                        {{made[3].data, made[3].len}, {NULL, 0}}};
        for (size_t form = 0; form < (files[i].half ? 4 : 1); form++) {
            struct bench bench = bench_files(forms[form], forms[form][1].bytes ? 2 : 1, NULL);
            assert_same(&whole, &bench, files[i].name);
            bench_done(&bench);
        }
        for (size_t form = 0; form < 4; form++)
            rl_buf_release(&made[form]);
        rl_buf_release(&table.text);
        bench_done(&whole);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nvprof_metrics_no_times),
        cmocka_unit_test(roofline_recipe),
        cmocka_unit_test(work_of_a_launch),
        cmocka_unit_test(a100_base_clock),
        cmocka_unit_test(locale_dots),
        cmocka_unit_test(three_sessions),
        cmocka_unit_test(percent_of_peak_unlisted_card),
        cmocka_unit_test(long_names),
        cmocka_unit_test(zero_and_overflow),
        cmocka_unit_test(spreadsheets),
        cmocka_unit_test(the_same_however_passed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
