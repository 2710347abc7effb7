/* What people have besides one file of one run: rates without times, half of the operations, shares of a peak, several runs, and
 * values that no measurement gives. All files are made up. */
#include "bench.h"

#include "analysis/program.h"
#include "core/buf.h"
#include "core/mem.h"

#define NCU                                 "ID,Process ID,Host Name,Kernel Name,Device,CC,Metric Name,Metric Unit,Metric Value\n"
#define ROW(id, process, name, unit, value) id "," process ",alpha,relax,0,8.6," name "," unit "," value "\n"
#define ADD                                 "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum"
#define MUL                                 "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum"
#define FMA                                 "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"

/* ---- rates from whatever there is ---- */

/* Bytes over their throughput are a time for rates, and no time of a launch. */
static void rates_without_times(void **state)
{
    struct bench bench =
        bench_text("==31== Metric result:\n\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Metric "
                   "Description\",\"Min\",\"Max\",\"Avg\"\n"
                   "\"Tesla P100-PCIE-16GB (0)\",\"relax(int)\",4,\"dram_read_throughput\",\"\",256.00GB/s,256.00GB/s,256.00GB/s\n"
                   "\"Tesla P100-PCIE-16GB (0)\",\"relax(int)\",4,\"dram_write_throughput\",\"\",256.00GB/s,256.00GB/s,256.00GB/s\n"
                   "\"Tesla P100-PCIE-16GB (0)\",\"relax(int)\",4,\"dram_read_bytes\",\"\",1073741824,1073741824,1073741824\n"
                   "\"Tesla P100-PCIE-16GB (0)\",\"relax(int)\",4,\"dram_write_bytes\",\"\",1073741824,1073741824,1073741824\n"
                   "\"Tesla P100-PCIE-16GB (0)\",\"relax(int)\",4,\"flop_count_sp\",\"\",8589934592,8589934592,8589934592\n");
    const struct rl_kernel_result *result = &bench.analysis->kernels[0];

    (void)state;
    assert_int_equal(bench.capture->kernels[0].duration_count, 0);
    assert_int_equal(result->duration.n, 0);
    assert_close(result->rate_time_s.v, 1.0 / 256, 1e-9);
    assert_metric(&bench, "relax", dram_bytes_per_second, 512 * 1073741824.0);
    assert_metric(&bench, "relax", flop_per_second, 8 * 256 * 1073741824.0);
    assert_metric(&bench, "relax", intensity_dram, 4);
    assert_close(result->roof_share.v, 512 * 1073741824.0 / 732.16e9, 1e-3);
    assert_int_equal(result->bound, RL_BOUND_MEMORY);
    bench_done(&bench);
}

static void a_rate_from_cycles_and_clock(void **state)
{
    struct bench bench = bench_text(NCU ROW("0", "5", "dram__bytes.sum", "byte", "4000000") ROW(
        "0", "5", "sm__cycles_elapsed.max", "cycle", "20000") ROW("0", "5", "sm__cycles_elapsed.avg.per_second", "Ghz", "1.25"));

    (void)state;
    assert_metric(&bench, "relax", dram_bytes_per_second, 4e6 / 16e-6);
    bench_done(&bench);
}

/* A share of the peak gives the roof of a card that no table has, where it is not mere rounding. */
static void shares_of_a_peak(void **state)
{
    static const struct {
        const char *section, *name, *share;
        double roof; /* 0: none */
    } rows[] = {
        {"", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", "62.5", 400e9},
        {"", "dram__throughput.avg.pct_of_peak_sustained_elapsed", "62.5", 400e9},
        {"GPU Speed Of Light Throughput", "DRAM Throughput", "62.5", 400e9},
        {"GPU Speed Of Light", "SOL DRAM", "62.5", 400e9},
        {"GPU Speed Of Light", "SOL FB", "62.5", 400e9},
        {"", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", "0.99", 0},
    };

    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        char text[700];
        snprintf(text, sizeof text,
                 "ID,Kernel Name,Device,CC,Section Name,Metric Name,Metric Unit,Metric "
                 "Value\n0,relax,0,8.6,,dram__bytes.sum,Mbyte,25.5\n"
                 "0,relax,0,8.6,,gpu__time_duration.sum,us,102.0\n0,relax,0,8.6,%s,%s,%%,%s\n",
                 rows[i].section, rows[i].name, rows[i].share);
        struct bench bench = bench_text(text);
        const struct rl_ceiling *dram = &bench.analysis->gpus[0].ceiling[RL_CEILING_dram];
        assert_int_equal(rl_present(dram->theoretical), rows[i].roof > 0);
        if (rows[i].roof > 0) {
            assert_close(dram->theoretical.v, rows[i].roof, 1e-9);
            assert_close(bench.analysis->kernels[0].roof_share.v, 0.625, 1e-9);
            assert_int_equal(bench.analysis->kernels[0].bound, RL_BOUND_MEMORY);
        }
        bench_done(&bench);
    }
}

/* A listed card has its roof from its table, and the share gives the rate where no bytes were printed. */
static void a_share_of_a_card_that_is_listed(void **state)
{
    static const char text[] = "ID,Kernel Name,Device,CC,Metric Name,Metric Unit,Metric Value\n"
                               "0,relax,0,7.5,gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed,%,50.0\n"
                               "0,relax,0,7.5,gpu__time_duration.sum,us,10.0\n";
    struct bench bench = bench_files(&(struct file){text, 0}, 1, "Tesla T4");

    (void)state;
    assert_metric(&bench, "relax", dram_bytes_per_second, 320.064e9 / 2);
    assert_metric(&bench, "relax", dram_bytes, 320.064e9 / 2 * 10e-6);
    bench_done(&bench);
}

static void a_share_of_l2(void **state)
{
    struct bench bench = bench_text(NCU ROW("0", "5", "lts__t_sectors_srcunit_tex.sum", "sector", "1000000")
                                        ROW("0", "5", "gpu__time_duration.sum", "us", "64.0")
                                            ROW("0", "5", "lts__throughput.avg.pct_of_peak_sustained_elapsed", "%", "80.0"));

    (void)state;
    assert_close(bench.analysis->gpus[0].ceiling[RL_CEILING_l2].theoretical.v, 500e9 / 0.8, 1e-9);
    bench_done(&bench);
}

/* ---- sums ---- */

/* The recipe of published rooflines: types that were not counted are left out, with a note; none is no unknown. */
static void sums_of_what_was_counted(void **state)
{
    struct bench bench =
        bench_text(NCU ROW("0", "5", ADD, "inst", "100") ROW("0", "5", MUL, "inst", "20") ROW("0", "5", FMA, "inst", "40")
                       ROW("0", "5", "dram__bytes.sum", "byte", "50") ROW("0", "5", "gpu__time_duration.sum", "us", "1.5"));

    (void)state;
    assert_metric(&bench, "relax", flop_total, 200);
    assert_metric(&bench, "relax", intensity_dram, 4);
    assert_metric(&bench, "relax", flop_per_second, 200 / 1.5e-6);
    assert_true(
        bench_logged(&bench, RL_LOG_NOTE, "types that were not counted (FP64, FP32, FP16, tensor cores) are not in the sums: 1"));
    bench_done(&bench);
}

/* What was counted and is not known in operations leaves the sum open; on Volta it is known. */
static void sums_with_tensor_instructions(void **state)
{
    static const struct {
        const char *capability, *instructions;
        double total; /* 0: missing */
    } rows[] = {{"8.0", "0", 100}, {"7.0", "3", 100 + 3 * 512}, {"8.0", "3", 0}};

    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        char text[500];
        snprintf(text, sizeof text,
                 "ID,Kernel Name,Device,CC,Metric Name,Metric Unit,Metric Value\n0,relax,0,%s," ADD ",inst,100\n0,relax,0,%s," MUL
                 ",inst,0\n0,relax,0,%s," FMA ",inst,0\n0,relax,0,%s,sm__inst_executed_pipe_tensor.sum,inst,%s\n",
                 rows[i].capability, rows[i].capability, rows[i].capability, rows[i].capability, rows[i].instructions);
        struct bench bench = bench_text(text);
        if (rows[i].total > 0)
            assert_metric(&bench, "relax", flop_total, rows[i].total);
        else
            assert_missing(&bench, "relax", flop_total, "");
        bench_done(&bench);
    }
}

/* ---- values that no measurement gives ---- */

static void values_that_no_measurement_gives(void **state)
{
    static const char *const durations[] = {"0", "-7", "18446744073709551615", "18,446,744,073,709,551,615"};

    (void)state;
    for (size_t i = 0; i < RL_COUNT(durations); i++) {
        char text[500];
        snprintf(text, sizeof text,
                 NCU "0,5,alpha,relax,0,8.6,gpu__time_duration.sum,ns,\"%s\"\n0,5,alpha,relax,0,8.6,dram__bytes.sum,byte,64\n",
                 durations[i]);
        struct bench bench = bench_text(text);
        assert_int_equal(bench.capture->kernels[0].duration_count, 0);
        assert_missing(&bench, "relax", dram_bytes_per_second, "not timed");
        assert_true(
            bench_logged(&bench, RL_LOG_WARNING, "durations that are 0, negative, too long or missing were not kept: 1 (relax)"));
        bench_done(&bench);
    }
    struct bench bench =
        bench_text(NCU ROW("0", "5", "dram__bytes.sum", "byte", "18446744073709551615")
                       ROW("0", "5", "dram__bytes_read.sum", "Gbyte", "18446744073.709551615")
                           ROW("0", "5", "dram__bytes_write.sum", "byte", "-64") ROW("0", "5", "a__foreign.sum", "", "-1.5"));
    assert_missing(&bench, "relax", dram_bytes, "2^64 - 1 or 2^63 - 1 was printed");
    assert_missing(&bench, "relax", dram_read_bytes, "2^64 - 1 or 2^63 - 1 was printed");
    assert_missing(&bench, "relax", dram_write_bytes, "a negative number was printed");
    assert_counter(&bench, "relax", "a__foreign.sum", -1.5);
    bench_done(&bench);
}

/* ---- runs ---- */

#define SUMMARY "            Type  Time(%)      Time     Calls       Avg       Min       Max  Name\n"

/* Sessions of one log: no mean over them. */
static void sessions_in_one_log(void **state)
{
    static const char text[] = "first\n==61== Profiling result:\n" SUMMARY
                               " GPU activities:  100.00%  800.00us         4  200.00us  190.00us  210.00us  relax(float*)\n"
                               "second\n==62== Profiling result:\n" SUMMARY
                               " GPU activities:  100.00%  24.000us         8  3.0000us  2.9000us  3.1000us  relax(float*)\n";
    struct bench bench = bench_text(text);

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 2);
    assert_int_equal(bench.capture->kernels[0].launches, 4);
    assert_int_equal(bench.capture->kernels[0].total_ns, 800000);
    assert_int_equal(bench.capture->kernels[1].duration_ns[0], 3000);
    assert_string_equal(bench.capture->kernels[0].nvtx, "process 61");
    assert_string_equal(bench.analysis->kernels[1].label, "relax (process 62)");
    bench_done(&bench);
}

/* Processes that measured different things of a kernel are views of one run, however they are passed. */
static void processes_that_are_views(void **state)
{
    static const char times[] = "==61== Profiling result:\n" SUMMARY
                                " GPU activities:  100.00%  800.00us         4  200.00us  190.00us  210.00us  relax(float*)\n";
    static const char metrics[] = "==62== Metric result:\n\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Metric "
                                  "Description\",\"Min\",\"Max\",\"Avg\"\n"
                                  "\"Tesla P100-PCIE-16GB (0)\",\"relax(float*)\",4,\"dram_read_bytes\",\"\",1024,1024,1024\n";
    struct rl_buf both[2] = {RL_BUF_INIT, RL_BUF_INIT};
    const struct file two[] = {{times, 0}, {metrics, 0}}, reverse[] = {{metrics, 0}, {times, 0}};

    (void)state;
    rl_buf_addf(&both[0], "%s\n%s", times, metrics);
    rl_buf_addf(&both[1], "%s\n%s", metrics, times);
    struct bench benches[] = {bench_files(two, 2, NULL), bench_files(reverse, 2, NULL), bench_text(both[0].data),
                              bench_text(both[1].data)};
    for (size_t i = 0; i < RL_COUNT(benches); i++) {
        assert_int_equal(benches[i].capture->kernel_count, 1);
        assert_null(benches[i].capture->kernels[0].nvtx);
        assert_int_equal(benches[i].capture->kernels[0].launches, 4);
        assert_int_equal(benches[i].capture->kernels[0].duration_ns[0], 200000);
        assert_metric(&benches[i], "relax", dram_read_bytes, 1024);
        bench_done(&benches[i]);
    }
    rl_buf_release(&both[0]);
    rl_buf_release(&both[1]);
}

/* The same metric of different kernels is no second run, and neither is a time that both have besides counters of their own. */
static void processes_that_measured_different_things(void **state)
{
    static const char *const texts[] = {
        NCU ROW("0", "5", "dram__bytes.sum", "byte", "64") "0,6,alpha,other,0,8.6,dram__bytes.sum,byte,128\n",
        NCU ROW("0", "5", "dram__bytes.sum", "byte", "64") ROW("0", "5", "gpu__time_duration.sum", "us", "10.5")
            ROW("0", "6", "a__b.sum", "inst", "128") ROW("0", "6", "gpu__time_duration.sum", "us", "11.5"),
    };

    (void)state;
    for (size_t i = 0; i < RL_COUNT(texts); i++) {
        struct bench bench = bench_text(texts[i]);
        assert_int_equal(bench.capture->kernel_count, 2 - i);
        assert_null(bench.capture->kernels[0].nvtx);
        assert_metric(&bench, "relax", dram_bytes, 64);
        if (i == 1)
            assert_counter(&bench, "relax", "a__b.sum", 128);
        assert_false(bench_has(&bench, "relax", "pass_duration_s"));
        bench_done(&bench);
    }
}

/* A time that was printed needs no stand-in. */
static void no_time_for_rates_beside_a_time(void **state)
{
    struct bench bench = bench_text("ID,Kernel Name,Device,CC,Section Name,Metric Name,Metric Unit,Metric Value\n"
                                    "0,relax,0,8.6,S,Duration,us,10.5\n0,relax,0,8.6,S,Memory Throughput,Gbyte/second,2.5\n");

    (void)state;
    assert_metric(&bench, "relax", dram_bytes, 2.5e9 * 10.5e-6);
    assert_false(bench_has(&bench, "relax", "pass_duration_s"));
    bench_done(&bench);
}

/* Hosts and processes are kept apart, and so are GPUs of one number that are different chips. */
static void hosts_processes_and_cards(void **state)
{
    struct bench bench = bench_text(
        NCU "0,5,alpha,relax,0,8.6,gpu__time_duration.sum,us,10.5\n0,5,beta,relax,0,8.6,gpu__time_duration.sum,us,20.5\n"
            "0,6,beta,relax,0,8.6,gpu__time_duration.sum,us,30.5\n0,7,beta,relax,0,9.0,gpu__time_duration.sum,us,40.5\n");

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 4);
    assert_int_equal(bench.capture->gpu_count, 3);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(bench.capture->kernels[i].duration_ns[0], 10500 + 10000 * i);
    assert_string_equal(bench.capture->kernels[2].nvtx, "process 6 on beta");
    bench_done(&bench);
}

/* One run in two files, in either order, as one file with two heads, or with its rows in another order; a file twice adds nothing.
 */
static void one_run_however_it_is_passed(void **state)
{
    static const char first[] =
        NCU ROW("0", "5", "gpu__time_duration.sum", "us", "10.5") ROW("0", "5", "dram__bytes.sum", "byte", "100")
            ROW("1", "5", "gpu__time_duration.sum", "us", "20.5") ROW("1", "5", "dram__bytes.sum", "byte", "300");
    static const char second[] =
        NCU ROW("2", "5", "gpu__time_duration.sum", "us", "30.5") ROW("2", "5", "dram__bytes.sum", "byte", "500");
    static const char sorted[] = NCU ROW("2", "5", "dram__bytes.sum", "byte", "500") ROW("1", "5", "dram__bytes.sum", "byte", "300")
        ROW("0", "5", "dram__bytes.sum", "byte", "100") ROW("1", "5", "gpu__time_duration.sum", "us", "20.5")
            ROW("0", "5", "gpu__time_duration.sum", "us", "10.5") ROW("2", "5", "gpu__time_duration.sum", "us", "30.5");
    struct rl_buf joined = RL_BUF_INIT;
    rl_buf_addf(&joined, "%s%s", first, second);
    const struct file two[] = {{first, 0}, {second, 0}}, reverse[] = {{second, 0}, {first, 0}}, one[] = {{joined.data, 0}},
                      other[] = {{sorted, 0}}, twice[] = {{joined.data, 0}, {joined.data, 0}};
    struct bench benches[] = {bench_files(two, 2, NULL), bench_files(reverse, 2, NULL), bench_files(one, 1, NULL),
                              bench_files(other, 1, NULL), bench_files(twice, 2, NULL)};

    (void)state;
    for (size_t i = 0; i < RL_COUNT(benches); i++) {
        assert_int_equal(benches[i].capture->kernel_count, 1);
        assert_int_equal(benches[i].capture->kernels[0].launches, 3);
        assert_int_equal(benches[i].capture->kernels[0].duration_count, 3);
        assert_int_equal(benches[i].capture->kernels[0].total_ns, 61500);
        assert_metric(&benches[i], "relax", dram_bytes, 300);
        bench_done(&benches[i]);
    }
    rl_buf_release(&joined);
}

/* What is derived and what makes a class is of whole launches, in whatever order their rows are. */
static void rows_in_another_order(void **state)
{
    static const char *const rows[] = {ROW("0", "5", "gpu__time_duration.sum", "us", "10.5"),
                                       ROW("0", "5", "launch__shared_mem_per_block_dynamic", "byte/block", "64"),
                                       ROW("0", "5", "dram__bytes.sum.per_second", "Gbyte/s", "2.5"),
                                       ROW("1", "5", "gpu__time_duration.sum", "us", "30.5"),
                                       ROW("1", "5", "launch__shared_mem_per_block_dynamic", "byte/block", "64"),
                                       ROW("1", "5", "dram__bytes.sum.per_second", "Gbyte/s", "7.5")};

    (void)state;
    for (size_t first = 0; first < 2; first++) { /* as they are printed, and by metric */
        struct rl_buf text = RL_BUF_INIT;
        rl_buf_adds(&text, NCU);
        for (size_t i = 0; i < RL_COUNT(rows); i++)
            rl_buf_adds(&text, rows[first ? i / 2 + i % 2 * 3 : i]);
        struct bench bench = bench_text(text.data);
        assert_int_equal(bench.capture->kernel_count, 1);
        assert_int_equal(bench.capture->kernels[0].launches, 2);
        assert_int_equal(bench.capture->kernels[0].dynamic_shared_bytes, 64);
        assert_metric(&bench, "relax", dram_bytes, (2.5e9 * 10.5e-6 + 7.5e9 * 30.5e-6) / 2);
        bench_done(&bench);
        rl_buf_release(&text);
    }
}

/* Averages of one run are weighted by their launches. */
static void averages_of_averages(void **state)
{
    struct bench bench = bench_text("======== Profiling result:\n" SUMMARY
                                    " GPU activities:   60.00%  60.000us         6  10.000us  10.000us  10.000us  relax(float*)\n"
                                    " GPU activities:   40.00%  40.000us         2  20.000us  20.000us  20.000us  relax(float*)\n");

    (void)state;
    assert_int_equal(bench.capture->kernels[0].launches, 8);
    assert_int_equal(bench.capture->kernels[0].duration_count, 1);
    assert_int_equal(bench.capture->kernels[0].duration_ns[0], 12500);
    bench_done(&bench);
}

/* ---- Nsight Systems ---- */

static void nsys_tables(void **state)
{
    static const char trace[] =
        " ** CUDA GPU Trace (cuda_gpu_trace):\n\nStart (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem "
        "(MB),"
        "DymSMem (MB),Bytes (MB),Throughput (MB/s),SrcMemKd,DstMemKd,Device,Ctx,GreenCtx,Strm,Name\n"
        "900,1280,11,,,,,,,,,,0.064,3200.0,Pageable,Device,NVIDIA A30 (0),1,,7,[CUDA memcpy Host-to-Device]\n"
        "1000,5216,12,64,2,1,256,1,1,40,0.004,0.000,,,,,NVIDIA A30 (0),1,,7,\"relax(int, float *)\"\n"
        "8000,5312,13,64,2,1,256,1,1,40,0.004,0.000,,,,,NVIDIA A30 (0),1,,7,\"relax(int, float *)\"\n";
    static const char csv[] = "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name\n"
                              "75.0,9000,3,3000.0,2900.0,2800,3300,10.5,\"relax(int, float *)\"\n";
    static const char printed[] =
        " Time (%)  Total Time (ns)  Instances  Avg (ns)  Med (ns)  Min (ns)  Max (ns)  StdDev (ns)          Name        \n"
        " --------  ---------------  ---------  --------  --------  --------  --------  -----------  --------------------\n"
        "     75.0            9,000          3   3,000.0   2,900.0     2,800     3,300         10.5  relax(int, float *) \n";
    static const char ruled[] = " ** CUDA GPU Trace (cuda_gpu_trace):\n\n"
                                " Start (ns)  Duration (ns)  CorrId   GrdX   GrdY  GrdZ  BlkX  BlkY  BlkZ  Reg/Trd  SrcMemKd      "
                                "Device              Name       \n"
                                " ----------  -------------  ------  ------  ----  ----  ----  ----  ----  -------  --------  "
                                "--------------  -------------------\n"
                                "        900          1,280      11                                                 Pageable  "
                                "NVIDIA A30 (0)  [CUDA memcpy HtoD] \n"
                                "      1,000          5,216      12  65,536     2     1   256     1     1       40            "
                                "NVIDIA A30 (0)  relax(int,  float *)\n"
                                "      8,000          5,312      13  65,536     2     1   256     1     1       40            "
                                "NVIDIA A30 (0)  relax(int,  float *)\n";
    static const char older[] = "Start(nsec),Duration(nsec),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,Device,Name\n"
                                "1000,5216,12,65536,2,1,256,1,1,40,NVIDIA A30 (0),\"relax(int,  float *)\"\n"
                                "8000,5312,13,65536,2,1,256,1,1,40,NVIDIA A30 (0),\"relax(int,  float *)\"\n";
    static const char oldest[] = "CUDA Kernel Statistics (nanoseconds)\n\n"
                                 "Time(%)      Total Time   Instances         Average         Minimum         Maximum  Name\n"
                                 "-------  --------------  ----------  --------------  --------------  --------------  ----\n"
                                 "   75.0            9000           3          3000.0            2800            3300  "
                                 "relax(int, float *)\n";
    static const char *const traces[] = {trace, ruled, older}, *const sums[] = {csv, printed, oldest};
    struct bench bench;

    (void)state;
    for (int i = 0; i < 3; i++) {
        bench = bench_text(traces[i]);
        const struct rl_kernel *kernel = &bench.capture->kernels[0];
        assert_int_equal(bench.capture->kernel_count, 1);
        assert_int_equal(kernel->launches, 2);
        assert_int_equal(kernel->total_ns, 5216 + 5312);
        assert_int_equal(kernel->grid[1], 2);
        assert_int_equal(kernel->registers_per_thread.v, 40);
        assert_string_equal(kernel->timing, "nsys GPU trace");
        assert_string_equal(bench.capture->gpus[0].name, "NVIDIA A30");
        assert_string_equal(bench.capture->session.source, "nsys");
        bench_done(&bench);
    }
    for (int i = 0; i < 3; i++) {
        bench = bench_text(sums[i]);
        assert_int_equal(bench.capture->kernel_count, 1);
        assert_int_equal(bench.capture->kernels[0].launches, 3);
        assert_int_equal(bench.capture->kernels[0].total_ns, 9000);
        assert_int_equal(bench.capture->kernels[0].duration_ns[0], 3000);
        assert_string_equal(bench.capture->kernels[0].name, "relax(int, float *)");
        bench_done(&bench);
    }
}

/* What ncu prints by default: a share of the DRAM's peak, neither bytes nor the card. */
static void a_share_of_peak_alone(void **state)
{
    static const char text[] =
        "ID,Process ID,Kernel Name,Block Size,Grid Size,Device,CC,Section Name,Metric Name,Metric Unit,Metric Value\n"
        "0,7,silu,\"(128, 1, 1)\",\"(524288, 1, 1)\",0,9.0,GPU Speed Of Light Throughput,DRAM Frequency,Ghz,2.62\n"
        "0,7,silu,\"(128, 1, 1)\",\"(524288, 1, 1)\",0,9.0,GPU Speed Of Light Throughput,SM Frequency,Ghz,1.50\n"
        "0,7,silu,\"(128, 1, 1)\",\"(524288, 1, 1)\",0,9.0,GPU Speed Of Light Throughput,DRAM Throughput,%,90.62\n"
        "0,7,silu,\"(128, 1, 1)\",\"(524288, 1, 1)\",0,9.0,GPU Speed Of Light Throughput,Duration,us,581.79\n";
    struct bench bench = bench_text(text);

    (void)state;
    assert_close(bench.analysis->kernels[0].roof_share.v, 0.9062, 1e-9);
    assert_int_equal(bench.analysis->kernels[0].bound, RL_BOUND_MEMORY);
    assert_int_equal(bench.analysis->kernels[0].limits.limiter, RL_RESOURCE_dram);
    bench_done(&bench);
}

/* Types that were not counted are in no sum, and take no time at a roof: the launch has its place under the roofs of the card. */
static void a_place_without_all_types(void **state)
{
#define OF_A100(metric, unit, value) "0,k,\"(256, 1, 1)\",\"(64, 1, 1)\",0,8.0," metric "," unit "," value "\n"
    static const char text[] = "ID,Kernel Name,Block Size,Grid Size,Device,CC,Metric Name,Metric Unit,Metric Value\n" OF_A100(
        "device__attribute_display_name", "", "NVIDIA A100-SXM4-40GB") OF_A100("gpu__time_duration.sum", "us", "100.5")
        OF_A100("dram__bytes.sum", "Mbyte", "100.5") OF_A100("smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", "inst", "0")
            OF_A100("smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", "inst", "0")
                OF_A100("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", "inst", "1000000")
                    OF_A100("sm__cycles_elapsed.avg.per_second", "Ghz", "1.41");
#undef OF_A100
    struct bench bench = bench_text(text);

    (void)state;
    assert_metric(&bench, "k", flop_total, 2e6);
    bench_done(&bench);
}

/* One text of two runs, as nsys profile --stats prints it from 2020 on: what each run measured of a kernel stays its own. */
static void several_reports_of_nsys(void **state)
{
    static const char text[] =
        "Saving temporary \"/tmp/nsys-report-9a51.qdstrm\" file to disk...\n\n"
        "CUDA Kernel Statistics:\n\n"
        " Time(%)  Total Time (ns)  Instances   Average   Minimum  Maximum    Name  \n"
        " -------  ---------------  ---------  ---------  -------  -------  --------\n"
        "   100,0            9.000          3  3.000,000    2.900    3.100  relax_gpu\n\n"
        "CUDA Kernel & Memory Operations Trace:\n\n"
        " Start(sec)  Duration(nsec)  CorrId   GrdX   GrdY  GrdZ  BlkX  BlkY  BlkZ  Reg/Trd  StcSMem  DymSMem    Bytes         "
        "Device       "
        "Ctx  Strm    Name  \n"
        " ----------  --------------  ------  ------  ----  ----  ----  ----  ----  -------  -------  -------  ---------  "
        "--------------  "
        "---  ----  ---------\n"
        "   0,000000           1.717      19                                                                    8.294.400  NVIDIA "
        "A30 (1)    "
        "1    13  [CUDA memcpy HtoD]\n"
        "  10,000000           2.900      20  65.535     1     1    64     1     1       28      512        0             NVIDIA "
        "A30 (1)    "
        "1    13  relax_gpu\n"
        "  10,000000           3.000      21  65.535     1     1    64     1     1       28      512        0             NVIDIA "
        "A30 (1)    "
        "1    13  relax_gpu\n"
        "  10,000000           3.100      22  65.535     1     1    64     1     1       28      512        0             NVIDIA "
        "A30 (1)    "
        "1    13  relax_gpu\n\n"
        "Generating '/tmp/nsys-report-e6c8.qdstrm'\n[5/8] Executing 'gpukernsum' stats report\n\nCUDA Kernel Statistics:\n\n"
        " Time(%)  Total Time (ns)  Instances   Average   Minimum  Maximum    Name  \n"
        " -------  ---------------  ---------  ---------  -------  -------  --------\n"
        "   100,0           80.000          2  40.000,50   40.000   40.001  relax_gpu\n";
    struct bench bench = bench_text(text);

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 2);
    for (size_t i = 0; i < 2; i++) {
        const struct rl_kernel *kernel = &bench.capture->kernels[i];
        const bool first = strstr(bench.analysis->kernels[i].label, "nsys-report-9a51");
        assert_int_equal(kernel->launches, first ? 3 : 2);
        assert_int_equal(kernel->total_ns, first ? 9000 : 80000);
        if (first) {
            assert_int_equal(kernel->grid[0], 65535);
            assert_int_equal(kernel->static_shared_bytes.v, 512);
            assert_string_equal(kernel->timing, "nsys GPU trace");
        } else {
            assert_non_null(strstr(bench.analysis->kernels[i].label, "nsys-report-e6c8"));
        }
    }
    bench_done(&bench);
}

/* Commas of a name that nobody has quoted. */
static void names_without_quotes(void **state)
{
    static const char text[] = "Time(%),Time,Calls,Avg,Min,Max,Name\n"
                               "60.00%,3.0ms,2,1.5ms,1.4ms,1.6ms,sweep(float*, float*, int)\n"
                               "40.00%,2.0ms,2,1.0ms,0.9ms,1.1ms,sweep(float*, double*, int)\n"
                               "0.00%,1.0us,1,1.0us,1.0us,1.0us,[CUDA memcpy DtoH],,\n";
    struct bench bench = bench_text(text);

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 2);
    assert_int_equal(bench_kernel(&bench, "sweep(float*, float*, int)")->total_ns, 3000000);
    assert_int_equal(bench_kernel(&bench, "sweep(float*, double*, int)")->total_ns, 2000000);
    bench_done(&bench);
}

/* What ncu --print-summary per-kernel prints without --csv. */
static void a_summary_as_text(void **state)
{
    static const char text[] = "==PROF== Profiling \"relax\" - 0: 0%....50%....100% - 8 passes\n"
                               "[77] app@127.0.0.1\n"
                               "  relax(int, float *) (64, 2, 1)x(256, 1, 1), Device 0, CC 8.0, Invocations 14\n"
                               "    Section: GPU Speed Of Light Throughput\n"
                               "    ----------------------- ----------- -------- -------- --------\n"
                               "    Metric Name             Metric Unit  Minimum  Maximum  Average\n"
                               "    ----------------------- ----------- -------- -------- --------\n"
                               "    Elapsed Cycles                cycle 3,805.00 4,478.00 3,939.50\n"
                               "    DRAM Throughput                   %     0.57    10.65     2.07\n"
                               "    Duration                         us     1.70     1.98     1.75\n"
                               "    ----------------------- ----------- -------- -------- --------\n\n"
                               "    Section: Occupancy\n"
                               "    ------------------ ----------- ------- ------- -------\n"
                               "    Metric Name        Metric Unit Minimum Maximum Average\n"
                               "    ------------------ ----------- ------- ------- -------\n"
                               "    Achieved Occupancy           %   10.00   30.00   25.00\n"
                               "    ------------------ ----------- ------- ------- -------\n\n"
                               "  sweep(float *) (8, 1, 1)x(64, 1, 1), Device 0, CC 8.0, Invocations 1\n"
                               "    Section: GPU Speed Of Light Throughput\n"
                               "    ----------- ----------- ------- ------- -------\n"
                               "    Duration             us    3.00    3.00    3.00\n"
                               "    ----------- ----------- ------- ------- -------\n";
    struct bench bench = bench_text(text);
    const struct rl_kernel *kernel = bench_kernel(&bench, "relax");

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 2);
    assert_string_equal(kernel->name, "relax(int, float *)");
    assert_int_equal(kernel->launches, 14);
    assert_int_equal(kernel->grid[1], 2);
    assert_int_equal(kernel->duration_count, 1);
    assert_int_equal(kernel->duration_ns[0], 1750);
    assert_int_equal(kernel->total_ns, 14 * 1750);
    assert_string_equal(kernel->timing, "ncu summary (average, under the profiler)");
    assert_metric(&bench, "relax", achieved_occupancy, 0.25);
    assert_counter(&bench, "relax", "Occupancy: Achieved Occupancy.min", 0.1);
    assert_counter(&bench, "relax", "Occupancy: Achieved Occupancy.max", 0.3);
    assert_int_equal(bench_kernel(&bench, "sweep")->duration_ns[0], 3000);
    bench_done(&bench);
}

/* Nsight Compute's details page as it stands in READMEs, of 2022 and later and before. */
static void a_details_page_as_text(void **state)
{
    static const char newer[] = "==PROF== Profiling \"relax\" - 0: 0%....50%....100% - 8 passes\n"
                                "[77] app@127.0.0.1\n"
                                "  relax(int, float *) (64, 2, 1)x(256, 1, 1), Context 1, Stream 7, Device 0, CC 8.0\n"
                                "    Section: GPU Speed Of Light Throughput\n"
                                "    ----------------------- ------------- ------------\n"
                                "    Metric Name               Metric Unit Metric Value\n"
                                "    ----------------------- ------------- ------------\n"
                                "    Elapsed Cycles                  cycle       20,480\n"
                                "    Duration                      usecond        16.50\n"
                                "    no row of three columns, is it     41        41.00\n"
                                "    DRAM Throughput                     %        40.00\n"
                                "    ----------------------- ------------- ------------\n"
                                "    ------- ------- ------- -------\n"
                                "    OPT   This kernel exhibits low throughput. 5.5 is no value.\n\n"
                                "    Section: Memory Workload Analysis\n"
                                "    ----------------- ------------ ------------\n"
                                "    Memory Throughput Gbyte/second       400.00\n"
                                "    ----------------- ------------ ------------\n\n"
                                "  relax(int, float *) (64, 2, 1)x(256, 1, 1), Context 1, Stream 7, Device 0, CC 8.0\n"
                                "    Section: GPU Speed Of Light Throughput\n"
                                "    ----------------------- ------------- ------------\n"
                                "    Duration                      usecond        17.50\n"
                                "    ----------------------- ------------- ------------\n";
    static const char older[] = "  relax(int, float *), 2020-Mar-11 10:00:00, Context 1, Stream 7\n"
                                "    Section: GPU Speed Of Light\n"
                                "    ---------------------------------------- --------------- ---------------\n"
                                "    Duration                                         usecond           16.50\n"
                                "    SOL DRAM                                               %           40.00\n"
                                "    # SMs                                                                108\n"
                                "    ---------------------------------------- --------------- ---------------\n";
    struct bench bench = bench_text(newer);
    const struct rl_kernel *kernel = &bench.capture->kernels[0];

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 1);
    assert_string_equal(kernel->name, "relax(int, float *)");
    assert_int_equal(kernel->launches, 2);
    assert_int_equal(kernel->grid[1], 2);
    assert_int_equal(kernel->block[0], 256);
    assert_int_equal(kernel->total_ns, 34000);
    assert_string_equal(bench.capture->gpus[0].chip, "GA100");
    assert_metric(&bench, "relax", dram_bytes_per_second, 400e9);
    assert_close(bench.analysis->gpus[0].ceiling[RL_CEILING_dram].theoretical.v, 1e12, 1e-9);
    assert_false(bench_logged(&bench, RL_LOG_WARNING, "notation"));
    for (size_t i = 0; i < kernel->counter_count; i++)
        assert_null(strstr(kernel->counters[i].name, "no row"));
    bench_done(&bench);
    bench = bench_text(older);
    assert_string_equal(bench.capture->kernels[0].name, "relax(int, float *)");
    assert_int_equal(bench.capture->kernels[0].duration_ns[0], 16500);
    assert_counter(&bench, "relax", "GPU Speed Of Light: SOL DRAM", 0.4);
    bench_done(&bench);
}

/* Each with what it is, and a command that prints what can be read. Where the options are documented: NVIDIA Nsight Systems, "CLI
 * Export Command Switch Options" (nsys export --type sqlite; the output is called as the report is), CUDA Profiler User's Guide,
 * "nvprof Command-line Options" (--csv, --print-gpu-trace, --log-file, --import-profile), Nsight Compute CLI, "Command Line
 * Options"
 * (--import, --csv, --page raw), git-lfs-pull(1). */
/* Summaries by grid and block, of kernels and copies, and of executions; the last of them also launch by launch. */
static void more_nsys_tables(void **state)
{
    static const char
        by_shape[] = "Time (%),Total Time (ns),Instances,Avg (ns),Min (ns),Max (ns),StdDev (ns),GridXYZ,BlockXYZ,Name\n"
                     "60.0,6000,3,2000.0,1900,2100,10.0,  64    2    1, 256    1    1,relax(float *)\n"
                     "40.0,4000,1,4000.0,4000,4000,0.0,  65    2    1, 256    1    1,relax(float *)\n",
        printed[] = " Time (%)  Total Time (ns)  Instances  Avg (ns)     GridXYZ         BlockXYZ           Name      \n"
                    " --------  ---------------  ---------  --------  --------------  --------------  --------------\n"
                    "     60.0            6,000          3   2,000.0    64    2    1   256    1    1  relax(float *)\n"
                    "     40.0            4,000          1   4,000.0    65    2    1   256    1    1  relax(float *)\n",
        all[] = "Time (%),Total Time (ns),Instances,Avg (ns),Min (ns),Max (ns),StdDev (ns),Category,Operation\n"
                "60.0,6000,3,2000.0,1900,2100,10.0,CUDA_KERNEL,relax(float *)\n"
                "40.0,4000,1,4000.0,4000,4000,0.0,MEMORY_OPER,[CUDA memcpy Host-to-Device]\n",
        executions[] =
            "PID,TID,DevId,Count,QCount,AAvg (ns),QAvg (ns),KAvg (ns),KMed (ns),KMin (ns),KMax (ns),API Name,Kernel Name\n"
            "61,61,0,1,1,700.0,14.0,1600.0,1600.0,1600,1600,cudaLaunchKernel,relax(float *)\n"
            "61,62,0,2,2,700.0,14.0,2200.0,2200.0,2100,2300,cuLaunchKernel,relax(float *)\n",
        each[] = "API Start (ns),API Dur (ns),Queue Start (ns),Queue Dur (ns),Kernel Start (ns),Kernel Dur (ns),Total Dur "
                 "(ns),PID,TID,DevId,API Function,GridXYZ,BlockXYZ,Kernel Name\n"
                 "9,1,,,20,1600,11,61,61,0,cudaLaunchKernel,  64    2    1, 256    1    1,relax(float *)\n"
                 "19,1,,,30,2100,11,61,62,0,cuLaunchKernel,  64    2    1, 256    1    1,relax(float *)\n"
                 "29,1,31,3,40,2300,11,61,62,0,cuLaunchKernel,  64    2    1, 256    1    1,relax(float *)\n";
    static const struct {
        const char *text;
        size_t kernels, samples;
        uint32_t grid;
    } rows[] = {{by_shape, 2, 1, 64}, {printed, 2, 1, 64}, {all, 1, 1, 0}, {executions, 1, 1, 0}, {each, 1, 3, 64}};

    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct bench bench = bench_text(rows[i].text);
        const struct rl_kernel *kernel = &bench.capture->kernels[0];
        assert_int_equal(bench.capture->kernel_count, rows[i].kernels);
        assert_int_equal(kernel->launches, 3);
        assert_int_equal(kernel->total_ns, 6000);
        assert_int_equal(kernel->duration_count, rows[i].samples);
        assert_int_equal(kernel->grid[0], rows[i].grid);
        assert_int_equal(kernel->grid[1], rows[i].grid ? 2 : 0);
        bench_done(&bench);
        const struct file both[] = {{rows[i].text, 0}, {all, 0}}; /* views of the same launches */
        bench = bench_files(both, i < 2 ? 1 : 2, NULL);
        assert_int_equal(bench.capture->kernel_count, rows[i].kernels);
        assert_int_equal(bench.capture->kernels[0].launches, 3);
        assert_int_equal(bench.capture->kernels[0].total_ns, 6000);
        bench_done(&bench);
    }
}

/* Tables that say grid and block alone are of the class that has them, if there is one. */
static void shapes_without_dynamic_memory(void **state)
{
    static const char ncu[] = "ID,Kernel Name,Block Size,Grid Size,Device,CC,dram__bytes.sum,launch__shared_mem_per_block_dynamic\n"
                              ",,,,,,byte,byte/block\n0,relax(float *),\"(256, 1, 1)\",\"(64, 2, 1)\",0,8.0,8000,%s\n",
                      nsys[] = "Start (ns),Duration (ns),GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,DymSMem (MB),Device,Name\n"
                               "10,2000,64,2,1,256,1,1,40,0.004,NVIDIA A30 (0),relax(float *)\n"
                               "20,6000,64,2,2,256,1,1,40,0.004,NVIDIA A30 (0),relax(float *)\n";
    static const struct {
        const char *dynamic; /* of one launch, and of another one */
        size_t kernels;
        bool noted;
    } rows[] = {{"4096", 2, false}, {"0\n1,relax(float *),\"(256, 1, 1)\",\"(64, 2, 1)\",0,8.0,8000,4096", 4, true}};

    (void)state;
    for (size_t i = 0; i < 2 * RL_COUNT(rows); i++) {
        struct rl_buf counters = RL_BUF_INIT;
        rl_buf_addf(&counters, ncu, rows[i / 2].dynamic);
        const struct file files[] = {{i % 2 ? nsys : counters.data, 0}, {i % 2 ? counters.data : nsys, 0}};
        struct bench bench = bench_files(files, 2, NULL);
        assert_int_equal(bench.capture->kernel_count, rows[i / 2].kernels);
        assert_int_equal(bench_logged(&bench, RL_LOG_WARNING, "ran with several configurations"), rows[i / 2].noted);
        for (size_t k = 0; k < bench.capture->kernel_count && !rows[i / 2].noted; k++) {
            const struct rl_kernel *kernel = &bench.capture->kernels[k];
            assert_int_equal(kernel->total_ns, kernel->grid[2] == 2 ? 6000 : 2000);
            if (kernel->grid[2] == 1)
                assert_close(bench.analysis->kernels[k].metric[RL_METRIC_dram_bytes_per_second].v, 4e9, 1e-9);
        }
        bench_done(&bench);
        rl_buf_release(&counters);
    }
}

/* A notebook is what its cells printed: as a list or one text, on its own or as a result. */
static void notebooks(void **state)
{
#define CELL(outputs) "{\"cell_type\": \"code\", \"metadata\": {}, \"source\": [\"!nvprof ./a\"], \"outputs\": [" outputs "]}"
#define PRINTED_TIMES                                                                                                              \
    "\"==7== Profiling result:\\n\", \"            Type  Time(%)      Time     Calls       Avg       Min       Max  Name\\n\", "   \
    "\" GPU activities:  100.00%  800.00us         4  200.00us  190.00us  210.00us  relax(float*)\\n\""
#define PRINTED_METRICS                                                                                                            \
    "\"==8== Metric result:\\n\\\"Device\\\",\\\"Kernel\\\",\\\"Invocations\\\",\\\"Metric Name\\\",\\\"Metric "                   \
    "Description\\\",\\\"Min\\\","                                                                                                 \
    "\\\"Max\\\",\\\"Avg\\\"\\nTesla T4 (0),relax(float*),4,achieved_occupancy,x,0.5,0.5,0.5\""
    static const char *const texts[] = {
        "{\"cells\": [" CELL("{\"name\": \"stdout\", \"output_type\": \"stream\", \"text\": [" PRINTED_TIMES "]}") ", " CELL(
            "{\"output_type\": \"stream\", \"text\": " PRINTED_METRICS "}") "], \"metadata\": {}, \"nbformat\": 4}",
        "{\"nbformat\": 4, \"cells\": [" CELL("{\"data\": {\"text/plain\": [" PRINTED_TIMES
                                              "]}, \"output_type\": \"execute_result\"}, {\"text\": " PRINTED_METRICS "}") "]}"};

    (void)state;
    for (size_t i = 0; i < RL_COUNT(texts); i++) {
        struct bench bench = bench_text(texts[i]);
        assert_int_equal(bench.capture->kernel_count, 1);
        assert_int_equal(bench.capture->kernels[0].launches, 4);
        assert_int_equal(bench.capture->kernels[0].total_ns, 800000);
        assert_metric(&bench, "relax", achieved_occupancy, 0.5);
        bench_done(&bench);
    }
    assert_refused(&(struct file){"{\"cells\": [{\"cell_type\": \"markdown\", \"source\": [\""
                                  "Kernel: 5 us\"]}]}",
                                  0},
                   1, "a notebook whose cells printed no table");
    assert_refused(&(struct file){"{\"cells\": [{\"cell_type\": \"code\" \"source\"", 0}, 1, "damaged");
#undef PRINTED_METRICS
#undef PRINTED_TIMES
#undef CELL
}

static void other_formats_are_named(void **state)
{
    static const struct {
        struct file file;
        const char *is, *command;
    } rows[] = {
        {{"NVIDIA Tegra Profiler Report 1.\n\x0bLocal", 38}, "report of Nsight Systems", "nsys export --type sqlite FILE"},
        {{"SQLite format 3\0\x10\0....CREATE TABLE StringTable (_id_", 52},
         "profile of nvprof or the Visual Profiler",
         "nvprof --csv --print-gpu-trace --log-file NAME.csv --import-profile FILE"},
        {{"U3w[END]NVIDIA Nsight Systems Stream 2023.3.1", 45}, "was not finished", "QdstrmImporter --input-file FILE"},
        {{"\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\",\"Percentage\"\n\"k\",1,2,2,100\n", 0},
         "rocprof",
         "only Nsight Compute"},
        {{"-----  ------------  ----------\n Name    Self CPU %     Self CUDA   Self CUDA %    # of Calls\n-----  ----\n aten::mm  "
          "0.1%  3.0us  50.00%  4\n",
          0},
         "summary that PyTorch's profiler printed",
         "prof.export_chrome_trace('trace.json')"},
        {{"SQLite format 3\0\x10\0....RLCP....", 30}, "it is a capture already", ""},
        {{"SQLite format 3\0\x10\0....CREATE TABLE rocpd_string (id", 52}, "rocprofv3", "only Nsight Compute"},
        {{"SQLite format 3\0\x10\0....CREATE TABLE songs", 39}, "it is no SQLite database", ""},
        {{"PERFILE2\0\0\0", 11}, "Linux perf", "rooflight collect"},
        {{"{\n  \"schemaVersion\": 1,\n  \"traceEvents\": []}", 0}, "trace in Chrome's format", "rooflight collect"},
        {{"\"Index\",\"KernelName\",\"gpu-id\",\"queue-id\"\n0,\"k\",1,0\n", 0}, "rocprof", "only Nsight Compute"},
        {{"\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Kernel_Name\"\n", 0}, "rocprofv3", "only Nsight Compute"},
        {{"\x1F\x8B\x08\0\0", 5}, "compressed", "gzip -dc FILE | rooflight import - -o NAME.rlcap"},
        {{"PK\3\4....", 8}, "ZIP archive", "unpack"},
        {{"version https://git-lfs.github.com/spec/v1\noid sha256:d069\nsize 221339\n", 0}, "pointer of Git LFS", "git lfs pull"},
        {{"  relax(float *) (64, 1, 1)x(256, 1, 1), Context 1, Stream 7, Device 0, CC 8.6\n    Section: GPU Speed Of Light "
          "Throughput\n",
          0},
         "Nsight Compute's text output",
         "ncu --import FILE --csv --page raw"},
    };

    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        assert_refused(&rows[i].file, 1, rows[i].is);
        assert_refused(&rows[i].file, 1, rows[i].command);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_without_times),
        cmocka_unit_test(a_rate_from_cycles_and_clock),
        cmocka_unit_test(shares_of_a_peak),
        cmocka_unit_test(a_share_of_a_card_that_is_listed),
        cmocka_unit_test(a_share_of_l2),
        cmocka_unit_test(sums_of_what_was_counted),
        cmocka_unit_test(sums_with_tensor_instructions),
        cmocka_unit_test(values_that_no_measurement_gives),
        cmocka_unit_test(sessions_in_one_log),
        cmocka_unit_test(processes_that_are_views),
        cmocka_unit_test(processes_that_measured_different_things),
        cmocka_unit_test(no_time_for_rates_beside_a_time),
        cmocka_unit_test(hosts_processes_and_cards),
        cmocka_unit_test(one_run_however_it_is_passed),
        cmocka_unit_test(rows_in_another_order),
        cmocka_unit_test(averages_of_averages),
        cmocka_unit_test(nsys_tables),
        cmocka_unit_test(a_share_of_peak_alone),
        cmocka_unit_test(a_place_without_all_types),
        cmocka_unit_test(several_reports_of_nsys),
        cmocka_unit_test(names_without_quotes),
        cmocka_unit_test(a_summary_as_text),
        cmocka_unit_test(a_details_page_as_text),
        cmocka_unit_test(more_nsys_tables),
        cmocka_unit_test(shapes_without_dynamic_memory),
        cmocka_unit_test(notebooks),
        cmocka_unit_test(other_formats_are_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
