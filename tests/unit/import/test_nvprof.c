/* nvprof: CSV and text; metrics, events, summary, traces; and several files of one run. */
#include "bench.h"

#include "core/buf.h"

#define METRICS                                                                                                                    \
    "==1== Metric result:\n\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Metric Description\",\"Min\",\"Max\",\"Avg\"\n"
#define EVENTS "==1== Event result:\n\"Device\",\"Kernel\",\"Invocations\",\"Event Name\",\"Min\",\"Max\",\"Avg\",\"Total\"\n"

struct row {
    const char *kernel;
    int launches;
    const char *name, *least, *greatest, *average;
};

/* Rows of a metrics table as nvprof prints them. */
static void add_metrics(struct rl_buf *text, size_t count, const struct row *rows)
{
    rl_buf_adds(text, METRICS);
    for (size_t i = 0; i < count; i++)
        rl_buf_addf(text, "\"Tesla P100-SXM2-16GB (2)\",\"%s\",%d,\"%s\",\"Description, of it\",%s,%s,%s\n", rows[i].kernel,
                    rows[i].launches, rows[i].name, rows[i].least, rows[i].greatest, rows[i].average);
}

static struct bench bench_rows(const char *before, size_t count, const struct row *rows)
{
    struct rl_buf text = RL_BUF_INIT;
    struct bench bench;

    rl_buf_adds(&text, before);
    add_metrics(&text, count, rows);
    bench = bench_text(text.data);
    rl_buf_release(&text);
    return bench;
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- metrics ---- */

static struct bench metrics(void)
{
    static const char init[] = "init(int, float*)";
    static const struct row rows[] = {
        {init, 3, "achieved_occupancy", "0.876452", "0.876998", "0.876801"},
        {init, 3, "branch_efficiency", "100.000000%", "100.000000%", "100.000000%"},
        {init, 3, "gld_efficiency", "0.000000%", "0.000000%", "0.000000%"},
        {init, 3, "dram_read_throughput", "1.05KB/s", "3.47GB/s", "2.83GB/s"},
        {init, 3, "dram_write_throughput", "0.00B/s", "2.00MB/s", "1.00MB/s"},
        {init, 3, "dram_read_transactions", "34", "42", "36"},
        {init, 3, "dram_write_bytes", "64", "64", "64"},
        {init, 3, "dram_utilization", "\"Low (1)\"", "\"Mid (4)\"", "\"Low (2)\""},
        {init, 3, "flop_count_sp", "10", "30", "20"},
        {init, 3, "flop_count_dp", "0", "0", "0"},
        {init, 3, "issued_ipc", "0.5", "0.5", "0.5"},
        {init, 3, "atomic_transactions", "<OVERFLOW>", "<OVERFLOW>", "<OVERFLOW>"},
    };

    return bench_rows("==1== NVPROF is profiling process 1, command: ./cfd\n", COUNT(rows), rows);
}

static void the_metrics_table(void **state)
{
    struct bench bench = metrics();
    const struct rl_kernel *kernel = &bench.capture->kernels[0];

    (void)state;
    assert_string_equal(bench.capture->session.source, "nvprof");
    assert_string_equal(bench.capture->session.counters, "imported from nvprof (metrics)");
    assert_string_equal(bench.capture->gpus[0].name, "Tesla P100-SXM2-16GB");
    assert_int_equal(bench.capture->gpus[0].index, 2);
    assert_int_equal(bench.capture->kernel_count, 1);
    assert_int_equal(kernel->launches, 3); /* said in every row, and still three */
    assert_int_equal(kernel->grid[0], 0);  /* not in this table */
    assert_null(kernel->timing);
    assert_metric(&bench, "init", achieved_occupancy, 0.876801); /* a fraction here, percent in Nsight Compute */
    assert_metric(&bench, "init", branch_efficiency, 1);
    assert_missing(&bench, "init", load_efficiency, "no global loads");
    assert_metric(&bench, "init", dram_read_bytes, 36 * 32);
    assert_metric(&bench, "init", dram_write_bytes, 64);
    assert_metric(&bench, "init", flop_fp32, 20);
    assert_metric(&bench, "init", flop_fp64, 0);
    assert_counter(&bench, "init", "dram_utilization", 2);
    assert_counter(&bench, "init", "dram_utilization.max", 4);
    assert_counter(&bench, "init", "issued_ipc", 0.5);
    assert_int_equal(bench_counter(&bench, "init", "atomic_transactions").state, RL_VALUE_FAILED);
    bench_done(&bench);
}

/* Units differ inside a row, and prefixes of bytes among metrics are powers of 1024. */
static void units_inside_a_row(void **state)
{
    struct bench bench = metrics();

    (void)state;
    assert_counter(&bench, "init", "dram_read_throughput.min", 1.05 * 1024);
    assert_counter(&bench, "init", "dram_read_throughput.max", 3.47 * 1073741824);
    assert_counter(&bench, "init", "dram_read_throughput", 2.83 * 1073741824);
    assert_metric(&bench, "init", dram_bytes_per_second, 2.83 * 1073741824 + 1048576);
    bench_done(&bench);
}

/* Events and metrics of one run in one file: two heads, one class. */
static void events_then_metrics(void **state)
{
    static const char events[] =
        EVENTS "\"Tesla P100-SXM2-16GB (2)\",\"k(int)\",50,\"not_predicated_off_thread_inst_executed\",1,3,2,100\n"
               "\"Tesla P100-SXM2-16GB (2)\",\"k(int)\",50,\"active_cycles\",10,30,20,1000\n";
    struct bench bench = bench_rows(events, 1, &(struct row){"k(int)", 50, "inst_executed", "7", "7", "7"});

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 1);
    assert_int_equal(bench.capture->kernels[0].launches, 50);
    assert_metric(&bench, "k", thread_instructions, 2);
    assert_metric(&bench, "k", instructions, 7);
    assert_counter(&bench, "k", "active_cycles", 20);
    assert_counter(&bench, "k", "active_cycles.min", 10);
    assert_string_equal(bench.capture->session.counters, "imported from nvprof (events), nvprof (metrics)");
    bench_done(&bench);
}

static void derived_from_nvprof(void **state)
{
    static const struct row rows[] = {
        {"maxwell", 1, "gld_transactions", "40", "40", "40"},
        {"maxwell", 1, "gst_transactions", "12", "12", "12"},
        {"maxwell", 1, "inst_executed_global_stores", "3", "3", "3"},
        {"maxwell", 1, "l2_tex_read_transactions", "5", "5", "5"},
        {"maxwell", 1, "l2_tex_write_transactions", "1", "1", "1"},
        {"maxwell", 1, "l2_global_reduction_bytes", "7", "7", "7"},
        {"maxwell", 1, "flop_count_sp", "10", "10", "10"},
        {"maxwell", 1, "flop_count_dp", "20", "20", "20"},
        {"maxwell", 1, "flop_count_hp", "30", "30", "30"},
        {"maxwell", 1, "tex_cache_hit_rate", "25.0%", "25.0%", "25.0%"},
        {"kepler", 1, "gst_transactions", "12", "12", "12"},
        {"kepler", 1, "flop_count_sp", "10", "10", "10"},
    };
    struct bench bench = bench_rows("", COUNT(rows), rows);

    (void)state;
    assert_metric(&bench, "maxwell", sectors_per_request_store, 4);
    assert_metric(&bench, "maxwell", l2_bytes, 6 * 32);
    assert_metric(&bench, "maxwell", flop_total, 60); /* such a card has no tensor cores */
    assert_missing(&bench, "maxwell", l1_bytes, "");  /* load transactions are no sectors */
    assert_missing(&bench, "maxwell", l1_hit_rate, "");
    assert_missing(&bench, "maxwell", sectors_per_request_load, "");
    assert_missing(&bench, "kepler", sectors_per_request_store, "");
    assert_metric(&bench, "kepler", flop_total, 10); /* what was counted, with a note */
    bench_done(&bench);
}

/* ---- summary ---- */

static const char summary[] =
    "==2== Profiling result:\n\"Type\",\"Time(%)\",\"Time\",\"Calls\",\"Avg\",\"Min\",\"Max\",\"Name\"\n,%,ms,,us,us,ms,\n"
    "\"GPU activities\",68.739052,268.352834,6000,44.725000,43.106000,1.791976,\"flux(int, int*)\"\n"
    "\"GPU activities\",4.893520,19.103987,2000,9.551000,8.992000,0.014209,\"[CUDA memcpy DtoD]\"\n"
    "\"API calls\",50.0,19.103987,2000,9.551000,8.992000,0.014209,\"cudaLaunchKernel\"\n\n"
    "==2== Unified Memory profiling result:\n"
    "\"Device\",\"Count\",\"Avg Size\",\"Min Size\",\"Max Size\",\"Total Size\",\"Total Time\",\"\"\n"
    "\"TITAN Xp (0)\",158,40.860352KB,4.000000KB,600.000000KB,6.304688MB,0.000000,\"Host To Device\"\n"
    "Total CPU Page faults: 49\n";

static void the_summary(void **state)
{
    struct bench bench = bench_text(summary);
    const struct rl_kernel *kernel = &bench.capture->kernels[0];

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 1);
    assert_int_equal(kernel->launches, 6000);
    assert_int_equal(kernel->total_ns, 268352834);
    assert_int_equal(kernel->duration_count, 1); /* the average, called so; nothing is made up */
    assert_int_equal(kernel->duration_ns[0], 44725);
    assert_string_equal(kernel->timing, "nvprof summary (average)");
    assert_counter(&bench, "flux", "duration.min", 43.106e-6);
    assert_counter(&bench, "flux", "duration.max", 1.791976e-3); /* ms beside us */
    assert_string_equal(bench.capture->gpus[0].name, "unknown GPU");
    assert_true(bench_logged(&bench, RL_LOG_WARNING, "times are averages of a summary"));
    assert_true(bench_logged(&bench, RL_LOG_NOTE, "rows of copies and other work that is no kernel were left out: 1"));
    assert_true(bench_logged(&bench, RL_LOG_NOTE, "rows of calls on the host were left out: 1"));
    bench_done(&bench);
}

/* Older: no type, and calls of the host in a table of their own with the same head. */
static void the_old_summary(void **state)
{
    struct bench bench =
        bench_text("==2868== Profiling result:\n\"Time(%)\",\"Time\",\"Calls\",\"Avg\",\"Min\",\"Max\",\"Name\"\n%,ms,,ms,ms,ms,\n"
                   "39.7,40.822686,1,40.822686,40.822686,40.822686,\"[CUDA memcpy HtoD]\"\n"
                   "10.4,21.329132,2,10.664566,1.066e+01,10.67,\"forma(float*)\"\n\n"
                   "==2868== API calls:\n\"Time(%)\",\"Time\",\"Calls\",\"Avg\",\"Min\",\"Max\",\"Name\"\n%,ms,,ms,ms,ms,\n"
                   "51.6,102.857253,2,51.428626,40.824500,62.032753,\"cudaMemcpy\"\n"
                   "======== Error: Application returned non-zero code 255\n");

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 1);
    assert_int_equal(bench.capture->kernels[0].total_ns, 21329132);
    assert_int_equal(bench.capture->kernels[0].duration_ns[0], 10664566);
    assert_true(bench_logged(&bench, RL_LOG_WARNING, "non-zero code 255"));
    bench_done(&bench);
}

/* ---- traces ---- */

#define TRACE_HEAD                                                                                                                 \
    "\"Start\",\"Duration\",\"Grid X\",\"Grid Y\",\"Grid Z\",\"Block X\",\"Block Y\",\"Block Z\",\"Registers Per "                 \
    "Thread\",\"Static SMem\","                                                                                                    \
    "\"Dynamic SMem\",\"Size\",\"Throughput\","

static void the_trace(void **state)
{
    struct bench bench = bench_text(
        "==3== Profiling result:\n" TRACE_HEAD "\"Device\",\"Context\",\"Stream\",\"Name\"\ns,ms,,,,,,,,KB,B,MB,GB/s,,,,\n"
        "0.5,41.021544,,,,,,,,,,269.485056,6.569354,\"Tesla K20c (0)\",\"1\",\"7\",\"[CUDA memcpy HtoD]\"\n"
        "0.6,7.922282,257,257,1,32,8,1,16,8.192000,8.192000e+03,,,\"Tesla K20c (0)\",\"1\",\"7\",\"forma(float*, int) [115]\"\n"
        "0.7,7.943147,257,257,1,32,8,1,16,8.192000,8.192000e+03,,,\"Tesla K20c (0)\",\"1\",\"7\",\"forma(float*, int) [129]\"\n"
        "0.8,7.000000,100,1,1,32,8,1,16,0,0,,,\"Tesla K20c (0)\",\"1\",\"7\",\"forma(float*, int) [130]\"\n");
    const struct rl_kernel *kernel = &bench.capture->kernels[0];

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 2); /* two shapes */
    assert_string_equal(kernel->name, "forma(float*, int)");
    assert_int_equal(kernel->launches, 2);
    assert_int_equal(kernel->duration_count, 2);
    assert_int_equal(kernel->duration_ns[1], 7943147);
    assert_int_equal(kernel->total_ns, 15865429);
    assert_string_equal(kernel->timing, "nvprof GPU trace");
    assert_int_equal(kernel->grid[1], 257);
    assert_int_equal(kernel->block[1], 8);
    assert_int_equal(kernel->dynamic_shared_bytes, 8192);
    assert_close(kernel->static_shared_bytes.v, 8192, 0); /* before CUDA 8 KB is 1000 */
    assert_close(kernel->registers_per_thread.v, 16, 0);
    assert_string_equal(bench.capture->gpus[0].name, "Tesla K20c");
    bench_done(&bench);
}

/* From CUDA 8 on: memory types beside the sizes, and KB is 1024. */
static void the_newer_trace(void **state)
{
    struct bench bench = bench_text(
        TRACE_HEAD
        "\"SrcMemType\",\"DstMemType\",\"Device\",\"Context\",\"Stream\",\"Unified Memory\",\"Virtual "
        "Address\",\"Name\",\"Correlation_ID\"\n"
        "s,us,,,,,,,,KB,KB,MB,GB/s,,,,,,B,,,\n"
        "1.2,,,,,,,,,,,,,,,,,,\"PC 0x5e240510\",\"0x7f54d8000000\",\"[Unified Memory CPU page faults]\",\n"
        "1.8,14.816000,506,1,1,192,1,1,24,4.000000,2.000000,,,,,\"TITAN Xp (0)\",\"1\",\"7\",,,\"step(int, float*)\",1392\n");

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 1);
    assert_int_equal(bench.capture->kernels[0].duration_ns[0], 14816);
    assert_int_equal(bench.capture->kernels[0].dynamic_shared_bytes, 2048);
    assert_close(bench.capture->kernels[0].static_shared_bytes.v, 4096, 0);
    bench_done(&bench);
}

static void a_trace_with_metrics(void **state)
{
    struct bench bench = bench_text("==4== Profiling result:\n"
                                    "\"Device\",\"Context\",\"Stream\",\"Kernel\",\"Correlation_ID\",\"achieved_occupancy\","
                                    "\"Branch Efficiency\",\"dram_read_throughput\",\"x\"\n"
                                    "\"Tesla V100 (0)\",\"1\",\"7\",\"k(int)\",120,0.500000,100.000000%,1.000000GB/s,5\n"
                                    "\"Tesla V100 (0)\",\"1\",\"7\",\"k(int)\",121,0.700000,50.000000%,512.000000MB/s,7\n");

    (void)state;
    assert_int_equal(bench.capture->kernels[0].launches, 2);
    assert_metric(&bench, "k", achieved_occupancy, 0.6);
    assert_metric(&bench, "k", branch_efficiency, 0.75); /* by the column's label */
    assert_counter(&bench, "k", "dram_read_throughput", 0.75 * 1073741824);
    assert_counter(&bench, "k", "x", 6);
    bench_done(&bench);
}

static void a_timed_trace_with_metrics(void **state)
{
    struct bench bench = bench_text(
        "\"Start\",\"Duration\",\"Grid X\",\"Grid Y\",\"Grid Z\",\"Block X\",\"Block Y\",\"Block Z\",\"Registers Per Thread\","
        "\"Static SMem\",\"Dynamic SMem\",\"Device\",\"Context\",\"Stream\",\"Name\",\"ipc\",\"gld_throughput\"\n"
        "ms,us,,,,,,,,B,B,,,,,,GB/s\n"
        "1.0,10.5,4,1,1,64,1,1,12,0,0,\"Tesla V100 (0)\",\"1\",\"7\",\"k(int)\",1.5,2.0\n");

    (void)state;
    assert_int_equal(bench.capture->kernels[0].duration_ns[0], 10500);
    assert_int_equal(bench.capture->kernels[0].grid[0], 4);
    assert_counter(&bench, "k", "ipc", 1.5);
    assert_counter(&bench, "k", "gld_throughput", 2.0 * 1073741824);
    bench_done(&bench);
}

/* ---- text ---- */

static void printed_metrics(void **state)
{
    struct bench bench = bench_text("==5== NVPROF is profiling process 5, command: ./a\nDone, 3 tests\n==5== Metric result:\n"
                                    "Invocations                               Metric Name                        Metric "
                                    "Description         Min         Max         Avg\n"
                                    "Device \"GeForce GTX 1070 (0)\"\n"
                                    "    Kernel: void sum<int=32>(double*, int)\n"
                                    "        999                         branch_efficiency                         Branch "
                                    "Efficiency      90.00%     100.00%      95.00%\n"
                                    "        999                      dram_read_throughput             Device Memory Read "
                                    "Throughput  462.55MB/s  1.0000GB/s  512.00MB/s\n"
                                    "        999                        shared_utilization                 Shared Memory "
                                    "Utilization    Idle (0)     Low (1)    Idle (0)\n"
                                    "    Kernel: other(int)\n"
                                    "          2                        achieved_occupancy                        Achieved "
                                    "Occupancy    0.897163    0.918316    0.907228\n");

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 2);
    assert_string_equal(bench.capture->kernels[0].name, "void sum<int=32>(double*, int)");
    assert_string_equal(bench.capture->gpus[0].name, "GeForce GTX 1070");
    assert_int_equal(bench.capture->kernels[0].launches, 999);
    assert_metric(&bench, "void sum", branch_efficiency, 0.95);
    assert_counter(&bench, "void sum", "dram_read_throughput", 536870912);
    assert_counter(&bench, "void sum", "shared_utilization", 0);
    assert_metric(&bench, "other", achieved_occupancy, 0.907228);
    bench_done(&bench);
}

/* A line behind an open table that has commas, as its rows have, and is none: the program's own, or one that says what went wrong.
 */
static void what_is_no_row_of_a_summary_is_read_all_the_same(void **state)
{
    struct rl_capture *capture;
    struct rl_err err = RL_ERR_INIT;
    const struct file file = {.bytes = "==2== Profiling result:\n\"Time(%)\",\"Time\",\"Calls\",\"Avg\",\"Min\",\"Max\",\"Name\"\n"
                                       "%,ms,,ms,ms,ms,\nin the second run, as in the first, No kernels were profiled\n"};
    (void)state;
    assert_int_not_equal(bench_read(&file, 1, NULL, &capture, &err), RL_OK);
    assert_non_null(strstr(err.text, "No kernels were profiled"));
}

static void printed_summary(void **state)
{
    struct bench bench = bench_text(
        "==6== Profiling result:\n"
        "            Type  Time(%)      Time     Calls       Avg       Min       Max  Name\n"
        " GPU activities:   99.94%  1.11524s       301  3.7051ms  3.6928ms  3.7174ms  void matrixMul<int=32>(float*, float*, int)\n"
        "                    0.04%  406.30us         2  203.15us  136.13us  270.18us  [CUDA memcpy HtoD]\n"
        "                    0.02%  2.4e+03s         1  2.4e+03s  2.4e+03s  2.4e+03s  render(int)\n"
        "      API calls:   80.00%  1.00000s         1  1.00000s  1.00000s  1.00000s  cudaEventSynchronize\n");

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 2);
    assert_int_equal(bench.capture->kernels[0].launches, 301);
    assert_int_equal(bench.capture->kernels[0].total_ns, 1115240000);
    assert_int_equal(bench.capture->kernels[0].duration_ns[0], 3705100);
    assert_counter(&bench, "void matrixMul", "duration.min", 3.6928e-3);
    assert_int_equal(bench.capture->kernels[1].duration_ns[0], 2400000000000);
    bench_done(&bench);
}

static void printed_old_summary(void **state)
{
    struct bench bench = bench_text("Time(%)      Time     Calls       Avg       Min       Max  Name\n"
                                    " 99.94%  1.11524s       301  3.7051ms  3.6928ms  3.7174ms  void matrixMul<int=32>(float*)\n"
                                    "  0.06%  0.00001s         1  1.0000us  1.0000us  1.0000us  [CUDA memset]\n");

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 1);
    assert_int_equal(bench.capture->kernels[0].launches, 301);
    bench_done(&bench);
}

static void printed_trace(void **state)
{
    struct bench bench = bench_text(
        "==7== Profiling result:\n"
        "   Start  Duration            Grid Size      Block Size     Regs*    SSMem*    DSMem*      Size  Throughput  SrcMemType  "
        "DstMemType           Device   Context    Stream  Name\n"
        "347.74ms  169.24us                    -               -         -         -         -  256.00KB  1.4426GB/s    Pageable   "
        "   Device  GeForce GT 1030         1         7  [CUDA memcpy HtoD]\n"
        "347.92ms  17.506us            (128 1 1)       (256 1 1)        10  4.0000KB        0B         -           -           -   "
        "        -  GeForce GT 1030         1         7  sum(int*, int*) [114]\n"
        "347.94ms  2.7840us              (1 1 1)       (256 1 1)        10  4.0000KB        0B         -           -           -   "
        "        -  GeForce GT 1030         1         7  sum(int*, int*) [115]\n"
        "\nRegs: Number of registers used per CUDA thread. This number includes registers used internally by the CUDA driver.\n"
        "SSMem: Static shared memory allocated per CUDA block.\n");

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 2);
    assert_int_equal(bench.capture->kernels[0].grid[0], 128);
    assert_int_equal(bench.capture->kernels[0].duration_ns[0], 17506);
    assert_close(bench.capture->kernels[0].static_shared_bytes.v, 4096, 0);
    assert_close(bench.capture->kernels[1].registers_per_thread.v, 10, 0);
    assert_string_equal(bench.capture->kernels[1].name, "sum(int*, int*)");
    assert_string_equal(bench.capture->gpus[0].name, "GeForce GT 1030");
    bench_done(&bench);
}

/* ---- files of one run ---- */

static const char k20_metrics[] =
    METRICS "\"Tesla K20c (0)\",\"forma(float*, int)\",2,\"achieved_occupancy\",\"Achieved Occupancy\",0.85,0.85,0.85\n"
            "\"Tesla K20c (0)\",\"forma(float*, int)\",2,\"dram_read_transactions\",\"x\",100,100,100\n"
            "\"Tesla K20c (0)\",\"forma(float*, int)\",2,\"dram_write_transactions\",\"x\",100,100,100\n";
static const char k20_summary[] =
    "\"Time(%)\",\"Time\",\"Calls\",\"Avg\",\"Min\",\"Max\",\"Name\"\n%,ms,,ms,ms,ms,\n100,20,2,10,9,11,\"forma(float*, int)\"\n";
static const char k20_trace[] =
    TRACE_HEAD "\"Device\",\"Context\",\"Stream\",\"Name\"\ns,ms,,,,,,,,B,B,MB,GB/s,,,,\n"
               "0.6,9,257,1,1,32,8,1,16,0,0,,,\"Tesla K20c (0)\",\"1\",\"7\",\"forma(float*, int) [115]\"\n"
               "0.7,11,257,1,1,32,8,1,16,0,0,,,\"Tesla K20c (0)\",\"1\",\"7\",\"forma(float*, int) [116]\"\n";

static void metrics_and_summary(void **state)
{
    struct bench bench = bench_files((struct file[]){{k20_metrics, 0}, {k20_summary, 0}}, 2, NULL);

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 1);
    assert_int_equal(bench.capture->gpu_count, 1); /* the summary does not name it, the metrics do */
    assert_string_equal(bench.capture->gpus[0].name, "Tesla K20c");
    assert_int_equal(bench.capture->kernels[0].launches, 2); /* the same launches, seen twice */
    assert_metric(&bench, "forma", achieved_occupancy, 0.85);
    assert_metric(&bench, "forma", dram_bytes_per_second, 6400 / 0.010);
    bench_done(&bench);
}

/* In any order; the trace has the better times, and the shape. */
static void three_views(void **state)
{
    const struct file files[] = {{k20_summary, 0}, {k20_trace, 0}, {k20_metrics, 0}};
    static const int orders[][3] = {{0, 1, 2}, {2, 1, 0}, {1, 0, 2}};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        const struct file ordered[] = {files[orders[i][0]], files[orders[i][1]], files[orders[i][2]]};
        struct bench bench = bench_files(ordered, 3, NULL);
        const struct rl_kernel *kernel = &bench.capture->kernels[0];
        assert_int_equal(bench.capture->kernel_count, 1);
        assert_int_equal(bench.capture->gpu_count, 1);
        assert_int_equal(kernel->launches, 2);
        assert_int_equal(kernel->duration_count, 2);
        assert_int_equal(kernel->total_ns, 20000000);
        assert_string_equal(kernel->timing, "nvprof GPU trace");
        assert_int_equal(kernel->grid[0], 257);
        assert_metric(&bench, "forma", achieved_occupancy, 0.85);
        assert_counter(&bench, "forma", "duration.max", 0.011);
        bench_done(&bench);
    }
}

/* Metrics by name belong to no one shape when the kernel ran with two. */
static void several_shapes(void **state)
{
    static const char trace[] =
        TRACE_HEAD "\"Device\",\"Context\",\"Stream\",\"Name\"\ns,ms,,,,,,,,B,B,MB,GB/s,,,,\n"
                   "0.6,9,257,1,1,32,8,1,16,0,0,,,\"Tesla K20c (0)\",\"1\",\"7\",\"forma(float*, int) [115]\"\n"
                   "0.7,1,3,1,1,32,8,1,16,0,0,,,\"Tesla K20c (0)\",\"1\",\"7\",\"forma(float*, int) [116]\"\n";
    struct bench bench = bench_files((struct file[]){{k20_metrics, 0}, {trace, 0}}, 2, NULL);

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 3);
    assert_true(bench_logged(&bench, RL_LOG_WARNING, "several configurations"));
    bench_done(&bench);
}

/* Two cards ran the kernel; a summary does not say which. */
static void several_cards(void **state)
{
    static const char two[] = METRICS "\"Tesla K20c (0)\",\"forma(float*, int)\",2,\"achieved_occupancy\",\"x\",0.85,0.85,0.85\n"
                                      "\"Tesla K20c (1)\",\"forma(float*, int)\",2,\"achieved_occupancy\",\"x\",0.75,0.75,0.75\n";
    struct bench bench = bench_files((struct file[]){{two, 0}, {k20_summary, 0}}, 2, NULL);

    (void)state;
    assert_int_equal(bench.capture->gpu_count, 3);
    assert_string_equal(bench.capture->gpus[2].name, "unknown GPU");
    assert_true(bench_logged(&bench, RL_LOG_WARNING, "several GPUs"));
    bench_done(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_metrics_table),
        cmocka_unit_test(units_inside_a_row),
        cmocka_unit_test(events_then_metrics),
        cmocka_unit_test(derived_from_nvprof),
        cmocka_unit_test(the_summary),
        cmocka_unit_test(the_old_summary),
        cmocka_unit_test(the_trace),
        cmocka_unit_test(the_newer_trace),
        cmocka_unit_test(a_trace_with_metrics),
        cmocka_unit_test(a_timed_trace_with_metrics),
        cmocka_unit_test(printed_metrics),
        cmocka_unit_test(what_is_no_row_of_a_summary_is_read_all_the_same),
        cmocka_unit_test(printed_summary),
        cmocka_unit_test(printed_old_summary),
        cmocka_unit_test(printed_trace),
        cmocka_unit_test(metrics_and_summary),
        cmocka_unit_test(three_views),
        cmocka_unit_test(several_shapes),
        cmocka_unit_test(several_cards),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
