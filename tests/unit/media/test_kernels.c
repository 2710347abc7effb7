/* The blocks of kernel classes: which ones, what stands in them, what they say when something is missing. */
#include "rl_test.h"

#include "core/mem.h"
#include "fixtures/capture.h"
#include "fixtures/synthetic.h"
#include "fixtures/synthetic_program.h"
#include "media/report_tools.h"
#include "page.h"

static struct rl_buf say(struct rl_capture *capture)
{
    struct rl_buf pdf = report_of(capture, RL_PAPER_A4), words = lines_of(&pdf);
    assert_good(&pdf);
    rl_buf_release(&pdf);
    return words;
}

static struct rl_buf say_in_full(struct rl_capture *capture)
{
    struct rl_report_options options = options_for(RL_PAPER_A4);
    options.full = true;
    struct rl_buf pdf = report_with(capture, &options), words = lines_of(&pdf);
    assert_good(&pdf);
    rl_buf_release(&pdf);
    return words;
}

static void a_block_says_everything(void **state)
{
    const char *const sentences[] = {
        "block 256 × 1 × 1 · 16 registers · 0 B shared memory · 31 launches",
        "Limiter unknown: ",
        "Occupancy: 88.7 % achieved, 100 % theoretical.",
        "Resources, % of roof, 95 % CI",
        "60 %: limiter",
        "DRAM bandwidth",
        "m: measured roof, p: theoretical peak.",
        "level traffic throughput",
    };
    (void)state;
    struct rl_buf words = say(synthetic_program(1));
    for (size_t i = 0; i < RL_COUNT(sentences); i++)
        assert_says(&words, sentences[i]);
    rl_buf_release(&words);
}

/* 96 registers: 8 blocks' worth of warps would fit, 20 of 64 warps do (sm_90: 65,536 registers). 256 threads x 96 = 24,576
 * registers a block: two blocks, 16 warps, 25 %. With 80 registers three fit: 65,536 / 20,480. */
#define WARPS "sm__warps_active.avg.pct_of_peak_sustained_active"

/* A kernel with so few warps, %, that no shape of it contradicts them. */
static struct rl_capture *with_few_warps(double warps)
{
    struct rl_capture *capture = synthetic_program(1);
    sample_set(capture, 0, WARPS, rl_value_of(warps));
    return capture;
}

static void what_limits_it_can_be_changed(void **state)
{
    (void)state;
    struct rl_capture *capture = with_few_warps(20);
    capture->kernels[0].registers_per_thread = rl_value_of(96);
    struct rl_buf words = say(capture);
    assert_says(&words, "25.0 % theoretical.");
    assert_says(&words, "80 registers per thread instead of 96 would allow 37.5 %.");
    rl_buf_release(&words);
    capture = with_few_warps(20);
    capture->kernels[0].dynamic_shared_bytes = 100000; /* two blocks of 101,024 B in 233,472 B; three of 77,824 B */
    words = say(capture);
    assert_says(&words, "75 KiB of shared memory per block instead of 97.66 KiB would allow 37.5 %.");
    rl_buf_release(&words);
    capture = with_few_warps(40);
    capture->kernels[0].block[0] = 32; /* 32 blocks of one warp: half of 64 */
    capture->kernels[0].grid[0] = 32 * 132 + 1;
    words = say(capture);
    assert_says(&words, "64 threads per block instead of 32 would allow 100 %.");
    rl_buf_release(&words);
    capture = with_few_warps(40);
    capture->kernels[0].block[0] = 32;
    capture->kernels[0].grid[0] = 32 * 132; /* all of them at once */
    words = say(capture);
    assert_says_not(&words, "would allow");
    rl_buf_release(&words);
}

static void most_time_comes_first_and_the_number_is_bounded(void **state)
{
    (void)state;
    struct rl_report_options options = options_for(RL_PAPER_A4);
    struct rl_capture *capture = synthetic_program(3);
    options.top = 2;
    for (size_t i = 0; i < 3; i++)
        capture->kernels[i].total_ns = (const uint64_t[]){100, 600, 300}[i];
    struct rl_buf pdf = report_with(capture, &options), words = lines_of(&pdf);
    assert_good(&pdf);
    assert_says(&words, "solver::stage_1");
    assert_says(&words, "60.0 % of GPU time");
    assert_says(&words, "solver::stage_2");
    assert_says_not(&words, "100 ns, 10.0 %");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

/* The page, from 0, on which a text stands. */
static size_t number_of_page(const struct rl_buf *text, const char *what)
{
    const char *found = strstr(text->data, what);
    size_t page = 0;
    if (!found)
        fail_msg("'%s' is not in the report", what);
    for (const char *p = text->data; p < found; p++)
        page += *p == '\f';
    return page;
}

/* Of 9 ms gemm has 6, softmax 3 and the collective next to nothing: two pages, and a line. */
static void kernels_have_pages_by_their_time(void **state)
{
    (void)state;
    struct rl_buf text = RL_BUF_INIT, pdf = report_of(synthetic_observed(), RL_PAPER_A4);
    assert_good(&pdf);
    if (pdf_text(&pdf, &text)) {
        const size_t first = number_of_page(&text, "Kernels\n");
        assert_int_equal(number_of_page(&text, "1 gemm"), first);
        assert_int_equal(occurrences(text.data, "Hierarchical roofline"), 2);
    }
    rl_buf_release(&text);
    rl_buf_release(&pdf);
}

/* A program of many kernels: those with 5 % of the time have a block each, then as many as five pages hold; the rest has a line. */
static void many_kernels_make_a_short_report(void **state)
{
    static const uint64_t shares[] = {330, 200, 170, 80, 60, 40, 35, 30, 15, 10, 10, 8, 6, 4, 2};
    struct rl_capture *capture = synthetic_observed(); /* with three of them */
    (void)state;
    for (size_t i = 0; i < RL_COUNT(shares); i++) {
        if (i >= capture->kernel_count) {
            struct synthetic_work work = {1e7, 1e9, 1e6, (double)shares[i] * 1e-7, synthetic_shape_of("stride_1")};
            char name[40];
            snprintf(name, sizeof name, "void stage_%zu(float*)", i);
            const size_t kernel = synthetic_kernel(capture, 0, RL_NONE, name, &work);
            capture->kernels[kernel].timing = rl_capture_text(capture, RL_TIMING_IN_ORDER);
            *rl_capture_add_use(capture) = (struct rl_kernel_use){.kernel = kernel, .timed = 100, .counted = 3};
        }
        capture->kernels[i].launches = 100;
        capture->kernels[i].total_ns = shares[i] * 10000; /* of 10 ms */
    }
    struct rl_buf pdf = report_of(capture, RL_PAPER_A4), words = lines_of(&pdf), text = RL_BUF_INIT;
    assert_good(&pdf);
    assert_in_range(pdf_pages(&pdf), 7, 9);
    if (pdf_text(&pdf, &text)) {
        assert_int_equal(occurrences(text.data, "Resources, % of roof"), 6); /* of seven blocks: one kernel has no counters */
        const char *rest = strstr(text.data, "Other kernels");
        assert_non_null(rest);
        assert_non_null(strstr(rest, "stage_14"));
    }
    rl_buf_release(&text);
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

/* 40 shapes: one point, one row, one block; unless every shape is asked for. */
static void a_kernel_of_many_shapes_has_one_block(void **state)
{
    const char *const sentences[] = {
        "sweep, 40 configs",
        "grids of 8 to 320 blocks, median 164 · block 256 × 1 × 1 · 16 registers · 400 launches",
        "40 of 40 configurations were timed, 10 counted (20 launches): the figures above are sums over those launches",
        "Time per block: 8.00 ns in all.",
        "4 of its 40 configurations",
        "most time, most blocks 320 × 1 × 1",
        "256 × 1 × 1 10 0.122 64.0 8.00",
        "median blocks 160 × 1 × 1",
        "4 kernels (43 configurations) took",
    };
    (void)state;
    struct rl_capture *capture = synthetic_observed();
    synthetic_family(capture, "void sweep(float*, int)", 40);
    struct rl_buf text = RL_BUF_INIT, pdf = report_of(capture, RL_PAPER_A4), words = lines_of(&pdf);
    assert_good(&pdf);
    for (size_t i = 0; i < RL_COUNT(sentences); i++)
        assert_says(&words, sentences[i]);
    assert_says_not(&words, "256] roofline: page"); /* no block of a shape */
    if (pdf_text(&pdf, &text))
        assert_int_equal(occurrences(text.data, "Time per block:"), 1);
    rl_buf_release(&words);
    rl_buf_release(&pdf);
    struct rl_report_options options = options_for(RL_PAPER_A4);
    options.shapes = true;
    capture = synthetic_observed();
    synthetic_family(capture, "void sweep(float*, int)", 40);
    pdf = report_with(capture, &options);
    words = lines_of(&pdf);
    assert_says(&words, "sweep [320, 256]");
    assert_says_not(&words, "40 configs");
    rl_buf_release(&text);
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

/* Less than 1 % of the time has a line, no block, unless more are asked for. */
static void what_takes_next_to_nothing_has_a_line(void **state)
{
    (void)state;
    for (size_t top = 0; top <= 20; top += 20) {
        struct rl_report_options options = options_for(RL_PAPER_A4);
        struct rl_capture *capture = synthetic_observed();
        options.top = top;
        synthetic_class(capture, "void little(float*)", 90, 90);
        struct rl_buf pdf = report_with(capture, &options), words = lines_of(&pdf);
        assert_good(&pdf);
        (top ? assert_says_not : assert_says)(&words, "Other kernels");
        assert_says(&words, "little");
        rl_buf_release(&words);
        rl_buf_release(&pdf);
    }
}

/* Launches without a time are never passed over in silence. */
static void launches_without_a_time_are_told_of(void **state)
{
    (void)state;
    struct rl_capture *capture = synthetic_observed();
    synthetic_class(capture, "void seldom(float*)", 9, 3);
    synthetic_class(capture, "void often(float*)", 20, 10);
    synthetic_class(capture, "void never(float*)", 7, 0);
    struct rl_buf pdf = report_of(capture, RL_PAPER_A4), words = words_of(&pdf);
    assert_good(&pdf);
    assert_says(&words, "took at least 10.0 ms of GPU time");
    assert_says(&words, "counters cover 90.0 % of GPU time, 9.00 ms of ≥10.0 ms: 6 of 339 launches");
    assert_says(&words,
                "timed: 93.2 % of launches, 316 of 339; ~: 10 others estimated by the mean of their configuration; ≥ leaves out "
                "6 launches of 1 configuration (under 5 timed); no time and no share: 7 launches of 1 configuration");
    assert_says(&words, "no launch was timed");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

static void stalls_are_shown_when_somebody_counted_them(void **state)
{
    const struct {
        const char *name;
        double value;
    } counters[] = {
        {"smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio", 0.25},
        {"smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio", 12.5},
        {"smsp__average_warps_issue_stalled_wait_per_issue_active.ratio", 3},
        {"smsp__average_warps_issue_stalled_math_pipe_throttle_per_issue_active.ratio", 0.5},
        {"smsp__average_warps_issue_stalled_membar_per_issue_active.ratio", 0.125},
        {"smsp__average_warps_issue_stalled_drain_per_issue_active.ratio", 0},
        {"stall_exec_dependency", 0.4}, /* of another tool: not mixed */
    };
    (void)state;
    struct rl_capture *capture = synthetic_program(1);
    for (size_t i = 0; i < RL_COUNT(counters); i++)
        synthetic_counter(capture, 0, 0, counters[i].name, counters[i].value);
    struct rl_buf words = say(capture);
    assert_says(&words,
                "Stalls (warps stalled for each instruction issued): long scoreboard 12.5, wait 3.00, math pipe throttle 0.500, "
                "barrier 0.250, membar 0.125");
    assert_says_not(&words, "exec dependency");
    rl_buf_release(&words);
    words = say(synthetic_program(1));
    assert_says_not(&words, "Stalls");
    rl_buf_release(&words);
}

/* 0.887 of 64 warps on each SM, through all cycles: what the shares of warps' time are of. */
/* Of 132 SMs of 4 schedulers, so that 528,000 samples are 1,000 draws: Wilson's 70.0 % is 67.1 to 72.8 %. The third kernel has
 * another shape of the first. */
static void hottest_lines_stand_in_the_block(void **state)
{
    struct rl_capture *capture = synthetic_program(3);
    (void)state;

    capture->kernels[2].name = capture->kernels[0].name;
    for (size_t i = 0; i < 3; i++)
        capture->kernels[i].total_ns = 1000 - 100 * i;
    sample_stall(capture, 0, 41, RL_STALL_long_scoreboard, 369600);
    sample_stall(capture, 0, 42, RL_STALL_selected, 158400);
    sample_stall(capture, 1, 0, RL_STALL_barrier, 1000);
    struct rl_buf words = say(capture);
    assert_says(&words, "Hottest lines");
    assert_says(&words, "k.cu:41 70.0 67.1 72.8 long scoreboard (memory) 100 line 41;");
    assert_says(&words, "k.cu:42 30.0 27.2 32.9");
    assert_says(&words, "528 000 samples of its warps, one per scheduler every 65 536 cycles; 70.0 % could not issue.");
    assert_says(&words, "they cover all 2 launch configurations of this name");
    assert_says(&words, "Hottest instructions");
    assert_says(&words, "compile with nvcc -lineinfo");
    assert_says(&words, "Its hottest lines are listed with kernel 1");
    rl_buf_release(&words);
    words = say(synthetic_program(1));
    assert_says_not(&words, "Hottest");
    rl_buf_release(&words);
}

static void warps_wait(struct rl_capture *capture, const char *counter, double share)
{
    double cycles = 0;
    for (size_t i = 0; i < capture->kernels[0].counter_count; i++)
        if (strcmp(capture->kernels[0].counters[i].name, "sm__cycles_active.avg") == 0)
            cycles = capture->kernels[0].counters[i].value.v;
    synthetic_counter(capture, 0, 0, counter, share * 0.887 * 64 * SYNTHETIC_SMS * cycles);
}

static void optional_sets_are_shown_when_collected(void **state)
{
    const struct {
        const char *counter;
        double percent;
    } pipes[] = {{"sm__pipe_fma_cycles_active", 58}, {"sm__pipe_fp64_cycles_active", 0}, {"sm__inst_executed_pipe_alu", 3.7},
                 {"sm__inst_executed_pipe_lsu", 12}, {"sm__inst_executed_pipe_xu", 1.5}, {"sm__inst_executed_pipe_adu", 1.12}};
    const char *const sentences[] = {
        "long scoreboard (memory) 50.0 %",
        "barrier 25.0 %",
        "FMA pipe busy 58.0 %",
        "LSU pipe issue 12.0 %",
        "XU pipe issue 1.50 %",
        "instruction cache hit rate 100 %",
        "tensor BF16 operations 3.00 GFLOP",
        "PCIe reads 5.00 kB",
    };
    const char *const absent[] = {"address-unit issue", "FP64 pipe busy", "tensor TF32 operations", "NVLink sent"};
    (void)state;
    struct rl_capture *capture = synthetic_program(1);
    warps_wait(capture, "smsp__warps_issue_stalled_long_scoreboard.sum", 0.5);
    warps_wait(capture, "smsp__warps_issue_stalled_barrier.sum", 0.25);
    for (size_t i = 0; i < RL_COUNT(pipes); i++) {
        struct rl_buf name = RL_BUF_INIT;
        rl_buf_addf(&name, "%s.avg.pct_of_peak_sustained_active", pipes[i].counter);
        synthetic_counter(capture, 0, 0, name.data, pipes[i].percent);
        rl_buf_release(&name);
    }
    synthetic_counter(capture, 0, 0, "sm__icc_requests.sum", 1000); /* two passes: a little more hit than were asked for */
    synthetic_counter(capture, 0, 1, "sm__icc_requests_lookup_hit.sum", 1009);
    synthetic_counter(capture, 0, 0, "sm__ops_path_tensor_src_bf16_dst_fp32.sum", 3e9);
    synthetic_counter(capture, 0, 0, "sm__ops_path_tensor_src_tf32_dst_fp32.sum", 0);
    synthetic_counter(capture, 0, 0, "pcie__read_bytes.sum", 5000);
    synthetic_counter(capture, 0, 0, "pcie__write_bytes.sum", 0);
    struct rl_buf words = say_in_full(capture);
    for (size_t i = 0; i < RL_COUNT(sentences); i++)
        assert_says(&words, sentences[i]);
    for (size_t i = 0; i < RL_COUNT(absent); i++)
        assert_says_not(&words, absent[i]);
    rl_buf_release(&words);
    words = say(synthetic_program(1));
    assert_says_not(&words, "Stall reasons");
    assert_says_not(&words, "Busiest execution units");
    assert_says_not(&words, "PCIe reads");
    rl_buf_release(&words);
}

static void without_counters_only_the_launch_is_told(void **state)
{
    (void)state;
    struct rl_capture *capture = synthetic_program(2);
    for (size_t i = 0; i < capture->kernel_count; i++)
        capture->kernels[i].counter_count = 0;
    capture->kernels[1].registers_per_thread = rl_value_missing(RL_NOT_COLLECTED, "not printed");
    struct rl_buf words = say(capture);
    assert_says_not(&words, "level traffic throughput"); /* no table of dashes */
    assert_says(&words, "registers unknown");
    assert_says_not(&words, " nan");
    rl_buf_release(&words);
}

static void an_unknown_card_has_no_curves(void **state)
{
    (void)state;
    struct rl_capture *capture = synthetic_program(1);
    capture->gpus[0].cc_major = capture->gpus[0].cc_minor = 0;
    struct rl_buf words = say(capture);
    assert_says_not(&words, "if one parameter");
    rl_buf_release(&words);
}

static void wrong_results_show_no_performance(void **state)
{
    (void)state;
    struct rl_capture *capture = synthetic_suite();
    struct rl_report_options options = options_for(RL_PAPER_A4);
    options.top = 1;
    for (size_t i = 0; i < capture->variant_count; i++)
        capture->variants[i].result = RL_RESULT_WRONG;
    struct rl_buf pdf = report_with(capture, &options), words = lines_of(&pdf);
    assert_says(&words, "WRONG result: no performance is shown.");
    assert_says_not(&words, "issue slots used 8"); /* a figure */
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

/* Rates of a class whose launches have done different work are of no launch: a dash each, and the reason. By hand: 2 x 250,000
 * accesses of 128 bytes are 64 MB in 61.2 us. */
static void launches_of_different_work_have_no_throughput(void **state)
{
    const struct synthetic_work work = {1e7, 1e9, 8e6, 6.12e-5, synthetic_shape_of("tiled")};
    (void)state;
    for (int mixed = 0; mixed <= 1; mixed++) {
        struct rl_capture *capture = synthetic_empty();
        synthetic_kernel(capture, 0, RL_NONE, "void gemm(float*)", &work);
        if (mixed)
            synthetic_differs(capture, 0);
        struct rl_buf words = say(capture);
        assert_says(&words, mixed ? "shared 64.0 MB –" : "shared 64.0 MB 1.05 TB/s");
        (mixed ? assert_says : assert_says_not)(&words, "passes disagree: smsp__inst_executed.sum");
        rl_buf_release(&words);
    }
}

static void long_names_are_in_full_at_the_end(void **state)
{
    (void)state;
    struct rl_buf words = say(synthetic_program(1));
    assert_says_not(&words, "Kernel names");
    rl_buf_release(&words);
    words = say(synthetic_long_name(280)); /* in its block, over several lines */
    assert_says_not(&words, "Kernel names");
    assert_says(&words, "integral_constant<int, 4>");
    rl_buf_release(&words);
    words = say(synthetic_long_name(2300));
    assert_says(&words, "Kernel names");
    assert_says(&words, "integral_constant<int, 20>");
    rl_buf_release(&words);
    words = say(synthetic_long_name(60000));
    assert_says(&words, "…");
    rl_buf_release(&words);
    struct rl_report_options options = options_for(RL_PAPER_A4);
    options.only = "names";
    struct rl_buf pdf = report_with(synthetic_long_name(2300), &options);
    words = words_of(&pdf);
    assert_says(&words, "integral_constant<int, 20>");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_says_everything),
        cmocka_unit_test(what_limits_it_can_be_changed),
        cmocka_unit_test(most_time_comes_first_and_the_number_is_bounded),
        cmocka_unit_test(kernels_have_pages_by_their_time),
        cmocka_unit_test(many_kernels_make_a_short_report),
        cmocka_unit_test(a_kernel_of_many_shapes_has_one_block),
        cmocka_unit_test(what_takes_next_to_nothing_has_a_line),
        cmocka_unit_test(launches_without_a_time_are_told_of),
        cmocka_unit_test(stalls_are_shown_when_somebody_counted_them),
        cmocka_unit_test(hottest_lines_stand_in_the_block),
        cmocka_unit_test(optional_sets_are_shown_when_collected),
        cmocka_unit_test(without_counters_only_the_launch_is_told),
        cmocka_unit_test(an_unknown_card_has_no_curves),
        cmocka_unit_test(wrong_results_show_no_performance),
        cmocka_unit_test(launches_of_different_work_have_no_throughput),
        cmocka_unit_test(long_names_are_in_full_at_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
