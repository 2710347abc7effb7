/* Captures that are empty, poor, large or strange; and that the same capture gives the same results. */
#include "rl_test.h"

#include <locale.h>
#include <time.h>

#include "analysis/analysis.h"
#include "fixtures/capture.h"

static void empty_capture(void **state)
{
    struct rl_capture *capture = rl_capture_new();
    struct rl_analysis *analysis = rl_analysis_new(capture);
    (void)state;

    assert_int_equal(analysis->claim_count, 0);
    assert_int_equal(analysis->finding_count, 1);
    assert_string_equal(analysis->findings[0].id, "incomplete");
    assert_int_equal(analysis->findings[0].gpu, RL_NONE);
    assert_null(rl_analysis_of_variant(analysis, 0));
    assert_null(rl_analysis_of_variant(analysis, RL_NONE));
    rl_analysis_free(analysis);
    rl_capture_free(capture);
    rl_analysis_free(NULL);
}

static void card_without_kernels(void **state)
{
    struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
    struct rl_analysis *analysis = rl_analysis_new(capture);
    (void)state;

    for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
        assert_false(rl_present(analysis->gpus[0].ceiling[i].theoretical));
        assert_string_equal(rl_value_reason(analysis->gpus[0].ceiling[i].theoretical), "no kernel was measured on the GPU");
    }
    assert_int_equal(analysis->gpus[0].sm_clock.n, 0);
    assert_int_equal(analysis->finding_count, 0);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* An importer that knows a name and a duration and nothing else: no chip, no compute capability, no registers, no counters. */
static void imported_capture(void **state)
{
    struct rl_capture *capture = sample_new(NULL, 0);
    const size_t kernel = sample_kernel(capture, "void k<int>(int)");
    struct rl_analysis *analysis;
    (void)state;

    capture->gpus[0].fact[RL_FACT_sm_count] = rl_value_missing(RL_NOT_COLLECTED, NULL);
    capture->gpus[0].fact[RL_FACT_warp_size] = rl_value_missing(RL_NOT_COLLECTED, NULL);
    capture->kernels[kernel].registers_per_thread = rl_value_missing(RL_NOT_COLLECTED, NULL);
    sample_time(capture, kernel, 1000);
    sample_value(capture, kernel, RL_METRIC_VALUE, "achieved_occupancy", rl_value_of(0.5));
    sample_value(capture, kernel, RL_METRIC_VALUE, "unheard_of", rl_value_of(0.5));
    sample_value(capture, kernel, RL_FOREIGN, "Est. Speedup", rl_value_of(12));
    analysis = rl_analysis_new(capture);
    const struct rl_kernel_result *result = &analysis->kernels[kernel];
    assert_string_equal(result->label, "k");
    assert_close(result->duration.median, 1e-6, 1e-12);
    assert_close(result->metric[RL_METRIC_achieved_occupancy].v, 0.5, 0);
    assert_false(rl_present(result->metric[RL_METRIC_theoretical_occupancy]));
    assert_string_equal(rl_value_reason(result->occupancy.fraction), "compute capability unknown");
    assert_int_equal(result->bound, RL_BOUND_LAUNCH); /* of 1 us, whatever it does */
    assert_int_equal(result->siblings, 0);
    for (size_t i = 0; i < RL_METRIC_COUNT; i++)
        assert_int_equal(rl_present(result->metric[i]), i == RL_METRIC_achieved_occupancy);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* The warp's width is known from the compute capability where the driver was not asked. */
static void warp_size_from_the_compute_capability(void **state)
{
    struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
    struct rl_analysis *analysis;
    (void)state;

    sample_full_kernel(capture, "k");
    capture->gpus[0].fact[RL_FACT_warp_size] = rl_value_missing(RL_NOT_COLLECTED, NULL);
    analysis = rl_analysis_new(capture);
    assert_close(analysis->kernels[0].metric[RL_METRIC_warp_execution_efficiency].v, 0.75, 1e-12);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* ---- figures that no launch has ---- */

static void assert_sane(const struct rl_analysis *analysis)
{
    for (size_t k = 0; k < analysis->capture->kernel_count; k++) {
        const struct rl_kernel_result *result = &analysis->kernels[k];
        for (size_t i = 0; i < RL_METRIC_COUNT; i++) {
            assert_non_null(rl_value_reason(result->metric[i]));
            assert_true(!rl_present(result->metric[i]) || isfinite(result->metric[i].v));
        }
        assert_true(isfinite(result->above_roof_ratio));
        for (size_t i = 0; i < result->finding_count; i++)
            assert_true(strlen(result->findings[i].text) > 10);
    }
    for (size_t i = 0; i < analysis->claim_count; i++)
        assert_true(analysis->claims[i].outcome == RL_CLAIM_UNDECIDED || isfinite(analysis->claims[i].measured.v));
}

static void strange_figures_stay_finite(void **state)
{
    static const double strange[] = {0, -1, 1e300, -1e300, 5e-324, INFINITY, -INFINITY, NAN};
    static const uint32_t extents[] = {0, 1, UINT32_MAX};
    (void)state;

    for (size_t s = 0; s < sizeof strange / sizeof strange[0]; s++) {
        for (size_t e = 0; e < 3; e++) {
            struct rl_capture *capture = sample_new(s % 2 ? SAMPLE_CHIP : "GH100", s % 2 ? SAMPLE_CC : 90);
            const size_t kernel = sample_full_kernel(capture, "k");
            struct rl_kernel *k = &capture->kernels[kernel];
            for (size_t i = s % 3; i < k->counter_count; i += 1 + s % 2)
                k->counters[i].value.v = strange[s];
            for (size_t i = 0; i < 3; i++)
                k->grid[i] = k->block[i] = extents[e];
            k->dynamic_shared_bytes = UINT64_MAX;
            k->registers_per_thread = (struct rl_value){strange[s]};
            k->static_shared_bytes = (struct rl_value){strange[s]};
            for (size_t i = 0; i < k->duration_count; i++)
                k->duration_ns[i] = e == 0 ? 0 : UINT64_MAX - i;
            for (size_t i = 0; i < RL_FACT_COUNT; i++)
                capture->gpus[0].fact[i] = rl_value_of(s < 5 ? strange[s] : 0);
            struct rl_gpu_moment *moment = rl_capture_add_moment(capture, 0);
            moment->moment = rl_capture_text(capture, "before");
            for (size_t i = 0; i < RL_READING_COUNT; i++)
                moment->reading[i] = rl_value_of(s < 5 ? strange[s] : 1e18);
            struct rl_analysis *analysis = rl_analysis_new(capture);
            assert_sane(analysis);
            rl_analysis_free(analysis);
            rl_capture_free(capture);
        }
    }
}

static void hostile_names_are_only_text(void **state)
{
    static const char *const names[] = {"%s%n{value}", "$(reboot)`x`", "a\nb\x1b[31m", "\xff\xfe", "{", "}", "stride_1"};
    struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
    struct rl_analysis *analysis;
    (void)state;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct rl_experiment *experiment = rl_capture_add_experiment(capture);
        experiment->name = rl_capture_text(capture, names[i]);
        struct rl_claim *claim = rl_capture_add_claim(capture, i);
        claim->id = claim->text = claim->quantity = claim->subject = claim->baseline = claim->relation = claim->card =
            rl_capture_text(capture, names[i]);
        struct rl_variant *variant = rl_capture_add_variant(capture);
        variant->experiment = i;
        variant->gpu = 0;
        variant->name = variant->reason = variant->result_text = rl_capture_text(capture, names[i]);
        variant->result = RL_RESULT_WRONG;
        const size_t kernel = sample_full_kernel(capture, names[i]);
        capture->kernels[kernel].variant = i;
    }
    analysis = rl_analysis_new(capture);
    assert_sane(analysis);
    assert_int_equal(analysis->claim_count, sizeof names / sizeof names[0]);
    assert_string_equal(analysis->kernels[0].findings[0].text,
                        "The result is wrong: %s%n{value}. No performance is shown. Correct the kernel, then measure it again.");
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* ---- determinism and size ---- */

static struct rl_capture *several(size_t kernels)
{
    struct rl_capture *capture = sample_new("GH100", 90);

    for (size_t i = 0; i < kernels; i++) {
        const size_t kernel = sample_full_kernel(capture, "void ns::kernel<float, 4>(float*, int)");
        sample_set(capture, kernel, "sm__cycles_elapsed.avg.per_second", rl_value_of(1e9 + (double)(i * 7919 % 1000) * 1e5));
        sample_set(capture, kernel, "dram__bytes_read.sum", rl_value_of((double)(i * 104729 % 64000)));
    }
    return capture;
}

static void add_text(struct rl_buf *out, const struct rl_analysis *analysis)
{
    for (size_t k = 0; k < analysis->capture->kernel_count; k++) {
        const struct rl_kernel_result *result = &analysis->kernels[k];
        rl_buf_addf(out, "%s %d %a\n", result->label, (int)result->bound, result->roof_share.v);
        for (size_t i = 0; i < RL_METRIC_COUNT; i++)
            rl_buf_addf(out, "%a %s\n", result->metric[i].v, rl_value_reason(result->metric[i]));
        for (size_t i = 0; i < result->finding_count; i++)
            rl_buf_addf(out, "%s\n", result->findings[i].text);
    }
    for (size_t i = 0; i < analysis->finding_count; i++)
        rl_buf_addf(out, "%s\n", analysis->findings[i].text);
}

static void the_same_in_any_locale_every_time(void **state)
{
    static const char *const locales[] = {"C", "de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"};
    struct rl_buf first = RL_BUF_INIT;
    (void)state;

    for (size_t i = 0; i < sizeof locales / sizeof locales[0]; i++) {
        struct rl_buf again = RL_BUF_INIT;
        setlocale(LC_ALL, locales[i]);
        struct rl_capture *capture = several(20);
        struct rl_analysis *analysis = rl_analysis_new(capture);
        setlocale(LC_ALL, "C");
        add_text(i ? &again : &first, analysis);
        if (i)
            assert_string_equal(first.data, again.data);
        rl_analysis_free(analysis);
        rl_capture_free(capture);
        rl_buf_release(&again);
    }
    assert_true(first.len > 1000);
    rl_buf_release(&first);
}

/* Ten thousand kernel classes are the largest capture that is promised; the time is shown, not judged. */
static void many_kernels(void **state)
{
    struct rl_capture *capture = several(10000);
    const clock_t start = clock();
    struct rl_analysis *analysis = rl_analysis_new(capture);
    (void)state;

    print_message("10000 kernel classes in %.2f s\n", (double)(clock() - start) / CLOCKS_PER_SEC);
    assert_int_equal(analysis->gpus[0].sm_clock.n, 10000);
    assert_close(analysis->kernels[9999].metric[RL_METRIC_flop_fp32].v, 9000, 0);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

static void clock_reasons(void **state)
{
    static const struct {
        double bits;
        bool lowered;
        const char *lowering;
    } known[] = {
        {0, false, ""},      {0x1, false, ""}, {0x4, true, "power limit"}, {0x46, true, "power limit, temperature (hardware)"},
        {0x8000, false, ""}, {-1, false, ""},  {1e300, false, ""},
    };
    (void)state;

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        struct rl_buf lowering = RL_BUF_INIT;
        assert_int_equal(rl_clock_throttled(rl_value_of(known[i].bits)), known[i].lowered);
        rl_throttle_reasons_text(rl_value_of(known[i].bits), &lowering);
        assert_string_equal(lowering.len ? lowering.data : "", known[i].lowering);
        rl_buf_release(&lowering);
    }
    assert_false(rl_clock_throttled(rl_value_missing(RL_NOT_COLLECTED, NULL)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_capture),
        cmocka_unit_test(card_without_kernels),
        cmocka_unit_test(imported_capture),
        cmocka_unit_test(warp_size_from_the_compute_capability),
        cmocka_unit_test(strange_figures_stay_finite),
        cmocka_unit_test(hostile_names_are_only_text),
        cmocka_unit_test(the_same_in_any_locale_every_time),
        cmocka_unit_test(many_kernels),
        cmocka_unit_test(clock_reasons),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
