/* What the GPUs of a group have in common, and how many differ. */
#include "rl_test.h"

#include "analysis/fleet.h"
#include "core/mem.h"
#include "fixtures/fleet_records.h"

enum { GPUS = 5 };

/* Five GPUs: one with 8 lanes, clocks that differ, memory that is alike, ECC that one capture does not tell; and their drivers. */
static struct rl_fleet *fleet_of_five(void)
{
    static const double clocks_hz[GPUS] = {1.95e9, 1.97e9, 1.99e9, 1.98e9, 1.98e9};
    static const struct rl_fleet_options usual = {0};
    struct rl_fleet *fleet = rl_fleet_new(&usual);
    for (size_t i = 0; i < GPUS; i++) {
        struct rl_fleet_record *record = record_numbered(i, 6);
        for (int id = 0; id < RL_FLEET_EVIDENCE_COUNT; id++)
            record->evidence[id] = rl_value_missing(RL_NOT_COLLECTED, NULL);
        record->evidence[RL_EVIDENCE_sm_clock_hz] = rl_value_of(clocks_hz[i]);
        record->evidence[RL_EVIDENCE_memory_bytes] = rl_value_of(150e9);
        record->evidence[RL_EVIDENCE_pcie_width] = rl_value_of(i == 3 ? 8 : 16);
        if (i != 0)
            record->evidence[RL_EVIDENCE_ecc_enabled] = rl_value_of(1);
        record->evidence[RL_EVIDENCE_driver] = rl_value_of((double)i);
        record->evidence[RL_EVIDENCE_slow_end] = record->evidence[RL_EVIDENCE_lone_link] = rl_value_of(1);
        rl_fleet_add(fleet, record);
    }
    rl_fleet_finish(fleet);
    return fleet;
}

static void settings_of_a_group(void **state)
{
    (void)state;
    static const struct rl_fleet_setting known[] = {
        {.of = RL_EVIDENCE_sm_clock_hz, .usual.v = 1.98e9, .least = 1.95e9, .greatest = 1.99e9, .other = 3},
        {.of = RL_EVIDENCE_memory_bytes, .usual.v = 150e9, .least = 150e9, .greatest = 150e9, .other = 0},
        {.of = RL_EVIDENCE_ecc_enabled, .usual.v = 1, .least = 1, .greatest = 1, .other = 0},
        {.of = RL_EVIDENCE_pcie_width, .usual.v = 16, .least = 8, .greatest = 16, .other = 1},
    };
    struct rl_fleet *fleet = fleet_of_five();
    struct rl_fleet_setting found[RL_FLEET_EVIDENCE_COUNT];
    assert_int_equal(fleet->group_count, 1);
    assert_int_equal(rl_fleet_settings(fleet, &fleet->groups[0], found), RL_COUNT(known));
    for (size_t i = 0; i < RL_COUNT(known); i++) {
        assert_int_equal(found[i].of, known[i].of);
        assert_true(found[i].usual.v == known[i].usual.v);
        assert_true(found[i].least == known[i].least && found[i].greatest == known[i].greatest);
        assert_int_equal(found[i].other, known[i].other);
    }
    rl_fleet_free(fleet);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(settings_of_a_group)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
