/* published.c - what others have measured, and which ceilings are listed. */
#include <fnmatch.h>
#include <string.h>

#include "core/mem.h"
#include "internal.h"

const struct rl_published rl_published[] = {
#define PUBLISHED(card, measured, value, source) {card, #measured, value, source},
#include "analysis/published.def"
#undef PUBLISHED
};
const size_t rl_published_count = RL_COUNT(rl_published);

const struct rl_published *rl_published_best(const char *card, const char *measured)
{
    const struct rl_published *best = NULL;
    for (size_t i = 0; card && i < rl_published_count; i++) {
        const struct rl_published *row = &rl_published[i];
        if (strcmp(row->measured, measured) == 0 && fnmatch(row->card, card, 0) == 0 && (!best || row->value > best->value))
            best = row;
    }
    return best;
}

bool rl_ceiling_listed(const struct rl_ceiling *ceiling, enum rl_ceiling_id id)
{
    if (rl_ceilings[id].role == RL_ROOF)
        return true;
    return !RL_ANY(i, RL_CEILING_COUNT,
                   rl_ceilings[i].role == RL_ROOF && strcmp(rl_ceilings[i].measured, rl_ceilings[id].measured) == 0) &&
           ceiling->run != RL_NONE;
}
