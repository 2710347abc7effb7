/* What samples of a whole GPU say of each moment, worked out by hand from bins of 100 ns. */
#include "rl_test.h"

#include "analysis/timeline.h"
#include "core/mem.h"
#include "fixtures/capture.h"
#include "fixtures/timelines.h"

enum { BINS = 8 };

/* A lane with samples in bins 1, 2 and 5: all of the first, half of the second, a quarter of the last. */
static void add(struct rl_capture *capture, enum rl_sampled_counter counter, double first, double second, double third)
{
    static const uint32_t bins[] = {1, 2, 5};
    static const uint64_t covered_ns[] = {100, 50, 25};
    const double totals[] = {first, second, third};
    *rl_capture_add_sampled_lane(capture) = (struct rl_sampled_lane){
        .timeline = capture->timeline_count - 1, .counter = counter, .covered_ns = 175, .total = first + second + third};
    for (size_t i = 0; i < 3; i++)
        *rl_capture_add_sampled_bin(capture) = (struct rl_sampled_bin){
            .lane = capture->sampled_lane_count - 1, .bin = bins[i], .covered_ns = covered_ns[i], .total = totals[i]};
}

/* Two GPUs, the second of which was sampled. */
static struct rl_capture *program(const char *chip)
{
    struct rl_capture *capture = sample_new(chip, 90);
    for (size_t i = capture->gpu_count; i < 2; i++)
        rl_capture_add_gpu(capture)->chip = rl_capture_text(capture, chip);
    sample_process(capture, &(struct sample_process){.pid = 1, .command = "serve", .end = "exited", .phases = "one run"});
    for (size_t i = 0; i < 2; i++) {
        *rl_capture_add_process_gpu(capture, 0) = (struct rl_process_gpu){i, 400, 300, 200};
        sample_timeline(capture, 0, i, BINS);
    }
    return capture;
}

static const struct rl_moment_lane *find(const struct rl_moments *moments, enum rl_moment moment)
{
    for (size_t i = 0; i < moments->count; i++)
        if (moments->at[i].moment == moment)
            return &moments->at[i];
    return NULL;
}

static void rates_are_over_the_time_that_has_samples(void **state)
{
    (void)state;
    struct rl_capture *capture = program("GH100");
    add(capture, RL_SAMPLED_dram_read, 1000, 200, 0);
    struct rl_analysis *analysis = rl_analysis_new(capture);
    const struct rl_moments *moments = &analysis->over_time[1].moments;
    assert_int_equal(analysis->over_time[0].moments.count, 0);
    assert_false(rl_present(analysis->over_time[0].moments.covered));
    assert_int_equal(moments->count, 1);
    assert_close(moments->covered_s, 175e-9, 1e-15);
    assert_close(moments->covered.v, 175.0 / 800, 1e-12);
    assert_close(moments->from_s.v, 300e-9, 1e-15); /* bins 3 and 4, before 6 and 7, which are as long */
    assert_close(moments->to_s.v, 500e-9, 1e-15);
    const struct rl_moment_lane *read = find(moments, RL_MOMENT_dram_read);
    assert_close(read->mean.v, 1200 / 175e-9, 1e-12);
    assert_close(read->greatest.v, 1000 / 100e-9, 1e-12);
    assert_false(rl_present(rl_moment_between(capture, read, 3, 5))); /* no sample is not nothing */
    assert_close(rl_moment_between(capture, read, 5, 6).v, 0, 0);
    assert_close(rl_moment_between(capture, read, 2, 4).v, 200 / 50e-9, 1e-12);
    assert_close(rl_moment_covered_s(capture, read, 2, 6), 75e-9, 1e-15);
    double total = 0;
    for (uint32_t bin = 0; bin < BINS; bin++)
        total += rl_moment_covered_s(capture, read, bin, bin + 1);
    assert_close(total, moments->covered_s, 1e-15);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

static void shares_are_of_cycles(void **state)
{
    (void)state;
    for (int known = 0; known < 2; known++) {
        struct rl_capture *capture = program(known ? "GH100" : "AD102");
        add(capture, RL_SAMPLED_sm_active, 100, 50, 25);
        add(capture, RL_SAMPLED_tensor, 400, 0, 0);
        add(capture, RL_SAMPLED_sm_elapsed, 200, 100, 50);
        struct rl_analysis *analysis = rl_analysis_new(capture);
        const struct rl_moments *moments = &analysis->over_time[1].moments;
        assert_int_equal(moments->count, 2); /* cycles that went by are no lane */
        const struct rl_moment_lane *active = find(moments, RL_MOMENT_sm_active), *tensor = find(moments, RL_MOMENT_tensor);
        assert_close(active->mean.v, 0.5, 1e-12);
        assert_close(active->roof.v, 1, 0);
        assert_close(active->share.v, 0.5, 1e-12);
        assert_int_equal(rl_present(tensor->mean), known); /* how many an SM has at once is not known of every chip */
        if (known) {
            assert_close(tensor->mean.v, 400.0 / (4 * 350), 1e-12);
            assert_close(tensor->greatest.v, 0.5, 1e-12);
        } else {
            assert_false(rl_present(rl_moment_between(capture, tensor, 1, 2)));
        }
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
}

static void a_share_of_what_was_not_sampled_is_missing(void **state)
{
    (void)state;
    struct rl_capture *capture = program("GH100");
    add(capture, RL_SAMPLED_sm_active, 100, 50, 25);
    struct rl_analysis *analysis = rl_analysis_new(capture);
    const struct rl_moment_lane *active = find(&analysis->over_time[1].moments, RL_MOMENT_sm_active);
    assert_false(rl_present(active->mean) || rl_present(active->greatest) || rl_present(active->share));
    assert_non_null(strstr(rl_value_reason(active->mean), "cycles of the SMs"));
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

static void links_are_held_against_what_they_are(void **state)
{
    (void)state;
    struct rl_capture *capture = program("GH100");
    capture->gpus[1].fact[RL_FACT_pcie_generation] = rl_value_of(5);
    capture->gpus[1].fact[RL_FACT_pcie_width] = rl_value_of(16);
    add(capture, RL_SAMPLED_pcie_read, 3200, 0, 0);
    add(capture, RL_SAMPLED_nvlink_sent, 100, 0, 0);
    struct rl_analysis *analysis = rl_analysis_new(capture);
    const struct rl_moments *moments = &analysis->over_time[1].moments;
    assert_close(find(moments, RL_MOMENT_pcie_read)->roof.v, 16 * 32e9 / 8 * 128 / 130, 1e3);
    assert_true(rl_present(find(moments, RL_MOMENT_nvlink_sent)->mean));
    assert_false(rl_present(find(moments, RL_MOMENT_nvlink_sent)->roof));
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_are_over_the_time_that_has_samples),
        cmocka_unit_test(shares_are_of_cycles),
        cmocka_unit_test(a_share_of_what_was_not_sampled_is_missing),
        cmocka_unit_test(links_are_held_against_what_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
