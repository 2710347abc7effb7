/* Outputs of real profilers, where they are there (RL_PROFILES): figures that were read off the files by hand, or published with
 * them. */
#include "bench.h"

#include "cell.h"
#include "core/fs.h"

/* Files of the collection as one capture. */
#define PUBLISHED(...)                                                                                                             \
    bench_of(bench_there(RL_PROFILES, "RL_PROFILES", sizeof(const char *[]){__VA_ARGS__} / sizeof(const char *),                   \
                         (const char *[]){__VA_ARGS__}))

static void t4(void **state)
{
    struct bench bench = PUBLISHED("t4-copy-blocked/copy_blocked.csv");
    const struct rl_kernel *kernel = bench_kernel(&bench, "copy_blocked");

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 1);
    assert_int_equal(kernel->duration_ns[0], 21058944);
    assert_int_equal(kernel->grid[0], 1024);
    assert_metric(&bench, "copy_blocked", achieved_occupancy, 0.9626);
    assert_metric(&bench, "copy_blocked", branch_efficiency, 1);
    assert_metric(&bench, "copy_blocked", dram_bytes_per_second, 196456177859.63);
    assert_counter(&bench, "copy_blocked", "GPU Speed Of Light Throughput: DRAM Throughput", 0.6184);
    assert_metric(&bench, "copy_blocked", sm_clock_hz, 584998877.44);
    assert_int_equal(bench.capture->gpus[0].cc_major * 10 + bench.capture->gpus[0].cc_minor, 75);
    bench_done(&bench);
}

static uint64_t a100_duration(const char *file, const char *kernel)
{
    struct bench bench = PUBLISHED(file);
    const uint64_t duration = bench_kernel(&bench, kernel)->duration_ns[0];

    assert_int_equal(bench.capture->kernel_count, 6);
    assert_string_equal(bench.capture->gpus[0].chip, "GA100");
    assert_close(bench.capture->gpus[0].fact[RL_FACT_sm_count].v, 108, 0);
    bench_done(&bench);
    return duration;
}

#define CLIMA "set_microphysics_tendency_cache__FILE_ClimaAtmos_jl_"

/* One change that won, one that did nothing. Units change from kernel to kernel (us, ms). */
static void a100(void **state)
{
    (void)state;
    assert_int_equal(a100_duration("a100-clima/9385553/baseline-details.csv", CLIMA "src_cache_microphysics_cache_jl_L1013"),
                     32340000);
    assert_int_equal(a100_duration("a100-clima/9385553/mod-details.csv", CLIMA "mod_src_cache_microphysics_cache_jl_L1013"),
                     9350000);
    assert_int_equal(a100_duration("a100-clima/head/baseline-details.csv", CLIMA "src_cache_microphysics_cache_jl_L1013"),
                     30860000);
    assert_int_equal(a100_duration("a100-clima/head/mod-details.csv", CLIMA "mod_src_cache_microphysics_cache_jl_L1013"), 30460000);
    assert_int_equal(a100_duration("a100-clima/head/mod-details.csv", CLIMA "mod_src_cache_microphysics_cache_jl_L992"), 56220);
}

/* The collection's own table of resources says the same of the baseline. */
static void a100_resources(void **state)
{
    struct bench bench = PUBLISHED("a100-clima/head/baseline-details.csv");
    const char *kernel = CLIMA "src_cache_microphysics_cache_jl_L1012";

    (void)state;
    assert_close(bench_kernel(&bench, kernel)->registers_per_thread.v, 48, 0);
    assert_metric(&bench, kernel, achieved_occupancy, 0.5056);
    assert_metric(&bench, kernel, branch_efficiency, 0.8773);
    assert_counter(&bench, kernel, "Theoretical Occupancy", 0.625);
    assert_metric(&bench, kernel, theoretical_occupancy, 0.625); /* ours, from registers and block */
    bench_done(&bench);
}

/* 558.84 beside GB/s values: kilobytes, of 1024 bytes. */
static void p100(void **state)
{
    struct bench bench = PUBLISHED("p100-altis/level2/cfd/metrics_big_zemaitis.csv");

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 4);
    assert_string_equal(bench.capture->gpus[0].name, "Tesla P100-SXM2-16GB");
    assert_counter(&bench, "cuda_initialize_variables", "dram_read_throughput", 558.843750 * 1024);
    assert_counter(&bench, "cuda_initialize_variables", "dram_read_throughput.min", 517.298828 * 1024);
    assert_counter(&bench, "cuda_compute_step_factor", "dram_read_throughput", 362.757686 * 1073741824);
    for (size_t i = 0; i < bench.capture->kernel_count; i++)
        assert_true(bench_counter(&bench, bench.capture->kernels[i].name, "dram_read_throughput").v <= 362.757686 * 1073741824);
    assert_metric(&bench, "cuda_initialize_variables", achieved_occupancy, 0.876801);
    assert_metric(&bench, "cuda_compute_flux", branch_efficiency, 0.97270689);
    assert_metric(&bench, "cuda_compute_flux", dram_read_bytes, 5043470605);
    assert_metric(&bench, "cuda_compute_flux", flop_fp32, 34587748562);
    assert_metric(&bench, "cuda_compute_flux", flop_total, 34587748562); /* all FP32; the card has no tensor cores */
    assert_int_equal(bench_kernel(&bench, "cuda_time_step")->launches, 30);
    assert_null(bench_kernel(&bench, "cuda_time_step")->timing);
    bench_done(&bench);
}

/* Throughputs are whole bytes per second, printed with six decimals: times 1024 every KB/s is whole again, times 1000 none is. */
static void p100_prefixes(void **state)
{
    struct rl_buf text = RL_BUF_INIT;
    struct rl_err err = RL_ERR_INIT;
    char *path = rl_path_join(RL_PROFILES, "p100-altis/level2/cfd/metrics_big_zemaitis.csv");
    size_t seen = 0;

    (void)state;
    if (rl_read_file(path, 1 << 20, &text, &err) != RL_OK) {
        print_message("skipped: %s\n", err.text);
        rl_buf_release(&text);
        free(path);
        skip();
    }
    free(path);
    for (const char *at = text.data; *at; at += strcspn(at, ",\n"), at += *at != '\0') {
        const struct rl_cell cell = rl_cell_read((struct rl_text){at, strcspn(at, ",\n")}, RL_POINT);
        const double bytes = cell.number * 1024;
        if (cell.kind != RL_CELL_NUMBER || !rl_text_is(cell.unit, "KB/s"))
            continue;
        assert_true(fabs(bytes - round(bytes)) < 0.001);
        seen++;
    }
    assert_true(seen > 20);
    rl_buf_release(&text);
}

static void p100_without_result(void **state)
{
    static const char *const names[] = {"p100-altis/level0/busspeeddownload/metrics_zemaitis.csv",
                                        "a100-clima/b9d6370/mod-details.csv"};
    static const char *const words[] = {"nothing was profiled", "==ERROR== Could not open report file"};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const struct rl_import_options options = {.tool_version = "1"};
        struct rl_import *import = rl_import_new(&options);
        struct rl_err err = RL_ERR_INIT;
        char *path = rl_path_join(RL_PROFILES, names[i]);
        const enum rl_status status = rl_import_file(import, path, &err);
        rl_import_free(import);
        free(path);
        if (status == RL_ABSENT)
            skip();
        assert_int_equal(status, RL_FORMAT);
        assert_non_null(strstr(err.text, words[i]));
    }
}

/* Three views of one binary. */
static void k20c(void **state)
{
    struct bench bench = PUBLISHED("kepler-stencil/j2d5pt/jacobi-orig.profile", "kepler-stencil/j2d5pt/jacobi-orig.time",
                                   "kepler-stencil/j2d5pt/jacobi-orig.trace");
    const struct rl_kernel *kernel = bench_kernel(&bench, "__kernel___forma_kernel__0__");

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 4);
    assert_int_equal(bench.capture->gpu_count, 1);
    assert_string_equal(bench.capture->gpus[0].name, "Tesla K20c");
    assert_int_equal(kernel->launches, 3);
    assert_int_equal(kernel->duration_count, 3);
    assert_int_equal(kernel->duration_ns[0], 7922282);
    assert_int_equal(kernel->grid[0], 257);
    assert_int_equal(kernel->block[1], 32);
    assert_metric(&bench, "__kernel___forma_kernel__0__", achieved_occupancy, 0.850643);
    assert_metric(&bench, "__kernel___forma_kernel__0__", flop_fp32, 673384360);
    assert_counter(&bench, "__kernel___forma_kernel__0__", "duration.max", 7.926027e-3); /* of the summary */
    bench_done(&bench);
}

static void titan_xp(void **state)
{
    struct bench bench =
        PUBLISHED("titanxp-cfd-unifiedmem/print-gpu-summary.csv", "titanxp-cfd-unifiedmem/print-gpu-trace.first400.csv");
    const struct rl_kernel *kernel = bench_kernel(&bench, "cuda_compute_flux");

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 4);
    assert_int_equal(kernel->launches, 6000); /* the trace is cut */
    assert_string_equal(kernel->timing, "nvprof GPU trace");
    assert_int_equal(kernel->block[0], 192);
    assert_close(kernel->registers_per_thread.v, 58, 0);
    assert_counter(&bench, "cuda_compute_flux", "duration.max", 1.791976e-3);
    assert_counter(&bench, "cuda_compute_flux", "duration.min", 43.106e-6);
    bench_done(&bench);
}

/* Nsight Compute of 2020, against the table that its authors made of it. */
static void v100(void **state)
{
    struct bench bench = PUBLISHED("v100-rodinia-xplacer/hotspot/lassen-kernel-level-measurement/nsight_hotspot_1024");
    const struct rl_kernel *kernel = bench_kernel(&bench, "calculate_temp");

    (void)state;
    assert_int_equal(kernel->duration_ns[0], 51360);
    assert_int_equal(kernel->grid[0], 7396);
    assert_close(kernel->registers_per_thread.v, 40, 0);
    assert_close(kernel->static_shared_bytes.v, 3072, 0);
    assert_metric(&bench, "calculate_temp", achieved_occupancy, 0.6917);
    assert_metric(&bench, "calculate_temp", dram_bytes_per_second, 286275389408.10);
    assert_metric(&bench, "calculate_temp", instructions, 14963804);
    assert_metric(&bench, "calculate_temp", l1_hit_rate, 0.0046);
    assert_metric(&bench, "calculate_temp", sm_clock_hz, 1272504543.09);
    assert_counter(&bench, "calculate_temp", "GPU Speed Of Light: SOL FB", 0.326);
    assert_counter(&bench, "calculate_temp", "Theoretical Occupancy", 0.75);
    bench_done(&bench);
}

/* CRLF, byte order mark, program output; DRAM counters by their new names on a chip that shares its compute capability with others.
 */
static void rtx5070(void **state)
{
    struct bench bench = PUBLISHED("rtx5070-roofline/ncu/gemm_naive.csv", "rtx5070-roofline/ncu/saxpy.csv");
    const char *gemm = "unnamed>::gemm_naive_kernel", *saxpy = "unnamed>::saxpy_kernel";

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 2);
    assert_null(bench.capture->gpus[0].chip);
    assert_int_equal(bench.capture->gpus[0].cc_major, 12);
    assert_int_equal(bench_kernel(&bench, gemm)->duration_ns[0], 9589248);
    assert_metric(&bench, gemm, dram_read_bytes, 54207744);
    assert_metric(&bench, gemm, dram_write_bytes, 26601216);
    assert_metric(&bench, gemm, achieved_occupancy, 0.6661);
    assert_metric(&bench, gemm, warp_execution_efficiency, 1);
    assert_metric(&bench, gemm, sectors_per_request_load, 2.5);
    assert_metric(&bench, saxpy, dram_bytes_per_second, (134221568 + 43631104) / 292928e-9);
    bench_done(&bench);
}

static void turing(void **state)
{
    struct bench bench = PUBLISHED("cc75-resnet-ncu/ncu_raw.csv");

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 4); /* five launches, two of one class */
    assert_metric(&bench, "_5x_cudnn_volta_scudnn_128x64_relu", achieved_occupancy, 0.344);
    assert_false(rl_present(bench_counter(&bench, "_5x_cudnn_volta_scudnn_128x64_relu",
                                          "smsp__warp_issue_stalled_long_scoreboard_per_warp_active.avg")));
    bench_done(&bench);
}

/* Raw pages: 120 launches of six classes, 2227 metrics, names of 2300 characters. */
static void h200(void **state)
{
    struct bench bench = PUBLISHED("h200/ncu_metrics_raw_120_launches.csv");
    const struct rl_kernel *kernel = &bench.capture->kernels[0];

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 6);
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(bench.capture->kernels[i].launches, 20);
        assert_int_equal(bench.capture->kernels[i].duration_count, 20);
    }
    assert_int_equal(kernel->duration_ns[0], 389728);
    assert_string_equal(bench.capture->gpus[0].name, "NVIDIA H200");
    assert_string_equal(bench.capture->gpus[0].chip, "GH100");
    assert_metric(&bench, "stride_k", theoretical_occupancy, 1);
    assert_missing(&bench, "stride_k", branch_efficiency, "no branches executed"); /* 0 of 0, printed as 0 % */
    assert_metric(&bench, "fma_k", flop_fp32, 2 * 8858370048.0 + 3244032 + 540672);
    assert_metric(&bench, "fma_k", branch_efficiency, 1);
    bench_done(&bench);
}

/* --set full prints arithmetic per cycle only: it comes out as --metrics counted it, within the printed digits. */
static void h200_full(void **state)
{
    struct bench bench = PUBLISHED("h200/ncu_set_full_raw.csv");
    const struct rl_ceiling *ceilings = bench.analysis->gpus[0].ceiling;

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 6);
    assert_close(bench_metric(&bench, "fma_k", RL_METRIC_flop_fp32).v, 2 * 8858370048.0 + 3244032 + 540672, 1e-3);
    assert_close(ceilings[RL_CEILING_dram].theoretical.v, 1504 * 3.199e9, 1e-3);
    assert_close(ceilings[RL_CEILING_fp64].theoretical.v, 2 * 8448 * 1.98e9, 0.02);
    assert_int_equal(bench.analysis->kernels[0].bound == RL_BOUND_UNKNOWN, 0);
    bench_done(&bench);
}

static void h200_pytorch(void **state)
{
    struct bench bench = PUBLISHED("h200/ncu_metrics_raw_pytorch.csv");
    size_t longest = 0, launches = 0;

    (void)state;
    for (size_t i = 0; i < bench.capture->kernel_count; i++) {
        const size_t len = strlen(bench.capture->kernels[i].name);
        longest = len > longest ? len : longest;
        launches += bench.capture->kernels[i].launches;
    }
    assert_int_equal(bench.capture->kernel_count, 17);
    assert_int_equal(launches, 38);
    assert_true(longest > 1200);
    for (size_t i = 0; i < bench.capture->kernel_count; i++) {
        const struct rl_kernel_result *result = &bench.analysis->kernels[i];
        assert_true(result->bound != RL_BOUND_LATENCY && (!rl_present(result->roof_share) || result->roof_share.v < 1));
        /* products of matrices of four sizes in one grid, which their branches distinguish; each has two launches */
        static const double rates[] = {
            (18904064 + 1236992 + 18904576 + 1135360) / 54528e-9, (33960192 + 33983232 + 33821440 + 33933056) / 148224e-9,
            (85614592 + 10641664 + 85558528 + 10210560) / 180576e-9, (37245440 + 47934208 + 37326592 + 47793408) / 198720e-9};
        const struct rl_population *kind = &bench.capture->kernels[i].population;
        if (kind->total == 4) {
            assert_non_null(strstr(bench.capture->kernels[i].name, "coopA_bias_TNT"));
            assert_int_equal(bench.capture->kernels[i].launches, 2);
            assert_close(result->metric[RL_METRIC_dram_bytes_per_second].v, rates[kind->number - 1], 1e-9);
        }
    }
    bench_done(&bench);
}

static void h200_roofline(void **state)
{
    struct bench bench = PUBLISHED("h200/ncu_set_roofline_details.csv");

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 6);
    assert_int_equal(bench_kernel(&bench, "stride_k")->duration_ns[0], 389664);
    assert_metric(&bench, "stride_k", dram_clock_hz, 3199145930.85);
    bench_done(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(t4),        cmocka_unit_test(a100),          cmocka_unit_test(a100_resources),
        cmocka_unit_test(p100),      cmocka_unit_test(p100_prefixes), cmocka_unit_test(p100_without_result),
        cmocka_unit_test(k20c),      cmocka_unit_test(titan_xp),      cmocka_unit_test(v100),
        cmocka_unit_test(rtx5070),   cmocka_unit_test(turing),        cmocka_unit_test(h200),
        cmocka_unit_test(h200_full), cmocka_unit_test(h200_pytorch),  cmocka_unit_test(h200_roofline),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
