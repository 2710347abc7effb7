/* Ways through a capture that replace searching, held against searching. */
#include "rl_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/program.h"
#include "core/mem.h"

enum { GPUS = 40, EXPERIMENTS = 5, VARIANTS = 60 };

static struct rl_gpu *add_gpu(struct rl_capture *capture, const char *name)
{
    struct rl_gpu *gpu = rl_capture_add_gpu(capture);
    gpu->name = rl_capture_text(capture, name);
    return gpu;
}

/* Variants of every experiment on two GPUs, in no order; names are there several times. */
static struct rl_capture *shuffled(void)
{
    static const char *const names[] = {"b", "a", "c", "a"};
    struct rl_capture *capture = rl_capture_new();
    for (size_t i = 0; i < 2; i++)
        add_gpu(capture, "card");
    for (size_t i = 0; i < EXPERIMENTS; i++) {
        struct rl_experiment *experiment = rl_capture_add_experiment(capture);
        experiment->name = experiment->topic = experiment->question = experiment->explanation = experiment->source =
            rl_capture_text(capture, "e");
    }
    for (size_t i = 0; i < VARIANTS; i++) {
        struct rl_variant *variant = rl_capture_add_variant(capture);
        variant->experiment = i * 7 % EXPERIMENTS;
        variant->gpu = i * 5 % 3 % 2;
        variant->name = variant->description = variant->size_unit = rl_capture_text(capture, names[i * 3 % 4]);
    }
    return capture;
}

static void variants_are_found(void **state)
{
    (void)state;
    struct rl_capture *capture = shuffled();
    struct rl_index index;
    rl_index_make(&index, capture);
    for (size_t e = 0; e < EXPERIMENTS; e++)
        for (size_t gpu = 0; gpu < 3; gpu++) {
            const size_t *at;
            size_t count = rl_variants_on(&index, capture, e, gpu, &at), seen = 0, named = RL_NONE;
            for (size_t i = 0; i < VARIANTS; i++) {
                if (capture->variants[i].experiment != e || capture->variants[i].gpu != gpu)
                    continue;
                assert_true(seen < count);
                assert_int_equal(at[seen++], i);
                if (named == RL_NONE && strcmp(capture->variants[i].name, "a") == 0)
                    named = i;
            }
            assert_int_equal(seen, count);
            assert_int_equal(rl_variant_named(&index, capture, e, gpu, "a"), named);
            assert_int_equal(rl_variant_named(&index, capture, e, gpu, "aa"), RL_NONE);
        }
    rl_index_release(&index);
    rl_capture_free(capture);
}

static void ranks_of_gpus(void **state)
{
    (void)state;
    struct rl_capture *capture = rl_capture_new();
    struct rl_index index;
    for (size_t i = 0; i < 3; i++)
        add_gpu(capture, "card");
    for (size_t i = 0; i < 3; i++)
        rl_capture_add_process(capture)->rank = i ? rl_capture_text(capture, i == 1 ? "1" : "2") : NULL;
    rl_capture_add_process_gpu(capture, 0)->gpu = 1;
    rl_capture_add_process_gpu(capture, 1)->gpu = 1; /* later than the process without a rank */
    rl_capture_add_process_gpu(capture, 2)->gpu = 2;
    rl_index_make(&index, capture);
    assert_true(index.has_ranks);
    assert_null(index.rank_of_gpu[0]);
    assert_null(index.rank_of_gpu[1]);
    assert_string_equal(index.rank_of_gpu[2], "2");
    rl_index_release(&index);
    rl_capture_free(capture);
}

static double clock_of(const struct rl_analysis *analysis, size_t gpu)
{
    return analysis->gpus[gpu].sm_clock.n ? analysis->gpus[gpu].sm_clock.median : 0;
}

/* Whether two cards are the same but for the frequency of their clocks. */
static bool same_card(const struct rl_analysis *analysis, size_t a, size_t b)
{
    const struct rl_gpu *x = &analysis->capture->gpus[a], *y = &analysis->capture->gpus[b];
    return strcmp(x->name, y->name) == 0 && !x->chip == !y->chip &&
           rl_present(x->fact[RL_FACT_sm_count]) == rl_present(y->fact[RL_FACT_sm_count]) &&
           !analysis->gpus[a].sm_clock.n == !analysis->gpus[b].sm_clock.n;
}

/* The lowest clock of those for which one card stands. */
static double lowest(const struct rl_analysis *analysis, const size_t *represented, size_t by)
{
    double low = INFINITY;
    for (size_t i = 0; i < GPUS; i++)
        low = represented[i] == by ? fmin(low, clock_of(analysis, i)) : low;
    return low;
}

/* Clocks 0.4 % apart: each is like its neighbours but not like theirs. The first of those within 1 % of the lowest stands for all.
 */
static void cards_stand_for_those_alike(void **state)
{
    (void)state;
    struct rl_capture *capture = rl_capture_new();
    bool hidden[GPUS] = {false};
    for (size_t i = 0; i < GPUS; i++) {
        struct rl_gpu *gpu = add_gpu(capture, i % 3 ? "one" : "other");
        gpu->chip = i % 5 ? NULL : rl_capture_text(capture, "GH100");
        gpu->fact[RL_FACT_sm_count] = i % 7 ? rl_value_of(132) : rl_value_missing(RL_NOT_COLLECTED, "nobody asked");
        hidden[i] = i % 11 == 3;
    }
    struct rl_analysis *analysis = rl_analysis_new(capture);
    for (size_t i = 0; i < GPUS; i++)
        analysis->gpus[i].sm_clock = (struct rl_stats){.n = i % 13 > 0, .median = 1e9 * (1 + 0.004 * (double)(i * 17 % 23))};
    analysis->gpus[5].sm_clock.median = 1e300; /* of counters that cannot be */
    analysis->gpus[7].sm_clock.median = -1e9;
    size_t *represented = rl_cards_represented(analysis, hidden), alone = 0;
    for (size_t i = 0; i < GPUS; i++) {
        const size_t by = represented[i];
        assert_int_equal(by == RL_NONE, hidden[i]);
        for (size_t j = 0; j < GPUS && by != RL_NONE; j++) {
            if (represented[j] == by) {
                assert_true(by <= j && same_card(analysis, i, j));
                assert_true(fabs(clock_of(analysis, i) - clock_of(analysis, j)) <= 0.0101 * fabs(clock_of(analysis, j)));
            } else if (represented[j] != RL_NONE && same_card(analysis, i, j)) {
                const double x = lowest(analysis, represented, by), y = lowest(analysis, represented, represented[j]);
                assert_true(fabs(x - y) > 0.01 * fmax(fabs(x), fabs(y)));
            }
        }
        alone += rl_cards_count_represented(represented, GPUS, i) == 1;
    }
    assert_true(alone < GPUS - 5);
    free(represented);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* Every row by its own name, and none by another. */
static void rows_are_found_by_their_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < RL_SET_COUNT; i++)
        assert_int_equal(rl_set_find(rl_sets[i].name), i);
    for (size_t i = 0; i < RL_METRIC_COUNT; i++)
        assert_int_equal(rl_metric_find(rl_metrics[i].id), i);
    assert_int_equal(rl_set_find("none of them"), RL_SET_COUNT);
    assert_int_equal(rl_metric_find("none of them"), RL_METRIC_COUNT);
}

/* Those of the session, then those of the card, in their order; of another card none. */
static void findings_about_a_card(void **state)
{
    (void)state;
    struct rl_capture *capture = rl_capture_new();
    for (size_t i = 0; i < 2; i++) {
        struct rl_gpu *gpu = add_gpu(capture, "card");
        gpu->fact[RL_FACT_mig_enabled] = gpu->fact[RL_FACT_ecc_errors_uncorrected] = rl_value_of(1);
    }
    for (size_t gpu = 0; gpu < 2; gpu++) {
        struct rl_analysis *analysis = rl_analysis_new(capture);
        size_t of_session = 0, of_card = 0, at = 0;
        for (size_t i = 0; i < analysis->finding_count; i++) {
            of_session += analysis->findings[i].gpu == RL_NONE;
            of_card += analysis->findings[i].gpu == gpu;
        }
        for (size_t pass = 0; pass < 2; pass++)
            for (size_t i = 0; i < analysis->finding_count; i++)
                if (analysis->findings[i].gpu == (pass ? gpu : RL_NONE))
                    assert_ptr_equal(rl_finding_about(analysis, gpu, at++), &analysis->findings[i]);
        assert_true(of_card >= 2);
        assert_int_equal(at, of_session + of_card);
        assert_null(rl_finding_about(analysis, gpu, at));
        rl_analysis_free(analysis);
    }
    rl_capture_free(capture);
}

/* Claims of each experiment are judged on each GPU that ran a variant of it. */
static void claims_are_found(void **state)
{
    (void)state;
    struct rl_capture *capture = shuffled();
    for (size_t e = 0; e < EXPERIMENTS; e++)
        for (size_t c = 0; c <= e; c++) {
            struct rl_claim *claim = rl_capture_add_claim(capture, e);
            claim->id = claim->text = rl_capture_text(capture, "c");
            claim->quantity = rl_capture_text(capture, "time_s");
            claim->subject = rl_capture_text(capture, "a");
            claim->relation = rl_capture_text(capture, "about");
        }
    struct rl_analysis *analysis = rl_analysis_new(capture);
    size_t all = 0;
    for (size_t e = 0; e < EXPERIMENTS; e++)
        for (size_t gpu = 0; gpu < 2; gpu++) {
            const size_t *at, count = rl_claims_on(analysis, e, gpu, &at);
            size_t seen = 0;
            for (size_t i = 0; i < analysis->claim_count; i++)
                if (analysis->claims[i].experiment == e && analysis->claims[i].gpu == gpu) {
                    assert_true(seen < count);
                    assert_int_equal(at[seen++], i);
                }
            assert_int_equal(seen, count);
            assert_int_equal(count, e + 1);
            all += count;
        }
    assert_int_equal(all, analysis->claim_count);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

static void results_know_their_kernels(void **state)
{
    (void)state;
    struct rl_capture *capture = rl_capture_new();
    add_gpu(capture, "card");
    for (size_t i = 0; i < 3; i++) {
        struct rl_kernel *kernel = rl_capture_add_kernel(capture);
        kernel->name = rl_capture_text(capture, "k");
        kernel->variant = RL_NONE;
    }
    struct rl_analysis *analysis = rl_analysis_new(capture);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(analysis->kernels[i].kernel, i);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variants_are_found),          cmocka_unit_test(ranks_of_gpus),
        cmocka_unit_test(cards_stand_for_those_alike), cmocka_unit_test(rows_are_found_by_their_names),
        cmocka_unit_test(findings_about_a_card),       cmocka_unit_test(claims_are_found),
        cmocka_unit_test(results_know_their_kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
