/* Counts of work: exact evidence, also of one launch, and never a word about the time. */
#include "rl_test.h"

#include <string.h>

#include "analysis/compare.h"
#include "core/mem.h"
#include "fixtures/capture.h"
#include "fixtures/sides.h"

/* Both sides with a kernel that has one time; free with sides_free. */
static struct sides one_launch(void)
{
    struct sides sides = sides_new();
    for (size_t side = 0; side < 2; side++)
        sides_add(&sides, side, "k(int)", 10, NULL, 1000000)->duration_count = 1;
    return sides;
}

static void count(struct sides *sides, const char *name, double base, double new)
{
    sample_set(sides->capture[0], 0, name, rl_value_of(base));
    sample_set(sides->capture[1], 0, name, rl_value_of(new));
}

/* What is said of the first pair. */
static void assert_said(struct sides *sides, const char *text)
{
    struct rl_buf said = RL_BUF_INIT;
    const struct rl_pair *pair = pair_of(sides_compare(sides), 0);
    rl_pair_counts_text(pair, &said);
    assert_string_equal(said.data ? said.data : "", text);
    assert_int_equal(rl_pair_counts_differ(pair), said.len && strncmp(said.data, "same", 4) != 0);
    assert_int_equal(rl_pair_counts_tell(pair), said.len > 0);
    assert_int_equal(pair->change.verdict, RL_UNDECIDED);
    rl_buf_release(&said);
    sides_free(sides);
}

static void one_launch_tells_its_work(void **state)
{
    (void)state;
    struct sides sides = one_launch();
    count(&sides, "instructions", 5000, 5000);
    count(&sides, "global_sectors", 1000, 680);
    assert_said(&sides, "32.0\u00a0% fewer global-memory sectors; same instructions");
}

static void any_difference_of_an_exact_count_is_one(void **state)
{
    (void)state;
    struct sides more = one_launch(), gone = one_launch(), came = one_launch(), none = one_launch();
    count(&more, "instructions", 1000000, 1000001);
    assert_said(&more, "0.000100\u00a0% more instructions");
    count(&gone, "spill_bytes", 4096, 0);
    count(&gone, "shared_atomics", 0, 0);
    assert_said(&gone, "no local-memory bytes any more");
    count(&came, "global_atomics", 0, 7);
    assert_said(&came, "7 global atomic instructions where there were none");
    assert_said(&none, "");
}

/* What is more than a million times as much, or more than a double holds, is no percentage. */
static void large_ratios_are_two_numbers(void **state)
{
    (void)state;
    struct sides most = one_launch(), more = one_launch(), endless = one_launch();
    count(&most, "instructions", 2, 2000000);
    assert_said(&most, "100000000\u00a0% more instructions");
    count(&more, "instructions", 2, 2000001);
    assert_said(&more, "2\u202f000\u202f001 instructions where there were 2");
    count(&endless, "instructions", 5e-324, 1000);
    assert_said(&endless, "1\u202f000 instructions where there were 4.94e-324");
}

/* Traffic depends on what the caches hold: 6 % are told, less is not. */
static void traffic_scatters(void **state)
{
    (void)state;
    struct sides within = one_launch(), beyond = one_launch();
    count(&within, "dram_bytes", 1000, 945);
    assert_said(&within, "");
    count(&beyond, "dram_bytes", 1000, 935);
    assert_said(&beyond, "6.50\u00a0% fewer bytes to and from DRAM");
}

static void add_counter(struct sides *sides, size_t side, const char *name, double value)
{
    struct rl_counter *counter = rl_capture_add_counter(sides->capture[side], 0);
    counter->kind = RL_FOREIGN;
    counter->name = rl_capture_text(sides->capture[side], name);
    counter->value = rl_value_of(value);
    counter->pass = RL_NONE;
}

/* A profiler's own names count where the metric is missing; the first that both have. */
static void counters_of_others_are_compared_by_name(void **state)
{
    (void)state;
    struct sides sides = one_launch();
    add_counter(&sides, 0, "lts__t_sectors.sum", 1);
    add_counter(&sides, 0, "lts__t_sectors_op_read.sum", 200);
    add_counter(&sides, 1, "lts__t_sectors_op_read.sum", 100);
    assert_said(&sides, "50.0\u00a0% fewer sectors in L2");
}

/* Of a class whose launches do different work it is not known which ones were counted. */
static void launches_of_other_work_are_left_out(void **state)
{
    (void)state;
    for (size_t side = 0; side < 2; side++) {
        struct sides sides = one_launch();
        count(&sides, "instructions", 5000, 4000);
        sides.capture[side]->kernels[0].population = (struct rl_population){.number = 1, .total = 2};
        const struct rl_comparison *comparison = sides_compare(&sides);
        assert_true(comparison->pair_count == 0 || pair_of(comparison, 0)->tally_count == 0);
        sides_free(&sides);
    }
    struct sides both = one_launch();
    count(&both, "instructions", 5000, 4000);
    for (size_t side = 0; side < 2; side++)
        both.capture[side]->kernels[0].population = (struct rl_population){.number = 1, .total = 2};
    assert_int_equal(pair_of(sides_compare(&both), 0)->tally_count, 0);
    sides_free(&both);
}

/* Every row can be told apart, and holds what the format of the captures can give. */
static void rows_name_what_exists(void **state)
{
    (void)state;
    for (size_t i = 0; i < RL_TALLY_COUNT; i++) {
        const struct rl_tally_info *info = &rl_tallies[i];
        assert_true(info->metric < RL_METRIC_COUNT || *info->counters);
        assert_true(info->scatter >= 0 && info->scatter < 0.1);
        for (size_t j = 0; j < i; j++) {
            assert_string_not_equal(info->words, rl_tallies[j].words);
            assert_true(info->metric == RL_METRIC_COUNT || info->metric != rl_tallies[j].metric);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_launch_tells_its_work),
        cmocka_unit_test(any_difference_of_an_exact_count_is_one),
        cmocka_unit_test(large_ratios_are_two_numbers),
        cmocka_unit_test(traffic_scatters),
        cmocka_unit_test(counters_of_others_are_compared_by_name),
        cmocka_unit_test(launches_of_other_work_are_left_out),
        cmocka_unit_test(rows_name_what_exists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
