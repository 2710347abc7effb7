/* The document of a comparison: before and after, cards, and strange captures. */
#include "rl_test.h"

#include "core/mem.h"
#include "media/report.h"
#include "media/report_tools.h"
#include "results/compare.h"

enum { MOST = 3 };

/* Captures with their analyses and comparisons with the first one. */
struct made {
    struct rl_capture *capture[MOST];
    struct rl_analysis *analysis[MOST];
    struct rl_comparison *comparison[MOST];
    size_t count;
    struct rl_compare_side alone;
    struct rl_arena arena;
};

static struct rl_lineup *lineup_of(struct made *made, const struct rl_columns *columns, struct rl_projection *const *projections,
                                   size_t count)
{
    rl_compare_side_list(&made->alone, made->analysis[0], &made->arena);
    const struct rl_lineup_of of = {.base = made->count > 1 ? &made->comparison[1]->base : &made->alone,
                                    .columns = columns,
                                    .projections = (const struct rl_projection *const *)projections,
                                    .projection_count = count};
    return rl_lineup_new(&of);
}

static struct rl_buf make_with(struct made *made, bool cards, double tolerance, const struct rl_card_info *const targets[2],
                               const struct rl_report_options *options)
{
    struct rl_projection *projections[2] = {NULL};
    struct view_part parts[MOST] = {{0}};
    struct rl_columns *columns = NULL;
    struct rl_gate *gates[MOST] = {NULL};
    struct rl_gate_rules rules = rl_gate_standard();
    struct rl_buf pdf = RL_BUF_INIT;
    struct rl_err err = RL_ERR_INIT;
    const struct rl_compare_options wanted = {.base_name = "base.rlcap", .new_name = "new.rlcap"};
    rules.bound[RL_GATE_regression] = tolerance;
    for (size_t i = 0; i < made->count; i++) {
        snprintf(made->capture[i]->sha256.hex, sizeof made->capture[i]->sha256.hex, "%064zu", i); /* synthetic ones are all alike */
        made->analysis[i] = rl_analysis_new(made->capture[i]);
        if (i && rl_comparison_new(made->analysis[0], made->analysis[i], &wanted, &made->comparison[i], &err) != RL_OK)
            fail_msg("%s", err.text);
        if (i && tolerance >= 0)
            gates[i] = rl_gate_new(made->comparison[i], &rules);
        parts[i] = (struct view_part){.name = i ? "new.rlcap" : "base.rlcap",
                                      .capture = made->capture[i],
                                      .analysis = made->analysis[i],
                                      .comparison = made->comparison[i],
                                      .gate = gates[i],
                                      .bytes = attachment,
                                      .len = sizeof attachment - 1};
    }
    if (cards) {
        columns = rl_columns_new(&made->comparison[1]->base);
        for (size_t i = 1; i < made->count; i++)
            rl_columns_add(columns, made->comparison[i]);
    }
    for (size_t i = 0; targets && i < RL_COUNT(projections); i++)
        projections[i] = rl_projection_new(made->analysis[0], targets[i]);
    struct rl_lineup *lineup =
        cards || made->count == 1 ? lineup_of(made, columns, projections, targets ? RL_COUNT(projections) : 0) : NULL;
    struct view_compare *what =
        view_compare_new(parts, made->count,
                         &(struct view_compare_options){.columns = columns,
                                                        .lineup = lineup,
                                                        .tolerance = tolerance,
                                                        .projections = (const struct rl_projection *const *)projections,
                                                        .projection_count = targets ? RL_COUNT(projections) : 0});
    if (rl_compare_report_make(what, options, &pdf, &err) != RL_OK)
        fail_msg("%s", err.text);
    view_compare_free(what);
    rl_lineup_free(lineup);
    rl_columns_free(columns);
    rl_arena_release(&made->arena);
    for (size_t i = 0; i < made->count; i++)
        rl_gate_free(gates[i]);
    for (size_t i = 0; i < RL_COUNT(projections); i++)
        rl_projection_free(projections[i]);
    return pdf;
}

static struct rl_buf make_document(struct made *made, bool cards, double tolerance, const struct rl_card_info *const targets[2])
{
    const struct rl_report_options options = options_for(RL_PAPER_A4);
    return make_with(made, cards, tolerance, targets, &options);
}

static struct rl_buf document_of(struct made *made, bool cards, double tolerance)
{
    return make_document(made, cards, tolerance, NULL);
}

static struct rl_buf projected_document_of(struct made *made, bool cards, const char *first, const char *second)
{
    const struct rl_card_info *const targets[2] = {rl_card_find(first), rl_card_find(second)};
    return make_document(made, cards, -1, targets);
}

static void release(struct made *made)
{
    for (size_t i = 0; i < made->count; i++) {
        rl_comparison_free(made->comparison[i]);
        rl_analysis_free(made->analysis[i]);
        rl_capture_free(made->capture[i]);
    }
}

/* Every `step`-th kernel takes `factor` times as long. */
static void change_times(struct rl_capture *capture, size_t step, double factor)
{
    for (size_t k = 0; k < capture->kernel_count; k += step)
        for (size_t i = 0; i < capture->kernels[k].duration_count; i++)
            capture->kernels[k].duration_ns[i] = (uint64_t)((double)capture->kernels[k].duration_ns[i] * factor);
}

static struct made before_and_after(void)
{
    struct made made = {.capture = {synthetic_suite(), synthetic_suite()}, .count = 2};
    change_times(made.capture[1], 5, 0.8);
    change_times(made.capture[1], 7, 1.5);
    return made;
}

static void before_and_after_make_a_good_document(void **state)
{
    (void)state;
    struct made made = before_and_after();
    struct rl_buf pdf = document_of(&made, false, 0.05), words = words_of(&pdf);
    static const char *const sentences[] = {"Before and after",
                                            "all kernels, by their time",
                                            "The same launches take",
                                            "SLOWER",
                                            "UNDECIDED",
                                            "Gate: fails: ",
                                            "Why",
                                            "Results: ",
                                            "Captures, method, commands",
                                            "limited by",
                                            "Bonferroni over",
                                            "base.rlcap",
                                            "Time change: candidate over baseline"};
    assert_good(&pdf);
    for (size_t i = 0; i < RL_COUNT(sentences); i++)
        assert_says(&words, sentences[i]);
    assert_says_not(&words, "Every kernel with its interval");
    assert_says_not(&words, "Matched, added and removed");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
    release(&made);
}

/* However much there is to tell: a whole suite, most of it changed or of other work, with a gate that many kernels do not pass. */
static void a_review_has_one_page(void **state)
{
    (void)state;
    for (size_t run = 0; run < 4; run++) {
        struct made made = before_and_after();
        struct rl_report_options options = options_for(run % 2 ? RL_PAPER_LETTER : RL_PAPER_A4);
        if (run >= 2)
            change_times(made.capture[1], 1, 0.7);
        struct rl_buf pdf = make_with(&made, false, 0.05, NULL, &options), words = words_of(&pdf);
        assert_good(&pdf);
        assert_int_equal(pdf_pages(&pdf), 1);
        assert_int_equal(occurrences(words.data, "Captures, method, commands"), 1);
        assert_says_not(&words, "Method and provenance");
        rl_buf_release(&words);
        rl_buf_release(&pdf);
        release(&made);
    }
}

/* What one page has no room for is there on request, and then nothing of it twice. */
static void a_review_has_an_appendix_on_request(void **state)
{
    (void)state;
    struct made made = before_and_after();
    struct rl_report_options options = options_for(RL_PAPER_A4);
    options.full = true;
    struct rl_buf pdf = make_with(&made, false, 0.05, NULL, &options), words = words_of(&pdf);
    assert_good(&pdf);
    assert_says(&words, "Likely causes");
    assert_says(&words, "Every kernel with its interval");
    assert_says(&words, "Matched, added and removed");
    assert_says(&words, "Method and provenance");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
    release(&made);
}

/* On one card a kernel holds half the warps that it holds on the others. */
static void halve_occupancy(struct rl_capture *capture, size_t kernel)
{
    struct rl_kernel *of = &capture->kernels[kernel];
    for (size_t i = 0; i < of->counter_count; i++)
        if (strcmp(of->counters[i].name, "sm__warps_active.avg.pct_of_peak_sustained_active") == 0)
            of->counters[i].value.v /= 2;
}

static struct made three_cards(void)
{
    struct made made = {.capture = {synthetic_suite(), synthetic_suite(), synthetic_suite()}, .count = 3};
    change_times(made.capture[1], 1, 0.5);
    change_times(made.capture[2], 1, 2.5);
    halve_occupancy(made.capture[2], 0);
    for (size_t i = 1; i < made.count; i++)
        made.capture[i]->gpus[0].name = rl_capture_text(made.capture[i], i == 1 ? "NVIDIA Next GPU" : "NVIDIA Old GPU");
    return made;
}

static void cards_make_a_good_document(void **state)
{
    (void)state;
    struct made made = three_cards();
    struct rl_buf pdf = document_of(&made, true, -1), words = words_of(&pdf);
    static const char *const sentences[] = {"Next GPU",
                                            "Old GPU",
                                            "× where limited by",
                                            "device memory",
                                            "power limit",
                                            "Speedup over the baseline",
                                            "predicted by the roofs of both GPUs",
                                            "Speedup by kernel",
                                            "Method and provenance"};
    assert_good(&pdf);
    for (size_t i = 0; i < RL_COUNT(sentences); i++)
        assert_says(&words, sentences[i]);
    assert_says_not(&words, "Every kernel with its interval");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
    release(&made);
}

static void figures_of_others_are_called_so(void **state)
{
    struct made made = three_cards();
    (void)state;
    static const char *const cards[] = {"Tesla P100-PCIE-16GB", "Tesla V100-SXM2-16GB", "NVIDIA A100-SXM4-40GB"};
    for (size_t i = 0; i < made.count; i++) {
        made.capture[i]->session.source = rl_capture_text(made.capture[i], "published");
        made.capture[i]->gpus[0].name = rl_capture_text(made.capture[i], cards[i]);
    }
    struct rl_buf pdf = document_of(&made, true, -1), words = words_of(&pdf);
    assert_good(&pdf);
    assert_says(&words, ": published figures");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
    release(&made);
}

/* Which kernels gain less than the roofs predict comes first, of two cards. */
static void kernels_that_fall_short_come_first(void **state)
{
    (void)state;
    struct made made = {.capture = {synthetic_suite(), synthetic_suite()}, .count = 2};
    change_times(made.capture[1], 1, 1.5);
    made.capture[1]->gpus[0].name = rl_capture_text(made.capture[1], "NVIDIA Next GPU");
    struct rl_buf pdf = document_of(&made, true, -1), words = words_of(&pdf);
    assert_says(&words, "the largest shortfall from the roofs' prediction first");
    assert_says(&words, ") of ");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
    release(&made);
}

static void the_same_captures_give_the_same_bytes(void **state)
{
    (void)state;
    struct made made[2] = {before_and_after(), before_and_after()};
    struct rl_buf first = document_of(&made[0], false, -1), second = document_of(&made[1], false, -1);
    assert_int_equal(first.len, second.len);
    assert_memory_equal(first.data, second.data, first.len);
    rl_buf_release(&first);
    rl_buf_release(&second);
    release(&made[0]);
    release(&made[1]);
}

/* Figures that others published are columns of their own, never without their word. */
static void several_published_sets_are_columns(void **state)
{
    (void)state;
    static const char *const names[] = {"NVIDIA A100-SXM4-40GB", "Tesla T4"};
    struct made made = three_cards();
    for (size_t i = 1; i < made.count; i++) {
        made.capture[i]->gpus[0].name = rl_capture_text(made.capture[i], names[i - 1]);
        made.capture[i]->session.source = rl_capture_text(made.capture[i], "published");
    }
    struct rl_buf pdf = document_of(&made, true, -1), words = words_of(&pdf);
    assert_good(&pdf);
    assert_says(&words, "A100-SXM4-40GB, published: ");
    assert_says(&words, "Tesla T4, published: ");
    assert_says(&words, "A100-SXM4-40GB, published (hollow square), Tesla T4, published (hollow triangle)");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
    release(&made);
}

/* The base alone, and beside a measured card: what is projected says so, with what it stands on, and is in no column of cards. */
static void projections_have_pages_of_their_own(void **state)
{
    (void)state;
    static const char *const sentences[] = {"T4, projected",
                                            "Projected to T4: modelled, not measured",
                                            "Projected to A100-SXM4-40GB: modelled, not measured",
                                            "Roofs of the A100-SXM4-40GB behind the projection",
                                            "theoretical (NVIDIA A100 white paper",
                                            "What is assumed",
                                            "Times, projected to the T4",
                                            "Static occupancy, projected to the T4",
                                            "limited there by",
                                            "The projection"};
    for (size_t count = 1; count <= 2; count++) {
        struct made made = count == 1 ? (struct made){.capture = {synthetic_suite()}, .count = 1} : three_cards();
        struct rl_buf pdf = projected_document_of(&made, count > 1, "T4", "A100-SXM4-40GB"), words = words_of(&pdf);
        assert_good(&pdf);
        for (size_t i = 0; i < RL_COUNT(sentences); i++)
            assert_says(&words, sentences[i]);
        if (count == 1) {
            assert_says(&words, "T4 and A100-SXM4-40GB");
            assert_says_not(&words, "Bonferroni");
        } else {
            assert_says(&words, "Speedup by kernel");
        }
        rl_buf_release(&words);
        rl_buf_release(&pdf);
        release(&made);
    }
}

/* Captures with nothing in common, and with nothing at all. */
static void captures_without_kernels_are_said_to_be(void **state)
{
    (void)state;
    for (size_t cards = 0; cards < 2; cards++) {
        struct made made = {.capture = {synthetic_empty(), synthetic_suite()}, .count = 2};
        struct rl_buf pdf = document_of(&made, cards, -1), words = words_of(&pdf);
        assert_pdf_sound(&pdf);
        assert_says(&words, cards ? "no kernel in common with the baseline" : "The captures have no kernel in common");
        rl_buf_release(&words);
        rl_buf_release(&pdf);
        release(&made);
    }
}

static void the_captures_are_attached(void **state)
{
    (void)state;
    struct made made = before_and_after();
    struct rl_buf pdf = document_of(&made, false, -1), back = RL_BUF_INIT;
    if (pdf_tool(&pdf, &back, "qpdf", "--show-attachment=01-base.rlcap", "@", NULL) == 0)
        assert_string_equal(back.data, attachment);
    rl_buf_release(&back);
    rl_buf_release(&pdf);
    release(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(before_and_after_make_a_good_document),
        cmocka_unit_test(a_review_has_one_page),
        cmocka_unit_test(a_review_has_an_appendix_on_request),
        cmocka_unit_test(cards_make_a_good_document),
        cmocka_unit_test(figures_of_others_are_called_so),
        cmocka_unit_test(kernels_that_fall_short_come_first),
        cmocka_unit_test(several_published_sets_are_columns),
        cmocka_unit_test(projections_have_pages_of_their_own),
        cmocka_unit_test(the_same_captures_give_the_same_bytes),
        cmocka_unit_test(captures_without_kernels_are_said_to_be),
        cmocka_unit_test(the_captures_are_attached),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
