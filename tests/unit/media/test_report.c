/* The report as a whole: what is in it, on the synthetic suite and on strange captures. */
#include "rl_test.h"

#include "core/mem.h"
#include "core/utf8.h"
#include "fixtures/capture.h"
#include "fixtures/links.h"
#include "fixtures/ranks.h"
#include "fixtures/synthetic_program.h"
#include "fixtures/timelines.h"
#include "kernels.h"
#include "media/report_tools.h"
#include "page.h"

/* ---- the suite ---- */

/* A copy of the report of the unchanged suite, which is made once; the caller releases it. */
static struct rl_buf suite_report(void)
{
    static struct rl_buf made = RL_BUF_INIT;
    struct rl_buf copy = RL_BUF_INIT;
    if (made.len == 0)
        made = report_of(synthetic_suite(), RL_PAPER_A4);
    rl_buf_add(&copy, made.data, made.len);
    return copy;
}

static void the_suite_makes_a_good_document(void **state)
{
    (void)state;
    struct rl_buf pdf = suite_report();
    assert_good(&pdf);
    assert_true(pdf_holds(&pdf, "595.276 841.89"));
    rl_buf_release(&pdf);
}

static void the_suite_fits_letter_too(void **state)
{
    (void)state;
    struct rl_buf pdf = report_of(synthetic_suite(), RL_PAPER_LETTER);
    assert_good(&pdf);
    assert_true(pdf_holds(&pdf, "612 792"));
    rl_buf_release(&pdf);
}

static void everything_has_its_place(void **state)
{
    (void)state;
    struct rl_buf pdf = suite_report(), words = words_of(&pdf);
    const char *const sentences[] = {
        SYNTHETIC_CARD,
        "Kernels reach up to",
        "Deviations",
        "Claims: ",
        "Health of the GPU",
        "page 1 of ",
        "Roofs",
        "Readings of the GPU",
        "Arithmetic intensity, FLOP per byte of DRAM traffic", /* of the chart: its text is text */
        "memory-bound",
        "Experiments at a glance",
        ": speedup ",
        "What does a stride between neighbouring threads cost?",
        "sectors per request (load)",
        "Session",
        "Metrics",
        "Formulas over counters",
        "synthetic.rlcap",
        "capture " /* short hash in the footer */,
    };
    for (size_t i = 0; i < RL_COUNT(sentences); i++)
        assert_says(&words, sentences[i]);
    for (size_t i = 0; i < rl_suite_count; i++) {
        assert_says(&words, rl_suite[i].name);
        for (const struct rl_suite_variant *v = rl_suite[i].variants; v->name; v++)
            assert_says(&words, v->name);
    }
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

/* What leads to no decision is in the full report alone. */
static void the_whole_suite_is_told_in_brief(void **state)
{
    (void)state;
    static const char *const left_out[] = {
        "Counters against the work model",
        "DRAM bytes / model",
        "Source of the claims",
    };
    struct rl_buf brief = suite_report(), full = full_report_of(synthetic_measured(), RL_PAPER_A4);
    struct rl_buf words = words_of(&brief), all = words_of(&full);
    assert_true(pdf_pages(&brief) < pdf_pages(&full));
    for (size_t i = 0; i < RL_COUNT(left_out); i++) {
        assert_says_not(&words, left_out[i]);
        assert_says(&all, left_out[i]);
    }
    rl_buf_release(&all);
    rl_buf_release(&words);
    rl_buf_release(&full);
    rl_buf_release(&brief);
}

/* Ranks 0 to `count` - 1 in one capture, of which rank 5 is slow. */
static struct rl_capture *ranks_of(int count)
{
    struct rl_capture **captures = rl_calloc((size_t)count, sizeof(struct rl_capture *));
    for (int i = 0; i < count; i++) {
        const struct sample_rank of = sample_rank_of(i, 5);
        captures[i] = sample_rank_capture(&of);
    }
    struct rl_capture *merged = rl_capture_merge(captures, (size_t)count);
    for (int i = 0; i < count; i++)
        rl_capture_free(captures[i]);
    free(captures);
    return merged;
}

static struct rl_capture *published_suite(void)
{
    struct rl_capture *capture = synthetic_empty();
    synthetic_filler(capture, 3, 4);
    capture->session.source = rl_capture_text(capture, "published");
    return capture;
}

/* Nothing is said of what was not published: no health, no ceilings, no dashes for counters. */
static void published_figures_take_one_page(void **state)
{
    (void)state;
    struct rl_buf pdf = report_of(published_suite(), RL_PAPER_A4), words = words_of(&pdf);
    struct rl_buf full = full_report_of(published_suite(), RL_PAPER_A4), all = words_of(&full);
    assert_good(&pdf);
    assert_int_equal(pdf_pages(&pdf), 1);
    assert_true(pdf_pages(&full) > 1);
    static const char *const left_out[] = {"Health of the GPU", "Experiments at a glance", "Method and provenance"};
    for (size_t i = 0; i < RL_COUNT(left_out); i++)
        assert_says_not(&words, left_out[i]);
    assert_says(&all, "Method and provenance");
    assert_says(&words, "imported, not measured by rooflight");
    assert_says(&words, "Sources");
    assert_says(&words, "Not judged");
    rl_buf_release(&all);
    rl_buf_release(&full);
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

static void every_page_is_shown_where_it_belongs(void **state)
{
    (void)state;
    struct rl_report_options options = options_for(RL_PAPER_A4);
    options.full = true;
    struct rl_buf suite = report_with(synthetic_measured(), &options), nothing = report_of(synthetic_empty(), RL_PAPER_A4);
    struct rl_capture *observed = synthetic_observed();
    sample_machine_links(observed, &(struct sample_machine){.gpus = 2, .together = 1});
    sample_inference(observed);
    for (size_t i = 0; i < 3; i++) {
        static const char *const names[] = {"gemm M=256", "gemm M=512", "gemm M=1024"};
        sample_range(observed, 0, RL_NONE, NULL, names[i], 1000);
        sample_instances(observed, observed->range_count - 1, 1000 * (double)(i + 1), 8);
    }
    struct rl_buf program = report_of(observed, RL_PAPER_A4);
    options.notes = "";
    struct rl_buf long_name = report_with(synthetic_long_name(500), &options), outlines = RL_BUF_INIT;
    struct rl_buf several = report_of(ranks_of(2), RL_PAPER_A4), published = report_of(published_suite(), RL_PAPER_A4);
    int status = pdf_tool(&suite, &outlines, "qpdf", "--json", "--json-key=outlines", "@");
    status += pdf_tool(&nothing, &outlines, "qpdf", "--json", "--json-key=outlines", "@");
    status += pdf_tool(&program, &outlines, "qpdf", "--json", "--json-key=outlines", "@");
    status += pdf_tool(&several, &outlines, "qpdf", "--json", "--json-key=outlines", "@");
    status += pdf_tool(&published, &outlines, "qpdf", "--json", "--json-key=outlines", "@");
    status += pdf_tool(&long_name, &outlines, "qpdf", "--json", "--json-key=outlines", "@");
    for (int id = 0; id < RL_PAGE_COUNT && status == 0; id++)
        if (!strstr(outlines.data, rl_pages[id].title))
            fail_msg("page '%s' has no bookmark in any report", rl_pages[id].title);
    rl_buf_release(&outlines);
    rl_buf_release(&program);
    rl_buf_release(&several);
    rl_buf_release(&published);
    rl_buf_release(&long_name);
    rl_buf_release(&suite);
    rl_buf_release(&nothing);
}

static void ranks_have_their_page_first(void **state)
{
    (void)state;
    struct rl_buf pdf = report_of(ranks_of(8), RL_PAPER_A4), words = words_of(&pdf);
    assert_good(&pdf);
    static const char *const sentences[] = {
        "8 ranks on 2 hosts. Rank 5 is the slowest: its own kernels took",
        "against a mean of 10.4 ms, an imbalance of 25.4 %.",
        "What makes rank 5 slower than rank 4, the median",
        "collectives: waiting for other ranks",
        "Every rank",
        "Pages of single GPUs follow for the slowest and the median rank, 5 and 4",
    };
    for (size_t i = 0; i < RL_COUNT(sentences); i++)
        assert_says(&words, sentences[i]);
    assert_null(strstr(words.data, "Hardware, rank 0"));
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

/* Cards that are alike have one page; one that differs has its own. */
static void cards_of_ranks_have_pages_where_they_differ(void **state)
{
    (void)state;
    struct rl_capture *capture = ranks_of(4);
    capture->gpus[2].fact[RL_FACT_power_limit_w] = rl_value_of(600);
    struct rl_report_options options = options_for(RL_PAPER_A4);
    options.full = true;
    struct rl_buf pdf = report_with(capture, &options), words = words_of(&pdf);
    assert_says(&words, "Hardware, ranks 0, 1, 3");
    assert_says(&words, "Hardware, rank 2");
    assert_null(strstr(words.data, "Hardware, rank 1"));
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

/* Hundreds of ranks do not make hundreds of pages. */
static void many_ranks_make_a_short_document(void **state)
{
    (void)state;
    struct rl_buf pdf = report_of(ranks_of(300), RL_PAPER_A4), words = words_of(&pdf);
    assert_good(&pdf);
    assert_true(pdf_pages(&pdf) < 25);
    assert_says(&words, "Time by rank: the slowest, those around the median, the fastest.");
    assert_says(&words, "The slowest, those around the median and the fastest of 300 ranks.");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

static void a_program_has_its_page(void **state)
{
    (void)state;
    struct rl_report_options options = options_for(RL_PAPER_A4);
    options.full = true;
    struct rl_buf pdf = report_with(synthetic_observed(), &options), words = words_of(&pdf);
    assert_good(&pdf);
    static const char *const sentences[] = {
        "303 launches of 3 configurations took 10.0 ms of GPU time; gemm takes 60.0 % of it, and half of it is in 1 configuration.",
        "counters cover 90.0 % of GPU time, 9.00 ms of 10.0 ms: 6 of 303 launches",
        "the filters left out 7 launches, 70.0",
        "75.0", /* idle */
        "a collective kernel waits for its peers",
        "not of all kernels", /* the counters, in the health of the card */
        "forward (hostile: %s \\n)",
        "nccl@reduce",
        "python3 train.py --steps 50",
        "exit status 0",
        "Counter passes are left out", /* of the GPU's time */
        "GPU work may go on after it", /* in the host time of ranges */
        "Times are of launches as the program made them",
        "53.4", /* GB/s, the fastest copy */
    };
    for (size_t i = 0; i < RL_COUNT(sentences); i++)
        assert_says(&words, sentences[i]);
    assert_says_not(&words, "repeated after warm-up");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

/* The title is what was run, not what runs it, unless that is not told. */
static void a_program_is_titled_by_its_name(void **state)
{
    (void)state;
    static const char *const rows[][2] = {{"python3 -u gpu/train.py --steps 50", "train.py "},
                                          {"python3 <sha256:da2456d2:32> --steps 50", "python3 python3 "},
                                          {"solver [secret]", "solver "}};
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_capture *capture = synthetic_observed();
        capture->processes[0].command = rl_capture_text(capture, rows[i][0]);
        struct rl_buf pdf = report_of(capture, RL_PAPER_A4), words = words_of(&pdf);
        assert_memory_equal(words.data, rows[i][1], strlen(rows[i][1]));
        rl_buf_release(&words);
        rl_buf_release(&pdf);
    }
}

/* No launch of the third class was timed, and none at all while counters were taken: a time of 0 is no time. */
static void a_class_without_a_time_has_none(void **state)
{
    struct rl_capture *capture = synthetic_observed();
    (void)state;
    capture->kernels[2].total_ns = capture->kernels[2].duration_count = 0;
    capture->uses[2].timed = 0;
    capture->processes[0].untimed = 0;
    struct rl_buf pdf = report_of(capture, RL_PAPER_A4), words = words_of(&pdf);
    assert_good(&pdf);
    assert_says(&words, "no launch was timed");
    assert_says(&words, "The GPU was idle for 75.0 % of 40.0 ms.");
    assert_says_not(&words, "0 s 0 %");
    assert_says_not(&words, "oments in which counters were read");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

static void the_same_capture_gives_the_same_bytes(void **state)
{
    (void)state;
    struct rl_buf first = suite_report(), second = report_of(synthetic_suite(), RL_PAPER_A4);
    assert_int_equal(first.len, second.len);
    assert_memory_equal(first.data, second.data, first.len);
    assert_true(pdf_holds(&first, "/CreationDate (D:20261121103040"));
    rl_buf_release(&first);
    rl_buf_release(&second);
}

static void all_fonts_are_embedded(void **state)
{
    (void)state;
    struct rl_buf pdf = suite_report(), list = RL_BUF_INIT;
    if (pdf_tool(&pdf, &list, "pdffonts", "@", NULL, NULL) == 0) {
        assert_true(occurrences(list.data, "Identity-H") >= 3);
        assert_int_equal(occurrences(list.data, "yes yes yes"), occurrences(list.data, "Identity-H"));
        assert_int_equal(occurrences(list.data, "\n"),
                         2 + occurrences(list.data, "Identity-H")); /* a head of two lines, and no other font */
    }
    rl_buf_release(&list);
    rl_buf_release(&pdf);
}

static void the_capture_is_attached(void **state)
{
    (void)state;
    struct rl_buf pdf = suite_report(), back = RL_BUF_INIT;
    if (pdf_tool(&pdf, &back, "qpdf", "--show-attachment=synthetic.rlcap", "@", NULL) == 0)
        assert_string_equal(back.data, attachment);
    rl_buf_release(&back);
    rl_buf_release(&pdf);
}

static void the_document_is_appended(void **state)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf out = RL_BUF_INIT;
    (void)state;
    struct rl_capture *capture = synthetic_empty();
    struct rl_analysis *analysis = rl_analysis_new(capture);
    struct rl_report_options options = options_for(RL_PAPER_A4);
    rl_buf_adds(&out, "before");
    assert_int_equal(rl_report_make(analysis, &options, &out, &err), RL_OK);
    assert_memory_equal(out.data, "before%PDF-1.7\n", 15);
    rl_buf_release(&out);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* Verdicts by hand from the shapes: serial over unrolled4 is 3.75 (8.47 claimed), unrolled4 loads 128 bytes (512 claimed). */
static void what_matters_comes_first(void **state)
{
    (void)state;
    struct rl_capture *capture = synthetic_suite();
    capture->session.complete = false;
    struct rl_buf pdf = report_of(capture, RL_PAPER_A4), text = RL_BUF_INIT;
    const char *cover = page_of(&text, &pdf, "Deviations");
    if (cover) {
        assert_non_null(strstr(cover, "did not run to its end"));
        assert_non_null(strstr(cover, "Claims: "));
        assert_null(strstr(cover, "Uncoalesced")); /* variants are slow on purpose */
    }
    rl_buf_release(&text);
    rl_buf_release(&pdf);
}

/* Of many readings those that stand out, in order of time, and of how many they are. */
static void readings_that_stand_out_are_shown(void **state)
{
    (void)state;
    struct rl_capture *capture = synthetic_suite(); /* before, at 34 C; after, at 51 C and 48.3 s */
    struct rl_gpu *gpu = &capture->gpus[0];
    for (int i = 0; i < 10; i++)
        synthetic_moment(capture, 0, "during", 50000000000 + i * 1000000000LL, 40 + i);
    gpu->moments[5].reading[RL_READING_sm_clock_hz] = rl_value_of(1.2e9);  /* 53 s */
    gpu->moments[7].reading[RL_READING_power_w] = rl_value_of(777);        /* 55 s */
    gpu->moments[9].reading[RL_READING_throttle_reasons] = rl_value_of(4); /* 57 s */
    struct rl_buf pdf = report_of(capture, RL_PAPER_A4), words = words_of(&pdf);
    static const char *const times[] = {"0.1 s", "48.3 s", "53.0 s", "55.0 s", "57.0 s", "59.0 s"};
    for (size_t i = 0; i < RL_COUNT(times); i++)
        assert_says(&words, times[i]);
    assert_says_not(&words, "50.0 s");
    assert_says(&words, "4, power limit");
    assert_says(&words, "777");
    assert_says(&words, "6 of 12 readings: the first, the last, and (in bold)");
    assert_says(&words, "(power limit) in 1 of 12 readings of the GPU.");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

/* A reading before or after says little of the time between; one pass has no spread. */
static void a_state_that_was_not_watched_is_not_called_good(void **state)
{
    (void)state;
    struct rl_capture *capture = synthetic_program(1);
    struct rl_buf pdf = report_of(capture, RL_PAPER_A4), words = words_of(&pdf);
    assert_says(&words, "checks passed");
    assert_says_not(&words, "13 of 13 checks passed");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
    capture = synthetic_program(1);
    capture->gpus[0].moment_count = 1;
    capture->gpus[0].moments[0].moment = rl_capture_text(capture, "after");
    pdf = report_of(capture, RL_PAPER_A4), words = words_of(&pdf);
    assert_says(&words, "without data");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

static void experiments_are_told_at_a_glance(void **state)
{
    (void)state;
    struct rl_buf pdf = suite_report(), text = RL_BUF_INIT;
    const char *page = page_of(&text, &pdf, "Experiments at a glance\n");
    for (size_t i = 0; i < rl_suite_count && page; i++)
        if (!strstr(page, rl_suite[i].name))
            fail_msg("%s is not there", rl_suite[i].name);
    if (page) {
        const char *row = strstr(page, "coalescing");
        assert_non_null(row);
        assert_non_null(strstr(row, "stride_1 "));
        assert_non_null(strstr(row, "4.48"));
        assert_non_null(strstr(row, "8.20")); /* stride_1 moves 1/1, stride_32 1/8 of what it asks for, and each waits 2 us more */
        row = strstr(page, "divergence");     /* other kernels, other work */
        assert_non_null(row);
        assert_in_range(strstr(row, "different work") - row, 1, 60);
    }
    rl_buf_release(&text);
    rl_buf_release(&pdf);
}

static void one_experiment_needs_no_table_of_them(void **state)
{
    (void)state;
    struct rl_capture *capture = synthetic_empty();
    synthetic_filler(capture, 0, 3);
    struct rl_buf pdf = report_of(capture, RL_PAPER_A4), words = words_of(&pdf);
    assert_good(&pdf);
    assert_says_not(&words, "at a glance");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

static void verdicts_are_said_once(void **state)
{
    (void)state;
    struct rl_buf pdf = suite_report(), words = words_of(&pdf);
    assert_says(&words, "Fails: Four independent loads make the loop 8.47 times as fast");
    assert_says(&words, "unrolled4 has a speedup of 3.75 over serial");
    assert_says(&words, "Holds: ");
    assert_says_not(&words, "`");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

static struct rl_capture *sample(void)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_capture *capture = NULL;
    if (rl_capture_read(RL_SOURCE_DIR "/samples/h200.rlcap", &capture, &err) != RL_OK)
        fail_msg("%s", err.text);
    return capture;
}

/* arithmetic_divergent fills the issue slots with instructions of half a warp, and kernels of the self check measure the card. */
static void what_is_slow_on_purpose_is_not_the_best(void **state)
{
    (void)state;
    struct rl_report_options options = options_for(RL_PAPER_A4);
    struct rl_buf pdf = report_with(sample(), &options), words = words_of(&pdf);
    assert_says(&words, "Closest to its roof: vector_width / float4, at 100 %, limited by DRAM bandwidth.");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

/* They follow one another: about a page for each, also with what each variant is. */
static void experiments_share_pages(void **state)
{
    (void)state;
    struct rl_report_options options = options_for(RL_PAPER_A4);
    struct rl_capture *capture = sample();
    options.only = "experiment";
    size_t experiments = capture->experiment_count;
    struct rl_buf pdf = report_with(capture, &options), words = words_of(&pdf);
    assert_in_range(pdf_pages(&pdf), experiments / 2, experiments * 9 / 8);
    assert_says(&words, "array100: An array of 100 floats in which each element needs only the one before it.");
    assert_says(&words, "lean is best at 100 %, live128 worst at 37.5 %.");
    assert_says(&words, "The lean kernel uses 8 registers per thread (NVIDIA A100-SXM4-40GB: 8; here 12).");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

static size_t variant_named(const struct rl_capture *capture, const char *name)
{
    for (size_t i = 0; i < capture->variant_count; i++)
        if (strcmp(capture->variants[i].name, name) == 0)
            return i;
    fail_msg("no variant %s", name);
    return 0;
}

/* Whether the claim of 90 % holds is not known any more: the variant takes as much longer. */
static void make_undecided(struct rl_capture *capture)
{
    const size_t variant = variant_named(capture, "tiled_padded");
    for (size_t k = 0; k < capture->kernel_count; k++)
        for (size_t i = 0; capture->kernels[k].variant == variant && i < capture->kernels[k].duration_count; i++)
            capture->kernels[k].duration_ns[i] = (uint64_t)((double)capture->kernels[k].duration_ns[i] * 0.9312 / 0.9);
}

static void claims_are_counted_on_the_cover(void **state)
{
    (void)state;
    struct rl_report_options options = options_for(RL_PAPER_A4);
    options.only = "cover";
    struct rl_capture *capture = sample();
    make_undecided(capture);
    struct rl_buf pdf = report_with(capture, &options), words = words_of(&pdf);
    assert_words_apart(&pdf);
    assert_says(&words, "21 of 25 published directions (1 undecided), 15 of 15 expectations of ours.");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

/* A crowd leaves labels of roofs no room for the share of theory: the table of roofs has it, and the caption does not repeat it. */
static void ceilings_say_what_they_are_worth(void **state)
{
    static const char *const sentences[] = {"97.9", "99.8", "99.1", "99.5"};
    (void)state;
    struct rl_report_options options = options_for(RL_PAPER_A4);
    options.only = "ceilings,roofline";
    struct rl_buf pdf = report_with(sample(), &options), words = words_of(&pdf);
    for (size_t i = 0; i < RL_COUNT(sentences); i++)
        assert_says(&words, sentences[i]);
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

/* A hundred times the DRAM traffic of a variant (NULL: of all). */
static void put_above_roof(struct rl_capture *capture, const char *name)
{
    const size_t variant = name ? variant_named(capture, name) : RL_NONE;
    for (size_t k = 0; k < capture->kernel_count; k++)
        for (size_t i = 0; (!name || capture->kernels[k].variant == variant) && i < capture->kernels[k].counter_count; i++) {
            if (strncmp(capture->kernels[k].counters[i].name, "dram__bytes_", 12) == 0)
                capture->kernels[k].counters[i].value.v = capture->kernels[k].counters[i].value.v * 100 + 1e12;
            if (strncmp(capture->kernels[k].counters[i].name, "lts__t_sectors_", 15) == 0) /* which that would contradict */
                capture->kernels[k].counters[i].value = rl_value_missing(RL_NOT_COLLECTED, NULL);
        }
}

/* Before any rate: 10 of 40 ms busy; 6 of 10 ms in gemm, whose 1e9 operations take the lanes of FP32 for 56.5 % of its time, and 3
 * in softmax; the collective kernel was not counted. */
static void the_cover_of_a_program_says_where_time_went(void **state)
{
    static const char *const sentences[] = {
        "The GPU was idle for 75.0 % of 40.0 ms.",
        "100 % of the 10.0 ms in kernels has an unknown limiter.",
        "GPU idle: \u2264 30.0 ms. The GPU was idle for 75.0 %",
        "kernels, limiter unknown",
        "time budget",
    };
    (void)state;
    struct rl_report_options options = options_for(RL_PAPER_A4);
    options.only = "cover";
    struct rl_capture *capture = synthetic_observed();
    synthetic_ceilings(capture);
    struct rl_buf pdf = report_with(capture, &options), words = words_of(&pdf);
    assert_good(&pdf);
    for (size_t i = 0; i < RL_COUNT(sentences); i++)
        assert_says(&words, sentences[i]);
    assert_says_not(&words, "Device memory delivers");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
    capture = synthetic_observed();
    capture->session.counters = rl_capture_text(capture, "not permitted");
    pdf = report_with(capture, &options), words = words_of(&pdf);
    assert_says(&words, "what limits gemm (6.00 ms). There are no counters: not permitted; rooflight doctor has the remedy.");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

/* What is not to be relied on is no result. */
static void points_above_a_roof_are_no_headline(void **state)
{
    (void)state;
    struct rl_report_options options = options_for(RL_PAPER_A4);
    options.only = "cover";
    struct rl_capture *capture = sample();
    capture->ceiling_count = 0;      /* otherwise the page is about the card */
    put_above_roof(capture, "512m"); /* the fastest one otherwise, but for the self check, which is no result */
    struct rl_buf pdf = report_with(capture, &options), words = words_of(&pdf);
    assert_says(&words, "Kernels reach up to 4.60 TB/s");
    assert_says_not(&words, "512m)");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
    capture = synthetic_observed();
    put_above_roof(capture, NULL);
    pdf = report_with(capture, &options), words = words_of(&pdf);
    assert_says(&words, "collect --ceilings full measures the roofs again.");
    assert_says_not(&words, "below the roof");
    assert_says_not(&words, "reach up to");
    assert_says_not(&words, "best DRAM rate");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
    capture = synthetic_program(2); /* kernels that another tool has measured */
    put_above_roof(capture, NULL);
    pdf = report_with(capture, &options), words = words_of(&pdf);
    assert_says(&words, "kernels were timed; the counters put them above a roof, so roofs or counters are in doubt.");
    assert_says_not(&words, "reach up to");
    assert_says_not(&words, "best DRAM rate");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

/* Matrices are held against the roof of their type, never against that of FP32: 730 TFLOP/s are 73 % or so of the card's 1 PFLOP/s,
 * and the sentence on top is of that roof, not of a tenth of the DRAM's. */
static void matrices_are_held_against_their_roof(void **state)
{
    (void)state;
    struct rl_report_options options = options_for(RL_PAPER_A4);
    options.only = "cover";
    struct rl_capture *capture = synthetic_program(2); /* kernels that another tool has measured */
    capture->ceiling_count = 0;
    for (size_t k = 0; k < 2; k++) {
        static const uint64_t ns[] = {1000000, 1000000, 1000000};
        capture->kernels[k].duration_count = 0;
        sample_times(capture, k, ns, RL_COUNT(ns));
        sample_set(capture, k, "flop_fp32", rl_value_of(0));
        sample_set(capture, k, "flop_tensor", rl_value_of(7.3e11));
        sample_set(capture, k, "flop_tensor_fp16", rl_value_of(7.3e11));
        sample_set(capture, k, "dram_bytes", rl_value_of(3e8));
    }
    struct rl_buf pdf = report_with(capture, &options), words = words_of(&pdf);
    assert_says(&words, "of that of tensor");
    assert_says_not(&words, ", FP32 ");
    assert_says_not(&words, "Kernels reach up to");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

/* As on the cover. */
static void answers_are_told_apart_from_claims(void **state)
{
    (void)state;
    struct rl_report_options options = options_for(RL_PAPER_A4);
    options.only = "overview";
    struct rl_buf pdf = report_with(sample(), &options), words = words_of(&pdf);
    assert_says(&words, "16 of 38 published figures hold (3 exceeded, 2 undecided), 22 of 25 published directions, ");
    assert_says(&words, "44 of 44 answers of the self check are correct");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

/* A section asked for alone says what it says among all, but for the pages of what is not there. */
static void sections_alone_say_the_same(void **state)
{
    static const struct {
        const char *only, *says;
    } known[] = {
        {"overview", "transpose"},
        {"overview", "ratio"},
        {"overview,experiment", "page"},
        {"cover", "Deviations"},
        {"cover", "31 experiments with 193 variants"},
    };
    (void)state;
    struct rl_report_options options = options_for(RL_PAPER_A4);
    for (size_t i = 0; i < RL_COUNT(known); i++) {
        options.only = known[i].only;
        struct rl_buf pdf = report_with(sample(), &options), words = words_of(&pdf);
        assert_says(&words, known[i].says);
        rl_buf_release(&words);
        rl_buf_release(&pdf);
    }
}

/* ---- strange captures ---- */

static void an_empty_capture_says_why(void **state)
{
    (void)state;
    struct rl_capture *capture = synthetic_empty();
    rl_capture_log(capture, 0, RL_LOG_ERROR, "%s", "the program ended with status 3");
    struct rl_buf pdf = report_of(capture, RL_PAPER_A4), words = words_of(&pdf);
    assert_good(&pdf);
    assert_says(&words, "This capture holds no kernel");
    assert_says(&words, "the program ended with status 3");
    assert_says(&words, "rooflight collect -o \xE2\x80\x98synthetic capture.rlcap\xE2\x80\x99");
    assert_int_equal(pdf_pages(&pdf), 1);
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

static void a_capture_without_a_gpu_is_laid_out(void **state)
{
    (void)state;
    struct rl_capture *capture = rl_capture_new();
    synthetic_session(capture);
    capture->session.complete = false;
    struct rl_buf pdf = report_of(capture, RL_PAPER_LETTER), words = words_of(&pdf);
    assert_good(&pdf);
    assert_says(&words, "did not run to its end");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

/* One kernel of a program on a measured card. */
static struct rl_capture *one_kernel(void)
{
    struct rl_capture *capture = synthetic_observed();
    synthetic_ceilings(capture);
    while (capture->kernel_count > 1) /* the arrays stay what they are */
        free(capture->kernels[--capture->kernel_count].counters);
    capture->use_count = 1;
    capture->range_count = 1;
    rl_capture_log(capture, 1500000000, RL_LOG_NOTE, "%s", "roofs took 3.1 s");
    return capture;
}

/* A few pages, and nothing that matters is missing. */
static void one_kernel_makes_few_pages(void **state)
{
    static const char *const sentences[] = {
        "1 gemm",
        "Limiter unknown: ",
        "56.9", /* % of its nearest roof: the instructions, one for every 32 operations and more */
        "Health of the GPU",
        "100 launches of gemm, the only configuration, took 6.00 ms of GPU time.",
        "100 % theoretical.",
        "rooflight collect -o \xE2\x80\x98synthetic capture.rlcap\xE2\x80\x99",
        "Definitions and sources",
    };
    (void)state;
    for (enum rl_paper paper = RL_PAPER_A4; paper <= RL_PAPER_LETTER; paper++) {
        struct rl_buf pdf = report_of(one_kernel(), paper), words = words_of(&pdf);
        assert_good(&pdf);
        assert_in_range(pdf_pages(&pdf), 2, 4);
        for (size_t i = 0; i < RL_COUNT(sentences); i++)
            assert_says(&words, sentences[i]);
        rl_buf_release(&words);
        rl_buf_release(&pdf);
    }
}

/* Another tool has printed the time and the DRAM traffic of one kernel on a T4, whose shape it did not tell: the roofs that the
 * chip has are there, those that it lacks are not, and what is not known is not zero. */
static void what_another_tool_leaves_out_is_not_zero(void **state)
{
    static const char *const has[] = {"FP16 FMA",
                                      "tensor FP16",
                                      "tensor INT8",
                                      "grid unknown · block unknown",
                                      "shared memory unknown",
                                      "Theoretical occupancy: 37.5 %",
                                      "a table"};
    static const char *const lacks[] = {"tensor BF16", "tensor TF32", "tensor FP8", "BF16 FMA", "0 × 0 × 0", "Passes by"};
    (void)state;
    struct rl_capture *capture = one_kernel();
    struct rl_kernel *kernel = &capture->kernels[0];
    capture->session.source = rl_capture_text(capture, "ncu");
    capture->gpus[0].chip = rl_capture_text(capture, "TU104");
    capture->gpus[0].cc_major = 7;
    capture->gpus[0].cc_minor = 5;
    capture->ceiling_count = 0;
    for (size_t i = 0; i < capture->pass_count; i++) {
        capture->passes[i].mode = rl_capture_text(capture, "imported");
        capture->passes[i].cache = rl_capture_text(capture, "unknown");
        capture->passes[i].configuration = rl_capture_text(capture, "a table");
    }
    memset(kernel->grid, 0, sizeof kernel->grid);
    memset(kernel->block, 0, sizeof kernel->block);
    kernel->dynamic_shared_bytes = 0;
    kernel->static_shared_bytes = rl_value_missing(RL_NOT_COLLECTED, NULL);
    kernel->counter_count = 0;
    *rl_capture_add_counter(capture, 0) = (struct rl_counter){
        .kind = RL_METRIC_VALUE, .name = rl_capture_text(capture, "theoretical_occupancy"), .value = rl_value_of(0.375)};
    struct rl_report_options options = options_for(RL_PAPER_A4);
    options.full = true;
    struct rl_buf pdf = report_with(capture, &options), words = words_of(&pdf);
    assert_good(&pdf);
    for (size_t i = 0; i < RL_COUNT(has); i++)
        assert_says(&words, has[i]);
    for (size_t i = 0; i < RL_COUNT(lacks); i++)
        assert_says_not(&words, lacks[i]);
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

/* Who asks for a section gets all of it. */
static void sections_asked_for_are_whole(void **state)
{
    (void)state;
    struct rl_report_options options = options_for(RL_PAPER_A4);
    options.only = "ceilings,roofline";
    struct rl_buf pdf = report_with(one_kernel(), &options), words = words_of(&pdf);
    assert_says(&words, "Roofline");
    assert_says(&words, "tensor BF16");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

static void four_hundred_kernels_break_over_pages(void **state)
{
    (void)state;
    struct rl_buf pdf = report_of(synthetic_program(400), RL_PAPER_A4), words = words_of(&pdf);
    assert_good(&pdf);
    assert_true(pdf_pages(&pdf) >= 9);
    assert_says(&words, "340 more: rooflight show --full.");
    assert_says(&words, "that take the most time");
    rl_buf_release(&pdf);
}

static void without_counters_the_gaps_are_stated(void **state)
{
    (void)state;
    struct rl_capture *capture = synthetic_suite();
    capture->session.counters = rl_capture_text(capture, "not permitted: the driver keeps counters to administrators");
    for (size_t i = 0; i < capture->kernel_count; i++)
        capture->kernels[i].counter_count = 0;
    struct rl_buf pdf = full_report_of(capture, RL_PAPER_A4), words = words_of(&pdf);
    assert_good(&pdf);
    assert_says(&words, "not permitted: the driver keeps counters to administrators");
    assert_says(&words, "No counters were collected for these variants");
    assert_says(&words, "their position under the roofs is unknown");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

static void an_unknown_chip_has_no_invented_figures(void **state)
{
    (void)state;
    struct rl_capture *capture = synthetic_suite();
    capture->gpus[0].chip = NULL;
    capture->gpus[0].cc_major = 0;
    capture->gpus[0].uuid = NULL;
    capture->gpus[0].moment_count = 0;
    for (int i = 0; i < RL_FACT_COUNT; i++)
        capture->gpus[0].fact[i] = rl_value_missing(RL_NOT_COLLECTED, NULL);
    struct rl_buf pdf = report_of(capture, RL_PAPER_A4), words = words_of(&pdf);
    assert_good(&pdf);
    assert_says(&words, "chip unknown");
    assert_says(&words, "not collected");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

/* Index of a variant by its name. */
static void a_wrong_result_has_no_performance(void **state)
{
    (void)state;
    struct rl_capture *capture = synthetic_suite();
    for (size_t i = 0; i < capture->variant_count; i++) /* more than one experiment has a variant of that name */
        if (strcmp(capture->variants[i].name, "tiled") == 0) {
            capture->variants[i].result = RL_RESULT_WRONG;
            capture->variants[i].result_text = rl_capture_text(capture, "element 17: 3.5, expected 4.25");
        }
    struct rl_buf pdf = report_of(capture, RL_PAPER_A4), words = words_of(&pdf), right = suite_report();
    struct rl_buf right_words = words_of(&right);
    assert_good(&pdf);
    assert_says(&words, "WRONG: tiled computed a wrong result");
    assert_says(&words, "element 17: 3.5, expected 4.25");
    assert_says(&right_words, "61.19"); /* its time, in microseconds */
    assert_says_not(&words, "61.19");
    assert_says_not(&right_words, "WRONG");
    rl_buf_release(&words);
    rl_buf_release(&right_words);
    rl_buf_release(&pdf);
    rl_buf_release(&right);
}

static void what_did_not_run_says_so(void **state)
{
    (void)state;
    struct rl_capture *capture = synthetic_suite();
    size_t variant = variant_named(capture, "live128");
    capture->variants[variant].status = RL_VARIANT_UNSUPPORTED;
    capture->variants[variant].reason = rl_capture_text(capture, "needs compute capability 99.0");
    capture->kernels[variant].variant = RL_NONE; /* nothing of it was measured */
    struct rl_buf pdf = report_of(capture, RL_PAPER_A4), words = words_of(&pdf);
    assert_good(&pdf);
    assert_says(&words, "needs compute capability 99.0");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

static void a_run_of_several_launches_is_shown_as_a_whole(void **state)
{
    (void)state;
    struct rl_capture *capture = synthetic_suite();
    size_t index = variant_named(capture, "serial");
    struct synthetic_work work = {1e7, 1e6, 1e6, 0.0001, synthetic_shape_of("stride_1")};
    size_t second = synthetic_kernel(capture, 0, index, "void second<int>(float*)", &work);
    capture->kernels[second].launches_per_run = 3;
    capture->variants[index].measure = rl_capture_text(capture, "span");
    capture->variants[index].operations = rl_value_of(1000);
    synthetic_runs(capture, &capture->variants[index], 0.007654321);
    struct rl_buf pdf = report_of(capture, RL_PAPER_A4), words = words_of(&pdf);
    assert_good(&pdf);
    assert_says(&words, "second × 3"); /* below the run */
    assert_says(&words, "time per operation");
    assert_says(&words, "GPU timeline"); /* the others were timed by kernel */
    assert_says(&words, "timed as the table says");
    assert_says(&words, "7.65");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

static void runs_without_kernels_make_a_report(void **state)
{
    (void)state;
    struct rl_capture *capture = synthetic_empty();
    synthetic_filler(capture, 3, 4); /* by the host's clock */
    assert_int_equal(capture->kernel_count, 0);
    struct rl_buf pdf = report_of(capture, RL_PAPER_A4), words = words_of(&pdf);
    assert_good(&pdf);
    assert_says(&words, "4 variants were timed");
    assert_says(&words, "by the host's clock, from the first call until the GPU is idle");
    assert_says(&words, "0 variants on the GPU's timeline");
    assert_says(&words, "4 variants by the host's clock");
    assert_says(&words, "runs timed as a whole have no counters, so");
    assert_says_not(&words, "DRAM throughput, B/s");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

/* A line for each load, over the depth: ways without a depth have no place on it. */
static void pipelines_are_drawn_over_their_depth(void **state)
{
    /* Names say nothing: what a variant is stands in its settings. */
#define STAGE(name_, measure_, ...)                                                                                                \
    {                                                                                                                              \
        .name = name_, .bytes = "8 * n", .measure = measure_, .settings = (const struct rl_setting[])                              \
        {                                                                                                                          \
            __VA_ARGS__,                                                                                                           \
            {                                                                                                                      \
                .key = NULL                                                                                                        \
            }                                                                                                                      \
        }                                                                                                                          \
    }
#define GROUP(group)   RL_TEXT_SETTING("load", group)
#define SYNC           RL_TEXT_SETTING("method", "sync")
#define PIPELINE(deep) RL_TEXT_SETTING("method", "pipeline"), RL_NUMBER_SETTING("depth", COUNT, deep)
    const struct rl_suite_variant variants[] = {STAGE("a", RL_BY_WALL, GROUP("low"), SYNC),
                                                STAGE("b_7_high", RL_BY_WALL, GROUP("low"), PIPELINE(1)),
                                                STAGE("c", RL_BY_WALL, GROUP("low"), PIPELINE(2)),
                                                STAGE("pipeline_9_high", RL_BY_WALL, GROUP("low"), PIPELINE(4)),
                                                STAGE("e", RL_BY_KERNEL, GROUP("high"), SYNC),
                                                STAGE("f", RL_BY_KERNEL, GROUP("high"), PIPELINE(4)),
                                                {.name = NULL}};
#undef STAGE
#undef GROUP
#undef SYNC
#undef PIPELINE
    static const struct rl_suite_claim claims[] = {
        {.id = "low",
         .text = "t",
         .quantity = "time_s",
         .subject = "a",
         .baseline = "pipeline_9_high",
         .relation = RL_ABOUT,
         .value = 1.125},
        {.id = "high", .text = "t", .quantity = "time_s", .subject = "e", .baseline = "f", .relation = RL_ABOUT, .value = 1.5},
        {.id = "other",
         .text = "t",
         .quantity = "time_s",
         .subject = "e",
         .baseline = "pipeline_9_high",
         .relation = RL_ABOUT,
         .value = 3},
        {.id = "least", .text = "t", .quantity = "time_s", .subject = "a", .baseline = "c", .relation = RL_AT_LEAST, .value = 7},
        {.id = NULL}};
    const struct rl_suite_experiment suite = {.name = "stages",
                                              .topic = "staging",
                                              .question = "How far ahead?",
                                              .explanation = "None.",
                                              .default_size = 1000000,
                                              .size_unit = "elements",
                                              .variants = variants,
                                              .claims = claims,
                                              .form = RL_CHART_FORM_STAGES,
                                              .axis = {.key = "depth", .title = "Tiles ahead", .unit = RL_UNIT_COUNT},
                                              .series = "load",
                                              .way = "method"};
    (void)state;
    struct rl_capture *capture = synthetic_empty();
    synthetic_experiment(capture, 0, &suite);
    for (size_t i = 0; i < 4; i++)
        synthetic_runs(capture, &capture->variants[i], i == 0 ? 24e-6 : 24e-6 / (double)i);
    struct rl_buf pdf = report_of(capture, RL_PAPER_A4), words = words_of(&pdf);
    assert_good(&pdf);
    assert_says(&words, "Tiles ahead");
    assert_says(&words, "low");
    assert_says(&words, "high");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

/* Gives all variants other names, and the claims with them. */
static void rename_variants(struct rl_capture *capture)
{
    for (size_t i = 0; i < capture->variant_count; i++) {
        struct rl_variant *variant = &capture->variants[i];
        struct rl_experiment *experiment = &capture->experiments[variant->experiment];
        char *name = rl_arena_printf(&capture->arena, "stride_%zu_x", (i * 37) % 101);
        for (size_t c = 0; c < experiment->claim_count; c++) {
            struct rl_claim *claim = &experiment->claims[c];
            claim->subject = strcmp(claim->subject, variant->name) == 0 ? name : claim->subject;
            if (claim->baseline && strcmp(claim->baseline, variant->name) == 0)
                claim->baseline = name;
        }
        variant->name = name;
    }
}

static size_t experiment_named(const struct rl_capture *capture, const char *name)
{
    size_t i = 0;
    while (i < capture->experiment_count && strcmp(capture->experiments[i].name, name) != 0)
        i++;
    assert_true(i < capture->experiment_count);
    return i;
}

/* Charts and columns come from what an experiment declares: variants with any names get the same ones. */
static void names_of_variants_choose_nothing(void **state)
{
    (void)state;
    for (int renamed = 0; renamed < 2; renamed++) {
        struct rl_capture *capture = synthetic_suite();
        struct rl_experiment *line = &capture->experiments[experiment_named(capture, "coalescing")];
        line->form.axis_title = rl_capture_text(capture, "Floats between neighbours");
        line->explanation = rl_capture_text(capture, "Compare L1 hit rate, gaps and the largest error."); /* for readers only */
        if (renamed)
            rename_variants(capture);
        struct rl_buf pdf = report_of(capture, RL_PAPER_A4), words = words_of(&pdf);
        assert_says(&words, "Floats between neighbours");
        assert_says(&words, "Stages of the pipeline");
        rl_buf_release(&words);
        rl_buf_release(&pdf);
    }
}

/* Without the declaration, or without its settings, names that look like it do not make a line. */
static void what_is_not_declared_is_drawn_as_bars(void **state)
{
    (void)state;
    for (int undeclared = 0; undeclared < 2; undeclared++) {
        struct rl_capture *capture = synthetic_suite();
        const size_t coalescing = experiment_named(capture, "coalescing");
        capture->experiments[coalescing].form.axis_title = rl_capture_text(capture, "Floats between neighbours");
        if (undeclared)
            capture->experiments[coalescing].form.form = RL_CHART_FORM_BARS;
        for (size_t i = 0; i < capture->variant_count && !undeclared; i++)
            if (capture->variants[i].experiment == coalescing)
                capture->variants[i].setting_count = 0;
        struct rl_buf pdf = report_of(capture, RL_PAPER_A4), words = words_of(&pdf);
        assert_good(&pdf);
        assert_says_not(&words, "Floats between neighbours");
        rl_buf_release(&words);
        rl_buf_release(&pdf);
    }
}

/* What texts of the suite promise stands on the page: gaps between kernels, errors; functions that differ are not ranked. */
static void experiments_show_what_their_texts_promise(void **state)
{
    static const struct rl_event events[] = {
        {RL_EVENT_KERNEL, 7, 0, 2000, 0}, {RL_EVENT_KERNEL, 7, 7123, 9000, 0}, {RL_EVENT_KERNEL, 7, 15321, 17000, 0}};
    static const char *const functions[] = {"sinf", "sinf_fast", "expf", "expf_fast", "rsqrt", "rsqrt_fast"};
    (void)state;
    struct rl_capture *capture = synthetic_suite();
    struct rl_variant *launches = &capture->variants[variant_named(capture, "launches")];
    launches->events = rl_arena_alloc(&capture->arena, sizeof events);
    memcpy(launches->events, events, sizeof events);
    launches->event_count = RL_COUNT(events);
    struct rl_variant *cooperative = &capture->variants[variant_named(capture, "cooperative")];
    cooperative->events = launches->events;
    cooperative->event_count = 1;
    struct rl_deviation *deviation = &capture->variants[variant_named(capture, "sinf")].deviation;
    deviation->kind = RL_DEVIATION_ABSOLUTE;
    deviation->largest = 8.7e-8;
    struct rl_buf pdf = report_of(capture, RL_PAPER_A4), words = words_of(&pdf);
    assert_good(&pdf);
    assert_says(&words, "5.72"); /* half of 5123 + 6321 ns */
    assert_says(&words, "a run is one kernel");
    assert_says(&words, "millionths");
    assert_says(&words, "0.087");
    assert_says(&words, "the check wrote down no error");
    for (size_t i = 0; i < RL_COUNT(functions); i++) {
        struct rl_buf best = RL_BUF_INIT;
        rl_buf_addf(&best, "%s is best with", functions[i]);
        assert_says_not(&words, best.data);
        rl_buf_release(&best);
    }
    assert_says(&words, "A launch costs 5 to 15 µs");
    assert_says_not(&words, "1,048,576"); /* other numbers have spaces between groups */
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

static void a_long_suite_stays_readable(void **state)
{
    (void)state;
    for (enum rl_paper paper = RL_PAPER_A4; paper <= RL_PAPER_LETTER; paper++) {
        struct rl_capture *capture = synthetic_long_suite();
        assert_int_equal(capture->experiment_count, SYNTHETIC_EXPERIMENTS);
        assert_true(capture->variant_count >= SYNTHETIC_VARIANTS);
        struct rl_buf pdf = report_of(capture, paper);
        assert_good(&pdf);
        rl_buf_release(&pdf);
    }
}

static void two_gpus_have_pages_of_their_own(void **state)
{
    (void)state;
    struct rl_capture *capture = synthetic_suite();
    size_t gpu = synthetic_gpu(capture, "SECOND TEST CARD");
    struct synthetic_work work = {1e9, 1e9, 1e8, 0.001, synthetic_shape_of("stride_1")};
    synthetic_kernel(capture, gpu, RL_NONE, "void other(float*)", &work);
    struct rl_buf pdf = report_of(capture, RL_PAPER_A4), words = words_of(&pdf);
    assert_good(&pdf);
    assert_says(&words, "Roofline, GPU 1: SECOND TEST CARD");
    assert_says(&words, "Hardware, GPU 0"); /* in the contents, where two cards may have one name */
    assert_says(&words, "Hardware, GPU 1");
    assert_says(&words, "of a session with 2");
    assert_says(&words, "SM clock of the passes"); /* of each on its page */
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

static void short_pages_of_several_gpus_share_a_sheet(void **state)
{
    (void)state;
    struct rl_capture *capture = synthetic_empty();
    const size_t gpus[] = {0, synthetic_gpu(capture, "SECOND TEST CARD")};
    struct synthetic_work work = {1e9, 1e9, 1e8, 0.001, synthetic_shape_of("stride_1")};
    for (size_t i = 0; i < RL_COUNT(gpus); i++) { /* without counters there is no roofline to draw */
        const size_t kernel = synthetic_kernel(capture, gpus[i], RL_NONE, "void k(float*)", &work);
        capture->kernels[kernel].counter_count = 0;
    }
    struct rl_buf pdf = report_of(capture, RL_PAPER_A4), text = RL_BUF_INIT;
    assert_good(&pdf);
    if (pdf_text(&pdf, &text)) {
        const char *first = strstr(text.data, "Roofline, GPU 0: "), *second = strstr(text.data, "Roofline, GPU 1: ");
        assert_non_null(first);
        assert_non_null(second);
        assert_true(first < second);
        assert_null(memchr(first, '\f', (size_t)(second - first)));
    }
    rl_buf_release(&text);
    rl_buf_release(&pdf);
}

/* Names that break programs which put them into shells, gnuplot, PDF operators or lines. */
static const char *const hostile[] = {
    "'; DROP TABLE kernel; --",
    "\"double\" and `touch /tmp/rooflight-was-here` and $(touch x)",
    "line\nbreak\r\nand\ttab \\n \\",
    "\x1b[31mred\x1b[0m \x07\x7f",
    "\xff\xfe not UTF-8 \xc3\x28 \xed\xa0\x80",
    "\xc2\xb5s \xf0\x9f\x9a\x80 \xe2\x80\xae"
    "desrever",
    "%s%n%d %1$s",
    "\xce\x94\xce\xb5\xce\xbb\xcf\x84\xce\xb1 \xe4\xb8\xad\xe6\x96\x87\xe5\x86\x85\xe6\xa0\xb8",
    "((((\\) /Filter <</A>> ET Q endstream endobj",
    "",
    " ",
    "\xd8\xa7\xd9\x84\xd8\xb9\xd8\xb1\xd8\xa8\xd9\x8a\xd8\xa9",
    NULL, /* 3,000 characters, below */
};
enum { HOSTILE = RL_COUNT(hostile), LONG_NAME = 3000 };

static char *hostile_text(struct rl_capture *capture, size_t index)
{
    static char long_name[LONG_NAME + 1];
    for (size_t i = 0; i < LONG_NAME; i++)
        long_name[i] = "abcdefghij_<>,:"[i % 15];
    const char *text = hostile[index % HOSTILE];
    return rl_capture_text(capture, text ? text : long_name);
}

static void make_hostile(struct rl_capture *capture, size_t shift)
{
    struct rl_session *s = &capture->session;
    char **const texts[] = {&s->started,
                            &s->tool_version,
                            &s->host,
                            &s->os,
                            &s->driver,
                            &s->cuda_driver,
                            &s->cuda_runtime,
                            &s->cupti,
                            &s->counters,
                            &capture->gpus[0].name,
                            &capture->gpus[0].uuid,
                            &capture->gpus[0].chip};
    size_t next = shift;
    for (size_t i = 0; i < RL_COUNT(texts); i++)
        *texts[i] = hostile_text(capture, next++);
    for (size_t i = 0; i < s->command_count; i++)
        s->command[i] = hostile_text(capture, next++);
    for (size_t i = 0; i < capture->experiment_count; i++) {
        struct rl_experiment *e = &capture->experiments[i];
        char **const of_experiment[] = {&e->name, &e->topic, &e->question, &e->explanation, &e->source};
        for (size_t k = 0; k < RL_COUNT(of_experiment); k++)
            *of_experiment[k] = hostile_text(capture, next++);
        for (size_t k = 0; k < e->claim_count; k++) {
            e->claims[k].text = hostile_text(capture, next++);
            e->claims[k].card = hostile_text(capture, next++);
        }
    }
    for (size_t i = 0; i < capture->variant_count; i++) {
        struct rl_variant *v = &capture->variants[i];
        v->description = hostile_text(capture, next++);
        v->size_unit = hostile_text(capture, next++);
        v->result_text = hostile_text(capture, next++);
        v->result = i % 5 == 2 ? RL_RESULT_WRONG : RL_RESULT_OK;
        v->status = i % 7 == 3 ? RL_VARIANT_FAILED : RL_VARIANT_DONE;
        v->reason = hostile_text(capture, next++);
        v->name = hostile_text(capture, next++);
    }
    for (size_t i = 0; i < capture->kernel_count; i++)
        capture->kernels[i].name = hostile_text(capture, next++);
    for (size_t i = 0; i < capture->pass_count; i++)
        capture->passes[i].mode = hostile_text(capture, next++);
    for (size_t i = 0; i < capture->log_count; i++)
        capture->log[i].text = hostile_text(capture, next++);
    for (size_t i = 0; i < capture->gpus[0].moment_count; i++)
        capture->gpus[0].moments[i].moment = hostile_text(capture, next++);
}

/* Every sixth experiment of the suite, so that six shifts have them all. */
static struct rl_capture *sixth_of_suite(size_t shift, size_t *count)
{
    struct rl_capture *capture = synthetic_empty();
    *count = 0;
    for (size_t i = shift % 6; i < rl_suite_count; i += 6, ++*count)
        synthetic_experiment(capture, 0, &rl_suite[i]);
    rl_capture_log(capture, 150000000, RL_LOG_NOTE, "%s", "warm-up done");
    return capture;
}

static void hostile_texts_are_laid_out(void **state)
{
    (void)state;
    remove("/tmp/rooflight-was-here");
    for (size_t shift = 0; shift < HOSTILE; shift++) {
        size_t count;
        struct rl_capture *capture = sixth_of_suite(shift, &count);
        make_hostile(capture, shift);
        struct rl_buf pdf = report_of(capture, shift % 2 ? RL_PAPER_LETTER : RL_PAPER_A4);
        assert_pdf_sound(&pdf);
        assert_words_apart(&pdf);
        assert_in_range(pdf_pages(&pdf), 3 + count, 22 + 4 * count);
        rl_buf_release(&pdf);
    }
    assert_false(rl_path_exists("/tmp/rooflight-was-here"));
}

static void hostile_kernel_names_are_laid_out(void **state)
{
    (void)state;
    struct rl_capture *capture = synthetic_program(HOSTILE);
    for (size_t i = 0; i < capture->kernel_count; i++)
        capture->kernels[i].name = hostile_text(capture, i);
    struct rl_buf pdf = report_of(capture, RL_PAPER_A4);
    assert_good(&pdf);
    rl_buf_release(&pdf);
}

static void odd_figures_are_laid_out(void **state)
{
    const double times[] = {1e-9, 1e-3, 3600, 1, 1e-9};
    const char *const shapes[] = {"stride_1", "stride_2", "stride_4", "stride_8", "stride_16"};
    (void)state;
    struct rl_capture *capture = synthetic_empty();
    for (size_t i = 0; i < RL_COUNT(times); i++) { /* twelve decades; the last one without any sample */
        struct synthetic_work work = {i ? 1e15 / pow(1e5, (double)i) : 0, i == 2 ? 0 : 1e18, 1e6, times[i],
                                      synthetic_shape_of(shapes[i])};
        synthetic_kernel(capture, 0, RL_NONE, "void odd(float*)", &work);
    }
    capture->kernels[4].duration_count = 0;
    capture->kernels[4].total_ns = 0;
    capture->kernels[4].timing = NULL;
    for (size_t i = 0; i < SYNTHETIC_SAMPLES; i++)
        capture->kernels[3].duration_ns[i] = 0; /* a clock that stood still */
    struct rl_buf pdf = report_of(capture, RL_PAPER_A4);
    assert_good(&pdf);
    rl_buf_release(&pdf);
}

/* ---- what is missing on the machine ---- */

static void nothing_is_written_when_something_is_missing(void **state)
{
    (void)state;
    struct rl_capture *capture = synthetic_suite();
    struct rl_analysis *analysis = rl_analysis_new(capture);
    struct rl_report_options no_gnuplot = options_for(RL_PAPER_A4), no_fonts = no_gnuplot;
    no_gnuplot.gnuplot = "/nonexistent/gnuplot";
    no_fonts.font_dir = "/nonexistent";
    const struct {
        const struct rl_report_options *options;
        const char *says;
    } cases[] = {{&no_gnuplot, "gnuplot"}, {&no_fonts, "install fonts-roboto-unhinted"}};
    for (size_t i = 0; i < RL_COUNT(cases); i++) {
        struct rl_err err = RL_ERR_INIT;
        struct rl_buf out = RL_BUF_INIT;
        rl_buf_adds(&out, "before");
        assert_int_equal(rl_report_make(analysis, cases[i].options, &out, &err), RL_ABSENT);
        assert_non_null(strstr(err.text, cases[i].says));
        assert_string_equal(out.data, "before");
        rl_buf_release(&out);
    }
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

static void the_probe_says_what_to_do(void **state)
{
    (void)state;
    struct rl_report_options options = options_for(RL_PAPER_A4);
    struct rl_report_check checks[RL_REPORT_CHECKS];
    rl_report_probe(&options, checks);
    for (size_t i = 0; i < RL_REPORT_CHECKS; i++) {
        assert_true(checks[i].ok);
        assert_string_not_equal(checks[i].detail, "");
        assert_string_equal(checks[i].advice, "");
    }
    assert_non_null(strstr(checks[0].detail, ", /")); /* which gnuplot, which fonts */
    assert_non_null(strstr(checks[1].detail, "/Roboto-Regular.ttf, /"));
    options.gnuplot = "/nonexistent/gnuplot";
    options.font_dir = "/nonexistent";
    rl_report_probe(&options, checks);
    for (size_t i = 0; i < RL_REPORT_CHECKS; i++) {
        assert_false(checks[i].ok);
        assert_string_not_equal(checks[i].detail, "");
        assert_non_null(strstr(checks[i].advice, "install"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_suite_makes_a_good_document),
        cmocka_unit_test(the_suite_fits_letter_too),
        cmocka_unit_test(everything_has_its_place),
        cmocka_unit_test(the_whole_suite_is_told_in_brief),
        cmocka_unit_test(published_figures_take_one_page),
        cmocka_unit_test(every_page_is_shown_where_it_belongs),
        cmocka_unit_test(ranks_have_their_page_first),
        cmocka_unit_test(cards_of_ranks_have_pages_where_they_differ),
        cmocka_unit_test(many_ranks_make_a_short_document),
        cmocka_unit_test(a_program_has_its_page),
        cmocka_unit_test(a_program_is_titled_by_its_name),
        cmocka_unit_test(a_class_without_a_time_has_none),
        cmocka_unit_test(the_same_capture_gives_the_same_bytes),
        cmocka_unit_test(all_fonts_are_embedded),
        cmocka_unit_test(the_capture_is_attached),
        cmocka_unit_test(the_document_is_appended),
        cmocka_unit_test(what_matters_comes_first),
        cmocka_unit_test(readings_that_stand_out_are_shown),
        cmocka_unit_test(a_state_that_was_not_watched_is_not_called_good),
        cmocka_unit_test(experiments_are_told_at_a_glance),
        cmocka_unit_test(answers_are_told_apart_from_claims),
        cmocka_unit_test(sections_alone_say_the_same),
        cmocka_unit_test(one_experiment_needs_no_table_of_them),
        cmocka_unit_test(verdicts_are_said_once),
        cmocka_unit_test(experiments_share_pages),
        cmocka_unit_test(what_is_slow_on_purpose_is_not_the_best),
        cmocka_unit_test(claims_are_counted_on_the_cover),
        cmocka_unit_test(the_cover_of_a_program_says_where_time_went),
        cmocka_unit_test(points_above_a_roof_are_no_headline),
        cmocka_unit_test(matrices_are_held_against_their_roof),
        cmocka_unit_test(ceilings_say_what_they_are_worth),
        cmocka_unit_test(an_empty_capture_says_why),
        cmocka_unit_test(a_capture_without_a_gpu_is_laid_out),
        cmocka_unit_test(one_kernel_makes_few_pages),
        cmocka_unit_test(what_another_tool_leaves_out_is_not_zero),
        cmocka_unit_test(sections_asked_for_are_whole),
        cmocka_unit_test(four_hundred_kernels_break_over_pages),
        cmocka_unit_test(without_counters_the_gaps_are_stated),
        cmocka_unit_test(an_unknown_chip_has_no_invented_figures),
        cmocka_unit_test(a_wrong_result_has_no_performance),
        cmocka_unit_test(what_did_not_run_says_so),
        cmocka_unit_test(a_run_of_several_launches_is_shown_as_a_whole),
        cmocka_unit_test(runs_without_kernels_make_a_report),
        cmocka_unit_test(pipelines_are_drawn_over_their_depth),
        cmocka_unit_test(names_of_variants_choose_nothing),
        cmocka_unit_test(what_is_not_declared_is_drawn_as_bars),
        cmocka_unit_test(experiments_show_what_their_texts_promise),
        cmocka_unit_test(a_long_suite_stays_readable),
        cmocka_unit_test(two_gpus_have_pages_of_their_own),
        cmocka_unit_test(short_pages_of_several_gpus_share_a_sheet),
        cmocka_unit_test(hostile_texts_are_laid_out),
        cmocka_unit_test(hostile_kernel_names_are_laid_out),
        cmocka_unit_test(odd_figures_are_laid_out),
        cmocka_unit_test(nothing_is_written_when_something_is_missing),
        cmocka_unit_test(the_probe_says_what_to_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
