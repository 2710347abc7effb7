/* Gains that rules promise, compared with measurements: by hand, and on the captures in samples/, of which docs/data/gains.md is
 * made: `test_gains --write FILE` writes it. */
#include "rl_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/actions.h"
#include "core/buf.h"
#include "core/fs.h"
#include "core/mem.h"
#include "core/sort.h"
#include "core/stats.h"
#include "fixtures/capture.h"

static const struct {
    const char *path, *card;
    size_t least; /* predictions */
} samples[] = {
    {RL_SOURCE_DIR "/samples/h100.rlcap", "NVIDIA H100", 22},
    {RL_SOURCE_DIR "/samples/h200.rlcap", "NVIDIA H200", 22},
};

/* What is read of a capture; released together. */
struct held {
    struct rl_capture *capture;
    struct rl_analysis *analysis;
    struct rl_gain_record *records;
    size_t count;
};

static struct held hold(struct rl_capture *capture)
{
    struct held held = {.capture = capture, .analysis = rl_analysis_new(capture)};

    held.count = rl_gain_records(held.analysis, &held.records);
    return held;
}

static struct held read_sample(const char *path)
{
    struct rl_capture *capture;
    struct rl_err err = RL_ERR_INIT;

    assert_int_equal(rl_capture_read(path, &capture, &err), RL_OK);
    return hold(capture);
}

static void done(struct held *held)
{
    free(held->records);
    rl_analysis_free(held->analysis);
    rl_capture_free(held->capture);
}

/* ---- by hand ---- */

/* 32 GB/s of DRAM, shared memory 10 wavefronts a ns. Conflicts of 4 ways take 20,000 wavefronts, 2 us at the roof of shared memory,
 * and 16,000 bytes 0.5 us at that of DRAM: a quarter of the wavefronts takes 0.5 us. Blocks take 0.1 us to start. */
static size_t conflicting_kernel(struct rl_capture *capture, double wavefronts, double ideal, uint64_t ns)
{
    const size_t kernel = sample_full_kernel(capture, "k");
    const struct {
        const char *name;
        double value;
    } counts[] = {
        {"dram__bytes_read.sum", 16000},
        {"dram__bytes_write.sum", 0},
        {"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum", wavefronts},
        {"smsp__sass_inst_executed_op_shared.sum", ideal},
        {"smsp__sass_data_bytes_mem_shared.sum", ideal * 128},
        {"smsp__sass_inst_executed.sum", 10000},
        {"sm__cycles_active.avg", 2000},
        {"sm__cycles_elapsed.max", 2000},
        {"l1tex__t_bytes.sum", 0},
        {"lts__t_sectors_srcunit_tex.sum", 0},
        {"smsp__issue_active.sum", 0},
        {"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", 0},
        {"smsp__sass_thread_inst_executed_op_dmul_pred_on.sum", 0},
        {"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", 0},
    };

    for (size_t i = 0; i < RL_COUNT(counts); i++)
        sample_set(capture, kernel, counts[i].name, rl_value_of(counts[i].value));
    sample_shape(&capture->kernels[kernel], 100, 256); /* 0.1 us of blocks, one a cycle */
    capture->kernels[kernel].duration_count = 0;
    sample_time(capture, kernel, ns);
    return kernel;
}

static struct rl_capture *pair_of(double mended_flop)
{
    static char slow[] = "slow", mended[] = "mended";
    static struct rl_variant_pair pair = {slow, mended};
    struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
    struct rl_experiment *experiment = sample_experiment(capture, "e");
    static const char *const names[] = {"slow", "mended"};

    experiment->pairs = &pair;
    experiment->pair_count = 1;
    for (size_t i = 0; i < 2; i++) {
        sample_variant(capture, 0, 0, names[i], "kernel")->model_flop = rl_value_of(i ? mended_flop : 100);
        const size_t kernel = i ? conflicting_kernel(capture, 5000, 5000, 800) : conflicting_kernel(capture, 20000, 5000, 2000);
        capture->kernels[kernel].variant = i;
    }
    return capture;
}

static const struct rl_gain_record *record_of(const struct held *held, enum rl_rule rule)
{
    for (size_t i = 0; i < held->count; i++)
        if (held->records[i].rule == rule)
            return &held->records[i];
    return NULL;
}

/* 0.5 us of a launch stay where the shortest was not measured. */
static double above_floor(double time_us, double gain)
{
    return time_us / (0.5 + (time_us - 0.5) / gain);
}

static void a_prediction_by_hand(void **state)
{
    struct held held = hold(pair_of(100));
    const struct rl_gain_record *record = record_of(&held, RL_RULE_bank_conflicts);
    (void)state;

    assert_non_null(record);
    const double predicted = above_floor(2, hypot(2, 0.1) / hypot(0.5, 0.1));
    assert_close(record->predicted.v, predicted, 1e-9);
    assert_close(record->measured.v, 2.5, 1e-9);
    assert_close(record->error.v, predicted / 2.5 - 1, 1e-9);
    assert_close(rl_gain_median_error(held.records, held.count, RL_RULE_bank_conflicts).v, 1 - predicted / 2.5, 1e-9);
    assert_false(rl_present(rl_gain_median_error(held.records, held.count, RL_RULE_divergence)));
    done(&held);
}

/* Twice the operations in the same time are twice the gain. */
static void gains_are_for_the_same_work(void **state)
{
    struct held held = hold(pair_of(200));
    (void)state;

    assert_close(record_of(&held, RL_RULE_bank_conflicts)->measured.v, 5, 1e-9);
    done(&held);
}

static void mend(struct rl_capture *capture, double wavefronts, uint64_t ns)
{
    sample_set(capture, 1, "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum", rl_value_of(wavefronts));
    capture->kernels[1].duration_count = 0;
    sample_time(capture, 1, ns);
}

/* 15,000 wavefronts are still three times as many as needed: their promise, 1.5 us over 0.5, is what is left of 4 times. */
static void advice_followed_in_part_has_the_rest_as_its_gain(void **state)
{
    struct rl_capture *capture = pair_of(100);
    (void)state;

    mend(capture, 15000, 1750);
    struct held held = hold(capture);
    const struct rl_gain_record *record = record_of(&held, RL_RULE_bank_conflicts);
    assert_non_null(record);
    const double promised = above_floor(2, hypot(2, 0.1) / hypot(0.5, 0.1)),
                 left = above_floor(1.75, hypot(1.5, 0.1) / hypot(0.5, 0.1));
    assert_close(record->predicted.v, promised / left, 1e-9);
    done(&held);
}

/* As many wavefronts as before: nothing of the advice was followed. */
static void advice_that_is_not_followed_has_no_record(void **state)
{
    struct rl_capture *capture = pair_of(100);
    (void)state;

    mend(capture, 20000, 2000);
    struct held held = hold(capture);
    assert_null(record_of(&held, RL_RULE_bank_conflicts));
    done(&held);
}

static void add_copy(struct rl_capture *capture, size_t variant, int64_t ns)
{
    struct rl_event *copy = rl_arena_alloc(&capture->arena, sizeof *copy);
    *copy = (struct rl_event){.kind = RL_EVENT_COPY_TO_DEVICE, .start_ns = 0, .end_ns = ns, .bytes = 10000};
    capture->variants[variant].events = copy;
    capture->variants[variant].event_count = 1;
}

/* The link has 20 GB/s. 10 kB in 1.5 of 2 us are slow, and take 0.5 us page-locked; in 0.9 us they would not be slow. */
static void slow_copies_of_a_run_by_hand(void **state)
{
    (void)state;
    for (int slow = 0; slow < 2; slow++) {
        struct rl_capture *capture = pair_of(100);
        sample_ceiling(capture, 0, "pcie_h2d", RL_UNIT_BYTE_PER_SECOND, 20e9, 0, 30);
        add_copy(capture, 0, slow ? 1500 : 900);
        add_copy(capture, 1, 500);
        struct held held = hold(capture);
        const struct rl_gain_record *record = record_of(&held, RL_RULE_pageable_copies);
        assert_int_equal(record != NULL, slow);
        if (record)
            assert_close(record->predicted.v, 2, 1e-9);
        done(&held);
    }
}

static void pairs_without_a_variant_have_no_record(void **state)
{
    struct rl_capture *capture = pair_of(100);
    (void)state;

    capture->variants[1].status = RL_VARIANT_FAILED;
    struct held held = hold(capture);
    assert_int_equal(held.count, 0);
    done(&held);
}

/* ---- on the samples ---- */

/* Nine of ten errors are under it. */
static double error_of_most(const struct held *held)
{
    double *sizes = rl_calloc(held->count, sizeof *sizes);
    size_t count = 0;
    for (size_t i = 0; i < held->count; i++)
        if (rl_present(held->records[i].error))
            sizes[count++] = fabs(held->records[i].error.v);
    rl_sort_doubles(sizes, count);
    const double most = count ? rl_stats_quantile_sorted(sizes, count, 0.9) : 0;
    free(sizes);
    return most;
}

enum { PAIRS_WORTH, PAIRS_PREDICTED, PAIRS };

/* Pairs that gain more than 1.2 times, and those of them of which a rule says by how much. */
static void count_pairs(const struct held *held, size_t counts[PAIRS])
{
    static const double worth = 1.2;
    counts[PAIRS_WORTH] = counts[PAIRS_PREDICTED] = 0;
    for (size_t i = 0; i < held->count; i++) {
        const struct rl_gain_record *record = &held->records[i], *before = i ? &held->records[i - 1] : NULL;
        if (!rl_present(record->measured) || record->measured.v <= worth ||
            (before && before->broken == record->broken && before->mended == record->mended))
            continue;
        bool predicted = false;
        for (size_t k = i;
             k < held->count && held->records[k].broken == record->broken && held->records[k].mended == record->mended; k++)
            predicted |= rl_present(held->records[k].error);
        counts[PAIRS_WORTH]++;
        counts[PAIRS_PREDICTED] += predicted;
    }
}

static void samples_keep_their_promises(void **state)
{
    (void)state;

    for (size_t s = 0; s < RL_COUNT(samples); s++) {
        struct held held = read_sample(samples[s].path);
        size_t pairs[PAIRS];
        count_pairs(&held, pairs);
        assert_true(rl_gain_predictions(held.records, held.count) >= samples[s].least);
        assert_true(pairs[PAIRS_PREDICTED] >= 0.6 * pairs[PAIRS_WORTH]);
        assert_true(rl_gain_median_error(held.records, held.count, RL_RULE_COUNT).v <= 0.1);
        assert_true(error_of_most(&held) <= 0.25);
        for (int rule = 0; rule < RL_RULE_COUNT; rule++) {
            const struct rl_value error = rl_gain_median_error(held.records, held.count, (enum rl_rule)rule);
            if (rl_present(error) && error.v > RL_MOST_GAIN_ERROR)
                fail_msg("%s is %.0f %% off on an %s: it is not to promise gains", rl_rules[rule].id, error.v * 100,
                         samples[s].card);
        }
        done(&held);
    }
}

/* A rule whose promise no pair of the suite has tried is not to promise. */
static void every_promise_has_a_record(void **state)
{
    bool tried[RL_RULE_COUNT + 1] = {false};
    (void)state;

    for (size_t s = 0; s < RL_COUNT(samples); s++) {
        struct held held = read_sample(samples[s].path);
        for (size_t i = 0; i < held.count; i++)
            tried[held.records[i].rule] |= rl_present(held.records[i].error);
        done(&held);
    }
    for (int rule = 0; rule < RL_RULE_COUNT; rule++)
        if (rl_rules[rule].gain && !tried[rule])
            fail_msg("%s promises a gain, and no pair of variants in samples/ has tried it", rl_rules[rule].id);
}

/* ---- docs/data/gains.md ---- */

static const char head[] =
    "# Gains predicted by findings, and measured\n"
    "\n"
    "How well findings predict gains. A finding with a gain is a prediction: the speedup of a launch when the work that the rule\n"
    "counts is removed and the next resource limits. The time of an empty kernel stays, and the time to start blocks and that of\n"
    "the next resource are added as the root of the sum of squares. In some pairs of variants of the suite one does what a rule\n"
    "advises, so that each collection compares predictions with measurements; `rooflight show` and the report have the table of\n"
    "their capture. *Measured* is the ratio of the two times, for the same operations or useful bytes. A rule whose median error\n"
    "exceeds 50 % must not predict gains.\n"
    "\n"
    "Made of the captures in `samples/` by `build/tests/unit_analysis_test_gains --write docs/data/gains.md`.\n";

static void add_factor(struct rl_buf *out, struct rl_value value)
{
    rl_buf_adds(out, " | ");
    if (rl_present(value))
        rl_unit_format(out, RL_UNIT_NONE, value.v, 3);
    else
        rl_buf_adds(out, "–");
}

static void add_record(struct rl_buf *out, const struct held *held, const struct rl_gain_record *record)
{
    const struct rl_capture *capture = held->capture;

    rl_buf_addf(out, "| %s | %s | %s | %s", capture->experiments[record->experiment].name, capture->variants[record->broken].name,
                capture->variants[record->mended].name, record->rule < RL_RULE_COUNT ? rl_rules[record->rule].id : "–");
    add_factor(out, record->predicted);
    add_factor(out, record->measured);
    rl_buf_adds(out, " | ");
    if (rl_present(record->error))
        rl_buf_addf(out, "%+.0f %%", record->error.v * 100);
    else if (record->rule < RL_RULE_COUNT)
        rl_buf_addf(out, "not predicted: %s", rl_value_reason(record->predicted));
    rl_buf_adds(out, " |\n");
}

static void add_sample(struct rl_buf *out, const struct held *held, const char *card)
{
    size_t pairs[PAIRS];
    count_pairs(held, pairs);
    rl_buf_addf(out,
                "\n## %s\n\n%zu predictions, median error %.0f %%, 90 %% of them under %.0f %%. Of %zu pairs with a gain of "
                "more than 1.2 times, %zu are predicted.\n\n"
                "| experiment | slow variant | fixed | rule | predicted | measured | error |\n|---|---|---|---|---|---|---|\n",
                card, rl_gain_predictions(held->records, held->count),
                rl_gain_median_error(held->records, held->count, RL_RULE_COUNT).v * 100, error_of_most(held) * 100,
                pairs[PAIRS_WORTH], pairs[PAIRS_PREDICTED]);
    for (size_t i = 0; i < held->count; i++)
        add_record(out, held, &held->records[i]);
}

static void add_bounds(struct rl_buf *out)
{
    rl_buf_adds(out, "\n## Rules without a predicted gain\n\n"
                     "A rule without a pair in the suite predicts no gain. These have an upper bound on the saved time; the\n"
                     "achieved saving is not measured.\n\n");
    for (int rule = 0; rule < RL_RULE_COUNT; rule++)
        if (rl_rules[rule].at_most)
            rl_buf_addf(out, "- `%s`: %s\n", rl_rules[rule].id, rl_rules[rule].problem);
}

static void make_document(struct rl_buf *out)
{
    rl_buf_adds(out, head);
    for (size_t s = 0; s < RL_COUNT(samples); s++) {
        struct held held = read_sample(samples[s].path);
        add_sample(out, &held, samples[s].card);
        done(&held);
    }
    add_bounds(out);
}

static void the_document_is_made_of_the_samples(void **state)
{
    struct rl_buf made = RL_BUF_INIT, there = RL_BUF_INIT;
    struct rl_err err = RL_ERR_INIT;
    (void)state;

    make_document(&made);
    assert_int_equal(rl_read_file(RL_SOURCE_DIR "/docs/data/gains.md", 1 << 20, &there, &err), RL_OK);
    assert_string_equal(there.data, made.data);
    rl_buf_release(&made);
    rl_buf_release(&there);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_prediction_by_hand),
        cmocka_unit_test(gains_are_for_the_same_work),
        cmocka_unit_test(advice_followed_in_part_has_the_rest_as_its_gain),
        cmocka_unit_test(advice_that_is_not_followed_has_no_record),
        cmocka_unit_test(slow_copies_of_a_run_by_hand),
        cmocka_unit_test(pairs_without_a_variant_have_no_record),
        cmocka_unit_test(samples_keep_their_promises),
        cmocka_unit_test(every_promise_has_a_record),
        cmocka_unit_test(the_document_is_made_of_the_samples),
    };
    struct rl_buf made = RL_BUF_INIT;

    if (argc == 3 && strcmp(argv[1], "--write") == 0) {
        make_document(&made);
        const int failed = rl_write_file_atomic(argv[2], made.data, made.len, NULL) != RL_OK;
        rl_buf_release(&made);
        return failed;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
