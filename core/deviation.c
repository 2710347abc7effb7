#include "core/setting.h"

#include "core/mem.h"

RL_NAMES(rl_deviation_kind_name, enum rl_deviation_kind, [RL_DEVIATION_NONE] = "none", [RL_DEVIATION_ABSOLUTE] = "absolute",
         [RL_DEVIATION_RELATIVE] = "relative")
