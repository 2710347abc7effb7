/* Whatever can be freed can be nothing: callers free on their way out of a failure what they may not have made yet. */
#include "rl_test.h"

#include "analysis/columns.h"
#include "analysis/families.h"
#include "analysis/fleet.h"
#include "analysis/gate.h"
#include "analysis/links.h"
#include "analysis/program.h"
#include "analysis/projection.h"
#include "analysis/ranks.h"
#include "analysis/sessions.h"

static void nothing_is_freed(void **state)
{
    (void)state;
    rl_analysis_free(NULL);
    rl_columns_free(NULL);
    rl_comparison_free(NULL);
    rl_families_free(NULL);
    rl_fleet_free(NULL);
    rl_fleet_record_free(NULL);
    rl_gate_free(NULL);
    rl_links_free(NULL);
    rl_pool_free(NULL);
    rl_program_free(NULL);
    rl_projection_free(NULL);
    rl_ranks_free(NULL);
}

static void deviations_of_fleets_are_shares(void **state)
{
    (void)state;
    assert_close(rl_fleet_share(log(2)), 0.5, 1e-12); /* twice the time, half the rate */
    assert_close(rl_fleet_share(-log(2)), -1, 1e-12);
    assert_true(rl_fleet_share(0) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_freed), cmocka_unit_test(deviations_of_fleets_are_shares)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
