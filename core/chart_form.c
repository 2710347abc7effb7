#include "core/setting.h"

#include "core/mem.h"

RL_NAMES(rl_chart_form_name,
         enum rl_chart_form, [RL_CHART_FORM_BARS] = "bars", [RL_CHART_FORM_LINE] = "line", [RL_CHART_FORM_STAGES] = "stages")
