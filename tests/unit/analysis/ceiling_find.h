/* ceiling_find.h - a ceiling by its id, which tests write down. */
#ifndef RL_TEST_CEILING_FIND_H
#define RL_TEST_CEILING_FIND_H

#include <string.h>

#include "analysis/analysis.h"

/* RL_CEILING_COUNT when there is no such id. */
static inline enum rl_ceiling_id ceiling_find(const char *id)
{
    size_t i = 0;
    while (i < RL_CEILING_COUNT && strcmp(rl_ceilings[i].id, id) != 0)
        i++;
    return (enum rl_ceiling_id)i;
}

#endif
