/* What to do first, by the seconds that it could save; GPU time by what limits it; how a run spent its time. By hand. */
#include "rl_test.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/actions.h"
#include "core/fs.h"
#include "core/kernel_names.h"
#include "core/mem.h"
#include "fixtures/capture.h"
#include "fixtures/timelines.h"

/* What is looked at; released together. */
struct held {
    struct rl_capture *capture;
    struct rl_analysis *analysis;
    struct rl_families *families;
    struct rl_action actions[RL_MOST_ACTIONS];
    size_t count;
};

static struct held look(struct rl_capture *capture, size_t gpu)
{
    struct held held = {.capture = capture, .analysis = rl_analysis_new(capture)};
    held.families = rl_families_new(held.analysis, rl_class_groups_of_capture(held.analysis->capture, RL_FOLD_EACH_GPU));
    held.count = rl_actions_of(held.analysis, held.families, gpu, held.actions, RL_MOST_ACTIONS);
    return held;
}

static void done(struct held *held)
{
    rl_families_free(held->families);
    rl_analysis_free(held->analysis);
    rl_capture_free(held->capture);
}

/* A kernel of `blocks` blocks of 256 threads, launched so often, 2 us each: on 132 SMs few blocks leave most of them without work.
 */
static void add_kernel(struct rl_capture *capture, const char *name, uint32_t blocks, uint64_t launches)
{
    const size_t index = sample_full_kernel(capture, name);
    struct rl_kernel *kernel = &capture->kernels[index];
    sample_shape(kernel, blocks, 256);
    kernel->launches = launches;
    kernel->total_ns = launches * 2000;
    *rl_capture_add_use(capture) =
        (struct rl_kernel_use){.kernel = index, .timed = launches, .min_ns = 2000, .max_ns = 2000, .counted = 1};
}

/* 100 ms, of which the GPU was busy for `busy`. */
static struct rl_capture *program(int64_t busy_ns)
{
    struct rl_capture *capture = sample_new("GH100", 90);
    sample_process(capture,
                   &(struct sample_process){.pid = 1, .launches = 1, .command = "train", .end = "exited", .phases = "one run"});
    *rl_capture_add_process_gpu(capture, 0) = (struct rl_process_gpu){0, 100000000, busy_ns, busy_ns};
    return capture;
}

/* An idle GPU saves what it idled; what it could save in kernels comes after it, the greatest first. */
static void what_saves_most_comes_first(void **state)
{
    (void)state;
    struct rl_capture *capture = program(40000000);
    add_kernel(capture, "few", 1, 5000);
    add_kernel(capture, "fewer", 1, 1000);
    struct held held = look(capture, 0);
    assert_true(held.count >= 1);
    assert_int_equal(held.actions[0].found.finding->rule, RL_RULE_gpu_idle);
    assert_float_equal(held.actions[0].saving_s.v, 0.06, 1e-9);
    assert_float_equal(held.actions[0].concerns_s, 0.06, 1e-9);
    for (size_t i = 1; i < held.count; i++) {
        assert_true(held.actions[i].found.kernel != RL_NONE);
        assert_true(!rl_present(held.actions[i].saving_s) || held.actions[i].saving_s.v <= held.actions[i].concerns_s);
        assert_true(held.actions[i].concerns_s <= held.actions[i - 1].concerns_s);
    }
    done(&held);
}

/* Busy all along: nothing is said of idling; nor of another GPU. */
static void what_is_well_is_no_action(void **state)
{
    (void)state;
    struct held held = look(program(99000000), RL_NONE);
    assert_int_equal(held.count, 0);
    done(&held);
}

/* Of one kernel one action; below RL_LEAST_SHARE of the time none; findings about the measurement are none. */
static void one_action_for_each_kernel(void **state)
{
    (void)state;
    struct rl_capture *capture = program(99000000);
    add_kernel(capture, "few", 1, 40000);
    add_kernel(capture, "tiny", 1, 20); /* 40 us of 80 ms */
    struct held held = look(capture, 0);
    assert_int_equal(held.count, 1);
    assert_string_equal(held.analysis->kernels[held.actions[0].found.kernel].label, "few");
    for (size_t i = 0; i < held.count; i++)
        assert_false(rl_rules[held.actions[i].found.finding->rule].no_advice);
    done(&held);
}

/* What a program should do differently is what the suite measures. */
static void variants_of_the_suite_have_no_action(void **state)
{
    (void)state;
    for (size_t of_suite = 0; of_suite < 2; of_suite++) {
        struct rl_capture *capture = program(99000000);
        add_kernel(capture, "slow", 1, 40000);
        sample_experiment(capture, "e");
        sample_variant(capture, 0, 0, "slow", "kernel");
        capture->kernels[capture->kernel_count - 1].variant = of_suite ? 0 : RL_NONE;
        struct held held = look(capture, 0);
        assert_int_equal(held.count, of_suite ? 0 : 1);
        done(&held);
    }
}

static void time_is_told_by_what_limits_it(void **state)
{
    (void)state;
    struct rl_capture *capture = program(99000000);
    add_kernel(capture, "a", 1, 3000);
    add_kernel(capture, "b", 1, 1000);
    struct held held = look(capture, 0);
    const struct rl_time_by_limiter time = rl_time_by_limiter_of(held.analysis, held.families, 0);
    double sum = 0;
    for (size_t i = 0; i < time.count; i++)
        sum += time.of[i].gpu_s;
    assert_float_equal(time.total_s, 0.008, 1e-9);
    assert_float_equal(sum, time.total_s, 1e-12);
    assert_int_equal(time.of[0].limiter, rl_family_limiter(held.analysis, &held.families->at[0]));
    assert_float_equal(time.of[0].gpu_s, 0.008, 1e-9);
    done(&held);
}

/* Copies are what the GPU was busy with besides kernels. Overlapping kernels add up to more than it was busy: nothing is said. */
static void a_run_is_kernels_copies_and_nothing(void **state)
{
    (void)state;
    struct rl_run_time time;
    struct rl_program_gpu gpu = {.kernel_s = 3, .busy_s = 4, .span_s = 10, .idle = rl_value_of(0.6)};
    assert_true(rl_run_time_of(&gpu, &time));
    assert_float_equal(time.kernel_s, 3, 0);
    assert_float_equal(time.copy_s, 1, 1e-12);
    assert_float_equal(time.idle_s, 6, 1e-12);
    gpu.kernel_s = 4.5;
    assert_false(rl_run_time_of(&gpu, &time));
    gpu.kernel_s = 3;
    gpu.idle = rl_value_missing(RL_NOT_COLLECTED, "several processes");
    assert_false(rl_run_time_of(&gpu, &time));
}

static struct rl_capture *real_program(void)
{
    struct rl_capture *capture;
    struct rl_err err = RL_ERR_INIT;
    assert_int_equal(rl_capture_read(RL_SOURCE_DIR "/samples/programs/transformer-h200.rlcap", &capture, &err), RL_OK);
    return capture;
}

/* The real program: why no kernel ran first, then what a kernel could save. */
static void a_sample_says_what_to_do(void **state)
{
    (void)state;
    struct held held = look(real_program(), 0);
    assert_int_equal(held.count, 4); /* none of cuDNN's and cuBLAS's kernels, which have three quarters of the GPU time */
    for (size_t i = 0; i < held.count; i++)
        assert_true(held.actions[i].found.kernel == RL_NONE ||
                    !rl_library_of_name(held.analysis->capture->kernels[held.actions[i].found.kernel].name));
    assert_int_equal(held.actions[0].found.finding->rule, RL_RULE_gap_host);
    assert_float_equal(held.actions[0].saving_s.v, 14.5, 0.05);
    assert_int_equal(held.actions[1].found.finding->rule, RL_RULE_gap_launch);
    assert_float_equal(held.actions[1].saving_s.v, 6.06, 0.005);
    assert_int_equal(held.actions[2].found.finding->rule, RL_RULE_uncoalesced_loads);
    assert_string_equal(rl_value_reason(held.actions[2].saving_s),
                        "no resource limits the launch, so less work for one need not shorten it");
    done(&held);
}

/* As older captures have it, without times of what happened: idling first, and what is not known is said to be so. */
static void a_sample_without_a_timeline_says_what_to_do(void **state)
{
    (void)state;
    struct rl_capture *capture = real_program();
    capture->timeline_count = capture->timeline_lane_count = capture->timeline_bin_count = capture->timeline_gap_count = 0;
    capture->sampled_lane_count = capture->range_lane_count = 0;
    struct held held = look(capture, 0);
    assert_int_equal(held.count, 3);
    assert_int_equal(held.actions[0].found.finding->rule, RL_RULE_gpu_idle);
    assert_int_equal(held.actions[1].found.finding->rule, RL_RULE_uncoalesced_loads);
    assert_false(rl_present(held.actions[1].saving_s));
    done(&held);
}

/* Where it is known why no kernel ran, that is the action, and not that the GPU was idle. */
static void a_cause_comes_instead_of_idling(void **state)
{
    (void)state;
    struct rl_capture *capture = program(40000000);
    capture->processes[0].gpus[0] = (struct rl_process_gpu){0, 100, 40, 40};
    sample_timeline(capture, 0, 0, 1);
    sample_lane(capture, RL_LANE_KERNELS, RL_NONE, (const uint64_t[]){40}, 1);
    sample_lane(capture, RL_LANE_IDLE_WAIT, RL_NONE, (const uint64_t[]){60}, 1);
    sample_gap(capture, RL_LANE_IDLE_WAIT, RL_NONE, 3, 60);
    add_kernel(capture, "few", 1, 0);
    struct held held = look(capture, 0);
    assert_int_equal(held.count, 1);
    assert_int_equal(held.actions[0].found.finding->rule, RL_RULE_gap_wait);
    assert_float_equal(held.actions[0].saving_s.v, 60e-9, 1e-15);
    done(&held);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_saves_most_comes_first),
        cmocka_unit_test(what_is_well_is_no_action),
        cmocka_unit_test(one_action_for_each_kernel),
        cmocka_unit_test(variants_of_the_suite_have_no_action),
        cmocka_unit_test(time_is_told_by_what_limits_it),
        cmocka_unit_test(a_run_is_kernels_copies_and_nothing),
        cmocka_unit_test(a_sample_says_what_to_do),
        cmocka_unit_test(a_cause_comes_instead_of_idling),
        cmocka_unit_test(a_sample_without_a_timeline_says_what_to_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
