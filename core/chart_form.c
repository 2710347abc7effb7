#include "core/chart_form.h"

#include <assert.h>

const char *rl_chart_form_name(enum rl_chart_form form)
{
    static const char *const names[RL_CHART_FORM_COUNT] = {
        [RL_CHART_FORM_BARS] = "bars", [RL_CHART_FORM_LINE] = "line", [RL_CHART_FORM_STAGES] = "stages"};
    assert((unsigned)form < RL_CHART_FORM_COUNT);
    return names[form];
}
