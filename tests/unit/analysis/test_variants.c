/* Variants as wholes: times, operations, overlap, sums over the launches of a run. All values are computed by hand. */
#include "rl_test.h"

#include "analysis/analysis.h"
#include "core/mem.h"
#include "fixtures/capture.h"

/* A capture with one variant, done and right. */
static struct rl_capture *new_variant(const char *measure)
{
    struct rl_capture *capture = sample_new("GH100", 90);
    sample_experiment(capture, "grid_sync");
    sample_variant(capture, 0, 0, "launches", measure);
    return capture;
}

static void set_runs(struct rl_capture *capture, const uint64_t *ns, size_t count)
{
    struct rl_variant *variant = &capture->variants[0];

    variant->duration_ns = rl_arena_alloc(&capture->arena, count * sizeof *ns);
    memcpy(variant->duration_ns, ns, count * sizeof *ns);
    variant->duration_count = count;
}

static void set_events(struct rl_capture *capture, const struct rl_event *events, size_t count)
{
    struct rl_variant *variant = &capture->variants[0];

    variant->events = rl_arena_alloc(&capture->arena, count * sizeof *events);
    memcpy(variant->events, events, count * sizeof *events);
    variant->event_count = count;
}

static size_t add_kernel(struct rl_capture *capture, const char *name, uint64_t launches_per_run)
{
    const size_t kernel = sample_kernel(capture, name);

    capture->kernels[kernel].variant = 0;
    capture->kernels[kernel].launches_per_run = launches_per_run;
    return kernel;
}

/* Analyses and frees; the result is copied, its texts are gone. */
static struct rl_variant_result result_of(struct rl_capture *capture)
{
    struct rl_analysis *analysis = rl_analysis_new(capture);
    const struct rl_variant_result result = analysis->variants[0];

    rl_analysis_free(analysis);
    rl_capture_free(capture);
    return result;
}

static void runs_have_their_own_times(void **state)
{
    struct rl_capture *capture = new_variant("wall");

    (void)state;
    set_runs(capture, (uint64_t[]){3000, 1000, 2000, 2000, 2000, 5000, 2000}, 7);
    capture->variants[0].operations = rl_value_of(4);
    capture->variants[0].useful_bytes = rl_value_of(8000);
    sample_time(capture, add_kernel(capture, "k", 3), 700); /* must not count: the run was timed as a whole */
    const struct rl_variant_result result = result_of(capture);
    assert_null(result.why_not);
    assert_null(result.untimed);
    assert_int_equal(result.duration.n, 7);
    assert_close(result.time_s.v, 2e-6, 1e-12);
    assert_close(result.time_per_operation_s.v, 0.5e-6, 1e-12);
    assert_close(result.useful_bytes_per_second.v, 4e9, 1e-12);
}

static void one_launch_stands_for_its_variant(void **state)
{
    struct rl_capture *capture = new_variant("kernel");
    const size_t kernel = add_kernel(capture, "k", 1);

    (void)state;
    sample_time(capture, kernel, 1000);
    sample_counter(capture, kernel, "smsp__sass_inst_executed.sum", 42);
    const struct rl_variant_result result = result_of(capture);
    assert_close(result.time_s.v, 1e-6, 1e-12);
    assert_close(result.metric[RL_METRIC_instructions].v, 42, 0);
    assert_false(rl_present(result.time_per_operation_s));
    assert_false(rl_present(result.overlap_share));
    assert_string_equal(rl_value_reason(result.overlap_share), "no timeline");
}

static void launches_of_a_run_are_summed(void **state)
{
    struct rl_capture *capture = new_variant("span");
    const size_t a = add_kernel(capture, "a", 10), b = add_kernel(capture, "b", 1);

    (void)state;
    set_runs(capture, (uint64_t[]){9000}, 1);
    sample_counter(capture, a, "smsp__sass_inst_executed.sum", 5);
    sample_counter(capture, b, "smsp__sass_inst_executed.sum", 7);
    sample_counter(capture, a, "sm__warps_active.avg.pct_of_peak_sustained_active", 50);
    sample_counter(capture, b, "sm__warps_active.avg.pct_of_peak_sustained_active", 100);
    const struct rl_variant_result result = result_of(capture);
    assert_close(result.metric[RL_METRIC_instructions].v, 10 * 5 + 7, 0);
    assert_false(rl_present(result.metric[RL_METRIC_achieved_occupancy])); /* cannot be added */
    assert_int_equal(result.metric[RL_METRIC_dram_bytes].state, RL_NOT_COLLECTED);
}

/* Copies in 0..10 and 30..40, a copy back in 20..30, kernels in 5..15 and 25..45:
 * to the device 20, to the host 10, kernels 30, sum 60; any of them 0..15 and 20..45 = 40; (60 - 40) / (60 - 30). */
static void overlap_is_the_time_saved_of_what_could_be(void **state)
{
    const struct rl_event events[] = {
        {RL_EVENT_COPY_TO_DEVICE, 1, 0, 10, 64},  {RL_EVENT_KERNEL, 2, 5, 15, 0},  {RL_EVENT_COPY_TO_HOST, 3, 20, 30, 64},
        {RL_EVENT_COPY_TO_DEVICE, 1, 30, 40, 64}, {RL_EVENT_KERNEL, 2, 25, 45, 0},
    };
    struct rl_capture *capture = new_variant("wall");

    (void)state;
    set_events(capture, events, 5);
    const struct rl_variant_result result = result_of(capture);
    assert_close(result.overlap_share.v, 20.0 / 30.0, 1e-12);
    assert_string_equal(result.untimed, "was not timed");
}

static void what_touches_does_not_overlap(void **state)
{
    const struct rl_event events[] = {
        {RL_EVENT_COPY_TO_DEVICE, 1, 0, 10, 64}, {RL_EVENT_KERNEL, 1, 10, 20, 0}, {RL_EVENT_COPY_TO_HOST, 1, 20, 30, 64}};
    struct rl_capture *capture = new_variant("wall");

    (void)state;
    set_events(capture, events, 3);
    const struct rl_variant_result result = result_of(capture);
    assert_true(rl_present(result.overlap_share));
    assert_close(result.overlap_share.v, 0, 0);
}

static void overlap_needs_both_sides(void **state)
{
    const struct rl_event copies[] = {{RL_EVENT_COPY_TO_DEVICE, 1, 0, 10, 64}, {RL_EVENT_COPY_TO_HOST, 2, 5, 15, 64}};
    const struct rl_event kernels[] = {{RL_EVENT_KERNEL, 1, 0, 10, 0}};
    struct rl_capture *capture = new_variant("wall");

    (void)state;
    set_events(capture, copies, 2);
    assert_string_equal(rl_value_reason(result_of(capture).overlap_share), "no kernels");
    capture = new_variant("wall");
    set_events(capture, kernels, 1);
    assert_string_equal(rl_value_reason(result_of(capture).overlap_share), "no copies");
}

static void nothing_is_shown_of_what_is_wrong(void **state)
{
    struct rl_capture *capture = new_variant("kernel");
    struct rl_analysis *analysis;

    (void)state;
    capture->variants[0].result = RL_RESULT_WRONG;
    analysis = rl_analysis_new(capture);
    assert_string_equal(analysis->variants[0].why_not, "computed a wrong result");
    assert_string_equal(analysis->variants[0].label, "grid_sync / launches");
    rl_analysis_free(analysis);
    capture->variants[0].result = RL_RESULT_NOT_CHECKED;
    capture->variants[0].status = RL_VARIANT_UNSUPPORTED;
    capture->variants[0].reason = rl_capture_text(capture, "needs compute capability 8.0");
    analysis = rl_analysis_new(capture);
    assert_string_equal(analysis->variants[0].why_not, "is not supported here (needs compute capability 8.0)");
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_have_their_own_times),         cmocka_unit_test(one_launch_stands_for_its_variant),
        cmocka_unit_test(launches_of_a_run_are_summed),      cmocka_unit_test(overlap_is_the_time_saved_of_what_could_be),
        cmocka_unit_test(what_touches_does_not_overlap),     cmocka_unit_test(overlap_needs_both_sides),
        cmocka_unit_test(nothing_is_shown_of_what_is_wrong),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
