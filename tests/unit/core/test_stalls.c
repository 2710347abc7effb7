/* Names of stall reasons. */
#include "rl_test.h"

#include <string.h>

#include "core/stalls.h"

static void names_mean_reasons(void **state)
{
    static const struct {
        const char *name;
        enum rl_stall_reason reason;
        bool not_issued;
    } rows[] = {
        {"smsp__pcsamp_warps_issue_stalled_wait", RL_STALL_wait, false},
        {"smsp__pcsamp_warps_issue_stalled_wait_not_issued", RL_STALL_wait, true},
        {"smsp__pcsamp_warps_issue_stalled_not_selected", RL_STALL_not_selected, false},
        {"smsp__pcsamp_warps_issue_stalled_not_selected_not_issued", RL_STALL_not_selected, true},
        {"smsp__pcsamp_warps_issue_stalled_warpgroup_arrive", RL_STALL_warpgroup_arrive, false},
        {"smsp__pcsamp_warps_issue_stalled_dispatch_stall", RL_STALL_dispatch_stall, false},
        {"smsp__pcsamp_warps_issue_stalled_of_tomorrow", RL_STALL_other, false},
        {"smsp__pcsamp_warps_issue_stalled_", RL_STALL_other, false},
        {"smsp__pcsamp_warps_issue_stalled_wai", RL_STALL_other, false},
        {"smsp__pcsamp_sample_count", RL_STALL_COUNT, false},
        {"smsp__pcsamp_samples_data_dropped", RL_STALL_COUNT, false},
        {"", RL_STALL_COUNT, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bool not_issued = false;
        assert_int_equal(rl_stall_of_name(rows[i].name, &not_issued), rows[i].reason);
        assert_int_equal(not_issued, rows[i].not_issued);
    }
}

static void every_row_is_told_apart(void **state)
{
    (void)state;
    for (size_t i = 0; i < RL_STALL_COUNT; i++) {
        assert_true(*rl_stalls[i].label && *rl_stalls[i].meaning);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(rl_stalls[i].id, rl_stalls[k].id);
    }
    assert_false(rl_stalls[RL_STALL_selected].stall || rl_stalls[RL_STALL_not_selected].stall);
    assert_true(rl_stalls[RL_STALL_long_scoreboard].stall);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_mean_reasons), cmocka_unit_test(every_row_is_told_apart)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
