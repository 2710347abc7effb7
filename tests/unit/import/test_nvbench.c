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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(states_and_axes), cmocka_unit_test(nothing_ran)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
