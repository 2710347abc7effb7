/* What a capture of one card predicts of another card that was measured too: docs/data/predicted.md, analysis/recorded.def and
 * analysis/latencies.def are made of the captures in samples/. `test_pairs --write FILE` writes the first, `--roofs FILE` and
 * `--latencies FILE` the others. */
#include "rl_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/cards.h"
#include "analysis/projection.h"
#include "core/buf.h"
#include "core/fs.h"
#include "core/mem.h"
#include "core/sort.h"
#include "core/stats.h"

static const struct {
    const char *path, *name, *card;
} samples[] = {
    {RL_SOURCE_DIR "/samples/h200.rlcap", "samples/h200.rlcap", "H200"},
    {RL_SOURCE_DIR "/samples/h100.rlcap", "samples/h100.rlcap", "H100-SXM5-80GB"},
};

struct side {
    struct rl_capture *capture;
    struct rl_analysis *analysis;
};

static struct side read_side(size_t sample)
{
    struct side side = {NULL, NULL};
    struct rl_err err = RL_ERR_INIT;

    assert_int_equal(rl_capture_read(samples[sample].path, &side.capture, &err), RL_OK);
    assert_ptr_equal(rl_card_find(side.capture->gpus[0].name), rl_card_find(samples[sample].card));
    side.analysis = rl_analysis_new(side.capture);
    return side;
}

static void release(struct side *side)
{
    rl_analysis_free(side->analysis);
    rl_capture_free(side->capture);
}

/* ---- launches of both ---- */

/* A launch that both captures have: its prediction and its time there. */
struct pair {
    const char *label;
    const struct rl_projected *projected;
    const struct rl_kernel_result *here, *there;
};

static const struct rl_kernel_result *same_launch(const struct side *there, const struct rl_kernel_result *here)
{
    for (size_t i = 0; i < there->capture->kernel_count; i++)
        if (strcmp(there->analysis->kernels[i].label, here->label) == 0)
            return &there->analysis->kernels[i];
    return NULL;
}

typedef void (*pair_function)(void *to, const struct pair *pair);

/* Calls it for every timed launch of the one that the other has, too, and that has a bound there. */
static void each_pair(size_t from, size_t to, pair_function function, void *context)
{
    struct side here = read_side(from), there = read_side(to);
    struct rl_projection *projection = rl_projection_new(here.analysis, rl_card_find(samples[to].card));

    for (size_t i = 0; i < here.capture->kernel_count; i++) {
        const struct rl_kernel_result *own = &here.analysis->kernels[i], *other = same_launch(&there, own);
        const struct pair pair = {own->label, &projection->kernels[i], own, other};
        if (other && other->duration.n && own->duration.n && rl_present(pair.projected->bound_low_s))
            function(context, &pair);
    }
    rl_projection_free(projection);
    release(&here);
    release(&there);
}

/* ---- what holds ---- */

struct tally {
    size_t pairs, estimates, beaten, within;
    double errors[1000];
};

/* Beaten: the launch took less than the least time that the data sheet allows, by more than the interval of its time. */
static void count(void *to, const struct pair *pair)
{
    struct tally *tally = to;
    const struct rl_stats *time = &pair->there->duration;
    const double most = time->has_interval ? time->high : time->median;

    tally->pairs++;
    if (most < pair->projected->bound_low_s.v) {
        print_message("%s: %.4g s is less than %.4g s\n", pair->label, most, pair->projected->bound_low_s.v);
        tally->beaten++;
    }
    if (rl_present(pair->projected->estimate_s) && time->median >= pair->projected->estimate_low_s.v &&
        time->median <= pair->projected->estimate_high_s.v)
        tally->within++;
    if (rl_present(pair->projected->estimate_s) && tally->estimates < RL_COUNT(tally->errors))
        tally->errors[tally->estimates++] = fabs(pair->projected->estimate_s.v / time->median - 1);
}

static double error_of_most(struct tally *tally)
{
    rl_sort_doubles(tally->errors, tally->estimates);
    return rl_stats_quantile_sorted(tally->errors, tally->estimates, 0.9);
}

static double share_within(const struct tally *tally)
{
    return (double)tally->within / (double)tally->estimates;
}

static void no_bound_is_beaten_and_estimates_are_near(void **state)
{
    (void)state;

    for (size_t from = 0; from < RL_COUNT(samples); from++)
        for (size_t to = 0; to < RL_COUNT(samples); to++) {
            struct tally tally = {0};
            each_pair(from, to, count, &tally);
            const double median = rl_stats_of(tally.errors, tally.estimates).median;
            const double most = error_of_most(&tally), within = share_within(&tally);
            print_message("%s to %s: %zu launches, %zu estimates, median error %.1f %%, 90 %% under %.1f %%, %.1f %% within\n",
                          samples[from].card, samples[to].card, tally.pairs, tally.estimates, median * 100, most * 100,
                          within * 100);
            assert_true(tally.pairs > 60);
            assert_int_equal(tally.beaten, 0);
            assert_true(tally.estimates > 20);
            assert_true(median <= 0.02);
            assert_true(most <= 0.12);
            assert_true(within >= 0.9);
        }
}

/* ---- docs/data/predicted.md ---- */

static const char head[] =
    "# Projections from one GPU to another, and measurements there\n"
    "\n"
    "How exact `rooflight compare --project` is. For every pair of captures in `samples/`, the launches of one GPU are projected\n"
    "to the other and compared with the times measured there. The bound is the shortest time that the roofs of the data sheet\n"
    "allow. For the estimate the time at every resource scales with its roof, and the slowest limits\n"
    "([projection.md](../projection.md)). Launches without an estimate have a limiter that need not scale with a roof.\n"
    "\n"
    "Made of the captures by `build/tests/unit_analysis_test_pairs --write docs/data/predicted.md`.\n";

struct page {
    struct rl_buf *out;
    struct tally tally;
    bool rows;
};

static void add_time(struct rl_buf *out, struct rl_value time)
{
    rl_buf_adds(out, " | ");
    if (rl_present(time))
        rl_unit_format(out, RL_UNIT_SECOND, time.v, 3);
    else
        rl_buf_adds(out, "–");
}

static void add_row(void *to, const struct pair *pair)
{
    struct page *page = to;
    const struct rl_value there = rl_value_of(pair->there->duration.median), estimate = pair->projected->estimate_s;

    if (!page->rows) {
        count(&page->tally, pair);
        return;
    }
    rl_buf_addf(page->out, "| %s", pair->label);
    add_time(page->out, rl_value_of(pair->here->duration.median));
    add_time(page->out, pair->projected->bound_low_s);
    add_time(page->out, estimate);
    add_time(page->out, pair->projected->estimate_low_s);
    add_time(page->out, pair->projected->estimate_high_s);
    add_time(page->out, there);
    if (rl_present(estimate))
        rl_buf_addf(page->out, " | %+.1f %% |\n", 100 * (estimate.v / there.v - 1));
    else
        rl_buf_adds(page->out, " | |\n");
}

static void add_direction(struct rl_buf *out, size_t from, size_t to)
{
    struct page page = {.out = out};

    each_pair(from, to, add_row, &page);
    page.rows = true;
    rl_buf_addf(out,
                "\n## %s to %s\n\n%zu launches, of which %zu took less than their bound; %zu estimates, median error %.1f %%, "
                "90 %% of them under %.1f %%; %.1f %% of the times within their interval.\n\n"
                "| launch | %s | bound | estimate | from | to | %s | error |\n|---|---|---|---|---|---|---|---|\n",
                samples[from].card, samples[to].card, page.tally.pairs, page.tally.beaten, page.tally.estimates,
                100 * rl_stats_of(page.tally.errors, page.tally.estimates).median, 100 * error_of_most(&page.tally),
                100 * share_within(&page.tally), samples[from].card, samples[to].card);
    each_pair(from, to, add_row, &page);
}

static void make_document(struct rl_buf *out)
{
    rl_buf_adds(out, head);
    for (size_t from = 0; from < RL_COUNT(samples); from++)
        for (size_t to = 0; to < RL_COUNT(samples); to++)
            if (from != to)
                add_direction(out, from, to);
}

/* ---- recorded.def ---- */

/* What was measured in which sample. */
typedef bool measured_roofs[RL_COUNT(samples)][RL_CEILING_COUNT];

/* Of a card that has several captures the first one that measured a roof says what it is. */
static bool is_said(measured_roofs measured, size_t sample, size_t ceiling)
{
    for (size_t i = 0; i < sample; i++)
        if (strcmp(samples[i].card, samples[sample].card) == 0 && measured[i][ceiling])
            return true;
    return false;
}

static bool is_first_of_its_benchmark(size_t ceiling)
{
    for (size_t i = 0; i < ceiling; i++)
        if (strcmp(rl_ceilings[i].measured, rl_ceilings[ceiling].measured) == 0)
            return false;
    return true;
}

static void make_roofs(struct rl_buf *out)
{
    rl_buf_adds(out, "/* recorded.def - roofs that rooflight has measured: RECORDED(card, measured, value, source)\n"
                     " *   card      row of cards.def\n"
                     " *   measured  id of the micro-benchmark (ceilings.def)\n"
                     " *   value     median in the base unit\n"
                     " *\n"
                     " * Made of the captures in samples/ by `build/tests/unit_analysis_test_pairs --roofs "
                     "analysis/include/analysis/recorded.def`.\n */\n");
    measured_roofs measured = {{false}};
    for (size_t s = 0; s < RL_COUNT(samples); s++) {
        struct side side = read_side(s);
        for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
            const struct rl_ceiling *ceiling = &side.analysis->gpus[0].ceiling[i];
            measured[s][i] = ceiling->measured.n > 0;
            if (measured[s][i] && rl_ceilings[i].level != RL_LEVEL_LINK && is_first_of_its_benchmark(i) && !is_said(measured, s, i))
                rl_buf_addf(out, "RECORDED(\"%s\", %s, %.4e, \"%s\")\n", samples[s].card, rl_ceilings[i].measured,
                            ceiling->measured.median, samples[s].name);
        }
        release(&side);
    }
}

/* ---- latencies.def ---- */

static void make_latencies(struct rl_buf *out)
{
    static const char *const levels[RL_CHAIN_COUNT] = {[RL_CHAIN_L1] = "L1", [RL_CHAIN_L2] = "L2", [RL_CHAIN_DRAM] = "DRAM"};

    rl_buf_adds(out, "/* latencies.def - latencies that rooflight has measured: LATENCY(card, level, seconds, source)\n"
                     " *   card     row of cards.def\n"
                     " *   level    enum rl_chain_level\n"
                     " *   seconds  of a load that waits for the one before\n"
                     " *\n"
                     " * Made of the captures in samples/ by `build/tests/unit_analysis_test_pairs --latencies "
                     "analysis/include/analysis/latencies.def`.\n */\n");
    for (size_t s = 0; s < RL_COUNT(samples); s++) {
        struct side side = read_side(s);
        for (size_t level = 0; level < RL_CHAIN_COUNT; level++)
            if (rl_present(side.analysis->gpus[0].latency_s[level]) && !side.analysis->gpus[0].latency_from[level])
                rl_buf_addf(out, "LATENCY(\"%s\", %s, %.4e, \"%s\")\n", samples[s].card, levels[level],
                            side.analysis->gpus[0].latency_s[level].v, samples[s].name);
        release(&side);
    }
}

/* ---- all are what the samples make ---- */

static void assert_is_made(const char *path, void (*make)(struct rl_buf *out))
{
    struct rl_buf made = RL_BUF_INIT, there = RL_BUF_INIT;
    struct rl_err err = RL_ERR_INIT;

    make(&made);
    assert_int_equal(rl_read_file(path, 1 << 20, &there, &err), RL_OK);
    assert_string_equal(there.data, made.data);
    rl_buf_release(&made);
    rl_buf_release(&there);
}

static void files_are_made_of_the_samples(void **state)
{
    (void)state;
    assert_is_made(RL_SOURCE_DIR "/docs/data/predicted.md", make_document);
    assert_is_made(RL_SOURCE_DIR "/analysis/include/analysis/recorded.def", make_roofs);
    assert_is_made(RL_SOURCE_DIR "/analysis/include/analysis/latencies.def", make_latencies);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_bound_is_beaten_and_estimates_are_near),
        cmocka_unit_test(files_are_made_of_the_samples),
    };
    struct rl_buf made = RL_BUF_INIT;

    if (argc != 3)
        return cmocka_run_group_tests(tests, NULL, NULL);
    if (strcmp(argv[1], "--roofs") == 0)
        make_roofs(&made);
    else if (strcmp(argv[1], "--latencies") == 0)
        make_latencies(&made);
    else
        make_document(&made);
    const int failed = rl_write_file_atomic(argv[2], made.data, made.len, NULL) != RL_OK;
    rl_buf_release(&made);
    return failed;
}
