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
    ASSERT_WORDS(rl_bound_name, enum rl_bound, "unknown", "memory-bound", "compute-bound", "latency-bound", "dispatch-bound",
                 "parallelism-bound", "launch-bound", "start-bound", "host-bound");
    ASSERT_WORDS(rl_evidence_name, enum rl_evidence, "none", "counted", "sampled");
    ASSERT_WORDS(rl_gate_state_name, enum rl_gate_state, "holds", "cannot decide", "fails");
    ASSERT_WORDS(rl_time_state_name, enum rl_time_state, "none", "at least", "estimated", "whole");
    ASSERT_WORDS(rl_time_state_sign, enum rl_time_state, "", "\u2265", "~", "");
    ASSERT_WORDS(rl_time_state_reason, enum rl_time_state, "no launch was timed",
                 "launches without a time are left out, because fewer than 5 of their configuration were timed",
                 "launches without a time are estimated by the mean of the timed ones", "");
}

/* A limiter is a resource, or what limits where no resource does; each has an id, a name and a kind. */
static void limiters_are_resources(void **state)
{
    (void)state;
    const size_t dram = rl_limiter_of(RL_RESOURCE_dram, RL_BOUND_MEMORY);
    assert_string_equal(rl_limiter_id(dram), "dram");
    assert_string_equal(rl_limiter_label(dram), "DRAM bandwidth");
    assert_int_equal(rl_limiter_kind_of(dram), RL_KIND_DRAM);
    const struct {
        enum rl_bound bound;
        const char *id, *label;
        enum rl_limiter_kind kind;
    } rows[] = {{RL_BOUND_UNKNOWN, "unknown", "unknown", RL_KIND_UNKNOWN},
                {RL_BOUND_LATENCY, "latency", "latency", RL_KIND_LATENCY},
                {RL_BOUND_PARALLELISM, "parallelism", "parallelism", RL_KIND_FILL},
                {RL_BOUND_LAUNCH, "launch_overhead", "launch overhead", RL_KIND_FILL},
                {RL_BOUND_FIXED, "start_and_drain", "start and drain", RL_KIND_FILL}};
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        const size_t limiter = rl_limiter_of(RL_RESOURCE_COUNT, rows[i].bound);
        assert_string_equal(rl_limiter_id(limiter), rows[i].id);
        assert_string_equal(rl_limiter_label(limiter), rows[i].label);
        assert_int_equal(rl_limiter_kind_of(limiter), rows[i].kind);
    }
    for (int i = 0; i < RL_RESOURCE_COUNT; i++) {
        assert_int_not_equal(rl_resources[i].kind, RL_KIND_UNKNOWN); /* each has a colour */
        for (int k = 0; k < i; k++)
            assert_string_not_equal(rl_resources[i].label, rl_resources[k].label);
    }
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(words_of_enumerations), cmocka_unit_test(limiters_are_resources),
                                       cmocka_unit_test(names_of_counters_and_cards)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
