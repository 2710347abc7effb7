/* The model in memory. */
#include "rl_test.h"

#include "fixtures/full.h"
#include "fixtures/same.h"

static void new_capture_is_empty(void **state)
{
    (void)state;
    struct rl_capture *capture = rl_capture_new();
    assert_int_equal(capture->gpu_count + capture->ceiling_count + capture->experiment_count, 0);
    assert_int_equal(capture->variant_count + capture->pass_count + capture->kernel_count + capture->log_count, 0);
    assert_false(capture->session.complete);
    assert_string_equal(capture->session.started, "");
    assert_string_equal(capture->session.source, "collect");
    assert_string_equal(capture->session.counters, "not collected");
    assert_null(capture->session.driver);
    assert_string_equal(capture->sha256.hex, "");
    rl_capture_free(capture);
    rl_capture_free(NULL);
}

static void assert_not_collected(struct rl_value value)
{
    assert_int_equal(value.state, RL_NOT_COLLECTED);
    assert_string_equal(rl_value_reason(value), "not collected");
}

static void added_elements_say_that_nothing_is_known(void **state)
{
    (void)state;
    struct rl_capture *capture = rl_capture_new();
    const struct rl_gpu *gpu = rl_capture_add_gpu(capture);
    for (int i = 0; i < RL_FACT_COUNT; i++)
        assert_not_collected(gpu->fact[i]);
    const struct rl_gpu_moment *moment = rl_capture_add_moment(capture, 0);
    for (int i = 0; i < RL_READING_COUNT; i++)
        assert_not_collected(moment->reading[i]);
    const struct rl_ceiling_run *run = rl_capture_add_ceiling(capture);
    assert_not_collected(run->sm_clock_hz);
    assert_not_collected(run->memory_clock_hz);
    assert_not_collected(run->throttle_reasons);
    rl_capture_add_experiment(capture);
    assert_null(rl_capture_add_claim(capture, 0)->baseline);
    const struct rl_variant *variant = rl_capture_add_variant(capture);
    assert_not_collected(variant->model_flop);
    assert_not_collected(variant->model_bytes);
    assert_not_collected(variant->useful_bytes);
    assert_int_equal(variant->result, RL_RESULT_NOT_CHECKED);
    const struct rl_kernel *kernel = rl_capture_add_kernel(capture);
    assert_true(kernel->variant == RL_NONE);
    assert_not_collected(kernel->static_shared_bytes);
    assert_not_collected(kernel->registers_per_thread);
    assert_not_collected(kernel->local_bytes_per_thread);
    const struct rl_counter *counter = rl_capture_add_counter(capture, 0);
    assert_not_collected(counter->value);
    assert_true(counter->pass == RL_NONE);
    rl_capture_free(capture);
}

static void long_texts_are_cut_between_characters(void **state)
{
    (void)state;
    struct rl_capture *capture = rl_capture_new();
    assert_null(rl_capture_text(capture, NULL));
    struct rl_buf text = RL_BUF_INIT;
    rl_buf_fill(&text, 'a', RL_CAPTURE_MAX_TEXT);
    assert_string_equal(rl_capture_text(capture, text.data), text.data); /* just fits */
    rl_buf_reset(&text);
    for (int i = 0; i < RL_CAPTURE_MAX_TEXT / 2 + 1; i++)
        rl_buf_adds(&text, "\xc2\xb5"); /* 65538 bytes; byte 65533 is in the middle of a character */
    const char *cut = rl_capture_text(capture, text.data);
    assert_int_equal(strlen(cut), RL_CAPTURE_MAX_TEXT - 4 + 3);
    assert_memory_equal(cut, text.data, RL_CAPTURE_MAX_TEXT - 4);
    assert_string_equal(cut + RL_CAPTURE_MAX_TEXT - 4, "...");
    for (size_t back = 0; back < 4; back++) { /* every place of a cut in U+1F600 */
        rl_buf_reset(&text);
        rl_buf_fill(&text, 'a', RL_CAPTURE_MAX_TEXT - 3 - back);
        rl_buf_adds(&text, "\xF0\x9F\x98\x80 and more");
        assert_string_equal(rl_capture_text(capture, text.data) + RL_CAPTURE_MAX_TEXT - 4 - back, "a...");
    }
    rl_buf_release(&text);
    rl_capture_free(capture);
}

static void log_ends_where_it_is_full(void **state)
{
    (void)state;
    struct rl_capture *capture = rl_capture_new();
    for (int i = 0; i < RL_CAPTURE_MAX_LOG + 10; i++)
        rl_capture_log(capture, i, RL_LOG_NOTE, "message %d", i);
    assert_int_equal(capture->log_count, RL_CAPTURE_MAX_LOG);
    assert_string_equal(capture->log[RL_CAPTURE_MAX_LOG - 2].text, "message 99998");
    assert_string_equal(capture->log[RL_CAPTURE_MAX_LOG - 1].text, "the log is full: later messages are not in it");
    assert_int_equal(capture->log[RL_CAPTURE_MAX_LOG - 1].level, RL_LOG_WARNING);
    rl_capture_free(capture);
}

static void counters_are_found_by_name(void **state)
{
    (void)state;
    struct rl_capture *capture = rl_capture_new();
    rl_capture_add_kernel(capture);
    assert_null(rl_kernel_counter(&capture->kernels[0], "a"));
    for (int i = 0; i < 4; i++) {
        struct rl_counter *counter = rl_capture_add_counter(capture, 0);
        counter->name = rl_capture_text(capture, i == 1 ? "b" : "a");
        counter->value = rl_value_of(i);
    }
    assert_true(rl_kernel_counter(&capture->kernels[0], "a")->value.v == 0);
    assert_true(rl_kernel_counter(&capture->kernels[0], "b")->value.v == 1);
    assert_null(rl_kernel_counter(&capture->kernels[0], "A"));
    rl_capture_free(capture);
}

static void stored_words_do_not_change(void **state)
{
    (void)state;
    assert_string_equal(rl_result_name(RL_RESULT_NOT_CHECKED), "not checked");
    assert_string_equal(rl_result_name(RL_RESULT_OK), "ok");
    assert_string_equal(rl_result_name(RL_RESULT_WRONG), "WRONG");
    assert_string_equal(rl_variant_status_name(RL_VARIANT_DONE), "done");
    assert_string_equal(rl_variant_status_name(RL_VARIANT_UNSUPPORTED), "not supported here");
    assert_string_equal(rl_variant_status_name(RL_VARIANT_FAILED), "failed");
}

static void fields_have_names_and_units(void **state)
{
    (void)state;
    assert_string_equal(rl_facts[RL_FACT_sm_count].id, "sm_count");
    assert_int_equal(rl_facts[RL_FACT_l2_bytes].unit, RL_UNIT_SIZE);
    assert_string_equal(rl_readings[RL_READING_temperature_c].label, "temperature");
    for (int i = 0; i < RL_FACT_COUNT; i++)
        for (int j = 0; j < i; j++)
            assert_string_not_equal(rl_facts[i].id, rl_facts[j].id);
    for (int i = 0; i < RL_READING_COUNT; i++)
        for (int j = 0; j < i; j++)
            assert_string_not_equal(rl_readings[i].id, rl_readings[j].id);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_capture_is_empty),
        cmocka_unit_test(added_elements_say_that_nothing_is_known),
        cmocka_unit_test(long_texts_are_cut_between_characters),
        cmocka_unit_test(log_ends_where_it_is_full),
        cmocka_unit_test(counters_are_found_by_name),
        cmocka_unit_test(stored_words_do_not_change),
        cmocka_unit_test(fields_have_names_and_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
