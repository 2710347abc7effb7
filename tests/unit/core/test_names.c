/* Words of enumerations that are stored or printed. */
#include "rl_test.h"

#include "core/mem.h"
#include "core/setting.h"

static void words_as_captures_store_them(void **state)
{
    static const char *const forms[RL_CHART_FORM_COUNT] = {"bars", "line", "stages"};
    static const char *const deviations[RL_DEVIATION_KIND_COUNT] = {"none", "absolute", "relative"};
    (void)state;
    for (unsigned i = 0; i < RL_COUNT(forms); i++)
        assert_string_equal(rl_chart_form_name((enum rl_chart_form)i), forms[i]);
    for (unsigned i = 0; i < RL_COUNT(deviations); i++)
        assert_string_equal(rl_deviation_kind_name((enum rl_deviation_kind)i), deviations[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(words_as_captures_store_them)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
