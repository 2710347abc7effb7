/* Verdicts: every relation and every outcome, from times with intervals and from exact figures. */
#include "rl_test.h"

#include "analysis/analysis.h"
#include "core/mem.h"
#include "fixtures/capture.h"

static struct rl_capture *experiment(void)
{
    struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
    sample_experiment(capture, "coalescing");
    return capture;
}

static size_t add_variant(struct rl_capture *capture, const char *name, double useful_bytes)
{
    sample_variant(capture, 0, 0, name, NULL)->useful_bytes = rl_value_of(useful_bytes);
    return capture->variant_count - 1;
}

/* 31 durations around `ns`, from ns - spread to ns + spread, in no order that looks like a drift. With a spread of 0 eight
 * nanoseconds more or less, the step of the clock then. */
static size_t add_kernel(struct rl_capture *capture, size_t variant, uint64_t ns, uint64_t spread)
{
    const size_t kernel = sample_kernel(capture, "stride_kernel(float*, int)");
    uint64_t times[31];

    for (size_t i = 0; i < 31; i++)
        times[i] = spread ? ns - spread + 2 * spread * (i * 12 % 31) / 30 : ns - 8 + 8 * ((i + 1) % 3);
    sample_times(capture, kernel, times, 31);
    capture->kernels[kernel].variant = variant;
    return kernel;
}

/* stride_1 takes 100 us for 800 MB, stride_32 takes 45 us for 25 MB: 8 TB/s and 0.556 TB/s. */
static struct rl_capture *strides(uint64_t spread)
{
    struct rl_capture *capture = experiment();

    add_kernel(capture, add_variant(capture, "stride_1", 800e6), 100000, spread);
    add_kernel(capture, add_variant(capture, "stride_32", 25e6), 45000, spread);
    return capture;
}

static struct rl_claim *claim(struct rl_capture *capture, const char *quantity, const char *subject, const char *baseline,
                              const char *relation, double value, double tolerance)
{
    struct rl_claim *c = rl_capture_add_claim(capture, 0);

    c->id = rl_capture_text(capture, "claim");
    c->text = rl_capture_text(capture, "as published");
    c->quantity = rl_capture_text(capture, quantity);
    c->subject = rl_capture_text(capture, subject);
    c->baseline = rl_capture_text(capture, baseline);
    c->relation = rl_capture_text(capture, relation);
    c->value = value;
    c->tolerance = tolerance;
    return c;
}

/* Judges the only claim of the capture, which is freed. */
static void assert_verdict(struct rl_capture *capture, enum rl_claim_outcome outcome, const char *text)
{
    struct rl_analysis *analysis = rl_analysis_new(capture);

    assert_int_equal(analysis->claim_count, 1);
    print_message("%s\n", analysis->claims[0].text);
    if (text)
        assert_string_equal(analysis->claims[0].text, text);
    assert_int_equal(analysis->claims[0].outcome, outcome);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

static void relations_of_a_time_ratio(void **state)
{
    /* The ratio is 0.45, its interval about 0.448 to 0.452 (spread 500 ns). */
    static const struct {
        const char *relation;
        double value, tolerance;
        enum rl_claim_outcome outcome;
    } known[] = {
        {"at_most", 0.5, 0, RL_CLAIM_HELD},          {"at_most", 0.45, 0, RL_CLAIM_UNDECIDED},
        {"at_most", 0.4, 0, RL_CLAIM_DID_NOT_HOLD},  {"at_most", 0.4, 0.2, RL_CLAIM_DID_NOT_HOLD},
        {"at_least", 0.4, 0, RL_CLAIM_HELD},         {"at_least", 0.45, 0, RL_CLAIM_UNDECIDED},
        {"at_least", 0.5, 0, RL_CLAIM_DID_NOT_HOLD}, {"at_least", 0.5, 0.2, RL_CLAIM_DID_NOT_HOLD},
        {"about", 0.45, 0.1, RL_CLAIM_HELD},         {"about", 0.42, 0.1, RL_CLAIM_HELD},
        {"about", 0.4, 0.1, RL_CLAIM_DID_NOT_HOLD},  {"about", 0.5, 0.05, RL_CLAIM_DID_NOT_HOLD},
        {"about", 0.45, 0.001, RL_CLAIM_UNDECIDED},  {"about", 0.5, 0.1, RL_CLAIM_UNDECIDED},
    };
    (void)state;

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        struct rl_capture *capture = strides(500);
        claim(capture, "time_s", "stride_32", "stride_1", known[i].relation, known[i].value, known[i].tolerance);
        assert_verdict(capture, known[i].outcome, NULL);
    }
}

/* A range for the ratio 2.22 (interval 2.20 to 2.24). */
static void assert_range(double least, double most, double slack, enum rl_claim_outcome outcome, const char *words)
{
    struct rl_capture *capture = strides(500);
    claim(capture, "time_s", "stride_1", "stride_32", "between", least, slack)->from.most = rl_value_of(most);
    assert_verdict(capture, outcome, words);
}

static void ranges_have_two_ends(void **state)
{
    (void)state;
    assert_range(2, 5, 0, RL_CLAIM_HELD,
                 "`stride_32` has a speedup of 2.22 over `stride_1` (95 % CI 2.20 to 2.24); claimed 2 to 5.");
    assert_range(3, 5, 0, RL_CLAIM_DID_NOT_HOLD, NULL);
    assert_range(1.2, 2, 0, RL_CLAIM_EXCEEDED,
                 "`stride_32` has a speedup of 2.22 over `stride_1` (95 % CI 2.20 to 2.24); claimed 1.2 to 2.");
    assert_range(1.2, 2, 0.2, RL_CLAIM_HELD, NULL);
    assert_range(2.5, 5, 0.2, RL_CLAIM_HELD, NULL);
    assert_range(2.22, 5, 0, RL_CLAIM_UNDECIDED, NULL);
    assert_range(2, 2.22, 0, RL_CLAIM_UNDECIDED, NULL);
    /* A capture whose range lost its end is not guessed at. */
    struct rl_capture *capture = strides(500);
    claim(capture, "time_s", "stride_1", "stride_32", "between", 2, 0);
    assert_verdict(capture, RL_CLAIM_UNDECIDED, NULL);
}

static void words_of_a_verdict(void **state)
{
    struct rl_capture *capture = strides(0);
    (void)state;

    claim(capture, "useful_bytes_per_second", "stride_32", "stride_1", "at_most", 0.2, 0);
    assert_verdict(
        capture, RL_CLAIM_HELD,
        "`stride_32` reached 0.0694 of the useful bandwidth of `stride_1` (95 % CI 0.0694 to 0.0695); claimed at most 0.2.");
    capture = strides(0);
    claim(capture, "time_s", "stride_1", "stride_32", "about", 2.5, 0.1);
    assert_verdict(
        capture, RL_CLAIM_DID_NOT_HOLD,
        "`stride_32` has a speedup of 2.22 over `stride_1` (95 % CI 2.221 to 2.223); claimed about 2.5 within 10\u00a0%.");
    /* stride_1 from 99.5 to 100.5 us over stride_32's 45: its median's interval is wider than the figure's third digit. */
    capture = strides(500);
    claim(capture, "time_s", "stride_1", "stride_32", "at_least", 2.22, 0);
    assert_verdict(capture, RL_CLAIM_UNDECIDED,
                   "`stride_32` has a speedup of 2.22 over `stride_1` (95 % CI 2.20 to 2.24); claimed at least 2.22, but "
                   "the interval extends across the limit.");
    /* Here the ends differ in the fourth digit only. */
    capture = strides(20);
    claim(capture, "time_s", "stride_1", "stride_32", "about", 2.2, 0.1);
    assert_verdict(
        capture, RL_CLAIM_HELD,
        "`stride_32` has a speedup of 2.22 over `stride_1` (95 % CI 2.221 to 2.223); claimed about 2.2 within 10\u00a0%.");
    capture = strides(0);
    claim(capture, "theoretical_occupancy", "stride_1", NULL, "about", 1, 0.01);
    assert_verdict(capture, RL_CLAIM_HELD,
                   "`stride_1`'s theoretical occupancy was 100\u00a0%; claimed about 100\u00a0% within 1\u00a0%.");
    capture = strides(0);
    claim(capture, "registers_per_thread", "stride_1", NULL, "at_most", 10, 0.5)->card = rl_capture_text(capture, "NVIDIA A100");
    assert_verdict(capture, RL_CLAIM_DID_NOT_HOLD, "`stride_1` used 32 registers per thread; claimed at most 10 on NVIDIA A100.");
}

/* The clock against its reference: held within 1 %, not at a tenth more, open without a reference. */
static void times_over_their_reference(void **state)
{
    static const double CLOSE = 99.5e3, FAR = 91e3;
    struct rl_capture *capture = strides(20);
    (void)state;
    claim(capture, "time_over_reference", "stride_1", NULL, "about", 1, 0.01);
    capture->kernels[0].clock.back_to_back_ns = rl_value_of(CLOSE);
    assert_verdict(capture, RL_CLAIM_HELD,
                   "`stride_1` took 1.01 of its time without CUPTI (95 % CI 1.00 to 1.01); claimed about 1 within 1\u00a0%.");
    capture = strides(20);
    claim(capture, "time_over_reference", "stride_1", NULL, "about", 1, 0.01);
    capture->kernels[0].clock.back_to_back_ns = rl_value_of(FAR);
    assert_verdict(capture, RL_CLAIM_DID_NOT_HOLD, NULL);
    capture = strides(20);
    claim(capture, "time_over_reference", "stride_1", NULL, "about", 1, 0.01);
    assert_verdict(capture, RL_CLAIM_UNDECIDED, NULL);
}

/* What is left of a traced kernel's instructions: exact, and open where it was not measured. */
static void instructions_of_a_traced_kernel(void **state)
{
    static const struct {
        double residual;
        enum rl_claim_outcome outcome;
    } rows[] = {{1.0004, RL_CLAIM_HELD}, {1.6, RL_CLAIM_DID_NOT_HOLD}, {NAN, RL_CLAIM_UNDECIDED}};
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_capture *capture = strides(20);
        claim(capture, "traced_instructions_over_counted", "stride_1", NULL, "about", 1, 0.001);
        struct rl_tracer_row *row = rl_capture_add_tracer(capture);
        row->counter = RL_SAMPLED_instructions;
        if (isfinite(rows[i].residual))
            row->residual = rl_value_of(rows[i].residual);
        assert_verdict(capture, rows[i].outcome, NULL);
    }
}

static void figures_and_intervals(void **state)
{
    struct rl_capture *capture = strides(3000);
    struct rl_analysis *analysis;
    (void)state;

    claim(capture, "useful_bytes_per_second", "stride_1", NULL, "at_least", 1e12, 0);
    claim(capture, "useful_bytes_per_second", "stride_32", "stride_1", "at_most", 1, 0);
    claim(capture, "time_s", "stride_1", NULL, "at_most", 1, 0);
    claim(capture, "registers_per_thread", "stride_1", "stride_32", "about", 1, 0);
    analysis = rl_analysis_new(capture);
    assert_int_equal(analysis->claim_count, 4);
    /* n = 31: ranks 10 and 22 of 97000 + 200 i, so 98800 to 101200 ns, and half a step of 200 on either side */
    assert_close(analysis->claims[0].measured.v, 8e12, 1e-12);
    assert_close(analysis->claims[0].low.v, 800e6 / 101300e-9, 1e-12);
    assert_close(analysis->claims[0].high.v, 800e6 / 98700e-9, 1e-12);
    assert_int_equal(analysis->claims[0].unit, RL_UNIT_BYTE_PER_SECOND);
    assert_close(analysis->claims[1].measured.v, (25e6 / 800e6) * (100.0 / 45), 1e-12);
    assert_true(analysis->claims[1].low.v < analysis->claims[1].measured.v &&
                analysis->claims[1].measured.v < analysis->claims[1].high.v);
    assert_int_equal(analysis->claims[1].unit, RL_UNIT_NONE);
    assert_close(analysis->claims[2].low.v, 98700e-9, 1e-12);
    assert_close(analysis->claims[2].high.v, 101300e-9, 1e-12);
    assert_close(analysis->claims[3].measured.v, 1, 0);
    assert_close(analysis->claims[3].low.v, 1, 0);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(analysis->claims[i].outcome, RL_CLAIM_HELD);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

static void figures_of_another_card_are_not_judged(void **state)
{
    static const struct {
        const char *card, *here;
        bool specific;
        enum rl_claim_outcome outcome;
    } known[] = {
        {"NVIDIA A100-SXM4-40GB", "NVIDIA H200", true, RL_CLAIM_REFERENCE},
        {"NVIDIA A100-SXM4-40GB", "NVIDIA H200", false, RL_CLAIM_HELD},
        {"NVIDIA A100-SXM4-40GB", "A100-SXM4-40GB", true, RL_CLAIM_HELD},
        {"V100-SXM2-16GB", "Tesla V100-SXM2-16GB", true, RL_CLAIM_HELD},
        {NULL, "NVIDIA H200", true, RL_CLAIM_HELD},
    };
    (void)state;

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        struct rl_capture *capture = strides(0);
        struct rl_claim *c = claim(capture, "useful_bytes_per_second", "stride_1", NULL, "about", 8e12, 0.1);
        c->card = rl_capture_text(capture, known[i].card);
        c->card_specific = known[i].specific;
        capture->gpus[0].name = rl_capture_text(capture, known[i].here);
        assert_verdict(capture, known[i].outcome,
                       known[i].outcome != RL_CLAIM_REFERENCE
                           ? NULL
                           : "`stride_1` reached 8.00\u00a0TB/s of useful bandwidth (95 % CI 7.999\u00a0TB/s to "
                             "8.001\u00a0TB/s); published 8.000\u00a0TB/s for NVIDIA A100-SXM4-40GB.");
    }
}

/* Answers of the self check are counted apart from what others have claimed. */
static void answers_are_no_claims(void **state)
{
    struct rl_capture *capture = strides(0);
    (void)state;

    claim(capture, "useful_bytes_per_second", "stride_1", NULL, "about", 8e12, 0.1);
    claim(capture, "useful_bytes_per_second", "stride_1", NULL, "about", 9e12, 0.01);
    claim(capture, "useful_bytes_per_second", "absent", NULL, "about", 9e12, 0.01);
    for (int answers = 0; answers <= 1; answers++) {
        capture->experiments[0].name = rl_capture_text(capture, answers ? RL_SELF_CHECK : "coalescing");
        struct rl_analysis *analysis = rl_analysis_new(capture);
        const enum rl_claim_basis basis = answers ? RL_CLAIM_BASIS_ANSWER : RL_CLAIM_BASIS_FIGURE;
        const struct rl_claim_tally tally = rl_claims_tally(analysis, 0, basis),
                                    others = rl_claims_tally(analysis, 0, RL_CLAIM_BASIS_DIRECTION),
                                    everywhere = rl_claims_tally(analysis, RL_NONE, basis),
                                    elsewhere = rl_claims_tally(analysis, 1, basis);
        struct rl_buf text = RL_BUF_INIT;
        rl_claims_held_text(analysis, 0, &text);
        assert_string_equal(text.data ? text.data : "", answers ? "" : "1 of 3 published figures hold (1 undecided)");
        rl_buf_release(&text);
        assert_int_equal(tally.outcome[RL_CLAIM_HELD], 1);
        assert_int_equal(tally.outcome[RL_CLAIM_DID_NOT_HOLD], 1);
        assert_int_equal(tally.outcome[RL_CLAIM_UNDECIDED], 1);
        assert_int_equal(rl_claims_judged(&tally), 2);
        assert_int_equal(rl_claims_judged(&others) + others.outcome[RL_CLAIM_UNDECIDED], 0);
        assert_memory_equal(&everywhere, &tally, sizeof tally);
        assert_int_equal(rl_claims_judged(&elsewhere), 0);
        assert_int_equal(rl_is_of_self_check(capture, 0), answers);
        assert_false(rl_is_of_self_check(capture, RL_NONE));
        rl_analysis_free(analysis);
    }
    rl_capture_free(capture);
}

/* ---- what makes a verdict impossible ---- */

static void not_run(struct rl_capture *c)
{
    c->variants[1].name = rl_capture_text(c, "stride_2");
}
static void wrong(struct rl_capture *c)
{
    c->variants[1].result = RL_RESULT_WRONG;
}

static void unsupported(struct rl_capture *c)
{
    c->variants[0].status = RL_VARIANT_UNSUPPORTED;
    c->variants[0].reason = rl_capture_text(c, "needs cooperative launch");
}

static void failed(struct rl_capture *c)
{
    c->variants[1].status = RL_VARIANT_FAILED;
    c->variants[1].reason = rl_capture_text(c, "an illegal address");
}

static void no_kernel(struct rl_capture *c)
{
    c->kernels[1].variant = RL_NONE;
}
static void untimed(struct rl_capture *c)
{
    c->kernels[0].duration_count = 0;
}
static void no_model(struct rl_capture *c)
{
    c->variants[1].useful_bytes = rl_value_missing(RL_UNDEFINED, "no work model");
}
static void few(struct rl_capture *c)
{
    c->kernels[1].duration_count = 5;
}
static void zero(struct rl_capture *c)
{
    memset(c->kernels[0].duration_ns, 0, 31 * sizeof(uint64_t));
}
static void unpaired(struct rl_capture *c)
{
    add_kernel(c, 1, 1000, 0), c->kernels[2].duration_count = 30;
}
static void odd_quantity(struct rl_capture *c)
{
    c->experiments[0].claims[0].quantity = rl_capture_text(c, "beauty");
}
static void odd_relation(struct rl_capture *c)
{
    c->experiments[0].claims[0].relation = rl_capture_text(c, "much like");
}

static void undecided_says_why(void **state)
{
    static const struct {
        void (*spoil)(struct rl_capture *capture);
        const char *why;
    } known[] = {
        {not_run, "but `stride_32` was not run."},
        {wrong, "but `stride_32` computed a wrong result."},
        {unsupported, "but `stride_1` is not supported here (needs cooperative launch)."},
        {failed, "but `stride_32` failed (an illegal address)."},
        {no_kernel, "but `stride_32` was not timed."},
        {untimed, "but `stride_1` was not timed."},
        {no_model, "but `stride_32` has no useful bandwidth (no work model)."},
        {few, "but there are too few samples for an interval."},
        {zero, "but a duration is zero."},
        {unpaired, "but `stride_32` has kernels that were launched different numbers of times."},
        {odd_quantity, "but the quantity is unknown to this version."},
        {odd_relation, "but the relation is unknown to this version."},
    };
    (void)state;

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        struct rl_capture *capture = strides(100);
        struct rl_analysis *analysis;
        claim(capture, "useful_bytes_per_second", "stride_32", "stride_1", "at_most", 0.2, 0);
        known[i].spoil(capture);
        analysis = rl_analysis_new(capture);
        print_message("%s\n", analysis->claims[0].text);
        assert_int_equal(analysis->claims[0].outcome, RL_CLAIM_UNDECIDED);
        if (!strstr(analysis->claims[0].text, known[i].why))
            fail_msg("'%s' should say '%s'", analysis->claims[0].text, known[i].why);
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
}

static void metrics_decide_exactly(void **state)
{
    struct rl_capture *capture = strides(100);
    (void)state;

    sample_counter(capture, 0, "l1tex__t_bytes.sum", 4000);
    sample_counter(capture, 1, "l1tex__t_bytes.sum", 1000);
    claim(capture, "l1_bytes", "stride_1", "stride_32", "about", 4, 0);
    assert_verdict(capture, RL_CLAIM_HELD, "`stride_1` had 4.00 times the L1 traffic of `stride_32`; claimed 4.");
    capture = strides(100);
    claim(capture, "l1_bytes", "stride_1", "stride_32", "about", 4, 0);
    assert_verdict(capture, RL_CLAIM_UNDECIDED,
                   "`stride_1` against `stride_32`, L1 traffic; claimed 4, but `stride_1` has no L1 traffic (not collected).");
    capture = strides(100);
    sample_counter(capture, 0, "l1tex__t_bytes.sum", 4000);
    sample_counter(capture, 1, "l1tex__t_bytes.sum", 0);
    claim(capture, "l1_bytes", "stride_1", "stride_32", "about", 4, 0);
    assert_verdict(capture, RL_CLAIM_UNDECIDED, NULL);
}

/* Both sides of an exact claim have the same digits, all of them where it is a count; "about" is for what may differ by more than
 * rounding. */
static void exact_claims_have_the_digits_of_their_figure(void **state)
{
    static const struct {
        double counted, claimed, tolerance;
        const char *words;
    } rows[] = {
        {1073741824, 1073741824, 1e-9,
         "`stride_1`'s L1 traffic was 1\u202f073\u202f741\u202f824\u00a0B; claimed 1\u202f073\u202f741\u202f824\u00a0B."},
        {1073741824, 1073741824, 0.01, "`stride_1`'s L1 traffic was 1.074\u00a0GB; claimed about 1.074\u00a0GB within 1\u00a0%."},
        {1000, 1073741824, 0, "`stride_1`'s L1 traffic was 1\u202f000\u00a0B; claimed 1\u202f073\u202f741\u202f824\u00a0B."},
    };
    (void)state;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct rl_capture *capture = strides(100);
        sample_counter(capture, 0, "l1tex__t_bytes.sum", rows[i].counted);
        claim(capture, "l1_bytes", "stride_1", NULL, "about", rows[i].claimed, rows[i].tolerance);
        assert_verdict(capture, rows[i].counted == rows[i].claimed ? RL_CLAIM_HELD : RL_CLAIM_DID_NOT_HOLD, rows[i].words);
    }
    struct rl_capture *capture = strides(100); /* a ratio has as many digits as the claim, too */
    sample_counter(capture, 0, "l1tex__t_bytes.sum", 9001);
    sample_counter(capture, 1, "l1tex__t_bytes.sum", 8000);
    claim(capture, "l1_bytes", "stride_1", "stride_32", "about", 1.125, 0.01);
    assert_verdict(capture, RL_CLAIM_HELD,
                   "`stride_1` had 1.125 times the L1 traffic of `stride_32`; claimed about 1.125 within 1\u00a0%.");
}

/* Two kernels of 10 and 20 us: the variant takes 30 us; and a metric of one kernel says nothing of the variant. */
static void variants_of_several_kernels(void **state)
{
    struct rl_capture *capture = experiment();
    const size_t two = add_variant(capture, "two_kernels", 1);
    struct rl_analysis *analysis;
    (void)state;

    add_kernel(capture, two, 10000, 0);
    add_kernel(capture, two, 20000, 0);
    claim(capture, "time_s", "two_kernels", NULL, "about", 30e-6, 1e-3);
    claim(capture, "registers_per_thread", "two_kernels", NULL, "at_most", 255, 0);
    analysis = rl_analysis_new(capture);
    assert_close(analysis->claims[0].measured.v, 30e-6, 1e-12);
    assert_int_equal(analysis->claims[0].outcome, RL_CLAIM_HELD);
    assert_int_equal(analysis->claims[1].outcome, RL_CLAIM_UNDECIDED);
    assert_non_null(strstr(analysis->claims[1].text, "several kernels"));
    assert_int_equal(analysis->kernels[0].siblings, 2);
    assert_false(rl_present(analysis->kernels[0].useful_bytes_per_second));
    assert_string_equal(analysis->kernels[1].label, "coalescing / two_kernels: stride_kernel");
    assert_ptr_equal(rl_analysis_of_variant(analysis, two), &analysis->kernels[0]);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* A claim is judged on every card that ran a variant of its experiment, and on no other. */
static void one_verdict_for_each_card(void **state)
{
    struct rl_capture *capture = strides(0);
    struct rl_analysis *analysis;
    (void)state;

    for (int i = 1; i < 3; i++) {
        struct rl_gpu *gpu = rl_capture_add_gpu(capture);
        gpu->index = i;
        gpu->name = rl_capture_text(capture, "NVIDIA Other");
    }
    const size_t there = add_variant(capture, "stride_1", 800e6);
    capture->variants[there].gpu = 2;
    capture->kernels[add_kernel(capture, there, 50000, 0)].gpu = 2;
    claim(capture, "useful_bytes_per_second", "stride_1", NULL, "at_least", 10e12, 0);
    analysis = rl_analysis_new(capture);
    assert_int_equal(analysis->claim_count, 2);
    assert_int_equal(analysis->claims[0].gpu, 0);
    assert_int_equal(analysis->claims[0].outcome, RL_CLAIM_DID_NOT_HOLD);
    assert_int_equal(analysis->claims[1].gpu, 2);
    assert_int_equal(analysis->claims[1].outcome, RL_CLAIM_HELD);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

static void names_of_outcomes(void **state)
{
    (void)state;
    assert_string_equal(rl_claim_outcome_name(RL_CLAIM_HELD), "held");
    assert_string_equal(rl_claim_outcome_name(RL_CLAIM_DID_NOT_HOLD), "did not hold");
    assert_string_equal(rl_claim_outcome_name(RL_CLAIM_EXCEEDED), "more than claimed");
    assert_string_equal(rl_claim_outcome_name(RL_CLAIM_UNDECIDED), "could not be decided");
    assert_string_equal(rl_claim_outcome_name(RL_CLAIM_REFERENCE), "reference");
}

/* 100 us for 1000 operations. */
static void time_of_an_operation(void **state)
{
    struct rl_capture *capture = strides(0);
    (void)state;

    capture->variants[0].operations = rl_value_of(1000);
    claim(capture, "time_per_operation_s", "stride_1", NULL, "about", 100e-9, 0.01);
    struct rl_analysis *analysis = rl_analysis_new(capture);
    assert_int_equal(analysis->claims[0].outcome, RL_CLAIM_HELD);
    assert_close(analysis->claims[0].measured.v, 100e-9, 1e-3);
    assert_int_equal(analysis->claims[0].unit, RL_UNIT_SECOND);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* The same at 2 GHz; without a clock nobody can say. */
static void cycles_of_an_operation(void **state)
{
    (void)state;

    for (int clock = 0; clock < 2; clock++) {
        struct rl_capture *capture = strides(0);
        capture->variants[0].operations = rl_value_of(1000);
        if (clock)
            sample_set(capture, 0, "sm__cycles_elapsed.avg.per_second", rl_value_of(2e9));
        claim(capture, "cycles_per_operation", "stride_1", NULL, "about", 200, 0.01);
        assert_verdict(capture, clock ? RL_CLAIM_HELD : RL_CLAIM_UNDECIDED, NULL);
    }
}

/* A range, a bound and a tolerance beyond the last digits leave room: only a figure with none is exact. */
static void what_is_exact(void **state)
{
    static const struct {
        const char *relation;
        double tolerance;
        bool exact;
    } rows[] = {{"about", 0, true},    {"about", 1e-12, true}, {"about", 0.01, false},        {"at_least", 0, false},
                {"at_most", 0, false}, {"between", 0, false},  {"no such relation", 0, false}};
    struct rl_capture *capture = strides(500);
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        if (rl_claim_is_exact(claim(capture, "time", "stride_32", "stride_1", rows[i].relation, 1, rows[i].tolerance)) !=
            rows[i].exact)
            fail_msg("'%s' within %g is %sexact", rows[i].relation, rows[i].tolerance, rows[i].exact ? "not " : "");
    rl_capture_free(capture);
}

static void decided_and_undecided_are_all(void **state)
{
    const struct rl_claim_tally tally = {
        .outcome = {[RL_CLAIM_HELD] = 1, [RL_CLAIM_DID_NOT_HOLD] = 2, [RL_CLAIM_REFERENCE] = 9, [RL_CLAIM_UNDECIDED] = 5}};
    (void)state;
    assert_int_equal(rl_claims_judged(&tally), 3);
    assert_int_equal(rl_claims_total(&tally), 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(relations_of_a_time_ratio),
        cmocka_unit_test(ranges_have_two_ends),
        cmocka_unit_test(words_of_a_verdict),
        cmocka_unit_test(times_over_their_reference),
        cmocka_unit_test(instructions_of_a_traced_kernel),
        cmocka_unit_test(figures_and_intervals),
        cmocka_unit_test(figures_of_another_card_are_not_judged),
        cmocka_unit_test(answers_are_no_claims),
        cmocka_unit_test(undecided_says_why),
        cmocka_unit_test(metrics_decide_exactly),
        cmocka_unit_test(exact_claims_have_the_digits_of_their_figure),
        cmocka_unit_test(variants_of_several_kernels),
        cmocka_unit_test(one_verdict_for_each_card),
        cmocka_unit_test(names_of_outcomes),
        cmocka_unit_test(time_of_an_operation),
        cmocka_unit_test(cycles_of_an_operation),
        cmocka_unit_test(what_is_exact),
        cmocka_unit_test(decided_and_undecided_are_all),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
