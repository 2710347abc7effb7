/* Cards side by side: speedups by what limits, worked out by hand. */
#include "rl_test.h"

#include "analysis/projection.h"
#include "core/mem.h"
#include "fixtures/capture.h"
#include "fixtures/sides.h"

/* Two cards. What limits a kernel is set by hand. */
struct two {
    struct sides sides;
    struct rl_columns *columns;
    struct rl_lineup *lineup;
    const struct rl_projection *projection; /* that the lineup refers to */
};

/* A kernel that takes `base_ns` on the base and `new_ns` on the other card. */
static void add(struct two *two, const char *name, uint64_t base_ns, uint64_t new_ns)
{
    sides_add(&two->sides, 0, name, 10, NULL, base_ns);
    sides_add(&two->sides, 1, name, 10, NULL, new_ns);
}

static struct two two_new(void)
{
    struct two two = {.sides = sides_new()};
    for (size_t i = 0; i < 2; i++)
        two.sides.capture[i]->gpus[0].fact[RL_FACT_power_limit_w] = rl_value_of(i ? 200 : 400);
    two.sides.capture[1]->gpus[0].name = rl_capture_text(two.sides.capture[1], "NVIDIA Other Card");
    return two;
}

static void line_up(struct two *two)
{
    const struct rl_comparison *comparison = sides_compare(&two->sides);
    two->columns = rl_columns_new(&comparison->base);
    rl_columns_add(two->columns, comparison);
}

/* `projection` NULL: none. */
static void finish(struct two *two, const struct rl_projection *projection)
{
    two->projection = projection;
    const struct rl_lineup_of of = {.base = two->columns->base,
                                    .columns = two->columns,
                                    .projections = &two->projection,
                                    .projection_count = projection != NULL};
    two->lineup = rl_lineup_new(&of);
}

static void limit(struct two *two, size_t item, enum rl_resource limiter)
{
    two->sides.comparison->base.items[item].limiter = limiter;
    two->sides.comparison->base.items[item].bound = rl_resources[limiter].bound;
}

static void two_free(struct two *two)
{
    rl_lineup_free(two->lineup);
    rl_columns_free(two->columns);
    sides_free(&two->sides);
}

/* DRAM: 2, 3 and 4 times as fast; issue: as fast. */
static struct two four_kernels(void)
{
    struct two two = two_new();
    add(&two, "a(int)", 12000000, 6000000);
    add(&two, "b(int)", 12000000, 4000000);
    add(&two, "c(int)", 12000000, 3000000);
    add(&two, "d(int)", 12000000, 12000000);
    return two;
}

static void limit_four(struct two *two)
{
    for (size_t i = 0; i < 3; i++)
        limit(two, i, RL_RESOURCE_dram);
    limit(two, 3, RL_RESOURCE_issue);
}

static void kernels_are_grouped_by_what_limits_them(void **state)
{
    (void)state;
    struct two two = four_kernels();
    struct rl_buf text = RL_BUF_INIT;
    line_up(&two);
    limit_four(&two);
    finish(&two, NULL);
    assert_int_equal(two.lineup->group_count, 2);
    const struct rl_group_speedup *dram = &two.lineup->groups[0].on[1];
    assert_string_equal(two.lineup->groups[0].label, "DRAM bandwidth");
    assert_int_equal(dram->kernels, 3);
    assert_close(dram->middle, 3, 1e-6);
    assert_close(dram->low, 2, 1e-6);
    assert_close(dram->high, 4, 1e-6);
    assert_string_equal(two.lineup->groups[1].label, "issue slots");
    assert_close(two.lineup->groups[1].on[1].middle, 1, 1e-6);
    rl_lineup_text(two.lineup, 1, &text);
    assert_string_equal(text.data, "3.00× where limited by DRAM bandwidth (3 kernels), 1.00× by issue slots (1); 1.00× to 4.00× "
                                   "over all 4 kernels");
    rl_buf_release(&text);
    two_free(&two);
}

/* 2 times as fast, from half of it where L2 keeps nothing to 1.25 times as much where every roof is the data sheet's. */
static void an_estimate_has_the_ends_of_its_bound(void **state)
{
    (void)state;
    struct two two = four_kernels();
    line_up(&two);
    struct rl_projection *projection = rl_projection_new(two.columns->base->analysis, rl_card_find("P100-SXM2-16GB"));
    struct rl_projected *projected = &projection->kernels[two.columns->base->items[0].kernel];
    *projected = (struct rl_projected){.bound_s = rl_value_of(1),
                                       .bound_low_s = rl_value_of(0.8),
                                       .bound_high_s = rl_value_of(2),
                                       .estimate_speedup = rl_value_of(2)};
    finish(&two, projection);
    const struct rl_ratio speedup = rl_lineup_speedup(two.lineup, 2, 0);
    assert_true(speedup.present && speedup.has_interval);
    assert_close(speedup.estimate, 2, 1e-12);
    assert_close(speedup.low, 1, 1e-12);
    assert_close(speedup.high, 2.5, 1e-12);
    two_free(&two);
    rl_projection_free(projection);
}

/* Others measure at whatever clock: the roofs of their cards are the data sheet's, of one that they do not name there are none. */
static void roofs_of_others_are_of_the_data_sheet(void **state)
{
    static const struct {
        const char *source, *name;
        double fp32, dram; /* 0: none */
    } rows[] = {
        {"ncu", "NVIDIA A100-SXM4-40GB", 19.5e12, 1555e9}, {"published", "Tesla T4", 8.1e12, 320e9}, {"ncu", "unknown GPU", 0, 0}};

    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct two two = four_kernels();
        struct rl_capture *capture = two.sides.capture[1];
        capture->session.source = rl_capture_text(capture, rows[i].source);
        capture->gpus[0].name = rl_capture_text(capture, rows[i].name);
        line_up(&two);
        finish(&two, NULL);
        const struct rl_lineup_card *card = &two.lineup->cards[1];
        if (rows[i].fp32 > 0) {
            assert_close(card->roof[RL_CEILING_fp32].v, rows[i].fp32, 1e-9);
            assert_close(card->roof[RL_CEILING_dram].v, rows[i].dram, 1e-3);
        } else {
            assert_false(rl_present(card->roof[RL_CEILING_fp32]));
            assert_false(rl_present(card->roof[RL_CEILING_dram]));
        }
        two_free(&two);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_are_grouped_by_what_limits_them),
        cmocka_unit_test(an_estimate_has_the_ends_of_its_bound),
        cmocka_unit_test(roofs_of_others_are_of_the_data_sheet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
