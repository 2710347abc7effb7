/* What a GPU did over time, worked out by hand from bins of 100 ns. */
#include "rl_test.h"

#include "analysis/timeline.h"
#include "core/mem.h"
#include "fixtures/capture.h"
#include "fixtures/timelines.h"

/* One process on two GPUs, of which it used the first `gpus`. */
static struct rl_capture *program(size_t gpus)
{
    struct rl_capture *capture = sample_new("GH100", 90);
    for (size_t i = capture->gpu_count; i < 2; i++)
        rl_capture_add_gpu(capture)->name = rl_capture_text(capture, "card");
    sample_process(capture, &(struct sample_process){.pid = 1, .command = "serve", .end = "exited", .phases = "one run"});
    for (size_t i = 0; i < gpus; i++)
        *rl_capture_add_process_gpu(capture, 0) = (struct rl_process_gpu){i, 340, 250, 140};
    return capture;
}

#define LANE(lane, ...) sample_lane(capture, RL_LANE_##lane, RL_NONE, (const uint64_t[]){__VA_ARGS__}, 4)

/* Copies alone; computing beside copies; a collective beside both; waiting. */
static struct rl_capture *mixed(void)
{
    struct rl_capture *capture = program(1);
    sample_timeline(capture, 0, 0, 4);
    LANE(BUSY, 80, 80, 90, 0);
    LANE(KERNELS, 0, 60, 80, 0);
    LANE(COMPUTE, 0, 60, 40, 0);
    LANE(COLLECTIVES, 0, 0, 70, 0);
    LANE(COPIES, 80, 50, 20, 0);
    LANE(TO_DEVICE, 80, 50, 20, 0);
    LANE(IDLE_HOST, 0, 20, 0, 0);
    LANE(IDLE_WAIT, 0, 0, 10, 30);
    LANE(UNWATCHED, 0, 0, 0, 60);
    LANE(OTHER_CLASSES, 0, 60, 110, 0);
    return capture;
}

static void times_are_of_the_wall_time(void **state)
{
    (void)state;
    struct rl_capture *capture = mixed();
    struct rl_analysis *analysis = rl_analysis_new(capture);
    assert_int_equal(analysis->over_time_count, 1);
    const struct rl_over_time *over = &analysis->over_time[0];
    assert_close(over->axis_s, 400e-9, 1e-12);
    assert_close(over->lane_s[RL_LANE_BUSY], 250e-9, 1e-12);
    assert_close(over->wall_s, 340e-9, 1e-12);      /* that of the process: without counter collection */
    assert_close(over->no_kernel_s, 200e-9, 1e-12); /* 110 of copies, 20 of the host, 40 of waiting, 30 at the edges */
    assert_close(over->idle_s, 90e-9, 1e-12);
    assert_close(over->edge_s, 30e-9, 1e-12);
    assert_close(over->collection_s, 60e-9, 1e-12);
    assert_close(over->no_kernel.v, 200.0 / 340, 1e-12);
    assert_close(over->at_once.v, 170.0 / 140, 1e-12);
    assert_close(rl_gap_share(analysis, 0, RL_LANE_IDLE_WAIT).v, 40.0 / 340, 1e-12);
    assert_close(rl_gap_share(analysis, 0, RL_LANE_IDLE_HOST).v, 20.0 / 340, 1e-12);
    assert_false(rl_present(rl_gap_share(analysis, 1, RL_LANE_IDLE_HOST)));
    assert_ptr_equal(rl_greatest_gap_cause(over), rl_gap_cause_of(RL_LANE_IDLE_WAIT));
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* A copy, counters, then a kernel: no lane has the time between them, but the axis is longer than the wall time. */
static void collection_before_the_first_kernel_is_no_idle_time(void **state)
{
    (void)state;
    struct rl_capture *capture = program(0);
    *rl_capture_add_process_gpu(capture, 0) = (struct rl_process_gpu){0, 190, 150, 100};
    sample_timeline(capture, 0, 0, 4);
    LANE(BUSY, 50, 0, 0, 100);
    LANE(KERNELS, 0, 0, 0, 100);
    LANE(COPIES, 50, 0, 0, 0);
    struct rl_analysis *analysis = rl_analysis_new(capture);
    const struct rl_over_time *over = &analysis->over_time[0];
    assert_close(over->wall_s, 190e-9, 1e-12);
    assert_close(over->idle_s, 40e-9, 1e-12);
    assert_close(over->edge_s, 40e-9, 1e-12);
    assert_close(over->collection_s, 160e-9, 1e-12); /* 400 - 190, less half of a bin: the last one may end early */
    rl_analysis_free(analysis);
    capture->processes[0].gpus[0].span_ns = 310; /* all but a part of a bin: no evidence of collection */
    analysis = rl_analysis_new(capture);
    assert_close(analysis->over_time[0].collection_s, 0, 1e-12);
    assert_close(analysis->over_time[0].idle_s, 160e-9, 1e-12);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

static void overlap_is_exact_or_bounded(void **state)
{
    (void)state;
    struct rl_capture *capture = mixed();
    struct rl_analysis *analysis = rl_analysis_new(capture);
    const struct rl_overlap_time *overlap = analysis->over_time[0].overlap;
    /* The second bin: 60 + 50 - 80 are 30. The third: 10 beside kernels, none or all of it beside the 40 of computing. */
    assert_close(overlap[RL_OVERLAP_COPIES].whole_s, 150e-9, 1e-12);
    assert_close(overlap[RL_OVERLAP_COPIES].low_s, 30e-9, 1e-12);
    assert_close(overlap[RL_OVERLAP_COPIES].high_s, 40e-9, 1e-12);
    assert_close(overlap[RL_OVERLAP_COPIES].low.v, 0.2, 1e-12);
    assert_close(overlap[RL_OVERLAP_COPIES].high.v, 4.0 / 15, 1e-12);
    assert_close(overlap[RL_OVERLAP_COMPUTE].low.v, 0.3, 1e-12);
    assert_close(overlap[RL_OVERLAP_COMPUTE].high.v, 0.4, 1e-12);
    assert_close(overlap[RL_OVERLAP_COLLECTIVES].low.v, 3.0 / 7, 1e-12); /* 40 + 70 - 80 of 70 */
    assert_close(overlap[RL_OVERLAP_COLLECTIVES].high.v, 3.0 / 7, 1e-12);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* A file may say anything: no share leaves 0 to 1, and nothing is missing without a reason. */
static void sums_that_cannot_be_stay_in_their_bounds(void **state)
{
    (void)state;
    struct rl_capture *capture = program(1);
    sample_timeline(capture, 0, 0, 4);
    LANE(BUSY, 1, 0, 100, 0);
    LANE(KERNELS, 100, 1, 0, 0);
    LANE(COMPUTE, 100, 100, 0, 0);
    LANE(COPIES, 100, 0, 100, 0);
    struct rl_analysis *analysis = rl_analysis_new(capture);
    for (size_t i = 0; i < RL_OVERLAP_COLLECTIVES; i++) {
        const struct rl_overlap_time *overlap = &analysis->over_time[0].overlap[i];
        assert_true(overlap->low.v >= 0 && overlap->low.v <= overlap->high.v && overlap->high.v <= 1);
    }
    const struct rl_value none = analysis->over_time[0].overlap[RL_OVERLAP_COLLECTIVES].low;
    assert_false(rl_present(none));
    assert_string_equal(rl_value_reason(none), "there are none");
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

static void gaps_are_ranked_by_what_they_cost(void **state)
{
    (void)state;
    struct rl_capture *capture = mixed();
    sample_range(capture, 0, RL_NONE, NULL, "step", 0);
    sample_gap(capture, RL_LANE_UNWATCHED, 0, 1, 60);
    sample_gap(capture, RL_LANE_IDLE_HOST, 0, 4, 20);
    sample_gap(capture, RL_LANE_IDLE_WAIT, RL_NONE, 2, 10);
    sample_gap(capture, RL_LANE_IDLE_WAIT, 0, 3, 30);
    struct rl_analysis *analysis = rl_analysis_new(capture);
    const struct rl_over_time *over = &analysis->over_time[0];
    static const uint64_t counts[] = {3, 4, 2, 1};
    assert_int_equal(over->gap_count, RL_COUNT(counts));
    for (size_t i = 0; i < RL_COUNT(counts); i++)
        assert_int_equal(over->gaps[i].count, counts[i]);
    assert_close(over->gaps[0].share.v, 30.0 / 340, 1e-12);
    assert_close(over->gaps[0].longest_s, 15e-9, 1e-12);
    assert_false(rl_present(over->gaps[3].share));
    assert_ptr_equal(rl_greatest_gap(analysis, 0, RL_LANE_IDLE_WAIT), &over->gaps[0]);
    assert_null(rl_greatest_gap(analysis, 0, RL_LANE_IDLE_COPY));
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* What one process left idle another one may have used. */
/* Lanes of the second timeline only, the last one without a bin. */
static void idle_time_by_range_is_of_its_timeline(void **state)
{
    (void)state;
    struct rl_capture *capture = program(2);
    sample_range(capture, 0, RL_NONE, NULL, "step", 0);
    sample_range(capture, 0, 0, NULL, "token", 0);
    sample_timeline(capture, 0, 0, 4);
    sample_timeline(capture, 0, 1, 4);
    sample_range_lane(capture, RL_IDLE_RANGE, 1, (const uint64_t[]){0, 30, 0, 100}, 4);
    sample_range_lane(capture, RL_IDLE_RANGE, 0, (const uint64_t[]){7, 0, 0, 0}, 4);
    sample_range_lane(capture, RL_IDLE_OTHER_RANGES, RL_NONE, (const uint64_t[]){0, 0, 5, 0}, 4);
    sample_range_lane(capture, RL_IDLE_NO_RANGE, RL_NONE, NULL, 0);
    static const char *const labels[] = {"step > token", "step", "other NVTX ranges", "outside of all NVTX ranges"};
    static const size_t bins[] = {2, 1, 1, 0};
    struct rl_analysis *analysis = rl_analysis_new(capture);
    assert_int_equal(analysis->over_time[0].range_lane_count, 0);
    assert_int_equal(analysis->over_time[1].first_range_lane, 0);
    assert_int_equal(analysis->over_time[1].range_lane_count, 4);
    for (size_t i = 0; i < 4; i++) {
        struct rl_buf label = RL_BUF_INIT;
        double ns[4] = {0};
        rl_range_lane_label(capture, &capture->range_lanes[i], &label);
        assert_string_equal(label.data, labels[i]);
        rl_lane_add_to(capture->range_bins, capture->range_bin_count, i, ns);
        assert_int_equal((ns[0] > 0) + (ns[1] > 0) + (ns[2] > 0) + (ns[3] > 0), bins[i]);
        assert_close(ns[1], i == 0 ? 30 : 0, 0);
        assert_close(ns[0] + ns[1] + ns[2] + ns[3], (double)capture->range_lanes[i].total_ns, 0);
        rl_buf_release(&label);
    }
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

static void a_shared_gpu_has_no_idle_share(void **state)
{
    (void)state;
    struct rl_capture *capture = mixed();
    sample_process(capture, &(struct sample_process){.pid = 2, .command = "other", .end = "exited", .phases = "one run"});
    *rl_capture_add_process_gpu(capture, 1) = (struct rl_process_gpu){0, 400, 300, 200};
    sample_gap(capture, RL_LANE_IDLE_WAIT, RL_NONE, 3, 30);
    struct rl_analysis *analysis = rl_analysis_new(capture);
    assert_true(analysis->over_time[0].is_shared);
    assert_string_equal(rl_value_reason(rl_gap_share(analysis, 0, RL_LANE_IDLE_WAIT)), "several processes used the GPU");
    assert_null(rl_greatest_gap(analysis, 0, RL_LANE_IDLE_WAIT));
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* ---- phases ---- */

static const struct rl_phase *phase_of(const struct rl_over_time *over, enum rl_phase_kind kind, size_t range)
{
    for (size_t i = 0; i < over->phase_count; i++)
        if (over->phases[i].kind == kind && over->phases[i].range == range)
            return &over->phases[i];
    return NULL;
}

/* Ranges inside count with the outermost one; what no range has is outside. */
static void outermost_ranges_are_phases(void **state)
{
    (void)state;
    struct rl_capture *capture = mixed();
    sample_range(capture, 0, RL_NONE, NULL, "step", 20);
    sample_range(capture, 0, 0, NULL, "decoder layer", 30); /* no word of a phase */
    sample_range(capture, 0, RL_NONE, NULL, "de, pre", 5);  /* beginnings of such words are none either */
    sample_gap(capture, RL_LANE_IDLE_HOST, 1, 4, 20);
    sample_gap(capture, RL_LANE_IDLE_WAIT, 0, 3, 30);
    sample_gap(capture, RL_LANE_UNWATCHED, 0, 1, 60);
    sample_gap(capture, RL_LANE_IDLE_WAIT, RL_NONE, 2, 10);
    struct rl_analysis *analysis = rl_analysis_new(capture);
    const struct rl_over_time *over = &analysis->over_time[0];
    assert_int_equal(over->phase_count, 3);
    const struct rl_phase *step = phase_of(over, RL_PHASE_RANGE, 0), *rest = phase_of(over, RL_PHASE_OUTSIDE, RL_NONE);
    assert_non_null(phase_of(over, RL_PHASE_RANGE, 2));
    assert_close(step->gpu_s.v, 50e-9, 1e-12);
    assert_close(step->no_kernel_s, 50e-9, 1e-12);
    assert_close(step->gap_s[RL_LANE_UNWATCHED], 60e-9, 1e-12);
    assert_int_equal(step->cause, RL_LANE_IDLE_WAIT);
    assert_int_equal(step->instances, 50);
    assert_int_equal(step->launches, 100);
    assert_close(rest->gpu_s.v, 115e-9, 1e-12); /* 170 less 50 and 5 */
    assert_close(rest->no_kernel_s, 10e-9, 1e-12);
    assert_ptr_equal(&over->phases[0], rest);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* Wherever they are, by whatever form of the word. */
static void inference_has_a_prefill_and_a_decode(void **state)
{
    (void)state;
    struct rl_capture *capture = mixed();
    sample_range(capture, 0, RL_NONE, NULL, "request", 7);
    sample_range(capture, 0, 0, NULL, "Prefill[512]", 40);
    sample_range(capture, 0, 0, NULL, "run_decode", 50);
    sample_range(capture, 0, 2, NULL, "prefilling?", 20); /* inside decode it is a part of it */
    sample_range(capture, 0, RL_NONE, NULL, "decoding", 3);
    sample_gap(capture, RL_LANE_IDLE_HOST, 3, 4, 20);
    sample_gap(capture, RL_LANE_IDLE_WAIT, 0, 3, 40);
    struct rl_analysis *analysis = rl_analysis_new(capture);
    const struct rl_over_time *over = &analysis->over_time[0];
    assert_int_equal(over->phase_count, 3);
    const struct rl_phase *prefill = phase_of(over, RL_PHASE_PREFILL, 1), *decode = phase_of(over, RL_PHASE_DECODE, 2);
    assert_close(prefill->gpu_s.v, 40e-9, 1e-12);
    assert_close(prefill->no_kernel_s, 0, 1e-12);
    assert_int_equal(prefill->cause, RL_LANE_COUNT);
    assert_close(decode->gpu_s.v, 73e-9, 1e-12);
    assert_close(decode->no_kernel_s, 20e-9, 1e-12);
    assert_int_equal(decode->instances, 100);
    assert_close(phase_of(over, RL_PHASE_OUTSIDE, RL_NONE)->no_kernel_s, 40e-9, 1e-12);
    assert_string_equal(rl_phase_kind_name(decode->kind), "decode");
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* A row for what is outside of all ranges only where there is something. */
static void nothing_outside_is_no_phase(void **state)
{
    (void)state;
    struct rl_capture *capture = mixed();
    sample_range(capture, 0, RL_NONE, NULL, "all of it", 170);
    sample_gap(capture, RL_LANE_IDLE_HOST, 0, 4, 20);
    struct rl_analysis *analysis = rl_analysis_new(capture);
    assert_int_equal(analysis->over_time[0].phase_count, 1);
    assert_int_equal(analysis->over_time[0].phases[0].range, 0);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* Ranges do not say on which GPU their kernels ran. */
static void gpu_time_of_phases_is_of_one_gpu(void **state)
{
    (void)state;
    struct rl_capture *capture = program(2);
    sample_range(capture, 0, RL_NONE, NULL, "step", 20);
    sample_range(capture, 0, RL_NONE, NULL, "elsewhere", 20);
    for (size_t gpu = 0; gpu < 2; gpu++) {
        sample_timeline(capture, 0, gpu, 4);
        LANE(KERNELS, 10, 10, 10, 10);
        sample_gap(capture, RL_LANE_IDLE_HOST, gpu ? RL_NONE : 0, 4, 20);
    }
    struct rl_analysis *analysis = rl_analysis_new(capture);
    assert_int_equal(analysis->over_time[0].phase_count, 2);
    const struct rl_phase *step = phase_of(&analysis->over_time[0], RL_PHASE_RANGE, 0);
    assert_false(rl_present(step->gpu_s));
    assert_close(step->no_kernel_s, 20e-9, 1e-12);
    assert_int_equal(analysis->over_time[1].phase_count, 0);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* Each with its domain, the outermost first; of more than sixteen the innermost ones. */
static void the_path_of_a_range_has_domains(void **state)
{
    (void)state;
    struct rl_capture *capture = program(1);
    struct rl_buf path = RL_BUF_INIT;
    sample_range(capture, 0, RL_NONE, "train", "epoch", 1);
    sample_range(capture, 0, 0, NULL, "step", 1);
    sample_range(capture, 0, 1, "nn", "layer", 1);
    rl_range_path(capture, 2, &path);
    assert_string_equal(path.data, "train@epoch > step > nn@layer");
    for (size_t i = 2; i < 16; i++)
        sample_range(capture, 0, i, NULL, "x", 1);
    rl_buf_reset(&path);
    rl_range_path(capture, 16, &path);
    assert_memory_equal(path.data, "step > nn@layer > x", strlen("step > nn@layer > x"));
    rl_buf_release(&path);
    rl_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_of_the_wall_time),
        cmocka_unit_test(collection_before_the_first_kernel_is_no_idle_time),
        cmocka_unit_test(overlap_is_exact_or_bounded),
        cmocka_unit_test(sums_that_cannot_be_stay_in_their_bounds),
        cmocka_unit_test(gaps_are_ranked_by_what_they_cost),
        cmocka_unit_test(idle_time_by_range_is_of_its_timeline),
        cmocka_unit_test(a_shared_gpu_has_no_idle_share),
        cmocka_unit_test(outermost_ranges_are_phases),
        cmocka_unit_test(inference_has_a_prefill_and_a_decode),
        cmocka_unit_test(nothing_outside_is_no_phase),
        cmocka_unit_test(gpu_time_of_phases_is_of_one_gpu),
        cmocka_unit_test(the_path_of_a_range_has_domains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
