/* Rows of the micro-benchmarks; sizes, grids and amounts of work worked out by hand; the words for a configuration. */
#include "rl_test.h"

#include "core/mem.h"
#include "kernels/ceiling.h"

static const uint64_t MIB = 1 << 20, GIB = 1 << 30;

static const struct rl_bench_card h200 = {
    .cc = 90, .sm_count = 132, .l2_bytes = 60 << 20, .buffer_bytes = UINT64_C(4) << 30, .host_bytes = 64 << 20};
static const struct rl_bench_card t4 = {
    .cc = 75, .sm_count = 40, .l2_bytes = 4 << 20, .buffer_bytes = 256 << 20, .host_bytes = 64 << 20};

static struct rl_bench_case resolve(const char *id, size_t index, const struct rl_bench_card *card)
{
    struct rl_bench_case c;
    struct rl_err err = RL_ERR_INIT;
    const struct rl_bench *bench = rl_bench_find(id);

    assert_non_null(bench);
    if (rl_bench_resolve(bench, &bench->configurations[index], card, &c, &err) != RL_OK)
        fail_msg("%s: %s", id, err.text);
    return c;
}

static size_t find_kernel(const char *id, const char *kernel)
{
    const struct rl_bench *bench = rl_bench_find(id);

    for (size_t i = 0; bench->configurations[i].kernel; i++)
        if (strcmp(bench->configurations[i].kernel, kernel) == 0)
            return i;
    fail_msg("%s has no kernel '%s'", id, kernel);
    return 0;
}

static void buffers_exceed_the_cache(void **state)
{
    (void)state;
    assert_true(rl_bench_buffer_bytes(60 * MIB, 139 * GIB) == 4 * GIB); /* 3.75 GiB, rounded up */
    assert_true(rl_bench_buffer_bytes(40 * MIB, 39 * GIB) == 4 * GIB);
    assert_true(rl_bench_buffer_bytes(32 * MIB, 39 * GIB) == 2 * GIB);
    assert_true(rl_bench_buffer_bytes(4 * MIB, 15 * GIB) == 256 * MIB);
    assert_true(rl_bench_buffer_bytes(0, 15 * GIB) == 256 * MIB);
    assert_true(rl_bench_buffer_bytes(UINT64_MAX, 139 * GIB) == 4 * GIB);
    assert_true(rl_bench_buffer_bytes(60 * MIB, 16 * GIB) == 4 * GIB); /* a quarter, exactly */
    assert_true(rl_bench_buffer_bytes(60 * MIB, 16 * GIB - 1) == 2 * GIB);
    assert_true(rl_bench_buffer_bytes(60 * MIB, 0) == MIB);
}

static void memory_is_touched_once(void **state)
{
    const struct rl_bench_case read = resolve("dram_read", 0, &h200), triad = resolve("dram_triad", 0, &h200);
    const struct rl_bench_case small = resolve("dram_read", 0, &t4);
    (void)state;

    assert_true(read.bytes == 4 * GIB);
    assert_int_equal(read.block, 512);
    assert_int_equal(read.grid, 131072); /* 4 GiB / (512 x 4 x 16 B) */
    assert_close(rl_bench_work(&read), 4294967296.0, 0);
    assert_false(rl_bench_has_rounds(&read));
    assert_close(rl_bench_work(&triad), 3 * 4294967296.0, 0);
    assert_true(small.bytes == 256 * MIB);
    assert_int_equal(small.grid, 8192);
}

static void caches_are_read_in_rounds(void **state)
{
    struct rl_bench_case l2 = resolve("l2_read", 0, &h200), l1 = resolve("l1_read", 0, &h200);
    (void)state;

    /* 0.25 x 60 MiB has room for 7.27 chunks of 1024 x 16 B for each of 132 blocks. */
    assert_true(l2.bytes == 7 * 132 * 16384);
    assert_int_equal(l2.grid, 132);
    assert_true(rl_bench_has_rounds(&l2));
    l2.rounds = 10;
    assert_close(rl_bench_work(&l2), 10.0 * 7 * 132 * 16384, 0);
    /* Of each line one word: 0.4 x 60 MiB has one chunk of 1024 lines for each of 132 blocks. */
    struct rl_bench_case tags = resolve("l2_tags", 2, &h200);
    assert_true(tags.bytes == 132 * 1024 * 128);
    assert_int_equal(tags.grid, 132);
    tags.rounds = 10;
    assert_close(rl_bench_work(&tags), 10.0 * 132 * 1024, 0);
    /* 512 threads, 4 loads of 16 B, one block per SM. */
    assert_int_equal(l1.grid, 132);
    l1.rounds = 3;
    assert_close(rl_bench_work(&l1), 3.0 * 132 * 512 * 4 * 16, 0);
}

static void arithmetic_is_counted(void **state)
{
    const struct rl_bench_case fp32 = resolve("fp32", 0, &h200), fp16 = resolve("fp16", 0, &h200);
    struct rl_bench_case wgmma = resolve("tensor_bf16", find_kernel("tensor_bf16", "wgmma bf16"), &h200);
    struct rl_bench_case mma = resolve("tensor_int8", find_kernel("tensor_int8", "mma s8 m16n8k32"), &h200);
    (void)state;

    assert_int_equal(fp32.step, 128); /* 1024 fused multiply-adds over 8 chains */
    assert_int_equal(fp32.rounds, 128);
    assert_close(rl_bench_work(&fp32), 2.0 * 8 * 132 * 256 * 8 * 128, 0);
    assert_close(rl_bench_work(&fp16), 4.0 * 8 * 132 * 256 * 8 * 128, 0);
    /* Two groups of 128 threads on each SM, each 64 x 256 x 64 in a round. */
    wgmma.rounds = 5;
    assert_close(rl_bench_work(&wgmma), 2.0 * 64 * 256 * 64 * 5 * 132 * 2, 0);
    /* 2 x 8 warps on each SM, each 32 x 32 x 32. */
    mma.rounds = 7;
    assert_close(rl_bench_work(&mma), 2.0 * 32 * 32 * 32 * 7 * 132 * 16, 0);
}

/* Blocks are rounds of one for each SM; a kernel has no rounds and is one launch, whatever it takes. */
static void starting_work_is_counted(void **state)
{
    struct rl_bench_case blocks = resolve("dispatch_256", 0, &h200), kernel = resolve("launch", 0, &h200);
    struct rl_bench_case atomics = resolve("shared_atomic_same", 0, &h200);
    (void)state;

    blocks.rounds = 1000;
    assert_close(rl_bench_work(&blocks), 132e3, 0);
    assert_true(rl_bench_has_rounds(&blocks));
    assert_int_equal(kernel.grid, 1);
    assert_close(rl_bench_work(&kernel), 1, 0);
    assert_false(rl_bench_has_rounds(&kernel));
    /* 2 x 1024 threads on each SM, eight additions in a step. */
    assert_int_equal(atomics.step, 8);
    assert_close(rl_bench_work(&atomics), 132.0 * 2 * 1024 * 8, 0);
}

static void rounds_fit_the_time(void **state)
{
    struct rl_bench_case fp32 = resolve("fp32", 0, &h200), read = resolve("dram_read", 0, &h200);
    (void)state;

    rl_bench_set_duration(&fp32, 10e3, 1e6);
    assert_int_equal(fp32.rounds, 12800);
    rl_bench_set_duration(&fp32, 1e6, 0.999e6); /* 12787 is 99 steps of 128 and something */
    assert_int_equal(fp32.rounds, 99 * 128);
    rl_bench_set_duration(&fp32, 1e9, 1);
    assert_int_equal(fp32.rounds, 128);
    rl_bench_set_duration(&fp32, 0, 1e6); /* no time told: as it was */
    assert_int_equal(fp32.rounds, 128);
    rl_bench_set_duration(&fp32, 1e-9, 1e6);
    assert_true(fp32.rounds <= 1000000000 && fp32.rounds % 128 == 0);
    rl_bench_set_duration(&read, 1e6, 1e9);
    assert_int_equal(read.rounds, read.step);
}

static void checks_are_small(void **state)
{
    struct rl_bench_case read = resolve("dram_read", 0, &h200), l2 = resolve("l2_read", 0, &h200), fp64 = resolve("fp64", 0, &h200);
    struct rl_bench_case link = resolve("pcie_h2d", 0, &h200), wide;
    struct rl_bench_configuration of_wide = rl_bench_find("l2_read")->configurations[0];
    (void)state;

    of_wide.unroll = of_wide.blocks = 4;
    of_wide.caches = 1;
    assert_int_equal(rl_bench_resolve(l2.bench, &of_wide, &h200, &wide, NULL), RL_OK);
    rl_bench_make_small(&read);
    assert_true(read.bytes == 8 * MIB);
    assert_int_equal(read.grid, 256);
    rl_bench_make_small(&l2);
    assert_true(l2.bytes == 3 * 132 * 16384); /* 3.9 chunks a block fit */
    assert_int_equal(l2.grid, 132);
    assert_int_equal(l2.rounds, 2);
    assert_int_equal(wide.grid, 528);
    rl_bench_make_small(&wide); /* 128 chunks of 64 KiB */
    assert_true(wide.bytes == 8 * MIB);
    assert_int_equal(wide.grid, 128);
    rl_bench_make_small(&fp64);
    assert_int_equal(fp64.rounds, 256);
    rl_bench_make_small(&link);
    assert_true(link.bytes == 8 * MIB);
}

static void cards_that_cannot_are_told(void **state)
{
    static const struct {
        const char *id, *kernel;
        int cc;
        const char *words;
    } known[] = {
        {"tensor_bf16", "wgmma bf16", 80, "needs compute capability 9.0, this GPU has 8.0"},
        {"tensor_bf16", "wgmma bf16", 100, "is for compute capability 9.0 at most, this GPU has 10.0"},
        {"tensor_fp16", "mma f16 m16n8k8", 80, "is for compute capability 7.9 at most"},
        {"tensor_fp16", "mma f16 m16n8k16", 75, "needs compute capability 8.0"},
        {"tensor_fp16", "mma f16 m8n8k4", 61, "needs compute capability 7.0, this GPU has 6.1"},
        {"tensor_fp16", "mma f16 m8n8k4", 75, "is for compute capability 7.2 at most, this GPU has 7.5"},
        {"bf16", "HFMA2.BF16", 75, "needs compute capability 8.0"},
        {"tensor_fp8", "mma e4m3 m16n8k32", 86, "needs compute capability 8.9"},
    };
    (void)state;

    for (size_t i = 0; i < RL_COUNT(known); i++) {
        const struct rl_bench *bench = rl_bench_find(known[i].id);
        struct rl_bench_card card = h200;
        struct rl_bench_case c;
        struct rl_err err = RL_ERR_INIT;
        card.cc = known[i].cc;
        assert_int_equal(
            rl_bench_resolve(bench, &bench->configurations[find_kernel(known[i].id, known[i].kernel)], &card, &c, &err),
            RL_UNSUPPORTED);
        if (!strstr(err.text, known[i].words))
            fail_msg("'%s' does not say '%s'", err.text, known[i].words);
    }
}

static void a_cache_of_unknown_size_is_told(void **state)
{
    const struct rl_bench *bench = rl_bench_find("l2_read");
    struct rl_bench_card card = h200;
    struct rl_bench_case c;
    struct rl_err err = RL_ERR_INIT;
    (void)state;

    card.l2_bytes = 0;
    assert_int_equal(rl_bench_resolve(bench, &bench->configurations[0], &card, &c, &err), RL_UNSUPPORTED);
    assert_non_null(strstr(err.text, "the size of the L2 cache is unknown"));
    card.l2_bytes = 1 << 20;
    assert_int_equal(rl_bench_resolve(bench, &bench->configurations[0], &card, &c, &err), RL_UNSUPPORTED);
    assert_non_null(strstr(err.text, "read more at a time"));
}

/* Blocks that read the same data would get more than the cache gives: some chips answer SMs that ask for one line together. */
static void blocks_in_the_cache_share_nothing(void **state)
{
    static const struct {
        int sm_count;
        uint64_t l2_kib;
    } cards[] = {{14, 1024}, {24, 1536},   {40, 4096},   {68, 5632},   {80, 6144},
                 {82, 6144}, {108, 40960}, {114, 51200}, {128, 73728}, {148, 129024}};
    const struct rl_bench *bench = rl_bench_find("l2_read");
    (void)state;

    for (size_t i = 0; i < RL_COUNT(cards); i++) {
        const struct rl_bench_card card = {
            .cc = 75, .sm_count = cards[i].sm_count, .l2_bytes = cards[i].l2_kib << 10, .buffer_bytes = 256 << 20};
        size_t quick = 0;
        for (const struct rl_bench_configuration *row = bench->configurations; row->kernel; row++) {
            struct rl_bench_case c;
            if (rl_bench_resolve(bench, row, &card, &c, NULL) != RL_OK)
                continue;
            quick += row->quick;
            assert_true(c.bytes > 0 && c.bytes <= card.l2_bytes / 2);
            assert_int_equal(c.bytes % ((uint64_t)c.grid * c.block * (unsigned)row->unroll * 16), 0);
            rl_bench_make_small(&c);
            assert_int_equal(c.bytes % ((uint64_t)c.grid * c.block * (unsigned)row->unroll * 16), 0);
        }
        assert_true(quick > 0);
    }
}

static void configurations_in_words(void **state)
{
    static const struct {
        const char *id;
        size_t index;
        const char *words;
    } known[] = {
        {"dram_read", 0, "read once, 4.00 GiB, 512 threads, 4 x 16 B per thread"},
        {"l2_read", 0, "L2, 14.4 MiB, 1 x 1024 threads per SM, 1 x 16 B in flight per thread"},
        {"l1_read", 0, "L1, 1 x 512 threads per SM, 4 x 16 B in flight per thread"},
        {"fp32", 0, "FFMA, 8 x 256 threads per SM, 8 chains per thread"},
        {"tensor_bf16", 0, "wgmma bf16, 1 x 256 threads per SM, 64 x 256 x 64 per warp group"},
        {"tensor_bf16", 4, "mma bf16 m16n8k16, 2 x 256 threads per SM, 32 x 32 x 16 per warp"},
        {"pcie_d2h", 0, "to host, 32.0 MiB, page-locked"},
        {"l2_atomic", 0, "add in L2, a word each, 2 x 1024 threads per SM"},
        {"dispatch_64", 0, "empty blocks, 64 threads"},
        {"launch", 0, "empty kernel, 32 threads"},
    };
    (void)state;

    for (size_t i = 0; i < RL_COUNT(known); i++) {
        const struct rl_bench_case c = resolve(known[i].id, known[i].index, &h200);
        struct rl_buf text = RL_BUF_INIT;
        rl_bench_text(&c, &text);
        assert_string_equal(text.data, known[i].words);
        rl_buf_release(&text);
    }
}

/* ---- the rows ---- */

static void check_configuration(const struct rl_bench *bench, size_t index, const struct rl_bench_card *card)
{
    const struct rl_bench_configuration *configuration = &bench->configurations[index];
    struct rl_bench_case c;

    if (rl_bench_resolve(bench, configuration, card, &c, NULL) != RL_OK)
        return;
    assert_true(rl_bench_work(&c) > 0);
    assert_true(c.grid > 0 && c.rounds > 0 && c.rounds % c.step == 0);
    assert_in_range(configuration->threads, 0, 1024);
    if (configuration->group > 1)
        assert_int_equal(configuration->threads % configuration->group, 0);
    if (configuration->caches > 0)
        assert_int_equal(c.bytes % (16 * (uint64_t)configuration->threads * (uint64_t)configuration->unroll), 0);
}

static void rows_are_complete(void **state)
{
    static const int ccs[] = {35, 50, 61, 70, 72, 75, 80, 86, 89, 90, 100, 120};
    (void)state;

    for (size_t i = 0; i < rl_bench_count; i++) {
        const struct rl_bench *bench = &rl_benches[i];
        size_t count = 0;
        assert_ptr_equal(rl_bench_find(bench->id), bench); /* so ids are unique */
        assert_true(strlen(bench->label) > 0);
        for (size_t k = 0; k < RL_COUNT(ccs); k++) {
            struct rl_bench_card card = h200;
            size_t all = 0, quick = 0;
            card.cc = ccs[k];
            for (count = 0; bench->configurations[count].kernel; count++) {
                struct rl_bench_case c;
                const bool runs = rl_bench_resolve(bench, &bench->configurations[count], &card, &c, NULL) == RL_OK;
                check_configuration(bench, count, &card);
                all += runs;
                quick += runs && bench->configurations[count].quick;
            }
            if (all > 0 && quick == 0)
                fail_msg("%s has no quick configuration for compute capability %d", bench->id, ccs[k]);
        }
        assert_in_range(count, 1, RL_BENCH_MAX_CONFIGURATIONS);
    }
    assert_null(rl_bench_find("no_such_benchmark"));
}

/* Products of each kind, from the first card that has units for them on. */
static void matrix_units_have_a_ceiling(void **state)
{
    static const struct {
        const char *id;
        int first;
    } known[] = {{"tensor_fp16", 70}, {"tensor_int8", 75}, {"tensor_bf16", 80},
                 {"tensor_tf32", 80}, {"tensor_fp64", 80}, {"tensor_fp8", 89}};
    static const int ccs[] = {61, 70, 72, 75, 80, 86, 89, 90, 100, 120};
    (void)state;

    for (size_t i = 0; i < RL_COUNT(known); i++)
        for (size_t k = 0; k < RL_COUNT(ccs); k++) {
            const struct rl_bench *bench = rl_bench_find(known[i].id);
            struct rl_bench_card card = h200;
            size_t running = 0;
            card.cc = ccs[k];
            for (const struct rl_bench_configuration *row = bench->configurations; row->kernel; row++) {
                struct rl_bench_case c;
                running += !row->reference && rl_bench_resolve(bench, row, &card, &c, NULL) == RL_OK;
            }
            if ((running > 0) != (ccs[k] >= known[i].first))
                fail_msg("%s has %zu configurations for compute capability %d", known[i].id, running, ccs[k]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_in_the_cache_share_nothing),
        cmocka_unit_test(buffers_exceed_the_cache),
        cmocka_unit_test(matrix_units_have_a_ceiling),
        cmocka_unit_test(memory_is_touched_once),
        cmocka_unit_test(caches_are_read_in_rounds),
        cmocka_unit_test(arithmetic_is_counted),
        cmocka_unit_test(starting_work_is_counted),
        cmocka_unit_test(rounds_fit_the_time),
        cmocka_unit_test(checks_are_small),
        cmocka_unit_test(cards_that_cannot_are_told),
        cmocka_unit_test(a_cache_of_unknown_size_is_told),
        cmocka_unit_test(configurations_in_words),
        cmocka_unit_test(rows_are_complete),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
