/* Measured ceilings: which run is the roof, what it is held against, what is refused, and what others have published. */
#include "rl_test.h"

#include "analysis/analysis.h"
#include "analysis/plan.h"
#include "ceiling_find.h"
#include "core/mem.h"
#include "fixtures/capture.h"

/* `count` samples from `first` on, `step` apart, at this SM clock (0: not told). */
static void add_run(struct rl_capture *capture, const char *id, enum rl_unit unit, double first, double step, size_t count,
                    double clock_hz)
{
    struct rl_ceiling_run *run = sample_ceiling(capture, 0, id, unit, first, step, count);
    run->sm_clock_hz = clock_hz > 0 ? rl_value_of(clock_hz) : rl_value_missing(RL_NOT_COLLECTED, "the driver does not report it");
}

static struct rl_capture *with_kernel(void)
{
    struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);

    sample_full_kernel(capture, "k");
    return capture;
}

static const struct rl_ceiling *ceiling_of(const struct rl_analysis *analysis, const char *id)
{
    return &analysis->gpus[0].ceiling[ceiling_find(id)];
}

static void release(struct rl_analysis *analysis, struct rl_capture *capture)
{
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

static void a_look_in_a_sweep_does_not_beat_thirty_samples(void **state)
{
    struct rl_capture *capture = with_kernel();
    (void)state;

    add_run(capture, "dram_read", RL_UNIT_BYTE_PER_SECOND, 3.1e10, 0, 29, 1e9);
    add_run(capture, "dram_read", RL_UNIT_BYTE_PER_SECOND, 2.9e10, 0, 30, 1e9);
    add_run(capture, "dram_read", RL_UNIT_BYTE_PER_SECOND, 3.0e10, 1e6, 31, 1e9);
    struct rl_analysis *analysis = rl_analysis_new(capture);
    const struct rl_ceiling *dram = ceiling_of(analysis, "dram"), *read = ceiling_of(analysis, "dram_read");
    assert_int_equal(dram->run, 2);
    assert_int_equal(dram->measured.n, 31);
    assert_close(dram->measured.median, 3.0015e10, 1e-12);
    assert_close(dram->share.v, 3.0015 / 3.2, 1e-12);
    assert_int_equal(read->run, 2); /* the same runs, under the name of the benchmark */
    assert_true(rl_ceiling_listed(dram, RL_CEILING_dram));
    assert_false(rl_ceiling_listed(read, RL_CEILING_dram_read));
    assert_false(rl_ceiling_listed(ceiling_of(analysis, "dram_write"), RL_CEILING_dram_write)); /* not measured */
    assert_true(rl_ceiling_listed(ceiling_of(analysis, "tensor_fp8"), RL_CEILING_tensor_fp8));  /* a roof, measured or not */
    release(analysis, capture);

    capture = with_kernel(); /* no run is long: the best of the short ones */
    add_run(capture, "dram_read", RL_UNIT_BYTE_PER_SECOND, 2.9e10, 0, 5, 1e9);
    add_run(capture, "dram_read", RL_UNIT_BYTE_PER_SECOND, 3.1e10, 0, 3, 1e9);
    add_run(capture, "dram_read", RL_UNIT_BYTE_PER_SECOND, 0, 0, 0, 1e9);
    analysis = rl_analysis_new(capture);
    assert_int_equal(ceiling_of(analysis, "dram")->run, 1);
    release(analysis, capture);
}

static void rates_of_the_sms_are_held_against_their_own_clock(void **state)
{
    struct rl_capture *capture = with_kernel(); /* kernels at 1 GHz: FP32 2.56, tensor FP16 10.24 TFLOP/s */
    (void)state;

    add_run(capture, "fp32", RL_UNIT_FLOP_PER_SECOND, 1.9e12, 0, 30, 0.75e9);
    add_run(capture, "tensor_fp16", RL_UNIT_FLOP_PER_SECOND, 7.6e12, 0, 30, 0.75e9);
    add_run(capture, "l2_read", RL_UNIT_BYTE_PER_SECOND, 5e11, 0, 30, 0.75e9);
    add_run(capture, "fp64", RL_UNIT_FLOP_PER_SECOND, 3.9e10, 0, 30, 0);
    struct rl_analysis *analysis = rl_analysis_new(capture);
    const struct rl_ceiling *fp32 = ceiling_of(analysis, "fp32");
    assert_close(fp32->theoretical.v, 2.56e12, 1e-12);
    assert_close(fp32->limit.v, 1.92e12, 1e-12);
    assert_close(fp32->share.v, 1.9 / 1.92, 1e-12);
    assert_null(fp32->refused);
    assert_close(ceiling_of(analysis, "tensor_fp16")->limit.v, 7.68e12, 1e-12);
    assert_close(ceiling_of(analysis, "l2")->limit.v, 5.12e11, 1e-12); /* its clock is another one */
    assert_close(ceiling_of(analysis, "fp64")->limit.v, 4e10, 1e-12);  /* the run's clock is unknown */
    release(analysis, capture);
}

static void the_impossible_is_refused(void **state)
{
    struct rl_capture *capture = with_kernel();
    (void)state;

    add_run(capture, "fp32", RL_UNIT_FLOP_PER_SECOND, 2.56e12 * 1.0101, 0, 30, 1e9);
    add_run(capture, "dram_read", RL_UNIT_BYTE_PER_SECOND, 3.2e10 * 1.0099, 0, 30, 1e9);
    struct rl_analysis *analysis = rl_analysis_new(capture);
    const struct rl_ceiling *fp32 = ceiling_of(analysis, "fp32"), *dram = ceiling_of(analysis, "dram");
    assert_non_null(fp32->refused);
    assert_non_null(strstr(fp32->refused, "101.0"));
    assert_int_equal(fp32->measured.n, 0);
    assert_int_equal(fp32->run, 0);
    assert_close(fp32->share.v, 1.0101, 1e-9);
    assert_close(rl_ceiling_figure(fp32).v, 2.56e12, 1e-12); /* theory stays the roof */
    assert_null(dram->refused);
    assert_close(rl_ceiling_figure(dram).v, 3.2e10 * 1.0099, 1e-12);
    release(analysis, capture);
}

/* Counters that are not permitted, or no kernel at all: tables and the clock of the run give the theory. */
static void theory_without_counters(void **state)
{
    static const struct {
        const char *id;
        enum rl_unit unit;
        double measured, limit;
    } known[] = {
        {"dram_read", RL_UNIT_BYTE_PER_SECOND, 6e11, 2 * 9.751e9 * 384 / 8}, /* RTX 3090: 936 GB/s */
        {"shared_read", RL_UNIT_BYTE_PER_SECOND, 2e12, 128 * 10 * 1.7e9},
        {"fp32", RL_UNIT_FLOP_PER_SECOND, 4e12, 2 * 128 * 10 * 1.7e9},
        {"fp64", RL_UNIT_FLOP_PER_SECOND, 6e10, 2 * 2 * 10 * 1.7e9},
        {"fp16", RL_UNIT_FLOP_PER_SECOND, 4e12, 256 * 10 * 1.7e9},
        {"tensor_int8", RL_UNIT_OP_PER_SECOND, 3e13, 2048 * 10 * 1.7e9},
        {"pcie_d2h", RL_UNIT_BYTE_PER_SECOND, 1.2e10, 8e9 / 8 * 128 / 130 * 16},
    };
    (void)state;

    for (int kernels = 0; kernels < 2; kernels++) {
        struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
        if (kernels)
            sample_kernel(capture, "without counters");
        capture->gpus[0].fact[RL_FACT_memory_clock_max_hz] = rl_value_of(9.751e9);
        capture->gpus[0].fact[RL_FACT_memory_bus_bits] = rl_value_of(384);
        capture->gpus[0].fact[RL_FACT_pcie_generation] = rl_value_of(3);
        capture->gpus[0].fact[RL_FACT_pcie_width] = rl_value_of(16);
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
            add_run(capture, known[i].id, known[i].unit, known[i].measured, 0, 30, 1.7e9);
        add_run(capture, "l2_read", RL_UNIT_BYTE_PER_SECOND, 1e12, 0, 30, 1.7e9);
        struct rl_analysis *analysis = rl_analysis_new(capture);
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
            const struct rl_ceiling *ceiling = ceiling_of(analysis, known[i].id);
            assert_close(ceiling->limit.v, known[i].limit, 1e-12);
            assert_close(ceiling->theoretical.v, known[i].limit, 1e-12);
            assert_close(ceiling->share.v, known[i].measured / known[i].limit, 1e-12);
        }
        const struct rl_ceiling *l2 = ceiling_of(analysis, "l2"); /* no table knows it */
        assert_false(rl_present(l2->limit) || rl_present(l2->share) || rl_present(l2->theoretical));
        assert_close(rl_ceiling_figure(l2).v, 1e12, 0);
        assert_null(l2->refused);
        release(analysis, capture);
    }
}

static void generations_of_the_link(void **state)
{
    static const struct {
        double generation, lane; /* bytes per second and lane */
    } known[] = {{1, 0.25e9}, {2, 0.5e9}, {3, 984.615384615e6}, {4, 1969.23076923e6}, {5, 3938.46153846e6}, {6, 7.5625e9}};
    (void)state;

    for (size_t i = 0; i <= sizeof known / sizeof known[0]; i++) {
        const bool last = i == sizeof known / sizeof known[0];
        struct rl_capture *capture = with_kernel();
        capture->gpus[0].fact[RL_FACT_pcie_generation] = rl_value_of(last ? 7 : known[i].generation);
        capture->gpus[0].fact[RL_FACT_pcie_width] = rl_value_of(8);
        struct rl_analysis *analysis = rl_analysis_new(capture);
        const struct rl_value theory = ceiling_of(analysis, "pcie_h2d")->theoretical;
        if (last)
            assert_string_equal(rl_value_reason(theory), "unknown PCIe generation");
        else
            assert_close(theory.v, 8 * known[i].lane, 1e-9);
        release(analysis, capture);
    }
}

static void sustained_rates_stand_beside(void **state)
{
    struct rl_capture *capture = with_kernel();
    (void)state;

    add_run(capture, "tensor_fp16", RL_UNIT_FLOP_PER_SECOND, 1e13, 0, 30, 1e9);
    add_run(capture, "tensor_fp16_sustained", RL_UNIT_FLOP_PER_SECOND, 8e12, 0, 30, 0.8e9);
    add_run(capture, "fp32_sustained", RL_UNIT_FLOP_PER_SECOND, 2e12, 0, 30, 0.8e9); /* no burst to compare with */
    struct rl_analysis *analysis = rl_analysis_new(capture);
    const struct rl_ceiling *tensor = ceiling_of(analysis, "tensor_fp16"), *fp32 = ceiling_of(analysis, "fp32");
    assert_close(tensor->measured.median, 1e13, 0);
    assert_close(tensor->sustained.median, 8e12, 0);
    assert_int_equal(tensor->sustained_run, 1);
    assert_close(tensor->sustained_share.v, 0.8, 1e-12);
    assert_true(fp32->run == RL_NONE && fp32->sustained_run == RL_NONE);
    assert_false(rl_present(fp32->sustained_share));
    release(analysis, capture);
}

static void published_figures_by_card(void **state)
{
    (void)state;
    assert_close(rl_published_best("NVIDIA A100-SXM4-40GB", "dram_read")->value, 1.5e12, 0);
    assert_close(rl_published_best("NVIDIA A100-PCIE-40GB", "dram_triad")->value, 1.375e12, 0);
    assert_close(rl_published_best("NVIDIA A100 80GB PCIe", "dram_read")->value, 1.776e12, 0);
    assert_close(rl_published_best("NVIDIA A100-SXM4-80GB", "l2_read")->value, 5.39e12, 0);
    assert_close(rl_published_best("Tesla V100-SXM2-16GB", "dram_write")->value, 8.97e11, 0);
    assert_close(rl_published_best("NVIDIA H200", "fp32")->value, 5.95e13, 0);
    assert_null(rl_published_best("NVIDIA H200", "l2_read"));
    assert_null(rl_published_best("NVIDIA H200 NVL", "fp32"));
    assert_null(rl_published_best("NVIDIA A40-24Q", "dram_read"));
    assert_null(rl_published_best(NULL, "fp32"));
}

static void published_rows_name_what_is_measured(void **state)
{
    (void)state;
    for (size_t i = 0; i < rl_published_count; i++) {
        const struct rl_published *row = &rl_published[i];
        size_t id = 0;
        while (id < RL_CEILING_COUNT && strcmp(rl_ceilings[id].measured, row->measured) != 0)
            id++;
        if (id == RL_CEILING_COUNT)
            fail_msg("published.def: '%s' is no micro-benchmark", row->measured);
        assert_true(row->value > 1e10 && row->value < 1e16);
        assert_true(strlen(row->source) > 10 && strlen(row->card) > 3);
    }
}

static void rates_belong_to_chips(void **state)
{
    (void)state;
    assert_int_equal(rl_rates_count, rl_chip_count);
    for (size_t i = 0; i < rl_chip_count; i++) {
        const struct rl_rates *rates = rl_rates_find(rl_chips[i].name);
        if (!rates)
            fail_msg("rates.def has no row for %s", rl_chips[i].name);
        assert_true((rates->fp16 > 0) == (rl_chips[i].cc >= 60) && rates->bf16 <= rates->fp16);
        assert_true((rates->bf16 > 0) == (rates->tensor_bf16 > 0) && (rates->bf16 > 0) == (rates->tensor_tf32 > 0));
        assert_int_equal(rates->tensor_tf32 * 2, rates->tensor_bf16);
        assert_true(rates->tensor_bf16 == 0 || rates->tensor_bf16 == rl_chips[i].tensor_fp16_flop_per_sm_cycle);
    }
    assert_null(rl_rates_find("GX999"));
    assert_null(rl_rates_find(NULL));
}

/* Peaks of data sheets, TFLOP/s, from rows, SMs and clocks. */
static void rates_give_published_peaks(void **state)
{
    static const struct {
        const char *card, *chip;
        int sms;
        double clock, vector_fp16, tf32, fp64, fp8, int8;
    } cards[] = {
        {"V100 SXM2", "GV100", 80, 1.53e9, 31.4, 0, 0, 0, 0},
        {"T4", "TU104", 40, 1.59e9, 16.2, 0, 0, 0, 130},
        {"A100 SXM4", "GA100", 108, 1.41e9, 78, 156, 19.5, 0, 624},
        {"A40", "GA102", 84, 1.74e9, 37.4, 74.8, 0, 0, 299.3},
        {"L40S", "AD102", 142, 2.49e9, 0, 183, 0, 733, 733},
        {"H100 SXM5, boost", "GH100", 132, 1.98e9, 133.8, 0, 66.9, 0, 0},
        {"H100 SXM5, tensor boost", "GH100", 132, 1.83e9, 0, 494.7, 0, 1978.9, 1978.9},
        {"B200", "GB100", 148, 1.85e9, 0, 1125, 0, 4500, 4500},
    };
    (void)state;

    for (size_t i = 0; i < sizeof cards / sizeof cards[0]; i++) {
        const struct rl_rates *rates = rl_rates_find(cards[i].chip);
        const double scale = 1e-12 * cards[i].sms * cards[i].clock;
        const struct {
            double published;
            int rate;
        } pairs[] = {{cards[i].vector_fp16, rates->fp16},
                     {cards[i].tf32, rates->tensor_tf32},
                     {cards[i].fp64, rates->tensor_fp64},
                     {cards[i].fp8, rates->tensor_fp8},
                     {cards[i].int8, rates->tensor_int8}};
        for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++)
            if (pairs[k].published > 0)
                assert_close(scale * pairs[k].rate, pairs[k].published, 0.015);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_look_in_a_sweep_does_not_beat_thirty_samples),
        cmocka_unit_test(rates_of_the_sms_are_held_against_their_own_clock),
        cmocka_unit_test(the_impossible_is_refused),
        cmocka_unit_test(theory_without_counters),
        cmocka_unit_test(generations_of_the_link),
        cmocka_unit_test(sustained_rates_stand_beside),
        cmocka_unit_test(published_figures_by_card),
        cmocka_unit_test(published_rows_name_what_is_measured),
        cmocka_unit_test(rates_belong_to_chips),
        cmocka_unit_test(rates_give_published_peaks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
