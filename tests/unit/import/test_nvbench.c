/* Results of nvbench as CSV: a variant for each state, labelled by its axes. */
#include "bench.h"

#define HEAD                                                                                                                       \
    "Benchmark,Device,Device Name,T,Elements,Skipped,Samples,CPU Time (sec),Noise,GPU Time (sec),Noise,Elem/s (elem/sec),"         \
    "GlobalMem BW (bytes/sec),BWUtil,Samples,Batch GPU (sec)\n"

static const struct rl_variant *variant(const struct bench *bench, size_t i, const char *experiment, const char *name)
{
    const struct rl_variant *found = &bench->capture->variants[i];

    assert_true(i < bench->capture->variant_count);
    assert_string_equal(bench->capture->experiments[found->experiment].name, experiment);
    assert_string_equal(found->name, name);
    return found;
}

static void states_and_axes(void **state)
{
    struct bench bench =
        bench_text(HEAD "copy,0,NVIDIA A100-SXM4-40GB,F32,1048576,No,1024,2.1e-05,0.03,1.6e-05,0.02,6.5e10,5.24288e11,"
                        "0.33,1024,1.5e-05\n"
                        "copy,0,NVIDIA A100-SXM4-40GB,F64,1048576,No,512,3e-05,0.1,2.6e-05,0.02,4e10,,,512,2.5e-05\n"
                        "copy,0,NVIDIA A100-SXM4-40GB,I8,16,Yes,,,,,,,,,,\n"
                        "reduce,0,NVIDIA A100-SXM4-40GB,,,No,64,1e-3,0.1,9e-4,0.02,,,,64,9e-4\n");

    (void)state;
    assert_int_equal(bench.capture->gpu_count, 1);
    assert_string_equal(bench.capture->gpus[0].chip, "GA100"); /* of the name */
    assert_string_equal(bench.capture->session.source, "published");
    assert_int_equal(bench.capture->variant_count, 3);
    const struct rl_variant *first = variant(&bench, 0, "copy", "T=F32, Elements=1048576");
    assert_close(first->useful_bytes.v, 5.24288e11 * 1.6e-5, 0.5);
    assert_non_null(strstr(bench.capture->experiments[first->experiment].source, "input.csv"));
    assert_false(rl_present(variant(&bench, 1, "copy", "T=F64, Elements=1048576")->useful_bytes));
    variant(&bench, 2, "reduce", "all");
    assert_int_equal(bench.capture->kernels[0].duration_ns[0], 16000);
    assert_int_equal(bench.capture->kernels[2].duration_ns[0], 900000);
    assert_true(bench_logged(&bench, RL_LOG_WARNING, "left out: 1 (copy)")); /* the state that was skipped */
    bench_done(&bench);
}

/* No state ran: nothing is there. */
static void nothing_ran(void **state)
{
    (void)state;
    assert_refused(&(struct file){HEAD "copy,0,Some Card,F32,1,Yes,,,,,,,,,,\n", 0}, 1, "no row");
}

/* What nvbench prints: benchmark and card stand above a table of Markdown; units in the cells. */
static void markdown(void **state)
{
    struct bench bench = bench_text("# Benchmark Results\n"
                                    "\n"
                                    "## copy\n"
                                    "\n"
                                    "### [0] NVIDIA A100-SXM4-40GB\n"
                                    "\n"
                                    "|  T  |   Elements    | Samples |  CPU Time  | Noise |  GPU Time  | Noise | Elem/s  | "
                                    "GlobalMem BW | BWUtil | Samples | Batch GPU  |\n"
                                    "|-----|---------------|---------|------------|-------|------------|-------|---------|---------"
                                    "-----|--------|---------|------------|\n"
                                    "| I32 | 2^20 = 104857 |   1024x |  21.100 us | 3.05% |  16.000 us | 2.02% | 65.000G | 524.288 "
                                    "GB/s | 33.10% |   1024x |  15.000 us |\n"
                                    "| F64 | 2^20 = 104857 |    512x |  30.100 us | 3.05% |   2.600 ms | 2.02% |         |         "
                                    "     |        |    512x |  25.000 us |\n");

    (void)state;
    assert_int_equal(bench.capture->variant_count, 2);
    assert_string_equal(bench.capture->gpus[0].name, "NVIDIA A100-SXM4-40GB");
    assert_close(variant(&bench, 0, "copy", "T=I32, Elements=2^20 = 104857")->useful_bytes.v, 524.288e9 * 16e-6, 0.5);
    assert_false(rl_present(variant(&bench, 1, "copy", "T=F64, Elements=2^20 = 104857")->useful_bytes));
    assert_int_equal(bench.capture->kernels[0].duration_ns[0], 16000);
    assert_int_equal(bench.capture->kernels[1].duration_ns[0], 2600000);
    bench_done(&bench);
}

/* The same as JSON: texts for numbers, devices by number; a state that was skipped has no time. */
static void json(void **state)
{
    static const char text[] =
        "{\"meta\":{\"argv\":[\"./"
        "bench\",\"--json\",\"x\"],\"version\":{\"json\":{\"major\":1,\"minor\":0,\"patch\":0,\"string\":\"1.0.0\"},\"nvbench\":{"
        "\"major\":0,\"minor\":1,\"patch\":0,\"string\":\"0.1.0\"}}},\n"
        "\"devices\":[{\"id\":0,\"name\":\"NVIDIA A100-SXM4-40GB\",\"sm_version\":800},{\"id\":1,\"name\":\"Tesla "
        "V100-SXM2-16GB\"}],\n"
        "\"benchmarks\":[{\"name\":\"copy\",\"index\":0,\"devices\":[0,1],\"axes\":[{\"name\":\"T\",\"type\":\"type\",\"flags\":"
        "\"\",\"values\":[{\"input_string\":\"I32\",\"description\":\"\",\"is_active\":true}]}],\n"
        "\"states\":[{\"name\":\"Device=0 "
        "T=I32\",\"min_samples\":10,\"device\":0,\"type_config_index\":0,\"axis_values\":[{\"name\":\"T\",\"type\":\"type\","
        "\"value\":\"I32\"},{\"name\":\"Elements\",\"type\":\"int64\",\"value\":\"1048576\"}],\n"
        "\"summaries\":[{\"tag\":\"nv/cold/"
        "sample_size\",\"name\":\"Samples\",\"data\":[{\"name\":\"value\",\"type\":\"int64\",\"value\":\"1024\"}]},{\"tag\":\"nv/"
        "cold/time/gpu/mean\",\"name\":\"GPU "
        "Time\",\"hint\":\"duration\",\"hide\":\"x\",\"data\":[{\"name\":\"value\",\"type\":\"float64\",\"value\":\"1.6e-05\"}]},{"
        "\"tag\":\"nv/cold/bw/global/bytes_per_second\",\"name\":\"GlobalMem "
        "BW\",\"data\":[{\"name\":\"value\",\"type\":\"float64\",\"value\":\"5.24288e+11\"}]}],\"is_skipped\":false},\n"
        "{\"name\":\"Device=1 "
        "T=I32\",\"device\":1,\"axis_values\":[{\"name\":\"T\",\"type\":\"type\",\"value\":\"I32\"}],\"summaries\":null,\"is_"
        "skipped\":true,\"skip_reason\":\"x\"}]}]}\n";
    struct bench bench = bench_text(text);

    (void)state;
    assert_int_equal(bench.capture->variant_count, 1);
    assert_string_equal(bench.capture->gpus[0].name, "NVIDIA A100-SXM4-40GB");
    assert_close(variant(&bench, 0, "copy", "T=I32, Elements=1048576")->useful_bytes.v, 5.24288e11 * 1.6e-5, 0.5);
    assert_int_equal(bench.capture->kernels[0].duration_ns[0], 16000);
    assert_true(bench_logged(&bench, RL_LOG_WARNING, "left out: 1 (copy)"));
    bench_done(&bench);
    assert_refused(&(struct file){"{\"meta\": {\"version\": {\"nvbench\": 1}}}", 0}, 1, "without a figure that is read");
}

#define KERNEL                                                                                                                     \
    "\"ID\",\"Process ID\",\"Host Name\",\"Kernel Name\",\"Device\",\"CC\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"     \
    "\"0\",\"7\",\"h\",\"k\",\"0\",\"8.0\",\"gpu__time_duration.sum\",\"us\",\"1000\"\n"                                           \
    "\"0\",\"7\",\"h\",\"k\",\"0\",\"8.0\",\"dram__bytes.sum\",\"byte\",\"1000000000\"\n"

/* Roofs that others have measured are those of the card whose kernels were read; the highest rate is the roof. */
static void roofs(void **state)
{
    static const char mixbench[] = "Device:              NVIDIA A100-SXM4-40GB\n"
                                   "Experiment ID, Single Precision ops,,,,              Double precision ops,,,,              "
                                   "Half precision ops,,,,                Integer operations,,,\n"
                                   "Compute iters, Flops/byte, ex.time,  GFLOPS, GB/sec, Flops/byte, ex.time,  GFLOPS, GB/sec, "
                                   "Flops/byte, ex.time,  GFLOPS, GB/sec, Iops/byte, ex.time,   GIOPS, GB/sec\n"
                                   "0,      0.250,    0.22,  304.55, 1318.22,      0.125,    0.43,  153.04, 1324.29,      0.500,   "
                                   " 0.22,  608.68, 1317.36,     0.250,    0.22,  304.68, 1318.73\n"
                                   "256,     64.250,    0.96, 18000.50,  280.22,     32.125,    1.83, 9400.04,  292.29,    "
                                   "128.500,    0.96, 70000.68,  560.36,    64.250,    1.96, 9304.68, 140.73\n";
    static const char ert[] = "{\"empirical\": {\"gbytes\": {\"data\": [[\"L1\", 2996.5], [\"DRAM\", 1250]]}, "
                              "\"gflops\": {\"data\": [[\"FP64 GFLOPs\", 7068.5], [\"GFLOPs\", 1]]}}}";
    const struct file of_mixbench[] = {{KERNEL, 0}, {mixbench, 0}}, of_ert[] = {{ert, 0}, {KERNEL, 0}};
    struct bench bench = bench_files(of_mixbench, 2, "NVIDIA A100-SXM4-40GB");
    const struct rl_ceiling *ceiling = bench.analysis->gpus[0].ceiling;

    (void)state;
    assert_close(ceiling[RL_CEILING_dram].measured.median, 1324.29e9, 1);
    assert_close(ceiling[RL_CEILING_fp32].measured.median, 18000.5e9, 1);
    assert_close(ceiling[RL_CEILING_fp64].measured.median, 9400.04e9, 1);
    assert_close(ceiling[RL_CEILING_fp16].measured.median, 70000.68e9, 1);
    assert_string_equal(bench.capture->ceilings[ceiling[RL_CEILING_dram].run].configuration, "mixbench: input.csv");
    assert_string_equal(bench.capture->session.source, "ncu");
    assert_close(bench.analysis->kernels[0].roof_share.v, 1e12 / 1324.29e9, 1e-6);
    bench_done(&bench);
    bench = bench_files(of_ert, 2, NULL);
    ceiling = bench.analysis->gpus[0].ceiling;
    assert_close(ceiling[RL_CEILING_dram].measured.median, 1250e9, 1);
    assert_close(ceiling[RL_CEILING_l1].measured.median, 2996.5e9, 1);
    assert_close(ceiling[RL_CEILING_fp64].measured.median, 7068.5e9, 1);
    assert_true(bench_logged(&bench, RL_LOG_WARNING, "left out: 1 (GFLOPs)")); /* of which precision is not said */
    bench_done(&bench);
    bench = bench_files(of_mixbench, 2, "NVIDIA H200");
    assert_int_equal(bench.capture->ceiling_count, 0);
    assert_true(bench_logged(&bench, RL_LOG_WARNING, "roofs of a card that was not measured"));
    bench_done(&bench);
    assert_refused(&of_mixbench[1], 1, "only roofs were read");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(states_and_axes), cmocka_unit_test(nothing_ran), cmocka_unit_test(markdown),
                                       cmocka_unit_test(json), cmocka_unit_test(roofs)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
