/* Results of nvbench: a case for each state, named by its axes. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"
#include "core/mem.h"

#define HEAD                                                                                                                       \
    "Benchmark,Device,Device Name,T,Elements,Skipped,Samples,CPU Time (sec),Noise,GPU Time (sec),Noise,Elem/s (elem/sec),"         \
    "GlobalMem BW (bytes/sec),BWUtil,Samples,Batch GPU (sec)\n"

static const struct rl_benchmark *state(const struct bench *bench, size_t i, const char *name, double seconds, uint64_t summarised)
{
    const struct rl_benchmark *found = &bench->capture->benchmarks[i];
    size_t samples = 0;

    assert_true(i < bench->capture->benchmark_count);
    assert_string_equal(found->name, name);
    assert_int_equal(found->summarised, summarised);
    for (size_t k = 0; k < bench->capture->benchmark_sample_count; k++)
        if (bench->capture->benchmark_samples[k].benchmark == i && samples++ == 0)
            assert_close(bench->capture->benchmark_samples[k].seconds, seconds, 1e-12);
    assert_int_equal(samples, seconds > 0);
    return found;
}

static void states_and_axes(void **state_)
{
    struct bench bench =
        bench_text(HEAD "copy,0,NVIDIA A100-SXM4-40GB,F32,1048576,No,1024,2.1e-05,0.03,1.6e-05,0.02,6.5e10,5.24288e11,"
                        "0.33,1024,1.5e-05\n"
                        "copy,0,NVIDIA A100-SXM4-40GB,F64,1048576,No,512,3e-05,0.1,2.6e-05,0.025,4e10,,,512,2.5e-05\n"
                        "copy,0,NVIDIA A100-SXM4-40GB,I8,16,Yes,,,,,,,,,,\n"
                        "reduce,0,NVIDIA A100-SXM4-40GB,,,No,64,1e-3,0.1,9e-4,0.02,,,,64,9e-4\n");

    (void)state_;
    assert_int_equal(bench.capture->gpu_count, 1);
    assert_string_equal(bench.capture->gpus[0].chip, "GA100"); /* of the name */
    assert_string_equal(bench.capture->session.source, "benchmark");
    assert_int_equal(bench.capture->benchmark_count, 3);
    const struct rl_benchmark *first = state(&bench, 0, "copy T=F32,Elements=1048576", 1.6e-5, 1024);
    assert_close(first->work.v, 5.24288e11 * 1.6e-5, 1e-6);
    assert_string_equal(first->unit, RL_BENCHMARK_GLOBAL_MEMORY);
    assert_string_equal(state(&bench, 1, "copy T=F64,Elements=1048576", 2.6e-5, 512)->unit, "items");
    assert_null(state(&bench, 2, "reduce", 9e-4, 64)->unit);
    assert_true(bench_logged(&bench, RL_LOG_WARNING, "states that nvbench skipped were left out: 1"));
    assert_true(bench_logged(&bench, RL_LOG_WARNING,
                             "3 cases with a mean alone, whose noise is up to 2.5 %, so without an interval: run nvbench with "
                             "--jsonbin FILE"));
    bench_done(&bench);
}

/* No state ran: nothing is there. */
static void nothing_ran(void **state_)
{
    (void)state_;
    assert_refused(&(struct file){HEAD "copy,0,Some Card,F32,1,Yes,,,,,,,,,,\n", 0}, 1,
                   "output of nvbench without a result: it skipped every state");
}

/* What nvbench prints: benchmark and card stand above a table of Markdown; units in the cells. What was timed on the host alone
 * has no time of the GPU. */
static void markdown(void **state_)
{
    struct bench bench =
        bench_text("# Benchmark Results\n"
                   "\n"
                   "## copy\n"
                   "\n"
                   "### [0] NVIDIA A100-SXM4-40GB\n"
                   "\n"
                   "|  T  |    Elements    | Samples |  CPU Time  | Noise |  GPU Time  | Noise | Elem/s  | "
                   "GlobalMem BW | BWUtil | Samples | Batch GPU  |\n"
                   "|-----|----------------|---------|------------|-------|------------|-------|---------|---------"
                   "-----|--------|---------|------------|\n"
                   "| I32 | 2^20 = 1048576 |   1024x |  21.100 us | 3.05% |  16.000 us | 2.02% | 65.000G | 524.288 "
                   "GB/s | 33.10% |   1024x |  15.000 us |\n"
                   "| F64 | 2^20 = 1048576 |    512x |  30.100 us | 3.05% |   2.600 ms |  inf% |         |         "
                   "     |        |    512x |  25.000 us |\n"
                   "\n## host\n\n| Samples | CPU Time | Noise |\n|---------|----------|-------|\n"
                   "|     10x | 1.000 us | 3.00% |\n");

    (void)state_;
    assert_int_equal(bench.capture->benchmark_count, 3);
    assert_string_equal(bench.capture->gpus[0].name, "NVIDIA A100-SXM4-40GB");
    assert_close(state(&bench, 0, "copy T=I32,Elements=1048576", 16e-6, 1024)->work.v, 524.288e9 * 16e-6, 1e-6);
    assert_false(rl_present(state(&bench, 1, "copy T=F64,Elements=1048576", 2.6e-3, 512)->work));
    assert_int_equal(state(&bench, 2, "host", 0, 0)->missing, 1);
    assert_true(bench_logged(&bench, RL_LOG_WARNING, "2 cases with a mean alone, whose noise is up to 2 %"));
    bench_done(&bench);
}

#define META                                                                                                                       \
    "{\"meta\":{\"argv\":[\"./"                                                                                                    \
    "bench\",\"--json\",\"x\"],\"version\":{\"json\":{\"major\":1},\"nvbench\":{\"major\":0,\"string\":\"0.1.0\"}}},\n"            \
    "\"devices\":[{\"id\":0,\"name\":\"NVIDIA A100-SXM4-40GB\",\"sm_version\":800},{\"id\":1,\"name\":\"Tesla "                    \
    "V100-SXM2-16GB\"}],\n"                                                                                                        \
    "\"benchmarks\":[{\"name\":\"copy\",\"index\":0,\"devices\":[0,1],\"axes\":[{\"name\":\"T\",\"type\":\"type\",\"values\":[{"   \
    "\"input_string\":\"I32\",\"description\":\"\",\"is_active\":true}]}],\n\"states\":["
#define STATE(device)                                                                                                              \
    "{\"name\":\"Device=0 T=I32\",\"min_samples\":10,\"device\":" device                                                           \
    ",\"axis_values\":[{\"name\":\"T\",\"type\":\"type\",\"value\":\"I32\"},{\"name\":\"Elements\",\"type\":\"int64\",\"value\":"  \
    "\"1048576\"}],\n\"summaries\":[{\"tag\":\"nv/cold/"                                                                           \
    "sample_size\",\"data\":[{\"name\":\"value\",\"type\":\"int64\",\"value\":\"1024\"}]},"                                        \
    "{\"tag\":\"nv/cold/time/gpu/mean\",\"name\":\"GPU "                                                                           \
    "Time\",\"hint\":\"duration\",\"data\":[{\"name\":\"value\",\"type\":\"float64\","                                             \
    "\"value\":\"1.6e-05\"}]},{\"tag\":\"nv/cold/bw/global/"                                                                       \
    "bytes_per_second\",\"data\":[{\"name\":\"value\",\"type\":\"float64\",\"value\":"                                             \
    "\"5.24288e+11\"}]}"

/* The same as JSON: texts for numbers, devices by number; a state that was skipped has no time. */
static void json(void **state_)
{
    static const char skipped[] =
        "{\"name\":\"T=I32\",\"device\":1,\"axis_values\":[{\"name\":\"T\",\"value\":\"I32\"}],\"summaries\":null,"
        "\"is_skipped\":true,\"skip_reason\":\"x\"}";
    struct rl_buf text = RL_BUF_INIT;

    (void)state_;
    rl_buf_addf(&text, "%s%s", META STATE("0") "],\"is_skipped\":false},\n", skipped);
    rl_buf_adds(&text, "]}]}\n");
    struct bench bench = bench_text(text.data);
    assert_int_equal(bench.capture->benchmark_count, 1);
    assert_string_equal(bench.capture->gpus[0].name, "NVIDIA A100-SXM4-40GB");
    assert_close(state(&bench, 0, "copy T=I32,Elements=1048576", 1.6e-5, 1024)->work.v, 5.24288e11 * 1.6e-5, 1e-6);
    assert_true(bench_logged(&bench, RL_LOG_WARNING, "states that nvbench skipped were left out: 1"));
    bench_done(&bench);
    /* on two cards: which one is a parameter, and neither stands for both */
    bench = bench_text(META STATE("0") "]}," STATE("1") "]}]}]}");
    assert_int_equal(bench.capture->benchmark_count, 2);
    assert_int_equal(bench.capture->gpu_count, 0);
    state(&bench, 0, "copy T=I32,Elements=1048576,Device=0", 1.6e-5, 1024);
    state(&bench, 1, "copy T=I32,Elements=1048576,Device=1", 1.6e-5, 1024);
    bench_done(&bench);
    /* cut off in the second state */
    bench = bench_text(META STATE("0") "]}," STATE("0"));
    assert_int_equal(bench.capture->benchmark_count, 1);
    assert_false(bench.capture->session.complete);
    bench_done(&bench);
    rl_buf_reset(&text);
    rl_buf_addf(&text, "%s%s]}]}", META, skipped);
    assert_refused(&(struct file){text.data, 0}, 1, "without a result: it skipped every state");
    assert_refused(&(struct file){"{\"meta\": {\"version\": {\"nvbench\": 1}}, \"devices\": null}", 0}, 1, "without a result");
    rl_buf_release(&text);
}

static const unsigned char two_times[] = {0xBD, 0x37, 0x86, 0x37, 0, 0, 0xC0, 0x7F, 0x17, 0xB7, 0xD1, 0x38}; /* 1.6e-5, NaN, 1e-4 */

static void put(const char *path, const void *bytes, size_t len)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, len, file), len);
    assert_int_equal(fclose(file), 0);
}

/* Reads x.json in a folder that has the bytes as x.json-bin/0.bin, whose place the JSON gives as `named`. */
static struct bench with_sidecar(const char *named, const void *bytes, size_t len)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf text = RL_BUF_INIT;
    const struct rl_import_options options = {.tool_version = "9.9"};
    struct rl_import *import = rl_import_new(&options);
    struct rl_capture *capture = NULL;
    char folder[] = "/tmp/rooflight-nvbench-XXXXXX", inner[sizeof folder + 16], json_path[sizeof folder + 16],
         times[sizeof inner + 8];

    assert_non_null(mkdtemp(folder));
    snprintf(inner, sizeof inner, "%s/x.json-bin", folder);
    snprintf(times, sizeof times, "%s/0.bin", inner);
    snprintf(json_path, sizeof json_path, "%s/x.json", folder);
    assert_int_equal(mkdir(inner, 0700), 0);
    put(times, bytes, len);
    rl_buf_addf(&text,
                "%s,{\"tag\":\"nv/json/bin:nv/cold/sample_times\",\"data\":[{\"name\":\"filename\",\"value\":\"%s\"},"
                "{\"name\":\"size\",\"type\":\"int64\",\"value\":\"3\"}]}]}]}]}",
                META STATE("0"), named);
    put(json_path, text.data, text.len);
    if (rl_import_file(import, json_path, &err) != RL_OK || rl_import_finish(import, &capture, &err) != RL_OK)
        fail_msg("%s", err.text);
    rl_import_free(import);
    assert_true(unlink(times) == 0 && unlink(json_path) == 0 && rmdir(inner) == 0 && rmdir(folder) == 0);
    rl_buf_release(&text);
    return bench_of(capture);
}

/* nvbench --jsonbin: the samples are in files next to the JSON. Otherwise the mean stands for them, and that is said. */
static void sample_times(void **state_)
{
    static const char *const found[] = {"x.json-bin/0.bin", "out/a/x.json-bin/0.bin", "..\\\\x.json-bin\\\\0.bin"};
    static const char *const lost[] = {"0.bin", "/0.bin", "../0.bin", "x.json-bin/..", "x.json-bin/1.bin", "", "x.json-bin//0.bin"};

    (void)state_;
    for (size_t i = 0; i < RL_COUNT(found); i++) {
        struct bench bench = with_sidecar(found[i], two_times, sizeof two_times);
        assert_int_equal(bench.capture->benchmarks[0].summarised, 0);
        assert_int_equal(bench.capture->benchmarks[0].missing, 1);
        assert_int_equal(bench.capture->benchmark_sample_count, 2);
        assert_close(bench.capture->benchmark_samples[0].seconds, 1.6e-5, 1e-7);
        assert_close(bench.capture->benchmark_samples[1].seconds, 1e-4, 1e-7);
        assert_int_equal(bench.capture->log_count, 0);
        bench_done(&bench);
    }
    for (size_t i = 0; i <= RL_COUNT(lost); i++) { /* the last one is damaged */
        struct bench bench = i < RL_COUNT(lost) ? with_sidecar(lost[i], two_times, sizeof two_times)
                                                : with_sidecar(found[0], two_times, sizeof two_times - 1);
        state(&bench, 0, "copy T=I32,Elements=1048576", 1.6e-5, 1024);
        assert_true(bench_logged(&bench, RL_LOG_WARNING, "files of sample times (FILE-bin/N.bin) are damaged or not next to"));
        bench_done(&bench);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(states_and_axes), cmocka_unit_test(nothing_ran), cmocka_unit_test(markdown),
                                       cmocka_unit_test(json), cmocka_unit_test(sample_times)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
