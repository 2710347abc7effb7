/* Cards side by side: speed-ups by what limits, and the score of a program, worked out by hand. */
#include "rl_test.h"

#include "analysis/lineup.h"
#include "core/mem.h"
#include "fixtures/capture.h"
#include "fixtures/sides.h"

/* Two cards, and a program on the first one. What limits a kernel is set by hand. */
struct two {
    struct sides sides;
    struct rl_capture *program;
    struct rl_analysis *analysis;
    struct rl_columns *columns;
    struct rl_lineup *lineup;
};

/* A kernel that takes `base_ns` on the base and `new_ns` on the other card. */
static void add(struct two *two, const char *name, uint64_t base_ns, uint64_t new_ns)
{
    sides_add(&two->sides, 0, name, 10, NULL, base_ns);
    sides_add(&two->sides, 1, name, 10, NULL, new_ns);
}

static void add_program(struct two *two, const char *name, uint64_t ns)
{
    const size_t kernel = sample_kernel(two->program, name);
    sample_times(two->program, kernel, (const uint64_t[]){ns}, 1);
    sample_shape(&two->program->kernels[kernel], 10, 256);
    two->program->kernels[kernel].total_ns = ns;
    two->program->kernels[kernel].launches = 1;
}

static struct two two_new(void)
{
    struct two two = {.sides = sides_new(), .program = sample_new(SAMPLE_CHIP, SAMPLE_CC)};
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
    two->analysis = rl_analysis_new(two->program);
}

static void finish_beside(struct two *two, enum rl_resource of_program, const struct rl_projection *projection)
{
    for (size_t i = 0; i < two->program->kernel_count; i++) {
        two->analysis->kernels[i].limits.limiter = of_program;
        two->analysis->kernels[i].bound = of_program < RL_RESOURCE_COUNT ? rl_resources[of_program].bound : RL_BOUND_UNKNOWN;
    }
    const struct rl_lineup_of of = {.base = two->columns->base,
                                    .columns = two->columns,
                                    .projections = &projection,
                                    .projection_count = projection != NULL,
                                    .program = two->analysis,
                                    .program_name = "app.rlcap"};
    two->lineup = rl_lineup_new(&of);
}

static void finish(struct two *two, enum rl_resource of_program)
{
    finish_beside(two, of_program, NULL);
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
    rl_analysis_free(two->analysis);
    rl_capture_free(two->program);
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
    finish(&two, RL_RESOURCE_dram);
    assert_int_equal(two.lineup->group_count, 2);
    const struct rl_group_speedup *dram = &two.lineup->groups[0].on[1];
    assert_string_equal(two.lineup->groups[0].label, "DRAM");
    assert_int_equal(dram->kernels, 3);
    assert_close(dram->middle, 3, 1e-6);
    assert_close(dram->low, 2, 1e-6);
    assert_close(dram->high, 4, 1e-6);
    assert_string_equal(two.lineup->groups[1].label, "instruction issue");
    assert_close(two.lineup->groups[1].on[1].middle, 1, 1e-6);
    rl_lineup_text(two.lineup, 1, &text);
    assert_string_equal(text.data,
                        "3.00 times as fast where DRAM limits (3 kernels), 1.00 where instruction issue does (1); 1.00 to 4.00 "
                        "over all 4 kernels");
    rl_buf_release(&text);
    two_free(&two);
}

/* 6 ms of a kernel that the captures have (2 times as fast: 3 ms), 6 ms of one that DRAM limits (3, from 2 to 4: 2 ms, 3 to 1.5
 * ms): 12 / 5 = 2.4, about from 12 / 6 = 2 to 12 / 4.5 = 2.67. */
static void a_program_is_scored_by_its_kernels_and_their_limiters(void **state)
{
    (void)state;
    struct two two = four_kernels();
    add_program(&two, "a(int)", 6000000);
    add_program(&two, "elsewhere(float)", 6000000);
    line_up(&two);
    limit_four(&two);
    finish(&two, RL_RESOURCE_dram);
    const struct rl_lineup_card *card = &two.lineup->cards[1];
    assert_true(card->score.present && card->score.has_interval);
    assert_close(card->score.estimate, 2.4, 1e-6);
    assert_close(card->score.low, 2, 0.01);
    assert_close(card->score.high, 12 / 4.5, 0.01);
    assert_close(card->own, 0.5, 1e-9);
    assert_true(card->guessed == 0);
    assert_close(rl_lineup_per_watt(two.lineup, 1).estimate, 2.4 * 400 / 200, 1e-6);
    assert_false(two.lineup->cards[0].score.present);
    two_free(&two);
}

/* Nothing is known of its limiter: the middle of all stands for it, up to half of the time. */
static void what_is_unknown_is_no_score(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        struct two two = four_kernels();
        struct rl_buf text = RL_BUF_INIT;
        add_program(&two, "a(int)", more ? 4000000 : 6000000);
        add_program(&two, "elsewhere(float)", 6000000);
        line_up(&two);
        limit_four(&two);
        finish(&two, RL_RESOURCE_COUNT);
        assert_int_equal(two.lineup->cards[1].score.present, !more);
        assert_close(two.lineup->cards[1].guessed, more ? 0.6 : 0.5, 1e-9);
        rl_lineup_score_text(two.lineup, 1, &text);
        assert_int_equal(strstr(text.data, "no score, because") != NULL, more);
        rl_buf_release(&text);
        two_free(&two);
    }
}

/* Least and greatest of what roofs and clocks of both cards are of each other, and 1. */
static void add_ends(double ratio, double *low, double *high)
{
    *low = ratio < *low ? ratio : *low;
    *high = ratio > *high ? ratio : *high;
}

/* Nothing that could be projected limits the program: on a projected card its speed-up lies between the roofs. */
static void a_projected_card_is_scored_between_its_roofs(void **state)
{
    (void)state;
    struct two two = four_kernels();
    struct rl_buf text = RL_BUF_INIT;
    double low = 1, high = 1;
    two.sides.capture[0]->gpus[0].fact[RL_FACT_sm_clock_max_hz] = rl_value_of(1e9);
    sample_ceiling(two.sides.capture[0], 0, "dram_read", RL_UNIT_BYTE_PER_SECOND, 1e12, 0, 30);
    add_program(&two, "elsewhere(float)", 6000000);
    line_up(&two);
    limit_four(&two);
    struct rl_projection *projection = rl_projection_new(two.columns->base->analysis, rl_card_find("P100-SXM2-16GB"));
    finish_beside(&two, RL_RESOURCE_COUNT, projection);
    const struct rl_lineup_card *base = &two.lineup->cards[0], *card = &two.lineup->cards[2];
    const enum rl_ceiling_id roofs[] = {RL_CEILING_dram, RL_CEILING_shared, RL_CEILING_fp32};
    assert_int_equal(card->kind, RL_LINEUP_PROJECTED);
    for (size_t i = 0; i < RL_COUNT(roofs); i++)
        if (rl_present(base->roof[roofs[i]]) && rl_present(card->roof[roofs[i]]))
            add_ends(card->roof[roofs[i]].v / base->roof[roofs[i]].v, &low, &high);
    add_ends(1.48, &low, &high); /* 1480 MHz */
    assert_true(low < 0.8 && high >= 1.48);
    assert_true(card->score.present && card->score.has_interval);
    assert_close(card->score.low, low, 1e-9);
    assert_close(card->score.high, high, 1e-9);
    assert_close(card->score.estimate * card->score.estimate, low * high, 1e-9);
    assert_close(card->ranged, 1, 1e-9);
    assert_true(card->guessed == 0 && card->own == 0);
    assert_true(rl_lineup_per_watt(two.lineup, 2).has_interval);
    assert_false(two.lineup->cards[1].score.present); /* measured: nothing is known of the limiter */
    rl_lineup_score_text(two.lineup, 2, &text);
    assert_non_null(strstr(text.data, "between the ratios of roofs and clocks"));
    rl_buf_release(&text);
    two_free(&two);
    rl_projection_free(projection);
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
    finish_beside(&two, RL_RESOURCE_COUNT, projection);
    const struct rl_ratio speedup = rl_lineup_speedup(two.lineup, 2, 0);
    assert_true(speedup.present && speedup.has_interval);
    assert_close(speedup.estimate, 2, 1e-12);
    assert_close(speedup.low, 1, 1e-12);
    assert_close(speedup.high, 2.5, 1e-12);
    two_free(&two);
    rl_projection_free(projection);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_are_grouped_by_what_limits_them),
        cmocka_unit_test(a_program_is_scored_by_its_kernels_and_their_limiters),
        cmocka_unit_test(what_is_unknown_is_no_score),
        cmocka_unit_test(a_projected_card_is_scored_between_its_roofs),
        cmocka_unit_test(an_estimate_has_the_ends_of_its_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
