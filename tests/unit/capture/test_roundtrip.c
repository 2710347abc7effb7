/* What is written is what is read, and equal captures are equal files. */
#include "rl_test.h"

#include <unistd.h>

#include "core/mem.h"
#include "fixtures/full.h"
#include "fixtures/same.h"

/* Writes, reads, compares; and writes again what was read: the bytes are the same. */
static void assert_round_trip(const struct rl_capture *capture)
{
    struct rl_buf bytes = bytes_of(capture);
    struct rl_capture *back = capture_of(&bytes);
    assert_same_capture(capture, back);
    assert_string_equal(back->sha256.hex, rl_sha256_of(bytes.data, bytes.len).hex);
    struct rl_buf again = bytes_of(back);
    assert_int_equal(again.len, bytes.len);
    assert_memory_equal(again.data, bytes.data, bytes.len);
    rl_buf_release(&again);
    rl_buf_release(&bytes);
    rl_capture_free(back);
}

static void everything_survives(void **state)
{
    (void)state;
    struct rl_capture *capture = full_capture();
    assert_round_trip(capture);
    rl_capture_free(capture);
}

static void empty_capture_survives(void **state)
{
    (void)state;
    struct rl_capture *capture = rl_capture_new();
    assert_round_trip(capture);
    rl_capture_free(capture);
}

static void equal_captures_are_equal_files(void **state)
{
    (void)state;
    struct rl_capture *a = full_capture(), *b = full_capture();
    struct rl_buf x = bytes_of(a), y = bytes_of(b), z = bytes_of(a);
    assert_int_equal(x.len, y.len);
    assert_memory_equal(x.data, y.data, x.len);
    assert_int_equal(x.len, z.len);
    assert_memory_equal(x.data, z.data, x.len);
    rl_buf_release(&x);
    rl_buf_release(&y);
    rl_buf_release(&z);
    rl_capture_free(a);
    rl_capture_free(b);
}

/* Every state, as a fact, a reading, a ceiling's clock, a work model and a counter. */
static void every_state_survives(void **state)
{
    (void)state;
    struct rl_capture *capture = rl_capture_new();
    capture->session.complete = false;
    struct rl_gpu *gpu = rl_capture_add_gpu(capture);
    gpu->name = rl_capture_text(capture, "card");
    struct rl_gpu_moment *moment = rl_capture_add_moment(capture, 0);
    moment->moment = rl_capture_text(capture, "during");
    for (int i = 0; i < 2 * RL_STATE_COUNT; i++) {
        struct rl_value value = full_value(capture, i);
        if (rl_present(value))
            value.v = i; /* facts are not negative */
        gpu->fact[i] = value;
        if (i < RL_READING_COUNT)
            moment->reading[i] = value;
        struct rl_ceiling_run *run = rl_capture_add_ceiling(capture);
        run->id = rl_capture_text(capture, "dram_read");
        run->configuration = rl_capture_text(capture, "");
        run->sm_clock_hz = value;
    }
    assert_round_trip(capture);
    rl_capture_free(capture);
}

static void facts_nobody_asked_for_have_no_row(void **state)
{
    (void)state;
    struct rl_capture *capture = rl_capture_new();
    rl_capture_add_gpu(capture)->name = rl_capture_text(capture, "card");
    struct rl_buf bytes = bytes_of(capture);
    assert_null(memmem(bytes.data, bytes.len, "sm_count", 8));
    struct rl_capture *back = capture_of(&bytes);
    assert_int_equal(back->gpus[0].fact[RL_FACT_sm_count].state, RL_NOT_COLLECTED);
    assert_string_equal(rl_value_reason(back->gpus[0].fact[RL_FACT_sm_count]), "not collected");
    rl_capture_free(back);
    rl_buf_release(&bytes);
    rl_capture_free(capture);
}

static void hostile_names_survive(void **state)
{
    (void)state;
    struct rl_capture *capture = rl_capture_new();
    struct rl_buf name = RL_BUF_INIT;
    rl_capture_add_gpu(capture)->name = rl_capture_text(capture, hostile_names[4]);
    for (size_t i = 0; i < RL_COUNT(hostile_names) + 255; i++) {
        rl_buf_reset(&name);
        if (i < RL_COUNT(hostile_names))
            rl_buf_adds(&name, hostile_names[i]);
        else
            rl_buf_fill(&name, (char)(i - RL_COUNT(hostile_names) + 1), 3000); /* every byte but 0 */
        rl_capture_add_kernel(capture)->name = rl_capture_text(capture, name.data);
        rl_capture_add_counter(capture, i)->name = rl_capture_text(capture, name.data);
        capture->kernels[i].nvtx = capture->kernels[i].mangled = capture->kernels[i].name;
        rl_capture_log(capture, 0, RL_LOG_NOTE, "%s", name.data);
    }
    rl_buf_release(&name);
    assert_round_trip(capture);
    assert_int_not_equal(access("/tmp/rooflight-was-here", F_OK), 0);
    rl_capture_free(capture);
}

static void longest_texts_survive(void **state)
{
    (void)state;
    struct rl_capture *capture = full_capture();
    struct rl_buf text = RL_BUF_INIT;
    rl_buf_fill(&text, 'x', RL_CAPTURE_MAX_TEXT);
    struct rl_claim *claim = &capture->experiments[1].claims[1];
    claim->id = claim->text = claim->quantity = claim->subject = claim->baseline = claim->card = claim->source = text.data;
    struct rl_kernel *kernel = &capture->kernels[0];
    kernel->name = kernel->mangled = kernel->timing = kernel->nvtx = text.data;
    struct rl_session *session = &capture->session;
    session->host = session->os = session->driver = session->cuda_driver = session->cuda_runtime = session->cupti = text.data;
    session->tool_version = session->counters = text.data;
    assert_round_trip(capture);
    rl_capture_free(capture);
    rl_buf_release(&text);
}

/* Counters that were read lie in memory that cannot grow, until one is added. */
static void counters_that_were_read_can_be_added_to(void **state)
{
    (void)state;
    struct rl_capture *capture = full_capture();
    struct rl_buf bytes = bytes_of(capture);
    struct rl_capture *back = capture_of(&bytes);
    size_t kernel = 0;
    while (back->kernels[kernel].counter_count == 0)
        kernel++;
    const struct rl_counter *of = capture->kernels[kernel].counters;
    const size_t count = capture->kernels[kernel].counter_count;
    assert_int_equal(back->kernels[kernel].counter_cap, 0);
    for (size_t i = 0; i < 20; i++)
        rl_capture_add_counter(back, kernel)->name = rl_capture_text(back, "one more");
    assert_int_equal(back->kernels[kernel].counter_count, count + 20);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(back->kernels[kernel].counters[i].name, of[i].name);
    assert_string_equal(back->kernels[kernel].counters[count].name, "one more");
    rl_capture_free(back);
    rl_capture_free(capture);
    rl_buf_release(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_survives),   cmocka_unit_test(empty_capture_survives),
        cmocka_unit_test(every_state_survives),  cmocka_unit_test(equal_captures_are_equal_files),
        cmocka_unit_test(hostile_names_survive), cmocka_unit_test(facts_nobody_asked_for_have_no_row),
        cmocka_unit_test(longest_texts_survive), cmocka_unit_test(counters_that_were_read_can_be_added_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
