/* Nsight Compute: pages, versions, and what real files have around and inside their tables. */
#include "bench.h"

#include "core/buf.h"

#define CLI "Command line profiler metrics"

/* ---- tables with a row for each metric ---- */

static const char head[] =
    "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block Size\","
    "\"Grid Size\",\"Device\",\"CC\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"";
static const char advice[] = ",\"Rule Name\",\"Rule Type\",\"Rule Description\",\"Estimated Speedup Type\",\"Estimated Speedup\"\n";

struct row {
    const char *id, *kernel, *section, *name, *unit, *value;
    const char *tail;    /* behind the value; NULL: nothing */
    const char *between; /* lines before the row; NULL: none */
    const char *block, *grid, *device;
};

static const char *or_else(const char *text, const char *other)
{
    return text ? text : other;
}

static void add_row(struct rl_buf *text, const struct row *row)
{
    rl_buf_adds(text, or_else(row->between, ""));
    rl_buf_addf(text, "\"%s\",\"77\",\"app\",\"127.0.0.1\",\"%s\",\"1\",\"7\",\"(%s)\",\"(%s)\",\"%s\",\"7.5\",",
                or_else(row->id, "0"), row->kernel, or_else(row->block, "256, 1, 1"), or_else(row->grid, "1024, 2, 1"),
                or_else(row->device, "0"));
    rl_buf_addf(text, "\"%s\",\"%s\",\"%s\",\"%s\"%s\n", or_else(row->section, CLI), row->name, row->unit, row->value,
                or_else(row->tail, ""));
}

static struct bench bench_rows(const char *before, const char *end_of_head, size_t count, const struct row *rows)
{
    struct rl_buf text = RL_BUF_INIT;
    struct bench bench;

    rl_buf_adds(&text, before);
    rl_buf_adds(&text, head);
    rl_buf_adds(&text, end_of_head);
    for (size_t i = 0; i < count; i++)
        add_row(&text, &rows[i]);
    bench = bench_text(text.data);
    rl_buf_release(&text);
    return bench;
}

#define ROWS(...) bench_rows("", "\n", sizeof(struct row[]){__VA_ARGS__} / sizeof(struct row), (struct row[]){__VA_ARGS__})

/* ---- details page ---- */

static struct bench details_page(void)
{
    static const char light[] = "GPU Speed Of Light Throughput", launch[] = "Launch Statistics", copy[] = "copy(int*, int*)";
    static const char rule[] = ",\"SOLBottleneck\",\"OPT\",\"Memory is \"\"busy\"\", 5,000 cycles\",\"global\",\"12.5\"";
    static const struct row rows[] = {
        {NULL, copy, light, "DRAM Frequency", "hz", "4,963,609,951.19", ","}, /* 16 fields under 20 columns */
        {NULL, copy, light, "SM Frequency", "Ghz", "1.59", ","},
        {NULL, copy, light, "Memory Throughput", "%", "61.84", ",,"}, /* 17 */
        {NULL, copy, light, "Duration", "ns", "21,058,944", ","},
        {NULL, copy, "SpeedOfLight", "", "", "", rule},
        {NULL, copy, "Memory Workload Analysis", "Memory Throughput", "byte/s", "196,456,177,859.63", ","},
        {NULL, copy, launch, "Function Cache Configuration", "", "CachePreferNone", ","},
        {NULL, copy, launch, "Registers Per Thread", "register/thread", "16", ","},
        {NULL, copy, launch, "Static Shared Memory Per Block", "Kbyte/block", "8.19", ","},
        {NULL, copy, launch, "Driver Shared Memory Per Block", "byte/block", "0", ","},
        {NULL, copy, launch, "# SMs", "SM", "40", ","},
        {NULL, copy, "Occupancy", "Achieved Occupancy", "%", "96.26", ","},
        {NULL, copy, "Source Counters", "Branch Efficiency", "%", "100", ","},
    };

    return bench_rows("", advice, sizeof rows / sizeof rows[0], rows);
}

static void the_details_page(void **state)
{
    struct bench bench = details_page();
    const struct rl_kernel *kernel = bench_kernel(&bench, "copy(");
    const struct rl_gpu *gpu = &bench.capture->gpus[0];

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 1);
    assert_int_equal(kernel->launches, 1);
    assert_int_equal(kernel->duration_count, 1);
    assert_int_equal(kernel->duration_ns[0], 21058944);
    assert_int_equal(kernel->total_ns, 21058944);
    assert_string_equal(kernel->timing, "ncu (under the profiler)");
    assert_int_equal(kernel->grid[0], 1024);
    assert_int_equal(kernel->grid[1], 2);
    assert_int_equal(kernel->block[0], 256);
    assert_close(kernel->registers_per_thread.v, 16, 0);
    assert_close(kernel->static_shared_bytes.v, 8190, 1e-12); /* Kbyte is 1000 */
    assert_metric(&bench, "copy", achieved_occupancy, 0.9626);
    assert_metric(&bench, "copy", branch_efficiency, 1);
    assert_metric(&bench, "copy", dram_bytes_per_second, 196456177859.63);
    assert_metric(&bench, "copy", dram_bytes, 196456177859.63 * 0.021058944);
    assert_metric(&bench, "copy", sm_clock_hz, 1.59e9);
    assert_metric(&bench, "copy", dram_clock_hz, 4963609951.19);
    /* the same name in two sections, with two units */
    assert_counter(&bench, "copy", "GPU Speed Of Light Throughput: Memory Throughput", 0.6184);
    assert_counter(&bench, "copy", "Launch Statistics: Driver Shared Memory Per Block", 0);
    assert_false(bench_has(&bench, "copy", "Launch Statistics: Function Cache Configuration"));
    assert_true(bench_logged(&bench, RL_LOG_NOTE, "CachePreferNone"));
    assert_true(bench_logged(&bench, RL_LOG_NOTE, "rows of advice (rules), without a value, were left out: 1"));
    assert_true(bench_logged(&bench, RL_LOG_WARNING, "times were measured under Nsight Compute"));
    assert_false(bench_logged(&bench, RL_LOG_WARNING, "times are averages"));
    assert_int_equal(gpu->cc_major, 7);
    assert_int_equal(gpu->cc_minor, 5);
    assert_close(gpu->fact[RL_FACT_sm_count].v, 40, 0);
    assert_string_equal(gpu->name, "unknown GPU");
    bench_done(&bench);
}

static void provenance(void **state)
{
    struct bench bench = details_page();
    const struct rl_session *session = &bench.capture->session;

    (void)state;
    assert_string_equal(session->source, "ncu");
    assert_string_equal(session->tool_version, "9.9");
    assert_string_equal(session->started, "");
    assert_string_equal(session->counters, "imported from Nsight Compute (details page)");
    assert_true(session->complete);
    assert_int_equal(session->command_count, 3);
    assert_string_equal(session->command[2], "input.csv");
    assert_true(bench.capture->pass_count >= 1);
    for (size_t i = 0; i < bench.capture->pass_count; i++) {
        assert_string_equal(bench.capture->passes[i].mode, "imported");
        assert_string_equal(bench.capture->passes[i].cache, "unknown");
    }
    bench_done(&bench);
}

/* ---- --metrics, with everything that programs print around it ---- */

static void between_the_lines(void **state)
{
    static const char before[] = "\xEF\xBB\xBF==PROF== Connected to process 77 (C:\\app.exe)\r\n"
                                 "NVIDIA (R) Nsight Compute Command Line Profiler\r\n"
                                 "Version 2026.2.1.0 (build 38283040) (public-release)\r\n"
                                 "{\"size\": 1024, \"names\": [\"a,b\", \"c\"]}\r\n"
                                 "  \"open\": [1, 2\r\n"
                                 "n,time,rate\r\n"
                                 "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\r\n";
    static const char between[] = "progress: 10 %, \"half\r\n==WARNING== something, with commas\r\n{\"k\": [1, 2, 3]}\r\n";
    static const char kernel[] = "a,b<1, 2>(int)";
    static const struct row rows[] = {
        {NULL, kernel, CLI, "gpu__time_duration.sum", "us", "1.5", "\r"},
        {NULL, kernel, CLI, "dram__bytes_op_read.sum", "Mbyte", "54.207744", "\r", between},
        {NULL, kernel, CLI, "dram__bytes_op_write.sum", "byte", "26601216", "\r", "\r\n"},
    };
    struct bench bench = bench_rows(before, "\r\n", 3, rows);

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 1);
    assert_string_equal(bench.capture->kernels[0].name, kernel);
    assert_int_equal(bench.capture->kernels[0].duration_ns[0], 1500);
    assert_metric(&bench, "a,b", dram_read_bytes, 54207744); /* the counter's name on GB20x */
    assert_metric(&bench, "a,b", dram_write_bytes, 26601216);
    assert_metric(&bench, "a,b", dram_bytes, 80808960);
    assert_metric(&bench, "a,b", dram_bytes_per_second, 80808960 / 1.5e-6);
    assert_string_equal(bench.capture->session.counters, "imported from Nsight Compute 2026.2.1.0 (a row for each metric)");
    assert_true(bench_logged(&bench, RL_LOG_NOTE, "==WARNING== something"));
    assert_true(bench_logged(&bench, RL_LOG_WARNING, "DRAM throughput of 53.87 TB/s is above 10.00 TB/s"));
    bench_done(&bench);
}

static void a_head_behind_other_output(void **state)
{
    struct bench bench = bench_rows("Done.", "\n", 1, &(struct row){NULL, "k", CLI, "gpu__time_duration.sum", "ns", "10"});

    (void)state;
    assert_int_equal(bench.capture->kernels[0].duration_ns[0], 10);
    bench_done(&bench);
}

/* Rates and shares of one class are weighted by time; each launch keeps its own. Units may change from launch to launch. */
static void launches_of_a_class(void **state)
{
    struct bench bench = ROWS(
        {"0", "k", CLI, "gpu__time_duration.sum", "us", "900"}, {"0", "k", CLI, "dram__bytes.sum.per_second", "Gbyte/s", "900"},
        {"0", "k", CLI, "sm__warps_active.avg.pct_of_peak_sustained_active", "%", "50"},
        {"1", "k", CLI, "gpu__time_duration.sum", "ms", "1.1"}, {"1", "k", CLI, "dram__bytes.sum.per_second", "Tbyte/s", "1.1"},
        {"1", "k", CLI, "sm__warps_active.avg.pct_of_peak_sustained_active", "%", "70"},
        {"2", "other", CLI, "gpu__time_duration.sum", "nsecond", "5"});

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 2);
    assert_int_equal(bench_kernel(&bench, "k")->launches, 2);
    assert_int_equal(bench_kernel(&bench, "k")->duration_ns[0], 900000);
    assert_int_equal(bench_kernel(&bench, "k")->duration_ns[1], 1100000);
    assert_int_equal(bench_kernel(&bench, "k")->total_ns, 2000000);
    assert_metric(&bench, "k", dram_bytes_per_second, (900e9 * 0.9 + 1.1e12 * 1.1) / 2);
    assert_metric(&bench, "k", achieved_occupancy, (0.5 * 0.9 + 0.7 * 1.1) / 2);
    assert_counter(&bench, "k", "sm__warps_active.avg.pct_of_peak_sustained_active", (50 * 0.9 + 70 * 1.1) / 2);
    assert_int_equal(bench_kernel(&bench, "other")->duration_ns[0], 5);
    bench_done(&bench);
}

/* A metric that two sections print for one launch counts once. */
static void a_metric_in_two_sections(void **state)
{
    struct bench bench =
        ROWS({"0", "k", "A", "dram__bytes_read.sum", "byte", "100"}, {"0", "k", "B", "dram__bytes_read.sum", "byte", "100"},
             {"1", "k", "A", "dram__bytes_read.sum", "byte", "400"});

    (void)state;
    assert_counter(&bench, "k", "dram__bytes_read.sum", 250);
    bench_done(&bench);
}

static void not_available(void **state)
{
    struct bench bench = ROWS({NULL, "k", CLI, "smsp__some_metric.avg", "", "n/a"},
                              {NULL, "k", CLI, "sm__warps_active.avg.pct_of_peak_sustained_active", "%", "nan"},
                              {NULL, "k", CLI, "l1tex__t_requests.sum", "", "12"});
    const struct rl_value missing = bench_counter(&bench, "k", "smsp__some_metric.avg");

    (void)state;
    assert_int_equal(missing.state, RL_NOT_COLLECTED);
    assert_string_equal(rl_value_reason(missing), "the tool printed 'n/a'");
    assert_missing(&bench, "k", achieved_occupancy, "'nan'");
    assert_counter(&bench, "k", "l1tex__t_requests.sum", 12);
    assert_null(bench_kernel(&bench, "k")->timing);
    assert_missing(&bench, "k", dram_bytes_per_second, "");
    bench_done(&bench);
}

/* Nsight Compute prints no unit for what it does not know on a newer GPU: then times are in nanoseconds, as they are counted. */
static void no_unit(void **state)
{
    struct bench bench =
        ROWS({NULL, "k", CLI, "gpu__time_duration.sum", "", "2,000"}, {NULL, "k", CLI, "dram__bytes_read.sum", "", "4,000"},
             {NULL, "k", CLI, "sm__warps_active.avg.pct_of_peak_sustained_active", "", "50"});

    (void)state;
    assert_int_equal(bench_kernel(&bench, "k")->duration_ns[0], 2000);
    assert_counter(&bench, "k", "dram__bytes_read.sum", 4000);
    assert_metric(&bench, "k", achieved_occupancy, 0.5);
    bench_done(&bench);
}

/* Printed 0 % where nothing was counted is not 0 %; where branches were counted the counters decide. */
static void zero_over_zero(void **state)
{
    static const char share[] = "smsp__sass_average_branch_targets_threads_uniform.pct";
    struct bench bench = ROWS({"0", "unknown", CLI, share, "%", "0"}, {"1", "none", CLI, share, "%", "0"},
                              {"1", "none", CLI, "smsp__sass_branch_targets.sum", "branches", "0"},
                              {"1", "none", CLI, "smsp__sass_branch_targets_threads_uniform.sum", "branches", "0"},
                              {"2", "some", CLI, share, "%", "94.44"});

    (void)state;
    assert_missing(&bench, "unknown", branch_efficiency, "0 % was printed");
    assert_missing(&bench, "none", branch_efficiency, "no branches executed");
    assert_metric(&bench, "some", branch_efficiency, 0.9444);
    bench_done(&bench);
}

/* A unit that nobody knows stays with the name; words and other notations are not kept. */
static void foreign_values(void **state)
{
    struct bench bench =
        ROWS({NULL, "k", CLI, "x__speed.avg", "furlong/fortnight", "3.5"}, {NULL, "k", CLI, "x__rate.avg", "Mbyte/s", "2"},
             {NULL, "k", CLI, "x__share.pct", "%", "12.5"}, {NULL, "k", CLI, "x__german.avg", "", "1.234,5"},
             {NULL, "k", CLI, "x__list.avg", "inst", "6 (1; 2; 3)"});

    (void)state;
    assert_counter(&bench, "k", "x__speed.avg [furlong/fortnight]", 3.5);
    assert_counter(&bench, "k", "x__rate.avg", 2e6);
    assert_counter(&bench, "k", "x__share.pct", 0.125);
    assert_counter(&bench, "k", "x__list.avg", 6);
    assert_false(bench_has(&bench, "k", "x__german.avg"));
    assert_true(bench_logged(&bench, RL_LOG_WARNING, "1.234,5"));
    assert_true(bench_logged(&bench, RL_LOG_NOTE, "furlong"));
    bench_done(&bench);
}

/* ---- 2020: no shape, no card, other units ---- */

static void the_first_version(void **state)
{
    static const char text[] =
        "WG size = 16 X 16\ngridSize: [1024, 1024]\n==PROF== Connected to process 36493\n"
        "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Kernel Time\",\"Context\",\"Stream\",\"Section "
        "Name\","
        "\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
        "\"0\",\"1\",\"a\",\"h\",\"calc\",\"2020-Apr-20 14:58:54\",\"1\",\"7\",\"GPU Speed Of Light\",\"SM "
        "Frequency\",\"cycle/second\",\"1272504543.09\"\n"
        "\"0\",\"1\",\"a\",\"h\",\"calc\",\"2020-Apr-20 14:58:54\",\"1\",\"7\",\"GPU Speed Of Light\",\"Memory "
        "Frequency\",\"cycle/nsecond\",\"0.85\"\n"
        "\"0\",\"1\",\"a\",\"h\",\"calc\",\"2020-Apr-20 14:58:54\",\"1\",\"7\",\"GPU Speed Of "
        "Light\",\"Duration\",\"nsecond\",\"51360\"\n"
        "\"0\",\"1\",\"a\",\"h\",\"calc\",\"2020-Apr-20 14:58:54\",\"1\",\"7\",\"Launch Statistics\",\"Block Size\",\"\",\"256\"\n"
        "\"0\",\"1\",\"a\",\"h\",\"calc\",\"2020-Apr-20 14:58:54\",\"1\",\"7\",\"Launch Statistics\",\"Grid Size\",\"\",\"7396\"\n"
        "\"0\",\"1\",\"a\",\"h\",\"calc\",\"2020-Apr-20 14:58:54\",\"1\",\"7\",\"Launch Statistics\",\"Dynamic Shared Memory Per "
        "Block\",\"byte/block\",\"128\"\n"
        "\"0\",\"1\",\"a\",\"h\",\"calc\",\"2020-Apr-20 14:58:54\",\"1\",\"7\",\"Memory Workload Analysis\",\"Memory "
        "Throughput\",\"byte/second\",\"286275389408.10\"\n"
        "\"0\",\"1\",\"a\",\"h\",\"calc\",\"2020-Apr-20 14:58:54\",\"1\",\"7\",\"Memory Workload Analysis\",\"L1 Hit "
        "Rate\",\"%\",\"0.46\"\n";
    struct bench bench = bench_files(&(struct file){text, 0}, 1, "Tesla V100-SXM2-16GB");
    const struct rl_kernel *kernel = &bench.capture->kernels[0];

    (void)state;
    assert_string_equal(bench.capture->gpus[0].name, "Tesla V100-SXM2-16GB");
    assert_int_equal(kernel->grid[0], 7396);
    assert_int_equal(kernel->grid[1], 1);
    assert_int_equal(kernel->block[0], 256);
    assert_int_equal(kernel->dynamic_shared_bytes, 128);
    assert_int_equal(kernel->duration_ns[0], 51360);
    assert_metric(&bench, "calc", sm_clock_hz, 1272504543.09);
    assert_metric(&bench, "calc", dram_clock_hz, 0.85e9);
    assert_metric(&bench, "calc", dram_bytes_per_second, 286275389408.10);
    assert_metric(&bench, "calc", l1_hit_rate, 0.0046);
    assert_true(bench_logged(&bench, RL_LOG_NOTE, "printed as totals only"));
    bench_done(&bench);
}

/* ---- raw page ---- */

#define RAW_HEAD                                                                                                                   \
    "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block Size\",\"Grid Size\","    \
    "\"Device\",\"CC\","

static void the_raw_page(void **state)
{
    static const char text[] =
        "ctx 0.36 s\n" RAW_HEAD
        "\"device__attribute_display_name\",\"device__attribute_multiprocessor_count\",\"device__attribute_memory_clock_rate\","
        "\"device__attribute_global_memory_bus_width\",\"gpu__time_duration.sum\",\"dram__bytes_read.sum\",\"dram__bytes_write."
        "sum\","
        "\"launch__registers_per_thread\",\"launch__func_cache_config\",\"sm__cycles_elapsed.avg.per_second\",\"lts__t_sector_hit_"
        "rate.pct\","
        "\"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum.per_cycle_elapsed\",\"smsp__cycles_elapsed.avg.per_second\","
        "\"sm__sass_thread_inst_executed_op_dadd_pred_on.sum\",\"unit__empty.sum\"\n"
        "\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"ns\",\"Mbyte\",\"byte\",\"register/"
        "thread\",\"\",\"hz\",\"%\","
        "\"inst/cycle\",\"hz\",\"inst\",\"\"\n"
        "\"0\",\"1\",\"a\",\"h\",\"k(int)\",\"1\",\"7\",\"(256, 1, 1)\",\"(10, 1, 1)\",\"3\",\"9.0\",\"NVIDIA "
        "H200\",\"132\",\"3,201,000\",\"6,016\","
        "\"389,728\",\"1.5\",\"2,000\",\"16\",\"CachePreferNone\",\"1,980,000,000\",\"50.34\",\"100\",\"2,000,000,000\",\"7\","
        "\"\"\n"
        "\"1\",\"1\",\"a\",\"h\",\"k(int)\",\"1\",\"7\",\"(256, 1, 1)\",\"(10, 1, 1)\",\"3\",\"9.0\",\"NVIDIA "
        "H200\",\"132\",\"3,201,000\",\"6,016\","
        "\"389,730\",\"1.5\",\"4,000\",\"16\",\"CachePreferNone\",\"1,980,000,000\",\"50.34\",\"100\",\"2,000,000,000\",\"7\","
        "\"\"\n";
    struct bench bench = bench_files(&(struct file){text, 0}, 1, "Tesla T4");
    const struct rl_gpu *gpu = &bench.capture->gpus[0];

    (void)state;
    assert_int_equal(bench.capture->gpu_count, 1);
    assert_int_equal(gpu->index, 3);
    assert_string_equal(gpu->name, "NVIDIA H200"); /* the file knows better than --card */
    assert_true(bench_logged(&bench, RL_LOG_NOTE, "the name given was not used"));
    assert_string_equal(gpu->chip, "GH100"); /* the only chip of 9.0 */
    assert_close(gpu->fact[RL_FACT_sm_count].v, 132, 0);
    assert_close(gpu->fact[RL_FACT_memory_clock_max_hz].v, 3.201e9, 0);
    assert_int_equal(bench.capture->kernels[0].launches, 2);
    assert_int_equal(bench.capture->kernels[0].duration_count, 2);
    assert_close(bench.capture->kernels[0].registers_per_thread.v, 16, 0);
    assert_metric(&bench, "k", dram_read_bytes, 1.5e6);
    assert_metric(&bench, "k", dram_write_bytes, 3000);
    assert_metric(&bench, "k", sm_clock_hz, 1.98e9);
    assert_metric(&bench, "k", pass_duration_s, 389729e-9);
    assert_counter(&bench, "k", "lts__t_sector_hit_rate.pct", 0.5034);
    /* operations per cycle, clock and duration make operations */
    assert_counter(&bench, "k", "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 100 * 2e9 * 389729e-9);
    assert_counter(&bench, "k", "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", 7);
    assert_false(bench_has(&bench, "k", "unit__empty.sum"));
    bench_done(&bench);
}

/* Two names for one metric: the second value is kept as it was printed, not as our metric would have it (24 / 32). */
static void what_is_not_used_keeps_no_scale(void **state)
{
    struct bench bench = ROWS({NULL, "k", CLI, "smsp__average_thread_inst_executed_per_inst_executed.ratio", "", "16"},
                              {NULL, "k", CLI, "smsp__thread_inst_executed_per_inst_executed.ratio", "", "24"});

    (void)state;
    assert_metric(&bench, "k", warp_execution_efficiency, 0.5);
    assert_counter(&bench, "k", "smsp__thread_inst_executed_per_inst_executed.ratio", 24);
    bench_done(&bench);
}

/* Two launches, one fast and short, one slow and long. What each of them did is a product of its own rate, clock and time: 10 and
 * 300 thousand operations, 155 on average. The product of the averages, 17.5 x 1.5 x 13, says 341. */
static void products_are_made_launch_by_launch(void **state)
{
    struct bench bench =
        ROWS({"0", "k", CLI, "gpu__time_duration.sum", "ns", "1000"},
             {"0", "k", CLI, "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum.per_cycle_elapsed", "inst/cycle", "5"},
             {"0", "k", CLI, "smsp__cycles_elapsed.avg.per_second", "Ghz", "2"},
             {"0", "k", CLI, "dram__bytes_read.sum.per_second", "Gbyte/s", "1"},
             {"0", "k", CLI, "dram__bytes_write.sum.per_second", "Gbyte/s", "1"},
             {"1", "k", CLI, "gpu__time_duration.sum", "ns", "25000"},
             {"1", "k", CLI, "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum.per_cycle_elapsed", "inst/cycle", "12"},
             {"1", "k", CLI, "smsp__cycles_elapsed.avg.per_second", "Ghz", "1"},
             {"1", "k", CLI, "dram__bytes_read.sum.per_second", "Gbyte/s", "3"},
             {"1", "k", CLI, "dram__bytes_write.sum.per_second", "Gbyte/s", "1"});

    (void)state;
    assert_counter(&bench, "k", "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", (10e3 + 300e3) / 2);
    assert_metric(&bench, "k", dram_bytes, (2e3 + 100e3) / 2);
    bench_done(&bench);
}

/* Work of all launches over the time of all: 4 launches of 1 us that move 1 MB each, and one of 6 us that moves 12. Over the median
 * that would be 3.2 TB/s; no launch moves more than 2. */
static void rates_are_sums_over_sums(void **state)
{
    struct row rows[10];
    static const char *const ids[] = {"0", "1", "2", "3", "4"};
    for (size_t i = 0; i < 5; i++) {
        rows[2 * i] = (struct row){ids[i], "k", CLI, "gpu__time_duration.sum", "us", i == 4 ? "6" : "1"};
        rows[2 * i + 1] = (struct row){ids[i], "k", CLI, "dram__bytes.sum", "Mbyte", i == 4 ? "12" : "1"};
    }
    struct bench bench = bench_rows("", "\n", 10, rows);

    (void)state;
    assert_metric(&bench, "k", dram_bytes_per_second, 16e6 / 10e-6);
    assert_close(bench.analysis->kernels[0].duration.median, 1e-6, 1e-9);
    assert_close(bench.analysis->kernels[0].rate_time_s.v, 2e-6, 1e-9);
    bench_done(&bench);
}

/* What is said of the median is said of it, and not of the mean that rates are over. */
static void the_median_is_the_median(void **state)
{
    static const char *const ids[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8"};
    static const char *const us[] = {"1", "1", "1", "1", "2", "3", "3", "3", "12"};
    struct row rows[9];
    const struct rl_finding *found = NULL;
    for (size_t i = 0; i < 9; i++)
        rows[i] = (struct row){ids[i], "k", CLI, "gpu__time_duration.sum", "us", us[i]};
    struct bench bench = bench_rows("", "\n", 9, rows);
    const struct rl_kernel_result *result = &bench.analysis->kernels[0];

    (void)state;
    assert_close(result->rate_time_s.v, 3e-6, 1e-9);
    for (size_t i = 0; i < result->finding_count; i++)
        found = result->findings[i].rule == RL_RULE_wide_interval ? &result->findings[i] : found;
    assert_non_null(found);
    assert_non_null(strstr(found->text, "of the median duration, 2.00\u00a0\u00b5s"));
    bench_done(&bench);
}

/* A row with a field too few is not taken: its values would be those of other columns. */
static void a_cut_raw_row(void **state)
{
    struct bench bench =
        bench_text(RAW_HEAD "\"gpu__time_duration.sum\",\"dram__bytes_read.sum\"\n"
                            "\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"ns\",\"byte\"\n"
                            "\"0\",\"1\",\"a\",\"h\",\"k\",\"1\",\"7\",\"(1, 1, 1)\",\"(1, 1, 1)\",\"0\",\"9.0\",\"10\",\"20\"\n"
                            "\"1\",\"1\",\"a\",\"h\",\"k\",\"1\",\"7\",\"(1, 1, 1)\",\"(1, 1, 1)\",\"0\",\"9.0\",\"10\"\n"
                            "\"2\",\"1\",\"a\",\"h\",\"k\",\"1\",\"7\",\"(1, 1, 1)\",\"(1, 1, 1)\",\"0\",\"9.0\",\"1");

    (void)state;
    assert_int_equal(bench.capture->kernels[0].launches, 1);
    assert_true(bench_logged(&bench, RL_LOG_WARNING, "damaged rows were left out: 2"));
    bench_done(&bench);
}

/* ---- summaries, several tables ---- */

static void a_summary(void **state)
{
    struct bench bench =
        bench_text("\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block Size\",\"Grid "
                   "Size\",\"Device\",\"CC\","
                   "\"Invocations\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Minimum\",\"Maximum\",\"Average\"\n"
                   "\"1\",\"a\",\"h\",\"k\",\"1\",\"7\",\"(64, 1, 1)\",\"(8, 1, 1)\",\"0\",\"8.0\",\"20\",\"" CLI
                   "\",\"gpu__time_duration.sum\",\"us\",\"1.0\",\"3.0\",\"2.0\"\n"
                   "\"1\",\"a\",\"h\",\"k\",\"1\",\"7\",\"(64, 1, 1)\",\"(8, 1, 1)\",\"0\",\"8.0\",\"20\",\"" CLI
                   "\",\"dram__bytes_read.sum\",\"Kbyte\",\"1\",\"3\",\"2\"\n");
    const struct rl_kernel *kernel = bench_kernel(&bench, "k");

    (void)state;
    assert_int_equal(kernel->launches, 20);
    assert_int_equal(kernel->duration_count, 1);
    assert_int_equal(kernel->duration_ns[0], 2000);
    assert_int_equal(kernel->total_ns, 40000);
    assert_string_equal(kernel->timing, "ncu summary (average, under the profiler)");
    assert_counter(&bench, "k", "dram__bytes_read.sum", 2000);
    assert_counter(&bench, "k", "dram__bytes_read.sum.max", 3000);
    assert_counter(&bench, "k", "gpu__time_duration.sum.min", 1e-6);
    bench_done(&bench);
}

/* A product of averages is all that a summary gives; what follows for metrics is no counter. */
static void a_summary_of_rates(void **state)
{
#define SUMMARY(metric, unit, value)                                                                                               \
    "\"1\",\"a\",\"h\",\"k\",\"1\",\"7\",\"(64, 1, 1)\",\"(8, 1, 1)\",\"0\",\"8.0\",\"20\",\"" CLI "\",\"" metric "\",\"" unit     \
    "\",\"" value "\",\"" value "\",\"" value "\"\n"
    struct bench bench =
        bench_text("\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block Size\",\"Grid "
                   "Size\",\"Device\",\"CC\","
                   "\"Invocations\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Minimum\",\"Maximum\",\"Average\"\n" SUMMARY(
                       "gpu__time_duration.sum", "ns", "1000")
                       SUMMARY("smsp__sass_thread_inst_executed_op_fadd_pred_on.sum.per_cycle_elapsed", "inst/cycle", "5")
                           SUMMARY("smsp__cycles_elapsed.avg.per_second", "Ghz", "2")
                               SUMMARY("dram__bytes_read.sum.per_second", "Gbyte/s", "1")
                                   SUMMARY("dram__bytes_write.sum.per_second", "Gbyte/s", "1"));
#undef SUMMARY

    (void)state;
    assert_counter(&bench, "k", "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 10e3);
    assert_metric(&bench, "k", dram_bytes, 2e3);
    for (size_t i = 0; i < bench.capture->kernels[0].counter_count; i++)
        if (bench.capture->kernels[0].counters[i].kind == RL_COUNTER)
            assert_true(rl_names_counter(bench.capture->kernels[0].counters[i].name));
    bench_done(&bench);
}

/* Two heads in one file: the ids of the same process go on. */
static void two_heads(void **state)
{
    char between[1024];

    (void)state;
    snprintf(between, sizeof between, "==PROF== Connected to process 77\n%s\n", head);
    struct bench bench = ROWS({"0", "k", CLI, "gpu__time_duration.sum", "ns", "10"},
                              {"1", "k", CLI, "gpu__time_duration.sum", "ns", "30", NULL, between});
    assert_int_equal(bench.capture->kernel_count, 1);
    assert_int_equal(bench.capture->kernels[0].launches, 2);
    assert_int_equal(bench.capture->kernels[0].duration_count, 2);
    assert_int_equal(bench.capture->kernels[0].total_ns, 40);
    bench_done(&bench);
}

/* Shape, name and card make a class. */
static void classes(void **state)
{
    static const char time[] = "gpu__time_duration.sum";
    struct bench bench =
        ROWS({"0", "k", CLI, time, "ns", "10"}, {"1", "k", CLI, time, "ns", "10", .grid = "1025, 2, 1"},
             {"2", "k", CLI, time, "ns", "10", .block = "128, 1, 1"}, {"3", "k", CLI, time, "ns", "10", .device = "1"});

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 4);
    assert_int_equal(bench.capture->gpu_count, 2);
    assert_int_equal(bench.capture->gpus[1].index, 1);
    bench_done(&bench);
}

/* 1.25e11 operations in 200 us are 625 TFLOP/s: 9.3 times what FP32 does there, and 63 % of the data sheet's matrix rate. */
static void matrix_kernels_have_the_matrix_roof(void **state)
{
    static const char text[] =
        "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block Size\",\"Grid "
        "Size\",\"Device\",\"CC\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
#define PRINTED(name, unit, value)                                                                                                 \
    "\"0\",\"1\",\"a\",\"h\",\"k\",\"1\",\"7\",\"(384, 1, 1)\",\"(132, 1, 1)\",\"0\",\"9.0\",\"" CLI "\",\"" name "\",\"" unit     \
    "\",\"" value "\"\n"
        PRINTED("gpu__time_duration.sum", "us", "200") PRINTED("dram__bytes_read.sum", "Mbyte", "10")
            PRINTED("dram__bytes_write.sum", "Mbyte", "10") PRINTED("sm__ops_path_tensor_src_bf16_dst_fp32.sum", "", "125000000000")
                PRINTED("sm__ops_path_tensor_src_fp16.sum", "", "0") PRINTED("sm__ops_path_tensor_src_tf32_dst_fp32.sum", "", "0")
                    PRINTED("sm__ops_path_tensor_src_fp64.sum", "", "0")
                        PRINTED("sm__ops_path_tensor_src_fp8_sparsity_off.sum", "", "0")
                            PRINTED("sm__ops_path_tensor_src_fp8_sparsity_on.sum", "", "0")
                                PRINTED("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", "inst", "1000");
#undef PRINTED
    struct bench bench = bench_files(&(struct file){text, 0}, 1, "NVIDIA H200");
    const struct rl_kernel_result *result = &bench.analysis->kernels[0];

    (void)state;
    assert_int_equal(result->limits.first, RL_RESOURCE_tensor);
    assert_in_range(result->limits.of[RL_RESOURCE_tensor].share.v * 100, 55, 65);
    assert_true(!result->above_roof);
    assert_true(!rl_present(result->limits.of[RL_RESOURCE_fp32].share) || result->limits.of[RL_RESOURCE_fp32].share.v < 0.01);
    bench_done(&bench);
}

/* A GH100 prints FP16 as one sum and FP8 in two parts: every type is known, so that each has its roof. */
static void matrix_operations_by_type(void **state)
{
    struct bench bench = ROWS({"0", "k", CLI, "sm__ops_path_tensor_src_fp16.sum", "", "100"},
                              {"0", "k", CLI, "sm__ops_path_tensor_src_bf16_dst_fp32.sum", "", "200"},
                              {"0", "k", CLI, "sm__ops_path_tensor_src_tf32_dst_fp32.sum", "", "300"},
                              {"0", "k", CLI, "sm__ops_path_tensor_src_fp64.sum", "", "400"},
                              {"0", "k", CLI, "sm__ops_path_tensor_src_fp8_sparsity_off.sum", "", "500"},
                              {"0", "k", CLI, "sm__ops_path_tensor_src_fp8_sparsity_on.sum", "", "60"});

    (void)state;
    assert_metric(&bench, "k", flop_tensor_fp16, 100);
    assert_metric(&bench, "k", flop_tensor_bf16, 200);
    assert_metric(&bench, "k", flop_tensor_tf32, 300);
    assert_metric(&bench, "k", flop_tensor_fp64, 400);
    assert_metric(&bench, "k", flop_tensor_fp8, 560);
    assert_metric(&bench, "k", flop_tensor, 1560);
    bench_done(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_details_page),
        cmocka_unit_test(provenance),
        cmocka_unit_test(between_the_lines),
        cmocka_unit_test(a_head_behind_other_output),
        cmocka_unit_test(launches_of_a_class),
        cmocka_unit_test(a_metric_in_two_sections),
        cmocka_unit_test(not_available),
        cmocka_unit_test(no_unit),
        cmocka_unit_test(zero_over_zero),
        cmocka_unit_test(foreign_values),
        cmocka_unit_test(the_first_version),
        cmocka_unit_test(the_raw_page),
        cmocka_unit_test(what_is_not_used_keeps_no_scale),
        cmocka_unit_test(products_are_made_launch_by_launch),
        cmocka_unit_test(rates_are_sums_over_sums),
        cmocka_unit_test(a_cut_raw_row),
        cmocka_unit_test(a_summary),
        cmocka_unit_test(a_summary_of_rates),
        cmocka_unit_test(two_heads),
        cmocka_unit_test(classes),
        cmocka_unit_test(matrix_operations_by_type),
        cmocka_unit_test(matrix_kernels_have_the_matrix_roof),
        cmocka_unit_test(the_median_is_the_median),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
