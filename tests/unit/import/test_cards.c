/* The card of a capture: what the files say of it comes first, its maker's word fills the gaps. */
#include "bench.h"

#define METRICS(device, value)                                                                                                     \
    "==1== NVPROF is profiling process 1, command: ./p\n==1== Profiling result:\n==1== Metric result:\n"                           \
    "\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Metric Description\",\"Min\",\"Max\",\"Avg\"\n\"" device              \
    "\",\"k(void)\",1,\"dram_read_throughput\",\"d\"," value "," value "," value "\n\"" device                                     \
    "\",\"k(void)\",1,\"dram_write_throughput\",\"d\",0.000000B/s,0.000000B/s,0.000000B/s\n"
#define NCU(capability)                                                                                                            \
    "\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"Device\",\"CC\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"     \
    "\"0\",\"k\",\"(256, 1, 1)\",\"(100, 1, 1)\",\"0\",\"" capability "\",\"gpu__time_duration.sum\",\"us\",\"5\"\n"

static const struct rl_gpu *gpu_of(const struct bench *bench)
{
    assert_int_equal(bench->capture->gpu_count, 1);
    return &bench->capture->gpus[0];
}

static struct rl_value ceiling_of(const struct bench *bench, enum rl_ceiling_id id)
{
    return bench->analysis->gpus[0].ceiling[id].theoretical;
}

static void a_known_name_brings_facts_and_roofs(void **state)
{
    struct bench bench = bench_text(METRICS("Tesla P100-SXM2-16GB (0)", "100.000000GB/s"));
    (void)state;

    assert_string_equal(gpu_of(&bench)->chip, "GP100");
    assert_int_equal(gpu_of(&bench)->cc_major, 6);
    assert_true(gpu_of(&bench)->fact[RL_FACT_sm_count].v == 56);
    assert_close(ceiling_of(&bench, RL_CEILING_dram).v, 732.16e9, 1e-9);
    assert_close(ceiling_of(&bench, RL_CEILING_fp32).v, 56 * 64 * 2 * 1480e6, 1e-9); /* no clock was printed: the highest */
    assert_close(bench.analysis->gpus[0].assumed_clock.v, 1480e6, 1e-9);
    assert_true(bench_logged(&bench, RL_LOG_NOTE, "P100-SXM2-16GB"));
    bench_done(&bench);
}

static void a_value_above_the_pin_rate_is_flagged(void **state)
{
    struct bench bench = bench_text(METRICS("Tesla P100-SXM2-16GB (0)", "700.000000GB/s")); /* x 1024^3: 751 of 732 */
    (void)state;

    assert_true(bench_logged(&bench, RL_LOG_WARNING, "memory clock and bus width"));
    assert_close(bench_metric(&bench, "k", RL_METRIC_dram_bytes_per_second).v, 700.0 * 1073741824, 1e-9);
    bench_done(&bench);
}

static void the_name_that_was_given(void **state)
{
    struct bench bench = bench_files(&(struct file){NCU("7.5"), 0}, 1, "t4");
    (void)state;

    assert_string_equal(gpu_of(&bench)->chip, "TU104"); /* 7.5 alone does not tell */
    assert_close(ceiling_of(&bench, RL_CEILING_dram).v, 320.064e9, 1e-9);
    bench_done(&bench);

    bench = bench_files(&(struct file){NCU("7.5"), 0}, 1, "A100-SXM4-40GB"); /* it says another one */
    assert_null(gpu_of(&bench)->chip);
    assert_int_equal(gpu_of(&bench)->cc_major, 7);
    assert_false(rl_present(gpu_of(&bench)->fact[RL_FACT_sm_count]));
    assert_true(bench_logged(&bench, RL_LOG_WARNING, "another compute capability"));
    bench_done(&bench);

    bench = bench_files(&(struct file){NCU("7.5"), 0}, 1, "my own card");
    assert_string_equal(gpu_of(&bench)->name, "my own card");
    assert_true(bench_logged(&bench, RL_LOG_WARNING, "rooflight list cards"));
    assert_false(rl_present(ceiling_of(&bench, RL_CEILING_dram)));
    bench_done(&bench);
}

static void the_capability_of_a_name(void **state)
{
    struct bench bench = bench_text(METRICS("Tesla T4 (0)", "1.000000GB/s"));
    (void)state;

    assert_string_equal(gpu_of(&bench)->chip, "TU104");
    assert_int_equal(gpu_of(&bench)->cc_major, 7);
    assert_int_equal(gpu_of(&bench)->cc_minor, 5);
    bench_done(&bench);

    bench = bench_text(NCU("9.0")); /* the only chip of its capability, though nobody says the name */
    assert_string_equal(gpu_of(&bench)->chip, "GH100");
    bench_done(&bench);
}

static void an_unknown_card_has_no_roofs(void **state)
{
    struct bench bench = bench_text(NCU("7.5"));
    (void)state;

    assert_string_equal(gpu_of(&bench)->name, "unknown GPU");
    for (size_t i = 0; i < RL_CEILING_COUNT; i++)
        assert_false(rl_present(ceiling_of(&bench, (enum rl_ceiling_id)i)));
    assert_int_equal(bench.analysis->kernels[0].bound, RL_BOUND_UNKNOWN);
    bench_done(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_known_name_brings_facts_and_roofs),
        cmocka_unit_test(a_value_above_the_pin_rate_is_flagged),
        cmocka_unit_test(the_name_that_was_given),
        cmocka_unit_test(the_capability_of_a_name),
        cmocka_unit_test(an_unknown_card_has_no_roofs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
