/* Timeline: what the page says, on the first page too, where something is missing, and of hostile names. */
#include "rl_test.h"

#include "core/mem.h"
#include "fixtures/capture.h"
#include "fixtures/synthetic.h"
#include "fixtures/synthetic_program.h"
#include "fixtures/timelines.h"
#include "media/report_tools.h"
#include "page.h"

static struct rl_buf say(struct rl_capture *capture)
{
    struct rl_report_options options = options_for(RL_PAPER_A4);
    options.full = true;
    struct rl_buf pdf = report_with(capture, &options), words = words_of(&pdf);
    assert_good(&pdf);
    rl_buf_release(&pdf);
    return words;
}

static struct rl_capture *inference(void)
{
    struct rl_capture *capture = synthetic_observed();
    sample_inference(capture);
    return capture;
}

static void the_page_says_why_nothing_ran(void **state)
{
    (void)state;
    static const char *const sentences[] = {
        "Timeline",
        "No kernel ran for 21.6 % of 2.00 s wall time while the host did other work before the next launch. "
        "397 ms of it was before launches in the NVTX range request > decode > sample token.",
        "kernels 1.11 s",
        "memcpy, memset alone 103 ms",
        "idle 790 ms",
        "No kernel ran because of (full height: 70 % of the time)",
        "GPU activity in steps of 10.0 ms",
        "Samples of the whole GPU (full height: the roof, or else the maximum)",
        "DRAM read, of 4.92 TB/s",
        "2.43 TB/s 49.4 %",
        "tensor cores",
        "PCIe read, of 63.0 GB/s",
        "Samples of the whole GPU, other processes included, cover 37.3 % of the time, and means are of that part; the longest "
        "time without is from 755 ms to 900 ms.",
        "Time without a kernel belongs to the innermost NVTX range of the next launch.",
        "Gaps by time lost",
        "launch ahead",
        "longer kernels, CUDA graph",
        "Phases by NVTX ranges",
        "prefill",
        "everything else",
        "memcpys under compute",
        "14.9 %",
        "The GPU was idle for 39.5 % of 2.00 s, most of it while the host did other work before the next launch.", /* page 1 */
        "Host-side gap: \u2264 433 ms.",
    };
    struct rl_buf words = say(inference());
    for (size_t i = 0; i < RL_COUNT(sentences); i++)
        assert_says(&words, sentences[i]);
    assert_says_not(&words, "there is no timeline");
    assert_says_not(&words, "of counter collection excluded");
    rl_buf_release(&words);
}

/* Without ranges there are no phases, and nothing is said of where; without a timeline there is no page. */
static void what_is_missing_is_said(void **state)
{
    (void)state;
    struct rl_capture *capture = inference();
    capture->range_count = capture->range_lane_count = capture->range_bin_count = 0;
    for (size_t i = 0; i < capture->timeline_gap_count; i++)
        capture->timeline_gaps[i].range = RL_NONE;
    struct rl_buf words = say(capture);
    assert_says(&words, "Add NVTX ranges to see phases.");
    assert_says(&words, "Add NVTX ranges to see in which part of the program.");
    assert_says_not(&words, "before launches in");
    assert_says_not(&words, "Phases by NVTX ranges");
    rl_buf_release(&words);
    words = say(synthetic_observed());
    assert_says_not(&words, "Timeline");
    assert_says(&words, "so there is no timeline");
    rl_buf_release(&words);
}

/* A capture of before version 13 has the sums alone; ranges without a lane of their own are one. */
static void an_older_capture_has_sums_of_ranges(void **state)
{
    (void)state;
    struct rl_capture *capture = inference();
    capture->range_lane_count = capture->range_bin_count = 0;
    struct rl_buf words = say(capture);
    assert_says(&words, "Only sums of NVTX ranges were recorded");
    rl_buf_release(&words);
}

/* Everything at once is still one picture on a page. */
static void all_lanes_fit_a_page(void **state)
{
    (void)state;
    struct rl_capture *capture = inference();
    const uint64_t ns[] = {4000000, 3000000};
    for (unsigned lane = RL_LANE_TO_DEVICE; lane <= RL_LANE_UNWATCHED; lane++)
        sample_lane(capture, (enum rl_lane)lane, RL_NONE, ns, RL_COUNT(ns));
    struct rl_report_options options = options_for(RL_PAPER_A4);
    options.full = true;
    struct rl_buf pdf = report_with(capture, &options), words = words_of(&pdf), text = RL_BUF_INIT;
    assert_says(&words, "memset");
    assert_says(&words, "unknown");
    if (pdf_text(&pdf, &text)) {
        const char *caption = strstr(text.data, "GPU activity in steps"), *page = caption;
        assert_non_null(caption);
        while (page > text.data && page[-1] != '\f')
            page--;
        const char *heading = strstr(page, "Timeline"), *last = strstr(page, "Time since the first activity");
        assert_non_null(heading);
        assert_true(heading < last && last < caption);
    }
    rl_buf_release(&text);
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

/* A few dots on empty lanes would say less than the sentence. */
static void few_samples_have_no_lanes(void **state)
{
    (void)state;
    struct rl_capture *capture = inference();
    for (size_t i = 0; i < capture->sampled_bin_count; i++)
        capture->sampled_bins[i].covered_ns /= 100;
    for (size_t i = 0; i < capture->sampled_lane_count; i++)
        capture->sampled_lanes[i].covered_ns /= 100;
    struct rl_buf words = say(capture);
    assert_says(&words, "Samples of the whole GPU cover 0.372 % of the time, too little for lanes: rooflight show --timeline has "
                        "them.");
    assert_says_not(&words, "Samples of the whole GPU (full height");
    assert_says_not(&words, "DRAM read, of");
    rl_buf_release(&words);
}

/* What one process leaves idle another one may use: no strip, no finding, and the page says so. */
static void a_shared_gpu_is_told_as_such(void **state)
{
    (void)state;
    struct rl_capture *capture = inference();
    sample_process(capture, &(struct sample_process){.pid = 5, .command = "other", .end = "exited", .phases = "one run"});
    *rl_capture_add_process_gpu(capture, 1) = (struct rl_process_gpu){0, 40000000, 10000000, 10000000};
    struct rl_buf words = say(capture);
    assert_says(&words, "Timeline, process 4711");
    assert_says(&words, "Other processes used the GPU meanwhile: their activity is not included.");
    assert_says_not(&words, "host-side gap: at most");
    assert_says_not(&words, "Height: how much of each step of time it was.");
    rl_buf_release(&words);
}

/* Which GPU it was needs saying only where there are several. */
static void the_gpu_is_named_beside_others(void **state)
{
    (void)state;
    struct rl_capture *capture = inference();
    struct rl_gpu *other = rl_capture_add_gpu(capture);
    other->name = capture->gpus[0].name;
    other->index = 1;
    struct rl_buf words = say(capture);
    assert_says(&words, "Timeline, GPU 0");
    rl_buf_release(&words);
    words = say(inference());
    assert_says_not(&words, "Timeline, GPU 0");
    rl_buf_release(&words);
}

/* Names of ranges are text wherever they stand; counter passes are grey and no idle time. */
static void hostile_names_and_counter_passes(void **state)
{
    (void)state;
    struct rl_capture *capture = inference();
    const uint64_t pass[] = {1000000, 4000000};
    capture->ranges[capture->range_count - 1].name = rl_capture_text(capture, "%s \\n `decode` $(rm) \x1b[31m");
    sample_lane(capture, RL_LANE_UNWATCHED, RL_NONE, pass, RL_COUNT(pass));
    sample_gap(capture, RL_LANE_UNWATCHED, RL_NONE, 1, 5000000);
    struct rl_buf words = say(capture);
    assert_says(&words, "counter collection 5.00 ms");
    assert_says(&words, "(rm)");
    rl_buf_release(&words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_says_why_nothing_ran),    cmocka_unit_test(what_is_missing_is_said),
        cmocka_unit_test(an_older_capture_has_sums_of_ranges),   cmocka_unit_test(all_lanes_fit_a_page),
        cmocka_unit_test(a_shared_gpu_is_told_as_such),     cmocka_unit_test(the_gpu_is_named_beside_others),
        cmocka_unit_test(hostile_names_and_counter_passes), cmocka_unit_test(few_samples_have_no_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
