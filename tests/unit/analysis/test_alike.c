/* Whether two cards of a capture need two descriptions; and shapes of blocks from numbers that a capture may hold. */
#include "core/mem.h"
#include "rl_test.h"

#include <limits.h>

#include "analysis/analysis.h"
#include "fixtures/capture.h"
#include "internal.h"

struct card {
    const char *name, *chip;
    int cc_major, cc_minor;
    double l2_bytes, clock_hz; /* -1: not known */
};

static bool alike(const struct card *a, const struct card *b)
{
    const struct card *const cards[] = {a, b};
    struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
    rl_capture_add_gpu(capture);
    for (size_t i = 0; i < 2; i++) {
        struct rl_gpu *gpu = &capture->gpus[i];
        *gpu = (struct rl_gpu){.name = rl_capture_text(capture, cards[i]->name),
                               .chip = rl_capture_text(capture, cards[i]->chip),
                               .cc_major = cards[i]->cc_major,
                               .cc_minor = cards[i]->cc_minor};
        for (int f = 0; f < RL_FACT_COUNT; f++)
            gpu->fact[f] = rl_value_missing(RL_NOT_COLLECTED, NULL);
        if (cards[i]->l2_bytes >= 0)
            gpu->fact[RL_FACT_l2_bytes] = rl_value_of(cards[i]->l2_bytes);
        if (cards[i]->clock_hz < 0)
            continue;
        const size_t kernel = sample_kernel(capture, "k(int)");
        capture->kernels[kernel].gpu = i;
        sample_counter(capture, kernel, "sm__cycles_elapsed.avg.per_second", cards[i]->clock_hz);
    }
    struct rl_analysis *analysis = rl_analysis_new(capture);
    size_t *represented = rl_cards_represented(analysis, NULL);
    const bool answer = represented[1] == 0;
    assert_int_equal(represented[0], 0);
    assert_int_equal(represented[1], answer ? 0 : 1);
    free(represented);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
    return answer;
}

static void what_makes_cards_different(void **state)
{
    static const struct card card = {"NVIDIA Card", "GA102", 8, 6, 1e6, 1e9};
    static const struct {
        struct card other;
        bool alike;
    } rows[] = {
        {{"NVIDIA Card", "GA102", 8, 6, 1e6, 1e9}, true},      {{"NVIDIA Kard", "GA102", 8, 6, 1e6, 1e9}, false},
        {{"NVIDIA Card", "GA104", 8, 6, 1e6, 1e9}, false},     {{"NVIDIA Card", NULL, 8, 6, 1e6, 1e9}, false},
        {{"NVIDIA Card", "GA102", 7, 6, 1e6, 1e9}, false},     {{"NVIDIA Card", "GA102", 8, 9, 1e6, 1e9}, false},
        {{"NVIDIA Card", "GA102", 8, 6, 2e6, 1e9}, false},     {{"NVIDIA Card", "GA102", 8, 6, -1, 1e9}, false},
        {{"NVIDIA Card", "GA102", 8, 6, 1e6, -1}, false},      {{"NVIDIA Card", "GA102", 8, 6, 1e6, 1.0099e9}, true},
        {{"NVIDIA Card", "GA102", 8, 6, 1e6, 0.9901e9}, true}, {{"NVIDIA Card", "GA102", 8, 6, 1e6, 1.0103e9}, false},
    };
    static const struct card unknown = {"NVIDIA Card", NULL, 8, 6, -1, -1};
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        if (alike(&card, &rows[i].other) != rows[i].alike)
            fail_msg("row %zu", i);
    assert_true(alike(&unknown, &unknown));
}

static void blocks_of_any_numbers(void **state)
{
    static const struct {
        uint32_t block[3];
        struct rl_value registers, shared;
        uint64_t dynamic;
        struct rl_block_shape shape;
    } rows[] = {
        {{32, 4, 2}, {40}, {48}, 64, {256, 40, 48, 64}},
        {{1u << 16, 1u << 15, 1}, {0}, {0}, 0, {INT_MAX, 0, 0, 0}},
        {{2147483647, 1, 1}, {2147483647}, {2147483647}, 2147483647, {INT_MAX, INT_MAX, INT_MAX, INT_MAX}},
        {{1, 1, 1}, {2147483648}, {-1}, UINT64_C(2147483648), {1, -1, -1, INT_MAX}},
        {{1, 1, 1}, RL_VALUE_OF_TEXT, RL_VALUE_OF_TEXT, 0, {1, -1, -1, 0}},
    };
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_kernel kernel = {.registers_per_thread = rows[i].registers,
                                   .static_shared_bytes = rows[i].shared,
                                   .dynamic_shared_bytes = rows[i].dynamic};
        memcpy(kernel.block, rows[i].block, sizeof kernel.block);
        const struct rl_block_shape shape = rl_block_shape_of(&kernel), *wanted = &rows[i].shape;
        assert_int_equal(shape.threads, wanted->threads);
        assert_int_equal(shape.registers_per_thread, wanted->registers_per_thread);
        assert_int_equal(shape.static_shared_bytes, wanted->static_shared_bytes);
        assert_int_equal(shape.dynamic_shared_bytes, wanted->dynamic_shared_bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_makes_cards_different),
        cmocka_unit_test(blocks_of_any_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
