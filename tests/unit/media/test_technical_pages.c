/* The pages for those who want to know exactly: ceilings, rooflines, the checklist. */
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
    assert_says(&words,
                "device memory delivers 4.51 TB/s (91.8 % of theory), FP32 arithmetic reaches 59.0 TFLOP/s (99.5 % of theory)");
    assert_says(&words, "tensor BF16 910 TFLOP/s");
    assert_says(&words, "Measured but rejected");
    assert_says(&words, "L2: 5.40");
    assert_says(&words, "109.9 % of what the card can do");
    assert_says(&words, "The theoretical figure stays the roof.");
    assert_says(&words, "Burst and sustained");
    assert_says(&words, "80.0");
    assert_says(&words, "power limit");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

/* What all configurations have in common is said once, beside the title; the bars carry what differs. */
static void sweeps_show_every_configuration(void **state)
{
    (void)state;
    struct rl_buf pdf = full_report_of(synthetic_measured(), RL_PAPER_A4), words = words_of(&pdf);
    assert_says(&words, "How the ceilings were found");
    assert_says(&words, "4.00 GiB, … threads, … x 16 B per thread");
    assert_says(&words, "read, 512, 4");
    assert_says(&words, "read, 256, 2");
    assert_says(&words, "read once, 512, 8");
    assert_says(&words, "FFMA, … x 256 threads per SM, … chains per thread");
    assert_says(&words, "theory 4.92 TB/s");
    assert_says_not(&words, "DRAM copy 4.00 GiB"); /* one configuration is no sweep */
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

/* A configuration with few launches at a high clock shows a higher rate than the ceiling: its share of theory at its clock says
 * that it is not better. 59.31 TFLOP/s at 1.755 GHz are 67.6 at 2 GHz, of which 67 are 99.1 %. */
static void sweeps_hold_each_run_against_its_own_clock(void **state)
{
    (void)state;
    struct rl_capture *capture = synthetic_measured();
    synthetic_ceiling(capture, "fp32", RL_UNIT_FLOP_PER_SECOND, 6.7e13, 5, SYNTHETIC_FMA(2, 16));
    capture->ceilings[capture->ceiling_count - 1].sm_clock_hz = rl_value_of(2e9);
    synthetic_ceiling(capture, "tensor_bf16", RL_UNIT_FLOP_PER_SECOND, 7e14, 45,
                      SYNTHETIC_SETTINGS(RL_TEXT_SETTING(RL_KEY_LIBRARY, "cuBLAS"), RL_NUMBER_SETTING("rows", COUNT, 8192),
                                         RL_NUMBER_SETTING("columns", COUNT, 8192), RL_NUMBER_SETTING("depth", COUNT, 8192)));
    capture->ceilings[0].sm_clock_hz = rl_value_of(2e9); /* of DRAM: no matter for its theory */
    capture->ceilings[3].sm_clock_hz = rl_value_of(2e9); /* of the copy, a ceiling: others are 12 % lower, for no reason given */
    struct rl_buf pdf = full_report_of(capture, RL_PAPER_A4), words = words_of(&pdf);
    assert_says(&words, "59.0 \xC2\xB7 99.5 %");
    assert_says(&words, "67.0 \xC2\xB7 99.1 %");
    assert_says(&words, "4.31 \xC2\xB7 87.7 %");
    assert_says(&words, "theory 59.3 TFLOP/s at 1.755 GHz");
    assert_says(&words, "lower than elsewhere in this table");
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
    assert_says(&words, "published 59.5 TFLOP/s");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

static void without_measured_ceilings_theory_stands_on_the_card_page(void **state)
{
    (void)state;
    struct rl_buf pdf = report_of(synthetic_suite(), RL_PAPER_A4), words = words_of(&pdf);
    assert_says(&words, "No ceiling was measured in this session: kernels are compared with these.");
    assert_says_not(&words, "How the ceilings were found");
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
    assert_says(&words, "24 slower ones are not shown");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

/* ---- rooflines ---- */

/* By hand: 4 schedulers x 132 x 1.7536 GHz (the median clock) = 926 G instructions a second. */
static void kernels_are_held_against_every_level(void **state)
{
    (void)state;
    struct rl_buf pdf = full_report_of(synthetic_measured(), RL_PAPER_A4), words = words_of(&pdf);
    const char *const sentences[] = {
        "Arithmetic against each level",
        "Points of one kernel are joined",
        "Instructions against each level",
        "instruction issue 926 Ginst/s",
        "stride 1",
        "32 ways",
        "no conflict",
        "Warp instructions per transaction at that level",
    };
    for (size_t i = 0; i < RL_COUNT(sentences); i++)
        assert_says(&words, sentences[i]);
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

/* One variant runs on the matrix units, whose operations no counter tells: its model has them. */
static void matrix_units_have_their_own_roofline(void **state)
{
    (void)state;
    struct rl_buf pdf = full_report_of(synthetic_measured(), RL_PAPER_A4), words = words_of(&pdf);
    struct rl_buf plain = full_report_of(synthetic_suite(), RL_PAPER_A4);
    struct rl_buf plain_words = words_of(&plain);
    assert_good(&pdf);
    assert_says(&words, "Precision and matrix units");
    assert_says(&words, "the matrix units, below the roof of each type of number");
    assert_says(&words, "Hollow: operations from the work model");
    assert_says(&words, "matrix units, by the work model");
    assert_says_not(&plain_words, "Precision and matrix units"); /* FP32 alone needs no page */
    rl_buf_release(&plain_words);
    rl_buf_release(&plain);
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

/* A run that was not counted, in an experiment that uses the matrix units: a point in the chart and in the table. */
static void uncounted_runs_stand_in_the_table(void **state)
{
    (void)state;
    struct rl_capture *capture = synthetic_measured();
    for (size_t i = 0; i < capture->kernel_count; i++) {
        struct rl_kernel *kernel = &capture->kernels[i];
        if (kernel->variant != RL_NONE && strcmp(capture->variants[kernel->variant].name, "cublas") == 0)
            kernel->counter_count = 0;
    }
    struct rl_report_options options = options_for(RL_PAPER_A4);
    options.only = "precision";
    struct rl_buf pdf = report_with(capture, &options), words = words_of(&pdf), lines = lines_of(&pdf);
    assert_says(&words, "2 kernels use the matrix units, below the roof of each type of number");
    assert_says(&lines, "matrix units, by the work model 2 ");
    rl_buf_release(&lines);
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

/* A program's kernels have no work model: what no counter told is no zero, and no roofline is drawn without a point. */
static void uncounted_matrix_operations_are_a_gap(void **state)
{
    (void)state;
    struct rl_capture *capture = synthetic_program(4);
    synthetic_ceilings(capture);
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < capture->kernels[k].counter_count; i++)
            if (strcmp(capture->kernels[k].counters[i].name, "sm__inst_executed_pipe_tensor.sum") == 0)
                capture->kernels[k].counters[i].value = rl_value_of(1000);
    struct rl_buf pdf = report_of(capture, RL_PAPER_A4), words = words_of(&pdf);
    assert_good(&pdf);
    assert_says(&words, "2 kernels use the matrix units, whose operations were not counted by type");
    assert_says(&words, "matrix operations were not counted");
    assert_says_not(&words, "below the roof of each type of number");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

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

/* Operations by type have rows of their own, integers have no place on the roofline, and what has no type stands apart. */
static void matrix_operations_are_shown_by_type(void **state)
{
    (void)state;
    struct rl_capture *capture = synthetic_program(6);
    synthetic_ceilings(capture);
    for (size_t k = 0; k < 3; k++)
        set_value(capture, k, RL_COUNTER, "sm__inst_executed_pipe_tensor.sum", 1e6);
    set_value(capture, 0, RL_METRIC_VALUE, "flop_tensor", 3e9);
    set_value(capture, 0, RL_METRIC_VALUE, "flop_tensor_tf32", 3e9);
    set_value(capture, 1, RL_METRIC_VALUE, "flop_tensor", 0);
    set_value(capture, 1, RL_METRIC_VALUE, "tensor_int8_operations", 4e9);
    struct rl_report_options options = options_for(RL_PAPER_A4);
    options.only = "precision";
    struct rl_buf pdf = report_with(capture, &options), words = words_of(&pdf);
    assert_good(&pdf);
    assert_says(&words, "matrix units, TF32");
    assert_says(&words, "matrix units, INT8");
    assert_says(&words, "1 kernel multiplies INT8 matrices, whose operations are not floating-point");
    assert_says(&words, "matrix units, type not counted"); /* the third: instructions alone */
    assert_says(&words, "are compared with the FP16 roof");
    assert_says_not(&words, "matrix units, BF16");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
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

/* What one launch did is not what all did: no sum, no rate, no point. By hand: 31 launches of 2 GFLOP. */
static void launches_of_different_work_are_in_no_sum(void **state)
{
    (void)state;
    struct rl_buf words = six_kernels("precision", true), plain = six_kernels("precision", false);
    assert_says(&words, "1 kernel uses the matrix units, below the roof of each type of number");
    assert_says(&words, "1 more kernel uses the matrix units, in passes or launches that did different work (passes disagree: "
                        "smsp__sass_inst_executed.sum");
    assert_says(&words, "matrix units, TF32 1 62.0 GFLOP");
    assert_says(&words, "launches of different work 1 –¹ –¹ –¹ –¹");
    assert_says(&words, "¹ passes disagree: smsp__sass_inst_executed.sum");
    assert_says(&words, "Shares are of the operations in the other rows");
    assert_says(&plain, "2 kernels use the matrix units, below the roof of each type of number");
    assert_says(&plain, "matrix units, TF32 2 124 GFLOP");
    assert_says_not(&plain, "different work");
    rl_buf_release(&plain);
    rl_buf_release(&words);
}

static void launches_of_different_work_have_no_place_at_any_level(void **state)
{
    (void)state;
    struct rl_buf words = six_kernels("levels", true), plain = six_kernels("levels", false);
    assert_says(&words, "Of the kernels that have a place here, the 5 that take the most time.");
    assert_says(&words, "5 of 6 kernels are drawn here, with or without floating-point work");
    assert_says_not(&words, "stage_5");
    assert_says(&plain, "The 6 kernels that take the most time.");
    assert_says(&plain, "Every kernel has a place here");
    assert_says(&plain, "stage_5");
    rl_buf_release(&plain);
    rl_buf_release(&words);
}

static void the_cover_says_which_kernels_it_draws(void **state)
{
    (void)state;
    struct rl_buf words = six_kernels("cover", true), plain = six_kernels("cover", false);
    assert_says(&words, "The 5 of 6 kernels with a position on the roofline, below the roofs of this card");
    assert_says_not(&words, "with counted floating-point operations");
    assert_says(&plain, "Every kernel below the roofs of this card");
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
    assert_says(&words, "do not rely on this point until the ceiling and the counters have been checked");
    assert_says_not(&plain_words, "Above a roof");
    rl_buf_release(&plain_words);
    rl_buf_release(&plain);
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

/* ---- findings and checklist ---- */

static void findings_and_checklist_agree(void **state)
{
    (void)state;
    struct rl_buf pdf = full_report_of(synthetic_measured(), RL_PAPER_A4), words = words_of(&pdf);
    assert_says(&words, "rules checked the session, the card and every kernel");
    assert_says(&words, "ceiling above theory: A rate above what the hardware can do is not used as a roof: L2, 5.4");
    assert_says(&words, "slower under long load");
    assert_says(&words, "Gain up to: an estimate of how many times as fast");
    assert_says(&words, "Optimisation checklist");
    assert_says(&words, "coalesced loads");
    assert_says(&words, "under 50 %");
    assert_says(&words, "not measured");
    assert_says(&words, "a capture has no before: use rooflight compare");
    assert_says(&words, "smsp__sass_inst_executed"); /* formulas */
    assert_says(&words, "model bytes");
    assert_says(&words, "Kernels that need attention");
    assert_says(&words, "The suite has slow variants on purpose");
    assert_says(&words, "a figure beyond the threshold is still good");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

/* The line of a page's text that begins with `label` has these words in it. */
static void assert_row(const char *page, const char *label, const char *words)
{
    const char *row = strstr(page, label), *found = row ? strstr(row, words) : NULL;
    if (!found || found > row + strcspn(row, "\n"))
        fail_msg("'%s' is not in the row of '%s'", words, label);
}

/* Nothing is ticked that was not measured. */
static void without_counters_nothing_is_ticked(void **state)
{
    (void)state;
    struct rl_capture *capture = synthetic_program(4);
    for (size_t i = 0; i < capture->kernel_count; i++)
        capture->kernels[i].counter_count = 0;
    struct rl_report_options options = options_for(RL_PAPER_A4);
    options.only = "checklist"; /* which then is on one page */
    struct rl_buf pdf = report_with(capture, &options), text = RL_BUF_INIT;
    assert_good(&pdf);
    const char *page = page_of(&text, &pdf, "need attention for some");
    if (page) {
        assert_row(page, "coalesced loads", "not measured");
        assert_row(page, "profiled", "not measured");
        assert_row(page, "whole warps", "good");
        assert_row(page, "whole warps", "none of 4");
    }
    struct rl_buf words = words_of(&pdf);
    assert_says(&words, "Thresholds and further conditions are those of the findings");
    assert_says_not(&words, "slow variants on purpose"); /* that is the suite's */
    rl_buf_release(&words);
    rl_buf_release(&text);
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
                                "ceilings measured",
                                "91.8",
                                "against theory",
                                "Health of the card",
                                "DRAM 92",

                                "80.0",
                                "power limit",
                                "self check",
                                " correct", /* of the answers of self_check */
                                "Experiments at a glance",
                                "Method and provenance"};
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
        cmocka_unit_test(sweeps_show_every_configuration),
        cmocka_unit_test(sweeps_hold_each_run_against_its_own_clock),
        cmocka_unit_test(published_figures_stand_beside_ours),
        cmocka_unit_test(without_measured_ceilings_theory_stands_on_the_card_page),
        cmocka_unit_test(odd_configurations_are_laid_out),
        cmocka_unit_test(kernels_are_held_against_every_level),
        cmocka_unit_test(matrix_units_have_their_own_roofline),
        cmocka_unit_test(uncounted_runs_stand_in_the_table),
        cmocka_unit_test(uncounted_matrix_operations_are_a_gap),
        cmocka_unit_test(matrix_operations_are_shown_by_type),
        cmocka_unit_test(launches_of_different_work_are_in_no_sum),
        cmocka_unit_test(launches_of_different_work_have_no_place_at_any_level),
        cmocka_unit_test(the_cover_says_which_kernels_it_draws),
        cmocka_unit_test(points_above_a_roof_are_explained),
        cmocka_unit_test(findings_and_checklist_agree),
        cmocka_unit_test(without_counters_nothing_is_ticked),
        cmocka_unit_test(the_cover_says_how_the_card_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
