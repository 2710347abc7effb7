#include "compare.h"

#include <string.h>

bool compare_is_of_cards(const struct compare *compare)
{
    for (size_t i = 1; i < compare->count; i++)
        if (compare->parts[i].against_base->relation == RL_OTHER_MODEL)
            return true;
    return false;
}

const char *compare_card(const struct compare_part *part)
{
    static const char maker[] = "NVIDIA ";
    if (part->capture->gpu_count == 0)
        return "unknown card";
    const char *name = part->capture->gpus[0].name;
    return strncmp(name, maker, strlen(maker)) == 0 ? name + strlen(maker) : name;
}

size_t compare_regressions(const struct compare *compare)
{
    size_t found = 0;
    for (size_t i = 1; i < compare->count && compare->tolerance >= 0; i++) {
        const struct rl_comparison *comparison = compare->parts[i].against_base;
        for (size_t p = 0; p < comparison->pair_count; p++)
            found += rl_pair_is_regression(&comparison->pairs[p], compare->tolerance);
    }
    return found;
}
