/* What captures of versions 1 to 4 say in words, as facts: the words are those of captures that were measured. */
#include "rl_test.h"

#include "core/mem.h"
#include "upgrade.h"

static struct rl_capture *one_experiment(const char *explanation)
{
    struct rl_capture *capture = rl_capture_new();
    struct rl_experiment *experiment = rl_capture_add_experiment(capture);
    experiment->name = rl_capture_text(capture, "experiment");
    experiment->explanation = rl_capture_text(capture, explanation);
    return capture;
}

static void add_variants(struct rl_capture *capture, const char *const *names)
{
    for (size_t i = 0; names[i]; i++)
        rl_capture_add_variant(capture)->name = rl_capture_text(capture, names[i]);
}

static void add_model(struct rl_capture *capture, const char *subject, const char *baseline, const char *relation)
{
    struct rl_claim *claim = rl_capture_add_claim(capture, 0);
    claim->quantity = rl_capture_text(capture, "time_s");
    claim->relation = rl_capture_text(capture, relation);
    claim->subject = rl_capture_text(capture, subject);
    claim->baseline = rl_capture_text(capture, baseline);
}

static void errors_become_numbers(void **state)
{
    static const struct {
        const char *text;
        enum rl_deviation_kind kind;
        double largest;
        uint64_t compared;
    } known[] = {
        {"33554432 elements, largest error 4.5e-8", RL_DEVIATION_ABSOLUTE, 4.5e-8, 33554432},
        {"134217728 elements, largest error 0", RL_DEVIATION_ABSOLUTE, 0, 134217728},
        {"67081 elements, largest error 0.00020; a sample of 16777216", RL_DEVIATION_ABSOLUTE, 0.0002, 67081},
        {"largest error 1.2e-7", RL_DEVIATION_ABSOLUTE, 1.2e-7, 0},
        {"element 17: 3.5, expected 4.25; 1 of 300001 elements wrong", RL_DEVIATION_NONE, 0, 0},
        {"counted all of 1000 launches", RL_DEVIATION_NONE, 0, 0},
        {"9 elements, largest error unknown", RL_DEVIATION_NONE, 0, 0},
        {"9 elements, largest error -1", RL_DEVIATION_NONE, 0, 0},
        {"9 elements, largest error ", RL_DEVIATION_NONE, 0, 0},
        {"", RL_DEVIATION_NONE, 0, 0},
        {NULL, RL_DEVIATION_NONE, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < RL_COUNT(known); i++) {
        struct rl_capture *capture = one_experiment("");
        struct rl_variant *variant = rl_capture_add_variant(capture);
        variant->name = rl_capture_text(capture, "v");
        variant->result_text = rl_capture_text(capture, known[i].text);
        rl_capture_upgrade(capture);
        assert_int_equal(variant->deviation.kind, known[i].kind);
        assert_true(variant->deviation.largest == known[i].largest && variant->deviation.compared == known[i].compared);
        assert_false(rl_present(variant->deviation.tolerance) || rl_present(variant->deviation.element)); /* were never said */
        rl_capture_free(capture);
    }
}

/* Said in words again, the settings are what they were taken from. */
static void configurations_become_settings(void **state)
{
    static const struct {
        const char *text, *key; /* of the last setting */
        size_t count;
    } known[] = {
        {"read once, 4.00 GiB, 512 threads, 4 x 16 B per thread", "vectors_per_thread", 4},
        {"L2, 12.4 MiB, 1 x 1024 threads per SM, 2 x 16 B in flight per thread", "vectors_in_flight_per_thread", 5},
        {"shared, 2 x 256 threads per SM, 8 x 16 B in flight per thread", "vectors_in_flight_per_thread", 4},
        {"FFMA, 8 x 256 threads per SM, 8 chains per thread", "chains_per_thread", 4},
        {"mma bf16 m16n8k16, 2 x 256 threads per SM, 64 x 32 x 16 per warp", "warp_depth", 6},
        {"wgmma bf16, 1 x 256 threads per SM, 64 x 256 x 64 per warp group", "warp_group_depth", 6},
        {"cuBLAS, 8192 x 8192 x 8192", "depth", 4},
        {"to device, 32.0 MiB, page-locked", "memory", 3},
        {"something else", "kernel", 1},
        {"", "kernel", 1},
        {"a\xFF, b c x d, 3 x", "memory", 3},
    };
    (void)state;
    for (size_t i = 0; i < RL_COUNT(known); i++) {
        struct rl_capture *capture = rl_capture_new();
        struct rl_ceiling_run *run = rl_capture_add_ceiling(capture);
        struct rl_buf again = RL_BUF_INIT;
        run->configuration = rl_capture_text(capture, known[i].text);
        rl_capture_upgrade(capture);
        assert_int_equal(run->setting_count, known[i].count);
        assert_string_equal(run->settings[run->setting_count - 1].key, known[i].key);
        rl_settings_text(run->settings, run->setting_count, &again);
        assert_string_equal(again.len ? again.data : "", known[i].text);
        rl_buf_release(&again);
        rl_capture_free(capture);
    }
}

static void a_library_is_told_from_our_kernels(void **state)
{
    (void)state;
    struct rl_capture *capture = rl_capture_new();
    for (int i = 0; i < 2; i++)
        rl_capture_add_ceiling(capture)->configuration = rl_capture_text(capture, i ? "read" : "cuBLAS, 8 x 8 x 8");
    rl_capture_upgrade(capture);
    const struct rl_ceiling_run *runs = capture->ceilings;
    assert_non_null(rl_setting_find(runs[0].settings, runs[0].setting_count, RL_KEY_LIBRARY));
    assert_null(rl_setting_find(runs[1].settings, runs[1].setting_count, RL_KEY_LIBRARY));
    const struct rl_setting *rows = rl_setting_find(runs[0].settings, runs[0].setting_count, "rows");
    assert_true(rows && rows->unit == RL_UNIT_COUNT && rows->number.v == 8);
    rl_capture_free(capture);
}

static void numbers_in_names_become_an_axis(void **state)
{
    static const char *const strides[] = {"stride_1", "stride_2", "stride_32", NULL};
    static const struct {
        const char *names[4];
    } without[] = {{{"256", "512", NULL}}, {{"stride_1", "step_2", NULL}}, {{"stride_1", "plain", NULL}}, {{"_1", "_2", NULL}}};
    (void)state;
    struct rl_capture *capture = one_experiment("");
    add_variants(capture, strides);
    rl_capture_upgrade(capture);
    const struct rl_experiment_form *form = &capture->experiments[0].form;
    assert_int_equal(form->form, RL_CHART_FORM_LINE);
    assert_string_equal(form->axis, "stride");
    assert_string_equal(form->axis_title, "stride");
    for (size_t i = 0; i < 3; i++)
        assert_true(capture->variants[i].settings[0].number.v == (i == 0 ? 1 : i == 1 ? 2 : 32));
    rl_capture_free(capture);
    for (size_t i = 0; i < RL_COUNT(without); i++) {
        capture = one_experiment("");
        add_variants(capture, without[i].names);
        rl_capture_upgrade(capture);
        assert_int_equal(capture->experiments[0].form.form, RL_CHART_FORM_BARS);
        assert_int_equal(capture->variants[0].setting_count, 0);
        rl_capture_free(capture);
    }
}

static void a_model_makes_stages(void **state)
{
    static const char *const names[] = {"sync_low", "memcpy_async_low", "pipeline_4_low", "pipeline_8_low", "odd", NULL};
    (void)state;
    struct rl_capture *capture = one_experiment("");
    add_variants(capture, names);
    add_model(capture, "sync_low", "pipeline_4_low", "about");
    rl_capture_upgrade(capture);
    const struct rl_experiment_form *form = &capture->experiments[0].form;
    assert_int_equal(form->form, RL_CHART_FORM_STAGES);
    const struct rl_variant *pipeline = &capture->variants[3], *memcpy_async = &capture->variants[1];
    assert_true(rl_setting_find(pipeline->settings, pipeline->setting_count, form->axis)->number.v == 8);
    assert_string_equal(rl_setting_find(pipeline->settings, pipeline->setting_count, form->way)->text, "pipeline");
    assert_string_equal(rl_setting_find(pipeline->settings, pipeline->setting_count, form->series)->text, "low");
    assert_string_equal(rl_setting_find(memcpy_async->settings, memcpy_async->setting_count, form->way)->text, "memcpy_async");
    assert_null(rl_setting_find(memcpy_async->settings, memcpy_async->setting_count, form->axis));
    assert_int_equal(capture->variants[4].setting_count, 0);
    rl_capture_free(capture);
}

static void other_claims_are_no_model(void **state)
{
    static const char *const names[] = {"sync_low", "pipeline_4_low", "pipeline_4_high", NULL};
    static const char *const claims[][3] = {{"sync_low", "pipeline_4_high", "about"},
                                            {"sync_low", "pipeline_4_low", "at_least"},
                                            {"pipeline_4_low", "sync_low", "about"}};
    (void)state;
    for (size_t i = 0; i < RL_COUNT(claims); i++) {
        struct rl_capture *capture = one_experiment("");
        add_variants(capture, names);
        add_model(capture, claims[i][0], claims[i][1], claims[i][2]);
        rl_capture_upgrade(capture);
        assert_int_equal(capture->experiments[0].form.form, RL_CHART_FORM_BARS);
        rl_capture_free(capture);
    }
}

static void explanations_name_columns(void **state)
{
    (void)state;
    struct rl_capture *capture =
        one_experiment("Compare L1 hit rate; Sectors per load rise. The largest error is that of the check, "
                       "gaps lie between.");
    rl_capture_upgrade(capture);
    static const char *const wanted[] = {"l1_hit_rate", "sectors_per_request_load", RL_COLUMN_GAP, RL_COLUMN_ERROR};
    const struct rl_experiment *experiment = &capture->experiments[0];
    assert_int_equal(experiment->column_count, RL_COUNT(wanted));
    for (size_t w = 0; w < RL_COUNT(wanted); w++) {
        size_t found = 0;
        for (size_t i = 0; i < experiment->column_count; i++)
            found += strcmp(experiment->columns[i], wanted[w]) == 0;
        assert_int_equal(found, 1);
    }
    rl_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_become_numbers),
        cmocka_unit_test(configurations_become_settings),
        cmocka_unit_test(a_library_is_told_from_our_kernels),
        cmocka_unit_test(numbers_in_names_become_an_axis),
        cmocka_unit_test(a_model_makes_stages),
        cmocka_unit_test(other_claims_are_no_model),
        cmocka_unit_test(explanations_name_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
