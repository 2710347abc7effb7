/* The checklist: what its items rest on, and what they say where something is good, bad or not there. */
#include "rl_test.h"

#include "analysis/analysis.h"
#include "analysis/checklist.h"
#include "fixtures/capture.h"

/* Every item rests on something that exists, in the unit of a launch; an item that nothing measures says why. */
static void rows_rest_on_what_exists(void **state)
{
    (void)state;
    for (size_t i = 0; i < RL_CHECK_COUNT; i++) {
        const struct rl_check_info *info = &rl_checks[i];
        const enum rl_rule rule = rl_check_rule((enum rl_check_id)i);
        if (info->kind == RL_CHECK_RULE && (rule == RL_RULE_COUNT || rl_rules[rule].subject == RL_OF_SESSION))
            fail_msg("%s rests on '%s', which is no rule about launches or a card", info->id, info->by);
        if (info->kind == RL_CHECK_KNOWN && rl_metric_find(info->by) == RL_METRIC_COUNT && strcmp(info->by, "roof_share") != 0)
            fail_msg("%s rests on '%s', which is no metric", info->id, info->by);
        if ((info->kind == RL_CHECK_UNMEASURED) != (info->why_not[0] != '\0'))
            fail_msg("%s: a reason belongs to what is not measured, and only to that", info->id);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(rl_checks[j].label, info->label);
    }
}

static void set_spills(struct rl_capture *capture, size_t kernel, double bytes)
{
    sample_set(capture, kernel, "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_ld.sum", rl_value_of(bytes / 64));
    sample_set(capture, kernel, "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_st.sum", rl_value_of(bytes / 64));
}

/* Two kernels on one card: the first spills 5 % more than it may, the second 10 times as much; a third has no counters. */
static struct rl_capture *three_kernels(void)
{
    struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);

    sample_full_kernel(capture, "some");
    sample_full_kernel(capture, "much");
    sample_kernel(capture, "none");
    set_spills(capture, 0, 400);  /* of 5120 + 640 + 400: 6.5 % */
    set_spills(capture, 1, 5760); /* half */
    return capture;
}

static void items_are_good_bad_or_not_measured(void **state)
{
    struct rl_capture *capture = three_kernels();
    struct rl_analysis *analysis = rl_analysis_new(capture);
    (void)state;

    const struct rl_check spills = rl_check_kernel(analysis, 1, RL_CHECK_spills);
    assert_int_equal(spills.state, RL_CHECK_ATTENTION);
    assert_close(spills.value.v, 0.5, 1e-12);
    assert_int_equal(rl_check_kernel(analysis, 0, RL_CHECK_whole_warps).state, RL_CHECK_GOOD);
    assert_close(rl_check_kernel(analysis, 0, RL_CHECK_whole_warps).value.v, 1, 1e-12);
    assert_int_equal(rl_check_kernel(analysis, 2, RL_CHECK_spills).state, RL_CHECK_NOT_MEASURED);
    assert_false(rl_present(rl_check_kernel(analysis, 2, RL_CHECK_spills).value));
    assert_int_equal(rl_check_kernel(analysis, 0, RL_CHECK_position).state, RL_CHECK_GOOD);
    assert_int_equal(rl_check_kernel(analysis, 2, RL_CHECK_position).state, RL_CHECK_NOT_MEASURED);
    const struct rl_check reuse = rl_check_kernel(analysis, 0, RL_CHECK_shared_reuse);
    assert_int_equal(reuse.state, RL_CHECK_NOT_MEASURED); /* never ticked by default */
    assert_string_equal(rl_value_reason(reuse.value), rl_checks[RL_CHECK_shared_reuse].why_not);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

static void a_session_names_its_foremost_kernel(void **state)
{
    struct rl_capture *capture = three_kernels();
    struct rl_analysis *analysis = rl_analysis_new(capture);
    (void)state;

    const struct rl_check_summary spills = rl_check_session(analysis, 0, RL_CHECK_spills);
    assert_int_equal(spills.state, RL_CHECK_ATTENTION);
    assert_int_equal(spills.attention, 2);
    assert_int_equal(spills.good, 0);
    assert_int_equal(spills.not_measured, 1);
    assert_int_equal(spills.foremost, 1);
    assert_close(spills.value.v, 0.5, 1e-12);
    const struct rl_check_summary graphs = rl_check_session(analysis, 0, RL_CHECK_graphs);
    assert_int_equal(graphs.state, RL_CHECK_NOT_MEASURED);
    assert_int_equal(graphs.not_measured, 3);
    assert_int_equal(graphs.foremost, RL_NONE);
    assert_string_equal(rl_value_reason(graphs.value), rl_checks[RL_CHECK_graphs].why_not);
    assert_string_equal(rl_check_state_name(graphs.state), "not measured");
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* Where no kernel was measured, the session has the reason of the first. */
static void a_session_says_why_nothing_was_measured(void **state)
{
    struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
    (void)state;

    for (size_t i = 0; i < 2; i++) {
        const char *reason = i == 0 ? "the driver failed" : "another one";
        sample_kernel(capture, i == 0 ? "first" : "second");
        sample_set(capture, i, "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_ld.sum",
                   rl_value_missing(RL_VALUE_FAILED, reason));
        sample_set(capture, i, "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_st.sum",
                   rl_value_missing(RL_VALUE_FAILED, reason));
    }
    struct rl_analysis *analysis = rl_analysis_new(capture);
    const struct rl_check_summary spills = rl_check_session(analysis, 0, RL_CHECK_spills);
    assert_int_equal(spills.state, RL_CHECK_NOT_MEASURED);
    assert_int_equal(spills.not_measured, 2);
    assert_int_equal(rl_value_state(spills.value), RL_VALUE_FAILED);
    assert_string_equal(rl_value_reason(spills.value), "the driver failed");
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* Launches that do different work have no place under the roofs: no matter of what was not counted. */
static void a_place_that_cannot_be_told_needs_attention(void **state)
{
    struct rl_capture *capture = three_kernels();
    (void)state;

    for (size_t i = 0; i < 2; i++)
        rl_capture_add_pass(capture)->configuration = rl_capture_text(capture, i ? "sass" : "hardware");
    for (size_t i = 0; i < 2; i++) { /* that of the second is as unknown as that of the first */
        struct rl_kernel *kernel = &capture->kernels[i];
        sample_time(capture, i, 1000);
        for (size_t c = 0; c < kernel->counter_count; c++)
            kernel->counters[c].pass = strstr(kernel->counters[c].name, "_sass_") ? 1 : 0;
        sample_value(capture, i, RL_COUNTER, "smsp__sass_inst_executed.sum", rl_value_of(1e6))->pass = 1;
    }
    struct rl_analysis *analysis = rl_analysis_new(capture);
    assert_int_equal(rl_check_kernel(analysis, 0, RL_CHECK_position).state, RL_CHECK_ATTENTION);
    const struct rl_check_summary position = rl_check_session(analysis, 0, RL_CHECK_position);
    assert_int_equal(position.state, RL_CHECK_ATTENTION);
    assert_int_equal(position.attention, 2);
    assert_int_equal(position.not_measured, 1);
    assert_int_equal(position.foremost, 0);
    assert_int_equal(rl_check_session(analysis, 0, RL_CHECK_profiled).attention, 0);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* The greatest gain is of the kernel that is named, also where another one's value is further beyond the threshold. */
static void a_session_names_the_greatest_gain(void **state)
{
    struct rl_capture *capture = three_kernels();
    (void)state;

    for (size_t i = 0; i < 2; i++) { /* DRAM limits; few of the bytes loaded, but by far the most sectors are stored */
        sample_time(capture, i, 2000);
        sample_set(capture, i, "dram__bytes_read.sum", rl_value_of(60000));
        sample_set(capture, i, "smsp__sass_data_bytes_mem_global_op_ld.sum", rl_value_of(i == 0 ? 1280 : 2560));
        sample_set(capture, i, "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum", rl_value_of(i == 0 ? 32000 : 80));
    }
    struct rl_analysis *analysis = rl_analysis_new(capture);
    const struct rl_check_summary loads = rl_check_session(analysis, 0, RL_CHECK_coalesced_loads);
    assert_int_equal(loads.attention, 2);
    assert_int_equal(loads.foremost, 1);
    assert_close(loads.value.v, 0.25, 1e-12);
    assert_close(loads.gain.v, rl_check_kernel(analysis, 1, RL_CHECK_coalesced_loads).gain.v, 1e-12);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* Of a program's copies: 2 of 100 us of work over pageable memory; none between device and host; of the suite. */
static void copies_are_judged_for_the_card(void **state)
{
    static const struct {
        const char *direction, *memory;
        enum rl_check_state state;
    } rows[] = {{"to host", "pageable", RL_CHECK_ATTENTION},
                {"to device", "pinned", RL_CHECK_GOOD},
                {"on device", "device", RL_CHECK_NOT_MEASURED},
                {NULL, NULL, RL_CHECK_NOT_MEASURED}};
    (void)state;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct rl_capture *capture = three_kernels();
        if (rows[i].direction) {
            rl_capture_add_process(capture);
            *rl_capture_add_process_gpu(capture, 0) = (struct rl_process_gpu){.span_ns = 100000, .busy_ns = 100000};
            struct rl_transfer *transfer = rl_capture_add_transfer(capture);
            transfer->direction = rl_capture_text(capture, rows[i].direction);
            transfer->memory = rl_capture_text(capture, rows[i].memory);
            transfer->total_ns = 2000;
        }
        struct rl_analysis *analysis = rl_analysis_new(capture);
        const struct rl_check_summary pinned = rl_check_session(analysis, 0, RL_CHECK_pinned);
        assert_int_equal(pinned.state, rows[i].state);
        assert_int_equal(pinned.foremost, RL_NONE);
        assert_int_equal(pinned.attention, 0); /* kernels */
        if (pinned.state == RL_CHECK_ATTENTION)
            assert_close(pinned.value.v, 0.02, 1e-12);
        assert_int_equal(rl_check_kernel(analysis, 0, RL_CHECK_pinned).state, RL_CHECK_NOT_MEASURED);
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
}

/* Of two with the same gain, or none, the one further beyond the threshold. */
static void kernels_outweigh_each_other(void **state)
{
    const struct rl_value none = RL_VALUE_OF_TEXT;
    const struct {
        struct rl_check a, b;
        bool outweighs;
    } rows[] = {
        {{RL_CHECK_ATTENTION, {.v = 0.4}, {.v = 3}}, {RL_CHECK_ATTENTION, {.v = 0.1}, {.v = 2}}, true},
        {{RL_CHECK_ATTENTION, {.v = 0.4}, {.v = 2}}, {RL_CHECK_ATTENTION, {.v = 0.1}, {.v = 2}}, false},
        {{RL_CHECK_ATTENTION, {.v = 0.4}, {.v = 2}}, {RL_CHECK_ATTENTION, {.v = 0.4}, {.v = 2}}, false},
        {{RL_CHECK_ATTENTION, {.v = 0.1}, {.v = 2}}, {RL_CHECK_ATTENTION, {.v = 0.4}, {.v = 2}}, true},
        {{RL_CHECK_ATTENTION, {.v = 0.1}, none}, {RL_CHECK_ATTENTION, {.v = 0.4}, {.v = 2}}, false},
        {{RL_CHECK_ATTENTION, {.v = 0.1}, none}, {RL_CHECK_ATTENTION, {.v = 0.4}, none}, true},
    };
    (void)state;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(rl_check_outweighs(RL_RULE_uncoalesced_loads, &rows[i].a, &rows[i].b), rows[i].outweighs);
}

/* Nothing about the speed of what computes the wrong thing. */
static void wrong_results_are_not_ticked(void **state)
{
    struct rl_capture *capture = three_kernels();
    (void)state;

    sample_experiment(capture, "e");
    struct rl_variant *variant = sample_variant(capture, 0, 0, "v", NULL);
    variant->result = RL_RESULT_WRONG;
    capture->kernels[1].variant = 0;
    struct rl_analysis *analysis = rl_analysis_new(capture);
    assert_int_equal(rl_check_kernel(analysis, 1, RL_CHECK_spills).state, RL_CHECK_NOT_MEASURED);
    assert_int_equal(rl_check_session(analysis, 0, RL_CHECK_spills).foremost, 0);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* The kernels of the self check are not among those that a session is judged by. */
static void the_self_check_is_left_out(void **state)
{
    struct rl_capture *capture = three_kernels();
    (void)state;

    sample_experiment(capture, RL_SELF_CHECK);
    sample_variant(capture, 0, 0, "v", NULL);
    capture->kernels[1].variant = 0;
    struct rl_analysis *analysis = rl_analysis_new(capture);
    const struct rl_check_summary spills = rl_check_session(analysis, 0, RL_CHECK_spills);
    assert_int_equal(spills.attention, 1);
    assert_int_equal(spills.not_measured, 1);
    assert_int_equal(spills.foremost, 0);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* Of kernels that no counter tells anything of, the reason of the first is said. */
static void what_no_kernel_tells_has_a_reason(void **state)
{
    struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
    (void)state;

    (void)sample_kernel(capture, "a");
    (void)sample_kernel(capture, "b");
    struct rl_analysis *analysis = rl_analysis_new(capture);
    const struct rl_check_summary spills = rl_check_session(analysis, 0, RL_CHECK_spills);
    const struct rl_check first = rl_check_kernel(analysis, 0, RL_CHECK_spills);
    assert_int_equal(spills.state, RL_CHECK_NOT_MEASURED);
    assert_int_equal(spills.not_measured, 2);
    assert_int_equal(spills.foremost, RL_NONE);
    assert_false(rl_present(first.value) || rl_present(spills.value) || rl_present(spills.gain));
    assert_string_equal(rl_value_reason(spills.value), rl_value_reason(first.value));
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_rest_on_what_exists),
        cmocka_unit_test(items_are_good_bad_or_not_measured),
        cmocka_unit_test(a_session_names_its_foremost_kernel),
        cmocka_unit_test(a_session_says_why_nothing_was_measured),
        cmocka_unit_test(a_place_that_cannot_be_told_needs_attention),
        cmocka_unit_test(a_session_names_the_greatest_gain),
        cmocka_unit_test(copies_are_judged_for_the_card),
        cmocka_unit_test(kernels_outweigh_each_other),
        cmocka_unit_test(wrong_results_are_not_ticked),
        cmocka_unit_test(the_self_check_is_left_out),
        cmocka_unit_test(what_no_kernel_tells_has_a_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
