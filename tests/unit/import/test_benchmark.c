/* Output of benchmark programs: Google Benchmark, llama-bench, CSV of a user's own program; nvbench is in test_nvbench.c. */
#include "bench.h"

#include <math.h>

static const char google[] =
    "name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label,error_occurred,error_message\n"
    "\"BM_Gemm/M:512/64/real_time\",100,2.5,2.4,us,,4e+08,,,\n"
    "\"BM_Gemm/M:512/64/real_time\",100,2.7,2.4,us,,3.7e+08,,,\n"
    "\"BM_Gemm/M:512/64/real_time_mean\",2,2.6,2.4,us,,3.9e+08,,,\n"
    "\"BM_Gemm/M:512/64/real_time_stddev\",2,0.1,0.1,us,,1e+07,,,\n"
    "\"BM_Copy/4096_mean\",5,1.5,1.4,ms,2e+09,,,,\n"
    "\"BM_Copy/4096_median\",5,1.4,1.4,ms,2e+09,,,,\n"
    "\"BM_Broken\",0,0,0,ns,,,,true,\"no GPU\"\n";

static const struct rl_benchmark *named(const struct bench *bench, const char *name)
{
    for (size_t i = 0; i < bench->capture->benchmark_count; i++)
        if (strcmp(bench->capture->benchmarks[i].name, name) == 0)
            return &bench->capture->benchmarks[i];
    fail_msg("there is no %s", name);
    return NULL;
}

/* Its samples, in their order: returns how many, and puts the first and the last one there. */
static size_t samples(const struct bench *bench, const struct rl_benchmark *of, double *first, double *last)
{
    size_t count = 0;
    for (size_t i = 0; i < bench->capture->benchmark_sample_count; i++) {
        const struct rl_benchmark_sample *sample = &bench->capture->benchmark_samples[i];
        if (sample->benchmark != (size_t)(of - bench->capture->benchmarks))
            continue;
        *first = count++ ? *first : sample->seconds;
        *last = sample->seconds;
    }
    return count;
}

static bool near(double a, double b)
{
    return fabs(a / b - 1) < 1e-12;
}

static void google_benchmark_as_csv(void **state)
{
    (void)state;
    struct bench bench = bench_text(google);
    double first = 0, last = 0;
    assert_string_equal(bench.capture->session.source, "benchmark");
    assert_int_equal(bench.capture->benchmark_count, 3);
    const struct rl_benchmark *gemm = named(&bench, "BM_Gemm M=512,arg0=64,real_time");
    assert_int_equal(samples(&bench, gemm, &first, &last), 2);
    assert_true(near(first, 2.5e-6) && near(last, 2.7e-6) && near(gemm->work.v, 1000) && gemm->summarised == 0);
    assert_string_equal(gemm->unit, "items");
    const struct rl_benchmark *copy = named(&bench, "BM_Copy arg0=4096");
    assert_int_equal(samples(&bench, copy, &first, &last), 1);
    assert_true(near(first, 1.5e-3) && near(copy->work.v, 3e6) && copy->summarised == 5);
    assert_string_equal(copy->unit, "B");
    const struct rl_benchmark *broken = named(&bench, "BM_Broken");
    assert_true(broken->missing == 1 && samples(&bench, broken, &first, &last) == 0);
    bench_done(&bench);
}

#define GOOGLE_JSON                                                                                                                \
    "{\"context\": {\"date\": \"2026-01-01\", \"executable\": \"./b\", \"num_cpus\": 8, \"caches\": [{\"type\": \"Data\", "        \
    "\"level\": 1}],\n"                                                                                                            \
    "\"load_avg\": [1.0, 2.0]},\n\"benchmarks\": ["

/* The same as JSON, where each row says whether it is a repetition or a statistic. */
static void google_benchmark_as_json(void **state)
{
    (void)state;
    struct bench bench = bench_text(
        GOOGLE_JSON
        "{\"name\": \"BM_Gemm/M:512/64\", \"run_type\": \"iteration\", \"iterations\": 100, \"real_time\": 2.5000000000000000e+00,"
        " \"cpu_time\": 2.4, \"time_unit\": \"us\", \"items_per_second\": 4e+08},\n"
        "{\"name\": \"BM_Gemm/M:512/64\", \"run_type\": \"iteration\", \"real_time\": 2.7, \"time_unit\": \"us\"},\n"
        "{\"name\": \"BM_Gemm/M:512/64_mean\", \"run_type\": \"aggregate\", \"aggregate_name\": \"mean\", \"iterations\": 2,"
        " \"real_time\": 2.6, \"time_unit\": \"us\"},\n"
        "{\"name\": \"BM_Copy/4096_mean\", \"run_type\": \"aggregate\", \"aggregate_name\": \"mean\", \"iterations\": 5,"
        " \"real_time\": 1.5, \"time_unit\": \"ms\", \"bytes_per_second\": 2e9},\n"
        "{\"name\": \"BM_Copy/4096_p99\", \"run_type\": \"aggregate\", \"aggregate_name\": \"p99\", \"real_time\": 9, "
        "\"time_unit\": "
        "\"ms\"},\n"
        "{\"name\": \"BM_Copy_BigO\", \"run_type\": \"aggregate\", \"aggregate_name\": \"BigO\", \"real_coefficient\": 2},\n"
        "{\"name\": \"BM_max\", \"run_type\": \"iteration\", \"real_time\": 3, \"time_unit\": \"s\"},\n"
        "{\"name\": \"BM_Broken\", \"run_type\": \"iteration\", \"error_occurred\": true, \"real_time\": 1, \"time_unit\": "
        "\"ns\"},\n"
        "{\"name\": \"BM_NaN\", \"run_type\": \"iteration\", \"real_time\": NaN, \"time_unit\": \"ns\"}]}\n");
    double first = 0, last = 0;
    assert_int_equal(bench.capture->benchmark_count, 5);
    const struct rl_benchmark *gemm = named(&bench, "BM_Gemm M=512,arg0=64");
    assert_int_equal(samples(&bench, gemm, &first, &last), 2);
    assert_true(near(first, 2.5e-6) && near(last, 2.7e-6) && near(gemm->work.v, 1000) && gemm->summarised == 0);
    const struct rl_benchmark *copy = named(&bench, "BM_Copy arg0=4096");
    assert_int_equal(samples(&bench, copy, &first, &last), 1);
    assert_true(near(first, 1.5e-3) && near(copy->work.v, 3e6) && copy->summarised == 5);
    assert_int_equal(samples(&bench, named(&bench, "BM_max"), &first, &last), 1);
    assert_int_equal(named(&bench, "BM_Broken")->missing, 1);
    assert_int_equal(named(&bench, "BM_NaN")->missing, 1);
    assert_true(
        bench_logged(&bench, RL_LOG_WARNING, "1 case with a mean alone, so without an interval: run Google Benchmark without"));
    bench_done(&bench);
    assert_refused(&(struct file){GOOGLE_JSON "]}", 0}, 1, "output of Google Benchmark without a result");
}

#define LLAMA(prompt, samples)                                                                                                     \
    "{\"build_commit\": \"51fce76\", \"gpu_info\": \"NVIDIA H200\", \"model_type\": \"llama 7B, Q4_0\", \"n_batch\": 2048, "       \
    "\"type_k\": "                                                                                                                 \
    "\"f16\", \"n_gpu_layers\": 99, \"flash_attn\": true, \"n_prompt\": " prompt ", \"n_gen\": 0, \"avg_ns\": 256000000, "         \
    "\"stddev_ns\": 1, \"avg_ts\": 2000.0" samples "}"
#define SAMPLES_NS ", \"samples_ns\": [ 250000000, 262000000, null ], \"samples_ts\": [ 1, 2, 3 ]"

/* An array, or an object in each line: with the times of each repetition. Names are those of CSV. */
static void llama_bench_as_json(void **state)
{
    (void)state;
    static const char *const texts[] = {"[" LLAMA("512", SAMPLES_NS) ",\n" LLAMA("64", "") "]\n",
                                        LLAMA("512", SAMPLES_NS) "\n" LLAMA("64", "") "\n",
                                        "ggml_cuda_init: found 1 CUDA devices:\n" LLAMA("512", SAMPLES_NS) "\n\n" LLAMA("64", "")};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct bench bench = bench_text(texts[i]);
        double first = 0, last = 0;
        assert_int_equal(bench.capture->benchmark_count, 2);
        const struct rl_benchmark *pp = named(&bench, "llama 7B_ Q4_0 p=512,n=0,b=2048,ctk=f16,ngl=99,fa=1");
        assert_int_equal(samples(&bench, pp, &first, &last), 2);
        assert_true(near(first, 0.25) && near(last, 0.262) && pp->work.v == 512 && pp->summarised == 0 && pp->missing == 1);
        const struct rl_benchmark *short_one = named(&bench, "llama 7B_ Q4_0 p=64,n=0,b=2048,ctk=f16,ngl=99,fa=1");
        assert_int_equal(samples(&bench, short_one, &first, &last), 1);
        assert_true(near(first, 0.256) && short_one->summarised == 1);
        assert_string_equal(bench.capture->gpus[0].name, "NVIDIA H200");
        assert_string_equal(bench.capture->gpus[0].chip, "GH100");
        bench_done(&bench);
    }
    struct bench bench = bench_text("[" LLAMA("512", SAMPLES_NS) ", {\"build_commit\": \"51f");
    assert_int_equal(bench.capture->benchmark_count, 1);
    assert_false(bench.capture->session.complete);
    assert_true(bench_logged(&bench, RL_LOG_WARNING, "files that end in the middle were read as far as they go: 1"));
    bench_done(&bench);
}

static void llama_bench_as_csv(void **state)
{
    (void)state;
    struct bench bench = bench_text("build_commit,build_number,gpu_info,model_filename,model_type,n_batch,n_ubatch,n_gpu_layers,"
                                    "type_k,n_prompt,n_gen,test_time,avg_ns,"
                                    "stddev_ns,avg_ts,stddev_ts\n"
                                    "\"51fce76\",\"1\",\"NVIDIA H200\",\"m.gguf\",\"llama 7B, "
                                    "Q4_0\",\"2048\",\"512\",\"99\",\"f16\",\"512\",\"0\",\"2026-11-29\","
                                    "\"256000000\",\"1000\",\"2000\",\"3\"\n");
    double first = 0, last = 0;
    const struct rl_benchmark *pp = named(&bench, "llama 7B_ Q4_0 p=512,n=0,b=2048,ub=512,ctk=f16,ngl=99");
    assert_int_equal(samples(&bench, pp, &first, &last), 1);
    assert_true(near(first, 0.256) && pp->work.v == 512 && pp->summarised == 1);
    assert_string_equal(pp->unit, "tokens");
    assert_string_equal(bench.capture->gpus[0].name, "NVIDIA H200");
    bench_done(&bench);
}

static void llama_bench_as_markdown(void **state)
{
    (void)state;
    struct bench bench =
        bench_text("ggml_cuda_init: found 1 CUDA devices\n"
                   "| model         |     size | params | backend | ngl | test           |              t/s |\n"
                   "| ------------- | -------: | -----: | ------- | --: | -------------: | ---------------: |\n"
                   "| llama 7B Q4_0 | 3.56 GiB | 6.74 B | CUDA    |  99 |          pp512 | 2048.00 \xC2\xB1 3.20 |\n"
                   "| llama 7B Q4_0 | 3.56 GiB | 6.74 B | CUDA    |  99 | tg128 @ d4096 |   64.00 \xC2\xB1 0.20 |\n"
                   "| llama 7B Q4_0 | 3.56 GiB | 6.74 B | CUDA    |  99 |          tg256 |                  |\n"
                   "\nbuild: 51fce76 (1)\n");
    double first = 0, last = 0;
    assert_int_equal(bench.capture->benchmark_count, 3);
    assert_int_equal(samples(&bench, named(&bench, "llama 7B Q4_0 p=512,n=0,d=0,ngl=99"), &first, &last), 1);
    assert_true(near(first, 0.25));
    assert_int_equal(samples(&bench, named(&bench, "llama 7B Q4_0 p=0,n=128,d=4096,ngl=99"), &first, &last), 1);
    assert_true(near(first, 2));
    assert_int_equal(named(&bench, "llama 7B Q4_0 p=0,n=256,d=0,ngl=99")->missing, 1);
    bench_done(&bench);
}

static enum rl_status own(const char *text, const char *time, const char *cases, struct rl_capture **capture, struct rl_err *err)
{
    const struct rl_import_options options = {.tool_version = "9.9", .csv_time = time, .csv_case = cases};
    struct rl_import *import = rl_import_new(&options);
    enum rl_status status = rl_import_bytes(import, text, strlen(text), "times.csv", err);
    *capture = NULL;
    if (status == RL_OK)
        status = rl_import_finish(import, capture, err);
    rl_import_free(import);
    return status;
}

static void csv_of_a_program(void **state)
{
    (void)state;
    struct rl_err err = RL_ERR_INIT;
    struct rl_capture *capture = NULL;
    double first = 0, last = 0;
    assert_int_equal(own("\"M\",dtype,größe,time_us\n512,\"b,f=16\",1 MiB,10\n512,\"b,f=16\",1 MiB,11.5\n512,\"b,f=16\",1 "
                         "MiB,\n64,fp16,x,\n64,fp16\n1,2,3,4,5\n"
                         "512,\"b,f=16\",1 MiB,nan\n512,\"b,f=16\",1 MiB,-3\n",
                         "time_us", "M, dtype,größe", &capture, &err),
                     RL_OK);
    struct bench bench = bench_of(capture);
    assert_int_equal(bench.capture->benchmark_count, 2);
    const struct rl_benchmark *large = named(&bench, "M=512,dtype=b_f_16,größe=1 MiB");
    assert_int_equal(samples(&bench, large, &first, &last), 2);
    assert_true(near(first, 10e-6) && near(last, 11.5e-6) && large->missing == 3);
    assert_int_equal(named(&bench, "M=64,dtype=fp16,größe=x")->missing, 1);
    assert_int_equal(bench.capture->log_count, 1);
    assert_string_equal(bench.capture->log[0].text, "import: rows with more or fewer cells than the head were left out: 2");
    bench_done(&bench);
}

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    static const struct {
        const char *text, *time, *cases, *words;
    } rows[] = {
        {"M,time\n1,2\n", "time", "M", "'time' has no unit at its end"},
        {"M,time_us\n1,2\n", "time_ms", "M", "it has no column 'time_ms'; its first is 'M'"},
        {"M,time_us\n1,2\n", "time_us", "M,N", "it has no column 'N'"},
        {"M,time_us\n1,2\n", "time_us", "M,,N", "is not a list of up to 32 columns"},
        {"M,time_us\n", "time_us", "M", "without a result"},
        {"", "time_us", "M", "without a result"},
        {"[{\"M\": 1}]", "time_us", "M", "JSON, not the CSV that --csv-time is for"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct rl_err err = RL_ERR_INIT;
        struct rl_capture *capture = NULL;
        assert_int_not_equal(own(rows[i].text, rows[i].time, rows[i].cases, &capture, &err), RL_OK);
        if (!strstr(err.text, rows[i].words))
            fail_msg("'%s' lacks '%s'", err.text, rows[i].words);
    }
}

/* A benchmark is no profile. */
static void not_with_a_profile(void **state)
{
    (void)state;
    static const char profile[] = "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric "
                                  "Value\"\n\"0\",\"k\",\"gpu__time_duration.sum\",\"nsecond\",\"5\"\n";
    const struct file files[] = {{google, 0}, {profile, 0}};
    assert_refused(files, 2, "one capture cannot hold a benchmark and a profile");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(google_benchmark_as_csv), cmocka_unit_test(google_benchmark_as_json), cmocka_unit_test(llama_bench_as_csv),
        cmocka_unit_test(llama_bench_as_json),     cmocka_unit_test(llama_bench_as_markdown),  cmocka_unit_test(csv_of_a_program),
        cmocka_unit_test(what_is_wrong_is_said),   cmocka_unit_test(not_with_a_profile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
