/* Words of enumerations, which files and scripts rest on, and small questions about a name. */
#include "rl_test.h"

#include "analysis/columns.h"
#include "analysis/gate.h"
#include "analysis/program.h"
#include "analysis/sampled.h"
#include "core/mem.h"

#define ASSERT_WORDS(function, type, ...)                                                                                          \
    do {                                                                                                                           \
        static const char *const words[] = {__VA_ARGS__};                                                                          \
        for (unsigned i = 0; i < RL_COUNT(words); i++)                                                                             \
            assert_string_equal(function((type)i), words[i]);                                                                      \
    } while (0)

static void words_of_enumerations(void **state)
{
    (void)state;
    ASSERT_WORDS(rl_bound_word, enum rl_bound, "unknown", "memory", "compute", "latency", "dispatch", "parallelism", "launch",
                 "host");
    ASSERT_WORDS(rl_evidence_name, enum rl_evidence, "none", "counted", "sampled");
    ASSERT_WORDS(rl_gate_state_name, enum rl_gate_state, "holds", "cannot decide", "fails");
    ASSERT_WORDS(rl_time_state_name, enum rl_time_state, "none", "at least", "estimated", "whole");
    ASSERT_WORDS(rl_time_state_sign, enum rl_time_state, "", "\u2265", "~", "");
    ASSERT_WORDS(rl_time_state_reason, enum rl_time_state, "no launch was timed",
                 "launches without a time are left out, as fewer than 5 of their class were timed",
                 "launches without a time are taken to last as long as the mean of the timed ones", "");
}

static void names_of_counters_and_cards(void **state)
{
    (void)state;
    assert_true(rl_names_counter("dram__bytes.sum"));
    assert_false(rl_names_counter("dram_bytes"));
    assert_false(rl_names_counter("_dram_bytes_"));
    assert_string_equal(rl_card_short("NVIDIA H200"), "H200");
    assert_string_equal(rl_card_short("NVIDIA"), "NVIDIA");
    assert_string_equal(rl_card_short("H200 NVIDIA "), "H200 NVIDIA ");
    assert_int_equal(rl_sets_of_suite(), 1u << RL_SET_CORE | 1u << RL_SET_STALLS | 1u << RL_SET_LIMITS);
    for (unsigned i = 0; i < RL_SET_COUNT; i++)
        assert_int_equal(rl_set_find(rl_sets[i].name), i);
    for (unsigned i = 0; i < RL_METRIC_COUNT; i++)
        assert_int_equal(rl_metric_find(rl_metrics[i].id), i);
    assert_int_equal(rl_set_find("Core"), RL_SET_COUNT);
    assert_int_equal(rl_metric_find("x"), RL_METRIC_COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(words_of_enumerations), cmocka_unit_test(names_of_counters_and_cards)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
