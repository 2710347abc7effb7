/* The pages for those who want to know exactly: ceilings, rooflines, findings. */
#include "core/mem.h"
#include "fixtures/capture.h"
#include "media/report_tools.h"

/* ---- ceilings ---- */

/* By hand: 1536 B x 3.2 GHz = 4.915 TB/s, of which 4.51 is 91.8 %; 2 x 128 x 132 x 1.755 GHz = 59.31 TFLOP/s, 59.0 is 99.5 %;
 * 32 B x 96 x 1.6 GHz = 4.915 TB/s, of which 5.4 is 109.9 %; 728 of 910 TFLOP/s is 80 %. */
static void ceilings_are_held_against_theory(void **state)
{
    (void)state;
    struct rl_buf pdf = full_report_of(synthetic_measured(), RL_PAPER_A4), words = words_of(&pdf);
    assert_good(&pdf);
    assert_says(&words, "device memory delivers 4.51 TB/s (91.8 % of peak), FP32 arithmetic reaches 59.0 TFLOP/s (99.5 % of peak)");
    assert_says(&words, "tensor BF16 910 TFLOP/s");
    assert_says(&words, "Measured but rejected");
    assert_says(&words, "L2: 5.40");
    assert_says(&words, "109.9 % of what the GPU can do");
    assert_says(&words, "The theoretical figure stays the roof.");
    assert_says(&words, "Burst and sustained");
    assert_says(&words, "80.0");
    assert_says(&words, "power limit");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

static void published_figures_stand_beside_ours(void **state)
{
    (void)state;
    struct rl_capture *capture = synthetic_measured();
    capture->gpus[0].name = rl_capture_text(capture, "NVIDIA H200");
    struct rl_buf pdf = full_report_of(capture, RL_PAPER_A4), words = words_of(&pdf);
    assert_says(&words, "whatsupjones/gpu-roofline, README (2026)");
    assert_says(&words, "99.2"); /* 59.0 of 59.5 TFLOP/s */
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

static void without_measured_ceilings_theory_stands_on_the_card_page(void **state)
{
    (void)state;
    struct rl_buf pdf = report_of(synthetic_suite(), RL_PAPER_A4), words = words_of(&pdf);
    assert_says(&words, "No roof was measured in this session: kernels are compared with these.");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

/* Settings of any kind and number, in any order, without words for their keys, and none at all. */
static void odd_configurations_are_laid_out(void **state)
{
    (void)state;
    const struct rl_setting odd[] = {RL_TEXT_SETTING("kernel", "a\xFF, b c x d, \xE2\x82"),
                                     RL_TEXT_SETTING("", ""),
                                     RL_NUMBER_SETTING("blocks_per_sm", COUNT, -1),
                                     RL_NUMBER_SETTING("data_bytes", BYTE, 0),
                                     RL_NUMBER_SETTING("who_knows", HERTZ, 1e300),
                                     RL_TEXT_SETTING("threads_per_block", "x"),
                                     RL_NUMBER_SETTING("warp_rows", NONE, 0.1),
                                     RL_NUMBER_SETTING("kernel", NONE, 5)};
    struct rl_capture *capture = synthetic_suite();
    for (int i = 0; i < 40; i++)
        synthetic_ceiling(capture, "dram_read", RL_UNIT_BYTE_PER_SECOND, 4e12 + 1e9 * i, 1, odd + i % 5, (size_t)(i % 4));
    for (int i = 0; i < 2; i++)
        synthetic_ceiling(capture, "fp32", RL_UNIT_FLOP_PER_SECOND, 5e13, 1, odd, RL_COUNT(odd)); /* all alike */
    synthetic_ceiling(capture, "fp64", RL_UNIT_FLOP_PER_SECOND, 0, 30, odd, 1);
    synthetic_ceiling(capture, "no such benchmark", RL_UNIT_FLOP_PER_SECOND, 1, 30, odd, 1);
    struct rl_buf pdf = full_report_of(capture, RL_PAPER_LETTER), words = words_of(&pdf);
    assert_good(&pdf);
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

/* ---- rooflines ---- */

static void set_value(struct rl_capture *capture, size_t kernel, enum rl_counter_kind kind, const char *name, double value)
{
    for (size_t i = 0; i < capture->kernels[kernel].counter_count; i++)
        if (strcmp(capture->kernels[kernel].counters[i].name, name) == 0) {
            capture->kernels[kernel].counters[i].value = rl_value_of(value);
            return;
        }
    synthetic_counter(capture, kernel, 0, name, value);
    capture->kernels[kernel].counters[capture->kernels[kernel].counter_count - 1].kind = kind;
}

/* One page of a program of six kernels, of which the one that takes the most time may have done different work. */
static struct rl_buf six_kernels(const char *page, bool mixed)
{
    struct rl_capture *capture = synthetic_program(6);
    struct rl_report_options options = options_for(RL_PAPER_A4);
    for (size_t k = 4; k < 6; k++) {
        set_value(capture, k, RL_COUNTER, "sm__inst_executed_pipe_tensor.sum", 1e6);
        set_value(capture, k, RL_METRIC_VALUE, "flop_tensor", 2e9);
        set_value(capture, k, RL_METRIC_VALUE, "flop_tensor_tf32", 2e9);
    }
    if (mixed)
        synthetic_differs(capture, 5);
    options.only = page;
    struct rl_buf pdf = report_with(capture, &options), words = lines_of(&pdf);
    assert_good(&pdf);
    rl_buf_release(&pdf);
    return words;
}

static void kernels_without_certain_work_have_no_place(void **state)
{
    (void)state;
    struct rl_buf words = six_kernels("roofline", true), plain = six_kernels("roofline", false);
    assert_says(&words, "the 5 that take the most time");
    assert_says(&plain, "The 6 kernels that take the most time");
    rl_buf_release(&plain);
    rl_buf_release(&words);
}

/* A kernel whose DRAM rate is twice the roof, on data larger than L2. */
static void points_above_a_roof_are_explained(void **state)
{
    (void)state;
    struct rl_capture *capture = synthetic_program(4);
    sample_set(capture, 0, "dram__bytes_read.sum", rl_value_of(2e12));
    sample_set(capture, 0, "lts__t_sectors_srcunit_tex.sum", rl_value_missing(RL_NOT_COLLECTED, NULL)); /* which it contradicts */
    struct rl_buf pdf = report_of(capture, RL_PAPER_A4), words = words_of(&pdf),
                  plain = report_of(synthetic_program(4), RL_PAPER_A4);
    struct rl_buf plain_words = words_of(&plain);
    assert_good(&pdf);
    assert_says(&words, "Above a roof");
    assert_says(&words, "the cause is unknown");
    assert_says_not(&plain_words, "Above a roof");
    rl_buf_release(&plain_words);
    rl_buf_release(&plain);
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

/* ---- findings ---- */

static void findings_are_explained(void **state)
{
    (void)state;
    struct rl_buf pdf = full_report_of(synthetic_measured(), RL_PAPER_A4), words = words_of(&pdf);
    assert_says(&words, "rules checked the session, the GPU and every kernel");
    assert_says(&words, "roof above peak: A measured rate above the peak is not used as a roof: L2, 5.4");
    assert_says(&words, "slower under long load");
    assert_says(&words, "Saving: at most, in all launches together");
    assert_says(&words, "smsp__sass_inst_executed"); /* formulas */
    assert_says(&words, "model bytes");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

/* ---- the first page ---- */

/* By hand: 91.8 % of theory (above), 80 % of the burst after long load, under a power limit. */
static void the_cover_says_how_the_card_is(void **state)
{
    (void)state;
    struct rl_buf pdf = report_of(synthetic_measured(), RL_PAPER_A4), text = RL_BUF_INIT;
    const char *cover = page_of(&text, &pdf, SYNTHETIC_CARD);
    const char *const said[] = {"rooflight collect -o synthetic capture.rlcap",
                                "roofs measured",
                                "91.8",
                                "against peak",
                                "Health of the GPU",
                                "DRAM 92",

                                "80.0",
                                "power limit",
                                "self check",
                                " correct" /* of the answers of self_check */};
    for (size_t i = 0; i < RL_COUNT(said) && cover; i++)
        if (!strstr(cover, said[i]))
            fail_msg("'%s' is not on the first page", said[i]);
    rl_buf_release(&text);
    rl_buf_release(&pdf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ceilings_are_held_against_theory),
        cmocka_unit_test(published_figures_stand_beside_ours),
        cmocka_unit_test(without_measured_ceilings_theory_stands_on_the_card_page),
        cmocka_unit_test(odd_configurations_are_laid_out),
        cmocka_unit_test(kernels_without_certain_work_have_no_place),
        cmocka_unit_test(points_above_a_roof_are_explained),
        cmocka_unit_test(findings_are_explained),
        cmocka_unit_test(the_cover_says_how_the_card_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
