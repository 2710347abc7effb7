/* Kernels of many shapes: worked out by hand. */
#include "rl_test.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/actions.h"
#include "analysis/families.h"
#include "core/mem.h"

/* A class whose launches take `ns` each, on a grid of `blocks`. */
static size_t add_shape(struct rl_capture *capture, const char *name, uint32_t blocks, uint64_t launches, uint64_t timed,
                        uint64_t ns)
{
    struct rl_kernel *kernel = rl_capture_add_kernel(capture);
    const size_t index = capture->kernel_count - 1;
    kernel->name = kernel->mangled = rl_capture_text(capture, name);
    kernel->variant = RL_NONE;
    kernel->grid[0] = blocks;
    kernel->block[0] = 64;
    kernel->grid[1] = kernel->grid[2] = kernel->block[1] = kernel->block[2] = 1;
    kernel->launches = launches;
    kernel->total_ns = timed * ns;
    kernel->duration_count = timed > 0;
    kernel->duration_ns = rl_arena_alloc(&capture->arena, sizeof *kernel->duration_ns);
    kernel->duration_ns[0] = ns;
    *rl_capture_add_use(capture) = (struct rl_kernel_use){.kernel = index, .timed = timed, .min_ns = ns, .max_ns = ns};
    return index;
}

static struct rl_capture *one_card(void)
{
    struct rl_capture *capture = rl_capture_new();
    rl_capture_add_gpu(capture)->name = rl_capture_text(capture, "card");
    (void)rl_capture_add_process(capture);
    return capture;
}

struct made {
    struct rl_capture *capture;
    struct rl_analysis *analysis;
    struct rl_families *families;
};

/* Of all classes of the capture. */
static struct rl_families *families_of(const struct rl_analysis *analysis, enum rl_fold fold)
{
    return rl_families_new(analysis, rl_class_groups_of_capture(analysis->capture, fold));
}

static struct made make(struct rl_capture *capture, enum rl_fold fold)
{
    struct made made = {.capture = capture, .analysis = rl_analysis_new(capture)};
    made.families = families_of(made.analysis, fold);
    return made;
}

static void release(struct made *made)
{
    rl_families_free(made->families);
    rl_analysis_free(made->analysis);
    rl_capture_free(made->capture);
}

/* Eight shapes are told apart, nine are a family; whoever wants all of them has them. */
static void nine_shapes_are_a_family(void **state)
{
    (void)state;
    for (uint32_t shapes = RL_FAMILY_SHAPES - 1; shapes <= RL_FAMILY_SHAPES; shapes++) {
        struct rl_capture *capture = one_card();
        for (uint32_t i = 1; i <= shapes; i++)
            add_shape(capture, "work", i, 1, 1, 100);
        struct made folded = make(capture, RL_FOLD_EACH_GPU);
        struct rl_families *apart = families_of(folded.analysis, RL_FOLD_NONE);
        const bool family = shapes == RL_FAMILY_SHAPES;
        assert_int_equal(folded.families->count, family ? 1 : shapes);
        assert_int_equal(folded.families->folded, family);
        assert_int_equal(folded.families->at[0].figures != NULL, family);
        assert_int_equal(folded.families->at[0].id[0], family ? 'f' : 'k');
        assert_int_equal(apart->count, shapes);
        rl_families_free(apart);
        release(&folded);
    }
}

/* Launches on n = 1 .. 511 blocks take 2000 + 10 n ns, 109 each; of the last one 3 are timed. Sum of 109 (2000 + 10 n) for
 * n = 1 .. 511: 109 * (1022000 + 1308160) = 253987440 ns, less 106 * 7110. */
static void sums_and_sizes_by_hand(void **state)
{
    enum { GRIDS = 511 };
    (void)state;
    struct rl_capture *capture = one_card();
    for (uint32_t n = GRIDS; n > 0; n--)
        add_shape(capture, "lud", n, 109, n == GRIDS ? 3 : 109, 2000 + 10 * n);
    add_shape(capture, "other", 1, 301, 301, 100);
    struct made made = make(capture, RL_FOLD_EACH_GPU);
    const struct rl_family *family = &made.families->at[0];
    const struct rl_family_figures *figures = family->figures;
    assert_int_equal(made.families->count, 2);
    assert_int_equal(family->shapes, GRIDS);
    assert_string_equal(family->label, "lud");
    assert_int_equal(family->time.launches, 55699);
    assert_int_equal(family->time.timed, 55699 - 106);
    assert_int_equal(family->time.state, RL_TIME_AT_LEAST);
    assert_close(family->time.ns, 253987440.0 - 106 * 7110, 1e-12);
    assert_close(family->share + made.families->at[1].share, 1, 1e-12);
    assert_int_equal(figures->timed_shapes, GRIDS);
    assert_int_equal(capture->kernels[figures->least].grid[0], 1);
    assert_int_equal(capture->kernels[figures->middle].grid[0], 256);
    assert_int_equal(capture->kernels[figures->greatest].grid[0], GRIDS);
    assert_close(figures->blocks.median, 256, 1e-12);
    assert_close(figures->per_block_s.median, 4560e-9 / 256, 1e-9);
    assert_close(figures->per_block_s.least, 7110e-9 / 511, 1e-9);
    assert_close(figures->per_block_s.greatest, 2010e-9, 1e-9);
    assert_close(figures->median_s.v, 4560e-9, 1e-9); /* as many launches of each: that of the middle shape */
    assert_close(figures->min_s.v, 2010e-9, 1e-9);
    assert_close(figures->max_s.v, 7110e-9, 1e-9);
    assert_true(figures->one_block);
    assert_int_equal(capture->kernels[family->kernel].grid[0], GRIDS - 1); /* the most known time */
    for (size_t k = 0; k < GRIDS; k++)
        assert_int_equal(made.families->of_kernel[k], 0);
    assert_int_equal(made.families->of_kernel[GRIDS], 1);
    release(&made);
}

/* Samples stand for all launches of their class: nine shapes, one launch each of 1 .. 8 s, but 100 of 9 s. */
static void the_median_is_of_launches(void **state)
{
    (void)state;
    struct rl_capture *capture = one_card();
    for (uint32_t n = 1; n <= 9; n++)
        add_shape(capture, "work", n, n < 9 ? 1 : 100, n < 9 ? 1 : 100, n * UINT64_C(1000000000));
    struct made made = make(capture, RL_FOLD_EACH_GPU);
    assert_close(made.families->at[0].figures->median_s.v, 9, 1e-12);
    release(&made);
}

static void families_are_of_one_gpu_and_one_name(void **state)
{
    (void)state;
    struct rl_capture *capture = one_card();
    rl_capture_add_gpu(capture)->name = rl_capture_text(capture, "card");
    for (uint32_t n = 1; n <= 18; n++) {
        const size_t kernel = add_shape(capture, "work", n, 1, 1, 100);
        capture->kernels[kernel].gpu = n > 9;
    }
    for (uint32_t n = 1; n <= 9; n++)
        add_shape(capture, "void work<1>()", n, 1, 1, 10);
    struct made made = make(capture, RL_FOLD_EACH_GPU);
    assert_int_equal(made.families->count, 3);
    assert_string_not_equal(made.families->at[0].label, made.families->at[2].label);
    struct rl_families *ranks = families_of(made.analysis, RL_FOLD_RANKS);
    assert_int_equal(ranks->count, 2);
    assert_int_equal(ranks->at[0].shapes, 18);
    rl_families_free(ranks);
    release(&made);
}

/* Classes of one kernel on GPUs that are alike are a row, and what a rule found of them is one finding; another GPU has its own. */
static void gpus_that_are_alike_are_one(void **state)
{
    (void)state;
    struct rl_capture *capture = one_card();
    rl_capture_add_gpu(capture)->name = rl_capture_text(capture, "card");
    rl_capture_add_gpu(capture)->name = rl_capture_text(capture, "other GPU");
    for (size_t gpu = 0; gpu < 3; gpu++) {
        const size_t kernel = add_shape(capture, "work", 1, 1, 1, 100 + 10 * (double)gpu);
        capture->kernels[kernel].gpu = gpu;
        capture->gpus[gpu].fact[RL_FACT_mig_enabled] = rl_value_of(1);
    }
    struct rl_analysis *analysis = rl_analysis_new(capture);
    struct rl_families *families = rl_families_new(analysis, rl_class_groups_of_alike(analysis));
    const struct rl_family *work = &families->at[families->of_kernel[0]], *other = &families->at[families->of_kernel[2]];
    assert_int_equal(families->of_kernel[1], families->of_kernel[0]);
    assert_int_equal(work->gpus, 2);
    assert_int_equal(work->gpu, 1);    /* with the most time */
    assert_int_equal(work->kernel, 1); /* likewise */
    assert_int_equal(work->time.launches, capture->kernels[0].launches + capture->kernels[1].launches);
    assert_float_equal(work->time.ns, rl_kernel_gpu_ns(capture, 0) + rl_kernel_gpu_ns(capture, 1), 1e-6);
    assert_int_equal(other->gpus, 1);
    assert_int_equal(other->gpu, 2);
    const struct rl_gpu_spread spread = rl_family_spread(analysis, families, work, RL_RESOURCE_COUNT);
    assert_float_equal(spread.low_s.v, analysis->kernels[0].duration.median, 1e-12);
    assert_float_equal(spread.high_s.v, analysis->kernels[1].duration.median, 1e-12);
    struct rl_ranked_finding *ranked = NULL;
    size_t of_two = 0, mig = 0;
    for (size_t i = 0, count = rl_findings_rank(analysis, families, &ranked); i < count; i++)
        if (ranked[i].finding->rule == RL_RULE_mig) {
            mig++;
            of_two += ranked[i].gpus == 2 && ranked[i].finding->gpu == 1;
        }
    assert_int_equal(mig, 2);
    assert_int_equal(of_two, 1);
    free(ranked);
    rl_families_free(families);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* Kernels of the suite, and those without a shape, stay what they are. */
static void some_are_never_folded(void **state)
{
    (void)state;
    struct rl_capture *capture = one_card();
    for (uint32_t n = 1; n <= 20; n++)
        add_shape(capture, "work", n, 1, 1, 100);
    for (size_t i = 0; i < 20; i++)
        capture->kernels[i].grid[0] = i < 12 ? 0 : capture->kernels[i].grid[0];
    struct made made = make(capture, RL_FOLD_EACH_GPU);
    assert_int_equal(made.families->count, 20);
    assert_int_equal(made.families->folded, 0);
    release(&made);
}

/* A family stands where the sum of its shapes puts it, whatever they are alone; what has no time behind, by its launches. */
static void rows_stand_by_their_sums(void **state)
{
    static const char *const wanted[] = {"together", "alone", "idle together", "idle"};
    (void)state;
    struct rl_capture *capture = one_card();
    add_shape(capture, "idle", 1, 50, 0, 0);
    add_shape(capture, "alone", 1, 1, 1, 200);
    for (uint32_t n = 1; n <= 9; n++)
        add_shape(capture, "idle together", n, 10, 0, 0);
    for (uint32_t n = 1; n <= 9; n++)
        add_shape(capture, "together", n, 1, 1, 100);
    struct made made = make(capture, RL_FOLD_EACH_GPU);
    assert_int_equal(made.families->count, RL_COUNT(wanted));
    for (size_t i = 0; i < RL_COUNT(wanted); i++)
        assert_string_equal(capture->kernels[made.families->at[i].kernel].name, wanted[i]);
    release(&made);
}

/* Blocks of all three dimensions count: n x 2 x 3 for n = 1 .. 9, each 60 n ns. */
static void grids_have_three_dimensions(void **state)
{
    (void)state;
    struct rl_capture *capture = one_card();
    for (uint32_t n = 1; n <= 9; n++) {
        const size_t kernel = add_shape(capture, "work", n, 1, 1, 60 * n);
        memcpy(capture->kernels[kernel].grid, (uint32_t[]){n, 2, 3}, 3 * sizeof n);
    }
    struct made made = make(capture, RL_FOLD_EACH_GPU);
    const struct rl_family_figures *figures = made.families->at[0].figures;
    assert_close(figures->blocks.least, 6, 1e-12);
    assert_close(figures->blocks.median, 30, 1e-12);
    assert_close(figures->blocks.greatest, 54, 1e-12);
    assert_close(figures->per_block_s.least, 10e-9, 1e-9);
    assert_close(figures->per_block_s.greatest, 10e-9, 1e-9);
    release(&made);
}

/* 99 % of the time, and never what has none. */
static void leading_rows(void **state)
{
    (void)state;
    struct rl_capture *capture = one_card();
    static const uint64_t ns[] = {60, 39, 1};
    for (uint32_t i = 0; i < RL_COUNT(ns); i++)
        add_shape(capture, (const char *[]){"a", "b", "c"}[i], 1, 1, 1, ns[i]);
    add_shape(capture, "never", 1, 1000, 0, 0);
    struct made made = make(capture, RL_FOLD_EACH_GPU);
    assert_int_equal(rl_families_leading(made.families, 0.5), 1);
    assert_int_equal(rl_families_leading(made.families, 0.99), 2);
    assert_int_equal(rl_families_leading(made.families, 0.991), 3);
    assert_int_equal(rl_families_leading(made.families, 1), 3);
    assert_string_equal(capture->kernels[made.families->at[3].kernel].name, "never");
    assert_string_equal(rl_value_reason(rl_family_share(&made.families->at[3])), "no launch was timed");
    release(&made);
}

/* ---- counters ---- */

/* Of n blocks: 100 n ns, counted `counted` times with these values. */
struct counters {
    double flop, bytes, occupancy;
};

static void count(struct made *made, size_t kernel, uint64_t counted, struct counters counters)
{
    struct rl_kernel_result *result = &made->analysis->kernels[kernel];
    made->capture->uses[kernel].counted = counted;
    for (size_t m = 0; m < RL_METRIC_COUNT; m++)
        result->metric[m] = rl_value_missing(RL_NOT_COLLECTED, NULL);
    result->metric[RL_METRIC_flop_total] = rl_value_of(counters.flop);
    result->metric[RL_METRIC_dram_bytes] = rl_value_of(counters.bytes);
    result->metric[RL_METRIC_intensity_dram] = rl_value_of(counters.flop / counters.bytes);
    result->metric[RL_METRIC_achieved_occupancy] = rl_value_of(counters.occupancy);
    result->roof_time_s = rl_value_of(counters.bytes * 1e-9); /* 1 GB/s */
    result->limits.first = result->limits.limiter = RL_RESOURCE_dram;
}

/* Launches of 1 us are limited by their start, whatever they do; of those of 5 us nothing is known. */
static void short_launches_need_no_counters(void **state)
{
    (void)state;
    for (uint64_t longer = 1; longer <= 2; longer++) {
        struct rl_capture *capture = one_card();
        for (uint32_t n = 1; n <= 10; n++)
            add_shape(capture, "work", n, 1, 1, n <= longer ? 5000 : 1000); /* 9 of 14 us, and 8 of 18 */
        struct made made = make(capture, RL_FOLD_EACH_GPU);
        assert_int_equal(made.families->at[0].figures->bound, longer == 1 ? RL_BOUND_LAUNCH : RL_BOUND_UNKNOWN);
        release(&made);
    }
}

/* Ten shapes; two are counted, one twice and one once: a mean launch does (2 * 1000 + 4000) / 3 FLOP in (2 * 100 + 400) / 3 ns. */
static void counters_are_ratios_of_sums(void **state)
{
    (void)state;
    struct rl_capture *capture = one_card();
    for (uint32_t n = 1; n <= 10; n++)
        add_shape(capture, "work", n, 10, 10, 100 * n);
    struct made made = make(capture, RL_FOLD_EACH_GPU);
    assert_string_equal(rl_value_reason(made.families->at[0].figures->metric[RL_METRIC_flop_total]),
                        "no configuration was counted");
    assert_string_equal(rl_value_reason(made.families->at[0].figures->roof_share), "no configuration was counted");
    rl_families_free(made.families);
    count(&made, 0, 2, (struct counters){1000, 50, 0.2});
    count(&made, 3, 1, (struct counters){4000, 400, 0.5});
    count(&made, 5, 1, (struct counters){9e9, 1, 1}); /* left out: */
    made.analysis->kernels[5].disagrees = "passes have seen different work";
    made.families = families_of(made.analysis, RL_FOLD_EACH_GPU);
    const struct rl_family_figures *figures = made.families->at[0].figures;
    assert_int_equal(figures->counted_shapes, 2);
    assert_int_equal(figures->disagreeing_shapes, 1);
    assert_int_equal(figures->counted, 3);
    assert_int_equal(made.families->at[0].counted, 4);
    assert_close(figures->time_s.v, 200e-9, 1e-9);
    assert_close(figures->metric[RL_METRIC_flop_total].v, 2000, 1e-12);
    assert_close(figures->metric[RL_METRIC_flop_per_second].v, 2000 / 200e-9, 1e-9);
    assert_close(figures->metric[RL_METRIC_dram_bytes_per_second].v, 500.0 / 600e-9, 1e-9);
    assert_close(figures->metric[RL_METRIC_intensity_dram].v, 6000.0 / 500, 1e-12);
    assert_close(figures->metric[RL_METRIC_achieved_occupancy].v, (0.2 * 200 + 0.5 * 400) / 600, 1e-12); /* by time */
    assert_int_equal(figures->metric[RL_METRIC_load_efficiency].state, RL_UNDEFINED);
    assert_close(figures->roof_share.v, 500.0 / 600, 1e-9);
    assert_int_equal(figures->trait[RL_TRAIT_intensity_dram].n, 2);
    assert_close(figures->trait[RL_TRAIT_intensity_dram].least, 10, 1e-12);
    assert_close(figures->trait[RL_TRAIT_intensity_dram].greatest, 20, 1e-12);
    assert_close(figures->trait[RL_TRAIT_dram_bytes_per_thread].least, 50.0 / 64, 1e-12);
    assert_close(figures->trait[RL_TRAIT_dram_bytes_per_thread].greatest, 400.0 / 256, 1e-12);
    assert_false(rl_spread_agrees(&figures->trait[RL_TRAIT_intensity_dram]));
    assert_close(rl_families_covered_s(made.families), made.families->at[0].gpu_s, 1e-12);
    for (size_t i = 0; i < made.families->count; i++)
        assert_close(made.families->at[i].gpu_s, made.families->at[i].time.ns * 1e-9, 1e-12);
    assert_int_equal(figures->foremost, 3);
    release(&made);
}

/* Imported kernels have counters and no record of their use: all of their launches were counted. */
static void imported_shapes_are_counted(void **state)
{
    (void)state;
    struct rl_capture *capture = one_card();
    for (uint32_t n = 1; n <= 10; n++)
        add_shape(capture, "work", n, n, n, 100 * n);
    struct made made = make(capture, RL_FOLD_EACH_GPU);
    rl_families_free(made.families);
    count(&made, 1, 0, (struct counters){1000, 50, 0.2});
    count(&made, 3, 0, (struct counters){4000, 400, 0.5});
    capture->use_count = 0;
    for (size_t kernel = 1; kernel <= 3; kernel += 2) {
        *rl_capture_add_counter(capture, kernel) = (struct rl_counter){
            .kind = RL_FOREIGN, .name = rl_capture_text(capture, "x"), .value = rl_value_of(1), .pass = RL_NONE};
    }
    made.families = families_of(made.analysis, RL_FOLD_EACH_GPU);
    const struct rl_family_figures *figures = made.families->at[0].figures;
    assert_int_equal(figures->counted_shapes, 2);
    assert_int_equal(figures->counted, 2 + 4);
    assert_int_equal(made.families->at[0].counted, 2 + 4);
    assert_close(figures->metric[RL_METRIC_flop_total].v, (2 * 1000 + 4 * 4000) / 6.0, 1e-12);
    release(&made);
}

/* Makes a resource limit a shape at that share of its time, or another bound. */
static void limit(struct made *made, size_t kernel, size_t limiter, uint64_t tied, double share)
{
    struct rl_kernel_result *result = &made->analysis->kernels[kernel];
    const bool is_resource = limiter < RL_RESOURCE_COUNT;
    result->limits.limiter = result->limits.first = is_resource ? (enum rl_resource)limiter : RL_RESOURCE_COUNT;
    result->bound = result->limits.bound = is_resource ? rl_resources[limiter].bound : (enum rl_bound)(limiter - RL_RESOURCE_COUNT);
    result->limits.tied = tied;
    result->limits.limited_by = tied ? "DRAM bandwidth and issue slots" : rl_limiter_label(limiter);
    result->roof_time_s = rl_value_of(share * result->duration.median);
    if (is_resource)
        result->limits.of[limiter].time_s = result->roof_time_s;
}

/* Shapes of one kernel with 1 to 9 blocks, launched once each, which take 100 ns a block. */
static void add_nine_shapes(struct rl_capture *capture)
{
    for (uint32_t n = 1; n <= 9; n++)
        add_shape(capture, "work", n, 1, 1, 100 * n);
}

#define OF(bound) (RL_RESOURCE_COUNT + RL_BOUND_##bound)

/* Nine shapes of 100 to 900 ns, 4500 in all: what limits each of them is named with its share of the time. */
static void shapes_have_limiters_of_their_own(void **state)
{
    enum { DRAM = RL_RESOURCE_dram, ISSUE = RL_RESOURCE_issue, TIED = 100 + DRAM };
    static const struct {
        size_t limiter[9]; /* of the shape of 100 ns, of 200 ns ... */
        size_t first, count;
        const char *says;
    } rows[] = {
        {{DRAM, DRAM, DRAM, DRAM, DRAM, DRAM, DRAM, DRAM, DRAM}, DRAM, 1, "DRAM bandwidth"},
        {{OF(LAUNCH), OF(LAUNCH), DRAM, DRAM, DRAM, DRAM, DRAM, DRAM, DRAM},
         DRAM,
         2,
         "DRAM bandwidth (93.3\u00a0% of its time), launch overhead (6.67\u00a0%)"},
        {{DRAM, DRAM, DRAM, DRAM, DRAM, DRAM, ISSUE, ISSUE, ISSUE},
         ISSUE,
         2,
         "issue slots (53.3\u00a0% of its time), DRAM bandwidth (46.7\u00a0%)"},
        /* Half of it is not known: nothing is taken of the other half. */
        {{DRAM, DRAM, DRAM, DRAM, DRAM, DRAM, OF(UNKNOWN), OF(UNKNOWN), OF(UNKNOWN)},
         OF(UNKNOWN),
         2,
         "unknown (53.3\u00a0% of its time), DRAM bandwidth (46.7\u00a0%)"},
        /* DRAM limits 2400 ns, for 900 of them with issue slots; parallelism 2100. */
        {{OF(PARALLELISM), OF(PARALLELISM), OF(PARALLELISM), OF(PARALLELISM), OF(PARALLELISM), OF(PARALLELISM), DRAM, DRAM, TIED},
         DRAM,
         3,
         "DRAM bandwidth (33.3\u00a0% of its time), DRAM bandwidth and issue slots (20.0\u00a0%), parallelism (46.7\u00a0%)"},
        {{OF(LATENCY), OF(LAUNCH), OF(FIXED), OF(HOST), OF(DISPATCH), OF(PARALLELISM), ISSUE, DRAM, DRAM},
         DRAM,
         8,
         "DRAM bandwidth (37.8\u00a0% of its time), issue slots (15.6\u00a0%), parallelism (13.3\u00a0%), others (33.3\u00a0%)"},
    };
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_capture *capture = one_card();
        add_nine_shapes(capture);
        struct made made = make(capture, RL_FOLD_EACH_GPU);
        rl_families_free(made.families);
        for (size_t k = 0; k < 9; k++)
            limit(&made, k, rows[i].limiter[k] == TIED ? DRAM : rows[i].limiter[k],
                  rows[i].limiter[k] == TIED ? UINT64_C(1) << ISSUE : 0, 0.8);
        made.families = families_of(made.analysis, RL_FOLD_EACH_GPU);
        const struct rl_family_figures *figures = made.families->at[0].figures;
        assert_string_equal(figures->limited_by, rows[i].says);
        assert_int_equal(figures->limiter_count, rows[i].count);
        assert_int_equal(rl_limiter_of(figures->limiter, figures->bound), rows[i].first);
        assert_string_equal(rl_value_reason(figures->limiter_share), "no configuration that it limits was counted");
        double seconds = 0;
        size_t shapes = 0;
        for (size_t k = 0; k < figures->limiter_count; k++) {
            seconds += figures->limiters[k].gpu_s;
            shapes += figures->limiters[k].shapes;
        }
        assert_close(seconds, 4500e-9, 1e-12);
        assert_int_equal(shapes, 9);
        /* Each limiter has the time of its shapes alone. */
        const struct rl_time_by_limiter time = rl_time_by_limiter_of(made.analysis, made.families, RL_NONE);
        for (size_t l = 0; l < time.count; l++) {
            double own_s = 0;
            for (size_t k = 0; k < 9; k++)
                own_s +=
                    (rows[i].limiter[k] == TIED ? DRAM : rows[i].limiter[k]) == time.of[l].limiter ? 100e-9 * (double)(k + 1) : 0;
            assert_close(time.of[l].gpu_s, own_s, 1e-12);
        }
        release(&made);
    }
}

/* Nine shapes of 100 to 900 ns; nothing is known of one or two of them. Between two shapes of their block with one limiter they
 * have that, too; what was counted and is unknown stays so. */
static void shapes_between_two_are_like_them(void **state)
{
    enum { DRAM = RL_RESOURCE_dram, ISSUE = RL_RESOURCE_issue };
    static const struct {
        size_t fewer, more;     /* limiters of the shapes up to 300 ns, and from 600 ns on */
        uint32_t block, shared; /* of the latter */
        bool counted, largest;  /* those between were; nothing is known of the largest either */
        const char *says;
        size_t between;
    } rows[] = {
        {DRAM, DRAM, 64, 0, false, false, "DRAM bandwidth", 2},
        {DRAM, DRAM, 64, 0, true, false, "DRAM bandwidth (80.0\u00a0% of its time), unknown (20.0\u00a0%)", 0},
        {DRAM, DRAM, 64, 0, false, true, "DRAM bandwidth (~80.0\u00a0% of its time), unknown (20.0\u00a0%)", 2},
        {DRAM, DRAM, 128, 0, false, false, "DRAM bandwidth (80.0\u00a0% of its time), unknown (20.0\u00a0%)", 0},
        {DRAM, DRAM, 64, 1024, false, false, "DRAM bandwidth (80.0\u00a0% of its time), unknown (20.0\u00a0%)", 0},
        {ISSUE, DRAM, 64, 0, false, false,
         "DRAM bandwidth (66.7\u00a0% of its time), unknown (20.0\u00a0%), issue slots (13.3\u00a0%)", 0},
        {OF(UNKNOWN), OF(UNKNOWN), 64, 0, false, false, "unknown", 0},
    };
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_capture *capture = one_card();
        add_nine_shapes(capture);
        for (size_t k = 5; k < 9; k++) {
            capture->kernels[k].block[0] = rows[i].block;
            capture->kernels[k].dynamic_shared_bytes = rows[i].shared;
        }
        for (size_t k = 3; k < 5 && rows[i].counted; k++)
            *rl_capture_add_counter(capture, k) = (struct rl_counter){
                .kind = RL_COUNTER, .name = rl_capture_text(capture, "x"), .value = rl_value_of(1), .pass = RL_NONE};
        struct made made = make(capture, RL_FOLD_EACH_GPU);
        rl_families_free(made.families);
        for (size_t k = 0; k < 9; k++)
            limit(&made, k, k < 3 ? rows[i].fewer : k < 5 || (k == 8 && rows[i].largest) ? OF(UNKNOWN) : rows[i].more, 0, 0.8);
        made.families = families_of(made.analysis, RL_FOLD_EACH_GPU);
        const struct rl_family_figures *figures = made.families->at[0].figures;
        assert_string_equal(figures->limited_by, rows[i].says);
        assert_int_equal(figures->limiters[0].between, rows[i].between);
        release(&made);
    }
}

/* The limiter of a shape above a roof is unknown. */
static void shapes_above_a_roof_are_unknown(void **state)
{
    (void)state;
    struct rl_capture *capture = one_card();
    add_nine_shapes(capture);
    struct made made = make(capture, RL_FOLD_EACH_GPU);
    rl_families_free(made.families);
    for (size_t k = 0; k < 9; k++)
        limit(&made, k, RL_RESOURCE_dram, k == 8 ? UINT64_C(1) << RL_RESOURCE_issue : 0, 0.8);
    made.analysis->kernels[8].above_roof = "DRAM roof";
    made.families = families_of(made.analysis, RL_FOLD_EACH_GPU);
    assert_string_equal(made.families->at[0].figures->limited_by,
                        "DRAM bandwidth (80.0\u00a0% of its time), unknown (20.0\u00a0%)");
    release(&made);
}

/* The share of the roof that is named is that of the shapes that it limits: of those of 300 and 500 ns at 70 and 90 %, not of that
 * of 900 ns. */
static void a_share_is_of_the_limiter_that_is_named(void **state)
{
    (void)state;
    struct rl_capture *capture = one_card();
    for (uint32_t n = 1; n <= 9; n++)
        add_shape(capture, "work", n, n < 9 ? 10 : 1, n < 9 ? 10 : 1, 100 * n);
    struct made made = make(capture, RL_FOLD_EACH_GPU);
    rl_families_free(made.families);
    for (size_t k = 0; k < 9; k++)
        limit(&made, k, k < 8 ? RL_RESOURCE_dram : RL_RESOURCE_issue, 0, 0.8);
    for (size_t k = 2; k < 9; k += k == 2 ? 2 : 4) { /* 2, 4, 8 */
        count(&made, k, k == 4 ? 2 : 1, (struct counters){1, 1, 0.5});
        limit(&made, k, k < 8 ? RL_RESOURCE_dram : RL_RESOURCE_issue, 0, k == 2 ? 0.7 : 0.9);
    }
    made.families = families_of(made.analysis, RL_FOLD_EACH_GPU);
    const struct rl_family_figures *figures = made.families->at[0].figures;
    assert_int_equal(figures->counted_shapes, 3);
    assert_close(figures->limiter_share.v, (0.7 * 300 + 2 * 0.9 * 500) / (300 + 2 * 500), 1e-9);
    assert_close(figures->roof_share.v, (0.7 * 300 + 2 * 0.9 * 500 + 0.9 * 900) / (300 + 2 * 500 + 900), 1e-9);
    release(&made);
}

static void shapes_agree_within_a_tenth(void **state)
{
    (void)state;
    assert_true(rl_spread_agrees(&(struct rl_spread){.n = 2, .least = 100, .greatest = 109.9}));
    assert_false(rl_spread_agrees(&(struct rl_spread){.n = 2, .least = 100, .greatest = 110.1}));
    assert_false(rl_spread_agrees(&(struct rl_spread){.n = 1, .least = 100, .greatest = 100}));
}

/* ---- findings ---- */

/* A rule that found something of ten shapes is one line, with what all of them could save. */
static void findings_of_a_family_are_one(void **state)
{
    static struct rl_finding found[11], other = {.rule = RL_RULE_below_roof, .gain = {.v = 2}};
    (void)state;
    struct rl_capture *capture = one_card();
    for (uint32_t n = 1; n <= 10; n++)
        add_shape(capture, "work", n, 10, 10, 100 * n);
    const size_t alone = add_shape(capture, "alone", 1, 1, 1, 40000); /* saves 20 us, all of the family 27.5 us, each less */
    struct made made = make(capture, RL_FOLD_EACH_GPU);
    struct rl_kernel_result *own = made.analysis->kernels;
    made.analysis->kernels = rl_calloc(alone + 1, sizeof *own);
    memcpy(made.analysis->kernels, own, (alone + 1) * sizeof *own);
    for (size_t k = 0; k < 10; k++) {
        found[k] = (struct rl_finding){.rule = RL_RULE_spills, .gain = {.v = 2}};
        made.analysis->kernels[k].findings = &found[k];
        made.analysis->kernels[k].finding_count = 1;
    }
    made.analysis->kernels[alone].findings = &other;
    made.analysis->kernels[alone].finding_count = 1;
    const size_t of_session = made.analysis->finding_count;
    made.analysis->finding_count = 0;
    struct rl_ranked_finding *ranked;
    assert_int_equal(rl_findings_rank(made.analysis, made.families, &ranked), 2);
    assert_int_equal(ranked[0].kernel, 9); /* where it could save most */
    assert_int_equal(ranked[0].shapes, 10);
    assert_close(ranked[0].saving_s, 27.5e-6, 1e-9);
    assert_int_equal(ranked[1].kernel, alone);
    assert_int_equal(ranked[1].shapes, 1);
    free(ranked);
    assert_int_equal(rl_findings_rank(made.analysis, NULL, &ranked), 11);
    assert_int_equal(ranked[0].kernel, alone);
    free(ranked);
    free(made.analysis->kernels);
    made.analysis->kernels = own;
    made.analysis->finding_count = of_session;
    release(&made);
}

/* As many classes as a process may have. */
static void many_classes(void **state)
{
    enum { KERNELS = 128, SHAPES = 512 };
    (void)state;
    struct rl_capture *capture = one_card();
    for (uint32_t n = 1; n <= SHAPES; n++)
        for (size_t k = 0; k < KERNELS; k++) {
            char name[32];
            snprintf(name, sizeof name, "kernel_%zu", k);
            add_shape(capture, name, n, 2, 2, n + 1);
        }
    struct made made = make(capture, RL_FOLD_EACH_GPU);
    assert_int_equal(made.families->count, KERNELS);
    assert_close(made.families->at[0].share, 1.0 / KERNELS, 1e-9);
    release(&made);
}

/* Of ten shapes, 1 .. 10 s, the fifth is the middle one; those without a time have none for a block either. */
static void even_numbers_have_the_lower_middle(void **state)
{
    (void)state;
    struct rl_capture *capture = one_card();
    for (uint32_t n = 1; n <= 10; n++)
        add_shape(capture, "work", n, 1, 1, n * UINT64_C(1000000000));
    for (uint32_t n = 1; n <= 10; n++)
        add_shape(capture, "idle", n, 1, 0, 0);
    struct made made = make(capture, RL_FOLD_EACH_GPU);
    const struct rl_family_figures *figures = made.families->at[0].figures;
    assert_int_equal(capture->kernels[figures->middle].grid[0], 5);
    assert_close(figures->median_s.v, 5, 1e-12);
    assert_int_equal(figures->per_block_s.n, 10);
    assert_int_equal(made.families->at[1].figures->per_block_s.n, 0);
    assert_int_equal(made.families->at[1].figures->timed_shapes, 0);
    release(&made);
}

/* Families with counted launches, and no more than there are. */
static void covered_time_by_hand(void **state)
{
    struct rl_family at[] = {{.gpu_s = 4, .counted = 2}, {.gpu_s = 2}, {.gpu_s = 1, .counted = 1}, {.gpu_s = 8, .counted = 1}};
    const struct rl_families families = {.at = at, .count = 3};
    (void)state;
    assert_true(rl_families_covered_s(&families) == 5);
    assert_true(rl_families_covered_s(&(struct rl_families){.at = at}) == 0);
    assert_int_equal(rl_families_leading(&families, 4.0 / 7), 1);
    assert_int_equal(rl_families_leading(&families, 4.0 / 7 + 1e-6), 2);
    assert_int_equal(rl_families_leading(&families, 1), 3);
    assert_int_equal(rl_families_leading(&families, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nine_shapes_are_a_family),
        cmocka_unit_test(sums_and_sizes_by_hand),
        cmocka_unit_test(the_median_is_of_launches),
        cmocka_unit_test(families_are_of_one_gpu_and_one_name),
        cmocka_unit_test(gpus_that_are_alike_are_one),
        cmocka_unit_test(some_are_never_folded),
        cmocka_unit_test(leading_rows),
        cmocka_unit_test(rows_stand_by_their_sums),
        cmocka_unit_test(grids_have_three_dimensions),
        cmocka_unit_test(shapes_have_limiters_of_their_own),
        cmocka_unit_test(shapes_between_two_are_like_them),
        cmocka_unit_test(shapes_above_a_roof_are_unknown),
        cmocka_unit_test(a_share_is_of_the_limiter_that_is_named),
        cmocka_unit_test(counters_are_ratios_of_sums),
        cmocka_unit_test(imported_shapes_are_counted),
        cmocka_unit_test(short_launches_need_no_counters),
        cmocka_unit_test(shapes_agree_within_a_tenth),
        cmocka_unit_test(findings_of_a_family_are_one),
        cmocka_unit_test(many_classes),
        cmocka_unit_test(even_numbers_have_the_lower_middle),
        cmocka_unit_test(covered_time_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
